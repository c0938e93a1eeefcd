"""What common programs call, one line each: the archive of compiled kernels should have
the kernels of all of them. Values do not matter, only dtypes and layouts."""

import numpy as np

DTYPES = ("f", "d", "i", "l")
FLOATS = ("f", "d")

# Of arrays x, y (37 × 41 of one dtype), and of numbers.
ARITHMETIC = """
x + y
x - y
x * y
x / y
x // 3
x % 3
x ** 2
x + 1
1 + x
x * 2
2 * x
x - 1
1 - x
x / 2
1 / (x + 1)
-x
+x
abs(x)
x[0] + x[1]
x + y[0]
x * y[:, :1]
x[:, 0] * 2
x[:, 0] + y[:, 1]
x - x.mean(0)
x - x.mean(axis=1, keepdims=True)
x.T + y.T
x[::2] + y[::2]
x[1:] - x[:-1]
x[:, 1:] - x[:, :-1]
x < y
x <= y
x > y
x >= y
x == y
x != y
x > 0
x < 1
x >= 0.5
x == 0
x != 0
(x > 0) & (x < 1)
(x > 0) | (y > 0)
~(x > 0)
cp.maximum(x, y)
cp.minimum(x, y)
cp.maximum(x, 0)
cp.minimum(x, 1)
cp.clip(x, 0, 1)
cp.where(x > 0, x, y)
cp.where(x, x, y)
cp.where(x > 0, x, 0)
cp.where(x, x, y)
cp.where(x > 0, 1, 0)
cp.where(x > 0)
cp.square(x)
cp.sign(x)
cp.floor_divide(x, y)
cp.add(x, y, out=o)
cp.multiply(x, 2, out=o)
"""

IN_PLACE = """
x += y
x -= y
x *= y
x += 1
x -= 1
x *= 2
x[1:5] = 1
x[:, 2] = 0
x[0] = y[0]
x[1:3] = y[2:4]
x[x > 0] = 0
x[x < 0] *= 2
x[idx] = 1
x[idx] = y[idx]
x[idx, idx] = 0
x[:] = y
x[...] = 3
x.fill(0)
np.fill_diagonal(x, 0)
"""

REDUCTIONS = """
x.sum()
x.sum(axis=0)
x.sum(axis=1)
x.sum(axis=-1, keepdims=True)
x.max()
x.max(axis=0)
x.max(axis=1)
x.min()
x.min(axis=0)
x.min(axis=1)
x.mean()
x.mean(axis=0)
x.mean(axis=1)
x.std()
x.std(axis=0)
x.var()
x.var(axis=1)
x.prod()
x.argmax()
x.argmax(axis=0)
x.argmax(axis=1)
x.argmin()
x.argmin(axis=1)
x.cumsum()
x.cumsum(axis=0)
x.cumsum(axis=1)
x.any()
x.all()
(x > 0).sum()
(x > 0).sum(axis=0)
(x > 0).mean()
(x > 0).any()
(x > 0).all(axis=1)
(x == y).mean()
x.T.sum(axis=0)
x[:, 1:5].sum()
x[::2].sum(axis=1)
x3.sum()
x3.sum(axis=0)
x3.sum(axis=1)
x3.sum(axis=2)
x3.sum(axis=(1, 2))
x3.mean(axis=(0, 1))
x3.max(axis=2)
cp.count_nonzero(x)
cp.median(x)
cp.median(x, axis=0)
cp.percentile(x, 50)
cp.ptp(x)
cp.ptp(x, axis=0)
cp.prod(x, axis=0)
cp.count_nonzero(x, axis=0)
cp.nanmax(x)
cp.nanmin(x, axis=0)
cp.nanmean(x)
cp.average(x)
cp.trace(x)
cp.diff(x)
cp.diff(x[0])
cp.cumprod(x[0])
cp.allclose(x, y)
cp.array_equal(x, y)
cp.dot(x[0], y[0])
(x * y).sum()
cp.nansum(x)
cp.unique(x)
cp.bincount(idx)
cp.histogram(x, bins=10, range=(0, 17))
"""

