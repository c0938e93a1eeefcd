"""Covariance and correlation of the rows or columns of a matrix."""

import math
import warnings

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed
from cupric._manipulation._args import parameter_array, where_it_lives
from cupric._manipulation._join import concatenate
from cupric._statistics._order import average

__all__ = [
    "corrcoef",
    "cov",
]


# Products are rounded one by one.
_library = Library(__file__, options=("-fmad=false",))


def _example(xp):
    x = xp.asarray(np.array([[1.0, 2, 4], [3, 1, 0], [5, 5, 6]]))
    return [xp.corrcoef(x), xp.corrcoef(x + 2j * x[::-1]), xp.corrcoef(x, dtype="f")]


def _deviations_example(xp):
    a = xp.arange(600.0).reshape(2, 300)
    return [_deviations_of(a.astype(x), np.dtype(t)) for x, t in _KINDS]


_correlations = _library.kernel(
    "correlations<T>", elements="pieces", ships="d D", example=_example
)
_KINDS = "id", "ld", "fd", "dd", "ff"  # of observations, and of what is computed
_deviations = _library.kernel(
    "deviations<X, T>",
    blocks=True,
    threads="THREADS",
    ships=" ".join(_KINDS),
    example=_deviations_example,
)
_OF_A_BLOCK = 1 << 14  # observations at most


def _observations(a, rowvar):
    """A matrix with a variable in each row."""
    if a.ndim > 2:
        raise ValueError(f"a matrix is needed, the array has {a.ndim} dimensions")
    if a.ndim < 2:
        return a.reshape(1, -1)
    return a if rowvar else a.T


def _joined(parts, dtype):
    """The variables of all parts; of others than `dtype` where converting is exact, and
    left to what is done next."""
    given = parts[0].dtype
    if any(v.dtype != given for v in parts) or not (
        given == dtype or _core.can_cast(given, dtype)
    ):
        parts = [v.astype(dtype, copy=False) for v in parts]
    return parts[0] if len(parts) == 1 else concatenate(parts)


def _weights(w, name, count):
    w = parameter_array(w)
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


def _products(a, y, rowvar, bias, ddof, fweights, aweights, dtype):
    """Sums of products of what deviates from means, and what gives their mean: the
    factor that makes covariances of them."""
    if ddof is not None and ddof != int(ddof):
        raise ValueError(f"ddof must be an integer, not {ddof}")
    arrays = [parameter_array(v) for v in ((a,) if y is None else (a, y))]
    if dtype is None:
        dtype = _core.result_type(*(v.dtype for v in arrays), np.float64)
    dtype = np.dtype(dtype)
    x = _joined([_observations(v, rowvar) for v in arrays], dtype)
    if x.shape[0] == 0:
        return _core.empty((0, 0), np.float64), 1.0
    if dtype.kind not in "fc":
        raise TypeError(f"a covariance cannot be computed in {dtype}: it has fractions")
    ddof = int(not bias) if ddof is None else ddof
    w, count = None, x.shape[1]
    if fweights is not None:
        fweights = parameter_array(fweights)
        if not _are_whole(fweights):
            raise TypeError("fweights must be integers: a number of times")
        w = _weights(fweights, "fweights", x.shape[1])
    if aweights is not None:
        weights = _weights(aweights, "aweights", x.shape[1])
        w = weights if w is None else w * weights
    together = w is None and _is_one_launch(x, dtype)
    if together:
        count -= ddof
    elif w is None:
        mean = _core.mean(x, axis=1, dtype=dtype, keepdims=True)
        count -= ddof
    else:
        x = x.astype(dtype, copy=False)
        mean, total = average(x, axis=1, weights=w, returned=True, keepdims=True)
        count = total[0].item()
        if aweights is None or ddof == 0:
            count -= ddof
        else:
            count -= ddof * (w * weights).sum().item() / count
    if count.real <= 0:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=3)
        count = 0.0
    x = _deviations_of(x, dtype) if together else x - mean
    weighted = x if w is None else x * w
    if x.dtype.kind == "c":
        weighted = _core.conjugate(weighted)
    c = _core.matmul(x, weighted.T)
    number = c.real.dtype.type
    return c, number(1) / number(count.real) if count else math.inf


def _is_one_launch(x, dtype):
    """Whether blocks take a variable each: on GPUs, and of few observations."""
    if _library.on_host(x) or x.dtype.char + dtype.char not in _KINDS:
        return False
    return 0 < x.shape[1] <= _OF_A_BLOCK


@replayed
def _deviations_of(x, dtype):
    """What rows deviate from their means."""
    out = _core.empty(x.shape, dtype)
    _deviations[x.dtype, dtype](x=x, out=out, work=len(x))
    return out


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
    c, factor = _products(a, y, rowvar, bias, ddof, fweights, aweights, dtype)
    c *= factor
    return c.squeeze()


@where_it_lives
def corrcoef(a, y=None, rowvar=True, bias=None, ddof=None, *, dtype=None):
    """Correlation coefficients.

    Parameters
    ----------
    a, y, rowvar, dtype : optional
        As for `cov`.
    bias, ddof : ignored
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
            stacklevel=2,
        )
    c, factor = _products(a, y, rowvar, False, None, None, None, dtype)
    if c.size == 1:
        c = (c * factor).squeeze()
        return c / c
    made = _core.result_type(c.dtype, np.float64)
    r = _correlate(c.astype(made, copy=False), float(factor))
    return r.astype(c.dtype, copy=False)


@replayed
def _correlate(c, factor):
    """Coefficients of correlation by sums of products of double precision."""
    out = _core.empty(c.shape, c.dtype)
    n = len(c)
    pieces = -(-n // _library.enum.RUN) if _library.on_host(out) else c.size
    _correlations[c.dtype](c=c, out=out, n=n, pieces=pieces, factor=factor)
    return out
