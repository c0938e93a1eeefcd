"""The CUDA runtime's interface, for programs that speak it.

Handles and addresses are ints, as there. The objects behind them are kept here until
they are destroyed or freed.
"""

import ctypes
import os
import threading

from cupric import _core
from cupric._core import CUDARuntimeError
from cupric.cuda import _constants, _driver, _properties
from cupric.cuda._constants import *  # noqa: F403
from cupric.cuda._constants import (
    cudaCpuDeviceId,
    cudaInvalidDeviceId,
    errorInvalidResourceHandle,
    errorInvalidValue,
    errorPeerAccessAlreadyEnabled,
    eventBlockingSync,
    eventDisableTiming,
    eventInterprocess,
    memoryTypeDevice,
    memoryTypeHost,
    memoryTypeUnregistered,
    streamCaptureModeRelaxed,
    streamNonBlocking,
)

is_hip = False

_lock = threading.Lock()
os.register_at_fork(after_in_child=_lock._at_fork_reinit)
_memory = {}  # by address
_pinned = {}
_streams = {}  # by handle
_events = {}
_peers = set()  # pairs of devices
_graphs = {}  # by handle
_executables = {}

_NOT_ENABLED = 705  # cudaErrorPeerAccessNotEnabled


def check_status(status):
    """Raise CUDARuntimeError unless `status` is 0."""
    if status != 0:
        raise CUDARuntimeError(status)


def _keep(table, key, value):
    with _lock:
        table[key] = value
    return key


def _drop(table, key, error):
    with _lock:
        value = table.pop(key, None)
    if value is None:
        raise CUDARuntimeError(error)
    return value


# ---- versions and devices ----------------------------------------------------------


def runtimeGetVersion():
    """The version of the interface in use, as 12040 for 12.4; 0 on the host device.

    That of CUDA's headers that the package was built with, or the driver's if that is
    older: the runtime library itself is not used.
    """
    return _core.versions()[1]


def driverGetVersion():
    """The newest version of CUDA that the driver supports; 0 on the host device."""
    return _core.versions()[0]


def getDeviceCount():
    """How many devices there are."""
    return _core.device_count()


def getDevice():
    """The number of this thread's current device."""
    return _core.Device().id


def setDevice(device):
    """Make device number `device` this thread's current one."""
    _core.Device(device).use()


def deviceSynchronize():
    """Wait until all work on the current device is done."""
    _core.Device().synchronize()


_ATTRIBUTES = frozenset(
    value for name, value in vars(_constants).items() if name.startswith("cudaDevAttr")
)


def deviceGetAttribute(attrib, device):
    """A limit or property of a device, by its ``cudaDevAttr…`` number.

    What the device does not know is 0.
    """
    if attrib not in _ATTRIBUTES:
        raise CUDARuntimeError(errorInvalidValue)
    return _core.Device(device)._attribute(attrib)


def _uuid(device):
    uuid = ctypes.create_string_buffer(16)
    _driver.call("cuDeviceGetUuid", uuid, ctypes.c_int(device.id))
    return uuid.raw


def getDeviceProperties(device):
    """The properties of a device, as a dict; 0 what it does not know."""
    d = _core.Device(device)
    a = d.attributes
    properties = {"name": d.name.encode(), "totalGlobalMem": d.mem_info[1]}
    for name, attribute in _properties.NAMED.items():
        if isinstance(attribute, str):
            properties[name] = a[attribute]
        else:
            properties[name] = tuple(a[each] for each in attribute)
    for name, number in _properties.NUMBERED.items():
        properties[name] = d._attribute(number)
    properties |= {"uuid": _uuid(d), "luid": bytes(8), "luidDeviceNodeMask": 0}
    return properties


def deviceGetLimit(limit):
    """A limit of the current device, by its ``cudaLimit…`` number; 0 on the host."""
    value = ctypes.c_size_t(0)
    _driver.call("cuCtxGetLimit", ctypes.byref(value), ctypes.c_int(limit))
    return value.value


def deviceSetLimit(limit, value):
    """Set a limit of the current device: the stack of a thread, the heap of kernels."""
    _driver.call("cuCtxSetLimit", ctypes.c_int(limit), _driver.size(value))


def deviceGetPCIBusId(device):
    """Where a device is on the bus."""
    return _core.Device(device).pci_bus_id


def deviceGetByPCIBusId(pci_bus_id):
    """The number of the device at a place of the bus."""
    return _core.Device.from_pci_bus_id(pci_bus_id).id


