"""QR factors and singular values of stacks of small matrices on GPUs: see
`cupric.linalg._small`.
"""

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import SHARED, Library
from cupric._lib.kernels._replay import replayed
from cupric.linalg import _small
from cupric.linalg._status import checked

__all__ = ["qr", "svd", "takes_qr", "takes_svd"]

_library = Library(__file__)


_SHAPES = ((3, 4, 4), (2, 7, 3), (2, 3, 7))


def _examples(xp, shapes):
    for dtype in "fdFD":
        for shape in shapes:
            a = np.arange(np.prod(shape)).reshape(shape)
            yield xp.asarray((a * a % 11).astype(dtype))


def _example_qr(xp):
    return [xp.matmul(*xp.linalg.qr(a)) for a in _examples(xp, _SHAPES)]


def _example_svd(xp):
    results = []
    for a in _examples(xp, _SHAPES):
        u, s, vh = xp.linalg.svd(a)
        k = s.shape[1]
        results += [s, xp.matmul(_small.times_columns(xp, u[..., :k], s), vh[:, :k])]
    return results


_qr = _library.kernel("qr_small<T>", blocks=True, ships="f d F D", example=_example_qr)
_svd = _library.kernel(
    "svd_small<T>", blocks=True, ships="f d F D", example=_example_svd
)


def _lanes(a):
    """The threads of a group: a power of two, and not 1, as 32 matrices a warp would
    need too much shared memory together."""
    return max(1 << (max(a.shape[-2:]) - 1).bit_length(), 2)


def _fits(a, nbytes):
    """Whether a warp's matrices fit into shared memory."""
    return 32 // _lanes(a) * nbytes <= SHARED


def _qr_bytes(a, wide):
    m, n = a.shape[-2:]
    factors = _library.enum.MOST_ROWS
    return _padded((m * (n | 1) + m * (wide | 1) + factors) * a.itemsize)


def _svd_bytes(a, full):
    """With rotations, which have two ints each, and real numbers."""
    k, m = sorted(a.shape[-2:])
    columns = m if full else k
    elements = 2 * m * (columns | 1) + k * (k | 1)
    real = np.finfo(a.dtype).dtype.itemsize
    pair = 3 * real + a.itemsize + 16
    return _padded(_library.enum.MOST_ROWS * pair + elements * a.itemsize)


def _padded(nbytes):
    return -(-nbytes // 16) * 16


def takes_qr(a, complete):
    wide = a.shape[-2] if complete else min(a.shape[-2:])
    return _small.takes(a) and _fits(a, _qr_bytes(a, wide))


def takes_svd(a, full):
    return _small.takes(a) and _fits(a, _svd_bytes(a, full))


def qr(a, complete):
    """The factors of a stack."""
    batch, (m, n) = a.shape[:-2], a.shape[-2:]
    wide = m if complete else min(m, n)
    q = _core.empty((*batch, m, wide), a.dtype, device=a.device)
    r = _core.empty((*batch, wide, n), a.dtype, device=a.device)
    with a.device:
        _launch_qr(a, q, r, wide)
    return q, r


@replayed
def _launch_qr(a, q, r, wide):
    stack = _small.stacked(a)
    lanes, nbytes = _lanes(a), _qr_bytes(a, wide)
    _small.launch(
        _qr[a.dtype],
        lanes,
        nbytes,
        a=stack,
        q=q,
        r=r,
        wide=wide,
        lanes=lanes,
        bytes=nbytes,
    )
    return q


def svd(a, full, vectors):
    """u, s, vh of a stack; s alone without `vectors`."""
    batch, (m, n) = a.shape[:-2], a.shape[-2:]
    k = min(m, n)
    s = _core.empty((*batch, k), np.finfo(a.dtype).dtype, device=a.device)
    u = vh = None
    if vectors:
        u = _core.empty((*batch, m, m if full else k), a.dtype, device=a.device)
        vh = _core.empty((*batch, n if full else k, n), a.dtype, device=a.device)
    checked("SVD did not converge", _launch_svd, a, u, s, vh, full and vectors)
    return (u, s, vh) if vectors else s


@replayed
def _launch_svd(a, u, s, vh, full, status):
    vectors = u is not None
    stack, wide = _small.stacked(a), a.shape[-2] < a.shape[-1]  # the kernel takes a^H
    if vectors:
        of_u, of_v = _small.stacked(u), _small.stacked(vh).swapaxes(1, 2)
        left, right = (of_v, of_u) if wide else (of_u, of_v)
    else:
        left = right = stack
    lanes, nbytes = _lanes(a), _svd_bytes(a, full)
    options = _library.struct.svd_options(
        vectors=vectors,
        conjugates=wide,
        left_conjugates=wide,
        right_conjugates=not wide,
    )
    _small.launch(
        _svd[a.dtype],
        lanes,
        nbytes,
        a=stack.swapaxes(1, 2) if wide else stack,
        left=left,
        right=right,
        s=s,
        status=status,
        o=options,
        lanes=lanes,
        bytes=nbytes,
    )
    return s
