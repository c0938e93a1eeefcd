"""Files and text."""

from cupric._io._npz import *
from cupric._io._text import *
