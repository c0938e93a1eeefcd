"""Transforms of fftpack, against SciPy: to 20 ulp of the largest element."""

import numpy as np
import pytest
import scipy.fftpack

import cupric as cp
from cupricx.scipy import fftpack

COMPLEX = ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn")
REAL = ("rfft", "irfft")


def check(name, x, *args, **kwargs):
    expected = getattr(scipy.fftpack, name)(x, *args, **kwargs)
    found = getattr(fftpack, name)(cp.array(x), *args, **kwargs)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    bound = 20 * np.finfo(expected.dtype).eps * np.abs(expected).max(initial=0)
    np.testing.assert_allclose(found.get(), expected, rtol=0, atol=bound)


def values(shape, dtype):
    return (np.random.default_rng(0).standard_normal(shape) * 10).astype(dtype)


@pytest.mark.parametrize("name", COMPLEX + REAL)
@pytest.mark.parametrize("dtype", "bBhHiIlLefdFD")
def test_dtypes(name, dtype):
    x = values((5, 6), dtype)
    if name in REAL and dtype in "FD":
        with pytest.raises(TypeError, match="real"):
            getattr(fftpack, name)(cp.array(x))
    else:
        check(name, x)


@pytest.mark.parametrize("name", ["fft", "ifft", *REAL])
def test_lengths(name):
    for n in (None, 1, 2, 3, 6, 7, 8, 11):
        for axis in (0, 1, 2):
            check(name, values((5, 6, 7), "d"), n, axis)
            check(name, values((5, 6, 7), "f")[:, ::-1], n, axis)


@pytest.mark.parametrize("name", COMPLEX[2:])
def test_shapes(name):
    x = values((4, 5, 6), "d")
    check(name, x)
    check(name, x, (3, 7), (0, 2))
    check(name, x, axes=(2, 0))


def test_real_transforms_are_inverse():
    for n in (1, 2, 7, 8):
        x = values((3, n), "d")
        found = fftpack.irfft(fftpack.rfft(cp.array(x)))
        np.testing.assert_allclose(found.get(), x, atol=1e-14 * 100)


def test_plans():
    x = cp.array(values((3, 8), "F"))
    plan = fftpack.get_fft_plan(x, axes=1)
    expected = fftpack.fft(x).get()
    np.testing.assert_array_equal(fftpack.fft(x, plan=plan).get(), expected)
    with pytest.raises(ValueError, match="plan"):
        fftpack.fft(x, 5, plan=plan)


@pytest.mark.parametrize("name", COMPLEX + REAL)
def test_errors(name):
    f = getattr(fftpack, name)
    with pytest.raises(ValueError, match="invalid number of data points"):
        f(cp.ones((2, 0)))
    with pytest.raises(TypeError, match="Unsupported type"):
        f(np.ones((2, 3)))
