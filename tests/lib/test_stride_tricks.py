"""as_strided and sliding_window_view against NumPy."""

import numpy as np
import pytest

import cupric as cp

X = np.arange(60).reshape(3, 4, 5)
WINDOWS = [
    (3, 1),
    ((2, 3), (0, 2)),
    ((2, 2), (0, 0)),
    ((1, 2, 3), None),
    ((3, 4, 5), None),
    ((0,), (1,)),
    ((2,), -1),
    ((), ()),
    (np.int32(2), np.int64(0)),
]
BAD = [
    (2, None),
    ((2, 3), 1),
    (-1, 0),
    (6, 2),
    ((3, 2), (0, 0)),
    (4, 0),
    ((2, 2), (0, 5)),
    (2.0, 1),
]
VIEWS = {
    "as it is": lambda a: a,
    "transposed": lambda a: a.T,
    "backwards": lambda a: a[::-1, 1:, ::-2],
}


def strided(x):
    return x.lib.stride_tricks.as_strided


def windows(x):
    return x.lib.stride_tricks.sliding_window_view


def agree(mine, numpy):
    assert isinstance(mine, cp.ndarray)
    assert (mine.dtype, mine.shape) == (numpy.dtype, numpy.shape)
    assert mine.flags.writeable == numpy.flags.writeable
    np.testing.assert_array_equal(mine.get(), numpy)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "c16", "M8[s]"])
@pytest.mark.parametrize("writeable", [False, True])
def test_windows(view, dtype, writeable):
    a = (X % 2 if dtype == "?" else X).astype(dtype)
    mine, numpy = VIEWS[view](cp.asarray(a)), VIEWS[view](a)
    for shape, axis in [(2, 0), ((2, 1), (1, 2))]:
        agree(
            windows(cp)(mine, shape, axis, writeable=writeable),
            windows(np)(numpy, shape, axis, writeable=writeable),
        )


@pytest.mark.parametrize(("shape", "axis"), WINDOWS)
def test_window_shapes(shape, axis):
    agree(windows(cp)(cp.asarray(X), shape, axis), windows(np)(X, shape, axis))


@pytest.mark.parametrize(("shape", "axis"), BAD)
def test_windows_that_do_not_fit(shape, axis):
    with pytest.raises((ValueError, TypeError)) as theirs:
        windows(np)(X, shape, axis)
    with pytest.raises(theirs.type):
        windows(cp)(cp.asarray(X), shape, axis)


def test_windows_of_what_cannot_be_written():
    mine, numpy = (
        cp.broadcast_to(cp.arange(3), (2, 3)),
        np.broadcast_to(X[0, 0, :3], (2, 3)),
    )
    agree(windows(cp)(mine, 2, 1), windows(np)(numpy, 2, 1))
    assert not strided(cp)(mine, (3,), (8,)).flags.writeable


def test_windows_are_views():
    x = cp.zeros(5)
    w = windows(cp)(x, 3, writeable=True)
    w[1] = 7
    assert x.tolist() == [0, 7, 7, 7, 0]
    with pytest.raises(ValueError, match="read-only"):
        windows(cp)(x, 3)[1] = 7


CASES = [
    ((3, 2), (16, 8)),
    ((4, 4), (8, 8)),
    ((5,), (0,)),
    ((), ()),
    ((0, 3), (8, 8)),
    ((20,), (24,)),
]


@pytest.mark.parametrize(("shape", "strides"), CASES)
def test_strides(shape, strides):
    agree(strided(cp)(cp.asarray(X), shape, strides), strided(np)(X, shape, strides))


def test_left_out_arguments_are_those_of_the_array():
    x, a = cp.asarray(X)[::-1, :, 1:], X[::-1, :, 1:]
    agree(strided(cp)(x), strided(np)(a))
    agree(strided(cp)(x, (2, 2, 2)), strided(np)(a, (2, 2, 2)))
    agree(strided(cp)(x, strides=(-160, 40, 8)), strided(np)(a, strides=(-160, 40, 8)))


def test_a_view_keeps_the_memory():
    x = cp.arange(1000.0)
    y = strided(cp)(x, (998, 3), (8, 8))
    del x
    others = [cp.full(1000, -1.0) for _ in range(10)]
    assert float(y.sum()) == float(np.sum(np.arange(998.0) * 3 + 3))
    assert len(others) == 10


def test_strides_that_leave_the_memory():
    x = cp.arange(10.0)
    for shape, strides in [((11,), (8,)), ((2,), (80,)), ((2,), (-8,))]:
        with pytest.raises(ValueError, match="80 bytes"):
            strided(cp)(x, shape, strides)
    with pytest.raises(ValueError, match="differ in length"):
        strided(cp)(x, (2, 2), (8,))
    with pytest.raises(TypeError):
        strided(cp)(x, (2.0,), (8,))


@pytest.mark.parametrize("step", [1, -1, -2])
def test_memory_of_others(step):
    """A view that reaches back from its first element."""
    x = cp.from_dlpack(cp.arange(6)[::step])
    view = cp.lib.stride_tricks.as_strided(x)
    np.testing.assert_array_equal(cp.asnumpy(view), cp.asnumpy(x))
    view[-1] = 7
    assert int(x[-1]) == 7
    windows = cp.lib.stride_tricks.sliding_window_view(x[::-1], 2)
    expected = np.lib.stride_tricks.sliding_window_view(cp.asnumpy(x)[::-1], 2)
    np.testing.assert_array_equal(cp.asnumpy(windows), expected)


def test_pointers_of_views_in_memory_of_others():
    """Each view's pointer is where its first element is."""
    x = cp.from_dlpack(cp.arange(12))
    for _ in range(3):
        x = cp.lib.stride_tricks.as_strided(x[1:])
        assert x.data.mem.ptr <= x.data.ptr < x.data.mem.ptr + 96
    np.testing.assert_array_equal(cp.asnumpy(x), np.arange(3, 12))
    y = cp.ndarray(4, x.dtype, x.data + 16)
    assert y.data.ptr - y.data.mem.ptr == 40
    y = cp.ndarray(2, x.dtype, y.data + 8)
    np.testing.assert_array_equal(cp.asnumpy(y), [6, 7])
