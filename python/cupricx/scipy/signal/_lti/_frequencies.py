"""Responses of systems at frequencies."""

import numpy as np

import cupric as cp
from cupric import _core
from cupric.cuda import Device
from cupricx.scipy.signal._design._responses import freqs, freqs_zpk, freqz, freqz_zpk

__all__ = ["continuous", "discrete", "magnitude_and_phase"]


def magnitude_and_phase(w, h):
    """Frequencies, decibels, and degrees without jumps."""
    return w, 20.0 * cp.log10(abs(h)), cp.rad2deg(cp.unwrap(cp.angle(h)))


def _device_of(system, w):
    if isinstance(w, _core.ndarray):
        return w.device
    return Device() if system._device is None else system._device


def continuous(system, w, n):
    """Of a transfer function, or of zeros, poles and gain."""
    parts = [np.ravel(part) for part in system._parts()]
    with _device_of(system, w):
        worN = n if w is None else w
        if len(parts) == 2:
            return freqs(*parts, worN=worN)
        return freqs_zpk(*parts[:2], system._parts()[2], worN=worN)


def discrete(system, w, n, whole):
    """The same, on the unit circle."""
    parts = [np.ravel(part) for part in system._parts()]
    with _device_of(system, w):
        worN = n if w is None else w
        if len(parts) == 3:
            return freqz_zpk(*parts[:2], system._parts()[2], worN=worN, whole=whole)
        num, den = parts
        # In powers of 1 / z, of which the first is that of the longer polynomial.
        more = den.size - num.size
        num = np.concatenate([np.zeros(max(0, more)), num])
        den = np.concatenate([np.zeros(max(0, -more)), den])
        return freqz(num, den, worN=worN, whole=whole)
