"""Copies of permuted arrays that are large enough to be divided among threads."""

import itertools

import numpy as np
import pytest

import cupric as cp

# The last dimension is the longest, of rows of 16 to 1024 bytes; then the others.
SHAPES = [
    *((40, 40, 50), (10, 20, 30, 40), (33, 31, 63), (6, 7, 8, 9, 25), (20, 30, 256)),
    *((600, 3, 40), (2, 3000, 24), (5, 6, 2000), (70, 70, 13), (9, 9, 9, 9, 9)),
]


def numbered(shape, dtype):
    """Elements of which neighbours differ in every byte that a dtype has."""
    words = np.arange(np.prod(shape), dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (words >> np.uint64(11)).astype(dtype).reshape(shape)


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "c16"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_permuted(shape, dtype):
    a = numbered(shape, dtype)
    x = cp.asarray(a)
    for axes in itertools.islice(itertools.permutations(range(a.ndim)), 24):
        np.testing.assert_array_equal(x.transpose(axes).copy().get(), a.transpose(axes))
        back = x.transpose(axes)[::-1, :, 1:]
        expected = a.transpose(axes)[::-1, :, 1:]
        np.testing.assert_array_equal(cp.ascontiguousarray(back).get(), expected)


@pytest.mark.parametrize("dtype", ["u1", "f4", "f8"])
def test_into_parts_of_an_array(dtype):
    """Nothing beside the view that is written to changes."""
    a = numbered((44, 44, 58), dtype)
    x, b = cp.zeros_like(a), np.zeros_like(a)
    source = numbered((40, 40, 50), dtype)
    x[2:-2, 2:-2, 4:-4] = cp.asarray(source).swapaxes(0, 1)
    b[2:-2, 2:-2, 4:-4] = source.swapaxes(0, 1)
    np.testing.assert_array_equal(x.get(), b)
