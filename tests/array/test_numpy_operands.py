"""NumPy arrays as operands: where they are copied to the device, where their own method
answers, and where they are refused."""

import sys
import warnings

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal

DTYPES = "?bBhHiIlLefdFD"
KEYS = {
    "all": slice(None),
    "ellipsis": ...,
    "slice": slice(1, None),
    "backwards": (slice(None), slice(None, None, -1)),
    "row": 1,
    "element": (1, 2),
    "new axis": (None, slice(0, 2)),
    "list": [0, 2],
    "index": (np.array([2, 0]), np.array([1, 1])),
    "broadcast": (np.array([[0], [2]]), np.array([1, 3])),
    "mixed": (slice(None), np.array([3, 0])),
    "mask": np.array([[True, False, True, False]] * 3),
    "row mask": np.array([True, False, True]),
    "bool": True,
}


def pair(dtype="d"):
    n = np.arange(12).reshape(3, 4).astype(dtype)
    return n, cp.array(n)


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("source", "?bBhHiIlLefd")
def test_assignment(key, source):
    for target in "lfD?":
        n, c = pair(target)
        value = np.asarray(np.arange(n[key].size, 0, -1).reshape(n[key].shape), source)
        for stored in (
            value,
            value.T.copy().T,
            np.array(3, source),
            value[..., None].T.T,
        ):
            stored = (
                stored.reshape(value.shape) if stored.size == value.size else stored
            )
            n[key] = stored
            c[key] = stored
            np.testing.assert_array_equal(c.get(), n)


def test_assignment_of_strided_and_foreign_byte_order():
    n, c = pair()
    for value in (np.arange(24.0)[::-2].reshape(3, 4), np.arange(12.0).reshape(4, 3).T):
        c[...] = value
        assert c.tolist() == value.tolist()
    c[1] = np.arange(4, dtype=">i4")
    assert c[1].tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="could not broadcast"):
        c[:] = np.zeros(3)
    with pytest.raises(ValueError, match="string"):
        c[:] = np.array(["a"] * 4)


def test_assignment_of_what_lies_at_odd_addresses():
    c = cp.zeros(3, "D")
    bytes_of = np.zeros(8 + 3 * 24, "b")
    value = np.ndarray(3, "D", bytes_of, 8, strides=24)
    value[...] = [1, 2j, 3]
    c[...] = value
    assert c.tolist() == [1, 2j, 3]


@pytest.mark.only_on("host")
def test_assignment_of_its_own_memory():
    c = cp.arange(6.0)
    memory = np.from_dlpack(c)
    c[1:] = memory[:-1]
    assert c.tolist() == [0, 0, 1, 2, 3, 4]
    memory = np.arange(6.0)
    c = cp.from_dlpack(memory)
    c[1:] = memory[:-1]
    assert c.tolist() == [0, 0, 1, 2, 3, 4]


def test_assignment_lets_go_of_the_operand():
    value, c = np.arange(6.0), cp.zeros(3)
    before = sys.getrefcount(value)
    c[...] = value[::2]
    c[...] = value[:3]
    assert c.tolist() == [0, 1, 2]
    assert sys.getrefcount(value) == before


@pytest.mark.only_on("host")
def test_captured_assignment_keeps_its_operand():
    c, stream = cp.zeros(3), cp.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        c[...] = np.arange(6.0)[::2]
        graph = stream.end_capture()
    c.fill(0)
    graph.launch(stream)
    stream.synchronize()
    assert c.tolist() == [0, 2, 4]


@pytest.mark.parametrize("dtype", "bBhHiIlLefdFD")
def test_ufunc_at(dtype):
    for index in ([0, 2, 0], np.array([0, 2, 0]), (np.array([0, 1]), np.array([1, 1]))):
        n, c = pair(dtype)
        for value in (
            np.array(2, dtype),
            n[:1][index] if False else np.array([2], dtype),
        ):
            np.add.at(n, index, value)
            cp.add.at(c, index, value)
            np.testing.assert_array_equal(c.get(), n)
    n, c = pair(dtype)
    np.add.at(n, [0, 0], np.ones((2, 4), dtype))
    cp.add.at(c, cp.array([0, 0]), np.ones((2, 4), dtype))
    np.testing.assert_array_equal(c.get(), n)
    np.subtract.at(n, (slice(None), 1), [1, 2, 3])
    cp.subtract.at(c, (slice(None), 1), [1, 2, 3])
    np.testing.assert_array_equal(c.get(), n)


