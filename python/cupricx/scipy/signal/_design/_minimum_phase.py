"""Filters of minimum phase."""

import math
import warnings

import numpy as np

from cupricx.scipy.signal._design._on_host import on_host

__all__ = ["minimum_phase"]


@on_host
def minimum_phase(h, method="homomorphic", n_fft=None, half=True):
    """Filter of minimum phase of one of linear phase.

    Parameters
    ----------
    h : array_like, shape (n,)
        Taps of the filter.
    method : {'homomorphic', 'hilbert'}, optional
        By the logarithm of the magnitude; or, of filters whose gains are 1 and 0 within
        equal ripples, with a magnitude that is moved and scaled so that it touches 0.
    n_fft : int, optional
        Length of the transforms, at least n. That by default lets the error of a zero
        on the unit circle be some percent.
    half : bool, optional
        The magnitude is the square root of the one, of half the length; else it is
        that one, of the same length, where `method` is 'homomorphic'.

    Returns
    -------
    h_minimum : cupric.ndarray, shape ((n + 1) // 2,) or (n,)

    Raises
    ------
    ValueError
        `h` is complex, has another number of axes, or fewer than 3 elements; `n_fft` is
        too small; `method` is none of those, or 'hilbert' where `half` is False.

    Warns
    -----
    RuntimeWarning
        `h` is not symmetric.

    References
    ----------
    - N. Damera-Venkata and B. L. Evans, "Optimal design of real and complex minimum
      phase digital FIR filters", ICASSP 1999, 1145-1148.
    - A. V. Oppenheim and R. W. Schafer, "Discrete-Time Signal Processing",
      Prentice-Hall, chapter 13.

    Examples
    --------
    >>> from cupricx.scipy.signal import minimum_phase
    >>> minimum_phase([1.0, 4.25, 1.0]).round(4)
    array([2. , 0.5])
    """
    h = np.asarray(h)
    if np.iscomplexobj(h):
        raise ValueError(f"Complex filters are not supported: h is of {h.dtype}")
    if h.ndim != 1 or h.size <= 2:
        raise ValueError(
            f"h must have one axis, and at least 3 elements; its shape is {h.shape}"
        )
    if method not in ("homomorphic", "hilbert"):
        raise ValueError(f"method must be 'homomorphic' or 'hilbert', not {method!r}")
    if method == "hilbert" and not half:
        raise ValueError("half=False is only supported where method is 'homomorphic'")
    if n_fft is None:
        n_fft = 2 ** math.ceil(math.log2(2 * (h.size - 1) / 0.01))
    n_fft = int(n_fft)
    if n_fft < h.size:
        raise ValueError(
            f"n_fft must be at least the length of h, {h.size}, not {n_fft}"
        )
    if not np.allclose(h[::-1], h):
        warnings.warn(
            "h does not appear to be symmetric, conversion may fail",
            RuntimeWarning,
            stacklevel=3,
        )
    dtype = np.result_type(h.dtype, np.float32)
    taps = h.astype(np.float64)
    if method == "hilbert":
        magnitude, outermost = _touching_zero(taps, n_fft), 1
    else:
        magnitude = np.abs(np.fft.rfft(taps, n_fft))
        if not magnitude.any():
            raise ValueError("h is zero, of which there is no phase")
        magnitude += 1e-7 * magnitude[magnitude > 0].min()
        outermost = n_fft % 2
        if half:
            magnitude = np.sqrt(magnitude)
    length = (h.size + 1) // 2 if half else h.size
    return _of_magnitude(magnitude, n_fft, outermost)[:length].astype(dtype)


def _touching_zero(taps, n_fft):
    """The square root of the real response of a symmetric filter, moved up so that its
    least value is 0, and scaled so that ripples around 1 stay around it."""
    delay = taps.size // 2
    angle = 2 * np.pi / n_fft * np.arange(n_fft // 2 + 1)
    response = np.real(np.fft.rfft(taps, n_fft) * np.exp(1j * delay * angle))
    above, below = response.max() - 1, -response.min()
    roots = math.sqrt(1 + above + below), np.sqrt(1 - above + below)
    scale = 4 / (roots[0] + roots[1]) ** 2
    return (
        np.sqrt(scale * (response + below)) + 1e-10
    )  # so that the logarithm is finite


def _of_magnitude(magnitude, n_fft, outermost):
    """The impulse response of minimum phase: that of which the cepstrum is causal.

    magnitude : of the frequencies from 0 to half of the sampling frequency
    outermost : factor of the coefficient in the middle of the transform, where those of
        both signs meet. It is of the size of what aliases.
    """
    cepstrum = np.fft.irfft(np.log(magnitude), n_fft)
    middle = n_fft // 2
    cepstrum[1:middle] *= 2
    cepstrum[middle] *= outermost
    cepstrum[middle + 1 :] = 0
    return np.fft.irfft(np.exp(np.fft.rfft(cepstrum)), n_fft)
