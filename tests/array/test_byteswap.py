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