def deviceCanAccessPeer(device, peerDevice):
    """1 when one device can read the other's memory."""
    return int(_core.Device(device)._can_access(peerDevice))


def deviceEnablePeerAccess(peerDevice):
    """Let the current device read another's memory."""
    pair = _core.Device().id, _core.Device(peerDevice).id
    if pair[0] == pair[1]:
        raise CUDARuntimeError(errorInvalidValue)
    with _lock:
        if pair in _peers:
            raise CUDARuntimeError(errorPeerAccessAlreadyEnabled)
        _core.Device()._enable_access(pair[1])
        _peers.add(pair)


def deviceDisablePeerAccess(peerDevice):
    """Undo deviceEnablePeerAccess: for programs that count; copies may still use it."""
    pair = _core.Device().id, _core.Device(peerDevice).id
    with _lock:
        if pair not in _peers:
            raise CUDARuntimeError(_NOT_ENABLED)
        _peers.remove(pair)


# ---- memory ------------------------------------------------------------------------


def memGetInfo():
    """(free, total) bytes of the current device's memory."""
    return _core.Device().mem_info


def malloc(size):
    """The address of `size` new bytes on the current device."""
    memory = _core.Memory(size)
    return _keep(_memory, memory.ptr, memory) if size else 0


def mallocManaged(size, flags=1):
    """The same, in memory that the host shares."""
    memory = _core.Memory(size, True)
    return _keep(_memory, memory.ptr, memory) if size else 0


def mallocAsync(size, stream):
    """The same, in a stream's order."""
    ptr = ctypes.c_void_p()
    where = _driver.pointer(stream)
    if _driver.call("cuMemAllocAsync", ctypes.byref(ptr), _driver.size(size), where):
        return ptr.value or 0
    return malloc(size)


def free(ptr):
    """Free memory of malloc; 0 is fine."""
    if ptr in _memory:
        memory = _drop(_memory, ptr, errorInvalidValue)
        memory.device.synchronize()
    elif ptr and not _driver.call("cuMemFree_v2", _driver.pointer(ptr)):
        raise CUDARuntimeError(errorInvalidValue)


def freeAsync(ptr, stream):
    """Free memory of mallocAsync when the stream gets here."""
    address, where = _driver.pointer(ptr), _driver.pointer(stream)
    if ptr and ptr not in _memory and _driver.call("cuMemFreeAsync", address, where):
        return
    if ptr:
        streamSynchronize(stream)
        _drop(_memory, ptr, errorInvalidValue)


def hostAlloc(size, flags):
    """The address of `size` new bytes of pinned host memory."""
    memory = _core.PinnedMemory(size, flags)
    return _keep(_pinned, memory.ptr, memory) if size else 0


def freeHost(ptr):
    """Free memory of hostAlloc; 0 is fine."""
    if ptr:
        _drop(_pinned, ptr, errorInvalidValue)


def memcpy(dst, src, size, kind):
    """Copy `size` bytes between addresses; `kind` says whose they are."""
    _core.memcpy(dst, src, size, kind, False, None)


def memcpyAsync(dst, src, size, kind, stream):
    """The same, in a stream's order. Host memory must be pinned."""
    _core.memcpy(dst, src, size, kind, True, _stream(stream))


def memcpyPeer(dst, dstDevice, src, srcDevice, size):
    """Copy between two devices."""
    _core.memcpy_peer(dst, dstDevice, src, srcDevice, size, None)
    _core.Device(dstDevice).synchronize()


def memcpyPeerAsync(dst, dstDevice, src, srcDevice, size, stream):
    """The same, in a stream's order."""
    _core.memcpy_peer(dst, dstDevice, src, srcDevice, size, _stream(stream))


def memcpy2D(dst, dpitch, src, spitch, width, height, kind):
    """Copy rows of `width` bytes that lie `dpitch` and `spitch` bytes apart."""
    memcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, 0)
    streamSynchronize(0)


def memcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, stream):
    """The same, in a stream's order."""
    if width > dpitch or width > spitch:
        raise CUDARuntimeError(errorInvalidValue)
    queue = _stream(stream)
    for row in range(height):
        _core.memcpy(dst + row * dpitch, src + row * spitch, width, kind, True, queue)


def memset(ptr, value, size):
    """Set `size` bytes."""
    _core.memset(ptr, value, size, None)


