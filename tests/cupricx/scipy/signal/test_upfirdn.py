"""FIR filters between sampling rates, against scipy.signal."""

import numpy as np
import pytest
from tests.cupricx.scipy.signal.against_scipy import check, check_error, numbers

import cupric as cp
from cupricx.scipy.signal import _upfirdn, upfirdn

theirs = pytest.importorskip("scipy.signal").upfirdn

MODES = tuple(_upfirdn.MODES)
RATIOS = ((1, 1), (3, 2), (2, 3), (1, 4), (5, 1), (4, 6), (160, 147))


@pytest.mark.parametrize("dtype", "?bhilefdFD")
@pytest.mark.parametrize(("up", "down"), RATIOS)
def test_dtypes_and_ratios(dtype, up, down):
    for taps in (1, 2, 33):
        for other in "fd":
            h = numbers(taps, other, 1)
            check(theirs, upfirdn, h, numbers(50, dtype), up, down)


@pytest.mark.parametrize("dtype", "FD")
def test_complex_coefficients(dtype):
    h = numbers(9, dtype, 1)
    for other in "fdFD":
        check(theirs, upfirdn, h, numbers((2, 50), other), 3, 2)
    check(theirs, upfirdn, h, numbers(50, "l"), 1, 1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", [2, 3, 7, 300])
def test_modes(mode, n):
    x = numbers(n)
    for up, down in RATIOS:
        for taps in (2, 40):
            check(theirs, upfirdn, numbers(taps, "d", 1), x, up, down, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_one_element(mode):
    """SciPy divides by zero in some modes, and reads beyond the signal in others."""
    made = upfirdn([0.0, 0, 1], cp.array([3.0]), mode=mode)
    zero = mode == "constant"
    sign = -1 if mode == "antisymmetric" else 1
    expected = {"constant": [0, 0, 3], "antisymmetric": [3, -3, 3]}.get(mode, [3] * 3)
    assert made.tolist() == expected, (zero, sign)


def test_constant():
    x = numbers(20)
    for up, down in RATIOS:
        check(theirs, upfirdn, numbers(7, "d", 1), x, up, down, cval=2.5)
    check(theirs, upfirdn, numbers(7, "f", 1), x.astype("f"), 1, 1, cval=2.5)


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 1023, 1024, 1025, 5000])
def test_lengths(n):
    for up, down in ((1, 1), (3, 2), (1, 7), (7, 1)):
        for taps in (1, 6, n + 5):
            h = numbers(taps, "d", 1)
            check(theirs, upfirdn, h, numbers((2, n)), up, down, bound=1e-11)


@pytest.mark.parametrize("dtype", "fd")
def test_long(dtype):
    x = numbers(1_000_000, dtype)
    for up, down, taps in ((3, 2, 61), (1, 16, 321), (16, 1, 321), (1, 1, 101)):
        check(theirs, upfirdn, np.hamming(taps).astype(dtype), x, up, down, bound=1e-5)


@pytest.mark.parametrize(
    ("up", "down", "taps"),
    [(1, 5000, 20), (700, 1, 30), (1, 1000, 30_000), (9, 7, 70_000)],
)
def test_what_shared_memory_cannot_hold(up, down, taps):
    h = numbers(taps, "d", 1)
    check(theirs, upfirdn, h, numbers(9000), up, down, mode="wrap", bound=1e-10)


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_axes_and_layouts(axis):
    h = numbers(5, "d", 1)
    x = numbers((4, 5, 6))
    for y in (x, x.transpose(2, 0, 1), x[::-1, ::2, ::-1], np.asfortranarray(x)):
        made = check(theirs, upfirdn, h, y, 3, 2, axis=axis)
        assert made.flags.c_contiguous
    small = numbers((3, 0, 4))
    check(theirs, upfirdn, h, small, 3, 2, axis=axis)


def test_whole_in_pieces():
    """Outputs do not depend on which tile they are in."""
    x = cp.array(numbers(40_000))
    h = numbers(25, "d", 1)
    whole = upfirdn(h, x, 3, 2)
    part = upfirdn(h, x[2000:], 3, 2)
    n = len(part) - 100
    assert cp.array_equal(whole[3000 + 50 :][:n], part[50:][:n])


def test_arrays_and_lists():
    x = numbers(20)
    expected = theirs([1, 2.5, 3], x, 2, 3)
    for h in ([1, 2.5, 3], np.array([1, 2.5, 3]), cp.array([1, 2.5, 3])):
        np.testing.assert_allclose(upfirdn(h, cp.array(x), 2, 3).get(), expected)
    assert upfirdn([1, 1], [1, 2, 3]).tolist() == [1, 3, 5, 3]
    with pytest.raises(TypeError, match="Unsupported type"):
        upfirdn([1.0], x)


def test_errors():
    x = numbers(20)
    check_error(theirs, upfirdn, [], x, match=r"non-zero length.*\(0,\)")
    check_error(theirs, upfirdn, [[1.0]], x, match=r"\(1, 1\)")
    check_error(theirs, upfirdn, [1.0], x, 0)
    check_error(theirs, upfirdn, [1.0], x, 1, -1)
    check_error(theirs, upfirdn, [1.0], x, mode="periodic", match="Unknown mode")
    check_error(theirs, upfirdn, [1.0], x, cval=1j)
    check_error(theirs, upfirdn, [1.0], x, axis=3)
