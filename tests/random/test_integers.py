"""Uniform integers: limits of all kinds, and the numbers between them."""

import numpy as np
import pytest

import cupric as cp


def draws(module):
    """The three functions: of [low, high), [low, high) and [low, high]."""
    rng = module.random.default_rng(1)
    return {
        "randint": module.random.randint,
        "integers": rng.integers,
        "closed": lambda *args, **kwargs: rng.integers(*args, endpoint=True, **kwargs),
    }


LIMITS = [
    *((0, 1e6), (0.5, 1.5), (0, 255.5), (1.7,), (np.float32(3),), (True,)),
    *(([5, 6],), ([5, 6.7],), ([0, 1], 10), ([0, 1], [3, 10]), ([[0], [1]], [2, 3])),
    *((np.array([1.5, 2.5]), 10), (0, np.array(10.0)), (-5, [2, 3])),
    *((np.arange(3), np.arange(3) + 4), ([-(2**63)], 2**63 - 1), ([], 5)),
]


@pytest.mark.parametrize("name", ["randint", "integers", "closed"])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_limits(name, limits):
    expected = np.asarray(draws(np)[name](*limits))
    low, high = limits if len(limits) == 2 else (0, limits[0])
    last = 0 if name == "closed" else 1
    for size in (None, (400, *np.shape(expected))):
        x = draws(cp)[name](*limits, size=size)
        assert x.dtype == np.int64
        assert x.shape == (np.shape(expected) if size is None else size)
        values = np.array(x.tolist(), dtype=object)
        low_of, high_of = (
            np.array([int(v) for v in np.ravel(np.array(v, object))], object)
            for v in (low, high)
        )
        low_of = np.broadcast_to(low_of.reshape(np.shape(low)), expected.shape)
        high_of = (
            np.broadcast_to(high_of.reshape(np.shape(high)), expected.shape) - last
        )
        assert np.all(values >= low_of)
        assert np.all(values <= high_of)
        if size and np.ravel(high_of - low_of).max(initial=0) < 20:  # all are drawn
            assert np.all(values.min(0) == low_of)
            assert np.all(values.max(0) == high_of)


def test_limits_on_the_device():
    low, high = cp.array([0, 10], "u1"), cp.array([5, 12], "i2")
    x = cp.random.randint(low, high, (300, 2)).get()
    np.testing.assert_array_equal(x.min(0), [0, 10])
    np.testing.assert_array_equal(x.max(0), [4, 11])
    x = cp.random.randint([-3, 2.5], cp.array([3], "u8"), (300, 2)).get()
    np.testing.assert_array_equal(x.min(0), [-3, 2])
    np.testing.assert_array_equal(x.max(0), [2, 2])
    x = cp.random.randint([cp.array(0), 2], cp.array(3.9), (300, 2)).get()
    np.testing.assert_array_equal(x.min(0), [0, 2])
    np.testing.assert_array_equal(x.max(0), [2, 2])


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        ("i8", [-(2**63)], 2**63 - 1),
        ("i8", [0], 2**63 - 1),
        ("u8", 0, [2**64 - 1]),
        ("u8", [2**62], [2**62 + 3 * 2**61]),
        ("i8", [-(2**61)], [2**62]),
    ],
)
def test_wide_ranges(dtype, low, high):
    """As uniform as 128 bits of a fraction: over eighths, and over the last bits."""
    rng = cp.random.default_rng(3)
    x = rng.integers(low, high, 80_000, dtype=dtype, endpoint=True)
    low, high = np.ravel(low)[0], np.ravel(high)[0]
    values = [v - int(low) for v in x.tolist()]
    span = int(high) - int(low) + 1
    assert min(values) >= 0
    assert max(values) < span
    eighths = np.bincount([v * 8 // span for v in values], minlength=8)
    assert (abs(eighths - 10_000) < 500).all()
    bits = np.bincount([v % 8 for v in values], minlength=8)
    assert (abs(bits - 10_000) < 500).all()


def test_bounds_of_dtypes():
    for dtype in "?bBhHiIlL":
        most = 1 if dtype == "?" else int(np.iinfo(dtype).max)
        x = cp.random.randint([most], [most + 1], 5, dtype=dtype)
        assert x.dtype == dtype
        assert x.tolist() == [most] * 5
        with pytest.raises(ValueError, match="high is out of bounds"):
            cp.random.randint(0, [most + 2], dtype=dtype)
        with pytest.raises(ValueError, match="high is out of bounds"):
            cp.random.randint(0, most + 2, dtype=dtype)


@pytest.mark.parametrize(
    ("limits", "error"),
    [
        ((0, 1j), TypeError),
        ((None,), TypeError),
        (([None],), TypeError),
        ((0, np.nan), ValueError),
        ((0, [np.nan]), ValueError),
        ((0, np.inf), OverflowError),
        ((0, 1e19), ValueError),
        ((0.2,), ValueError),
        (([3, 0],), ValueError),
        (([6, 1], 5), ValueError),
        ((0, [-(2**70)]), ValueError),
        (([2**70], 3), ValueError),
    ],
    ids=str,
)
def test_wrong_limits(limits, error):
    for module in (cp, np):
        with pytest.raises(error):
            module.random.randint(*limits)


def test_unsigned_limit_of_0_is_not_below_0():
    for high in (cp.array([0], "u1"), cp.array([3, 0], "u8"), cp.array([cp.nan])):
        with pytest.raises(ValueError, match="low >= high"):
            cp.random.randint(high)
    with pytest.raises(TypeError, match="complex64"):
        cp.random.randint(cp.array([3], "F"))
