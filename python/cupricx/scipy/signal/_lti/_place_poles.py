"""Feedback of the states that gives a system the poles that are asked for."""

import warnings

import numpy as np

from cupricx.scipy.signal._design._on_host import to_device, to_host
from cupricx.scipy.signal._lti._matrices import float_matrix

__all__ = ["PolePlacement", "place_poles"]

_FLOOR = np.sqrt(np.finfo(np.float64).eps)  # of a determinant that is no zero


class PolePlacement:
    """What `place_poles` finds.

    Attributes
    ----------
    gain_matrix : cupric.ndarray, shape (m, n)
        K, with which ``A - B K`` has the poles.
    computed_poles : cupric.ndarray
        The eigenvalues of ``A - B K``, the real ones first.
    requested_poles : cupric.ndarray
        Those that were asked for, in the same order.
    X : cupric.ndarray
        The eigenvectors, of length one.
    rtol : float
        How much the determinant of the eigenvectors changed at last; 0 where there is
        one input, NaN where there is one for each state.
    nb_iter : int or float
        How often they were improved; 0 and NaN as well.
    """

    def __init__(self, gain_matrix, computed_poles, requested_poles, X, rtol, nb_iter):
        self.gain_matrix = gain_matrix
        self.computed_poles = computed_poles
        self.requested_poles = requested_poles
        self.X = X
        self.rtol = rtol
        self.nb_iter = nb_iter

    def __repr__(self):
        return f"{type(self).__name__}(gain_matrix={self.gain_matrix!r})"


def in_order(poles):
    """Real poles, and then those with a negative imaginary part, each with its
    conjugate."""
    real = np.sort(poles[np.isreal(poles)])
    made = list(real)
    for p in np.sort(poles[np.imag(poles) < 0]):
        if np.conj(p) in poles:
            made += [p, np.conj(p)]
    if len(made) != len(poles):
        raise ValueError("Complex poles must come with their conjugates")
    made = np.array(made)
    return made.real if np.isreal(made).all() else made


def _checked(A, B, poles, method, rtol, maxiter):
    if A.ndim != 2 or B.ndim != 2:
        raise ValueError(f"A and B must be 2-D arrays, not {A.shape} and {B.shape}")
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"A must be square, its shape is {A.shape}")
    if B.shape[0] != A.shape[0]:
        raise np.linalg.LinAlgError(
            f"Incompatible dimensions: A of shape {A.shape}, B of {B.shape}"
        )
    if poles.ndim > 1:
        raise ValueError(f"Poles must be a 1D array like, not {poles.shape}")
    poles = in_order(poles)
    n = A.shape[0]
    if len(poles) > n:
        raise ValueError(
            f"maximum number of poles is {n} but you asked for {len(poles)}"
        )
    if len(poles) < n:
        raise ValueError(f"number of poles is {len(poles)} but you should provide {n}")
    rank = np.linalg.matrix_rank(B)
    if any((poles == p).sum() > rank for p in poles):
        raise ValueError(
            "at least one of the requested pole is repeated more than rank(B) times: "
            f"{rank}"
        )
    if method not in ("KNV0", "YT"):
        raise ValueError(
            f"The method keyword must be one of 'YT' or 'KNV0', not {method!r}"
        )
    if maxiter < 1:
        raise ValueError(f"maxiter must be at least equal to 1, not {maxiter}")
    if rtol > 1:
        raise ValueError(f"rtol can not be greater than 1, not {rtol}")
    if method == "KNV0" and not np.isreal(poles).all():
        raise ValueError("Complex poles are not supported by KNV0")
    return poles, int(rank)


def _complement(vectors, count):
    """`count` vectors that are orthogonal to those in columns, and to each other."""
    q, _ = np.linalg.qr(vectors, mode="complete")
    return q[:, q.shape[1] - count :]


