"""Filters of spectra, against SciPy: to 1e-12 of the largest element, float32 1e-6."""

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage

NAMES = ("fourier_gaussian", "fourier_uniform", "fourier_ellipsoid", "fourier_shift")
SHAPES = [
    (1,),
    (7,),
    (1300,),
    (8, 9),
    (1, 8),
    (40, 1),
    (5, 6, 7),
    (3, 40, 600),
    (3, 4, 5, 6),
    (2, 3, 1, 4, 3),
    (2,) * 7,
]

each_name = pytest.mark.parametrize("name", NAMES)


def values(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.integers(0 if np.dtype(dtype).kind in "bu" else -50, 50, shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.integers(-50, 50, shape)
    return x.astype(dtype)


def agree(found, expected, double=1e-12):
    assert isinstance(found, cp.ndarray)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    bound = 1e-6 if expected.dtype.char in "fF" else double
    np.testing.assert_allclose(found.get(), expected, rtol=0, atol=bound * 100)


def check(name, x, *args, **kwargs):
    """The result of a function here and in SciPy."""
    expected = getattr(scipy.ndimage, name)(x, *args, **kwargs)
    found = getattr(ndimage, name)(cp.array(x), *args, **kwargs)
    # for a ball SciPy divides the difference of two close numbers by a small one
    agree(found, expected, 1e-10 if "ellipsoid" in name and x.ndim == 3 else 1e-12)


@each_name
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(name, shape):
    if name == "fourier_ellipsoid" and len(shape) > 3:
        with pytest.raises(NotImplementedError, match="dimensions"):
            ndimage.fourier_ellipsoid(cp.ones(shape), 1)
        return
    rng = np.random.default_rng(len(shape))
    for dtype in "fD":
        x, each = values(shape, dtype), rng.uniform(0.5, 4, len(shape))
        check(name, x, each)
        for axis in range(x.ndim):
            check(name, x, each, 2 * shape[axis] - 1, axis)
        check(name, x, 2.5, 2 * shape[-1])
        check(name, x, -1.5)


@each_name
@pytest.mark.parametrize("dtype", "?bBhHiIlLfdFD")
def test_dtypes(name, dtype):
    check(name, values((6, 10), dtype), 2)
    check(name, values((6, 10), dtype), (0, 30))


@each_name
def test_outputs(name):
    for dtype in "fdFD":
        x = values((6, 10), dtype)
        for output in (np.complex64, np.complex128):
            check(name, x, 2, output=output)
        out = np.zeros((10, 6), "F").T
        expected = out.copy()
        getattr(scipy.ndimage, name)(x, 2, output=expected)
        target = cp.array(out)
        assert getattr(ndimage, name)(cp.array(x), 2, output=target) is target
        agree(target, expected)
    x = values((3, 4, 5, 6)[: 3 if name == "fourier_ellipsoid" else 4], "D")
    expected = getattr(scipy.ndimage, name)(x, 2)
    base = cp.array(x)
    getattr(ndimage, name)(base, 2, output=base)
    agree(base, expected)
    if name != "fourier_shift":
        check(name, values((6, 10), "d"), 2, output=np.float32)


@each_name
def test_not_contiguous(name):
    x = values((6, 7, 8), "D")
    for view in (lambda a: a.T, lambda a: a[::2, ::-1], lambda a: a[:, 1:, 3]):
        expected = getattr(scipy.ndimage, name)(view(x), 1.5)
        agree(getattr(ndimage, name)(view(cp.array(x)), 1.5), expected)


@each_name
def test_empty(name):
    for shape in ((0,), (3, 0), (0, 4)):
        y = getattr(ndimage, name)(cp.ones(shape, "F"), 2)
        assert y.shape == shape
        assert y.dtype == "F"


def test_an_image_is_filtered():
    x = values((30, 40), "d")
    spectrum = ndimage.fourier_shift(cp.fft.rfft2(cp.array(x)), (3, -5), n=40)
    y = cp.fft.irfft2(spectrum, s=(30, 40)).get()
    np.testing.assert_allclose(y, np.roll(x, (3, -5), (0, 1)), atol=1e-10)
    spectrum = ndimage.fourier_gaussian(cp.fft.fft2(cp.array(x)), 2)
    y = cp.fft.ifft2(spectrum).real.get()
    expected = scipy.ndimage.gaussian_filter(x, 2, mode="wrap", truncate=9)
    np.testing.assert_allclose(y, expected, atol=1e-4)


@pytest.mark.parametrize("size", [1e-3, 0.3, 60, 1e7])
def test_balls_of_any_size(size):
    """Sums of many, and of few wave lengths."""
    for shape in ((50,), (20, 30), (9, 10, 30)):
        x = values(shape, "d")
        found = ndimage.fourier_ellipsoid(cp.array(x), size).get()
        expected = scipy.ndimage.fourier_ellipsoid(x, size)
        # SciPy's difference of two close numbers, by the cube of a small one
        bound = 1e-2 if size < 0.01 and len(shape) == 3 else 1e-9
        np.testing.assert_allclose(found, expected, rtol=0, atol=bound)


def test_errors():
    x = cp.ones((4, 5), "D")
    with pytest.raises(TypeError, match="Unsupported type"):
        ndimage.fourier_shift(np.ones(4), 1)
    with pytest.raises(RuntimeError, match="output type"):
        ndimage.fourier_gaussian(x.real, 1, output=np.int32)
    with pytest.raises(RuntimeError, match="output type"):
        ndimage.fourier_shift(x, 1, output=np.float64)
    with pytest.raises(RuntimeError, match="complex"):
        ndimage.fourier_uniform(x, 1, output=np.float64)
    with pytest.raises(RuntimeError, match="output shape"):
        ndimage.fourier_uniform(x, 1, output=cp.ones((5, 4)))
    with pytest.raises(RuntimeError, match="sigma has 3"):
        ndimage.fourier_gaussian(x, (1, 2, 3))
    with pytest.raises(ValueError, match="axis"):
        ndimage.fourier_gaussian(x, 1, axis=2)
    with pytest.raises(ValueError, match="n=0"):
        ndimage.fourier_gaussian(x, 1, n=0)


def test_factors_that_no_float_holds():
    """Far from the origin all of them are 0: those that are not normal take long."""
    x = np.ones((256, 256), "F")
    found = ndimage.fourier_gaussian(cp.array(x), 3).get()
    expected = scipy.ndimage.fourier_gaussian(x, 3)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=2**-126)
    assert (found[abs(expected) < 2**-127] == 0).all()
    assert (found[abs(expected) > 2**-125] != 0).all()
