"""Values on straight lines through points: one launch, with a period five."""

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed

__all__ = ["on_circle", "on_lines"]

# Products and sums are rounded one by one.
_library = Library(__file__, options=("-fmad=false",))


def _example(xp):
    x, places = xp.linspace(-1, 5, 7), xp.arange(5.0)
    given = [(t, places.astype(t)) for t in "fild"]
    return [
        *(xp.interp(x.astype(t), p, p * p) for t, p in given),
        xp.interp(x[::2], places, places.astype("D"), left=0, right=1),
    ]


_lines = _library.kernel(
    "interpolate_lines<T, F, R>",
    elements="p.pieces",
    ships="ffd iid lld ddd dDD",
    example=_example,
)


@replayed
def on_lines(x, xp, fp, left, right):
    """Values at `x` on the lines through the points (xp, fp), in C order. `left` and
    `right` are numbers or None."""
    alike = x.dtype == xp.dtype == fp.dtype and x.dtype.char in "fil"
    given = x.dtype if alike else np.dtype(np.float64)
    made = np.dtype(np.complex128 if fp.dtype.kind == "c" else np.float64)
    x, xp = (a.astype(given, copy=False) for a in (x, xp))
    if fp.dtype != given:
        fp = fp.astype(made, copy=False)
    out = _core.empty(x.shape, made)
    struct = _library.struct
    ends = struct.lines_ends[made](
        left=made.type(0 if left is None else left),
        right=made.type(0 if right is None else right),
        has_left=left is not None,
        has_right=right is not None,
    )
    pieces = x.size
    if _library.on_host(out):
        pieces = -(-x.size // _library.enum.TOGETHER)
    p = struct.lines_sizes(pieces=pieces, n=x.size, m=xp.size)
    _lines[given, fp.dtype, made](x=x.reshape(-1), xp=xp, fp=fp, out=out, e=ends, p=p)
    return out


def _wrapped_example(xp):
    x, places = xp.linspace(-1, 5, 7), xp.arange(5.0)
    return [xp.interp(x, places, (places * places).astype(t), period=3) for t in "fdD"]


_wrap_points = _library.kernel(
    "wrap_points<F, R>", elements="n", ships="fd dd DD", example=_wrapped_example
)


@replayed
def on_circle(x, xp, order, fp, period):
    """Values at `x` on the lines through the points (xp, fp) and those a period before
    and behind; `order` sorts xp."""
    made = np.dtype(np.complex128 if fp.dtype.kind == "c" else np.float64)
    if fp.dtype != np.float32:
        fp = fp.astype(made, copy=False)
    n = xp.size + 2
    places, values = _core.empty(n, np.float64), _core.empty(n, made)
    _wrap_points[fp.dtype, made](
        xp=xp, order=order, fp=fp, places=places, values=values, n=n, period=period
    )
    return on_lines(x, places, values, None, None)
