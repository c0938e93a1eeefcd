"""Equations, determinants, factorisations and norms against numpy.linalg."""

import numpy as np
import pytest

import cupric as cp

RNG = np.random.default_rng(1)


def sample(shape, dtype="d"):
    a = RNG.random(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * RNG.random(shape)
    return (a * 5).astype(dtype)


def close(actual, expected, dtype="d"):
    tolerance = 1e-3 if dtype in "fF" else 1e-8
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(actual.get(), expected, rtol=tolerance, atol=tolerance)


def well_conditioned(shape, dtype):
    return sample(shape, dtype) + (8 * np.eye(shape[-1])).astype(dtype)


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D", "i"])
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (3, 4, 4), (2, 0, 3, 3), (0, 0)])
def test_square(shape, dtype):
    a = well_conditioned(shape, dtype)
    x = cp.asarray(a)
    close(cp.linalg.inv(x), np.linalg.inv(a), dtype)
    close(cp.linalg.det(x), np.asarray(np.linalg.det(a)), dtype)
    for mine, numpy in zip(cp.linalg.slogdet(x), np.linalg.slogdet(a), strict=True):
        close(mine, np.asarray(numpy), dtype)


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D", "i"])
@pytest.mark.parametrize(
    "shapes",
    [
        ((4, 4), (4,)),
        ((4, 4), (4, 2)),
        ((3, 4, 4), (3, 4, 2)),
        ((3, 4, 4), (4, 2)),
        ((4, 4), (2, 4, 1)),
    ],
)
def test_solve(shapes, dtype):
    a, b = well_conditioned(shapes[0], dtype), sample(shapes[1], dtype)
    close(np.linalg.solve(cp.asarray(a), cp.asarray(b)), np.linalg.solve(a, b), dtype)


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5), (2, 4, 3)])
def test_factors_multiply_to_the_matrix(shape, dtype):
    a = sample(shape, dtype)
    x = cp.asarray(a)
    for mode in ("reduced", "complete"):
        q, r = cp.linalg.qr(x, mode)
        assert q.shape == np.linalg.qr(a, mode).Q.shape
        close(q @ r, a, dtype)
    for full in (True, False):
        u, s, vh = cp.linalg.svd(x, full_matrices=full)
        k = min(shape[-2:])
        close((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, dtype)
    close(cp.linalg.svd(x, compute_uv=False), np.linalg.svd(a, compute_uv=False), dtype)
    close(cp.linalg.pinv(x), np.linalg.pinv(a), dtype)


def in_order(w):
    """Eigenvalues of a stack, each row sorted."""
    return np.sort_complex(np.round(w, 2))


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D", "i", "?", "Q"])
@pytest.mark.parametrize(
    "shape", [(1, 1), (2, 2), (5, 5), (33, 33), (3, 4, 4), (2, 3, 3, 3), (0, 4, 4)]
)
def test_general_eigenvalues(shape, dtype):
    a = sample(shape).astype(dtype) if dtype in "?Q" else sample(shape, dtype)
    x = cp.asarray(a)
    w, v = cp.linalg.eig(x)
    expected, vectors = np.linalg.eig(a)
    kind = np.complex64 if dtype in "fF" else np.complex128  # NumPy's from 2.5 on
    assert (w.dtype, w.shape) == (kind, expected.shape)
    assert (v.dtype, v.shape) == (kind, vectors.shape)
    tolerance = 1e-3 if dtype in "fF" else 1e-8
    wide = a.astype(v.dtype)
    np.testing.assert_allclose(
        wide @ v.get(), v.get() * w.get()[..., None, :], atol=shape[-1] * tolerance
    )
    np.testing.assert_allclose(np.linalg.norm(v.get(), axis=-2), 1, rtol=1e-5)
    values = cp.linalg.eigvals(x)
    assert values.dtype == kind
    for mine in (w, values):
        got, want = in_order(mine.get()), in_order(expected)
        np.testing.assert_allclose(abs(got), abs(want), atol=0.05)


@pytest.mark.parametrize("layout", ["F", "reversed", "transposed"])
def test_general_eigenvalues_of_views(layout):
    a = sample((3, 5, 5))
    x = cp.asarray(a)
    of = {
        "F": lambda y: y.copy(order="F"),
        "reversed": lambda y: y[::-1, ::-1],
        "transposed": lambda y: y.swapaxes(1, 2),
    }[layout]
    w, v = cp.linalg.eig(of(x))
    np.testing.assert_allclose(
        of(a) @ v.get(), v.get() * w.get()[:, None, :], atol=1e-8
    )
    np.testing.assert_allclose(
        cp.linalg.eigvals(of(x)).sum(-1).real.get(),
        of(a).trace(axis1=-2, axis2=-1),
        rtol=1e-8,
    )


def test_eigenvalues_are_complex_whatever_they_are():
    turn, scale = np.array([[0.0, -1], [1, 0]]), np.diag([2.0, 3.0])
    assert cp.linalg.eigvals(cp.asarray(scale)).dtype == np.complex128
    found = cp.linalg.eig(cp.asarray(scale))
    np.testing.assert_array_equal(found.eigenvalues.get(), [2, 3])
    np.testing.assert_array_equal(found.eigenvectors.get(), np.eye(2, dtype="D"))
    w, v = cp.linalg.eig(cp.asarray(np.stack([turn, scale])))
    np.testing.assert_allclose(w.get()[1], [2, 3])
    pair = v.get()[0]
    np.testing.assert_allclose(pair[:, 0], pair[:, 1].conj())
    np.testing.assert_allclose(turn @ pair, pair * w.get()[0])


@pytest.mark.parametrize("f", ["eig", "eigvals"])
def test_general_eigenvalues_of_what_has_none(f):
    for bad in (np.nan, np.inf):
        with pytest.raises(np.linalg.LinAlgError, match="infs or NaNs"):
            getattr(cp.linalg, f)(cp.array([[1, bad], [0, 1]]))
    with pytest.raises(np.linalg.LinAlgError, match="square"):
        getattr(cp.linalg, f)(cp.ones((2, 3)))
    with pytest.raises(np.linalg.LinAlgError, match="two-dimensional"):
        getattr(cp.linalg, f)(cp.ones(3))
    with pytest.raises(TypeError, match="float16"):
        getattr(cp.linalg, f)(cp.ones((2, 2), "e"))
    empty = getattr(cp.linalg, f)(cp.empty((0, 0)))
    assert (empty if f == "eigvals" else empty[0]).shape == (0,)


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_hermitian(dtype):
    a = well_conditioned((3, 4, 4), dtype)
    a = a @ a.conj().swapaxes(-1, -2)
    x = cp.asarray(a)
    lower = cp.linalg.cholesky(x)
    close(lower @ lower.conj().mT, a, dtype)
    for uplo in "LU":
        w, v = cp.linalg.eigh(x, uplo)
        close((v * w[..., None, :]) @ v.conj().mT, a, dtype)
        close(cp.linalg.eigvalsh(x, uplo), np.linalg.eigvalsh(a, uplo), dtype)


@pytest.mark.parametrize("ord", [None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", ["f", "d", "D", "i"])
def test_matrix_norms(ord, dtype):
    a = sample((3, 4, 5), dtype)
    for keepdims in (False, True):
        close(
            cp.linalg.norm(cp.asarray(a), ord, (0, 2), keepdims),
            np.linalg.norm(a, ord, (0, 2), keepdims),
            dtype,
        )


@pytest.mark.parametrize("ord", [None, 0, 1, 2, 3, -1, 0.5, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", ["f", "d", "D", "i"])
def test_vector_norms(ord, dtype):
    a = sample((3, 4), dtype)
    close(cp.linalg.norm(cp.asarray(a), ord, 1), np.linalg.norm(a, ord, 1), dtype)
    if ord is None:
        close(np.linalg.norm(cp.asarray(a)), np.asarray(np.linalg.norm(a)), dtype)


def test_powers_ranks_and_least_squares():
    a = sample((4, 4))
    x = cp.asarray(a)
    for n in (0, 1, 2, 5, -2):
        np.testing.assert_allclose(
            cp.linalg.matrix_power(x, n).get(), np.linalg.matrix_power(a, n), rtol=1e-6
        )
    low = np.outer(np.arange(4.0), np.arange(3.0))
    assert int(cp.linalg.matrix_rank(cp.asarray(low))) == 1
    m, b = sample((6, 3)), sample((6, 2))
    for mine, theirs in zip(
        cp.linalg.lstsq(cp.asarray(m), cp.asarray(b)),
        np.linalg.lstsq(m, b),
        strict=True,
    ):
        np.testing.assert_allclose(cp.asnumpy(mine), theirs, rtol=1e-8)
    chain = [sample(s) for s in ((2, 5), (5, 3), (3, 7), (7,))]
    np.testing.assert_allclose(
        cp.linalg.multi_dot([cp.asarray(c) for c in chain]).get(),
        np.linalg.multi_dot(chain),
        rtol=1e-10,
    )


def test_errors():
    singular = cp.zeros((3, 3))
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        cp.linalg.inv(singular)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        cp.linalg.solve(singular, cp.ones(3))
    with pytest.raises(np.linalg.LinAlgError, match="square"):
        cp.linalg.det(cp.ones((2, 3)))
    with pytest.raises(np.linalg.LinAlgError, match="at least two-dimensional"):
        cp.linalg.inv(cp.ones(3))
    with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
        cp.linalg.cholesky(-cp.eye(3))
    with pytest.raises(TypeError, match="float16"):
        cp.linalg.inv(cp.eye(3, dtype="e"))
    with pytest.raises(ValueError, match="3 rows"):
        cp.linalg.solve(cp.eye(3), cp.ones((2, 2)))
    with pytest.raises(TypeError, match="Unsupported type"):
        cp.linalg.inv(np.eye(3))


@pytest.mark.parametrize("name", ["pinv", "matrix_rank"])
@pytest.mark.parametrize("rtol", [[0.1, 0.3, 0.9], 0.4, None])
def test_a_tolerance_for_each_matrix(name, rtol):
    a = sample((3, 4, 4))
    given = cp.array(rtol) if isinstance(rtol, list) else rtol
    expected = getattr(np.linalg, name)(a, rtol=rtol)
    close(getattr(cp.linalg, name)(cp.asarray(a), rtol=given), expected)


def test_tolerances_of_a_stack_of_stacks():
    a = sample((2, 4, 3, 3))
    tol = np.linspace(0.1, 9, 8).reshape(2, 4)
    x = cp.asarray(a)
    close(cp.linalg.matrix_rank(x, cp.array(tol)), np.linalg.matrix_rank(a, tol))
    close(cp.linalg.pinv(x, cp.array(tol / 10)), np.linalg.pinv(a, tol / 10))
    with pytest.raises(ValueError, match="both"):
        cp.linalg.matrix_rank(x, 1.0, rtol=1.0)
    with pytest.raises(ValueError, match="both"):
        cp.linalg.pinv(x, 1.0, rtol=1.0)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 0, 3), (0, 3, 3)])
def test_pinv_and_rank_of_nothing(shape):
    a = np.zeros(shape)
    close(cp.linalg.pinv(cp.asarray(a)), np.linalg.pinv(a))
    close(cp.linalg.matrix_rank(cp.asarray(a)), np.linalg.matrix_rank(a))


@pytest.mark.parametrize("p", [None, 2, -2, 1, -1, np.inf, "fro"])
def test_the_condition_of_singular_matrices(p):
    a = np.stack([np.ones((2, 2)), np.array([[2.0, 1], [1, 3]]), np.zeros((2, 2))])
    with np.errstate(all="ignore"):
        expected = np.linalg.cond(a, p)
    got = cp.linalg.cond(cp.asarray(a), p).get()
    expected[expected > 1e15] = np.inf  # or a large number, as rounding has it
    got[got > 1e15] = np.inf
    np.testing.assert_allclose(got, expected, rtol=1e-8, atol=1e-15)
    with pytest.raises(np.linalg.LinAlgError):
        cp.linalg.cond(cp.zeros((0, 2)), p)
    with pytest.raises(np.linalg.LinAlgError):
        cp.linalg.cond(cp.zeros(2), p)


def test_the_condition_of_lists_and_of_nan():
    assert abs(cp.linalg.cond([[1, 2], [3, 4]]) - 14.933034373659268) < 1e-9
    assert np.isnan(cp.linalg.cond(cp.array([[np.nan, 1], [1, 1]]), 1).item())


def test_lstsq_in_the_common_dtype():
    a, b = sample((5, 3), "f"), sample((5, 2))
    got = cp.linalg.lstsq(cp.asarray(a), cp.asarray(b), rcond=None)
    for mine, numpy in zip(got, np.linalg.lstsq(a, b), strict=True):
        close(mine, np.asarray(numpy))
    assert got[2].dtype == np.int32


@pytest.mark.parametrize("shape", [(), (3,), (4, 2, 2), (0,)])
def test_lstsq_of_other_shapes(shape):
    with pytest.raises(np.linalg.LinAlgError):
        cp.linalg.lstsq(cp.ones((4, 2)), cp.ones(shape))


def test_eigenvalues_of_half_precision():
    a = np.array([[2, 1], [1, 2]], "e")
    for name in ("eigh", "eigvalsh"):
        got = getattr(cp.linalg, name)(cp.asarray(a))
        values = got[0] if name == "eigh" else got
        close(values, np.linalg.eigvalsh(a.astype("f")), "f")


@pytest.mark.parametrize("shape", [(0, 2), (2, 0)])
@pytest.mark.parametrize("ord", [1, 2, np.inf, "nuc"])
def test_norms_of_nothing(ord, shape):
    a = np.zeros(shape)
    close(cp.linalg.norm(cp.asarray(a), ord), np.linalg.norm(a, ord))


def test_axes_of_a_norm_are_a_tuple():
    with pytest.raises(TypeError, match="axis"):
        cp.linalg.norm(cp.ones((2, 2)), axis=[0, 1])


def test_tensorsolve_needs_as_many_unknowns_as_equations():
    for a, b in [((2, 3), (2,)), ((2, 2, 4), (2, 3))]:
        with pytest.raises(np.linalg.LinAlgError):
            cp.linalg.tensorsolve(cp.ones(a), cp.ones(b))
    with pytest.raises(np.linalg.LinAlgError):
        cp.linalg.tensorinv(cp.ones((2, 3)), 1)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("shape", [(4, 4), (6, 3), (3, 6), (1, 1), (70, 4), (40, 40)])
def test_least_squares_of_any_size_and_rank(shape, dtype):
    a, b = sample(shape, dtype), sample((shape[0], 3), dtype)
    low = a.copy()
    low[-1] = low[0]
    low[:, -1] = 2 * low[:, 0]
    for m in (a, low, low.T.copy().T):
        rcond = 1e-3
        x = cp.asarray(m)
        close(cp.linalg.pinv(x, rcond), np.linalg.pinv(m, rcond), dtype)
        for right in (b, b[:, 0], b[:, ::2]):
            got = cp.linalg.lstsq(x, cp.asarray(right), rcond=rcond)
            for mine, numpy in zip(got, np.linalg.lstsq(m, right, rcond), strict=True):
                close(mine, np.asarray(numpy), dtype)
            assert got[2].dtype == np.int32
    stack = np.stack([a, low])[None]
    close(cp.linalg.pinv(cp.asarray(stack), 1e-3), np.linalg.pinv(stack, 1e-3), dtype)


@pytest.mark.parametrize("ord", [1, -1, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", "fdFDe")
@pytest.mark.parametrize(
    "shape", [(1, 1), (25, 40), (300, 3), (3, 300), (1, 70), (200, 100), (2, 33, 2, 5)]
)
def test_norms_that_are_sums(shape, dtype, ord):
    a = sample(shape, "d" if dtype == "e" else dtype).astype(dtype)
    x = cp.asarray(a)
    tolerance = {"d": 1e-12, "D": 1e-12, "e": 1e-2}.get(dtype, 1e-5)
    for view in (
        lambda y: y,
        lambda y: y.swapaxes(-1, -2),
        lambda y: y[..., ::-2, :],
        lambda y: y[..., ::-1],
    ):
        m = view(a).astype("d") if dtype == "e" else view(a)
        for axis in {(-2, -1), (-1, -2), (0, a.ndim - 1)}:
            for keepdims in (False, True):
                got = cp.linalg.norm(view(x), ord, axis, keepdims).get()
                expected = np.linalg.norm(m, ord, axis, keepdims)
                assert got.shape == expected.shape
                assert got.dtype == np.finfo(dtype).dtype
                np.testing.assert_allclose(got, expected, rtol=tolerance)


@pytest.mark.parametrize("ord", [1, -1, np.inf, -np.inf])
def test_norms_that_are_sums_of_nan_and_infinity(ord):
    a = np.ones((3, 4, 5))
    a[0, 1, 2], a[1, 2, 3], a[2] = np.nan, -np.inf, np.inf
    got = cp.linalg.norm(cp.asarray(a), ord, (1, 2)).get()
    np.testing.assert_array_equal(got, np.linalg.norm(a, ord, (1, 2)))
