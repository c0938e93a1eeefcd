"""Eigenvalues and eigenvectors of stacks of small square matrices on GPUs: see
`cupric.linalg._small`.
"""

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import SHARED, Library
from cupric._lib.kernels._replay import replayed
from cupric.linalg import _small
from cupric.linalg._status import checked

__all__ = ["eig", "takes"]

_library = Library(__file__)
_WARP = 32
_ROWS = 4  # of a matrix that a thread has


def _example(xp):
    """Of matrices with a few complex eigenvalues: what does not depend on the order."""
    results = []
    for dtype in "fdFD":
        for n in (2, 5, 9):
            a = np.arange(3 * n * n).reshape(3, n, n)
            a = a * a % 7 - 3 * np.eye(n, k=1) + np.diag(3 * np.arange(n))
            a = xp.asarray(a.astype(dtype))
            w, v = xp.linalg.eig(a)
            back = xp.matmul(_small.times_columns(xp, v, w), xp.linalg.inv(v))
            results += [back, xp.linalg.eigvals(a).sum(-1)]
    return results


_eig = _library.kernel(
    "eig_small<T, VECTORS>",
    blocks=True,
    ships=" ".join(f"{t}{vectors}" for t in "fdFD" for vectors in (0, 1)),
    example=_example,
)


def _lanes(a, vectors):
    """The threads of a group: as many as rows where matrices are few; else a quarter,
    as steps that all of a group repeat take most of the time: an H100."""
    n = a.shape[-1]
    rows = 1 if a.size < _small.MANY * n * n else _ROWS
    lanes = max((1 << (n - 1).bit_length()) // rows, 1)
    while lanes < _WARP and _WARP // lanes * _bytes(a, lanes, vectors) > SHARED:
        lanes *= 2
    return lanes


def _bytes(a, lanes, vectors):
    """Of a group's shared memory."""
    n, size = a.shape[-1], a.itemsize
    real = np.finfo(a.dtype).dtype.itemsize
    elements = n * (n | 1) * (3 if vectors else 1) + n
    return _small.room(elements * size + n * (3 * real + 4), lanes * size)


def takes(a, vectors):
    """Whether the kernels are for these matrices."""
    return _small.takes(a) and _bytes(a, _WARP, vectors) <= SHARED


def eig(a, vectors):
    """The eigenvalues of a stack, and the vectors or None."""
    w = _core.empty(a.shape[:-1], np.result_type(a.dtype, "F"), device=a.device)
    v = _core.empty(a.shape, w.dtype, device=a.device) if vectors else None
    checked("Eigenvalues did not converge", _launch, a, w, v)
    return w, v


@replayed
def _launch(a, w, v, status):
    stack, vectors = _small.stacked(a), v is not None
    lanes = _lanes(a, vectors)
    nbytes = _bytes(a, lanes, vectors)
    _small.launch(
        _eig[a.dtype, int(vectors)],
        lanes,
        nbytes,
        a=stack,
        w=w,
        v=v,
        status=status,
        lanes=lanes,
        bytes=nbytes,
    )
    return w
