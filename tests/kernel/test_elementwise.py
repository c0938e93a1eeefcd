"""ElementwiseKernel: its grammar, its types, its loop."""

import copy
import pickle

import numpy as np
import pytest

import cupric as cp

DTYPES = "?bBhHiIlLefdFD"


def check(result, expected):
    assert isinstance(result, cp.ndarray)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result.get(), expected)


# ---- types --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def add():
    return cp.ElementwiseKernel("T x, T y", "T z", "z = x + y", "add_two")


@pytest.mark.parametrize("letter", DTYPES)
def test_placeholder_takes_any_dtype(add, letter):
    x = np.arange(7).astype(letter)
    expected = x + x
    check(add(cp.array(x), cp.array(x)), expected)


def test_several_placeholders():
    k = cp.ElementwiseKernel("X x, Y y", "Z z", "z = x * y", "mul3")
    x, y = np.arange(3, dtype="i"), np.arange(3, dtype="f")
    out = cp.empty(3, "d")
    assert k(cp.array(x), cp.array(y), out) is out
    np.testing.assert_array_equal(out.get(), x * y.astype("d"))


def test_fixed_dtypes_are_not_converted():
    k = cp.ElementwiseKernel("float32 x", "float64 y", "y = x", "fixed")
    check(k(cp.ones(2, "f")), np.ones(2))
    with pytest.raises(TypeError, match="Type is mismatched.*float64.*float32"):
        k(cp.ones(2))


def test_placeholder_met_twice_with_two_dtypes(add):
    with pytest.raises(TypeError, match="Type is mismatched"):
        add(cp.ones(2, "f"), cp.ones(2, "d"))


@pytest.mark.parametrize("scalar", [2, 2.5, True, np.float32(2), np.int64(2)])
def test_numbers_take_the_arrays_dtype(add, scalar):
    x = np.arange(4, dtype="f")
    check(add(cp.array(x), scalar), (x + np.float32(scalar)).astype("f"))


def test_numbers_alone_decide():
    k = cp.ElementwiseKernel("T x", "T y", "y = x", "alone")
    assert k(np.float32(3), size=2).dtype == np.float32
    assert k(3, size=2).dtype == np.int64
    assert k(3.0, size=2).dtype == np.float64
    assert k(3j, size=2).dtype == np.complex128


def test_unknown_output_type():
    k = cp.ElementwiseKernel("T x", "U y", "y = x", "unknown_type")
    with pytest.raises(TypeError, match="nothing says what type U is"):
        k(cp.ones(2))


def test_integer_out_of_range(add):
    with pytest.raises(OverflowError):
        add(cp.ones(2, "b"), 1000)


# ---- shapes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((), ()),
        ((3,), ()),
        ((2, 3), (3,)),
        ((2, 1, 3), (4, 1)),
        ((0, 3), (3,)),
        ((1, 1), (1,)),
        ((5, 1, 1, 2), (1, 3, 4, 1)),
    ],
)
def test_broadcast(add, a, b):
    x = np.random.default_rng(1).standard_normal(a)
    y = np.random.default_rng(2).standard_normal(b)
    expected = np.asarray(x + y)
    result = add(cp.array(x), cp.array(y))
    assert result.shape == expected.shape
    check(result, expected)


def test_shapes_that_clash(add):
    with pytest.raises(ValueError, match=r"broadcast.*\(3\).*\(4\)|broadcast.*\(3,\)"):
        add(cp.ones(3), cp.ones(4))


@pytest.mark.parametrize("reduce_dims", [True, False])
@pytest.mark.parametrize(
    "view",
    [
        lambda a: a.T,
        lambda a: a[::2, ::-1],
        lambda a: a[:, 1:3],
        lambda a: a[..., None, 0],
        lambda a: a.swapaxes(0, 2),
        lambda a: a[1:, :, ::3],
    ],
)
def test_strides(view, reduce_dims):
    k = cp.ElementwiseKernel(
        "T x, T y", "T z", "z = x - 2 * y", "strides", reduce_dims=reduce_dims
    )
    x = np.arange(60.0).reshape(3, 4, 5)
    expected = view(x) - 2 * view(x)
    check(k(view(cp.array(x)), view(cp.array(x))), expected)
    out = view(cp.zeros((3, 4, 5)))
    k(view(cp.array(x)), view(cp.array(x)), out)
    check(out, expected)


