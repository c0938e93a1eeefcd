"""Structures of binary morphology: neighbours as steps."""

import functools
import itertools
import operator

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupricx.scipy.ndimage._filters._ranks import host_array

__all__ = [
    "binary_structure",
    "generate_binary_structure",
    "read_structure",
    "structure_array",
]


@functools.lru_cache(maxsize=32)
def binary_structure(rank, connectivity):
    """`generate_binary_structure` on the host."""
    if rank < 1:
        return np.array(True)
    steps = itertools.product((1, 0, 1), repeat=rank)
    near = [sum(step) <= max(connectivity, 1) for step in steps]
    return np.array(near).reshape((3,) * rank)


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
    return _core.array(binary_structure(rank, connectivity))


class _Structure:
    """A structure as steps to neighbours, in ascending order, and what is known of it.

    Made by few functions of NumPy: the first call of each takes a process up to 50 us.
    """

    def __init__(self, steps):
        self.steps = steps
        self.neighbours = self._neighbours()
        self.groups = self._groups()

    def _neighbours(self):
        """As a symmetric structure of 3 along each axis, or None."""
        steps = self.steps
        if max(map(abs, steps.ravel().tolist()), default=0) > 1:
            return None
        found = np.zeros((3,) * steps.shape[1], bool)
        found[tuple(steps.T + 1)] = True
        data = found.tobytes()
        return found if data[len(data) // 2] and data == data[::-1] else None

    def _groups(self):
        """The steps as `dilate_bits` takes them: by the row that they lead to."""
        steps, n = self.steps, len(self.steps)
        rows = steps[:, :-1]
        first = np.zeros(n, bool)
        first[:1] = True
        first[1:] = np.logical_or.reduce(rows[1:] != rows[:-1], axis=1)
        (begins,) = first.nonzero()
        ends = np.concatenate([begins[1:], [n]])[: len(begins)]
        table = np.concatenate([rows[begins], np.array([begins, ends]).T], axis=1)
        return len(begins), np.concatenate([table.reshape(-1), steps[:, -1]])

    @functools.cached_property
    def swapped(self):
        """By an axis, of an array with that axis moved to the end."""
        axes = range(self.steps.shape[1])
        orders = [[*(d for d in axes if d != axis), axis] for axis in axes]
        moved = [self.steps[:, order] for order in orders]
        return [_Structure(steps[np.lexsort(steps.T[::-1])]) for steps in moved]


@functools.lru_cache(maxsize=64)
def _structure_of(bits, shape, before, axes, ndim, mirrored):
    structure = np.frombuffer(bits, bool).reshape(shape)
    places = structure.reshape(shape or (1,)).nonzero()
    steps = np.zeros((len(places[0]), max(ndim, 1)), np.int64)
    for axis, at, b in zip(axes, places, before, strict=False):
        steps[:, axis] = b - at[::-1] if mirrored else at - b
    return _Structure(steps)


def structure_array(structure, n, name="structure"):
    """A structure over n axes as an array of the host, of bools.

    As in CuPy an int, or a tuple of n ints, is the shape of a full box.
    """
    if structure is None:
        return binary_structure(n, 1)
    shape = _box(structure, n)
    if shape is None:
        return host_array(structure, bool)
    if min(shape) < 1:
        raise RuntimeError(
            f"{name} must not be empty: {structure!r} is the shape {shape} of a box"
        )
    return np.ones(shape, bool)


def _box(structure, n):
    """The shape that an int or a tuple of ints stands for, or None."""
    lengths = structure if isinstance(structure, tuple) else (structure,)
    if n == 0 or any(isinstance(length, (bool, np.bool_)) for length in lengths):
        return None
    if isinstance(structure, (_core.ndarray, np.ndarray)):
        return None
    try:
        shape = tuple(map(operator.index, lengths))
    except TypeError:
        return None
    if not isinstance(structure, tuple):
        return shape * n
    return shape if len(shape) == n else None


def read_structure(structure, origin, axes, ndim, name="structure", mirrored=False):
    """A structure over some axes, read and checked.

    Its axes lie along them in ascending order, as of filters; an origin is that of the
    axis at its place in `axes`, unless these are all.
    """
    structure = structure_array(structure, len(axes), name)
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
