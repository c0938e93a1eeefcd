"""Powers of stacks of small matrices on GPUs: one launch, whatever the power is."""

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric.linalg import _small_tiny
from cupric.linalg._small import stacked, takes

__all__ = ["power", "takes_power"]

_library = Library(__file__)


def _example(xp):
    results = []
    for dtype in "fdFD":
        for n, power in ((5, 5), (11, 4), (12, 3)):
            a = np.arange(2 * n * n).reshape(2, n, n) % 3 - 1
            a = xp.asarray(a.astype(dtype))
            results.append(xp.linalg.matrix_power(a, power))
    return results


_MOST_ROWS = 12  # of 16 on, cuBLAS's products are faster, however many

_power = _library.kernel(
    "power_small<T>", blocks=True, ships="f d F D", example=_example
)


def takes_power(a, n):
    """Whether the kernel is for this power: few rows, and more than one product."""
    is_small = a.shape[-1] <= _MOST_ROWS
    return is_small and 2 < n < 2**63 and a.dtype.char in "fdFD" and takes(a)


def power(a, n):
    """The powers of a stack."""
    stack, rows = stacked(a), a.shape[-1]
    x = _core.empty(a.shape, a.dtype, device=a.device)
    with a.device:
        if _small_tiny.takes_power(a):
            _small_tiny.powers(stack, x, n)
        else:
            _power[a.dtype](
                a=stack,
                x=x,
                power=n,
                work=len(stack),
                threads=min(256, -(-rows * rows // 32) * 32),
                shared_mem=3 * rows * rows * a.itemsize,
            )
    return x
