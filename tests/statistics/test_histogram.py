"""bincount, digitize, histogram."""

import time

import numpy as np
import pytest

import cupric
from cupric._statistics import _bins

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


@pytest.mark.parametrize(
    "kwargs",
    [
        {"x": [2**62]},
        {"x": [0, 2**63 - 1, 5]},
        {"x": [2**40]},
        {"x": [2**62], "weights": [0.5]},
        {"x": [1], "minlength": 2**62},
    ],
)
def test_bincount_of_huge_values(kwargs, no_leak):
    """It says at once that so many counts have no room, and all goes on."""
    pool = cupric.get_default_memory_pool()
    before, limit = pool.used_bytes(), pool.get_limit()
    arrays = {k: cupric.asarray(v) for k, v in kwargs.items() if k != "minlength"}
    started = time.monotonic()
    with pytest.raises(MemoryError, match=r"counts.* bytes"):
        cupric.bincount(**(kwargs | arrays))
    assert time.monotonic() - started < 10  # kernels may be compiled
    arrays.clear()
    assert (pool.used_bytes(), pool.get_limit()) == (before, limit)
    counts = cupric.bincount(cupric.asarray([1, 1, 3]))
    assert counts.tolist() == [0, 2, 0, 1]
    assert float(cupric.ones(1 << 20).sum()) == 1 << 20
    with pytest.raises(ValueError, match="int64"):
        cupric.bincount(cupric.asarray([2**64 - 1], dtype="uint64"))


@pytest.mark.parametrize("right", [False, True])
def test_digitize(right):
    x = np.arange(12.0).reshape(3, 4)
    for edges in [np.array([1.0, 3, 3, 8]), np.array([8.0, 3, 1])]:
        got = cupric.digitize(cupric.array(x), cupric.array(edges), right)
        assert_same(got, np.digitize(x, edges, right))
    with pytest.raises(ValueError, match="monotonic"):
        cupric.digitize(cupric.array(x), cupric.array([1, 3, 2]))


@pytest.mark.parametrize("edge", "bBHilLefd")
@pytest.mark.parametrize("value", "?bBhHiIlLefd")
def test_digitize_several_dtypes_and_orders(value, edge):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 40, (13, 10, 7)).astype(value)
    edges = np.sort(rng.integers(0, 40, 9)).astype(edge)
    if value in "ef":
        x[3, :, 2], x[4] = np.nan, np.inf
    for bins in (edges, edges[::-1], np.repeat(edges, 2)[::2], edges[:1], edges[:0]):
        for n, turn in enumerate(
            (lambda v: v, lambda v: v.T, lambda v: v[::2, ::-1], lambda v: v[0].T)
        ):
            got = cupric.digitize(turn(cupric.array(x)), cupric.array(bins), n % 2 == 0)
            assert_same(got, np.digitize(turn(x), bins, n % 2 == 0))


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
    for kwargs in [
        {"weights": cupric.zeros(3)},
        {"bins": [2, 1]},
        {"bins": 0},
        {"range": (2, 1)},
        {"range": (0, np.inf)},
    ]:
        with pytest.raises(ValueError):
            cupric.histogram(y, **kwargs)


@pytest.mark.parametrize("bins", [1, 10, 129, 3000, 40000])
@pytest.mark.parametrize("weighted", [False, True])
def test_numbers_of_bins(bins, weighted):
    x = np.random.default_rng(3).standard_normal(20001)
    x[::100] = np.nan
    w = np.arange(x.size, dtype="float64") if weighted else None
    v = cupric.array(w) if weighted else None
    edges = np.sort(np.append(np.linspace(-3, 3, bins), [1.0]))
    even = np.linspace(-3, 3, bins + 1)
    for given, kwargs in [(edges, {}), (bins, {"range": (-3, 3)})]:
        ours = cupric.array(given) if np.ndim(given) else given
        got, at = cupric.histogram(cupric.array(x), ours, weights=v, **kwargs)
        expected, _ = np.histogram(x, given, weights=w, **kwargs)
        assert_same(got, expected, 1e-12)
        np.testing.assert_array_equal(at.get(), edges if np.ndim(given) else even)


