"""Iterative solvers of square systems by short recurrences."""

import numpy as np

from cupric import _core
from cupric._lib.core import where_it_lives
from cupricx.scipy.sparse.linalg._interface import (
    IdentityOperator,
    LinearOperator,
    aslinearoperator,
)
from cupricx.scipy.sparse.linalg._steps import Run, Solver, enum, initial_sums
from cupricx.scipy.sparse.linalg._systems import System, adjoint, norm_of, tolerance

__all__ = ["bicg", "bicgstab", "cg", "cgs", "minres", "qmr"]


class _Start:
    """A system before its first iteration.

    Attributes
    ----------
    system : System
    r, z : cupric.ndarray
        The residual, and the preconditioner's product with it.
    rho, squares : number
        The product of both, and that of `r` with itself.
    values : dict
        What the state of the solver begins with.
    answer : tuple or None
        What the solver returns, where nothing is to be done.
    """

    def __init__(self, name, A, b, x0, M, rtol, atol, maxiter):
        self.system = system = System(A, b, x0, M)
        self.r = r = system.residual()
        self.z = system.precondition(r)
        b2, r2, rho = initial_sums(system.b, r, self.z)
        limit = tolerance(name, norm_of(b2), rtol, atol)
        maxiter = 10 * len(r) if maxiter is None else int(maxiter)
        residual = norm_of(r2)
        self.rho, self.squares, self.maxiter = rho, r2, maxiter
        self.values = {
            enum.TOLERANCE: limit,
            enum.MAXITER: maxiter,
            enum.DIRECT: system.direct,
            enum.RHO: rho,
            enum.RESIDUAL: residual,
        }
        self.answer = None
        if b2 == 0:
            self.answer = system.zeros(), 0
        elif residual < limit or maxiter <= 0:
            self.answer = system.x, 0

    def break_down(self, tiny, rho=None):
        """Numbers below `tiny` are breakdowns, as rho may be at once."""
        self.values[enum.TINY] = tiny
        if self.answer is None and abs(self.rho if rho is None else rho) < tiny:
            self.answer = self.system.x, -10

    def solver(self, rows, *equal, values=()):
        """The solver, of which the rows in `equal` begin as pairs say."""
        solver = Solver(self.system.b, rows, {**self.values, **dict(values)})
        for row, x in ((enum.X, self.system.x), *equal):
            solver.rows[row][...] = x
        return solver

    def run(self, solver, step, operators, callback):
        """The result of the iterations."""
        x = solver.rows[enum.X]
        after = None if callback is None else lambda state: callback(x)
        state = Run(solver, step, self.maxiter, operators, after).finish()
        has_stopped = state[enum.STOPPED] != 0 or state[enum.PENDING] != 0
        info = int(state[enum.INFO].real) if has_stopped else self.maxiter
        return x.copy(), info


def _eps(dtype):
    return float(np.finfo(dtype).eps)


@where_it_lives
def cg(A, b, x0=None, *, rtol=1e-5, atol=0.0, maxiter=None, M=None, callback=None):
    """Solve ``A x = b`` by conjugate gradients.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (N, N)
        Hermitian and positive definite.
    b : cupric.ndarray, shape (N,) or (N, 1)
    x0 : cupric.ndarray, shape (N,) or (N, 1), optional
        The first guess, 0 by default.
    rtol, atol : float, optional
        The iterations end where ``norm(b - A @ x) < max(rtol * norm(b), atol)``.
    maxiter : int, optional
        The most iterations, ``10 * N`` by default.
    M : cupric.ndarray, sparse matrix or LinearOperator, optional
        The preconditioner, which approximates the inverse of `A`.
    callback : callable, optional
        ``callback(xk)`` is called after each iteration, which is waited for.

    Returns
    -------
    x : cupric.ndarray, shape (N,)
    info : int
        0 where the tolerance was met, the number of iterations where it was not.

    Notes
    -----
    The device iterates ahead of the host, which looks at the residual now and then.
    `A` and `M` may be applied a few more times than there are iterations; the result is
    that of the iteration that met the tolerance.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import cg
    >>> A = cp.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]])
    >>> x, info = cg(A, cp.array([5.0, 5, 3]))
    >>> x.round(4), info
    (array([1., 1., 1.]), 0)
    """
    start = _Start("cg", A, b, x0, M, rtol, atol, maxiter)
    if start.answer:
        return start.answer
    solver = start.solver(enum.CG_ROWS, (enum.R, start.r), (enum.CG_P, start.z))
    matvec, psolve = start.system.A.matvec, start.system.M.matvec
    r, p = solver.rows[enum.R], solver.rows[enum.CG_P]
    is_direct = start.system.direct

    def step():
        q = solver.product(matvec, p)
        solver.phase(enum.CG_ALPHA, q)
        solver.phase(enum.CG_RESIDUAL, q)
        z = r
        if not is_direct:
            z = solver.product(psolve, r)
            solver.phase(enum.CG_RHO, z)
        solver.phase(enum.CG_DIRECTION, z)

    return start.run(solver, step, (start.system.A, start.system.M), callback)


