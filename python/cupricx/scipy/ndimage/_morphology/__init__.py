"""Morphology: erosion and dilation, distances, structures."""
