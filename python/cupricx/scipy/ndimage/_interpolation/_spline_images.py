"""Images between whose samples B-splines interpolate."""

import math

import numpy as np

import cupric as cp
from cupric._lib import Library, Output, arguments, contiguous
from cupricx.scipy.ndimage._interpolation._splines import (
    as_real,
    boundary_mode,
    computed_in,
    filter_axis,
    library,
    rows_about,
    spline_order,
)

__all__ = [
    "AFFINE",
    "DOUBLES",
    "SINGLES",
    "SplineImage",
]


AFFINE, SINGLES, DOUBLES, _ZOOM, _GRID_ZOOM = range(5)  # as in _interpolation.cuh
_EACH, _THREADS = 4, 256  # of a thread, of a block; as there
_MOST_NARROW = 2**31 - 1  # elements of an image whose indices are of 32 bits
_MOST_EXACT = 2**21  # length whose coordinates are found by float sums; _linear.cuh
_AT_ONCE, _WARP, _LINES = 4, 32, 128  # as there


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


def _example_linear(xp):
    from cupricx.scipy import ndimage

    x = (xp.arange(5 * 30 * 40) % 17).reshape(5, 30, 40)
    at = (xp.arange(3 * 300).reshape(3, 300) / 7).astype("f4")
    return [
        ndimage.map_coordinates(x.astype("f4"), at, order=1),
        ndimage.map_coordinates(x[0].astype("f8"), at[:2], order=1, cval=3),
        ndimage.zoom(x.astype("f8"), (1, 2, 0.5), order=1),
        ndimage.zoom(x[0].astype("f4"), 1.5, order=1, mode="nearest"),
    ]


_interpolate = library.kernel(
    "interpolate<X, W, Y, I, N, ORDER>",
    ships=" ".join(
        f"{types}{ndim}{order}"
        for types, orders in (("fffi", "135"), ("dddi", "135"), ("BdBi", "1"))
        for ndim in "123"
        for order in orders
    ),
    example=_example_points,
)
linear = Library(__file__, "_linear.cuh")
_linear_at = linear.kernel(
    "linear_at<X, N>", ships="f2 f3 d2 d3", example=_example_linear
)
_linear_along = linear.kernel(
    "linear_along<X, N>", ships="f2 f3 d2 d3", example=_example_linear
)
_resample = library.kernel("resample<W>", ships="f d", example=_example_axes)
_round = library.elementwise(
    "round_to_integer",
    "float64 x",
    "Y y",
    "y = rounded<Y>::of(x)",
    ships="? b B h H i I l L",
    example=_example_axes,
)


class SplineImage:
    """An image on its way to a result: samples or coefficients, which are contiguous
    numbers of `dtype`; complex ones have a last axis, of two.
    """

    def __init__(self, input, output, shape, order, mode, cval, prefilter):
        x = self.input = arguments.array(input)
        self.order, self.mode = spline_order(order), boundary_mode(mode)
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
        self.dtype = computed_in(x, self.target.dtype)
        self.filters = bool(prefilter) and self.order > 1
        self.pad = self.mode.pad if self.filters else 0
        self.is_trivial = 0 in self.shape or 0 in x.shape

    def trivial(self):
        """The result where input or output has no elements: of no samples the constant
        is all that is known."""
        if 0 not in self.shape and not self.mode.ends_constant:
            raise ValueError(
                f"there is nothing to interpolate: the input's shape is "
                f"{self.input.shape}, the output's {self.shape}; mode='constant' gives "
                "the constant"
            )
        y = self.buffer()
        if self.is_complex:
            y[..., 0], y[..., 1] = self.cval.real, self.cval.imag
        else:
            y[...] = self.cval.real
        return self.result(y)

    def samples(self):
        """The input, contiguous."""
        return as_real(self.input, self.dtype)

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
        return filter_axis(y, axis, self.order, self.mode, self.cval, pads=True)

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
        if self.is_trivial:
            return self.trivial()
        ndim, first = len(axes), axes[0]
        x, pair = self.input, (2,) if self.is_complex else ()
        bytes_only = x.dtype == self.target.dtype == np.uint8 and self.order < 2
        if bytes_only and x.size:
            c, y = contiguous(x), self.target.buffer(x, dtype=np.uint8)
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
        on_host = library.on_host(x)
        if inner == self.order == 1 and types[0] == types[2] and not on_host:
            size = (*n, *fit), (*m, *fit)
            if self._linear(kind, c, y, coordinates, ndim, *size, outer, numbers):
                return self.result(y)
        wide = not on_host and c.size // outer > _MOST_NARROW
        most = self.order // 2 * 2 + 1
        index = np.int64 if wide else np.int32
        instance = _interpolate[(*types, index, ndim, most)]
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

    def _linear(self, kind, x, y, coordinates, ndim, n, m, outer, numbers):
        """Whether there is a kernel of _linear.cuh, which was launched."""
        if x.dtype.char not in "fd" or ndim not in (2, 3):
            return False
        if x.size // outer > _MOST_NARROW:
            return False
        if kind in (_ZOOM, _GRID_ZOOM):
            rows = outer * math.prod(m[: ndim - 1])
            pieces = -(-rows // _LINES) * -(-m[ndim - 1] // _WARP)
            args = (x, y, rows, *n, *m, *numbers[9:], *numbers[0:9:4])
            args += (kind == _GRID_ZOOM, self.mode.coordinates, self.mode.around)
            args += (self.cval.real,)
            _linear_along[(x.dtype, ndim)].blocks(pieces, _THREADS, args)
            return True
        exact = min(n[:ndim]) >= 2 and max(n) <= _MOST_EXACT
        if kind == SINGLES and self.mode.is_constant and exact:
            pieces = -(-y.size // (_THREADS * _AT_ONCE))
            args = (x, y, coordinates, *n, y.size, self.cval.real)
            _linear_at[(x.dtype, ndim)].blocks(pieces, _THREADS, args)
            return True
        return False

    def along_axes(self, shifts, zooms, grid=False):
        """Values at ``(index + shift) * zoom`` along each axis, one after the other."""
        if self.is_trivial:
            return self.trivial()
        x = self.input
        whole = self.order < 2 and x.dtype == self.target.dtype == np.uint8
        moved = self._moved(shifts, zooms)
        axes = tuple(range(self.ndim))
        if self.order < 2 and len(moved) > 1 and not library.on_host(x):
            # On a GPU one pass over two or three axes takes less than one over each.
            axes = tuple(range(moved[0], moved[-1] + 1))
            whole = True
        if len(axes) <= 3 and (whole or not np.isfinite(self.cval)):
            scales = np.zeros((4, 3), np.float64)
            for d, axis in enumerate(axes):
                scales[d, d], scales[3, d] = zooms[axis], shifts[axis]
            kind = _GRID_ZOOM if grid else _ZOOM
            return self.at_points(axes, kind, tuple(scales.ravel().tolist()))
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
            rows, n, inner = rows_about(y.shape, axis)
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
