"""Expressions: the type of each, and its C++."""

import ast
import operator

import numpy as np

from cupric import _core
from cupric._lib.kernels._translate._source import fail
from cupric._lib.kernels._translate._types import (
    PYTHON_BOOL,
    PYTHON_INT,
    Scalar,
    Tuple,
    join,
)
from cupric._lib.kernels._translate._values import (
    Conflict,
    Constant,
    Method,
    TupleValue,
    Value,
    cast,
    type_of,
)

__all__ = [
    "Expressions",
    "fold",
    "located",
    "weaken",
]

# Of Python's operators: the row of the operation tables, and what Python does itself.
_BINARY = {
    ast.Add: (_core.add, operator.add),
    ast.Sub: (_core.subtract, operator.sub),
    ast.Mult: (_core.multiply, operator.mul),
    ast.Div: (_core.divide, operator.truediv),
    ast.FloorDiv: (_core.floor_divide, operator.floordiv),
    ast.Mod: (_core.remainder, operator.mod),
    ast.Pow: (_core.power, operator.pow),
    ast.LShift: (_core.left_shift, operator.lshift),
    ast.RShift: (_core.right_shift, operator.rshift),
    ast.BitAnd: (_core.bitwise_and, operator.and_),
    ast.BitOr: (_core.bitwise_or, operator.or_),
    ast.BitXor: (_core.bitwise_xor, operator.xor),
}
_UNARY = {
    ast.USub: (_core.negative, operator.neg),
    ast.UAdd: (_core.positive, operator.pos),
    ast.Invert: (_core.invert, operator.invert),
}
_COMPARISONS = {
    ast.Eq: (_core.equal, operator.eq),
    ast.NotEq: (_core.not_equal, operator.ne),
    ast.Lt: (_core.less, operator.lt),
    ast.LtE: (_core.less_equal, operator.le),
    ast.Gt: (_core.greater, operator.gt),
    ast.GtE: (_core.greater_equal, operator.ge),
}
# Of bools that are Python's these are bools, all others ints.
_OF_BOOLS = {_core.bitwise_and, _core.bitwise_or, _core.bitwise_xor, _core.equal}
_OF_BOOLS |= {ufunc for ufunc, _ in _COMPARISONS.values()}

_UNSUPPORTED = {
    ast.Lambda: "a lambda inside the function: define it outside",
    ast.NamedExpr: "an assignment in an expression: assign in a line of its own",
    ast.ListComp: "a list: write a loop over range(...)",
    ast.SetComp: "a set: write a loop over range(...)",
    ast.DictComp: "a dict: write a loop over range(...)",
    ast.GeneratorExp: "a generator: write a loop over range(...)",
    ast.List: "a list: a tuple of a fixed number of values can be used",
    ast.Dict: "a dict: use if and elif",
    ast.Set: "a set: a tuple of a fixed number of values can be used",
    ast.JoinedStr: "a string",
    ast.Await: "await",
    ast.Yield: "yield: return a value, or several as a tuple",
    ast.YieldFrom: "yield: return a value, or several as a tuple",
    ast.Starred: "a starred expression: name each value",
    ast.Slice: "a slice: the function sees single elements",
}
_LOCATED = (
    *(TypeError, ValueError, OverflowError, UnboundLocalError, NameError),
    *(AttributeError, IndexError, KeyError, ZeroDivisionError, AssertionError),
    *(NotImplementedError, RecursionError),
)


def located(translate):
    """Give errors of a method of (self, node) the line that they are about."""

    def wrapped(self, node, *args):
        try:
            return translate(self, node, *args)
        except _LOCATED as error:
            if hasattr(error, "is_located"):
                raise
            kind = next(k for k in _LOCATED if isinstance(error, k))
            message = str(error.args[0]) if error.args else ""
            try:
                fail(kind, self.source, node, message)
            except kind as shown:
                shown.is_located = True
                raise shown from None

    return wrapped


