"""What moves elements, of dtypes that are not computed with; what computes raises."""

import pickle

import numpy as np
import pytest

import cupric as cp


def _set(key):
    def case(xp, a):
        key_ = xp.asarray(key) if isinstance(key, list) else key
        a[key_] = a[2]
        return a

    return case


def _shift(xp, a):
    a[1:] = a[:-1]
    return a


def _put(xp, a):
    xp.put(a, xp.asarray([0, 2]), a[1:3].copy())
    return a


def _copyto(xp, a):
    xp.copyto(a, a[::-1].copy())
    return a


def _fill(xp, a):
    a.fill(a[1])
    return a


def mask(xp, a):
    return xp.asarray([True, False] + [True] * (len(a) - 2))


CASES = {
    "as it is": lambda xp, a: a,
    "copy": lambda xp, a: a.copy(),
    "reverse": lambda xp, a: a[::-1].copy(),
    "int": lambda xp, a: a[1],
    "slice": lambda xp, a: a[-2:],
    "indices": lambda xp, a: a[xp.asarray([2, 0, 0])],
    "mask": lambda xp, a: a[mask(xp, a)],
    "take": lambda xp, a: xp.take(a, xp.asarray([[1, 2]])),
    "take_along_axis": lambda xp, a: xp.take_along_axis(
        a, xp.asarray([1, 0, 2]), axis=0
    ),
    "set int": _set(0),
    "set slice": _set(slice(0, 2)),
    "set indices": _set([0, 1]),
    "set mask": lambda xp, a: _set(mask(np, a).tolist())(xp, a),
    "set overlapping": _shift,
    "put": _put,
    "copyto": _copyto,
    "fill": _fill,
    "concatenate": lambda xp, a: xp.concatenate([a, a[::-1]]),
    "stack": lambda xp, a: xp.stack([a, a], axis=1),
    "transpose": lambda xp, a: xp.stack([a, a]).T.copy(),
    "ravel": lambda xp, a: xp.stack([a, a]).T.ravel(),
    "reshape": lambda xp, a: xp.stack([a, a]).reshape(-1, order="F"),
    "Fortran": lambda xp, a: xp.asfortranarray(xp.stack([a, a])),
    "split": lambda xp, a: xp.split(a, [1])[1],
    "roll": lambda xp, a: xp.roll(a, 1),
    "flip": lambda xp, a: xp.flip(a),
    "rot90": lambda xp, a: xp.rot90(xp.stack([a, a])),
    "repeat": lambda xp, a: xp.repeat(a, 2),
    "tile": lambda xp, a: xp.tile(a, (2, 2)),
    "resize": lambda xp, a: xp.resize(a, (2, 5)),
    "delete": lambda xp, a: xp.delete(a, 1),
    "append": lambda xp, a: xp.append(a, a),
    "block": lambda xp, a: xp.block([[a], [a]]),
    "broadcast_to": lambda xp, a: xp.broadcast_to(a, (2, len(a))).copy(),
    "diagonal": lambda xp, a: xp.diag(xp.stack([a, a])),
    "where": lambda xp, a: xp.where(mask(xp, a), a, a[::-1]),
    "choose": lambda xp, a: xp.choose(xp.asarray([0, 1, 0]), [a[:3], a[:3][::-1]]),
    "compress": lambda xp, a: xp.compress(mask(xp, a), a),
    "flat": lambda xp, a: a.flat[1:3],
    "zeros": lambda xp, a: xp.zeros((2, 3), a.dtype),
    "zeros_like": lambda xp, a: xp.zeros_like(a),
    "full": lambda xp, a: xp.full(3, a[1]),
    "full_like": lambda xp, a: xp.full_like(a, a[1]),
    "equal": lambda xp, a: a == a[::-1],
    "not equal": lambda xp, a: a != a[::-1],
    "equal to one": lambda xp, a: a[:, None] == a[1],
    "pickle": lambda xp, a: pickle.loads(pickle.dumps(a)),
    "tolist": lambda xp, a: a.tolist(),
    "repr": lambda xp, a: repr(a),
    "str": lambda xp, a: str(a),
}

