"""Statements: local variables, branches and loops.

A name of Python's is a variable of C++ for each type that it has. Where paths meet that
left a name with different types, as 0 and a float32, it becomes a variable of the type
that holds both, if there is one, and the paths end by assigning it.
"""

import ast

from cupric._lib.kernels._translate._calls import Calls
from cupric._lib.kernels._translate._expressions import located
from cupric._lib.kernels._translate._types import PYTHON_INT, Scalar, join
from cupric._lib.kernels._translate._values import (
    Conflict,
    Constant,
    TupleValue,
    Value,
    Variable,
    cast,
    same,
    type_of,
)

__all__ = [
    "Statements",
]

_UNSUPPORTED = {
    ast.Raise: (ValueError, "raise: return NaN, or another value that says so"),
    ast.Try: (ValueError, "try: test the values by if"),
    ast.With: (ValueError, "with"),
    ast.Import: (ValueError, "import: import outside the function"),
    ast.ImportFrom: (ValueError, "import: import outside the function"),
    ast.Global: (ValueError, "global: take it as an argument and return it"),
    ast.Nonlocal: (ValueError, "nonlocal: take it as an argument and return it"),
    ast.FunctionDef: (NotImplementedError, "a function in it: define it outside"),
    ast.ClassDef: (NotImplementedError, "a class"),
    ast.Delete: (NotImplementedError, "del: it is not needed"),
}


class _Loop:
    """A loop around the statements that are translated."""

    def __init__(self, flag):
        self.flag = flag  # the variable that a break clears, or None
        self.breaks, self.continues = [], []  # (names, place for statements)


