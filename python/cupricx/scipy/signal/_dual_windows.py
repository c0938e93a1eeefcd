"""Dual windows of short-time Fourier transforms: NumPy's arrays, a few numbers each."""

import numbers

import numpy as np

from cupric import _core

__all__ = ["canonical", "closest", "equal", "hop_within", "on_host"]


def on_host(window, name="win"):
    """The values of a window, of an array of a device or of the host."""
    if isinstance(window, _core.ndarray):
        return window.get()
    values = np.asarray(window)
    if values.dtype.kind not in "biufc":
        raise TypeError(f"{name} must be of numbers, not of {values.dtype}")
    return values


def hop_within(hop, size, name):
    """ValueError where a step is no integer from 1 to the window's length."""
    if not (isinstance(hop, numbers.Integral) and 1 <= hop <= size):
        raise ValueError(
            f"Parameter hop={hop!r} is not an integer between 1 and len({name})={size}!"
        )


def _summed(values, hop):
    """The sums of values that are a multiple of `hop` apart, for each value."""
    size = len(values)
    steps = -(-size // hop)
    padded = np.zeros(steps * hop, values.dtype)
    padded[:size] = values
    return np.tile(padded.reshape(steps, hop).sum(axis=0), steps)[:size]


def canonical(window, hop):
    """The dual window of least energy.

    Raises
    ------
    ValueError
        `hop` is longer than the window, or windows leave a gap.
    """
    if hop > len(window):
        raise ValueError(
            f"hop={hop} is larger than window length of {len(window)} => STFT not "
            "invertible!"
        )
    if window.dtype.kind not in "fc":
        raise ValueError(
            f"Parameter 'win' cannot be of integer type, but win.dtype={window.dtype} "
            "=> STFT not invertible!"
        )
    sums = _summed(window.real**2 + window.imag**2, hop)
    if not (sums >= np.finfo(window.dtype).resolution * sums.max()).all():
        raise ValueError(
            f"Short-time Fourier Transform not invertible: windows, hop={hop} apart, "
            "leave a gap!"
        )
    return window / sums


def closest(window, hop, desired, scaled):
    """The dual window that is closest to a desired one, and the factor of that.

    The duals are an affine space: the projection onto it.
    """
    dual = canonical(window, hop)
    along = dual * _summed(window.conj() * desired, hop)
    if not scaled:
        return dual + desired - along, 1.0
    numerator = np.vdot(along, dual)
    denominator = np.vdot(along, along).real
    if not (abs(numerator) > 0 and denominator > np.finfo(dual.dtype).resolution):
        raise ValueError(
            "Unable to calculate scaled closest dual window due to numerically "
            "unstable scaling factor! Try setting parameter `scaled` to False."
        )
    alpha = numerator / denominator
    return dual + alpha * (desired - along), alpha


def equal(desired, hop):
    """The window that is its own dual, closest to a desired one."""
    sums = _summed(desired.real**2 + desired.imag**2, hop)
    norms = np.sqrt(sums)
    if not (norms > np.finfo(desired.dtype).resolution * abs(desired).max()).all():
        raise ValueError(
            f"Parameter desired_win does not have valid STFT dual window for hop={hop}!"
        )
    return (desired / norms).astype(desired.dtype)