class Expressions:
    """The expressions of one function.

    Parameters
    ----------
    program : Program
    source : Source

    Attributes
    ----------
    names : dict
        What each local name is at this point: a Variable, a Constant or a Conflict.
    out : list
        The statements so far, where values that are used twice are put. A list in it
        is a place to which others are added.
    """

    calls = {}  # of a callable: what translates a call of it; filled by _calls.py

    def __init__(self, program, source):
        self.program = program
        self.source = source
        self.locals = set()
        self.names = {}
        self.out = []
        self.counted = 0

    # ---- values ----------------------------------------------------------------------

    @located
    def expression(self, node):
        """The value of an expression."""
        known = getattr(self, f"_of_{type(node).__name__}", None)
        if known is None:
            what = _UNSUPPORTED.get(type(node), type(node).__name__)
            raise NotImplementedError(f"this cannot be translated: {what}")
        return known(node)

    def scalar(self, value, what="this"):
        """The type of a value that has to be a number."""
        kind = type_of(value)
        if not isinstance(kind, Scalar):
            if isinstance(value, Constant):
                found = f"{value.value!r} of type {type(value.value).__name__}"
                if hasattr(value.value, "shape"):
                    found += " (pass arrays as arguments)"
            elif isinstance(value, Method):
                found = f"the method {value.name}, which is not called"
            else:
                found = str(kind)
            raise TypeError(f"{what} has to be a number, not {found}")
        return kind

    def temporary(self, value):
        """The value under a name, so that it can stand more than once."""
        if isinstance(value, TupleValue):
            return TupleValue(tuple(map(self.temporary, value.items)))
        if not isinstance(value, Value) or value.simple:
            return value
        return self.keep(value)

    def keep(self, value):
        """A number as it is now, whatever becomes of the variables in it."""
        name = self.new_name("t")
        self.out.append(f"const {value.type.code} {name} = {value.code};")
        return Value(value.type, name, True)

    def new_name(self, letter):
        self.counted += 1
        return f"{letter}{self.counted}"

    def items(self, value):
        """The values of a tuple."""
        if isinstance(value, TupleValue):
            return value.items
        if isinstance(value, Constant) and isinstance(value.value, tuple | list):
            return tuple(map(Constant, value.value))
        found = value.value if isinstance(value, Constant) else type_of(value)
        raise TypeError(f"a tuple is needed here, not {found}")

    def fields(self, kind, code):
        """What a variable of C++ of any type holds."""
        if isinstance(kind, Scalar):
            return Value(kind, code, True)
        parts = [self.fields(k, f"{code}.v{n}") for n, k in enumerate(kind.items)]
        return TupleValue(tuple(parts))

    def build(self, value, kind):
        """The C++ of a value in a type, also of a tuple."""
        if isinstance(kind, Scalar):
            return cast(value, kind)
        parts = [
            self.build(item, k)
            for item, k in zip(self.items(value), kind.items, strict=True)
        ]
        return f"{self.program.type_code(kind)}{{{', '.join(parts)}}}"

    def truth(self, value):
        """Whether a value is true, as C++ or, of a constant, as a bool."""
        if isinstance(value, Constant):
            return bool(value.value)
        if isinstance(value, TupleValue):
            return bool(value.items)
        kind = self.scalar(value, "a condition")
        return value.code if kind.letter == "?" else f"truth({value.code})"

    @located
    def test(self, node):
        """Whether an expression is true, as C++ or, where that is known, as a bool."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            found = self.test(node.operand)
            return not found if isinstance(found, bool) else f"!{found}"
        if not isinstance(node, ast.BoolOp):
            return self.truth(self.expression(node))
        decisive = isinstance(node.op, ast.Or)
        codes = []
        for part in node.values:
            found = self.test(part)
            if not isinstance(found, bool):
                codes.append(found)
            elif found is decisive:
                if not codes:
                    return decisive
                codes.append(str(decisive).lower())
                break
        if not codes:
            return not decisive
        return f"({(' || ' if decisive else ' && ').join(codes)})"

    # ---- rows of the operation tables ------------------------------------------------

    def row(self, ufunc, values, dtype=None):
        """The value of a row of the operation tables, of a dtype by NumPy's rules."""
        kinds = [self.scalar(v, f"an operand of {ufunc.name}") for v in values]
        if ufunc._integers == "TRUTH":
            tests = [self.truth(v) for v in values]
            values = [
                Constant(np.bool_(t)) if isinstance(t, bool) else Value(Scalar("?"), t)
                for t in tests
            ]
            kinds = [Scalar("?")] * len(values)
        letters = [
            self._letter(ufunc, value, kind, kinds)
            for value, kind in zip(values, kinds, strict=True)
        ]
        return self.call_row(ufunc, values, "".join(letters), dtype)

    def call_row(self, ufunc, values, letters, dtype=None):
        """The value of a row for dtypes by letter, as of `ufunc._resolve`."""
        signature = ufunc._resolve(letters, dtype)
        inputs, _, outputs = signature.partition("->")
        if ufunc is _core.power and Scalar(inputs[1]).rank == 1:
            by = values[1]
            if isinstance(by, Constant) and by.value < 0:
                raise ValueError("Integers to negative integer powers are not allowed.")
        codes = [
            cast(value, Scalar(letter))
            for value, letter in zip(values, inputs, strict=True)
        ]
        code = f"{self.program.row(ufunc, signature)}({', '.join(codes)})"
        if len(outputs) == 1:
            return Value(Scalar(outputs), code)
        return self.tuple_call(Tuple(tuple(map(Scalar, outputs))), code)

    def tuple_call(self, kind, code):
        """What a function of C++ that gives a tuple returns."""
        name = self.new_name("t")
        self.out.append(f"const {self.program.type_code(kind)} {name} = {code};")
        return self.fields(kind, name)

    def _letter(self, ufunc, value, kind, kinds):
        """How an operand takes part in the choice of a signature."""
        if not kind.weak:
            return kind.letter
        if kind != PYTHON_INT:
            return {"?": "?", "d": ".", "D": "j"}[kind.letter]
        strong = [k for k in kinds if not k.weak]
        if ufunc._integers == "FITS" or not strong or max(k.rank for k in strong) > 1:
            return "1"
        if isinstance(value, Constant) and all(_holds(k, value.value) for k in strong):
            return "1"
        return "L" if isinstance(value, Constant) and value.value >= 1 << 63 else "l"

    def arithmetic(self, ufunc, values):
        """The value of an operator. Numbers of Python's alone make one of Python's."""
        kinds = [self.scalar(v, f"an operand of {ufunc.name}") for v in values]
        if not all(kind.weak for kind in kinds):
            return self.row(ufunc, values)
        letters = [kind.letter for kind in kinds]
        if set(letters) == {"?"} and ufunc not in _OF_BOOLS:
            letters = ["l"] * len(letters)
        if ufunc is _core.power and _is_negative(values[1]):
            letters[0] = max(letters[0], "d")  # of ints it is a float
        return weaken(self.call_row(ufunc, values, "".join(letters)))

    # ---- kinds of nodes --------------------------------------------------------------

    def _of_Constant(self, node):
        return Constant(node.value)

    def _of_Name(self, node):
        if node.id not in self.locals:
            value, holder = self.source.look_up(node.id)
            name = node.id if isinstance(holder, dict) else None
            self.program.reads.append((holder, name, value))
            return Constant(value)
        bound = self.names.get(node.id)
        if bound is None:
            raise UnboundLocalError(
                f"cannot access local variable '{node.id}' where it is not associated "
                "with a value"
            )
        if isinstance(bound, Conflict):
            raise TypeError(
                f"Data type mismatch of variable: `{node.id}`: it is "
                f"{' or '.join(sorted(map(str, bound.types)))} by the way taken here. "
                "Convert the values to one dtype, or use two names"
            )
        if isinstance(bound, Constant):
            return bound
        return self.fields(bound.type, bound.code)

    def _of_Tuple(self, node):
        items = tuple(map(self.expression, node.elts))
        if all(isinstance(item, Constant) for item in items):
            return Constant(tuple(item.value for item in items))
        return TupleValue(items)

    def _of_List(self, node):
        items = tuple(map(self.expression, node.elts))
        if all(isinstance(item, Constant) for item in items):
            return Constant([item.value for item in items])
        raise NotImplementedError(
            f"this cannot be translated: {_UNSUPPORTED[ast.List]}"
        )

    def _of_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            found = self.test(node.operand)
            if isinstance(found, bool):
                return Constant(not found)
            return Value(PYTHON_BOOL, f"!{found}")
        ufunc, compute = _UNARY[type(node.op)]
        value = self.expression(node.operand)
        if isinstance(value, Constant):
            folded = fold(compute, [value])
            if folded is not None:
                return folded
        return self.arithmetic(ufunc, [value])

    def _of_BinOp(self, node):
        left, right = self.expression(node.left), self.expression(node.right)
        return self.binary(node.op, left, right)

    def binary(self, op, left, right):
        """The value of an operator of two operands."""
        if type(op) not in _BINARY:
            raise TypeError("@ needs arrays, and the function sees single elements")
        ufunc, compute = _BINARY[type(op)]
        if isinstance(left, Constant) and isinstance(right, Constant):
            folded = fold(compute, [left, right])
            if folded is not None:
                return folded
        if ufunc is _core.power and _is_two(right):
            kind = self.scalar(left, "an operand of power")
            if join(kind, type_of(right)) == kind and kind.letter != "?":
                return self.arithmetic(_core.square, [left])
        return self.arithmetic(ufunc, [left, right])

    def _of_BoolOp(self, node):
        ends_at = isinstance(node.op, ast.Or)
        operands = []
        for part in node.values:
            value = self.expression(part)
            operands.append(value)
            if isinstance(value, Constant):
                if bool(value.value) is ends_at:
                    break
                if part is not node.values[-1]:
                    operands.pop()
        result = operands.pop()
        for value in reversed(operands):
            kind = self._joined(type_of(value), type_of(result), node)
            value = self.temporary(value)
            test, after, instead = self.truth(value), result, value
            if ends_at:
                after, instead = value, result
            if kind.letter == "?":
                sign = "||" if ends_at else "&&"
                result = Value(kind, f"({test} {sign} {cast(result, kind)})")
            else:
                result = self.choice(kind, test, after, instead)
        return result

    def _joined(self, a, b, node):
        kind = join(a, b) if a is not None and b is not None else None
        if kind is None or (isinstance(kind, Tuple) and isinstance(node, ast.BoolOp)):
            what = (
                "conditional expression" if isinstance(node, ast.IfExp) else "operands"
            )
            raise TypeError(
                f"Data type mismatch of {what}: {a or 'no number'} and "
                f"{b or 'no number'}. Convert one of them, by numpy.float32(...) for "
                "example, so that the result has one dtype"
            )
        return kind

    def choice(self, kind, test, yes, no):
        """One of two values, as a test written in C++ decides."""
        if isinstance(kind, Scalar):
            return Value(kind, f"({test} ? {cast(yes, kind)} : {cast(no, kind)})")
        if not test.isidentifier():
            test = self.keep(Value(PYTHON_BOOL, test)).code
        parts = zip(kind.items, self.items(yes), self.items(no), strict=True)
        return TupleValue(tuple(self.choice(k, test, y, n) for k, y, n in parts))

    def _of_IfExp(self, node):
        test = self.test(node.test)
        if isinstance(test, bool):
            return self.expression(node.body if test else node.orelse)
        yes, no = self.expression(node.body), self.expression(node.orelse)
        return self.choice(self._joined(type_of(yes), type_of(no), node), test, yes, no)

    def _of_Compare(self, node):
        left = self.expression(node.left)
        codes, weak = [], True
        for k, (op, part) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.expression(part)
            if k + 1 < len(node.ops):
                right = self.temporary(right)
            found = self._compare(op, left, right)
            if isinstance(found, Constant):
                if not found.value:
                    codes.append("false")
                    break
            else:
                codes.append(found.code)
                weak &= found.type.weak
            left = right
        if not codes:
            return Constant(True)
        if codes == ["false"]:
            return Constant(False)
        code = codes[0] if len(codes) == 1 else f"({' && '.join(codes)})"
        return Value(Scalar("?", weak), code)

    def _compare(self, op, left, right):
        if isinstance(op, ast.In | ast.NotIn):
            return self._is_in(left, right, isinstance(op, ast.In))
        if isinstance(op, ast.Is | ast.IsNot):
            if isinstance(left, Constant) and isinstance(right, Constant):
                is_one = left.value is right.value
            elif any(
                isinstance(v, Constant) and v.value is None for v in (left, right)
            ):
                is_one = False  # a number is not None
            else:
                raise NotImplementedError("'is' is of objects: compare numbers by ==")
            return Constant(is_one == isinstance(op, ast.Is))
        ufunc, compute = _COMPARISONS[type(op)]
        if isinstance(left, Constant) and isinstance(right, Constant):
            folded = fold(compute, [left, right])
            if folded is not None:
                return folded
        return self.arithmetic(ufunc, [left, right])

    def _is_in(self, left, right, wanted):
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant((left.value in right.value) is wanted)
        if isinstance(right, Constant) and isinstance(
            right.value, range | set | frozenset
        ):
            right = Constant(tuple(right.value))
        left = self.temporary(left)
        found = [self.arithmetic(_core.equal, [left, i]) for i in self.items(right)]
        if not found:
            return Constant(not wanted)
        code = f"({' || '.join(value.code for value in found)})"
        return Value(PYTHON_BOOL, code if wanted else f"!{code}")

    def _of_Subscript(self, node):
        value, index = self.expression(node.value), self.expression(node.slice)
        if not isinstance(index, Constant):
            raise NotImplementedError("an index into a tuple has to be a constant")
        if isinstance(value, Constant):
            return Constant(value.value[index.value])
        if isinstance(value, Value):
            raise TypeError(
                f"{value.type} is a number, which has no elements: the function sees "
                "single elements of the arrays"
            )
        found = self.items(value)[index.value]
        return TupleValue(found) if isinstance(found, tuple) else found

    def _of_Attribute(self, node):
        value = self.expression(node.value)
        if isinstance(value, Constant):
            found = getattr(value.value, node.attr)
            if getattr(value.value, "__dict__", {}).get(node.attr, self) is found:
                self.program.reads.append((value.value, node.attr, found))
            return Constant(found)
        if not isinstance(value, Value):
            raise AttributeError(f"a tuple has no attribute '{node.attr}' here")
        return self.attribute(value, node.attr)

    def attribute(self, value, attr):
        """An attribute of a number."""
        kind = value.type
        if attr in ("real", "imag"):
            if attr == "real" and kind.rank < 3:
                return self.arithmetic(_core.positive, [value]) if kind.rank else value
            if attr == "imag":
                return self.weakened(self.row_of(_core.imag, value), kind)
            part = Scalar("f" if kind.letter == "F" else "d", kind.weak)
            return Value(part, f"real({value.code})")
        if attr == "dtype" and not kind.weak:
            return Constant(kind.dtype)
        if attr in ("conjugate", "conj", "item", "astype", "is_integer"):
            return Method(value, attr)
        raise AttributeError(
            f"a number of type {kind} has no attribute '{attr}' here; there are real, "
            "imag, dtype, conjugate(), astype(dtype), item() and is_integer()"
        )

    def row_of(self, ufunc, value):
        return self.call_row(ufunc, [value], value.type.letter)

    def weakened(self, value, kind):
        return weaken(value) if kind.weak else value

    def _of_Call(self, node):
        function = self.expression(node.func)
        args = tuple(map(self.expression, node.args))
        keywords = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise NotImplementedError("** in a call: name each argument")
            keywords[keyword.arg] = self.expression(keyword.value)
        return self.call(function, args, keywords)

    def convert(self, value, kind):
        """A number as one of another type."""
        if isinstance(value, Constant):
            if kind.weak or isinstance(value.value, np.generic):
                return Constant(_converted(value.value, kind))
            return Value(kind, cast(value, kind), False)
        if value.type.letter == kind.letter:
            return Value(kind, value.code, value.simple)
        return Value(kind, cast(value, kind))


def weaken(value):
    """The value as a number of Python's."""
    if isinstance(value, TupleValue):
        return TupleValue(tuple(map(weaken, value.items)))
    return Value(Scalar(value.type.letter, True), value.code, value.simple)


def fold(compute, values):
    """What Python computes of constants; None where it raises an error."""
    try:
        with np.errstate(all="ignore"):
            return Constant(compute(*(v.value for v in values)))
    except (ArithmeticError, ValueError):
        return None


def _converted(value, kind):
    if kind.weak:
        return {"?": bool, "l": int, "d": float, "D": complex}[kind.letter](value)
    with np.errstate(all="ignore"):
        return value.astype(kind.dtype)


def _holds(kind, value):
    if kind.rank == 0:
        return value in (0, 1)
    info = np.iinfo(kind.dtype)
    return info.min <= value <= info.max


def _is_two(value):
    """As the operator of arrays asks, which squares then."""
    number = value.value if isinstance(value, Constant) else None
    return type(number) in (int, float) and number == 2


def _is_negative(value):
    return isinstance(value, Constant) and type(value.value) is int and value.value < 0
