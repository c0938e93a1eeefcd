"""Mathematical morphology of grey images."""

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.kernels import replayed, warn
from cupricx.scipy.ndimage._filters._ranks import extremum, host_array

__all__ = [
    "black_tophat",
    "grey_closing",
    "grey_dilation",
    "grey_erosion",
    "grey_opening",
    "morphological_gradient",
    "morphological_laplace",
    "white_tophat",
]


def _mirrored(size, footprint, structure, origin, n):
    """The arguments of a dilation as those of a maximum over a window: the window is
    mirrored, and its centre with it.
    """
    origins = arguments.per_axis(origin, n, "origin", arguments.integer)
    if structure is not None:
        structure = np.flip(host_array(structure))
        sizes = structure.shape
    if footprint is not None:
        footprint = np.flip(host_array(footprint))
        sizes = footprint.shape
    elif structure is None:
        sizes = arguments.per_axis(size, n, "size", arguments.integer)
    if len(sizes) == n:  # else an error is raised later
        origins = [-o - (s % 2 == 0) for o, s in zip(origins, sizes, strict=True)]
    return footprint, structure, origins


def _grey(
    input,
    size,
    footprint,
    structure,
    output,
    mode,
    cval,
    origin,
    axes,
    dilation,
    as_bytes=False,
):
    if size is None and footprint is None and structure is None:
        raise ValueError("size, footprint, or structure must be specified")
    if dilation:
        n = len(arguments.axes(axes, arguments.array(input).ndim))
        footprint, structure, origin = _mirrored(size, footprint, structure, origin, n)
    if structure is not None and footprint is None:
        size = None
    if structure is not None and not as_bytes:
        input, output, as_bytes = _bytes_of(input, output)
    return extremum(
        input,
        size,
        footprint,
        structure,
        output,
        mode,
        cval,
        origin,
        axes,
        not dilation,
        as_bytes,
    )


def _bytes_of(input, output):
    """Bools as SciPy computes on them with a structure: as bytes, modulo 256. Input and
    output, and whether they are bools."""
    x = arguments.array(input)
    if x.dtype.kind != "b":
        return x, output, False
    return x.astype(np.uint8), np.dtype(bool) if output is None else output, True


