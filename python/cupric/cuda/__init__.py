"""Devices, streams and memory, under the names that CUDA programs know them by.

On a machine without a GPU all of it works on the host device; `is_available()` tells.
"""

import contextlib
import importlib
import os

from cupric import _core
from cupric._lacking import missing_attribute
from cupric.cuda import compiler, device, memory, pinned_memory, stream
from cupric.cuda.device import Device, get_cublas_handle, get_device_id
from cupric.cuda.memory import (
    BaseMemory,
    CFunctionAllocator,
    ManagedMemory,
    Memory,
    MemoryAsync,
    MemoryAsyncPool,
    MemoryPointer,
    MemoryPool,
    PythonFunctionAllocator,
    UnownedMemory,
    alloc,
    get_allocator,
    get_default_memory_pool,
    malloc_async,
    malloc_managed,
    set_allocator,
    using_allocator,
)
from cupric.cuda.pinned_memory import (
    PinnedMemory,
    PinnedMemoryPointer,
    PinnedMemoryPool,
    alloc_pinned_memory,
    get_default_pinned_memory_pool,
    set_pinned_memory_allocator,
)
from cupric.cuda.stream import (
    Event,
    ExternalStream,
    Stream,
    get_current_stream,
    get_elapsed_time,
)

__all__ = [
    "BaseMemory",
    "CFunctionAllocator",
    "Device",
    "Event",
    "ExternalStream",
    "Graph",
    "ManagedMemory",
    "Memory",
    "MemoryAsync",
    "MemoryAsyncPool",
    "MemoryHook",
    "MemoryPointer",
    "MemoryPool",
    "PinnedMemory",
    "PinnedMemoryPointer",
    "PinnedMemoryPool",
    "PythonFunctionAllocator",
    "Stream",
    "UnownedMemory",
    "alloc",
    "alloc_pinned_memory",
    "compiler",
    "cub",
    "cufft",
    "device",
    "driver",
    "function",
    "get_allocator",
    "get_cublas_handle",
    "get_cuda_path",
    "get_current_stream",
    "get_default_memory_pool",
    "get_default_pinned_memory_pool",
    "get_device_id",
    "get_elapsed_time",
    "get_hipcc_path",
    "get_local_runtime_version",
    "get_nvcc_path",
    "get_rocm_path",
    "graph",
    "is_available",
    "malloc_async",
    "malloc_managed",
    "memory",
    "memory_hook",
    "memory_hooks",
    "nvrtc",
    "nvtx",
    "pinned_memory",
    "profile",
    "profiler",
    "runtime",
    "set_allocator",
    "set_pinned_memory_allocator",
    "stream",
    "texture",
    "thrust",
    "using_allocator",
]


_host_is_available = False  # what is_available() says of it by default


def is_available():
    """Whether there is a device that counts as one.

    That is a CUDA device. The host device, on which everything works, too, counts where
    the environment variable CUPRIC_AVAILABLE is ``any``, and by default in programs
    that say `cupy` (`cupric.install_as_cupy`): packages ask this before they use it.

    Returns
    -------
    bool
        False on the host device, if it does not count.

    Examples
    --------
    >>> cp.is_available() in (True, False)
    True
    """
    try:
        on_host = _core.Device(0).backend == "host"
    except (RuntimeError, ImportError):
        return False
    wanted = _core._settings().get("CUPRIC_AVAILABLE")
    return not on_host or wanted == "any" or (wanted is None and _host_is_available)


def get_cuda_path():
    """The folder of a CUDA installation, or None.

    Taken from the environment (``CUDA_PATH``), or else from where ``nvcc`` is.

    Returns
    -------
    str or None

    Examples
    --------
    >>> cupric.cuda.get_cuda_path()  # doctest: +SKIP
    '/usr/local/cuda'
    """
    import shutil

    path = os.environ.get("CUDA_PATH")
    if path:
        return path
    nvcc = shutil.which("nvcc")
    return os.path.dirname(os.path.dirname(nvcc)) if nvcc else None


def get_nvcc_path():
    """The command line of ``nvcc``.

    Returns
    -------
    str or None
        The environment's ``NVCC``, or where the shell finds it.

    Examples
    --------
    >>> cupric.cuda.get_nvcc_path()  # doctest: +SKIP
    '/usr/local/cuda/bin/nvcc'
    """
    import shutil

    return os.environ.get("NVCC") or shutil.which("nvcc")


def get_rocm_path():
    """The folder of a ROCm installation: None, as it is not supported.

    Examples
    --------
    >>> cupric.cuda.get_rocm_path() is None
    True
    """
    return None


def get_hipcc_path():
    """The command line of ``hipcc``: None, as ROCm is not supported.

    Examples
    --------
    >>> cupric.cuda.get_hipcc_path() is None
    True
    """
    return None


def get_local_runtime_version():
    """The version of the CUDA runtime in use.

    Returns
    -------
    int
        13000 of 13.0; 0 on the host device.

    Examples
    --------
    >>> cupric.cuda.get_local_runtime_version()  # doctest: +SKIP
    13000
    """
    return __getattr__("runtime").runtimeGetVersion()


@contextlib.contextmanager
def profile():
    """Enable a profiler in a `with` block.

    .. deprecated:: use ``cupricx.profiler.profile``.

    Yields
    ------
    None

    Examples
    --------
    >>> with cupric.cuda.profile():  # doctest: +SKIP
    ...     x = cupric.ones(3)
    """
    import warnings

    from cupric.cuda import profiler

    warnings.warn(
        "cupric.cuda.profile is deprecated: use cupricx.profiler.profile",
        UserWarning,
        stacklevel=3,
    )
    profiler.start()
    try:
        yield
    finally:
        profiler.stop()


# Modules that few programs use are loaded when first asked for.
_MODULES = frozenset(
    [
        "compiler",
        "cub",
        "cufft",
        "driver",
        "function",
        "graph",
        "memory_hook",
        "memory_hooks",
        "nvrtc",
        "nvtx",
        "profiler",
        "runtime",
        "texture",
        "thrust",
    ]
)
_NAMES = {
    "Function": "function",
    "Graph": "graph",
    "MemoryHook": "memory_hook",
    "Module": "function",
}


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f"cupric.cuda.{name}")
    if name in _NAMES:
        return getattr(importlib.import_module(f"cupric.cuda.{_NAMES[name]}"), name)
    if name == "nvtx_enabled":
        import warnings

        warnings.warn(
            "cupric.cuda.nvtx_enabled is deprecated: use cupric.cuda.nvtx.available",
            DeprecationWarning,
            stacklevel=2,
        )
        return __getattr__("nvtx").available
    raise missing_attribute("cupric.cuda", name)


def __dir__():
    return sorted({*__all__, *_MODULES, *_NAMES})
