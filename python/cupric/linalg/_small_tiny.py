"""Stacks of matrices of up to 8 rows on GPUs, a thread to a matrix: see
`cupric.linalg._small`, whose kernels take a group of threads to each.
"""

import numpy as np

from cupric._lib.kernels._library import PACK, SHARED, Library

__all__ = [
    "cholesky",
    "determinants",
    "inverses",
    "powers",
    "solutions",
    "takes",
    "takes_bucket",
    "takes_power",
]

_library = Library(__file__)
_THREADS = 128
# By dtype and the logarithm of the rows: the logarithm of how many columns are solved
# for at once where there are several, None where there is room for one alone.
# What is not here would not stay in registers, or eliminate again and again: 8 columns
# of float32, four at a time, took 2.4 times as long as one.
_WIDTHS = {
    "f": {1: 1, 2: 2, 3: None},
    "d": {1: 1, 2: 2, 3: None},
    "F": {1: 1, 2: 2},
    "D": {1: 1, 2: 1},
}


def _examples(xp):
    """Made by NumPy, as each allocation of an example fails once."""
    for dtype, widths in _WIDTHS.items():
        for log_n in widths:
            n = (1 << log_n) - (log_n > 1)
            a = np.arange(3 * n * n).reshape(3, n, n) % 7
            a = a + a.swapaxes(1, 2) + 16 * n * np.eye(n)
            yield xp.asarray(a.astype(dtype))


def _example_solve(xp):
    results = []
    for a in _examples(xp):
        b = xp.asarray(np.arange(3 * a.shape[1] * 3).reshape(3, -1, 3).astype(a.dtype))
        results += [xp.linalg.solve(a, b), xp.linalg.solve(a[0], b[0, :, 0])]
    return results


def _example_inv(xp):
    return [xp.linalg.inv(a) for a in _examples(xp)]


def _example_det(xp):
    return [part for a in _examples(xp) for part in xp.linalg.slogdet(a)]


def _example_cholesky(xp):
    return [xp.linalg.cholesky(a) for a in _examples(xp)]


def _example_power(xp):
    return [xp.linalg.matrix_power(a, 5) for a in _examples(xp)]


_words = [f"{t}{n}" for t, widths in _WIDTHS.items() for n in widths]
_several = [
    f"{t}{n}{w}" for t, widths in _WIDTHS.items() for n, w in widths.items() if w
]
_solve = _library.kernel(
    "solve_tiny<T, LOG_N, LOG_W>",
    blocks=True,
    ships=" ".join([f"{word}0" for word in _words] + _several),
    example=_example_solve,
)
_inv = _library.kernel(
    "inv_tiny<T, LOG_N>",
    blocks=True,
    ships=" ".join(_words),
    example=_example_inv,
)
_det = _library.kernel(
    "det_tiny<T, LOG_N>",
    blocks=True,
    ships=" ".join(_words),
    example=_example_det,
)
_cholesky = _library.kernel(
    "cholesky_tiny<T, LOG_N>",
    blocks=True,
    ships=" ".join(_words),
    example=_example_cholesky,
)

# Two matrices and a product of them stay in registers.
_power = _library.kernel(
    "power_tiny<T, LOG_N>",
    blocks=True,
    ships="f1 f2 d1 d2 F1 F2 D1",
    example=_example_power,
)


def _log_bucket(n):
    return max((n - 1).bit_length(), 1)


def takes_bucket(char, log_n, columns=1):
    """Whether the kernels are for a dtype, a logarithm of rows and so many columns."""
    log_w = _WIDTHS[char].get(log_n, "none")
    return log_w != "none" and (columns == 1 or log_w is not None)


def takes(a, columns=1):
    """Whether the kernels are for a stack's dtype and rows, and so many columns."""
    return takes_bucket(a.dtype.char, _log_bucket(a.shape[-1]), columns)


def takes_power(a):
    """Whether the kernel is for the powers of a stack."""
    log_n = _log_bucket(a.shape[-1])
    return log_n <= (1 if a.dtype.char == "D" else 2)


def _launch(instance, log_n, *, a, **arguments):
    packs = (a.itemsize << 2 * log_n) // PACK | 1  # the pitch of its tiny_place
    nbytes = packs * PACK
    threads = _THREADS
    while threads * nbytes > SHARED:
        threads //= 2
    instance(
        a=a,
        **arguments,
        work=-(-a.shape[0] // threads),
        threads=threads,
        shared_mem=threads * nbytes,
    )


def solutions(a, b, x, status, columns):
    """x = the solutions."""
    log_n = _log_bucket(a.shape[-1])
    log_w = 0 if columns == 1 else _WIDTHS[a.dtype.char][log_n]
    instance = _solve[a.dtype, log_n, log_w]
    _launch(instance, log_n, a=a, b=b, x=x, status=status, columns=columns)


def inverses(a, x, status):
    """x = the inverses."""
    log_n = _log_bucket(a.shape[-1])
    _launch(_inv[a.dtype, log_n], log_n, a=a, x=x, status=status)


def determinants(a, result, logs):
    """The determinants, or, where `logs` is not None, their signs beside their
    logarithms."""
    log_n = _log_bucket(a.shape[-1])
    with_logs = logs is not None
    instance = _det[a.dtype, log_n]
    _launch(instance, log_n, a=a, result=result, logs=logs, with_logs=with_logs)


def cholesky(a, x, status):
    """x = the lower Cholesky factors."""
    log_n = _log_bucket(a.shape[-1])
    _launch(_cholesky[a.dtype, log_n], log_n, a=a, x=x, status=status)


def powers(a, x, n):
    """x = the matrices to the power of `n`, which is positive."""
    log_n = _log_bucket(a.shape[-1])
    _launch(_power[a.dtype, log_n], log_n, a=a, x=x, power=n)
