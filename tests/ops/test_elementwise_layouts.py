"""Elementwise operations over every kind of layout: which dimension is swept, tiles,
buffers for other dtypes, masks, threads. NumPy is the reference; values are exact."""

import itertools

import numpy as np
import pytest

import cupric as cp

# Around the sizes at which something changes: short rows, tiles, buffers.
EXTENTS = [1, 2, 3, 7, 23, 24, 31, 33, 65, 130]


def ramp(shape, dtype=np.float32):
    return (np.arange(np.prod(shape)) % 251).reshape(shape).astype(dtype)


@pytest.mark.parametrize("rows", EXTENTS)
@pytest.mark.parametrize("columns", EXTENTS)
def test_two_dimensions(rows, columns):
    a, b = ramp((rows, columns)), ramp((columns, rows))
    x, y = cp.array(a), cp.array(b)
    for left, right, want in (
        (x, y.T, a + b.T),
        (x.T, y, a.T + b),
        (x[::-1], y.T[:, ::-1], a[::-1] + b.T[:, ::-1]),
        (x[:, :1], y.T, a[:, :1] + b.T),
        (x[:1], y.T, a[:1] + b.T),
        (x[:, ::2], x[:, ::2], a[:, ::2] + a[:, ::2]),
    ):
        np.testing.assert_array_equal(cp.asnumpy(left + right), want)


SHAPES = [(64, 128), (131, 260), (3, 700), (700, 3), (2, 66, 130), (130, 5, 300)]


@pytest.mark.parametrize("dtype", ["u1", "f2", "f4", "f8", "c16"])
@pytest.mark.parametrize("shape", SHAPES)
def test_transposed_copies(dtype, shape):
    a, to = ramp(shape, dtype), "c8" if dtype == "c16" else "f4"
    x = cp.array(a)
    for axes in itertools.permutations(range(len(shape))):
        got = x.transpose(axes).copy(order="C")
        np.testing.assert_array_equal(got.get(), a.transpose(axes))
        got = x[..., 4:].transpose(axes).astype(to, order="C")
        np.testing.assert_array_equal(got.get(), a[..., 4:].transpose(axes).astype(to))
    into = cp.zeros((shape[-1], 4 * shape[0]), dtype)
    flat = x.reshape(shape[0], -1)[:, : shape[-1]]
    into[:, : shape[0]] = flat.T
    np.testing.assert_array_equal(into.get()[:, : shape[0]], flat.get().T)
    assert (into[:, shape[0] :] == 0).all()


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
@pytest.mark.parametrize(
    "shape", [*SHAPES, (67, 132), (66, 1, 129), (512, 516), (900, 37)]
)
def test_turned_copies(dtype, shape):
    """Transposed and backwards along an axis or more, at all addresses in a word."""
    a = ramp(shape, dtype)
    for signs in itertools.product([1, -1], repeat=len(shape)):
        for first in range(4):
            turn = tuple(slice(None, None, s) for s in signs)
            want = a[..., first : -1 - first % 2][turn].T
            x = cp.array(a)[..., first : -1 - first % 2][turn].T
            np.testing.assert_array_equal(x.copy("C").get(), want)
            np.testing.assert_array_equal(x.astype("D", order="C").get(), want)
    a, b = ramp((600, 700), dtype), ramp((700, 600), dtype)
    for k in (1, 3):
        got = cp.add(cp.array(a), cp.rot90(cp.array(b), k), order="C")
        np.testing.assert_array_equal(got.get(), a + np.rot90(b, k))


@pytest.mark.parametrize("dtype", ["u1", "i2", "f2", "f4", "f8", "c16"])
@pytest.mark.parametrize("columns", [16, 17, 32, 96])
def test_rows(dtype, columns):
    """Dense rows, at even and odd addresses, with rows and columns that broadcast."""
    a, b = ramp((40, columns), dtype), ramp((40, columns + 16), dtype)
    x, y = cp.array(a), cp.array(b)
    for left, right, want in (
        (x, y[:, :-16], a + b[:, :-16]),
        (x, y[:, 16:], a + b[:, 16:]),
        (x, y[:, 3:-13], a + b[:, 3:-13]),
        (x[0], x, a[0] + a),
        (x, x[:, :1], a + a[:, :1]),
        (x[0], x[:, :1], a[0] + a[:, :1]),
        (x[:, None], x[:3], a[:, None] + a[:3]),
        (y[:, :-16], 1, b[:, :-16] + 1),
    ):
        np.testing.assert_array_equal((left + right).get(), want)
    np.testing.assert_array_equal(
        cp.where(x > 9, y[:, 16:], y[0, 16:]).get(),
        np.where(a > 9, b[:, 16:], b[0, 16:]),
    )


