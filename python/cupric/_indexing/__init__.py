"""Choosing and storing elements by index."""
