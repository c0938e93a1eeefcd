"""Elements of foreign byte order are turned round on the way in."""

import numpy as np
import pytest

import cupric as cp

DTYPES = ["?", "i1", ">i2", ">u2", ">i4", ">u4", ">i8", ">u8", ">f2", ">f4", ">f8"]
DTYPES += [">c8", ">c16", ">M8[s]", ">m8[ms]"]
STRUCTURE = np.dtype([("a", ">i4"), ("s", [("x", "<f8"), ("y", ">2u2")])])


@pytest.mark.parametrize("make", [cp.array, cp.asarray, cp.asanyarray])
@pytest.mark.parametrize("dtype", DTYPES)
def test_turned(device, make, dtype):
    x = np.arange(6).astype(dtype).reshape(2, 3)
    for source in (x, x.T, x[:, ::-1], x[:0], x[0, 1]):
        got = make(source)
        assert got.dtype == source.dtype.newbyteorder("=")
        np.testing.assert_array_equal(got.get(), source)


def test_fields_turned(device):
    x = np.zeros(3, STRUCTURE)
    x["a"], x["s"]["x"], x["s"]["y"] = [1, 2, 3], 2.5, [[1, 2], [3, 4], [5, 6]]
    got = cp.asarray(x)
    assert got.dtype == STRUCTURE.newbyteorder("=")
    assert str(got.get()) == str(x)


def test_to_another_dtype(device):
    x = np.arange(4).astype(">i8")
    np.testing.assert_array_equal(cp.asarray(x, dtype="f4").get(), x.astype("f4"))
    np.testing.assert_array_equal(cp.asarray([x, x]).get(), [x, x])


def test_arrays_are_native(device):
    with pytest.raises(TypeError, match="native byte order"):
        cp.zeros(3, ">f8")