@pytest.mark.parametrize("dtypes", ["ff", "fd", "BB", "ee", "DD", "?i"])
@pytest.mark.parametrize("n", [3, 11, 12, 40, 700])
def test_rows_that_all_share(n, dtypes):
    """A column, a reversed row and every second element, broadcast along the others."""
    a, b = ramp((n, n), dtypes[0]), ramp((2 * n, 2 * n), dtypes[1])
    x, y = cp.array(a), cp.array(b)
    for row in (np.s_[:n, 3], np.s_[5, n - 1 :: -1], np.s_[0, ::2], np.s_[::-2, 1]):
        np.testing.assert_array_equal((x + y[row]).get(), a + b[row])
        np.testing.assert_array_equal(
            cp.where(x[::-1] > 9, x, y[row]).get(), np.where(a[::-1] > 9, a, b[row])
        )
        cube = np.broadcast_to(a, (3, n, n))
        np.testing.assert_array_equal(
            (y[row] == cp.broadcast_to(x, (3, n, n))).get(), b[row] == cube
        )
    np.testing.assert_array_equal(
        cp.outer(x[:, 1], y[0, ::2]).get(), np.outer(a[:, 1], b[0, ::2])
    )


def test_broadcast_operands_give_c_order():
    a = ramp((4, 5))
    for x in (a[0], a[:, :1], a[:, None]):
        shape = np.broadcast_shapes(x.shape, (4, 5))
        want = np.broadcast_to(x, shape) + 1
        got = cp.broadcast_to(cp.array(x), shape) + 1
        np.testing.assert_array_equal(got.get(), want)
        assert got.strides == want.strides


@pytest.mark.parametrize("axes", list(itertools.permutations(range(4))))
def test_permuted_axes(axes):
    a = ramp((5, 3, 40, 6))
    x = cp.array(a)
    want = a.transpose(axes)
    np.testing.assert_array_equal(cp.asnumpy(x.transpose(axes).copy(order="C")), want)
    out = cp.zeros(want.shape, dtype=np.float64)
    cp.multiply(x.transpose(axes), 3, out=out)
    np.testing.assert_array_equal(cp.asnumpy(out), want * 3.0)


@pytest.mark.parametrize(
    "shape", [(2000, 3), (3, 2000), (500, 4, 5), (70, 90), (40000,)]
)
@pytest.mark.parametrize("dtypes", ["bd", "fl", "eF", "?i", "Bf", "dd"])
def test_mixed_dtypes(shape, dtypes):
    a, b = ramp(shape, dtypes[0]), ramp(shape, dtypes[1])
    x, y = cp.array(a), cp.array(b)
    np.testing.assert_array_equal(cp.asnumpy(x + y), a + b)
    np.testing.assert_array_equal(cp.asnumpy(x.T + y.T), (a + b).T)
    np.testing.assert_array_equal(cp.asnumpy(x[::-1] * y), a[::-1] * b)


@pytest.mark.parametrize("dtypes", ["BB", "?f", "ed", "ff", "fd", "lf", "FF", "DD"])
@pytest.mark.parametrize(
    "shape", [(64, 128), (131, 260), (40, 9, 17), (9, 16, 8), (300, 8, 8), (3, 70, 33)]
)
def test_operands_in_different_orders(shape, dtypes):
    """Each of them, and the mask, in an order of its own, and backwards."""
    rng = np.random.default_rng(0)
    for axes in itertools.permutations(range(len(shape))):
        back = np.argsort(axes)
        stored = [shape[axis] for axis in axes]
        a, b = ramp(shape, dtypes[0]), ramp(stored, dtypes[1])
        mask = rng.random(stored) > 0.5
        x, y, m = cp.array(a), cp.array(b), cp.array(mask)
        b, mask, y, m = (v.transpose(back) for v in (b, mask, y, m))
        for turned in (lambda v: v, lambda v: v[::-1], lambda v: v[..., ::-1]):
            p, q, keep = turned(b), turned(y), turned(m)
            np.testing.assert_array_equal((x + q).get(), a + p)
            np.testing.assert_array_equal((q[1:] == x[1:]).get(), p[1:] == a[1:])
            np.testing.assert_array_equal(
                cp.where(keep, x, q).get(), np.where(turned(mask), a, p)
            )
            want = np.zeros(shape, np.result_type(a, b))
            out = cp.array(want)
            np.add(a, p, out=want, where=turned(mask))
            cp.add(x, q, out=out, where=keep)
            np.testing.assert_array_equal(out.get(), want)
    square = ramp((150, 150), dtypes[1])
    z = cp.array(square)
    z += z.T
    square += square.T.copy()
    np.testing.assert_array_equal(z.get(), square)


