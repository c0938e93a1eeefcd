"""poly1d and the functions of coefficients, the highest power first, against NumPy."""

import warnings

import numpy as np
import pytest

import cupric as cp

RNG = np.random.default_rng(0)
DTYPES = "bBiLfdFD"


def sample(n, dtype="d"):
    a = RNG.integers(1, 9, n)
    return (a + 1j * a[::-1] if dtype in "FD" else a).astype(dtype)


def agree(mine, numpy, bound=1e-12):
    if isinstance(numpy, tuple):
        assert len(mine) == len(numpy)
        for a, b in zip(mine, numpy, strict=True):
            agree(a, b, bound)
        return
    if isinstance(numpy, np.poly1d):
        assert isinstance(mine, cp.poly1d)
        assert mine.variable == numpy.variable
        mine, numpy = mine.coeffs, numpy.coeffs
    numpy = np.asarray(numpy)
    assert (mine.dtype, mine.shape) == (numpy.dtype, numpy.shape)
    if mine.dtype.char in "fF":
        bound = max(bound, 1e-5)
    np.testing.assert_allclose(mine.get(), numpy, rtol=bound, atol=bound)


@pytest.mark.parametrize("f", ["polyadd", "polysub", "polymul", "polydiv"])
@pytest.mark.parametrize("dtypes", ["dd", "bi", "fd", "iF", "DD", "ff", "BB"])
@pytest.mark.parametrize("sizes", [(3, 3), (1, 4), (5, 2), (2, 3)])
def test_of_two(f, dtypes, sizes):
    a, b = (sample(n, t) for n, t in zip(sizes, dtypes, strict=True))
    if sizes == (2, 3):
        a[0] = b[0] = 0  # what poly1d leaves out
        if f == "polydiv":
            return
    x, y = cp.asarray(a), cp.asarray(b)
    mine, numpy = getattr(cp, f), getattr(np, f)
    agree(mine(x, y), numpy(a, b))
    agree(mine(cp.poly1d(x), y), numpy(np.poly1d(a), b))
    agree(mine(x, cp.poly1d(y)), numpy(a, np.poly1d(b)))
    agree(mine(x[::-1], 3), numpy(a[::-1], 3)) if b[0] else None


@pytest.mark.parametrize("dtype", [*"?bBhHiIlLefdFD"])
@pytest.mark.parametrize("n", [0, 1, 2, 7])
@pytest.mark.parametrize("shape", [(), (5,), (0,), (3, 4)])
def test_polyval(dtype, n, shape):
    c = sample(n, dtype)
    points = (RNG.integers(-2, 3, shape) % 4).astype(dtype)
    with np.errstate(all="ignore"):
        numpy = np.polyval(c, points)
    agree(
        cp.polyval(cp.asarray(c), cp.asarray(points)),
        numpy,
        1e-2 if dtype == "e" else 0,
    )


@pytest.mark.parametrize("dtypes", ["df", "id", "bL", "Df", "eh"])
def test_polyval_of_two_dtypes_and_of_views(dtypes):
    c, x = sample(4, dtypes[0]), sample(12, dtypes[1]).reshape(3, 4)
    views = np.s_[::-1, ::2]
    agree(cp.polyval(cp.asarray(c), cp.asarray(x)), np.polyval(c, x), 1e-2)
    agree(
        cp.polyval(cp.asarray(c)[::-2], cp.asarray(x)[views].T),
        np.polyval(c[::-2], x[views].T),
        1e-2,
    )
    agree(cp.polyval(cp.asarray(c), 2), np.polyval(c, 2), 1e-2)
    p, q = cp.poly1d([1, 2, 3]), cp.poly1d([2, 0])
    agree(cp.polyval(p, q), np.polyval(np.poly1d([1, 2, 3]), np.poly1d([2, 0])))
    agree(p(cp.asarray(x)), np.poly1d([1, 2, 3])(x), 1e-2)


@pytest.mark.parametrize("dtype", "bifdD")
@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("m", [0, 1, 2, 7])
def test_derivatives_and_integrals(dtype, n, m):
    c = sample(n, dtype)
    x = cp.asarray(c)
    agree(cp.polyder(x, m), np.polyder(c, m))
    agree(cp.polyint(x, m), np.polyint(c, m))
    agree(cp.polyder(cp.poly1d(x), m), np.polyder(np.poly1d(c), m))
    agree(cp.polyint(cp.poly1d(x), m), np.polyint(np.poly1d(c), m))
    agree(cp.polyint(x, m, 3), np.polyint(c, m, 3))
    k = list(range(1, m + 1))
    agree(cp.polyint(x, m, k), np.polyint(c, m, k))
    agree(cp.poly1d(x).deriv(m), np.poly1d(c).deriv(m))
    agree(cp.poly1d(x).integ(m, k), np.poly1d(c).integ(m, k))


