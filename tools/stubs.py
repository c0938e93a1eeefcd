"""Types for checkers and editors, which do not run the package: stubs, *.pyi.

    python -m tools.stubs            what the build does, for the package in python/
    python -m tools.stubs FOLDER     for the one there
    python -m tools.stubs --check    say what is not up to date; exit status 1

Stubs are written for the core, `cupric/_core.pyi`, and for the packages and modules of
SPACES, which have functions only: the signatures are those that `inspect` finds, so of
the operation tables and of methods.def; a call returns what the docstring says under
Returns. Whatever no docstring can say is in the tables below. Parameters have no types,
as most take whatever NumPy's do, but for the modules of TYPED, whose handles, addresses
and sizes are what the docstrings say under Parameters.
"""

import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
import types
import warnings
from pathlib import Path

import numpy as np

from . import ROOT, documented
from .kernels import Stamp
from .settings import BuildError

SPACES = (
    *("cupric", "cupric.cublas", "cupric.cuda", "cupric.cuda.nvtx"),
    *("cupric.cuda.profiler", "cupric.fft", "cupric.lib.stride_tricks"),
    *("cupric.linalg", "cupric.polynomial.polynomial", "cupric.polynomial.polyutils"),
    *(
        "cupric.random",
        "cupric.testing",
        "cupricx",
        "cupricx.cusolver",
        "cupricx.lapack",
    ),
    *("cupricx.linalg", "cupricx.scipy", "cupricx.scipy.fft"),
    *("cupricx.scipy.fftpack", "cupricx.scipy.linalg", "cupricx.scipy.ndimage"),
    *("cupricx.scipy.signal", "cupricx.scipy.special"),
)
# Modules of classes, functions and numbers, whose parameters have types.
TYPED = ("cupric.cuda.memory", "cupric.cuda.runtime", "cupric.cuda.stream")
HEAD = "# Written by the build: tools/stubs.py\n"
# What a docstring calls a type, or begins to call it, and what it is.
RETURNS = {
    "bool": "bool",
    "bytes": "bytes",
    "bool, int, float or complex": "Any",
    "callable": "Callable[..., Any]",
    "context manager": "AbstractContextManager[Any]",
    "cupric.ndarray": "ndarray",
    "dict": "dict[str, Any]",
    "float": "float",
    "int": "int",
    "list": "list[Any]",
    "list of cupric.ndarray": "list[ndarray]",
    "list of dict": "list[dict[str, Any]]",
    "numpy.dtype": "np.dtype[Any]",
    "numpy.ndarray": "np.ndarray[Any, Any]",
    "str": "str",
    "tuple of cupric.ndarray": "tuple[ndarray, ...]",
    "tuple of int": "tuple[int, ...]",
    "type": "type",
}
ATTRIBUTES = {  # of ndarray
    "T": "ndarray",
    "base": "ndarray | None",
    "data": "MemoryPointer",
    "device": "Device",
    "dtype": "np.dtype[Any]",
    "flat": "Any",
    "imag": "ndarray",
    "itemsize": "int",
    "mT": "ndarray",
    "nbytes": "int",
    "ndim": "int",
    "real": "ndarray",
    "shape": "tuple[int, ...]",
    "size": "int",
    "strides": "tuple[int, ...]",
}
MEMBERS = {  # attributes of the other classes
    "attributes": "dict[str, int]",
    "backend": "str",
    "binary_version": "int",
    "cache_mode_ca": "int",
    "code": "str | None",
    "compute_capability": "str",
    "const_size_bytes": "int",
    "cublas_handle": "int",
    "cusolver_handle": "int",
    "cusolver_sp_handle": "int",
    "cusparse_handle": "int",
    "cutensor_handle": "int",
    "device": "Device",
    "device_id": "int",
    "done": "bool",
    "enable_cooperative_groups": "bool",
    "graph": "int",
    "graphExec": "int",
    "id": "int",
    "is_non_blocking": "bool",
    "local_size_bytes": "int",
    "max_dynamic_shared_size_bytes": "int",
    "max_threads_per_block": "int",
    "mem_info": "tuple[int, int]",
    "name": "str",
    "nargs": "int",
    "nin": "int",
    "nout": "int",
    "num_regs": "int",
    "pci_bus_id": "str",
    "preferred_shared_memory_carveout": "int",
    "priority": "int",
    "ptr": "int",
    "ptx_version": "int",
    "shared_size_bytes": "int",
    "size": "int",
    "translate_cucomplex": "bool",
}
SETTABLE = {
    *("ndarray.flat", "ndarray.imag", "ndarray.real", "ndarray.shape"),
    *("PinnedMemory.ptr", "PinnedMemory.size"),
    "RawKernel.max_dynamic_shared_size_bytes",
    "RawKernel.preferred_shared_memory_carveout",
}
SPECIAL = {  # methods that Python calls: what they take, and what they return
    "__bool__": ("", "bool"),
    "__complex__": ("", "complex"),
    "__contains__": ("value: Any, /", "bool"),
    "__delitem__": ("key: Any, /", "None"),
    "__float__": ("", "float"),
    "__getitem__": ("key: Any, /", "ndarray"),
    "__index__": ("", "int"),
    "__int__": ("", "int"),
    "__iter__": ("", "Iterator[ndarray]"),
    "__len__": ("", "int"),
    "__setitem__": ("key: Any, value: Any, /", "None"),
}
MOVES = {"__add__", "__radd__", "__sub__"}  # of pointers
UNARY = {"__abs__", "__invert__", "__neg__", "__pos__"}
BINARY = re.compile(
    r"__[ri]?(add|and|divmod|floordiv|lshift|matmul|mod|mul|or|pow|rshift|sub|truediv"
    r"|xor)__|__(eq|ge|gt|le|lt|ne)__"
)
# What is a tuple with names, or of a type that depends on arguments.
RESULTS = {
    "cupric.cuda.runtime.pointerGetAttributes": "PointerAttributes",
    "cupric.linalg.eig": "EigResult",
    "cupric.linalg.eigh": "EighResult",
    "cupric.linalg.qr": "Any",
    "cupric.linalg.slogdet": "SlogdetResult",
    "cupric.linalg.svd": "Any",
    "cupricx.cusolver.gesvda": "Any",
    "cupricx.cusolver.gesvdj": "Any",
    "cupricx.cusolver.syevj": "Any",
    "cupricx.scipy.linalg.lu": "Any",
}
# An ndarray is generic, as NumPy's: cupric.typing.NDArray says of what.
CORE = """\
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Generic

import numpy as np
from typing_extensions import Self, TypeVar

_Shape = TypeVar("_Shape", default=Any, covariant=True)
_DType = TypeVar("_DType", default=Any, covariant=True)

def __getattr__(name: str) -> Any: ...
"""
OF_TWO = """
class _ufunc_of_two(ufunc):
    def __call__(  # type: ignore[override]
        self, *args: Any, **kwargs: Any
    ) -> tuple[ndarray, ndarray]: ...

"""


