"""Least-squares solvers: lsqr and lsmr."""

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupricx.scipy.sparse.linalg._interface import aslinearoperator
from cupricx.scipy.sparse.linalg._steps import (
    Run,
    Solver,
    as_vector,
    enum,
    initial_sums,
)
from cupricx.scipy.sparse.linalg._systems import adjoint, float_dtype, norm_of

__all__ = ["lsmr", "lsqr"]

_VERDICTS = (
    "the exact solution is x = 0, or x0",
    "A x - b is small enough, given atol and btol",
    "the least-squares solution is good enough, given atol",
    "the estimate of cond(A) has exceeded conlim",
    "A x - b is small enough for this machine",
    "the least-squares solution is good enough for this machine",
    "cond(A) seems to be too large for this machine",
    "the iteration limit has been reached",
)


class _Problem:
    """A least-squares problem before its first iteration.

    Attributes
    ----------
    A, H : LinearOperator
        The matrix and its conjugate transpose.
    x : cupric.ndarray
        The first guess.
    u, v : cupric.ndarray
        The first vectors of the bidiagonalization, of norm 1.
    alpha, beta : float
        Their norms before.
    b_norm : float
    """

    def __init__(self, A, b, x0):
        self.A = aslinearoperator(A)
        m, n = self.A.shape
        self.b = b = self._vector(b, m, "b")
        dtypes = [b.dtype]
        dtypes.append(
            self.A.matvec(_core.zeros(n)).dtype
            if self.A.dtype is None
            else self.A.dtype
        )
        if x0 is not None:
            x0 = self._vector(x0, n, "x0")
            dtypes.append(x0.dtype)
        self.dtype = dtype = float_dtype(*dtypes)
        # As SciPy returns it: in double precision.
        self.out_dtype = np.promote_types(dtype, np.float64)
        self.H = adjoint(self.A, A)
        b = _core.ascontiguousarray(b.astype(dtype, copy=False))
        if x0 is None:
            self.x, u = _core.zeros(n, dtype, device=b.device), b
        else:
            self.x = x0.astype(dtype)
            u = b - self._as(self.A.matvec(self.x))
        b2, u2, _ = initial_sums(b, u, u) if m else (0.0, 0.0, 0.0)
        self.b_norm, self.beta = norm_of(b2), norm_of(u2)
        self.alpha = 0.0
        self.u, self.v = u, _core.zeros(n, dtype, device=b.device)
        if self.beta > 0:
            self.u = (1 / self.beta) * u
            v = self._as(self.H.matvec(self.u))
            self.alpha = norm_of(initial_sums(v, v, v)[0]) if n else 0.0
            self.v = (1 / self.alpha) * v if self.alpha > 0 else v

    @staticmethod
    def _vector(b, n, name):
        b = arguments.array(b, name)
        if b.size == n and max(b.shape, default=1) == n:
            b = b.reshape(n)  # also of a column
        if b.shape != (n,):
            raise ValueError(
                f"{name} has the shape {b.shape}: a vector of {n} elements is needed"
            )
        return b

    def _as(self, y):
        return as_vector(y, self.dtype)

    def solver(self, values, damp, atol, btol, conlim, maxiter):
        """The solver; its directions begin as v."""
        values = {
            enum.MAXITER: maxiter,
            enum.LS_ALPHA: self.alpha,
            enum.LS_BETA: self.beta,
            enum.LS_DAMP: damp,
            enum.LS_ATOL: atol,
            enum.LS_BTOL: btol,
            enum.LS_CTOL: 1 / conlim if conlim > 0 else 0,
            enum.LS_B_NORM: self.b_norm,
            **values,
        }
        solver = Solver(self.v, enum.LS_ROWS, values)
        solver.rows[enum.X][...] = self.x
        solver.rows[enum.LS_V][...] = solver.rows[enum.LS_W][...] = self.v
        return solver

    def run(self, solver, next_v, update, maxiter, after):
        """The state after the iterations."""
        v, u = solver.rows[enum.LS_V], self.u.copy()
        of_u = solver.sizes_of(u)

        def step():
            along = solver.product(self.A.matvec, v)
            solver.phase_of(enum.LS_NEXT_U, u, of_u, along)
            solver.phase_of(enum.LS_SCALE_U, u, of_u)
            solver.phase(next_v, solver.product(self.H.matvec, u))
            solver.phase(update)

        return Run(solver, step, maxiter, (self.A, self.H), after).finish()

    def log(self, name, show):
        """What prints a line after each iteration."""
        if not show:
            return None
        print(f"{name}: least squares with a matrix of {self.A.shape}")
        titles = "norm r", "norm Ar", "compatible", "LS", "norm A", "cond A"
        print("  itn", *(f"{title:>11}" for title in titles))
        columns = (
            *(enum.LS_R_NORM, enum.LS_AR_NORM, enum.LS_TEST1, enum.LS_TEST2),
            *(enum.LS_A_NORM, enum.LS_A_COND),
        )

        def after(state):
            numbers = " ".join(f"{state[k].real:11.3e}" for k in columns)
            print(f"{int(state[enum.ITERATIONS].real):5d} {numbers}")

        return after

    def result(self, row):
        return row.astype(self.out_dtype)


