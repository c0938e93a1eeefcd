"""Elliptic integrals and functions: edges, identities, beside singular points."""

import itertools

import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

INF, NAN = np.inf, np.nan


def host(f, *args):
    with np.errstate(all="ignore"):
        found = f(*[cp.asarray(a) for a in args])
    return [a.get() for a in found] if isinstance(found, tuple) else found.get()


def close(got, want, rtol=1e-14, atol=0.0):
    np.testing.assert_allclose(got, want, rtol=rtol, atol=atol)


def test_complete_integrals_at_the_edges():
    m = np.array([1, 1.5, INF, -INF, NAN, 0.0, -1e308])
    got = host(special.ellipk, m)
    np.testing.assert_array_equal(got[:5], [INF, NAN, NAN, 0, NAN])
    close(got[5:], [np.pi / 2, 3.559843986822029e-152])
    got = host(special.ellipe, m)
    np.testing.assert_array_equal(got[:5], [1, NAN, NAN, INF, NAN])
    close(got[5:], [np.pi / 2, 1e154])
    p = np.array([0.0, -0.0, -1, INF, NAN, 5e-324])
    got = host(special.ellipkm1, p)
    np.testing.assert_array_equal(got[:5], [INF, INF, NAN, 0, NAN])
    close(got[5], 373.6063303218105)


def test_legendres_relation():
    """E K' + E' K - K K' = pi / 2."""
    m = np.linspace(0.01, 0.99, 99)
    k, e = host(special.ellipk, m), host(special.ellipe, m)
    kc, ec = host(special.ellipkm1, m), host(special.ellipe, 1 - m)
    close(e * kc + ec * k - k * kc, np.full(99, np.pi / 2))


def test_incomplete_integrals_at_the_edges():
    phi = np.array([0.5, 0.5, 0.5, NAN, INF, -INF, INF, -0.0, 1e-320, 5.0, -5.0])
    m = np.array([1.5, NAN, -INF, 0.5, 0.5, 0.5, -INF, 0.5, 0.5, 1, 1])
    want = [NAN, NAN, 0, NAN, INF, -INF, NAN, -0.0, 1e-320, INF, -INF]
    np.testing.assert_array_equal(host(special.ellipkinc, phi, m), want)
    got = host(special.ellipeinc, phi, m)
    want = [NAN, NAN, INF, NAN, INF, -INF, INF, -0.0, 1e-320]
    np.testing.assert_array_equal(got[:9], want)
    close(got[9:], [3.0410757253368614, -3.0410757253368614])


@pytest.mark.parametrize("name", ["ellipkinc", "ellipeinc"])
def test_whole_turns(name):
    """Each half turn adds twice the complete integral, also where the angle's own
    rounding decides on which side of a quarter turn it is."""
    f = getattr(special, name)
    complete = special.ellipk if name == "ellipkinc" else special.ellipe
    m = np.array([[-50.0], [-1], [0.3], [0.9]])
    whole = host(complete, m)
    phi = np.array([-1.5, -0.2, 0.7, 1.5])
    for n in (-7, -1, 1, 4, 1000):
        turned = host(f, phi + n * np.pi, m)
        close(turned, 2 * n * whole + host(f, phi, m), rtol=1e-12, atol=1e-13)
    quarter = np.nextafter(np.pi / 2, [0, 2]), np.nextafter(3 * np.pi / 2, [0, 9])
    for n, beside in zip((1, 3), quarter, strict=True):
        close(host(f, beside, m), np.broadcast_to(n * whole, (4, 2)), rtol=1e-13)


def test_beside_a_quarter_turn_and_m_1():
    """SciPy loses six digits there."""
    close(
        host(special.ellipkinc, 1.5707963268315044, 0.9999999999999984),
        18.43609452846742,
    )


def test_jacobis_functions():
    """Whose amplitude is the inverse of the integral, and which have their squares."""
    u = np.linspace(-30, 30, 241)
    for m in (0, 1e-12, 0.3, 0.9, 0.999999, 1 - 1e-12, 1):
        sn, cn, dn, ph = host(special.ellipj, u, m)
        close(sn, np.sin(ph), rtol=1e-11, atol=1e-15)
        close(cn, np.cos(ph), rtol=1e-11, atol=2e-15)
        close(sn**2 + cn**2, np.ones(241), rtol=5e-14)
        close(dn**2 + m * sn**2, np.ones(241), rtol=5e-14)
        if m < 0.99:
            close(host(special.ellipkinc, ph, m), u, rtol=1e-12, atol=1e-14)
    for m in (-0.5, 1.5, NAN):
        assert np.isnan(host(special.ellipj, 0.5, m)).all()
    assert np.isnan(host(special.ellipj, INF, 0.5)).all()


