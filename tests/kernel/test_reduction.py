"""ReductionKernel against NumPy."""

import itertools
import pickle

import numpy as np
import pytest

import cupric as cp


@pytest.fixture(scope="module")
def l2norm():
    return cp.ReductionKernel(
        "T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm"
    )


@pytest.fixture(scope="module")
def total():
    return cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")


AXES = [None, 0, 1, 2, -1, (0, 1), (1, 2), (0, 2), (0, 1, 2), ()]


@pytest.mark.parametrize(
    ("axis", "keepdims"), list(itertools.product(AXES, [False, True]))
)
def test_axes(l2norm, axis, keepdims):
    x = np.random.default_rng(0).random((3, 4, 5))
    expected = np.sqrt((x * x).sum(axis=axis, keepdims=keepdims))
    result = l2norm(cp.array(x), axis=axis, keepdims=keepdims)
    assert isinstance(result, cp.ndarray)
    assert result.shape == expected.shape
    np.testing.assert_allclose(result.get(), expected, rtol=1e-14)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize(
    "view",
    [
        lambda a: a.T,
        lambda a: a[::2, ::-1],
        lambda a: a[:, 1:3],
        lambda a: a.swapaxes(0, 1),
    ],
)
def test_strides(total, view, axis):
    x = np.arange(3 * 4 * 5.0).reshape(3, 4, 5)
    expected = view(x).sum(axis=axis)
    np.testing.assert_array_equal(total(view(cp.array(x)), axis=axis).get(), expected)


@pytest.mark.parametrize("size", [1, 2, 15, 16, 17, 255, 256, 257, 1000, 4096, 100_003])
def test_sizes(total, size):
    x = np.arange(size)
    assert int(total(cp.array(x))) == x.sum()


@pytest.mark.parametrize(
    "shape", [(1_000_003,), (3, 100_003), (100_003, 3), (40, 70, 50), (5000, 9), (1, 7)]
)
def test_few_outputs_and_many(total, shape):
    x = np.random.default_rng(0).integers(-9, 9, shape).astype("f8")
    for v, w in ((x, cp.array(x)), (x.T, cp.array(x).T)):
        for axis in (None, *range(v.ndim), *([(0, 2)] if v.ndim == 3 else [])):
            np.testing.assert_array_equal(total(w, axis=axis).get(), v.sum(axis=axis))


def test_on_a_stream_of_its_own(total):
    x = cp.arange(500_000.0)
    cp.cuda.get_current_stream().synchronize()
    stream = cp.cuda.Stream(non_blocking=True)
    results = [total(x, stream=stream) for _ in range(4)]
    stream.synchronize()
    assert {float(r) for r in results} == {500_000 * 499_999 / 2}


def test_floats_repeat(total):
    x = cp.array(np.random.default_rng(0).standard_normal((1000, 1000)).astype("f4"))
    for axis in (None, 0, 1):
        first = total(x, axis=axis).get().tobytes()
        assert all(total(x, axis=axis).get().tobytes() == first for _ in range(5))


@pytest.mark.parametrize("letter", "bBhHiIlLfdFD")
def test_dtypes(total, letter):
    x = np.arange(10).astype(letter)
    result = total(cp.array(x))
    assert result.dtype == x.dtype
    assert result.get() == x.sum(dtype=letter)


def test_float32_keeps_its_digits(total):
    x = np.full(1 << 22, 0.1, "f")
    np.testing.assert_allclose(float(total(cp.array(x))), 0.1 * (1 << 22), rtol=1e-6)


def test_several_inputs_broadcast():
    k = cp.ReductionKernel("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot2")
    x, y = np.arange(12.0).reshape(3, 4), np.arange(4.0)
    np.testing.assert_array_equal(
        k(cp.array(x), cp.array(y), axis=1).get(), (x * y).sum(1)
    )
    np.testing.assert_array_equal(k(cp.array(x), 2.0, axis=0).get(), (x * 2).sum(0))


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2), (0, 1, 2)])
def test_arrays_of_the_loop(axis):
    kernel = cp.ReductionKernel(
        "T x",
        "T y",
        "_raw_x[_in_ind.get()] + _raw_x[i] + _raw_x.size() * 0",
        "a + b",
        "y = a + 1000 * _raw_y.size() + _raw_y.shape()[0] * 0 + _raw_y.strides()[0] * 0",
        "0",
        "twice",
    )
    x = np.arange(24).reshape(2, 3, 4)
    due = 2 * x.sum(axis)
    due = due + 1000 * due.size
    for keepdims in False, True:
        for one in cp.asarray(x), cp.asarray(x.T.copy()).T:
            got = kernel(one, axis=axis, keepdims=keepdims)
            assert got.ravel().tolist() == due.ravel().tolist()


