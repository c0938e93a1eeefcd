"""Sparse matrices and arrays."""

__all__ = []
