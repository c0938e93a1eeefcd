"""Labels of connected elements, against SciPy."""

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage

REALS = "?bBhHiIlLfd"


# ---- label ---------------------------------------------------------------------------


def symmetric(rng, ndim):
    structure = rng.random((3,) * ndim) < rng.random()
    return structure | np.flip(structure)


def check_label(x, structure=None):
    expected, n = scipy.ndimage.label(x, structure)
    found, k = ndimage.label(cp.array(x), structure)
    assert type(k) is int
    assert k == n
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.get(), expected)


@pytest.mark.parametrize("ndim", range(6))
def test_label(ndim):
    rng = np.random.default_rng(ndim)
    longest = (1, 300, 40, 14, 7, 4)[ndim]
    for _ in range(40):
        shape = tuple(rng.integers(1, longest, ndim, endpoint=True))
        x = rng.random(shape) < rng.choice([0, 0.2, 0.5, 0.6, 0.8, 1])
        if ndim and rng.random() < 0.3:
            x = np.repeat(x, 40, axis=-1)
        x = x.astype(rng.choice(list(REALS)))
        check_label(x, symmetric(rng, ndim) if rng.random() < 0.7 else None)


def test_label_every_structure_of_two_axes():
    rng = np.random.default_rng(0)
    x = rng.random((33, 70)) < 0.4
    for bits in range(16):
        half = [bool(bits >> k & 1) for k in range(4)]
        check_label(x, np.reshape([*half, bits % 3 == 0, *half[::-1]], (3, 3)))


def test_label_of_many_tiles():
    """Lines that wind through the whole of an array, and more roots than a tile has."""
    spiral = np.zeros((101, 333), bool)
    spiral[::2] = True
    spiral[1::4, -1] = spiral[3::4, 0] = True
    check_label(spiral)
    check_label(spiral.T)
    check_label(np.arange(300 * 301).reshape(300, 301) % 2)
    check_label(np.eye(500), np.ones((3, 3)))
    check_label(np.ones((3, 5000), "f4"))


@pytest.mark.parametrize("shape", [(1200, 500), (2500, 211), (70, 80, 101), (9,) * 6])
def test_label_of_several_pieces(shape):
    """As many as several threads share on the host: sets that span some, or all."""
    rng = np.random.default_rng(8)
    ndim = len(shape)
    structures = [None, np.ones((3,) * ndim), symmetric(rng, ndim)]
    for share, structure in zip((0.3, 0.45, 0.6), structures, strict=True):
        check_label(rng.random(shape) < share, structure)
    lines = np.zeros(shape, bool)
    lines[::2] = True
    lines[1::4, ..., -1] = lines[3::4, ..., 0] = True
    check_label(lines)
    check_label(~lines)
    check_label(np.moveaxis(lines, 0, -1))


@pytest.mark.parametrize("shape", [(9, 64), (3, 70, 128), (20, 17, 96), (5, 3, 9, 32)])
def test_label_of_whole_words(shape):
    """Rows that are multiples of what a GPU takes as bits of a word, in bytes of any
    number that is not zero."""
    rng = np.random.default_rng(9)
    for share in (0.1, 0.35, 0.7, 1):
        x = np.where(rng.random(shape) < share, rng.integers(1, 256, shape), 0)
        check_label(x.astype("u1"))
        check_label(x.astype("u1"), symmetric(rng, len(shape)))
        check_label(x > 0, np.ones((3,) * len(shape)))


def test_label_of_what_is_no_number_and_of_zeros():
    check_label(np.array([np.nan, 0.0, -0.0, np.inf, 5e-324, 0.0]))
    check_label(np.array([-0.0, 1, 0], "f4"))
    found, n = ndimage.label(cp.array([1, -0.0, 2], dtype="e"))
    assert (found.get().tolist(), n) == ([1, 0, 2], 2)


@pytest.mark.parametrize("axes", [(1, 0, 2), (2, 1, 0), (0, 2, 1)])
def test_label_of_other_layouts(axes):
    x = np.random.default_rng(1).random((20, 31, 12)) < 0.5
    for view in (lambda a: a.transpose(axes), lambda a: a[::2, ::-1, 1:]):
        expected, n = scipy.ndimage.label(np.ascontiguousarray(view(x)))
        found, k = ndimage.label(view(cp.array(x)))
        assert k == n
        np.testing.assert_array_equal(found.get(), expected)


