"""Files and text."""

from cupric._io import npz, text
from cupric._io.npz import *
from cupric._io.text import *

__all__ = [*npz.__all__, *text.__all__]
