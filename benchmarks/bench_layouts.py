"""Random statements over arrays of random shapes, dtypes, orders, steps and parts: what
no list has, the same for a seed, which the environment names (SEED=7). It may say how
many elements arrays have, too (TOTAL=4194304).

An array is described by its dtype and how it lies: `C`, `F`, in another order of its
axes (`201`), every second element along an axis (`step1`), backwards (`back0`), a part
of a larger one (`part2`) or broadcast (`wide0`).
"""

import math
import os
import random
import re

import numpy as np

from measure import Case, Statement

BY_NAME = True
MANY = 1000  # statements
TOTALS = (1 << 6, 1 << 11, 1 << 17)  # elements
ROUNDS = 3
SECONDS = 0.002
COMMON = ("f4", "f8", "i8", "i4")
DTYPES = (*3 * COMMON, "u1", "i2", "u2", "f2", "?", "c8", "c16")
KINDS = ("C", "C", "C", "order", "order", "F", "step", "back", "part", "wide")

OF_TWO = """
a + b; a * b; a < b; a == b; xp.maximum(a, b); xp.where(a > b, a, b); xp.hypot(a, b)
xp.concatenate([a, b], axis); xp.stack([a, b], axis); (a * b).sum(axis)
xp.isclose(a, b); xp.array_equal(a, b); xp.add(a, b, out=o); xp.arctan2(a, b)
xp.copyto(o, a, where=b > 0.5); xp.multiply(a, b, out=o, where=a > b)
"""
OF_ONE = """
a.sum(); a.max(); a.argmin(); a.any(); a.std(); a.sum(axis); a.max(axis); a.mean(axis)
a.var(axis); a.argmax(axis); a.any(axis); a.prod(axis); xp.ptp(a, axis=axis)
a.sum(axes); a.min(axes); a.std(axes); xp.count_nonzero(a, axis=axis)
xp.nansum(a, axis=axis); xp.nanmax(a, axis=axis); xp.linalg.norm(a, axis=axis)
xp.median(a, axis=axis); xp.percentile(a, 40, axis=axis); xp.average(a, axis=axis)
a.cumsum(axis); xp.cumprod(a, axis); xp.maximum.accumulate(a, axis)
xp.add.reduceat(a, [0, 1], axis); xp.diff(a, axis=axis); xp.gradient(a, axis=axis)
xp.trapezoid(a, axis=axis); xp.sort(a, axis); xp.argsort(a, axis); xp.unique(a)
xp.partition(a, a.shape[axis] // 2, axis=axis); a.copy(); a.ravel(); a.astype('f4')
a.astype('f8'); xp.flip(a, axis).copy(); xp.roll(a, 2, axis); xp.repeat(a, 2, axis)
xp.pad(a, 1); xp.tile(a, 2); xp.swapaxes(a, 0, axis).copy(); xp.delete(a, 0, axis)
xp.take(a, places, axis=axis); a[a > a.mean()]; xp.nonzero(a); xp.tril(a); xp.triu(a)
xp.broadcast_to(a, (2, *a.shape)).copy(); xp.vstack([a, a]); xp.rot90(a).copy()
abs(a); a * 2; a + 1.5; a / 3; a // 3; a ** 2; -a; xp.sqrt(abs(a)); xp.exp(a / 99)
xp.clip(a, 2, 60); a.round(); xp.isnan(a); xp.nan_to_num(a); xp.digitize(a, bins)
xp.searchsorted(bins, a); xp.interp(a, bins, bins); xp.histogram(a, 10)
xp.isin(a, bins); a @ v; xp.tensordot(a, v, 1); xp.trace(a); o[...] = a
xp.packbits(a > 1, axis=axis)
"""


def calls(text):
    return re.split(r"; |\n", text.strip())


class Random:
    """What the seed decides of one statement."""

    def __init__(self, rng):
        two = rng.random() < 0.3
        self.text = rng.choice(calls(OF_TWO if two else OF_ONE))
        ndim = rng.choice([1, 2, 2, 2, 3, 3, 3, 4])
        total = os.environ.get("TOTAL") or rng.choice(TOTALS)
        self.shape = shape_of(rng, int(total), ndim)
        self.axis = rng.randrange(ndim)
        self.axes = tuple(sorted(rng.sample(range(ndim), rng.randint(1, ndim))))
        dtype = rng.choice(DTYPES)
        other = dtype if rng.random() < 0.7 else rng.choice(DTYPES)
        self.layouts = [layout_of(rng, ndim, t) for t in (dtype, other)]
        self.numbers = rng.randrange(1 << 30)
        shown = self.layouts[: 1 + two]
        self.size = ", ".join([str(self.shape), *(f"{t} {how}" for t, how, _ in shown)])
        for name in ("axis", "axes"):
            if re.search(rf"\b{name}\b[^=]|\b{name}$", self.text):
                self.size += f", {name} {getattr(self, name)}"

    def statement(self, lib):
        rng = np.random.default_rng(self.numbers)
        a, b = (self.array(lib, rng, *layout) for layout in self.layouts)
        length = self.shape[self.axis]
        v = self.array(lib, rng, self.layouts[0][0], "C", None)[(0,) * (a.ndim - 1)]
        names = {"xp": lib.xp, "a": a, "b": b, "v": v, "axis": self.axis}
        names |= {"axes": self.axes, "bins": lib.asarray(np.linspace(0, 90, 33))}
        names["places"] = lib.asarray(rng.integers(0, length, length // 2 + 1))
        names["o"] = lib.xp.empty(
            self.shape, np.result_type(*(x.dtype for x in (a, b)))
        )
        return Statement(self.text, **names)

    def array(self, lib, rng, dtype, how, axes):
        """Of the shape, over memory that lies as its layout says."""
        key = [slice(None)] * len(self.shape)
        order = axes or list(range(len(self.shape)))
        stored = [self.shape[axis] for axis in order]
        kind, at = (how[:-1], int(how[-1])) if how[:-1] in KINDS else (how, 0)
        if kind == "step":
            stored[at], key[at] = 2 * stored[at], slice(None, None, 2)
        elif kind == "part":
            stored[at], key[at] = stored[at] + 3, slice(1, -2)
        elif kind == "back":
            key[at] = slice(None, None, -1)
        elif kind == "wide":
            stored[at] = 1
        made = rng.integers(0, 2 if dtype == "?" else 99, stored).astype(dtype)
        view = lib.asarray(made)[tuple(key)].transpose(np.argsort(order).tolist())
        return lib.xp.broadcast_to(view, self.shape) if kind == "wide" else view


def shape_of(rng, total, ndim):
    """Lengths whose product is near a total, each as likely short as long."""
    parts = [rng.random() for _ in range(ndim)]
    return tuple(max(1, round(total ** (p / math.fsum(parts)))) for p in parts)


def layout_of(rng, ndim, dtype):
    """(dtype, how it lies, the order of the axes in memory or None)"""
    kind, order = rng.choice(KINDS), list(range(ndim))
    if kind == "F":
        return dtype, "F", order[::-1]
    if kind == "order":
        rng.shuffle(order)
        return dtype, "".join(map(str, order)), order
    return dtype, kind if kind == "C" else f"{kind}{rng.randrange(ndim)}", None


def cases(quick):
    rng = random.Random(os.environ.get("SEED", "0"))
    for _ in range(60 if quick else MANY):
        drawn = Random(rng)
        case = Case(drawn.text, drawn.size, drawn.statement, rounds=ROUNDS)
        case.seconds = SECONDS
        yield case
