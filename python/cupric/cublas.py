"""BLAS by its own names: vectors and matrices of float32, float64 and their complexes.

``op(a)`` is `a` for ``'N'``, its transpose for ``'T'``, its conjugate transpose for
``'H'``. Factors may be numbers, or arrays of one element on the device.
"""

import numpy as np

from cupric import _core
from cupric._creation._basic import empty, zeros
from cupric._creation._matrix import tri
from cupric._cublas import add_multiple, adds_at_once, find_extreme, finds_extreme
from cupric._indexing._indexing import where
from cupric._manipulation._args import where_it_lives
from cupric._statistics import argmax, argmin
from cupric.linalg._solve import solve

__all__ = [
    "asum",
    "axpy",
    "batched_gesv",
    "dgmm",
    "dot",
    "dotc",
    "dotu",
    "geam",
    "gemm",
    "gemv",
    "ger",
    "gerc",
    "geru",
    "get_batched_gesv_limit",
    "iamax",
    "iamin",
    "nrm2",
    "sbmv",
    "scal",
    "set_batched_gesv_limit",
    "syrk",
]

_batched_gesv_limit = 256


def __dir__():
    return __all__


# ---- arguments -----------------------------------------------------------------------


def _require(arrays, ndims, kinds="fdFD", hint=""):
    """Arrays given by name: of a dtype of BLAS's, of one dtype and so many axes."""
    first = next(iter(arrays.values()))
    for (name, a), ndim in zip(arrays.items(), ndims, strict=True):
        if not isinstance(a, _core.ndarray):
            raise TypeError(f"{name}: {_core._unsupported(a)}")
        if a.dtype.char not in kinds:
            wanted = ", ".join(kinds)
            raise TypeError(f"{name}: {a.dtype} is not one of {wanted}{hint}")
        if ndim is not None and a.ndim != ndim:
            raise ValueError(f"{name} must have {ndim} dimensions, not {a.ndim}")
        if a.dtype != first.dtype:
            raise TypeError(f"{name} is of {a.dtype}, the others of {first.dtype}")


def _require_shape(name, a, shape):
    if a.shape != shape:
        raise ValueError(f"{name} has shape {a.shape}, {shape} is needed")


def _vector(x):
    if _core.are_vectors(x, x, "fdFD"):
        return
    _require({"x": x}, (1,))


def _vectors(x, y, kinds="fdFD", hint=""):
    if _core.are_vectors(x, y, kinds):
        return
    _require({"x": x, "y": y}, (1, 1), kinds, hint)
    if x.size != y.size:
        raise ValueError(f"x and y differ in length: {x.size} and {y.size}")


def _is_complex(a):
    return isinstance(a, _core.ndarray) and a.dtype.kind == "c"


def _factor(value, dtype):
    """A number of `dtype`, or an array without axes."""
    if type(value) is float or type(value) is int:
        return value  # as weak as it is, of the arrays' dtype
    if isinstance(value, _core.ndarray):
        return value.astype(dtype, copy=False).reshape(())
    return dtype.type(value)


def _op(trans, a):
    """`a` as it is multiplied. 0, 1 and 2 are cuBLAS's own names."""
    if trans in ("N", 0):
        return a
    if trans in ("T", 1):
        return a.T
    if trans in ("H", 2):
        return a.T.conj()
    raise TypeError(f"trans must be 'N', 'T' or 'H', not {trans!r}")


def _scaled(beta, y):
    """``beta * y``, without what is in `y` where `beta` is 0; None for nothing."""
    beta = _factor(beta, y.dtype)
    if isinstance(beta, _core.ndarray):
        return where(beta == 0, y.dtype.type(0), beta * y)
    return None if beta == 0 else beta * y


def _update(y, alpha, product, beta):
    """y = alpha * product + beta * y"""
    rest = _scaled(beta, y)
    made = product * _factor(alpha, y.dtype)
    y[...] = made if rest is None else made + rest


def _give(result, out):
    """`result`, or `out` with it, on the device or on the host."""
    if out is None:
        return result
    if not isinstance(out, _core.ndarray | np.ndarray):
        raise TypeError(
            f"out must be a cupric or NumPy array, not {type(out).__name__}"
        )
    out[...] = result.get() if isinstance(out, np.ndarray) else result
    return out


# ---- vectors -------------------------------------------------------------------------


