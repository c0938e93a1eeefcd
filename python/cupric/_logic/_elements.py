"""Arrays and lists, compared by ``==`` and ``!=``."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import where_it_lives

__all__ = [
    "compare_list",
]

_NUMBERS = (bool, int, float, complex, np.number, np.bool)


def compare_list(operands):
    """``x == values`` of an array and a list or tuple; with `differ`, ``x != values``.

    As in NumPy the list stands for an array. Elements of it that are no numbers, or
    integers beyond 64 bits, are equal to nothing.
    """
    x, values, differ = operands
    same = _equal(x, values)
    return ~same if differ else same


@where_it_lives
def _equal(x, values):
    try:
        elements = _core.array(values)
    except (TypeError, ValueError):  # of texts or objects, of which there are no arrays
        elements = np.asarray(values).astype(object)
    else:
        return x == elements
    flat = elements.ravel()
    known = np.array([_is_number(v) for v in flat], bool)
    numbers = np.array([v if k else 0 for v, k in zip(flat, known, strict=True)])
    same = x == _core.array(numbers.reshape(elements.shape))
    return same & _core.array(known.reshape(elements.shape))


def _is_number(v):
    if not isinstance(v, _NUMBERS):
        return False
    return not isinstance(v, int) or -(2**63) <= v < 2**64
