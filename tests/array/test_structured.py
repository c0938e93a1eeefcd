"""Structures: fields as views, moves, conversion by position, comparison."""

import io
import pickle

import numpy as np
import pytest

import cupric as cp


def check_same(got, expected):
    """By value: bytes between the fields of a structure mean nothing."""
    got = got.get()
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    assert str(got) == str(expected)


INNER = [("d", "i2"), ("e", "3i4")]
DTYPES = {
    "aligned": np.dtype([("a", "i4"), ("b", "f8"), ("c", INNER)], align=True),
    "packed": np.dtype([("a", "i1"), ("b", "f8"), ("c", INNER)]),
    "small": np.dtype([("a", "i2"), ("b", "f2"), ("c", [("d", "i1"), ("e", "3b")])]),
    "times": np.dtype([("a", "M8[s]"), ("b", "f8"), ("c", [("d", "?"), ("e", "3F")])]),
}


def example(dtype, n=4):
    x = np.zeros(n, dtype)
    x["a"] = np.arange(n)
    x["b"] = np.arange(n) / 2
    x["c"]["d"] = 1
    x["c"]["e"] = np.arange(3 * n).reshape(n, 3)
    return x


def test_fields_are_views(device):
    want = example(DTYPES["aligned"])
    x = cp.asarray(want)
    for a in (x, want):
        a["a"][1] = 7
        a["b"] *= 3
        a["c"]["d"][::2] = 5
        a["c"]["e"][:, 1] = a["a"]
        a[["a", "b"]] = a[["a", "b"]][::-1].copy()
        a[2]["b"] = -1
    check_same(x, want)
    assert x["b"].base is x
    assert x["b"].strides == want["b"].strides
    assert x["c"]["e"].shape == (4, 3)
    assert float(x["b"].sum()) == want["b"].sum()


def test_fields_are_set(device):
    want = example(DTYPES["aligned"])
    x = cp.asarray(want)
    for xp, a in ((cp, x), (np, want)):
        a["a"] = xp.arange(4)[::-1]
        a["b"] = 2.5
        a["c"] = (3, [1, 2, 3])
        a[1] = (1, 2.0, (3, [4, 5, 6]))
    check_same(x, want)


def test_fields_that_are_not_aligned(device):
    want = example(DTYPES["packed"])
    x = cp.asarray(want)
    with pytest.raises(TypeError, match="make_aligned_dtype"):
        x["b"]
    x["b"] = cp.arange(4)
    want["b"] = np.arange(4)
    check_same(x, want)
    aligned = x.astype(cp.make_aligned_dtype(x.dtype))
    np.testing.assert_array_equal(aligned["b"].get(), want["b"])
    assert bool((x == x.copy()).all())


def test_names(device):
    x = cp.asarray(example(DTYPES["aligned"]))
    with pytest.raises(ValueError, match="no field of name z"):
        x["z"]
    with pytest.raises(KeyError, match="z"):
        x[["a", "z"]]
    with pytest.raises(IndexError):
        cp.zeros(3)["a"]
    with pytest.raises(IndexError):
        cp.zeros(3)["a"] = 1


@pytest.mark.parametrize("source", DTYPES)
def test_converted_by_position(device, source):
    x = example(DTYPES[source])
    if source == "times":
        x = x[["b", "c"]]
        x = x.astype([("b", "f8"), ("c", x.dtype["c"])])
        new = np.dtype([("p", "f4"), ("q", [("r", "i8"), ("s", "3D")])])
    else:
        new = np.dtype([("p", "f4"), ("q", "i8"), ("r", [("s", "i1"), ("t", "3f8")])])
    got = cp.asarray(x)
    check_same(got.astype(new), x.astype(new))
    into, want = cp.zeros(4, new), np.zeros(4, new)
    into[...] = got
    want[...] = x
    check_same(into, want)


def test_numbers_and_structures(device):
    new = np.dtype([("a", "i4"), ("b", "f8")])
    check_same(cp.arange(3).astype(new), np.arange(3).astype(new))
    check_same(cp.ones(2, new), np.ones(2, new))
    one = np.array([(5,), (6,)], [("a", "i4")])
    check_same(cp.asarray(one).astype("f8"), one.astype("f8"))
    with pytest.raises(TypeError, match="Cannot cast"):
        cp.zeros(3, new).astype([("a", "i4")])
    with pytest.raises(TypeError, match="Cannot cast"):
        cp.zeros(3, new).astype("f8")


