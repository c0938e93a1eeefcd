"""Algorithms on arrays that libraries call from Python, and by which theirs are run."""

from cupric._lib.algorithms._keys import (
    order_by_key,
    reduce_by_key,
    sort_by_key,
    unique_by_key,
)
from cupric._lib.algorithms._scan import cores_of, plan_scan, scan

__all__ = [
    "cores_of",
    "order_by_key",
    "plan_scan",
    "reduce_by_key",
    "scan",
    "sort_by_key",
    "unique_by_key",
]
