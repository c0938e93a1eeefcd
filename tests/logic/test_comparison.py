"""isclose, allclose, array_equal, array_equiv; one NumPy array may take part."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric

from ..ops.cases import NUMERIC, assert_same, fill


@given(
    a=st.sampled_from(NUMERIC),
    b=st.sampled_from(NUMERIC),
    seed=st.integers(0, 99),
    equal_nan=st.booleans(),
)
def test_isclose(a, b, seed, equal_nan):
    x = fill((30,), a, seed, True)
    with np.errstate(all="ignore"):
        y = np.where(fill((30,), bool, seed, False), x, x + fill((30,), a, 1, False))
        y = y.astype(b)
        expected = np.isclose(x, y, equal_nan=equal_nan)
    p, q = cupric.array(x), cupric.array(y)
    for left, right in [(p, q), (p, y), (x, q)]:
        assert_same(cupric.isclose(left, right, equal_nan=equal_nan), expected)


@pytest.mark.parametrize("y", [np.True_, np.int8(1), np.float32(1), True, 1])
@pytest.mark.parametrize("dtype", ["?", "b", "e", "d"])
def test_isclose_to_a_scalar(dtype, y):
    x = np.array([0, 1], dtype)
    assert_same(cupric.isclose(cupric.array(x), y), np.isclose(x, y))


def test_allclose():
    x = np.arange(6.0).reshape(2, 3)
    y = cupric.array(x)
    for a, b in [(y, y), (x, y), (y, x)]:
        assert_same(cupric.allclose(a, b), np.bool_(True))
        assert_same(cupric.allclose(a, b + 1), np.bool_(False))
    assert_same(cupric.allclose(y, x * (1 + 1e-7)), np.bool_(True))
    assert_same(cupric.allclose(y, x * (1 + 1e-7), rtol=1e-9), np.bool_(False))
    assert bool(cupric.allclose(y, 0, atol=5))


def test_array_equal():
    x = np.array([1.0, np.nan])
    y = cupric.array(x)
    assert_same(cupric.array_equal(y, x), np.bool_(False))
    assert_same(cupric.array_equal(y, x, equal_nan=True), np.bool_(True))
    assert_same(cupric.array_equal(y, x[:1]), np.bool_(False))
    assert_same(
        cupric.array_equiv(cupric.array([1, 2]), np.array([[1, 2]] * 2)), np.True_
    )
    assert_same(cupric.array_equiv(cupric.array([1, 2]), np.zeros(3)), np.False_)


def test_arrays_of_the_host():
    x, y = np.array([1.0, 2.0]), np.array([1.0, 2.5])
    for name in ("isclose", "allclose", "array_equal", "array_equiv"):
        ours, theirs = getattr(cupric, name), getattr(np, name)
        for a, b in ((x, y), (x, x), (x, list(y)), (list(x), list(y)), (x, 1.0)):
            assert_same(ours(a, b), theirs(a, b))
    assert_same(
        cupric.isclose(cupric.array(x), y, np.array([1.0, 0]), np.zeros(2)),
        np.isclose(x, y, np.array([1.0, 0]), np.zeros(2)),
    )


def test_kinds():
    x = np.array([1, np.inf, -np.inf, np.nan])
    y = cupric.array(x)
    assert_same(cupric.isposinf(y), np.isposinf(x))
    assert_same(cupric.isneginf(y), np.isneginf(x))
    for a in [x, x + 1j, np.arange(3)]:
        b = cupric.array(a)
        assert_same(cupric.iscomplex(b), np.iscomplex(a))
        assert_same(cupric.isreal(b), np.isreal(a))
        assert cupric.iscomplexobj(b) == np.iscomplexobj(a)
        assert cupric.isrealobj(b) == np.isrealobj(a)
    with pytest.raises(TypeError):
        cupric.isposinf(y + 1j)


@pytest.mark.parametrize("y", [0, 0.0, 0.1, 1, 1.1, -3, 0.1j, 1 + 0.1j])
@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_isclose_to_a_number_has_the_precision_of_the_array(dtype, y):
    numbers = np.array(y) + np.concatenate([-np.logspace(-20, 0), np.logspace(-20, 0)])
    numbers = numbers if dtype in "FD" else numbers.real
    numbers = np.abs(numbers) if dtype in "BHIQ" else numbers
    x = np.append(numbers, numbers.dtype.type(np.real(y))).astype(dtype)
    for tolerances in [(), (1e-3, 1e-12), (0, 1e-9), (1e-7, 0)]:
        for equal_nan in (False, True):
            expected = np.isclose(x, y, *tolerances, equal_nan=equal_nan)
            given = (*tolerances, equal_nan) if tolerances else ()
            here = cupric.isclose(cupric.array(x), y, *given)
            assert_same(here, expected)
            here = cupric.isclose(y, cupric.array(x), *given)
            assert_same(here, np.isclose(y, x, *given))
            assert cupric.allclose(cupric.array(x), y, *given) == expected.all()


@pytest.mark.parametrize("b", "?bIlLefdFD")
@pytest.mark.parametrize("a", "?bIlLefdFD")
def test_isclose_at_the_limit(a, b):
    """The limit has the precision of the second array, whatever the first one's."""
    steps = np.linspace(0.9, 1.1, 41) * 1e-2
    x, y = (np.outer(1 + s, [0, 1, 3, 100, 2047]) for s in (steps[:, None] * 0, steps))
    x, y = x.astype(a), y.astype(b)
    for rtol, atol in [(1e-2, 0), (0, 1e-2), (1e-2, 1e-3), (np.float64(1e-2), 0)]:
        here = cupric.isclose(cupric.array(x), cupric.array(y), rtol, atol)
        assert_same(here, np.isclose(x, y, rtol, atol))
        for number in y[7].tolist():
            here = cupric.isclose(cupric.array(x), number, rtol, atol)
            assert_same(here, np.isclose(x, number, rtol, atol))


