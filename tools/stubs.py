"""Types for checkers and editors, which do not run the package: stubs, *.pyi.

    python -m tools.stubs            what the build does, for the package in python/
    python -m tools.stubs FOLDER     for the one there
    python -m tools.stubs --check    say what is not up to date; exit status 1

Stubs are written for the core, `cupric/_core.pyi`, for the packages and modules of
SPACES, which have functions only, and for those of TYPED, which have classes, too.
Signatures and their types are those of signatures.py, so of the operation tables, of
methods.def and of docstrings. Whatever no docstring can say is in the tables below.
"""

import builtins
import enum
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

from . import ROOT, documented, phrases
from .kernels import Stamp
from .settings import BuildError
from .signatures import (
    CALLS,
    classes,
    definitions,
    kinds_of,
    parameters,
    returned,
    with_default,
)

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
    *("cupricx.linalg", "cupricx.linalg.sparse", "cupricx.scipy"),
    "cupricx.scipy.fft",
    *("cupricx.scipy.fftpack", "cupricx.scipy.linalg", "cupricx.scipy.ndimage"),
    *("cupricx.scipy.signal", "cupricx.scipy.signal.windows", "cupricx.scipy.sparse"),
    *("cupricx.scipy.sparse.csgraph", "cupricx.scipy.sparse.linalg"),
    *("cupricx.scipy.special", "cupricx.signal"),
)
# Modules of classes, functions and numbers, whose parameters have types.
TYPED = (
    *("cupric.cuda.compiler", "cupric.cuda.cub", "cupric.cuda.cufft"),
    *("cupric.cuda.device", "cupric.cuda.driver", "cupric.cuda.function"),
    *("cupric.cuda.graph", "cupric.cuda.memory", "cupric.cuda.memory_hook"),
    *("cupric.cuda.nvrtc", "cupric.cuda.pinned_memory", "cupric.cuda.runtime"),
    *("cupric.cuda.stream", "cupric.cuda.texture", "cupric.cuda.thrust"),
    *("cupric.fft.config", "cupric.random._generator", "cupric.random._philox"),
    *("cupric.random._state", "cupric._functional._vectorize"),
    *("cupric._indexing._flat", "cupric._manipulation._dims"),
    *("cupric._polynomials._poly1d", "cupricx._gufunc"),
    *("cupricx.scipy.signal._czt", "cupricx.scipy.signal._design._forms"),
    "cupricx.scipy.signal._lti._place_poles",
    *("cupricx.scipy.signal._lti._systems", "cupricx.scipy.signal._short_time_fft"),
    *("cupricx.scipy.sparse._base", "cupricx.scipy.sparse._coo"),
    *("cupricx.scipy.sparse._csc", "cupricx.scipy.sparse._csr"),
    *("cupricx.scipy.sparse._kinds", "cupricx.scipy.sparse._operators"),
    "cupricx.scipy.special._orthopoly",
)
HEAD = "# Written by the build: tools/stubs.py\n"
ATTRIBUTES = {  # of ndarray
    "T": "ndarray",
    "base": "ndarray | None",
    "data": "MemoryPointer",
    "device": "Device",
    "dtype": "np.dtype[Any]",
    "flat": "flatiter",
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
    **dict.fromkeys(("StateSpace.A", "StateSpace.B"), "ndarray"),
    **dict.fromkeys(("StateSpace.C", "StateSpace.D"), "ndarray"),
    "PolePlacement.X": "ndarray",
    **dict.fromkeys(("ShortTimeFFT.T", "ShortTimeFFT.fs"), "float"),
    "ShortTimeFFT.f": "ndarray",
    "ShortTimeFFT.scaling": "Literal['magnitude', 'psd', 'unitary'] | None",
    **dict.fromkeys(("computed_poles", "gain_matrix", "requested_poles"), "ndarray"),
    **dict.fromkeys(("delta_f", "delta_t", "fac_magnitude", "fac_psd"), "float"),
    **dict.fromkeys(("den", "num", "poles", "zeros", "dual_win", "win"), "ndarray"),
    **dict.fromkeys(("f_pts", "hop", "k_min", "m_num", "m_num_mid", "p_min"), "int"),
    **dict.fromkeys(("inputs", "mfft", "outputs"), "int"),
    **dict.fromkeys(("invertible", "onesided_fft"), "bool"),
    **dict.fromkeys(("c", "coef", "coefficients", "coeffs", "r", "roots"), "ndarray"),
    "attributes": "dict[str, int]",
    "backend": "str",
    "base": "ndarray",
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
    "dt": "float | None",
    "enable_cooperative_groups": "bool",
    "fft_mode": "str",
    "graph": "int",
    "graphExec": "int",
    "id": "int",
    "is_non_blocking": "bool",
    "limits": "tuple[float, float]",
    "local_size_bytes": "int",
    "lower_border_end": "tuple[int, int]",
    "max_dynamic_shared_size_bytes": "int",
    "max_threads_per_block": "int",
    "mem_info": "tuple[int, int]",
    "name": "str",
    "nargs": "int",
    "nb_iter": "int | float",
    "ndim": "int",
    "nin": "int",
    "normcoef": "float",
    "nout": "int",
    "num_regs": "int",
    "o": "int",
    "order": "int",
    "pci_bus_id": "str",
    "phase_shift": "int | None",
    "preferred_shared_memory_carveout": "int",
    "priority": "int",
    "ptr": "int",
    "ptx_version": "int",
    "rtol": "float",
    "shared_size_bytes": "int",
    "size": "int",
    "translate_cucomplex": "bool",
    "variable": "str",
    "weight_func": "Callable[..., Any]",
    "weights": "ndarray",
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
    "__contains__": ("value: _Operand, /", "bool"),
    "__delitem__": ("key: _Index | str, /", "None"),
    "__float__": ("", "float"),
    "__getitem__": ("key: _Index | str, /", "ndarray"),
    "__index__": ("", "int"),
    "__int__": ("", "int"),
    "__iter__": ("", "Iterator[ndarray]"),
    "__len__": ("", "int"),
    "__setitem__": (
        "key: _Index | str, value: _ArrayLike | tuple[Any, ...], /",
        "None",
    ),
}
MOVES = {"__add__", "__radd__", "__sub__"}  # of pointers
UNARY = {"__abs__", "__invert__", "__neg__", "__pos__"}
BINARY = re.compile(
    r"__[ri]?(add|and|divmod|floordiv|lshift|matmul|mod|mul|or|pow|rshift|sub|truediv"
    r"|xor)__|__(eq|ge|gt|le|lt|ne)__"
)
# An ndarray is generic, as NumPy's: cupric.typing.NDArray says of what.
CORE = """
_Shape = TypeVar("_Shape", default=Any, covariant=True)
_DType = TypeVar("_DType", default=Any, covariant=True)

def __getattr__(name: str) -> Any: ...
"""
# What no module has: operations with several results, and named tuples like NumPy's.
OF_TWO = """
class _ufunc_of_two(ufunc):
    def __call__(  # type: ignore[override]
        self, {call}
    ) -> tuple[ndarray, ndarray]: ...

class _ufunc_of_more(ufunc):
    def __call__(  # type: ignore[override]
        self, {call}
    ) -> tuple[ndarray, ...]: ...

class _UniqueAll(NamedTuple):
    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray

class _UniqueCounts(NamedTuple):
    values: ndarray
    counts: ndarray

class _UniqueInverse(NamedTuple):
    values: ndarray
    inverse_indices: ndarray

"""
# {name: where stubs have it from}.
NAMES = {
    **dict.fromkeys(("Callable", "Iterator", "Mapping", "Sequence"), "collections.abc"),
    "AbstractContextManager": "contextlib",
    "ArrayLike": "numpy.typing",
    "DTypeLike": "numpy.typing",
    "EllipsisType": "types",
    "ModuleType": "types",
    "PathLike": "os",
    "PointerAttributes": "cupric._core",
    "Self": "typing_extensions",
    "TypeVar": "typing_extensions",
    "c_void_p": "ctypes",
    **dict.fromkeys(
        (
            *("Any", "ClassVar", "Generic", "IO", "Literal", "NamedTuple"),
            *("SupportsIndex", "TypeAlias", "final", "overload"),
        ),
        "typing",
    ),
    **dict.fromkeys(re.findall(r"(?m)^_\w+", phrases.ALIASES), "cupric._core"),
    **dict.fromkeys(re.findall(r"(?m)^class (\w+)", OF_TWO), "cupric._core"),
    **dict.fromkeys(
        (*("EigResult", "EighResult", "QRResult"), *("SVDResult", "SlogdetResult")),
        "cupric.linalg._results",
    ),
}

