"""sort, argsort, partition, argpartition, searchsorted, nonzero and their kin."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric

from ..ops.cases import FLOATS, NUMERIC, REAL, assert_same, fill, outcome, pairs

AXES = st.one_of(st.none(), st.integers(-3, 3))
# The one of NumPy's sorts that keeps all values of float16 on every CPU.
STABLE = "stable"


@given(data=st.data())
def test_sort(data):
    x, y = data.draw(pairs())
    axis = data.draw(AXES)
    kind = data.draw(st.sampled_from([None, "stable", "quicksort"]))
    assert_same(
        outcome(cupric.sort, y, axis=axis, kind=kind), outcome(np.sort, x, axis, STABLE)
    )


@given(data=st.data())
def test_sort_in_place(data):
    x, y = data.draw(pairs())
    axis = data.draw(st.integers(-3, 2))
    base = x.copy()
    expected = outcome(base.sort, axis=axis, kind=STABLE)
    got = outcome(y.sort, axis=axis)
    if expected is None:
        assert got is None
        assert_same(y, base)
    else:
        assert issubclass(expected, got)


@given(data=st.data())
def test_argsort(data):
    x, y = data.draw(pairs())
    axis = data.draw(AXES)
    expected = outcome(np.argsort, x, axis=axis, kind="stable")
    assert_same(outcome(cupric.argsort, y, axis=axis, kind="stable"), expected)
    assert_same(outcome(cupric.argsort, y, axis=axis, stable=True), expected)
    assert_same(outcome(y.argsort, axis=axis, kind="stable"), expected)


@given(data=st.data())
def test_partition(data):
    x, y = data.draw(pairs(special=False))
    axis = data.draw(st.integers(-2, 1))
    kth = data.draw(st.integers(-4, 4))
    expected = outcome(np.partition, x, kth, axis)
    got = outcome(cupric.partition, y, kth, axis)
    if isinstance(expected, type):
        assert_same(got, expected)
        return
    assert got.shape == x.shape
    assert_same(cupric.sort(got, axis), np.sort(x, axis, STABLE))
    order = cupric.argpartition(y, kth, axis).get()
    if x.size:
        place = np.sort(x, axis, STABLE).take(kth, axis)
        np.testing.assert_array_equal(got.get().take(kth, axis), place)
        np.testing.assert_array_equal(
            np.take_along_axis(x, order, axis).take(kth, axis), place
        )


def test_partition_arguments():
    y = cupric.array(np.arange(5.0)[::-1])
    assert cupric.partition(y, [0, 3]).tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    y.partition(2)
    assert y.tolist()[2] == 2.0
    for kth, error, message in [
        (5, ValueError, r"kth\(=5\) out of bounds \(5\)"),
        (-6, ValueError, r"kth\(=-1\) out of bounds \(5\)"),
        (1.5, TypeError, "must be integer"),
        (True, ValueError, "Booleans unacceptable"),
        ([], TypeError, "must be integer"),
    ]:
        with pytest.raises(error, match=message):
            cupric.partition(y, kth)


def test_sort_arguments():
    y = cupric.zeros((2, 3))
    for kwargs, error, message in [
        ({"kind": "foo"}, ValueError, "sort kind must be one of"),
        ({"kind": 3}, TypeError, "sort kind must be str"),
        ({"kind": "stable", "stable": True}, ValueError, "at the same time"),
        ({"order": "a"}, ValueError, "no fields"),
        ({"axis": 2}, np.exceptions.AxisError, "out of bounds"),
        ({"axis": 0.5}, TypeError, "integer"),
    ]:
        with pytest.raises(error, match=message):
            cupric.sort(y, **kwargs)
    with pytest.raises(TypeError):
        y.sort(axis=None)


def test_sort_of_read_only_array():
    y = cupric.array([2, 1])
    y.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        y.sort()


# Sizes about where a device changes its way: the rows of a block, a tile, a merge, CUB.
SIZES = [(7, 9), (300, 16), (5, 1000), (3, 2047), (2, 2049), (3, 9000)]
SIZES += [(70001,), (2**18 + 1,), (2**20 + 3,), (2, 2**18)]


@pytest.mark.parametrize("shape", SIZES, ids=str)
@pytest.mark.parametrize("dtype", [*NUMERIC, "bfloat16"])
def test_sizes(shape, dtype):
    x, y = awkward(shape, dtype)
    got = cupric.sort(y).astype(x.dtype).get()
    np.testing.assert_array_equal(got, np.sort(x, kind="stable"))
    order = cupric.argsort(y, kind="stable").get()
    np.testing.assert_array_equal(order, np.argsort(x, kind="stable", axis=-1))
    part = y[..., :-1]  # rows with a gap, sorted in place
    part.sort(kind="stable")
    got = y.astype(x.dtype).get()
    np.testing.assert_array_equal(got[..., :-1], np.sort(x[..., :-1], kind="stable"))
    np.testing.assert_array_equal(got[..., -1], x[..., -1])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("seed", range(8))
def test_many_equal_values_beside_few_others(seed, dtype):
    # Where NumPy's own sort of float16 gives back other values than it got.
    rng = np.random.default_rng(seed)
    x = np.round(rng.integers(-3000, 3000, 10000) / 1000)
    x[rng.integers(0, 10000, 5)] = -3.002 if dtype == "float16" else -3.02
    y = cupric.array(x.astype("f")).astype(dtype)
    x = y.astype("d").get()
    expected = np.sort(x)
    for got in (cupric.sort(y), y[cupric.argsort(y)], y[cupric.lexsort((y,))]):
        np.testing.assert_array_equal(got.astype("d").get(), expected)
    part = cupric.partition(y, 7).astype("d").get()
    np.testing.assert_array_equal(np.sort(part), expected)
    assert part[7] == x[cupric.argpartition(y, 7).get()[7]] == expected[7]
    np.testing.assert_array_equal(cupric.unique(y).astype("d").get(), np.unique(x))
    if dtype == "float16":
        assert cupric.median(y).item() == np.median(x)
        assert cupric.percentile(y, 0).item() == expected[0]


@pytest.mark.only_on("cuda")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(300, 16), (2**19,)])
def test_no_bit_is_lost(shape, dtype):
    x, y = awkward(shape, dtype)
    bits = f"u{x.dtype.itemsize}"
    got = cupric.sort(y).get().view(bits)
    np.testing.assert_array_equal(np.sort(got, None), np.sort(x.view(bits), None))


def awkward(shape, dtype):
    """Many equal elements and, among floats, every special one, NaN of both signs; for
    bfloat16 NumPy's array is one of float32."""
    if dtype == "bfloat16":
        x = awkward(shape, "float32")[1].astype(dtype)
        return x.astype("float32").get(), x
    x = fill(shape, dtype, 5, special=True)
    few = fill(shape, dtype, 6, special=False)
    x = np.where(fill(shape, "bool", 7, special=False), x, few)
    if x.dtype.kind in "fc":
        x = np.where(fill(shape, "int8", 8, special=False) > 0, np.round(x), x)
        x[fill(shape, "int8", 9, special=False) == 4] = -np.nan
    x = x.astype(dtype)
    return x, cupric.array(x)


