"""A call of each line of the table, for the tests that run every line."""

import functools
import re
import warnings

import numpy as np

from . import calls, generate
from .program import compiled
from .row import MODULES
from .sides import Cupric


class Example:
    """A program whose last step is a call of the row that succeeds in NumPy."""

    def __init__(self, row, steps):
        self.row, self.steps = row, steps
        self.call = steps[-1]
        self.code = compiled(self.call.source)
        self.writes = "out=" in self.call.text or row.writes

    def arrays(self):
        """What the call can name: fresh arrays on the device, and modules."""
        side = Cupric()
        for step in self.steps[:-1]:
            outcome = side.run(step)
            assert not isinstance(outcome, Exception), f"{step.source}: {outcome!r}"
        return side.names

    def run(self, names):
        exec(self.code, names)

    def contents(self, names):
        """The bytes of what each variable holds, and its type and shape."""
        variables = [s.target for s in self.steps if s.target in names]
        return {name: contents(names[name]) for name in variables}


def contents(x):
    if isinstance(x, tuple | list):
        return [contents(item) for item in x]
    if hasattr(x, "get"):
        return x.dtype, x.shape, x.get().tobytes()
    return repr(x)


def example(row, seed=0, attempts=300):
    """The first one found whose first operand has several elements, or the first, or
    None."""
    first = None
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(attempts):
            generator = generate.Generator(seed, number)
            generator.wild = False
            generator.step(row)
            if generator.succeeded and generator.program.steps:  # not too large
                first = first or Example(row, generator.program.steps)
                if generator.first.size > 1:
                    return Example(row, generator.program.steps)
    return first


@functools.cache
def every(seed=0):
    """An example of each row that has one, by the row's line."""
    rows = {row.spec: row for rows in calls.ROWS.values() for row in rows}
    found = {spec: example(row, seed) for spec, row in rows.items()}
    return {spec: each for spec, each in found.items() if each}


def names():
    """The public names that the table has: "sum", "linalg.inv", ".sum", "add.at",
    "RandomState.beta"."""
    found = set()
    of_scipy = "|".join(MODULES)
    for rows in calls.ROWS.values():
        for row in rows:
            found.add(row.name)
            found.update(
                re.findall(rf"(?:xp\.|(?=(?:{of_scipy})\.))([\w.]+)\(", row.spec)
            )
            found.update(re.findall(r"\}\)?(\.\w+)[(\[]", row.spec))
            made = re.findall(r"(RandomState|default_rng)\([^)]*\)\.(\w+)\(", row.spec)
            found.update(f"{maker}.{method}" for maker, method in made)
    return found
