"""What the parameters of a library's kernel take, for the arguments of its template."""

import re

import numpy as np

from cupric import _core
from cupric._lib.kernels._declarations import TYPES, Struct, constant

__all__ = ["Signature"]

# As in src/kernel/py_kernel.h: a test compares them.
ANY, POINTER, VIEW, VIEWS, NUMBER, RECORD = range(6)
_LIST = re.compile(r"(View|Views)\s*<(.*)>")


class Signature:
    """A kernel's parameters, as its code declares them.

    Parameters
    ----------
    declared : cupric._lib.kernels._source.Declared
    structs : namespace
        The structures of the library's headers.
    enums : dict
        The enumerators, which stand for ints in types.
    """

    def __init__(self, declared, structs, enums):
        self.declared, self.structs, self.enums = declared, structs, enums
        self.names = [name for _, name in declared.parameters]

    def bound(self, arguments):
        """What `_core._Instance` takes: a tuple for each parameter."""
        known = {
            name: value
            for (_, name), value in zip(self.declared.template, arguments, strict=True)
        }
        return tuple(
            (name, *self._kind(text, known)) for text, name in self.declared.parameters
        )

    def _kind(self, text, known):
        """Kind, dtype, axes, arrays and structure of a type's text."""
        text = re.sub(r"\bconst\b", "", text).strip()
        if text.endswith("*"):
            return POINTER, self._dtype(text[:-1], known), 0, 0, None
        if match := _LIST.fullmatch(text):
            dtype, *numbers = match[2].rsplit(",", 2 if match[1] == "Views" else 1)
            ndim, *count = (self._int(n, known) for n in numbers)
            kind = VIEWS if count else VIEW
            return kind, self._dtype(dtype, known), ndim, *(count or [0]), None
        if record := self._record(text, known):
            return RECORD, None, 0, 0, record.dtype
        dtype = self._dtype(text, known)
        return (ANY if dtype is None else NUMBER), dtype, 0, 0, None

    def _dtype(self, text, known):
        """The dtype of a type's text; None where it is none, or follows from others."""
        text = " ".join(text.split())
        if text in known:
            return known[text]
        letter = TYPES.get(text)
        return letter and np.dtype(letter)

    def _int(self, text, known):
        ints = {k: v for k, v in known.items() if isinstance(v, int)}
        return constant(text, {**self.enums, **ints})

    def _record(self, text, known):
        name, _, argument = text.partition("<")
        found = self.structs.__dict__.get(name.strip())
        if not argument:
            return found if isinstance(found, Struct) else None
        dtype = self._dtype(argument.rstrip("> "), known)
        return found and dtype is not None and found[dtype]

    def place(self, path):
        """Where the number stands that counts the work: ``"n"``, or ``"p.rows"`` of a
        structure. A parameter's place, a letter and an offset, as `_Instance` takes
        them."""
        name, _, field = path.partition(".")
        place = self.names.index(name) if name in self.names else None
        if place is None:
            raise ValueError(f"{self.declared.name} has no parameter {name!r}")
        if not field:
            return place, " ", 0
        record = self._record(
            self.declared.parameters[place][0].replace("const", ""), {}
        )
        offset, letter = record.offset(field)
        if letter not in "qi":
            raise ValueError(f"{path} of {self.declared.name} counts nothing")
        return place, letter, offset


def argument(x):
    """An argument of a template in C++."""
    if isinstance(x, (int, np.integer)):
        return str(int(x))
    return _core._ctype(x)
