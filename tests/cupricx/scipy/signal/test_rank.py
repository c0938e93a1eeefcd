"""Filters by rank, and Wiener's, against scipy.signal."""

import numpy as np
import pytest
from tests.cupricx.scipy.signal.against_scipy import check, check_error, numbers

import cupric as cp
from cupricx.scipy import signal

theirs = pytest.importorskip("scipy.signal")


def both(name):
    return getattr(theirs, name), getattr(signal, name)


@pytest.mark.parametrize("dtype", "bBhHiIlLfd")
def test_medians(dtype):
    for size in (None, 1, 5, 31):
        check(*both("medfilt"), numbers(100, dtype), size)
        check(*both("medfilt2d"), numbers((9, 20), dtype), size or 3)
    check(*both("medfilt"), numbers((9, 20), dtype), [3, 7])
    check(*both("medfilt"), numbers((5, 9, 7), dtype), [1, 3, 5])
    check(*both("medfilt2d"), numbers((9, 20), dtype), (5, 1))


def test_layouts():
    x = numbers((12, 20))
    for y in (x.T, x[::-1, ::2], np.asfortranarray(x)):
        check(*both("medfilt"), y)
        check(*both("medfilt2d"), y)
        check(*both("order_filter"), y, np.eye(3), 1)
        check(*both("wiener"), y)


def test_windows_longer_than_the_signal():
    with pytest.warns(UserWarning, match="exceeds volume extent"):
        made = signal.medfilt(cp.array(numbers(12)), 15)
    with pytest.warns(UserWarning, match="exceeds volume extent"):
        expected = theirs.medfilt(numbers(12), 15)
    np.testing.assert_array_equal(made.get(), expected)
    check(*both("medfilt"), numbers(0))
    check(*both("medfilt2d"), numbers((0, 4)))
    check(*both("medfilt2d"), numbers((3, 4)), 15)


def test_long():
    check(*both("medfilt"), numbers(300_000, "f"), 31)


@pytest.mark.parametrize("dtype", "bBhHiIlLfd")
def test_ranks(dtype):
    x = numbers(40, dtype)
    for domain in ([1, 1, 1], [1, 0, 1], [1, 1, 0, 0, 0], [2, 0, -1]):
        for rank in (0, 1, -1):
            check(*both("order_filter"), x, domain, rank)
    image = numbers((8, 9), dtype)
    for rank in range(9):
        check(*both("order_filter"), image, np.ones((3, 3)), rank)
    check(*both("order_filter"), image, np.eye(5), 2)
    check(*both("order_filter"), x, np.ones(45), 20)
    check(*both("order_filter"), x[:0], [1, 1, 1], 1)


@pytest.mark.parametrize("dtype", "ilfdFD")
def test_wiener(dtype):
    bound = 1e-4 if dtype in "fF" else 1e-11  # SciPy squares in single precision
    for size in (None, 4, 5, 15):
        for noise in (None, 0.5):
            check(*both("wiener"), numbers(40, dtype), size, noise, bound=bound)
    check(*both("wiener"), numbers((9, 20), dtype), [3, 5], bound=bound)
    check(*both("wiener"), numbers((9, 20), dtype), noise=abs(numbers(20)), bound=bound)
    assert signal.wiener(cp.zeros(0, dtype)).shape == (0,)


def test_wiener_of_nothing():
    check(*both("wiener"), np.zeros(12))


def test_wiener_of_small_integers():
    """Squares do not wrap, as SciPy's do."""
    x = numbers(40, "B") * 25
    made = signal.wiener(cp.array(x)).get()
    np.testing.assert_allclose(made, theirs.wiener(x.astype("d")), atol=1e-9)


def test_errors():
    x = numbers(12)
    image = x.reshape(3, 4)
    for dtype in "?eFD":
        check_error(*both("medfilt"), x.astype(dtype), match="not supported by medfilt")
        check_error(*both("medfilt2d"), image.astype(dtype))
        check_error(*both("order_filter"), x.astype(dtype), [1, 1, 1], 1)
    for size in (4, 0, 3.5, -1):
        check_error(*both("medfilt"), x, size)
    check_error(*both("medfilt"), x, 3.0)
    check_error(*both("medfilt"), x, (3, 3), match=r"\(12,\)")
    check_error(*both("medfilt2d"), x, match=r"\(12,\)")
    for size in (4, [3], 0):
        check_error(*both("medfilt2d"), image, size)
    order = both("order_filter")
    check_error(*order, x, [1, 1], 1, match=r"\(2,\)")
    check_error(*order, image, [1, 1, 1], 1)
    check_error(*order, x, [1, 0, 1], 2)
    check_error(*order, x, [1, 0, 1], 1.0)
    check_error(*order, x, [0, 0, 0], 0)
    check_error(*both("wiener"), x, 3.5)
    check_error(*both("wiener"), x, 0)
    check_error(*both("wiener"), image, [3], match=r"\(3, 4\)")
