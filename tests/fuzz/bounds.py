"""How far a result may be from NumPy's: the few rules that the table of calls names.

A bound gives the largest error allowed of each element, from NumPy's result, the
operands and the precision of the coarsest dtype. Where NumPy's result is NaN or
infinite, so must be ours, but where the sum of magnitudes that a bound goes by
overflows.
"""

from dataclasses import dataclass

import numpy as np

from . import values


@dataclass(frozen=True)
class Bound:
    """`ulps` units in the last place of the result, and of `scale`, which is the number
    of elements of the largest operand times the largest magnitude among the operands to
    the power of `degree`: what sums of products of `degree` elements come to. Degree 0
    is a product of all elements, each a rounding, which may overflow or vanish on its
    way."""

    ulps: float = 0
    degree: float | None = None
    why: str = ""

    def tolerance(self, expected, operands, computed_in=()):
        """The largest error allowed, an array like `expected`, in float64.
        `computed_in`: further dtypes that there are results of on the way."""
        eps = _eps([*(x.dtype for x in (expected, *operands)), *computed_in])
        ulps = self.ulps
        with np.errstate(all="ignore"):
            size = np.abs(expected.astype(_wide(expected)))
            size = np.where(np.isfinite(size), size, 0)
            if self.degree == 0:
                ulps = max([ulps, *(x.size for x in operands)])
                dtypes = [expected.dtype, *computed_in]
                size += 0 if _product_stays_finite(dtypes, operands) else np.inf
            elif self.degree is not None:
                scale = self._scale([expected, *operands])
                size += scale if scale <= _largest(expected) else np.inf
            return ulps * (eps * size + _smallest(expected))

    def _scale(self, arrays):
        count = max((x.size for x in arrays), default=1)
        largest = max((_magnitude(x) for x in arrays), default=0.0)
        return count * np.float64(max(largest, 1.0)) ** self.degree


EXACT = Bound(why="to the bit, but for the bits of a NaN")


def ulp(n):
    """Elementary functions: NumPy's own are off by up to 4 units."""
    return Bound(n)


def total(degree=1, ulps=4):
    """Sums, of products of `degree` elements: the order of additions is free."""
    return Bound(ulps, degree)


def _wide(x):
    return np.complex128 if x.dtype.kind == "c" else np.float64


def _eps(dtypes):
    """The precision of the coarsest of the dtypes."""
    return max((float(x.eps) for x in _limits(dtypes)), default=2.0**-52)


def _limits(dtypes):
    return [values.finfo(t) for t in dtypes if values.is_inexact(t)]


def _smallest(x):
    if not values.is_inexact(x.dtype):
        return 0.0
    return float(values.finfo(x.dtype).smallest_subnormal)


def _product_stays_finite(dtypes, operands):
    """In whatever order the elements are multiplied, in each of the dtypes."""
    limits = min(_limits(dtypes), key=lambda x: float(x.max), default=None)
    if limits is None:
        return True
    for x in operands:
        size = np.abs(x.astype(_wide(x))).ravel()
        size = np.log2(size[np.isfinite(size) & (size > 0)])
        grown, shrunk = size[size > 0].sum(), size[size < 0].sum()
        if grown > np.log2(float(limits.max)) or shrunk < np.log2(float(limits.tiny)):
            return False
    return True


def _largest(x):
    """The largest number of the dtype, above which a sum on its way overflows."""
    return float(values.finfo(x.dtype).max) if values.is_inexact(x.dtype) else np.inf


def _magnitude(x):
    """The largest finite magnitude."""
    if x.size == 0 or x.dtype.kind not in "biufcV":
        return 0.0
    wide = np.abs(x.astype(_wide(x)))
    finite = wide[np.isfinite(wide)]
    return float(finite.max()) if finite.size else 0.0