def test_order_of_equal_elements():
    x = np.array([0.0, -0.0, np.nan, -0.0, -np.nan, 0.0, -1.0] * 9000)
    for dtype in ("float16", "float32", "float64"):
        y = cupric.array(x.astype(dtype))
        order = cupric.argsort(y, stable=True).get()
        np.testing.assert_array_equal(order, np.argsort(x, stable=True))


@pytest.mark.only_on("host")
def test_many_equal_values_without_fp16_instructions():
    # A CPU with AVX-512 VBMI2 is where NumPy's sort of float16 loses values, unless it
    # has FP16 too, which NumPy is told here to leave aside.
    environment = os.environ | {"NPY_DISABLE_CPU_FEATURES": "AVX512_SPR"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["--device", "host", "-k", "test_many_equal_values_beside", __file__]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@given(data=st.data())
def test_argsort_keeps_equal_elements_in_their_order(data):
    x, y = data.draw(pairs())
    axis = data.draw(AXES)
    expected = outcome(np.argsort, x, axis=axis, kind=STABLE)
    assert_same(outcome(cupric.argsort, y, axis=axis), expected)
    assert_same(outcome(y.argsort, axis=axis), expected)


@pytest.mark.parametrize("n", [10, 24, 25, 1000, 5000, 70001])
@pytest.mark.parametrize("dtype", [*NUMERIC, "bfloat16"])
def test_argsort_of_few_values(n, dtype):
    x, y = awkward((2, n), dtype)
    expected = np.argsort(x, kind=STABLE)
    np.testing.assert_array_equal(cupric.argsort(y).get(), expected)
    np.testing.assert_array_equal(cupric.argsort(y, kind="quicksort").get(), expected)
    np.testing.assert_array_equal(
        cupric.argsort(y[:, ::-1]).get(), np.argsort(x[:, ::-1], kind=STABLE)
    )
    np.testing.assert_array_equal(
        cupric.argsort(y, axis=0).get(), np.argsort(x, axis=0, kind=STABLE)
    )
    few = y[0].astype("int8" if dtype == "bool" else dtype)
    first = cupric.unique(few, return_index=True)[1].get()
    if x.dtype.kind not in "fc":
        np.testing.assert_array_equal(first, np.unique(x[0], return_index=True)[1])


@given(data=st.data())
def test_searchsorted(data):
    n = data.draw(st.integers(0, 8))
    x = np.sort(fill((n,), data.draw(st.sampled_from(NUMERIC)), 3, True), kind=STABLE)
    v, w = data.draw(pairs())
    side = data.draw(st.sampled_from(["left", "right"]))
    if v.dtype.kind in "iu" and x.dtype.kind in "iu" and v.dtype != x.dtype:
        return  # int64 with uint64 compares as float64
    expected = np.searchsorted(x, v, side)
    assert_same(cupric.searchsorted(cupric.array(x), w, side), expected)
    assert_same(cupric.array(x).searchsorted(w, side=side), expected)


def test_searchsorted_arguments():
    x = np.array([3.0, 1.0, 2.0])
    y = cupric.array(x)
    order = cupric.argsort(y)
    assert cupric.searchsorted(y, 2.5, sorter=order).item() == 2
    assert cupric.searchsorted(cupric.sort(y), 2).item() == 1
    for args, error in [
        ((cupric.zeros((2, 2)), 1), ValueError),
        ((cupric.array(1), 1), ValueError),
        ((y, 1, "x"), ValueError),
        ((y, 1, "left", cupric.array([0])), ValueError),
        ((y, 1, "left", cupric.array([0.0, 1, 2])), TypeError),
        ((y, np.ones(2)), TypeError),
    ]:
        with pytest.raises(error):
            cupric.searchsorted(*args)


@given(data=st.data())
def test_nonzero(data):
    x, y = data.draw(pairs())
    if x.ndim:
        got, expected = cupric.nonzero(y), np.nonzero(x)
        assert len(got) == len(expected) == len(y.nonzero())
        for a, b in zip(got, expected, strict=True):
            assert_same(a, b)
    assert_same(cupric.flatnonzero(y), np.flatnonzero(x))
    assert_same(cupric.argwhere(y), np.argwhere(x))


@pytest.mark.parametrize("size", [511, 512, 1025, 16385, 100_003])
@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "f4", "i8", "c16"])
def test_nonzero_of_many_sizes(size, dtype):
    """Whole segments and a rest, of masks read in one way or another."""
    rng = np.random.default_rng(size)
    for share in (0, 0.01, 0.5, 1):
        x = (rng.random(3 * size) < share).astype(dtype)
        y = cupric.array(x)
        for a, b in [(x, y), (x[1 : size + 1], y[1 : size + 1]), (x[::-3], y[::-3])]:
            assert_same(cupric.flatnonzero(b), np.flatnonzero(a))
        x, y = x.reshape(3, size), y.reshape(3, size)
        for a, b in [(x, y), (x.T, y.T), (x[:, 1:], y[:, 1:])]:
            assert_same(cupric.argwhere(b), np.argwhere(a))


