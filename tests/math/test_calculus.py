"""Gradients, integrals, interpolation, running sums and windows against NumPy."""

import warnings

import numpy as np
import pytest

import cupric as cp

DTYPES = ["i1", "i4", "f4", "f8", "c16"]
PLACES = np.array([-3, -1, 0, 2.0])


def fill(dtype):
    values = np.random.default_rng(3).normal(size=(4, 5)) * 3
    return values.astype(dtype)


def close(got, want):
    if isinstance(want, tuple):
        assert len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            close(g, w)
        return
    want = np.asarray(want)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    rtol = 1e-4 if want.dtype.itemsize == 4 else 1e-10
    np.testing.assert_allclose(got.get(), want, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("axis", [None, 0, -1, (1, 0)])
def test_gradient(dtype, order, axis):
    a = fill(dtype)
    for steps in ((), (0.5,)):
        want = np.gradient(a, *steps, axis=axis, edge_order=order)
        close(cp.gradient(cp.array(a), *steps, axis=axis, edge_order=order), want)


@pytest.mark.parametrize("order", [1, 2])
def test_gradient_at_places(order):
    a = fill("f8")
    want = np.gradient(a, PLACES, 2.0, edge_order=order)
    close(cp.gradient(cp.array(a), cp.array(PLACES), 2.0, edge_order=order), want)


def test_gradient_of_wrong_arguments():
    d = cp.ones((4, 5))
    with pytest.raises(ValueError, match="axis 0 has 1 elements"):
        cp.gradient(d[:1])
    with pytest.raises(TypeError, match="3 spacings were given for 2 axes"):
        cp.gradient(d, 1.0, 2.0, 3.0)
    with pytest.raises(ValueError, match="coordinates along axis 0"):
        cp.gradient(d, cp.ones(2), 1.0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_trapezoid(dtype):
    a, x = fill(dtype), np.array([1.0, 2, 4, 5, 6])
    close(cp.trapezoid(cp.array(a)), np.trapezoid(a))
    close(cp.trapezoid(cp.array(a), cp.array(x)), np.trapezoid(a, x))
    close(cp.trapezoid(cp.array(a), dx=0.1, axis=0), np.trapezoid(a, dx=0.1, axis=0))


@pytest.mark.parametrize("dtype", DTYPES[:-1])
def test_unwrap(dtype):
    a = fill(dtype)
    for kwargs in ({}, {"period": 4, "axis": 0}, {"period": 5, "discont": 4}):
        close(cp.unwrap(cp.array(a), **kwargs), np.unwrap(a, **kwargs))


@pytest.mark.parametrize("dtype", DTYPES)
def test_interp(dtype):
    f, x = fill(dtype)[:, 0], np.append(fill("f8").ravel(), [np.nan, -3, 2])
    given = cp.array(x), cp.array(PLACES), cp.array(f)
    close(cp.interp(*given), np.interp(x, PLACES, f))
    close(cp.interp(*given, left=-1, right=9), np.interp(x, PLACES, f, -1, 9))
    close(cp.interp(*given, period=5), np.interp(x, PLACES, f, period=5))
    close(
        cp.interp(given[0][:-3], given[1][:1], given[2][:1]),
        np.interp(x[:-3], PLACES[:1], f[:1]),
    )


def test_interp_of_wrong_arguments():
    with pytest.raises(ValueError, match="3 places and 2 values"):
        cp.interp(cp.ones(1), cp.ones(3), cp.ones(2))
    with pytest.raises(ValueError, match="no samples"):
        cp.interp(cp.ones(1), cp.ones(0), cp.ones(0))
    with pytest.raises(TypeError, match="complex128"):
        cp.interp(cp.ones(1, "D"), cp.ones(1), cp.ones(1))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_running(name, dtype):
    if not hasattr(np, name):
        pytest.skip("newer than this NumPy")
    a, ours, theirs = fill(dtype), getattr(cp, name), getattr(np, name)
    for initial in (False, True):
        want = theirs(a, axis=1, include_initial=initial)
        close(ours(cp.array(a), axis=1, include_initial=initial), want)
    out = cp.zeros((5, 5), "D")
    assert ours(cp.array(a), axis=0, include_initial=True, out=out) is out
    close(ours(cp.array(a[0])), theirs(a[0]))
    with pytest.raises(ValueError, match="2 dimensions"):
        ours(cp.array(a))


@pytest.mark.parametrize("m", [-1, 0, 1, 2, 5, 10])
def test_windows(m):
    for name in ("bartlett", "blackman", "hamming", "hanning"):
        close(getattr(cp, name)(m), getattr(np, name)(m))
    close(cp.kaiser(m, 8.6), np.kaiser(m, 8.6))


def test_real_if_close():
    for imag in (0, 1e-15, 1.0):
        a = np.array([1 + 1j * imag, 2])
        close(cp.real_if_close(cp.array(a)), np.real_if_close(a))


@pytest.mark.parametrize("name", ["matvec", "vecmat"])
def test_matrix_and_vector(name):
    m = np.random.default_rng(1).normal(size=(2, 3, 3)).astype("D") * (1 + 1j)
    v = m[:, 0]
    x, y = (m, v) if name == "matvec" else (v, m)
    want = (
        np.einsum("bij,bj->bi", m, v)
        if name == "matvec"
        else np.einsum("bi,bij->bj", v.conj(), m)
    )
    close(getattr(cp, name)(cp.array(x), cp.array(y)), want)
    if hasattr(np, name):
        close(getattr(np, name)(cp.array(x), cp.array(y)), want)
    with pytest.raises(ValueError, match="1 and 1 dimensions"):
        getattr(cp, name)(cp.ones(3), cp.ones(3))


@pytest.mark.parametrize("dtype", DTYPES)
def test_covariance(dtype):
    a = fill(dtype)
    d, f, w = cp.array(a), np.array([1, 2, 1, 1, 3]), np.array([0.1, 0.2, 1, 1, 3])
    df, dw = cp.array(f), cp.array(w)
    close(cp.cov(d), np.cov(a))
    close(cp.cov(d[0]), np.cov(a[0]))
    close(cp.cov(d, rowvar=False, bias=True), np.cov(a, rowvar=False, bias=True))
    close(cp.cov(d, d[::-1]), np.cov(a, a[::-1]))
    close(cp.cov(d, fweights=df, ddof=2), np.cov(a, fweights=f, ddof=2))
    close(cp.cov(d, aweights=dw), np.cov(a, aweights=w))
    close(
        cp.cov(d, fweights=df, aweights=dw),
        np.cov(a, fweights=f, aweights=w),
    )
    close(cp.corrcoef(d), np.corrcoef(a))
    close(cp.corrcoef(d[0]), np.corrcoef(a[0]))


def test_covariance_of_wrong_arguments():
    d = cp.ones((2, 3))
    with pytest.raises(ValueError, match="3 dimensions"):
        cp.cov(d[None])
    with pytest.raises(RuntimeError, match="aweights has shape"):
        cp.cov(d, aweights=cp.ones(2))
    with pytest.raises(TypeError, match="fweights must be integers"):
        cp.cov(d, fweights=cp.full(3, 0.5))
    with pytest.warns(RuntimeWarning, match="Degrees of freedom"):
        cp.cov(d[:, :1])


INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize("xp", [[0, 1, 2], [0, 1, INF], [-INF, 0, 1], [-INF, 0, INF]])
@pytest.mark.parametrize(
    "fp",
    [[1, 2, 4], [INF, 2, 4], [1, INF, 3], [INF, INF, INF], [1, 1, 1], [1j, 2, INF]],
)
def test_interp_at_infinities(xp, fp):
    x = np.array([-INF, -1, 0, 0.25, 1, 1.5, 2, 3, INF, NAN])
    xp, fp = np.array(xp, "d"), np.array(fp) * 1.0
    got = cp.interp(*map(cp.asarray, (x, xp, fp)))
    with np.errstate(all="ignore"):
        expected = np.interp(x, xp, fp)
    np.testing.assert_allclose(got.get(), expected)


def test_no_gradient_of_booleans():
    x = np.array([True, False, True])
    for module, a in ((np, x), (cp, cp.asarray(x))):
        with pytest.raises(TypeError):
            module.gradient(a)


@pytest.mark.parametrize("dtype", "?bLefdFD")
def test_covariance_of_any_dtype(dtype):
    rng = np.random.default_rng(6)
    a = (rng.random((6, 40)) * 9).astype(dtype)
    if dtype in "FD":
        a += 1j * a[::-1] ** 2
    for x in (a, a[:, ::-3], a[::2].T, np.asfortranarray(a)):
        for name in ("cov", "corrcoef"):
            for made in (None, "d", "D", "f"):
                if dtype in "FD" and made in ("d", "f"):
                    continue
                want = getattr(np, name)(x, dtype=made)
                close(getattr(cp, name)(cp.array(x), dtype=made), want)
        for y in (x[1], x[1].astype("D")):
            want = np.corrcoef(x[0], y)
            close(cp.corrcoef(cp.array(x[0]), cp.array(y)), want)
        close(cp.cov(cp.array(x), rowvar=False), np.cov(x, rowvar=False))


@pytest.mark.filterwarnings("ignore")
def test_correlation_of_what_does_not_vary():
    a = np.random.default_rng(7).random((4, 5))
    a[1], a[2, 3], a[3] = 2, np.nan, a[0] * -3
    with np.errstate(all="ignore"):
        want = np.corrcoef(a)
    got = cp.corrcoef(cp.array(a)).get()
    np.testing.assert_allclose(got, want, 1e-12)
    assert np.nanmax(abs(got)) == 1
    assert cp.corrcoef(cp.ones((2, 1))).get().shape == (2, 2)


@pytest.mark.parametrize("n", [31, 33, 129, 300])
def test_correlation_of_many(n):
    a = np.random.default_rng(8).random((n, 20))
    close(cp.corrcoef(cp.array(a)), np.corrcoef(a))


def test_covariance_in_integers():
    x = np.array([[1, 2], [3, 5]])
    for name in ("cov", "corrcoef"):
        for module, a in ((np, x), (cp, cp.asarray(x))):
            with pytest.raises(TypeError):
                getattr(module, name)(a, dtype=int)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (1, 3), (3, 1), ()])
