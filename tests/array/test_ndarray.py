"""The ndarray type: attributes, conversion, copying, pickling, subclasses."""

import collections.abc
import copy
import gc
import json
import pickle
import tracemalloc
import weakref
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cupric as cp

DTYPES = ["?", "b", "B", "h", "H", "i", "I", "l", "L", "e", "f", "d", "F", "D"]


def test_attributes():
    a = np.zeros((2, 3, 4), "f")
    x = cp.asarray(a)
    for name in ("shape", "strides", "dtype", "ndim", "size", "itemsize", "nbytes"):
        assert getattr(x, name) == getattr(a, name), name
    assert x.T.shape == (4, 3, 2)
    assert x.mT.shape == (2, 4, 3)
    assert x.device == cp.cuda.Device(0)
    assert x.data.ptr != 0
    assert x.base is None
    assert x[0].base is x
    assert x[0][0].base is x
    assert len(x) == 2
    assert x.__array_priority__ == 100


def test_flags():
    x = cp.zeros((2, 3))
    assert x.flags.c_contiguous
    assert not x.flags.f_contiguous
    assert x.flags.owndata
    assert x.T.flags.f_contiguous
    assert not x.T.flags.owndata
    assert x.flags["C_CONTIGUOUS"]
    assert x.flags.forc
    assert not x.flags.fnc
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        x.fill(1)
    x.flags["WRITEABLE"] = True
    x[0] = 1
    assert "C_CONTIGUOUS : True" in repr(x.flags)
    with pytest.raises(KeyError):
        x.flags["NOPE"]


@pytest.mark.parametrize(
    "shape", [(), (0,), (3,), (1, 3), (3, 1), (2, 0, 3), (1, 1, 1)]
)
def test_contiguity_of_special_shapes(shape):
    a = np.zeros(shape)
    x = cp.zeros(shape)
    for name in ("c_contiguous", "f_contiguous"):
        assert getattr(x.flags, name) == getattr(a.flags, name)


@given(
    dtype=st.sampled_from(DTYPES),
    shape=st.lists(st.integers(0, 4), max_size=4).map(tuple),
    order=st.sampled_from("CFAK"),
)
def test_round_trip(dtype, shape, order):
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    for view in (a, a.T, a[::-1] if a.ndim else a):
        x = cp.array(view, order=order)
        assert x.dtype == a.dtype
        np.testing.assert_array_equal(x.get(), view)
        np.testing.assert_array_equal(cp.asnumpy(x, order="F"), view)
        assert x.tolist() == view.tolist()
        assert x.tobytes() == view.tobytes()
        here = cp.asnumpy(x, order="A")  # as it lies
        for way in "CFA":
            assert x.tobytes(way) == here.tobytes(way)
    d = cp.array(a)
    for view, same in ((a.T, d.T), (a[::-1], d[::-1])) if a.ndim else ():
        assert same.tobytes() == view.tobytes()
        assert same.tobytes("F") == view.tobytes("F")


def test_get_into_out():
    x = cp.arange(6.0).reshape(2, 3)
    for out in (
        np.empty((2, 3)),
        np.empty((2, 3), order="F"),
        np.empty((4, 6))[::2, ::2],
    ):
        assert x.get(out=out) is out
        np.testing.assert_array_equal(out, x.get())
    with pytest.raises(ValueError, match="Shape mismatch"):
        x.get(out=np.empty((3, 2)))
    with pytest.raises(TypeError):
        x.get(out=np.empty((2, 3), "f"))
    with pytest.raises(TypeError):
        x.get(out=[1])


def test_set():
    x = cp.zeros((2, 3))
    a = np.arange(6.0).reshape(2, 3)
    x.set(a)
    np.testing.assert_array_equal(x.get(), a)
    x.T.set(a.T * 2)
    np.testing.assert_array_equal(x.get(), a * 2)
    with pytest.raises(ValueError, match="Shape mismatch"):
        x.set(a.T)
    with pytest.raises(TypeError):
        x.set(a.astype("f"))
    with pytest.raises(TypeError):
        x.set([1, 2])


def test_item():
    x = cp.arange(6).reshape(2, 3)
    assert x.item(4) == 4
    assert isinstance(x.item(4), int)
    assert x.item(1, 2) == 5
    assert x.item((0, -1)) == 2
    assert x.item(-1) == 5
    assert cp.asarray(2.5).item() == 2.5
    with pytest.raises(ValueError, match="size 1"):
        x.item()
    with pytest.raises(IndexError):
        x.item(6)
    with pytest.raises(IndexError):
        x.item(0, 3)


