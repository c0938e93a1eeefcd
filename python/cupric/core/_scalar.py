"""`cupy._core._scalar`: how a dtype is written in a kernel's source."""

import numpy as np

__all__ = [
    "get_typename",
]

_NAMES = {
    "?": "bool",
    "b": "signed char",
    "B": "unsigned char",
    "h": "short",
    "H": "unsigned short",
    "i": "int",
    "I": "unsigned int",
    "l": "long",
    "L": "unsigned long",
    "q": "long long",
    "Q": "unsigned long long",
    "e": "float16",
    "f": "float",
    "d": "double",
    "F": "complex<float>",
    "D": "complex<double>",
}


def get_typename(dtype):
    """The C++ type of elements of `dtype`.

    Raises
    ------
    ValueError
        Where kernels have no type of that kind.
    """
    if dtype is None:
        raise ValueError("dtype is None: name one of NumPy's dtypes")
    dtype = np.dtype(dtype)
    if dtype.char not in _NAMES:
        raise ValueError(f"dtype {dtype} has no type of C++ in kernels")
    return _NAMES[dtype.char]
