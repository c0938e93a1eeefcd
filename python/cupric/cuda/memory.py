"""Device memory: pointers, pools, and what serves new arrays."""

import contextlib
import ctypes
import weakref

from cupric import _core
from cupric._core import (
    BaseMemory,
    Memory,
    MemoryPointer,
    MemoryPool,
    OutOfMemoryError,
    PooledMemory,
    UnownedMemory,
    alloc,
    get_allocator,
    get_default_memory_pool,
    set_allocator,
)
from cupric.cuda.device import Device
from cupric.cuda.stream import get_current_stream

__all__ = [
    "BaseMemory",
    "CFunctionAllocator",
    "CFunctionAllocatorMemory",
    "ManagedMemory",
    "Memory",
    "MemoryAsync",
    "MemoryAsyncPool",
    "MemoryPointer",
    "MemoryPool",
    "OutOfMemoryError",
    "PooledMemory",
    "PythonFunctionAllocator",
    "PythonFunctionAllocatorMemory",
    "SingleDeviceMemoryPool",
    "SystemMemory",
    "UnownedMemory",
    "alloc",
    "get_allocator",
    "get_default_memory_pool",
    "malloc_async",
    "malloc_managed",
    "malloc_system",
    "set_allocator",
    "using_allocator",
]


def __dir__():
    return __all__


@contextlib.contextmanager
def using_allocator(allocator=None):
    """Serve this thread's new arrays from another allocator, in a `with` block.

    Parameters
    ----------
    allocator : callable or None
        From a size in bytes to a MemoryPointer; None: straight from the device.

    Yields
    ------
    None

    Examples
    --------
    >>> pool = cupric.cuda.MemoryPool()
    >>> with cupric.cuda.using_allocator(pool.malloc):
    ...     x = cupric.zeros(100)
    >>> pool.used_bytes()
    1024
    """
    before = _core._swap_thread_allocator(allocator)
    try:
        yield
    finally:
        _core._swap_thread_allocator(before)


# ---- memory of other kinds --------------------------------------------------------


class ManagedMemory(Memory):
    """Memory that host and device share; on the host device, its own.

    Parameters
    ----------
    size : int
        Bytes.

    Examples
    --------
    >>> memory = cupric.cuda.ManagedMemory(4096)
    >>> memory.size
    4096
    """

    def __init__(self, size):
        super().__init__(size, True)

    def prefetch(self, stream, *, device_id=-2):
        """Move it to where it will be used: on the host device it is there.

        Parameters
        ----------
        stream : Stream
            In whose order.
        device_id : int
            Where; -2 is the device it was made on, -1 the host.

        Examples
        --------
        >>> memory = cupric.cuda.ManagedMemory(4096)
        >>> memory.prefetch(cupric.cuda.get_current_stream())
        """
        from cupric.cuda import runtime

        where = self.device_id if device_id == -2 else device_id
        runtime.memPrefetchAsync(self.ptr, self.size, where, stream.ptr)

    def advise(self, advise, dev):
        """Say how it will be used: nothing depends on it on the host device.

        Parameters
        ----------
        advise : int
            One of the runtime's ``cudaMemAdvise…`` numbers.
        dev : Device
            By which device.

        Examples
        --------
        >>> memory = cupric.cuda.ManagedMemory(4096)
        >>> read_mostly = cupric.cuda.runtime.cudaMemAdviseSetReadMostly
        >>> memory.advise(read_mostly, cupric.cuda.Device())
        """
        from cupric.cuda import runtime

        runtime.memAdvise(self.ptr, self.size, advise, dev.id)


class SystemMemory(ManagedMemory):
    """Memory of the operating system that devices reach.

    Parameters
    ----------
    size : int
        Bytes.

    Examples
    --------
    >>> memory = cupric.cuda.memory.SystemMemory(4096)
    >>> memory.size
    4096
    """


class MemoryAsync(Memory):
    """Memory allocated in a stream's order.

    Parameters
    ----------
    size : int
        Bytes.
    stream : Stream
        In whose order it may be used.

    Examples
    --------
    >>> stream = cupric.cuda.Stream()
    >>> memory = cupric.cuda.MemoryAsync(4096, stream)
    >>> memory.stream_ref() is stream
    True
    """

    def __init__(self, size, stream):
        super().__init__(size, _stream=stream)
        self.stream_ref = weakref.ref(stream)


