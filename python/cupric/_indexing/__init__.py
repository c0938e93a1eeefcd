"""Choosing and storing elements by index."""

from cupric._indexing import generate, indexing, insert
from cupric._indexing.flat import flatiter
from cupric._indexing.generate import *
from cupric._indexing.indexing import *
from cupric._indexing.insert import *

__all__ = [*generate.__all__, *indexing.__all__, *insert.__all__, "flatiter"]
