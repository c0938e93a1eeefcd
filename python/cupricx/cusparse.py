"""Operations on sparse matrices by the names of cuSPARSE's functions, on both devices.

Kernels of this package do the work. Functions whose names differ in a number alone, as
versions of cuSPARSE's interface do, are the same.
"""

import cupric as cp
from cupric._lib.algorithms import order_by_key
from cupric._lib.core import names_to_come
from cupricx.scipy.sparse import (
    coo_matrix,
    csc_matrix,
    csr_matrix,
    issparse,
    isspmatrix_coo,
    isspmatrix_csc,
    isspmatrix_csr,
)
from cupricx.scipy.sparse._conversions import expand

__all__ = [
    "BaseDescriptor",
    "DnMatDescriptor",
    "DnVecDescriptor",
    "MatDescriptor",
    "SpMatDescriptor",
    "SpVecDescriptor",
    "check_availability",
    "coo2csc",
    "coo2csr",
    "coosort",
    "csc2coo",
    "csc2csr",
    "csc2csrEx2",
    "csc2dense",
    "cscsort",
    "csr2coo",
    "csr2csc",
    "csr2cscEx2",
    "csr2csr_compress",
    "csr2dense",
    "csrgeam",
    "csrgeam2",
    "csrgemm",
    "csrgemm2",
    "csrmm",
    "csrmm2",
    "csrmv",
    "csrsort",
    "dense2csc",
    "dense2csr",
    "denseToSparse",
    "getVersion",
    "sparseToDense",
    "spgeam",
    "spgemm",
    "spmm",
    "spmv",
]

_VERSION = 12500  # of cuSPARSE's interface that these are
_ASKED = {
    *("csrmv", "csrmm", "csrmm2", "csrgeam", "csrgeam2", "csrgemm", "csrgemm2"),
    *("gthr", "csr2csc", "csc2csr", "csr2cscEx2", "csc2csrEx2", "csr2csr_compress"),
    *("csrilu02", "csrsm2", "spmv", "spmm", "spgeam", "spgemm", "spsm"),
    *("sparseToDense", "denseToSparse", "csrmvEx"),
}


def getVersion():
    """The version of cuSPARSE whose interface this is.

    Returns
    -------
    int

    Examples
    --------
    >>> from cupricx import cusparse
    >>> cusparse.getVersion() >= 11000
    True
    """
    return _VERSION


def check_availability(name):
    """Whether a function can be called.

    Parameters
    ----------
    name : str
        As 'spmv'.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        Nothing is known about the name.

    Examples
    --------
    >>> from cupricx import cusparse
    >>> cusparse.check_availability("spmv")
    True
    """
    if name not in _ASKED:
        raise ValueError(
            f"No available version information specified for {name}: it is none of "
            f"{', '.join(sorted(_ASKED))}"
        )
    return name in __all__


# ---- arguments -----------------------------------------------------------------------


def _require(x, test, kind, name):
    if not test(x):
        raise TypeError(f"{name} is a {kind}, not {type(x).__name__}")
    return x


def _csr(x, name="a"):
    return _require(x, isspmatrix_csr, "csr_matrix", name)


def _csc(x, name="x"):
    return _require(x, isspmatrix_csc, "csc_matrix", name)


def _coo(x, name="x"):
    return _require(x, isspmatrix_coo, "coo_matrix", name)


def _dense(x, ndim, name):
    if not isinstance(x, cp.ndarray) or x.ndim != ndim:
        raise TypeError(
            f"{name} is a cupric.ndarray of {ndim} dimensions, not {x!r:.80}"
        )
    return x


def _written(made, out):
    """What was made, in `out` where that is an array."""
    if out is None:
        return made
    if out.shape != made.shape:
        raise ValueError(f"the result is {made.shape}, and out {out.shape}")
    out[...] = made
    return out


# ---- products ------------------------------------------------------------------------


def _combined(product, alpha, beta, c):
    """alpha product + beta c, in `c` where that is an array."""
    if alpha != 1:
        product *= alpha
    if c is not None and beta != 0:
        product += beta * c
    return _written(product, c)