BUILTIN = re.compile(r"(?<!\.)\b(bool|bytes|dict|float|int|list|str|tuple|type)\b")


def build(home):
    """Write the stubs of the finished package in the folder `home`."""
    outputs = [path for path, _ in paths(home)]
    inputs = [*home.rglob("*.py"), *home.glob("cupric/_core*.so")]
    inputs += [Path("tools/stubs.py"), Path("tools/documented.py")]
    stamp = Stamp(Path("build/stubs"), [home])
    if stamp.holds([*inputs, *outputs]):
        return
    folders = [str(home), *filter(None, sys.path)]  # NumPy is in an isolated build's
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    command = [sys.executable, "-m", "tools.stubs", str(home)]
    if subprocess.run(command, env=environment, cwd=ROOT, check=False).returncode:
        raise BuildError("the stubs were not written")
    stamp.write([*inputs, *outputs])


def returned(qualified, o):
    """The type of what a callable returns, in a stub."""
    if qualified in RESULTS:
        return RESULTS[qualified]
    sections = documented.sections(o.__doc__ or "")
    text = sections.get("Returns", "")
    if "Yields" in sections and not inspect.isgeneratorfunction(o):
        return f"AbstractContextManager[{kind_of(sections['Yields'].split()[0])}]"
    if text.split()[1:] == ["Itself."]:
        return "Self"
    if "named tuple" in text:
        return "Any"
    entries = [line for line in text.splitlines() if line and not line[0].isspace()]
    if not entries:
        nothing = not documented.returns_something(o)
        return "None" if nothing else "Any"
    kinds = []
    for entry in entries:
        names, colon, kind = entry.partition(" : ")
        count = names.count(",") + 1 if colon else 1
        kinds += [kind_of(kind if colon else entry)] * count
    if len(kinds) == 1:
        return kinds[0]
    return f"tuple[{', '.join(kinds)}]"


