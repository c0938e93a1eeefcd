"""Functions of a few numbers, which are computed on the host."""

import functools
import inspect

import numpy as np

from cupric import _core

__all__ = ["on_host", "to_device", "to_host"]


def on_host(function):
    """Make a function of NumPy's arrays one of the device's.

    Arguments that are arrays of a device, also those in lists, tuples and dictionaries,
    are copied to the host. NumPy arrays among the results, also those in tuples and
    lists, become arrays of the device of the first of them, or of the current device
    where no argument is an array of a device. Numbers stay numbers.

    Parameters
    ----------
    function : callable
        Where it has parameters `xp` and `device`, as SciPy's functions do that make
        arrays of numbers alone, these say where the results are; it is not passed them.

    Returns
    -------
    callable
        With the signature and the docstring of `function`, which is its attribute
        ``on_host``: what composes designs calls that one, and nothing is copied between
        them.

    Examples
    --------
    >>> import cupric as cp
    >>> import numpy as np
    >>> @on_host
    ... def reversed_and_sum(c):
    ...     return np.flip(c), float(np.sum(c))
    >>> reversed_and_sum(cp.array([1.0, 2.0]))
    (array([2., 1.]), 3.0)
    >>> type(reversed_and_sum.on_host([1.0, 2.0])[0])
    <class 'numpy.ndarray'>
    """

    @functools.wraps(function)
    def on_device(*args, **kwargs):
        devices = []
        args = [to_host(a, devices) for a in args]
        kwargs = {k: to_host(a, devices) for k, a in kwargs.items()}
        return to_device(function(*args, **kwargs), devices[0] if devices else None)

    @functools.wraps(function)
    def placed(*args, xp=None, device=None, **kwargs):
        if xp is not None and getattr(xp, "__name__", None) != "cupric":
            raise ValueError(f"xp must be None or cupric, not {xp!r}")
        args = [to_host(a) for a in args]
        kwargs = {k: to_host(a) for k, a in kwargs.items()}
        return to_device(function(*args, **kwargs), device)

    made = placed if "xp" in inspect.signature(function).parameters else on_device
    made.on_host = function
    return made


def to_host(value, devices=None):
    """The value, with arrays of a device in it as NumPy arrays; `devices` is a list to
    which their devices are appended."""
    if isinstance(value, _core.ndarray):
        if devices is not None:
            devices.append(value.device)
        return value.get()
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([to_host(v, devices) for v in value])
    if kind is dict:
        return {k: to_host(v, devices) for k, v in value.items()}
    return value


def to_device(value, device=None):
    """The value, with NumPy arrays in it as arrays of a device."""
    if isinstance(value, np.ndarray):
        return _core.array(value, device=device)
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([to_device(v, device) for v in value])
    if isinstance(value, tuple):  # a named one
        return kind(*[to_device(v, device) for v in value])
    return value
