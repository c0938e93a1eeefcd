"""Files and text."""

from cupric._io.npz import *
from cupric._io.text import *
