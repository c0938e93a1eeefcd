"""Discrete Fourier transforms, with NumPy's conventions.

float32 and complex64 input gives complex64 results; float16 is computed as float32, and
given back as float16 where the result is real; everything else as float64.
"""

import numpy as np
import numpy.fft  # not by the first transform: a fork may come then

from cupric import _core
from cupric._manipulation._args import parameter_array
from cupric._manipulation._rearrange import roll, roll_axes
from cupric.fft._frequencies import frequencies
from cupric.fft._transforms import (
    complex_to_complex,
    complex_to_real,
    one_length,
    own_view,
    real_to_complex,
)

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
    return complex_to_complex(a, one_length(n), (axis,), norm, False)


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
    return complex_to_complex(a, one_length(n), (axis,), norm, True)


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
    return complex_to_complex(a, s, axes, norm, False)


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
    return complex_to_complex(a, s, axes, norm, True)


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
    return complex_to_complex(a, s, axes, norm, False)


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
    return complex_to_complex(a, s, axes, norm, True)


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
    return real_to_complex(a, one_length(n), (axis,), norm)


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
    return complex_to_real(a, one_length(n), (axis,), norm)


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
    return real_to_complex(a, s, axes, norm)


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
    return complex_to_real(a, s, axes, norm)


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
    return real_to_complex(a, s, axes, norm)


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
    return complex_to_real(a, s, axes, norm)


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
    a = own_view(a)
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
    return frequencies(n, False, d, dtype, device)


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
    return frequencies(n, True, d, dtype, device)


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
