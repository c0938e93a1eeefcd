"""Closeness of all elements of small arrays, on GPUs: one launch. On the host, and for
what is larger than a block is fast for, elements are compared and then reduced."""

import math

from cupric import _core
from cupric._lib.kernels._joined import joined_views
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["all_close", "takes"]

# The limit's product and sum are rounded one by one, as on the host.
_library = Library(__file__, options=("-fmad=false",))

_LARGEST = 1 << 14
_NDIM = 3


def _example(xp):
    x = xp.arange(24).reshape(4, 6)
    made = [xp.allclose(x.astype(t), x.astype(t)[::-1], 0, 9) for t in "ilfdFD"]
    y = xp.sqrt(x - 5.0)
    return [*made, xp.allclose(y.T[:, ::2], y.T[:, ::2].copy(), equal_nan=True)]


_all_close = _library.kernel(
    "all_close<T>", blocks=True, threads=512, ships="i l f d F D", example=_example
)


def _size(a, b):
    """Of both, broadcast; 0 where they cannot be."""
    try:
        return math.prod(_core.broadcast_shapes(a.shape, b.shape))
    except ValueError:
        return 0


def takes(a, b):
    """Whether `all_close` is for two arrays."""
    return (
        isinstance(a, _core.ndarray)
        and isinstance(b, _core.ndarray)
        and a.dtype == b.dtype
        and a.dtype.char in "ilfdFD"
        and not _library.on_host(a)
        and 0 < _size(a, b) <= _LARGEST
    )


@replayed
def all_close(a, b, rtol, atol, equal_nan):
    """`allclose`, tolerances as floats."""
    out = _core.empty((), bool)
    shape = _core.broadcast_shapes(a.shape, b.shape)
    _, (x, y) = joined_views(shape, [a, b], _NDIM)
    _all_close[a.dtype](
        a=x,
        b=y,
        out=out,
        n=math.prod(shape),
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        work=1,
    )
    return out
