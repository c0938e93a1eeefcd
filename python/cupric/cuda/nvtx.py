"""Marks on a profiler's time line. Without a profiler they cost a function call.

They go through NVIDIA's library for them (``libnvtx3interop`` of CUDA 13,
``libnvToolsExt`` of CUDA 12), where a toolkit or the package ``nvidia-nvtx`` has it;
`available` tells. Where it is not found they do nothing.
"""

import ctypes
import glob
import itertools
import os
import sysconfig

__all__ = [
    "Mark",
    "MarkC",
    "RangeEnd",
    "RangePop",
    "RangePush",
    "RangePushC",
    "RangeStart",
    "available",
]

_ids = itertools.count(1)

# What `id_color` chooses from, as 0xAARRGGBB.
_COLORS = (
    0xFF00A000,
    0xFF3070E0,
    0xFFE0C000,
    0xFFC030C0,
    0xFF00B0B0,
    0xFFE04040,
    0xFFFFFFFF,
)


def __dir__():
    return __all__


class _Attributes(ctypes.Structure):
    """nvtxEventAttributes_t of nvToolsExt.h."""

    _fields_ = (
        ("version", ctypes.c_uint16),
        ("size", ctypes.c_uint16),
        ("category", ctypes.c_uint32),
        ("color_type", ctypes.c_int32),
        ("color", ctypes.c_uint32),
        ("payload_type", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("payload", ctypes.c_uint64),
        ("message_type", ctypes.c_int32),
        ("message", ctypes.c_char_p),
    )


_VERSION, _ARGB, _ASCII = 2, 1, 1


def _places():
    """Where the library may be, the likeliest first."""
    names = "libnvtx3interop.so.1", "libnvToolsExt.so.1"
    yield from names
    folders = [
        os.path.join(root, below)
        for root in (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"))
        if root
        for below in ("lib64", "lib")
    ]
    folders += ["/usr/local/cuda/lib64", "/opt/cuda/lib64"]
    packages = sysconfig.get_path("purelib")
    folders += glob.glob(os.path.join(packages, "nvidia", "cu13", "lib"))
    folders += glob.glob(os.path.join(packages, "nvidia", "nvtx", "lib"))
    for folder in folders:
        for name in names:
            path = os.path.join(folder, name)
            if os.path.exists(path):
                yield path


def _load():
    for path in _places():
        try:
            library = ctypes.CDLL(path)
            library.nvtxRangeStartEx.restype = ctypes.c_uint64
        except (OSError, AttributeError):
            continue
        return library
    return None


_library = _load()
available = _library is not None


def _event(message, color):
    """The attributes of an event; None for no colour."""
    if isinstance(message, str):
        message = message.encode()
    colored = color is not None
    return ctypes.byref(
        _Attributes(
            version=_VERSION,
            size=ctypes.sizeof(_Attributes),
            color_type=_ARGB if colored else 0,
            color=color & 0xFFFFFFFF if colored else 0,
            message_type=_ASCII,
            message=message,
        )
    )


def _color_of(number):
    return None if number < 0 else _COLORS[number % len(_COLORS)]


def Mark(message, id_color=-1):
    """Mark this moment on a profiler's time line.

    Parameters
    ----------
    message : str
    id_color : int
        Which of a few colours the mark has; none where it is negative.

    Examples
    --------
    >>> cp.cuda.nvtx.Mark("data is loaded")
    """
    if available:
        _library.nvtxMarkEx(_event(message, _color_of(id_color)))


def MarkC(message, color=0):
    """Mark this moment on a profiler's time line, in any colour.

    Parameters
    ----------
    message : str
    color : int
        0xAARRGGBB.

    Examples
    --------
    >>> cp.cuda.nvtx.MarkC("data is loaded", 0xFF00FF00)
    """
    if available:
        _library.nvtxMarkEx(_event(message, color))


def RangePush(message, id_color=-1):
    """Begin a range, which the matching `RangePop` of the thread ends.

    Parameters
    ----------
    message : str
    id_color : int
        Which of a few colours the range has; none where it is negative.

    Examples
    --------
    >>> cp.cuda.nvtx.RangePush("step")
    >>> x = cp.ones(3).sum()
    >>> cp.cuda.nvtx.RangePop()
    """
    if available:
        _library.nvtxRangePushEx(_event(message, _color_of(id_color)))


def RangePushC(message, color=0):
    """Begin a range in any colour, which the matching `RangePop` of the thread ends.

    Parameters
    ----------
    message : str
    color : int
        0xAARRGGBB.

    Examples
    --------
    >>> cp.cuda.nvtx.RangePushC("step", 0xFFFF0000)
    >>> cp.cuda.nvtx.RangePop()
    """
    if available:
        _library.nvtxRangePushEx(_event(message, color))


def RangePop():
    """End the range that the thread pushed last.

    Examples
    --------
    >>> cp.cuda.nvtx.RangePush("step")
    >>> cp.cuda.nvtx.RangePop()
    """
    if available:
        _library.nvtxRangePop()


def RangeStart(message, color):
    """Begin a range, which `RangeEnd` ends, in any thread and in any order.

    Parameters
    ----------
    message : str
    color : int
        0xAARRGGBB.

    Returns
    -------
    int
        The range, for `RangeEnd`.

    Examples
    --------
    >>> loading = cp.cuda.nvtx.RangeStart("loading", 0xFF0000FF)
    >>> cp.cuda.nvtx.RangeEnd(loading)
    """
    if available:
        return _library.nvtxRangeStartEx(_event(message, color))
    return next(_ids)


def RangeEnd(range_id):
    """End a range of `RangeStart`.

    Parameters
    ----------
    range_id : int
        What RangeStart returned.

    Examples
    --------
    >>> loading = cp.cuda.nvtx.RangeStart("loading", 0xFF0000FF)
    >>> cp.cuda.nvtx.RangeEnd(loading)
    """
    if available:
        _library.nvtxRangeEnd(ctypes.c_uint64(range_id))