def _spaces(A, u1, poles, rank):
    """Of each pole a basis of the eigenvectors that a feedback can give it."""
    n = A.shape[0]
    made = []
    for p in poles:
        m = (u1.T @ (A - p * np.eye(n))).conj().T
        q, _ = np.linalg.qr(m, mode="complete")
        made.append(q[:, n - rank :])
    return made


class _Vectors:
    """Eigenvectors in columns: of a complex pair the real and the imaginary part.

    They are improved by making the determinant of all greater: one column, or two, are
    replaced by those of their spaces that together with the others have the greatest.
    """

    def __init__(self, spaces, poles):
        n = len(poles)
        self.spaces, self.real = spaces, [k for k in range(n) if np.isreal(poles[k])]
        self.pairs = [k for k in range(n) if np.imag(poles[k]) < 0]
        self.columns = np.empty((n, n), float)
        for k in self.real:
            self._put(k, spaces[k].real.sum(axis=1))
        for k in self.pairs:
            self._put_pair(k, spaces[k].sum(axis=1))

    def _put(self, k, v):
        self.columns[:, k] = v / np.linalg.norm(v)

    def _put_pair(self, k, v):
        v = v / np.linalg.norm(v)
        self.columns[:, k], self.columns[:, k + 1] = v.real, v.imag

    def determinant(self):
        return abs(np.linalg.det(self.columns))

    def improve_one(self, k):
        q = _complement(np.delete(self.columns, k, axis=1), 1)[:, 0]
        space = self.spaces[k].real
        v = space @ (space.T @ q)
        if np.linalg.norm(v) > _FLOOR:
            self._put(k, v)

    def _skew(self, i, j):
        q = _complement(np.delete(self.columns, (i, j), axis=1), 2)
        m = np.outer(q[:, 0], q[:, 1])
        return m - m.T

    def improve_two(self, i, j):
        a, b = self.spaces[i].real, self.spaces[j].real
        u, s, vt = np.linalg.svd(a.T @ self._skew(i, j) @ b)
        if s.size and s[0] > _FLOOR:
            self._put(i, a @ u[:, 0])
            self._put(j, b @ vt[0])

    def improve_pair(self, k):
        space = self.spaces[k]
        values, vectors = np.linalg.eigh(
            space.conj().T @ (-0.5j * self._skew(k, k + 1)) @ space
        )
        best = np.argmax(np.abs(values))
        if abs(values[best]) > _FLOOR:
            self._put_pair(k, space @ vectors[:, best])

    def sweep(self, method):
        """All columns once."""
        if method == "KNV0" or len(self.real) == 1:
            for k in self.real:
                self.improve_one(k)
        else:
            for a, i in enumerate(self.real):
                for j in self.real[a + 1 :]:
                    self.improve_two(i, j)
        for k in self.pairs:
            self.improve_pair(k)


def _improved(vectors, method, maxiter, rtol):
    """How much the determinant changed in the last sweep, and how many there were."""
    before, change = vectors.determinant(), np.inf
    for k in range(1, maxiter + 1):
        vectors.sweep(method)
        now = vectors.determinant()
        change = abs(now - before) / max(_FLOOR, now)
        if change < rtol and now > _FLOOR:
            return change, k
        before = now
    if rtol > 0:
        warnings.warn(
            f"Convergence was not reached after maxiter iterations, {maxiter}.\n"
            f"You asked for a tolerance of {rtol}, we got {change}.",
            stacklevel=3,
        )
    return change, maxiter


def _as_complex(columns, poles):
    """The eigenvectors, of columns that have real and imaginary parts."""
    made = columns.astype(complex)
    for k in np.flatnonzero(np.imag(poles) < 0):
        v = columns[:, k] + 1j * columns[:, k + 1]
        made[:, k], made[:, k + 1] = v, v.conj()
    return made


