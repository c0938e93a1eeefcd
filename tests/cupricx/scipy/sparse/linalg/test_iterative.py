"""Iterative solvers of square systems against SciPy's."""

import numpy as np
import pytest
from tests.cupricx.scipy.sparse.linalg.systems import SQUARE, matrix, poisson, random

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import linalg as ours

theirs = pytest.importorskip("scipy.sparse.linalg")

GUESSED = [s for s in SQUARE if s != "minres"]


def error(a, x, b):
    return np.linalg.norm(a @ x - b) / np.linalg.norm(b)


def close(actual, expected, digits):
    assert isinstance(actual, cp.ndarray)
    assert actual.shape == expected.shape
    limit = digits * np.finfo(actual.dtype).eps * abs(expected).max()
    assert abs(actual.get() - expected).max() <= limit


def counted(solve, a, b, **kwargs):
    """The result, and how many iterations (of lgmres: cycles) there were."""
    calls = []
    if solve.__name__ == "gmres":
        kwargs["callback_type"] = "pr_norm"
    x, info = solve(a, b, callback=calls.append, **kwargs)
    return x, info, len(calls)


@pytest.mark.parametrize("solver", SQUARE)
@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("n", [1, 2, 30, 1500])
def test_iterations_are_those_of_scipy(solver, dtype, n):
    if solver == "minres" and dtype in "FD":
        pytest.skip("SciPy's minres is for real matrices")
    a, b = matrix(solver, n, dtype), random(n, dtype, 1)
    x, info, count = counted(getattr(theirs, solver), a, b)
    mine = getattr(ours, solver)
    A, B = cp.asarray(a), cp.asarray(b)
    y, mine_info, mine_count = counted(mine, A, B)
    assert y.dtype == np.dtype(dtype)
    assert mine_info == info == 0
    assert abs(mine_count - count) <= (0 if dtype in "dD" else 2)
    digits = 1e4 if dtype in "dD" else 1e3
    close(y, x, digits)
    # Without a callback iterations run ahead, with the same result.
    z, z_info = mine(A, B)
    assert z_info == 0
    assert (z == y).all()
    assert (mine(A, B)[0] == z).all()


@pytest.mark.parametrize("solver", SQUARE)
@pytest.mark.parametrize("dtype", "dD")
def test_complex_systems_are_solved(solver, dtype):
    a, b = matrix(solver, 40, dtype), random(40, dtype, 1)
    x, info = getattr(ours, solver)(cp.asarray(a), cp.asarray(b), rtol=1e-10)
    assert info == 0
    assert error(a, x.get(), b) < 1e-9


@pytest.mark.parametrize("solver", SQUARE)
@pytest.mark.parametrize("kind", ["array", "sparse", "operator"])
def test_preconditioners(solver, kind):
    n = 40
    a, b = matrix(solver, n, "d"), random(n, "d", 1)
    a = a * (1 + np.arange(n))[:, None] if solver not in ("cg", "minres") else a
    m = np.diag(1 / abs(np.diag(a)))
    P = {
        "array": lambda: cp.asarray(m),
        "sparse": lambda: sparse.csr_matrix(cp.asarray(m)),
        "operator": lambda: ours.LinearOperator(
            (n, n), lambda x: cp.asarray(m) @ x, rmatvec=lambda x: cp.asarray(m) @ x
        ),
    }[kind]()
    if solver == "qmr":
        one = theirs.aslinearoperator(np.eye(n))
        expected = theirs.qmr(a, b, M1=theirs.aslinearoperator(m), M2=one)
        found = ours.qmr(cp.asarray(a), cp.asarray(b), M1=P)
    else:
        expected = getattr(theirs, solver)(a, b, M=m)
        found = getattr(ours, solver)(cp.asarray(a), cp.asarray(b), M=P)
    assert found[1] == expected[1] == 0
    close(found[0], expected[0], 1e6)


