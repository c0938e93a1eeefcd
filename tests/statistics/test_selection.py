"""Medians and quantiles of long vectors, whose elements are selected, not sorted."""

import numpy as np
import pytest

import cupric as cp

N = 20_000
METHODS = [
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "hazen"),
    *("interpolated_inverted_cdf", "linear", "weibull", "median_unbiased"),
    *("normal_unbiased", "lower", "higher", "midpoint", "nearest"),
]
QUANTILES = [
    0.0,
    1.0,
    0.3,
    0.5,
    1e-5,
    0.99999,
    [0.25, 0.75],
    [0.5, 0.50001],
    [1.0, 0.0],
]


def vectors(dtype):
    rng = np.random.default_rng(1)
    a = rng.standard_normal(N + 1) * 1000
    if dtype in "FD":
        a = a + 1j * rng.permutation(a)
    a = a.astype(dtype)
    many = rng.integers(0, 3, N).astype(dtype)
    yield from (a, a[:-1], a[::-1], np.sort(a), many)


def same(got, expected, dtype):
    tolerance = 1e-6 if dtype in "fF" else 1e-13
    np.testing.assert_allclose(got.get(), expected, rtol=tolerance, equal_nan=True)


@pytest.mark.parametrize("dtype", "iIlLfd")
@pytest.mark.parametrize("method", METHODS)
def test_quantiles(method, dtype):
    for a in vectors(dtype if dtype in "ilfd" else dtype.lower()):
        a = a.astype(dtype)
        x = cp.array(a)
        for q in QUANTILES:
            expected = np.quantile(a, q, method=method)
            same(cp.quantile(x, q, method=method), expected, dtype)
        np.testing.assert_array_equal(x.get(), a)  # it stays as it was


@pytest.mark.parametrize("dtype", "ilfdFD")
def test_medians(dtype):
    for a in vectors(dtype):
        x = cp.array(a)
        same(cp.median(x), np.median(a), dtype)
        same(cp.nanmedian(x), np.nanmedian(a), dtype)
        same(cp.median(x.reshape(2, -1) if x.size % 2 == 0 else x), np.median(a), dtype)
        np.testing.assert_array_equal(x.get(), a)


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("count", [1, 7, N // 2, N - 1])
def test_nans(dtype, count):
    rng = np.random.default_rng(count)
    a = rng.standard_normal(N).astype(dtype)
    a[rng.permutation(N)[:count]] = np.nan
    x = cp.array(a)
    assert np.isnan(cp.median(x).item())
    for q in QUANTILES:
        assert np.isnan(cp.quantile(x, q).get()).all()
        same(cp.nanquantile(x, q), np.nanquantile(a, q), dtype)
    same(cp.nanmedian(x), np.nanmedian(a), dtype)
    a[~np.isnan(a)] = np.inf
    same(cp.nanmedian(cp.array(a)), np.nanmedian(a), dtype)


def misleading(n, dtype):
    """Vectors of which a sample says little, or wrong things."""
    rng = np.random.default_rng(n)
    a = (rng.standard_normal(n) * 1000).astype(dtype)
    yield from (a, np.sort(a), a[::-2])
    yield (a * 1e-3).round().astype(dtype)  # few values, many of each
    yield np.zeros(n, dtype)
    b = np.abs(a)
    b[:: n // (1 << 14) | 1] *= -1  # all that is looked at is less
    yield b
    if np.dtype(dtype).kind == "f":
        a[: n // 3] = np.inf
        a[n // 3 : n // 2 - 3] = -np.inf
        yield a


@pytest.mark.parametrize("n", [100_000, 100_001])
@pytest.mark.parametrize("dtype", "ilfd")
def test_samples(dtype, n):
    for a in misleading(n, dtype):
        x = cp.array(a)
        with np.errstate(invalid="ignore"):
            same(cp.median(x), np.median(a), dtype)
            for q in (0, 1e-5, 0.02, 0.5, [0.3, 0.30001], 1 - 1e-5, 1):
                for method in ("linear", "nearest", "lower", "higher", "midpoint"):
                    if np.isinf(a).any() and method in ("linear", "midpoint"):
                        continue  # NumPy subtracts infinities
                    got = cp.quantile(x, q, method=method)
                    want = np.quantile(a, q, method=method)
                    assert got.dtype == want.dtype
                    same(got, want, dtype)
        np.testing.assert_array_equal(x.get(), a)
