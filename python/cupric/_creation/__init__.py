"""Making arrays."""

from cupric._creation import basic, from_data, matrix, ranges
from cupric._creation.basic import *
from cupric._creation.from_data import *
from cupric._creation.matrix import *
from cupric._creation.ranges import *

__all__ = [*basic.__all__, *from_data.__all__, *matrix.__all__, *ranges.__all__]
