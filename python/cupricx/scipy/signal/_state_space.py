"""Linear recurrences of states, and the systems that they simulate."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import Library, replayed

__all__ = ["recurrence", "run_recurrence", "simulate"]

_library = Library(__file__)


def _example(xp):
    made = []
    u = xp.asarray(np.cos(np.arange(3000.0) ** 2).reshape(1500, 2))
    for dtype in "dD":
        a = np.array([[0.9, 0.3], [-0.3, 0.9]], dtype)
        b, c, d = (
            np.ones((2, 2), float),
            np.ones((1, 2), float),
            np.zeros((1, 2), float),
        )
        made += simulate(a, b, c, d, u, xp.ones(2))
    return made


_powers = _library.kernel(
    "matrix_powers<W>",
    blocks="blocks",
    threads="RECURRENCE_THREADS",
    ships="d D",
    example=_example,
)
_ends = _library.kernel(
    "chunk_ends<W>",
    blocks="blocks",
    threads="RECURRENCE_THREADS",
    ships="d D",
    example=_example,
)
_states = _library.kernel(
    "chunk_states<W>",
    blocks="blocks",
    threads="RECURRENCE_THREADS",
    ships="d D",
    example=_example,
)


@where_it_lives
def simulate(A, B, C, D, u, x0=None):
    """Run a discrete linear system: ``x[k+1] = A x[k] + B u[k]``, ``y = C x + D u``.

    Parameters
    ----------
    A, B, C, D : array_like, shapes (n, n), (n, m), (p, n), (p, m)
        Of the host or of the device.
    u : cupric.ndarray, shape (..., steps, m)
        Inputs; axes before the last two are systems side by side.
    x0 : array_like, shape (..., n), optional
        States at the start; zero by default.

    Returns
    -------
    y : cupric.ndarray, shape (..., steps, p)
    x : cupric.ndarray, shape (..., steps, n)
        Before each step. Both are float64 or complex128.
    """
    given = (A, B, C, D, u) if x0 is None else (A, B, C, D, u, x0)
    is_complex = any(_array(v).dtype.kind == "c" for v in given)
    dtype = np.dtype(np.complex128 if is_complex else np.float64)
    A, B, C, D = (arguments.small(v, u, dtype) for v in (A, B, C, D))
    _check(A, B, C, D, u, x0)
    u = u.astype(dtype, copy=False)
    if x0 is not None:
        x0 = arguments.small(x0, u, dtype)
    x = recurrence(A, _core.matmul(u, B.T), x0)
    return _core.matmul(x, C.T) + _core.matmul(u, D.T), x


def _array(v):
    return v if isinstance(v, _core.ndarray) else np.asarray(v)


def _check(A, B, C, D, u, x0):
    shapes = f"A {A.shape}, B {B.shape}, C {C.shape}, D {D.shape}"
    if any(v.ndim != 2 for v in (A, B, C, D)) or u.ndim < 2:
        raise ValueError(f"systems are of matrices: {shapes}; inputs are {u.shape}")
    n, m = B.shape
    if A.shape != (n, n) or C.shape[1] != n or D.shape != (C.shape[0], m):
        raise ValueError(f"matrices of a system do not fit together: {shapes}")
    if u.shape[-1] != m:
        raise ValueError(f"the system has {m} inputs, `u` of shape {u.shape} does not")
    if x0 is not None and _array(x0).shape[-1:] != (n,):
        raise ValueError(
            f"the system has {n} states, `x0` is of shape {_array(x0).shape}"
        )


@replayed
def recurrence(A, w, x0=None):
    """The states of ``x[k+1] = A x[k] + w[k]`` before each step.

    Parameters
    ----------
    A : cupric.ndarray, shape (n, n)
    w : cupric.ndarray, shape (..., steps, n)
    x0 : cupric.ndarray, shape (..., n), optional
        Zero by default. Axes before the last broadcast.

    Returns
    -------
    cupric.ndarray, shape (..., steps, n)
        Of float64 or complex128, as `w` is, in which sums are computed.
    """
    w = _core.ascontiguousarray(w)
    x = _core.empty(w.shape, w.dtype)
    if w.size == 0:
        return x
    if x0 is not None:
        shape = (*w.shape[:-2], w.shape[-1])
        x0 = x0.astype(w.dtype, copy=False)
        x0 = _core.ascontiguousarray(_core.broadcast_to(x0, shape))
    run_recurrence(A.astype(w.dtype, copy=False), 0, w, x0, x)
    return x


def run_recurrence(A, bits, w, x0, x):
    """The states x of the recurrence of A**(2**bits), (..., steps, n), contiguous."""
    steps, n = w.shape[-2:]
    rows = math.prod(w.shape[:-2])
    count, m = bits + 1, steps
    if not _library.on_host(w):
        while m > 2 * _library.enum.RECURRENCE_CHUNK:
            m = -(-m // _library.enum.RECURRENCE_CHUNK)
            count += _library.enum.RECURRENCE_CHUNK_BITS
    A = _core.ascontiguousarray(A)
    powers = _core.empty((count, n, n, 2), w.dtype)
    _powers[w.dtype](a=A, p=powers, n=n, count=count, blocks=1)
    _run(powers, bits, w.reshape(rows, steps, n), x0, x.reshape(rows, steps, n))


def _run(powers, bits, w, x0, x):
    rows, steps, n = w.shape
    chunk = _library.enum.RECURRENCE_CHUNK
    is_whole = _library.on_host(w) or steps <= 2 * chunk
    length = steps if is_whole else chunk
    chunks = -(-steps // length)
    r = _library.struct.recurrence(
        rows=rows, steps=steps, length=length, chunks=chunks, n=n, is_first=bits == 0
    )
    a, work = powers[bits], rows * chunks
    if chunks > 1:
        ends = _core.empty((rows, chunks, n), w.dtype)
        both = _core.empty((work, 2, n), w.dtype)
        _ends[w.dtype](w=w, a=a, ends=ends, both=both, r=r, blocks=work)
        starts = _core.empty(ends.shape, w.dtype)
        more = _library.enum.RECURRENCE_CHUNK_BITS
        _run(powers, bits + more, ends, x0, starts)
        x0 = starts
    _states[w.dtype](w=w, a=a, starts=x0, x=x, r=r, blocks=work)