@pytest.mark.parametrize("solver", SQUARE)
def test_formats_and_shapes(solver):
    a, b = matrix(solver, 12, "d"), random(12, "d", 1)
    expected, _ = getattr(ours, solver)(cp.asarray(a), cp.asarray(b))
    for A in (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix):
        x, info = getattr(ours, solver)(A(cp.asarray(a)), cp.asarray(b[:, None]))
        assert x.shape == (12,)
        assert info == 0
        close(x, expected.get(), 1e3)


@pytest.mark.parametrize("solver", SQUARE)
def test_guesses(solver):
    a, b = matrix(solver, 30, "d"), random(30, "d", 1)
    A, B = cp.asarray(a), cp.asarray(b)
    guess = random(30, "d", 2)
    for shape in ((30,), (30, 1)):
        x0 = cp.asarray(guess.reshape(shape))
        x, info = getattr(ours, solver)(A, B, x0)
        expected, _ = getattr(theirs, solver)(a, b, guess)
        assert info == 0
        close(x, expected, 1e4)
        assert (x0.get() == guess.reshape(shape)).all()
    exact = np.linalg.solve(a, b)
    calls = []
    x, info = getattr(ours, solver)(A, B, cp.asarray(exact), rtol=1e-8)
    assert info == 0
    close(x, exact, 1e4)
    assert not calls


def test_the_preconditioned_right_side_as_a_guess():
    a, b = matrix("cg", 20, "d"), random(20, "d", 1)
    m = np.diag(1 / np.diag(a))
    expected = theirs.cg(a, b, "Mb", M=m)
    found = ours.cg(cp.asarray(a), cp.asarray(b), "Mb", M=cp.asarray(m))
    close(found[0], expected[0], 1e4)
    with pytest.raises(ValueError, match="'Mb'"):
        ours.cg(cp.asarray(a), cp.asarray(b), "b")


@pytest.mark.parametrize("solver", SQUARE)
@pytest.mark.parametrize("dtype", "fD")
def test_a_right_side_of_zeros(solver, dtype):
    a = cp.asarray(matrix(solver, 10, dtype))
    x, info = getattr(ours, solver)(a, cp.zeros(10, dtype))
    assert info == 0
    assert x.dtype == np.dtype(dtype)
    assert (x == 0).all()
    if solver != "minres":
        x, info = getattr(ours, solver)(a, cp.zeros(10, dtype), cp.ones(10, dtype))
        assert info == 0
        assert (x == 0).all()


@pytest.mark.parametrize("solver", SQUARE)
@pytest.mark.parametrize("maxiter", [0, 1, 3])
def test_too_few_iterations(solver, maxiter):
    a, b = matrix(solver, 60, "d"), random(60, "d", 1)
    more = {}
    if solver == "gmres":
        more = {"restart": 2}
    elif solver == "lgmres":
        more = {"inner_m": 2}
    elif solver == "minres":
        more = {"rtol": 1e-12}
    if maxiter == 0 and solver == "gmres":
        return  # SciPy fails
    x, info = getattr(theirs, solver)(a, b, maxiter=maxiter, **more)
    y, mine = getattr(ours, solver)(
        cp.asarray(a), cp.asarray(b), maxiter=maxiter, **more
    )
    assert mine == info
    close(y, x, 1e4) if maxiter else None


@pytest.mark.parametrize("solver", GUESSED)
def test_an_absolute_tolerance(solver):
    a, b = matrix(solver, 40, "d"), random(40, "d", 1)
    x, info = getattr(ours, solver)(cp.asarray(a), cp.asarray(b), rtol=0, atol=0.1)
    expected, _ = getattr(theirs, solver)(a, b, rtol=0, atol=0.1)
    assert info == 0
    close(x, expected, 1e4)
    for wrong in (None, "legacy", -1.0):
        with pytest.raises(ValueError, match="atol"):
            getattr(ours, solver)(cp.asarray(a), cp.asarray(b), atol=wrong)


