"""Dask's adapter: arrays of cupric as blocks of Dask's collections.

Dask asks tables by the types of a collection's blocks, and knows CuPy's. `extend`
enters ours: `cupric._adapters` calls it when a module of Dask's is imported. For some
functions Dask has no table: those of _functions.py stand in for its own.
"""

from cupricx._dask import _functions
from cupricx._dask._blocks import backend, register

__all__ = ["backend", "extend"]


def extend(module):
    """Tell a module of Dask's of cupric.

    Parameters
    ----------
    module : module
        ``dask.array.backends``, or one whose functions make arrays of NumPy.
    """
    if module.__name__ == "dask.array.backends":
        register(module)
    else:
        _functions.extend(module)
