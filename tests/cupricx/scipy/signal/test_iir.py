"""Recursive filters against scipy.signal."""

import gc

import numpy as np
import pytest

import cupric as cp
from cupric._lib.algorithms import _scan
from cupricx.scipy.signal import (
    _iir,
    deconvolve,
    lfilter,
    lfilter_zi,
    lfiltic,
)

theirs = pytest.importorskip("scipy.signal")


@pytest.fixture(params=["whole", "cut"])
def rows(request, monkeypatch, device):
    """As they are cut anyway; and on the host in short pieces, as for many cores."""
    if request.param == "cut":
        if device != "host":
            pytest.skip("rows of a GPU have tiles of one length")
        monkeypatch.setattr(_scan, "_host_tile", lambda x, rows, n: 50)
        monkeypatch.setattr(_iir, "_filtered", _iir._filtered.__wrapped__)


def numbers(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def coefficients(order, dtype, seed=0):
    """Of a stable filter, a[0] not 1."""
    rng = np.random.default_rng(seed)
    roots = rng.uniform(-0.9, 0.9, order)
    if np.dtype(dtype).kind == "c":
        roots = roots * np.exp(1j * rng.uniform(0, 6, order))
    a = 2.5 * np.poly(roots)
    return numbers(order + 1, dtype, seed), np.atleast_1d(a).astype(dtype)


def agree(made, expected, bound=None):
    """By the size of the greatest element."""
    assert made.shape == expected.shape
    assert made.dtype == expected.dtype
    if bound is None:
        bound = 1e-5 if expected.dtype.char in "fF" else 1e-11
    scale = np.abs(expected).max(initial=0)
    assert np.abs(made.get() - expected).max(initial=0) <= bound * scale


def check(b, a, x, axis=-1, zi=None, bound=None):
    expected = theirs.lfilter(b, a, x, axis, zi)
    made = lfilter(
        *map(cp.array, (b, a, x)), axis, None if zi is None else cp.array(zi)
    )
    if zi is None:
        agree(made, expected, bound)
        assert made.flags.c_contiguous
    else:
        agree(made[0], expected[0], bound)
        agree(made[1], expected[1], bound)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("order", [0, 1, 2, 3, 4, 7, 8, 9, 13, 20])
def test_orders_and_dtypes(rows, dtype, order):
    b, a = coefficients(order, dtype)
    x = numbers((3, 333), dtype)
    if order > 8 and dtype in "fF":  # of which SciPy's own sums keep three digits
        wide = [v.astype(dtype.replace("f", "d").replace("F", "D")) for v in (b, a, x)]
        expected = theirs.lfilter(*wide).astype(dtype)
        agree(lfilter(*map(cp.array, (b, a, x))), expected, 1e-6)
        return
    check(b, a, x)
    check(b, a, x, zi=numbers((3, order), dtype, 1))


@pytest.mark.parametrize("n", [1, 7, 8, 9, 63, 64, 2047, 2048, 2049, 30_000])
def test_lengths(rows, n):
    for order in (1, 2):
        b, a = coefficients(order, "d", n)
        check(b, a, numbers((2, n), "d"), zi=numbers((2, order), "d", 1))


@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_axes_and_layouts(rows, axis):
    b, a = coefficients(2, "d")
    x = numbers((40, 70, 6), "d")
    for view in (x, x.T, x[::-1, ::3], np.broadcast_to(x[:, :1], x.shape)):
        shape = list(view.shape)
        shape[axis] = 2
        check(b, a, view, axis)
        check(b, a, view, axis, zi=numbers(shape, "d", 3))
        flipped = lfilter(*map(cp.array, (b, a)), cp.array(view)[..., ::-1], axis)
        agree(flipped, theirs.lfilter(b, a, view[..., ::-1], axis))


@pytest.mark.parametrize(
    ("nb", "na"),
    [
        *((1, 3), (3, 1), (2, 3), (3, 2), (1, 2), (9, 1)),
        *((40, 3), (40, 2), (2, 12), (12, 10), (10, 12)),
    ],
)
def test_numerator_and_denominator_of_unlike_lengths(rows, nb, na):
    b, a = numbers(nb, "d"), coefficients(na - 1, "d")[1]
    for n in (300, 1, max(nb, na) - 1, 5000):
        x = numbers((4, n), "d")
        check(b, a, x)
        check(b, a, x, zi=numbers((4, max(nb, na) - 1), "d", 1))


@pytest.mark.parametrize("taps", [10, 64])
@pytest.mark.parametrize("dtype", "fdD")
def test_long_filters_without_recursion(taps, dtype):
    b, a = numbers(taps, dtype), np.array([2.0], dtype)
    for shape, axis in (((300,), 0), ((3, 5), -1), ((4, 90, 2), 1)):
        states = list(shape)
        states[axis] = taps - 1
        x = numbers(shape, dtype)
        check(b, a, x, axis)
        check(b, a, x, axis, zi=numbers(states, dtype, 1))


def test_pieces_are_the_whole(rows):
    for order in (1, 2, 5, 11):
        b, a = map(cp.array, coefficients(order, "d"))
        x = cp.array(numbers((3, 1000), "d"))
        zi = cp.array(numbers((3, order), "d", 1))
        whole, end = lfilter(b, a, x, zi=zi)
        made, z = [], zi
        for begin, stop in ((0, 1), (1, 130), (130, 700), (700, 1000)):
            y, z = lfilter(b, a, x[:, begin:stop], zi=z)
            made.append(y)
        agree(cp.concatenate(made, axis=1), whole.get(), 1e-13)
        agree(z, end.get(), 1e-13)


@pytest.mark.parametrize("rows", [1, 3, 4, 9])
@pytest.mark.parametrize("order", [1, 2, 5, 8, 11])
def test_pieces_and_rows_to_the_bit(order, rows):
    """On a CPU: a GPU cuts a piece into other tiles than the whole."""
    b, a = map(cp.array, coefficients(order, "d"))
    x, zi = numbers((rows, 3000), "d"), numbers((rows, order), "d", 1)
    x, zi = cp.array(x), cp.array(zi)
    whole, end = lfilter(b, a, x, zi=zi)
    made, z = [], zi
    for begin, stop in ((0, 1), (1, 3), (3, 130), (130, 1999), (1999, 3000)):
        y, z = lfilter(b, a, x[:, begin:stop], zi=z)
        made.append(y)
    made = cp.concatenate(made, axis=1)
    one = lfilter(b, a, x[-1:], zi=zi[-1:])[0]
    if _iir._library.on_host(x):
        np.testing.assert_array_equal(made.get(), whole.get())
        np.testing.assert_array_equal(z.get(), end.get())
        np.testing.assert_array_equal(one.get(), whole.get()[-1:])
    agree(made, whole.get(), 1e-12)
    agree(one, whole.get()[-1:], 1e-12)


@pytest.mark.parametrize(
    "poles",
    [
        *([1.0], [-1.0], [1 - 1e-9], [1.002], [-1.01]),
        *([1.0, 1.0], [1 - 1e-7, 1 - 1e-7], [1 - 1e-8, 0.3], [1.001, -1.002]),
        *([1e-3, -1e-300], [np.exp(1j), np.exp(-1j)], [-1 + 1e-9, 1 - 1e-9]),
        [1.001 * np.exp(0.01j), 1.001 * np.exp(-0.01j)],
    ],
    ids=str,
)
@pytest.mark.parametrize("dtype", "df")
def test_poles_near_and_beyond_the_circle(rows, poles, dtype):
    a = np.real(np.poly(poles)).astype(dtype)
    b = np.array([0.5, -0.25, 0.125])[: len(a)].astype(dtype)
    x = numbers(12_000, dtype)
    # SciPy's float32 loses what ours does not: the same numbers in float64.
    expected = theirs.lfilter(*(v.astype("d") for v in (b, a, x)))
    made = lfilter(*map(cp.array, (b, a, x)))
    assert made.dtype == x.dtype
    bound = 1e-6 if dtype == "f" else 1e-8
    assert np.isfinite(expected).all()
    scale = np.maximum.accumulate(np.abs(expected))
    fits = scale < 0.99 * np.finfo(dtype).max
    assert (np.abs(made.get() - expected)[fits] <= (bound * scale)[fits]).all()
    beyond = np.abs(expected) / 1.01 > np.finfo(dtype).max
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(
            made.get()[beyond], expected[beyond].astype(dtype)
        )


def test_nothing_grows_of_nothing(rows):
    """Powers of an unstable filter are infinite long before its first element comes."""
    for a in ([1.0, -4.0], [1.0, -6.0, 8.0]):
        x = np.zeros(9000)
        x[-100] = 1
        made = lfilter(cp.array([1.0]), cp.array(a), cp.array(x))
        expected = theirs.lfilter([1.0], a, x)
        np.testing.assert_allclose(made.get(), expected, rtol=1e-13, atol=0)


def test_nan_from_there_on(rows):
    x = numbers((2, 600), "d")
    x[1, 300] = np.nan
    made = lfilter(cp.array([1.0]), cp.array([1, -0.5]), cp.array(x)).get()
    assert np.isfinite(made[0]).all()
    assert np.isfinite(made[1, :300]).all()
    assert np.isnan(made[1, 300:]).all()


def test_infinity_from_there_on(rows):
    x = numbers(9000, "d")
    x[100] = -np.inf
    b, a = np.array([1.0, 0.5]), np.array([1, -0.5])
    made = lfilter(*map(cp.array, (b, a, x))).get()
    np.testing.assert_allclose(made, theirs.lfilter(b, a, x), rtol=1e-9, atol=1e-9)
    assert (made[100:] == -np.inf).all()


def test_dtypes_agree_as_in_scipy():
    for b, a, x in ("ddf", "dfd", "fff", "ddi", "dd?", "Fdf", "FFd", "ffF", "dde"):
        arrays = numbers(2, b), coefficients(1, a)[1], numbers(50, "d").astype(x)
        made = lfilter(*map(cp.array, arrays))
        agree(made, theirs.lfilter(*arrays), 1e-5)
    zi = numbers(1, "D")
    check(numbers(2, "d"), coefficients(1, "d")[1], numbers(50, "d"), zi=zi)


def test_lists_and_numbers():
    x = cp.arange(5.0)
    expected = theirs.lfilter(2.0, [1, -0.5], np.arange(5.0))
    agree(lfilter(2.0, [1, -0.5], x), expected)
    agree(lfilter([2.0], cp.array([1, -0.5]), [0.0, 1, 2, 3, 4]), expected)
    agree(lfilter(np.float64(2), np.array([1, -0.5]), x), expected)


def test_states_are_broadcast():
    b, a = coefficients(2, "d")
    x = numbers((3, 4, 50), "d")
    for shape in ((1, 4, 2), (3, 1, 2), (1, 1, 2)):
        check(b, a, x, zi=numbers(shape, "d"))


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3)])
def test_no_elements(shape):
    b, a = coefficients(2, "d")
    check(b, a, np.zeros(shape))
    check(b, a, np.zeros(shape), zi=numbers((*shape[:-1], 2), "d"))


