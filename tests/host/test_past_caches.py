"""Results of arrays that the caches do not hold are stored past them: at any place, of
any length, in every form that a loop has. NumPy is the reference; values are exact."""

import warnings

import numpy as np
import pytest

import cupric as cp

NBYTES = 24 << 20  # of a result: too many for any cache, by src/host/past_caches.c
EDGE = 7  # elements about a result, which stay 1


def ramp(n, dtype):
    a = (np.arange(n) % 113).astype(dtype)
    return a * dtype.type(1 - 0.5j) if dtype.kind == "c" else a


def length(dtype):
    return NBYTES // np.dtype(dtype).itemsize + 5


def check(function, *arrays, start=0, shorter=0):
    """function(xp, out=, *arrays) of arrays that begin at element `start` and lack so
    many of their last elements."""
    wants = function(np, *(a[start : len(a) - shorter] for a in arrays))
    wants = wants if isinstance(wants, tuple) else (wants,)
    whole = [cp.ones(want.size + 2 * EDGE, want.dtype) for want in wants]
    inner = tuple(
        w[start : start + want.size] for w, want in zip(whole, wants, strict=True)
    )
    on_device = [cp.array(a)[start : a.size - shorter] for a in arrays]
    function(cp, *on_device, out=inner[0] if len(inner) == 1 else inner)
    for got, want in zip(whole, wants, strict=True):
        got = got.get()
        np.testing.assert_array_equal(got[start : start + want.size], want)
        assert (got[:start] == 1).all()
        assert (got[start + want.size :] == 1).all()


@pytest.mark.parametrize(("start", "shorter"), [(0, 0), (3, 2)])
@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
def test_forms(dtype, start, shorter):
    dtype = np.dtype(dtype)
    a = ramp(length(dtype), dtype)
    place = {"start": start, "shorter": shorter}
    two = dtype.type(2)
    check(lambda xp, x, out=None: xp.add(x, x, out=out), a, **place)
    check(lambda xp, x, out=None: xp.multiply(x, two, out=out), a, **place)
    check(lambda xp, x, out=None: xp.add(two, x, out=out), a, **place)
    if dtype != "?":
        check(lambda xp, x, out=None: xp.positive(x, out=out), a, **place)


@pytest.mark.parametrize("to", "?bHifdD")
@pytest.mark.parametrize("dtype", "?blfF")
def test_conversions(dtype, to):
    """And copies, which some of these are."""
    start = 1
    a = ramp(max(length(dtype), length(to)), np.dtype(dtype))
    x, t = cp.array(a), cp.ones(a.size + EDGE, to)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        want = a.astype(to)
        t[start : start + a.size] = x
        one = cp.full(a.size, a[5], to)
    got = t.get()
    np.testing.assert_array_equal(got[start : start + a.size], want)
    assert (got[:start] == 1).all()
    assert (got[start + a.size :] == 1).all()
    assert (one == want[5]).all()


@pytest.mark.parametrize(
    ("name", "dtype", "nin"),
    [
        ("frexp", "d", 1),
        ("frexp", "f", 1),
        ("frexp", "e", 1),
        ("modf", "d", 1),
        ("divmod", "i", 2),
        ("divmod", "d", 2),
    ],
)
@pytest.mark.parametrize("start", [0, 3])
def test_two_results(name, dtype, nin, start):
    a = ramp(length("e" if dtype == "e" else "i"), np.dtype(dtype)) + 1
    b = a[::-1].copy()
    check(
        lambda xp, *x, **out: getattr(xp, name)(*x, **out), *(a, b)[:nin], start=start
    )


@pytest.mark.parametrize("start", [0, 5])
def test_three_operands(start):
    a = ramp(length("f"), np.dtype("f"))
    b = a[::-1].copy()
    check(lambda xp, x, out=None: xp.clip(x, 20, 30, out=out), a, start=start)
    check(lambda xp, x, y, out=None: xp.clip(x, y, y, out=out), a, b, start=start)
    m = a > 50
    x, y, mask = (cp.array(v)[start:] for v in (a, b, m))
    np.testing.assert_array_equal(cp.where(mask, x, y).get(), np.where(m, a, b)[start:])


@pytest.mark.parametrize("start", [0, 5])
def test_comparisons(start):
    a = ramp(length("?"), np.dtype("h"))
    check(lambda xp, x, out=None: xp.greater(x, 40, out=out), a, start=start)
    check(lambda xp, x, out=None: xp.equal(x, x, out=out), a, start=start)


def test_roots_and_quotients():
    a = ramp(length("f"), np.dtype("f"))
    check(lambda xp, x, y, out=None: xp.divide(x, y, out=out), a, a + 1, start=1)
    check(lambda xp, x, out=None: xp.sqrt(x, out=out), a, start=3)


def test_in_place():
    a = ramp(length("f"), np.dtype("f"))
    x, y = cp.array(a), cp.array(a[::-1])
    x += y
    a = a + a[::-1]
    np.testing.assert_array_equal(x.get(), a)
    x[1:] = x[:-1]
    a[1:] = a[:-1].copy()
    np.testing.assert_array_equal(x.get(), a)
    cp.multiply(x[1:], 2, out=x[:-1])
    a[:-1] = a[1:] * 2
    np.testing.assert_array_equal(x.get(), a)


@pytest.mark.parametrize("columns", [3, 700, 4099])
def test_rows(columns):
    """Whose beginnings are not those of cache lines; of strided operands, too."""
    a = ramp(length("f") // columns * columns, np.dtype("f")).reshape(-1, columns)
    x = cp.array(a)
    wide = cp.zeros((len(a), columns + 3), "f")
    cp.add(x, x[:1], out=wide[:, 1:-2])
    got = wide.get()
    np.testing.assert_array_equal(got[:, 1:-2], a + a[:1])
    assert (got[:, 0] == 0).all()
    assert (got[:, -2:] == 0).all()
    twice = np.repeat(a, 2, axis=1)
    np.testing.assert_array_equal((cp.array(twice)[:, ::2] + x).get(), a + a)


@pytest.mark.parametrize(("start", "step"), [(0, 1), (3, 2), (-5, -3), (0.5, 0.25)])
@pytest.mark.parametrize("dtype", "ilfdF")
def test_ranges(dtype, start, step):
    if dtype in "il":
        start, step = int(start), int(step) or 1
    stop = start + 3 * length(dtype) * step
    got, want = cp.arange(start, stop, step, dtype), np.arange(start, stop, step, dtype)
    np.testing.assert_array_equal(got.get(), want)
