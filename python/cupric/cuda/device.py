"""Devices by number."""

from cupric import _core
from cupric._core import Device

__all__ = [
    "Device",
    "Handle",
    "from_pointer",
    "get_compute_capability",
    "get_cublas_handle",
    "get_cusolver_handle",
    "get_cusolver_sp_handle",
    "get_cusparse_handle",
    "get_cutensor_handle",
    "get_device_id",
]


class Handle:
    """A library's handle, ended with this object.

    Parameters
    ----------
    handle : int
    destroy_func : callable
        Called with the handle in the end.

    Examples
    --------
    >>> ended = []
    >>> handle = cupric.cuda.device.Handle(7, ended.append)
    >>> handle.handle
    7
    >>> del handle
    >>> ended
    [7]
    """

    def __init__(self, handle, destroy_func):
        self.handle = handle
        self._destroy = destroy_func

    def __del__(self):
        self._destroy(self.handle)


def get_device_id():
    """The number of this thread's current device.

    Returns
    -------
    int
        From 0 on.

    Examples
    --------
    >>> with cupric.cuda.Device(0):
    ...     cupric.cuda.get_device_id()
    0
    """
    return Device().id


def get_compute_capability():
    """The compute capability of the current device.

    Returns
    -------
    str
        The digits of the major and of the minor number, "90" of an H100; "00" of the
        host device.

    Examples
    --------
    >>> len(cupric.cuda.device.get_compute_capability())
    2
    """
    return Device().compute_capability


def from_pointer(ptr):
    """The device on which an address lies.

    Parameters
    ----------
    ptr : int
        An address in memory of a pool.

    Returns
    -------
    Device

    Raises
    ------
    ValueError
        No pool has memory there.

    Examples
    --------
    >>> x = cupric.zeros(3)
    >>> cupric.cuda.device.from_pointer(x.data.ptr) == x.device
    True
    """
    owner = _core.pointer_device(ptr)
    if owner is None:
        raise ValueError(f"no device's pool has memory at {ptr:#x}")
    return owner


def get_cublas_handle():
    """cuBLAS's handle of the current device.

    Returns
    -------
    int
        Made at the first call, and ended with the process.

    Raises
    ------
    NotImplementedError
        The device is the host, or the library was not found.

    Examples
    --------
    >>> cupric.cuda.device.get_cublas_handle()  # doctest: +SKIP
    94402139713360
    """
    return Device().cublas_handle


def get_cusolver_handle():
    """cuSOLVER's handle of the current device.

    Returns
    -------
    int
        Made at the first call, and ended with the process.

    Raises
    ------
    NotImplementedError
        The device is the host, or the library was not found.

    Examples
    --------
    >>> cupric.cuda.device.get_cusolver_handle()  # doctest: +SKIP
    94402139713360
    """
    return Device().cusolver_handle


def get_cusolver_sp_handle():
    """cuSOLVER's handle for sparse matrices of the current device.

    Returns
    -------
    int
        Made at the first call, and ended with the process.

    Raises
    ------
    NotImplementedError
        The device is the host, or the library was not found.

    Examples
    --------
    >>> cupric.cuda.device.get_cusolver_sp_handle()  # doctest: +SKIP
    94402139713360
    """
    return Device().cusolver_sp_handle


def get_cusparse_handle():
    """cuSPARSE's handle of the current device.

    Returns
    -------
    int
        Made at the first call, and ended with the process.

    Raises
    ------
    NotImplementedError
        The device is the host, or the library was not found.

    Examples
    --------
    >>> cupric.cuda.device.get_cusparse_handle()  # doctest: +SKIP
    94402139713360
    """
    return Device().cusparse_handle


def get_cutensor_handle():
    """cuTENSOR's handle of the current device.

    Returns
    -------
    int
        Made at the first call, and ended with the process.

    Raises
    ------
    NotImplementedError
        The device is the host, or the library was not found.

    Examples
    --------
    >>> cupric.cuda.device.get_cutensor_handle()  # doctest: +SKIP
    94402139713360
    """
    return Device().cutensor_handle
