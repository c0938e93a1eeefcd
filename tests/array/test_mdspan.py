"""ndarray.mdspan: arrays as kernels take them by value."""

import numpy as np
import pytest

import cupric as cp

# As cuda::std::mdspan with layout_stride lies in memory.
SOURCE = """
template <typename T, typename I, int N> struct span {
    T *data;
    I extents[N], strides[N];
};

template <typename I> __global__ void copy(span<const int, I, 2> from, int *to)
{
    for (I i = 0; i < from.extents[0]; i++)
        for (I j = 0; j < from.extents[1]; j++)
            *to++ = from.data[i * from.strides[0] + j * from.strides[1]];
}
"""
VIEWS = {
    "dense": lambda a: a,
    "transposed": lambda a: a.T,
    "steps": lambda a: a[1::2, ::3],
    "one row": lambda a: a[2:3],
    "backwards": lambda a: a[::-1, ::-2],
}


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("name", VIEWS)
def test_kernels_take_them(name, index):
    view = VIEWS[name]
    a = np.arange(40, dtype=np.int32).reshape(5, 8)
    x = view(cp.asarray(a))
    names = {"int32": "copy<int>", "int64": "copy<long long>"}
    module = cp.RawModule(code=SOURCE, name_expressions=tuple(names.values()))
    made = cp.empty(x.shape, np.int32)
    span = x.mdspan(index_type=index, allow_unsafe=name == "backwards")
    module.get_function(names[index])((1,), (1,), (span, made))
    np.testing.assert_array_equal(made.get(), view(a))


def test_what_it_holds():
    x = cp.zeros((2, 3), "f4").T
    span = x.mdspan(index_type=np.int32)
    assert span.itemsize == 8 + 4 * 4
    assert span["data"] == x.data.ptr
    assert (span["extents"].tolist(), span["strides"].tolist()) == ([3, 2], [1, 3])
    assert x[0].mdspan(index_type=np.int64).itemsize == 8 + 2 * 8
    assert x[0, 0].mdspan(index_type=np.int64).itemsize == 8
    assert cp.zeros((0, 3)).mdspan(index_type="i8")["extents"].tolist() == [0, 3]


def test_what_is_refused():
    x = cp.zeros((2, 3))
    with pytest.raises(
        TypeError, match="index_type must be int32 or int64, not uint32"
    ):
        x.mdspan(index_type=np.uint32)
    with pytest.raises(TypeError):
        x.mdspan()
    with pytest.raises(ValueError, match="negative"):
        x[::-1].mdspan(index_type=np.int32)
    large = cp.broadcast_to(cp.zeros(()), (1 << 31,))
    assert large.mdspan(index_type=np.int64)["extents"] == 1 << 31
    with pytest.raises(ValueError, match="int32 is too small"):
        large.mdspan(index_type=np.int32)
    inside = cp.zeros(3, "i8,i4,i4,i8,i8")["f0"]  # 32 bytes apart
    assert inside.mdspan(index_type="i8")["strides"] == 4
