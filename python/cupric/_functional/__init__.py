"""Functions of functions."""
