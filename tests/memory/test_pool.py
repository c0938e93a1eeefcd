"""The device pool: what it counts, what it reuses, what it says when it is empty."""

import ctypes
import gc
import os
import random
import subprocess
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import cupric
from cupric import cuda
from cupric._core import _fail_allocation
from cupric.cuda.memory import OutOfMemoryError

UNIT = 512
MIB = 1 << 20


def rounded(size):
    return -(-size // UNIT) * UNIT


def fill(pointer, byte, size):
    pointer.memset(byte, size)


def holds(pointer, byte, size):
    out = (ctypes.c_ubyte * size)()
    pointer.copy_to_host(ctypes.addressof(out), size)
    return bytes(out) == bytes([byte]) * size


sizes = st.one_of(
    st.integers(1, 2000),
    st.integers(1, 64).map(lambda n: n * UNIT),
    st.integers(1, 1 << 16),
    st.sampled_from([1 << 20, (1 << 20) + 1, 3 << 20, 5 << 20]),
)


class Pool(RuleBasedStateMachine):
    """A pool against a dict of what is live: no overlap, no loss, sums that agree."""

    def __init__(self):
        super().__init__()
        self.pool = cuda.MemoryPool()
        self.streams = [cuda.Stream.null, cuda.Stream(), cuda.Stream()]
        self.live = {}  # pointer's address -> (pointer, size, byte)
        self.count = 0

    @rule(size=sizes, stream=st.integers(0, 2))
    def allocate(self, size, stream):
        with self.streams[stream]:
            pointer = self.pool.malloc(size)
            self.count += 1
            fill(pointer, self.count % 256, size)
            self.streams[stream].synchronize()
        assert pointer.ptr % 256 == 0
        self.live[pointer.ptr] = pointer, size, self.count % 256

    @precondition(lambda self: self.live)
    @rule(which=st.randoms(use_true_random=False))
    def free(self, which):
        pointer, size, byte = self.live.pop(which.choice(sorted(self.live)))
        assert holds(pointer, byte, size)

    @rule()
    def trim(self):
        self.pool.free_all_blocks()
        if not self.live:
            assert self.pool.total_bytes() == self.pool.n_free_blocks() == 0

    @rule(stream=st.integers(1, 2))
    def end_stream(self, stream):
        self.streams[stream] = cuda.Stream()

    @invariant()
    def sums_agree(self):
        used = sum(rounded(size) for _, size, _ in self.live.values())
        assert self.pool.used_bytes() == used
        assert self.pool.total_bytes() >= used
        assert self.pool.free_bytes() == self.pool.total_bytes() - used

    @invariant()
    def nothing_overlaps(self):
        end = 0
        for ptr in sorted(self.live):
            assert ptr >= end
            end = ptr + rounded(self.live[ptr][1])

    def teardown(self):
        for pointer, size, byte in self.live.values():
            assert holds(pointer, byte, size)
        self.live = pointer = None
        assert self.pool.used_bytes() == 0
        self.pool.free_all_blocks()
        assert self.pool.total_bytes() == self.pool.n_free_blocks() == 0


TestPool = Pool.TestCase
TestPool.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)


