"""Cosine and sine transforms, against SciPy: to 20 ulp of the largest element."""

import numpy as np
import pytest
import scipy.fft

import cupric as cp
from cupricx.scipy import fft

ONE = ("dct", "idct", "dst", "idst")
SEVERAL = ("dctn", "idctn", "dstn", "idstn")
LENGTHS = (1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 15, 16, 35, 64, 97, 100)

each_type = pytest.mark.parametrize("type", [1, 2, 3, 4])


def values(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) * 10
    if np.dtype(dtype).kind == "c":
        x = x + 10j * rng.standard_normal(shape)
    return (x > 0 if np.dtype(dtype) == bool else x).astype(dtype)


def agree(found, expected, ulps=20):
    assert isinstance(found, cp.ndarray)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    bound = ulps * np.finfo(expected.dtype).eps * np.abs(expected).max(initial=0)
    np.testing.assert_allclose(found.get(), expected, rtol=0, atol=bound)


def check(name, x, *args, ulps=20, **kwargs):
    expected = getattr(scipy.fft, name)(x, *args, **kwargs)
    agree(getattr(fft, name)(cp.array(x), *args, **kwargs), expected, ulps)


@pytest.mark.parametrize("name", ONE)
@each_type
def test_lengths_and_axes(name, type):
    for n in LENGTHS:
        if n == 1 and type == 1 and "dct" in name:
            continue
        for shape, axis in (((n,), 0), ((3, n), -1), ((n, 3), 0), ((2, n, 3), 1)):
            for dtype in "fdFD":
                check(name, values(shape, dtype, n), type, axis=axis)


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("n", [31, 32, 33, 63, 65, 4096, 30_001])
def test_rows_that_several_threads_share(name, n):
    for rows, used in ((1, n), (3, n), (3, n - 5), (2, n + 5)):
        for dtype in "fd":
            x = values((rows, n), dtype, n)
            check(name, x, 2, used, norm="ortho", ulps=60)
            check(name, x, 3, used, ulps=60)


@pytest.mark.parametrize("name", ONE)
@each_type
def test_large_arrays_along_any_axis(name, type):
    """So large that a GPU has the FFT's terms in another order."""
    for dtype in "fdF":
        for shape, axis in (((301, 250), 0), ((70_001, 2), 0), ((5, 151, 120), 1)):
            check(name, values(shape, dtype), type, axis=axis, ulps=60)
        check(name, values((3, 35_000), dtype), type, ulps=60)
    check(name + "n", values((300, 251), "d"), type, ulps=60)


@pytest.mark.parametrize("name", ONE)
@each_type
@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
def test_norms(name, type, norm):
    for n in (2, 3, 8, 9):
        for orthogonalize in (None, True, False):
            x = values((3, n), "d", n)
            check(name, x, type, norm=norm, orthogonalize=orthogonalize)


@pytest.mark.parametrize("name", ONE)
@each_type
def test_complex_input_is_two_real_ones(name, type):
    """SciPy leaves `orthogonalize` out for complex input."""
    x = values((4, 6), "D")
    for orthogonalize in (True, False):
        options = {"type": type, "norm": "ortho", "orthogonalize": orthogonalize}
        of = getattr(scipy.fft, name)
        agree(
            getattr(fft, name)(cp.array(x), **options),
            of(x.real, **options) + 1j * of(x.imag, **options),
        )


@pytest.mark.parametrize("name", ONE)
@each_type
def test_padding_and_cropping(name, type):
    for axis in (0, 1):
        for n in (2, 3, 6, 8, 13):
            check(name, values((6, 7), "d"), type, n, axis)
            check(name, values((6, 7), "F"), type, n, axis, "ortho")


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
def test_dtypes(name, dtype):
    for type in (1, 2, 3, 4):
        check(name, values((3, 8), dtype), type)


