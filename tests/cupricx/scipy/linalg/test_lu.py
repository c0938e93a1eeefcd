"""LU factors against SciPy's."""

import warnings

import numpy as np
import pytest

import cupric as cp
import cupricx
import cupricx.scipy.linalg as ours

theirs = pytest.importorskip("scipy.linalg")

SHAPES = [
    *((0, 0), (0, 3), (3, 0), (1, 1), (3, 3), (1, 7), (7, 1), (8, 8), (9, 17)),
    *((17, 9), (50, 50), (130, 60), (60, 130), (7, 90), (90, 7)),
    *((0, 3, 3), (2, 0, 3), (4, 5, 5), (3, 2, 6, 4), (2, 70, 70)),
]


def sample(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape) * 9
    if np.dtype(dtype).kind == "c":
        a = a + 9j * rng.standard_normal(shape)
    if np.dtype(dtype).kind == "u":
        a = abs(a)
    return a.astype(dtype)


def close(actual, expected, digits=200):
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    if expected.size == 0:
        return
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(actual.get(), expected)
        return
    eps = np.finfo(expected.dtype).eps
    error = abs(actual.get() - expected).max()
    assert error <= digits * eps * max(expected.shape[-2:]) * abs(expected).max()


def product(*factors):
    p = factors[0]
    for f in factors[1:]:
        p = p @ f
    return p


def may_differ(a, device):
    """Whether the rows may come in another order than LAPACK's: of stacks of complex
    matrices cuBLAS takes the pivot of the largest absolute value, LAPACK that of the
    largest sum of the real and the imaginary part's."""
    return device == "cuda" and a.ndim > 2 and a.size > 0 and a.dtype.kind == "c"


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("shape", SHAPES)
def test_lu_multiplies_to_the_matrix(shape, dtype, device):
    a = sample(shape, dtype)
    p, low, up = (x.get() for x in ours.lu(cp.asarray(a)))
    expected = theirs.lu(a)
    for got, x in zip((p, low, up), expected, strict=True):
        assert got.shape == x.shape
        assert got.dtype == x.dtype or shape == (1, 1)  # there SciPy's l is real
    if may_differ(a, device):
        assert ((p == 0) | (p == 1)).all()
        np.testing.assert_array_equal(p.sum(-1), 1)
        np.testing.assert_array_equal(p.sum(-2), 1)
    else:
        np.testing.assert_array_equal(p, expected[0])
    m, n = shape[-2:]
    k = min(m, n)
    np.testing.assert_array_equal(low, np.tril(low))
    np.testing.assert_array_equal(up, np.triu(up))
    np.testing.assert_array_equal(low[..., range(k), range(k)], 1)
    assert (abs(low) <= 1.5).all()
    if a.size:
        error = abs(product(p, low, up) - a).max()
        assert error <= 4 * k * np.finfo(dtype).eps * abs(a).max() * 9


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("shape", SHAPES)
def test_the_forms_of_lu_agree_with_scipy(shape, dtype, device):
    a = sample(shape, dtype, 1)
    for keywords in ({"permute_l": True}, {"p_indices": True}):
        made = ours.lu(cp.asarray(a), **keywords)
        expected = theirs.lu(a, **keywords)
        if may_differ(a, device):
            permuted, up = (x.get() for x in (made[-2], made[-1]))
            if "p_indices" in keywords:
                rows = made[0].get()[..., None]
                permuted = np.take_along_axis(permuted, rows, -2)
            close(cp.asarray(permuted @ up), a)
            continue
        if shape == (1, 1):  # of which SciPy's indices and l have odd dtypes
            expected = [x.astype(y.dtype) for x, y in zip(expected, made, strict=True)]
        assert len(made) == len(expected)
        for got, x in zip(made, expected, strict=True):
            close(got, x)


