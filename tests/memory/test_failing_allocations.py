"""Every allocation of a call made to fail in turn.

Each time the error is OutOfMemoryError, what the call was given is as it was, and when
all is over no memory is in use that was not before.
"""

import gc
import pickle

import numpy as np
import pytest

import cupric as cp
from cupric._core import _fail_allocation
from cupric.cuda.memory import OutOfMemoryError

from ..fuzz import examples
from ..growth import check_used, used_bytes

A = np.arange(60, dtype="f4").reshape(6, 10) - 20
B = np.linspace(1, 2, 60, dtype="f4").reshape(6, 10)
SQUARE = np.eye(6) * 4 + np.arange(36).reshape(6, 6) / 36


def in_place(f):
    """Work on a copy that the call may change, or not, but not half."""

    def call(a, b):
        c = a.copy()
        f(c, b)
        return c

    return call


def put(c, b):
    c[cp.array([0, 2])] = b[:2].astype("f8")


def put_field(c, b):
    pairs = c.view("i4,f4")
    pairs["f1"] = b[:, ::2]
    pairs[["f0", "f1"]] = pairs[0, 0]


def add_strided(c, b):
    c[:, 1:] += c[:, :-1]


ADD = cp.ElementwiseKernel("T x, T y", "T z", "z = x + y", "failing_add")
SUM = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "failing_sum")

CALLS = {
    "array": lambda a, b: cp.array([[1, 2], [3, 4]]),
    "structures": lambda a, b: cp.array([(1, 2.0)] * 3, "i4,f4"),
    "fields": lambda a, b: a.view("f4,f4")["f0"] + b[:, ::2],
    "set field": in_place(put_field),
    "structures converted": lambda a, b: a.view("f4,f4").astype("f8,i2", order="F"),
    "structures compared": lambda a, b: a.view("f4,f4") == b.view("f4,f4"),
    "structures chosen": lambda a, b: cp.where(
        a[:, ::2] > 0, a.view("f4,f4"), b.view("f4,f4")
    ),
    "plain bytes": lambda a, b: (
        cp.concatenate((a.view("V12"), b.view("V12")))
        if a.shape[1] % 3 == 0
        else a.T.copy().view("V12")
    ),
    "times": lambda a, b: np.datetime64(3, "s") == a.view("M8[s]").astype("M8[ms]"),
    "nested": lambda a, b: cp.array([a, b]),
    "zeros": lambda a, b: cp.zeros((3, 4)),
    "arange": lambda a, b: cp.arange(100),
    "linspace": lambda a, b: cp.linspace(0, 1, 50),
    "copy": lambda a, b: a.T.copy(),
    "astype": lambda a, b: a.astype("c16"),
    "ravel": lambda a, b: a.T.ravel(),
    "add": lambda a, b: a + b,
    "mixed": lambda a, b: a[:, ::2] * b[:, 1::2].astype("i8"),
    "divmod": lambda a, b: divmod(a, b)[1],
    "chain": lambda a, b: cp.sqrt(a * a + b * b) / (1 + cp.exp(-a)),
    "add in place": in_place(lambda c, b: c.__iadd__(b)),
    "add overlapping": in_place(add_strided),
    "where=": lambda a, b: cp.add(a, b, where=a > 0, out=cp.zeros((6, 10), "f4")),
    "outer": lambda a, b: cp.add.outer(a[0], b[0]),
    "sum": lambda a, b: a.sum(),
    "sum of columns": lambda a, b: a.sum(axis=0),
    "mean": lambda a, b: a.mean(axis=1, keepdims=True),
    "std": lambda a, b: a.std(),
    "argmax": lambda a, b: a.argmax(axis=1),
    "cumsum": lambda a, b: a.cumsum(axis=1),
    "var of some": lambda a, b: cp.var(a, axis=0, where=a > -10),
    "ptp": lambda a, b: cp.ptp(a, axis=0),
    "sum into another dtype": lambda a, b: cp.sum(
        a, axis=0, initial=1, out=cp.zeros(10, "f8")
    ),
    "sum into itself": in_place(lambda c, b: cp.sum(c, axis=0, out=c[1])),
    "cumsum of columns, flat": lambda a, b: cp.cumsum(a.T),
    "reduceat": lambda a, b: cp.add.reduceat(a, [0, 3, 1], axis=0),
    "at": in_place(lambda c, b: cp.add.at(c, cp.array([0, 0, 2], "i4"), b[:3])),
    "at a slice": in_place(lambda c, b: cp.add.at(c.T, (slice(2), 1), b[0, :2])),
    "nanvar": lambda a, b: cp.nanvar(a, axis=1),
    "quantile": lambda a, b: cp.quantile(a, [0.2, 0.5], axis=1),
    "round": lambda a, b: cp.round(a.astype("i4"), -1),
    "searchsorted": lambda a, b: cp.searchsorted(b[0, ::2], a.astype("f8")),
    "argpartition": lambda a, b: cp.argpartition(a.T, 2),
    "where": lambda a, b: cp.where(a > 0, a, b),
    "clip": lambda a, b: cp.clip(a, -1, 1),
    "take": lambda a, b: a[cp.array([5, 0, 0]), :],
    "mask": lambda a, b: a[a > 0],
    "nonzero": lambda a, b: cp.nonzero(a)[1],
    "put": in_place(put),
    "put by mask": in_place(lambda c, b: c.__setitem__(c > 0, 0)),
    "sort": lambda a, b: cp.sort(a[:, ::-1], axis=0),
    "argsort": lambda a, b: cp.argsort(a, axis=1),
    "concatenate": lambda a, b: cp.concatenate([a, b.astype("f8")]),
    "stack": lambda a, b: cp.stack([a, b], axis=-1),
    "tile": lambda a, b: cp.tile(a, (2, 2)),
    "roll": lambda a, b: cp.roll(a, 3),
    "matmul": lambda a, b: a @ b.T,
    "einsum": lambda a, b: cp.einsum("ij,kj->ik", a, b),
    "isclose": lambda a, b: cp.isclose(a, b),
    "solve": lambda a, b: cp.linalg.solve(cp.array(SQUARE), cp.ones(6)),
    "inv": lambda a, b: cp.linalg.inv(cp.array(SQUARE)),
    "norm": lambda a, b: cp.linalg.norm(a),
    "random": lambda a, b: cp.random.RandomState(1).standard_normal((5, 5)),
    "gamma": lambda a, b: cp.random.RandomState(1).gamma([[1.0], [2]], size=(2, 3)),
    "convolve": lambda a, b: cp.convolve(a[0], b[0]),
    "repr": lambda a, b: cp.array(len(repr(a))),
    "eye": lambda a, b: cp.eye(5),
    "full": lambda a, b: cp.full((2, 3), 7.5),
    "meshgrid": lambda a, b: cp.meshgrid(a[0], b[0])[1],
    "imag": lambda a, b: a.imag,
    "power": lambda a, b: b**3,
    "frexp": lambda a, b: cp.frexp(b)[1],
    "compare": lambda a, b: a[:, ::-1] < b,
    "signature": lambda a, b: cp.add(a, b, signature="dd->d"),
    "max initial": lambda a, b: a.max(axis=0, initial=3, where=b > 1.5),
    "any": lambda a, b: a.any(axis=1),
    "var": lambda a, b: a.var(axis=1, ddof=1),
    "median": lambda a, b: cp.median(a, axis=1),
    "percentile": lambda a, b: cp.percentile(a, [20, 70], axis=0),
    "histogram": lambda a, b: cp.histogram(a[0], bins=4)[0],
    "bincount": lambda a, b: cp.bincount(cp.array([1, 4, 1])),
    "nanmean": lambda a, b: cp.nanmean(a, axis=0),
    "unique": lambda a, b: cp.unique(a % 5),
    "partition": lambda a, b: cp.partition(a[::-1].T, 3, axis=0),
    "lexsort": lambda a, b: cp.lexsort(cp.stack([a[0], b[0]])),
    "repeat": lambda a, b: cp.repeat(a, 2, axis=1),
    "pad": lambda a, b: cp.pad(a, 1, mode="reflect"),
    "take along": lambda a, b: cp.take_along_axis(a, a.argsort(axis=1), 1),
    "put clip": in_place(lambda c, b: cp.put(c, [1, 99], b[0], mode="clip")),
    "nested index": lambda a, b: a[[0, 2]][:, cp.array([True, False] * 5)],
    "set list": in_place(lambda c, b: c.__setitem__((slice(None), 1), [1] * 6)),
    "fft": lambda a, b: cp.fft.fft(a, n=12, axis=1),
    "irfft2": lambda a, b: cp.fft.irfft2(cp.fft.rfft2(a)),
    "svd": lambda a, b: cp.linalg.svd(cp.array(SQUARE))[1],
    "lstsq": lambda a, b: cp.linalg.lstsq(cp.array(SQUARE), cp.ones(6))[0],
    "tensordot": lambda a, b: cp.tensordot(a, b, axes=([1], [1])),
    "kron": lambda a, b: cp.kron(a[:2, :2], b[:2, :2]),
    "pickle": lambda a, b: pickle.loads(pickle.dumps(a)),
    "DLPack copy": lambda a, b: cp.from_dlpack(a.T, copy=True),
    "elementwise kernel": lambda a, b: ADD(a, b),
    "reduction kernel": lambda a, b: SUM(a, axis=1),
}


