"""Shapes, axes and the joining and splitting of arrays."""

from cupric._manipulation._dims import *
from cupric._manipulation._edit import *
from cupric._manipulation._join import *
from cupric._manipulation._kind import *
from cupric._manipulation._rearrange import *
from cupric._manipulation._sets import *
from cupric._manipulation._shape import *
from cupric._manipulation._split import *
from cupric._manipulation._transpose import *
