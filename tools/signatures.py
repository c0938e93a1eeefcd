"""Signatures as stubs have them: what `inspect` finds, with types by the docstring.

A parameter's type is what the docstring says under Parameters (phrases.py); where it
says "As of `other`", that function's. A call returns what it says under Returns. What
depends on arguments is in the tables below.
"""

import functools
import importlib
import inspect
import pkgutil
import re
import types

from . import documented, phrases

# Of a named tuple, or of a type that depends on what no overload can say.
RESULTS = {
    "cupric.cuda.runtime.pointerGetAttributes": "PointerAttributes",
    "cupric.linalg.eig": "EigResult",
    "cupric.linalg.eigh": "EighResult",
    "cupric.linalg.slogdet": "SlogdetResult",
    "cupric.unique_all": "_UniqueAll",
    "cupric.unique_counts": "_UniqueCounts",
    "cupric.unique_inverse": "_UniqueInverse",
    "cupricx.cusolver.syevj": "tuple[ndarray, ndarray] | ndarray",
    "cupricx.scipy.linalg.bandwidth": "tuple[int | ndarray, int | ndarray]",
    "cupricx.scipy.sparse.linalg.lobpcg": "tuple[ndarray, ...]",
    "cupricx.scipy.sparse.linalg.svds": (
        "tuple[ndarray | None, ndarray, ndarray | None] | ndarray"
    ),
}
TWO, THREE = "tuple[ndarray, ndarray]", "tuple[ndarray, ndarray, ndarray]"


def by_flag(name, usual, otherwise, default=False):
    """Overloads of a function whose result depends on a bool."""
    return (
        ({name: f"Literal[{default}]"}, usual),
        ({name: f"Literal[{not default}]"}, otherwise),
        ({name: "bool"}, f"{usual} | {otherwise}"),
    )


def of_poly1d(*names):
    """Overloads of a function that returns a poly1d where one is given."""
    given = [({name: "poly1d"}, "poly1d") for name in names]
    return (*given, (dict.fromkeys(names, "_ArrayLike"), "ndarray"))


ATLEAST = (
    "(ary: _Operand, /) -> ndarray",
    "(a: _Operand, b: _Operand, /, *arys: _Operand) -> tuple[ndarray, ...]",
    "(*arys: _Operand) -> ndarray | tuple[ndarray, ...]",
)
# {callable: (types of some parameters, what is returned), or whole signatures}.
OVERLOADS = {
    "cupric.atleast_1d": ATLEAST,
    "cupric.atleast_2d": ATLEAST,
    "cupric.atleast_3d": ATLEAST,
    "cupric.average": by_flag("returned", "ndarray", TWO),
    "cupric.indices": by_flag("sparse", "ndarray", "tuple[ndarray, ...]"),
    "cupric.intersect1d": by_flag("return_indices", "ndarray", THREE),
    "cupric.linalg.qr": (
        ({"mode": "Literal['reduced', 'complete']"}, "QRResult"),
        ({"mode": "Literal['r']"}, "ndarray"),
        ({"mode": "Literal['reduced', 'complete', 'r']"}, "QRResult | ndarray"),
    ),
    "cupric.linalg.svd": by_flag("compute_uv", "SVDResult", "ndarray", True),
    "cupric.linspace": by_flag("retstep", "ndarray", TWO),
    "cupric.polyadd": of_poly1d("a1", "a2"),
    "cupric.polyder": of_poly1d("p"),
    "cupric.polyint": of_poly1d("p"),
    "cupric.polymul": of_poly1d("a1", "a2"),
    "cupric.polysub": of_poly1d("a1", "a2"),
    "cupric.polyval": (
        ({"p": "poly1d", "x": "poly1d"}, "poly1d"),
        ({"x": "_ArrayLike"}, "ndarray"),
    ),
    "cupric.unique": (
        (
            {
                "return_index": "Literal[False]",
                "return_inverse": "Literal[False]",
                "return_counts": "Literal[False]",
            },
            "ndarray",
        ),
        *(
            ({flag: "Literal[True]"}, "tuple[ndarray, ...]")
            for flag in ("return_index", "return_inverse", "return_counts")
        ),
        ({}, "ndarray | tuple[ndarray, ...]"),
    ),
    "cupric.where": (
        "(condition: _Operand, x: None = None, y: None = None) -> tuple[ndarray, ...]",
        "(condition: _Operand, x: _Operand, y: _Operand) -> ndarray",
    ),
    "cupricx.cusolver.gesvda": by_flag("compute_uv", THREE, "ndarray", True),
    "cupricx.cusolver.gesvdj": by_flag("compute_uv", THREE, "ndarray", True),
    "cupricx.scipy.linalg.lu": by_flag("permute_l", THREE, TWO),
    "cupricx.scipy.signal.windows.dpss": by_flag("return_ratios", "ndarray", TWO),
    "cupricx.scipy.sparse.linalg.eigs": by_flag(
        "return_eigenvectors", TWO, "ndarray", True
    ),
    "cupricx.scipy.sparse.linalg.eigsh": by_flag(
        "return_eigenvectors", TWO, "ndarray", True
    ),
}
UFUNC_CALL = (
    "/, *args: _Operand | None,"
    " out: ndarray | tuple[ndarray | None, ...] | None = None,"
    " where: _Operand = True, casting: {casting} = 'same_kind', order: {order} = 'K',"
    " dtype: DTypeLike | None = None, subok: bool = True,"
    " signature: str | tuple[DTypeLike, ...] | None = None"
).format(
    casting="Literal['no', 'equiv', 'safe', 'same_kind', 'unsafe']",
    order="Literal['K', 'A', 'C', 'F'] | None",
)
ELEMENTWISE_CALL = (
    "/, *args: _Operand, size: SupportsIndex | None = None,"
    " block_size: SupportsIndex | None = None, stream: Stream | None = None"
)
# Of calls, about which Python knows nothing: parameters, and what is returned.
CALLS = {
    "ElementwiseKernel": (ELEMENTWISE_CALL, "Any"),
    "Function": (
        "grid: tuple[int, ...], block: tuple[int, ...], args: tuple[Any, ...],"
        " shared_mem: SupportsIndex = 0, stream: Stream | None = None",
        "None",
    ),
    "RawKernel": (
        "/, grid: tuple[int, ...], block: tuple[int, ...], args: tuple[Any, ...],"
        " *, shared_mem: SupportsIndex = 0, stream: Stream | None = None",
        "None",
    ),
    "ReductionKernel": (
        "/, *args: _Operand, out: ndarray | None = None,"
        " axis: SupportsIndex | tuple[SupportsIndex, ...] | None = None,"
        " keepdims: bool = False, stream: Stream | None = None",
        "Any",
    ),
    "ufunc": (UFUNC_CALL, "ndarray"),
}
AS_OF = re.compile(r"\bAs (?:of|for|in) `([\w.]+)`(?:, and of `([\w.]+)`)?")
AS_UFUNCS = re.compile(r"\bAs for (?:a ufunc|ufuncs)\b")
TAKES_BOOL = re.compile(
    r"\b(Any|SupportsIndex|_ArrayLike|_Operand|_Real|bool|object)\b"
)
ANY = "Any"


