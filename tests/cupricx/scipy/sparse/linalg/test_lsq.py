"""Least-squares solvers against SciPy's, and against exact solutions."""

import numpy as np
import pytest
from tests.cupricx.scipy.sparse.linalg.systems import LEAST_SQUARES, random

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import linalg as ours

theirs = pytest.importorskip("scipy.sparse.linalg")

SHAPES = [(60, 30), (30, 60), (25, 25), (1, 9), (9, 1), (1, 1), (3000, 5)]
NORMS = {"lsqr": slice(3, 5), "lsmr": slice(3, 4)}  # of the residual


def conditioned(shape, dtype, seed=0):
    """A matrix of moderate condition."""
    a = random(shape, dtype, seed).astype("D" if dtype in "FD" else "d")
    u, s, v = np.linalg.svd(a, full_matrices=False)
    return ((u * np.linspace(1, 3, len(s))) @ v).astype(dtype)


def compare(found, expected, dtype, norms):
    eps = np.finfo(dtype).eps
    x, y = found[0].get(), expected[0]
    assert x.shape == y.shape
    assert x.dtype == np.promote_types(dtype, "d")
    scale = max(abs(y).max(), 1e-30)
    np.testing.assert_allclose(x, y, atol=max(1e-9, 100 * eps) * scale)
    assert found[1] == expected[1]
    assert abs(found[2] - expected[2]) <= (0 if dtype in "dD" else 1)
    scale = max(1.0, *(abs(n) for n in expected[norms]))
    np.testing.assert_allclose(
        found[norms], expected[norms], rtol=1e-6, atol=1e3 * eps * scale
    )


@pytest.mark.parametrize("solver", LEAST_SQUARES)
@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("damp", [0.0, 0.5])
def test_against_scipy(solver, dtype, shape, damp):
    a, b = conditioned(shape, dtype), random(shape[0], dtype, 1)
    kwargs = {"damp": damp, "atol": 1e-5, "btol": 1e-5}
    with np.errstate(all="ignore"):
        expected = getattr(theirs, solver)(a, b, **kwargs)
    found = getattr(ours, solver)(cp.asarray(a), cp.asarray(b), **kwargs)
    compare(found, expected, dtype, NORMS[solver])


