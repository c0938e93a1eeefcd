"""Products of vectors, matrices and stacks of them."""

import math
import operator
import warnings

import numpy as np

from cupric import _core
from cupric._manipulation._args import (
    flattened,
    normalize_axis_tuple,
    parameter_array,
    require_one_device,
    store_result,
    where_it_lives,
)
from cupric._manipulation._dims import broadcast_shapes
from cupric._manipulation._transpose import moveaxis
from cupric.linalg._cross import cross_products
from cupric.linalg._cross import takes as takes_cross

__all__ = [
    "as_arrays",
    "cross",
    "kron",
    "matmul_along",
    "matrix_power",
    "multi_dot",
    "outer",
    "sum_of_products",
    "tensordot",
    "trace",
]


def as_array(a):
    if isinstance(a, _core.ndarray):
        return a
    if np.isscalar(a) or _core.offers_array(a):
        return _core.array(a, copy=None)
    raise _core._unsupported(a)


def as_arrays(*arrays):
    """Operands as arrays, scalars on the device of the others."""
    for a in arrays:
        if not isinstance(a, _core.ndarray):
            return _converted(*arrays)
    return arrays


@where_it_lives
def _converted(*arrays):
    return [as_array(a) for a in arrays]


def _store(result, out):
    """The result, or `out` holding it: numpy.dot's rules for `out`, but a single number
    may go into an array of shape (1,)."""
    if out is None:
        return result
    if not isinstance(out, _core.ndarray):
        raise _core._unsupported(out)
    fits = out.shape == result.shape or (result.ndim == 0 and out.shape == (1,))
    if not fits or out.dtype != result.dtype or not out.flags.c_contiguous:
        raise ValueError(
            f"output array is not acceptable: it has shape {out.shape}, dtype "
            f"{out.dtype} and strides {out.strides}, the product has {result.shape} "
            f"and {result.dtype}, in C order"
        )
    require_one_device(result, out)
    out[...] = result
    return out


