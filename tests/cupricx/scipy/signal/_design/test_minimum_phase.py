"""Filters of minimum phase against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import agree, same_error

theirs = pytest.importorskip("scipy.signal")


@pytest.mark.parametrize("numtaps", [3, 4, 5, 50, 51, 200])
@pytest.mark.parametrize(
    "kwargs",
    [
        {},
        {"half": False},
        {"n_fft": 512},
        {"n_fft": 513},
        {"half": False, "n_fft": 600},
    ],
)
def test_homomorphic(numtaps, kwargs):
    h = theirs.firwin(numtaps, 0.3)
    if numtaps % 2 == 0 and kwargs.get("n_fft") == 600:
        return  # the logarithm of what rounding leaves of the zero at fs/2
    expected = theirs.minimum_phase(h, **kwargs)
    bound = 1e-9 if numtaps < 100 else 1e-4  # of zeros on the circle, by rounding
    agree(ours.minimum_phase(h, **kwargs), expected, bound)
    agree(ours.minimum_phase(cp.array(h), **kwargs), expected, bound)


@pytest.mark.parametrize("numtaps", [31, 50, 51])
def test_hilbert(numtaps):
    """The least magnitude is that of rounding errors, so that much differs a little."""
    h = theirs.remez(numtaps, [0, 0.2, 0.3, 0.5], [1, 0])
    made = ours.minimum_phase(cp.array(h), "hilbert")
    expected = theirs.minimum_phase(h, "hilbert")
    agree(made, expected, 5e-3)
    w = np.linspace(0, 0.4 * np.pi, 50)
    gain = np.abs(theirs.freqz(made.get(), 1, w)[1])
    np.testing.assert_allclose(gain, 1, atol=0.15)


def test_zeros_are_within_the_circle():
    h = ours.minimum_phase(theirs.firwin(21, 0.4), half=False).get()
    assert np.abs(np.roots(h)).max() < 1.01


@pytest.mark.parametrize("h", [[1, 2, 3, 4, 5.0], [1, 2, 3, 2, 1.5]])
def test_filters_that_are_not_symmetric(h):
    with pytest.warns(RuntimeWarning, match="not appear to be symmetric"):
        ours.minimum_phase(h)


@pytest.mark.filterwarnings("error")
def test_symmetric_filters_do_not_warn():
    ours.minimum_phase([1.0, 2, 3, 2, 1 + 1e-9])


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.float64])
def test_dtypes(dtype):
    h = np.array([1, 2, 3, 2, 1], dtype)
    agree(ours.minimum_phase(h), theirs.minimum_phase(h), 1e-5)


@pytest.mark.parametrize(
    ("h", "kwargs"),
    [
        *(([1, 2, 3, 2, 1], {"method": "foo"}), ([1, 2], {}), ([[1, 2, 3]], {})),
        *(([1, 2, 3j], {}), ([1, 2, 3, 2, 1], {"n_fft": 4}), ([0.0, 0, 0], {})),
        ([1, 2, 3, 2, 1], {"method": "hilbert", "half": False}),
    ],
)
def test_refusals(h, kwargs):
    assert same_error(ours.minimum_phase, theirs.minimum_phase, h, **kwargs)
