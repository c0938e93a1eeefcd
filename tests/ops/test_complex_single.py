"""The functions of complex64 (cuda/include/cupric/math/complex_single.hpp): both parts
are the exact ones, rounded, nearly always; special values are complex128's.
"""

import numpy as np
import pytest

import cupric as cp

from .test_elementary import COMPLEX, complexes, partners


def exact_log1p(z):
    """NumPy's loses the digits of small numbers."""
    x, y = z.real.astype(np.longdouble), z.imag.astype(np.longdouble)
    real = np.log1p(x * (2 + x) + y * y) / 2
    return (real + 1j * np.arctan2(y, x + 1)).astype(np.complex128)


def numpy_of(name):
    if name == "log1p":
        return exact_log1p
    inverse = name[0] == "a"
    return getattr(np, "arc" + name[1:] if inverse else name)


def units(found, exact, size):
    """The errors, in units in the last place of float32s of that size."""
    with np.errstate(over="ignore", invalid="ignore"):
        unit = np.exp2(np.floor(np.log2(np.maximum(abs(size), 2.0**-126))) - 23)
        return np.where(np.isfinite(exact.astype("f4")), abs(found - exact) / unit, 0)


def both_parts(z):
    return np.stack([z.real, z.imag])


@pytest.mark.parametrize("name", COMPLEX)
def test_parts_are_the_exact_ones_rounded(name):
    """Hardly more than half a unit off, the larger part's where terms cancel."""
    z = complexes()
    z = z[(abs(z.real) < 80) & (abs(z.imag) < 1e6)]
    near_circle = np.exp(2j * np.pi * np.arange(1000) / 1000)
    z = np.concatenate([z, near_circle, 1 + near_circle / 1024]).astype("complex64")
    found = both_parts(getattr(cp, name)(cp.array(z)).get()).astype("f8")
    with np.errstate(all="ignore"):
        exact = both_parts(numpy_of(name)(z.astype("complex128")))
    larger = np.broadcast_to(abs(exact).max(axis=0), exact.shape)
    cancels = abs(exact) < larger * 2.0**-20
    assert units(found, exact, larger).max() < 0.51
    assert np.where(cancels, 0, units(found, exact, exact)).max() < 0.51


def special_values():
    largest = np.finfo("f4").max
    parts = [
        0.0,
        1e-45,
        1e-20,
        0.5,
        1,
        2,
        90,
        400,
        1e5,
        2.0**31,
        largest,
        np.inf,
        np.nan,
    ]
    parts = np.array([*parts, *(-p for p in parts)], "f4")
    real, imag = np.repeat(parts, len(parts)), np.tile(parts, len(parts))
    return np.stack([real, imag], axis=1).view("complex64")[:, 0]


def assert_is_complex128_rounded(found, exact):
    found = both_parts(found).view("f4")
    with np.errstate(over="ignore"):
        rounded = both_parts(exact).astype("f4")
    np.testing.assert_array_equal(np.isnan(found), np.isnan(rounded))
    with np.errstate(invalid="ignore", over="ignore"):
        close = abs(found - rounded) <= abs(np.spacing(rounded))
    np.testing.assert_array_equal(close | (found == rounded) | np.isnan(rounded), True)
    zeros = rounded == 0
    np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(rounded[zeros]))


@pytest.mark.parametrize("name", COMPLEX)
def test_special_values_are_those_of_complex128(name):
    f, z = getattr(cp, name), special_values()
    if name == "log1p":  # loses the digits of -2 + 1e-20j
        z = z[z.real != -2]
    found, exact = f(cp.array(z)), f(cp.array(z.astype("complex128")))
    assert_is_complex128_rounded(found.get(), exact.get())


def powers(a, b):
    """In complex64, and in complex128 of the same numbers."""
    wide = cp.array(a.astype("complex128")), cp.array(b.astype("complex128"))
    return cp.power(cp.array(a), cp.array(b)).get(), cp.power(*wide).get()


def test_powers_with_special_values_are_those_of_complex128():
    z = special_values()
    a, b = np.repeat(z[::3], len(z[::5])), np.tile(z[::5], len(z[::3]))
    special = ~np.isfinite(a) | ~np.isfinite(b) | (a == 0) | (b == 0)
    assert_is_complex128_rounded(*powers(a[special], b[special]))


def test_powers_are_the_exact_ones_rounded():
    a = complexes()
    a = a[(abs(a.real) < 80) & (abs(a.imag) < 80)]
    found, exact = map(both_parts, powers(a, partners(a)))
    larger = np.broadcast_to(abs(exact).max(axis=0), exact.shape)
    with np.errstate(over="ignore"):
        finite = np.isfinite(exact.astype("f4")).all(axis=0)
    assert units(found.astype("f8"), exact, larger)[:, finite].max() < 0.52
