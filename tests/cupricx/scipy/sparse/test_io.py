"""Sparse arrays in files, both ways with SciPy."""

import io

import numpy as np
import pytest
import scipy.sparse

import cupric as cp
from cupricx.scipy import sparse

FORMATS = ("csr", "csc", "coo", "dia", "bsr")
x = np.array([[1.0, 0, 0, 0], [0, 2, 0, 3]])


def same(a, b):
    assert type(a).__name__ == type(b).__name__
    assert (a.shape, a.dtype) == (b.shape, b.dtype)
    for name in ("data", "indices", "indptr", "row", "col", "offsets"):
        if hasattr(b, name):
            left, right = getattr(a, name), getattr(b, name)
            assert left.dtype == right.dtype
            np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("compressed", [True, False])
def test_both_ways(format, kind, compressed):
    host = getattr(scipy.sparse, f"{format}_{kind}")(x)
    device = getattr(sparse, f"{format}_{kind}")(host)
    file = io.BytesIO()
    sparse.save_npz(file, device, compressed)
    file.seek(0)
    same(scipy.sparse.load_npz(file), device.get())
    file.seek(0)
    same(sparse.load_npz(file).get(), device.get())
    file = io.BytesIO()
    scipy.sparse.save_npz(file, host, compressed)
    file.seek(0)
    same(sparse.load_npz(file).get(), host)


@pytest.mark.parametrize("shape", [(3,), (2, 3, 2)])
def test_other_numbers_of_axes(shape):
    host = scipy.sparse.coo_array(np.arange(np.prod(shape)).reshape(shape))
    file = io.BytesIO()
    sparse.save_npz(file, sparse.coo_array(host))
    file.seek(0)
    again = scipy.sparse.load_npz(file)
    np.testing.assert_array_equal(again.toarray(), host.toarray())
    file = io.BytesIO()
    scipy.sparse.save_npz(file, host)
    file.seek(0)
    np.testing.assert_array_equal(sparse.load_npz(file).toarray().get(), host.toarray())


def test_names_of_files(tmp_path):
    sparse.save_npz(tmp_path / "x", sparse.csr_array(cp.asarray(x)))
    found = sparse.load_npz(str(tmp_path / "x.npz"))
    assert found.toarray().tolist() == x.tolist()


def test_half_precision():
    file = io.BytesIO()
    sparse.save_npz(file, sparse.csr_array(cp.asarray(x, "e")))
    file.seek(0)
    assert sparse.load_npz(file).dtype == np.float16


def test_errors():
    with pytest.raises(TypeError, match="sparse array of the device"):
        sparse.save_npz(io.BytesIO(), scipy.sparse.csr_array(x))
    for content, message in (
        ({"a": 1}, "does not contain"),
        ({"format": "x"}, "Unknown"),
    ):
        file = io.BytesIO()
        np.savez(file, **content)
        file.seek(0)
        with pytest.raises(ValueError, match=message):
            sparse.load_npz(file)