PLAIN = (bool, int, str)
# Classes that return objects of private ones, which have the members of two of them.
OF_TWO_CLASSES = {"StateSpace", "TransferFunction", "ZerosPolesGain", "dlti", "lti"}
BASETYPE = 1 << 10  # Py_TPFLAGS_BASETYPE: a class may be made from it
# Methods that Python calls, of classes that are written in it.
OF_PYTHON = {
    "__enter__": ") -> {}",
    "__exit__": ", *args: Any) -> None",
    "__getitem__": ", key: Any, /) -> Any",
    "__int__": ") -> int",
    "__iter__": ") -> Iterator[Any]",
    "__len__": ") -> int",
    "__next__": ") -> Any",
    "__setitem__": ", key: Any, value: Any, /) -> None",
}
# What an attribute has that is made of a parameter.
KEPT = {"SupportsIndex": "int", "_Real": "float"}
BUILTIN = re.compile(  # as a type, not as a parameter's name or within a string
    r"(?<![.'])\b(bool|bytes|complex|dict|float|int|list|object|set|slice|str|tuple|type)"
    r"\b(?!'|:(?! \.\.\.))"
)


def build(home):
    """Write the stubs of the finished package in the folder `home`."""
    outputs = [path for path, _ in paths(home)]
    inputs = [*home.rglob("*.py"), *home.glob("cupric/_core*.so")]
    writers = ("stubs", "signatures", "phrases", "documented")
    inputs += [Path(f"tools/{name}.py") for name in writers]
    stamp = Stamp(Path("build/stubs"), [home])
    if stamp.holds([*inputs, *outputs]):
        return
    folders = [str(home), *filter(None, sys.path)]  # NumPy is in an isolated build's
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
    command = [sys.executable, "-m", "tools.stubs", str(home)]
    if subprocess.run(command, env=environment, cwd=ROOT, check=False).returncode:
        raise BuildError("the stubs were not written")
    stamp.write([*inputs, *outputs])


