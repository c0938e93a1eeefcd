"""Polynomials: the highest power first, and the class poly1d."""
