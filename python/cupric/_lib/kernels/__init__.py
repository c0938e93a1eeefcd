"""Kernel libraries: device code beside a Python module, called by name and replayed."""

from cupric._lib.kernels._library import PACK, SHARED, Library, declarations
from cupric._lib.kernels._replay import replayed, warn
from cupric._lib.kernels._word import call_with_word

__all__ = [
    "Library",
    "PACK",
    "SHARED",
    "call_with_word",
    "declarations",
    "replayed",
    "warn",
]