@pytest.mark.parametrize("solver", SQUARE)
def test_other_dtypes_are_solved_in_double_precision(solver):
    a = np.rint(matrix(solver, 12, "d") * 8).astype("i")
    for dtype in "ie":
        b = np.arange(1, 13).astype(dtype)
        x, info = getattr(ours, solver)(cp.asarray(a), cp.asarray(b), rtol=1e-9)
        assert x.dtype == np.float64
        assert info == 0
        assert error(a, x.get(), b.astype("d")) < 1e-7


@pytest.mark.parametrize("solver", SQUARE)
def test_a_complex_right_side_of_a_real_matrix(solver):
    a, b = matrix(solver, 30, "f"), random(30, "D", 1)
    x, info = getattr(ours, solver)(cp.asarray(a), cp.asarray(b), rtol=1e-8)
    assert x.dtype == np.complex128
    assert info == 0
    assert error(a, x.get(), b) < 1e-6


@pytest.mark.parametrize("solver", SQUARE)
def test_arguments_that_do_not_fit(solver):
    solve = getattr(ours, solver)
    a, b = cp.eye(4), cp.ones(4)
    with pytest.raises(ValueError, match="square"):
        solve(cp.ones((4, 3)), b)
    with pytest.raises(ValueError, match="incompatible"):
        solve(a, cp.ones(3))
    with pytest.raises(ValueError, match="incompatible"):
        solve(a, cp.ones((4, 2)))
    with pytest.raises(ValueError, match="incompatible"):
        solve(a, b, cp.ones(5))
    with pytest.raises(TypeError):
        solve(a, np.ones(4))
    with pytest.raises(TypeError):
        solve(np.eye(4), b)
    if solver != "qmr":
        with pytest.raises(ValueError, match="different shapes"):
            solve(a, b, M=cp.eye(5))


@pytest.mark.parametrize("solver", SQUARE)
def test_a_product_that_is_complex_in_a_real_system(solver):
    A = ours.LinearOperator((4, 4), lambda x: 1j * x, lambda x: 1j * x, dtype="d")
    with pytest.raises(TypeError, match="complex"):
        getattr(ours, solver)(A, cp.ones(4))