def test_covariance_of_nearly_nothing(shape):
    x = np.ones(shape)
    for name in ("cov", "corrcoef"):
        for rowvar in (True, False):
            got = getattr(cp, name)(cp.asarray(x), rowvar=rowvar)
            with np.errstate(all="ignore"):
                expected = np.asarray(getattr(np, name)(x, rowvar=rowvar))
            assert got.shape == expected.shape
            np.testing.assert_array_equal(got.get(), expected)


def test_frequencies_may_be_whole_floats():
    x, times = np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0])
    for w in (times, times.astype("f"), np.array([True, True, False])):
        close(cp.cov(cp.array(x), fweights=cp.array(w)), np.cov(x, fweights=w))
    with pytest.raises(TypeError, match="must be integer"):
        cp.cov(cp.array(x), fweights=cp.array(times + 0.5))


def test_gradient_of_one_bool_is_empty():
    assert cp.gradient(cp.array(True)) == np.gradient(np.array(True)) == ()


def test_no_places_need_no_samples():
    none = cp.zeros(0)
    for x, fp in ((cp.zeros((0, 3)), none), (none, none.astype("F"))):
        r = cp.interp(x, none, fp)
        assert (r.shape, r.dtype) == (x.shape, "D" if fp.dtype == "F" else "d")
        assert cp.interp(x, none, fp, period=2).shape == x.shape
    with pytest.raises(ValueError, match="no samples to find 2 values"):
        cp.interp(cp.ones(2), none, none)
    with pytest.raises(ValueError, match="period"):
        cp.interp(none, none, none, period=0)


