"""Spectra of another number of samples, and bands of spectra."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import complex_fft, fft_of_real, fft_to_real
from cupric._lib.kernels import Library

__all__ = ["analytic", "analytic_of_planes", "resampled", "spectrum", "transform_dtype"]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import signal

    made = []
    x = xp.cos(xp.arange(240.0) ** 2).reshape(4, 60)
    for dtype in "fd":
        y = x.astype(dtype)
        made += [
            signal.resample(y, 30, axis=1),
            signal.resample(y + 1j * y, 80, axis=1),
        ]
        made += [signal.hilbert(y), signal.hilbert2(y), signal.envelope(y + 1j * y)]
    return made


_KERNELS = {
    name: _library.kernel(
        f"{name}<C>", elements="pieces", ships="F D", example=_example
    )
    for name in ("resampled_real", "resampled_complex", "analytic_band", "complex_band")
}
_planes = _library.kernel(
    "analytic_planes<C>", elements="pieces", ships="F D", example=_example
)


def transform_dtype(dtype):
    """The dtype that a signal is transformed in: single precision for floats of that
    or less, and double for all else."""
    if dtype.kind in "biu":
        return np.dtype(np.float64)
    return arguments.float_dtype(dtype)


def spectrum(x):
    """The spectrum along the last axis: of real samples the half of it."""
    if x.dtype.kind == "c":
        return complex_fft(x, None, (-1,), None, False, "C")
    return fft_of_real(x, None, (-1,), None, "C")


def _apply(name, x, bins, n, samples, low, high):
    """The kernel's result, of `bins` in a row, scaled by ``1 / n``."""
    shape = (*x.shape[:-1], bins)
    y = _core.empty(shape, x.dtype, device=x.device)
    s = _library.struct.band_sizes(
        n=n, samples=samples, low=low, high=high, scale=1 / n
    )
    if y.size:
        _KERNELS[name][x.dtype](x=x, y=y, s=s, pieces=math.prod(shape))
    return y


def resampled(x, n, samples, is_real, band=(0, 0)):
    """Samples of a spectrum, in another number.

    Parameters
    ----------
    x : cupric.ndarray, shape (..., n) or (..., n // 2 + 1), contiguous
        As `spectrum` gives it for `n` samples.
    n, samples : int
        How many samples the spectrum was of, and how many are wanted.
    is_real : bool
        Whether it has real samples.
    band : tuple of int, optional
        Frequencies that are left out, the first and the one behind the last.

    Returns
    -------
    cupric.ndarray, shape (..., samples)
    """
    if is_real:
        y = _apply("resampled_real", x, samples // 2 + 1, n, samples, *band)
        return fft_to_real(y, (samples,), (-1,), "forward", "C")
    y = _apply("resampled_complex", x, samples, n, samples, *band)
    return complex_fft(y, None, (-1,), "forward", True, "C", True)


def analytic(x, n, samples, is_real, band):
    """The analytic signal in a band, from a spectrum; shifted to begin at frequency 0.

    Of complex samples it is the band itself.
    """
    name = "analytic_band" if is_real else "complex_band"
    y = _apply(name, x, samples, n, samples, *band)
    return complex_fft(y, None, (-1,), "forward", True, "C", True)


def analytic_of_planes(x):
    """The analytic signal over the last two axes, of the spectrum of real planes."""
    n0, n1 = x.shape[-2:]
    y = _core.empty(x.shape, x.dtype, device=x.device)
    if y.size:
        _planes[x.dtype](x=x, y=y, n0=n0, n1=n1, scale=1 / (n0 * n1), pieces=x.size)
    return complex_fft(y, None, (-2, -1), "forward", True, "C", True)
