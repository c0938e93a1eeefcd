"""Streams and events."""

from cupric import _core
from cupric.cuda._constants import (
    errorInvalidResourceHandle,
    eventBlockingSync,
    eventDisableTiming,
    eventInterprocess,
    streamNonBlocking,
)
from cupric.cuda._runtime._handles import drop, keep, lock

__all__ = [
    "eventCreate",
    "eventCreateWithFlags",
    "eventDestroy",
    "eventElapsedTime",
    "eventQuery",
    "eventRecord",
    "eventSynchronize",
    "event_of",
    "launchHostFunc",
    "streamAddCallback",
    "streamCreate",
    "streamCreateWithFlags",
    "streamCreateWithPriority",
    "streamDestroy",
    "streamGetFlags",
    "streamGetPriority",
    "streamIsCapturing",
    "streamQuery",
    "streamSynchronize",
    "streamWaitEvent",
    "stream_of",
]

_streams = {}  # by handle
_events = {}


def stream_of(handle):
    """The stream object of a handle."""
    if handle in (0, 1):
        return _core.Stream.null
    if handle == 2:
        return _core.Stream.ptds
    with lock:
        stream = _streams.get(handle)
    return _core.ExternalStream(handle) if stream is None else stream


def streamCreate():
    """A new stream of the current device.

    Returns
    -------
    int
        Its handle, for `streamDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stream = runtime.streamCreate()
    >>> runtime.streamDestroy(stream)
    """
    return streamCreateWithFlags(0)


def streamCreateWithFlags(flags):
    """A new stream of the current device.

    Parameters
    ----------
    flags : int
        ``streamDefault``, or ``streamNonBlocking``, which does not wait for the default
        stream.

    Returns
    -------
    int
        Its handle, for `streamDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamDestroy(stream)
    """
    return streamCreateWithPriority(flags, None)


def streamCreateWithPriority(flags, priority):
    """A new stream of the current device, with a priority.

    Parameters
    ----------
    flags : int
        ``streamDefault``, or ``streamNonBlocking``, which does not wait for the default
        stream.
    priority : int or None
        Streams of lower numbers go first; 0 is the usual.

    Returns
    -------
    int
        Its handle, for `streamDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stream = runtime.streamCreateWithPriority(runtime.streamNonBlocking, 0)
    >>> runtime.streamDestroy(stream)
    """
    stream = _core.Stream(
        non_blocking=bool(flags & streamNonBlocking), priority=priority
    )
    return keep(_streams, stream.ptr, stream)


def streamDestroy(stream):
    """Destroy a stream of `streamCreate` and its like, when its work is done.

    Parameters
    ----------
    stream : int
        Its handle.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such stream.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stream = runtime.streamCreate()
    >>> runtime.streamDestroy(stream)
    """
    drop(_streams, stream, errorInvalidResourceHandle)


def streamSynchronize(stream):
    """Wait until all work of a stream is done.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.ones(3) + 1
    >>> runtime.streamSynchronize(0)
    """
    stream_of(stream).synchronize()


def streamQuery(stream):
    """Whether all work of a stream is done.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.

    Returns
    -------
    int
        0 where it is, else 600, cudaErrorNotReady.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.streamSynchronize(0)
    >>> runtime.streamQuery(0)
    0
    """
    return 0 if stream_of(stream).done else 600


def streamGetFlags(stream):
    """The flags that a stream was made with.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.

    Returns
    -------
    int
        ``streamDefault`` or ``streamNonBlocking``.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.streamGetFlags(0) == runtime.streamDefault
    True
    """
    return streamNonBlocking if stream_of(stream).is_non_blocking else 0


def streamGetPriority(stream):
    """The priority that a stream was made with.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.

    Returns
    -------
    int

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.streamGetPriority(0)
    0
    """
    return stream_of(stream).priority


def streamWaitEvent(stream, event, flags=0):
    """Let later work of a stream wait for an event.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.
    event : int
        The handle that `eventCreate` gave.
    flags : int, optional
        Has no effect.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such event.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> stream = runtime.streamCreate()
    >>> event = runtime.eventCreate()
    >>> runtime.eventRecord(event, 0)
    >>> runtime.streamWaitEvent(stream, event)
    >>> runtime.eventDestroy(event)
    >>> runtime.streamDestroy(stream)
    """
    stream_of(stream).wait_event(event_of(event))


