"""Calls of library functions that are replayed: `cupric._lib.kernels.replayed`."""

import gc
import inspect
import pickle
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import cupric as cp
from cupric._core import _fail_allocation
from cupric._lib.arguments import Output
from cupric._lib.kernels import Library, replayed, warn
from cupric.cuda.memory import OutOfMemoryError
from cupricx.scipy import ndimage

_library = Library(
    __file__,
    """
template <class T>
__global__ void
add_number(const T *x, T *y, long long n, double number)
{
    CUPRIC_EACH (i, n) { y[i] = x[i] + (T)number; }
}

template <class T>
__global__ void
add_arrays(const T *x, const T *y, T *z, long long n)
{
    CUPRIC_EACH (i, n) { z[i] = x[i] + y[i]; }
}

template <class T, int N>
__global__ void
gather(View<T, N> x, T *y, long long n)
{
    CUPRIC_EACH (i, n) { y[i] = x[i]; }
}
""",
)
_add = _library.kernel("add_number<T>", elements="n")
_add_arrays = _library.kernel("add_arrays<T>", elements="n")
_gather = _library.kernel("gather<T, N>", elements="n")


def plus(x, number=1.0, output=None):
    """`x + number`, of contiguous arrays in one launch."""
    target = Output(output, x)
    x = cp.ascontiguousarray(x.astype(target.dtype, copy=False))
    y = target.buffer(x)
    if x.size:
        _add[x.dtype](x=x, y=y, n=x.size, number=float(np.sum(number)))
    return target.result(y)


def add_arrays(x, y):
    z = cp.empty_like(x)
    _add_arrays[x.dtype](x=x, y=y, z=z, n=x.size)
    return z


@pytest.fixture
def add():
    return replayed(plus)


def numbers(*shape, dtype="f4"):
    return cp.asarray(np.random.default_rng(sum(shape)).integers(0, 90, shape), dtype)


def replays(function, *args, **kwargs):
    """Whether a call is replayed; its result is that of the function itself."""
    before = function._replays
    found = function(*args, **kwargs)
    expected = function.__wrapped__(*args, **kwargs)
    np.testing.assert_array_equal(found.get(), expected.get())
    assert found.dtype == expected.dtype
    return function._replays > before


# ---- what is replayed ------------------------------------------------------------------


def test_second_call_with_other_elements(add):
    x, y = numbers(3, 5), numbers(3, 5) + 7
    assert not replays(add, x, 2.5)
    assert replays(add, x, 2.5)
    assert replays(add, y, 2.5)
    assert add._kept == 1


def test_results_are_new_arrays(add):
    x = numbers(4)
    first, second, third = (add(x) for _ in range(3))
    assert len({a.data.ptr for a in (x, first, second, third)}) == 4
    second += 1
    np.testing.assert_array_equal(third.get(), first.get())
    assert third.flags.owndata
    assert third.flags.writeable
    assert third.base is None


def test_output_array(add):
    x, out, other = numbers(4), cp.zeros(4, "f4"), cp.zeros(4, "f4")
    assert add(x, output=out) is out
    assert add(x, output=other) is other
    assert add._replays == 1
    np.testing.assert_array_equal(other.get(), x.get() + 1)


@pytest.mark.parametrize(
    "change",
    [
        lambda x: (x.astype("f8"),),
        lambda x: (x.reshape(3, 2),),
        lambda x: (x.T,),
        lambda x: (x[:, ::-1],),
        lambda x: (x, 2.0),
        lambda x: (x, 1),
        lambda x: (x, True),
        lambda x: (x, np.float64(1)),
        lambda x: (x, np.float32(1)),
        lambda x: (x, [1.0]),
        lambda x: (x, (1.0,)),
        lambda x: (x, np.ones(1)),
        lambda x: (x, np.ones((1, 1))),
        lambda x: (x, 1.0, "f8"),
        lambda x: (x, 1.0, np.float64),
        lambda x: (x, 1.0, np.dtype("f8")),
        lambda x: (x, 1.0, cp.zeros_like(x)),
        lambda x: (x, 1.0, cp.zeros_like(x).T.reshape(2, 3, order="F")),
    ],
)
def test_key_tells_calls_apart(add, change):
    x = numbers(2, 3)
    add(x, 1.0)
    assert replays(add, x, 1.0)
    assert not replays(add, *change(x))
    replays(add, *change(x))
    assert replays(add, x, 1.0)


