"""Quotients, remainders, whole powers and neighbours, of numbers of any size: whole
vectors, their ends, strided arrays and scalars, against NumPy.
"""

import numpy as np
import pytest

import cupric as cp

LENGTHS = [1, 7, 300, 1000]
VIEWS = [lambda a: a, lambda a: a[1:], lambda a: a[::2], lambda a: a[::-1]]
FUNCTIONS = ["fmod", "remainder", "floor_divide"]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def floats(dtype, n, seed):
    """Bits at random, numbers of one size, whole numbers, special ones."""
    rng = np.random.default_rng(seed)
    width = np.dtype(dtype).itemsize
    a = rng.integers(0, 256, n * width, dtype="u1").view(dtype)
    a[::3] = rng.standard_normal(len(a[::3])).astype(dtype)
    a[1::3] = rng.integers(-9, 10, len(a[1::3])).astype(dtype)
    info = np.finfo(dtype)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 0.5, -1, info.tiny / 4, -info.max]
    rng.shuffle(special)
    a[: n // 8][: len(special)] = np.array(special, dtype)[: n // 8]
    return a


def integers(dtype, n, seed):
    rng = np.random.default_rng(seed)
    info = np.iinfo(dtype)
    a = rng.integers(info.min, info.max, n, dtype, endpoint=True)
    a[::2] = (a[::2] >> (8 * a.itemsize - 5)) & 31
    special = [0, 1, -1 % 256 if info.min == 0 else -1, info.min, info.max, 2, 3]
    a[: n // 8][: len(special)] = np.array(special).astype(dtype)[: n // 8]
    rng.shuffle(a)
    return a


def same(got, expected):
    got = got.get() if hasattr(got, "get") else got
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got, expected)
    if expected.dtype.kind == "f":
        number = ~np.isnan(expected)
        np.testing.assert_array_equal(
            np.signbit(got[number]), np.signbit(expected[number])
        )


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("dtype", "fd")
def test_floats(dtype, n, view):
    a, b = floats(dtype, n, n), floats(dtype, n, n + 1)
    x, y = cp.array(a), cp.array(b)
    for name in FUNCTIONS:
        expected = getattr(np, name)(view(a), view(b))
        same(getattr(cp, name)(view(x), view(y)), expected)
        out = cp.array(a)
        getattr(cp, name)(view(out), view(y), out=view(out))
        same(view(out), expected)
    quotient, rest = cp.divmod(view(x), view(y))
    same(quotient, np.floor_divide(view(a), view(b)))
    same(rest, np.remainder(view(a), view(b)))
    same(cp.nextafter(view(x), view(y)), np.nextafter(view(a), view(b)))


@pytest.mark.parametrize("number", [3, -0.1, 1e-30, 0.0, np.inf])
@pytest.mark.parametrize("dtype", "fd")
def test_floats_and_a_number(dtype, number):
    a = floats(dtype, 777, 3)
    x, number = cp.array(a), np.dtype(dtype).type(number)
    for name in FUNCTIONS:
        same(getattr(cp, name)(x, number), getattr(np, name)(a, number))
        same(getattr(cp, name)(number, x), getattr(np, name)(number, a))


@pytest.mark.parametrize("dtype", "fd")
def test_quotients_of_every_size(dtype):
    """Also those that are too large for the quick way, one in a batch or all."""
    rng = np.random.default_rng(7)
    b = rng.uniform(1, 2, 4096).astype(dtype)
    digits = np.finfo(dtype).nmant
    for shift in (0, 1, digits // 2, digits - 4, digits - 1, digits, 2 * digits):
        whole = rng.integers(0, 2**50, b.size) >> max(0, 50 - shift)
        a = (b * whole.astype(dtype)).astype(dtype)
        a[::2] = np.nextafter(a[::2], dtype == "f")
        if shift > digits:
            a[1:] = b[:-1]
        same(cp.fmod(cp.array(a), cp.array(b)), np.fmod(a, b))
        same(cp.floor_divide(cp.array(-a), cp.array(b)), np.floor_divide(-a, b))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", "bBhHiIlL")
def test_integers(dtype, view):
    for n in LENGTHS:
        a, b = integers(dtype, n, n), integers(dtype, n, n + 1)
        x, y = cp.array(a), cp.array(b)
        for name in [*FUNCTIONS, "gcd"]:
            expected = getattr(np, name)(view(a), view(b))
            same(getattr(cp, name)(view(x), view(y)), expected)
        quotient, rest = cp.divmod(view(x), view(y))
        same(quotient, np.floor_divide(view(a), view(b)))
        same(rest, np.remainder(view(a), view(b)))


@pytest.mark.parametrize("dtype", "bB")
def test_every_pair_of_bytes(dtype):
    every = np.arange(256).astype(dtype)
    a, b = np.repeat(every, 256), np.tile(every, 256)
    for name in FUNCTIONS:
        same(getattr(cp, name)(cp.array(a), cp.array(b)), getattr(np, name)(a, b))


def test_quotients_next_to_whole_ones():
    for dtype in "hHiI":
        top = np.iinfo(dtype).max
        b = np.unique(np.geomspace(1, top, 3000).astype(dtype))
        whole = top // b * b
        for a in (whole, whole - 1, whole + (b != 1) * (top > whole)):
            a = a.astype(dtype)
            same(cp.floor_divide(cp.array(a), cp.array(b)), a // b)
            same(cp.remainder(cp.array(a), cp.array(b)), a % b)


@pytest.mark.parametrize("dtype", "bBhHiIlL")
def test_whole_powers_wrap(dtype):
    a = integers(dtype, 1000, 5)
    n = integers(dtype, 1000, 6)
    n = np.where(n < 0, ~n, n)
    x, exponent = cp.array(a), cp.array(n)
    same(cp.power(x, exponent), np.power(a, n))
    same(cp.power(x[::3], exponent[::3]), np.power(a[::3], n[::3]))
    for number in (0, 1, 2, 3, 7, 63):
        same(x**number, a**number)
