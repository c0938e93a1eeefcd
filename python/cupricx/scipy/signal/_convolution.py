"""Convolution and correlation of arrays of any dimension."""

import math
from copy import copy

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import (
    complex_fft,
    direct,
    fft_of_real,
    fft_to_real,
    where_it_lives,
)
from cupric.cuda import get_current_stream

__all__ = [
    "choose_conv_method",
    "convolve",
    "convolve2d",
    "correlate",
    "correlate2d",
    "fftconvolve",
    "oaconvolve",
]

_MODES = ("full", "same", "valid")
_BOUNDARIES = {
    "fill": "fill",
    "pad": "fill",
    "wrap": "wrap",
    "circular": "wrap",
    "symm": "symm",
    "symmetric": "symm",
}


def _check(*arrays):
    for a in arrays:
        if not isinstance(a, _core.ndarray):
            raise arguments.unsupported(a)


def _check_mode(mode):
    if mode not in _MODES:
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")


def _must_swap(mode, shape1, shape2, axes=None):
    """For 'valid', whether the second input is the longer one on every axis."""
    if mode != "valid" or not shape1:
        return False
    axes = range(len(shape1)) if axes is None else axes
    if all(shape1[i] >= shape2[i] for i in axes):
        return False
    if all(shape2[i] >= shape1[i] for i in axes):
        return True
    raise ValueError(
        "For 'valid' mode, one must be at least as large as the other in every "
        f"dimension (shapes {shape1} and {shape2})"
    )


def _common(*arrays):
    dtype = np.result_type(*(a.dtype for a in arrays))
    return [a.astype(dtype, copy=False) for a in arrays]


def _empty(in1, in2):
    dtype = np.result_type(in1.dtype, in2.dtype)
    return _core.empty((0,) * in1.ndim, dtype, device=in1.device)


def _reversed(a):
    return a[(slice(None, None, -1),) * a.ndim]


# ---- two dimensions, with boundaries -------------------------------------------------


def _planes(in1, in2, name, mode, boundary, fillvalue):
    """Checked arguments of convolve2d and correlate2d, in one dtype."""
    for a in (in1, in2):
        if isinstance(a, np.ndarray):  # CuPy's words alone: published lessons show them
            raise TypeError(f"Unsupported type {type(a)}")
    _check(in1, in2)
    if not in1.ndim == in2.ndim == 2:
        raise ValueError(f"{name} inputs must both be 2-D arrays")
    _check_mode(mode)
    if boundary not in _BOUNDARIES:
        raise ValueError(
            "Acceptable boundary flags are 'fill', 'circular' (or 'wrap'), and "
            "'symmetric' (or 'symm')."
        )
    if isinstance(fillvalue, _core.ndarray):
        fillvalue = fillvalue.item()
    if np.size(fillvalue) != 1:
        raise ValueError("`fillvalue` must be scalar or an array with one element.")
    if in1.size == 0 or in2.size == 0:
        raise ValueError(
            f"{name} inputs must not be empty (shapes {in1.shape} and {in2.shape})"
        )
    swap = _must_swap(mode, in1.shape, in2.shape)
    in1, in2 = _common(in1, in2)
    fill = np.asarray(fillvalue).reshape(()).astype(in1.dtype)[()]
    return in1, in2, swap, fill


@where_it_lives
def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """Convolve two images.

    Parameters
    ----------
    in1, in2 : cupric.ndarray, two-dimensional
    mode : {'full', 'valid', 'same'}, optional
        The whole convolution; what needs nothing from outside `in1`; or the part of the
        size of `in1` from the centre of 'full'.
    boundary : {'fill', 'wrap', 'symm'}, optional
        What lies outside: `fillvalue`, the image again, or its mirror image.
    fillvalue : scalar, optional

    Returns
    -------
    cupric.ndarray, two-dimensional
        In the promoted dtype; integers wrap.

    Raises
    ------
    TypeError
        "Unsupported type" for NumPy arrays: copy them with `cupric.asarray`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import convolve2d
    >>> image = cp.zeros((3, 3))
    >>> image[1, 1] = 1
    >>> convolve2d(image, cp.ones((2, 2)), mode="same")
    array([[0., 0., 0.],
           [0., 1., 1.],
           [0., 1., 1.]])
    """
    in1, in2, swap, fill = _planes(in1, in2, "convolve2d", mode, boundary, fillvalue)
    if swap:
        in1, in2 = in2, in1
    return direct(in1, in2, mode, boundary=_BOUNDARIES[boundary], fill=fill)


