"""A program on two sides, compared after each statement."""

import re

import numpy as np

from . import compare, values, wide
from .bounds import EXACT
from .program import Program


class Replay:
    """The state between two statements: the arrays alive, as (NumPy's, ours)."""

    def __init__(self, reference, subject, often=True):
        """`often`: all memory is compared after each statement; else after those that
        write, and at the end."""
        self.reference, self.subject, self.often = reference, subject, often
        self.live = {}
        self.before = []  # what a step reads and may write to, as it was before

    def step(self, step):
        """The difference that the step shows, or None."""
        self.before = self._copies(step)
        expected, got = self.reference.run(step), self.subject.run(step)
        self.expected = expected
        if self.reference.is_scalar(step.target) and _has(got, step.target):
            got[step.target] = self.subject.detach(step.target)
        for name in [n for n in self.live if n.partition("[")[0] == step.target]:
            del self.live[name]  # assigned before, by a call that fails in NumPy alone
        new = [] if isinstance(got, Exception) else list(got.values())
        looks_at_all = self.often or not _reads_only(step)
        self.subject.fetch([*new, *(self._ours() if looks_at_all else ())])
        if isinstance(expected, Exception) or isinstance(got, Exception):
            return compare.errors(expected, got) or self._memory(step)
        found = self._results(step, expected, got)
        return found or (self._memory(step) if looks_at_all else None)

    def end(self, step):
        """The same of all that is alive when the last statement has run."""
        if self.often:
            return None
        self.subject.fetch(self._ours())
        return self._memory(step)

    def _ours(self):
        return [ours for _, ours in self.live.values()]

    def settle(self, step):
        """After a difference: our side gets what NumPy has, so that the program can go
        on. Whether that was possible: a view cannot be made a view again."""
        # Bools first: the bytes of True are told by a view of another dtype alone.
        pairs = sorted(self.live.values(), key=lambda pair: pair[0].dtype != bool)
        if not all(self._same_memory(*pair) for pair in pairs):
            return False
        if not step.target:
            return True
        if isinstance(self.expected, Exception) or not self.expected:
            self.subject.forget(step.target)
            return True
        shared = [x for name in self.expected for x, _ in self._others(name)]
        arrays = {n: self.reference.read(x) for n, x in self.expected.items()}
        known = all(x.dtype in values.TAME for x in arrays.values())
        if not known or any(
            self.reference.overlap(x, y) for x in self.expected.values() for y in shared
        ):
            return False
        ours = self.subject.give(step.target, arrays)
        self.live.update({n: (x, ours[n]) for n, x in self.expected.items()})
        return True

    def _others(self, name):
        """The pairs alive that are not the variable's own."""
        own = name.partition("[")[0]
        return [p for n, p in self.live.items() if n.partition("[")[0] != own]

    def _same_memory(self, theirs, ours):
        """Gives our array NumPy's elements; whether it could."""
        data = self.reference.read(theirs)
        if data.shape != ours.shape or data.strides != ours.strides:
            return False
        if data.tobytes() != self.subject.read(ours).tobytes():
            try:
                self.subject.write(ours, self.subject.xp.array(data))
            except ValueError:  # not writable
                return False
        return True

    def _results(self, step, expected, got):
        if not step.target:
            return None
        if not expected and not got:
            return self._plain(step)
        if expected.keys() != got.keys():
            return self._kinds(step, expected, got)
        for name, theirs in expected.items():
            ours = got[name]
            found = self._array(step, name, theirs, ours)
            found = found or self._layout(step, name, theirs, ours)
            if found:
                return found
        if self._may_be_view_of_other_strides(step):
            self.reference.forget(step.target)
            self.subject.forget(step.target)
            return None
        for name in expected:
            self.live[name] = (expected[name], got[name])
        return None

    def _may_be_view_of_other_strides(self, step):
        """Whether the result may be a view on one side and a copy on the other, as that
        of `reshape` may, as the sides keep an operand in another memory order."""
        return any(
            a.size and a.strides != b.strides and name.partition("[")[0] in step.names
            for name, (a, b) in self.live.items()
        )

    def _kinds(self, step, expected, got):
        """Where NumPy gives a Python number, CuPy gives an array of no dimensions."""
        plain = self.reference.value(step.target)
        if isinstance(plain, bool | int | float | complex) and list(got) == [
            step.target
        ]:
            return self._array(step, step.target, np.asarray(plain), got[step.target])
        theirs = self.reference.value(step.target)
        ours = self.subject.value(step.target)
        names = (type(theirs).__name__, type(ours).__name__)
        return compare.Difference("type", step.target, *names)

    def _plain(self, step):
        """Results that are no arrays: text, tuples of integers, dtypes."""
        theirs = self.reference.value(step.target)
        ours = self.subject.value(step.target)
        if repr(theirs) == repr(ours) or (type(theirs), theirs) == (type(ours), ours):
            return None
        return compare.Difference("type", step.target, repr(theirs), repr(ours))

    def _array(self, step, name, theirs, ours):
        """Compares, and gives NumPy what ours has where that is not the same bits."""
        there, data = self.reference.read(theirs), self.subject.read(ours)
        bound = step.row.bound if step.row else EXACT

        def tolerance(expected):
            if bound is EXACT:
                return None
            operands = self.operands(step)
            return bound.tolerance(expected, operands, _computed_in(step, operands))

        found = compare.arrays(name, there, data, tolerance)
        if not found and not self.often and not compare.same_bits(data, there):
            found = wide.difference(step, self.reference.names, name, data)
        # A bool whose byte is neither 0 nor 1 stays as it is on either side.
        if not found and data.dtype != bool and not compare.same_bits(data, there):
            self.reference.write(theirs, data)
        return found

    def operands(self, step):
        """NumPy's arrays of the variables that the step names; of those that it may
        have written to, what it read, too."""
        return self._named(step.names) + self.before

    def _named(self, names):
        found = [x for n, (x, _) in self.live.items() if n.partition("[")[0] in names]
        return [self.reference.read(x) for x in found]

    def _copies(self, step):
        if step.target and "out=" not in step.text:
            return []
        return [x.copy() for x in self._named(step.reads)]

    def _layout(self, step, name, theirs, ours):
        if self._may_be_view_of_other_strides(step):
            return None
        is_view = False
        for other, (a, b) in self.live.items():
            if a.size and a.strides != b.strides:
                continue
            shared = self.reference.overlap(theirs, a)
            if shared != self.subject.overlap(ours, b):
                words = ("shares memory", "shares no memory")
                pair = words if shared else words[::-1]
                return compare.Difference("views", f"{name} and {other}", *pair)
            is_view = is_view or shared
        if step.row is None or not (is_view or self._order_is_promised(step)):
            return None
        return compare.layout(name, theirs, ours, is_view)

    def _order_is_promised(self, step):
        """NumPy and CuPy agree on new arrays made of C-contiguous ones."""
        if not step.row.order or _OTHER_ORDER.search(step.text):
            return False
        # Arrays without elements are contiguous in any order.
        return all(x.size and x.flags.c_contiguous for x in self.operands(step))

    def _memory(self, step):
        """All arrays alive. What the step may write to has its bound, the rest none."""
        for name, (theirs, ours) in self.live.items():
            ours_, theirs_ = self.subject.read(ours), self.reference.read(theirs)
            if compare.same_bits(ours_, theirs_):
                continue
            found = self._array(step, name, theirs, ours)
            if found:
                found.kind = "memory"
                return found
        return None


