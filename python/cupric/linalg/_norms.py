"""Sizes of vectors and matrices."""

import numpy as np

from cupric import _core
from cupric._lib.kernels._library import Library
from cupric._lib.kernels._replay import replayed
from cupric._manipulation._args import device_array, parameter_array, where_it_lives
from cupric.linalg._errors import errstate
from cupric.linalg._solve import LinAlgError, inv, require_square, slogdet, svd

__all__ = [
    "cond",
    "matrix_norm",
    "norm",
    "vector_norm",
]


def _example(xp):
    results = []
    for dtype in "fdFD":
        a = (xp.arange(2 * 5 * 37) % 11).astype(dtype).reshape(2, 5, 37)
        results += [
            _extreme_sums(x, o) for x in (a, a.swapaxes(1, 2)) for o in (True, False)
        ]
    return results


_library = Library(__file__)
_extremes = _library.kernel(
    "extreme_sums<T>",
    blocks=True,
    threads="THREADS",
    ships="f d F D",
    example=_example,
)
_OF_A_BLOCK = 1 << 14  # elements of a matrix, at most
_BLOCKS = 128  # that need not be short, as there are so many


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

    Examples
    --------
    >>> cp.linalg.norm(cp.array([[3.0, 4.0], [6.0, 8.0]]), axis=1)
    array([ 5., 10.])
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
            return _core.reductions.norm_2(x, keepdims=keepdims)
        axis = tuple(range(x.ndim))
    if not isinstance(axis, tuple):
        if not np.isscalar(axis):
            raise TypeError("'axis' must be None, an integer or a tuple of integers")
        axis = (int(axis),)
    axis = tuple(np.lib.array_utils.normalize_axis_tuple(axis, x.ndim))
    if len(axis) == 1:
        return _vector_norm(x, ord, axis, keepdims)
    if len(axis) == 2:
        return _matrix_norm(x, ord, axis, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


_BY_ORDER = {
    None: _core.reductions.norm_2,
    2: _core.reductions.norm_2,
    1: _core.reductions.norm_1,
    0: _core.reductions.norm_0,
    np.inf: _core.reductions.norm_max,
    -np.inf: _core.reductions.norm_min,
}


def _vector_norm(x, ord, axis, keepdims):
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    reduction = _BY_ORDER.get(ord)
    if reduction is not None:
        return reduction(x, axis=axis, keepdims=keepdims)
    result = _core.reductions.norm_p(x, axis=axis, keepdims=keepdims, ord=ord)
    if x.size == 0 and ord < 0:
        result.fill(np.inf)  # 0 ** (1 / ord)
    return result


def _matrix_norm(x, ord, axis, keepdims):
    row, column = axis
    if row == column:
        raise ValueError("Duplicate axes given.")
    if ord in (2, -2, "nuc"):
        rest = [i for i in range(x.ndim) if i not in axis]
        s = _singular_values(x.transpose([*rest, row, column]))
        if ord == "nuc":
            result = s.sum(-1)
        else:
            result = s.max(-1, initial=0) if ord == 2 else s.min(-1)
    elif ord in (None, "fro", "f"):
        result = _core.reductions.norm_2(x, axis=axis)
    elif ord in (1, -1, np.inf, -np.inf):
        along, across = (row, column) if abs(ord) == 1 else (column, row)
        if _is_one_launch(x, row, column):
            rest = [i for i in range(x.ndim) if i not in axis]
            stack = x.transpose([*rest, across, along])
            matrices = stack.reshape(-1, *stack.shape[-2:])
            result = _extreme_sums(matrices, ord > 0).reshape(stack.shape[:-2])
            return _with_axes(result, x, axis) if keepdims else result
        sums = _core.reductions.norm_1(x, axis=along)
        across -= across > along
        result = sums.max(across, initial=0) if ord > 0 else sums.min(across)
    else:
        raise ValueError("Invalid norm order for matrices.")
    return _with_axes(result, x, axis) if keepdims else result


def _singular_values(x):
    """NaN for a matrix that has one, as any norm of it is, and for it alone."""
    with errstate(linalg="ignore"):
        return svd(x, compute_uv=False)


def _with_axes(result, x, axis):
    """What was reduced along axes of x, with these axes."""
    return result.reshape([1 if i in axis else n for i, n in enumerate(x.shape)])


def _is_one_launch(x, row, column):
    """Whether blocks take a matrix each: on GPUs small ones, or many."""
    if x.dtype.char not in "fdFD" or x.size == 0 or _library.on_host(x):
        return False
    each = x.shape[row] * x.shape[column]
    return each <= _OF_A_BLOCK or x.size // each >= _BLOCKS


@replayed
def _extreme_sums(x, largest):
    """The largest sum of magnitudes along the last axis of x, (stack, columns, n), or
    the least, for each of the stack."""
    stack, columns, n = x.shape
    out = _core.empty(stack, np.finfo(x.dtype).dtype)
    along_is_dense = abs(x.strides[2]) <= abs(x.strides[1])
    lanes = 1
    if not _library.on_host(x):
        threads = _library.enum.THREADS
        wide = min(1 << (columns - 1).bit_length(), threads)
        lanes = max(threads // wide, 32 if along_is_dense else 1)
        lanes = min(lanes, 1 << (n - 1).bit_length())
    _extremes[x.dtype](
        x=x,
        out=out,
        lanes=lanes,
        lanes_first=along_is_dense,
        largest=largest,
        work=stack,
    )
    return out


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

    Examples
    --------
    >>> cp.linalg.vector_norm(cp.array([[3.0, 4.0], [6.0, 8.0]]), axis=1)
    array([ 5., 10.])
    """
    x = device_array(x)
    if axis is not None and not np.isscalar(axis):
        axis = np.lib.array_utils.normalize_axis_tuple(axis, x.ndim)
    return _vector_norm(x, ord, axis, keepdims)


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

    Examples
    --------
    >>> cp.linalg.matrix_norm(cp.array([[3.0, 0.0], [0.0, 4.0]]))
    array(5.)
    """
    return norm(x, ord, (-2, -1), keepdims)


@where_it_lives
def cond(x, p=None):
    """Condition number.

    Parameters
    ----------
    x : cupric.ndarray, shape (..., m, n)
    p : int, float, 'fro' or 'nuc', optional
        The norm; the 2-norm by default.

    Returns
    -------
    cupric.ndarray, shape (...)

    Examples
    --------
    >>> cp.linalg.cond(cp.diag(cp.array([8.0, 2.0])))
    array(4.)
    """
    x = parameter_array(x)
    if x.ndim >= 2 and 0 in x.shape[-2:]:
        raise LinAlgError("cond is not defined on empty arrays")
    if p is None or p in (2, -2):
        s = _singular_values(x)
        r = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        require_square(x)
        r = norm(x, p, (-2, -1)) * norm(_inverse(x), p, (-2, -1))
    # Of a singular matrix, not of one that has a NaN.
    has_nan = _core.reductions.any_nan(x, axis=(-2, -1))
    infinite = _core.logical_and(_core.isnan(r), ~has_nan)
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