def test_diff_of_nothing_is_a_new_array():
    for shape in [(0,), (0, 3), (3, 0)]:
        x = cp.zeros(shape)
        got = cp.diff(x, axis=shape.index(0))
        assert got is not x
        assert got.shape == np.diff(np.zeros(shape), axis=shape.index(0)).shape


@pytest.mark.parametrize("dtype", "bfd")
def test_interp_to_the_bit(dtype):
    rng = np.random.default_rng(0)
    places = np.sort(rng.random(41)).astype("f" if dtype == "f" else "d")
    values = (rng.random(41) * 90).astype(dtype)
    x = rng.random((5, 6)).astype("f" if dtype == "f" else "d")
    x[0, 0] = np.nan
    for at in (x, x.T, x[:, ::2], np.asfortranarray(x), x[0, 1], x[:0]):
        for p, v in [(places, values), (places[::2], values[1::2].repeat(2)[:21])]:
            here = cp.interp(cp.array(at), cp.array(p), cp.array(v))
            there = np.interp(at, p, v)
            assert here.dtype == there.dtype
            np.testing.assert_array_equal(here.get(), there)
    one = cp.interp(cp.array(x), cp.array(places)[::2], cp.array(values)[::2], left=2)
    there = np.interp(x, places[::2], values[::2], left=2)
    np.testing.assert_array_equal(one.get(), there)