# ---- breakdowns ----------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["bicg", "bicgstab", "cgs", "qmr"])
@pytest.mark.parametrize(
    "a",
    [
        [[0.0, 1], [-1, 0]],
        [[0.0, 1], [1, 0]],
        [[0.0, 0], [0, 0]],
        [[1.0, 1], [1, 1]],
        [[0.0, 1], [0, 0]],
        [[1.0, -1], [1, -1]],
        [[2.0, 0], [0, 0]],
    ],
)
@pytest.mark.parametrize("b", [[1.0, 0], [0.0, 1], [1.0, 1], [1.0, -1]])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_breakdowns_are_those_of_scipy(solver, a, b):
    a, b = np.array(a), np.array(b)
    with np.errstate(all="ignore"):
        x, info = getattr(theirs, solver)(a, b)
    y, mine = getattr(ours, solver)(cp.asarray(a), cp.asarray(b))
    assert mine == info
    np.testing.assert_allclose(y.get(), x, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("solver", ["gmres", "lgmres"])
def test_singular_systems_of_gmres(solver):
    for a in ([[0.0, 1], [0, 0]], [[1.0, 1], [1, 1]], [[2.0, 0], [0, 0]]):
        for b in ([1.0, 0], [1.0, 1], [0.0, 1]):
            a, b = np.array(a), np.array(b)
            with np.errstate(all="ignore"):
                x, info = getattr(theirs, solver)(a, b, maxiter=10)
            y, mine = getattr(ours, solver)(cp.asarray(a), cp.asarray(b), maxiter=10)
            assert (mine == 0) == (info == 0)
            if info == 0:
                assert error(a, y.get(), b) < 1e-5


def test_a_singular_system_of_minres():
    a = np.diag([1.0, 2, 3, 0])
    b = np.array([1.0, 2, 3, 0])
    x, info = ours.minres(cp.asarray(a), cp.asarray(b))
    assert info == 0
    np.testing.assert_allclose(x.get(), [1, 1, 1, 0], atol=1e-6)


def test_what_is_no_number_ends_the_iterations():
    a = cp.asarray(matrix("cg", 2000, "d"))
    a[3, 4] = np.nan
    x, info = ours.cg(a, cp.ones(2000))
    assert info == 20000
    assert bool(cp.isnan(x).all())


def test_minres_refuses_what_is_not_symmetric():
    a, b = cp.asarray(random((8, 8), "d")), cp.asarray(random(8, "d", 1))
    with pytest.raises(ValueError, match="non-symmetric matrix"):
        ours.minres(a, b, check=True)
    s = a + a.T
    with pytest.raises(ValueError, match="indefinite preconditioner"):
        ours.minres(s, b, M=-cp.eye(8))
    with pytest.raises(ValueError, match="non-symmetric preconditioner"):
        ours.minres(s, b, M=cp.eye(8) + 0.2 * cp.eye(8, k=1), check=True)
    assert ours.minres(s, b, check=True)[1] == theirs.minres(s.get(), b.get())[1]


def test_minres_with_a_shift():
    a, b = matrix("minres", 30, "d"), random(30, "d", 1)
    x, info = ours.minres(cp.asarray(a), cp.asarray(b), shift=0.5, tol=1e-12)
    assert info == 0
    np.testing.assert_allclose(
        x.get(), np.linalg.solve(a - 0.5 * np.eye(30), b), rtol=1e-7, atol=1e-9
    )


def test_minres_prints(capsys):
    a, b = matrix("minres", 10, "d"), random(10, "d", 1)
    x, _ = ours.minres(cp.asarray(a), cp.asarray(b), show=True)
    text = capsys.readouterr().out
    assert "norm(A)" in text
    assert "iterations" in text


# ---- larger ones ---------------------------------------------------------------------


def test_an_ill_conditioned_system():
    d = np.geomspace(1, 1e9, 200)
    a, b = np.diag(d), random(200, "d", 1)
    for solver in ("cg", "gmres", "bicgstab"):
        more = {"restart": 200} if solver == "gmres" else {}
        x, info = getattr(theirs, solver)(a, b, rtol=1e-8, maxiter=2000, **more)
        y, mine = getattr(ours, solver)(
            cp.asarray(a), cp.asarray(b), rtol=1e-8, maxiter=2000, **more
        )
        assert (mine == 0) == (info == 0)
        if info == 0:
            assert error(a, y.get(), b) < 2e-8


@pytest.mark.parametrize("solver", SQUARE)
def test_a_stencil(solver):
    a = poisson(24)
    b = random(a.shape[0], "d", 1)
    x, info = getattr(theirs, solver)(a, b)
    y, mine = getattr(ours, solver)(sparse.csr_matrix(a), cp.asarray(b))
    assert mine == info == 0
    assert np.linalg.norm(y.get() - x) <= 1e-4 * np.linalg.norm(x)


@pytest.mark.parametrize("solver", SQUARE)
def test_callbacks(solver):
    a, b = matrix(solver, 30, "d"), random(30, "d", 1)
    if solver == "gmres":
        kinds = [{"callback_type": k} for k in ("x", "pr_norm", "legacy")]
        kinds = [{**k, "restart": 4} for k in kinds]
    else:
        kinds = [{}]
    for kind in kinds:
        found, expected = [], []
        getattr(ours, solver)(
            cp.asarray(a),
            cp.asarray(b),
            callback=lambda x, to=found: to.append(np.array(cp.asnumpy(x))),
            **kind,
        )
        getattr(theirs, solver)(
            a, b, callback=lambda x, to=expected: to.append(np.array(x)), **kind
        )
        assert len(found) == len(expected) > 0
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-6, atol=1e-9)