def test_large_strided_array():
    k = cp.ElementwiseKernel("T x", "T y", "y = x + 1", "large")
    x = np.arange(600_000, dtype="i").reshape(1000, 600)
    check(k(cp.array(x).T), x.T + 1)
    check(k(cp.array(x)[::3, 1::2]), x[::3, 1::2] + 1)


def test_output_of_another_shape(add):
    with pytest.raises(ValueError, match="Out shape is mismatched"):
        add(cp.ones(3), cp.ones(3), cp.empty(4))
    with pytest.raises(ValueError, match="Out shape is mismatched|broadcast"):
        add(cp.ones(3), cp.ones(3), cp.empty(1))


def test_output_must_be_an_array(add):
    with pytest.raises(
        TypeError, match=r"cupric\.ndarray, not <class 'numpy.ndarray'>"
    ):
        add(cp.ones(3), cp.ones(3), np.empty(3))


def test_output_is_read_only(add):
    with pytest.raises(ValueError, match="read-only"):
        add(cp.ones(3), cp.ones(3), cp.broadcast_to(cp.ones(1), (3,)))


# ---- the loop -----------------------------------------------------------------------


def test_several_outputs():
    k = cp.ElementwiseKernel("T x, T y", "T s, T d", "s = x + y; d = x - y", "both")
    x, y = cp.arange(4), cp.arange(4)[::-1]
    s, d = k(x, y)
    check(s, np.full(4, 3))
    check(d, np.array([-3, -1, 1, 3]))
    out = cp.empty(4, int), cp.empty(4, int)
    result = k(x, y, *out)
    assert isinstance(result, tuple)
    assert result[0] is out[0]
    assert result[1] is out[1]


def test_i_and_n():
    k = cp.ElementwiseKernel("T x", "T y, int64 m", "y = x * i; m = n", "i_and_n")
    y, m = k(cp.ones((3, 4)))
    check(y, np.arange(12.0).reshape(3, 4))
    check(m, np.full((3, 4), 12))


def test_ind_size_and_get():
    k = cp.ElementwiseKernel(
        "T x",
        "T y",
        "y = _ind.size() + 10 * _ind.get()[0] + _ind.get()[1]",
        "ind",
        reduce_dims=False,
    )
    expected = 12 + 10 * np.arange(3.0)[:, None] + np.arange(4.0)
    check(k(cp.ones((3, 4))), expected)
    check(k(cp.ones((4, 3)).T), expected)


def test_a_parameter_called_n():
    k = cp.ElementwiseKernel("T x, int32 n", "T y", "y = x * n", "own_n")
    check(k(cp.arange(3), 5), np.arange(3) * 5)


def test_raw_by_number():
    k = cp.ElementwiseKernel(
        "T x, raw T y, int64 n_", "T z", "z = x + y[n_ - i - 1]", "reverse"
    )
    x = np.arange(5.0)
    check(k(cp.array(x), cp.array(10 * x), 5), x + 10 * x[::-1])
    strided = cp.array(np.arange(10.0) * 10)[::2]
    check(k(cp.array(x), strided, 5), x + strided.get()[::-1])


def test_raw_of_two_axes():
    k = cp.ElementwiseKernel(
        "raw T x, int64 w", "T z", "z = x[i / w * w + (w - 1 - i % w)]", "flip_rows"
    )
    x = np.arange(12).reshape(3, 4)
    for given in (cp.array(x), cp.array(x.T).T):
        check(k(given, 4, size=12), x[:, ::-1].ravel())