@pytest.mark.parametrize("tolerances", [(1e-5, 1e-8), (0, 1e-300), (2.5, 1e38)])
@pytest.mark.parametrize("dtype", ["F", "D"])
def test_isclose_of_complex_numbers_of_any_size(dtype, tolerances):
    parts = [0.0, 1, 1 + 1e-9, 1e-8, 1e-31, 5e-324, 1e30, 1e200, -1e308, 3e38]
    parts += [np.inf, -np.inf, np.nan]
    with np.errstate(over="ignore"):
        z = np.array([complex(*z) for z in itertools.product(parts, parts)]).astype(
            dtype
        )
    a, b = np.repeat(z, len(z)), np.tile(z, len(z))
    for equal_nan in (False, True):
        with np.errstate(all="ignore"):
            expected = np.isclose(a, b, *tolerances, equal_nan)
        x, y = cupric.array(a), cupric.array(b)
        assert_same(cupric.isclose(x, y, *tolerances, equal_nan), expected)


def test_isclose_of_large_integers():
    for dtype in "lL":
        x = np.array([0, 2**53, 2**53 + 1, 2**63 - 1], dtype)
        for other in "lL":
            y = x[::-1].astype(other)
            for z in (y, x.astype(other)):
                here = cupric.isclose(cupric.array(x), cupric.array(z), 0, 1)
                assert_same(here, np.isclose(x, z, 0, 1))


def test_isclose_with_tolerances_that_are_arrays():
    x = np.linspace(0, 1, 11)
    given = np.linspace(0, 1e-2, 11)
    here = cupric.isclose(
        cupric.array(x), cupric.array(x + 5e-3), 0, cupric.array(given)
    )
    assert_same(here, np.isclose(x, x + 5e-3, 0, given))


@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
def test_whole_arrays_are_compared(dtype):
    """Of any layout, also where only the last element differs."""
    base = (np.arange(2 * 3 * 4 * 50) % 100 - 20).astype(dtype).reshape(2, 3, 4, 50)
    views = (base, base[0, 0, 0], base.T, base[::2, :, ::-1, ::3], base[:, :1, :1, 0])
    for x in (*views, base[0, 0, 0, 0], base[:0]):
        x = np.asarray(x)
        same = x.copy()
        a, b = cupric.array(x), cupric.array(same.T.copy().T)
        for f in ("array_equal", "array_equiv", "allclose"):
            assert_same(getattr(cupric, f)(a, b), np.bool_(True))
        if not x.size:
            continue
        same[(-1,) * x.ndim] = not same[(-1,) * x.ndim]
        b = cupric.array(same)
        for f in ("array_equal", "array_equiv", "allclose"):
            want = np.bool_(getattr(np, f)(x, same))
            assert_same(getattr(cupric, f)(a, b), want)
            assert not want
        want = np.bool_(np.allclose(x, same, 0.5, 1))
        assert_same(cupric.allclose(a, b, 0.5, 1), want)
        if x.ndim > 1:
            first = np.broadcast_to(x[:1], x.shape)
            want = np.bool_(np.allclose(x[:1], first))
            assert_same(cupric.allclose(a[:1], cupric.array(first)), want)
    with pytest.raises(ValueError, match="broadcast"):
        cupric.allclose(cupric.ones(3, dtype), cupric.ones(4, dtype))


@pytest.mark.parametrize("dtype", "efdFD")
def test_nans_and_infinities_are_close_as_asked(dtype):
    x = np.array([1, np.inf, -np.inf, np.nan, 2], dtype)
    for y in (
        x,
        x[::-1],
        x[[1, 0, 2, 3, 4]],
        np.array([1, np.inf, 5, np.nan, 2], dtype),
    ):
        for equal_nan in (False, True):
            for part in (slice(None), slice(0, 3)):
                with np.errstate(invalid="ignore"):
                    want = np.bool_(np.allclose(x[part], y[part], equal_nan=equal_nan))
                there = cupric.array(x[part]), cupric.array(y[part])
                got = cupric.allclose(*there, equal_nan=equal_nan)
                assert_same(got, want)
        want = np.bool_(np.array_equal(x, y, equal_nan=True))
        got = cupric.array_equal(cupric.array(x), cupric.array(y), equal_nan=True)
        assert_same(got, want)


def test_any_byte_but_zero_is_true():
    for n in (3, 1000):
        one, two = (cupric.full(n, i, "u1").view(bool) for i in (1, 2))
        for a, b in ((one, two), (one[::2], two[::2])):
            assert_same(cupric.array_equal(a, b), np.True_)
            assert_same(cupric.array_equiv(a, b), np.True_)
