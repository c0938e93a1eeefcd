"""Whether a thread may wait for devices."""

import contextlib

from cupric import _core

__all__ = [
    "DeviceSynchronized",
    "allow_synchronize",
]


class DeviceSynchronized(RuntimeError):
    """The program waited for a device where it must not.

    .. deprecated:: see `allow_synchronize`.

    Parameters
    ----------
    message : str, optional
    """

    def __init__(self, message=None):
        super().__init__(
            "the program waits for a device" if message is None else message
        )


@contextlib.contextmanager
def allow_synchronize(allow):
    """Whether this thread may wait for devices, in a `with` block.

    .. deprecated:: profilers find waits, and what they cost.

    Parameters
    ----------
    allow : bool
        False: what waits, as reading results or ``synchronize()``, is an error.

    Yields
    ------
    None

    Raises
    ------
    DeviceSynchronized
        In the block, from what would have waited.

    Examples
    --------
    >>> import cupricx
    >>> x = cp.ones(3)
    >>> with cupricx.allow_synchronize(False):  # doctest: +SKIP
    ...     y = x + 1
    ...     float(y.sum())
    Traceback (most recent call last):
    cupricx.DeviceSynchronized: the program waits for a device here, ...
    """
    import warnings

    warnings.warn(
        "allow_synchronize is deprecated: use a profiler to find waits",
        UserWarning,
        stacklevel=3,
    )
    before = _core._allow_waiting(allow)
    try:
        yield
    finally:
        _core._allow_waiting(before)
