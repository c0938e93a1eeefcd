"""Mathematical morphology of binary images."""

import functools
import operator

import numpy as np

import cupric as cp
from cupric._lib import Library, Output, arguments, replayed
from cupricx.scipy.ndimage._label import connected
from cupricx.scipy.ndimage._ranks import host_array

__all__ = [
    "binary_closing",
    "binary_dilation",
    "binary_erosion",
    "binary_fill_holes",
    "binary_hit_or_miss",
    "binary_opening",
    "binary_propagation",
    "generate_binary_structure",
    "iterate_structure",
]

_library = Library(__file__, "_morphology.cuh")

_WORDS = 256  # as in _morphology.cuh

# ---- structures ----------------------------------------------------------------------


@functools.lru_cache(maxsize=32)
def _binary_structure(rank, connectivity):
    """`generate_binary_structure` on the host."""
    if rank < 1:
        return np.array(True)
    distance = sum(np.ogrid[(slice(-1, 2),) * rank][d] != 0 for d in range(rank))
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
    return cp.array(_binary_structure(rank, connectivity))


def iterate_structure(structure, iterations, origin=None):
    """Structure that does at once what another does in several dilations.

    Parameters
    ----------
    structure : array_like of bool
    iterations : int
    origin : int or sequence of ints, optional

    Returns
    -------
    structure : cupric.ndarray
        New; a copy where `iterations` is less than 2.
    origin : list of int
        If `origin` is given: that of the new structure.

    Examples
    --------
    >>> from cupricx.scipy.ndimage import iterate_structure
    >>> iterate_structure([0, 1, 1], 2).astype(int)
    array([0, 0, 1, 1, 1])
    """
    one = arguments.array(structure)
    if iterations < 2:
        return one.copy()
    more = iterations - 1
    with one.device:
        made = cp.zeros([n + more * (n - 1) for n in one.shape], bool)
    made[tuple(slice(more * (n // 2), more * (n // 2) + n) for n in one.shape)] = one
    made = binary_dilation(made, one, iterations=more)
    if origin is None:
        return made
    origins = arguments.per_axis(origin, one.ndim, "origin")
    return made, [iterations * o for o in origins]


# ---- binary --------------------------------------------------------------------------


def _example_binary(xp):
    from cupricx.scipy import ndimage

    x = np.arange(3 * 40 * 90).reshape(3, 40, 90) * 37 % 101 > 20
    x = xp.asarray(x)
    return [
        ndimage.binary_erosion(x),
        ndimage.binary_dilation(
            x[0], np.ones((3, 5), np.float64), iterations=3, mask=x[1]
        ),
        ndimage.binary_hit_or_miss(x, np.eye(3).reshape(1, 3, 3)),
        ndimage.binary_erosion(x[0], [[1, 1]], iterations=-1),
    ]


def _example_reach(xp):
    from cupricx.scipy import ndimage

    x = np.arange(3 * 40 * 90).reshape(3, 40, 90) * 37 % 101 > 40
    x, rest = xp.asarray(x), xp.asarray(~x)
    return [
        ndimage.binary_fill_holes(x[0]),
        ndimage.binary_propagation(
            rest, mask=x, structure=np.ones((3, 3, 3), np.float64)
        ),
    ]


_pack = _library.kernel("pack_bits", ships="x", example=_example_binary)
_unpack = _library.kernel("unpack_bits", ships="x", example=_example_binary)
_dilate = _library.kernel("dilate_bits", ships="x", example=_example_binary)
_mark = _library.kernel("reach_mark<T>", ships="i", example=_example_reach)
_write = _library.kernel("reach_write<T>", ships="i", example=_example_reach)


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
        rows, group = np.unique(self.steps[:, :-1], axis=0, return_inverse=True)
        group = group.reshape(-1)
        order = np.lexsort((self.steps[:, -1], group))
        ends = np.searchsorted(group[order], np.arange(len(rows) + 1))
        table = np.concatenate([rows, ends[:-1, None], ends[1:, None]], axis=1)
        return len(rows), np.concatenate([table.reshape(-1), self.steps[order, -1]])

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


def _structure(structure, origin, axes, ndim, name="structure", mirrored=False):
    """A structure over some axes, read and checked.

    Its axes lie along them in ascending order, as of filters; an origin is that of the
    axis at its place in `axes`, unless these are all.
    """
    if structure is None:
        structure = _binary_structure(len(axes), 1)
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


class _Image:
    """A binary image, and what several of its dilations need.

    `state` are its words, or those of its complement: `flipped`. What lies outside is
    `border`, of the image itself.
    """

    def __init__(self, input, mask=None, border=0):
        x = input.astype(bool, copy=False).reshape(input.shape or (1,))
        self.axis = None  # which was moved to the end, as rows are to be long
        if x.shape[-1] < 64 and x.size:
            longest = max(range(x.ndim), key=lambda d: x.shape[d])
            self.axis = longest if x.shape[longest] > x.shape[-1] else None
        self.x = self._moved(x)
        self.border, self.flipped = bool(border), False
        self.shape, self.n = self.x.shape, self.x.shape[-1]
        self.rows = self.x.size // max(self.n, 1)
        self.width = -(-self.n // 64)
        self.on_host = _library.on_host(x)
        self.mask = mask
        if mask is not None:
            self.mask = self._moved(mask.astype(bool, copy=False).reshape(x.shape))
        self.masks = None if mask is None else self.packed(self.mask, False, False)
        self.state = None

    def _moved(self, x):
        if self.axis is not None:
            x = cp.moveaxis(x, self.axis, -1)
        return cp.ascontiguousarray(x)

    def packed(self, x, flip, border):
        words = self.words()
        pieces = (
            self.rows * self.width if self.on_host else -(-self.rows * self.width // 8)
        )
        args = (x.view("u1"), words, self.rows, self.n, flip, border)
        _pack[()].blocks(pieces, 256, args)
        return words

    def words(self):
        with self.x.device:
            return cp.empty(self.rows * self.width, np.uint64)

    def dilate(self, structure, times=1, *, eroding=False, also=None):
        """Dilate, or erode, some times; until nothing changes if `times` < 1."""
        if self.axis is not None:
            structure = structure.swapped[self.axis]
        if self.state is None:
            self.state = self.packed(self.x, eroding, self.border != eroding)
            self.flipped = eroding
        ngroups, groups = structure.groups
        facts = arguments.small(np.concatenate([self.shape, groups]), self.x, np.int64)
        done, batch = 0, 8
        spare = self.words()
        while times < 1 or done < times:
            count = batch if times < 1 else times - done
            with self.x.device:
                changed = cp.zeros(count, np.int32) if times < 1 else None
            for i in range(count):
                args = (
                    self.state,
                    self.masks if self.masks is not None else 0,
                    also if also is not None else 0,
                    spare,
                    facts,
                    len(self.shape),
                    ngroups,
                    self.rows,
                    self.n,
                    self.flipped != eroding,
                    self.border != eroding,
                    changed[i:] if changed is not None else 0,
                )
                if self.on_host:
                    _dilate[()].blocks(self.rows * -(-self.width // _WORDS), 1, args)
                else:
                    _dilate[()].elements(self.rows * self.width, args)
                self.state, spare = spare, self.state
                self.flipped = eroding
            done += count
            batch = min(2 * batch, 256)
            if times < 1 and not int(changed[-1]):  # waits, seldom
                return

    def reach(self, structure, neighbours, target, flip, *, eroding=False):
        """Dilate until nothing changes, by the sets that the mask's elements form."""
        self.dilate(structure, eroding=eroding)
        y = self._made(target)
        self._unpack(y, False)
        mask = self.mask
        if mask is None:
            mask = cp.ones_like(y)
        if self.axis is not None:
            neighbours = np.moveaxis(neighbours, self.axis, -1)
        sets = connected(mask, neighbours)
        with self.x.device:
            marks = cp.zeros(sets.parent.size, np.uint8)
        seen = y.view("u1")
        args = (seen, sets.parent, sets.edges, sets.counts, marks, *sets.sizes)
        pieces = sets.rows if self.on_host else y.size
        for kernel, rest in ((_mark, ()), (_write, (flip != eroding,))):
            one = kernel[sets.parent.dtype]
            if self.on_host:
                one.blocks(pieces, 1, args + rest)
            else:
                one.elements(pieces, args + rest)
        return self._back(y, target)

    def _made(self, target):
        """What the result is written to; the mask is still read."""
        if self.axis is None:
            y = target.buffer(*(() if self.mask is None else (self.mask,)), dtype=bool)
            return y if y.shape == self.shape else y.reshape(self.shape)
        with self.x.device:
            return cp.empty(self.shape, bool)

    def _unpack(self, y, flip):
        args = (self.state, y.view("u1"), self.rows, self.n, flip)
        _unpack[()].elements(self.rows * -(-self.n // 8), args)

    def _back(self, y, target):
        if self.axis is not None:
            y = cp.ascontiguousarray(cp.moveaxis(y, -1, self.axis))
        return target.result(y if y.shape == target.shape else y.reshape(target.shape))

    def result(self, target, flip=False):
        y = self._made(target)
        self._unpack(y, self.flipped != flip)
        return self._back(y, target)


def _image_arguments(input, output, axes, mask=None):
    x = arguments.array(input)
    if x.dtype.kind == "c":
        raise TypeError(f"Complex type not supported: dtype {x.dtype}")
    if isinstance(output, cp.ndarray) and output.dtype.kind == "c":
        raise TypeError(f"Complex output type not supported: dtype {output.dtype}")
    if mask is not None:
        mask = arguments.array(mask)
        if mask.shape != x.shape:
            raise RuntimeError(
                f"mask and input must have equal sizes, not {mask.shape} and {x.shape}"
            )
    if not isinstance(output, (cp.ndarray, np.ndarray)):
        output = None  # as SciPy: bools, whatever dtype is asked for
    target = Output(output, x, dtype=np.dtype(bool))
    return x, mask, arguments.axes(axes, x.ndim), target


def _iterations(iterations):
    try:
        return operator.index(iterations)
    except TypeError:
        raise TypeError(
            f"iterations parameter should be an integer, not {iterations!r}"
        ) from None


def _binary(
    input, structure, iterations, mask, output, border_value, origin, axes, steps
):
    """Erosions (True) and dilations (False), one after the other; then `flip`."""
    times = _iterations(iterations)
    x, mask, axes, target = _image_arguments(input, output, axes, mask)
    both = [
        _structure(structure, origin, axes, x.ndim, mirrored=not eroding)
        for eroding in steps
    ]
    if x.size == 0:
        return target.result(x.astype(bool))
    image = _Image(x, mask, border_value)
    for eroding, one in zip(steps, both, strict=True):
        neighbours = one.neighbours if times < 1 else None
        if neighbours is not None and len(steps) == 1:
            return image.reach(one, neighbours, target, False, eroding=eroding)
        image.dilate(one, times, eroding=eroding)
    return image.result(target)


@replayed
def binary_erosion(
    input,
    structure=None,
    iterations=1,
    mask=None,
    output=None,
    border_value=0,
    origin=0,
    brute_force=False,
    *,
    axes=None,
):
    """Binary erosion: where a structure lies wholly in the image.

    Parameters
    ----------
    input : cupric.ndarray
        What is not zero is set.
    structure : array_like of bool, optional
        By default the neighbours along the axes. On the host, or it is copied there.
    iterations : int, optional
        How many times; until nothing changes if less than 1.
    mask : cupric.ndarray, optional
        Where it is zero, elements stay as they are.
    output : cupric.ndarray, optional
        Where the result goes; else it is new, of bools.
    border_value : int, optional
        What lies outside.
    origin : int or sequence of ints, optional
        How far the structure is shifted, for each axis.
    brute_force : bool, optional
        Nothing depends on it.
    axes : tuple of ints, optional
        All axes by default.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Notes
    -----
    Images are computed on as bits, 64 elements at a time.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import binary_erosion
    >>> binary_erosion(cp.array([0, 1, 1, 1, 1, 0])).astype(int)
    array([0, 0, 1, 1, 0, 0])
    """
    return _binary(
        input, structure, iterations, mask, output, border_value, origin, axes, [True]
    )


@replayed
def binary_dilation(
    input,
    structure=None,
    iterations=1,
    mask=None,
    output=None,
    border_value=0,
    origin=0,
    brute_force=False,
    *,
    axes=None,
):
    """Binary dilation: what a structure covers that lies at an element of the image.

    Parameters
    ----------
    input : cupric.ndarray
    structure, iterations, mask, output : optional
        As of `binary_erosion`.
    border_value, origin, brute_force, axes : optional
        As of `binary_erosion`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import binary_dilation
    >>> binary_dilation(cp.array([0, 0, 1, 0, 0, 0]), iterations=2).astype(int)
    array([1, 1, 1, 1, 1, 0])
    """
    return _binary(
        input, structure, iterations, mask, output, border_value, origin, axes, [False]
    )


@replayed
def binary_opening(
    input,
    structure=None,
    iterations=1,
    output=None,
    origin=0,
    mask=None,
    border_value=0,
    brute_force=False,
    *,
    axes=None,
):
    """Binary opening: erosions, then as many dilations.

    Parameters
    ----------
    input : cupric.ndarray
    structure, iterations, output, origin : optional
        As of `binary_erosion`.
    mask, border_value, brute_force, axes : optional
        As of `binary_erosion`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import binary_opening
    >>> binary_opening(cp.array([0, 1, 0, 1, 1, 1])).astype(int)
    array([0, 0, 0, 1, 1, 1])
    """
    steps = [True, False]
    return _binary(
        input, structure, iterations, mask, output, border_value, origin, axes, steps
    )


@replayed
def binary_closing(
    input,
    structure=None,
    iterations=1,
    output=None,
    origin=0,
    mask=None,
    border_value=0,
    brute_force=False,
    *,
    axes=None,
):
    """Binary closing: dilations, then as many erosions.

    Parameters
    ----------
    input : cupric.ndarray
    structure, iterations, output, origin : optional
        As of `binary_erosion`.
    mask, border_value, brute_force, axes : optional
        As of `binary_erosion`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import binary_closing
    >>> binary_closing(cp.array([0, 1, 1, 0, 1, 1, 0])).astype(int)
    array([0, 1, 1, 1, 1, 1, 0])
    """
    steps = [False, True]
    return _binary(
        input, structure, iterations, mask, output, border_value, origin, axes, steps
    )


@replayed
def binary_hit_or_miss(
    input,
    structure1=None,
    structure2=None,
    output=None,
    origin1=0,
    origin2=None,
    *,
    axes=None,
):
    """Hit-or-miss transform: where a pattern of set and unset elements lies.

    Parameters
    ----------
    input : cupric.ndarray
        What is not zero is set.
    structure1 : array_like of bool, optional
        What must be set; by default the neighbours along the axes.
    structure2 : array_like of bool, optional
        What must not be set; by default all that is not in `structure1`.
    output : cupric.ndarray, optional
        Where the result goes; else it is new, of bools.
    origin1, origin2 : int or sequence of ints, optional
        How far the structures are shifted, for each axis; `origin2` by default as
        `origin1`.
    axes : tuple of ints, optional
        All axes by default.

    Returns
    -------
    cupric.ndarray or None
        None where `output` is an array.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import binary_hit_or_miss
    >>> binary_hit_or_miss(cp.array([0, 1, 0, 1, 1, 0]), [0, 1, 0]).astype(int)
    array([0, 1, 0, 0, 0, 0])
    """
    x, _, axes, target = _image_arguments(input, output, axes)
    if structure1 is None:
        structure1 = _binary_structure(len(axes), 1)
    structure1 = host_array(structure1, bool)
    if structure2 is None:
        structure2 = ~structure1
    hit = _structure(structure1, origin1, axes, x.ndim, "structure1")
    origin2 = origin1 if origin2 is None else origin2
    miss = _structure(structure2, origin2, axes, x.ndim, "structure2")
    if x.size == 0:
        found = target.result(x.astype(bool))
    else:
        image, other = _Image(x), _Image(x)
        image.dilate(hit, eroding=True)
        other.dilate(miss, also=image.state)
        found = other.result(target, flip=True)
    return None if target.given is not None else found


@replayed
def binary_propagation(
    input,
    structure=None,
    mask=None,
    output=None,
    border_value=0,
    origin=0,
    *,
    axes=None,
):
    """Dilations within a mask until nothing changes.

    Parameters
    ----------
    input : cupric.ndarray
    structure, mask, output, border_value, origin, axes : optional
        As of `binary_erosion`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Notes
    -----
    With a symmetric structure of neighbours the mask's connected elements are found as
    in `label`: the time does not depend on how far it goes.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import binary_propagation
    >>> mask = cp.array([1, 1, 0, 1, 1, 1])
    >>> binary_propagation(cp.array([0, 0, 0, 0, 1, 0]), mask=mask).astype(int)
    array([0, 0, 0, 1, 1, 1])
    """
    return _binary(
        input, structure, -1, mask, output, border_value, origin, axes, [False]
    )


@replayed
def binary_fill_holes(input, structure=None, output=None, origin=0, *, axes=None):
    """Fill what cannot be reached from the border.

    Parameters
    ----------
    input : cupric.ndarray
        What is not zero is set.
    structure : array_like of bool, optional
        How holes are connected; by default along the axes.
    output : cupric.ndarray, optional
        Where the result goes; else it is new, of bools.
    origin : int or sequence of ints, optional
        How far the structure is shifted, for each axis.
    axes : tuple of ints, optional
        All axes by default.

    Returns
    -------
    cupric.ndarray or None
        None where `output` is an array.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import binary_fill_holes
    >>> binary_fill_holes(cp.array([0, 1, 0, 0, 1, 0])).astype(int)
    array([0, 1, 1, 1, 1, 0])
    """
    x, _, axes, target = _image_arguments(input, output, axes)
    one = _structure(structure, origin, axes, x.ndim, mirrored=True)
    if x.size == 0:
        found = target.result(x.astype(bool))
    else:
        mask = cp.logical_not(x)
        image = _Image(cp.zeros_like(mask), mask, 1)
        neighbours = one.neighbours
        if neighbours is not None:
            found = image.reach(one, neighbours, target, True)
        else:
            image.dilate(one, 0)
            found = image.result(target, flip=True)
    return None if target.given is not None else found
