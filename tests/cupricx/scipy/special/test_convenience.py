"""Short formulas and functions of Python: edges, inverses, sums of exponentials,
combinatorics."""

import math

import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special


def test_boxcox_and_its_inverse():
    x = np.array([1e-8, 0.1, 1, 3, 1e5])[:, None]
    powers = np.array([-2, -1e-9, 0, 1e-300, 0.5, 3])
    p = cp.asarray(powers)
    for name, shifted in (("boxcox", x), ("boxcox1p", x - 1)):
        y = getattr(special, name)(cp.asarray(shifted), p)
        back = getattr(special, "inv_" + name)(y, p)
        good = np.abs(y.get() * powers + 1) > 1e-3
        want = np.broadcast_to(shifted, good.shape)
        np.testing.assert_allclose(back.get()[good], want[good], rtol=1e-11, atol=1e-15)


def test_degrees_are_exact():
    x = np.array([0, 30, 60, 90, 120, 135, 150, 180, 270, 360, 3600030.0])
    np.testing.assert_array_equal(
        special.sindg(cp.asarray(x)).get()[[0, 1, 3, 6, 7, 8, 9, 10]],
        [0, 0.5, 1, 0.5, 0, -1, 0, 0.5],
    )
    np.testing.assert_array_equal(
        special.cosdg(cp.asarray(x)).get()[[0, 2, 3, 4, 7, 8, 9]],
        [1, 0.5, 0, -0.5, -1, 0, 1],
    )
    np.testing.assert_array_equal(
        special.tandg(cp.array([45.0, 90, 135, 180])).get(), [1, np.inf, -1, 0]
    )
    # far out the angle is that of the number as it is
    far = 1e22
    want = math.sin(math.radians(math.fmod(far, 360)))
    np.testing.assert_allclose(float(special.sindg(far)), want, rtol=1e-14)


def test_kl_div_of_near_numbers():
    x = np.array([0.3, 1, 1e5])
    y = x * (1 + 2.0**-30)
    np.testing.assert_allclose(
        special.kl_div(cp.asarray(x), cp.asarray(y)).get(), x * 2.0**-61, rtol=1e-6
    )


@pytest.mark.parametrize("k", [0, 1, -1, 2, -7])
def test_lambertw_solves_its_equation(k):
    rng = np.random.default_rng(2)
    z = rng.standard_normal(400).view("D") * 10.0 ** rng.integers(-5, 5, 200)
    w = special.lambertw(cp.asarray(z), k).get()
    np.testing.assert_allclose(w * np.exp(w), z, rtol=1e-12)
    np.testing.assert_allclose(w, theirs.lambertw(z, k), rtol=1e-13)


def test_lambertw_at_the_branch_point_and_the_ends():
    z = cp.array([-np.exp(-1), 0, np.inf, -np.inf, np.nan])
    w = special.lambertw(z).get()
    np.testing.assert_allclose(w[0], -1, atol=3e-8)
    np.testing.assert_array_equal(w[1:3], [0, np.inf])
    assert w[3] == complex(np.inf, np.pi)
    assert np.isnan(w[4])
    assert special.lambertw(cp.array(0.0), -1).get() == -np.inf
    assert special.lambertw(1, tol=1e-3).dtype == np.complex128
    branches = special.lambertw(cp.array(2.0), cp.arange(-2, 3)).get()
    np.testing.assert_allclose(
        branches, theirs.lambertw(2, np.arange(-2, 3)), rtol=1e-14
    )


def test_wrightomega_solves_its_equation():
    rng = np.random.default_rng(3)
    z = rng.uniform(-9, 9, 400) + 1j * rng.uniform(-20, 20, 400)
    z = np.concatenate([z, -1 + 1j * np.pi + 10.0 ** np.arange(-8, 0) * 1j])
    w = special.wrightomega(cp.asarray(z)).get()
    np.testing.assert_allclose(w * np.exp(w), np.exp(z), rtol=1e-11)
    x = cp.array([-700.0, -40, -1, 0, 1, 50, 1e300])
    w = special.wrightomega(x).get()
    np.testing.assert_allclose(w + np.log(w), x.get(), rtol=1e-13, atol=1e-15)


