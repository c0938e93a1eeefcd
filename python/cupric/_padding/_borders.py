"""Borders of which each element is one of the array's, or one value: one launch."""

import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import PACK, Library
from cupric._lib.kernels._replay import replayed

__all__ = ["bordered", "holds", "takes"]

_library = Library(__file__)

MODES = ("constant", "edge", "wrap", "symmetric", "reflect")
_BYTES = {1: "B", 2: "H", 4: "I", 8: "L", 16: "D"}  # what elements are moved as
_NDIM = _library.enum.NDIM
_RUN = 1 << 16  # elements for a thread of the host
_FEW = 32  # elements of a short row
_SHORT = 1 << 30  # what the kernel's 32-bit places and distances stay below


def _example(xp):
    x = xp.arange(12).reshape(3, 4)
    made = [xp.pad(x.astype(t), ((1, 2), (0, 3))) for t in "?hfdD"]
    made += [xp.pad(x[:, ::2].T, ((9, 8), (0, 1)), mode=m) for m in MODES]
    made += [xp.pad(x.reshape(3, 2, 2), ((1, 2), (2, 1), (0, 0)), m) for m in MODES]
    return [*made, xp.pad(x.reshape(1, 2, 3, 2), 1, "reflect"), xp.pad(x.T, 1, "edge")]


_bordered = _library.kernel(
    "bordered<T>", elements="p.pieces", ships="B H I L D", example=_example
)


def takes(x):
    """Whether `bordered` takes an array."""
    return x.dtype.kind in "biufc" and 0 < x.ndim <= _NDIM and x.size > 0


def holds(dtype, value):
    """Whether numbers of a dtype take one of Python's as it is."""
    if type(value) is int and dtype.kind in "iu":
        signed = dtype.kind == "i"
        most = 1 << (8 * dtype.itemsize - signed)
        return -most * signed <= value < most
    if type(value) is int:
        return abs(value) < 2**15
    return dtype.kind in ("fc" if type(value) is float else "c")


def bordered(x, width, mode, value=0):
    """`x` between borders: of elements of `x`, or of a value of its dtype."""
    if x.flags.fnc:
        return _between(x.T, width[::-1], mode, value).T
    if mode == "constant" and _has_short_rows(x, width) and _library.on_host(x):
        return _filled_around(x, width, value)
    return _between(x, width, mode, value)


def _has_short_rows(x, width):
    """Whether rows cost the host more than what is in them."""
    most = _FEW - sum(width[-1])
    return x.ndim > 1 and x.size > _FEW**2 and _FEW > most >= x.shape[-1]


def _filled_around(x, width, value):
    """As `_between` for a value: elements are written twice, but no row by itself."""
    shape = [n + b + a for n, (b, a) in zip(x.shape, width, strict=True)]
    out = _core.empty(shape, x.dtype)
    out.fill(value)
    inside = [slice(b, b + n) for n, (b, _) in zip(x.shape, width, strict=True)]
    out[tuple(inside)] = x
    return out


def _grouped(x, width):
    """`x` without its last axes that lie densely and get no border, `width` likewise,
    and how many elements stand for one then."""
    each = 1
    while x.ndim > 1 and tuple(width[-1]) == (0, 0):
        if x.strides[-1] != each * x.itemsize:
            break
        each *= x.shape[-1]
        x, width = x[..., 0], width[:-1]
    return x, width, each


@replayed
def _between(x, width, mode, value):
    shape = [n + b + a for n, (b, a) in zip(x.shape, width, strict=True)]
    out = _core.empty(shape, x.dtype)
    run, (part, parts_width, each) = _RUN, _grouped(x, width)
    on_host = _library.on_host(out)
    if on_host:
        x, width, run = part, parts_width, max(_RUN // each, 1)
    elif mode == "constant" and each > 1 and part.strides[-1] == each * x.itemsize:
        x = x.reshape(*part.shape[:-1], -1)  # of which all is at the same distance
        width = [*parts_width[:-1], tuple([each * n for n in parts_width[-1]])]
    shape = [n + b + a for n, (b, a) in zip(x.shape, width, strict=True)]
    lengths = [*(1,) * (_NDIM - x.ndim), *shape]
    before = [*(0,) * (_NDIM - x.ndim), *(b for b, _ in width)]
    if on_host:
        # As the kernel divides it: parts of a row, or whole rows of one plane.
        *planes, m2, m3 = lengths
        rows = max(run // m3, 1)
        pieces = math.prod(planes) * -(-m2 // rows) * -(-m3 // run)
    else:
        pieces = -(-out.size // (4 if x.itemsize < 8 else PACK // x.itemsize))
    spans = [(n - 1) * abs(s) for n, s in zip(x.shape, x.strides, strict=True)]
    is_short = max(out.size, sum(spans)) < _SHORT
    moved = _BYTES[x.dtype.itemsize]
    with np.errstate(over="ignore"):
        bits = np.array([value], x.dtype).view(moved)[0]
    p = _library.struct.border_sizes(
        pieces=pieces,
        run=run,
        each=each,
        m=lengths,
        b=before,
        mode=getattr(_library.enum, mode.upper()),
        is_short=is_short,
    )
    _bordered[moved](x=x[(None,) * (_NDIM - x.ndim)], out=out, value=bits, p=p)
    return out
