"""What NumPy keeps in its `lib`: views made by hand."""

from cupric.lib import stride_tricks

__all__ = [
    "stride_tricks",
]
