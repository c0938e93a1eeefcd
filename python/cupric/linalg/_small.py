"""Stacks of small matrices on GPUs: a kernel library instead of cuSOLVER.

A call is one launch, whatever the stack. Where a matrix is singular, or whatever else
it must not be, its result is NaN and one word for the whole stack says so, which is
looked at unless `errstate` has such errors ignored. On the host LAPACK is called.
"""

import numpy as np

from cupric import _core
from cupric._lib._library import Library, view
from cupric._manipulation._args import require_one_device
from cupric.linalg._errors import geterr

__all__ = [
    "LARGEST",
    "SHARED",
    "check",
    "cholesky",
    "det",
    "inv",
    "launch",
    "new_status",
    "slogdet",
    "solve",
    "stacked",
    "takes",
]

LARGEST = 32  # rows and columns that the kernels are for

_library = Library(__file__, "_small.cuh")
_THREADS = 128
SHARED = 48 << 10  # bytes of shared memory that every GPU has for a block
_PACK = 16  # bytes that a thread reads of shared memory at a time


def _examples(xp):
    """A stack for each of the kernels' dtypes and buckets, of symmetric and positive
    definite matrices. Made by NumPy, as each allocation of an example fails once."""
    for dtype in "fdFD":
        for n in (3, 7, 12, 32):
            a = np.arange(3 * n * n).reshape(3, n, n) % 7
            a = a + a.swapaxes(1, 2) + 16 * n * np.eye(n)
            yield xp.asarray(a.astype(dtype))


def _example_solve(xp):
    results = []
    for a in _examples(xp):
        b = xp.asarray(np.arange(3 * a.shape[1] * 3).reshape(3, -1, 3).astype(a.dtype))
        results += [xp.linalg.solve(a, b), xp.linalg.solve(a[0], b[0, :, 0])]
        results.append(xp.linalg.inv(a))
    return results


def _example_det(xp):
    return [part for a in _examples(xp) for part in xp.linalg.slogdet(a)]


def _example_cholesky(xp):
    return [xp.linalg.cholesky(a) for a in _examples(xp)]


_LOGS = (2, 3, 4, 5)  # of the buckets


def _log_several(char, log_n):
    """The logarithm of how many columns are solved for at once, if there are several:
    32 of complex128 would not fit into registers beside the matrix."""
    return min(log_n, 4 if char == "D" else 5)


_words = [(t, n) for t in "fdFD" for n in _LOGS]
_solve = _library.kernel(
    "solve_small<T, LOG_N, LOG_W>",
    ships=" ".join(f"{t}{n}0 {t}{n}{_log_several(t, n)}" for t, n in _words),
    example=_example_solve,
)
_det = _library.kernel(
    "det_small<T, LOG_N>",
    ships=" ".join(f"{t}{n}" for t, n in _words),
    example=_example_det,
)
_cholesky = _library.kernel(
    "cholesky_small<T, LOG_N>",
    ships=" ".join(f"{t}{n}" for t, n in _words),
    example=_example_cholesky,
)


def takes(a, *others):
    """Whether the kernels are for these matrices: not empty ones, on a GPU."""
    return (
        0 < a.shape[-1] <= LARGEST
        and 0 < a.shape[-2] <= LARGEST
        and all(x.size for x in (a, *others))
        and not _library.on_host(a)
    )


def stacked(a):
    """A stack with one axis of matrices."""
    return a if a.ndim == 3 else a.reshape(-1, *a.shape[-2:])


def _log_bucket(n):
    return max((n - 1).bit_length(), _LOGS[0])


def launch(instance, a, lanes, nbytes, args):
    """Launch over a stack: `lanes` threads a matrix, each with its shared memory."""
    threads = _THREADS
    while threads > 32 and threads // lanes * nbytes > SHARED:
        threads //= 2
    matrices = threads // lanes
    pieces = -(-a.shape[0] // matrices)
    with a.device:
        instance.blocks(pieces, threads, args, shared_mem=matrices * nbytes)


def _launch_rows(instance, a, log_n, width, args):
    """Launch over a stack: a thread a row of 2**log_n, `width` columns beside it."""
    n = 1 << log_n
    row = -(-(n + width) * a.itemsize // _PACK) * _PACK + _PACK
    launch(instance, a, n, n * row, args)


def new_status(a):
    """The word that a kernel sets where it fails for a matrix."""
    return _core.zeros(1, np.int32, device=a.device)


def check(status, message):
    """One look at the device for the whole stack; none while a graph is captured, which
    has no values yet."""
    if geterr()["linalg"] != "raise" or _core.get_current_stream().is_capturing():
        return
    if int(status[0]):
        raise np.linalg.LinAlgError(message)


def solve(a, b):
    """The solutions of stacks of equations, which have the same shape but for the
    columns of `b`."""
    require_one_device(a, b)
    batch, (n, columns) = b.shape[:-2], b.shape[-2:]
    return _solutions(stacked(a), stacked(b), columns, False).reshape(
        *batch, n, columns
    )


def inv(a):
    """The inverses of a stack."""
    stack = stacked(a)
    return _solutions(stack, stack, a.shape[-1], True).reshape(a.shape)


def _solutions(a, b, columns, inverts):
    n = a.shape[-1]
    log_n = _log_bucket(n)
    log_w = 0 if columns == 1 else _log_several(a.dtype.char, log_n)
    x = _core.empty((len(a), n, columns), a.dtype, device=a.device)
    status = new_status(a)
    args = view(a), view(b), x, status, columns, inverts
    _launch_rows(_solve[a.dtype, log_n, log_w], a, log_n, 1 << log_w, args)
    check(status, "Singular matrix")
    return x


def det(a):
    """The determinants of a stack."""
    return _determinants(a, False)[0]


def slogdet(a):
    """Signs and logarithms of the determinants of a stack."""
    return _determinants(a, True)


def _determinants(a, with_logs):
    batch, stack = a.shape[:-2], stacked(a)
    real = np.finfo(a.dtype).dtype
    log_n = _log_bucket(a.shape[-1])
    result = _core.empty(batch, a.dtype, device=a.device)
    logs = _core.empty(batch if with_logs else (0,), real, device=a.device)
    args = view(stack), result, logs, with_logs
    _launch_rows(_det[a.dtype, log_n], stack, log_n, 1, args)
    return result, logs


def cholesky(a):
    """The lower Cholesky factors of a stack."""
    stack = stacked(a)
    log_n = _log_bucket(a.shape[-1])
    x = _core.empty(a.shape, a.dtype, device=a.device)
    status = new_status(a)
    _launch_rows(_cholesky[a.dtype, log_n], stack, log_n, 0, (view(stack), x, status))
    check(status, "Matrix is not positive definite")
    return x
