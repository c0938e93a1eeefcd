"""Memory of one stream that another works on: nobody gets it too early."""

import threading

import numpy as np

import cupric
from cupric import cuda


def test_not_used_again_before_the_other_stream_is_done(run):
    run("""
s, t = stream(device), stream(device)
for size in (1000, 5 * MIB):
    set_busy(1)
    block = alloc(device, size, s)
    ptr = address(block)
    core.cu_storage_note(block, t)
    core.cu_storage_note(block, t)
    before = count("records")
    free(block)
    assert count("records") == before + 1
    other = alloc(device, size, s)
    assert address(other) != ptr
    set_busy(0)
    if size == 1000:  # looked for when the bin has no more
        free(other)
        assert address(alloc(device, size, s)) == address(other)
    assert address(alloc(device, size, s)) == ptr
assert count("waits") == count("syncs") == 0
""")


def test_ones_own_stream_is_no_other(run):
    run("""
s = stream(device)
set_busy(1)
block = alloc(device, 1000, s)
ptr = address(block)
core.cu_storage_note(block, s)
free(block)
assert address(alloc(device, 1000, s)) == ptr
assert count("records") == 0
""")


def test_in_need_the_owner_waits_for_the_event(run):
    run("""
s, t = stream(device), stream(device)
block = alloc(device, 60 * MIB, s)
core.cu_storage_note(block, t)
free(block)
set_busy(1)
assert address(alloc(device, 60 * MIB, s))
assert (count("records"), count("waits"), count("syncs")) == (1, 1, 0)
assert count("device_syncs") == 0
""")


def test_a_stream_that_ends_leaves_an_event(run):
    run("""
s, t = stream(device), stream(device)
block = alloc(device, 1000, s)
ptr = address(block)
core.cu_storage_note(block, t)
core.cu_stream_unref(t)
assert count("records") == 1
set_busy(1)
free(block)
assert count("records") == 1
other = alloc(device, 1000, s)
assert address(other) != ptr
set_busy(0)
assert address(alloc(device, 1000, s)) == ptr
""")


def test_the_owner_ends_before_the_others(run):
    run("""
s, t = stream(device), stream(device)
block = alloc(device, 1000, s)
core.cu_storage_note(block, t)
default = ctypes.c_void_p(core.cu_stream_current(device))
core.cu_storage_note(block, default)
core.cu_stream_unref(s)
set_busy(1)
before = count("records")
free(block)
assert count("records") == before + 1, "the default stream owns it now"
set_busy(0)
core.cu_pool_trim(pointer(core.cu_pool_default, device))
assert ctypes.c_size_t.in_dll(late, "late_held").value == 0
""")


def test_a_note_does_not_outlive_its_block(run):
    run("""
s, t = stream(device), stream(device)
block = alloc(device, 1000, s)
ptr = address(block)
core.cu_storage_note(block, t)
free(block)
block = alloc(device, 1000, s)
assert address(block) == ptr
core.cu_storage_note(block, t)
set_busy(1)
free(block)
assert address(alloc(device, 1000, s)) != ptr
""")


def test_given_back_during_a_capture(run):
    run("""
s, t, captured = stream(device), stream(device), stream(device)
block = alloc(device, 5 * MIB, s)
ptr = address(block)
core.cu_storage_note(block, t)
c = begin(captured)
asked = count("queries")
free(block)
assert address(alloc(device, 5 * MIB, s)) != ptr
assert count("records") == count("queries") - asked == 0
core.cu_capture_free(c)
assert address(alloc(device, 5 * MIB, s)) == ptr
assert count("records") == 1
""")


def test_two_streams_of_a_capture(run):
    run("""
s, t = stream(device), stream(device)
c = begin(s)
assert core.cu_capture_join(c, t) == 0
block = alloc(device, 1000, s)
ptr = address(block)
core.cu_storage_note(block, t)
free(block)
assert address(alloc(device, 1000, s)) != ptr
assert count("records") == count("queries") == 0
end(c)
core.cu_capture_free(c)
""")


def test_a_pool_goes_while_its_memory_is_awaited(run):
    run("""
s, t = stream(device), stream(device)
pool = pointer(core.cu_pool_new, device)
block = pointer(core.cu_pool_alloc, pool, ctypes.c_size_t(5 * MIB), s)
core.cu_storage_note(block, t)
core.cu_pool_free(pool)
set_busy(1)
free(block)
assert ctypes.c_size_t.in_dll(late, "late_held").value == 0
assert count("device_syncs") > 0
""")