def csrmv(a, x, y=None, alpha=1, beta=0, transa=False):
    """Product of a sparse matrix and a vector: ``alpha a x + beta y``.

    Parameters
    ----------
    a : csr_matrix
    x : cupric.ndarray, shape (n,)
    y : cupric.ndarray, shape (m,), optional
        Is added, and then holds the result.
    alpha, beta : number
    transa : bool
        Whether `a` is transposed.

    Returns
    -------
    cupric.ndarray, shape (m,)

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csrmv(a, cp.array([1.0, 1]), alpha=2)
    array([6., 6.])
    """
    return spmv(_csr(a), x, y, alpha, beta, transa)


def spmv(a, x, y=None, alpha=1, beta=0, transa=False):
    """Product of a sparse matrix of any format and a vector: see `csrmv`.

    Parameters
    ----------
    a : sparse matrix, shape (m, n)
    x : cupric.ndarray, shape (n,)
    y : cupric.ndarray, shape (m,), optional
        Is added, and then holds the result.
    alpha, beta : number
    transa : bool
        Whether `a` is transposed.

    Returns
    -------
    cupric.ndarray, shape (m,)

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.spmv(a, cp.array([1.0, 1]))
    array([3., 3.])
    """
    _require(a, issparse, "sparse matrix", "a")
    a = a.T if transa else a
    return _combined(a @ _dense(x, 1, "x"), alpha, beta, y)


def csrmm(a, b, c=None, alpha=1, beta=0, transa=False):
    """Product of a sparse matrix and a dense one: ``alpha a b + beta c``.

    Parameters
    ----------
    a : csr_matrix
    b : cupric.ndarray, shape (n, k)
    c : cupric.ndarray, shape (m, k), optional
        Is added, and then holds the result.
    alpha, beta : number
    transa : bool
        Whether `a` is transposed.

    Returns
    -------
    cupric.ndarray, shape (m, k)
        A new one is in Fortran order.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csrmm(a, cp.eye(2))
    array([[1., 2.],
           [0., 3.]])
    """
    return spmm(_csr(a), b, c, alpha, beta, transa)


def csrmm2(a, b, c=None, alpha=1.0, beta=0.0, transa=False, transb=False):
    """Product of a sparse matrix and a dense one, either transposed: see `csrmm`.

    Parameters
    ----------
    a : csr_matrix, shape (m, n)
    b : cupric.ndarray, shape (n, k)
    c : cupric.ndarray, shape (m, k), optional
        Is added, and then holds the result.
    alpha, beta : number
    transa, transb : bool
        Whether `a`, and `b`, are transposed.

    Returns
    -------
    cupric.ndarray, shape (m, k)

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csrmm2(a, cp.eye(2))
    array([[1., 2.],
           [0., 3.]])
    """
    return spmm(_csr(a), b, c, alpha, beta, transa, transb)


def spmm(a, b, c=None, alpha=1, beta=0, transa=False, transb=False):
    """Product of a sparse matrix of any format and a dense one: see `csrmm`.

    Parameters
    ----------
    a : sparse matrix, shape (m, n)
    b : cupric.ndarray, shape (n, k)
    c : cupric.ndarray, shape (m, k), optional
        Is added, and then holds the result.
    alpha, beta : number
    transa, transb : bool
        Whether `a`, and `b`, are transposed.

    Returns
    -------
    cupric.ndarray, shape (m, k)

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.spmm(a, cp.eye(2))
    array([[1., 2.],
           [0., 3.]])
    """
    _require(a, issparse, "sparse matrix", "a")
    a, b = (a.T if transa else a), _dense(b, 2, "b")
    made = _combined(a @ (b.T if transb else b), alpha, beta, c)
    return cp.asfortranarray(made) if c is None else made


def csrgemm(a, b, transa=False, transb=False):
    """Product of two sparse matrices.

    Parameters
    ----------
    a, b : csr_matrix
    transa, transb : bool
        Whether they are transposed.

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csrgemm(a, a).toarray()
    array([[1., 8.],
           [0., 9.]])
    """
    a, b = _csr(a), _csr(b, "b")
    return ((a.T if transa else a).tocsr() @ (b.T if transb else b).tocsr()).tocsr()