@where_it_lives
def bicg(A, b, x0=None, *, rtol=1e-5, atol=0.0, maxiter=None, M=None, callback=None):
    """Solve ``A x = b`` by biconjugate gradients.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (N, N)
        An operator has the product with its conjugate transpose, `rmatvec`.
    b : cupric.ndarray, shape (N,) or (N, 1)
    x0 : cupric.ndarray, shape (N,) or (N, 1), optional
        The first guess, 0 by default.
    rtol, atol : float, optional
        The iterations end where ``norm(b - A @ x) < max(rtol * norm(b), atol)``.
    maxiter : int, optional
        The most iterations, ``10 * N`` by default.
    M : cupric.ndarray, sparse matrix or LinearOperator, optional
        The preconditioner, which approximates the inverse of `A`.
    callback : callable, optional
        ``callback(xk)`` is called after each iteration, which is waited for.

    Returns
    -------
    x : cupric.ndarray, shape (N,)
    info : int
        0 where the tolerance was met, the number of iterations where it was not,
        and a number below 0 after a breakdown.

    Notes
    -----
    The device iterates ahead of the host, which looks at the residual now and then.
    `A` and `M` may be applied a few more times than there are iterations; the result is
    that of the iteration that met the tolerance.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import bicg
    >>> A = cp.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]])
    >>> x, info = bicg(A, cp.array([5.0, 5, 3]))
    >>> x.round(4), info
    (array([1., 1., 1.]), 0)
    """
    start = _Start("bicg", A, b, x0, M, rtol, atol, maxiter)
    start.break_down(_eps(start.system.dtype) ** 2)
    if start.answer:
        return start.answer
    system, r = start.system, start.r
    zt = r if system.direct else system.product(system.M.rmatvec, r)
    solver = start.solver(
        enum.BICG_ROWS,
        (enum.R, r),
        (enum.BICG_RT, r),
        (enum.BICG_P, start.z),
        (enum.BICG_PT, zt),
    )
    H = adjoint(system.A, A)
    _, r, rt, p, pt = solver.rows

    def step():
        q = solver.product(system.A.matvec, p)
        qt = solver.product(H.matvec, pt)
        solver.phase(enum.BICG_ALPHA, q)
        solver.phase(enum.BICG_UPDATE, q, qt)
        z, zt = r, rt
        if not system.direct:
            z = solver.product(system.M.matvec, r)
            zt = solver.product(system.M.rmatvec, rt)
            solver.phase(enum.BICG_RHO, z)
        solver.phase(enum.BICG_DIRECTION, z, zt)

    return start.run(solver, step, (system.A, system.M), callback)


@where_it_lives
def bicgstab(
    A, b, x0=None, *, rtol=1e-5, atol=0.0, maxiter=None, M=None, callback=None
):
    """Solve ``A x = b`` by stabilized biconjugate gradients.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (N, N)
        A square matrix.
    b : cupric.ndarray, shape (N,) or (N, 1)
    x0 : cupric.ndarray, shape (N,) or (N, 1), optional
        The first guess, 0 by default.
    rtol, atol : float, optional
        The iterations end where ``norm(b - A @ x) < max(rtol * norm(b), atol)``.
    maxiter : int, optional
        The most iterations, ``10 * N`` by default.
    M : cupric.ndarray, sparse matrix or LinearOperator, optional
        The preconditioner, which approximates the inverse of `A`.
    callback : callable, optional
        ``callback(xk)`` is called after each iteration, which is waited for.

    Returns
    -------
    x : cupric.ndarray, shape (N,)
    info : int
        0 where the tolerance was met, the number of iterations where it was not,
        and a number below 0 after a breakdown.

    Notes
    -----
    The device iterates ahead of the host, which looks at the residual now and then.
    `A` and `M` may be applied a few more times than there are iterations; the result is
    that of the iteration that met the tolerance.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import bicgstab
    >>> A = cp.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]])
    >>> x, info = bicgstab(A, cp.array([5.0, 5, 3]))
    >>> x.round(4), info
    (array([1., 1., 1.]), 0)
    """
    start = _Start("bicgstab", A, b, x0, M, rtol, atol, maxiter)
    start.break_down(_eps(start.system.dtype) ** 2, start.squares)
    if start.answer:
        return start.answer
    system, r = start.system, start.r
    solver = start.solver(
        enum.BS_ROWS,
        (enum.R, r),
        (enum.BS_RT, r),
        (enum.BS_P, r),
        values={enum.RHO: start.squares},
    )
    A, M, is_direct = system.A, system.M, system.direct
    r, p = solver.rows[enum.R], solver.rows[enum.BS_P]

    def step():
        ahead = p if is_direct else solver.product(M.matvec, p)
        v = solver.product(A.matvec, ahead)
        solver.phase(enum.BS_ALPHA, v)
        solver.phase(enum.BS_HALF, v)
        across = r if is_direct else solver.product(M.matvec, r)
        t = solver.product(A.matvec, across)
        solver.phase(enum.BS_OMEGA, t)
        solver.phase(enum.BS_UPDATE, t, ahead, across)
        solver.phase(enum.BS_DIRECTION)

    return start.run(solver, step, (A, M), callback)