@pytest.mark.parametrize("dtype", "bilI")
def test_interp_of_integers_to_the_bit(dtype):
    rng = np.random.default_rng(3)
    most = np.iinfo(dtype).max
    for x, places in [
        (rng.integers(0, 100, 70), np.sort(rng.integers(10, 90, 30))),
        (rng.integers(most - 90, most, 70), np.sort(rng.integers(most - 90, most, 9))),
        (rng.integers(0, 9, 70), np.array([4])),
    ]:
        values = rng.integers(0, most, places.size)
        at, p, v = (a.astype(dtype) for a in (x, places, values))
        for k in (dtype, "l"):
            here = cp.interp(cp.array(at), cp.array(p), cp.array(v.astype(k)))
            there = np.interp(at, p, v.astype(k))
            assert here.dtype == there.dtype
            np.testing.assert_array_equal(here.get(), there)


@pytest.mark.parametrize("dtype", "?bLefdFD")
def test_interp_with_a_period(dtype):
    rng = np.random.default_rng(2)
    for places in "ldf":
        xp = (rng.random(60) * 90 - 45).astype(places)
        fp = (rng.random(60) * 90).astype(dtype)
        x = (rng.random((5, 6)) * 200 - 100).astype(places)
        if places != "l":
            x[0, :3] = np.nan, np.inf, xp[3]
        for period in (7, -90.5, np.float32(31.25), np.int16(3)):
            for at, p, v in [
                (x, xp, fp),
                (x.T[::-2], xp[::-3], fp[::3]),
                (x[0, 0], xp[:1], fp[:1]),
                (x[:0], xp[::2], fp[1::2]),
            ]:
                here = cp.interp(cp.array(at), cp.array(p), cp.array(v), period=period)
                with np.errstate(invalid="ignore"):
                    there = np.interp(at, p, v, period=period)
                assert (here.dtype, here.shape) == (there.dtype, np.shape(there))
                _, counts = np.unique(p.astype("d") % period, return_counts=True)
                if counts.max() > 1:  # any order of the equal places will do
                    continue
                if dtype in "FD":
                    np.testing.assert_allclose(here.get(), there, 1e-12, 1e-12)
                    np.testing.assert_array_equal(np.isnan(here.get().imag), False)
                else:
                    np.testing.assert_array_equal(here.get(), there)


@pytest.mark.parametrize("period", [0, 0.0])
def test_interp_with_no_period(period):
    for xp in (cp, np):
        with pytest.raises(ValueError, match="period must be a non-zero value"):
            xp.interp(xp.ones(2), xp.ones(2), xp.ones(2), period=period)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("dtype", "efdF")
