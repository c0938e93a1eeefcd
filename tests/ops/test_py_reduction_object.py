"""The rows that reduce, as objects: what they say of themselves, that functions of
NumPy's interface are one of them and one launch, and that each is used."""

import inspect
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import cupric as cp
from cupric import _core

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))
from tools import rows  # noqa: E402

NAMES = [n for n in dir(_core.reductions) if not n.startswith("_")]
TABLE = [row["name"] for row in rows.read("reduce")]
ROWS = {name: getattr(_core.reductions, name) for name in NAMES}


def test_every_row_of_the_table_is_there():
    assert set(TABLE) < set(NAMES)
    assert {"add", "maximum", "logical_and", "subtract"} < set(NAMES)
    assert not {"negative", "divmod", "where", "ldexp"} & set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_row_says_of_itself(name):
    row = ROWS[name]
    assert (row.name, row.__name__, row.nout) == (name, name, 1)
    assert repr(row) == f"<reduction 'cupric_{name}'>"
    assert row.ntypes == len(row.types) == len(set(row.types)) > 0
    signature = inspect.signature(row)
    inputs = ["a", "b"][: row.nin]
    positional = [*inputs, "axis", "dtype", "out", "keepdims"]
    assert list(signature.parameters)[: len(positional)] == positional
    assert row.__doc__.startswith(f"{name}({str(signature)[1:]}\n\n")
    lines = row.__doc__.splitlines()
    assert lines[2].endswith(".")
    assert lines[3:6] == ["", "Parameters", "----------"]
    assert row.__doc__.endswith("Types: " + " ".join(row.types) + "\n")
    for parameter in signature.parameters:
        assert re.search(rf"^(a, b|{parameter}) : ", row.__doc__, re.M)


@pytest.mark.parametrize("name", NAMES)
def test_a_row_computes_each_of_its_types(name):
    row = ROWS[name]
    for types in row.types:
        inputs, result = types.split("->")
        if "E" in types:
            continue  # bfloat16, which NumPy lacks
        operands = [cp.ones((3, 4), letter) for letter in inputs]
        r = row(*operands, axis=1, dtype=result)
        assert (r.shape, r.dtype.char) == ((3,), result)
        kept = row(*operands, axis=1, keepdims=True)
        assert kept.shape == (3, 1)
        small = name in ("add", "multiply", "nansum", "nanprod") and result in "?bBhHiI"
        widened = "L" if result in "BHI" else "l"
        assert kept.dtype.char == (widened if small else result)
        out = cp.empty(3, result)
        assert row(*operands, axis=-1, out=out) is out
        np.testing.assert_array_equal(out.get(), r.get())


@pytest.mark.parametrize("name", NAMES)
def test_the_reduction_of_nothing_is_the_identity(name):
    row = ROWS[name]
    first = sorted(row.types, key=lambda t: t[0] in "?BHIL")[0].split("->")[0]
    operands = [cp.ones((0, 2), letter) for letter in first]
    if row.identity is None:
        with pytest.raises(ValueError, match="no identity"):
            row(*operands, axis=0)
    else:
        got = row(*operands, axis=0).get()
        want = np.full(2, row.identity, got.dtype)
        np.testing.assert_array_equal(got.real, want.real)


def test_arguments():
    x = cp.arange(6.0).reshape(2, 3)
    mask = cp.array([[True, False, True], [True, True, True]])
    assert float(_core.reductions.add(x, where=mask)) == 14
    assert float(_core.reductions.add(x, initial=10)) == 25
    assert float(_core.reductions.norm_p(x, ord=3)) == pytest.approx(225 ** (1 / 3))
    assert float(_core.reductions.var(x, ddof=1)) == 3.5
    with pytest.raises(TypeError, match=r"mean\(\) got an unexpected keyword"):
        _core.reductions.mean(x, ddof=1)
    with pytest.raises(TypeError, match="initial"):
        _core.reductions.norm_2(x, initial=1)  # the root is of the sum with it
    with pytest.raises(TypeError, match="Unsupported type"):
        _core.reductions.add(np.ones(3))


