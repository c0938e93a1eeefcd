"""cupric.fuse: the function itself, however it is marked."""

import pickle

import numpy as np
import pytest

import cupric as cp


@cp.fuse
def plain(x, y):
    """The square of the difference."""
    return (x - y) * (x - y)


@cp.fuse()
def called(x, y):
    return (x - y) * (x - y)


@cp.fuse(kernel_name="squared_diff")
def named(x, y):
    return (x - y) * (x - y)


def bare(x, y):
    return (x - y) * (x - y)


FUSED = {"plain": plain, "called": called, "named": named}


@pytest.mark.parametrize("name", FUSED)
@pytest.mark.parametrize("dtype", ["b", "i4", "u8", "e", "f4", "f8", "F"])
def test_values_and_dtypes_are_those_of_the_separate_calls(name, dtype):
    x = cp.arange(12).reshape(3, 4).astype(dtype)
    y = cp.ones(4, dtype="i2")
    for a, b in [(x, y), (x, 2), (2.5, x), (x, np.float32(3)), (x, x.T[0, 0])]:
        z, expected = FUSED[name](a, b), (a - b) * (a - b)
        assert z.dtype == expected.dtype
        np.testing.assert_array_equal(z.get(), expected.get())


def test_numbers_and_numpy_arrays():
    assert plain(5, 2) == 9
    assert type(plain(5, 2)) is int
    r = called(np.arange(3), 1.0)
    assert type(r) is np.ndarray
    np.testing.assert_array_equal(r, [1, 0, 1])


def test_attributes():
    assert (plain.name, called.name, named.name) == ("plain", "called", "squared_diff")
    assert plain.__name__ == "plain"
    assert plain.__doc__ == "The square of the difference."
    assert plain.__module__ == __name__
    assert named.func(3, 1) == 4
    assert named.__wrapped__ is named.func
    assert cp.fuse(bare).func is bare
    assert cp.fuse(bare, "other").name == "other"
    assert cp.fuse(bare, kernel_name="third").name == "third"
    assert repr(named) == "<Fusion 'squared_diff'>"
    named.clear_cache()
    assert pickle.loads(pickle.dumps(named)) is named


def test_truth_is_pythons():
    @cp.fuse()
    def larger(x, y):
        if (x > y).any():
            return x
        return y

    x, y = cp.arange(3), cp.array([0, 5, 1])
    assert larger(x, y) is x
    assert larger(x, 10) == 10
    with pytest.raises(ValueError, match="ambiguous"):
        cp.fuse(lambda x: 1 if x > 1 else 0)(x)


def test_reductions_outputs_in_place_and_nesting():
    @cp.fuse()
    def norm(x):
        return cp.sqrt(cp.sum(plain(x, 0), axis=0))

    @cp.fuse()
    def two(x, y):
        x += y
        return x, x * 2

    x = cp.array([[3.0, 0.0], [4.0, 2.0]])
    np.testing.assert_array_equal(norm(x).get(), [5, 2])
    a, b = two(x, 1)
    assert a is x
    np.testing.assert_array_equal(b.get(), [[8, 2], [10, 6]])
    np.testing.assert_array_equal(plain(y=x, x=0).get(), (x * x).get())


def test_methods():
    class Scaled:
        scale = 3

        @cp.fuse()
        def times(self, x):
            return x * self.scale

    np.testing.assert_array_equal(Scaled().times(cp.arange(3)).get(), [0, 3, 6])


def test_what_is_no_function():
    with pytest.raises(TypeError, match="function"):
        cp.fuse(3)
    with pytest.raises(TypeError, match="kernel_name"):
        cp.fuse(kernel_name=3)
    with pytest.raises(TypeError):
        cp.fuse(name="x")
