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


def __dir__():
    return __all__


def get_memory_hooks():
    """The hooks of this thread.

    Returns
    -------
    dict
        Of hooks by their names, in the order in which they were entered.

    Examples
    --------
    >>> with cupric.cuda.memory_hooks.LineProfileHook():
    ...     list(cupric.cuda.memory_hook.get_memory_hooks())
    ['LineProfileHook']
    """
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

    Examples
    --------
    >>> class Total(cupric.cuda.MemoryHook):
    ...     nbytes = 0
    ...
    ...     def malloc_preprocess(self, device_id, size, mem_size):
    ...         self.nbytes += mem_size
    >>> with Total() as total:
    ...     x = cupric.zeros(1000)
    >>> total.nbytes
    8192
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
        """Called before a pool takes memory from its device.

        Parameters
        ----------
        device_id : int
            The device's number.
        mem_size : int
            Bytes that the pool gives, a multiple of 512.

        Examples
        --------
        >>> class Watch(cupric.cuda.MemoryHook):
        ...     def alloc_preprocess(self, **kwargs):
        ...         seen.append(sorted(kwargs))
        >>> seen, pool = [], cupric.cuda.MemoryPool()
        >>> with Watch():
        ...     memory = pool.malloc(1000)
        ...     del memory
        >>> seen[0]
        ['device_id', 'mem_size']
        """

    def alloc_postprocess(self, **kwargs):
        """Called when a pool has taken memory from its device.

        Parameters
        ----------
        device_id : int
            The device's number.
        mem_size : int
            Bytes that the pool gives, a multiple of 512.
        mem_ptr : int
            Their address.

        Examples
        --------
        >>> class Watch(cupric.cuda.MemoryHook):
        ...     def alloc_postprocess(self, **kwargs):
        ...         seen.append(sorted(kwargs))
        >>> seen, pool = [], cupric.cuda.MemoryPool()
        >>> with Watch():
        ...     memory = pool.malloc(1000)
        ...     del memory
        >>> seen[0]
        ['device_id', 'mem_ptr', 'mem_size']
        """

    def malloc_preprocess(self, **kwargs):
        """Called before a pool serves a request.

        Parameters
        ----------
        device_id : int
            The device's number.
        size : int
            Bytes that are asked for.
        mem_size : int
            Bytes that the pool gives, a multiple of 512.

        Examples
        --------
        >>> class Watch(cupric.cuda.MemoryHook):
        ...     def malloc_preprocess(self, **kwargs):
        ...         seen.append(sorted(kwargs))
        >>> seen, pool = [], cupric.cuda.MemoryPool()
        >>> with Watch():
        ...     memory = pool.malloc(1000)
        ...     del memory
        >>> seen[0]
        ['device_id', 'mem_size', 'size']
        """

    def malloc_postprocess(self, **kwargs):
        """Called when a pool has served a request, or failed to.

        Parameters
        ----------
        device_id : int
            The device's number.
        size : int
            Bytes that are asked for.
        mem_size : int
            Bytes that the pool gives, a multiple of 512.
        mem_ptr : int
            Their address.
        pmem_id : int
            A number of the request, which its end is told, too.

        Examples
        --------
        >>> class Watch(cupric.cuda.MemoryHook):
        ...     def malloc_postprocess(self, **kwargs):
        ...         seen.append(sorted(kwargs))
        >>> seen, pool = [], cupric.cuda.MemoryPool()
        >>> with Watch():
        ...     memory = pool.malloc(1000)
        ...     del memory
        >>> seen[0]
        ['device_id', 'mem_ptr', 'mem_size', 'pmem_id', 'size']
        """

    def free_preprocess(self, **kwargs):
        """Called before memory goes back to its pool.

        Parameters
        ----------
        device_id : int
            The device's number.
        mem_size : int
            Bytes that the pool gives, a multiple of 512.
        mem_ptr : int
            Their address.
        pmem_id : int
            A number of the request, which its end is told, too.

        Examples
        --------
        >>> class Watch(cupric.cuda.MemoryHook):
        ...     def free_preprocess(self, **kwargs):
        ...         seen.append(sorted(kwargs))
        >>> seen, pool = [], cupric.cuda.MemoryPool()
        >>> with Watch():
        ...     memory = pool.malloc(1000)
        ...     del memory
        >>> seen[0]
        ['device_id', 'mem_ptr', 'mem_size', 'pmem_id']
        """

    def free_postprocess(self, **kwargs):
        """Called when memory has gone back to its pool.

        Parameters
        ----------
        device_id : int
            The device's number.
        mem_size : int
            Bytes that the pool gives, a multiple of 512.
        mem_ptr : int
            Their address.
        pmem_id : int
            A number of the request, which its end is told, too.

        Examples
        --------
        >>> class Watch(cupric.cuda.MemoryHook):
        ...     def free_postprocess(self, **kwargs):
        ...         seen.append(sorted(kwargs))
        >>> seen, pool = [], cupric.cuda.MemoryPool()
        >>> with Watch():
        ...     memory = pool.malloc(1000)
        ...     del memory
        >>> seen[0]
        ['device_id', 'mem_ptr', 'mem_size', 'pmem_id']
        """
