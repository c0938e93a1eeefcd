"""Stacks of small matrices against numpy.linalg.

On a GPU, and with ``--bodies device``, kernels of `cupric.linalg._small` do the work;
on the host LAPACK does.
"""

import numpy as np
import pytest

import cupric as cp
import cupricx
from cupric.linalg import _small, _small_general, _small_hermitian

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


@pytest.mark.parametrize("n", [2, 4, 6, 16, 32])
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_pivots_whose_reciprocals_overflow(n, dtype):
    least = np.finfo(dtype).smallest_subnormal
    a = (RNG.integers(-9, 10, (5, n, n)) + 40 * n * np.eye(n)).astype(dtype) * least
    b = a.sum(-1, keepdims=True)  # exact, as all are multiples of the least number
    found = cp.linalg.solve(cp.asarray(a), cp.asarray(b)).get()
    assert np.abs(found - 1).max() < 0.2


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


@each_dtype
@pytest.mark.parametrize("n", [2, 3, 4, 6, 8])
def test_more_matrices_than_a_block_takes(n, dtype):
    a = sample((300, n, n), dtype)
    a = a @ a.conj().swapaxes(-1, -2) + np.eye(n, dtype=dtype)
    b = sample((300, n, 1), dtype)
    x, right = cp.asarray(a), cp.asarray(b)
    whole = norms(a).max()
    inverse = cp.linalg.inv(x).get()
    assert norms(a @ inverse - np.eye(n)).max() <= 100 * n * eps(dtype) * whole
    solution = cp.linalg.solve(x, right).get()
    assert norms(a @ solution - b).max() <= 100 * n * eps(dtype) * whole
    factor = cp.linalg.cholesky(x).get()
    error = norms(factor @ factor.conj().swapaxes(-1, -2) - a)
    assert error.max() <= 100 * n * eps(dtype) * whole
    determinants, powers = cp.linalg.det(x).get(), cp.linalg.matrix_power(x, 3).get()
    rtol = 1000 * n * eps(dtype)
    np.testing.assert_allclose(determinants, np.linalg.det(a), rtol=rtol)
    assert (norms(powers - a @ a @ a) <= rtol * norms(a) ** 3).all()


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


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("n", [3, 12])
def test_solve_for_no_columns(batch, n):
    a, b = cp.asarray(sample((*batch, n, n), "d")), cp.empty((*batch, n, 0))
    assert cp.linalg.solve(a, b).shape == (*batch, n, 0)


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


# ---- orthogonal factors --------------------------------------------------------------

SHAPES = [(1, 1), (2, 2), (3, 3), (8, 8), (17, 17), (32, 32), (5, 3), (3, 5), (1, 4)]
SHAPES += [(32, 7), (7, 32)]
each_shape = pytest.mark.parametrize("shape", SHAPES)


def adjoint(a):
    return a.conj().swapaxes(-1, -2)


def is_orthogonal(q, dtype):
    """Whether columns are orthonormal."""
    error = norms(adjoint(q) @ q - np.eye(q.shape[-1]))
    return (error <= 20 * q.shape[-2] * eps(dtype)).all()


def close_to(product, a):
    scale = np.maximum(norms(a), np.finfo(a.dtype).tiny)
    return (norms((product - a) / scale[..., None, None]) <= bound_of(a)).all()


def bound_of(a):
    return 20 * max(a.shape[-2:]) * eps(a.dtype)


@each_dtype
@each_shape
@pytest.mark.parametrize("mode", ["reduced", "complete", "r"])
def test_qr_factors(shape, dtype, mode):
    a = sample((5, *shape), dtype)
    a[3, :, 0] = 0
    for x in layouts(a):
        if mode == "r":
            r = cp.linalg.qr(x, mode).get()
            assert r.shape == np.linalg.qr(a, mode).shape
            assert close_to(adjoint(r) @ r, adjoint(a) @ a)
            continue
        q, r = (part.get() for part in cp.linalg.qr(x, mode))
        assert q.shape == np.linalg.qr(a, mode).Q.shape
        np.testing.assert_array_equal(r, np.triu(r))
        assert is_orthogonal(q, dtype)
        assert close_to(q @ r, a)


def hermitian(stack, n, dtype):
    a = sample((stack, n, n), dtype)
    return a + adjoint(a)


def eigenvalues(a, uplo="L"):
    return np.linalg.eigvalsh(a.astype("D" if np.iscomplexobj(a) else "d"), uplo)


