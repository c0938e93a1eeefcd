"""Switches for a profiler attached to the process. On the host device: none."""

from cupric import _core

__all__ = ["start", "stop"]


def start():
    """Let a profiler that is attached to the process record from here on.

    The profiler has to wait for it: ``nsys profile --capture-range=cudaProfilerApi``.
    On the host device nothing happens.

    Examples
    --------
    >>> cp.cuda.profiler.start()
    >>> x = cp.ones(3).sum()
    >>> cp.cuda.profiler.stop()
    """
    _core.Device()._profiler(True)


def stop():
    """Let a profiler that is attached to the process stop recording.

    Examples
    --------
    >>> cp.cuda.profiler.start()
    >>> cp.cuda.profiler.stop()
    """
    _core.Device()._profiler(False)
