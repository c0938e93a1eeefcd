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
    """Raise CUDARuntimeError unless `status` is 0.

    Parameters
    ----------
    status : int
        What a function of the runtime returned, a cudaError_t.

    Raises
    ------
    CUDARuntimeError
        With the name and the description of the error.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.check_status(0)
    >>> runtime.check_status(1)
    Traceback (most recent call last):
        ...
    cupric.cuda.runtime.CUDARuntimeError: cudaErrorInvalidValue: invalid argument
    """
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
    """The version of the runtime's interface.

    That of CUDA's headers that the package was built with, or the driver's if that is
    older: the runtime library itself is not used.

    Returns
    -------
    int
        12040 for 12.4; 0 on the host device.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> version = runtime.runtimeGetVersion()
    >>> major, minor = version // 1000, version % 1000 // 10
    """
    return _core.versions()[1]


def driverGetVersion():
    """The newest version of CUDA that the driver supports.

    Returns
    -------
    int
        12040 for 12.4; 0 on the host device.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.driverGetVersion() >= runtime.runtimeGetVersion()
    True
    """
    return _core.versions()[0]


def getDeviceCount():
    """The number of devices.

    Returns
    -------
    int

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.getDeviceCount() >= 1
    True
    """
    return _core.device_count()


def getDevice():
    """The number of this thread's current device.

    Returns
    -------
    int

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.getDevice() == cp.cuda.Device().id
    True
    """
    return _core.Device().id


def setDevice(device):
    """Make a device this thread's current one.

    Parameters
    ----------
    device : int
        Its number.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.setDevice(0)
    >>> runtime.getDevice()
    0
    """
    _core.Device(device).use()


def deviceSynchronize():
    """Wait until all work on the current device is done.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.ones(3) + 1
    >>> runtime.deviceSynchronize()
    """
    _core.Device().synchronize()


_ATTRIBUTES = frozenset(
    value for name, value in vars(_constants).items() if name.startswith("cudaDevAttr")
)


def deviceGetAttribute(attrib, device):
    """A limit or property of a device.

    Parameters
    ----------
    attrib : int
        A ``cudaDevAttr…`` number.
    device : int
        Its number.

    Returns
    -------
    int
        0 for what the device does not know.

    Raises
    ------
    CUDARuntimeError
        There is no such attribute.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.deviceGetAttribute(runtime.cudaDevAttrWarpSize, 0)
    32
    """
    if attrib not in _ATTRIBUTES:
        raise CUDARuntimeError(errorInvalidValue)
    return _core.Device(device)._attribute(attrib)


def _uuid(device):
    uuid = ctypes.create_string_buffer(16)
    _driver.call("cuDeviceGetUuid", uuid, ctypes.c_int(device.id))
    return uuid.raw


def getDeviceProperties(device):
    """The properties of a device.

    Parameters
    ----------
    device : int
        Its number.

    Returns
    -------
    dict
        By the names of the members of cudaDeviceProp; 0 for what the device does not
        know.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> properties = runtime.getDeviceProperties(0)
    >>> properties["warpSize"], properties["totalGlobalMem"] > 0
    (32, True)
    """
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
    """A limit of the current device.

    Parameters
    ----------
    limit : int
        A ``cudaLimit…`` number.

    Returns
    -------
    int
        In bytes, mostly; 0 on the host device.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.deviceGetLimit(runtime.cudaLimitStackSize) >= 0
    True
    """
    value = ctypes.c_size_t(0)
    _driver.call("cuCtxGetLimit", ctypes.byref(value), ctypes.c_int(limit))
    return value.value


def deviceSetLimit(limit, value):
    """Set a limit of the current device.

    On the host device it has no effect.

    Parameters
    ----------
    limit : int
        A ``cudaLimit…`` number: of the stack of a thread, of the heap of kernels.
    value : int
        In bytes, mostly.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stack = runtime.deviceGetLimit(runtime.cudaLimitStackSize)
    >>> runtime.deviceSetLimit(runtime.cudaLimitStackSize, stack)
    """
    _driver.call("cuCtxSetLimit", ctypes.c_int(limit), _driver.size(value))


def deviceGetPCIBusId(device):
    """Where a device is on the bus.

    Parameters
    ----------
    device : int
        Its number.

    Returns
    -------
    str
        ``"0000:3b:00.0"``; ``"host:0"`` on the host device.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> place = runtime.deviceGetPCIBusId(0)
    >>> runtime.deviceGetByPCIBusId(place)
    0
    """
    return _core.Device(device).pci_bus_id


def deviceGetByPCIBusId(pci_bus_id):
    """The number of the device at a place of the bus.

    Parameters
    ----------
    pci_bus_id : str
        What deviceGetPCIBusId gives.

    Returns
    -------
    int

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> place = runtime.deviceGetPCIBusId(0)
    >>> runtime.deviceGetByPCIBusId(place)
    0
    """
    return _core.Device.from_pci_bus_id(pci_bus_id).id


