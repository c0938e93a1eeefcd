"""cupricx.scipy.signal against scipy.signal: every mode, boundary and dtype."""

import itertools

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

theirs = pytest.importorskip("scipy.signal")

DTYPES = ["?", "b", "B", "h", "i", "L", "f", "d", "F", "D"]
SHAPES = [
    ((5, 6), (3, 3)),
    ((4, 4), (2, 2)),
    ((8, 3), (4, 2)),
    ((1, 7), (1, 3)),
    ((3, 3), (5, 6)),
    ((5, 6), (2, 9)),
    ((6, 7), (1, 1)),
]
MODES = ["full", "same", "valid"]


def sample(shape, dtype, seed):
    rng = np.random.default_rng(seed)
    a = rng.random(shape) * 9
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.random(shape)
    if dtype == "?":
        a = a > 4
    return a.astype(dtype)


def both(name, a, b, *args, **kwargs):
    """The result, or the exception, of SciPy's function and of ours."""
    outcomes = []
    for module, convert in ((theirs, np.asarray), (ours, cp.asarray)):
        try:
            outcomes.append(
                getattr(module, name)(convert(a), convert(b), *args, **kwargs)
            )
        except (ValueError, TypeError) as error:
            outcomes.append(error)
    return outcomes


def check(expected, actual):
    if isinstance(expected, Exception):
        assert type(actual) is type(expected), (expected, actual)
        return
    if isinstance(actual, Exception):
        raise actual
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    single = expected.dtype in (np.float32, np.complex64)
    tolerance = 1e-4 if single else 1e-10
    np.testing.assert_allclose(
        actual.get(), expected, rtol=tolerance, atol=tolerance * 50
    )


@pytest.mark.parametrize("dtype", [t for t in DTYPES if t != "?"])
@pytest.mark.parametrize("name", ["convolve2d", "correlate2d"])
def test_images(name, dtype):
    for (s1, s2), mode, boundary in itertools.product(
        SHAPES, MODES, ["fill", "wrap", "symm"]
    ):
        a, b = sample(s1, dtype, 1), sample(s2, dtype, 2)
        fill = 3 if boundary == "fill" else 0
        check(*both(name, a, b, mode, boundary, fill))


@pytest.mark.parametrize("types", [("f", "d"), ("i", "f"), ("b", "D"), ("F", "d")])
def test_mixed_dtypes_promote(types):
    a, b = sample((6, 5), types[0], 1), sample((3, 2), types[1], 2)
    check(*both("convolve2d", a, b, "same"))
    check(*both("correlate", a, b, "full", "direct"))


@pytest.mark.parametrize("dtype", [t for t in DTYPES if t != "?"])
@pytest.mark.parametrize("method", ["direct", "fft"])
@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_any_dimension(name, method, dtype):
    shapes = [*SHAPES, ((9,), (4,)), ((4,), (9,)), ((3, 4, 5), (2, 2, 2))]
    for (s1, s2), mode in itertools.product(shapes, MODES):
        a, b = sample(s1, dtype, 1), sample(s2, dtype, 2)
        check(*both(name, a, b, mode, method))


@pytest.mark.parametrize("dtype", ["i", "f", "d", "F", "D"])
def test_fftconvolve(dtype):
    shapes = [*SHAPES, ((9,), (4,)), ((1, 7), (3, 3)), ((3, 4, 5), (2, 2, 2))]
    for (s1, s2), mode in itertools.product(shapes, MODES):
        a, b = sample(s1, dtype, 1), sample(s2, dtype, 2)
        check(*both("fftconvolve", a, b, mode))


@pytest.mark.parametrize("axes", [0, 1, -1, (0, 1), [1]])
def test_fftconvolve_axes_broadcast(axes):
    a, b = sample((4, 6), "d", 1), sample((4, 6), "d", 2)
    check(*both("fftconvolve", a, b, "full", axes))
    check(*both("fftconvolve", a, b[:1] if axes in (1, -1, [1]) else b, "same", axes))