@where_it_lives
def cgs(A, b, x0=None, *, rtol=1e-5, atol=0.0, maxiter=None, M=None, callback=None):
    """Solve ``A x = b`` by conjugate gradients squared.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (N, N)
        A square matrix.
    b : cupric.ndarray, shape (N,) or (N, 1)
    x0 : cupric.ndarray, shape (N,) or (N, 1), optional
        The first guess, 0 by default.
    rtol, atol : float, optional
        The iterations end where ``norm(b - A @ x) < max(rtol * norm(b), atol)``.
    maxiter : int, optional
        The most iterations, ``10 * N`` by default.
    M : cupric.ndarray, sparse matrix or LinearOperator, optional
        The preconditioner, which approximates the inverse of `A`.
    callback : callable, optional
        ``callback(xk)`` is called after each iteration, which is waited for.

    Returns
    -------
    x : cupric.ndarray, shape (N,)
    info : int
        0 where the tolerance was met, the number of iterations where it was not,
        and a number below 0 after a breakdown.

    Notes
    -----
    The device iterates ahead of the host, which looks at the residual now and then.
    `A` and `M` may be applied a few more times than there are iterations; the result is
    that of the iteration that met the tolerance.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import cgs
    >>> A = cp.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]])
    >>> x, info = cgs(A, cp.array([5.0, 5, 3]))
    >>> x.round(4), info
    (array([1., 1., 1.]), 0)
    """
    start = _Start("cgs", A, b, x0, M, rtol, atol, maxiter)
    start.break_down(_eps(start.system.dtype) ** 2, start.squares)
    if start.answer:
        return start.answer
    system, r = start.system, start.r
    solver = start.solver(
        enum.CGS_ROWS,
        (enum.R, r),
        (enum.CGS_RT, r),
        (enum.CGS_P, r),
        (enum.CGS_U, r),
        (enum.CGS_B, system.b),
        values={enum.RHO: start.squares},
    )
    A, M, is_direct = system.A, system.M, system.direct
    x, p, t = (solver.rows[k] for k in (enum.X, enum.CGS_P, enum.CGS_T))

    def step():
        ahead = p if is_direct else solver.product(M.matvec, p)
        v = solver.product(A.matvec, ahead)
        solver.phase(enum.CGS_ALPHA, v)
        solver.phase(enum.CGS_VECTORS, v)
        both = t if is_direct else solver.product(M.matvec, t)
        solver.phase(enum.CGS_X, both)
        solver.phase(enum.CGS_RESIDUAL, solver.product(A.matvec, x))
        solver.phase(enum.CGS_DIRECTION)

    return start.run(solver, step, (A, M), callback)


