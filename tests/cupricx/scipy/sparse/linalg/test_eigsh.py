"""Eigenvalues of Hermitian matrices against NumPy's and SciPy's."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.sparse as sparse
from cupricx.scipy.sparse.linalg import (
    ArpackError,
    ArpackNoConvergence,
    LinearOperator,
    eigs,
    eigsh,
)

scipy_linalg = pytest.importorskip("scipy.linalg")
N = 90
ENDS = ["LM", "SM", "LA", "SA", "BE"]


def hermitian(n, dtype, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(n, n))
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.normal(size=(n, n))
    return (a + a.conj().T).astype(dtype)


def definite(n, dtype, seed=1):
    a = hermitian(n, dtype, seed)
    return (a @ a.conj().T / n + 2 * np.eye(n)).astype(dtype)


def wanted(values, which, k):
    if which == "BE":
        low = k // 2
        return np.r_[values[:low], values[len(values) - (k - low) :]]
    key = {"LM": -abs(values), "SM": abs(values), "LA": -values, "SA": values}[which]
    return np.sort(values[np.argsort(key)[:k]])


def check(a, w, v, values, tol, m=None):
    """w are `values`, and v the vectors, orthonormal by m."""
    w, v = w.get(), v.get()
    m = np.eye(len(a)) if m is None else m
    size = max(1, abs(values).max())
    assert np.allclose(w, values, rtol=0, atol=tol * size)
    assert abs(a @ v - (m @ v) * w).max() < tol * max(size, abs(a).max()) * 10
    assert abs(v.conj().T @ m @ v - np.eye(len(w))).max() < 10 * tol


@pytest.mark.parametrize("which", ENDS)
@pytest.mark.parametrize("dtype", "fdFD")
def test_ends(dtype, which):
    a = hermitian(N, dtype)
    tol = 1e-4 if dtype in "fF" else 1e-11
    values = wanted(np.linalg.eigvalsh(a), which, 5)
    w, v = eigsh(cp.asarray(a), k=5, which=which, ncv=60)
    assert w.dtype == np.finfo(dtype).dtype
    assert v.dtype == dtype
    check(a, w, v, values, tol)
    again = eigsh(cp.asarray(a), 5, which=which, ncv=60, return_eigenvectors=False)
    assert np.array_equal(again.get(), w.get())


@pytest.mark.parametrize("ncv", [None, 7, 12, 20, 90])
def test_bases_of_any_size(ncv):
    a = np.diag(np.arange(N) ** 1.5)
    values = np.arange(N - 4, N) ** 1.5
    w, v = eigsh(cp.asarray(a), k=4, which="LA", ncv=ncv, maxiter=3000)
    check(a, w, v, values, 1e-11)


@pytest.mark.parametrize("n", [1000, 1500, 200_001])
def test_long_vectors(n):
    """Of several tiles, the last of them a part."""
    d = np.r_[np.linspace(0, 1, n - 5), 3, 4, 5, 6, 7]
    weights = cp.asarray(d)
    a = LinearOperator((n, n), matvec=lambda x: weights * x.ravel(), dtype=np.float64)
    w, v = eigsh(a, k=5)
    assert np.allclose(w.get(), d[-5:], rtol=1e-13)
    assert abs(weights[:, None] * v - v * w).max() < 1e-12
    assert abs((v.T @ v).get() - np.eye(5)).max() < 1e-13


@pytest.mark.parametrize("which", ["LM", "LA", "SA"])
@pytest.mark.parametrize("mode", ["normal", "cayley"])
@pytest.mark.parametrize("with_m", [False, True])
@pytest.mark.parametrize("dtype", "dD")
def test_shifts(dtype, with_m, mode, which):
    a = hermitian(N, dtype)
    m = definite(N, dtype) if with_m else None
    sigma = 0.31
    values = scipy_linalg.eigvalsh(a, m)
    back = {
        "normal": 1 / (values - sigma),
        "cayley": (values + sigma) / (values - sigma),
    }[mode]
    keys = {"LM": -abs(back), "LA": -back, "SA": back}[which]
    expected = np.sort(values[np.argsort(keys)[:4]])
    w, v = eigsh(
        cp.asarray(a),
        k=4,
        M=m if m is None else cp.asarray(m),
        sigma=sigma,
        mode=mode,
        which=which,
    )
    check(a, w, v, expected, 1e-10, m)


def test_buckling():
    a, m = definite(N, "d"), hermitian(N, "d")
    values = scipy_linalg.eigvals(a, m).real
    expected = np.sort(values[np.argsort(-abs(values / (values - 1)))[:4]])
    w, v = eigsh(cp.asarray(a), k=4, M=cp.asarray(m), sigma=1.0, mode="buckling")
    assert np.allclose(w.get(), expected, rtol=1e-9)
    assert abs(a @ v.get() - (m @ v.get()) * w.get()).max() < 1e-8


@pytest.mark.parametrize("which", ["LA", "SA", "BE"])
def test_generalized(which):
    a, m = hermitian(N, "d"), definite(N, "d")
    values = wanted(scipy_linalg.eigvalsh(a, m), which, 4)
    minv = np.linalg.inv(m)
    for options in ({}, {"Minv": cp.asarray(minv)}):
        w, v = eigsh(cp.asarray(a), 4, M=cp.asarray(m), which=which, **options)
        check(a, w, v, values, 1e-10, m)


def test_inverse_of_a_shift():
    a = hermitian(N, "d")
    inverse = cp.asarray(np.linalg.inv(a - 0.2 * np.eye(N)))
    values = np.linalg.eigvalsh(a)
    expected = np.sort(values[np.argsort(abs(values - 0.2))[:3]])
    for operator in (inverse, LinearOperator((N, N), matvec=lambda x: inverse @ x)):
        w, v = eigsh(cp.asarray(a), 3, sigma=0.2, OPinv=operator)
        check(a, w, v, expected, 1e-10)


@pytest.mark.parametrize("values", [[5, 5, 5, 1], [2, 2, 2, 2], [0, 0, 0, 0]])
def test_multiple_eigenvalues(values):
    """The vectors span an invariant subspace before there are as many as wanted."""
    a = np.diag(np.tile(np.array(values, float), 10))
    w, v = eigsh(cp.asarray(a), k=5, ncv=12)
    check(a, w, v, np.full(5, float(max(values))), 1e-12)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_small(n):
    a = hermitian(n, "d")
    for k in range(1, n):
        w, v = eigsh(cp.asarray(a), k=k, which="LA")
        check(a, w, v, np.linalg.eigvalsh(a)[n - k :], 1e-12)


def test_all_eigenvalues_of_an_array():
    a = hermitian(6, "d")
    with pytest.warns(RuntimeWarning, match="all eigenvalues"):
        w, v = eigsh(cp.asarray(a), k=6)
    check(a, w, v, np.linalg.eigvalsh(a), 1e-12)


@pytest.mark.parametrize("dtype", ["?", "i4", "e"])
def test_other_dtypes(dtype):
    a = np.diag(np.arange(30) % 2 if dtype == "?" else np.arange(30)).astype(dtype)
    w, v = eigsh(cp.asarray(a), k=3)
    assert w.dtype == (np.float32 if dtype == "e" else np.float64)
    expected = [1, 1, 1] if dtype == "?" else [27, 28, 29]
    assert np.allclose(w.get(), expected, rtol=1e-5)


@pytest.mark.parametrize("cls", ["csr_matrix", "csc_array", "coo_matrix"])
@pytest.mark.parametrize("sigma", [None, 0.1])
def test_sparse(cls, sigma):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    a = scipy_sparse.random(N, N, density=0.1, random_state=0)
    a = a + a.T + 0.01 * scipy_sparse.eye(N)
    values = np.linalg.eigvalsh(a.toarray())
    key = -abs(values) if sigma is None else abs(values - sigma)
    expected = np.sort(values[np.argsort(key)[:4]])
    w, v = eigsh(getattr(sparse, cls)(a), k=4, sigma=sigma)
    check(a.toarray(), w, v, expected, 1e-10)


def test_shift_of_an_operator():
    """Equations are solved by iteration."""
    a = np.diag(np.arange(1.0, 41))
    on_device = cp.asarray(a)
    operator = LinearOperator((40, 40), matvec=lambda x: on_device @ x, dtype="d")
    w, _ = eigsh(operator, k=2, sigma=7.2)
    assert np.allclose(w.get(), [7, 8], rtol=1e-9)


def test_results_repeat_to_the_bit():
    a = cp.asarray(hermitian(N, "d"))
    first, second = eigsh(a, k=4), eigsh(a, k=4)
    for x, y in zip(first, second, strict=True):
        assert np.array_equal(x.get(), y.get())


def test_starting_vector():
    a = np.diag(np.arange(20.0))
    v0 = np.zeros(20)
    v0[:4] = 1  # a subspace that does not have the wanted vectors
    w, _ = eigsh(cp.asarray(a), k=2, v0=cp.asarray(v0))
    assert np.allclose(w.get(), [18, 19])
    with pytest.raises(ValueError, match="v0 has 19 elements"):
        eigsh(cp.asarray(a), k=2, v0=cp.ones(19))
    with pytest.raises(ValueError, match="v0 is complex"):
        eigsh(cp.asarray(a), k=2, v0=cp.ones(20, dtype=complex))
    with pytest.raises(ArpackError, match="zero"):
        eigsh(cp.asarray(a), k=2, v0=cp.zeros(20))


def test_random_numbers_can_be_chosen():
    a = cp.asarray(hermitian(N, "d"))
    for function in (eigsh, eigs):
        results = [function(a, k=2, rng=rng)[1].get() for rng in (None, 1, 1)]
        assert not np.array_equal(results[0], results[1])
        assert np.array_equal(results[1], results[2])
    generator = cp.random.default_rng(1)
    assert np.array_equal(eigs(a, k=2, rng=generator)[1].get(), results[1])


def test_tolerance_saves_products():
    products = []
    weights = cp.asarray(np.linspace(0, 1, 2000))

    def matvec(x):
        products.append(1)
        return weights * x.ravel()

    a = LinearOperator((2000, 2000), matvec=matvec, dtype=np.float64)
    counts = []
    for tol in (1e-2, 0):
        products.clear()
        w = eigsh(a, k=2, tol=tol, which="LA", return_eigenvectors=False)
        counts.append(len(products))
        assert np.allclose(w.get(), [1 - 1 / 1999, 1], atol=1e-2)
    assert counts[0] < counts[1] / 2


def test_no_convergence():
    a = cp.asarray(np.diag(np.r_[np.linspace(0, 1, 400), 50.0]))
    with pytest.raises(ArpackNoConvergence, match="1 of 3") as caught:
        eigsh(a, k=3, ncv=12, maxiter=2)
    error = caught.value
    assert np.allclose(error.eigenvalues.get(), [50])
    assert error.eigenvectors.shape == (401, 1)


def test_what_is_not_finite():
    a = np.eye(10)
    a[3, 3] = np.nan
    with pytest.raises(ArpackError, match="NaN"):
        eigsh(cp.asarray(a), k=2)


def test_refusals():
    a = cp.eye(10)
    for k in (0, -1):
        with pytest.raises(ValueError, match="greater than 0"):
            eigsh(a, k=k)
    with pytest.raises(ValueError, match="'LR'"):
        eigsh(a, k=2, which="LR")
    with pytest.raises(ValueError, match="square"):
        eigsh(cp.ones((3, 4)), k=2)
    with pytest.raises(TypeError):
        eigsh(np.eye(10), k=2)
    for ncv in (2, 11):
        with pytest.raises(ValueError, match="ncv"):
            eigsh(a, k=2, ncv=ncv)
    with pytest.raises(ValueError, match="maxiter"):
        eigsh(a, k=2, maxiter=0)
    with pytest.raises(ValueError, match="mode"):
        eigsh(a, k=2, sigma=1, mode="other")
    with pytest.raises(ValueError, match="needs sigma"):
        eigsh(a, k=2, mode="cayley")
    with pytest.raises(ValueError, match="Minv"):
        eigsh(a, k=2, Minv=a)
    with pytest.raises(ValueError, match="OPinv"):
        eigsh(a, k=2, OPinv=a)
    with pytest.raises(ValueError, match="M is"):
        eigsh(a, k=2, M=cp.eye(9))
    operator = LinearOperator((4, 4), matvec=lambda x: x, dtype=np.float64)
    with pytest.raises(TypeError, match="toarray"):
        eigsh(operator, k=4)