@pytest.mark.parametrize("dtype", [*"?BhiqefdFD"])
def test_nonzero_in_any_bit_but_a_sign(dtype):
    """Elements of one bit each, and all of their bits, of which floats have no sign."""
    bits = np.eye(8 * np.dtype(dtype).itemsize, dtype=bool)
    words = np.packbits(bits, axis=1, bitorder="little")
    if dtype == "?":
        words = np.array([[0], [1]], "u1")
    x = np.resize(words, (3000, words.shape[1])).reshape(-1).view(dtype)
    for a in (x, x[: len(words)], x[7:-2], x[::3]):
        kept = np.flatnonzero(a)
        assert_same(cupric.flatnonzero(cupric.array(a)), kept)
        assert_same(cupric.flatnonzero(cupric.array(x)[7:-2]), np.flatnonzero(x[7:-2]))
        values = np.arange(a.size)
        assert_same(cupric.array(values)[cupric.array(a != 0)], kept)


@pytest.mark.parametrize("dtype", [*"Bhild", "D"])
@pytest.mark.parametrize("share", [0.01, 0.5, 0.9, 0.99, 1])
def test_values_behind_masks(dtype, share):
    """Some side by side, in blocks that may not write into the next one's results."""
    rng = np.random.default_rng(7)
    mask, x = rng.random(200_003) < share, rng.integers(0, 99, 200_003).astype(dtype)
    m, y = cupric.array(mask), cupric.array(x)
    assert_same(y[m], x[mask])
    assert_same(y[::-1][m], x[::-1][mask])
    assert_same(y[1:][m[:-1]], x[1:][mask[:-1]])


