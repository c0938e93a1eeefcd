"""Programs that say `cupy` run on cupric: what `import cupy` and its like give then.

A finder in front of all others answers for `cupy`, `cupyx` and `cupy_backends`, and
what is below them. All but `cupy` itself are cupric's modules, the same objects,
imported when a program asks. `cupy` is a module of its own, of the same contents: its
name and its version are CuPy's, as packages look at both.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys
import types

import cupric as cp
from cupric import _core
from cupric._lacking import (
    ABOVE,
    MODULES,
    OURS,
    PLACES,
    is_lacking,
    lacking,
    name_of,
    place_of,
)

__all__ = [
    "CUPY_VERSION",
    "install_as_cupy",
    "load_ipython_extension",
]

CUPY_VERSION = "14.2.0"  # the CuPy whose interface is spoken

# Packages that hold nothing but modules of PLACES.
BARE = {
    "cupy_backends",
    "cupy_backends.cuda",
    "cupy_backends.cuda.api",
    "cupy_backends.cuda.libs",
}
TOPS = {"cupy", "cupyx", "cupy_backends"}


def refusal(fullname):
    """What an error says of a name that `is_lacking`."""
    return (
        f"CuPy's {fullname} is not in cupric {cp.__version__}, which runs in the place "
        "of CuPy here; docs/coverage.md of cupric's sources lists what is there"
    )


def cupy_module(spec):
    """The module `cupy`: whatever cupric has, and what it says of itself."""
    module = types.ModuleType("cupy", cp.__doc__)
    given = {name: vars(cp)[name] for name in cp.__all__ if name in vars(cp)}
    vars(module).update(
        given,
        __all__=cp.__all__,
        __array_api_version__=cp.__array_api_version__,
        __array_namespace_info__=cp.__array_namespace_info__,
        __file__=cp.__file__,
        __version__=CUPY_VERSION,
        __dir__=lambda: sorted({*vars(module), *cp.__all__}),
    )

    def find(name):
        if f"cupy.{name}" in PLACES or name == "core":
            return importlib.import_module(f"cupy.{name}")
        return getattr(cp, name)

    module.__getattr__ = explained("cupric", find)
    return module


def explained(space, find=None):
    """A module's `__getattr__`, whose errors say which names are CuPy's.

    Parameters
    ----------
    space : str
        Our name of the module.
    find : callable, optional
        The `__getattr__` that it has.
    """

    def __getattr__(name):
        try:
            if find is not None:
                return find(name)
        except AttributeError:
            if not is_lacking(f"{name_of(space)}.{name}"):
                raise
        if is_lacking(f"{name_of(space)}.{name}"):
            raise AttributeError(refusal(f"{name_of(space)}.{name}"))
        raise AttributeError(f"module {space!r} has no attribute {name!r}")

    return __getattr__


def explain(module):
    """Have the errors of a module that lacks names of CuPy's say so."""
    if module.__name__ in lacking() or name_of(module.__name__) in ABOVE:
        find = vars(module).get("__getattr__")
        if find is None or find.__module__ != __name__:
            module.__getattr__ = explained(module.__name__, find)


class Loader(importlib.abc.Loader):
    """Gives a module that is there; it keeps the name and the spec that it has."""

    def __init__(self, module):
        self.module = module
        self.spec = getattr(module, "__spec__", None)
        self.loader = getattr(module, "__loader__", None)

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        if self.spec is not None:
            module.__spec__, module.__loader__ = self.spec, self.loader


class Finder(importlib.abc.MetaPathFinder):
    """Finds CuPy's modules as ours, and says of those that are lacking so."""

    def find_spec(self, fullname, path=None, target=None):
        top = fullname.partition(".")[0]
        if top in OURS:  # `from cupyx.scipy import sparse` looks for ours
            cupys = name_of(fullname)
            if cupys in MODULES and not has_file(fullname, path):
                raise ModuleNotFoundError(refusal(cupys), name=cupys)
            if is_lacking(cupys) and cupys not in MODULES:
                raise ImportError(refusal(cupys), name=cupys)
            return None
        if top not in TOPS:
            return None
        if fullname == "cupy" or fullname in BARE:
            make = cupy_module if fullname == "cupy" else types.ModuleType
            return spec_of(fullname, make(fullname), is_package=True)
        ours = place_of(fullname)
        if ours == fullname:  # of cupy_backends, and not in the table
            return refused(fullname)
        try:
            module = importlib.import_module(ours)
        except ModuleNotFoundError as error:
            if error.name == fullname or f"{ours}.".startswith(f"{error.name}."):
                return refused(fullname)
            raise  # the module is there, and lacks something of its own
        explain(module)
        return spec_of(fullname, module, hasattr(module, "__path__"))


def has_file(fullname, path):
    return importlib.machinery.PathFinder.find_spec(fullname, path) is not None


def refused(fullname):
    """None, the finder's answer for what is not there; raises if it is CuPy's."""
    if is_lacking(fullname):
        raise ModuleNotFoundError(refusal(fullname), name=fullname)
    return None


def spec_of(fullname, module, is_package):
    spec = importlib.machinery.ModuleSpec(
        fullname, Loader(module), origin="cupric", is_package=is_package
    )
    if is_package:
        vars(module).setdefault("__path__", [])
    return spec


def is_installed():
    return any(isinstance(finder, Finder) for finder in sys.meta_path)


def install_as_cupy():
    """Make `import cupy` mean cupric in this process.

    `cupy`, `cupyx` and `cupy_backends`, and the modules below them, are cupric's from
    then on; `cupy.ndarray is cupric.ndarray`. `type(x).__module__` says ``"cupy"``,
    `cupy.__version__` is that of the CuPy whose interface cupric speaks, and
    `cupy.is_available()` is True on the host device, too, unless the environment
    variable CUPRIC_AVAILABLE is ``cuda``, so that packages which look at any of these
    take the path that they have for CuPy. A second call has no effect.

    Raises
    ------
    RuntimeError
        When CuPy itself has been imported before.

    See Also
    --------
    cupric.as_cupy : A module whose import does this, as for ``pytest -p``.

    Examples
    --------
    >>> cp.install_as_cupy()  # doctest: +SKIP
    >>> import cupy  # doctest: +SKIP
    >>> cupy.ndarray is cp.ndarray  # doctest: +SKIP
    True
    """
    if is_installed():
        return
    for top in sorted(TOPS):
        other = sys.modules.get(top)
        if other is not None:
            version = getattr(other, "__version__", "")
            where = getattr(other, "__file__", None) or "somewhere"
            raise RuntimeError(
                f"{top} {version} is imported already, from {where}, so that it cannot "
                f"be cupric: call cupric.install_as_cupy() before the first import of "
                f"{top}, or run the program by `python -m cupric`"
            )
    sys.meta_path.insert(0, Finder())
    for name in {*lacking(), *map(place_of, ABOVE)}:
        if name in sys.modules and name != "cupric":
            explain(sys.modules[name])
    _core._rename_type(_core.ndarray, "cupy.ndarray")
    _core._rename_type(_core.ufunc, "cupy.ufunc")
    _core._set_namespace(importlib.import_module("cupy"))
    cp.cuda._host_is_available = True


def load_ipython_extension(ipython):
    """For `%load_ext cupric`: `import cupy` gives cupric, `%gpu_timeit` is there."""
    install_as_cupy()
    importlib.import_module("cupricx.profiler").load_ipython_extension(ipython)
