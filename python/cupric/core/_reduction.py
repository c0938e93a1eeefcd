"""`cupy._core._reduction`: the type of kernels that reduce."""

from cupric import ReductionKernel

__all__ = [
    "ReductionKernel",
]
