"""Marks on a profiler's time line. Without a profiler they cost a function call."""

import itertools

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

available = False
_ids = itertools.count(1)


def Mark(message, id_color=-1):
    """Mark this moment."""


def MarkC(message, color=0):
    """Mark this moment in a colour, as 0xAARRGGBB."""


def RangePush(message, id_color=-1):
    """Begin a range that the matching RangePop ends."""


def RangePushC(message, color=0):
    """Begin a range in a colour, as 0xAARRGGBB."""


def RangePop():
    """End the range begun last."""


def RangeStart(message, color):
    """Begin a range that RangeEnd of the number returned ends."""
    return next(_ids)


def RangeEnd(range_id):
    """End a range by its number."""
