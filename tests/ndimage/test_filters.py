"""Correlation and convolution with weights, against SciPy."""

import itertools

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
DTYPES = "?bBhHiIlLefdFD"
TOLERANCE = {"e": 1e-2, "f": 2e-5, "F": 2e-5}


def values(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 100, shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.integers(0, 100, shape)
    elif np.dtype(dtype).kind == "b":
        x = x > 50
    return x.astype(dtype)


def check(name, x, *args, **kwargs):
    """The result of a function here and in SciPy."""
    expected = getattr(scipy.ndimage, name)(x, *args, **kwargs)
    found = getattr(ndimage, name)(cp.array(x), *args, **kwargs)
    assert isinstance(found, cp.ndarray)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    bound = TOLERANCE.get(found.dtype.char, 1e-12)
    if found.dtype.kind in "fc":
        np.testing.assert_allclose(found.get(), expected, rtol=bound, atol=bound * 1e3)
    else:
        np.testing.assert_array_equal(found.get(), expected)


@pytest.mark.parametrize("name", ["correlate1d", "convolve1d"])
@pytest.mark.parametrize("mode", MODES)
def test_every_mode_along_each_axis(name, mode):
    x = values((5, 7, 6), "f8")
    for axis, taps in itertools.product((0, 1, -1), (1, 2, 3, 6, 8)):
        for origin in {0, -(taps // 2), (taps - 1) // 2}:
            w = np.arange(1.0, taps + 1)
            check(name, x, w, axis, mode=mode, cval=2.5, origin=origin)


@pytest.mark.parametrize("name", ["correlate1d", "convolve1d"])
@pytest.mark.parametrize("mode", MODES)
def test_weights_longer_than_the_axis(name, mode):
    for n in (1, 2, 3):
        check(name, values((n, 80), "d"), np.arange(11.0), 0, mode=mode, cval=1)
        check(name, values((80, n), "d"), np.arange(11.0), 1, mode=mode, cval=1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    x = values((9, 70), dtype)
    if dtype == "e":  # which SciPy does not take
        found = ndimage.correlate1d(cp.array(x), [0.25, 0.5, 0.25])
        expected = scipy.ndimage.correlate1d(x.astype("f4"), [0.25, 0.5, 0.25])
        np.testing.assert_array_equal(found.get(), expected.astype("e"))
        return
    for axis in (0, 1):
        check("correlate1d", x, [0.25, 0.5, 0.25], axis)
        check("convolve1d", x, [1, 0, 3], axis)
    check("correlate", x, [[0.25, 0.5], [0, 0.25]])
    check("convolve", x, np.full((3, 3), 0.125))


@pytest.mark.parametrize("shape", [(5000,), (3, 2100), (2048,), (4097, 2), (70, 300)])
@pytest.mark.parametrize("dtype", ["f4", "u1"])
def test_lengths_of_pieces(shape, dtype):
    x = values(shape, dtype)
    for axis in range(x.ndim):
        check("correlate1d", x, np.arange(23) / 16, axis)
    check("correlate", x, np.ones((3,) * x.ndim) / 8)


def test_many_weights():
    check("correlate1d", values(3000, "d"), np.hanning(1501), mode="wrap")
    check("correlate1d", values((3, 900), "d"), np.hanning(1501), mode="mirror")
    check("correlate", values((40, 30), "d"), np.arange(13.0 * 17).reshape(13, 17))


@pytest.mark.parametrize("name", ["correlate", "convolve"])
@pytest.mark.parametrize("mode", MODES)
def test_windows_in_every_mode(name, mode):
    for shape, window in (
        ((17,), (4,)),
        ((6, 8), (3, 2)),
        ((2, 3), (5, 7)),
        ((4, 5, 6), (2, 3, 4)),
        ((3, 2, 3, 4), (2, 1, 2, 3)),
    ):
        w = values(window, "d", 1)
        check(name, values(shape, "d"), w, mode=mode, cval=1.5)
        check(
            name,
            values(shape, "d"),
            w,
            mode=mode,
            origin=[-(window[0] // 2)] + [0] * (len(shape) - 1),
        )


def test_modes_and_axes():
    x = values((5, 6, 7), "d")
    w = values((3, 2), "d", 1)
    check("correlate", x, w, axes=(0, 2), mode="constant", cval=3)
    found = ndimage.correlate(cp.array(x[0]), np.ones((3, 3)), mode=["wrap", "mirror"])
    once = scipy.ndimage.correlate1d(x[0], [1, 1, 1], 0, mode="wrap")
    expected = scipy.ndimage.correlate1d(once, [1, 1, 1], 1, mode="mirror")
    np.testing.assert_allclose(found.get(), expected)
    check("convolve", x, w, axes=(1, 2), origin=(1, 0))
    check("correlate", x, w, axes=(2, 0), origin=(0, 1))
    check("correlate", x, w[0], axes=2)


@pytest.mark.parametrize("name", ["correlate1d", "convolve1d", "correlate", "convolve"])
def test_complex(name):
    x, w = values(40, "D"), np.array([1 + 2j, 3, -1j])
    check(name, x, w)
    check(name, x, w, mode="constant", cval=2 - 1j)
    check(name, x.real, w, mode="constant", cval=2)
    check(name, x, w.real, mode="constant", cval=1j)
    check(name, x.astype("F"), w)


def test_not_contiguous():
    x = values((8, 9, 10), "f8")
    views = (
        lambda a: a.T,
        lambda a: a[::2, ::-1],
        lambda a: a.transpose(1, 2, 0)[:, 1:],
    )
    for view in views:
        expected = scipy.ndimage.correlate1d(view(x), [1, 2, 3], 1)
        found = ndimage.correlate1d(view(cp.array(x)), [1, 2, 3], 1)
        np.testing.assert_allclose(found.get(), expected)


def test_empty():
    for shape in ((0,), (3, 0), (0, 4)):
        check("correlate1d", np.zeros(shape), [1, 2, 1])
        check("correlate", np.zeros(shape), np.ones((3,) * len(shape)))


# ---- outputs -------------------------------------------------------------------------


def test_output_is_a_dtype():
    x = values((6, 7), "u1")
    for dtype in ("f4", "f8", np.int32, "u1"):
        check("correlate1d", x, [0.5, 1.25], output=dtype)
        check("correlate", x, [[0.5, 1.25]], output=dtype)


def test_output_is_an_array():
    x = values((6, 7), "f4")
    for out in (np.zeros((6, 7)), np.zeros((6, 7), "i4"), np.zeros((7, 6)).T):
        expected = out.copy()
        scipy.ndimage.correlate1d(x, [1, 2], output=expected)
        target = cp.array(out)
        assert ndimage.correlate1d(cp.array(x), [1, 2], output=target) is target
        np.testing.assert_allclose(target.get(), expected)


def test_output_overlaps():
    x = values((6, 7), "f8")
    base = cp.array(x)
    expected = scipy.ndimage.correlate1d(x, [1, 2, 3], 0)
    ndimage.correlate1d(base, [1, 2, 3], 0, output=base)
    np.testing.assert_allclose(base.get(), expected)
    line = cp.arange(10.0)
    ndimage.correlate(line[:8], [1, 2, 3], output=line[2:])
    np.testing.assert_allclose(
        line[2:].get(), scipy.ndimage.correlate(np.arange(8.0), [1, 2, 3])
    )


def test_errors():
    x = cp.ones((4, 5))
    with pytest.raises(TypeError, match="Unsupported type"):
        ndimage.correlate1d(np.ones(4), [1, 2])
    with pytest.raises(TypeError, match="Unsupported type"):
        ndimage.correlate1d(x, [1, 2], output=np.ones((4, 5)))
    with pytest.raises(RuntimeError, match="output shape"):
        ndimage.correlate1d(x, [1, 2], output=cp.ones((5, 4)))
    with pytest.raises(RuntimeError, match="no filter weights"):
        ndimage.correlate1d(x, [[1, 2]])
    with pytest.raises(RuntimeError, match="weights"):
        ndimage.correlate(x, [1, 2])
    with pytest.raises(ValueError, match="mode"):
        ndimage.correlate(x, [[1, 2]], mode="none")
    with pytest.raises(ValueError, match="origin"):
        ndimage.correlate1d(x, [1, 2], origin=1)
    with pytest.raises(ValueError, match="axis"):
        ndimage.correlate1d(x, [1, 2], axis=2)
    with pytest.raises(ValueError, match="unique"):
        ndimage.correlate(x, [[1, 2]], axes=(0, 0))
    with pytest.raises(ValueError, match="cval"):
        ndimage.correlate1d(x, [1, 2], mode="constant", cval=1j)
    with pytest.raises(RuntimeError, match="complex"):
        ndimage.correlate1d(x, [1, 2j], output=cp.ones((4, 5)))
