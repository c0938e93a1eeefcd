"""Reading the arguments of transforms as SciPy does: axes, lengths, norms, dtypes."""

import operator

import numpy as np

from cupric import _core
from cupric._lib import arguments

__all__ = [
    "axes_and_lengths",
    "floating",
    "length",
    "norm",
]


def floating(x):
    """An array in the dtype that transforms of it are computed in."""
    if not isinstance(x, _core.ndarray):
        raise arguments.unsupported(x)
    if x.dtype.char in "fdFD":
        return x
    dtype = np.float32 if x.dtype.name in ("float16", "bfloat16") else np.float64
    return x.astype(dtype)


def norm(value):
    """A norm's name: that of None is "backward"."""
    if value is None:
        return "backward"
    if value not in ("backward", "ortho", "forward"):
        raise ValueError(
            f'Invalid norm value {value!r}, should be "backward", "ortho" or "forward"'
        )
    return value


def length(n):
    """The length of a transform, or ValueError."""
    n = operator.index(n)
    if n < 1:
        raise ValueError(f"invalid number of data points ({n}) specified")
    return n


def _integers(values, name):
    if not isinstance(values, tuple | list):  # for which index() would raise
        try:
            return [operator.index(values)]
        except TypeError:
            pass
    try:
        return [operator.index(v) for v in values]
    except TypeError:
        raise ValueError(
            f"{name} must be a scalar or iterable of integers, not {values!r}"
        ) from None


def axes_and_lengths(x, s, axes):
    """The axes to transform, in [0, ndim), and the length of each."""
    if s is not None:
        s = _integers(s, "shape")
    if axes is not None:
        axes = _integers(axes, "axes")
        if axes and not -x.ndim <= min(axes) <= max(axes) < x.ndim:
            raise ValueError(
                f"axes exceeds dimensionality of input: {tuple(axes)} of {x.ndim} axes"
            )
        axes = [axis % x.ndim for axis in axes]
        if len(set(axes)) != len(axes):
            raise ValueError(f"all axes must be unique, not {tuple(axes)}")
    elif s is None:
        axes = list(range(x.ndim))
    elif len(s) > x.ndim:
        raise ValueError(
            f"shape requires more axes than are present: {len(s)}, the input has "
            f"{x.ndim}"
        )
    else:
        axes = list(range(x.ndim - len(s), x.ndim))
    if s is None:
        lengths = [x.shape[axis] for axis in axes]
    elif len(s) != len(axes):
        raise ValueError(
            "when given, axes and shape arguments have to be of the same length, not "
            f"{len(axes)} and {len(s)}"
        )
    else:
        lengths = [
            x.shape[axis] if n == -1 else n for n, axis in zip(s, axes, strict=True)
        ]
    if lengths and min(lengths) < 1:
        raise ValueError(f"invalid number of data points ({lengths}) specified")
    return axes, lengths
