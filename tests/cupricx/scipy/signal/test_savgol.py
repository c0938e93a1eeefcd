"""Savitzky-Golay filters, against scipy.signal."""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.cupricx.scipy.signal.against_scipy import check, check_error, numbers

import cupric as cp
from cupricx.scipy import signal

theirs = pytest.importorskip("scipy.signal")


def both(name):
    return getattr(theirs, name), getattr(signal, name)


MODES = ("interp", "mirror", "nearest", "constant", "wrap")


@pytest.mark.parametrize("dtype", "?bilefd")
@pytest.mark.parametrize("mode", MODES)
def test_dtypes_and_modes(dtype, mode):
    x = numbers((3, 40), dtype)
    for window in (1, 2, 5, 6):
        for deriv in (0, 1, 3):
            degree = min(2, window - 1)
            kwargs = {"deriv": deriv, "delta": 0.5, "mode": mode, "cval": 1.5}
            bound = 1e-5 if dtype == "f" else 1e-11
            check(*both("savgol_filter"), x, window, degree, bound=bound, **kwargs)


@pytest.mark.parametrize(("window", "degree"), [(101, 5), (100, 6), (31, 9), (500, 3)])
def test_wide_windows(window, degree):
    """SciPy's coefficients have 7 digits there, or 4: ours have 15."""
    for deriv in (0, 2):
        x = numbers(600)
        check(*both("savgol_filter"), x, window, degree, deriv, bound=1e-3)


def test_windows_longer_than_the_signal():
    x = numbers(12)
    check(*both("savgol_filter"), x, 12, 3, bound=1e-11)
    for mode in MODES[1:]:
        check(*both("savgol_filter"), x, 41, 3, mode=mode, bound=1e-11)
        check(*both("savgol_filter"), x[:0], 5, 3, mode="nearest")


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_axes_and_layouts(axis):
    x = numbers((7, 8, 9))
    for y in (x, x.transpose(2, 0, 1), x[::-1, :, ::-1], np.asfortranarray(x)):
        check(*both("savgol_filter"), y, 5, 2, axis=axis, bound=1e-11)


@pytest.mark.parametrize("dtype", "fd")
def test_long(dtype):
    bound = 1e-5 if dtype == "f" else 1e-11
    check(*both("savgol_filter"), numbers(1_000_000, dtype), 31, 3, bound=bound)


def test_complex():
    with pytest.warns(np.exceptions.ComplexWarning):
        made = signal.savgol_filter(cp.array(numbers(20, "D")), 5, 2)
    expected = theirs.savgol_filter(numbers(20, "D").real, 5, 2)
    np.testing.assert_allclose(made.get(), expected, atol=1e-12)


def test_polynomials_remain():
    """Of any degree up to that of the filter, to the ends."""
    t = np.arange(50.0) / 50
    for degree in range(6):
        x = np.polyval(numbers(degree + 1), t)
        made = signal.savgol_filter(cp.array(x), 11, 5)
        np.testing.assert_allclose(made.get(), x, atol=1e-12)


def test_coefficients():
    for args in ((5, 2), (4, 2), (1, 0), (5.0, 2), (40, 3)):
        check(*both("savgol_coeffs"), *args)
        check(*both("savgol_coeffs"), *args, deriv=2, delta=0.1, bound=1e-10)
        check(*both("savgol_coeffs"), *args, use="dot", deriv=1)
    for pos in (0, 4, 1.5):
        check(*both("savgol_coeffs"), 5, 2, pos=pos)
    check(*both("savgol_coeffs"), 5, 2, deriv=3)


@pytest.mark.parametrize(
    ("window", "degree", "deriv"), [(31, 9, 2), (100, 6, 2), (101, 8, 1), (7, 6, 6)]
)
def test_digits_of_coefficients(window, degree, deriv):
    """Against the normal equations, in rational numbers."""
    at = [Fraction(2 * k - window + 1, 2) for k in range(window)]
    rows = [
        [sum(t ** (i + j) for t in at) for j in range(degree + 1)]
        + [math.factorial(deriv) * (i == deriv)]
        for i in range(degree + 1)
    ]
    for i, row in enumerate(rows):  # Gauss and Jordan's elimination
        rows[i] = row = [v / row[i] for v in row]
        for j, other in enumerate(rows):
            if j != i:
                rows[j] = [v - other[i] * w for v, w in zip(other, row, strict=True)]
    c = [row[-1] for row in rows]
    expected = [float(sum(w * t**k for k, w in enumerate(c))) for t in at]
    made = signal.savgol_coeffs(window, degree, deriv, use="dot").get()
    assert np.abs(made - expected).max() <= 1e-13 * np.abs(expected).max()


def test_errors():
    x = numbers(12)
    savgol = both("savgol_filter")
    check_error(*savgol, x, 5, 2, mode="x", match="mode must be")
    check_error(*savgol, x, 5, 5, match="5 for 5")
    check_error(*savgol, x, 0, 0)
    check_error(*savgol, x, 13, 2, match=r"13 for shape \(12,\)")
    check_error(*savgol, x, 5.0, 2)
    check_error(*savgol, x, 5, -1)
    for args in ((5, 5), (5, 2, 0, 1.0, 5), (5, 2, 0, 1.0, -1)):
        check_error(*both("savgol_coeffs"), *args)
    check_error(*both("savgol_coeffs"), 5, 2, use="x")
