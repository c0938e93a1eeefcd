"""Graphs as dense arrays."""

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.kernels import Library
from cupricx.scipy.sparse._csr import csr_array
from cupricx.scipy.sparse.csgraph._graph import edges_of_dense, read_graph

__all__ = [
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_to_dense",
    "dense_of_graph",
]

_library = Library(__file__)


def _example(xp):
    x = xp.arange(36.0).reshape(6, 6) % 5
    return csgraph_to_dense(csgraph_from_dense(x), null_value=-1)


_shortest_edges = _library.kernel(
    "shortest_edges<P>", elements="rows", ships="i l", example=_example
)


def csgraph_from_dense(graph, null_value=0, nan_null=True, infinity_null=True):
    """A sparse graph of a dense array.

    Parameters
    ----------
    graph : cupric.ndarray, shape (n, n)
    null_value : float or None, optional
        The value of elements that stand for no edge.
    nan_null, infinity_null : bool, optional
        Whether elements that are NaN, or infinite, stand for no edge.

    Returns
    -------
    csr_array of float64

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.csgraph import csgraph_from_dense
    >>> csgraph_from_dense(cp.array([[0, 2], [cp.inf, 0]])).nnz
    1
    """
    x = arguments.array(graph)
    indptr, indices, data = edges_of_dense(x, null_value, nan_null, infinity_null)
    return csr_array._of((indptr, indices, data), x.shape, canonical=True)


def csgraph_from_masked(graph):
    """A sparse graph of a masked array.

    Parameters
    ----------
    graph : numpy.ma.MaskedArray, shape (n, n)
        Edges are the elements that are not masked.

    Returns
    -------
    csr_array of float64

    Examples
    --------
    >>> import numpy as np
    >>> from cupricx.scipy.sparse.csgraph import csgraph_from_masked
    >>> csgraph_from_masked(np.ma.masked_equal([[0, 2.0], [3, 0]], 3)).nnz
    3
    """
    graph = np.ma.asarray(graph)
    if graph.ndim != 2:
        raise ValueError(f"graph should have two dimensions, not {graph.ndim}")
    if graph.shape[0] != graph.shape[1]:
        raise ValueError(f"graph should be a square array, not of shape {graph.shape}")
    rows, columns = np.nonzero(~np.ma.getmaskarray(graph))
    indptr = np.searchsorted(rows, np.arange(len(graph) + 1))
    data = np.asarray(graph.data[rows, columns], dtype=np.float64)
    dtype = np.int32 if max(rows.size, len(graph)) < 2**31 else np.int64
    arrays = indptr.astype(dtype), columns.astype(dtype), data
    return csr_array._of([_core.array(a) for a in arrays], graph.shape, canonical=True)


def dense_of_graph(indptr, indices, data, null_value):
    """Of several edges from one node to another, the shortest."""
    n = indptr.size - 1
    with indptr.device:
        out = _core.empty((n, n), np.float64)
        out.fill(null_value)
        if n and data.size:
            touched = _core.zeros((n, n), bool)
            _shortest_edges[indptr.dtype](
                **dict(indptr=indptr, indices=indices, data=data, out=out),
                **dict(touched=touched, n=n, rows=n),
            )
    return out


def csgraph_to_dense(csgraph, null_value=0):
    """A dense array of a sparse graph.

    Parameters
    ----------
    csgraph : sparse array or matrix, shape (n, n)
    null_value : float, optional
        The value of elements that stand for no edge.

    Returns
    -------
    cupric.ndarray of float64, shape (n, n)
        Where there are several edges from one node to another, the shortest.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import csgraph_to_dense
    >>> csgraph_to_dense(csr_array(cp.array([[0, 2], [0, 0]])), null_value=cp.inf)
    array([[inf,  2.],
           [inf, inf]])
    """
    graph = read_graph(csgraph)
    return dense_of_graph(graph.indptr, graph.indices, graph.data, float(null_value))
