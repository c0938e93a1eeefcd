"""Exponential, sine and cosine integrals, the dilogarithm: identities and edges."""

import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

DISC = np.random.default_rng(1).standard_normal(600).view("D") * 6


def test_expn_by_its_recurrence():
    n = np.arange(1, 60)[:, None]
    x = np.array([1e-3, 0.3, 0.999, 1.001, 2, 5, 20, 300])
    this = special.expn(cp.asarray(n), cp.asarray(x))
    following = special.expn(cp.asarray(n + 1), cp.asarray(x))
    want = np.exp(-x) - x * this.get()
    np.testing.assert_allclose(n * following.get(), want, rtol=1e-13, atol=1e-16)


def test_expn_at_the_edges():
    n = cp.array([0, 1, 2, 5, -1, 2, 2, 3])
    x = cp.array([0.0, 0.0, 0.0, 0.0, 1.0, -1.0, np.inf, 800.0])
    want = [np.inf, np.inf, 1, 0.25, np.nan, np.nan, 0, 0]
    np.testing.assert_array_equal(special.expn(n, x).get(), want)


def test_exp1_is_cut_along_the_negative_axis():
    x = -np.array([0.1, 1, 10, 37, 46, 100])
    above = special.exp1(cp.asarray(x + 0j)).get()
    below = special.exp1(cp.asarray(np.conj(x + 0j))).get()
    np.testing.assert_allclose(above, -theirs.expi(-x) - 1j * np.pi, rtol=1e-14)
    np.testing.assert_array_equal(below, above.conj())
    near = special.exp1(cp.asarray(x + 1e-13j)).get()
    np.testing.assert_allclose(near, above, rtol=1e-11)
    np.testing.assert_allclose(near.imag, above.imag, rtol=1e-9 * 38, atol=0.05 * 1e38)


@pytest.mark.parametrize("name", ["sici", "shichi"])
def test_sine_integrals_are_odd_and_of_real_numbers_real(name):
    z = cp.asarray(DISC)
    f = getattr(special, name)
    one, two = f(z), f(-z)
    np.testing.assert_allclose(two[0].get(), -one[0].get(), rtol=1e-13)
    np.testing.assert_allclose(two[1].real.get(), one[1].real.get(), rtol=1e-11)
    conjugate = f(z.conj())
    for a, b in zip(one, conjugate, strict=True):
        np.testing.assert_allclose(a.get(), b.conj().get(), rtol=1e-13)


def test_shichi_is_sici_turned():
    z = DISC[(DISC.real > 0) & (DISC.imag > 0)]
    sinh, cosh = (a.get() for a in special.shichi(cp.asarray(1j * z)))
    sine, cosine = (a.get() for a in special.sici(cp.asarray(z)))
    np.testing.assert_allclose(sinh, 1j * sine, rtol=1e-13)
    np.testing.assert_allclose(cosh, cosine + 0.5j * np.pi, rtol=1e-13)


def test_spence_by_its_reflections():
    z = DISC[np.abs(DISC.imag) > 1e-3]
    direct = special.spence(cp.asarray(z)).get()
    one = special.spence(cp.asarray(1 - z)).get()
    want = np.pi**2 / 6 - np.log(z) * np.log(1 - z) - one
    np.testing.assert_allclose(direct, want, rtol=1e-12)
    assert float(special.spence(cp.array(np.inf))) == -np.inf


def test_zero_of_expi():
    """Beside its zero all digits are right, as it is a factor."""
    zero = 0.372507410781366634462
    x = zero + np.array([-1e-3, -1e-7, 1e-7, 1e-3])
    slope = np.exp(zero) / zero
    got = special.expi(cp.asarray(x)).get()
    np.testing.assert_allclose(got, slope * (x - zero), rtol=3e-3)
