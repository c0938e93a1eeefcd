"""`cupy._core.core`: the array type, by which programs recognise arrays."""

from cupric import array, ndarray, ufunc

__all__ = [
    "array",
    "ndarray",
    "ufunc",
]