def _magnitudes(x):
    """As BLAS measures complex numbers: without a square root."""
    return abs(x.real) + abs(x.imag) if x.dtype.kind == "c" else abs(x)


def _place(search, x, out):
    _vector(x)
    if x.size == 0:
        return _give(zeros((), np.int32), out)
    if finds_extreme(x):
        return _give(find_extreme(x, search is argmax), out)
    return _give((search(_magnitudes(x)) + 1).astype(np.int32), out)


@where_it_lives
def iamax(x, out=None):
    """Where the element of largest magnitude is, counted from 1.

    Parameters
    ----------
    x : cupric.ndarray, shape (n,)
        Of complex numbers the magnitude is the sum of those of both parts.
    out : cupric.ndarray or numpy.ndarray, optional
        Receives the result.

    Returns
    -------
    cupric.ndarray of int32, or `out`
        The first, of several; 0 where there is none.

    Examples
    --------
    >>> cp.cublas.iamax(cp.array([1.0, -3.0, 2.0]))
    array(2, dtype=int32)
    """
    return _place(argmax, x, out)


@where_it_lives
def iamin(x, out=None):
    """Where the element of smallest magnitude is, counted from 1.

    Parameters
    ----------
    x : cupric.ndarray, shape (n,)
        Of complex numbers the magnitude is the sum of those of both parts.
    out : cupric.ndarray or numpy.ndarray, optional
        Receives the result.

    Returns
    -------
    cupric.ndarray of int32, or `out`
        The first, of several; 0 where there is none.

    Examples
    --------
    >>> cp.cublas.iamin(cp.array([1.0, -3.0, 0.5]))
    array(3, dtype=int32)
    """
    return _place(argmin, x, out)


def asum(x, out=None):
    """Sum of magnitudes.

    Parameters
    ----------
    x : cupric.ndarray, shape (n,)
        Of complex numbers the magnitude is the sum of those of both parts.
    out : cupric.ndarray or numpy.ndarray, optional

    Returns
    -------
    cupric.ndarray, or `out`

    Examples
    --------
    >>> cp.cublas.asum(cp.array([1.0, -3.0, 2.0]))
    array(6.)
    """
    _vector(x)
    norm = _core.reductions.norm_1
    if not _is_complex(x):
        return _give(norm(x), out)
    if x.flags.c_contiguous:
        return _give(norm(x.view(x.dtype.char.lower())), out)
    return _give(norm(x.real) + norm(x.imag), out)


def nrm2(x, out=None):
    """Square root of the sum of squared absolute values.

    Parameters
    ----------
    x : cupric.ndarray, shape (n,)
    out : cupric.ndarray or numpy.ndarray, optional

    Returns
    -------
    cupric.ndarray, or `out`

    Examples
    --------
    >>> cp.cublas.nrm2(cp.array([3.0, 4.0]))
    array(5.)
    """
    _vector(x)
    return _give(_core.reductions.norm_2(x), out)


def axpy(a, x, y):
    """``y += a * x``

    Parameters
    ----------
    a : scalar or cupric.ndarray
    x, y : cupric.ndarray, shape (n,)

    Examples
    --------
    >>> y = cp.ones(3)
    >>> cp.cublas.axpy(2, cp.arange(3.0), y)
    >>> y
    array([1., 3., 5.])
    """
    _vectors(x, y)
    factor = _factor(a, x.dtype)
    if adds_at_once(factor, x, y):
        add_multiple(factor, x, y)
    else:
        y += x * factor


def scal(a, x):
    """``x *= a``

    Parameters
    ----------
    a : scalar or cupric.ndarray
    x : cupric.ndarray, shape (n,)

    Examples
    --------
    >>> x = cp.arange(3.0)
    >>> cp.cublas.scal(2, x)
    >>> x
    array([0., 2., 4.])
    """
    _vector(x)
    x *= _factor(a, x.dtype)


def dot(x, y, out=None):
    """Sum of products of real numbers.

    Parameters
    ----------
    x, y : cupric.ndarray, shape (n,)
    out : cupric.ndarray or numpy.ndarray, optional

    Returns
    -------
    cupric.ndarray, or `out`

    Examples
    --------
    >>> cp.cublas.dot(cp.arange(3.0), cp.ones(3))
    array(3.)
    """
    _vectors(x, y, "fd", ": use dotu or dotc")
    return _give(_core.dot(x, y), out)


