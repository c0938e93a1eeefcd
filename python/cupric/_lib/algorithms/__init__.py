"""Algorithms on arrays that libraries call from Python, and by which theirs are run."""

from cupric._lib.algorithms._scan import plan_scan, scan

__all__ = ["plan_scan", "scan"]
