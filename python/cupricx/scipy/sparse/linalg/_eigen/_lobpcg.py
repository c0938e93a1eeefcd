"""Extreme eigenvalues of Hermitian matrices, by preconditioned blocks."""

import warnings

import numpy as np

import cupric as cp
from cupricx.scipy.sparse.linalg._direct._host import device_of

__all__ = ["lobpcg"]

# Iterations after which products with A and B are made anew: those of combinations
# gather rounding errors.
_FRESH = 16


def _times(matrix):
    """``x -> matrix @ x``; None of None."""
    if matrix is None or (callable(matrix) and not hasattr(matrix, "shape")):
        return matrix
    return lambda x: matrix @ x


def _adjoint(x):
    return x.conj().T


class _Basis:
    """Columns, with their products with A and B."""

    def __init__(self, x, ax, bx):
        self.x, self.ax, self.bx = x, ax, bx

    def beside(self, other):
        if other is None:
            return self
        return _Basis(
            *(
                cp.concatenate([a, b], axis=1)
                for a, b in (
                    (self.x, other.x),
                    (self.ax, other.ax),
                    (self.bx, other.bx),
                )
            )
        )

    def combine(self, c):
        """Of linear combinations by a NumPy array, or by several side by side."""
        c = cp.asarray(c.astype(self.x.dtype))
        ax = self.ax @ c
        x = self.x @ c
        return _Basis(x, ax, x if self.bx is self.x else self.bx @ c)

    def columns(self, chosen):
        return _Basis(self.x[:, chosen], self.ax[:, chosen], self.bx[:, chosen])

    def grams(self):
        """``x* A x`` and ``x* B x``, one above the other."""
        adjoint = _adjoint(self.x)
        return cp.concatenate([adjoint @ self.ax, adjoint @ self.bx])


class _Problem:
    """``A x = w B x`` for x that is orthogonal to the constraints Y."""

    def __init__(self, A, B, M, Y):
        self.a, self.b, self.preconditioner = _times(A), _times(B), _times(M)
        self.y = Y
        if Y is not None:
            self.by = Y if self.b is None else self.b(Y)
            self.gram = cp.linalg.cholesky(_adjoint(Y) @ self.by)

    def constrained(self, x):
        if self.y is None:
            return x
        return x - self.y @ self._solve(_adjoint(self.by) @ x)

    def _solve(self, x):
        return cp.linalg.solve(_adjoint(self.gram), cp.linalg.solve(self.gram, x))

    def residual(self, block, w):
        """Of the eigenvalues w in the complement of Y, which A may lead out of."""
        r = block.ax - block.bx * w
        if self.y is None:
            return r
        return r - self.by @ self._solve(_adjoint(self.y) @ r)

    def basis(self, x):
        return _Basis(x, self.a(x), x if self.b is None else self.b(x))

    def direction(self, residual, block):
        """The preconditioned residual, orthogonal to Y and to the block, of norm 1."""
        w = residual
        if self.preconditioner is not None:
            w = self.preconditioner(w)
        w = self.constrained(w)
        w = w - block.x @ (_adjoint(block.bx) @ w)
        norms = cp.linalg.norm(w, axis=0)
        return self.basis(w / cp.where(norms > 0, norms, 1))


def _ritz(grams, size, largest):
    """The wanted eigenvalues of a pair of Gram matrices, and combinations of columns
    that are orthonormal. Directions that depend on others are left out."""
    n = len(grams) // 2
    a, b = ((g + g.conj().T) / 2 for g in (grams[:n], grams[n:]))
    scale = np.sqrt(np.abs(np.diagonal(b).real))
    scale = np.where(scale > 0, scale, 1)
    weights, q = np.linalg.eigh(b / np.outer(scale, scale))
    eps = np.finfo(b.dtype).eps
    keep = weights > 100 * n * eps * weights[-1]
    if keep.sum() < size:
        raise ValueError(
            "the columns of X are linearly dependent, or B is not positive-definite"
        )
    root = q[:, keep] / np.sqrt(weights[keep]) / scale[:, None]
    values, s = np.linalg.eigh(root.conj().T @ a @ root)
    order = slice(None, -size - 1, -1) if largest else slice(size)
    return values[order], root @ s[:, order]


