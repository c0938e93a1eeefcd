"""scipy.fft calls a backend's functions."""

import numpy as np
import pytest
import scipy.fft

import cupric as cp
import cupricx.scipy.fft

NAMES = [
    *("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifftn", "rfft2"),
    *("dct", "idct", "dst", "idst", "dctn", "idstn"),
]


@pytest.mark.parametrize("name", NAMES)
def test_functions(name):
    x = cp.arange(12.0).reshape(3, 4)
    with scipy.fft.set_backend(cupricx.scipy.fft):
        found = getattr(scipy.fft, name)(x)
    expected = getattr(cupricx.scipy.fft, name)(x)
    assert isinstance(found, cp.ndarray)
    np.testing.assert_array_equal(found.get(), expected.get())


def test_options_are_passed():
    x = cp.arange(12.0).reshape(3, 4)
    with scipy.fft.set_backend(cupricx.scipy.fft):
        assert scipy.fft.fft(x, 5, axis=0, workers=2).shape == (5, 4)
        y = scipy.fft.dct(x, 3, norm="ortho", orthogonalize=False)
        z = scipy.fft.fht(x, 0.1, 1)
    expected = scipy.fft.dct(x.get(), 3, norm="ortho", orthogonalize=False)
    np.testing.assert_allclose(y.get(), expected, atol=1e-14)
    np.testing.assert_allclose(z.get(), scipy.fft.fht(x.get(), 0.1, 1), atol=1e-12)


def test_backend_ends_with_its_block():
    with scipy.fft.set_backend(cupricx.scipy.fft):
        pass
    assert isinstance(scipy.fft.fft(np.ones(3)), np.ndarray)