def malloc_managed(size):
    """Allocate managed memory, which host and device share.

    Parameters
    ----------
    size : int
        Bytes.

    Returns
    -------
    MemoryPointer
        To its first byte.

    Examples
    --------
    >>> with cupric.cuda.using_allocator(cupric.cuda.malloc_managed):
    ...     x = cupric.ones(3)
    >>> float(x.sum())
    3.0
    """
    return MemoryPointer(ManagedMemory(size), 0)


def malloc_system(size):
    """Allocate memory of the operating system that devices reach.

    Parameters
    ----------
    size : int
        Bytes.

    Returns
    -------
    MemoryPointer
        To its first byte.

    Examples
    --------
    >>> with cupric.cuda.using_allocator(cupric.cuda.memory.malloc_system):
    ...     x = cupric.ones(3)
    >>> float(x.sum())
    3.0
    """
    return MemoryPointer(SystemMemory(size), 0)


def malloc_async(size):
    """Allocate memory in the order of the current stream.

    Parameters
    ----------
    size : int
        Bytes.

    Returns
    -------
    MemoryPointer
        To its first byte.

    Examples
    --------
    >>> with cupric.cuda.using_allocator(cupric.cuda.malloc_async):
    ...     x = cupric.ones(3)
    >>> float(x.sum())
    3.0
    """
    return MemoryPointer(MemoryAsync(size, get_current_stream()), 0)


# ---- allocators written by users ---------------------------------------------------


class Release:
    """Calls `free(*args)` once, when it is dropped."""

    def __init__(self, free, *args):
        self._finalizer = weakref.finalize(self, free, *args)
        self._finalizer.atexit = False


class PythonFunctionAllocatorMemory(UnownedMemory):
    """Memory from a function, given back to another.

    Parameters
    ----------
    size : int
        Bytes.
    malloc_func : callable
        ``malloc_func(size, device_id)`` gives an address.
    free_func : callable
        ``free_func(ptr, device_id)``.
    device_id : int
        The device's number.

    Raises
    ------
    OutOfMemoryError
        `malloc_func` gave 0.

    Examples
    --------
    >>> runtime = cupric.cuda.runtime
    >>> memory = cupric.cuda.memory.PythonFunctionAllocatorMemory(
    ...     256,
    ...     lambda size, device_id: runtime.malloc(size),
    ...     lambda ptr, device_id: runtime.free(ptr),
    ...     0,
    ... )
    >>> memory.size
    256
    >>> del memory
    """

    def __init__(self, size, malloc_func, free_func, device_id):
        ptr = malloc_func(size, device_id)
        if not ptr and size:
            raise OutOfMemoryError(
                f"Out of memory: the allocator had no {size:,} bytes for device "
                f"{device_id}"
            )
        super().__init__(ptr, size, Release(free_func, ptr, device_id), device_id)


class PythonFunctionAllocator:
    """An allocator made of two Python functions.

    Parameters
    ----------
    malloc_func : callable
        ``malloc_func(size, device_id)`` gives an address.
    free_func : callable
        ``free_func(ptr, device_id)``.

    Examples
    --------
    >>> runtime = cupric.cuda.runtime
    >>> a = cupric.cuda.PythonFunctionAllocator(
    ...     lambda size, device_id: runtime.malloc(size),
    ...     lambda ptr, device_id: runtime.free(ptr),
    ... )
    >>> with cupric.cuda.using_allocator(a.malloc):
    ...     total = float(cupric.ones(3).sum())
    """

    def __init__(self, malloc_func, free_func):
        self._malloc_func = malloc_func
        self._free_func = free_func

    def malloc(self, size):
        """Allocate memory of the current device by the functions.

        Parameters
        ----------
        size : int
            Bytes.

        Returns
        -------
        MemoryPointer

        Examples
        --------
        >>> runtime = cupric.cuda.runtime
        >>> allocator = cupric.cuda.PythonFunctionAllocator(
        ...     lambda size, device_id: runtime.malloc(size),
        ...     lambda ptr, device_id: runtime.free(ptr),
        ... )
        >>> allocator.malloc(256).mem.size
        256
        """
        memory = PythonFunctionAllocatorMemory(
            size, self._malloc_func, self._free_func, Device().id
        )
        return MemoryPointer(memory, 0)


_MALLOC = ctypes.CFUNCTYPE(
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
)
_FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)


