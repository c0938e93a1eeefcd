"""Write which public callables lack a part of their documentation.

    python -m tools.documented            what `make coverage` does
    python -m tools.documented --check    say what is not up to date; exit status 1

Every callable that the package makes public has a signature that Python can read, and
a docstring in NumPy's format: a summary, Parameters that are those of the signature,
Returns where it returns something, and an example.
tests/interface/undocumented.json lists what lacks some of it. The list only becomes
shorter: what it does not have yet is printed, and not written into it.
"""

import dis
import enum
import importlib
import inspect
import json
import pkgutil
import re
import sys
import types
import warnings

from . import ROOT, generated

LIST = ROOT / "tests/interface/undocumented.json"
PARTS = ("signature", "summary", "parameters", "returns", "example")
LIBRARIES = ("_core", "_host", "_cuda", "_cub", "_kernels", "_kernels_v3")
SECTION = re.compile(r"(?m)^(\w[\w ]*)\n-{3,}$")
DISALLOW_INSTANTIATION = 1 << 7  # Py_TPFLAGS_DISALLOW_INSTANTIATION
# Functions and methods in C return something, except these, of any namespace.
NOTHING = {
    *("RawKernel.compile", "RawModule.compile"),
    *("copyto", "place", "put", "putmask"),
    "set_allocator",
    *("shuffle", "ufunc.at"),
    *(
        f"{cls}.{name}"
        for cls, names in {
            "Device": ("synchronize",),
            "Event": ("record", "synchronize"),
            "Graph": ("launch", "upload"),
            "MemoryPointer": (
                *("copy_from", "copy_from_async"),
                *("copy_from_device", "copy_from_device_async"),
                *("copy_from_host", "copy_from_host_async"),
                *("copy_to_host", "copy_to_host_async", "memset", "memset_async"),
            ),
            "MemoryPool": ("free_all_blocks", "free_all_free", "set_limit"),
            "PinnedMemoryPool": ("free_all_blocks",),
            "PooledMemory": ("free",),
            "PooledPinnedMemory": ("free",),
            "_BaseStream": (
                *("add_callback", "begin_capture", "launch_host_func"),
                *("synchronize", "wait_event"),
            ),
            "ndarray": (
                *("dump", "fill", "partition", "put", "scatter_add", "scatter_max"),
                *("scatter_min", "set", "sort", "tofile"),
            ),
        }.items()
        for name in names
    ),
}


def modules():
    """The names of the public modules, those further up first."""
    for top in ("cupric", "cupricx"):
        package = importlib.import_module(top)
        found = [m.name for m in pkgutil.walk_packages(package.__path__, top + ".")]
        for name in sorted([top, *found], key=lambda n: (n.count("."), n)):
            if not re.search(r"\._|\.core\b|\.as_cupy$", name):
                yield name


def is_ours(o):
    """Not one of NumPy's or Python's that is public here, too."""
    home = getattr(o, "__module__", None) or getattr(type(o), "__module__", "")
    if isinstance(o, types.BuiltinFunctionType) and o.__self__ is not None:
        home = getattr(o.__self__, "__name__", home)
    return (home or "").partition(".")[0] in ("cupric", "cupricx")


def public_names(module):
    """What a module says it exports; all that it defines where it says nothing."""
    defined = [
        name
        for name, o in vars(module).items()
        if name[0] != "_" and getattr(o, "__module__", None) == module.__name__
    ]
    return getattr(module, "__all__", defined)


def members(cls):
    """The public methods of a class that it does not have from elsewhere."""
    for name in dir(cls):
        holder = next((c for c in cls.__mro__ if name in vars(c)), object)
        if not name.startswith("_") and is_ours(holder):
            member = getattr(cls, name)
            if callable(member) and not inspect.isclass(member):
                yield name, member


def callables():
    """(namespace, name, object) of what is public, each object once."""
    seen, classes = set(), []
    for space in modules():
        module = importlib.import_module(space)
        for name in public_names(module):
            o = getattr(module, name)
            if id(o) in seen or not callable(o) or not is_ours(o):
                continue
            seen.add(id(o))
            if isinstance(o, types.GenericAlias):
                continue
            yield space, name, o
            if inspect.isclass(o):
                classes.append((f"{space}.{name}", o))
    for space, cls in classes:
        for name, member in members(cls):
            key = getattr(member, "__func__", member)
            if id(key) not in seen:
                seen.add(id(key))
                yield space, name, member


