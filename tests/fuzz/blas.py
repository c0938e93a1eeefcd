"""Drawing what the functions of `cublas` take: vectors and matrices of one dtype.

What does not fit is an error of theirs alone, and the matter of
tests/linalg/test_cublas.py.
"""

import numpy as np

from . import values
from .draw import kind

CODES = "fdFD"


def scaled(beta, y):
    """``beta * y``; where `beta` is 0, BLAS does not read `y`."""
    return beta * y if beta else np.zeros_like(y)


def _new(d, shape, dtype):
    """A new array, at times one whose elements do not lie side by side."""
    how = d.one(["", "", "", "[..., ::2]", "[..., ::-1]", ".T"]) if shape else ""
    if how == ".T":
        return d.new(shape[::-1], dtype) + how
    if how == "[..., ::2]":
        shape = (*shape[:-1], 2 * shape[-1])
    return d.new(shape, dtype) + how


def _first(d, shape, codes=CODES):
    dtype = values.DTYPES[d.code(codes)]
    text = _new(d, shape, dtype)
    d.first = d.evaluate(text)
    return text


def _beside(d, shape):
    return _new(d, shape, d.first.dtype)


@kind
def vec(d):
    return _first(d, (d.below(9),))


@kind
def vecr(d):
    """Of real numbers."""
    return _first(d, (d.below(9),), "fd")


@kind
def vec_beside(d):
    """Another, as long as the first."""
    return _beside(d, d.first.shape)


@kind
def matrix(d):
    return _first(d, (1 + d.below(6), 1 + d.below(6)))


@kind
def matrix_beside(d):
    return _beside(d, d.first.shape)


@kind
def matrix_after(d):
    """As many rows as the first has columns."""
    return _beside(d, (d.first.shape[1], 1 + d.below(5)))


@kind
def row_beside(d):
    """As long as the first array's rows."""
    return _beside(d, d.first.shape[-1:])


@kind
def column_beside(d):
    return _beside(d, d.first.shape[:1])


@kind
def rowr(d):
    """A matrix of one row, of real numbers."""
    return _first(d, (1, 1 + d.below(6)), "fd")


@kind
def updated(d):
    """What the call updates, of the first array's shape."""
    return _beside(d, d.first.shape)


@kind
def updated_vec(d):
    return vec(d)


@kind
def updated_row(d):
    return row_beside(d)


@kind
def updated_column(d):
    return column_beside(d)


@kind
def updated_square(d):
    """As many rows and columns as the first array has rows."""
    return _beside(d, d.first.shape[:1] * 2)


@kind
def rhs_beside(d):
    """The right-hand sides of each matrix of the first array."""
    return d.given(values.array(d.rng, (*d.first.shape[:-1], 2), d.first.dtype, False))
