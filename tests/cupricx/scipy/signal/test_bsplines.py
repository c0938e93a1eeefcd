"""B-splines against scipy.signal, and where that is wrong against what they are."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import signal
from cupricx.scipy.signal import _bsplines

theirs = pytest.importorskip("scipy.signal")


def numbers(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    x = 3 * rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def agree(made, expected, bound=5e-11):
    """By the size of the greatest element."""
    assert made.shape == expected.shape
    assert made.dtype == expected.dtype
    if expected.dtype.char in "fF":
        bound = max(bound, 1e-5)
    scale = np.abs(expected).max(initial=0)
    assert np.abs(made.get() - expected).max(initial=0) <= bound * scale


# ---- filters -------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", "fdFDlie?")
@pytest.mark.parametrize("z", [0.3, -0.4, 0.8])
def test_one_pole(z, dtype):
    x = numbers((3, 150), dtype)
    given = cp.array(x)
    if dtype == "e":  # of which SciPy rounds the coefficients, too
        x = x.astype("f")
    agree(signal.symiirorder1(given, 0.3, z), theirs.symiirorder1(x, 0.3, z))
    made = signal.symiirorder1(given[0], 0.3, z, 1e-3)
    agree(made, theirs.symiirorder1(x[0], 0.3, z, 1e-3))


def test_a_complex_pole():
    x = numbers(100, "D")
    made = signal.symiirorder1(cp.array(x), 0.3, 0.2 + 0.4j)
    agree(made, theirs.symiirorder1(x, 0.3, 0.2 + 0.4j))
    # Of a real signal SciPy drops the imaginary part.
    made = signal.symiirorder1(cp.array(x.real), 0.3, 0.2 + 0.4j)
    agree(made, theirs.symiirorder1(x.real + 0j, 0.3, 0.2 + 0.4j))


@pytest.mark.parametrize("dtype", "fdlie?")
@pytest.mark.parametrize(
    ("r", "omega"), [(0.5, 0.4), (0.6, 2.0), (0.3, 0.0), (0.8, 1.57), (0.0, 0.3)]
)
def test_two_poles(r, omega, dtype):
    x = numbers((3, 150), dtype)
    given = cp.array(x)
    if dtype == "e":
        x = x.astype("f")
    agree(signal.symiirorder2(given, r, omega), theirs.symiirorder2(x, r, omega))
    for precision in (1e-3, 1e-8, 2.0):
        made = signal.symiirorder2(given[0], r, omega, precision)
        agree(made, theirs.symiirorder2(x[0], r, omega, precision))


def test_two_poles_of_complex_signals():
    x = numbers((2, 100), "D")
    made = signal.symiirorder2(cp.array(x), 0.5, 0.4)
    parts = [theirs.symiirorder2(part, 0.5, 0.4) for part in (x.real, x.imag)]
    agree(made, parts[0] + 1j * parts[1])


@pytest.mark.parametrize(("r", "omega"), [(0.3, np.pi), (-0.4, 0.3), (-0.5, 0.0)])
def test_poles_whose_mirrored_sums_scipy_has_wrong(r, omega):
    """A mirrored signal of ones stays so."""
    made = signal.symiirorder2(cp.ones((2, 60)), r, omega).get()
    np.testing.assert_allclose(made, 1, rtol=2e-5)
    near = theirs.symiirorder2(numbers(60), abs(r), (omega + (r < 0) * np.pi) - 1e-7)
    made = signal.symiirorder2(cp.array(numbers(60)), r, omega)
    agree(made, near, 1e-4)


@pytest.mark.parametrize("dtype", "fdlFD")
def test_separable_filters(dtype):
    x = numbers((23, 31), dtype)
    for row, col in (
        ([1.0], [2.0]),
        ([1.0, 2, 4], [3.0, 1, 2, 2, 1]),
        ([0.5] * 9, [1.0]),
    ):
        h = [np.array(v, "f") for v in (row, col)]
        for of in (np.array, cp.array):
            made = signal.sepfir2d(cp.array(x), *map(of, h))
            agree(made, theirs.sepfir2d(x, *h))
    view = cp.array(x)[::-1, ::2]
    agree(signal.sepfir2d(view, *h), theirs.sepfir2d(x[::-1, ::2], *h))


def test_filters_longer_than_the_image():
    """SciPy reads what is not its own; NumPy's padding is the definition."""
    x = numbers((3, 4))
    h = numbers(21)
    rows = np.pad(x, ((0, 0), (10, 10)), "symmetric")
    expected = np.stack([np.convolve(row, h, "valid") for row in rows])
    agree(signal.sepfir2d(cp.array(x), h, [1.0]), expected)
    agree(signal.sepfir2d(cp.array(x.T), [1.0], h), expected.T)
    assert signal.sepfir2d(cp.ones((0, 3)), h, h).shape == (0, 3)


