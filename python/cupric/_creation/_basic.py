"""Arrays of a shape, with one value or none."""

import numpy as np

from cupric import _core
from cupric._core import empty, zeros
from cupric._manipulation._args import device_array

__all__ = [
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "identity",
    "layout_like",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
]


def layout_like(a, shape, order):
    """Axes of a new array, slowest-varying first, for a memory order."""
    ndim = len(shape)
    if order is None or order == "K":
        if len(a.shape) != ndim or a.flags.c_contiguous:
            return list(range(ndim))
        if a.flags.f_contiguous:  # also where strides are alike, of lengths of 1
            return list(range(ndim))[::-1]
        strides = [abs(s) for s in a.strides]
        return sorted(range(ndim), key=lambda i: (-strides[i], i))
    if order == "A":
        order = "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
    if order not in ("C", "F"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    axes = list(range(ndim))
    return axes if order == "C" else axes[::-1]


def empty_like(
    prototype, dtype=None, order="K", subok=None, shape=None, *, device=None
):
    """An uninitialised array of the shape and dtype of another.

    Parameters
    ----------
    prototype : cupric.ndarray
    dtype : dtype, optional
        Instead of the prototype's.
    order : {'C', 'F', 'A', 'K'}
        Memory layout; 'K' has the axes in memory as in the prototype.
    subok : None
        Present for NumPy's sake; subclasses are not kept.
    shape : int or tuple of ints, optional
        Instead of the prototype's.
    device : cupric.cuda.Device or int, optional
        Instead of the prototype's.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.empty_like(cp.zeros((2, 3))).shape
    (2, 3)
    """
    if subok:
        raise TypeError("subok is not supported: the result is a plain ndarray")
    plain = dtype is shape is device is None and order == "K"
    if plain and type(prototype) is _core.ndarray:
        return _core.new_like(prototype)
    if not hasattr(prototype, "flags"):
        prototype = device_array(prototype)
    if shape is None:
        shape = prototype.shape
    elif not isinstance(shape, tuple | list):
        shape = (shape,)
    dtype = prototype.dtype if dtype is None else dtype
    if device is None and isinstance(prototype, _core.ndarray):
        device = prototype.device
    if order in (None, "K", "A") and prototype.flags.c_contiguous:
        return empty(shape, dtype, device=device)
    axes = layout_like(prototype, shape, order)
    made = empty([shape[i] for i in axes], dtype, device=device)
    inverse = [0] * len(axes)
    for place, axis in enumerate(axes):
        inverse[axis] = place
    return made.transpose(inverse) if axes else made


def zeros_like(a, dtype=None, order="K", subok=None, shape=None, *, device=None):
    """A new array of zeros, of the shape and dtype of `a`.

    Parameters
    ----------
    a : cupric.ndarray
        The array whose shape, dtype and layout are taken.
    dtype : dtype, optional
        Instead of the dtype of `a`.
    order : {'C', 'F', 'A', 'K'}, optional
        Memory layout; 'K' has the axes in memory as in `a`.
    subok : None
        Present for NumPy's sake; subclasses are not kept.
    shape : int or tuple of ints, optional
        Instead of the shape of `a`.
    device : cupric.cuda.Device or int, optional
        Instead of the device of `a`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.zeros_like(cp.arange(3))
    array([0, 0, 0])
    """
    made = empty_like(a, dtype, order, subok, shape, device=device)
    made.fill(0)
    return made


def ones_like(a, dtype=None, order="K", subok=None, shape=None, *, device=None):
    """A new array of ones, of the shape and dtype of `a`.

    Parameters
    ----------
    a : cupric.ndarray
        The array whose shape, dtype and layout are taken.
    dtype : dtype, optional
        Instead of the dtype of `a`.
    order : {'C', 'F', 'A', 'K'}, optional
        Memory layout; 'K' has the axes in memory as in `a`.
    subok : None
        Present for NumPy's sake; subclasses are not kept.
    shape : int or tuple of ints, optional
        Instead of the shape of `a`.
    device : cupric.cuda.Device or int, optional
        Instead of the device of `a`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.ones_like(cp.arange(3))
    array([1, 1, 1])
    """
    made = empty_like(a, dtype, order, subok, shape, device=device)
    made.fill(1)
    return made


def full_like(
    a, fill_value, dtype=None, order="K", subok=None, shape=None, *, device=None
):
    """A new array filled with a value, of the shape and dtype of `a`.

    Parameters
    ----------
    a : cupric.ndarray
        The array whose shape, dtype and layout are taken.
    fill_value : scalar or array_like
        What broadcasts to the shape.
    dtype : dtype, optional
        Instead of the dtype of `a`.
    order : {'C', 'F', 'A', 'K'}, optional
        Memory layout; 'K' has the axes in memory as in `a`.
    subok : None
        Present for NumPy's sake; subclasses are not kept.
    shape : int or tuple of ints, optional
        Instead of the shape of `a`.
    device : cupric.cuda.Device or int, optional
        Instead of the device of `a`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.full_like(cp.arange(3), 7)
    array([7, 7, 7])
    """
    made = empty_like(a, dtype, order, subok, shape, device=device)
    _core.copy_where(made, fill_value, True, True)
    return made


def ones(shape, dtype=float, order="C", *, device=None):
    """A new array of ones.

    Parameters
    ----------
    shape : int or tuple of ints
        Lengths of the axes.
    dtype : dtype, optional
        float64 when left out.
    order : {'C', 'F'}, optional
        Rows or columns next to each other in memory.
    device : cupric.cuda.Device or int, optional
        Where; the current device when left out.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.ones((2, 2))
    array([[1., 1.],
           [1., 1.]])
    """
    made = empty(shape, dtype, order, device=device)
    made.fill(1)
    return made


def full(shape, fill_value, dtype=None, order="C", *, device=None):
    """A new array filled with a value.

    Parameters
    ----------
    shape : int or tuple of ints
    fill_value : scalar or array that broadcasts to `shape`
    dtype : dtype, optional
        By default that of `fill_value`.
    order : {'C', 'F'}
    device : cupric.cuda.Device or int, optional
        Where; the current device when left out.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.full(3, 2.5)
    array([2.5, 2.5, 2.5])
    """
    if dtype is None:
        if _core.offers_array(fill_value):
            fill_value = _core.array(fill_value, copy=None)
        if isinstance(fill_value, _core.ndarray):
            dtype = fill_value.dtype
        else:
            dtype = np.array(fill_value).dtype
    made = empty(shape, dtype, order, device=device)
    _core.copy_where(made, fill_value, True, True)
    return made


def eye(N, M=None, k=0, dtype=float, order="C", *, device=None):
    """A matrix with ones on one diagonal and zeros elsewhere.

    Parameters
    ----------
    N : int
        Rows.
    M : int, optional
        Columns; `N` by default.
    k : int
        The diagonal: 0 the main one, positive above it.
    dtype : dtype
    order : {'C', 'F'}
    device : cupric.cuda.Device or int, optional
        Where; the current device when left out.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.eye(2)
    array([[1., 0.],
           [0., 1.]])
    """
    M = N if M is None else M
    made = zeros((N, M), dtype, order, device=device)
    diagonal = made.diagonal(k)
    if diagonal.size:
        # Seen flat in memory order, a diagonal is a slice.
        flat = made.ravel("A" if order in ("F", "f") else "C")
        step, first = (M + 1, k if k >= 0 else -k * M)
        if order in ("F", "f"):
            step, first = (N + 1, k * N if k >= 0 else -k)
        flat[first : first + (diagonal.size - 1) * step + 1 : step] = 1
    return made


def identity(n, dtype=float):
    """A square matrix with ones on the main diagonal.

    Parameters
    ----------
    n : int
        Rows, and columns.
    dtype : dtype, optional
        float64 when left out.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.identity(2)
    array([[1., 0.],
           [0., 1.]])
    """
    return eye(n, dtype=dtype)
