"""What serves new arrays: pools, functions of the user's, hooks, and limits."""

import ctypes
import gc
import io
import json
import os
import random
import subprocess
import sys
import threading

import pytest

import cupric
from cupric import cuda
from cupric.cuda.memory import MemoryPointer, OutOfMemoryError
from cupric.cuda.memory_hooks import DebugPrintHook, LineProfileHook


@pytest.fixture(autouse=True)
def restored():
    yield
    cuda.set_allocator(cuda.get_default_memory_pool().malloc)
    cuda.set_pinned_memory_allocator(cuda.get_default_pinned_memory_pool().malloc)


class Counting:
    """An allocator that remembers what was asked of it."""

    def __init__(self):
        self.sizes = []
        self.pool = cuda.MemoryPool()

    def __call__(self, size):
        self.sizes.append(size)
        return self.pool.malloc(size)


def test_the_default():
    pool = cuda.get_default_memory_pool()
    assert cupric.get_default_memory_pool() is pool
    assert cuda.get_allocator() == pool.malloc
    before = pool.used_bytes()
    p = cuda.alloc(100)
    assert pool.used_bytes() == before + 512
    del p
    assert pool.used_bytes() == before


def test_arrays_come_from_the_allocator():
    counting = Counting()
    cuda.set_allocator(counting)
    a = cupric.zeros(100, dtype="f4")
    cuda.set_allocator(cuda.get_default_memory_pool().malloc)
    assert counting.sizes == [400]
    assert a.data.ptr
    assert counting.pool.used_bytes() == 512
    b = a[10:]
    del a
    assert counting.pool.used_bytes() == 512
    assert cupric.asnumpy(b).tolist() == [0.0] * 90
    del b
    gc.collect()
    assert counting.pool.used_bytes() == 0


def test_a_pool_as_the_allocator():
    pool = cuda.MemoryPool()
    cuda.set_allocator(pool.malloc)
    assert cuda.get_allocator() == pool.malloc
    a = cupric.zeros(100, dtype="f4")
    assert pool.used_bytes() == 512
    del a
    assert pool.used_bytes() == 0


def test_none_is_straight_from_the_device():
    pool = cuda.get_default_memory_pool()
    before = pool.used_bytes()
    cuda.set_allocator(None)
    a = cupric.zeros(100, dtype="f4")
    assert pool.used_bytes() == before
    assert cupric.asnumpy(a).sum() == 0


def test_using_an_allocator():
    outer, inner = cuda.MemoryPool(), cuda.MemoryPool()
    with cuda.using_allocator(outer.malloc):
        a = cuda.alloc(1)
        with cuda.using_allocator(inner.malloc):
            b = cuda.alloc(1)
            assert cuda.get_allocator() == inner.malloc
        assert cuda.get_allocator() == outer.malloc
        with pytest.raises(ValueError, match="using_allocator"):
            cuda.set_allocator(None)
    assert (outer.used_bytes(), inner.used_bytes()) == (512, 512)
    assert cuda.get_allocator() == cuda.get_default_memory_pool().malloc
    del a, b


def test_using_an_allocator_is_the_threads():
    pool, seen = cuda.MemoryPool(), []

    def look():
        seen.append((cuda.get_allocator(), cuda.alloc(1)))

    with cuda.using_allocator(pool.malloc):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert seen[0][0] == cuda.get_default_memory_pool().malloc
    assert pool.used_bytes() == 0


def raising(size):
    raise KeyError("no")


