"""Arrays whose elements follow from their places: one launch each."""

import functools
import math

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import PACK, Library
from cupric._lib.kernels._replay import replayed

__all__ = [
    "coordinates",
    "evenly_spaced",
    "grids",
    "ones_below",
    "powers",
    "powers_of",
    "triangle",
    "triangle_places",
]

# Each product and sum is rounded, as on the host.
_library = Library(__file__, options=("-fmad=false",))


def _spaced(xp):
    made = [xp.linspace(0, 4, 7, dtype=t) for t in _SPACED]
    return [*made, xp.linspace(0, 5e-324, 3)]


def _spaced_in_powers(xp):
    made = [xp.logspace(0, 2, 5, base=3, dtype=t) for t in _SPACED]
    return [*made, xp.geomspace(-1, -256, 9), xp.geomspace(1, 8, 3, endpoint=False)]


def _triangles_of(xp):
    a = xp.arange(12.0).reshape(3, 4)
    made = [f(a.astype(t), 1) for f in (xp.tril, xp.triu) for t in "?hfdD"]
    return [*made, xp.tril(a[:, ::2], -1), xp.triu(xp.ones((2, 3, 3)))]


def _grids_of(xp):
    x, y = xp.arange(3), xp.arange(8.0)[::-2]
    made = [xp.meshgrid(x.astype(t), y.astype(t)) for t in "?hfdD"]
    made += [xp.meshgrid(x, x[:1], x[1:], x, indexing="ij"), xp.meshgrid(x)]
    return [grid for grids in made for grid in grids]


def _matrices_of_powers(xp):
    x = xp.arange(-2, 3)
    return [xp.vander(x.astype(t), 4, increasing=t in "if") for t in _POWERS]


_SPACED, _COUNTED = "efdil", "ilfd"
_POWERS = {"i": "iL", "l": "LL", "f": "fd", "d": "dd", "F": "FD", "D": "DD"}
_linspace = _library.kernel(
    "linspace<T>", elements="n", ships=" ".join(_SPACED), example=_spaced
)
_logspace = _library.kernel(
    "logspace<T>", elements="n", ships=" ".join(_SPACED), example=_spaced_in_powers
)
_ones_below = _library.kernel(
    "ones_below<T>",
    elements="pieces",
    ships="B H I L D",
    example=lambda xp: [xp.tri(3, 4, 1, t) for t in "?hfdD"],
)
_triangles = _library.kernel(
    "triangles<T>", elements=True, ships="B H I L D", example=_triangles_of
)
_triangle_places = _library.kernel(
    "triangle_places",
    elements="pieces",
    ships="_",
    example=lambda xp: [*xp.tril_indices(4, 1, 3), *xp.triu_indices(4, -1)],
)
_coordinates = _library.kernel(
    "coordinates<T>",
    elements="p.pieces",
    ships=" ".join(_COUNTED),
    example=lambda xp: [
        xp.indices((2, 3, 1, 4)[i:], t) for i, t in enumerate(_COUNTED)
    ],
)
_grids = _library.kernel(
    "grids<T>", elements="p.pieces", ships="B H I L D", example=_grids_of
)
_vandermonde = _library.kernel(
    "vandermonde<X, T>",
    elements="n",
    ships=" ".join(_POWERS.values()),
    example=_matrices_of_powers,
)

_TOGETHER, _NDIM = _library.enum.TOGETHER, _library.enum.NDIM
_COPIED_ON_HOST = 1 << 12  # elements of a grid, above which copies are faster there
_BYTES = {1: "B", 2: "H", 4: "I", 8: "L", 16: "D"}  # what elements are moved as


def _rows(out):
    """How many pieces kernels take that have rows on the host, elements on a GPU."""
    return math.prod(out.shape[:-1]) if _library.on_host(out) else out.size


def _steps(start, stop, num, endpoint):
    """(step, factor, divisor, whether `stop` is the last) as the kernels take them."""
    div = num - 1 if endpoint else num
    delta, divisor = stop - start, 0.0
    step = delta / div if div > 0 else math.nan
    factor = step
    if div <= 0:
        factor = delta
    elif step == 0:  # it underflowed: spread by the other order of operations
        factor, divisor = delta, float(div)
    return step, factor, divisor, endpoint and num > 1


def evenly_spaced(start, stop, num, endpoint, dtype):
    """`linspace` between numbers, in float64, and its step."""
    step, factor, divisor, ends = _steps(start, stop, num, endpoint)
    made = dtype if dtype.char in _SPACED else np.dtype(np.float64)
    out = _core.empty(num, made)
    if num:
        _linspace[made](
            out=out,
            n=num,
            start=start,
            stop=stop,
            factor=factor,
            divisor=divisor,
            ends=ends,
            floors=dtype.kind in "iu",
        )
    return out.astype(dtype, copy=False), step


def powers_of(base, start, stop, num, endpoint, dtype, ends=None):
    """`logspace` between exponents, in float64. With `ends`, (sign, first, last), all
    times the sign, and the first and the last, where it belongs, as given."""
    _, factor, divisor, is_end = _steps(start, stop, num, endpoint)
    made = dtype if dtype.char in _SPACED else np.dtype(np.float64)
    out = _core.empty(num, made)
    if num:
        if _library.on_host(out):  # power is in vectors there
            return _powers(base, start, stop, num, endpoint, ends).astype(
                dtype, copy=False
            )
        _logspace[made](
            out=out,
            n=num,
            start=start,
            stop=stop,
            factor=factor,
            divisor=divisor,
            p=_powers_struct(float(base), is_end, ends),
        )
    return out.astype(dtype, copy=False)


