"""Filters by a kernel of your own."""

import functools

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous, median, moveaxis, pad, where_it_lives
from cupricx.scipy.ndimage._boundary import mode_number
from cupricx.scipy.ndimage._filters._rank_filters import footprint_of

__all__ = [
    "generic_filter",
    "generic_filter1d",
]

_PADS = ("symmetric", "constant", "edge", "reflect", "wrap")  # by mode_number
_MOST_ELEMENTS = 1 << 22  # of the windows that are made at a time
_REDUCTIONS = frozenset(
    (
        _core.all,
        _core.any,
        _core.max,
        _core.mean,
        median,
        _core.min,
        _core.prod,
        _core.std,
        _core.sum,
        _core.var,
    )
)

# The function of the kernel given becomes one that a thread calls for its own piece.
_EACH_WINDOW = """
namespace given {
%s
}
extern "C" __global__ void
generic_filter(double *windows, double *y, long long n, int taps)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x)
        given::%s(windows + i * taps, taps, y + i);
}
"""
_EACH_LINE = """
namespace given {
%s
}
extern "C" __global__ void
generic_filter1d(double *lines, double *y, long long rows, long long from, long long to)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < rows;
         i += (long long)gridDim.x * blockDim.x)
        given::%s(lines + i * from, from, y + i * to, to);
}
"""

# A reduction by one thread for its window: as it sees it, the window is all that there
# is, so that `_in_ind` and `_raw_x` are the window's.
_EACH_REDUCTION = """
const long long given_n = given_taps;
const cupric::raw_array<const {X}, 1, true> _raw_{x} = {{
    given_windows.begin_ptr() + i * given_n, given_n, {{given_n}}, {{sizeof({X})}}}};
const cupric::raw_array<{Y}, 1, true> _raw_{y} = {{&{y}, 1, {{1}}, {{sizeof({Y})}}}};
cupric::indexer<1> _in_ind = {{given_n, {{given_n}}, {{0}}}};
const cupric::indexer<1> _out_ind = {{1, {{1}}, {{0}}}};
(void)_raw_{x}, (void)_raw_{y}, (void)_out_ind;
typedef {reduce_type} _type_reduce;
_type_reduce given_result;
for (long long _j = 0; _j < given_n; _j++) {{
    const long long i = _j, _J = _j;
    (void)i, (void)_J;
    _in_ind.set(_j);
    const {X} {x} = cupric::load(&_raw_{x}[_j]);
    (void){x};
    const _type_reduce b = static_cast<_type_reduce>({map_expr});
    const _type_reduce a = _j ? given_result : b;
    given_result = _j ? static_cast<_type_reduce>({reduce_expr}) : b;
}}
const _type_reduce a = given_result;
{post_map_expr}
;
"""


@functools.lru_cache(maxsize=256)
def _reduction(read, made, texts, preamble, options):
    """A ReductionKernel as an ElementwiseKernel over windows. Parameters are (type,
    name, how C++ calls the type)."""
    names = {"X": read[2], "x": read[1], "Y": made[2], "y": made[1]}
    return _core.ElementwiseKernel(
        f"raw {read[0]} given_windows, int32 given_taps",
        f"{made[0]} {made[1]}",
        _EACH_REDUCTION.format(**names, **dict(texts)),
        "generic_filter",
        preamble=preamble,
        options=options,
    )


def _kernel_of(function):
    """The kernel that reduces each window by a ReductionKernel."""
    read, made = (
        (p.ctype if p.dtype is None else p.dtype.name, p.name, p.ctype)
        for p in function.params
    )
    texts = {name: getattr(function, name) for name in ("map_expr", "reduce_expr")}
    texts["post_map_expr"] = function.post_map_expr
    texts["reduce_type"] = function.reduce_type or made[2]
    key = tuple(texts.items()), function.preamble, tuple(function.options)
    return _reduction(read, made, *key)


@functools.lru_cache(maxsize=256)
def _kernel(text, name, code, function, options):
    code = code.replace("__global__", "__device__")
    return _core.RawKernel(text % (code, function), name, options)