def csrgemm2(a, b, d=None, alpha=1, beta=1):
    """Product of two sparse matrices, and another: ``alpha a b + beta d``.

    Parameters
    ----------
    a, b : csr_matrix
    d : csr_matrix, optional
    alpha, beta : number

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csrgemm2(a, a, a, 1, -1).toarray()
    array([[0., 6.],
           [0., 6.]])
    """
    made = spgemm(a, b, alpha)
    return made if d is None else csrgeam(made, _csr(d, "d"), 1, beta)


def spgemm(a, b, alpha=1):
    """Product of two sparse matrices: ``alpha a b``.

    Parameters
    ----------
    a, b : csr_matrix
    alpha : number

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.spgemm(a, a).toarray()
    array([[1., 8.],
           [0., 9.]])
    """
    made = csrgemm(a, b)
    return made if alpha == 1 else _scaled(made, alpha)


def _scaled(x, factor):
    """In the dtype of the matrix."""
    return x if factor == 1 else (x * factor).astype(x.dtype)


def csrgeam(a, b, alpha=1, beta=1):
    """Sum of two sparse matrices: ``alpha a + beta b``.

    Parameters
    ----------
    a, b : csr_matrix
    alpha, beta : number

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csrgeam(a, a, 2, -1).toarray()
    array([[1., 2.],
           [0., 3.]])
    """
    a, b = _csr(a), _csr(b, "b")
    if a.shape != b.shape:
        raise ValueError(f"inconsistent shapes: {a.shape} and {b.shape}")
    return _scaled(a, alpha) + _scaled(b, beta)


def csrgeam2(a, b, alpha=1, beta=1):
    """Sum of two sparse matrices: see `csrgeam`.

    Parameters
    ----------
    a, b : csr_matrix
    alpha, beta : number

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csrgeam2(a, a, 2, -1).toarray()
    array([[1., 2.],
           [0., 3.]])
    """
    return csrgeam(a, b, alpha, beta)


def spgeam(a, b, alpha=1, beta=1):
    """Sum of two sparse matrices: see `csrgeam`.

    Parameters
    ----------
    a, b : csr_matrix
    alpha, beta : number

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.spgeam(a, a, 2, -1).toarray()
    array([[1., 2.],
           [0., 3.]])
    """
    return csrgeam(a, b, alpha, beta)


# ---- formats -------------------------------------------------------------------------


def coo2csr(x):
    """The csr_matrix of a coo_matrix.

    Parameters
    ----------
    x : coo_matrix

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> b = a.tocoo()
    >>> cusparse.coo2csr(b).toarray()
    array([[1., 2.],
           [0., 3.]])
    """
    return _coo(x).tocsr()


def coo2csc(x):
    """The csc_matrix of a coo_matrix.

    Parameters
    ----------
    x : coo_matrix

    Returns
    -------
    csc_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> b = a.tocoo()
    >>> cusparse.coo2csc(b).toarray()
    array([[1., 2.],
           [0., 3.]])
    """
    return _coo(x).tocsc()


def csr2csc(x):
    """The csc_matrix of a csr_matrix.

    Parameters
    ----------
    x : csr_matrix

    Returns
    -------
    csc_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csr2csc(a).toarray()
    array([[1., 2.],
           [0., 3.]])
    """
    return _csr(x, "x").tocsc()


def csr2cscEx2(x):
    """The csc_matrix of a csr_matrix.

    Parameters
    ----------
    x : csr_matrix

    Returns
    -------
    csc_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csr2cscEx2(a).toarray()
    array([[1., 2.],
           [0., 3.]])
    """
    return csr2csc(x)


def csc2csr(x):
    """The csr_matrix of a csc_matrix.

    Parameters
    ----------
    x : csc_matrix

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> b = a.tocsc()
    >>> cusparse.csc2csr(b).toarray()
    array([[1., 2.],
           [0., 3.]])
    """
    return _csc(x).tocsr()


def csc2csrEx2(x):
    """The csr_matrix of a csc_matrix.

    Parameters
    ----------
    x : csc_matrix

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> b = a.tocsc()
    >>> cusparse.csc2csrEx2(b).toarray()
    array([[1., 2.],
           [0., 3.]])
    """
    return csc2csr(x)


