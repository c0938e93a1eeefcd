"""LOBPCG against eigenvalues by LAPACK."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.sparse as sparse
from cupricx.scipy.sparse.linalg import LinearOperator, lobpcg

scipy_linalg = pytest.importorskip("scipy.linalg")
N, K = 150, 3


def problem(dtype):
    rng = np.random.default_rng(0)

    def noise(*shape):
        x = rng.normal(size=shape)
        return x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x

    a = noise(N, N)
    a = a @ a.conj().T / N + np.diag(np.arange(1.0, N + 1))
    b = noise(N, N)
    b = b @ b.conj().T / N + 3 * np.eye(N)
    return [x.astype(dtype) for x in (a, b, noise(N, K), noise(N, 2))]


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("generalized", [False, True])
@pytest.mark.parametrize("dtype", "fdFD")
def test_eigenvalues(dtype, generalized, constrained, largest):
    a, b, x, y = problem(dtype)
    whole = b if generalized else np.eye(N, dtype=dtype)
    free = np.eye(N)
    if constrained:
        free = scipy_linalg.null_space((whole @ y).conj().T.astype("D"))
    values = scipy_linalg.eigvalsh(
        free.conj().T @ a @ free, free.conj().T @ whole @ free
    )
    expected = values[::-1][:K] if largest else values[:K]
    single = dtype in "fF"
    w, v = lobpcg(
        cp.asarray(a),
        cp.asarray(x),
        B=cp.asarray(b) if generalized else None,
        Y=cp.asarray(y) if constrained else None,
        tol=1e-2 if single else 1e-7,
        maxiter=400,
        largest=largest,
    )
    assert w.dtype == np.finfo(dtype).dtype
    assert v.dtype == dtype
    assert np.allclose(w.get(), expected, rtol=1e-4 if single else 1e-11)
    v = v.get()
    gram = v.conj().T @ whole @ v
    assert abs(gram - np.eye(K)).max() < (1e-4 if single else 1e-11)
    if constrained:
        assert abs(y.conj().T @ whole @ v).max() < (1e-3 if single else 1e-10)


def test_preconditioner_saves_iterations():
    a, _, x, _ = problem("d")
    counts = []
    for m in (None, cp.asarray(np.diag(1 / np.diagonal(a)))):
        *_, history = lobpcg(
            cp.asarray(a),
            cp.asarray(x),
            M=m,
            tol=1e-7,
            maxiter=300,
            largest=False,
            retResidualNormsHistory=True,
        )
        counts.append(len(history))
    assert counts[1] < counts[0] / 2


def test_operators_and_sparse():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    a = scipy_sparse.diags([np.arange(1.0, 201)], [0]).tocsr()
    x = cp.asarray(np.random.default_rng(0).normal(size=(200, 2)))
    on_device = sparse.csr_matrix(a)
    inverse = sparse.csr_matrix(scipy_sparse.diags([1 / np.arange(1.0, 201)], [0]))
    operator = LinearOperator(
        (200, 200), matvec=on_device.__matmul__, matmat=on_device.__matmul__
    )
    for one in (on_device, operator, lambda block: on_device @ block):
        w, _ = lobpcg(one, x, M=inverse, tol=1e-8, maxiter=100, largest=False)
        assert np.allclose(w.get(), [1, 2], rtol=1e-12)


def test_histories():
    a, _, x, _ = problem("d")
    w, _, values, norms = lobpcg(
        cp.asarray(a),
        cp.asarray(x),
        tol=1e-6,
        maxiter=200,
        retLambdaHistory=True,
        retResidualNormsHistory=True,
    )
    assert values.shape == norms.shape
    assert values.shape[1] == K
    assert norms[-1].max() <= 1e-6 < norms[-2].max()
    assert np.array_equal(values[-1].get(), w.get())


def test_warns_where_it_has_not_converged():
    a, _, x, _ = problem("d")
    with pytest.warns(UserWarning, match="not reaching"):
        lobpcg(cp.asarray(a), cp.asarray(x), tol=1e-9, maxiter=3)


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("generalized", [False, True])
def test_few_rows(generalized, largest):
    a, b, x, _ = (z[:6, :6] for z in problem("d"))
    values = scipy_linalg.eigvalsh(a, b if generalized else None)
    with pytest.warns(UserWarning, match="too small"):
        w, v = lobpcg(
            cp.asarray(a),
            cp.asarray(x[:, :2]),
            B=cp.asarray(b) if generalized else None,
            largest=largest,
        )
    expected = values[::-1][:2] if largest else values[:2]
    assert np.allclose(w.get(), expected)
    right = b @ v.get() if generalized else v.get()
    assert abs(a @ v.get() - right * w.get()).max() < 1e-10


def test_refusals():
    a, x = cp.eye(30), cp.ones((30, 2))
    with pytest.raises(TypeError, match="X must be"):
        lobpcg(a, np.ones((30, 2)))
    with pytest.raises(ValueError, match="matrix of columns"):
        lobpcg(a, cp.ones(30))
    with pytest.raises(ValueError, match="A is"):
        lobpcg(cp.eye(29), x)
    with pytest.raises(ValueError, match="dependent"):
        lobpcg(a, x)
