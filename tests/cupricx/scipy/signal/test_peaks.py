"""Peaks, their prominences and widths, against scipy.signal."""

import warnings

import numpy as np
import pytest

import cupric as cp
from cupric._lib.algorithms import _scan
from cupricx.scipy.signal import _peaks, find_peaks, peak_prominences, peak_widths

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


def steps(n, values=4, seed=0):
    """Of few values, with many plateaus."""
    return np.random.default_rng(seed).integers(0, values, n).astype(float)


SIGNALS = {
    "noise": noise(3000),
    "walk": noise(5000).cumsum(),
    "steps": steps(2000),
    "two values": steps(700, 2),
    "flat": np.repeat(steps(40), 60),
    "ramp": np.arange(2000) / 100 + noise(2000) / 3,
    "fall": -np.arange(2000) / 100 + noise(2000) / 3,
    "sine": np.sin(np.arange(4000) / 40),
}


def same(made, expected):
    made, expected = list(made), list(expected)
    assert len(made) == len(expected)
    for m, e in zip(made, expected, strict=True):
        assert m.dtype == e.dtype
        np.testing.assert_array_equal(m.get(), e)


def check(x, **conditions):
    """The same to the bit."""
    ours = {
        k: tuple(cp.array(b) if isinstance(b, np.ndarray) else b for b in v)
        if isinstance(v, tuple)
        else v
        for k, v in conditions.items()
    }
    with warnings.catch_warnings(record=True) as theirs_said:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", "invalid value")
        expected, facts = theirs.find_peaks(x, **conditions)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        peaks, properties = find_peaks(cp.array(x), **ours)
    same([peaks], [expected])
    assert list(properties) == list(facts)
    same(properties.values(), facts.values())
    assert {str(w.message) for w in said} == {str(w.message) for w in theirs_said}
    assert all(w.filename == __file__ for w in said)


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize(
    "conditions",
    [
        {},
        {"height": 0.5},
        {"height": (None, 1)},
        {"height": (None, None)},
        {"threshold": 0.1},
        {"threshold": (0.1, 1.5)},
        {"plateau_size": 1},
        {"plateau_size": (2, 5)},
        {"prominence": 1},
        {"prominence": (0.5, 2), "wlen": 21},
        {"width": 2},
        {"width": (None, 4), "rel_height": 0.8},
        {"width": 0, "rel_height": 0},
        {"prominence": (None, None), "wlen": 2},
        {
            "plateau_size": (None, 3),
            "height": (-1, 9),
            "threshold": (None, 2),
            "prominence": 0.3,
            "width": (1, 30),
        },
    ],
    ids=str,
)
def test_conditions(rows, name, conditions):
    check(SIGNALS[name], **conditions)


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize("distance", [1, 2, 2.5, 10, 77, 1000, 1e9, np.float32(30)])
def test_distance(rows, name, distance):
    # Heights that differ, as SciPy's order of equal ones is that of an unstable sort.
    x = SIGNALS[name] + 1e-6 * noise(SIGNALS[name].size, 5)
    check(x, distance=distance)
    check(x, distance=distance, height=0.2, prominence=0.4)


def in_order(x, distance):
    """Which peaks are kept, one after the other; of equal ones the last comes first."""
    peaks = theirs.find_peaks(x)[0]
    kept = np.ones(peaks.size, bool)
    for i in np.argsort(x[peaks], kind="stable")[::-1]:
        if kept[i]:
            kept &= np.abs(peaks - peaks[i]) >= distance
            kept[i] = True
    return peaks[kept]


@pytest.mark.parametrize("distance", [2, 3, 5, 20, 300])
@pytest.mark.parametrize("values", [2, 3, 9])
def test_distance_of_equal_heights(rows, values, distance):
    x = steps(1500, values, distance)
    made, _ = find_peaks(cp.array(x), distance=distance)
    np.testing.assert_array_equal(made.get(), in_order(x, distance))


@pytest.mark.parametrize("slope", [1, -1])
def test_distance_of_a_long_ramp(slope):
    """What is decided from one end to the other."""
    x = slope * np.arange(30000.0) + 3 * (np.arange(30000) % 2)
    check(x, distance=7)


def test_distance_of_peaks_of_peaks():
    """A slope on either side of each of several hills, of several sizes."""
    t = np.arange(20000)
    x = sum(np.sin(t / s) * s for s in (1.5, 40, 900)) + 1e-9 * noise(t.size)
    for distance in (3, 30, 100, 5000):
        check(x, distance=distance)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 15, 16, 17, 255, 256, 257, 4096, 4097])
