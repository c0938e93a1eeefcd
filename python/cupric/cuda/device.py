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
    """

    def __init__(self, handle, destroy_func):
        self.handle = handle
        self._destroy = destroy_func

    def __del__(self):
        self._destroy(self.handle)


def get_device_id():
    """The number of this thread's current device."""
    return Device().id


def get_compute_capability():
    """The compute capability of the current device, as digits: "00" on the host."""
    return Device().compute_capability


def from_pointer(ptr):
    """The device on which an address lies.

    Parameters
    ----------
    ptr : int
        An address in memory of a pool.

    Raises
    ------
    ValueError
        No pool has memory there.
    """
    owner = _core.pointer_device(ptr)
    if owner is None:
        raise ValueError(f"no device's pool has memory at {ptr:#x}")
    return owner


def get_cublas_handle():
    """cuBLAS's handle of the current device, as an int."""
    return Device().cublas_handle


def get_cusolver_handle():
    """cuSOLVER's handle of the current device, as an int."""
    return Device().cusolver_handle


def get_cusolver_sp_handle():
    """cuSOLVER's handle for sparse matrices of the current device, as an int."""
    return Device().cusolver_sp_handle


def get_cusparse_handle():
    """cuSPARSE's handle of the current device, as an int."""
    return Device().cusparse_handle


def get_cutensor_handle():
    """cuTENSOR's handle of the current device, as an int."""
    return Device().cutensor_handle
