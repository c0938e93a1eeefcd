"""Shortest paths from some nodes to all."""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library, warn
from cupricx.scipy.sparse.csgraph._floyd_warshall import floyd_warshall
from cupricx.scipy.sparse.csgraph._graph import (
    Graph,
    NegativeCycleError,
    read_graph,
)

__all__ = [
    "bellman_ford",
    "dijkstra",
    "johnson",
    "shortest_path",
]

_library = Library(__file__)

_SWEEPS = (
    4,
    64,
)  # between two looks at whether distances still change: at first, at most
_ROWS = 64  # searches of a launch on the host device, which bound its scratch memory
_ROUNDING = 1e-14  # of sums along a cycle, relative
_NONE = np.iinfo(np.int32).max
_DENSE = 4  # a graph of n**2 / 4 edges is taken as an array


def _example(xp):
    from cupricx.scipy import sparse

    made = []
    for dtype in "il":
        indptr = xp.arange(0, 302, 3, dtype=dtype)[:101]
        indices = (xp.arange(300) * 7 % 100).astype(dtype)
        arrays = xp.arange(300) * 77 % 101 + 1.0, indices, indptr
        graph = sparse.csr_array(arrays, shape=(100, 100))
        made += dijkstra(graph, indices=[3, 5], return_predecessors=True)
        made += dijkstra(graph, indices=[3, 5], return_predecessors=True, min_only=True)
        made.append(johnson(graph, indices=[3, 5]))
    return made


def _declare(signature, ships="i l", **work):
    return _library.kernel(signature, ships=ships, example=_example, **work)


_begin_paths = _declare("begin_paths", "always", elements="count")
_begin_trace = _declare("begin_trace", "always", elements="count")
_relax = _declare("relax_edges<P>", blocks="s.pieces", threads="PATH_THREADS")
_trace = _declare("trace_edges<P>", blocks="s.pieces", threads="PATH_THREADS")
_read_keys = _declare("read_keys", "always", elements="size")
_name_missing = _declare("name_missing", "always", elements="size")
_find_sources = _declare("find_sources", "always", elements="n")
_find_cycles = _declare("find_cycles<P>", elements="size")
_reweight = _declare("reweight<P>", elements="n")


