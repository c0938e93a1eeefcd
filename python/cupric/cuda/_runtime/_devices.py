"""Versions and devices, and the profiler."""

import ctypes

from cupric import _core
from cupric.cuda import _constants, _driver, _properties
from cupric.cuda._constants import errorInvalidValue, errorPeerAccessAlreadyEnabled
from cupric.cuda._runtime._handles import lock

__all__ = [
    "deviceCanAccessPeer",
    "deviceDisablePeerAccess",
    "deviceEnablePeerAccess",
    "deviceGetAttribute",
    "deviceGetByPCIBusId",
    "deviceGetLimit",
    "deviceGetPCIBusId",
    "deviceSetLimit",
    "deviceSynchronize",
    "driverGetVersion",
    "getDevice",
    "getDeviceCount",
    "getDeviceProperties",
    "profilerStart",
    "profilerStop",
    "runtimeGetVersion",
    "setDevice",
]

_peers = set()  # pairs of devices
_NOT_ENABLED = 705  # cudaErrorPeerAccessNotEnabled


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
        raise _core.CUDARuntimeError(errorInvalidValue)
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
        raise _core.CUDARuntimeError(errorInvalidValue)
    with lock:
        if pair in _peers:
            raise _core.CUDARuntimeError(errorPeerAccessAlreadyEnabled)
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
    with lock:
        if pair not in _peers:
            raise _core.CUDARuntimeError(_NOT_ENABLED)
        _peers.remove(pair)


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
