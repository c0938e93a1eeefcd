"""round and clip."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric

from .cases import assert_same, outcome, pairs


@given(data=st.data())
def test_round(data):
    x, y = data.draw(pairs(special=False))
    decimals = data.draw(st.integers(-2, 3)) if x.dtype.kind != "b" else 0
    expected = outcome(np.round, x, decimals)
    assert_same(outcome(cupric.round, y, decimals), expected, 1e-6)
    assert_same(outcome(y.round, decimals), expected, 1e-6)


def test_round_arguments():
    y = cupric.array([1.25, 2.35])
    out = cupric.zeros(2)
    assert cupric.around(y, 1, out=out) is out
    assert_same(out, np.round([1.25, 2.35], 1))
    with pytest.raises(TypeError):
        cupric.round(y, 1.5)
    with pytest.raises(TypeError):
        cupric.round(y, out=cupric.zeros(2, int))


BOUNDS = st.sampled_from(
    [None, 0, 1, -3, 2.5, np.float32(1), np.int8(2), 10**6, -(10**6)]
)


@given(data=st.data())
def test_clip(data):
    x, y = data.draw(pairs())
    low, high = data.draw(BOUNDS), data.draw(BOUNDS)
    if x.dtype.kind == "c" or (x.dtype.kind == "b" and low is high is None):
        return  # which NaN is kept is not defined; NumPy copies numbers only
    expected = outcome(np.clip, x, low, high)
    assert_same(outcome(cupric.clip, y, low, high), expected)
    assert_same(outcome(y.clip, low, high), expected)


def test_clip_by_arrays():
    x = np.arange(12.0).reshape(3, 4)
    low, high = np.arange(4.0), np.full((3, 1), 6, "int8")
    got = cupric.clip(cupric.array(x), cupric.array(low), cupric.array(high))
    assert_same(got, np.clip(x, low, high))


def test_clip_arguments():
    y = cupric.array([1, 5, 9])
    assert cupric.clip(y).tolist() == [1, 5, 9]
    assert cupric.clip(y) is not y
    assert cupric.clip(y, min=3).tolist() == [3, 5, 9]
    assert cupric.clip(y, max=3).tolist() == [1, 3, 3]
    assert cupric.clip(y, 2, 3, out=y) is y
    assert y.tolist() == [2, 3, 3]
    with pytest.raises(ValueError, match="forbidden"):
        cupric.clip(y, 1, 2, min=2)
    with pytest.raises(TypeError):
        cupric.clip(y, 0.5, 2, out=y)
    with pytest.raises(TypeError, match="Unsupported type"):
        cupric.clip(y, [0], 2)


def test_round_of_complex_rounds_the_parts_apart():
    x = np.array([1.235 + 2.345678j, complex(np.inf, 1.26), complex(-1.25, np.nan)])
    for z in (x, x.astype("F"), x[::-1], x.reshape(3, 1).T):
        for decimals in (-1, 1, 3):
            there = np.round(z, decimals)
            here = cupric.round(cupric.array(z), decimals)
            assert here.dtype == there.dtype
            np.testing.assert_array_max_ulp(here.get().real, there.real, 1)
            np.testing.assert_array_max_ulp(here.get().imag, there.imag, 1)
    out = cupric.zeros(3, "D")
    assert cupric.round(cupric.array(x), 1, out=out) is out
    np.testing.assert_array_equal(out.get(), np.round(x, 1))
    with pytest.raises(TypeError, match="Cannot cast"):
        cupric.round(cupric.array(x), 1, out=cupric.zeros(3))
    with pytest.raises(ValueError):
        cupric.round(cupric.array(x), 1, out=cupric.zeros(2, "D"))


def test_nan_to_num_of_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = cupric.array([np.nan, np.inf, -np.inf, 1], ml_dtypes.bfloat16)
    largest = float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)
    assert cupric.nan_to_num(x).tolist() == [0, largest, -largest, 1]


def test_round_of_bfloat16_keeps_what_its_digits_hold():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.array([0, 7.25, -3.140625, np.nan], ml_dtypes.bfloat16)
    for decimals in (2, 3, 4, 8):
        expected = x.astype("f").round(decimals).astype(x.dtype)
        got = cupric.asarray(x).round(decimals).get()
        assert got[:3].tobytes() == expected[:3].tobytes()
        assert np.isnan(got[3])
    out = cupric.zeros(4)
    assert cupric.round(cupric.asarray(x), 4, out=out) is out
    assert out.tolist()[:2] == [0, 7.25]


def test_round_into_another_dtype():
    """It is rounded in the dtype of `out`, as in NumPy."""
    x = np.linspace(0, 9, 37, dtype="f")
    for decimals in (2, -1):
        for dtype in "fd":
            out, expected = cupric.zeros(37, dtype), np.zeros(37, dtype)
            cupric.round(cupric.array(x), decimals, out=out)
            np.testing.assert_array_equal(
                out.get(), np.round(x, decimals, out=expected)
            )
