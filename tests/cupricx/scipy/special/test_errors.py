"""Error functions: inverses, symmetries, and what the general tests do not reach."""

import warnings

import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

SPREAD = np.concatenate([np.linspace(-8, 8, 401), 10.0 ** np.arange(-300, 3, 7)])
DISC = np.random.default_rng(0).standard_normal(500).view("D") * 4


@pytest.mark.parametrize(
    ("inverse", "function"), [("erfinv", "erf"), ("ndtri", "ndtr")]
)
def test_inverses(inverse, function):
    x = cp.asarray(SPREAD[np.abs(SPREAD) < 2])
    y = getattr(special, function)(x)
    back = getattr(special, inverse)(y)
    np.testing.assert_allclose(back.get(), x.get(), rtol=2e-14, atol=2e-15)


def test_log_ndtr_and_its_inverse_far_out():
    x = -np.concatenate([10.0 ** np.arange(-2, 150, 3), [37.0, 37.4, 38.2]])
    y = special.log_ndtr(cp.asarray(x))
    np.testing.assert_allclose(special.ndtri_exp(y).get(), x, rtol=1e-13)
    # of the right tail it is the probability of the other one
    right = special.log_ndtr(cp.array([10.0, 20.0, 37.0])).get()
    tail = special.ndtr(cp.array([-10.0, -20.0, -37.0])).get()
    np.testing.assert_allclose(right, -tail, rtol=1e-13)


def test_symmetries_of_complex_numbers():
    z = cp.asarray(DISC)
    for name in ("erfi", "dawsn"):
        f = getattr(special, name)
        cp.testing.assert_array_equal(f(-z), -f(z))
        cp.testing.assert_array_equal(f(z.conj()), f(z).conj())
    w = special.wofz(z)
    np.testing.assert_allclose(
        special.wofz(-z.conj()).get(), w.conj().get(), rtol=1e-14
    )
    total = (w + special.wofz(-z)).get()
    off = np.abs(total - 2 * np.exp(-(DISC**2)))
    assert (off <= 1e-12 * np.abs(total) + 1e-15 * np.abs(w.get())).all()


def test_complex_functions_on_the_real_line_are_the_real_ones():
    x = SPREAD[np.abs(SPREAD) < 20]
    for name in ("erfcx", "erfi", "dawsn", "log_ndtr", "exp1", "expi", "spence"):
        real = getattr(special, name)(cp.asarray(x)).get()
        got = getattr(special, name)(cp.asarray(x + 0j)).get()
        usual = np.isfinite(real)
        np.testing.assert_allclose(
            got.real[usual], real[usual], rtol=1e-13, err_msg=name
        )


def test_the_real_part_of_wofz_beside_the_real_line():
    """It is a tiny part of the number, and right by itself: what a Voigt profile is."""
    x, y = np.array([3.0, 5, 7, 7.99, 8.01, 12]), 1e-9
    got = special.wofz(cp.asarray(x + 1j * y)).real.get()
    d = theirs.dawsn(x)
    slope = 2 / np.sqrt(np.pi) * (2 * x * d - 1)  # of the real part over y
    np.testing.assert_allclose(got, np.exp(-(x**2)) + slope * y, rtol=2e-8)


def test_voigt_profile_at_its_limits():
    x = np.linspace(-5, 5, 11)
    normal = np.exp(-(x**2) / 8) / np.sqrt(8 * np.pi)
    got = special.voigt_profile(cp.asarray(x), 2.0, 0.0).get()
    np.testing.assert_allclose(got, normal, rtol=1e-14)
    cauchy = special.voigt_profile(cp.asarray(x), 0.0, 2.0).get()
    np.testing.assert_allclose(cauchy, 2 / np.pi / (x**2 + 4), rtol=1e-14)
    points = cp.array([0.0, 1.0, np.inf])
    np.testing.assert_array_equal(
        special.voigt_profile(points, 0.0, 0.0).get(), [np.inf, 0, 0]
    )


def test_modfresnelm_is_the_conjugate():
    x = cp.linspace(-4, 4, 33)
    for plus, minus in zip(special.modfresnelp(x), special.modfresnelm(x), strict=True):
        cp.testing.assert_array_equal(plus.conj(), minus)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("erf_zeros", lambda z: special.wofz(1j * z) - cp.exp(z * z)),
        ("fresnels_zeros", lambda z: special.fresnel(z)[0]),
        ("fresnelc_zeros", lambda z: special.fresnel(z)[1]),
    ],
)
def test_zeros(name, function):
    zeros = getattr(special, name)(30)
    assert zeros.shape == (30,)
    assert float(cp.abs(function(zeros)).max()) < 1e-11
    theirs_too = {
        "erf_zeros": theirs.erf_zeros,
        "fresnels_zeros": lambda n: theirs.fresnel_zeros(n)[0],
        "fresnelc_zeros": lambda n: theirs.fresnel_zeros(n)[1],
    }[name]
    np.testing.assert_allclose(zeros.get(), theirs_too(30), rtol=1e-7)
    with pytest.raises(ValueError, match="positive integer"):
        getattr(special, name)(0)


def test_errstate_is_kept_and_left():
    before = special.geterr()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with special.errstate(all="raise", singular="warn"):
            assert special.geterr()["overflow"] == "raise"
            assert special.geterr()["singular"] == "warn"
            assert float(special.gammaln(0.0)) == np.inf
    assert special.geterr() == before
    with pytest.raises(ValueError, match="no category"):
        special.seterr(nothing="raise")
    with pytest.raises(ValueError, match="no action"):
        special.seterr(all="print")