def test_lengths(rows, n):
    for x in (noise(n), steps(n), np.ones(n), np.arange(float(n))):
        check(x, prominence=0, width=0, plateau_size=0, height=-9)
    check(noise(n), distance=3)


def test_a_million():
    x = noise(10**6).astype(np.float32)
    check(x, height=0.5)
    check(x, distance=10, prominence=1)
    check(x.astype(float).cumsum(), prominence=5, width=3)


@pytest.mark.parametrize("dtype", "?bBhHiIlLefd")
def test_dtypes(dtype):
    if dtype == "?":
        x = steps(500, 2).astype(bool)
    else:
        x = (10 + 9 * noise(500)).clip(0, 100).astype(dtype)
    check(x, height=3, threshold=0, prominence=2, width=1, plateau_size=1)


def test_layouts():
    x = noise(900).reshape(30, 30)

    def views(x):
        return (x[3], x[:, 3], x[::-1, 2], x.T[4, ::2], x.ravel()[::-7])

    for theirs_view, view in zip(views(x), views(cp.array(x)), strict=True):
        expected = theirs.find_peaks(theirs_view, prominence=0.5)[0]
        same([find_peaks(view, prominence=0.5)[0]], [expected])


def test_nan_and_infinity():
    x = noise(4000)
    x[::37] = np.nan
    x[5::41] = np.inf
    x[9::43] = -np.inf
    check(x, height=0)
    check(x, height=(None, 2), threshold=(None, 3))
    with np.errstate(invalid="ignore"):
        check(x, prominence=1)
        check(x, prominence=0.1, width=1)
    check(np.full(20, np.nan), prominence=0)
    check(np.repeat([0, np.inf, 0, 1, np.nan, 1, 0], 5), threshold=0, plateau_size=1)


@pytest.mark.parametrize("name", ["height", "threshold", "prominence", "width"])
def test_bounds_that_are_arrays(rows, name):
    x = noise(2000)
    low, high = np.abs(noise(2000, 1)), 2 + np.abs(noise(2000, 2))
    check(x, **{name: (low, high)})
    check(x, **{name: (None, high)})
    check(x, **{name: (low, 3)})
    check(x, **{"height": (-high, high), name: low})
    check(x, plateau_size=(np.ones(2000), None), **{name: (low.astype("f"), high)})


def test_bounds_in_one_array():
    x = noise(300)
    for bounds in ([0.1, 1.0], (0.1, 1), np.array([0.1, 1]), cp.array([0.1, 1])):
        expected = theirs.find_peaks(x, height=(0.1, 1))[0]
        same([find_peaks(cp.array(x), height=bounds)[0]], [expected])
    low = np.abs(noise(300, 1))
    for bounds in (low, cp.array(low)):
        same(
            [find_peaks(cp.array(x), height=bounds)[0]],
            [theirs.find_peaks(x, height=low)[0]],
        )


def test_bounds_of_another_size():
    x = cp.array(noise(300))
    with pytest.raises(ValueError, match=r"lower interval border .* 5 and 300"):
        find_peaks(x, height=np.zeros(5))
    with pytest.raises(ValueError, match=r"upper interval border .* 4 and 300"):
        find_peaks(x, prominence=(None, cp.zeros(4)))
    with pytest.raises(ValueError, match=r"lower interval border .* 3 and 300"):
        find_peaks(x, height=[1, 2, 3])


def test_errors_of_find_peaks():
    x = cp.zeros((2, 3))
    with pytest.raises(ValueError, match=r"1-D array, its shape is \(2, 3\)"):
        find_peaks(x)
    with pytest.raises(ValueError, match="`distance` must be greater or equal to 1"):
        find_peaks(cp.zeros(3), distance=0.5)
    with pytest.raises(ValueError, match="`wlen` must be larger than 1, was 1"):
        find_peaks(cp.zeros(3), prominence=1, wlen=1)
    with pytest.raises(ValueError, match="`rel_height` must be greater"):
        find_peaks(cp.array([0.0, 1, 0]), width=1, rel_height=-1)
    with pytest.raises(TypeError, match="Unsupported type"):
        find_peaks(np.zeros(3))


