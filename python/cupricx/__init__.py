"""What goes beyond NumPy: SciPy's functions and tools for devices."""

from cupric._lib import rsqrt
from cupricx._pinned import (
    empty_like_pinned,
    empty_pinned,
    zeros_like_pinned,
    zeros_pinned,
)
from cupricx._runtime import get_runtime_info
from cupricx._scatter import scatter_add, scatter_max, scatter_min

__all__ = [
    "empty_like_pinned",
    "empty_pinned",
    "get_runtime_info",
    "rsqrt",
    "scatter_add",
    "scatter_max",
    "scatter_min",
    "zeros_like_pinned",
    "zeros_pinned",
]
