"""Eigenvalues of any matrices against NumPy's and SciPy's."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.sparse as sparse
from cupricx.scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs

scipy_linalg = pytest.importorskip("scipy.linalg")
N = 90


def general(n, dtype, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(n, n)) / np.sqrt(n)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.normal(size=(n, n)) / np.sqrt(n)
    return (a + np.diag(np.linspace(-3, 3, n))).astype(dtype)


def keys(values, which, dtype):
    imag = abs(values.imag) if np.dtype(dtype).kind != "c" else values.imag
    return {
        "LM": -abs(values),
        "SM": abs(values),
        "LR": -values.real,
        "SR": values.real,
        "LI": -imag,
        "SI": imag,
    }[which]


def check(a, w, v, tol, m=None):
    w, v = w.get(), v.get()
    m = np.eye(len(a)) if m is None else m
    assert abs(a @ v - (m @ v) * w).max() < tol * abs(a).max()
    norms = np.sqrt(np.einsum("ij,ij->j", v.conj(), m @ v).real)
    assert np.allclose(norms, 1, atol=1e-5)


def same_values(w, expected, tol):
    """In any order."""
    distances = abs(np.asarray(w)[:, None] - np.asarray(expected))
    assert distances.min(axis=0).max() < tol
    assert distances.min(axis=1).max() < tol


@pytest.mark.parametrize("which", ["LM", "LR", "SR", "LI", "SI"])
@pytest.mark.parametrize("dtype", "fdFD")
def test_ends(dtype, which):
    a = general(N, dtype)
    if which == "SI" and dtype in "fd":
        pytest.skip("those are inside of the spectrum of real matrices")
    values = np.linalg.eigvals(a.astype("D"))
    order = np.argsort(keys(values, which, dtype), kind="stable")
    k = 5
    if dtype in "fd" and abs(values[order[k - 1]].imag) > 1e-6:
        pair = values[order[k]].conjugate() - values[order[k - 1]]
        k += int(abs(pair) < 1e-4)  # both of a pair
    tol = 1e-4 if dtype in "fF" else 1e-11
    w, v = eigs(cp.asarray(a), k=k, which=which, ncv=50)
    assert w.dtype == v.dtype == np.result_type(dtype, "F")
    check(a, w, v, tol)
    same_values(w.get(), values[order[:k]], 100 * tol)
    assert np.all(np.diff(keys(w.get(), which, dtype)) > -tol)


def test_conjugates_are_both_there():
    rotations = np.kron(np.diag(np.arange(1.0, 31)), [[0, 1], [-1, 0]])
    w, v = eigs(cp.asarray(rotations), k=4)
    same_values(w.get(), [30j, -30j, 29j, -29j], 1e-10)
    check(rotations, w, v, 1e-11)


@pytest.mark.parametrize("size", [2, 6])
def test_defective(size):
    """A Jordan block, whose eigenvectors are one."""
    rng = np.random.default_rng(0)
    a = np.diag(np.r_[np.full(size, 3.0), np.linspace(0, 2, N - size)])
    a[np.arange(size - 1), np.arange(1, size)] = 1
    q = np.linalg.qr(rng.normal(size=(N, N)))[0]
    a = q @ a @ q.T
    w, v = eigs(cp.asarray(a), k=2, ncv=30)
    check(a, w, v, 1e-11)
    assert np.allclose(w.get(), 3, atol=10 * 1e-16 ** (1 / size))


@pytest.mark.parametrize("dtype", "fdFD")
def test_far_from_normal(dtype):
    """Convection: residuals are small, though no eigenvalues are exact."""
    n = 120
    a = 2 * np.eye(n) - 1.8 * np.eye(n, k=-1) - 0.2 * np.eye(n, k=1)
    a = a.astype(dtype)
    w, v = eigs(cp.asarray(a), k=4, which="LM", ncv=60)
    check(a, w, v, 1e-4 if dtype in "fF" else 1e-12)


@pytest.mark.parametrize("sigma", [0.3, 0.3 + 0.5j])
@pytest.mark.parametrize("with_m", [False, True])
@pytest.mark.parametrize("dtype", "dD")
def test_shifts(dtype, with_m, sigma):
    a = general(N, dtype)
    m = None
    if with_m:
        m = general(N, "d", 1)
        m = m @ m.T + np.eye(N)
    values = scipy_linalg.eigvals(a, m)
    expected = values[np.argsort(abs(values - sigma))[:4]]
    w, v = eigs(cp.asarray(a), 4, M=m if m is None else cp.asarray(m), sigma=sigma)
    distances = abs(w.get() - sigma)
    assert np.all(np.diff(distances) > -1e-10)
    assert np.allclose(distances, np.sort(abs(expected - sigma)), rtol=1e-8)
    check(a, w, v, 1e-10, m)


@pytest.mark.parametrize("sigma", [None, 0.2])
def test_sparse(sigma):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    a = scipy_sparse.random(N, N, density=0.1, random_state=0, format="csr")
    values = np.linalg.eigvals(a.toarray())
    key = -abs(values) if sigma is None else abs(values - sigma)
    w, v = eigs(sparse.csr_matrix(a), k=5, sigma=sigma)
    size = abs(w.get()) if sigma is None else -abs(w.get() - sigma)
    assert np.allclose(-size, np.sort(key)[:5], rtol=1e-9)
    check(a.toarray(), w, v, 1e-10)


def test_all_eigenvalues_of_an_array():
    a = general(6, "d")
    with pytest.warns(RuntimeWarning, match="all eigenvalues"):
        w, v = eigs(cp.asarray(a), k=5)
    check(a, w, v, 1e-12)
    operator = LinearOperator((6, 6), matvec=lambda x: x, dtype=np.float64)
    with pytest.raises(TypeError, match="toarray"):
        eigs(operator, k=5)


def test_no_convergence():
    a = cp.asarray(np.diag(np.r_[np.linspace(0, 1, 400), 50.0]))
    with pytest.raises(ArpackNoConvergence, match="1 of 3") as caught:
        eigs(a, k=3, ncv=12, maxiter=2)
    assert np.allclose(caught.value.eigenvalues.get(), [50])
    assert caught.value.eigenvectors.shape == (401, 1)


def test_refusals():
    with pytest.raises(ValueError, match="'BE'"):
        eigs(cp.eye(10), k=2, which="BE")
    with pytest.raises(ValueError, match="ncv"):
        eigs(cp.eye(10), k=2, ncv=3)
