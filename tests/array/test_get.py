"""Copies to the host: into memory of the caller's, pinned, and without waiting."""

import gc
import weakref

import numpy as np
import pytest

import cupric as cp
import cupricx
from cupric import cuda
from cupric.cuda import pinned_memory

SPIN = r"""
extern "C" __global__ void spin(float *x, long long nanoseconds)
{
    long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < nanoseconds);
    x[threadIdx.x] = threadIdx.x;
}
"""
N = 64
LONG = 300_000_000  # nanoseconds


@pytest.fixture
def slow():
    """Fills x with 0, 1, … on the current stream, and takes its time."""
    kernel = cp.RawKernel(SPIN, "spin")

    def fill(x):
        kernel((1,), (N,), (x, np.int64(LONG)))

    warm = cp.zeros(N, "f4")
    kernel((1,), (N,), (warm, np.int64(0)))
    cuda.Device().synchronize()
    return fill


def pinned(shape, order="C"):
    out = cupricx.empty_pinned(shape, "f4", order)
    out[...] = -1
    return out


@pytest.mark.parametrize("blocking", [True, False])
@pytest.mark.parametrize("stream", [False, True])
def test_values(stream, blocking):
    s = cuda.Stream() if stream else None
    x = cp.arange(24, dtype="f4").reshape(4, 6)
    expected = np.arange(24, dtype="f4").reshape(4, 6)
    cuda.Device().synchronize()
    for a, e in (
        (x, expected),
        (x.T, expected.T),
        (x[::2, 1::2], expected[::2, 1::2]),
        (x[0, 0], expected[0, 0]),
        (x[:0], expected[:0]),
    ):
        for order in "CFAK":
            for r in (
                a.get(stream=s, order=order, blocking=blocking),
                cp.asnumpy(a, s, order, blocking=blocking),
            ):
                cuda.Device().synchronize()
                assert type(r) is np.ndarray
                assert r.shape == e.shape
                np.testing.assert_array_equal(r, e)
                assert r.flags.f_contiguous or order != "F"
                assert r.flags.c_contiguous or order != "C"
        for out in (
            np.empty(e.shape, "f4"),
            np.empty(e.shape, "f4", order="F"),
            pinned(e.shape),
            pinned(e.shape, "F"),
            pinned([2 * n for n in e.shape])[
                tuple(slice(None, None, 2) for _ in e.shape)
            ],
        ):
            if e.shape:
                assert a.get(s, out=out, blocking=blocking) is out
                cuda.Device().synchronize()
                np.testing.assert_array_equal(out, e)


@pytest.mark.parametrize("blocking", [True, False])
def test_pinned_memory_stays_what_it_is(blocking):
    x = cp.arange(12, dtype="f4").reshape(3, 4)
    for out in (
        pinned((3, 4)),
        pinned((3, 4), "F"),
        cupricx.empty_like_pinned(x),
        cupricx.empty_like_pinned(x.T, order="K").T,
        cupricx.zeros_like_pinned(x, order="F"),
    ):
        base = out.base
        ptr = out.ctypes.data
        assert cp.asnumpy(x, out=out, blocking=blocking) is out
        assert out.base is base
        assert out.ctypes.data == ptr
        cuda.Device().synchronize()
        np.testing.assert_array_equal(out, x.get())
    made = cupricx.empty_like_pinned(x.T)
    assert type(made.base) is cuda.PinnedMemoryPointer
    assert made.strides == x.T.strides
    assert cupricx.empty_like_pinned(x[:0].T).shape == (4, 0)


def test_errors_are_the_same_without_waiting():
    x = cp.ones((2, 3), "f4")
    for out, error in (
        (np.empty((3, 2), "f4"), ValueError),
        (pinned((3, 2)), ValueError),
        (np.empty((2, 3), "f8"), TypeError),
        ([1], TypeError),
    ):
        with pytest.raises(error):
            x.get(out=out, blocking=False)
    locked = pinned((2, 3))
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x.get(out=locked, blocking=False)


