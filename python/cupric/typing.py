"""Types for annotations: NumPy's, and `NDArray` for arrays of a device."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from cupric._core import ndarray

__all__ = [
    "ArrayLike",
    "DTypeLike",
    "NDArray",
]

_Scalar = TypeVar("_Scalar", bound=np.generic)

NDArray = ndarray[Any, np.dtype[_Scalar]]


def __dir__():
    return __all__


def __getattr__(name):
    if name == "NBitBase":  # NumPy warns where it is asked for
        from numpy.typing import NBitBase

        return NBitBase
    raise AttributeError(f"module 'cupric.typing' has no attribute {name!r}")
