"""Bessel functions of complex arguments and Airy functions: cuts, identities, edges."""

import mpmath
import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of NumPy's

NAMES = ["jv", "jve", "yv", "yve", "iv", "ive", "kv", "kve"]
NAMES += ["hankel1", "hankel1e", "hankel2", "hankel2e"]
ORDERS = np.array([0, 0.5, 1, 2.25, 7, 30.5, 59.9, 60.1, 100, 500, 1e4])
RADII = np.array(
    [1e-3, 0.5, 2.1, 3.9, 12, 29.9, 30.1, 75, 130, 480, 1000, 9.9e3, 1.2e4]
)
ANGLES = np.array([0, 0.1, 1.5, np.pi / 2, 1.6, 2.5, 3.1])


def grid():
    v, r, t = np.meshgrid(ORDERS, RADII, ANGLES, indexing="ij")
    z = r * np.exp(1j * t)
    z[t == np.pi / 2] = 1j * r[t == np.pi / 2]
    return v.ravel(), z.ravel()


def get(name, v, z):
    return getattr(special, name)(cp.asarray(v), cp.asarray(z)).get()


def assert_sum_is(want, *terms):
    """Relative to the terms, where these are numbers that have all their digits."""
    size = sum(map(np.abs, terms))
    ordinary = np.isfinite(size) & (np.abs(terms).min(0) > 1e-280)
    assert ordinary.mean() > 0.3
    assert (np.abs(sum(terms) - want) / size)[ordinary].max() < 1e-10


@pytest.mark.parametrize("name", NAMES)
def test_the_functions_are_continuous_over_the_borders_of_methods(name):
    """Where a method ends that which begins has the same values, as their recurrence
    tells, which is over orders on both sides of 60."""
    v, z = grid()
    z = np.concatenate([z, z.conj()])
    v = np.concatenate([v, v])
    before, here, after = (get(name, v + n, z) for n in (0, 1, 2))
    middle = 2 * (v + 1) / z * here
    if name[0] == "i":
        assert_sum_is(0, before, -after, -middle)
    elif name[0] == "k":
        assert_sum_is(0, before, -after, middle)
    else:
        assert_sum_is(0, before, after, -middle)


@pytest.mark.parametrize("sign", [1, -1])
def test_wronskians(sign):
    v, z = grid()
    v = sign * v
    i, i1 = get("iv", v, z), get("iv", v + 1, z)
    k, k1 = get("kv", v, z), get("kv", v + 1, z)
    assert_sum_is(1 / z, i * k1, i1 * k)
    j, j1 = get("jv", v, z), get("jv", v + 1, z)
    y, y1 = get("yv", v, z), get("yv", v + 1, z)
    assert_sum_is(2 / (np.pi * z), j1 * y, -j * y1)


@pytest.mark.parametrize("name", NAMES)
def test_either_zero_is_above_the_cut(name):
    v = np.array([0.0, 0.5, 2.25, 70.3, -1.5])
    for x in (0.5, 3.0, 20.0, 75.0, 200.0):
        above = get(name, v, np.full(5, complex(-x, 0.0)))
        below = get(name, v, np.full(5, complex(-x, -0.0)))
        np.testing.assert_array_equal(above, below)
        near = get(name, v, np.full(5, complex(-x, 1e-13)))
        np.testing.assert_allclose(above, near, rtol=1e-8)


@pytest.mark.parametrize("name", NAMES[:8])
def test_real_results_of_real_numbers(name):
    v, x = map(np.ravel, np.meshgrid([*ORDERS, -0.5, -2.25], RADII[:9], indexing="ij"))
    got = get(name, v, x + 0j)
    assert (got.imag == 0).all()
    want = get(name, v, x)
    ordinary = np.isfinite(want) & (np.abs(want) > 1e-290)
    size = np.maximum(np.abs(want), 1e-3 * np.abs(get(name, v + 0.1, x)))
    assert (np.abs(got.real - want)[ordinary] / size[ordinary]).max() < 1e-10


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_number(name):
    nan, inf = np.nan, np.inf
    v = np.array([nan, 1, 1, 1, 1, inf, -inf])
    z = np.array([1, nan, complex(1, nan), inf, complex(0, inf), 1, 1], complex)
    assert np.isnan(get(name, v, z)).all()


