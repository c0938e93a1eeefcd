"""Names that programs written for CuPy import from `cupy._core`, or `cupy.core`."""

from cupric import ElementwiseKernel, ReductionKernel, array, ndarray, ufunc
from cupric.core import core, internal

__all__ = [
    "ElementwiseKernel",
    "ReductionKernel",
    "array",
    "core",
    "internal",
    "ndarray",
    "ufunc",
]
