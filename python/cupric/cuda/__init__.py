"""Devices, streams and memory, under the names that CUDA programs know them by.

On a machine without a GPU all of it works on the host device; `is_available()` tells.
"""

import contextlib
import os
import shutil
import warnings

from cupric import _core
from cupric.cuda import (
    compiler,
    device,
    function,
    graph,
    memory,
    memory_hook,
    memory_hooks,
    nvtx,
    pinned_memory,
    profiler,
    runtime,
    stream,
)
from cupric.cuda.device import Device, get_cublas_handle, get_device_id
from cupric.cuda.graph import Graph
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
from cupric.cuda.memory_hook import MemoryHook
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
    "device",
    "function",
    "get_allocator",
    "get_cublas_handle",
    "get_cuda_path",
    "get_current_stream",
    "get_default_memory_pool",
    "get_default_pinned_memory_pool",
    "get_device_id",
    "get_elapsed_time",
    "get_local_runtime_version",
    "get_nvcc_path",
    "graph",
    "is_available",
    "malloc_async",
    "malloc_managed",
    "memory",
    "memory_hook",
    "memory_hooks",
    "nvtx",
    "pinned_memory",
    "profile",
    "profiler",
    "runtime",
    "set_allocator",
    "set_pinned_memory_allocator",
    "stream",
    "using_allocator",
]


def is_available():
    """Whether device numbers mean CUDA devices, and there is one.

    Returns
    -------
    bool
        False on the host device, on which everything works nevertheless.
    """
    try:
        return _core.Device(0).backend == "cuda"
    except (RuntimeError, ImportError):
        return False


def get_cuda_path():
    """The folder of a CUDA installation, or None.

    Taken from the environment (``CUDA_PATH``), or else from where ``nvcc`` is.
    """
    path = os.environ.get("CUDA_PATH")
    if path:
        return path
    nvcc = shutil.which("nvcc")
    return os.path.dirname(os.path.dirname(nvcc)) if nvcc else None


def get_nvcc_path():
    """The command line of ``nvcc``, or None."""
    return os.environ.get("NVCC") or shutil.which("nvcc")


def get_local_runtime_version():
    """The version of the CUDA runtime in use: 0 on the host device."""
    return runtime.runtimeGetVersion()


@contextlib.contextmanager
def profile():
    """Enable a profiler in a `with` block.

    .. deprecated:: use ``cupricx.profiler.profile``.
    """
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


def __getattr__(name):
    # Kernels are made by a layer above this one: it is loaded when first asked for.
    if name in ("Function", "Module"):
        return getattr(function, name)
    if name == "nvtx_enabled":
        warnings.warn(
            "cupric.cuda.nvtx_enabled is deprecated: use cupric.cuda.nvtx.available",
            DeprecationWarning,
            stacklevel=2,
        )
        return nvtx.available
    raise AttributeError(f"module 'cupric.cuda' has no attribute {name!r}")
