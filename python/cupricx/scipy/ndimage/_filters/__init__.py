"""Filters by windows: correlation, smoothing, derivatives, ranks."""
