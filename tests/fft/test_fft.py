"""cupric.fft against numpy.fft."""

import numpy as np
import pytest

import cupric as cp

RNG = np.random.default_rng(0)
REAL = RNG.random((4, 6, 5))
COMPLEX = REAL + 1j * RNG.random((4, 6, 5))

ONE = [
    {},
    {"n": 7},
    {"n": 3, "axis": 1},
    {"axis": 0, "norm": "ortho"},
    {"norm": "forward"},
]
MANY = [
    {},
    {"s": (3, 4)},
    {"axes": (0, 2)},
    {"s": (7, 2), "axes": (2, 1), "norm": "ortho"},
]


def check(name, x, tolerance, **options):
    expected = getattr(np.fft, name)(x, **options)
    actual = getattr(cp.fft, name)(cp.asarray(x), **options)
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(actual.get(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("options", ONE)
@pytest.mark.parametrize("name", ["fft", "ifft", "irfft", "hfft"])
def test_one_axis_of_complex(name, options):
    check(name, COMPLEX, 1e-12, **options)


@pytest.mark.parametrize("options", ONE)
@pytest.mark.parametrize("name", ["fft", "rfft", "ihfft"])
def test_one_axis_of_real(name, options):
    check(name, REAL, 1e-12, **options)


@pytest.mark.parametrize("options", MANY)
@pytest.mark.parametrize("name", ["fftn", "ifftn", "irfftn", "fft2", "ifft2", "irfft2"])
def test_several_axes(name, options):
    check(name, COMPLEX, 1e-12, **options)


@pytest.mark.parametrize("options", MANY)
@pytest.mark.parametrize("name", ["rfftn", "rfft2", "fftn"])
def test_several_axes_of_real(name, options):
    check(name, REAL, 1e-12, **options)


@pytest.mark.parametrize("dtype", ["f", "F"])
def test_single_precision_stays(dtype):
    check("fft", COMPLEX.real.astype("f").astype(dtype), 1e-5)
    check("fft2", COMPLEX.real.astype("f").astype(dtype), 1e-5)


@pytest.mark.parametrize("dtype", ["?", "b", "L", "i"])
def test_integers_are_float64(dtype):
    check("fft", (REAL * 9).astype(dtype), 1e-10)


def test_strided_input_and_views():
    check("fft", COMPLEX[::-1, ::2].transpose(2, 0, 1), 1e-12)


def test_frequencies_and_shifts():
    for n in (1, 4, 5):
        np.testing.assert_array_equal(
            cp.fft.fftfreq(n, 0.5).get(), np.fft.fftfreq(n, 0.5)
        )
        np.testing.assert_array_equal(cp.fft.rfftfreq(n).get(), np.fft.rfftfreq(n))
    for axes in (None, 0, (0, 2)):
        for name in ("fftshift", "ifftshift"):
            expected = getattr(np.fft, name)(REAL, axes)
            actual = getattr(np.fft, name)(cp.asarray(REAL), axes)
            np.testing.assert_array_equal(actual.get(), expected)


def test_errors():
    x = cp.asarray(REAL)
    with pytest.raises(ValueError, match="Invalid number of FFT data points"):
        cp.fft.fft(x, n=0)
    with pytest.raises(np.exceptions.AxisError):
        cp.fft.fft(x, axis=3)
    with pytest.raises(ValueError, match="different lengths"):
        cp.fft.fftn(x, s=(2, 2), axes=(0,))
    with pytest.raises(ValueError, match="norm"):
        cp.fft.fft(x, norm="twice")
    with pytest.raises(TypeError, match="Unsupported type"):
        cp.fft.fft(REAL)
