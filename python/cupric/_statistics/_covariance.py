"""Covariance and correlation of the rows or columns of a matrix."""

import math
import warnings

import numpy as np

from cupric import _core
from cupric._manipulation._args import device_array, parameter_array, where_it_lives
from cupric._manipulation._join import concatenate
from cupric._statistics._order import average

__all__ = [
    "corrcoef",
    "cov",
]


def _observations(a, rowvar, dtype):
    """A matrix with a variable in each row."""
    if a.ndim > 2:
        raise ValueError(f"a matrix is needed, the array has {a.ndim} dimensions")
    if a.ndim < 2:
        return a.reshape(1, -1).astype(dtype, copy=False)
    return (a if rowvar else a.T).astype(dtype, copy=False)


def _weights(w, name, count):
    w = device_array(w)
    if w.ndim != 1 or w.size != count:
        raise RuntimeError(
            f"{name} has shape {w.shape}, there are {count} observations"
        )
    if _core.any(w < 0).item():
        raise ValueError(f"{name} cannot be negative")
    return w.astype(np.float64)


def _are_whole(x):
    """Whether no number has a fraction. Floats wait for the device."""
    if x.dtype.kind in "biu":
        return True
    return x.dtype.kind == "f" and bool(_core.all(x == _core.rint(x)))


@where_it_lives
def cov(
    a,
    y=None,
    rowvar=True,
    bias=False,
    ddof=None,
    fweights=None,
    aweights=None,
    *,
    dtype=None,
):
    """Covariance matrix.

    Parameters
    ----------
    a : cupric.ndarray
        Variables in its rows, observations in its columns.
    y : cupric.ndarray, optional
        More variables.
    rowvar : bool, optional
        False: variables are columns.
    bias : bool, optional
        Divide by the count of observations, not by one less.
    ddof : int, optional
        What to take off the count, in place of `bias`.
    fweights : cupric.ndarray of ints, optional
        How often each observation was made.
    aweights : cupric.ndarray, optional
        The weight of each observation.
    dtype : data-type, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.cov(cp.array([[0, 1, 2], [2, 1, 0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if ddof is not None and ddof != int(ddof):
        raise ValueError(f"ddof must be an integer, not {ddof}")
    arrays = [parameter_array(v) for v in ((a,) if y is None else (a, y))]
    if dtype is None:
        dtype = np.result_type(*(v.dtype for v in arrays), np.float64)
    parts = [_observations(v, rowvar, dtype) for v in arrays]
    x = parts[0] if len(parts) == 1 else concatenate(parts)
    if x.shape[0] == 0:
        return _core.empty((0, 0), np.float64)
    ddof = int(not bias) if ddof is None else ddof
    w, count = None, x.shape[1]
    if fweights is not None:
        fweights = device_array(fweights)
        if not _are_whole(fweights):
            raise TypeError("fweights must be integers: a number of times")
        w = _weights(fweights, "fweights", x.shape[1])
    if aweights is not None:
        weights = _weights(aweights, "aweights", x.shape[1])
        w = weights if w is None else w * weights
    if w is None:
        mean = _core.mean(x, axis=1, keepdims=True)
        count -= ddof
    else:
        mean, total = average(x, axis=1, weights=w, returned=True, keepdims=True)
        count = total[0].item()
        if aweights is None or ddof == 0:
            count -= ddof
        else:
            count -= ddof * (w * weights).sum().item() / count
    if count.real <= 0:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
        count = 0.0
    if x.dtype.kind not in "fc":
        raise TypeError(
            f"a covariance cannot be computed in {x.dtype}: it has fractions"
        )
    x = x - mean
    weighted = x if w is None else x * w
    if x.dtype.kind == "c":
        weighted = _core.conjugate(weighted)
    c = _core.matmul(x, weighted.T)
    number = c.real.dtype.type
    c *= number(1) / number(count.real) if count else math.inf
    return c.squeeze()


@where_it_lives
def corrcoef(a, y=None, rowvar=True, bias=None, ddof=None, *, dtype=None):
    """Correlation coefficients.

    Parameters
    ----------
    a, y, rowvar, dtype : optional
        As for `cov`.
    bias, ddof : optional
        Deprecated; they make no difference.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.corrcoef(cp.array([[0, 1, 2], [2, 1, 0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if bias is not None or ddof is not None:
        warnings.warn(
            "bias and ddof have no effect and are deprecated",
            DeprecationWarning,
            stacklevel=3,
        )
    c = cov(a, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    scale = _core.sqrt(c.diagonal().real)
    c /= scale[:, None]
    c /= scale[None, :]
    for part in (c.real, c.imag) if c.dtype.kind == "c" else (c,):
        _core.clip(part, -1, 1, out=part)
    return c
