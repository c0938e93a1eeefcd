"""Channelizers, against a loop over frames."""

import numpy as np
import pytest
from tests.cupricx.scipy.signal.against_scipy import agree, numbers

import cupric as cp
from cupricx.signal import channelize_poly


def channelized(x, h, channels):
    """Each channel is shifted to 0, filtered, and decimated."""
    frames = len(x) // channels
    taps = np.arange(len(h))
    y = np.zeros((channels, frames), complex)
    for c in range(channels):
        for t in range(frames):
            at = t * channels + channels - 1 - taps
            kept = at >= 0
            turn = np.exp(2j * np.pi * c * (taps % channels) / channels)
            y[c, t] = np.sum((h * turn)[kept] * x[at[kept]])
    return y


@pytest.mark.parametrize("dtype", "ilfdFD")
@pytest.mark.parametrize("channels", [1, 4, 5, 8, 64])
def test_channels(dtype, channels):
    x = numbers(300, dtype)
    for taps in (1, channels, 3 * channels, 3 * channels + 1):
        h = numbers(taps, dtype, 1)
        made = channelize_poly(cp.array(x), cp.array(h), channels)
        single = dtype in "fF"
        expected = channelized(x, h, channels).astype("F" if single else "D")
        agree(made, expected, 1e-5 if single else 1e-11)


def test_tones():
    """A tone is in its channel alone."""
    channels, n = 8, 8 * 200
    h = np.hamming(8 * 16) * np.sinc(np.arange(-64, 64) / 8)
    for c in range(channels):
        x = np.exp(2j * np.pi * c * np.arange(n) / channels)
        power = (
            abs(channelize_poly(cp.array(x), h, channels)[:, 50:]).mean(axis=1).get()
        )
        others = np.delete(power, c)
        assert others.max() < 1e-2 * power[c], c


def test_short():
    assert channelize_poly(cp.ones(3), cp.ones(4), 4).shape == (4, 0)


def test_errors():
    x = cp.ones((3, 4))
    with pytest.raises(ValueError, match=r"\(3, 4\) and \(4,\)"):
        channelize_poly(x, x[0], 2)
    with pytest.raises(ValueError, match="n_chans"):
        channelize_poly(x[0], x[0], 0)
