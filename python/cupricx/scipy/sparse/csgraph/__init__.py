"""Graphs as sparse matrices: components, paths, trees."""

from cupricx.scipy.sparse.csgraph._components import connected_components
from cupricx.scipy.sparse.csgraph._dense import (
    csgraph_from_dense,
    csgraph_from_masked,
    csgraph_to_dense,
)
from cupricx.scipy.sparse.csgraph._floyd_warshall import floyd_warshall
from cupricx.scipy.sparse.csgraph._graph import NegativeCycleError
from cupricx.scipy.sparse.csgraph._laplacian import laplacian
from cupricx.scipy.sparse.csgraph._paths import (
    construct_dist_matrix,
    reconstruct_path,
)
from cupricx.scipy.sparse.csgraph._shortest_paths import (
    bellman_ford,
    dijkstra,
    johnson,
    shortest_path,
)
from cupricx.scipy.sparse.csgraph._spanning_tree import minimum_spanning_tree
from cupricx.scipy.sparse.csgraph._traversal import (
    breadth_first_order,
    breadth_first_tree,
    depth_first_order,
    depth_first_tree,
)

__all__ = [
    "NegativeCycleError",
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_to_dense",
    "depth_first_order",
    "depth_first_tree",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "laplacian",
    "minimum_spanning_tree",
    "reconstruct_path",
    "shortest_path",
]