#: What computes, or needs an order or a zero, and raises TypeError.
REFUSED = {
    "add": lambda xp, a: a + 1,
    "negative": lambda xp, a: -a,
    "less": lambda xp, a: a < a,
    "searchsorted": lambda xp, a: xp.searchsorted(a, a),
    "sum": lambda xp, a: a.sum(),
    "max": lambda xp, a: a.max(),
    "argmax": lambda xp, a: a.argmax(),
    "any": lambda xp, a: xp.any(a),
    "mean": lambda xp, a: a.mean(),
    "var": lambda xp, a: a.var(),
    "cumsum": lambda xp, a: a.cumsum(),
    "nonzero": lambda xp, a: xp.nonzero(a),
    "count_nonzero": lambda xp, a: xp.count_nonzero(a),
    "matmul": lambda xp, a: a @ a,
    "convolve": lambda xp, a: xp.convolve(a, a),
    "fft": lambda xp, a: xp.fft.fft(a),
    "add.at": lambda xp, a: xp.add.at(a, xp.asarray([0]), 1),
    "imag": lambda xp, a: a.imag,
    "out": lambda xp, a: xp.add(xp.ones(len(a)), 1, out=a),
}

#: What needs an order, which structures have by their fields.
ORDERED = {
    "sort": lambda xp, a: xp.sort(a),
    "argsort": lambda xp, a: a.argsort(),
    "unique": lambda xp, a: xp.unique(a),
}


def check_same(got, expected):
    """By value: bytes between the fields of a structure mean nothing."""
    if isinstance(expected, np.ndarray | np.generic):
        got = got.get()
        assert got.dtype == expected.dtype
        assert got.shape == expected.shape
    assert str(got) == str(expected)


INNER = [("d", "i2"), ("e", "3i4")]
EXAMPLES = {
    "datetime": np.array(["2020-01-01", "NaT", "1969-12-31T23:59:59"], "M8[s]"),
    "timedelta": np.array([5, -3, "NaT", 0], "m8[ms]"),
}
for width in (1, 2, 3, 4, 5, 8, 12, 16, 24, 40, 100):
    EXAMPLES[f"V{width}"] = np.arange(4 * width, dtype="u1").view(f"V{width}")
for name, dtype in {
    "aligned": np.dtype([("a", "i4"), ("b", "f8"), ("c", INNER)], align=True),
    "packed": np.dtype([("a", "i1"), ("b", "f8"), ("c", INNER)]),
    "small": np.dtype([("a", "i2"), ("b", "f2")]),
    "with times": np.dtype([("a", "M8[s]"), ("c", [("d", "?"), ("e", "3F")])]),
}.items():
    EXAMPLES[name] = np.zeros(4, dtype)
    EXAMPLES[name]["a"] = [1, 2, 1, 4]


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("case", CASES)
def test_moves(device, no_leak, case, name):
    x = EXAMPLES[name]
    check_same(CASES[case](cp, cp.asarray(x)), CASES[case](np, x.copy()))


@pytest.mark.parametrize("name", ["datetime", "timedelta", "V8", "aligned"])
@pytest.mark.parametrize("case", REFUSED)
def test_refused(device, case, name):
    with pytest.raises(TypeError):
        REFUSED[case](cp, cp.asarray(EXAMPLES[name]))


@pytest.mark.parametrize("name", ["datetime", "timedelta", "V8"])
@pytest.mark.parametrize("case", ORDERED)
def test_without_an_order(device, case, name):
    with pytest.raises(TypeError):
        ORDERED[case](cp, cp.asarray(EXAMPLES[name]))


@pytest.mark.parametrize("name", ["aligned", "packed", "small"])
@pytest.mark.parametrize("case", ORDERED)
def test_ordered_by_fields(device, no_leak, case, name):
    x = EXAMPLES[name]
    check_same(ORDERED[case](cp, cp.asarray(x)), ORDERED[case](np, x.copy()))
