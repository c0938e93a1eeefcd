"""Products of compressed matrices with vectors and matrices, on their arrays.

Nothing is added by atomic operations: results repeat to the bit. They are of the dtype
in which both operands agree; float16 is summed in float32, bool by "or" and "and".
"""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.sparse._conversions import transpose
from cupricx.scipy.sparse._sparse_products import sparse_matmat
from cupricx.scipy.sparse._work import cores_of

__all__ = [
    "KeptStructure",
    "matmat",
    "matvec",
    "rmatmat",
    "rmatvec",
    "rows_in_order",
    "sparse_matmat",
    "transposed_structure",
]

_library = Library(__file__)

# Threads that a GPU has work for, and bounds of the items that one of them takes.
_THREADS = 1 << 20
_LEAST_ITEMS, _MOST_ITEMS = 32, 4096
# On the host: pieces for each core, and items that are not worth a second one.
_PIECES, _ALONE = 4, 1 << 13


def _example(xp):
    n = np.arange(400)
    found = []
    for t in "fdFD":
        for i in "il":
            a = (
                xp.asarray((n[:101] * 4).astype(i)),
                xp.asarray((n * 7919 % 90).astype(i)),
                xp.asarray((n % 13 - 5.5).astype(t)),
            )
            x = xp.asarray(np.cos(np.arange(300.0)).reshape(100, 3).astype(t))
            found += [matvec(*a, x[:90, 0], 90), matmat(*a, x[:90], 90)]
            found += [rmatvec(*a, x[:, 0], 90), rmatmat(*a, x, 90)]
    return found


_INDEXED = "fi di Fi Di fl dl Fl Dl"


def _declare(signature, ships=_INDEXED, **work):
    return _library.kernel(signature, ships=ships, example=_example, **work)


_matvec = _declare("path_matvec<T, I>", blocks="s.pieces", threads="PATH_THREADS")
_matmat = _declare("path_matmat<T, I>", elements=True)
_scatter = _declare("scatter_rows<T, I>", blocks="s.pieces", threads="PATH_THREADS")
_carries = _declare(
    "path_carries<T>", ships="f d F D", blocks="blocks", threads="CARRY_THREADS"
)


# ---- how work is cut -----------------------------------------------------------------


