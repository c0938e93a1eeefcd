"""Coefficients of B-splines."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.ndimage._interpolation._spline_modes import boundary_mode

__all__ = [
    "as_real",
    "computed_in",
    "filter_axis",
    "rows_about",
    "spline_filter",
    "spline_filter1d",
    "spline_order",
]

_library = Library(__file__)


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
    return warm, gain, (z1, z2)


_FACTS = {order: _facts(order) for order in (2, 3, 4, 5)}


def spline_order(order, least=0):
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
    "spline_coefficients<W>", blocks=True, ships="f d", example=_example_filter
)


def computed_in(x, dtype):
    """float32 or float64: what to compute in, of `x` for a result of `dtype`."""
    single = x.dtype.char in "efF" and np.dtype(dtype).char in "efF"
    return np.dtype("f" if single else "d")


def as_real(x, dtype):
    """An array as contiguous numbers of a dtype; complex ones as a last axis of two."""
    if x.dtype.kind == "c":
        x = x.astype(np.result_type(dtype, np.complex64), copy=False)
        return contiguous(x)[..., None].view(dtype)
    return contiguous(x.astype(dtype, copy=False))


def rows_about(shape, axis):
    """A shape as (rows, n, inner)."""
    return math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])


def filter_axis(x, axis, order, mode, fill=0.0, *, pads=False):
    """Coefficients along an axis of contiguous float32 or float64: in new memory."""
    rows, n, inner = rows_about(x.shape, axis)
    pad = mode.pad if pads else 0
    shape = (*x.shape[:axis], n + 2 * pad, *x.shape[axis + 1 :])
    y = _core.empty(shape, x.dtype)
    warm, gain, poles = _FACTS[order]
    fill = complex(fill)
    a = _library.struct.spline_axis(
        rows=rows,
        n=n,
        inner=inner,
        pad=pad,
        fill=(fill.real, fill.imag),
        gain=gain,
        poles=poles,
        mode=mode.filtered,
        outside=mode.around,
        warm=warm[x.dtype.char],
    )
    threads = _library.enum.FLOAT_THREADS // (x.dtype.itemsize // 4)
    _coefficients[x.dtype](x=x, y=y, a=a, work=max(y.size >> 12, 1), threads=threads)
    return y


def _filter_axes(input, axes, order, mode, output):
    """Coefficients along axes, each result in the dtype of the last."""
    x = arguments.array(input)
    mode = boundary_mode(mode)
    target = Output(output, x, is_complex=x.dtype.kind == "c")
    if not x.size or not axes:
        return target.result(x.astype(target.dtype))
    dtype = computed_in(x, target.dtype)
    first = y = as_real(x, dtype)
    for axis in axes:
        if x.shape[axis] > 1:
            y = filter_axis(y, axis, order, mode)
        if target.dtype.kind in "biu" and axis != axes[-1]:
            y = _as_c_casts(y, target.dtype).astype(dtype)
    if y is first:  # which may be x
        y = y.copy()
    if x.dtype.kind == "c":
        y = y.view(np.result_type(dtype, np.complex64))[..., 0]
    return target.result(y)


def _as_c_casts(y, dtype):
    return (_core.trunc(y) if dtype.kind == "b" else y).astype(dtype)


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
    order = spline_order(order)
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
    order = spline_order(order, 2)
    x = arguments.array(input)
    return _filter_axes(x, tuple(range(x.ndim)), order, mode, output)
