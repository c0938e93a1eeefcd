"""The distributions: their shapes by Kolmogorov and Smirnov, their parameters."""

import numpy as np
import pytest

import cupric as cp

stats = pytest.importorskip("scipy.stats")

N = 100_000
DISTRIBUTIONS = {
    "standard_exponential": ((), stats.expon()),
    "standard_normal": ((), stats.norm()),
    "standard_cauchy": ((), stats.cauchy()),
    "exponential": ((2.0,), stats.expon(scale=2)),
    "triangular": ((0, 1, 3), stats.triang(1 / 3, 0, 3)),
    "normal": ((1, 2), stats.norm(1, 2)),
    "lognormal": ((0, 0.5), stats.lognorm(0.5)),
    "laplace": ((0, 1), stats.laplace()),
    "logistic": ((0, 1), stats.logistic()),
    "gumbel": ((0, 1), stats.gumbel_r()),
    "rayleigh": ((2,), stats.rayleigh(scale=2)),
    "weibull": ((1.5,), stats.weibull_min(1.5)),
    "pareto": ((3,), stats.lomax(3)),
    "power": ((3,), stats.powerlaw(3)),
    "uniform": ((-1, 3), stats.uniform(-1, 4)),
}


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_shape(name, dtype):
    parameters, reference = DISTRIBUTIONS[name]
    given = [parameters, [cp.full(N, float(p)) for p in parameters]]
    for args in given[: 1 + bool(parameters)]:
        x = getattr(cp.random.default_rng(7), name)(*args, size=N, dtype=dtype)
        assert x.dtype == dtype
        assert np.isfinite(x.get()).all()
        assert stats.kstest(x.get().astype("d"), reference.cdf).pvalue > 1e-3


WRONG = {
    "exponential": [(-1,), ([1, -1],)],
    "normal": [(0, -1), (0, [1, -1]), ([0, 0], -1)],
    "lognormal": [(0, -1), (0, [1, -1])],
    "laplace": [(0, -1), (0, [1, -1])],
    "logistic": [(0, -1), (0, [1, -1])],
    "gumbel": [(0, -1), (0, [1, -1])],
    "rayleigh": [(-1,), ([1, -1],)],
    "weibull": [(-1,), ([1, -1],)],
    "pareto": [(-1,), (0,), ([1, 0],)],
    "power": [(-1,), (0,), ([1, 0],)],
    "triangular": [(1, 0, 2), (0, 3, 2), (2, 2, 2), (0, [1, 5], 3)],
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_parameters(name):
    generators = (cp.random.default_rng(1), cp.random.RandomState(1))
    for args in WRONG[name]:
        on_device = [cp.array(a) if isinstance(a, list) else a for a in args]
        with pytest.raises(ValueError):
            getattr(np.random.default_rng(1), name)(*args)
        for rng in generators:
            before = rng._bits.state
            with pytest.raises(ValueError):
                getattr(rng, name)(*on_device)
            assert rng._bits.state == before


def test_limits_of_uniform():
    rng = cp.random.default_rng(1)
    for args in ((2, 1), (cp.array([1, 2]), 1.5)):
        with pytest.raises(ValueError):
            rng.uniform(*args)
    for args in ((0, np.inf), (0, cp.array([1, np.inf]))):
        with pytest.raises(OverflowError):
            rng.uniform(*args)
    assert cp.random.RandomState(1).uniform(2, 1).shape == ()


def test_a_size_that_the_parameters_do_not_fit():
    rng = cp.random.default_rng(1)
    with pytest.raises(ValueError):
        rng.normal(cp.zeros(2), 1, size=3)
    with pytest.raises(ValueError):
        rng.normal(cp.zeros((3, 2)), 1, size=2)
    assert rng.normal(cp.zeros(2), 1, size=(3, 2)).shape == (3, 2)


def test_weibull_of_zero():
    rng = cp.random.default_rng(1)
    assert rng.weibull(0, size=3).tolist() == [0, 0, 0]
    assert rng.weibull(cp.array([0.0, 1.0]))[0] == 0


def test_complex_numbers_are_refused():
    generator = cp.random.default_rng(0)
    with pytest.raises(TypeError, match="complex64"):
        generator.standard_normal(3, dtype="F")


@pytest.mark.parametrize("size", [0, (2, 0), (0, 3)])
def test_nothing_is_drawn_of_what_there_is_not(size):
    """No numbers are of any range, as NumPy has it."""
    for module in (cp, np):
        draw = module.random
        found = [draw.randint(5, 1, size), draw.randint(0, 300, size, dtype="i1")]
        found += [draw.choice(0, size), draw.choice(module.ones(0, "f4"), size, False)]
        found += [draw.default_rng(1).integers(3, 3, size)]
        for x, dtype in zip(found, ("i8", "i1", "i8", "f4", "i8"), strict=True):
            assert (x.shape, x.dtype) == (np.empty(size).shape, np.dtype(dtype))
        for wrong in (
            lambda draw=draw: draw.randint(5, 1, 1),
            lambda draw=draw: draw.choice(0),
            lambda draw=draw: draw.choice([], 2),
            lambda draw=draw: draw.choice(1, (-1, 0)),
            lambda draw=draw: draw.randint(3, size=(-1, 0)),
        ):
            with pytest.raises(ValueError):
                wrong()


def test_choice_of_a_number_on_the_device():
    for number in (cp.array(3), cp.array(3, "B")):
        found = cp.random.choice(number, 100)
        assert set(found.tolist()) == {0, 1, 2}
    for module in (cp, np):
        with pytest.raises(ValueError, match="1-dimensional or an integer"):
            module.random.choice(module.array(3.0))


def test_a_permutation_has_an_axis():
    for module in (cp, np):
        with pytest.raises(IndexError, match="at least"):
            module.random.permutation(module.ones(()))


def test_generators_take_slices_along_an_axis():
    """As NumPy's: choice, permutation and shuffle."""
    x = cp.arange(12).reshape(3, 4)
    rows = {tuple(row) for row in x.tolist()}
    columns = {tuple(column) for column in x.T.tolist()}
    rng = cp.random.default_rng(5)
    for axis, slices in ((0, rows), (1, columns), (-1, columns)):
        moved = rng.permutation(x, axis=axis)
        shuffled = x.copy()
        rng.shuffle(shuffled, axis=axis)
        for found in (moved, shuffled):
            assert {tuple(s) for s in cp.moveaxis(found, axis, 0).tolist()} == slices
        taken = rng.choice(x, (5, 2), axis=axis)
        assert (
            taken.shape
            == np.random.default_rng(1).choice(x.get(), (5, 2), axis=axis).shape
        )
        once = rng.choice(x, 3, replace=False, axis=axis, shuffle=False)
        lines = [tuple(s) for s in cp.moveaxis(once, axis, 0).tolist()]
        assert len(set(lines)) == 3
        assert set(lines) <= slices
    only = rng.choice(x, 4, p=cp.array([0.0, 0, 1, 0]), axis=1)
    assert only.tolist() == [[2] * 4, [6] * 4, [10] * 4]
    assert rng.choice(x).shape == (4,)
    assert x.tolist() == np.arange(12).reshape(3, 4).tolist()


@pytest.mark.parametrize("call", ["choice", "permutation", "shuffle"])
def test_an_axis_that_there_is_not(call):
    for module in (cp, np):
        with pytest.raises(IndexError):  # AxisError is one
            getattr(module.random.default_rng(1), call)(module.ones((2, 3)), axis=2)
