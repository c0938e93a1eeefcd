"""What `__cuda_array_interface__` describes, read: shapes, strides, streams, memory."""

import numpy as np
import pytest

import cupric as cp
from cupric._creation import foreign

A = np.arange(60.0).reshape(3, 4, 5)
VIEWS = {
    "C": lambda v: v,
    "transposed": lambda v: v.T,
    "part": lambda v: v[1:, ::3],
    "backwards": lambda v: v[::-1, 1:3, ::-2],
    "empty": lambda v: v[:0],
    "scalar": lambda v: v[1, 2, 3],
}


def described(x, **more):
    return {
        "shape": x.shape,
        "strides": None if x.flags.c_contiguous else x.strides,
        "typestr": x.dtype.str,
        "data": (x.data.ptr if x.size else 0, False),
        "version": 3,
    } | more


class Foreign:
    def __init__(self, description):
        self.__cuda_array_interface__ = description


@pytest.mark.parametrize("view", VIEWS)
def test_layouts(view):
    x = VIEWS[view](cp.asarray(A))
    y = foreign.from_foreign(Foreign(described(x)))
    np.testing.assert_array_equal(y.get(), VIEWS[view](A))
    assert y.strides == x.strides
    if y.size:
        assert y.data.ptr == x.data.ptr
        y += 1
        np.testing.assert_array_equal(x.get(), VIEWS[view](A) + 1)


@pytest.mark.parametrize("stream", [None, 0, 1, 2])
def test_streams(stream):
    x = cp.asarray(A)
    y = foreign.from_foreign(Foreign(described(x, stream=stream)))
    assert float(y.sum()) == A.sum()


def test_read_only():
    x = cp.asarray(A)
    y = foreign.from_foreign(Foreign(described(x, data=(x.data.ptr, True))))
    with pytest.raises(ValueError, match="read-only"):
        y[0] = 1


def test_masks_are_not_supported():
    with pytest.raises(ValueError, match="mask"):
        foreign.from_foreign(Foreign(described(cp.asarray(A), mask=object())))


@pytest.mark.parametrize("address", [-1, 0, 1 << 63, (1 << 64) - 8])
def test_addresses_that_cannot_be(address):
    description = described(cp.asarray(A), data=(address, False))
    with pytest.raises(ValueError, match="address"):
        foreign.from_foreign(Foreign(description))


def test_misaligned_address():
    x = cp.asarray(A)
    description = described(x, shape=(2,), strides=None, data=(x.data.ptr + 1, False))
    with pytest.raises(ValueError, match="aligned"):
        foreign.from_foreign(Foreign(description))
    description["typestr"] = "|u1"
    assert foreign.from_foreign(Foreign(description)).size == 2


@pytest.mark.only_on("cuda")
def test_exported_versions(monkeypatch):
    x = cp.asarray(A)
    assert x.__cuda_array_interface__["version"] == 3
    with cp.cuda.Stream.null:
        assert x.__cuda_array_interface__["stream"] == 1
    assert x[:0].__cuda_array_interface__["data"][0] == 0
    monkeypatch.setenv("CUPY_CUDA_ARRAY_INTERFACE_EXPORT_VERSION", "2")
    old = x.__cuda_array_interface__
    assert old["version"] == 2
    assert "stream" not in old


@pytest.mark.only_on("cuda")
def test_dlpack_to_the_host():
    x = cp.asarray(A)
    np.testing.assert_array_equal(np.from_dlpack(x, device="cpu"), A)
    np.testing.assert_array_equal(np.from_dlpack(x.T, device="cpu"), A.T)
    with pytest.raises(BufferError, match="without a copy"):
        x.__dlpack__(dl_device=(1, 0), copy=False)


@pytest.mark.parametrize("align", [False, True])
def test_structures(align):
    dtype = np.dtype([("a", "i4"), ("b", "f8"), ("c", "2i2")], align=align)
    want = np.array([(1, 2.0, (3, 4)), (5, 6.0, (7, 8))], dtype)
    x = cp.asarray(want)
    y = foreign.from_foreign(Foreign(described(x, descr=dtype.descr)))
    assert y.dtype == dtype
    assert str(y.get()) == str(want)
    plain = foreign.from_foreign(Foreign(described(x)))
    assert plain.dtype == f"V{dtype.itemsize}"


@pytest.mark.parametrize("dtype", ["M8[s]", "m8[3ms]"])
def test_times(dtype):
    x = cp.arange(3).view(dtype)
    y = foreign.from_foreign(Foreign(described(x, descr=x.dtype.descr)))
    assert y.dtype == dtype
    assert y.view("i8").tolist() == [0, 1, 2]
