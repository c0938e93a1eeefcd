"""Diagonals, products and parts of matrices as new ones."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.kernels import warn
from cupricx.scipy.sparse._blocks import of_kind
from cupricx.scipy.sparse._coo import coo_array
from cupricx.scipy.sparse._kinds import class_of, issparse, sparray
from cupricx.scipy.sparse._reading import is_scipy, values_array
from cupricx.scipy.sparse._types import (
    fitting_index_dtype,
    is_dense,
    upcast,
    value_dtype,
)

__all__ = [
    "diags",
    "diags_array",
    "expand_dims",
    "eye",
    "eye_array",
    "find",
    "identity",
    "kron",
    "kronsum",
    "matrix_transpose",
    "permute_dims",
    "spdiags",
    "swapaxes",
    "tril",
    "triu",
]


# The dtype of diagonals that nothing is said of; found by identity.
_AS_SCIPY = "float64 for integers"


# ---- diagonals -----------------------------------------------------------------------


def _read_diagonals(diagonals, offsets):
    """Arrays of one axis, of the host or a device, and their offsets."""
    if isinstance(offsets, _core.ndarray):
        offsets = offsets.get()
    if np.ndim(offsets) == 0:
        if len(diagonals) and np.ndim(diagonals[0]) > 0:
            if len(diagonals) != 1:
                raise ValueError("Different number of diagonals and offsets.")
            diagonals = diagonals[0]
        diagonals, offsets = [diagonals], [int(offsets)]
    values = [
        np.atleast_1d(d) if not is_dense(d) else d.reshape(-1) if d.ndim == 0 else d
        for d in diagonals
    ]
    offsets = [int(k) for k in np.atleast_1d(np.asarray(offsets))]
    if len(values) != len(offsets):
        raise ValueError(
            "Different number of diagonals and offsets. "
            f"There are {len(values)} and {len(offsets)}"
        )
    if not values:
        raise ValueError("there are no diagonals, of which the shape could follow")
    if len(set(offsets)) < len(offsets):
        raise ValueError("offset array contains duplicate values")
    return values, offsets


def _diagonals_dtype(values, dtype):
    """The dtype of all; int becomes float64 where nothing is said, with a warning."""
    if dtype is not None and dtype is not _AS_SCIPY:
        return value_dtype(dtype)
    own = np.result_type(*(v.dtype for v in values))
    if dtype is None or own.kind in "fc":
        return value_dtype(own)
    if own.kind == "b":
        raise TypeError(
            "diagonals of bool need a dtype: dtype=bool, or None for theirs"
        )
    warn(
        f"Input has data type {own}, but the output has been cast to float64. In the "
        "future, the output data type will match the input. To avoid this warning, set "
        "the `dtype` parameter to `None` to have the output dtype match the input, or "
        "set it to the desired output data type.",
        FutureWarning,
        stacklevel=4,
    )
    return np.dtype(np.float64)


def _filled(values, offsets, shape, dtype):
    """The array of a dia matrix: rows, by columns of the matrix."""
    m, n = shape
    width = max(0, *(min(m + k, n - k) + max(0, k) for k in offsets))
    device = next((v.device for v in values if is_dense(v)), None)
    xp = np if device is None else _core
    made = xp.zeros(
        (len(offsets), width), dtype, **({"device": device} if device else {})
    )
    for row, (value, k) in enumerate(zip(values, offsets, strict=True)):
        length, first = min(m + k, n - k, m, n), max(0, k)
        if length < 0:
            raise ValueError(f"Offset {k} (index {row}) out of bounds")
        if value.ndim != 1:
            raise ValueError(f"diagonals have one axis, not {value.ndim}")
        if value.size < length and value.size != 1:
            raise ValueError(
                f"Diagonal length (index {row}: {value.size} at offset {k}) does not "
                f"agree with array size ({m}, {n})."
            )
        part = value if value.size == 1 else value[:length]
        if device is not None and not is_dense(part):
            part = values_array(part, dtype, device=device)
        if length:
            made[row, first : first + length] = part
    return values_array(made, dtype)


def _diags(diagonals, offsets, shape, format, dtype, is_array):
    values, offsets = _read_diagonals(diagonals, offsets)
    dtype = _diagonals_dtype(values, dtype)
    if shape is None:
        n = values[0].size + abs(offsets[0])
        shape = n, n
    shape = tuple(int(n) for n in shape)
    data = _filled(values, offsets, shape, dtype)
    return _of_diagonals(data, offsets, shape, is_array).asformat(format)


def _of_diagonals(data, offsets, shape, is_array):
    index = fitting_index_dtype(*shape)
    numbers = np.asarray(offsets, np.int64)
    offsets = _core.array(numbers.astype(index), device=data.device)
    return class_of("dia", is_array)._of(data, offsets, shape, numbers)


def diags_array(diagonals, /, *, offsets=0, shape=None, format=None, dtype=_AS_SCIPY):
    """A sparse array of diagonals.

    Parameters
    ----------
    diagonals : sequence of array_like
        A number, or a sequence of one, is repeated along its diagonal. Longer ones than
        it are cut.
    offsets : int or sequence of int, optional
        Of each: k > 0 above the main diagonal, k < 0 below it.
    shape : tuple of int, optional
        By default square, and large enough for the first.
    format : str, optional
        Of the result; by default dia.
    dtype : dtype, optional
        None for that of the diagonals. By default the same, but float64 for integers,
        with a warning that this will change, as in SciPy.

    Returns
    -------
    sparse array

    Examples
    --------
    >>> from cupricx.scipy.sparse import diags_array
    >>> diags_array([[1.0, 2, 3], [4.0, 5]], offsets=[0, 1]).toarray()
    array([[1., 4., 0.],
           [0., 2., 5.],
           [0., 0., 3.]])
    """
    return _diags(diagonals, offsets, shape, format, dtype, True)


def diags(diagonals, offsets=0, shape=None, format=None, dtype=_AS_SCIPY):
    """A sparse matrix of diagonals.

    Parameters
    ----------
    diagonals : sequence of array_like
        A number, or a sequence of one, is repeated along its diagonal. Longer ones than
        it are cut.
    offsets : int or sequence of int, optional
        Of each: k > 0 above the main diagonal, k < 0 below it.
    shape : tuple of int, optional
        By default square, and large enough for the first.
    format : str, optional
        Of the result; by default dia.
    dtype : dtype, optional
        None for that of the diagonals. By default the same, but float64 for integers,
        with a warning that this will change, as in SciPy.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cupricx.scipy.sparse import diags
    >>> diags([1.0, -2.0], [0, 1], shape=(2, 3)).toarray()
    array([[ 1., -2.,  0.],
           [ 0.,  1., -2.]])
    """
    return _diags(diagonals, offsets, shape, format, dtype, False)


def spdiags(data, diags, m=None, n=None, format=None):
    """A sparse matrix of the rows of an array as diagonals.

    Parameters
    ----------
    data : array_like
        Row k holds, in column j, the element of diagonal `diags[k]` in column j of the
        matrix.
    diags : int or sequence of int
        Offsets: k > 0 above the main diagonal, k < 0 below it.
    m, n : int, optional
        The shape, or `m` a tuple of both; by default square, of the length of rows.
    format : str, optional
        Of the result; by default dia.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cupricx.scipy.sparse import spdiags
    >>> spdiags([[1, 2, 3], [4, 5, 6]], [0, 1], 3, 3).toarray()
    array([[1, 5, 0],
           [0, 2, 6],
           [0, 0, 3]])
    """
    if m is None and n is None:
        m = n = data.shape[-1] if is_dense(data) else np.shape(data)[-1]
    elif n is None:
        m, n = m
    cls = class_of("dia", False)
    return cls((data, diags), shape=(m, n)).asformat(format)


def _ones(n, dtype):
    made = _core.empty(n, dtype)
    made.fill(1)
    return made


def _eye(m, n, k, dtype, format, is_array):
    dtype = value_dtype(dtype)
    m = int(m)
    n, k = m if n is None else int(n), int(k)
    length = min(m + k, n - k, m, n)
    if min(m, n) < 0 or length < 0:
        raise ValueError(f"Offset {k} (index 0) out of bounds of shape ({m}, {n})")
    if m != n or k != 0 or format not in ("csr", "csc", "coo"):
        data = _filled([np.ones(1, np.int64)], [k], (m, n), dtype)
        return _of_diagonals(data, [k], (m, n), is_array).asformat(format)
    cls, index = class_of(format, is_array), fitting_index_dtype(n)
    ends, data = _core.arange(n + 1, dtype=index), _ones(n, dtype)
    if format == "coo":
        return cls._of(data, (ends[:n], ends[:n].copy()), (n, n), True)
    return cls._of((ends, ends[:n].copy(), data), (n, n), canonical=True)


def eye_array(m, n=None, *, k=0, dtype=float, format=None):
    """A sparse array with ones on a diagonal.

    Parameters
    ----------
    m : int
        Rows.
    n : int, optional
        Columns; by default as many.
    k : int, optional
        Which diagonal: k > 0 above the main one, k < 0 below it.
    dtype : dtype, optional
    format : str, optional
        Of the result; by default dia.

    Returns
    -------
    sparse array

    Examples
    --------
    >>> from cupricx.scipy.sparse import eye_array
    >>> eye_array(2, 3, k=1).toarray()
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    return _eye(m, n, k, dtype, format, True)


