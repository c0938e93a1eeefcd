"""Plain bytes of any width, at any address."""

import numpy as np
import pytest

import cupric as cp


def check_same(got, expected):
    """By value: bytes between the fields of a structure mean nothing."""
    got = got.get()
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    assert str(got) == str(expected)


def example(width):
    return np.arange(4 * width, dtype="u1").view(f"V{width}")


@pytest.mark.parametrize("shift", [1, 2, 4])
@pytest.mark.parametrize("width", [2, 4, 8, 16])
def test_unaligned(device, shift, width):
    """Elements that lie at odd addresses are moved by what divides these."""
    raw = np.arange(5 * width + 8, dtype="u1")
    x = cp.asarray(raw)[shift : shift + 4 * width].view(f"V{width}")
    want = raw[shift : shift + 4 * width].view(f"V{width}")
    check_same(x[::-1].copy(), want[::-1].copy())
    check_same(x[cp.array([3, 0, 0])], want[[3, 0, 0]])
    x[cp.array([1, 2])] = x[0]
    want = want.copy()
    want[[1, 2]] = want[0]
    check_same(x, want)


@pytest.mark.parametrize("n", [100_003, 300_007])
@pytest.mark.parametrize("width", [3, 8, 12])
def test_many(device, width, n):
    x = np.random.default_rng(0).integers(0, 256, n * width, "u1").view(f"V{width}")
    index = np.random.default_rng(1).permutation(n)
    got = cp.asarray(x)
    np.testing.assert_array_equal(got[::-3].copy().get(), x[::-3])
    np.testing.assert_array_equal(got[cp.asarray(index)].get(), x[index])
    target = cp.zeros(n, x.dtype)
    target[cp.asarray(index)] = got
    want = np.zeros(n, x.dtype)
    want[index] = x
    np.testing.assert_array_equal(target.get(), want)
    assert bool((got == cp.asarray(x)).all())


def test_numbers_become_bytes(device):
    check_same(cp.full(2, 5, "V4"), np.full(2, 5, "V4"))
    check_same(cp.ones(2, "V3"), np.ones(2, "V3"))


def test_other_width(device):
    x = example(8)
    for width in (3, 12):
        check_same(cp.asarray(x).astype(f"V{width}"), x.astype(f"V{width}"))


@pytest.mark.parametrize("dtype", ["V0", "O", "S3", "U3", "(2,)S3", "longdouble"])
def test_dtypes_that_no_array_holds(device, dtype):
    with pytest.raises(TypeError, match="arrays also hold datetime64"):
        cp.zeros(3, dtype)


def test_text_is_refused(device):
    for x in (np.array(["a"]), np.array([b"a"]), np.array([{}])):
        with pytest.raises(ValueError, match="Unsupported dtype"):
            cp.asarray(x)