@pytest.mark.parametrize("dtype", [*"fdFDe?bhilBHIL"])
@pytest.mark.parametrize("shape", [(5, 5), (3, 6), (6, 3), (2, 4, 4), (2, 3, 60, 60)])
def test_lu_factor(shape, dtype, device):
    a = sample(shape, dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small integers may be singular
        lu, piv = ours.lu_factor(cp.asarray(a))
        expected = theirs.lu_factor(a)
    if may_differ(a, device):
        assert (piv.dtype, piv.shape) == (expected[1].dtype, expected[1].shape)
        x = ours.lu_solve((lu, piv), cp.asarray(a)).get()
        close(cp.asarray(x), np.broadcast_to(np.eye(shape[-1], dtype=a.dtype), shape))
        return
    close(piv, expected[1])
    close(lu, expected[0])


def layouts(a):
    wide = np.zeros((*a.shape[:-2], 2 * a.shape[-2], 3 * a.shape[-1]), a.dtype)
    wide[..., ::2, ::3] = a
    yield cp.asarray(wide)[..., ::2, ::3]
    yield cp.asarray(a[..., ::-1, ::-1].copy())[..., ::-1, ::-1]
    yield cp.asarray(a.swapaxes(-1, -2).copy()).swapaxes(-1, -2)


@pytest.mark.parametrize("shape", [(6, 6), (3, 7, 5)])
def test_any_layout_gives_the_same(shape):
    a = sample(shape, "d")
    dense = ours.lu_factor(cp.asarray(a))
    for given in layouts(a):
        for x, y in zip(ours.lu_factor(given), dense, strict=True):
            np.testing.assert_array_equal(x.get(), y.get())
        np.testing.assert_array_equal(given.get(), a)


def test_arguments_are_left_alone():
    a, b = cp.asarray(sample((40, 40), "d")), cp.asarray(sample((40, 3), "d"))
    before = a.get(), b.get()
    lu, piv = ours.lu_factor(a, overwrite_a=True)
    kept = lu.get(), piv.get()
    ours.lu_solve((lu, piv), b, overwrite_b=True)
    ours.lu(a, overwrite_a=True)
    for x, y in zip((a, b, lu, piv), (*before, *kept), strict=True):
        np.testing.assert_array_equal(x.get(), y)


@pytest.mark.parametrize("trans", [0, 1, 2])
@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize(
    ("shape", "side"),
    [
        ((5, 5), (5,)),
        ((5, 5), (5, 3)),
        ((70, 70), (70,)),
        ((70, 70), (70, 30)),
        ((3, 4, 4), (4,)),
        ((3, 4, 4), (4, 2)),
        ((3, 4, 4), (3, 4, 2)),
        ((1, 4, 4), (3, 4, 2)),
        ((4, 4), (3, 4, 2)),
        ((2, 1, 4, 4), (3, 4, 2)),
        ((4, 4), (4, 0)),
        ((0, 0), (0, 2)),
    ],
)
def test_lu_solve(shape, side, dtype, trans):
    n = shape[-1]
    a = sample(shape, dtype) + (30 * np.eye(n)).astype(dtype)
    b = sample(side, dtype, 1)
    x = ours.lu_solve(ours.lu_factor(cp.asarray(a)), cp.asarray(b), trans)
    if len(shape) == len(side) == 2 or len(side) == 1:
        assert x.dtype == theirs.lu_solve(theirs.lu_factor(a), b, trans).dtype
    if trans:
        a = a.swapaxes(-1, -2)
    if trans == 2:
        a = a.conj()
    columns = b[:, None] if b.ndim == 1 else b
    expected = np.linalg.solve(a, columns)
    expected = expected[..., 0] if b.ndim == 1 else expected
    close(x, expected)


def test_lu_solve_of_other_dtypes():
    a, b = sample((4, 4), "f"), sample((4,), "D")
    x = ours.lu_solve(ours.lu_factor(cp.asarray(a)), cp.asarray(b))
    expected = theirs.lu_solve(theirs.lu_factor(a), b)
    assert x.dtype == expected.dtype
    np.testing.assert_allclose(x.get(), expected, rtol=1e-4)


def test_a_singular_matrix_warns():
    a = np.diag([1.0, 0, 2])
    for f in (ours.lu_factor, theirs.lu_factor):
        given = a if f is theirs.lu_factor else cp.asarray(a)
        with pytest.warns(RuntimeWarning, match="Diagonal number 2 is exactly zero"):
            lu, _ = f(given)
        np.testing.assert_array_equal(cp.asnumpy(lu), a)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.lu(cp.asarray(a))
        with cupricx.errstate(linalg="ignore"):
            ours.lu_factor(cp.asarray(a))
    with pytest.warns(RuntimeWarning, match="Diagonal number 1 "):
        ours.lu_factor(cp.zeros((2, 60, 60)))


def test_infinities_are_refused():
    for value in (np.nan, np.inf):
        a = cp.full((3, 3), value)
        for f in (ours.lu, ours.lu_factor):
            with pytest.raises(ValueError, match="must not contain infs or NaNs"):
                f(a)
        with pytest.raises(ValueError, match="must not contain infs or NaNs"):
            ours.lu_solve(ours.lu_factor(cp.eye(3)), a)
        with cupricx.errstate(linalg="ignore"):
            assert ours.lu_factor(a, check_finite=False)[0].shape == (3, 3)
        assert ours.lu(cp.full((60, 60), value), check_finite=False)[0].shape == (
            60,
            60,
        )


def test_errors():
    factors = ours.lu_factor(cp.eye(3))
    with pytest.raises(ValueError, match="at least two-dimensional"):
        ours.lu(cp.ones(3))
    with pytest.raises(ValueError, match="at least two-dimensional"):
        ours.lu_factor(cp.ones(3))
    with pytest.raises(TypeError, match="Unsupported type"):
        ours.lu(np.eye(3))
    with pytest.raises(ValueError, match=r"lu \(3, 3\) and b \(4,\)"):
        ours.lu_solve(factors, cp.ones(4))
    with pytest.raises(ValueError, match="trans must be"):
        ours.lu_solve(factors, cp.ones(3), trans=5)
    with pytest.raises(ValueError, match="expected square matrix"):
        ours.lu_solve(ours.lu_factor(cp.eye(3, 4)), cp.ones(3))
    with pytest.raises(ValueError, match="piv"):
        ours.lu_solve((factors[0], factors[1][:2]), cp.ones(3))


@pytest.mark.parametrize("dtype", "dF")
def test_large(dtype):
    a = sample((600, 600), dtype)
    lu, piv = ours.lu_factor(cp.asarray(a))
    low, up = np.tril(lu.get(), -1) + np.eye(600), np.triu(lu.get())
    for i, j in enumerate(piv.get()):
        a[[i, j]] = a[[j, i]]
    error = abs(low @ up - a).max() / abs(a).max()
    assert error < 600 * np.finfo(dtype).eps


@pytest.mark.parametrize("shape", [(3, 4, 4), (4, 4, 4), (5, 4, 4), (2, 3, 4, 4)])
def test_a_vector_for_each_matrix(shape):
    """As in CuPy, also where the vectors might be columns."""
    rng = np.random.default_rng(3)
    a, b = rng.random(shape) + np.eye(4), rng.random(shape[:-1])
    factors = ours.lu_factor(cp.asarray(a))
    for trans, matrix in ((0, a), (1, a.swapaxes(-1, -2))):
        x = ours.lu_solve(factors, cp.asarray(b), trans)
        expected = np.linalg.solve(matrix, b[..., None])[..., 0]
        assert x.shape == expected.shape
        np.testing.assert_allclose(x.get(), expected, rtol=1e-11)