def test_gradient_to_the_bit(dtype, order):
    a = np.random.default_rng(0).random((4, 5, 6)).astype(dtype)
    long = np.random.default_rng(1).random(20000).astype(dtype)
    for x in (
        a,
        a[::-1, :, ::2],
        a.transpose(2, 0, 1),
        np.asfortranarray(a),
        a[0],
        long,
    ):
        for axis in range(x.ndim):
            for h in (1, 0.3):
                here = cp.gradient(cp.array(x), h, axis=axis, edge_order=order)
                there = np.gradient(x, h, axis=axis, edge_order=order)
                assert here.dtype == there.dtype
                if dtype == "F":  # quotients of complex numbers
                    np.testing.assert_array_max_ulp(here.get().real, there.real, 4)
                else:
                    np.testing.assert_array_equal(here.get(), there)
    y = cp.array(a)[:, ::-2, ::-1]
    here, there = cp.gradient(y), np.gradient(a[:, ::-2, ::-1])
    for got, expected in zip(here, there, strict=True):
        np.testing.assert_allclose(got.get(), expected, 1e-2 if dtype == "e" else 1e-5)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(
    "dtypes", ["ff", "fd", "fi", "dd", "dl", "Fd", "Dd", "bd", "lf"]
)
def test_gradient_at_places_to_the_bit(dtypes, order):
    rng = np.random.default_rng(4)
    sample, place = dtypes
    a = (rng.random((4, 5, 6)) * 90).astype(sample)
    long = (rng.random(20000) * 90).astype(sample)
    views = a, a[::-1, :, ::2], a.transpose(2, 0, 1), np.asfortranarray(a), a[0], long
    for x in views:
        for axis in range(x.ndim):
            at = np.cumsum(rng.integers(1, 9, 2 * x.shape[axis]) * 1.1).astype(place)
            for p in (at[::2], at[::-2], at[: x.shape[axis]]):
                given = p.astype("d") if (sample, place) == ("l", "f") else p
                there = np.gradient(x, given, axis=axis, edge_order=order)
                here = cp.gradient(
                    cp.array(x), cp.array(p), axis=axis, edge_order=order
                )
                assert (here.dtype, here.shape) == (there.dtype, there.shape)
                if sample in "FD":  # quotients of complex numbers
                    np.testing.assert_allclose(here.get(), there, 1e-5, 1e-5)
                else:
                    np.testing.assert_array_equal(here.get(), there)


@pytest.mark.parametrize("order", [1, 2])
def test_gradient_at_places_of_few_samples(order):
    for n in (2, 3, 4):
        x, p = np.arange(2.0 * n).reshape(n, 2) ** 2, np.arange(n + 1.0)[1:] ** 3
        if n <= order:
            with pytest.raises(ValueError, match="elements"):
                cp.gradient(cp.array(x), cp.array(p), axis=0, edge_order=order)
            continue
        want = np.gradient(x, p, axis=0, edge_order=order)
        close(cp.gradient(cp.array(x), cp.array(p), axis=0, edge_order=order), want)
    nothing = cp.gradient(cp.ones((3, 0)), cp.arange(3.0), axis=0, edge_order=order)
    assert (nothing.shape, nothing.dtype) == ((3, 0), np.float64)


@pytest.mark.parametrize("places", ["e", "f", "d", "F", "D", "l"])
def test_gradient_of_halves_and_at_complex_places(places):
    x = np.random.default_rng(5).random((3, 6)).astype("e")
    p = np.arange(1, 7).astype(places) ** 2
    here = cp.gradient(cp.array(x), cp.array(p), axis=1)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        there = np.gradient(x, p, axis=1)
    assert here.dtype == there.dtype == np.float16
    np.testing.assert_allclose(here.get(), there, 1e-2, 1e-3)


@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
def test_differences_of_any_order(dtype):
    """Those of the second order at once are to the bit as one after the other."""
    rng = np.random.default_rng(8)
    a = _samples(rng, dtype)
    for n in range(11):
        for axis in (0, 1):
            for view in (a, a.T[::-1]):
                want = np.diff(view, n, axis)
                got = cp.diff(cp.array(view), n, axis)
                assert (got.shape, got.dtype) == (want.shape, want.dtype)
                np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
