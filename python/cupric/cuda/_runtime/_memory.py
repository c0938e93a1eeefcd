"""Memory of devices and of the host."""

import ctypes

from cupric import _core
from cupric.cuda import _driver
from cupric.cuda._constants import (
    cudaCpuDeviceId,
    cudaInvalidDeviceId,
    errorInvalidValue,
    memoryTypeDevice,
    memoryTypeHost,
    memoryTypeUnregistered,
)
from cupric.cuda._runtime._devices import getDevice
from cupric.cuda._runtime._handles import drop, keep, lock
from cupric.cuda._runtime._streams import stream_of, streamSynchronize

__all__ = [
    "Location",
    "PointerAttributes",
    "free",
    "freeAsync",
    "freeHost",
    "hostAlloc",
    "hostRegister",
    "hostUnregister",
    "location_of",
    "malloc",
    "mallocAsync",
    "mallocManaged",
    "memAdvise",
    "memGetInfo",
    "memPrefetchAsync",
    "memcpy",
    "memcpy2D",
    "memcpy2DAsync",
    "memcpyAsync",
    "memcpyPeer",
    "memcpyPeerAsync",
    "memset",
    "memsetAsync",
    "pointerGetAttributes",
    "pointerGetMemoryType",
]

_memory = {}  # by address
_pinned = {}


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
    return keep(_memory, memory.ptr, memory) if size else 0


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
    return keep(_memory, memory.ptr, memory) if size else 0


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
        memory = drop(_memory, ptr, errorInvalidValue)
        memory.device.synchronize()
    elif ptr and not _driver.call("cuMemFree_v2", _driver.pointer(ptr)):
        raise _core.CUDARuntimeError(errorInvalidValue)


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
        drop(_memory, ptr, errorInvalidValue)


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
    return keep(_pinned, memory.ptr, memory) if size else 0


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
        drop(_pinned, ptr, errorInvalidValue)


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
    _core.memcpy(dst, src, size, kind, True, stream_of(stream))


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
    _core.memcpy_peer(dst, dstDevice, src, srcDevice, size, stream_of(stream))


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
        raise _core.CUDARuntimeError(errorInvalidValue)
    queue = stream_of(stream)
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
    _core.memset(ptr, value, size, stream_of(stream))


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
    place = location_of(dstDevice)
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
    _driver.call("cuMemAdvise_v2", *args, location_of(device))


class Location(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int), ("id", ctypes.c_int))


def location_of(device):
    """A device as the driver takes it; cudaCpuDeviceId is the host."""
    return Location(2, 0) if device == cudaCpuDeviceId else Location(1, device)


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
    with lock:
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