@functools.cache
def classes():
    """{name: module} of the public classes, and of those of the core."""
    core = importlib.import_module("cupric._core")
    found = {
        o.__name__: o.__module__
        for _, _, o in documented.callables()
        if inspect.isclass(o)
    }
    for name, o in vars(core).items():
        if isinstance(o, type) and not name.startswith("_"):
            found[name] = core.__name__
    found["PlanCache"] = "cupric.fft._cache"
    found["Inspection"] = "cupric._array_api"
    found["PolePlacement"] = "cupricx.scipy.signal._lti._place_poles"
    found["Kernel"] = "cupric._lib.kernels._library"
    found["orthopoly1d"] = "cupricx.scipy.special._orthopoly"
    return found


def names_of_classes():
    return {name: name for name in classes()}


# ---- parameters ----------------------------------------------------------------------


def entries(o):
    """(name, what the docstring says of its type, what it says besides)."""
    found = []
    doc = (o.__doc__ if inspect.isclass(o) else inspect.getdoc(o)) or ""
    for line in documented.sections(doc).get("Parameters", "").splitlines():
        if line and not line[0].isspace():
            names, _, text = line.partition(" : ")
            found.append(([n.strip(" *`") for n in names.split(",")], text, []))
        elif line and found:
            found[-1][2].append(line.strip())
    return [(n, text, " ".join(more)) for ns, text, more in found for n in ns]


def kinds_of(o, space):
    """{parameter: its type} of a callable of the namespace `space`; None where the
    docstring says none that is known."""
    kinds = {}
    for name, text, more in entries(o):
        kind = phrases.taken(text, names_of_classes(), name) if text else None
        other = AS_OF.search(more)
        others = other.groups() if other else ()
        others = ["cupric.add"] if AS_UFUNCS.search(more) else others
        kind = kind or of_others(name, others, space)
        if kind and "None by default" in more and "None" not in kind.split(" | "):
            kind += " | None"
        if kind and space.startswith("cupric.cuda."):  # handles, addresses and sizes
            kind = re.sub(r"\bSupportsIndex\b", "int", kind)
        kinds[name] = kind
    return kinds


def of_others(name, others, space):
    for other in filter(None, others):
        found = kinds_of(look_up(other, space), space).get(name)
        if found:
            return found
    return None


