"""Interpolation by B-splines: coefficients, and values between samples."""

import math

import numpy as np

import cupric as cp
from cupric._lib import Library, Output, arguments, replayed, warn

__all__ = [
    "affine_transform",
    "map_coordinates",
    "rotate",
    "shift",
    "spline_filter",
    "spline_filter1d",
    "zoom",
]

_library = Library(__file__, "_interpolation.cuh")


def _poles(order):
    """The poles of the inverse of a spline's samples, the larger one first."""
    if order == 2:
        return math.sqrt(8) - 3, 0.0
    if order == 3:
        return math.sqrt(3) - 2, 0.0
    # of degree 4 and 5: z + 1 / z = t has two solutions t, by the B-spline's samples
    samples = (76, 230) if order == 4 else (26, 66)
    root = math.sqrt(samples[0] ** 2 / 4 - samples[1] + 2)
    poles = []
    for t in (-samples[0] / 2 + root, -samples[0] / 2 - root):
        poles.append(2 / (t - math.sqrt(t * t - 4)))
    return tuple(poles)


def _facts(order):
    """What `spline_coefficients` needs: elements to begin before; gain and poles."""
    z1, z2 = _poles(order)
    gain = (1 - z1) ** 2 * (1 - z2) ** 2
    warm = {
        t: math.ceil(math.log(eps) / math.log(-z1)) + 3
        for t, eps in (("f", 1e-9), ("d", 1e-17))
    }
    return warm, (gain, z1, z2)


_FACTS = {order: _facts(order) for order in (2, 3, 4, 5)}

# Numbers as in _boundary.cuh.
_REFLECT, _CONSTANT, _NEAREST, _MIRROR, _WRAP = range(5)


class _Mode:
    """What a mode means: for coordinates, for coefficients, and for their filter."""

    def __init__(self, coordinates, around, filtered, pad=0):
        self.coordinates = coordinates  # as in _interpolation.cuh
        self.around = around  # where a spline reaches out of the coefficients
        self.filtered = filtered  # how the samples go on
        self.pad = pad  # coefficients on each side besides, for orders > 1


_MODES = {
    "reflect": _Mode(_REFLECT, _REFLECT, _REFLECT),
    "grid-mirror": _Mode(_REFLECT, _REFLECT, _REFLECT),
    "constant": _Mode(_CONSTANT, _MIRROR, _MIRROR),
    "nearest": _Mode(_NEAREST, _NEAREST, _REFLECT, 12),
    "mirror": _Mode(_MIRROR, _MIRROR, _MIRROR),
    "wrap": _Mode(_WRAP, _MIRROR, _MIRROR),
    "grid-wrap": _Mode(5, _WRAP, _WRAP),
    "grid-constant": _Mode(_NEAREST, _CONSTANT, _MIRROR, 12),
}


def _mode(mode):
    try:
        return _MODES[mode]
    except (KeyError, TypeError):
        raise RuntimeError(
            f"boundary mode not supported: {mode!r}; there are {', '.join(_MODES)}"
        ) from None


def _order(order, least=0):
    order = arguments.integer(order)
    if not least <= order <= 5:
        raise RuntimeError(
            f"spline order not supported: {order}; it must be from {least} to 5"
        )
    return order


# ---- coefficients --------------------------------------------------------------------


def _example_filter(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(3 * 90 * 40) % 17).reshape(3, 90, 40)
    return [
        ndimage.spline_filter(x.astype("f4"), output="f4"),
        ndimage.spline_filter1d(x[0], 5, axis=0, mode="grid-wrap"),
        ndimage.spline_filter(x[0].astype("c16"), 2, output="c16", mode="reflect"),
    ]


_coefficients = _library.kernel(
    "spline_coefficients<W>", ships="f d", example=_example_filter
)


def _computed_in(x, dtype):
    """float32 or float64: what to compute in, of `x` for a result of `dtype`."""
    single = x.dtype.char in "efF" and np.dtype(dtype).char in "efF"
    return np.dtype("f" if single else "d")


