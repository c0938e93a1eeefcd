"""A word by which kernels tell the host something of what they found.

It lies in pinned memory, to which kernels write: nothing is cleared before a call or
copied after it, the host waits for the stream and looks. A word in which nothing was
written serves the next call.
"""

from cupric import _core
from cupric.cuda.pinned_memory import alloc_pinned_memory

__all__ = ["call_with_word"]


class _Word:
    """An int32, and its address for the kernel."""

    __slots__ = ("address", "memory", "value")

    def __init__(self):
        self.memory = alloc_pinned_memory(4)
        self.address = int(self.memory.ptr)
        self.value = memoryview(self.memory).cast("B")[:4].cast("i")
        self.value[0] = 0


_words = []  # keeps them all: a call that was interrupted may still write to its own
_free = []
_unread = []  # one, for kernels whose word nobody looks at


def _take(words):
    """The last of `words`, or a new one."""
    try:
        return words.pop()
    except IndexError:
        word = _Word()
        _words.append(word)
        return word


def _read(word):
    """What was written; the word is for the next call."""
    written = word.value[0]
    if written:
        word.value[0] = 0
    _free.append(word)
    return written


def call_with_word(function, a, *args, reads=True, then=None, answers=False):
    """``function(a, *args, address)``, whose kernels may write to the word at an
    address, and what they wrote, or 0. One look at it, on the device of `a`; none
    without `reads`, or while a graph is captured, which has no values yet. What
    ``then()`` launches is not waited for; its result takes the place of the other. Of a
    function that `answers` a kernel writes once, and something else than 0: no more is
    waited for."""
    with a.device:
        stream = _core.get_current_stream()
        if not reads or stream.is_capturing():
            word = _take(_unread)
            _unread.append(word)
            result = function(a, *args, word.address)
            return result if then is None else then(), 0
        word = _take(_free)
        try:
            result = function(a, *args, word.address)
        except Exception:  # nothing was launched
            _free.append(word)
            raise
        if then is None:
            if answers:
                stream._wait_for_word(word.address)
            else:
                stream.synchronize()
            return result, _read(word)
        is_written = _core.Event(disable_timing=True)
        is_written.record(stream)
        try:
            result = then()
        except Exception:
            is_written.synchronize()
            _read(word)
            raise
        is_written.synchronize()
        return result, _read(word)
