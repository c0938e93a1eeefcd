"""Reductions that leave NaN out."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric

from ..ops.cases import REAL, assert_same, axes_of, outcome, pairs


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def holed(data):
    """A pair with NaN, but no infinities."""
    x, y = data.draw(pairs(REAL, special=False))
    if x.dtype.kind == "f":
        hole = (
            np.random.default_rng(data.draw(st.integers(0, 99))).random(x.shape) < 0.3
        )
        x = np.where(hole, np.nan, x).astype(x.dtype)
        y = cupric.array(x)
    return x, y


@pytest.mark.parametrize(
    "name", ["nanmax", "nanmin", "nansum", "nanmean", "nanvar", "nanstd"]
)
@given(data=st.data())
def test_reductions(name, data):
    x, y = holed(data)
    kwargs = {"axis": data.draw(axes_of(x.ndim)), "keepdims": data.draw(st.booleans())}
    if name in ("nanvar", "nanstd"):
        kwargs["ddof"] = data.draw(st.integers(0, 1))
    if x.size == 0:
        return
    half = x.dtype == np.float16  # whose sums NumPy rounds to half at each step
    with np.errstate(all="ignore"):
        expected = outcome(
            getattr(np, name), x.astype(np.float32) if half else x, **kwargs
        )
        if half and not isinstance(expected, type):
            expected = expected.astype(np.float16)
    rtol = {"float16": 1e-2, "float32": 1e-3}.get(x.dtype.name, 1e-9)
    assert_same(outcome(getattr(cupric, name), y, **kwargs), expected, rtol)


@pytest.mark.parametrize("name", ["nancumsum", "nancumprod"])
@given(data=st.data())
def test_running(name, data):
    x, y = holed(data)
    axis = data.draw(st.one_of(st.none(), st.integers(-2, 1)))
    if x.size > 64:
        return
    expected = outcome(getattr(np, name), x, axis=axis)
    rtol = {"float16": 1e-1, "float32": 1e-3}.get(x.dtype.name, 1e-9)
    assert_same(outcome(getattr(cupric, name), y, axis=axis), expected, rtol)


@pytest.mark.parametrize("name", ["nanargmax", "nanargmin"])
def test_positions(name):
    x = np.array([[np.nan, 1, 3], [4, np.nan, 4]])
    y = cupric.array(x)
    for axis in [None, 0, 1]:
        assert_same(
            getattr(cupric, name)(y, axis=axis), getattr(np, name)(x, axis=axis)
        )
    assert getattr(cupric, name)(cupric.array([np.nan])).item() == -1


def test_nan_is_left_out_of_bfloat16():
    dtype = pytest.importorskip("ml_dtypes").bfloat16
    x = np.array([1, 2, np.nan, 4], dtype)
    kept = cupric.array(np.array([1, 2, 4], dtype))
    for name in ("mean", "var", "std", "median", "max", "min"):
        got = getattr(cupric, f"nan{name}")(cupric.array(x))
        assert got.dtype == dtype
        assert got == getattr(cupric, name)(kept)
    assert cupric.nancumsum(cupric.array(x)).get().tolist() == [1, 3, 3, 7]
    assert cupric.nancumprod(cupric.array(x)).get().tolist() == [1, 2, 2, 8]


@pytest.mark.filterwarnings("ignore:Mean of empty")
def test_the_mean_of_no_complex_numbers():
    for name in ("mean", "nanmean", "average"):
        r = getattr(cupric, name)(cupric.zeros((0, 3), "D"), axis=0).get()
        assert np.isnan(r.real).all()
        assert np.isnan(r.imag).all()


@pytest.mark.parametrize("name", ["nansum", "nanprod"])
@pytest.mark.parametrize("dtype", ["i", "q", "?"])
def test_nan_goes_before_the_cast_to_integers(name, dtype):
    x = np.array([[1.5, np.nan, 2.5], [np.nan, np.nan, 1.5]])
    for axis in (None, 0, 1):
        got = getattr(cupric, name)(cupric.array(x), axis=axis, dtype=dtype)
        assert_same(got, getattr(np, name)(x, axis=axis, dtype=dtype))


@pytest.mark.parametrize("name", ["nansum", "nanprod"])
@pytest.mark.parametrize("dtype", ["d", "f", "i", "D"])
@pytest.mark.filterwarnings("ignore:Casting complex")
def test_a_nan_beside_the_real_part_goes_before_the_cast(name, dtype):
    x = np.array([complex(4.5, np.nan), 2 + 1j, complex(np.nan, 3)], "F")
    got = getattr(cupric, name)(cupric.array(x), dtype=dtype)
    assert_same(got, getattr(np, name)(x, dtype=dtype))


@pytest.mark.parametrize("dtype", "?ifdF")
@pytest.mark.parametrize("name", ["nanvar", "nanstd"])
def test_no_degree_of_freedom(name, dtype):
    """Of what cannot be NaN it is the variance, which is then infinite."""
    a = np.array([[0] * 3, [0, 0, 1]], dtype)
    mean = a.mean(axis=0, keepdims=True)
    for ddof in (2, 3):
        want = getattr(np, name)(a, axis=0, ddof=ddof)
        got = getattr(cupric, name)(cupric.asarray(a), axis=0, ddof=ddof)
        np.testing.assert_array_equal(got.get(), want)
        want = getattr(np, name)(a, axis=0, ddof=ddof, mean=mean)
        got = getattr(cupric, name)(
            cupric.asarray(a), axis=0, ddof=ddof, mean=cupric.asarray(mean)
        )
        np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("name", ["nanmean", "nanvar", "nanstd"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
@pytest.mark.parametrize("shape", [(700, 40), (9, 5000), (3, 200, 30)])
def test_columns_count_their_numbers(shape, dtype, name):
    random = np.random.default_rng(3)
    x = random.standard_normal(shape).astype(dtype)
    x[random.random(shape) < 0.01] = np.nan
    x[..., 7] = np.nan
    y, mask = cupric.array(x), random.random(shape) < 0.8
    for a, b, where in [
        (y, x, True),
        (y[:, ::-2], x[:, ::-2], True),
        (y[1:], x[1:], True),
        (y, x, mask),
    ]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = getattr(np, name)(b, axis=0, where=where)
        there = where if where is True else cupric.array(where)
        got = getattr(cupric, name)(a, axis=0, where=there)
        np.testing.assert_allclose(got.get(), expected, rtol=1e-4, atol=1e-5)
