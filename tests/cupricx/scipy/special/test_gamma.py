"""The gamma function's relatives: poles, borders, identities, inverses round trip."""

import mpmath as mp
import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import special

from .exact.gamma import hurwitz, incomplete

RNG = np.random.default_rng(11)


@pytest.fixture(autouse=True)
def digits():
    """Of what is exact: mpmath's own are as few as a double has."""
    with mp.workdps(40):
        yield


def call(name, *arguments):
    arrays = [cp.asarray(np.asarray(a)) for a in arguments]
    return getattr(special, name)(*arrays).get()


def relative(got, want):
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.abs(got - want) / np.abs(want)


# ---- the incomplete gamma functions ------------------------------------------------


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


# ---- of complex numbers --------------------------------------------------------------


def plane():
    """Over the plane, beside the poles, the zeros and the branch cut."""
    turn = np.exp(2j * np.pi * RNG.random(40))
    points = [RNG.uniform(-12, 12, 150) + 1j * RNG.uniform(-12, 12, 150)]
    points += [c + 10 ** RNG.uniform(-8, 0, 40) * turn for c in (0, 1, 2, -1, -7)]
    cut = -RNG.uniform(0, 60, 40) + 1j * 10 ** RNG.uniform(-12, 0, 40)
    return np.concatenate([*points, cut, np.conj(cut), 100 * turn])


@pytest.mark.parametrize(
    ("name", "exact", "bound"),
    [
        ("loggamma", mp.loggamma, 2e-14),
        ("psi", mp.digamma, 4e-14),
        ("gamma", mp.gamma, 2e-13),
        ("rgamma", mp.rgamma, 2e-13),
    ],
)
def test_complex_numbers(name, exact, bound):
    z = plane()
    want = np.array([complex(exact(mp.mpc(v))) for v in z])
    got = call(name, z)
    ordinary = (np.abs(want) < 1e300) & (np.abs(want) > 1e-300)
    assert relative(got, want)[ordinary].max() < bound
    single = call(name, z.astype("F"))
    assert single.dtype == np.complex64
    with np.errstate(over="ignore"):
        same = call(name, z.astype("F").astype("D")).astype("F")
    np.testing.assert_array_equal(single, same)


def test_complex_numbers_on_the_real_line():
    """The sign of the zero says on which side of the branch cut a number is."""
    x = np.array([-0.5, -1.5, -3.25, 0.5, 3, 20])
    for sign in (0.0, -0.0):
        z = x + 0j
        z.imag = sign
        got = call("loggamma", z)
        np.testing.assert_array_equal(got.real, call("gammaln", x))
        turns = np.where(x < 0, np.floor(x), 0)
        np.testing.assert_allclose(got.imag, np.copysign(np.pi, sign) * turns, 1e-15)
        for name in ("gamma", "rgamma", "psi"):
            np.testing.assert_array_equal(call(name, z).real, call(name, x))
            np.testing.assert_array_equal(call(name, z).imag, 0)
    poles = np.array([0, -1, -2, -30 + 0j])
    for name in ("loggamma", "gamma", "psi"):
        assert np.isnan(call(name, poles)).all(), name
    np.testing.assert_array_equal(call("rgamma", poles), 0)


def test_loggamma_of_real_numbers():
    x = np.array([0.5, 3, 1e10, 0, np.inf])
    np.testing.assert_array_equal(call("loggamma", x), call("gammaln", x))
    assert np.isnan(call("loggamma", [-0.5, -1, -np.inf, np.nan])).all()


# ---- zeta functions ------------------------------------------------------------------


def test_riemann_zeta():
    x = np.concatenate(
        [
            RNG.uniform(-3, 3, 200),
            RNG.uniform(-255, 60, 200),
            1 + 10 ** RNG.uniform(-12, 0, 30) * np.where(RNG.random(30) < 0.5, 1, -1),
        ]
    )
    want = np.array([float(mp.zeta(v)) for v in x])
    got = special.zeta(cp.asarray(x)).get()
    assert relative(got, want).max() < 2e-15
    for point, value in (
        (1.0, np.inf),
        (0.0, -0.5),
        (-2.0, 0),
        (-1e10, 0),
        (np.inf, 1),
        (-np.inf, np.nan),
        (np.nan, np.nan),
        (2, np.pi**2 / 6),
    ):
        found = float(special.zeta(point))
        assert np.isclose(found, value, rtol=4e-16, atol=0, equal_nan=True), point
        if point != 2:
            assert np.isclose(
                call("zetac", float(point)), value - 1, rtol=4e-16, equal_nan=True
            )
    # what is left of 1 + 2**-x
    np.testing.assert_allclose(call("zetac", [60.0, 200, 1000]),
                               [float(mp.zeta(60) - 1), 2.0**-200, 2.0**-1000],
                               rtol=1e-15)  # fmt: skip


