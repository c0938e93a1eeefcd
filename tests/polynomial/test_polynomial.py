"""cupric.polynomial against numpy.polynomial: the lowest power first."""

import numpy as np
import pytest
from numpy.polynomial import polynomial as theirs
from numpy.polynomial import polyutils as their_utils

import cupric as cp
from cupric.polynomial import polynomial, polyutils

RNG = np.random.default_rng(0)


def agree(mine, numpy, bound=1e-12):
    assert (mine.dtype, mine.shape) == (numpy.dtype, numpy.shape)
    if mine.dtype.char in "eFf":
        bound = 1e-2 if mine.dtype.char == "e" else 1e-5
    np.testing.assert_allclose(mine.get(), numpy, rtol=bound, atol=bound)


def sample(shape, dtype="d"):
    a = RNG.integers(-4, 5, shape)
    return (a + 1j * a[::-1] if dtype in "FD" else a).astype(dtype)


@pytest.mark.parametrize(
    "dtypes", ["dd", "ii", "fd", "ef", "dF", "DD", "bf", "e?", "F?", "??"]
)
@pytest.mark.parametrize("c", [(1,), (4,), (3, 2), (3, 2, 5), (3, 0)])
@pytest.mark.parametrize("x", [(), (5,), (2, 5), (0,)])
@pytest.mark.parametrize("tensor", [True, False])
def test_polyval(dtypes, c, x, tensor):
    c = sample(c, dtypes[0])
    x = sample(x, dtypes[1]) if x else np.asarray(2, dtypes[1])
    try:
        numpy = np.asarray(theirs.polyval(x, c, tensor))
    except ValueError:
        with pytest.raises(ValueError, match="broadcast|match"):
            polynomial.polyval(cp.asarray(x), cp.asarray(c), tensor)
        return
    agree(polynomial.polyval(cp.asarray(x), cp.asarray(c), tensor), numpy)


def test_polyval_of_views():
    c, x = sample((6, 4)), sample((3, 5))
    agree(
        polynomial.polyval(cp.asarray(x).T[::-1], cp.asarray(c)[::2, 1:]),
        theirs.polyval(x.T[::-1], c[::2, 1:]),
    )
    with pytest.raises(IndexError):
        polynomial.polyval(cp.ones(2), cp.ones(0))


@pytest.mark.parametrize("dtypes", ["dd", "ii", "fd", "dF"])
@pytest.mark.parametrize("r", [(1,), (4,), (3, 2), (3, 2, 5)])
@pytest.mark.parametrize("x", [(), (5,), (2, 5)])
@pytest.mark.parametrize("tensor", [True, False])
def test_polyvalfromroots(dtypes, r, x, tensor):
    r = sample(r, dtypes[0])
    x = sample(x, dtypes[1]) if x else np.asarray(2, dtypes[1])
    try:
        numpy = np.asarray(theirs.polyvalfromroots(x, r, tensor))
    except ValueError:
        with pytest.raises(ValueError, match="tensor|broadcast"):
            polynomial.polyvalfromroots(cp.asarray(x), cp.asarray(r), tensor)
        return
    agree(polynomial.polyvalfromroots(cp.asarray(x), cp.asarray(r), tensor), numpy)


@pytest.mark.parametrize("dtype", "bLefdFD")
@pytest.mark.parametrize("shape", [(), (4,), (2, 3), (0,)])
@pytest.mark.parametrize("deg", [0, 1, 4])
def test_polyvander(dtype, shape, deg):
    x = sample(shape, dtype) if shape else np.asarray(2, dtype)
    agree(polynomial.polyvander(cp.asarray(x), deg), theirs.polyvander(x, deg))


def test_orders_that_are_none():
    with pytest.raises(ValueError, match="non-negative"):
        polynomial.polyvander(cp.ones(2), -1)
    with pytest.raises(TypeError):
        polynomial.polyvander(cp.ones(2), 1.5)


@pytest.mark.parametrize("c", [[1, 2], [1, 2, 3], [1.5, 0, 0, 2], [1j, 2, 3, 0]])
def test_polycompanion(c):
    agree(polynomial.polycompanion(cp.array(c)), theirs.polycompanion(c))
    with pytest.raises(ValueError, match="degree"):
        polynomial.polycompanion(cp.array([3, 0]))


@pytest.mark.parametrize("c", [[0, 1, 2, 0, 0], [0, 0], [3], [1, 0, 2], [np.nan, 0]])
@pytest.mark.parametrize("dtype", "fdD")
def test_trimming(c, dtype):
    c = np.array(c, dtype)
    x = cp.asarray(c)
    agree(polyutils.trimseq(x), their_utils.trimseq(c))
    for tol in (0, 1, 5):
        agree(polyutils.trimcoef(x, tol), their_utils.trimcoef(c, tol))
    with pytest.raises(ValueError, match="non-negative"):
        polyutils.trimcoef(x, -1)
    assert polyutils.trimseq(cp.ones(0)).size == 0


@pytest.mark.parametrize("trim", [True, False])
@pytest.mark.parametrize("dtypes", ["ii", "fi", "ff", "eb", "dF"])
def test_as_series(trim, dtypes):
    a, b = sample((4,), dtypes[0]), sample((2,), dtypes[1])
    a[-1] = 0
    mine = polyutils.as_series([cp.asarray(a), cp.asarray(b)], trim)
    numpy = their_utils.as_series([a, b], trim)
    for x, y in zip(mine, numpy, strict=True):
        agree(x, y)


def test_what_is_no_series():
    for bad in ([], [[1, 2]], [True]):
        for utils, xp in ((polyutils, cp), (their_utils, np)):
            with pytest.raises(ValueError, match="Coefficient array"):
                utils.as_series([xp.array(bad)])


@pytest.mark.parametrize("dtype", "fdDl")
@pytest.mark.parametrize("step", [1, 2, -1, -3])
def test_polyval_of_strided_vectors(dtype, step):
    a = np.arange(1, 13).astype(dtype)
    b = np.arange(24).reshape(4, 6).astype(dtype)
    c, d = cp.asarray(a), cp.asarray(b)
    for p, x in ((a, b), (a[:4], a), (b[0], b[:, 1]), (a[:1], b.T), (a, b[1, 2])):
        mine = [cp.asarray(m) for m in (p, x)]
        if p.ndim and x.ndim:
            mine = [m[::step] for m in mine]
            p, x = p[::step], x[::step]
        got = cp.polyval(*mine), cp.polynomial.polynomial.polyval(mine[1], mine[0])
        expected = np.polyval(p, x), np.polynomial.polynomial.polyval(x, p)
        for y, z in zip(got, expected, strict=True):
            np.testing.assert_allclose(y.get(), z, rtol=1e-5)
    for tensor in (True, False):
        x = (a[:6], c[:6]) if not tensor else (a[::step], c[::step])
        np.testing.assert_allclose(
            cp.polynomial.polynomial.polyval(x[1], d[::step], tensor).get(),
            np.polynomial.polynomial.polyval(x[0], b[::step], tensor),
            rtol=1e-5,
        )