def _on_host(x):
    return x.get().astype(np.result_type(x.dtype, np.float64))


def lobpcg(
    A,
    X,
    B=None,
    M=None,
    Y=None,
    tol=None,
    maxiter=None,
    largest=True,
    verbosityLevel=0,
    retLambdaHistory=False,
    retResidualNormsHistory=False,
    restartControl=20,
):
    """Find extreme eigenvalues of a Hermitian matrix by LOBPCG.

    Locally optimal block preconditioned conjugate gradients (Knyazev 2001), for
    ``A @ x = w * x`` or ``A @ x = w * (B @ x)``.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix, LinearOperator or callable, shape (n, n)
        The Hermitian matrix. It multiplies blocks of columns.
    X : cupric.ndarray, shape (n, k)
        Where the iteration starts, of as many columns as eigenvalues are wanted.
    B : cupric.ndarray, sparse matrix, LinearOperator or callable, optional
        A Hermitian positive-definite matrix.
    M : cupric.ndarray, sparse matrix, LinearOperator or callable, optional
        The preconditioner: about the inverse of `A`.
    Y : cupric.ndarray, shape (n, c), optional
        Constraints: eigenvectors are found in the complement of these columns, by the
        inner product of `B`.
    tol : float, optional
        Norm of a residual that is small enough; ``sqrt(1e-15) * n`` by default.
    maxiter : int, optional
        The most iterations; 20 by default.
    largest : bool, optional
        Find the largest eigenvalues, not the smallest.
    verbosityLevel : int, optional
        Above 0, what happens is printed.
    retLambdaHistory : bool, optional
        Return the eigenvalues of each iteration.
    retResidualNormsHistory : bool, optional
        Return the norms of residuals of each iteration.
    restartControl : int, optional
        Accepted; not used: the basis is orthonormal in each iteration.

    Returns
    -------
    w : cupric.ndarray, shape (k,)
        The best from any iteration, in descending order with `largest`, else ascending.
    v : cupric.ndarray, shape (n, k)
        The eigenvectors as columns.
    lambdaHistory : cupric.ndarray, shape (iterations + 1, k)
        With `retLambdaHistory`.
    residualNormsHistory : cupric.ndarray, shape (iterations + 1, k)
        With `retResidualNormsHistory`.

    Warns
    -----
    UserWarning
        The residuals did not become as small as `tol`; or n is so small that all
        eigenvalues were found instead.

    Notes
    -----
    It waits for the device once an iteration.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import lobpcg
    >>> a = cp.diag(cp.arange(1.0, 101))
    >>> x = cp.random.default_rng(0).normal(size=(100, 2))
    >>> w, v = lobpcg(a, x, tol=1e-6, maxiter=100)
    >>> cp.round(w, 6)
    array([100.,  99.])
    """
    X, Y = _block(X, "X"), None if Y is None else _block(Y, "Y")
    n, size = X.shape
    if Y is not None:
        Y = Y.astype(np.result_type(Y.dtype, X.dtype), copy=False)
        if len(Y) != n:
            raise ValueError(f"Y has {len(Y)} rows, and X has {n}")
    for name, matrix in (("A", A), ("B", B), ("M", M)):
        shape = tuple(getattr(matrix, "shape", (n, n)))
        if shape != (n, n):
            raise ValueError(f"{name} is {shape}, and X has {n} rows")
        complex_one = getattr(getattr(matrix, "dtype", None), "kind", "") == "c"
        if complex_one and X.dtype.kind != "c":
            X = X.astype(np.result_type(X.dtype, np.complex64))
    if size > n:
        raise ValueError(f"X has more columns than rows: its shape is {X.shape}")
    maxiter = min(n, 20 if maxiter is None else maxiter)
    if not tol or tol <= 0:
        tol = np.sqrt(1e-15) * n
    wanted = retLambdaHistory, retResidualNormsHistory
    with device_of(X):
        if n - (0 if Y is None else Y.shape[1]) < 5 * size:
            return _by_all(A, B, Y, X, largest, any(wanted))
        best, histories = _iterations(
            _Problem(A, B, M, Y), X, tol, maxiter, largest, verbosityLevel
        )
        histories = zip(histories, wanted, strict=True)
        histories = [cp.asarray(h) for h, is_wanted in histories if is_wanted]
    return (*best, *histories)


