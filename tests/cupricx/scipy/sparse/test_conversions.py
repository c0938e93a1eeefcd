"""Conversions between formats, on their arrays, beside SciPy's."""

import numpy as np
import pytest
import scipy.sparse as sp

import cupric as cp
from cupricx.scipy.sparse import _conversions as conversions
from cupricx.scipy.sparse import _radix

SHAPES = [
    (0, 0, 0),
    (0, 5, 0),
    (5, 0, 0),
    (1, 1, 1),
    (1, 9000, 5000),
    (9000, 1, 5000),
    (30, 40, 300),
    (2100, 130, 40000),
    (70000, 90, 4000),  # most rows are empty
    (40, 3000, 70000),
]
VALUES = "?bBhHiIlLefdFD"


def device(*arrays):
    return tuple(cp.asarray(a) for a in arrays)


def values_of(rng, n, dtype):
    x = rng.integers(1, 5, n)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.integers(0, 5, n)
    return x.astype(dtype)


def triples(shape, dtype="f", index="i", seed=0, skewed=False):
    """Elements in no order, with duplicates and zeros; no two threads' alike."""
    rows, columns, n = shape
    rng = np.random.default_rng([seed, rows, columns])
    major = rng.integers(0, max(rows, 1), n)
    if skewed:
        major[rng.random(n) < 0.8] = rows // 2
    minor = rng.integers(0, max(columns, 1), n)
    data = values_of(rng, n, dtype)
    data[rng.random(n) < 0.2] = 0
    return major.astype(index), minor.astype(index), data


def compressed(major, minor, data, rows):
    """What coo_to_compressed should make."""
    order = np.argsort(major, kind="stable")
    indptr = np.searchsorted(major[order], np.arange(rows + 1)).astype(major.dtype)
    return indptr, minor[order], data[order]


def ordered(major, minor, data, rows):
    order = np.lexsort((minor, major))
    return compressed(major[order], minor[order], data[order], rows)


def canonical(major, minor, data, shape):
    """Sums, in the dtype of the elements as SciPy has them."""
    if data.dtype == np.float16:
        a = canonical(major, minor, data.astype("f"), shape)
        return *a[:2], a[2].astype("e")
    a = sp.csr_array(compressed(major, minor, data, shape[0])[::-1], shape=shape[:2])
    a.sum_duplicates()
    return a.indptr.astype(major.dtype), a.indices.astype(major.dtype), a.data


def check(found, expected):
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.get(), b)


each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)
each_index = pytest.mark.parametrize("index", "il")
each_value = pytest.mark.parametrize("dtype", VALUES)


@each_shape
@each_index
def test_expand_and_compress(shape, index):
    for skewed in (False, True):
        major, minor, data = triples(shape, index=index, skewed=skewed)
        indptr, *_ = compressed(major, minor, data, shape[0])
        a = conversions.expand(cp.asarray(indptr), major.size)
        check([a], [np.sort(major)])
        check([conversions.compress(a, shape[0])], [indptr])


@each_shape
@each_index
def test_coo_to_compressed(shape, index):
    for skewed in (False, True):
        t = triples(shape, index=index, skewed=skewed)
        found = conversions.coo_to_compressed(*device(*t), shape[0])
        check(found, compressed(*t, shape[0]))


@each_value
def test_coo_to_compressed_moves_every_dtype(dtype):
    t = triples((300, 70, 9000), dtype)
    check(
        conversions.coo_to_compressed(*device(*t), 300),
        compressed(*t, 300),
    )


@pytest.mark.parametrize("rows", [2, 255, 257, 2048, 2049, 70000])
def test_coo_to_compressed_of_many_elements(rows):
    """So many that the host sorts them into buckets, on several cores."""
    t = triples((rows, 50, _radix._FEW + 1), "f")
    check(conversions.coo_to_compressed(*device(*t), rows), compressed(*t, rows))
    major, minor, data = device(np.sort(t[0]), *t[1:])
    found = conversions.coo_to_compressed(major, minor, data, rows)
    check(found, compressed(np.sort(t[0]), *t[1:], rows))
    assert not cp.shares_memory(found[2], data)


def test_order_by_index_is_stable_whatever_the_bound():
    n = 20000
    for bound in (1, 2, 300, 70000, 1 << 20, 1 << 31, 1 << 40):
        index = "i" if bound <= 1 << 31 else "l"
        key = np.random.default_rng(bound).integers(0, bound, n).astype(index)
        other, data = np.arange(n).astype(index), np.arange(n).astype("d")
        found = _radix.order_by_index(*device(key, other, data), bound)
        order = np.argsort(key, kind="stable")
        check(found, (key[order], other[order], data[order]))