LARGE = [(521, 517), (33, 8001), (8001, 33), (64, 130, 41), (2, 400, 3, 129)]


@pytest.mark.parametrize(
    "dtypes", ["BB", "hh", "ff", "dd", "FF", "DD", "?d", "Bf", "fD"]
)
@pytest.mark.parametrize("shape", LARGE)
def test_many_operands_in_different_orders(shape, dtypes):
    """So many elements that a GPU takes tiles of those that lie otherwise."""
    a, b = ramp(shape, dtypes[0]), ramp(shape, dtypes[1])[..., ::-1]
    m = ramp(shape, np.int64) % 3 == 0
    x, y, keep = cp.array(a), cp.array(b, order="C"), cp.array(m)
    turns = [
        lambda xp, v: xp.asarray(v, order="F"),
        lambda xp, v: xp.asarray(v, order="F")[..., ::-1],
        lambda xp, v: xp.swapaxes(xp.swapaxes(v, 0, -1).copy(), 0, -1),
        lambda xp, v: xp.broadcast_to(xp.asarray(v[:1], order="F"), v.shape),
    ]
    for turn in turns:
        f, g, k = turn(np, a), turn(np, b), turn(np, m)
        p, q, also = turn(cp, x), turn(cp, y), turn(cp, keep)
        for got, want in (
            (cp.add(x, q, order="C"), a + g),
            (cp.add(p, y, order="C"), f + b),
            (cp.add(p, q, order="C"), f + g),
            (cp.not_equal(q, x), g != a),
            (cp.where(keep, x, q), np.where(m, a, g)),
            (cp.where(also, p, y), np.where(k, f, b)),
            (cp.where(also, p, a.dtype.type(1)), np.where(k, f, a.dtype.type(1))),
        ):
            np.testing.assert_array_equal(got.get(), want)
        for mask, their_mask in ((keep, m), (also, k)):
            want = np.ones(shape, np.result_type(a, b))
            out = cp.array(want)
            np.add(a, g, out=want, where=their_mask)
            cp.add(x, q, out=out, where=mask)
            np.testing.assert_array_equal(out.get(), want)
            np.copyto(want, g, where=~their_mask, casting="unsafe")
            cp.copyto(out, q, where=~mask, casting="unsafe")
            np.testing.assert_array_equal(out.get(), want)


def test_two_results_of_operands_in_different_orders():
    a, b = ramp((600, 601), "i8") - 99, ramp((601, 600), "i8").T % 7 + 1
    x, y = cp.array(a), cp.array(b, order="F")
    for got, want in zip(cp.divmod(x, y), np.divmod(a, b), strict=True):
        np.testing.assert_array_equal(got.get(), want)


@pytest.mark.parametrize("dtype", "?bHifdFD")
@pytest.mark.parametrize(
    "shape", [(10,), (1000,), (33, 70), (70, 33), (6, 5, 4), (70001,)]
)
def test_mask_keeps_the_rest(dtype, shape):
    a = ramp(shape, dtype)
    mask = ramp(shape, np.int64) % 3 == 0
    for layout in (lambda v: v, lambda v: v.T):
        want = np.full(shape, 1, dtype)
        np.add(layout(a), layout(a), out=layout(want), where=layout(mask))
        out = cp.array(np.full(shape, 1, dtype))
        x, m = cp.array(a), cp.array(mask)
        cp.add(layout(x), layout(x), out=layout(out), where=layout(m))
        np.testing.assert_array_equal(cp.asnumpy(out), want)


def test_mask_with_conversion():
    a, mask = ramp((513, 3), np.int16), ramp((513, 1), np.int64) % 2 == 0
    want, out = np.zeros((513, 3)), cp.zeros((513, 3))
    np.multiply(a, np.float32(2), out=want, where=mask)
    cp.multiply(cp.array(a), np.float32(2), out=out, where=cp.array(mask))
    np.testing.assert_array_equal(cp.asnumpy(out), want)


@pytest.mark.parametrize(
    "shape", [(3_000_001,), (1200, 1000), (1000, 3, 400), (90, 90, 90)]
)
def test_shared_among_threads(shape):
    a = ramp(shape)
    x = cp.array(a)
    np.testing.assert_array_equal(cp.asnumpy(x + 1), a + 1)
    np.testing.assert_array_equal(cp.asnumpy(x.T * x.T), a.T * a.T)
    np.testing.assert_array_equal(cp.asnumpy(x[::2].astype(np.float64)), a[::2])
    x += x
    np.testing.assert_array_equal(cp.asnumpy(x), a + a)