def test_orders_that_are_none():
    for f in (cp.polyder, cp.polyint):
        with pytest.raises(ValueError, match="Order of"):
            f(cp.ones(3), -1)
    with pytest.raises(ValueError, match="k must be"):
        cp.polyint(cp.ones(3), 3, [1, 2])


@pytest.mark.parametrize("dtype", "ifdD")
@pytest.mark.parametrize("n", [0, 1, 4])
def test_poly(dtype, n):
    zeros = sample(n, dtype)
    agree(cp.poly(cp.asarray(zeros)), np.asarray(np.poly(zeros)))


def test_poly_of_pairs_and_of_matrices():
    zeros = np.array([1 + 2j, 1 - 2j, 3])
    agree(cp.poly(cp.asarray(zeros)), np.poly(zeros))
    a = sample(9).reshape(3, 3)
    agree(cp.poly(cp.asarray(a)), np.poly(a), 1e-8)
    for bad in (np.ones((2, 3)), np.ones((0, 0)), np.ones((2, 2, 2))):
        with pytest.raises(ValueError, match="square 2d array"):
            cp.poly(cp.asarray(bad))


@pytest.mark.parametrize("c", [[1, -3, 2], [0, 0, 1, 2, 0], [2], [0], [], [1, 0, 1]])
@pytest.mark.parametrize("dtype", "ifdD")
def test_roots(c, dtype):
    c = np.array(c, dtype)
    agree(cp.roots(cp.asarray(c)), np.roots(c))
    if c.size:
        agree(cp.roots(cp.poly1d(c)), np.roots(np.poly1d(c)))
        agree(cp.poly1d(c).r, np.poly1d(c).r)
    with pytest.raises(ValueError, match="rank-1"):
        cp.roots(cp.ones((2, 2)))


# ---- polyfit -------------------------------------------------------------------------


@pytest.mark.parametrize("dtypes", ["dd", "if", "ff", "id", "dD"])
@pytest.mark.parametrize("columns", [(), (3,)])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "more", [{}, {"full": True}, {"cov": True}, {"cov": "unscaled"}, {"rcond": 1e-3}]
)
def test_polyfit(dtypes, columns, weighted, more):
    x = np.arange(10).astype(dtypes[0])
    y = RNG.random((10, *columns)).astype(dtypes[1])
    w = RNG.random(10) + 1 if weighted else None
    mine = cp.polyfit(
        cp.asarray(x),
        cp.asarray(y),
        2,
        w=None if w is None else cp.asarray(w),
        **more,
    )
    numpy = np.polyfit(x, y, 2, w=w, **more)
    bound = 1e-3 if "f" in dtypes else 1e-8
    if "full" in more:
        assert mine[-1] == numpy[-1]
        assert int(mine[2]) == numpy[2]
        mine, numpy = (*mine[:2], mine[3]), (*numpy[:2], numpy[3])
    agree(mine, numpy, bound)


def test_polyfit_without_enough_points():
    x = np.array([1.0, 2.0])
    with pytest.warns(np.exceptions.RankWarning):
        mine = cp.polyfit(cp.asarray(x), cp.asarray(x), 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agree(mine, np.polyfit(x, x, 3), 1e-8)
    with (
        pytest.warns(np.exceptions.RankWarning),
        pytest.raises((ValueError, np.linalg.LinAlgError)),
    ):
        cp.polyfit(cp.asarray(x), cp.asarray(x), 3, cov=True)
    with pytest.raises(ValueError, match="number of data points"):
        cp.polyfit(cp.asarray(x), cp.asarray(x), 1, cov=True)


def test_polyfit_of_a_degree_that_is_a_float():
    x = np.arange(5.0)
    found = cp.polyfit(cp.array(x), cp.array(x**2), 2.0)
    np.testing.assert_allclose(found.get(), np.polyfit(x, x**2, 2.0), atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (((3,), (3,), -1), ValueError),
        (((3, 1), (3,), 1), TypeError),
        (((0,), (0,), 1), TypeError),
        (((3,), (3, 1, 1), 1), TypeError),
        (((3,), (2,), 1), TypeError),
    ],
)
def test_what_polyfit_refuses(arguments, error):
    x, y, deg = arguments
    for xp in (cp, np):
        with pytest.raises(error, match="expected"):
            xp.polyfit(xp.ones(x), xp.ones(y), deg)
    for w in ((3, 1), (2,)):
        for xp in (cp, np):
            with pytest.raises(TypeError, match="weights|w and y"):
                xp.polyfit(xp.arange(3), xp.ones(3), 1, w=xp.ones(w))


# ---- the class -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "given", [[1, 2, 3], [0, 0, 1, 0], [0, 0], [], 5, [1.5, -2], [1j, 0, 2]]
)
def test_poly1d_is_numpys(given):
    p, q = cp.poly1d(given), np.poly1d(given)
    agree(p, q)
    assert (str(p), repr(p)) == (str(q), repr(q))
    assert (p.order, p.o, len(p)) == (q.order, q.o, len(q))
    assert p.get() == q
    assert p == cp.poly1d(q)
    for name in ("c", "coef", "coefficients", "coeffs"):
        assert getattr(p, name) is p.coeffs
    assert [complex(x) for x in p] == list(q)
    for i in range(-1, 5):
        assert complex(p[i]) == q[i]