def special(name, o):
    """One of Python's own methods, if checkers should know it."""
    taken, kind = SPECIAL.get(name, (None, None))
    if name in UNARY:
        taken, kind = "", "ndarray"
    elif BINARY.fullmatch(name):
        other = "object" if name in ("__eq__", "__ne__") else "_Operand"
        kind = "tuple[ndarray, ndarray]" if "divmod" in name else "ndarray"
        taken = f"other: {other}, /"
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
    return {1: "ufunc", 2: "_ufunc_of_two"}.get(o.nout, "_ufunc_of_more")


def maker(cls, is_new, space):
    """What makes objects of a class: `__new__`, or `__init__`."""
    own, kinds = "cls" if is_new else "self", kinds_of(cls, space)
    if is_new:
        return f"    def __new__({parameters(cls, [own], kinds)}) -> Self: ...\n"
    init = vars(cls).get("__init__")
    both = "__new__" in vars(cls) and isinstance(init, types.FunctionType)
    taken = parameters(init if both else cls, [own], kinds)
    return f"    def __init__({taken}) -> None: ...\n"


def type_stub(name, cls, made):
    """A class of the core."""
    array = name == "ndarray"
    parents = [c.__name__ for c in cls.__mro__[1:] if c.__name__ in made]
    if issubclass(cls, BaseException):
        parents = [cls.__base__.__name__]
    bases = "Generic[_Shape, _DType]" if array else ", ".join(parents[:1])
    text = f"\nclass {name}({bases}):\n" if bases else f"\nclass {name}:\n"
    if not cls.__flags__ & BASETYPE and name != "ufunc":  # see OF_TWO
        text = text.replace("class", "@final\nclass", 1)
    if not documented.is_called(cls):
        body = ""
    elif issubclass(cls, BaseException):
        body = "    ...\n"
    else:
        body = maker(cls, cls.__init__ is object.__init__, "cupric.cuda")
    inherited = [base for base in cls.__mro__ if base.__name__ not in made]
    every = {n: o for base in inherited[::-1] for n, o in vars(base).items()}
    for member, o in sorted((every | vars(cls)).items()):
        if array and special(member, o):
            body += special(member, o)
        elif issubclass(cls, BaseException):
            continue
        elif member == "__call__":
            taken, kind = CALLS.get(name, ("*args: Any, **kwargs: Any", "Any"))
            body += f"    def __call__(self, {taken}) -> {kind}: ...\n"
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
            body += method_of_class(name, cls, member, o)
        elif callable(o):
            body += method(member, o, f"cupric.{name}.{member}", "cupric.cuda")
        elif type(o).__name__ in made:
            body += f"    {member}: ClassVar[{type(o).__name__}]\n"
        else:
            kind = (ATTRIBUTES if array else MEMBERS).get(member, "Any")
            body += attribute(member, kind, f"{name}.{member}" in SETTABLE)
    return text + (body or "    ...\n")


