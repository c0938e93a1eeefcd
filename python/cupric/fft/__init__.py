"""Discrete Fourier transforms, with NumPy's conventions.

float32 and complex64 input gives complex64 results; float16 is computed as float32, and
given back as float16 where the result is real; everything else as float64.
"""

import contextlib
import functools
import math
import operator
import warnings

import numpy as np
import numpy.fft  # not by the first transform: a fork may come then

from cupric import _core
from cupric._lib._library import Library
from cupric._manipulation._args import parameter_array
from cupric._manipulation._rearrange import roll, roll_axes
from cupric.fft._current_plan import get_current_plan, require_fit

__all__ = [
    "config",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]


_HERE = contextlib.nullcontext()  # the current device
_normalize_axis_index = np.lib.array_utils.normalize_axis_index


def _own_view(a):
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
    padded = _core.zeros(shape, a.dtype, device=a.device)
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


def _transform(a, dtype, shape, kind, inverse, axes, last, scale):
    """The transform, which fits the plan of the block that this thread is in."""
    require_fit(a, dtype, shape, kind, axes, last)
    return _core._fft(a, dtype, shape, kind, inverse, tuple(axes), last, scale)


def _c2c(a, s, axes, norm, inverse):
    given, a = a, _own_view(a)
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
            a = _c2c(a, (n,), (i,), norm, inverse)
        return a
    dtype = _complex(_precision(a.dtype))
    if s is not None:
        a = _fit(a, dict(zip(axes, lengths, strict=True)))
    if a.dtype.kind == "c" or get_current_plan() is not None:
        a = a.astype(dtype, copy=False)
    return _transform(a, dtype, a.shape, _core._C2C, inverse, axes, lengths[-1], scale)


def _r2c(a, s, axes, norm, inverse=False):
    a = _own_view(a)
    if a.dtype.kind == "c":
        raise TypeError(
            f"a real transform needs real input, not {a.dtype}: use fft, or a.real"
        )
    axes, lengths = _axes_and_lengths(a, s, axes)
    if not axes:
        raise IndexError("at least 1 axis must be transformed")
    for n in lengths:
        _require_length(n)
    scale = _scale(norm, inverse, lengths)
    if len(axes) > 1 and len(set(axes)) < len(axes):
        a = _r2c(a, lengths[-1:], axes[-1:], norm)
        for i, n in zip(axes[-2::-1], lengths[-2::-1], strict=True):
            a = _c2c(a, (n,), (i,), norm, False)
        return a
    real = _precision(a.dtype)
    if s is not None:
        a = _fit(a, dict(zip(axes, lengths, strict=True)))
    a = a.astype(real, copy=False)
    shape = list(a.shape)
    shape[axes[-1]] = lengths[-1] // 2 + 1
    return _transform(
        a, _complex(real), shape, _core._R2C, False, axes, lengths[-1], scale
    )


def _c2r(a, s, axes, norm):
    a = _own_view(a)
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
            a = _c2c(a, (n,), (i,), norm, True)
        return _c2r(a, lengths[-1:], axes[-1:], norm)
    half = a.dtype == np.float16 and len(axes) == 1  # as NumPy gives it back
    real = _precision(a.dtype)
    if s is not None:
        given = dict(zip(axes, lengths, strict=True))
        given[axes[-1]] = lengths[-1] // 2 + 1
        a = _fit(a, given)
    a = a.astype(_complex(real), copy=False)
    shape = list(a.shape)
    shape[axes[-1]] = lengths[-1]
    r = _transform(a, real, shape, _core._C2R, True, axes, lengths[-1], scale)
    return r.astype(np.float16) if half else r


def _one(n):
    if n is None:
        return None
    n = operator.index(n)
    _require_length(n)  # -1 stands for the axis's length in `s` alone
    return (n,)


def fft(a, n=None, axis=-1, norm=None):
    """One-dimensional discrete Fourier transform.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
        The axis that is transformed.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, complex

    Examples
    --------
    >>> cp.fft.fft(cp.array([1.0, 0.0, 0.0, 0.0]))
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _c2c(a, _one(n), (axis,), norm, False)


def ifft(a, n=None, axis=-1, norm=None):
    """Inverse of `fft`, with the same parameters.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
        The axis that is transformed.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, complex

    Examples
    --------
    >>> cp.fft.ifft(cp.array([4.0, 0.0, 0.0, 0.0]))
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _c2c(a, _one(n), (axis,), norm, True)