@where_it_lives
def qmr(
    A,
    b,
    x0=None,
    *,
    rtol=1e-5,
    atol=0.0,
    maxiter=None,
    M1=None,
    M2=None,
    callback=None,
):
    """Solve ``A x = b`` by the quasi-minimal residual method.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (N, N)
        An operator has the product with its conjugate transpose, `rmatvec`.
    b : cupric.ndarray, shape (N,) or (N, 1)
    x0 : cupric.ndarray, shape (N,) or (N, 1), optional
        The first guess, 0 by default.
    rtol, atol : float, optional
        The iterations end where ``norm(b - A @ x) < max(rtol * norm(b), atol)``.
    maxiter : int, optional
        The most iterations, ``10 * N`` by default.
    M1, M2 : cupric.ndarray, sparse matrix or LinearOperator, optional
        Preconditioners from the left and from the right: the system that is solved is
        that of ``M1 A M2``.
    callback : callable, optional
        ``callback(xk)`` is called after each iteration, which is waited for.

    Returns
    -------
    x : cupric.ndarray, shape (N,)
    info : int
        0 where the tolerance was met, the number of iterations where it was not,
        and a number below 0 after a breakdown.

    Notes
    -----
    The device iterates ahead of the host, which looks at the residual now and then.
    `A`, `M1` and `M2` may be applied a few more times than there are iterations; the
    result is that of the iteration that met the tolerance.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import qmr
    >>> A = cp.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]])
    >>> x, info = qmr(A, cp.array([5.0, 5, 3]))
    >>> x.round(4), info
    (array([1., 1., 1.]), 0)
    """
    start = _Start("qmr", A, b, x0, None, rtol, atol, maxiter)
    if start.answer:
        return start.answer
    system, r = start.system, start.r
    M1, M2 = _two_preconditioners(A, system, M1, M2)
    y, z = system.product(M1.matvec, r), system.product(M2.rmatvec, r)
    rho2, xi2, _ = initial_sums(y, z, z)
    tiny = _eps(system.dtype)
    if norm_of(rho2) < tiny:
        return system.x, -10
    if norm_of(xi2) < tiny:
        return system.x, -15
    solver = start.solver(
        enum.QMR_ROWS,
        *((enum.R, r), (enum.QMR_VT, r), (enum.QMR_WT, r)),
        values={
            enum.TINY: tiny,
            enum.RHO: norm_of(rho2),
            enum.QMR_XI: norm_of(xi2),
            enum.QMR_GAMMA: 1,
            enum.QMR_ETA: -1,
        },
    )
    A, H = system.A, adjoint(system.A, A)
    rows = solver.rows
    vt, wt = rows[enum.QMR_VT], rows[enum.QMR_WT]
    last = [
        row if isinstance(P, IdentityOperator) else first.copy()
        for row, P, first in ((vt, M1, y), (wt, M2, z))
    ]

    def step():
        solver.phase(enum.QMR_SCALE, *last)
        y = solver.product(M2.matvec, rows[enum.QMR_Y])
        z = solver.product(M1.rmatvec, rows[enum.QMR_Z])
        solver.phase(enum.QMR_DIRECTION, y, z)
        along = solver.product(A.matvec, rows[enum.QMR_P])
        solver.phase(enum.QMR_BETA, along)
        back = solver.product(H.matvec, rows[enum.QMR_Q])
        solver.phase(enum.QMR_VECTORS, along, back)
        y = solver.product(M1.matvec, vt)
        z = solver.product(M2.rmatvec, wt)
        solver.phase(enum.QMR_NORMS, y, z)
        solver.phase(enum.QMR_X, along)
        for row, new in zip(last, (y, z), strict=True):
            if row is not new:
                row[...] = new

    return start.run(solver, step, (A, M1, M2), callback)


def _two_preconditioners(given, system, M1, M2):
    """Both preconditioners of qmr, also where the matrix brings its own."""
    shape, dtype = system.A.shape, system.dtype
    if M1 is None and M2 is None and hasattr(given, "psolve"):

        def side(name):
            return LinearOperator(
                shape,
                lambda x: given.psolve(x, name),
                rmatvec=lambda x: given.rpsolve(x, name),
                dtype=dtype,
            )

        return side("left"), side("right")
    return [
        IdentityOperator(shape, dtype) if M is None else aslinearoperator(M)
        for M in (M1, M2)
    ]


