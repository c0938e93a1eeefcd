"""Pinned host memory."""

import ctypes
import gc
import threading
import weakref

import numpy as np
import pytest

import cupric
from cupric import cuda


def test_a_buffer_for_numpy():
    p = cuda.alloc_pinned_memory(400)
    a = np.frombuffer(p, np.float32, 100)
    a[...] = np.arange(100)
    assert a.ctypes.data == p.ptr == int(p)
    q = cuda.alloc(400)
    q.copy_from_host_async(p.ptr, 400)
    out = np.empty(100, np.float32)
    q.copy_to_host(ctypes.c_void_p(out.ctypes.data), 400)
    assert (out == a).all()
    q.copy_to_host_async(p, 400, cuda.Stream.null)


def test_sizes():
    p = cuda.alloc_pinned_memory(100)
    assert p.size() == 100 == len(memoryview(p))
    assert (p + 10).size() == 90 == len(memoryview(p + 10))
    assert (p + 10).ptr == (10 + p).ptr == p.ptr + 10 == (p + 20 - 10).ptr
    assert p.mem.size == 100
    for outside in (p + 101, p - 1):
        with pytest.raises(BufferError):
            memoryview(outside)
    with pytest.raises(TypeError):
        p + "1"
    nothing = cuda.PinnedMemoryPool().malloc(0)
    assert nothing.size() == nothing.ptr == 0
    assert not isinstance(nothing.mem, cuda.pinned_memory.PooledPinnedMemory)


def test_the_pool_keeps_blocks():
    pool = cuda.PinnedMemoryPool()
    p = pool.malloc(1000)
    ptr = p.ptr
    assert p.mem.pool is pool
    assert pool.n_free_blocks() == 0
    del p
    assert pool.n_free_blocks() == 1
    p = pool.malloc(900)
    assert p.ptr == ptr
    assert pool.n_free_blocks() == 0
    p.mem.free()
    assert p.ptr == 0
    assert pool.n_free_blocks() == 1
    pool.free_all_blocks()
    assert pool.n_free_blocks() == 0


def test_a_block_outlives_its_pool():
    p = cuda.PinnedMemoryPool().malloc(1000)
    np.frombuffer(p, np.uint8)[...] = 1


def test_a_buffer_in_use_is_not_freed():
    p = cuda.PinnedMemoryPool().malloc(100)
    view = memoryview(p)
    with pytest.raises(ValueError, match="in use"):
        p.mem.free()
    view.release()
    p.mem.free()
    assert len(memoryview(p)) == 0


def test_allocators():
    default = cuda.get_default_pinned_memory_pool()
    try:
        cuda.set_pinned_memory_allocator()
        before = default.n_free_blocks()
        p = cuda.alloc_pinned_memory(100)
        del p
        assert default.n_free_blocks() == before
    finally:
        cuda.set_pinned_memory_allocator(default.malloc)
    p = cuda.alloc_pinned_memory(100)
    assert cuda.pinned_memory.is_memory_pinned(p)
    assert not cuda.pinned_memory.is_memory_pinned(b"")


class Buffer(cuda.PinnedMemory):
    """Memory of a user's own kind."""

    n_live = 0

    def __init__(self, size):
        self.buffer = ctypes.create_string_buffer(size)
        self.ptr = ctypes.addressof(self.buffer)
        self.size = size
        Buffer.n_live += 1

    def __del__(self):
        self.ptr = self.size = 0
        Buffer.n_live -= 1


class Source:
    """An allocator that remembers what was asked of it."""

    def __init__(self, limit=None):
        self.sizes = []
        self.limit = limit

    def __call__(self, size):
        if self.limit is not None and Buffer.n_live >= self.limit:
            raise cuda.memory.OutOfMemoryError("no more")
        self.sizes.append(size)
        return cuda.PinnedMemoryPointer(Buffer(size), 0)


def test_memory_of_a_users_kind():
    mem = Buffer(100)
    p = cuda.PinnedMemoryPointer(mem, 10)
    assert p.ptr == mem.ptr + 10
    assert p.size() == 90 == len(memoryview(p))
    with memoryview(p), pytest.raises(ValueError, match="in use"):
        mem.ptr = 0
    with pytest.raises(ValueError):
        mem.size = -1
    with pytest.raises(TypeError):
        mem.ptr = "here"
    with pytest.raises(AttributeError):
        del mem.ptr
    own = cuda.PinnedMemory(10)
    with pytest.raises(ValueError, match="already"):
        own.ptr = mem.ptr
    with pytest.raises(ValueError, match="already"):
        own.size = 20


