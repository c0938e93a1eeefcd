"""A memory hook that says which lines of a program use memory."""

import os
import sys

from cupric.cuda.memory_hook import MemoryHook

__all__ = ["LineProfileHook"]

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def __dir__():
    return __all__


class _Node:
    """A line of the program, as reached through its callers."""

    def __init__(self):
        self.used_bytes = 0  # asked of the pool
        self.acquired_bytes = 0  # that the pool took from the device for it
        self.children = {}


class LineProfileHook(MemoryHook):
    """Counts memory by line of source, and by the lines that called it.

    A line of the report is ``file:line:function (used, acquired)``: the bytes that were
    asked of pools there or below, in blocks of 512, and those that pools took from the
    device for it. Lines of this package are left out.

    Parameters
    ----------
    max_depth : int
        How many levels the report has, the root included; 0: all.

    Examples
    --------
    >>> hook = cupric.cuda.memory_hooks.LineProfileHook()
    >>> with hook:
    ...     x = cupric.ones(1000)
    >>> hook.print_report()
    _root (...)
    ...
    """

    name = "LineProfileHook"

    def __init__(self, max_depth=0):
        self._max_depth = max_depth
        self._root = _Node()

    def malloc_preprocess(self, device_id, size, mem_size):
        for node in self._nodes():
            node.used_bytes += mem_size

    def alloc_preprocess(self, device_id, mem_size):
        for node in self._nodes():
            node.acquired_bytes += mem_size

    def _nodes(self):
        """The nodes of the lines being run, from the root to the innermost."""
        node = self._root
        yield node
        for line in self._stack():
            node = node.children.setdefault(line, _Node())
            yield node

    def _stack(self):
        lines = []
        frame = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            if not code.co_filename.startswith(_PACKAGE + os.sep):
                lines.append((code.co_filename, frame.f_lineno, code.co_name))
            frame = frame.f_back
        lines.reverse()
        return lines[: self._max_depth - 1] if self._max_depth else lines

    def print_report(self, file=None):
        """Print each line with the bytes it used and those the pool took for it.

        Parameters
        ----------
        file : file, optional
            Where to, in place of `sys.stdout`.

        Examples
        --------
        >>> hook = cupric.cuda.memory_hooks.LineProfileHook(max_depth=1)
        >>> with hook:
        ...     x = cupric.ones(1000)
        >>> hook.print_report()
        _root (8.00KB, ...)
        """
        self._print(self._root, None, 0, file)

    def _print(self, node, line, depth, file):
        name = "_root" if line is None else "{}:{}:{}".format(*line)
        used = _readable(node.used_bytes)
        acquired = _readable(node.acquired_bytes)
        print(f"{'  ' * depth}{name} ({used}, {acquired})", file=file)
        for child_line, child in node.children.items():
            self._print(child, child_line, depth + 1, file)


def _readable(n):
    for unit in ("B", "KB", "MB", "GB"):
        if n < 1024:
            return f"{n:.2f}{unit}"
        n /= 1024
    return f"{n:.2f}TB"
