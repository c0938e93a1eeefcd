"""LU factors of sparse matrices against SciPy's."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.sparse as sparse
from cupricx.scipy.sparse.linalg import SuperLU, factorized, spilu, splu

scipy_sparse = pytest.importorskip("scipy.sparse")
scipy_linalg = pytest.importorskip("scipy.sparse.linalg")
N = 60


def matrix(dtype, n=N):
    a = scipy_sparse.random(n, n, density=0.08, random_state=1, format="csc")
    a = a + 4 * scipy_sparse.eye(n)
    if np.dtype(dtype).kind == "c":
        a = a * (1 + 0.5j)
    return a.astype(dtype).tocsc()


def side(shape, dtype):
    rng = np.random.default_rng(0)
    b = rng.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        b = b + 1j * rng.normal(size=shape)
    return b.astype(dtype)


@pytest.mark.parametrize("trans", "NTH")
@pytest.mark.parametrize("shape", [(N,), (N, 1), (N, 3), (N, 4), (N, 5), (N, 70)])
@pytest.mark.parametrize("dtype", "fdFD")
def test_solve(dtype, shape, trans):
    a = matrix(dtype)
    lu = splu(sparse.csc_matrix(a))
    dense = {"N": a.toarray(), "T": a.toarray().T, "H": a.toarray().conj().T}[trans]
    for side_dtype in {dtype, "D", "l", "e"}:
        kind = "D" if side_dtype in "FD" else "d"
        b = np.round(side(shape, kind) * 8).astype(side_dtype)
        x = lu.solve(cp.asarray(b), trans)
        assert x.shape == b.shape
        own_kind = side_dtype in "le" or np.result_type(dtype, side_dtype) == dtype
        assert x.dtype == (dtype if own_kind else np.result_type(dtype, "F"))
        tol = 1e-3 if dtype in "fF" else 1e-11
        assert abs(dense @ x.get() - b).max() < tol


@pytest.mark.parametrize("cls", ["csr_matrix", "csc_array", "coo_matrix"])
def test_formats_and_attributes(cls):
    a = matrix("d")
    expected = scipy_linalg.splu(a)
    lu = splu(getattr(sparse, cls)(a))
    assert lu.shape == expected.shape
    assert lu.nnz == expected.nnz
    for name in ("perm_r", "perm_c"):
        mine = getattr(lu, name)
        assert mine.dtype == np.int32
        assert np.array_equal(mine.get(), getattr(expected, name))
    for name in "LU":
        mine = getattr(lu, name)
        assert isinstance(mine, sparse.csc_matrix)
        assert np.array_equal(mine.toarray().get(), getattr(expected, name).toarray())


def test_options():
    a = matrix("d")
    options = {"permc_spec": "NATURAL", "diag_pivot_thresh": 0.1}
    lu = splu(sparse.csc_matrix(a), **options, options={"SymmetricMode": True})
    assert np.array_equal(lu.perm_c.get(), np.arange(N))
    assert np.array_equal(lu.perm_r.get(), np.arange(N))


def test_object_of_scipy():
    a = matrix("d")
    lu = SuperLU(scipy_linalg.splu(a))
    assert abs(a @ lu.solve(cp.ones(N)).get() - 1).max() < 1e-12
    with pytest.raises(TypeError, match="SciPy's object"):
        SuperLU(a)


@pytest.mark.parametrize("dtype", "fdFD")
def test_incomplete_factors(dtype):
    a = matrix(dtype)
    options = {"drop_tol": 0.05, "fill_factor": 3}
    b = side(N, dtype)
    x = spilu(sparse.csc_matrix(a), **options).solve(cp.asarray(b))
    expected = scipy_linalg.spilu(a, **options).solve(b)
    assert np.allclose(x.get(), expected, atol=1e-5)
    assert abs(a @ expected - b).max() > 1e-5


def test_factorized():
    a = matrix("d")
    solve = factorized(sparse.csr_matrix(a))
    for b in (side(N, "d"), side((N, 2), "d")):
        assert abs(a @ solve(cp.asarray(b)).get() - b).max() < 1e-12


@pytest.mark.parametrize("dtype", ["?", "i1", "i8", "u4"])
def test_integers(dtype):
    a = scipy_sparse.eye(5, format="csc").astype(dtype)
    x = splu(sparse.csc_matrix(a)).solve(cp.arange(5))
    assert x.dtype == np.float64
    assert np.array_equal(x.get(), np.arange(5))


def test_refusals():
    lu = splu(sparse.csc_matrix(matrix("d")))
    for b in (cp.ones(N + 1), cp.ones((N, 2, 2)), cp.ones(())):
        with pytest.raises(ValueError, match="rhs"):
            lu.solve(b)
    with pytest.raises(ValueError, match="trans"):
        lu.solve(cp.ones(N), "C")
    with pytest.raises(TypeError, match="rhs"):
        lu.solve(np.ones(N))
    with pytest.raises(TypeError, match="sparse matrix"):
        splu(cp.eye(3))
    with pytest.raises(ValueError, match="square"):
        splu(sparse.csc_matrix(scipy_sparse.csc_matrix((3, 4))))
    singular = sparse.csc_matrix(scipy_sparse.csc_matrix(np.diag([1.0, 0, 2])))
    with pytest.raises(RuntimeError, match="singular"):
        splu(singular)


def test_without_scipy(monkeypatch):
    a = sparse.csc_matrix(matrix("d"))
    monkeypatch.setitem(__import__("sys").modules, "scipy.sparse", None)
    with pytest.raises(ImportError, match="SciPy"):
        splu(a)
