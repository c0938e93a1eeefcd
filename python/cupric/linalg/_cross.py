"""Cross products: one launch."""

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["cross_products", "takes"]

# Each product is rounded, as on the host.
_library = Library(__file__, options=("-fmad=false",))

_NDIM = 4


def _example(xp):
    x = xp.arange(24).reshape(2, 4, 3)
    made = [xp.cross(x.astype(t), x.astype(t)[:, ::-1]) for t in "ilfdFD"]
    return [*made, xp.cross(x.T[:, :2], x[0, :2], axisa=0, axisc=0)]


_cross = _library.kernel(
    "cross_products<T>", elements="n", ships="i l f d F D", example=_example
)


def takes(dtype, shape):
    """Whether there is a kernel for vectors of a dtype, so many in each axis."""
    return dtype.char in "ilfdFD" and len(shape) < _NDIM and 0 not in shape


@replayed
def cross_products(a, b, shape):
    """`cross` of vectors in last axes, broadcast to a shape, in C order."""
    out = _core.empty((*shape, 3), a.dtype)
    operands, in_order = [], True
    for x in (a, b):
        x = _core.broadcast_to(x, (*shape, x.shape[-1]))
        in_order = in_order and x.shape[-1] == 3 and x.flags.c_contiguous
        operands.append(x[(None,) * (_NDIM - 1 - len(shape))])
    a, b = operands
    _cross[a.dtype](a=a, b=b, out=out, n=out.size // 3, in_order=in_order)
    return out
