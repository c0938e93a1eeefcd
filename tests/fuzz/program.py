"""A program: inputs and statements, and how it is shown."""

import ast
import functools
import re
from dataclasses import dataclass, field

import numpy as np

from . import values
from .row import MODULES, Row


@functools.lru_cache(1 << 12)
def compiled(text):
    return compile(text, "<fuzz>", "exec")


@dataclass
class Step:
    """`target = text`, a statement of its own where there is no target, or an input,
    which has its values in `data`."""

    text: str
    target: str = ""
    row: Row | None = None
    data: np.ndarray | None = None
    numpy_text: str = ""  # what NumPy runs, where it is not the same

    @property
    def source(self):
        text = values.array_literal(self.data) if self.data is not None else self.text
        return f"{self.target} = {text}" if self.target else text

    @property
    def numpy_source(self):
        text = self.numpy_text
        if not text and self.row and self.row.name in _ASSIGNMENTS:
            text = _from_a_copy(self.text)
        if not text:
            return self.source
        return f"{self.target} = {text}" if self.target else text

    @property
    def names(self):
        """The variables that it reads, or writes to."""
        return _variables(self.text)

    @property
    def reads(self):
        """Those that it reads, but for what an assignment is made to."""
        return _variables(self.text, but="out")


# Of which NumPy reads elements that it has written: `x[::2] = x[:3]`.
_ASSIGNMENTS = ("{place} = {y}", "xp.copyto({target}, {y})")


@functools.lru_cache(1 << 12)
def _from_a_copy(text):
    """The statement with a copy in the place of the array that it reads."""
    tree = ast.parse(text)
    match tree.body[0]:
        case ast.Assign(value=read):
            pass
        case ast.Expr(value=ast.Call(args=[_, read])):
            pass
        case _:  # what shrinking left
            return text
    start, end = read.col_offset, read.end_col_offset
    read = text[start:end]
    copy = f"(np.copy({read}) if isinstance({read}, np.ndarray) else {read})"
    return f"{text[:start]}{copy}{text[end:]}"


_NOT_VARIABLES = {"xp", "np", *MODULES, "scalars", "bfloat16", "nan", "inf", "drawn"}


@functools.lru_cache(1 << 12)
def _variables(text, but=""):
    """Those that are named, but for those that an argument names."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            node.keywords = [k for k in node.keywords if k.arg != but]
    found = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return tuple(sorted(found - _NOT_VARIABLES))


@dataclass
class Program:
    seed: int
    number: int
    steps: list = field(default_factory=list)

    def __len__(self):
        return len(self.steps)


def shown(program, got="", expected=""):
    """The program as it pastes into an interpreter; what differed as comments."""
    lines = [step.source for step in program.steps]
    text = "\n".join(lines)
    header = "import numpy as np, cupric as cp"
    if re.search(r"\b(nan|inf)\b", text):
        header += "; from numpy import nan, inf"
    if "bfloat16" in text:
        header += "; from ml_dtypes import bfloat16"
    if "drawn(" in text:
        header += "; from tests.fuzz.drawn import drawn"
    if "scalars." in text:
        header += "; from tests.fuzz import scalars"
    last = program.steps[-1]
    if last.target:
        lines[-1] = f"return {last.text}"
    else:
        lines.append(f"return {', '.join(last.names)}")
    for name, module in MODULES.items():
        if re.search(rf"\b{name}\.", text):
            header += f"; import scipy.{module}, cupricx.scipy.{module}"
            package = "(cupricx.scipy if xp is cp else scipy)"
            lines.insert(0, f"{name} = {package}.{module}")
    body = "\n".join(f"    {line}" for line in lines)
    call = f"f(np)  # {expected}\nf(cp)  # {got}"
    if any(step.numpy_text for step in program.steps):
        call = f"f(cp)  # {got}, not {expected}"
    return f"{header}\ndef f(xp):\n{body}\n\n{call}\n"
