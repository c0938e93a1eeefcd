"""Objects say what they are."""

import re

import numpy as np
import pytest

import cupric as cp
from cupric.cuda import cufft

CODE = """
template <class T> __global__ void fill(T *x) { x[threadIdx.x] = 3; }
extern "C" __global__ void nothing() {}
"""


def test_kernels():
    add = cp.ElementwiseKernel("T x, raw float32 y", "T z", "z = x + y[0]", "add_first")
    assert repr(add) == (
        "<cupric.ElementwiseKernel 'add_first': T x, raw float32 y -> T z>"
    )
    count = cp.ElementwiseKernel("", "raw T y, U z", "y[i] = i")
    assert repr(count) == "<cupric.ElementwiseKernel 'kernel': -> raw T y, U z>"
    total = cp.ReductionKernel(
        "_non_const T x", "S y", "x", "a + b", "y = a", "0", "all"
    )
    assert repr(total) == "<cupric.ReductionKernel 'all': _non_const T x -> S y>"
    assert repr(cp.RawKernel(CODE, "nothing")) == "<cupric.RawKernel 'nothing'>"


def test_modules():
    module = cp.RawModule(code=CODE, name_expressions=["fill<int>", "fill<float>"])
    assert repr(module) == "<cupric.RawModule: 3 lines, kernels fill<int>, fill<float>>"
    assert repr(cp.RawModule(code="")) == "<cupric.RawModule: 0 lines>"
    assert repr(cp.RawModule(path="a.cubin")) == "<cupric.RawModule: path='a.cubin'>"
    function = module.get_function("fill<int>").kernel
    assert re.fullmatch(r"<\S*Function 'fill<int>' on device 0>", repr(function))
    assert re.fullmatch(r"<\S*Module, empty>", repr(cp.cuda.Module()))


def test_pools_and_memory():
    pool = cp.cuda.MemoryPool()
    assert repr(pool) == "<MemoryPool: 0 of 0 bytes used (device 0)>"
    pointer = pool.malloc(1000)
    used, total = pool.used_bytes(), pool.total_bytes()
    assert repr(pool) == f"<MemoryPool: {used} of {total} bytes used (device 0)>"
    memory = pointer.mem
    assert repr(memory) == f"<PooledMemory {memory.ptr:#x} size={memory.size} device=0>"
    pointer = None
    memory.free()
    assert repr(memory) == "<PooledMemory, freed>"
    pinned = cp.cuda.PinnedMemoryPool()
    assert repr(pinned) == "<PinnedMemoryPool: 0 free blocks>"
    pointer = pinned.malloc(100)
    mem = pointer.mem
    assert repr(mem) == f"<PooledPinnedMemory {mem.ptr:#x} size={mem.size}>"
    assert repr(pointer) == f"<PinnedMemoryPointer {pointer.ptr:#x} mem={mem!r}>"


def test_streams_events_and_graphs():
    event = cp.cuda.Event()
    assert repr(event) == f"<Event {event.ptr} (device 0)>"
    stream, x = cp.cuda.Stream(), cp.ones(3)
    with stream:
        stream.begin_capture()
        x += 1
        graph = stream.end_capture()
    assert re.fullmatch(r"<Graph \d+ \(device 0\)>", repr(graph))


def test_plans():
    plan = cufft.Plan1d(8, cufft.CUFFT_R2C, 3)
    assert repr(plan) == "<Plan1d: 8, float32 to complex64, batch 3>"


@pytest.mark.only_on("cuda")
def test_textures():
    from cupric.cuda import texture

    channel = texture.ChannelFormatDescriptor(32, 0, 0, 0, 2)
    assert repr(channel) == "ChannelFormatDescriptor(32, 0, 0, 0, 2)"
    array = texture.CUDAarray(channel, 4, 3)
    assert repr(array) == f"<CUDAarray 4x3, {channel!r}>"
    array.copy_from(cp.asarray(np.zeros((3, 4), "f")))