class _Search:
    """Searches from `starts`, each of its own, or all together (`several`)."""

    def __init__(self, graph, starts, several=False, limit=np.inf, negative=False):
        self.graph, self.starts, self.several = graph, starts, several
        self.limit, self.negative = limit, negative
        self.rows = 1 if several else starts.size
        self.on_host = _library.on_host(graph.indptr)

    def arguments(self):
        g = self.graph
        return dict(indptr=g.indptr, indices=g.indices, data=g.data)

    def sizes(self, round):
        return _library.struct.path_sizes(
            **dict(n=self.graph.n, rows=self.rows, size=self.rows * self.graph.n),
            **dict(limit=self.limit, round=round, several=self.several),
            **dict(negative=self.negative, pieces=self.pieces()),
        )

    def begin(self, kernel, **state):
        size = self.rows * self.graph.n
        memory = _core.zeros(2 * size if self.on_host else -(-size // 2), np.int32)
        args = dict(starts=self.starts, memory=memory, s=self.sizes(0))
        kernel[()](**args, **state, count=self.starts.size)
        return memory

    def sweep(self, kernel, state):
        """Run sweeps until nothing changes; whether it still does after many."""
        most = 1 if self.on_host else self.graph.n + 1
        done, sweeps, changes = 0, 1 if self.on_host else _SWEEPS[0], True
        while changes and done < most:
            flags = _core.zeros(sweeps + 1, np.int32)
            flags[0] = 1
            for k in range(sweeps):
                kernel[self.graph.indptr.dtype](
                    **self.arguments(),
                    **state,
                    flags=flags[k:],
                    s=self.sizes(done + k + 1),
                )
            done += sweeps
            sweeps = min(2 * sweeps, _SWEEPS[1])
            changes = bool(flags[-1])
        return changes

    def pieces(self):
        if self.on_host:
            return self.rows
        return -(-self.rows * self.graph.n // _library.enum.PATH_THREADS)

    def distances(self, keys):
        """Write distances to `keys`, (rows, n) of int64, as keys; return the node of a
        cycle of negative length, or None."""
        keys.fill(int(np.float64(np.inf).view(np.int64)))
        memory = self.begin(_begin_paths, keys=keys)
        if self.graph.nnz == 0:
            return None
        if not self.sweep(_relax, dict(keys=keys, memory=memory)):
            return None
        least = _core.empty(1, np.int32)
        least.fill(_NONE)
        _find_cycles[self.graph.indptr.dtype](
            **self.arguments(),
            keys=keys,
            least=least,
            rounding=_ROUNDING,
            n=self.graph.n,
            size=keys.size,
        )
        node = int(least[0])
        return None if node == _NONE else node

    def predecessors(self, distances, before):
        """Write the node before each, (rows, n) of int32."""
        found = _core.empty((2, *before.shape), np.int32)
        found.fill(_NONE)
        memory = self.begin(_begin_trace, found=found)
        if self.graph.nnz:
            state = dict(distances=distances, found=found, memory=memory)
            self.sweep(_trace, state)
        before[...] = found[1]
        _name_missing[()](before=before, size=before.size)


def _read_indices(indices, n):
    """Nodes to start from, int32 on the host, and the shape of results."""
    if indices is None:
        return np.arange(n, dtype=np.int32), (n,)
    if isinstance(indices, _core.ndarray):
        indices = indices.get()
    nodes = np.asarray(indices)
    if (
        nodes.size
        and nodes.dtype.kind not in "iu"
        and not np.all(nodes == nodes.astype(int))
    ):
        raise ValueError("indices are integers")
    nodes = nodes.astype(np.int64)
    wrong = (nodes < -n) | (nodes >= n)
    if wrong.any():
        raise ValueError(f"indices out of range 0...N: {nodes[wrong][0]} of {n} nodes")
    return np.where(nodes < 0, nodes + n, nodes).astype(np.int32).ravel(), nodes.shape


def _search_all(graph, starts, limit, negative, predecessors):
    """Distances and predecessors, (rows, n); the node of a cycle, or None."""
    n, cycle = graph.n, None
    keys = _core.empty((starts.size, n), np.int64)
    before = _core.empty(keys.shape, np.int32) if predecessors else None
    if keys.size == 0:
        return keys.view(np.float64), before, None
    each = _ROWS if _library.on_host(graph.indptr) else starts.size
    for first in range(0, starts.size, each):
        part = slice(first, first + each)
        search = _Search(graph, starts[part], limit=limit, negative=negative)
        found = search.distances(keys[part])
        cycle = found if cycle is None else cycle
        _read_keys[()](keys=keys[part], size=keys[part].size)
        if predecessors:
            search.predecessors(keys[part].view(np.float64), before[part])
    return keys.view(np.float64), before, cycle


def _results(distances, before, shape, n):
    distances = distances.reshape(*shape, n)
    return distances if before is None else (distances, before.reshape(*shape, n))


def _has_negative(graph):
    return bool(graph.nnz and (graph.data < 0).any())


def _refuse_cycle(node):
    if node is not None:
        raise NegativeCycleError(f"Negative cycle detected on node {node}")


def dijkstra(
    csgraph,
    directed=True,
    indices=None,
    return_predecessors=False,
    unweighted=False,
    limit=np.inf,
    min_only=False,
):
    """Shortest paths where no edge has a negative length.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
        The length of an edge from i to j for each stored element [i, j], of a dense
        array for each that is not zero, NaN or infinite.
    directed : bool, optional
        Otherwise edges also go from j to i.
    indices : array_like of int, optional
        The nodes to start from; by default all.
    return_predecessors : bool, optional
    unweighted : bool, optional
        All edges have length 1.
    limit : float, optional
        Paths that are longer count as none.
    min_only : bool, optional
        Of the paths to a node from any of `indices` the shortest.

    Returns
    -------
    dist_matrix : cupric.ndarray of float64, shape (..., n)
        Of the shape of `indices` and (n,), or (n,) with `min_only`: infinite where
        there is no path.
    predecessors : cupric.ndarray of int32, shape (..., n)
        The node before each on its path; -9999 where there is none. With
        `return_predecessors`.
    sources : cupric.ndarray of int32, shape (n,)
        The start of the path to each node; -9999 where there is none. With
        `return_predecessors` and `min_only`.

    Notes
    -----
    Among paths of equal length `predecessors` are those of one with the fewest edges,
    and among these the nodes of the smallest number, on every device. SciPy's choice is
    another one.

    On a GPU all nodes whose distance became less are taken at once, in all searches
    together; on the host device each search is by a heap.

    With negative lengths there is a warning, and the call ends, which SciPy's need not.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import dijkstra
    >>> graph = csr_array(cp.array([[0, 1, 4], [0, 0, 2], [0, 0, 0]]))
    >>> dijkstra(graph, indices=0, return_predecessors=True)
    (array([0., 1., 3.]), array([-9999,     0,     1], dtype=int32))
    """
    limit = float(limit)
    if not limit >= 0:
        raise ValueError(f"limit must be >= 0, not {limit}")
    graph = read_graph(csgraph, directed, unweighted)
    negative = _has_negative(graph)
    if negative:
        warn(
            "Graph has negative weights: dijkstra will give inaccurate results if the "
            "graph contains negative cycles. Consider johnson or bellman_ford.",
            UserWarning,
            stacklevel=2,
        )
    nodes, shape = _read_indices(indices, graph.n)
    with graph.indptr.device:
        starts = _core.array(nodes)
        if min_only:
            return _nearest(graph, starts, limit, negative, return_predecessors)
        found = _search_all(graph, starts, limit, negative, return_predecessors)
        return _results(*found[:2], shape, graph.n)


def _nearest(graph, starts, limit, negative, predecessors):
    n = graph.n
    search = _Search(graph, starts, True, limit, negative)
    keys = _core.empty((1, n), np.int64)
    search.distances(keys)
    _read_keys[()](keys=keys, size=n)
    distances = keys.view(np.float64)
    if not predecessors:
        return distances[0]
    before, sources = _core.empty((1, n), np.int32), _core.empty(n, np.int32)
    search.predecessors(distances, before)
    _find_sources[()](distances=distances, before=before, sources=sources, n=n)
    return distances[0], before[0], sources


def bellman_ford(
    csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False
):
    """Shortest paths, also where edges have negative lengths.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
        The length of an edge from i to j for each stored element [i, j], of a dense
        array for each that is not zero, NaN or infinite.
    directed : bool, optional
        Otherwise edges also go from j to i.
    indices : array_like of int, optional
        The nodes to start from; by default all.
    return_predecessors : bool, optional
    unweighted : bool, optional
        All edges have length 1.

    Returns
    -------
    dist_matrix : cupric.ndarray of float64, shape (..., n)
        Of the shape of `indices` and (n,): infinite where there is no path.
    predecessors : cupric.ndarray of int32, shape (..., n)
        The node before each on its path; -9999 where there is none. With
        `return_predecessors`.

    Raises
    ------
    NegativeCycleError
        Where a cycle of negative length can be reached.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import bellman_ford
    >>> graph = csr_array(cp.array([[0, 1, 4], [0, 0, -2], [0, 0, 0]]))
    >>> bellman_ford(graph, indices=0)
    array([ 0.,  1., -1.])
    """
    graph = read_graph(csgraph, directed, unweighted)
    nodes, shape = _read_indices(indices, graph.n)
    with graph.indptr.device:
        negative = _has_negative(graph)
        distances, before, cycle = _search_all(
            graph, _core.array(nodes), np.inf, negative, return_predecessors
        )
        _refuse_cycle(cycle)
        return _results(distances, before, shape, graph.n)


def johnson(
    csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False
):
    """Shortest paths by lengths that potentials make positive.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
        The length of an edge from i to j for each stored element [i, j], of a dense
        array for each that is not zero, NaN or infinite.
    directed : bool, optional
        Otherwise edges also go from j to i.
    indices : array_like of int, optional
        The nodes to start from; by default all.
    return_predecessors : bool, optional
    unweighted : bool, optional
        All edges have length 1.

    Returns
    -------
    dist_matrix : cupric.ndarray of float64, shape (..., n)
        Of the shape of `indices` and (n,): infinite where there is no path.
    predecessors : cupric.ndarray of int32, shape (..., n)
        The node before each on its path; -9999 where there is none. With
        `return_predecessors`.

    Raises
    ------
    NegativeCycleError
        Where there is a cycle of negative length.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import johnson
    >>> graph = csr_array(cp.array([[0, 1, 4], [0, 0, -2], [0, 0, 0]]))
    >>> johnson(graph, indices=[0])
    array([[ 0.,  1., -1.]])
    """
    graph = read_graph(csgraph, directed, unweighted)
    nodes, shape = _read_indices(indices, graph.n)
    n, P = graph.n, graph.indptr.dtype
    with graph.indptr.device:
        starts, potential = _core.array(nodes), None
        if _has_negative(graph):
            keys = _core.empty((1, n), np.int64)
            everywhere = _core.arange(n, dtype=np.int32)
            _refuse_cycle(
                _Search(graph, everywhere, True, negative=True).distances(keys)
            )
            _read_keys[()](keys=keys, size=n)
            potential = keys.view(np.float64)[0]
            lengths = _core.empty(graph.nnz, np.float64)
            _reweight[P](
                **dict(indptr=graph.indptr, indices=graph.indices, data=graph.data),
                **dict(potential=potential, lengths=lengths, n=n),
            )
            graph = Graph(graph.indptr, graph.indices, lengths, n)
        distances, before, _ = _search_all(
            graph, starts, np.inf, False, return_predecessors
        )
        if potential is not None:
            distances += potential
            distances -= potential[starts][:, None]
        return _results(distances, before, shape, n)


def shortest_path(
    csgraph,
    method="auto",
    directed=True,
    return_predecessors=False,
    unweighted=False,
    overwrite=False,
    indices=None,
):
    """Shortest paths.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
        The length of an edge from i to j for each stored element [i, j], of a dense
        array for each that is not zero, NaN or infinite.
    method : {"auto", "FW", "D", "BF", "J"}, optional
        `floyd_warshall`, `dijkstra`, `bellman_ford` or `johnson`; by default what suits
        the graph: the first for one that is almost dense, the last for one with
        negative lengths, otherwise `dijkstra`.
    directed : bool, optional
        Otherwise edges also go from j to i.
    return_predecessors : bool, optional
    unweighted : bool, optional
        All edges have length 1.
    overwrite : bool, optional
        Whether `csgraph` may be changed, which it is not.
    indices : array_like of int, optional
        The nodes to start from; by default all.

    Returns
    -------
    dist_matrix : cupric.ndarray of float64, shape (..., n)
        Of the shape of `indices` and (n,): infinite where there is no path.
    predecessors : cupric.ndarray of int32, shape (..., n)
        The node before each on its path; -9999 where there is none. With
        `return_predecessors`.

    Raises
    ------
    NegativeCycleError
        Where there is a cycle of negative length.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import shortest_path
    >>> shortest_path(csr_array(cp.array([[0, 1, 4], [0, 0, 2], [0, 0, 0]])))
    array([[ 0.,  1.,  3.],
           [inf,  0.,  2.],
           [inf, inf,  0.]])
    """
    if method not in ("auto", "FW", "D", "BF", "J"):
        raise ValueError(f"unrecognized method {method!r}: one of auto, FW, D, BF, J")
    if method == "auto":
        method = _choose(read_graph(csgraph), indices)
    args = dict(
        directed=directed,
        return_predecessors=return_predecessors,
        unweighted=unweighted,
    )
    if method == "FW":
        if indices is not None:
            raise ValueError("Cannot specify indices with method == 'FW'.")
        return floyd_warshall(csgraph, overwrite=overwrite, **args)
    function = {"D": dijkstra, "BF": bellman_ford, "J": johnson}[method]
    return function(csgraph, indices=indices, **args)


def _choose(graph, indices):
    if indices is None and _DENSE * graph.nnz >= graph.n**2:
        return "FW"
    return "J" if _has_negative(graph) else "D"
