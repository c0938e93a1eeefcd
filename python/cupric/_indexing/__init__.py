"""Choosing and storing elements by index."""

from cupric._indexing.flat import *
from cupric._indexing.generate import *
from cupric._indexing.indexing import *
from cupric._indexing.insert import *