@given(st.lists(sizes, min_size=1, max_size=30), st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_all_memory_joins_again(wanted, order):
    pool = cuda.MemoryPool()
    blocks = [pool.malloc(size) for size in wanted]
    order.shuffle(blocks)
    while blocks:
        blocks.pop()
    assert pool.used_bytes() == 0
    pool.free_all_blocks()
    assert (pool.total_bytes(), pool.n_free_blocks()) == (0, 0)


def test_counts_in_units():
    pool = cuda.MemoryPool()
    blocks = [pool.malloc(size) for size in (1, 511, 512, 513)]
    assert pool.used_bytes() == 512 * 5
    assert blocks[3].mem.size >= 513
    del blocks[0]
    assert pool.used_bytes() == 512 * 4


def test_what_was_never_given_is_no_free_block():
    pool = cuda.MemoryPool()
    mem = pool.malloc(1).mem
    assert pool.n_free_blocks() == 0
    mem.free()
    mem.free()
    assert pool.n_free_blocks() == 1
    blocks = [pool.malloc(1000), pool.malloc(2000)]
    assert pool.n_free_blocks() == 1  # of the first size
    del blocks
    assert pool.n_free_blocks() == 3
    pool.free_all_blocks()
    assert pool.n_free_blocks() == 0
    large = pool.malloc(3 * MIB)
    assert pool.n_free_blocks() == 0
    del large
    assert pool.n_free_blocks() == 1
    held = [pool.malloc(2 * MIB), pool.malloc(100)]
    assert pool.n_free_blocks() == 1  # of the three
    assert pool.used_bytes() == 2 * MIB + 512
    assert len(held) == 2
    assert pool.free_bytes() == pool.total_bytes() - pool.used_bytes()


def test_nothing_is_nothing():
    pool = cuda.MemoryPool()
    nothing = pool.malloc(0)
    assert nothing.ptr == 0
    assert pool.used_bytes() == pool.total_bytes() == 0


def test_a_freed_block_is_used_again_at_once():
    pool = cuda.MemoryPool()
    for size in (100, 5000, 1 << 20, 10 << 20):
        ptr = pool.malloc(size).ptr
        assert pool.malloc(size).ptr == ptr


@pytest.mark.unguarded
def test_large_blocks_are_split_and_joined():
    pool = cuda.MemoryPool()
    whole = pool.malloc(16 << 20)
    start = whole.ptr
    del whole
    a = pool.malloc(4 << 20)
    b = pool.malloc(12 << 20)
    assert (a.ptr, b.ptr) == (start, start + (4 << 20))
    assert pool.total_bytes() == 16 << 20
    del a, b
    assert pool.malloc(16 << 20).ptr == start


@pytest.mark.unguarded
def test_best_fit():
    pool = cuda.MemoryPool()
    large, keep, small = (pool.malloc(n << 20) for n in (8, 2, 4))
    small_ptr = small.ptr
    del large, small
    assert pool.malloc(4 << 20).ptr == small_ptr
    assert pool.free_bytes() == 12 << 20
    del keep


def test_small_blocks_do_not_pin_large_chunks():
    pool = cuda.MemoryPool()
    large = pool.malloc(32 << 20)
    del large
    small = pool.malloc(100)
    pool.free_all_blocks()
    assert pool.total_bytes() <= 2 << 20
    del small


@pytest.mark.unguarded
def test_a_limit():
    pool = cuda.MemoryPool()
    pool.set_limit(size=10_240)
    a = pool.malloc(10_000)
    with pytest.raises(OutOfMemoryError, match="limit set to: 10,240 bytes"):
        pool.malloc(1)
    del a
    b = pool.malloc(5000)  # what is cached gives way
    assert b.ptr
    assert pool.total_bytes() <= 10_240
    pool.set_limit(size=0)
    assert pool.get_limit() == 0
    assert pool.malloc(1 << 20).ptr


def test_a_limit_as_a_fraction():
    pool = cuda.MemoryPool()
    pool.set_limit(fraction=0.25)
    assert pool.get_limit() == int(cuda.Device().mem_info[1] * 0.25)


@pytest.mark.parametrize(
    "limit",
    [{"size": -1}, {"fraction": -0.1}, {"fraction": 1.1}, {"size": 1, "fraction": 0.5}],
)
def test_a_wrong_limit(limit):
    with pytest.raises(ValueError):
        cuda.MemoryPool().set_limit(**limit)


@pytest.mark.unguarded
def test_out_of_memory_says_what_is_needed():
    pool = cuda.MemoryPool()
    pool.set_limit(size=1 << 20)
    sizes = [1024 * n for n in (1, 2, 3, 4, 5, 6)]
    held = [pool.malloc(n) for n in sizes]
    with pytest.raises(MemoryError) as info:
        pool.malloc(1 << 21)
    text = str(info.value)
    assert "allocating 2,097,152 bytes" in text
    assert f"allocated so far: {sum(sizes):,} bytes" in text
    assert "cached and free: 0 bytes" in text
    assert "limit set to: 1,048,576 bytes" in text
    assert "device memory free" in text
    assert "in use: 6,144 bytes, 5,120 bytes, 4,096 bytes, 3,072 bytes, 2,048 b" in text
    del held


@pytest.mark.parametrize("size", [2**45, 2**62, 2**63, 2**64, 2**100])
def test_more_than_there_is(size):
    pool = cuda.MemoryPool()
    with pytest.raises(MemoryError, match="Out of memory"):
        pool.malloc(size)
    assert pool.malloc(100).ptr


@pytest.mark.parametrize("size", [-1, -(2**70), 1.5, "1", None])
def test_what_is_no_size(size):
    with pytest.raises((ValueError, TypeError, MemoryError)):
        cuda.MemoryPool().malloc(size)


def test_the_pool_goes_after_its_blocks():
    pool = cuda.MemoryPool()
    block = pool.malloc(1000)
    del pool
    fill(block, 3, 1000)
    assert holds(block, 3, 1000)


def test_an_allocation_made_to_fail():
    pool = cuda.MemoryPool()
    _fail_allocation(2)
    try:
        assert pool.malloc(10).ptr
        with pytest.raises(OutOfMemoryError):
            pool.malloc(10)
        assert pool.malloc(10).ptr
        _fail_allocation(5)
    finally:
        assert _fail_allocation(0) == 5
    assert _fail_allocation(0) == 0


def test_threads_share_a_pool():
    pool = cuda.MemoryPool()
    errors = []

    def work(seed):
        rng = random.Random(seed)
        live = []
        stream = cuda.Stream() if seed % 2 else cuda.Stream.null
        with stream:
            for i in range(1500):
                if live and rng.random() < 0.5:
                    pointer, size, byte = live.pop(rng.randrange(len(live)))
                    if not holds(pointer, byte, min(size, 64)):
                        errors.append((seed, i))
                else:
                    size = rng.randint(1, 1 << rng.randint(1, 18))
                    pointer = pool.malloc(size)
                    fill(pointer, seed, min(size, 64))
                    live.append((pointer, size, seed))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert pool.used_bytes() == 0
    pool.free_all_blocks()
    assert (pool.total_bytes(), pool.n_free_blocks()) == (0, 0)


@pytest.mark.unguarded
def test_after_a_storm_free_memory_is_usable():
    pool = cuda.MemoryPool()
    rng = random.Random(7)
    total = 64 << 20
    pool.set_limit(size=total)
    live = []
    for _ in range(3000):
        if live and rng.random() < 0.5:
            live.pop(rng.randrange(len(live)))
        else:
            try:
                live.append(pool.malloc(rng.randint(1, 4 << 20)))
            except MemoryError:
                live.pop(rng.randrange(len(live)))
    live.clear()
    assert pool.malloc(total).ptr


def largest(pool, free):
    """The largest block that can be had, to half a percent."""
    low, high = 0, free
    while high - low > free // 200:
        middle = (low + high) // 2
        try:
            pool.malloc(middle)
            low = middle
        except MemoryError:
            high = middle
    return low


def storm(pool, total, steps, seed):
    """Blocks of 1 to 64 MiB come and go; half of `total` stays in use."""
    rng = random.Random(seed)
    live, used = [], 0
    for i in range(steps):
        size = int(MIB * 64 ** rng.random())
        while used + size > total * (0.5 if i > steps * 0.9 else 0.75):
            k = rng.randrange(len(live))
            live[k], live[-1] = live[-1], live[k]
            used -= live.pop().mem.size
        live.append(pool.malloc(size))
        used += size
    return live


def test_what_is_free_in_pieces_can_be_had_in_one():
    pool = cuda.MemoryPool()
    total = 4096 * MIB
    pool.set_limit(size=total)
    live = storm(pool, total, 1500, 11)
    free = total - pool.used_bytes()
    assert largest(pool, free) >= 0.95 * free
    for i, pointer in enumerate(live[:50]):
        fill(pointer, i, 64)
    assert pool.malloc(int(0.94 * free)).ptr
    for i, pointer in enumerate(live[:50]):
        assert holds(pointer, i, 64)
    del live, pointer
    pool.free_all_blocks()
    assert pool.total_bytes() == 0


def test_a_small_array_does_not_pin_a_large_chunk():
    pool = cuda.MemoryPool()
    pool.set_limit(size=320 * MIB)
    whole = pool.malloc(256 * MIB)
    del whole
    kept = pool.malloc(64 * MIB)
    fill(kept, 5, 1000)
    assert pool.malloc(252 * MIB).ptr
    assert holds(kept, 5, 1000)


def test_a_loop_of_growing_sizes():
    pool = cuda.MemoryPool()
    pool.set_limit(size=256 * MIB)
    for n in range(1, 40):
        a, b = pool.malloc(n * 3 * MIB), pool.malloc(n * 3 * MIB)
        fill(a, n, 100)
        fill(b, n + 1, 100)
        assert holds(a, n, 100)
        assert holds(b, n + 1, 100)
        del a, b
    assert pool.total_bytes() <= 256 * MIB


def test_a_million_allocations_leave_no_trace():
    pool = cuda.MemoryPool()
    rng = random.Random(1)
    live, held = [], []
    for i in range(1_000_000):
        if len(live) > 300 or (live and i & 1):
            k = int(rng.random() * len(live))
            live[k], live[-1] = live[-1], live[k]
            live.pop()
        else:
            live.append(pool.malloc(int(2 ** (rng.random() * 22))))
        if i % 100_000 == 99_999:
            held.append(pool.total_bytes())
    assert held[-1] <= 2 * held[2]
    live.clear()
    assert pool.used_bytes() == 0
    pool.free_all_blocks()
    assert (pool.total_bytes(), pool.n_free_blocks()) == (0, 0)


def test_garbage_is_collected_before_giving_up():
    pool = cuda.MemoryPool()
    pool.set_limit(size=32 * MIB)

    class Node:
        pass

    gc.collect()
    node = Node()
    node.itself, node.memory = node, pool.malloc(30 * MIB)
    del node
    assert pool.malloc(20 * MIB).ptr


@pytest.mark.unguarded
def test_fit_for_use_after_running_out():
    pool = cuda.MemoryPool()
    pool.set_limit(size=64 * MIB)
    held = [pool.malloc(10 * MIB) for _ in range(5)]
    for _ in range(3):
        with pytest.raises(OutOfMemoryError, match="10,485,760 bytes, 10,485,760"):
            pool.malloc(20 * MIB)
        small = [pool.malloc(1000) for _ in range(100)]
        del small
    del held[::2]
    assert pool.malloc(20 * MIB).ptr


def test_plain_memory_does_the_same():
    code = """
from cupric import cuda
pool = cuda.MemoryPool()
blocks = [pool.malloc(n << 20) for n in (1, 5, 30)]
assert pool.total_bytes() >= 36 << 20
del blocks
assert pool.malloc(30 << 20).ptr
pool.free_all_blocks()
assert pool.total_bytes() == 0
print("ok")
"""
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "CUPRIC_POOL": "plain"},
        check=False,
    )
    assert result.stdout == "ok\n", result.stderr


