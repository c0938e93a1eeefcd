"""Program k of seed s. It depends on NumPy and these two numbers, on no device.

A statement is drawn for the arrays that NumPy has at that point, so that most calls are
ones that succeed, and is then run by NumPy to see what the next can use.
"""

import functools
import importlib
import math
import random

import ml_dtypes
import numpy as np

import cupricx

from . import (
    blas,
    calls,
    choices,
    draw,
    images,
    indices,
    large,
    operands,
    row,
    scalars,
    special,
    values,
)
from .drawn import drawn
from .program import Program, Step, compiled

WORDS = (
    draw,
    choices,
    operands,
    images,
    blas,
)  # the modules that give the table its words
LENGTHS = (5, 20)  # of a program, in calls
LARGEST = 20_000  # elements of a result that a program goes on with
LARGEST_LONG = 500_000  # in a program of long arrays
PARTS = 700  # arrays that a call may give
LONG = 0.02  # how often a program has long arrays
BLOCK = 500  # programs that share a few dtypes
SHARED = 0.95  # how often a dtype is one of those
_NAMES = [c for c in "abcdefghijklmnopqrstuvwyz"]
_NAMES += [f"{c}{i}" for i in range(1, 9) for c in "abcdefgh"]


@functools.lru_cache(maxsize=16)
def few(seed, block):
    """The codes of the dtypes that the programs of a block share. A device that
    compiles kernels for dtypes has most of them soon; pairs of all dtypes meet, in one
    block or another."""
    draw = random.Random(f"{seed} {block}").choice
    return [
        draw("lilil?bBhHIL"),
        draw("fdfde"),
        draw("qQFDFD?eBh"),
        draw([*values.CODES, "bfloat16", "bfloat16"]),
    ]


