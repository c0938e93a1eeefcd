"""Streams, the queues of a device's work, and events, the marks in them."""

import warnings

from cupric import _core
from cupric._core import Event, Stream, get_current_stream, get_elapsed_time

__all__ = [
    "Event",
    "ExternalStream",
    "Stream",
    "get_current_stream",
    "get_elapsed_time",
]


def __dir__():
    return __all__


class ExternalStream(_core.ExternalStream):
    """A stream that others made and will end, by its handle.

    .. deprecated:: use ``Stream.from_external``, which keeps the owner alive.

    Parameters
    ----------
    ptr : int
        The stream's handle.
    device_id : int
        Its device; -1 is the current one.

    Examples
    --------
    >>> theirs = cupric.cuda.Stream()
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     stream = cupric.cuda.ExternalStream(theirs.ptr)
    >>> stream == theirs
    True
    """

    def __new__(cls, ptr, device_id=-1):
        warnings.warn(
            "ExternalStream is deprecated: use Stream.from_external",
            DeprecationWarning,
            stacklevel=2,
        )
        return super().__new__(cls, ptr, device_id)
