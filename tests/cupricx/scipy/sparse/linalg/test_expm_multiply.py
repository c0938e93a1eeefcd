"""The exponential times vectors, and the estimated 1-norm, against SciPy's."""

import numpy as np
import pytest
from tests.cupricx.scipy.sparse.linalg.systems import random

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse import linalg as ours

theirs = pytest.importorskip("scipy.sparse.linalg")
expm = pytest.importorskip("scipy.linalg").expm

TIMES = {  # what `num` is, for few and many terms in each series
    "few": {"start": 0.0, "stop": 1.0, "num": 3},
    "many": {"start": 0.0, "stop": 1.0, "num": 60},
    "odd": {"start": -0.5, "stop": 2.0, "num": 23, "endpoint": False},
    "default": {"start": 0.0, "stop": 0.3},
}


def close(actual, expected, dtype):
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    error = abs(actual.get() - expected).max()
    assert error <= 500 * np.finfo(dtype).eps * abs(expected).max()


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("scale", [0, 0.01, 1, 10])
@pytest.mark.parametrize("columns", [(), (1,), (4,)])
def test_at_one_time(dtype, scale, columns):
    a = scale * random((30, 30), dtype) / 6
    a = (a + scale * np.eye(30)).astype(dtype)
    b = random((30, *columns), dtype, 1)
    found = ours.expm_multiply(cp.asarray(a), cp.asarray(b))
    close(found, theirs.expm_multiply(a, b), dtype)
    np.testing.assert_allclose(
        found.get(),
        expm(a.astype("D")) @ b,
        rtol=1e-3 if dtype in "fF" else 1e-9,
        atol=1e3 * np.finfo(dtype).eps * abs(found.get()).max(),
    )


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("scale", [0, 0.1, 4])
@pytest.mark.parametrize("times", TIMES)
def test_at_several_times(dtype, scale, times):
    a = (scale * random((20, 20), dtype) / 5).astype(dtype)
    for b in (random(20, dtype, 1), random((20, 3), dtype, 1)):
        expected = theirs.expm_multiply(a, b, **TIMES[times])
        found = ours.expm_multiply(cp.asarray(a), cp.asarray(b), **TIMES[times])
        close(found, expected, dtype)


def test_kinds_of_matrices():
    a, b = random((20, 20), "d") / 5, random(20, "d", 1)
    A, B = cp.asarray(a), cp.asarray(b)
    expected = theirs.expm_multiply(a, b)
    close(ours.expm_multiply(sparse.csr_matrix(A), B), expected, "d")
    close(ours.expm_multiply(sparse.csc_array(A), B), expected, "d")
    op = ours.aslinearoperator(A)
    close(ours.expm_multiply(op, B, traceA=np.trace(a)), expected, "d")
    with pytest.warns(UserWarning, match="traceA"):
        found = ours.expm_multiply(op, B)
    close(found, expected, "d")
    integers = np.arange(9).reshape(3, 3) % 4
    close(
        ours.expm_multiply(cp.asarray(integers), cp.arange(3)),
        theirs.expm_multiply(integers, np.arange(3)),
        "d",
    )


def test_a_matrix_far_from_normal():
    a = np.triu(np.full((12, 12), 30.0), 1)
    b = np.ones(12)
    found = ours.expm_multiply(cp.asarray(a), cp.asarray(b))
    np.testing.assert_allclose(found.get(), expm(a) @ b, rtol=1e-9)


def test_arguments_that_do_not_fit():
    A, B = cp.eye(3), cp.ones(3)
    with pytest.raises(ValueError, match="square"):
        ours.expm_multiply(cp.ones((3, 2)), cp.ones(2))
    with pytest.raises(ValueError, match="incompatible"):
        ours.expm_multiply(A, cp.ones(4))
    with pytest.raises(ValueError, match="matrix or a vector"):
        ours.expm_multiply(A, cp.ones((3, 1, 1)))
    with pytest.raises(ValueError, match="two time points"):
        ours.expm_multiply(A, B, start=0, stop=1, num=1)
    with pytest.raises(TypeError):
        ours.expm_multiply(A, np.ones(3))


# ---- onenormest ----------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 20, 200])
@pytest.mark.parametrize("t", [1, 2, 4])
@pytest.mark.parametrize("dtype", "dD")
def test_the_estimate_is_a_lower_bound_that_has_a_witness(n, t, dtype):
    for seed in range(5):
        a = random((n, n), dtype, seed)
        A = cp.asarray(a)
        est, v, w = ours.onenormest(A, t, compute_v=True, compute_w=True)
        exact = abs(a).sum(0).max()
        assert exact / 3 < est <= exact * (1 + 1e-12)
        np.testing.assert_allclose((A @ v).get(), w.get(), atol=1e-12)
        np.testing.assert_allclose(abs(w).sum().get(), est)
        np.testing.assert_allclose(abs(v).sum().get(), 1)
        assert ours.onenormest(A, t) == est


def test_the_estimate_is_often_exact():
    exact = 0
    for seed in range(20):
        a = random((50, 50), "d", seed)
        a[:, seed] *= 3
        est = ours.onenormest(sparse.csr_array(cp.asarray(a)))
        exact += np.isclose(est, abs(a).sum(0).max())
    assert exact >= 18


def test_what_onenormest_returns():
    A = cp.asarray(random((6, 6), "d"))
    assert isinstance(ours.onenormest(A), float)
    assert len(ours.onenormest(A, compute_v=True)) == 2
    assert len(ours.onenormest(A, compute_w=True)) == 2
    assert ours.onenormest(cp.zeros((6, 6))) == 0
    with pytest.raises(ValueError, match="square"):
        ours.onenormest(cp.ones((6, 5)))
    with pytest.raises(ValueError, match="two iterations"):
        ours.onenormest(A, itmax=1)
    with pytest.raises(ValueError, match="one column"):
        ours.onenormest(A, t=0)
