"""Work captured from a stream, and launched again."""

import contextlib
import gc

import numpy as np
import pytest

import cupric as cp
from cupric import cuda
from cupric.cuda import runtime


def capture(work, stream=None):
    """The graph of what `work` does, and what it returned."""
    stream = stream or cuda.Stream(non_blocking=True)
    with stream:
        work()  # what is set up at first use is set up
        stream.synchronize()
        stream.begin_capture()
        result = work()
        return stream.end_capture(), result, stream


def launched(graph, stream, result):
    graph.launch(stream)
    stream.synchronize()
    return result.get(stream=stream)


def values(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("f")


def test_nothing_runs_until_the_launch():
    x = cp.zeros(4)
    stream = cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        assert stream.is_capturing()
        x += 1
        graph = stream.end_capture()
    assert not stream.is_capturing()
    assert x.get().tolist() == [0] * 4
    for n in 1, 2, 3:
        graph.launch(stream)
        stream.synchronize()
        assert x.get().tolist() == [n] * 4


CASES = {
    "elementwise chain": lambda a, b: cp.sqrt(abs(a * 2 - b)) + cp.where(a > 0, a, b),
    "sum": lambda a, b: (a * b).sum(),
    "sum of rows": lambda a, b: (a + b).sum(1),
    "sum of columns": lambda a, b: a.sum(0) + b.max(0),
    "mean and std": lambda a, b: (a - a.mean(0)) / a.std(0),
    "argmax": lambda a, b: (a * b).argmax(1),
    "cumsum": lambda a, b: cp.cumsum(a, axis=1),
    "matmul": lambda a, b: (a @ b.T) @ b,
    "transposed copy": lambda a, b: cp.ascontiguousarray(a.T) + 1,
    "concatenate": lambda a, b: cp.concatenate([a, b], axis=1),
    "list index": lambda a, b: a[[3, 0, 3]] + b[:3],
    "host array": lambda a, b: a + cp.asarray(np.arange(32, dtype="f")),
    "setitem": lambda a, b: assigned(a, b),
    "arange": lambda a, b: a + cp.arange(32, dtype="f"),
    "sort": lambda a, b: cp.sort(a * b, axis=1),
    "argsort": lambda a, b: cp.argsort(a, axis=0),
    "searchsorted": lambda a, b: cp.searchsorted(cp.sort(a[0]), b[1]),
    "reduceat": lambda a, b: cp.add.reduceat(a, [0, 5, 9], axis=1),
    "scatter": lambda a, b: added_at(a, b),
    "fill": lambda a, b: cp.zeros_like(a) + cp.full((1, 32), 2.5, "f"),
    "convolve": lambda a, b: cp.convolve(a[0], b[0, :5]),
    "elementwise kernel": lambda a, b: cp.ElementwiseKernel(
        "T x, T y", "T z", "z = x * 3 - y", "captured_elementwise"
    )(a, b),
    "reduction kernel": lambda a, b: cp.ReductionKernel(
        "T x", "T y", "x * x", "a + b", "y = a", "0", "captured_reduction"
    )(a, axis=1),
    "many operations": lambda a, b: looped(a, b),
}


def assigned(a, b):
    c = a.copy()
    c[1:3, ::2] = b[1:3, ::2]
    c[5] = 7
    return c


def added_at(a, b):
    c = a.copy()
    cp.add.at(c, (cp.asarray([0, 0, 2]), slice(None)), b[:3])
    return c


def looped(a, b):
    for _ in range(25):
        a = a * 0.5 + b
    return a


@pytest.mark.parametrize("name", CASES)
def test_a_launch_equals_the_calls(name):
    a, b = cp.asarray(values(16, 32, seed=1)), cp.asarray(values(16, 32, seed=2))
    graph, result, stream = capture(lambda: CASES[name](a, b))
    for seed in range(3):
        a[...] = cp.asarray(values(16, 32, seed=10 + seed))
        b[...] = cp.asarray(values(16, 32, seed=20 + seed))
        cuda.Device().synchronize()
        # Others must not get the graph's memory.
        junk = [cp.full((16, 32), np.nan, "f") for _ in range(20)]
        cuda.Device().synchronize()
        got = launched(graph, stream, result)
        cp.testing.assert_allclose(got, CASES[name](a, b).get(), rtol=1e-5, atol=1e-5)
        del junk


@pytest.mark.parametrize("name", ["fft", "fftn", "irfft", "rfft"])
def test_transforms(name):
    a = cp.asarray(values(16, 32, seed=1))
    function = getattr(cp.fft, name)
    graph, result, stream = capture(lambda: function(a))
    a[...] = cp.asarray(values(16, 32, seed=3))
    cuda.Device().synchronize()
    got = launched(graph, stream, result)
    for n in range(3, 80):  # so many plans that those of the graph are the oldest
        cp.fft.fft(cp.ones(n))
    cp.testing.assert_allclose(got, function(a).get(), rtol=1e-4, atol=1e-4)
    got = launched(graph, stream, result)
    cp.testing.assert_allclose(got, function(a).get(), rtol=1e-4, atol=1e-4)


@pytest.mark.only_on("cuda")
def test_a_new_transform_on_a_blocking_stream():
    """It cannot be set up there, and says so without harm."""
    a = cp.asarray(values(13, 17, seed=1))
    stream = cuda.Stream()
    cuda.Device().synchronize()
    with stream:
        stream.begin_capture()
        with pytest.raises(runtime.CUDARuntimeError, match="once before"):
            cp.fft.fft(a)
        b = a * 2
        graph = stream.end_capture()
        np.testing.assert_array_equal(launched(graph, stream, b), a.get() * 2)
    graph, result, stream = capture(lambda: cp.fft.fft(a) + cp.fft.fft(a + 1), stream)
    got = launched(graph, stream, result)
    want = np.fft.fft(a.get()) + np.fft.fft(a.get() + 1)
    cp.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4)


