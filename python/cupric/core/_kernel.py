"""`cupy._core._kernel`: the types of kernels."""

from cupric import ElementwiseKernel, ufunc

__all__ = [
    "ElementwiseKernel",
    "ufunc",
]
