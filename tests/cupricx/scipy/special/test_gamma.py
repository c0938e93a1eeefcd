"""The gamma function's relatives: poles, borders, identities, inverses round trip."""

import mpmath as mp
import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import special

RNG = np.random.default_rng(11)


def call(name, *arguments):
    arrays = [cp.asarray(np.asarray(a)) for a in arguments]
    return getattr(special, name)(*arrays).get()


def relative(got, want):
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.abs(got - want) / np.abs(want)


# ---- the incomplete gamma functions ------------------------------------------------


def incomplete(a, x, upper):
    """By the series of P or the continued fraction of Q, whichever converges sooner."""
    with mp.workdps(60):
        a, x = mp.mpf(a), mp.mpf(x)
        term = mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))
        if x < a + 1:
            sum_, part, n = mp.mpf(1), mp.mpf(1), a
            while part > sum_ * mp.mpf(10) ** -50:
                n += 1
                part *= x / n
                sum_ += part
            return 1 - term * sum_ if upper else term * sum_
        if x < 60:
            q = mp.gammainc(a, x, mp.inf, regularized=True)
            return q if upper else 1 - q
        b, d = x + 1 - a, 1 / (x + 1 - a)
        c, h = mp.inf, d
        for i in range(1, 100000):
            numerator = -i * (i - a)
            b += 2
            d, c = 1 / (numerator * d + b), b + numerator / c
            h *= c * d
            if abs(c * d - 1) < mp.mpf(10) ** -45:
                break
        return term * a * h if upper else 1 - term * a * h


def points_of_incomplete():
    a = 10 ** RNG.uniform(-3, 3, 60)
    x = a * 10 ** RNG.uniform(-1, 1, 60)
    near = 10 ** RNG.uniform(1.2, 6, 40)
    small = 10 ** RNG.uniform(-10, 0, 30)
    return (
        np.concatenate([a, near, small]),
        np.concatenate(
            [
                x,
                near * (1 + RNG.normal(0, 5, 40) / np.sqrt(near)).clip(0.1),
                10 ** RNG.uniform(-5, 1.5, 30),
            ]
        ),
    )


@pytest.mark.parametrize("name", ["gammainc", "gammaincc"])
def test_incomplete_gamma_beside_the_exact(name):
    """To what the condition allows: beside x = a the result hangs on the last digit of
    x, the more the larger a is. SciPy's loses six digits where a is some 500,000."""
    a, x = points_of_incomplete()
    exact = [incomplete(p, q, name == "gammaincc") for p, q in zip(a, x, strict=True)]
    want = np.array([float(v) for v in exact])
    slope = [
        float(mp.exp(mp.mpf(p) * mp.log(q) - q - mp.loggamma(p)) / v)
        for p, q, v in zip(a, x, exact, strict=True)
    ]
    error = relative(call(name, a, x), want)
    assert (error < 2e-14 + 1e-15 * np.array(slope))[want > 1e-290].all()
    single = call(name, a.astype("f"), x.astype("f"))
    same = call(name, a.astype("f").astype("d"), x.astype("f").astype("d"))
    np.testing.assert_array_equal(single, same.astype("f"))


def test_incomplete_gamma_at_the_borders():
    inf, nan = np.inf, np.nan
    for a, x, p in (
        (0, 1, 1),
        (1, 0, 0),
        (0, 0, nan),
        (inf, 1, 0),
        (1, inf, 1),
        (inf, inf, nan),
        (-1, 1, nan),
        (1, -1, nan),
        (nan, 1, nan),
        (1, nan, nan),
        (5, 1e-320, 0),
        (1, 1e-320, 1e-320),
        (1e300, 1e299, 0),
        (1e300, 1.1e300, 1),
        (1e-320, 1, 1),
    ):
        assert np.isclose(call("gammainc", a, x), p, rtol=0, atol=0, equal_nan=True)
        q = call("gammaincc", a, x)
        assert np.isclose(q, 1 - p, rtol=0, atol=1e-300, equal_nan=True)