# ---- sums of exponentials ------------------------------------------------------------


def cases():
    rng = np.random.default_rng(4)
    for dtype in "fdFDl":
        x = (rng.standard_normal((3, 4, 5)) * 30).astype(dtype)
        if dtype in "FD":
            x = x + (1j * rng.standard_normal(x.shape)).astype(dtype)
        for axis in (None, 0, -1, (0, 2)):
            yield x, axis


@pytest.mark.parametrize("keepdims", [False, True])
def test_logsumexp(keepdims):
    for x, axis in cases():
        want = theirs.logsumexp(x, axis=axis, keepdims=keepdims)
        got = special.logsumexp(cp.asarray(x), axis=axis, keepdims=keepdims).get()
        assert got.dtype == want.dtype
        rtol = 1e-5 if want.dtype.char in "fF" else 1e-13
        np.testing.assert_allclose(np.exp(1j * got.imag), np.exp(1j * want.imag), rtol)
        np.testing.assert_allclose(got.real, want.real, rtol, atol=rtol)


def test_logsumexp_with_factors_and_signs():
    rng = np.random.default_rng(5)
    x, b = rng.standard_normal((4, 6)) * 300, rng.standard_normal(6)
    b[2] = 0
    for axis in (None, 0, 1):
        want = theirs.logsumexp(x, axis=axis, b=b, return_sign=True)
        got = special.logsumexp(cp.asarray(x), axis, cp.asarray(b), return_sign=True)
        for a, c in zip(got, want, strict=True):
            np.testing.assert_allclose(a.get(), c, rtol=1e-12)
    assert np.isnan(float(special.logsumexp(cp.ones(2), b=-cp.ones(2))))
    both = special.logsumexp(cp.asarray(x + 1j), axis=1, return_sign=True)
    want = theirs.logsumexp(x + 1j, axis=1, return_sign=True)
    for a, c in zip(both, want, strict=True):
        np.testing.assert_allclose(a.get(), c, rtol=1e-12)


def test_logsumexp_at_infinity():
    inf = np.inf
    for x in ([-inf, -inf], [inf, 1], [inf, inf], [np.nan, 1], [-800, 0], [0, -40.0]):
        got = float(special.logsumexp(cp.array(x)))
        np.testing.assert_allclose(got, theirs.logsumexp(x), rtol=1e-13)
    got = special.logsumexp(cp.array([inf, 1]), b=cp.array([0, 1.0]))
    np.testing.assert_allclose(float(got), 1)


def test_softmax():
    for x, axis in cases():
        for name in ("softmax", "log_softmax"):
            f = getattr(theirs, name)
            got = getattr(special, name)(cp.asarray(x), axis=axis).get()
            assert got.dtype == f(x, axis=axis).dtype, (name, x.dtype)
            want = f(x.astype("D" if x.dtype.kind == "c" else "d"), axis=axis)
            rtol = 2e-5 if got.dtype.char in "fF" else 1e-12
            if want.dtype.kind == "c":
                got, want = np.exp(got), np.exp(want)
            least = 1e-14 if name == "log_softmax" else 1e-30  # SciPy's beside 0
            np.testing.assert_allclose(got, want, rtol, atol=least)


# ---- combinatorics -------------------------------------------------------------------


def test_comb_and_perm():
    n, k = np.arange(-2, 30)[:, None], np.arange(-1, 31)
    for name in ("comb", "perm"):
        got = getattr(special, name)(cp.asarray(n), cp.asarray(k)).get()
        f = getattr(theirs, name)
        exact = [[float(f(int(i), int(j), exact=True)) for j in k] for i in n[:, 0]]
        np.testing.assert_allclose(got, exact, rtol=1e-13)
        assert getattr(special, name)(60, 30, exact=True) == f(60, 30, exact=True)
        with pytest.raises(ValueError, match="integer"):
            getattr(special, name)(5.5, 2, exact=True)
    got = special.comb(cp.asarray(n[3:]), cp.asarray(k[1:]), repetition=True).get()
    want = theirs.comb(n[3:], k[1:], repetition=True)
    np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("name", ["factorial", "factorial2", "factorialk"])
