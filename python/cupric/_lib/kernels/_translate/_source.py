"""From a Python function to its syntax tree and the values of its names."""

import ast
import builtins
import functools
import inspect
import linecache
import textwrap
import types

__all__ = [
    "Source",
    "fail",
]


class Source:
    """The text of a Python function.

    Parameters
    ----------
    function : function
        By `def` or `lambda`, at any level, with or without decorators (which are not
        looked at), also in a notebook.

    Attributes
    ----------
    node : ast.FunctionDef or ast.Lambda
    name : str
        The function's, for messages.
    names : dict
        What the function's free names stand for, filled by `look_up`: (holder, name) by
        name, for who wants to know whether they still do.
    """

    def __init__(self, function):
        if not isinstance(function, types.FunctionType):
            raise TypeError(
                f"a function written in Python is needed, not {function!r}"
                f" of type {type(function).__name__}"
            )
        self.function = function
        self.code = function.__code__
        self.name = function.__name__
        self.file, self.lines, self.offset, tree = _read(function)
        self.node = _find(tree, function, self.offset)

    def line(self, node):
        """The number of a node's line in the file, and the line."""
        number = getattr(node, "lineno", self.node.lineno)
        text = self.lines[number - 1] if number <= len(self.lines) else ""
        return number + self.offset, text.strip()

    def look_up(self, name):
        """What a name that is not the function's own stands for.

        Returns
        -------
        value : object
        holder : cell or dict
            Where it was found.
        """
        if name in self.code.co_freevars:
            cell = self.function.__closure__[self.code.co_freevars.index(name)]
            try:
                return cell.cell_contents, cell
            except ValueError:
                raise NameError(
                    f"name '{name}' is used before it is assigned in the function "
                    f"around '{self.name}'"
                ) from None
        for holder in (self.function.__globals__, vars(builtins)):
            if name in holder:
                return holder[name], holder
        raise NameError(f"name '{name}' is not defined")


def fail(kind, source, node, message):
    """Raise an error that shows the line it is about."""
    number, text = source.line(node)
    raise kind(
        f"{message}\n\n"
        f'  File "{source.file}", line {number}, in {source.name}\n    {text}'
    )


def _read(function):
    """The file, its lines, how many lines were left out before them, and the tree."""
    file = inspect.getsourcefile(function) or function.__code__.co_filename
    linecache.checkcache(file)
    lines = tuple(linecache.getlines(file, function.__globals__))
    if lines:
        tree = _parse("".join(lines))
        if tree is not None:
            return file, lines, 0, tree
    try:  # a file that is no Python as a whole, as a notebook's cell with magics
        part, first = inspect.getsourcelines(function)
    except OSError:
        raise OSError(
            f"the source of '{function.__name__}' is not there: only functions that "
            "were read from a file or typed into a notebook or an interactive "
            "interpreter that keeps its text can be translated, not those made by "
            "exec or eval"
        ) from None
    part = textwrap.dedent("".join(part))
    tree = _parse(part)
    if tree is None:
        raise OSError(f"the source of '{function.__name__}' in {file} cannot be read")
    return file, tuple(part.splitlines()), max(first, 1) - 1, tree


@functools.lru_cache(maxsize=64)
def _parse(text):
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def _first_line(node):
    """As a code object counts: a decorated function begins with its decorators."""
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def _parameters(node):
    a = node.args
    names = [p.arg for p in [*a.posonlyargs, *a.args, *a.kwonlyargs]]
    return tuple(names + [p.arg for p in (a.vararg, a.kwarg) if p])


def _find(tree, function, offset):
    code = function.__code__
    kind = ast.Lambda if code.co_name == "<lambda>" else ast.FunctionDef
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS)
    count += bool(code.co_flags & inspect.CO_VARKEYWORDS)
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, kind)
        and _first_line(node) == code.co_firstlineno - offset
        and getattr(node, "name", "<lambda>") == code.co_name
        and sorted(_parameters(node)) == sorted(code.co_varnames[:count])
    ]
    if len(found) > 1:
        found = [node for node in found if _holds(node, code)]
    if len({ast.dump(node) for node in found}) > 1:
        raise ValueError(
            f"Multiple callables are found in line {code.co_firstlineno} of "
            f"{code.co_filename}: give each a line of its own"
        )
    if not found:
        raise OSError(
            f"'{function.__name__}' is not in line {code.co_firstlineno} of "
            f"{code.co_filename}, which has changed since it was imported"
        )
    return found[0]


def _holds(node, code):
    """Whether code that knows its columns (Python 3.11 and later) is the node's."""
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return True
    body = node.body if isinstance(node, ast.Lambda) else node
    begin = (body.lineno, body.col_offset)
    end = (body.end_lineno, body.end_col_offset)
    for line, _, column, _ in positions():
        if line is None or column is None or column == 0:
            continue
        if not begin <= (line, column) < end:
            return False
    return True