def test_copyto():
    n, c = pair()
    mask = n % 2 == 0
    for src in (np.float32(7), np.array(5), np.array([4.0]), np.int8(-1), 3, 2.5, True):
        for where in (True, False, np.True_, None):
            for x, a in ((np, n), (cp, c)):
                x.copyto(a, src, **({} if where is None else {"where": where}))
            np.testing.assert_array_equal(c.get(), n)
        np.copyto(n, src, where=mask)
        cp.copyto(c, src, where=cp.array(mask))
        np.testing.assert_array_equal(c.get(), n)
    n, c = pair("i")
    for src in (np.float64(1), np.array(1.5)):
        for x, a in ((np, n), (cp, c)):
            with pytest.raises(TypeError, match="Cannot cast"):
                x.copyto(a, src)
    with pytest.raises(TypeError, match="Unsupported type <class 'numpy.ndarray'>"):
        cp.copyto(c, np.zeros(4))


# Functions that begin with `asarray` in CuPy: x is the module, n of NumPy and c of it.
COPIED = {
    "append": lambda x, n, c: x.append(c, n),
    "append to": lambda x, n, c: x.append(n, c, axis=1),
    "atleast_1d": lambda x, n, c: x.atleast_1d(n[0, 0], n[0])[1],
    "atleast_2d": lambda x, n, c: x.atleast_2d(n[0]),
    "atleast_3d": lambda x, n, c: x.atleast_3d(n),
    "hstack": lambda x, n, c: x.hstack([c, n]),
    "vstack": lambda x, n, c: x.vstack([n[0], c]),
    "dstack": lambda x, n, c: x.dstack([c, n]),
    "resize": lambda x, n, c: x.resize(n, (5, 3)),
    "insert": lambda x, n, c: x.insert(c, 1, n[0], axis=0),
    "compress": lambda x, n, c: x.compress(n[0] > 1, c, axis=1),
    "diff": lambda x, n, c: x.diff(c, prepend=n[:, :1], append=n),
    "r_": lambda x, n, c: x.r_[c, n],
    "c_": lambda x, n, c: x.c_[n, c],
    "ix_": lambda x, n, c: c[
        x.ix_(np.array([0, 2]), np.array([True, True, False, True]))
    ],
    "cov": lambda x, n, c: x.cov(c, n),
    "corrcoef": lambda x, n, c: x.corrcoef(n[:, :3] ** 2, c[:, :3] ** 2),
    "cross": lambda x, n, c: x.cross(c[:, :3], n[:, 1:]),
    "unwrap": lambda x, n, c: x.unwrap(n),
    "diag": lambda x, n, c: x.diag(n[0]),
    "diagflat": lambda x, n, c: x.diagflat(n),
}


@pytest.mark.parametrize("call", COPIED.values(), ids=COPIED)
def test_copied_to_the_device(call):
    n, c = pair()
    expected, got = call(np, n, n), call(cp, n, c)
    assert isinstance(got, cp.ndarray)
    np.testing.assert_allclose(got.get(), expected, strict=True)


FORWARDED = {
    "sum": ("sum", (1,)),
    "prod": ("prod", ()),
    "max": ("max", (0,)),
    "amin": ("amin", ()),
    "argmax": ("argmax", (1,)),
    "argmin": ("argmin", ()),
    "mean": ("mean", (0,)),
    "var": ("var", ()),
    "std": ("std", (1,)),
    "round": ("round", (1,)),
    "around": ("around", ()),
    "clip": ("clip", (1, 5)),
    "argsort": ("argsort", (0,)),
    "argpartition": ("argpartition", (1,)),
    "reshape": ("reshape", ((2, 6),)),
    "ravel": ("ravel", ("F",)),
    "transpose": ("transpose", ()),
    "swapaxes": ("swapaxes", (0, 1)),
    "squeeze": ("squeeze", ()),
    "diagonal": ("diagonal", (1,)),
    "trace": ("trace", (1,)),
    "repeat": ("repeat", (2, 1)),
    "take": ("take", ([0, 2], 1)),
    "dot": ("dot", (np.ones(4),)),
    "copy": ("copy", ()),
}


@pytest.mark.parametrize(("name", "args"), FORWARDED.values(), ids=FORWARDED)
def test_own_method_answers(name, args):
    n, _ = pair()
    expected, got = getattr(np, name)(n, *args), getattr(cp, name)(n, *args)
    assert type(got) is type(expected)
    np.testing.assert_array_equal(got, expected)


def test_own_method_with_keywords():
    n, _ = pair()
    assert cp.sum(n, axis=0, keepdims=True).shape == (1, 4)
    assert type(cp.sum(n, axis=0)) is np.ndarray
    assert cp.clip(n, a_min=2, a_max=3).max() == 3
    assert cp.clip(n, max=3).max() == 3
    assert type(cp.choose(np.array([0, 1]), [np.ones(2), np.zeros(2)])) is np.ndarray
    assert cp.compress([True, False, True], n, 0).shape == (2, 4)
    with pytest.raises(np.exceptions.AxisError):
        cp.sum(n, 5)


