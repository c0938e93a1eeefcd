"""Packages that work with arrays of cupric once they are told of them.

An adapter is a module with a function ``extend(module)``, which enters our functions in
the tables of the other package's module. It is imported when that module is, before or
after this package: nothing is imported for a package that a program does not use.
"""

import importlib
import importlib.util
import sys

__all__ = ["ADAPTERS", "watch"]

_DASK = ("backends", "fft", "linalg", "reductions", "routines", "slicing")

# The module that has the adapter, by name of the module that is extended.
ADAPTERS = {f"dask.array.{name}": "cupricx._dask" for name in _DASK}


class _Watch:
    """A finder that finds no module, and sees which that have an adapter are sought."""

    def __init__(self, names):
        self.names = set(names)

    def find_spec(self, name, path=None, target=None):
        if name not in self.names:
            return None
        self.names.remove(name)
        if not self.names:
            sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None:
            spec.loader = _Loader(spec.loader)
        return spec


class _Loader:
    """A module's loader, which runs the adapter afterwards."""

    def __init__(self, loader):
        self._loader = loader

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        _adapt(module)


def watch():
    """Run the adapters: now where their module is imported, else when it is."""
    if any(isinstance(finder, _Watch) for finder in sys.meta_path):
        return
    later = []
    for name in ADAPTERS:
        module = sys.modules.get(name)
        if module is None or getattr(module.__spec__, "_initializing", False):
            later.append(name)
        else:
            _adapt(module)
    if later:
        sys.meta_path.insert(0, _Watch(later))


def _adapt(module):
    importlib.import_module(ADAPTERS[module.__name__]).extend(module)
