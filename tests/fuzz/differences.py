"""The deliberate differences from NumPy and from CuPy.

The fuzzer passes over exactly what a row accepts. docs/differences.md is made of the
table (`python -m tests.fuzz.differences > docs/differences.md`), which a test checks.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """A difference, as a row of the table is shown it."""

    step: object  # program.Step
    found: object  # compare.Difference
    operands: tuple = ()  # NumPy's arrays of the variables that the step names

    @property
    def row(self):
        return self.step.row.name if self.step.row else ""

    def errors(self, theirs=None, ours=None):
        """Whether NumPy raised `theirs` and we `ours`; None is no error."""
        return self.found.kind == "error" and all(
            error is None if wanted is None else isinstance(error, wanted)
            for error, wanted in [
                (self.found.error, theirs),
                (self.found.got_error, ours),
            ]
        )

    def says(self, pattern):
        """Whether NumPy's message has the pattern."""
        return bool(re.search(pattern, str(self.found.error)))


@dataclass(frozen=True)
class Deliberate:
    what: str
    others: str  # NumPy, CuPy, or both: who does it otherwise
    why: str
    instead: str
    accepts: Callable[[Case], bool] | None = None  # where the fuzzer can meet it


def _out_of_bounds(case):
    return case.errors(IndexError, None) and case.says("out of bounds")


def _two_mistakes(case):
    """NumPy finds the dtypes wrong and we the shapes, or the other way round."""
    if case.found.kind != "error" or case.found.error is None:
        return False
    texts = [str(case.found.error), str(case.found.got_error)]
    shapes = [bool(re.search("broadcast|shape|dimension", t)) for t in texts]
    dtypes = [bool(re.search("cast|not supported|loop|dtype", t)) for t in texts]
    return (shapes[0] and dtypes[1]) or (dtypes[0] and shapes[1])


def _element_in_place(case):
    """x[0] += y is arithmetic of NumPy's scalars there."""
    augmented = re.match(r"\{(place|target)\}\S* \S+= ", case.row)
    return bool(augmented) and case.errors(None, TypeError | ValueError)


def _bfloat16(case):
    involved = [x.dtype.kind == "V" for x in case.operands]
    return any(involved) or "bfloat16" in case.step.text


def _objects(case):
    if case.errors(None, TypeError):
        return "dtype('O')" in str(case.found.got_error)
    return False


TABLE = [
    Deliberate(
        "Reductions, and indices that pick one element, give arrays of no dimensions.",
        "NumPy",
        "The value stays on the device and nothing waits for it. Such an array from "
        "an index is a view: writing to it writes to the array, and `x[0] += y` is "
        "checked as an operation in place.",
        "`float(x.sum())`, `x.sum().item()` for a Python number; `x[0].copy()`.",
        _element_in_place,
    ),
    Deliberate(
        "`ascontiguousarray` and `asfortranarray` of a 0-d array have no dimensions.",
        "NumPy",
        "As CuPy. An array of no dimensions is contiguous as it is.",
        "`atleast_1d(x)`.",
        lambda case: (
            case.row in ("ascontiguousarray", "asfortranarray")
            and case.found.kind == "shape"
        ),
    ),
    Deliberate(
        "bfloat16 promotes as the floating dtypes of NumPy do: with a Python number "
        "it stays, with integers of 16 bits it becomes float32, of more float64.",
        "NumPy",
        "`ml_dtypes` knows no weak numbers and refuses some pairs of dtypes; sums are "
        "made in float32 here.",
        "`x.astype(dtype)` where another dtype is meant.",
        _bfloat16,
    ),
    Deliberate(
        "Of a call with two mistakes another may be told: of shapes that do not "
        "broadcast before a cast that is not allowed.",
        "both",
        "The checks are made in the order that costs least.",
        "Catch both.",
        _two_mistakes,
    ),
    Deliberate(
        "Arrays are not converted to NumPy's by themselves: `np.asarray(x)` raises "
        "`TypeError`.",
        "NumPy",
        "It would be a copy from the device that the program does not show.",
        "`x.get()` or `cupric.asnumpy(x)`.",
    ),
    Deliberate(
        "A NumPy array beside a device array, as in `x + a`, raises `TypeError`: "
        "Unsupported type <class 'numpy.ndarray'>.",
        "NumPy",
        "It would be a copy to the device that the program does not show.",
        "`x + cupric.asarray(a)`.",
    ),
    Deliberate(
        "Integer arrays as indices wrap where they are out of bounds.",
        "NumPy",
        "To raise, a call would have to wait for the device. CuPy wraps too.",
        "`CUPRIC_CHECK=1` raises `IndexError` while a program is tried out.",
        _out_of_bounds,
    ),
    Deliberate(
        "The same seed gives other random numbers.",
        "both",
        "They come from Philox, so that every device and release gives the same.",
        "docs/random.md computes them with NumPy.",
    ),
    Deliberate(
        "NumPy arrays of objects, texts and dates are refused with `TypeError`.",
        "NumPy",
        "Elements that point to Python's memory cannot live on a device.",
        "Convert to numbers first.",
        _objects,
    ),
]


def explained(case):
    """The row that accepts the case, or None."""
    return next((row for row in TABLE if row.accepts and row.accepts(case)), None)


_PAGE = """\
# Differences

What cupric does otherwise than NumPy 2 or CuPy, on purpose, why, and what to write
instead. Everything else that differs is a defect. (Made by `python -m
tests.fuzz.differences` of the table in
[tests/fuzz/differences.py](../tests/fuzz/differences.py), by which `make fuzz` goes.)
"""


def page():
    """docs/differences.md."""
    parts = [_PAGE]
    for others, title in [
        ("NumPy", "From NumPy, as in CuPy"),
        ("CuPy", "From CuPy, as in NumPy"),
        ("both", "From both"),
    ]:
        rows = [row for row in TABLE if row.others == others]
        if rows:
            parts.append(f"## {title}\n")
            parts.append("| What | Why | Instead |\n| --- | --- | --- |")
            parts += [f"| {r.what} | {r.why} | {r.instead} |" for r in rows]
            parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