def _end(name, state, show):
    """Why the iterations ended, and how many there were."""
    istop, itn = (int(state[k].real) for k in (enum.INFO, enum.ITERATIONS))
    if show:
        print(f"{name}: {itn} iterations: {_VERDICTS[istop]}")
    return istop, itn


@where_it_lives
def lsqr(
    A,
    b,
    damp=0.0,
    atol=1e-6,
    btol=1e-6,
    conlim=1e8,
    iter_lim=None,
    show=False,
    calc_var=False,
    x0=None,
):
    """Least-squares solution of ``A x = b``, by LSQR.

    What is minimized is ``norm(b - A @ x)**2 + damp**2 * norm(x - x0)**2``.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (M, N)
        An operator has the product with its conjugate transpose, `rmatvec`.
    b : cupric.ndarray, shape (M,)
    damp : float, optional
    atol, btol : float, optional
        The iterations end when the residual is so small that relative errors of these
        sizes of `A` and `b` could cause it.
    conlim : float, optional
        They also end when the estimate of the condition of `A` exceeds it.
    iter_lim : int, optional
        The most iterations, ``2 * N`` by default.
    show : bool, optional
        Print how the iterations go; each is waited for.
    calc_var : bool, optional
        Whether `var` is computed.
    x0 : cupric.ndarray, shape (N,), optional
        The first guess, 0 by default.

    Returns
    -------
    x : cupric.ndarray, shape (N,)
        Of double precision.
    istop : int
        1: `x` solves the system approximately; 2: in the least-squares sense; 3: `A` is
        ill-conditioned, by `conlim`; 4 to 6: as 1 to 3, as far as the precision
        reaches; 7: `iter_lim` was reached; 0: ``x0`` is the solution.
    itn : int
        The number of iterations.
    r1norm, r2norm : float
        ``norm(b - A @ x)``, and the root of what is minimized.
    anorm, acond : float
        Estimates of the Frobenius norm of `A`, with `damp` below it, and its condition.
    arnorm : float
        An estimate of ``norm(A.H @ r - damp**2 * (x - x0))``.
    xnorm : float
        ``norm(x)``.
    var : cupric.ndarray, shape (N,)
        Where `calc_var` is true, estimates of the diagonal of the inverse of
        ``A.H @ A + damp**2 * I``; else 0.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import lsqr
    >>> A = cp.array([[1.0, 0], [1, 1], [0, 1]])
    >>> x, istop, itn = lsqr(A, cp.array([1.0, 0, -1]))[:3]
    >>> x.round(6), istop, itn
    (array([ 1., -1.]), 1, 1)
    """
    problem = _Problem(A, b, x0)
    alpha, beta, n = problem.alpha, problem.beta, problem.A.shape[1]
    var = _core.zeros(n, problem.out_dtype if calc_var else np.float64, device=b.device)
    if alpha * beta == 0:
        x = problem.result(problem.x)
        return x, 0, 0, beta, beta, 0, 0, alpha * beta, 0, var
    maxiter = 2 * n if iter_lim is None else int(iter_lim)
    values = {
        enum.LSQR_RHOBAR: alpha,
        enum.LSQR_PHIBAR: beta,
        enum.LSQR_COS2: -1,
        enum.LSQR_VAR: bool(calc_var),
        enum.LS_R_NORM: beta,
        enum.LSQR_R1_NORM: beta,
        enum.LS_AR_NORM: alpha * beta,
    }
    solver = problem.solver(values, damp, atol, btol, conlim, maxiter)
    after = problem.log("lsqr", show)
    state = problem.run(solver, enum.LSQR_NEXT_V, enum.LSQR_X, maxiter, after)
    istop, itn = _end("lsqr", state, show)
    slots = (
        *(enum.LSQR_R1_NORM, enum.LS_R_NORM, enum.LS_A_NORM, enum.LS_A_COND),
        *(enum.LS_AR_NORM, enum.LS_X_NORM),
    )
    if calc_var:
        var = problem.result(solver.rows[enum.LS_VAR])
    x = problem.result(solver.rows[enum.X])
    return x, istop, itn, *(float(state[k].real) for k in slots), var


