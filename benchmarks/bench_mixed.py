"""Calls that the sweep does not hold: narrow integers, float16 and bools, images whose
colours are the last axis, volumes, weights and other operands along one axis, tables of
points, three long rows, stacks of small matrices; matrices that meet others in another
order, or where a mask says, and parts of them; few long rows by a vector.

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
OF_POINTS = """
pts.sum(axis=0); pts.sum(axis=1); pts.mean(axis=0); pts.std(axis=0); pts.max(axis=1)
pts.min(axis=0); pts.argmin(axis=1); pts.argmax(axis=0); pts.prod(axis=1)
pts.cumsum(axis=0); pts.cumsum(axis=1); xp.sort(pts, axis=0); xp.sort(pts, axis=1)
xp.argsort(pts[:, 0]); xp.argsort(pts, axis=1); pts - pts.mean(axis=0); pts @ turn
pts @ turn[0]; pts.T @ pts; pts.T.copy(); pts[:, ::-1].copy(); pts.ravel('F')
pts[pts[:, 0] > 0.5]; pts[order]; pts[:, [0, 2]]; xp.cross(pts, pts2)
(pts * pts2).sum(axis=1); xp.einsum('ij,ij->i', pts, pts2); xp.vecdot(pts, pts2)
xp.linalg.norm(pts - pts2, axis=1); xp.sqrt(((pts - pts2) ** 2).sum(axis=1))
xp.cov(pts.T); xp.median(pts, axis=0); xp.median(pts, axis=1); xp.diff(pts, axis=0)
xp.percentile(pts, 90, axis=0); xp.concatenate([pts, pts2], axis=1)
xp.concatenate([pts, pts2]); xp.stack([pts[:, 0], pts[:, 1]], axis=1)
xp.stack([pts, pts2]); xp.column_stack([pts[:, 0], pts2]); xp.vstack([pts, pts2])
xp.take_along_axis(pts, order[:, None] % 3, axis=1); (pts > 0.1).all(axis=1)
xp.any(pts > 0.9, axis=0); xp.isfinite(pts).all(); xp.hypot(pts[:, 0], pts[:, 1])
xp.unique(bins, return_counts=True); xp.bincount(bins, weights=pts[:, 0])
xp.histogram(pts[:, 0], 32); xp.histogram2d(pts[:, 0], pts[:, 1], 16)
xp.add.at(counts, bins, 1); xp.lexsort(xp.stack([pts[:, 0], bins])); bins[order]
xp.searchsorted(edges, pts[:, 0]); xp.digitize(pts[:, 0], edges)
xp.roll(pts, 1, axis=0); xp.interp(pts[:, 0], edges, edges); xp.where(pts > 0.5, pts, 0)
xp.repeat(pts, 2, axis=0); pts[:, 0].copy(); pts[::2].copy(); xp.flip(pts, 0).copy()
pts.T[order % 3, order]; xp.nanmean(pts, axis=0); xp.ptp(pts, axis=0)
xp.average(pts, axis=0, weights=pts2[:, 0])
"""
OF_ROWS = """
long.sum(axis=0); long.sum(axis=1); long.max(axis=0); long.argmax(axis=0)
long.argmax(axis=1); long.mean(axis=1); long.std(axis=1); long.cumsum(axis=1)
xp.sort(long, axis=1); xp.argsort(long, axis=1); xp.median(long, axis=1)
long - long.mean(axis=1, keepdims=True); turn @ long; long @ long.T; long.T.copy()
long[:, order]; long[:, ::-1].copy(); long[1].copy(); xp.diff(long); xp.fft.fft(long)
xp.fft.rfft(long); xp.linalg.norm(long, axis=0); xp.einsum('ij,ij->j', long, long)
xp.roll(long, 5, axis=1); xp.pad(long, ((0, 0), (3, 3))); xp.gradient(long, axis=1)
xp.percentile(long, [25, 75], axis=1); xp.unwrap(long); xp.flip(long, 1).copy()
xp.convolve(long[0], edges); xp.correlate(long[0], edges); xp.trapezoid(long)
"""
OF_CUBES = """
cube.sum(axis=0); cube.sum(axis=1); cube.sum(axis=2); cube.sum(axis=(0, 1))
cube.max(axis=(1, 2)); cube.argmax(axis=0); cube.argmax(axis=2); cube.cumsum(axis=1)
xp.sort(cube, axis=0); cube.transpose(1, 0, 2).copy(); cube.transpose(2, 0, 1).copy()
cube.transpose(2, 1, 0).copy(); cube[::-1, ::-1, ::-1].copy(); xp.gradient(cube)
xp.roll(cube, (1, 2, 3), (0, 1, 2)); xp.pad(cube, 1); xp.pad(cube, 2, 'wrap')
xp.fft.fftn(cube); xp.fft.rfftn(cube); xp.fft.fft(cube, axis=1)
xp.moveaxis(cube, 0, 2) + 1; cube[1:-1, 1:-1, 1:-1].copy()
cube[1:-1, 1:-1, 1:-1] + cube[:-2, 1:-1, 1:-1]; xp.diff(cube, axis=0)
cube.reshape(-1, 2).sum(axis=1); xp.tensordot(cube, cube[0], 2); cube @ cube
xp.einsum('ijk,jk->i', cube, cube[0]); cube[:, edge]; xp.repeat(cube, 2, 1)
"""
OF_STACKS = """
fours @ fours; fours @ fours4[..., None]; xp.einsum('nij,nj->ni', fours, fours4)
xp.einsum('nij,njk->nik', fours, fours); fours.transpose(0, 2, 1).copy()
fours.sum(axis=(1, 2)); fours.sum(axis=0); fours.max(axis=2); fours + fours.mT
xp.trace(fours, axis1=1, axis2=2); xp.linalg.det(fours); xp.linalg.inv(fours)
xp.linalg.solve(fours, fours4[..., None]); xp.linalg.norm(fours, axis=(1, 2))
xp.linalg.eigvalsh(fours + fours.mT); xp.linalg.qr(fours); xp.linalg.svd(fours)
xp.linalg.pinv(fours); xp.linalg.cholesky(fours @ fours.mT + 4 * xp.eye(4, dtype='f4'))
xp.diagonal(fours, 0, 1, 2).copy(); xp.tril(fours); fours[:, [2, 0, 1]]
xp.tile(fours[:1], (9, 1, 1)); fours4[:, None, :] * fours4[:, :, None]
xp.matmul(fours, turn4); xp.linalg.matrix_power(fours, 3)
"""

OF_ORDERS = """
m + m.T; m.T == m; m * d.T; xp.where(m.T > 0.5, m, 0); xp.maximum(m, m[::-1])
m[:, ::-1] + m; m + m[:, 3]; xp.outer(m[:, 0], m[0]); xp.where(b, m.T, m)
xp.add(m, m, out=o, where=b); xp.add(m, m.T, out=o, where=b); xp.copyto(o, m, where=b)
xp.putmask(o, b, m); o[b] = 3; xp.sum(m, where=b); part + part; part * d[:, :-1]
part.sum(); part.max(); part.argmax(); part.std(); xp.array_equal(part, part)
part.T.argmin(); pts[:, 1:].sum(); pts[:, 1:].argmax(); pts[:, ::2].mean()
f.cumsum(axis=0); f.argmax(axis=0); f.T.argmax(axis=0); xp.gradient(f, axis=0)
xp.roll(f, 1, 0); xp.delete(f, 3, 0); xp.insert(f, 3, 1, axis=1); xp.stack([f, f])
xp.packbits(f > 0.5, axis=0); xp.sort(f, axis=1); f.T @ f; xp.median(f, axis=0)
xp.broadcast_to(m[0], m.shape) + 1; xp.vdot(z, z); xp.vecdot(z, z); xp.float32(3) * m
xp.interp(grid, edges, edges); xp.einsum('ij,ji->', m, m); xp.trace(m @ m.T)
d + d.T; d.T < d; xp.hypot(f, m); xp.where(b, m, f); xp.copyto(d, d.T, where=b)
xp.hypot(bins, order); bins + pts[:, 0]
"""
OF_PARTS = """
part.cumsum(axis=1); m[:, 1:].cumsum(axis=1); cube[:, :, 1:].cumsum(axis=2)
xp.add.reduceat(grid, marks); xp.add.reduceat(grid, uneven)
xp.add.reduceat(cube, [0, 1], axis=1); xp.maximum.reduceat(m, marks[:2], axis=0)
xp.searchsorted(edges, d[0]); xp.searchsorted(marks, bins); xp.digitize(bins, edges)
xp.digitize(f, edges); bins @ bins; z @ z; long @ long[0]; marks @ marks
cube[:2].reshape(2, -1) @ cube[0].ravel(); fours4.T @ fours4[:, 0]; pts.T @ pts[:, 0]
b.any(axis=0); xp.count_nonzero(b, axis=0); b[:, 1:].argmax(axis=0); img.max(axis=0)
xp.max(img, axis=1); xp.rot90(m).copy(); xp.rot90(b, 3).copy(); xp.isin(bins, grid[:9])
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
        made |= orders(rng, made["m"])
        made |= points(rng, n) | solids(rng, n)
    made = {name: lib.asarray(a) for name, a in made.items()}
    if dtype == "f4":
        made["f"], made["part"] = made["f"].T, made["part"][:, 1:]
    return {"xp": lib.xp} | made