def test_values_of_arguments_count(add):
    x, several = numbers(5), np.array([1.0, 2.0])
    nested = [[1.0, 2.0], (3, [np.float32(4)])]
    for given in (several, nested[0]):
        assert not replays(add, x, given)
        assert replays(add, x, given)
        given[0] = 5.0
        assert not replays(add, x, given)
    total = replayed(lambda x, parts: plus(x, sum(map(np.sum, parts[0]))))
    assert not replays(total, x, nested)
    assert replays(total, x, nested)
    nested[1][1][0] = np.float32(9)
    assert not replays(total, x, nested)


def test_negative_zero_and_nan(add):
    x = cp.zeros(3, "f4") - 0.0
    for number in (0.0, -0.0, np.nan):
        assert not replays(add, x, number)
        assert replays(add, x, number)


def test_keywords_and_their_order(add):
    x = numbers(5)
    add(x, 1.0, None)
    assert not replays(add, x, number=1.0, output=None)
    assert not replays(add, x, output=None, number=1.0)
    assert replays(add, x, number=1.0, output=None)
    assert not replays(add, x, number=2.0, output=None)


def test_views_carry_shape_and_strides():
    @replayed
    def dense(x):
        with x.device:
            y = cp.empty(x.shape, x.dtype)
        _gather[x.dtype, x.ndim](x=x, y=y, n=x.size)
        return y

    x = numbers(4, 6)
    for a in (x.T, x[::2], x[:, 1::3], x[::-1]):
        assert not replays(dense, a)
        assert replays(dense, a + 0 if a.flags.c_contiguous else a)
    both = numbers(2, 4, 6)
    assert replays(dense, both[1].T)
    assert replays(dense, both[0][::-1])


def test_parts_of_one_array(add):
    both = numbers(2, 8)
    assert not replays(add, both[0], 1.0, both[1])
    other = numbers(2, 8)
    assert replays(add, other[0], 1.0, other[1])
    assert replays(add, other[1], 1.0, other[0])


# ---- several launches --------------------------------------------------------------------


def test_temporaries_and_functions_in_functions(add):
    @replayed
    def twice(x, output=None):
        return add(add(x, 1.0), 2.0, output)

    @replayed
    def four_times(x):
        return twice(twice(x))

    for _ in range(3):  # the inner ones are recorded, then replayed, within
        add._forget()
        assert replays(four_times, numbers(50)) == (four_times._replays > 0)
    assert four_times._kept == 1
    out = cp.empty(50, "f4")
    twice(numbers(50), out)
    assert replays(twice, numbers(50), out)
    add._forget(), twice._forget()
    np.testing.assert_array_equal(four_times(numbers(50)).get(), numbers(50).get() + 6)


def test_replays_within_a_recording(add):
    x = numbers(6)
    add(x, 1.0), add(x, 2.0)
    outer = replayed(lambda x: add(add(x, 1.0), 2.0))
    assert not replays(outer, x)
    assert replays(outer, x)


def test_copies_from_the_host(no_leak):
    times = []

    @replayed
    def total(x, values):
        times.append(1)
        there = cp.array(values, dtype=x.dtype)
        return add_arrays(add_arrays(x, there), there)

    @replayed
    def more(x, values):
        return total(total(x, values), values)

    for i in range(4):
        for values in ([1, 2, 3], np.array([7.0, 8.0, 9.0])):
            x = numbers(3) + i
            np.testing.assert_array_equal(
                more(x, values).get(), x.get() + 4 * np.array(values)
            )
    assert (more._kept, len(times)) == (2, 2)
    assert total._replays == 2


@pytest.mark.parametrize(
    "function",
    [
        lambda x: cp.sqrt(plus(x)),
        lambda x: cp.multiply(y := plus(x), 2, out=y),
        lambda x: x.copy(),
        lambda x: plus(x.astype("f8").astype("f4")) - x,
        lambda x: plus(cp.ascontiguousarray(x[::-1])) * x[:, None].T[0] / 3,
        lambda x: plus(cp.full(8, 4, "f4")) * x - plus(cp.zeros(8, "f4")),
        lambda x: cp.zeros((2, 3), "F") + x[:3] + cp.zeros_like(x[0]),
        lambda x: cp.where(x > 3, plus(x), x.astype("i4")),
        lambda x: cp.broadcast_to(x[1:5:2, None], (2, 3)) + cp.array([6, 7, 8]),
    ],
)
def test_elementwise_operations_and_conversions(function):
    again = replayed(function)
    for i in range(4):
        x = numbers(8) + i
        expected = function(x)
        found = again(x)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found.get(), expected.get())
    assert again._kept == 1
    assert again._replays == 3


