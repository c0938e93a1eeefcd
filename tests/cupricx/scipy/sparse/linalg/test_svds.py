"""Singular values of matrices of which products are known, against NumPy's."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.sparse as sparse
from cupricx.scipy.sparse.linalg import LinearOperator, aslinearoperator, svds

SHAPES = [(60, 40), (40, 60), (50, 50), (3000, 30)]


def matrix(shape, dtype):
    rng = np.random.default_rng(0)
    a = rng.normal(size=shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.normal(size=shape)
    return a.astype(dtype)


def check(a, u, s, vh, tol):
    u, s, vh = u.get(), s.get(), vh.get()
    k = len(s)
    assert abs(a @ vh.conj().T - u * s).max() < tol * abs(s).max()
    assert abs(u.conj().T @ a - s[:, None] * vh).max() < tol * abs(a).max() * 10
    for gram in (u.conj().T @ u, vh @ vh.conj().T):
        assert abs(gram - np.eye(k)).max() < tol


@pytest.mark.parametrize("which", ["LM", "SM"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", "fdFD")
def test_values_and_vectors(dtype, shape, which):
    a = matrix(shape, dtype)
    values = np.linalg.svd(a, compute_uv=False)[::-1]
    expected = values[:4] if which == "SM" else values[-4:]
    tol = 1e-4 if dtype in "fF" else 1e-11
    u, s, vh = svds(cp.asarray(a), k=4, which=which)
    assert s.dtype == np.finfo(dtype).dtype
    assert u.dtype == vh.dtype == dtype
    assert np.allclose(s.get(), expected, rtol=0, atol=tol * values.max())
    check(a, u, s, vh, tol)


@pytest.mark.parametrize("shape", [(60, 40), (40, 60)], ids=str)
@pytest.mark.parametrize("dtype", "dD")
def test_sparse_and_operators(dtype, shape):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    a = scipy_sparse.random(*shape, density=0.2, random_state=0, format="csr")
    a = (a * (1 + 0.5j if dtype == "D" else 1)).astype(dtype)
    on_device = sparse.csr_matrix(a)
    adjoint = on_device.conj().T.tocsr()
    operator = LinearOperator(
        shape,
        matvec=lambda x: on_device @ x,
        rmatvec=lambda x: adjoint @ x,
        dtype=dtype,
    )
    for one in (on_device, on_device.tocsc(), operator, aslinearoperator(on_device)):
        u, s, vh = svds(one, k=3)
        expected = np.linalg.svd(a.toarray(), compute_uv=False)[2::-1]
        assert np.allclose(s.get(), expected, rtol=1e-11)
        check(a.toarray(), u, s, vh, 1e-11)


def test_small_values_have_all_digits():
    """Roots of eigenvalues would have half of them."""
    q = np.linalg.qr(matrix((60, 60), "d"))[0]
    values = np.r_[np.ones(3), 1e-6 * np.arange(1, 4), np.zeros(54)]
    a = q @ np.diag(values) @ q.T
    s = svds(cp.asarray(a), k=6, return_singular_vectors=False)
    assert np.allclose(s.get()[:3], [1e-6, 2e-6, 3e-6], rtol=1e-8)


def test_which_vectors_are_returned():
    a = cp.asarray(matrix((30, 20), "d"))
    u, s, vh = svds(a, k=2)
    alone = svds(a, k=2, return_singular_vectors=False)
    assert np.array_equal(alone.get(), s.get())
    left, _, none = svds(a, k=2, return_singular_vectors="u")
    assert none is None
    assert np.array_equal(left.get(), u.get())
    none, _, right = svds(a, k=2, return_singular_vectors="vh")
    assert none is None
    assert np.array_equal(right.get(), vh.get())


def test_refusals():
    a = cp.ones((5, 4))
    for k in (0, 4, 5):
        with pytest.raises(ValueError, match=f"k={k}"):
            svds(a, k=k)
    with pytest.raises(ValueError, match="which"):
        svds(a, k=2, which="LA")
    with pytest.raises(ValueError, match="solver"):
        svds(a, k=2, solver="other")
    with pytest.raises(ValueError, match="return_singular_vectors"):
        svds(a, k=2, return_singular_vectors="v")
    with pytest.raises(TypeError):
        svds(np.ones((5, 4)), k=2)