def test_raw_by_index():
    code = "ptrdiff_t at[] = {_ind.get()[1], _ind.get()[0]}; z = y + x[at]"
    k = cp.ElementwiseKernel(
        "raw T x, T y", "T z", code, "transpose", reduce_dims=False
    )
    x = np.arange(12.0).reshape(3, 4)
    check(k(cp.array(x), cp.zeros((4, 3))), x.T)


def test_raw_shape_and_strides():
    code = "z = x.shape()[i]; s = x.strides()[i]; m = x.size()"
    k = cp.ElementwiseKernel("raw T x", "int64 z, int64 s, int64 m", code, "about")
    a = cp.zeros((2, 3, 4), "f")[:, ::-1]
    z, s, m = k(a, size=3)
    assert z.tolist() == list(a.shape)
    assert s.tolist() == list(a.strides)
    assert m.tolist() == [24] * 3


def test_shape_strides_and_index_are_ptrdiff_t():
    code = """
    const ptrdiff_t *shape = x.shape(), *strides = x.strides(), *at = _ind.get();
    const ptrdiff_t *loop = _ind.shape();
    y = 1000 * shape[0] + 100 * strides[0] + 10 * loop[0] + at[0]"""
    k = cp.ElementwiseKernel("raw float32 x", "float64 y", code, "pointers")
    x = cp.zeros(3, "f")
    np.testing.assert_array_equal(k(x, size=2).get(), [3420, 3421])


def layouts(x):
    """The same elements, in memory as they can lie."""
    wide = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
    wide[..., ::2] = x
    return [cp.asarray(x), cp.asarray(x.T.copy()).T, cp.asarray(wide)[..., ::2]]


@pytest.mark.parametrize("reduce_dims", [True, False])
def test_arrays_of_the_loop(reduce_dims):
    """`_raw_x` is the array of x, seen through the axes of the loop."""
    kernel = cp.ElementwiseKernel(
        "T x, T y",
        "T z",
        "z = _raw_x[i] + 10 * _raw_y[_ind.get()];"
        "if (i + 1 < _raw_x.size()) z += 1000 * _raw_x[i + 1]",
        "neighbours",
        reduce_dims=reduce_dims,
    )
    x, y = np.arange(12).reshape(3, 4), np.arange(4) + 1
    due = x + 10 * y + 1000 * np.append(x.ravel()[1:], 0).reshape(3, 4)
    for one in layouts(x):
        assert kernel(one, cp.asarray(y)).tolist() == due.tolist()
        out = layouts(x)[2]
        kernel(one, cp.asarray(y), out)
        assert out.tolist() == due.tolist()


def test_shape_and_strides_of_arrays_of_the_loop():
    kernel = cp.ElementwiseKernel(
        "T x",
        "raw int64 z",
        "z[0] = _raw_x.ndim; z[1] = _raw_x.size();"
        "for (int d = 0; d < _raw_x.ndim; d++) {"
        " z[2 + d] = _raw_x.shape()[d]; z[4 + d] = _raw_x.strides()[d]; }",
        "describe",
        reduce_dims=False,
    )
    x = np.zeros((3, 4))
    for one in layouts(x):
        z = cp.zeros(6, "q")
        kernel(one, z)
        assert z.tolist() == [2, 12, 3, 4, *one.strides]
    dense = cp.zeros(6, "q")
    cp.ElementwiseKernel(
        "T x", "raw int64 z", "z[0] = _raw_x.ndim; z[1] = _raw_x.strides()[0]", "f"
    )(cp.asarray(x), dense)
    assert dense.tolist()[:2] == [1, 8]


