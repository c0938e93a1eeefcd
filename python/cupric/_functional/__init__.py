"""Functions of functions."""

from cupric._functional._vectorize import vectorize

__all__ = [
    "vectorize",
]
