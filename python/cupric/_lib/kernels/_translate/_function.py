"""Functions: parameters, results, and calls of other functions."""

import ast
from dataclasses import dataclass

from cupric._lib.kernels._translate._expressions import located
from cupric._lib.kernels._translate._program import Program
from cupric._lib.kernels._translate._source import Source
from cupric._lib.kernels._translate._statements import Statements
from cupric._lib.kernels._translate._types import Scalar, join
from cupric._lib.kernels._translate._values import Constant, Value, type_of

__all__ = [
    "Translation",
    "translate",
]

_DEPTH = 50  # of calls


@dataclass(frozen=True)
class Translation:
    """A function in C++.

    Parameters
    ----------
    program : Program
    name : str
        What the function is called by, in the namespace ``cupric::python``.
    type : Scalar or Tuple
        What it returns.
    """

    program: Program
    name: str
    type: object


def translate(function, arguments):
    """Translate a Python function for arguments of given types.

    Parameters
    ----------
    function : function
    arguments : sequence of Scalar, Tuple or Constant
        Of each parameter: its type, or its value, which becomes part of the code.
        Parameters behind them have their defaults.

    Returns
    -------
    Translation

    Raises
    ------
    TypeError, ValueError, NotImplementedError, OSError
        What cannot be translated; the message shows the line.
    """
    program = Program()
    bound = _Function(program, function).bound(tuple(arguments), {})
    return _translate(program, function, tuple(bound))


class _Function(Statements):
    """One function, for arguments of given types."""

    def __init__(self, program, function):
        super().__init__(program, Source(function))
        self.function = function
        self.node = self.source.node

    def call_function(self, function, args, keywords):
        bound = _Function(self.program, function).bound(args, keywords)
        kinds = [a if isinstance(a, Constant) else type_of(a) for a in bound]
        for value, kind in zip(bound, kinds, strict=True):
            if kind is None:
                raise TypeError(f"{value} cannot be an argument")
        made = _translate(self.program, function, tuple(kinds))
        codes = [
            self.build(value, kind)
            for value, kind in zip(bound, kinds, strict=True)
            if not isinstance(kind, Constant)
        ]
        code = f"{made.name}({', '.join(codes)})"
        if isinstance(made.type, Scalar):
            return Value(made.type, code)
        return self.tuple_call(made.type, code)

    @property
    def parameters(self):
        a = self.node.args
        return [p.arg for p in [*a.posonlyargs, *a.args, *a.kwonlyargs]]

    def bound(self, args, keywords):
        """The arguments of a call in the order of the parameters."""
        a, name = self.node.args, self.source.name
        if a.vararg or a.kwarg:
            raise NotImplementedError(
                f"{name}() takes * or **: name each of its parameters"
            )
        only_by_place = {p.arg for p in a.posonlyargs}
        by_place = [p.arg for p in [*a.posonlyargs, *a.args]]
        if len(args) > len(by_place):
            raise TypeError(
                f"{name}() takes {len(by_place)} positional arguments but "
                f"{len(args)} were given"
            )
        found = dict(zip(by_place, args, strict=False))
        for key, value in keywords.items():
            if key in found and key not in only_by_place:
                raise TypeError(f"{name}() got multiple values for argument '{key}'")
            if key not in self.parameters or key in only_by_place:
                raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
            found[key] = value
        defaults = self.function.__defaults__ or ()
        given = dict(zip(reversed(by_place), reversed(defaults), strict=False))
        given |= self.function.__kwdefaults__ or {}
        missing = [p for p in self.parameters if p not in found and p not in given]
        if missing:
            raise TypeError(f"{name}() missing arguments: {', '.join(missing)}")
        return [found[p] if p in found else Constant(given[p]) for p in self.parameters]

    @located
    def translated(self, node, arguments):
        """The function as C++, and the type of what it returns."""
        self.locals = _assigned(node) | set(self.parameters)
        parameters = self.take(arguments)
        inputs = set(self.variables)
        falls = self.run(node)
        if falls or not self.returned:
            raise TypeError(
                f"{self.source.name} may end without `return`, and None is no number: "
                "return a value on every path"
            )
        kind = self.result_type()
        for value, place, _ in self.returned:
            place.append(f"return {self.build(value, kind)};")
        name = self.program.name_of(_plain(self.function.__name__))
        declared = [
            f"{self.program.type_code(v.type)} {v.code}{{}};"
            for key, v in self.variables.items()
            if key not in inputs
        ]
        head = f"__device__ inline {self.program.type_code(kind)}\n"
        head += f"{name}({', '.join(parameters)})"
        lines = _indented([*declared, *self.out])
        text = f"{head}\n{{\n{lines}}}\n"
        self.program.add_function(name, text)
        return name, kind

    def take(self, arguments):
        """Let the parameters stand for the arguments."""
        codes = []
        for name, kind in zip(self.parameters, arguments, strict=True):
            if isinstance(kind, Constant):
                self.names[name] = kind
                continue
            variable = self.names[name] = self.variable(name, kind)
            codes.append(f"{self.program.type_code(kind)} {variable.code}")
        return codes

    def run(self, node):
        if isinstance(node, ast.Lambda):
            returned = ast.copy_location(ast.Return(node.body), node.body)
            return self.block([returned])
        return self.block(node.body)

    def result_type(self):
        """The type of every value that is returned."""
        kind = type_of(self.returned[0][0])
        for value, _, node in self.returned[1:]:
            kind = self.joined(node, kind, type_of(value))
        return kind

    @located
    def joined(self, node, a, b):
        kind = join(a, b)
        if kind is None:
            raise TypeError(
                f"Data type mismatch of the values that are returned: {a} elsewhere "
                f"and {b} here. Convert one of them, by numpy.float32(...) for example"
            )
        return kind


def _translate(program, function, arguments):
    key = (function, tuple(map(_key, arguments)))
    if key in program.functions:
        return program.functions[key]
    if key in program.running or len(program.running) >= _DEPTH:
        raise RecursionError(
            f"{function.__name__} calls itself: write a loop (only a recursion over "
            "constants can be translated)"
        )
    program.running.append(key)
    try:
        made = _Function(program, function)
        name, kind = made.translated(made.node, arguments)
    finally:
        program.running.pop()
    program.functions[key] = Translation(program, name, kind)
    return program.functions[key]


def _key(argument):
    if not isinstance(argument, Constant):
        return argument
    value = argument.value
    number = type_of(argument) is not None
    return (type(value), repr(value)) if number else (type(value), id(value))


def _assigned(node):
    """The names that a function assigns."""
    return {
        n.id
        for n in ast.walk(node)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }


def _plain(name):
    name = "lambda" if name == "<lambda>" else name
    return "".join(c if c.isascii() and c.isalnum() or c == "_" else "x" for c in name)


def _indented(code, depth=1):
    """Lines of nested lists, indented by their braces."""
    text = ""
    for line in _flat(code):
        depth -= line.startswith("}")
        text += f"{'    ' * depth}{line}\n"
        depth += line.endswith("{")
    return text


def _flat(code):
    for part in code:
        if isinstance(part, str):
            yield part
        else:
            yield from _flat(part)