def _real(x, dtype):
    """An array as contiguous numbers of a dtype; complex ones as a last axis of two."""
    if x.dtype.kind == "c":
        x = x.astype(np.result_type(dtype, np.complex64), copy=False)
        return cp.ascontiguousarray(x)[..., None].view(dtype)
    return cp.ascontiguousarray(x.astype(dtype, copy=False))


def _split(shape, axis):
    """A shape as (rows, n, inner)."""
    return math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])


def _filter_axis(x, axis, order, mode, fill=0.0, *, pads=False):
    """Coefficients along an axis of contiguous float32 or float64: in new memory."""
    rows, n, inner = _split(x.shape, axis)
    pad = mode.pad if pads else 0
    shape = (*x.shape[:axis], n + 2 * pad, *x.shape[axis + 1 :])
    y = cp.empty(shape, x.dtype)
    warm, numbers = _FACTS[order]
    fill = complex(fill)
    _coefficients[x.dtype].blocks(
        max(y.size >> 12, 1),
        256 if x.dtype.char == "f" else 128,
        (x, y, rows, n, inner, pad, mode.filtered, mode.around, fill.real, fill.imag)
        + (warm[x.dtype.char], *numbers),
    )
    return y


def _filter_axes(input, axes, order, mode, output):
    """Coefficients along axes, each result in the dtype of the last."""
    x = arguments.array(input)
    mode = _mode(mode)
    target = Output(output, x, is_complex=x.dtype.kind == "c")
    if not x.size or not axes:
        return target.result(x.astype(target.dtype))
    dtype = _computed_in(x, target.dtype)
    with x.device:
        first = y = _real(x, dtype)
        for axis in axes:
            if x.shape[axis] > 1:
                y = _filter_axis(y, axis, order, mode)
            if target.dtype.kind in "biu" and axis != axes[-1]:
                y = _as_c_casts(y, target.dtype).astype(dtype)
    if y is first:  # which may be x
        y = y.copy()
    if x.dtype.kind == "c":
        y = y.view(np.result_type(dtype, np.complex64))[..., 0]
    return target.result(y)


def _as_c_casts(y, dtype):
    return (cp.trunc(y) if dtype.kind == "b" else y).astype(dtype)


@replayed
def spline_filter1d(input, order=3, axis=-1, output=np.float64, mode="mirror"):
    """Coefficients of B-splines along an axis, from samples.

    Parameters
    ----------
    input : cupric.ndarray
    order : int, optional
        The degree of the splines, from 0 to 5. Of degree 0 and 1 coefficients are the
        samples.
    axis : int, optional
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype.
    mode : str, optional
        How the samples go on: as of `map_coordinates`.

    Returns
    -------
    cupric.ndarray
        New, or `output`. Computed in float64, of float32 for float32 in float32.

    Notes
    -----
    The signal goes on beyond its ends as `mode` says, so that splines go through the
    samples; for 'reflect' and 'nearest' also where there are few of them, where SciPy's
    first coefficient is approximate. NaN spreads over a part of its line, not all.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import spline_filter1d
    >>> spline_filter1d(cp.array([0.0, 1, 0]), order=2)
    array([-0.5,  1.5, -0.5])
    """
    order = _order(order)
    x = arguments.array(input)
    axes = (arguments.axis(axis, x.ndim),) if order > 1 and x.ndim else ()
    return _filter_axes(x, axes, order, mode, output)


@replayed
def spline_filter(input, order=3, output=np.float64, mode="mirror"):
    """Coefficients of B-splines along all axes, from samples.

    Parameters
    ----------
    input : cupric.ndarray
    order : int, optional
        The degree of the splines, from 2 to 5.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype.
    mode : str, optional
        How the samples go on: as of `map_coordinates`.

    Returns
    -------
    cupric.ndarray
        New, or `output`. Computed in float64, of float32 for float32 in float32; for
        integers, what each axis gives is rounded towards zero.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import spline_filter
    >>> spline_filter(cp.eye(2), order=2)
    array([[ 2.5, -1.5],
           [-1.5,  2.5]])
    """
    order = _order(order, 2)
    x = arguments.array(input)
    return _filter_axes(x, tuple(range(x.ndim)), order, mode, output)


