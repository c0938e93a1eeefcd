"""Connected components."""

import numpy as np

from cupric import _core
from cupric._lib.algorithms import scan
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.sparse.csgraph._graph import edge_runs, read_graph

__all__ = ["connected_components"]

_library = Library(__file__)

_SWEEPS = 4, 64  # between two looks at whether values still change: at first, at most


def _weak_example(xp):
    from cupricx.scipy import sparse

    made = []
    for dtype in "il":
        indptr = xp.arange(101, dtype=dtype)
        indices = (xp.arange(100) * 6 % 100).astype(dtype)
        graph = sparse.csr_array((xp.ones(100), indices, indptr), shape=(100, 100))
        made += [
            connected_components(graph)[1],
            connected_components(graph, connection="strong")[1],
        ]
    return made


def _declare(signature, work, ships="i l"):
    return _library.kernel(signature, elements=work, ships=ships, example=_weak_example)


_first_parents = _declare("first_parents<P>", "n")
_join_edges = _declare("join_edges<P>", "runs")
_flatten = _declare("flatten", "n", "always")
_number = _declare("number_components", "n", "always")
_begin_strong = _declare("begin_strong", "n", "always")
_spread_strong = _declare("spread_strong<P>", "runs")
_split_strong = _declare("split_strong", "n", "always")
_strong_roots = _declare("strong_roots", "n", "always")
_find_strong = _library.kernel(
    "find_strong<P>", blocks=True, threads=1, ships="i l", example=_weak_example
)


def connected_components(csgraph, directed=True, connection="weak", return_labels=True):
    """The connected components of a graph.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
        An edge from i to j for each stored element [i, j], of a dense array for each
        that is not zero, NaN or infinite.
    directed : bool, optional
        Whether an edge goes from i to j alone.
    connection : {"weak", "strong"}, optional
        Of a directed graph, whether nodes are connected where a path leads from one to
        the other whichever way its edges point, or where paths lead both ways.
    return_labels : bool, optional

    Returns
    -------
    n_components : int
        Waits for the device.
    labels : cupric.ndarray of int32, shape (n,)
        The component of each node. Where `return_labels` is true.

    Notes
    -----
    Components are numbered in the order of their first nodes, also strong ones, whose
    order SciPy leaves open.

    Nodes are joined in parallel (Jaiganesh and Burtscher, "A high-performance connected
    components implementation for GPUs", 2018). Strong components come from values that
    spread along edges both ways (the method of Alabandi, Sands, Biros and Burtscher,
    ECL-SCC, 2023), on
    the host device from Tarjan's search.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import connected_components
    >>> graph = csr_array(cp.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
    >>> connected_components(graph)
    (2, array([0, 0, 1], dtype=int32))
    """
    connection = str(connection).lower()
    if connection not in ("weak", "strong"):
        raise ValueError(f"connection must be 'weak' or 'strong', not {connection!r}")
    graph = read_graph(csgraph)
    if graph.n == 0:
        count, labels = 0, _core.empty(0, np.int32, device=graph.indptr.device)
    elif directed and connection == "strong":
        count, labels = _strong(graph)
    else:
        labels, numbers = _weak(
            graph.indptr,
            graph.indices,
            *edge_runs(_library.on_host(graph.indptr), graph),
        )
        count = int(numbers[-1])
    return (count, labels) if return_labels else count


@replayed
def _weak(indptr, indices, each, runs):
    """The component of each node, and how many there are up to it."""
    n = indptr.size - 1
    parent = _core.empty(n, np.int32)
    args = dict(indptr=indptr, indices=indices, parent=parent, n=n)
    _first_parents[indptr.dtype](**args)
    if runs:
        _join_edges[indptr.dtype](**args, each=each, runs=runs)
    is_root = _core.empty(n, np.int32)
    _flatten[()](parent=parent, is_root=is_root, n=n)
    return _labels(parent, is_root)


def _labels(parent, is_root):
    n = parent.size
    numbers, labels = scan(is_root, "sum"), _core.empty(n, np.int32)
    _number[()](parent=parent, numbers=numbers, labels=labels, n=n)
    return labels, numbers


def _strong(graph):
    with graph.indptr.device:
        if _library.on_host(graph.indptr):
            return _strong_by_search(graph)
        return _strong_by_spreading(graph)


def _strong_by_search(graph):
    n, P = graph.n, graph.indptr.dtype
    labels, count = _core.empty(n, np.int32), _core.empty(1, np.int32)
    _find_strong[P](
        **dict(indptr=graph.indptr, indices=graph.indices, labels=labels),
        **dict(next=_core.empty(n, P), memory=_core.zeros(4 * n, np.int32)),
        **dict(count=count, n=n, work=1),
    )
    return int(count[0]), labels


def _strong_by_spreading(graph):
    n, sweeps = graph.n, _SWEEPS[0]
    nodes = _core.empty(4 * n, np.int32)  # struct strong_state
    _begin_strong[()](nodes=nodes.data, n=n)
    left = True
    while left:
        while _spread(graph, nodes, sweeps):
            sweeps = min(2 * sweeps, _SWEEPS[1])
        flag = _core.zeros(1, np.int32)
        _split_strong[()](nodes=nodes.data, left=flag, n=n)
        left = bool(flag[0])
    parent, is_root = (_core.empty(n, np.int32) for _ in range(2))
    _strong_roots[()](nodes=nodes.data, parent=parent, is_root=is_root, n=n)
    labels, numbers = _labels(parent, is_root)
    return int(numbers[-1]), labels


def _spread(graph, nodes, sweeps):
    """Whether the last of some sweeps still changed something."""
    flags = _core.zeros(sweeps + 1, np.int32)
    flags[0] = 1
    each, runs = edge_runs(False, graph)
    if runs == 0:
        return False
    for k in range(sweeps):
        _spread_strong[graph.indptr.dtype](
            **dict(indptr=graph.indptr, indices=graph.indices, nodes=nodes.data),
            **dict(flags=flags[k:], n=graph.n, each=each, runs=runs),
        )
    return bool(flags[-1])
