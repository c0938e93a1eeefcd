"""cumsum, cumprod and ufunc.accumulate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric

from .cases import assert_same, outcome, pairs
from .test_py_reduction import tolerance


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
@given(data=st.data())
def test_like_numpy(name, data):
    x, y = data.draw(pairs(special=False))
    axis = data.draw(st.one_of(st.none(), st.integers(-3, 3)))
    if name == "cumprod" and x.size > 64:
        return
    expected = outcome(getattr(np, name), x, axis=axis)
    rtol = tolerance(x) * max(1, x.size)
    assert_same(outcome(getattr(cupric, name), y, axis=axis), expected, rtol)
    assert_same(outcome(getattr(y, name), axis=axis), expected, rtol)


@pytest.mark.parametrize(
    "name",
    ["add", "subtract", "multiply", "maximum", "minimum", "fmax", "bitwise_xor"]
    + ["logical_and", "hypot", "logaddexp", "equal", "divide", "gcd"],
)
@given(data=st.data())
def test_accumulate(name, data):
    x, y = data.draw(pairs(special=name in ("maximum", "minimum", "fmax")))
    if x.size > 64:
        return
    axis = data.draw(st.integers(-2, 2))
    expected = outcome(getattr(np, name).accumulate, x, axis)
    got = outcome(getattr(cupric, name).accumulate, y, axis)
    if x.dtype.kind == "c" and name in ("maximum", "minimum", "fmax"):
        return  # which of several NaN comes first is not defined
    assert_same(got, expected, tolerance(x) * 200)


def test_long_scans():
    x = np.random.default_rng(0).integers(-5, 5, (3, 100_000))
    y = cupric.array(x)
    for axis in [None, 0, 1]:
        assert_same(cupric.cumsum(y, axis=axis), np.cumsum(x, axis=axis))


def test_in_place():
    x = np.arange(12.0).reshape(3, 4)
    y = cupric.array(x)
    assert cupric.cumsum(y, axis=1, out=y) is y
    assert_same(y, np.cumsum(x, axis=1))
    y = cupric.array(x)
    cupric.cumsum(y, axis=0, out=y)
    assert_same(y, np.cumsum(x, axis=0))


def test_dtype_and_out():
    x = np.arange(6, dtype="int8")
    y = cupric.array(x)
    for dtype in ["int8", "float32", "complex64"]:
        assert_same(cupric.cumsum(y, dtype=dtype), np.cumsum(x, dtype=dtype))
        out = cupric.zeros(6, dtype)
        assert cupric.cumsum(y, out=out) is out
        assert_same(out, np.cumsum(x, out=np.zeros(6, dtype)))
    with pytest.raises(ValueError):
        cupric.cumsum(y, out=cupric.zeros(5))


def test_accumulate_errors():
    with pytest.raises(TypeError, match="cannot accumulate on a scalar"):
        cupric.add.accumulate(cupric.array(1))
    with pytest.raises(ValueError, match="multiple axes"):
        cupric.add.accumulate(cupric.zeros((2, 2)), axis=None)
    with pytest.raises(ValueError, match="only supported for binary functions"):
        cupric.negative.accumulate(cupric.zeros(2))
    with pytest.raises(TypeError, match="unexpected keyword argument 'keepdims'"):
        cupric.add.accumulate(cupric.zeros(2), keepdims=True)