def test_hurwitz_zeta():
    n = 150
    x = np.concatenate([RNG.uniform(1.001, 12, n), 10 ** RNG.uniform(0.01, 2.5, n)])
    q = 10 ** RNG.uniform(-3, 4, 2 * n)
    want = np.array([float(hurwitz(a, b)) for a, b in zip(x, q, strict=True)])
    got = special.zeta(cp.asarray(x), cp.asarray(q)).get()
    ok = np.isfinite(want) & (want > 1e-300)
    assert relative(got, want)[ok].max() < 1e-13
    # left of 0 for whole x, however far
    x, q = np.floor(RNG.uniform(2, 9, 40)), -RNG.uniform(0, 40, 40)
    want = []
    for a, b in zip(x, q, strict=True):
        first = sum((mp.mpf(b) + k) ** -int(a) for k in range(60))
        want.append(float(first + hurwitz(a, mp.mpf(b) + 60)))
    got = special.zeta(cp.asarray(x), cp.asarray(q)).get()
    assert relative(got, np.array(want)).max() < 1e-13
    far = float(special.zeta(2.0, -1e9 - 0.5))
    assert np.isclose(far, np.pi**2 - 1e-9, rtol=1e-14)
    for a, b, value in (
        (1, 2, np.inf),
        (0.5, 2, np.nan),
        (3, 0, np.inf),
        (3, -2, np.inf),
        (2.5, -0.5, np.nan),
        (np.inf, 1, 1),
        (np.inf, 2, 0),
        (2, np.inf, 0),
        (2, 1e300, 1e-300),
        (np.nan, 1, np.nan),
    ):
        got = float(special.zeta(float(a), float(b)))
        assert np.isclose(got, value, rtol=1e-14, atol=0, equal_nan=True), (a, b)


def test_zeta_of_complex_exponents():
    z = np.concatenate(
        [
            RNG.uniform(-20, 20, 60) + 1j * RNG.uniform(-40, 40, 60),
            0.5 + 1j * RNG.uniform(100, 500, 5),
            [14.134725141734693j + 0.5, -2 + 1e-10j, 1 + 1e-5j, -15 + 100j],
        ]
    )
    want = np.array([complex(mp.zeta(mp.mpc(v))) for v in z])
    got = special.zeta(cp.asarray(z)).get()
    assert (np.abs(got - want) < 2e-13 * np.abs(want) + 1e-14).all()
    q = RNG.uniform(0.1, 10, 20)
    z = RNG.uniform(1.1, 10, 20) + 1j * RNG.uniform(-20, 20, 20)
    pairs = zip(z, q, strict=True)
    want = np.array([complex(mp.zeta(mp.mpc(a), mp.mpf(b))) for a, b in pairs])
    got = special.zeta(cp.asarray(z), cp.asarray(q)).get()
    assert relative(got, want).max() < 1e-13
    assert np.isnan(special.zeta(cp.asarray(2 + 1e7j)).get())


def test_zeta_of_out_and_dtypes():
    out = cp.empty(3)
    assert special.zeta(cp.arange(2.0, 5), out=out) is out
    assert special.zeta(cp.arange(2.0, 5, dtype="f"), 2).dtype == np.float32
    assert special.zeta(2).dtype == np.float64


def test_polygamma():
    x = np.array([0.25, 1, 2.5, 30, -1.5, -30.75])
    for n in (0, 1, 2, 3, 10):
        want = [float(mp.polygamma(n, v)) for v in x]
        np.testing.assert_allclose(
            special.polygamma(n, cp.asarray(x)).get(), want, rtol=1e-13
        )
    n = cp.arange(4)[:, None]
    got = special.polygamma(n, cp.asarray(x)).get()
    for k in range(4):
        np.testing.assert_allclose(
            got[k], special.polygamma(k, cp.asarray(x)).get(), 1e-15
        )
    assert special.polygamma(1, cp.ones(2, "i")).dtype == np.float64
    assert np.isnan(special.polygamma(-1, 2.0).get())


def test_multigammaln():
    a = np.array([2.5, 3, 10, 100.25])
    for d in (1, 2, 5):
        want = [
            float(
                mp.log(mp.pi) * d * (d - 1) / 4
                + sum(mp.loggamma(v - mp.mpf(j) / 2) for j in range(d))
            )
            for v in a
        ]
        np.testing.assert_allclose(
            special.multigammaln(cp.asarray(a), d).get(), want, rtol=1e-14
        )
    for d in (0, 2.5, [2]):
        with pytest.raises(ValueError, match="positive integer"):
            special.multigammaln(cp.asarray(a), d)
    with pytest.raises(ValueError, match="condition a"):
        special.multigammaln(cp.asarray([1.0]), 3)


