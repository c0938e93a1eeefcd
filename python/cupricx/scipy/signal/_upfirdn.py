"""FIR filters between two sampling rates."""

import functools
import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import direct
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.signal._rows import along, rows_of

__all__ = ["MODES", "filtered_rows", "upfirdn"]

_library = Library(__file__)

MODES = {
    name: getattr(_library.enum, f"UPFIRDN_{name.upper()}")
    for name in (
        "constant",
        "symmetric",
        "reflect",
        "edge",
        "wrap",
        "smooth",
        "line",
        "antisymmetric",
        "antireflect",
    )
}
# On the host: outputs of a piece, and coefficients of phases that columns are for.
_HOST_OUTPUTS = 4096
_FEW_TAPS = 64


def _example(xp):
    made = []
    x = xp.cos(xp.arange(4000.0) ** 2)
    for dtype in "fdFD":
        h = np.hamming(41).astype(dtype.lower())
        made.append(upfirdn(h, x.astype(dtype), 3, 2))
        made.append(upfirdn(h, x.reshape(40, 100).astype(dtype), 1, 4, mode="edge"))
    return made


_rows = _library.kernel(
    "upfirdn_rows<T, H>",
    blocks="pieces",
    threads="UPFIRDN_THREADS",
    ships="ff dd Ff Dd",
    example=_example,
)
_phases = _library.kernel(
    "upfirdn_phases<H>", elements="pieces", ships="f d", example=_example
)