def deviceCanAccessPeer(device, peerDevice):
    """Whether a device can access another's memory.

    Parameters
    ----------
    device, peerDevice : int
        Their numbers.

    Returns
    -------
    int
        1 where it can, else 0.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.deviceCanAccessPeer(0, 0) in (0, 1)
    True
    """
    return int(_core.Device(device)._can_access(peerDevice))


def deviceEnablePeerAccess(peerDevice):
    """Let the current device access another's memory.

    Parameters
    ----------
    peerDevice : int
        The other's number.

    Raises
    ------
    CUDARuntimeError
        It is the current device, or may already, or cannot.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.deviceEnablePeerAccess(1)  # doctest: +SKIP
    """
    pair = _core.Device().id, _core.Device(peerDevice).id
    if pair[0] == pair[1]:
        raise CUDARuntimeError(errorInvalidValue)
    with _lock:
        if pair in _peers:
            raise CUDARuntimeError(errorPeerAccessAlreadyEnabled)
        _core.Device()._enable_access(pair[1])
        _peers.add(pair)


def deviceDisablePeerAccess(peerDevice):
    """Undo deviceEnablePeerAccess.

    It is for programs that count: copies may still use the access.

    Parameters
    ----------
    peerDevice : int
        The other's number.

    Raises
    ------
    CUDARuntimeError
        Access was not enabled.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.deviceEnablePeerAccess(1)  # doctest: +SKIP
    >>> runtime.deviceDisablePeerAccess(1)  # doctest: +SKIP
    """
    pair = _core.Device().id, _core.Device(peerDevice).id
    with _lock:
        if pair not in _peers:
            raise CUDARuntimeError(_NOT_ENABLED)
        _peers.remove(pair)


# ---- memory ------------------------------------------------------------------------


def memGetInfo():
    """The current device's memory.

    Returns
    -------
    free : int
        Bytes that are free.
    total : int
        Bytes that there are.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> free, total = runtime.memGetInfo()
    >>> 0 <= free <= total
    True
    """
    return _core.Device().mem_info


def malloc(size):
    """Allocate memory on the current device, of no pool.

    Parameters
    ----------
    size : int
        In bytes.

    Returns
    -------
    int
        Its address, for `free`; 0 for no bytes.

    Raises
    ------
    OutOfMemoryError
        There is not so much.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.malloc(1024)
    >>> runtime.free(ptr)
    """
    memory = _core.Memory(size)
    return _keep(_memory, memory.ptr, memory) if size else 0


def mallocManaged(size, flags=1):
    """Allocate memory that the host and the devices share.

    Parameters
    ----------
    size : int
        In bytes.
    flags : int, optional
        Has no effect: every stream may use it.

    Returns
    -------
    int
        Its address, for `free`; 0 for no bytes.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.mallocManaged(1024)
    >>> runtime.free(ptr)
    """
    memory = _core.Memory(size, True)
    return _keep(_memory, memory.ptr, memory) if size else 0


def mallocAsync(size, stream):
    """Allocate memory of the driver's pool, in a stream's order.

    Parameters
    ----------
    size : int
        In bytes.
    stream : int
        Its handle; 0 is the default stream.

    Returns
    -------
    int
        Its address, for `freeAsync`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.mallocAsync(1024, 0)
    >>> runtime.freeAsync(ptr, 0)
    """
    ptr = ctypes.c_void_p()
    where = _driver.pointer(stream)
    if _driver.call("cuMemAllocAsync", ctypes.byref(ptr), _driver.size(size), where):
        return ptr.value or 0
    return malloc(size)


def free(ptr):
    """Free memory of `malloc` or `mallocManaged`.

    Parameters
    ----------
    ptr : int
        Its address; nothing happens for 0.

    Raises
    ------
    CUDARuntimeError
        The address is of no such memory.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.malloc(1024)
    >>> runtime.free(ptr)
    """
    if ptr in _memory:
        memory = _drop(_memory, ptr, errorInvalidValue)
        memory.device.synchronize()
    elif ptr and not _driver.call("cuMemFree_v2", _driver.pointer(ptr)):
        raise CUDARuntimeError(errorInvalidValue)


def freeAsync(ptr, stream):
    """Free memory of `mallocAsync` when a stream has reached this place.

    Parameters
    ----------
    ptr : int
        Its address; nothing happens for 0.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        The address is of no such memory.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.mallocAsync(1024, 0)
    >>> runtime.freeAsync(ptr, 0)
    """
    address, where = _driver.pointer(ptr), _driver.pointer(stream)
    if ptr and ptr not in _memory and _driver.call("cuMemFreeAsync", address, where):
        return
    if ptr:
        streamSynchronize(stream)
        _drop(_memory, ptr, errorInvalidValue)


def hostAlloc(size, flags):
    """Allocate pinned memory of the host.

    Parameters
    ----------
    size : int
        In bytes.
    flags : int
        An or of ``hostAlloc…`` numbers.

    Returns
    -------
    int
        Its address, for `freeHost`; 0 for no bytes.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.hostAlloc(1024, runtime.hostAllocDefault)
    >>> runtime.freeHost(ptr)
    """
    memory = _core.PinnedMemory(size, flags)
    return _keep(_pinned, memory.ptr, memory) if size else 0