# ---- coefficients --------------------------------------------------------------------


@pytest.mark.parametrize("dtype", "fdFDl")
@pytest.mark.parametrize("n", [2, 3, 5, 8, 60, 3000])
def test_coefficients_of_signals(n, dtype):
    x = numbers(n, dtype)
    agree(signal.cspline1d(cp.array(x)), theirs.cspline1d(x))
    agree(signal.qspline1d(cp.array(x)), theirs.qspline1d(x))
    for lamb in (0.1, 1.0, 20.0):
        if n > 2:
            agree(signal.cspline1d(cp.array(x), lamb), theirs.cspline1d(x, lamb), 1e-9)


@pytest.mark.parametrize("function", ["cspline1d", "qspline1d"])
def test_the_spline_goes_through_the_signal(function):
    x = numbers(200)
    evaluate = getattr(signal, f"{function}_eval")
    c = getattr(signal, function)(cp.array(x))
    agree(evaluate(c, cp.arange(200.0)), x, 1e-9)
    for one in (function, f"{function}_eval"):
        assert one in signal.__all__


def test_one_element():
    """Which SciPy leaves a factor out of."""
    for function in (signal.cspline1d, signal.qspline1d):
        np.testing.assert_array_equal(function(cp.array([3.0])).get(), [3.0])
    for evaluate in (signal.cspline1d_eval, signal.qspline1d_eval):
        made = evaluate(cp.array([3.0]), cp.array([0.0, 0.5, -7.0])).get()
        np.testing.assert_allclose(made, 3.0)


@pytest.mark.parametrize("lamb", [0.008, 0.01, 0.03, 0.042])
def test_little_smoothing(lamb):
    """SciPy's poles are outside the unit circle: the equation of the spline instead."""
    x = numbers(120)
    c = signal.cspline1d(cp.array(x), lamb).get()
    second = c[:-2] - 2 * c[1:-1] + c[2:]
    through = (c[2:-2] * 4 + c[1:-3] + c[3:-1]) / 6
    fourth = second[:-2] - 2 * second[1:-1] + second[2:]
    np.testing.assert_allclose((through + lamb * fourth), x[2:-2], atol=1e-9)
    image = signal.cspline2d(cp.ones((60, 60)), lamb)
    np.testing.assert_allclose(image.get(), 1, rtol=1e-2)


@pytest.mark.parametrize("dtype", "fdFDl")
def test_coefficients_of_images(dtype):
    x = numbers((50, 61), dtype)
    for view in (x, x.T, x[::-1, ::-1]):
        for precision in (-1.0, 1e-2, 1e-9):
            made = signal.cspline2d(cp.array(view), 0.0, precision)
            agree(made, theirs.cspline2d(np.ascontiguousarray(view), 0.0, precision))
            made = signal.qspline2d(cp.array(view), 0.0, precision)
            agree(made, theirs.qspline2d(np.ascontiguousarray(view), 0.0, precision))
    if dtype in "FD":
        made = signal.cspline2d(cp.array(x), 1.0)
        parts = [signal.cspline2d(cp.array(v), 1.0).get() for v in (x.real, x.imag)]
        agree(made, parts[0] + 1j * parts[1])
        return
    for lamb in (-1.0, 0.001, 0.1, 1.0, 5.0):
        agree(signal.cspline2d(cp.array(x), lamb), theirs.cspline2d(x, lamb))


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("lmbda", [5.0, 0.5, 0.0])
def test_smoothed_images(lmbda, dtype):
    """SciPy has its taps, of float32, in either dtype, and no complex images."""
    x = numbers((50, 61), dtype)
    parts = [x.real, x.imag] if dtype in "FD" else [x]
    parts = [theirs.spline_filter(np.ascontiguousarray(v), lmbda) for v in parts]
    expected = parts[0] + 1j * parts[1] if dtype in "FD" else parts[0]
    agree(signal.spline_filter(cp.array(x), lmbda), expected.astype(dtype), 2e-7)
    assert signal.spline_filter(cp.array(x)).dtype == dtype


