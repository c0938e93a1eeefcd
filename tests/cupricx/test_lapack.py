"""cupricx.linalg, cupricx.lapack and cupricx.cusolver against NumPy."""

import numpy as np
import pytest

import cupric as cp
from cupricx import cusolver, lapack
from cupricx import linalg as linalgx


def sample(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    return a.astype(dtype)


def definite(shape, dtype):
    a = sample(shape, dtype)
    return a @ a.conj().swapaxes(-1, -2) + np.eye(shape[-1], dtype=dtype)


def close(actual, expected):
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    tolerance = 2000 * np.finfo(expected.dtype).eps
    np.testing.assert_allclose(
        cp.asnumpy(actual), expected, rtol=tolerance, atol=tolerance
    )


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (40, 40), (3, 4, 4), (2, 0, 0)])
def test_invh(shape, dtype):
    a = definite(shape, dtype)
    close(linalgx.invh(cp.asarray(a)), np.linalg.inv(a))
    close(linalgx.invh(cp.asarray(np.tril(a))), np.linalg.inv(a))


def test_invh_of_what_is_not_definite():
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        linalgx.invh(-cp.eye(3))
    with pytest.raises(np.linalg.LinAlgError, match="square"):
        linalgx.invh(cp.ones((2, 3)))


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("side", [(5,), (5, 3), (2, 5, 3)])
@pytest.mark.parametrize("shape", [(5, 5), (2, 5, 5)])
def test_cho_solve(shape, side, dtype):
    a, b = definite(shape, dtype), sample(side, dtype, 1)
    expected = np.linalg.solve(a, b if b.ndim > 1 else b[:, None])
    expected = expected if b.ndim > 1 else expected[..., 0]
    factor = np.linalg.cholesky(a)
    filled = factor + np.triu(np.full(shape, 7, dtype), 1)  # not read
    close(linalgx.cho_solve((cp.asarray(filled), True), cp.asarray(b)), expected)
    upper = filled.conj().swapaxes(-1, -2).copy()
    close(linalgx.cho_solve((cp.asarray(upper), False), cp.asarray(b)), expected)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_a_vector_for_each_matrix(n):
    """Also where the vectors might be columns."""
    a, b = definite((n, 4, 4), "d"), sample((n, 4), "d", 1)
    factor = np.linalg.cholesky(a)
    expected = np.linalg.solve(a, b[..., None])[..., 0]
    close(linalgx.cho_solve((cp.asarray(factor), True), cp.asarray(b)), expected)
    close(lapack.potrs(cp.asarray(factor), cp.asarray(b), True), expected)
    close(lapack.posv(cp.asarray(a), cp.asarray(b)), expected)
    a, b = a[None], b[None]
    found = linalgx.cho_solve((cp.asarray(factor[None]), True), cp.asarray(b))
    close(found, expected[None])


def test_gesv_of_what_it_cannot_solve_leaves_b():
    b = cp.array([1.0, 2.0])
    with pytest.raises(np.linalg.LinAlgError):
        lapack.gesv(cp.zeros((2, 2)), b)
    assert b.get().tolist() == [1, 2]
    part = cp.zeros((2, 6))[:, ::2]
    part[...] = 8
    lapack.gesv(cp.eye(2) * 4, part)
    assert (part == 2).all()


def test_elements_that_are_not_read_may_be_anything():
    c = np.array([[2.0, np.nan], [1.0, 4.0]])
    b = cp.array([1.0, 2.0])
    found = linalgx.cho_solve((cp.asarray(c), True), b)
    close(found, np.linalg.solve(np.tril(c) @ np.tril(c).T, b.get()))
    found = linalgx.cho_solve((cp.asarray(c.T), False), b)
    close(found, np.linalg.solve(np.tril(c) @ np.tril(c).T, b.get()))
    for factor, lower in ((c, False), (c.T, True)):
        with pytest.raises(ValueError, match="infs or NaNs"):
            linalgx.cho_solve((cp.asarray(factor), lower), b)


