"""The beta function's relatives: borders, identities and inverses, which the general
tests do not look at."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import special

INF, NAN = np.inf, np.nan


def of(name, *arguments):
    return getattr(special, name)(*map(cp.asarray, arguments)).get()


def spread(low, high, n, seed):
    return 10 ** np.random.default_rng(seed).uniform(low, high, n)


@pytest.mark.parametrize("digits", [(-1, 1), (-4, 4), (-8, 8)])
def test_the_incomplete_function_and_its_complement(digits):
    a, b = spread(*digits, 3000, 1), spread(*digits, 3000, 2)
    x = np.random.default_rng(3).random(3000)
    p, q = of("betainc", a, b, x), of("betaincc", a, b, x)
    np.testing.assert_allclose(p + q, 1, rtol=1e-14)
    mirrored = of("betaincc", b, a, 1 - x)
    steep = np.maximum(a, b) < 1e4  # where 1 - x is not exact that counts
    np.testing.assert_allclose(p[steep], mirrored[steep], rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("digits", [(-1, 1), (0, 2), (2, 4), (-4, 4)])
def test_inverses_lead_back(digits):
    """The condition of the way back is at most 1e4 here."""
    a, b = spread(*digits, 3000, 4), spread(*digits, 3000, 5)
    p = np.random.default_rng(6).random(3000) / 2
    p[::3] = spread(-30, -1, 1000, 7)
    for name, back in (("betaincinv", "betainc"), ("betainccinv", "betaincc")):
        x = of(name, a, b, p)
        assert ((x >= 0) & (x <= 1)).all()
        found = of(back, a, b, x)
        inside = (x > 1e-300) & (x < 0.9)  # beside 1 x is not exact enough
        np.testing.assert_allclose(found[inside], p[inside], rtol=1e-11)


def test_inverses_converge_for_any_parameters():
    a, b = spread(-10, 10, 4000, 8), spread(-10, 10, 4000, 9)
    p = np.random.default_rng(10).random(4000)
    x = of("betaincinv", a, b, p)
    assert np.isfinite(x).all()
    step = 1e-9
    left, right = x * (1 - step), np.minimum(x * (1 + step), 1)
    assert (of("betainc", a, b, left) <= p * (1 + 1e-12)).all()
    assert (of("betainc", a, b, right) >= p * (1 - 1e-12))[x > 0].all()


def test_borders_of_the_incomplete_function():
    assert of("betainc", 2.0, 3.0, [0, -0.0, 1]).tolist() == [0, 0, 1]
    assert np.isnan(of("betainc", 2.0, 3.0, [-0.1, 1.1, NAN])).all()
    assert np.isnan(of("betainc", [-1.0, 0, INF, NAN], [1.0, 0, INF, 1], 0.5)).all()
    assert of("betainc", [0.0, INF, 2], [2.0, 2, INF], 0.5).tolist() == [1, 0, 1]
    assert of("betaincinv", 2.0, 3.0, [0.0, 1]).tolist() == [0, 1]
    assert np.isnan(of("betaincinv", 2.0, [0.0, -1], 0.5)).all()


def test_beta_at_poles_and_of_negative_numbers():
    assert of("beta", [0.0, 0.0, -2], [1.0, 0, 3]).tolist() == [INF, INF, INF]
    assert of("beta", [-1.0, -2], [1.0, 1]).tolist() == [-1, -0.5]
    assert of("beta", [-0.5, -2.5], [0.5, 1.5]).tolist() == [0, 0]
    assert of("betaln", [-0.5, -1], [0.5, 1]).tolist() == [-INF, 0]
    np.testing.assert_allclose(of("beta", -1.5, 3.0), 16 / 3, rtol=1e-15)
    a, b = spread(-1, 2, 500, 11), -spread(-1, 2, 500, 12)
    same = of("beta", a + 1, b) + of("beta", a, b + 1)
    np.testing.assert_allclose(
        of("beta", a, b), same, rtol=1e-10, atol=1e-11 * abs(of("beta", a + 1, b)).max()
    )


def test_binomial_coefficients():
    n = np.arange(30)[:, None]
    k = np.arange(30)[None]
    made = np.zeros((30, 30))
    made[:, 0] = 1
    for i in range(1, 30):
        made[i, 1:] = made[i - 1, 1:] + made[i - 1, :-1]
    np.testing.assert_allclose(of("binom", n, k), made, rtol=4e-16)
    assert np.isnan(of("binom", [-1.0, -3, NAN, 2], [2.0, 5, 1, INF])).all()
    assert of("binom", [5.0, 5, 3], [-1.0, 7, 1e9]).tolist() == [0, 0, 0]
    np.testing.assert_allclose(of("binom", 1e-9, 3.0), 1e-9 / 3, rtol=1e-8)


def test_distributions_of_counts():
    k, n = np.arange(5.0), 5.0
    p = np.array([0.0, 0.1, 0.5, 1])[:, None]
    total = of("bdtr", k, n, p) + of("bdtrc", k, n, p)
    np.testing.assert_allclose(total, 1, rtol=1e-15)
    inner = p[1:3]
    np.testing.assert_allclose(
        of("bdtri", k, n, of("bdtr", k, n, inner)), inner + 0 * k, rtol=1e-11
    )
    assert of("bdtr", 5.0, 5.0, 0.3) == 1
    assert np.isnan(of("bdtr", [-1.0, 6], 5.0, 0.3)).all()
    assert of("bdtrc", [-1.0, 5], 5.0, 0.3).tolist() == [1, 0]
    total = of("nbdtr", k, n, inner) + of("nbdtrc", k, n, inner)
    np.testing.assert_allclose(total, 1, rtol=1e-15)
    assert np.isnan(of("nbdtr", [-1.0, 1], [1.0, 0], 0.5)).all()


def test_students_distribution():
    df = np.array([0.01, 1, 3, 100, 1e10, INF])[:, None]
    t = np.array([-1e3, -2, -1e-8, 0, 3])
    p = of("stdtr", df, t)
    np.testing.assert_allclose(p[1], 0.5 + np.arctan(t) / np.pi, rtol=1e-12)
    np.testing.assert_allclose(p[5], of("ndtr", t), rtol=1e-15)
    np.testing.assert_allclose(
        of("stdtrit", df, p[:, 1:4])[:5], t[1:4] + 0 * df[:5], 1e-7
    )
    assert of("stdtrit", 3.0, [0.0, 0.5, 1]).tolist() == [-INF, 0, INF]
    assert of("stdtr", 0.01, -1e200) == pytest.approx(0.00465, rel=0.3)


def test_the_f_distribution():
    x = spread(-3, 3, 300, 13)
    total = of("fdtr", 3.0, 5.0, x) + of("fdtrc", 3.0, 5.0, x)
    np.testing.assert_allclose(total, 1, rtol=1e-15)
    np.testing.assert_allclose(
        of("fdtri", 3.0, 5.0, of("fdtr", 3.0, 5.0, x)), x, rtol=1e-6
    )
    assert of("fdtr", 3.0, 5.0, [0.0, INF]).tolist() == [0, 1]
    assert np.isnan(of("fdtr", [0.0, 3], [5.0, -1], 1.0)).all()


def test_deprecated_names():
    x = cp.array([0.25, 0.5])
    with pytest.warns(DeprecationWarning, match="use cupricx.scipy.special.betainc"):
        p = special.btdtr(2, 3, x)
    np.testing.assert_array_equal(p.get(), of("betainc", 2, 3, [0.25, 0.5]))
    with pytest.warns(DeprecationWarning, match="use cupricx.scipy.special.betaincinv"):
        found = special.btdtri(2, 3, p, out=cp.empty(2))
    np.testing.assert_allclose(found.get(), [0.25, 0.5], rtol=1e-15)