@where_it_lives
def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """Cross-correlate two images.

    Parameters
    ----------
    in1, in2 : cupric.ndarray, two-dimensional
    mode, boundary, fillvalue : optional
        As for `convolve2d`.

    Returns
    -------
    cupric.ndarray, two-dimensional

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> signal.correlate2d(cp.eye(2), cp.ones((2, 2)), "valid")
    array([[2.]])
    """
    in1, in2, swap, fill = _planes(in1, in2, "correlate2d", mode, boundary, fillvalue)
    if swap:
        in1, in2 = in2, in1
    options = {"boundary": _BOUNDARIES[boundary], "fill": fill}
    # SciPy centres an even `in2` half an element later here than in correlate.
    out = direct(in1, in2, mode, **options, correlating=True, late=True)
    return copy(_reversed(out)) if swap else out


# ---- any dimension -------------------------------------------------------------------


def _pair(in1, in2):
    _check(in1, in2)
    if in1.ndim != in2.ndim:
        raise ValueError("in1 and in2 should have the same dimensionality")


@where_it_lives
def convolve(in1, in2, mode="full", method="auto"):
    """Convolve two arrays.

    Parameters
    ----------
    in1, in2 : cupric.ndarray
        Of the same number of dimensions; outside there are zeros.
    mode : {'full', 'valid', 'same'}, optional
        As for `convolve2d`.
    method : {'auto', 'direct', 'fft'}, optional
        Sum the products, multiply the spectra, or whichever `choose_conv_method`
        expects to be faster.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> signal.convolve(cp.array([1.0, 2, 3]), cp.array([1.0, 1]))
    array([1., 3., 5., 3.])
    """
    _pair(in1, in2)
    _check_mode(mode)
    if in1.ndim == 0:
        return in1 * in2
    if _must_swap(mode, in1.shape, in2.shape):
        in1, in2 = in2, in1
    if method == "auto":
        method = choose_conv_method(in1, in2, mode)
    if method == "fft":
        dtype = np.result_type(in1.dtype, in2.dtype)
        out = fftconvolve(in1, in2, mode)
        if dtype.kind in "biu":
            out = _core.rint(out)
        return out.astype(dtype, copy=False)
    if method != "direct":
        raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
    if in1.size == 0 or in2.size == 0:
        return _empty(in1, in2)
    return direct(*_common(in1, in2), mode, boundary=_outside(in1))


def _outside(a):
    """What is outside: nothing, as NumPy has it, on one axis; zeros on several."""
    return "none" if a.ndim == 1 else "fill"


@where_it_lives
def correlate(in1, in2, mode="full", method="auto"):
    """Cross-correlate two arrays: convolve with the second reversed and conjugated.

    Parameters
    ----------
    in1, in2 : cupric.ndarray
        Of the same number of dimensions.
    mode, method : optional
        As for `convolve`.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> signal.correlate(cp.array([1.0, 2, 3]), cp.array([1.0, -1]))
    array([-1., -1., -1.,  3.])
    """
    _pair(in1, in2)
    _check_mode(mode)
    if in1.ndim == 0:
        return in1 * in2.conj()
    if method not in ("auto", "direct", "fft"):
        raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
    if method == "auto":
        method = choose_conv_method(in1, in2, mode)
    if method == "fft":
        return convolve(in1, _reversed(in2).conj(), mode, "fft")
    swap = _must_swap(mode, in1.shape, in2.shape)
    if in1.size == 0 or in2.size == 0:
        return _empty(in1, in2)
    a, v = _common(in1, in2)
    options = {"boundary": _outside(a), "correlating": True}
    if swap:
        return copy(_reversed(direct(v, a, mode, **options)).conj())
    return direct(a, v, mode, **options)