SHAPES = """
cp.zeros((3, 4), x.dtype)
cp.ones((3, 4), x.dtype)
cp.full((3, 4), 7, x.dtype)
cp.empty((3, 4), x.dtype)
cp.arange(10, dtype=x.dtype)
cp.arange(10)
cp.arange(1, 2, 0.1)
cp.eye(4, dtype=x.dtype)
cp.identity(4)
cp.zeros_like(x)
cp.ones_like(x)
cp.full_like(x, 2)
cp.linspace(0, 1, 11)
cp.tri(4)
cp.tril(x)
cp.triu(x)
cp.diag(x)
cp.diag(x[0])
cp.meshgrid(x[0], y[0])
cp.indices((3, 4))
x.copy()
x.T.copy()
x[::2].copy()
x[:, ::2].copy()
x[::-1].copy()
x.astype("f")
x.astype("d")
x.astype("i")
x.astype("l")
x.astype(bool)
(x > 0).astype(x.dtype)
x.astype("e")
x.T.reshape(-1)
x.ravel()
x.flatten()
x.T.flatten()
x3.transpose(2, 0, 1).copy()
x3.transpose(0, 2, 1).copy()
x3.transpose(1, 0, 2).copy()
cp.concatenate([x, y])
cp.concatenate([x, y], axis=1)
cp.stack([x, y])
cp.stack([x, y], axis=-1)
cp.vstack([x, y])
cp.hstack([x, y])
cp.column_stack([x[0], y[0]])
cp.tile(x, (2, 2))
cp.repeat(x, 2)
cp.repeat(x, 2, axis=1)
cp.roll(x, 1)
cp.roll(x, 1, axis=1)
cp.flip(x).copy()
cp.rot90(x).copy()
cp.pad(x, 1)
cp.ascontiguousarray(x.T)
cp.sort(x)
cp.sort(x, axis=0)
cp.sort(x[0])
cp.argsort(x)
cp.argsort(x[0])
cp.searchsorted(x[0], y[0])
cp.nonzero(x)
cp.argwhere(x)
cp.flatnonzero(x)
x[x > 0]
x[x[:, 0] > 0]
x[idx]
x[:, idx]
x[idx, idx]
x.take(idx)
cp.take(x, idx, axis=1)
x[0, 0].item()
float(x[0, 0])
x.get()
x.tolist()
cp.asarray(x.get())
cp.outer(x[0], y[0])
cp.isnan(x)
cp.isfinite(x)
x @ y.T
x.T @ y
x @ y[0]
"""

FLOATING = """
cp.sqrt(x)
cp.exp(x)
cp.log(x)
cp.log2(x)
cp.log10(x)
cp.log1p(x)
cp.expm1(x)
cp.sin(x)
cp.cos(x)
cp.tan(x)
cp.arcsin(x)
cp.arccos(x)
cp.arctan(x)
cp.arctan2(x, y)
cp.sinh(x)
cp.cosh(x)
cp.tanh(x)
cp.floor(x)
cp.ceil(x)
cp.rint(x)
cp.round(x)
cp.round(x, 2)
cp.trunc(x)
cp.power(x, y)
cp.power(x, 0.5)
x ** 0.5
x ** 3
cp.hypot(x, y)
cp.reciprocal(x)
cp.deg2rad(x)
cp.exp(-x * x)
1 / (1 + cp.exp(-x))
x * 0.5
0.5 * x
x + 0.5
x - 0.5
x / 2.5
2.5 / x
x *= 0.5
x /= 2
x /= y
cp.nan_to_num(x)
cp.nanmean(x)
cp.nanmax(x)
cp.nanmin(x)
cp.nanstd(x)
cp.linalg.norm(x)
cp.linalg.norm(x, axis=1)
cp.isinf(x)
cp.sum(x * x, axis=1)
cp.sinc(x)
cp.cross(x[:, :3], y[:, :3])
cp.interp(x[0], y[0], y[1])
cp.interp(x[0], y[0], y[1], period=5)
cp.i0(x)
cp.trapezoid(x, axis=0)
cp.gradient(x[0], y[0])
cp.ediff1d(x, to_begin=0)
cp.cov(x[0], y[0])
cp.searchsorted(cp.sort(x[0]), y)
cp.convolve(x[0], y[0, :5])
cp.trapezoid(x)
cp.gradient(x)
cp.corrcoef(x[:3])
cp.cov(x[:3])
cp.einsum("ij,ij->i", x, y)
cp.random.random(10)
cp.random.rand(3, 4)
cp.random.randn(3, 4)
cp.random.normal(0, 1, 10)
cp.random.uniform(0, 1, 10)
cp.random.randint(0, 10, 10)
cp.random.permutation(10)
cp.random.shuffle(x)
cp.random.choice(10, 3)
cp.random.default_rng(0).random(10)
cp.random.default_rng(0).standard_normal(10)
cp.random.default_rng(0).integers(0, 10, 10)
x.real
(x + 1j * y)
abs(x + 1j * y)
(x + 1j * y).conj()
(x + 1j * y) * (y + 1j * x)
cp.exp(1j * x)
(x + 1j * y).real.copy()
cp.angle(x + 1j * y)
"""

