"""Memory objects, pointers into them, and copies."""

import ctypes
import gc
import weakref

import numpy as np
import pytest

import cupric as cp
from cupric import cuda
from cupric.cuda import runtime


def contents(pointer, size):
    out = (ctypes.c_ubyte * size)()
    pointer.copy_to_host(ctypes.addressof(out), size)
    return bytes(out)


def from_bytes(data):
    pointer = cuda.alloc(len(data))
    source = ctypes.create_string_buffer(data, len(data))
    pointer.copy_from_host(ctypes.addressof(source), len(data))
    return pointer


class Owner:
    pass


def test_pointer_arithmetic():
    p = cuda.alloc(100)
    assert (p + 3).ptr == (3 + p).ptr == p.ptr + 3 == int(p + 3)
    assert (p + 5 - 2).ptr == p.ptr + 3
    q = p
    q += 4
    assert q.ptr == p.ptr + 4
    q -= 4
    assert q.ptr == p.ptr
    assert (p + np.int64(1)).ptr == p.ptr + 1
    assert (p + 1).mem is p.mem
    assert p.device == cuda.Device()
    assert p.device_id == 0
    assert repr(p).startswith(f"<MemoryPointer {p.ptr:#x} device=0 mem=<")


@pytest.mark.parametrize("other", [1.5, "1", None, []])
def test_arithmetic_is_with_integers(other):
    p = cuda.alloc(100)
    with pytest.raises(TypeError):
        p + other
    with pytest.raises(TypeError):
        p - other
    with pytest.raises(TypeError):
        1 - p


def test_an_offset_too_large():
    p = cuda.alloc(100)
    with pytest.raises(OverflowError):
        p + 2**70
    with pytest.raises(OverflowError):
        p + (2**63 - 1) + 1


@pytest.mark.parametrize("name", ["copy_from", "copy_from_host"])
def test_from_host(name):
    data = ctypes.create_string_buffer(b"0123456789", 10)
    p = cuda.alloc(10)
    for address in (ctypes.addressof(data), ctypes.cast(data, ctypes.c_void_p)):
        p.memset(0, 10)
        getattr(p, name)(address, 10)
        assert contents(p, 10) == b"0123456789"
    getattr(p, name + "_async")(ctypes.addressof(data), 10, cuda.Stream())


@pytest.mark.parametrize("name", ["copy_from", "copy_from_device"])
def test_from_device(name):
    p, q = from_bytes(b"0123456789"), cuda.alloc(10)
    q.memset(0, 10)
    getattr(q + 2, name)(p + 1, 5)
    assert contents(q, 10) == b"\0\0" + b"12345" + b"\0\0\0"
    getattr(q, name + "_async")(p, 10, stream=cuda.Stream.null)
    assert contents(q, 10) == b"0123456789"


def test_memset():
    p = from_bytes(b"abcdef")
    (p + 1).memset(ord("x"), 2)
    (p + 4).memset_async(ord("y"), 1, stream=None)
    p.memset(0, 0)
    assert contents(p, 6) == b"axxdyf"


def test_what_is_outside_is_refused():
    p, q = cuda.alloc(10), cuda.alloc(10)
    buffer = ctypes.create_string_buffer(100)
    address = ctypes.addressof(buffer)
    for attempt in (
        lambda: p.memset(0, 11),
        lambda: (p + 1).memset(0, 10),
        lambda: (p - 1).memset(0, 1),
        lambda: (p + 11).memset(0, 0),
        lambda: p.copy_from_host(address, 11),
        lambda: p.copy_to_host(address, 11),
        lambda: p.copy_from_device(q + 5, 6),
        lambda: p.copy_from_device(q, -1),
        lambda: p.copy_from_host(0, 5),
    ):
        with pytest.raises(ValueError):
            attempt()


@pytest.mark.parametrize("source", [None, "abc", b"abc", 1.5])
def test_what_is_no_address(source):
    p = cuda.alloc(10)
    with pytest.raises(TypeError):
        p.copy_from(source, 1)
    with pytest.raises(TypeError):
        p.copy_from_device(source, 1)
    with pytest.raises(TypeError):
        cuda.MemoryPointer(source, 0)