def memsetAsync(ptr, value, size, stream):
    """The same, in a stream's order."""
    _core.memset(ptr, value, size, _stream(stream))


def memPrefetchAsync(devPtr, count, dstDevice, stream):
    """Move managed memory to where it will be used: on the host it is there."""
    place = _location(dstDevice)
    flags = ctypes.c_uint(0)
    args = _driver.pointer(devPtr), _driver.size(count), place, flags
    _driver.call("cuMemPrefetchAsync_v2", *args, _driver.pointer(stream))


def memAdvise(devPtr, count, advice, device):
    """Say how managed memory will be used: nothing depends on it on the host device."""
    args = _driver.pointer(devPtr), _driver.size(count), ctypes.c_int(advice)
    _driver.call("cuMemAdvise_v2", *args, _location(device))


class _Location(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int), ("id", ctypes.c_int))


def _location(device):
    """A device as the driver takes it; cudaCpuDeviceId is the host."""
    return _Location(2, 0) if device == cudaCpuDeviceId else _Location(1, device)


class PointerAttributes:
    """What is known of an address.

    Parameters
    ----------
    device : int
        The device's number; -2: none.
    devicePointer, hostPointer : int
        The address as the device and as the host use it.
    type : int
        One of the ``memoryType…`` numbers.
    """

    def __init__(self, device, devicePointer, hostPointer, type=-1):
        self.device = device
        self.devicePointer = devicePointer
        self.hostPointer = hostPointer
        self.type = type


def pointerGetAttributes(ptr):
    """What is known of an address, as PointerAttributes."""
    kind, device, device_ptr, host_ptr = _core.pointer_info(ptr)
    if kind != memoryTypeUnregistered:
        return PointerAttributes(device, device_ptr, host_ptr, kind)
    owner = _core.pointer_device(ptr)
    if owner is not None:
        return PointerAttributes(owner.id, ptr, ptr, memoryTypeDevice)
    with _lock:
        memory = _memory.get(ptr)
        pinned = ptr in _pinned
    if memory is not None:
        return PointerAttributes(memory.device_id, ptr, ptr, memoryTypeDevice)
    if pinned:
        return PointerAttributes(getDevice(), ptr, ptr, memoryTypeHost)
    return PointerAttributes(cudaInvalidDeviceId, 0, ptr, memoryTypeUnregistered)


def pointerGetMemoryType(ptr):
    """The ``memoryType…`` number of an address."""
    return pointerGetAttributes(ptr).type


# ---- the driver's own pools --------------------------------------------------------


class MemPoolProps:
    """What a new pool is to be.

    Parameters
    ----------
    allocType, handleType, locationType, devId : int
        CUDA's numbers; `devId` is the device.
    """

    def __init__(self, allocType, handleType, locationType, devId):
        self.allocType = allocType
        self.handleType = handleType
        self.locationType = locationType
        self.devId = devId


class _PoolProps(ctypes.Structure):
    _fields_ = (
        ("allocType", ctypes.c_int),
        ("handleType", ctypes.c_int),
        ("location", _Location),
        ("security", ctypes.c_void_p),
        ("rest", ctypes.c_ubyte * 64),
    )


def _must(name, *args):
    if not _driver.call(name, *args):
        raise NotImplementedError(f"the host device has no driver: no {name}")


def _pool_of(name, device):
    pool = ctypes.c_void_p()
    number = ctypes.c_int()
    _must("cuDeviceGet", ctypes.byref(number), ctypes.c_int(device))
    _must(name, ctypes.byref(pool), number)
    return pool.value


def deviceGetDefaultMemPool(device):
    """The driver's default pool of a device, from which mallocAsync takes."""
    return _pool_of("cuDeviceGetDefaultMemPool", device)


def deviceGetMemPool(device):
    """The driver's present pool of a device."""
    return _pool_of("cuDeviceGetMemPool", device)


def deviceSetMemPool(device, pool):
    """Make a pool that from which mallocAsync takes."""
    number = ctypes.c_int()
    _must("cuDeviceGet", ctypes.byref(number), ctypes.c_int(device))
    _must("cuDeviceSetMemPool", number, _driver.pointer(pool))


def memPoolCreate(props):
    """The handle of a new pool."""
    location = _Location(props.locationType, props.devId)
    wanted = _PoolProps(props.allocType, props.handleType, location)
    pool = ctypes.c_void_p()
    _must("cuMemPoolCreate", ctypes.byref(pool), ctypes.byref(wanted))
    return pool.value