# ---- images --------------------------------------------------------------------------

_AFFINE, _SINGLES, _DOUBLES, _ZOOM, _GRID_ZOOM = range(5)  # as in _interpolation.cuh
_EACH, _THREADS = 4, 256  # of a thread, of a block; as there
_MOST_NARROW = 2**31 - 1  # elements of an image whose indices are of 32 bits


def _cut(lines, length, each):
    """How a GPU's blocks share `lines` of `length`, of which a thread makes `each`: the
    number of pieces and what _interpolation.cuh takes.
    """
    lanes = min((length - 1).bit_length(), 5)
    warps = -(-length // (each << 5))
    beside = min((warps - 1).bit_length(), 3) if lines < 8 else 0
    across = -(-warps >> beside)
    rows = _THREADS >> lanes >> beside
    return -(-lines // rows) * across, (lines, across, lanes, beside)


def _example_points(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(5 * 30 * 40) % 17).reshape(5, 30, 40)
    at = xp.arange(3 * 50).reshape(3, 50) / 7
    turn = [[0.8, -0.6, 1.0], [0.6, 0.8, -3.0]]
    return [
        ndimage.map_coordinates(x.astype("f4"), at.astype("f4"), mode="nearest"),
        ndimage.map_coordinates(x.astype("f8"), at, order=5, mode="mirror"),
        ndimage.affine_transform(x[0].astype("f4"), turn, order=1),
        ndimage.affine_transform(x[0].astype("u1"), turn, order=0, mode="wrap"),
        ndimage.rotate(x.astype("c16"), 30, order=2, axes=(1, 2)),
    ]


def _example_axes(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(5 * 30 * 40) % 17).reshape(5, 30, 40)
    return [
        ndimage.zoom(x.astype("f4"), (1, 2, 0.5)),
        ndimage.shift(x.astype("f8"), (0, 1.25, -3), order=1, mode="grid-wrap"),
        ndimage.shift(x[0].astype("u2"), 2.5, mode="nearest"),
        ndimage.zoom(x[0].astype("c8"), 1.5, mode="grid-constant", cval=1j),
    ]


_interpolate = _library.kernel(
    "interpolate<X, W, Y, I, N, ORDER>",
    ships=" ".join(
        f"{types}{ndim}{order}"
        for types, orders in (
            *(("fffi", "135"), ("dddi", "135"), ("BdBi", "1")),
            *(("fffl", "15"), ("dddl", "15"), ("BdBl", "1")),
        )
        for ndim in "123"
        for order in orders
    ),
    example=_example_points,
)
_resample = _library.kernel("resample<W>", ships="f d", example=_example_axes)
_round = _library.elementwise(
    "round_to_integer",
    "float64 x",
    "Y y",
    "y = rounded<Y>::of(x)",
    ships="? b B h H i I l L",
    example=_example_axes,
)


class _Image:
    """An image on its way to a result: samples or coefficients, which are contiguous
    numbers of `dtype`; complex ones have a last axis, of two.
    """

    def __init__(self, input, output, shape, order, mode, cval, prefilter):
        x = self.input = arguments.array(input)
        self.order, self.mode = _order(order), _mode(mode)
        if x.ndim < 1 or len(shape) < 1:
            raise RuntimeError(
                f"input and output rank must be > 0: they are {x.ndim} and {len(shape)}"
            )
        self.is_complex = x.dtype.kind == "c"
        self.cval = complex(cval)
        if self.cval.imag and not self.is_complex:
            raise TypeError(f"cval={cval} is complex, the input is of dtype {x.dtype}")
        if not self.is_complex:  # a constant of one part for all elements
            self.cval = complex(self.cval.real, self.cval.real)
        self.target = Output(output, x, shape, is_complex=self.is_complex)
        self.shape, self.ndim = self.target.shape, x.ndim
        self.dtype = _computed_in(x, self.target.dtype)
        self.filters = bool(prefilter) and self.order > 1
        self.pad = self.mode.pad if self.filters else 0
        self.empty = 0 in self.shape

    def samples(self):
        """The input, contiguous."""
        if 0 in self.input.shape:
            raise ValueError(
                f"there is nothing to interpolate: the input's shape is "
                f"{self.input.shape}, the output's {self.shape}"
            )
        return _real(self.input, self.dtype)

    def coefficients(self, axes):
        """The samples, filtered along axes."""
        y = self.samples()
        if self.filters:
            for axis in axes:
                y = self.filter(y, axis)
        return y

    def filter(self, y, axis):
        if y.shape[axis] == 1 and not self.pad:
            return y
        return _filter_axis(y, axis, self.order, self.mode, self.cval, pads=True)

    def buffer(self):
        """Where the kernel writes: `shape` numbers of `dtype`, complex ones as two."""
        if not self.is_complex:
            return self.target.buffer(self.input, dtype=self.dtype)
        dtype = np.result_type(self.dtype, np.complex64)
        return self.target.buffer(self.input, dtype=dtype)[..., None].view(self.dtype)

    def result(self, y):
        """What to return, of what a kernel wrote."""
        dtype = self.target.dtype
        if self.is_complex:
            y = y.view(np.result_type(self.dtype, np.complex64))[..., 0]
        elif dtype.kind in "biu" and y.dtype != dtype:
            y = _round(y.astype(np.float64, copy=False), cp.empty(y.shape, dtype))
        return self.target.result(y)

    def at_points(self, axes, kind, numbers, coordinates=None):
        """Values at coordinates along `axes`, which lie side by side."""
        if self.empty:
            return self.result(self.buffer())
        ndim, first = len(axes), axes[0]
        x, pair = self.input, (2,) if self.is_complex else ()
        bytes_only = x.dtype == self.target.dtype == np.uint8 and self.order < 2
        with x.device:
            if bytes_only and x.size:
                c, y = cp.ascontiguousarray(x), self.target.buffer(x, dtype=np.uint8)
                types = np.uint8, np.float64, np.uint8
            else:
                c, y = self.coefficients(axes), self.buffer()
                types = (self.dtype,) * 3
            n = c.shape[first : first + ndim]
            outer, inner = x.shape[:first], x.shape[first + ndim :]
            if coordinates is None:
                m, lengths, coordinates = self.shape[first : first + ndim], c, c
            else:
                m = (1,) * (ndim - 1) + (math.prod(self.shape),)
                lengths = cp.array(n, np.int64) if ndim > 3 else c
            if ndim > 3:
                n, m = (1,) * 3, m[::-1]
            fit = (1,) * (3 - len(n))
            inner, outer = math.prod(inner + pair), math.prod(outer)
            on_host = _library.on_host(x)
            wide = not on_host and c.size // outer > _MOST_NARROW
            most = self.order // 2 * 2 + 1
            if wide:  # of which less comes compiled
                instance = _interpolate[(*types, np.int64, ndim, 5 if most > 1 else 1)]
            else:
                instance = _interpolate[(*types, np.int32, ndim, most)]
            length = inner if inner > 1 else m[0] if ndim > 3 else m[-1]
            each = 1 if inner == 1 and self.order > 1 else _EACH
            pieces, cut = _cut(y.size // length, length, each)
            args = (
                *(c, y, coordinates, lengths, outer, *n, *fit, *m[:3], *fit),
                *(inner, self.order, self.mode.coordinates, self.mode.around),
                *(self.pad, self.cval.real, self.cval.imag, kind, *numbers, *cut),
            )
            if on_host:
                instance.elements(y.size, args)
            else:
                instance.blocks(pieces, _THREADS, args)
            return self.result(y)

    def along_axes(self, shifts, zooms, grid=False):
        """Values at ``(index + shift) * zoom`` along each axis, one after the other."""
        if self.empty:
            return self.result(self.buffer())
        x = self.input
        whole = self.order < 2 and x.dtype == self.target.dtype == np.uint8
        moved = self._moved(shifts, zooms)
        axes = tuple(range(self.ndim))
        if self.order < 2 and len(moved) > 1 and not _library.on_host(x):
            # On a GPU one pass over two or three axes takes less than one over each.
            axes = tuple(range(moved[0], moved[-1] + 1))
            whole = True
        if len(axes) <= 3 and (whole or not np.isfinite(self.cval)):
            scales = np.zeros((4, 3), np.float64)
            for d, axis in enumerate(axes):
                scales[d, d], scales[3, d] = zooms[axis], shifts[axis]
            kind = _GRID_ZOOM if grid else _ZOOM
            return self.at_points(axes, kind, tuple(scales.ravel().tolist()))
        with x.device:
            y = self._along(self.samples(), moved, shifts, zooms, grid)
            return self.result(y)

    def _moved(self, shifts, zooms):
        """The axes along which values lie elsewhere than samples, or are not those."""
        return [
            axis
            for axis, n in enumerate(self.input.shape)
            if (shifts[axis], zooms[axis]) != (0, 1)
            or n != self.shape[axis]
            or (self.order > 1 and not self.filters)
        ]

    def _along(self, y, moved, shifts, zooms, grid):
        # Axes that become shorter first; longer ones, once all are filtered.
        shrinks = [axis for axis in moved if self.shape[axis] <= y.shape[axis]]
        grows = [axis for axis in moved if axis not in shrinks]
        steps = [(axis, step) for axis in shrinks for step in (True, False)]
        steps += [(axis, step) for step in (True, False) for axis in grows]
        if not steps:
            return y.astype(self.dtype, copy=True)
        for number, (axis, filtering) in enumerate(steps):
            if filtering:
                y = self.filter(y, axis) if self.filters else y
                continue
            rows, n, inner = _split(y.shape, axis)
            m = self.shape[axis]
            if number == len(steps) - 1:
                made = self.buffer()
            else:
                made = cp.empty((*y.shape[:axis], m, *y.shape[axis + 1 :]), y.dtype)
            _resample[y.dtype].blocks(
                max(made.size >> 13, 1),
                256,
                (y, made, rows, n, m, inner, shifts[axis], zooms[axis], grid, self.pad)
                + (self.order, self.mode.coordinates, self.mode.around)
                + (self.cval.real, self.cval.imag),
            )
            y = made
        return y


@replayed
def map_coordinates(
    input,
    coordinates,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    """Values of an image at coordinates, by splines.

    Parameters
    ----------
    input : cupric.ndarray
    coordinates : array_like
        Of shape (input.ndim, ...): an index along each axis, of any real dtype.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    order : int, optional
        The degree of the splines, from 0 (the nearest sample) to 5.
    mode : str, optional
        What lies outside of the samples a b c d. 'reflect' (or 'grid-mirror'):
        ``d c b a | a b c d | d c b a``; 'mirror': ``d c b | a b c d | c b a``;
        'nearest': ``a a a | a b c d | d d d``; 'grid-wrap': ``c d | a b c d | a b``;
        'grid-constant': ``k k k | a b c d | k k k``, where k is `cval`. 'constant':
        `cval` at every coordinate outside of the first and last sample; 'wrap': as
        'grid-wrap', but d and the next a are one sample.
    cval : scalar, optional
        The constant.
    prefilter : bool, optional
        `input` are samples, of which `spline_filter` makes coefficients where `order`
        is more than 1; if False, it has the coefficients.

    Returns
    -------
    cupric.ndarray
        Of shape ``coordinates.shape[1:]``; new, or `output`. Computed in float64, of
        float32 for float32 in float32, where coordinates are float64 all the same.
        Integers are rounded, and bounded by what their dtype holds.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import map_coordinates
    >>> x = cp.arange(12.0).reshape(4, 3)
    >>> map_coordinates(x, [[0.5, 2], [0.5, 1]], order=1)
    array([2., 7.])
    """
    x = arguments.array(input)
    at = _coordinates(coordinates, x)
    image = _Image(x, output, at.shape[1:], order, mode, cval, prefilter)
    if at.shape[0] != x.ndim:
        raise RuntimeError(
            f"invalid shape for coordinate array: {at.shape} for an input of shape "
            f"{x.shape}; the first length must be {x.ndim}"
        )
    return _at_coordinates(image, at)


def _coordinates(coordinates, x):
    if not isinstance(coordinates, cp.ndarray):
        coordinates = arguments.small(coordinates, x)
    if coordinates.dtype.kind == "c":
        raise TypeError(f"Complex type not supported: coordinates, {coordinates.dtype}")
    if not coordinates.ndim:
        raise RuntimeError("invalid shape for coordinate array: ()")
    if coordinates.dtype.char not in "fd":
        coordinates = coordinates.astype(np.float64)
    return cp.ascontiguousarray(coordinates)


def _at_coordinates(image, at):
    kind = _SINGLES if at.dtype.char == "f" else _DOUBLES
    return image.at_points(tuple(range(image.ndim)), kind, (0.0,) * 12, at)


@replayed
def affine_transform(
    input,
    matrix,
    offset=0.0,
    output_shape=None,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
    *,
    texture_memory=False,
    float64_coords=False,
):
    """An image under an affine transformation, by splines.

    The value at index k is that of `input` at ``matrix @ k + offset``.

    Parameters
    ----------
    input : cupric.ndarray, n axes
    matrix : array_like
        Of shape (n, output's axes); (n, n + 1) or (n + 1, n + 1): the last column is
        the offset, instead of `offset`; (n,): a diagonal, which is quicker.
    offset : float or sequence of floats, optional
        For each axis of `input`.
    output_shape : tuple of ints, optional
        That of `output` or of `input` by default.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    order, mode, cval, prefilter : optional
        As of `map_coordinates`.
    texture_memory, float64_coords : bool, optional
        CuPy's, for which coordinates are less exact or more. They change nothing:
        coordinates are always float64, as SciPy's are.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import affine_transform
    >>> x = cp.arange(6.0).reshape(2, 3)
    >>> affine_transform(x, [[0, 1], [1, 0]], output_shape=(3, 2), order=1)
    array([[0., 3.],
           [1., 4.],
           [2., 5.]])
    """
    x = arguments.array(input)
    if output_shape is None:
        output_shape = output.shape if isinstance(output, cp.ndarray) else x.shape
    image = _Image(x, output, output_shape, order, mode, cval, prefilter)
    matrix, offset = _affine(matrix, offset, x.ndim, len(image.shape))
    if matrix.ndim == 1:
        with np.errstate(divide="ignore", invalid="ignore"):
            shifts = (offset / matrix).tolist()
        return image.along_axes(shifts, matrix.tolist())
    if x.ndim > 3 or matrix.shape[0] != matrix.shape[1]:
        return _at_coordinates(image, _transformed(matrix, offset, image))
    numbers = _numbers(matrix, offset)
    return image.at_points(tuple(range(x.ndim)), _AFFINE, numbers)


def _affine(matrix, offset, ndim, output_ndim):
    """The matrix, or its diagonal, and the offset, as NumPy arrays of float64."""
    if isinstance(matrix, cp.ndarray):
        matrix = matrix.get()
    if isinstance(offset, cp.ndarray):
        offset = offset.get()
    matrix = np.asarray(matrix, dtype=np.float64)
    if matrix.ndim not in (1, 2) or matrix.shape[0] < 1:
        raise RuntimeError(
            f"no proper affine matrix provided: its shape is {matrix.shape}"
        )
    if (
        matrix.ndim == 2
        and matrix.shape[1] == ndim + 1
        and matrix.shape[0] in (ndim, ndim + 1)
    ):
        if matrix.shape[0] == ndim + 1 and (matrix[ndim] != [0] * ndim + [1]).any():
            raise ValueError(
                f"the last row of a matrix of shape {matrix.shape} for an input of "
                f"{ndim} axes must be {[0] * ndim + [1]}, it is {matrix[ndim].tolist()}"
            )
        offset, matrix = matrix[:ndim, ndim], matrix[:ndim, :ndim]
    if matrix.shape[0] != ndim:
        raise RuntimeError(
            f"affine matrix has wrong number of rows: its shape is {matrix.shape} "
            f"for an input of {ndim} axes"
        )
    if matrix.ndim == 2 and matrix.shape[1] != output_ndim:
        raise RuntimeError(
            f"affine matrix has wrong number of columns: its shape is {matrix.shape} "
            f"for an output of {output_ndim} axes"
        )
    if matrix.ndim == 1 and ndim != output_ndim:
        raise RuntimeError(
            f"a diagonal keeps the number of axes: the input has {ndim}, the output "
            f"{output_ndim}"
        )
    return matrix, np.array(arguments.per_axis(offset, ndim, "offset", float))


def _numbers(matrix, offset):
    """A matrix and an offset of up to three axes as the kernel takes them."""
    ndim = len(offset)
    padded = np.zeros((4, 3), np.float64)
    padded[:ndim, :ndim] = matrix
    padded[3, :ndim] = offset
    return tuple(padded.ravel().tolist())


def _transformed(matrix, offset, image):
    """Coordinates of each output under an affine transformation."""
    shape = image.shape
    with image.input.device:
        at = cp.empty((image.ndim, *shape))
        for axis in range(image.ndim):
            at[axis] = float(offset[axis])
            for k, length in enumerate(shape):
                step = cp.arange(length, dtype=np.float64) * float(matrix[axis, k])
                at[axis] += step.reshape((-1,) + (1,) * (len(shape) - 1 - k))
    return at


@replayed
def shift(
    input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True
):
    """An image moved by any number of elements, by splines.

    Parameters
    ----------
    input : cupric.ndarray
    shift : float or sequence of floats
        For each axis: the value at index k is that of `input` at ``k - shift``.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    order, mode, cval, prefilter : optional
        As of `map_coordinates`.

    Returns
    -------
    cupric.ndarray
        New, or `output`. Each axis is done by itself.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import shift
    >>> shift(cp.array([0.0, 4, 8, 2]), 0.5, order=1)
    array([0., 2., 6., 5.])
    """
    x = arguments.array(input)
    image = _Image(x, output, x.shape, order, mode, cval, prefilter)
    shifts = arguments.per_axis(shift, x.ndim, "shift", float)
    return image.along_axes([-s + 0.0 for s in shifts], [1.0] * x.ndim)


@replayed
def zoom(
    input,
    zoom,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
    *,
    grid_mode=False,
):
    """An image made larger or smaller, by splines.

    Parameters
    ----------
    input : cupric.ndarray
    zoom : float or sequence of floats
        For each axis: how many times longer it becomes, rounded to whole elements.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    order, mode, cval, prefilter : optional
        As of `map_coordinates`.
    grid_mode : bool, optional
        The image ends where its outer elements end, not in their middle. Modes
        'grid-constant' and 'grid-wrap' go with it, 'constant' and 'wrap' do not.

    Returns
    -------
    cupric.ndarray
        New, or `output`. Each axis is done by itself.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import zoom
    >>> zoom(cp.array([0.0, 4, 8]), 5 / 3, order=1)
    array([0., 2., 4., 6., 8.])
    """
    x = arguments.array(input)
    zooms = arguments.per_axis(zoom, x.ndim, "zoom", float)
    shape = tuple(round(n * z) for n, z in zip(x.shape, zooms, strict=True))
    image = _Image(x, output, shape, order, mode, cval, prefilter)
    if prefilter and all(z == 1 for z in zooms):
        target = image.target
        y = target.buffer(x)
        y[...] = x.astype(y.dtype, copy=False)
        return target.result(y)
    if grid_mode and mode in ("constant", "wrap"):
        warn(
            f"mode 'grid-{mode}' goes with grid_mode=True, rather than '{mode}'",
            stacklevel=2,
        )
    less = 0 if grid_mode else 1
    scales = [
        (n - less) / (m - less) if m != less else 1.0
        for n, m in zip(x.shape, shape, strict=True)
    ]
    return image.along_axes([0.0] * x.ndim, scales, bool(grid_mode))


@replayed
def rotate(
    input,
    angle,
    axes=(1, 0),
    reshape=True,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    """An image turned in the plane of two axes, by splines.

    Parameters
    ----------
    input : cupric.ndarray
    angle : float
        In degrees.
    axes : tuple of two ints, optional
    reshape : bool, optional
        The result is as large as the turned image; else as the image was.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default.
    order, mode, cval, prefilter : optional
        As of `map_coordinates`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import rotate
    >>> rotate(cp.arange(6).reshape(2, 3), 90, order=1)
    array([[2, 5],
           [1, 4],
           [0, 3]])
    """
    x = arguments.array(input)
    first, second = _plane(axes, x.ndim)
    c, s = _turn(float(angle))
    matrix = np.array([[c, s], [-s, c]])
    plane = np.array([x.shape[first], x.shape[second]])
    made = plane
    if reshape:
        corners = matrix @ [[0, 0, plane[0], plane[0]], [0, plane[1], 0, plane[1]]]
        made = (np.ptp(corners, axis=1) + 0.5).astype(int)
    offset = (plane - 1) / 2 - matrix @ ((made - 1) / 2)
    shape = list(x.shape)
    shape[first], shape[second] = made.tolist()
    if second == first + 1:
        image = _Image(x, output, shape, order, mode, cval, prefilter)
        return image.at_points((first, second), _AFFINE, _numbers(matrix, offset))
    # side by side, then back
    target = Output(output, x, shape, is_complex=x.dtype.kind == "c")
    shape.insert(first + 1, shape.pop(second))
    image = _Image(
        cp.moveaxis(x, second, first + 1),
        target.dtype,
        shape,
        order,
        mode,
        cval,
        prefilter,
    )
    y = image.at_points((first, first + 1), _AFFINE, _numbers(matrix, offset))
    return target.result(cp.moveaxis(y, first + 1, second))


def _plane(axes, ndim):
    """The two axes of a plane, in order."""
    if ndim < 2:
        raise ValueError(f"input array should be at least 2D, it has {ndim} axes")
    axes = list(axes)
    if len(axes) != 2:
        raise ValueError(f"axes should contain exactly two values, not {axes}")
    if not all(float(axis).is_integer() for axis in axes):
        raise ValueError(f"axes should contain only integer values, not {axes}")
    axes = [int(axis) + (ndim if axis < 0 else 0) for axis in axes]
    if not all(0 <= axis < ndim for axis in axes) or axes[0] == axes[1]:
        raise ValueError(
            f"invalid rotation plane specified: axes {axes} of an array of {ndim} axes"
        )
    return sorted(axes)


def _turn(degrees):
    """The cosine and sine of an angle, exact at multiples of 90 degrees."""
    rest = math.fmod(abs(degrees), 360)
    quarters = math.floor((rest + 45) / 90)
    rest = math.radians(rest - 90 * quarters)
    c, s = math.cos(rest), math.sin(rest)
    c, s = ((c, s), (-s, c), (-c, -s), (s, -c))[quarters % 4]
    return c, math.copysign(1.0, degrees) * s