@where_it_lives
def lsmr(
    A,
    b,
    x0=None,
    damp=0.0,
    atol=1e-6,
    btol=1e-6,
    conlim=1e8,
    maxiter=None,
    show=False,
):
    """Least-squares solution of ``A x = b``, by LSMR.

    What is minimized is ``norm(b - A @ x)**2 + damp**2 * norm(x - x0)**2``; what `A`
    makes of the residual decreases in every iteration.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (M, N)
        An operator has the product with its conjugate transpose, `rmatvec`.
    b : cupric.ndarray, shape (M,)
    x0 : cupric.ndarray, shape (N,), optional
        The first guess, 0 by default. A number in its place is `damp`, which is SciPy's
        third parameter.
    damp : float, optional
    atol, btol : float, optional
        The iterations end when the residual is so small that relative errors of these
        sizes of `A` and `b` could cause it.
    conlim : float, optional
        They also end when the estimate of the condition of `A` exceeds it.
    maxiter : int, optional
        The most iterations, ``min(M, N)`` by default.
    show : bool, optional
        Print how the iterations go; each is waited for.

    Returns
    -------
    x : cupric.ndarray, shape (N,)
        Of double precision.
    istop : int
        As of `lsqr`.
    itn : int
        The number of iterations.
    normr : float
        ``norm(b - A @ x)``.
    normar : float
        ``norm(A.H @ (b - A @ x))``.
    norma, conda : float
        Estimates of the norm of `A` and its condition.
    normx : float
        ``norm(x)``.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import lsmr
    >>> A = cp.array([[1.0, 0], [1, 1], [0, 1]])
    >>> x, istop, itn = lsmr(A, cp.array([1.0, 0, -1]))[:3]
    >>> x.round(6), istop, itn
    (array([ 1., -1.]), 1, 1)
    """
    if isinstance(x0, (int, float)):
        x0, damp = None, x0
    problem = _Problem(A, b, x0)
    alpha, beta = problem.alpha, problem.beta
    if alpha * beta == 0 or problem.b_norm == 0:
        x = problem.result(problem.x)
        if alpha * beta != 0:
            x[...] = 0
        return x, 0, 0, beta, alpha * beta, alpha, 1, 0
    maxiter = min(problem.A.shape) if maxiter is None else int(maxiter)
    values = {
        enum.LSMR_ZETABAR: alpha * beta,
        enum.LSMR_ALPHABAR: alpha,
        enum.LSMR_RHO: 1,
        enum.LSMR_RHOBAR: 1,
        enum.LSMR_CBAR: 1,
        enum.LSMR_BETADD: beta,
        enum.LSMR_RHOD: 1,
        enum.LSMR_SQUARES: alpha * alpha,
        enum.LSMR_SMALLEST: 1e100,
        enum.LS_R_NORM: beta,
        enum.LS_AR_NORM: alpha * beta,
        enum.LS_A_NORM: alpha,
        enum.LS_A_COND: 1,
    }
    solver = problem.solver(values, damp, atol, btol, conlim, maxiter)
    after = problem.log("lsmr", show)
    state = problem.run(solver, enum.LSMR_NEXT_V, enum.LSMR_X, maxiter, after)
    istop, itn = _end("lsmr", state, show)
    slots = (
        *(enum.LS_R_NORM, enum.LS_AR_NORM, enum.LS_A_NORM, enum.LS_A_COND),
        enum.LS_X_NORM,
    )
    x = problem.result(solver.rows[enum.X])
    return x, istop, itn, *(float(state[k].real) for k in slots)