def test_a_raw_kernel():
    kernel = cp.RawKernel(
        'extern "C" __global__ void f(float *x, float by, int n) {'
        " int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += by; }",
        "f",
    )
    x = cp.zeros(100, "f")

    def work():
        kernel((4,), (32,), (x, np.float32(1.5), 100))

    graph, _, stream = capture(work)
    graph.launch(stream)
    graph.launch(stream)
    stream.synchronize()
    np.testing.assert_array_equal(x.get(), np.full(100, 4.5, "f"))


def test_kernels_first_used_in_a_capture():
    x = cp.arange(6, dtype="i2")
    stream = cuda.Stream()
    kernel = cp.ElementwiseKernel("T x", "T y", "y = x * 7 - 2", "first_in_a_capture")
    with stream:
        stream.begin_capture()
        y = kernel(x) + cp.hypot(x, x)
        graph = stream.end_capture()
    got = launched(graph, stream, y)
    expected = (
        np.arange(6, dtype="i2") * 7 - 2 + np.hypot(*[np.arange(6, dtype="i2")] * 2)
    )
    np.testing.assert_allclose(got, expected, rtol=1e-3)


def test_random_numbers_repeat():
    graph, result, stream = capture(lambda: cp.random.random(1000))
    first = launched(graph, stream, result)
    assert 0.4 < first.mean() < 0.6
    np.testing.assert_array_equal(launched(graph, stream, result), first)


def test_bytes_from_the_host_come_along():
    source = np.arange(5.0)
    stream = cuda.Stream(non_blocking=True)
    with stream:
        x = cp.empty(5)
        stream.begin_capture()
        x.set(source)
        graph = stream.end_capture()
    source[:] = -1
    del source
    gc.collect()
    assert launched(graph, stream, x).tolist() == [0, 1, 2, 3, 4]