def look_up(name, space):
    """What a docstring of a namespace calls `name`."""
    if "." in name:
        return pkgutil.resolve_name(name)
    module = importlib.import_module(space)
    return getattr(module, name, None) or getattr(
        importlib.import_module("cupric"), name
    )


def untyped(o, space):
    """The parameters of a callable that have no type, with what the docstring says;
    what is passed on to other functions needs none."""
    if documented.parameters_of(o) in (None, []):  # an enumeration's are Python's
        return []
    found = inspect.signature(o).parameters.values()
    kinds, said = kinds_of(o, space), {n: text for n, text, _ in entries(o)}
    return [
        (p.name, said.get(p.name, ""))
        for p in found
        if not p.name.startswith("_") and p.name not in ("self", "cls")
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) or said.get(p.name)
        if kinds.get(p.name) is None
    ]


def shown(value):
    """A default value, where a stub can show it."""
    plain = value is None or type(value) in (bool, int, str)
    return repr(value) if plain else "..."


def parameters(o, first=(), kinds=None, fixed=None):
    """A signature as a stub has it, with types by names of parameters; of any arguments
    where there is none.

    fixed : types of an overload. A parameter whose default is of another type has to be
        named, and so do those behind it.
    """
    try:
        found = inspect.signature(o)
    except (TypeError, ValueError):
        return ", ".join([*first, "*args: Any", "**kwargs: Any"])
    taken, empty, fixed = list(first), inspect.Parameter.empty, fixed or {}
    last, named = None, False
    for p in found.parameters.values():
        if first and p.name == first[0]:
            last = p.kind
            continue
        if last == p.POSITIONAL_ONLY != p.kind:
            taken.append("/")
        kind = fixed.get(p.name) or (kinds or {}).get(p.name) or ANY
        needed = p.name in fixed and not is_of(p.default, kind)
        must = p.kind == p.KEYWORD_ONLY or (needed and p.default is not empty)
        if must and not named and last not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL):
            taken.append("*")
            named = True
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        default = "" if p.default is empty or needed else f" = {shown(p.default)}"
        kind = kind if needed else with_default(kind, p.default)
        taken.append(f"{stars}{p.name}: {kind}{default}")
        last = p.kind
    if last == inspect.Parameter.POSITIONAL_ONLY:
        taken.append("/")
    return ", ".join(taken)


def with_default(kind, value):
    """A type that has the default value, too, where that is None or a word."""
    if value is None and not {ANY, "None", "object"} & set(kind.split(" | ")):
        return f"{kind} | None"
    if isinstance(value, bool) and not (
        TAKES_BOOL.search(kind) or f"Literal[{value}]" in kind
    ):
        return f"{kind} | bool"
    if isinstance(value, str) and kind != ANY:
        takes = "str" in kind or "DTypeLike" in kind or repr(value) in kind
        return kind if takes else f"{kind} | Literal[{value!r}]"
    return kind


def is_of(value, kind):
    """Whether a default value is of a type as it stands in a table of overloads."""
    literal = re.fullmatch(r"Literal\[(.*)\]", kind)
    return repr(value) in literal[1].split(", ") if literal else True


# ---- results -------------------------------------------------------------------------


def returned(qualified, o):
    """The type of what a callable returns, in a stub."""
    if qualified in RESULTS:
        return RESULTS[qualified]
    sections = documented.sections(inspect.getdoc(o) or "")
    text = sections.get("Returns", "")
    if "Yields" in sections and not inspect.isgeneratorfunction(o):
        return f"AbstractContextManager[{result(sections['Yields'].split()[0])}]"
    if text.split()[1:] == ["Itself."]:
        return "Self"
    lines = [line for line in text.splitlines() if line and not line[0].isspace()]
    if not lines:
        return ANY if documented.returns_something(o) else "None"
    kinds = []
    for line in lines:
        names, colon, words = line.partition(" : ")
        count = names.count(",") + 1 if colon else 1
        kinds += [result(words if colon else line)] * count
    if "named tuple" in text or len(kinds) > 1 and "only if" in text.lower():
        return ANY
    return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"


def result(text):
    return phrases.returned(text, names_of_classes()) or ANY


def definitions(name, o, qualified, space, first=(), indent="", decorator=""):
    """A function or method in a stub: one definition, or one for each overload."""
    kinds = kinds_of(o, space)
    head = f"{indent}{decorator}"
    if qualified not in OVERLOADS:
        taken = parameters(o, first, kinds)
        return f"{head}def {name}({taken}) -> {returned(qualified, o)}: ...\n"
    text = ""
    for row in OVERLOADS[qualified]:
        if isinstance(row, str):
            rest = row
        else:
            rest = f"({parameters(o, first, kinds, row[0])}) -> {row[1]}"
        text += f"{indent}@overload\n{head}def {name}{rest}: ...\n"
    return text


def is_function(o):
    return isinstance(o, types.FunctionType | types.BuiltinFunctionType)
