"""a[key] and a[key] = value against NumPy, for any key that NumPy takes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric as cp

DTYPES = ["?", "i1", "u2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"]
shapes = st.lists(st.integers(0, 4), max_size=4).map(tuple)


@st.composite
def arrays(draw, writeable=False):
    """A NumPy array and its twin on the device, of the same layout."""
    shape = draw(shapes)
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    layout = draw(
        st.sampled_from(["C", "T", "step", "back"] + ["stretch"] * (not writeable))
    )
    if layout == "stretch" and shape:
        shape = (*shape[:-1], 1)
    n = (
        int(np.prod(shape)) * 3 ** len(shape)
        if layout == "step"
        else int(np.prod(shape))
    )
    flat = (np.arange(n) * 7 % 11).astype(dtype)
    device = cp.array(flat)
    if layout == "step":
        big = tuple(3 * k for k in shape)
        cut = (..., *(slice(1, None, 3) for _ in shape))
        pair = [a.reshape(big)[cut] for a in (flat, device)]
    elif layout == "T":
        pair = [a.reshape(shape).T for a in (flat, device)]
    elif layout == "back":
        cut = (..., *(slice(None, None, -1) for _ in shape))
        pair = [a.reshape(shape)[cut] for a in (flat, device)]
    elif layout == "stretch" and shape:
        to = (*shape[:-1], 3)
        pair = [
            np.broadcast_to(flat.reshape(shape), to),
            cp.broadcast_to(device.reshape(shape), to),
        ]
    else:
        pair = [a.reshape(shape) for a in (flat, device)]
    return pair


def slices(n):
    bound = st.none() | st.integers(-n - 2, n + 2)
    step = st.none() | st.sampled_from([1, 2, 3, -1, -2, -3])
    return st.builds(slice, bound, bound, step)


@st.composite
def keys(draw, shape, advanced=True):
    """A key for an array of this shape, nearly always a valid one."""
    common = draw(st.lists(st.integers(0, 3), max_size=2).map(tuple))
    items, axis = [], 0
    kinds = ["int", "slice", "slice", "none"] + ["index", "mask"] * advanced
    while axis < len(shape):
        kind = draw(st.sampled_from(kinds))
        n = shape[axis]
        if kind == "none":
            if len(items) < 7:
                items.append(None)
            continue
        if kind == "int":
            items.append(
                draw(
                    st.integers(-n - (n == 0), n) if n == 0 else st.integers(-n, n - 1)
                )
            )
        elif kind == "slice":
            items.append(draw(slices(n)))
        elif kind == "index":
            cut = draw(st.integers(0, len(common)))
            part = tuple(draw(st.sampled_from([k, 1])) for k in common[cut:])
            if n == 0:
                part = (0,)
            size = int(np.prod(part))
            picked = (
                draw(st.lists(st.integers(-n, n - 1), min_size=size, max_size=size))
                if size
                else []
            )
            dtype = draw(st.sampled_from(["i8", "i4", "i1"]))
            items.append(np.array(picked, dtype).reshape(part))
        else:
            span = draw(st.integers(1, min(2, len(shape) - axis)))
            part = shape[axis : axis + span]
            size = int(np.prod(part))
            bits = draw(st.lists(st.booleans(), min_size=size, max_size=size))
            items.append(np.array(bits, bool).reshape(part))
            axis += span - 1
        axis += 1
        if draw(st.integers(0, 5)) == 0:
            break
    if draw(st.booleans()):
        # An Ellipsis stands for nothing here, or for the axes that are left.
        items.append(...)
    if advanced and draw(st.integers(0, 9)) == 0:
        items.insert(draw(st.integers(0, len(items))), draw(st.booleans()))
    if len(items) == 1 and draw(st.booleans()):
        return items[0]
    return tuple(items)


def on_device(key, draw=None):
    """The same key with its arrays on the device."""
    if isinstance(key, tuple):
        return tuple(on_device(k) for k in key)
    return cp.array(key) if isinstance(key, np.ndarray) else key


def outcome(f):
    try:
        return f()
    except Exception as error:
        return error


def same_error(want, got):
    assert type(got) is type(want), (want, got)
    assert str(got) == str(want)


def check_get(a, d, key, device_key):
    want, got = outcome(lambda: a[key]), outcome(lambda: d[device_key])
    if isinstance(want, Exception):
        # Two messages may be due at once; NumPy looks at broadcasting last.
        assert type(got) is type(want), (want, got)
        return
    assert not isinstance(got, Exception), got
    assert got.shape == np.shape(want)
    assert got.dtype == a.dtype
    np.testing.assert_array_equal(got.get(), want)


@given(st.data())
def test_get_basic(data):
    a, d = data.draw(arrays())
    key = data.draw(keys(a.shape, advanced=False))
    check_get(a, d, key, key)
    want, got = outcome(lambda: a[key]), outcome(lambda: d[key])
    if isinstance(want, np.ndarray) and want.size:
        assert got.strides == want.strides or got.size <= 1
        assert got.base is not None


@given(st.data())
def test_get_advanced(data):
    a, d = data.draw(arrays())
    key = data.draw(keys(a.shape))
    check_get(a, d, key, key)
    check_get(a, d, key, on_device(key))


def draw_value(data, shape, dtype):
    """Something that broadcasts to `shape`: a scalar or an array, of any dtype."""
    kind = data.draw(st.sampled_from(["scalar", "array", "array", "wrong"]))
    if kind == "scalar":
        return data.draw(st.integers(0, 100))
    if kind == "wrong":
        return np.zeros((*shape[:-1], 7), dtype)
    cut = data.draw(st.integers(0, len(shape)))
    part = [data.draw(st.sampled_from([n, n, 1])) for n in shape[cut:]]
    if len(shape) > 1:  # NumPy refuses more axes for one element and for one mask
        part = [1] * data.draw(st.integers(0, 1)) + part
    return (np.arange(int(np.prod(part))) % 50 + 1).astype(dtype).reshape(part)


def check_set(data, advanced):
    a, d = data.draw(arrays(writeable=True))
    key = data.draw(keys(a.shape, advanced))
    shape = outcome(lambda: np.shape(a[key]))
    shape = () if isinstance(shape, Exception) else shape
    dtype = data.draw(st.sampled_from(["i4", "f4", "f8", "?"]))
    value = draw_value(data, shape, dtype)
    device_value = cp.array(value) if isinstance(value, np.ndarray) else value
    before = a.copy()

    def on_host():
        a[key] = value

    def there():
        d[on_device(key)] = device_value

    want, got = outcome(on_host), outcome(there)
    # An array stored in one element is a TypeError there, a ValueError here.
    assert (got is None) == (want is None), (want, got)
    if want is not None:
        np.testing.assert_array_equal(d.get(), before)
    else:
        np.testing.assert_array_equal(d.get(), a)


@given(st.data())
def test_set_basic(data):
    check_set(data, advanced=False)


@given(st.data())
def test_set_advanced(data):
    check_set(data, advanced=True)


GET_ERRORS = [
    9,
    -9,
    (0, 4),
    (0, 0, 0, 0),
    "x",
    1.0,
    [1.0],
    np.array([1.0]),
    (..., ...),
    ([0, 1], [0, 1, 2]),
    np.zeros((3, 3), bool),
    [True, False],
    2**70,
    slice(None, None, 0),
    slice("a"),
    {},
    object(),
    (slice(None), [True, False]),
    np.zeros((3, 4, 5, 1), bool),
]


@pytest.mark.parametrize("key", GET_ERRORS, ids=range(len(GET_ERRORS)))
def test_get_errors(key):
    a = np.zeros((3, 4, 5))
    want = outcome(lambda: a[key])
    assert isinstance(want, Exception)
    same_error(want, outcome(lambda: cp.array(a)[key]))


SET_ERRORS = [
    (0, np.zeros((2, 2))),
    (slice(None), [1, 2]),
    ([0, 1], np.zeros((3, 4, 5))),
    (np.array([True, False, True]), np.zeros((3, 4, 5))),
    ((0, 0, 0), 1j),
    (slice(None), 1j),
]


@pytest.mark.parametrize(("key", "value"), SET_ERRORS, ids=range(len(SET_ERRORS)))
def test_set_errors(key, value):
    a = np.ones((3, 4, 5))
    d = cp.array(a)
    device_value = cp.array(value) if isinstance(value, np.ndarray) else value
    want = outcome(lambda: a.__setitem__(key, value))
    assert isinstance(want, Exception)
    same_error(want, outcome(lambda: d.__setitem__(key, device_value)))
    np.testing.assert_array_equal(d.get(), np.ones((3, 4, 5)))


@pytest.mark.parametrize("value", [300, -1, float("nan"), float("inf"), 2**80])
def test_set_scalar_that_does_not_fit(value):
    a = np.zeros(3, "u1")
    want = outcome(lambda: a.__setitem__(0, value))
    got = outcome(lambda: cp.array(a).__setitem__(0, value))
    assert type(got) is type(want)


def test_mask_count_mismatch():
    a = np.arange(6).reshape(2, 3)
    mask = a > 2
    want = outcome(lambda: a.__setitem__(mask, np.arange(2)))
    d = cp.array(a)
    same_error(want, outcome(lambda: d.__setitem__(cp.array(mask), cp.arange(2))))


def test_read_only():
    d = cp.broadcast_to(cp.arange(3), (2, 3))
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        d[0] = 1
    with pytest.raises(ValueError, match="assignment destination is read-only"):
        d[d > 0] = 1


def test_delete_is_refused():
    with pytest.raises(ValueError, match="cannot delete array elements"):
        del cp.zeros(3)[0]


def test_repeated_indices_last_wins():
    d = cp.zeros(3, int)
    d[cp.array([1, 1, 1])] = cp.array([5, 6, 7])
    assert d.tolist() == [0, 7, 0]


def test_overlap_is_as_if_copied():
    a = np.arange(10)
    d = cp.array(a)
    a[1:], d[1:] = a[:-1].copy(), d[:-1]
    np.testing.assert_array_equal(d.get(), a)
    a[::-1][:5], d[::-1][:5] = a[:5].copy(), d[:5]
    np.testing.assert_array_equal(d.get(), a)
    a[a[:5].copy()], d[d[:5]] = a[5:].copy(), d[5:]
    np.testing.assert_array_equal(d.get(), a)


def test_index_out_of_range_wraps():
    d = cp.arange(5)
    assert d[cp.array([5, 7, -6])].tolist() == [0, 2, 4]
    d[cp.array([6])] = 50
    assert d.tolist() == [0, 50, 2, 3, 4]


def test_index_out_of_range_checked(monkeypatch):
    monkeypatch.setenv("CUPRIC_CHECK", "1")
    d = cp.arange(5)
    with pytest.raises(
        IndexError, match="index 7 is out of bounds for axis 0 with size 5"
    ):
        d[cp.array([0, 7])]
    with pytest.raises(IndexError, match="out of bounds"):
        d[cp.array([0, 7])] = 1
    assert d.tolist() == [0, 1, 2, 3, 4]


def test_index_into_nothing():
    with pytest.raises(
        IndexError, match="index 0 is out of bounds for axis 0 with size 0"
    ):
        cp.zeros(0)[cp.array([0])]


def test_numbers_with_index():
    class Three:
        def __index__(self):
            return 3

    d = cp.arange(5)
    for key in (Three(), np.int8(3), np.uint64(3), np.array(3), cp.array(3)):
        assert int(d[key]) == 3
        assert d[key].shape == ()


def test_iteration_and_membership():
    d = cp.arange(6).reshape(2, 3)
    assert [row.tolist() for row in d] == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(TypeError):
        iter(cp.array(1)).__next__()


def test_mask_in_place():
    a = np.arange(12).reshape(3, 4)
    d = cp.array(a)
    a[a % 3 == 0] += 100
    d[d % 3 == 0] += 100
    np.testing.assert_array_equal(d.get(), a)


def test_large_gather_and_scatter():
    rng = np.random.default_rng(0)
    a = rng.standard_normal((300, 500))
    rows, cols = rng.integers(0, 300, 100000), rng.integers(0, 500, 100000)
    d = cp.array(a)
    np.testing.assert_array_equal(d[rows, cols].get(), a[rows, cols])
    np.testing.assert_array_equal(d[a > 0].get(), a[a > 0])
    values = np.arange(100000.0)
    a[rows, cols] = values
    d[cp.array(rows), cp.array(cols)] = cp.array(values)
    np.testing.assert_array_equal(d.get(), a)


@pytest.mark.parametrize("dtype", ["i1", "f2", "f4", "f8", "c16"])
@pytest.mark.parametrize("spread", [1, 40])
@pytest.mark.parametrize("n", [1000, 5000, 20_000])
def test_the_last_of_repeated_indices_stays(n, spread, dtype):
    """In arrays that are smaller than what is assigned, and much larger."""
    rng = np.random.default_rng(n)
    rows = max(n * spread // 8, 8)
    a = rng.integers(0, 9, (rows, 7)).astype(dtype)
    values = (np.arange(n) % 127).astype(dtype)
    at, across = rng.integers(0, rows // 3, n), rng.integers(0, 3, n)
    for view in (
        lambda x: x,
        lambda x: x[::2],
        lambda x: x[::-1, ::-2],
        lambda x: x[:, 1:].T[::-1].T,
    ):
        x, d = a.copy(), cp.array(a)
        view(x)[at, across] = values
        view(d)[cp.array(at), cp.array(across)] = cp.array(values)
        np.testing.assert_array_equal(d.get(), x)
        view(x)[at] = values[:, None]
        view(d)[cp.array(at)] = cp.array(values)[:, None]
        np.testing.assert_array_equal(d.get(), x)
        x.put(at * 3, values[::-1])
        d.put(cp.array(at * 3), cp.array(values)[::-1])
        np.testing.assert_array_equal(d.get(), x)


def test_subclass_is_kept():
    class Mine(cp.ndarray):
        pass

    d = cp.arange(4).view(type=Mine)
    assert type(d[1:]) is Mine
    assert type(d[[0, 1]]) is Mine


@pytest.mark.usefixtures("no_leak")
def test_nothing_leaks():
    d = cp.arange(12).reshape(3, 4)
    for _ in range(100):
        for key in (0, (0, 1), [0, 1], d > 3, (slice(None), [0, 1]), (None, 1), 7, "x"):
            outcome(lambda key=key: d[key])
            outcome(lambda key=key: d.__setitem__(key, d[0]))
    del key
    d = None


@pytest.mark.parametrize("size", [1, 31, 512, 513, 16384, 16385, 100_003])
@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "f8", "c16"])
def test_masks_of_many_sizes(size, dtype):
    a = (np.arange(size) * 7 % 251).astype(dtype)
    d = cp.array(a)
    for mask in (a > 100, np.arange(size) % 97 == 5, np.ones(size, bool), a > 251):
        m = cp.array(mask)
        np.testing.assert_array_equal(d[m].get(), a[mask])
        np.testing.assert_array_equal(d[1:][m[1:]].get(), a[1:][mask[1:]])
        np.testing.assert_array_equal(d[::-1][m].get(), a[::-1][mask])
        np.testing.assert_array_equal(cp.flatnonzero(m).get(), np.flatnonzero(mask))
        b, e = a.copy(), d.copy()
        values = np.arange(mask.sum()).astype(dtype)
        b[mask], e[m] = values, cp.array(values)
        np.testing.assert_array_equal(e.get(), b)


@pytest.mark.parametrize("shape", [(40, 50), (300, 7, 9), (3, 70, 200)])
def test_masks_of_several_dimensions(shape):
    a = (np.arange(np.prod(shape)) * 7 % 251).reshape(shape).astype("f4")
    d = cp.array(a)
    for x, y in ((a, d), (a.T, d.T), (a[..., ::-2], d[..., ::-2])):
        np.testing.assert_array_equal(y[y > 99].get(), x[x > 99])
        np.testing.assert_array_equal(y[cp.array(x > 99)].get(), x[x > 99])
        np.testing.assert_array_equal(cp.argwhere(y > 99).get(), np.argwhere(x > 99))
        rows = x[:, 0] > 99 if x.ndim == 2 else x[:, 0, 0] > 99
        np.testing.assert_array_equal(y[cp.array(rows)].get(), x[rows])


def test_a_mask_may_hold_any_byte():
    raw = np.arange(1000, dtype="u1") % 5
    mask, a = cp.array(raw).view(bool), np.arange(1000.0)
    np.testing.assert_array_equal(cp.array(a)[mask].get(), a[raw != 0])


def stored_by(m, how, x, v):
    """`x` after the number `v` was stored in it in one of several ways."""
    first = m.array([True, False])
    ways = {
        "item": lambda: x.__setitem__(0, v),
        "everywhere": lambda: x.__setitem__(..., v),
        "fill": lambda: x.fill(v),
        "chosen": lambda: x.__setitem__(m.array([0]), v),
        "masked": lambda: x.__setitem__(first, v),
        "put": lambda: m.put(x, 0, v),
        "putmask": lambda: m.putmask(x, first, v),
        "put_along_axis": lambda: m.put_along_axis(x, m.array([0]), v, 0),
        "insert": lambda: m.insert(x, 0, v),
        "array": lambda: m.array(v, dtype=x.dtype),
        "copyto": lambda: m.copyto(x, v, casting="unsafe"),
    }
    return ways[how]()


WAYS = ["item", "everywhere", "fill", "chosen", "masked", "put", "putmask"]
WAYS += ["put_along_axis", "insert", "array", "copyto"]


@pytest.mark.parametrize("dtype", "bBilQ?d")
@pytest.mark.parametrize("how", WAYS)
@pytest.mark.filterwarnings(
    "ignore::RuntimeWarning", "ignore::numpy.exceptions.ComplexWarning"
)
def test_numbers_that_do_not_fit_are_refused(how, dtype):
    numbers = [300.0, -3.0, -0.75, 2.75, 1e300, -(2.0**63), 2.0**63, 2.0**64, 1j]
    numbers += [np.nan, np.inf, np.float64(-3), np.float32(300), np.float64("nan")]
    numbers += [np.int64(300), np.int8(-3), np.uint64(2**63), np.complex128(2), 300, -3]
    for v in numbers:
        there, here = np.zeros(2, dtype), cp.zeros(2, dtype)
        try:
            stored_by(np, how, there, v)
        except (OverflowError, ValueError, TypeError) as e:
            with pytest.raises(type(e)):
                stored_by(cp, how, here, v)
            assert here.tolist() == [0, 0]  # nothing half-done
            continue
        stored_by(cp, how, here, v)
        defined = np.isfinite(v) and (abs(v) < 2**63 or dtype in "?d")
        assert not defined or here.tolist() == there.tolist(), v


@pytest.mark.parametrize(
    ("shape", "mask"),
    [
        ((5,), (0,)),
        ((0,), (0,)),
        ((2, 3), (0,)),
        ((0, 3), (0,)),
        ((2, 3), (2, 0)),
        ((2, 3), (0, 0)),
        ((2, 0), (2, 0)),
        ((2, 3, 4), (0, 3)),
    ],
)
def test_masks_of_length_zero(shape, mask):
    n, m = np.ones(shape), np.zeros(mask, bool)
    c, d = cp.array(n), cp.array(m)
    assert c[d].shape == n[m].shape
    assert c[m].shape == n[m].shape
    n[m], c[d] = 5, 5
    n[m] = np.ones(n[m].shape)
    c[d] = cp.ones(n[m].shape)
    assert c.tolist() == n.tolist()


@pytest.mark.parametrize(
    ("shape", "mask"), [((0, 3), (2,)), ((2, 3), (3, 0)), ((5,), (4,)), ((5,), (1,))]
)
def test_masks_of_wrong_length(shape, mask):
    for x in (np, cp):
        with pytest.raises(IndexError, match="boolean index did not match"):
            x.ones(shape)[x.zeros(mask, bool)]
        with pytest.raises(IndexError, match="boolean index did not match"):
            x.ones(shape)[x.zeros(mask, bool)] = 1
