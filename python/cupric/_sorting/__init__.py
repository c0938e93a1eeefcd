"""Sorting, searching and finding."""

from cupric._core import (
    argpartition,
    argsort,
    argwhere,
    flatnonzero,
    nonzero,
    partition,
    searchsorted,
    sort,
)
from cupric._sorting._sort import lexsort, msort, sort_complex

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
