"""Legendre functions with derivatives, and spherical harmonics, against SciPy's."""

import mpmath as mp
import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

N, M = np.arange(9)[:, None, None], np.arange(-5, 6)[:, None]
INSIDE = np.array([-0.9, -0.5, -0.1, 0, 0.2, 0.55, 0.9])
COMPLEX = np.array([0.3 + 0.4j, -0.3 + 0.4j, 2 - 1j, -2 + 0.5j, 0.1j, 1.5 + 0j])
THETA = np.array([-0.5, 0, 0.3, 1.2, 2, 3.1, np.pi, 4])
PHI = np.array([0, 0.5, 1, 2, -1, 5, 6, 1])
DERIVATIVES = pytest.mark.parametrize("diff_n", [0, 1, 2])


def compare(name, *arguments, tolerance=1e-11, **options):
    given = [cp.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
    with np.errstate(all="ignore"):
        want = getattr(theirs, name)(*arguments, **options)
    got = getattr(special, name)(*given, **options)
    pairs = [(got, want)]
    if isinstance(want, tuple):
        pairs = list(zip(got, want, strict=True))
    for a, b in pairs:
        assert np.dtype(str(a.dtype)) == b.dtype
        np.testing.assert_allclose(a.get(), b, rtol=tolerance, atol=tolerance)


@DERIVATIVES
def test_legendre(diff_n, device):
    x = np.array([-2, -1, *INSIDE, 1, 1.5])
    compare("legendre_p", N[:, 0], x, diff_n=diff_n)
    compare("legendre_p_all", 8, x.reshape(1, 11), diff_n=diff_n)
    compare("legendre_p_all", 8, COMPLEX, diff_n=diff_n)
    compare("legendre_p_all", 4, INSIDE.astype("f"), diff_n=diff_n, tolerance=1e-5)


@DERIVATIVES
@pytest.mark.parametrize("norm", [False, True])
def test_associated(diff_n, norm, device):
    options = {"norm": norm, "diff_n": diff_n}
    compare("assoc_legendre_p", N, M, INSIDE, **options)
    compare("assoc_legendre_p_all", 6, 4, INSIDE, **options)
    compare("assoc_legendre_p_all", 1, 3, 0.25, **options)
    for branch_cut in (2, 3):
        options["branch_cut"] = branch_cut
        compare("assoc_legendre_p", N, M, COMPLEX, **options)
        compare("assoc_legendre_p_all", 6, 4, COMPLEX.reshape(2, 3), **options)


@DERIVATIVES
def test_spherical(diff_n, device):
    compare("sph_legendre_p", N, M, THETA, diff_n=diff_n)
    compare("sph_legendre_p_all", 6, 4, THETA.reshape(2, 4), diff_n=diff_n)
    compare("sph_legendre_p_all", 3, -8, THETA, diff_n=diff_n)
    single = THETA.astype("f")
    compare("sph_legendre_p_all", 3, 2, single, diff_n=diff_n, tolerance=1e-5)


@DERIVATIVES
def test_harmonics(diff_n, device):
    compare("sph_harm_y", N, M, THETA, PHI, diff_n=diff_n)
    compare("sph_harm_y", 3, -2, 0.5, PHI, diff_n=diff_n)
    compare("sph_harm_y_all", 5, 4, THETA[:, None], PHI, diff_n=diff_n)
    single = THETA.astype("f")
    compare("sph_harm_y_all", 2, 3, single, single, diff_n=diff_n, tolerance=1e-5)


def test_branch_cuts_of_scipy(device):
    """Numbers on the real axis, of both zeros."""
    z = np.array([2, -2, 0.5, complex(2, -0.0), complex(0.5, -0.0)])
    for branch_cut in (2, 3):
        for order in (-1, 1, 2):
            compare("assoc_legendre_p", 3, order, z, branch_cut=branch_cut)


def test_real_values_of_even_orders(device):
    """SciPy has none for a real z where it takes the root of a negative number."""
    x = np.array([-2.5, 1.5, 3])
    z = cp.asarray(x.astype("D"))
    for branch_cut in (2, 3):
        got = special.assoc_legendre_p(5, 2, cp.asarray(x), branch_cut=branch_cut)
        want = special.assoc_legendre_p(5, 2, z, branch_cut=branch_cut).get()
        np.testing.assert_allclose(got.get(), want.real, rtol=1e-14)
    assert cp.isnan(special.assoc_legendre_p(5, 1, cp.asarray(x))).all()
    got = special.assoc_legendre_p(5, 1, cp.asarray(x), branch_cut=3)
    want = special.assoc_legendre_p(5, 1, z, branch_cut=3)
    np.testing.assert_allclose(got.get(), want.get().real, rtol=1e-14)


def test_at_the_ends(device):
    """(1 - x**2)**(m / 2) and its derivatives, times 3 x (m = 1), 15 x (m = 2)."""
    x = cp.array([-1.0, 1.0])
    p = special.assoc_legendre_p(2, 1, x, diff_n=2).get()
    np.testing.assert_array_equal(p[0], [0, 0])
    np.testing.assert_array_equal(p[1:], [[np.inf, np.inf], [-np.inf, np.inf]])
    p = special.assoc_legendre_p(3, 2, x, diff_n=2).get()
    np.testing.assert_allclose(p, [[0, 0], [-30, -30], [90, -90]])
    p = special.assoc_legendre_p(3, 3, x, diff_n=2).get()
    np.testing.assert_array_equal(p, [[0, 0], [0, 0], [-np.inf, -np.inf]])
    p = special.assoc_legendre_p(2, 0, x, norm=True).get()
    np.testing.assert_allclose(p, [[2.5**0.5] * 2], rtol=1e-15)


def test_orders_whose_factor_is_no_number(device):
    """sin(theta)**1000 is less than any; SciPy has NaN."""
    n, m, theta = 3000, 1000, 0.4
    with mp.workdps(60):
        c, s = mp.cos(mp.mpf(theta)), mp.sin(mp.mpf(theta))
        now, before, last = s**m / mp.sqrt(4 * mp.pi), mp.mpf(0), mp.mpf(1)
        for j in range(1, m + 1):
            now *= mp.sqrt(mp.mpf(2 * j + 1) / (2 * j))
        for k in range(m, n):
            top = mp.mpf((2 * k + 1) * (2 * k + 3))
            slope = mp.sqrt(top / ((k + 1 - m) * (k + 1 + m)))
            rise = slope * (c * now - before / last)
            before, now, last = now, rise, slope
    got = special.sph_legendre_p(n, m, cp.array(theta)).get()
    assert got == pytest.approx(float(now), rel=1e-10)
    every = special.sph_legendre_p_all(n, m, cp.array([theta])).get()
    assert every[0, n, m, 0] == got
    y = special.sph_harm_y(n, -m, cp.array(theta), cp.array(0.25), diff_n=1)
    assert np.isfinite(y[1].get()).all()


def test_harmonics_are_orthonormal(device):
    x, w = np.polynomial.legendre.leggauss(20)
    y = special.sph_legendre_p_all(9, 9, cp.asarray(np.arccos(x))).get()[0]
    for m in (0, 3, 9, -4):
        p = y[abs(m) :, m]
        gram = 2 * np.pi * (p * w) @ p.T
        np.testing.assert_allclose(gram, np.eye(len(p)), atol=1e-13)


def test_derivatives_are_those_of_values(device):
    x, h = 0.3, 1e-6
    p = special.assoc_legendre_p(7, 3, cp.array([x - h, x, x + h]), diff_n=2).get()
    slope = (p[0, 2] - p[0, 0]) / (2 * h)
    assert p[1, 1] == pytest.approx(slope, rel=1e-8)
    assert p[2, 1] == pytest.approx((p[1, 2] - p[1, 0]) / (2 * h), rel=1e-8)


def test_arguments(device):
    x = cp.array([0.5])
    for f in (special.legendre_p, special.legendre_p_all):
        with pytest.raises(ValueError, match="diff_n must be a non-negative integer"):
            f(2, x, diff_n=-1)
        with pytest.raises(NotImplementedError, match="orders 0, 1, and 2"):
            f(2, x, diff_n=3)
    with pytest.raises(TypeError, match="n must be of integers"):
        special.legendre_p(2.0, x)
    with pytest.raises(TypeError, match="theta cannot be of complex128"):
        special.sph_legendre_p(2, 1, x + 0j)
    for n in (-1, 1.5, np.array([2])):
        with pytest.raises(ValueError, match="n must be a non-negative integer"):
            special.sph_harm_y_all(n, 1, x, x)
    with pytest.raises(ValueError, match="m must be a non-negative integer"):
        special.assoc_legendre_p_all(2, -1, x)


def test_no_points(device):
    empty = cp.empty((0, 3))
    assert special.legendre_p_all(2, empty, diff_n=1).shape == (2, 3, 0, 3)
    assert special.legendre_p(2, empty).shape == (1, 0, 3)
    y, gradient = special.sph_harm_y(2, 1, empty, 0.5, diff_n=1)
    assert y.shape == (0, 3)
    assert gradient.shape == (0, 3, 2)


def test_strides_and_broadcasting(device):
    theta = cp.asarray(np.linspace(0, 3, 24)).reshape(4, 6)[::2, ::-1]
    phi = cp.asarray(np.arange(2.0))[:, None]
    got = special.sph_harm_y(3, 2, theta.T, phi.T)
    want = theirs.sph_harm_y(3, 2, theta.get().T, phi.get().T)
    np.testing.assert_allclose(got.get(), want, rtol=1e-13)
