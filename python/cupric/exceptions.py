"""Exceptions and warnings that functions of the package raise."""
