"""Graphs, as functions take them, in compressed form."""

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupricx.scipy.sparse._conversions import compress, expand, transpose
from cupricx.scipy.sparse._csr import csr_array, csr_matrix
from cupricx.scipy.sparse._kinds import issparse, sparray
from cupricx.scipy.sparse._types import refuse_host

__all__ = [
    "Graph",
    "NegativeCycleError",
    "edge_runs",
    "edges_of_dense",
    "read_graph",
    "result_class",
    "start_node",
]

_RUN = 8  # edges of a thread of a GPU
_RUNS = 64  # at most, on the host device


class NegativeCycleError(Exception):
    """Paths become ever shorter along a cycle of edges.

    Parameters
    ----------
    message : str
    """

    def __init__(self, message=""):
        super().__init__(message)


class Graph:
    """The edges from each node.

    Attributes
    ----------
    indptr : cupric.ndarray of int32 or int64, shape (n + 1,)
    indices : cupric.ndarray of int32
    data : cupric.ndarray of float64
        Their lengths.
    n : int
    """

    __slots__ = ("data", "indices", "indptr", "n")

    def __init__(self, indptr, indices, data, n):
        self.indptr, self.indices, self.data, self.n = indptr, indices, data, n

    @property
    def nnz(self):
        return self.indices.size

    def transposed(self):
        """The same edges, backwards."""
        arrays = transpose(
            self.indptr, self.indices.astype(self.indptr.dtype), self.data, self.n
        )
        return Graph(arrays[0], arrays[1].astype(np.int32), arrays[2], self.n)

    def both_ways(self):
        """Each edge, and then each backwards: rows of twice as many."""
        back = self.transposed()
        rows = [expand(g.indptr, g.nnz) for g in (self, back)]
        with self.indptr.device:
            at = [_core.arange(self.nnz, dtype=np.int64) for _ in range(2)]
        # An edge goes behind those of the other half in rows before its own, or up to
        # its own.
        at[0] += back.indptr[rows[0]]
        at[1] += self.indptr[rows[1] + 1]
        most = max(2 * self.nnz, self.n)
        dtype = self.indptr.dtype if most < 2**31 else np.dtype(np.int64)
        indices = _core.empty(2 * self.nnz, np.int32, device=self.indices.device)
        data = _core.empty(2 * self.nnz, np.float64, device=self.indices.device)
        for place, half in zip(at, (self, back), strict=True):
            indices[place] = half.indices
            data[place] = half.data
        indptr = self.indptr.astype(dtype) + back.indptr.astype(dtype)
        return Graph(indptr, indices, data, self.n)


def edges_of_dense(x, null_value=0, nan_null=True, infinity_null=True):
    """The compressed form, of float64, of the elements of a square array that stand for
    edges."""
    if x.ndim != 2:
        raise ValueError(f"graph should have two dimensions, not {x.ndim}")
    if x.shape[0] != x.shape[1]:
        raise ValueError(f"graph should be a square array, not of shape {x.shape}")
    if x.dtype.kind == "c":
        x = x.real
    x = x.astype(np.float64, copy=False)
    null_value = None if null_value is None else float(null_value)
    if null_value is not None and np.isnan(null_value):
        null_value, nan_null = None, True
    elif null_value is not None and np.isinf(null_value):
        null_value, infinity_null = None, True
    edges = _core.empty(x.shape, bool, device=x.device)
    edges.fill(True)
    if null_value is not None:
        edges &= x != null_value
    if nan_null:
        edges &= ~_core.isnan(x)
    if infinity_null:
        edges &= ~_core.isinf(x)
    rows, columns = edges.nonzero()
    dtype = np.int32 if max(rows.size, len(x)) < 2**31 else np.int64
    rows = rows.astype(dtype)
    return compress(rows, len(x)), columns.astype(dtype), x[edges]


def read_graph(csgraph, directed=True, unweighted=False):
    """A graph of float64, from a sparse object, or a dense array in which zero, NaN and
    infinity are no edge.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray
    directed : bool
        Otherwise, edges go both ways.
    unweighted : bool
        All edges have length 1.

    Returns
    -------
    Graph
    """
    if issparse(csgraph):
        if csgraph.ndim != 2 or csgraph.shape[0] != csgraph.shape[1]:
            raise ValueError(
                f"compressed-sparse graph must be shape (N, N), not {csgraph.shape}"
            )
        csr = csgraph.tocsr()
        indptr, indices, data = csr.indptr, csr.indices, csr.data
    else:
        refuse_host(csgraph, "csgraph")
        indptr, indices, data = edges_of_dense(arguments.array(csgraph))
    n = csgraph.shape[0]
    if n >= 2**31:
        raise ValueError(f"a graph has up to 2**31 - 1 nodes, not {n}")
    if data.dtype.kind == "c":
        data = data.real
    if unweighted:
        data = _core.empty(data.size, np.float64, device=data.device)
        data.fill(1)
    graph = Graph(
        indptr,
        indices.astype(np.int32, copy=False),
        data.astype(np.float64, copy=False),
        n,
    )
    return graph if directed else graph.both_ways()


def result_class(csgraph):
    """The class of a sparse result: a matrix for a matrix, else an array."""
    is_matrix = issparse(csgraph) and not isinstance(csgraph, sparray)
    return csr_matrix if is_matrix else csr_array


def start_node(i_start, n):
    """The number of a node."""
    i_start = arguments.integer(i_start)
    if not 0 <= i_start < n:
        raise ValueError(f"i_start={i_start} is no node of a graph of {n}")
    return i_start


def edge_runs(on_host, graph):
    """How many edges a thread takes, and how many threads there are."""
    each = max(_RUN, -(-graph.nnz // _RUNS)) if on_host else _RUN
    return each, -(-graph.nnz // each)