def memPoolDestroy(pool):
    """End a pool of memPoolCreate."""
    _must("cuMemPoolDestroy", _driver.pointer(pool))


def memPoolTrimTo(pool, size):
    """Let a pool keep no more than `size` unused bytes."""
    _must("cuMemPoolTrimTo", _driver.pointer(pool), _driver.size(size))


def _pool_value(attr):
    """Room for an attribute: the first three are ints, the others 64 bits wide."""
    return ctypes.c_int() if attr in (1, 2, 3) else ctypes.c_uint64()


def memPoolGetAttribute(pool, attr):
    """An attribute of a pool, by its ``cudaMemPoolAttr…`` number."""
    value = _pool_value(attr)
    where = _driver.pointer(pool), ctypes.c_int(attr)
    _must("cuMemPoolGetAttribute", *where, ctypes.byref(value))
    return value.value


def memPoolSetAttribute(pool, attr, value):
    """Set it."""
    room = _pool_value(attr)
    room.value = value
    where = _driver.pointer(pool), ctypes.c_int(attr)
    _must("cuMemPoolSetAttribute", *where, ctypes.byref(room))


def mallocFromPoolAsync(size, pool, stream):
    """The address of `size` new bytes of a pool, in a stream's order."""
    ptr = ctypes.c_void_p()
    what = _driver.size(size), _driver.pointer(pool), _driver.pointer(stream)
    _must("cuMemAllocFromPoolAsync", ctypes.byref(ptr), *what)
    return ptr.value or 0


# ---- between processes -------------------------------------------------------------


class _Handle(ctypes.Structure):
    """CUipcMemHandle and CUipcEventHandle, which are passed by value."""

    _fields_ = (("bytes", ctypes.c_ubyte * 64),)


def _handle_of(name, argument):
    handle = _Handle()
    _must(name, ctypes.byref(handle), argument)
    return bytes(handle)


def ipcGetMemHandle(devPtr):
    """What another process opens memory of `malloc` with, as bytes."""
    return _handle_of("cuIpcGetMemHandle", _driver.pointer(devPtr))


def ipcOpenMemHandle(handle, flags=1):
    """The address here of another process's memory."""
    ptr = ctypes.c_void_p()
    given = _Handle.from_buffer_copy(handle)
    _must("cuIpcOpenMemHandle_v2", ctypes.byref(ptr), given, ctypes.c_uint(flags))
    return ptr.value


def ipcCloseMemHandle(devPtr):
    """Give an address of ipcOpenMemHandle up."""
    _must("cuIpcCloseMemHandle", _driver.pointer(devPtr))


def ipcGetEventHandle(event):
    """What another process opens an interprocess event with, as bytes."""
    return _handle_of("cuIpcGetEventHandle", _driver.pointer(event))


def ipcOpenEventHandle(handle):
    """The handle here of another process's event."""
    event = ctypes.c_void_p()
    given = _Handle.from_buffer_copy(handle)
    _must("cuIpcOpenEventHandle", ctypes.byref(event), given)
    return event.value


# ---- streams -----------------------------------------------------------------------


def _stream(handle):
    """The stream object of a handle."""
    if handle in (0, 1):
        return _core.Stream.null
    if handle == 2:
        return _core.Stream.ptds
    with _lock:
        stream = _streams.get(handle)
    return _core.ExternalStream(handle) if stream is None else stream


def streamCreate():
    """The handle of a new stream of the current device."""
    return streamCreateWithFlags(0)


def streamCreateWithFlags(flags):
    """The same; `flags` is streamDefault or streamNonBlocking."""
    return streamCreateWithPriority(flags, None)


def streamCreateWithPriority(flags, priority):
    """The same, with a priority: lower numbers go first."""
    stream = _core.Stream(
        non_blocking=bool(flags & streamNonBlocking), priority=priority
    )
    return _keep(_streams, stream.ptr, stream)


def streamDestroy(stream):
    """End a stream of streamCreate."""
    _drop(_streams, stream, errorInvalidResourceHandle)


def streamSynchronize(stream):
    """Wait until all work given to a stream is done."""
    _stream(stream).synchronize()


def streamQuery(stream):
    """0 when all work given to a stream is done, else 600 (not ready)."""
    return 0 if _stream(stream).done else 600


def streamGetFlags(stream):
    """The flags with which a stream was made."""
    return streamNonBlocking if _stream(stream).is_non_blocking else 0


