"""Roots and weights of orthogonal polynomials, and the polynomials as objects."""

import mpmath as mp
import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

FAMILIES = [
    *((name, ()) for name in ("legendre", "chebyt", "chebyu", "chebyc", "chebys")),
    *((name, ()) for name in ("sh_legendre", "sh_chebyt", "sh_chebyu", "hermite")),
    *((name, ()) for name in ("hermitenorm", "laguerre")),
    *(("genlaguerre", (alpha,)) for alpha in (0.5, -0.9, 30.0)),
    *(("gegenbauer", (alpha,)) for alpha in (0.3, -0.4, 5, 200)),
    *(("jacobi", pair) for pair in ((0.5, 1.5), (-0.5, -0.5), (-0.9, 0.3), (0, 0))),
    *(("sh_jacobi", pair) for pair in ((2.0, 1.5), (1.2, 0.3))),
]
EVERY = pytest.mark.parametrize(("name", "parameters"), FAMILIES)
ALIASES = {
    "p": "legendre",
    "ps": "sh_legendre",
    "t": "chebyt",
    "ts": "sh_chebyt",
    "u": "chebyu",
    "us": "sh_chebyu",
    "c": "chebyc",
    "s": "chebys",
    "h": "hermite",
    "he": "hermitenorm",
    "l": "laguerre",
    "la": "genlaguerre",
    "j": "jacobi",
    "js": "sh_jacobi",
    "cg": "gegenbauer",
}


@EVERY
@pytest.mark.parametrize("n", [1, 2, 3, 7, 20, 100])
def test_rules(name, parameters, n, device):
    x, w, mu = getattr(special, f"roots_{name}")(n, *parameters, mu=True)
    points, weights, whole = getattr(theirs, f"roots_{name}")(n, *parameters, mu=True)
    assert isinstance(x, cp.ndarray)
    assert isinstance(mu, float)
    np.testing.assert_allclose(
        x.get(), points, rtol=0, atol=1e-14 * abs(points).max() + 2e-16
    )
    np.testing.assert_allclose(w.get(), weights, rtol=2e-10, atol=1e-300)
    assert mu == pytest.approx(whole, rel=1e-13)
    assert float(w.sum()) == pytest.approx(mu, rel=1e-13)


@EVERY
def test_polynomials(name, parameters, device):
    for n in (0, 1, 4, 9):
        for monic in (False, True):
            ours = getattr(special, name)(n, *parameters, monic=monic)
            other = getattr(theirs, name)(n, *parameters, monic=monic)
            assert isinstance(ours, cp.poly1d)
            if np.isnan([*other.coeffs, other.normcoef]).any():
                continue  # SciPy's of a large alpha
            scale = abs(other.coeffs).max()
            np.testing.assert_allclose(
                ours.coeffs.get(), other.coeffs, rtol=1e-9, atol=1e-12 * scale
            )
            if n:  # SciPy's of degree 0 are not those of its weights
                assert ours.normcoef == pytest.approx(abs(other.normcoef), rel=1e-12)
            interval = (0, 1) if name.startswith("sh") else tuple(other.limits)
            assert ours.limits == interval
            x = np.array([0.1, 0.3, 0.75])
            np.testing.assert_allclose(
                ours(cp.asarray(x)).get(), other(x), rtol=1e-10, atol=1e-15
            )
            assert ours.weights.shape == (n, 3)
            if n:
                np.testing.assert_allclose(
                    ours.weights.get(), other.weights, rtol=1e-9, atol=1e-13
                )
            if (name, n) != ("chebyc", 0):
                np.testing.assert_allclose(
                    ours.weight_func(cp.asarray(x)).get(),
                    other.weight_func(x),
                    rtol=1e-13,
                )


def test_aliases():
    for alias, name in ALIASES.items():
        assert getattr(special, f"{alias}_roots") is getattr(special, f"roots_{name}")


