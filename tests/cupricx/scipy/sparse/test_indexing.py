"""Indexing of sparse arrays and matrices, beside SciPy's."""

import functools
import itertools
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import sparse

scipy_sparse = pytest.importorskip("scipy.sparse")

COMPRESSED = ("csr_matrix", "csr_array", "csc_matrix", "csc_array")
CLASSES = (*COMPRESSED, "coo_array")
SHAPES = ((5, 7), (1, 6), (6, 1), (1, 1), (0, 4), (4, 0), (40, 30))
each_class = pytest.mark.parametrize("name", CLASSES)
each_compressed = pytest.mark.parametrize("name", COMPRESSED)


def make_dense(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    dense = rng.integers(-9, 10, shape) * rng.integers(0, 2, shape)
    return dense.astype(dtype)


def make(name, shape=(5, 7), dtype="d", seed=0, how="canonical", index=None):
    """An object of SciPy's, and ours, that have the same arrays."""
    theirs = getattr(scipy_sparse, name)(make_dense(shape, dtype, seed))
    if how != "canonical":
        coo = theirs.tocoo()
        rng = np.random.default_rng(seed + 1)
        order = rng.permutation(coo.nnz)
        if how == "duplicates":
            order = np.append(order, order[: coo.nnz // 2])
        theirs = unsorted(name, coo, order)
    if index is not None and not name.startswith("coo"):
        theirs.indptr = theirs.indptr.astype(index)
        theirs.indices = theirs.indices.astype(index)
    return theirs, getattr(sparse, name)(theirs)


def unsorted(name, coo, order):
    """The elements of a coo object in an order, in each row or column."""
    row, col, data = coo.row[order], coo.col[order], coo.data[order]
    cls = getattr(scipy_sparse, name)
    if name.startswith("coo"):
        return cls((data, (row, col)), shape=coo.shape)
    major, minor = (row, col) if name.startswith("csr") else (col, row)
    n = coo.shape[0 if name.startswith("csr") else 1]
    order = np.argsort(major, kind="stable")
    indptr = np.searchsorted(major[order], np.arange(n + 1))
    return cls((data[order], minor[order], indptr), shape=coo.shape)


def check_same(ours, theirs):
    """Of the same type, shape and dtype, with the same elements."""
    if not scipy_sparse.issparse(theirs):
        assert isinstance(ours, cp.ndarray)
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        assert (ours.get() == np.asarray(theirs)).all()
        return
    assert type(ours).__name__ == type(theirs).__name__
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    assert ours.nnz == theirs.nnz
    assert (ours.toarray().get() == theirs.toarray()).all()
    if ours.format in ("csr", "csc"):
        check_known(ours)


def check_known(A):
    """What is known of the order of indices is so."""
    for name in ("has_sorted_indices", "has_canonical_format"):
        known = getattr(A, f"_{name}")
        S = A.get()
        fresh = type(S)((S.data, S.indices, S.indptr), shape=S.shape)
        assert known in (None, getattr(fresh, name))


def outcome(call):
    """What a call returns, or the class of its error, and its message."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(), None
    except (IndexError, ValueError, TypeError) as e:
        return type(e), str(e)


def check_call(ours, theirs):
    found, message = outcome(ours)
    expected, their_message = outcome(theirs)
    if their_message is not None:
        assert message is not None, f"{their_message!r} expected"
        assert found is expected
        if expected is IndexError:
            assert message == their_message
        return
    assert message is None, message
    check_same(found, expected)


# ---- keys --------------------------------------------------------------------------

INTS = (0, -1, 2, np.int32(1))
PARTS = (
    slice(None),
    slice(1, 4),
    slice(None, None, -1),
    slice(-1, 0, -2),
    slice(3, 1),
    slice(None, None, 3),
    [0, 2, -1],
    [1],
    [],
    [3, 1, 1, 0, 3],
    np.array([2, 0, 1], np.uint8),
    [[0], [2], [-2]],
    [[0, 1, 3]],
    [[0, 1], [2, 0]],
)
SPECIAL = (
    ...,
    None,
    (None, 1),
    (1, None),
    (None, slice(None), 1),
    (slice(None), None, 1),
    (..., 1),
    (1, ...),
    (1, ..., 2),
    (..., slice(2), ...),
    (None, None, 1, 1),
    (None, 1, 1),
    (1, 2, 3),
    1.5,
    True,
    "a",
    [0.0, 1.0],
    np.array(1),
    ([0, 1], [0, 1, 2]),
    ([0, 1], None, 1),
    ([0, 1], None, [1, 2]),
    100,
    (0, -100),
    [100],
    ([0], [-100, 0]),
    [[[1]]],
)


def fails_in_scipy(name, key):
    """Whether SciPy takes a key for what it is not: a slice with a step, behind rows of
    csr, for numbers of columns that belong to each of the rows."""
    row, column = key
    if name == "coo_array":
        return not all(isinstance(k, (int, slice)) for k in key)
    is_stepped = isinstance(column, slice) and column.step not in (1, None)
    return name.startswith("csr") and isinstance(row, (list, np.ndarray)) and is_stepped


@pytest.mark.parametrize("name", ["csr_matrix", "csr_array"])
def test_rows_by_a_slice_with_a_step(name):
    theirs, ours = make(name)
    for rows, where in itertools.product(([0, 2, -1], [1]), (slice(None, None, -2),)):
        made = ours[rows, where]
        assert type(made).__name__ == name
        assert (made.toarray().get() == theirs.toarray()[rows, where]).all()


@each_class
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_pairs_of_keys(name, shape):
    theirs, ours = make(name, shape)
    for key in itertools.product((*INTS, *PARTS), repeat=2):
        if fails_in_scipy(name, key):
            continue
        check_call(lambda k=key: ours[k], lambda k=key: theirs[k])
    for key in (*INTS, *PARTS):
        check_call(lambda k=key: ours[k], lambda k=key: theirs[k])


@each_class
@pytest.mark.parametrize("key", SPECIAL, ids=str)
def test_special_keys(name, key):
    theirs, ours = make(name)
    if name == "coo_array" and isinstance(key, tuple) and None in key and [0, 1] in key:
        return  # fails in SciPy
    check_call(lambda: ours[key], lambda: theirs[key])


KEYS = (
    (2, 3),
    3,
    (slice(None), 2),
    (slice(1, 30), slice(25, 2, -2)),
    [3, 1, 1, -1],
    (slice(None), [3, 1, 1, -1]),
    ([3, 1, 1, -1], [5, 2, 2, 0]),
    ([[3], [1]], [5, 2, 2, 0]),
    ([[3, 0], [1, 1]], [[5, 2], [2, 0]]),
)


@each_class
@pytest.mark.parametrize("how", ["canonical", "unsorted", "duplicates"])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", "?bHifdFD")
def test_dtypes_and_orders(name, how, index, dtype):
    theirs, ours = make(name, (40, 30), dtype, how=how, index=index)
    for key in KEYS:
        found, expected = ours[key], theirs[key]
        if name == "coo_array":
            expected = theirs.tocsr()[key]
            if not scipy_sparse.issparse(expected):
                expected = np.asarray(expected)
                assert found.shape == expected.shape
                found = found.toarray() if sparse.issparse(found) else found
                assert (found.get() == expected).all()
            else:
                assert (found.toarray().get() == expected.toarray()).all()
            continue
        check_same(found, expected)
        if scipy_sparse.issparse(expected) and expected.format != "coo":
            assert found.indices.dtype == expected.indices.dtype


@each_compressed
def test_stored_order_is_that_of_scipy(name):
    theirs, ours = make(name, (40, 30), how="unsorted")
    rows = np.array([7, 3, 9, 30])
    for key in (
        (slice(2, 20), slice(3, 29)),
        (slice(30, 3, -2), slice(None)),
        (slice(None), slice(29, 3, -2)),
        (rows, slice(None)),
        (slice(None), rows % 30),
    ):
        found, expected = ours[key], theirs[key]
        assert (found.indptr.get() == expected.indptr).all()
        assert (found.indices.get() == expected.indices).all()
        assert (found.data.get() == expected.data).all()


@each_compressed
def test_what_is_not_known_of_a_part(name):
    """A part of what is unsorted, or has duplicates, may be sorted and have none."""
    for how in ("unsorted", "duplicates"):
        _, ours = make(name, (40, 30), how=how)
        assert not ours.has_canonical_format
        for key in ((slice(3, 4), slice(5, 9)), ([[1]], [2, 3]), (slice(None), [2])):
            check_known(ours[key])


@each_class
def test_device_arrays_as_keys(name):
    theirs, ours = make(name, (40, 30))
    rng = np.random.default_rng(3)
    i, j = rng.integers(-40, 40, 50), rng.integers(-30, 30, 50)
    mask = rng.random((40, 30)) < 0.1
    rows, columns = rng.random(40) < 0.3, rng.random(30) < 0.3
    d = cp.asarray
    if name == "coo_array":
        theirs = theirs.tocsr()
    for ours_key, key in (
        (d(i), i),
        (d(i.astype("i")), i),
        ((slice(None), d(j)), (slice(None), j)),
        ((d(i), d(j)), (i, j)),
        ((d(i), j), (i, j)),
        ((d(i)[:, None], d(j)), (i[:, None], j)),
        (
            (d(i).reshape(5, 10), d(j).reshape(5, 10)),
            (i.reshape(5, 10), j.reshape(5, 10)),
        ),
        ((3, d(j)), (3, j)),
        ((d(i), 3), (i, 3)),
        ((d(i), slice(20, 2, -1)), (i[:, None], np.arange(20, 2, -1))),
        (d(mask), mask),
        (d(rows), rows),
        ((slice(None), d(columns)), (slice(None), columns)),
        ((d(np.array(3)), d(np.array(4))), (3, 4)),
        ([d(np.array(3)), d(np.array(4))], [3, 4]),
    ):
        found, expected = ours[ours_key], theirs[key]
        if sparse.issparse(found):
            found = found.toarray()
        if scipy_sparse.issparse(expected):
            expected = expected.toarray()
        assert found.shape == expected.shape
        assert (found.get() == np.asarray(expected)).all()


@each_compressed
def test_device_indices_out_of_bounds(name):
    _, ours = make(name)
    for bad in (7, -8):
        idx = cp.asarray(np.array([0, bad]))
        with pytest.raises(IndexError, match=rf"index \({bad}\) out of range"):
            ours[idx]
        with pytest.raises(IndexError, match=rf"index \({bad}\) out of range"):
            ours[:, idx]
        with pytest.raises(IndexError, match=rf"index \({bad}\) out of range"):
            ours[idx, idx] = 1
    # Nothing waits for points: as of arrays, their indices wrap.
    i, j = cp.asarray(np.array([5, -6])), cp.asarray(np.array([7, -8]))
    if os.environ.get("CUPRIC_CHECK") != "1":
        assert (ours[i, j].get().ravel() == ours.toarray().get()[[0, 4], [0, 6]]).all()


def test_checks_of_points_that_are_asked_for():
    code = """if True:
        import numpy as np, cupric as cp
        from cupricx.scipy import sparse
        A = sparse.csr_array(cp.eye(3))
        i, bad = cp.asarray(np.array([0, 1])), cp.asarray(np.array([0, 3]))
        assert A[i, i].get().tolist() == [1, 1]
        for key in ((bad, i), (i, bad)):
            try:
                A[key]
            except IndexError as e:
                assert str(e) == "index (3) out of range"
            else:
                raise AssertionError(key)
    """
    environment = {**os.environ, "CUPRIC_CHECK": "1"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


@each_compressed
@pytest.mark.parametrize("mask_name", CLASSES)
def test_sparse_masks(name, mask_name):
    theirs, ours = make(name, (40, 30))
    mask = scipy_sparse.coo_array(np.random.default_rng(1).random((40, 30)) < 0.2)
    mask.data[::3] = False
    mask = getattr(scipy_sparse, mask_name)(mask)
    expected = theirs[mask]
    check_same(ours[getattr(sparse, mask_name)(mask)], expected)
    check_same(ours[mask], expected)
    with pytest.raises(IndexError, match="bool index 0 has shape"):
        ours[getattr(sparse, mask_name)(mask[:5] if mask.format != "coo" else mask.T)]
    with pytest.raises(IndexError, match="except boolean indexing"):
        ours[getattr(sparse, mask_name)(mask.astype(int))]


@each_compressed
def test_comparison_as_mask(name):
    theirs, ours = make(name, (40, 30))
    check_same(ours[ours > 3], theirs[theirs > 3])


@pytest.mark.parametrize("how", ["canonical", "unsorted"])
def test_csr_of_one_axis(how):
    row = make_dense((60,), seed=5)
    theirs = scipy_sparse.csr_array(row)
    if how == "unsorted":
        order = np.random.default_rng(0).permutation(theirs.nnz)
        parts = theirs.data[order], theirs.indices[order], theirs.indptr
        theirs = scipy_sparse.csr_array(parts, shape=(60,))
    ours = sparse.csr_array(theirs)
    for key in (*INTS, *PARTS, ..., None, (None, 3), (3, None), 100, [100], (1, 2)):
        if np.shape(key) == (1, 3):
            continue  # fails in SciPy
        if isinstance(key, tuple) and None in key:
            assert ours[key].toarray().get().tolist() == [row[3]]
            continue
        check_call(lambda k=key: ours[k], lambda k=key: theirs[k])
    mask = row > 2
    assert (ours[mask].toarray().get() == row[mask]).all()
    assert (ours[cp.asarray(mask)].toarray().get() == row[mask]).all()


def test_coo_of_several_axes():
    dense = make_dense((4, 5, 6), seed=2)
    ours, theirs = sparse.coo_array(cp.asarray(dense)), scipy_sparse.coo_array(dense)
    for key in (
        1,
        (1, 2, 3),
        (slice(None), 2),
        (..., slice(4, 1, -1)),
        (None, slice(1, 3), 2, slice(None, None, 2)),
        (0, slice(2, 2)),
        ...,
    ):
        check_call(lambda k=key: ours[k], lambda k=key: theirs[k])
    with pytest.raises(NotImplementedError, match="up to two axes"):
        ours[[1, 2]]
    with pytest.raises(NotImplementedError, match="up to two axes"):
        ours[0] = 1


def test_coo_matrix_is_not_indexed():
    with pytest.raises(TypeError, match="not subscriptable"):
        make("coo_matrix")[1][0]


@each_compressed
def test_whole_slices_are_copies(name):
    _, ours = make(name)
    for key in (
        slice(None),
        (slice(None), slice(0, 7)),
        (slice(0, 5), slice(None)),
        ...,
    ):
        made = ours[key]
        assert made is not ours
        made.data[:] = 99
        assert not (ours.data.get() == 99).any()


@pytest.mark.parametrize("name", ["csr_matrix", "csc_matrix"])
def test_getrow_and_getcol(name):
    theirs, ours = make(name)
    for i in (0, 3, -1, np.int64(2)):
        check_same(ours.getrow(i), theirs.getrow(i))
        check_same(ours.getcol(i), theirs.getcol(i))
    for i in (7, -8):
        for get in (ours.getrow, ours.getcol):
            with pytest.raises(IndexError, match=rf"index \({i}\) out of range"):
                get(i)


@each_compressed
def test_iteration(name):
    theirs, ours = make(name)
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.shape == other.shape
        assert (mine.toarray().get() == other.toarray()).all()
        if name == "csr_matrix":
            check_same(mine, other)


@each_compressed
@pytest.mark.parametrize("how", ["canonical", "unsorted", "duplicates"])
def test_diagonal(name, how):
    for shape in SHAPES:
        theirs, ours = make(name, shape, how=how)
        for k in range(-9, 10, 2):
            assert ours.diagonal(k).get().tolist() == theirs.diagonal(k).tolist()


# ---- assignment --------------------------------------------------------------------


def check_assignment(name, key, x, ours_key=None, ours_x=None, **kwargs):
    """SciPy's and ours give the same, and warn of the same."""
    theirs, ours = make(name, **kwargs)
    ours_key = key if ours_key is None else ours_key
    ours_x = x if ours_x is None else ours_x
    found, expected = [], []
    for A, k, values, log in (
        (ours, ours_key, ours_x, found),
        (theirs, key, x, expected),
    ):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            try:
                A[k] = values
            except (IndexError, ValueError) as e:
                log.append(type(e))
        log += [w.category.__name__ for w in seen if "Sparse" in w.category.__name__]
        for w in seen:
            if A is ours and issubclass(w.category, sparse.SparseWarning):
                assert w.filename == __file__
    if name == "coo_array":
        found, expected = (
            [x for x in log if isinstance(x, type)] for log in (found, expected)
        )
    assert found == expected
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    assert (ours.toarray().get() == theirs.toarray()).all()
    if name != "coo_array":
        assert ours.nnz == theirs.nnz
        check_known(ours)
    return ours, theirs


SET_KEYS = (
    (1, 2),
    (0, 0),
    (-1, -1),
    3,
    (slice(None), 2),
    (slice(1, 4), slice(2, 6)),
    (slice(None, None, -2), slice(6, 0, -3)),
    [0, 2],
    (slice(None), [0, 2, 5]),
    ([0, 2, 3], [1, 1, 6]),
    ([[0], [4]], [1, 3, 6]),
    ([[0, 1], [2, 3]], [[1, 2], [3, 4]]),
    ...,
    slice(2, 2),
    ([], []),
    (slice(0, 5), None, 1),
)


@each_class
@pytest.mark.parametrize("key", SET_KEYS, ids=str)
@pytest.mark.parametrize("how", ["canonical", "unsorted", "duplicates"])
def test_assign_numbers(name, key, how):
    for x in (5, 0, 2.5, np.float32(3)):
        check_assignment(name, key, x, how=how)
        check_assignment(name, key, x, how=how, dtype="i", index=np.int64)


@each_class
@pytest.mark.parametrize("key", SET_KEYS, ids=str)
def test_assign_dense(name, key):
    shape = make_dense((5, 7))[key if isinstance(key, tuple) else (key,)].shape
    x = np.random.default_rng(7).integers(0, 9, shape).astype("d")
    for how in ("canonical", "unsorted", "duplicates"):
        check_assignment(name, key, x, how=how)
        check_assignment(name, key, x, ours_x=cp.asarray(x), how=how)
        if x.ndim == 2 and name != "coo_array":
            check_assignment(name, key, x[:1], how=how)
            check_assignment(name, key, x[:, :1], how=how)
            check_assignment(name, key, x.tolist(), how=how)
        check_assignment(name, key, np.ones((2, 3)), how=how)


@each_class
@pytest.mark.parametrize("key", SET_KEYS, ids=str)
@pytest.mark.parametrize("other", CLASSES)
def test_assign_sparse(name, key, other):
    if key == (slice(0, 5), None, 1):
        return
    shape = make_dense((5, 7))[key if isinstance(key, tuple) else (key,)].shape
    shape = shape if len(shape) == 2 else (1, *shape, *([1] * (1 - len(shape))))
    x = getattr(scipy_sparse, other)(make_dense(shape, seed=11))
    for how in ("canonical", "unsorted", "duplicates"):
        mine = getattr(sparse, other)(x)
        check_assignment(name, key, x, ours_x=mine, how=how)
    check_assignment(name, key, x)


@each_compressed
def test_assign_sparse_that_is_broadcast(name):
    for shape in ((1, 4), (3, 1), (1, 1), (2, 4)):
        x = scipy_sparse.csr_array(make_dense(shape, seed=11))
        for key in (
            (slice(1, 4), slice(2, 6)),
            ([[0], [1], [4]], [1, 3, 6, 0]),
            ([0, 2, 3, 3], [1, 1, 6, 5]),
        ):
            check_assignment(name, key, x, ours_x=sparse.csr_array(x))


@each_class
def test_assign_at_device_indices_and_masks(name):
    i, j = np.array([0, -1, 3, 3, 0]), np.array([1, 2, -1, 6, 1])
    mask, rows = make_dense((5, 7), seed=4) > 2, np.array([1, 0, 1, 1, 0], bool)
    x = np.arange(1.0, 6)
    d = cp.asarray
    for key, mine in (
        ((i, j), (d(i), d(j))),
        ((i, j), (i, d(j))),
        (mask, d(mask)),
        (rows, d(rows)),
        ((slice(None), [0, 1]), (slice(None), d(np.array([0, 1])))),
        (mask, sparse.csr_array(d(mask))),
    ):
        check_assignment(name, key, 4, ours_key=mine)
    i, j = i[:4], np.array([1, 2, -1, 5])
    x = x[:4]
    check_assignment(name, (i, j), x, ours_key=(d(i), d(j)), ours_x=d(x))
    n = int(mask.sum())
    check_assignment(name, mask, np.arange(n), ours_key=d(mask), ours_x=d(np.arange(n)))


@each_compressed
def test_assign_last_of_equal_points(name):
    i, j = np.array([2, 2, 2, 0, 2, 0]), np.array([3, 3, 1, 0, 3, 0])
    for seed in range(6):
        check_assignment(name, (i, j), np.arange(1.0, 7), seed=seed)


@each_class
@pytest.mark.parametrize(
    ("key", "x"),
    [
        ((1, 2), [1, 2]),
        ((slice(2), slice(2)), np.ones((3, 3))),
        (100, 1),
        ((0, [0, 9]), 1),
        (([0, 1], [0, 1, 2]), 1),
        (([0, 1], [0, 1]), [1, 2, 3]),
        (([0, 1], [0, 1]), [[5]]),
        ((slice(3), [[0, 1], [2, 3]]), 1),
    ],
    ids=str,
)
def test_assignment_errors(name, key, x):
    if name != "coo_array":
        check_assignment(name, key, x)
        return
    with pytest.raises((IndexError, ValueError)):
        make(name)[1][key] = x


def test_numbers_that_the_dtype_does_not_hold():
    theirs, ours = make("csr_array", dtype="H")
    for A in (ours, theirs):
        with pytest.raises(OverflowError):
            A[0, 0] = -1


def test_a_warning_that_is_an_error_comes_before_changes():
    _, ours = make("csr_array")
    before = ours.toarray().get()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(
            sparse.SparseEfficiencyWarning, match="csr_array is expensive"
        ):
            ours[...] = 9
    assert (ours.toarray().get() == before).all()


def test_assign_to_csr_of_one_axis():
    row = make_dense((9,), seed=5)
    for key, x in (
        (3, 4),
        (slice(2, 6), 0),
        (slice(None), np.arange(9.0)),
        ([0, 5, -1], [7, 8, 9]),
        (row > 0, 3),
        (slice(0, 4), scipy_sparse.coo_array(np.array([0, 1.0, 0, 2]))),
    ):
        theirs = scipy_sparse.csr_array(row)
        ours = sparse.csr_array(theirs)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs[key] = x
            ours[key] = sparse.coo_array(x) if scipy_sparse.issparse(x) else x
        assert ours.shape == (9,)
        assert (ours.toarray().get() == theirs.toarray()).all()


@pytest.mark.parametrize("name", [*COMPRESSED, "coo_array", "coo_matrix"])
@pytest.mark.parametrize("how", ["canonical", "unsorted", "duplicates"])
def test_setdiag(name, how):
    def set_diagonal(A, x, k):
        A.setdiag(x, k)
        return A

    values = (3, 0, np.arange(1.0, 4), np.arange(1.0, 50), [2.0], [])
    for shape in ((5, 7), (40, 30), (1, 6), (1, 1)):
        for k, x in itertools.product(range(-4, 7), values):
            theirs, ours = make(name, shape, how=how)
            check_call(
                functools.partial(set_diagonal, ours, x, k),
                functools.partial(set_diagonal, theirs, x, k),
            )
    theirs, ours = make(name, how=how)
    check_same(
        set_diagonal(ours, cp.arange(5.0), 1), set_diagonal(theirs, np.arange(5.0), 1)
    )