def streamGetPriority(stream):
    """The priority with which a stream was made."""
    return _stream(stream).priority


def streamWaitEvent(stream, event, flags=0):
    """Let later work of a stream wait for an event."""
    _stream(stream).wait_event(_event(event))


def streamAddCallback(stream, callback, arg, flags=0):
    """Call callback(stream, 0, arg) when the work up to here is done."""
    _stream(stream).launch_host_func(lambda a: callback(stream, 0, a), arg)


def launchHostFunc(stream, callback, arg):
    """Call callback(arg) when the work up to here is done."""
    _stream(stream).launch_host_func(callback, arg)


def streamIsCapturing(stream):
    """Whether a stream's work is recorded into a graph."""
    return _stream(stream).is_capturing()


# ---- events ------------------------------------------------------------------------


def _event(handle):
    with _lock:
        event = _events.get(handle)
    if event is None:
        raise CUDARuntimeError(errorInvalidResourceHandle)
    return event


def eventCreate():
    """The handle of a new event."""
    return eventCreateWithFlags(0)


def eventCreateWithFlags(flags):
    """The same; `flags` is an or of the ``event…`` numbers."""
    event = _core.Event(
        block=bool(flags & eventBlockingSync),
        disable_timing=bool(flags & eventDisableTiming),
        interprocess=bool(flags & eventInterprocess),
    )
    return _keep(_events, event.ptr, event)


def eventDestroy(event):
    """End an event of eventCreate."""
    _drop(_events, event, errorInvalidResourceHandle)


def eventRecord(event, stream):
    """Mark the place that a stream has reached."""
    _event(event).record(_stream(stream))


def eventQuery(event):
    """0 when the work that an event marks is done, else 600 (not ready)."""
    return 0 if _event(event).done else 600


def eventSynchronize(event):
    """Wait until the work that an event marks is done."""
    _event(event).synchronize()


def eventElapsedTime(start, end):
    """Milliseconds between two recorded events."""
    return _core.get_elapsed_time(_event(start), _event(end))


# ---- graphs ------------------------------------------------------------------------


def streamBeginCapture(stream, mode=streamCaptureModeRelaxed):
    """Record a stream's work into a graph in place of running it."""
    _stream(stream).begin_capture(mode)


def streamEndCapture(stream):
    """The handle of the graph recorded since streamBeginCapture."""
    graph = _stream(stream).end_capture()
    return _keep(_graphs, graph.graph or id(graph), graph)


def graphInstantiate(graph):
    """The handle of what can be launched of a graph."""
    with _lock:
        captured = _graphs.get(graph)
    if captured is None:
        raise CUDARuntimeError(errorInvalidValue)
    return _keep(_executables, captured.graphExec or id(captured), captured)


def graphDestroy(graph):
    """End a graph of streamEndCapture; what was instantiated stays."""
    _drop(_graphs, graph, errorInvalidValue)


def graphExecDestroy(graphExec):
    """End what graphInstantiate gave."""
    _drop(_executables, graphExec, errorInvalidValue)


def _executable(handle):
    with _lock:
        graph = _executables.get(handle)
    if graph is None:
        raise CUDARuntimeError(errorInvalidValue)
    return graph


def graphLaunch(graphExec, stream):
    """Do the recorded work in a stream's order."""
    _executable(graphExec).launch(_stream(stream))


def graphUpload(graphExec, stream):
    """Bring what a launch needs to the device."""
    _executable(graphExec).upload(_stream(stream))


def graphDebugDotPrint(graph, path, flags):
    """Write a graph's nodes to a file, as Graphviz reads them."""
    with _lock:
        captured = _graphs.get(graph)
    if captured is None:
        raise CUDARuntimeError(errorInvalidValue)
    with open(path, "w") as file:
        file.write(captured.debug_dot_str(flags))


# ---- profilers ---------------------------------------------------------------------


def profilerStart():
    """Let an attached profiler record from here on. On the host device: none."""
    _core.Device()._profiler(True)


def profilerStop():
    """Let it stop recording."""
    _core.Device()._profiler(False)


def hostRegister(ptr, size, flags):
    """Pin host memory: on the host device all memory is within reach."""
    address = _driver.pointer(ptr)
    _driver.call(
        "cuMemHostRegister_v2", address, _driver.size(size), ctypes.c_uint(flags)
    )


def hostUnregister(ptr):
    """Undo hostRegister."""
    _driver.call("cuMemHostUnregister", _driver.pointer(ptr))
