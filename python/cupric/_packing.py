"""Bits in bytes: packbits, unpackbits."""

import math
import operator

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed
from cupric._manipulation._args import (
    by_rows,
    device_array,
    normalize_axis_index,
)

__all__ = [
    "packbits",
    "unpackbits",
]

_library = Library(__file__)


def _example(xp):
    x = xp.arange(3 * 21 * 2, dtype=np.int64).reshape(3, 21, 2) % 5 % 2
    packed = [
        xp.packbits(x.astype(dtype), axis, bitorder)
        for dtype in "?hil"
        for axis, bitorder in ((None, "big"), (1, "little"))
    ]
    return [
        *packed,
        xp.unpackbits(packed[0]),
        xp.unpackbits(packed[1], axis=1, count=21, bitorder="little"),
    ]


_pack = _library.kernel(
    "pack_bits<T>", elements="p.pieces", ships="B H I L", example=_example
)
_unpack = _library.kernel(
    "unpack_bits", elements="p.pieces", ships="x", example=_example
)


def _is_little(bitorder):
    if not isinstance(bitorder, str):
        raise TypeError(f"bitorder is a string, not {type(bitorder).__name__}")
    if bitorder not in ("big", "little"):
        raise ValueError(
            f"'bitorder' must be either 'little' or 'big', not {bitorder!r}"
        )
    return bitorder == "little"


def _along(a, axis):
    """An array in C order, with its axis: of all elements in a row without one. An
    array of no dimensions is a row of its element, whatever the axis is."""
    if axis is None or a.ndim == 0:
        a = a.ravel()
    if axis is None:
        return _core._contiguous(a), 0
    axis = normalize_axis_index(operator.index(axis), a.ndim)
    return _core._contiguous(a), axis


def _sizes(a, axis, n, nbytes, little):
    """Of n bits along an axis, and their bytes: a thread for each eight of them."""
    outer, inner = math.prod(a.shape[:axis]), math.prod(a.shape[axis + 1 :])
    return _library.struct.packing_sizes(
        pieces=outer * ((n + 7) // 8) * inner,
        outer=outer,
        n=n,
        bytes=nbytes,
        inner=inner,
        little=little,
    )


def packbits(a, axis=None, bitorder="big"):
    """Elements as bits of uint8, eight in each; those that lack at the end are 0.

    Parameters
    ----------
    a : cupric.ndarray of ints or bool
        A bit is set where an element is not 0.
    axis : int, optional
        Along which to pack: all elements in C order when left out.
    bitorder : {'big', 'little'}, optional
        Whether the first element of eight is the highest bit or the lowest.

    Returns
    -------
    cupric.ndarray of uint8
        A new array.

    See Also
    --------
    unpackbits

    Examples
    --------
    >>> cp.packbits(cp.array([1, 0, 1, 0, 0, 0, 0, 1, 1]))
    array([161, 128], dtype=uint8)
    """
    return _packed(device_array(a), axis, bitorder)


@by_rows
@replayed
def _packed(a, axis, bitorder):
    if a.dtype.kind not in "biu":
        raise TypeError(
            f"Expected an input array of integer or boolean data type, not {a.dtype}"
        )
    little = _is_little(bitorder)
    a, axis = _along(a, axis)
    n = a.shape[axis]
    out = _core.empty((*a.shape[:axis], (n + 7) // 8, *a.shape[axis + 1 :]), np.uint8)
    if out.size:
        a = a.view(f"u{a.itemsize}")
        p = _sizes(a, axis, n, out.shape[axis], little)
        _pack[a.dtype](x=a, out=out, p=p)
    return out


def unpackbits(a, axis=None, count=None, bitorder="big"):
    """The bits of uint8, each as an element that is 0 or 1.

    Parameters
    ----------
    a : cupric.ndarray of uint8
    axis : int, optional
        Along which the bits lie: all in a row when left out.
    count : int, optional
        How many to unpack, zeros after all that there are; where negative, how many
        to leave out at the end.
    bitorder : {'big', 'little'}, optional
        Whether the first element is the highest bit or the lowest. CuPy's third
        argument: a string in the place of `count` is taken for it.

    Returns
    -------
    cupric.ndarray of uint8
        A new array.

    See Also
    --------
    packbits

    Examples
    --------
    >>> cp.unpackbits(cp.array([161], dtype=cp.uint8), count=4)
    array([1, 0, 1, 0], dtype=uint8)
    """
    if isinstance(count, str):
        count, bitorder = None, count
    return _unpacked(device_array(a), axis, count, bitorder)


@by_rows
@replayed
def _unpacked(a, axis, count, bitorder):
    if a.dtype != np.uint8:
        raise TypeError(
            f"Expected an input array of unsigned byte data type, not {a.dtype}"
        )
    little = _is_little(bitorder)
    a, axis = _along(a, axis)
    there = 8 * a.shape[axis]
    n = there if count is None else operator.index(count)
    if n < 0:
        if n < -there:
            raise ValueError(f"-count larger than number of elements: {n} of {there}")
        n += there
    out = _core.empty((*a.shape[:axis], n, *a.shape[axis + 1 :]), np.uint8)
    if out.size:
        _unpack[()](x=a, out=out, p=_sizes(a, axis, n, there // 8, little))
    return out