def test_gmres_asks_for_the_type_of_the_callback():
    a, b = cp.asarray(matrix("gmres", 9, "d")), cp.ones(9)
    with pytest.warns(DeprecationWarning, match="callback_type"):
        ours.gmres(a, b, callback=lambda x: None)
    with pytest.raises(ValueError, match="callback_type"):
        ours.gmres(a, b, callback=lambda x: None, callback_type="y")
    calls = []
    _, info = ours.gmres(
        a, b, callback=calls.append, callback_type="legacy", maxiter=3, rtol=1e-13
    )
    assert (len(calls), info) == (3, 3)


@pytest.mark.parametrize("restart", [1, 7, 40, 150, 1000])
def test_gmres_cycles_of_any_length(restart):
    a, b = random((150, 150), "d"), random(150, "d", 1)
    a = a + 8 * np.eye(150)
    kwargs = {"rtol": 1e-9, "maxiter": 20, "restart": restart}
    x, info = theirs.gmres(a, b, **kwargs)
    y, mine = ours.gmres(cp.asarray(a), cp.asarray(b), **kwargs)
    assert mine == info
    close(y, x, 1e8)


@pytest.mark.parametrize("prepend", [False, True])
@pytest.mark.parametrize("store", [False, True])
def test_lgmres_carries_vectors_over(prepend, store):
    a, b = random((80, 80), "d"), random(80, "d", 1)
    a = a + 11 * np.eye(80)
    kwargs = {
        "inner_m": 4,
        "outer_k": 2,
        "rtol": 1e-8,
        "store_outer_Av": store,
        "prepend_outer_v": prepend,
    }
    found, expected = [], []
    x, info = theirs.lgmres(a, b, outer_v=expected, **kwargs)
    A, B = cp.asarray(a), cp.asarray(b)
    y, mine = ours.lgmres(A, B, outer_v=found, **kwargs)
    assert mine == info == 0
    close(y, x, 1e8)
    assert len(found) == len(expected) == 2
    for (v, Av), (w, Aw) in zip(found, expected, strict=True):
        np.testing.assert_allclose(v.get(), w, atol=1e-6)
        assert (Av is None) == (Aw is None)
        if store:
            np.testing.assert_allclose(Av.get(), Aw, atol=1e-5)
    assert ours.lgmres(A, 2 * B, outer_v=found, **kwargs)[1] == 0


def test_lgmres_refuses_what_is_not_finite():
    with pytest.raises(ValueError, match="finite"):
        ours.lgmres(cp.eye(3), cp.array([1.0, np.inf, 0]))
    with pytest.raises(RuntimeError, match="zero vector"):
        ours.lgmres(cp.eye(3), cp.ones(3), M=cp.zeros((3, 3)))


def test_a_matrix_that_brings_its_preconditioner():
    n = 20

    class Matrix:
        shape, dtype = (n, n), np.dtype("d")

        def __init__(self):
            self.a = cp.asarray(matrix("cg", n, "d"))
            self.calls = 0

        def matvec(self, x):
            return self.a @ x

        rmatvec = matvec

        def psolve(self, x, side=None):
            self.calls += 1
            return x / self.a.diagonal() if side != "right" else x

        rpsolve = psolve

    for solver in ("cg", "bicg", "qmr"):
        A = Matrix()
        x, info = getattr(ours, solver)(A, cp.ones(n))
        assert info == 0
        assert A.calls > 1
        assert error(A.a.get(), x.get(), np.ones(n)) < 1e-4


def test_the_arguments_stay_as_they_are():
    for solver in SQUARE:
        a, b = matrix(solver, 16, "d"), random(16, "d", 1)
        A, B = cp.asarray(a), cp.asarray(b)
        getattr(ours, solver)(A, B)
        assert (A.get() == a).all()
        assert (B.get() == b).all()