def test_copies_through_the_runtime():
    a, b = cp.arange(8.0), cp.zeros(8)
    stream = cuda.Stream(non_blocking=True)
    cuda.Device().synchronize()
    stream.begin_capture()
    runtime.memcpyAsync(
        b.data.ptr, a.data.ptr, 32, runtime.memcpyDeviceToDevice, stream.ptr
    )
    runtime.memsetAsync(b.data.ptr + 32, 0xFF, 16, stream.ptr)
    graph = stream.end_capture()
    got = launched(graph, stream, b)
    assert got[:4].tolist() == [0, 1, 2, 3]
    assert np.isnan(got[4:6]).all()
    assert got[6:].tolist() == [0, 0]


WAITING = {
    "get": lambda x, s: x.get(),
    "item": lambda x, s: x.sum().item(),
    "bool": lambda x, s: bool(x.any()),
    "float": lambda x, s: float(x[0]),
    "mask": lambda x, s: x[x > 2],
    "nonzero": lambda x, s: x.nonzero(),
    "synchronize": lambda x, s: s.synchronize(),
    "done": lambda x, s: s.done,
    "begin": lambda x, s: s.begin_capture(),
}


@pytest.mark.parametrize("name", WAITING)
def test_what_waits_is_refused(name):
    x = cp.arange(10.0)
    cuda.Device().synchronize()
    stream = cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        y = x + 1
        what = "IllegalState" if name == "begin" else "StreamCaptureUnsupported"
        with pytest.raises(runtime.CUDARuntimeError, match=what):
            WAITING[name](x, stream)
        y *= 2
        graph = stream.end_capture()
    np.testing.assert_array_equal(launched(graph, stream, y), np.arange(10.0) * 2 + 2)
    with stream:
        assert (x + 1).get().tolist() == list(range(1, 11))


def test_the_device_is_not_waited_for():
    stream = cuda.Stream(non_blocking=True)
    stream.begin_capture()
    with pytest.raises(runtime.CUDARuntimeError, match="StreamCaptureUnsupported"):
        cuda.Device().synchronize()
    stream.end_capture()
    cuda.Device().synchronize()


def raises(name):
    return pytest.raises(runtime.CUDARuntimeError, match=f"^cudaError{name}: ")


def test_the_null_stream_is_not_captured():
    with raises("StreamCaptureUnsupported") as info:
        cuda.Stream.null.begin_capture()
    assert info.value.status == 900
    assert not cuda.Stream.null.is_capturing()
    with raises("IllegalState"):
        cuda.Stream.null.end_capture()
    assert float(cp.ones(3).sum()) == 3


def test_a_second_capture_of_a_stream():
    x = cp.ones(3)
    stream = cuda.Stream(non_blocking=True)
    cuda.Device().synchronize()
    with stream:
        stream.begin_capture()
        y = x + 1
        with raises("IllegalState") as info:
            stream.begin_capture()
        assert info.value.status == 401
        assert stream.is_capturing()
        y += 1
        graph = stream.end_capture()
    assert launched(graph, stream, y).tolist() == [3] * 3


def test_an_end_without_a_begin():
    x = cp.ones(3)
    stream, other = cuda.Stream(non_blocking=True), cuda.Stream(non_blocking=True)
    cuda.Device().synchronize()
    with raises("IllegalState"):
        stream.end_capture()
    with stream:
        stream.begin_capture()
        y = x + 1
        with raises("IllegalState"):
            other.end_capture()
        graph = stream.end_capture()
        with raises("IllegalState"):
            stream.end_capture()
    assert launched(graph, stream, y).tolist() == [2] * 3


def test_an_end_by_a_stream_that_was_drawn_in():
    x = cp.ones(3)
    a, b = cuda.Stream(non_blocking=True), cuda.Stream(non_blocking=True)
    cuda.Device().synchronize()
    with a:
        a.begin_capture()
        b.wait_event(a.record())
        with b:
            y = x + 1
            with raises("StreamCaptureUnmatched") as info:
                b.end_capture()
            assert info.value.status == 903
            with raises("IllegalState"):
                b.begin_capture()
        a.wait_event(b.record())
        graph = a.end_capture()
    assert launched(graph, a, y).tolist() == [2] * 3


