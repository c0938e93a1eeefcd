"""ndarray.byteswap beside NumPy's."""

import numpy as np
import pytest

import cupric as cp

VIEWS = {
    "whole": lambda a: a,
    "transposed": lambda a: a.T,
    "strided": lambda a: a[:, ::2],
    "backwards": lambda a: a[::-1],
    "row": lambda a: a[1],
    "number": lambda a: a[1, 2],
    "none": lambda a: a[:0],
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("dtype", [*"?bBhHiIlLefdFD", "M8[s]", "m8[ms]"])
def test_byteswap(dtype, view):
    a = np.arange(3000).reshape(60, 50).astype(dtype)
    if dtype in "efdFD":
        a -= a.dtype.type(1.7)
    x = cp.array(a)
    before, expected = a.copy(), np.asarray(view(a).byteswap())
    made = view(x).byteswap()
    assert made.dtype == expected.dtype
    assert made.shape == expected.shape
    assert made.tobytes() == expected.tobytes()
    assert x.tobytes() == before.tobytes()
    part = view(x)
    assert part.byteswap(True) is part
    inside = view(a)
    if isinstance(inside, np.ndarray):
        inside.byteswap(True)
        assert x.tobytes() == a.tobytes()


def test_read_only():
    x = cp.arange(3)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x.byteswap(inplace=True)
    assert x.byteswap().byteswap().tolist() == [0, 1, 2]


STRUCTURES = [
    "i4,f8",
    "i1,f8,V3",
    [("a", "i4"), ("b", "(2,)i2"), ("c", [("d", "f8"), ("e", "(2, 2)F")])],
    [("a", "m8[s]"), ("b", "?"), ("c", "M8[D]")],
    "V4",
    "V7",
]


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("dtype", STRUCTURES, ids=str)
def test_structures_swap_each_field(dtype, view):
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(0)
    a = np.frombuffer(rng.bytes(12 * dtype.itemsize), dtype).reshape(3, 4).copy()
    if "?" in str(dtype):
        a["b"] = True
    x = cp.array(a)
    expected = np.asarray(view(a)).byteswap()
    made = view(x).byteswap()
    assert (made.dtype, made.shape) == (dtype, expected.shape)
    assert made.get().tobytes() == expected.tobytes()
    assert x.get().tobytes() == a.tobytes()
    part = view(x)
    assert part.byteswap(inplace=True) is part
    assert part.get().tobytes() == expected.tobytes()


def test_read_only_structures():
    x = cp.zeros(3, "i4,f8")
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x.byteswap(inplace=True)