IMAGES = """
x.astype("f")
x.astype("f") / 255
x.astype("d")
x / 255
x * 0.5
x + x
x + 1
255 - x
x // 2
x % 2
x > 128
x >= 128
x == 0
x != 0
x == y
x & 1
x | y
x ^ y
x << 1
x >> 1
~x
x.sum()
x.sum(axis=0)
x.sum(axis=1)
x.mean()
x.mean(axis=0)
x.mean(axis=1)
x.std()
x.max()
x.min()
x.max(axis=0)
x.min(axis=1)
x.argmax()
x.copy()
x.T.copy()
x[::2, ::2].copy()
x[::-1].copy()
x[1:3] = 7
x[x > 3] = 0
x[x > 3]
x[idx]
x[idx] = 0
cp.where(x > 3, x, y)
cp.where(x > 3, x, 0)
cp.where(x > 3, 255, 0)
cp.clip(x, 1, 9)
cp.maximum(x, y)
cp.minimum(x, 3)
cp.zeros((3, 4), x.dtype)
cp.full((3, 4), 7, x.dtype)
cp.concatenate([x, y], axis=1)
cp.stack([x, y], axis=-1)
cp.transpose(x3, (2, 0, 1)).copy()
cp.transpose(x3, (1, 2, 0)).copy()
cp.pad(x, 2)
cp.sort(x)
cp.unique(x)
cp.nonzero(x)
cp.count_nonzero(x)
cp.bincount(x.ravel())
cp.repeat(x, 2, axis=0)
"""

COMPLEX = """
x + y
x - y
x * y
x / y
x * 2
2 * x
x + 1
x - 1
x / 2
1j * x
x * 1j
x == y
x != y
-x
x ** 2
abs(x)
abs(x) ** 2
cp.angle(x)
x.conj()
cp.conj(x)
x.real
x.imag
x.real.copy()
x.imag.copy()
x.real ** 2 + x.imag ** 2
cp.exp(x)
cp.sqrt(x)
cp.log(x)
cp.isnan(x)
cp.square(x)
x.sum()
x.sum(axis=0)
x.sum(axis=1)
x.mean()
x.mean(axis=0)
x.copy()
x.T.copy()
x.T.conj().copy()
x[::2].copy()
x[1:3] = 7
x[0] = y[0]
x[idx]
x[idx] = 0
x[:, 0] * 2
x[0] + x[1]
x + y[0]
x * y[:, :1]
x += y
x -= y
x *= y
x *= 2
x * y.real
y.real * x
cp.zeros((3, 4), x.dtype)
cp.full((3, 4), 7, x.dtype)
cp.concatenate([x, y])
cp.stack([x, y])
cp.where(abs(x) > 3, x, y)
cp.allclose(x, y)
cp.dot(x[0], y[0])
cp.vdot(x[0], y[0])
cp.linalg.norm(x)
cp.roll(x, 1)
x @ y.T
"""

HALF = """
x + y
x - y
x * y
x / y
x * 2
x + 1
x < y
x > 0
x == y
-x
abs(x)
cp.maximum(x, 0)
cp.exp(x)
cp.sqrt(x)
cp.tanh(x)
x.sum()
x.sum(axis=0)
x.sum(axis=1)
x.mean(axis=0)
x.max(axis=1)
x.astype("f")
x.astype("d")
x.copy()
x.T.copy()
x[1:3] = 7
x[idx]
cp.zeros((3, 4), x.dtype)
cp.where(x > 3, x, 0)
cp.concatenate([x, y])
cp.square(x)
(x * x).sum(axis=1)
"""

