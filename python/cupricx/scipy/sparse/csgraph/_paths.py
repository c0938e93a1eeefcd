"""What is made of predecessors."""

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.kernels import Library
from cupricx.scipy.sparse._conversions import compress
from cupricx.scipy.sparse.csgraph._dense import dense_of_graph
from cupricx.scipy.sparse.csgraph._graph import read_graph, result_class

__all__ = ["construct_dist_matrix", "reconstruct_path"]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import sparse

    graph = sparse.csr_array(xp.arange(36.0).reshape(6, 6) % 5)
    before = xp.asarray(np.array([-9999, 0, 1, 2, 3, 1], np.int32))
    distances = construct_dist_matrix(graph, xp.stack([before] * 6), null_value=-1)
    return [distances, reconstruct_path(graph, before).toarray()]


_tree_edges = _library.kernel(
    "tree_edges<P>", elements="n", ships="i l", example=_example
)
_path_lengths = _library.kernel(
    "path_lengths", elements="size", ships="always", example=_example
)


def _predecessors(predecessors, shape):
    before = arguments.array(predecessors, "predecessors")
    if before.dtype.kind not in "iu":
        raise TypeError(f"predecessors are integers, not {before.dtype}")
    if before.shape != shape:
        raise ValueError(
            f"predecessors of shape {before.shape} for a graph whose are of {shape}"
        )
    return _core.ascontiguousarray(before.astype(np.int32, copy=False))


def reconstruct_path(csgraph, predecessors, directed=True):
    """The tree of predecessors, as a graph.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
    predecessors : cupric.ndarray of integers, shape (n,)
        The node before each; negative where there is none.
    directed : bool, optional
        Otherwise the length of an edge is the smaller of [i, j] and [j, i].

    Returns
    -------
    csr_array or csr_matrix, shape (n, n)
        The edge of `csgraph` from its predecessor to each node; none where that has
        length 0. Waits for their number.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import reconstruct_path
    >>> graph = csr_array(cp.array([[0, 3, 2], [0, 0, 0], [0, 1, 0]]))
    >>> reconstruct_path(graph, cp.array([-9999, 2, 0])).toarray()
    array([[0., 0., 2.],
           [0., 0., 0.],
           [0., 1., 0.]])
    """
    graph = read_graph(csgraph, directed)
    n = graph.n
    before = _predecessors(predecessors, (n,))
    with graph.indptr.device:
        lengths = _core.zeros(n, np.float64)
        if n:
            _tree_edges[graph.indptr.dtype](
                **dict(indptr=graph.indptr, indices=graph.indices, data=graph.data),
                **dict(before=before, lengths=lengths, n=n),
            )
        nodes = lengths.nonzero()[0]
        order = before[nodes].argsort(kind="stable")
        nodes = nodes[order].astype(np.int32)
        indptr = compress(before[nodes], n)
    return result_class(csgraph)._of((indptr, nodes, lengths[nodes]), (n, n))


def construct_dist_matrix(graph, predecessors, directed=True, null_value=np.inf):
    """Distances from predecessors.

    Parameters
    ----------
    graph : sparse array or matrix, or cupric.ndarray, shape (n, n)
    predecessors : cupric.ndarray of integers, shape (n, n)
        [i, j] is the node before j on the path from i; negative where there is none.
    directed : bool, optional
        Otherwise the length of an edge is the smaller of [i, j] and [j, i].
    null_value : float, optional
        The distance where there is no path.

    Returns
    -------
    cupric.ndarray of float64, shape (n, n)

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import construct_dist_matrix, shortest_path
    >>> graph = csr_array(cp.array([[0, 1], [0, 0]]))
    >>> _, predecessors = shortest_path(graph, return_predecessors=True)
    >>> construct_dist_matrix(graph, predecessors)
    array([[ 0.,  1.],
           [inf,  0.]])
    """
    read = read_graph(graph, directed)
    before = _predecessors(predecessors, (read.n, read.n))
    lengths = dense_of_graph(read.indptr, read.indices, read.data, np.inf)
    with read.indptr.device:
        distances = _core.empty((read.n, read.n), np.float64)
        if read.n:
            _path_lengths[()](
                **dict(lengths=lengths, before=before, distances=distances),
                **dict(null_value=float(null_value), n=read.n, size=distances.size),
            )
    return distances
