"""Every public function beside NumPy, SciPy, numexpr, CuPy and PyTorch, at two sizes.

The calls come of the table that drives the fuzzer, tests/fuzz/calls.py, so that a new
function is here by itself: sweep_calls.py makes statements of its lines. What goes
along an axis is measured along both of a matrix, too, and elementwise operations,
reductions, scans and sorts in other dtypes and of strided arrays. A row's note says how
many kernels its first call had to compile: none is due.

On the host with CUPRIC_NUM_THREADS=1 beside libraries of one thread it is core against
core.
"""

import functools
import re

import sweep_calls
from measure import Case, Statement

BY_NAME = True
SIZES = {"host": (1_000, 4_000_000), "cuda": (1_000, 10_000_000)}
QUICK_SIZES = (64,)
WIDE = ("ufuncs", "operators", "reductions", "scans", "sorting")  # families
VARIANTS = (("f8", "dense"), ("i4", "dense"), ("c8", "dense"), ("f4", "strided"))
ROUNDS = 3
SECONDS = 0.005
OTHERWISE = {"xp.split(x, 2)": "torch"}  # there 2 is how many elements a part has


def kernels_lacking():
    """How many this process compiled, or read from the cache of compiled ones."""
    from cupric import _core

    return sum(_core._kernel_cache_counts()) + sum(_core._builtin_kernel_counts()[1:])


data_of = functools.lru_cache(maxsize=16)(sweep_calls.Data)


class Swept(Case):
    """A statement over arrays of n elements."""

    def __init__(self, texts, n, dtype="f4", layout="dense"):
        self.texts, self.n, self.dtype, self.layout = texts, n, dtype, layout
        size = " ".join([f"{n} {dtype}", *([layout] if layout != "dense" else [])])
        super().__init__(texts[0], size, self.call, rounds=ROUNDS, torch=self.call)
        self.seconds = SECONDS
        peers = ("cupric", "numpy", "cupy", "torch", "numexpr")
        self.peers = [p for p in peers if p != OTHERWISE.get(texts[0])]

    def call(self, lib):
        text = self.texts[lib.name == "numpy"]
        data = data_of(lib, self.n, self.dtype, self.layout)
        if lib.evaluate:
            return lib.evaluate(text, data)
        statement = Statement(text, **data.named(text))
        if lib.name == "cupric":
            before = kernels_lacking()
            statement.often(1)
            lacking = kernels_lacking() - before
            self.note = f"{lacking} kernels compiled" if lacking else ""
        return statement


def texts():
    """(family, (statement, what NumPy runs))."""
    seen = set()
    for family, row in sweep_calls.rows():
        found = [sweep_calls.statement(row)]
        if sweep_calls.has_axis(row):
            found += [sweep_calls.statement(row, axis) for axis in (0, 1)]
        for pair in found:
            if pair[0] not in seen:
                seen.add(pair[0])
                yield family, pair


def cases(quick):
    import measure

    for n in QUICK_SIZES if quick else SIZES[measure.device_kind()]:
        for family, pair in texts():
            yield Swept(pair, n)
            if family in WIDE and re.search(r"\b[xy]\b", pair[0]):
                yield from (Swept(pair, n, *variant) for variant in VARIANTS)
