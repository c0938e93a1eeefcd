"""Products of compressed matrices, beside scipy.sparse."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy.sparse import _products

sparse = pytest.importorskip("scipy.sparse")

DTYPES = "?bBhHiIlLefdFD"
SHAPES = [(50, 40), (1, 300), (300, 1), (7, 2000), (900, 30), (0, 5), (5, 0)]


def numbers(shape, dtype, seed):
    """Small integers, so that sums are exact in every dtype."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0 if dtype in "?BHIL" else -2, 3, shape)
    if dtype in "FD":
        x = x + 1j * rng.integers(-2, 3, shape)
    return x.astype(dtype)


def compressed(shape, dtype, index, seed=0, density=0.2):
    """Arrays of a matrix with empty rows, rows of any length, duplicates, explicit
    zeros, and indices in any order."""
    rng = np.random.default_rng(seed)
    n_major, n_minor = shape
    lengths = rng.integers(0, int(2 * density * n_minor) + 2, n_major)
    lengths[rng.random(n_major) < 0.3] = 0
    if n_major > 2 and n_minor:
        lengths[n_major // 2] = 5 * n_minor
    if n_minor == 0:
        lengths[:] = 0
    indptr = np.concatenate([[0], lengths.cumsum()]).astype(index)
    indices = rng.integers(0, max(n_minor, 1), indptr[-1]).astype(index)
    return indptr, indices, numbers(indices.size, dtype, seed + 1)


def dense(a, shape):
    """The matrix, in a dtype in which sums are as the library's."""
    indptr, indices, data = a
    wide = np.float64 if data.dtype == np.float16 else data.dtype
    made = np.zeros(shape, wide)
    rows = np.repeat(np.arange(shape[0]), np.diff(indptr))
    np.add.at(made, (rows, indices), data.astype(wide))
    return made


def on_device(a):
    return [cp.asarray(v) for v in a]


def agree(y, expected, dtype):
    assert y.dtype == dtype
    np.testing.assert_array_equal(y.get(), expected.astype(dtype))


@pytest.mark.parametrize("index", "il")
@pytest.mark.parametrize("dtype", DTYPES)
def test_vectors(dtype, index):
    for shape in SHAPES:
        a = compressed(shape, dtype, index)
        m = dense(a, shape)
        x, z = numbers(shape[1], dtype, 3), numbers(shape[0], dtype, 4)
        y = _products.matvec(*on_device(a), cp.asarray(x), shape[1])
        agree(y, m @ x, dtype)
        y = _products.rmatvec(*on_device(a), cp.asarray(z), shape[1])
        agree(y, m.T @ z, dtype)


@pytest.mark.parametrize("columns", [0, 1, 3, 32, 45])
@pytest.mark.parametrize("dtype", "?hiefF")
def test_matrices(dtype, columns):
    for shape in SHAPES:
        a = compressed(shape, dtype, "i")
        m = dense(a, shape)
        x = numbers((shape[1], columns), dtype, 3)
        z = numbers((shape[0], columns), dtype, 4)
        y = _products.matmat(*on_device(a), cp.asarray(x), shape[1])
        agree(y, m @ x, dtype)
        y = _products.rmatmat(*on_device(a), cp.asarray(z), shape[1])
        agree(y, m.T @ z, dtype)


def test_dtypes_agree():
    a = compressed((40, 30), "i", "i")
    m = dense(a, (40, 30))
    for dtype in DTYPES:
        x = numbers(30, dtype, 3)
        y = _products.matvec(*on_device(a), cp.asarray(x), 30)
        agree(y, m @ x, np.result_type(np.int32, dtype))


def test_strides():
    a = compressed((40, 30), "d", "i")
    m = dense(a, (40, 30))
    x = numbers((60, 8), "d", 3)
    for view in (np.s_[::2], np.s_[::-2, ::-1], np.s_[:30, 3:4], np.s_[:30]):
        y = _products.matmat(*on_device(a), cp.asarray(x)[view], 30)
        agree(y, m @ x[view], "d")
    y = _products.matvec(*on_device(a), cp.asarray(x)[::2, 1], 30)
    agree(y, m @ x[::2, 1], "d")
    z = np.asfortranarray(numbers((40, 5), "d", 3))
    y = _products.rmatmat(*on_device(a), cp.asarray(z, order="F"), 30)
    agree(y, m.T @ z, "d")


def test_out():
    a = compressed((40, 30), "f", "i")
    x = numbers(30, "f", 3)
    expected = dense(a, (40, 30)) @ x
    for out in (cp.ones(40, "f"), cp.ones(40, "d"), cp.ones(80, "f")[::2]):
        assert _products.matvec(*on_device(a), cp.asarray(x), 30, out=out) is out
        np.testing.assert_array_equal(out.get(), expected)


def test_true_is_any_byte():
    """A view as bool of other bytes shares them."""
    indptr = cp.array([0, 2, 3], "i")
    indices, data = cp.array([0, 1, 0], "i"), cp.array([2, 2, 0], "B").view(bool)
    y = _products.matvec(indptr, indices, data, cp.array([4, 8], "B").view(bool), 2)
    assert y.tolist() == [True, False]


def test_rows_of_many_pieces():
    """Rows that go on over many pieces of the path, between empty ones."""
    lengths = np.zeros(5000, "i")
    lengths[[7, 8, 4000]] = 20000, 3, 9000
    indptr = np.concatenate([[0], lengths.cumsum()]).astype("i")
    rng = np.random.default_rng(0)
    indices = rng.integers(0, 500, indptr[-1]).astype("i")
    a = indptr, indices, numbers(indices.size, "d", 1)
    m, x, z = dense(a, (5000, 500)), numbers((500, 6), "d", 2), numbers(5000, "d", 3)
    agree(_products.matvec(*on_device(a), cp.asarray(x[:, 0]), 500), m @ x[:, 0], "d")
    agree(_products.matmat(*on_device(a), cp.asarray(x), 500), m @ x, "d")
    agree(_products.rmatvec(*on_device(a), cp.asarray(z), 500), m.T @ z, "d")


def test_results_repeat():
    a = compressed((900, 300), "f", "i")
    a = *on_device(a[:2]), cp.asarray(np.random.default_rng(1).random(a[1].size, "f"))
    x = cp.asarray(np.random.default_rng(2).random((900, 4), "f"))
    for call in (
        lambda: _products.matvec(*a, x[:300, 0], 300),
        lambda: _products.matmat(*a, x[:300], 300),
        lambda: _products.rmatvec(*a, x[:, 0], 300),
        lambda: _products.rmatmat(*a, x, 300),
    ):
        first = call().tobytes()
        assert all(call().tobytes() == first for _ in range(5))


@pytest.mark.parametrize("dtype", "efF")
def test_rounding(dtype):
    """float16 is summed in float32, others in their own."""
    a = compressed((60, 200), dtype, "i")
    rng = np.random.default_rng(5)
    data, x = (rng.standard_normal(n).astype(dtype) for n in (a[1].size, 200))
    wide = "D" if dtype == "F" else "d"
    expected = dense((*a[:2], data.astype(wide)), (60, 200)) @ x.astype(wide)
    y = _products.matvec(*on_device((*a[:2], data)), cp.asarray(x), 200)
    bound = 1e-3 if dtype == "e" else 1e-5
    np.testing.assert_allclose(
        y.get().astype(wide), expected, rtol=bound, atol=bound * 9
    )


def test_structure_is_kept():
    """It does not depend on the elements."""
    shape = 70, 90
    a = compressed(shape, "d", "i")
    indptr, indices, data = on_device(a)
    structure = _products.transposed_structure(indptr, indices, 90)
    z = numbers((70, 3), "d", 8)
    for factor in (1, 2):
        d = data * factor
        y = _products.rmatmat(indptr, indices, d, cp.asarray(z), 90, structure)
        agree(y, dense(a, shape).T @ z * factor, "d")


# ---- by the objects of SciPy ---------------------------------------------------------


def test_as_scipy():
    a = sparse.random(300, 200, 0.05, format="csr", random_state=0)
    x = np.random.default_rng(1).random((300, 3))
    arrays = on_device((a.indptr, a.indices, a.data))
    y = _products.matmat(*arrays, cp.asarray(x[:200]), 200)
    np.testing.assert_allclose(y.get(), a @ x[:200], rtol=1e-14)
    y = _products.rmatmat(*arrays, cp.asarray(x), 200)
    np.testing.assert_allclose(y.get(), a.T @ x, rtol=1e-14)


# ---- two compressed matrices --------------------------------------------------------


def multiply(a, b, shape, k):
    """The product, beside that of dense matrices: what is not zero is stored."""
    n, m = shape
    made = _products.sparse_matmat(on_device(a), on_device(b), m)
    indptr, indices, data = (x.get() for x in made)
    expected = dense(a, (n, k)) @ dense(b, (k, m))
    rows, columns = expected.nonzero()
    np.testing.assert_array_equal(np.repeat(np.arange(n), np.diff(indptr)), rows)
    np.testing.assert_array_equal(indices, columns)
    np.testing.assert_array_equal(data, expected[rows, columns].astype(data.dtype))
    return made


PRODUCTS = [
    (50, 40, 30),
    (1, 300, 20),
    (300, 1, 5),
    (7, 200, 900),  # rows of more products than are sorted
    (3, 90, 5000),  # rows of several segments
    (0, 5, 3),
    (5, 0, 3),
    (5, 3, 0),
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("indices", ["ii", "ll", "il"])
def test_sparse_matrices(dtype, indices):
    for n, k, m in PRODUCTS:
        a = compressed((n, k), dtype, indices[0], 1)
        b = compressed((k, m), dtype, indices[1], 2)
        made = multiply(a, b, (n, m), k)
        assert made[0].dtype == made[1].dtype == np.result_type(*indices)
        assert made[2].dtype == dtype


def test_sparse_matrices_of_many_columns():
    """More than the bits of one bitmap: a row of few products, and one of many."""
    m = 600_000
    rng = np.random.default_rng(0)
    columns = rng.integers(0, m, 6000)
    columns[:4] = 0, m - 1, 262143, 262144
    b = np.array([0, 3000, 6000], "i"), columns.astype("i"), numbers(6000, "d", 1)
    a = np.array([0, 1, 3], "i"), np.array([0, 1, 0], "i"), np.array([2.0, 1, 3])
    n = columns[3000:3005]
    short = np.array([0, 2, 5], "i"), n.astype("i"), numbers(5, "d", 2)
    for second in (b, short):
        made = _products.sparse_matmat(on_device(a), on_device(second), m)
        theirs = sparse.csr_array((second[2], second[1], second[0]), shape=(2, m))
        theirs = sparse.csr_array((a[2], a[1], a[0]), shape=(2, 2)) @ theirs
        theirs.sort_indices()
        expected = theirs.indptr, theirs.indices, theirs.data
        for x, y in zip(made, expected, strict=True):
            np.testing.assert_array_equal(x.get(), y)


def test_sparse_dtypes_agree():
    a, b = compressed((20, 30), "h", "i"), compressed((30, 20), "f", "i")
    assert multiply(a, b, (20, 20), 30)[2].dtype == np.float32


def test_what_cancels_is_not_stored():
    a = np.array([0, 2, 2], "i"), np.array([0, 1], "i"), np.array([1.0, -1])
    b = np.array([0, 2, 4], "i"), np.array([0, 1, 0, 1], "i"), np.array([1.0, 2, 1, 3])
    made = _products.sparse_matmat(on_device(a), on_device(b), 2)
    assert [x.tolist() for x in made] == [[0, 1, 1], [1], [-1.0]]


def test_sparse_results_repeat():
    rng = np.random.default_rng(3)
    a = compressed((40, 300), "f", "i")
    a = on_device((*a[:2], rng.random(a[1].size, "f")))
    b = compressed((300, 3000), "f", "i", 5)
    b = on_device((*b[:2], rng.random(b[1].size, "f")))
    first = [x.tobytes() for x in _products.sparse_matmat(a, b, 3000)]
    for _ in range(4):
        assert [x.tobytes() for x in _products.sparse_matmat(a, b, 3000)] == first


# ---- the classes ---------------------------------------------------------------------


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("dtype", "?ifD")
def test_classes(format, dtype):
    ours = pytest.importorskip("cupricx.scipy.sparse")
    shape = (60, 40)
    m = dense(compressed(shape, dtype, "i"), shape)
    a = getattr(ours, f"{format}_array")(cp.asarray(m))
    for x in (numbers(40, dtype, 2), numbers((40, 3), dtype, 2)):
        agree(a @ cp.asarray(x), m @ x, dtype)
    for x in (numbers(60, dtype, 2), numbers((60, 3), dtype, 2)):
        agree(a.T @ cp.asarray(x), m.T @ x, dtype)
        agree(cp.asarray(x.T) @ a, x.T @ m, dtype)
    square = a @ a.T
    np.testing.assert_array_equal(square.toarray().get(), m @ m.T)
    other = ours.csc_array(cp.asarray(m.T))
    np.testing.assert_array_equal((a @ other).toarray().get(), m @ m.T)


def test_kept_structure_is_that_of_the_arrays():
    """It is used again for other elements, and not for other places."""
    ours = pytest.importorskip("cupricx.scipy.sparse")
    a = compressed((60, 40), "d", "i")
    m = dense(a, (60, 40))
    indptr, indices, data = on_device(a)
    s = ours.csr_matrix((data, indices, indptr), shape=(60, 40))
    z = numbers(60, "d", 9)
    for _ in range(3):
        agree(s.T @ cp.asarray(z), m.T @ z, "d")
    s.data *= 2
    agree(s.T @ cp.asarray(z), 2 * (m.T @ z), "d")
    s.data = s.data * 2
    agree(s.T @ cp.asarray(z), 4 * (m.T @ z), "d")
    s.sum_duplicates()
    agree(s.T @ cp.asarray(z), 4 * (m.T @ z), "d")
    s.indices = cp.asarray(39 - s.indices.get())
    for _ in range(3):
        agree(s.T @ cp.asarray(z), 4 * (m.T @ z)[::-1], "d")
