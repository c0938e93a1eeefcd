"""Calls that the sweep does not hold: narrow integers, float16 and bools, images whose
colours are the last axis, volumes, weights and other operands along one axis.

Without PyTorch, which has other names for most of them.
"""

import functools
import re

import numpy as np

from measure import Case, Statement

BY_NAME = True
ROUNDS = 5
SECONDS = 0.005

NARROW = ("u1", "i1", "u2", "i2", "u4", "u8", "i8", "f2")
OF_NUMBERS = """
x + y; x * y; x - y; x < y; x == y; xp.maximum(x, y); abs(x); x ** 2; xp.sqrt(x); x // 3
x % 7; xp.clip(x, 3, 50); xp.where(x < y, x, y); x.sum(); x.max(); x.argmax(); x.mean()
x.std(); x.any(); x.cumsum(); xp.diff(x); xp.sort(x); x.argsort(); xp.unique(x)
xp.median(x); xp.quantile(x, 0.3); xp.count_nonzero(x); x.nonzero(); x[y > 50]
x[::-1].copy(); x.repeat(2); x.astype('f4'); xp.isin(x, y[:10]); xp.histogram(x, 16)
"""
OF_BOOLS = """
x & y; ~x; x == y; x.sum(); x.any(); x.all(); x.argmax(); x.nonzero(); x.mean()
x.cumsum(); x[y]; x[::-1].copy(); xp.where(x, 1, 2); xp.packbits(x); xp.sort(x)
"""
OF_AXES = """
img.mean(axis=(0, 1)); img.sum(axis=2); img.max(axis=(0, 1))
img.transpose(2, 0, 1).copy(); img[..., ::-1].copy(); img[::2, ::2].copy()
img.astype('f4') / 255; img > 128; xp.clip(img * 1.2, 0, 255).astype('u1')
xp.pad(img, ((2, 2), (2, 2), (0, 0)))
xp.pad(img, ((2, 2), (2, 2), (0, 0)), 'reflect'); xp.rot90(img).copy()
vol.sum(axis=1); vol.sum(axis=(0, 2)); vol.max(axis=1); vol.argmax(axis=1)
vol.var(axis=1); vol.cumsum(axis=1); vol.transpose(2, 1, 0).copy()
xp.sort(vol, axis=1); vol[::2].copy(); xp.median(vol, axis=1)
xp.concatenate([vol, vol], axis=1); xp.roll(vol, 3, axis=1)
vol - vol.mean(axis=(1, 2), keepdims=True); vol / vol.sum(axis=1, keepdims=True)
m + row; m * col; m + col * row; m.T + m; m.T.copy(); m[k]; m[:, k]; m[k, k]
m.T.sum(axis=0); (m - m.mean(0)) / m.std(0); xp.exp(m - m.max(axis=1, keepdims=True))
xp.average(m, axis=0, weights=row); xp.linalg.norm(m, axis=1); xp.array_equal(m, m)
xp.tile(row, (100, 1)); xp.argsort(m, axis=0); xp.percentile(m, [5, 50, 95], axis=0)
"""


def calls(text):
    return re.split(r"; |\n", text.strip())


@functools.lru_cache(maxsize=2)
def arrays(lib, dtype, n):
    """By name, near n elements: a vector x, another y, and what has axes."""
    rng = np.random.default_rng(0)
    side = int(n**0.5)
    made = {"x": rng.integers(0, 2 if dtype == "?" else 100, n).astype(dtype)}
    made["y"] = rng.permutation(made["x"])
    if dtype == "f4":
        made["img"] = rng.integers(0, 255, (side, side // 3 + 1, 3)).astype("u1")
        made["vol"] = rng.random((n // side // 8 or 1, 8, side), "f4")
        made["m"] = rng.random((side, side), "f4")
        made["row"], made["col"] = rng.random(side, "f4"), rng.random((side, 1), "f4")
        made["k"] = rng.permutation(side)
    return {"xp": lib.xp} | {name: lib.asarray(a) for name, a in made.items()}


class Mixed(Case):
    """A statement over arrays of near n elements."""

    def __init__(self, text, n, dtype):
        self.text, self.n, self.dtype = text, n, dtype
        super().__init__(text, f"{n} {dtype}", self.call, rounds=ROUNDS)
        self.seconds = SECONDS

    def call(self, lib):
        return Statement(self.text, **arrays(lib, self.dtype, self.n))


def cases(quick):
    for n in (64,) if quick else (1 << 10, 1 << 20):
        for dtype in NARROW:
            yield from (Mixed(text, n, dtype) for text in calls(OF_NUMBERS))
        yield from (Mixed(text, n, "?") for text in calls(OF_BOOLS))
        yield from (Mixed(text, n, "f4") for text in calls(OF_AXES))
