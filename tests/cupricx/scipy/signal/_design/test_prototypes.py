"""Analog prototypes against scipy.signal, and against what they are to be."""

import math

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours
from cupricx.scipy.signal._design._elliptic import (
    complete,
    incomplete_sc,
    jacobi,
    modulus_of_degree,
)

from .comparing import agree, same_error

theirs = pytest.importorskip("scipy.signal")
special = pytest.importorskip("scipy.special")

ORDERS = [1, 2, 3, 4, 5, 8, 9, 13, 20, 25]


def gain(zpk, w):
    """In dB, at frequencies in rad/s."""
    z, p, k = (v.get() if isinstance(v, cp.ndarray) else v for v in zpk)
    s = 1j * np.atleast_1d(np.asarray(w, float))[:, None]
    h = np.log(np.abs(s - z)).sum(1) - np.log(np.abs(s - p)).sum(1) + math.log(k)
    return 20 / math.log(10) * h


@pytest.mark.parametrize("N", [0, *ORDERS, 3.0, np.int64(4)])
def test_buttap(N):
    agree(ours.buttap(N), theirs.buttap(N))


@pytest.mark.parametrize("N", [0, *ORDERS])
@pytest.mark.parametrize("ripple", [0.01, 0.5, 3, 40])
def test_chebyshev(N, ripple):
    agree(ours.cheb1ap(N, ripple), theirs.cheb1ap(N, ripple))
    agree(ours.cheb2ap(N, ripple), theirs.cheb2ap(N, ripple))


# Ripples, and orders up to which the transition is wider than rounding errors.
RIPPLES = [(0.5, 60, 25), (1, 20, 9), (0.01, 120, 40), (3, 5, 4)]
ELLIPTIC = [(N, rp, rs) for rp, rs, most in RIPPLES for N in ORDERS if 1 < N <= most]


@pytest.mark.parametrize(("N", "rp", "rs"), ELLIPTIC)
def test_ellipap(N, rp, rs):
    agree(ours.ellipap(N, rp, rs), theirs.ellipap(N, rp, rs), 1e-11)


@pytest.mark.parametrize(("N", "rp", "rs"), [(60, 0.5, 60), (25, 1, 20), (20, 3, 5)])
def test_ellipap_of_a_transition_without_width(N, rp, rs):
    z, p, k = ours.ellipap(N, rp, rs)
    assert np.all(np.isfinite(z.get()))
    assert np.all(p.get().real < 0)
    assert 0 < k < 1


@pytest.mark.parametrize(("N", "rp", "rs"), [*ELLIPTIC, (1, 0.5, 60), (40, 0.01, 120)])
def test_ellipap_is_equiripple(N, rp, rs):
    """The loss is `rp` at the edge and nowhere more below, `rs` somewhere above and
    nowhere less."""
    z, p, k = ours.ellipap(N, rp, rs)
    assert z.size == N // 2 * 2
    assert p.size == N
    assert gain((z, p, k), 1)[0] == pytest.approx(-rp, rel=1e-6)
    below = gain((z, p, k), np.linspace(0, 1, 3001))
    assert below.min() >= -rp * (1 + 1e-6)
    assert below.max() <= 1e-9
    if N % 2:
        assert below[0] == pytest.approx(0, abs=1e-9)
    else:
        assert below[0] == pytest.approx(-rp, rel=1e-6)
        assert gain((z, p, k), 1e12)[0] == pytest.approx(-rs, rel=1e-6)
    if N > 1:
        edge = float(np.abs(z.get()).min())
        beyond = gain((z, p, k), np.geomspace(edge, 1e3 * edge, 3000) * (1 + 1e-9))
        assert beyond.max() <= -rs + 1e-6


def test_ellipap_of_order_one_is_an_array():
    z, p, k = ours.ellipap(1, 1, 20)
    assert z.shape == (0,)
    assert p.shape == (1,)
    assert float(p[0].real) == pytest.approx(-k)
    assert k == pytest.approx(theirs.ellipap(1, 1, 20)[2])
    agree(ours.ellipap(0, 1, 20), theirs.ellipap(0, 1, 20))


@pytest.mark.parametrize("N", [0, *ORDERS])
@pytest.mark.parametrize("norm", ["phase", "delay", "mag"])
def test_besselap(N, norm):
    agree(ours.besselap(N, norm), theirs.besselap(N, norm), 1e-12)


