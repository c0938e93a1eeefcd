"""Equations with triangular matrices against SciPy."""

import itertools

import numpy as np
import pytest

import cupric as cp
import cupricx
import cupricx.scipy.linalg as ours

theirs = pytest.importorskip("scipy.linalg")

SHAPES = [
    ((1, 1), (1,)),
    ((4, 4), (4,)),
    ((4, 4), (4, 5)),
    ((17, 17), (17, 1)),
    ((40, 40), (40, 60)),
    ((150, 150), (150,)),
    ((300, 300), (300,)),
    ((150, 150), (150, 33)),
    ((3, 4, 4), (4,)),
    ((3, 4, 4), (4, 5)),
    ((3, 4, 4), (3, 4, 5)),
    ((4, 4), (3, 4, 5)),
    ((2, 60, 60), (2, 60, 5)),
    ((4, 4), (4, 0)),
    ((0, 0), (0,)),
]


def sample(shape, dtype, seed):
    rng = np.random.default_rng(seed)
    a = rng.random(shape) * 2 - 1
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.random(shape)
    return a.astype(dtype)


def matrix(shape, dtype):
    """Well conditioned in both triangles."""
    n = shape[-1]
    a = sample(shape, dtype, 0) / np.sqrt(max(n, 1))
    return a.astype(dtype) + 2 * np.eye(n, dtype=dtype)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize(("shape", "side"), SHAPES)
def test_solve_triangular(shape, side, dtype):
    a, b = matrix(shape, dtype), sample(side, dtype, 1)
    for trans, lower, unit in itertools.product([0, 1, 2], [0, 1], [0, 1]):
        x = ours.solve_triangular(
            cp.asarray(a), cp.asarray(b), trans, bool(lower), bool(unit)
        )
        expected = theirs.solve_triangular(a, b, trans, bool(lower), bool(unit))
        assert x.shape == expected.shape
        assert x.dtype == expected.dtype
        if unit and shape[-1] > 40:
            continue  # a unit diagonal leaves the condition to the rest
        np.testing.assert_allclose(
            x.get(), expected, rtol=0, atol=300 * np.finfo(dtype).eps * 4
        )


@pytest.mark.parametrize("shape", [(3, 4, 4), (4, 4, 4), (5, 4, 4), (2, 3, 4, 4)])
def test_a_vector_for_each_matrix(shape):
    """As in CuPy, also where the vectors might be columns."""
    a, b = matrix(shape, "d"), sample(shape[:-1], "d", 1)
    for trans, lower in itertools.product("NTC", [False, True]):
        x = ours.solve_triangular(cp.asarray(a), cp.asarray(b), trans, lower)
        expected = theirs.solve_triangular(a, b[..., None], trans, lower)[..., 0]
        assert x.shape == expected.shape
        np.testing.assert_allclose(x.get(), expected, rtol=1e-12)
    columns = ours.solve_triangular(cp.asarray(a), cp.asarray(b)[..., None])
    assert columns.shape == (*shape[:-1], 1)


def test_finite_where_it_is_read():
    a, b = np.array([[2.0, np.nan], [1.0, 4.0]]), np.array([2.0, 9.0])
    check = {"check_finite": True}
    x = ours.solve_triangular(cp.asarray(a), cp.asarray(b), lower=True, **check)
    assert x.get().tolist() == [1, 2]
    with pytest.raises(ValueError, match="infs or NaNs"):
        ours.solve_triangular(cp.asarray(a), cp.asarray(b), **check)
    a[0, 0] = np.inf
    unit = {"unit_diagonal": True, "lower": True}
    x = ours.solve_triangular(cp.asarray(a), cp.asarray(b), **unit, **check)
    assert x.get().tolist() == [2, 7]
    with pytest.raises(ValueError, match="infs or NaNs"):
        ours.solve_triangular(cp.asarray(a), cp.asarray(b), lower=True, **check)


@pytest.mark.parametrize("unit", [False, True])
def test_the_other_triangle_and_a_unit_diagonal_are_not_read(unit):
    a = np.tril(matrix((90, 90), "d"))
    b = sample((90, 20), "d", 1)
    expected = ours.solve_triangular(
        cp.asarray(a), cp.asarray(b), lower=True, unit_diagonal=unit
    )
    a[np.triu_indices(90, 0 if unit else 1)] = np.nan
    x = ours.solve_triangular(
        cp.asarray(a), cp.asarray(b), lower=True, unit_diagonal=unit
    )
    np.testing.assert_array_equal(x.get(), expected.get())
    x = ours.solve_triangular(
        cp.asarray(a).T, cp.asarray(b), trans="T", lower=False, unit_diagonal=unit
    )
    assert np.isfinite(x.get()).all()


@pytest.mark.parametrize("types", [*itertools.product("ei?", "eif"), "fD", "lf", "bB"])
def test_dtypes(types):
    a = (np.eye(3) * 2 + np.triu(np.ones((3, 3)))).astype(types[0])
    b = np.arange(3).astype(types[1])
    x = ours.solve_triangular(cp.asarray(a), cp.asarray(b))
    expected = theirs.solve_triangular(a, b)
    assert x.dtype == expected.dtype
    np.testing.assert_allclose(x.get(), expected, rtol=1e-6)


