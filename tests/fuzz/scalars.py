"""Functions of numbers for `vectorize`, and what they are of NumPy's arrays."""

import numpy as np


def counted_down(x):
    """Up to three steps towards 0."""
    left = x + 0  # a number also of a bool: a variable has one dtype
    for step in range(3):
        if left > 0:
            left = left - step
    return left


def counted_down_each(x):
    left = x + 0
    for step in range(3):
        left = np.where(left > 0, left - step, left)
    return left


def at_least_two(x):
    return x if x > 2 else 2


def at_least_two_each(x):
    return np.where(x > 2, x, 2)


def equal_or_nan(x, y):
    return x == y or x != x


def equal_or_nan_each(x, y):
    return (x == y) | (x != x)


def sum_where_less(x, y):
    """Of arrays, for `fuse`."""
    return (x + y) * (x < y)