@pytest.mark.parametrize("dtype", DTYPES)
def test_items_are_pythons_numbers(dtype):
    info = np.iinfo(dtype) if dtype in "bBhHiIlL" else None
    values = [0, 1, *((info.min, info.max) if info else (np.inf, -0.0))]
    if dtype in "FD":
        values += [complex(1, -0.0), complex(-np.inf, 2.5)]
    a = np.array(values, dtype)
    x = cp.array(a)
    for i, expected in enumerate(a):
        for item in (x.item(i), x[i : i + 1].item(), x[i].item()):
            assert type(item) is type(expected.item())
            assert repr(item) == repr(expected.item())


def test_python_scalars():
    x = cp.asarray([[3]])
    assert int(x) == 3
    assert float(x) == 3.0
    assert complex(x) == 3
    assert bool(x)
    assert [10, 11, 12, 13][cp.asarray(2)] == 12
    with pytest.raises(TypeError, match="scalar index"):
        [1, 2][x]
    with pytest.raises(TypeError):
        float(cp.arange(2))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(cp.arange(2))
    with pytest.warns(DeprecationWarning, match="empty array is ambiguous"):
        assert not cp.arange(0)
    with pytest.raises(TypeError, match="unsized"):
        len(cp.asarray(1))
    with pytest.raises(TypeError, match="0-d"):
        iter(cp.asarray(1))
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)
    assert 3 in x
    assert 4 not in x
    assert f"{cp.asarray(2.5):.2f}" == "2.50"


def test_no_implicit_conversion():
    message = "Implicit conversion to a NumPy array is not allowed"
    for convert in (np.asarray, np.array, lambda x: np.zeros(3).__iadd__(x)):
        with pytest.raises(TypeError, match=f"{message}|Unsupported"):
            convert(cp.arange(3))


def test_astype():
    a = np.array([[1.5, -2.5], [300.0, 0.0]])
    x = cp.asarray(a)
    for dtype in DTYPES:
        with np.errstate(all="ignore"):
            expected = a.astype(dtype)
        if np.dtype(dtype).kind in "iu" and np.dtype(dtype).itemsize < 4:
            expected = a.astype("l").astype(dtype)
        if np.dtype(dtype).kind == "u":
            expected = a.astype("l").astype(dtype)
        np.testing.assert_array_equal(x.astype(dtype).get(), expected)
    assert x.astype("d", copy=False) is x
    assert x.astype("d") is not x
    assert x.astype("d", order="F").flags.f_contiguous
    assert x.T.astype("f").flags.f_contiguous
    with pytest.raises(TypeError, match="according to the rule 'safe'"):
        x.astype("i", casting="safe")
    with pytest.warns(np.exceptions.ComplexWarning):
        x.astype("D").astype("d")
    with pytest.raises(TypeError, match="not supported"):
        x.astype("S3")


def test_views_and_copies():
    x = cp.arange(6)
    y = x.view("h")
    assert y.shape == (24,)
    assert y.base is x
    with pytest.raises(ValueError):
        cp.arange(3, dtype="b").view("h")
    z = x.copy()
    z[0] = 9
    assert int(x[0]) == 0
    assert x.ravel().base is x
    assert x.flatten().base is None
    assert copy.copy(x) is not x
    w = copy.deepcopy(x[::2])
    w[0] = 5
    assert int(x[0]) == 0
    f = cp.ones((2, 3), order="F")
    assert f.copy(order="K").flags.f_contiguous
    assert f.copy().flags.c_contiguous
    assert f.ravel(order="K").base is f


def test_reshape():
    a = np.arange(24).reshape(2, 3, 4)
    x = cp.asarray(a)
    for shape in [(24,), (-1,), (4, -1), (2, 2, 6), (1, 24, 1)]:
        for order in "CFA":
            for u, v in ((a, x), (a.T, x.T), (a[::-1], x[::-1])):
                np.testing.assert_array_equal(
                    v.reshape(shape, order=order).get(), u.reshape(shape, order=order)
                )
    assert x.reshape(6, 4).base is x
    assert x.T.reshape(24).base is None
    x.shape = (6, 4)
    assert x.shape == (6, 4)
    with pytest.raises(AttributeError, match="in-place"):
        x.T.shape = (24,)
    with pytest.raises(
        ValueError, match=r"cannot reshape array of size 24 into shape \(5"
    ):
        x.reshape(5, 5)
    with pytest.raises(ValueError, match="one unknown"):
        x.reshape(-1, -1)
    with pytest.raises(ValueError, match="avoid creating a copy"):
        x.T.reshape(24, copy=False)
    assert x.reshape(24, copy=True).base is None