def method(name, o, qualified, space):
    return definitions(name, o, qualified, space, ["self"], "    ")


def method_of_class(name, cls, member, o):
    """A static method, or one of the class itself."""
    f = getattr(cls, member)
    qualified = f"cupric.{name}.{member}"
    if isinstance(o, staticmethod):
        taken, kind = parameters(f, (), kinds_of(f, "cupric")), returned(qualified, f)
        return f"    @staticmethod\n    def {member}({taken}) -> {kind}: ...\n"
    taken = parameters(f, ["cls"], kinds_of(f, "cupric"))
    return f"    @classmethod\n    def {member}({taken}) -> Self: ...\n"


def imports(text, defined, space):
    """The lines that import what the text of a stub names and does not define."""
    spoken = set(re.findall(r"(?<![\w.'])[A-Za-z_]\w*(?![\w'])", text)) - {*defined}
    known = {**classes(), **NAMES}
    lines = {
        f"from {known[name]} import {name}"
        for name in spoken & set(known)
        if known[name] != space
    }
    lines |= {"import numpy as np"} if re.search(r"\bnp\.", text) else set()
    lines |= {"import builtins"} if "builtins." in text else set()
    return lines


def core():
    """cupric/_core.pyi"""
    module = core_module()
    text, made = CORE + phrases.ALIASES, {}
    for name, o in sorted(vars(module).items()):
        if isinstance(o, type) and not name.startswith("_"):
            made[name] = o
    for cls in sorted(made.values(), key=lambda c: (len(c.__mro__), c.__name__)):
        name = next(n for n, o in made.items() if o is cls)
        text += type_stub(name, cls, made)
    text += OF_TWO.format(call=CALLS["ufunc"][0])
    public = {id(o) for _, _, o in documented.callables()}
    for name, o in sorted(vars(module).items()):
        if isinstance(o, module.ufunc):
            text += f"{name}: {ufunc_type(o)}\n"
        elif isinstance(o, types.BuiltinFunctionType) and id(o) in public:
            text += definitions(name, o, f"cupric.{name}", "cupric")
        elif isinstance(o, int):
            text += f"{name}: int\n"
    defined = {*made, *re.findall(r"(?m)^(?:class )?(_\w+)", CORE + phrases.ALIASES)}
    lines = imports(
        text, defined | set(re.findall(r"class (\w+)", OF_TWO)), "cupric._core"
    )
    return HEAD + "\n".join(sorted(lines)) + "\n" + text