@pytest.mark.parametrize(
    "call",
    [
        lambda n, c: c + n,
        lambda n, c: n + c,
        lambda n, c: cp.add(c, n),
        lambda n, c: cp.sqrt(n),
        lambda n, c: cp.all(n),
        lambda n, c: cp.cumsum(n),
        lambda n, c: cp.concatenate((c, n)),
        lambda n, c: cp.where(c > 0, c, n),
        lambda n, c: cp.repeat(c, np.array([1, 2, 3]), 0),
        lambda n, c: cp.ElementwiseKernel("T x", "T y", "y = x", "same")(n),
    ],
)
def test_refused(call):
    with pytest.raises(TypeError, match="Unsupported type <class 'numpy.ndarray'>"):
        call(*pair())


REFUSED = {
    "a ufunc": lambda x: cp.add(cp.ones(3), x),
    "astype": lambda x: cp.astype(x, int),
    "batched_gesv": lambda x: cp.cublas.batched_gesv(x, x),
    "concatenate": lambda x: cp.concatenate([x, cp.ones(3)]),
    "convolve": lambda x: cp.convolve(x, cp.ones(3)),
    "copyto": lambda x: cp.copyto(x, 1),
    "fft": lambda x: cp.fft.fft(x),
    "inv": lambda x: cp.linalg.inv(x),
    "where": lambda x: cp.where(cp.ones(3) > 0, x, 1),
    "nrm2": lambda x: cp.cublas.nrm2(x),
    "out of dot": lambda x: cp.dot(cp.ones(3), cp.ones(3), out=x),
    "select": lambda x: cp.select([x], [1]),
    "signal.convolve": lambda x: cupricx.scipy.signal.convolve(x, cp.ones(3)),
    "vdot": lambda x: cp.vdot(x, cp.ones(3)),
}


@pytest.mark.parametrize("x", [np.ones(3), [1.0, 2.0]], ids=["array", "list"])
@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_what_to_do(name, x):
    with pytest.raises(TypeError, match="Unsupported type <class '.*cupric.asarray"):
        REFUSED[name](x)


def assigned(value, rule, dtype, x):
    a = x.zeros(2, dtype)
    if rule == "element":
        a[:] = value
    elif rule == "fill":
        a.fill(value)
    elif rule == "index":
        a[[0, 1]] = value
    elif rule == "mask":
        a[x.array([True, False])] = value
    elif rule == "put":
        x.put(a, x.array([1]), value)
    elif rule == "full":
        a = x.full(2, value, dtype)
    elif rule == "full_like":
        a = x.full_like(a, value)
    elif rule == "copyto":
        x.copyto(a, value, casting="unsafe")
    else:
        a = x.array(value, dtype)
    return a.tolist()


RULES = ["element", "fill", "index", "mask", "put", "full", "full_like", "copyto"]
RULES += ["array"]
SCALARS = [
    -3,
    300,
    2**63,
    2**64,
    300.7,
    -1.5,
    1e300,
    float("nan"),
    float("inf"),
    1 + 2j,
    np.int8(-3),
    np.int64(-3),
    np.int64(300),
    np.uint8(200),
    np.uint64(2**63 + 5),
    np.float32(300.5),
    np.float64(1e300),
    np.float64("nan"),
    np.complex128(1 + 2j),
    np.complex64(300.7),
    np.complex128(1e300),
    np.complex128(complex(np.inf, 1)),
    np.complex128(np.nan),
    np.array(-3),
    np.array(300.5),
    np.array(1 + 2j),
    True,
    np.True_,
]


def is_garbage(value, dtype):
    """Whether the processor decides what a cast gives: a float beyond an integer."""
    if dtype not in "bBhHiIlL" or np.asarray(value).dtype.kind not in "fc":
        return False
    value = np.asarray(value).real
    info = np.iinfo(dtype)
    return not info.min - 1 < value < info.max + 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_scalars_that_do_not_fit(rule, dtype):
    for value in SCALARS:
        if dtype == "?" and isinstance(value, int) and value >= 2**63:
            continue  # NumPy is of two minds
        results = []
        for x in (np, cp):
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                try:
                    result = assigned(value, rule, dtype, x)
                except (OverflowError, ValueError, TypeError) as error:
                    result = type(error)
            kinds = {w.category for w in seen}
            results.append((result, np.exceptions.ComplexWarning in kinds))
        expected, got = results
        if is_garbage(value, dtype) and not isinstance(expected[0], type):
            assert not isinstance(got[0], type), (value, got)
            continue
        np.testing.assert_equal(got, expected, err_msg=repr(value))


def test_nothing_is_written_on_failure():
    for dtype, value in (("B", 1e300), ("i", float("nan")), ("f", 1j), ("b", 300)):
        a = cp.ones(3, dtype)
        with pytest.raises((OverflowError, ValueError, TypeError)):
            a.fill(value)
        for key in (slice(None), [0], a == 1, 0):
            with pytest.raises((OverflowError, ValueError, TypeError)):
                a[key] = value
        assert a.tolist() == [1, 1, 1]