@each_shape
@each_index
def test_transpose(shape, index):
    t = triples(shape, index=index)
    a = compressed(*t, shape[0])
    rows = np.repeat(np.arange(shape[0]), np.diff(a[0])).astype(index)
    found = conversions.transpose(*device(*a), shape[1])
    check(found, compressed(a[1], rows, a[2], shape[1]))


@each_shape
@each_index
def test_sort_indices(shape, index):
    for skewed in (False, True):
        t = triples(shape, index=index, skewed=skewed)
        a = device(*compressed(*t, shape[0]))
        expected = ordered(*t, shape[0])[1:]
        check(conversions.sort_indices(*a), expected)
        check(conversions.sort_indices(*a, shape[1]), expected)


@each_shape
def test_order_of(shape):
    t = triples(shape)
    for a in compressed(*t, shape[0]), ordered(*t, shape[0]), canonical(*t, shape):
        s = sp.csr_array(a[::-1], shape=shape[:2])
        found = conversions.order_of(*device(*a[:2]), shape[1])
        assert found == (s.has_sorted_indices, s.has_canonical_format)
        assert all(type(x) is bool for x in found)


def test_order_of_looks_across_tiles():
    for at in (0, 2047, 2048, 4095, 5000):
        minor = np.arange(6001, dtype="i")
        indptr = np.array([0, 0, 6001, 6001], "i")
        assert conversions.order_of(*device(indptr, minor), 7000) == (True, True)
        minor[at + 1] = minor[at]
        assert conversions.order_of(*device(indptr, minor), 7000) == (True, False)
        minor[at] += 2
        assert conversions.order_of(*device(indptr, minor), 7000) == (False, False)
        split = np.array([0, at + 1, at + 1, 6001], "i")
        rest = conversions.order_of(*device(split, minor), 7000)
        assert rest == ((True, True) if at == 0 else rest)


@each_shape
@each_value
def test_sum_duplicates(shape, dtype):
    t = triples(shape, dtype)
    a = device(*ordered(*t, shape[0]))
    check(conversions.sum_duplicates(*a), canonical(*t, shape))


@each_index
def test_sum_duplicates_of_long_runs(index):
    n = 50000
    major = np.repeat([0, 3, 7], [n - 7, 4, 3]).astype(index)
    minor = np.zeros(n, index)
    a = compressed(major, minor, np.ones(n), 9)
    found = conversions.sum_duplicates(*device(*a))
    check(found, canonical(major, minor, np.ones(n), (9, 2)))


def test_without_duplicates_the_arrays_are_the_same():
    a = device(*canonical(*triples((30, 40, 300)), (30, 40)))
    assert conversions.sum_duplicates(*a)[1] is a[1]
    a = conversions.eliminate_zeros(*a)
    assert conversions.eliminate_zeros(*a)[1] is a[1]


@each_shape
@each_value
def test_eliminate_zeros(shape, dtype):
    t = compressed(*triples(shape, dtype), shape[0])
    data = t[2].astype("f") if dtype == "e" else t[2]
    a = sp.csr_array((data, *t[1::-1]), shape=shape[:2], copy=True)
    a.eliminate_zeros()
    found = conversions.eliminate_zeros(*device(*t))
    check(found, (a.indptr, a.indices, a.data.astype(dtype)))


@pytest.mark.parametrize("dtype", "efdFD")
def test_zeros_of_either_sign_are_zero_and_nans_are_not(dtype):
    data = np.array([-0.0, np.nan, 0.0, 1, np.inf, -np.inf], dtype)
    if data.dtype.kind == "c":
        data[0] = complex(-0.0, -0.0)
        data[3] = 1e-30j
    a = device(np.array([0, 6], "i"), np.arange(6, dtype="i"), data)
    kept = conversions.eliminate_zeros(*a)
    check(
        kept, (np.array([0, 4], "i"), np.array([1, 3, 4, 5], "i"), data[[1, 3, 4, 5]])
    )
    check(conversions.from_dense(a[2].reshape(1, 6)), [x.get() for x in kept])


@each_shape
@pytest.mark.parametrize("dtype", "?iefdD")
def test_coo_to_canonical(shape, dtype):
    t = triples(shape, dtype)
    expected = canonical(*t, shape)
    found = conversions.coo_to_canonical(*device(*t), shape[:2])
    check(found, expected)
    rows = np.repeat(np.arange(shape[0]), np.diff(expected[0])).astype("i")
    coo = device(rows, *expected[1:])
    for known in (False, True):
        found = conversions.coo_to_canonical(*coo, shape[:2], known)
        check(found, expected)
        assert not cp.shares_memory(found[1], coo[1])
        assert not cp.shares_memory(found[2], coo[2])