def freeHost(ptr):
    """Free memory of `hostAlloc`.

    Parameters
    ----------
    ptr : int
        Its address; nothing happens for 0.

    Raises
    ------
    CUDARuntimeError
        The address is of no such memory.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.hostAlloc(1024, runtime.hostAllocDefault)
    >>> runtime.freeHost(ptr)
    """
    if ptr:
        _drop(_pinned, ptr, errorInvalidValue)


def memcpy(dst, src, size, kind):
    """Copy memory, and wait for it.

    Parameters
    ----------
    dst, src : int
        Addresses.
    size : int
        In bytes.
    kind : int
        ``memcpyHostToDevice`` and its like; ``memcpyDefault`` finds it out.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> a, x = np.arange(3.0), cp.empty(3)
    >>> runtime.memcpy(x.data.ptr, a.ctypes.data, a.nbytes, runtime.memcpyHostToDevice)
    >>> x
    array([0., 1., 2.])
    """
    _core.memcpy(dst, src, size, kind, False, None)


def memcpyAsync(dst, src, size, kind, stream):
    """Copy memory in a stream's order.

    Memory of the host has to be pinned, and to stay until the copy is done.

    Parameters
    ----------
    dst, src : int
        Addresses.
    size : int
        In bytes.
    kind : int
        ``memcpyHostToDevice`` and its like; ``memcpyDefault`` finds it out.
    stream : int
        Its handle; 0 is the default stream.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x, y = cp.arange(3.0), cp.empty(3)
    >>> kind = runtime.memcpyDeviceToDevice
    >>> runtime.memcpyAsync(y.data.ptr, x.data.ptr, x.nbytes, kind, 0)
    >>> y
    array([0., 1., 2.])
    """
    _core.memcpy(dst, src, size, kind, True, _stream(stream))


def memcpyPeer(dst, dstDevice, src, srcDevice, size):
    """Copy memory from one device to another, and wait for it.

    Parameters
    ----------
    dst : int
        The address that is written.
    dstDevice : int
        The number of its device.
    src : int
        The address that is read.
    srcDevice : int
        The number of its device.
    size : int
        In bytes.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x, y = cp.arange(3.0), cp.empty(3)
    >>> runtime.memcpyPeer(y.data.ptr, y.device.id, x.data.ptr, x.device.id, x.nbytes)
    >>> y
    array([0., 1., 2.])
    """
    _core.memcpy_peer(dst, dstDevice, src, srcDevice, size, None)
    _core.Device(dstDevice).synchronize()


def memcpyPeerAsync(dst, dstDevice, src, srcDevice, size, stream):
    """Copy memory from one device to another, in a stream's order.

    Parameters
    ----------
    dst : int
        The address that is written.
    dstDevice : int
        The number of its device.
    src : int
        The address that is read.
    srcDevice : int
        The number of its device.
    size : int
        In bytes.
    stream : int
        Its handle; 0 is the default stream.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x, y = cp.arange(3.0), cp.empty(3)
    >>> places = y.data.ptr, y.device.id, x.data.ptr, x.device.id
    >>> runtime.memcpyPeerAsync(*places, x.nbytes, 0)
    >>> y
    array([0., 1., 2.])
    """
    _core.memcpy_peer(dst, dstDevice, src, srcDevice, size, _stream(stream))


def memcpy2D(dst, dpitch, src, spitch, width, height, kind):
    """Copy the rows of a matrix, and wait for it.

    Parameters
    ----------
    dst : int
        The address that is written.
    dpitch : int
        Bytes from one of its rows to the next.
    src : int
        The address that is read.
    spitch : int
        Bytes from one of its rows to the next.
    width : int
        Bytes of a row that are copied.
    height : int
        The number of rows.
    kind : int
        ``memcpyHostToDevice`` and its like.

    Raises
    ------
    CUDARuntimeError
        A row is longer than a pitch.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.array([[1, 2], [3, 4]], "u1")
    >>> y = cp.zeros((2, 3), "u1")
    >>> kind = runtime.memcpyDeviceToDevice
    >>> runtime.memcpy2D(y.data.ptr, 3, x.data.ptr, 2, 2, 2, kind)
    >>> y
    array([[1, 2, 0],
           [3, 4, 0]], dtype=uint8)
    """
    memcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, 0)
    streamSynchronize(0)


def memcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, stream):
    """Copy the rows of a matrix, in a stream's order.

    Parameters
    ----------
    dst : int
        The address that is written.
    dpitch : int
        Bytes from one of its rows to the next.
    src : int
        The address that is read.
    spitch : int
        Bytes from one of its rows to the next.
    width : int
        Bytes of a row that are copied.
    height : int
        The number of rows.
    kind : int
        ``memcpyHostToDevice`` and its like.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        A row is longer than a pitch.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.array([[1, 2], [3, 4]], "u1")
    >>> y = cp.zeros((2, 3), "u1")
    >>> kind = runtime.memcpyDeviceToDevice
    >>> runtime.memcpy2DAsync(y.data.ptr, 3, x.data.ptr, 2, 2, 2, kind, 0)
    >>> y
    array([[1, 2, 0],
           [3, 4, 0]], dtype=uint8)
    """
    if width > dpitch or width > spitch:
        raise CUDARuntimeError(errorInvalidValue)
    queue = _stream(stream)
    for row in range(height):
        _core.memcpy(dst + row * dpitch, src + row * spitch, width, kind, True, queue)