def _block(x, name):
    if not isinstance(x, cp.ndarray):
        raise TypeError(f"{name} must be a cupric.ndarray, not {type(x).__name__}")
    if x.ndim != 2 or x.size == 0:
        raise ValueError(f"{name} must be a matrix of columns: its shape is {x.shape}")
    if x.dtype.char in "fdFD":
        return x
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def _iterations(problem, X, tol, maxiter, largest, verbosity):
    size = X.shape[1]
    block = problem.basis(problem.constrained(X))
    values, c = _ritz(_on_host(block.grams()), size, largest)
    block, steps = block.combine(c), None
    all_values, all_norms, best = [], [], None
    for iteration in range(maxiter + 1):
        real = np.finfo(X.dtype).dtype
        w = cp.asarray(values.astype(real))
        residual = problem.residual(block, w)
        norms = cp.linalg.norm(residual, axis=0)
        directions = problem.direction(residual, block)
        basis = block.beside(directions).beside(steps)
        # One wait: the Gram matrices, and below them the norms.
        row = cp.zeros((1, basis.x.shape[1]), X.dtype)
        row[0, :size] = norms
        grams = _on_host(cp.concatenate([basis.grams(), row]))
        norms = grams[-1, :size].real
        all_values.append(values.astype(real))
        all_norms.append(norms.astype(real))
        if verbosity:
            print(f"iteration {iteration}: eigenvalues {values}, residuals {norms}")
        if not np.isfinite(grams).all():
            break
        if best is None or norms.max() < best[0]:
            best = norms.max(), w, block.x
        if norms.max() <= tol or iteration == maxiter:
            break
        values, c = _ritz(grams[:-1], size, largest)
        moved = c.copy()
        moved[:size] = 0
        both = basis.combine(np.hstack([c, moved]))
        block, steps = both.columns(slice(size)), both.columns(slice(size, None))
        if problem.b is None:
            block.bx, steps.bx = block.x, steps.x
        if iteration % _FRESH == _FRESH - 1:
            block = problem.basis(problem.constrained(block.x))
    if best is None:
        raise ValueError("products with A, B or M have infinities or NaNs")
    if best[0] > tol:
        warnings.warn(
            f"Exited at iteration {iteration} with accuracies {norms} not reaching the "
            f"requested tolerance {tol}.",
            UserWarning,
            stacklevel=4,
        )
    return best[1:], (np.array(all_values), np.array(all_norms))


def _by_all(A, B, Y, X, largest, with_history):
    """For few rows: all eigenvalues."""
    warnings.warn(
        f"n={len(X)} is too small for blocks of {X.shape[1]} columns: all eigenvalues "
        "are found, by cupric.linalg.eigh",
        UserWarning,
        stacklevel=3,
    )
    if with_history:
        raise NotImplementedError("there is no history of a single step")
    if Y is not None:
        raise NotImplementedError(
            "where n is small for the block, constraints are not supported"
        )
    identity = cp.eye(len(X), dtype=X.dtype)
    a = _times(A)(identity)
    if B is None:
        values, vectors = cp.linalg.eigh(a)
    else:
        factor = cp.linalg.cholesky(_times(B)(identity))
        half = cp.linalg.solve(factor, _adjoint(cp.linalg.solve(factor, _adjoint(a))))
        values, vectors = cp.linalg.eigh(half)
        vectors = cp.linalg.solve(_adjoint(factor), vectors)
    size = X.shape[1]
    order = slice(None, -size - 1, -1) if largest else slice(size)
    return values[order], vectors[:, order]
