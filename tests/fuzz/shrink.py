"""A program that differs, made as short as it can be.

Statements are dropped, made inputs of their results, simplified, and put into those
that use them; inputs lose elements, dimensions and odd values. Whatever still shows the
same difference is kept.
"""

import ast
import time
from dataclasses import replace

import numpy as np

from .program import Program
from .row import MODULES
from .sides import NumPy

SECONDS = 8  # for one program
HALVED = 17  # numbers, lengths of large arrays among them, that may also become less


def shrink(program, differs, until=float("inf")):
    """`differs(program)` gives the number of the step that shows the difference, or
    None. The program given shows one. `until`: when to be done, by time.monotonic."""
    until = min(until, time.monotonic() + SECONDS)
    shorter = True
    while shorter and time.monotonic() < until:
        shorter = False
        for phase in (_without, _frozen, _simpler, _inlined):
            smaller = _minimal(program, phase, differs, until)
            shorter = shorter or smaller is not program
            program = smaller
    return program


def _minimal(program, phase, differs, until):
    """The program after all that a phase can do to it, step by step from the last."""
    i = len(program.steps)
    while i > 0:
        i = min(i, len(program.steps)) - 1
        if i < 0:
            break
        found = True
        while found and i < len(program.steps) and time.monotonic() < until:
            found = False
            for smaller in phase(program, i):
                if time.monotonic() > until:  # a try may take long: a kernel compiled
                    return program
                last = differs(smaller)
                if last is not None:
                    program, found = _with(smaller, smaller.steps[: last + 1]), True
                    break
    return program


def _with(program, steps):
    return Program(program.seed, program.number, steps)


def _put(program, i, step):
    return _with(program, [*program.steps[:i], step, *program.steps[i + 1 :]])


def _without(program, i):
    """The step dropped, if another remains."""
    if i < len(program.steps) - 1:
        yield _with(program, program.steps[:i] + program.steps[i + 1 :])


def _frozen(program, i):
    """The result of the step, as NumPy has it, made an input."""
    step = program.steps[i]
    if step.data is not None or not step.target or i == len(program.steps) - 1:
        return
    side = NumPy()
    for earlier in program.steps[: i + 1]:
        side.run(earlier)
    result = side.names.get(step.target)
    if isinstance(result, np.ndarray) and result.size < 100:
        data = np.array(result, order="C")
        yield _put(program, i, replace(step, text="", row=None, data=data))


def _simpler(program, i):
    """The step with simpler values or a simpler text."""
    step = program.steps[i]
    if step.data is not None:
        for data in smaller_arrays(step.data):
            yield _put(program, i, replace(step, data=data))
    elif not step.numpy_text:
        for text in simpler_texts(step.text):
            if "where=" in text and "out=" not in text and "out=" in step.text:
                continue  # the rest of the result would be whatever memory held
            yield _put(program, i, replace(step, text=text))


def _inlined(program, i):
    """The statement put where its variable is used, if that is one place."""
    step, steps = program.steps[i], program.steps
    if not step.target or step.data is not None or step.numpy_text:
        return
    users = [k for k in range(i + 1, len(steps)) if step.target in steps[k].names]
    if len(users) != 1 or steps[users[0]].numpy_text:
        return
    user = steps[users[0]]
    put = _PutName(step.target, ast.parse(step.text, mode="eval").body)
    text = ast.unparse(ast.fix_missing_locations(put.visit(ast.parse(user.text))))
    if len(text) <= 100:
        smaller = _put(program, users[0], replace(user, text=text))
        del smaller.steps[i]
        yield smaller


# ---- inputs --------------------------------------------------------------------------


def smaller_arrays(x):
    for axis, n in enumerate(x.shape):
        for m in sorted({0, 1, n // 2, n - 1}):
            if 0 <= m < n:
                yield x[tuple([slice(None)] * axis + [slice(m)])].copy()
        if n == 1:
            yield x.reshape(x.shape[:axis] + x.shape[axis + 1 :])
    if x.size == 0:
        return
    for value in (0, 1):
        full = np.full(x.shape, value, x.dtype)
        if full.tobytes() == x.tobytes():
            break
        yield full
    if x.size <= 8:
        yield from _with_simpler_elements(x)


def _with_simpler_elements(x):
    flat = x.reshape(-1)
    for i in range(flat.size):
        for value in (0, 1, 2):
            other = flat.copy()
            other[i] = value
            if _weight(other[i]) < _weight(flat[i]):
                yield other.reshape(x.shape)


def _weight(value):
    """What every step lowers, as shrinking would not end else: False is 0."""
    value = value.item() if hasattr(value, "item") else value
    text = repr(int(value) if isinstance(value, bool) else value)
    return len(text), text


# ---- statements ----------------------------------------------------------------------


def simpler_texts(text):
    tree = ast.parse(text)
    seen = {text}
    for i, node in enumerate(ast.walk(tree)):
        for j in range(len(_edits(node))):
            other = ast.parse(text)
            edited = next(x for k, x in enumerate(ast.walk(other)) if k == i)
            new = _edits(edited)[j]()
            if new is not None:
                other = _Put(edited, new).visit(other)
            try:
                simpler = ast.unparse(ast.fix_missing_locations(other))
                ast.parse(simpler)  # `f() **= 2` is none
            except Exception:
                continue
            if simpler not in seen and len(simpler) <= len(text):
                seen.add(simpler)
                yield simpler


class _Put(ast.NodeTransformer):
    """Another node in the place of one."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)


def _is_module(node):
    """Whether it is `xp`, or `xp.linalg`. No statement is about one: what is left of
    `xp.ravel(a).shape = 6` must not set `numpy.shape` for all that follows."""
    if isinstance(node, ast.Attribute):
        return _is_module(node.value)
    modules = ("xp", "np", "scalars", "blas")
    return isinstance(node, ast.Name) and node.id in (*modules, *MODULES)


def _edits(node):
    """What can be done to a node: functions that change it, or return another."""
    edits = []
    if isinstance(node, ast.Call):
        for i in range(len(node.keywords)):
            edits.append(lambda i=i: node.keywords.pop(i) and None)
        if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
            edits.append(lambda: node.func.value)
        edits += [lambda i=i: node.args[i] for i in range(len(node.args))]
    elif isinstance(node, ast.Subscript | ast.Attribute | ast.Starred):
        if _is_module(node.value):
            return edits
        edits.append(lambda: node.value)
    elif isinstance(node, ast.BinOp):
        edits += [lambda: node.left, lambda: node.right]
    elif isinstance(node, ast.UnaryOp):
        edits.append(lambda: node.operand)
    elif isinstance(node, ast.Tuple | ast.List):
        for i in range(len(node.elts)):
            edits.append(lambda i=i: node.elts.pop(i) and None)
        if len(node.elts) == 1:
            edits.append(lambda: node.elts[0])
    elif isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            if getattr(node, part) is not None:
                edits.append(lambda part=part: setattr(node, part, None))
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float, complex):
        simpler = (0, 1) if node.value not in (0, 1) else (0,) if node.value else ()
        if type(node.value) is int and node.value > HALVED:
            simpler += (node.value // 2, node.value * 3 // 4)
        edits += [lambda v=v: setattr(node, "value", v) for v in simpler]
    return edits


class _PutName(ast.NodeTransformer):
    def __init__(self, name, value):
        self.name, self.value = name, value

    def visit_Name(self, node):
        return self.value if node.id == self.name else node
