"""Eigenvalues and eigenvectors of stacks of small Hermitian matrices on GPUs: see
`cupric.linalg._small`.
"""

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import SHARED, Library
from cupric._lib.kernels._replay import replayed
from cupric.linalg import _small
from cupric.linalg._status import checked

__all__ = ["eigh", "takes"]

_library = Library(__file__)
_LARGEST = 64  # rows, for each of which the kernel has a bit: cuSOLVER takes more
_ROWS = (1, 2, 4)  # that a thread may have of a matrix
_WARP = 32


def _example(xp):
    results = []
    for dtype in "fdFD":
        for shape in ((3, 5, 5), (2, 40, 40), (_small.MANY, 5, 5)):
            a = np.arange(np.prod(shape)).reshape(shape)
            a = xp.asarray((a * a % 11).astype(dtype))
            w, v = xp.linalg.eigh(a)
            adjoint = v.conj().swapaxes(1, 2)
            results += [w, xp.linalg.eigvalsh(a, "U"), xp.matmul(adjoint, v)]
            if len(a) < _small.MANY:
                results.append(xp.matmul(_small.times_columns(xp, v, w), adjoint))
    return results


_eigh = _library.kernel(
    "eigh_small<T, ROWS>",
    blocks=True,
    ships=" ".join(f"{t}{rows}" for t in "fdFD" for rows in (0, *_ROWS)),
    example=_example,
)


def _lanes(a):
    """The threads of a group, and how many rows each has: one where matrices are few,
    as they are soonest done then; else as many as the kernel takes, as the steps that
    all threads of a group repeat are what a warp spends most of its time on."""
    n = a.shape[-1]
    wanted = n if a.size < _small.MANY * n * n else -(-n // _ROWS[-1])
    lanes = min(1 << (wanted - 1).bit_length(), _WARP)
    while lanes < _WARP and _WARP // lanes * _bytes(a, lanes) > SHARED:
        lanes *= 2
    return lanes, next(rows for rows in _ROWS if lanes * rows >= n)


def _bytes(a, lanes):
    """Of a group's shared memory."""
    n, size = a.shape[-1], a.itemsize
    real = np.finfo(a.dtype).dtype.itemsize
    return _small.room(n * (n | 1) * size + n * (4 * real + 4), lanes * size)


def takes(a):
    """Whether the kernels are for these matrices."""
    return _small.takes(a, _LARGEST) and _bytes(a, _WARP) <= SHARED


def eigh(a, upper, vectors):
    """The eigenvalues of a stack, and the vectors or None."""
    w = _core.empty(a.shape[:-1], np.finfo(a.dtype).dtype, device=a.device)
    v = _core.empty(a.shape, a.dtype, device=a.device) if vectors else None
    checked("Eigenvalues did not converge", _launch, a, w, v, upper)
    return w, v


@replayed
def _launch(a, w, v, upper, status):
    stack = _small.stacked(a)
    lanes, rows = _lanes(a)
    nbytes = _bytes(a, lanes)
    _small.launch(
        _eigh[a.dtype, 0 if v is None else rows],
        lanes,
        nbytes,
        a=stack,
        w=w,
        v=v,
        status=status,
        upper=upper,
        lanes=lanes,
        bytes=nbytes,
    )
    return w
