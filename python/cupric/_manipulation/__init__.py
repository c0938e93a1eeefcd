"""Shapes, axes and the joining and splitting of arrays."""

from cupric._manipulation.dims import *
from cupric._manipulation.edit import *
from cupric._manipulation.join import *
from cupric._manipulation.kind import *
from cupric._manipulation.rearrange import *
from cupric._manipulation.sets import *
from cupric._manipulation.shape import *
from cupric._manipulation.split import *
from cupric._manipulation.transpose import *