def dot(a, b, out=None):
    """`dot` of what the core does not multiply at once."""
    if isinstance(a, np.ndarray):
        return a.dot(b, out)
    a, b = as_arrays(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return _store(a * b, out)
    if b.ndim <= 2:
        if a.shape[-1] != b.shape[-2 if b.ndim == 2 else 0]:
            axis = b.ndim - 2 if b.ndim == 2 else 0
            raise ValueError(
                f"shapes {a.shape} and {b.shape} not aligned: {a.shape[-1]} "
                f"(dim {a.ndim - 1}) != {b.shape[axis]} (dim {axis})"
            )
        if a.ndim > 2:
            flat = a.reshape(math.prod(a.shape[:-1]), a.shape[-1])
            product = _core.matmul(flat, b)
            return _store(product.reshape(a.shape[:-1] + b.shape[1:]), out)
        return _store(_core.matmul(a, b), out)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(
            f"shapes {a.shape} and {b.shape} not aligned: {a.shape[-1]} "
            f"(dim {a.ndim - 1}) != {b.shape[-2]} (dim {b.ndim - 2})"
        )
    return _store(tensordot(a, b, axes=((a.ndim - 1,), (b.ndim - 2,))), out)


def matmul_along(x1, x2, axes, out=None, casting=None, dtype=None):
    """`matmul` with ``axes=[of x1, of x2, of the result]``: where the matrices lie."""
    if not isinstance(axes, list):
        raise TypeError("axes should be a list.")
    if len(axes) != 3:
        raise ValueError(f"axes has {len(axes)} entries, matmul has 3 operands")
    x1, x2 = (_core_last(x, axes[k], k) for k, x in enumerate(as_arrays(x1, x2)))
    casting = "same_kind" if casting is None else casting
    r = _core.matmul(x1, x2, casting=casting, dtype=dtype)
    ncore = (x1.ndim > 1) + (x2.ndim > 1)
    to = _core_axes(axes[2], ncore, r.ndim, 2)
    r = moveaxis(r, tuple(range(r.ndim - ncore, r.ndim)), to)
    return store_result(r, out, casting)


def _core_last(x, axes, k):
    """Operand k with the axes of its matrix, or vector, at the end."""
    ncore = min(x.ndim, 2)
    axes = _core_axes(axes, ncore, x.ndim, k)
    return moveaxis(x, axes, tuple(range(x.ndim - ncore, x.ndim)))


def _core_axes(axes, ncore, ndim, k):
    """The entry of `axes` for operand k, checked."""
    entry = axes if isinstance(axes, tuple) else (operator.index(axes),)
    if len(entry) != ncore:
        raise np.exceptions.AxisError(
            f"matmul: operand {k} has {ncore} core dimensions, axes names {axes}"
        )
    return normalize_axis_tuple(entry, ndim, f"axes item {k}")


def vdot(a, b):
    """`vdot` of what are no two vectors: the core calls it."""
    a, b = as_arrays(a, b)
    if a.size != b.size:
        raise ValueError(f"Axis dimension mismatch: sizes {a.size} and {b.size}")
    return _core.matmul(flattened(a).conj(), flattened(b))


def vecdot(x1, x2, /, out=None, *, axis=-1):
    """`vecdot` of what are no two dense vectors: the core calls it."""
    x1, x2 = as_arrays(x1, x2)
    if x1.ndim == 0 or x2.ndim == 0:
        raise ValueError("vecdot: the operands need at least one dimension")
    x1, x2 = _last(x1, axis), _last(x2, axis)
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError(
            f"vecdot: the operands have {x1.shape[-1]} and {x2.shape[-1]} elements "
            f"along axis {axis}"
        )
    if all(x.dtype.char in "fd" and x.strides[-1] == x.itemsize for x in (x1, x2)):
        return store_result(sum_of_products(x1, x2), out)  # the library's, and faster
    return store_result(_core.reductions.vecdot(x1, x2, axis=-1), out)


def matvec(x1, x2, /, out=None):
    """`matvec` of stacks: the core calls it."""
    x1, x2 = as_arrays(x1, x2)
    if x1.ndim < 2 or x2.ndim < 1:
        raise ValueError(
            "matvec: a matrix and a vector are needed, the operands have "
            f"{x1.ndim} and {x2.ndim} dimensions"
        )
    return store_result(_core.matmul(x1, x2[..., None])[..., 0], out)


def vecmat(x1, x2, /, out=None):
    """`vecmat` of stacks and of complex vectors: the core calls it."""
    x1, x2 = as_arrays(x1, x2)
    if x1.ndim < 1 or x2.ndim < 2:
        raise ValueError(
            "vecmat: a vector and a matrix are needed, the operands have "
            f"{x1.ndim} and {x2.ndim} dimensions"
        )
    return store_result(_core.matmul(x1.conj()[..., None, :], x2)[..., 0, :], out)


def sum_of_products(a, b):
    """``(a * b).sum(-1)`` in the promoted dtype, without the product in memory."""
    if max(a.ndim, b.ndim) == 1:
        return _core.matmul(a, b)
    return _core.matmul(a[..., None, :], b[..., None])[..., 0, 0]


def inner(a, b):
    """`inner` of what are no two vectors: the core calls it."""
    a, b = as_arrays(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(
            f"shapes {a.shape} and {b.shape} not aligned: {a.shape[-1]} "
            f"(dim {a.ndim - 1}) != {b.shape[-1]} (dim {b.ndim - 1})"
        )
    return tensordot(a, b, axes=((a.ndim - 1,), (b.ndim - 1,)))


def outer(a, b, out=None):
    """Outer product of two flattened arrays.

    Parameters
    ----------
    a, b : cupric.ndarray
    out : cupric.ndarray, shape (a.size, b.size), optional

    Returns
    -------
    cupric.ndarray, shape (a.size, b.size)

    Examples
    --------
    >>> cp.outer(cp.array([1, 2]), cp.array([1, 10]))
    array([[ 1, 10],
           [ 2, 20]])
    """
    a, b = as_arrays(a, b)
    return _core.multiply(flattened(a)[:, None], flattened(b)[None, :], out=out)


def _contracted(axes, ndim):
    axes = [axes] if np.isscalar(axes) else list(axes)
    return [np.lib.array_utils.normalize_axis_index(int(x), ndim) for x in axes]


def tensordot(a, b, axes=2):
    """Sum of products over pairs of axes.

    Parameters
    ----------
    a, b : cupric.ndarray
    axes : int or pair of sequences of ints, optional
        The last `axes` axes of `a` with the first of `b`; or the axes of each.

    Returns
    -------
    cupric.ndarray
        The other axes of `a`, then those of `b`.

    Examples
    --------
    >>> cp.tensordot(cp.ones((2, 3, 4)), cp.ones((3, 4, 5)), axes=2).shape
    (2, 5)
    """
    a, b = as_arrays(a, b)
    if np.isscalar(axes):
        n = int(axes)
        if n < 0 or n > a.ndim or n > b.ndim:
            raise ValueError(
                f"tensordot: cannot sum over {n} axes of arrays with {a.ndim} and "
                f"{b.ndim} dimensions"
            )
        left, right = list(range(a.ndim - n, a.ndim)), list(range(n))
    else:
        left, right = _contracted(axes[0], a.ndim), _contracted(axes[1], b.ndim)
    if len(left) != len(right) or [a.shape[i] for i in left] != [
        b.shape[i] for i in right
    ]:
        raise ValueError(
            f"shape-mismatch for sum: axes {left} of {a.shape} and {right} of {b.shape}"
        )
    free_a = [i for i in range(a.ndim) if i not in left]
    free_b = [i for i in range(b.ndim) if i not in right]
    shape_a, shape_b = [a.shape[i] for i in free_a], [b.shape[i] for i in free_b]
    k = math.prod(a.shape[i] for i in left)
    matrix_a = a.transpose(free_a + left).reshape(math.prod(shape_a), k)
    matrix_b = b.transpose(right + free_b).reshape(k, math.prod(shape_b))
    return _core.matmul(matrix_a, matrix_b).reshape(*shape_a, *shape_b)


def kron(a, b):
    """Kronecker product: blocks of `b`, scaled by the elements of `a`.

    Parameters
    ----------
    a, b : cupric.ndarray
        The one of fewer dimensions gains leading axes.

    Returns
    -------
    cupric.ndarray
        Each length the product of the two.

    Examples
    --------
    >>> cp.kron(cp.array([1, 10]), cp.array([1, 2, 3]))
    array([ 1,  2,  3, 10, 20, 30])
    """
    a, b = as_arrays(a, b)
    ndim = max(a.ndim, b.ndim)
    shape_a = (1,) * (ndim - a.ndim) + a.shape
    shape_b = (1,) * (ndim - b.ndim) + b.shape
    wide_a = a.reshape([x for n in shape_a for x in (n, 1)])
    wide_b = b.reshape([x for n in shape_b for x in (1, n)])
    shape = [m * n for m, n in zip(shape_a, shape_b, strict=True)]
    return (wide_a * wide_b).reshape(shape)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """Sum along a diagonal.

    Parameters
    ----------
    a : cupric.ndarray
        At least two-dimensional.
    offset, axis1, axis2 : int, optional
        Which diagonal of which planes, as for `diagonal`.
    dtype : data-type, optional
        Of the sum.
    out : cupric.ndarray, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.trace(cp.array([[1, 2], [3, 4]]))
    array(5)
    """
    if isinstance(a, np.ndarray):
        return a.trace(offset, axis1, axis2, dtype, out)
    return as_array(a).diagonal(offset, axis1, axis2).sum(-1, dtype=dtype, out=out)


@where_it_lives
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Cross product of vectors with 2 or 3 components.

    Parameters
    ----------
    a, b : cupric.ndarray
        Vectors, broadcast over the other axes.
    axisa, axisb : int, optional
        Where they lie in `a` and in `b`.
    axisc : int, optional
        Where the result's vectors lie.
    axis : int, optional
        Instead of all three.

    Returns
    -------
    cupric.ndarray
        Without the vector axis when both have 2 components, which is deprecated.

    Examples
    --------
    >>> cp.cross(cp.array([1, 0, 0]), cp.array([0, 1, 0]))
    array([0, 0, 1])
    """
    a, b = parameter_array(a), parameter_array(b)
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = _last(a, axisa), _last(b, axisb)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError(
            "incompatible dimensions for cross product\n(dimension must be 2 or 3, not "
            f"{a.shape[-1]} and {b.shape[-1]})"
        )
    if 2 in (a.shape[-1], b.shape[-1]):
        warnings.warn(
            "Arrays of 2-dimensional vectors are deprecated. Use arrays of "
            "3-dimensional vectors instead.",
            DeprecationWarning,
            stacklevel=2,
        )
    shape = broadcast_shapes(a.shape[:-1], b.shape[:-1])
    dtype = np.promote_types(a.dtype, b.dtype)
    if dtype.kind not in "iufc":  # of bool, or times: says what is amiss
        _core.subtract(a[..., 0] * b[..., 1], a[..., 1] * b[..., 0])
    a, b = (x.astype(dtype, copy=False) for x in (a, b))
    a0, a1 = a[..., 0], a[..., 1]
    b0, b1 = b[..., 0], b[..., 1]
    if a.shape[-1] == 2 and b.shape[-1] == 2:
        return _core.cross_term(a0, b1, a1, b0)
    if takes_cross(dtype, shape):
        result = cross_products(a, b, shape)
    else:
        result = _core.empty((*shape, 3), dtype)
        a2 = a[..., 2] if a.shape[-1] == 3 else 0
        b2 = b[..., 2] if b.shape[-1] == 3 else 0
        _core.cross_term(a1, b2, a2, b1, result[..., 0])
        _core.cross_term(a2, b0, a0, b2, result[..., 1])
        _core.cross_term(a0, b1, a1, b0, result[..., 2])
    if axisc in (-1, result.ndim - 1):
        return result
    order = list(range(result.ndim - 1))
    order.insert(axisc % result.ndim, result.ndim - 1)
    return result.transpose(order)


def _last(a, axis):
    """`a` with one axis moved to the end."""
    axis = np.lib.array_utils.normalize_axis_index(axis, a.ndim)
    if axis == a.ndim - 1:
        return a
    return a.transpose([i for i in range(a.ndim) if i != axis] + [axis])


def matrix_power(a, n):
    """Raise a square matrix, or a stack of them, to an integer power.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)
    n : int
        Negative powers are those of the inverse.

    Returns
    -------
    cupric.ndarray, shape (..., m, m)

    Examples
    --------
    >>> cp.linalg.matrix_power(cp.array([[1, 1], [1, 0]]), 5)
    array([[8, 5],
           [5, 3]])
    """
    from cupric.linalg._small_power import power, takes_power
    from cupric.linalg._solve import inv, require_square

    a = as_array(a)
    require_square(a)
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError("exponent must be an integer") from None
    if n < 0:
        a, n = inv(a), -n
    if n == 0:
        result = _core.zeros(a.shape, a.dtype, device=a.device)
        m = a.shape[-1]
        result.reshape(*a.shape[:-2], m * m)[..., :: m + 1] = 1
        return result
    if takes_power(a, n):
        return power(a, n)
    result = None
    while n:
        if n & 1:
            result = a if result is None else _core.matmul(result, a)
        n >>= 1
        if n:
            a = _core.matmul(a, a)
    return result


def multi_dot(arrays, *, out=None):
    """Product of several matrices, in the cheapest order.

    Parameters
    ----------
    arrays : sequence of cupric.ndarray
        The first and the last may be vectors.
    out : cupric.ndarray, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.linalg.multi_dot([cp.ones((2, 3)), cp.ones((3, 4)), cp.ones((4, 2))])
    array([[12., 12.],
           [12., 12.]])
    """
    arrays = list(as_arrays(*arrays))
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    first, last = arrays[0].ndim, arrays[-1].ndim
    if first == 1:
        arrays[0] = arrays[0][None, :]
    if last == 1:
        arrays[-1] = arrays[-1][:, None]
    if any(a.ndim != 2 for a in arrays):
        raise np.linalg.LinAlgError("multi_dot needs matrices of two dimensions")
    result = _chain(arrays)
    if first == 1:
        result = result[0]
    if last == 1:
        result = result[..., 0]
    return _store(result, out)


def _chain(arrays):
    """Product in the order that dynamic programming finds (Cormen et al., 15.2)."""
    n = len(arrays)
    size = [a.shape[0] for a in arrays] + [arrays[-1].shape[1]]
    if n == 3:  # of two orders
        a, b, c = arrays
        m, k, j, n = size
        if m * j * (k + n) < k * n * (m + j):
            return _core.matmul(_core.matmul(a, b), c)
        return _core.matmul(a, _core.matmul(b, c))
    cost, split = {}, {}
    for i in range(n):
        cost[i, i] = 0
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            choices = (
                (cost[i, k] + cost[k + 1, j] + size[i] * size[k + 1] * size[j + 1], k)
                for k in range(i, j)
            )
            cost[i, j], split[i, j] = min(choices)

    def product(i, j):
        if i == j:
            return arrays[i]
        k = split[i, j]
        return _core.matmul(product(i, k), product(k + 1, j))

    return product(0, n - 1)
