"""Filters by rank, against SciPy."""

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage

MODES = (
    "reflect",
    "constant",
    "nearest",
    "mirror",
    "wrap",
    "grid-mirror",
    "grid-constant",
    "grid-wrap",
)
DTYPES = "?bBhHiIlLfd"


def values(shape, dtype, seed=0, top=100):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return (rng.random(shape) - 0.5).astype(dtype)
    if dtype == "?":
        return rng.random(shape) < 0.5
    low = 0 if np.dtype(dtype).kind == "u" else -top
    return rng.integers(low, top, shape).astype(dtype)


def sorted_windows(x, rank, footprint, mode):
    """What NumPy finds: `x` padded, and all elements of each window sorted."""
    before = [n // 2 for n in footprint.shape]
    pads = [(b, n - 1 - b) for b, n in zip(before, footprint.shape, strict=True)]
    how = {"reflect": "symmetric", "nearest": "edge", "mirror": "reflect"}
    padded = np.pad(x, pads, how.get(mode, mode))
    windows = np.lib.stride_tricks.sliding_window_view(padded, footprint.shape)
    return np.sort(windows[..., footprint], axis=-1)[..., rank]


def check(name, x, *args, **kwargs):
    """The result of a function here and in SciPy, which is exact."""
    expected = getattr(scipy.ndimage, name)(x, *args, **kwargs)
    found = getattr(ndimage, name)(cp.array(x), *args, **kwargs)
    assert isinstance(found, cp.ndarray)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.get(), expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_at_every_rank(dtype):
    x = values((11, 70), dtype)
    for rank in range(-9, 9):
        check("rank_filter", x, rank, 3)
    for rank in (0, 1, 2, 11, 12, 13, 23, 24):
        check("rank_filter", x, rank, 5)
    for rank in (1, 30, 83, 150, 196):
        check("rank_filter", x, rank, (3, 66))
    check("median_filter", x, (2, 4))


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_from_end_to_end_of_dtypes(dtype):
    x = values((6, 90), dtype)
    if x.dtype.kind in "iu":
        info = np.iinfo(dtype)
        x = np.where(x % 3 == 0, info.max, np.where(x % 3 == 1, info.min, x // 2))
        x = x.astype(dtype)
    elif x.dtype.kind == "f":
        x *= np.logspace(-30, 30, 90).astype(dtype)
        x[:, ::7] = np.inf
        x[:, 1::7] = -np.inf
        x[:, 2::7] = 0
    for window in ((3, 3), (5, 7), (1, 140), (3, 81)):
        footprint = np.ones(window, bool)
        for rank in (1, footprint.size // 3, footprint.size // 2, footprint.size - 2):
            for mode in ("reflect", "wrap"):
                found = ndimage.rank_filter(cp.array(x), rank, window, mode=mode)
                expected = sorted_windows(x, rank, footprint, mode)
                np.testing.assert_array_equal(found.get(), expected)


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_and_origin(mode):
    for shape, window in (
        ((7,), (4,)),
        ((6, 8), (3, 2)),
        ((3, 4), (5, 7)),
        ((4, 5, 6), (2, 3, 4)),
        ((3, 2, 3, 4), (2, 1, 2, 3)),
    ):
        x = values(shape, "d")
        for origin in (0, [-(n // 2) for n in window], [(n - 1) // 2 for n in window]):
            if len(shape) == 1 and not isinstance(origin, int):
                origin = origin[0]  # SciPy takes no sequence there
            kwargs = {"mode": mode, "cval": 0.25, "origin": origin}
            check("median_filter", x, window, **kwargs)
            check("percentile_filter", x, 20, window, **kwargs)


@pytest.mark.parametrize("dtype", "BhHilLfd")
def test_boxes_at_every_rank(dtype):
    """Which a GPU makes of sorted columns, four neighbours at a time."""
    for shape, window in (
        ((7, 38), (3, 3)),
        ((4, 5, 9), (3, 3, 3)),
        ((7, 39), (5, 5)),
        ((3, 10, 7), (1, 9, 3)),
        ((2, 3, 5, 11), (3, 1, 3, 3)),
    ):
        x = values(shape, dtype, top=100 if window[0] < 5 else 5)
        footprint = np.ones(window, bool)
        step = 1 if dtype in "fB" else 4
        for rank in {*range(0, footprint.size, step), footprint.size // 2}:
            mode = ("reflect", "wrap", "nearest", "mirror")[rank % 4]
            check("rank_filter", x, rank, window, mode=mode)
        first, last = [-(w // 2) for w in window], [(w - 1) // 2 for w in window]
        check("median_filter", x, window, mode="constant", cval=3, origin=first)
        check("percentile_filter", x, 30, window, origin=last)


@pytest.mark.parametrize("dtype", ["f4", "f8", "u1", "i2", "u8"])
def test_large_boxes(dtype):
    """Of which a GPU finds the bits of four neighbours' results at a time."""
    for shape, window in (
        ((4, 5, 13), (5, 5, 5)),
        ((5, 18), (7, 8)),
        ((2, 90), (1, 61)),
        ((5, 17), (9, 4)),
    ):
        for top in (3, 1000):
            x = np.random.default_rng(top).integers(0, top, shape).astype(dtype)
            if x.dtype.kind == "f":
                x = (x - top // 2) / 8
            taps = int(np.prod(window))
            for rank in (1, taps // 3, taps // 2, taps - 2):
                check("rank_filter", x, rank, window, mode="mirror")


def test_drawn():
    rng = np.random.default_rng(2)
    for _ in range(200):
        ndim = int(rng.integers(2, 5))
        shape = tuple(rng.integers(1, (0, 0, 90, 20, 9)[ndim], ndim))
        x = values(shape, DTYPES[rng.integers(len(DTYPES))], rng.integers(99))
        x = (x, x.T, x[::-1, ::2], np.broadcast_to(x[:1], (3, *x.shape[1:])))[
            rng.integers(4)
        ]
        footprint = rng.random(rng.integers(1, 6, ndim)) < 0.6
        footprint.flat[0] = True
        rank = int(rng.integers(-footprint.sum(), footprint.sum()))
        mode = MODES[rng.integers(8)]
        check("rank_filter", x, rank, footprint=footprint, mode=mode, cval=5)
        check("percentile_filter", x, float(rng.uniform(-100, 100)), 3, mode=mode)


def test_windows_of_every_size():
    x = values((4, 130), "i4", top=5000)
    for taps in range(1, 140):
        footprint = np.ones((1, taps), bool)
        for rank in {0, taps // 4, taps // 2, taps - 1 - (taps > 3)}:
            found = ndimage.rank_filter(cp.array(x), rank, footprint=footprint)
            expected = sorted_windows(x, rank, footprint, "reflect")
            np.testing.assert_array_equal(found.get(), expected)


def test_windows_of_many_elements():
    for dtype in "Bhif":
        x = values((40, 150), dtype, top=120)
        for window in ((21, 21), (1, 301), (35, 3)):
            check("median_filter", x, window)


def test_constants():
    x = values((9, 10), "u1")
    for cval in (3, 3.5, -1, 300):
        for rank in (1, 4, 7):
            check("rank_filter", x, rank, 3, mode="constant", cval=cval)
    check("median_filter", x.astype("f4"), 5, mode="constant", cval=np.inf)


def test_axes():
    x = values((5, 6, 7), "f8")
    check("median_filter", x, 3, axes=(0, 2))
    check("median_filter", x, (2, 3), axes=(1, 2), origin=(0, 1))
    check("rank_filter", x, 1, footprint=[[1, 0], [1, 1]], axes=(2, 0))
    check("percentile_filter", x, 40, 3, axes=1)
    footprint = np.ones((3, 3), bool)
    modes = ["wrap", "mirror"]
    found = ndimage.median_filter(cp.array(x[0]), 3, mode=modes).get()
    padded = np.pad(np.pad(x[0], ((1, 1), (0, 0)), "wrap"), ((0, 0), (1, 1)), "reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    np.testing.assert_array_equal(found, np.median(windows, axis=(2, 3)))
    given = cp.array(footprint)
    np.testing.assert_array_equal(
        ndimage.median_filter(cp.array(x[0]), footprint=given).get(),
        scipy.ndimage.median_filter(x[0], footprint=footprint),
    )


def test_half():
    x = values((9, 70), "e")
    found = ndimage.median_filter(cp.array(x), 3)
    assert found.dtype == "e"
    expected = sorted_windows(x, 4, np.ones((3, 3), bool), "reflect")
    np.testing.assert_array_equal(found.get(), expected)


def test_outputs():
    x = values((9, 70), "f8")
    expected = scipy.ndimage.median_filter(x, 3)
    inplace = cp.array(x)
    assert ndimage.median_filter(inplace, 3, output=inplace) is inplace
    np.testing.assert_array_equal(inplace.get(), expected)
    base = cp.zeros((11, 70))
    base[:-2] = cp.array(x)
    ndimage.median_filter(base[:-2], 3, output=base[2:])
    np.testing.assert_array_equal(base[2:].get(), expected)
    turned = cp.zeros((70, 9)).T
    ndimage.median_filter(cp.array(x), 3, output=turned)
    np.testing.assert_array_equal(turned.get(), expected)
    check("median_filter", x * 100, 3, output="i4")
    check("median_filter", values((9, 70), "u1"), 3, output="f4")


def test_empty_and_without_axes():
    for shape in ((0,), (3, 0), (0, 4)):
        found = ndimage.median_filter(cp.zeros(shape), 3)
        assert found.shape == shape
    x = values((4, 5), "f8")
    np.testing.assert_array_equal(
        ndimage.median_filter(cp.array(x), 3, axes=()).get(), x
    )
    assert ndimage.median_filter(cp.array(7.0), 3).get() == 7


def test_errors():
    x = cp.ones((4, 5))
    with pytest.raises(RuntimeError, match="no footprint or filter size"):
        ndimage.median_filter(x)
    with pytest.raises(RuntimeError, match=r"rank 9 of 9"):
        ndimage.rank_filter(x, 9, 3)
    with pytest.raises(RuntimeError, match=r"rank"):
        ndimage.rank_filter(x, 0, footprint=np.zeros((3, 3)))
    with pytest.raises(RuntimeError, match="percentile"):
        ndimage.percentile_filter(x, 101, 3)
    with pytest.raises(RuntimeError, match="footprint"):
        ndimage.median_filter(x, footprint=[1, 1])
    with pytest.raises(RuntimeError, match="size"):
        ndimage.median_filter(x, (3, 3, 3))
    with pytest.raises(ValueError, match="origin"):
        ndimage.median_filter(x, 3, origin=2)
    with pytest.raises(ValueError, match="mode"):
        ndimage.median_filter(x, 3, mode="none")
    with pytest.raises(TypeError, match="Complex"):
        ndimage.median_filter(x + 1j, 3)
    with pytest.raises(TypeError, match="integer"):
        ndimage.rank_filter(x, 1.5, 3)
    with pytest.raises(TypeError, match="Unsupported type"):
        ndimage.median_filter(np.ones(4), 3)
    with pytest.warns(UserWarning, match="ignoring size"):
        ndimage.median_filter(x, 3, footprint=np.ones((3, 3)))


def test_axes_in_another_order():
    """The footprint's axes are the array's, in their order, as SciPy has it."""
    x = np.random.default_rng(0).integers(0, 99, (9, 4, 11)).astype("f4")
    footprint = np.array([[1, 1, 0, 1, 1], [1, 0, 1, 1, 1], [0, 1, 1, 1, 1]], bool)
    for origin in (0, (1, 0)):
        options = {"footprint": footprint, "axes": (2, 0), "origin": origin}
        found = ndimage.rank_filter(cp.array(x), 4, **options).get()
        expected = scipy.ndimage.rank_filter(x, 4, **options)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", ["f4", "f8", "u1", "i2", "u2", "i4", "i8", "u8"])
def test_windows_that_slide_along_rows(dtype):
    """Ties and all orders, in chunks that begin and end anywhere."""
    rng = np.random.default_rng(4)
    for n, size in ((300, 39), (300, 40), (5000, 64), (9000, 129), (1000, 3001)):
        for most in (3, 100):
            x = rng.integers(0, most, n).astype(dtype)
            if np.dtype(dtype).kind != "u":
                x -= x.dtype.type(most // 2)
            for rank in (0, 1, size // 3, size - 2, -1):
                found = ndimage.rank_filter(cp.array(x), rank, size, mode="mirror")
                expected = scipy.ndimage.rank_filter(x, rank, size, mode="mirror")
                np.testing.assert_array_equal(found.get(), expected)
    x = np.sort(rng.integers(0, 99, (3, 400)).astype(dtype), axis=1)[:, ::-1]
    found = ndimage.median_filter(cp.array(x), (1, 51)).get()
    np.testing.assert_array_equal(found, scipy.ndimage.median_filter(x, (1, 51)))


def test_windows_that_hardly_fit():
    x = np.random.default_rng(5).integers(0, 99, 1500).astype("i4")
    for size in (19_999, 20_001):
        found = ndimage.median_filter(cp.array(x), size).get()
        np.testing.assert_array_equal(found, scipy.ndimage.median_filter(x, size))
