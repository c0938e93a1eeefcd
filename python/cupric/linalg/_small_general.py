"""Eigenvalues and eigenvectors of stacks of small square matrices on GPUs: see
`cupric.linalg._small`.
"""

import numpy as np

from cupric import _core
from cupric._lib._library import SHARED, Library, view
from cupric._lib._replay import replayed
from cupric.linalg import _small
from cupric.linalg._status import checked

__all__ = ["eig", "takes"]

_library = Library(__file__, "_small_general.cuh")
_WARP = 32
_ROWS = 4  # of a matrix, a thread's, where many fit into a warp: see _lanes


def _example(xp):
    """Of matrices with a few complex eigenvalues: what does not depend on the order."""
    results = []
    for dtype in "fdFD":
        for n in (2, 5, 9):
            a = np.arange(3 * n * n).reshape(3, n, n)
            a = xp.asarray((a * a % 11 - 3 * np.eye(n, k=1)).astype(dtype))
            w, v = xp.linalg.eig(a)
            back = xp.matmul(_small.times_columns(xp, v, w), xp.linalg.inv(v))
            results += [back, xp.linalg.eigvals(a).sum(-1)]
    return results


_eig = _library.kernel(
    "eig_small<T, VECTORS>",
    ships=" ".join(f"{t}{vectors}" for t in "fdFD" for vectors in (0, 1)),
    example=_example,
)


def _lanes(a, vectors):
    """The threads of a group: few, by measurement on an H100, as steps that all threads
    of a group repeat are what most of the time goes to."""
    lanes = max((1 << (a.shape[-1] - 1).bit_length()) // _ROWS, 1)
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
    room = _bytes(a, lanes, vectors)
    args = view(stack), w, v if vectors else w, status, lanes, room
    _small.launch(_eig[a.dtype, int(vectors)], stack, lanes, room, args)
    return w
