"""Host memory that devices reach directly, for copies that overlap with work."""

import collections
import math
import os
import threading

import numpy as np

from cupric._core import (
    CUDARuntimeError,
    Event,
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


def __dir__():
    return __all__


def _malloc(size):
    return PinnedMemoryPointer(PinnedMemory(size), 0)


_default_pool = PinnedMemoryPool()
_allocator = _default_pool.malloc


def alloc_pinned_memory(size):
    """Allocate host memory that devices reach directly.

    Parameters
    ----------
    size : int
        Bytes.

    Returns
    -------
    PinnedMemoryPointer
        A buffer for ``numpy.frombuffer``.

    Examples
    --------
    >>> mem = cupric.cuda.alloc_pinned_memory(1024)
    >>> a = numpy.frombuffer(mem, numpy.float32, 256)
    """
    _let_go()
    return _allocator(size)


def set_pinned_memory_allocator(allocator=None):
    """Let pinned memory come from another allocator.

    Parameters
    ----------
    allocator : callable or None
        From a size in bytes to a PinnedMemoryPointer; None: past the pool.

    Raises
    ------
    TypeError
        It is neither callable nor None.

    Examples
    --------
    >>> pool = cupric.cuda.PinnedMemoryPool()
    >>> cupric.cuda.set_pinned_memory_allocator(pool.malloc)
    >>> default = cupric.get_default_pinned_memory_pool()
    >>> cupric.cuda.set_pinned_memory_allocator(default.malloc)
    """
    global _allocator
    if allocator is not None and not callable(allocator):
        raise TypeError("an allocator is callable or None")
    _allocator = _malloc if allocator is None else allocator


def get_default_pinned_memory_pool():
    """The pool that serves pinned memory by default.

    Returns
    -------
    PinnedMemoryPool

    Examples
    --------
    >>> pool = cupric.get_default_pinned_memory_pool()
    >>> pool.free_all_blocks()
    """
    return _default_pool


def is_memory_pinned(data):
    """Whether an object is memory of this module: a pointer or its memory.

    Parameters
    ----------
    data : object
        A PinnedMemoryPointer or PinnedMemory, or a memoryview of one.

    Returns
    -------
    bool

    Examples
    --------
    >>> pinned = cupric.cuda.alloc_pinned_memory(64)
    >>> cupric.cuda.pinned_memory.is_memory_pinned(pinned)
    True
    >>> cupric.cuda.pinned_memory.is_memory_pinned(bytearray(64))
    False
    """
    if isinstance(data, memoryview):
        data = data.obj
    return isinstance(data, (PinnedMemoryPointer, PinnedMemory))


# ---- copies that go on after the call ------------------------------------------------

_lock = threading.Lock()
_under_way = collections.deque()  # of copies: the event of the end, the host's array


def _forget():
    """In a child of fork neither events nor copies are of any use."""
    global _under_way
    _lock._at_fork_reinit()
    _under_way = collections.deque()


os.register_at_fork(after_in_child=_forget)


def _let_go():
    """Let go of arrays to which copies are done."""
    # Not waited for: a finalizer may get here while this thread has the lock.
    if not _under_way or not _lock.acquire(blocking=False):
        return
    done = []  # dropped without the lock
    try:
        while _under_way and _under_way[0][0].done:
            done.append(_under_way.popleft())
    except CUDARuntimeError:  # the device, or a capture, does not say
        pass
    finally:
        _lock.release()


def _hold(array, device):
    """Keep an array until what the device's current stream was given is done."""
    _let_go()
    with device:
        event = Event(disable_timing=True)
    event.record()
    _under_way.append((event, array))


def _empty(shape, dtype, order):
    """A NumPy array in pinned memory."""
    memory = alloc_pinned_memory(math.prod(map(int, shape)) * dtype.itemsize)
    return np.ndarray(shape, dtype, memory, order=order)
