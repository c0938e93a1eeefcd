"""Distributions by kernels of their own: their shapes at 10**6 draws, and the promise
that an element depends on the seed, its number and its parameters alone, everywhere.
"""

import zlib

import numpy as np
import pytest

import cupric as cp

stats = pytest.importorskip("scipy.stats")

N = 1_000_000
LEAST_P = 1e-4

# By parameters, SciPy's name of the distribution and its parameters.
CONTINUOUS = {
    "standard_gamma": [((a,), stats.gamma(a)) for a in (0.02, 0.3, 1.0, 2.5, 1e3, 1e8)],
    "gamma": [((2.5, 3.0), stats.gamma(2.5, scale=3))],
    "chisquare": [((df,), stats.chi2(df)) for df in (0.5, 3, 1e4)],
    "beta": [
        ((a, b), stats.beta(a, b))
        for a, b in ((0.5, 0.5), (0.03, 0.05), (2, 3), (1, 1), (300, 1e4), (0.2, 40))
    ],
    "f": [((m, n), stats.f(m, n)) for m, n in ((1, 2), (5, 1e3), (0.5, 3))],
    "standard_t": [((df,), stats.t(df)) for df in (0.5, 1, 3, 1e5)],
    "noncentral_chisquare": [
        ((df, nonc), stats.ncx2(df, nonc))
        for df, nonc in ((0.5, 1), (1, 30), (3, 20), (50, 0.01))
    ]
    + [((0.7, 0), stats.chi2(0.7)), ((3, 0), stats.chi2(3))],
    "noncentral_f": [
        ((m, n, nonc), stats.ncf(m, n, nonc))
        for m, n, nonc in ((3, 5, 2), (0.7, 10, 30))
    ],
    "vonmises": [((0, 0), stats.uniform(-np.pi, 2 * np.pi))]
    + [((0, kappa), stats.vonmises(kappa)) for kappa in (1e-3, 0.5, 4, 700)]
    + [((0, kappa), stats.norm(scale=kappa**-0.5)) for kappa in (1e8, 1e14)],
    "wald": [
        ((mean, scale), stats.invgauss(mean / scale, scale=scale))
        for mean, scale in ((1, 1), (1, 1e3), (1e3, 1), (1e-3, 2e-3))
    ],
}
TRANSFORMS = {
    "gumbel": [((1, 2), stats.gumbel_r(1, 2))],
    "laplace": [((1, 2), stats.laplace(1, 2))],
    "logistic": [((1, 2), stats.logistic(1, 2))],
    "lognormal": [((0.5, 2), stats.lognorm(2, scale=np.exp(0.5)))],
    "pareto": [((a,), stats.lomax(a)) for a in (0.3, 20)],
    "power": [((a,), stats.powerlaw(a)) for a in (0.3, 20)],
    "rayleigh": [((3,), stats.rayleigh(scale=3))],
    "triangular": [
        ((a, b, c), stats.triang((b - a) / (c - a), a, c - a))
        for a, b, c in ((-1, 0, 3), (2, 2, 3), (0, 1, 1))
    ],
    "weibull": [((a,), stats.weibull_min(a)) for a in (0.3, 20)],
}
CONTINUOUS.update(TRANSFORMS)
DISCRETE = {
    "binomial": [
        ((n, p), stats.binom(n, p))
        for n, p in (
            *((1, 0.2), (10, 0.5), (40, 0.3), (5, 0.999), (1000, 1e-3)),
            *((1000, 0.5), (1000, 0.97), (10**9, 0.3), (10**12, 1e-7), (10**14, 0.5)),
        )
    ],
    "poisson": [
        ((lam,), stats.poisson(lam))
        for lam in (1e-3, 0.7, 9.99, 10, 50, 1e4, 1e8, 1e12)
    ],
    "geometric": [((p,), stats.geom(p)) for p in (0.9, 0.3, 1e-3, 1e-9)],
    "negative_binomial": [
        ((n, p), stats.nbinom(n, p))
        for n, p in ((5, 0.3), (0.3, 0.01), (1e4, 0.999), (100, 0.01))
    ],
    "hypergeometric": [
        ((good, bad, n), stats.hypergeom(good + bad, good, n))
        for good, bad, n in (
            *((5, 5, 4), (100, 200, 50), (1000, 10, 500), (20, 10, 28), (3, 50, 25)),
            *((60, 900, 800), (30_000, 60_000, 20_000)),
        )
    ],
    "logseries": [((p,), stats.logser(p)) for p in (0.05, 0.9, 0.9999)],
    "zipf": [((a,), stats.zipf(a)) for a in (1.7, 2.5, 12)],
}