def test_layouts():
    a, b = matrix((6, 6), "d"), sample((6, 4), "d", 1)
    expected = ours.solve_triangular(cp.asarray(a), cp.asarray(b)).get()
    wide = np.zeros((12, 18))
    wide[::2, ::3] = a
    for given in (cp.asarray(wide)[::2, ::3], cp.asarray(a.T.copy()).T):
        for side in (cp.asarray(b.T.copy()).T, cp.asarray(b[::-1].copy())[::-1]):
            x = ours.solve_triangular(given, side, overwrite_b=True)
            np.testing.assert_array_equal(x.get(), expected)
            np.testing.assert_array_equal(side.get(), b)


def test_a_zero_on_the_diagonal():
    a = np.diag([1.0, 0, 2])
    with pytest.raises(np.linalg.LinAlgError, match="failed at diagonal 1"):
        ours.solve_triangular(cp.asarray(a), cp.ones(3))
    with pytest.raises(np.linalg.LinAlgError, match="failed at diagonal 1"):
        theirs.solve_triangular(a, np.ones(3))
    with cupricx.errstate(linalg="ignore"):
        x = ours.solve_triangular(cp.asarray(a), cp.ones(3))
    assert not np.isfinite(x.get()[1])
    assert ours.solve_triangular(cp.asarray(a), cp.ones(3), unit_diagonal=True).all()


@pytest.mark.filterwarnings("ignore:allow_synchronize:UserWarning")
def test_nothing_is_waited_for_where_nothing_is_looked_at():
    a, b = cp.asarray(matrix((9, 9), "d")), cp.asarray(sample((9,), "d", 1))
    with cupricx.errstate(linalg="ignore"), cupricx.allow_synchronize(False):
        ours.solve_triangular(a, b)
        ours.lu_factor(a, check_finite=False)


def test_errors():
    eye, b = cp.eye(3), cp.ones(3)
    with pytest.raises(ValueError, match="expected square matrix"):
        ours.solve_triangular(cp.ones((3, 4)), b)
    with pytest.raises(ValueError, match=r"\(3, 3\) and b \(4,\)"):
        ours.solve_triangular(eye, cp.ones(4))
    with pytest.raises(ValueError, match="trans must be"):
        ours.solve_triangular(eye, b, trans=7)
    with pytest.raises(ValueError, match="infs or NaNs"):
        ours.solve_triangular(eye, cp.full(3, np.inf), check_finite=True)
    with pytest.raises(TypeError, match="Unsupported type"):
        ours.solve_triangular(np.eye(3), b)
    with pytest.raises(TypeError, match="Unsupported type"):
        ours.solve_triangular(eye, np.ones(3))


def test_zeros_are_found_while_equations_are_solved():
    """By a word that is free again whatever comes after."""
    from cupric._lib.kernels import _word

    a = cp.asarray(np.diag([1.0, 0.0, 2.0]))
    b = cp.ones((3, 2))
    for _ in range(3):
        with pytest.raises(np.linalg.LinAlgError, match="diagonal 1"):
            ours.solve_triangular(a, b)
    nwords = len(_word._words)

    def fails():
        raise MemoryError("of the solution")

    for _ in range(3):
        with pytest.raises(MemoryError, match="of the solution"):
            _word.call_with_word(lambda a, address: a.sum(), a, then=fails)
    assert len(_word._words) == nwords
    good = a + cp.eye(3)
    np.testing.assert_array_equal(
        ours.solve_triangular(good, b).get(), np.linalg.solve(good.get(), b.get())
    )


@pytest.mark.parametrize(
    ("n", "k"), [(127, 3), (128, 1), (130, 7), (200, 900), (1100, 600)]
)
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("dtype", "fdFD")
def test_sides(dtype, lower, n, k):
    """Sizes for which matrices are on either side of cuBLAS's equations."""
    rng = np.random.default_rng(n)
    a = rng.uniform(-1, 1, (n, n)) / n + 2 * np.eye(n)
    b = rng.uniform(-1, 1, (n, k))
    if dtype in "FD":
        a, b = a + 1j * rng.uniform(-1, 1, (n, n)) / n, b - 2j * b
    a, b = a.astype(dtype), b.astype(dtype)
    tolerance = 1e-5 if dtype in "fF" else 1e-12
    for trans in (0, 1, 2):
        want = theirs.solve_triangular(a, b, trans=trans, lower=lower)
        got = ours.solve_triangular(
            cp.asarray(a), cp.asarray(b), trans=trans, lower=lower
        )
        np.testing.assert_allclose(got.get(), want, rtol=tolerance, atol=tolerance)
        got = ours.solve_triangular(
            cp.asarray(a), cp.asarray(b[:, 0]), trans=trans, lower=lower
        )
        np.testing.assert_allclose(
            got.get(), want[:, 0], rtol=tolerance, atol=tolerance
        )
    if n < 200:
        stack = np.stack([a, 2 * a])
        got = ours.solve_triangular(
            cp.asarray(stack), cp.asarray(np.stack([b, b])), lower=lower
        )
        want = theirs.solve_triangular(a, b, lower=lower)
        np.testing.assert_allclose(got[0].get(), want, rtol=tolerance, atol=tolerance)
        np.testing.assert_allclose(
            got[1].get(), want / 2, rtol=tolerance, atol=tolerance
        )