@pytest.mark.parametrize("name", ONE)
@each_type
def test_layouts(name, type):
    x = values((6, 8, 4), "d")
    a = cp.array(x)
    for axis in (0, 1, 2):
        for view in (
            lambda v: v.T,
            lambda v: v[::-1, ::2],
            lambda v: v[:, 1:, :3],
            np.asfortranarray,
        ):
            expected = getattr(scipy.fft, name)(view(x), type, axis=axis)
            given = cp.asfortranarray(a) if view is np.asfortranarray else view(a)
            agree(getattr(fft, name)(given, type, axis=axis), expected)
    np.testing.assert_array_equal(a.get(), x)


@pytest.mark.parametrize("name", SEVERAL)
@each_type
def test_several_axes(name, type):
    x = values((4, 5, 6), "d")
    check(name, x, type, ulps=50)
    check(name, x, type, axes=(0, 2), norm="ortho", ulps=50)
    check(name, x, type, axes=1)
    check(name, x, type, (3, 9), axes=(2, 0), norm="forward", ulps=50)
    check(name, x, type, (7, -1), ulps=50)
    check(name, x.astype("F"), type, 3, axes=(-2,))
    check(name, x, type, axes=())


@each_type
def test_inverses(type):
    x = values((5, 12), "d")
    for forward, back in (("dct", "idct"), ("dst", "idst")):
        for norm in ("backward", "ortho", "forward"):
            y = getattr(fft, forward)(cp.array(x), type, norm=norm)
            agree(getattr(fft, back)(y, type, norm=norm), x)
        y = getattr(fft, forward + "n")(cp.array(x), type)
        agree(getattr(fft, back + "n")(y, type), x, 50)


@each_type
def test_long_ones_lose_no_digits(type):
    """The type 1 of length n - 1 that there is would lose some."""
    for n in (4095, 10007, 1 << 15):
        for name in ("dct", "dst"):
            check(name, values(n, "d"), type)
            check(name, values(n, "f"), type)


def test_empty():
    for name in ONE:
        check(name, np.zeros((0, 4)))
        for shape in ((0,), (2, 0)):
            with pytest.raises(
                ValueError, match=r"invalid number of data points \(0\)"
            ):
                getattr(fft, name)(cp.zeros(shape))
    for name in SEVERAL:
        with pytest.raises(ValueError, match="invalid number of data points"):
            getattr(fft, name)(cp.zeros((0, 4)))


def test_errors():
    x = cp.ones((3, 4))
    for name in ONE + SEVERAL:
        f = getattr(fft, name)
        for type in (0, 5, "2", None):
            with pytest.raises(ValueError, match="invalid D[CS]T type"):
                f(x, type)
        with pytest.raises(ValueError, match="Invalid norm value 'x'"):
            f(x, norm="x")
        with pytest.raises(TypeError, match="Unsupported type"):
            f(np.ones(3))
    for name in ONE:
        f = getattr(fft, name)
        for n in (0, -1):
            with pytest.raises(ValueError, match="invalid number of data points"):
                f(x, n=n)
        with pytest.raises(IndexError, match="axis 2 is out of bounds"):
            f(x, axis=2)
    for name in SEVERAL:
        f = getattr(fft, name)
        with pytest.raises(ValueError, match="all axes must be unique"):
            f(x, axes=(0, -2))
        with pytest.raises(ValueError, match="same length"):
            f(x, s=(3, 4), axes=0)
        with pytest.raises(ValueError, match="more axes than are present"):
            f(x, s=(1, 2, 3))
        with pytest.raises(ValueError, match="axes exceeds dimensionality"):
            f(x, axes=(0, 2))
        with pytest.raises(ValueError, match="iterable of integers"):
            f(x, s=(None, 3))
    with pytest.raises(ValueError, match="at least 2 data points"):
        fft.dct(cp.ones((3, 1)), 1)


@pytest.mark.parametrize("name", ONE)
def test_no_leak(name, no_leak):
    getattr(fft, name)(cp.ones((4, 5)), 4)