def streamAddCallback(stream, callback, arg, flags=0):
    """Call a function when a stream has reached this place.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.
    callback : callable
        Called with the stream, 0 and `arg`, in another thread.
    arg : object
    flags : int, optional
        Has no effect.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> called = []
    >>> runtime.streamAddCallback(0, lambda *given: called.append(given), "done")
    >>> runtime.streamSynchronize(0)
    >>> called
    [(0, 0, 'done')]
    """
    stream_of(stream).launch_host_func(lambda a: callback(stream, 0, a), arg)


def launchHostFunc(stream, callback, arg):
    """Call a function when a stream has reached this place.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.
    callback : callable
        Called with `arg`, in another thread.
    arg : object

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> called = []
    >>> runtime.launchHostFunc(0, called.append, "done")
    >>> runtime.streamSynchronize(0)
    >>> called
    ['done']
    """
    stream_of(stream).launch_host_func(callback, arg)


def streamIsCapturing(stream):
    """Whether a stream's work is being captured into a graph.

    Parameters
    ----------
    stream : int
        Its handle; 0 is the default stream.

    Returns
    -------
    bool

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.streamIsCapturing(0)
    False
    """
    return stream_of(stream).is_capturing()


# ---- events ------------------------------------------------------------------------


def event_of(handle):
    with lock:
        event = _events.get(handle)
    if event is None:
        raise _core.CUDARuntimeError(errorInvalidResourceHandle)
    return event


def eventCreate():
    """A new event of the current device.

    Returns
    -------
    int
        Its handle, for `eventDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreate()
    >>> runtime.eventDestroy(event)
    """
    return eventCreateWithFlags(0)


def eventCreateWithFlags(flags):
    """A new event of the current device.

    Parameters
    ----------
    flags : int
        An or of ``eventBlockingSync``, ``eventDisableTiming``, ``eventInterprocess``.

    Returns
    -------
    int
        Its handle, for `eventDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreateWithFlags(runtime.eventDisableTiming)
    >>> runtime.eventDestroy(event)
    """
    event = _core.Event(
        block=bool(flags & eventBlockingSync),
        disable_timing=bool(flags & eventDisableTiming),
        interprocess=bool(flags & eventInterprocess),
    )
    return keep(_events, event.ptr, event)


def eventDestroy(event):
    """Destroy an event.

    Parameters
    ----------
    event : int
        The handle that `eventCreate` gave.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such event.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreate()
    >>> runtime.eventDestroy(event)
    """
    drop(_events, event, errorInvalidResourceHandle)


def eventRecord(event, stream):
    """Record an event at the place that a stream has reached.

    Parameters
    ----------
    event : int
        The handle that `eventCreate` gave.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such event.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreate()
    >>> runtime.eventRecord(event, 0)
    >>> runtime.eventDestroy(event)
    """
    event_of(event).record(stream_of(stream))


def eventQuery(event):
    """Whether the work before an event is done.

    Parameters
    ----------
    event : int
        The handle that `eventCreate` gave.

    Returns
    -------
    int
        0 where it is, else 600, cudaErrorNotReady.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such event.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreate()
    >>> runtime.eventRecord(event, 0)
    >>> runtime.eventSynchronize(event)
    >>> runtime.eventQuery(event)
    0
    >>> runtime.eventDestroy(event)
    """
    return 0 if event_of(event).done else 600


def eventSynchronize(event):
    """Wait until the work before an event is done.

    Parameters
    ----------
    event : int
        The handle that `eventCreate` gave.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such event.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> event = runtime.eventCreate()
    >>> runtime.eventRecord(event, 0)
    >>> runtime.eventSynchronize(event)
    >>> runtime.eventDestroy(event)
    """
    event_of(event).synchronize()


def eventElapsedTime(start, end):
    """The time between two recorded events.

    Parameters
    ----------
    start, end : int
        The handles that `eventCreate` gave.

    Returns
    -------
    float
        In milliseconds.

    Raises
    ------
    CUDARuntimeError
        A handle is of no such event, or the work before it is not done.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> start, end = runtime.eventCreate(), runtime.eventCreate()
    >>> runtime.eventRecord(start, 0)
    >>> runtime.eventRecord(end, 0)
    >>> runtime.eventSynchronize(end)
    >>> runtime.eventElapsedTime(start, end) >= 0
    True
    >>> runtime.eventDestroy(start)
    >>> runtime.eventDestroy(end)
    """
    return _core.get_elapsed_time(event_of(start), event_of(end))