def test_managed_memory_is_the_hosts_too():
    size = 1 << 16
    memory = cuda.ManagedMemory(size)
    stream = cuda.Stream.null
    memory.prefetch(stream)
    memory.advise(cuda.runtime.cudaMemAdviseSetReadMostly, cuda.Device())
    pointer = cuda.MemoryPointer(memory, 0)
    pointer.memset(7, size)
    stream.synchronize()
    memory.prefetch(stream, device_id=-1)
    stream.synchronize()
    assert ctypes.string_at(memory.ptr, size) == b"\7" * size
    with cuda.using_allocator(cuda.MemoryPool(cuda.malloc_managed).malloc):
        a = cupric.arange(1000, dtype="i8")
    cuda.Device().synchronize()
    ctypes.memset(a.data.ptr, 0, 8)
    assert int(a.sum()) == 499500


def test_memory_in_a_streams_order():
    stream = cuda.Stream()
    pointer = cuda.memory.MemoryPointer(cuda.MemoryAsync(1000, stream), 0)
    assert pointer.mem.stream_ref() is stream
    fill(pointer, 3, 1000)
    assert holds(pointer, 3, 1000)
    with stream, cuda.using_allocator(cuda.malloc_async):
        a = cupric.ones(100)
        assert float(a.sum()) == 100


def test_free_memory_is_any_streams():
    pool, stream = cuda.MemoryPool(), cuda.Stream()
    pool.malloc(3 * MIB)
    with stream:
        pool.malloc(5 * MIB)
    stream.synchronize()
    pool.free_all_blocks(stream=stream)
    assert pool.total_bytes() == 0
    pool.free_all_blocks(stream=cuda.Stream.null)
    for wrong in (5, "stream", pool):
        with pytest.raises(TypeError):
            pool.free_all_blocks(stream=wrong)


def test_the_old_name_of_free_all_blocks():
    pool = cuda.MemoryPool()
    pool.malloc(10)
    with pytest.warns(DeprecationWarning, match="free_all_blocks"):
        pool.free_all_free()
    assert pool.total_bytes() == 0
