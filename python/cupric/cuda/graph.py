"""Work captured once and launched many times."""

__all__ = ["Graph"]


class Graph:
    """A captured sequence of work, made by ``Stream.end_capture``.

    The host device captures nothing, so that there none is ever made.
    """

    def __init__(self, *args, **kwargs):
        raise RuntimeError(
            "a Graph is made by Stream.begin_capture and Stream.end_capture"
        )
