"""NumPy arrays in pinned memory."""

import numpy as np
import pytest

import cupric as cp
import cupricx

MODELS = {
    "c": np.ones((2, 3)),
    "fortran": np.ones((2, 3), order="F"),
    "swapped": np.ones((2, 3, 4)).transpose(0, 2, 1),
    "scalar": np.ones(()),
    "empty": np.ones((3, 0)),
}


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("shape", [5, (), (0,), (2, 3), [2, 3]])
def test_new_arrays(shape, order):
    expected = np.zeros(shape, "f", order)
    x = cupricx.zeros_pinned(shape, "f", order)
    np.testing.assert_array_equal(x, expected, strict=True)
    assert x.flags.writeable
    empty = cupricx.empty_pinned(shape, "f", order)
    for made in (x, empty):
        assert made.strides == expected.strides
        assert (made.shape, made.dtype) == (expected.shape, expected.dtype)


@pytest.mark.parametrize("order", "CFAK")
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_arrays_like_others(model, order):
    expected = np.zeros_like(model, "i2", order)
    for a in (model, cp.empty_like(model)):
        x = cupricx.zeros_like_pinned(a, "i2", order)
        np.testing.assert_array_equal(x, expected, strict=True)
        if model.size:
            assert x.strides == expected.strides
    assert cupricx.empty_like_pinned(model, shape=(4,)).shape == (4,)
    assert cupricx.empty_like_pinned(model).dtype == model.dtype


def test_memory_is_of_the_pool():
    x = cupricx.empty_pinned(1000)
    assert cp.cuda.pinned_memory.is_memory_pinned(x.base)
    y = cp.array(x)
    np.testing.assert_array_equal(y.get(), x)


def test_mistakes():
    with pytest.raises(TypeError, match="subok"):
        cupricx.empty_like_pinned(np.ones(3), subok=True)
    with pytest.raises(ValueError, match="order"):
        cupricx.empty_like_pinned(np.ones(3), order="Q")
    with pytest.raises((ValueError, OverflowError, MemoryError)):
        cupricx.empty_pinned(-1)