class Generator:
    """A program in the making: what draw.py draws from."""

    nothing = np.zeros(())  # `first` before there is one
    kinds = draw.KINDS  # the words of the table
    viewed = 0.3  # how often an operand is a view
    lengths = LENGTHS
    block = BLOCK
    rows = staticmethod(calls.draw)

    def __init__(self, seed, number):
        self.rng = random.Random(seed << 40 | number)
        self.few = few(seed, number // self.block)
        self.random = self.rng.random
        self.program = Program(seed, number)
        self.names = namespace(np)
        self.live = {}  # array by the source that names it: "a", "b[0]"
        self.first = self.nothing  # the array drawn first for the call in the making
        self.text = ""  # of the call so far
        self.succeeded = False  # the last step, in NumPy
        self.wild = self.chance(0.35)
        self.long = self.chance(LONG)

    # What the words of the table draw with.

    def below(self, n):
        return int(self.random() * n)

    def chance(self, p):
        return self.random() < p

    def one(self, choices):
        return choices[int(self.random() * len(choices))]

    def new(self, shape=None, dtype=None):
        """A new input's name. Of a dtype that there are no values of, as of objects,
        which NumPy makes of large numbers, it is float64."""
        if shape is None:
            shape = (indices.long if self.long else indices.shape)(self.rng)
        if not isinstance(dtype, np.dtype):
            dtype = dtype or self.code([*values.CODES, "bfloat16"])
            dtype = values.DTYPES[dtype]
        if dtype not in values.TAME:
            dtype = values.DTYPES["d"]
        return self.given(
            values.array(self.rng, shape, dtype, self.wild and self.chance(0.5))
        )

    def given(self, data):
        """A new input of these values; its name."""
        name = self.unused()
        self.program.steps.append(Step("", name, data=data))
        self.live[name] = self.names[name] = data.copy()
        return name

    def candidates(self):
        """What an operand is drawn from: (source, array)."""
        return self.live.items()

    def view(self, text, x):
        """A view of an array, as (source, NumPy's array)."""
        text += indices.view(self.rng, x.ndim, self.long)
        return text, self.evaluate(text)

    @property
    def largest(self):
        return LARGEST_LONG if self.long else LARGEST

    def code(self, codes):
        """One of them, of a dtype: mostly one that the block's programs share."""
        shared = [c for c in codes if c in self.few]
        return self.one(shared if shared and self.chance(SHARED) else codes)

    def unused(self):
        return next(n for n in _NAMES if n not in self.names)

    def evaluate(self, text):
        """What NumPy makes of an expression that changes nothing, or None."""
        try:
            return eval(text, self.names)
        except Exception:
            return None

    # The program.

    def step(self, row):
        """One call of the row, appended to the program and run by NumPy."""
        kept = len(self.program.steps)
        self.first, self.text = self.nothing, row.before
        arguments = []
        for piece in row.pieces:
            if piece.given < 1 and not self.chance(piece.given):
                continue
            opened = self.text.endswith("(")  # the first argument has no comma
            self.text += piece.before.removeprefix(", ") if opened else piece.before
            arguments.append(draw.argument(self, piece.kind))
            self.text += arguments[-1] + piece.after
        text = self.text + row.after
        target = "" if row.is_statement else self.unused()
        step = Step(text, target, row, numpy_text=row.numpy_text(arguments))
        if self._run(step):
            self.program.steps.append(step)
        else:
            del self.program.steps[kept:]

    def _run(self, step):
        """Whether the program may have the step."""
        self.succeeded = False
        try:
            exec(compiled(step.numpy_source), self.names)
        except MemoryError:
            return False
        except Exception:
            return True  # the error is compared
        self.succeeded = True
        if not step.target:
            return True
        found = arrays_of(step.target, self.names)
        if sum(x.size for x in found.values()) > self.largest or len(found) > PARTS:
            del self.names[step.target]
            return False
        self.live.update(found)
        return True


class Large(Generator):
    """A program of large arrays, in the making."""

    kinds = large.KINDS
    viewed = large.VIEWED
    lengths = large.LENGTHS
    block = large.BLOCK
    largest = large.LARGEST
    rows = staticmethod(calls.draw_large)

    def __init__(self, seed, number):
        super().__init__(seed, number)
        self.long = False
        self.latest = ""  # the input made last
        self.inputs = set()

    def new(self, shape=None, dtype=None, kind=""):
        """`kind`: of its values, as drawn.py knows them."""
        shape = large.shape(self.rng) if shape is None else tuple(shape)
        if math.prod(shape) <= large.LITERAL:
            return super().new(shape, dtype)
        if not isinstance(dtype, np.dtype):
            dtype = dtype or self.code([*values.CODES, "bfloat16"])
            dtype = values.DTYPES[dtype]
        if dtype not in values.TAME:
            dtype = values.DTYPES["d"]
        kind = kind or self.one(("tame", "spread", "wild" if self.wild else "spread"))
        place = self.below(1000)
        text = f"drawn({values.name(dtype)}, {shape!r}, {place}, {kind!r})"
        return self.computed(f"xp.array({text})")

    def computed(self, text):
        """A new input of these elements; its name."""
        self.latest = name = self.unused()
        step = Step(text, name)
        self.program.steps.append(step)
        exec(compiled(step.source), self.names)
        self.live[name] = self.names[name]
        self.inputs.add(name)
        return name

    def candidates(self):
        """Mostly the large ones."""
        many = [(n, x) for n, x in self.live.items() if x.size > large.LITTLE]
        return many if self.chance(0.9) else self.live.items()

    def view(self, text, x):
        return large.layout(self, text, x)


def namespace(xp):
    """What the source of a program can name."""
    return dict(_modules(xp))


@functools.cache
def _modules(xp):
    return {
        "xp": xp,
        "cupricx": cupricx,  # NumPy is asked for something else
        "np": np,
        **_scipy(xp),
        "scalars": scalars,
        "blas": blas,
        "drawn": drawn,
        "expected_of": special.expected_of,
        "bfloat16": ml_dtypes.bfloat16,
        "nan": np.nan,
        "inf": np.inf,
    }


def _scipy(xp):
    package = "scipy" if xp is np else "cupricx.scipy"
    return {
        name: importlib.import_module(f"{package}.{module}")
        for name, module in row.MODULES.items()
    }


def arrays_of(target, names):
    """The arrays that a variable holds, by their source. NumPy's scalars are made
    arrays of no dimensions, in the variable too."""
    value = names[target]
    if isinstance(value, np.generic):
        value = names[target] = np.asarray(value)
    if isinstance(value, np.ndarray):
        return {target: value}
    if not isinstance(value, tuple | list):
        return {}
    if any(isinstance(x, np.generic) for x in value):
        whole = [np.asarray(x) if isinstance(x, np.generic) else x for x in value]
        value = names[target] = tuple(whole)
    return {f"{target}[{i}]": x for i, x in enumerate(value) if type(x) is np.ndarray}


def program(seed, number, of_large=False):
    generator = (Large if of_large else Generator)(seed, number)
    for _ in range(1 + generator.below(2)):
        generator.new()
    low, high = generator.lengths
    length = low + generator.below(high - low + 1)
    tries = 0
    n_calls = 0
    while n_calls < length and tries < 3 * length:
        before = len(generator.program.steps)
        generator.step(generator.rows(generator))
        n_calls += len(generator.program.steps) > before
        tries += 1
    return generator.program
