"""Equations with sparse matrices against SciPy."""

import numpy as np
import pytest

import cupric as cp
import cupricx
import cupricx.scipy.sparse as sparse
from cupricx.scipy.sparse.linalg import (
    MatrixRankWarning,
    inv,
    spsolve,
    spsolve_triangular,
)

scipy_sparse = pytest.importorskip("scipy.sparse")
scipy_linalg = pytest.importorskip("scipy.sparse.linalg")
N = 60
CLASSES = ["csr_matrix", "csc_matrix", "csr_array", "csc_array", "coo_matrix"]


def matrix(dtype, n=N, density=0.08):
    a = scipy_sparse.random(n, n, density=density, random_state=1, format="csr")
    a = a + 4 * scipy_sparse.eye(n)
    if np.dtype(dtype).kind == "c":
        a = a * (1 + 0.5j)
    return a.astype(dtype).tocsr()


def side(shape, dtype):
    rng = np.random.default_rng(0)
    b = rng.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        b = b + 1j * rng.normal(size=shape)
    return (b * 8).astype(dtype)


def tolerance(dtype):
    return 1e-3 if np.dtype(dtype).char in "fF" else 1e-10


@pytest.mark.parametrize("shape", [(N,), (N, 1), (N, 4)])
@pytest.mark.parametrize("dtypes", ["ff", "dd", "FF", "DD", "fd", "dF", "dl", "ld"])
@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.filterwarnings("ignore::cupricx.scipy.sparse.SparseEfficiencyWarning")
def test_spsolve(cls, dtypes, shape):
    a, b = matrix(dtypes[0]), side(shape, dtypes[1])
    x = spsolve(getattr(sparse, cls)(a), cp.asarray(b))
    expected = scipy_linalg.spsolve(getattr(scipy_sparse, cls)(a), b)
    assert x.dtype == expected.dtype
    assert x.shape == expected.shape
    assert np.allclose(x.get(), expected, atol=tolerance(x.dtype))


@pytest.mark.parametrize("dtype", ["e", "i4", "?"])
def test_spsolve_of_other_dtypes(dtype):
    a = np.tril(np.ones((5, 5))).astype(dtype)
    x = spsolve(sparse.csr_matrix(cp.asarray(a)), cp.ones(5, dtype="e"))
    assert x.dtype == (np.float32 if dtype == "e" else np.float64)
    assert np.allclose(x.get(), [1, 0, 0, 0, 0])


@pytest.mark.parametrize("columns", [1, 4, 300])
@pytest.mark.parametrize("cls", ["csr_matrix", "csc_array"])
def test_sparse_right_side(cls, columns):
    a = matrix("d")
    b = scipy_sparse.random(N, columns, density=0.2, random_state=2, format="csc")
    x = spsolve(getattr(sparse, cls)(a), sparse.csc_matrix(b))
    if columns == 1:
        assert x.shape == (N,)
        assert abs(a @ x.get() - b.toarray().ravel()).max() < 1e-12
        return
    assert type(x) is getattr(sparse, cls)
    assert x.shape == b.shape
    assert abs(a @ x.toarray().get() - b.toarray()).max() < 1e-12


def test_singular():
    a = sparse.csr_matrix(scipy_sparse.csr_matrix(np.diag([1.0, 0, 2])))
    for b in (cp.ones(3), cp.ones((3, 2))):
        with pytest.warns(MatrixRankWarning, match="singular"):
            x = spsolve(a, b)
        assert x.shape == b.shape
        assert bool(cp.isnan(x).all())


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("cls", CLASSES)
def test_inv(cls, dtype):
    a = matrix(dtype)
    x = inv(getattr(sparse, cls)(a))
    assert type(x) is getattr(sparse, cls)
    assert x.dtype == dtype
    assert abs(x.toarray().get() @ a.toarray() - np.eye(N)).max() < tolerance(dtype)


@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("shape", [(N,), (N, 1), (N, 3), (N, 4), (N, 5), (N, 70)])
@pytest.mark.parametrize("dtypes", ["ff", "dd", "FF", "DD", "fd", "dF", "ll", "el"])
def test_triangles(dtypes, shape, lower, unit):
    dense = matrix("D" if dtypes[0] in "FD" else "d").toarray()
    a, b = dense.astype(dtypes[0]), side(shape, dtypes[1])
    triangle = np.tril(a) if lower else np.triu(a)
    given = sparse.csr_matrix(cp.asarray(triangle))
    x = spsolve_triangular(given, cp.asarray(b), lower, unit_diagonal=unit)
    dtype = np.promote_types(np.promote_types(dtypes[0], "f"), dtypes[1])
    assert x.dtype == dtype
    assert x.shape == b.shape
    if unit:
        np.fill_diagonal(triangle, 1)
    x = x.get()
    size = abs(triangle) @ abs(x)
    tol = 1e-5 if dtype.char in "fF" else 1e-13
    assert np.all(abs(triangle @ x - b) <= tol * (size + abs(b)))


