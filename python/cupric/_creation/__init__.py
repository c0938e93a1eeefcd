"""Making arrays."""

from cupric._creation import foreign as foreign  # C calls it
from cupric._creation.basic import *
from cupric._creation.from_data import *
from cupric._creation.matrix import *
from cupric._creation.ranges import *
