"""Analytic signals and envelopes."""

import operator

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import (
    complex_fft,
    contiguous,
    fft_of_real,
    moveaxis,
    where_it_lives,
)
from cupricx.scipy.signal._bands import (
    analytic,
    analytic_of_planes,
    resampled,
    spectrum,
    transform_dtype,
)
from cupricx.scipy.signal._rows import along, rows_of

__all__ = ["envelope", "hilbert", "hilbert2"]


def _real(x):
    x = arguments.array(x, "x")
    if x.dtype.kind == "c":
        raise ValueError(f"x must be real, and is of {x.dtype}")
    return x


def hilbert(x, N=None, axis=-1):
    """The analytic signal, by the Hilbert transform.

    Parameters
    ----------
    x : array_like
        Real.
    N : int, optional
        Points of the transform: `x` is cut to them, or padded with zeros. Its length by
        default.
    axis : int, optional

    Returns
    -------
    cupric.ndarray
        complex64, or complex128 where `x` is float64 or of integers. Its real part is
        `x`, its imaginary part the Hilbert transform.

    Raises
    ------
    ValueError
        `x` is complex, or `N` is not positive.

    References
    ----------
    S. L. Marple, "Computing the discrete-time analytic signal via FFT", IEEE
    Transactions on Signal Processing 47 (9), 1999.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import hilbert
    >>> cp.round(hilbert(cp.array([1.0, 0, -1, 0])), 6)
    array([ 1.+0.j,  0.+1.j, -1.+0.j,  0.-1.j])
    """
    x = _real(x)
    axis = arguments.axis(axis, x.ndim)
    n = x.shape[axis] if N is None else operator.index(N)
    if n <= 0:
        raise ValueError(f"N must be positive, not {n} (x is of shape {x.shape})")
    rows = rows_of(x, axis, transform_dtype(x.dtype))
    half = fft_of_real(rows, None if N is None else (n,), (-1,), None, "C")
    return along(analytic(half, n, n, True, (0, n // 2 + 1)), axis)


@where_it_lives
def hilbert2(x, N=None, axes=(-2, -1)):
    """The analytic signal over two axes.

    Parameters
    ----------
    x : array_like
        Real.
    N : int or tuple of two ints, optional
        Points of the transforms along `axes`; the lengths of `x` by default.
    axes : tuple of two ints, optional

    Returns
    -------
    cupric.ndarray
        Complex; it has no frequency that is negative along one of the axes.

    Raises
    ------
    ValueError
        `x` is complex, `N` is not positive, or `axes` are not two.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import hilbert2
    >>> x = cp.cos(2 * cp.pi * cp.arange(3) / 3)
    >>> abs(hilbert2(x * cp.ones((2, 1)))).round(6)
    array([[1., 1., 1.],
           [1., 1., 1.]])
    """
    x = _real(x)
    if x.ndim < 2:
        x = x.reshape(1, x.size)
    axes = tuple(axes)
    if len(axes) != 2:
        raise ValueError(f"axes must be a tuple of length 2, not {axes}")
    axes = tuple(arguments.axis(a, x.ndim) for a in axes)
    if axes[0] == axes[1]:
        raise ValueError(f"axes must contain 2 distinct axes, not {axes}")
    lengths = _two_lengths(N, [x.shape[a] for a in axes])
    dtype = arguments.complex_dtype(transform_dtype(x.dtype))
    planes = moveaxis(x, axes, (-2, -1))
    full = complex_fft(contiguous(planes).astype(dtype), lengths, (-2, -1), None, False)
    made = analytic_of_planes(contiguous(full))
    return contiguous(moveaxis(made, (-2, -1), axes))


def _two_lengths(N, shape):
    if N is None:
        lengths = tuple(shape)
    elif np.ndim(N) == 0:
        lengths = (operator.index(N),) * 2
    else:
        lengths = tuple(operator.index(n) for n in N)
        if len(lengths) != 2 or min(lengths) <= 0:
            raise ValueError(
                "When given as a tuple, N must hold exactly two positive integers, and "
                f"is {lengths}"
            )
    if min(lengths) <= 0:
        raise ValueError(f"N must be positive, not {lengths}")
    return lengths


def envelope(
    z, bp_in=(1, None), *, n_out=None, squared=False, residual="lowpass", axis=-1
):
    """The envelope of a signal: how large it is in a band of frequencies.

    Parameters
    ----------
    z : array_like
        Real or complex.
    bp_in : (int or None, int or None), optional
        The band, in multiples of ``1 / (n * T)`` for `n` samples that are `T` apart:
        the first frequency, from ``-n // 2``, and the one behind the last, up to
        ``(n + 1) // 2``. None stands for these. By default the mean is outside, as are
        negative frequencies, which real signals have not in any case.
    n_out : int, optional
        Samples of the results; as many as `z` has by default.
    squared : bool, optional
        The square of the envelope.
    residual : {'lowpass', 'all', None}, optional
        What is returned beside it: what of the signal is below the band, or all that is
        outside; or nothing.
    axis : int, optional

    Returns
    -------
    cupric.ndarray
        The envelope and, unless `residual` is None, the residual behind it, along a new
        first axis.

    Raises
    ------
    ValueError
        The band is not within those limits, `z` has no samples, or another argument is
        out of bounds.

    References
    ----------
    Leon Cohen, "Time-Frequency Analysis", Prentice Hall, 1995.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import envelope
    >>> t = cp.arange(8) / 8
    >>> cp.round(envelope(3 + cp.cos(2 * cp.pi * 2 * t)), 6)
    array([[1., 1., 1., 1., 1., 1., 1., 1.],
           [3., 3., 3., 3., 3., 3., 3., 3.]])
    """
    z = arguments.array(z, "z")
    if not -z.ndim <= axis < z.ndim:
        raise ValueError(f"Invalid parameter axis={axis} for z.shape={z.shape}!")
    n = z.shape[axis]
    if n == 0:
        raise ValueError(f"z.shape[axis] not > 0 for z.shape={z.shape}, axis={axis}!")
    low, high = _band(bp_in, n)
    if n_out is None:
        n_out = n
    elif not (isinstance(n_out, (int, np.integer)) and n_out > 0):
        raise ValueError(f"n_out={n_out} is not a positive integer or None!")
    if residual not in ("lowpass", "all", None):
        raise ValueError(f"residual={residual!r} not in ['lowpass', 'all', None]!")
    is_real = z.dtype.kind != "c"
    axis = axis % z.ndim
    bins = spectrum(rows_of(z, axis, transform_dtype(z.dtype)))
    band = analytic(bins, n, n_out, is_real, (low, high))
    size = band.real**2 + band.imag**2 if squared else _core.absolute(band)
    if residual is None:
        return along(size, axis)
    # The low-pass residual has nothing of what is above the band.
    out = (low, high) if residual == "all" else (low, n)
    rest = resampled(bins, n, n_out, is_real, out)
    both = _core.empty((2, *size.shape), rest.dtype, device=z.device)
    both[0], both[1] = size, rest
    return along(both, axis + 1)


def _band(bp_in, n):
    """The band's limits, as ints."""
    is_pair = len(bp_in) == 2 and all(
        b is None or isinstance(b, (int, np.integer)) for b in bp_in
    )
    if not is_pair:
        raise ValueError(
            f"bp_in={bp_in} isn't a 2-tuple of type (int | None, int | None)!"
        )
    low = -(n // 2) if bp_in[0] is None else int(bp_in[0])
    high = (n + 1) // 2 if bp_in[1] is None else int(bp_in[1])
    if not -(n // 2) <= low < high <= (n + 1) // 2:
        raise ValueError(
            "`-n//2 <= bp_in[0] < bp_in[1] <= (n+1)//2` does not hold for n="
            f"z.shape[axis]={n} and bp_in={(low, high)}!"
        )
    return low, high