def csr2coo(x, data, indices):
    """A coo_matrix of the rows of a csr_matrix.

    Parameters
    ----------
    x : csr_matrix
    data, indices : cupric.ndarray
        The elements and columns of the result, which shares them.

    Returns
    -------
    coo_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csr2coo(a, a.data, a.indices).row
    array([0, 0, 1], dtype=int32)
    """
    rows = expand(_csr(x, "x").indptr, indices.size)
    return coo_matrix((data, (rows, indices)), shape=x.shape)


def csc2coo(x, data, indices):
    """A coo_matrix of the columns of a csc_matrix: as `csr2coo`, `indices` are rows.

    Parameters
    ----------
    x : csc_matrix
    data, indices : cupric.ndarray
        The elements and rows of the result, which shares them.

    Returns
    -------
    coo_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> b = a.tocsc()
    >>> cusparse.csc2coo(b, b.data, b.indices).toarray()
    array([[1., 2.],
           [0., 3.]])
    """
    columns = expand(_csc(x).indptr, indices.size)
    return coo_matrix((data, (indices, columns)), shape=x.shape)


def csr2csr_compress(x, tol):
    """A csr_matrix without the elements whose absolute value is at most `tol`.

    Parameters
    ----------
    x : csr_matrix
    tol : float

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csr2csr_compress(a, 1.5).data
    array([2., 3.])
    """
    rows = expand(_csr(x, "x").indptr, x.indices.size)
    kept = cp.abs(x.data) > tol
    coords = rows[kept], x.indices[kept]
    return coo_matrix((x.data[kept], coords), shape=x.shape).tocsr()


def csr2dense(x, out=None):
    """The array of a csr_matrix, in Fortran order; `out`, where it is given.

    Parameters
    ----------
    x : csr_matrix
    out : cupric.ndarray, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csr2dense(a)
    array([[1., 2.],
           [0., 3.]])
    """
    return _written(_csr(x, "x").toarray(order="F"), out)


def csc2dense(x, out=None):
    """The array of a csc_matrix, in Fortran order; `out`, where it is given.

    Parameters
    ----------
    x : csc_matrix
    out : cupric.ndarray, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csc2dense(a.tocsc())
    array([[1., 2.],
           [0., 3.]])
    """
    return _written(_csc(x).toarray(order="F"), out)


def sparseToDense(x, out=None):
    """The array of a sparse matrix, in Fortran order; `out`, where it is given.

    Parameters
    ----------
    x : sparse matrix
    out : cupric.ndarray, optional

    Returns
    -------
    cupric.ndarray

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.sparseToDense(a)
    array([[1., 2.],
           [0., 3.]])
    """
    _require(x, issparse, "sparse matrix", "x")
    return _written(x.toarray(order="F"), out)


def dense2csr(x):
    """The csr_matrix of an array of two dimensions.

    Parameters
    ----------
    x : cupric.ndarray, shape (m, n)

    Returns
    -------
    csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> x = cp.array([[1.0, 2], [0, 3]])
    >>> cusparse.dense2csr(x).indices
    array([0, 1, 1], dtype=int32)
    """
    return csr_matrix(_dense(x, 2, "x"))


def dense2csc(x):
    """The csc_matrix of an array of two dimensions.

    Parameters
    ----------
    x : cupric.ndarray, shape (m, n)

    Returns
    -------
    csc_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> x = cp.array([[1.0, 2], [0, 3]])
    >>> cusparse.dense2csc(x).indices
    array([0, 0, 1], dtype=int32)
    """
    return csc_matrix(_dense(x, 2, "x"))


def denseToSparse(x, format="csr"):
    """The sparse matrix of an array of two dimensions.

    Parameters
    ----------
    x : cupric.ndarray, shape (m, n)
    format : {"csr", "csc", "coo"}

    Returns
    -------
    csr_matrix, csc_matrix or coo_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> cusparse.denseToSparse(cp.eye(2), format="coo").col
    array([0, 1], dtype=int32)
    """
    kinds = {"csr": csr_matrix, "csc": csc_matrix, "coo": coo_matrix}
    if format not in kinds:
        raise TypeError(f"unsupported format {format!r}: it is one of {list(kinds)}")
    return kinds[format](_dense(x, 2, "x"))


# ---- order ---------------------------------------------------------------------------


