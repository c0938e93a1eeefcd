"""A pool over an allocator written by a user."""

import bisect
import collections
import itertools
import os
import threading
import weakref

from cupric.cuda.device import Device
from cupric.cuda.memory import (
    MemoryPointer,
    MemoryPool,
    OutOfMemoryError,
    Release,
    SingleDeviceMemoryPool,
    UnownedMemory,
)
from cupric.cuda.memory_hook import notify
from cupric.cuda.stream import get_current_stream

__all__ = [
    "CachingPool",
    "SingleDeviceCachingPool",
]

UNIT = 512  # sizes are rounded up to this many bytes

_serial = itertools.count()
_pools = weakref.WeakSet()


def _after_fork():
    for pool in _pools:
        pool._lock = threading.RLock()
        pool._busy = False


os.register_at_fork(after_in_child=_after_fork)


class _Chunk:
    """What the allocator gave at a time, for one device and stream."""

    __slots__ = ("key", "pointer", "size")

    def __init__(self, key, pointer, size):
        self.key = key
        self.pointer = pointer
        self.size = size


class _Block:
    """A piece of a chunk. Its neighbours by address are `prev` and `next`."""

    __slots__ = ("chunk", "free", "next", "offset", "prev", "serial", "size")

    def __init__(self, chunk, offset, size):
        self.chunk = chunk
        self.offset = offset
        self.size = size
        self.serial = next(_serial)
        self.prev = self.next = None
        self.free = False