def test_bernoulli_and_euler():
    """Each the nearest double; what overflows is infinite with its sign."""
    got = special.bernoulli(270).get()
    want = [float(mp.bernoulli(k)) for k in range(260)]
    want[1] = -0.5
    np.testing.assert_array_equal(got[:260], want)
    np.testing.assert_array_equal(got[260:264], [-np.inf, 0, np.inf, 0])
    got = special.euler(190).get()
    np.testing.assert_array_equal(
        got[:188], [float(mp.eulernum(k)) for k in range(188)]
    )
    np.testing.assert_array_equal(got[188:], [np.inf, 0, -np.inf])
    for f in (special.bernoulli, special.euler):
        assert f(0).shape == (1,)
        assert f(2.0).shape == (3,)
        for n in (-1, 2.5):
            with pytest.raises(ValueError, match="non-negative integer"):
                f(n)


# ---- Pochhammer's symbol, inverses in a parameter ------------------------------------


def test_poch():
    a = np.concatenate([RNG.uniform(-30, 30, 200), 10 ** RNG.uniform(0, 12, 200)])
    m = np.concatenate([RNG.uniform(-20, 20, 200), RNG.uniform(-5, 5, 200)])
    p = [mp.mpf(v) for v in a]
    want = np.array(
        [float(mp.gammaprod([v + mp.mpf(w)], [v])) for v, w in zip(p, m, strict=True)]
    )
    slope = [
        float(abs(v * (mp.digamma(v + w) - mp.digamma(v))) + abs(w * mp.digamma(v + w)))
        for v, w in zip(p, m, strict=True)
    ]
    assert (relative(call("poch", a, m), want) < 2e-15 + 1e-15 * np.array(slope)).all()
    for x, y, value in (
        (-5, 3, -60),
        (-2, 2, 2),
        (-2, 3, 0),
        (-2, -2, 1 / 12),
        (0, 0, 1),
        (0.5, -0.5, np.inf),
        (1, -1, np.inf),
        (0, 1, 0),
        (0, -1, -1),
        (2, -4.5, -0.9453087204829418),
        (-170.5, 2, 28899.75),
        (5, 200, np.inf),
        (1e300, 1, 1e300),
        (np.nan, 1, np.nan),
        (1, np.nan, np.nan),
    ):
        got = call("poch", float(x), float(y))
        assert np.isclose(got, value, rtol=1e-13, atol=0, equal_nan=True), (x, y)


def test_inverses_in_a_parameter():
    """For every shape that the probability leaves; p from 1e-300 to next to 1."""
    n = 2000
    x = 10 ** RNG.uniform(-8, 8, n)
    p = np.concatenate(
        [
            RNG.random(n // 2),
            10 ** RNG.uniform(-300, 0, n // 4),
            1 - 10 ** RNG.uniform(-15, -1, n // 4),
        ]
    )

    def holds(shape, x, p, low, high):
        is_low = p < 0.5
        got = np.where(is_low, call(low, shape, x), call(high, shape, x))
        want = np.where(is_low, p, 1 - p)
        moved = np.abs(np.log(shape / x)) * shape + np.sqrt(shape)
        allowed = 1e-13 + 3e-15 * (moved + np.abs(shape - x))
        assert (relative(got, want) < allowed)[shape > 1e-300].all()

    holds(call("gdtrib", 1.0, p, x), x, p, "gammainc", "gammaincc")
    holds(call("chdtriv", p, 2 * x) / 2, x, p, "gammainc", "gammaincc")
    k = call("pdtrik", p, x)
    there = k > 0
    assert (k >= 0).all()
    np.testing.assert_array_equal(k == 0, p <= call("pdtr", 0, x))
    holds(k[there] + 1, x[there], p[there], "gammaincc", "gammainc")
    b = RNG.uniform(0.1, 50, n)
    np.testing.assert_array_equal(
        call("gdtrix", 2, b, p), call("gammaincinv", b, p) / 2
    )
    np.testing.assert_array_equal(
        call("gdtria", p, b, 4), call("gammaincinv", b, p) / 4
    )
    for name, arguments, value in (
        ("gdtrib", (2, 0, 3), np.inf),
        ("gdtrib", (2, 1, 3), 0),
        ("gdtrib", (-1, 0.5, 3), np.nan),
        ("gdtrib", (2, 1.1, 3), np.nan),
        ("chdtriv", (0.3, -1), np.nan),
        ("pdtrik", (1, 2), np.nan),
        ("pdtrik", (0, 2), 0),
        ("gdtria", (0.3, -1, 2), np.nan),
        ("gdtrix", (1, 2, 1.5), np.nan),
    ):
        got = call(name, *map(float, arguments))
        np.testing.assert_array_equal(got, value, err_msg=name)