class SetsShape:
    """An index that sets an array's shape when it is read."""

    def __init__(self, x, shape, value):
        self.x, self.shape, self.value = x, shape, value

    def __index__(self):
        self.x.shape = self.shape
        return self.value


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x, i: x.swapaxes(i, 1), (2, 4, 3)),
        (lambda x, i: x.transpose(i, 1, 0), (4, 3, 2)),
        (lambda x, i: x.sum(i), (2, 3)),
        (lambda x, i: cp.sort(x, i), (2, 3, 4)),
        (lambda x, i: x.diagonal(0, i, 0), (3, 2)),
        (lambda x, i: cp.partition(x, 0, i), (2, 3, 4)),
    ],
)
def test_a_call_keeps_the_shape_that_it_began_with(call, expected):
    x = cp.arange(24.0).reshape(2, 3, 4).copy()
    assert call(x, SetsShape(x, (24,), 2)).shape == expected
    assert x.shape == (24,)


def test_shapes_that_come_again_take_no_memory():
    x = cp.ones(24)
    shapes = [(24,), (2, 12), (4, 6), (24, 1)]

    def go_round(n):
        for _ in range(n):
            for shape in shapes:
                x.shape = shape
                x.flags.writeable = not x.flags.writeable

    go_round(2)
    tracemalloc.start()
    try:
        go_round(500)
        assert tracemalloc.get_traced_memory()[0] < 1000
    finally:
        tracemalloc.stop()
    x.shape = (2, 12)
    x.flags.writeable = False
    x.shape = (24,)
    assert not x.flags.writeable
    assert x.flags.owndata


def test_an_array_is_no_collection():
    """By which programs tell arrays from containers; `in` works all the same."""
    x = cp.arange(4)
    assert isinstance(x, collections.abc.Iterable)
    assert isinstance(x, collections.abc.Sized)
    assert not isinstance(x, collections.abc.Collection)
    assert not isinstance(x, collections.abc.Container)
    assert not hasattr(x, "__contains__")
    for array in (x, x.reshape(2, 2), x.view(type=type("Sub", (cp.ndarray,), {}))):
        assert 3 in array
        assert 4 not in array


def test_transpose_and_axes():
    a = np.arange(24).reshape(2, 3, 4)
    x = cp.asarray(a)
    np.testing.assert_array_equal(x.transpose(1, 2, 0).get(), a.transpose(1, 2, 0))
    np.testing.assert_array_equal(x.transpose((0, -1, 1)).get(), a.transpose(0, 2, 1))
    np.testing.assert_array_equal(x.swapaxes(0, -1).get(), a.swapaxes(0, -1))
    np.testing.assert_array_equal(x.diagonal(1, 1, 2).get(), a.diagonal(1, 1, 2))
    assert x[None].squeeze(0).shape == (2, 3, 4)
    with pytest.raises(ValueError, match="axes don't match"):
        x.transpose(0, 1)
    with pytest.raises(ValueError, match="repeated axis"):
        x.transpose(0, 0, 1)
    with pytest.raises(np.exceptions.AxisError, match="axis 3 is out of bounds"):
        x.swapaxes(0, 3)
    with pytest.raises(ValueError, match="not equal to one"):
        x.squeeze(0)


def test_real_and_imaginary_parts():
    a = np.array([1 + 2j, 3 - 4j])
    x = cp.asarray(a)
    np.testing.assert_array_equal(x.real.get(), a.real)
    np.testing.assert_array_equal(x.imag.get(), a.imag)
    x.imag = 7
    x.real[0] = 5
    np.testing.assert_array_equal(x.get(), [5 + 7j, 3 + 7j])
    np.testing.assert_array_equal(x.conj().get(), x.get().conj())
    y = cp.arange(3.0)
    assert y.real is y
    assert not y.imag.flags.writeable
    with pytest.raises(TypeError):
        y.imag = 1


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol):
    for x in (cp.arange(6.0).reshape(2, 3), cp.ones((2, 3), order="F"), cp.asarray(3)):
        y = pickle.loads(pickle.dumps(x, protocol))
        assert type(y) is cp.ndarray
        assert y.flags.f_contiguous == x.flags.f_contiguous
        np.testing.assert_array_equal(y.get(), x.get())
    assert pickle.loads(cp.arange(3).dumps()).tolist() == [0, 1, 2]


