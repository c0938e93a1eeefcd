"""The values of large inputs: slices of random numbers that a process makes once.

`drawn(dtype, shape, start)` is what programs say; it is the same in every process.
"""

import functools

import numpy as np

from . import values

POOL = (1 << 18) + 3  # elements, a prime, after which they repeat
KINDS = ("tame", "wild", "spread")


def drawn(dtype, shape, start=0, kind="tame"):
    """An array that only reads. `kind`: of the palettes of values.py, or, `spread`, of
    all integers of the dtype, and of floating numbers whose sums are rounded."""
    dtype = np.dtype(dtype)
    pool = _pool(dtype, kind)
    size = 1
    for n in shape:
        size *= n
    start %= POOL
    if start + size <= POOL:
        flat = pool[start : start + size]
    else:
        flat = np.resize(np.roll(pool, -start), size)
        flat.flags.writeable = False
    return flat.reshape(shape)


@functools.cache
def _pool(dtype, kind):
    rng = np.random.default_rng(len(dtype.name) * 1000 + ord(dtype.char))
    if kind != "spread" or dtype.kind == "b":
        palette = (values.WILD if kind == "wild" else values.TAME)[dtype]
        made = palette[rng.integers(0, values.SIZE, POOL)]
    elif dtype.kind in "iu":
        made = rng.integers(0, 256, POOL * dtype.itemsize, "B").view(dtype)
    elif dtype.kind == "c":
        made = (_spread(rng) + 1j * _spread(rng)).astype(dtype)
    else:
        made = _spread(rng).astype(dtype)
    made.flags.writeable = False
    return made


def _spread(rng):
    """Of magnitudes from 2**-10 to 2**8 and either sign."""
    return rng.standard_normal(POOL) * np.exp2(rng.integers(-8, 7, POOL))