def test_cho_solve_refuses():
    with pytest.raises(ValueError, match="expected square"):
        linalgx.cho_solve((cp.ones((2, 3)), True), cp.ones(2))
    with pytest.raises(ValueError, match="infs or NaNs"):
        linalgx.cho_solve((cp.eye(2), True), cp.full(2, np.nan))


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("side", [(6,), (6, 1), (6, 4)])
def test_gesv_and_gels(side, dtype):
    b = sample(side, dtype, 1)
    a = sample((6, 6), dtype)
    for module in (lapack, cusolver):
        close(module.gels(cp.asarray(a), cp.asarray(b)), np.linalg.solve(a, b))
        for order in "CF":
            given, x = cp.array(a, order=order), cp.array(b, order=order)
            assert module.gesv(given, x) is None
            close(x, np.linalg.solve(a, b))
            np.testing.assert_array_equal(given.get(), a)
        for n in (1, 4, 9):
            a2 = sample((6, n), dtype)
            expected = np.linalg.lstsq(a2, b, rcond=None)[0]
            close(module.gels(cp.asarray(a2), cp.asarray(b)), expected)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize(
    ("shape", "side"),
    [((5, 5), (5,)), ((5, 5), (5, 3)), ((2, 5, 5), (2, 5)), ((2, 5, 5), (2, 5, 3))],
)
def test_posv_and_potrs(shape, side, dtype):
    a, b = definite(shape, dtype), sample(side, dtype, 1)
    vector = b.ndim == a.ndim - 1
    expected = np.linalg.solve(a, b[..., None] if vector else b)
    expected = expected[..., 0] if vector else expected
    close(lapack.posv(cp.asarray(a), cp.asarray(b)), expected)
    factor = cp.linalg.cholesky(cp.asarray(a))
    close(lapack.potrs(factor, cp.asarray(b), True), expected)
    close(lapack.potrs(factor.mT.conj(), cp.asarray(b), False), expected)


def test_equations_that_do_not_fit():
    eye = cp.eye(3)
    for f in (lapack.gesv, lapack.gels, lapack.posv):
        with pytest.raises(ValueError, match="shape mismatch"):
            f(eye, cp.ones(4))
        with pytest.raises(ValueError, match=r"b\.ndim"):
            f(eye, cp.ones((1, 3, 3)))
    for f in (lapack.gesv, lapack.gels):
        with pytest.raises(ValueError, match=r"a\.ndim must be 2"):
            f(cp.ones((2, 3, 3)), cp.ones((2, 3)))
        with pytest.raises(ValueError, match="dtype mismatch"):
            f(eye, cp.ones(3, "f"))
        with pytest.raises(ValueError, match="unsupported dtype"):
            f(eye.astype("i"), cp.ones(3))
        with pytest.raises(TypeError, match="Unsupported type"):
            f(np.eye(3), cp.ones(3))
    with pytest.raises(ValueError, match="square"):
        lapack.gesv(cp.ones((3, 2)), cp.ones(3))
    with pytest.raises(np.linalg.LinAlgError):
        lapack.gesv(cp.zeros((3, 3)), cp.ones(3))
    with pytest.raises(np.linalg.LinAlgError):
        lapack.posv(-eye, cp.ones(3))


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (2, 4, 4)])
def test_gesvdj_and_gesvda(shape, dtype):
    a = sample(shape, dtype)
    values = np.linalg.svd(a, compute_uv=False)
    for u, s, v in (
        cusolver.gesvdj(cp.asarray(a), full_matrices=False),
        cusolver.gesvda(cp.asarray(a)),
    ):
        close(s, values)
        close((u * s[..., None, :]) @ v.conj().mT, a)
    u, s, v = cusolver.gesvdj(cp.asarray(a))
    assert (u.shape[-1], v.shape[-1]) == shape[-2:]
    close(cusolver.gesvdj(cp.asarray(a), compute_uv=False), values)
    close(cusolver.gesvda(cp.asarray(a), compute_uv=False), values)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("uplo", "LU")
def test_syevj(uplo, dtype):
    a = definite((2, 5, 5), dtype)
    w, v = cusolver.syevj(cp.asarray(a), UPLO=uplo)
    close(w, np.linalg.eigvalsh(a))
    close((v * w[..., None, :]) @ v.conj().mT, a)
    close(
        cusolver.syevj(cp.asarray(a), uplo, with_eigen_vector=False),
        np.linalg.eigvalsh(a),
    )


def test_availability():
    assert cusolver.check_availability("gesvdj")
    assert not cusolver.check_availability("csrlsvqr")
    with pytest.raises(ValueError, match="No available version information"):
        cusolver.check_availability("gesvdx")
    with pytest.raises(NotImplementedError, match="toarray"):
        cusolver.csrlsvqr(None, None)
