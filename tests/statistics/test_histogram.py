"""bincount, digitize, histogram."""

import numpy as np
import pytest

import cupric

from ..ops.cases import assert_same


def test_bincount():
    x = np.random.default_rng(0).integers(0, 9, 1000)
    w = np.random.default_rng(1).random(1000)
    y, v = cupric.array(x), cupric.array(w)
    assert_same(cupric.bincount(y), np.bincount(x))
    assert_same(cupric.bincount(y, minlength=20), np.bincount(x, minlength=20))
    assert_same(cupric.bincount(y, v), np.bincount(x, w), 1e-12)
    assert_same(cupric.bincount(y.astype("int8")), np.bincount(x))
    assert_same(cupric.bincount(y[:0]), np.bincount(x[:0]))
    for args, error in [
        ((y.reshape(10, 100),), ValueError),
        ((y - 5,), ValueError),
        ((v,), TypeError),
        ((y, v[:3]), ValueError),
    ]:
        with pytest.raises(error):
            cupric.bincount(*args)


@pytest.mark.parametrize("right", [False, True])
def test_digitize(right):
    x = np.arange(12.0).reshape(3, 4)
    for edges in [np.array([1.0, 3, 3, 8]), np.array([8.0, 3, 1])]:
        got = cupric.digitize(cupric.array(x), cupric.array(edges), right)
        assert_same(got, np.digitize(x, edges, right))
    with pytest.raises(ValueError, match="monotonic"):
        cupric.digitize(cupric.array(x), cupric.array([1, 3, 2]))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8"])
def test_histogram(dtype):
    x = (np.random.default_rng(0).random((20, 50)) * 200).astype(dtype)
    y = cupric.array(x)
    w = np.arange(1000.0).reshape(20, 50)
    for kwargs in [
        {},
        {"bins": 7},
        {"range": (10, 150)},
        {"bins": np.array([0, 5, 50, 120])},
        {"density": True},
        {"weights": w},
    ]:
        ours = {
            k: cupric.array(v) if isinstance(v, np.ndarray) else v
            for k, v in kwargs.items()
        }
        for got, expected in zip(
            cupric.histogram(y, **ours), np.histogram(x, **kwargs), strict=True
        ):
            assert got.shape == expected.shape
            np.testing.assert_allclose(got.get(), expected, rtol=1e-5)
    for kwargs in [{"bins": 0}, {"range": (2, 1)}, {"range": (0, np.inf)}]:
        with pytest.raises(ValueError):
            cupric.histogram(y, **kwargs)