@pytest.mark.parametrize("N", [1, 2, 9, 26, 40, 64])
def test_bessel_poles_are_zeros_of_the_polynomial(N):
    """In exact arithmetic: each is as near a zero as a float64 can be."""
    fractions = pytest.importorskip("fractions")
    c = [
        math.factorial(2 * N - k)
        // (2 ** (N - k) * math.factorial(k) * math.factorial(N - k))
        for k in range(N + 1)
    ]
    p = ours.besselap(N, "delay")[1].get()
    assert np.array_equal(p, p[::-1].conj())
    for root in p[: (N + 1) // 2]:
        x, y = (fractions.Fraction(float(v)) for v in (root.real, root.imag))
        re, im, dre, dim = 0, 0, 0, 0
        for a in reversed(c):
            dre, dim = dre * x - dim * y + re, dre * y + dim * x + im
            re, im = re * x - im * y + a, re * y + im * x
        step = (re * re + im * im) / (dre * dre + dim * dim)
        assert math.sqrt(step) <= 3e-16 * abs(root)


@pytest.mark.parametrize("N", [1, 2, 3, 8, 25, 50])
def test_bessel_norms(N):
    assert gain(ours.besselap(N, "mag"), 1)[0] == pytest.approx(-10 * math.log10(2))
    z, p, k = ours.besselap(N, "delay")
    assert float((1 / p.get()).sum().real) == pytest.approx(-1)
    high = gain(ours.besselap(N, "phase"), 1e6)[0]
    assert high == pytest.approx(-120 * N, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        *(("buttap", (-1,)), ("buttap", (2.5,)), ("buttap", ("a",))),
        *(("cheb1ap", (2, 0)), ("cheb1ap", (2, -1)), ("cheb1ap", (-2, 1))),
        *(("cheb2ap", (2, 0)), ("cheb2ap", (2.5, 1)), ("ellipap", (3, 0, 1))),
        *(("ellipap", (3, -1, 3)), ("besselap", (2, "x")), ("besselap", (-1,))),
    ],
)
def test_refusals(name, args):
    assert same_error(getattr(ours, name), getattr(theirs, name), *args)


@pytest.mark.parametrize(("rp", "rs"), [(3, 1), (1, 1), (1, 0), (1, -1), (1, 4000)])
def test_ellipap_without_a_transition(rp, rs):
    with pytest.raises(ValueError, match="rp = .* rs = "):
        ours.ellipap(3, rp, rs)


def test_where_results_are():
    device = cp.cuda.runtime.getDeviceCount() - 1
    assert ours.buttap(3, xp=cp, device=device)[1].device.id == device
    assert ours.cheb1ap(3, 1, device=device)[1].device.id == device
    with pytest.raises(ValueError, match="xp must be None or cupric"):
        ours.buttap(3, xp=np)


# ---- elliptic functions --------------------------------------------------------------


@pytest.mark.parametrize("m", [1e-12, 0.1, 0.5, 0.9, 1 - 1e-9])
def test_elliptic_functions(m):
    k, complement = math.sqrt(m), math.sqrt(1 - m)
    assert complete(complement) == pytest.approx(special.ellipkm1(1 - m), rel=1e-14)
    u = np.linspace(0, 1, 9) * complete(complement)
    for made, expected in zip(
        jacobi(u, k, complement), special.ellipj(u, m), strict=False
    ):
        np.testing.assert_allclose(made, expected, rtol=1e-8, atol=1e-14)
    for x in (1e-3, 1.0, 30.0):
        expected = special.ellipkinc(math.atan(x), m)
        assert incomplete_sc(x, complement) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 7, 40])
@pytest.mark.parametrize("k1", [1e-9, 0.01, 0.7, 0.999])
def test_degree_equation(n, k1):
    complement1 = math.sqrt((1 - k1) * (1 + k1))
    k, complement = modulus_of_degree(n, k1, complement1)
    assert math.hypot(k, complement) == pytest.approx(1, rel=1e-14)
    ratio = complete(k) / complete(complement)
    expected = complete(k1) / complete(complement1) / n
    assert ratio == pytest.approx(expected, rel=1e-12)
