"""What CuPy has and cupric has not yet: which names, and the errors that say so."""

import sys
from functools import cache

__all__ = [
    "ABOVE",
    "MODULES",
    "OURS",
    "PLACES",
    "is_lacking",
    "lacking",
    "missing_attribute",
    "name_of",
    "names_to_come",
    "place_of",
    "watch_imports",
]

# What is not at the same place below `cupric` or `cupricx`.
PLACES = {
    "cupy": "cupric",
    "cupyx": "cupricx",
    "cupy._core": "cupric.core",
    "cupy._util": "cupric._memoize",
    "cupy.util": "cupric._memoize",
    "cupy_backends.cuda.api.driver": "cupric.cuda.driver",
    "cupy_backends.cuda.api.runtime": "cupric.cuda.runtime",
    "cupy_backends.cuda.libs.nvrtc": "cupric.cuda.nvrtc",
    "cupy_backends.cuda.libs.nvtx": "cupric.cuda.nvtx",
    "cupy_backends.cuda.libs.profiler": "cupric.cuda.profiler",
    "cupy_backends.cuda.stream": "cupric.cuda.stream",
}
OURS = {"cupric": "cupy", "cupricx": "cupyx"}

# Modules of CuPy's, of which an import that fails says that they are lacking here.
# Those that have come since are found before this list is looked at.
MODULES = {
    *("cupy.array_api", "cupy.cudnn", "cupy.cusolver", "cupy.cusparse"),
    *("cupy.cutensor", "cupy.prof", "cupy.sparse", "cupy.cuda.common"),
    *("cupy.cuda.cublas", "cupy.cuda.cudnn", "cupy.cuda.curand"),
    *("cupy.cuda.cusolver", "cupy.cuda.cusparse", "cupy.cuda.cutensor"),
    *("cupy.cuda.cutensornet", "cupy.cuda.nccl", "cupy.cuda.texture"),
    *("cupyx.cudnn", "cupyx.cusparse", "cupyx.cutensor", "cupyx.distributed"),
    *("cupyx.fallback_mode", "cupyx.jit", "cupyx.optimizing"),
    *("cupyx.tools", "cupyx.scipy.cluster", "cupyx.scipy.differentiate"),
    *("cupyx.scipy.integrate", "cupyx.scipy.interpolate", "cupyx.scipy.optimize"),
    *("cupyx.scipy.spatial", "cupyx.scipy.spatial.distance", "cupyx.scipy.stats"),
    *("cupy_backends.cuda.libs.cublas", "cupy_backends.cuda.libs.cudnn"),
    *("cupy_backends.cuda.libs.curand", "cupy_backends.cuda.libs.cusolver"),
    *("cupy_backends.cuda.libs.cusparse", "cupy_backends.cuda.libs.cutensor"),
    *("cupy_backends.cuda.libs.nccl",),
}
# The packages of these.
ABOVE = {name.rpartition(".")[0] for name in MODULES}


@cache
def lacking():
    """{namespace: CuPy's names that it lacks}; `make coverage` writes the file."""
    import json
    from pathlib import Path

    return json.loads(Path(__file__).with_name("missing.json").read_text())


def is_lacking(fullname):
    """Whether CuPy has this module, or name of a module, and cupric has not."""
    space, _, name = place_of(fullname).rpartition(".")
    return name in lacking().get(space, ()) or fullname in MODULES


def place_of(fullname):
    """The name of our module in the place of CuPy's."""
    head, tail = fullname, ""
    while head:
        if head in PLACES:
            return PLACES[head] + tail
        head, dot, last = head.rpartition(".")
        tail = dot + last + tail
    return fullname


def name_of(ours):
    """CuPy's name of the same place; the reverse, but for the table's exceptions."""
    top, dot, rest = ours.partition(".")
    return OURS[top] + dot + rest


# ---- under our own names -------------------------------------------------------------


def _reason(fullname):
    """What is said of a name of ours that CuPy has in that place; or None."""
    theirs = name_of(fullname)
    if not is_lacking(theirs):
        return None
    version = sys.modules["cupric"].__version__
    return (
        f"CuPy's {theirs} is not in cupric {version} yet; docs/coverage.md of cupric's "
        "sources lists what is there"
    )


def missing_attribute(module, name):
    """The AttributeError for a name that a module of ours has not.

    Parameters
    ----------
    module : str
        Its name.
    name : str
        What was asked for.
    """
    message = f"module {module!r} has no attribute {name!r}"
    reason = None if name.startswith("_") else _reason(f"{module}.{name}")
    return AttributeError(f"{message}: {reason}" if reason else message)


def names_to_come(module):
    """The `__getattr__` of a module that has some of CuPy's names only."""

    def __getattr__(name):
        raise missing_attribute(module, name)

    return __getattr__


class _Imports:
    """The last finder of modules: asked for those that no other one has found."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        if fullname.partition(".")[0] in OURS:
            reason = _reason(fullname)
            if reason:  # of that name, `from` would say no more than that it fails
                raise ModuleNotFoundError(reason, name=name_of(fullname))


def watch_imports():
    """Have imports of what is not there yet say so."""
    if _Imports not in sys.meta_path:
        sys.meta_path.append(_Imports)