@replayed
def grey_erosion(
    input,
    size=None,
    footprint=None,
    structure=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """Grey erosion: the smallest element of a window, less a structure.

    Parameters
    ----------
    input : cupric.ndarray
    size : int or sequence of ints, optional
        Of a flat box, for each axis. The time does not depend on it.
    footprint : array_like of bool, optional
        The elements of a flat structure, or those of `structure` that count.
    structure : array_like, optional
        What is subtracted, for each element of the window.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    mode : str or sequence of str, optional
        As of `minimum_filter1d`; for each axis, of a box.
    cval : scalar, optional
        The constant.
    origin : int or sequence of ints, optional
        How far the structure is shifted, for each axis.
    axes : tuple of ints, optional
        All axes by default.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import grey_erosion
    >>> grey_erosion(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([2, 0, 0, 0, 1, 1, 0, 0])
    """
    return _grey(
        input, size, footprint, structure, output, mode, cval, origin, axes, False
    )


@replayed
def grey_dilation(
    input,
    size=None,
    footprint=None,
    structure=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """Grey dilation: the largest element of a window, and a structure added.

    Parameters
    ----------
    input : cupric.ndarray
    size, footprint, structure, mode, cval, origin, axes : optional
        As of `grey_erosion`. One of the first three is needed.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import grey_dilation
    >>> grey_dilation(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([8, 8, 8, 4, 9, 9, 9, 9])
    """
    return _grey(
        input, size, footprint, structure, output, mode, cval, origin, axes, True
    )


class _Grey:
    """Erosion and dilation with the arguments that a function was called with."""

    def __init__(
        self, input, size, footprint, structure, mode, cval, origin, axes, output
    ):
        if size is not None and footprint is not None:
            warn("ignoring size because footprint is set", stacklevel=3)
            size = None
        self.x = arguments.array(input)
        if isinstance(output, _core.ndarray) and np.may_share_memory(output, self.x):
            self.x = self.x.copy()
        self.window = size, footprint, structure
        self.around = mode, cval, origin, axes
        self.as_bytes = structure is not None and self.x.dtype.kind == "b"

    def erosion(self, x, output=None):
        return _grey(x, *self.window, output, *self.around, False)

    def dilation(self, x, output=None):
        return _grey(x, *self.window, output, *self.around, True)

    def both(self, first, output):
        """An erosion and a dilation, one after the other."""
        x = self.x
        if self.as_bytes:  # between the two the bytes stay what they are
            x, output, _ = _bytes_of(x, output)
        for target in (np.dtype(np.uint8) if self.as_bytes else None, output):
            args = *self.window, target, *self.around
            x = _grey(x, *args, first == "dilation", self.as_bytes)
            first = "erosion" if first == "dilation" else "dilation"
        return x


def _subtract(a, b, out):
    if a.dtype.kind == b.dtype.kind == out.dtype.kind == "b":
        return _core.logical_xor(a, b, out)
    return _core.subtract(a, b, out)


@replayed
def grey_opening(
    input,
    size=None,
    footprint=None,
    structure=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """Grey opening: an erosion, then a dilation.

    Parameters
    ----------
    input : cupric.ndarray
    size, footprint, structure, mode, cval, origin, axes : optional
        As of `grey_erosion`. One of the first three is needed.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import grey_opening
    >>> grey_opening(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([2, 2, 0, 1, 1, 1, 1, 0])
    """
    grey = _Grey(input, size, footprint, structure, mode, cval, origin, axes, output)
    return grey.both("erosion", output)


@replayed
def grey_closing(
    input,
    size=None,
    footprint=None,
    structure=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """Grey closing: a dilation, then an erosion.

    Parameters
    ----------
    input : cupric.ndarray
    size, footprint, structure, mode, cval, origin, axes : optional
        As of `grey_erosion`. One of the first three is needed.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import grey_closing
    >>> grey_closing(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([8, 8, 4, 4, 4, 9, 9, 9])
    """
    grey = _Grey(input, size, footprint, structure, mode, cval, origin, axes, output)
    return grey.both("dilation", output)


@replayed
def morphological_gradient(
    input,
    size=None,
    footprint=None,
    structure=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """Dilation less erosion.

    Parameters
    ----------
    input : cupric.ndarray
    size, footprint, structure, mode, cval, origin, axes : optional
        As of `grey_erosion`. One of the first three is needed.
    output : cupric.ndarray, optional
        Where the result goes; also what it is computed in.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import morphological_gradient
    >>> morphological_gradient(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([6, 8, 8, 4, 8, 8, 9, 9])
    """
    grey = _Grey(input, size, footprint, structure, mode, cval, origin, axes, output)
    given = isinstance(output, _core.ndarray)
    dilated = grey.dilation(grey.x)  # nothing fails once the output is written to
    eroded = grey.erosion(grey.x, output if given else None)
    return _core.subtract(dilated, eroded, eroded)


@replayed
def morphological_laplace(
    input,
    size=None,
    footprint=None,
    structure=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """Dilation and erosion, less twice the input.

    Parameters
    ----------
    input : cupric.ndarray
    size, footprint, structure, mode, cval, origin, axes : optional
        As of `grey_erosion`. One of the first three is needed.
    output : cupric.ndarray, optional
        Where the result goes; also what it is computed in.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import morphological_laplace
    >>> morphological_laplace(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([ 6, -8,  8, -4,  8, -8, -9,  9])
    """
    grey = _Grey(input, size, footprint, structure, mode, cval, origin, axes, output)
    given = isinstance(output, _core.ndarray)
    dilated = grey.dilation(grey.x)  # nothing fails once the output is written to
    y = grey.erosion(grey.x, output if given else None)
    _core.add(dilated, y, y)
    _core.subtract(y, grey.x, y)
    return _core.subtract(y, grey.x, y)


@replayed
def white_tophat(
    input,
    size=None,
    footprint=None,
    structure=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """The input less its opening: what is bright and small.

    Parameters
    ----------
    input : cupric.ndarray
    size, footprint, structure, mode, cval, origin, axes : optional
        As of `grey_erosion`. One of the first three is needed.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import white_tophat
    >>> white_tophat(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([0, 6, 0, 3, 0, 8, 8, 0])
    """
    grey = _Grey(input, size, footprint, structure, mode, cval, origin, axes, output)
    y = grey.both("erosion", output)
    return _subtract(grey.x, y, y)


@replayed
def black_tophat(
    input,
    size=None,
    footprint=None,
    structure=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """The closing less the input: what is dark and small.

    Parameters
    ----------
    input : cupric.ndarray
    size, footprint, structure, mode, cval, origin, axes : optional
        As of `grey_erosion`. One of the first three is needed.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import black_tophat
    >>> black_tophat(cp.array([2, 8, 0, 4, 1, 9, 9, 0]), size=3)
    array([6, 0, 4, 0, 3, 0, 0, 9])
    """
    grey = _Grey(input, size, footprint, structure, mode, cval, origin, axes, output)
    y = grey.both("dilation", output)
    return _subtract(y, grey.x, y)
