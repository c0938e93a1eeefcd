"""Filters by rank, and Wiener's, of signals."""

import operator

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupric._lib.kernels import replayed, warn
from cupricx.scipy.ndimage import rank_filter, uniform_filter

__all__ = ["medfilt", "medfilt2d", "order_filter", "wiener"]


def _sortable(x, function):
    x = arguments.array(x)
    if x.dtype.kind not in "iuf" or x.dtype.char not in "bBhHiIlLqQfd":
        raise ValueError(f"dtype={x.dtype} is not supported by {function}")
    return x


def _kernel_size(size, ndim, name="kernel_size"):
    """The window's lengths, which are odd."""
    sizes = [3] * ndim if size is None else np.asarray(_on_host(size))
    if np.ndim(sizes) == 0:
        sizes = [sizes[()]] * ndim
    sizes = list(sizes)
    if any(n % 2 != 1 for n in sizes):
        raise ValueError(f"Each element of {name} should be odd, not {sizes}")
    sizes = [operator.index(n) for n in sizes]
    if min(sizes, default=1) < 1:
        raise ValueError(f"{name} must be positive, not {sizes}")
    return sizes


def _on_host(value):
    return value.get() if isinstance(value, _core.ndarray) else value


@replayed
def medfilt(volume, kernel_size=None):
    """The median of the elements in a window about each.

    Parameters
    ----------
    volume : array_like
        Beyond its ends there are zeros.
    kernel_size : int or array_like, optional
        The window's length along each axis, odd; 3 by default.

    Returns
    -------
    cupric.ndarray
        Of the shape and dtype of `volume`.

    Raises
    ------
    ValueError
        A length of the window is even, or the dtype is none of integers, float32 and
        float64.
    RuntimeError
        There are not as many lengths as axes.

    Warns
    -----
    UserWarning
        The window is longer than `volume`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import medfilt
    >>> medfilt(cp.array([1.0, 9, 2, 3, 8]))
    array([1., 2., 3., 3., 3.])
    """
    volume = _sortable(volume, "medfilt")
    if volume.ndim == 0:
        volume = volume.reshape(1)
    sizes = _kernel_size(kernel_size, volume.ndim)
    if len(sizes) != volume.ndim:
        raise RuntimeError(
            "sequence argument must have length equal to input rank: kernel_size "
            f"{sizes} for shape {volume.shape}"
        )
    if any(k > n for k, n in zip(sizes, volume.shape, strict=True)):
        warn(
            "kernel_size exceeds volume extent: the volume will be zero-padded.",
            stacklevel=3,
        )
    return _median(volume, sizes)


def _median(x, sizes):
    if x.size == 0:
        return x.copy()
    rank = int(np.prod(sizes)) // 2
    return rank_filter(x, rank, size=tuple(sizes), mode="constant")


@replayed
def medfilt2d(input, kernel_size=3):
    """The median of the elements in a window about each, of an image.

    Parameters
    ----------
    input : array_like, two-dimensional
        Beyond its ends there are zeros.
    kernel_size : int or array_like, optional
        The window's length along each axis, odd.

    Returns
    -------
    cupric.ndarray
        Of the shape and dtype of `input`.

    Raises
    ------
    ValueError
        `input` has not two axes, a length of the window is even, or the dtype is none
        of integers, float32 and float64.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import medfilt2d
    >>> medfilt2d(cp.ones((3, 4), int))
    array([[0, 1, 1, 0],
           [1, 1, 1, 1],
           [0, 1, 1, 0]])
    """
    x = _sortable(input, "medfilt2d")
    sizes = _kernel_size(kernel_size, 2)
    if len(sizes) != 2:
        raise ValueError(f"kernel_size is one number or two, not {sizes}")
    if x.ndim != 2:
        raise ValueError(f"medfilt2d takes two axes, not an array of shape {x.shape}")
    return _median(x, sizes)


def order_filter(a, domain, rank):
    """The element of a rank in a window about each.

    Parameters
    ----------
    a : array_like
        Beyond its ends there are zeros.
    domain : array_like
        Which elements of the window count, those that are not 0; of the same number of
        axes, and of an odd length along each.
    rank : int
        0 is the least, -1 the greatest.

    Returns
    -------
    cupric.ndarray
        Of the shape and dtype of `a`.

    Raises
    ------
    ValueError
        A length of the window is even, or the dtype is none of integers, float32 and
        float64.
    RuntimeError
        `domain` has another number of axes, or there are not as many elements.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import order_filter
    >>> order_filter(cp.array([1, 9, 2, 3, 8]), [1, 1, 1], 2)
    array([9, 9, 9, 8, 8])
    """
    domain = np.asarray(_on_host(domain))
    if any(n % 2 != 1 for n in domain.shape):
        raise ValueError(
            "Each dimension of domain argument should have an odd number of elements, "
            f"and its shape is {domain.shape}"
        )
    a = _sortable(a, "order_filter")
    return rank_filter(a, rank, footprint=domain != 0, mode="constant")


@where_it_lives
def wiener(im, mysize=None, noise=None):
    """Wiener's adaptive filter: smooth where the variance is that of the noise.

    Parameters
    ----------
    im : array_like
        Beyond its ends there are zeros.
    mysize : int or array_like, optional
        The window's length along each axis, 3 by default.
    noise : float or array_like, optional
        The noise's variance; the mean of the variances of all windows by default.

    Returns
    -------
    cupric.ndarray
        float64 or complex128.

    References
    ----------
    Jae S. Lim, "Two-Dimensional Signal and Image Processing", Prentice Hall, 1990.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.signal import wiener
    >>> wiener(cp.array([2.0, 2, 2, 8, 2])).round(3)
    array([1.333, 2.   , 3.422, 5.156, 2.656])
    """
    im = arguments.array(im, "im")
    sizes = [3] * im.ndim if mysize is None else np.asarray(_on_host(mysize))
    if np.ndim(sizes) == 0:
        sizes = [sizes[()]] * im.ndim
    sizes = [operator.index(n) for n in sizes]
    if len(sizes) != im.ndim or min(sizes, default=1) < 1:
        raise ValueError(
            f"mysize={sizes}: a positive length for each axis of shape {im.shape}"
        )
    x = im.astype(np.complex128 if im.dtype.kind == "c" else np.float64, copy=False)
    if im.size == 0:
        return x.copy()
    mean = _local_mean(x, sizes)
    variance = _local_mean(x * x, sizes) - mean * mean
    if noise is None:
        noise = variance.mean()
    smoothed = (x - mean) * (1 - noise / variance) + mean
    return _core.where(variance < noise, mean, smoothed)


def _local_mean(x, sizes):
    return uniform_filter(x, tuple(sizes), mode="constant") if x.ndim else x