def test_operations_within_other_replayed_functions(add):
    squared = replayed(lambda x: x * x)

    @replayed
    def total(x, out):
        cp.add(squared(x), squared(add(x, 1.0)), out=out)
        out[::2] = x[::2]
        return out

    for i in range(4):
        x, out = numbers(8) + i, cp.empty(8, "f4")
        assert total(x, out) is out
        expected = x.get() ** 2 + (x.get() + 1) ** 2
        expected[::2] = x.get()[::2]
        np.testing.assert_array_equal(out.get(), expected)
    assert total._replays == 3


@replayed
def weighted(x, weights):
    return plus(x, weights.get())


def test_contents_that_the_host_reads():
    weighted._forget()
    for n in range(3):
        assert replays(weighted, numbers(8) + n, numbers(3)) == (n > 0)
        assert replays(weighted, numbers(8), numbers(3) + 1) == (n > 0)
    assert weighted._kept == 2
    weights = numbers(3) + 1
    for _ in range(2):
        weights *= 2
        replays(weighted, numbers(8), weights)
    weights[...] = numbers(3)
    assert replays(weighted, numbers(8), weights)


def test_contents_read_within_other_recordings():
    outer = replayed(lambda x, w: plus(weighted(x, w)))
    for n in range(6):
        assert replays(outer, numbers(8) + n, numbers(3) + n % 2) == (n > 1)
    weighted._forget()
    outer._forget()
    assert not replays(outer, numbers(8), numbers(3))
    assert replays(outer, numbers(8), numbers(3))


def test_contents_that_are_too_long_or_strided():
    for weights in (numbers(257), numbers(20)[::-1], numbers(5, 4).T):
        weighted._forget()
        for _ in range(3):
            assert not replays(weighted, numbers(8), weights)


# ---- what is not --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function",
    [
        lambda x: cp.cumsum(plus(x)),
        lambda x: plus(cp.sort(x)),
        lambda x: plus(x, float(x[0])),
        lambda x: plus(x, cp.asnumpy(x[::2]).max()),
        lambda x: plus(plus(x), cp.asnumpy(x).max()),
        lambda x: plus(plus(x, x.get().max()), x.get().max()),
        lambda x: plus(x, cp.asnumpy(x.astype("f8")).max()),
        lambda x: plus(cp.asarray(np.arange(2048, dtype="f4"))),
        lambda x: plus(cp.asarray(np.eye(3, dtype="f4"), order="F")),
        lambda x: plus(cp.arange(8, dtype="f4")),
        lambda x: plus(x)[:4],
        lambda x: plus(x).reshape(2, 4),
        lambda x: cp.ElementwiseKernel("T x", "T y", "y = x", "replay_same")(plus(x)),
    ],
)
def test_other_operations_keep_it_from_being_replayed(function):
    function = replayed(function)
    for i in range(3):
        assert not replays(function, numbers(8) + i)
    assert function._kept == 0


def test_memory_that_is_kept_elsewhere():
    cached = []

    @replayed
    def remembers(x):
        cached.append(plus(x))
        return plus(cached[-1])

    shared = numbers(8)
    function = replayed(lambda x: plus(shared))
    for _ in range(3):
        assert not replays(remembers, numbers(8))
        assert not replays(function, numbers(8))
    same = replayed(lambda x: cached.append(y := plus(x)) or y)
    assert not any(replays(same, numbers(8)) for _ in range(3))


def test_overlapping_arguments(add):
    memory = numbers(9)
    expected = memory.get() + 1
    for _ in range(3):
        x = memory.copy()
        assert add(x, 1.0, x) is x
        np.testing.assert_array_equal(x.get(), expected)
    x, out = numbers(8), cp.zeros(8, "f4")
    add(x, 1.0, out)
    for _ in range(3):
        x = memory.copy()
        add(x[:8], 1.0, x[1:])
        np.testing.assert_array_equal(x.get()[1:], expected[:8])
    seen = cp.from_dlpack(x)  # another storage, the same memory
    x[...] = memory
    add(x[:8], 1.0, seen[1:])
    np.testing.assert_array_equal(x.get()[1:], expected[:8])


def test_an_array_that_is_given_twice(add):
    """Is known as such: what was recorded of it serves for no two arrays."""
    add_both = replayed(add_arrays)
    x, y = numbers(8), numbers(8) * 3
    for first, second in [(x, x), (x, y), (x, x[:]), (y, x), (y, y), (y[:], y)]:
        expected = first.get() + second.get()
        replays(add_both, first, second)
        assert replays(add_both, first, second)
        np.testing.assert_array_equal(add_both(first, second).get(), expected)
    assert add_both._kept == 3
    assert not replays(add_both, x[:4], x[2:6])
    assert not replays(add_both, x[:4], x[2:6])
    for _ in range(3):  # in place
        z = x.copy()
        assert add(z, 1.0, z) is z
        view = z[:]
        assert add(z, 1.0, view) is view
        np.testing.assert_array_equal(z.get(), x.get() + 2)


