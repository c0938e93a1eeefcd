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
        lambda x: np.quantile(X, x),
        lambda x: np.histogram(X, x),
        lambda x: np.histogramdd((x, X)),
        lambda x: np.concatenate([x, X]),
        lambda x: np.isin(x, X),
    ],
)
def test_data_of_the_host_are_refused(call):
    with pytest.raises(TypeError, match=r"on the host|Implicit"):
        call(cp.array([0.5, 0.6]))
