"""Cepstra: transforms of the logarithms of spectra."""

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import (
    complex_fft,
    fft_of_real,
    fft_to_real,
    unwrap,
    where_it_lives,
)
from cupric._lib.kernels import Library, replayed

__all__ = [
    "complex_cepstrum",
    "inverse_complex_cepstrum",
    "minimum_phase",
    "real_cepstrum",
]

_library = Library(__file__)


def _example(xp):
    from cupricx import signal

    made = []
    for dtype in "fd":
        x = xp.asarray((2 + np.cos(np.arange(60.0) ** 2)).reshape(2, 30).astype(dtype))
        ceps, delays = signal.complex_cepstrum(x)
        made += [ceps, delays, signal.inverse_complex_cepstrum(ceps, delays)]
        made += [signal.real_cepstrum(x), signal.minimum_phase(x)]
    return made


_log_magnitudes, _log_spectra, _delayed_spectra, _folded = (
    _library.kernel(f"{name}<T>", elements="total", ships="f d", example=_example)
    for name in ("log_magnitudes", "log_spectra", "delayed_spectra", "folded")
)


def _rows(x, n, axis, name="x"):
    """The array in the dtype of its transform, an axis last; and the length of that."""
    x = arguments.array(x, name)
    axis = arguments.axis(axis, x.ndim)
    n = x.shape[axis] if n is None else arguments.integer(n)
    if n < 1:
        raise ValueError(
            f"Invalid number of FFT data points ({n}) specified, of shape {x.shape}"
        )
    x = x.astype(arguments.float_dtype(x.dtype), copy=False)
    return _core.ascontiguousarray(x.swapaxes(axis, -1)), n, axis


def _transform(x, n, inverse=False):
    return complex_fft(x, [n], (x.ndim - 1,), None, inverse, "C")


def _real_transform(x, n):
    return fft_of_real(x, [n], (x.ndim - 1,), None, "C")


def _real_inverse(z, n):
    return fft_to_real(z, [n], (z.ndim - 1,), None, "C")


@replayed
def _log_of(z):
    y = _core.empty(z.shape, z.dtype)
    _log_magnitudes[(z.real.dtype,)](z=z, y=y, total=z.size)
    return y


def _real_cepstrum(x, n):
    """Of rows."""
    if x.dtype.kind == "c":
        return _transform(_log_of(_transform(x, n)), n, True).real
    return _real_inverse(_log_of(_real_transform(x, n)), n)


@where_it_lives
def real_cepstrum(x, n=None, axis=-1):
    """Real cepstrum: the inverse transform of the logarithm of a spectrum's magnitude.

    Parameters
    ----------
    x : cupric.ndarray
    n : int, optional
        The length of the transform: `x` is cut or padded with zeros.
    axis : int, optional

    Returns
    -------
    cupric.ndarray
        float32 for 16 and 32 bits, else float64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import signal
    >>> signal.real_cepstrum(cp.array([4.0, 0, 0, 0])).round(4)
    array([1.3863, 0.    , 0.    , 0.    ])
    """
    x, n, axis = _rows(x, n, axis)
    return _core.ascontiguousarray(_real_cepstrum(x, n).swapaxes(axis, -1))


@replayed
def _logarithm(z, phases, n):
    y = _core.empty(z.shape, z.dtype)
    delays = _core.empty(z.shape[:-1], phases.dtype)
    _log_spectra[(phases.dtype,)](
        z=z, phases=phases, y=y, delays=delays, n=n, total=z.size
    )
    return y, delays