def memset(ptr, value, size):
    """Set bytes of a device's memory.

    Parameters
    ----------
    ptr : int
        The address.
    value : int
        What each byte becomes.
    size : int
        In bytes.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.empty(3, "u1")
    >>> runtime.memset(x.data.ptr, 7, 3)
    >>> x
    array([7, 7, 7], dtype=uint8)
    """
    _core.memset(ptr, value, size, None)


def memsetAsync(ptr, value, size, stream):
    """Set bytes of a device's memory, in a stream's order.

    Parameters
    ----------
    ptr : int
        The address.
    value : int
        What each byte becomes.
    size : int
        In bytes.
    stream : int
        Its handle; 0 is the default stream.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.empty(3, "u1")
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, 0)
    >>> x
    array([7, 7, 7], dtype=uint8)
    """
    _core.memset(ptr, value, size, _stream(stream))


def memPrefetchAsync(devPtr, count, dstDevice, stream):
    """Move managed memory to where it will be used, in a stream's order.

    On the host device it has no effect.

    Parameters
    ----------
    devPtr : int
        Its address.
    count : int
        In bytes.
    dstDevice : int
        The device's number; ``cudaCpuDeviceId`` is the host.
    stream : int
        Its handle; 0 is the default stream.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.mallocManaged(4096)
    >>> runtime.memPrefetchAsync(ptr, 4096, runtime.getDevice(), 0)
    >>> runtime.free(ptr)
    """
    place = _location(dstDevice)
    flags = ctypes.c_uint(0)
    args = _driver.pointer(devPtr), _driver.size(count), place, flags
    _driver.call("cuMemPrefetchAsync_v2", *args, _driver.pointer(stream))


def memAdvise(devPtr, count, advice, device):
    """Say how managed memory will be used.

    On the host device it has no effect.

    Parameters
    ----------
    devPtr : int
        Its address.
    count : int
        In bytes.
    advice : int
        A ``cudaMemAdvise…`` number.
    device : int
        The device's number; ``cudaCpuDeviceId`` is the host.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.mallocManaged(4096)
    >>> runtime.memAdvise(ptr, 4096, runtime.cudaMemAdviseSetReadMostly, 0)
    >>> runtime.free(ptr)
    """
    args = _driver.pointer(devPtr), _driver.size(count), ctypes.c_int(advice)
    _driver.call("cuMemAdvise_v2", *args, _location(device))


class _Location(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int), ("id", ctypes.c_int))


def _location(device):
    """A device as the driver takes it; cudaCpuDeviceId is the host."""
    return _Location(2, 0) if device == cudaCpuDeviceId else _Location(1, device)


class PointerAttributes:
    """What is known of an address; pointerGetAttributes makes them.

    Parameters
    ----------
    device : int
        The device's number; -2: none.
    devicePointer, hostPointer : int
        The address as the device and as the host use it.
    type : int
        One of the ``memoryType…`` numbers.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.PointerAttributes(0, 4096, 0, runtime.memoryTypeDevice).devicePointer
    4096
    """

    def __init__(self, device, devicePointer, hostPointer, type=-1):
        self.device = device
        self.devicePointer = devicePointer
        self.hostPointer = hostPointer
        self.type = type


def pointerGetAttributes(ptr):
    """What is known of an address.

    Parameters
    ----------
    ptr : int

    Returns
    -------
    PointerAttributes
        Its device, and whether it is memory of a device or of the host.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.ones(3)
    >>> runtime.pointerGetAttributes(x.data.ptr).device == x.device.id
    True
    """
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
    """What memory an address is of.

    Parameters
    ----------
    ptr : int

    Returns
    -------
    int
        A ``memoryType…`` number.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.ones(3)
    >>> runtime.pointerGetMemoryType(x.data.ptr) == runtime.memoryTypeDevice
    True
    """
    return pointerGetAttributes(ptr).type


# ---- the driver's own pools --------------------------------------------------------


