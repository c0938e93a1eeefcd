"""Sizes of vectors and matrices."""

import numpy as np

from cupric import _core
from cupric._manipulation.args import device_array
from cupric.linalg.solve import LinAlgError, inv, require_square, slogdet, svd


def norm(x, ord=None, axis=None, keepdims=False):
    """Norm of vectors or matrices.

    Parameters
    ----------
    x : cupric.ndarray
    ord : int, float, 'fro' or 'nuc', optional
        Which norm; the 2-norm of a vector, Frobenius's of a matrix by default.
    axis : int or pair of ints, optional
        Where the vectors, or the matrices, lie. None: all of `x`.
    keepdims : bool, optional

    Returns
    -------
    cupric.ndarray
        Real, of float32 or float64 as the elements are.
    """
    x = device_array(x)
    if x.dtype.kind not in "fc":
        x = x.astype(np.float64)
    if axis is None:
        if (
            ord is None
            or (ord in ("f", "fro") and x.ndim == 2)
            or (ord == 2 and x.ndim == 1)
        ):
            result = _core.sqrt(_squares(x.ravel()).sum())
            return result.reshape((1,) * x.ndim) if keepdims else result
        axis = tuple(range(x.ndim))
    if not isinstance(axis, tuple):
        if not np.isscalar(axis):
            raise TypeError("'axis' must be None, an integer or a tuple of integers")
        axis = (int(axis),)
    axis = tuple(np.lib.array_utils.normalize_axis_tuple(axis, x.ndim))
    if len(axis) == 1:
        return _vector_norm(x, ord, axis[0], keepdims)
    if len(axis) == 2:
        return _matrix_norm(x, ord, axis, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def _squares(x):
    if x.dtype.kind == "c":
        return x.real * x.real + x.imag * x.imag
    return x * x


def _vector_norm(x, ord, axis, keepdims):
    options = {"axis": axis, "keepdims": keepdims}
    if ord is None or ord == 2:
        return _core.sqrt(_squares(x).sum(**options))
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    if ord == np.inf:
        return abs(x).max(initial=0, **options)
    if ord == -np.inf:
        return abs(x).min(**options)
    if ord == 0:
        return (x != 0).astype(x.real.dtype).sum(**options)
    if ord == 1:
        return abs(x).sum(**options)
    return _core.power(_core.power(abs(x), ord).sum(**options), 1 / ord)


def _matrix_norm(x, ord, axis, keepdims):
    row, column = axis
    if row == column:
        raise ValueError("Duplicate axes given.")
    if ord in (2, -2, "nuc"):
        rest = [i for i in range(x.ndim) if i not in axis]
        s = svd(x.transpose([*rest, row, column]), compute_uv=False)
        if ord == "nuc":
            result = s.sum(-1)
        else:
            result = s.max(-1, initial=0) if ord == 2 else s.min(-1)
    elif ord in (None, "fro", "f"):
        result = _core.sqrt(_squares(x).sum(axis=axis))
    elif ord in (1, -1, np.inf, -np.inf):
        along, across = (row, column) if abs(ord) == 1 else (column, row)
        sums = abs(x).sum(axis=along)
        across -= across > along
        result = sums.max(across, initial=0) if ord > 0 else sums.min(across)
    else:
        raise ValueError("Invalid norm order for matrices.")
    if keepdims:
        shape = list(x.shape)
        shape[row] = shape[column] = 1
        result = result.reshape(shape)
    return result


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """Norm of the vectors along `axis`, or of all elements.

    Parameters
    ----------
    x : cupric.ndarray
    axis : int or tuple of ints, optional
    keepdims : bool, optional
    ord : int or float, optional

    Returns
    -------
    cupric.ndarray
    """
    if axis is None:
        result = norm(x.ravel(), ord, 0)
        return result.reshape((1,) * x.ndim) if keepdims else result
    if np.isscalar(axis):
        return norm(x, ord, axis, keepdims)
    axes = np.lib.array_utils.normalize_axis_tuple(axis, x.ndim)
    rest = [i for i in range(x.ndim) if i not in axes]
    flat = x.transpose([*axes, *rest]).reshape(-1, *(x.shape[i] for i in rest))
    result = norm(flat, ord, 0)
    if keepdims:
        result = result.reshape([1 if i in axes else n for i, n in enumerate(x.shape)])
    return result


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Norm of the matrices in the last two axes.

    Parameters
    ----------
    x : cupric.ndarray, shape (..., m, n)
    keepdims : bool, optional
    ord : optional
        As for `norm`.

    Returns
    -------
    cupric.ndarray, shape (...)
    """
    return norm(x, ord, (-2, -1), keepdims)


def cond(x, p=None):
    """Condition number.

    Parameters
    ----------
    x : cupric.ndarray, shape (..., m, n)
    p : optional
        The norm; the 2-norm by default.

    Returns
    -------
    cupric.ndarray, shape (...)
    """
    x = device_array(x)
    if x.ndim >= 2 and 0 in x.shape[-2:]:
        raise LinAlgError("cond is not defined on empty arrays")
    if p is None or p in (2, -2):
        s = svd(x, compute_uv=False)
        r = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        require_square(x)
        r = norm(x, p, (-2, -1)) * norm(_inverse(x), p, (-2, -1))
    # Of a singular matrix, not of one that has a NaN.
    infinite = _core.logical_and(_core.isnan(r), ~_core.isnan(x).any((-2, -1)))
    return _core.where(infinite, r.dtype.type(np.inf), r)


def _inverse(x):
    """Inverses, with NaN in those of singular matrices."""
    try:
        return inv(x)
    except LinAlgError:
        pass
    m = x.shape[-1]
    one = _core.zeros((m, m), x.dtype, device=x.device)
    one.ravel()[:: m + 1] = 1
    singular = ~(abs(slogdet(x)[0]) > 0)[..., None, None]  # also of a NaN
    return _core.where(singular, np.nan, inv(_core.where(singular, one, x)))
