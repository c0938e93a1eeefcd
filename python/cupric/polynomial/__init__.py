"""Polynomials as arrays of coefficients, the lowest power first."""

from cupric.polynomial import polynomial, polyutils

__all__ = ["polynomial", "polyutils"]