@pytest.mark.parametrize("sizes", [(1000, 7), (1000, 100), (50, 60), (5, 1)])
@pytest.mark.parametrize("mode", MODES)
def test_oaconvolve(sizes, mode):
    a, b = sample(sizes[:1], "d", 1), sample(sizes[1:], "d", 2)
    check(*both("oaconvolve", a, b, mode))


def test_float16_is_summed_in_float32():
    a, b = sample((20, 20), "e", 1), sample((5, 5), "e", 2)
    got = ours.convolve2d(cp.asarray(a), cp.asarray(b))
    assert got.dtype == np.float16
    exact = theirs.convolve2d(a.astype("d"), b.astype("d"))
    np.testing.assert_allclose(got.get(), exact, rtol=1e-3)


def test_fill_value_reaches_the_border():
    a, b = sample((3, 4), "D", 1), sample((5, 3), "D", 2)
    check(*both("convolve2d", a, b, "full", "fill", 2 - 3j))


def test_strided_and_empty_inputs():
    a, b = sample((9, 12), "d", 1)[::-2, ::3], sample((4, 3), "d", 2).T
    check(*both("convolve2d", a, b))
    assert ours.convolve(cp.zeros((0, 3)), cp.ones((3, 3)), method="direct").size == 0
    assert ours.fftconvolve(cp.zeros((0,)), cp.zeros((3,))).size == 0


def test_a_numpy_array_is_refused():
    a = np.ones((3, 3))
    for f in (ours.convolve2d, ours.correlate2d, ours.convolve, ours.fftconvolve):
        with pytest.raises(TypeError, match="Unsupported type <class 'numpy.ndarray'>"):
            f(cp.asarray(a), a)


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (((3, 3), (3,)), "same dimensionality"),
        (((3, 3), (2, 5), "valid"), "valid"),
        (((3,), (2,), "middle"), "mode flags"),
        (((3,), (2,), "full", "guess"), "method flags"),
    ],
)
def test_bad_arguments(args, error):
    s1, s2, *rest = args
    with pytest.raises(ValueError, match=error):
        ours.convolve(cp.ones(s1), cp.ones(s2), *rest)


def test_bad_boundary():
    with pytest.raises(ValueError, match="boundary flags"):
        ours.convolve2d(cp.ones((3, 3)), cp.ones((2, 2)), boundary="mirror")
    with pytest.raises(ValueError, match="both be 2-D"):
        ours.convolve2d(cp.ones(3), cp.ones(2))


def test_choice_of_method():
    small, big = cp.ones((8, 8)), cp.ones((512, 512))
    assert ours.choose_conv_method(small, small) == "direct"
    assert ours.choose_conv_method(big, big) == "fft"
    huge = cp.full((512, 512), 2**30)
    assert (
        ours.choose_conv_method(huge, huge) == "direct"
    )  # the sums need exact integers
    method, times = ours.choose_conv_method(small, small, measure=True)
    assert method == min(times, key=times.get)


@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("dtype", ["?", "B", "i", "e", "f", "d", "D"])
def test_numpy_vectors(name, dtype):
    for m, n, mode in itertools.product([1, 2, 5, 8], [1, 2, 3, 4, 9], MODES):
        a, v = sample((m,), dtype, 1), sample((n,), dtype, 2)
        expected = getattr(np, name)(a, v, mode)
        actual = getattr(np, name)(cp.asarray(a), cp.asarray(v), mode)
        assert isinstance(actual, cp.ndarray)
        assert actual.dtype == expected.dtype
        np.testing.assert_allclose(
            actual.get(), expected, rtol=1e-2 if dtype == "e" else 1e-5
        )


def test_numpy_vectors_must_not_be_empty():
    with pytest.raises(ValueError, match="a cannot be empty"):
        cp.convolve(cp.ones(0), cp.ones(2))
    with pytest.raises(ValueError, match="v cannot be empty"):
        cp.convolve(cp.ones(2), cp.ones(0))