def kind_of(text):
    """The type that words like "cupric.ndarray of int64, or `out`" are for."""
    if text in RETURNS:
        return RETURNS[text]
    if text == "None":
        return "None"
    if re.fullmatch(r"[\w.]+ or None", text):
        kind = kind_of(text.removesuffix(" or None"))
        return kind if kind == "Any" else f"{kind} | None"
    if re.fullmatch(r"(cupric\.(cuda\.)?)?[A-Z]\w+", text):
        return class_of_core(text.rpartition(".")[2])
    if re.search(r"\b(or|None)\b(?! `out`| float64$| complex128$| \()", text):
        return "Any"
    begin = re.match(r"(tuple of |list of )?[\w.]+", text)
    found = RETURNS.get(begin.group().removesuffix("s")) if begin else None
    return found or RETURNS.get(begin.group() if begin else "", "Any")


def class_of_core(name):
    return name if isinstance(getattr(core_module(), name, None), type) else "Any"


def shown(value):
    """A default value, where a stub can show it."""
    plain = value is None or type(value) in (bool, int, str)
    return repr(value) if plain else "..."


def parameters(o, first=(), kinds=None):
    """A signature as a stub has it, with types by names of parameters; of any arguments
    where there is none."""
    try:
        found = inspect.signature(o)
    except (TypeError, ValueError):
        return ", ".join([*first, "*args: Any", "**kwargs: Any"])
    taken, empty = list(first), inspect.Parameter.empty
    last = None
    for p in found.parameters.values():
        if first and p.name == first[0]:
            last = p.kind
            continue
        if last == p.POSITIONAL_ONLY != p.kind:
            taken.append("/")
        if p.kind == p.KEYWORD_ONLY and last not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL):
            taken.append("*")
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        default = "" if p.default is empty else f" = {shown(p.default)}"
        kind = (kinds or {}).get(p.name, "Any")
        if p.default is None and kind != "Any" and not kind.endswith("| None"):
            kind += " | None"
        taken.append(f"{stars}{p.name}: {kind}{default}")
        last = p.kind
    if last == inspect.Parameter.POSITIONAL_ONLY:
        taken.append("/")
    return ", ".join(taken)


def method(name, o, qualified):
    taken = parameters(o, ["self"])
    return f"    def {name}({taken}) -> {returned(qualified, o)}: ...\n"


def special(name, o):
    """One of Python's own methods, if checkers should know it."""
    taken, kind = SPECIAL.get(name, (None, None))
    if name in UNARY:
        taken, kind = "", "ndarray"
    elif BINARY.fullmatch(name):
        taken, kind = "other: Any, /", "Any" if "divmod" in name else "ndarray"
    if kind is None:
        return ""
    ignored = "  # type: ignore[override]" if name in ("__eq__", "__ne__") else ""
    taken = f"self, {taken}" if taken else "self"
    return f"    def {name}({taken}) -> {kind}: ...{ignored}\n"


def attribute(name, kind, settable):
    text = f"    @property\n    def {name}(self) -> {kind}: ...\n"
    if settable:
        text += f"    @{name}.setter\n    def {name}(self, value: Any) -> None: ...\n"
    return text


def core_module():
    return importlib.import_module("cupric._core")


def ufunc_type(o):
    return "ufunc" if o.nout == 1 else "_ufunc_of_two"


def type_stub(name, cls, made):
    """A class of the core."""
    array = name == "ndarray"
    parents = [c.__name__ for c in cls.__mro__[1:] if c.__name__ in made]
    if issubclass(cls, BaseException):
        parents = [cls.__base__.__name__]
    bases = "Generic[_Shape, _DType]" if array else ", ".join(parents[:1])
    text = f"\nclass {name}({bases}):\n" if bases else f"\nclass {name}:\n"
    if not documented.is_called(cls):
        body = ""
    elif issubclass(cls, BaseException):
        body = "    ...\n"
    else:
        body = f"    def __init__({parameters(cls, ['self'])}) -> None: ...\n"
    inherited = [base for base in cls.__mro__ if base.__name__ not in made]
    every = {n: o for base in inherited[::-1] for n, o in vars(base).items()}
    for member, o in sorted((every | vars(cls)).items()):
        if array and special(member, o):
            body += special(member, o)
        elif issubclass(cls, BaseException):
            continue
        elif member == "__call__":
            kind = "ndarray" if name == "ufunc" else "Any"
            body += f"    def __call__({parameters(o, ['self'])}) -> {kind}: ...\n"
        elif member == "__enter__":
            body += f"    def __enter__(self) -> {name}: ...\n"
        elif member == "__exit__":
            body += "    def __exit__(self, *args: Any) -> None: ...\n"
        elif member == "__int__" or (member in MOVES and "Pointer" in name):
            taken, kind = (
                ("", "int") if member == "__int__" else (", other: int, /", name)
            )
            body += f"    def {member}(self{taken}) -> {kind}: ...\n"
        elif member.startswith("_"):
            continue
        elif isinstance(o, staticmethod | types.ClassMethodDescriptorType):
            f = getattr(cls, member)
            of_class = isinstance(o, types.ClassMethodDescriptorType)
            taken = parameters(f, ["cls"] if of_class else [])
            kind = "Self" if of_class else returned(f"cupric.{name}.{member}", f)
            decorator = "classmethod" if of_class else "staticmethod"
            body += f"    @{decorator}\n    def {member}({taken}) -> {kind}: ...\n"
        elif callable(o):
            body += method(member, o, f"cupric.{name}.{member}")
        elif type(o).__name__ in made:
            body += f"    {member}: ClassVar[{type(o).__name__}]\n"
        else:
            kind = (ATTRIBUTES if array else MEMBERS).get(member, "Any")
            body += attribute(member, kind, f"{name}.{member}" in SETTABLE)
    return text + (body or "    ...\n")