def test_memory_past_the_pool():
    pool = cuda.get_default_memory_pool()
    before = pool.used_bytes()
    memory = cuda.Memory(1000)
    assert memory.size == 1000
    assert memory.ptr == int(memory) != 0
    assert memory.device == cuda.Device()
    p = cuda.MemoryPointer(memory, 500)
    del memory
    p.memset(1, 500)
    assert contents(p, 500) == b"\1" * 500
    assert pool.used_bytes() == before
    assert cuda.Memory(0).ptr == 0


def test_unowned_memory_keeps_its_owner():
    memory, owner = cuda.Memory(64), Owner()
    gone = weakref.ref(owner)
    p = cuda.MemoryPointer(cuda.UnownedMemory(memory.ptr, 64, owner), 0)
    assert p.mem._owner is owner
    assert p.mem.size == 64
    assert p.device_id == 0
    del owner
    gc.collect()
    assert gone() is not None
    p.memset(1, 64)
    del p
    gc.collect()
    assert gone() is None


def test_unowned_memory_at_no_address():
    assert cuda.UnownedMemory(0, 0, None).ptr == 0
    with pytest.raises(ValueError):
        cuda.UnownedMemory(0, 10, None)
    with pytest.raises(ValueError):
        cuda.UnownedMemory(4096, -1, None)
    with pytest.raises(runtime.CUDARuntimeError):
        cuda.UnownedMemory(4096, 1, None, 1000)
    with pytest.raises(TypeError):
        cuda.UnownedMemory("4096", 1, None)


def test_a_subclass_that_never_called_init():
    class Lazy(cuda.Memory):
        def __init__(self):
            pass

    memory = Lazy()
    assert memory.ptr == memory.size == 0
    p = cuda.MemoryPointer(memory, 0)
    assert p.ptr == 0
    assert "device=-1" in repr(p)
    for attempt in (lambda: p.memset(0, 0), lambda: p.device, lambda: p.device_id):
        with pytest.raises(ValueError, match="freed"):
            attempt()


def test_freed_before_its_time():
    p = cuda.alloc(100)
    p.mem.free()
    p.mem.free()
    with pytest.raises(ValueError, match="freed"):
        p.memset(0, 1)


def test_memory_of_other_kinds():
    p = cuda.malloc_managed(100)
    assert isinstance(p.mem, cuda.ManagedMemory)
    p.mem.prefetch(cuda.Stream.null)
    p.mem.advise(runtime.cudaMemAdviseSetReadMostly, cuda.Device())
    assert isinstance(cuda.malloc_async(100).mem, cuda.MemoryAsync)
    stream = cuda.Stream()
    assert cuda.MemoryAsync(10, stream).stream_ref() is stream
    assert cuda.memory.malloc_system(10).mem.size == 10


def test_the_runtimes_memory():
    a, b = runtime.malloc(100), runtime.malloc(100)
    host = (ctypes.c_ubyte * 100)()
    runtime.memset(a, 5, 100)
    runtime.memcpy(b, a, 100, runtime.memcpyDeviceToDevice)
    runtime.memcpy(ctypes.addressof(host), b, 100, runtime.memcpyDeviceToHost)
    assert set(host) == {5}
    stream = runtime.streamCreate()
    runtime.memsetAsync(a, 6, 100, stream)
    runtime.memcpyAsync(b, a, 100, runtime.memcpyDefault, stream)
    runtime.streamSynchronize(stream)
    runtime.memcpy2D(
        ctypes.addressof(host), 10, b, 20, 5, 5, runtime.memcpyDeviceToHost
    )
    assert bytes(host[:10]) == b"\6" * 5 + b"\5" * 5
    assert runtime.pointerGetMemoryType(a) == runtime.memoryTypeDevice
    assert runtime.pointerGetMemoryType(1) == runtime.memoryTypeUnregistered
    pinned = runtime.hostAlloc(100, runtime.hostAllocDefault)
    assert runtime.pointerGetMemoryType(pinned) == runtime.memoryTypeHost
    runtime.memcpy(a, pinned, 100, runtime.memcpyHostToDevice)
    runtime.freeHost(pinned)
    runtime.free(a)
    runtime.freeAsync(b, stream)
    runtime.free(0)
    for attempt in (
        lambda: runtime.free(a),
        lambda: runtime.memcpy(0, 1, 5, 1),
        lambda: runtime.memcpy(1, 1, 5, 9),
        lambda: runtime.memset(0, 1, 5),
        lambda: runtime.memcpy2D(1, 1, 1, 1, 5, 1, 1),
        lambda: runtime.deviceGetAttribute(10_000, 0),
    ):
        with pytest.raises(runtime.CUDARuntimeError) as info:
            attempt()
        assert info.value.status == runtime.errorInvalidValue


