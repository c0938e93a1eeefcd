"""Rows, columns, points and diagonals of compressed matrices, beside SciPy's."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy.sparse import _assignments, _selections

sparse = pytest.importorskip("scipy.sparse")

INDICES = (np.int32, np.int64)
VALUES = "?bHilefdFD"
each_index = pytest.mark.parametrize("index", INDICES)


def make_matrix(shape=(50, 60), value="f", seed=0, is_sorted=True, long_row=False):
    """A matrix with empty rows; without sorted indices it has duplicates, too."""
    rng = np.random.default_rng(seed)
    dense = rng.integers(0, 2, shape) * rng.integers(0, 2, shape)
    dense = (dense * rng.integers(1, 100, shape)).astype(value)
    if dense.dtype.kind == "c":
        dense = dense * dense.dtype.type(1 - 2j)
    if long_row:
        dense[:] = 0
        dense[shape[0] // 2] = 1
        dense[-2, ::7] = 1
    dense[3::7] = 0
    major, minor = dense.nonzero()
    data = dense[major, minor]
    if not is_sorted:
        order = rng.permutation(major.size)
        order = np.append(order, order[: order.size // 5])
        order = order[np.argsort(major[order], kind="stable")]
        major, minor, data = major[order], minor[order], data[order]
    indptr = np.searchsorted(major, np.arange(shape[0] + 1))
    return Matrix(indptr, minor, data, shape)


class Matrix:
    """The arrays of a matrix, of any dtype, and what SciPy makes of them."""

    def __init__(self, indptr, indices, data, shape):
        self.parts, self.shape = (indptr, indices, data), shape

    def arrays(self, index=np.int32):
        indptr, indices, data = self.parts
        return tuple(
            cp.asarray(x) for x in (indptr.astype(index), indices.astype(index), data)
        )

    def scipy(self):
        """Of values that SciPy takes."""
        indptr, indices, data = (x.copy() for x in self.parts)
        if data.dtype == np.float16:
            data = data.astype(np.float32)
        return sparse.csr_array((data, indices, indptr), shape=self.shape)


def check(made, expected, index=np.int32, in_order=True):
    indptr, indices, data = made
    assert indptr.dtype == indices.dtype == index
    indptr, indices, values = (x.get() for x in made)
    assert indices.size == indptr[-1] == expected.nnz
    if in_order:
        assert (indptr == expected.indptr).all()
        assert (indices == expected.indices).all()
        assert (values == expected.data).all()
        return
    values = values.astype(expected.dtype)
    found = sparse.csr_array((values, indices, indptr), expected.shape)
    assert (found != expected).nnz == 0


ROWS = ([3, -1, 0, 49, 3, 3, 7], [], [0], list(range(49, -1, -1)), [5] * 900)


@each_index
@pytest.mark.parametrize("value", VALUES)
def test_take_major(index, value):
    for is_sorted in (True, False):
        m = make_matrix(value=value, is_sorted=is_sorted)
        for rows in ROWS:
            idx = np.array(rows, np.int64)
            made = _selections.take_major(*m.arrays(index), cp.asarray(idx))
            check(made, m.scipy()[idx], index)


@pytest.mark.parametrize("rows", [[1, 2, 3, 1], [2], [0, 4]])
def test_take_major_of_a_row_that_has_nearly_all(rows):
    m = make_matrix((5, 20000), long_row=True)
    made = _selections.take_major(*m.arrays(), cp.asarray(np.array(rows)))
    check(made, m.scipy()[rows])


@pytest.mark.parametrize("take", ["take_major", "take_minor"])
@pytest.mark.parametrize(
    ("bad", "message"), [(60, r"index \(60\) out"), (-61, r"index \(-61\) out")]
)
def test_take_out_of_bounds(take, bad, message):
    m = make_matrix((60, 60))
    idx = cp.asarray(np.array([1, bad, 2]))
    extra = () if take == "take_major" else (60,)
    with pytest.raises(IndexError, match=message):
        getattr(_selections, take)(*m.arrays(), *extra, idx)


def test_take_of_none():
    empty = Matrix(np.array([0]), np.zeros(0, int), np.zeros(0, "f"), (0, 0))
    idx = cp.asarray(np.array([0]))
    with pytest.raises(IndexError):
        _selections.take_major(*empty.arrays(), idx)
    with pytest.raises(IndexError):
        _selections.take_minor(*empty.arrays(), 0, idx)


SLICES = [
    slice(3, 9),
    slice(40, 2, -1),
    slice(None, None, 3),
    slice(30, 3, -4),
    slice(5, 5),
    slice(7, 8),
    slice(None),
    slice(-1, None),
]


@each_index
@pytest.mark.parametrize("where", SLICES, ids=str)
def test_slices(index, where):
    for is_sorted in (True, False):
        m = make_matrix(is_sorted=is_sorted)
        a, s = m.arrays(index), m.scipy()
        check(_selections.slice_major(*a, *where.indices(50)), s[where], index)
        made = _selections.slice_minor(*a, 60, *where.indices(60))
        check(made, s[:, where], index)


def test_slice_behind_rows_without_elements():
    m = Matrix(np.array([0, 0, 0, 2]), np.array([1, 2]), np.array([5.0, 6]), (3, 3))
    check(_selections.slice_major(*m.arrays(), 1, 3), m.scipy()[1:3])


def test_slices_of_many_tiles():
    m = make_matrix((300, 700), value="d")
    for where in (slice(100, 400), slice(600, 3, -7)):
        made = _selections.slice_minor(*m.arrays(), 700, *where.indices(700))
        check(made, m.scipy()[:, where])


@each_index
@pytest.mark.parametrize("value", VALUES)
def test_take_minor(index, value):
    for is_sorted in (True, False):
        m = make_matrix(value=value, is_sorted=is_sorted)
        for columns in ([5, -1, 8, 3, 0], [], range(59, -1, -1), [4, 4, -56, 7, 4]):
            idx = np.array(columns, np.int64)
            made = _selections.take_minor(*m.arrays(index), 60, cp.asarray(idx))
            distinct = np.unique(idx % 60).size == idx.size
            check(made, m.scipy()[:, idx], index, in_order=distinct)


def test_copies_of_a_column_are_in_the_order_that_was_asked_for():
    m = Matrix(np.array([0, 2]), np.array([2, 0]), np.array([5.0, 6]), (1, 3))
    made = _selections.take_minor(*m.arrays(), 3, cp.asarray(np.array([2, 0, 2, 1, 2])))
    assert made[1].get().tolist() == [0, 2, 4, 1]
    assert made[2].get().tolist() == [5, 5, 5, 6]


@each_index
@pytest.mark.parametrize("k", [-70, -49, -3, 0, 5, 59, 70])
def test_triangle_and_diagonal(index, k):
    for is_sorted in (True, False):
        m = make_matrix(is_sorted=is_sorted)
        a, s = m.arrays(index), m.scipy()
        for lower, triangle in ((True, sparse.tril), (False, sparse.triu)):
            made = _selections.triangle(*a, k, lower)
            minor, major = m.parts[1], np.repeat(np.arange(50), np.diff(m.parts[0]))
            kept = minor - major <= k if lower else minor - major >= k
            assert (made[1].get() == minor[kept]).all()
            assert (made[2].get() == m.parts[2][kept]).all()
            if is_sorted:  # SciPy sums duplicates
                check(made, triangle(s, k).tocsr(), index)
        made = _selections.diagonal(*a, 60, k, is_sorted).get()
        assert made.tolist() == (s.diagonal(k).tolist() if -50 < k < 60 else [])


@pytest.mark.parametrize("shape", [(5, 20000), (6000, 3)])
def test_triangle_of_many_tiles(shape):
    m = make_matrix(shape, long_row=shape[1] > 3)
    for k in (-4000, 0, 9000):
        made = _selections.triangle(*m.arrays(), k, True)
        check(made, sparse.tril(m.scipy(), k).tocsr())


@each_index
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("is_sorted", [True, False])
def test_points(index, value, is_sorted):
    m = make_matrix(value=value, is_sorted=is_sorted)
    rng = np.random.default_rng(1)
    i, j = rng.integers(-50, 50, (2, 200)), rng.integers(-60, 60, (2, 200))
    a = m.arrays(index)
    made = _selections.points(*a, 60, cp.asarray(i), cp.asarray(j), is_sorted)
    assert made.dtype == value
    assert made.shape == i.shape
    expected = m.scipy()[i.ravel(), j.ravel()]
    assert (made.get().ravel() == expected).all()
    made = _selections.diagonal(*a, 60, 2, is_sorted)
    assert made.dtype == value
    assert (made.get() == m.scipy().diagonal(2)).all()


def test_points_sum_what_is_sorted_and_stored_twice():
    m = Matrix(np.array([0, 3]), np.array([1, 1, 2]), np.array([5.0, 6, 7]), (1, 3))
    zero, one = (cp.asarray(np.array([k])) for k in range(2))
    for is_sorted in (True, False):
        made = _selections.points(*m.arrays(), 3, zero, one, is_sorted)
        assert made.get().tolist() == [11]


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (1, 1), (3, 4)])
def test_without_elements(shape):
    nothing = np.zeros(0, np.int64)
    m = Matrix(np.zeros(shape[0] + 1, int), nothing, np.zeros(0), shape)
    a, s = m.arrays(), m.scipy()
    check(_selections.slice_minor(*a, shape[1], 0, shape[1]), s)
    check(_selections.triangle(*a, 0, True), s)
    check(_selections.slice_major(*a, 0, shape[0]), s)
    none = cp.asarray(nothing)
    check(_selections.take_major(*a, none), s[nothing])
    check(_selections.take_minor(*a, shape[1], none), s[:, nothing])
    assert not _selections.diagonal(*a, shape[1]).get().any()
    if min(shape):
        zeros = cp.zeros(3, np.int64)
        check(_selections.take_major(*a, zeros), s[[0, 0, 0]])
        check(_selections.take_minor(*a, shape[1], zeros), s[:, [0, 0, 0]])
        assert _selections.points(*a, shape[1], zeros, zeros).get().tolist() == [0] * 3
        made = _assignments.assign(*a, shape[1], zeros, zeros, cp.arange(3.0), True)
        assert made[2].get().tolist() == [2]