def core():
    """cupric/_core.pyi"""
    module = core_module()
    text, made = HEAD + CORE, {}
    for name, o in sorted(vars(module).items()):
        if isinstance(o, type) and not name.startswith("_"):
            made[name] = o
    for cls in sorted(made.values(), key=lambda c: (len(c.__mro__), c.__name__)):
        name = next(n for n, o in made.items() if o is cls)
        text += type_stub(name, cls, made)
    text += OF_TWO
    for name, o in sorted(vars(module).items()):
        if isinstance(o, module.ufunc):
            text += f"{name}: {ufunc_type(o)}\n"
        elif isinstance(o, types.BuiltinFunctionType):
            kind = returned(f"cupric.{name}", o)
            text += f"def {name}({parameters(o)}) -> {kind}: ...\n"
        elif isinstance(o, int):
            text += f"{name}: int\n"
    return text


def space_stub(space):
    """The stub of a package whose public names are those of other modules, or of a
    module of functions."""
    module = importlib.import_module(space)
    below = pkgutil.iter_modules(getattr(module, "__path__", []))
    subs = {m.name for m in below if m.name[0] != "_"}
    imports, results, text = set(), set(), ""
    late = getattr(module, "_NAMES", {})  # loaded when asked for, and not in __all__
    for name in sorted({*module.__all__, *late, *(subs & set(dir(module)))}):
        o = getattr(module, name)
        home = getattr(o, "__module__", None)
        if inspect.ismodule(o):
            if name in subs:
                imports.add(f"from {space} import {name} as {name}")
            else:
                imports.add(f"import {o.__name__} as {name}")
        elif isinstance(o, core_module().ufunc):
            text += f"{name}: {ufunc_type(o)}\n"
        elif not documented.is_ours(o):
            text += borrowed(name, o, imports)
        elif inspect.isclass(o):
            home = "cupric._core" if home == "cupric" else home
            imports.add(f"from {home} import {o.__name__} as {name}")
        elif callable(o):
            # A name like `bool` may be one of the package's own.
            kind = BUILTIN.sub(r"builtins.\1", returned(f"{space}.{name}", o))
            text += f"def {name}({parameters(o)}) -> {kind}: ...\n"
            results |= {*re.findall(r"\w+", kind)} - {"ndarray"}
            if kind.endswith("Result"):
                result = inspect.unwrap(o).__globals__[kind]
                imports.add(f"from {result.__module__} import {kind} as {kind}")
        else:
            text += f"{name}: Any\n"
    for name in ("__version__", "__array_api_version__"):
        if hasattr(module, name):
            text += f"{name}: str\n"
    imports |= {
        "import numpy as np",
        "from cupric._core import ndarray as ndarray",
        "from cupric._core import ufunc as ufunc",
        "from collections.abc import Callable",
        "from contextlib import AbstractContextManager",
        "from typing import Any",
        "import builtins",
    }
    for name in results & set(vars(core_module())):
        if not any(line.endswith(f" as {name}") for line in imports):
            imports.add(f"from cupric._core import {name}")
    if "ufunc_of_two" in text:
        imports.add("from cupric._core import _ufunc_of_two")
    listed = ", ".join(repr(name) for name in sorted(module.__all__))
    return HEAD + "\n".join(sorted(imports)) + f"\n\n__all__ = [{listed}]\n\n" + text


def borrowed(name, o, imports):
    """What is NumPy's or Python's."""
    if o is None:  # newaxis
        return f"{name}: None\n"
    for home in (np, np.exceptions, np.linalg):
        for known in (name, getattr(o, "__name__", name)):
            if getattr(home, known, None) is o and not isinstance(o, int | float):
                imports.add(f"from {home.__name__} import {known} as {name}")
                return ""
    if isinstance(o, int | float | str):
        return f"{name}: {type(o).__name__}\n"
    return f"{name}: Any\n"