@pytest.mark.parametrize("name", NAMES)
def test_at_zero_as_scipy(name):
    v = np.array([0, 0.5, 2, 30])
    got = get(name, v, np.zeros(4, complex))
    name = {"yve": "yv", "hankel2": "hankel1", "hankel2e": "hankel1"}.get(name, name)
    want = getattr(theirs, name)(v, np.zeros(4, complex))
    np.testing.assert_array_equal(got, want)


def test_at_the_edges_of_the_exponents():
    """Where the steps of a recurrence would overflow, and where the result does."""
    tiny = np.array([5e-324, 1e-310, 1e-200, 1e-20, 1e-8])
    for v in (0.25, 0.3, 0.6, 1.0, 1.5, 3.25, 25.0, 59.0, 75.0):
        for name in ("iv", "kv"):
            got = get(name, np.full(5, v), tiny + 0j)
            exact = mpmath.besseli if name == "iv" else mpmath.besselk
            want = [float(exact(v, mpmath.mpf(x))) for x in tiny]
            np.testing.assert_allclose(got.real, want, rtol=2e-12, atol=5e-324)
            assert (got.imag == 0).all()
    assert get("iv", [0.0], [1e3 + 1j])[0].real == np.inf
    assert get("kv", [2.0], [1e3 + 1j])[0] == 0
    assert get("jv", [0.5], [0 - 1e3j]).real[0] == np.inf
    assert 0 < get("iv", [0.0], [713.0 + 0j])[0].real < np.inf


def test_large_arguments():
    """SciPy gives up where its arguments are large; we keep on, with the phase that
    the argument has."""
    z = np.array([1e6, 1e10, 1e15]) + 1j
    phase = np.exp(1j * z) * np.exp(-0.25j * np.pi) * np.sqrt(2 / (np.pi * z))
    np.testing.assert_allclose(get("hankel1", np.zeros(3), z), phase, rtol=1e-6)
    root = np.hypot(1e4, 3e6)
    want = np.exp(-1e8 / (root + 3e6) + 1e4 * np.arcsinh(1e4 / 3e6))
    want *= np.sqrt(np.pi / 2 / root)
    np.testing.assert_allclose(get("kve", [1e4], [3e6 + 0j]), want, rtol=1e-6)


def test_order_is_a_name_for_jv():
    assert special.jn is special.jv


# ---- Airy functions ------------------------------------------------------------------


def airy_points():
    r, t = np.meshgrid(
        [1e-3, 0.9, 1.01, 2, 2.2, 5, 9, 13, 40], np.linspace(-3.1, 3.1, 41)
    )
    return (r * np.exp(1j * t)).ravel()


def airy(z, scaled=False):
    f = special.airye if scaled else special.airy
    return [a.get() for a in f(cp.asarray(z))]


def test_wronskian_of_airy_functions():
    for z in (airy_points().real, airy_points()):
        ai, slope, bi, bi_slope = airy(z)
        size = np.abs(ai * bi_slope) + np.abs(slope * bi)
        assert (np.abs(ai * bi_slope - slope * bi - 1 / np.pi) / size).max() < 1e-12


def test_connection_of_airy_functions():
    z = airy_points()
    turn = np.exp(2j * np.pi / 3)
    one, two, three = (airy(w)[0] for w in (z, z * turn, z / turn))
    size = np.abs(one) + np.abs(two) + np.abs(three)
    assert (np.abs(one + turn * two + three / turn) / size).max() < 1e-12
    assert (np.abs(airy(z.conj())[2] - airy(z)[2].conj()) == 0).all()


def test_scaled_airy_functions():
    z = airy_points()
    power = 2 / 3 * z * np.sqrt(z)
    for k, (got, plain) in enumerate(zip(airy(z, True), airy(z), strict=True)):
        factor = np.exp(power) if k < 2 else np.exp(-np.abs(power.real))
        np.testing.assert_allclose(got, plain * factor, rtol=1e-11)
    got = airy(np.array([-4.0 + 0j, complex(-4.0, -0.0)]), True)
    assert got[0][0] == got[0][1].conj() != got[0][1]  # the root's cut
    assert np.isnan(airy(np.array([-4.0]), True)[0])[0]
    assert airy(np.array([-4.0]), True)[2] == airy(np.array([-4.0]))[2]


