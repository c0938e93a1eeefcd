"""Channelizers: a signal as its bands, each at a lower rate."""

import operator

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import complex_fft
from cupric._lib.kernels import Library

__all__ = ["channelize_poly"]

_library = Library(__file__)


def _example(xp):
    x = xp.cos(xp.arange(1000.0) ** 2)
    h = np.hamming(32)
    return [channelize_poly(x.astype(t), h.astype(t), 8) for t in "fdFD"]


_branches = _library.kernel(
    "channel_branches<T, C>",
    elements="pieces",
    ships="fF dD FF DD",
    example=_example,
)


def channelize_poly(x, h, n_chans):
    """Split a signal into channels, by a polyphase filter bank.

    Parameters
    ----------
    x : array_like, shape (n,)
        The signal.
    h : array_like, shape (m,)
        The low-pass filter of a channel.
    n_chans : int
        Channels, as many as the factor by which each is decimated.

    Returns
    -------
    cupric.ndarray, shape (n_chans, n // n_chans)
        The channels about the frequencies 0, 1 / n_chans, …, of the sampling rate:
        complex64 where both inputs are of single precision or below, else complex128.

    Raises
    ------
    ValueError
        An input has not one axis, or `n_chans` is not positive.

    References
    ----------
    F. J. Harris, C. Dick, M. Rice, "Digital receivers and transmitters using polyphase
    filter banks for wireless communications", IEEE Transactions on Microwave Theory and
    Techniques 51 (4), 2003.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.signal import channelize_poly
    >>> channelize_poly(cp.ones(8), cp.ones(4) / 4, 4).round(6)
    array([[1.+0.j, 1.+0.j],
           [0.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    x = arguments.array(x, "x")
    h = arguments.small(h, x)
    if x.ndim != 1 or h.ndim != 1:
        raise ValueError(
            f"x and h have one axis, and are of shapes {x.shape} and {h.shape}"
        )
    channels = operator.index(n_chans)
    if channels < 1:
        raise ValueError(f"n_chans must be positive, not {channels}")
    dtype = arguments.float_dtype(x.dtype, h.dtype)
    if any(v.dtype.kind in "iu" for v in (x, h)):
        dtype = np.promote_types(dtype, np.float64)
    x, h = (_core.ascontiguousarray(v.astype(dtype, copy=False)) for v in (x, h))
    shape = (x.size // channels, channels)
    y = _core.empty(shape, arguments.complex_dtype(dtype), device=x.device)
    if y.size == 0:
        return y.T
    _branches[dtype, y.dtype](
        x=x, h=h, y=y, channels=channels, taps=h.size, pieces=y.size
    )
    return complex_fft(y, None, (-1,), "forward", True, "C", True).T