def test_compared(device):
    x = example(DTYPES["aligned"])
    y = x.copy()
    y["c"]["e"][1, 2] = 99
    y["b"][2] = np.nan
    for a, b in ((x, y), (x, x[1]), (x, y[:, None])):
        c, d = cp.asarray(a), cp.asarray(b)
        np.testing.assert_array_equal((c == d).get(), a == b)
        np.testing.assert_array_equal((c != d).get(), a != b)
    with pytest.raises(TypeError, match="same fields"):
        cp.asarray(x) == cp.zeros(4, [("z", "i4")])  # noqa: B015


def test_records_files_and_copies(device):
    x = np.rec.array([(1, 2.0), (3, 4.0)], dtype=[("x", "i4"), ("y", "f8")])
    got = cp.asarray(x)
    assert got.dtype.type is np.record
    f = io.BytesIO()
    cp.save(f, got)
    f.seek(0)
    check_same(cp.load(f), np.asarray(x))
    check_same(pickle.loads(pickle.dumps(got)), np.asarray(x))
    assert got.item(1) == (3, 4.0)
    out = np.zeros(2, x.dtype)
    got.get(out=out)
    assert out.tolist() == x.tolist()
    got.set(out[::-1].copy())
    assert got.tolist() == out.tolist()[::-1]


def test_make_aligned_dtype():
    inner = [("q", "i1"), ("w", "f8")]
    got = cp.make_aligned_dtype([("x", "i1"), ("z", "c16"), ("s", inner), ("v", "3c8")])
    assert [got.fields[n][1] for n in got.names] == [0, 16, 32, 48]
    assert got.itemsize == 80
    assert got.isalignedstruct
    assert cp.make_aligned_dtype("f8") == np.dtype("f8")
    assert cp.make_aligned_dtype([("x", "i1")], alignment=8).itemsize == 8
    with pytest.raises(ValueError, match="power of two"):
        cp.make_aligned_dtype([("x", "i1")], alignment=3)
    with pytest.raises(ValueError, match="recurse"):
        cp.make_aligned_dtype([("s", inner)], recurse=False)


def test_kernel_on_structures(device):
    source = r"""
    struct S { int a; double b; };
    extern "C" __global__ void add(const S *x, double *y) {
        y[threadIdx.x] = x[threadIdx.x].a + x[threadIdx.x].b;
    }
    extern "C" __global__ void fill(S *x, S value) { x[threadIdx.x] = value; }
    """
    dtype = cp.make_aligned_dtype([("a", "i4"), ("b", "f8")])
    x = cp.array([(1, 2.5), (4, 5.5)], dtype)
    y = cp.zeros(2)
    module = cp.RawModule(code=source)
    module.get_function("add")((1,), (2,), (x, y))
    assert y.tolist() == [3.5, 9.5]
    module.get_function("fill")((1,), (2,), (x, np.array((7, 8.0), dtype)[()]))
    assert x.tolist() == [(7, 8.0)] * 2


def test_kernels_of_elements_take_fields(device):
    x = cp.asarray(example(DTYPES["aligned"]))
    double = cp.ElementwiseKernel("T x, S y", "S z", "z = x + y", "sum_of_fields")
    np.testing.assert_array_equal(double(x["a"], x["b"]).get(), [0, 1.5, 3, 4.5])


def test_kernels_of_elements_take_structures(device):
    want = example(DTYPES["aligned"])
    x = cp.asarray(want)
    whole = cp.ElementwiseKernel(
        "T x, float64 by", "T y", "y = x; y.b *= by; y.c.e[1] = x.a;", "whole"
    )
    got = whole(x[::-1], 2)
    want = want[::-1].copy()
    want["b"] *= 2
    want["c"]["e"][:, 1] = want["a"]
    check_same(got, want)
    add = cp.ReductionKernel("T x", "float64 y", "x.b", "a + b", "y = a", "0", "of_b")
    assert float(add(x)) == 3.0
    pick = cp.ElementwiseKernel("raw T x, int64 k", "S y", "y = x[k].a", "pick_of")
    assert pick(x, cp.arange(4), cp.empty(4)).tolist() == [0, 1, 2, 3]
    with pytest.raises(TypeError, match="make_aligned_dtype"):
        whole(cp.asarray(example(DTYPES["packed"])), 2)


def test_kernels_of_elements_take_times(device):
    later = cp.ElementwiseKernel("T x", "T y", "y = x + 60", "a_minute_later")
    x = np.array(["2020-01-01", "2021-01-01"], "M8[s]")
    check_same(later(cp.asarray(x)), x + 60)


