"""gather, scatter and ufunc.at, select, arange and searchsorted of the host device."""

import ctypes as c
import sys

import host_plugin as hp
import numpy as np
import pytest
from host_plugin import KNOWN, ROOT
from numpy.lib.stride_tricks import as_strided

sys.path.append(str(ROOT))
from tools import rows

CASES = [  # array, dimensions indexed, shape of the indices
    ((7,), 1, (5,)),
    ((7, 5), 1, (40,)),
    ((7, 5), 2, (3, 4)),
    ((4, 5, 6), 2, (1000,)),
    ((50,), 1, (100000,)),
    ((4, 5, 6), 3, (30, 30, 30)),
]
OPERATIONS = [row["name"] for row in rows.elementwise()]


def access(host, verb, a, indices, values, check=False, op="add", sig=0):
    """`verb` at a[indices], the indices taking a's leading axes."""
    indices = np.broadcast_arrays(*indices)
    n, tail = indices[0].ndim, a.shape[len(indices) :]
    shape = indices[0].shape + tail
    array = as_strided(a, shape, (0,) * n + a.strides[len(indices) :])
    operands = [array, values if verb == "gather" else np.broadcast_to(values, shape)]
    operands += [as_strided(i, shape, i.strides + (0,) * len(tail)) for i in indices]
    it = hp.iteration(operands, shape)
    args = hp.Index(hp.c.pointer(it), len(indices), check=check, sig=sig)
    args.op = OPERATIONS.index(op)
    for k in range(len(indices)):
        args.length[k], args.stride[k], args.axis[k] = a.shape[k], a.strides[k], k
    host.call(verb, args, None)


@pytest.mark.parametrize(("shape", "n", "picked"), CASES)
@pytest.mark.parametrize("dtype", KNOWN, ids=str)
def test_gather_and_scatter(host, dtype, shape, n, picked):
    rng = np.random.default_rng(0)
    a = hp.values(rng, shape, dtype, 0, 100)
    at = [rng.integers(-k, k, picked) for k in shape[:n]]
    out = np.empty(picked + shape[n:], dtype)
    access(host, "gather", a, at, out)
    assert (out == a[tuple(at)]).all()
    values = hp.values(rng, out.shape, dtype, 0, 100)
    expected = a.copy()
    expected[tuple(at)] = values
    access(host, "scatter", a, at, values)
    assert (a == expected).all()


@pytest.mark.parametrize("dtype", [t for t in KNOWN if t.kind in "biufc"], ids=str)
@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
def test_scatter_op_by_its_own_loop(host, name, dtype):
    rng = np.random.default_rng(1)
    a = hp.values(rng, (6, 3), dtype)
    at = rng.integers(-6, 6, 40)
    values = hp.values(rng, (40, 3), dtype, -1, 2)
    expected = a.copy()
    with np.errstate(all="ignore"):
        getattr(np, name).at(expected, at, values)
    access(host, "scatter_op", a, [at], values, op=name, sig=hp.number(dtype))
    assert (a == expected).all()


@pytest.mark.parametrize(
    ("name", "sig"), [("divide", 11), ("power", 11), ("hypot", 3), ("arctan2", 3)]
)
def test_scatter_op_by_the_elementwise_loop(host, name, sig):
    rng = np.random.default_rng(2)
    a = rng.random(6) + 1
    at = rng.integers(-6, 6, 40)
    values = rng.random(40) + 0.5
    expected = a.copy()
    getattr(np, name).at(expected, at, values)
    access(host, "scatter_op", a, [at], values, op=name, sig=sig)
    np.testing.assert_allclose(a, expected, rtol=1e-12)


def test_scatter_op_with_one_input(host):
    a = np.arange(1.0, 7)
    at = np.array([0, 2, 2, 5])
    expected = a.copy()
    np.sqrt.at(expected, at)
    access(host, "scatter_op", a, [at], np.zeros(4), op="sqrt", sig=3)
    assert (a == expected).all()


def test_scatter_op_converts_what_is_stored(host):
    a = np.ones(4, "f")
    access(host, "scatter_op", a, [np.array([1, 1, 3])], np.arange(3), op="add", sig=12)
    assert (a == [1, 2, 1, 3]).all()