def eye(m, n=None, k=0, dtype=float, format=None):
    """A sparse matrix with ones on a diagonal.

    Parameters
    ----------
    m : int
        Rows.
    n : int, optional
        Columns; by default as many.
    k : int, optional
        Which diagonal: k > 0 above the main one, k < 0 below it.
    dtype : dtype, optional
    format : str, optional
        Of the result; by default dia.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cupricx.scipy.sparse import eye
    >>> eye(2, dtype=int).toarray()
    array([[1, 0],
           [0, 1]])
    """
    return _eye(m, n, k, dtype, format, False)


def identity(n, dtype="d", format=None):
    """The identity as a sparse matrix.

    Parameters
    ----------
    n : int
        Rows and columns.
    dtype : dtype, optional
    format : str, optional
        Of the result; by default dia.

    Returns
    -------
    sparse matrix

    Examples
    --------
    >>> from cupricx.scipy.sparse import identity
    >>> identity(2).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    return _eye(n, n, 0, dtype, format, False)


# ---- products ------------------------------------------------------------------------


def _as_coo(x):
    """A sparse array, or what an array can be made of, as coo."""
    return x.tocoo(copy=False) if issparse(x) else coo_array(x)


def _is_array(*operands):
    return any(isinstance(x, sparray) for x in operands)


def kron(A, B, format=None):
    """The Kronecker product.

    Parameters
    ----------
    A, B : sparse array or matrix, or array_like
    format : str, optional
        Of the result; by default bsr where at least half of the elements of `B` are
        stored, else coo.

    Returns
    -------
    sparse array or matrix
        An array where one of the operands is.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array, kron
    >>> kron(csr_array(cp.array([[0, 2], [5, 0]])), cp.array([[1, 2]])).toarray()
    array([[ 0,  0,  2,  4],
           [ 5, 10,  0,  0]])
    """
    is_array = _is_array(A, B)
    B = _as_coo(B)
    by_blocks = format in (None, "bsr") and B.ndim == 2
    if by_blocks and 2 * B.nnz >= math.prod(B.shape):
        A = _as_coo(A)
        if A.ndim == 2 and A.nnz and B.nnz:
            return _kron_of_blocks(A.tocsr(), B, is_array).asformat(format)
    return _kron_of_elements(_as_coo(A), B, is_array).asformat(format)


def _kron_of_blocks(A, B, is_array):
    dense = B.toarray()
    data = A.data.reshape(-1, 1, 1) * dense
    shape = tuple(a * b for a, b in zip(A.shape, B.shape, strict=True))
    # Its classes check what they are given, which is right.
    return class_of("bsr", is_array)((data, A.indices, A.indptr), shape=shape)


def _kron_of_elements(A, B, is_array):
    ndim = max(A.ndim, B.ndim)
    shapes = [(1,) * (ndim - x.ndim) + x.shape for x in (A, B)]
    shape = tuple(a * b for a, b in zip(*shapes, strict=True))
    if A.nnz == 0 or B.nnz == 0:
        return of_kind(coo_array(shape), is_array)
    A, B = (
        x if x.ndim == ndim else x.reshape(s)
        for x, s in zip((A, B), shapes, strict=True)
    )
    index = np.result_type(
        A.coords[0].dtype, B.coords[0].dtype, fitting_index_dtype(*shape)
    )
    coords = [
        (
            a.astype(index, copy=False).reshape(-1, 1) * index.type(n)
            + b.astype(index, copy=False)
        ).reshape(-1)
        for a, b, n in zip(A.coords, B.coords, B.shape, strict=True)
    ]
    data = (A.data.reshape(-1, 1) * B.data).reshape(-1)
    return of_kind(coo_array._of(data, coords, shape), is_array)


def kronsum(A, B, format=None):
    """The Kronecker sum: `kron(I, A) + kron(B, I)`.

    Parameters
    ----------
    A, B : sparse array or matrix, or array_like
        Square.
    format : str, optional
        Of the result; by default csr.

    Returns
    -------
    sparse array or matrix
        An array where one of the operands is.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array, kronsum
    >>> kronsum(csr_array(cp.array([[1, 2], [3, 4]])), cp.array([[10]])).toarray()
    array([[11,  2],
           [ 3, 14]])
    """
    is_array = _is_array(A, B)
    A, B = _as_coo(A), _as_coo(B)
    for name, x in (("A", A), ("B", B)):
        if x.ndim != 2:
            raise ValueError(f"kronsum requires 2D inputs. `{name}` is {x.ndim}D.")
        if x.shape[0] != x.shape[1]:
            raise ValueError(f"{name} is not square: its shape is {x.shape}")
    dtype = upcast(A.dtype, B.dtype)
    with A.device:
        own, other = (_eye(x.shape[0], None, 0, dtype, "coo", True) for x in (A, B))
    left = _kron_of_elements(other, A, is_array).tocsr()
    right = _kron_of_elements(B, own, is_array).tocsr()
    return (left + right).astype(dtype, copy=False).asformat(format)


# ---- parts ---------------------------------------------------------------------------


def _triangle(A, k, format, lower):
    is_array = _is_array(A)
    coo = _as_coo(A)
    if coo.ndim != 2:
        raise ValueError(
            f"a triangle is of a matrix, not of an array of {coo.ndim} axes"
        )
    k = arguments.integer(k)
    distance = coo.col - coo.row
    kept = distance <= k if lower else distance >= k
    coords = [c[kept] for c in coo.coords]
    made = coo_array._of(coo.data[kept], coords, coo.shape, coo.has_canonical_format)
    return of_kind(made, is_array).asformat(format)


def tril(A, k=0, format=None):
    """The lower triangle.

    Parameters
    ----------
    A : sparse array or matrix, or array_like
    k : int, optional
        The highest diagonal that belongs to it: k > 0 above the main one.
    format : str, optional
        Of the result; by default coo.

    Returns
    -------
    sparse array or matrix
        A matrix where `A` is one, or dense. Waits for the number of its elements.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array, tril
    >>> tril(csr_array(cp.array([[1, 2], [3, 4]]))).toarray()
    array([[1, 0],
           [3, 4]])
    """
    return _triangle(A, k, format, True)


def triu(A, k=0, format=None):
    """The upper triangle.

    Parameters
    ----------
    A : sparse array or matrix, or array_like
    k : int, optional
        The lowest diagonal that belongs to it: k > 0 above the main one.
    format : str, optional
        Of the result; by default coo.

    Returns
    -------
    sparse array or matrix
        A matrix where `A` is one, or dense. Waits for the number of its elements.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array, triu
    >>> triu(csr_array(cp.array([[1, 2], [3, 4]]))).toarray()
    array([[1, 2],
           [0, 4]])
    """
    return _triangle(A, k, format, False)


def find(A):
    """The elements that are not zero, and where they are.

    Parameters
    ----------
    A : sparse array or matrix, or array_like

    Returns
    -------
    row, column, values : cupric.ndarray
        Waits for their number.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array, find
    >>> find(csr_array(cp.array([[0, 8], [9, 0]])))
    (array([0, 1], dtype=int32), array([1, 0], dtype=int32), array([8, 9]))
    """
    coo = _as_coo(A)
    if not coo.has_canonical_format:
        coo = coo.copy()
        coo.sum_duplicates()
    if coo.ndim > 2:
        raise ValueError(f"find takes up to two axes, not {coo.ndim}")
    kept = coo.data != 0
    return coo.row[kept], coo.col[kept], coo.data[kept]


# ---- axes ----------------------------------------------------------------------------


def _as_sparse(A):
    if not issparse(A):
        if is_scipy(A) or not is_dense(A):
            raise TypeError(f"a sparse array of the device is needed, not {type(A)}")
        return coo_array(A)
    return A


def _permuted(A, axes, copy):
    """Axes in another order, as coo unless that is theirs."""
    if list(axes) == list(range(A.ndim)):
        return A.copy() if copy else A
    A = A.tocoo(copy=False)
    coords, data = [A.coords[a] for a in axes], A.data
    if copy:
        coords, data = [c.copy() for c in coords], data.copy()
    return A._of(data, coords, [A.shape[a] for a in axes])


def permute_dims(A, axes=None, copy=False):
    """The axes in another order.

    Parameters
    ----------
    A : sparse array or matrix
    axes : tuple of int, optional
        By default in reverse.
    copy : bool, optional
        Whether the result shares no memory with `A`.

    Returns
    -------
    sparse array or matrix
        In the format coo, or `A` itself where the order is the same.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import coo_array, permute_dims
    >>> permute_dims(coo_array(cp.ones((1, 2, 3))), (2, 0, 1)).shape
    (3, 1, 2)
    """
    A = _as_sparse(A)
    if axes is None:
        axes = range(A.ndim - 1, -1, -1)
    elif len(axes) != A.ndim:
        raise ValueError(f"Incorrect number of axes: {len(axes)} instead of {A.ndim}")
    axes = [arguments.integer(a) for a in axes]
    if not all(-A.ndim <= a < A.ndim for a in axes):
        raise ValueError(f"axis out of range for ndim: {tuple(axes)} of {A.ndim}")
    axes = [a % A.ndim for a in axes]
    if len(set(axes)) < A.ndim:
        raise ValueError(f"duplicate value in axis: {tuple(axes)}")
    return _permuted(A, axes, copy)


def swapaxes(A, axis1, axis2):
    """Two axes exchanged.

    Parameters
    ----------
    A : sparse array or matrix
    axis1, axis2 : int

    Returns
    -------
    sparse array or matrix
        In the format coo.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import coo_array, swapaxes
    >>> swapaxes(coo_array(cp.ones((1, 2, 3))), 0, 2).shape
    (3, 2, 1)
    """
    A = _as_sparse(A)
    axes = list(range(A.ndim))
    for axis in (axis1, axis2):
        if not -A.ndim <= arguments.integer(axis) < A.ndim:
            raise ValueError(f"Invalid axis: {axis} is out of bounds for ndim={A.ndim}")
    axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
    return _permuted(A.tocoo(copy=False), axes, False)


def matrix_transpose(A):
    """The last two axes exchanged.

    Parameters
    ----------
    A : sparse array or matrix

    Returns
    -------
    sparse array or matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array, matrix_transpose
    >>> matrix_transpose(csr_array(cp.ones((2, 3)))).shape
    (3, 2)
    """
    A = _as_sparse(A)
    if A.ndim < 2:
        raise ValueError(
            f"matrix_transpose needs an array of at least two axes, not {A.ndim}"
        )
    return A.mT


def expand_dims(A, /, *, axis=0):
    """An axis of length 1 more.

    Parameters
    ----------
    A : sparse array or matrix
    axis : int, optional
        Where it is in the result.

    Returns
    -------
    sparse array
        In the format coo.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array, expand_dims
    >>> expand_dims(csr_array(cp.ones((2, 3))), axis=1).shape
    (2, 1, 3)
    """
    A = _as_sparse(A).tocoo(copy=False)
    axis, most = arguments.integer(axis), A.ndim + 1
    if not -most <= axis < most:
        raise ValueError(f"Invalid axis: {axis} is out of bounds for ndim={most}")
    axis %= most
    zeros = _core.zeros(A.nnz, A.coords[0].dtype, device=A.device)
    coords = [*A.coords[:axis], zeros, *A.coords[axis:]]
    shape = (*A.shape[:axis], 1, *A.shape[axis:])
    return coo_array._of(A.data, coords, shape, A.has_canonical_format)
