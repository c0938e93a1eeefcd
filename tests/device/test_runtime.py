"""cupric.cuda.runtime: the runtime's functions, as programs call them."""

import ctypes

import numpy as np
import pytest

import cupric as cp
from cupric import cuda
from cupric.cuda import runtime

H2D, D2H, D2D = 1, 2, 3


def test_versions(device):
    driver, version = runtime.driverGetVersion(), runtime.runtimeGetVersion()
    if device == "host":
        assert driver == version == 0
    else:
        assert driver >= version >= 12000
    assert cuda.get_local_runtime_version() == version


def test_properties(device):
    p = runtime.getDeviceProperties(0)
    d = cuda.Device(0)
    assert p["name"].decode() == d.name
    assert f"{p['major']}{p['minor']}" == d.compute_capability
    assert p["totalGlobalMem"] == d.mem_info[1]
    assert p["warpSize"] == 32
    assert p["maxThreadsPerBlock"] == 1024
    assert p["maxThreadsDim"] == (1024, 1024, 64)
    assert p["sharedMemPerBlockOptin"] >= p["sharedMemPerBlock"] >= 48 << 10
    assert len(p["uuid"]) == 16
    assert len(p["maxTexture2D"]) == 2
    assert len(p) >= 75
    if device == "cuda":
        assert any(p["uuid"])
        for name in (
            "l2CacheSize",
            "memoryBusWidth",
            "regsPerBlock",
            "asyncEngineCount",
        ):
            assert p[name] > 0, name


def test_attributes():
    attributes = cuda.Device().attributes
    assert len(attributes) > 100
    for name, value in attributes.items():
        number = getattr(runtime, f"cudaDevAttr{name}")
        assert runtime.deviceGetAttribute(number, 0) == value, name
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.deviceGetAttribute(-5, 0)


def test_copies_between_addresses():
    a, b = np.arange(100.0), np.zeros(100)
    ptr, other = runtime.malloc(a.nbytes), runtime.malloc(a.nbytes)
    stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    runtime.memcpy(ptr, a.ctypes.data, a.nbytes, H2D)
    runtime.memcpyAsync(other, ptr, a.nbytes, D2D, stream)
    runtime.memsetAsync(other, 0, 80, stream)
    runtime.streamSynchronize(stream)
    runtime.memcpy(b.ctypes.data, other, b.nbytes, D2H)
    assert b[:10].tolist() == [0] * 10
    np.testing.assert_array_equal(b[10:], a[10:])
    runtime.memcpy2D(ptr, 40, ptr + 400, 80, 16, 4, D2D)
    runtime.memcpy(b.ctypes.data, ptr, b.nbytes, D2H)
    assert b[[0, 1, 5, 6, 10, 11]].tolist() == [50, 51, 60, 61, 70, 71]
    runtime.streamDestroy(stream)
    runtime.free(ptr)
    runtime.free(other)
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.streamDestroy(stream)


def test_managed_memory():
    n = 1000
    ptr = runtime.mallocManaged(8 * n)
    there = np.ctypeslib.as_array(
        ctypes.cast(ptr, ctypes.POINTER(ctypes.c_double)), (n,)
    )
    there[:] = np.arange(n)
    memory = cuda.UnownedMemory(ptr, 8 * n, None)
    x = cp.ndarray((n,), "d", cuda.MemoryPointer(memory, 0))
    runtime.memAdvise(ptr, 8 * n, runtime.cudaMemAdviseSetReadMostly, 0)
    runtime.memPrefetchAsync(ptr, 8 * n, 0, 0)
    x += 1
    cuda.Device().synchronize()
    np.testing.assert_array_equal(there, np.arange(n) + 1.0)
    runtime.memPrefetchAsync(ptr, 8 * n, runtime.cudaCpuDeviceId, 0)
    cuda.Device().synchronize()
    runtime.free(ptr)


def test_managed_allocator():
    with cuda.using_allocator(cuda.malloc_managed):
        x = cp.arange(100.0)
    assert isinstance(x.data.mem, cuda.ManagedMemory)
    x.data.mem.prefetch(cuda.Stream.null)
    x.data.mem.advise(runtime.cudaMemAdviseSetReadMostly, cuda.Device())
    assert float(x.sum()) == 4950
    if cuda.is_available():
        kind = runtime.pointerGetAttributes(x.data.ptr).type
        assert kind == runtime.memoryTypeManaged


