"""The Laplacian of a graph."""

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupricx.scipy.sparse._kinds import issparse
from cupricx.scipy.sparse._types import value_dtype

__all__ = ["laplacian"]

_FORMS = "array", "function", "lo"


def laplacian(
    csgraph,
    normed=False,
    return_diag=False,
    use_out_degree=False,
    *,
    copy=True,
    form="array",
    dtype=None,
    symmetrized=False,
):
    """The Laplacian of a graph: degrees on the diagonal, minus the lengths of edges.

    Parameters
    ----------
    csgraph : sparse array or matrix, or cupric.ndarray, shape (n, n)
    normed : bool, optional
        Whether it is divided by the square roots of the degrees of both nodes.
    return_diag : bool, optional
    use_out_degree : bool, optional
        The sums of rows as degrees, in place of those of columns.
    copy : bool, optional
        Otherwise `csgraph` may be changed, which it is not.
    form : {"array", "function", "lo"}, optional
        What is returned: the array, a function that multiplies it by vectors, or a
        `LinearOperator`.
    dtype : dtype, optional
        By default that of `csgraph`, where `normed` float64 for integers.
    symmetrized : bool, optional
        Of the graph and its transpose together.

    Returns
    -------
    lap : coo_array or coo_matrix, cupric.ndarray, callable or LinearOperator
        Dense for a dense graph.
    diag : cupric.ndarray, shape (n,)
        The degrees, where `normed` their square roots, or 1 where they are 0. With
        `return_diag`.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.csgraph import laplacian
    >>> laplacian(cp.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    array([[ 1, -1,  0],
           [-1,  2, -1],
           [ 0, -1,  1]])
    """
    is_sparse = issparse(csgraph)
    graph = csgraph if is_sparse else arguments.array(csgraph)
    if graph.ndim != 2 or graph.shape[0] != graph.shape[1]:
        raise ValueError(f"csgraph must be a square matrix or array, not {graph.shape}")
    if form not in _FORMS:
        raise ValueError(f"Invalid form: {form!r}, which is one of {_FORMS}")
    dtype = value_dtype(graph.dtype if dtype is None else dtype)
    if normed and dtype.kind in "biu":
        dtype = np.dtype(np.float64)
    axis = 1 if use_out_degree else 0
    with graph.device:
        if is_sparse:
            made, diagonal = _sparse(graph, normed, axis, dtype, symmetrized)
        else:
            made, diagonal = _dense(graph, normed, axis, dtype, symmetrized)
    if form == "function":
        made = made.__matmul__
    elif form == "lo":
        from cupricx.scipy.sparse.linalg import aslinearoperator

        made = aslinearoperator(made)
    return (made, diagonal) if return_diag else made


def _degrees(sums, normed):
    """What is divided by, or None; what is returned, and what is on the diagonal."""
    if not normed:
        return None, sums, sums
    alone = sums == 0
    root = _core.where(alone, sums.dtype.type(1), _core.sqrt(sums))
    return root, root, (~alone).astype(sums.dtype)


def _sparse(graph, normed, axis, dtype, symmetrized):
    n = graph.shape[0]
    A = graph.astype(dtype, copy=False).tocsr()
    if symmetrized:
        A = A + A.T.conj()
    A = A.tocoo(copy=False)
    apart = A.row != A.col
    row, col, data = A.row[apart], A.col[apart], A.data[apart]
    others = A._of(data, (row, col), A.shape)
    sums = others.sum(axis=axis, dtype=dtype)
    divisor, diagonal, degrees = _degrees(sums.reshape(-1)[:n], normed)
    if divisor is not None:
        data = data / divisor[row]
        data /= divisor[col]
    nodes = _core.arange(n, dtype=row.dtype)
    values = _core.concatenate([-data, degrees]).astype(dtype, copy=False)
    coords = [_core.concatenate([c, nodes]) for c in (row, col)]
    return graph._class_of("coo")._of(values, coords, A.shape), diagonal


def _dense(graph, normed, axis, dtype, symmetrized):
    n = len(graph)
    m = graph.astype(dtype, order="C", copy=True)
    if symmetrized:
        m = m + m.T.conj()
    m.reshape(-1)[:: n + 1] = 0
    divisor, diagonal, degrees = _degrees(m.sum(axis=axis, dtype=dtype), normed)
    if divisor is not None:
        m /= divisor
        m /= divisor.reshape(-1, 1)
    m = -m
    m.reshape(-1)[:: n + 1] = degrees
    return m, diagonal