@each_shape
@pytest.mark.parametrize("dtype", "?iefdD")
def test_sum_coo(shape, dtype):
    t = triples(shape, dtype)
    expected = canonical(*t, shape)
    rows = np.repeat(np.arange(shape[0]), np.diff(expected[0])).astype("i")
    for known in ((), (shape[:2],)):
        coords, data = conversions.sum_coo(device(*t[:2]), cp.asarray(t[2]), *known)
        check([*coords, data], [rows, *expected[1:]])
        again = conversions.sum_coo(coords, data, *known)
        check([*again[0], again[1]], [rows, *expected[1:]])


@pytest.mark.parametrize("ndim", [1, 3, 4])
def test_sum_coo_of_other_dimensions(ndim):
    rng = np.random.default_rng(ndim)
    for n in (0, 1, 2, 9000):
        coords = tuple(rng.integers(0, 9, n).astype("l") for _ in range(ndim))
        data = rng.integers(0, 9, n).astype("d")
        a = sp.coo_array((data, coords), shape=(9,) * ndim)
        a.sum_duplicates()
        found, sums = conversions.sum_coo(device(*coords), cp.asarray(data))
        check([*found, sums], [*(c.astype("l") for c in a.coords), a.data])


def test_sum_coo_of_great_coordinates():
    far = np.array([1 << 40, 5, 1 << 40, 1 << 41])
    found, sums = conversions.sum_coo(device(far, far), cp.arange(4.0))
    check(
        [*found, sums], [np.array([5, 1 << 40, 1 << 41])] * 2 + [np.array([1.0, 2, 3])]
    )


def test_sums_repeat_to_the_bit():
    rng = np.random.default_rng(5)
    coords = device(*(rng.integers(0, 3, 30000).astype("i") for _ in range(2)))
    data = cp.asarray(rng.standard_normal(30000).astype("f"))
    first = conversions.sum_coo(coords, data)[1].get()
    for _ in range(3):
        assert (conversions.sum_coo(coords, data)[1].get() == first).all()


@each_shape
@each_value
def test_to_dense(shape, dtype):
    t = triples(shape, dtype)
    expected = np.zeros(shape[:2], "f" if dtype == "e" else dtype)
    np.add.at(expected, t[:2], t[2].astype(expected.dtype))
    expected = expected.astype(dtype)
    a = device(*compressed(*t, shape[0]))
    for out in (
        cp.ones(shape[:2], dtype),
        cp.ones(shape[1::-1], dtype).T,
        cp.ones((2 * shape[0], 3 * shape[1]), dtype)[::2, ::-3],
    ):
        assert conversions.to_dense(*a, out) is out
        check([out], [expected])
        out[...] = 1
        zeros = conversions.coo_to_dense(device(*t[:2]), cp.zeros_like(a[2]), out)
        check([zeros], [np.zeros_like(expected)])
        conversions.coo_to_dense(device(*t[:2]), cp.asarray(t[2]), out)
        check([out], [expected])


def test_to_dense_leaves_what_is_between():
    x = cp.ones((6, 6))
    a = device(*compressed(*triples((3, 6, 9), "d"), 3))
    conversions.to_dense(*a, x[::2])
    assert (x[1::2] == 1).all()


@each_shape
@each_value
def test_canonical_to_dense(shape, dtype):
    a = canonical(*triples(shape, dtype), shape)
    expected = np.zeros(shape[:2], dtype)
    rows = np.repeat(np.arange(shape[0]), np.diff(a[0]))
    expected[rows, a[1]] = a[2]
    out = cp.ones(shape[:2], dtype)
    check([conversions.to_dense(*device(*a), out, canonical=True)], [expected])
    coords = device(rows.astype("i"), a[1])
    out = cp.ones(shape[1::-1], dtype).T
    check(
        [conversions.coo_to_dense(coords, cp.asarray(a[2]), out, canonical=True)],
        [expected],
    )


@each_shape
@each_value
def test_from_dense(shape, dtype):
    t = triples(shape, dtype)
    x = np.zeros(shape[:2], dtype)
    x[t[:2]] = t[2]
    rows, columns = x.nonzero()
    indptr = np.searchsorted(rows, np.arange(shape[0] + 1))
    expected = indptr.astype("i"), columns.astype("i"), x[rows, columns]
    check(conversions.from_dense(cp.asarray(x)), expected)
    check(conversions.from_dense(cp.asarray(np.asfortranarray(x))), expected)
    wide = cp.zeros((2 * shape[0], 3 * shape[1]), dtype)[::2, ::-3]
    wide[...] = cp.asarray(x)
    check(conversions.from_dense(wide), expected)
    made = conversions.from_dense(wide, np.int64)
    assert made[0].dtype == made[1].dtype == np.int64
