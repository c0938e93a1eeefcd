"""How dtypes of nested sequences and memory of two arrays are asked for."""

import numpy as np
import pytest

import cupric as cp


def test_min_scalar_type_of_nested_sequences():
    x, y = cp.zeros(2, "f4"), cp.zeros(2, "i2")
    assert cp.min_scalar_type((x, x)) == "f4"
    assert cp.min_scalar_type([x, y]) == "f4"
    assert cp.min_scalar_type([[y, np.zeros(2, "i4")], [y, y]]) == "i4"
    for plain in (300, -1, 1.5, [1, 2], (3, 3)):
        assert cp.min_scalar_type(plain) == np.min_scalar_type(plain)


@pytest.mark.parametrize("name", ["shares_memory", "may_share_memory"])
def test_work_by_its_name(name):
    f = getattr(cp, name)
    x = cp.arange(6)
    assert f(x, x[3:], "MAY_SHARE_BOUNDS") is True
    assert f(x[::2], x[1::2], "MAY_SHARE_BOUNDS") is True
    assert f(x[::2], x[1::2], "MAY_SHARE_EXACT") is False
    with pytest.raises((ValueError, TypeError)):
        f(x, x, "NO_SUCH_WORK")
