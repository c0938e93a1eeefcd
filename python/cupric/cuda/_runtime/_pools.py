"""The driver's own pools, and handles for other processes."""

import ctypes

from cupric.cuda import _driver
from cupric.cuda._runtime._handles import must
from cupric.cuda._runtime._memory import Location

__all__ = [
    "MemPoolProps",
    "deviceGetDefaultMemPool",
    "deviceGetMemPool",
    "deviceSetMemPool",
    "ipcCloseMemHandle",
    "ipcGetEventHandle",
    "ipcGetMemHandle",
    "ipcOpenEventHandle",
    "ipcOpenMemHandle",
    "mallocFromPoolAsync",
    "memPoolCreate",
    "memPoolDestroy",
    "memPoolGetAttribute",
    "memPoolSetAttribute",
    "memPoolTrimTo",
]


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
        ("location", Location),
        ("security", ctypes.c_void_p),
        ("rest", ctypes.c_ubyte * 64),
    )


def _pool_of(name, device):
    pool = ctypes.c_void_p()
    number = ctypes.c_int()
    must("cuDeviceGet", ctypes.byref(number), ctypes.c_int(device))
    must(name, ctypes.byref(pool), number)
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
    must("cuDeviceGet", ctypes.byref(number), ctypes.c_int(device))
    must("cuDeviceSetMemPool", number, _driver.pointer(pool))


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
    location = Location(props.locationType, props.devId)
    wanted = _PoolProps(props.allocType, props.handleType, location)
    pool = ctypes.c_void_p()
    must("cuMemPoolCreate", ctypes.byref(pool), ctypes.byref(wanted))
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
    must("cuMemPoolDestroy", _driver.pointer(pool))


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
    must("cuMemPoolTrimTo", _driver.pointer(pool), _driver.size(size))


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
    must("cuMemPoolGetAttribute", *where, ctypes.byref(value))
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
    must("cuMemPoolSetAttribute", *where, ctypes.byref(room))


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
    must("cuMemAllocFromPoolAsync", ctypes.byref(ptr), *what)
    return ptr.value or 0


# ---- between processes -------------------------------------------------------------


class _Handle(ctypes.Structure):
    """CUipcMemHandle and CUipcEventHandle, which are passed by value."""

    _fields_ = (("bytes", ctypes.c_ubyte * 64),)


def _handle_of(name, argument):
    handle = _Handle()
    must(name, ctypes.byref(handle), argument)
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
    must("cuIpcOpenMemHandle_v2", ctypes.byref(ptr), given, ctypes.c_uint(flags))
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
    must("cuIpcCloseMemHandle", _driver.pointer(devPtr))


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
    must("cuIpcOpenEventHandle", ctypes.byref(event), given)
    return event.value
