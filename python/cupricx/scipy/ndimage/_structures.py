"""Structures of binary morphology: neighbours as steps."""

import functools

import numpy as np

import cupric as cp
from cupric._lib import arguments
from cupricx.scipy.ndimage._ranks import host_array

__all__ = [
    "binary_structure",
    "generate_binary_structure",
    "read_structure",
]


@functools.lru_cache(maxsize=32)
def binary_structure(rank, connectivity):
    """`generate_binary_structure` on the host."""
    if rank < 1:
        return np.array(True)
    off_centre = np.array([1, 0, 1])
    distance = sum(off_centre.reshape(-1, *(1,) * d) for d in range(rank))
    return distance <= max(connectivity, 1)


def generate_binary_structure(rank, connectivity):
    """Structure of neighbours, for binary morphology.

    Parameters
    ----------
    rank : int
        Number of axes; each of 3 elements.
    connectivity : int
        Along how many axes an element may differ from the centre to be a neighbour.

    Returns
    -------
    cupric.ndarray of bool

    Examples
    --------
    >>> from cupricx.scipy.ndimage import generate_binary_structure
    >>> generate_binary_structure(2, 1)
    array([[False,  True, False],
           [ True,  True,  True],
           [False,  True, False]])
    """
    return cp.array(binary_structure(rank, connectivity))


class _Structure:
    """A structure as steps to neighbours, and what is known of them."""

    def __init__(self, steps):
        self.steps = steps
        self.neighbours = self._neighbours()
        self.groups = self._groups()

    def _neighbours(self):
        """As a symmetric structure of 3 along each axis, or None."""
        steps = self.steps
        if (np.abs(steps) > 1).any():
            return None
        found = np.zeros((3,) * steps.shape[1], bool)
        found[tuple(steps.T + 1)] = True
        symmetric = found.flat[found.size // 2] and (found == np.flip(found)).all()
        return found if symmetric else None

    def _groups(self):
        """The steps as `dilate_bits` takes them: by the row that they lead to."""
        steps = self.steps[np.lexsort(self.steps.T[::-1])]
        rows = steps[:, :-1]
        first = np.ones(len(steps), bool)
        first[1:] = (rows[1:] != rows[:-1]).any(axis=1)
        (begins,) = first.nonzero()
        ends = np.append(begins[1:], len(steps))[: len(begins)]
        table = np.column_stack([rows[begins], begins, ends])
        return len(begins), np.concatenate([table.reshape(-1), steps[:, -1]])

    @functools.cached_property
    def swapped(self):
        """By an axis, of an array with that axis moved to the end."""
        axes = range(self.steps.shape[1])
        orders = [[*(d for d in axes if d != axis), axis] for axis in axes]
        return [_Structure(self.steps[:, order]) for order in orders]


@functools.lru_cache(maxsize=64)
def _structure_of(bits, shape, before, axes, ndim, mirrored):
    structure = np.frombuffer(bits, bool).reshape(shape)
    some = np.argwhere(structure) - np.array(before, int).reshape(1, -1)
    steps = np.zeros((len(some), max(ndim, 1)), np.int64)
    steps[:, list(axes)] = -some if mirrored else some
    return _Structure(steps)


def read_structure(structure, origin, axes, ndim, name="structure", mirrored=False):
    """A structure over some axes, read and checked.

    Its axes lie along them in ascending order, as of filters; an origin is that of the
    axis at its place in `axes`, unless these are all.
    """
    if structure is None:
        structure = binary_structure(len(axes), 1)
    structure = host_array(structure, bool)
    origins = arguments.per_axis(origin, len(axes), "origin", arguments.integer)
    if len(axes) < ndim:
        origins = [o for _, o in sorted(zip(axes, origins, strict=True))]
    axes = tuple(sorted(axes))
    if structure.ndim != len(axes):
        raise RuntimeError(
            f"{name} and input must have same dimensionality: {name}.ndim "
            f"({structure.ndim}) must match len(axes) ({len(axes)})"
        )
    if structure.size < 1:
        raise RuntimeError(f"{name} must not be empty (shape {structure.shape})")
    before = tuple(
        size // 2 + o for size, o in zip(structure.shape, origins, strict=True)
    )
    for size, b, axis in zip(structure.shape, before, axes, strict=True):
        if not 0 <= b < size:
            raise ValueError(
                f"invalid origin: {b - size // 2} for a structure of {size} along axis "
                f"{axis}; it must be from {-(size // 2)} to {(size - 1) // 2}"
            )
    key = structure.tobytes(), structure.shape, before, axes, ndim, mirrored
    return _structure_of(*key)