def csrsort(x):
    """Sort the indices of a csr_matrix within its rows, in place.

    Parameters
    ----------
    x : csr_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> cusparse.csrsort(a)
    >>> a.indices
    array([0, 1, 1], dtype=int32)
    """
    _csr(x, "x").sort_indices()


def cscsort(x):
    """Sort the indices of a csc_matrix within its columns, in place.

    Parameters
    ----------
    x : csc_matrix

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> b = a.tocsc()
    >>> cusparse.cscsort(b)
    >>> b.indices
    array([0, 0, 1], dtype=int32)
    """
    _csc(x).sort_indices()


def coosort(x, sort_by="r"):
    """Sort the elements of a coo_matrix, in place.

    Parameters
    ----------
    x : coo_matrix
    sort_by : {"r", "c"}
        Whether by rows, and in these by columns, or the other way round.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.denseToSparse(cp.array([[1.0, 2], [0, 3]]), "coo")
    >>> cusparse.coosort(a, "c")
    >>> a.data
    array([1., 2., 3.])
    """
    if sort_by not in ("r", "c"):
        raise ValueError(f"sort_by is 'r' or 'c', not {sort_by!r}")
    keys = (_coo(x).row, x.col) if sort_by == "r" else (_coo(x).col, x.row)
    order = order_by_key(*keys)
    for part in (x.row, x.col, x.data):
        part[...] = part[order]


# ---- descriptors ---------------------------------------------------------------------


class BaseDescriptor:
    """What an operand is to cuSPARSE; here it holds the operand itself.

    Parameters
    ----------
    descriptor : object
    get, destroyer : callable, optional
        What reads the descriptor, and what is called with it at its end.

    Examples
    --------
    >>> from cupricx.cusparse import BaseDescriptor
    >>> BaseDescriptor({}).desc
    {}
    """

    def __init__(self, descriptor, get=None, destroyer=None):
        self.desc, self.get, self.destroy = descriptor, get, destroyer

    def __del__(self):
        if self.destroy is not None:
            self.destroy(self.desc)
            self.destroy = None


class MatDescriptor:
    """Properties of a matrix.

    Parameters
    ----------
    descriptor : dict

    Examples
    --------
    >>> from cupricx.cusparse import MatDescriptor
    >>> d = MatDescriptor.create()
    >>> d.set_mat_index_base(1)
    """

    def __init__(self, descriptor):
        self.descriptor = descriptor

    @classmethod
    def create(cls):
        """A general matrix, with indices from 0.

        Returns
        -------
        MatDescriptor

        Examples
        --------
        >>> from cupricx.cusparse import MatDescriptor
        >>> MatDescriptor.create().descriptor["index_base"]
        0
        """
        return cls({"type": 0, "fill_mode": 0, "diag_type": 0, "index_base": 0})

    def __reduce__(self):
        return type(self), (dict(self.descriptor),)

    def set_mat_type(self, typ):
        """Set whether the matrix is general, symmetric, Hermitian or triangular.

        Parameters
        ----------
        typ : int

        Examples
        --------
        >>> from cupricx.cusparse import MatDescriptor
        >>> d = MatDescriptor.create()
        >>> d.set_mat_type(1)
        >>> d.descriptor["type"]
        1
        """
        self.descriptor["type"] = typ

    def set_mat_fill_mode(self, fill_mode):
        """Set whether the lower or the upper part is stored.

        Parameters
        ----------
        fill_mode : int

        Examples
        --------
        >>> from cupricx.cusparse import MatDescriptor
        >>> d = MatDescriptor.create()
        >>> d.set_mat_fill_mode(1)
        >>> d.descriptor["fill_mode"]
        1
        """
        self.descriptor["fill_mode"] = fill_mode

    def set_mat_diag_type(self, diag_type):
        """Set whether the diagonal is all ones.

        Parameters
        ----------
        diag_type : int

        Examples
        --------
        >>> from cupricx.cusparse import MatDescriptor
        >>> d = MatDescriptor.create()
        >>> d.set_mat_diag_type(1)
        >>> d.descriptor["diag_type"]
        1
        """
        self.descriptor["diag_type"] = diag_type

    def set_mat_index_base(self, base):
        """Set the first index, 0 or 1.

        Parameters
        ----------
        base : int

        Examples
        --------
        >>> from cupricx.cusparse import MatDescriptor
        >>> d = MatDescriptor.create()
        >>> d.set_mat_index_base(1)
        >>> d.descriptor["index_base"]
        1
        """
        self.descriptor["index_base"] = base


