"""Tables of few columns and stacks of small matrices, whose rows are walked in another
order, or in pieces, against NumPy."""

import numpy as np
import pytest

import cupric as cp

ROWS = 2500  # more than a piece has


def same(actual, expected):
    assert actual.dtype == expected.dtype
    np.testing.assert_array_equal(actual.get(), expected)


@pytest.mark.parametrize("dtype", ["?", "e", "f", "D"])
@pytest.mark.parametrize("columns", [1, 2, 3, 7, 8, 11, 12, 13, 23, 24])
def test_tables(columns, dtype):
    """Elementwise with a row, a column and another order; copies of their parts."""
    rng = np.random.default_rng(columns)
    a = rng.integers(0, 5, (ROWS, columns)).astype(dtype)
    row, column, fortran = a[3], a[:, :1], np.asfortranarray(a[::-1])
    x, r, c, f = cp.asarray(a), cp.asarray(row), cp.asarray(column), cp.array(fortran)
    same(x * r, a * row)
    same(c + x, column + a)
    same(f == x, fortran == a)
    same(x.astype("f4") + f, a.astype("f4") + fortran)
    same(x[:, ::-1].copy(), a[:, ::-1])
    same(x[:, 1:] * x[:, :-1], a[:, 1:] * a[:, :-1])
    same(x[::3, ::2].copy(), a[::3, ::2])
    y = x.copy()
    y[:, ::2] = r[::2]
    b = a.copy()
    b[:, ::2] = row[::2]
    same(y, b)


@pytest.mark.parametrize("dtype", ["?", "B", "h", "e", "f", "d", "F", "D"])
@pytest.mark.parametrize(
    "shape", [(9,), (300, 8), (40, 300), (3, 5, 17), (8, 4100)], ids=str
)
def test_rows_of_one_number(shape, dtype):
    """What repeats along rows, alone and beside what does not."""
    rng = np.random.default_rng(len(shape))
    a = rng.integers(0, 5, (*shape[:-1], 1)).astype(dtype)
    b = rng.integers(0, 5, shape).astype(dtype)
    x, y = cp.broadcast_to(cp.asarray(a), shape), cp.asarray(b)
    a = np.broadcast_to(a, shape)
    same(x * x, a * a)
    same(x.copy(), a.copy())
    same(x.astype("D"), a.astype("D"))
    same(cp.logical_not(x), np.logical_not(a))
    same(y + x, b + a)
    same(x == y, a == b)
    same((x + y[..., ::-1])[..., 1:], (a + b[..., ::-1])[..., 1:])
    out, plain = cp.zeros(shape[::-1], dtype).T, np.zeros(shape, dtype)
    cp.multiply(x, x, out=out, where=y > 2)
    np.multiply(a, a, out=plain, where=b > 2)
    same(out, plain)
    y[...], b[...] = y[..., 1:2], b[..., 1:2]
    same(y, b)
    cp.multiply(y[..., 2:3], y[..., 3:4], out=y)
    np.multiply(b[..., 2:3], b[..., 3:4], out=b)
    same(y, b)


@pytest.mark.parametrize("dtype", ["B", "f", "d", "F"])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 11, 12, 16, 17])
def test_stacks_of_matrices(n, dtype):
    """In all orders of the axes, and added to what they are copied from."""
    a = np.arange(n * n * 400).reshape(400, n, n).astype(dtype)
    x = cp.asarray(a)
    for axes in [(0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]:
        same(x.transpose(axes).copy(), a.transpose(axes))
    same(x + x.mT, a + a.mT)
    out = cp.zeros((n, n, 400), dtype)
    cp.multiply(x.T, x.T, out=out)
    same(out, (a * a).T)


@pytest.mark.parametrize("dtype", "?bHilefdFD")
def test_a_choice_between_an_array_and_a_number(dtype):
    rng = np.random.default_rng(0)
    for shape in [(5,), (70,), (1000,), (40, 3), (9, 40)]:
        a = rng.integers(0, 9, shape).astype(dtype)
        m = rng.integers(0, 2, shape).astype("?")
        one = a.dtype.type(1)
        for keep in (m, m[..., :1], m[:1], m[..., ::-1]):
            x, k = cp.asarray(a), cp.asarray(keep)
            same(cp.where(k, x, one), np.where(keep, a, one))
            same(cp.where(k, one, x), np.where(keep, one, a))
            same(cp.where(k, one, one), np.where(keep, one, one))
            same(cp.where(k, x, x[..., :1]), np.where(keep, a, a[..., :1]))


REDUCTIONS = """
x.sum(); x.mean(); x.var(); x.max(); x.min(); x.argmax(); x.argmin(); x.any(); x.all()
(x * x).sum(); xp.count_nonzero(x); xp.ptp(x); xp.nanmax(x); xp.nansum(x); xp.vdot(x, x)
xp.array_equal(x, x[..., ::-1]); xp.array_equal(x, x); x.sum(axis=(0, -1)); x.argmin(0)
x.max(axis=(0, 1)); x.argmax(-1); x.std(axis=(0, 1)); x.sum(where=x > 2)
"""


@pytest.mark.parametrize("dtype", "Bhilfd")
@pytest.mark.parametrize("columns", [2, 3, 5, 17, 33, 60, 130, 260])
def test_reductions_of_parts(columns, dtype):
    """Rows that do not follow each other, as elements of a buffer."""
    rng = np.random.default_rng(columns)
    shape = (7, 4000 // columns, columns)
    whole = rng.integers(0, 9, shape).astype(dtype)
    device = cp.asarray(whole)
    for part in (np.s_[0, :, 1:], np.s_[:, 1:-1, :-1], np.s_[..., ::2], np.s_[1:, ::3]):
        for turn in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
            a, x = whole[part], device[part]
            if a.ndim == 3:
                a, x = a.transpose(turn), x.transpose(turn)
            if dtype == "f":  # whose sums NumPy takes one after the other
                a = a.astype("d")
            for call in REDUCTIONS.replace("\n", ";").strip(";").split(";"):
                want = np.asarray(eval(call.strip(), {"xp": np, "x": a}))
                got = cp.asarray(eval(call.strip(), {"xp": cp, "x": x})).get()
                assert got.shape == want.shape, call
                np.testing.assert_allclose(
                    got.astype("d"), want.astype("d"), 2e-6, err_msg=call
                )