@pytest.mark.only_on("host")
def test_on_the_host_all_is_done():
    x = cp.arange(N, dtype="f4")
    out = pinned(N)
    x.get(out=out, blocking=False)
    x[...] = 0
    assert out.tolist() == list(range(N))
    r = cp.asnumpy(x, blocking=False)
    x[...] = 1
    assert not r.any()


GETS = {
    "get": lambda x, s, out: x.get(stream=s, blocking=False),
    "get to out": lambda x, s, out: x.get(stream=s, out=out, blocking=False),
    "asnumpy": lambda x, s, out: cp.asnumpy(x, s, blocking=False),
    "asnumpy to out": lambda x, s, out: cp.asnumpy(x, s, out=out, blocking=False),
    "of a view": lambda x, s, out: x[::1].T.get(s, "F", out, False),
    "of every other": lambda x, s, out: cp.stack([x, x], 1)[:, 0].get(
        s, out=out, blocking=False
    ),
}


@pytest.mark.only_on("cuda")
@pytest.mark.parametrize("get", GETS)
@pytest.mark.parametrize("given", [False, True])
def test_the_call_returns_before_the_copy_is_done(slow, get, given):
    s = cuda.Stream(non_blocking=True)
    x, out = cp.zeros(N, "f4"), pinned(N)
    cp.stack([x, x], 1)[:, 0].copy()  # what is compiled at the first use
    GETS[get](x, s, out)
    cuda.Device().synchronize()
    with s:
        slow(x)
        r = GETS[get](x, s if given else None, out)
        assert not s.done
        assert isinstance(r.base, cuda.PinnedMemoryPointer)
        s.synchronize()
    assert r.tolist() == list(range(N))
    if "out" in get:
        assert r is out


@pytest.mark.only_on("cuda")
def test_the_call_waits_where_it_must(slow):
    s = cuda.Stream(non_blocking=True)
    with s:
        for out, blocking in ((np.empty(N, "f4"), False), (pinned(N), True)):
            x = cp.zeros(N, "f4")
            slow(x)
            x.get(out=out, blocking=blocking)
            assert s.done
            assert out.tolist() == list(range(N))


@pytest.mark.only_on("cuda")
def test_memory_is_kept_until_the_copy_is_done(slow):
    """Source and destination may be dropped, and nobody else gets their memory."""
    s = cuda.Stream(non_blocking=True)
    pool = cuda.PinnedMemoryPool()
    cuda.set_pinned_memory_allocator(pool.malloc)
    try:
        with s:
            x, out = cp.zeros(N, "f4"), pinned(N)
            gone = weakref.ref(out)
            slow(x)
            x.get(out=out, blocking=False)
            del x, out
            r = cp.zeros(N, "f4").get(blocking=False)
            del r
            gc.collect()
            assert pool.n_free_blocks() == 0
            assert gone() is not None
            s.synchronize()
            cuda.alloc_pinned_memory(8)
            assert gone() is None
            assert pool.n_free_blocks() >= 2
    finally:
        default = cuda.get_default_pinned_memory_pool()
        cuda.set_pinned_memory_allocator(default.malloc)


def test_a_capture_refuses_copies_to_the_host():
    s = cuda.Stream(non_blocking=True)
    out = pinned(N)
    with s:
        x = cp.ones(N, "f4")
        s.begin_capture()
        for kwargs in ({}, {"out": out}, {"out": np.empty(N, "f4")}):
            with pytest.raises(cuda.runtime.CUDARuntimeError, match="Capture"):
                x.get(blocking=False, **kwargs)
        y = x + 1
        graph = s.end_capture()
    graph.launch(s)
    s.synchronize()
    assert y.get().tolist() == [2.0] * N
    assert (out == -1).all()


def test_what_is_held_is_let_go():
    """The list of copies under way, on any device."""
    a = pinned(N)
    gone = weakref.ref(a)
    pinned_memory._hold(a, cuda.Device())
    del a
    cuda.Device().synchronize()
    cuda.alloc_pinned_memory(8)
    assert gone() is None
