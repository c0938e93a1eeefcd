"""Host memory that devices reach directly, for copies that overlap with work."""

from cupric._core import (
    PinnedMemory,
    PinnedMemoryPointer,
    PinnedMemoryPool,
    PooledPinnedMemory,
)

__all__ = [
    "PinnedMemory",
    "PinnedMemoryPointer",
    "PinnedMemoryPool",
    "PooledPinnedMemory",
    "alloc_pinned_memory",
    "get_default_pinned_memory_pool",
    "is_memory_pinned",
    "set_pinned_memory_allocator",
]


def _malloc(size):
    return PinnedMemoryPointer(PinnedMemory(size), 0)


_default_pool = PinnedMemoryPool()
_allocator = _default_pool.malloc


def alloc_pinned_memory(size):
    """A PinnedMemoryPointer to `size` bytes: a buffer for ``numpy.frombuffer``.

    Examples
    --------
    >>> mem = cupric.cuda.alloc_pinned_memory(1024)
    >>> a = numpy.frombuffer(mem, numpy.float32, 256)
    """
    return _allocator(size)


def set_pinned_memory_allocator(allocator=None):
    """Let pinned memory come from `allocator(size)`; None: past the pool."""
    global _allocator
    if allocator is not None and not callable(allocator):
        raise TypeError("an allocator is callable or None")
    _allocator = _malloc if allocator is None else allocator


def get_default_pinned_memory_pool():
    """The pool that serves pinned memory by default."""
    return _default_pool


def is_memory_pinned(data):
    """Whether an object is memory of this module: a pointer or its memory.

    Parameters
    ----------
    data : object
        A PinnedMemoryPointer or PinnedMemory, or a memoryview of one.
    """
    if isinstance(data, memoryview):
        data = data.obj
    return isinstance(data, (PinnedMemoryPointer, PinnedMemory))
