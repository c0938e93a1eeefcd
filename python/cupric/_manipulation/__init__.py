"""Shapes, axes and the joining and splitting of arrays."""

from cupric._manipulation import (
    dims,
    edit,
    join,
    kind,
    rearrange,
    sets,
    shape,
    split,
    transpose,
)

_modules = (dims, edit, join, kind, rearrange, sets, shape, split, transpose)
__all__ = []
for _module in _modules:
    for _name in _module.__all__:
        globals()[_name] = getattr(_module, _name)
    __all__ += _module.__all__
