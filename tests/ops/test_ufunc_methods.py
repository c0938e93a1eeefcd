"""ufunc.reduce, reduceat, outer, at, attributes; NumPy's ufuncs on our arrays."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric

from .cases import NUMERIC, assert_same, axes_of, fill, outcome, pairs
from .test_py_reduction import tolerance

BINARY = [
    name
    for name in dir(np)
    if isinstance(getattr(np, name), np.ufunc)
    and getattr(np, name).nin == 2
    and getattr(np, name).nout == 1
    and getattr(np, name).signature is None
    and isinstance(getattr(cupric, name, None), cupric.ufunc)
    and getattr(np, name).__name__ == name
]


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
def test_reduce(name, data):
    x, y = data.draw(pairs(special=False))
    if x.size > 64 or name in ("power", "float_power", "left_shift", "right_shift"):
        return
    if name in (
        "ldexp",
        "nextafter",
        "lcm",
        "floor_divide",
        "remainder",
        "fmod",
        "arctan2",
    ):
        return
    kwargs = {"axis": data.draw(axes_of(x.ndim)), "keepdims": data.draw(st.booleans())}
    expected = outcome(getattr(np, name).reduce, x, **kwargs)
    got = outcome(getattr(cupric, name).reduce, y, **kwargs)
    coarsest = max(tolerance(a) for a in (x, expected) if hasattr(a, "shape"))
    assert_same(got, expected, coarsest * 200)  # hypot of int8 is float16


@pytest.mark.parametrize(
    "name", ["add", "multiply", "maximum", "subtract", "bitwise_or"]
)
@given(data=st.data())
def test_reduceat(name, data):
    x, y = data.draw(pairs(special=False))
    if x.size > 2100:
        return
    axis = data.draw(st.integers(-2, 1))
    n = x.shape[axis] if -x.ndim <= axis < x.ndim else 1
    starts = data.draw(st.lists(st.integers(0, max(n - 1, 0)), max_size=6))
    expected = outcome(getattr(np, name).reduceat, x, np.array(starts, int), axis)
    got = outcome(getattr(cupric, name).reduceat, y, starts, axis)
    assert_same(got, expected, tolerance(x) * max(1, x.size))


@pytest.mark.parametrize("starts", [[0, 99_999, 5], [0], [299_999, 7, 7]])
@pytest.mark.parametrize("name", ["add", "maximum", "bitwise_xor"])
def test_reduceat_of_long_slices(name, starts):
    x = (np.arange(900_000) * 2_654_435_761 % 1009).reshape(3, 300_000)
    y = cupric.asarray(x)
    views = [(lambda a: a, 1), (lambda a: a.T, 0), (lambda a: a[:, ::-1], -1)]
    for view, axis in [*views, (lambda a: a[0], 0)]:
        expected = getattr(np, name).reduceat(view(x), starts, axis)
        assert_same(getattr(cupric, name).reduceat(view(y), starts, axis), expected)


@pytest.mark.parametrize("dtype", ["?", "i1", "u4", "f2", "f4", "f8", "F", "D"])
@pytest.mark.parametrize("name", ["add", "minimum", "logical_or", "multiply"])
def test_reduceat_of_many_short_slices(name, dtype):
    rng = np.random.default_rng(3)
    x = (rng.integers(-3, 4, (3, 301)) * 0.5).astype(dtype)
    x[0, :5] = -x[0, :5] if dtype in ("f4", "f8") else x[0, :5]
    y = cupric.array(x)
    every = np.arange(300)
    some = rng.integers(0, 301, 200).astype("i4")
    for starts in (every, some, every[::3]):
        for view in (lambda a: a, lambda a: a[:, ::-1], lambda a: a.T.copy().T):
            expected = getattr(np, name).reduceat(view(x), starts, 1)
            for given_starts in (starts, cupric.array(starts)):
                got = getattr(cupric, name).reduceat(view(y), given_starts, 1)
                assert_same(got, expected)
    for starts in ([0, 1, 2], [2, 0, 0]):
        expected = getattr(np, name).reduceat(x, starts, 0)
        assert_same(getattr(cupric, name).reduceat(y, starts, 0), expected)


# Slices side by side, shorter and longer than 1024 elements, and jumps back and forth.
LENGTHS = [3, 3, 3, 1, 1023, 1, 1024, 1025, 2, 2, 5, 1019, 7, 7, 600, 600, 1, 1]


@pytest.mark.parametrize(
    "view",
    [
        lambda a: a.T.copy().T,
        lambda a: a[::-1, ::-3],
        lambda a: a[:, ::2],
        lambda a: a,
    ],
)
@pytest.mark.parametrize("dtype", ["?", "u1", "i8", "f2", "f4", "F", "D"])
@pytest.mark.parametrize("name", ["add", "maximum", "subtract", "bitwise_xor"])
def test_reduceat_of_slices_of_many_lengths(name, dtype, view):
    if dtype[0] in {"subtract": "?", "bitwise_xor": "fFD"}.get(name, ""):
        return
    x = np.random.default_rng(4).integers(0, 2, (2, 18_000)).astype(dtype)
    y = cupric.asarray(x)
    side_by_side = np.cumsum([0, *LENGTHS])
    for starts in (
        side_by_side,
        np.concatenate([side_by_side, [9, 5000, 5, 5, 6], side_by_side + 1]),
        np.arange(0, 5900, 59),
    ):
        expected = getattr(np, name).reduceat(view(x), starts, 1)
        got = getattr(cupric, name).reduceat(view(y), starts, 1)
        assert_same(got, expected)


@pytest.mark.parametrize("name", ["add", "maximum", "subtract"])
@pytest.mark.parametrize("length", [1, 3, 7, 40])
def test_reduceat_at_many_starts_of_an_array(name, length):
    """They stay on the device; among them are slices longer than the others."""
    rng = np.random.default_rng(length)
    x = rng.integers(-9, 9, (9, 3000 * length)).astype("f8")
    starts = np.arange(0, x.shape[1], length)
    starts = np.delete(starts, slice(1500, 1900))
    ours, theirs = getattr(cupric, name).reduceat, getattr(np, name).reduceat
    for order in "CF":
        y = cupric.array(x, order=order)
        for dtype in "i8", "i4":
            got = ours(y, cupric.array(starts, dtype), 1)
            assert_same(got, theirs(x, starts, 1))
        got = ours(y.T, cupric.array(starts), 0)
        assert_same(got, theirs(x.T, starts, 0))
        assert_same(ours(y[0], cupric.array(starts)[::-1]), theirs(x[0], starts[::-1]))


# Beside many short slices some that are worth several blocks; slices that overlap, of
# more elements together than there are.
UNEVEN = {
    "long last": np.arange(2000),
    "long first": np.concatenate([[0], np.arange(98_000, 99_999)]),
    "long between": np.concatenate([np.arange(1000), np.arange(70_000, 71_000)]),
    "long in turns": np.tile([0, 99_998, 5], 600),
    "all as long": np.concatenate([np.arange(0, 99_999, 98), np.arange(0, 99_999, 99)]),
}


@pytest.mark.parametrize("starts", UNEVEN.values(), ids=UNEVEN)
@pytest.mark.parametrize("dtype", ["?", "i4", "f4", "f8", "D"])
@pytest.mark.parametrize("name", ["add", "maximum", "bitwise_xor", "subtract"])
def test_reduceat_of_uneven_slices(name, dtype, starts):
    if dtype in {"bitwise_xor": ("f4", "f8", "D"), "subtract": ("?", "D")}.get(
        name, ""
    ):
        return
    x = (np.arange(300_000) * 2_654_435_761 % 7).reshape(3, -1).astype(dtype)
    y = cupric.array(x)
    ours, theirs = getattr(cupric, name).reduceat, getattr(np, name).reduceat
    expected = theirs(x, starts, 1)
    for given_starts in starts, cupric.array(starts):
        np.testing.assert_array_equal(ours(y, given_starts, 1).get(), expected)
        got = ours(y.T.copy(), given_starts, 0)
        np.testing.assert_array_equal(got.get(), expected.T)
    got = ours(y[0], cupric.array(starts))
    np.testing.assert_array_equal(got.get(), expected[0])


def test_reduceat_of_slices_of_some_length_side_by_side():
    x = np.random.default_rng(5).integers(0, 9, (300, 67, 300)).astype("f8")
    y = cupric.array(x)
    for view in (lambda a: a), (lambda a: a[:, ::-1]):
        got = cupric.add.reduceat(view(y), [0, 1], 1)
        np.testing.assert_array_equal(got.get(), np.add.reduceat(view(x), [0, 1], 1))


def test_reduceat_of_as_many_results_as_fill_a_device():
    x = np.arange(300_000 * 9, dtype="i8").reshape(300_000, 9)
    starts = np.delete(np.arange(0, 300_000, 3), slice(500, 900))
    for given_starts in starts, cupric.array(starts):
        got = cupric.add.reduceat(cupric.array(x), given_starts, 0)
        np.testing.assert_array_equal(got.get(), np.add.reduceat(x, starts, 0))


def test_reduceat_of_starts_that_are_overwritten():
    x, starts = np.arange(6000), np.arange(0, 6000, 3)
    y, out = cupric.array(x), cupric.array(starts)
    assert cupric.add.reduceat(y, out, out=out) is out
    assert_same(out, np.add.reduceat(x, starts))


@pytest.mark.parametrize("bad", [-1, 2000, 2**40, -(2**63)])
def test_reduceat_of_a_bad_start_among_many(bad):
    starts = np.arange(2000)
    starts[1234] = bad
    y, out = cupric.arange(2000.0), cupric.ones(2000)
    with pytest.raises(IndexError, match=rf"index {bad} out-of-bounds in add.reduceat"):
        cupric.add.reduceat(y, cupric.array(starts), out=out)
    assert (out == 1).all()


def test_reduceat_arguments():
    x = np.arange(8.0)
    y = cupric.array(x)
    starts = [0, 4, 1, 5]
    expected = np.add.reduceat(x, starts)
    for given_starts in [starts, np.array(starts, "i4"), cupric.array(starts)]:
        assert_same(cupric.add.reduceat(y, given_starts), expected)
    out = cupric.zeros(4)
    assert cupric.add.reduceat(y, starts, out=out) is out
    assert_same(out, expected)
    with pytest.raises(
        IndexError, match=r"index 8 out-of-bounds in add.reduceat \[0, 8\)"
    ):
        cupric.add.reduceat(y, [0, 8])
    with pytest.raises(TypeError, match="cannot reduceat on a scalar"):
        cupric.add.reduceat(cupric.array(1), [0])


@given(data=st.data())
def test_outer(data):
    small = st.lists(st.integers(0, 3), max_size=2).map(tuple)
    a, x = data.draw(pairs(shapes=small))
    b, y = data.draw(pairs(shapes=small))
    for name in ["add", "multiply", "less"]:
        expected = outcome(getattr(np, name).outer, a, b)
        assert_same(outcome(getattr(cupric, name).outer, x, y), expected, 1e-6)


def test_outer_arguments():
    a = np.arange(3.0)
    x = cupric.array(a)
    assert_same(cupric.add.outer(x, 2), np.add.outer(a, 2))
    assert_same(cupric.add.outer(2, x), np.add.outer(2, a))
    out = cupric.zeros((3, 3))
    assert cupric.multiply.outer(x, x, out=out) is out
    assert_same(out, np.multiply.outer(a, a))
    with pytest.raises(ValueError, match="binary"):
        cupric.negative.outer(x, x)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "divide"])
@given(data=st.data())
def test_at(name, data):
    n = data.draw(st.integers(1, 6))
    dtype = data.draw(st.sampled_from(NUMERIC))
    x = fill((n, 2), dtype, 5, special=False)
    index = np.array(data.draw(st.lists(st.integers(-n, n - 1), max_size=8)), int)
    value = fill((len(index), 2), dtype, 6, special=False)
    if name == "divide" and value.dtype.kind in "biu":
        value[value == 0] = 1  # what integer an infinity becomes is the processor's
    y = cupric.array(x)
    expected = outcome(getattr(np, name).at, x, index, value)
    got = outcome(getattr(cupric, name).at, y, cupric.array(index), cupric.array(value))
    if expected is None:
        assert got is None
        assert_same(y, x, tolerance(x) * 20)
    else:
        assert_same(got, expected)


@pytest.mark.parametrize(
    "index",
    [
        1,
        slice(None, None, 2),
        Ellipsis,
        (slice(1, 3), 0),
        ([0, 0, 2], [1, 1, 0]),
        (0, slice(None)),
        np.array([True, False, True]),
    ],
    ids=str,
)
def test_at_any_index(index):
    def to_device(i):
        return cupric.array(i) if isinstance(i, (np.ndarray, list)) else i

    x = np.arange(12.0).reshape(3, 4)
    for base in [x, x.T.copy().T]:
        a, b = base.copy(order="K"), cupric.array(base)
        np.add.at(a, index, 2)
        ours = (
            tuple(map(to_device, index))
            if isinstance(index, tuple)
            else to_device(index)
        )
        cupric.add.at(b, ours, 2)
        assert_same(b, a)


def test_at_repeats():
    x = cupric.zeros(3, "int32")
    cupric.add.at(x, cupric.array([0, 0, 2, 0]), 1)
    assert x.tolist() == [3, 0, 1]
    y = cupric.array([1.0, 2.0, 3.0])
    cupric.negative.at(y, cupric.array([0, 0, 1]))
    assert y.tolist() == [1.0, -2.0, 3.0]


def test_sums_at_places_keep_subnormal_numbers():
    """In any order: all sums on the way are whole multiples of the smallest number."""
    rng = np.random.default_rng(5)
    n, smallest = 5000, np.finfo("f").smallest_subnormal
    start = rng.integers(-(2**22), 2**22, n)
    parts = [
        rng.integers(2**23, 2**23 + 2**21, n),  # normal
        -rng.integers(2**23, 2**23 + 2**21, n),
        rng.integers(-(2**20), 2**20, n),
        np.zeros(n, int),
    ]
    for some in (parts, parts[:1], parts[1:3], parts[3:], [-start]):
        want = start + sum(some)
        x = cupric.asarray(start.astype("f") * smallest)
        places = rng.permutation(np.tile(np.arange(n), len(some)))
        order = np.argsort(places, kind="stable")
        values = np.empty(places.size)
        values[order] = np.stack(some, axis=1).ravel()
        values = cupric.asarray(values.astype("f") * smallest)
        cupric.add.at(x, cupric.asarray(places), values)
        np.testing.assert_array_equal(x.get(), want.astype("f") * smallest)
    x = cupric.zeros(3, "f")
    cupric.add.at(x, [0, 1, 2, 2], [np.inf, np.nan, np.inf, -np.inf])
    np.testing.assert_array_equal(x.get(), [np.inf, np.nan, np.nan])


@pytest.mark.parametrize("dtype", "bBhHiIlLefdFD")
def test_sums_at_one_place(dtype):
    rng = np.random.default_rng(6)
    count = 2000 if dtype == "e" else 20_000  # whole numbers of float16 end at 2048
    places, values = rng.integers(0, 3, count), rng.integers(0, 2, count)
    for sign in (1,) if dtype in "BHIL" else (1, -1):
        want, got = np.zeros(3, dtype), cupric.zeros(3, dtype)
        given = (sign * values).astype(dtype)
        np.add.at(want, places, given)
        cupric.add.at(got, cupric.asarray(places), cupric.asarray(given))
        np.add.at(want, places, sign)
        cupric.add.at(got, cupric.asarray(places), sign)
        np.testing.assert_array_equal(got.get(), want)


def test_at_errors():
    x = cupric.zeros(3)
    i = cupric.array([0])
    with pytest.raises(ValueError, match="second operand needed"):
        cupric.add.at(x, i)
    with pytest.raises(ValueError, match="second operand provided"):
        cupric.negative.at(x, i, 3)
    with pytest.raises(TypeError, match="first operand must be array"):
        cupric.add.at([1, 2], i, 3)
    with pytest.raises(ValueError, match="not broadcastable"):
        cupric.add.at(x, cupric.array([0, 1]), cupric.zeros(3))
    with pytest.raises(ValueError, match="single output"):
        cupric.divmod.at(x, i, 2)


# ---- calling ----


def test_call_errors():
    x = cupric.zeros(3)
    for args, kwargs, error, message in [
        (
            (x,),
            {},
            TypeError,
            r"takes from 2 to 3 positional arguments but 1 was given",
        ),
        (
            (x, x, x, x),
            {},
            TypeError,
            r"takes from 2 to 3 positional arguments but 4 were",
        ),
        ((x, x), {"foo": 3}, TypeError, "unexpected keyword argument 'foo'"),
        ((x, x), {"out": 5}, TypeError, "return arrays must be"),
        ((x, x, x), {"out": x}, TypeError, "both a positional and keyword argument"),
        (
            (x, x),
            {"out": (None, None)},
            ValueError,
            "exactly one entry per ufunc output",
        ),
        ((x, x), {"order": "Z"}, ValueError, "order must be one of"),
        ((x, x), {"casting": "Z"}, ValueError, "casting must be one of"),
        ((x, x), {"casting": 1}, TypeError, "casting must be str, not int"),
        ((x, x), {"subok": 3}, TypeError, "'subok' must be a boolean"),
        ((x, x), {"dtype": "i4"}, TypeError, "Cannot cast ufunc 'add' input"),
        ((x, np.zeros(3)), {}, TypeError, "Unsupported type <class 'numpy.ndarray'>"),
        ((x, [1]), {}, TypeError, "Unsupported type <class 'list'>"),
        (
            (x, x),
            {"sig": "dd->d", "dtype": "f4"},
            TypeError,
            "both 'signature' and 'dtype'",
        ),
    ]:
        with pytest.raises(error, match=message):
            cupric.add(*args, **kwargs)


def test_call_keywords():
    a = np.arange(4.0)
    x = cupric.array(a)
    assert_same(
        cupric.add(x, 1, dtype="f4", casting="same_kind"), np.add(a, 1, dtype="f4")
    )
    assert_same(
        cupric.add(x, 1, sig="ff->f"), np.add(a, 1, sig="ff->f", casting="same_kind")
    )
    assert_same(cupric.add(x, 1, signature=(None, None, "D")), np.add(a, 1, dtype="D"))
    assert_same(cupric.equal(x, 1, dtype=bool), np.equal(a, 1, dtype=bool))
    out = cupric.zeros(4)
    mask = cupric.array([True, False, True, False])
    assert cupric.add(x, 1, out=(out,), where=mask) is out
    assert out.tolist() == [1.0, 0.0, 3.0, 0.0]
    assert cupric.add(x, 1, None).tolist() == [1.0, 2.0, 3.0, 4.0]
    quotient, rest = cupric.divmod(x, 2, out=(None, out))
    assert rest is out
    assert_same(quotient, a // 2)


# ---- attributes ----


@pytest.mark.parametrize("name", BINARY)
def test_attributes(name):
    ours, theirs = getattr(cupric, name), getattr(np, name)
    assert (ours.nin, ours.nout, ours.nargs) == (theirs.nin, theirs.nout, theirs.nargs)
    assert ours.identity == theirs.identity
    assert ours.signature is None
    assert ours.name == ours.__name__ == name
    assert ours.ntypes == len(ours.types) > 0
    assert all(len(t) == 5 and t[2:4] == "->" for t in ours.types)
    assert repr(ours) == f"<ufunc 'cupric_{name}'>"
    assert "Parameters\n----------\n" in ours.__doc__
    assert ours.__doc__.startswith(f"{name}(x1, x2, /, out=None, *, where=True")
    assert pickle.loads(pickle.dumps(ours)) is ours


def test_method_signatures():
    assert list(inspect.signature(cupric.add.reduce).parameters) == [
        "array",
        "axis",
        "dtype",
        "out",
        "keepdims",
        "initial",
        "where",
    ]


# ---- NumPy's ufuncs ----


def test_numpys_ufuncs_run_as_ours():
    a = np.arange(6.0).reshape(2, 3)
    x = cupric.array(a)
    assert_same(np.add(x, x), a + a)
    assert_same(np.add(x, 2, dtype="f4"), np.add(a, 2, dtype="f4"))
    assert_same(np.sqrt(x), np.sqrt(a), 1e-15)
    assert_same(np.add.reduce(x, axis=1), a.sum(axis=1))
    assert_same(np.maximum.accumulate(x, axis=1), np.maximum.accumulate(a, axis=1))
    assert_same(np.add.reduceat(x, [0, 2], axis=1), np.add.reduceat(a, [0, 2], axis=1))
    assert_same(np.multiply.outer(x, x), np.multiply.outer(a, a))
    assert_same(np.float32(2) * x, np.float32(2) * a)
    out = cupric.zeros((2, 3))
    assert np.add(x, x, out=out) is out
    assert np.add.reduce(x, axis=1, out=cupric.zeros(2)).tolist() == [3.0, 12.0]
    np.add.at(x, cupric.array([0, 0]), 1)
    np.add.at(a, [0, 0], 1)
    assert_same(x, a)


def test_numpy_arrays_are_refused():
    x = cupric.zeros(3)
    for call in [
        lambda: np.add(x, np.zeros(3)),
        lambda: np.add(np.zeros(3), x),
        lambda: np.add(x, x, out=np.zeros(3)),
    ]:
        with pytest.raises(
            TypeError, match=r"Unsupported type <class 'numpy.ndarray'>"
        ):
            call()


def test_ufuncs_we_do_not_have():
    with pytest.raises(TypeError):
        np.frompyfunc(lambda x: x, 1, 1)(cupric.zeros(3))


def test_no_leaks(no_leak):
    x = cupric.zeros(10)
    i = cupric.array([1, 2])
    for _ in range(100):
        cupric.add.at(x, i, 1)
        cupric.add.outer(x, x)
        cupric.add.reduceat(x, [0, 2])
        np.add(x, x, out=x)
        with pytest.raises(TypeError):
            cupric.add(x, "a")
        with pytest.raises(TypeError):
            cupric.add(x, x, sig="zz->z")
    del x, i
