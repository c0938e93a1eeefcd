"""What an expression of Python's becomes: a value of the kernel, or a constant."""

from dataclasses import dataclass

from cupric._lib.kernels._translate._types import (
    Scalar,
    Tuple,
    literal,
    type_of_constant,
)

__all__ = [
    "Conflict",
    "Constant",
    "Method",
    "TupleValue",
    "Value",
    "Variable",
    "cast",
    "same",
    "type_of",
]


@dataclass(frozen=True)
class Value:
    """A number that the kernel computes.

    Parameters
    ----------
    type : Scalar
    code : str
        The expression in C++.
    simple : bool, optional
        Whether it is a name, which may stand twice.
    """

    type: Scalar
    code: str
    simple: bool = False


@dataclass(frozen=True)
class TupleValue:
    """Several values, each a Value, a Constant or a TupleValue."""

    items: tuple


@dataclass(frozen=True)
class Variable:
    """A local variable of C++. Each holds one name of Python's in one type."""

    type: object
    code: str


@dataclass(frozen=True, eq=False)
class Constant:
    """An object of Python's that is known when the function is translated."""

    value: object


@dataclass(frozen=True)
class Method:
    """A method of a number that the kernel computes."""

    value: Value
    name: str


@dataclass(frozen=True)
class Conflict:
    """What a name is that paths through the function leave with different types."""

    types: frozenset


def type_of(value):
    """The type of a value; None for a Constant that is no number."""
    if isinstance(value, Constant):
        return type_of_constant(value.value)
    if isinstance(value, TupleValue):
        items = tuple(map(type_of, value.items))
        return None if None in items else Tuple(items)
    return value.type if isinstance(value, Value | Variable) else None


def same(a, b):
    """Whether two bindings of a name are one."""
    if isinstance(a, Constant) and isinstance(b, Constant):
        x, y = a.value, b.value
        if x is y:
            return True
        return type(x) is type(y) and type_of(a) is not None and repr(x) == repr(y)
    return a == b


def cast(value, type):
    """The C++ of a scalar value in another type.

    Raises
    ------
    OverflowError
        A Python int that the type does not hold.
    """
    if isinstance(value, Constant):
        return literal(value.value, type.letter)
    if value.type.letter == type.letter:
        return value.code
    return f"convert<{type.code}>({value.code})"
