"""Equations with triangles of compressed matrices: what their arrays say."""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library, replayed

__all__ = ["solve_rows"]


def _example(xp):
    results = []
    rng = np.random.default_rng(0)
    dense = rng.uniform(1, 2, (60, 60)) * (rng.uniform(size=(60, 60)) < 0.2)
    dense += 20 * np.eye(60)
    columns = np.flatnonzero(dense) % 60
    ends = np.cumsum(np.r_[0, (dense != 0).sum(1)])
    for index in "il":
        for dtype in "fdFD":
            arrays = [xp.asarray(x.astype(index)) for x in (ends, columns)]
            arrays.append(xp.asarray(dense[dense != 0].astype(dtype)))
            for k in (1, 3, 40):
                b = xp.asarray(rng.uniform(size=(60, k)).astype(dtype))
                results += [solve_rows(*arrays, b, lower) for lower in (True, False)]
    return results


_library = Library(__file__)
_solve = _library.kernel(
    "solve_triangle<I, T, WIDE>",
    blocks="s.work",
    threads="TRIANGLE_THREADS",
    ships="if0 id0 iF0 iD0 if1 id1 iF1 iD1 lf0 ld0 lF0 lD0 lf1 ld1 lF1 lD1",
    example=_example,
)
_solve_short = _library.kernel(
    "solve_short_rows<I, T>",
    blocks="s.blocks",
    threads="SHORT_ROW_THREADS",
    ships="if id iF iD lf ld lF lD",
    example=_example,
)
_SHORT = 16  # elements of a row that one thread goes through: many rows are in flight
_FEW = 4  # columns that threads of a warp do not take one each


@replayed
def solve_rows(
    indptr, indices, data, b, lower, unit=False, conjugate=False, order=None, word=0
):
    """Solve with a triangle of a matrix in compressed rows.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
        What the matrix has outside the triangle is not read; duplicates are summed.
    b : cupric.ndarray, shape (n, k)
        Of the dtype of `data`.
    lower : bool
        Of which triangle there is.
    unit : bool, optional
        The diagonal counts as ones.
    conjugate : bool, optional
        With the conjugates of the elements.
    order : cupric.ndarray, shape (n,), optional
        The row of `b` that stands for each row.
    word : int, optional
        The address of an int that is set where the diagonal has a zero.

    Returns
    -------
    cupric.ndarray, shape (n, k)
    """
    n, k = b.shape
    x = _core.empty((n, k), b.dtype)
    if order is None:
        x[...] = b
    elif b.size:
        b.take(order, axis=0, out=x)
    if x.size == 0:
        return x
    wide = k > _FEW
    short = indices.size <= _SHORT * n and not _library.on_host(b)
    chunks = k if short else -(-k // _library.enum.TRIANGLE_COLUMNS) if wide else 1
    flags = _core.empty(1 + n * chunks, np.uint32)
    flags.fill(0)
    s = _library.struct.triangle_sizes(
        n=n,
        k=k,
        chunks=chunks,
        work=n * chunks,
        blocks=-(-(n * k) // _library.enum.SHORT_ROW_THREADS),
        lower=int(lower),
        unit=int(unit),
        conjugate=int(conjugate),
    )
    types = (indices.dtype, data.dtype)
    solve = _solve_short[types] if short else _solve[(*types, wide)]
    solve(indptr=indptr, indices=indices, data=data, x=x, flags=flags, word=word, s=s)
    return x
