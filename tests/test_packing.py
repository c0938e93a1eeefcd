"""packbits and unpackbits against NumPy."""

import numpy as np
import pytest

import cupric as cp

RNG = np.random.default_rng(0)
SHAPES = [(0,), (1,), (8,), (9,), (1000,), (3, 17), (2, 8, 5), (4, 0), (0, 4), (70, 31)]


def agree(mine, numpy):
    assert (mine.dtype, mine.shape) == (numpy.dtype, numpy.shape)
    np.testing.assert_array_equal(mine.get(), numpy)


@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("shape", SHAPES)
def test_packbits(shape, bitorder):
    for dtype in "?bBhHiIlLqQ":
        a = (RNG.integers(0, 300, shape) % 3).astype(dtype) * dtype_step(dtype)
        for axis in (None, *range(-len(shape), len(shape))):
            agree(
                cp.packbits(cp.asarray(a), axis, bitorder),
                np.packbits(a, axis, bitorder),
            )


def dtype_step(dtype):
    """A number whose low byte is zero, where the dtype has one: it is a bit all the
    same."""
    return np.dtype(dtype).type(256 if np.dtype(dtype).itemsize > 1 else 1)


@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [None, 0, 3, 8, 9, 100, -1, -8])
def test_unpackbits(shape, count, bitorder):
    a = RNG.integers(0, 256, shape, dtype=np.uint8)
    x = cp.asarray(a)
    for axis in (None, *range(-len(shape), len(shape))):
        n = a.size if axis is None else shape[axis]
        if count is not None and count < -8 * n:
            continue
        if n == 0 and count is not None:  # NumPy leaves these as memory was
            bits = cp.unpackbits(x, axis=axis, count=count, bitorder=bitorder)
            assert not bits.get().any()
            assert bits.shape[axis or 0] == count
            continue
        agree(
            cp.unpackbits(x, axis=axis, count=count, bitorder=bitorder),
            np.unpackbits(a, axis=axis, count=count, bitorder=bitorder),
        )


@pytest.mark.parametrize("view", [np.s_[::-1, ::2], np.s_[:, 3:], np.s_[5]])
def test_views(view):
    a = RNG.integers(0, 256, (9, 40), dtype=np.uint8)
    for x, y in ((cp.asarray(a)[view], a[view]), (cp.asarray(a)[view].T, a[view].T)):
        for axis in (None, 0, -1):
            agree(cp.packbits(x, axis), np.packbits(y, axis))
            agree(cp.unpackbits(x, axis), np.unpackbits(y, axis))


@pytest.mark.parametrize("start", range(9))
def test_memory_that_begins_anywhere(start):
    a = RNG.integers(0, 3, 200, dtype=np.uint8)
    x = cp.asarray(a)
    for bitorder in ("big", "little"):
        agree(
            cp.packbits(x[start:], None, bitorder),
            np.packbits(a[start:], None, bitorder),
        )
        bits = cp.unpackbits(x[start:], bitorder=bitorder)
        agree(bits, np.unpackbits(a[start:], bitorder=bitorder))
        agree(cp.packbits(bits[start:]), np.packbits(bits.get()[start:]))


def test_no_dimensions():
    a = np.array(5, np.uint8)
    agree(cp.packbits(cp.asarray(a)), np.packbits(a))
    agree(cp.unpackbits(cp.asarray(a)), np.unpackbits(a))
    for axis in (0, -1):  # of the row that the element is
        agree(cp.packbits(cp.asarray(a), axis), np.packbits(a, axis))
        agree(cp.unpackbits(cp.asarray(a), axis), np.unpackbits(a, axis))
    for f in (cp.packbits, cp.unpackbits):
        for axis in (1, -2):
            with pytest.raises(np.exceptions.AxisError):
                f(cp.asarray(a), axis=axis)


def test_there_and_back():
    a = RNG.integers(0, 2, (5, 13)).astype(bool)
    packed = cp.packbits(cp.asarray(a), axis=1, bitorder="little")
    back = cp.unpackbits(packed, 1, "little")  # CuPy's third argument
    np.testing.assert_array_equal(back.get()[:, :13], a)


def test_what_is_refused():
    with pytest.raises(TypeError, match="integer or boolean"):
        cp.packbits(cp.ones(3))
    with pytest.raises(TypeError, match="unsigned byte"):
        cp.unpackbits(cp.ones(3, bool))
    for f in (cp.packbits, cp.unpackbits):
        with pytest.raises(ValueError, match="bitorder"):
            f(cp.ones(3, "B"), bitorder="middle")
        with pytest.raises(TypeError):
            f(cp.ones(3, "B"), bitorder=1)
        with pytest.raises(np.exceptions.AxisError):
            f(cp.ones(3, "B"), axis=1)
        with pytest.raises(TypeError, match="Unsupported type"):
            f(np.ones(3, "B"))
    with pytest.raises(ValueError, match="-17 of 16"):
        cp.unpackbits(cp.ones(2, "B"), count=-17)


@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("n", [*range(24, 80), 10**6, 10**6 + 3])
def test_long_rows(n, bitorder):
    """Runs of any length, of bytes that are not 1 either; in rows, too."""
    a = RNG.integers(0, 256, n, dtype=np.uint8) * RNG.integers(0, 2, n, dtype=np.uint8)
    packed = cp.packbits(cp.asarray(a), bitorder=bitorder)
    agree(packed, np.packbits(a, bitorder=bitorder))
    agree(
        cp.packbits(cp.asarray(a).view(bool), bitorder=bitorder),
        np.packbits(a, bitorder=bitorder),
    )
    for count in (None, n):
        agree(
            cp.unpackbits(packed, count=count, bitorder=bitorder),
            np.unpackbits(packed.get(), count=count, bitorder=bitorder),
        )
    rows = a[: n // 16 * 16].reshape(2, -1)
    packed = cp.packbits(cp.asarray(rows), 1, bitorder)
    agree(packed, np.packbits(rows, 1, bitorder))
    agree(
        cp.unpackbits(packed, 1, bitorder=bitorder),
        np.unpackbits(packed.get(), 1, bitorder=bitorder),
    )