def space_stub(space):
    """The stub of a package whose public names are those of other modules, or of a
    module of functions."""
    module = importlib.import_module(space)
    below = pkgutil.iter_modules(getattr(module, "__path__", []))
    subs = {m.name for m in below if m.name[0] != "_"}
    lines, text = set(), ""
    late = getattr(module, "_NAMES", {})  # loaded when asked for, and not in __all__
    for name in sorted({*module.__all__, *late, *(subs & set(dir(module)))}):
        o = getattr(module, name)
        home = getattr(o, "__module__", None)
        if inspect.ismodule(o):
            if name in subs:
                lines.add(f"from {space} import {name} as {name}")
            else:
                lines.add(f"import {o.__name__} as {name}")
        elif isinstance(o, core_module().ufunc):
            text += f"{name}: {ufunc_type(o)}\n"
        elif not documented.is_ours(o):
            text += borrowed(name, o, lines)
        elif inspect.isclass(o):
            is_core = vars(core_module()).get(o.__name__) is o
            home = "cupric._core" if is_core else home
            lines.add(f"from {home} import {o.__name__} as {name}")
        elif callable(o):
            # A name like `bool` may be one of the package's own.
            made = definitions(name, o, f"{space}.{name}", space)
            text += "".join(in_full(line) for line in made.splitlines(keepends=True))
        else:
            text += f"{name}: Any\n"
    for name in ("__version__", "__array_api_version__"):
        if hasattr(module, name):
            text += f"{name}: str\n"
    lines |= {
        "from cupric._core import ndarray as ndarray",
        "from cupric._core import ufunc as ufunc",
    }
    given = {line.rpartition(" ")[2] for line in lines}
    lines |= imports(text, given, space)
    listed = ", ".join(repr(name) for name in sorted(module.__all__))
    return HEAD + "\n".join(sorted(lines)) + f"\n\n__all__ = [{listed}]\n\n" + text


def in_full(line):
    """A definition whose built-in types are those of Python: a name like `bool` may be
    one of the package's own."""
    head, opening, rest = line.partition("(")
    return head + opening + BUILTIN.sub(r"builtins.\1", rest)


def borrowed(name, o, lines):
    """What is NumPy's or Python's."""
    if o is None:  # newaxis
        return f"{name}: None\n"
    for home in (np, np.exceptions, np.linalg):
        for known in (name, getattr(o, "__name__", name)):
            if getattr(home, known, None) is o and not isinstance(o, int | float):
                lines.add(f"from {home.__name__} import {known} as {name}")
                return ""
    if isinstance(o, int | float | str):
        return f"{name}: builtins.{type(o).__name__}\n"
    return f"{name}: Any\n"


def base_of(cls, own):
    """The public class that a class is made from, as its stub names it, and the private
    ones between, whose members are described as its own."""
    between, core = [], vars(core_module())
    for base in cls.__mro__[1:]:
        name = base.__name__
        if base is object:
            return "", between
        if own.get(name) is base or base.__module__ == "builtins":
            return name, between
        if core.get(name) is base:
            return f"_core.{name}", between
        if classes().get(name) == base.__module__:
            return name, between
        if base.__module__ == "enum":
            return f"enum.{name}", between
        between.append(base)
    return "", between


def member_kind(name, member):
    """The type of an attribute of a class."""
    return MEMBERS.get(f"{name}.{member}") or MEMBERS.get(member, "Any")


