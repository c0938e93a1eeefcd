"""C headers that a kernel's code and its Python share: enumerators and structures."""

import ast
import functools
import math
import operator
import re
import struct

import numpy as np

__all__ = ["TYPES", "Declarations", "Struct", "blank", "constant"]

TYPES = {  # of fields and of numbers, by NumPy's letters
    "bool": "?",
    "char": "b",
    "signed char": "b",
    "unsigned char": "B",
    "short": "h",
    "unsigned short": "H",
    "int": "i",
    "unsigned": "I",
    "unsigned int": "I",
    "long long": "q",
    "unsigned long long": "Q",
    "half": "e",
    "float": "f",
    "double": "d",
    "cupric::extent": "q",
    "complex<float>": "F",
    "complex<double>": "D",
}
_ENUM = re.compile(r"enum\b[\s\w:]*\{([^{}]*)\}\s*;")
_STRUCT = re.compile(
    r"(?:template\s*<([^>]*)>\s*)?struct\s+(?:alignas\s*\(([^)]*)\)\s*)?(\w+)\s*"
    r"\{([^{}]*)\}\s*;"
)
_FIELD = re.compile(
    r"(?:const\s+)?([\w:<>]+(?:\s+(?:char|int|long|short)\b)*)\s+(\w[^*&(]*)", re.S
)
_HIDDEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"", re.S)


@functools.lru_cache(maxsize=4)  # a text is looked through several times in a row
def blank(text):
    """The text with spaces in place of comments and strings, lines as they are."""

    def spaces(match):
        return "\n".join([" " * len(line) for line in match[0].split("\n")])

    return _HIDDEN.sub(spaces, text)


_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.USub: operator.neg,
}


def constant(text, known):
    """The value of an integer constant expression of C, by the names in `known`."""

    def value(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](value(node.operand))
        raise ValueError(f"a header's constant is not understood: {text.strip()}")

    plain = re.sub(r"(?<=\d)[uUlL]+", "", text.strip()).replace("/", "//")
    try:
        return value(ast.parse(plain, mode="eval").body)
    except SyntaxError:
        raise ValueError(
            f"a header's constant is not understood: {text.strip()}"
        ) from None


class Declarations:
    """What headers declare: enumerations, and structures of numbers.

    Parameters
    ----------
    text : str
        One header after the other, without ``#include``.

    Attributes
    ----------
    enum : namespace
        The enumerators, as ints.
    struct : namespace
        A `Struct` for each structure: called with its fields, it packs them. That of a
        template is indexed by a dtype first.

    Examples
    --------
    >>> c = Declarations("enum { N = 1 << 2 }; struct tile { int at[N], count; };")
    >>> c.enum.N
    4
    >>> c.struct.tile(at=(1, 2), count=2).nbytes
    20
    """

    def __init__(self, text):
        self.enum, self.struct = _Namespace("enumerator"), _Namespace("structure")
        text = re.sub(r"(?m)^[ \t]*#[^\n]*", "", blank(text))
        at = 0
        while rest := text[at:].lstrip():
            at = len(text) - len(rest)
            if match := _ENUM.match(text, at):
                self._add_enumerators(match[1])
            elif match := _STRUCT.match(text, at):
                self._add_struct(*match.groups())
            else:
                line = rest.partition("\n")[0]
                raise ValueError(
                    f"a header of a kernel library has enumerations and structures "
                    f"of numbers alone, not: {line}"
                )
            at = match.end()

    def _add_enumerators(self, body):
        following = 0
        for item in filter(str.strip, body.split(",")):
            name, _, text = item.partition("=")
            known = self.enum.__dict__
            following = constant(text, known) if text else following
            known[name.strip()] = following
            following += 1

    def _add_struct(self, template, alignment, name, body):
        parameter = template.split()[-1] if template else None
        align = constant(alignment, self.enum.__dict__) if alignment else 1
        fields = []
        for line in filter(str.strip, body.split(";")):
            fields += self._fields(line.strip(), parameter)
        self.struct.__dict__[name] = (
            _Template(name, fields, align) if parameter else Struct(name, fields, align)
        )

    def _fields(self, line, parameter):
        """(name, type, shape) of each declarator: `const int a, b[N]`."""
        match = _FIELD.fullmatch(line)
        kind = " ".join(match[1].split()) if match else ""
        if kind != parameter and kind not in TYPES and kind not in self.struct.__dict__:
            raise ValueError(f"a field is not understood: {line}")
        if kind == parameter:
            kind = "T"
        for text in match[2].split(","):
            name = text.partition("[")[0].strip()
            lengths = re.findall(r"\[([^\]]*)\]", text)
            shape = tuple(constant(n, self.enum.__dict__) for n in lengths)
            yield name, self.struct.__dict__.get(kind, kind), shape


class _Namespace:
    def __init__(self, what):
        self.__dict__["_what"] = what

    def __getattr__(self, name):
        raise AttributeError(f"the headers declare no {self._what} {name!r}")

    def __iter__(self):
        return iter(n for n in self.__dict__ if n != "_what")


class _Template(dict):
    """A structure for each dtype."""

    def __init__(self, name, fields, align):
        super().__init__()
        self.name, self.fields, self.align = name, fields, align

    def __missing__(self, dtype):
        char = np.dtype(dtype).char
        fields = [(n, char if t == "T" else t, shape) for n, t, shape in self.fields]
        made = self[dtype] = Struct(self.name, fields, self.align)
        return made


