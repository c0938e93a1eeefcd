"""Switches for a profiler attached to the process. On the host device: none."""

__all__ = ["start", "stop"]


def start():
    """Let an attached profiler record from here on."""


def stop():
    """Let it stop recording."""
