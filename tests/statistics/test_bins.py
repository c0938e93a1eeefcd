"""Bins of a histogram: values on their edges, and of even and uneven widths."""

import numpy as np
import pytest

import cupric as cp


@pytest.mark.parametrize("dtype", "bIlefd")
@pytest.mark.parametrize("bins", [1, 2, 3, 10, 1000])
def test_even_bins(dtype, bins):
    x = (np.random.default_rng(bins).standard_normal(1000) * 20).astype(dtype)
    if dtype == "I":
        x = x % 100
    want, edges = np.histogram(x.astype("d"), bins)
    have, at = cp.histogram(cp.asarray(x.astype("d")), bins)
    assert (at.get() == edges).all()
    assert (have.get() == want).all()


@pytest.mark.parametrize("bins", [1, 2, 3, 7, 100])
def test_values_on_edges(bins):
    edges = np.cumsum(np.random.default_rng(3).integers(1, 9, bins + 1)) / 7
    near = [np.nextafter(edges, 9e9), np.nextafter(edges, -9e9)]
    x = np.concatenate([edges, *near, [np.nan, np.inf, -np.inf, 0.0, -1.0]])
    for given in (edges, np.linspace(edges[0], edges[-1], bins + 1)):
        want = np.histogram(x[~np.isnan(x)], given)[0]
        assert (cp.histogram(cp.asarray(x), cp.asarray(given))[0].get() == want).all()
    even = np.linspace(0.1, 1.3, bins + 1)
    x = np.concatenate([even, np.nextafter(even, 9e9), np.nextafter(even, -9e9)])
    have = cp.histogram(cp.asarray(x), bins, (0.1, 1.3))[0]
    assert (have.get() == np.histogram(x, even)[0]).all()


def test_weights():
    x = np.random.default_rng(5).random(500)
    weights = np.arange(500.0)
    have = cp.histogram(cp.asarray(x), 13, weights=cp.asarray(weights))[0]
    assert np.allclose(have.get(), np.histogram(x, 13, weights=weights)[0])


@pytest.mark.parametrize("dtype", "BilLefd")
@pytest.mark.parametrize("n", [1, 255, 8192, 8193, 30001])
def test_bins_between_extremes(dtype, n):
    rng = np.random.default_rng(n)
    x = (rng.random((n, 2)) * 100).astype(dtype)
    for place in (0, n // 2, n - 1):
        a = x.copy()
        a[place], a[-place - 1] = 120, 0
        if dtype in "ilefd":
            a[place // 2] = -7
        for v in (a, a[:, 1], a[::-1, 0], a.T):
            want = np.histogram(v, 5)
            for got, expected in zip(cp.histogram(cp.array(v), 5), want, strict=True):
                assert got.dtype == expected.dtype
                np.testing.assert_array_equal(got.get(), expected)
        if dtype in "efd":
            a[place, 1] = np.nan
            for v in (a, a[:, 1]):
                with pytest.raises(ValueError, match=r"\[nan, nan\] is not finite"):
                    cp.histogram(cp.array(v), 5)
                with pytest.raises(ValueError, match="is not finite"):
                    cp.histogramdd([cp.array(x[:, 0]), cp.array(a[:, 1])], 5)
