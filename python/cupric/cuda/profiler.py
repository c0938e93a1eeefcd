"""Switches for a profiler attached to the process. On the host device: none."""

from cupric import _core

__all__ = ["start", "stop"]


def start():
    """Let an attached profiler record from here on."""
    _core.Device()._profiler(True)


def stop():
    """Let it stop recording."""
    _core.Device()._profiler(False)