def test_the_last_of_repeated_indices_wins(host):
    a = np.zeros(3)
    at = np.zeros(1000, "l")
    access(host, "scatter", a, [at], np.arange(1000.0))
    assert (a == [999, 0, 0]).all()


def test_indices_out_of_range_wrap(host):
    out = np.empty(4)
    access(host, "gather", np.arange(5.0), [np.array([5, 7, -6, -5])], out)
    assert (out == [0, 2, 4, 0]).all()


@pytest.mark.parametrize("verb", ["gather", "scatter", "scatter_op"])
def test_indices_out_of_range_are_found_when_checked(host, verb):
    a, values = np.arange(10.0).reshape(2, 5), np.full(2, 9.0)
    text = "index 7 is out of bounds for axis 1 with size 5"
    with pytest.raises(IndexError, match=text):
        at = [np.array([1, 1]), np.array([1, 7])]
        access(host, verb, a, at, values, check=True, sig=12)
    assert (a.ravel() == np.arange(10)).all()
    assert (values == 9).all()


def select(host, mask, values=None):
    """What the mask chooses, written where `room` says."""
    made = []

    def room(_, n, out):
        shape = (n,) if values is not None else (mask.ndim, n)
        made.append(np.full(shape, 77, "l" if values is None else values.dtype))
        out[0] = made[0].ctypes.data
        return 0

    call, count = hp.Select(), c.c_int64(-1)
    call.mask = hp.view(mask)
    call.values = hp.View() if values is None else hp.view(values)
    call.room = hp.ROOM(room)
    host.call("select", call, count, None)
    assert len(made) == 1
    assert made[0].shape[-1] == count.value
    return made[0]


@pytest.mark.parametrize(
    "shape", [(7,), (3, 5), (70, 3000), (200000,), (3, 4, 5), (0, 3)], ids=str
)
@pytest.mark.parametrize("dtype", KNOWN, ids=str)
def test_select(host, dtype, shape):
    a = (np.random.default_rng(3).random(shape) < 0.3).astype(dtype)
    if a.dtype.kind in "fc":
        a = -a  # with zeros of both signs
    values = (np.arange(a.size) % 1000).reshape(shape).astype(dtype)
    for turned, chosen in ((a, values), (a.T, values.T), (a[::-1], values[::-1])):
        expected = np.array(np.nonzero(turned))
        assert (select(host, turned) == expected).all()
        assert (select(host, turned, chosen) == chosen[turned != 0]).all()


def test_select_without_room(host):
    call, count = hp.Select(), c.c_int64(-1)
    call.mask = hp.view(np.ones(5, bool))
    call.values = hp.View()
    call.room = hp.ROOM(lambda arg, n, out: 6)
    with pytest.raises(MemoryError):
        host.call("select", call, count, None)
    assert count.value == -1


@pytest.mark.parametrize("dtype", [t for t in KNOWN if t.kind in "iufc"], ids=str)
def test_arange(host, dtype):
    out = np.empty(100, dtype)
    step = 1.5 if np.dtype(dtype).kind in "fc" else 2
    first, second = hp.scalar(3, dtype), hp.scalar(step, dtype)
    host.call("arange", hp.number(dtype), 100, first, second, hp.address(out), None)
    with np.errstate(over="ignore"):
        expected = (3 + np.arange(100) * step).astype(dtype)
    assert (out == expected).all()


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", [t for t in KNOWN if t.kind in "biufc"], ids=str)
def test_search(host, dtype, right):
    rng = np.random.default_rng(4)
    a, v = hp.values(rng, 100, dtype, 0, 50), hp.values(rng, (300, 2), dtype, 0, 50)
    if a.dtype.kind in "fc":
        a[:5] = v[3] = np.nan
    if a.dtype.kind == "c":
        a[5:9] = v[6] = complex(np.nan, 3)
        a[9:12] = v[5] = complex(3, np.nan)
    a.sort()
    v = v[:, ::-1]
    out = np.empty(v.shape, "l")
    host.call("search", hp.view(a), hp.view(v), int(right), hp.address(out), None)
    assert (out == np.searchsorted(a, v, "right" if right else "left")).all()
