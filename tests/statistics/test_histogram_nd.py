"""histogram2d and histogramdd against NumPy."""

import numpy as np
import pytest
from ml_dtypes import bfloat16

import cupric as cp

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(500, 3))


def agree(mine, numpy):
    counts, *edges = mine if len(mine) == 3 else (mine[0], *mine[1])
    theirs, *their_edges = numpy if len(numpy) == 3 else (numpy[0], *numpy[1])
    assert (counts.dtype, counts.shape) == (theirs.dtype, theirs.shape)
    np.testing.assert_allclose(counts.get(), theirs, rtol=1e-12)
    for a, b in zip(edges, their_edges, strict=True):
        assert isinstance(a, cp.ndarray)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.get(), b)


EDGES = [np.array([-2.0, -0.5, 0, 3]), np.linspace(-3, 3, 8), np.arange(-3, 4)]


@pytest.mark.parametrize(
    "bins", [10, (3, 4, 5), EDGES, [3, *EDGES[1:]], (1, 1, 1), np.array([2, 3, 4])]
)
@pytest.mark.parametrize("dtype", "fdeilB")
def test_histogramdd(bins, dtype):
    a = (POINTS * 2 + (3 if dtype == "B" else 0)).clip(0 if dtype == "B" else -9, 9)
    a = a.astype(dtype)
    x = cp.asarray(a)
    agree(cp.histogramdd(x, bins), np.histogramdd(a, bins))
    agree(cp.histogramdd(list(x.T), bins), np.histogramdd(list(a.T), bins))
    if isinstance(bins, list):
        there = [cp.asarray(b) if np.ndim(b) else b for b in bins]
        agree(cp.histogramdd(x, there), np.histogramdd(a, bins))


@pytest.mark.parametrize("density", [False, True])
@pytest.mark.parametrize("weights", [None, "d", "f", "i", "?"])
@pytest.mark.parametrize("ranges", [None, [(-1, 1), None, (0, 2.5)]])
def test_options(density, weights, ranges):
    w = None if weights is None else RNG.integers(0, 5, 500).astype(weights)
    agree(
        cp.histogramdd(
            cp.asarray(POINTS),
            (4, 5, 6),
            ranges,
            None if w is None else cp.asarray(w),
            density,
        ),
        np.histogramdd(POINTS, (4, 5, 6), ranges, density, w),
    )


def test_coordinates_on_edges_and_beyond():
    a = np.array([[0, 0.5], [1, 1], [2, 2], [3, 2], [2, 3], [np.nan, 1], [1, np.nan]])
    for bins in ([[0, 1, 2], [0.5, 1, 2]], [[0, 1, 1, 2], [0, 2]], [[0, np.inf]] * 2):
        agree(cp.histogramdd(cp.asarray(a), bins), np.histogramdd(a, bins))
    a = np.array([[np.inf, 1], [-np.inf, 2], [5, 1]])
    bins = [[-np.inf, 0, np.inf], [0, 1, 2]]
    agree(cp.histogramdd(cp.asarray(a), bins), np.histogramdd(a, bins))


def test_integers_that_float64_cannot_tell_apart():
    a = np.array([2**53, 2**53 + 1, 2**53 + 2])
    bins = [np.array([2**53, 2**53 + 1, 2**53 + 2])]
    agree(cp.histogramdd(cp.asarray(a), bins), np.histogramdd(a, bins))


@pytest.mark.parametrize("dtype", "lLifB")
def test_edges_of_several_dtypes(dtype):
    a = RNG.integers(0, 9, (60, 5)).astype(dtype)
    odd = [np.array([0, 2, 4, 9], t) for t in ("l", "d", "B", "f", "L")]
    many = [4, *odd[1:3], 3, odd[0]]
    for bins in (odd, odd[::-1], many):
        agree(cp.histogramdd(cp.asarray(a), bins), np.histogramdd(a, bins))
        w = RNG.random(60)
        agree(
            cp.histogramdd(cp.asarray(a)[::-2], bins, weights=cp.asarray(w)[::-2]),
            np.histogramdd(a[::-2], bins, weights=w[::-2]),
        )


def test_edges_that_are_nan_or_few():
    a = np.array([0.5, 1, 2, 3, np.nan, np.inf, -1])
    for bins in ([0, 1, np.nan], [0, 1, np.nan, np.nan], [np.nan, np.nan], [1]):
        bins = [np.array(bins, "d")]
        agree(cp.histogramdd([cp.asarray(a)], bins), np.histogramdd([a], bins))


@pytest.mark.parametrize("dtype", "fd")
def test_evenly_spaced_edges_of_any_scale(dtype):
    for scale in (1, 1e-30, 1e30, 3e38):
        a = ((RNG.random((400, 2)) - 0.5) * scale).astype(dtype)
        a[::7, 0] = np.linspace(-0.5, 0.5, 58) * scale  # many on edges
        bounds = [(-0.5 * scale, 0.5 * scale)] * 2
        for bins in (1, 19, 57):
            agree(
                cp.histogramdd(cp.asarray(a), bins, bounds),
                np.histogramdd(a, bins, bounds),
            )