BOOLEAN = """
x & y
x | y
x ^ y
~x
x == y
x != y
x.sum()
x.sum(axis=0)
x.sum(axis=1)
x.mean()
x.mean(axis=1)
x.any()
x.all()
x.any(axis=0)
x.all(axis=1)
x.any(axis=1)
x.astype("i")
x.astype("l")
x.astype("f")
x.astype("d")
x.astype("B")
x * 1
x * 2.0
x.copy()
x.T.copy()
x[1:3] = True
x[idx]
x[:, 0] & x[:, 1]
cp.logical_and(x, y)
cp.logical_or(x, y)
cp.logical_not(x)
cp.count_nonzero(x)
cp.where(x, 1, 0)
cp.where(x, 1.0, 0.0)
cp.where(x)
cp.nonzero(x)
cp.flatnonzero(x)
cp.argwhere(x)
cp.zeros((3, 4), x.dtype)
cp.ones((3, 4), x.dtype)
cp.concatenate([x, y])
cp.cumsum(x)
cp.argmax(x)
"""

MIXED = """
x * 0.5
0.5 * x
x + 0.5
x - 0.5
1.5 - x
x / 2
x / 2.5
x ** 0.5
x ** 2.0
x > 0.5
cp.sqrt(x)
cp.exp(x)
cp.log(x)
cp.sin(x)
cp.cos(x)
x + x.astype("d")
x * x.astype("d")
x.astype("d") * x
x.astype("d") - x
x + x.astype("f")
x.astype("f") * x
x + x.astype("l")
x * (x > 3)
(x > 3) * x
x + (x > 3)
x * x[0].astype("d")
x - x.mean(axis=0)
x - x.mean(axis=1, keepdims=True)
(x - x.mean()) / x.std()
x / x.sum()
x / x.sum(axis=1, keepdims=True)
x + 1j
x * 1j
cp.arange(10) * 0.1
cp.arange(10) / 10
cp.exp(-cp.arange(10) / 2)
2 ** cp.arange(10)
cp.arange(10) ** 2
cp.arange(10) % 3 == 0
cp.arange(12).reshape(3, 4).sum(axis=1)
cp.linspace(0, 1, 10) ** 2
cp.sin(cp.linspace(0, 1, 10) * 2 * cp.pi)
cp.random.rand(5) > 0.5
cp.random.randint(0, 5, (3, 4)) + 1
cp.cumsum(x)
cp.take_along_axis(x, cp.argsort(x, axis=1), axis=1)
"""

GROUPS = {
    "images": (IMAGES, ("B",)),
    "complex": (COMPLEX, ("F", "D")),
    "half": (HALF, ("e",)),
    "boolean": (BOOLEAN, ("?",)),
    "mixed": (MIXED, DTYPES),
    "arithmetic": (ARITHMETIC, DTYPES),
    "in_place": (IN_PLACE, DTYPES),
    "reductions": (REDUCTIONS, DTYPES),
    "shapes": (SHAPES, DTYPES),
    "floating": (FLOATING, FLOATS),
}


def cases():
    """(group, dtype, statement)"""
    for group, (text, dtypes) in GROUPS.items():
        for dtype in dtypes:
            for line in text.strip().splitlines():
                yield group, dtype, line


def names(cp, dtype):
    """What the statements use."""
    x = cp.asarray((np.arange(37 * 41).reshape(37, 41) % 17).astype(dtype))
    return {
        "cp": cp,
        "np": np,
        "x": x,
        "y": x[::-1].copy(),
        "o": cp.empty_like(x),
        "x3": cp.zeros((5, 6, 7), dtype),
        "idx": cp.asarray(np.array([1, 3, 5])),
    }


def _made(cp):
    """Kernels compiled, and those that general ones stood in for."""
    return sum(cp._core._builtin_kernel_counts()[2:])


def run(cp, chosen=None):
    """Run the statements; return {statement: error} of those that failed and
    {statement: built-in kernels compiled} of those that compiled some."""
    errors, compiled = {}, {}
    for _, dtype, line in cases() if chosen is None else chosen:
        known = names(cp, dtype)
        before = _made(cp)
        try:
            exec(line, known)
        except Exception as e:
            errors[line, dtype] = f"{type(e).__name__}: {e}"
        count = _made(cp) - before
        if count:
            compiled[line, dtype] = count
    return errors, compiled
