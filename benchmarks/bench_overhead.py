"""What one call costs when there is almost nothing to compute.

Small arrays, microseconds per call, against NumPy on the host (and CuPy, PyTorch on a
GPU, where the calls of a block are queued and waited for once).
"""

import numpy as np

from measure import Case

SIDE = 32


def data(lib, shape=(SIDE, SIDE), dtype="float32"):
    rng = np.random.default_rng(1)
    return lib.asarray((rng.random(shape) * 100).astype(dtype))


def on_one(function, **given):
    """A case of one array: `function(xp, x)`."""

    def make(lib):
        x, xp = data(lib, **given), lib.xp
        return lambda: function(xp, x)

    return make


def on_two(function, **given):
    """A case of two arrays: `function(xp, x, y)`."""

    def make(lib):
        x, y, xp = data(lib, **given), data(lib, **given), lib.xp
        return lambda: function(xp, x, y)

    return make


def plain(function):
    """A case of no array: `function(xp)`."""
    return lambda lib: lambda: function(lib.xp)


def kernel(lib):
    """A user's kernel; the rivals that have none are left out."""
    x, y = data(lib), data(lib)
    function = lib.xp.ElementwiseKernel("T x, T y", "T z", "z = x + 2 * y", "axpy")
    return lambda: function(x, y)


def add_in_place(xp, x, y):
    x += y


def set_slice(xp, x):
    x[1:5] = 0


SIZE = f"{SIDE}x{SIDE} f32"
TWO = [
    ("x + y", lambda xp, x, y: x + y),
    ("x * y", lambda xp, x, y: x * y),
    ("x < y", lambda xp, x, y: x < y),
    ("x += y", add_in_place),
    ("xp.maximum(x, y)", lambda xp, x, y: xp.maximum(x, y)),
    ("xp.where(x < y, x, y)", lambda xp, x, y: xp.where(x < y, x, y)),
    ("x @ y", lambda xp, x, y: x @ y),
    ("xp.add(x, y, out=x)", lambda xp, x, y: xp.add(x, y, out=x)),
    ("xp.concatenate([x, y])", lambda xp, x, y: xp.concatenate([x, y])),
]
ONE = [
    ("x * 2", lambda xp, x: x * 2),
    ("xp.sqrt(x)", lambda xp, x: xp.sqrt(x)),
    ("xp.exp(x)", lambda xp, x: xp.exp(x)),
    ("x.sum()", lambda xp, x: x.sum()),
    ("x.sum(axis=0)", lambda xp, x: x.sum(0)),
    ("x.max(axis=1)", lambda xp, x: x.max(1)),
    ("x[1:5]", lambda xp, x: x[1:5]),
    ("x[3, 4]", lambda xp, x: x[3, 4]),
    ("x[1:5] = 0", set_slice),
    ("x.T", lambda xp, x: x.T),
    ("x.reshape(-1)", lambda xp, x: x.reshape(-1)),
    ("x.ravel()", lambda xp, x: x.ravel()),
    ("x[x > 50]", lambda xp, x: x[x > 50]),
    ("x.copy()", lambda xp, x: x.copy()),
    ("x.astype('f8')", lambda xp, x: x.astype("f8")),
    ("xp.cumsum(x, axis=1)", lambda xp, x: xp.cumsum(x, axis=1)),
    ("float(x[0, 0])", lambda xp, x: float(x[0, 0])),
]
NONE = [
    ("xp.zeros((32, 32))", lambda xp: xp.zeros((SIDE, SIDE))),
    ("xp.empty((32, 32))", lambda xp: xp.empty((SIDE, SIDE))),
    ("xp.arange(1000)", lambda xp: xp.arange(1000)),
    ("xp.random.rand(100)", lambda xp: xp.random.rand(100)),
]
TORCH = {"x + y", "x * y", "x < y", "x += y", "xp.where(x < y, x, y)", "x @ y"}
TORCH |= {"xp.maximum(x, y)", "x * 2", "xp.sqrt(x)", "xp.exp(x)", "x.sum()", "x.T"}
TORCH |= {"x.sum(axis=0)", "x[1:5]", "x[3, 4]", "x.reshape(-1)", "x.ravel()"}


def cases(quick=False):
    for wrap, group in ((on_two, TWO), (on_one, ONE), (plain, NONE)):
        size = SIZE if group is not NONE else ""
        for what, function in group:
            make = wrap(function)
            yield Case(what, size, make, torch=make if what in TORCH else None)
    yield Case("kernel(x, y)", SIZE, kernel, peers=("cupric", "cupy"))