def dotu(x, y, out=None):
    """Sum of products, of which no factor is conjugated.

    Parameters
    ----------
    x, y : cupric.ndarray, shape (n,)
    out : cupric.ndarray or numpy.ndarray, optional

    Returns
    -------
    cupric.ndarray, or `out`

    Examples
    --------
    >>> x = cp.array([1j, 2])
    >>> cp.cublas.dotu(x, x)
    array(3.+0.j)
    """
    _vectors(x, y)
    return _give(_core.dot(x, y), out)


def dotc(x, y, out=None):
    """Sum of products of the conjugate of `x` and `y`.

    Parameters
    ----------
    x, y : cupric.ndarray, shape (n,)
    out : cupric.ndarray or numpy.ndarray, optional

    Returns
    -------
    cupric.ndarray, or `out`

    Examples
    --------
    >>> x = cp.array([1j, 2])
    >>> cp.cublas.dotc(x, x)
    array(5.+0.j)
    """
    _vectors(x, y)
    return _give(_core.vdot(x, y), out)


# ---- a matrix and vectors ------------------------------------------------------------


def gemv(transa, alpha, a, x, beta, y):
    """``y = alpha * op(a) @ x + beta * y``

    Parameters
    ----------
    transa : {'N', 'T', 'H'}
    alpha, beta : scalar or cupric.ndarray
    a : cupric.ndarray, shape (m, n)
    x, y : cupric.ndarray
        Vectors that fit ``op(a)``; `y` is updated.

    Examples
    --------
    >>> a, y = cp.ones((2, 3)), cp.ones(2)
    >>> cp.cublas.gemv("N", 1, a, cp.arange(3.0), 10, y)
    >>> y
    array([13., 13.])
    """
    _require({"a": a, "x": x, "y": y}, (2, 1, 1))
    a = _op(transa, a)
    _require_shape("x", x, a.shape[1:])
    _require_shape("y", y, a.shape[:1])
    _update(y, alpha, _core.matmul(a, x), beta)


def ger(alpha, x, y, a):
    """``a += alpha * outer(x, y)`` of real numbers.

    Parameters
    ----------
    alpha : scalar or cupric.ndarray
    x, y : cupric.ndarray, shapes (m,) and (n,)
    a : cupric.ndarray, shape (m, n)
        Updated.

    Examples
    --------
    >>> a = cp.zeros((2, 2))
    >>> cp.cublas.ger(1, cp.array([1.0, 2]), cp.array([3.0, 4]), a)
    >>> a
    array([[3., 4.],
           [6., 8.]])
    """
    if _is_complex(a):
        raise TypeError("ger is for real numbers: use geru or gerc")
    geru(alpha, x, y, a)


def geru(alpha, x, y, a):
    """``a += alpha * outer(x, y)``

    Parameters
    ----------
    alpha : scalar or cupric.ndarray
    x, y : cupric.ndarray, shapes (m,) and (n,)
    a : cupric.ndarray, shape (m, n)
        Updated.

    Examples
    --------
    >>> a = cp.zeros((1, 2), complex)
    >>> cp.cublas.geru(1, cp.array([1j]), cp.array([1, 1j]), a)
    >>> a
    array([[ 0.+1.j, -1.+0.j]])
    """
    _require({"a": a, "x": x, "y": y}, (2, 1, 1))
    _require_shape("x", x, a.shape[:1])
    _require_shape("y", y, a.shape[1:])
    a += (x * _factor(alpha, a.dtype))[:, None] * y


def gerc(alpha, x, y, a):
    """``a += alpha * outer(x, conj(y))``

    Parameters
    ----------
    alpha : scalar or cupric.ndarray
    x, y : cupric.ndarray, shapes (m,) and (n,)
    a : cupric.ndarray, shape (m, n)
        Updated.

    Examples
    --------
    >>> a = cp.zeros((1, 2), complex)
    >>> cp.cublas.gerc(1, cp.array([1j]), cp.array([1, 1j]), a)
    >>> a
    array([[0.+1.j, 1.+0.j]])
    """
    geru(alpha, x, y.conj() if isinstance(y, _core.ndarray) else y, a)