def _sum_dtype(dtype):
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def _cut(indptr, stored, columns, length, lanes, dtype):
    """The sizes of a product whose pieces have `length` items, and its workspace."""
    rows = indptr.size - 1
    pieces = -(-(rows + stored) // length)
    sums = 16 * -(-pieces // 2)
    s = _library.struct.path_sizes(
        rows=rows,
        stored=stored,
        length=length,
        pieces=pieces,
        columns=columns,
        lanes=lanes,
        sums=sums,
    )
    workspace = None
    if pieces > 1 and not _library.on_host(indptr):
        nbytes = sums + pieces * columns * _sum_dtype(dtype).itemsize
        workspace = _core.empty(-(-nbytes // 8), np.int64)
    return s, pieces, workspace


def _host_pieces(x, items, each=_PIECES):
    return max(1, min(each * cores_of(x.device), items // _ALONE))


def _host_length(indptr, stored):
    items = indptr.size - 1 + stored
    return -(-items // _host_pieces(indptr, items))


def _add_carries(y, s, pieces, columns, workspace):
    if workspace is None:
        return
    groups = -(-columns // _library.enum.CARRY_THREADS)
    _carries[y.dtype](y=y, workspace=workspace, s=s, blocks=pieces * groups)


def _alike(data, x):
    """Both operands in the dtype in which they agree, the dense one in C order."""
    dtype = _core.result_type(data.dtype, x.dtype)
    x = _core.ascontiguousarray(x.astype(dtype, copy=False))
    return data.astype(dtype, copy=False), x, dtype


# ---- products ------------------------------------------------------------------------


@replayed
def matvec(indptr, indices, data, x, n_minor, out=None, order=None):
    """The product of a compressed matrix and a vector.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
        In any order, with or without duplicates.
    x : cupric.ndarray, shape (n_minor,)
    n_minor : int
    out : cupric.ndarray, shape (n_major,), optional
        Of any dtype: what is written is converted.
    order : cupric.ndarray, optional
        Where the elements of ``indices`` are in `data`: `transposed_structure` has it.

    Returns
    -------
    cupric.ndarray, shape (n_major,)

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse._products import matvec
    >>> indptr, indices = cp.array([0, 2, 3]), cp.array([0, 2, 1])
    >>> matvec(indptr, indices, cp.array([1, 2, 3]), cp.array([10, 20, 30]), 3)
    array([70, 60])
    """
    data, x, dtype = _alike(data, x)
    direct = out is not None and out.dtype == dtype and out.flags.c_contiguous
    y = out if direct else _core.empty(indptr.size - 1, dtype)
    _sum_rows(indptr, indices, data, x, y, order)
    if out is None or direct:
        return y
    out[...] = y
    return out


def _sum_rows(indptr, indices, data, x, y, order):
    """Writes the sums of rows: of elements, times those of `x` if there is one."""
    stored = indices.size
    if stored == 0:
        y[...] = 0
        return
    host = _library.on_host(indptr)
    length = _host_length(indptr, stored) if host else _library.enum.PATH_TILE
    s, pieces, workspace = _cut(indptr, stored, 1, length, 1, y.dtype)
    _matvec[y.dtype, indptr.dtype](
        indptr=indptr,
        indices=indices,
        data=data,
        order=order,
        x=x,
        y=y,
        workspace=workspace,
        s=s,
    )
    _add_carries(y, s, pieces, 1, workspace)


@replayed
def matmat(indptr, indices, data, x, n_minor, order=None):
    """The product of a compressed matrix and a matrix.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    x : cupric.ndarray, shape (n_minor, k)
    n_minor : int
    order : cupric.ndarray, optional
        As of `matvec`.

    Returns
    -------
    cupric.ndarray, shape (n_major, k)
        In C order.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse._products import matmat
    >>> indptr, indices = cp.array([0, 2, 3]), cp.array([0, 2, 1])
    >>> matmat(indptr, indices, cp.array([1, 2, 3]), cp.eye(3, dtype=int), 3)
    array([[1, 0, 2],
           [0, 3, 0]])
    """
    data, x, dtype = _alike(data, x)
    n_major, stored, columns = indptr.size - 1, indices.size, x.shape[1]
    y = _core.empty((n_major, columns), dtype)
    if stored == 0 or columns == 0:
        y[...] = 0
        return y
    if _library.on_host(indptr):
        length, lanes = _host_length(indptr, stored), 1
    else:
        lanes = _lanes(columns)
        length = (n_major + stored) * lanes // _THREADS
        length = min(max(length, _LEAST_ITEMS), _MOST_ITEMS)
    s, pieces, workspace = _cut(indptr, stored, columns, length, lanes, dtype)
    _matmat[dtype, indptr.dtype](
        indptr=indptr,
        indices=indices,
        data=data,
        order=order,
        x=x,
        y=y,
        workspace=workspace,
        s=s,
        work=pieces * lanes,
    )
    _add_carries(y, s, pieces, columns, workspace)
    return y


def _lanes(columns):
    """Threads for the columns: a power of 2 of them, or whole warps."""
    if columns > 32:
        return -(-columns // 32) * 32
    return 1 << (columns - 1).bit_length()


def transposed_structure(indptr, indices, n_minor):
    """What a transposed product needs to know of where elements are.

    Parameters
    ----------
    indptr, indices : cupric.ndarray
    n_minor : int

    Returns
    -------
    tuple or None
        ``indptr, indices, order`` of the transposed matrix: its element k is
        ``data[order[k]]``. It holds as long as `indptr` and `indices` are as they were,
        whatever `data` becomes, and may be kept for `rmatvec` and `rmatmat`. None on
        the host device, which needs none.

    Examples
    --------
    >>> structure = transposed_structure(indptr, indices, n)  # doctest: +SKIP
    >>> y = rmatvec(indptr, indices, data, x, n, structure)  # doctest: +SKIP
    """
    if _library.on_host(indptr):
        return None
    with indptr.device:
        places = _core.arange(indices.size, dtype=indptr.dtype)
    return transpose(indptr, indices, places, n_minor)


class KeptStructure:
    """What `transposed_structure` made of some arrays, from their second use on: a
    program that needs it once does not hold the memory. Matrices that share their
    arrays, as a transpose does, share it.

    Examples
    --------
    >>> kept = KeptStructure()  # doctest: +SKIP
    >>> structure = kept.of(indptr, indices, n_minor)  # doctest: +SKIP
    """

    __slots__ = ("arrays", "structure")

    def __init__(self):
        self.arrays = self.structure = None

    def __reduce__(self):
        return KeptStructure, ()

    def of(self, indptr, indices, n_minor):
        """The structure of these arrays, which are the same as long as they are not
        replaced."""
        if _library.on_host(indptr):
            return None
        found = self.arrays
        known = found is not None and found[0] is indptr and found[1] is indices
        if known and self.structure is not None:
            return self.structure
        structure = transposed_structure(indptr, indices, n_minor)
        self.arrays, self.structure = (indptr, indices), structure if known else None
        return structure


def rmatvec(indptr, indices, data, x, n_minor, structure=None):
    """The product of a transposed compressed matrix and a vector.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    x : cupric.ndarray, shape (n_major,)
    n_minor : int
    structure : tuple, optional
        What `transposed_structure` made of the matrix: else it is made each time.

    Returns
    -------
    cupric.ndarray, shape (n_minor,)

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse._products import rmatvec
    >>> indptr, indices = cp.array([0, 2, 3]), cp.array([0, 2, 1])
    >>> rmatvec(indptr, indices, cp.array([1, 2, 3]), cp.array([10, 20]), 3)
    array([10, 60, 20])
    """
    return rmatmat(indptr, indices, data, x, n_minor, structure)


def rmatmat(indptr, indices, data, x, n_minor, structure=None):
    """The product of a transposed compressed matrix and a matrix.

    Parameters
    ----------
    indptr, indices, data : cupric.ndarray
    x : cupric.ndarray, shape (n_major, k)
    n_minor : int
    structure : tuple, optional
        As of `rmatvec`.

    Returns
    -------
    cupric.ndarray, shape (n_minor, k)
        In C order.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse._products import rmatmat
    >>> indptr, indices = cp.array([0, 2, 3]), cp.array([0, 2, 1])
    >>> rmatmat(indptr, indices, cp.array([1, 2, 3]), cp.array([[1, 0], [0, 1]]), 3)
    array([[1, 0],
           [0, 3],
           [2, 0]])
    """
    if _library.on_host(indptr):
        return _scattered(indptr, indices, data, x, n_minor)
    if structure is None:
        structure = transposed_structure(indptr, indices, n_minor)
    indptr, indices, order = structure
    product = matvec if x.ndim == 1 else matmat
    return product(indptr, indices, data, x, x.shape[0], order=order)


@replayed
def rows_in_order(indptr, data, order):
    """The sum of each row of a matrix whose element k is ``data[order[k]]``.

    Parameters
    ----------
    indptr, data, order : cupric.ndarray

    Returns
    -------
    cupric.ndarray, shape (n_major,)

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse._products import rows_in_order
    >>> rows_in_order(cp.array([0, 2, 3]), cp.array([1, 2, 3]), cp.array([2, 0, 1]))
    array([4, 2])
    """
    y = _core.empty(indptr.size - 1, data.dtype)
    _sum_rows(indptr, order, _core.ascontiguousarray(data), None, y, order)
    return y


@replayed
def _scattered(indptr, indices, data, x, n_minor):
    """A transposed product on the host: pieces of rows have a result each, added up in
    their order."""
    data, x, dtype = _alike(data, x)
    columns = x.size // max(x.shape[0], 1)
    items, wide = indptr.size - 1 + indices.size, _sum_dtype(dtype)
    pieces = _host_pieces(indptr, items, 1)
    if n_minor * pieces > indices.size:  # to add results up would take longest
        pieces = 1
    shape = (n_minor, *x.shape[1:])
    parts = _core.zeros(shape if pieces == 1 else (pieces, *shape), wide)
    if columns and indices.size:
        s, _, _ = _cut(indptr, indices.size, columns, -(-items // pieces), 1, dtype)
        _scatter[dtype, indptr.dtype](
            indptr=indptr,
            indices=indices,
            data=data,
            x=x,
            parts=parts,
            minors=n_minor,
            s=s,
        )
    y = parts
    if pieces > 1:
        y = parts[0] + parts[1]
        for part in parts[2:]:
            y += part
    return y.astype(dtype, copy=False)