def test_memory_in_stream_order():
    stream = runtime.streamCreate()
    ptr = runtime.mallocAsync(800, stream)
    runtime.memsetAsync(ptr, 1, 800, stream)
    out = np.zeros(100)
    pinned = runtime.hostAlloc(800, 0)
    runtime.memcpyAsync(pinned, ptr, 800, D2H, stream)
    runtime.freeAsync(ptr, stream)
    runtime.streamSynchronize(stream)
    ctypes.memmove(out.ctypes.data, pinned, 800)
    assert out.view("u1").tolist() == [1] * 800
    runtime.freeHost(pinned)
    runtime.streamDestroy(stream)


def test_pinning_what_is_there():
    a = np.zeros(1 << 16)
    runtime.hostRegister(a.ctypes.data, a.nbytes, 0)
    x = cp.ones(1 << 16)
    stream = cuda.Stream(non_blocking=True)
    cuda.Device().synchronize()
    runtime.memcpyAsync(a.ctypes.data, x.data.ptr, a.nbytes, D2H, stream.ptr)
    stream.synchronize()
    assert (a == 1).all()
    runtime.hostUnregister(a.ctypes.data)


def test_addresses():
    x = cp.ones(10)
    found = runtime.pointerGetAttributes(x.data.ptr)
    assert (found.device, found.type) == (0, runtime.memoryTypeDevice)
    assert found.devicePointer == x.data.ptr
    a = np.zeros(10)
    assert runtime.pointerGetMemoryType(a.ctypes.data) == runtime.memoryTypeUnregistered
    pinned = runtime.hostAlloc(100, 0)
    assert runtime.pointerGetMemoryType(pinned) == runtime.memoryTypeHost
    runtime.freeHost(pinned)


def test_events():
    stream = runtime.streamCreate()
    start, end = runtime.eventCreate(), runtime.eventCreate()
    runtime.eventRecord(start, stream)
    runtime.eventRecord(end, stream)
    runtime.streamWaitEvent(0, end)
    runtime.eventSynchronize(end)
    assert runtime.eventQuery(end) == 0
    assert runtime.streamQuery(stream) == 0
    assert runtime.eventElapsedTime(start, end) >= 0
    runtime.eventDestroy(start)
    runtime.eventDestroy(end)
    runtime.streamDestroy(stream)


def test_graphs(tmp_path):
    x = cp.zeros(4)
    stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    cuda.Device().synchronize()
    runtime.streamBeginCapture(stream)
    assert runtime.streamIsCapturing(stream)
    with cuda.ExternalStream(stream):
        x += 1
    graph = runtime.streamEndCapture(stream)
    executable = runtime.graphInstantiate(graph)
    runtime.graphDebugDotPrint(graph, str(tmp_path / "graph.dot"), 0)
    assert "digraph" in (tmp_path / "graph.dot").read_text()
    runtime.graphDestroy(graph)
    runtime.graphUpload(executable, stream)
    for _ in range(3):
        runtime.graphLaunch(executable, stream)
    runtime.streamSynchronize(stream)
    assert x.get().tolist() == [3] * 4
    runtime.graphExecDestroy(executable)
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.graphLaunch(executable, stream)
    runtime.streamDestroy(stream)


def test_limits(device):
    before = runtime.deviceGetLimit(runtime.cudaLimitStackSize)
    runtime.deviceSetLimit(runtime.cudaLimitStackSize, 4096)
    if device == "cuda":
        assert runtime.deviceGetLimit(runtime.cudaLimitStackSize) >= 4096
        runtime.deviceSetLimit(runtime.cudaLimitStackSize, before)


def test_callbacks():
    seen = []
    stream = runtime.streamCreate()
    runtime.launchHostFunc(stream, seen.append, 5)
    runtime.streamAddCallback(stream, lambda s, e, a: seen.append((e, a)), 6)
    runtime.streamSynchronize(stream)
    assert seen == [5, (0, 6)]
    runtime.streamDestroy(stream)


def test_profiler():
    runtime.profilerStart()
    runtime.profilerStop()
    cuda.profiler.start()
    cuda.profiler.stop()


def test_handles(device):
    d = cuda.Device()
    if device == "host":
        with pytest.raises(NotImplementedError, match="host device has no cuBLAS"):
            _ = d.cublas_handle
        return
    assert d.cublas_handle == cuda.get_cublas_handle() != 0
    assert d.cusolver_handle != 0


