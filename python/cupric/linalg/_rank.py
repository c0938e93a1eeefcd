"""Singular values that are large, and ranks: one kernel each."""

import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed
from cupric._manipulation._args import device_array, require_one_device

__all__ = ["count_large", "divide_by_large", "solve_by_factors", "solves_at_once"]


def _example(xp):
    results = []
    wide = np.arange(2 * _TERMS).reshape(2, -1) % 7.0
    for dtype in "fdFD":
        many = xp.asarray(wide.astype(dtype))  # more than a thread adds
        results += [xp.linalg.pinv(many, xp.asarray(0.01))]
        results += xp.linalg.lstsq(many.T, many[0], rcond=None)[:3]
        a = xp.asarray((np.arange(24).reshape(2, 4, 3) % 5 % 3).astype(dtype))
        results += [xp.linalg.pinv(a), xp.linalg.matrix_rank(a)]
        results += xp.linalg.lstsq(a[0], a[1, :, 0], rcond=None)[:3]
    return results


_library = Library(__file__)
_divide_by_large = _library.kernel(
    "divide_by_large<T>", elements=True, ships="f d F D", example=_example
)
_count_large = _library.kernel(
    "count_large<R, I>", elements="n", ships="fi fl di dl", example=_example
)
_solve_by_factors = _library.kernel(
    "solve_by_factors<T>", elements=True, ships="f d F D", example=_example
)

_TERMS = 256  # of an element's sum, that a thread adds
_WORK = {True: 1 << 13, False: 1 << 20}  # terms in all, on the host and elsewhere


def solves_at_once(a):
    """Whether the device has a verb for least squares: the host's LAPACK."""
    return _library.on_host(a)


def solve_by_factors(u, s, vh, share, b=None):
    """Pseudo-inverses by singular values above a share of the largest, or their product
    with matrices b, (..., m, columns), and the ranks, of int32: one launch for small
    matrices. None where there is more to do."""
    m, k = u.shape[-2:]
    terms = k if b is None else k * m
    shape = *s.shape[:-1], vh.shape[-1], m if b is None else b.shape[-1]
    size = math.prod(shape)
    if not 0 < terms <= _TERMS or not 0 < size * terms <= _WORK[_library.on_host(u)]:
        return None
    if isinstance(share, _core.ndarray) or np.ndim(share):
        return None
    with s.device:
        out = _core.empty(shape, u.dtype)
        ranks = _core.empty(s.shape[:-1], np.int32)
        _run_solve_by_factors(out, ranks, u, s, vh, b, float(share))
    return out, ranks


@replayed
def _run_solve_by_factors(out, ranks, u, s, vh, b, share):
    u, vh = (x.reshape(-1, *x.shape[-2:]) for x in (u, vh))
    p = _library.struct.rank_solution(
        share=share, columns=out.shape[-1], has_b=b is not None
    )
    _solve_by_factors[out.dtype](
        u=u,
        s=_core._contiguous(s),
        vh=vh,
        b=u if b is None else b.reshape(-1, *b.shape[-2:]),
        out=out,
        ranks=ranks,
        p=p,
        work=out.size,
    )
    return out


def divide_by_large(x, s, share):
    """Rows of matrices `x`, (..., k, columns), divided by those of the singular values
    `s`, (..., k), that are above a share of the largest; zeros for others. The share is
    one number, or one for each matrix."""
    shares, share, batch = _shares_of(share, s)
    out = _core.empty((*batch, *x.shape[-2:]), x.dtype, device=x.device)
    if out.size:
        with x.device:
            _divide_by_large[x.dtype](
                x=_core.broadcast_to(x, out.shape).reshape(-1, *x.shape[-2:]),
                s=_core._contiguous(_core.broadcast_to(s, (*batch, s.shape[-1]))),
                shares=shares,
                out=out,
                share=share,
                is_one=shares is None,
                work=out.size,
            )
    return out


def count_large(s, share, dtype, is_absolute=False):
    """How many of singular values, (..., k), are above a share of the largest of them,
    or above a number itself."""
    shares, share, batch = _shares_of(share, s)
    out = _core.empty(batch, dtype, device=s.device)
    if out.size:
        n, k = math.prod(batch), s.shape[-1]
        with s.device:
            _count_large[s.dtype, out.dtype](
                s=_core._contiguous(_core.broadcast_to(s, (*batch, k))),
                shares=shares,
                ranks=out,
                n=n,
                k=k,
                share=share,
                is_one=shares is None,
                is_absolute=is_absolute,
            )
    return out


def _shares_of(share, s):
    """(one for each matrix or None, one for all, the shape of the stack)"""
    batch = s.shape[:-1]
    if not isinstance(share, _core.ndarray) and np.ndim(share) == 0:
        return None, float(share), batch
    share = device_array(share)
    require_one_device(share, s)
    batch = _core.broadcast_shapes(batch, share.shape)
    with s.device:
        share = _core.broadcast_to(share.astype(np.float64, copy=False), batch)
        return _core._contiguous(share), 0.0, batch
