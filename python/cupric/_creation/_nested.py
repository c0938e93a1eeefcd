"""Arrays from nested sequences that hold device arrays among other things."""

import numpy as np

from cupric import _core

__all__ = [
    "from_nested",
]


def from_nested(obj):
    """An array from a nested list or tuple that contains arrays.

    Parts may be device arrays, NumPy arrays, scalars and sequences of these; the
    result's dtype is what all of theirs promote to.
    """
    if isinstance(obj, list | tuple):
        parts = [from_nested(part) for part in obj]
        if not parts:
            return _core.empty((0,))
        shapes = {part.shape for part in parts}
        if len(shapes) > 1:
            raise ValueError(
                "setting an array element with a sequence. The requested array has an "
                "inhomogeneous shape: parts of shapes "
                + ", ".join(map(str, sorted(shapes)))
            )
        made = _core.concatenate([part[None] for part in parts])
        # Parts in Fortran order make one, but the stack of a list is in C order.
        return _core.array(made, order="C", copy=None)
    if isinstance(obj, _core.ndarray):
        return obj
    return _core.array(np.asarray(obj) if np.isscalar(obj) else obj)