class MemPoolProps:
    """What a new pool of the driver is to be.

    Parameters
    ----------
    allocType : int
        1: pinned.
    handleType : int
        Of handles for other processes; 0: none.
    locationType : int
        1: a device.
    devId : int
        The device's number.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.MemPoolProps(1, 0, 1, 0).devId
    0
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
    """The driver's default pool of a device, from which mallocAsync takes.

    Parameters
    ----------
    device : int
        Its number.

    Returns
    -------
    int
        Its handle.

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.deviceGetDefaultMemPool(0) != 0  # doctest: +SKIP
    True
    """
    return _pool_of("cuDeviceGetDefaultMemPool", device)


def deviceGetMemPool(device):
    """The driver's current pool of a device.

    Parameters
    ----------
    device : int
        Its number.

    Returns
    -------
    int
        Its handle.

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> pool = runtime.deviceGetMemPool(0)  # doctest: +SKIP
    >>> pool == runtime.deviceGetDefaultMemPool(0)  # doctest: +SKIP
    True
    """
    return _pool_of("cuDeviceGetMemPool", device)


def deviceSetMemPool(device, pool):
    """Make a pool a device's current one, from which mallocAsync takes.

    Parameters
    ----------
    device : int
        Its number.
    pool : int
        Its handle.

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> pool = runtime.deviceGetDefaultMemPool(0)  # doctest: +SKIP
    >>> runtime.deviceSetMemPool(0, pool)  # doctest: +SKIP
    """
    number = ctypes.c_int()
    _must("cuDeviceGet", ctypes.byref(number), ctypes.c_int(device))
    _must("cuDeviceSetMemPool", number, _driver.pointer(pool))


def memPoolCreate(props):
    """A new pool of the driver.

    Parameters
    ----------
    props : MemPoolProps

    Returns
    -------
    int
        Its handle, for `memPoolDestroy`.

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> pool = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))  # doctest: +SKIP
    >>> runtime.memPoolDestroy(pool)  # doctest: +SKIP
    """
    location = _Location(props.locationType, props.devId)
    wanted = _PoolProps(props.allocType, props.handleType, location)
    pool = ctypes.c_void_p()
    _must("cuMemPoolCreate", ctypes.byref(pool), ctypes.byref(wanted))
    return pool.value


def memPoolDestroy(pool):
    """Destroy a pool of `memPoolCreate`.

    Parameters
    ----------
    pool : int
        Its handle.

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> pool = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))  # doctest: +SKIP
    >>> runtime.memPoolDestroy(pool)  # doctest: +SKIP
    """
    _must("cuMemPoolDestroy", _driver.pointer(pool))


def memPoolTrimTo(pool, size):
    """Let a pool keep no more than some unused bytes.

    Parameters
    ----------
    pool : int
        Its handle.
    size : int
        In bytes.

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> pool = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))  # doctest: +SKIP
    >>> runtime.memPoolTrimTo(pool, 0)  # doctest: +SKIP
    >>> runtime.memPoolDestroy(pool)  # doctest: +SKIP
    """
    _must("cuMemPoolTrimTo", _driver.pointer(pool), _driver.size(size))


def _pool_value(attr):
    """Room for an attribute: the first three are ints, the others 64 bits wide."""
    return ctypes.c_int() if attr in (1, 2, 3) else ctypes.c_uint64()


def memPoolGetAttribute(pool, attr):
    """An attribute of a pool.

    Parameters
    ----------
    pool : int
        Its handle.
    attr : int
        A ``cudaMemPoolAttr…`` or ``cudaMemPoolReuse…`` number.

    Returns
    -------
    int

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> pool = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))  # doctest: +SKIP
    >>> which = runtime.cudaMemPoolAttrUsedMemCurrent
    >>> runtime.memPoolGetAttribute(pool, which)  # doctest: +SKIP
    0
    >>> runtime.memPoolDestroy(pool)  # doctest: +SKIP
    """
    value = _pool_value(attr)
    where = _driver.pointer(pool), ctypes.c_int(attr)
    _must("cuMemPoolGetAttribute", *where, ctypes.byref(value))
    return value.value


def memPoolSetAttribute(pool, attr, value):
    """Set an attribute of a pool.

    Parameters
    ----------
    pool : int
        Its handle.
    attr : int
        A ``cudaMemPoolAttr…`` or ``cudaMemPoolReuse…`` number.
    value : int

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> pool = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))  # doctest: +SKIP
    >>> which = runtime.cudaMemPoolAttrReleaseThreshold
    >>> runtime.memPoolSetAttribute(pool, which, 2**20)  # doctest: +SKIP
    >>> runtime.memPoolGetAttribute(pool, which)  # doctest: +SKIP
    1048576
    >>> runtime.memPoolDestroy(pool)  # doctest: +SKIP
    """
    room = _pool_value(attr)
    room.value = value
    where = _driver.pointer(pool), ctypes.c_int(attr)
    _must("cuMemPoolSetAttribute", *where, ctypes.byref(room))


def mallocFromPoolAsync(size, pool, stream):
    """Allocate memory of a pool, in a stream's order.

    Parameters
    ----------
    size : int
        In bytes.
    pool : int
        Its handle.
    stream : int
        Its handle; 0 is the default stream.

    Returns
    -------
    int
        Its address, for `freeAsync`.

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> pool = runtime.memPoolCreate(runtime.MemPoolProps(1, 0, 1, 0))  # doctest: +SKIP
    >>> ptr = runtime.mallocFromPoolAsync(1024, pool, 0)  # doctest: +SKIP
    >>> runtime.freeAsync(ptr, 0)  # doctest: +SKIP
    >>> runtime.memPoolDestroy(pool)  # doctest: +SKIP
    """
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
    """What another process opens memory of `malloc` with.

    Parameters
    ----------
    devPtr : int
        Its address.

    Returns
    -------
    bytes
        For the other's ipcOpenMemHandle.

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.malloc(1024)
    >>> len(runtime.ipcGetMemHandle(ptr))  # doctest: +SKIP
    64
    >>> runtime.free(ptr)
    """
    return _handle_of("cuIpcGetMemHandle", _driver.pointer(devPtr))


def ipcOpenMemHandle(handle, flags=1):
    """The address, in this process, of another's memory.

    Parameters
    ----------
    handle : bytes
        What ipcGetMemHandle gave there.
    flags : int, optional
        1: peer access is enabled where it is needed.

    Returns
    -------
    int
        For `ipcCloseMemHandle`.

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.ipcOpenMemHandle(handle)  # doctest: +SKIP
    >>> runtime.ipcCloseMemHandle(ptr)  # doctest: +SKIP
    """
    ptr = ctypes.c_void_p()
    given = _Handle.from_buffer_copy(handle)
    _must("cuIpcOpenMemHandle_v2", ctypes.byref(ptr), given, ctypes.c_uint(flags))
    return ptr.value


def ipcCloseMemHandle(devPtr):
    """Close an address of `ipcOpenMemHandle`.

    Parameters
    ----------
    devPtr : int

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> ptr = runtime.ipcOpenMemHandle(handle)  # doctest: +SKIP
    >>> runtime.ipcCloseMemHandle(ptr)  # doctest: +SKIP
    """
    _must("cuIpcCloseMemHandle", _driver.pointer(devPtr))


def ipcGetEventHandle(event):
    """What another process opens an event with.

    Parameters
    ----------
    event : int
        The handle of an event made with ``eventInterprocess | eventDisableTiming``.

    Returns
    -------
    bytes
        For the other's ipcOpenEventHandle.

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> flags = runtime.eventInterprocess | runtime.eventDisableTiming
    >>> event = runtime.eventCreateWithFlags(flags)  # doctest: +SKIP
    >>> len(runtime.ipcGetEventHandle(event))  # doctest: +SKIP
    64
    >>> runtime.eventDestroy(event)  # doctest: +SKIP
    """
    return _handle_of("cuIpcGetEventHandle", _driver.pointer(event))


def ipcOpenEventHandle(handle):
    """The handle, in this process, of another's event.

    Parameters
    ----------
    handle : bytes
        What ipcGetEventHandle gave there.

    Returns
    -------
    int

    Raises
    ------
    NotImplementedError
        On the host device, which has no driver.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.ipcOpenEventHandle(handle)  # doctest: +SKIP
    """
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
    """A new stream of the current device.

    Returns
    -------
    int
        Its handle, for `streamDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stream = runtime.streamCreate()
    >>> runtime.streamDestroy(stream)
    """
    return streamCreateWithFlags(0)


def streamCreateWithFlags(flags):
    """A new stream of the current device.

    Parameters
    ----------
    flags : int
        ``streamDefault``, or ``streamNonBlocking``, which does not wait for the default
        stream.

    Returns
    -------
    int
        Its handle, for `streamDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamDestroy(stream)
    """
    return streamCreateWithPriority(flags, None)


def streamCreateWithPriority(flags, priority):
    """A new stream of the current device, with a priority.

    Parameters
    ----------
    flags : int
        ``streamDefault``, or ``streamNonBlocking``, which does not wait for the default
        stream.
    priority : int or None
        Streams of lower numbers go first; 0 is the usual.

    Returns
    -------
    int
        Its handle, for `streamDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stream = runtime.streamCreateWithPriority(runtime.streamNonBlocking, 0)
    >>> runtime.streamDestroy(stream)
    """
    stream = _core.Stream(
        non_blocking=bool(flags & streamNonBlocking), priority=priority
    )
    return _keep(_streams, stream.ptr, stream)


def streamDestroy(stream):
    """Destroy a stream of `streamCreate` and its like, when its work is done.

    Parameters
    ----------
    stream : int
        Its handle.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such stream.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stream = runtime.streamCreate()
    >>> runtime.streamDestroy(stream)
    """
    _drop(_streams, stream, errorInvalidResourceHandle)


def streamSynchronize(stream):
    """Wait until all work of a stream is done.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.ones(3) + 1
    >>> runtime.streamSynchronize(0)
    """
    _stream(stream).synchronize()


def streamQuery(stream):
    """Whether all work of a stream is done.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.

    Returns
    -------
    int
        0 where it is, else 600, cudaErrorNotReady.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.streamSynchronize(0)
    >>> runtime.streamQuery(0)
    0
    """
    return 0 if _stream(stream).done else 600


def streamGetFlags(stream):
    """The flags that a stream was made with.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.

    Returns
    -------
    int
        ``streamDefault`` or ``streamNonBlocking``.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.streamGetFlags(0) == runtime.streamDefault
    True
    """
    return streamNonBlocking if _stream(stream).is_non_blocking else 0


def streamGetPriority(stream):
    """The priority that a stream was made with.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.

    Returns
    -------
    int

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.streamGetPriority(0)
    0
    """
    return _stream(stream).priority


def streamWaitEvent(stream, event, flags=0):
    """Let later work of a stream wait for an event.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.
    event : int
        The handle that `eventCreate` gave.
    flags : int, optional
        Has no effect.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such event.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stream = runtime.streamCreate()
    >>> event = runtime.eventCreate()
    >>> runtime.eventRecord(event, 0)
    >>> runtime.streamWaitEvent(stream, event)
    >>> runtime.eventDestroy(event)
    >>> runtime.streamDestroy(stream)
    """
    _stream(stream).wait_event(_event(event))


def streamAddCallback(stream, callback, arg, flags=0):
    """Call a function when a stream has reached this place.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.
    callback : callable
        Called with the stream, 0 and `arg`, in another thread.
    arg : object
    flags : int, optional
        Has no effect.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> called = []
    >>> runtime.streamAddCallback(0, lambda *given: called.append(given), "done")
    >>> runtime.streamSynchronize(0)
    >>> called
    [(0, 0, 'done')]
    """
    _stream(stream).launch_host_func(lambda a: callback(stream, 0, a), arg)


def launchHostFunc(stream, callback, arg):
    """Call a function when a stream has reached this place.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.
    callback : callable
        Called with `arg`, in another thread.
    arg : object

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> called = []
    >>> runtime.launchHostFunc(0, called.append, "done")
    >>> runtime.streamSynchronize(0)
    >>> called
    ['done']
    """
    _stream(stream).launch_host_func(callback, arg)


def streamIsCapturing(stream):
    """Whether a stream's work is being captured into a graph.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.

    Returns
    -------
    bool

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.streamIsCapturing(0)
    False
    """
    return _stream(stream).is_capturing()


# ---- events ------------------------------------------------------------------------


def _event(handle):
    with _lock:
        event = _events.get(handle)
    if event is None:
        raise CUDARuntimeError(errorInvalidResourceHandle)
    return event


def eventCreate():
    """A new event of the current device.

    Returns
    -------
    int
        Its handle, for `eventDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreate()
    >>> runtime.eventDestroy(event)
    """
    return eventCreateWithFlags(0)


def eventCreateWithFlags(flags):
    """A new event of the current device.

    Parameters
    ----------
    flags : int
        An or of ``eventBlockingSync``, ``eventDisableTiming``, ``eventInterprocess``.

    Returns
    -------
    int
        Its handle, for `eventDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreateWithFlags(runtime.eventDisableTiming)
    >>> runtime.eventDestroy(event)
    """
    event = _core.Event(
        block=bool(flags & eventBlockingSync),
        disable_timing=bool(flags & eventDisableTiming),
        interprocess=bool(flags & eventInterprocess),
    )
    return _keep(_events, event.ptr, event)


def eventDestroy(event):
    """Destroy an event.

    Parameters
    ----------
    event : int
        The handle that `eventCreate` gave.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such event.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreate()
    >>> runtime.eventDestroy(event)
    """
    _drop(_events, event, errorInvalidResourceHandle)


def eventRecord(event, stream):
    """Record an event at the place that a stream has reached.

    Parameters
    ----------
    event : int
        The handle that `eventCreate` gave.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such event.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreate()
    >>> runtime.eventRecord(event, 0)
    >>> runtime.eventDestroy(event)
    """
    _event(event).record(_stream(stream))


def eventQuery(event):
    """Whether the work before an event is done.

    Parameters
    ----------
    event : int
        The handle that `eventCreate` gave.

    Returns
    -------
    int
        0 where it is, else 600, cudaErrorNotReady.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such event.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreate()
    >>> runtime.eventRecord(event, 0)
    >>> runtime.eventSynchronize(event)
    >>> runtime.eventQuery(event)
    0
    >>> runtime.eventDestroy(event)
    """
    return 0 if _event(event).done else 600


def eventSynchronize(event):
    """Wait until the work before an event is done.

    Parameters
    ----------
    event : int
        The handle that `eventCreate` gave.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such event.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreate()
    >>> runtime.eventRecord(event, 0)
    >>> runtime.eventSynchronize(event)
    >>> runtime.eventDestroy(event)
    """
    _event(event).synchronize()


def eventElapsedTime(start, end):
    """The time between two recorded events.

    Parameters
    ----------
    start, end : int
        The handles that `eventCreate` gave.

    Returns
    -------
    float
        In milliseconds.

    Raises
    ------
    CUDARuntimeError
        A handle is of no such event, or the work before it is not done.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> start, end = runtime.eventCreate(), runtime.eventCreate()
    >>> runtime.eventRecord(start, 0)
    >>> runtime.eventRecord(end, 0)
    >>> runtime.eventSynchronize(end)
    >>> runtime.eventElapsedTime(start, end) >= 0
    True
    >>> runtime.eventDestroy(start)
    >>> runtime.eventDestroy(end)
    """
    return _core.get_elapsed_time(_event(start), _event(end))


# ---- graphs ------------------------------------------------------------------------


def streamBeginCapture(stream, mode=streamCaptureModeRelaxed):
    """Capture a stream's work into a graph, in place of running it.

    Parameters
    ----------
    stream : int
        Its handle; not the default stream's.
    mode : int, optional
        A ``streamCaptureMode…`` number: which calls of this and other threads are
        errors meanwhile.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    _stream(stream).begin_capture(mode)


def streamEndCapture(stream):
    """End a capture.

    Parameters
    ----------
    stream : int
        Its handle.

    Returns
    -------
    int
        The handle of the graph, for `graphDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    graph = _stream(stream).end_capture()
    return _keep(_graphs, graph.graph or id(graph), graph)