@pytest.mark.parametrize("source", "?bBhHiIlLefdFD")
@pytest.mark.parametrize("target", "?bBhHiIlLefdFD")
def test_casts(source, target):
    values = np.array([0, 1, 2, 3, 100, 127, 1.5, 0.25, 60000, 2.5e4])
    with np.errstate(all="ignore"):
        a = np.tile(values.astype(source), 7)
        want = a.astype(target) if target in "FD" else a.real.astype(target)
    in_range = np.isfinite(a) & (abs(a.astype("D")) < 127)
    keep = in_range if target in "bB" and source in "efdFD" else np.isfinite(a)
    for x, w, k in (
        (cp.array(a), want, keep),
        (cp.array(np.repeat(a, 2))[::2], want, keep),
        (cp.array(a)[::-1], want[::-1], keep[::-1]),
    ):
        got = cp.asnumpy(x.astype(target))
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got[k], w[k])


@pytest.mark.parametrize("byte", [0, 1, 2, 128, 255])
def test_any_byte_may_be_a_bool(byte):
    raw = cp.array(np.full(67, byte, np.uint8))
    flags = raw.view(bool)
    want = np.full(67, byte != 0)
    np.testing.assert_array_equal(cp.asnumpy(flags & flags), want)
    np.testing.assert_array_equal(cp.asnumpy(flags.astype(np.float32)), want)
    np.testing.assert_array_equal(cp.asnumpy(cp.logical_not(flags)), ~want)


def test_halves_round_to_nearest_even_from_double():
    """Rounding by way of float would go up twice at 1 + 2**-11 + 2**-40."""
    tie = 1 + 2.0**-11
    values = [tie, tie + 2.0**-40, tie - 2.0**-40, 65519.999999, 65520.0, 2.0**-25]
    values += [2.0**-25 + 2.0**-60, 3 * 2.0**-25, 1e-300, 1e300, np.inf]
    a = np.array(values + [-v for v in values] + [np.nan])
    with np.errstate(over="ignore"):
        want = a.astype(np.float16)
    np.testing.assert_array_equal(cp.asnumpy(cp.array(a).astype(np.float16)), want)


@pytest.mark.parametrize("dtype", "?bBeiqfd")
@pytest.mark.parametrize("step", [1, 2])
def test_signs_of_halves_that_were_converted(dtype, step):
    """Every element, of packs and of the rest behind them."""
    a = np.arange(-70, 71).astype(dtype)[::step]
    signs = np.where(np.arange(a.size) % 3 == 0, -1, 1).astype("e")
    x = cp.array(np.repeat(a, step))[::step]
    as_half = {"dtype": "e", "casting": "unsafe"}
    for name, others in [("fabs", ()), ("abs", ()), ("copysign", (signs,))]:
        want = getattr(np, name)(a, *others, **as_half)
        got = getattr(cp, name)(x, *map(cp.array, others), **as_half).get()
        np.testing.assert_array_equal(got, want)
    got = cp.signbit(cp.negative(x, **as_half)).get()
    np.testing.assert_array_equal(got, np.signbit(-a.astype("e")))


@pytest.mark.parametrize("n", [15, 16, 17, 511, 512, 513, 1500])
@pytest.mark.parametrize("step", [2, 3, -1, -2])
@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "f4", "f8", "c8"])
def test_long_strided_rows(n, step, dtype):
    """Strided operands pass through blocks: inputs, the output, and both at once."""
    a = ramp((n * abs(step),), dtype)
    x = cp.array(a)
    for f in (lambda p: p[::step] == p[:n], lambda p: p[::step] + p[::step] * p[0]):
        np.testing.assert_array_equal(f(x).get(), f(a))
    np.testing.assert_array_equal(abs(x[::step]).get(), abs(a[::step]))
    for xp, p in ((cp, x), (np, a)):
        t = p.copy()
        t[::step] = p[:n]
        p[::step] += t[::-1][:n]
        p[1 : 1 - n : 2] = 1
        xp.logical_not(p[::step], out=p.astype(bool)[::step])
        p[: n : abs(step)] = t[: n : abs(step)]
        out = xp.zeros(2 * n, bool)
        xp.less(p[::step], t[:n], out=out[::2])
        p[:n] += out[:n].astype(p.dtype)
    np.testing.assert_array_equal(x.get(), a)
