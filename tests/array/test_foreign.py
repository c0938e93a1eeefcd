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