def test_places_in_what_can_be_seen_flat_are_found_without_a_copy():
    x = cupric.zeros((1 << 12, 1 << 12), "u1")
    x[7, 5] = 1
    pool = cupric.get_default_memory_pool()
    pool.free_all_blocks()
    limit = pool.get_limit()
    pool.set_limit(pool.total_bytes() + x.nbytes // 2)
    try:
        assert cupric.flatnonzero(x).tolist() == [7 * x.shape[1] + 5]
        assert cupric.flatnonzero(x[::2, ::64]).size == 0
    finally:
        pool.set_limit(limit)


def test_nonzero_of_a_scalar():
    with pytest.raises(ValueError, match="0d"):
        cupric.nonzero(cupric.array(1))


@pytest.mark.parametrize("dtype", REAL)
def test_lexsort(dtype):
    keys = fill((3, 20), dtype, 4, special=False)
    assert_same(cupric.lexsort(cupric.array(keys)), np.lexsort(keys))
    ours = tuple(cupric.array(k) for k in keys)
    assert_same(cupric.lexsort(ours), np.lexsort(keys))


@pytest.mark.parametrize("shape", [(2, 30), (3, 4, 5), (2, 0, 3)])
def test_lexsort_along_axes(shape):
    keys = fill((3, *shape), "int8", 4, special=False)
    ours = cupric.array(keys)
    assert_same(cupric.lexsort(ours), np.lexsort(keys))
    for axis in range(-len(shape), len(shape)):
        assert_same(cupric.lexsort(ours, axis), np.lexsort(keys, axis))
        assert_same(cupric.lexsort(tuple(ours), axis=axis), np.lexsort(keys, axis))


def test_lexsort_arguments():
    y = cupric.zeros((2, 3))
    assert cupric.lexsort(cupric.zeros(2)).item() == 0
    for args, error in [
        (((),), TypeError),
        (((y, y[:1]),), ValueError),
        ((y[None], 2), np.exceptions.AxisError),
    ]:
        with pytest.raises(error):
            cupric.lexsort(*args)


@pytest.mark.parametrize("dtype", ["int16", "uint64", "float32", "complex64"])
def test_sort_complex(dtype):
    x = fill((3, 9), dtype, 4, special=False)[:, ::-2]
    assert_same(cupric.sort_complex(cupric.array(x)), np.sort_complex(x))


@pytest.mark.parametrize("spread", [1, 100, 5000, 2**17])
@pytest.mark.parametrize("dtype", "bBhHiIlL")
def test_integers_of_few_values(dtype, spread):
    info = np.iinfo(dtype)
    spread = min(spread, info.max)
    steps = np.random.default_rng(spread).integers(0, spread, (3, 25_000))
    for low in (info.min, 0, int(info.max) - spread + 1):
        x = (low + steps.astype(dtype)).astype(dtype)
        x[1, :300] = info.min  # one row's are not few
        for part in (x[0], x, x[:, ::-3], x.T):
            y = cupric.array(part)
            assert_same(cupric.sort(y), np.sort(part))
            assert_same(cupric.sort(y, axis=0), np.sort(part, axis=0))
            y.sort()
            assert_same(y, np.sort(part))


def test_no_leaks(no_leak):
    y = cupric.array(np.random.default_rng(0).random((5, 6)))
    for _ in range(50):
        cupric.sort(y, axis=0)
        cupric.argsort(y.T)
        cupric.nonzero(y)
        cupric.searchsorted(y[0], y)
        with pytest.raises(ValueError):
            cupric.partition(y, 10)
    del y


@pytest.mark.parametrize(
    "dtypes", ["ff", "dd", "lll", "?b", "Be", "iI", "fi", "ld", "LL"]
)
@pytest.mark.parametrize("shape", [(1,), (200,), (3, 33), (2, 0), (5000,)])
def test_lexsort_by_some_keys(dtypes, shape):
    rng = np.random.default_rng(0)
    keys = [rng.integers(0, 4, shape).astype(t) for t in dtypes]
    for key in keys:
        if key.dtype.kind == "f":
            key[rng.random(shape) < 0.2] = np.nan
            key[rng.random(shape) < 0.2] = -0.0
        elif key.dtype.itemsize == 8:
            key += 2**60  # float64 cannot tell them apart
    ours = [cupric.asarray(key) for key in keys]
    assert_same(cupric.lexsort(ours), np.lexsort(keys))
    turned = [key[..., ::-1] for key in keys]
    assert_same(cupric.lexsort([key[..., ::-1] for key in ours]), np.lexsort(turned))


@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "c16"])
@pytest.mark.parametrize("shape", [(1,), (1, 7), (7, 1), (5, 1, 4), (0, 1)])
def test_axes_of_length_one(shape, dtype):
    n = (np.arange(np.prod(shape, dtype=int)) % 3).reshape(shape).astype(dtype)
    axis = shape.index(1)
    for a, c in ((n, cupric.array(n)), (n.T[::-1].T, cupric.array(n).T[::-1].T)):
        for got, want in (
            (cupric.sort(c, axis), np.sort(a, axis)),
            (cupric.partition(c, 0, axis), np.partition(a, 0, axis)),
            (cupric.argsort(c, axis), np.argsort(a, axis, kind="stable")),
            (cupric.argpartition(c, 0, axis), np.argpartition(a, 0, axis)),
        ):
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got.get(), want)
        c = c.copy()
        c.sort(axis)
        np.testing.assert_array_equal(c.get(), np.sort(a, axis))
