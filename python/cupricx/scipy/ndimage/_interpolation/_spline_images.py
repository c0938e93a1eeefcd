"""Images between whose samples B-splines interpolate."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous
from cupricx.scipy.ndimage._interpolation._linear import linear_values
from cupricx.scipy.ndimage._interpolation._points import (
    on_host,
    points_along_axes,
    values_at,
)
from cupricx.scipy.ndimage._interpolation._resample import resample_axis, round_to
from cupricx.scipy.ndimage._interpolation._spline_modes import boundary_mode
from cupricx.scipy.ndimage._interpolation._splines import (
    as_real,
    computed_in,
    filter_axis,
    spline_order,
)

__all__ = ["SplineImage"]


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
            y = round_to(y, dtype)
        return self.target.result(y)

    def at_points(self, axes, points):
        """Values at points of `axes`, which lie side by side."""
        if self.is_trivial:
            return self.trivial()
        ndim, first = len(axes), axes[0]
        x, pair = self.input, (2,) if self.is_complex else ()
        bytes_only = x.dtype == self.target.dtype == np.uint8 and self.order < 2
        if bytes_only:
            c, y = contiguous(x), self.target.buffer(x, dtype=np.uint8)
        else:
            c, y = self.coefficients(axes), self.buffer()
        n = c.shape[first : first + ndim]
        m = self.shape[first : first + ndim]
        if points.is_listed:
            m = (1,) * (ndim - 1) + (math.prod(self.shape),)
        outer = math.prod(x.shape[:first])
        inner = math.prod(x.shape[first + ndim :] + pair)
        is_linear = inner == self.order == 1 and not bytes_only and not on_host(x)
        if not (is_linear and linear_values(self, points, c, y, outer, n, m)):
            values_at(self, points, c, y, outer, n, m, inner)
        return self.result(y)

    def along_axes(self, shifts, zooms, grid=False):
        """Values at ``(index + shift) * zoom`` along each axis, one after the other."""
        if self.is_trivial:
            return self.trivial()
        x = self.input
        whole = self.order < 2 and x.dtype == self.target.dtype == np.uint8
        moved = self._moved(shifts, zooms)
        axes = tuple(range(self.ndim))
        if self.order < 2 and len(moved) > 1 and not on_host(x):
            # On a GPU one pass over two or three axes takes less than one over each.
            axes = tuple(range(moved[0], moved[-1] + 1))
            whole = True
        if len(axes) <= 3 and (whole or not np.isfinite(self.cval)):
            of_axes = [shifts[axis] for axis in axes], [zooms[axis] for axis in axes]
            return self.at_points(axes, points_along_axes(*of_axes, grid))
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
            if number == len(steps) - 1:
                made = self.buffer()
            else:
                m = self.shape[axis]
                shape = (*y.shape[:axis], m, *y.shape[axis + 1 :])
                made = _core.empty(shape, y.dtype)
            resample_axis(self, y, made, axis, shifts[axis], zooms[axis], grid)
            y = made
        return y
