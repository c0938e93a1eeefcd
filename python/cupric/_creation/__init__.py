"""Making arrays."""

from cupric._creation import _foreign as _foreign  # C calls it
from cupric._creation._basic import *
from cupric._creation._from_data import *
from cupric._creation._matrix import *
from cupric._creation._ranges import *