@where_it_lives
def complex_cepstrum(x, n=None, axis=-1):
    """Complex cepstrum: the inverse transform of the logarithm of a spectrum.

    The phase is unwrapped, and made zero in the middle of the spectrum by a delay.

    Parameters
    ----------
    x : cupric.ndarray
        A real sequence, or several.
    n : int, optional
        The length of the transform: `x` is cut or padded with zeros.
    axis : int, optional

    Returns
    -------
    ceps : cupric.ndarray
        Real; float32 for 16 and 32 bits, else float64.
    ndelay : cupric.ndarray
        The delay, a whole number for each sequence: of the shape of `x` without `axis`.

    See Also
    --------
    inverse_complex_cepstrum

    Examples
    --------
    >>> from cupricx import signal
    >>> ceps, ndelay = signal.complex_cepstrum(cp.array([4.0, 2, 1, 0]))
    >>> abs(ndelay)
    array(0.)
    >>> signal.inverse_complex_cepstrum(ceps, ndelay).round(6)
    array([ 4.,  2.,  1., -0.])
    """
    x, n, axis = _rows(x, n, axis)
    z = _transform(x, n)
    phases = _core.ascontiguousarray(unwrap(_core.arctan2(z.imag, z.real)))
    y, delays = _logarithm(z, phases, n)
    ceps = _transform(y, n, True).real
    if axis != x.ndim - 1:  # the last axis of what was swapped stands where it was
        delays = _unswapped(delays, axis)
    return _core.ascontiguousarray(ceps.swapaxes(axis, -1)), delays


def _unswapped(delays, axis):
    """Of rows the axes in their order, after the swap of an axis and the last one."""
    order = list(range(delays.ndim))
    order.append(order.pop(axis))
    return _core.ascontiguousarray(delays.transpose(order))


@replayed
def _exponential(z, delays, n):
    y = _core.empty(z.shape, z.dtype)
    _delayed_spectra[(delays.dtype,)](z=z, delays=delays, y=y, n=n, total=z.size)
    return y


@where_it_lives
def inverse_complex_cepstrum(ceps, ndelay):
    """The sequence that a complex cepstrum is of.

    Parameters
    ----------
    ceps : cupric.ndarray
        Real; the last axis is transformed.
    ndelay : int or cupric.ndarray
        What `complex_cepstrum` returns: a number for each sequence, or for all.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> from cupricx import signal
    >>> ceps, ndelay = signal.complex_cepstrum(cp.array([1.0, 2, 4, 0]))
    >>> signal.inverse_complex_cepstrum(ceps, ndelay).round(6)
    array([ 1.,  2.,  4., -0.])
    """
    ceps, n, _ = _rows(ceps, None, -1, "ceps")
    z = _transform(ceps, n)
    delays = arguments.small(ndelay, ceps).astype(z.real.dtype)
    if delays.ndim == ceps.ndim and delays.shape == ceps.shape:
        delays = delays[..., 0]  # the same number for each element
    if delays.size == 1:
        delays = delays.reshape(())
    elif delays.shape != ceps.shape[:-1]:
        raise ValueError(
            f"ndelay has a number for each sequence of ceps: shape {ceps.shape[:-1]}, "
            f"not {delays.shape}"
        )
    delays = _core.ascontiguousarray(_core.broadcast_to(delays, ceps.shape[:-1]))
    return _core.ascontiguousarray(_transform(_exponential(z, delays, n), n, True).real)


@replayed
def _fold(x, n):
    y = _core.empty(x.shape, x.dtype)
    _folded[(x.dtype,)](x=x, y=y, n=n, total=x.size)
    return y


@where_it_lives
def minimum_phase(x, n=None):
    """The sequence of minimum phase with the same magnitude of the spectrum.

    Parameters
    ----------
    x : cupric.ndarray
        A real sequence, or several along the last axis.
    n : int, optional
        The length of the transform: `x` is cut or padded with zeros.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> from cupricx import signal
    >>> signal.minimum_phase(cp.array([1.0, 4, 0, 0])).round(2)
    array([ 3.99,  1.02,  0.01, -0.02])
    """
    x, n, _ = _rows(x, n, -1)
    ceps = _core.ascontiguousarray(_real_cepstrum(x, n))
    return _real_inverse(_core.exp(_real_transform(_fold(ceps, n), n)), n)
