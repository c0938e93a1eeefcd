"""The CUDA runtime's interface, for programs that speak it.

Handles and addresses are ints, as there. The objects behind them are kept here until
they are destroyed or freed.
"""

import threading

from cupric import _core
from cupric._core import CUDARuntimeError
from cupric.cuda import _constants
from cupric.cuda._constants import *  # noqa: F403
from cupric.cuda._constants import (
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
    streamNonBlocking,
)

is_hip = False

_lock = threading.Lock()
_memory = {}  # by address
_pinned = {}
_streams = {}  # by handle
_events = {}
_peers = set()  # pairs of devices


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
    """The version of the runtime in use, as 12040 for 12.4; 0 on the host device."""
    return 0


def driverGetVersion():
    """The version of the driver; 0 on the host device."""
    return 0


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


_ATTRIBUTES = {
    value: name.removeprefix("cudaDevAttr")
    for name, value in vars(_constants).items()
    if name.startswith("cudaDevAttr")
}


def deviceGetAttribute(attrib, device):
    """A limit or property of a device, by its ``cudaDevAttr…`` number.

    What the device does not know is 0.
    """
    if attrib not in _ATTRIBUTES:
        raise CUDARuntimeError(errorInvalidValue)
    return _core.Device(device).attributes.get(_ATTRIBUTES[attrib], 0)


def getDeviceProperties(device):
    """The properties of a device, as a dict."""
    d = _core.Device(device)
    a = d.attributes
    return {
        "name": d.name.encode(),
        "totalGlobalMem": d.mem_info[1],
        "sharedMemPerBlock": a["MaxSharedMemoryPerBlock"],
        "warpSize": a["WarpSize"],
        "maxThreadsPerBlock": a["MaxThreadsPerBlock"],
        "maxThreadsDim": (a["MaxBlockDimX"], a["MaxBlockDimY"], a["MaxBlockDimZ"]),
        "maxGridSize": (a["MaxGridDimX"], a["MaxGridDimY"], a["MaxGridDimZ"]),
        "clockRate": a["ClockRate"],
        "major": a["ComputeCapabilityMajor"],
        "minor": a["ComputeCapabilityMinor"],
        "multiProcessorCount": a["MultiProcessorCount"],
    }


def deviceGetPCIBusId(device):
    """Where a device is on the bus."""
    return _core.Device(device).pci_bus_id


def deviceGetByPCIBusId(pci_bus_id):
    """The number of the device at a place of the bus."""
    return _core.Device.from_pci_bus_id(pci_bus_id).id


def deviceCanAccessPeer(device, peerDevice):
    """1 when one device can read the other's memory."""
    return int(_core.Device(device) != _core.Device(peerDevice))


def deviceEnablePeerAccess(peerDevice):
    """Let the current device read another's memory."""
    pair = _core.Device().id, _core.Device(peerDevice).id
    if pair[0] == pair[1]:
        raise CUDARuntimeError(errorInvalidValue)
    with _lock:
        if pair in _peers:
            raise CUDARuntimeError(errorPeerAccessAlreadyEnabled)
        _peers.add(pair)


def deviceDisablePeerAccess(peerDevice):
    """Undo deviceEnablePeerAccess."""
    with _lock:
        _peers.discard((_core.Device().id, _core.Device(peerDevice).id))


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
    return malloc(size)


def mallocAsync(size, stream):
    """The same, in a stream's order."""
    return malloc(size)


def free(ptr):
    """Free memory of malloc; 0 is fine."""
    if ptr:
        memory = _drop(_memory, ptr, errorInvalidValue)
        memory.device.synchronize()


def freeAsync(ptr, stream):
    """Free memory of mallocAsync when the stream gets here."""
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
    """Move managed memory to where it will be used: on the host device it is there."""


def memAdvise(devPtr, count, advice, device):
    """Say how managed memory will be used: nothing depends on it on the host device."""


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


# ---- profilers ---------------------------------------------------------------------


def profilerStart():
    """Let an attached profiler record from here on. On the host device: none."""


def profilerStop():
    """Let it stop recording."""


def hostRegister(ptr, size, flags):
    """Pin host memory: on the host device all memory is within reach."""


def hostUnregister(ptr):
    """Undo hostRegister."""