def _placed_by_all(A, B, poles):
    """Where there is an input for each state, the poles are put on the diagonal, pairs
    in a block."""
    blocks = np.diag(np.real(poles)).astype(float)
    for k in np.flatnonzero(np.imag(poles) < 0):
        blocks[k, k + 1], blocks[k + 1, k] = -poles[k].imag, poles[k].imag
    gain = np.linalg.lstsq(B, blocks - A, rcond=-1)[0]
    n = len(poles)
    vectors = _as_complex(np.eye(n), poles).conj()
    vectors = vectors / np.linalg.norm(vectors, axis=0)
    return -gain, vectors


def place_poles(A, B, poles, method="YT", rtol=1e-3, maxiter=30):
    """Gains K of a feedback of the states, for which ``A - B K`` has given eigenvalues.

    Parameters
    ----------
    A : array_like, shape (n, n)
    B : array_like, shape (n, m)
        Of the system ``x' = A x + B u``.
    poles : array_like, shape (n,)
        Real or complex ones, these with their conjugates; none more often than the rank
        of `B`.
    method : {'YT', 'KNV0'}, optional
        How the eigenvectors are made robust where there are several inputs: two at a
        time (Tits and Yang), or one (Kautsky), which is for real poles.
    rtol : float, optional
        The change of their determinant in a step at which they are good enough.
    maxiter : int, optional
        The most steps.

    Returns
    -------
    PolePlacement
        With attributes `gain_matrix`, `computed_poles`, `requested_poles`, `X`, `rtol`
        and `nb_iter`.

    Raises
    ------
    ValueError
        Poles cannot be placed, or arguments do not fit together.

    Warns
    -----
    UserWarning
        The tolerance was not reached in `maxiter` steps.

    Notes
    -----
    Gains of several inputs are not unique, and those found here need not be SciPy's.

    References
    ----------
    - J. Kautsky, N. K. Nichols and P. Van Dooren, "Robust pole assignment in linear
      state feedback", International Journal of Control 41, 1985.
    - A. L. Tits and Y. Yang, "Globally convergent algorithms for robust pole assignment
      by state feedback", IEEE Transactions on Automatic Control 41, 1996.

    Examples
    --------
    >>> from cupricx.scipy.signal import place_poles
    >>> found = place_poles([[0.0, 1.0], [0.0, 0.0]], [[0.0], [1.0]], [-1.0, -2.0])
    >>> found.computed_poles
    array([-2., -1.])
    """
    devices = []
    A, B, poles = (float_matrix(to_host(v, devices)) for v in (A, B, poles))
    poles, rank = _checked(A, B, np.atleast_1d(poles), method, rtol, maxiter)
    n = A.shape[0]
    u, z = np.linalg.qr(B, mode="complete")
    if rank == n:
        gain, vectors = _placed_by_all(A, B, poles)
        change = steps = np.nan
    else:
        spaces = _spaces(A, u[:, rank:], poles, rank)
        columns = _Vectors(spaces, poles)
        change, steps = 0, 0
        if rank > 1:
            change, steps = _improved(columns, method, maxiter, rtol)
        vectors = _as_complex(columns.columns, poles)
        gain = _gain(A, u[:, :rank], z[:rank], vectors, poles)
        vectors = vectors / np.linalg.norm(vectors, axis=0)
    found = {
        "gain_matrix": gain,
        "computed_poles": in_order(np.linalg.eigvals(A - B @ gain)),
        "requested_poles": poles,
        "X": vectors,
    }
    device = devices[0] if devices else None
    found = {name: to_device(value, device) for name, value in found.items()}
    return PolePlacement(**found, rtol=change, nb_iter=steps)


def _gain(A, u0, z, vectors, poles):
    try:
        # M of which these are the eigenvectors: M V = V diag(poles).
        m = np.linalg.solve(vectors.T, (vectors * poles).T).T
        gain = -np.linalg.lstsq(z, u0.T @ (m - A), rcond=None)[0]
    except np.linalg.LinAlgError:
        m = None
    if m is None or not np.isfinite(gain).all():
        raise ValueError(
            "The poles you've chosen can't be placed. Check the controllability "
            "matrix and try another set of poles"
        )
    return gain.real
