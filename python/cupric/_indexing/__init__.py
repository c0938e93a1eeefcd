"""Choosing and storing elements by index."""

from cupric._indexing._flat import *
from cupric._indexing._generate import *
from cupric._indexing._indexing import *
from cupric._indexing._insert import *
