"""Hypergeometric functions: poles, polynomials, transformations, limits, edges."""

import mpmath as mp
import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import special

INF, NAN = np.inf, np.nan


def host(f, *args):
    with np.errstate(all="ignore"):
        return f(*[cp.asarray(a) for a in args]).get()


def close(got, want, rtol=1e-13, atol=0.0):
    np.testing.assert_allclose(got, want, rtol=rtol, atol=atol)


def exact(f, *args):
    """By mpmath, of arrays."""
    found = [
        complex(f(*[mp.mpmathify(complex(x)) for x in point]))
        for point in np.broadcast(*args)
    ]
    return np.array(found).reshape(np.broadcast(*args).shape)


# ---- 0F1 -----------------------------------------------------------------------------


def test_0f1_is_elementary():
    x = np.concatenate([np.linspace(0, 30, 200), np.linspace(31, 600, 50)])
    close(host(special.hyp0f1, 0.5, x * x / 4), np.cosh(x))
    close(host(special.hyp0f1, 0.5, -x * x / 4), np.cos(x), rtol=0, atol=2e-13)
    close(host(special.hyp0f1, 1.5, x[1:] ** 2 / 4), np.sinh(x[1:]) / x[1:])


def test_0f1_at_the_edges():
    b = np.array([0, -1, -2, NAN, 1, 1, 1, 1, INF])
    z = np.array([1, 1, 0, 1, 0, INF, NAN, -INF, 1])
    want = [NAN, NAN, NAN, NAN, 1, INF, NAN, NAN, 1]
    np.testing.assert_array_equal(host(special.hyp0f1, b, z), want)


def test_0f1_of_large_parameters():
    """Where Bessel functions pass from powers to waves."""
    b = np.array([50.0, 120, 300, 80, 40.3])
    z = np.array([-2000.0, -9000, -5e4, 3e4, -52564.4])
    close(host(special.hyp0f1, b, z), exact(mp.hyp0f1, b, z).real, rtol=2e-12)


# ---- 1F1 -----------------------------------------------------------------------------


def test_1f1_where_a_denominator_is_0():
    """Unless the numerator ends the sum before."""
    a = np.array([1, 0.5, -1, -2, -2, -3, 0.0])
    b = np.array([0, -1, -1, -2, -3, -2, 0.0])
    want = [INF, INF, 0.5, 0.625, 0.7083333333333333, INF, INF]
    close(host(special.hyp1f1, a, b, -0.5), want)


@pytest.mark.parametrize("b", [0.3, 1, 2.5, 30])
def test_1f1_is_elementary(b):
    x = np.concatenate([np.linspace(-700, -50, 50), np.linspace(-40, 40, 161)])
    close(host(special.hyp1f1, b, b, x), np.exp(x))
    close(host(special.hyp1f1, 0, b, x), np.ones_like(x))
    close(host(special.hyp1f1, -1, b, x), 1 - x / b, atol=1e-15)
    x = x[x != 0]
    close(host(special.hyp1f1, 1, 2, x), np.expm1(x) / x)


def test_1f1_in_the_complex_plane():
    """By Kummer's transformation, where SciPy's may have no right digit."""
    rng = np.random.default_rng(2)
    a, b = rng.uniform(0.1, 5, (2, 40))
    z = rng.uniform(-30, 30, 40) + 1j * rng.uniform(-30, 30, 40)
    close(host(special.hyp1f1, a, b, z), exact(mp.hyp1f1, a, b, z), rtol=1e-12)


def test_1f1_far_away():
    x = np.array([800.0, -800, 1e5, -1e5, INF, -INF, NAN])
    want = [INF, 0.0012515644555694618, INF, 1.0000050001e-5, INF, 0, NAN]
    got = host(special.hyp1f1, 1, 2, x)
    close(got[[0, 2, 4, 5, 6]], np.array(want)[[0, 2, 4, 5, 6]])
    close(got[[1, 3]], [1 / 800, 1e-5])
    assert np.isinf(host(special.hyp1f1, [-1, -2, -2.5], 0.5, INF)).all()


# ---- U -------------------------------------------------------------------------------


def test_u_at_the_edges():
    x = np.array([-1.0, NAN, INF, 0, 0, 0])
    b = np.array([0.5, 0.5, 0.5, 0.5, 1, 2.5])
    want = [NAN, NAN, 0, 1.7724538509055159, INF, INF]
    close(host(special.hyperu, 1.5, b, x), want)
    np.testing.assert_array_equal(host(special.hyperu, 0, b, 2.0), np.ones(6))


def test_u_is_elementary():
    """U(a, a + 1, x) = x**-a, and for a pole a polynomial."""
    x = np.logspace(-3, 3, 61)
    for a in (0.3, 1, 7.5, 40):
        close(host(special.hyperu, a, a + 1, x), x**-a)
        close(host(special.hyperu, -1, a, x), x - a, atol=1e-14)
    close(
        host(special.hyperu, 0.5, 0.5, x[x < 20]),
        exact(
            lambda v: mp.sqrt(mp.pi) * mp.exp(v) * mp.erfc(mp.sqrt(v)), x[x < 20]
        ).real,
    )