def typed_class(name, cls, own, space):
    """A class that is written in Python, and what it keeps of arguments."""
    base, between = base_of(cls, own)
    text = f"\nclass {name}({base}):\n" if base else f"\nclass {name}:\n"
    if issubclass(cls, enum.Enum):
        return text + "".join(f"    {m.name} = {m.value!r}\n" for m in cls)
    kinds = kinds_of(cls, space)
    every = {n: o for c in [cls, *between][::-1] for n, o in vars(c).items()}
    for method_name in ("__new__", "__init__"):
        if method_name in every:
            text += maker(cls, method_name == "__new__", space)
    given = inspect.signature(cls.__init__).parameters if "__init__" in every else {}
    source = "".join(map(inspect.getsource, [cls, *between]))
    kept = set(re.findall(r"(?m)^ +self\.([a-zA-Z]\w*) = ", source)) - every.keys()
    for attribute_name in sorted(kept):
        kind = kinds.get(attribute_name) or member_kind(name, attribute_name)
        kind = KEPT.get(kind, kind)
        if attribute_name in given:
            kind = with_default(kind, given[attribute_name].default)
        text += f"    {attribute_name}: {kind}\n"
    for member, o in sorted(every.items()):
        text += typed_member(name, cls, member, o, space)
    if name in OF_TWO_CLASSES:
        text += "    def __getattr__(self, name: str) -> Any: ...\n"
    if every.keys() & vars(builtins).keys():  # a method `bytes` is no type
        text = "".join(in_full(line) for line in text.splitlines(keepends=True))
    return text if text.count("\n") > 2 else text + "    ...\n"


def typed_member(name, cls, member, o, space):
    """A member of a class that is written in Python."""
    qualified = f"{space}.{name}.{member}"
    if member == "__call__":
        return method(member, o, qualified, space)
    if member in OF_PYTHON:
        return f"    def {member}(self{OF_PYTHON[member].format(name)}: ...\n"
    if member in UNARY:
        return f"    def {member}(self) -> {name}: ...\n"
    if BINARY.fullmatch(member) and member not in ("__eq__", "__ne__"):
        return f"    def {member}(self, other: Any, /) -> {name}: ...\n"
    if member.startswith("_"):
        return ""
    if isinstance(o, staticmethod | classmethod):
        return method_of_class(name, cls, member, o)
    if callable(o) and not isinstance(o, type):
        return method(member, o, qualified, space)
    if isinstance(o, property):
        return attribute(member, member_kind(name, member), o.fset is not None)
    return f"    {member}: {type(o).__name__ if type(o) in PLAIN else 'Any'}\n"


def typed_stub(space):
    """The stub of a module of TYPED."""
    module = importlib.import_module(space)
    core = core_module()
    listed = getattr(module, "__all__", None)
    private = "._" in space  # of which other modules take what is not public, too
    public = listed or [n for n, o in vars(module).items() if n[0] != "_"]
    members = {n: getattr(module, n) for n in sorted(public)}
    members = {n: o for n, o in members.items() if not inspect.ismodule(o)}
    if private:
        members = {n: o for n, o in members.items() if isinstance(o, type)}
        members = {n: o for n, o in members.items() if o.__module__ == space}
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
            text += definitions(name, o, f"{space}.{name}", space)
        elif not isinstance(o, type):
            text += f"{name}: Any\n"
    lines = imports(text, {*own, *theirs}, space)
    lines |= {f"from cupric._core import {n} as {n}" for n in theirs}
    lines |= {"import cupric._core as _core"} if "_core." in text else set()
    lines |= {"import enum"} if "enum." in text else set()
    if private:
        text += "\ndef __getattr__(name: str) -> Any: ...\n"
        lines.add("from typing import Any")
        listed = None
    text = HEAD + "\n".join(sorted(lines)) + "\n" + text
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
