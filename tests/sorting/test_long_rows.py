"""Rows that are long enough for the host to sort and to search them in another way."""

import numpy as np
import pytest

import cupric as cp

N = 30_000


def _rows():
    draw = np.random.default_rng(2)
    words = draw.integers(0, 2**64, N, dtype=np.uint64)
    few = words % np.uint64(7)
    return {
        "random": words,
        "neighbours": words >> np.uint64(20) << np.uint64(20) | few,
        # What the highest digits share: few, some hundreds, or most of the row.
        "pairs": np.repeat(words[: N // 2], 2) ^ few,
        "groups": np.repeat(words[:60], N // 60) ^ (words >> np.uint64(40)),
        "alike": (words >> np.uint64(40)) + (few << np.uint64(61)),
        "signed": words.view(np.int64),
        "floats": draw.standard_normal(N),
        "zeros": np.where(few == 0, -0.0, draw.standard_normal(N).round(1)),
        "nans": np.where(few == 1, np.nan, draw.standard_normal(N)),
    }


def _assert_sorted(made, x):
    """With all of x's bits, those of zeros and NaNs too."""
    np.testing.assert_array_equal(made.get(), np.sort(x))
    words = f"u{x.itemsize}"
    np.testing.assert_array_equal(
        np.sort(made.get().view(words)), np.sort(x.view(words))
    )


@pytest.mark.parametrize("dtype", "iIlLfd")
@pytest.mark.parametrize("n", [9000, N, 1_100_000])
def test_sort(n, dtype):
    for row in _rows().values():
        with np.errstate(invalid="ignore"):
            x = np.resize(row, n).astype(dtype)
        if dtype in "fd":
            x[::1001] = -x[::1001]  # NaNs of both signs
        y = cp.asarray(x)
        _assert_sorted(cp.sort(y), x)
        _assert_sorted(cp.sort(y, kind="stable"), x)
        y.sort()
        _assert_sorted(y, x)


def test_stable_sort_keeps_zeros_as_they_are():
    x = np.copysign(0, np.random.default_rng(5).standard_normal(N))
    x[::3] = 1
    made = cp.sort(cp.asarray(x), kind="stable").get()
    assert (np.signbit(made) == np.signbit(x[np.argsort(x, kind="stable")])).all()


@pytest.mark.parametrize("dtype", "id")
def test_sort_of_rows_and_columns(dtype):
    x = _rows()["random"].view("l").astype(dtype).reshape(3, -1)
    for view in (x, x.T, x[:, ::-1], x[::2, 1:]):
        y = cp.asarray(x)
        y = cp.ndarray(
            view.shape, dtype, y.data + (view.ctypes.data - x.ctypes.data), view.strides
        )
        for axis in (0, 1):
            assert (cp.sort(y, axis).get() == np.sort(view, axis)).all()
            made = y.copy()
            made.sort(axis)
            assert (made.get() == np.sort(view, axis)).all()


@pytest.mark.parametrize("name", sorted(_rows()))
def test_argsort_is_stable(name):
    x = _rows()[name]
    assert (cp.argsort(cp.asarray(x)).get() == np.argsort(x, kind="stable")).all()


@pytest.mark.parametrize("dtype", "bHilfd")
@pytest.mark.parametrize("length", [0, 1, 2, 3, 100, 1000])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(dtype, length, side):
    draw = np.random.default_rng(length)
    among = (draw.standard_normal(length) * 40).astype("b")
    values = (draw.standard_normal(300) * 40).astype("b")
    among, values = np.sort(among.astype(dtype)), values.astype(dtype).reshape(3, 100)
    if dtype in "fd":
        values[0, ::7] = np.nan
        among[length - length // 9 :] = np.nan
    for v in (values, values.T, values[:, ::3], values[0, 1]):
        have = cp.searchsorted(cp.asarray(among), cp.asarray(v), side)
        assert (have.get() == np.searchsorted(among, v, side)).all()


# Complex numbers: by comparing, by their ranks, and on a GPU by their codes.
LENGTHS = [700, N, 1_100_000]


def _complex_rows(dtype, n):
    draw = np.random.default_rng(n)
    part = np.dtype(dtype).char.lower()
    plain = draw.standard_normal((n, 2)).astype(part)
    few = draw.integers(0, 5, (n, 2)).astype(part) - 2
    zeros = np.copysign(0, draw.integers(-1, 1, (n, 2)) + 0.5).astype(part)
    special = draw.choice([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1, -1], (n, 2))
    mostly = np.where(draw.random((n, 1)) < 0.1, special, plain)
    tables = {
        "random": plain,
        "few": few,
        "one": np.ones((n, 2)),
        "zeros": zeros,
        "zeros and others": np.where(few == 0, zeros, plain),
        "special": special,
        "mostly": mostly,
        "nan": np.full((n, 2), np.nan),
        "ascending": np.sort(plain, axis=0),
        "descending": -np.sort(plain, axis=0),
        "periodic": np.resize(plain[:64], (n, 2)),
        "outliers": np.where(draw.random((n, 1)) < 1e-3, plain * 1e30, few),
        "all bits": draw.integers(0, 256, (n, 2 * np.dtype(part).itemsize), "B").view(
            part
        ),
    }
    names = ["zeros and others", "mostly", "all bits"] if n > N else tables
    return {
        name: np.ascontiguousarray(tables[name], part).view(dtype)[:, 0]
        for name in names
    }


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("dtype", "FD")
def test_sort_of_complex_numbers(dtype, n):
    for name, x in _complex_rows(dtype, n).items():
        order = np.argsort(x, kind="stable")
        y = cp.asarray(x)
        assert (cp.argsort(y, kind="stable").get() == order).all(), name
        for made in (cp.sort(y), cp.sort(y, kind="stable"), cp.sort(y, stable=True)):
            np.testing.assert_array_equal(made.get(), x[order], name)
        y.sort()
        np.testing.assert_array_equal(y.get(), x[order], name)


@pytest.mark.parametrize("n", LENGTHS)
def test_sort_keeps_the_bits_of_complex_numbers(n):
    for name, x in _complex_rows("F", n).items():
        ours = cp.sort(cp.asarray(x)).get()
        words = x.view("I").reshape(-1, 2).copy()
        found = ours.view("I").reshape(-1, 2).copy()
        # Of a NaN beside a number a GPU keeps all bits but the quiet one and the last.
        nan = np.isnan(x.view("f")).reshape(-1, 2)
        one = nan.any(1) & ~nan.all(1)
        words[one[:, None] & nan] |= 0x400001
        nan = np.isnan(ours.view("f")).reshape(-1, 2)
        one = nan.any(1) & ~nan.all(1)
        found[one[:, None] & nan] |= 0x400001
        both = (np.sort(w.copy().view("Q")[:, 0]) for w in (words, found))
        np.testing.assert_array_equal(*both, err_msg=name)


@pytest.mark.parametrize("dtype", "FD")
def test_sort_of_complex_rows(dtype):
    x = np.concatenate([_complex_rows(dtype, 5000)[k] for k in ("mostly", "few")])
    x = x.reshape(2, 5, 1000)
    for view in (x, x.transpose(1, 0, 2), x.transpose(2, 0, 1), x[:, ::-1, 1:]):
        y = cp.asarray(x)
        y = cp.ndarray(
            view.shape, dtype, y.data + (view.ctypes.data - x.ctypes.data), view.strides
        )
        for axis in (-1, 0):
            expected = np.sort(view, axis, kind="stable")
            np.testing.assert_array_equal(cp.sort(y, axis).get(), expected)
            order = np.argsort(view, axis, kind="stable")
            assert (cp.argsort(y, axis).get() == order).all()


@pytest.mark.parametrize("n", LENGTHS)
def test_descending_complex_numbers(n):
    x = _complex_rows("F", n)["mostly"]
    turned = n - 1 - np.argsort(x[::-1], kind="stable")[::-1]
    y = cp.asarray(x)
    made = cp.argsort(y, descending=True, stable=True)
    assert (made.get() == turned).all()
    made = cp.sort(y, descending=True, stable=True)
    np.testing.assert_array_equal(made.get(), x[turned])


def _assert_partition(x, made, kth, name):
    """Of a row that sorted is `x`."""
    np.testing.assert_array_equal(made[kth], x[kth], name)
    np.testing.assert_array_equal(np.sort(made[:kth]), x[:kth], name)
    np.testing.assert_array_equal(np.sort(made[kth:]), x[kth:], name)


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("dtype", "FD")
def test_partition_of_complex_numbers(dtype, n):
    for name, x in _complex_rows(dtype, n).items():
        ordered = np.sort(x)
        for kth in (
            (0, n // 3, n - 1) if n > N else (0, 1, n // 3, n // 2, n - 2, n - 1)
        ):
            y = cp.asarray(x)
            order = cp.argpartition(y, kth).get()
            assert (np.sort(order) == np.arange(n)).all()
            _assert_partition(ordered, x[order], kth, name)
            _assert_partition(ordered, cp.partition(y, kth).get(), kth, name)
            y.partition(kth)
            _assert_partition(ordered, y.get(), kth, name)
