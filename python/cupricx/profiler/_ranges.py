"""What a profiler attached to the process is told."""

import contextlib
import functools

from cupric import cuda
from cupric.cuda import nvtx

__all__ = [
    "profile",
    "time_range",
]


@contextlib.contextmanager
def profile():
    """Let an attached profiler record in a `with` block only.

    Yields
    ------
    None

    Examples
    --------
    >>> with cupricx.profiler.profile():
    ...     x = cupric.ones(3)
    """
    cuda.profiler.start()
    try:
        yield
    finally:
        cuda.runtime.deviceSynchronize()
        cuda.profiler.stop()


class time_range:
    """A range on the profiler's time line: a `with` block, or calls of a function.

    Parameters
    ----------
    message : str, optional
        The range's name; by default the decorated function's.
    color_id : int, optional
        A colour by number.
    argb_color : int, optional
        A colour as 0xAARRGGBB, in place of `color_id`.
    sync : bool
        Wait for the device before the range ends.

    Examples
    --------
    >>> with cupricx.profiler.time_range("setting up"):
    ...     x = cupric.ones(3)
    >>> @cupricx.profiler.time_range()
    ... def square(x):
    ...     return x * x
    """

    def __init__(self, message=None, color_id=None, argb_color=None, sync=False):
        if color_id is not None and argb_color is not None:
            raise ValueError("color_id and argb_color exclude each other")
        self.message = message
        self.color_id = -1 if color_id is None and argb_color is None else color_id
        self.argb_color = argb_color
        self.sync = sync

    def __enter__(self):
        if self.message is None:
            raise ValueError("a range of a with statement needs a message")
        if self.argb_color is not None:
            nvtx.RangePushC(self.message, self.argb_color)
        else:
            nvtx.RangePush(self.message, self.color_id)
        return self

    def __exit__(self, *error):
        if self.sync:
            cuda.runtime.deviceSynchronize()
        nvtx.RangePop()

    def __call__(self, func):
        message = func.__name__ if self.message is None else self.message
        color_id = None if self.argb_color is not None else self.color_id

        @functools.wraps(func)
        def inner(*args, **kwargs):
            with time_range(message, color_id, self.argb_color, self.sync):
                return func(*args, **kwargs)

        return inner
