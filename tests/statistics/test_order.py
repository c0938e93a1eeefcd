"""median, quantile, percentile, average."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric
from cupric._lib.kernels._word import call_with_word
from cupric._statistics import _quantiles

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


@pytest.mark.parametrize("dtypes", _quantiles._SHORT)
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (2, 1)])
@pytest.mark.parametrize("nan", [False, True])
def test_quantiles_of_short_rows(dtypes, axis, nan):
    """By one kernel, of whatever strides."""
    x = (np.random.default_rng(1).random((5, 7, 38)) * 50).astype(dtypes[0])
    if nan and dtypes[0] in "fd":
        x[:, :, ::3] = np.nan
        x[1] = x[:, 2] = np.nan
    for a in (x, x[::-1, ::2, ::-2], x.transpose(2, 0, 1)):
        for q in (_quantiles.MIDDLE, np.array([0.3, 1])):
            wide = a.astype(dtypes[1])
            expected = np.nanquantile(wide, q, axis=axis, keepdims=True)
            expected = expected.astype(dtypes[1])
            args = axis, q, "linear", np.dtype(dtypes[1]), True, True
            r, has_nan = call_with_word(_quantiles._of_short, cupric.array(a), *args)
            assert_same(r, expected, 1e-5)
            assert bool(has_nan) == bool(np.isnan(expected).any())
            r = _quantiles._of_short(cupric.array(a), *args[:4], False, False, 0)
            expected = np.quantile(wide, q, axis=axis)
            assert_same(r, expected.astype(dtypes[1]), 1e-5)


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


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "complex64", "int8"]
)
@pytest.mark.parametrize("weights", ["float32", "float64", "int32", "complex128"])
@pytest.mark.parametrize("axis", [0, 1, (0, 2), (2, 0), (0, 1, 2)])
@pytest.mark.parametrize("full", [False, True])
def test_average_by_weights_of_axes(dtype, weights, axis, full):
    """Which are one sum for all slices, or one for each."""
    x = fill((3, 4, 5), dtype, 1, special=False)
    axes = (axis,) if isinstance(axis, int) else axis
    shape = x.shape if full else tuple(x.shape[i] for i in axes)
    w = (np.arange(np.prod(shape)).reshape(shape) % 5 + 1).astype(weights)
    kwargs = {"axis": axis, "returned": True, "keepdims": True}
    expected = np.average(x, weights=w, **kwargs)
    got = cupric.average(cupric.array(x), weights=cupric.array(w), **kwargs)
    for mine, other in zip(got, expected, strict=True):
        assert_same(mine, other, 1e-5)
    got[1][...] = 7  # memory of its own


@pytest.mark.parametrize("dtype", ["?", "b", "i"])
def test_average_of_integers_by_weights_of_their_dtype(dtype):
    """Is computed in float64: no product overflows, no sum of booleans is one."""
    x = np.array([1, 1, np.iinfo(dtype).max if dtype != "?" else 1]).astype(dtype)
    y = cupric.array(x)
    assert_same(cupric.average(y, weights=y), np.average(x, weights=x), 1e-15)


NAN, INF = float("nan"), float("inf")
LARGEST = {t: np.finfo(t).max for t in ("float16", "float32", "float64")}


@pytest.mark.parametrize("dtype", list(LARGEST))
@pytest.mark.parametrize("parts", [[1], [1, 0.9, 0.95], [NAN, 0.99], [-1, 1, 1]])
def test_nanmedian_near_the_largest_number(dtype, parts):
    x = (np.array(parts) * float(LARGEST[dtype])).astype(dtype)
    got = cupric.nanmedian(cupric.array(x))
    assert_same(got, np.nanmedian(x), tolerance(x))
    assert bool(cupric.isfinite(got))


@pytest.mark.parametrize("dtype", list(LARGEST))
def test_nanmedian_of_infinities_and_of_the_smallest_number(dtype):
    tiny = np.finfo(dtype).smallest_subnormal
    for values in ([INF], [-INF, INF, INF], [NAN, -INF, -INF], [tiny], [tiny, tiny]):
        x = np.array(values, dtype)
        assert_same(cupric.nanmedian(cupric.array(x)), np.nanmedian(x))


@pytest.mark.parametrize("dtype", ["?", "b", "B", "i", "l", "L", "e", "f", "d"])
@pytest.mark.parametrize("axis", [None, 0, 1, 2, (0, 2)])
def test_order_statistics_of_any_layout(dtype, axis):
    """The sorted rows are in C order, whatever the order of the array is."""
    x = fill((3, 4, 6), dtype, 1, special=False)
    for view in (
        lambda a: a.transpose(2, 0, 1),
        lambda a: a[:, ::-1, ::2],
        lambda a: a.copy(order="F"),
    ):
        a, b = view(x), view(cupric.array(x))
        for name in ("median", "nanmedian"):
            expected = getattr(np, name)(a, axis=axis)
            assert_same(getattr(cupric, name)(b, axis=axis), expected, 1e-3)
        expected = np.quantile(a, [0.2, 0.7], axis=axis, method="lower")
        assert_same(cupric.quantile(b, [0.2, 0.7], axis=axis, method="lower"), expected)


QS = [0.5, 1, 1.0, [0.25], [0, 1], np.float32(0.5), np.float64(0.5), np.float16(0.5)]


@pytest.mark.parametrize("q", QS, ids=repr)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "uint8"])
def test_the_dtype_of_quantiles(dtype, q):
    x = np.array([1, 2, 4, 7], dtype)
    y = cupric.array(x)
    for method in ("linear", "hazen", "lower", "midpoint"):
        for name in ("quantile", "percentile"):
            got = getattr(cupric, name)(y, q, method=method)
            expected = getattr(np, name)(x, q, method=method)
            assert_same(got, expected, 2e-3)


def test_quantiles_of_booleans():
    x = np.array([True, False, True])
    y = cupric.array(x)
    assert_same(cupric.quantile(y, 0.5, method="lower"), np.True_)
    for f, a in ((np.quantile, x), (cupric.quantile, y)):
        with pytest.raises(TypeError):
            f(a, 0.5)


def test_no_quantiles_of_nothing():
    assert cupric.quantile(cupric.zeros((0, 2)), [], axis=0).shape == (0, 2)


@pytest.mark.parametrize("q", [1.5, -0.1, [0.5, 2], NAN])
def test_quantiles_outside_the_unit_interval(q):
    with pytest.raises(ValueError, match="range"):
        cupric.quantile(cupric.arange(3.0), q)
    with pytest.raises(ValueError, match="range"):
        cupric.percentile(cupric.arange(3.0), np.multiply(q, 100))


@pytest.mark.parametrize("name", ["median", "nanmedian", "percentile", "ptp"])
@pytest.mark.parametrize("shape", [(4, 3), (1, 3), (1,), ()])
def test_an_output_of_another_shape(name, shape):
    out = cupric.full(shape, -1.0)
    args = (50,) if name == "percentile" else ()
    with pytest.raises(ValueError):
        getattr(cupric, name)(cupric.ones((2, 3)), *args, axis=0, out=out)
    assert (out == -1).all()


def test_outputs_are_cast_as_numpy_casts_them():
    x = cupric.ones((2, 3))
    for name in ("median", "nanmedian"):
        out = cupric.zeros(3, "int32")
        assert getattr(cupric, name)(x, axis=0, out=out) is out
        assert out.tolist() == [1, 1, 1]
    for f in (cupric.ptp, lambda *a, **k: cupric.percentile(*a, 50, **k)):
        with pytest.raises(TypeError, match="cast"):
            f(x, axis=0, out=cupric.zeros(3, "int32"))


@pytest.mark.parametrize("name", ["nanmax", "nanmin", "nanmedian"])
def test_a_warning_where_all_are_nan(name):
    f = getattr(cupric, name)
    x = cupric.array([[NAN, NAN], [1.0, NAN]])
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        f(x, axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f(x)
        f(x.astype(int), axis=1)


@pytest.mark.parametrize("name", ["mean", "var", "std", "average", "median"])
@pytest.mark.parametrize("axis", [0, -1])
def test_moments_of_a_number_have_no_axis(name, axis):
    for module, x in ((np, np.array(1.0)), (cupric, cupric.array(1.0))):
        with pytest.raises(np.exceptions.AxisError):
            getattr(module, name)(x, axis=axis)
        assert getattr(module, name)(x).shape == ()


@pytest.mark.parametrize("name", ["nanmean", "nanvar", "nanstd"])
def test_moments_without_nan_of_a_number_along_its_axis(name):
    assert getattr(cupric, name)(cupric.array(2.0), axis=0).shape == ()


@pytest.mark.parametrize(
    "name", ["nanmedian", "nanpercentile", "nanquantile", "nanmax"]
)
def test_a_warning_names_the_line_of_the_call(name):
    args = (0.3,) if "tile" in name else ()
    with pytest.warns(RuntimeWarning, match="All-NaN") as warned:
        getattr(cupric, name)(cupric.full((2, 3), np.nan), *args, axis=0)
    assert warned[0].filename == __file__


def test_warnings_of_too_few_elements():
    for f, args, word in [
        (cupric.mean, {}, "Mean of empty"),
        (cupric.var, {}, "Degrees of freedom"),
        (cupric.std, {"ddof": 2}, "Degrees of freedom"),
    ]:
        with pytest.warns(RuntimeWarning, match=word):
            f(cupric.ones(2 if args else 0), **args)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cupric.mean(cupric.zeros((0, 3)), axis=1)
        cupric.std(cupric.ones(3), ddof=2)


def test_the_sum_of_no_weights():
    got = cupric.average(cupric.zeros((0,)), returned=True)
    assert np.isnan(got[0].item())
    assert got[1].item() == 0


def test_roots_and_nan_are_not_put_into_whole_numbers():
    x = cupric.array([[1.0, 2.0], [3.0, 5.0]])
    for name in ("std", "nanmean", "nanvar", "nanstd"):
        for dtype in ("int32", "bool"):
            with pytest.raises(TypeError):
                getattr(cupric, name)(x, axis=0, out=cupric.zeros(2, dtype))
            with pytest.raises(TypeError):
                getattr(np, name)(x.get(), axis=0, out=np.zeros(2, dtype))
    out = cupric.zeros(2, "float32")
    assert cupric.std(x, axis=0, out=out) is out


def test_weights_of_a_number_have_no_axis():
    with pytest.raises(np.exceptions.AxisError):
        cupric.average(cupric.array(1.0), axis=0, weights=cupric.array(1.0))
