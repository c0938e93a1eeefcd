"""Functions of arrays that are marked to be fused."""

import functools
import types

__all__ = [
    "Fusion",
    "fuse",
]


class Fusion:
    """What `cupric.fuse` makes of a function.

    Attributes
    ----------
    func : callable
        The function.
    name : str
        The name that `fuse` was given, or the function's.
    """

    def __init__(self, func, name=None):
        if not callable(func):
            raise TypeError(f"fuse takes a function, not {type(func).__name__}")
        functools.update_wrapper(self, func)
        self.func = func
        self.name = getattr(func, "__name__", repr(func)) if name is None else name

    def __repr__(self):
        return f"<Fusion '{self.name}'>"

    def __call__(self, *args, **kwargs):
        return self.func(*args, **kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else types.MethodType(self, instance)

    def __reduce__(self):
        """By its place, as functions are pickled."""
        return self.__qualname__

    def clear_cache(self):
        """Forget what was compiled: nothing is kept."""


def fuse(*args, **kwargs):
    """Decorator that marks a function of arrays whose operations may run as one kernel.

    The function is called as it is: every operation runs on its own, and what it
    returns has the values and dtypes that it has without the decorator.

    Parameters
    ----------
    *args : callable, optional
        The function. Without it the result is a decorator, which takes the function.
    **kwargs : str, optional
        `kernel_name`, a name for the kernel: the function's by default.

    Returns
    -------
    callable
        It takes what the function takes: arrays of a device, NumPy's arrays and
        numbers. `func` is the function, `name` the kernel's name.

    See Also
    --------
    vectorize : A function of single elements, translated into one kernel.

    Examples
    --------
    >>> @cp.fuse()
    ... def squared_difference(x, y):
    ...     return (x - y) * (x - y)
    >>> squared_difference(cp.arange(3.0), 1.0)
    array([1., 0., 1.])
    """
    if args:
        return Fusion(*args, **_names(**kwargs))
    names = _names(**kwargs)
    return lambda func: Fusion(func, **names)


def _names(kernel_name=None):
    if kernel_name is not None and not isinstance(kernel_name, str):
        raise TypeError(f"kernel_name must be a str, not {type(kernel_name).__name__}")
    return {} if kernel_name is None else {"name": kernel_name}
