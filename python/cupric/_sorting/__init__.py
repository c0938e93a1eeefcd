"""Sorting, searching and finding."""

from cupric._core import (
    argpartition,
    argwhere,
    flatnonzero,
    nonzero,
    partition,
    searchsorted,
)
from cupric._sorting._sort import argsort, lexsort, msort, sort, sort_complex

__all__ = [
    "argpartition",
    "argsort",
    "argwhere",
    "flatnonzero",
    "lexsort",
    "msort",
    "nonzero",
    "partition",
    "searchsorted",
    "sort",
    "sort_complex",
]
