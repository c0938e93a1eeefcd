"""Sparse operations by cuSPARSE's names, beside scipy.sparse."""

import pickle

import numpy as np
import pytest

import cupric as cp
from cupricx import cusparse
from cupricx.scipy import sparse

theirs = pytest.importorskip("scipy.sparse")


@pytest.fixture(params="fdFD")
def dtype(request):
    return request.param


def numbers(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.integers(-4, 5, shape) * (rng.random(shape) < 0.4)
    return x.astype(dtype) * (1 + 1j if dtype in "FD" else 1)


def matrix(shape, dtype, seed=0, format="csr"):
    """The same matrix as NumPy's array, and ours."""
    x = numbers(shape, dtype, seed).astype(dtype)
    return x, cusparse.denseToSparse(cp.asarray(x), format)


def agree(found, expected, dtype=None):
    found = found.toarray() if sparse.issparse(found) else found
    np.testing.assert_array_equal(found.get(), expected)
    assert dtype is None or found.dtype == dtype


@pytest.mark.parametrize("trans", [False, True])
def test_vectors(dtype, trans):
    for name, format in [("csrmv", "csr"), ("spmv", "csc"), ("spmv", "coo")]:
        x, a = matrix((7, 5), dtype, format=format)
        x = x.T if trans else x
        v, w = (numbers(n, dtype, 1).astype(dtype) for n in x.shape[::-1])
        call = getattr(cusparse, name)
        agree(call(a, cp.asarray(v), transa=trans), x @ v, dtype)
        y = cp.asarray(w)
        assert call(a, cp.asarray(v), y, 2, 3, trans) is y
        agree(y, 2 * (x @ v) + 3 * w, dtype)


@pytest.mark.parametrize("trans", [False, True])
@pytest.mark.parametrize("transb", [False, True])
def test_matrices(dtype, trans, transb):
    for name in ("csrmm", "csrmm2", "spmm"):
        if name == "csrmm" and transb:
            continue
        x, a = matrix((7, 5), dtype)
        x = x.T if trans else x
        b = numbers((x.shape[1], 3), dtype, 1).astype(dtype)
        c = numbers((x.shape[0], 3), dtype, 2).astype(dtype)
        more = {"transa": trans} | ({"transb": transb} if name != "csrmm" else {})
        second = cp.asarray(b.T.copy() if transb else b)
        call = getattr(cusparse, name)
        made = call(a, second, **more)
        agree(made, x @ b, dtype)
        assert made.flags.f_contiguous
        y = cp.asarray(c)
        assert call(a, second, y, 2, 3, **more) is y
        agree(y, 2 * (x @ b) + 3 * c, dtype)


def test_sparse_products(dtype):
    (x, a), (y, b), (z, d) = (
        matrix(s, dtype, i) for i, s in enumerate([(7, 5), (5, 6), (7, 6)])
    )
    agree(cusparse.csrgemm(a, b), x @ y, dtype)
    agree(cusparse.csrgemm(a, d, transa=True), x.T @ z, dtype)
    agree(cusparse.csrgemm(d, b, transb=True), z @ y.T, dtype)
    agree(cusparse.spgemm(a, b, alpha=2), 2 * (x @ y), dtype)
    agree(cusparse.csrgemm2(a, b), x @ y, dtype)
    agree(cusparse.csrgemm2(a, b, d, 2, 3), 2 * (x @ y) + 3 * z, dtype)


def test_sums(dtype):
    (x, a), (y, b) = (matrix((7, 5), dtype, i) for i in range(2))
    for name in ("csrgeam", "csrgeam2", "spgeam"):
        made = getattr(cusparse, name)(a, b, 2, -3)
        assert made.format == "csr"
        agree(made, 2 * x - 3 * y, dtype)
    with pytest.raises(ValueError, match="shapes"):
        cusparse.csrgeam(a, a.T.tocsr())


CONVERSIONS = [
    ("coo2csr", "coo", "csr"),
    ("coo2csc", "coo", "csc"),
    ("csr2csc", "csr", "csc"),
    ("csr2cscEx2", "csr", "csc"),
    ("csc2csr", "csc", "csr"),
    ("csc2csrEx2", "csc", "csr"),
]


@pytest.mark.parametrize(("name", "first", "second"), CONVERSIONS)
def test_formats(name, first, second):
    x, a = matrix((7, 5), "d", format=first)
    made = getattr(cusparse, name)(a)
    assert made.format == second
    agree(made, x)
    wrong = matrix((7, 5), "d", format=second)[1]
    with pytest.raises(TypeError, match=f"{first}_matrix"):
        getattr(cusparse, name)(wrong)


def test_coordinates():
    for name, format in (("csr2coo", "csr"), ("csc2coo", "csc")):
        x, a = matrix((7, 5), "d", format=format)
        made = getattr(cusparse, name)(a, a.data, a.indices)
        assert made.format == "coo"
        agree(made, x)


def test_dense():
    for name, format in (("csr2dense", "csr"), ("csc2dense", "csc")):
        x, a = matrix((7, 5), "d", format=format)
        for call in (getattr(cusparse, name), cusparse.sparseToDense):
            assert call(a).flags.f_contiguous
            agree(call(a), x, "d")
            out = cp.ones((7, 5), order="F")
            assert call(a, out) is out
            agree(out, x)
            with pytest.raises(ValueError, match="out"):
                call(a, out.T)
    agree(cusparse.dense2csr(cp.asarray(x)), x)
    assert cusparse.dense2csc(cp.asarray(x)).format == "csc"
    with pytest.raises(TypeError, match="format"):
        cusparse.denseToSparse(cp.asarray(x), "dia")


def test_compressed_by_size():
    x, a = matrix((7, 5), "d")
    made = cusparse.csr2csr_compress(a, 2)
    agree(made, np.where(abs(x) > 2, x, 0))
    assert made.nnz == np.count_nonzero(abs(x) > 2)


def test_sorts():
    indices = cp.array([3, 0, 2, 1, 0], "i")
    data = cp.array([1.0, 2, 3, 4, 5])
    for kind, sort in ((sparse.csr_matrix, "csrsort"), (sparse.csc_matrix, "cscsort")):
        a = kind((data.copy(), indices.copy(), cp.array([0, 3, 5], "i")))
        getattr(cusparse, sort)(a)
        assert a.indices.tolist() == [0, 2, 3, 0, 1]
        assert a.data.tolist() == [2, 3, 1, 5, 4]
    rows = cp.array([1, 0, 1, 0, 0], "i")
    for by in ("r", "c"):
        cols = cp.array([2, 1, 0, 1, 0], "i")
        a = sparse.coo_matrix((data.copy(), (rows.copy(), cols.copy())))
        expected = np.lexsort(
            (cols.get(), rows.get()) if by == "r" else (rows.get(), cols.get())
        )
        cusparse.coosort(a, by)
        assert a.data.tolist() == data.get()[expected].tolist()
        assert a.row.tolist() == rows.get()[expected].tolist()
        assert a.col.tolist() == cols.get()[expected].tolist()
    with pytest.raises(ValueError, match="sort_by"):
        cusparse.coosort(a, "x")


def test_availability():
    assert cusparse.getVersion() > 0
    for name in ("spmv", "spgemm", "csrmm2"):
        assert cusparse.check_availability(name)
    assert not cusparse.check_availability("spsm")
    with pytest.raises(ValueError, match="nothing_like_it"):
        cusparse.check_availability("nothing_like_it")


def test_descriptors():
    d = cusparse.MatDescriptor.create()
    d.set_mat_type(3)
    d.set_mat_fill_mode(1)
    d.set_mat_diag_type(1)
    d.set_mat_index_base(1)
    assert pickle.loads(pickle.dumps(d)).descriptor == d.descriptor
    x, a = matrix((7, 5), "d")
    s = cusparse.SpMatDescriptor.create(a)
    s.set_attribute("fill_mode", 1)
    assert s.desc["matrix"] is a
    assert isinstance(s, cusparse.BaseDescriptor)
    cusparse.DnVecDescriptor.create(a.data)
    cusparse.DnMatDescriptor.create(cp.asarray(x))
    cusparse.SpVecDescriptor.create(a.indices, a.data)
    with pytest.raises(TypeError, match="sparse matrix"):
        cusparse.SpMatDescriptor.create(a.data)
    ended = []
    del_me = cusparse.BaseDescriptor(7, destroyer=ended.append)
    del del_me
    assert ended == [7]
