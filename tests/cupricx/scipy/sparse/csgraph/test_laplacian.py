"""Laplacians, against SciPy."""

import itertools

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import csgraph

options = [
    dict(zip(("normed", "symmetrized", "use_out_degree"), bits, strict=True))
    for bits in itertools.product([False, True], repeat=3)
]
KINDS = {
    "dense": (np.asarray, cp.asarray),
    "array": (scipy.sparse.csr_array, sparse.csr_array),
    "matrix": (scipy.sparse.csc_matrix, sparse.csc_matrix),
}


def dense(x):
    x = x.get() if hasattr(x, "get") else x
    return x.toarray() if scipy.sparse.issparse(x) else x


def weights(dtype):
    rng = np.random.default_rng(3)
    x = (rng.random((7, 7)) < 0.5) * rng.integers(1, 5, (7, 7))
    x[3] = x[:, 3] = 0
    return x.astype(dtype) * (1 if np.dtype(dtype).kind != "c" else 1 + 2j)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8", "c8", "c16"])
def test_laplacian(kind, dtype):
    host, device = (make(weights(dtype)) for make in KINDS[kind])
    for args in options:
        expected, diagonal = scipy.sparse.csgraph.laplacian(
            host, return_diag=True, **args
        )
        found, own = csgraph.laplacian(device, return_diag=True, **args)
        assert type(found).__name__ == type(expected).__name__
        assert (found.dtype, own.dtype) == (expected.dtype, diagonal.dtype)
        np.testing.assert_allclose(dense(found), dense(expected), rtol=1e-5)
        np.testing.assert_allclose(own.get(), diagonal, rtol=1e-5)


def test_forms_and_dtype():
    x = weights("f8")
    L = csgraph.laplacian(cp.asarray(x))
    v = cp.arange(7.0)
    assert cp.allclose(csgraph.laplacian(cp.asarray(x), form="function")(v), L @ v)
    assert csgraph.laplacian(cp.asarray(x), dtype="f4").dtype == np.float32
    A = sparse.coo_array(cp.asarray(x))
    assert cp.allclose(csgraph.laplacian(A, form="function")(v), L @ v)
    assert A.get().toarray().tolist() == x.tolist()


def test_errors():
    with pytest.raises(ValueError, match="square"):
        csgraph.laplacian(cp.ones((2, 3)))
    with pytest.raises(ValueError, match="Invalid form"):
        csgraph.laplacian(cp.ones((2, 2)), form="list")
    with pytest.raises(TypeError):
        csgraph.laplacian(np.ones((2, 2)))