def _launch(text, name, raw, n, args):
    kernel = _kernel(text, name, raw.code, raw.name, tuple(raw.options))
    kernel((min(-(-n // 128), 1 << 16),), (128,), args)


def _real(input):
    x = arguments.array(input)
    if x.dtype.kind == "c":
        raise TypeError(f"Complex type not supported: {x.dtype}")
    return x


def _padded(x, pads, modes, cval):
    """An array with what lies outside about it."""
    for axis, (beside, mode) in enumerate(zip(pads, modes, strict=True)):
        if beside != (0, 0):
            widths = [(0, 0)] * x.ndim
            widths[axis] = beside
            how = _PADS[mode]
            constant = {"constant_values": cval} if how == "constant" else {}
            x = pad(x, widths, how, **constant)
    return x


def _before(size, origin):
    before = size // 2 + origin
    if not 0 <= before < size:
        raise ValueError(
            f"invalid origin: {origin} for a window of {size} elements; it must be "
            f"from {-(size // 2)} to {(size - 1) // 2}"
        )
    return before


@where_it_lives
def generic_filter(
    input,
    function,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    """What a kernel makes of each window.

    Parameters
    ----------
    input : cupric.ndarray
    function : cupric.RawKernel, cupric.ReductionKernel or reduction
        A RawKernel as ``void f(const double *window, int n, double *result)``, which a
        thread calls for each window; a ReductionKernel of one input and one output, for
        which a window is all there is (``_in_ind.size()`` is the number of its
        elements, and `_raw_x` of a parameter `x` is the window); or one of cupric's
        `all`, `any`, `max`, `mean`, `median`, `min`, `prod`, `std`, `sum`, `var`, of
        float64.
    size, footprint, output, mode, cval, origin, axes : optional
        As of `rank_filter`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import generic_filter
    >>> squares = cp.ReductionKernel("X x", "Y y", "x * x", "a + b", "y = a", "0")
    >>> generic_filter(cp.array([1, 2, 3, 4]), squares, size=3)
    array([ 6, 14, 29, 41])
    >>> generic_filter(cp.array([1, 2, 3, 4]), cp.max, size=3)
    array([2, 3, 4, 4])
    """
    x = _real(input)
    apply, read, made = _function(function, x)
    axes = arguments.axes(axes, x.ndim)
    covered = footprint_of(size, footprint, len(axes))
    origins = arguments.per_axis(origin, len(axes), "origin", arguments.integer)
    modes = arguments.per_axis(mode, len(axes), "mode", mode_number)
    sizes = dict(zip(sorted(axes), covered.shape, strict=True))  # as in SciPy
    pads, every = [(0, 0)] * x.ndim, [0] * x.ndim
    for axis, o, m in zip(axes, origins, modes, strict=True):
        before = _before(sizes[axis], o)
        pads[axis], every[axis] = (before, sizes[axis] - 1 - before), m
    target = Output(output, x)
    made = target.dtype if made is None else made
    taps = int(covered.sum())
    if x.size == 0 or taps == 0:
        if taps == 0:
            raise RuntimeError(f"footprint {covered.shape} has no elements")
        return target.result(target.buffer(x))
    shape = x.shape
    x = _padded(x, pads, every, cval).astype(read, copy=False)
    y = _core.empty(target.shape, made)
    places = _core.arange(x.size).reshape(x.shape)
    begins = places[tuple(slice(0, n) for n in shape)].ravel()
    stride, strides = 1, {}
    for axis in range(x.ndim - 1, -1, -1):
        strides[axis] = stride
        stride *= x.shape[axis]
    offsets = np.argwhere(covered) @ np.array([strides[a] for a in sorted(axes)], "l")
    offsets = _core.array(offsets.reshape(-1))
    x, results = x.ravel(), y.reshape(-1)
    count = max(1, _MOST_ELEMENTS // taps)
    for first in range(0, results.size, count):
        some = slice(first, first + count)
        windows = x.take(begins[some, None] + offsets)
        apply(windows, results[some])
    return target.result(y)


def _function(function, x):
    """How to apply a function to windows, the dtype it reads, and that it makes, or
    None: that of the result.
    """
    double = np.dtype(np.float64)
    if isinstance(function, _core.RawKernel):

        def apply(windows, y):
            n, taps = windows.shape
            args = (windows, y, n, np.int32(taps))
            _launch(_EACH_WINDOW, "generic_filter", function, n, args)

        return apply, double, double
    if isinstance(function, _core.ReductionKernel):
        if function.nin != 1 or function.nout != 1:
            raise TypeError(
                f"the ReductionKernel {function.name} must have one input and one "
                f"output, not {function.nin} and {function.nout}"
            )
        read, made = function.in_params[0], function.out_params[0]
        if read.raw:
            raise TypeError(
                f"the ReductionKernel {function.name} has a raw input, {read.name}: "
                f"the window is _raw_{read.name} where it is not raw"
            )
        if made.dtype is None and made.ctype == read.ctype:
            made_dtype = x.dtype if read.dtype is None else read.dtype
        else:
            made_dtype = made.dtype
        kernel = _kernel_of(function)

        def apply(windows, y):
            kernel(windows, windows.shape[1], y)

        return apply, read.dtype or x.dtype, made_dtype
    if not isinstance(function, _core.ElementwiseKernel) and function in _REDUCTIONS:

        def apply(windows, y):
            y[...] = function(windows, axis=1)

        return apply, double, double
    raise TypeError(
        f"{function!r} cannot run on a device: pass a cupric.RawKernel, void "
        "f(const double *window, int n, double *result), a cupric.ReductionKernel, or "
        "a reduction such as cupric.max"
    )


@where_it_lives
def generic_filter1d(
    input,
    function,
    filter_size,
    axis=-1,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
):
    """What a kernel makes of each line along an axis.

    Parameters
    ----------
    input : cupric.ndarray
    function : cupric.RawKernel
        ``void f(double *line, ptrdiff_t length, double *result, ptrdiff_t n)``, which a
        thread calls for each line: of n elements, and those about it that windows of
        `filter_size` reach.
    filter_size : int
    axis : int, optional
    output, mode, cval, origin : optional
        As of `correlate1d`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import generic_filter1d
    >>> sums = cp.RawKernel('''
    ... extern "C" __global__ void
    ... sums(const double *line, ptrdiff_t length, double *result, ptrdiff_t n)
    ... {
    ...     for (ptrdiff_t i = 0; i < n; i++) result[i] = line[i] + line[i + 2];
    ... }''', "sums")
    >>> generic_filter1d(cp.array([1, 2, 3, 4]), sums, 3)
    array([3, 4, 6, 7])
    """
    x = _real(input)
    if not isinstance(function, _core.RawKernel):
        raise TypeError(
            f"{function!r} cannot run on a device: pass a cupric.RawKernel, void "
            "f(double *line, ptrdiff_t length, double *result, ptrdiff_t n)"
        )
    size = arguments.integer(filter_size)
    if size < 1:
        raise RuntimeError(f"invalid filter size: {size}; it must be at least 1")
    axis = arguments.axis(axis, x.ndim)
    before = _before(size, arguments.integer(origin))
    target, number = Output(output, x), mode_number(mode)
    if x.size == 0:
        return target.result(target.buffer(x))
    lines = moveaxis(x, axis, -1).astype(np.float64)
    n = lines.shape[-1]
    lines = contiguous(lines).reshape(-1, n)
    lines = _padded(lines, [(0, 0), (before, size - 1 - before)], [0, number], cval)
    lines = contiguous(lines)
    y = _core.empty((len(lines), n), np.float64)
    args = (lines, y, len(lines), lines.shape[1], n)
    _launch(_EACH_LINE, "generic_filter1d", function, len(lines), args)
    shape = [m for d, m in enumerate(x.shape) if d != axis]
    return target.result(moveaxis(y.reshape(*shape, n), -1, axis))
