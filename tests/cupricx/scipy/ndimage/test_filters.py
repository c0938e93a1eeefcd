"""Correlation and convolution with weights, against SciPy."""

import itertools

import numpy as np
import pytest
import scipy.ndimage

import cupric as cp
from cupricx.scipy import ndimage

MODES = (
    "reflect",
    "constant",
    "nearest",
    "mirror",
    "wrap",
    "grid-mirror",
    "grid-constant",
    "grid-wrap",
)
DTYPES = "?bBhHiIlLefdFD"
TOLERANCE = {"e": 1e-2, "f": 2e-5, "F": 2e-5}


def values(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 100, shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.integers(0, 100, shape)
    elif np.dtype(dtype).kind == "b":
        x = x > 50
    return x.astype(dtype)


def check(name, x, *args, **kwargs):
    """The result of a function here and in SciPy."""
    expected = getattr(scipy.ndimage, name)(x, *args, **kwargs)
    found = getattr(ndimage, name)(cp.array(x), *args, **kwargs)
    assert isinstance(found, cp.ndarray)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    bound = TOLERANCE.get(found.dtype.char, 1e-12)
    if found.dtype.kind in "fc":
        np.testing.assert_allclose(found.get(), expected, rtol=bound, atol=bound * 1e3)
    else:
        np.testing.assert_array_equal(found.get(), expected)


@pytest.mark.parametrize("name", ["correlate1d", "convolve1d"])
@pytest.mark.parametrize("mode", MODES)
def test_every_mode_along_each_axis(name, mode):
    x = values((5, 7, 6), "f8")
    for axis, taps in itertools.product((0, 1, -1), (1, 2, 3, 6, 8)):
        for origin in {0, -(taps // 2), (taps - 1) // 2}:
            w = np.arange(1.0, taps + 1)
            check(name, x, w, axis, mode=mode, cval=2.5, origin=origin)


@pytest.mark.parametrize("name", ["correlate1d", "convolve1d"])
@pytest.mark.parametrize("mode", MODES)
def test_weights_longer_than_the_axis(name, mode):
    for n in (1, 2, 3):
        check(name, values((n, 80), "d"), np.arange(11.0), 0, mode=mode, cval=1)
        check(name, values((80, n), "d"), np.arange(11.0), 1, mode=mode, cval=1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(dtype):
    x = values((9, 70), dtype)
    if dtype == "e":  # which SciPy does not take
        found = ndimage.correlate1d(cp.array(x), [0.25, 0.5, 0.25])
        expected = scipy.ndimage.correlate1d(x.astype("f4"), [0.25, 0.5, 0.25])
        np.testing.assert_array_equal(found.get(), expected.astype("e"))
        return
    for axis in (0, 1):
        check("correlate1d", x, [0.25, 0.5, 0.25], axis)
        check("convolve1d", x, [1, 0, 3], axis)
    check("correlate", x, [[0.25, 0.5], [0, 0.25]])
    check("convolve", x, np.full((3, 3), 0.125))


@pytest.mark.parametrize("shape", [(5000,), (3, 2100), (2048,), (4097, 2), (70, 300)])
@pytest.mark.parametrize("dtype", ["f4", "u1"])
def test_lengths_of_pieces(shape, dtype):
    x = values(shape, dtype)
    for axis in range(x.ndim):
        check("correlate1d", x, np.arange(23) / 16, axis)
    check("correlate", x, np.ones((3,) * x.ndim) / 8)


def test_many_weights():
    check("correlate1d", values(3000, "d"), np.hanning(1501), mode="wrap")
    check("correlate1d", values((3, 900), "d"), np.hanning(1501), mode="mirror")
    check("correlate", values((40, 30), "d"), np.arange(13.0 * 17).reshape(13, 17))


@pytest.mark.parametrize("name", ["correlate", "convolve"])
@pytest.mark.parametrize("mode", MODES)
def test_windows_in_every_mode(name, mode):
    for shape, window in (
        ((17,), (4,)),
        ((6, 8), (3, 2)),
        ((2, 3), (5, 7)),
        ((4, 5, 6), (2, 3, 4)),
        ((3, 2, 3, 4), (2, 1, 2, 3)),
    ):
        w = values(window, "d", 1)
        check(name, values(shape, "d"), w, mode=mode, cval=1.5)
        check(
            name,
            values(shape, "d"),
            w,
            mode=mode,
            origin=[-(window[0] // 2)] + [0] * (len(shape) - 1),
        )


def test_modes_and_axes():
    x = values((5, 6, 7), "d")
    w = values((3, 2), "d", 1)
    check("correlate", x, w, axes=(0, 2), mode="constant", cval=3)
    found = ndimage.correlate(cp.array(x[0]), np.ones((3, 3)), mode=["wrap", "mirror"])
    once = scipy.ndimage.correlate1d(x[0], [1, 1, 1], 0, mode="wrap")
    expected = scipy.ndimage.correlate1d(once, [1, 1, 1], 1, mode="mirror")
    np.testing.assert_allclose(found.get(), expected)
    check("convolve", x, w, axes=(1, 2), origin=(1, 0))
    check("correlate", x, w, axes=(2, 0), origin=(0, 1))
    check("correlate", x, w[0], axes=2)


@pytest.mark.parametrize("name", ["correlate1d", "convolve1d", "correlate", "convolve"])
def test_complex(name):
    x, w = values(40, "D"), np.array([1 + 2j, 3, -1j])
    check(name, x, w)
    check(name, x, w, mode="constant", cval=2 - 1j)
    check(name, x.real, w, mode="constant", cval=2)
    check(name, x, w.real, mode="constant", cval=1j)
    check(name, x.astype("F"), w)


def test_not_contiguous():
    x = values((8, 9, 10), "f8")
    views = (
        lambda a: a.T,
        lambda a: a[::2, ::-1],
        lambda a: a.transpose(1, 2, 0)[:, 1:],
    )
    for view in views:
        expected = scipy.ndimage.correlate1d(view(x), [1, 2, 3], 1)
        found = ndimage.correlate1d(view(cp.array(x)), [1, 2, 3], 1)
        np.testing.assert_allclose(found.get(), expected)


def test_empty():
    for shape in ((0,), (3, 0), (0, 4)):
        check("correlate1d", np.zeros(shape), [1, 2, 1])
        check("correlate", np.zeros(shape), np.ones((3,) * len(shape)))


# ---- outputs -------------------------------------------------------------------------


def test_output_is_a_dtype():
    x = values((6, 7), "u1")
    for dtype in ("f4", "f8", np.int32, "u1"):
        check("correlate1d", x, [0.5, 1.25], output=dtype)
        check("correlate", x, [[0.5, 1.25]], output=dtype)


def test_output_is_an_array():
    x = values((6, 7), "f4")
    for out in (np.zeros((6, 7)), np.zeros((6, 7), "i4"), np.zeros((7, 6)).T):
        expected = out.copy()
        scipy.ndimage.correlate1d(x, [1, 2], output=expected)
        target = cp.array(out)
        assert ndimage.correlate1d(cp.array(x), [1, 2], output=target) is target
        np.testing.assert_allclose(target.get(), expected)


def test_output_overlaps():
    x = values((6, 7), "f8")
    base = cp.array(x)
    expected = scipy.ndimage.correlate1d(x, [1, 2, 3], 0)
    ndimage.correlate1d(base, [1, 2, 3], 0, output=base)
    np.testing.assert_allclose(base.get(), expected)
    line = cp.arange(10.0)
    ndimage.correlate(line[:8], [1, 2, 3], output=line[2:])
    np.testing.assert_allclose(
        line[2:].get(), scipy.ndimage.correlate(np.arange(8.0), [1, 2, 3])
    )


def test_errors():
    x = cp.ones((4, 5))
    with pytest.raises(TypeError, match="Unsupported type"):
        ndimage.correlate1d(np.ones(4), [1, 2])
    with pytest.raises(TypeError, match="Unsupported type"):
        ndimage.correlate1d(x, [1, 2], output=np.ones((4, 5)))
    with pytest.raises(RuntimeError, match="output shape"):
        ndimage.correlate1d(x, [1, 2], output=cp.ones((5, 4)))
    with pytest.raises(RuntimeError, match="no filter weights"):
        ndimage.correlate1d(x, [[1, 2]])
    with pytest.raises(RuntimeError, match="weights"):
        ndimage.correlate(x, [1, 2])
    with pytest.raises(ValueError, match="mode"):
        ndimage.correlate(x, [[1, 2]], mode="none")
    with pytest.raises(ValueError, match="origin"):
        ndimage.correlate1d(x, [1, 2], origin=1)
    with pytest.raises(ValueError, match="axis"):
        ndimage.correlate1d(x, [1, 2], axis=2)
    with pytest.raises(ValueError, match="unique"):
        ndimage.correlate(x, [[1, 2]], axes=(0, 0))
    with pytest.raises(ValueError, match="cval"):
        ndimage.correlate1d(x, [1, 2], mode="constant", cval=1j)
    with pytest.raises(RuntimeError, match="complex"):
        ndimage.correlate1d(x, [1, 2j], output=cp.ones((4, 5)))


# ---- means, Gaussians, derivatives ---------------------------------------------------


def draw(rng, dtypes="bBhHiIlLfdFD"):
    """An array of any shape, dtype and layout."""
    shape = tuple(rng.integers(1, 13, rng.integers(1, 5)))
    x = values(shape, dtypes[rng.integers(len(dtypes))], rng.integers(99))
    layout = rng.integers(4)
    if layout == 1:
        x = x.T
    elif layout == 2:
        x = x[::-1][..., ::2]
    elif layout == 3:
        x = np.broadcast_to(x[:1], (3, *x.shape[1:]))
    return x


@pytest.mark.parametrize("mode", MODES)
def test_means_in_every_mode(mode):
    x = values((5, 17, 6), "i4")
    for axis, size in itertools.product((0, 1, -1), (1, 2, 3, 4, 7, 13, 40)):
        for origin in {0, -(size // 2), (size - 1) // 2}:
            check("uniform_filter1d", x, size, axis, mode=mode, cval=7, origin=origin)


@pytest.mark.parametrize("dtype", "?bBhHiIlLfdFD")
def test_means_of_dtypes(dtype):
    x = values((40, 70), dtype)
    for axis, size in itertools.product((0, 1), (3, 6, 55)):
        check("uniform_filter1d", x, size, axis)
        check("uniform_filter1d", x, size, axis, mode="constant", cval=3)
    check("uniform_filter", x, (4, 5))
    if np.dtype(dtype).kind == "c":
        check("uniform_filter1d", x, 8, mode="constant", cval=2 - 5j)
        check("uniform_filter1d", x, 80, 0, mode="constant", cval=2 - 5j)


@pytest.mark.parametrize("dtype", ["f4", "f8", "u1"])
def test_means_of_many_elements(dtype):
    for shape, axis, size in (
        ((5000,), 0, 1000),
        ((9000,), 0, 2500),
        ((3, 4100), 1, 1025),
        ((4100, 3), 0, 300),
        ((1000, 300), 0, 129),
        ((50, 2, 40), 0, 200),
    ):
        check("uniform_filter1d", values(shape, dtype), size, axis, origin=1)


def test_means_of_large_numbers():
    x = np.random.default_rng(0).integers(-(2**31), 2**31, 3000).astype("i4")
    check("uniform_filter1d", x, 1024)
    check("uniform_filter1d", x, 1500)
    x = values(4000, "f8") * np.logspace(0, 12, 4000)
    expected = np.convolve(np.pad(x, 8, "symmetric"), np.full(17, 1 / 17), "valid")
    found = ndimage.uniform_filter1d(cp.array(x), 17)
    np.testing.assert_allclose(found.get(), expected, rtol=1e-14)


def test_means_of_infinities():
    x = values(500, "f8")
    x[::97] = np.inf
    found = ndimage.uniform_filter1d(cp.array(x), 3, mode="constant").get()
    expected = np.isinf(np.convolve(x, [1, 1, 1], "same"))
    np.testing.assert_array_equal(np.isinf(found), expected)


def test_drawn():
    rng = np.random.default_rng(1)
    for _ in range(150):
        x = draw(rng)
        mode = MODES[rng.integers(8)]
        axis = int(rng.integers(-x.ndim, x.ndim))
        sigma = float(rng.uniform(0.2, 2.5))
        order = int(rng.integers(0, 4))
        size = tuple(int(s) for s in rng.integers(1, 9, x.ndim))
        rest = {"mode": mode, "cval": 3}
        check("uniform_filter", x, size, **rest)
        if x.dtype.kind in "fc":  # of integers: test_gaussians_of_integers
            check("gaussian_filter1d", x, sigma, axis, order, **rest)
            check("gaussian_filter", x, sigma, order, **rest)
            check("gaussian_laplace", x, sigma, **rest)
        if x.dtype.char in "fd":
            check("gaussian_gradient_magnitude", x, sigma, **rest)
        if x.dtype.char not in "L":  # SciPy converts negative sums in its own way
            check("sobel", x, axis, **rest)
            check("prewitt", x, axis, **rest)
            check("laplace", x, **rest)


def test_gaussians_of_given_radius():
    x = values((9, 30), "f8")
    check("gaussian_filter1d", x, 2.0, radius=3)
    check("gaussian_filter1d", x, 2.0, truncate=1.5)
    check("gaussian_filter1d", x, 1.5, order=6)
    check("gaussian_filter", x, (1.5, 0))
    check("gaussian_filter", x, (1.5, 2), order=(0, 1), radius=(2, 5))
    check("gaussian_filter", x, 0)
    check("gaussian_laplace", x, (1.5, 2), truncate=2)
    check("gaussian_gradient_magnitude", x, (1.5, 2), truncate=2)


def test_gaussians_of_integers(request):
    option = request.config.getoption
    exact = option("--device") == "host" and option("--bodies") != "device"
    ramp = np.add.outer(np.arange(60), 2 * np.arange(50)).astype("u1")
    for x in (ramp, np.full((60, 50), 255, "u1"), values((60, 50), "i4")):
        for mode in ("reflect", "constant"):
            if exact:
                check("gaussian_filter", x, 1.3, mode=mode)
            else:  # whole sums may come out an ulp less, then one less
                found = ndimage.gaussian_filter(cp.array(x), 1.3, mode=mode).get()
                expected = scipy.ndimage.gaussian_filter(x, 1.3, mode=mode)
                assert abs(found.astype("l") - expected.astype("l")).max() <= 2


def test_filters_along_some_axes():
    x = values((5, 6, 7), "f8")
    for axes in ((0,), (1, 2), (2, 0), (-1,), ()):
        modes = ["wrap", "nearest"][: len(axes)]
        check("gaussian_filter", x, 1.5, axes=axes, mode=modes)
        check("uniform_filter", x, 3, axes=axes, mode=modes)
        check("laplace", x, axes=axes, mode=modes)
        check("gaussian_laplace", x, [1.5, 2.0][: len(axes)], axes=axes)
        check("gaussian_gradient_magnitude", x, 1.5, axes=axes)
    check("sobel", x, 1, mode=["wrap", "mirror", "constant"], cval=2)


def test_derivatives_of_your_own():
    x = values((6, 7), "f8")

    def second(package):
        def derivative(input, axis, output, mode, cval, a, *, b):
            assert (a, b) == (1, 2)
            return package.correlate1d(input, [1, -2, 1], axis, output, mode, cval)

        return derivative

    for name in ("generic_laplace", "generic_gradient_magnitude"):
        kwargs = {"extra_arguments": (1,), "extra_keywords": {"b": 2}}
        found = getattr(ndimage, name)(cp.array(x), second(ndimage), **kwargs)
        expected = getattr(scipy.ndimage, name)(x, second(scipy.ndimage), **kwargs)
        np.testing.assert_allclose(found.get(), expected, rtol=1e-12)
    found = ndimage.generic_gradient_magnitude(cp.array(x), ndimage.sobel, mode="wrap")
    expected = scipy.ndimage.generic_gradient_magnitude(
        x, scipy.ndimage.sobel, mode="wrap"
    )
    np.testing.assert_allclose(found.get(), expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["generic_laplace", "generic_gradient_magnitude"])
def test_a_derivative_of_a_function_of_your_own_has_the_shape(name):
    def derivative(input, axis, output, mode, cval):
        if axis == 1:
            return cp.ones((2, 2))
        output[...] = input

    with pytest.raises(ValueError, match=r"\(2, 2\), not of \(3, 4\)"):
        getattr(ndimage, name)(cp.ones((3, 4)), derivative)


COMPOSED = {
    "uniform_filter": (3,),
    "uniform_filter1d": (3,),
    "gaussian_filter": (1.0,),
    "gaussian_filter1d": (1.0,),
    "sobel": (),
    "laplace": (),
    "gaussian_laplace": (1.0,),
    "gaussian_gradient_magnitude": (1.0,),
}


@pytest.mark.parametrize("name", COMPOSED)
@pytest.mark.parametrize("shape", [(60,), (12, 9), (5, 6, 7)])
def test_outputs_of_filters_in_turn(name, shape):
    args = COMPOSED[name]
    x = values(shape, "f8")
    expected = getattr(scipy.ndimage, name)(x, *args)
    ours = getattr(ndimage, name)

    def close(found):
        np.testing.assert_allclose(found.get(), expected, rtol=1e-5, atol=1e-5)

    inplace = cp.array(x)
    assert ours(inplace, *args, output=inplace) is inplace
    close(inplace)
    base = cp.zeros((shape[0] + 2, *shape[1:]))
    base[:-2] = cp.array(x)
    ours(base[:-2], *args, output=base[2:])
    close(base[2:])
    backwards = cp.zeros(shape[::-1]).T
    given = cp.array(x)
    ours(given, *args, output=backwards)
    close(backwards)
    np.testing.assert_array_equal(given.get(), x)
    found = ours(given, *args, output="f4")
    assert found.dtype == "f4"
    close(found)


@pytest.mark.parametrize("name", COMPOSED)
def test_filters_of_nothing(name):
    for shape in ((0,), (3, 0)):
        check(name, np.zeros(shape), *COMPOSED[name])


def test_errors_of_filters_in_turn():
    x = cp.ones((4, 5))
    with pytest.raises(RuntimeError, match="size"):
        ndimage.uniform_filter1d(x, 0)
    with pytest.raises(RuntimeError, match="size"):
        ndimage.uniform_filter(x, (3, 3, 3))
    with pytest.raises(ValueError, match="origin"):
        ndimage.uniform_filter1d(x, 3, origin=2)
    with pytest.raises(ValueError, match="nonnegative"):
        ndimage.gaussian_filter1d(x, 1, radius=-1)
    with pytest.raises(ValueError, match="nonnegative"):
        ndimage.gaussian_filter1d(x, 1, radius=1.5)
    with pytest.raises(ValueError, match="order"):
        ndimage.gaussian_filter1d(x, 1, order=-1)
    with pytest.raises(ValueError, match="sigma"):
        ndimage.gaussian_filter1d(x, 0)
    with pytest.raises(RuntimeError, match="sigma"):
        ndimage.gaussian_filter(x, (1, 2, 3))
    with pytest.raises(ValueError, match="axis"):
        ndimage.sobel(x, axis=2)
    with pytest.raises(RuntimeError, match="mode"):
        ndimage.prewitt(x, mode=["wrap"])
    with pytest.raises(TypeError, match="Unsupported type"):
        ndimage.laplace(np.ones(4))


# ---- paths of their own --------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["f4", "f8", "u1", "i2"])
def test_tiles_of_many_shapes(dtype):
    """Tiles that reach out of the array, of few rows and of many."""
    rng = np.random.default_rng(3)
    shapes = [(3,), (70, 3), (3, 70), (2, 5, 300), (40, 3, 5), (9, 9, 9), (2, 3, 4, 17)]
    for shape in shapes:
        x = values(shape, dtype)
        for _ in range(2):
            window = tuple(rng.integers(1, 5, len(shape)))
            w = rng.integers(-2, 3, window) / 4
            origin = [int(rng.integers(-(n // 2), (n + 1) // 2)) for n in window]
            mode = MODES[rng.integers(len(MODES))]
            check("correlate", x, w, mode=mode, cval=3, origin=origin)


def test_zero_weights_are_passed_over():
    x = values((20, 70), "f8")
    x[5, 7], x[12, 66] = np.inf, np.nan
    check("correlate", x, [[0, 1, 0, 2, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 1]])
    check("correlate", x, np.eye(3, 70))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 32, 33, 50, 300])
def test_means_of_every_size(size):
    for shape, axis in (((3, 260), 1), ((5000,), 0), ((260, 3), 0), ((90, 70), 0)):
        for dtype in ("f4", "u1"):
            x = values(shape, dtype)
            check("uniform_filter1d", x, size, axis, mode="constant", cval=2.5)
            check("uniform_filter1d", x, size, axis, mode="mirror", origin=-(size // 2))


@pytest.mark.parametrize("size", [3, 9, 40])
def test_means_of_what_is_not_finite(size):
    x = values((4, 3000), "f8")
    x[1, 700], x[2, 800] = np.inf, np.nan
    found = ndimage.uniform_filter1d(cp.array(x), size).get()
    exact = np.lib.stride_tricks.sliding_window_view(
        np.pad(x, ((0, 0), (size // 2, size - 1 - size // 2)), mode="symmetric"),
        size,
        axis=1,
    ).mean(2)
    np.testing.assert_allclose(found, exact, rtol=1e-12)


@pytest.mark.parametrize("name", ["sobel", "prewitt", "laplace"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "u1", "i4"])
def test_derivatives_in_every_mode(name, dtype):
    for shape in ((9, 70), (5, 6, 7)):
        x = values(shape, dtype)
        for mode in MODES:
            check(name, x, mode=mode, cval=2)
            check(name, x, mode=mode, output="f8")


def test_error_of_float32():
    """(taps + 2) 2^-24 of the sum of |w x|, as _filters.py says."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal((60, 300)).astype("f4")
    for taps in (3, 9, 40, 130):
        w = rng.standard_normal(taps)
        for axis in (0, 1):
            found = ndimage.correlate1d(cp.array(x), w, axis).get()
            exact = scipy.ndimage.correlate1d(x.astype("f8"), w, axis)
            size = scipy.ndimage.correlate1d(abs(x.astype("f8")), abs(w), axis)
            assert (abs(found - exact) <= (taps + 2) * 2**-24 * size).all()
    w = rng.standard_normal((5, 7))
    found = ndimage.correlate(cp.array(x), w).get()
    exact = scipy.ndimage.correlate(x.astype("f8"), w)
    size = scipy.ndimage.correlate(abs(x.astype("f8")), abs(w))
    assert (abs(found - exact) <= (w.size + 2) * 2**-24 * size).all()


@pytest.mark.parametrize("mode", MODES)
def test_long_means_of_few_columns(mode):
    for shape, axis in (((5000,), 0), ((3, 1500), 1), ((1300, 3), 0), ((2, 900, 5), 1)):
        for size in (1100, 2600):
            for dtype in ("f4", "f8", "u1", "c8"):
                x = values(shape, dtype)
                check("uniform_filter1d", x, size, axis, mode=mode, cval=7)
    check("uniform_filter1d", values(5, "f8"), 1100, 0, mode=mode, cval=7)


@pytest.mark.parametrize("dtype", ["B", "h", "i", "l", "f", "d"])
def test_integers_are_those_of_scipy(dtype):
    """Sums that come to an integer, or just below: in SciPy's order, term by term."""
    rng = np.random.default_rng(3)
    for shape in ((1,), (1, 12), (4, 1), (70, 9), (3, 4, 20)):
        x = rng.integers(0, 40, shape).astype(dtype)
        output = None if x.dtype.kind in "iu" else "i"
        for sigma in (0.3, 1, 2):
            check("gaussian_filter", x, sigma, output=output)
            check("gaussian_filter", x, sigma, order=1, output=output)
            check("gaussian_filter1d", np.full_like(x, 31), sigma, 0, output=output)
            check("gaussian_laplace", x, sigma, output=output)
            check("gaussian_gradient_magnitude", x, sigma, output=output)
        w = rng.random(9)
        check("correlate1d", x, w / w.sum(), 0, output=output)
        w = rng.random((2,) * x.ndim)
        check("correlate", x, w / w.sum(), output=output)


@pytest.mark.parametrize("name", ["sobel", "prewitt"])
def test_what_comes_of_each_axis_is_of_the_dtype_of_the_output(name):
    x = np.random.default_rng(4).random((6, 7)) * 9
    check(name, x, output="i")
    check(name, x.astype("B"), output="b")