def _fft_axes(in1, in2, mode, axes):
    """The axes that are convolved; the others broadcast."""
    if axes is None:
        axes = list(range(in1.ndim))
    else:
        axes = [axes] if np.isscalar(axes) else list(axes)
        if not axes:
            raise ValueError("when provided, axes cannot be empty")
        axes = list(np.lib.array_utils.normalize_axis_tuple(axes, in1.ndim))
    for i in range(in1.ndim):
        if (
            i in axes
            or in1.shape[i] == in2.shape[i]
            or 1 in (in1.shape[i], in2.shape[i])
        ):
            continue
        raise ValueError(
            f"incompatible shapes for in1 and in2: {in1.shape} and {in2.shape}"
        )
    # A length of 1 is a scaling, not a convolution.
    return [i for i in axes if in1.shape[i] != 1 and in2.shape[i] != 1]


@where_it_lives
def fftconvolve(in1, in2, mode="full", axes=None):
    """Convolve two arrays by the product of their spectra.

    Parameters
    ----------
    in1, in2 : cupric.ndarray
        Of the same number of dimensions.
    mode : {'full', 'valid', 'same'}, optional
    axes : int or sequence of ints, optional
        Axes to convolve over, all by default; the others broadcast.

    Returns
    -------
    cupric.ndarray
        float32 or complex64 where both inputs are of single precision or below, else
        float64 or complex128.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> cp.round(signal.fftconvolve(cp.array([1.0, 2, 3]), cp.array([1.0, 1])), 6)
    array([1., 3., 5., 3.])
    """
    _pair(in1, in2)
    if in1.ndim == 0:
        return in1 * in2
    if in1.size == 0 or in2.size == 0:
        return _core.empty((0,), float, device=in1.device)
    _check_mode(mode)
    axes = _fft_axes(in1, in2, mode, axes)
    if _must_swap(mode, in1.shape, in2.shape, axes):
        in1, in2 = in2, in1
    shape1, shape2 = in1.shape, in2.shape
    full = [
        m + n - 1 if i in axes else max(m, n)
        for i, (m, n) in enumerate(zip(shape1, shape2, strict=True))
    ]
    out = _multiply_spectra(in1, in2, axes, full)
    return _cut(out, full, shape1, shape2, mode, axes)


def _multiply_spectra(in1, in2, axes, full):
    if not axes:
        return in1 * in2
    lengths = [_fast_length(full[i]) for i in axes]
    if in1.dtype.kind == "c" or in2.dtype.kind == "c":
        product = _to_terms(in1, lengths, axes) * _to_terms(in2, lengths, axes)
        out = complex_fft(product, lengths, axes, None, True, "C", True)
    else:
        product = fft_of_real(in1, lengths, axes, None, "C")
        product = product * fft_of_real(in2, lengths, axes, None, "C")
        out = fft_to_real(product, lengths, axes, None, "C")
    return out[tuple(slice(0, n) for n in full)]


def _to_terms(x, lengths, axes):
    return complex_fft(x, lengths, axes, None, False, "C")


