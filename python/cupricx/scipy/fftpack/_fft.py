"""Transforms of scipy.fftpack, over those of `cupricx.scipy.fft`."""

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import moveaxis
from cupricx.scipy import fft as _fft
from cupricx.scipy.fft import _shapes

__all__ = [
    "fft",
    "fft2",
    "fftn",
    "ifft",
    "ifft2",
    "ifftn",
    "irfft",
    "rfft",
]


def fft(x, n=None, axis=-1, overwrite_x=False, plan=None):
    """Discrete Fourier transform along one axis.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fftpack
    >>> fftpack.fft(cp.array([1.0, 2, 3, 4]))
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    return _fft.fft(x, n, axis, overwrite_x=overwrite_x, plan=plan)


def fft2(x, shape=None, axes=(-2, -1), overwrite_x=False, plan=None):
    """Discrete Fourier transform over two axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    shape : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : int or sequence of ints, optional
        By default the last two.
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fftpack
    >>> fftpack.fft2(cp.ones((2, 2)))
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _fft.fft2(x, shape, axes, overwrite_x=overwrite_x, plan=plan)


def fftn(x, shape=None, axes=None, overwrite_x=False, plan=None):
    """Discrete Fourier transform over several axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    shape : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : int or sequence of ints, optional
        All by default, or the last ``len(shape)``.
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fftpack
    >>> fftpack.fftn(cp.ones((2, 1, 2))).shape
    (2, 1, 2)
    """
    return _fft.fftn(x, shape, axes, overwrite_x=overwrite_x, plan=plan)


def ifft(x, n=None, axis=-1, overwrite_x=False, plan=None):
    """Inverse discrete Fourier transform along one axis.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fftpack
    >>> fftpack.ifft(cp.array([4.0, 0, 0, 0]))
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _fft.ifft(x, n, axis, overwrite_x=overwrite_x, plan=plan)


def ifft2(x, shape=None, axes=(-2, -1), overwrite_x=False, plan=None):
    """Inverse discrete Fourier transform over two axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    shape : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : int or sequence of ints, optional
        By default the last two.
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fftpack
    >>> fftpack.ifft2(cp.ones((2, 2)))
    array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _fft.ifft2(x, shape, axes, overwrite_x=overwrite_x, plan=plan)


def ifftn(x, shape=None, axes=None, overwrite_x=False, plan=None):
    """Inverse discrete Fourier transform over several axes.

    Parameters
    ----------
    x : cupric.ndarray
        Real or complex.
    shape : int or sequence of ints, optional
        Lengths along `axes`: the input is cut or padded with zeros.
    axes : int or sequence of ints, optional
        All by default, or the last ``len(shape)``.
    overwrite_x : bool, optional
        Transform in place where that can be: `x` is of complex64 or complex128, can be
        written to, and keeps its shape. It is returned then.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New or `x`, complex; complex64 where `x` is of float16, float32 or complex64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fftpack
    >>> fftpack.ifftn(cp.ones((2, 2)), axes=0)
    array([[1.+0.j, 1.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return _fft.ifftn(x, shape, axes, overwrite_x=overwrite_x, plan=plan)


def rfft(x, n=None, axis=-1, overwrite_x=False, plan=None):
    """Discrete Fourier transform of real numbers, as real numbers.

    Parameters
    ----------
    x : cupric.ndarray
        Real.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.
    plan : cupric.cuda.cufft.Plan1d or PlanNd, optional
        What `get_fft_plan` made; ValueError where the transform is another.

    Returns
    -------
    cupric.ndarray
        New, real, of n: the constant term, then the real and the imaginary part of
        each, and of even n the real last one; float32 where `x` is float16 or float32.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fftpack
    >>> fftpack.rfft(cp.array([1.0, 2, 3, 4]))
    array([10., -2.,  2., -2.])
    """
    spectrum = _fft.rfft(x, n, axis, plan=plan)
    n = x.shape[axis] if n is None else n
    shape = list(x.shape)
    shape[axis] = n
    with x.device:
        result = _core.empty(shape, spectrum.real.dtype)
    parts, made = (moveaxis(y, axis, -1) for y in (spectrum, result))
    made[..., :1] = parts[..., :1].real
    made[..., 1::2] = parts[..., 1:].real
    made[..., 2::2] = parts[..., 1 : (n + 1) // 2].imag
    return result


def irfft(x, n=None, axis=-1, overwrite_x=False):
    """Inverse of `rfft`.

    Parameters
    ----------
    x : cupric.ndarray
        Real, in the form of `rfft`.
    n : int, optional
        Length along `axis`: the input is cut or padded with zeros.
    axis : int, optional
    overwrite_x : bool, optional
        Has no effect: `x` is never changed.

    Returns
    -------
    cupric.ndarray
        New, real; float32 where `x` is of float16 or float32.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy import fftpack
    >>> fftpack.irfft(cp.array([10.0, -2, 2, -2]))
    array([1., 2., 3., 4.])
    """
    x = _shapes.floating(x)
    if x.dtype.kind == "c":
        raise TypeError(f"x must be a real sequence, not of {x.dtype}: see fft.irfft")
    axis = arguments.axis(axis, x.ndim)
    n = _shapes.length(x.shape[axis] if n is None else n)
    parts = moveaxis(x, axis, -1)[..., :n]
    m = parts.shape[-1]
    shape = list(x.shape)
    shape[axis] = n // 2 + 1
    with x.device:
        spectrum = _core.zeros(shape, arguments.complex_dtype(x.dtype))
    terms = moveaxis(spectrum, axis, -1)
    terms.real[..., :1] = parts[..., :1]
    terms.real[..., 1 : m // 2 + 1] = parts[..., 1::2]
    terms.imag[..., 1 : (m + 1) // 2] = parts[..., 2::2]
    return _fft.irfft(spectrum, n, axis)
