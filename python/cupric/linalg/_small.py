"""Stacks of small matrices on GPUs: a kernel library instead of cuSOLVER.

A call is one launch, whatever the stack. Where a matrix is singular, or whatever else
it must not be, its result is NaN and one word for the whole stack says so: see
`cupric.linalg._status`. On the host LAPACK is called.
"""

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import PACK, SHARED, Library
from cupric._lib.kernels._replay import replayed
from cupric._manipulation._args import require_one_device
from cupric.linalg import _small_tiny

__all__ = [
    "MANY",
    "cholesky",
    "det",
    "inv",
    "launch",
    "room",
    "slogdet",
    "solve",
    "stacked",
    "takes",
    "times_columns",
]

MANY = 4096  # matrices that keep a GPU busy with few threads each: an H100

_library = Library(__file__)
_BANKS = 128  # bytes of shared memory that a warp reads at a time


def _examples(xp):
    """A stack for each of the kernels' dtypes and buckets, of symmetric and positive
    definite matrices. Made by NumPy, as each allocation of an example fails once."""
    for dtype in "fdFD":
        for n in (3, 7, 12, 32):
            a = np.arange(3 * n * n).reshape(3, n, n) % 7
            a = a + a.swapaxes(1, 2) + 16 * n * np.eye(n)
            yield xp.asarray(a.astype(dtype))


def times_columns(xp, a, w):
    """For examples: matrices times diagonal ones, one by one, as kernels that
    broadcast over a stack do not come compiled."""
    a, w = xp.ascontiguousarray(a), w.astype(a.dtype)
    return xp.stack([m * v for m, v in zip(a, w, strict=True)])


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


def _buckets(columns=1):
    """The dtypes and buckets that need these kernels."""
    return [
        (char, log_n)
        for char in "fdFD"
        for log_n in _LOGS
        if not _small_tiny.takes_bucket(char, log_n, columns)
    ]


def _log_rows(char, log_n):
    """The logarithm of how many rows a thread takes of a matrix whose determinant is
    asked for, by measurement on an H100: 8 threads share one of float32, 16 one of 8
    bytes an element."""
    return max(log_n - np.dtype(char).itemsize.bit_length(), 0)


_solve = _library.kernel(
    "solve_small<T, LOG_N, LOG_W>",
    blocks=True,
    ships=" ".join(
        [f"{t}{n}0" for t, n in _buckets()]
        + [f"{t}{n}{_log_several(t, n)}" for t, n in _buckets(2)]
    ),
    example=_example_solve,
)
_det = _library.kernel(
    "det_small<T, LOG_N, LOG_R>",
    blocks=True,
    ships=" ".join(f"{t}{n}{_log_rows(t, n)}" for t, n in _buckets()),
    example=_example_det,
)
_cholesky = _library.kernel(
    "cholesky_small<T, LOG_N>",
    blocks=True,
    ships=" ".join(f"{t}{n}" for t, n in _buckets()),
    example=_example_cholesky,
)


def takes(a, largest=None):
    """Whether the kernels are for these matrices: not empty ones, on a GPU, of up to
    `largest` rows and columns, MOST_ROWS by default."""
    if not isinstance(a, _core.ndarray) or _library.on_host(a) or a.ndim < 2:
        return False
    largest = largest or _library.enum.MOST_ROWS
    return a.size > 0 and a.shape[-1] <= largest and a.shape[-2] <= largest


def stacked(a):
    """A stack with one axis of matrices."""
    return a if a.ndim == 3 else a.reshape(-1, *a.shape[-2:])


def room(least, row):
    """So many bytes of shared memory for a group whose threads read `row` at a time: an
    odd multiple of that, so that the threads of a warp, each at a row of its own, have
    banks of their own."""
    step = min(row, _BANKS)
    return (-(-least // step) | 1) * step


def _log_bucket(n):
    return max((n - 1).bit_length(), _LOGS[0])


def launch(instance, lanes, nbytes, /, *, a, **arguments):
    """Launch over a stack `a`: `lanes` threads a matrix, with its shared memory."""
    threads = _library.enum.THREADS
    while threads > 32 and threads // lanes * nbytes > SHARED:
        threads //= 2
    matrices = threads // lanes
    instance(
        a=a,
        **arguments,
        work=-(-a.shape[0] // matrices),
        threads=threads,
        shared_mem=matrices * nbytes,
    )


def _launch_rows(instance, lanes, log_n, width, *, a, **arguments):
    """Launch over a stack `a`: `lanes` threads to 2**log_n rows with `width` columns
    beside them."""
    packs = -(-((1 << log_n) + width) * a.itemsize // PACK) | 1  # its row_length
    launch(instance, lanes, (packs << log_n) * PACK, a=a, **arguments)


def solve(a, b, vector, status):
    """The solutions of stacks of equations, which have the same shape but for the
    columns of `b`; of vectors those are left out."""
    require_one_device(a, b)
    x = _core.empty(b.shape[:-1] if vector else b.shape, b.dtype, device=a.device)
    if not x.size:
        return x
    stack, right, columns = stacked(a), stacked(b), b.shape[-1]
    if _small_tiny.takes(a, columns):
        _small_tiny.solutions(stack, right, x, status, columns)
    else:
        _launch_solve(stack, right, x, columns, False, status)
    return x


def inv(a, status):
    """The inverses of a stack."""
    stack, x = stacked(a), _core.empty(a.shape, a.dtype, device=a.device)
    if _small_tiny.takes(a):
        _small_tiny.inverses(stack, x, status)
    else:
        _launch_solve(stack, stack, x, a.shape[-1], True, status)
    return x


def _launch_solve(a, b, x, columns, inverts, status):
    log_n = _log_bucket(a.shape[-1])
    log_w = 0 if columns == 1 else _log_several(a.dtype.char, log_n)
    _launch_rows(
        _solve[a.dtype, log_n, log_w],
        1 << log_n,
        log_n,
        1 << log_w,
        a=a,
        b=b,
        x=x,
        status=status,
        columns=columns,
        inverts=inverts,
    )


def det(a):
    """The determinants of a stack."""
    return _determinants(a, False)[0]


def slogdet(a):
    """Signs and logarithms of the determinants of a stack."""
    return _determinants(a, True)


def _determinants(a, with_logs):
    result = _core.empty(a.shape[:-2], a.dtype, device=a.device)
    logs = None
    if with_logs:
        logs = _core.empty(a.shape[:-2], np.finfo(a.dtype).dtype, device=a.device)
    with a.device:
        _launch_det(a, result, logs)
    return result, logs


@replayed
def _launch_det(a, result, logs):
    stack = stacked(a)
    if _small_tiny.takes(a):
        _small_tiny.determinants(stack, result, logs)
        return result
    log_n = _log_bucket(a.shape[-1])
    log_rows = _log_rows(a.dtype.char, log_n)
    _launch_rows(
        _det[a.dtype, log_n, log_rows],
        1 << (log_n - log_rows),
        log_n,
        0,
        a=stack,
        result=result,
        logs=logs,
        with_logs=logs is not None,
    )
    return result


def cholesky(a, status):
    """The lower Cholesky factors of a stack."""
    stack, x = stacked(a), _core.empty(a.shape, a.dtype, device=a.device)
    if _small_tiny.takes(a):
        _small_tiny.cholesky(stack, x, status)
        return x
    log_n = _log_bucket(a.shape[-1])
    instance = _cholesky[a.dtype, log_n]
    _launch_rows(instance, 1 << log_n, log_n, 0, a=stack, x=x, status=status)
    return x
