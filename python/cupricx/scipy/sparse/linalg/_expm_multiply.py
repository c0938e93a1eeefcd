"""The exponential of a matrix times vectors."""

import cmath
import math
import warnings

import numpy as np

import cupric as cp
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library
from cupricx.scipy.sparse._kinds import issparse
from cupricx.scipy.sparse.linalg._interface import (
    IdentityOperator,
    LinearOperator,
    aslinearoperator,
)
from cupricx.scipy.sparse.linalg._onenormest import onenormest
from cupricx.scipy.sparse.linalg._systems import float_dtype

__all__ = ["expm_multiply"]

# Al-Mohy and Higham, "Computing the Action of the Matrix Exponential" (2011), table
# A.3 of Higham's "Functions of Matrices" for small orders: up to which norm a truncated
# Taylor series of as many terms as the key says is exact to double precision.
_THETA = dict(
    zip(
        (*range(1, 31), 35, 40, 45, 50, 55),
        (
            *(2.29e-16, 2.58e-8, 1.39e-5, 3.40e-4, 2.40e-3, 9.07e-3, 2.38e-2, 5.00e-2),
            *(8.96e-2, 1.44e-1, 2.14e-1, 3.00e-1, 4.00e-1, 5.14e-1, 6.41e-1, 7.81e-1),
            *(9.31e-1, 1.09, 1.26, 1.44, 1.62, 1.82, 2.01, 2.22, 2.43, 2.64, 2.86),
            *(3.08, 3.31, 3.54, 4.7, 6.0, 7.2, 8.5, 9.9),
        ),
        strict=True,
    )
)
_MOST = 55  # terms
_POWERS = 8  # the largest p with p * (p - 1) <= _MOST + 1
_LOOK = 4  # terms between looks at whether the series has converged
_TOLERANCE = 2.0**-53


def _example(xp):
    made = []
    for dtype in "fdFD":
        y, b, f = (xp.asarray(np.arange(1, 9).astype(dtype) / k) for k in (1, 2, 3))
        _term(y, 0.5, 0.25, b, f)
        made += [b, f]
    return made


_library = Library(__file__, "/* Terms of a Taylor series. */")
_term = _library.elementwise(
    "taylor_term",
    "T y, T factor, T shift",
    "T term, T sum",
    "term = factor * (y - shift * term); sum += term",
    ships="f d F D | values factor shift",
    example=_example,
)


@where_it_lives
def expm_multiply(A, B, start=None, stop=None, num=None, endpoint=None, traceA=None):
    """``expm(t * A) @ B``, without the exponential itself.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix or LinearOperator, shape (N, N)
        An operator has the product with its conjugate transpose, `rmatvec`.
    B : cupric.ndarray, shape (N,) or (N, K)
    start, stop : number, optional
        The first and the last t. Without these and the next two, t is 1.
    num : int, optional
        How many t there are, 50 by default.
    endpoint : bool, optional
        Whether `stop` is the last one, which is the default.
    traceA : number, optional
        The trace of `A`, which is estimated where `A` is an operator.

    Returns
    -------
    cupric.ndarray, shape (N,) or (N, K), or with an axis of `num` before them

    Notes
    -----
    Al-Mohy and Higham (2011): Taylor series of ``A - trace(A) / N * I``, as many as its
    norm asks for. Whether one has converged is looked at every few terms.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import expm_multiply
    >>> A = cp.array([[0.0, 1], [0, 0]])
    >>> expm_multiply(A, cp.array([1.0, 2]))
    array([3., 2.])
    >>> expm_multiply(A, cp.array([1.0, 2]), start=0, stop=2, num=3)
    array([[1., 2.],
           [3., 2.],
           [5., 2.]])
    """
    is_one = start is None and stop is None and num is None and endpoint is None
    action = _Action(A, B, traceA, 1 if is_one else 5)
    if is_one:
        return action.at(action.B, 1.0)
    samples, step = np.linspace(
        start,
        stop,
        num=50 if num is None else num,
        endpoint=True if endpoint is None else endpoint,
        retstep=True,
    )
    if len(samples) < 2:
        raise ValueError(f"at least two time points are required, not {len(samples)}")
    return action.along(float(samples[0]), float(step), len(samples))