@pytest.mark.parametrize("order", "CFAK")
@pytest.mark.parametrize("source", ["M8[s]", "V6", "i8", "structure"])
def test_converted_in_an_order(device, source, order):
    new = {"M8[s]": "M8[ms]", "V6": "V8", "i8": "m8[s]"}.get(source, "i2,f8")
    old = "i4,f4" if source == "structure" else source
    x = np.zeros((2, 3, 4), old)
    for change in (lambda a: a, lambda a: a.T, lambda a: a.swapaxes(0, 1)):
        got = change(cp.asarray(x)).astype(new, order=order)
        want = change(x).astype(new, order=order)
        assert got.dtype == want.dtype
        assert got.strides == want.strides
        check_same(got, want)


@pytest.mark.parametrize("dtype", ["(2,)f4", "(2,3)i2", "2M8[s]", "2i4,f8"])
@pytest.mark.parametrize("shape", [(), 3, (3, 2)])
def test_axes_of_subarrays_are_added(device, shape, dtype):
    for make in (cp.zeros, cp.empty, cp.ones, cp.ndarray):
        if make is cp.ones and "M8" in dtype:
            continue
        got, want = make(shape, dtype), np.empty(shape, dtype)
        assert (got.shape, got.dtype) == (want.shape, want.dtype)
    with pytest.raises(TypeError, match="not supported"):
        cp.zeros(3, "(2,)S4")
    with pytest.raises(ValueError, match="dimensions"):
        cp.zeros((1,) * 63, "(2,3)f4")


SUBARRAYS = {
    "numbers": lambda m, a: m.array([1, 2, 3], "(2,)f4"),
    "tuples": lambda m, a: m.array([(1, 2), (3, 4)], "(2,)f4"),
    "one": lambda m, a: m.array(5, "(2,)f4"),
    "nested": lambda m, a: m.array([1, 2], np.dtype((np.dtype("(2,)f4"), (3,)))),
    "array": lambda m, a: m.array(a, "(2,3)i2"),
    "structures": lambda m, a: m.array([(1, 2), (3, 4)], "(2,)i4,f8"),
    "asarray": lambda m, a: m.asarray(a, "(2,)f4"),
    "of NumPy": lambda m, a: m.asarray(np.arange(3), "(2,)f4"),
    "ndmin": lambda m, a: m.array([1, 2], "(2,)f4", ndmin=3),
    "ascontiguousarray": lambda m, a: m.ascontiguousarray(a, "(2,)f4"),
    "astype": lambda m, a: a.astype("(2,)i2"),
    "astype of a part": lambda m, a: a[:, ::2].astype(dtype="(1,2)f8", casting="safe"),
    "view": lambda m, a: a.view("(4,)u1"),
    "view of columns": lambda m, a: a.T.view("(2,)i2"),
    "view of no elements": lambda m, a: a[:0].view("(2,2)u1"),
    "view as one": lambda m, a: a.view(np.dtype(("f4", (1,)))),
}


@pytest.mark.parametrize("call", SUBARRAYS.values(), ids=SUBARRAYS)
def test_elements_become_subarrays(device, call):
    n = np.arange(12, dtype="f4").reshape(3, 4)
    check_same(call(cp, cp.array(n)), call(np, n))


def test_views_as_subarrays_share_memory(device):
    x = cp.zeros(3, "f4")
    x.view("(2,)u2")[1, 1] = 0x3F80
    assert x.tolist() == [0, 1, 0]


def test_refused_subarrays(device):
    x = cp.arange(3, dtype="f4")
    for call in (
        lambda m, x: x.view("(2,)f4"),
        lambda m, x: m.array(x, "(2,)f4", copy=False),
    ):
        with pytest.raises(ValueError):
            call(np, x.get())
        with pytest.raises(ValueError):
            call(cp, x)
    with pytest.raises(TypeError, match="Cannot cast"):
        x.astype("(2,)i4", casting="safe")
    with pytest.raises(TypeError, match="not supported"):
        cp.array([1], "(2,)S4")
    made = cp.array([cp.array(1), cp.array(2)], "(2,)f4")
    assert made.tolist() == [[1, 1], [2, 2]]


def test_bfloat16_and_structures(device):
    x = cp.arange(3).astype("bfloat16").astype("i8,f4")  # NumPy knows the name now
    dtype = np.dtype([("a", "i4"), ("b", np.dtype("bfloat16"))])
    assert x.tolist() == [(0, 0.0), (1, 1.0), (2, 2.0)]
    y = cp.zeros(3, dtype)
    y["b"] = cp.arange(3)
    assert y["b"].astype("f4").tolist() == [0, 1, 2]
