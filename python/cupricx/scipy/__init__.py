"""SciPy's functions for arrays on a device."""

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
        `cupricx.scipy` when an argument is a `cupric.ndarray`, else `scipy`.

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

    if any(isinstance(a, ndarray) for a in args):
        return sys.modules[__name__]
    import scipy

    return scipy


def _modules():
    """The modules below this one."""
    import pkgutil

    names = {module.name for module in pkgutil.iter_modules(__path__)}
    return {name for name in names if not name.startswith("_")}


def __getattr__(name):
    """Modules are loaded when first asked for."""
    if name.startswith("_") or name not in _modules():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return importlib.import_module(f"{__name__}.{name}")


def __dir__():
    return sorted({*globals(), *_modules()})