class _Action:
    """A matrix whose exponential is applied, less its mean eigenvalue `mu`."""

    def __init__(self, A, B, trace, probes):
        if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
            raise ValueError(f"expected A to be like a square matrix, not of {A.shape}")
        B = arguments.array(B, "B")
        if B.ndim not in (1, 2):
            raise ValueError("expected B to be like a matrix or a vector")
        if A.shape[1] != B.shape[0]:
            raise ValueError(
                f"shapes of matrices A {A.shape} and B {B.shape} are incompatible"
            )
        self._A, n = aslinearoperator(A), A.shape[0]
        dtype = self._A.dtype
        if trace is None:
            trace = _trace(A, probes)
        self._mu = complex(trace) / n if n else 0.0
        if self._mu.imag == 0:
            self._mu = self._mu.real
        self.dtype = float_dtype(
            dtype, B.dtype, *([np.dtype(complex)] if self._mu.imag else [])
        )
        if {dtype.char, B.dtype.char} <= set("fF") and self._mu.imag:
            self.dtype = np.dtype(np.complex64)
        self.B = cp.ascontiguousarray(B.astype(self.dtype, copy=False))
        self._columns = 1 if B.ndim == 1 else B.shape[1]
        self._norm = self._one_norm(A)
        self._roots = {}  # of estimated norms of powers

    def _one_norm(self, A):
        """The norm of ``A - mu * I``."""
        if isinstance(A, LinearOperator):
            return onenormest(self._shifted())
        if A.shape[0] == 0:
            return 0.0
        diagonal, sums = A.diagonal(), abs(A).sum(axis=0)
        sums = cp.asarray(sums).ravel() - abs(diagonal) + abs(diagonal - self._mu)
        return float(sums.max())

    def _shifted(self):
        if self._mu == 0:
            return self._A
        return self._A - self._mu * IdentityOperator(self._A.shape, self._A.dtype)

    def _root(self, p):
        """The p-th root of the norm of the p-th power."""
        if p not in self._roots:
            self._roots[p] = onenormest(self._shifted() ** p) ** (1 / p)
        return self._roots[p]

    def _plan(self, t):
        """How many terms a series has, and how many there are one after the other, for
        the least number of products."""
        t = abs(t)
        norm = t * self._norm
        if norm == 0:
            return 0, 1
        few = 4 * _POWERS * (_POWERS + 3) * _THETA[_MOST] / (self._columns * _MOST)
        if norm <= few:
            options = [(m, math.ceil(norm / theta)) for m, theta in _THETA.items()]
            return min(options, key=lambda option: option[0] * option[1])
        options = []
        for p in range(2, _POWERS + 1):
            alpha = t * max(self._root(p), self._root(p + 1))
            options += [
                (m, max(1, math.ceil(alpha / theta)))
                for m, theta in _THETA.items()
                if m >= p * (p - 1) - 1
            ]
        return min(options, key=lambda option: option[0] * option[1])

    def _apply(self, B):
        Y = self._A.dot(B)
        return Y if Y.dtype == self.dtype else Y.astype(self.dtype)

    def _power(self, x):
        return cmath.exp(x) if isinstance(x, complex) else math.exp(x)

    def at(self, B, t):
        """``expm(t * A) @ B``"""
        terms, series = self._plan(t)
        total = B.copy()
        for _ in range(series):
            term, last = total.copy(), None
            for j in range(terms):
                _term(self._apply(term), t / (series * (j + 1)), self._mu, term, total)
                if j % _LOOK == _LOOK - 2:
                    last = _size(term)
                if j % _LOOK == _LOOK - 1 and _is_small(last + _size(term), total):
                    break
            total *= self._power(t * self._mu / series)
        return total

    def along(self, t, step, count):
        """The same at `count` times, from `t` on in steps."""
        # As SciPy returns them: in double precision.
        X = cp.empty((count, *self.B.shape), np.promote_types(self.dtype, np.float64))
        X[0] = now = self.at(self.B, t)
        q = count - 1
        terms, series = self._plan(q * step)
        if q <= series:
            for k in range(q):
                X[k + 1] = now = self.at(now, step)
            return X
        each = q // series
        for first in range(0, q, each):
            here = min(each, q - first)
            samples = self._samples(now, step, here, terms)
            X[first + 1 : first + here + 1] = samples
            now = samples[-1]
        return X

    def _samples(self, B, step, count, terms):
        """At `count` steps from B, of one series: its terms, for the last of them, are
        added up with other weights for each."""
        K = cp.zeros((terms + 1, *B.shape), self.dtype)
        K[0] = B
        unused = cp.zeros_like(B)
        for p in range(1, terms + 1):
            term = K[p]
            term[...] = K[p - 1]
            _term(self._apply(term), step * count / p, self._mu, term, unused)
        k = np.arange(1, count + 1)
        weights = (k[:, None] / count) ** np.arange(terms + 1)
        weights = weights * np.exp(k * step * self._mu)[:, None]
        weights = cp.asarray(weights.astype(self.dtype))
        return (weights @ K.reshape(terms + 1, -1)).reshape(count, *B.shape)


def _size(x):
    """The norm that belongs to the largest element."""
    x = abs(x)
    return (x if x.ndim == 1 else x.sum(-1)).max()


def _is_small(error, total):
    """Waits for the device."""
    return bool(error <= _TOLERANCE * _size(total))


def _trace(A, probes):
    if issparse(A):
        return A.diagonal().sum().item()
    if not isinstance(A, LinearOperator):
        return A.trace().item()
    warnings.warn(
        "the trace of a LinearOperator is not known, and will be estimated. Pass "
        "`traceA` to make that unnecessary.",
        stacklevel=4,
    )
    return _estimate_trace(A, probes)


def _estimate_trace(A, probes):
    """Meyer, Musco, Musco and Woodruff, "Hutch++" (2021): exactly on the space that a
    few products span, and by random signs on the rest."""
    n = A.shape[0]
    random = cp.random.RandomState(1)

    def signs():
        return random.randint(0, 2, size=(n, probes)) * 2.0 - 1

    Q, _ = cp.linalg.qr(A.matmat(signs()))
    G = signs()
    rest = G - Q @ (Q.conj().T @ G)
    own = (Q.conj() * A.matmat(Q)).sum()
    other = (rest.conj() * A.matmat(rest)).sum()
    return (own + other / probes).item()
