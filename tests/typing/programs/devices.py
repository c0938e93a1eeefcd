"""Devices, streams, memory and tests of programs, as checkers see them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from typing_extensions import assert_type

import cupric as cp
from cupric import cuda, testing
from cupric.cuda import nvtx

with cuda.Device(0) as device:
    assert_type(device, cuda.Device)
assert_type(device.use(), cuda.Device)
assert_type(device.synchronize(), None)
assert_type(device.mem_info, tuple[int, int])
assert_type(cuda.Device.from_pci_bus_id(device.pci_bus_id), cuda.Device)
assert_type(int(device) + device.id, int)
assert_type(cuda.is_available(), bool)

stream = cuda.Stream(non_blocking=True)
assert_type(stream.use(), cuda.Stream)
assert_type(cuda.Stream.null, cuda.Stream)
assert_type(cuda.Stream.from_external(stream), cuda.Stream)
assert_type(cuda.get_current_stream(), cuda.Stream)
assert_type(stream.record(), cuda.Event)
assert_type(stream.launch_host_func(print, "done"), None)
with stream:
    stream.begin_capture()
    graph = stream.end_capture()
assert_type(graph, cuda.Graph)
assert_type(graph.launch(), None)

start, end = cuda.Event(), cuda.Event()
start.record()
end.record(stream)
assert_type(cuda.get_elapsed_time(start, end), float)
assert_type(end.done, bool)

pool = cuda.MemoryPool()
with cuda.using_allocator(pool.malloc):
    x = cp.ones(3)
assert_type(pool.used_bytes(), int)
assert_type(pool.set_limit(fraction=0.5), None)
pointer = pool.malloc(64)
assert_type(pointer, cuda.MemoryPointer)
assert_type(pointer + 8, cuda.MemoryPointer)
assert_type(pointer.ptr, int)
assert_type(cuda.alloc_pinned_memory(64).size(), int)
assert_type(cuda.get_nvcc_path(), str | None)
nvtx.RangePush("here")

module = cp.RawModule(code='extern "C" __global__ void nothing() {}')
kernel = module.get_function("nothing")
assert_type(kernel, cp.RawKernel)
assert_type(kernel.num_regs, int)
kernel.max_dynamic_shared_size_bytes = 1024


@testing.for_all_dtypes()
@testing.numpy_cupy_allclose(rtol=1e-6)
def test_sum(xp: Any, dtype: Any) -> Any:
    return testing.shaped_arange((3, 4), xp, dtype).sum()


assert_type(testing.assert_allclose(x, np.ones(3), rtol=1e-6), None)
assert_type(testing.for_float_dtypes(), Callable[..., Any])
with testing.assert_warns(DeprecationWarning):
    pool.free_all_free()