@pytest.fixture
def three():
    """Streams, and an array that is ready."""
    streams = [cuda.Stream(non_blocking=True) for _ in range(3)]
    x = cp.ones(4)
    x + 1, x * 2, x + x  # what they launch is there
    cuda.Device().synchronize()
    yield (*streams, x)
    for stream in streams:
        assert not stream.is_capturing()
        stream.synchronize()
        with stream:
            assert (x + 1).get().tolist() == [2] * 4


def test_streams_drawn_in_that_are_not_waited_for(three):
    a, b, c, x = three
    a.begin_capture()
    with a:
        y = x + 1
        b.wait_event(a.record())
    with b:
        y = y * 2
        c.wait_event(b.record())
    with c:
        y = y + 1
    a.wait_event(b.record())  # c is still to come
    with raises("StreamCaptureUnjoined") as info:
        a.end_capture()
    assert info.value.status == 904
    del y


def test_streams_drawn_in_that_are_waited_for_in_a_row(three):
    a, b, c, x = three
    a.begin_capture()
    with a:
        y = x + 1
        b.wait_event(a.record())
    with b:
        y = y * 2
        c.wait_event(b.record())
    with c:
        y = y + 1
    b.wait_event(c.record())  # b has nothing to do after it
    a.wait_event(b.record())
    with a:
        y = y * 2
    graph = a.end_capture()
    assert launched(graph, a, y).tolist() == [10] * 4


def test_captures_do_not_merge(three):
    a, b, _, x = three
    a.begin_capture()
    b.begin_capture()
    with a:
        y = x + 1
    with raises("StreamCaptureMerge") as info:
        b.wait_event(a.record())
    assert info.value.status == 902
    for stream in (a, b):
        with contextlib.suppress(runtime.CUDARuntimeError):  # a driver gives them up
            stream.end_capture()
    del y


def test_a_capture_does_not_wait_for_what_is_outside(three):
    a, b, _, x = three
    with b:
        y = x * 2
        outside = b.record()
    never = cuda.Event()
    a.begin_capture()
    with raises("StreamCaptureIsolation") as info:
        a.wait_event(outside)
    assert info.value.status == 905
    with contextlib.suppress(runtime.CUDARuntimeError):
        a.end_capture()
    b.wait_event(never)
    b.wait_event(outside)
    del y


@contextlib.contextmanager
def suppress_invalidated():
    try:
        yield
    except cuda.runtime.CUDARuntimeError as error:
        if "StreamCaptureInvalidated" not in str(error):
            raise


def test_an_event_of_a_capture_is_not_waited_for():
    refused = raises("(CapturedEvent|InvalidValue)")  # by the driver's version
    stream = cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        try:
            event = stream.record()
            with refused:
                event.synchronize()
            with refused:
                event.done  # noqa: B018
        finally:
            # Some drivers end the capture because of it.
            with suppress_invalidated():
                stream.end_capture()


def well_conditioned(n):
    a = values(n, n, seed=4).astype("d")
    return cp.asarray(a @ a.T + n * np.eye(n))


LIBRARIES = {
    "matmul": lambda a, b: a @ b,
    "dot": lambda a, b: a[0].dot(b[1]),
    "tensordot": lambda a, b: cp.tensordot(a, b, 1),
    "einsum": lambda a, b: cp.einsum("ij,kj->ik", a, b),
    "fft": lambda a, b: cp.fft.fft(a).real,
    "rfft2": lambda a, b: abs(cp.fft.rfft2(a)),
    "sort": lambda a, b: cp.sort(a, axis=None),
}


