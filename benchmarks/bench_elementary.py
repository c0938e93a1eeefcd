"""The functions of cuda/include/cupric/math at 2^27 elements, beside CuPy and PyTorch,
which call CUDA's own, and at 2^12 and 2^22 on the host, beside NumPy and SciPy.

`share` counts what has to cross the memory bus: the arguments read and the results
written, once each. A function that takes its arguments' size into account has rows of
several ranges.
"""

import itertools

import numpy as np

from measure import Case, device_kind

BY_NAME = True
LOG2_SIZES = {"cuda": (27,), "host": (12, 22)}
QUICK_LOG2_SIZES = (10,)
DRAWN = 1 << 20
DTYPES = (np.float32, np.float64)

# The range of the arguments of each function, or the ranges of its two.
CALLS = {
    "exp": [(-80, 80)],
    "exp2": [(-100, 100)],
    "expm1": [(-40, 80)],
    "log": [(0, 1000)],
    "log2": [(0, 1000)],
    "log10": [(0, 1000)],
    "log1p": [(-1, 1000)],
    "cbrt": [(-1000, 1000)],
    "sin": [(-10, 10)],
    "cos": [(-10, 10)],
    "tan": [(-10, 10)],
    "arcsin": [(-1, 1)],
    "arccos": [(-1, 1)],
    "arctan": [(-10, 10)],
    "sinh": [(-80, 80)],
    "cosh": [(-80, 80)],
    "tanh": [(-5, 5)],
    "arcsinh": [(-1000, 1000)],
    "arccosh": [(1, 1000)],
    "arctanh": [(-1, 1)],
    "sinc": [(-10, 10)],
    "i0": [(-10, 10)],
    "special.erf": [(-3, 3)],
    "special.erfc": [(-3, 9)],
    "special.ndtr": [(-5, 5)],
    "special.logit": [(0, 1)],
    "special.gamma": [(0, 4), (1, 30), (-30, 30)],
    "special.gammaln": [(0, 4), (1, 1000), (-30, 30)],
}
PAIRS = {
    "power": [((0, 10), (-30, 30))],
    "arctan2": [((-10, 10), (-10, 10))],
    "hypot": [((-1000, 1000), (-1000, 1000))],
    "logaddexp": [((-10, 10), (-10, 10))],
    "logaddexp2": [((-10, 10), (-10, 10))],
    "remainder": [((-1000, 1000), (1, 10))],
    "floor_divide": [((-1000, 1000), (1, 10))],
}
# PyTorch's names where they are others.
IN_TORCH = {
    "power": "pow",
    "special.logit": "logit",
    "special.gammaln": "lgamma",
}


def drawn(n, low, high, dtype, seed):
    """The same for every library, of at most DRAWN numbers again and again, as drawing
    and copying them all takes longer than what is measured."""
    x = np.random.default_rng(seed).random(min(n, DRAWN), dtype)
    return x * dtype(high - low) + dtype(low)


def of(name, ranges, n, dtype):
    """`make` of a case: the call of a function of the library's, or of its module
    ``special``, with an array for each range."""

    def make(lib):
        module, _, function = name.rpartition(".")
        found = getattr(getattr(lib, module) if module else lib.xp, function)
        pairs = enumerate(ranges, 1)
        arrays = [
            lib.xp.tile(lib.asarray(drawn(n, *bounds, dtype, seed)), (-(-n // DRAWN),))
            for seed, bounds in pairs
        ]
        return lambda: found(*arrays)

    return make


def in_torch(name, ranges, n, dtype):
    make = of(IN_TORCH.get(name, name), ranges, n, dtype)

    def with_special(lib):
        lib.special = lib.xp.special
        return make(lib)

    return with_special


def as_text(ranges):
    return " and ".join(f"{low} to {high}" for low, high in ranges)


def cases(quick):
    calls = {name: [(bounds,) for bounds in found] for name, found in CALLS.items()}
    sizes = QUICK_LOG2_SIZES if quick else LOG2_SIZES[device_kind()]
    for (name, found), log2_size in itertools.product((calls | PAIRS).items(), sizes):
        n = 1 << log2_size
        for ranges, dtype in itertools.product(found, DTYPES):
            nbytes = n * np.dtype(dtype).itemsize * (len(ranges) + 1)
            size = f"2^{log2_size} {np.dtype(dtype).name}, {as_text(ranges)}"
            make = of(name, ranges, n, dtype)
            torch = in_torch(name, ranges, n, dtype)
            yield Case(name, size, make, nbytes, torch=torch, rounds=5)
