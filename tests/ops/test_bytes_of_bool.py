"""Booleans whose byte is neither 0 nor 1, as views of other bytes have them: true."""

import warnings

import numpy as np
import pytest

import cupric

UFUNCS = sorted(
    {
        f.__name__
        for f in vars(cupric).values()
        if isinstance(f, type(cupric.add)) and hasattr(np, f.__name__)
    }
)
BINARY = [n for n in UFUNCS if getattr(np, n).nin == 2 and getattr(np, n).nout == 1]
LAYOUTS = {
    "dense": lambda x: x,
    "strided": lambda x: x[..., ::2],
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1],
}


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def pair(shape, layout="dense", seed=0):
    """The bools as NumPy makes them of the bytes, and the bytes seen as bool."""
    some = np.array([0, 0, 0, 1, 2, 72, 128, 255], "B")
    raw = np.random.default_rng(seed).choice(some, shape)
    view = LAYOUTS[layout]
    return view(raw != 0), view(cupric.array(raw).view("?"))


def outcome(f, *args, **kwargs):
    try:
        return f(*args, **kwargs)
    except Exception as error:
        return type(error)


def same(got, expected, bytes_too=True):
    if isinstance(expected, type):
        assert isinstance(got, type)
        return
    if isinstance(expected, tuple):
        for a, b in zip(got, expected, strict=True):
            same(a, b, bytes_too)
        return
    got, expected = np.asarray(cupric.asnumpy(got)), np.asarray(expected)
    assert got.dtype == expected.dtype
    if got.dtype == bool and bytes_too:
        got, expected = (np.atleast_1d(x).view("B") for x in (got, expected))
    np.testing.assert_allclose(got.astype(got.dtype.char), expected, rtol=2e-3)


SHAPES = [(7,), (3, 41), (40_000,), (3, 300, 5)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs(name, layout):
    ours, theirs = getattr(cupric, name), getattr(np, name)
    x, y = pair((3, 300), layout)
    if ours.nin == 1:
        same(outcome(ours, y), outcome(theirs, x))
        return
    x2, y2 = pair((3, 300), layout, 1)
    same(outcome(ours, y, y2), outcome(theirs, x, x2))
    same(outcome(ours, y, True), outcome(theirs, x, True))
    for t in "bldF":
        number = np.full(x.shape, 3).astype(t)
        same(outcome(ours, y, cupric.array(number)), outcome(theirs, x, number))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["i0", "sinc", "angle", "nan_to_num"])
def test_functions_that_are_no_ufuncs_there(name, layout):
    x, y = pair((3, 300), layout)
    expected = getattr(np, name)(x)
    assert np.allclose(getattr(cupric, name)(y).get(), expected, rtol=1e-14)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", BINARY)
def test_reductions_and_scans(name, layout, shape):
    if name in (
        "ldexp",
        "arctan2",
        "power",
        "float_power",
        "pow",
        "atan2",
        "nextafter",
    ):
        pytest.skip("no reduction of its own, or NumPy's is wrong")
    x, y = pair(shape, layout)
    if name in ("hypot", "logaddexp", "logaddexp2"):
        x, y = x[..., :3], y[..., :3]  # NumPy loses digits of float16
    ours, theirs = getattr(cupric, name), getattr(np, name)
    for axis in (0, -1):
        same(outcome(ours.reduce, y, axis), outcome(theirs.reduce, x, axis))
        got, expected = (
            outcome(f.accumulate, a, axis) for f, a in ((ours, y), (theirs, x))
        )
        same(got, expected, bytes_too=False)


