"""Spectra of samples at any times against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal as ours

theirs = pytest.importorskip("scipy.signal")


def samples(n=301, seed=0):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 20, n))
    return x, 2 + np.cos(3 * x + 1) + rng.standard_normal(n) / 5, rng.uniform(0, 3, n)


@pytest.mark.parametrize("normalize", [False, True, "power", "normalize", "amplitude"])
@pytest.mark.parametrize("floating_mean", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_periodograms(normalize, floating_mean, weighted):
    x, y, weights = samples()
    omega = np.linspace(0.1, 12, 77)
    options = {"normalize": normalize, "floating_mean": floating_mean}
    w = {"weights": weights} if weighted else {}
    expected = theirs.lombscargle(x, y, omega, **options, **w)
    w = {k: cp.asarray(v) for k, v in w.items()}
    actual = ours.lombscargle(*map(cp.asarray, (x, y, omega)), **options, **w)
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(actual.get(), expected, rtol=1e-8, atol=1e-10)


def test_frequency_of_zero():
    """Where a sine has no part: least squares is singular."""
    x, y, _ = samples()
    omega = np.array([0.0, 1.0])
    for mean in (False, True):
        expected = theirs.lombscargle(x, y, omega, floating_mean=mean)
        actual = ours.lombscargle(*map(cp.asarray, (x, y, omega)), floating_mean=mean)
        assert np.isfinite(actual.get()).all()
        np.testing.assert_allclose(actual.get()[1], expected[1], rtol=1e-9)


def test_shapes_and_dtypes():
    x, y, _ = samples()
    for m in (1, 2):
        omega = np.arange(1.0, m + 1)
        expected = theirs.lombscargle(x, y, omega)
        actual = ours.lombscargle(*map(cp.asarray, (x, y, omega)))
        assert actual.shape == expected.shape
        np.testing.assert_allclose(actual.get(), expected)
    x, y, omega = np.arange(9), np.arange(9) % 4, np.arange(1, 5)
    expected = theirs.lombscargle(x, y, omega)
    actual = ours.lombscargle(*map(cp.asarray, (x, y, omega)))
    np.testing.assert_allclose(actual.get(), expected)
    x, y = cp.arange(20.0)[::-2], cp.cos(cp.arange(40.0))[::4]
    expected = theirs.lombscargle(x.get(), y.get(), [1, 2, 3])
    np.testing.assert_allclose(ours.lombscargle(x, y, [1, 2, 3]).get(), expected)


def test_precenter():
    x, y, _ = samples()
    omega = np.arange(1.0, 9)
    for value in (True, False):
        with pytest.warns(DeprecationWarning, match="precenter"):
            expected = theirs.lombscargle(x, y, omega, precenter=value)
        with pytest.warns(DeprecationWarning, match="precenter"):
            actual = ours.lombscargle(*map(cp.asarray, (x, y, omega)), precenter=value)
        np.testing.assert_allclose(actual.get(), expected)


@pytest.mark.parametrize(
    ("shapes", "options"),
    [
        (((3,), (4,), (2,)), {}),
        (((3, 3), (3, 3), (2,)), {}),
        (((0,), (0,), (2,)), {}),
        (((3,), (3,), (0,)), {}),
        (((3,), (3,), ()), {}),
        (((3,), (3,), (2,)), {"normalize": "none"}),
        (((3,), (3,), (2,)), {"weights": np.ones(4)}),
        (((3,), (3,), (2,)), {"weights": np.zeros(3)}),
        (((3,), (3,), (2,)), {"weights": np.array([-1.0, 2, 2])}),
    ],
)
def test_errors(shapes, options):
    arrays = [np.ones(shape) for shape in shapes]
    with pytest.raises(ValueError):
        theirs.lombscargle(*arrays, **options)
    options = {
        k: cp.asarray(v) if isinstance(v, np.ndarray) else v for k, v in options.items()
    }
    with pytest.raises(ValueError):
        ours.lombscargle(*map(cp.asarray, arrays), **options)


@pytest.mark.parametrize("period", [1, 2.5, [1.0, 2.0, 3.5], [3], []])
@pytest.mark.parametrize("dtype", ["i", "f", "d"])
def test_strengths(period, dtype):
    events = (np.arange(100) ** 1.3).astype(dtype)
    expected = theirs.vectorstrength(events, period)
    actual = ours.vectorstrength(cp.asarray(events), period)
    for e, a in zip(expected, actual, strict=True):
        assert a.shape == np.shape(e)
        assert a.dtype == np.asarray(e).dtype
        np.testing.assert_allclose(a.get(), e, rtol=1e-10, atol=1e-12)


def test_periods_of_a_device():
    events = np.arange(100) ** 1.3
    for dtype in "fd":
        period = np.array([1.5, 2.5], dtype)
        expected = theirs.vectorstrength(events, period)
        actual = ours.vectorstrength(cp.asarray(events), cp.asarray(period))
        for e, a in zip(expected, actual, strict=True):
            assert a.dtype == e.dtype
            bound = 1e-3 if dtype == "f" else 1e-10
            np.testing.assert_allclose(a.get(), e, rtol=bound, atol=bound)


def test_one_event():
    expected = theirs.vectorstrength(0.3, 2.0)
    actual = ours.vectorstrength(0.3, 2.0)
    np.testing.assert_allclose([a.item() for a in actual], expected)


@pytest.mark.parametrize(
    ("events", "period"),
    [(np.ones((2, 2)), 1), (np.ones(2), np.ones((2, 2))), (np.ones(2), [1.0, -1.0])],
)
def test_errors_of_strengths(events, period):
    with pytest.raises(ValueError):
        theirs.vectorstrength(events, period)
    with pytest.raises(ValueError):
        ours.vectorstrength(cp.asarray(events), period)