def test_two_inputs_are_broadcast_to_one_shape():
    a, b = np.arange(3.0), np.arange(12.0).reshape(4, 3)
    want = (a * b).sum(-1)
    for x, y in ((a, b), (b, a)):
        got = _core.reductions.vecdot(cp.array(x), cp.array(y), axis=-1)
        np.testing.assert_array_equal(got.get(), want)
    with pytest.raises(ValueError, match=r"\(4, 3\) \(2,\)"):
        _core.reductions.vecdot(cp.array(b), cp.ones(2))


def test_positions_over_several_axes_are_those_of_the_flattened_ones():
    x = np.random.default_rng(0).integers(0, 50, (3, 4, 5))
    for axes in ((0, 1), (1, 2), (0, 1, 2)):
        rest = [i for i in range(3) if i not in axes]
        flat = x.transpose(*rest, *axes).reshape([x.shape[i] for i in rest] + [-1])
        got = _core.reductions.argmax(cp.array(x), axis=axes)
        np.testing.assert_array_equal(got.get(), flat.argmax(-1))


# ---- functions that are one row ------------------------------------------------------

A = np.random.default_rng(1).standard_normal((30, 40))
A[A > 1] = np.nan
C = A + 1j * A.T.reshape(30, 40)
B = np.nan_to_num(A)
CALLS = {
    "sum": lambda m, a, b, c: m.sum(b, axis=1),
    "max": lambda m, a, b, c: m.max(b, axis=0),
    "mean": lambda m, a, b, c: m.mean(b),
    "ptp": lambda m, a, b, c: m.ptp(b, axis=0),
    "ptp of all": lambda m, a, b, c: m.ptp(a),
    "count_nonzero": lambda m, a, b, c: m.count_nonzero(b, axis=1),
    "nansum": lambda m, a, b, c: m.nansum(a, axis=1),
    "nansum of complex": lambda m, a, b, c: m.nansum(c),
    "nanprod": lambda m, a, b, c: m.nanprod(a, axis=0),
    "nanmean": lambda m, a, b, c: m.nanmean(a, axis=1),
    "nanmean of all": lambda m, a, b, c: m.nanmean(a),
    "nanmean of complex": lambda m, a, b, c: m.nanmean(c, axis=0),
    "nanmean where": lambda m, a, b, c: m.nanmean(a, axis=1, where=b > 0),
    "nanvar": lambda m, a, b, c: m.nanvar(a, axis=0),
    "nanvar of complex": lambda m, a, b, c: m.nanvar(c, ddof=1),
    "nanstd": lambda m, a, b, c: m.nanstd(a, axis=1, ddof=1),
    "nanmax": lambda m, a, b, c: m.nanmax(a, axis=1),
    "nanmin": lambda m, a, b, c: m.nanmin(a),
    "nanargmax": lambda m, a, b, c: m.nanargmax(a, axis=1),
    "nanargmin": lambda m, a, b, c: m.nanargmin(a, axis=0),
    "norm": lambda m, a, b, c: m.linalg.norm(b),
    "norm of rows": lambda m, a, b, c: m.linalg.norm(b, axis=1),
    "norm of complex": lambda m, a, b, c: m.linalg.norm(c[:, :3].conj(), axis=0),
    **{
        f"norm {ord}": lambda m, a, b, c, ord=ord: m.linalg.norm(b, ord, axis=1)
        for ord in (0, 1, 2, 3, -1, 0.5, np.inf, -np.inf)
    },
    "norm, kept": lambda m, a, b, c: m.linalg.norm(b, keepdims=True),
    "Frobenius": lambda m, a, b, c: m.linalg.norm(b, "fro", axis=(0, 1)),
    "vector_norm": lambda m, a, b, c: m.linalg.vector_norm(b, axis=(0, 1), ord=1),
    "vecdot": lambda m, a, b, c: m.vecdot(b, b[::-1]),
    "vecdot of columns": lambda m, a, b, c: m.vecdot(b, b, axis=0),
    "vecdot of complex": lambda m, a, b, c: m.vecdot(b + 1j, 1j * b[::-1]),
}


def launches(call):
    """The nodes of a graph that captures the call."""
    stream = cp.cuda.Stream(non_blocking=True)
    with stream:
        call()  # kernels are compiled, and memory is there
        stream.synchronize()
        stream.begin_capture()
        call()
        graph = stream.end_capture()
    text = graph.debug_dot_str()
    return len(re.findall(r'^\s*"?(?:n|graph_\d+_node_)\d+"?\s*\[', text, re.M))


