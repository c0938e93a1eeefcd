"""The runtime's interface, memory and streams, whose parameters have types."""

from collections.abc import Callable
from typing import Any

from typing_extensions import assert_type

from cupric import cuda
from cupric.cuda import memory, runtime, stream

address = runtime.malloc(64)
assert_type(address, int)
assert_type(runtime.memset(address, 0, 64), None)
runtime.memcpy(address, address + 32, 32, runtime.memcpyDeviceToDevice)
assert_type(runtime.memcpyDeviceToDevice, int)
assert_type(runtime.is_hip, bool)
assert_type(runtime.memGetInfo(), tuple[int, int])
assert_type(runtime.getDeviceProperties(0), dict[str, Any])
assert_type(runtime.deviceGetPCIBusId(0), str)
attributes = runtime.pointerGetAttributes(address)
assert_type(attributes, runtime.PointerAttributes)
assert_type(attributes.devicePointer + attributes.type, int)
assert_type(runtime.MemPoolProps(1, 0, 1, 0).devId, int)
runtime.free(address)

handle = runtime.streamCreateWithPriority(runtime.streamNonBlocking, None)
assert_type(runtime.streamIsCapturing(handle), bool)
runtime.launchHostFunc(handle, print, "done")
event = runtime.eventCreate()
runtime.eventRecord(event, handle)
assert_type(runtime.eventElapsedTime(event, event), float)
assert_type(runtime.ipcGetEventHandle(event), bytes)
try:
    runtime.streamDestroy(handle)
except runtime.CUDARuntimeError as error:
    print(error)

managed = memory.ManagedMemory(4096)
assert_type(managed.ptr + managed.size, int)
assert_type(managed.prefetch(cuda.Stream.null, device_id=-1), None)
managed.advise(runtime.cudaMemAdviseSetReadMostly, cuda.Device(0))
assert_type(memory.malloc_managed(64), cuda.MemoryPointer)
assert_type(memory.malloc_system(64) + 8, memory.MemoryPointer)
allocator = memory.PythonFunctionAllocator(
    lambda size, device_id: runtime.malloc(size),
    lambda ptr, device_id: runtime.free(ptr),
)
assert_type(allocator.malloc(64), memory.MemoryPointer)
with memory.using_allocator(allocator.malloc):
    pass
memory.set_allocator(None)
assert_type(memory.get_allocator(), Callable[..., Any])
assert_type(cuda.MemoryAsyncPool().memoryAsyncHasStat, bool)

assert_type(stream.get_current_stream(), cuda.Stream)
assert_type(stream.get_elapsed_time(stream.Event(), cuda.Event()), float)
assert_type(stream.ExternalStream(handle).ptr, int)