@pytest.mark.parametrize("shape", [(1, 4), (4, 1), (1, 40), (40, 1), (1, 1)])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_scans_along_an_axis_of_length_one(layout, shape):
    x, y = pair(shape, layout)
    axis = shape.index(1)
    for name in ("add", "multiply", "logical_or"):
        got = getattr(cupric, name).accumulate(y, axis)
        same(got, getattr(np, name).accumulate(x, axis), bytes_too=False)
    same(y[:1].repeat(3, axis).astype("l"), x[:1].repeat(3, axis).astype("l"))
    spread = np.broadcast_to(x[:1, :1], (3, 50)).astype("l")
    same(cupric.broadcast_to(y[:1, :1], (3, 50)).astype("l"), spread)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_statistics(layout, shape):
    x, y = pair(shape, layout)
    names = "sum prod any all max min argmax argmin count_nonzero mean std cumsum"
    for name in [*names.split(), "nansum", "nanmax", "nanargmax", "ptp"]:
        for axis in (None, 0, -1):
            got = outcome(getattr(cupric, name), y, axis=axis)
            same(got, outcome(getattr(np, name), x, axis=axis))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_casts_masks_and_choices(layout, shape):
    x, y = pair(shape, layout)
    a = np.arange(x.size).reshape(x.shape)
    b = cupric.array(a)
    for t in "bBhHiIlLefdFD":
        same(y.astype(t), x.astype(t))
    same(cupric.nonzero(y), np.nonzero(x))
    same(cupric.where(y, b, 7), np.where(x, a, 7))
    same(b[y], a[x])
    same(cupric.add(b, 1, where=y, out=b.copy()), np.add(a, 1, where=x, out=a.copy()))
    same(b.sum(where=y), a.sum(where=x))
    same(cupric.sort(y), np.sort(x), bytes_too=False)
    same(cupric.argsort(y), np.argsort(x, kind="stable"))
    same(cupric.unique(y), np.unique(x), bytes_too=False)
    b[y] = -1
    a[x] = -1
    same(b, a)
    assert y.tolist() == x.tolist()


def test_products():
    x, y = pair((37, 41))
    n = np.arange(37 * 41).reshape(37, 41)
    m = cupric.array(n)
    same(y @ y.T, x @ x.T)
    same(y @ m.T, x @ n.T)
    same(cupric.dot(y[0], y[1]), np.dot(x[0], x[1]))
    same(cupric.vdot(y[0], y[1]), np.vdot(x[0], x[1]))
    same(cupric.convolve(y[0], y[1, :9]), np.convolve(x[0], x[1, :9]))
    found = cupric.searchsorted(cupric.array([False, True]), y[0], "right")
    same(found, np.searchsorted([False, True], x[0], "right"))


def test_kernels_of_users():
    x, y = pair((1000,))
    n = cupric.arange(1000)
    double = cupric.ElementwiseKernel("bool x", "int32 z", "z = x + (x == true)", "k")
    same(double(y), x.astype("i") * 2)
    same(double(y[::-2]), x[::-2].astype("i") * 2)
    choose = cupric.ElementwiseKernel("T x, S y", "S z", "z = x ? y : 0", "c")
    same(choose(y, n), np.where(x, n.get(), 0))
    count = cupric.ReductionKernel("bool x", "int32 z", "x", "a + b", "z = a", "0", "r")
    same(count(y), np.int32(x.sum()))


WRITES = {
    "put": lambda m, v: m.put(v, [1], False),
    "put wrapped": lambda m, v: m.put(v, [v.size + 2], False, mode="wrap"),
    "place": lambda m, v: m.place(v, places(m, v) == 1, m.array([False])),
    "putmask": lambda m, v: m.putmask(v, places(m, v) == 1, m.array([False])),
    "fill_diagonal": lambda m, v: m.fill_diagonal(v, False),
    "at": lambda m, v: m.logical_and.at(v, [1], False),
    "maximum.at": lambda m, v: m.maximum.at(v, [0, 1, 2], False),
    "add.at": lambda m, v: m.add.at(v, [0, 1, 1], True),
    "flat": lambda m, v: v.flat.__setitem__([1, 2], False),
    "index": lambda m, v: v.__setitem__([1], False),
    "mask": lambda m, v: v.__setitem__(places(m, v) == 1, False),
    "copy": lambda m, v: v.__setitem__(slice(0, 1), v[1:2]),
    "column": lambda m, v: v.__setitem__((slice(None), 0), v[:, 1]),
    "copyto": lambda m, v: m.copyto(v, v.copy(), where=places(m, v) > 1),
}


def places(m, v):
    return m.arange(v.size).reshape(v.shape)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("write", WRITES)
def test_bytes_beside_what_is_written_stay(write, layout):
    """And those that are moved arrive as they are."""
    raw = np.arange(2, 26, dtype="B").reshape(4, 6)
    given = cupric.array(raw)
    for m, a in ((np, raw), (cupric, given)):
        WRITES[write](m, LAYOUTS[layout](a.view("?")))
    np.testing.assert_array_equal(given.get(), raw)
