"""Stacks of matrices of up to 32 rows against numpy.linalg.

On a GPU, and with ``--bodies device``, kernels of `cupric.linalg._small` do the work;
on the host LAPACK does.
"""

import numpy as np
import pytest

import cupric as cp
import cupricx

RNG = np.random.default_rng(3)
SIZES = [1, 2, 3, 4, 5, 8, 11, 16, 17, 31, 32]
DTYPES = ["f", "d", "F", "D"]

each_size = pytest.mark.parametrize("n", SIZES)
each_dtype = pytest.mark.parametrize("dtype", DTYPES)


def sample(shape, dtype):
    """Matrices of normals: neither diagonally dominant nor in need of no pivots."""
    a = RNG.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * RNG.standard_normal(shape)
    return a.astype(dtype)


def eps(dtype):
    return np.finfo(dtype).eps


def norms(a):
    return np.linalg.norm(a, axis=(-2, -1))


def layouts(a):
    """The same matrices in other memory orders."""
    x = cp.asarray(a)
    yield x
    yield cp.asarray(a.swapaxes(-1, -2).copy()).swapaxes(-1, -2)
    yield cp.asarray(np.repeat(a, 2, axis=-1))[..., ::2]
    yield cp.asarray(a[..., ::-1, :].copy())[..., ::-1, :]
    yield cp.asarray(a[::-1].copy())[::-1]


@each_dtype
@each_size
@pytest.mark.parametrize("columns", [None, 1, 3, 40])
def test_solve_leaves_a_small_residual(n, dtype, columns):
    a = sample((9, n, n), dtype)
    b = sample((9, n, columns or 1), dtype)
    for x in layouts(a):
        given = cp.asarray(b[0, :, 0] if columns is None else b)
        found = cp.linalg.solve(x, given).get()
        right = b[:1] if columns is None else b
        found = found[..., None] if columns is None else found
        assert found.dtype == a.dtype
        residual = norms(a @ found - right)
        assert (residual <= 20 * n * eps(dtype) * norms(a) * norms(found)).all()


@each_dtype
@each_size
def test_inverse_leaves_a_small_residual(n, dtype):
    a = sample((9, n, n), dtype)
    for x in layouts(a):
        found = cp.linalg.inv(x).get()
        residual = norms(a @ found - np.eye(n))
        assert (residual <= 20 * n * eps(dtype) * norms(a) * norms(found)).all()


@each_dtype
@each_size
def test_determinants(n, dtype):
    a = sample((9, n, n), dtype)
    wide = a.astype("D" if np.dtype(dtype).kind == "c" else "d")
    bound = 100 * n * eps(dtype) * np.linalg.cond(wide)
    sign, log = np.linalg.slogdet(wide)
    for x in layouts(a):
        error = abs(cp.linalg.det(x).get() / (sign * np.exp(log)) - 1)
        assert (error <= bound).all()
        found = cp.linalg.slogdet(x)
        assert found.logabsdet.dtype == np.finfo(dtype).dtype
        assert (abs(found.sign.get() - sign) <= bound).all()
        assert (abs(found.logabsdet.get() - log) <= bound).all()


@each_dtype
@each_size
def test_cholesky_factors_multiply_to_the_matrix(n, dtype):
    g = sample((9, n, n), dtype)
    a = g @ g.conj().swapaxes(-1, -2) + np.eye(n, dtype=dtype)
    junk = a + np.triu(sample((9, n, n), dtype), 1)  # the lower triangle is read
    for x in layouts(junk):
        lower = cp.linalg.cholesky(x).get()
        np.testing.assert_array_equal(lower, np.tril(lower))
        residual = norms(lower @ lower.conj().swapaxes(-1, -2) - a)
        assert (residual <= 10 * n * eps(dtype) * norms(a)).all()
    upper = cp.linalg.cholesky(cp.asarray(a), upper=True).get()
    np.testing.assert_array_equal(upper, np.triu(upper))
    assert (
        norms(upper.conj().swapaxes(-1, -2) @ upper - a)
        <= 10 * n * eps(dtype) * norms(a)
    ).all()


@pytest.mark.parametrize("batch", [(), (2, 3), (1,), (3, 1, 2)])
def test_stacks_of_any_shape(batch):
    a, b = sample((*batch, 5, 5), "d"), sample((*batch, 5, 2), "d")
    x = cp.asarray(a)
    for f in ("inv", "det"):
        found, expected = getattr(cp.linalg, f)(x), getattr(np.linalg, f)(a)
        assert found.shape == np.shape(expected)
        np.testing.assert_allclose(found.get(), expected, rtol=1e-8)
    found = cp.linalg.solve(x, cp.asarray(b))
    np.testing.assert_allclose(found.get(), np.linalg.solve(a, b), rtol=1e-8)


def test_stacks_are_broadcast():
    a, b = sample((4, 1, 6, 6), "d"), sample((3, 6, 2), "d")
    found = cp.linalg.solve(cp.asarray(a), cp.asarray(b))
    np.testing.assert_allclose(found.get(), np.linalg.solve(a, b), rtol=1e-8)


@each_dtype
@pytest.mark.parametrize("n", [1, 2, 6, 16, 32])
def test_one_bad_matrix_of_a_stack(n, dtype):
    a = sample((7, n, n), dtype)
    a[4, :, n // 2] = 0
    x = cp.asarray(a)
    b = cp.asarray(sample((7, n, 1), dtype))
    calls = [
        lambda: cp.linalg.inv(x),
        lambda: cp.linalg.solve(x, b),
    ]
    for call in calls:
        with pytest.raises(np.linalg.LinAlgError, match="Singular"):
            call()
        with cupricx.errstate(linalg="ignore"):
            found = call().get()
        assert np.isnan(found[4]).all()
        assert np.isfinite(np.delete(found, 4, axis=0)).all()
    assert cp.linalg.det(x).get()[4] == 0
    sign, log = cp.linalg.slogdet(x)
    assert sign.get()[4] == 0
    assert log.get()[4] == -np.inf
    good = a @ a.conj().swapaxes(-1, -2) + np.eye(n, dtype=dtype)
    good[2, n - 1, n - 1] = -1
    with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
        cp.linalg.cholesky(cp.asarray(good))
    with cupricx.errstate(linalg="ignore"):
        found = cp.linalg.cholesky(cp.asarray(good)).get()
    assert np.isnan(found[2]).any()
    assert np.isfinite(np.delete(found, 2, axis=0)).all()


def test_a_nan_is_no_singular_matrix():
    a = np.eye(3)
    a[1, 2] = np.nan
    assert np.isnan(cp.linalg.inv(cp.asarray(a)).get()).any()
    assert np.isnan(cp.linalg.det(cp.asarray(a)).get())