class Labelled(cp.ndarray):
    """A subclass with state."""

    def __new__(cls, data, label=None):
        self = cp.asarray(data).view(cls)
        self.label = label
        return self

    def __array_finalize__(self, parent):
        self.label = getattr(parent, "label", None)


def test_subclass():
    x = Labelled([1.0, 2.0, 3.0], "run 1")
    assert isinstance(x, cp.ndarray)
    for derived in (x[1:], x + 1, x.T, x.copy(), x.astype("f"), x.reshape(3, 1), -x):
        assert type(derived) is Labelled
        assert derived.label == "run 1"
    assert type(cp.array(x)) is cp.ndarray
    assert type(cp.array(x, subok=True)) is Labelled
    y = pickle.loads(pickle.dumps(x))
    assert type(y) is Labelled
    assert y.label == "run 1"
    assert type(x.view(cp.ndarray)) is cp.ndarray


def test_lifetime():
    pool = cp.get_default_memory_pool()
    gc.collect()
    before = pool.used_bytes()
    x = cp.zeros(1000)
    seen = weakref.ref(x)
    y = x[10:]
    del x
    assert seen() is not None  # the view holds its base
    del y
    gc.collect()
    assert seen() is None
    assert pool.used_bytes() == before


def test_constructor():
    x = cp.ndarray((2, 3), "f", order="F")
    assert x.strides == (4, 8)
    owner = cp.arange(10.0)
    view = cp.ndarray((3,), "d", memptr=owner.data, strides=(16,))
    np.testing.assert_array_equal(view.get(), [0, 2, 4])
    del owner
    gc.collect()
    np.testing.assert_array_equal(view.get(), [0, 2, 4])
    with pytest.raises(TypeError):
        cp.ndarray((2,), "S4")


@pytest.mark.parametrize(
    ("shape", "strides"),
    [
        ((3,), (8,)),
        ((3, 2), (16, 64)),
        ((4,), (-24,)),
        ((2, 3), (-8, 16)),
        ((5,), (0,)),
    ],
)
def test_strides_without_memory(shape, strides):
    x = cp.ndarray(shape, "d", strides=strides)
    assert (x.shape, x.strides) == (shape, strides)
    x[...] = 3
    assert x.tolist() == np.full(shape, 3.0).tolist()
    if 0 not in strides:
        x[...] = cp.arange(float(x.size)).reshape(shape)
        assert x.ravel().tolist() == list(range(x.size))


def test_strides_without_memory_too_far():
    for strides in [(1 << 62,), (-(1 << 62),), (-(1 << 63),)]:
        with pytest.raises(ValueError, match="too big"):
            cp.ndarray((4,), "d", strides=strides)
    assert cp.ndarray((0, 4), "d", strides=(1 << 62, 8)).shape == (0, 4)


def test_bytes():
    n = np.arange(6, dtype="i2").reshape(2, 3)
    for a in (n, n.T, n[:, ::-1], n[:0]):
        assert bytes(cp.array(n)[...]) == n.tobytes()
        assert bytes(cp.array(a)) == bytes(a)
    assert bytes(cp.array(3, "i2")) == b"\3\0"  # NumPy's are as many zeros


def test_round():
    for n in (np.array([1.26, 2.5, -3.5]), np.array([126, 250, -35]), np.ones(1, "f")):
        c = cp.array(n)
        for i in range(n.size):
            for digits in (1, -1, 0):
                assert round(c[i], digits).item() == round(n[i], digits)
            assert round(c[i]) == round(n[i])
            assert type(round(c[i])) is int
    with pytest.raises(TypeError, match="__round__"):
        round(cp.ones(3), 1)


@pytest.mark.parametrize(
    "shape", [(2**40, 2**40), (2**62,), (2**63 - 1,), (2**31, 2**31, 4)]
)
def test_sizes_beyond_memory(shape):
    with pytest.raises((ValueError, MemoryError)):
        cp.empty(shape)


def test_bad_shapes_and_dtypes():
    with pytest.raises(ValueError, match="negative dimensions"):
        cp.empty((-1,))
    with pytest.raises(ValueError, match="maximum supported dimension"):
        cp.empty((1,) * 65)
    with pytest.raises(TypeError):
        cp.empty("abc")
    with pytest.raises(TypeError):
        cp.empty(2.5)
    for dtype in ("U3", object, [("x", object)], "V0", "g"):
        with pytest.raises((TypeError, ValueError)):
            cp.empty(3, dtype)
    assert cp.empty((1,) * 64).ndim == 64