@pytest.mark.parametrize("cls", CLASSES)
def test_triangles_of_formats(cls):
    """Of whole matrices the other triangle is not read."""
    a, b = matrix("d"), side(N, "d")
    for lower, triangle in ((True, np.tril), (False, np.triu)):
        x = spsolve_triangular(getattr(sparse, cls)(a), cp.asarray(b), lower)
        expected = np.linalg.solve(triangle(a.toarray()), b)
        assert np.allclose(x.get(), expected, rtol=1e-10, atol=1e-12)


def test_triangles_of_duplicates_and_unsorted_rows():
    indptr, indices = [0, 2, 5], [0, 0, 1, 0, 1]
    data = cp.asarray([1.0, 1, 3, 4, 1])
    a = sparse.csr_matrix((data, cp.asarray(indices), cp.asarray(indptr)), shape=(2, 2))
    x = spsolve_triangular(a, cp.asarray([2.0, 12]))
    assert np.array_equal(x.get(), [1, 2])


@pytest.mark.parametrize("lower", [True, False])
def test_a_chain_of_rows(lower):
    """Each row needs the one before."""
    n = 3000
    d = scipy_sparse.diags([np.ones(n - 1), np.full(n, 2.0)], [-1 if lower else 1, 0])
    x = spsolve_triangular(sparse.csr_matrix(d), cp.ones(n), lower)
    assert abs(d @ x.get() - 1).max() < 1e-15


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_index_widths(index):
    a = matrix("d")
    given = sparse.csr_matrix(a)
    given.indices, given.indptr = (
        x.astype(index) for x in (given.indices, given.indptr)
    )
    x = spsolve_triangular(given, cp.ones(N))
    assert abs(np.tril(a.toarray()) @ x.get() - 1).max() < 1e-13


def test_results_repeat_to_the_bit():
    a = sparse.csr_matrix(matrix("d", 500, 0.1))
    b = cp.asarray(side((500, 3), "d"))
    first = spsolve_triangular(a, b).get()
    for _ in range(3):
        assert np.array_equal(spsolve_triangular(a, b).get(), first)


@pytest.mark.parametrize("stored", [False, True])
def test_zero_on_the_diagonal(stored):
    a = np.tril(np.ones((4, 4)))
    given = sparse.csr_matrix(cp.asarray(a))
    given.data[given.indptr[3] - 1] = 0.0
    if not stored:
        a[2, 2] = 0
        given = sparse.csr_matrix(cp.asarray(a))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        spsolve_triangular(given, cp.ones(4))
    x = spsolve_triangular(given, cp.ones(4), unit_diagonal=True)
    assert np.isfinite(x.get()).all()
    with cupricx.errstate(linalg="ignore"):
        assert not np.isfinite(spsolve_triangular(given, cp.ones(4)).get()).all()


@pytest.mark.parametrize("shape", [(0,), (0, 3), (4, 0)])
def test_nothing(shape):
    a = sparse.csr_matrix(cp.eye(shape[0]))
    x = spsolve_triangular(a, cp.ones(shape))
    assert x.shape == shape


def test_refusals():
    a = sparse.csr_matrix(matrix("d"))
    for function in (spsolve, spsolve_triangular):
        with pytest.raises(ValueError, match="incompatible"):
            function(a, cp.ones(N + 1))
        with pytest.raises(TypeError, match="b must"):
            function(a, np.ones(N))
        with pytest.raises(TypeError, match="A must"):
            function(cp.eye(N), cp.ones(N))
        with pytest.raises(ValueError, match="square"):
            function(sparse.csr_matrix(cp.ones((3, 4))), cp.ones(3))
    with pytest.raises(TypeError, match="not a sparse matrix"):
        spsolve_triangular(a, a)
    with pytest.raises(TypeError, match="sparse matrix"):
        inv(cp.eye(3))
    with pytest.raises(RuntimeError, match="singular"):
        inv(sparse.csr_matrix(cp.asarray(np.diag([1.0, 0, 2]))))
