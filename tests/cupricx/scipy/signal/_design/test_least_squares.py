"""Filters of the least squared error against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import agree, near, same_error

theirs = pytest.importorskip("scipy.signal")


@pytest.mark.parametrize("numtaps", [1, 3, 5, 21, 51, 5.0, 7.5])
@pytest.mark.parametrize(
    ("bands", "desired", "kwargs"),
    [
        ([0, 0.3, 0.5, 1], [1, 1, 0, 0], {}),
        ([[0, 0.3], [0.5, 1]], [[1, 0.5], [0, 0]], {"weight": [1, 2]}),
        ([0, 0.5, 0.5, 1], [1, 1, 0, 0], {}),
        ([0.1, 0.3, 0.35, 1], [0, 1, 1, 0], {"weight": [0.1, 1.0]}),
        ([0, 3, 5, 10], [1, 1, 0, 0], {"fs": 20}),
        ([0, 0.3, 0.5, 1], [1, 1, 0, 0], {"weight": [0, 0]}),
    ],
)
def test_firls(numtaps, bands, desired, kwargs):
    expected = theirs.firls(numtaps, bands, desired, **kwargs)
    agree(ours.firls(numtaps, bands, desired, **kwargs), expected, 1e-9)
    made = ours.firls(numtaps, cp.array(bands), cp.array(desired), **kwargs)
    agree(made, expected, 1e-9)


@pytest.mark.parametrize(
    ("numtaps", "bands", "desired"),
    [(51, [0, 0.3], [1, 1]), (301, [0, 0.3, 0.4, 1], [1, 1, 0, 0])],
)
def test_bands_that_leave_much_open(numtaps, bands, desired):
    """Taps follow from rounding then; what they do in the bands does not."""
    made = ours.firls(numtaps, bands, desired).get()
    expected = theirs.firls(numtaps, bands, desired)
    w = np.concatenate(
        [np.pi * np.linspace(*band, 50) for band in np.reshape(bands, (-1, 2))]
    )
    near(theirs.freqz(made, 1, w)[1], theirs.freqz(expected, 1, w)[1], 1e-5)
    assert np.abs(made).max() < 2
    np.testing.assert_array_equal(made, made[::-1])


def test_takes_cupy_s_positions():
    args = (7, [0, 0.3, 0.5, 1], [1, 1, 0, 0])
    agree(ours.firls(*args, [1, 3], 2.5), theirs.firls(*args, weight=[1, 3], fs=2.5))


BANDS = [0, 0.3, 0.5, 1]


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        *(((5, BANDS, [1, 1, 0, 0]), {"weight": w}) for w in ([1], [1, -1])),
        *(((n, BANDS, [1, 1, 0, 0]), {}) for n in (4, 0, -1)),
        *(((5, [0, 0.3, 0.5], [1, 1, 0]), {}), ((5, BANDS, [1, 1, 0]), {})),
        *(((5, [0, 0.3, 0.5, 0.4], [1, 1, 0, 0]), {}),),
        *(((5, [0, 0.5, 0.3, 0.6], [1, 1, 0, 0]), {}),),
        *(((5, [0, 0.5, 0.5, 1.1], [1, 1, 0, 0]), {}),),
        *(((5, [-0.1, 0.5, 0.5, 1], [1, 1, 0, 0]), {}),),
        *(((5, BANDS, [1, 1, 0, -1]), {}), ((5, [0, 0, 0.3, 1], [1, 1, 0, 0]), {})),
        *(((5, BANDS, [1, 1, 0, 0]), {"fs": -20}),),
    ],
)
def test_refusals(args, kwargs):
    assert same_error(ours.firls, theirs.firls, *args, **kwargs)