class Statements(Calls):
    """The statements of one function.

    Attributes
    ----------
    returned : list of (value, list, node)
        What the function returns, and where the statement is to be put.
    variables : dict
        Those of C++, by name and type.
    """

    def __init__(self, program, source):
        super().__init__(program, source)
        self.returned = []
        self.variables = {}
        self.loops = []

    def block(self, statements):
        """Translate statements. False where no path leads out of their end."""
        return all(self.statement(node) for node in statements)

    @located
    def statement(self, node):
        known = getattr(self, f"_do_{type(node).__name__}", None)
        if known is None:
            kind, what = _UNSUPPORTED.get(
                type(node), (NotImplementedError, type(node).__name__)
            )
            raise kind(f"this cannot be translated: {what}")
        return known(node) is not False

    # ---- assignment ------------------------------------------------------------------

    def variable(self, name, kind):
        """The variable of C++ for a name while it is of a type."""
        if (name, kind) not in self.variables:
            code = _identifier(name)
            if any(n == name for n, _ in self.variables):
                suffix = str(kind) if isinstance(kind, Scalar) else "tuple"
                suffix = suffix.replace("Python's ", "python_")
                code = f"{code}_{suffix}"
                while any(v.code == code for v in self.variables.values()):
                    code += "_"
            self.variables[name, kind] = Variable(kind, code)
        return self.variables[name, kind]

    def bind(self, name, value):
        """Let a name stand for a value from here on."""
        if isinstance(value, Constant):
            self.names[name] = value
            return
        kind = type_of(value)
        if kind is None:
            raise TypeError(
                f"'{name}' cannot be this: only numbers, and tuples of them"
            )
        self.names[name] = variable = self.variable(name, kind)
        self.out.append(f"{variable.code} = {self.build(value, kind)};")

    def assign(self, target, value):
        if isinstance(target, ast.Name):
            self.bind(target.id, value)
        elif isinstance(target, ast.Tuple | ast.List):
            self.unpack(target, value)
        elif isinstance(target, ast.Subscript):
            raise TypeError(
                "there is nothing to assign to: the function sees single elements, and "
                "what it returns is the result"
            )
        else:
            raise TypeError("attributes cannot be assigned: return the value")

    def unpack(self, target, value):
        if any(isinstance(part, ast.Starred) for part in target.elts):
            raise NotImplementedError("a starred target: name each value")
        items = self.items(value)
        expected = len(target.elts)
        if len(items) != expected:
            what = "too many" if len(items) > expected else "not enough"
            raise ValueError(
                f"{what} values to unpack (expected {expected}, got {len(items)})"
            )
        if expected > 1:  # as `x, y = y, x` means
            items = tuple(map(self.kept, items))
        for part, item in zip(target.elts, items, strict=True):
            self.assign(part, item)

    def kept(self, value):
        if isinstance(value, TupleValue):
            return TupleValue(tuple(map(self.kept, value.items)))
        return self.keep(value) if isinstance(value, Value) else value

    def _do_Assign(self, node):
        value = self.expression(node.value)
        if len(node.targets) > 1:
            value = self.temporary(value)
        for target in node.targets:
            self.assign(target, value)

    def _do_AnnAssign(self, node):
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))

    def _do_AugAssign(self, node):
        if not isinstance(node.target, ast.Name):
            self.assign(node.target, None)
        left = self.expression(ast.copy_location(_loaded(node.target), node))
        self.bind(
            node.target.id, self.binary(node.op, left, self.expression(node.value))
        )

    # ---- others without branches -----------------------------------------------------

    def _do_Expr(self, node):
        self.expression(node.value)

    def _do_Pass(self, node):
        pass

    def _do_Assert(self, node):
        test = self.test(node.test)
        if test is False:
            message = ""
            if node.msg is not None:
                value = self.expression(node.msg)
                message = str(value.value) if isinstance(value, Constant) else ""
            raise AssertionError(message or "this is never true")
        if test is not True:
            self.out.append(f"assert({test});")

    def _do_Return(self, node):
        value = Constant(None) if node.value is None else self.expression(node.value)
        if type_of(value) is None:
            found = value.value if isinstance(value, Constant) else type_of(value)
            raise TypeError(
                f"a number, or a tuple of numbers, has to be returned, not {found!r}"
            )
        place = []
        self.out.append(place)
        self.returned.append((value, place, node))
        return False

    # ---- branches --------------------------------------------------------------------

    def inner(self, statements, names):
        """Translate a branch: its C++, and the names at its end or None."""
        outer, self.out, self.names = (self.out, self.names), [], dict(names)
        falls = self.block(statements)
        out, after = self.out, self.names
        self.out, self.names = outer
        return out, after if falls else None

    def _do_If(self, node):
        test = self.test(node.test)
        if isinstance(test, bool):
            return self.block(node.body if test else node.orelse)
        before = self.names
        yes, after_yes = self.inner(node.body, before)
        no, after_no = self.inner(node.orelse, before)
        falls = self.meet([(after_yes, yes), (after_no, no)])
        self.out += [f"if ({test}) {{", yes]
        if no:
            self.out += ["} else {", no]
        self.out.append("}")
        return falls

    def meet(self, paths):
        """Go on where paths meet, each the names at its end (or None) and its
        statements. False where there is none.
        """
        paths = [(names, out) for names, out in paths if names is not None]
        if not paths:
            return False
        self.names = self.merged([names for names, _ in paths])
        for names, out in paths:
            self.adapt(names, self.names, out)
        return True

    def merged(self, ways):
        """The names where several ways meet."""
        every = dict.fromkeys(name for names in ways for name in names)
        return {
            name: self.common(name, [names[name] for names in ways if name in names])
            for name in every
        }

    def common(self, name, bindings):
        """What holds a name's values, whichever of the bindings they come from."""
        first = bindings[0]
        if all(same(first, b) for b in bindings):
            return first
        types = set()
        for bound in bindings:
            found = bound.types if isinstance(bound, Conflict) else {type_of(bound)}
            types |= found
        kind = next(iter(types))
        for other in types:
            kind = join(kind, other) if kind and other else None
        if kind is None or any(isinstance(b, Conflict) for b in bindings):
            known = {t if t is not None else "no number" for t in types}
            return Conflict(frozenset(known))
        return self.variable(name, kind)

    def adapt(self, names, wanted, out):
        """Assign what `wanted` holds elsewhere than `names` do."""
        for name, target in wanted.items():
            bound = names.get(name)
            if bound is None or not isinstance(target, Variable) or same(bound, target):
                continue
            if isinstance(bound, Variable):
                bound = self.fields(bound.type, bound.code)
            out.append(f"{target.code} = {self.build(bound, target.type)};")

    # ---- loops -----------------------------------------------------------------------

    def _do_While(self, node):
        def begin():
            outer, self.out = self.out, []
            test = self.test(node.test)
            setup, self.out = self.out, outer
            if isinstance(test, bool):
                return "while (true) {" if test else None, not test
            if not setup:
                return f"while ({test}) {{", True
            self.out += [*setup, f"if (!({test})) break;"]
            return "while (true) {", True

        return self.loop(node, begin)

    def _do_For(self, node):
        head, at = _for_head(self.new_name("k"), *self.range_of(node.iter))

        def begin():
            self.assign(node.target, Value(PYTHON_INT, at))
            return head, True

        return self.loop(node, begin)

    def range_of(self, node):
        """start, stop and step, as C++, and step as a constant or None."""
        if not isinstance(node, ast.Call) or node.keywords:
            raise NotImplementedError("a loop has to go over range(...)")
        function = self.expression(node.func)
        if not isinstance(function, Constant) or function.value is not range:
            raise NotImplementedError("a loop has to go over range(...)")
        values = [self.expression(arg) for arg in node.args]
        if not 1 <= len(values) <= 3:
            raise TypeError(f"range expected 1 to 3 arguments, got {len(values)}")
        if len(values) == 1:
            values.insert(0, Constant(0))
        if len(values) == 2:
            values.append(Constant(1))
        for value in values:
            kind = self.scalar(value, "an argument of range()")
            if kind.rank > 1:
                raise TypeError(f"'{kind}' object cannot be interpreted as an integer")
        step = values[2].value if isinstance(values[2], Constant) else None
        if step == 0:
            raise ValueError("range() arg 3 must not be zero")
        return [cast(value, Scalar("l")) for value in values], step

    def loop(self, node, begin):
        """A loop. `begin` translates what the body starts with, and gives the line that
        opens the loop (None where it never runs) and whether that line can end it.

        What the body leaves a name as is what the next round starts with: the body is
        translated again until both are one.
        """
        before = names = self.names
        flag = self.new_name("n") if node.orelse and _breaks(node) else None
        known, counted, returned = self.variables, self.counted, len(self.returned)
        while True:
            self.variables = {**known, **_variables_of(names)}
            self.counted, self.returned[returned:] = counted, []
            head, ends, body, rounds, breaks = self.round(node, names, begin, flag)
            ways = [before, names, *(after for after, _ in [*rounds, *breaks])]
            start = self.merged(ways)
            if all(n in names and same(names[n], start[n]) for n in start):
                break
            names = start
        self.adapt(before, names, self.out)
        for after, place in [*rounds, *breaks]:
            self.adapt(after, names, place)
        if head:
            if flag:
                self.out.append(f"bool {flag} = true;")
            self.out += [head, body, "}"]
        self.names = names
        if not ends:
            return bool(breaks)
        return not node.orelse or self.otherwise(node, names, flag, breaks)

    def round(self, node, names, begin, flag):
        """Translate a loop's body once, from these names."""
        loop = _Loop(flag)
        self.loops.append(loop)
        outer, self.out, self.names = self.out, [], dict(names)
        head, ends = begin()
        falls = head is not None and self.block(node.body)
        body, self.out = self.out, outer
        self.loops.pop()
        rounds = [*loop.continues, *([(self.names, body)] if falls else [])]
        return head, ends, body, rounds, loop.breaks

    def otherwise(self, node, names, flag, breaks):
        """The `else` of a loop, which a break passes over."""
        code, after = self.inner(node.orelse, names)
        falls = self.meet([(after, code), *((names, place) for _, place in breaks)])
        self.out += [f"if ({flag}) {{", code, "}"] if flag else [code]
        return falls

    def _do_Break(self, node):
        loop, place = self.loops[-1], []
        loop.breaks.append((dict(self.names), place))
        self.out.append(place)
        if loop.flag:
            self.out.append(f"{loop.flag} = false;")
        self.out.append("break;")
        return False

    def _do_Continue(self, node):
        place = []
        self.loops[-1].continues.append((dict(self.names), place))
        self.out += [place, "continue;"]
        return False