@pytest.mark.parametrize(
    ("function", "args"),
    [
        *(("cspline2d", (0.0, p)) for p in (-1.0, 0.1, 1e-3)),
        *(("qspline2d", (0.0, p)) for p in (-1.0, 1e-4)),
        *(("cspline2d", (v,)) for v in (1.0, 5.0)),
        *(("symiirorder1", (1.0, z)) for z in (0.5, -0.5, 0.8)),
        ("symiirorder1", (1.0, 0.5, 1e-3)),
        *(("symiirorder2", v) for v in ((0.5, 0.4), (0.8, 2.0), (0.5, 0.4, 1e-3))),
        ("symiirorder2", (0.0, 0.3)),
    ],
)
@pytest.mark.parametrize("dtype", "fd")
def test_signals_too_short_for_the_sums(function, args, dtype):
    """The same lengths are refused."""
    for n in range(1, 130):
        shape = (n, n) if function.endswith("2d") else (n,)
        try:
            expected = getattr(theirs, function)(np.ones(shape, dtype), *args)
        except ValueError:
            with pytest.raises(ValueError, match=rf"not converge.*\({n},"):
                getattr(signal, function)(cp.ones(shape, dtype), *args)
            continue
        agree(getattr(signal, function)(cp.ones(shape, dtype), *args), expected)


# ---- values --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("function", ["cspline1d_eval", "qspline1d_eval"])
def test_values(function, dtype):
    cj = numbers(40, dtype)
    ours, reference = getattr(signal, function), getattr(theirs, function)
    for letter in "fd":
        at = (20 * numbers((30, 7), letter, 1)).astype(letter)
        agree(ours(cp.array(cj), cp.array(at)), reference(cj, at), 1e-6)
    agree(ours(cp.array(cj), cp.array(at), 0.7, 2), reference(cj, at, 0.7, 2))
    knots = np.arange(-50.0, 90, 0.5)
    agree(ours(cp.array(cj), knots), reference(cj, knots))
    agree(ours(cp.array(cj)[::-2], [0.5, 3]), reference(cj[::-2], [0.5, 3]))
    assert ours(cp.array(cj), cp.zeros((0, 2))).shape == (0, 2)
    number = ours(cp.array(cj), 2.5)
    assert number.shape == ()
    np.testing.assert_allclose(number.get(), reference(cj, 2.5), rtol=1e-5)


def test_values_of_complex_splines():
    cj, at = numbers(40, "D"), numbers(50)
    agree(
        signal.cspline1d_eval(cp.array(cj), cp.array(at)), theirs.cspline1d_eval(cj, at)
    )
    made = signal.qspline1d_eval(cp.array(cj), cp.array(at))
    parts = [theirs.qspline1d_eval(part, at) for part in (cj.real, cj.imag)]
    agree(made, parts[0] + 1j * parts[1])


def test_values_that_scipy_has_not():
    """It recurs for ever where a point is not finite, or far away; of integers it adds
    floats to them."""
    cj = cp.array([1, 2, 4])
    made = signal.cspline1d_eval(cj, [np.nan, np.inf, -np.inf, 1.0, 4e5 + 1]).get()
    assert np.isnan(made[:3]).all()
    expected = theirs.cspline1d_eval(np.array([1.0, 2, 4]), [1.0, 1.0])
    np.testing.assert_allclose(made[3:], expected)


def test_gaussian():
    x = numbers((3, 40))
    for n in (0, 1, 3, 10):
        agree(signal.gauss_spline(cp.array(x), n), theirs.gauss_spline(x, n))
    agree(
        signal.gauss_spline(cp.array(x, "f"), 3), theirs.gauss_spline(x.astype("f"), 3)
    )
    agree(signal.gauss_spline([0, 1, 2], 3), theirs.gauss_spline([0, 1, 2], 3))
    agree(signal.gauss_spline(2, 3), theirs.gauss_spline(2, 3))


