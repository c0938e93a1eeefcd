"""SciPy's functions for arrays on a device."""

from cupricx._below import modules_below

__all__ = [
    "get_array_module",
]


def get_array_module(*args):
    """The package whose functions suit the arguments: `cupricx.scipy`, or SciPy.

    Parameters
    ----------
    *args
        Arrays and anything else.

    Returns
    -------
    module
        `cupricx.scipy` when an argument is a `cupric.ndarray` or a sparse array of a
        device, else `scipy`.

    Examples
    --------
    >>> x = cupric.ones(3)
    >>> cupricx.scipy.get_array_module(x).__name__
    'cupricx.scipy'
    >>> cupricx.scipy.get_array_module(numpy.ones(3)).__name__
    'scipy'
    """
    import sys

    from cupric import ndarray

    if any(isinstance(a, ndarray) or hasattr(type(a), "__cupric_get__") for a in args):
        return sys.modules[__name__]
    import scipy

    return scipy


__getattr__, __dir__ = modules_below(__name__, __path__, globals())