def graphInstantiate(graph):
    """Make what can be launched of a graph.

    Parameters
    ----------
    graph : int
        The handle that `streamEndCapture` gave.

    Returns
    -------
    int
        The handle of it, for `graphExecDestroy`.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such graph.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> executable = runtime.graphInstantiate(graph)
    >>> runtime.graphLaunch(executable, stream)
    >>> runtime.streamSynchronize(stream)
    >>> x
    array([7, 7, 7], dtype=uint8)
    >>> runtime.graphExecDestroy(executable)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    with _lock:
        captured = _graphs.get(graph)
    if captured is None:
        raise CUDARuntimeError(errorInvalidValue)
    return _keep(_executables, captured.graphExec or id(captured), captured)


def graphDestroy(graph):
    """Destroy a graph; what was instantiated of it stays.

    Parameters
    ----------
    graph : int
        The handle that `streamEndCapture` gave.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such graph.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    _drop(_graphs, graph, errorInvalidValue)


def graphExecDestroy(graphExec):
    """Destroy what graphInstantiate made.

    Parameters
    ----------
    graphExec : int
        The handle that `graphInstantiate` gave.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such thing.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> executable = runtime.graphInstantiate(graph)
    >>> runtime.graphExecDestroy(executable)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    _drop(_executables, graphExec, errorInvalidValue)


def _executable(handle):
    with _lock:
        graph = _executables.get(handle)
    if graph is None:
        raise CUDARuntimeError(errorInvalidValue)
    return graph


def graphLaunch(graphExec, stream):
    """Run the work of a graph, in a stream's order.

    Parameters
    ----------
    graphExec : int
        The handle that `graphInstantiate` gave.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such thing.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> executable = runtime.graphInstantiate(graph)
    >>> runtime.graphLaunch(executable, stream)
    >>> runtime.graphLaunch(executable, stream)
    >>> runtime.streamSynchronize(stream)
    >>> x
    array([7, 7, 7], dtype=uint8)
    >>> runtime.graphExecDestroy(executable)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    _executable(graphExec).launch(_stream(stream))