def test_values_on_edges_and_beyond():
    edges = np.array([0, 1, 1, 3])
    x = np.array([-1, 0, 1, 2, 3, 4, 1])
    for dtype in ("int8", "int64", "float32", "float64"):
        y = cupric.array(x.astype(dtype))
        assert_same(
            cupric.histogram(y, cupric.array(edges))[0], np.histogram(x, edges)[0]
        )
    y = cupric.array(np.array([0, 2**64 - 1], "uint64"))
    big = np.array([1, 2**64 - 1], "uint64")
    assert cupric.histogram(y, cupric.array(big))[0].tolist() == [1]
    assert cupric.histogram(y[:0])[0].tolist() == [0] * 10


@pytest.mark.parametrize("bent", [0, 1e-3, 0.3, 5])
@pytest.mark.parametrize("bins", [1, 7, 256, 257, 3000])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int16"])
def test_edges_that_are_about_even(dtype, bins, bent):
    """Some are looked for by their common distance, others by halving."""
    random = np.random.default_rng(bins)
    edges = np.linspace(-1, 1, bins + 1)
    edges = 500 * (edges + bent * edges**3) / (1 + bent)
    x = random.uniform(-600, 600, 2001).astype(dtype)
    x[:bins] = edges[: x[:bins].size]
    if dtype != "int16":
        x[-3:] = np.nan, np.inf, -np.inf
    expected = np.histogram(x, edges)[0]
    found = cupric.histogram(cupric.array(x), cupric.array(edges))[0]
    assert_same(found, expected)


def test_histogram_of_a_view():
    x = np.random.default_rng(4).random((30, 40)).astype("float16")
    y = cupric.array(x)
    for v, u in [(y.T, x.T), (y[::-1, ::3], x[::-1, ::3])]:
        got, edges = cupric.histogram(v, 7, weights=v)
        expected, _ = np.histogram(u, edges.get(), weights=u.astype("float64"))
        expected = expected.astype("float16")
        assert_same(got, expected, 1e-3)


def test_bincount_of_few_and_many():
    rng = np.random.default_rng(5)
    for top in (1, 200, 20000):
        x = rng.integers(0, top, 50000)
        w = rng.random(x.size)
        y = cupric.array(x)
        assert_same(cupric.bincount(y), np.bincount(x))
        assert_same(cupric.bincount(y, cupric.array(w)), np.bincount(x, w), 1e-12)
        assert_same(cupric.bincount(y[::-2]), np.bincount(x[::-2]))
    with pytest.raises(ValueError, match="negative"):
        cupric.bincount(cupric.array([3, -1, 2], dtype="int16"))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint8", "int64"])
@pytest.mark.parametrize("options", [{}, {"range": (0, 3)}, {"density": True}])
def test_the_dtype_of_edges(dtype, options):
    x = np.array([0, 1, 1, 2, 5], dtype)
    got = cupric.histogram(cupric.array(x), 7, **options)
    for mine, numpy in zip(got, np.histogram(x, 7, **options), strict=True):
        assert_same(mine, numpy, 1e-12)


@pytest.mark.parametrize("bins", [3, [0, 1, 2, 9]])
@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "complex64"])
def test_sums_of_weights_have_their_dtype(dtype, bins):
    x = np.array([0.5, 1, 1, 2, 8])
    w = (np.arange(5) + (1j if dtype[0] == "c" else 0)).astype(dtype)
    given = bins if isinstance(bins, int) else cupric.array(bins)
    for density in (False, True):
        got = cupric.histogram(
            cupric.array(x), given, weights=cupric.array(w), density=density
        )
        expected = np.histogram(x, bins, weights=w, density=density)
        for mine, numpy in zip(got, expected, strict=True):
            assert_same(mine, numpy, 1e-6)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid")
def test_a_range_that_overflows(dtype):
    most = np.finfo(dtype).max
    with pytest.raises(ValueError, match="Too many bins"):
        cupric.histogram(cupric.array(np.array([-most, most], dtype)), 3)
    with pytest.raises(ValueError, match="Too many bins"):
        cupric.histogram(cupric.array(np.array([most, most], dtype)), 3)


def test_bins_that_are_no_number():
    x = cupric.arange(3.0)
    with pytest.raises(TypeError, match="bins"):
        cupric.histogram(x, 2.5)
    with pytest.warns(RuntimeWarning, match="bool"):
        assert cupric.histogram(x > 1, 2)[0].tolist() == [2, 1]