def check_eigenvalues(a, x, uplo):
    """Of `x`, which is `a` but for the triangle that is not read."""
    w, v = (part.get() for part in cp.linalg.eigh(x, uplo))
    assert w.dtype == np.finfo(a.dtype).dtype
    assert v.dtype == a.dtype
    assert is_orthogonal(v, a.dtype)
    assert close_to((v * w[:, None, :]) @ adjoint(v), a)
    expected, n = eigenvalues(a), a.shape[-1]
    for found in (w, cp.linalg.eigvalsh(x, uplo).get()):
        np.testing.assert_array_equal(found, np.sort(found))
        error = abs(found - expected).max(-1)
        assert (error <= 5 * n * eps(a.dtype) * norms(a)).all()


@each_dtype
@pytest.mark.parametrize("n", [*SIZES, 33, 47, 64, 65, 100])
@pytest.mark.parametrize("uplo", ["L", "U"])
def test_eigenvalues(n, dtype, uplo):
    a = hermitian(5, n, dtype)
    a[1] = 0
    a[2] = np.eye(n) + a[2] * 1e-4  # eigenvalues close to each other
    junk = a + (np.triu if uplo == "L" else np.tril)(
        sample(a.shape, dtype), 1 if uplo == "L" else -1
    )
    for x in layouts(junk):
        check_eigenvalues(a, x, uplo)


@each_dtype
@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 17, 24, 32, 33, 64])
def test_eigenvalues_of_many(n, dtype, monkeypatch):
    """As if matrices were so many that each gets few threads."""
    monkeypatch.setattr(_small, "MANY", 1)
    a = hermitian(11, n, dtype)  # a number of its own, as launches are replayed
    check_eigenvalues(a, cp.asarray(a), "L")