@pytest.mark.parametrize("shape", [(500,), (500, 1), (0, 2), (1, 2), (7, 5)])
def test_shapes(shape):
    a = RNG.random(shape)
    agree(cp.histogramdd(cp.asarray(a), 3), np.histogramdd(a, 3))
    if a.ndim == 2:
        agree(cp.histogramdd(cp.asarray(a)[::-1], 3), np.histogramdd(a[::-1], 3))


def test_of_nested_lists():
    a = [[0.0, 1.0], [2.0, 3.0], [4.0, 4.0]]
    agree(cp.histogramdd(cp.array(a), 2), np.histogramdd(np.array(a), 2))


def test_equal_coordinates():
    a = np.full((4, 2), 3)
    agree(cp.histogramdd(cp.asarray(a)), np.histogramdd(a))


@pytest.mark.parametrize("bins", [10, (3, 4), EDGES[0], [EDGES[0], 5], EDGES[:2], [4]])
@pytest.mark.parametrize("density", [False, True])
def test_histogram2d(bins, density):
    a, b = POINTS[:, 0], POINTS[:, 1].astype("f")
    x, y = cp.asarray(a), cp.asarray(b)
    if isinstance(bins, list) and len(bins) == 1:
        for xp, u, v in ((cp, x, y), (np, a, b)):
            with pytest.raises(ValueError, match="dimension of bins"):
                xp.histogram2d(u, v, bins)
        return
    agree(
        cp.histogram2d(x, y, bins, density=density),
        np.histogram2d(a, b, bins, density=density),
    )
    w = RNG.random(500)
    agree(
        cp.histogram2d(x, y, bins, weights=cp.asarray(w), density=density),
        np.histogram2d(a, b, bins, weights=w, density=density),
    )


def test_what_is_refused():
    x = cp.asarray(POINTS)
    for bins in (0, (3, 4), [[1, 0], 2, 2], [2.5, 2, 2], [[[1, 2]], 2, 2]):
        for xp, a in ((cp, x), (np, POINTS)):
            with pytest.raises((ValueError, TypeError)) as told:
                xp.histogramdd(a, bins)
            if xp is cp:
                mine = told.type
        assert mine is told.type
    with pytest.raises(ValueError, match="one entry per dimension"):
        cp.histogramdd(x, 2, [(0, 1)])
    with pytest.raises(ValueError, match="max must be larger"):
        cp.histogramdd(x, 2, [(1, 0), None, None])
    with pytest.raises(ValueError, match="not finite"):
        cp.histogramdd(cp.array([1, np.nan]), 2)
    with pytest.raises(ValueError, match="length"):
        cp.histogramdd(x, 2, weights=cp.ones(3))
    with pytest.raises(TypeError, match="complex"):
        cp.histogramdd(x.astype("D"), 2)
    with pytest.raises(TypeError, match="weights"):
        cp.histogramdd(x, 2, weights=cp.ones(500, "D"))
    with pytest.raises(ValueError, match="same length"):
        cp.histogram2d(x[:, 0], x[:3, 0])
    with pytest.raises(MemoryError):
        cp.histogramdd(x, 2**19)
    for xp, a in ((cp, x), (np, POINTS)):  # of more bytes than an address counts
        with pytest.raises(ValueError, match="too many|too big"):
            xp.histogramdd(a, 2**20)


def test_histogram2d_of_no_dimensions():
    for xp in (cp, np):
        for x, y in [((), ()), ((), (3,)), ((0,), ())]:
            with pytest.raises(TypeError):
                xp.histogram2d(xp.ones(x), xp.ones(y))


@pytest.mark.parametrize("dtype", "bqefd?")
def test_histogram2d_of_bfloat16_and_others(dtype):
    x = cp.arange(5).astype(dtype)
    y = cp.arange(5).astype(bfloat16)
    mine = cp.histogram2d(x, y, 3)[0]
    numpy = np.histogram2d(x.get().astype("d"), np.arange(5.0), 3)[0]
    np.testing.assert_array_equal(mine.get(), numpy)
    with pytest.raises(ValueError, match="must be positive"):
        cp.histogram2d(x, y, 0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", "efd")
def test_a_range_that_overflows(dtype):
    a = np.array([-1, 0, 1], dtype) * np.finfo(dtype).max
    for sample in (cp.asarray(a), [cp.ones(3, dtype), cp.asarray(a)]):
        for bins in (1, 2, 10):
            with pytest.raises(ValueError, match="wider than the largest float"):
                cp.histogramdd(sample, bins)
    with pytest.raises(ValueError):
        np.histogramdd(a, 2)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("weights", [None, "d", "f"])
def test_densities_by_dimensions(n, weights):
    a = RNG.normal(size=(300, n))
    w = None if weights is None else RNG.integers(-2, 9, 300).astype(weights)
    v = None if weights is None else cp.asarray(w)
    uneven = [np.array([-1, -0.25, 0.5, 2.0, 2.5])] * n
    for bins in ([3, 4, 2, 5][:n], uneven):
        agree(
            cp.histogramdd(cp.asarray(a), bins, weights=v, density=True),
            np.histogramdd(a, bins, weights=w, density=True),
        )
    for points in (a[:0], a + 99):  # no point counts: 0 / 0
        with np.errstate(invalid="ignore"):
            agree(
                cp.histogramdd(cp.asarray(points), uneven, density=True),
                np.histogramdd(points, uneven, density=True),
            )
