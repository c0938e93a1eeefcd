"""Krylov decompositions, of which the methods of Lanczos and Arnoldi are made."""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library

__all__ = ["Krylov"]

_library = Library(__file__)


def _example(xp):
    results = []
    for dtype in "fdFD":
        weights = xp.asarray(np.arange(1.0, 1001).astype(dtype))
        krylov = Krylov(
            weights.device, 1000, 6, dtype, weights.__mul__, mass=(2 * weights).__mul__
        )
        krylov.start(xp.asarray(np.cos(np.arange(1000.0) ** 2).astype(dtype)))
        h, _ = krylov.extend(0)
        results += [krylov.basis, xp.asarray(h)]
    return results


def _kernel(name, **options):
    return _library.kernel(
        name,
        blocks="s.tiles",
        threads="KRYLOV_THREADS",
        example=_example,
        **options,
    )


_project = _kernel("project<T>", ships="f d F D")
_subtract = _kernel("subtract<T, LAST>", ships="f0 d0 F0 D0 f1 d1 F1 D1")
_square_norms = _kernel("square_norms<T>", ships="f d F D")
_normalize = _kernel("normalize<T>", ships="f d F D")


class Krylov:
    """``A @ V.T = V.T @ H + residual``, for vectors that are the rows of V.

    They are orthonormal, by the inner product of the matrix `mass` where there is one.
    A new vector is made orthogonal to all others twice. Nothing waits for the device
    but `extend`, when it has made all vectors.

    Parameters
    ----------
    device : cupric.cuda.Device
    n, m : int
        Elements of a vector; vectors.
    dtype : dtype
    apply : callable
        ``A @ x`` of a vector x.
    mass : callable, optional
        ``M @ x``. `apply` is symmetric by its inner product if it shall be so.

    Attributes
    ----------
    basis : cupric.ndarray, shape (m + 1, n)
    """

    def __init__(self, device, n, m, dtype, apply, mass=None):
        self.device, self.n, self.m = device, n, m
        self.dtype = np.dtype(dtype)
        self.apply, self.mass = apply, mass
        enum = _library.enum
        tiles = max(1, min(-(-n // enum.KRYLOV_LEAST_TILE), enum.KRYLOV_MOST_TILES))
        self.tile = -(-n // tiles)
        self.tiles = -(-n // self.tile)
        # What a sum of n products of rounded elements may be off by.
        self.least = 10 * float(np.finfo(self.dtype).eps)
        self.basis = self._empty(m + 1, n)
        self.dual = self.basis if mass is None else self._empty(m + 1, n)
        self._columns = self._empty(m + 1, m + 1)  # of H: the last is for starts
        self._scratch = self._empty(3 * (m + 1) * self.tiles)
        self._norms = _core.empty(self.tiles, np.float64, device=device)
        self._rest = self._empty(n)

    def _empty(self, *shape):
        return _core.empty(shape, self.dtype, device=self.device)

    def start(self, vector, rows=0):
        """Make `vector`, less what lies in the first rows, the next one."""
        self._append(vector, rows, self.m)

    def start_norm(self):
        """The norm of the vector of the first start. Waits for the device."""
        return abs(self._columns[self.m, 0].item())

    def extend(self, rows):
        """Append vectors to the first `rows` + 1 until there are m + 1.

        Returns
        -------
        h : numpy.ndarray, shape (m + 1, m - rows)
            The columns of H that were added, below H the residual's row.
        end : int
            Where less than m: the first `end` vectors span an invariant subspace, so
            that those behind it are zero.
        """
        for j in range(rows, self.m):
            self._append(self.apply(self.basis[j]), j + 1, j)
        h = self._columns[rows : self.m].get().T
        column = np.arange(rows, self.m)
        h[np.arange(self.m + 1)[:, None] > column + 1] = 0  # was never written
        ends = np.flatnonzero(h[column + 1, column - rows] == 0)
        return h, int(rows + ends[0] + 1) if len(ends) else self.m

    def combine(self, s):
        """The rows ``s.T @ V`` for a NumPy array `s` of as many rows as V's first."""
        return self._combine(self.basis, s)

    def _combine(self, rows, s):
        s = np.ascontiguousarray(s.T.astype(self.dtype, copy=False))
        return _core.asarray(s) @ rows[: s.shape[1]]

    def restart(self, s, end):
        """Keep the vectors ``s.T @ V`` and behind them vector `end`."""
        keep = s.shape[1]
        for rows in {id(v): v for v in (self.basis, self.dual)}.values():
            kept = self._combine(rows, s)
            rows[keep] = rows[end]
            rows[:keep] = kept

    def _append(self, vector, rows, column):
        """The next vector, and the column of H, of what comes from ``A @ x``."""
        column = self._columns[column]
        s = _library.struct.krylov_sizes(
            n=self.n, tile=self.tile, tiles=self.tiles, rows=rows
        )
        vector = _core.ascontiguousarray(vector, dtype=self.dtype)
        both = {"basis": self.basis, "dual": self.dual, "norms": self._norms}
        both |= {"scratch": self._scratch, "column": column, "s": s}
        rest = self._rest
        _project[self.dtype](dual=self.dual, w=vector, partial=self._scratch, s=s)
        _subtract[self.dtype, False](x=vector, y=rest, **both)
        _subtract[self.dtype, True](x=rest, y=rest, **both)
        norms = {"norms": self._norms, "column": column, "least": self.least, "s": s}
        if self.mass is not None:
            dual = _core.ascontiguousarray(self.mass(rest), dtype=self.dtype)
            _square_norms[self.dtype](x=rest, y=dual, norms=self._norms, s=s)
            _normalize[self.dtype](x=dual, y=self.dual[rows], **norms)
        _normalize[self.dtype](x=rest, y=self.basis[rows], **norms)
