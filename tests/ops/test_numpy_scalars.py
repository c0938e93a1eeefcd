"""NumPy's scalars on the left of an operator, where NumPy makes an array of them."""

import operator

import numpy as np
import pytest

import cupric as cp

COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]
ARITHMETIC = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]
SCALARS = [np.int64(2), np.float32(1.5), np.float64(2), np.bool_(True), np.uint8(3)]


@pytest.mark.parametrize("name", COMPARISONS + ARITHMETIC)
@pytest.mark.parametrize("scalar", SCALARS, ids=lambda s: s.dtype.name)
def test_scalar_on_the_left(name, scalar):
    function = getattr(operator, name)
    x = np.arange(1, 5)
    expected = function(scalar, x)
    result = function(scalar, cp.asarray(x))
    assert isinstance(result, cp.ndarray)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result.get(), expected)


def test_arrays_are_refused():
    for operation in (operator.eq, operator.add):
        with pytest.raises(TypeError, match="Unsupported type"):
            operation(np.arange(3), cp.arange(3))