def test_arguments_that_no_key_knows():
    class Array(cp.ndarray):
        pass

    x = numbers(8)
    any_argument = replayed(lambda x, given=None: plus(x))
    for given in (
        len,
        object(),
        {"a": 1},
        {1},
        b"x",
        np.array([None]),
        1 << 70,
        x.flags,
    ):
        assert not replays(any_argument, x, given)
        assert not replays(any_argument, x, given)
    assert not replays(any_argument, x.view(Array))
    assert any_argument._kept == 0
    assert not replays(any_argument, x, np.zeros(1000))
    deep = [[[[[[1]]]]]]
    deep.append(deep)
    assert not replays(any_argument, x, deep)
    for given in ("text", "ü", 3 + 4j, np.dtype("i4"), int, (), None):
        assert not replays(any_argument, x, given)
        assert replays(any_argument, x, given)


def test_warnings_come_each_time():
    @replayed
    def warning(x):
        warn("again", stacklevel=2)
        return plus(x)

    for _ in range(3):
        with pytest.warns(UserWarning, match="again") as caught:
            warning(numbers(4))
        assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="footprint is set"):
        ndimage.minimum_filter(numbers(4, 4), 3, np.ones((3, 3)))
    with pytest.warns(UserWarning, match="footprint is set") as caught:
        ndimage.minimum_filter(numbers(4, 4), 3, np.ones((3, 3)))


def test_library_functions_announce_warnings():
    folder = Path(ndimage.__file__).parent
    for file in folder.rglob("*.py"):
        text = file.read_text()
        assert not ("@replayed" in text and "warnings.warn(" in text), file


def test_large_arrays_run(add):
    x = cp.empty((4097, 4096), "f4")
    x[...] = 1
    add(x), add(x)
    assert (add._kept, add._replays) == (0, 0)


# ---- errors -------------------------------------------------------------------------------


def test_errors_are_those_of_the_function(add):
    x = numbers(4, 5)
    for _ in range(2):
        with pytest.raises(
            TypeError, match="plus.* unexpected keyword argument 'nuber'"
        ):
            add(x, nuber=3)
        with pytest.raises(TypeError, match="missing 1 required positional argument"):
            add()
        with pytest.raises(RuntimeError, match="output shape not correct"):
            add(x, output=cp.zeros(3, "f4"))
        with pytest.raises(np.exceptions.AxisError):
            ndimage.uniform_filter1d(x, 3, axis=2)
        with pytest.raises(TypeError, match="Unsupported type"):
            ndimage.uniform_filter1d(x.get(), 3)
    readonly = cp.zeros((4, 5), "f4")
    add(x, 1.0, readonly)
    readonly.flags.writeable = False
    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            add(x, 1.0, readonly)
    np.testing.assert_array_equal(readonly.get(), x.get() + 1)


def test_failing_allocations(no_leak):
    @replayed
    def three(x):
        return plus(plus(plus(x)))

    x = numbers(30, 40)
    expected = three(x).get()
    failed = 0
    for n in range(1, 10):
        _fail_allocation(n)
        try:
            found = three(x)
        except OutOfMemoryError:
            failed += 1
            found = None
        finally:
            _fail_allocation(0)
        if found is not None:
            np.testing.assert_array_equal(found.get(), expected)
            break
    assert failed == 3
    assert three._kept == 1


# ---- bounds, threads, life ----------------------------------------------------------------


def test_number_of_recordings_is_bounded(add):
    shapes = [(n,) for n in range(1, 301)]
    for _ in range(2):
        for shape in shapes:
            np.testing.assert_array_equal(
                add(numbers(*shape)).get(), numbers(*shape).get() + 1
            )
    assert 16 <= add._kept <= 64


def test_threads(add):
    failures = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(300):
            n, number = int(rng.integers(1, 90)), float(rng.integers(3))
            x = np.full(n, seed, "f4")
            if not (add(cp.asarray(x), number).get() == x + number).all():
                failures.append((seed, n, number))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures
    assert add._kept <= 64


def test_streams(add):
    x = numbers(1000)
    expected = x.get() + 1
    for stream in (cp.cuda.Stream(), cp.cuda.Stream(non_blocking=True)):
        cp.cuda.Device().synchronize()
        with stream:
            for _ in range(3):
                y = add(x)
            assert replays(add, x)
        stream.synchronize()
        np.testing.assert_array_equal(y.get(), expected)


