"""Filters of spectra: what a Fourier transform gave, as if the image were filtered."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.arguments import Output
from cupric._lib.core import contiguous
from cupric._lib.kernels import Library, replayed

__all__ = [
    "fourier_ellipsoid",
    "fourier_gaussian",
    "fourier_shift",
    "fourier_uniform",
]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import ndimage

    x = (np.arange(5 * 7 * 9) % 17).reshape(5, 7, 9)
    return [
        ndimage.fourier_gaussian(xp.asarray(x.astype("c8")), 2),
        ndimage.fourier_uniform(xp.asarray(x), (3, 4, 5), n=16),
        ndimage.fourier_ellipsoid(xp.asarray(x[0].astype("c16")), 4),
        ndimage.fourier_ellipsoid(xp.asarray(x.astype("f4")), 4),
        ndimage.fourier_shift(xp.asarray(x[0].astype("c8")), (1.5, 2)),
        ndimage.fourier_shift(xp.asarray(x), 1.5, n=16),
    ]


_filter = _library.kernel(
    "fourier_filter<E>",
    blocks="p.blocks",
    threads="THREADS",
    ships="f d F D",
    example=_example,
)
_move = _library.kernel(
    "fourier_move<E>",
    blocks="p.blocks",
    threads="THREADS",
    ships="F D",
    example=_example,
)


def _target(output, x, dtypes):
    """Where the result goes: of a dtype of `dtypes`, that of `x` or the last one."""
    least = next(t for t in "dD" if t in dtypes)
    target = Output(output, x, dtype=x.dtype if x.dtype.char in dtypes else least)
    if target.dtype.char not in dtypes:
        raise RuntimeError(
            f"output type not supported: {target.dtype}; there are "
            f"{', '.join(np.dtype(t).name for t in dtypes)}"
        )
    if x.dtype.kind == "c" and target.dtype.kind != "c":
        raise RuntimeError(f"output must have complex dtype, not {target.dtype}")
    return target


def _each_axis(values, x, n, axis, name):
    """For each axis of `x`: a value, and the length before the transform."""
    axis = arguments.axis(axis, x.ndim)
    n = arguments.integer(n)
    values = arguments.per_axis(values, x.ndim, name, float)
    lengths = list(x.shape)
    if n == 0 and x.shape[axis] > 1:
        raise ValueError(f"n=0, but the input has {x.shape[axis]} frequencies")
    if n >= 0:
        lengths[axis] = max(n, 1)
    return values, lengths, axis if n >= 0 else -1


def _apply(x, target, units, half, kind):
    """Filter along all axes, three in a launch."""
    dtype = np.result_type(x.dtype if x.dtype.kind in "fc" else "d", target.dtype)
    y = contiguous(x.astype(dtype, copy=False))
    for last in range(x.ndim - 1, -1, -3):
        y = _three_axes(y, target, max(last - 2, 0), last, units, half, kind)
    return target.result(y)


def _three_axes(x, target, first, last, units, half, kind):
    """Filter along up to three axes; those behind are rows' columns without a part."""
    axes = list(range(first, last + 1))
    lengths, some = [x.shape[axis] for axis in axes], [units[axis] for axis in axes]
    passed = [n <= 1 for n in lengths]
    if last + 1 < x.ndim and len(axes) < 3:
        lengths.append(math.prod(x.shape[last + 1 :]))
        some.append(0.0)
        passed.append(True)
    elif last + 1 < x.ndim:
        y = _three_axes(x, target, first + 1, last, units, half, kind)
        return _three_axes(y, target, first, first, units, half, kind)
    fit = 3 - len(lengths)
    y = target.buffer(x) if target.dtype == x.dtype else _core.empty(x.shape, x.dtype)
    enum, n = _library.enum, lengths[-1]
    rows = x.size // n
    p = _library.struct.spectrum(
        rows=rows,
        blocks=-(-rows // enum.ROWS) * -(-n // enum.COLUMNS),
        lengths=[1] * fit + lengths,
        units=[0.0] * fit + some,
        half=axes.index(half) + fit if half in axes else -1,
        passed=sum(1 << d for d, p in enumerate([True] * fit + passed) if p),
        kind=kind,
        ndim=x.ndim,
    )
    (_move if kind == enum.SHIFT else _filter)[x.dtype](x=x, y=y, p=p)
    return y


def _filtered(input, values, n, axis, output, name, kind):
    x, enum = arguments.array(input), _library.enum
    if kind == enum.ELLIPSOID and x.ndim > 3:
        raise NotImplementedError(
            f"fourier_ellipsoid takes 1, 2 or 3 dimensions, the input has {x.ndim}"
        )
    target = _target(output, x, "FD" if kind == enum.SHIFT else "fdFD")
    values, lengths, half = _each_axis(values, x, n, axis, name)
    scale = {enum.SHIFT: -2 * math.pi, enum.UNIFORM: 1}.get(kind, math.pi)
    units = [scale * v / max(k, 1) for v, k in zip(values, lengths, strict=True)]
    if not x.size:
        return target.result(x.astype(target.dtype))
    return _apply(x, target, units, half, kind)


@replayed
def fourier_gaussian(input, sigma, n=-1, axis=-1, output=None):
    """A spectrum times that of a Gaussian.

    Parameters
    ----------
    input : cupric.ndarray
        What a Fourier transform over all axes gave.
    sigma : float or sequence of floats
        The standard deviation along each axis, in elements of the image.
    n : int, optional
        If not negative, `input` comes from a real transform along `axis`, which had
        this length.
    axis : int, optional
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; that of `input` by default, float64 where
        that is neither float32 nor complex.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import fourier_gaussian
    >>> fourier_gaussian(cp.ones(4), 1)
    array([1.        , 0.29121293, 0.00719188, 0.29121293])
    """
    return _filtered(input, sigma, n, axis, output, "sigma", _library.enum.GAUSSIAN)


@replayed
def fourier_uniform(input, size, n=-1, axis=-1, output=None):
    """A spectrum times that of a box.

    Parameters
    ----------
    input : cupric.ndarray
        What a Fourier transform over all axes gave.
    size : float or sequence of floats
        Of the box along each axis, in elements of the image.
    n, axis, output : optional
        As of `fourier_gaussian`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import fourier_uniform
    >>> fourier_uniform(cp.ones(3), 1, n=4)
    array([1.        , 0.90031632, 0.63661977])
    """
    return _filtered(input, size, n, axis, output, "size", _library.enum.UNIFORM)


@replayed
def fourier_ellipsoid(input, size, n=-1, axis=-1, output=None):
    """A spectrum times that of an ellipsoid.

    Parameters
    ----------
    input : cupric.ndarray, one to three axes
        What a Fourier transform over all axes gave.
    size : float or sequence of floats
        Of the ellipsoid along each axis, in elements of the image.
    n, axis, output : optional
        As of `fourier_gaussian`.

    Returns
    -------
    cupric.ndarray
        New, or `output`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import fourier_ellipsoid
    >>> fourier_ellipsoid(cp.ones((1, 4)), 1)
    array([[1.        , 0.92485024, 0.72170284, 0.92485024]])
    """
    return _filtered(input, size, n, axis, output, "size", _library.enum.ELLIPSOID)


@replayed
def fourier_shift(input, shift, n=-1, axis=-1, output=None):
    """A spectrum of an image that is moved.

    Parameters
    ----------
    input : cupric.ndarray
        What a Fourier transform over all axes gave.
    shift : float or sequence of floats
        Along each axis, in elements of the image.
    n, axis : int, optional
        As of `fourier_gaussian`.
    output : cupric.ndarray or dtype, optional
        Where the result goes, or its dtype; complex128 by default, complex64 of that.

    Returns
    -------
    cupric.ndarray
        New, or `output`; complex.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.ndimage import fourier_shift
    >>> spectrum = fourier_shift(cp.fft.fft(cp.array([5.0, 1, 2, 3])), 1)
    >>> cp.round(cp.fft.ifft(spectrum).real)
    array([3., 5., 1., 2.])
    """
    return _filtered(input, shift, n, axis, output, "shift", _library.enum.SHIFT)
