"""Streams and events."""

import gc
import queue
import threading
import warnings

import pytest

import cupric as cp
from cupric import cuda
from cupric.cuda import runtime


def test_the_default_stream():
    null = cuda.Stream.null
    assert cuda.get_current_stream() == null
    assert null.ptr == 0
    assert null.device_id == -1
    assert cuda.Stream(null=True) == null
    assert null.done in (True, False)
    null.synchronize()


def test_streams_differ():
    a, b = cuda.Stream(), cuda.Stream(non_blocking=True, priority=-1)
    assert a != b
    assert a == a
    assert a != cuda.Stream.null
    assert a != 0
    assert len({a, b, a}) == 2
    assert b.is_non_blocking
    assert not a.is_non_blocking
    assert b.priority == -1
    assert a.priority == 0
    assert a.device_id == 0
    assert repr(a) == f"<Stream {a.ptr} (device 0)>"
    with pytest.raises(TypeError):
        a < b  # noqa: B015


def test_with_nests():
    a, b = cuda.Stream(), cuda.Stream()
    with a as entered:
        assert entered is a
        assert cuda.get_current_stream() == a
        with b:
            assert cuda.get_current_stream() == b
            with a:
                assert cuda.get_current_stream() == a
            with cuda.Stream.null:
                assert cuda.get_current_stream() == cuda.Stream.null
            assert cuda.get_current_stream() == b
        assert cuda.get_current_stream() == a
    assert cuda.get_current_stream() == cuda.Stream.null


def test_use():
    a = cuda.Stream()
    try:
        assert a.use() is a
        assert cuda.get_current_stream() == a == cuda.get_current_stream(0)
    finally:
        cuda.Stream.null.use()
    assert cuda.get_current_stream() == cuda.Stream.null


def test_the_current_stream_is_the_threads():
    seen = []
    a = cuda.Stream()

    def look():
        seen.append(cuda.get_current_stream())
        cuda.Stream().use()

    with a:
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert cuda.get_current_stream() == a
    assert seen == [cuda.Stream.null]


def test_the_threads_own_default_stream():
    ptds = cuda.Stream.ptds
    assert ptds == cuda.Stream(ptds=True)
    assert ptds.ptr == 2
    with ptds:
        assert cuda.get_current_stream() == ptds
        cuda.alloc(100).memset(0, 100)
    ptds.synchronize()
    with pytest.raises(ValueError):
        cuda.Stream(null=True, ptds=True)


def test_the_current_stream_outlives_its_object():
    with cuda.Stream():
        gc.collect()
        cuda.alloc(100).memset(0, 100)
        cuda.get_current_stream().synchronize()


def collected():
    gc.collect()
    return cuda.get_current_stream()


def test_del_of_the_stream_that_was_entered():
    a = cuda.Stream(non_blocking=True)
    ptr = a.ptr
    with a:
        x = cp.ones(1000)
        del a
        assert collected().ptr == ptr
        x += 1
        assert cuda.get_current_stream().is_non_blocking
        cuda.get_current_stream().synchronize()
        assert float(x.sum()) == 2000
    assert collected() == cuda.Stream.null


def test_del_of_the_stream_in_use():
    for make in (cuda.Stream, lambda: cuda.Stream(null=True)):
        a = make().use()
        try:
            ptr = a.ptr
            assert cuda.get_current_stream() == a
            x = cp.ones(3)
            del a
            assert collected().ptr == ptr
            assert (x + 1).tolist() == [2, 2, 2]
        finally:
            cuda.Stream.null.use()
    assert collected() == cuda.Stream.null
    del x


def test_del_of_a_stream_that_others_are_within():
    a, b, c = cuda.Stream(), cuda.Stream(), cuda.Stream()
    ptr = b.ptr
    with a:
        b.use()
        assert cuda.get_current_stream() == b
        with c:
            del a, b
            assert collected() == c
        assert cuda.get_current_stream().ptr == ptr
        x = cp.ones(3) + 1
    assert collected() == cuda.Stream.null
    assert x.tolist() == [2, 2, 2]


def test_another_threads_del_of_the_stream():
    a = cuda.Stream()
    ptr, seen, go, end = a.ptr, [], threading.Event(), threading.Event()

    def look(stream):
        stream.use()
        del stream
        go.set()
        end.wait()
        seen.append(cuda.get_current_stream().ptr)
        seen.append((cp.ones(3) + 1).tolist())

    args = [a]
    thread = threading.Thread(target=lambda: look(args.pop()))
    thread.start()
    go.wait()
    del a
    assert collected() == cuda.Stream.null
    end.set()
    thread.join()
    assert seen == [ptr, [2, 2, 2]]


def test_events():
    a = cuda.Stream()
    first = a.record()
    second = cuda.Event()
    assert a.record(second) is second
    cuda.Stream().wait_event(second)
    second.synchronize()
    assert second.done
    assert cuda.get_elapsed_time(first, second) >= 0
    second.record()
    second.record(cuda.Stream.null)
    assert isinstance(second.ptr, int)


