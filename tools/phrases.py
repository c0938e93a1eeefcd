"""What docstrings call types, and the types that stubs have for them: one table.

`taken` is for parameters, and is wide: what a function takes besides. `returned` is for
results. Both say None of words that the table lacks; tests/typing has a test that lists
these.
"""

import ast
import re

# Aliases of the stub of the core, for parameters.
ALIASES = """\
_Number: TypeAlias = complex | np.generic
_Operand: TypeAlias = ndarray | _Number
_Real: TypeAlias = float | np.floating[Any] | np.integer[Any]
_ArrayLike: TypeAlias = ndarray | ArrayLike | Sequence[Any]
_Index: TypeAlias = (
    SupportsIndex | slice | EllipsisType | None | ndarray | np.ndarray[Any, Any]
    | np.bool | Sequence[Any] | tuple[Any, ...]
)
"""
# A word, or words that belong together: what is taken, and what is returned.
WORDS = {
    "False": ("Literal[False]", "Literal[False]"),
    "None": ("None", "None"),
    "PyCapsule": ("object", "Any"),
    "SeedSequence": ("np.random.SeedSequence", "np.random.SeedSequence"),
    "array": ("_ArrayLike", "ndarray"),
    "array of `xp`": ("_ArrayLike", "Any"),
    "array_like": ("_ArrayLike", "ndarray"),
    "as in ``x[slices]``": ("_Index", "Any"),
    "bool": ("bool", "bool"),
    "bytes": ("bytes", "bytes"),
    "callable": ("Callable[..., Any]", "Callable[..., Any]"),
    "complex": ("complex", "complex"),
    "context manager": (
        "AbstractContextManager[Any]",
        "AbstractContextManager[Any]",
    ),
    "ctypes.c_void_p": ("c_void_p", "c_void_p"),
    "cupric.ndarray": ("ndarray", "ndarray"),
    "data-type": ("DTypeLike", "np.dtype[Any]"),
    "dict": ("Mapping[Any, Any]", "dict[str, Any]"),
    "dict of sequences": ("Mapping[str, Sequence[Any]]", "Any"),
    "dict of str": ("Mapping[str, str]", "dict[str, str]"),
    "dict of str to float": ("Mapping[str, float]", "dict[str, float]"),
    "dtype": ("DTypeLike", "np.dtype[Any]"),
    "file": ("IO[Any]", "IO[Any]"),
    "file object": ("IO[Any]", "IO[Any]"),
    "file-like": ("IO[str]", "IO[str]"),
    "float": ("_Real", "float"),
    "floating": ("DTypeLike", "np.dtype[Any]"),
    "complex data-type": ("DTypeLike", "np.dtype[Any]"),
    "function": ("Callable[..., Any]", "Callable[..., Any]"),
    "ignored": ("object", "Any"),
    "index": ("_Index", "Any"),
    "int": ("SupportsIndex", "int"),
    "list": ("list[Any]", "list[Any]"),
    "module": ("ModuleType", "ModuleType"),
    "nested sequence": ("Sequence[Any]", "Sequence[Any]"),
    "number": ("_Operand", "complex"),
    "numpy.dtype": ("DTypeLike", "np.dtype[Any]"),
    "numpy.ndarray": ("np.ndarray[Any, Any]", "np.ndarray[Any, Any]"),
    "numpy.poly1d": ("np.poly1d", "np.poly1d"),
    "numpy.random.SeedSequence": ("np.random.SeedSequence", "np.random.SeedSequence"),
    "numpy.void": ("np.void", "np.void"),
    "object": ("object", "Any"),
    "path": ("str | PathLike[str]", "str"),
    "reduction": ("Callable[..., Any]", "Any"),
    "scalar": ("_Operand", "Any"),
    "sequence": ("Sequence[Any]", "Sequence[Any]"),
    "slice": ("slice", "slice"),
    "sparse array": ("object", "Any"),
    "sparse array or matrix": ("object", "Any"),
    "sparse matrix": ("object", "Any"),
    "str": ("str", "str"),
    "tuple": ("tuple[Any, ...]", "tuple[Any, ...]"),
    "type": ("type", "type"),
    "Warning": ("Warning", "Warning"),
}
# Groups of what a word is for; lists are wide, as a tuple serves for one.
GROUPS = {
    "list": ("Sequence[{}]", "list[{}]"),
    "pair": ("Sequence[{}]", "tuple[{0}, {0}]"),
    "sequence": ("Sequence[{}]", "Sequence[{}]"),
    "set": ("set[{}]", "set[{}]"),
    "tuple": ("tuple[{}, ...]", "tuple[{}, ...]"),
}
# Words of which only the sense can be told.
WHOLE = {
    "((float, float), (float, float))": "Sequence[Sequence[_Real]]",
    "(float, float)": "Sequence[_Real]",
    "bool, 'greedy' or 'optimal'": (
        "bool | Literal['greedy', 'optimal'] | Sequence[Any]"
    ),
    "bool, type or tuple of types": "bool | type | tuple[type, ...]",
    "cupric.ndarray, shape (N, D), or a sequence of D of shape (N,)": (
        "ndarray | Sequence[ndarray]"
    ),
    "cupric.ndarray, or a tuple of them": "ndarray | tuple[ndarray | None, ...]",
    "float or cupric.ndarray of the shape of the stack": "_Real | ndarray",
    "int, (int, int), array_like or (array_like, array_like)": "_ArrayLike",
    "int, float, 'fro' or 'nuc'": "_Real | Literal['fro', 'nuc']",
    "int, pair of ints, sequence of pairs or dict": (
        "_ArrayLike | Mapping[int, SupportsIndex | tuple[SupportsIndex, SupportsIndex]]"
    ),
    "array_like of ints, or a tuple": "_ArrayLike | tuple[_ArrayLike | slice, ...]",
    "array_like, sparse array, or tuple": "object",
    "cupric.ndarray, or what numpy.asarray takes": "ndarray | ArrayLike",
    "cupric.ndarray, sparse array, or what numpy.asarray takes": (
        "ndarray | ArrayLike | object"
    ),
    "(int, int)": "Sequence[SupportsIndex]",
    "(int or None, int or None)": "Sequence[SupportsIndex | None]",
    "iterable of tuple": "object",
    "numpy.ma.MaskedArray, shape (n, n)": "object",
    "sequence of sequences of sparse arrays, array_like or None": (
        "Sequence[Sequence[object]]"
    ),
    "sequence of sparse arrays or array_like": "Sequence[object]",
    "sparse array or matrix": "object",
    "sparse array or matrix, or array_like": "object",
    "sparse array or matrix, or cupric.ndarray, shape (n, n)": "object",
    "sparse array or matrix, shape (n, n)": "object",
    "str or file-like object": "str | PathLike[str] | IO[Any]",
    "{None, 'fro', 1, -1, 2, inf, -inf} or number": "object",
    "ints or tuples of ints": "SupportsIndex | Sequence[SupportsIndex]",
    "nested lists of cupric.ndarray": "_Operand | Sequence[Any]",
    "scalar or cupric.ndarray of one axis": "_Operand",
    "int or pair of sequences of ints": (
        "SupportsIndex | Sequence[SupportsIndex | Sequence[SupportsIndex]]"
    ),
    "IPython.InteractiveShell": "Any",
    "list of scalars or callables": "Sequence[_Operand | Callable[..., Any]]",
    "list of str, or of (str, callable)": (
        "Sequence[str | tuple[str, Callable[..., Any]]]"
    ),
    "list of three tuples of ints": "Sequence[Sequence[SupportsIndex] | SupportsIndex]",
    "scalar or sequence of m scalars": "_Operand | Sequence[_Operand]",
    "scalar or array that broadcasts to `shape`": "_ArrayLike",
    "sequence of (float, float) or None": "Sequence[Sequence[_Real] | None] | None",
    "sequence of str or None": "Sequence[str | None]",
    "set of str or int": "set[str | int]",
    "slice, int, sequence of ints or of bools": (
        "slice | SupportsIndex | Sequence[SupportsIndex] | ndarray"
    ),
    "str and cupric.ndarray": "str | ndarray | Sequence[SupportsIndex]",
    "str or True": "str | Literal[True]",
    "str or list of dtype": "str | Sequence[DTypeLike]",
    "str or tuple of dtypes": "str | tuple[DTypeLike, ...]",
    "tuple of int, (..., m, n)": "Sequence[SupportsIndex]",
    "tuple of cupric.ndarray, shape (..., n, n), and bool": "tuple[ndarray, bool]",
    "{'wrap', 'clip', 'raise'} or a tuple of these": (
        "Literal['wrap', 'clip', 'raise']"
        " | tuple[Literal['wrap', 'clip', 'raise'], ...]"
    ),
    "{CUFFT_FORWARD, CUFFT_INVERSE}": "SupportsIndex",
    "{int32, int64}": "DTypeLike",
}
RESULTS = {
    "(cupric.ndarray, cupric.ndarray)": "tuple[ndarray, ndarray]",
    "bool, int, float or complex": "Any",  # as the dtype is
    "cupric.ndarray of int64, or list": "ndarray | list[ndarray]",
    "cupric.ndarray or NpzFile": "Any",
    "cupric.ndarray, or a tuple of them": "ndarray | tuple[ndarray, ...]",
    "cupric.ndarray, or poly1d where one is given": "ndarray | poly1d",
    "cupric.ndarray of the shape of `x`, or poly1d": "ndarray | poly1d",
    "cupric.ndarray, shape (..., m, m), or (..., m) of int32": "ndarray",
    "cupric.ndarray of float64, shape (n - 1, n), or (n, n)": "ndarray",
    "int, or cupric.ndarray of int64, shape (...)": "int | ndarray",
    "residuals, rank, singular_values, rcond": "Any",
    "tuple of ints, or list of tuples": "Any",  # as `index` is
}
# What says more of an array than its type does.
OF = (
    r"(?:non-negative ints|bools?|bytes|ints?|integers|floats|real numbers"
    r"|u?int\d+|float\d+|complex\d+)"
)
QUALITIES = re.compile(
    rf"(?<=array|_like) of (?:a real dtype|at least one axis|{OF}(?: or {OF})?)(?!\w)"
    r"|, (?:shapes?\b|one axis|of two or more|of the shape|(?:one|two)-dim|one to three"
    r"|n axes|real\b|complex\b|D axes|one-dimensional).*$"
)
# What is part of another type.
ABSORBED = {
    "_ArrayLike": {"ndarray", "_Operand", "_Real", "SupportsIndex", "Sequence[Any]"},
    "_Operand": {"ndarray", "_Real"},
    "object": {"None"},
}
PLURALS = {"bools": "bool", "callables": "callable", "dtypes": "dtype"}
PLURALS |= {"floats": "float", "ints": "int", "numbers": "number", "types": "type"}
PLURALS |= {"scalars": "scalar"}