def test_factorials(name):
    more = (3,) if name == "factorialk" else ()
    f, ref = getattr(special, name), getattr(theirs, name)
    n = np.array([-1, 0, 1, 2, 5, 10, 100, 170, 171, 400])
    exact = [ref(int(i), *more, exact=True) for i in n]
    with np.errstate(over="ignore"):
        want = [float(v) if v.bit_length() < 1025 else np.inf for v in exact]
    np.testing.assert_array_equal(f(cp.asarray(n), *more).get(), want)
    short = cp.array([0, 5, 12, -3])
    got = f(short, *more, exact=True)
    assert got.dtype == np.int64
    np.testing.assert_array_equal(got.get(), ref(short.get(), *more, exact=True))
    assert f(50, *more, exact=True) == ref(50, *more, exact=True)
    with pytest.raises(OverflowError, match="int64"):
        f(cp.array([200]), *more, exact=True)
    with pytest.raises(ValueError, match="integer"):
        f(2.5, *more, exact=True)
    x = cp.array([0.5, -0.5, 3.0])
    got = f(x, *more, extend="complex").get()
    np.testing.assert_allclose(got, ref(x.get(), *more, extend="complex"), rtol=1e-13)


def test_factorial_of_floats():
    x = np.array([0.5, 3, -1, -0.5, 20.25], "f")
    got = special.factorial(cp.asarray(x))
    assert got.dtype == np.float32
    np.testing.assert_allclose(got.get(), theirs.factorial(x), rtol=1e-6)


def test_stirling2():
    n, k = np.arange(40)[:, None], np.arange(42)
    got = special.stirling2(cp.asarray(n), cp.asarray(k)).get()
    exact = theirs.stirling2(n, k, exact=True).astype("d")
    np.testing.assert_array_equal(got, exact)
    few = special.stirling2(cp.array([5, 20, 0]), cp.array([2, 7, 0]), exact=True)
    np.testing.assert_array_equal(
        few.get(), theirs.stirling2([5, 20, 0], [2, 7, 0], exact=True)
    )
    assert special.stirling2(60, 30, exact=True) == theirs.stirling2(60, 30, exact=True)
    many = (3**20000 - 3 * 2**20000 + 3) // 6  # a table of all would not fit memory
    assert special.stirling2(20000, 3, exact=True) == many
    with pytest.raises(OverflowError, match="int64"):
        special.stirling2(cp.array([60]), cp.array([30]), exact=True)
    with pytest.raises(TypeError, match="integers"):
        special.stirling2(cp.array([2.5]), 1)
    big = theirs.stirling2(250, 20, exact=True)
    got = float(special.stirling2(cp.array(250), 20))
    np.testing.assert_allclose(got, float(big), rtol=1e-13)


def test_diric_and_softplus():
    x = np.array([0, 1, -2, np.pi, 2 * np.pi, 4 * np.pi, 7])
    for n in (1, 3, 4, 0, 2.5):
        np.testing.assert_allclose(
            special.diric(cp.asarray(x), n).get(),
            theirs.diric(x, n),
            rtol=1e-9,
            atol=1e-15,
        )
    np.testing.assert_allclose(
        special.softplus(cp.asarray(x)).get(), np.logaddexp(0, x), rtol=1e-15
    )


def test_cotangents_of_the_smallest_angles():
    """180 / (pi x), beyond which it overflows with the sign of x."""
    x = np.array([5e-324, 2.3e-308, 5.8e-307, 1e-300, 3e-281, 2e-280, 1e-270])
    with np.errstate(over="ignore"):
        expected = 180 / np.pi / x
    for sign in (1, -1):
        got = special.cotdg(cp.asarray(sign * x)).get()
        np.testing.assert_allclose(got, sign * expected, rtol=1e-15)