# ---- errors --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "shape", "args", "match"),
    [
        ("symiirorder1", (5,), (0.3, 1.0), r"less than 1.0, not 1.0"),
        ("symiirorder1", (5,), (0.3, -1.2), r"less than 1.0, not 1.2"),
        ("symiirorder1", (2, 3, 4), (0.3, 0.5), r"1D or 2D, not of shape \(2, 3, 4\)"),
        ("symiirorder1", (), (0.3, 0.5), r"shape \(\)"),
        ("symiirorder1", (0,), (0.3, 0.5), r"no elements"),
        ("symiirorder2", (5,), (1.0, 0.5), r"r must be less than 1.0"),
        ("symiirorder2", (2, 3, 4), (0.3, 0.5), r"1D or 2D"),
        ("cspline1d", (2, 3), (), r"shape \(2, 3\)"),
        ("cspline1d", (0,), (), r"no elements"),
        ("cspline1d", (5,), (-1.0,), r"lamb > 1/144, not by -1.0"),
        ("cspline1d", (5,), (0.001,), r"not by 0.001"),
        ("qspline1d", (5,), (1.0,), r"not supported yet"),
        ("cspline2d", (5,), (), r"2D, not of shape \(5,\)"),
        ("qspline2d", (5, 5), (1.0,), r"negative or zero, not 1.0"),
        ("qspline2d", (2, 5, 5), (), r"2D"),
        ("spline_filter", (5,), (), r"2D"),
        ("sepfir2d", (5,), ([1.0], [1.0]), r"2D"),
        ("sepfir2d", (5, 5), ([1.0, 2], [1.0]), r"hrow is of shape \(2,\)"),
        ("sepfir2d", (5, 5), ([1.0], []), r"hcol is of shape \(0,\)"),
        ("sepfir2d", (5, 5), ([[1.0]], [1.0]), r"hrow is of shape \(1, 1\)"),
        ("cspline1d_eval", (0,), ([1.0],), r"shape is \(0,\)"),
        ("qspline1d_eval", (2, 3), ([1.0],), r"shape is \(2, 3\)"),
        ("gauss_spline", (3,), (-2,), r"n = -2"),
    ],
)
def test_errors(function, shape, args, match):
    for _ in range(2):
        with pytest.raises(ValueError, match=match):
            getattr(signal, function)(cp.ones(shape), *args)


def test_errors_of_types():
    with pytest.raises(TypeError, match="Invalid data type for Iin: int64"):
        signal.spline_filter(cp.ones((40, 40), int))
    for name in _bsplines.__all__:
        with pytest.raises(TypeError, match="Unsupported type"):
            getattr(signal, name)(np.ones(5), *_rest(name))


def _rest(name):
    if name.startswith("symiir"):
        return (0.3, 0.5)
    if name == "sepfir2d":
        return ([1.0], [1.0])
    return ([1.0],) if name.endswith("eval") else (3,) if name == "gauss_spline" else ()


def test_numbers_of_numpy_and_of_the_device():
    x = cp.array(numbers(100))
    for of in (np.float64, cp.array):
        made = signal.symiirorder1(x, of(0.3), of(0.5))
        agree(made, theirs.symiirorder1(x.get(), 0.3, 0.5))
        made = signal.symiirorder2(x, of(0.3), of(0.5))
        agree(made, theirs.symiirorder2(x.get(), 0.3, 0.5))
    made = signal.symiirorder1(x, 1, np.complex64(0.5j))
    agree(made, theirs.symiirorder1(x.get() + 0j, 1, 0.5j))


def test_replayed():
    x = cp.array(numbers((50, 60)))
    before = x.get()
    for _ in range(3):
        made = signal.spline_filter(x)
        one = signal.cspline1d(x[0], 2.0)
    np.testing.assert_array_equal(x.get(), before)
    agree(made, theirs.spline_filter(before), 2e-7)
    agree(one, theirs.cspline1d(before[0], 2.0), 1e-9)
