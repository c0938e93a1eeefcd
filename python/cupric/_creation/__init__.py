"""Making arrays."""

from cupric._creation.basic import *
from cupric._creation.from_data import *
from cupric._creation.matrix import *
from cupric._creation.ranges import *