def cases(table):
    for name, rows in table.items():
        for i, (args, reference) in enumerate(rows):
            yield pytest.param(name, i, args, reference, id=f"{name}-{args}")


@pytest.mark.parametrize(("name", "i", "args", "reference"), cases(CONTINUOUS))
def test_shape_of_continuous(name, i, args, reference):
    """Kolmogorov's and Smirnov's distance, at 2000 of the draws."""
    x = getattr(cp.random.default_rng(i), name)(*args, size=N).get()
    x.sort()
    assert np.isfinite(x[[0, -1]]).all()
    at = x[:: N // 2000]
    below = np.searchsorted(x, at, side="right") / N
    distance = np.abs(reference.cdf(at) - below).max()
    assert stats.kstwobign.sf(distance * N**0.5) > LEAST_P
    single = getattr(cp.random.default_rng(i), name)(*args, size=1000, dtype="f")
    double = getattr(cp.random.default_rng(i), name)(*args, size=1000)
    np.testing.assert_array_equal(single.get(), double.get().astype("f"))


def edges_of(reference):
    """Ends of some 50 intervals of integers, none of which is improbable."""
    edges = np.unique(reference.ppf(np.linspace(0.001, 0.999, 50)))
    share = np.diff(reference.cdf(edges), prepend=0)
    return edges[share > 1e-4]


@pytest.mark.parametrize(("name", "i", "args", "reference"), cases(DISCRETE))
def test_shape_of_discrete(name, i, args, reference):
    """Pearson's sum over intervals of equal probability."""
    x = getattr(cp.random.default_rng(i), name)(*args, size=N).get()
    assert x.dtype == np.int64
    lowest, highest = reference.support()
    assert lowest <= x.min()
    assert x.max() <= highest
    edges = edges_of(reference)
    expected = np.diff(reference.cdf(edges), prepend=0, append=1) * N
    found = np.bincount(np.searchsorted(edges, x), minlength=len(expected))
    kept = expected > 5
    assert found[~kept].sum() <= 30
    total = ((found - expected) ** 2)[kept] / expected[kept]
    assert stats.chi2.sf(total.sum(), max(kept.sum() - 1, 1)) > LEAST_P


EXTREMES = {
    "standard_gamma": [((0,), 0), ((np.inf,), np.inf), ((np.nan,), np.nan)],
    "beta": [((1e-9, 1e3), 0), ((1e3, 1e-9), 1), ((np.nan, 1), np.nan)],
    "wald": [((np.nan, 1), np.nan), ((1, np.nan), np.nan)],
    "f": [((np.nan, 1), np.nan), ((1, np.nan), np.nan)],
    "standard_t": [((np.nan,), np.nan)],
    "binomial": [
        *(((10, 0), 0), ((10, 1), 10), ((0, 0.3), 0)),
        *(((2**63 - 1, 1), 2**63 - 1), ((2**63 - 1, 0), 0)),
    ],
    "poisson": [((0,), 0)],
    "geometric": [((1,), 1), ((1e-300,), 2**63 - 1)],
    "negative_binomial": [((3, 1), 0)],
    "hypergeometric": [
        *(((10, 0, 4), 4), ((0, 10, 4), 0), ((7, 5, 12), 7)),
        *(((7, 5, 0), 0), ((0, 0, 0), 0), ((100, 0, 50), 50)),
    ],
    "logseries": [((0,), 1)],
    "zipf": [((2000,), 1)],
    "noncentral_chisquare": [
        *(((3, np.nan), np.nan), ((1, np.inf), np.inf), ((0.5, np.inf), np.inf)),
    ],
    "vonmises": [((1, np.nan), np.nan), ((0.5, 1e300), 0.5)],
}


@pytest.mark.parametrize("name", EXTREMES)
def test_extreme_parameters(name):
    for args, value in EXTREMES[name]:
        x = getattr(cp.random.default_rng(1), name)(*args, size=300).get()
        np.testing.assert_array_equal(x, np.full(300, value, x.dtype))


LARGE = {
    "binomial": ((2**63 - 1, 0.5), stats.norm(2**62, 2**30.5)),
    "binomial of few": ((2**63 - 1, 2**-61), stats.poisson(4)),
    "hypergeometric": ((2**62, 2**62, 10), stats.binom(10, 0.5)),
    "hypergeometric, unequal": ((2**62, 2**63 - 1, 12), stats.binom(12, 1 / 3)),
    "noncentral_chisquare": ((0.5, 1e20), stats.norm(1e20, 2e10)),
    "noncentral_f": ((0.5, 4, 1e200), None),
    "wald": ((1e160, 1), stats.levy),
    "wald, small": ((1e300, 1e-300), stats.levy(scale=1e-300)),
    "multinomial": ((2**63 - 1, [0.5, 0.5]), stats.norm(2**62, 2**30.5)),
}


@pytest.mark.parametrize("name", LARGE)
def test_shape_at_large_parameters(name):
    args, reference = LARGE[name]
    x = getattr(cp.random.default_rng(2), name.split(",")[0].split()[0])(*args, size=N)
    x = np.sort(x.get().ravel()).astype(float)
    if name == "noncentral_f":  # 1e200 / 0.5 over a chi-square number over its degrees
        x, reference = np.sort(2e200 * 4 / x), stats.chi2(4)
    at = x[:: N // 2000]
    below = np.searchsorted(x, at, side="right") / len(x)
    assert np.abs(reference.cdf(at) - below).max() < 0.01


@pytest.mark.parametrize(
    ("name", "args", "error"),
    [
        ("binomial", (2**63, 0.5), OverflowError),
        ("binomial", (np.inf, 0.5), OverflowError),
        ("binomial", (None, 0.5), TypeError),
        ("negative_binomial", (1e10, 1e-10), ValueError),
        ("negative_binomial", (np.inf, 0.5), ValueError),
        ("poisson", (None,), TypeError),
        ("poisson", (1e19,), ValueError),
        ("standard_gamma", (None,), TypeError),
        ("dirichlet", (1,), TypeError),
        ("hypergeometric", (2**63, 1, 1), (OverflowError, ValueError)),
    ],
)
def test_parameters_that_are_refused(name, args, error):
    for module in (cp, np):
        with pytest.raises(error):
            getattr(module.random.default_rng(1), name)(*args, size=3)
    if name != "dirichlet":
        with pytest.raises(error):
            getattr(cp.random.default_rng(1), name)([args[0]], *args[1:], size=3)


def test_negative_numbers_of_a_narrow_wald_distribution_are_not_there():
    x = cp.random.default_rng(1).wald(1e9, 1e-3, size=N)
    assert float(x.min()) > 0


def test_neighbours_do_not_know_each_other():
    for name, rows in {**CONTINUOUS, **DISCRETE}.items():
        x = getattr(cp.random.default_rng(5), name)(*rows[-1][0], size=100_000).get()
        rank = stats.rankdata(x)
        for lag in (1, 2, 128):
            found = np.corrcoef(rank[lag:], rank[:-lag])[0, 1]
            assert abs(found) < 5 / len(rank) ** 0.5, (name, lag)


# ---- an element depends on its number and its parameters -----------------------------

SCALARS = {name: rows[0][0] for name, rows in {**CONTINUOUS, **DISCRETE}.items()}
SCALARS["hypergeometric"] = (100, 200, 50)
SCALARS["poisson"] = (20,)

each = pytest.mark.parametrize("name", SCALARS)


def draw(name, *args, seed=3, **kwargs):
    return getattr(cp.random.default_rng(seed), name)(*args, **kwargs).get()


@each
def test_pieces_are_those_of_the_whole(name):
    args = SCALARS[name]
    whole = draw(name, *args, size=20_011)
    for n in (1, 127, 129, 5000):
        np.testing.assert_array_equal(draw(name, *args, size=n), whole[:n])
    np.testing.assert_array_equal(draw(name, *args, size=(3, 50)).ravel(), whole[:150])
    assert draw(name, *args) == whole[0]
    assert draw(name, *args).shape == ()


@pytest.mark.parametrize("name", ["beta", "laplace", "vonmises", "poisson"])
def test_long_runs_are_those_of_short_ones(name):
    """As a GPU's threads take more elements where there are many."""
    args, n = SCALARS[name], (1 << 21) + 5
    whole = draw(name, *args, size=n)
    arrays = draw(name, cp.full(n, args[0], "d"), *args[1:])
    np.testing.assert_array_equal(arrays, whole)
    few = draw(name, *args, size=3000)
    np.testing.assert_array_equal(few, whole[:3000])


@each
def test_arrays_of_parameters_give_what_numbers_give(name):
    args = SCALARS[name]
    shape = (3, 40, 5)
    expected = draw(name, *args, size=shape)
    parts = [(), (5,), (40, 1), (3, 1, 1), (3, 40, 5), (3, 1, 5), (1, 40, 5), (1, 1)]
    for part in parts:
        last = cp.full(part, args[-1], "d")
        found = draw(name, *args[:-1], last, size=shape)
        np.testing.assert_array_equal(found, expected)
    lists = [np.full((3, 40, 5), a, "d").tolist() for a in args]
    np.testing.assert_array_equal(draw(name, *lists), expected)
    turned = cp.full((5, 40, 3), args[0], "f8").T
    np.testing.assert_array_equal(draw(name, turned, *args[1:]), expected)


def test_parameters_of_rows_and_columns():
    mean = np.array([1.0, 100, 1e4])
    n = np.array([[10], [1000], [10**6], [10**9]])
    x = draw("poisson", cp.array(mean), size=(4000, 3))
    assert (abs(x.mean(0) - mean) < 5 * (mean / 4000) ** 0.5).all()
    p = np.array([0.1, 0.5, 0.9])
    x = draw("binomial", n, cp.array(p), size=(1000, 4, 3))
    assert (abs(x.mean(0) - n * p) < 5 * (n * p * (1 - p) / 1000) ** 0.5).all()
    for i in range(4):
        for j in range(3):
            own = draw("binomial", int(n[i, 0]), p[j], size=(1000, 4, 3))
            np.testing.assert_array_equal(x[:, i, j], own[:, i, j])


@each
def test_no_elements(name):
    args = SCALARS[name]
    assert draw(name, *args, size=0).shape == (0,)
    assert draw(name, *args, size=(3, 0)).shape == (3, 0)
    assert draw(name, *[cp.empty((0, 2))] * len(args)).shape == (0, 2)


@each
def test_dtypes(name):
    args = SCALARS[name]
    counts = name in DISCRETE
    whole = draw(name, *args, size=100)
    for dtype in "bBhHiIlL" if counts else "efd":
        found = draw(name, *args, size=100, dtype=dtype)
        assert found.dtype == dtype
        through = whole.astype("f") if dtype == "e" else whole
        np.testing.assert_array_equal(found, through.astype(dtype))
    for dtype in "?efd" if counts else "?l":
        found = draw(name, *args, size=100, dtype=dtype)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, whole.astype(dtype))
    with pytest.raises(TypeError):
        draw(name, *args, size=10, dtype="F")
    assert draw(name, *args, dtype=int if counts else float).dtype == whole.dtype


# ---- the promise ---------------------------------------------------------------------

PROMISED = {
    "gumbel": 3303983662,
    "laplace": 2397352428,
    "logistic": 2785787328,
    "lognormal": 3257511291,
    "pareto": 3877337425,
    "power": 796974399,
    "rayleigh": 522115934,
    "triangular": 260286423,
    "weibull": 847232872,
    "standard_cauchy": 1474258055,
    "standard_gamma": 2954187960,
    "gamma": 3472261593,
    "chisquare": 1716494345,
    "beta": 3097172191,
    "f": 402316507,
    "standard_t": 4112481458,
    "noncentral_chisquare": 2812067949,
    "noncentral_f": 3029355730,
    "vonmises": 1231820916,
    "wald": 3308515811,
    "binomial": 1542107274,
    "poisson": 360067460,
    "geometric": 1515686926,
    "negative_binomial": 557900256,
    "hypergeometric": 718501380,
    "logseries": 95631370,
    "zipf": 287142632,
    "dirichlet": 3564240658,
    "multinomial": 2029744751,
    "choice": 3250466881,
}


def digest(x):
    return zlib.crc32(np.ascontiguousarray(x).tobytes())


def promised_draws():
    """500 numbers of every row of the tables, and of what has kernels besides."""
    for name, rows in {**CONTINUOUS, **DISCRETE}.items():
        yield name, [draw(name, *args, size=500, seed=11) for args, _ in rows]
    yield (
        "dirichlet",
        [
            draw("dirichlet", alpha, 500, seed=11)
            for alpha in ([1, 2, 3], [0.02, 0.1, 4])
        ],
    )
    yield "multinomial", [draw("multinomial", 1000, [0.2, 0.01, 0.5], 500, seed=11)]
    yield "standard_cauchy", [draw("standard_cauchy", size=501, seed=11)]
    yield "choice", [draw("choice", n, 500, False, seed=11) for n in (10**5, 10**8 + 1)]


def test_numbers_are_those_of_every_device():
    """To the bit: digests of what the host device gave."""
    found = {name: digest(np.stack(rows)) for name, rows in promised_draws()}
    assert found == PROMISED


# ---- out, sizes, errors --------------------------------------------------------------


def test_out_of_standard_gamma():
    expected = draw("standard_gamma", 2.5, size=(3, 4), dtype="f")
    for dtype in "fe":
        out = cp.empty((3, 4), dtype)
        rng = cp.random.default_rng(3)
        assert rng.standard_gamma(2.5, dtype=dtype, out=out) is out
        np.testing.assert_array_equal(out.get(), expected.astype(dtype))
    rng = cp.random.default_rng(3)
    out = cp.empty((3, 4))
    assert rng.standard_gamma(cp.ones(4), out=out) is out
    for kwargs in (
        {"out": cp.empty(3, "f")},
        {"out": cp.empty((3, 4)).T, "size": (4, 3)},
        {"out": cp.empty(3), "size": 4},
    ):
        with pytest.raises(ValueError, match="out"):
            rng.standard_gamma(2.0, **kwargs)
    with pytest.raises(ValueError, match="broadcast"):
        rng.standard_gamma(cp.ones(3), out=cp.empty((3, 4)))


@pytest.mark.parametrize(
    ("parameters", "size"), [((2,), 3), ((3, 2), 2), ((3, 2), (1, 2)), ((4,), ())]
)
def test_a_size_that_the_parameters_do_not_fit(parameters, size):
    for given in (np.ones(parameters), cp.ones(parameters)):
        with pytest.raises(ValueError):
            cp.random.default_rng(1).standard_gamma(given, size=size)


WRONG = {
    "beta": [(0, 1), (1, -1), (1, [1, 0])],
    "binomial": [(-1, 0.5), (10, 1.5), (10, -0.1), (10, np.nan), (10, [0.5, 2])],
    "chisquare": [(0,), (-1,), ([1, -1],)],
    "dirichlet": [([1, -1],)],
    "f": [(0, 1), (1, 0), (1, [1, -1])],
    "gamma": [(-1, 1), (1, -1), ([1, -2], 1)],
    "geometric": [(0,), (1.5,), (np.nan,), ([0.5, 0],)],
    "hypergeometric": [(-1, 1, 1), (1, -1, 1), (1, 1, -1), (1, 1, 3), (1, [9, 1], 3)],
    "logseries": [(1,), (-0.1,), (np.nan,), ([0.5, 2],)],
    "multinomial": [
        (-1, [0.5, 0.5]),
        (3, [0.8, 0.8, 0]),
        (3, [-0.1, 1]),
        (3, [1.5, 0]),
    ],
    "negative_binomial": [(0, 0.5), (-1, 0.5), (1, 0), (1, 1.1), (1, np.nan)],
    "noncentral_chisquare": [(0, 1), (1, -1), (-1, 1), ([1, -1], 1)],
    "noncentral_f": [(0, 1, 1), (1, 0, 1), (1, 1, -1)],
    "poisson": [(-1,), (np.nan,), (1e20,), ([1, -1],)],
    "standard_gamma": [(-1,), ([1, -0.5],)],
    "standard_t": [(0,), (-1,), ([1, 0],)],
    "vonmises": [(0, -1), (0, [1, -1])],
    "wald": [(0, 1), (1, 0), (-1, 1), (1, [1, -1])],
    "zipf": [(1,), (0.5,), (np.nan,), ([2, 1],)],
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_parameters_of_the_host(name):
    generators = (cp.random.default_rng(1), cp.random.RandomState(1))
    for args in WRONG[name]:
        with pytest.raises(ValueError):
            getattr(np.random.default_rng(1), name)(*args)
        for rng in generators:
            before = rng._bits.state
            with pytest.raises(ValueError, match=rf"^{name}|gamma"):
                getattr(rng, name)(*args)
            assert rng._bits.state == before


@pytest.mark.parametrize("name", sorted(WRONG.keys() - {"dirichlet", "multinomial"}))
def test_wrong_parameters_of_a_device_give_nan(name):
    """Nothing waits for them. Elements beside a wrong one are as they were."""
    fine = SCALARS[name]
    for args in WRONG[name]:
        wrong = [a[-1] if isinstance(a, list) else a for a in args]
        arrays = [cp.array([f, w, f], "d") for f, w in zip(fine, wrong, strict=True)]
        found = draw(name, *arrays)
        expected = draw(name, *fine, size=3)
        bad = found[1] == -1 if found.dtype.kind == "i" else np.isnan(found[1])
        assert bad, args
        assert found[0] == expected[0]
        assert found[2] == expected[2]


def test_counts_are_whole_numbers():
    with pytest.raises(
        ValueError, match=r"n must be an integer in \[0, 2\*\*63\), not 2.5"
    ):
        cp.random.binomial(2.5, 0.5)
    with pytest.raises(TypeError, match="complex128"):
        cp.random.binomial(cp.ones(2, complex), 0.5)


# ---- several numbers that depend on each other ---------------------------------------


@pytest.mark.parametrize(
    "alpha", [[1, 1], [2, 3, 5], [0.02, 0.1, 4], [0.5], [1e6, 2e6]]
)
def test_dirichlet(alpha):
    x = draw("dirichlet", alpha, 100_000)
    assert x.shape == (100_000, len(alpha))
    np.testing.assert_allclose(x.sum(1), 1, rtol=1e-12)
    if len(alpha) > 1:
        for c, a in enumerate(alpha):
            marginal = stats.beta(a, sum(alpha) - a)
            at = np.quantile(x[:, c], np.linspace(0.2, 0.8, 50))
            below = (x[:, c, None] <= at).mean(0)
            assert abs(marginal.cdf(at) - below).max() < 2 / 100_000**0.5
    assert cp.random.dirichlet(cp.array(alpha), dtype="f").dtype == np.float32
    assert draw("dirichlet", alpha, (2, 0)).shape == (2, 0, len(alpha))


def test_dirichlet_of_tiny_shapes():
    """Each row is one of the corners; gamma numbers would all be 0."""
    x = draw("dirichlet", [1e-5, 2e-5, 0], 10_000)
    assert (x.max(1) > 0.99).mean() > 0.999
    assert abs(x.mean(0) - [1 / 3, 2 / 3, 0]).max() < 0.03
    with pytest.raises(ValueError, match="one axis, not 2"):
        cp.random.dirichlet([[1, 2]])


def test_multinomial():
    p = np.array([0.2, 0.0, 0.3, 0.5])
    x = draw("multinomial", 1000, p, 100_000)
    assert x.dtype == np.int64
    assert (x.sum(1) == 1000).all()
    expected = 1000 * (np.diag(p) - np.outer(p, p))
    np.testing.assert_allclose(x.mean(0), 1000 * p, atol=0.3)
    np.testing.assert_allclose(np.cov(x.T), expected, atol=5)
    assert (x[:, 1] == 0).all()
    few = draw("multinomial", 3, p, 100_000)
    found = np.bincount(few[:, 3], minlength=4) / len(few)
    np.testing.assert_allclose(found, [0.125, 0.375, 0.375, 0.125], atol=0.01)


def test_multinomial_broadcasts():
    p = np.array([[0.1, 0.9], [0.5, 0.5], [1, 0]])
    n = np.array([[10], [1000]])
    x = draw("multinomial", n, p, (500, 2, 3))
    assert x.shape == (500, 2, 3, 2)
    assert (x.sum(-1) == n).all()
    np.testing.assert_allclose(x.mean(0), n[..., None] * p, rtol=0.1, atol=0.2)
    same = draw("multinomial", cp.array(n), cp.array(p), (500, 2, 3))
    np.testing.assert_array_equal(x, same)
    assert draw("multinomial", 5, [1.0]).tolist() == [5]
    assert draw("multinomial", 5, [0.2] * 5).shape == (5,)
    assert draw("multinomial", 5, np.empty((0, 3))).shape == (0, 3)
    wrong = draw("multinomial", cp.array([5, -1]), cp.array([0.5, 0.5]))
    assert wrong[1].tolist() == [-1, -1]
    with pytest.raises(ValueError, match="must have an axis"):
        cp.random.multinomial(5, 0.5)


@pytest.mark.parametrize("method", ["cholesky", "svd", "eigh"])
def test_multivariate_normal(method):
    mean = np.array([1.0, -2, 3])
    cov = np.array([[2.0, 0.5, 0.1], [0.5, 1, -0.3], [0.1, -0.3, 0.7]])
    x = draw("multivariate_normal", mean, cov, 100_000, method=method)
    np.testing.assert_allclose(x.mean(0), mean, atol=0.02)
    np.testing.assert_allclose(np.cov(x.T), cov, atol=0.03)
    rs = cp.random.RandomState(3)
    y = rs.multivariate_normal(
        cp.array(mean), cp.array(cov), (4, 5), "raise", dtype="f"
    )
    assert y.shape == (4, 5, 3)
    assert y.dtype == np.float32
    assert draw("multivariate_normal", mean, cov, method=method).shape == (3,)


def test_covariances_that_are_none():
    rng = cp.random.default_rng(1)
    wrong = [[1.0, 2], [2, 1]]
    with pytest.raises(ValueError, match="positive-semidefinite"):
        rng.multivariate_normal([0, 0], wrong, check_valid="raise")
    with pytest.warns(RuntimeWarning, match="positive-semidefinite"):
        rng.multivariate_normal([0, 0], wrong)
    singular = rng.multivariate_normal([0, 0], np.ones((2, 2)), 100, "raise")
    np.testing.assert_allclose(singular[:, 0].get(), singular[:, 1].get(), atol=1e-6)
    for args, words in (
        ((np.zeros((2, 2)), np.eye(2)), "one axis"),
        ((np.zeros(2), np.eye(3)), "does not fit"),
        ((np.zeros(2), np.eye(2), 3, "no"), "check_valid"),
    ):
        with pytest.raises(ValueError, match=words):
            rng.multivariate_normal(*args)
    with pytest.raises(ValueError, match="method"):
        rng.multivariate_normal([0, 0], np.eye(2), method="lu")


# ---- a few of many -------------------------------------------------------------------


@pytest.mark.parametrize("n", [65_537, 2**17, 10**6 + 1, 10**8, 2**40, 2**62])
def test_choice_of_few_among_many(n):
    count = min(3000, n // 17)
    x = draw("choice", n, count, False)
    assert len(np.unique(x)) == count
    assert x.min() >= 0
    assert x.max() < n
    assert stats.kstest(x / n, "uniform").pvalue > LEAST_P
    pairs = stats.spearmanr(x[1:], x[:-1]).statistic
    assert abs(pairs) < 5 / count**0.5


def test_choice_of_few_takes_each_as_often():
    n, count, times = 70_000, 4000, 200
    rng = cp.random.default_rng(1)
    seen = np.zeros(n)
    for _ in range(times):
        seen[rng.choice(n, count, replace=False).get()] += 1
    expected = times * count / n
    spread = expected * (1 - count / n)
    assert abs(((seen - expected) ** 2).mean() / spread - 1) < 5 * (2 / n) ** 0.5


def test_choice_of_few_takes_little_memory():
    pool = cp.get_default_memory_pool()
    before = pool.used_bytes()
    x = cp.random.choice(10**8, 10, replace=False)
    assert pool.used_bytes() - before <= 4096
    assert len(set(x.tolist())) == 10
    values = cp.arange(100_000) * 2
    some = cp.random.default_rng(1).choice(values, (3, 4), replace=False).get()
    assert some.shape == (3, 4)
    assert (some % 2 == 0).all()
    assert len(np.unique(some)) == 12