def test_raw_input():
    k = cp.ReductionKernel(
        "T x, raw T weights",
        "T z",
        "x * weights[_j]",
        "a + b",
        "z = a",
        "0",
        "weighted",
    )
    x, w = np.arange(12.0).reshape(3, 4), np.array([1.0, 10.0, 100.0, 1000.0])
    np.testing.assert_array_equal(k(cp.array(x), cp.array(w), axis=1).get(), x @ w)


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_position_among_the_reduced(axis):
    """_J counts the elements of one reduction."""
    k = cp.ReductionKernel("T x", "T y", "x * _J", "a + b", "y = a", "0", "weigh")
    x = np.arange(12.0).reshape(3, 4)
    weights = np.arange(x.size if axis is None else x.shape[axis])
    expected = (x.ravel() if axis is None else np.moveaxis(x, axis, -1)) @ weights
    np.testing.assert_array_equal(k(cp.array(x), axis=axis).get(), expected)


def test_several_outputs():
    k = cp.ReductionKernel(
        "T x",
        "T mean, T count",
        "x",
        "a + b",
        "mean = a / _n; count = _n",
        "0",
        "mean2",
    )
    x = np.arange(12.0).reshape(3, 4)
    mean, count = k(cp.array(x), axis=0)
    np.testing.assert_allclose(mean.get(), x.mean(0))
    np.testing.assert_array_equal(count.get(), np.full(4, 3.0))


def test_struct_as_reduce_type():
    k = cp.ReductionKernel(
        "T x",
        "T low, T high",
        "MinMax(x)",
        "MinMax(a, b)",
        "low = a.low; high = a.high",
        None,
        "min_max",
        reduce_type="MinMax",
        preamble="""
        struct MinMax {
            double low, high;
            MinMax() = default;
            __device__ MinMax(double v) : low(v), high(v) {}
            __device__ MinMax(MinMax a, MinMax b)
                : low(min(a.low, b.low)), high(max(a.high, b.high)) {}
        };""",
    )
    x = np.random.default_rng(3).standard_normal((50, 40))
    low, high = k(cp.array(x), axis=1)
    np.testing.assert_array_equal(low.get(), x.min(1))
    np.testing.assert_array_equal(high.get(), x.max(1))


def test_reduce_type():
    k = cp.ReductionKernel(
        "float16 x",
        "float16 y",
        "x",
        "a + b",
        "y = a",
        "0",
        "wide",
        reduce_type="float",
    )
    x = np.full(4096, 0.25, "e")
    assert float(k(cp.array(x))) == 1024


def test_out(total):
    x = cp.arange(12.0).reshape(3, 4)
    out = cp.empty(4)
    assert total(x, axis=0, out=out) is out
    np.testing.assert_array_equal(out.get(), x.get().sum(0))
    assert total(x, out, axis=0) is out
    strided = cp.zeros((4, 2))[:, 0]
    total(x, axis=0, out=strided)
    np.testing.assert_array_equal(strided.get(), x.get().sum(0))
    keep = cp.empty((1, 4))
    total(x, axis=0, keepdims=True, out=keep)
    np.testing.assert_array_equal(keep.get(), x.get().sum(0, keepdims=True))


def test_empty(total):
    assert float(total(cp.empty(0))) == 0
    assert total(cp.empty((0, 3)), axis=0).tolist() == [0, 0, 0]
    assert total(cp.empty((0, 3)), axis=1).shape == (0,)
    largest = cp.ReductionKernel(
        "T x", "T y", "x", "max(a, b)", "y = a", None, "largest"
    )
    assert float(largest(cp.array([1.0, 3.0, 2.0]))) == 3
    with pytest.raises(ValueError, match="zero-size array.*largest.*no identity"):
        largest(cp.empty(0))


