"""What the runtime's interface keeps for its handles and addresses, which are ints."""

import os
import threading

from cupric import _core
from cupric.cuda import _driver

__all__ = [
    "check_status",
    "drop",
    "keep",
    "lock",
    "must",
]

lock = threading.Lock()
os.register_at_fork(after_in_child=lock._at_fork_reinit)


def check_status(status):
    """Raise CUDARuntimeError unless `status` is 0.

    Parameters
    ----------
    status : int
        What a function of the runtime returned, a cudaError_t.

    Raises
    ------
    CUDARuntimeError
        With the name and the description of the error.

    Examples
    --------
    >>> from cupric.cuda import runtime
    >>> runtime.check_status(0)
    >>> runtime.check_status(1)
    Traceback (most recent call last):
        ...
    cupric.cuda.runtime.CUDARuntimeError: cudaErrorInvalidValue: invalid argument
    """
    if status != 0:
        raise _core.CUDARuntimeError(status)


def keep(table, key, value):
    with lock:
        table[key] = value
    return key


def drop(table, key, error):
    with lock:
        value = table.pop(key, None)
    if value is None:
        raise _core.CUDARuntimeError(error)
    return value


def must(name, *args):
    if not _driver.call(name, *args):
        raise NotImplementedError(f"the host device has no driver: no {name}")
