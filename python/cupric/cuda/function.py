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


def __dir__():
    return __all__


class CPointer:
    """The address of an argument of a kernel.

    Parameters
    ----------
    p : int

    Examples
    --------
    >>> cp.cuda.function.CPointer(4096).ptr
    4096
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
    """A signed integer as wide as a pointer, as an argument of a kernel.

    Parameters
    ----------
    v : int

    Examples
    --------
    >>> n = cp.cuda.function.CIntptr(-3)
    >>> import ctypes
    >>> n.val, ctypes.c_ssize_t.from_address(n.ptr).value
    (-3, -3)
    """

    def __init__(self, v):
        held = ctypes.c_ssize_t(v)
        super().__init__(held, ctypes.addressof(held))


class CUIntMax(_Held):
    """An unsigned integer of 64 bits, as an argument of a kernel.

    Parameters
    ----------
    v : int

    Examples
    --------
    >>> n = cp.cuda.function.CUIntMax(2**64 - 1)
    >>> import ctypes
    >>> ctypes.c_uint64.from_address(n.ptr).value == n.val == 2**64 - 1
    True
    """

    def __init__(self, v):
        held = ctypes.c_uint64(v)
        super().__init__(held, ctypes.addressof(held))


class CNumpyArray(_Held):
    """The memory of a NumPy array or scalar: a structure that a kernel takes by value.

    Parameters
    ----------
    v : numpy.ndarray

    Examples
    --------
    >>> pair = np.array((1, 2.5), dtype=[("n", np.int32), ("x", np.float32)])
    >>> cp.cuda.function.CNumpyArray(pair).val
    array((1, 2.5), dtype=[('n', '<i4'), ('x', '<f4')])
    """

    def __init__(self, v):
        held = np.asarray(v, order="C")
        super().__init__(held, held.ctypes.data)


class LinkState:
    """Links machine code and PTX; a CUDA device is needed.

    Examples
    --------
    >>> from cupric.cuda import compiler, function
    >>> source = 'extern "C" __global__ void fill(float *x) { *x = 1; }'
    >>> ptx, _ = compiler.compile_using_nvrtc(source, method="ptx")  # doctest: +SKIP
    >>> linker = function.LinkState()  # doctest: +SKIP
    >>> linker.add_ptr_data(ptx, "fill.ptx")  # doctest: +SKIP
    >>> cubin = linker.complete()  # doctest: +SKIP
    """

    def __init__(self):
        self.ptr = 0
        self.ptr = driver.linkCreate()

    def add_ptr_data(self, data, name):
        """Add PTX.

        Parameters
        ----------
        data : bytes or str
        name : str
            What messages call it.

        Examples
        --------
        >>> linker.add_ptr_data(ptx, "fill.ptx")  # doctest: +SKIP
        """
        data = data.encode() if isinstance(data, str) else data
        driver.linkAddData(self.ptr, driver.CU_JIT_INPUT_PTX, data, name)

    def add_ptr_file(self, path):
        """Add a library of device code.

        Parameters
        ----------
        path : str

        Examples
        --------
        >>> folder = "/usr/local/cuda/lib64"
        >>> linker.add_ptr_file(f"{folder}/libcudadevrt.a")  # doctest: +SKIP
        """
        driver.linkAddFile(self.ptr, driver.CU_JIT_INPUT_LIBRARY, str(path))

    def complete(self):
        """Link what was added.

        Returns
        -------
        bytes
            The cubin.

        Examples
        --------
        >>> cubin = linker.complete()  # doctest: +SKIP
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