def _variables_of(names):
    return {
        (name, bound.type): bound
        for name, bound in names.items()
        if isinstance(bound, Variable)
    }


def _for_head(counter, bounds, step_known):
    """The line that opens a loop, and the counter's value in it."""
    start, stop, step = bounds
    if step_known == 1:
        line = f"for (int64 {counter} = {start}, {counter}_end = {stop}; "
        return f"{line}{counter} < {counter}_end; ++{counter}) {{", counter
    line = f"for (range {counter}({start}, {stop}, {step}); "
    return f"{line}{counter}.left > 0; {counter}.next()) {{", f"{counter}.at"


def _breaks(node):
    """Whether a loop has a break of its own."""

    def walk(statements):
        for s in statements:
            if isinstance(s, ast.Break):
                return True
            inner = [*getattr(s, "orelse", [])]
            if not isinstance(s, ast.For | ast.While):
                inner += getattr(s, "body", [])
            if walk(inner):
                return True
        return False

    return walk(node.body)


def _loaded(name):
    return ast.Name(name.id, ast.Load())


# What a variable cannot be called: words of C++, macros, and what the code calls.
_TAKEN = set(
    """
    alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char
    char16_t char32_t class compl const const_cast constexpr continue decltype default
    delete do double dynamic_cast else enum explicit export extern false float for
    friend goto if inline int long major minor mutable namespace new noexcept not
    not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast return short signed sizeof static static_assert static_cast struct
    switch template this thread_local throw true try typedef typeid typename typeof
    union unsigned using virtual void volatile wchar_t while xor xor_eq unix linux
    convert truth real range double_of float_of
    int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64
    complex64 complex128
    """.split()  # noqa: SIM905
)


def _identifier(name):
    """A name of Python's as one of C++'s that nothing else has."""
    plain = "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)
    taken = plain in _TAKEN or plain != plain.lower() or plain != name
    taken |= plain.startswith(("_", "row_", "tuple_")) or plain[-1:] in "_0123456789"
    if plain.startswith("_"):
        plain = f"v{plain}"
    return f"{plain}_" if taken else plain
