"""What goes beyond NumPy: SciPy's functions and tools for devices."""

from cupric._lib.core import (
    DeviceSynchronized,
    allow_synchronize,
    errstate,
    geterr,
    rsqrt,
    seterr,
)
from cupricx._below import modules_below
from cupricx._gufunc import GeneralizedUFunc
from cupricx._pinned import (
    empty_like_pinned,
    empty_pinned,
    zeros_like_pinned,
    zeros_pinned,
)
from cupricx._runtime import get_runtime_info
from cupricx._scatter import scatter_add, scatter_max, scatter_min

__all__ = [
    "DeviceSynchronized",
    "GeneralizedUFunc",
    "allow_synchronize",
    "empty_like_pinned",
    "empty_pinned",
    "errstate",
    "get_runtime_info",
    "geterr",
    "rsqrt",
    "scatter_add",
    "scatter_max",
    "scatter_min",
    "seterr",
    "zeros_like_pinned",
    "zeros_pinned",
]


__getattr__, __dir__ = modules_below(__name__, __path__, globals())
