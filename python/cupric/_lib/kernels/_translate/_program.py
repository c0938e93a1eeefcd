"""A translated function as C++, with all that it calls."""

import re

from cupric._lib.kernels._translate._types import Scalar, Tuple

__all__ = [
    "Program",
]

_INPUTS, _OUTPUTS = "abcdef", "rstu"


class Program:
    """C++ in the making: functions, rows of the operation tables, and tuples.

    Attributes
    ----------
    functions : dict
        What was translated: by function and types, of what `Function` of
        `_function.py` makes.
    reads : list of (holder, name, value)
        The variables around functions whose values stand in the code: those of cells
        (whose name is None), of dicts and of other objects.
    """

    def __init__(self):
        self.functions = {}
        self.running = []  # being translated: who calls whom
        self.reads = []
        self._parts = {}  # name: text
        self._structs = {}
        self._families = set()

    def is_current(self):
        """Whether what the code took from around its functions is still there."""
        return all(_read(holder, name) is value for holder, name, value in self.reads)

    def text(self):
        """All of it, what is called before what calls."""
        kept = []  # from the last, as what is called stands before who calls it
        for name, part in reversed(self._parts.items()):
            word = re.compile(rf"\b{name.partition('(')[0]}\b")
            if not kept or any(map(word.search, kept)):
                kept.append(part)
        parts = "\n".join(reversed(kept))
        return f"{self._includes()}namespace cupric {{\n{parts}\n}}\n"

    def _includes(self):
        names = ["python.hpp"]
        if self._families:
            headers = [
                "math/special.hpp" if family == "special" else f"special/{family}.hpp"
                for family in sorted(self._families)
            ]
            names += ["host_view_begin.hpp", *headers, "host_view_end.hpp"]
        return "".join(f'#include "cupric/{name}"\n' for name in names)

    def add(self, name, text):
        """Add a function or a struct, once for each name."""
        self._parts.setdefault(name, text)

    def name_of(self, name):
        """A name that no other function has."""
        n = 1
        while f"{name}_{n}" in self._parts:
            n += 1
        return f"{name}_{n}"

    def type_code(self, kind):
        """A type as C++ writes it, in the namespace of the functions."""
        if isinstance(kind, Scalar):
            return kind.code
        codes = tuple(map(self.type_code, kind.items))
        if codes not in self._structs:
            name = self._structs[codes] = f"tuple_{len(self._structs) + 1}"
            fields = "".join(f"    {code} v{k};\n" for k, code in enumerate(codes))
            self.add(name, _in_python(f"struct {name} {{\n{fields}}};\n"))
        return self._structs[codes]

    def row(self, ufunc, signature):
        """The name of the function that computes one signature of a row."""
        letters, _, results = signature.partition("->")
        inputs = [Scalar(letter) for letter in letters]
        outputs = [Scalar(letter) for letter in results]
        plain = [s for s in ufunc.types if s.partition("->")[0] == letters]
        name = f"row_{ufunc.name}"
        if plain[0] != signature:
            name += f"_{outputs[0].code}"
        key = f"{name}({letters})"
        if key not in self._parts:
            if ufunc._family is not None:
                self._families.add(ufunc._family)
            computed = ufunc._computed[ufunc.types.index(signature)].split("->")
            self.add(key, self._row_text(name, ufunc._code, inputs, outputs, computed))
        return name

    def _row_text(self, name, code, inputs, outputs, computed):
        """`computed`: the letters of the inputs and the outputs that it is computed in,
        around which others are converted."""
        wide, results = ([Scalar(letter) for letter in part] for part in computed)
        types = [
            *zip(_INPUTS.upper(), wide, strict=False),
            *zip(_OUTPUTS.upper(), results, strict=False),
        ]
        lines = [
            f"    typedef python::{kind.code} {letter};".replace("python::bool", "bool")
            for letter, kind in types
            if letter == "R" or re.search(rf"\b{letter}\b", code)
        ]
        parameters = []
        for letter, kind, into in zip(_INPUTS, inputs, wide, strict=False):
            given = letter if kind.letter == into.letter else f"{letter}_given"
            parameters.append(f"const {_qualified(kind)} {given}")
            if given != letter:
                into = _qualified(into)
                lines.append(f"    const {into} {letter} = convert<{into}>({given});")
        if len(outputs) == 1:
            result = _qualified(outputs[0])
            lines.append(f"    return convert<{result}>(convert<R>({code}));")
        else:
            result = f"python::{self.type_code(Tuple(tuple(outputs)))}"
            names = _OUTPUTS[: len(outputs)]
            lines += [
                f"    {_qualified(kind)} {letter};"
                for letter, kind in zip(names, results, strict=True)
            ]
            lines.append(f"    {code};")
            given = ", ".join(
                f"convert<{_qualified(kind)}>({letter})"
                for letter, kind in zip(names, outputs, strict=True)
            )
            lines.append(f"    return {{{given}}};")
        body = "\n".join(lines)
        head = f"__device__ inline {result}\n{name}({', '.join(parameters)})"
        return f"{head}\n{{\n{body}\n}}\n"

    def add_function(self, name, text):
        self.add(name, _in_python(text))


def _qualified(kind):
    return kind.code if kind.letter == "?" else f"python::{kind.code}"


def _in_python(text):
    return f"namespace python {{\n{text}}}\n"


def _read(holder, name):
    """What stands there now; where nothing does, the holder, which no value is."""
    if name is None:
        try:
            return holder.cell_contents
        except ValueError:
            return holder
    if isinstance(holder, dict):
        return holder.get(name, holder)
    return getattr(holder, name, holder)
