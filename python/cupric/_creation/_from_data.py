"""Arrays from data: of other arrays, of lists, of files and text."""

import numpy as np

from cupric import _core
from cupric._core import (
    array,
    asanyarray,
    asarray,
    ascontiguousarray,
    asfortranarray,
    asnumpy,
    from_dlpack,
)
from cupric._manipulation._args import array_with_methods

__all__ = [
    "array",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "asnumpy",
    "copy",
    "from_dlpack",
    "fromDlpack",
    "frombuffer",
    "fromfile",
    "fromfunction",
    "fromiter",
    "fromstring",
    "genfromtxt",
    "loadtxt",
]


def asarray_chkfinite(a, dtype=None, order=None):
    """As `asarray`, with ValueError for NaNs and infinities. Waits for the device.

    Parameters
    ----------
    a : array_like
        What is converted.
    dtype : dtype, optional
        Of the result; that of the elements when left out.
    order : {'C', 'F', 'A', 'K'}, optional
        Memory layout that is needed; any when left out.

    Returns
    -------
    cupric.ndarray
        `a` itself where it is an array of what is asked for.

    Examples
    --------
    >>> cp.asarray_chkfinite([1.0, 2.0])
    array([1., 2.])
    """
    a = asarray(a, dtype, order)
    if a.dtype.kind in "fc" and not bool(_core.isfinite(a).all()):
        raise ValueError("array must not contain infs or NaNs")
    return a


def copy(a, order="K"):
    """A copy of an array, on the current device.

    Parameters
    ----------
    a : cupric.ndarray
        The array.
    order : {'C', 'F', 'A', 'K'}, optional
        Layout of the copy; 'K' keeps that of the array.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.copy(cp.arange(3))
    array([0, 1, 2])
    """
    return array_with_methods(a).copy(order)


def fromDlpack(dltensor):
    """An array over the memory of a DLPack capsule. Prefer `from_dlpack`.

    Parameters
    ----------
    dltensor : PyCapsule
        What ``toDlpack`` of an array returns; it is used up.

    Returns
    -------
    cupric.ndarray
        It shares the memory.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     cp.fromDlpack(cp.arange(3).toDlpack())
    array([0, 1, 2])
    """
    return _core.from_dlpack(dltensor)


def frombuffer(*args, **kwargs):
    r"""A new array with the contents of a buffer, read as `numpy.frombuffer` does.

    Parameters
    ----------
    *args, **kwargs
        Those of `numpy.frombuffer`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.frombuffer(b"\x01\x02", dtype="uint8")
    array([1, 2], dtype=uint8)
    """
    return array(np.frombuffer(*args, **kwargs))


def fromfile(*args, **kwargs):
    """A new array from a file of raw or text data, read as `numpy.fromfile` does.

    Parameters
    ----------
    *args, **kwargs
        Those of `numpy.fromfile`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "x")
    ...     cp.arange(3).tofile(path)
    ...     cp.fromfile(path, dtype="int64")
    array([0, 1, 2])
    """
    return array(np.fromfile(*args, **kwargs))


def fromfunction(*args, **kwargs):
    """A new array from a function of coordinates, called as by `numpy.fromfunction`.

    Parameters
    ----------
    *args, **kwargs
        Those of `numpy.fromfunction`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.fromfunction(lambda i, j: 10 * i + j, (2, 3))
    array([[ 0.,  1.,  2.],
           [10., 11., 12.]])
    """
    return array(np.fromfunction(*args, **kwargs))


def fromiter(*args, **kwargs):
    """A new vector from an iterable, read as `numpy.fromiter` does.

    Parameters
    ----------
    *args, **kwargs
        Those of `numpy.fromiter`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.fromiter((i * i for i in range(4)), dtype="int64")
    array([0, 1, 4, 9])
    """
    return array(np.fromiter(*args, **kwargs))


def fromstring(*args, **kwargs):
    """A new vector from text, read as `numpy.fromstring` does.

    Parameters
    ----------
    *args, **kwargs
        Those of `numpy.fromstring`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> cp.fromstring("1 2 3", dtype="int64", sep=" ")
    array([1, 2, 3])
    """
    return array(np.fromstring(*args, **kwargs))


def loadtxt(*args, **kwargs):
    r"""A new array from a text file, read as `numpy.loadtxt` does.

    Parameters
    ----------
    *args, **kwargs
        Those of `numpy.loadtxt`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> import io
    >>> cp.loadtxt(io.StringIO("1 2\n3 4"))
    array([[1., 2.],
           [3., 4.]])
    """
    return array(np.loadtxt(*args, **kwargs))


def genfromtxt(*args, **kwargs):
    r"""A new array from a text file with gaps, read as `numpy.genfromtxt` does.

    Parameters
    ----------
    *args, **kwargs
        Those of `numpy.genfromtxt`.

    Returns
    -------
    cupric.ndarray
        New array.

    Examples
    --------
    >>> import io
    >>> cp.genfromtxt(io.StringIO("1,2\n3,"), delimiter=",")
    array([[ 1.,  2.],
           [ 3., nan]])
    """
    return array(np.genfromtxt(*args, **kwargs))