def test_pci_bus(device):
    where = runtime.deviceGetPCIBusId(0)
    assert runtime.deviceGetByPCIBusId(where) == 0
    assert cuda.Device.from_pci_bus_id(where) == cuda.Device(0)


def test_get_and_set_on_a_stream():
    """The stream of the call, not the current one, orders the copy."""
    s = cuda.Stream(non_blocking=True)
    with s:
        x = cp.zeros(1 << 20)
        s.synchronize()
        n = 2000 if cuda.is_available() else 8
        a = cp.ones((n, n), "f")
        for _ in range(20):
            a = a @ a * cp.float32(1e-4)
        x += 3
    assert (x.get(stream=s) == 3).all()
    with s:
        for _ in range(20):
            a = a @ a * cp.float32(1e-4)
        x += 3
    x.set(np.zeros(1 << 20), stream=s)
    assert not x.get(stream=s).any()
    with s:
        x += 1
    assert (cp.asnumpy(x, stream=s) == 1).all()


PTX = r"""
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .b32 answer = 42;
.visible .entry store(.param .u64 out, .param .u32 value)
{
    .reg .b64 %address;
    .reg .b32 %value;
    ld.param.u64 %address, [out];
    ld.param.u32 %value, [value];
    cvta.to.global.u64 %address, %address;
    st.global.u32 [%address], %value;
    ret;
}
"""


@pytest.mark.only_on("cuda")
def test_the_driver_launches():
    from cupric.cuda import driver

    module = driver.moduleLoadData(PTX)
    function = driver.moduleGetFunction(module, "store")
    x = cp.zeros(4, "i")
    ptr, value = ctypes.c_void_p(x.data.ptr), ctypes.c_int(7)
    args = (ctypes.c_void_p * 2)(ctypes.addressof(ptr), ctypes.addressof(value))
    driver.launchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, ctypes.addressof(args), 0)
    assert x.get().tolist() == [7, 0, 0, 0]
    which = driver.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
    assert driver.funcGetAttribute(which, function) == 1024
    assert driver.occupancyMaxActiveBlocksPerMultiprocessor(function, 128, 0) >= 1
    blocks, threads = driver.occupancyMaxPotentialBlockSize(function, 0, 0)
    assert blocks >= 1
    assert threads >= 32
    assert driver.moduleGetGlobal(module, "answer") != 0
    assert driver.ctxGetCurrent() != 0
    assert driver.ctxGetDevice() == 0
    with pytest.raises(driver.CUDADriverError, match="CUDA_ERROR_NOT_FOUND"):
        driver.moduleGetFunction(module, "absent")
    driver.moduleUnload(module)
    state = driver.linkCreate()
    driver.linkAddData(state, driver.CU_JIT_INPUT_PTX, PTX, "store.ptx")
    binary = driver.linkComplete(state)
    driver.linkDestroy(state)
    driver.moduleUnload(driver.moduleLoadData(binary))


@pytest.mark.only_on("cuda")
def test_pools_of_the_driver():
    pool = runtime.deviceGetDefaultMemPool(0)
    assert runtime.deviceGetMemPool(0) == pool
    made = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))
    stream = runtime.streamCreate()
    ptr = runtime.mallocFromPoolAsync(1 << 20, made, stream)
    assert runtime.memPoolGetAttribute(made, 7) >= 1 << 20  # bytes in use
    runtime.memPoolSetAttribute(made, 4, 1 << 20)
    assert runtime.memPoolGetAttribute(made, 4) == 1 << 20  # bytes that are kept
    runtime.freeAsync(ptr, stream)
    runtime.streamSynchronize(stream)
    runtime.memPoolTrimTo(made, 0)
    runtime.memPoolDestroy(made)
    runtime.streamDestroy(stream)


@pytest.mark.only_on("host")
def test_the_host_has_no_driver():
    from cupric.cuda import driver

    for call in (
        driver.ctxGetCurrent,
        driver.linkCreate,
        lambda: runtime.deviceGetDefaultMemPool(0),
        lambda: runtime.ipcGetMemHandle(0),
    ):
        with pytest.raises(NotImplementedError, match="no driver"):
            call()


def test_errors_have_their_numbers():
    for number in (1, 2, 400, 401, 700, 716, 719, 900, 907):
        error = runtime.CUDARuntimeError(number)
        assert error.status == number
        assert runtime.CUDARuntimeError(str(error)).status == number
    assert runtime.CUDARuntimeError("CUDA_ERROR_ILLEGAL_ADDRESS: x").status == 700