def taken(text, classes, name=""):
    """What a parameter takes that a docstring describes by `text`; None where that is
    not known.

    classes : {name: what it is called in stubs}
    name : of the parameter. Shapes may be lists, but not axes, as in NumPy.
    """
    text = text.removesuffix(", optional").strip()
    if text in WHOLE:
        return WHOLE[text]
    return of_words(text, classes, 0, name)


def returned(text, classes):
    """What is returned where a docstring says `text`; None where that is not known."""
    text = re.sub(r", or `out`$|, as `\w+` is$|, or of float64 with weights$", "", text)
    if text in RESULTS:
        return RESULTS[text]
    return of_words(text, classes, 1)


def of_words(text, classes, column, name=""):
    if text.startswith("{") and text.endswith("}"):
        return of_choices(text)
    text = QUALITIES.sub("", text)
    kinds = []
    for part in re.split(r", or |, (?![^{]*})| or ", text):
        kind = of_word(part.strip(), classes, column, name)
        if kind is None:
            return None
        kinds += re.split(r" \| (?![^[]*\])", kind)
    return union(kinds)


def union(kinds):
    """One type of several, each once, None last."""
    once = dict.fromkeys(kinds)
    if "Any" in once:
        return "Any"
    for wide, narrow in ABSORBED.items():
        if wide in once:
            once = {kind: None for kind in once if kind not in narrow}
    return " | ".join(sorted(once, key=lambda kind: kind == "None"))


def of_choices(text):
    """{'C', 'F'}: one of them."""
    try:
        values = ast.literal_eval(f"[{text[1:-1]}]")
    except (SyntaxError, ValueError):
        return None
    named = ", ".join(repr(v) for v in values if v is not None)
    return f"Literal[{named}]" + (" | None" if None in values else "")


def of_word(word, classes, column, name=""):
    word = PLURALS.get(word, word)
    if word.startswith("{"):
        return of_choices(word)
    if word.startswith("'"):
        return of_choices(f"{{{word}}}")
    if word in WORDS:
        return WORDS[word][column]
    group = re.fullmatch(r"(list|pair|sequence|set|tuple) of (?:two |four )?(.+)", word)
    if group:
        kind, inner = group.groups()
        found = of_words(inner, classes, column)
        if kind == "tuple" and column == 0 and name not in ("axis", "axes"):
            kind = "sequence" if found == "SupportsIndex" else kind
        return found and GROUPS[kind][column].format(found)
    return classes.get(word.rpartition(".")[2])
