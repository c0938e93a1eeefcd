"""What selections and assignments share: sizes, dtypes, bounds."""

import numpy as np

from cupric._lib.kernels import declarations

__all__ = [
    "INT32_MAX",
    "MOVED",
    "example_matrix",
    "moved_as",
    "point_sizes",
    "require_in_bounds",
    "tiles",
]

_TILE = declarations(__file__).enum.TILE

INT32_MAX = np.iinfo(np.int32).max

# What ships of kernels that move elements: an index, and an unsigned integer of a size.
MOVED = "iB iH iI iL iD lB lH lI lL lD"


def moved_as(data):
    """The dtype by which kernels move values: an unsigned integer of their size."""
    size = data.dtype.itemsize
    return np.dtype(np.complex128) if size == 16 else np.dtype(f"u{size}")


def tiles(n):
    """How many blocks it takes for stored elements."""
    return -(-n // _TILE)


def require_in_bounds(index, n):
    """IndexError if an index is not within an axis of `n`.

    Parameters
    ----------
    index : numpy.ndarray or cupric.ndarray
        Integers; those on a device are waited for.
    n : int
    """
    if not index.size:
        return
    most = int(index.max())
    if most >= n:
        raise IndexError(f"index ({most}) out of range")
    least = int(index.min())
    if least < -n:
        raise IndexError(f"index ({least}) out of range")


def point_sizes(library, n, indptr, indices, n_minor=0, **others):
    """The structure that kernels of points take."""
    sizes = dict.fromkeys(("first_major", "first_minor", "work", "x_step"), 0)
    sizes.update(n=n, n_major=indptr.size - 1, n_minor=n_minor, nnz=indices.size)
    return library.struct.point_sizes(**{**sizes, **others})


def example_matrix(xp, index, value="f"):
    """40 rows of 0 to 9 elements, sorted, as an example."""
    lengths = np.arange(40) % 10
    indptr = np.concatenate([[0], lengths.cumsum()])
    indices = np.concatenate([np.arange(n) * 5 + n for n in lengths])
    data = np.arange(1, indices.size + 1)
    return (
        xp.asarray(indptr.astype(index)),
        xp.asarray(indices.astype(index)),
        xp.asarray(data.astype(value)),
    )