def test_fields_by_number():
    dtype = cp.make_aligned_dtype([("a", "i4"), ("b", "f8"), ("c", "i1", (3,))])
    x = np.zeros(3, dtype)
    x["a"], x["b"], x["c"] = [1, 2, 3], 0.5, [[1, 2, 3]] * 3
    read = cp.ElementwiseKernel(
        "T x",
        "float64 y, int32 n",
        "y = x.at<0>() + x.at<1>() + x.at<2>()[1]; n = T::field_count",
        "read_fields",
    )
    y, n = read(cp.asarray(x))
    assert y.tolist() == [3.5, 4.5, 5.5]
    assert n.tolist() == [3, 3, 3]
    write = cp.ElementwiseKernel(
        "int32 q",
        "T y",
        "y.at<0>() = q; y.at<1>() = q * 2.5; y.at<2>()[2] = 7",
        "write",
    )
    out = cp.zeros(2, dtype)
    write(cp.arange(2, dtype="i"), out)
    assert out["b"].tolist() == [0, 2.5]
    assert out.get()["c"].tolist() == [[0, 0, 7]] * 2
    own = cp.ElementwiseKernel(
        "T x", "int32 y", "y = x.at + x.field_count", "own_names"
    )
    names = cp.make_aligned_dtype([("at", "i4"), ("field_count", "i4")])
    assert own(cp.ones(2, "i8").view(names)).tolist() == [1, 1]


@pytest.mark.parametrize("value", [1j, np.complex64(2), 0j])
def test_complex_numbers_for_real_parameters(value):
    kernel = cp.ElementwiseKernel("T x, T y", "T z", "z = x + y", "add")
    with pytest.raises(TypeError, match="y is a complex number, the parameter 'T y'"):
        kernel(cp.ones(3), value)
    assert kernel(cp.ones(3, "D"), value).tolist() == [1 + value] * 3
    total = cp.ReductionKernel("T x, T y", "T z", "x + y", "a + b", "z = a", "0", "f")
    with pytest.raises(TypeError, match="complex"):
        total(cp.ones(3), value)


def test_raw_output():
    k = cp.ElementwiseKernel("T x", "raw T z", "z[n - 1 - i] = x", "scatter")
    out = cp.zeros(4, int)
    assert k(cp.arange(4), out) is out
    check(out, np.arange(4)[::-1])
    with pytest.raises(ValueError, match="Undecided"):
        k(cp.arange(4))


def test_atomic_add_to_a_raw_output():
    k = cp.ElementwiseKernel(
        "int32 x", "raw int32 counts", "atomicAdd(&counts[x], 1)", "count"
    )
    x = np.random.default_rng(0).integers(0, 10, 100_000).astype("i")
    counts = cp.zeros(10, "i")
    k(cp.array(x), counts)
    check(counts, np.bincount(x).astype("i"))


def test_size():
    k = cp.ElementwiseKernel("raw T x", "T y", "y = x[0] * i", "sized")
    check(k(cp.full(1, 3), size=4), np.arange(4) * 3)
    assert k(cp.full(1, 3), size=0).shape == (0,)
    with pytest.raises(ValueError, match=r"Loop size is undecided\."):
        k(cp.full(1, 3))
    with pytest.raises(ValueError, match="negative"):
        k(cp.full(1, 3), size=-2)
    plain = cp.ElementwiseKernel("T x", "T y", "y = x", "plain")
    with pytest.raises(
        ValueError, match="can be used only if all of the ndarray are 'raw'"
    ):
        plain(cp.ones(3), size=3)


def test_return_in_an_operation():
    code = "z = 0; if (x < 3) return; z = x"
    k = cp.ElementwiseKernel("T x", "T z", code, "returns")
    check(k(cp.arange(6)), np.array([0, 0, 0, 3, 4, 5]))


def test_continue_in_an_operation():
    k = cp.ElementwiseKernel("T x", "T z", "z = 0; if (x < 3) continue; z = x", "skips")
    check(k(cp.arange(6)), np.array([0, 0, 0, 3, 4, 5]))


def test_preamble_loop_prep_after_loop():
    k = cp.ElementwiseKernel(
        "T x",
        "T y, raw int32 done",
        "y = twice(x) + start",
        "parts",
        preamble="template <class V> __device__ V twice(V v) { return 2 * v; }",
        loop_prep="T start = 100",
        after_loop="atomicAdd(&done[0], 1)",
    )
    done = cp.zeros(1, "i")
    y = cp.empty(3)
    k(cp.arange(3.0), y, done)
    check(y, 100 + 2 * np.arange(3.0))
    assert int(done[0]) == 3