def test_real_airy_functions_are_those_of_complex_numbers():
    x = np.linspace(-40, 40, 1601)
    for real, given in zip(airy(x), airy(x + 1e-200j), strict=True):
        size = np.abs(given) + 0.1 * (np.abs(x) < 1) + (x < 0) * 0.1
        assert (np.abs(real - given.real) / size).max() < 1e-12
    for got in airy(x + 0j):
        assert (got.imag == 0).all()


def test_airy_functions_of_large_numbers():
    ai, slope, bi, bi_slope = airy(np.array([np.inf, -np.inf]))
    np.testing.assert_array_equal(ai, [0, 0])
    np.testing.assert_array_equal(bi, [np.inf, 0])
    np.testing.assert_array_equal(bi_slope, [np.inf, np.nan])
    np.testing.assert_array_equal(slope, [0, np.nan])
    x = np.array([103.8, 104.0, 1e3, 1e5, -1e5, -1e7])
    ai, slope, bi, bi_slope = airy(x)
    assert bi[1] < np.inf == bi[2]
    assert ai[2] == 0
    np.testing.assert_allclose((ai * bi_slope - slope * bi)[4:], 1 / np.pi, rtol=1e-12)


def test_integrals_of_airy_functions():
    """Their slopes are the functions; the sums over all of Ai are 1/3 and 2/3."""
    x, h = np.linspace(-20, 12, 641), 1e-4
    up, down = (special.itairy(cp.asarray(x + s * h)) for s in (1, -1))
    slopes = [(a - b).get() / (2 * h) for a, b in zip(up, down, strict=True)]
    want = [airy(x)[0], airy(x)[2], airy(-x)[0], airy(-x)[2]]
    for got, expected in zip(slopes, want, strict=True):
        off = np.abs(got - expected) / (0.3 + np.abs(expected))
        assert off.max() < 1e-6
    ends = special.itairy(cp.array([0.0, np.inf, -np.inf]))
    np.testing.assert_array_equal(ends[0].get(), [0, 1 / 3, -2 / 3])
    np.testing.assert_array_equal(ends[2].get(), [0, 2 / 3, -1 / 3])
    np.testing.assert_allclose(special.itairy(1e5)[2].get(), 2 / 3, rtol=1e-3)


@pytest.mark.parametrize("name", ["ai_zeros", "bi_zeros"])
def test_zeros(name):
    got = [a.get() for a in getattr(special, name)(300)]
    want = getattr(theirs, name)(300)
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)
    k = 0 if name == "ai_zeros" else 2
    assert np.abs(airy(got[0])[k]).max() < 1e-13
    assert np.abs(airy(got[1])[k + 1]).max() < 1e-12
    assert getattr(special, name)(1)[0].shape == (1,)
    for wrong in (0, -1, 1.5, "x"):
        with pytest.raises(ValueError, match="positive integer"):
            getattr(special, name)(wrong)


# ---- derivatives ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["jvp", "yvp", "ivp", "kvp", "h1vp", "h2vp"])
def test_derivatives(name):
    ours, other = getattr(special, name), getattr(theirs, name)
    v = np.array([0, 1, 2.5, 7])[:, None]
    for z in (np.array([0.5, 3, 12]), np.array([0.5 + 1j, 3 - 4j])):
        for n in range(4):
            got = ours(cp.asarray(v), cp.asarray(z), n).get()
            np.testing.assert_allclose(got, other(v, z, n), rtol=1e-9)
    got = ours(2, 1.5)  # Python's numbers
    assert got.shape == ()
    np.testing.assert_allclose(got.get(), other(2, 1.5), rtol=1e-12)
    got = ours(cp.array([1], "i"), cp.array([1.5], "f"))
    np.testing.assert_allclose(got.get(), other(1, 1.5), rtol=1e-5)
    with pytest.raises(ValueError, match="non-negative integer"):
        ours(1, 1.0, -1)
    with pytest.raises(TypeError, match="non-negative integer"):
        ours(1, 1.0, 1.5)
