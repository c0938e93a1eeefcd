"""Responses of systems at frequencies."""

import numpy as np

import cupric as cp
from cupric import _core
from cupric.cuda import Device
from cupricx.scipy.signal._design._on_host import to_device
from cupricx.scipy.signal._design._responses import (
    findfreqs,
    freqs,
    freqs_zpk,
    freqz,
    freqz_zpk,
)

__all__ = ["bode", "continuous", "discrete"]

_FEW = 4096  # frequencies for which the host takes no longer than launches do


def bode(system, w, n):
    """Frequencies, decibels, and degrees without jumps."""
    is_discrete = system.dt is not None
    if not isinstance(w, _core.ndarray):
        w, few = _few_frequencies(system, w, n, is_discrete)
        if few is not None:
            h = _at(np.exp(1j * few) if is_discrete else 1j * few, system._parts())
            with np.errstate(divide="ignore"):
                magnitude = 20.0 * np.log10(np.abs(h))
            phase = np.rad2deg(np.unwrap(np.angle(h)))
            return to_device((few, magnitude, phase), system._device)
    w, h = discrete(system, w, n, False) if is_discrete else continuous(system, w, n)
    return w, 20.0 * cp.log10(abs(h)), cp.rad2deg(cp.unwrap(cp.angle(h)))


def _few_frequencies(system, w, n, is_discrete):
    """w, and the frequencies where they are few; else None."""
    if w is not None and np.ndim(w) > 0:
        w = np.asarray(w)
        return w, w if w.size <= _FEW and w.dtype.kind in "iuf" else None
    count = n if w is None else w
    if not 0 < count <= _FEW:
        return w, None
    if is_discrete:
        return w, np.linspace(0, np.pi, int(count), endpoint=False)
    zeros, poles = system._parts()[:2]
    kind = "ba" if len(system._parts()) == 2 else "zp"
    return w, findfreqs.on_host(np.ravel(zeros), np.ravel(poles), int(count), kind=kind)


def _at(s, parts):
    """The transfer function at points of the complex plane."""
    if len(parts) == 2:
        num, den = parts
        return np.polyval(num.ravel(), s) / np.polyval(den, s)
    zeros, poles, gain = parts
    s = s[..., None]
    return gain * (s - zeros.ravel()).prod(axis=-1) / (s - poles).prod(axis=-1)


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
        num = np.concatenate([np.zeros(max(0, more), float), num])
        den = np.concatenate([np.zeros(max(0, -more), float), den])
        return freqz(num, den, worN=worN, whole=whole)
