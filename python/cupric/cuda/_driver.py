"""The driver's own functions, for what the core has no use for.

On the host device there is no driver: `call` does nothing and says so.
"""

import ctypes

from cupric import _core

__all__ = [
    "answer",
    "call",
    "pointer",
    "size",
]

_functions = {}


def answer(name, *args):
    """Call a function of the driver, with the current device's context.

    Parameters
    ----------
    name : str
        The function's name, of the version meant: "cuMemHostRegister_v2".
    *args
        ctypes objects, bytes or None.

    Returns
    -------
    int or None
        The driver's status; None where there is no driver to call.
    """
    address = _core.Device()._native(name)
    if address is None:
        return None
    function = _functions.get(address)
    if function is None:
        function = _functions[address] = ctypes.CFUNCTYPE(ctypes.c_int)(address)
    # The prototype has no argument types: each argument brings its own.
    return function(*args)


def call(name, *args):
    """The same, for those who want no status.

    Returns
    -------
    bool
        False where there is no driver to call.

    Raises
    ------
    CUDARuntimeError
        What the driver answered.
    """
    status = answer(name, *args)
    if status:
        raise _core.CUDARuntimeError(status)
    return status is not None


def pointer(address):
    """An address, or a handle, as an argument."""
    return ctypes.c_void_p(address)


def size(n):
    """A number of bytes as an argument."""
    return ctypes.c_size_t(n)