@each_dtype
@pytest.mark.parametrize("n", [2, 6, 16, 32, 40])
def test_hermitian_matrices_of_zeros_and_ones(n, dtype):
    """Many equal eigenvalues, a diagonal of zeros, reflections of nothing."""
    pairs = np.kron(np.eye(n // 2), [[0, 1], [1, 0]])
    path = np.eye(n, k=1) + np.eye(n, k=-1)
    arrow = np.zeros((n, n))
    arrow[0] = arrow[:, 0] = 1
    a = np.array([pairs, path, arrow, np.ones((n, n)), pairs[::-1] + pairs[:, ::-1]])
    if np.dtype(dtype).kind == "c":
        a = a + 1j * (np.triu(a) - np.tril(a))
    a = a.astype(dtype)
    check_eigenvalues(a, cp.asarray(a), "L")


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("n", [3, 20, 40])
def test_eigenvalues_of_diagonals_are_exact(n, dtype):
    a = np.zeros((2, n, n), dtype)
    a[:, range(n), range(n)] = RNG.standard_normal((2, n))
    expected = np.sort(np.diagonal(a, axis1=1, axis2=2))
    w, v = cp.linalg.eigh(cp.asarray(a))
    np.testing.assert_array_equal(w.get(), expected)
    np.testing.assert_array_equal(abs(v.get()).sum(-1), 1)
    np.testing.assert_array_equal(cp.linalg.eigvalsh(cp.asarray(a)).get(), expected)


@each_dtype
@pytest.mark.parametrize("n", [2, 7, 32, 36])
@pytest.mark.parametrize("which", ["max", "tiny", "smallest_subnormal"])
def test_eigenvalues_of_extreme_numbers(n, dtype, which):
    limit = getattr(np.finfo(dtype), which)
    a = hermitian(3, n, dtype)
    a /= abs(a).max()
    scale = limit * (1 / (2 * n) if which == "max" else 50)
    extreme = (a * scale).astype(dtype)
    real = np.finfo(dtype).dtype  # NumPy divides complex numbers by subnormals to NaN
    exact = (extreme.view(real) / scale).view(dtype)
    w, v = (part.get() for part in cp.linalg.eigh(cp.asarray(extreme)))
    error = abs(w / scale - eigenvalues(exact)).max()
    rounding = np.finfo(dtype).smallest_subnormal / scale
    assert error <= 5 * n * eps(dtype) * norms(exact).max() + rounding
    assert is_orthogonal(v, dtype)


@pytest.mark.parametrize("shape", [(0, 5, 5), (2, 0, 0), (0, 0), (3, 0, 40, 40)])
def test_eigenvalues_of_nothing(shape):
    a = np.empty(shape)
    w, v = cp.linalg.eigh(cp.asarray(a))
    expected = np.linalg.eigh(a)
    assert w.shape == expected[0].shape
    assert v.shape == expected[1].shape
    assert cp.linalg.eigvalsh(cp.asarray(a)).shape == w.shape


def is_as_numpys(name, a):
    """The result, or the error, is that of NumPy, which has it from LAPACK, too."""
    f, x = getattr(cp.linalg, name), cp.asarray(a)
    try:
        expected = getattr(np.linalg, name)(a)
    except np.linalg.LinAlgError:
        with pytest.raises(np.linalg.LinAlgError):
            f(x)
        return
    found = f(x)
    pairs = (
        [(found, expected)] if name == "eigvalsh" else zip(found, expected, strict=True)
    )
    for part, wanted in pairs:
        np.testing.assert_array_equal(np.isnan(part.get()), np.isnan(wanted))
        np.testing.assert_allclose(part.get(), wanted, rtol=1e-4, atol=1e-4)


@each_dtype
@pytest.mark.parametrize("n", [1, 4, 17, 32, 33, 50])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_one_hermitian_matrix_is_not_finite(n, dtype, bad):
    a = hermitian(5, n, dtype)
    a[3, n - 1, n // 2] = bad
    if not _small_hermitian.takes(cp.asarray(a)):  # on the host
        is_as_numpys("eigh", a)
        is_as_numpys("eigvalsh", a)
        return
    for f in (cp.linalg.eigh, cp.linalg.eigvalsh):
        with pytest.raises(np.linalg.LinAlgError, match="not converge"):
            f(cp.asarray(a))
        with cupricx.errstate(linalg="ignore"):
            result = f(cp.asarray(a))
        for part in result if isinstance(result, tuple) else [result]:
            found = part.get()
            assert np.isnan(found[3]).all()
            assert np.isfinite(np.delete(found, 3, axis=0)).all()
        if n > 1:  # the other triangle is not read
            assert np.isfinite(cp.asnumpy(cp.linalg.eigvalsh(cp.asarray(a), "U"))).all()


# ---- eigenvalues of any square matrices ----------------------------------------------


def check_general(a, x):
    """Of `x`, which is `a`: each eigenvalue with its vector, and all of them."""
    w, v = (part.get() for part in cp.linalg.eig(x))
    assert w.dtype == v.dtype == np.result_type(a.dtype, "F")
    n, limit = a.shape[-1], 20 * a.shape[-1] * eps(a.dtype)
    wide = a.astype("D")
    residual = norms(wide @ v - v * w[:, None, :])
    assert (residual <= limit * norms(wide)).all()
    np.testing.assert_allclose(np.linalg.norm(v, axis=1), 1, rtol=5 * n * eps(a.dtype))
    values = cp.linalg.eigvals(x).get()
    assert values.dtype == w.dtype
    for k in range(len(a)):
        for found in (w[k], values[k]):
            if a.dtype.kind == "f":  # conjugates to the last bit
                pairs = found[found.imag != 0]
                assert set(pairs) == set(pairs.conj())
            assert_eigenvalues(wide[k], found, limit)
    if a.dtype.kind == "f":
        columns = np.moveaxis(v, 1, 2)
        # LAPACK takes a pair for one whose imaginary part is below the least number.
        assert (abs(columns[w.imag == 0].imag) <= limit).all()


def assert_eigenvalues(a, found, limit):
    """They are those of a matrix near `a`: by sums of their powers, which do not depend
    on the order, nor much on how near each other they are."""
    size, power = np.linalg.norm(a) or 1.0, np.eye(len(a))
    for k in range(1, 4):
        power = power @ (a / size)
        assert abs((found / size) ** k).max() <= 1 + limit
        assert abs(((found / size) ** k).sum() - np.trace(power)) <= k * limit


@each_dtype
@each_size
def test_general_eigenvalues(n, dtype):
    a = sample((7, n, n), dtype)
    a[1] = 0
    a[2] = np.eye(n) + a[2] * 1e-4  # eigenvalues close to each other
    a[3] = a[3] @ np.diag(np.arange(n) % 3) @ np.linalg.inv(a[3])  # and equal ones
    for x in layouts(a):
        check_general(a, x)


@each_dtype
@pytest.mark.parametrize("n", [2, 6, 16, 30])
def test_general_matrices_of_zeros_and_ones(n, dtype):
    """Triangles, rotations, permutations, blocks without a basis of eigenvectors."""
    turns = np.kron(np.eye(n // 2), [[0, 1], [-1, 0]])
    chain = np.eye(n, k=1)
    cycle = chain.copy()
    cycle[-1, 0] = 1
    arrow = np.zeros((n, n))
    arrow[0] = arrow[:, -1] = 1
    tree = np.tri(n)[:, np.random.default_rng(1).permutation(n)]
    a = [turns, chain, chain.T, cycle, cycle.T, arrow, np.tri(n), tree, np.ones((n, n))]
    a = np.array([*a, np.eye(n)[::-1], turns + chain], dtype)
    if np.dtype(dtype).kind == "c":
        a = a + a * np.dtype(dtype).type(1j)
    check_general(a, cp.asarray(a))


@each_dtype
@pytest.mark.parametrize("n", [2, 5, 12])
@pytest.mark.parametrize("rows", [1, 4, 16])
def test_general_matrices_beside_others(n, dtype, rows, monkeypatch):
    """A warp's are at different places: some are done as soon as they are read."""
    monkeypatch.setattr(_small, "MANY", 1)
    monkeypatch.setattr(_small_general, "_ROWS", rows)
    a = sample((32 + rows, n, n), dtype)  # a number of its own: launches are replayed
    a[::3] = np.triu(a[::3])
    a[1::4] = 0
    a[2::5, :, 0] = 0
    a[3::7] *= np.ldexp(np.ones(1, dtype.lower()), 20)
    check_general(a, cp.asarray(a))


@each_dtype
@pytest.mark.parametrize("n", [1, 3, 20])
def test_eigenvalues_of_triangles_are_exact(n, dtype):
    """Of a shuffled one, too: its rows and columns are put in order first."""
    a = np.tril(sample((4, n, n), dtype))
    a[1:, range(n), range(n)] = 3  # as far from a basis as can be
    a[2] = a[2].T
    order = RNG.permutation(n)
    a[3] = a[3][order][:, order]
    expected = np.sort_complex(np.diagonal(a, axis1=1, axis2=2))
    found = cp.linalg.eigvals(cp.asarray(a)).get()
    np.testing.assert_array_equal(np.sort_complex(found), expected)


@each_dtype
@pytest.mark.parametrize("n", [3, 8, 25])
def test_general_eigenvalues_of_uneven_rows(n, dtype):
    """What balancing is for: without it small eigenvalues are rounding."""
    a = sample((5, n, n), dtype)
    by = 2.0 ** np.random.default_rng(2).integers(-30, 30, (5, n, 1))
    uneven = (a * by / by.swapaxes(1, 2)).astype(dtype)
    for found in (
        cp.linalg.eig(cp.asarray(uneven)).eigenvalues,
        cp.linalg.eigvals(cp.asarray(uneven)),
    ):
        for k in range(5):
            assert_eigenvalues(a[k].astype("D"), found[k].get(), 40 * n * eps(dtype))


@each_dtype
@pytest.mark.parametrize("n", [2, 7, 25])
@pytest.mark.parametrize("exponent", [-100, 100])
def test_general_eigenvalues_of_extreme_numbers(n, dtype, exponent):
    a = sample((3, n, n), dtype)
    by = np.ldexp(
        np.finfo(dtype).dtype.type(1), exponent * np.dtype(dtype.lower()).itemsize // 4
    )
    w, v = (part.get() for part in cp.linalg.eig(cp.asarray(a * by)))
    residual = norms(a.astype("D") @ v - v * (w / by)[:, None, :])
    assert (residual <= 20 * n * eps(dtype) * norms(a)).all()


@each_dtype
@pytest.mark.parametrize("n", [1, 4, 17])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_one_general_matrix_is_not_finite(n, dtype, bad):
    a = sample((5, n, n), dtype)
    a[3, n - 1, n // 2] = bad
    for f in (cp.linalg.eig, cp.linalg.eigvals):
        with pytest.raises(np.linalg.LinAlgError, match="infs or NaNs"):
            f(cp.asarray(a))
    if not _small_general.takes(cp.asarray(a), True):  # on the host
        return
    with cupricx.errstate(linalg="ignore"):
        results = [*cp.linalg.eig(cp.asarray(a)), cp.linalg.eigvals(cp.asarray(a))]
    for part in results:
        found = part.get()
        assert np.isnan(found[3]).all()
        assert np.isfinite(np.delete(found, 3, axis=0)).all()


@pytest.mark.parametrize("shape", [(0, 5, 5), (2, 0, 0), (0, 0), (3, 0, 40, 40)])
def test_general_eigenvalues_of_nothing(shape):
    a = cp.empty(shape)
    w, v = cp.linalg.eig(a)
    assert w.shape == cp.linalg.eigvals(a).shape == shape[:-1]
    assert v.shape == shape


# ---- singular values -----------------------------------------------------------------


@each_dtype
@each_shape
@pytest.mark.parametrize("full", [False, True])
def test_singular_values(shape, dtype, full):
    a = sample((6, *shape), dtype)
    a[1] = 0
    a[2] = sample((shape[0], 1), dtype) @ sample((1, shape[1]), dtype)  # of rank 1
    a[3, :, 0] *= 1e-12
    wide = a.astype("D" if np.iscomplexobj(a) else "d")
    expected = np.linalg.svd(wide, compute_uv=False)
    k = min(shape)
    for x in layouts(a):
        u, s, vh = (part.get() for part in cp.linalg.svd(x, full_matrices=full))
        assert u.shape == np.linalg.svd(a, full_matrices=full).U.shape
        assert is_orthogonal(u, dtype)
        assert is_orthogonal(adjoint(vh), dtype)
        assert close_to((u[..., :k] * s[:, None, :]) @ vh[:, :k], a)
        values = cp.linalg.svd(x, compute_uv=False).get()
        for found in (s, values):
            error = abs(found - expected).max(-1)
            assert (error <= bound_of(a) * norms(a)).all()
        pinv = cp.linalg.pinv(x[:1], rcond=1e-6 if dtype in "fF" else 1e-12).get()
        condition = norms(a[:1]) * norms(pinv)
        error = norms(a[:1] @ pinv @ a[:1] - a[:1])
        assert (error <= bound_of(a) * condition * norms(a[:1])).all()


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_squares_do_not_overflow(scale):
    a = sample((2, 6, 6), "d") * scale
    q, r = (part.get() for part in cp.linalg.qr(cp.asarray(a)))
    assert close_to(q @ (r / scale), a / scale)
    s = cp.linalg.svd(cp.asarray(a), compute_uv=False).get()
    np.testing.assert_allclose(s, np.linalg.svd(a, compute_uv=False), rtol=1e-10)
    symmetric = a + adjoint(a)
    w = cp.linalg.eigvalsh(cp.asarray(symmetric)).get()
    np.testing.assert_allclose(w, np.linalg.eigvalsh(symmetric), rtol=1e-8)


@pytest.mark.parametrize("f", ["eigh", "eigvalsh", "svd"])
def test_nans_do_not_go_on_for_ever(f):
    a = sample((3, 4, 4), "d")
    a = a + adjoint(a)
    a[1, 2, 1] = np.nan
    with pytest.raises(np.linalg.LinAlgError, match="not converge"):
        getattr(cp.linalg, f)(cp.asarray(a))


@each_dtype
@each_size
@pytest.mark.parametrize("power", [5, -4])
def test_matrix_power(n, dtype, power):
    """Of normals scaled to a norm of about 1, so that no power is large."""
    a = sample((5, n, n), dtype) / np.float32(2 * np.sqrt(n))
    if power < 0:
        a = a + np.eye(n, dtype=a.dtype)
    expected = np.linalg.matrix_power(a.astype("D"), power)
    bound = np.maximum(norms(a), 1) ** abs(power)
    if power < 0:
        bound = np.linalg.cond(a.astype("D")) ** 2 * norms(expected) + 1
    for x in layouts(a):
        got = cp.linalg.matrix_power(x, power).get()
        assert got.dtype == a.dtype
        assert (norms(got - expected) <= 100 * n * eps(dtype) * bound).all()
    one = cp.linalg.matrix_power(cp.asarray(a[0]), power).get()
    assert norms(one - expected[0]) <= 100 * n * eps(dtype) * bound[0]


def test_matrix_power_of_many_bits():
    """A rotation by a right angle returns after four."""
    a = cp.asarray(np.array([[[0.0, -1], [1, 0]]] * 3))
    for power in (2**62 + 1, 2**63 + 1, 2**80 + 3):
        got = cp.linalg.matrix_power(a, power)
        expected = np.linalg.matrix_power(a.get(), power % 4)
        np.testing.assert_array_equal(got.get(), expected)