# ---- prominences and widths ----------------------------------------------------------


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize("wlen", [None, 2, 3, 10, 10.5, 400, 1e6])
def test_prominences_and_widths(name, wlen):
    """Of peaks, and of places that are none."""
    x = SIGNALS[name]
    peaks = np.random.default_rng(3).integers(0, x.size, 500)
    peaks[:2] = 0, x.size - 1
    a, at = cp.array(x), cp.array(peaks)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = theirs.peak_prominences(x, peaks, wlen)
        made = peak_prominences(a, at, wlen)
        same(made, expected)
        for h in (0.5, 0, 1, 1.5):
            same(
                peak_widths(a, at, h, wlen=wlen),
                theirs.peak_widths(x, peaks, h, wlen=wlen),
            )
        same(peak_widths(a, at, 0.3, made), theirs.peak_widths(x, peaks, 0.3, expected))


@pytest.mark.parametrize("n", [1, 2, 16, 17, 256, 257, 65536, 65537])
def test_bases_at_the_ends(n):
    """Walks over whole pyramids, to either end and to equal elements."""
    for x in (np.zeros(n), np.arange(float(n)), -np.arange(float(n)), steps(n)):
        peaks = np.unique([0, n // 3, n // 2, n - 1])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same(
                peak_prominences(cp.array(x), cp.array(peaks)),
                theirs.peak_prominences(x, peaks),
            )
            same(
                peak_widths(cp.array(x), cp.array(peaks), 1),
                theirs.peak_widths(x, peaks, 1),
            )


def test_warnings():
    x = cp.array([0.0, 1, 0, 3, 3, 0])
    with pytest.warns(_peaks.PeakPropertyWarning, match="a prominence of 0") as said:
        peak_prominences(x, cp.array([1, 2]))
    assert said[0].filename == __file__
    with pytest.warns(_peaks.PeakPropertyWarning, match="a width of 0") as said:
        peak_widths(x, cp.array([1]), 0)
    assert said[0].filename == __file__
    assert issubclass(_peaks.PeakPropertyWarning, RuntimeWarning)


def test_peaks_that_are_no_indices():
    x = cp.array(noise(10))
    for bad in (-1, 10, 2**40):
        with pytest.raises(
            ValueError, match=f"peak {bad} is not a valid index for `x`"
        ):
            peak_prominences(x, cp.array([1, bad, -7]))
        with pytest.raises(
            ValueError, match=f"peak {bad} is not a valid index for `x`"
        ):
            peak_widths(x, cp.array([1, bad]))
    with pytest.raises(ValueError, match="not a valid index"):
        peak_prominences(cp.zeros(0), cp.array([0]))
    with pytest.raises(TypeError, match="cannot safely cast `peaks`"):
        peak_prominences(x, cp.array([1.0]))
    with pytest.raises(ValueError, match=r"`peaks` must be a 1-D array, .*\(1, 1\)"):
        peak_prominences(x, cp.array([[1]]))
    with pytest.raises(ValueError, match="`wlen` must be larger than 1"):
        peak_prominences(x, cp.array([1]), 0)


def test_no_peaks():
    for peaks in (cp.zeros(0), cp.zeros(0, int), []):
        same(
            peak_prominences(cp.zeros(9), peaks),
            theirs.peak_prominences(np.zeros(9), []),
        )
        same(peak_widths(cp.zeros(9), peaks), theirs.peak_widths(np.zeros(9), []))


@pytest.mark.parametrize("dtype", "bBhHiIl")
def test_dtypes_of_peaks(dtype):
    x = noise(100)
    peaks = theirs.find_peaks(x)[0].astype(dtype)
    expected = theirs.peak_prominences(x, peaks)
    same(peak_prominences(cp.array(x), cp.array(peaks)), expected)
    same(peak_prominences(cp.array(x), peaks), expected)
    same(peak_prominences(cp.array(x), peaks.tolist()), expected)


def test_prominence_data_that_does_not_fit():
    x, peaks = cp.array(noise(10)), cp.array([3])
    good = [cp.array([1.0]), cp.array([2]), cp.array([4])]
    with pytest.raises(ValueError, match="must match `peaks`: 1, 2 and 1"):
        peak_widths(x, peaks, 0.5, (good[0], cp.array([1, 2]), good[2]))
    for left, right in ((-1, 4), (4, 5), (1, 2), (1, 10)):
        data = (good[0], cp.array([left]), cp.array([right]))
        with pytest.raises(ValueError, match="data is invalid for peak 3"):
            peak_widths(x, peaks, 0.5, data)
    with pytest.raises(ValueError, match="`rel_height` must be greater"):
        peak_widths(x, peaks, -0.5)
