"""Shortest paths between all nodes, of dense graphs."""

import numpy as np

from cupric import _core
from cupric._lib.kernels import Library, replayed
from cupricx.scipy.sparse.csgraph._dense import dense_of_graph
from cupricx.scipy.sparse.csgraph._graph import NegativeCycleError, read_graph

__all__ = ["floyd_warshall"]

_library = Library(__file__)


def _example(xp):
    from cupricx.scipy import sparse

    x = xp.arange(70 * 70.0).reshape(70, 70) * 7 % 101
    return [
        *floyd_warshall(sparse.csr_array(x), return_predecessors=True),
        floyd_warshall(sparse.csr_array(x), directed=False),
    ]


_begin = _library.kernel(
    "begin_tiles", elements="size", ships="always", example=_example
)
_pass = _library.kernel(
    "pass_tiles",
    blocks="tiles",
    threads="TILE_THREADS",
    ships="always",
    example=_example,
)


def floyd_warshall(
    csgraph,
    directed=True,
    return_predecessors=False,
    unweighted=False,
    overwrite=False,
):
    """Shortest paths between all nodes, by an array of all distances.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
        The length of an edge from i to j for each stored element [i, j], of a dense
        array for each that is not zero, NaN or infinite.
    directed : bool, optional
        Otherwise edges also go from j to i.
    return_predecessors : bool, optional
    unweighted : bool, optional
        All edges have length 1.
    overwrite : bool, optional
        Whether `csgraph` may be changed, which it is not.

    Returns
    -------
    dist_matrix : cupric.ndarray of float64, shape (n, n)
        Infinite where there is no path.
    predecessors : cupric.ndarray of int32, shape (n, n)
        The node before each on its path; -9999 where there is none. With
        `return_predecessors`.

    Raises
    ------
    NegativeCycleError
        Where there is a cycle of negative length. Waits for the device.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse import csr_array
    >>> from cupricx.scipy.sparse.csgraph import floyd_warshall
    >>> floyd_warshall(csr_array(cp.array([[0, 1, 4], [0, 0, 2], [0, 0, 0]])))
    array([[ 0.,  1.,  3.],
           [inf,  0.,  2.],
           [inf, inf,  0.]])
    """
    read = read_graph(csgraph, unweighted=unweighted)
    n = read.n
    if n == 0:
        with read.indptr.device:
            made = _core.empty((0, 0), np.float64), _core.empty((0, 0), np.int32)
        return made if return_predecessors else made[0]
    graph = dense_of_graph(read.indptr, read.indices, read.data, np.inf)
    distances, before = _paths(graph, bool(directed), bool(return_predecessors))
    wrong = distances.diagonal() < 0
    if wrong.any():
        nodes = wrong.nonzero()[0].get()
        raise NegativeCycleError(f"Negative cycle in nodes {nodes}")
    return (distances, before) if return_predecessors else distances


@replayed
def _paths(graph, directed, predecessors):
    n = len(graph)
    side = -(-n // _library.enum.TILE)
    padded = side * _library.enum.TILE
    d = _core.empty((padded, padded), np.float64)
    before = _core.empty(d.shape, np.int32) if predecessors else None
    _begin[()](
        **dict(graph=graph, d=d, before=before, m=n, n=padded, directed=directed),
        size=d.size,
    )
    counts = 1, 2 * (side - 1), (side - 1) ** 2
    for middle in range(side):
        for phase, tiles in enumerate(counts):
            if tiles == 0:
                continue
            s = _library.struct.tile_sizes(side=side, middle=middle, phase=phase)
            _pass[()](d=d, before=before, s=s, tiles=tiles)
    if n == padded:
        return d, before
    made = _core.empty((n, n), np.float64)
    made[...] = d[:n, :n]
    nodes = None
    if predecessors:
        nodes = _core.empty((n, n), np.int32)
        nodes[...] = before[:n, :n]
    return made, nodes
