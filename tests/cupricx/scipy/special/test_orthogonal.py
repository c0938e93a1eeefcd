"""Orthogonal polynomials at points: dtypes, degrees of every kind, edges."""

import mpmath as mp
import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

inf, nan = np.inf, np.nan
OF_TWO = ("legendre", "sh_legendre", "chebyt", "chebyu", "chebyc", "chebys")
OF_TWO += ("sh_chebyt", "sh_chebyu", "laguerre")
PARAMETERS = {n: () for n in OF_TWO}
PARAMETERS |= {"genlaguerre": (0.5,), "gegenbauer": (1.5,)}
PARAMETERS |= {"jacobi": (0.5, 1.5), "sh_jacobi": (2.0, 1.5)}
HERMITES = ("hermite", "hermitenorm")


def both(name):
    return getattr(special, f"eval_{name}"), getattr(theirs, f"eval_{name}")


@pytest.mark.parametrize("name", [*PARAMETERS, *HERMITES])
def test_integers(name, device):
    ours, scipys = both(name)
    rest = PARAMETERS.get(name, ())
    n = np.arange(12)[:, None]
    x = np.linspace(-2, 2, 101)
    got = ours(cp.asarray(n), *rest, cp.asarray(x))
    want = scipys(n, *rest, x)
    np.testing.assert_allclose(got.get(), want, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", PARAMETERS)
def test_dtypes(name, device):
    ours, scipys = both(name)
    count = len(PARAMETERS[name])
    for first, last in (
        "ld",
        "ff",
        "bb",
        "ee",
        "hf",
        "Ld",
        "lf",
        "?d",
        "fF",
        "dD",
        "fD",
    ):
        letters = first + (last if last not in "FD" else first) * count + last
        given = [np.ones(2, k) for k in letters]
        got = ours(*[cp.asarray(a) for a in given])
        assert np.dtype(str(got.dtype)) == scipys(*given).dtype, letters


@pytest.mark.parametrize("name", HERMITES)
def test_hermite_takes_integers_alone(name, device):
    ours, _ = both(name)
    with pytest.raises(TypeError, match="not supported for the input types"):
        ours(2.0, cp.ones(2))
    assert np.isnan(ours(cp.array([-1, -5]), 0.5).get()).all()


@pytest.mark.parametrize("name", PARAMETERS)
def test_complex_of_real_axis(name, device):
    ours, _ = both(name)
    n = cp.arange(40.0)[:, None]
    x = np.array([-3, -0.9, -0.2, 0.1, 0.6, 0.99, 4])
    real = ours(n, *PARAMETERS[name], cp.asarray(x)).get()
    z = ours(n, *PARAMETERS[name], cp.asarray(x.astype("D"))).get()
    np.testing.assert_allclose(z.real, real, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(z.imag, 0, atol=1e-11 * abs(real).max())


@pytest.mark.parametrize("name", ["legendre", "chebyt", "chebyu", "gegenbauer"])
def test_parity_to_the_bit(name, device):
    ours, _ = both(name)
    n = np.arange(60)[:, None]
    x = np.linspace(0, 1.5, 50)
    right = ours(cp.asarray(n), *PARAMETERS[name], cp.asarray(x)).get()
    left = ours(cp.asarray(n), *PARAMETERS[name], cp.asarray(-x)).get()
    np.testing.assert_array_equal(left, right * (-1.0) ** n)


def test_negative_degrees(device):
    x = cp.array([-0.7, 0.2, 1.5])
    n = cp.arange(2, 9)[:, None]
    legendre = special.eval_legendre
    np.testing.assert_array_equal(legendre(-n - 1, x).get(), legendre(n, x).get())
    chebyt, chebyu = special.eval_chebyt, special.eval_chebyu
    np.testing.assert_array_equal(chebyt(-n, x).get(), chebyt(n, x).get())
    np.testing.assert_array_equal(chebyu(-n, x).get(), -chebyu(n - 2, x).get())
    assert (special.eval_chebyu(-1, x) == 0).all()
    assert (special.eval_laguerre(-3, x) == 0).all()
    assert (special.eval_gegenbauer(-3, 0.5, x) == 0).all()


def test_infinite_points(device):
    """SciPy's are NaN, as infinite terms cancel there."""
    x = cp.array([-inf, inf, nan])
    for name in ("legendre", "chebyt", "chebyu", "gegenbauer", "jacobi"):
        ours, _ = both(name)
        got = ours(cp.array([[2], [5], [40]]), *PARAMETERS[name], x).get()
        want = [[inf, inf, nan], [-inf, inf, nan], [inf, inf, nan]]
        np.testing.assert_array_equal(got, want)
    got = special.eval_laguerre(cp.array([[2], [5]]), x).get()
    np.testing.assert_array_equal(got, [[inf, inf, nan], [inf, -inf, nan]])
    got = special.eval_hermite(cp.array([[2], [5]]), x).get()
    np.testing.assert_array_equal(got, [[inf, inf, nan], [-inf, inf, nan]])


def test_overflow_has_a_sign(device):
    assert special.eval_laguerre(101, cp.array(1e10)).get() == -inf
    assert special.eval_hermite(7, cp.array(-1e200)).get() == -inf
    assert special.eval_chebyt(4001, cp.array(-3.0)).get() == -inf
    # the polynomial is finite, though steps before it are not
    assert np.isfinite(special.eval_hermite(268, cp.array(0.3)).get())


def test_large_degrees(device):
    """cos(n acos(x)) of the exact n and x."""
    x = 0.7
    for n in (1000, 65537, 2**24):
        with mp.workdps(50):
            angle = mp.acos(mp.mpf(x))
            want = float(mp.cos(n * angle))
            wanted = float(mp.sin((n + 1) * angle) / mp.sin(angle))
        got = float(special.eval_chebyt(n, cp.array(x)))
        assert abs(got - want) < 1e-15
        assert abs(float(special.eval_chebyu(n, cp.array(x))) - wanted) < 1e-15
    for name in ("legendre", "laguerre", "hermite"):
        ours, _ = both(name)
        assert np.isnan(float(ours(2**25, cp.array(x))))


def test_jacobi_where_the_recurrence_has_poles(device):
    """alpha + beta = -2, -3, …: SciPy has no value."""
    for a, b in ((-1.0, -1.0), (-2.0, -1.0), (-0.5, -2.5), (-4.0, 0.0)):
        for n in (1, 2, 5, 12):
            for x in (-0.7, 0.3, 2.0):
                want = sum(
                    mp.binomial(n + a, n - j)
                    * mp.binomial(n + b, j)
                    * (mp.mpf(x - 1) / 2) ** j
                    * (mp.mpf(x + 1) / 2) ** (n - j)
                    for j in range(n + 1)
                )
                got = float(special.eval_jacobi(n, a, b, cp.array(x)))
                assert abs(got - float(want)) <= 1e-10 * (1 + abs(float(want)))


def test_gegenbauer_of_tiny_alpha(device):
    """The limit of C_n / alpha is 2 T_n / n."""
    n, x = np.arange(1, 20), 0.3
    got = special.eval_gegenbauer(cp.asarray(n), 1e-200, x).get()
    want = 2 * theirs.eval_chebyt(n, x) / n * 1e-200
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_real_degrees_between(device):
    v = np.array([0.5, 1.5, 2.5, 7.25])[:, None]
    x = np.array([-0.9, -0.3, 0.2, 0.8, 1.0, 1.5])
    got = special.eval_chebyt(cp.asarray(v), cp.asarray(x)).get()
    np.testing.assert_allclose(got, theirs.eval_chebyt(v, x), rtol=1e-8)
    inside = x[x <= 1]
    got = special.eval_legendre(cp.asarray(v), cp.asarray(inside)).get()
    want = theirs.eval_legendre(v, inside)
    np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)
    assert np.isnan(special.eval_chebyt(0.5, cp.array(-1.5)).get())


# ---- lpmv ----------------------------------------------------------------------------


def test_lpmv_of_integers(device):
    m = np.arange(-3, 4.0)[:, None, None]
    v = np.arange(3, 9.0)[:, None]
    x = np.linspace(-1, 1, 41)
    got = special.lpmv(*[cp.asarray(a) for a in (m, v, x)]).get()
    np.testing.assert_allclose(got, theirs.lpmv(m, v, x), rtol=1e-10, atol=1e-10)


def test_lpmv_outside(device):
    x = cp.array([-1.5, 1.5, nan])
    assert np.isnan(special.lpmv(1, 2, x).get()).all()
    assert np.isnan(special.lpmv(1.5, 2, cp.array([0.3])).get()).all()
    np.testing.assert_array_equal(special.lpmv(0, 2, x).get(), [2.875, 2.875, nan])
    assert (special.lpmv(3, 2, cp.array([-1, 0.3, 1])) == 0).all()


def test_lpmv_where_scipys_is_lost(device):
    """Of a large order left of 0, and of a negative one beyond an integer degree."""
    for m, v, x in (
        (30, 60.25, -0.9),
        (10, 20.5, -0.9),
        (-2, 1.0, 0.5),
        (-3, 0.0, -0.4),
    ):
        with mp.workdps(60):
            want = float(mp.legenp(v, m, mp.mpf(x), type=2).real)
        assert float(special.lpmv(m, v, cp.array(x))) == pytest.approx(want, rel=1e-12)


def test_lpmv_at_minus_one(device):
    """The sign is that of the values next to it."""
    for m in (0, 1, 2):
        for v in (0.5, 1.5, -0.5, 2.25):
            beside = float(special.lpmv(m, v, cp.array(-1 + 1e-15)))
            at = float(special.lpmv(m, v, cp.array(-1.0)))
            assert np.isinf(at)
            assert np.sign(at) == np.sign(beside)


def test_lpmv_of_large_orders(device):
    """(1 - x**2)**(m / 2) alone is less than any number, the rest more."""
    m, v, x = 300, 340, mp.mpf("0.99999237060546875")
    with mp.workdps(60):
        before, now = mp.mpf(0), (1 - x * x) ** (m // 2) * mp.fac2(2 * m - 1)
        for u in range(m, v):
            rise = ((2 * u + 1) * x * now - (u + m) * before) / (u - m + 1)
            before, now = now, rise
        assert 1e-300 < now < 1e300
        assert (1 - x * x) ** (m // 2) < mp.mpf(10) ** -320
        assert mp.fac2(2 * m - 1) > mp.mpf(10) ** 320
    got = float(special.lpmv(m, v, cp.array(float(x))))
    assert got == pytest.approx(float(now), rel=1e-11)


# ---- degrees that are no integers ----------------------------------------------------


def gauss(a, b, c, x):
    return mp.hyp2f1(a, b, c, (1 - x) / 2)


def legendre(v, x):
    return gauss(-v, v + 1, 1, x)


def gegenbauer(v, a, x):
    factor = mp.gamma(v + 2 * a) / mp.gamma(v + 1) / mp.gamma(2 * a)
    return factor * gauss(-v, v + 2 * a, a + mp.mpf(1) / 2, x)


def jacobi(v, a, b, x):
    return mp.binomial(v + a, v) * gauss(-v, v + a + b + 1, a + 1, x)


def genlaguerre(v, a, x):
    return mp.binomial(v + a, v) * mp.hyp1f1(-v, a + 1, x)


POINTS = (-0.97, -0.4, 0.3, 0.95, 1.5, 8.0)
DEFINITIONS = [
    ("legendre", legendre, (), POINTS),
    ("gegenbauer", gegenbauer, (1.5,), POINTS),
    ("jacobi", jacobi, (-0.4, 2.25), POINTS),
    ("genlaguerre", genlaguerre, (2.5,), (-30.0, -1.0, 0.25, 3.0, 40.0)),
]


@pytest.mark.parametrize(("name", "exact", "parameters", "points"), DEFINITIONS)
def test_definitions_of_real_degrees(name, exact, parameters, points, device):
    """SciPy's lose all digits at the larger ones."""
    ours, _ = both(name)
    for v in (0.5, 1.75, 2.5, 9.625, 33.25):
        got = ours(v, *parameters, cp.asarray(points)).get()
        with mp.workdps(50):
            given = [mp.mpf(p) for p in (v, *parameters)]
            want = [float(mp.re(exact(*given, mp.mpf(x)))) for x in points]
        np.testing.assert_allclose(got, want, rtol=1e-11)
    if name != "genlaguerre":
        assert np.isnan(ours(2.5, *parameters, cp.array(-1.5)).get())


@pytest.mark.parametrize("name", ["legendre", "gegenbauer", "jacobi", "laguerre"])
def test_complex_points_of_real_degrees(name, device):
    ours, scipys = both(name)
    z = np.array([0.3 + 0.4j, -0.2 + 0.5j, 0.75 - 0.25j])
    for v in (0.5, 2.25):
        got = ours(v, *PARAMETERS[name], cp.asarray(z)).get()
        np.testing.assert_allclose(got, scipys(v, *PARAMETERS[name], z), rtol=1e-10)


def test_shifted_of_real_degrees(device):
    x = cp.array([0.1, 0.4, 0.9])
    for name, parameters in (("legendre", ()), ("chebyt", ()), ("chebyu", ())):
        plain, _ = both(name)
        shifted, _ = both(f"sh_{name}")
        got = shifted(2.75, *parameters, x).get()
        np.testing.assert_allclose(got, plain(2.75, 2 * x - 1).get(), rtol=1e-13)
    got = special.eval_sh_jacobi(2.5, 3, 1.5, x).get()
    want = theirs.eval_sh_jacobi(2.5, 3, 1.5, x.get())
    np.testing.assert_allclose(got, want, rtol=1e-11)
