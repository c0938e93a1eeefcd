"""Filters as cascaded sections of order 2: scans over their states, in one launch."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.algorithms import plan_scan
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.signal._design._on_host import on_host
from cupricx.scipy.signal._iir import (
    Checked,
    common_dtype,
    make_coefficients,
    places,
)
from cupricx.scipy.signal._rows import along, rows_of, shape_along

__all__ = [
    "check_steady_sections",
    "prepare_sections",
    "run_sections",
    "sections",
    "sosfilt",
    "sosfilt_zi",
]

_library = Library(__file__)

# Rows of a tile of the host, which are the lanes of a vector.
_HOST_ROWS = 4


def _example(xp):
    made = []
    for dtype in "fdFD":
        x = xp.asarray(np.cos(np.arange(6000.0) ** 2).astype(dtype))
        for sections in (1, 2, 5):
            sos = np.tile([0.5, 0.25, 0.125, 1, -0.75, 0.25], (sections, 1))
            sos = xp.asarray(sos.astype(dtype))
            made.append(sosfilt(sos, x))
            made.append(sosfilt(sos, x.reshape(60, 100), axis=0))
            zi = xp.ones((sections, 1, 2), dtype)
            made += sosfilt(sos, x.reshape(60, 100)[:1], zi=zi)
    return made


_rows = _library.kernel(
    "sos_rows<T, W>",
    blocks="s.tiles",
    threads="SCAN_THREADS",
    ships="fd dd FD DD",
    example=_example,
)


def sosfilt(sos, x, axis=-1, zi=None):
    """Filter data along an axis with cascaded second-order sections.

    Parameters
    ----------
    sos : array_like, shape (n_sections, 6)
        The coefficients ``b0 b1 b2 1 a1 a2`` of each section, any number of them.
        NumPy's arrays, too: for these no call waits.
    x : array_like
        Input. The dtype in which `sos`, `x` and `zi` agree is that of the result:
        float16, float32, float64, complex64 or complex128. Sums are float64 in any
        case, also between sections.
    axis : int, optional
    zi : array_like, optional
        The states of the sections' delays before the first element: of the shape of
        `x`, with 2 along `axis`, and an axis of `n_sections` before the others.

    Returns
    -------
    y : cupric.ndarray
        Of the shape of `x`.
    zf : cupric.ndarray
        The states after the last element, of the shape of `zi`; where that was passed.

    Raises
    ------
    ValueError
        `sos` is not of shape ``(n_sections, 6)``, or a denominator does not begin with
        one; `x` has no axis, or `axis` is out of bounds; `zi` has another shape.
    NotImplementedError
        Dtypes that agree in integers.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import sosfilt
    >>> sos = [[1.0, 0, 0, 1, -0.5, 0], [2.0, 0, 0, 1, 0, 0]]
    >>> sosfilt(sos, cp.array([1.0, 0, 0, 0]))
    array([2.  , 1.  , 0.5 , 0.25])
    """
    x = arguments.array(x, "x")
    if x.ndim == 0:
        raise ValueError("x must be at least 1-D, not a number")
    sos = sections(sos)
    inputs = [sos, x]
    if zi is not None:
        zi = arguments.array(zi, "zi")
        inputs.append(zi)
    dtype = common_dtype("sosfilt", "sos, x and zi", inputs)
    axis = arguments.axis(axis, x.ndim)
    if zi is None:
        return _filtered(sos, x, axis, dtype)
    expected = (len(sos), *shape_along(x.shape, axis, 2))
    if zi.shape != expected:
        raise ValueError(
            f"Invalid zi shape. With axis={axis}, an input with shape {x.shape}, and "
            f"an sos array with {len(sos)} sections, zi must have shape {expected}, "
            f"got {zi.shape}."
        )
    zf = _core.empty(expected, dtype, device=x.device)
    return _filtered(sos, x, axis, dtype, zi, zf), zf


@on_host
def sosfilt_zi(sos):
    """Initial states of `sosfilt` for the steady state of a step.

    Parameters
    ----------
    sos : array_like, shape (n_sections, 6)

    Returns
    -------
    zi : cupric.ndarray, shape (n_sections, 2)
        Scaled by the first element of a signal, they are those of a filter that has
        been fed with it for ever.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import sosfilt, sosfilt_zi
    >>> sos = cp.array([[1.0, 1, 0, 1, -0.5, 0]])
    >>> zi = sosfilt_zi(sos)
    >>> zi
    array([[3., 0.]])
    >>> sosfilt(sos, cp.ones(3), zi=zi)[0]
    array([4., 4., 4.])
    """
    sos = np.asarray(sos)
    check_sections.check(sos)
    check_steady_sections.check(sos)
    if sos.dtype.kind in "biu":
        sos = sos.astype(float)
    b, a = sos[:, :3], sos[:, 3:]
    gain = b.sum(axis=1) / a.sum(axis=1)
    terms = b - a * gain[:, None]
    before = np.cumprod(np.concatenate([np.ones(1, sos.dtype), gain[:-1]]))
    zi = np.stack([terms[:, 1] + terms[:, 2], terms[:, 2]], axis=1)
    return zi * before[: len(sos), None]


# ---- arguments -----------------------------------------------------------------------


def sections(sos):
    """Sections, of the device or of the host."""
    if not isinstance(sos, _core.ndarray):
        sos = np.atleast_2d(np.asarray(sos))
    elif sos.ndim == 1:
        sos = sos.reshape(1, -1)
    check_sections(sos)
    return sos


def _check_shape(sos):
    if sos.ndim != 2 or sos.shape[1] != 6 or len(sos) == 0:
        raise ValueError(
            f"sos array must be shape (n_sections, 6), with a section at least, not "
            f"{sos.shape}"
        )


@Checked
def check_sections(sos):
    """ValueError where coefficients are not those of sections."""
    _check_shape(sos)
    if not (sos[:, 3] == 1).all():
        raise ValueError("sos[:, 3] should be all ones")


@Checked
def check_steady_sections(sos):
    """LinAlgError where a step makes a section grow, or swing, for ever."""
    if (sos[:, 3:].sum(axis=1) == 0).any():
        raise np.linalg.LinAlgError(
            "Singular matrix: the coefficients of a denominator add up to zero, and a "
            f"step has no steady state (sos has shape {sos.shape})"
        )


# ---- filters -------------------------------------------------------------------------


@replayed
def _filtered(sos, x, axis, dtype, zi=None, zf=None):
    """The result; `zf` becomes the states at the end."""
    held = np.promote_types(dtype, np.float32)
    sos = arguments.small(sos, x, held)
    rows = rows_of(x, axis, held)
    y = _core.empty(rows.shape, held)
    if zi is not None:
        zi = rows_of(zi, axis + 1, held)
    if x.size == 0:
        if zf is not None and zf.size:
            zf[...] = zi.swapaxes(axis + 1, -1)
        return along(y.astype(dtype, copy=False), axis)
    ends = zf
    if zf is not None and (axis != x.ndim - 1 or held != dtype):
        ends = _core.empty(zi.shape, held)
    run_sections(sos, rows, y, zi, ends)
    if ends is not zf:
        zf[...] = ends.swapaxes(axis + 1, -1)
    return along(y.astype(dtype, copy=False), axis)


def run_sections(
    sos,
    x,
    y,
    zi=None,
    zf=None,
    *,
    backward=False,
    steady=False,
    cut=0,
    prepared=None,
):
    """y = the sections of rows x, as of `_iir.run`; states are (sections, ..., 2)."""
    n, rows = x.shape[-1], math.prod(x.shape[:-1])
    wide = np.promote_types(x.dtype, np.float64)
    c, length = prepared or prepare_sections(sos, n)
    at = _library.struct.iir_signal(
        **places(n, cut, backward), order=len(sos), is_steady=steady, c_step=length
    )
    s, workspace = _plan(x, rows, n, len(sos), wide)
    _rows[x.dtype, wide](x=x, y=y, zi=zi, zf=zf, c=c, at=at, s=s, workspace=workspace)


def prepare_sections(sos, n):
    """What kernels read of sections that run several times along rows of n elements."""
    flat, wide = sos.reshape(-1), np.promote_types(sos.dtype, np.float64)
    return make_coefficients(flat[:3], flat[3:6], 2, n, wide, len(sos), 6)


def _plan(x, rows, n, count, wide):
    """Tiles of rows, and memory for the states that those of all sections publish."""
    if _library.on_host(x):
        s = _library.struct.scan_layout(
            rows=rows,
            n=n,
            length=n,
            together=_HOST_ROWS,
            per_row=1,
            tiles=-(-rows // _HOST_ROWS),
            nodes=0,
            states=0,
            pieces=1,
        )
        return s, _core.empty(rows * count * 2 * wide.itemsize // 4, np.uint32)
    state = 8 + 2 * wide.itemsize
    if wide.kind == "c":
        state = 16 + 2 * wide.itemsize
    return plan_scan(_library, x, rows, n, state, scans=count)
