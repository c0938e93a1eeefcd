"""cumsum, cumprod and ufunc.accumulate."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cupric

from .cases import assert_same, outcome, pairs
from .test_py_reduction import tolerance


@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
@given(data=st.data())
def test_like_numpy(name, data):
    x, y = data.draw(pairs(special=False))
    axis = data.draw(st.one_of(st.none(), st.integers(-3, 3)))
    if name == "cumprod" and x.size > 64:
        return
    expected = outcome(getattr(np, name), x, axis=axis)
    if getattr(expected, "dtype", None) == np.float16:
        assume((abs(expected) < 2**14).all())  # NumPy rounds, and overflows, each time
    rtol = tolerance(x) * max(1, x.size)
    assert_same(outcome(getattr(cupric, name), y, axis=axis), expected, rtol)
    assert_same(outcome(getattr(y, name), axis=axis), expected, rtol)


@pytest.mark.parametrize(
    "name",
    ["add", "subtract", "multiply", "maximum", "minimum", "fmax", "bitwise_xor"]
    + ["logical_and", "hypot", "logaddexp", "equal", "divide", "gcd"],
)
@given(data=st.data())
def test_accumulate(name, data):
    x, y = data.draw(pairs(special=name in ("maximum", "minimum", "fmax")))
    if x.size > 64:
        return
    axis = data.draw(st.integers(-2, 2))
    expected = outcome(getattr(np, name).accumulate, x, axis)
    got = outcome(getattr(cupric, name).accumulate, y, axis)
    if x.dtype.kind == "c" and name in ("maximum", "minimum", "fmax"):
        return  # which of several NaN comes first is not defined
    assert_same(got, expected, tolerance(x) * 200)


def test_long_scans():
    x = np.random.default_rng(0).integers(-5, 5, (3, 100_000))
    y = cupric.array(x)
    for axis in [None, 0, 1]:
        assert_same(cupric.cumsum(y, axis=axis), np.cumsum(x, axis=axis))


@pytest.mark.parametrize("dtype", ["i4", "f8", "c8"])
@pytest.mark.parametrize(
    "shape", [(2_000_003,), (2, 600_001), (300_007, 8), (70_001, 32), (30_011, 64)]
)
def test_many_tiles(shape, dtype):
    """So many that they stand in groups; whole numbers, so that any order is right."""
    x = np.random.default_rng(1).integers(-1, 2, shape).astype(dtype)
    y = cupric.array(x)
    for axis in range(x.ndim):
        got = cupric.cumsum(y, axis=axis)
        assert_same(got, np.cumsum(x, axis=axis))
        again = cupric.cumsum(y, axis=axis)
        assert again.get().tobytes() == got.get().tobytes()


SHAPES = [(1,), (20_011,), (300, 33), (33, 300), (4099, 3), (3, 4099), (70, 129)]
SHAPES += [(3, 9001), (9001, 3), (2, 700, 5), (5, 9, 64), (40_000, 1), (1, 40_000)]


@pytest.mark.parametrize("dtype", ["i1", "i4", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_way(shape, dtype):
    x = np.random.default_rng(0).integers(-9, 9, shape).astype(dtype)
    y = cupric.array(x)
    exact = {"e": "f8", "f": "f8", "F": "c16"}.get(x.dtype.char, x.dtype)
    inner = (..., slice(int(shape[-1] > 1), None))
    for view in (lambda a: a, lambda a: a.T, lambda a: a[inner], lambda a: a[::-1]):
        v, w = view(x), view(y)
        for axis in range(v.ndim):
            want = np.cumsum(v.astype(exact), axis=axis)
            got = cupric.cumsum(w, axis=axis)
            if x.dtype.kind in "iu":
                np.testing.assert_array_equal(got.get(), want)
            elif x.dtype.char == "e":  # rounded at the end, and added up in float
                np.testing.assert_allclose(got.get(), want, rtol=1e-3, atol=1e-3)
            else:  # integers small enough to be exact in any order
                np.testing.assert_array_equal(got.get(), want)
            again = cupric.cumsum(w, axis=axis)
            assert again.get().tobytes() == got.get().tobytes()
    for name in ("maximum", "minimum"):
        if x.dtype.kind != "c":
            want = getattr(np, name).accumulate(x, axis=-1)
            assert_same(getattr(cupric, name).accumulate(y, axis=-1), want)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "f2", "f4", "c8", "c16"])
@pytest.mark.parametrize("name", ["add", "maximum", "subtract"])
def test_short_rows(name, dtype):
    if (name, dtype) == ("subtract", "?"):
        return
    rng = np.random.default_rng(4)
    for n in (1, 2, 3, 16, 63, 64, 65):
        a = rng.integers(0, 3, (5, 70, n + 2)).astype(dtype)
        x = cupric.asarray(a)
        for view in (
            np.s_[:],
            np.s_[:, :, 1:-1],
            np.s_[::-1, ::2, ::-1],
            np.s_[0, :, :n],
            np.s_[:, 3],
        ):
            expected = getattr(np, name).accumulate(a[view], -1)
            got = getattr(cupric, name).accumulate(x[view], -1)
            np.testing.assert_array_equal(got.get(), expected)
        same = np.broadcast_to(a[:1, :1], (2, 9, n + 2))
        got = getattr(cupric, name).accumulate(
            cupric.broadcast_to(x[:1, :1], same.shape), -1
        )
        np.testing.assert_array_equal(got.get(), getattr(np, name).accumulate(same, -1))
        out = x.copy() if name != "add" or dtype in ("i8", "c8", "c16") else None
        if out is not None:
            getattr(cupric, name).accumulate(out, -1, out=out)
            expected = getattr(np, name).accumulate(a, -1)
            np.testing.assert_array_equal(out.get(), expected)


def test_sums_of_floats_repeat():
    x = cupric.array(np.random.default_rng(0).standard_normal(3_000_017).astype("f4"))
    first = cupric.cumsum(x).get()
    exact = np.cumsum(x.get().astype("f8"))
    assert np.max(np.abs(first - exact)) < 0.1
    for _ in range(5):
        assert cupric.cumsum(x).get().tobytes() == first.tobytes()


def test_in_place():
    x = np.arange(12.0).reshape(3, 4)
    y = cupric.array(x)
    assert cupric.cumsum(y, axis=1, out=y) is y
    assert_same(y, np.cumsum(x, axis=1))
    y = cupric.array(x)
    cupric.cumsum(y, axis=0, out=y)
    assert_same(y, np.cumsum(x, axis=0))


def test_dtype_and_out():
    x = np.arange(6, dtype="int8")
    y = cupric.array(x)
    for dtype in ["int8", "float32", "complex64"]:
        assert_same(cupric.cumsum(y, dtype=dtype), np.cumsum(x, dtype=dtype))
        out = cupric.zeros(6, dtype)
        assert cupric.cumsum(y, out=out) is out
        assert_same(out, np.cumsum(x, out=np.zeros(6, dtype)))
    with pytest.raises(ValueError):
        cupric.cumsum(y, out=cupric.zeros(5))


def test_accumulate_errors():
    with pytest.raises(TypeError, match="cannot accumulate on a scalar"):
        cupric.add.accumulate(cupric.array(1))
    with pytest.raises(ValueError, match="multiple axes"):
        cupric.add.accumulate(cupric.zeros((2, 2)), axis=None)
    with pytest.raises(ValueError, match="only supported for binary functions"):
        cupric.negative.accumulate(cupric.zeros(2))
    with pytest.raises(TypeError, match="unexpected keyword argument 'keepdims'"):
        cupric.add.accumulate(cupric.zeros(2), keepdims=True)


@pytest.mark.parametrize("dtype", ["i4", "f2", "f8", "c8", "?"])
@pytest.mark.parametrize("n", [1, 2, 17, 300, 1500])
def test_rows_apart(n, dtype):
    """Short rows of parts of larger arrays, backwards, and by steps."""
    rows = 40_000 // n
    x = np.random.default_rng(n).integers(0, 2, (2, 3, rows, 2 * n + 1)).astype(dtype)
    y = cupric.array(x)
    views = [
        lambda a: a[0, 0, :, 1 : n + 1],
        lambda a: a[0, 0, ::-1, :n],
        lambda a: a[1, 2, :, n - 1 :: -1],
        lambda a: a[1, 1, ::2, ::2],
        lambda a: a[:, :, 1:, :n],
        lambda a: a[:, 1, :, :n].transpose(1, 0, 2),
        lambda a: np.broadcast_to(a[0, 0, :, :n], (2, rows, n)),
    ]
    if dtype == "f2":
        x[..., 1000:] = 0  # sums that it holds
        y = cupric.array(x)
    for view in views:
        of_y = (
            view(y)
            if view is not views[-1]
            else cupric.broadcast_to(y[0, 0, :, :n], (2, rows, n))
        )
        np.testing.assert_array_equal(
            cupric.cumsum(of_y, axis=-1).get(), np.cumsum(view(x), axis=-1)
        )
        np.testing.assert_array_equal(
            cupric.maximum.accumulate(of_y, axis=-1).get(),
            np.maximum.accumulate(view(x), axis=-1),
        )
