"""Filters of Fourier transforms."""
