"""Operators on arrays and scalars, against NumPy's: promotion, values, in place."""

import operator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cupric as cp

DTYPES = ["?", "b", "B", "h", "H", "i", "I", "l", "L", "e", "f", "d", "F", "D"]
BINARY = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.lshift,
    operator.rshift,
    operator.lt,
    operator.le,
    operator.eq,
    operator.ne,
    operator.gt,
    operator.ge,
    divmod,
]
INPLACE = [
    operator.iadd,
    operator.isub,
    operator.imul,
    operator.itruediv,
    operator.ifloordiv,
    operator.imod,
    operator.ipow,
    operator.iand,
    operator.ior,
    operator.ixor,
    operator.ilshift,
    operator.irshift,
]

dtypes = st.sampled_from(DTYPES)
scalars = st.one_of(
    st.booleans(),
    st.integers(-3, 9),
    st.sampled_from([300, -200, 2**31, 2**63, 2**64 - 1, -(2**63), 2**70]),
    st.floats(-4, 4, width=16),
    st.sampled_from([float("nan"), float("inf"), 1e300]),
    st.complex_numbers(max_magnitude=4, allow_nan=False),
    st.builds(lambda t, v: np.dtype(t).type(v), dtypes, st.integers(0, 5)),
)


def sample(dtype, shape, seed):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 6, shape)
    if np.dtype(dtype).kind in "fc":
        a = a - 2.5 * rng.integers(0, 2, shape)
    return a.astype(dtype)


def outcome(f, *args):
    with np.errstate(all="ignore"):
        try:
            return f(*args)
        except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
            return error


def check(expected, actual):
    if isinstance(expected, Exception):
        assert isinstance(actual, Exception), (expected, actual)
        kinds = (TypeError, ValueError, OverflowError, ZeroDivisionError)
        expected_kind = next(k for k in kinds if isinstance(expected, k))
        # With two things wrong, which one is named is a matter of order.
        assert isinstance(actual, (expected_kind, OverflowError, TypeError)), (
            expected,
            actual,
        )
        return
    if isinstance(actual, Exception):
        raise actual
    if isinstance(expected, tuple):
        for e, a in zip(expected, actual, strict=True):
            check(e, a)
        return
    expected = np.asarray(expected)
    assert isinstance(actual, cp.ndarray)
    assert actual.dtype == expected.dtype, (actual.dtype, expected.dtype)
    assert actual.shape == expected.shape
    loose = {"e": 2e-3, "f": 1e-5, "F": 1e-4}.get(expected.dtype.char, 1e-12)
    np.testing.assert_allclose(actual.get(), expected, rtol=loose, atol=loose)


@settings(max_examples=400)
@given(
    op=st.sampled_from(BINARY), types=st.tuples(dtypes, dtypes), seed=st.integers(0, 9)
)
def test_arrays(op, types, seed):
    a, b = sample(types[0], (3, 4), seed), sample(types[1], (4,), seed + 1)
    check(outcome(op, a, b), outcome(op, cp.asarray(a), cp.asarray(b)))


@settings(max_examples=800)
@given(op=st.sampled_from(BINARY), dtype=dtypes, scalar=scalars, swap=st.booleans())
def test_scalars(op, dtype, scalar, swap):
    a = sample(dtype, (5,), 3)
    if op is operator.pow and "c" in (a.dtype.kind, np.asarray(scalar).dtype.kind):
        return  # powers that overflow differ in which part is infinite
    if dtype == "?" and type(scalar) is int and abs(scalar) > 2**62:
        return  # comparisons answer here where NumPy gives up
    if op is operator.pow and type(scalar) is int and scalar < 0 and not swap:
        return  # integers have negative powers here
    x = cp.asarray(a)
    if swap:
        check(outcome(op, scalar, a), outcome(op, scalar, x))
    else:
        check(outcome(op, a, scalar), outcome(op, x, scalar))


@settings(max_examples=300)
@given(op=st.sampled_from(INPLACE), types=st.tuples(dtypes, dtypes), scalar=scalars)
def test_in_place(op, types, scalar):
    for other in (sample(types[1], (4,), 5), scalar):
        a = sample(types[0], (3, 4), 4)
        if op is operator.ipow and "c" in (a.dtype.kind, np.asarray(other).dtype.kind):
            continue  # powers that overflow differ in which part is infinite
        if op is operator.ipow and type(other) is int and other < 0:
            continue  # integers have negative powers here
        x = cp.asarray(a)
        before = x.copy()
        y = cp.asarray(other) if isinstance(other, np.ndarray) else other
        expected, actual = outcome(op, a, other), outcome(op, x, y)
        check(expected, actual)
        if isinstance(actual, Exception):
            np.testing.assert_array_equal(x.get(), before.get())
        else:
            assert actual is x


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", [operator.neg, operator.pos, abs, operator.invert])
def test_unary(op, dtype):
    a = sample(dtype, (3, 4), 1)
    check(outcome(op, a), outcome(op, cp.asarray(a)))


@pytest.mark.parametrize(
    "op", [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]
)
@pytest.mark.parametrize(
    "value", [300, -1, 2**63, 2**64, -(2**63) - 1, 2**70, -(2**80)]
)
@pytest.mark.parametrize("dtype", ["b", "B", "h", "I", "l", "L"])
def test_integers_beyond_the_dtype_compare(op, value, dtype):
    info = np.iinfo(dtype)
    a = np.array([info.min, 0, 1, info.max], dtype)
    check(op(a, value), op(cp.asarray(a), value))


