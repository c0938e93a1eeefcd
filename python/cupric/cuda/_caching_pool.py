"""A pool over an allocator written by a user."""

import os
import threading

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

_lock = threading.RLock()  # of all these pools
os.register_at_fork(after_in_child=_lock._at_fork_reinit)

UNIT = 512  # sizes are rounded up to this many bytes


class CachingPool(MemoryPool):
    """A pool over an allocator of the user's: freed memory waits for its size again."""

    def __new__(cls, allocator):
        return super().__new__(cls)

    def __init__(self, allocator):
        self._allocator = allocator
        self._free = {}  # (device, stream, size) -> pointers
        self._used = {}  # by device: bytes
        self._total = {}
        self._limit = {}

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
        key = device, get_current_stream().ptr, mem_size
        with _lock:
            waiting = self._free.get(key)
            pointer = waiting.pop() if waiting else self._grow(device, mem_size)
            self._used[device] = self._used.get(device, 0) + mem_size
        memory = UnownedMemory.__new__(UnownedMemory)
        release = Release(self._give, key, pointer, id(memory))
        memory.__init__(pointer.ptr, size, release, device)
        return MemoryPointer(memory, 0)

    def _grow(self, device, size):
        total = self._total.get(device, 0)
        limit = self._limit.get(device, 0)
        if limit and total + size > limit:
            self.free_all_blocks()
            total = self._total.get(device, 0)
            if total + size > limit:
                raise OutOfMemoryError(size, total, limit)
        try:
            pointer = self._take(device, size)
        except MemoryError:
            self.free_all_blocks()
            pointer = self._take(device, size)
        self._total[device] = self._total.get(device, 0) + size
        return pointer

    def _take(self, device, size):
        news = {"device_id": device, "mem_size": size, "mem_ptr": 0}
        notify("alloc_preprocess", news)
        try:
            pointer = self._allocator(size)
            news["mem_ptr"] = pointer.ptr
        finally:
            notify("alloc_postprocess", news)
        return pointer

    def _give(self, key, pointer, pmem_id):
        news = {"device_id": key[0], "mem_size": key[2], "mem_ptr": pointer.ptr}
        news["pmem_id"] = pmem_id
        notify("free_preprocess", news)
        with _lock:
            self._free.setdefault(key, []).append(pointer)
            self._used[key[0]] -= key[2]
        notify("free_postprocess", news)

    def free_all_blocks(self, stream=None):
        device = Device().id
        with _lock:
            for key in [k for k in self._free if k[0] == device]:
                self._total[device] -= key[2] * len(self._free.pop(key))

    def n_free_blocks(self):
        device = Device().id
        with _lock:
            return sum(len(v) for k, v in self._free.items() if k[0] == device)

    def used_bytes(self):
        return self._used.get(Device().id, 0)

    def total_bytes(self):
        return self._total.get(Device().id, 0)

    def free_bytes(self):
        return self.total_bytes() - self.used_bytes()

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
