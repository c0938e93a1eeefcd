"""Transforms, of what the functions of `fft` have read of their arguments."""

import functools
import math
import operator
import warnings

import numpy as np

from cupric import _core
from cupric._creation._basic import zeros_like
from cupric.fft._current_plan import get_current_plan, require_fit

__all__ = [
    "complex_to_complex",
    "complex_to_real",
    "one_length",
    "own_view",
    "real_to_complex",
]

_normalize_axis_index = np.lib.array_utils.normalize_axis_index


def own_view(a):
    """A view that keeps its shape, whatever another thread sets `a`'s to meanwhile."""
    if not isinstance(a, _core.ndarray):
        raise _core._unsupported(a)
    return a.view()


def _axes_and_lengths(a, s, axes):
    """The axes to transform and the length of each, as numpy.fft decides them."""
    if s is not None:
        s = tuple(s)
        _warn_of_deprecated(s, axes)
    elif type(axes) is tuple and len(axes) == 1 and type(axes[0]) is int:
        axis = _normalize_axis_index(axes[0], a.ndim)
        return [axis], [a.shape[axis]]  # the common case, and the shortest
    if axes is None:
        axes = range(a.ndim) if s is None else range(-len(s), 0)
    axes = [_normalize_axis_index(int(i), a.ndim) for i in axes]
    if s is None:
        return axes, [a.shape[i] for i in axes]
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    lengths = [
        a.shape[i] if n is None or n == -1 else operator.index(n)
        for n, i in zip(s, axes, strict=True)
    ]
    return axes, lengths


def _warn_of_deprecated(s, axes):
    if axes is None:
        warnings.warn(
            "`axes` should not be `None` if `s` is not `None` (deprecated in NumPy "
            "2.0): name the axes, `axes=range(-len(s), 0)`",
            DeprecationWarning,
            stacklevel=5,
        )
    if None in s:
        warnings.warn(
            "None in `s` is deprecated in NumPy 2.0: -1 is the length of an axis",
            DeprecationWarning,
            stacklevel=5,
        )


def _require_length(n):
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")


def _fit(a, lengths):
    """Cut or pad with zeros to lengths given by axis."""
    if all(a.shape[axis] == n for axis, n in lengths.items()):
        return a
    shape = list(a.shape)
    for axis, n in lengths.items():
        shape[axis] = n
    both = tuple(slice(0, min(m, n)) for m, n in zip(a.shape, shape, strict=True))
    if all(n <= m for m, n in zip(a.shape, shape, strict=True)):
        return a[both]
    padded = zeros_like(a, shape=shape)
    padded[both] = a[both]
    return padded


def _scale(norm, inverse, lengths):
    if norm is None and not inverse:
        return 1.0
    total = math.prod(lengths)
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(
            f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".'
        )
    if norm == "ortho":
        return 1 / math.sqrt(total)
    if (norm == "forward") != inverse:
        return 1 / total
    return 1.0


@functools.cache
def _precision(dtype):
    """The real dtype that a transform of `dtype` is computed in."""
    single = dtype in (np.float16, np.float32, np.complex64) or dtype.name == "bfloat16"
    return np.dtype(np.float32 if single else np.float64)


@functools.cache
def _complex(real):
    return np.dtype(np.complex64 if real == np.float32 else np.complex128)


def _transform(
    a, dtype, shape, kind, inverse, axes, last, scale, order="K", in_place=False
):
    """The transform, which fits the plan of the block that this thread is in."""
    require_fit(a, dtype, shape, kind, axes, last)
    return _core._fft(
        *(a, dtype, shape, kind, inverse, tuple(axes), last, scale, order, in_place)
    )


def complex_to_complex(a, s, axes, norm, inverse, order="K", overwrite=False):
    """In `order`, 'K' or 'C'; or in place, where `a` may be overwritten and can be."""
    given, a = a, own_view(a)
    axes, lengths = _axes_and_lengths(a, s, axes)
    for n in lengths:
        _require_length(n)
    scale = _scale(norm, inverse, lengths)
    if not axes:
        return given
    if len(axes) > 1 and len(set(axes)) < len(
        axes
    ):  # an axis named twice is transformed twice
        for i, n in zip(axes[::-1], lengths[::-1], strict=True):
            a = complex_to_complex(a, (n,), (i,), norm, inverse)
        return a
    dtype = _complex(_precision(a.dtype))
    overwrite = overwrite and a.dtype == dtype and a.flags.writeable
    if s is not None:
        whole = a
        a = _fit(a, dict(zip(axes, lengths, strict=True)))
        overwrite = overwrite and a is whole
    if a.dtype.kind == "c" or get_current_plan() is not None:
        a = a.astype(dtype, copy=False)
    made = _transform(
        *(a, dtype, a.shape, _core._C2C, inverse, axes, lengths[-1], scale),
        *(order, overwrite),
    )
    return given if overwrite else made


def real_to_complex(a, s, axes, norm, order="K"):
    a = own_view(a)
    if a.dtype.kind == "c":
        raise TypeError(
            f"a real transform needs real input, not {a.dtype}: use fft, or a.real"
        )
    axes, lengths = _axes_and_lengths(a, s, axes)
    if not axes:
        raise IndexError("at least 1 axis must be transformed")
    for n in lengths:
        _require_length(n)
    scale = _scale(norm, False, lengths)
    if len(axes) > 1 and len(set(axes)) < len(axes):
        a = real_to_complex(a, lengths[-1:], axes[-1:], norm)
        for i, n in zip(axes[-2::-1], lengths[-2::-1], strict=True):
            a = complex_to_complex(a, (n,), (i,), norm, False)
        return a
    real = _precision(a.dtype)
    if s is not None:
        a = _fit(a, dict(zip(axes, lengths, strict=True)))
    a = a.astype(real, copy=False)
    shape = list(a.shape)
    shape[axes[-1]] = lengths[-1] // 2 + 1
    return _transform(
        a, _complex(real), shape, _core._R2C, False, axes, lengths[-1], scale, order
    )


def complex_to_real(a, s, axes, norm, order="K"):
    a = own_view(a)
    axes, lengths = _axes_and_lengths(a, s, axes)
    if not axes:
        raise IndexError("at least 1 axis must be transformed")
    if s is None or s[-1] is None:
        lengths[-1] = 2 * (a.shape[axes[-1]] - 1)
    for n in lengths:
        _require_length(n)
    scale = _scale(norm, True, lengths)
    if len(axes) > 1 and len(set(axes)) < len(axes):
        for i, n in zip(axes[:-1], lengths[:-1], strict=True):
            a = complex_to_complex(a, (n,), (i,), norm, True)
        return complex_to_real(a, lengths[-1:], axes[-1:], norm)
    half = a.dtype == np.float16 and len(axes) == 1  # as NumPy gives it back
    real = _precision(a.dtype)
    if s is not None:
        given = dict(zip(axes, lengths, strict=True))
        given[axes[-1]] = lengths[-1] // 2 + 1
        a = _fit(a, given)
    a = a.astype(_complex(real), copy=False)
    shape = list(a.shape)
    shape[axes[-1]] = lengths[-1]
    r = _transform(a, real, shape, _core._C2R, True, axes, lengths[-1], scale, order)
    return r.astype(np.float16) if half else r


def one_length(n):
    if n is None:
        return None
    n = operator.index(n)
    _require_length(n)  # -1 stands for the axis's length in `s` alone
    return (n,)
