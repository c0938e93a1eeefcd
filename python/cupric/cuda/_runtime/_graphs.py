"""Captures and graphs."""

from cupric import _core
from cupric.cuda._constants import errorInvalidValue, streamCaptureModeRelaxed
from cupric.cuda._runtime._handles import drop, keep, lock
from cupric.cuda._runtime._streams import stream_of

__all__ = [
    "graphDebugDotPrint",
    "graphDestroy",
    "graphExecDestroy",
    "graphInstantiate",
    "graphLaunch",
    "graphUpload",
    "streamBeginCapture",
    "streamEndCapture",
]

_graphs = {}  # by handle
_executables = {}


def streamBeginCapture(stream, mode=streamCaptureModeRelaxed):
    """Capture a stream's work into a graph, in place of running it.

    Parameters
    ----------
    stream : int
        Its handle; not the default stream's.
    mode : int, optional
        A ``streamCaptureMode…`` number: which calls of this and other threads are
        errors meanwhile.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    stream_of(stream).begin_capture(mode)


def streamEndCapture(stream):
    """End a capture.

    Parameters
    ----------
    stream : int
        Its handle.

    Returns
    -------
    int
        The handle of the graph, for `graphDestroy`.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    graph = stream_of(stream).end_capture()
    return keep(_graphs, graph.graph or id(graph), graph)


def graphInstantiate(graph):
    """Make what can be launched of a graph.

    Parameters
    ----------
    graph : int
        The handle that `streamEndCapture` gave.

    Returns
    -------
    int
        The handle of it, for `graphExecDestroy`.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such graph.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> executable = runtime.graphInstantiate(graph)
    >>> runtime.graphLaunch(executable, stream)
    >>> runtime.streamSynchronize(stream)
    >>> x
    array([7, 7, 7], dtype=uint8)
    >>> runtime.graphExecDestroy(executable)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    with lock:
        captured = _graphs.get(graph)
    if captured is None:
        raise _core.CUDARuntimeError(errorInvalidValue)
    return keep(_executables, captured.graphExec or id(captured), captured)


def graphDestroy(graph):
    """Destroy a graph; what was instantiated of it stays.

    Parameters
    ----------
    graph : int
        The handle that `streamEndCapture` gave.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such graph.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    drop(_graphs, graph, errorInvalidValue)


def graphExecDestroy(graphExec):
    """Destroy what graphInstantiate made.

    Parameters
    ----------
    graphExec : int
        The handle that `graphInstantiate` gave.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such thing.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> executable = runtime.graphInstantiate(graph)
    >>> runtime.graphExecDestroy(executable)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    drop(_executables, graphExec, errorInvalidValue)


def _executable(handle):
    with lock:
        graph = _executables.get(handle)
    if graph is None:
        raise _core.CUDARuntimeError(errorInvalidValue)
    return graph


def graphLaunch(graphExec, stream):
    """Run the work of a graph, in a stream's order.

    Parameters
    ----------
    graphExec : int
        The handle that `graphInstantiate` gave.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such thing.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> executable = runtime.graphInstantiate(graph)
    >>> runtime.graphLaunch(executable, stream)
    >>> runtime.graphLaunch(executable, stream)
    >>> runtime.streamSynchronize(stream)
    >>> x
    array([7, 7, 7], dtype=uint8)
    >>> runtime.graphExecDestroy(executable)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    _executable(graphExec).launch(stream_of(stream))


def graphUpload(graphExec, stream):
    """Bring what a launch needs to the device, in a stream's order.

    Parameters
    ----------
    graphExec : int
        The handle that `graphInstantiate` gave.
    stream : int
        Its handle; 0 is the default stream.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such thing.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> executable = runtime.graphInstantiate(graph)
    >>> runtime.graphUpload(executable, stream)
    >>> runtime.streamSynchronize(stream)
    >>> runtime.graphExecDestroy(executable)
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    _executable(graphExec).upload(stream_of(stream))


def graphDebugDotPrint(graph, path, flags):
    """Write a graph's nodes to a file, in the language of Graphviz.

    Parameters
    ----------
    graph : int
        The handle that `streamEndCapture` gave.
    path : str
        Of the file.
    flags : int
        An or of ``cudaGraphDebugDotFlags…`` numbers.

    Raises
    ------
    CUDARuntimeError
        The handle is of no such graph.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> x = cp.zeros(3, "u1")
    >>> runtime.deviceSynchronize()
    >>> stream = runtime.streamCreateWithFlags(runtime.streamNonBlocking)
    >>> runtime.streamBeginCapture(stream)
    >>> runtime.memsetAsync(x.data.ptr, 7, 3, stream)
    >>> graph = runtime.streamEndCapture(stream)
    >>> runtime.graphDebugDotPrint(graph, "graph.dot", 0)  # doctest: +SKIP
    >>> runtime.graphDestroy(graph)
    >>> runtime.streamDestroy(stream)
    """
    with lock:
        captured = _graphs.get(graph)
    if captured is None:
        raise _core.CUDARuntimeError(errorInvalidValue)
    with open(path, "w") as file:
        file.write(captured.debug_dot_str(flags))
