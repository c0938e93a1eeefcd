"""SciPy's functions for arrays on a device."""

__all__ = [
    "get_array_module",
]


def get_array_module(*args):
    """The package whose functions suit the arguments: cupric, or numpy.

    Parameters
    ----------
    *args
        Arrays and anything else.

    Returns
    -------
    module
        `cupricx.scipy` when an argument is a `cupric.ndarray`, else `scipy`.
    """
    import sys

    from cupric import ndarray

    if any(isinstance(a, ndarray) for a in args):
        return sys.modules[__name__]
    import scipy

    return scipy