def _cut(out, full, shape1, shape2, mode, axes):
    if mode == "full":
        return copy(out)
    if mode == "same":
        shape = shape1
    else:
        shape = [
            full[i] if i not in axes else shape1[i] - shape2[i] + 1
            for i in range(out.ndim)
        ]
    start = [(m - n) // 2 for m, n in zip(full, shape, strict=True)]
    window = tuple(slice(s, s + n) for s, n in zip(start, shape, strict=True))
    return copy(out[window])


def _fast_length(n):
    """The smallest 2**a * 3**b * 5**c * 7**d that is not below n.

    Such lengths transform fast on every device.
    """
    best = 1 << (n - 1).bit_length()
    seven = 1
    while seven < best:
        five = seven
        while five < best:
            three = five
            while three < best:
                rest = -(-n // three)
                candidate = three << (rest - 1).bit_length()
                best = min(best, candidate)
                three *= 3
            five *= 5
        seven *= 7
    return best


@where_it_lives
def oaconvolve(in1, in2, mode="full", axes=None):
    """Convolve two arrays of very different lengths, by blocks of the longer one.

    Parameters
    ----------
    in1, in2 : cupric.ndarray
    mode, axes : optional
        As for `fftconvolve`.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> cp.round(signal.oaconvolve(cp.array([1.0, 2, 3]), cp.array([1.0, 1])), 6)
    array([1., 3., 5., 3.])
    """
    _pair(in1, in2)
    if (
        in1.ndim != 1
        or min(in1.size, in2.size) < 2
        or axes not in (None, 0, -1, (0,), [0])
    ):
        return fftconvolve(in1, in2, mode, axes)
    _check_mode(mode)
    long, short = (in1, in2) if in1.size >= in2.size else (in2, in1)
    n = short.size
    size = _fast_length(8 * n)
    if size >= long.size + n:
        return fftconvolve(in1, in2, mode, axes)
    step = size - n + 1
    blocks = -(-long.size // step)
    padded = _core.zeros(blocks * step, long.dtype, device=long.device)
    padded[: long.size] = long
    pieces = fftconvolve(padded.reshape(blocks, step), short[None, :], "full", axes=1)
    full = _core.zeros(blocks * step + n - 1, pieces.dtype, device=long.device)
    full[: blocks * step].reshape(blocks, step)[...] = pieces[:, :step]
    # The tail of each block falls on the head of the next one.
    full[step:].reshape(-1)[: (blocks - 1) * step].reshape(blocks - 1, step)[
        :, : n - 1
    ] += pieces[:-1, step:]
    full[blocks * step :] += pieces[-1, step:]
    length = long.size + n - 1
    if mode == "valid":
        in1, in2 = long, short
    return _cut(full[:length], [length], in1.shape, in2.shape, mode, [0])


# Cost of one butterfly of the three transforms in multiply-adds of the direct sum:
# benchmarks/bench_convolution.py measures both.
_BUTTERFLY = 20.0


def choose_conv_method(in1, in2, mode="full", measure=False):
    """The faster method for `convolve` and `correlate`.

    Parameters
    ----------
    in1, in2 : cupric.ndarray
    mode : {'full', 'valid', 'same'}, optional
    measure : bool, optional
        Time both methods instead of comparing operation counts.

    Returns
    -------
    method : {'direct', 'fft'}
        'direct' also where integers could be too large for the transform to be exact.
    times : dict of str to float
        Seconds of each method; only when `measure` is set.

    Examples
    --------
    >>> from cupricx.scipy import signal
    >>> signal.choose_conv_method(cp.ones(3), cp.ones(2))
    'direct'
    """
    _pair(in1, in2)
    _check_mode(mode)
    if measure:
        return _measured(in1, in2, mode)
    kinds = in1.dtype.kind + in2.dtype.kind
    if "b" in kinds or 0 in (in1.size, in2.size):
        return "direct"
    single = max(in1.dtype.itemsize, in2.dtype.itemsize) <= 2
    if single and kinds == "ff":
        return "direct"  # the transform of 16-bit numbers is that of 32-bit ones
    full = [m + n - 1 for m, n in zip(in1.shape, in2.shape, strict=True)]
    lengths = [_fast_length(n) for n in full]
    points = math.prod(lengths)
    out = {"full": full, "same": in1.shape}.get(mode) or [
        abs(m - n) + 1 for m, n in zip(in1.shape, in2.shape, strict=True)
    ]
    sums = math.prod(out) * min(math.prod(in1.shape), math.prod(in2.shape))
    if sums <= _BUTTERFLY * points * math.log2(max(points, 2)):
        return "direct"
    if set(kinds) & set("iu") and not _exact_by_fft(in1, in2):
        return "direct"
    return "fft"


def _exact_by_fft(in1, in2):
    """Whether every sum of integer products stays below the mantissa of float64."""
    largest = 1
    for a in (in1, in2):
        low, high = int(a.real.min().item()), int(a.real.max().item())
        largest *= max(abs(low), abs(high))
    return largest * min(in1.size, in2.size) < 2**52


def _measured(in1, in2, mode):
    import time

    times = {}
    for method in ("fft", "direct"):
        convolve(in1, in2, mode, method)
        best = math.inf
        for _ in range(3):
            get_current_stream().synchronize()
            start = time.perf_counter()
            convolve(in1, in2, mode, method)
            get_current_stream().synchronize()
            best = min(best, time.perf_counter() - start)
        times[method] = best
    return ("fft" if times["fft"] < times["direct"] else "direct"), times