def test_u_by_kummers_transformation():
    rng = np.random.default_rng(3)
    a, x = rng.uniform(0.5, 20, 200), 10 ** rng.uniform(-2, 2, 200)
    b = rng.uniform(-10, 10, 200)
    other = x ** (1 - b) * host(special.hyperu, a - b + 1, 2 - b, x)
    close(host(special.hyperu, a, b, x), other, rtol=3e-13)


# ---- 2F1 -----------------------------------------------------------------------------


def test_2f1_is_elementary():
    x = np.concatenate([-np.logspace(-3, 12, 61), np.linspace(0.001, 0.999, 99)])
    close(host(special.hyp2f1, 1, 1, 2, x), -np.log1p(-x) / x)
    close(host(special.hyp2f1, 0.7, 3, 3, x), (1 - x) ** -0.7)
    x = np.linspace(0.001, 0.9999, 50)
    close(host(special.hyp2f1, 0.5, 0.5, 1.5, x * x), np.arcsin(x) / x)
    close(host(special.hyp2f1, 0.5, 0.5, 1, x) * np.pi / 2, host(special.ellipk, x))
    close(host(special.hyp2f1, 0.5, 1, 1.5, -(x**2)), np.arctan(x) / x)


def test_2f1_beside_1():
    """To the last digits of 1 - x, whole c - a - b and what is near it included."""
    x = 1 - np.logspace(-14, -1, 27)
    for a, b, c in [
        (0.5, 1.5, 2),
        (1, 2, 5),
        (2, 3, 2.5),
        (1.25, 2.75, 1),
        (1, 1, 2.0105),
        (2.08, 1.44, 1.5130005696538136),
        (0.3, 0.4, 0.7 + 1e-9),
        (3, 4, 9 - 1e-6),
    ]:
        close(
            host(special.hyp2f1, a, b, c, x), exact(mp.hyp2f1, a, b, c, x).real, 3e-13
        )


def test_2f1_at_the_edges():
    points = {
        (1, 1, 2, 1): INF,
        (1, 2, 4.5, 1): 7 / 3,
        (1, 1, 2, 2): INF,
        (1, 1, 2, NAN): NAN,
        (-2, 1, 3, 2): 1 / 3,
        (-2, 1, -1, 0.5): INF,
        (-2, 1, -3, 0.5): 17 / 12,
        (1, 1, -2, 0.5): INF,
        (0, 1, -2, 0.5): 1,
        (2, 1, 1, 3): 0.25,
        (1, 2, 0, 0): 1,
        (2.5, -1, 3, 7): -29 / 6,
        (-1, -2, -3, 1): 1 / 3,
        (2, 1, 1, 1): INF,
        (0, 1, 2, 3): 1,
        (-1, 1, 1, 5): -4,
        (1, 2, 0, 0.3): INF,
    }
    arguments = np.array([*points]).T
    close(host(special.hyp2f1, *arguments), [*points.values()])


def test_2f1_of_a_polynomial_beyond_its_denominator():
    """The sum ends at the numerator's 0; SciPy takes (1 - x)**-b of real x."""
    close(host(special.hyp2f1, -2, 1, -2, 0.5), 1.75)
    close(host(special.hyp2f1, -2, 1, -2, 0.5j), 0.75 + 0.5j)


def test_2f1_on_both_sides_of_the_cut():
    """Right of 1 the sign of 0 tells the side."""
    for z in (1.001, 1.5, 2.0, 10.0):
        above = host(special.hyp2f1, 1, 1, 2, complex(z, 0.0))
        below = host(special.hyp2f1, 1, 1, 2, complex(z, -0.0))
        want = complex(-np.log(z - 1), np.pi) / z
        close(above, want, rtol=1e-13)
        close(below, want.conjugate(), rtol=1e-13)


def test_2f1_in_the_corners():
    """Which no transformation brings nearer to 0."""
    rng = np.random.default_rng(4)
    a, b = rng.uniform(-3, 3, (2, 40))
    c = rng.uniform(0.2, 5, 40)
    corner = np.exp(1j * np.pi / 3 * rng.choice([-1, 1], 40))
    z = corner + 10 ** rng.uniform(-4, -1, 40) * np.exp(1j * rng.uniform(0, 6, 40))
    close(host(special.hyp2f1, a, b, c, z), exact(mp.hyp2f1, a, b, c, z))
    b = a + rng.integers(-2, 3, 40)
    close(host(special.hyp2f1, a, b, c, 30 * z), exact(mp.hyp2f1, a, b, c, 30 * z))


def test_2f1_of_large_parameters():
    """Where the power series has lost all digits, and SciPy's too."""
    point = (
        45.39218934705093,
        -44.76442038203135,
        20.032403659271125,
        0.9389947320572432,
    )
    close(host(special.hyp2f1, *point), -2.0230660357759248e-27, rtol=1e-12)