def test_label_output():
    x = np.random.default_rng(2).random((30, 40)) < 0.3
    expected, n = scipy.ndimage.label(x)
    for dtype in ("i4", "i8", "u2", "f4", "f8"):
        found, k = ndimage.label(cp.array(x), output=dtype)
        assert (found.dtype, k) == (dtype, n)
        np.testing.assert_array_equal(found.get(), expected)
        target = cp.zeros((40, 30), dtype).T
        assert ndimage.label(cp.array(x), output=target) == n
        np.testing.assert_array_equal(target.get(), expected)
    inplace = cp.array(x.astype("i4"))
    assert ndimage.label(inplace, output=inplace) == n
    np.testing.assert_array_equal(inplace.get(), expected)
    found, k = ndimage.label(cp.array(x), output=bool)
    np.testing.assert_array_equal(found.get(), x)


def test_label_of_nothing():
    for shape in ((0,), (3, 0), (0, 4, 2)):
        found, n = ndimage.label(cp.zeros(shape))
        assert (found.shape, found.dtype, n) == (shape, np.int32, 0)
    target = cp.zeros((0, 3), "i8")
    assert ndimage.label(cp.zeros((0, 3)), output=target) == 0
    for x in (0, 3.5):
        found, n = ndimage.label(cp.array(x))
        assert (found.shape, found.item(), n) == ((), bool(x), bool(x))


def test_label_in_64_bits():
    """The kernels of arrays that are too large for a test."""
    from cupricx.scipy.ndimage._measurements import _label

    x = np.random.default_rng(3).random((40, 70)) < 0.5
    structure = np.ones((3, 3), bool)
    y = cp.empty(x.shape, np.int64)
    n = _label._label(cp.array(x), structure, y, np.dtype(np.int64))
    expected, k = scipy.ndimage.label(x, structure)
    assert n == k
    np.testing.assert_array_equal(y.get(), expected)


def test_label_errors():
    x = cp.ones((4, 5))
    with pytest.raises(TypeError, match="Unsupported type"):
        ndimage.label(np.ones(4))
    with pytest.raises(TypeError, match="Complex"):
        ndimage.label(x.astype("F"))
    with pytest.raises(TypeError, match="complex"):
        ndimage.label(x, output="F")
    with pytest.raises(RuntimeError, match="equal rank"):
        ndimage.label(x, [1, 1, 1])
    with pytest.raises(ValueError, match="equal to 3"):
        ndimage.label(x, np.ones((3, 5)))
    with pytest.raises(ValueError, match="symmetric"):
        ndimage.label(x, [[1, 0, 0], [0, 1, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match="output shape"):
        ndimage.label(x, output=cp.ones((5, 4)))
    with pytest.raises(RuntimeError, match="bit-depth"):
        ndimage.label(cp.array([1, 0] * 128), output="i1")
    assert ndimage.label(cp.array([1, 0] * 127), output="i1")[1] == 127


# ---- find_objects --------------------------------------------------------------------


def test_find_objects():
    rng = np.random.default_rng(4)
    for _ in range(60):
        ndim = rng.integers(1, 5)
        x = rng.integers(-2, 30, rng.integers(1, (200, 30, 12, 6)[ndim - 1], ndim))
        x = np.repeat(x, rng.choice([1, 3, 40]), axis=-1)
        x = x.astype(rng.choice(list("bhiq" if x.min() < 0 else "bBhHiIqQ")))
        for most in (0, 7, 40):
            expected = scipy.ndimage.find_objects(x, most)
            assert ndimage.find_objects(cp.array(x), most) == expected


def test_find_objects_of_nothing():
    assert ndimage.find_objects(cp.zeros((3, 4), int)) == []
    assert ndimage.find_objects(cp.array([-1, -5])) == []
    assert ndimage.find_objects(cp.array(3)) == [None, None, ()]
    assert ndimage.find_objects(cp.zeros((0, 3), int), 2) == [None, None]
    with pytest.raises(ValueError, match="zero-size"):
        ndimage.find_objects(cp.zeros((0, 3), int))
    with pytest.raises(TypeError, match="ints"):
        ndimage.find_objects(cp.ones(3))
    with pytest.raises(TypeError, match="Complex"):
        ndimage.find_objects(cp.ones(3, "F"))