@pytest.mark.parametrize("name", ["gammaincinv", "gammainccinv"])
def test_inverses_converge_everywhere(name):
    """For a from 1e-10 to 1e10, and p down to subnormal numbers and up to next to 1;
    the residual is that of the last digits of x."""
    n = 4000
    a = 10 ** RNG.uniform(-10, 10, n)
    p = np.concatenate(
        [
            RNG.random(n // 2),
            10 ** RNG.uniform(-323, 0, n // 4),
            1 - 10 ** RNG.uniform(-16, -1, n // 4),
        ]
    )
    x = call(name, a, p)
    assert np.isfinite(x).all()
    lower = (name == "gammaincinv") == (p < 0.5)
    back = np.where(lower, call("gammainc", a, x), call("gammaincc", a, x))
    want = np.where(p < 0.5, p, 1 - p)
    ordinary = (x > 1e-300) & (want > 1e-300)
    assert ordinary.sum() > n / 2
    # a unit in the last place of x changes the value by |a - x| + sqrt(a) of its own
    allowed = 1e-13 + 1e-15 * (np.abs(a - x) + np.sqrt(a))
    assert (relative(back, want) < allowed)[ordinary].all()
    ends = call(name, [2.0, 2, 0, 1e300, -1, 2, 2], [0, 1, 0.5, 1e-320, 0.5, -0.1, 1.1])
    first, last = (0, np.inf) if name == "gammaincinv" else (np.inf, 0)
    np.testing.assert_array_equal(ends, [first, last, np.nan, 1e300] + [np.nan] * 3)


def test_distributions_of_gamma():
    k, m = np.arange(6.0), np.array([0.0, 0.5, 1, 3, 10, 200])[:, None]
    with mp.workdps(40):
        want = [
            [float(mp.exp(-v) * sum(v**j / mp.factorial(j) for j in range(n + 1)))
             for n in range(6)]
            for v in map(mp.mpf, m[:, 0])
        ]  # fmt: skip
    np.testing.assert_allclose(call("pdtr", k, m), want, rtol=1e-13)
    np.testing.assert_allclose(call("pdtr", k + 0.7, m), want, rtol=1e-13)
    np.testing.assert_allclose(call("pdtrc", k, m), 1 - np.array(want), atol=1e-15)
    y = np.array([0.01, 0.5, 0.99])[:, None]
    np.testing.assert_allclose(
        call("pdtr", k, call("pdtri", k, y)), y + 0 * k, rtol=1e-13
    )
    v = np.array([1.0, 2, 5, 100])
    np.testing.assert_allclose(
        call("chdtrc", v, call("chdtri", v, y)), y + 0 * v, 1e-12
    )
    np.testing.assert_allclose(call("chdtr", 2, v), -np.expm1(-v / 2), rtol=1e-14)
    np.testing.assert_allclose(call("gdtr", 2, 1, v), -np.expm1(-2 * v), rtol=1e-14)
    np.testing.assert_allclose(call("gdtrc", 2, 1, v), np.exp(-2 * v), rtol=1e-13)
    for name, arguments in (
        ("pdtr", (-1, 2)),
        ("pdtr", (1, -2)),
        ("pdtri", (2, 1)),
        ("gdtr", (-1, 2, 1)),
        ("gdtr", (-1, 2, -1)),
        ("gdtrc", (1, 2, -1)),
        ("chdtr", (2, -1)),
    ):
        assert np.isnan(call(name, *arguments)), name


# ---- of one number -----------------------------------------------------------------


def test_reciprocal_of_gamma():
    """Where gamma overflows, too, and beside its poles."""
    x = np.concatenate(
        [
            RNG.uniform(-182, 179, 400),
            -np.arange(1.0, 171) + 10 ** -RNG.uniform(1, 12, 170),
        ]
    )
    want = np.array([float(mp.rgamma(v)) for v in x])
    got, normal = call("rgamma", x), np.abs(want) > 1e-307
    assert relative(got, want)[normal & np.isfinite(want)].max() < 1e-15
    assert np.abs(got[~normal] - want[~normal]).max() <= 2e-323
    np.testing.assert_array_equal(np.isinf(got), np.isinf(want))
    edges = [0.0, -0.0, 1e-320, -1e-320, -3, 300, np.inf, -np.inf, np.nan, -300.5]
    got = call("rgamma", edges)
    np.testing.assert_array_equal(
        got, [0, -0.0, 1e-320, -1e-320, 0, 0, 0, 0, np.nan, -np.inf]
    )
    assert np.signbit(got[1])


def test_sign_of_gamma():
    x = np.concatenate([RNG.uniform(-300, 20, 300), [0.0, -0.0, np.inf]])
    want = np.sign([float(mp.rgamma(v)) or 1 for v in x[:300]] + [1, -1, 1])
    np.testing.assert_array_equal(call("gammasgn", x), want)
    assert np.isnan(call("gammasgn", [-1.0, -2, -np.inf, np.nan])).all()
