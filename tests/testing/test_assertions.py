"""cupric.testing: NumPy's assertions about arrays of either kind."""

import numpy as np
import pytest

import cupric as cp
from cupric import testing

CASES = {
    testing.assert_allclose: ([1.0, 2.0], [1.0, 2.0 + 1e-9], [1.0, 2.1]),
    testing.assert_array_equal: ([1.0, np.nan], [1.0, np.nan], [1.0, 2.0]),
    testing.assert_array_almost_equal: ([1.0, 2.0], [1.0, 2.0 + 1e-8], [1.0, 2.1]),
    testing.assert_array_almost_equal_nulp: ([1.0], [1.0 + 2.0**-52], [1.1]),
    testing.assert_array_max_ulp: ([1.0], [1.0 + 2.0**-52], [1.1]),
    testing.assert_array_less: ([1.0, 2.0], [2.0, 3.0], [2.0, 2.0]),
}


@pytest.mark.parametrize("check", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [(cp, cp), (cp, np), (np, cp)])
def test_assertions(check, make):
    x, y, other = CASES[check]
    check(make[0].array(x), make[1].array(y))
    with pytest.raises(AssertionError):
        check(make[0].array(x), make[1].array(other))


def test_tolerances_may_be_on_the_device():
    x, y = cp.ones(3), [1, 1, 1.05]
    testing.assert_allclose(x, y, rtol=cp.asarray(0.0), atol=cp.asarray(0.1))
    with pytest.raises(AssertionError):
        testing.assert_allclose(x, y, rtol=cp.asarray(0.0), atol=cp.asarray(0.01))


def test_strict_and_strides():
    x = cp.ones((2, 2), "f")
    testing.assert_array_equal(x, np.ones((2, 2)))
    testing.assert_array_equal(x, 1)
    with pytest.raises(AssertionError):
        testing.assert_array_equal(x, np.ones((2, 2)), strict=True)
    with pytest.raises(AssertionError, match="Strides"):
        testing.assert_array_equal(x, x.T, strides_check=True)


def test_lists():
    testing.assert_array_list_equal([cp.ones(2), 3], [np.ones(2), 3])
    for other in ([np.ones(2)], [np.ones(2), 4]):
        with pytest.raises(AssertionError):
            testing.assert_array_list_equal([cp.ones(2), 3], other)


@pytest.mark.parametrize("dtype", ["?", "i2", "f", "D"])
@pytest.mark.parametrize("make", ["arange", "reverse_arange", "random"])
def test_arrays_are_the_same_of_both(make, dtype):
    make = getattr(testing, "shaped_" + make)
    x, expected = make((2, 3), cp, dtype), make((2, 3), np, dtype)
    assert isinstance(x, cp.ndarray)
    np.testing.assert_array_equal(x.get(), expected, strict=True)
    assert expected.shape == (2, 3)
    assert expected.dtype == dtype


def test_values():
    one_up = testing.shaped_arange((2, 2), np, order="F")
    assert one_up.tolist() == [[1, 2], [3, 4]]
    assert one_up.flags.f_contiguous
    assert testing.shaped_reverse_arange((3,), np).tolist() == [3, 2, 1]
    assert testing.shaped_linspace(0, 1, (2, 3), np).tolist() == [[0, 0.5, 1]] * 2


def test_memoize():
    calls = []

    @cp.memoize(for_each_device=True)
    def square(x, *, add=0):
        calls.append(x)
        return x * x + add

    assert [square(2), square(2), square(2, add=1), square(3)] == [4, 4, 5, 9]
    assert calls == [2, 2, 3]
    cp.clear_memo()
    assert square(2) == 4
    assert calls == [2, 2, 3, 2]
