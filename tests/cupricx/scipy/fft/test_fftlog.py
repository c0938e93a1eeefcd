"""Fast Hankel transforms, against SciPy: to 1e-12 of the largest, float32 1e-6."""

import warnings

import numpy as np
import pytest
import scipy.fft

import cupric as cp
from cupricx.scipy import fft

ORDERS = [(0, 0, 0), (0.3, 0.1, 0), (1.5, -0.5, 0.3), (2, 0.2, -0.4), (-3, 0, 0)]
each_name = pytest.mark.parametrize("name", ["fht", "ifht"])


def agree(found, expected):
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    bound = 1e-6 if expected.dtype == np.float32 else 1e-12
    atol = bound * np.abs(expected).max()
    np.testing.assert_allclose(found.get(), expected, rtol=0, atol=atol)


@each_name
@pytest.mark.parametrize("dtype", "efdi")
@pytest.mark.parametrize(("mu", "offset", "bias"), ORDERS)
def test_against_scipy(name, dtype, mu, offset, bias):
    rng = np.random.default_rng(0)
    for n in (1, 2, 5, 16, 33, 64, 500):
        x = (rng.standard_normal((2, n)) * 10).astype(dtype)
        expected = getattr(scipy.fft, name)(x, 0.1, mu, offset, bias)
        agree(getattr(fft, name)(cp.array(x), 0.1, mu, offset, bias), expected)


@each_name
def test_orders_and_spacings(name):
    """Poles to the left, long ways to the right, a real last factor near 0.

    That factor is 2e-5, the cosine of a phase in the hundreds; `ifht` divides by it.
    """
    for n, dln, mu, bias in (
        (182, 0.01, 56.2033345560462, 0.0),
        (100, -0.1, -7.3, 0.4),
        (99, 0.02, 140.5, -1.5),
        (4097, 0.003, 0.5, 0.2),
    ):
        x = np.random.default_rng(2).standard_normal(n)
        expected = getattr(scipy.fft, name)(x, dln, mu, bias=bias)
        found = getattr(fft, name)(cp.array(x), dln, mu, bias=bias)
        bound = 1e-10 if (name, n) != ("ifht", 182) else 5e-8
        bound *= np.abs(expected).max()
        np.testing.assert_allclose(found.get(), expected, rtol=0, atol=bound)


@pytest.mark.parametrize(
    ("name", "mu", "bias"),
    [("fht", 0, -1.0), ("ifht", 0, 1.0), ("ifht", 1, 2.0), ("ifht", 0, 3.0)],
)
def test_singular(name, mu, bias):
    x = np.random.default_rng(1).standard_normal(16)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = getattr(scipy.fft, name)(x, 0.1, mu, bias=bias)
    with pytest.warns(UserWarning, match="singular"):
        found = getattr(fft, name)(cp.array(x), 0.1, mu, bias=bias)
    agree(found, expected)


def test_both_gamma_functions_infinite():
    x = np.random.default_rng(1).standard_normal(16)
    for name in ("fht", "ifht"):
        for mu, bias in ((-2.0, 1.0), (-3, 2.0), (-3, 0.0), (-5, 2.0)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = getattr(scipy.fft, name)(x, 0.1, mu, bias=bias)
                found = getattr(fft, name)(cp.array(x), 0.1, mu, bias=bias)
            agree(found, expected)


@each_name
def test_errors(name):
    f = getattr(fft, name)
    with pytest.raises(TypeError, match="real"):
        f(cp.ones(4, "D"), 0.1, 0)
    with pytest.raises(ValueError, match="data points"):
        f(cp.ones((2, 0)), 0.1, 0)
    with pytest.raises(ValueError, match="dimension"):
        f(cp.ones(()), 0.1, 0)
    with pytest.raises(TypeError, match="Unsupported type"):
        f(np.ones(4), 0.1, 0)