@functools.lru_cache(maxsize=64)
def _powers_struct(base, is_end, ends):
    sign, first, last = ends or (1.0, 0.0, 0.0)
    return _library.struct.powers_of(
        base=base,
        sign=sign,
        first=first,
        last=last,
        ends=is_end,
        given=ends is not None,
    )


def _powers(base, start, stop, num, endpoint, ends):
    """What `_logspace` computes, by steps."""
    y, _ = evenly_spaced(start, stop, num, endpoint, np.dtype(np.float64))
    _core.power(base, y, out=y)
    if ends:
        sign, first, last = ends
        y[0] = first
        if endpoint and num > 1:
            y[-1] = last
        if sign != 1:
            _core.multiply(y, sign, out=y)
    return y


@functools.cache
def _one(dtype):
    """1 as kernels of `_BYTES` take it."""
    return np.ones(1, dtype).view(_BYTES[dtype.itemsize])[0]


def ones_below(n, m, k, dtype):
    """`tri`, `k` between -n and m."""
    out = _core.empty((n, m), dtype)
    if out.size:
        kernel = _ones_below[_BYTES[dtype.itemsize]]
        kernel(out=out, pieces=_rows(out), columns=m, k=k, one=_one(dtype))
    return out


@replayed
def triangle(x, k, lower):
    """`tril`, or `triu` of the diagonal after `k`, in C order."""
    out = _core.empty(x.shape, x.dtype)
    if out.size:
        matrices = x.reshape(-1, *x.shape[-2:])
        kernel = _triangles[_BYTES[x.dtype.itemsize]]
        pieces = _rows(out)
        threads = pieces if _library.on_host(out) else -(-out.nbytes // PACK)
        kernel(x=matrices, out=out, pieces=pieces, k=k, lower=lower, work=threads)
    return out


def coordinates(shape, dtype):
    """`indices`, or None where there is no kernel for it."""
    if dtype.char not in _COUNTED or not 0 < len(shape) <= _NDIM:
        return None
    out = _core.empty((len(shape), *shape), dtype)
    if out.size:
        _coordinates[dtype](
            out=out, p=_coordinates_struct(shape, _library.on_host(out))
        )
    return out


@functools.lru_cache(maxsize=64)
def _coordinates_struct(shape, on_host):
    axes = len(shape)
    return _library.struct.coordinates_sizes(
        pieces=axes * math.prod(shape[:-1]) if on_host else math.prod(shape),
        axes=axes,
        lengths=(1,) * (_NDIM - axes) + shape,
    )


def grids(vectors, places, shape):
    """Arrays of a shape, one for each of some vectors, whose elements along an axis of
    the shape, the vector's place, are the vector's. None where there is no kernel for
    them, or where copies are faster."""
    dtype = vectors[0].dtype
    if _library.on_host(vectors[0]) and math.prod(shape) > _COPIED_ON_HOST:
        return None
    if dtype.kind not in "biufc" or any(x.dtype != dtype for x in vectors):
        return None
    made = [_core.empty(shape, dtype) for _ in vectors]
    if made[0].size:
        for i in range(0, len(made), _TOGETHER):
            j = i + _TOGETHER
            _fill_grids(places[i:j], *vectors[i:j], *made[i:j])
    return made


@replayed
def _fill_grids(places, *arrays):
    n = len(places)
    vectors, out = arrays[:n], arrays[n:]
    shape = out[0].shape
    p = _library.struct.grids_sizes(
        pieces=_rows(out[0]),
        last=shape[-1],
        inner=[math.prod(shape[place + 1 :]) for place in places],
        count=n,
    )
    kernel = _grids[_BYTES[out[0].dtype.itemsize]]
    kernel(x=vectors, out=[grid.reshape(-1) for grid in out], p=p)
    return out[0]


def triangle_places(n, m, k, upper):
    """Rows and columns, (2, …), of the places of an (n, m) matrix on and below its k-th
    diagonal, or of the others."""
    n, m = max(n, 0), max(m, 0)
    k = max(min(k, m), -n)
    first = max(-k, 0)
    length = min(max(first + k + 1, 0), m)
    growing = min(n - first, m - length)
    count = growing * length + growing * (growing - 1) // 2
    count += (n - first - growing) * m
    count = n * m - count if upper else count
    out = _core.empty((2, count), np.int64)
    if count:
        pieces = n if _library.on_host(out) else count
        _triangle_places[()](
            out=out, pieces=pieces, n=count, rows=n, columns=m, k=k, upper=upper
        )
    return out


@replayed
def powers(x, n, increasing):
    """`vander`."""
    dtype = np.promote_types(x.dtype, np.int64)
    kinds = _POWERS.get(x.dtype.char)
    if kinds is None:
        x = x.astype(dtype)
        kinds = _POWERS[dtype.char]
    out = _core.empty((x.size, n), dtype)
    if out.size:
        _vandermonde[kinds[0], kinds[1]](
            x=x, out=out, n=x.size, columns=n, increasing=increasing
        )
    return out