def test_loop_prep_begins_anew_with_each_element():
    k = cp.ElementwiseKernel(
        "", "float64 y", "s += 1; y = s;", "prep", loop_prep="double s = 0;"
    )
    check(k(cp.empty(6)), np.ones(6))
    check(k(cp.empty(100_000)), np.ones(100_000))
    check(k(cp.empty((3, 2, 5)).T), np.ones((5, 2, 3)))


def test_after_loop_sees_what_the_operation_left():
    k = cp.ElementwiseKernel(
        "T x",
        "raw T sum",
        "part += x",
        "summed",
        loop_prep="T part = 0",
        after_loop="atomicAdd(&sum[0], part)",
    )
    total = cp.zeros(1)
    k(cp.arange(1000.0), total)
    assert float(total[0]) == 499500


def test_operation_that_changes_i():
    code = "int b = i / 4; i -= b * 4; y[b * 4 + i] = x[b * 4 + i];"
    k = cp.ElementwiseKernel("raw T x", "raw T y", code, "keep")
    y = cp.zeros(12)
    k(cp.arange(12.0), y, size=12)
    check(y, np.arange(12.0))
    k = cp.ElementwiseKernel("T x", "T y", "y = x; i = -5; i += x", "moved")
    x = cp.arange(24.0).reshape(4, 6)[:, ::2]
    check(k(x), x.get())


@pytest.mark.parametrize("word", ["break", "continue", "return"])
def test_operation_ends_early(word):
    code = f"z = 0; if (x < 3) {word}; z = x"
    k = cp.ElementwiseKernel("T x", "T z", code, "ends")
    x = np.arange(24.0).reshape(4, 6)
    check(k(cp.asarray(x)[:, ::2]), np.where(x < 3, 0, x)[:, ::2])


@pytest.mark.parametrize(
    ("word", "done"), [("break", 6), ("continue", 6), ("return", 3)]
)
def test_after_loop_of_an_operation_that_ends_early(word, done):
    k = cp.ElementwiseKernel(
        "T x",
        "raw int32 count",
        f"if (x < 3) {word};",
        "ends_after",
        after_loop="atomicAdd(&count[0], 1)",
    )
    count = cp.zeros(1, "i")
    k(cp.arange(6.0), count)
    assert int(count[0]) == done


def test_operation_that_ends_in_a_comment():
    k = cp.ElementwiseKernel("T x", "T y", "y = x; // all", "commented")
    check(k(cp.arange(3)), np.arange(3))


def test_options():
    k = cp.ElementwiseKernel(
        "T x", "T y", "y = x + SHIFT", "optional", options=("-DSHIFT=5",)
    )
    check(k(cp.arange(3)), np.arange(3) + 5)


@pytest.mark.parametrize("name", ["N", "T", "X", "A", "block", "x0", "value"])
def test_macro_of_any_name(name):
    """cupric's own headers use such names too."""
    k = cp.ElementwiseKernel("V v", "V w", f"w = v + {name}", options=(f"-D{name}=5",))
    np.testing.assert_array_equal(k(cp.arange(3)).get(), [5, 6, 7])


def test_no_return_and_return_tuple():
    k = cp.ElementwiseKernel("T x", "T y", "y = x", "nothing", no_return=True)
    assert k(cp.ones(2), cp.empty(2)) is None
    k = cp.ElementwiseKernel("T x", "T y", "y = x", "one", return_tuple=True)
    (y,) = k(cp.ones(2))
    check(y, np.ones(2))


def test_no_outputs():
    k = cp.ElementwiseKernel(
        "raw _non_const float64 x", "", "x[i] = i", "inputs_only", no_return=True
    )
    x = cp.zeros(4)
    assert k(x, size=4) is None
    check(x, np.arange(4.0))