def graphUpload(graphExec, stream):
    """Bring what a launch needs to the device, in a stream's order.

    Parameters
    ----------
    graphExec : int
        The handle that `graphInstantiate` gave.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such thing.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> executable = runtime.graphInstantiate(graph)
    >>> runtime.graphUpload(executable, stream)
    >>> runtime.streamSynchronize(stream)
    >>> runtime.graphExecDestroy(executable)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    _executable(graphExec).upload(_stream(stream))


def graphDebugDotPrint(graph, path, flags):
    """Write a graph's nodes to a file, in the language of Graphviz.

    Parameters
    ----------
    graph : int
        The handle that `streamEndCapture` gave.
    path : str
        Of the file.
    flags : int
        An or of ``cudaGraphDebugDotFlags…`` numbers.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such graph.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> runtime.graphDebugDotPrint(graph, "graph.dot", 0)  # doctest: +SKIP
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    with _lock:
        captured = _graphs.get(graph)
    if captured is None:
        raise CUDARuntimeError(errorInvalidValue)
    with open(path, "w") as file:
        file.write(captured.debug_dot_str(flags))


# ---- profilers ---------------------------------------------------------------------


def profilerStart():
    """Let a profiler that is attached to the process record from here on.

    On the host device nothing happens.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.profilerStart()
    >>> x = cp.ones(3).sum()
    >>> runtime.profilerStop()
    """
    _core.Device()._profiler(True)


def profilerStop():
    """Let a profiler that is attached to the process stop recording.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.profilerStart()
    >>> runtime.profilerStop()
    """
    _core.Device()._profiler(False)


def hostRegister(ptr, size, flags):
    """Pin memory of the host, so that copies of it need not wait.

    On the host device it has no effect.

    Parameters
    ----------
    ptr : int
        Its address.
    size : int
        In bytes.
    flags : int
        CUDA's; 0 for none.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> a = np.ones(1024)
    >>> runtime.hostRegister(a.ctypes.data, a.nbytes, 0)
    >>> runtime.hostUnregister(a.ctypes.data)
    """
    address = _driver.pointer(ptr)
    _driver.call(
        "cuMemHostRegister_v2", address, _driver.size(size), ctypes.c_uint(flags)
    )


def hostUnregister(ptr):
    """Undo hostRegister.

    On the host device it has no effect.

    Parameters
    ----------
    ptr : int
        The address that it was given.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> a = np.ones(1024)
    >>> runtime.hostRegister(a.ctypes.data, a.nbytes, 0)
    >>> runtime.hostUnregister(a.ctypes.data)
    """
    _driver.call("cuMemHostUnregister", _driver.pointer(ptr))