def test_event_errors():
    recorded = cuda.Stream.null.record()
    untimed = cuda.Event(disable_timing=True)
    untimed.record()
    with pytest.raises(runtime.CUDARuntimeError) as info:
        cuda.get_elapsed_time(recorded, untimed)
    assert info.value.status == runtime.errorInvalidResourceHandle
    with pytest.raises(runtime.CUDARuntimeError):
        cuda.get_elapsed_time(recorded, cuda.Event())
    with pytest.raises(TypeError):
        cuda.get_elapsed_time(recorded, None)
    with pytest.raises(TypeError):
        cuda.Stream.null.wait_event(None)
    with pytest.raises(TypeError):
        cuda.Stream.null.record(1)
    with pytest.raises(TypeError):
        recorded.record("stream")
    with pytest.raises(ValueError):
        cuda.Event(interprocess=True)


def test_callbacks():
    a, calls = cuda.Stream(), []
    a.add_callback(lambda *args: calls.append(args), "x")
    a.launch_host_func(calls.append, "y")
    a.synchronize()
    assert calls == [(a, 0, "x"), "y"]


def test_a_callback_that_raises(monkeypatch):
    seen = []
    monkeypatch.setattr("sys.unraisablehook", lambda u: seen.append(u.exc_type))
    a = cuda.Stream()
    a.launch_host_func(lambda _: 1 / 0, None)
    a.synchronize()
    assert seen == [ZeroDivisionError]


def test_streams_of_others():
    a = cuda.Stream()

    class Other:
        def __cuda_stream__(self):
            return 0, a.ptr

    other = Other()
    b = cuda.Stream.from_external(other)
    assert a == b
    assert isinstance(b, cuda.Stream)
    assert a.__cuda_stream__() == (0, a.ptr)
    with pytest.warns(DeprecationWarning, match="from_external"):
        c = cuda.ExternalStream(a.ptr)
    assert a == c
    with c:
        assert cuda.get_current_stream() == a
    with pytest.raises(AttributeError):
        cuda.Stream.from_external(object())


@pytest.mark.parametrize("reply", [None, 1, (0,), (0, "x"), ("a", 1)])
def test_a_protocol_spoken_wrongly(reply):
    class Other:
        def __cuda_stream__(self):
            return reply

    with pytest.raises(TypeError):
        cuda.Stream.from_external(Other())


def test_memory_of_a_stream_that_ended():
    pool = cuda.MemoryPool()
    with cuda.Stream():
        held = pool.malloc(4096)
        ptr = pool.malloc(8192).ptr
    gc.collect()
    # What the stream had free is the default stream's now.
    total = pool.total_bytes()
    again = [pool.malloc(8192) for _ in range(20)]
    assert pool.total_bytes() == total
    assert ptr in [a.ptr for a in again]
    del held, again
    pool.free_all_blocks()
    assert pool.total_bytes() == 0


@pytest.mark.unguarded
def test_another_streams_memory_is_used_when_it_is_at_rest():
    pool = cuda.MemoryPool()
    pool.set_limit(size=1 << 20)
    a, b = cuda.Stream(), cuda.Stream()
    with a:
        ptr = pool.malloc(1 << 20).ptr
        a.synchronize()
    with b:
        assert pool.malloc(1 << 20).ptr == ptr


def test_runtime_streams_and_events():
    s = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    assert runtime.streamGetFlags(s) == runtime.streamNonBlocking
    first, second = runtime.eventCreate(), runtime.eventCreate()
    runtime.eventRecord(first, s)
    runtime.eventRecord(second, s)
    runtime.streamWaitEvent(0, second)
    runtime.streamSynchronize(s)
    assert runtime.streamQuery(s) == runtime.eventQuery(second) == 0
    assert runtime.eventElapsedTime(first, second) >= 0
    calls = []
    runtime.launchHostFunc(s, calls.append, 1)
    runtime.streamAddCallback(s, lambda *args: calls.append(args), 2)
    runtime.streamSynchronize(s)
    assert calls == [1, (s, 0, 2)]
    runtime.eventDestroy(first)
    runtime.streamDestroy(s)
    for destroy, handle in [
        (runtime.eventDestroy, first),
        (runtime.streamDestroy, s),
        (runtime.eventSynchronize, 12345),
    ]:
        with pytest.raises(runtime.CUDARuntimeError) as info:
            destroy(handle)
        assert info.value.status == runtime.errorInvalidResourceHandle


def test_profiler_and_marks():
    cuda.profiler.start()
    cuda.profiler.stop()
    cuda.nvtx.RangePush("a")
    cuda.nvtx.Mark("b")
    cuda.nvtx.RangePop()
    cuda.nvtx.RangeEnd(cuda.nvtx.RangeStart("c", 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with cuda.profile():
            pass
        assert cuda.nvtx_enabled == cuda.nvtx.available


def test_own_default_streams_of_threads():
    """One name for every thread, and for each a stream, whose memory is its own."""
    seen, release = queue.Queue(), threading.Event()

    def use():
        with cuda.Stream.ptds:
            x = cp.zeros(1000, "f4")
            place = x.data.ptr
            del x  # cached for this stream, which may still be writing it
            seen.put((cuda.get_current_stream().ptr, place))
            release.wait(60)

    threads = [threading.Thread(target=use) for _ in range(2)]
    results = []
    for t in threads:
        t.start()
        results.append(seen.get(timeout=60))
    release.set()
    for t in threads:
        t.join()
    assert [name for name, _ in results] == [cuda.Stream.ptds.ptr] * 2
    if cuda.runtime.getDeviceProperties(0)["major"]:  # else work is done on return
        assert results[0][1] != results[1][1]