@pytest.mark.parametrize("name", CALLS)
def test_a_function_is_one_launch(name):
    a, b, c = cp.array(A), cp.array(B), cp.array(C)
    m = b > 0
    prepared = {"nanmean where": lambda: cp.nanmean(a, axis=1, where=m)}
    prepared["vecdot of complex"] = lambda d=b + 1j: cp.vecdot(d, d)
    prepared["norm of complex"] = lambda: cp.linalg.norm(c, axis=0)
    call = prepared.get(name, lambda: CALLS[name](cp, a, b, c))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert launches(call) == 1


@pytest.mark.parametrize("name", CALLS)
def test_a_function_gives_what_numpys_does(name):
    with np.errstate(all="ignore"):
        want = CALLS[name](np, A, B, C)
        got = CALLS[name](cp, cp.array(A), cp.array(B), cp.array(C)).get()
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)
    assert got.dtype == want.dtype


def test_launches_are_counted():
    x = cp.ones(5)
    assert launches(lambda: x + 1) == 1
    assert launches(lambda: (x + 1) * 2) == 2


@pytest.mark.parametrize("dtype", ["e", "f", "d", "F", "D"])
@pytest.mark.parametrize("shape", [(5,), (3000,), (200, 3), (3, 200), (70, 5, 40)])
def test_moments_without_nan(dtype, shape):
    rng = np.random.default_rng(3)
    x = rng.standard_normal(shape)
    if dtype in "FD":
        x = x + 1j * rng.standard_normal(shape)
    x = x.astype(dtype)
    x[rng.random(shape) < 0.3] = np.nan
    x[0] = np.nan
    mask = rng.random(shape) < 0.7
    tolerance = {"e": 4e-3, "f": 1e-5, "F": 1e-5}.get(dtype, 1e-12)
    y, m = cp.array(x), cp.array(mask)
    exact = x.astype("D" if dtype in "FD" else "d")  # NumPy adds halves up as they are
    for axis in (None, *range(x.ndim)):
        for name in ("nanmean", "nanvar", "nanstd"):
            for ours, theirs in (({}, {}), ({"where": m}, {"where": mask})):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    want = getattr(np, name)(exact, axis=axis, **theirs)
                    result = getattr(np, name)(x, axis=axis).dtype
                got = getattr(cp, name)(y, axis=axis, **ours)
                assert got.dtype == result
                np.testing.assert_allclose(
                    got.get(), want, rtol=tolerance, atol=tolerance
                )


def test_infinities_are_not_left_out():
    x = np.array([[1, np.inf, np.nan], [np.nan, 2, 3], [np.inf, -np.inf, np.nan]])
    with np.errstate(all="ignore"):
        for name in ("nanmean", "nanvar", "nanstd"):
            want = getattr(np, name)(x, axis=1)
            got = getattr(cp, name)(cp.array(x), axis=1).get()
            np.testing.assert_array_equal(got, want)


def test_a_mean_that_is_given():
    x = np.array([[1, 2, np.nan, 6.0], [np.nan, 1, 1, 4]])
    mean = np.nanmean(x, axis=1, keepdims=True)
    for name in ("nanvar", "nanstd"):
        want = getattr(np, name)(x, axis=1, mean=mean)
        got = getattr(cp, name)(cp.array(x), axis=1, mean=cp.array(mean))
        np.testing.assert_allclose(got.get(), want)
        with pytest.raises(ValueError, match="simultaneously"):
            getattr(cp, name)(cp.array(x), ddof=1, correction=1)


# ---- no row without a use ------------------------------------------------------------


def of_truth():
    """Rows in whose place a ufunc of truth is reduced, which is public: any and all."""
    truth = {row["name"] for row in rows.read("ufunc") if row["integers"] == "TRUTH"}
    return {row["name"] for row in rows.read("reduce") if row["combine"] in truth}


def test_every_row_is_called():
    text = ""
    for folder, kinds in (("python", "*.py"), ("src", "*.c")):
        for path in (ROOT / folder).rglob(kinds):
            text += path.read_text()
    unused = [
        name
        for name in set(TABLE) - of_truth()
        if not re.search(rf"\breductions\.{name}\b|\bCUPRIC_REDUCE_{name}\b", text)
    ]
    assert unused == []
