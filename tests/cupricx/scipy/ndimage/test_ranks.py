"""Smallest and largest elements of windows, against SciPy."""

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
LINES = ["minimum_filter1d", "maximum_filter1d"]
WINDOWS = ["minimum_filter", "maximum_filter"]


def values(shape, dtype, seed=0):
    x = np.random.default_rng(seed).integers(-120, 121, shape)
    if np.dtype(dtype).kind in "bu":
        x = x + 120
    return (x > 120).astype(dtype) if np.dtype(dtype).kind == "b" else x.astype(dtype)


def check(name, x, *args, **kwargs):
    """The result of a function here and in SciPy: the same."""
    expected = getattr(scipy.ndimage, name)(x, *args, **kwargs)
    found = getattr(ndimage, name)(cp.array(x), *args, **kwargs)
    assert isinstance(found, cp.ndarray)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.get(), expected)


def draw(seed, n):
    """n windows with what else a function takes, at random."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        ndim = int(rng.integers(1, 5))
        shape = tuple(rng.integers(1, (200, 30, 14, 8)[ndim - 1], ndim).tolist())
        size = tuple(rng.integers(1, (70, 14, 6, 4)[ndim - 1], ndim).tolist())
        origin = [int(rng.integers(-(s // 2), (s - 1) // 2 + 1)) for s in size]
        dtype = DTYPES[rng.integers(len(DTYPES))]
        mode = MODES[rng.integers(len(MODES))]
        cval = int(rng.integers(0, 2 if dtype == "?" else 100))
        x = values(shape, dtype, int(rng.integers(1 << 30)))
        yield rng, x, size, {"origin": origin, "mode": mode, "cval": cval}


@pytest.mark.parametrize("name", WINDOWS)
def test_boxes(name):
    for rng, x, size, kwargs in draw(1, 120):
        if rng.integers(2):
            kwargs["mode"] = [str(rng.choice(MODES)) for _ in size]
        check(name, x, size, **kwargs)


@pytest.mark.parametrize("name", WINDOWS)
def test_footprints(name):
    for rng, x, size, kwargs in draw(2, 120):
        footprint = rng.random(size) < 0.5
        footprint.flat[rng.integers(footprint.size)] = True
        check(name, x, footprint=footprint, **kwargs)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(
    "shape", [(5000,), (3, 4100), (300, 70), (40, 90, 2), (2, 9, 80)]
)
def test_lengths_along_each_axis(name, shape):
    rng = np.random.default_rng(3)
    for axis in range(len(shape)):
        n = shape[axis]
        for size in (2, 3, 8, 12, 13, 31, 200, n, 2 * n + 1, 1500):
            x = values(shape, DTYPES[rng.integers(len(DTYPES))], size)
            origin = int(rng.integers(-(size // 2), (size - 1) // 2 + 1))
            mode = MODES[rng.integers(len(MODES))]
            check(name, x, size, axis, mode=mode, cval=1, origin=origin)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_extreme_values(name, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        ends = [-np.inf, np.inf, 0.5, -0.5, np.finfo(dtype).max, np.finfo(dtype).tiny]
    elif dtype.kind == "b":
        ends = [False, True]
    else:
        ends = [np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 1]
    x = np.random.default_rng(4).choice(np.array(ends, dtype), 300)
    reduce = np.minimum if name.startswith("min") else np.maximum
    found = getattr(ndimage, name)(cp.array(x), 2, mode="nearest")
    # SciPy computes in float64, which large integers are not exact in.
    np.testing.assert_array_equal(found.get(), reduce(x, np.r_[x[:1], x[:-1]]))


def test_constants_that_the_dtype_does_not_hold():
    for dtype in "?bBhHi":
        x = values((9, 11), dtype)
        for cval in (2.5, 1.0):
            for name in WINDOWS:
                check(name, x, 3, mode="constant", cval=cval)
    x = values((9, 11), "i2")
    for cval in (-40000.0, 40000.0, np.inf, -np.inf):
        check("minimum_filter", x, 3, mode="constant", cval=max(cval, -30000.0))
        check("maximum_filter", x, 3, mode="constant", cval=min(cval, 30000.0))
    check("minimum_filter", x, 3, output="f8", mode="constant", cval=-40000)
    check("maximum_filter", x, (3, 4), output="f8", mode="constant", cval=40000.5)


def test_float16_as_float32():  # SciPy does not take it
    x = values((20, 30), "e")
    found = ndimage.minimum_filter(cp.array(x), 5)
    assert found.dtype == np.float16
    np.testing.assert_array_equal(
        found.get(), scipy.ndimage.minimum_filter(x.astype("f"), 5)
    )


@pytest.mark.parametrize("name", LINES)
def test_nan_spreads(name):
    for shape, axis in (((3000,), 0), ((300, 70), 0), ((90, 2), 0)):
        x = values(shape, "f8")
        where = np.random.default_rng(5).random(shape) < 0.01
        x[where] = np.nan
        for size in (3, 13, 40):
            found = getattr(ndimage, name)(cp.array(x), size, axis).get()
            expected = scipy.ndimage.maximum_filter1d(where, size, axis)
            np.testing.assert_array_equal(np.isnan(found), expected)


def test_axes():
    x = values((7, 8, 9), "f4")
    check("minimum_filter", x, (3, 4), axes=(0, 2))
    check("minimum_filter", x, (3, 4), axes=(2, 0), origin=(1, -1))
    check("minimum_filter", x, 4, axes=1)
    footprint = [[1, 0, 1], [0, 1, 0]]
    check("maximum_filter", x, footprint=footprint, axes=(0, 2))
    check("maximum_filter", x, footprint=np.ones((2, 3)), axes=(-2, -1))


def test_not_contiguous():
    x = values((8, 9, 10), "i2")
    views = (
        lambda a: a.T,
        lambda a: a[::2, ::-1],
        lambda a: a.transpose(1, 2, 0)[:, 1:],
    )
    for view in views:
        expected = scipy.ndimage.minimum_filter(view(x), 3)
        found = ndimage.minimum_filter(view(cp.array(x)), 3)
        np.testing.assert_array_equal(found.get(), expected)
    wide = ndimage.maximum_filter(cp.broadcast_to(cp.arange(5), (4, 5)), 3)
    np.testing.assert_array_equal(wide.get(), np.tile([1, 2, 3, 4, 4], (4, 1)))


def test_empty_and_without_axes():
    for shape in ((0,), (3, 0), (0, 4), ()):
        check("minimum_filter", np.ones(shape), 3)
    check("minimum_filter1d", np.zeros((3, 0)), 3)
    check("maximum_filter", np.zeros((3, 0)), footprint=[[0, 1]])
    check("maximum_filter", values((3, 4), "d"), 1)


def test_output():
    x = values((6, 7), "i4")
    for dtype in ("f4", "f8", np.int16, "i8"):
        check("minimum_filter", x, 3, output=dtype)
        check("maximum_filter", x, footprint=[[1, 0, 1]], output=dtype)
    for out in (np.zeros((6, 7), "i4"), np.zeros((6, 7)), np.zeros((7, 6), "i4").T):
        expected = out.copy()
        scipy.ndimage.minimum_filter(x, 3, output=expected)
        target = cp.array(out)
        assert ndimage.minimum_filter(cp.array(x), 3, output=target) is target
        np.testing.assert_array_equal(target.get(), expected)


@pytest.mark.parametrize("window", [{"size": 3}, {"footprint": [[1, 0, 1]]}])
def test_output_overlaps(window):
    x = values((6, 9), "f8")
    base = cp.array(x)
    expected = scipy.ndimage.minimum_filter(x, **window)
    ndimage.minimum_filter(base, **window, output=base)
    np.testing.assert_array_equal(base.get(), expected)
    base = cp.array(x)
    expected = scipy.ndimage.minimum_filter(x[:, :-2], **window)
    ndimage.minimum_filter(base[:, :-2], **window, output=base[:, 2:])
    np.testing.assert_array_equal(base[:, 2:].get(), expected)


def test_footprint_on_the_device():
    x = values((6, 7), "f4")
    footprint = np.array([[0, 1], [1, 1]])
    expected = scipy.ndimage.minimum_filter(x, footprint=footprint)
    found = ndimage.minimum_filter(cp.array(x), footprint=cp.array(footprint))
    np.testing.assert_array_equal(found.get(), expected)


def test_errors():
    x = cp.ones((4, 5))
    with pytest.raises(TypeError, match="Unsupported type"):
        ndimage.minimum_filter(np.ones(4), 3)
    with pytest.raises(TypeError, match="Complex"):
        ndimage.minimum_filter(x.astype("D"), 3)
    with pytest.raises(TypeError, match="Complex"):
        ndimage.maximum_filter1d(x.astype("D"), 3)
    with pytest.raises(RuntimeError, match="no footprint"):
        ndimage.minimum_filter(x)
    with pytest.raises(ValueError, match="All-zero"):
        ndimage.minimum_filter(x, footprint=[[0, 0]])
    with pytest.raises(RuntimeError, match="must match"):
        ndimage.minimum_filter(x, footprint=[0, 1])
    with pytest.raises(RuntimeError, match="must match"):
        ndimage.minimum_filter(x, footprint=[1, 1])
    with pytest.raises(RuntimeError, match="size"):
        ndimage.minimum_filter(x, (1, 2, 3))
    with pytest.raises(RuntimeError, match="filter size"):
        ndimage.minimum_filter1d(x, 0)
    with pytest.raises(ValueError, match="origin"):
        ndimage.minimum_filter1d(x, 3, origin=2)
    with pytest.raises(ValueError, match="origin"):
        ndimage.minimum_filter(x, footprint=[[1, 0]], origin=1)
    with pytest.raises(RuntimeError, match="sequence of modes"):
        ndimage.minimum_filter(x, footprint=[[1, 0]], mode=["wrap", "mirror"])
    with pytest.raises(ValueError, match="mode"):
        ndimage.minimum_filter(x, 3, mode="none")
    with pytest.raises(ValueError, match="axis"):
        ndimage.minimum_filter1d(x, 3, axis=2)
    with pytest.warns(UserWarning, match="ignoring size"):
        ndimage.minimum_filter(x, 3, footprint=[[1, 0]])
