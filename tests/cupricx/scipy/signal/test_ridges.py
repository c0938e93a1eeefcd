"""Peaks by wavelets against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
from cupric._lib.algorithms import _scan
from cupricx.scipy.signal import find_peaks_cwt

theirs = pytest.importorskip("scipy.signal")


@pytest.fixture(params=["whole", "cut"])
def rows(request, monkeypatch, device):
    """As they are cut anyway; and on the host in short pieces, as for many cores."""
    if request.param == "cut":
        if device != "host":
            pytest.skip("rows of a GPU have tiles of one length")
        monkeypatch.setattr(_scan, "_host_tile", lambda x, rows, n: 50)


def noise(n, seed=0):
    return np.random.default_rng(seed).standard_normal(n)


SIGNALS = {
    "sine": np.sin(np.arange(1500) / 9) + 0.3 * noise(1500),
    "walk": noise(2000).cumsum(),
    "hills": sum(
        h * np.exp(-(((np.arange(1200) - c) / s) ** 2))
        for h, c, s in ((3, 100, 9), (5, 400, 30), (1, 460, 4), (2, 900, 60))
    )
    + 0.02 * noise(1200),
    "few": noise(30),
}


def check(x, widths, **options):
    expected = theirs.find_peaks_cwt(x, widths, **options)
    made = find_peaks_cwt(cp.array(x), widths, **options)
    np.testing.assert_array_equal(made.get(), expected)
    assert made.dtype == np.int64


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"min_snr": 2, "noise_perc": 30},
        {"min_snr": 1.5, "window_size": 41},
        {"window_size": 0},
        {"window_size": 1},
        {"gap_thresh": 0},
        {"gap_thresh": 2.5, "max_distances": 40 * [3.5]},
        {"max_distances": 40 * [1e5]},
        {"min_length": 1, "min_snr": 0},
        {"noise_perc": 0},
        {"noise_perc": 100, "min_snr": 0.5},
        {"noise_perc": 50.5, "min_length": 3},
    ],
    ids=lambda options: " ".join(options),
)
def test_options(rows, name, options):
    check(SIGNALS[name], np.arange(1, 20), **options)


@pytest.mark.parametrize(
    "widths", [5, [3], np.arange(1, 40, 3), np.array([2.5, 4.1, 9]), [9, 4, 2]], ids=str
)
def test_widths(widths):
    for x in SIGNALS.values():
        check(x, np.asarray(widths))


@pytest.mark.parametrize("dtype", "ilfd")
def test_dtypes(dtype):
    x = (100 * SIGNALS["hills"]).astype(dtype)
    check(x.astype(float), np.arange(1, 30), min_snr=2)
    made = find_peaks_cwt(cp.array(x), cp.arange(1, 30), min_snr=2)
    expected = theirs.find_peaks_cwt(x.astype(float), np.arange(1, 30), min_snr=2)
    np.testing.assert_array_equal(made.get(), expected)


def test_a_wavelet_of_ones_own():
    def box(points, width):
        t = np.arange(points) - (points - 1) / 2
        return np.where(np.abs(t) < width, 1.0, -0.1)

    def wave(points, width):
        t = np.arange(points) - (points - 1) / 2
        return np.exp(1j * t / width - (t / width) ** 2)

    for wavelet in (box, wave):
        for name in ("sine", "few", "walk"):
            check(SIGNALS[name], np.arange(1, 12), wavelet=wavelet)
    expected = theirs.find_peaks_cwt(SIGNALS["sine"], np.arange(1, 9), wavelet=box)
    made = find_peaks_cwt(
        cp.array(SIGNALS["sine"]), np.arange(1, 9), lambda n, w: cp.array(box(n, w))
    )
    np.testing.assert_array_equal(made.get(), expected)


def test_no_peaks():
    for x in (np.zeros(50), np.arange(50.0), np.ones(1)):
        made = find_peaks_cwt(cp.array(x), np.array([3]), min_length=5)
        assert made.shape == (0,)
        assert made.dtype == np.int64


def test_errors():
    x = cp.zeros(30)
    with pytest.raises(ValueError, match="max_distances has 2 elements for 3 widths"):
        find_peaks_cwt(x, [1, 2, 3], max_distances=[1, 2])
    with pytest.raises(ValueError, match=r"range \[0, 100\]: noise_perc=101"):
        find_peaks_cwt(x, [1, 2, 3], noise_perc=101)
    with pytest.raises(ValueError, match=r"1-D array, its shape is \(2, 3\)"):
        find_peaks_cwt(cp.zeros((2, 3)), [1, 2])
