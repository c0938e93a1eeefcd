"""Functions called when pools allocate and free, for measurement."""

import os
import threading

from cupric import _core

__all__ = ["MemoryHook", "get_memory_hooks"]

_thread = threading.local()
_lock = threading.Lock()
os.register_at_fork(after_in_child=_lock._at_fork_reinit)
_n_entered = 0

# What each event is told of.
_ARGUMENTS = {
    "alloc_preprocess": ("device_id", "mem_size"),
    "alloc_postprocess": ("device_id", "mem_size", "mem_ptr"),
    "malloc_preprocess": ("device_id", "size", "mem_size"),
    "malloc_postprocess": ("device_id", "size", "mem_size", "mem_ptr", "pmem_id"),
    "free_preprocess": ("device_id", "mem_size", "mem_ptr", "pmem_id"),
    "free_postprocess": ("device_id", "mem_size", "mem_ptr", "pmem_id"),
}


def get_memory_hooks():
    """This thread's hooks, a dict by name in the order they were entered."""
    try:
        return _thread.hooks
    except AttributeError:
        _thread.hooks = {}
        return _thread.hooks


def notify(event, values):
    """Call this thread's hooks: of `values`, with what `event` is told of."""
    hooks = get_memory_hooks()
    if hooks:
        values = {name: values[name] for name in _ARGUMENTS[event]}
        for hook in list(hooks.values()):
            getattr(hook, event)(**values)


class MemoryHook:
    """Base of hooks: in a `with` block its methods are called in this thread.

    ``malloc`` is a request to a pool and ``free`` the end of one; ``alloc`` is the pool
    taking more memory from the device, told of when the memory has been taken. Of a
    request that fails ``malloc_postprocess`` is told ``mem_ptr`` and ``pmem_id`` 0.
    """

    name = "MemoryHook"

    def __enter__(self):
        global _n_entered
        hooks = get_memory_hooks()
        if self.name in hooks:
            raise KeyError(f"memory hook {self.name} already exists")
        hooks[self.name] = self
        with _lock:
            _n_entered += 1
            _core._set_memory_watcher(notify)
        return self

    def __exit__(self, *_):
        global _n_entered
        del get_memory_hooks()[self.name]
        with _lock:
            _n_entered -= 1
            if _n_entered == 0:
                _core._set_memory_watcher(None)

    def alloc_preprocess(self, **kwargs):
        """The pool takes ``mem_size`` bytes from device ``device_id``."""

    def alloc_postprocess(self, **kwargs):
        """It took them, at ``mem_ptr``."""

    def malloc_preprocess(self, **kwargs):
        """``size`` bytes are asked for; ``mem_size``, a multiple of 512, are given."""

    def malloc_postprocess(self, **kwargs):
        """They were given, at ``mem_ptr``, under the number ``pmem_id``."""

    def free_preprocess(self, **kwargs):
        """The memory at ``mem_ptr`` goes back to the pool."""

    def free_postprocess(self, **kwargs):
        """It went back."""
