"""The 1-norm of an operator, estimated from a few products."""

import numpy as np

import cupric as cp
from cupric._lib.core import where_it_lives
from cupricx.scipy.sparse.linalg._interface import aslinearoperator

__all__ = ["onenormest"]


@where_it_lives
def onenormest(A, t=2, itmax=5, compute_v=False, compute_w=False):
    """A lower bound of the 1-norm of a matrix, which is often the norm.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (N, N)
        An operator has the product with its conjugate transpose, `rmatvec`.
    t : int, optional
        How many columns are multiplied at once: more cost more, and find more.
    itmax : int, optional
        The most iterations, at least 2.
    compute_v, compute_w : bool, optional
        Whether these are returned.

    Returns
    -------
    est : float
    v : cupric.ndarray, shape (N,)
        A vector of norm 1 for which ``A @ v`` has the norm `est`.
    w : cupric.ndarray, shape (N,)
        ``A @ v``

    Notes
    -----
    Higham and Tisseur, "A Block Algorithm for Matrix 1-Norm Estimation" (2000). The
    random signs that it begins with are the same in each call.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import onenormest
    >>> onenormest(cp.array([[1.0, 0, 0], [5, 8, 2], [0, -1, 0]]))
    9.0
    """
    A = aslinearoperator(A)
    n = A.shape[1]
    if A.shape[0] != n:
        raise ValueError(
            f"expected the operator to act like a square matrix, not of {A.shape}"
        )
    if t >= n:
        est, v, w = _exactly(A)
    else:
        if itmax < 2:
            raise ValueError("at least two iterations are required")
        if t < 1:
            raise ValueError("at least one column is required")
        est, v, w = _Estimate(A, t).run(itmax)
    if not (compute_v or compute_w):
        return est
    return (est, *([v] if compute_v else []), *([w] if compute_w else []))


def _unit_vector(n, i):
    v = cp.zeros(n)
    v[i] = 1
    return v


def _exactly(A):
    n = A.shape[1]
    columns = A.matmat(cp.identity(n))
    sums = abs(columns).sum(0)
    best = int(sums.argmax())
    return float(sums[best]), _unit_vector(n, best), columns[:, best]


class _Estimate:
    """The estimator's columns, and the unit vectors that it has tried."""

    def __init__(self, A, t):
        self._A, self._t, self._n = A, t, A.shape[1]
        self._random = cp.random.RandomState(1)
        self._seen = np.zeros(0, np.int64)

    def run(self, itmax):
        A, n, t = self._A, self._n, self._t
        X = self._signs(t)
        X[:, 0] = 1
        X = self._without_parallels(X, None) / n
        S, chosen, found = cp.zeros((n, t)), None, (0.0, None, None)
        for k in range(1, itmax + 2):
            Y = A.matmat(X)
            sums = abs(Y).sum(0).get()
            best = int(sums.argmax())
            est = float(sums[best])
            if k >= 2 and est <= found[0]:
                if k == 2:
                    # The first columns are no unit vectors: these are better witnesses.
                    found = found[0], int(chosen[best]), Y[:, best]
                break
            found = est, None if k == 1 else int(chosen[best]), Y[:, best]
            if k > itmax:
                break
            last, S = S, _signs_of(Y)
            if S.dtype.kind == "f":
                if _are_parallel(S, last).any(1).all():
                    break
                if t > 1:
                    S = self._without_parallels(S, last)
            h = abs(A.rmatmat(S)).max(1)
            if k >= 2 and float(h.max()) == float(h[found[1]]):
                break
            chosen = self._choose(h)
            if chosen is None:
                break
            X = cp.zeros((n, t))
            X[cp.asarray(chosen), cp.arange(t)] = 1
        est, i, w = found
        if i is None:
            return est, cp.full(n, 1 / n), w
        return est, _unit_vector(n, i), w

    def _signs(self, count):
        return self._random.randint(0, 2, size=(self._n, count)) * 2.0 - 1

    def _without_parallels(self, S, others):
        """S, with random columns in place of those that are parallel to another."""
        for i in range(S.shape[1]):
            for _ in range(self._n):
                column = S[:, i : i + 1]
                is_parallel = i > 0 and bool(_are_parallel(column, S[:, :i]).any())
                if others is not None and not is_parallel:
                    is_parallel = bool(_are_parallel(column, others).any())
                if not is_parallel:
                    break
                S[:, i : i + 1] = self._signs(1)
        return S

    def _choose(self, h):
        """The unit vectors to try next, those first that were not tried; None where
        there is none of them."""
        order = cp.argsort(-h)[: self._t + len(self._seen)].get()
        is_seen = np.isin(order, self._seen)
        if self._t > 1 and is_seen[: self._t].all():
            return None
        if self._t > 1:
            order = np.concatenate((order[~is_seen], order[is_seen]))
        chosen = order[: self._t]
        new = chosen[~np.isin(chosen, self._seen)]
        self._seen = np.concatenate((self._seen, new))
        return chosen


def _signs_of(Y):
    """The signs of elements, 1 where they are 0."""
    Y = cp.where(Y == 0, cp.ones((), Y.dtype), Y)
    return Y / abs(Y)


def _are_parallel(S, T):
    """Which columns of signs are the same."""
    products, n = S.T @ T, S.shape[0]
    return products == n