def test_in_place():
    k = cp.ElementwiseKernel("T x", "T y", "y = x * 3", "in_place")
    x = cp.arange(5)
    k(x, x)
    check(x, np.arange(5) * 3)


def test_stream_and_block_size(add):
    s = cp.cuda.Stream()
    check(add(cp.ones(3), cp.ones(3), stream=s), np.full(3, 2.0))
    check(add(cp.ones(3), cp.ones(3), block_size=256), np.full(3, 2.0))
    with pytest.raises(ValueError, match="block_size must be greater than zero"):
        add(cp.ones(3), cp.ones(3), block_size=0)


def test_complex():
    k = cp.ElementwiseKernel(
        "complex64 x", "float32 r, complex64 y", "r = x.real(); y = conj(x) * x", "cplx"
    )
    x = (np.arange(3) + 1j).astype("F")
    r, y = k(cp.array(x))
    check(r, x.real)
    check(y, np.conj(x) * x)


def test_functions_of_complex_numbers():
    k = cp.ElementwiseKernel(
        "complex128 x", "complex128 y", "y = exp(x) + sqrt(x)", "cexp"
    )
    x = np.array([1 + 2j, -3 + 0.5j])
    np.testing.assert_allclose(k(cp.array(x)).get(), np.exp(x) + np.sqrt(x), rtol=1e-14)


def test_float16():
    k = cp.ElementwiseKernel(
        "float16 x", "float16 y", "y = x * x + float16(1)", "halves"
    )
    x = np.arange(5, dtype="e")
    check(k(cp.array(x)), x * x + np.float16(1))


def test_overview_notebook_kernel():
    k = cp.ElementwiseKernel(
        "float64 x, float64 y", "float64 z", "z = x + y", "add_vec_elem"
    )
    x, y = np.random.default_rng(0).random((2, 100_000))
    check(k(cp.array(x), cp.array(y)), x + y)


def test_notes_kernel():
    k = cp.ElementwiseKernel(
        "float32 x, float32 y",
        "float32 z",
        """if (x - 2 > y) {
          z = x * y;
        } else {
          z = x + y;
        }""",
        "my_kernel",
    )
    x = cp.arange(6, dtype="f").reshape(2, 3)
    y = cp.arange(3, dtype="f")
    check(k(x, y), np.array([[0, 2, 4], [0, 4, 10]], "f"))


# ---- mistakes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("float x", "Wrong type float"),
        ("x", "Syntax error"),
        ("T", "Syntax error"),
        ("T x, ", None),
        ("cooked T x", 'Unknown keyword "cooked"'),
        ("T i", "Can not use 'i'"),
        ("T x, T x", "two parameters are called 'x'"),
        ("T x-y", "cannot be the name"),
        ("1 x", "Wrong type"),
    ],
)
def test_parameter_grammar(params, message):
    if message is None:
        assert cp.ElementwiseKernel(params, "T y", "y = x").nin == 1
        return
    with pytest.raises(ValueError, match=message):
        cp.ElementwiseKernel(params, "T z", "")


def test_too_many_parameters():
    params = ", ".join(f"T x{i}" for i in range(100))
    with pytest.raises(ValueError, match="can have"):
        cp.ElementwiseKernel(params, "T z", "")


def test_many_parameters():
    params = ", ".join(f"T x{i}" for i in range(20))
    code = "z = " + " + ".join(f"x{i}" for i in range(20))
    k = cp.ElementwiseKernel(params, "T z", code, "many")
    arrays = [cp.full((3, 2), i)[:, ::-1] for i in range(20)]
    check(k(*arrays), np.full((3, 2), 190))


def test_arguments(add):
    with pytest.raises(
        TypeError, match=r"Wrong number of arguments for 'add_two'.*1 were"
    ):
        add(cp.ones(2))
    with pytest.raises(TypeError, match="Wrong number of arguments"):
        add()
    with pytest.raises(TypeError, match="Unsupported type <class 'numpy.ndarray'>"):
        add(cp.ones(2), np.ones(2))
    with pytest.raises(TypeError, match="Unsupported type <class 'list'>"):
        add(cp.ones(2), [1, 2])
    with pytest.raises(TypeError, match="Unsupported type <class 'str'>"):
        add("a", cp.ones(2))
    with pytest.raises(TypeError, match="Wrong arguments"):
        add(cp.ones(2), cp.ones(2), axis=1)