def test_every_documented_member_is_there():
    """Names of CuPy's ndarray, but for those that describe a CUDA kernel argument."""
    listed = Path(__file__).parent / "ndarray_members.json"
    names = json.loads(listed.read_text())
    x = cp.zeros((2, 2))
    missing = [n for n in names if not hasattr(x, n)]
    assert missing == []


def test_compress_takes_the_condition():
    a = np.arange(12).reshape(3, 4)
    x, keep = cp.asarray(a), [True, False, True]
    assert (x.compress(keep, axis=0).get() == a.compress(keep, axis=0)).all()
    assert (x.compress(keep).get() == a.compress(keep)).all()


def test_complex_is_not_cut_to_real():
    x = cp.array(1 + 2j)
    for to in (int, float):
        with pytest.raises(TypeError, match=f"complex array to {to.__name__}"):
            to(x)
    assert complex(x) == 1 + 2j


def test_format():
    assert f"{cp.array(2.5):.2f}" == "2.50"
    assert f"{cp.arange(2)}" == "[0 1]"
    with pytest.raises(TypeError, match="the array has 1 dimensions"):
        f"{cp.arange(2):.2f}"


@pytest.mark.parametrize(
    ("shape", "strides"),
    [(4, None), (2, (-8,)), (2, (24,)), (2, (2**62,)), ((2, 2), (16, 8))],
)
def test_array_over_memory_stays_inside(shape, strides):
    memory = cp.arange(3.0).data
    with pytest.raises(ValueError, match="does not fit in the 24 bytes"):
        cp.ndarray(shape, "d", memory, strides)


def test_array_over_memory():
    memory = cp.arange(3.0).data
    assert cp.ndarray(2, "d", memory + 16, (-8,)).tolist() == [2, 1]
    assert cp.ndarray((2, 2), "d", memory, (8, 8)).tolist() == [[0, 1], [1, 2]]
    assert cp.ndarray((0, 2**40), "d", memory).size == 0
    with pytest.raises(ValueError, match="negative dimensions"):
        cp.ndarray(-2, "d", memory, (8,))


class Foreign:
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return method


def test_other_classes_get_their_turn():
    assert np.add(cp.ones(2), Foreign()) == "__call__"
    assert np.add(cp.ones(2), 1, out=(Foreign(),)) == "__call__"
    assert np.add.outer(cp.ones(2), Foreign()) == "outer"


@pytest.mark.parametrize(
    ("nbytes", "dtype", "fits"),
    [
        (1, "h", False),
        (2, "i", False),
        (4, "d", False),
        (8, "D", False),
        (16, "D", True),
    ],
)
def test_a_view_of_numbers_that_a_gpu_cannot_read_is_refused(nbytes, dtype, fits):
    x = cp.arange(64, dtype="B")[nbytes : nbytes + 48]
    if fits:
        assert x.view(dtype).get().tobytes() == x.get().tobytes()
        return
    with pytest.raises(TypeError, match=r"x\.copy\(\)\.view"):
        x.view(dtype)
    assert x.copy().view(dtype).get().tobytes() == x.get().tobytes()
    memory = cp.zeros(64, "B").data
    with pytest.raises(TypeError, match="multiples"):
        cp.ndarray((2,), dtype, memory + nbytes)


def test_a_view_of_rows_that_are_not_aligned_is_refused():
    x = cp.zeros((4, 6), "B")[:, :4]
    with pytest.raises(TypeError, match="multiples"):
        x.view("i")
    assert x[:1].view("i").shape == (1, 1)
    with pytest.raises(TypeError, match="multiples"):
        cp.ndarray((2,), "F", strides=(12,))


def test_iteration():
    a = np.arange(12.0).reshape(3, 4)
    x = cp.array(a)
    for rows_of, expected in ((x, a), (x.T[::-1], a.T[::-1]), (x[:0], a[:0])):
        rows = list(rows_of)
        assert len(rows) == len(expected)
        for row, other in zip(rows, expected, strict=True):
            np.testing.assert_array_equal(row.get(), other)
    first, second, third = x
    third[0] = 7
    assert x[2, 0] == 7  # rows are views
    it = iter(x)
    assert it.__length_hint__() == 3
    assert iter(it) is it
    next(it)
    x.shape = (2, 6)
    assert [r.tolist() for r in it] == [x[1].tolist()]
    assert list(it) == []
    assert it.__length_hint__() == 0
    with pytest.raises(TypeError, match="0-d"):
        iter(cp.array(3))
