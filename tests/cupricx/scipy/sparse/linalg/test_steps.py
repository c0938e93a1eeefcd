"""How solvers run: ahead of the host, and as graphs."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tests.conftest import used_bytes
from tests.cupricx.scipy.sparse.linalg.systems import (
    LEAST_SQUARES,
    SQUARE,
    matrix,
    poisson,
    random,
)

import cupric as cp
from cupric import _core
from cupric.cuda.memory import OutOfMemoryError
from cupricx.scipy import sparse
from cupricx.scipy.sparse import linalg as ours
from cupricx.scipy.sparse.linalg import _gmres, _steps

theirs = pytest.importorskip("scipy.sparse.linalg")

ITERATED = [s for s in (*SQUARE, *LEAST_SQUARES) if s not in ("gmres", "lgmres")]


def solved(solver, a, b, **kwargs):
    result = getattr(ours, solver)(a, b, **kwargs)
    return [x.get() if isinstance(x, cp.ndarray) else x for x in result]


@pytest.fixture
def graphs(monkeypatch):
    """Solvers run ahead on every device, and what they capture is listed."""
    captured = []
    capture = _steps._capture

    def listed(step, count):
        captured.append(capture(step, count))
        return captured[-1]

    monkeypatch.setattr(_steps, "_capture", listed)
    monkeypatch.setattr(_steps.Run, "finish", _steps.Run._ahead)
    return captured


@pytest.mark.parametrize("solver", ITERATED)
@pytest.mark.parametrize("maxiter", [2, 13, 27, 60, None])
def test_running_ahead_changes_nothing(solver, maxiter, graphs, monkeypatch):
    a, b = cp.asarray(matrix(solver, 90, "d")), cp.asarray(random(90, "d", 1))
    a = a + cp.diag(cp.arange(90.0)) ** 2 * (1 if solver != "minres" else 0)
    key = "iter_lim" if solver == "lsqr" else "maxiter"
    kwargs = {key: maxiter} if maxiter else {}
    kwargs |= {"atol": 1e-12} if solver != "minres" else {"tol": 1e-12}
    ahead = solved(solver, a, b, **kwargs)
    taken = list(graphs)
    monkeypatch.setattr(_steps.Run, "finish", _steps.Run._one_by_one)
    for x, y in zip(ahead, solved(solver, a, b, **kwargs), strict=True):
        np.testing.assert_array_equal(x, y)
    assert all(g is not None for g in taken)
    if maxiter == 60 and solver not in ("bicgstab", "cgs"):
        assert len(taken) == 1


@pytest.mark.parametrize("solver", ITERATED)
@pytest.mark.parametrize("kind", ["csr_matrix", "csc_array"])
def test_products_of_sparse_matrices_are_captured(solver, kind, graphs, monkeypatch):
    a, b = poisson(24), cp.asarray(random(24 * 24, "d", 1))
    a = getattr(sparse, kind)(a)
    ahead = solved(solver, a, b)
    assert len(graphs) == 1
    assert graphs[0] is not None
    monkeypatch.setattr(_steps.Run, "finish", _steps.Run._one_by_one)
    for x, y in zip(ahead, solved(solver, a, b), strict=True):
        np.testing.assert_array_equal(x, y)


def test_what_cannot_be_captured_is_called(graphs):
    """An operator of the library's own that waits, and one of Python's functions."""
    a, b = cp.asarray(matrix("cg", 90, "d")), cp.asarray(random(90, "d", 1))
    a = a + cp.diag(cp.arange(90.0)) ** 2
    expected = solved("cg", a, b, maxiter=60)
    assert len(graphs) == 1
    graphs.clear()

    class Waits(ours.LinearOperator):
        _can_be_captured = True

        def _matvec(self, x):
            y = a @ x
            float(y[0])
            return y

    for x, y in zip(
        solved("cg", Waits("d", a.shape), b, maxiter=60), expected, strict=True
    ):
        np.testing.assert_array_equal(x, y)
    assert graphs == [None]
    graphs.clear()
    plain = ours.LinearOperator(a.shape, lambda x: a @ x)
    for x, y in zip(solved("cg", plain, b, maxiter=60), expected, strict=True):
        np.testing.assert_array_equal(x, y)
    assert graphs == []


def test_an_error_of_an_operator_ends_the_capture(graphs):
    a, calls = cp.asarray(matrix("cg", 90, "d")), []
    a = a + cp.diag(cp.arange(90.0)) ** 2

    class Fails(ours.LinearOperator):
        _can_be_captured = True

        def _matvec(self, x):
            calls.append(0)
            if len(calls) == 20:
                raise KeyError("stop")
            return a @ x

    with pytest.raises(KeyError, match="stop"):
        ours.cg(Fails("d", a.shape), cp.ones(90), maxiter=60)
    assert float(cp.ones(3).sum()) == 3


def test_functions_are_called_little_more_than_needed(graphs):
    a, b = cp.asarray(matrix("cg", 50, "d")), cp.asarray(random(50, "d", 1))
    calls, steps = [], []

    def product(x):
        calls.append(0)
        return a @ x

    A = ours.LinearOperator(a.shape, product, dtype="d")
    theirs.cg(a.get(), b.get(), callback=steps.append)
    assert ours.cg(A, b)[1] == 0
    assert len(steps) <= len(calls) <= len(steps) + 2


def test_a_cycle_is_watched_from_afar(monkeypatch):
    """gmres on a device that computes ahead sees the end of a cycle some steps late."""
    a, b = cp.asarray(matrix("gmres", 200, "d")), cp.asarray(random(200, "d", 1))
    expected = [solved(s, a, b, rtol=1e-10) for s in ("gmres", "lgmres")]
    init = _gmres._Watch.__init__

    def ahead(self, *args):
        init(self, *args)
        self._waits = self._after is not None

    monkeypatch.setattr(_gmres._Watch, "__init__", ahead)
    for solver, result in zip(("gmres", "lgmres"), expected, strict=True):
        for x, y in zip(solved(solver, a, b, rtol=1e-10), result, strict=True):
            np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("solver", [*SQUARE, *LEAST_SQUARES])
def test_results_repeat_to_the_bit(solver):
    n = 3000
    d = cp.arange(1.0, n + 1) ** 0.5
    A = ours.LinearOperator(
        (n, n),
        lambda x: d * x + 0.1 * cp.roll(x, 1) + 0.1 * cp.roll(x, -1),
        rmatvec=lambda x: d * x + 0.1 * cp.roll(x, 1) + 0.1 * cp.roll(x, -1),
        dtype="d",
    )
    b = cp.asarray(random(n, "d", 1))
    first, second = solved(solver, A, b), solved(solver, A, b)
    for x, y in zip(first, second, strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("solver", [*SQUARE, *LEAST_SQUARES])
def test_failing_allocations(solver):
    """Each allocation fails in turn: OutOfMemoryError, and nothing stays in use."""
    a, b = cp.asarray(matrix(solver, 12, "d")), cp.asarray(random(12, "d", 1))
    expected = solved(solver, a, b)
    used = used_bytes()
    for n in range(1, 2000):
        _core._fail_allocation(n)
        try:
            result = solved(solver, a, b)
        except OutOfMemoryError:
            result = None
        finally:
            left = _core._fail_allocation(0)
        if left > 0:
            break
        assert result is None, "an error was lost"
        assert used_bytes() == used
    assert n > 3
    for x, y in zip(result, expected, strict=True):
        np.testing.assert_array_equal(x, y)


def test_nothing_is_left_in_use(no_leak):
    for solver in (*SQUARE, *LEAST_SQUARES):
        a, b = cp.asarray(matrix(solver, 40, "d")), cp.asarray(random(40, "d", 1))
        solved(solver, a, b)


def test_graphs_leave_nothing_in_use(graphs, no_leak):
    a, b = cp.asarray(matrix("cg", 90, "d")), cp.asarray(random(90, "d", 1))
    a = a + cp.diag(cp.arange(90.0)) ** 2
    solved("cg", a, b, maxiter=60)
    assert len(graphs) == 1
    graphs.clear()


def test_threads():
    """Eight threads solve systems of their own."""
    systems = [
        (s, matrix(s, 60, "d", k), random(60, "d", k))
        for k, s in enumerate((*SQUARE[:6], *LEAST_SQUARES))
    ]

    def solve(system):
        solver, a, b = system
        with cp.cuda.Stream(non_blocking=True):
            return [solved(solver, cp.asarray(a), cp.asarray(b)) for _ in range(5)]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(solve, systems))
    for (solver, a, b), found in zip(systems, results, strict=True):
        expected = solved(solver, cp.asarray(a), cp.asarray(b))
        for result in found:
            for x, y in zip(result, expected, strict=True):
                np.testing.assert_array_equal(x, y)
