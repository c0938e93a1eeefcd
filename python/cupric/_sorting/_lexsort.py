"""The order by several keys in one launch, where rows are short: on GPUs."""

import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["order_of_short"]


def _example(xp):
    results = []
    for dtype in _SHIPPED:
        key = (xp.arange(3 * 37) * 5 % 7).astype(dtype).reshape(3, 37)
        keys = [key, key[::-1], key[:, ::-1]]
        results += [_lexsort(*keys[:n]) for n in (1, 2, 3)]
    return results


_SHIPPED = "ilfd"
_LANES = 32  # threads that compare an element with others
_LONGEST = 1 << 12  # row
_COMPARISONS = 1 << 26

_library = Library(__file__)
_kernel = _library.kernel(
    "lexsort<T>",
    blocks="p.pieces",
    threads="THREADS",
    ships=" ".join(_SHIPPED),
    example=_example,
)
_KEYS, _THREADS = _library.enum.KEYS, _library.enum.THREADS


def order_of_short(keys):
    """`lexsort` of keys of one shape along their last axis; None where it is faster to
    sort by one after the other, or there is no dtype for all."""
    shape = keys[0].shape
    n = shape[-1]
    if _library.on_host(keys[0]) or not 2 <= len(keys) <= _KEYS or n > _LONGEST:
        return None
    dtype = _common_dtype({x.dtype for x in keys})
    if dtype is None or not 0 < math.prod(shape) * n <= _COMPARISONS:
        return None
    rows = [x.astype(dtype, copy=False).reshape(-1, n) for x in keys]
    return _lexsort(*rows).reshape(shape)


def _common_dtype(dtypes):
    """One that holds all numbers of dtypes, and that there is a kernel for, or None."""
    if any(t.kind not in "biuf" or t == np.uint64 for t in dtypes):
        return None
    dtype = _core.result_type(*dtypes)
    if dtype.kind != "f":
        return np.dtype(np.int32 if dtype.itemsize < 4 or dtype == np.int32 else "i8")
    if any(t.kind in "iu" and t.itemsize == 8 for t in dtypes):
        return None
    return dtype if dtype.itemsize > 2 else np.dtype(np.float32)


@replayed
def _lexsort(*keys):
    """Of arrays (rows, n), the last one the first to be compared."""
    rows, n = keys[0].shape
    out = _core.empty((rows, n), np.int64)
    lanes, wide = _LANES, _THREADS // _LANES
    if _library.on_host(out):
        lanes = wide = 1
    pieces = rows * -(-n // wide)
    p = _library.struct.lexsort_sizes(pieces=pieces, keys=len(keys), lanes=lanes)
    _kernel[keys[0].dtype](x=keys[::-1], out=out, p=p)
    return out