def taken_kinds(o, own):
    """The types of parameters by the docstring; `own`: the module's classes."""
    kinds = {}
    for line in documented.sections(o.__doc__ or "").get("Parameters", "").splitlines():
        names, colon, text = line.partition(" : ")
        if not colon or line[0].isspace():
            continue
        text = text.removesuffix(", optional")
        kind = text if text in (*own, "object") else kind_of(text)
        kinds |= dict.fromkeys(names.split(", "), kind)
    return kinds


def typed_class(name, cls, own, space):
    """A class that is written in Python, and what its `__init__` keeps of arguments."""
    base = cls.__base__
    if base is object:
        text = f"\nclass {name}:\n"
    else:
        place = "" if base.__name__ in own and base.__name__ != name else "_core."
        text = f"\nclass {name}({place}{base.__name__}):\n"
    kinds = taken_kinds(cls, own)
    text += f"    def __init__({parameters(cls, ['self'], kinds)}) -> None: ...\n"
    if isinstance(vars(cls).get("__init__"), types.FunctionType):
        source = inspect.getsource(cls.__init__)
        for kept in re.findall(r"self\.([a-zA-Z]\w*) = ", source):
            text += f"    {kept}: {kinds.get(kept, 'Any')}\n"
    for member, o in sorted(vars(cls).items()):
        if member.startswith("_"):
            continue
        if isinstance(o, types.FunctionType):
            taken = parameters(o, ["self"], taken_kinds(o, own))
            kind = returned(f"{space}.{name}.{member}", o)
            text += f"    def {member}({taken}) -> {kind}: ...\n"
        else:
            text += f"    {member}: {type(o).__name__}\n"
    return text


def typed_stub(space):
    """The stub of a module of TYPED."""
    module = importlib.import_module(space)
    core = core_module()
    listed = getattr(module, "__all__", None)
    public = listed or [n for n, o in vars(module).items() if n[0] != "_"]
    members = {n: getattr(module, n) for n in sorted(public)}
    members = {n: o for n, o in members.items() if not inspect.ismodule(o)}
    theirs = {
        n for n, o in members.items() if isinstance(o, type) and vars(core).get(n) is o
    }
    own = {n: o for n, o in members.items() if isinstance(o, type)}
    own = {n: o for n, o in own.items() if n not in theirs}
    text = ""
    for name, cls in sorted(own.items(), key=lambda x: (len(x[1].__mro__), x[0])):
        text += typed_class(name, cls, own, space)
    text += "\n" if text else ""
    for name, o in members.items():
        if isinstance(o, bool | int | str):
            text += f"{name}: {type(o).__name__}\n"
        elif callable(o) and not isinstance(o, type):
            taken = parameters(o, kinds=taken_kinds(o, own))
            text += f"def {name}({taken}) -> {returned(f'{space}.{name}', o)}: ...\n"
    spoken = {n for n in re.findall(r"(?<!\.)\b[A-Z]\w+", text) if n not in own}
    imports = {
        f"from cupric._core import {n}"
        for n in spoken - theirs
        if isinstance(vars(core).get(n), type)
    }
    imports |= {f"from cupric._core import {n} as {n}" for n in theirs}
    imports |= {
        "from collections.abc import Callable",
        "from contextlib import AbstractContextManager",
        "from typing import Any",
        "import cupric._core as _core",
    }
    text = HEAD + "\n".join(sorted(imports)) + "\n" + text
    if listed:
        text += "\n__all__ = [" + ", ".join(repr(n) for n in sorted(listed)) + "]\n"
    return text


def paths(folder):
    """(path, function that gives its text)."""
    yield folder / "cupric/_core.pyi", core
    for space in SPACES:
        path = folder / space.replace(".", "/")
        package = path.is_dir()
        path = path / "__init__.pyi" if package else path.with_suffix(".pyi")
        yield path, lambda space=space: space_stub(space)
    for space in TYPED:
        path = (folder / space.replace(".", "/")).with_suffix(".pyi")
        yield path, lambda space=space: typed_stub(space)


def main():
    check = "--check" in sys.argv
    given = [a for a in sys.argv[1:] if a != "--check"]
    stale = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        for path, text_of in paths(Path(given[0]) if given else ROOT / "python"):
            text = text_of()
            if path.exists() and path.read_text() == text:
                continue
            stale = True
            if check:
                print(path)
            else:
                path.write_text(text)
    return int(check and stale)


if __name__ == "__main__":
    sys.exit(main())