# What an operand may be that is not the whole of an array, as it lies in memory.
_OTHER_ORDER = re.compile(
    r"\[|\.T|order=|transpose\(|swapaxes\(|reshape\(|broadcast_to|asfortranarray"
)


def _reads_only(step):
    writes = step.row is not None and step.row.writes
    return bool(step.target) and not writes and "out=" not in step.text


def _has(outcome, name):
    return not isinstance(outcome, Exception) and name in outcome


def _computed_in(step, operands):
    """The dtypes that the step computes in, by which a bound goes, too: the one that it
    names; of short integers, whatever out= has."""
    found = re.search(r"dtype='([efF])'", step.text)
    codes = [found[1]] if found else []
    if "out=" in step.text and step.row.family == "ufuncs":
        short = [x.dtype.itemsize for x in operands if x.dtype.kind in "biu"]
        codes += [{1: "e", 2: "f"}[n] for n in short if n < 4]
    return [np.dtype(code) for code in codes]


def replay(program, sides):
    """(number of the step, difference), or None where the sides agree."""
    state = Replay(*(side() for side in sides))
    for i, step in enumerate(program.steps):
        found = state.step(step)
        if found:
            return i, found
    return None


def cut(program, last):
    """The program up to a step."""
    return Program(program.seed, program.number, program.steps[: last + 1])
