"""Medians and quantiles of vectors and rows whose elements are selected, not sorted."""

import warnings

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


@pytest.mark.parametrize("n", [100_000, 100_001, 1 << 20])
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


@pytest.mark.parametrize("dtype", "ifld")
def test_samples_of_many(dtype):
    """As many as a GPU would rather not sort."""
    n = (1 << 24 if np.dtype(dtype).itemsize == 4 else 1 << 22) + 1
    rng = np.random.default_rng(n)
    a = (rng.standard_normal(n) * 1e6).astype(dtype)
    for b in (a, a[:-1], np.sort(a), (a * 1e-6).round().astype(dtype)):
        x = cp.array(b)
        same(cp.median(x), np.median(b), dtype)
        same(cp.quantile(x, 0.3), np.quantile(b, 0.3), dtype)
        same(
            cp.quantile(x, 0.9, method="lower"),
            np.sort(b)[int(0.9 * (b.size - 1))],
            dtype,
        )
        np.testing.assert_array_equal(x[:100].get(), b[:100])
    if dtype in "fd":
        a[7] = np.nan
        x = cp.array(a)
        assert np.isnan(cp.median(x).item())
        same(cp.nanmedian(x), np.nanmedian(a), dtype)


def tables(dtype, n):
    """Rows of n elements in different order, and with few, equal and infinite ones."""
    rng = np.random.default_rng(n)
    a = (rng.standard_normal((6, n)) * 1000).astype(dtype)
    a[1] = np.sort(a[1])[::-1]
    a[2] = np.arange(n) % 3 - 1
    a[3] = a[3, 0]
    a[4, : n // 2] = a[4, 0]
    yield a
    if a.dtype.kind == "f":
        info = np.finfo(dtype)
        a[0, ::2] = np.inf
        a[1, 1::2] = -np.inf
        a[2] *= info.smallest_subnormal
        a[5, ::7] = info.max
        yield a
        a[3] = np.nan
        a[0, n // 3 :: 2] = np.nan
        a[5, -1] = -np.nan
        yield a
    else:
        info = np.iinfo(dtype)
        a[0, ::2], a[5, ::3] = info.max, info.min
        yield a


# Rows that a warp, a block of one size or another, or none can hold.
@pytest.mark.parametrize("n", [255, 256, 511, 512, 513, 5000, 8192, 8193])
@pytest.mark.parametrize("dtype", "ilfd")
def test_quantiles_of_rows(dtype, n):
    for a in tables(dtype, n):
        x = cp.array(a)
        for y in (x, cp.array(a, order="F"), cp.array(a[:, ::-1])[:, ::-1]):
            same(cp.median(y, axis=1), np.median(a, axis=1), dtype)
        same(cp.median(cp.array(a.T), axis=0), np.median(a, axis=1), dtype)
        with np.errstate(invalid="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same(cp.nanmedian(x, axis=1), np.nanmedian(a, axis=1), dtype)
            for method in ("linear", "nearest", "inverted_cdf", "weibull"):
                if np.isinf(a.astype("d")).any() and method in ("linear", "weibull"):
                    continue  # NumPy subtracts infinities
                for q in (0, 0.3, [0.02, 0.5, 1]):
                    got = cp.nanquantile(x, q, axis=1, method=method)
                    want = np.nanquantile(a, q, axis=1, method=method)
                    same(got, want, dtype)
                    got = cp.quantile(x, q, axis=1, method=method, keepdims=True)
                    want = np.quantile(a, q, axis=1, method=method, keepdims=True)
                    same(got, want, dtype)
        np.testing.assert_array_equal(x.get(), a)


@pytest.mark.parametrize("dtype", ["F", "D"])
@pytest.mark.parametrize("shape", [(7, 16), (3, 17), (2, 5, 301), (1, 4000), (0, 20)])
def test_medians_of_complex_rows(shape, dtype):
    rng = np.random.default_rng(1)
    a = (rng.integers(0, 9, shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    for _ in range(2):
        for axis in (-1, 0):
            if a.shape[axis] == 0:
                continue
            for view in (a, a[..., ::-1], np.asfortranarray(a)):
                got = cp.median(cp.array(view, order="K"), axis=axis)
                np.testing.assert_array_equal(got.get(), np.median(view, axis=axis))
        if a.size:
            a[0, ..., 3] = np.nan
