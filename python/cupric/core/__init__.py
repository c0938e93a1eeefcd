"""Names that programs written for CuPy before version 8 import from `cupy.core`."""

from cupric import ndarray, ufunc

__all__ = [
    "ndarray",
    "ufunc",
]
