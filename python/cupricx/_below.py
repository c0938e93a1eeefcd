"""Packages whose modules are loaded when they are first asked for."""

from cupric._lib.core import missing_attribute

__all__ = [
    "modules_below",
]


def modules_below(package, path, names):
    """The `__getattr__` and `__dir__` of a package that loads its modules late.

    Parameters
    ----------
    package : str
        Its `__name__`.
    path : list of str
        Its `__path__`.
    names : dict
        Its `globals()`.
    """

    def modules():
        import pkgutil

        below = {module.name for module in pkgutil.iter_modules(path)}
        return {name for name in below if not name.startswith("_")}

    def __getattr__(name):
        if name.startswith("_") or name not in modules():
            raise missing_attribute(package, name)
        import importlib

        return importlib.import_module(f"{package}.{name}")

    def __dir__():
        return sorted({*names["__all__"], *modules()})

    return __getattr__, __dir__
