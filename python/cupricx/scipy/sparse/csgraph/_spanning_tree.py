"""The minimum spanning tree."""

import numpy as np

from cupric import _core
from cupric._lib.algorithms import order_by_key
from cupric._lib.kernels import Library
from cupricx.scipy.sparse._conversions import eliminate_zeros, expand
from cupricx.scipy.sparse.csgraph._graph import read_graph, result_class

__all__ = ["minimum_spanning_tree"]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import sparse

    made = []
    for dtype in "il":
        indptr = xp.arange(0, 302, 3, dtype=dtype)[:101]
        indices = (xp.arange(300) * 7 % 100).astype(dtype)
        graph = (xp.cos(xp.arange(300.0)), indices, indptr)
        tree = minimum_spanning_tree(sparse.csr_array(graph, shape=(100, 100)))
        made += [tree.indptr, tree.indices, tree.data]
    return made


def _declare(signature, ships="i l", **work):
    return _library.kernel(signature, ships=ships, example=_example, **work)


_least_edges = _declare("least_edges<P>", elements="nnz")
_join_trees = _declare("join_trees<P>", elements="n")
_find_roots = _declare("find_roots", "", elements="n")
_grow_forest = _declare("grow_forest<P>", blocks=True, threads=1)


def minimum_spanning_tree(csgraph, overwrite=False):
    """The edges of least length that connect what the graph connects.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
        Of which edges connect their nodes whichever way they point.
    overwrite : bool, optional
        Whether `csgraph` may be changed, which it is not.

    Returns
    -------
    csr_array or csr_matrix of float64, shape (n, n)
        The edges, but for those of length 0. Waits for the device.

    Notes
    -----
    Of edges of equal length that whose element comes first is taken first: the tree is
    the same on each device. SciPy's may be another of the same length.

    On a GPU by Borůvka's algorithm, on the host device by Kruskal's.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import minimum_spanning_tree
    >>> graph = csr_array(cp.array([[0, 8, 0, 3], [0, 0, 2, 5], [0, 0, 0, 6], [0] * 4]))
    >>> minimum_spanning_tree(graph).toarray()
    array([[0., 0., 0., 3.],
           [0., 0., 2., 5.],
           [0., 0., 0., 0.],
           [0., 0., 0., 0.]])
    """
    graph = read_graph(csgraph)
    with graph.indptr.device:
        in_tree = _core.zeros(graph.nnz, bool)
        if graph.nnz:
            _find_tree(graph, in_tree)
        lengths = _core.where(in_tree, graph.data, 0.0)
        indices = graph.indices.astype(graph.indptr.dtype, copy=False)
        indptr, indices, data = eliminate_zeros(graph.indptr, indices, lengths)
    shape = (graph.n, graph.n)
    return result_class(csgraph)._of((indptr, indices, data), shape)


def _find_tree(graph, in_tree):
    n, nnz, P = graph.n, graph.nnz, graph.indptr.dtype
    order = order_by_key(graph.data, positions=P)
    parent = _core.arange(n, dtype=np.int32)
    args = dict(rows=expand(graph.indptr, nnz), indices=graph.indices)
    if _library.on_host(parent):
        args |= dict(order=order, parent=parent, in_tree=in_tree)
        _grow_forest[P](**args, nnz=nnz, work=1)
        return
    rank, least, none = _core.empty(nnz, P), _core.empty(n, P), np.iinfo(P).max
    rank[order] = _core.arange(nnz, dtype=P)
    least.fill(none)
    while True:
        found = _core.zeros(1, np.int32)
        _least_edges[P](
            **args, rank=rank, parent=parent, least=least, found=found, nnz=nnz
        )
        if not int(found[0]):
            return
        _join_trees[P](
            **args,
            order=order,
            least=least,
            parent=parent,
            in_tree=in_tree,
            none=none,
            n=n,
        )
        _find_roots[()](parent=parent, n=n)
