"""The types of translated expressions, and how two become one."""

import functools
from dataclasses import dataclass

import numpy as np

__all__ = [
    "PYTHON_BOOL",
    "PYTHON_COMPLEX",
    "PYTHON_FLOAT",
    "PYTHON_INT",
    "Scalar",
    "Tuple",
    "join",
    "literal",
    "scalar_of",
    "type_of_constant",
]

_NAMES = {
    "?": "bool",
    "b": "int8",
    "B": "uint8",
    "h": "int16",
    "H": "uint16",
    "i": "int32",
    "I": "uint32",
    "l": "int64",
    "L": "uint64",
    "e": "float16",
    "E": "bfloat16",
    "f": "float32",
    "d": "float64",
    "F": "complex64",
    "D": "complex128",
}
_LETTERS = {name: letter for letter, name in _NAMES.items()}
_RANKS = {"?": 0, **dict.fromkeys("bBhHiIlL", 1), **dict.fromkeys("eEfd", 2)}
_PYTHON = {"?": "bool", "l": "int", "d": "float", "D": "complex"}


@dataclass(frozen=True)
class Scalar:
    """A number: of a dtype, or Python's own, which gives way to dtypes (NEP 50).

    Parameters
    ----------
    letter : str
        The dtype, by its letter in the operation tables. Python's int is computed as
        int64, its float as float64 and its complex as complex128.
    weak : bool, optional
        Whether it is Python's own.
    """

    letter: str
    weak: bool = False

    @property
    def code(self):
        """The type in C++."""
        return _NAMES[self.letter]

    @property
    def rank(self):
        """0 bool, 1 integer, 2 real, 3 complex."""
        return _RANKS.get(self.letter, 3)

    @property
    def dtype(self):
        if self.letter == "E":
            import ml_dtypes

            return np.dtype(ml_dtypes.bfloat16)
        return np.dtype(_NAMES[self.letter])

    @property
    def strong(self):
        """The dtype of a value of this type by itself."""
        return Scalar(self.letter)

    def __str__(self):
        if self.weak:
            return f"Python's {_PYTHON[self.letter]}"
        return _NAMES[self.letter]


@dataclass(frozen=True)
class Tuple:
    """Several values."""

    items: tuple

    @property
    def strong(self):
        return Tuple(tuple(item.strong for item in self.items))

    def __str__(self):
        return f"a tuple of ({', '.join(map(str, self.items))})"


PYTHON_BOOL = Scalar("?", True)
PYTHON_INT = Scalar("l", True)
PYTHON_FLOAT = Scalar("d", True)
PYTHON_COMPLEX = Scalar("D", True)
_PYTHON_TYPES = {
    bool: PYTHON_BOOL,
    int: PYTHON_INT,
    float: PYTHON_FLOAT,
    complex: PYTHON_COMPLEX,
}


@functools.lru_cache(maxsize=256)
def scalar_of(dtype):
    """The type of a dtype's values; None where no kernel computes with it."""
    letter = _LETTERS.get(np.dtype(dtype).name)
    return None if letter is None else Scalar(letter)


def type_of_constant(value):
    """The type that a Python object has as a value; None where it is no number."""
    if isinstance(value, np.generic):
        return scalar_of(value.dtype)
    if isinstance(value, tuple):
        items = tuple(map(type_of_constant, value))
        return None if None in items else Tuple(items)
    return _PYTHON_TYPES.get(type(value))


def join(a, b):
    """The type of what is of type `a` or of type `b`; None where there is none.

    Two dtypes have none, as a value's dtype is not to depend on how it came about. A
    number of Python's takes the dtype that it meets, if that holds numbers of its kind.
    """
    if a == b:
        return a
    if isinstance(a, Tuple) or isinstance(b, Tuple):
        if type(a) is not type(b) or len(a.items) != len(b.items):
            return None
        items = tuple(map(join, a.items, b.items))
        return None if None in items else Tuple(items)
    if a.weak and b.weak:
        return max(a, b, key=lambda t: t.rank)
    if a.weak == b.weak:
        return None
    weak, strong = (a, b) if a.weak else (b, a)
    if weak.rank <= strong.rank:
        return strong
    if weak.rank == 3 and strong.letter in "eEf":
        return Scalar("F")
    return weak.strong


def literal(value, letter):
    """A number as C++ writes it, as one of the dtype `letter`.

    Raises
    ------
    OverflowError
        A Python int that the dtype does not hold.
    """
    kind = Scalar(letter)
    if kind.rank == 0:
        return "true" if value else "false"
    if kind.rank == 1:
        return _integer(value, kind)
    with np.errstate(all="ignore"):
        return _real(value, letter) if kind.rank == 2 else _complex(value, letter)


def _integer(value, kind):
    whole = int(value)
    info = np.iinfo(kind.dtype)
    if not info.min <= whole <= info.max:
        if isinstance(value, np.generic):
            whole = int(value.astype(kind.dtype))
        else:
            raise OverflowError(f"Python integer {whole} out of bounds for {kind}")
    if kind.letter == "L":
        return f"{whole}ull"
    if kind.letter == "l":
        if whole == info.min:
            return f"({whole + 1}ll - 1)"
        return f"{whole}ll" if whole >= 0 else f"({whole}ll)"
    if kind.letter == "i" and whole >= 0:
        return str(whole)
    return f"{kind.code}({whole})"


def _real(value, letter):
    value = np.asarray(value).astype(Scalar(letter).dtype)[()]
    if letter in "eE":
        return f"{_NAMES[letter]}::from_bits({value.view(np.uint16):#x})"
    if not np.isfinite(value):
        width = np.uint64 if letter == "d" else np.uint32
        of = "double_of" if letter == "d" else "float_of"
        return f"{of}({value.view(width):#x}{'ull' if letter == 'd' else 'u'})"
    text = str(value)  # the shortest digits that give the number back
    text += "f" if letter == "f" else ""
    return f"({text})" if text[0] == "-" else text


def _complex(value, letter):
    value = complex(value)
    part = "f" if letter == "F" else "d"
    return f"{_NAMES[letter]}({_real(value.real, part)}, {_real(value.imag, part)})"
