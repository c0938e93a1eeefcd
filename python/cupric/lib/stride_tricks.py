"""Views by shape and strides."""

import operator

from cupric import _core
from cupric._manipulation._args import device_array, normalize_axis_index
from cupric._manipulation._dims import broadcast_to

__all__ = [
    "as_strided",
    "sliding_window_view",
]


def __dir__():
    return __all__


def as_strided(x, shape=None, strides=None):
    """A view of the memory of `x` with a shape and strides of its own.

    Elements of the view may be the same in memory: whoever writes through it should
    know which.

    Parameters
    ----------
    x : cupric.ndarray
    shape : sequence of int, optional
        That of `x`, if left out.
    strides : sequence of int, optional
        Bytes from one element to the next along each axis; those of `x`, if left out.

    Returns
    -------
    cupric.ndarray
        Read-only if `x` is.

    Raises
    ------
    ValueError
        Elements would lie outside of the memory that `x` is part of.

    Examples
    --------
    >>> x = cp.arange(5)
    >>> cp.lib.stride_tricks.as_strided(x, (3, 2), (x.itemsize, 2 * x.itemsize))
    array([[0, 2],
           [1, 3],
           [2, 4]])
    """
    x = device_array(x)
    shape = x.shape if shape is None else tuple(operator.index(n) for n in shape)
    strides = (
        x.strides if strides is None else tuple(operator.index(n) for n in strides)
    )
    if len(shape) != len(strides):
        raise ValueError(
            f"as_strided: shape {shape} and strides {strides} differ in length"
        )
    view = _core.ndarray(shape, x.dtype, x.data, strides=strides)
    return view if x.flags.writeable else broadcast_to(view, shape)


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """Every window of a shape in an array, as a view.

    Parameters
    ----------
    x : cupric.ndarray
    window_shape : int or tuple of int
        The window's length along each of `axis`.
    axis : int or tuple of int, optional
        Along which it slides; all axes, if left out.
    subok : bool
        Has no effect: the view is a `cupric.ndarray`.
    writeable : bool
        Whether the view can be written to. Windows overlap.

    Returns
    -------
    cupric.ndarray
        The axes of `x`, each shorter by what windows need, then those of the window.

    Raises
    ------
    ValueError
        A window is longer than its axis, of negative length, or `window_shape` does not
        fit `axis`.

    Examples
    --------
    >>> cp.lib.stride_tricks.sliding_window_view(cp.arange(5), 3)
    array([[0, 1, 2],
           [1, 2, 3],
           [2, 3, 4]])
    """
    x = device_array(x)
    window = _ints(window_shape)
    if any(n < 0 for n in window):
        raise ValueError(f"window_shape {window} has a negative length")
    axes = range(x.ndim) if axis is None else _ints(axis)
    if len(window) != len(axes):
        raise ValueError(
            f"window_shape {window} has to have a length for each of "
            + (f"the {x.ndim} axes of the array" if axis is None else f"axis {axis}")
        )
    shape, strides = list(x.shape), list(x.strides)
    for i, n in zip(axes, window, strict=True):
        i = normalize_axis_index(i, x.ndim)
        shape[i] -= n - 1
        if shape[i] < 1:
            raise ValueError(
                f"a window of shape {window} does not fit an array of shape {x.shape}"
            )
        strides.append(x.strides[i])
    view = as_strided(x, (*shape, *window), strides)
    return view if writeable else broadcast_to(view, view.shape)


def _ints(given):
    try:
        return tuple(operator.index(n) for n in given)
    except TypeError:
        return (operator.index(given),)