@pytest.mark.parametrize("name", LIBRARIES)
def test_libraries_in_a_capture(name):
    """Used for the first time there, too."""
    a, b = well_conditioned(9), cp.asarray(values(9, 9, seed=5).astype("d"))
    stream = cuda.Stream(non_blocking=True)
    cuda.Device().synchronize()
    with stream:
        stream.begin_capture()
        result = LIBRARIES[name](a, b)
        graph = stream.end_capture()
    got = launched(graph, stream, result)
    np.testing.assert_allclose(got, LIBRARIES[name](a, b).get(), rtol=1e-9, atol=1e-9)


FACTORISATIONS = {
    "solve": lambda a: cp.linalg.solve(a, a[0]),
    "inv": lambda a: cp.linalg.inv(a),
    "cholesky": lambda a: cp.linalg.cholesky(a),
    "qr": lambda a: cp.linalg.qr(a)[1],
    "svd": lambda a: cp.linalg.svd(a)[1],
    "eigvalsh": lambda a: cp.linalg.eigvalsh(a),
    "det": lambda a: cp.linalg.det(a),
    "lstsq": lambda a: cp.linalg.lstsq(a, a[0], rcond=None)[0],
    "norm": lambda a: cp.linalg.norm(a, 2),
}


@pytest.mark.parametrize("name", FACTORISATIONS)
@pytest.mark.parametrize("n", [7, 70])
def test_factorisations_in_a_capture(name, n, device):
    """Of small matrices by our own kernels; cuSOLVER's cannot be recorded."""
    a = well_conditioned(n)
    recorded = n < 33 or device == "host"
    stream = cuda.Stream(non_blocking=True)
    cuda.Device().synchronize()
    with stream:
        stream.begin_capture()
        try:
            if recorded:
                result = FACTORISATIONS[name](a)
            else:
                with pytest.raises(NotImplementedError, match="cuSOLVER.*is capturing"):
                    FACTORISATIONS[name](a)
                result = a * 2
        finally:
            graph = stream.end_capture()
    expected = FACTORISATIONS[name](a).get() if recorded else a.get() * 2
    got = launched(graph, stream, result)
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
    assert FACTORISATIONS[name](a).size > 0


def test_singular_matrices_in_a_capture(device):
    """There is nobody yet to tell."""
    if device == "host":
        pytest.skip("LAPACK says it at once")
    a, stream = cp.zeros((3, 4, 4)), cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        try:
            result = cp.linalg.inv(a)
        finally:
            graph = stream.end_capture()
    assert np.isnan(launched(graph, stream, result)).all()


def test_a_wrong_kernel_in_a_capture(device):
    module = cp.RawModule(
        code='extern "C" __global__ void one(float *x) { x[threadIdx.x] = 1; }'
    )
    x = cp.zeros(4, "f")
    stream = cuda.Stream(non_blocking=True)
    cuda.Device().synchronize()
    with stream:
        stream.begin_capture()
        with pytest.raises(cuda.driver.CUDADriverError, match="'two'"):
            module.get_function("two")
        one = module.get_function("one")
        if device == "host":  # what the driver says, and when, is its matter
            with pytest.raises(cuda.driver.CUDADriverError, match="INVALID_VALUE"):
                one((1,), (4096,), (x,))
        one((1,), (4,), (x,))
        graph = stream.end_capture()
    assert launched(graph, stream, x).tolist() == [1] * 4


def test_errors():
    stream = cuda.Stream()
    with pytest.raises(ValueError, match="capture mode 7"):
        stream.begin_capture(7)
    with pytest.raises(RuntimeError, match="begin_capture"):
        cuda.Graph()


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_modes(mode):
    x = cp.ones(3)
    y = x * 2
    stream = cuda.Stream(non_blocking=True)
    cuda.Device().synchronize()
    with stream:
        stream.begin_capture(mode)
        cp.multiply(x, 2, out=y)
        y += cp.ones(3)  # allocates: allowed in every mode
        graph = stream.end_capture()
    assert launched(graph, stream, y).tolist() == [3, 3, 3]