def sbmv(k, alpha, a, x, beta, y, lower=False):
    """``y = alpha * A @ x + beta * y`` for a symmetric matrix of few diagonals.

    Parameters
    ----------
    k : int
        Diagonals above the main one.
    alpha, beta : scalar or cupric.ndarray
    a : cupric.ndarray of real numbers, shape (k + 1, n)
        The diagonals of A, each in a row: ``a[k + i - j, j]`` is the element (i, j) of
        the upper triangle, or ``a[i - j, j]`` of the lower.
    x, y : cupric.ndarray, shape (n,)
        `y` is updated.
    lower : bool
        Which triangle `a` holds.

    Returns
    -------
    cupric.ndarray
        `y`.

    Examples
    --------
    >>> a = cp.array([[0.0, 1, 1], [2, 2, 2]])  # above the diagonal, and it
    >>> cp.cublas.sbmv(1, 1, a, cp.ones(3), 0, cp.empty(3))
    array([3., 4., 3.])
    """
    _require({"a": a, "x": x, "y": y}, (2, 1, 1), "fd")
    n = a.shape[1]
    _require_shape("a", a, (k + 1, n))
    _require_shape("x", x, (n,))
    _require_shape("y", y, (n,))
    product = a[0 if lower else k] * x
    for d in range(1, min(k, n - 1) + 1):
        # Elements (i, i + d) of A, which are (i + d, i), too.
        diagonal = a[d, : n - d] if lower else a[k - d, d:]
        product[: n - d] += diagonal * x[d:]
        product[d:] += diagonal * x[: n - d]
    _update(y, alpha, product, beta)
    return y


# ---- matrices ------------------------------------------------------------------------


def _result(out, shape, dtype, order="F"):
    if out is None:
        return empty(shape, dtype, order)
    _require({"out": out}, (2,))
    _require_shape("out", out, shape)
    if out.dtype != dtype:
        raise TypeError(f"out is of {out.dtype}, the matrices of {dtype}")
    return out


@where_it_lives
def gemm(transa, transb, a, b, out=None, alpha=1.0, beta=0.0):
    """``alpha * op(a) @ op(b) + beta * out``

    Parameters
    ----------
    transa, transb : {'N', 'T', 'H'}
    a, b : cupric.ndarray
        Matrices.
    out : cupric.ndarray, optional
        Updated; without it, `beta` has no effect.
    alpha, beta : scalar or cupric.ndarray

    Returns
    -------
    cupric.ndarray
        `out`, or a new matrix in Fortran order.

    Examples
    --------
    >>> cp.cublas.gemm("N", "T", cp.ones((2, 3)), cp.ones((2, 3)))
    array([[3., 3.],
           [3., 3.]])
    """
    _require({"a": a, "b": b}, (2, 2))
    a, b = _op(transa, a), _op(transb, b)
    if a.shape[1] != b.shape[0]:
        raise ValueError(f"op(a) has shape {a.shape}, op(b) {b.shape}")
    made = _result(out, (a.shape[0], b.shape[1]), a.dtype)
    _update(made, alpha, _core.matmul(a, b), 0 if out is None else beta)
    return made


@where_it_lives
def geam(transa, transb, alpha, a, beta, b, out=None):
    """``alpha * op(a) + beta * op(b)``

    Parameters
    ----------
    transa, transb : {'N', 'T', 'H'}
    alpha, beta : scalar or cupric.ndarray
    a, b : cupric.ndarray
        Matrices.
    out : cupric.ndarray, optional
        Receives the sum.

    Returns
    -------
    cupric.ndarray
        `out`, or a new matrix in Fortran order.

    Examples
    --------
    >>> cp.cublas.geam("N", "T", 1, cp.eye(2), 2, cp.eye(2))
    array([[3., 0.],
           [0., 3.]])
    """
    _require({"a": a, "b": b}, (2, 2))
    a, b = _op(transa, a), _op(transb, b)
    _require_shape("op(b)", b, a.shape)
    made = _result(out, a.shape, a.dtype)
    made[...] = a * _factor(alpha, a.dtype) + b * _factor(beta, a.dtype)
    return made


