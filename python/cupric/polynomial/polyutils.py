"""What functions of polynomials have in common: reading and trimming coefficients."""

import numpy as np

from cupric import _core
from cupric._manipulation._args import parameter_array, where_it_lives

__all__ = [
    "as_series",
    "trimcoef",
    "trimseq",
]


def __dir__():
    return __all__


@where_it_lives
def trimseq(seq):
    """Coefficients without trailing zeros, but the first. Waits for the device.

    Parameters
    ----------
    seq : cupric.ndarray, shape (n,)

    Returns
    -------
    cupric.ndarray
        A view.

    Examples
    --------
    >>> cp.polynomial.polyutils.trimseq(cp.array([0, 1, 2, 0, 0]))
    array([0, 1, 2])
    """
    return seq[: max(_length(seq != 0), 1)] if len(seq) else seq


def _length(wanted):
    """Up to the last that is true, how many there are."""
    places = _core.arange(1, len(wanted) + 1)
    return int(_core.max(_core.where(wanted, places, 0)))


@where_it_lives
def as_series(alist, trim=True):
    """Coefficients as arrays of one axis and a common dtype, floating or complex.

    Parameters
    ----------
    alist : sequence of cupric.ndarray
    trim : bool, optional
        Leave out trailing zeros, for which the device is waited for.

    Returns
    -------
    list of cupric.ndarray
        New arrays.

    Examples
    --------
    >>> cp.polynomial.polyutils.as_series([cp.array([1, 2, 0]), 3])
    [array([1., 2.]), array([3.])]
    """
    arrays = [parameter_array(a) for a in alist]
    arrays = [a.reshape(1) if a.ndim == 0 else a for a in arrays]
    for a in arrays:
        if a.size == 0:
            raise ValueError("Coefficient array is empty")
        if a.ndim != 1:
            raise ValueError(f"Coefficient array is not 1-d: it has {a.ndim} axes")
        if a.dtype.kind == "b":
            raise ValueError("Coefficient arrays have no common type: one is of bool")
    if trim:
        arrays = [trimseq(a) for a in arrays]
    kinds = [a.dtype if a.dtype.kind in "fc" else np.float64 for a in arrays]
    dtype = np.result_type(*kinds) if kinds else None
    return [a.astype(dtype) for a in arrays]


@where_it_lives
def trimcoef(c, tol=0):
    """Coefficients without trailing ones of a magnitude up to `tol`, but the first.
    Waits for the device.

    Parameters
    ----------
    c : cupric.ndarray, shape (n,)
    tol : float, optional

    Returns
    -------
    cupric.ndarray
        A new array; of the first coefficient's place with 0 where none is larger.

    Examples
    --------
    >>> cp.polynomial.polyutils.trimcoef(cp.array([0, 3, 0.1, 1e-9]), 0.01)
    array([0. , 3. , 0.1])
    """
    if tol < 0:
        raise ValueError(f"tol must be non-negative, not {tol}")
    (c,) = as_series([c])
    n = _length(_core.absolute(c) > tol)
    return c[:n].copy() if n else c[:1] * 0