def test_construction():
    with pytest.raises(TypeError, match="unexpected keyword argument 'loops'"):
        cp.ElementwiseKernel("T x", "T y", "", loops=1)
    with pytest.raises(ValueError, match="Invalid kernel name"):
        cp.ElementwiseKernel("T x", "T y", "", "not a name")
    with pytest.raises(TypeError):
        cp.ElementwiseKernel("T x")
    with pytest.raises(TypeError):
        cp.ElementwiseKernel(1, 2, 3)
    with pytest.raises(TypeError):
        cp.ElementwiseKernel("T x", "T y", "y = x", options=(1,))


def test_source_that_does_not_compile():
    k = cp.ElementwiseKernel("T x", "T y", "y = nonsense(x)", "broken")
    with pytest.raises(cp.cuda.compiler.CompileException) as info:
        k(cp.ones(2))
    assert "nonsense" in str(info.value)
    assert "broken" in info.value.source
    assert "y = nonsense(x);" in str(info.value).split("The source:")[1]
    with pytest.raises(cp.cuda.compiler.CompileException):
        k(cp.ones(2))


def test_two_devices(add):
    if cp.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("one device")
    with cp.cuda.Device(1):
        y = cp.ones(2)
    with pytest.raises(ValueError, match="device"):
        add(cp.ones(2), y)
    assert add(y, y).device.id == 1


def test_attributes():
    k = cp.ElementwiseKernel(
        "T x, raw float32 y",
        "T z",
        "z = x",
        "named",
        preamble="// p",
        loop_prep="int a",
    )
    assert (k.nin, k.nout, k.nargs) == (2, 1, 3)
    assert (k.name, k.operation, k.preamble) == ("named", "z = x", "// p")
    assert (k.reduce_dims, k.no_return, k.return_tuple) == (True, False, False)
    assert k.kwargs == {"loop_prep": "int a"}
    assert [p.name for p in k.params] == ["x", "y", "z"]
    assert [p.raw for p in k.in_params] == [False, True]
    assert k.in_params[1].dtype == np.float32
    assert k.out_params[0].ctype == "T"
    assert k.cached_codes == {}
    k(cp.ones(2), cp.ones(2, "f"))
    assert "named(" in k.cached_code
    assert list(k.cached_codes.values()) == [k.cached_code]


def test_no_leak():
    k = cp.ElementwiseKernel("T x", "T y", "y = x + 1", "leakless")
    pool = cp.get_default_memory_pool()
    x = cp.ones(1000)
    k(x)
    used = pool.used_bytes()
    for _ in range(1000):
        k(x)
        with pytest.raises(TypeError):
            k(x, x, x)
        with pytest.raises(ValueError, match="mismatched"):
            k(x, cp.empty(3))
    assert pool.used_bytes() == used


def test_pickle():
    kernel = cp.ElementwiseKernel(
        "T x, _non_const raw int32 y",
        "T z",
        "z = f(x) + K * y[0] + w",
        "pickled",
        reduce_dims=False,
        preamble="template <class T> __device__ T f(T x) { return 2 * x; }",
        return_tuple=True,
        options=("-DK=10",),
        loop_prep="int w = 100",
    )
    again = pickle.loads(pickle.dumps(kernel))
    (z,) = again(cp.arange(3), cp.ones(1, "i"))
    assert z.tolist() == [110, 112, 114]
    for name in (
        "name",
        "preamble",
        "operation",
        "kwargs",
        "reduce_dims",
        "return_tuple",
    ):
        assert getattr(again, name) == getattr(kernel, name)
    assert (
        copy.deepcopy(kernel)(cp.arange(3), cp.ones(1, "i"))[0].tolist() == z.tolist()
    )