def test_jacobis_functions_where_scipys_are_wrong():
    """Beside m = 1, from where on SciPy takes a few terms."""
    got = host(special.ellipj, 34.75587085457761, 0.9999999999999906)
    assert abs(got[0] - 0.30122579844858) < 1e-11
    assert -1 < theirs.ellipj(100.0, 0.9999)[0] < 1


@pytest.mark.parametrize("name", ["elliprf", "elliprd", "elliprg", "elliprj"])
def test_carlsons_integrals_at_the_edges(name):
    f, ref = getattr(special, name), getattr(theirs, name)
    values = [-1, 0, 1, INF, NAN]
    points = np.array([*itertools.product(values, repeat=ref.nin)], "d").T
    got, unknown = host(f, *points), np.isnan(points).any(0)
    assert np.isnan(got[unknown]).all()
    close(got[~unknown], ref(*points[:, ~unknown]))


def test_rc_at_the_edges():
    values = [0.0, -0.0, 1e-300, 1, 2.5, 1e300, NAN]
    x, y = np.array([*itertools.product([-1, *values], [-1, *values])]).T
    np.testing.assert_allclose(
        host(special.elliprc, x, y), theirs.elliprc(x, y), rtol=1e-14
    )
    x, y = np.array([*itertools.product([1, INF], [-INF, INF, -2, 3])]).T
    want = [0, 0, theirs.elliprc(1, -2), theirs.elliprc(1, 3), NAN, 0, 0, 0]
    close(host(special.elliprc, x, y), want)


def test_principal_values():
    """Of RC and RJ left of 0, beside SciPy's."""
    rng = np.random.default_rng(1)
    x, y, z, p = 10 ** rng.uniform(-5, 5, (4, 500))
    close(host(special.elliprc, x, -y), theirs.elliprc(x, -y), rtol=1e-13)
    want = theirs.elliprj(x, y, z, -p)
    terms = theirs.elliprf(x, y, z) / p
    assert (abs(host(special.elliprj, x, y, z, -p) - want) <= 1e-13 * terms).all()


def test_homogeneous():
    """RJ(t x, ...) = t**-1.5 RJ(x, ...), RG as the root, also where products of three
    numbers overflow."""
    x, y, z, p = 0.3, 2.0, 5.0, 1.5
    for t in (1e-200, 1e-100, 1e100, 1e200):
        got = host(special.elliprj, x * t, y * t, z * t, p * t)
        close(got * t**1.5 if t**1.5 else got, theirs.elliprj(x, y, z, p))
        close(
            host(special.elliprd, x * t, y * t, z * t) * t**1.5, theirs.elliprd(x, y, z)
        )
        close(
            host(special.elliprg, x * t, y * t, z * t) / t**0.5, theirs.elliprg(x, y, z)
        )


def test_complex_arguments():
    """On the cut they are not numbers; conjugates give real ones."""
    for name in ("elliprf", "elliprd", "elliprg"):
        f, ref = getattr(special, name), getattr(theirs, name)
        assert np.isnan(host(f, -1 + 0j, 1, 2))
        for point in [(1j, -1j, 2), (-1 + 1j, -1 - 1j, 2), (0, 1j, -1j), (0j, 0, 1)]:
            close(host(f, *map(complex, point)), ref(*map(complex, point)))
    for point in [
        (1j, -1j, 0, 2),
        (1j, -1j, 0, 1 - 1j),
        (1, 2, 3, -1),
        (1, 2, 3, -1 + 1j),
    ]:
        point = [*map(complex, point)]
        close(host(special.elliprj, *point), theirs.elliprj(*point))
    for point in [
        (-1 + 1j, -1 - 1j, 2, -3),
        (0, 1j, -1j, -1),
        (-1, 1, 2, 3),
        (1, 1, 0, 0),
    ]:
        assert np.isnan(host(special.elliprj, *map(complex, point)))
