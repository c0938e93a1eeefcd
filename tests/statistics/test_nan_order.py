"""nanquantile and nanpercentile against NumPy."""

import warnings

import numpy as np
import pytest

import cupric as cp

METHODS = [
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation"),
    *("interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased"),
    *("normal_unbiased", "lower", "higher", "midpoint", "nearest"),
]


def sample(dtype="d"):
    rng = np.random.default_rng(0)
    a = rng.normal(size=(3, 5, 7)).astype(dtype)
    a[rng.random(a.shape) < 0.3] = np.nan
    a[0, 1, 2] = np.inf
    return a


def agree(mine, numpy, dtype="d"):
    numpy = np.asarray(numpy)
    assert (mine.dtype, mine.shape) == (numpy.dtype, numpy.shape)
    bound = 1e-2 if dtype == "e" else 1e-5 if dtype == "f" else 1e-12
    np.testing.assert_allclose(mine.get(), numpy, rtol=bound, atol=bound)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2)])
@pytest.mark.parametrize("q", [0.5, 0, 1, [0.1, 0.9]])
def test_methods(method, axis, q):
    a = np.where(np.isinf(sample()), 3, sample())
    x = cp.asarray(a)
    agree(
        cp.nanquantile(x, q, axis, method=method),
        np.nanquantile(a, q, axis, method=method),
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", "ef")
@pytest.mark.parametrize("q", [[], [0.5], [0.1, 0.9]])
def test_of_nothing_as_of_others(dtype, q):
    """In NumPy the dtype depends on the first slice, and the shape on the size."""
    usual = cp.nanquantile(cp.ones((2, 3), dtype), q, axis=0)
    numpy = np.nanquantile(np.ones((2, 3), dtype), q, axis=0)
    assert (usual.dtype, usual.shape) == (numpy.dtype, numpy.shape)
    for nothing in (cp.full((2, 3), np.nan, dtype), cp.ones((0, 3), dtype)):
        found = cp.nanquantile(nothing, q, axis=0)
        assert (found.dtype, found.shape) == (usual.dtype, usual.shape)
        assert cp.isnan(found).all()


@pytest.mark.parametrize("dtype", "efdilB?")
@pytest.mark.parametrize("keepdims", [False, True])
def test_dtypes(dtype, keepdims):
    if dtype in "efd":
        a = sample(dtype)
        a[np.isinf(a)] = 2
    else:
        a = np.arange(105).reshape(3, 5, 7).astype(dtype)
    for p in (30, [10.0, 90.0]):
        if dtype == "?":
            with pytest.raises(TypeError):
                cp.nanpercentile(cp.asarray(a), p, 1)
            continue
        agree(
            cp.nanpercentile(cp.asarray(a), p, 1, keepdims=keepdims),
            np.nanpercentile(a, p, 1, keepdims=keepdims),
            dtype,
        )


def test_without_nan_it_is_the_quantile():
    x = cp.asarray(np.random.default_rng(1).normal(size=(20, 30)))
    q = [0, 0.1, 0.5, 0.99, 1]
    mine, plain = cp.nanquantile(x, q, 1).get(), cp.quantile(x, q, 1).get()
    np.testing.assert_allclose(mine, plain, rtol=1e-14)


def test_axes_of_q_come_first():
    """NumPy puts those behind the first at the end."""
    x, q = cp.asarray(sample()), np.array([[0.25], [0.75]])
    for axis in (None, 0, (0, 2)):
        mine, plain = cp.nanquantile(x, q, axis), cp.nanquantile(x, q.ravel(), axis)
        np.testing.assert_array_equal(mine.get(), plain.get().reshape(mine.shape))
        assert mine.shape[:2] == (2, 1)


def test_infinities():
    a = np.array([1, np.inf, np.nan, 2, -np.inf])
    assert float(cp.nanquantile(cp.asarray(a), 1)) == np.inf
    assert float(cp.nanquantile(cp.asarray(a), 1 / 3)) == 1
    assert float(cp.nanquantile(cp.asarray(a), 0)) == -np.inf


def test_rows_of_nan_warn():
    a = np.array([[1, np.nan], [np.nan, np.nan]])
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        r = cp.nanquantile(cp.asarray(a), [0.2, 0.5], axis=1)
    np.testing.assert_array_equal(r.get(), [[1, np.nan], [1, np.nan]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cp.nanquantile(cp.asarray(a[:1]), 0.5, axis=1)


def test_out_views_and_scalars():
    a = sample()[:, ::-1].T
    x = cp.asarray(sample())[:, ::-1].T
    out = cp.empty((7, 5))
    assert cp.nanquantile(x, 0, axis=2, out=out) is out
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agree(out, np.nanquantile(a, 0, axis=2))
    agree(cp.nanquantile(cp.array(3.0), 0.5), np.nanquantile(np.array(3.0), 0.5))


def test_what_is_refused():
    x = cp.ones((2, 3))
    for q in (-0.1, 1.5, [0.5, 2]):
        with pytest.raises(ValueError, match="range"):
            cp.nanquantile(x, q)
    with pytest.raises(ValueError, match="range"):
        cp.nanpercentile(x, 101)
    with pytest.raises(ValueError, match="not a valid method"):
        cp.nanquantile(x, 0.5, method="best")
    with pytest.raises(TypeError):
        cp.nanquantile(x.astype("D"), 0.5)
    with pytest.raises(np.exceptions.AxisError):
        cp.nanquantile(x, 0.5, axis=2)
