"""An axis last, and in its place again."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy.signal._rows import along, as_rows, rows_of, shape_along


@pytest.mark.parametrize("axis", [0, 1, 2, -3])
def test_there_and_back(axis):
    x = np.arange(24).reshape(2, 3, 4)
    rows = rows_of(cp.array(x), axis, "f")
    assert rows.flags.c_contiguous
    assert rows.dtype == "f"
    np.testing.assert_array_equal(rows.get(), x.swapaxes(axis, -1))
    back = along(rows, axis)
    assert back.flags.c_contiguous
    np.testing.assert_array_equal(back.get(), x)
    assert shape_along(x.shape, axis, 9) == (*x.shape[:axis], 9, *x.shape[axis:][1:])


def test_rows_that_are_such_are_themselves():
    x = cp.ones((3, 4))
    assert rows_of(x, -1) is x
    assert rows_of(x, 1, float) is x
    assert along(x, -1) is x
    assert rows_of(x[:, ::2], -1).flags.c_contiguous


def test_two_axes():
    assert as_rows(cp.ones((2, 3, 4))).shape == (6, 4)
    assert as_rows(cp.ones(4)).shape == (1, 4)
    assert as_rows(cp.ones((2, 0, 4))).shape == (0, 4)


def test_axis_out_of_bounds():
    for axis in (2, -3):
        with pytest.raises(np.exceptions.AxisError):
            rows_of(cp.ones((2, 2)), axis)