def test_a_rule_integrates(device):
    """Without error up to degree 2 n - 1."""
    x, w = special.roots_legendre(12)
    for k in range(24):
        want = 2 / (k + 1) if k % 2 == 0 else 0
        assert float((w * x**k).sum()) == pytest.approx(want, abs=2e-15)


def test_exact_roots_and_weights(device):
    """To the last digit, where SciPy's weights lose three."""
    n = 50
    x, w = (a.get() for a in special.roots_legendre(n))
    with mp.workdps(40):
        for i in range(n // 2, n):
            r = mp.mpf(x[i])
            for _ in range(3):
                value, before = mp.mpf(1), mp.mpf(0)
                for k in range(n):
                    rise = ((2 * k + 1) * r * value - k * before) / (k + 1)
                    value, before = rise, value
                slope = n * (before - r * value) / (1 - r * r)
                r -= value / slope
            assert abs(x[i] - r) <= 2e-16
            assert abs(w[i] * (1 - r * r) * slope**2 / 2 - 1) <= 1e-13


def test_small_roots_of_laguerre(device):
    """Are exact beside the largest ones."""
    x, _ = special.roots_laguerre(100)
    n, r = 100, mp.mpf(float(x[0]))
    with mp.workdps(60):
        for _ in range(3):
            value, along = mp.mpf(1), mp.mpf(0)
            for k in range(n):
                along -= r * value
                value = ((k + 1) * value + along) / (k + 1)
            r -= r * value / along
        assert abs(float(x[0]) / r - 1) < 1e-15


def test_many_points(device):
    """Polynomials are larger than any number at the outer points, and weights less."""
    for name, count in (("hermite", 400), ("laguerre", 300)):
        x, w = (a.get() for a in getattr(special, f"roots_{name}")(count))
        points, weights = getattr(theirs, f"roots_{name}")(count)
        assert np.isfinite(x).all()
        assert np.isfinite(w).all()
        np.testing.assert_allclose(x, points, rtol=1e-12, atol=1e-12)
        large = weights > 1e-280
        if name == "hermite":
            np.testing.assert_allclose(w[large], weights[large], rtol=1e-9)
        assert w.sum() == pytest.approx(weights[np.isfinite(weights)].sum(), rel=1e-10)


def test_arguments(device):
    for n in (0, -1, 2.5):
        with pytest.raises(ValueError, match="n must be a positive integer"):
            special.roots_legendre(n)
    with pytest.raises(ValueError, match="n must be a non-negative integer"):
        special.hermite(-1)
    np.testing.assert_array_equal(
        special.roots_chebyt(3.0)[0].get(), special.roots_chebyt(3)[0].get()
    )
    for f in (special.roots_jacobi, special.jacobi):
        with pytest.raises(ValueError, match="alpha and beta must be greater than -1"):
            f(3, -1, 0)
    for f in (special.roots_gegenbauer, special.gegenbauer):
        with pytest.raises(ValueError, match="greater than -1/2"):
            f(3, -0.6)
    for f in (special.roots_genlaguerre, special.genlaguerre):
        with pytest.raises(ValueError, match="alpha must be greater than -1"):
            f(3, -1)
    for f in (special.roots_sh_jacobi, special.sh_jacobi):
        with pytest.raises(ValueError, match="must be greater than -1, and q"):
            f(3, 0, 1)
    np.testing.assert_array_equal(
        special.roots_gegenbauer(3, 0)[0].get(), special.roots_chebyt(3)[0].get()
    )


def test_polynomials_are_poly1d(device):
    p = special.legendre(3)
    q = p(cp.poly1d([2, 0]))
    np.testing.assert_allclose(q.coeffs.get(), [20, 0, -3, 0], atol=1e-14)
    np.testing.assert_allclose((p * p).coeffs.get()[0], 6.25)
    assert p.order == 3
    assert float(p(0.5)) == -0.4375
