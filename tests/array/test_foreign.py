"""What `__cuda_array_interface__` describes, read: shapes, strides, streams, memory."""

import sys

import numpy as np
import pytest

import cupric as cp
from cupric._creation import _foreign as foreign

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
    def __init__(self, description, owner=None):
        self.__cuda_array_interface__ = description
        self.x = owner


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


class Offering:
    def __init__(self, x):
        self.x = x

    def __cupy_get_ndarray__(self):
        return self.x


# The two ways in which an object of another package offers an array.
OFFERS = {
    "interface": lambda x: Foreign(described(x), x),
    "method": Offering,
}
offers = pytest.mark.parametrize("offer", OFFERS.values(), ids=OFFERS)


@offers
def test_operands_of_kernels(offer):
    x, n = cp.asarray(A), A + 1
    add = cp.ElementwiseKernel("T x, T y", "T z", "z = x + y", "add_foreign")
    total = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "sum_foreign")
    for a, b in ((offer(x), x + 1), (x, offer(x + 1)), (offer(x), offer(x + 1))):
        np.testing.assert_array_equal(add(a, b).get(), A + n)
    np.testing.assert_array_equal(total(offer(x), axis=1).get(), A.sum(1))
    assert add(offer(x[:0]), 1).shape == (0, 4, 5)
    out = cp.empty_like(x)
    assert isinstance(add(x, x, offer(out)), cp.ndarray)
    np.testing.assert_array_equal(out.get(), A + A)
    out = cp.empty(())
    total(x, out=offer(out))
    assert float(out) == A.sum()


@offers
def test_operand_of_a_raw_kernel(offer):
    code = 'extern "C" __global__ void f(double *x) { x[threadIdx.x] += 1; }'
    x = cp.arange(6.0)
    cp.RawKernel(code, "f")((1,), (6,), (offer(x),))
    assert x.tolist() == [1, 2, 3, 4, 5, 6]


@offers
def test_errors_of_kernels_let_go_of_operands(offer):
    add = cp.ElementwiseKernel("T x, T y", "T z", "z = x + y", "add_foreign")
    total = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "sum_foreign")
    x = offer(cp.asarray(A))
    before = sys.getrefcount(x), sys.getrefcount(x.x)
    for call in (
        lambda: add(x, cp.zeros(3, "f4")),
        lambda: add(x, cp.zeros(3)),
        lambda: add(x, object()),
        lambda: add(x, 1, cp.empty(3)),
        lambda: add(x, 1, size=3),
        lambda: total(x, axis=7),
        lambda: total(x, cp.empty(7)),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()
    assert (sys.getrefcount(x), sys.getrefcount(x.x)) == before


def test_an_offer_that_fails_says_so_itself():
    class Broken:
        @property
        def __cuda_array_interface__(self):
            return {"shape": (2,), "typestr": "<f8", "data": (-1, False), "version": 3}

    add = cp.ElementwiseKernel("T x", "T z", "z = x + 1", "add_broken")
    for call in (add, cp.zeros, lambda x: add(cp.zeros(2), x)):
        with pytest.raises(ValueError, match="address"):
            call(Broken())


@offers
def test_shapes(offer):
    two, shape = cp.array(2), cp.array([2, 3])
    assert cp.zeros(offer(two)).shape == (2,)
    assert cp.zeros((3, offer(two))).shape == (3, 2)
    assert cp.empty(offer(shape)).shape == (2, 3)
    assert cp.arange(6).reshape(offer(shape)).shape == (2, 3)
    assert cp.full(offer(shape), offer(two)).tolist() == [[2] * 3] * 2
    with pytest.raises(TypeError):
        cp.zeros(offer(cp.array(2.5)))


@offers
def test_indices(offer):
    x = cp.asarray(A)
    index, mask = np.array([2, 0]), np.array([True, False, True])
    np.testing.assert_array_equal(x[offer(cp.array(index))].get(), A[index])
    np.testing.assert_array_equal(x[offer(cp.array(mask))].get(), A[mask])
    np.testing.assert_array_equal(x[[offer(cp.array(2)), 0]].get(), A[[2, 0]])
    np.testing.assert_array_equal(x[:, offer(cp.array(1))].get(), A[:, 1])
    y = cp.zeros(3)
    y[[offer(cp.array(2))]] = offer(cp.array(7))
    assert y.tolist() == [0, 0, 7]
    with pytest.raises(IndexError):
        x[[object()]]


@offers
def test_nested_lists(offer):
    x = cp.asarray(A[0])
    np.testing.assert_array_equal(cp.array([offer(x), offer(x)]).get(), [A[0], A[0]])
    np.testing.assert_array_equal(
        cp.array([[offer(cp.array(1)), 2], (3, offer(cp.array(4)))]).get(),
        [[1, 2], [3, 4]],
    )


@offers
def test_products(offer):
    x, n = cp.asarray(A[0]), A[0]
    np.testing.assert_allclose((x @ offer(x.T)).get(), n @ n.T)
    np.testing.assert_allclose((offer(x) @ x.T).get(), n @ n.T)
    np.testing.assert_allclose(cp.dot(offer(x), offer(x.T)).get(), n @ n.T)