def test_zero_dimensions(total):
    assert float(total(cp.array(3.0))) == 3


def test_options_and_preamble():
    k = cp.ReductionKernel(
        "T x",
        "T y",
        "f(x)",
        "a + b",
        "y = a",
        "0",
        "with_options",
        preamble="__device__ double f(double x) { return x * SCALE; }",
        options=("-DSCALE=3",),
    )
    assert float(k(cp.arange(4.0))) == 18


def test_mistakes(total):
    x = cp.ones((2, 3))
    with pytest.raises(np.exceptions.AxisError):
        total(x, axis=2)
    with pytest.raises(ValueError, match="duplicate"):
        total(x, axis=(0, 0))
    with pytest.raises(TypeError, match="Wrong number of arguments"):
        total()
    with pytest.raises(TypeError, match="Wrong arguments"):
        total(x, where=True)
    with pytest.raises(ValueError, match="Out shape is mismatched"):
        total(x, axis=0, out=cp.empty(2))
    with pytest.raises(ValueError, match="both a positional and keyword"):
        total(x, cp.empty(3), axis=0, out=cp.empty(3))
    with pytest.raises(TypeError, match="Unsupported type <class 'numpy.ndarray'>"):
        total(np.ones(3))
    with pytest.raises(ValueError, match="undecided"):
        total(3.0)
    with pytest.raises(TypeError, match="mismatched"):
        total(x, axis=0, out=cp.empty(3, "f"))
    with pytest.raises(ValueError, match="needs an output"):
        cp.ReductionKernel("T x", "", "x", "a + b", "", "0")


def test_source_that_does_not_compile():
    k = cp.ReductionKernel(
        "T x", "T y", "x", "a ++ b", "y = a", "0", "broken_reduction"
    )
    with pytest.raises(cp.cuda.compiler.CompileException, match="broken_reduction"):
        k(cp.ones(3))


def test_attributes(l2norm):
    assert (l2norm.nin, l2norm.nout, l2norm.nargs) == (1, 1, 2)
    assert l2norm.map_expr == "x * x"
    assert l2norm.reduce_expr == "a + b"
    assert l2norm.post_map_expr == "y = sqrt(a)"
    assert l2norm.identity == "0"
    assert l2norm.name == "l2norm"
    assert l2norm.reduce_type is None
    assert l2norm.options == ()
    assert cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", 0).identity == "0"


@pytest.mark.parametrize("shape", [(1000, 300), (37, 9), (5, 130, 7), (3, 500, 4, 11)])
@pytest.mark.parametrize("axis", [0, 1, (0, 1), -2])
def test_several_outputs_at_once(shape, axis):
    k = cp.ReductionKernel(
        "T x, T y, T w", "T z", "w * x * y", "a + b", "z = 2 * a", "0", "columns"
    )
    x = np.arange(np.prod(shape), dtype="d").reshape(shape) % 101
    y = np.arange(shape[-1], dtype="d") % 7
    expected = 2 * (3 * x * y).sum(axis=axis)
    np.testing.assert_array_equal(
        k(cp.array(x), cp.array(y), 3, axis=axis).get(), expected
    )
    f = cp.asarray(np.asfortranarray(x))
    np.testing.assert_array_equal(k(f, cp.array(y), 3, axis=axis).get(), expected)
    out = cp.zeros((*expected.shape, 2))[..., 0]
    k(cp.array(x)[::-1], cp.array(y), 3, axis=axis, out=out)
    np.testing.assert_array_equal(out.get(), 2 * (3 * x[::-1] * y).sum(axis=axis))


def test_pickle():
    kernel = cp.ReductionKernel(
        "T x",
        "T y",
        "x * K",
        "a + b",
        "y = a",
        None,
        "pickled",
        "double",
        options=("-DK=3",),
    )
    again = pickle.loads(pickle.dumps(kernel))
    assert again(cp.arange(4)) == 18
    assert (again.name, again.reduce_type, again.options) == (
        "pickled",
        "double",
        ("-DK=3",),
    )
    with pytest.raises(ValueError, match="no identity"):
        again(cp.zeros(0, "q"))