@replayed
def upfirdn(h, x, up=1, down=1, axis=-1, mode="constant", cval=0):
    """Upsample, apply a FIR filter, and downsample.

    Parameters
    ----------
    h : array_like, shape (m,)
        Coefficients of the filter; NumPy's arrays, too.
    x : array_like
        Input.
    up, down : int, optional
        The output has ``up / down`` times the sampling rate of the input. Products with
        the zeros that upsampling puts between elements, and outputs that downsampling
        drops, are not computed.
    axis : int, optional
    mode : str, optional
        What the signal is beyond its ends: 'constant' (`cval`), 'symmetric' (``d c b a
        | a b c d | d c b a``), 'reflect' (``d c b | a b c d | c b a``), 'edge' (the
        first and the last element), 'wrap', 'smooth' (lines through the two elements
        at each end), 'line' (the line through the first and the last element),
        'antisymmetric' (as 'symmetric', every second copy negative) and 'antireflect'
        (as 'reflect', mirrored through the points at the ends).
    cval : float, optional

    Returns
    -------
    cupric.ndarray
        Of ``((n - 1) * up + m - 1) // down + 1`` elements along `axis`. float32 or
        complex64 where `h` and `x` are of single precision or below, else float64 or
        complex128.

    Raises
    ------
    ValueError
        `h` has not one axis, or no element; `up` or `down` is less than 1; `mode` is
        another word.

    References
    ----------
    Parishwad P. Vaidyanathan, "Multirate Systems and Filter Banks", Prentice Hall,
    1993.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import upfirdn
    >>> upfirdn([1.0, 1], cp.array([1.0, 2, 3]), up=2)
    array([1., 1., 2., 2., 3., 3.])
    >>> upfirdn([1.0], cp.arange(6.0), down=2)
    array([0., 2., 4.])
    """
    x = arguments.array(x, "x")
    if not isinstance(h, _core.ndarray):
        h = np.asarray(h)
    if h.ndim != 1 or h.size == 0:
        raise ValueError(
            f"h must be 1-D with non-zero length, and is of shape {h.shape}"
        )
    up, down = int(up), int(down)
    if up < 1 or down < 1:
        raise ValueError(f"Both up and down must be >= 1, not {up} and {down}")
    number = mode_number(mode)
    axis = arguments.axis(axis, x.ndim)
    n = x.shape[axis]
    outputs = max(((n - 1) * up + h.size - 1) // down + 1, 0)
    dtype = _core.result_type(h.dtype, x.dtype, np.float32)
    fill = _number(cval) if mode.lower() == "constant" else 0.0
    rows = rows_of(x, axis, dtype)
    y = filtered_rows(h, rows, up, down, outputs, 0, number, fill)
    return along(y, axis)


def mode_number(mode):
    """The number of a mode of `upfirdn`, or ValueError."""
    number = MODES.get(mode.lower())
    if number is None:
        raise ValueError(f"Unknown mode: {mode}; it must be one of {', '.join(MODES)}")
    return number


def _number(value):
    if isinstance(value, _core.ndarray):
        value = value.item()
    return float(value)


def filtered_rows(h, x, up, down, outputs, start=0, mode=0, fill=0.0, background=None):
    """Outputs at ``start + m * down`` of the filter along contiguous rows.

    Parameters
    ----------
    h : ndarray, shape (m,)
        Of the host or of the device of `x`.
    x : cupric.ndarray, shape (..., n)
        Contiguous, of a dtype that is computed in.
    up, down, outputs, start : int
    mode : int, optional
        `mode_number`.
    fill : float, optional
    background : cupric.ndarray, shape (..., 1), optional
        Of each row, contiguous: taken off before, added afterwards.

    Returns
    -------
    cupric.ndarray, shape (..., outputs)
    """
    shape, n = (*x.shape[:-1], outputs), x.shape[-1]
    rows = math.prod(shape[:-1])
    if not rows or not outputs or not n:
        return _core.zeros(shape, x.dtype, device=x.device)
    real = np.dtype(x.dtype.char.lower())
    c = arguments.small(h, x, x.dtype if h.dtype.kind == "c" else real)
    is_plain = mode == _library.enum.UPFIRDN_CONSTANT and not fill
    if up == down == 1 and start == 0 and is_plain and background is None:
        return _convolved(c, x, outputs)
    host, taps = _library.on_host(x), c.size
    y = _core.empty(shape, x.dtype, device=x.device)
    if host:
        c, taps = _in_phases(c, up)
    sizes = x.dtype.itemsize, c.dtype.itemsize
    plan = _host_plan if host else _plan
    s, tiles, memory = plan(n, taps, up, down, outputs, start, mode, fill, sizes)
    _rows[x.dtype, c.dtype](
        x=x,
        h=c,
        y=y,
        background=background,
        s=s,
        pieces=rows * tiles,
        shared_mem=memory,
    )
    return y


def _in_phases(c, up):
    """The coefficients as the host's kernel takes them, and how many a phase has."""
    taps = -(-c.size // up)
    phases = _core.empty((up, taps), c.dtype, device=c.device)
    _phases[c.dtype](h=c, c=phases, taps=c.size, up=up, each=taps, pieces=phases.size)
    return phases, taps


@functools.lru_cache(maxsize=256)
def _host_plan(n, taps, up, down, outputs, start, mode, fill, sizes):
    """Pieces of the host: of columns where phases are short, and each has many outputs
    for which there is room."""
    enum = _library.enum
    lanes, reach = enum.UPFIRDN_LANES, (taps + down) // down + 1
    many = (enum.UPFIRDN_ROOM // down - reach) // lanes * lanes
    many = min(many, -(-outputs // (up * lanes)) * lanes)  # as short rows have
    tile, span = _HOST_OUTPUTS, 0
    if taps <= _FEW_TAPS and many >= lanes:
        tile, span = many * up, many + reach
    return _sizes(n, taps, up, down, outputs, start, mode, fill, tile, span=span)


@functools.lru_cache(maxsize=256)
def _plan(n, taps, up, down, outputs, start, mode, fill, sizes):
    """A GPU's tiles: as many outputs as elements and coefficients have room for."""
    enum = _library.enum
    room, element, coefficient = enum.UPFIRDN_BYTES, *sizes
    staged = 2 * taps * coefficient <= room
    if staged:
        room -= taps * coefficient
    tile, reach = enum.UPFIRDN_OUTPUTS, (taps - 1) // up + 2
    while tile > 64:
        span = (tile - 1) * down // up + reach
        words = span + span // enum.UPFIRDN_BANKS + 1
        # What no two outputs share need not be in shared memory.
        if words * element <= room and down < taps and up < 1 << 16:
            break
        tile //= 2
    else:
        tile, span, words = enum.UPFIRDN_THREADS, 0, 1
    return _sizes(
        n,
        taps,
        up,
        down,
        outputs,
        start,
        mode,
        fill,
        tile,
        span=span,
        staged=staged,
        skewed=bool(span) and up == 1 and down % 2 == 0,
        memory=words * element + staged * taps * coefficient,
    )


def _sizes(
    n,
    taps,
    up,
    down,
    outputs,
    start,
    mode,
    fill,
    tile,
    span=0,
    staged=False,
    skewed=False,
    memory=0,
):
    tiles = -(-outputs // tile)
    s = _library.struct.upfirdn_sizes(
        n=n,
        outputs=outputs,
        start=start,
        up=up,
        down=down,
        tiles=tiles,
        tile=tile,
        span=span,
        taps=taps,
        staged=staged,
        skewed=skewed,
        mode=mode,
        fill=fill,
    )
    return s, tiles, memory


def _convolved(c, x, outputs):
    """A filter at one rate, by the convolution of the core."""
    c = c.astype(x.dtype, copy=False).reshape((1,) * (x.ndim - 1) + (c.size,))
    full = direct(x, c, "full", boundary="none" if x.ndim == 1 else "fill")
    return (
        full
        if full.shape[-1] == outputs
        else _core.ascontiguousarray(full[..., :outputs])
    )