class Struct:
    """A structure that a kernel takes by value: called with its fields, it packs them.

    Fields that are arrays take a sequence, of which the rest is zeros where it is
    shorter. The result is a NumPy array of one element, of the dtype `dtype`.
    """

    def __init__(self, name, fields, align=1):
        self.name, self.align = name, align
        self.fields = {}  # by name: offset, letter, numbers, Struct or None, is array
        formats, places, end = [], [], 0
        for field, kind, shape in fields:
            inner = kind if isinstance(kind, Struct) else None
            dtype = inner.dtype if inner else np.dtype(TYPES.get(kind, kind))
            char = {"l": "q", "L": "Q"}.get(dtype.char, dtype.char)
            own = inner.align if inner else _alignment(dtype)
            self.align = max(self.align, own)
            begin = -(-end // own) * own
            numbers = math.prod(shape)
            self.fields[field] = begin, char, numbers, inner, bool(shape)
            formats.append((dtype, shape) if shape else dtype)
            places.append(f"{begin - end}x" + _format(dtype, char, numbers, inner))
            end = begin + dtype.itemsize * numbers
        plain = all(
            f[1] not in "FD" and not f[3] and not f[4] for f in self.fields.values()
        )
        self._numbers_alone = tuple(self.fields) if plain else None
        itemsize = max(-(-end // self.align) * self.align, 1)
        self._packer = struct.Struct(f"={''.join(places)}{itemsize - end}x")
        self.dtype = np.dtype(
            {
                "names": list(self.fields),
                "formats": formats,
                "offsets": [f[0] for f in self.fields.values()],
                "itemsize": itemsize,
            }
        )

    def __call__(self, **values):
        in_order = tuple(values) == self._numbers_alone  # as most calls pass them
        parts = values.values() if in_order else self._parts(values)
        try:
            packed = self._packer.pack(*parts)
        except struct.error:
            raise self._wrong_number(values) from None
        return np.frombuffer(packed, self.dtype)

    def _parts(self, values):
        """What the packer takes for the values of fields."""
        parts = []
        try:
            for name, (_, char, most, inner, is_array) in self.fields.items():
                value = values[name]
                if inner:
                    parts.append(self._inner(name, value, most, inner, is_array))
                elif is_array:
                    parts += self._numbers(name, value, most, char)
                elif char in "FD":
                    parts += (value.real, value.imag)
                else:
                    parts.append(value)
        except KeyError:
            raise self._wrong_names(values) from None
        if len(values) != len(self.fields):
            raise self._wrong_names(values)
        return parts

    def _inner(self, name, value, most, inner, is_array):
        """The bytes of structures in a field."""
        data = b"".join([v.tobytes() for v in value]) if is_array else value.tobytes()
        if len(data) > most * inner.dtype.itemsize:
            raise ValueError(f"{self.name}.{name} has {most} elements")
        return data

    def _numbers(self, name, value, most, char):
        """The numbers of a field that is an array, zeros behind those of `value`."""
        numbers = _flat(value)
        lacking = most - len(numbers)
        if lacking < 0:
            raise ValueError(
                f"{self.name}.{name} has {most} elements, not {len(numbers)}"
            )
        numbers += (0,) * lacking
        if char in "FD":
            return [part for z in numbers for part in (z.real, z.imag)]
        return numbers

    def _wrong_names(self, values):
        for name in values:
            if name not in self.fields:
                return TypeError(f"struct {self.name} has no field {name!r}")
        lacking = ", ".join(n for n in self.fields if n not in values)
        return TypeError(f"struct {self.name} lacks {lacking}")

    def _wrong_number(self, values):
        """The error of the first field that does not hold its number."""
        for name, (_, char, most, inner, is_array) in self.fields.items():
            value = values[name]
            if inner:
                continue
            numbers = self._numbers(name, value if is_array else (value,), most, char)
            letter = char.lower() if char in "FD" else char
            try:
                struct.pack(f"={len(numbers)}{letter}", *numbers)
            except struct.error as e:
                return OverflowError(f"{self.name}.{name}: {e}")
        raise AssertionError(f"{self.name} takes these numbers")

    def __repr__(self):
        return f"<struct {self.name}: {', '.join(self.fields)}>"

    def offset(self, name):
        """Where a field begins, and its letter."""
        return self.fields[name][:2]

    def checks(self, name):
        """C++ that does not compile where the compiler lays `name` out otherwise."""
        yield f"static_assert(sizeof({name}) == {self.dtype.itemsize});"
        for field, (offset, *_) in self.fields.items():
            yield f"static_assert(__builtin_offsetof({name}, {field}) == {offset});"


def _format(dtype, char, numbers, inner):
    """How `struct` packs a field."""
    if inner:
        return f"{dtype.itemsize * numbers}s"
    return f"{2 * numbers}{char.lower()}" if char in "FD" else f"{numbers}{char}"


def _alignment(dtype):
    return dtype.itemsize  # of complex numbers, too: those of device code are aligned


def _flat(value):
    value = tuple(value)
    if value and isinstance(value[0], (tuple, list)):
        return tuple(x for part in value for x in _flat(part))
    return value
