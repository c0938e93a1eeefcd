"""Filters of high orders, and those without recursion, in direct form."""

import math

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library
from cupricx.scipy.signal._state_space import run_recurrence

__all__ = ["run_direct"]

_library = Library(__file__)


def _example(xp):
    x = xp.asarray(np.cos(np.arange(3000.0) ** 2).reshape(2, 1500))
    made = []
    for dtype in "fd":
        b = xp.asarray(np.full(10, 0.1, dtype))
        a = xp.asarray(np.array([1, *[0.05] * 9], dtype))
        rows = x.astype(dtype)
        y, zf = xp.empty_like(rows), xp.empty((2, 9), dtype)
        run_direct(b, a, rows, y, xp.ones((2, 9), dtype), zf)
        made += [y, zf]
        y, zf = xp.empty_like(rows), xp.empty((2, 9), dtype)
        run_direct(b, a[:1], rows, y, xp.ones((2, 9), dtype), zf)
        made += [y, zf]
    return made


_chunks = _library.kernel(
    "direct_chunks<T, W>", elements=True, ships="fd dd", example=_example
)


_taps = _library.kernel(
    "direct_taps<T, W>", elements=True, ships="fd dd", example=_example
)


def run_direct(b, a, x, y, zi=None, zf=None):
    """y = the filter of rows x, (..., n), from the states zi, which become zf.

    All arrays are of one dtype and contiguous.
    """
    n, rows = x.shape[-1], math.prod(x.shape[:-1])
    wide = np.promote_types(x.dtype, np.float64)
    m = a.size - 1
    b, a = b.astype(wide), a.astype(wide)
    if m == 0:
        _run_taps(b / a, x, y, zi, zf, rows, n)
        return
    c = _core.empty(b.size + m, wide)
    c[: b.size] = b / a[:1]
    c[b.size :] = a[1:] / a[:1]
    bits = max(_library.enum.DIRECT_CHUNK, 4 * m).bit_length() - 1
    length = 1 << bits
    if _library.on_host(x) or n <= 2 * length:
        length = n
    p = {
        "rows": rows,
        "n": n,
        "length": length,
        "chunks": -(-n // length),
        "b": b.size,
        "a": a.size,
        "order": max(b.size - 1, m),
    }
    if length == n:
        history = _core.zeros((rows, p["order"] + 1), wide)
    else:
        history = _starts(c, x, zi, p, bits)
    sizes = _library.struct.direct_sizes(**p, is_final=1)
    work = rows * p["chunks"]
    _chunks[x.dtype, wide](
        x=x, y=y, zi=zi, zf=zf, history=history, c=c, p=sizes, work=work
    )


def _run_taps(c, x, y, zi, zf, rows, n):
    order = c.size - 1
    p = _library.struct.direct_sizes(
        rows=rows, n=n, length=n, chunks=1, b=c.size, a=1, order=order, is_final=1
    )
    work = rows * (n + (0 if zf is None else order))
    _taps[x.dtype, c.dtype](x=x, y=y, zi=zi, zf=zf, c=c, p=p, work=work)


def _starts(c, x, zi, p, bits):
    """The results before each chunk, the oldest first."""
    m = p["a"] - 1
    shape = (p["rows"], p["chunks"], m)
    ends = _core.zeros(shape, c.dtype)
    sizes = _library.struct.direct_sizes(**p, is_final=0)
    work = p["rows"] * p["chunks"]
    _chunks[x.dtype, c.dtype](
        x=x, y=None, zi=zi, zf=None, history=ends, c=c, p=sizes, work=work
    )
    # What an element at rest makes of the results before it.
    A = _core.zeros((m, m), c.dtype)
    A.reshape(-1)[1 :: m + 1] = 1
    A[-1] = -c[p["b"] :][::-1]
    starts = _core.empty(shape, c.dtype)
    run_recurrence(A, bits, ends, None, starts)
    return starts
