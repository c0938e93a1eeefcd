"""cupric.fft against numpy.fft."""

import numpy as np
import pytest

import cupric as cp

RNG = np.random.default_rng(0)
REAL = RNG.random((4, 6, 5))
COMPLEX = REAL + 1j * RNG.random((4, 6, 5))

ONE = [
    {},
    {"n": 7},
    {"n": 3, "axis": 1},
    {"axis": 0, "norm": "ortho"},
    {"norm": "forward"},
]
MANY = [
    {},
    {"s": (3, 4)},
    {"axes": (0, 2)},
    {"s": (7, 2), "axes": (2, 1), "norm": "ortho"},
]


def check(name, x, tolerance, **options):
    expected = getattr(np.fft, name)(x, **options)
    actual = getattr(cp.fft, name)(cp.asarray(x), **options)
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(actual.get(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("options", ONE)
@pytest.mark.parametrize("name", ["fft", "ifft", "irfft", "hfft"])
def test_one_axis_of_complex(name, options):
    check(name, COMPLEX, 1e-12, **options)


@pytest.mark.parametrize("options", ONE)
@pytest.mark.parametrize("name", ["fft", "rfft", "ihfft"])
def test_one_axis_of_real(name, options):
    check(name, REAL, 1e-12, **options)


@pytest.mark.parametrize("options", MANY)
@pytest.mark.parametrize("name", ["fftn", "ifftn", "irfftn", "fft2", "ifft2", "irfft2"])
def test_several_axes(name, options):
    check(name, COMPLEX, 1e-12, **options)


@pytest.mark.parametrize("options", MANY)
@pytest.mark.parametrize("name", ["rfftn", "rfft2", "fftn"])
def test_several_axes_of_real(name, options):
    check(name, REAL, 1e-12, **options)


@pytest.mark.parametrize("dtype", ["f", "F"])
def test_single_precision_stays(dtype):
    check("fft", COMPLEX.real.astype("f").astype(dtype), 1e-5)
    check("fft2", COMPLEX.real.astype("f").astype(dtype), 1e-5)


@pytest.mark.parametrize("dtype", ["?", "b", "L", "i"])
def test_integers_are_float64(dtype):
    check("fft", (REAL * 9).astype(dtype), 1e-10)


def test_strided_input_and_views():
    check("fft", COMPLEX[::-1, ::2].transpose(2, 0, 1), 1e-12)


def test_frequencies_and_shifts():
    for n in (1, 4, 5):
        np.testing.assert_array_equal(
            cp.fft.fftfreq(n, 0.5).get(), np.fft.fftfreq(n, 0.5)
        )
        np.testing.assert_array_equal(cp.fft.rfftfreq(n).get(), np.fft.rfftfreq(n))
    for axes in (None, 0, (0, 2)):
        for name in ("fftshift", "ifftshift"):
            expected = getattr(np.fft, name)(REAL, axes)
            actual = getattr(np.fft, name)(cp.asarray(REAL), axes)
            np.testing.assert_array_equal(actual.get(), expected)


def test_errors():
    x = cp.asarray(REAL)
    with pytest.raises(ValueError, match="Invalid number of FFT data points"):
        cp.fft.fft(x, n=0)
    with pytest.raises(np.exceptions.AxisError):
        cp.fft.fft(x, axis=3)
    with pytest.raises(ValueError, match="different lengths"):
        cp.fft.fftn(x, s=(2, 2), axes=(0,))
    with pytest.raises(ValueError, match="norm"):
        cp.fft.fft(x, norm="twice")
    with pytest.raises(TypeError, match="Unsupported type"):
        cp.fft.fft(REAL)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "irfft2"])
def test_lengths_without_axes_are_deprecated(name):
    a = np.arange(12.0).reshape(3, 4)
    x = cp.asarray(a)
    for s in ((2, 3), (None, 2)):
        with pytest.warns(DeprecationWarning, match="`axes`"):
            got = getattr(cp.fft, name)(x, s, axes=None)
        with pytest.warns(DeprecationWarning, match="`axes`"):
            expected = getattr(np.fft, name)(a, s, axes=None)
        np.testing.assert_allclose(got.get(), expected, atol=1e-12)
    with (
        pytest.warns(DeprecationWarning, match="`axes`"),
        pytest.raises(np.exceptions.AxisError),
    ):
        getattr(cp.fft, name)(x, (2, 3, 4), axes=None)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@pytest.mark.parametrize("axes", [(0, 0), (-1, 1), (1, 0, 1)])
def test_an_axis_named_twice(name, axes):
    a = np.random.default_rng(3).random((3, 4))
    for s in (None, (5, 2, 3)[: len(axes)]):
        got = getattr(cp.fft, name)(cp.asarray(a), s, axes)
        expected = getattr(np.fft, name)(a, s, axes)
        assert got.shape == expected.shape
        np.testing.assert_allclose(got.get(), expected, atol=1e-12)


def test_the_whole_axis_of_an_inverse_real_transform():
    a = np.random.default_rng(3).random((3, 4))
    got = cp.fft.irfftn(cp.asarray(a), (-1, -1), (0, 1))
    np.testing.assert_allclose(got.get(), np.fft.irfftn(a, (-1, -1), (0, 1)))


def test_real_transforms_of_half_precision():
    a = np.arange(6, dtype="e")
    for name in ("irfft", "hfft"):
        got, expected = getattr(cp.fft, name)(cp.asarray(a)), getattr(np.fft, name)(a)
        assert got.dtype == expected.dtype == np.float16
        np.testing.assert_allclose(got.get(), expected, rtol=1e-2, atol=1e-2)
    matrix = cp.ones((2, 3), "e")
    assert cp.fft.irfftn(matrix).dtype == np.fft.irfftn(matrix.get()).dtype


def test_lengths_are_whole_numbers():
    for name in ("fft", "rfft", "irfft"):
        with pytest.raises(TypeError):
            getattr(cp.fft, name)(cp.ones(4), 2.5)
    with pytest.raises(TypeError):
        cp.fft.fftn(cp.ones((4, 4)), (2, 2.5), (0, 1))


def test_a_transform_over_no_axis_is_the_array():
    x = cp.ones((2, 3), "i")
    assert cp.fft.fftn(x, axes=()).dtype == np.fft.fftn(x.get(), axes=()).dtype


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("n", [1, 2, 7, 64])
def test_real_numbers_from_an_odd_place(dtype, n):
    x = np.random.default_rng(n).random((3, n + 1)).astype(dtype)
    for a, y in [(x[0, 1:], cp.array(x)[0, 1:]), (x[1:, 1:], cp.array(x)[1:, 1:])]:
        for name in ("rfft", "ihfft", "fft"):
            got = getattr(cp.fft, name)(y)
            np.testing.assert_allclose(
                got.get(), getattr(np.fft, name)(a), rtol=1e-5, atol=1e-5
            )


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
def test_shifts_take_what_is_on_the_host(name):
    """As CuPy's: packages keep frequencies there, PyLops among them."""
    for x in (np.fft.fftfreq(7), [3, 1, 2]):
        found, expected = getattr(cp.fft, name)(x), getattr(np.fft, name)(x)
        assert isinstance(found, cp.ndarray)
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()
