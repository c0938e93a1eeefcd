"""sum, prod, max, min, any, all, argmax, argmin, mean, var, std, ptp, count_nonzero."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric
from cupric import _core

from .cases import FLOATS, NUMERIC, REAL, assert_same, axes_of, fill, outcome, pairs

RTOL = {"float16": 2e-3, "float32": 1e-4, "complex64": 1e-4}


def tolerance(x):
    return RTOL.get(x.dtype.name, 1e-9)


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "any", "all", "ptp"])
@given(data=st.data())
def test_like_numpy(name, data):
    tame = name in ("sum", "prod")
    x, y = data.draw(pairs(special=not tame))
    if x.size > 64 and name == "prod":
        return
    kwargs = {"axis": data.draw(axes_of(x.ndim)), "keepdims": data.draw(st.booleans())}
    expected = outcome(getattr(np, name), x, **kwargs)
    rtol = tolerance(x) * max(1, x.size) if tame else None
    assert_same(outcome(getattr(cupric, name), y, **kwargs), expected, rtol)
    assert_same(outcome(getattr(y, name), **kwargs), expected, rtol)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@given(data=st.data())
def test_positions(name, data):
    x, y = data.draw(pairs())
    axis = data.draw(st.one_of(st.none(), st.integers(-3, 3)))
    kwargs = {"axis": axis, "keepdims": data.draw(st.booleans())}
    expected = outcome(getattr(np, name), x, **kwargs)
    assert_same(outcome(getattr(cupric, name), y, **kwargs), expected)
    assert_same(outcome(getattr(y, name), **kwargs), expected)


@pytest.mark.parametrize("name", ["mean", "var", "std"])
@given(data=st.data())
def test_moments(name, data):
    x, y = data.draw(pairs(special=False))
    kwargs = {"axis": data.draw(axes_of(x.ndim)), "keepdims": data.draw(st.booleans())}
    if name != "mean":
        kwargs["ddof"] = data.draw(st.sampled_from([0, 1, 0.5]))
    expected = outcome(getattr(np, name), x, **kwargs)
    assert_same(
        outcome(getattr(cupric, name), y, **kwargs), expected, tolerance(x) * 50
    )
    assert_same(outcome(getattr(y, name), **kwargs), expected, tolerance(x) * 50)


@given(data=st.data())
def test_count_nonzero(data):
    x, y = data.draw(pairs())
    axis = data.draw(axes_of(x.ndim))
    assert_same(cupric.count_nonzero(y, axis=axis), np.count_nonzero(x, axis=axis))


@pytest.mark.parametrize("name", ["sum", "max", "min", "any", "all", "mean", "var"])
@given(data=st.data())
def test_where(name, data):
    x, y = data.draw(pairs(special=False))
    seed = data.draw(st.integers(0, 99))
    mask = (
        np.random.default_rng(seed).random(x.shape[data.draw(st.integers(0, 1)) :])
        < 0.5
    )
    kwargs = {"axis": data.draw(axes_of(x.ndim))}
    if name in ("max", "min"):
        kwargs["initial"] = data.draw(st.sampled_from([0, 1]))
    expected = outcome(getattr(np, name), x, where=mask, **kwargs)
    got = outcome(getattr(cupric, name), y, where=cupric.array(mask), **kwargs)
    assert_same(got, expected, tolerance(x) * max(50, x.size))


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("dtype", NUMERIC)
def test_initial(name, dtype):
    x = fill((3, 4), dtype, 1, special=False)
    for initial in [0, 2]:
        expected = outcome(getattr(np, name), x, axis=0, initial=initial)
        assert_same(
            outcome(getattr(cupric, name), cupric.array(x), axis=0, initial=initial),
            expected,
            tolerance(x) * 20,
        )


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var"])
@pytest.mark.parametrize("dtype", NUMERIC)
@pytest.mark.parametrize("to", ["int32", "uint8", "float16", "float32", "complex128"])
def test_dtype(name, dtype, to):
    x = np.abs(fill((3, 4), dtype, 1, special=False))
    if name in ("mean", "var") and np.dtype(to).kind in "iu":
        return
    if x.dtype.kind == "c" and np.dtype(to).kind != "c":
        return
    expected = getattr(np, name)(x, axis=0, dtype=to)
    got = getattr(cupric, name)(cupric.array(x), axis=0, dtype=to)
    assert_same(got, expected, max(tolerance(x), tolerance(expected)) * 20)


@pytest.mark.parametrize("name", ["sum", "max", "any", "mean", "std", "argmax"])
def test_out(name):
    x = fill((3, 4), "float64", 1, special=False)
    expected = getattr(np, name)(x, axis=1)
    out = cupric.empty(3, expected.dtype)
    assert getattr(cupric, name)(cupric.array(x), axis=1, out=out) is out
    assert_same(out, expected, 1e-12)
    for shape in [(4,), (3, 1), ()]:
        with pytest.raises(ValueError):
            out = cupric.empty(shape, expected.dtype)
            getattr(cupric, name)(cupric.array(x), axis=1, out=out)


def test_out_of_another_dtype():
    x = np.arange(12, dtype="int8").reshape(3, 4)
    for dtype in ["int8", "int16", "float32", "float64", "complex64"]:
        out = cupric.zeros(3, dtype)
        cupric.sum(cupric.array(x), axis=1, out=out)
        assert_same(out, np.sum(x, axis=1, out=np.zeros(3, dtype)))


def test_out_that_overlaps_the_input():
    x = np.arange(16.0).reshape(4, 4)
    y = cupric.array(x)
    cupric.sum(y, axis=0, out=y[1])
    np.sum(x, axis=0, out=x[1])
    assert_same(y, x)


def test_out_that_overlaps_an_input_taken_in_again():
    x = np.arange(6.0).reshape(2, 3)
    y = cupric.array(x)
    cupric.maximum.accumulate(cupric.from_dlpack(y[:, ::-1]), out=y)
    assert_same(y, np.maximum.accumulate(x[:, ::-1]))
    cupric.sum(cupric.from_dlpack(y), axis=0, out=y[1])
    assert_same(y[1], np.array([7.0, 5.0, 3.0]))


def test_out_that_is_read_only():
    out = cupric.zeros(3)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        cupric.zeros((3, 4)).sum(axis=1, out=out)


@pytest.mark.parametrize("name", ["max", "min", "ptp"])
def test_empty_without_identity(name):
    with pytest.raises(ValueError, match="zero-size array to reduction operation m"):
        getattr(cupric, name)(cupric.zeros((2, 0)), axis=1)
    assert getattr(cupric, name)(cupric.zeros((2, 0)), axis=0).shape == (0,)


@pytest.mark.parametrize("dtype", "bBhHiIlLefdFD")
def test_ranges(dtype):
    rng = np.random.default_rng(0)
    a = (rng.random((6, 7, 8)) * 300 - 150).astype(dtype)
    if dtype in "bhil":  # the difference wraps
        a[0, 0, :2] = np.iinfo(dtype).min, np.iinfo(dtype).max
    if dtype in "efd":
        a[1, 0, :2], a[2, 1:3, 3], a[3, 3] = (np.inf, -np.inf), np.nan, np.inf
    wide = np.resize(a, (3, 100000))
    views = a, a[::-1, :, ::3], a.transpose(2, 0, 1), np.asfortranarray(a), wide, wide.T
    for x in views:
        y = cupric.array(x)
        for axis in (None, 0, 1, -1, (0, 1), (0, x.ndim - 1), ()):
            for keepdims in (False, True):
                with np.errstate(all="ignore"):
                    want = np.ptp(x, axis=axis, keepdims=keepdims)
                got = cupric.ptp(y, axis=axis, keepdims=keepdims)
                assert (got.dtype, got.shape) == (want.dtype, np.shape(want))
                np.testing.assert_array_equal(got.get(), want)
                out = cupric.zeros(np.shape(want), dtype)[..., None][..., 0]
                assert cupric.ptp(y, axis=axis, out=out, keepdims=keepdims) is out
                np.testing.assert_array_equal(out.get(), want)


def test_ranges_into_any_output():
    x = np.random.default_rng(1).random((5, 6, 7)).astype("f")
    for order in ("C", "F"):
        for dtype in "fde":
            out = cupric.zeros((6, 5), dtype, order=order).T
            row = _core.reductions.ptp
            assert row(cupric.array(x), axis=2, out=out) is out
            np.testing.assert_array_equal(out.get(), np.ptp(x, axis=2).astype(dtype))
    with pytest.raises(TypeError):
        cupric.ptp(cupric.ones(3, bool))
    with pytest.raises(TypeError):
        np.ptp(np.ones(3, bool))


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_position_in_nothing(name):
    with pytest.raises(ValueError, match=f"attempt to get {name} of an empty sequence"):
        getattr(cupric, name)(cupric.zeros((2, 0)), axis=1)
    assert getattr(cupric, name)(
        cupric.zeros((2, 0)), axis=0, keepdims=False
    ).shape == (0,)


def test_position_by_numpys_order_of_arguments():
    out = cupric.zeros(3, "int64")
    assert cupric.argmax(cupric.array(np.eye(3)), 0, out) is out
    assert out.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        (
            {"axis": 2},
            np.exceptions.AxisError,
            "axis 2 is out of bounds for array of dim",
        ),
        ({"axis": (0, 0)}, ValueError, "duplicate value in 'axis'"),
        ({"axis": 1.5}, TypeError, "integer"),
        ({"axes": 1}, TypeError, "unexpected keyword argument 'axes'"),
        ({"out": np.zeros(())}, TypeError, "numpy.ndarray"),
        ({"out": 1}, TypeError, "return arrays must be"),
        (
            {"where": cupric.ones((2, 3)) if hasattr(cupric, "ones") else 1},
            TypeError,
            "",
        ),
        ({"dtype": "U3"}, TypeError, "not supported"),
        ({"initial": "a"}, TypeError, "Unsupported type"),
    ],
)
def test_bad_arguments(args, error, message):
    with pytest.raises(error, match=message):
        cupric.sum(cupric.zeros((2, 3)), **args)


def test_bad_arrays():
    for bad in [[1, 2], "a", None, object()]:
        with pytest.raises(TypeError, match="Unsupported type"):
            cupric.sum(bad)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'a'"):
        cupric.sum()
    with pytest.raises(TypeError, match="takes from 1 to 7 positional arguments but 8"):
        cupric.sum(*[None] * 8)
    with pytest.raises(TypeError, match="multiple values for argument 'axis'"):
        cupric.sum(cupric.zeros(3), 0, axis=0)


def test_zero_dimensions():
    x = cupric.array(3.0)
    for axis in [None, 0, -1, ()]:
        assert_same(cupric.sum(x, axis=axis), np.float64(3))
    with pytest.raises(np.exceptions.AxisError):
        cupric.sum(x, axis=1)
    with pytest.raises(np.exceptions.AxisError):
        cupric.sum(x, axis=(0,))


def test_scalars_are_arrays_of_no_dimension():
    assert_same(cupric.sum(3), np.int64(3))
    assert_same(cupric.mean(np.float32(3)), np.float32(3))


@pytest.mark.parametrize("dtype", FLOATS)
def test_sum_is_accurate(dtype):
    """Pairwise: the error does not grow with the length; 16 bits add up in 32."""
    n = 1 << 20
    x = np.full(n, 0.1 if dtype != "float16" else 0.01, dtype)
    exact = float(x[0]) * n
    got = float(cupric.sum(cupric.array(x)).get())
    assert abs(got - exact) <= 16 * np.finfo(dtype).eps * exact


def test_variance_of_a_large_mean():
    x = np.random.default_rng(0).random(10_000).astype("float32") + 1e4
    y = cupric.array(x)
    np.testing.assert_allclose(y.var().get(), x.astype("float64").var(), rtol=1e-3)


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (2, 700), (700, 2)])
def test_variance_of_infinite_elements_and_of_none(name, shape):
    a = np.random.default_rng(1).random(shape)
    a[0, 0] = np.inf
    some = np.ones(shape, bool)
    some[-1] = False
    for x, y in ((a, cupric.array(a)), (a[::-1], cupric.array(a)[::-1])):
        for axis in (None, 0, 1):
            got = getattr(cupric, name)(y, axis=axis)
            assert_same(got, getattr(np, name)(x, axis=axis), 1e-12)
            for where in (some, np.zeros(shape, bool)):
                got = getattr(cupric, name)(y, axis=axis, where=cupric.array(where))
                want = getattr(np, name)(x, axis=axis, where=where)
                assert_same(got, want, 1e-12)


def test_variance_with_the_mean_given():
    x = fill((4, 5), "float64", 2, special=False)
    y = cupric.array(x)
    mean = y.mean(axis=1, keepdims=True)
    assert_same(cupric.var(y, axis=1, mean=mean), x.var(axis=1), 1e-12)
    assert_same(cupric.var(y, axis=1, correction=1), x.var(axis=1, ddof=1), 1e-12)
    with pytest.raises(ValueError, match="provided simultaneously"):
        cupric.var(y, ddof=1, correction=1)
    with pytest.raises(ValueError, match="broadcast"):
        cupric.var(y, axis=1, mean=cupric.zeros(4))


@pytest.mark.parametrize("name", ["sum", "max", "mean", "all"])
def test_thirty_two_axes(name):
    x = fill((1,) * 28 + (2, 1, 2, 3), "float64", 1, special=False)
    for axis in [None, 28, (28, 31), tuple(range(0, 32, 2))]:
        assert_same(
            getattr(cupric, name)(cupric.array(x), axis=axis),
            getattr(np, name)(x, axis=axis),
            1e-12,
        )


def test_integers_wrap():
    x = np.full(3, np.iinfo("int64").max)
    assert_same(cupric.sum(cupric.array(x)), np.sum(x))
    assert_same(cupric.prod(cupric.array(x)), np.prod(x))


@pytest.mark.parametrize("dtype", REAL)
def test_nan_sums(dtype):
    x = fill((5, 6), dtype, 3, special=np.dtype(dtype).kind == "f")
    x[np.isinf(x)] = 0
    for axis in [None, 0, (0, 1)]:
        for name in ["nansum", "nanprod"]:
            assert_same(
                getattr(cupric, name)(cupric.array(x), axis=axis),
                getattr(np, name)(x, axis=axis),
                tolerance(x) * 100,
            )


def test_results_are_new():
    x = cupric.zeros(())
    assert cupric.sum(x) is not x


def test_no_leaks(no_leak):
    x = cupric.zeros((3, 4))
    for _ in range(100):
        x.sum(axis=0)
        x.var(axis=1, keepdims=True)
        x.argmax()
        with pytest.raises(ValueError):
            x.sum(axis=0, out=cupric.zeros(3))
        with pytest.raises(TypeError):
            x.sum(initial="a")
    del x