def parameters_of(o):
    """The names of a callable's parameters; None where it has no signature. An
    enumeration's are Python's own, and differ from one version to the next."""
    if inspect.isclass(o) and issubclass(o, enum.Enum):
        return []
    try:
        found = list(inspect.signature(o).parameters)
    except (ValueError, TypeError):
        return None
    return [n for n in found if n not in ("self", "cls")]


def sections(doc):
    """{heading: text} of a docstring in NumPy's format; "" is what comes first."""
    first, *rest = SECTION.split(inspect.cleandoc(doc))
    return {"": first, **dict(zip(rest[::2], rest[1::2], strict=True))}


def described(text):
    """The parameters that a section describes: names at the margin, before a colon."""
    names = []
    for line in text.splitlines():
        if line and not line[0].isspace():
            names += [n.strip(" *`") for n in line.partition(" :")[0].split(",")]
    return names


def describes(text, o, parameters):
    """Whether a section describes the parameters; private ones need not be. Instead of
    **kwargs it may name those that there are."""
    names = [n for n in described(text) if not n.startswith("_")]
    parameters = [n for n in parameters if not n.startswith("_")]
    open_ended = [
        p.name
        for p in (inspect.signature(o).parameters.values() if parameters else ())
        if p.kind == p.VAR_KEYWORD and p.name not in names
    ]
    if open_ended:
        return {*parameters} - {*open_ended} < {*names}
    return sorted(names) == sorted(parameters)


def returns_something(o):
    """Whether a callable has something to return."""
    function = inspect.unwrap(getattr(o, "__func__", o))
    if not isinstance(function, types.FunctionType):
        return getattr(o, "__qualname__", "") not in NOTHING
    loaded = None
    for step in dis.get_instructions(function):
        if step.opname == "RETURN_CONST" and step.argval is not None:
            return True
        if step.opname == "RETURN_VALUE" and loaded is not True:
            return True
        loaded = step.opname == "LOAD_CONST" and step.argval is None
    return inspect.isgeneratorfunction(function)


def is_called(o):
    """Not a class in C whose objects only the package makes."""
    return not (inspect.isclass(o) and o.__flags__ & DISALLOW_INSTANTIATION)


def lacking(space, name, o):
    """The parts of PARTS that a callable lacks."""
    doc = (o.__doc__ if inspect.isclass(o) else inspect.getdoc(o)) or ""
    if inspect.isclass(o) and issubclass(o, BaseException):
        return [] if doc.strip() else ["summary"]
    found = sections(doc)
    parameters = parameters_of(o) if is_called(o) else []
    wanted = {
        "signature": parameters is not None,
        "summary": bool(found[""].strip()),
        "parameters": describes(found.get("Parameters", ""), o, parameters or []),
        "returns": bool({"Returns", "Yields"} & set(found))
        or inspect.isclass(o)
        or not returns_something(o),
        "example": ">>> " in doc,
    }
    return [part for part in PARTS if not wanted[part]]


def undocumented():
    """{namespace: {name: what it lacks}}, and how many callables there are."""
    found, count = {}, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        for space, name, o in callables():
            count += 1
            parts = lacking(space, name, o)
            if parts:
                found.setdefault(space, {})[name] = " ".join(parts)
    ordered = {space: dict(sorted(names.items())) for space, names in found.items()}
    return ordered, count


def listed():
    return json.loads(LIST.read_text())


def added(found, known):
    """What is found lacking and not known."""
    return [
        f"{space}.{name}: {part}"
        for space, names in found.items()
        for name, parts in names.items()
        for part in parts.split()
        if part not in known.get(space, {}).get(name, "").split()
    ]


def shortened(found, known):
    """What is known, as far as it is found."""
    left = {}
    for space, names in found.items():
        for name, parts in names.items():
            before = known.get(space, {}).get(name, "").split()
            both = [p for p in parts.split() if p in before]
            if both:
                left.setdefault(space, {})[name] = " ".join(both)
    return left


def main():
    found, _ = undocumented()
    if not LIST.exists():
        LIST.write_text(json.dumps(found, indent=1) + "\n")
    new = added(found, listed())
    print("\n".join(new), end="\n" if new else "")
    text = json.dumps(shortened(found, listed()), indent=1) + "\n"
    return max(bool(new), generated.write([(LIST, text)]))


if __name__ == "__main__":
    sys.exit(main())