def test_a_pool_over_an_allocator():
    source = Source()
    pool = cuda.PinnedMemoryPool(source)
    p, q = pool.malloc(1000), pool.malloc(1000)
    np.frombuffer(p, np.uint8)[...] = 1
    np.frombuffer(q, np.uint8)[...] = 2
    assert set(memoryview(p)) == {1}
    assert isinstance(p.mem, cuda.pinned_memory.PooledPinnedMemory)
    assert p.mem.pool is pool
    assert (p.size(), p.mem.size) == (1000, 1000)
    assert source.sizes == [1024, 1024]
    ptr = p.ptr
    del p
    assert pool.n_free_blocks() == 1
    p = pool.malloc(600)
    assert p.ptr == ptr
    p.mem.free()
    p.mem.free()
    assert pool.n_free_blocks() == 1
    pool.malloc(1025)
    assert source.sizes == [1024, 1024, 2048]
    assert pool.malloc(0).ptr == 0
    assert Buffer.n_live == 3
    pool.free_all_blocks()
    assert (pool.n_free_blocks(), Buffer.n_live) == (0, 1)
    del p, pool
    assert set(memoryview(q)) == {2}
    del q
    assert Buffer.n_live == 0


def test_a_pool_over_an_allocator_of_pinned_memory():
    pool = cuda.PinnedMemoryPool(
        lambda size: cuda.PinnedMemoryPointer(cuda.PinnedMemory(size), 0)
    )
    cuda.set_pinned_memory_allocator(pool.malloc)
    try:
        a = np.frombuffer(cuda.alloc_pinned_memory(400), np.float32)
        x = cupric.arange(100, dtype="f4")
        assert cupric.asnumpy(x, out=a) is a
    finally:
        default = cuda.get_default_pinned_memory_pool()
        cuda.set_pinned_memory_allocator(default.malloc)
    assert a.tolist() == list(range(100))
    assert pool.n_free_blocks() == 0
    del a
    assert pool.n_free_blocks() == 1


def test_free_blocks_give_way_to_new_ones():
    pool = cuda.PinnedMemoryPool(Source(limit=2))
    p, q = pool.malloc(100), pool.malloc(5000)
    with pytest.raises(MemoryError, match="no more"):
        pool.malloc(100)
    del p
    assert pool.malloc(10_000).size() == 10_000
    del q


@pytest.mark.parametrize(
    ("allocator", "error"),
    [
        (lambda: None, TypeError),
        (lambda size: None, TypeError),
        (lambda size: Buffer(size), TypeError),
        (lambda size: cuda.PinnedMemoryPointer(Buffer(size // 2), 0), ValueError),
        (lambda size: 1 // 0, ZeroDivisionError),
    ],
)
def test_an_allocator_that_fails(allocator, error):
    pool = cuda.PinnedMemoryPool(allocator)
    with pytest.raises(error):
        pool.malloc(100)
    assert pool.n_free_blocks() == 0
    with pytest.raises(TypeError):
        cuda.PinnedMemoryPool(5)


def test_an_allocator_that_holds_its_pool_is_collected():
    class Holder:
        def allocate(self, size):
            return cuda.PinnedMemoryPointer(Buffer(size), 0)

    holder = Holder()
    holder.pool = cuda.PinnedMemoryPool(holder.allocate)
    holder.pool.malloc(100)
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None
    assert Buffer.n_live == 0


@pytest.mark.parametrize("size", [2**62, 2**80])
def test_more_than_there_is(size):
    with pytest.raises(MemoryError):
        cuda.PinnedMemoryPool().malloc(size)
    with pytest.raises(ValueError):
        cuda.PinnedMemory(-1)


def test_threads_share_a_pool():
    pool, errors = cuda.PinnedMemoryPool(), []

    def work(seed):
        rng = np.random.default_rng(seed)
        live = []
        for _ in range(500):
            if live and rng.random() < 0.5:
                a = live.pop(int(rng.integers(len(live))))
                if (a != seed).any():
                    errors.append(seed)
            else:
                a = np.frombuffer(pool.malloc(int(rng.integers(1, 5000))), np.uint8)
                a[...] = seed
                live.append(a)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