def test_bincount_of_uint64_and_of_nothing():
    x = np.array([1, 3, 1], "uint64")
    assert_same(cupric.bincount(cupric.array(x)), np.bincount(x))
    none, weights = np.array([], "int64"), np.array([])
    for n in (0, 3):
        got = cupric.bincount(cupric.array(none), cupric.array(weights), n)
        assert_same(got, np.bincount(none, weights, n))
    with pytest.raises(TypeError):
        cupric.bincount(cupric.array(x), cupric.array([1j, 1, 1]))


NAN = float("nan")


@pytest.mark.parametrize(
    "bins", [[0, NAN], [NAN, 0], [NAN, NAN], [0, NAN, 2], [0, 1, NAN]]
)
def test_digitize_with_nan_bins(bins):
    x = np.array([1, 2, NAN])
    got = cupric.digitize(cupric.array(x), cupric.array(np.array(bins, "d")))
    assert_same(got, np.digitize(x, bins))


@pytest.mark.parametrize("bins", [[np.nan, 1, 0], [0, 1, np.nan], [0, 0, np.nan]])
def test_digitize_with_nan_bins_of_bfloat16(bins):
    """As of float32, which holds the same values."""
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    edges = np.array(bins, "f")
    ours = cupric.array(edges.astype(bfloat16))
    assert_same(cupric.digitize(ours, ours), np.digitize(edges, edges))


@pytest.mark.parametrize("edges", [[1, 3, 3, 8], [8, 3, 1], [5], [], [2, 2], [1, 3, 2]])
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtypes", ["ff", "dd", "ii", "ll", "bf", "BL", "Lb", "e?"])
def test_digitize_by_one_kernel(edges, right, dtypes):
    x = np.arange(24).reshape(3, 8)[:, ::2].astype(dtypes[0])
    edges = np.array(edges, dtypes[1])
    args = cupric.array(x), cupric.array(edges), right
    found, wrong = _bins._among_few(*args)
    if np.all(edges[1:] >= edges[:-1]) or np.all(edges[1:] <= edges[:-1]):
        assert not wrong
        assert_same(found, np.digitize(x, edges, right))
    else:
        assert wrong


@pytest.mark.parametrize("dtype", [*"?bBhHiIlLefd"])
def test_values_and_edges_of_two_dtypes_in_any_order(dtype):
    x = np.random.default_rng(0).integers(0, 99, (31, 57)).astype(dtype)
    edges = np.linspace(0.5, 90, 33)
    y, ours = cupric.array(x), cupric.array(edges)
    for view in (lambda a: a, lambda a: a.T, lambda a: a[::-1, 3:], lambda a: a[::2]):
        for right in False, True:
            want = np.digitize(view(x), edges, right)
            side = "left" if right else "right"
            assert_same(cupric.digitize(view(y), ours, right), want)
            assert_same(
                cupric.digitize(view(y), ours[::-1], right),
                33 - np.searchsorted(edges, view(x), side=side),
            )
            assert_same(cupric.searchsorted(ours, view(y), side=side), want)
            for kind in "f2", "i4":
                narrow = ours.astype(kind)
                want = np.searchsorted(edges.astype(kind), view(x), side=side)
                assert_same(cupric.searchsorted(narrow, view(y), side=side), want)


@pytest.mark.parametrize("edges", [[np.nan, 1], [1, np.nan], [0, np.nan, 1]])
def test_digitize_by_one_kernel_leaves_nan_edges(edges):
    edges = cupric.array(edges)
    assert _bins._among_few(edges, edges.copy(), False)[1]


@pytest.mark.parametrize("count", [4096, 4097, 70000])
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("at", [None, 0, 2000, -1])
def test_digitize_among_many_edges(count, order, at):
    x, edges = np.arange(-9, 80_000, 7), np.arange(count)[::order]
    if at is not None:
        edges = edges.copy()
        edges[at], edges[at - 1] = edges[at - 1], edges[at]
    for values in (x[:1], x[:300], x, x[:9000].reshape(30, 300).T):
        for dtype in "ldb":
            there, bins = cupric.array(values.astype(dtype)), cupric.array(edges)
            if at is None:
                want = np.digitize(values.astype(dtype), edges, dtype == "d")
                assert_same(cupric.digitize(there, bins, dtype == "d"), want)
            else:
                with pytest.raises(ValueError, match="monotonic"):
                    cupric.digitize(there, bins)