def fft2(a, s=None, axes=(-2, -1), norm=None):
    """Two-dimensional discrete Fourier transform; parameters as for `fftn`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    s : sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : sequence of two ints, optional
        Those that are transformed; the last two when left out.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, complex

    Examples
    --------
    >>> cp.fft.fft2(cp.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _c2c(a, s, axes, norm, False)


def ifft2(a, s=None, axes=(-2, -1), norm=None):
    """Inverse of `fft2`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    s : sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : sequence of two ints, optional
        Those that are transformed; the last two when left out.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, complex

    Examples
    --------
    >>> cp.fft.ifft2(cp.fft.fft2(cp.ones((2, 2)))).real
    array([[1., 1.],
           [1., 1.]])
    """
    return _c2c(a, s, axes, norm, True)


def fftn(a, s=None, axes=None, norm=None):
    """Discrete Fourier transform over several axes.

    Parameters
    ----------
    a : cupric.ndarray
    s : sequence of ints, optional
        Lengths along `axes`.
    axes : sequence of ints, optional
        All by default, or the last ``len(s)``.
    norm : {'backward', 'ortho', 'forward'}, optional

    Returns
    -------
    cupric.ndarray, complex

    Examples
    --------
    >>> cp.fft.fftn(cp.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _c2c(a, s, axes, norm, False)


def ifftn(a, s=None, axes=None, norm=None):
    """Inverse of `fftn`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    s : sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : sequence of ints, optional
        Those that are transformed; all of them when left out, or the last
        ``len(s)``.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, complex

    Examples
    --------
    >>> cp.fft.ifftn(cp.fft.fftn(cp.ones((2, 2)))).real
    array([[1., 1.],
           [1., 1.]])
    """
    return _c2c(a, s, axes, norm, True)


def rfft(a, n=None, axis=-1, norm=None):
    """Discrete Fourier transform of real input: the n // 2 + 1 non-redundant terms.

    Parameters
    ----------
    a : cupric.ndarray, real
    n, axis, norm
        As for `fft`.

    Returns
    -------
    cupric.ndarray, complex

    Examples
    --------
    >>> cp.fft.rfft(cp.array([1.0, 0.0, 0.0, 0.0]))
    array([1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _r2c(a, _one(n), (axis,), norm)


def irfft(a, n=None, axis=-1, norm=None):
    """Inverse of `rfft`; `n` is the length of the result, by default an even one.

    Parameters
    ----------
    a : cupric.ndarray
        The non-redundant terms of the spectrum.
    n : int, optional
        Length of the result along `axis`; an even one when left out.
    axis : int, optional
        The axis that is transformed.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, real

    Examples
    --------
    >>> cp.fft.irfft(cp.array([4.0, 0.0, 0.0]))
    array([1., 1., 1., 1.])
    """
    return _c2r(a, _one(n), (axis,), norm)


def rfft2(a, s=None, axes=(-2, -1), norm=None):
    """Two-dimensional transform of real input, as `rfftn`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    s : sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : sequence of two ints, optional
        Those that are transformed; the last two when left out.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, complex

    Examples
    --------
    >>> cp.fft.rfft2(cp.ones((4, 4))).shape
    (4, 3)
    """
    return _r2c(a, s, axes, norm)


def irfft2(a, s=None, axes=(-2, -1), norm=None):
    """Inverse of `rfft2`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    s : sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : sequence of two ints, optional
        Those that are transformed; the last two when left out.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, real

    Examples
    --------
    >>> cp.fft.irfft2(cp.fft.rfft2(cp.ones((2, 2))))
    array([[1., 1.],
           [1., 1.]])
    """
    return _c2r(a, s, axes, norm)


def rfftn(a, s=None, axes=None, norm=None):
    """Discrete Fourier transform of real input over several axes, the last halved.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    s : sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : sequence of ints, optional
        Those that are transformed; all of them when left out, or the last
        ``len(s)``.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, complex

    Examples
    --------
    >>> cp.fft.rfftn(cp.ones((2, 4, 4))).shape
    (2, 4, 3)
    """
    return _r2c(a, s, axes, norm)


def irfftn(a, s=None, axes=None, norm=None):
    """Inverse of `rfftn`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    s : sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : sequence of ints, optional
        Those that are transformed; all of them when left out, or the last
        ``len(s)``.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, real

    Examples
    --------
    >>> cp.fft.irfftn(cp.fft.rfftn(cp.ones((2, 2))))
    array([[1., 1.],
           [1., 1.]])
    """
    return _c2r(a, s, axes, norm)


def _swapped(norm):
    return {None: "forward", "backward": "forward", "forward": "backward"}.get(
        norm, norm
    )


def hfft(a, n=None, axis=-1, norm=None):
    """Transform of a signal with Hermitian symmetry: its spectrum is real.

    Parameters
    ----------
    a : cupric.ndarray
        The non-redundant terms of the spectrum.
    n : int, optional
        Length of the result along `axis`; an even one when left out.
    axis : int, optional
        The axis that is transformed.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, real

    Examples
    --------
    >>> cp.fft.hfft(cp.array([1.0, 0.0, 0.0]))
    array([1., 1., 1., 1.])
    """
    a = _own_view(a)
    return irfft(a.conj(), n, axis, _swapped(norm))


def ihfft(a, n=None, axis=-1, norm=None):
    """Inverse of `hfft`.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
        The axis that is transformed.
    norm : {'backward', 'ortho', 'forward'}, optional
        Where the factor 1/n goes: to the inverse transform, evenly to both, or to
        the other.

    Returns
    -------
    cupric.ndarray, complex

    Examples
    --------
    >>> cp.fft.ihfft(cp.array([4.0, 0.0, 0.0, 0.0])).real
    array([1., 1., 1.])
    """
    spectrum = rfft(a, n, axis, _swapped(norm))
    return _core.conjugate(spectrum, out=spectrum)


_library = Library(__file__, "_frequencies.cuh")


def _example(xp):
    return [xp.fft.fftfreq(7, 0.3), xp.fft.fftfreq(8), xp.fft.rfftfreq(9, 0.1, "f")]


_fill = _library.kernel("frequencies", ships="_", example=_example)


def _frequencies(n, is_real, d, dtype, device):
    if not isinstance(n, int | np.integer):
        raise ValueError(f"the length must be an integer, not {n!r}")
    step = float(1.0 / (n * d))
    if dtype is not None and np.dtype(dtype).kind != "f":
        raise TypeError(f"frequencies are of a floating dtype, not {np.dtype(dtype)}")
    positive = max(n // 2 + 1, 0) if is_real else (n + 1) // 2
    y = _core.empty(positive if is_real else n, device=device)
    with _HERE if device is None else y.device:
        _fill[()].elements(y.size, (y, y.size, positive, step))
        return y if dtype is None else y.astype(dtype, copy=False)


def fftfreq(n, d=1.0, dtype=None, device=None):
    """Frequencies of the terms of an n-point `fft`, in cycles per unit of `d`.

    Parameters
    ----------
    n : int
    d : float, optional
        Spacing of the samples.
    dtype : dtype, optional
        A floating one; float64 when left out.
    device : cupric.cuda.Device or int, optional
        Where; the current device when left out.

    Returns
    -------
    cupric.ndarray, shape (n,)

    Examples
    --------
    >>> cp.fft.fftfreq(4)
    array([ 0.  ,  0.25, -0.5 , -0.25])
    """
    return _frequencies(n, False, d, dtype, device)


def rfftfreq(n, d=1.0, dtype=None, device=None):
    """Frequencies of the terms of an n-point `rfft`; see `fftfreq`.

    Parameters
    ----------
    n : int
        Length of the signal.
    d : float, optional
        Distance between its samples.
    dtype : dtype, optional
        Of the result; float64 when left out.
    device : cupric.cuda.Device or int, optional
        Where; the current device when left out.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.fft.rfftfreq(4)
    array([0.  , 0.25, 0.5 ])
    """
    return _frequencies(n, True, d, dtype, device)


def _half(n):
    return n // 2


def _other_half(n):
    return n - n // 2


def _shift(x, axes, half):
    """`half`: of an axis of n, how far it rolls."""
    x = parameter_array(x)  # CuPy takes the host's, too: a list of frequencies
    if axes is None:
        return roll_axes(x, {i: half(n) for i, n in enumerate(x.shape) if n > 1})
    if np.isscalar(axes):
        return roll(x, half(x.shape[axes]), axes)
    return roll(x, [half(x.shape[i]) for i in axes], axes)


def fftshift(x, axes=None):
    """Shift the zero-frequency term to the centre of the spectrum.

    Parameters
    ----------
    x : cupric.ndarray
        The array; one of the host is copied to the device.
    axes : int or tuple of ints, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.fft.fftshift(cp.fft.fftfreq(4))
    array([-0.5 , -0.25,  0.  ,  0.25])
    """
    return _shift(x, axes, _half)


def ifftshift(x, axes=None):
    """Inverse of `fftshift`.

    Parameters
    ----------
    x : cupric.ndarray
        The array; one of the host is copied to the device.
    axes : int or sequence of ints, optional
        Those that are shifted; all of them when left out.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.fft.ifftshift(cp.array([-2, -1, 0, 1]))
    array([ 0,  1, -2, -1])
    """
    return _shift(x, axes, _other_half)


_MODULES = frozenset(["config"])  # loaded when first asked for


def __getattr__(name):
    if name in _MODULES:
        import importlib

        return importlib.import_module(f"cupric.fft.{name}")
    raise AttributeError(f"module 'cupric.fft' has no attribute {name!r}")


def __dir__():
    """What is public: tools that compare namespaces take all of it for an interface."""
    special = (name for name in globals() if name[:2] == "__")
    return sorted({*__all__, *_MODULES, *special})