class SpMatDescriptor(BaseDescriptor):
    """A sparse matrix and its attributes.

    Parameters
    ----------
    descriptor : object
    get, destroyer : callable, optional
        What reads the descriptor, and what is called with it at its end.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
    >>> d = cusparse.SpMatDescriptor.create(a)
    """

    @classmethod
    def create(cls, a):
        """The descriptor of a sparse matrix.

        Parameters
        ----------
        a : sparse matrix

        Returns
        -------
        SpMatDescriptor

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx import cusparse
        >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
        >>> cusparse.SpMatDescriptor.create(a).desc["matrix"] is a
        True
        """
        return cls({"matrix": _require(a, issparse, "sparse matrix", "a")})

    def set_attribute(self, attribute, data):
        """Set an attribute, as the part that is stored.

        Parameters
        ----------
        attribute : str
        data : object

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx import cusparse
        >>> a = cusparse.dense2csr(cp.array([[1.0, 2], [0, 3]]))
        >>> d = cusparse.SpMatDescriptor.create(a)
        >>> d.set_attribute("fill_mode", 1)
        >>> d.desc["fill_mode"]
        1
        """
        self.desc[attribute] = data


class SpVecDescriptor(BaseDescriptor):
    """A sparse vector.

    Parameters
    ----------
    descriptor : object
    get, destroyer : callable, optional
        What reads the descriptor, and what is called with it at its end.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> x = cp.array([[1.0, 2], [0, 3]])
    >>> d = cusparse.SpVecDescriptor.create(cp.array([0, 3]), x[0])
    """

    @classmethod
    def create(cls, idx, x):
        """The descriptor of a vector's indices and elements.

        Parameters
        ----------
        idx, x : cupric.ndarray, shape (n,)

        Returns
        -------
        SpVecDescriptor

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx import cusparse
        >>> x = cp.array([[1.0, 2], [0, 3]])
        >>> d = cusparse.SpVecDescriptor.create(cp.array([0, 3]), x[0])
        >>> d.desc["indices"]
        array([0, 3])
        """
        return cls({"indices": _dense(idx, 1, "idx"), "data": _dense(x, 1, "x")})


class DnVecDescriptor(BaseDescriptor):
    """A dense vector.

    Parameters
    ----------
    descriptor : object
    get, destroyer : callable, optional
        What reads the descriptor, and what is called with it at its end.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> x = cp.array([[1.0, 2], [0, 3]])
    >>> d = cusparse.DnVecDescriptor.create(x[0])
    """

    @classmethod
    def create(cls, x):
        """The descriptor of an array of one dimension.

        Parameters
        ----------
        x : cupric.ndarray, shape (n,)

        Returns
        -------
        DnVecDescriptor

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx import cusparse
        >>> x = cp.array([[1.0, 2], [0, 3]])
        >>> cusparse.DnVecDescriptor.create(x[0]).desc["array"]
        array([1., 2.])
        """
        return cls({"array": _dense(x, 1, "x")})


class DnMatDescriptor(BaseDescriptor):
    """A dense matrix.

    Parameters
    ----------
    descriptor : object
    get, destroyer : callable, optional
        What reads the descriptor, and what is called with it at its end.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx import cusparse
    >>> x = cp.array([[1.0, 2], [0, 3]])
    >>> d = cusparse.DnMatDescriptor.create(x)
    """

    @classmethod
    def create(cls, a):
        """The descriptor of an array of two dimensions.

        Parameters
        ----------
        a : cupric.ndarray, shape (m, n)

        Returns
        -------
        DnMatDescriptor

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx import cusparse
        >>> x = cp.array([[1.0, 2], [0, 3]])
        >>> cusparse.DnMatDescriptor.create(x).desc["array"].shape
        (2, 2)
        """
        return cls({"array": _dense(a, 2, "a")})


__getattr__ = names_to_come(__name__)


def __dir__():
    return __all__