def test_digitize_has_no_order_of_complex_numbers():
    real, imaginary = cupric.arange(2.0), cupric.array([1j])
    for x, bins in [(real, imaginary), (imaginary, real)]:
        with pytest.raises(TypeError):
            cupric.digitize(x, bins)
    with pytest.raises(ValueError, match="too small"):
        cupric.digitize(real, cupric.array(1.0))


def test_parameters_from_numpy():
    """Those that CuPy copies to the device. The program copies the array itself."""
    x = np.array([0.5, 1, 1, 2, 3])
    y = cupric.array(x)
    for bins in (np.array([0, 1, 4]), [0, 1, 4]):
        got, edges = cupric.histogram(y, bins)
        assert_same(got, np.histogram(x, bins)[0])
        assert edges.tolist() == [0, 1, 4]
    assert_same(cupric.average(y, weights=x), np.average(x, weights=x), 1e-12)
    assert_same(cupric.gradient(y, x.cumsum()), np.gradient(x, x.cumsum()), 1e-12)
    with pytest.raises(TypeError, match="Unsupported type"):
        cupric.histogram(x, 3)


def test_bincount_of_more_values_than_memory_counts():
    """Said at once: nothing of that size is filled."""
    for value in (2**40, 2**62):
        with pytest.raises(MemoryError, match=f"{value + 1} counts"):
            cupric.bincount(cupric.array([0, value]))
    with pytest.raises(ValueError, match="no int64"):
        cupric.bincount(cupric.array([2**63], "L"))


RULES = ["auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges"]
DRAWS = {
    "normal": lambda rng, n: rng.normal(20, 10, n),
    "skewed": lambda rng, n: rng.exponential(10, n),
    "even": lambda rng, n: rng.uniform(0, 100, n),
    "constant": lambda rng, n: np.full(n, 3.0),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("rule", RULES)
def test_rules_for_the_number_of_bins(rule, draw):
    for dtype in "fdbBl?":
        for n in (0, 1, 2, 3, 100, 1000):
            values = DRAWS[draw](np.random.default_rng(n), n).clip(0, 120)
            x = values > 20 if dtype == "?" else values.astype(dtype)
            for limits in (None, (5, 30), (5.0, 30.0)):
                want, at = np.histogram(x, rule, limits)
                got, edges = cupric.histogram(cupric.asarray(x), rule, limits)
                np.testing.assert_array_equal(got.get(), want)
                np.testing.assert_allclose(edges.get(), at, rtol=1e-6, strict=True)


def test_rules_of_integers_that_are_far_apart():
    x = np.array([-(2**63), 0, 2**63 - 1])
    want, at = np.histogram(x, "sqrt")
    got, edges = cupric.histogram(cupric.asarray(x), "sqrt")
    np.testing.assert_array_equal(got.get(), want)
    np.testing.assert_array_equal(edges.get(), at)


def test_rules_that_there_are_not():
    x = cupric.arange(5.0)
    with pytest.raises(ValueError, match="'nope' is not a valid estimator"):
        cupric.histogram(x, "nope")
    with pytest.raises(TypeError, match="weighted"):
        cupric.histogram(x, "auto", weights=x)
    with pytest.raises(ValueError, match="finite"):
        cupric.histogram(x / 0, "auto")


def test_the_most_bins_that_stone_tries_warn():
    x = np.repeat(np.arange(2.0), 1000) + np.tile(np.arange(1000) * 1e-9, 2)
    for xp, a in ((np, x), (cupric, cupric.asarray(x))):
        with pytest.warns(RuntimeWarning, match="suboptimal"):
            xp.histogram(a, "stone")


@pytest.mark.filterwarnings("ignore:Converting input from bool")
def test_bytes_of_bools_that_are_neither_0_nor_1():
    x = np.array([64, 0, 1], np.uint8).view(bool)
    counts, edges = cupric.histogram(cupric.array(x))
    expected, expected_edges = np.histogram(x)
    np.testing.assert_array_equal(counts.get(), expected)
    np.testing.assert_array_equal(edges.get(), expected_edges)