@where_it_lives
def dgmm(side, a, x, out=None, incx=1):
    """``diag(x) @ a`` or ``a @ diag(x)``

    Parameters
    ----------
    side : {'L', 'R'}
        Where the diagonal matrix stands.
    a : cupric.ndarray, shape (m, n)
    x : cupric.ndarray
        Of at most two dimensions, read as it lies in memory.
    out : cupric.ndarray, optional
        Receives the product.
    incx : int
        Every how many elements of `x` one is taken; from the last if negative.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.cublas.dgmm("R", cp.ones((2, 2)), cp.array([1.0, 2]))
    array([[1., 2.],
           [1., 2.]])
    """
    _require({"a": a, "x": x}, (2, None))
    if side not in ("L", "R", 0, 1):
        raise ValueError(f"side must be 'L' or 'R', not {side!r}")
    left = side in ("L", 0)
    n = a.shape[0 if left else 1]
    least = (n - 1) * abs(incx) + 1 if n else 0
    if x.ndim > 2 or x.size < least:
        raise ValueError(
            f"x has shape {x.shape}: at most 2 dimensions and {least} elements or more "
            f"are needed, with incx={incx}"
        )
    x = x.ravel("K")
    if incx == 0:
        x = x[:1]
    else:
        x = x[: least : abs(incx)][:: 1 if incx > 0 else -1]
    made = _result(out, a.shape, a.dtype, "C" if a.flags.c_contiguous else "F")
    return _core.multiply(x[:, None] if left else x, a, out=made)


@where_it_lives
def syrk(trans, a, out=None, alpha=1.0, beta=0.0, lower=False):
    """A triangle of ``alpha * op(a) @ op(a).T + beta * out``

    Parameters
    ----------
    trans : {'N', 'T'}
    a : cupric.ndarray
        Matrix.
    out : cupric.ndarray, optional
        One triangle, with the diagonal, is updated, the other stays as it is; without
        it, that is zero, and `beta` has no effect.
    alpha, beta : scalar or cupric.ndarray
    lower : bool
        Which triangle.

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> cp.cublas.syrk("N", cp.ones((2, 3)), lower=True)
    array([[3., 0.],
           [3., 3.]])
    """
    _require({"a": a}, (2,))
    if trans not in ("N", "T", 0, 1):
        raise TypeError(f"trans must be 'N' or 'T', not {trans!r}")
    a = _op(trans, a)
    n = a.shape[0]
    if out is None:
        made, beta = zeros((n, n), a.dtype, "F"), 0
    else:
        made = _result(out, (n, n), a.dtype)
    whole = made.copy()
    _update(whole, alpha, _core.matmul(a, a.T), beta)
    triangle = tri(n, dtype=bool)
    made[...] = where(triangle if lower else triangle.T, whole, made)
    return made


# ---- equations -----------------------------------------------------------------------


def batched_gesv(a, b):
    """Solve ``a @ x = b`` for each matrix of a stack.

    Parameters
    ----------
    a : cupric.ndarray, shape (..., m, m)
    b : cupric.ndarray, shape (..., m) or (..., m, k)

    Returns
    -------
    cupric.ndarray
        Of the shape of `b`.

    Raises
    ------
    numpy.linalg.LinAlgError
        A matrix is singular.

    Examples
    --------
    >>> a = cp.stack([cp.eye(2), 2 * cp.eye(2)])
    >>> cp.cublas.batched_gesv(a, cp.ones((2, 2)))
    array([[1. , 1. ],
           [0.5, 0.5]])
    """
    for x in (a, b):
        if not isinstance(x, _core.ndarray):
            raise _core._unsupported(x)
    if b.ndim not in (a.ndim - 1, a.ndim) or a.shape[:-1] != b.shape[: a.ndim - 1]:
        raise ValueError(
            f"a has shape {a.shape}, b {b.shape}: (..., m, m) and (..., m) or "
            "(..., m, k) are needed"
        )
    vectors = b.ndim < a.ndim
    x = solve(a, b[..., None] if vectors else b)
    return x[..., 0] if vectors else x


def get_batched_gesv_limit():
    """What `set_batched_gesv_limit` was given: 256 to begin with.

    Returns
    -------
    int

    Examples
    --------
    >>> cp.cublas.get_batched_gesv_limit()
    256
    """
    return _batched_gesv_limit


def set_batched_gesv_limit(limit):
    """The order of matrices up to which CuPy solves a stack in one call.

    It is kept, and makes no difference: here the device chooses.

    Parameters
    ----------
    limit : int

    Examples
    --------
    >>> cp.cublas.set_batched_gesv_limit(256)
    """
    global _batched_gesv_limit
    _batched_gesv_limit = limit