def orders(rng, m):
    """What an operation on a matrix meets in another order, dtype or part."""
    made = {"f": m[:, ::-1].copy(), "part": m.copy(), "d": m.astype("f8"), "o": m * 2}
    made["b"], made["z"] = rng.random(m.shape) > 0.5, (m + 1j * m.T).ravel()
    made["grid"] = np.linspace(0, 1, m.size, dtype="f4")
    made["marks"] = np.arange(0, m.size, 7)
    made["uneven"] = np.arange(m.shape[0])  # of slices the last one is long
    return made


def points(rng, n):
    """Tables of three columns, and of three rows, near n elements."""
    rows = n // 3
    made = {name: rng.random((rows, 3), "f4") for name in ("pts", "pts2")}
    made["long"], made["turn"] = rng.random((3, rows), "f4"), rng.random((3, 3), "f4")
    made["order"], made["bins"] = rng.permutation(rows), rng.integers(0, 64, rows)
    made["edges"] = np.sort(rng.random(32, "f4"))
    made["counts"] = np.zeros(64, "i8")
    return made


def solids(rng, n):
    """A cube, and a stack of 4 x 4 matrices, near n elements."""
    side = round(n ** (1 / 3) / 2) * 2
    made = {"cube": rng.random((side,) * 3, "f4"), "edge": rng.permutation(side)}
    made["fours"] = rng.random((n // 16, 4, 4), "f4")
    made["fours4"], made["turn4"] = (
        rng.random((n // 16, 4), "f4"),
        rng.random((4, 4), "f4"),
    )
    return made


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
        for texts in (
            OF_AXES,
            OF_POINTS,
            OF_ROWS,
            OF_CUBES,
            OF_STACKS,
            OF_ORDERS,
            OF_PARTS,
        ):
            yield from (Mixed(text, n, "f4") for text in calls(texts))
