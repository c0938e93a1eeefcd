"""Construction, order and shapes of csr and csc, beside SciPy's."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import sparse

scipy_sparse = pytest.importorskip("scipy.sparse")
from .objects import check, check_call, dense, pair  # noqa: E402

COMPRESSED = ("csr_array", "csr_matrix", "csc_array", "csc_matrix")
each_compressed = pytest.mark.parametrize("name", COMPRESSED)

DATA, INDICES, INDPTR = [1, 2, 3], [0, 2, 1], [0, 1, 2, 3]
CONSTRUCTED = {
    "arrays": lambda c: c((DATA, INDICES, INDPTR)),
    "shape": lambda c: c((DATA, INDICES, INDPTR), shape=(3, 3)),
    "dtype": lambda c: c((DATA, INDICES, INDPTR), dtype="f4"),
    "starts at 1": lambda c: c((DATA, INDICES, [1, 1, 2, 3])),
    "few indices": lambda c: c((DATA, [0, 2], INDPTR)),
    "ends beyond": lambda c: c((DATA, INDICES, [0, 1, 2, 5])),
    "ends before": lambda c: c(([*DATA, 4], [*INDICES, 0], INDPTR)),
    "pruned": lambda c: c(([*DATA, 4], [*INDICES, 0], INDPTR)).data,
    "rows of another shape": lambda c: c((DATA, INDICES, INDPTR), shape=(4, 4)),
    "two axes": lambda c: c(([DATA], [INDICES], INDPTR), shape=(3, 3)),
    "no arrays": lambda c: c((1, 2, 3, 4, 5)),
    "numbers": lambda c: c((2, 3, 4)),
    "one": lambda c: c((DATA,)),
    "nothing": lambda c: c(()),
    "negative": lambda c: c((2, -1)),
    "scalar": lambda c: c(3),
    "text": lambda c: c("abc"),
    "texts": lambda c: c([["a"]]),
    "objects": lambda c: c([[1, 2]], dtype="O"),
    "dates": lambda c: c((2, 2), dtype="M8[s]"),
    "lists": lambda c: c([[1, 0], [0, 2.5]]),
    "vector": lambda c: c([1, 0, 2]),
    "three axes": lambda c: c(np.zeros((2, 2, 2))),
    "coordinates": lambda c: c((DATA, ([0, 1, 1], [2, 0, 0]))),
    "coordinates outside": lambda c: c((DATA, ([0, 1, 1], [2, 0, 0])), shape=(2, 2)),
    "empty": lambda c: c(np.zeros((0, 3))),
    "empty arrays": lambda c: c(([], [], [0])),
    "int64": lambda c: c(tuple(np.array(x) for x in (DATA, INDICES, INDPTR))).indices,
    "int64 of any": lambda c: c((np.array(DATA), ([0, 1, 1], [2, 0, 0]))).indices,
    "many rows": lambda c: (
        c((DATA, ([0, 1, 2], [0, 1, 2**33]))).indices
        if c.__name__.startswith("csr")
        else c((DATA, ([0, 1, 2**33], [0, 1, 2]))).indices
    ),
    "of a shape that is another": lambda c: c(
        c(np.eye(3)), shape=(3, 2)
    ).check_format(),
}


@pytest.mark.parametrize("case", CONSTRUCTED)
@each_compressed
def test_construction(name, case):
    call = lambda p: CONSTRUCTED[case](getattr(p, name))  # noqa: E731
    if case == "of a shape that is another":
        with pytest.raises(ValueError, match=r"indices must be|index pointer size"):
            CONSTRUCTED[case](getattr(sparse, name))
    else:
        check_call(call, stored=True)


@each_compressed
def test_of_arrays_on_the_device(name):
    def f(p, *arrays):
        return getattr(p, name)(arrays, shape=(3, 3))

    for index in ("i4", "i8"):
        arrays = [
            dense(np.array(x, t))
            for x, t in ((DATA, "f8"), (INDICES, index), (INDPTR, index))
        ]
        check_call(f, *arrays, stored=True)
        check_call(lambda p, *a: f(p, *a).indptr, *arrays)
    data, indices, indptr = (x for _, x in arrays)
    for wrong in (indptr + 1, indptr * 2, indptr[:-1]):
        with pytest.raises(ValueError, match=r"[Ii]ndex pointer|index pointer"):
            getattr(sparse, name)((data, indices, wrong), shape=(3, 3))


@each_compressed
def test_arrays_are_taken_as_they_are_or_copied(name):
    cls = getattr(sparse, name)
    arrays = [
        cp.array(x, t) for x, t in ((DATA, "f8"), (INDICES, "i4"), (INDPTR, "i4"))
    ]
    A = cls(tuple(arrays), shape=(3, 3))
    assert A.data is arrays[0]
    assert A.indices is arrays[1]
    assert A.indptr is arrays[2]
    B = cls(tuple(arrays), shape=(3, 3), copy=True)
    assert B.data is not arrays[0]
    arrays[0][:] = 0
    assert B.data.tolist() == DATA
    assert A.data.tolist() == [0] * 3
    assert cls(B).data is B.data
    assert cls(B, copy=True).data is not B.data
    assert B.T.data is B.data
    assert B.transpose(copy=True).data is not B.data


@each_compressed
def test_indices_of_arrays_are_never_narrowed(name):
    for index in ("i4", "i8"):
        theirs, ours = pair(name, index=index)
        for f in (
            lambda a: a.indices,
            lambda a: a.T.indptr,
            lambda a: (a * 2).indices,
            lambda a: a.tocoo().row,
            lambda a: a.tocsr().indptr,
            lambda a: a.tocsc().indices,
            lambda a: a.astype("f4").indptr,
            lambda a: a.copy().indices,
            lambda a: (a + a).indices,
        ):
            assert f(ours).dtype == f(theirs).dtype
        # Of a matrix int64 becomes int32 where it can, as SciPy's does.
        wanted = index if name.endswith("array") else "i4"
        assert ours.indices.dtype == np.dtype(wanted)


@each_compressed
def test_check_format(name):
    cls = getattr(sparse, name)
    cls(cp.eye(3)).check_format()
    wrong = {
        "indices must be <": ([1.0, 2], [0, 7], [0, 1, 2]),
        "indices must be >=": ([1.0, 2], [0, -1], [0, 1, 2]),
        "non-decreasing": ([1.0, 2], [0, 1], [0, 3, 2]),
    }
    for message, arrays in wrong.items():
        A = cls(arrays, shape=(2, 2))
        with pytest.raises(ValueError, match=message):
            A.check_format()
    A = cls(cp.eye(3))
    A.data = A.data[:2]
    with pytest.raises(ValueError, match="same size"):
        A.check_format()
    A = cls(cp.eye(3))
    A.indptr = A.indptr.reshape(2, 2)
    with pytest.raises(ValueError, match="1-D"):
        A.check_format()


@each_compressed
def test_order(name):
    theirs, ours = pair(name, (6, 8), seed=4)
    for attribute in ("has_sorted_indices", "has_canonical_format"):
        assert getattr(ours, attribute) == getattr(theirs, attribute)
    ours.sort_indices()
    theirs.sort_indices()
    assert ours.has_sorted_indices
    assert ours.indices.tolist() == theirs.indices.tolist()
    assert ours.data.tolist() == theirs.data.tolist()
    ours.sum_duplicates()
    theirs.sum_duplicates()
    assert ours.has_canonical_format
    check(ours, theirs, stored=True)
    ours.eliminate_zeros()
    theirs.eliminate_zeros()
    check(ours, theirs, stored=True)
    mixed = pair(name, (6, 8), seed=4)[1]
    order = mixed.indices.tolist()
    assert mixed.sorted_indices().has_sorted_indices
    assert mixed.indices.tolist() == order


@each_compressed
def test_order_that_is_told(name):
    A = getattr(sparse, name)(cp.eye(3))
    A.has_sorted_indices = False
    assert not A.has_canonical_format
    A.has_canonical_format = True
    assert A.has_sorted_indices


@each_compressed
def test_what_lies_beyond_the_end_is_dropped(name):
    A = getattr(sparse, name)(cp.eye(3))
    A.data = cp.arange(5.0)
    A.indices = cp.arange(5, dtype="i4")
    A.prune()
    assert A.data.tolist() == [0, 1, 2]
    assert A.nnz == 3


@each_compressed
def test_counts(name):
    theirs, ours = pair(name, (5, 7), seed=6)
    for axis in (0, 1, -1, -2):
        for method in ("count_nonzero", "_getnnz"):
            found = getattr(ours, method)(axis)
            assert found.tolist() == getattr(theirs, method)(axis).tolist()
    for method in ("count_nonzero", "_getnnz"):
        with pytest.raises(ValueError, match="axis"):
            getattr(ours, method)(2)


@each_compressed
def test_resize(name):
    for shape in ((3, 4), (5, 7), (9, 2), (2, 9), (9, 9), (0, 0), (7,), (2, 3, 4)):

        def f(p, a):
            a.resize(*shape)  # noqa: B023
            return a

        if shape == (7,):
            with pytest.raises(ValueError, match="two lengths|length in"):
                f(None, pair(name)[1])
        else:
            check_call(f, pair(name), where=str(shape))


@each_compressed
def test_toarray_writes_where_it_should(name):
    theirs, ours = pair(name, (4, 6))
    for out in (cp.ones((4, 6)), cp.ones((6, 4)).T, cp.ones((8, 12))[::2, ::2]):
        assert ours.toarray(out=out) is out
        assert (out.get() == theirs.toarray()).all()
    assert ours.toarray().flags.f_contiguous == (name[:3] == "csc")
    assert ours.toarray("F").flags.f_contiguous
    for wrong in (cp.ones((4, 5)), cp.ones((4, 6), "f4")):
        with pytest.raises(ValueError, match="same dtype and shape"):
            ours.toarray(out=wrong)
    with pytest.raises(ValueError, match="order"):
        ours.toarray("C", out=cp.ones((4, 6)))


ONE = {
    "transpose": lambda p, a, b, M: a.T,
    "tocoo": lambda p, a, b, M: a.tocoo(),
    "tocsc": lambda p, a, b, M: a.tocsc(),
    "toarray": lambda p, a, b, M: a.toarray(),
    "with vector": lambda p, a, b, M: a @ b.toarray(),
    "with matrix": lambda p, a, b, M: a @ M.T,
    "matrix with it": lambda p, a, b, M: M @ a,
    "with sparse": lambda p, a, b, M: a @ b,
    "with sparse matrix": lambda p, a, b, M: a @ p.csr_array(M).T,
    "sparse matrix with it": lambda p, a, b, M: p.csr_array(M) @ a,
    "times": lambda p, a, b, M: a * b,
    "times matrix": lambda p, a, b, M: a * p.csr_array(M),
    "times dense": lambda p, a, b, M: a * M,
    "times column": lambda p, a, b, M: a * M[:, :1],
    "plus": lambda p, a, b, M: a + b,
    "plus dense": lambda p, a, b, M: a + b.toarray(),
    "over": lambda p, a, b, M: a / b,
    "less": lambda p, a, b, M: a < b,
    "maximum": lambda p, a, b, M: a.maximum(b),
    "sum": lambda p, a, b, M: a.sum(axis=0),
    "sum of axis 1": lambda p, a, b, M: a.sum(axis=1),
    "max": lambda p, a, b, M: a.max(axis=0),
    "argmin": lambda p, a, b, M: p.xp.asarray(a.argmin()),
    "reshape": lambda p, a, b, M: a.reshape(5, 1),
    "nonzero": lambda p, a, b, M: a.nonzero()[0],
    "count": lambda p, a, b, M: int(a.count_nonzero()),
    "row": lambda p, a, b, M: a.tocoo().row,
    "text": lambda p, a, b, M: str(a),
    "abs": lambda p, a, b, M: abs(a),
    "power": lambda p, a, b, M: a**2,
    "mT": lambda p, a, b, M: (
        p.csr_array(M).mT if hasattr(p.csr_array, "mT") else p.csr_array(M).T
    ),
}


@pytest.mark.parametrize("format", ["csr", "coo"])
@pytest.mark.parametrize("operation", ONE)
def test_of_one_axis(operation, format):
    a = np.array([0, 2, 0, -3, 1.0]), np.array([1.0, 0, 0, 4, 0])
    M = np.arange(-7.0, 8).reshape(3, 5) * (np.arange(15).reshape(3, 5) % 2)
    pairs = [
        (
            getattr(scipy_sparse, f"{format}_array")(x),
            getattr(sparse, f"{format}_array")(x),
        )
        for x in a
    ]
    check_call(ONE[operation], *pairs, dense(M))