@where_it_lives
def minres(
    A,
    b,
    x0=None,
    shift=0.0,
    tol=None,
    maxiter=None,
    M=None,
    callback=None,
    check=False,
    *,
    rtol=1e-5,
    show=False,
):
    """Solve ``A x = b`` by the minimal residual method.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (N, N)
        Hermitian; it may be indefinite, and singular.
    b : cupric.ndarray, shape (N,) or (N, 1)
    x0 : cupric.ndarray, shape (N,) or (N, 1), optional
        The first guess, 0 by default.
    shift : float, optional
        The system that is solved is ``(A - shift * I) x = b``.
    tol : float, optional
        Another name of `rtol`.
    maxiter : int, optional
        The most iterations, ``5 * N`` by default.
    M : cupric.ndarray, sparse matrix or LinearOperator, optional
        The preconditioner, which approximates the inverse of `A`: Hermitian and
        positive definite.
    callback : callable, optional
        ``callback(xk)`` is called after each iteration, which is waited for.
    check : bool, optional
        Whether `A` and `M` are tested for symmetry first.
    rtol : float, optional
        The iterations end when the residual, relative to the norms of `A` and `x`, or
        what `A` makes of it, relative to the norm of `A`, is no larger.
    show : bool, optional
        Print how the iterations go; each is waited for.

    Returns
    -------
    x : cupric.ndarray, shape (N,)
    info : int
        0, or `maxiter` where that many iterations were not enough.

    Raises
    ------
    ValueError
        `M` turns out to be indefinite, or `A` or `M` not to be symmetric.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import minres
    >>> A = cp.array([[0.0, 1, 0], [1, 3, 1], [0, 1, -2]])
    >>> x, info = minres(A, cp.array([1.0, 5, -1]))
    >>> x.round(4), info
    (array([1., 1., 1.]), 0)
    """
    system = System(A, b, x0, M)
    rtol = rtol if tol is None else tol
    A, M = system.A, system.M
    r = system.residual()
    y = r if system.direct else system.product(M.matvec, r)
    b2, _, beta = initial_sums(system.b, r, y)
    if beta.real < 0:
        raise ValueError("indefinite preconditioner")
    if beta == 0:
        return system.x, 0
    if b2 == 0:
        return system.zeros(), 0
    if check:
        _require_symmetric(system, y, r)
    maxiter = 5 * len(r) if maxiter is None else int(maxiter)
    eps, beta = _eps(system.dtype), norm_of(beta)
    solver = Solver(
        system.b,
        enum.MR_ROWS,
        {
            enum.MAXITER: maxiter,
            enum.DIRECT: system.direct,
            enum.BETA: beta,
            enum.MR_SHIFT: shift,
            enum.MR_FIRST_BETA: beta,
            enum.MR_PHIBAR: beta,
            enum.MR_SMALLEST: float(np.finfo(system.dtype).max),
            enum.MR_COS: -1,
            enum.MR_RTOL: rtol,
            enum.MR_EPS: eps,
        },
    )
    rows = solver.rows
    rows[enum.X][...] = system.x
    rows[enum.MR_R1][...] = rows[enum.MR_R2][...] = r
    last = rows[enum.MR_R2] if system.direct else y.copy()

    def step():
        solver.phase(enum.MR_VECTOR, last)
        solver.phase(enum.MR_ALPHA, solver.product(A.matvec, rows[enum.MR_V]))
        solver.phase(enum.MR_RESIDUAL)
        if not system.direct:
            z = solver.product(M.matvec, rows[enum.MR_R2])
            solver.phase(enum.MR_BETA, z)
            last[...] = z
        solver.phase(enum.MR_X)

    after = _minres_log(callback, show, rows[enum.X])
    state = Run(solver, step, maxiter, (A, M), after).finish()
    info = int(state[enum.INFO].real)
    if info == -1:
        raise ValueError("non-symmetric matrix")
    if state[enum.STOPPED] == 0 and maxiter > 0:
        info = maxiter
    if show:
        verdict = int(state[enum.MR_ISTOP].real)
        print(f"minres: {int(state[enum.ITERATIONS].real)} iterations, istop {verdict}")
    return rows[enum.X].copy(), info


def _minres_log(callback, show, x):
    """What is called after each iteration, with the state."""
    if not show:
        return None if callback is None else lambda state: callback(x)
    print("  itn   compatible          LS     norm(A)     cond(A)")

    def after(state):
        columns = (enum.MR_TEST1, enum.MR_TEST2, enum.MR_NORM, enum.MR_COND)
        numbers = " ".join(f"{state[k].real:11.3e}" for k in columns)
        print(f"{int(state[enum.ITERATIONS].real):5d} {numbers}")
        if callback is not None:
            callback(x)

    return after


def _require_symmetric(system, y, r):
    """Compares ``(A y, A y)`` with ``(y, A A y)``; the preconditioner likewise."""
    A, M, eps = system.A, system.M, _eps(system.dtype)

    def compare(s, t, name):
        if abs(s - t) > (abs(s) + eps) * eps ** (1 / 3):
            raise ValueError(f"non-symmetric {name}")

    w = A.matvec(y)
    compare(complex(_core.vdot(w, w)), complex(_core.vdot(y, A.matvec(w))), "matrix")
    z = M.matvec(y)
    compare(complex(_core.vdot(y, y)), complex(_core.vdot(r, z)), "preconditioner")