def attempt(n, call, *args):
    """The call's result, or None when its n-th allocation, made to fail, ended it.

    A function of its own: a traceback keeps the frames alive, and so their arrays.
    """
    _fail_allocation(n)
    try:
        result = call(*args)
    except OutOfMemoryError:
        assert _fail_allocation(0) == 0
        return None
    finally:
        left = _fail_allocation(0)
    assert left > 0, "an error was lost"
    return result


@pytest.mark.parametrize("name", CALLS)
def test_fails_cleanly(name):
    call = CALLS[name]
    a, b = cp.array(A), cp.array(B)
    expected = cp.asnumpy(call(a, b))
    gc.collect()
    before = used_bytes()
    n_failed = 0
    for n in range(1, 200):
        result = attempt(n, call, a, b)
        if result is not None:
            break
        n_failed += 1
        np.testing.assert_array_equal(cp.asnumpy(a), A)
        np.testing.assert_array_equal(cp.asnumpy(b), B)
        check_used(before)
    np.testing.assert_array_equal(cp.asnumpy(result), expected)
    del result
    check_used(before)
    assert n_failed or name == "repr"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", examples.every())
def test_every_call_fails_cleanly(line):
    example = examples.every()[line]
    names = example.arrays()
    example.run(names)
    expected = example.contents(names)
    del names
    gc.collect()
    empty = used_bytes()
    for n in range(1, 200):
        names = example.arrays()
        before, held = example.contents(names), used_bytes()
        if attempt(n, run, example, names):
            break
        assert example.contents(names) == before
        check_used(held)
    assert example.contents(names) == expected
    del names
    check_used(empty)


def run(example, names):
    example.run(names)
    return True
