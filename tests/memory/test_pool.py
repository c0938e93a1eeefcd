"""The device pool: what it counts, what it reuses, what it says when it is empty."""

import ctypes
import random
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from cupric import cuda
from cupric._core import _fail_allocation
from cupric.cuda.memory import OutOfMemoryError

UNIT = 512


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


def test_the_old_name_of_free_all_blocks():
    pool = cuda.MemoryPool()
    pool.malloc(10)
    with pytest.warns(DeprecationWarning, match="free_all_blocks"):
        pool.free_all_free()
    assert pool.total_bytes() == 0
