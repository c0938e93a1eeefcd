"""Shapes, axes and the joining and splitting of arrays."""