@pytest.mark.parametrize("solver", LEAST_SQUARES)
@pytest.mark.parametrize("damp", [0.0, 2.0])
def test_the_exact_solution(solver, damp):
    a, b = random((50, 20), "D"), random(50, "D", 1)
    more = {"iter_lim" if solver == "lsqr" else "maxiter": 200}
    x = getattr(ours, solver)(
        *(cp.asarray(a), cp.asarray(b)), damp=damp, atol=1e-14, btol=1e-14, **more
    )[0]
    padded = np.vstack((a, damp * np.eye(20)))
    expected = np.linalg.lstsq(padded, np.concatenate((b, np.zeros(20))))[0]
    np.testing.assert_allclose(x.get(), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("solver", LEAST_SQUARES)
def test_guesses(solver):
    a, b, x0 = conditioned((40, 20), "d"), random(40, "d", 1), random(20, "d", 2)
    expected = getattr(theirs, solver)(a, b, x0=x0, atol=1e-5)
    guess = cp.asarray(x0)
    found = getattr(ours, solver)(cp.asarray(a), cp.asarray(b), x0=guess, atol=1e-5)
    compare(found, expected, "d", NORMS[solver])
    assert (guess.get() == x0).all()


@pytest.mark.parametrize("solver", LEAST_SQUARES)
def test_nothing_to_solve(solver):
    a = conditioned((6, 4), "d")
    left = np.linalg.svd(a)[0][:, 5]  # orthogonal to all columns
    for b in (np.zeros(6), np.zeros((6, 1))):
        found = getattr(ours, solver)(cp.asarray(a), cp.asarray(b))
        expected = getattr(theirs, solver)(a, b)
        assert found[1:3] == expected[1:3] == (0, 0)
        assert (found[0] == 0).all()
    found = getattr(ours, solver)(cp.zeros((6, 4)), cp.asarray(left))
    assert found[1:3] == (0, 0)
    found = getattr(ours, solver)(cp.asarray(a), cp.zeros(6), x0=cp.ones(4))
    expected = getattr(theirs, solver)(a, np.zeros(6), x0=np.ones(4))
    np.testing.assert_allclose(found[0].get(), expected[0], atol=1e-9)


@pytest.mark.parametrize("solver", LEAST_SQUARES)
def test_why_it_stops(solver):
    a, b = random((40, 30), "d"), random(40, "d", 1)
    limit = "iter_lim" if solver == "lsqr" else "maxiter"
    for kwargs in (
        {limit: 3},
        {"conlim": 2.0},
        {"atol": 0, "btol": 0, limit: 500},
        {"atol": 0.5, "btol": 0.5},
    ):
        expected = getattr(theirs, solver)(a, b, **kwargs)
        found = getattr(ours, solver)(cp.asarray(a), cp.asarray(b), **kwargs)
        assert found[1] == expected[1]
    consistent = a @ random(30, "d", 2)
    found = getattr(ours, solver)(cp.asarray(a), cp.asarray(consistent), conlim=0)
    assert found[1] == getattr(theirs, solver)(a, consistent, conlim=0)[1]


@pytest.mark.parametrize("dtype", "dD")
def test_variances(dtype):
    a, b = conditioned((40, 12), dtype), random(40, dtype, 1)
    found = ours.lsqr(cp.asarray(a), cp.asarray(b), calc_var=True, atol=1e-9)
    expected = theirs.lsqr(a.real, b.real, calc_var=True, atol=1e-9)
    if dtype == "d":
        np.testing.assert_allclose(found[9].get(), expected[9], rtol=1e-4)
    assert (ours.lsqr(cp.asarray(a), cp.asarray(b))[9] == 0).all()


@pytest.mark.parametrize("solver", LEAST_SQUARES)
def test_kinds_of_matrices(solver):
    a, b = conditioned((40, 20), "D"), random(40, "D", 1)
    A, B = cp.asarray(a), cp.asarray(b)
    expected = getattr(ours, solver)(A, B)
    for matrix in (
        sparse.csr_matrix(A),
        sparse.csc_array(A),
        sparse.coo_matrix(A),
        ours.LinearOperator(a.shape, lambda x: A @ x, lambda x: A.conj().T @ x),
        ours.aslinearoperator(sparse.csr_matrix(A)),
    ):
        found = getattr(ours, solver)(matrix, B[:, None])
        np.testing.assert_allclose(found[0].get(), expected[0].get(), rtol=1e-8)
        assert found[1:3] == expected[1:3]


def test_the_third_argument_of_lsmr():
    a, b = cp.asarray(conditioned((9, 5), "d")), cp.asarray(random(9, "d", 1))
    by_name = ours.lsmr(a, b, damp=0.5)[0]
    assert (ours.lsmr(a, b, 0.5)[0] == by_name).all()  # as in SciPy
    guess = cp.ones(5)
    assert (ours.lsmr(a, b, guess)[0] == ours.lsmr(a, b, x0=guess)[0]).all()


@pytest.mark.parametrize("solver", LEAST_SQUARES)
def test_they_print(solver, capsys):
    a, b = cp.asarray(conditioned((9, 5), "d")), cp.asarray(random(9, "d", 1))
    shown = getattr(ours, solver)(a, b, show=True)
    text = capsys.readouterr().out
    assert "norm A" in text
    assert f"{shown[2]} iterations" in text
    assert (shown[0] == getattr(ours, solver)(a, b)[0]).all()


@pytest.mark.parametrize("solver", LEAST_SQUARES)
def test_arguments_that_do_not_fit(solver):
    with pytest.raises(ValueError, match="4 elements"):
        getattr(ours, solver)(cp.ones((4, 3)), cp.ones(3))
    with pytest.raises(ValueError, match="3 elements"):
        getattr(ours, solver)(cp.ones((4, 3)), cp.ones(4), x0=cp.ones(4))
    with pytest.raises(TypeError):
        getattr(ours, solver)(cp.ones((4, 3)), np.ones(4))