def test_no_references_are_left(add, no_leak):
    x, out, kind = numbers(7), cp.zeros(7, "f4"), type("Kind", (), {})
    function = replayed(lambda x, output, kind: add(add(x), 1.0, output))

    def counts():
        return [sys.getrefcount(o) for o in (x, out)]

    before = counts()
    for _ in range(50):
        function(x, out, kind)
        function(x, None, kind)
    assert counts() == before
    gone = weakref.ref(kind)
    del kind
    gc.collect()
    assert gone() is not None  # its address stands in a key
    function._forget()
    gc.collect()
    assert gone() is None
    gone = weakref.ref(function)
    del function
    gc.collect()
    assert gone() is None


def test_it_looks_like_the_function():
    f = ndimage.gaussian_filter1d
    assert f.__name__ == f.__qualname__ == "gaussian_filter1d"
    assert f.__doc__.startswith("Correlation with a Gaussian")
    assert f.__module__ == "cupricx.scipy.ndimage._filters._gaussian"
    assert list(inspect.signature(f).parameters)[:3] == ["input", "sigma", "axis"]
    assert inspect.isroutine(f)
    assert "gaussian_filter1d" in repr(f)
    assert pickle.loads(pickle.dumps(f)) is f

    class Owner:
        method = replayed(lambda self, x: plus(x))

    x = numbers(3)
    np.testing.assert_array_equal(Owner().method(x).get(), x.get() + 1)


# ---- the functions of scipy.ndimage -------------------------------------------------------

WINDOW = np.arange(9.0).reshape(3, 3)
CALLS = {
    "correlate1d": lambda f, x: f(x, [1, 2, 3]),
    "convolve1d": lambda f, x: f(x, np.array([1.0, 2, 4]), 0, mode="wrap"),
    "uniform_filter1d": lambda f, x: f(x, 3),
    "gaussian_filter1d": lambda f, x: f(x, 1.5, order=1),
    "minimum_filter1d": lambda f, x: f(x, 3),
    "maximum_filter1d": lambda f, x: f(x, 4, axis=0),
    "correlate": lambda f, x: f(x, WINDOW),
    "convolve": lambda f, x: f(x, WINDOW, mode="constant", cval=2.0),
    "laplace": lambda f, x: f(x),
    "sobel": lambda f, x: f(x, 0),
    "prewitt": lambda f, x: f(x),
    "uniform_filter": lambda f, x: f(x, 3),
    "gaussian_filter": lambda f, x: f(x, (1.0, 2.0)),
    "minimum_filter": lambda f, x: f(x, 3),
    "maximum_filter": lambda f, x: f(x, (3, 5), mode="mirror"),
    "grey_erosion": lambda f, x: f(x, 3),
    "grey_dilation": lambda f, x: f(x, (2, 3)),
    "grey_opening": lambda f, x: f(x, footprint=WINDOW % 2 == 0),
    "grey_closing": lambda f, x: f(x, structure=WINDOW),
    "affine_transform": lambda f, x: f(x, [[0.9, 0.1], [0, 1]], (0.5, 1), order=1),
    "map_coordinates": lambda f, x: f(x, cp.array([x[0] * 9, x[1] * 9]), order=1),
    "rotate": lambda f, x: f(x, 30, reshape=False, order=3, mode="nearest"),
    "shift": lambda f, x: f(x, (0.5, -1), order=1),
    "zoom": lambda f, x: f(x, 1.5, order=0),
    "distance_transform_edt": lambda f, x: f(x > 0.2, sampling=(2, 1)),
    "binary_erosion": lambda f, x: f(x > 0.1),
    "binary_dilation": lambda f, x: f(x > 0.9, WINDOW > 3, 2, mask=x > 0.5),
    "binary_opening": lambda f, x: f(x > 0.1),
    "binary_closing": lambda f, x: f(x > 0.9),
    "binary_hit_or_miss": lambda f, x: f(x > 0.5, [[1, 0]]),
    "fourier_gaussian": lambda f, x: f(x, 1.5),
    "fourier_uniform": lambda f, x: f(x, 3),
    "fourier_ellipsoid": lambda f, x: f(x, 3),
}


@pytest.mark.parametrize("name", CALLS)
def test_ndimage(name):
    function, call = getattr(ndimage, name), CALLS[name]
    rng = np.random.default_rng(7)
    before = function._replays
    for _ in range(3):
        x = cp.asarray(rng.random((9, 11)).astype("f4"))
        found, expected = call(function, x), call(function.__wrapped__, x)
        np.testing.assert_array_equal(found.get(), expected.get())
    assert function._replays >= before + 2