class CFunctionAllocatorMemory(UnownedMemory):
    """Memory from a C function, given back to another.

    Parameters
    ----------
    size : int
        Bytes.
    param : int
        A pointer that both functions receive first.
    malloc_func : int
        Address of ``void *f(void *param, size_t size, int device_id)``.
    free_func : int
        Address of ``void f(void *param, void *ptr, int device_id)``.
    device_id : int
        The device's number.

    Raises
    ------
    OutOfMemoryError
        The function gave a null pointer.

    Examples
    --------
    >>> library = ctypes.CDLL("liballocate.so")  # doctest: +SKIP
    >>> addresses = [
    ...     ctypes.cast(function, ctypes.c_void_p).value
    ...     for function in (library.take, library.give_back)
    ... ]  # doctest: +SKIP
    >>> memory = cupric.cuda.memory.CFunctionAllocatorMemory(
    ...     256, 0, *addresses, 0
    ... )  # doctest: +SKIP
    """

    def __init__(self, size, param, malloc_func, free_func, device_id):
        ptr = _MALLOC(malloc_func)(param, size, device_id)
        if not ptr and size:
            raise OutOfMemoryError(
                f"Out of memory: the allocator had no {size:,} bytes for device "
                f"{device_id}"
            )
        release = Release(_FREE(free_func), param, ptr, device_id)
        super().__init__(ptr or 0, size, release, device_id)


class CFunctionAllocator:
    """An allocator made of two C functions, by their addresses.

    Parameters
    ----------
    param, malloc_func, free_func : int
        As for CFunctionAllocatorMemory.
    owner : object
        Kept alive as long as the allocator is.

    Examples
    --------
    >>> library = ctypes.CDLL("liballocate.so")  # doctest: +SKIP
    >>> addresses = [
    ...     ctypes.cast(function, ctypes.c_void_p).value
    ...     for function in (library.take, library.give_back)
    ... ]  # doctest: +SKIP
    >>> allocator = cupric.cuda.CFunctionAllocator(
    ...     0, *addresses, library
    ... )  # doctest: +SKIP
    >>> cupric.cuda.set_allocator(allocator.malloc)  # doctest: +SKIP
    """

    def __init__(self, param, malloc_func, free_func, owner):
        self._param = param
        self._malloc_func = malloc_func
        self._free_func = free_func
        self._owner = owner

    def malloc(self, size):
        """Allocate memory of the current device by the functions.

        Parameters
        ----------
        size : int
            Bytes.

        Returns
        -------
        MemoryPointer

        Examples
        --------
        >>> cupric.cuda.set_allocator(allocator.malloc)  # doctest: +SKIP
        """
        memory = CFunctionAllocatorMemory(
            size, self._param, self._malloc_func, self._free_func, Device().id
        )
        return MemoryPointer(memory, 0)


# ---- pools -------------------------------------------------------------------------


class SingleDeviceMemoryPool(MemoryPool):
    """A pool used on one device.

    Parameters
    ----------
    allocator : callable, optional
        Where its memory comes from, as for MemoryPool.

    Examples
    --------
    >>> pool = cupric.cuda.memory.SingleDeviceMemoryPool()
    >>> pointer = pool.malloc(1000)
    >>> pool.used_bytes()
    1024
    """

    def __new__(cls, allocator=None):
        if allocator is None or not _is_foreign(allocator):
            return super().__new__(cls)
        from cupric.cuda._caching_pool import SingleDeviceCachingPool

        return SingleDeviceCachingPool(allocator)


class MemoryAsyncPool(MemoryPool):
    """A pool in stream order, as every pool here is.

    Parameters
    ----------
    pool_handles : str or int or sequence of int
        Which of the driver's pools to use.

    Examples
    --------
    >>> pool = cupric.cuda.MemoryAsyncPool()
    >>> with cupric.cuda.using_allocator(pool.malloc):
    ...     x = cupric.zeros(100)
    >>> pool.used_bytes()
    1024
    """

    memoryAsyncHasStat = True

    def __new__(cls, pool_handles="current"):
        return super().__new__(cls)


def _is_foreign(allocator):
    """Whether a pool of the core's own cannot have the memory that this gives."""
    if allocator in (malloc_managed, malloc_system):
        return Device().backend != "host"
    return allocator is not malloc_async


def _pool_over(allocator):
    """The pool for MemoryPool(allocator); None where the core's own will do."""
    if not _is_foreign(allocator):
        return None
    from cupric.cuda._caching_pool import CachingPool

    return CachingPool(allocator)
