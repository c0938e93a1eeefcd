"""Responses of systems at frequencies."""

import operator

import numpy as np

import cupric as cp
from cupric import _core

__all__ = ["continuous", "discrete", "magnitude_and_phase"]

_AT_ZERO = 1e-10  # roots closer to 0 are integrators
_FAR = 1e5  # zeros beyond are at infinity


def magnitude_and_phase(w, h):
    """Frequencies, decibels, and degrees without jumps."""
    return w, 20.0 * cp.log10(abs(h)), cp.rad2deg(cp.unwrap(cp.angle(h)))


def _count(w, n):
    """How many frequencies are asked for; None where `w` has them."""
    if w is None:
        return n
    try:
        return None if isinstance(w, _core.ndarray) else operator.index(w)
    except TypeError:
        return None


def _range_of_interest(zeros, poles, n):
    """n frequencies around those of the zeros and the poles, from a decade below."""
    poles = np.atleast_1d(poles)
    if poles.size == 0:
        poles = np.array([-1000.0])
    zeros = np.atleast_1d(zeros)
    zeros = zeros[np.abs(zeros) < _FAR]
    roots = np.concatenate([poles, zeros])
    roots = roots[roots.imag >= 0]
    size = np.abs((roots + (np.abs(roots) < _AT_ZERO)).real)
    high = np.round(np.log10(np.max(3 * size + 1.5 * roots.imag)) + 0.5)
    low = np.round(np.log10(0.1 * np.min(size + 2 * roots.imag)) - 0.5)
    return np.logspace(low, high, n)


def _on_device(system, w):
    """Frequencies, and what a system is made of, as arrays of a device."""
    device = w.device if isinstance(w, _core.ndarray) else system._device
    with cp.cuda.Device() if device is None else device:
        w = w if isinstance(w, _core.ndarray) else _core.array(np.asarray(w))
        return w.reshape(1) if w.ndim == 0 else w, *map(cp.array, system._parts())


def _at(s, parts):
    """The transfer function at points of the complex plane."""
    if len(parts) == 2:
        num, den = parts
        return cp.polyval(num.ravel(), s) / cp.polyval(den, s)
    zeros, poles, gain = parts
    s = s[..., None]
    return gain * (s - zeros.ravel()).prod(axis=-1) / (s - poles).prod(axis=-1)


def continuous(system, w, n):
    """Of a transfer function, or of zeros, poles and gain."""
    count = _count(w, n)
    if count is not None:
        roots = system._parts()[:2]
        if len(system._parts()) == 2:
            roots = [np.roots(c.ravel()) for c in roots]
        w = _range_of_interest(*roots, count)
    w, *parts = _on_device(system, w)
    return w, _at(1j * w, parts)


def discrete(system, w, n, whole):
    """The same, on the unit circle."""
    count = _count(w, n)
    if count is not None:
        w = np.linspace(0, 2 * np.pi if whole else np.pi, count, endpoint=False)
    w, *parts = _on_device(system, w)
    return w, _at(cp.exp(1j * w), parts)
