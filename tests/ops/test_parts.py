"""modf, frexp and ldexp over whole vectors, their ends, and strided arrays."""

import numpy as np
import pytest

import cupric as cp


def numbers(dtype, n):
    rng = np.random.default_rng(n)
    width = np.dtype(dtype).itemsize
    a = rng.integers(0, 256, n * width, dtype="u1").view(dtype)
    with np.errstate(invalid="ignore"):
        a[::3] = rng.standard_normal(len(a[::3])).astype(dtype)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 0.5, -1.0, np.finfo(dtype).tiny / 4]
    a[: len(special)] = np.array(special, dtype)[:n]
    return a


def same(got, expected):
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got.get(), expected)
    whole = ~np.isnan(expected) if expected.dtype.kind == "f" else expected == expected
    np.testing.assert_array_equal(
        np.signbit(got.get()[whole]), np.signbit(expected[whole])
    )


VIEWS = [lambda a: a, lambda a: a[1:], lambda a: a[::2], lambda a: a[::-1]]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("n", [9, 31, 64, 1000])
@pytest.mark.parametrize("dtype", "efd")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_parts(dtype, n, view):
    a = numbers(dtype, n)
    x = cp.array(a)
    for name in ("modf", "frexp"):
        expected = getattr(np, name)(view(a))
        for got, part in zip(getattr(cp, name)(view(x)), expected, strict=True):
            finite = np.isfinite(view(a))  # C leaves the exponent of the others open
            if part.dtype.kind == "i":
                np.testing.assert_array_equal(got.get()[finite], part[finite])
            else:
                same(got, part)
    first, second = cp.empty_like(x), cp.empty_like(x)[::-1]
    cp.modf(x, first, second)
    for got, part in zip((first, second), np.modf(a), strict=True):
        same(got, part)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("exponent", "il")
@pytest.mark.parametrize("dtype", "efd")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_ldexp(dtype, exponent, view):
    a = numbers(dtype, 3000)
    rng = np.random.default_rng(5)
    e = rng.integers(-2300, 2300, a.size).astype(exponent)
    e[::2] = rng.integers(-30, 30, e[::2].size)
    e[:4] = np.iinfo("i").max, np.iinfo("i").min, -1074, 1023
    x, s = cp.array(a), cp.array(e)
    same(cp.ldexp(view(x), view(s)), np.ldexp(view(a), view(e)))
    same(cp.ldexp(view(x), s[5:6]), np.ldexp(view(a), e[5:6]))
    same(cp.ldexp(x[7:8], view(s)), np.ldexp(a[7:8], view(e)))
