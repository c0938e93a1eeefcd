"""Pinned host memory."""

import ctypes
import threading

import numpy as np
import pytest

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
    assert cuda.alloc_pinned_memory(0).size() == 0


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