@pytest.mark.parametrize("dtype", ["B", "i", "L", "f", "d", "F", "D"])
@pytest.mark.parametrize(
    "kernel", [(15, 15), (4, 9), (33, 40), (1, 70), (70, 3)], ids=str
)
def test_large_kernels(dtype, kernel):
    """Over several tiles, and kernels that pass in pieces."""
    a, b = sample((150, 140), dtype, 1), sample(kernel, dtype, 2)
    for mode, boundary in (("full", "fill"), ("same", "symm"), ("valid", "wrap")):
        for name in ("convolve2d", "correlate2d"):
            got = getattr(ours, name)(cp.array(a), cp.array(b), mode, boundary)
            if dtype == "B":  # SciPy has no loop for it
                want = getattr(theirs, name)(
                    a.astype("L"), b.astype("L"), mode, boundary
                ).astype("B")
            else:
                want = getattr(theirs, name)(a, b, mode, boundary)
            scale = abs(want).max() * (1e-5 if dtype in "fF" else 1e-12)
            np.testing.assert_allclose(got.get(), want, rtol=0, atol=scale)


@pytest.mark.parametrize("dtype", ["i", "f", "d", "D"])
@pytest.mark.parametrize("taps", [1, 2, 15, 1024, 1500])
def test_long_vectors(dtype, taps):
    a, b = sample((9001,), dtype, 1), sample((taps,), dtype, 2)
    for mode in MODES:
        want = np.convolve(a, b, mode)
        scale = abs(want).max() * (1e-5 if dtype == "f" else 1e-12)
        got = cp.convolve(cp.array(a), cp.array(b), mode)
        np.testing.assert_allclose(got.get(), want, rtol=0, atol=scale)


def odd_vectors(n, m, dtype):
    """Vectors with nothing odd, a NaN or an infinity in the second, or in both."""
    rng = np.random.default_rng(n + m)
    a, v = rng.random(n).astype(dtype), rng.random(m).astype(dtype)
    yield a, v
    for x in (np.nan, np.inf):
        v = v.copy()
        v[rng.integers(m)] = x
        yield a, v
    yield np.where(np.arange(n) == n // 2, np.nan, a).astype(dtype), v


@pytest.mark.parametrize("dtype", ["e", "f", "d", "F", "D"])
@pytest.mark.parametrize(
    "sizes", [(2, 2), (5, 2), (3, 9), (1, 1), (3000, 40), (5000, 1300)]
)
@pytest.mark.parametrize("mode", MODES)
def test_one_axis_leaves_out_what_is_outside(mode, sizes, dtype):
    for a, v in odd_vectors(*sizes, dtype):
        x, y = cp.asarray(a), cp.asarray(v)
        for name in ("convolve", "correlate"):
            with np.errstate(all="ignore"):
                expected = getattr(np, name)(a, v, mode)
            for got in (
                getattr(cp, name)(x, y, mode),
                getattr(ours, name)(x, y, mode, "direct"),
            ):
                if got.shape != expected.shape:
                    continue  # SciPy's 'same' goes by the first operand
                np.testing.assert_allclose(
                    got.get(), expected, rtol=1e-2 if dtype == "e" else 1e-4
                )


@pytest.mark.parametrize("sizes", [(300, 20), (20, 300), (257, 16)])
@pytest.mark.parametrize("mode", MODES)
def test_blocks_of_the_longer_of_two(mode, sizes):
    a, b = (sample((n,), "d", n) for n in sizes)
    got = ours.oaconvolve(cp.asarray(a), cp.asarray(b), mode)
    expected = theirs.oaconvolve(a, b, mode)
    assert got.shape == expected.shape
    np.testing.assert_allclose(got.get(), expected)


def test_numbers_are_convolved_and_not_correlated():
    x, two = cp.arange(3.0), cp.array(2.0)
    assert cp.convolve(x, two).tolist() == [0, 2, 4]
    for a, v in ((x, two), (two, x)):
        with pytest.raises(ValueError, match="too small"):
            np.correlate(a.get(), v.get())
        with pytest.raises(ValueError, match="too small"):
            cp.correlate(a, v)