def test_areas_between_samples(dtype):
    rng = np.random.default_rng(9)
    a = _samples(rng, dtype)  # neighbours' sums wrap
    for dx in (1.0, 1, 3, 0.25, np.float64(0.1), np.array([1, 2, 4] * 3)[:-1]):
        there = cp.array(dx) if isinstance(dx, np.ndarray) else dx
        close(cp.trapezoid(cp.array(a), dx=there), np.trapezoid(a, dx=dx))
    ascending = np.arange(9) ** 2
    for places in (np.sort(a), ascending.astype("f4"), ascending, ascending * 1.5):
        if places.dtype.kind in "bc":
            continue
        got = cp.trapezoid(cp.array(a), cp.array(places))
        close(got, np.trapezoid(a, places))
    for axis in (0, -1):
        view = a[::2, ::-1]
        close(cp.trapezoid(cp.array(view), axis=axis), np.trapezoid(view, axis=axis))
    for n in (0, 1, 2):
        close(cp.trapezoid(cp.array(a[:, :n])), np.trapezoid(a[:, :n]))


def _samples(rng, dtype):
    if dtype in "efdFD":
        return rng.integers(-99, 99, (5, 9)).astype(dtype) / 8
    return rng.integers(0, 2**63, (5, 9)).astype(dtype)


@pytest.mark.parametrize("m", [3, 8, 51, 4.5, 1.5, np.float32(7)])
def test_windows_of_any_length(m):
    for name in ("bartlett", "blackman", "hamming", "hanning"):
        close(getattr(cp, name)(m), getattr(np, name)(m))
    for beta in (0, 1, 14.0):
        close(cp.kaiser(m, beta), np.kaiser(m, beta))


@pytest.mark.parametrize("dtype", "efd")
def test_unwrap_of_any_layout(dtype):
    rng = np.random.default_rng(6)
    a = (rng.normal(size=(4, 3, 9)) * 20).astype(dtype)
    a[0, 0, :5] = [0, np.pi, 0, -np.pi, -0.0]
    for x in (a, a.T, a[::2, :, ::-2], a[0, 0], a[:0], a[..., :0], a[..., :1]):
        for axis in range(x.ndim):
            for kwargs in ({}, {"period": 4}, {"period": 3.0, "discont": 2.5}):
                want = np.unwrap(x, axis=axis, **kwargs)
                got = cp.unwrap(cp.array(x), axis=axis, **kwargs)
                assert (got.shape, got.dtype) == (want.shape, want.dtype)
                exact = {"e": 0.1, "f": 1e-4, "d": 1e-10}[dtype]
                np.testing.assert_allclose(got.get(), want, exact, exact)
    x = np.array([-0.0, np.nan, 1, np.inf, 7], dtype)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(cp.unwrap(cp.array(x)).get(), np.unwrap(x))
    assert np.signbit(cp.unwrap(cp.array([-0.0, 0.0])).get()[0])


@pytest.mark.parametrize("samples", [1, 2, 3, 40])
@pytest.mark.parametrize("dtype", ["B", "i", "l", "f", "d"])
def test_interp_of_values_mostly_outside(dtype, samples):
    """Of eight values beside each other none, some or all are among the samples."""
    rng = np.random.default_rng(2)
    places = np.sort(rng.integers(20, 40, samples) + rng.random(samples))
    heights = rng.random(samples)
    for n in (1, 7, 8, 9, 64, 77):
        x = rng.integers(50, 90, n).astype(dtype)
        x[n // 2 :: 11] = 30
        x[1::16] = 5
        if dtype in "fd":
            x[3::8] = np.nan
            x[4::16] = places[-1]
        for kwargs in ({}, {"left": -1, "right": 7}):
            got = cp.interp(*map(cp.asarray, (x, places, heights)), **kwargs)
            np.testing.assert_allclose(
                got.get(), np.interp(x, places, heights, **kwargs), rtol=1e-14
            )