def test_threads_allocate_note_and_free(run):
    run("""
import random, threading
core.cu_pool_set_limit(pointer(core.cu_pool_default, device), ctypes.c_size_t(40 * MIB))
errors = []

def work(seed):
    rng = random.Random(seed)
    streams = [stream(device) for _ in range(2)]
    live = []
    try:
        for i in range(1500):
            action = rng.random()
            if live and (action < 0.45 or len(live) > 40):
                block, size, byte = live.pop(rng.randrange(len(live)))
                if ctypes.string_at(address(block), 32) != bytes([byte]) * 32:
                    errors.append((seed, i))
                free(block)
            elif live and action < 0.6:
                core.cu_storage_note(rng.choice(live)[0], rng.choice(streams))
            elif action < 0.62:
                core.cu_stream_unref(streams.pop())
                streams.append(stream(device))
            else:
                size = int(512 * 8192 ** rng.random())
                try:
                    block = alloc(device, size, rng.choice(streams))
                except RuntimeError:
                    continue
                ctypes.memset(address(block), seed, 32)
                live.append((block, size, seed))
    except Exception as error:
        errors.append((seed, repr(error)))
    for block, _, _ in live:
        free(block)
    for s in streams:
        core.cu_stream_unref(s)

threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 7)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not errors, errors[:5]
assert count("wrong") == count("too_early") == 0
core.cu_pool_trim(pointer(core.cu_pool_default, device))
assert ctypes.c_size_t.in_dll(late, "late_held").value == 0
""")


def test_arrays_read_on_another_stream_keep_their_values(device):
    """`a` is read on a busy stream and dropped, its memory wanted on its own one."""
    side = cuda.Stream(non_blocking=True)
    n = 1 << 20 if device == "cuda" else 1 << 12
    big = cupric.ones(16 * n, dtype="f4")
    out = []
    for i in range(20):
        a = cupric.full(n, i, dtype="f4")
        cuda.Stream.null.synchronize()
        with side:
            for _ in range(4):
                cupric.sqrt(big, out=big)  # keeps the stream busy
            out.append(a + 1)
        del a
        for _ in range(3):
            cupric.full(n, -1, dtype="f4")
    side.synchronize()
    for i, result in enumerate(out):
        assert (cupric.asnumpy(result) == i + 1).all()


def test_a_kernel_on_a_stream_of_its_own(device):
    side = cuda.Stream(non_blocking=True)
    code = r"""
    extern "C" __global__ void slow_copy(const float *x, float *y, int n, int rounds) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
             i += gridDim.x * blockDim.x) {
            float v = 0;
            for (int r = 0; r < rounds; r++) v = v * 0.5f + 1.0f;
            y[i] = v >= 0 ? x[i] : 0;
        }
    }"""
    kernel = cupric.RawKernel(code, "slow_copy")
    n, rounds = 4096, 2000 if device == "cuda" else 2
    results = [cupric.empty(n, dtype="f4") for _ in range(10)]
    cuda.Stream.null.synchronize()
    for i, y in enumerate(results):
        x = cupric.full(n, i, dtype="f4")
        cuda.Stream.null.synchronize()
        kernel((1,), (128,), (x, y, np.int32(n), np.int32(rounds)), stream=side)
        del x
        cupric.full(n, -1, dtype="f4")
    side.synchronize()
    for i, y in enumerate(results):
        assert (cupric.asnumpy(y) == i).all()


def test_threads_that_share_arrays_between_streams():
    shared = [cupric.full(3000, i, dtype="f8") for i in range(8)]
    cuda.Stream.null.synchronize()
    errors = []

    def work(seed):
        stream = cuda.Stream(non_blocking=True)
        with stream:
            for i in range(200):
                k = (seed + i) % len(shared)
                a = shared[k]
                if not (cupric.asnumpy(a * 2) == 2 * k).all():
                    errors.append((seed, i))
                if i % 10 == 0:
                    fresh = cupric.full(3000, k, dtype="f8")
                    stream.synchronize()
                    shared[k] = fresh

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