def test_what_the_runtime_says_of_itself():
    assert runtime.getDevice() == 0
    runtime.setDevice(0)
    runtime.deviceSynchronize()
    assert runtime.memGetInfo()[1] == cuda.Device().mem_info[1]
    properties = runtime.getDeviceProperties(0)
    assert isinstance(properties["name"], bytes)
    assert properties["warpSize"] == 32
    assert runtime.deviceGetAttribute(runtime.cudaDevAttrWarpSize, 0) == 32
    assert runtime.deviceGetByPCIBusId(runtime.deviceGetPCIBusId(0)) == 0
    runtime.check_status(0)
    with pytest.raises(runtime.CUDARuntimeError, match="cudaErrorInvalidValue"):
        runtime.check_status(1)


def test_addresses_know_their_device():
    p = cuda.alloc(100)
    assert cuda.device.from_pointer(p.ptr + 50) == cuda.Device()
    with pytest.raises(ValueError):
        cuda.device.from_pointer(1)


def test_memory_is_given_once():
    memory = cuda.Memory(10)
    with pytest.raises(ValueError, match="already"):
        memory.__init__(20)
    unowned = cuda.UnownedMemory(memory.ptr, 10, memory)
    with pytest.raises(ValueError, match="already"):
        unowned.__init__(memory.ptr, 10, memory)


# ---- memory of a program's own -------------------------------------------------------


class OwnMemory(cuda.memory.BaseMemory):
    """As programs write them: they set the attributes, and free what they know."""

    def __init__(self, size, freed):
        self.freed = freed
        self.size = size
        self.device_id = cuda.device.get_device_id()
        self.ptr = 0
        self.block = None
        if size:
            self.block = cuda.Memory(size)
            self.ptr = self.block.ptr

    def __del__(self):
        self.freed.append(self.size)
        self.ptr = 0


def test_attributes_of_own_memory():
    freed = []
    mem = OwnMemory(64, freed)
    assert (mem.ptr, mem.size) == (mem.block.ptr, 64)
    assert int(mem) == mem.ptr
    assert mem.device_id == mem.device.id == cuda.Device().id
    pointer = cuda.MemoryPointer(mem, 16)
    assert pointer.ptr == mem.ptr + 16
    assert pointer.mem is mem
    none = OwnMemory(0, freed)
    assert (none.ptr, none.size) == (0, 0)
    del none
    assert freed == [0]
    with pytest.raises(TypeError):
        mem.ptr = "1"
    with pytest.raises(ValueError):
        mem.size = -1
    with pytest.raises(AttributeError, match="cannot be deleted"):
        del mem.ptr


def test_arrays_of_own_memory():
    freed = []
    with cuda.using_allocator(lambda n: cuda.MemoryPointer(OwnMemory(n, freed), 0)):
        x = cp.arange(5.0)
        y = x * 2
    assert isinstance(y.data.mem, OwnMemory)
    np.testing.assert_array_equal(y.get(), [0, 2, 4, 6, 8])
    view = y[1:]
    del x, y
    gc.collect()
    assert freed == [40]
    np.testing.assert_array_equal(view.get(), [2, 4, 6, 8])
    del view
    assert freed == [40, 40]


def test_memory_that_is_set_anew_leaves_arrays_as_they_are():
    freed = []
    mem = OwnMemory(64, freed)
    x = cp.ndarray(8, "f8", cuda.MemoryPointer(mem, 0))
    x[...] = 3
    block, mem.ptr = mem.block, 0
    np.testing.assert_array_equal(x.get(), np.full(8, 3.0))
    with pytest.raises(ValueError):
        cp.ndarray(8, "f8", cuda.MemoryPointer(mem, 0))
    del block


@pytest.mark.parametrize("make", [lambda: cuda.alloc(8).mem, lambda: cuda.Memory(8)])
def test_other_memory_stays(make):
    mem = make()
    for name in ("ptr", "size", "device_id"):
        with pytest.raises(AttributeError, match="derive a class from BaseMemory"):
            setattr(mem, name, 0)
