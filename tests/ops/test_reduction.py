"""Reductions, scans and reduceat from Python against NumPy's."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric as cp

INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
FLOATS = ["f4", "f8", "c8", "c16"]
DTYPES = ["?", *INTEGERS, "f2", *FLOATS]
TOLERANCE = {"e": 2e-2, "f": 1e-5, "d": 1e-12, "F": 1e-5, "D": 1e-12}


def data(dtype, shape, seed=0):
    rng, dtype = np.random.default_rng(seed), np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        return rng.integers(-9 * (dtype.kind == "i"), 10, shape).astype(dtype)
    x = rng.standard_normal(shape)
    if dtype.kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def assert_same(got, want):
    """Equal dtype and shape, and values up to the order of summation."""
    want = np.asarray(want)
    assert isinstance(got, cp.ndarray)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    tolerance = TOLERANCE.get(want.dtype.char)
    if tolerance is None:
        np.testing.assert_array_equal(got.get(), want)
        return
    for part in ("real", "imag"):  # infinities of one part do not excuse the other
        g, w = getattr(got.get(), part), getattr(want, part)
        np.testing.assert_allclose(g, w, rtol=tolerance, atol=9 * tolerance)


def layouts(x):
    """The same values in C, Fortran and reversed order, strided, and transposed."""
    yield x, cp.asarray(x)
    yield x, cp.asarray(x, order="F")
    yield x[::-1], cp.asarray(x)[::-1]
    if x.ndim > 1:
        yield x[:, ::2], cp.asarray(x)[:, ::2]
        yield x.T, cp.asarray(x).T


def axes(ndim):
    yield None
    yield from range(-1, ndim)
    if ndim == 3:
        yield from ((0, 1), (2, 0), (1, 2), ())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "all", "any", "mean"])
def test_methods(name, dtype):
    for shape in ((), (7,), (30, 4), (5, 3, 8)):
        for x, y in layouts(data(dtype, shape)) if shape else [(data(dtype, ()),) * 2]:
            for axis in axes(x.ndim) if shape else (None,):
                for keepdims in (False, True):
                    if np.dtype(dtype).kind in "fc" and name == "prod":
                        x = np.asarray(x) / 2 + np.asarray(0.5, x.dtype)
                    z = cp.asarray(x) if name == "prod" or not shape else y
                    got = getattr(z, name)(axis=axis, keepdims=keepdims)
                    want = getattr(x, name)(axis=axis, keepdims=keepdims)
                    assert_same(got, want)


@pytest.mark.parametrize("dtype", ["?", "i2", "f2", *FLOATS])
@pytest.mark.parametrize("name", ["var", "std"])
def test_moments(name, dtype):
    for x, y in layouts(data(dtype, (6, 40, 3))):
        for axis in (None, 0, 1, 2, (0, 2)):
            for ddof in (0, 1):
                got = getattr(cp, name)(y, axis=axis, ddof=ddof)
                assert_same(got, getattr(np, name)(x, axis=axis, ddof=ddof))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_positions(name, dtype):
    for x, y in layouts(data(dtype, (30, 4, 5))):
        for axis in (None, 0, 1, 2):
            assert_same(
                getattr(cp, name)(y, axis=axis), getattr(np, name)(x, axis=axis)
            )


@pytest.mark.parametrize("dtype", ["f2", *FLOATS])
def test_nan_and_infinity(dtype):
    x = data(dtype, (8, 9))
    x[2, 3] = x[5, 1] = np.nan
    x[0, 0] = np.inf
    y = cp.asarray(x)
    for axis in (None, 0, 1):
        for name in ("max", "min", "argmax", "argmin", "sum", "nansum"):
            assert_same(
                getattr(cp, name)(y, axis=axis), getattr(np, name)(x, axis=axis)
            )


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("nan", [0, 1e-3, 0.1])
def test_extremes_of_complex_numbers(name, dtype, nan, device):
    """Of which blocks are passed over, ties of real parts and NaNs included. Of several
    NaNs a GPU, which goes through blocks in any order, gives another."""

    def assert_extreme(got, want):
        if device == "cuda":
            got = cp.where(cp.isnan(got), np.nan, got)
            want = np.where(np.isnan(want), np.nan, want)
        assert_same(got, want)

    random = np.random.default_rng(5)
    for size in (1, 2, 15, 17, 33, 1000, 70001):
        parts = random.integers(-9, 9, (2, size)) / 2
        parts[random.random((2, size)) < nan] = np.nan
        x = (parts[0] + 1j * parts[1]).astype(dtype)
        y = cp.array(x)
        reduce, expected = getattr(cp, name).reduce, getattr(np, name).reduce
        assert_extreme(reduce(y), expected(x))
        assert_extreme(reduce(y[::-1]), expected(x[::-1]))
        if size == 1000:
            for axis in (0, 1):
                got = reduce(y.reshape(20, 50), axis=axis)
                assert_extreme(got, expected(x.reshape(20, 50), axis=axis))


@pytest.mark.parametrize("dtype", ["?", *INTEGERS, *FLOATS])
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_running(name, dtype):
    for x, y in layouts(data(dtype, (5, 8, 3))):
        for axis in (None, 0, 1, -1):
            got = getattr(cp, name)(y, axis=axis)
            want = getattr(np, name)(x, axis=axis)
            if name == "cumprod" and want.dtype.kind == "c":
                # Grouped in another way, one part may cancel: the number is as exact.
                assert got.dtype == want.dtype
                off = abs(got.get() - want) / abs(want)
                assert off.max() < TOLERANCE[want.dtype.char]
            else:
                assert_same(got, want)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "subtract", "divide"])
def test_accumulate_and_reduceat(name):
    x = data("f8", (6, 10)) ** 2 + 0.5
    y = cp.asarray(x)
    ours, theirs = getattr(cp, name), getattr(np, name)
    for axis in (0, 1):
        assert_same(ours.accumulate(y, axis=axis), theirs.accumulate(x, axis=axis))
        assert_same(ours.reduce(y, axis=axis), theirs.reduce(x, axis=axis))
        for starts in ([0], [0, 3, 2, 5], [5, 5, 1]):
            got = ours.reduceat(y, starts, axis=axis)
            assert_same(got, theirs.reduceat(x, starts, axis=axis))


@pytest.mark.parametrize("dtype", ["i4", "f4", "c16"])
def test_where_and_initial(dtype):
    x = data(dtype, (40, 6))
    mask = data("?", (40, 6), seed=1)
    y, device_mask = cp.asarray(x), cp.asarray(mask)
    for axis in (None, 0, 1):
        got = cp.add.reduce(y, axis=axis, where=device_mask)
        assert_same(got, np.add.reduce(x, axis=axis, where=mask))
        got = cp.add.reduce(y, axis=axis, where=device_mask, initial=5)
        assert_same(got, np.add.reduce(x, axis=axis, where=mask, initial=5))
        got = cp.maximum.reduce(y, axis=axis, where=device_mask, initial=2)
        assert_same(got, np.maximum.reduce(x, axis=axis, where=mask, initial=2))
        none = cp.zeros((40, 6), bool)
        got = cp.add.reduce(y, axis=axis, where=none, initial=3)
        assert_same(got, np.add.reduce(x, axis=axis, where=False, initial=3))


@pytest.mark.parametrize("dtype", ["f4", "i8", "f2", "c8"])
@pytest.mark.parametrize("out_dtype", ["f8", "c16"])
def test_out_of_another_dtype(dtype, out_dtype):
    x = data(dtype, (30, 5))
    for axis, shape in ((0, 5), (1, 30)):
        out = cp.zeros(shape, out_dtype)
        if np.can_cast(dtype, out_dtype, "same_kind"):
            assert cp.sum(cp.asarray(x), axis=axis, out=out) is out
            want = np.sum(x, axis=axis, out=np.zeros(shape, out_dtype))
            np.testing.assert_allclose(out.get(), want, rtol=1e-5, atol=1e-5)


def test_dtype_argument():
    x = data("i4", (30, 5))
    for dtype in ("i8", "u1", "f4", "c16"):
        assert_same(cp.asarray(x).sum(axis=0, dtype=dtype), x.sum(axis=0, dtype=dtype))
        assert_same(cp.asarray(x).cumsum(axis=0, dtype=dtype), x.cumsum(0, dtype=dtype))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 4)])
def test_empty(shape):
    x = np.zeros(shape)
    y = cp.zeros(shape)
    for axis in (None, *range(len(shape))):
        for name in ("sum", "prod", "all", "any"):
            assert_same(getattr(y, name)(axis=axis), getattr(x, name)(axis=axis))
        for name in ("max", "argmax"):
            try:
                want = getattr(x, name)(axis=axis)
            except ValueError:
                with pytest.raises(ValueError):
                    getattr(y, name)(axis=axis)
            else:
                assert_same(getattr(y, name)(axis=axis), want)


def test_one_index_of_many_dimensions():
    x = data("f8", (2,) * 12)
    y = cp.asarray(x)
    for axis in (0, 11, (0, 2, 4, 6, 8, 10), (1, 3, 5)):
        assert_same(y.sum(axis=axis), x.sum(axis=axis))
        assert_same(y.transpose().sum(axis=axis), x.transpose().sum(axis=axis))


def test_broadcast_input():
    x = np.broadcast_to(data("f4", (1, 7)), (50, 7))
    y = cp.broadcast_to(cp.asarray(x[:1]), (50, 7))
    for axis in (None, 0, 1):
        assert_same(y.sum(axis=axis), x.sum(axis=axis))
        assert_same(y.argmax(axis=axis), x.argmax(axis=axis))
        assert_same(y.cumsum(axis=axis), x.cumsum(axis=axis))


def test_errors():
    y = cp.zeros((2, 3))
    with pytest.raises(np.exceptions.AxisError):
        y.sum(axis=2)
    with pytest.raises(ValueError, match="duplicate"):
        y.sum(axis=(0, 0))
    with pytest.raises(ValueError, match="not reorderable"):
        cp.subtract.reduce(y, axis=(0, 1))
    with pytest.raises(ValueError, match="initial"):
        cp.maximum.reduce(y, where=y > 0)
    with pytest.raises(IndexError):
        cp.add.reduceat(y, [0, 3], axis=1)
    with pytest.raises(ValueError):
        y.sum(axis=0, out=cp.zeros(2))


@given(st.data())
def test_any_view_and_axes(draw):
    shape = draw.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    steps = tuple(draw.draw(st.sampled_from([1, 2, -1, -3])) for _ in shape)
    order = draw.draw(st.permutations(range(len(shape))))
    axis = tuple(draw.draw(st.sets(st.integers(0, len(shape) - 1))))
    cut = tuple(slice(None, None, step) for step in steps)
    x = data("i8", shape)
    y = cp.asarray(x)[cut].transpose(order)
    x = x[cut].transpose(order)
    for name in ("sum", "max", "prod"):
        assert_same(getattr(y, name)(axis=axis), getattr(x, name)(axis=axis))
    mean = y.astype("f8").mean(axis=axis)
    assert_same(mean, x.astype("f8").mean(axis=axis))
    for one in range(len(shape)):
        assert_same(y.cumsum(axis=one), x.cumsum(axis=one))
        assert_same(y.argmin(axis=one), x.argmin(axis=one))


# Shapes for each way through memory that a device may take: everything, long rows and
# short ones, columns narrow and wide, with ends that are no multiple of anything.
WAYS = [(1,), (100_003,), (3, 20_011), (20_011, 3), (5003, 7), (7, 5003), (129, 257)]
WAYS += [(1025, 130), (2, 3001, 5), (61, 5, 67), (300, 4, 16), (9, 2, 3, 500)]
WAYS += [(3002, 2), (3001, 2), (1001, 4), (601, 64), (8, 4096), (9001, 32)]
WAYS += [(3000, 4, 23), (1500, 15, 27), (33, 1003), (5, 9001)]


@pytest.mark.parametrize("dtype", ["?", "i1", "i4", "u8", "f2", *FLOATS])
@pytest.mark.parametrize("shape", WAYS)
def test_every_way(shape, dtype):
    x = data(dtype, shape)
    y = cp.asarray(x)
    cut = tuple(slice(n > 1, None) for n in shape)
    backwards = (*[slice(None)] * (len(shape) - 1), slice(None, None, -1))
    for view in (lambda a: a, lambda a: a.T, lambda a: a[cut], lambda a: a[backwards]):
        v, w = view(x), view(y)
        for axis in (None, *range(v.ndim)):
            for name in ("sum", "max", "any", "argmin"):
                got = getattr(w, name)(axis=axis)
                # float16 and float32 are added up in one precision more
                wide = {"e": "f4", "f": "f8", "F": "c16"}.get(v.dtype.char)
                exact = v.astype(wide) if wide and name == "sum" else v
                want = np.asarray(getattr(exact, name)(axis=axis), got.dtype)
                length = v.size / max(want.size, 1)
                if name == "sum" and v.dtype.kind in "fc":
                    rtol = TOLERANCE[v.dtype.char]
                    np.testing.assert_allclose(
                        got.get(), want, rtol=rtol, atol=rtol * length**0.5
                    )
                else:
                    assert_same(got, want)
                again = getattr(w, name)(axis=axis)
                assert again.get().tobytes() == got.get().tobytes()


@pytest.mark.parametrize("dtype", ["f2", *FLOATS])
@pytest.mark.parametrize("shape", WAYS)
def test_moments_every_way(shape, dtype):
    x = data(dtype, shape)
    y = cp.asarray(x)
    exact = x.astype("c16" if x.dtype.kind == "c" else "f8")
    mask = data("?", shape, seed=1)
    for axis in (None, *range(x.ndim)):
        for name in ("var", "std"):
            got = getattr(y, name)(axis=axis)
            want = getattr(exact, name)(axis=axis).astype(got.dtype)
            assert_same(got, want)
            assert getattr(y, name)(axis=axis).get().tobytes() == got.get().tobytes()
        with np.errstate(all="ignore"):
            want = np.var(exact, axis=axis, where=mask, ddof=1)
        got = cp.var(y, axis=axis, where=cp.asarray(mask), ddof=1)
        with np.errstate(all="ignore"):
            undefined = mask.sum(axis=axis) <= 1
        np.testing.assert_allclose(
            np.where(undefined, 0, got.get()),
            np.where(undefined, 0, want),
            rtol=TOLERANCE[got.dtype.char],
            atol=TOLERANCE[got.dtype.char],
        )


@pytest.mark.parametrize("mean", [0, 1e3, 1e5])
def test_spread_about_a_large_mean(mean):
    x = (np.random.default_rng(0).standard_normal((2000, 700)) + mean).astype("f4")
    x[0, 0] += 1e3  # nor does it matter where the first element lies
    y = cp.asarray(x)
    for axis in (None, 0, 1):
        want = x.astype("f8").std(axis=axis)
        theirs = np.max(np.abs(x.std(axis=axis) - want) / want)
        ours = np.max(np.abs(y.std(axis=axis).get() - want) / want)
        assert ours <= max(2 * theirs, 2e-6)


def test_spread_of_what_is_not_finite():
    x = data("f4", (40, 30))
    x[3, 5], x[0, 7], x[8, 9] = np.inf, -np.inf, np.nan
    y = cp.asarray(x)
    for axis in (None, 0, 1):
        with np.errstate(all="ignore"):
            assert_same(cp.var(y, axis=axis), np.var(x, axis=axis))
            assert_same(cp.nanstd(y, axis=axis), np.nanstd(x, axis=axis))


@pytest.mark.parametrize("n", [1, 4095, 4097, 65_535, 65_537, 300_001])
@pytest.mark.parametrize("value", [False, True])
def test_reductions_of_bools_that_are_known_early(n, value):
    """What is behind the first element that decides is not looked at, or changes
    nothing."""
    rng = np.random.default_rng(n)
    for others in (0, 1, 3):
        x = np.full(n, value)
        x[rng.integers(0, n, others)] = not value
        rows = np.stack([x, ~x, x[::-1]])
        mask = rng.random(n) < 0.5
        for name in ("any", "all", "argmax", "argmin"):
            of_numpy, ours = getattr(np, name), getattr(cp, name)
            assert ours(cp.asarray(x)).item() == of_numpy(x)
            found = ours(cp.asarray(rows), axis=1).tolist()
            assert found == of_numpy(rows, axis=1).tolist()
            found = ours(cp.asarray(rows.T), axis=0).tolist()
            assert found == of_numpy(rows, axis=1).tolist()
        for name in ("any", "all"):
            found = getattr(cp, name)(cp.asarray(x), where=cp.asarray(mask))
            assert found.item() == getattr(np, name)(x, where=mask)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [(), 0, 1, 2, (0, 2)])
@pytest.mark.parametrize("axes", list(itertools.permutations(range(3))))
def test_order_of_results(axes, axis, keepdims):
    """The axes that remain lie as they lay: of a transposed array, transposed."""
    x = data("f4", (3, 4, 5)).transpose(axes)
    y = cp.asarray(data("f4", (3, 4, 5))).transpose(axes)
    for of_x, of_y in (x, y), (x[::-1, :, ::2], y[::-1, :, ::2]):
        for name in ("sum", "max", "mean", "std"):
            want = getattr(of_x, name)(axis, keepdims=keepdims)
            got = getattr(of_y, name)(axis, keepdims=keepdims)
            assert_same(got, want)
            assert got.strides == want.strides


def test_results_of_broadcast_arrays_are_in_c_order():
    rows = cp.broadcast_to(cp.arange(20.0).reshape(4, 5), (3, 4, 5))
    assert rows.sum(2).flags.c_contiguous
    assert rows.max(1, keepdims=True).flags.c_contiguous


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "f2", "f4", "f8", "i8", "c8"])
@pytest.mark.parametrize("rows", [7, 8, 17, 128, 129, 300])
def test_positions_down_narrow_columns(rows, dtype):
    """Fewer columns than a vector has, with and without a gap between rows."""
    for width in [*range(1, 18), 23, 31, 32, 33, 63, 64]:
        x = data(dtype, (rows, width + 1))
        if x.dtype.kind in "fc":
            x[rows // 2, ::3] = np.nan
        y = cp.asarray(x)
        cuts = (lambda a: a[:, 1:], lambda a: a[:, 1:].copy(), lambda a: a[::-1, :-1])
        for name, cut in itertools.product(("argmax", "argmin"), cuts):
            assert_same(getattr(cut(y), name)(0), getattr(cut(x), name)(0))


@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2", "hypot"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize(
    "shape", [(1,), (255,), (257,), (100_003,), (3, 2011), (2011, 3), (61, 5, 67)]
)
def test_functions_that_are_regrouped(shape, dtype, name):
    x = data(dtype, shape)
    special = x.copy()
    for i, value in enumerate([np.inf, -np.inf, np.nan, 0][: x.size]):
        special.ravel()[i * (x.size // 4)] = value
    for v in (x, x.T, x[::-1], special):
        w = cp.asarray(v)
        for axis in (*range(v.ndim), *([None] if v.ndim > 1 else [])):
            got = getattr(cp, name).reduce(w, axis=axis)
            want = getattr(np, name).reduce(v.astype("f8"), axis=axis).astype(dtype)
            assert got.dtype == want.dtype
            rtol = {"e": 4e-3, "f": 1e-5, "d": 1e-12}[want.dtype.char]
            np.testing.assert_allclose(got.get(), want, rtol=rtol, atol=rtol)
            again = getattr(cp, name).reduce(w, axis=axis)
            assert again.get().tobytes() == got.get().tobytes()


@pytest.mark.parametrize("name", ["subtract", "divide", "arctan2", "logaddexp"])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_order_of_what_is_not_regrouped(name, dtype):
    """From the first to the last, one by one: NumPy's vectors of AVX-512 give something
    else for arctan2 along a dense axis."""
    x = abs(data(dtype, (7, 9, 40))) + np.array(0.5, dtype)
    for axis in range(3):
        with np.errstate(over="ignore"):
            each = np.moveaxis(x, axis, 0)
            steps = list(itertools.accumulate(each, getattr(np, name)))
        got = getattr(cp, name).reduce(cp.asarray(x), axis=axis)
        np.testing.assert_allclose(got.get(), steps[-1], rtol=2e-5, atol=1e-6)
        got = getattr(cp, name).accumulate(cp.asarray(x), axis=axis)
        want = np.moveaxis(np.array(steps), 0, axis)
        np.testing.assert_allclose(got.get(), want, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("shape", [(1,), (2,), (3001,), (40, 300), (7, 9, 5)])
def test_differences_of_integers(shape, dtype):
    """These wrap, whatever is subtracted first."""
    x = data(dtype, shape)
    x.ravel()[-1] = np.iinfo(dtype).max
    for v, w in layouts(x):
        for axis in range(x.ndim):
            assert_same(cp.subtract.reduce(w, axis=axis), np.subtract.reduce(v, axis))
            got = cp.subtract.reduce(w, axis=axis, initial=3)
            assert_same(got, np.subtract.reduce(v, axis, initial=3))
