"""Coordinates: construction, and any number of axes, beside SciPy's."""

import pickle

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import sparse

scipy_sparse = pytest.importorskip("scipy.sparse")
from .objects import check, check_call, dense, pair  # noqa: E402

D = [1, 2, 3]
CONSTRUCTED = {
    "coordinates": lambda c: c((D, ([0, 1, 2], [0, 1, 5]))),
    "shape": lambda c: c((D, ([0, 1, 2], [0, 1, 5])), shape=(4, 9)),
    "outside": lambda c: c((D, ([0, 1, 2], [0, 1, 5])), shape=(3, 3)),
    "negative": lambda c: c((D, ([0, 1, -2], [0, 1, 2])), shape=(3, 3)),
    "lengths": lambda c: c((D, ([0, 1], [0, 1, 2])), shape=(3, 3)),
    "few values": lambda c: c(([1], ([0, 1], [0, 1])), shape=(3, 3)),
    "empty": lambda c: c(([], ([], []))),
    "empty of a shape": lambda c: c(([], ([], [])), shape=(2, 2)),
    "one axis": lambda c: c((D, ([0, 1, 2],))),
    "three axes": lambda c: c((D, ([0, 1, 2], [0, 0, 0], [1, 1, 1]))),
    "too many": lambda c: c((D, ([0, 1, 2], [0, 0, 0])), shape=(3, 3, 3)),
    "shape alone": lambda c: c((2, 3), dtype="f4"),
    "shape of three axes": lambda c: c((2, 3, 4)),
    "scalar": lambda c: c(3),
    "no coordinates": lambda c: c((D, 5)),
    "another shape": lambda c: c(np.eye(3), shape=(3, 4)),
    "dense": lambda c: c(np.diag([1.0, 0, 2])),
    "dense of three axes": lambda c: c(np.arange(8).reshape(2, 2, 2)),
    "row": lambda c: c((D, (np.array([0, 1, 2]), np.array([0, 1, 2])))).row,
    "large": lambda c: c((D, ([0, 1, 2], [0, 1, 2**33]))).col,
    "row of three axes": lambda c: c((2, 3, 4)).row,
    "copy": lambda c: c(c(np.eye(2)), copy=True),
    "dtype": lambda c: c(c(np.eye(2)), dtype="F"),
}


@pytest.mark.parametrize("case", CONSTRUCTED)
@pytest.mark.parametrize("name", ["coo_array", "coo_matrix"])
def test_construction(name, case):
    check_call(lambda p: CONSTRUCTED[case](getattr(p, name)), stored=True)


def test_of_arrays_on_the_device():
    for index in ("i4", "i8", "u1"):
        c = cp.array([0, 1, 2], index)
        A = sparse.coo_array((cp.array(D), (c, c)))
        assert A.shape == (3, 3)
        assert A.toarray().tolist() == np.diag(D).tolist()
        with pytest.raises(
            ValueError, match="axis 1 index 2 exceeds matrix dimension 2"
        ):
            sparse.coo_array((cp.array(D), (c, c)), shape=(3, 2))
    with pytest.raises(ValueError, match="negative axis 0 index: -1"):
        sparse.coo_array((cp.array(D), (c.astype("i4") - 1, c)), shape=(3, 3))
    values, rows = cp.array(D), cp.array([0, 1, 2], "i4")
    A = sparse.coo_array((values, (rows, rows)))
    assert A.data is values
    assert A.row is rows
    B = sparse.coo_array((values, (rows, rows)), copy=True)
    assert B.data is not values
    assert B.row is not rows


def test_duplicates_add_up():
    for dtype in ("f8", "i4", "F", "?", "f2"):
        A = sparse.coo_array(
            (np.ones(4, dtype), ([1, 0, 1, 1], [1, 0, 1, 0])), shape=(2, 2)
        )
        wanted = A.get().toarray() if dtype != "f2" else [[1, 0], [1, 2]]
        assert A.toarray().tolist() == np.asarray(wanted).tolist()
        assert A.nnz == 4
        A.sum_duplicates()
        assert A.has_canonical_format
        assert A.nnz == 3
        assert A.row.tolist() == [0, 1, 1]
        assert A.toarray().tolist() == np.asarray(wanted).tolist()