class CachingPool(MemoryPool):
    """A pool over an allocator of the user's.

    What is freed waits for a request on its stream. Blocks are cut for smaller
    requests, and joined again. A finalizer may come back to the pool at any time, in
    the middle of a call of the same thread too: what it frees is put aside (`_given`),
    and what it asks for then is taken from the allocator.
    """

    def __new__(cls, allocator):
        return super().__new__(cls)

    def __init__(self, allocator):
        self._allocator = allocator
        self._lock = threading.RLock()
        self._busy = False  # whether the lists are being changed; under the lock
        self._free = {}  # (device, stream) -> (size, serial, block), sorted
        self._given = collections.deque()  # blocks that are to go there
        self._chunks = set()
        self._limit = {}  # by device
        _pools.add(self)

    def malloc(self, size):
        mem_size = -(-size // UNIT) * UNIT
        device = Device().id
        if size == 0:
            return MemoryPointer(UnownedMemory(0, 0, self, device), 0)
        news = {"device_id": device, "size": size, "mem_size": mem_size}
        news |= {"mem_ptr": 0, "pmem_id": 0}
        notify("malloc_preprocess", news)
        try:
            pointer = self._malloc(device, size, mem_size)
            news |= {"mem_ptr": pointer.ptr, "pmem_id": id(pointer.mem)}
        finally:
            notify("malloc_postprocess", news)
        return pointer

    def _malloc(self, device, size, mem_size):
        key = device, get_current_stream().ptr
        with self._lock:
            block = self._alone(self._find, key, mem_size) or self._grow(key, mem_size)
        memory = UnownedMemory.__new__(UnownedMemory)
        release = Release(self._give, block, id(memory))
        ptr = block.chunk.pointer.ptr + block.offset
        memory.__init__(ptr, size, release, device)
        return MemoryPointer(memory, 0)

    def _alone(self, change, *args):
        """change(*args) while nothing else changes the lists; None where it may not."""
        with self._lock:
            if self._busy:
                return None
            self._busy = True
            try:
                self._settle()
                return change(*args)
            finally:
                self._busy = False

    # ---- the lists, changed by _alone ----

    def _insert(self, block):
        block.free = True
        free = self._free.setdefault(block.chunk.key, [])
        bisect.insort(free, (block.size, block.serial, block))

    def _remove(self, block):
        block.free = False
        free = self._free[block.chunk.key]
        del free[bisect.bisect_left(free, (block.size, block.serial))]

    def _find(self, key, size):
        """The smallest free block that is large enough, cut to size; or None."""
        free = self._free.get(key, ())
        i = bisect.bisect_left(free, (size,))
        if i == len(free):
            return None
        block = free[i][2]
        self._remove(block)
        if block.size > size:
            rest = _Block(block.chunk, block.offset + size, block.size - size)
            rest.prev, rest.next = block, block.next
            if rest.next:
                rest.next.prev = rest
            block.next, block.size = rest, size
            self._insert(rest)
        return block

    def _settle(self):
        """Enter what was given back, joined with its free neighbours."""
        while self._given:
            block = self._given.popleft()
            if block.next and block.next.free:
                self._remove(block.next)
                self._absorb_next(block)
            if block.prev and block.prev.free:
                block = block.prev
                self._remove(block)
                self._absorb_next(block)
            self._insert(block)

    def _absorb_next(self, block):
        gone = block.next
        block.size += gone.size
        block.next = gone.next
        if block.next:
            block.next.prev = block

    def _take_whole(self, device, stream):
        """Remove the chunks of which nothing is in use, and return them."""
        whole = []
        for (on, where), free in self._free.items():
            if on != device or stream not in (None, where):
                continue
            blocks = [block for _, _, block in free]
            whole += [block for block in blocks if not (block.prev or block.next)]
        for block in whole:
            self._remove(block)
        chunks = [block.chunk for block in whole]
        self._chunks.difference_update(chunks)
        return chunks

    # ---- memory of the allocator ----

    def _grow(self, key, size):
        device = key[0]
        limit = self._limit.get(device, 0)
        if limit and self.total_bytes() + size > limit:
            self.free_all_blocks()
            total = self.total_bytes()
            if total + size > limit:
                raise OutOfMemoryError(size, total, limit)
        try:
            pointer = self._take(device, size)
        except MemoryError:
            self.free_all_blocks()
            pointer = self._take(device, size)
        chunk = _Chunk(key, pointer, size)
        self._chunks.add(chunk)
        return _Block(chunk, 0, size)

    def _take(self, device, size):
        news = {"device_id": device, "mem_size": size, "mem_ptr": 0}
        notify("alloc_preprocess", news)
        try:
            pointer = self._allocator(size)
            news["mem_ptr"] = pointer.ptr
        finally:
            notify("alloc_postprocess", news)
        return pointer

    def _give(self, block, pmem_id):
        device = block.chunk.key[0]
        ptr = block.chunk.pointer.ptr + block.offset
        news = {"device_id": device, "mem_size": block.size, "mem_ptr": ptr}
        news["pmem_id"] = pmem_id
        notify("free_preprocess", news)
        self._given.append(block)
        if self._lock.acquire(blocking=False):  # else its holder, or the next call
            try:
                self._alone(lambda: None)
            finally:
                self._lock.release()
        notify("free_postprocess", news)

    def free_all_blocks(self, stream=None):
        where = None if stream is None else stream.ptr
        chunks = self._alone(self._take_whole, Device().id, where)
        del chunks  # without the lock: the memory's owner is told

    # ---- what there is ----

    def _free_sizes(self):
        device = Device().id
        lists = list(self._free.items())
        return [size for (on, _), free in lists if on == device for size, _, _ in free]

    def n_free_blocks(self):
        return len(self._alone(self._free_sizes) or ())

    def free_bytes(self):
        return sum(self._alone(self._free_sizes) or ())

    def total_bytes(self):
        device = Device().id
        return sum(c.size for c in list(self._chunks) if c.key[0] == device)

    def used_bytes(self):
        with self._lock:
            return self.total_bytes() - self.free_bytes()

    def set_limit(self, size=None, fraction=None):
        if size is not None and fraction is not None:
            raise ValueError("size and fraction cannot be specified at one time")
        if fraction is not None:
            if not 0 <= fraction <= 1:
                raise ValueError(f"memory limit fraction out of range: {fraction}")
            size = int(fraction * Device().mem_info[1])
        if size is not None and size < 0:
            raise ValueError(f"memory limit size out of range: {size}")
        self._limit[Device().id] = size or 0

    def get_limit(self):
        return self._limit.get(Device().id, 0)


class SingleDeviceCachingPool(CachingPool, SingleDeviceMemoryPool):
    """The same, as a SingleDeviceMemoryPool."""
