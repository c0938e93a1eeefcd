"""Work captured once and launched many times."""

from cupric._core import Graph

__all__ = ["Graph"]
