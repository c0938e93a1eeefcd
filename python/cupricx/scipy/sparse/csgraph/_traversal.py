"""Nodes in the order of a search."""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library
from cupricx.scipy.sparse.csgraph._graph import read_graph, start_node
from cupricx.scipy.sparse.csgraph._paths import reconstruct_path

__all__ = [
    "breadth_first_order",
    "breadth_first_tree",
    "depth_first_order",
    "depth_first_tree",
]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import sparse

    made = []
    for dtype in "il":
        indptr = xp.arange(0, 202, 2, dtype=dtype)
        indices = (xp.arange(200) * 7 % 100).astype(dtype)
        graph = sparse.csr_array((xp.ones(200), indices, indptr), shape=(100, 100))
        made += [*breadth_first_order(graph, 3), *depth_first_order(graph, 3)]
    return made


def _declare(signature, ships="i l", **work):
    return _library.kernel(signature, ships=ships, example=_example, **work)


_begin = _declare("begin_search", "always", elements="n")
_breadth = _declare("search_breadth<P>", blocks=True, threads="SEARCH_THREADS")
_claim = _declare("claim_edges<P>", elements="total")
_hold = _declare("hold_claims<P>", elements="total")
_take = _declare("take_nodes<P>", elements="added")
_depth = _declare("search_depth<P>", blocks=True, threads=1)


def breadth_first_order(csgraph, i_start, directed=True, return_predecessors=True):
    """Nodes in the order in which a breadth-first search finds them.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
    i_start : int
        Where the search begins.
    directed : bool, optional
        Otherwise edges also go from j to i.
    return_predecessors : bool, optional

    Returns
    -------
    node_array : cupric.ndarray of int32
        The nodes that are found: their number is waited for.
    predecessors : cupric.ndarray of int32, shape (n,)
        The node from which each is found; -9999 for `i_start` and nodes that are not
        found. Where `return_predecessors` is true.

    Notes
    -----
    The neighbours of a node are taken in the order of their elements, of an undirected
    graph first those of its row, then those of its column, as in SciPy.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import breadth_first_order
    >>> graph = csr_array(cp.array([[0, 0, 2], [0, 0, 0], [0, 1, 0]]))
    >>> breadth_first_order(graph, 0)
    (array([0, 2, 1], dtype=int32), array([-9999,     2,     0], dtype=int32))
    """
    graph = read_graph(csgraph, directed)
    start = start_node(i_start, graph.n)
    with graph.indptr.device:
        order, before = _in_breadth(graph, start)
    return (order, before) if return_predecessors else order


def _in_breadth(graph, start):
    n, P = graph.n, graph.indptr.dtype
    order, before = _core.empty(n, np.int32), _core.empty(n, np.int32)
    claims = _core.empty(n, np.int64)
    _begin[()](claims=claims, before=before, start=start, n=n)
    order[0] = start
    arrays = dict(indptr=graph.indptr, indices=graph.indices)
    level, found, edges, wide = 0, 1, 0, True
    while wide:
        state = _core.array([level, found, edges, 0])  # struct search_state
        _breadth[P](
            **arrays,
            order=order,
            before=before,
            claims=claims,
            state=state.data,
            work=1,
        )
        level, found, edges, wide = (int(k) for k in state.get())
        if wide:
            ends, total = _edges_of(graph, order[level:found])
            size = _library.struct.level_size(nodes=found - level, edges=edges)
            args = arrays | dict(level=order[level:], ends=ends, s=size)
            added = _wide_level(P, args, claims, before, total)
            level, found, edges = found, found + added, edges + total
    return order[:found], before


def _edges_of(graph, level):
    """How many edges nodes have up to each, and all."""
    degrees = graph.indptr[level + 1] - graph.indptr[level]
    ends = _core.cumsum(degrees, dtype=np.int64)
    return ends, int(ends[-1])


def _wide_level(P, args, claims, before, total):
    """Append the new nodes of a level; return their number."""
    _claim[P](**args, claims=claims, total=total)
    is_new = _core.empty(total, bool)
    _hold[P](**args, claims=claims, is_new=is_new, total=total)
    edges = is_new.nonzero()[0]
    if edges.size:
        _take[P](**args, edges=edges, before=before, added=edges.size)
    return edges.size


def depth_first_order(csgraph, i_start, directed=True, return_predecessors=True):
    """Nodes in the order in which a depth-first search finds them.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
    i_start : int
        Where the search begins.
    directed : bool, optional
        Otherwise edges also go from j to i.
    return_predecessors : bool, optional

    Returns
    -------
    node_array : cupric.ndarray of int32
        The nodes that are found: their number is waited for.
    predecessors : cupric.ndarray of int32, shape (n,)
        The node from which each is found; -9999 for `i_start` and nodes that are not
        found. Where `return_predecessors` is true.

    Notes
    -----
    Such an order comes of one step after the other: one thread of the device makes it,
    which takes a GPU much longer than the host.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import depth_first_order
    >>> graph = csr_array(cp.array([[0, 3, 2], [0, 0, 0], [0, 1, 0]]))
    >>> depth_first_order(graph, 0)
    (array([0, 1, 2], dtype=int32), array([-9999,     0,     0], dtype=int32))
    """
    graph = read_graph(csgraph, directed)
    start = start_node(i_start, graph.n)
    n, P = graph.n, graph.indptr.dtype
    with graph.indptr.device:
        order, before, path = (_core.empty(n, np.int32) for _ in range(3))
        before.fill(_library.enum.NO_NODE)
        count = _core.empty(1, np.int32)
        _depth[P](
            **dict(indptr=graph.indptr, indices=graph.indices, order=order),
            **dict(before=before, next=_core.empty(n, P), path=path, count=count),
            **dict(start=start, work=1),
        )
        order = order[: int(count[0])]
    return (order, before) if return_predecessors else order


def breadth_first_tree(csgraph, i_start, directed=True):
    """The tree of a breadth-first search.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
    i_start : int
        Its root.
    directed : bool, optional
        Otherwise edges also go from j to i.

    Returns
    -------
    csr_array or csr_matrix, shape (n, n)
        An edge of `csgraph` to each node that is found.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import breadth_first_tree
    >>> graph = csr_array(cp.array([[0, 3, 2], [0, 0, 0], [0, 1, 0]]))
    >>> breadth_first_tree(graph, 0).nnz
    2
    """
    _, before = breadth_first_order(csgraph, i_start, directed)
    return reconstruct_path(csgraph, before, directed)


def depth_first_tree(csgraph, i_start, directed=True):
    """The tree of a depth-first search.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
    i_start : int
        Its root.
    directed : bool, optional
        Otherwise edges also go from j to i.

    Returns
    -------
    csr_array or csr_matrix, shape (n, n)
        An edge of `csgraph` to each node that is found.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import depth_first_tree
    >>> graph = csr_array(cp.array([[0, 3, 2], [0, 0, 0], [0, 1, 0]]))
    >>> depth_first_tree(graph, 0).nnz
    2
    """
    _, before = depth_first_order(csgraph, i_start, directed)
    return reconstruct_path(csgraph, before, directed)
