"""A memory hook that prints."""

import json

from cupric.cuda.memory_hook import MemoryHook

__all__ = ["DebugPrintHook"]


def __dir__():
    return __all__


class DebugPrintHook(MemoryHook):
    """Prints a line of JSON for each event.

    Parameters
    ----------
    file : file, optional
        Where to, in place of `sys.stdout`.
    flush : bool
        Whether to flush after each line.

    Examples
    --------
    >>> pool = cupric.cuda.MemoryPool()
    >>> with cupric.cuda.memory_hooks.DebugPrintHook():
    ...     memory = pool.malloc(1000)
    {"hook":"alloc",...}
    {"hook":"malloc","device_id":0,"size":1000,"mem_size":1024,...}
    """

    name = "DebugPrintHook"

    def __init__(self, file=None, flush=True):
        self.file = file
        self.flush = flush

    def _print(self, hook, values):
        if "pmem_id" in values:
            values["pmem_id"] = hex(values["pmem_id"])
        line = json.dumps({"hook": hook, **values}, separators=(",", ":"))
        print(line, file=self.file, flush=self.flush)

    def alloc_postprocess(self, **kwargs):
        self._print("alloc", kwargs)

    def malloc_postprocess(self, **kwargs):
        self._print("malloc", kwargs)

    def free_postprocess(self, **kwargs):
        self._print("free", kwargs)