def test_setdiag():
    for name in ("coo_array", "csr_array", "csc_matrix"):
        for k in (-3, -1, 0, 1, 4):
            for values in (7.0, np.arange(1.0, 4), np.arange(1.0, 9), np.array([])):
                theirs, ours = pair(name, (5, 6))
                theirs.setdiag(values, k)
                ours.setdiag(values, k)
                check(ours, theirs, where=f"{name} {k} {values}")
                again = pair(name, (5, 6))[1]
                again.setdiag(cp.asarray(values), k)
                check(again, theirs)


def test_attributes_are_set():
    A = sparse.coo_array(cp.eye(3))
    A.row = [2, 1, 0]
    A.col = cp.array([0, 0, 0])
    assert A.toarray().tolist() == [[1, 0, 0]] * 3
    assert A.row.dtype == np.int32
    with pytest.raises(ValueError, match="1-dimensional"):
        sparse.coo_array(cp.ones(3)).row = [1, 2, 3]
    A.data = cp.ones(2)
    with pytest.raises(ValueError, match="same length"):
        A.nnz  # noqa: B018


# ---- more than two axes --------------------------------------------------------------


def make(shape, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(-4, 5, shape) * (rng.random(shape) < 0.6).astype(float)
    theirs = scipy_sparse.coo_array(values)
    return theirs, sparse.coo_array(theirs)


AXES = {
    "T": lambda p, a, b, c: a.T,
    "transpose": lambda p, a, b, c: a.transpose((1, 0, 2)),
    "transpose of negative axes": lambda p, a, b, c: a.transpose((0, 2, 1)),
    "few axes": lambda p, a, b, c: a.transpose((1, 0)),
    "repeated axes": lambda p, a, b, c: a.transpose((1, 1, 0)),
    "toarray": lambda p, a, b, c: a.toarray(),
    "toarray F": lambda p, a, b, c: a.toarray(order="F"),
    "reshape": lambda p, a, b, c: a.reshape(6, 4),
    "reshape F": lambda p, a, b, c: a.reshape((4, -1), order="F"),
    "reshape to one": lambda p, a, b, c: a.reshape(-1),
    "reshape to four": lambda p, a, b, c: a.reshape(1, 2, 3, 4),
    "coordinates": lambda p, a, b, c: a.reshape(2, 12).coords[0],
    "dtype of coordinates": lambda p, a, b, c: a.coords[0].dtype,
    "sum": lambda p, a, b, c: a.sum(),
    "sum of axis 0": lambda p, a, b, c: a.sum(axis=0),
    "sum of axis 2": lambda p, a, b, c: a.sum(axis=2),
    "sum of two": lambda p, a, b, c: a.sum(axis=(0, 2)),
    "mean": lambda p, a, b, c: a.mean(axis=-2),
    "add": lambda p, a, b, c: a + b,
    "subtract": lambda p, a, b, c: a - b,
    "multiply": lambda p, a, b, c: a * b,
    "twice": lambda p, a, b, c: a * 2,
    "half": lambda p, a, b, c: a / 2,
    "multiply dense": lambda p, a, b, c: a * b.toarray(),
    "multiply broadcast": lambda p, a, b, c: a.multiply(b.toarray()[:1]),
    "add dense": lambda p, a, b, c: a + b.toarray(),
    "greater": lambda p, a, b, c: a > b,
    "at least": lambda p, a, b, c: a >= b,
    "equal 2": lambda p, a, b, c: a == 2,
    "maximum": lambda p, a, b, c: a.maximum(b),
    "maximum 0": lambda p, a, b, c: a.maximum(0),
    "divide": lambda p, a, b, c: a / b.multiply(b),
    "shapes": lambda p, a, b, c: a + c,
    "stack with stack": lambda p, a, b, c: a @ c,
    "stack with dense": lambda p, a, b, c: a @ c.toarray(),
    "stack with dense matrix": lambda p, a, b, c: a @ c.toarray()[0],
    "stack with matrix": lambda p, a, b, c: a @ p.coo_array(c.toarray()[0]),
    "stack with vector": lambda p, a, b, c: a @ c.toarray()[0, :, 0],
    "stack with sparse vector": lambda p, a, b, c: (
        a @ p.coo_array(c.toarray()[0, :, 0])
    ),
    "dense with stack": lambda p, a, b, c: a.toarray() @ c,
    "matrix with stack": lambda p, a, b, c: p.coo_array(a.toarray()[0]) @ c,
    "dense matrix with stack": lambda p, a, b, c: a.toarray()[0] @ c,
    "vector with stack": lambda p, a, b, c: a.toarray()[0, 0] @ c,
    "lengths": lambda p, a, b, c: a @ b,
    "batches": lambda p, a, b, c: p.coo_array(np.ones((3, 3, 4))) @ c,
    "broadcast batches": lambda p, a, b, c: (
        a.reshape(2, 1, 3, 4) @ c.reshape(1, 2, 4, 2)
    ),
    "dot": lambda p, a, b, c: a.dot(c),
    "dot dense": lambda p, a, b, c: p.xp.asarray(a.dot(c.toarray())),
    "abs": lambda p, a, b, c: abs(a),
    "neg": lambda p, a, b, c: -a,
    "power": lambda p, a, b, c: a**2,
    "sqrt": lambda p, a, b, c: abs(a).sqrt(),
    "astype": lambda p, a, b, c: a.astype("f4"),
    "csr": lambda p, a, b, c: a.tocsr(),
    "csc": lambda p, a, b, c: a.tocsc(),
    "text": lambda p, a, b, c: str(a),
    "nonzero": lambda p, a, b, c: a.nonzero()[2],
    "count": lambda p, a, b, c: int(a.count_nonzero()),
    "copy": lambda p, a, b, c: a.copy(),
    "pickle": lambda p, a, b, c: pickle.loads(pickle.dumps(a)),
    "diagonal": lambda p, a, b, c: a.diagonal(),
    "resize": lambda p, a, b, c: a.resize(2, 2),
}


@pytest.mark.parametrize("operation", AXES)
def test_of_three_axes(operation):
    pairs = make((2, 3, 4), 0), make((2, 3, 4), 1), make((2, 4, 2), 2)
    check_call(AXES[operation], *pairs)


def test_matrix_transpose():
    theirs, ours = make((2, 3, 4), 0)
    check(ours.mT, theirs.transpose((0, 2, 1)))
    with pytest.raises(ValueError, match="ndim < 2"):
        sparse.coo_array(cp.ones(3)).mT  # noqa: B018


def test_resize():
    for shape in ((3, 4), (9, 9), (2, 12), (6,), (40,)):

        def f(p, a):
            a.resize(*shape)  # noqa: B023
            return a

        check_call(f, pair("coo_array", (5, 7), messy=False), where=str(shape))
    vector = np.array([0, 2.0, 0, 3])
    for shape in ((2, 2), (2, 3), (1, 4)):
        a = scipy_sparse.coo_array(vector), sparse.coo_array(vector)
        check_call(f_resize(shape), a, where=str(shape))
    shorter = sparse.coo_array(vector)
    shorter.resize(1, 2)  # SciPy's raises an error: the indices do not fit
    assert shorter.toarray().tolist() == [[0, 2]]


def f_resize(shape):
    def f(p, a):
        a.resize(*shape)
        return a

    return f


def test_products_broadcast_over_dense():
    a = pair("coo_array", (1, 5), messy=False)
    check_call(lambda p, x, y: x.multiply(y), a, dense(np.arange(15.0).reshape(3, 5)))