def test_the_input_stays_as_it_is():
    b, a = map(cp.array, coefficients(1, "d"))
    x = cp.array(numbers((4, 100), "d"))
    zi = cp.ones((4, 1))
    before = x.get()
    for _ in range(3):  # replayed
        y, zf = lfilter(b, a, x, zi=zi)
        z, zg = lfilter(b, a, x, zi=zi)
    np.testing.assert_array_equal(x.get(), before)
    np.testing.assert_array_equal(zi.get(), 1)
    np.testing.assert_array_equal(y.get(), z.get())
    np.testing.assert_array_equal(zf.get(), zg.get())
    assert not cp.shares_memory(zf, zg)


@pytest.mark.parametrize(
    ("b", "a", "shape", "kwargs"),
    [
        ([[1.0]], [1.0, 2.0], (5,), {}),
        ([], [1.0, 2.0], (5,), {}),
        ([1.0], np.zeros(0), (5,), {}),
        ([1.0], [1.0, 2.0], (), {}),
        ([1.0], [1.0, 2.0], (5,), {"axis": 1}),
        ([1.0], [1.0, 2.0], (5,), {"axis": -2}),
        ([1.0], [1.0, 2.0], (3, 5), {"zi": np.zeros((3, 2))}),
        ([1.0], [1.0, 2.0], (3, 5), {"zi": np.zeros((2, 1))}),
        ([1.0], [1.0, 2.0], (3, 5), {"zi": np.zeros(1)}),
        ([1.0, 2], [1.0], (3, 5), {"zi": np.zeros((3, 2))}),
        ([1.0, 2], [1.0], (3, 5), {"zi": np.zeros(3)}),
        ([1], [1, 2], "int", {}),
    ],
)
def test_errors_of_scipy(b, a, shape, kwargs):
    x = np.zeros(5, "i") if shape == "int" else np.zeros(shape)
    with pytest.raises((ValueError, NotImplementedError)) as expected:
        theirs.lfilter(b, a, x, **kwargs)
    ours = {k: cp.array(v) if k == "zi" else v for k, v in kwargs.items()}
    with pytest.raises(expected.type):
        lfilter(cp.array(b), cp.array(a), cp.array(x), **ours)


