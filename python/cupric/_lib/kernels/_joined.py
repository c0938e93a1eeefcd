"""Arrays as kernels that take few axes see them."""

import math

from cupric import _core

__all__ = ["joined_views"]


def _lengths(shape, strides):
    """The shape, neighbouring axes made one where all arrays can be seen so."""
    lengths, last = [], []  # last: the strides of the last of the lengths
    for n, steps in zip(shape, zip(*strides, strict=True), strict=True):
        if n == 1:
            continue
        if lengths and all(s == t * n for s, t in zip(last, steps, strict=True)):
            lengths[-1] *= n
        else:
            lengths.append(n)
        last = steps
    return tuple(lengths)


def joined_views(shape, arrays, ndim):
    """The shape with `ndim` axes, and views of arrays that are broadcast to it; copies
    where so many axes do not do. Only for shapes of at least one element."""
    arrays = [a if a.shape == shape else _core.broadcast_to(a, shape) for a in arrays]
    lengths = _lengths(shape, [a.strides for a in arrays])
    if len(lengths) > ndim:
        lengths = (math.prod(shape),)
    lengths = (1,) * (ndim - len(lengths)) + lengths
    return lengths, [a.reshape(lengths) for a in arrays]
