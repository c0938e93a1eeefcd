"""Names that programs written for CuPy import from `cupy._core`, or `cupy.core`."""

from cupric import ElementwiseKernel, ReductionKernel, array, ndarray, ufunc
from cupric.core import _accelerator, _kernel, _reduction, _scalar, core, internal
from cupric.core._accelerator import (
    get_elementwise_accelerators,
    get_reduction_accelerators,
    get_routine_accelerators,
    set_elementwise_accelerators,
    set_reduction_accelerators,
    set_routine_accelerators,
)
from cupric.core._kernel import create_ufunc

__all__ = [
    "ElementwiseKernel",
    "ReductionKernel",
    "_accelerator",
    "_kernel",
    "_reduction",
    "_scalar",
    "array",
    "core",
    "create_ufunc",
    "get_elementwise_accelerators",
    "get_reduction_accelerators",
    "get_routine_accelerators",
    "internal",
    "ndarray",
    "set_elementwise_accelerators",
    "set_reduction_accelerators",
    "set_routine_accelerators",
    "ufunc",
]