def test_overlapping_operands():
    a = np.arange(10.0)
    x = cp.asarray(a)
    a[1:] += a[:-1].copy()
    x[1:] += x[:-1]
    np.testing.assert_array_equal(x.get(), a)
    b = np.arange(9.0).reshape(3, 3)
    y = cp.asarray(b)
    b += b.T.copy()
    y += y.T
    np.testing.assert_array_equal(y.get(), b)
    c = np.arange(6)
    z = cp.asarray(c)
    np.add(c[::-1].copy(), c, out=c)
    cp.add(z[::-1], z, out=z)
    np.testing.assert_array_equal(z.get(), c)


def test_write_through_a_broadcast_view_is_refused():
    x = cp.broadcast_to(cp.arange(3), (2, 3))
    assert not x.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        x.flags.writeable = True


def test_numpy_arrays_are_refused():
    x, a = cp.arange(3), np.arange(3)
    for f in (lambda: x + a, lambda: a + x, lambda: cp.add(x, a), lambda: np.add(x, a)):
        with pytest.raises(TypeError, match="Unsupported type <class 'numpy.ndarray'>"):
            f()
    with pytest.raises(TypeError):
        x += a
    with pytest.raises(TypeError):
        x + [1, 2, 3]


class Reflecting:
    """A class that ranks itself above arrays."""

    __array_ufunc__ = None

    def __radd__(self, other):
        return "radd"

    def __eq__(self, other):
        return "eq"

    __hash__ = None


def test_other_classes_may_go_first():
    assert cp.arange(3) + Reflecting() == "radd"
    assert (cp.arange(3) == Reflecting()) == "eq"


def test_results_are_zero_dimensional_arrays():
    x = cp.asarray(3.0)
    assert (x + 1).shape == ()
    assert isinstance(x + x, cp.ndarray)
    assert cp.float64(2) + x == 5
    assert isinstance(np.float64(2) * x, cp.ndarray)


def test_shapes_that_do_not_broadcast():
    with pytest.raises(ValueError, match=r"shapes \(2,3\) \(4,\)|\(2, 3\) \(4,\)"):
        cp.ones((2, 3)) + cp.ones(4)
    with pytest.raises(ValueError, match="non-broadcastable output"):
        x = cp.ones(3)
        x += cp.ones((2, 3))


def test_matrix_product_operator_defers():
    with pytest.raises(TypeError):
        cp.ones((2, 2)) @ "abc"


@pytest.mark.parametrize("dtype", "?bBhHiIlL")
def test_powers_of_integers_that_are_floats(dtype):
    """In double, whatever the integers' size."""
    a = np.array([0, 1, 2, 3, 120, 127]).astype(dtype)
    for power in (0.5, 2.0, -0.5, 1.5):
        with np.errstate(all="ignore"):
            expected = a**power
        actual = cp.array(a) ** power
        assert actual.dtype == expected.dtype
        np.testing.assert_allclose(actual.get(), expected, rtol=1e-15)
        assert (cp.array(a)[::-1] ** power).dtype == expected.dtype


def test_power_shortcuts():
    for dtype in ("b", "i", "f", "D"):
        a = sample(dtype, (6,), 2)
        for exponent in (2, 2.0, 0.5, 3, 0):
            if exponent == 0.5 and dtype in "bi":
                continue
            check(
                outcome(operator.pow, a, exponent),
                outcome(operator.pow, cp.asarray(a), exponent),
            )


@pytest.mark.parametrize("value", [0, 3, -2.5, float("inf")])
def test_bfloat16_scalars(value):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    scalar = ml_dtypes.bfloat16(value)
    ones = cp.ones(2, ml_dtypes.bfloat16)
    mask = cp.array([True, False])
    assert cp.where(mask, scalar, ones).tolist() == [value, 1]
    assert (ones * scalar).tolist() == [value] * 2
    assert cp.full(2, scalar, "f").tolist() == [value] * 2
    ones[1] = scalar
    assert ones.tolist() == [1, value]


@pytest.mark.parametrize("name", ["degrees", "radians", "rad2deg", "deg2rad"])
def test_numpys_ufuncs_of_two_names(name):
    """NumPy has two ufuncs where ours has two names."""
    values = np.array([0.0, 1, -3])
    found = getattr(np, name)(cp.array(values))
    assert isinstance(found, cp.ndarray)
    np.testing.assert_allclose(found.get(), getattr(np, name)(values))


def test_numpys_functions_of_modules_of_lib():
    found = np.lib.stride_tricks.sliding_window_view(cp.arange(4), 2)
    assert isinstance(found, cp.ndarray)
    assert found.tolist() == [[0, 1], [1, 2], [2, 3]]


def test_numpys_gradient_takes_coordinates_of_the_host():
    values, places = np.array([1.0, 4, 9]), np.array([0.0, 1, 3])
    found = np.gradient(cp.array(values), places)
    assert isinstance(found, cp.ndarray)
    np.testing.assert_allclose(found.get(), np.gradient(values, places))
    found = np.gradient(values, cp.array(places))
    np.testing.assert_allclose(found.get(), np.gradient(values, places))
