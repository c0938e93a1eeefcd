"""NumPy's functions of device arrays are ours, with NumPy's parameters."""

import numpy as np
import pytest

import cupric as cp

X = np.array([0.5, 3.0, 1.5, 8.0, 2.5])
W = np.array([1.0, 2.0, 1.0, 3.0, 1.0])
BINS = np.array([0.0, 1.0, 4.0, 9.0])

# Where CuPy has another name or another place for a parameter, NumPy's reach it.
CALLS = {
    "unravel_index": lambda x: np.unravel_index(x.argsort(), shape=(5, 2)),
    "stack": lambda x: np.stack(arrays=[x, x], axis=1),
    "flip": lambda x: np.flip(m=x, axis=0),
    "cov": lambda x: np.cov(m=x),
    "extract": lambda x: np.extract(x > 1, arr=x),
    "histogram2d by place": lambda x: np.histogram2d(x, x, 3, None, True)[0],
    "histogramdd by place": lambda x: np.histogramdd((x,), 3, None, True)[0],
}
# Edges and fractions are parameters: those of the host will do.
PARAMETERS = {
    "quantile": lambda x: np.quantile(x, np.array([0.25, 0.5])),
    "percentile": lambda x: np.percentile(x, np.array(30.0)),
    "nanquantile": lambda x: np.nanquantile(x, np.array([0.25, 0.5])),
    "histogram": lambda x: np.histogram(x, BINS)[0],
    "histogram2d": lambda x: np.histogram2d(x, x, [BINS, BINS])[0],
    "histogramdd": lambda x: np.histogramdd((x, x), [BINS, BINS])[0],
}


@pytest.mark.parametrize("name", [*CALLS, *PARAMETERS])
def test_calls(name):
    call = (CALLS | PARAMETERS)[name]
    found, expected = call(cp.array(X)), call(X)
    if not isinstance(found, tuple):
        found, expected = (found,), (expected,)
    for f, e in zip(found, expected, strict=True):
        assert isinstance(f, cp.ndarray)
        np.testing.assert_allclose(f.get(), e)


def test_weights_by_place():
    found = np.histogram2d(cp.array(X), cp.array(X), 3, None, None, cp.array(W))[0]
    np.testing.assert_allclose(found.get(), np.histogram2d(X, X, 3, None, None, W)[0])


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.histogram(X, x),
        lambda x: np.concatenate([x, X]),
        lambda x: np.where(x > 0, x, X[:2]),
        lambda x: np.searchsorted(X, x),
        lambda x: np.linalg.solve(X, x),
    ],
)
def test_data_of_the_host_are_refused(call):
    with pytest.raises(TypeError, match=r"on the host|Implicit"):
        call(cp.array([0.5, 0.6]))


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.quantile(X, x),
        lambda x: np.isin(x, X),
        lambda x: np.append(x, X),
        lambda x: np.gradient(X, x[0]),
        lambda x: np.allclose(X[:2], x),
        lambda x: np.einsum("i,j", x, X),
    ],
)
def test_composed_functions_copy_data_of_the_host(call):
    expected, found = call(np.array([0.5, 0.6])), call(cp.array([0.5, 0.6]))
    assert isinstance(found, cp.ndarray)
    np.testing.assert_allclose(found.get(), expected)


def test_broadcasting_leaves_each_array_where_it_is():
    x, y = np.broadcast_arrays(cp.zeros((2, 3)), np.array(5.0))
    assert isinstance(x, cp.ndarray)
    assert isinstance(y, np.ndarray)
    assert y.shape == (2, 3)
    assert not bool(np.array_equal(x, y))
    assert bool(np.array_equal(x + 5, y))
    x, y = cp.broadcast_arrays(np.zeros((2, 1)), cp.zeros(3))
    assert x.shape == y.shape == (2, 3)
    with pytest.raises(ValueError, match="shape mismatch"):
        cp.broadcast_arrays(np.zeros(2), cp.zeros(3))
