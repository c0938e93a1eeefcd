"""Structures in the order of their fields, beside NumPy's."""

import numpy as np
import pytest

import cupric as cp

DTYPES = [
    "i4,f8",
    "i1,f8,V2",
    [("a", "u1"), ("b", "(2,)i2"), ("c", [("d", "f4"), ("e", "F")])],
    [("a", "m8[s]"), ("b", "?")],
]


def drawn(dtype, shape, seed=0):
    """Structures of few different values, with NaN and NaT among them."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(seed)
    a = np.zeros(shape, dtype)
    fill(a, rng)
    return a


def fill(a, rng):
    for name in a.dtype.names:
        part = a[name]
        if part.dtype.names is not None:
            fill(part, rng)
        elif part.dtype.kind == "V":
            raw = rng.integers(0, 3, (*part.shape, part.itemsize), np.uint8)
            a[name] = raw.view(part.dtype)[..., 0]
        else:
            values = rng.integers(0, 3, part.shape).astype(part.dtype)
            if part.dtype.kind in "fc":
                values[rng.random(part.shape) < 0.2] = np.nan
            if part.dtype.kind == "m":
                values[rng.random(part.shape) < 0.2] = "NaT"
                values -= part.dtype.type(1)
            a[name] = values


def same(got, expected):
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    assert got.get().tobytes() == np.ascontiguousarray(expected).tobytes()


@pytest.mark.parametrize("axis", [-1, 0, None])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_sorts(dtype, axis):
    a = drawn(dtype, (20, 30))
    x = cp.array(a)
    names = a.dtype.names
    for order in (None, names[-1], [names[1]], list(names[::-1])):
        places = np.argsort(a, axis, "stable", order)
        same(cp.argsort(x, axis, order=order), places)
        flat = a.ravel() if axis is None else a
        along = 0 if axis is None else axis
        same(cp.sort(x, axis, order=order), np.take_along_axis(flat, places, along))
        same(cp.partition(x, 3, axis, order=order), cp.sort(x, axis, order=order).get())
        same(cp.argpartition(x, 3, axis, order=order), places)
        if axis is not None:
            made = x.copy()
            made.sort(axis, order=order)
            same(made, np.take_along_axis(a, places, axis))
            same(x.argsort(axis, order=order), places)
            made = x.copy()
            made.partition([1, 2], axis, order=order)
            same(made, np.take_along_axis(a, places, axis))


def test_views_and_descending():
    a = drawn("i4,f8", (6, 7))
    x = cp.array(a)
    same(cp.sort(x.T[::2], 0, order="f1"), np.sort(a.T[::2], 0, "stable", "f1"))
    downwards = cp.sort(x, order="f0", descending=True)
    assert (downwards["f0"].get() == np.sort(a["f0"])[:, ::-1]).all()
    one = cp.array(a[0, 0])
    same(cp.sort(one, axis=None), a[0, 0].reshape(1))
    same(cp.sort(x[:0]), a[:0])


@pytest.mark.parametrize(
    ("dtype", "order"),
    [
        ("i4", "a"),
        ("V4", "a"),
        ("i4,i4", "a"),
        ("i4,i4", ["f0", "f0"]),
        ("i4,i4", 5),
    ],
)
def test_orders_that_are_refused(dtype, order):
    for xp in (np, cp):
        x = xp.zeros(3, dtype)
        for call in (
            lambda: xp.sort(x, order=order),  # noqa: B023
            lambda: xp.argsort(x, order=order),  # noqa: B023
            lambda: x.sort(order=order),  # noqa: B023
            lambda: xp.partition(x, 1, order=order),  # noqa: B023
        ):
            with pytest.raises(ValueError, match="order|field"):
                call()


def test_plain_bytes_and_times_have_no_order():
    for dtype in ("V4", "m8[s]"):
        with pytest.raises(TypeError, match="does not take dtype"):
            cp.sort(cp.zeros(3, dtype))


def test_read_only():
    x = cp.zeros(3, "i4,i4")
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x.sort(order="f1")


@pytest.mark.parametrize("kth", [[0, 2], [3], [-1, 1]])
def test_places_of_a_partition_on_the_device(kth):
    a = np.array([3, 1, 2, 0])
    same(cp.partition(cp.array(a), cp.array(kth)), np.sort(a))
    x = cp.array(a)
    x.partition(cp.array(kth))
    assert sorted(x.tolist()) == [0, 1, 2, 3]
    for k in kth:
        assert int(x[k]) == sorted(a)[k]
        assert int(x[cp.argpartition(x, cp.array(kth))[k]]) == sorted(a)[k]
    with pytest.raises(ValueError, match="out of bounds"):
        cp.partition(x, cp.array([4, 0]))
    with pytest.raises(TypeError, match="integer"):
        cp.partition(x, cp.array([1.0, 2.0]))
