"""Values on straight lines through points: one launch, with a period five."""

import numpy as np

from cupric import _core
from cupric._lib._library import Library, view
from cupric._lib._replay import replayed

__all__ = ["on_circle", "on_lines"]

# Products and sums are rounded one by one.
_library = Library(__file__, "_interp.cuh", options=("-fmad=false",))


def _example(xp):
    x, places = xp.linspace(-1, 5, 7), xp.arange(5.0)
    given = [(t, places.astype(t)) for t in "fild"]
    return [
        *(xp.interp(x.astype(t), p, p * p) for t, p in given),
        xp.interp(x[::2], places, places.astype("D"), left=0, right=1),
    ]


_lines = _library.kernel(
    "interpolate_lines<T, F, R>", ships="ffd iid lld ddd dDD", example=_example
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
    ends = [(v is not None, made.type(0 if v is None else v)) for v in (left, right)]
    pieces = -(-x.size // 8) if _library.on_host(out) else x.size  # W there
    args = (view(x.reshape(-1)), view(xp), view(fp), out, pieces, x.size, xp.size)
    _lines[given, fp.dtype, made].elements(pieces, (*args, *ends[0], *ends[1]))
    return out


def _wrapped_example(xp):
    x, places = xp.linspace(-1, 5, 7), xp.arange(5.0)
    return [xp.interp(x, places, (places * places).astype(t), period=3) for t in "fdD"]


_wrap_points = _library.kernel(
    "wrap_points<F, R>", ships="fd dd DD", example=_wrapped_example
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
    args = (view(xp), order, view(fp), places, values, n, period)
    _wrap_points[fp.dtype, made].elements(n, args)
    return on_lines(x, places, values, None, None)
