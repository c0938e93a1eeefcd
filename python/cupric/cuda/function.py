"""Kernels of a loaded module (Function, Module), linking, arguments of kernels."""

import ctypes

import numpy as np

from cupric.cuda import driver

__all__ = [
    "CIntptr",
    "CNumpyArray",
    "CPointer",
    "CUIntMax",
    "LinkState",
]


class CPointer:
    """The address of an argument of a kernel.

    Parameters
    ----------
    p : int
    """

    def __init__(self, p=0):
        self.ptr = int(p)


class _Held(CPointer):
    """The address of a value that the object holds."""

    def __init__(self, held, address):
        super().__init__(address)
        self._held = held

    @property
    def val(self):
        """The value."""
        return getattr(self._held, "value", self._held)


class CIntptr(_Held):
    """A signed integer as wide as a pointer.

    Parameters
    ----------
    v : int
    """

    def __init__(self, v):
        held = ctypes.c_ssize_t(v)
        super().__init__(held, ctypes.addressof(held))


class CUIntMax(_Held):
    """An unsigned integer of 64 bits.

    Parameters
    ----------
    v : int
    """

    def __init__(self, v):
        held = ctypes.c_uint64(v)
        super().__init__(held, ctypes.addressof(held))


class CNumpyArray(_Held):
    """The memory of a NumPy array or scalar: a structure passed by value.

    Parameters
    ----------
    v : numpy.ndarray
    """

    def __init__(self, v):
        held = np.ascontiguousarray(v)
        super().__init__(held, held.ctypes.data)


class LinkState:
    """Links machine code and assembly; a CUDA device is needed.

    Examples
    --------
    >>> linker = cp.cuda.function.LinkState()  # doctest: +SKIP
    >>> linker.add_ptr_data(ptx, "kernels.ptx")  # doctest: +SKIP
    >>> cubin = linker.complete()  # doctest: +SKIP
    """

    def __init__(self):
        self.ptr = 0
        self.ptr = driver.linkCreate()

    def add_ptr_data(self, data, name):
        """Add assembly.

        Parameters
        ----------
        data : bytes or str
        name : str
            For messages.
        """
        data = data.encode() if isinstance(data, str) else data
        driver.linkAddData(self.ptr, driver.CU_JIT_INPUT_PTX, data, name)

    def add_ptr_file(self, path):
        """Add a library of device code.

        Parameters
        ----------
        path : str
        """
        driver.linkAddFile(self.ptr, driver.CU_JIT_INPUT_LIBRARY, str(path))

    def complete(self):
        """What was linked.

        Returns
        -------
        bytes
        """
        return driver.linkComplete(self.ptr)

    def __del__(self):
        if getattr(self, "ptr", 0):
            driver.linkDestroy(self.ptr)


def __getattr__(name):
    # They belong to the layer of kernels, above this one.
    if name in ("Function", "Module"):
        from cupric import _core

        return getattr(_core, name)
    raise AttributeError(f"module 'cupric.cuda.function' has no attribute {name!r}")
