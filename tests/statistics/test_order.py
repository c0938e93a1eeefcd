"""median, quantile, percentile, average."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric

from ..ops.cases import REAL, assert_same, axes_of, fill, outcome, pairs

# NumPy finds places in float16, where 2000 elements cannot be told apart.
PRECISE = [t for t in REAL if t not in ("bool", "float16")]
RTOL = {"float16": 4e-3, "float32": 1e-5}


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def tolerance(x):
    return RTOL.get(x.dtype.name, 1e-12)


@pytest.mark.parametrize("name", ["median", "nanmedian"])
@given(data=st.data())
def test_median(name, data):
    x, y = data.draw(pairs(REAL))
    kwargs = {"axis": data.draw(axes_of(x.ndim)), "keepdims": data.draw(st.booleans())}
    if x.size and kwargs["axis"] != ():
        expected = outcome(getattr(np, name), x, **kwargs)
        got = outcome(getattr(cupric, name), y, **kwargs)
        assert_same(got, expected, tolerance(x))


@pytest.mark.parametrize(
    "method",
    [
        "inverted_cdf",
        "averaged_inverted_cdf",
        "closest_observation",
        "interpolated_inverted_cdf",
        "hazen",
        "weibull",
        "linear",
        "median_unbiased",
        "normal_unbiased",
        "lower",
        "higher",
        "midpoint",
        "nearest",
    ],
)
@given(data=st.data())
def test_quantile(method, data):
    x, y = data.draw(pairs(PRECISE, special=False))
    axis = data.draw(axes_of(x.ndim))
    q = data.draw(st.sampled_from([0.0, 1.0, 0.5, 0.25, [0.1, 0.9], [[0.3], [0.7]]]))
    if x.size and axis != ():
        kwargs = {"axis": axis, "method": method, "keepdims": data.draw(st.booleans())}
        expected = outcome(np.quantile, x, q, **kwargs)
        rtol = 2 * tolerance(x)
        assert_same(outcome(cupric.quantile, y, q, **kwargs), expected, rtol)
        percent = np.asarray(q) * 100 if isinstance(q, list) else q * 100
        assert_same(outcome(cupric.percentile, y, percent, **kwargs), expected, rtol)


def test_quantile_arguments():
    y = cupric.array([1.0, np.nan, 3.0])
    assert np.isnan(cupric.median(y).get())
    assert np.isnan(cupric.quantile(y, 0.5).get())
    out = cupric.zeros(())
    assert cupric.median(y[:1], out=out) is out
    assert out.item() == 1.0
    assert cupric.quantile(y[:1], cupric.array([0.5])).tolist() == [1.0]
    for call, error in [
        (lambda: cupric.percentile(y, 101), ValueError),
        (lambda: cupric.quantile(y, -0.1), ValueError),
        (lambda: cupric.quantile(y, 0.5, method="foo"), ValueError),
        (lambda: cupric.median(y, axis=1), np.exceptions.AxisError),
    ]:
        with pytest.raises(error):
            call()


@pytest.mark.parametrize("dtype", REAL)
def test_average(dtype):
    x = fill((3, 4), dtype, 1, special=False)
    w = np.array([1.0, 2, 3])
    y, v = cupric.array(x), cupric.array(w)
    assert_same(cupric.average(y), np.average(x), 1e-3)
    for f, a, weights in [(np, x, w), (cupric, y, v)]:
        with pytest.raises(TypeError):
            f.average(a, weights=weights)
        with pytest.raises(ValueError):
            f.average(a, weights=weights, axis=1)
        with pytest.raises(ZeroDivisionError):
            f.average(a, weights=weights * 0, axis=0)
    expected = np.average(x, weights=w, axis=0, returned=True)
    for got, want in zip(
        cupric.average(y, weights=v, axis=0, returned=True), expected, strict=True
    ):
        assert_same(got, want, 1e-6)
