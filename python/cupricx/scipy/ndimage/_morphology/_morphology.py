"""Mathematical morphology of binary images."""

import operator

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import replayed
from cupricx.scipy.ndimage._morphology._bit_images import BitImage, image_arguments
from cupricx.scipy.ndimage._morphology._structures import (
    read_structure,
    structure_array,
)

__all__ = [
    "binary_closing",
    "binary_dilation",
    "binary_erosion",
    "binary_fill_holes",
    "binary_hit_or_miss",
    "binary_opening",
    "binary_propagation",
    "iterate_structure",
]


@where_it_lives
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
    made = _core.zeros([n + more * (n - 1) for n in one.shape], bool)
    made[tuple(slice(more * (n // 2), more * (n // 2) + n) for n in one.shape)] = one
    made = binary_dilation(made, one, iterations=more)
    if origin is None:
        return made
    origins = arguments.per_axis(origin, one.ndim, "origin")
    return made, [iterations * o for o in origins]


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
    x, mask, axes, target = image_arguments(input, output, axes, mask)
    both = [
        read_structure(structure, origin, axes, x.ndim, mirrored=not eroding)
        for eroding in steps
    ]
    if x.size == 0:
        return target.result(x.astype(bool))
    image = BitImage(x, mask, border_value)
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
    structure : array_like of bool, int or tuple of ints, optional
        By default the neighbours along the axes. On the host, or it is copied there.
        An int, or a tuple of an int for each axis, is the shape of a box.
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
    structure1 : array_like of bool, int or tuple of ints, optional
        What must be set; by default the neighbours along the axes.
    structure2 : array_like of bool, int or tuple of ints, optional
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
    x, _, axes, target = image_arguments(input, output, axes)
    structure1 = structure_array(structure1, len(axes), "structure1")
    if structure2 is None:
        structure2 = ~structure1
    hit = read_structure(structure1, origin1, axes, x.ndim, "structure1")
    origin2 = origin1 if origin2 is None else origin2
    miss = read_structure(structure2, origin2, axes, x.ndim, "structure2")
    if x.size == 0:
        found = target.result(x.astype(bool))
    else:
        image, other = BitImage(x), BitImage(x)
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
    structure : array_like of bool, int or tuple of ints, optional
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
    x, _, axes, target = image_arguments(input, output, axes)
    one = read_structure(structure, origin, axes, x.ndim, mirrored=True)
    if x.size == 0:
        found = target.result(x.astype(bool))
    else:
        image = BitImage(x, border=1, empty=True)
        neighbours = one.neighbours
        if neighbours is not None:
            found = image.reach(one, neighbours, target, True)
        else:
            image.dilate(one, 0)
            found = image.result(target, flip=True)
    return None if target.given is not None else found