@pytest.mark.parametrize(
    ("allocator", "error"),
    [
        (raising, KeyError),
        (lambda size: None, TypeError),
        (lambda size: cuda.alloc_pinned_memory(size), TypeError),
        (lambda size: MemoryPointer(cuda.Memory(size // 2), 0), ValueError),
        (lambda size: MemoryPointer(cuda.Memory(size), 1), ValueError),
        (lambda size: MemoryPointer(cuda.Memory(size), -1), ValueError),
        (lambda: None, TypeError),
    ],
)
def test_an_allocator_that_fails(allocator, error):
    with cuda.using_allocator(allocator), pytest.raises(error):
        cupric.zeros(100)
    assert cupric.asnumpy(cupric.zeros(3)).tolist() == [0, 0, 0]


def test_an_allocator_is_callable():
    for setter in (cuda.set_allocator, cuda.set_pinned_memory_allocator):
        with pytest.raises(TypeError):
            setter(5)
    with pytest.raises(TypeError), cuda.using_allocator("malloc"):
        pass


def test_an_allocator_of_python_functions():
    live = {}

    def malloc(size, device_id):
        memory = cuda.Memory(size)
        live[memory.ptr] = memory
        return memory.ptr

    def free(ptr, device_id):
        del live[ptr]

    allocator = cuda.PythonFunctionAllocator(malloc, free)
    with cuda.using_allocator(allocator.malloc):
        a = cupric.zeros(1000)
        assert len(live) == 1
    view = a[1:]
    del a
    assert len(live) == 1
    del view
    gc.collect()
    assert not live


def test_an_allocator_of_c_functions():
    log = []

    @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    def malloc(param, size, device_id):
        memory = cuda.Memory(size)
        log.append([param, memory, device_id])
        return memory.ptr

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    def free(param, ptr, device_id):
        log.append((param, ptr, device_id))

    addresses = [ctypes.cast(f, ctypes.c_void_p).value for f in (malloc, free)]
    allocator = cuda.CFunctionAllocator(7, *addresses, (malloc, free))
    p = allocator.malloc(100)
    ptr = p.ptr
    assert log[0][0] == 7
    assert log[0][1].ptr == ptr
    del p
    assert log[1] == (7, ptr, 0)


def test_an_allocator_without_memory():
    allocator = cuda.PythonFunctionAllocator(lambda n, d: 0, lambda p, d: None)
    with pytest.raises(OutOfMemoryError), cuda.using_allocator(allocator.malloc):
        cupric.zeros(10)


def test_a_pool_over_an_allocator():
    counting = Counting()
    pool = cuda.MemoryPool(counting)
    assert isinstance(pool, cuda.MemoryPool)
    with cuda.using_allocator(pool.malloc):
        for _ in range(3):
            a = cupric.zeros(100, dtype="f4")
            del a
    assert counting.sizes == [512]
    assert (pool.used_bytes(), pool.total_bytes(), pool.n_free_blocks()) == (0, 512, 1)
    pool.set_limit(size=1024)
    held = pool.malloc(1)
    with pytest.raises(OutOfMemoryError):
        pool.malloc(1000)
    del held
    assert pool.malloc(1000).ptr
    pool.free_all_blocks()
    assert pool.total_bytes() == counting.pool.used_bytes() == 0


def counts(pool):
    return pool.used_bytes(), pool.free_bytes(), pool.total_bytes()


def test_a_pool_over_an_allocator_cuts_and_joins():
    counting = Counting()
    pool = cuda.MemoryPool(counting)
    p = pool.malloc(2048)
    ptr = p.ptr
    assert counts(pool) == (2048, 0, 2048)
    del p
    assert counts(pool) == (0, 2048, 2048)
    head, tail = pool.malloc(1000), pool.malloc(1024)
    assert (head.ptr, tail.ptr) == (ptr, ptr + 1024)
    assert (counts(pool), pool.n_free_blocks()) == ((2048, 0, 2048), 0)
    del tail
    pool.free_all_blocks()  # a part is in use
    assert (counts(pool), pool.n_free_blocks()) == ((1024, 1024, 2048), 1)
    tail = pool.malloc(600)
    assert tail.ptr == ptr + 1024
    for first, second in (("head", "tail"), ("tail", "head")):
        held = {"head": head, "tail": tail}
        del head, tail
        del held[first]
        del held[second]
        assert pool.n_free_blocks() == 1
        whole = pool.malloc(2048)
        assert whole.ptr == ptr
        del whole
        head, tail = pool.malloc(1024), pool.malloc(1024)
    del head, tail
    small = pool.malloc(100)
    assert (counts(pool), pool.n_free_blocks()) == ((512, 1536, 2048), 1)
    large = pool.malloc(4096)
    assert counting.sizes == [2048, 4096]
    del small, large
    pool.free_all_blocks()
    assert counts(pool) == (0, 0, 0)
    assert counting.pool.used_bytes() == 0


def test_a_pool_over_an_allocator_goes_by_stream():
    counting = Counting()
    pool = cuda.MemoryPool(counting)
    stream = cuda.Stream()
    p = pool.malloc(2048)
    ptr = p.ptr
    del p
    with stream:
        q = pool.malloc(1024)
        other = q.ptr
        assert other != ptr
        assert counts(pool) == (1024, 2048, 3072)
        del q
    pool.free_all_blocks(stream=cuda.Stream.null)
    assert counts(pool) == (0, 1024, 1024)
    with stream:
        assert pool.malloc(1024).ptr == other
    pool.free_all_blocks(stream)
    assert counts(pool) == (0, 0, 0)


def test_a_pool_over_an_allocator_does_not_overlap():
    pool = cuda.MemoryPool(device_memory)
    rng = random.Random(3)
    live, most = {}, 0
    for i in range(3000):
        if live and rng.random() < 0.5:
            ptr = rng.choice(sorted(live))
            p, size, byte = live.pop(ptr)
            out = (ctypes.c_ubyte * size)()
            p.copy_to_host(ctypes.addressof(out), size)
            assert set(out) == {byte}
            del p
        else:
            size = rng.randint(1, 20_000)
            p = pool.malloc(size)
            p.memset(i % 256, size)
            live[p.ptr] = p, size, i % 256
            del p
        used = sum(-(-size // 512) * 512 for _, size, _ in live.values())
        assert pool.used_bytes() == used
        most = max(most, used)
    assert pool.total_bytes() < 2 * most
    live.clear()
    assert pool.used_bytes() == 0
    pool.free_all_blocks()
    assert (pool.total_bytes(), pool.n_free_blocks()) == (0, 0)


def test_a_pool_over_an_allocator_among_finalizers():
    """Garbage that frees and asks for memory in the middle of the pool's own work."""
    pool = cuda.MemoryPool(device_memory)

    class Garbage:
        def __init__(self):
            self.cycle = self
            self.held = pool.malloc(700)

        def __del__(self):
            pool.malloc(900)
            pool.used_bytes()

    before = gc.get_threshold()
    gc.set_threshold(3)
    try:
        for i in range(300):
            Garbage()
            pool.malloc(100 + i)
            pool.n_free_blocks()
    finally:
        gc.set_threshold(*before)
    gc.collect()
    assert pool.used_bytes() == 0
    pool.free_all_blocks()
    assert pool.total_bytes() == 0


def test_threads_share_a_pool_over_an_allocator():
    pool = cuda.MemoryPool(device_memory)
    errors = []

    def work(seed):
        rng = random.Random(seed)
        live = []
        for _ in range(400):
            if live and rng.random() < 0.5:
                p, size = live.pop(rng.randrange(len(live)))
                out = (ctypes.c_ubyte * size)()
                p.copy_to_host(ctypes.addressof(out), size)
                if set(out) != {seed}:
                    errors.append(seed)
            else:
                size = rng.randint(1, 5000)
                p = pool.malloc(size)
                p.memset(seed, size)
                live.append((p, size))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert pool.used_bytes() == 0


def test_a_pool_of_managed_memory():
    pool = cuda.MemoryPool(cuda.malloc_managed)
    p = pool.malloc(1000)
    assert pool.used_bytes() == 1024
    del p


def test_a_hook_sees_everything():
    class Hook(cuda.MemoryHook):
        name = "test"

        def __init__(self):
            self.log = []

        def alloc_preprocess(self, device_id, mem_size):
            self.log.append(("alloc", mem_size))

        def malloc_preprocess(self, device_id, size, mem_size):
            self.log.append(("malloc", size, mem_size))

        def malloc_postprocess(self, device_id, size, mem_size, mem_ptr, pmem_id):
            self.ptr, self.pmem_id = mem_ptr, pmem_id

        def free_postprocess(self, device_id, mem_size, mem_ptr, pmem_id):
            self.log.append(("free", mem_size))
            assert (mem_ptr, pmem_id) == (self.ptr, self.pmem_id)

    pool, hook = cuda.MemoryPool(), Hook()
    with hook:
        assert cuda.memory_hook.get_memory_hooks() == {"test": hook}
        with pytest.raises(KeyError):
            hook.__enter__()
        p = pool.malloc(1000)
        assert hook.ptr == p.ptr
        del p
        a = cupric.zeros(100)
        del a
    pool.malloc(1)
    assert hook.log[:3] == [("malloc", 1000, 1024), ("alloc", 2 << 20), ("free", 1024)]
    assert ("malloc", 800, 1024) in hook.log[3:]
    assert hook.log[-1] == ("free", 1024)
    assert not cuda.memory_hook.get_memory_hooks()


class Log(cuda.MemoryHook):
    """Remembers what it was told."""

    name = "log"

    def __init__(self):
        self.events = []

    def _note(event):
        return lambda self, **told: self.events.append((event, told))

    alloc_preprocess = _note("alloc_preprocess")
    alloc_postprocess = _note("alloc_postprocess")
    malloc_preprocess = _note("malloc_preprocess")
    malloc_postprocess = _note("malloc_postprocess")
    free_preprocess = _note("free_preprocess")
    free_postprocess = _note("free_postprocess")


def device_memory(size):
    return MemoryPointer(cuda.Memory(size), 0)


POOLS = {
    "of the device": cuda.MemoryPool,
    "over an allocator": lambda: cuda.MemoryPool(device_memory),
    "of one device": lambda: cuda.memory.SingleDeviceMemoryPool(device_memory),
}


@pytest.fixture(params=POOLS)
def any_pool(request):
    return POOLS[request.param]()


def test_what_hooks_are_told(any_pool):
    with Log() as log:
        p = any_pool.malloc(1000)
        ptr = p.ptr
        del p
        p = any_pool.malloc(600)
        assert p.ptr == ptr
        any_pool.malloc(0)
    events, told = zip(*log.events, strict=True)
    assert [e.removesuffix("process") for e in events] == [
        *("malloc_pre", "alloc_pre", "alloc_post", "malloc_post"),
        *("free_pre", "free_post", "malloc_pre", "malloc_post"),
    ]
    taken = any_pool.total_bytes()
    number = told[3]["pmem_id"]
    assert number
    asked = {"device_id": 0, "size": 1000, "mem_size": 1024}
    given = {"mem_ptr": ptr, "pmem_id": number}
    grown = {"device_id": 0, "mem_size": taken}
    assert told[0] == asked
    assert told[1:3] == (grown, grown | {"mem_ptr": ptr})
    assert told[3] == asked | given
    assert told[4] == told[5] == {"device_id": 0, "mem_size": 1024} | given
    assert told[6] == {"device_id": 0, "size": 600, "mem_size": 1024}
    assert told[7]["mem_ptr"] == ptr


def test_hooks_are_told_of_arrays(any_pool):
    with cuda.using_allocator(any_pool.malloc), Log() as log:
        a = cupric.zeros((3, 5), "f4")
        del a
        gc.collect()
    told = [(event, dict(values)) for event, values in log.events]
    assert told[0] == (
        "malloc_preprocess",
        {"device_id": 0, "size": 60, "mem_size": 512},
    )
    assert told[-1][0] == "free_postprocess"
    assert told[-1][1]["mem_size"] == 512


def test_hooks_are_told_of_failures(any_pool):
    any_pool.set_limit(size=5000)
    with Log() as log, pytest.raises(OutOfMemoryError):
        any_pool.malloc(1 << 20)
    event, told = log.events[-1]
    assert event == "malloc_postprocess"
    assert told == {
        "device_id": 0,
        "size": 1 << 20,
        "mem_size": 1 << 20,
        "mem_ptr": 0,
        "pmem_id": 0,
    }
    assert any_pool.used_bytes() == 0
    assert any_pool.malloc(100).ptr


def test_an_array_that_does_not_fit_is_told_of():
    pool = cuda.MemoryPool()
    pool.set_limit(size=5000)
    with cuda.using_allocator(pool.malloc), Log() as log:
        with pytest.raises(OutOfMemoryError, match="limit set to: 5,000"):
            cupric.zeros(10_000)
        assert float(cupric.ones(100).sum()) == 100
    assert [v["mem_ptr"] for e, v in log.events if e == "malloc_postprocess"][0] == 0


def test_hooks_are_the_threads():
    pool, log = cuda.MemoryPool(), Log()
    with log:
        thread = threading.Thread(target=pool.malloc, args=(100,))
        thread.start()
        thread.join()
    assert not log.events


def test_a_hook_that_raises():
    class Hook(cuda.MemoryHook):
        def malloc_postprocess(self, **kwargs):
            raise KeyError("no")

    pool = cuda.MemoryPool()
    with Hook(), pytest.raises(KeyError):
        pool.malloc(10)
    assert pool.used_bytes() == 0
    pool.set_limit(size=100)
    with Hook(), pytest.raises(KeyError):
        pool.malloc(1000)


def test_a_hook_that_prints(any_pool):
    out = io.StringIO()
    with DebugPrintHook(out):
        p = any_pool.malloc(10)
        ptr = p.ptr
        del p
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line.pop("hook") for line in lines] == ["alloc", "malloc", "free"]
    number = lines[1]["pmem_id"]
    assert int(number, 16) > 0
    freed = {"device_id": 0, "mem_size": 512, "mem_ptr": ptr, "pmem_id": number}
    assert lines[0].keys() == {"device_id", "mem_size", "mem_ptr"}
    assert lines[1] == freed | {"size": 10}
    assert lines[2] == freed


def report_of(hook):
    out = io.StringIO()
    hook.print_report(out)
    return out.getvalue().splitlines()


def line_of(function):
    return function.__code__.co_firstlineno + 1


def allocate_inner(pool):
    return pool.malloc(1000)


def allocate_outer(pool):
    return [allocate_inner(pool), pool.malloc(3000), cupric.zeros(100)]


def test_a_report_by_line():
    pool, hook = cuda.MemoryPool(), LineProfileHook()
    with hook, cuda.using_allocator(pool.malloc):
        held = allocate_outer(pool)
    used = pool.used_bytes()
    assert used == 1024 + 3072 + 1024
    text = report_of(hook)
    assert text[0] == "_root (5.00KB, 2.00MB)"
    inner, outer = line_of(allocate_inner), line_of(allocate_outer)
    file = __file__
    assert text[-1].strip() == f"{file}:{inner}:allocate_inner (1.00KB, 2.00MB)"
    assert text[-2].strip() == f"{file}:{outer}:allocate_outer (5.00KB, 2.00MB)"
    here = f"{file}:{line_of(test_a_report_by_line) + 2}:test_a_report_by_line"
    assert text[-3].strip() == f"{here} (5.00KB, 2.00MB)"
    indents = [len(line) - len(line.lstrip()) for line in text]
    assert indents == list(range(0, 2 * len(text), 2))
    del held


def test_the_depth_of_a_report():
    pool = cuda.MemoryPool()
    for depth in (1, 2, 3):
        hook = LineProfileHook(max_depth=depth)
        with hook:
            held = allocate_outer(pool)
        text = report_of(hook)
        assert len(text) == depth
        assert all("(5.00KB" in line for line in text)
        assert not any("allocate_inner" in line for line in text)
        del held


def test_a_limit_from_the_environment():
    code = """
import cupric
pool = cupric.get_default_memory_pool()
print(pool.get_limit(), cupric.cuda.Device().mem_info[1])
try:
    cupric.cuda.alloc(2 ** 40)
except MemoryError as error:
    print("limit set to" in str(error))
"""

    def run(limit):
        env = {**os.environ, "CUPRIC_MEMORY_LIMIT": limit}
        result = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env=env,
            check=False,
        )
        return result.stdout.split(), result.stderr

    (limit, _, struck), _ = run("1048576")
    assert (limit, struck) == ("1048576", "True")
    (limit, total, struck), _ = run("25%")
    assert int(limit) == int(total) // 4
    assert struck == "True"
    assert "CUPRIC_MEMORY_LIMIT" in run("much")[1]
