"""Fourier transforms, against SciPy: to 20 ulp of the largest element."""

import numpy as np
import pytest
import scipy.fft

import cupric as cp
from cupricx.scipy import fft

ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
TWO = ("fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2")
SEVERAL = ("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn")
OF_REAL = {name for name in ONE + TWO + SEVERAL if name[:4] in ("rfft", "ihff")}


def values(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) * 10
    if np.dtype(dtype).kind == "c":
        x = x + 10j * rng.standard_normal(shape)
    return (x > 0 if np.dtype(dtype) == bool else x).astype(dtype)


def check(name, x, *args, **kwargs):
    expected = getattr(scipy.fft, name)(x, *args, **kwargs)
    found = getattr(fft, name)(cp.array(x), *args, **kwargs)
    assert isinstance(found, cp.ndarray)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    bound = 20 * np.finfo(expected.dtype).eps * np.abs(expected).max(initial=0)
    np.testing.assert_allclose(found.get(), expected, rtol=0, atol=bound)


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
def test_dtypes(name, dtype):
    if name in OF_REAL and dtype in "FD":
        with pytest.raises(TypeError, match="real"):
            getattr(fft, name)(cp.ones(4, dtype))
        return
    for shape, axis in (((7,), 0), ((5, 6), -1), ((4, 5, 6), 1)):
        check(name, values(shape, dtype), axis=axis)


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
def test_lengths_and_norms(name, norm):
    for n in (None, 1, 2, 5, 6, 9, 16):
        for axis in (0, 1):
            check(name, values((6, 7), "d"), n, axis, norm)


@pytest.mark.parametrize("name", TWO + SEVERAL)
def test_several_axes(name):
    x = values((4, 5, 6), "d")
    if name in OF_REAL:
        with pytest.raises(TypeError, match="real"):
            getattr(fft, name)(cp.array(x + 0j))
    else:
        check(name, x.astype("F"))
    for norm in (None, "ortho", "forward"):
        check(name, x, norm=norm)
        check(name, x, axes=(2, 0), norm=norm)
        check(name, x, (3, 8), (0, 1), norm)
    check(name, x, axes=1)
    check(name, x, (-1, 3), axes=(0, 1))
    check(name, x.astype("e"), (4, 4), axes=(1, 2))
    if name in SEVERAL:
        check(name, x, (3, 3))
        check(name, x, 5)


def test_no_axes():
    x = cp.ones((3, 4))
    for dtype in "deil":  # as in SciPy nothing is done
        for f in (fft.fftn, fft.ifft2, fft.dctn, fft.idstn):
            assert f(x.astype(dtype), axes=()).dtype == dtype
    for name in ("rfftn", "irfftn", "hfftn", "ihfftn"):
        with pytest.raises(ValueError, match="at least 1 axis"):
            getattr(fft, name)(x, axes=())


@pytest.mark.parametrize("name", ONE + TWO + SEVERAL)
def test_errors(name):
    f, x = getattr(fft, name), cp.ones((3, 4))
    with pytest.raises(ValueError, match="Invalid norm value 'x'"):
        f(x, norm="x")
    with pytest.raises(TypeError, match="Unsupported type"):
        f(np.ones((3, 4)))
    with pytest.raises(ValueError, match="invalid number of data points"):
        f(x, 0) if name in ONE else f(x, (0, 3))
    with pytest.raises(ValueError, match="invalid number of data points"):
        f(cp.ones((3, 0)))
    with pytest.raises((IndexError, ValueError), match="out of bounds|exceeds"):
        f(x, axis=2) if name in ONE else f(x, axes=(0, 2))
    if name not in ONE:
        with pytest.raises(ValueError, match="unique"):
            f(x, axes=(0, 0))
        with pytest.raises(ValueError, match="same length"):
            f(x, (3,), axes=(0, 1))


def test_empty_batches():
    for name in ONE:
        check(name, np.zeros((0, 4)))


def test_input_is_unchanged():
    x = cp.arange(8.0)
    for name in ONE:
        getattr(fft, name)(x, overwrite_x=True)
    np.testing.assert_array_equal(x.get(), np.arange(8.0))


def test_helpers_are_those_of_cupric():
    assert fft.fftshift is cp.fft.fftshift
    np.testing.assert_array_equal(fft.fftfreq(5, 0.1).get(), scipy.fft.fftfreq(5, 0.1))
