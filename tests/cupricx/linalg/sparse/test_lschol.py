"""Equations with positive-definite matrices against NumPy."""

import numpy as np
import pytest

import cupric as cp
import cupricx.linalg
import cupricx.scipy.sparse as sparse
from cupricx.linalg.sparse import lschol

N = 40


def definite(dtype):
    rng = np.random.default_rng(0)
    a = np.where(rng.uniform(size=(N, N)) < 0.1, rng.normal(size=(N, N)), 0)
    if np.dtype(dtype).kind == "c":
        a = a * (1 + 0.5j)
    return (a @ a.conj().T + np.eye(N)).astype(dtype)


@pytest.mark.parametrize("shape", [(N,), (N, 3)])
@pytest.mark.parametrize("form", ["csr_matrix", "csc_array", "coo_matrix", "asarray"])
@pytest.mark.parametrize("dtype", "fdFD")
def test_solutions(dtype, form, shape):
    if form != "asarray":
        pytest.importorskip("scipy")
    a = definite(dtype)
    b = np.random.default_rng(1).normal(size=shape).astype(dtype)
    given = cp.asarray(a)
    if form != "asarray":
        given = getattr(sparse, form)(given)
    x = lschol(given, cp.asarray(b))
    assert x.dtype == dtype
    assert x.shape == shape
    assert abs(a @ x.get() - b).max() < (1e-3 if dtype in "fF" else 1e-11)


@pytest.mark.parametrize("form", ["csr_matrix", "asarray"])
@pytest.mark.parametrize("shift", [-5.0, -1000.0])
def test_matrices_that_are_not_definite(form, shift):
    pytest.importorskip("scipy")
    given = cp.asarray(definite("d") + shift * np.eye(N))
    if form != "asarray":
        given = getattr(sparse, form)(given)
    with pytest.raises(np.linalg.LinAlgError):
        lschol(given, cp.ones(N))


def test_singular():
    pytest.importorskip("scipy")
    a = sparse.csr_matrix(cp.asarray(np.diag([1.0, 0, 2])))
    with pytest.raises(np.linalg.LinAlgError, match="definite"):
        lschol(a, cp.ones(3))


def test_refusals():
    with pytest.raises(TypeError, match="A must"):
        lschol(np.eye(3), cp.ones(3))
    with pytest.raises(TypeError, match="b must"):
        lschol(cp.eye(3), np.ones(3))
    with pytest.raises(np.linalg.LinAlgError, match="square"):
        lschol(cp.ones((3, 4)), cp.ones(3))
    with pytest.raises(ValueError, match="incompatible"):
        lschol(cp.eye(3), cp.ones(4))


def test_package_is_listed():
    assert "sparse" in dir(cupricx.linalg)