def test_another_stream_is_drawn_in():
    x = cp.arange(4.0)
    cuda.Device().synchronize()
    a, b = cuda.Stream(non_blocking=True), cuda.Stream(non_blocking=True)
    a.begin_capture()
    with a:
        y = x + 1
        fork = a.record()
    with b:
        b.wait_event(fork)
        assert b.is_capturing()
        z = y * 10
        join = b.record()
    with a:
        a.wait_event(join)
        z += 1
    graph = a.end_capture()
    assert not b.is_capturing()
    assert launched(graph, a, z).tolist() == [11, 21, 31, 41]
    with pytest.raises(runtime.CUDARuntimeError):
        join.synchronize()


def test_callbacks():
    seen = []
    stream = cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        stream.launch_host_func(seen.append, "called")
        graph = stream.end_capture()
    assert seen == []
    for _ in range(3):
        graph.launch(stream)
    stream.synchronize()
    assert seen == ["called"] * 3
    del graph
    gc.collect()


def test_a_stream_that_goes_while_it_is_captured():
    x = cp.ones(3)
    stream = cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        y = x + 1
    del stream
    gc.collect()
    del y
    cuda.Device().synchronize()
    assert (x + 1).get().tolist() == [2, 2, 2]


def test_memory_goes_with_the_graph(no_leak):
    x = cp.ones(1 << 20)
    graph, result, stream = capture(lambda: (x + x) * 2 - x)
    assert launched(graph, stream, result)[-1] == 3
    at = result.data.ptr
    assert cuda.device.from_pointer(at) == cuda.Device()
    del graph
    gc.collect()
    assert float(result[-1]) == 3  # an array outlives the graph
    del result
    gc.collect()
    cp.get_default_memory_pool().free_all_blocks()
    with pytest.raises(ValueError, match="no device"):
        cuda.device.from_pointer(at)


@pytest.fixture
def limited_pool():
    pool = cp.get_default_memory_pool()
    gc.collect()
    pool.free_all_blocks()
    before = pool.get_limit()
    pool.set_limit(pool.total_bytes() + (16 << 20))
    yield pool
    pool.set_limit(before)


@pytest.mark.unguarded
def test_captures_have_the_memory_of_graphs_that_are_gone(limited_pool):
    x = cp.ones(1000)
    stream = cuda.Stream(non_blocking=True)
    live = []
    for n in range(300):
        with stream:
            cuda.Device().synchronize()
            stream.begin_capture()
            y = x * 2 + n
            large = cp.zeros(1 << 18) + y[0]
            graph = stream.end_capture()
        assert launched(graph, stream, large)[-1] == 2 + n
        live.append((graph, y))
        if len(live) == 3:
            graph, y = live.pop(0)
            assert launched(graph, stream, y)[0] == n
        del graph, y, large
    assert limited_pool.total_bytes() <= limited_pool.get_limit()


@pytest.mark.unguarded
def test_a_graph_goes_while_another_is_captured(limited_pool):
    x = cp.ones(1 << 18)
    stream = cuda.Stream(non_blocking=True)
    graph = None
    for n in range(40):
        with stream:
            cuda.Device().synchronize()
            stream.begin_capture()
            del graph  # launched on the stream that is captured: not to be waited for
            y = x * 2 + n
            graph = stream.end_capture()
        assert launched(graph, stream, y)[0] == 2 + n
        del y


def test_upload_and_print():
    x = cp.ones(3)
    graph, y, stream = capture(lambda: x * 2)
    graph.upload(stream)
    assert launched(graph, stream, y).tolist() == [2, 2, 2]
    assert "digraph" in graph.debug_dot_str()
    assert isinstance(graph.graph, int)
    assert isinstance(graph.graphExec, int)


def test_launch_on_the_current_stream():
    x = cp.zeros(2)
    graph, _, _ = capture(lambda: cp.add(x, 1, out=x))
    before = x.get()[0]
    graph.launch()
    cuda.Stream.null.synchronize()
    assert x.get().tolist() == [before + 1] * 2