def test_roots_and_variables():
    agree(cp.poly1d(cp.array([1, 2]), True), np.poly1d([1, 2], True))
    p = cp.poly1d([1, 2], variable="z")
    assert str(p) == str(np.poly1d([1, 2], variable="z"))
    assert cp.poly1d(p).variable == "z"
    assert cp.poly1d(np.poly1d([1, 2], variable="y")).variable == "y"
    with pytest.raises(ValueError, match="1d only"):
        cp.poly1d(cp.ones((2, 2)))


OPERATIONS = {
    "+": lambda p, q: p + q,
    "-": lambda p, q: p - q,
    "*": lambda p, q: p * q,
}


@pytest.mark.parametrize("f", OPERATIONS)
def test_operators(f):
    f = OPERATIONS[f]
    p, q = cp.poly1d([1, 2, 3]), np.poly1d([1, 2, 3])
    agree(f(p, cp.poly1d([4, 5])), f(q, np.poly1d([4, 5])))
    for number in (2, 2.5, 1j, np.float32(3)):
        agree(f(p, number), f(q, number))
    for number in (2, 2.5, 1j):
        agree(f(number, p), f(number, q))
    array = np.array([1.0, 2.0])
    agree(f(p, cp.asarray(array)), f(q, array))
    agree(f(cp.asarray(array), p), f(np.poly1d(array), q))


def test_unary_and_powers():
    p, q = cp.poly1d([1, 2]), np.poly1d([1, 2])
    agree(-p, -q)
    assert +p is p
    for n in (0, 1, 3, np.int8(2)):
        agree(p**n, q**n)
    for bad in (-1, 1.5, cp.array([1, 2])):
        with pytest.raises(ValueError, match="Power"):
            p**bad
    with pytest.raises(TypeError):
        2**p
    with pytest.raises(TypeError):
        hash(p)


def test_division():
    p, q = cp.poly1d([3.0, 5, 2]), np.poly1d([3.0, 5, 2])
    agree(p / 2, q / 2)
    agree(p / cp.poly1d([2, 1]), q / np.poly1d([2, 1]))
    agree(cp.poly1d([1, 0, 0, 1]) / p, np.poly1d([1, 0, 0, 1]) / q)


def test_equality():
    p = cp.poly1d([1, 2])
    assert p == cp.poly1d([0, 1, 2])
    assert p != cp.poly1d([1, 3])
    assert p != cp.poly1d([1, 2, 3])
    assert p != 3
    assert (p != cp.poly1d([1.0, 2.0])) is False


def test_coefficients_are_set():
    p, q = cp.poly1d([1, 2]), np.poly1d([1, 2])
    p[3], q[3] = 7, 7
    p[0], q[0] = -1, -1
    agree(p, q)
    with pytest.raises(ValueError, match="negative powers"):
        p[-1] = 0
    p.coeffs += 1
    q.coeffs += 1
    agree(p, q)
    with pytest.raises(AttributeError):
        p.coeffs = cp.ones(2)
    p.set(np.poly1d([3.0, 4], variable="t"))
    assert repr(p.get()) == "poly1d([3., 4.])"
    assert p.variable == "t"
    p.set(np.array([5, 6, 7]))
    agree(p.coeffs, np.array([5, 6, 7]))
    with pytest.raises(TypeError, match="numpy.poly1d"):
        p.set([1, 2])
    with pytest.raises(TypeError, match="Implicit conversion"):
        np.asarray(p)


def test_polynomials_of_another_packages():
    """numpy.poly1d is taken where coefficients are, and gives a poly1d."""
    agree(cp.polyadd(np.poly1d([1, 2]), cp.array([3])), np.poly1d([1, 5]))
    agree(cp.polyval(np.poly1d([1, 2]), cp.array([3])), np.array([5]))
    agree(cp.polyadd(np.array([1, 2]), cp.array([3])), np.array([1, 5]))


@pytest.mark.parametrize("f", ["polyval", "polyder", "polyint"])
def test_coefficients_have_one_axis(f):
    more = (cp.ones(2),) if f == "polyval" else ()
    with pytest.raises(TypeError, match="one axis"):
        getattr(cp, f)(cp.array(1.0), *more)
    with pytest.raises(ValueError, match="one axis"):
        getattr(cp, f)(cp.ones((2, 2)), *more)


def test_values_at_infinity_are_numpys():
    x = np.array([np.inf, -np.inf, np.nan, 0])
    with np.errstate(all="ignore"):
        for c in ([3.0], [1.0, 2.0]):
            agree(cp.polyval(cp.array(c), cp.asarray(x)), np.polyval(c, x))