@pytest.mark.parametrize("order", [9, 20])
def test_high_orders_over_many_chunks(order):
    b, a = coefficients(order, "d")
    x = numbers((2, 70_001), "d")
    check(b, a, x, zi=numbers((2, order), "d", 1))
    # Poles that ring: what SciPy loses is most of the difference.
    poles = 0.9995 * np.exp(1j * np.linspace(0.3, 2.8, order // 2))
    a = np.real(np.poly([*poles, *poles.conj()]))
    check(b[:2], a, x, bound=1e-7)


@pytest.mark.parametrize("order", [1, 2, 4, 8])
def test_a_long_signal(order):
    b, a = coefficients(order, "f")
    x = numbers(1_000_003, "f")
    wide = [v.astype("d") for v in (b, a, x)]
    agree(lfilter(*map(cp.array, (b, a, x))), theirs.lfilter(*wide).astype("f"), 1e-6)


@pytest.mark.parametrize("rows", [3, 4, 5, 9, 70])
def test_rows_side_by_side(rows):
    for order in (1, 2, 3, 8):
        for dtype in "fd":
            b, a = coefficients(order, dtype)
            for n in (1, 255, 257, 700):
                x = numbers((rows, n), dtype)
                check(b, a, x, zi=numbers((rows, order), dtype, 1))


def test_checks_are_kept_with_their_arrays():
    """Of GPUs: as if these were there, on any device."""
    calls = []
    check = _iir.Checked(lambda a: calls.append(a) or len(calls))
    a = cp.ones(3)
    check._keep(a, "kept")
    assert check(a) == "kept"
    assert calls == []
    del a
    gc.collect()
    assert not check.seen
    assert check(cp.ones(2)) == 1
    assert check(np.ones(2)) == 2


def test_infinities_of_high_orders():
    b, a = coefficients(11, "d")
    x = numbers(3000, "d")
    x[1200] = np.nan
    made = lfilter(*map(cp.array, (b, a, x))).get()
    assert np.isfinite(made[:1200]).all()
    assert np.isnan(made[1200:]).all()


def test_half_precision():
    """SciPy takes none: as float32, and back."""
    for order in (0, 1, 2, 10):
        b, a = (c.astype("e") for c in coefficients(order, "d"))
        x, zi = numbers((3, 100), "e"), numbers((3, order), "e", 1)
        wide = [v.astype("f") for v in (b, a, x, zi)]
        expected, end = theirs.lfilter(*wide[:3], zi=wide[3])
        y, zf = lfilter(*map(cp.array, (b, a, x)), zi=cp.array(zi))
        assert y.dtype == zf.dtype == "e"
        np.testing.assert_allclose(y.get(), expected, rtol=2e-3, atol=2e-3)
        np.testing.assert_allclose(zf.get(), end, rtol=2e-3, atol=2e-3)
        assert lfilter(*map(cp.array, (b, a, x))).dtype == "e"
    taps, x = numbers(30, "e"), numbers((2, 100), "e")
    made = lfilter(taps, cp.ones(1, "e"), cp.array(x))
    assert made.dtype == "e"
    expected = theirs.lfilter(taps.astype("f"), np.ones(1, "f"), x.astype("f"))
    np.testing.assert_allclose(made.get(), expected, rtol=1e-3, atol=1e-3)


def test_dtypes_that_scipy_does_not_take():
    for dtype in "il?B":
        arrays = (np.ones(2, dtype), np.ones(2, dtype), np.ones(5, dtype))
        with pytest.raises(NotImplementedError):
            theirs.lfilter(*arrays)
        with pytest.raises(NotImplementedError, match=str(np.dtype(dtype))):
            lfilter(*map(cp.array, arrays))
    with pytest.raises(TypeError, match="Unsupported type"):
        lfilter(cp.ones(2), cp.ones(2), np.ones(5))


def test_no_division_by_zero():
    for a in ([0.0, 1.0], [0.0]):
        for of in (list, np.array, cp.array):
            for _ in range(2):
                with pytest.raises(ValueError, match=r"a\[0\]"):
                    lfilter([1.0, 2], of(a), cp.ones(5))
    a = cp.array([1.0, 0.5])
    for _ in range(3):
        lfilter([1.0], a, cp.ones(5))


def test_coefficients_that_change():
    """Calls are repeated with what coefficients are now."""
    x = cp.array(numbers(50, "d"))
    for of in (np.array, cp.array):
        a, b = of([1.0, -0.5]), of([1.0, 2.0])
        for value in (-0.5, 0.25, 0.75):
            a[1] = value
            b[0] = value + 2
            expected = theirs.lfilter([value + 2, 2.0], [1, value], x.get())
            agree(lfilter(b, a, x), expected)


# ---- states before the first element -------------------------------------------------


@pytest.mark.parametrize(
    ("b", "a"),
    [
        ([1, 2.0], [1.0, 0.5]),
        ([1.0], [2.0, 1.0]),
        ([1.0, 2, 3], [0, 2.0, 1.0]),
        ([1.0, 2], [2.0]),
        ([1, 2], [3, 1, 1]),
        ([1j, 2], [1, 0.5]),
    ],
)
def test_steady_states(b, a):
    expected = theirs.lfilter_zi(b, a)
    for of in (list, np.array, cp.array):
        agree(lfilter_zi(of(b), of(a)), expected)


@pytest.mark.parametrize("dtype", "fdD")
def test_steady_states_are_steady(dtype):
    for order in (1, 4, 9):
        b, a = coefficients(order, dtype)
        zi = lfilter_zi(b, a)
        expected = theirs.lfilter_zi(b, a)
        agree(zi, expected, 1e-4 if dtype == "f" else 1e-10)
        y, _ = lfilter(b, a, cp.ones(40, dtype), zi=zi)
        bound = 1e-3 if dtype == "f" else 1e-9
        np.testing.assert_allclose(y.get(), y.get()[0], rtol=bound)


def test_errors_of_steady_states():
    for b, a in (([1.0], [1.0]), ([[1.0]], [1.0]), ([1.0], [[1.0]]), ([1.0], [0.0, 0])):
        with pytest.raises(ValueError):
            theirs.lfilter_zi(b, a)
        with pytest.raises(ValueError, match=r"shape|length|nonzero"):
            lfilter_zi(b, a)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        lfilter_zi([1.0], [1.0, -1.0])


@pytest.mark.parametrize("dtype", "fdDl")
@pytest.mark.parametrize(("nb", "na"), [(1, 1), (3, 1), (1, 3), (3, 2), (2, 4)])
def test_states_from_what_came_before(nb, na, dtype):
    b, a = (
        (9 * numbers(nb, "d") + 1).astype(dtype),
        (9 * numbers(na, "d")).astype(dtype),
    )
    a[0] = 2
    for ny, nx in ((1, 1), (5, 5), (2, 1)):
        y, x = numbers(ny, "d").astype(dtype), numbers(nx, "d", 1).astype(dtype)
        for of in (list, cp.array):
            made = lfiltic(b, a, of(y), of(x))
            np.testing.assert_allclose(
                made.get(), theirs.lfiltic(b, a, y, x), rtol=1e-5, atol=1e-5
            )
            made = lfiltic(of(b), of(a), y)
            agree(made, theirs.lfiltic(b, a, y))
    assert lfiltic(*map(cp.array, (b, a, y, x))).dtype == (
        "d" if dtype == "l" else dtype
    )


def test_a_signal_goes_on():
    b, a = coefficients(4, "d")
    x = numbers(60, "d")
    y = lfilter(b, a, cp.array(x))
    zi = lfiltic(b, a, y[:40][::-1], x[:40][::-1])
    agree(lfilter(b, a, cp.array(x[40:]), zi=zi)[0], y.get()[40:])


def test_errors_of_what_came_before():
    with pytest.raises(ValueError, match="must be non-zero"):
        lfiltic([1.0, 2], [0, 1.0], [1.0])
    with pytest.raises(ValueError, match=r"must be 1-D, not of shape \(1, 2\)"):
        lfiltic([1.0, 2], [[1.0, 2]], [1.0])


# ---- division of polynomials ---------------------------------------------------------


@pytest.mark.parametrize("dtype", "fdDl")
@pytest.mark.parametrize(
    ("n", "m"), [(5, 1), (5, 5), (30, 4), (200, 12), (1, 1), (9, 8)]
)
def test_quotients(n, m, dtype):
    divisor = numbers(m, "d")
    divisor[0] = m
    signal, divisor = (3 * numbers(n, "d")).astype(dtype), divisor.astype(dtype)
    quotient, remainder = theirs.deconvolve(signal, divisor)
    for of in (list, np.array, cp.array):
        made = deconvolve(cp.array(signal), of(divisor.tolist()))
        agree(made[0], quotient)
        assert made[1].dtype == remainder.dtype
        np.testing.assert_allclose(made[1].get(), remainder, atol=1e-9)


def test_a_longer_divisor():
    quotient, remainder = deconvolve(cp.array([1.0, 2]), cp.ones(3))
    assert quotient.shape == (0,)
    np.testing.assert_array_equal(remainder.get(), [1, 2])


def test_errors_of_division():
    for signal, divisor in (
        ([[1.0, 2]], [1.0]),
        ([], [1.0]),
        ([1.0], []),
        ([1.0, 2], [[1.0]]),
        ([1.0, 2], [0.0, 1]),
    ):
        arrays = np.array(signal), np.array(divisor)
        with pytest.raises(ValueError):
            theirs.deconvolve(*arrays)
        with pytest.raises(ValueError, match=r"shape"):
            deconvolve(*map(cp.array, arrays))


# ---- without recursion ---------------------------------------------------------------


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("taps", [2, 3, 9, 30])
def test_what_is_not_finite_is_forgotten(taps, dtype):
    b, x = numbers(taps, dtype), numbers((2, 9000), dtype)
    x[0, 500], x[1, 8000] = np.nan, np.inf
    with np.errstate(invalid="ignore"):
        expected = theirs.lfilter(b, np.array([2.0], dtype), x)
    made = lfilter(*map(cp.array, (b, np.array([2.0], dtype), x))).get()
    finite = np.isfinite(expected)
    assert finite.sum() == 2 * (9000 - taps)
    np.testing.assert_array_equal(np.isfinite(made), finite)
    bound = 1e-5 if dtype in "fF" else 1e-12
    np.testing.assert_allclose(made[finite], expected[finite], rtol=bound, atol=bound)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("taps", [2, 3, 9])
def test_few_taps(taps, dtype):
    b, a = numbers(taps, dtype), np.array([2.0], dtype)
    for n in (1, 2, 5, 8, 511, 512, 513, 5000):
        for rows in (1, 3):
            x = numbers((rows, n), dtype)
            check(b, a, x)
            check(b, a, x, zi=numbers((rows, taps - 1), dtype, 1))
