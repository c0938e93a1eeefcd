"""The values that arrays and scalars hold.

An array is drawn from a palette: 64 values of its dtype. Tame palettes are of small
dyadic numbers, of which sums and products are exact in any order; wild ones hold what
goes wrong.
"""

import ml_dtypes
import numpy as np

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
CODES = "?bBhHiIlLqQefdFD"
DTYPES = {code: np.dtype(code) for code in CODES} | {"bfloat16": BFLOAT16}
SIZE = 64  # of a palette, a power of two

_WILD_FLOATS = [0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0, 0.5, 1.5, -2.5, 255.0]
_WILD_FLOATS += [256.0, -129.0, 3e4, 7e4, 2.0**31, -(2.0**31) - 1, 2.0**63, 2.0**64]
_WILD_FLOATS += [1e-3, 1e-30, 1e30, -1e300, 1e-300, 0.1, 1 / 3, np.pi, -np.e, 1e16]


def is_float(dtype):
    """Whether it is a real floating dtype; bfloat16's kind is that of void."""
    return dtype.kind == "f" or dtype == BFLOAT16


def is_inexact(dtype):
    return dtype.kind in "fc" or dtype == BFLOAT16


def finfo(dtype):
    return ml_dtypes.finfo(dtype)


def name(dtype):
    """As it is written in a program."""
    return "bfloat16" if dtype == BFLOAT16 else repr(dtype.char)


def _limits(dtype):
    info = finfo(dtype)
    return [float(x) for x in (info.max, info.min, info.tiny, info.smallest_subnormal)]


def _floats(dtype, wild):
    values = np.arange(-24, 40) / 4
    if wild:
        few = [*_WILD_FLOATS, *_limits(dtype)]
        values[: len(few)] = few
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def _integers(dtype, wild):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    if not wild:
        return np.arange(-20 if low else 0, 44 if low else 64).astype(dtype)
    ends = [low, low + 1, high, high - 1, high // 2, low // 2, 0, 1, high & -2, 7]
    bits = [1 << i for i in range(dtype.itemsize * 8 - 1)]
    values = ends + bits + [high - b for b in bits[::2]] + list(range(64))
    return np.array(values[:SIZE], dtype)


def _palette(dtype, wild):
    if dtype.kind == "b":
        return np.arange(SIZE) % 3 == 1
    if dtype.kind == "c":
        part = _floats(np.dtype(f"f{dtype.itemsize // 2}"), wild)
        both = np.empty(SIZE, dtype)
        both.real, both.imag = part, part[np.arange(SIZE) * 29 % SIZE]
        return both
    return (_integers if dtype.kind in "iu" else _floats)(dtype, wild)


TAME = {dtype: _palette(dtype, False) for dtype in DTYPES.values()}
WILD = {dtype: _palette(dtype, True) for dtype in DTYPES.values()}


def array(rng, shape, dtype, wild):
    """A new C-contiguous array. `rng` is a random.Random."""
    size = 1
    for n in shape:
        size *= n
    bytes_ = np.frombuffer(rng.randbytes(size), np.uint8) & (SIZE - 1)
    return (WILD if wild else TAME)[dtype][bytes_].reshape(shape)


def literal(x):
    """A Python or NumPy scalar, or nested lists of them, as source."""
    if isinstance(x, list):
        return f"[{', '.join(map(literal, x))}]"
    if isinstance(x, complex):
        plain = np.isfinite(x.real) and np.isfinite(x.imag) and "-0j" not in repr(x)
        return repr(x) if plain else f"complex({x.real!r}, {x.imag!r})"
    return repr(x)


def widened(x):
    """bfloat16 as float32, of which NumPy knows that it is inexact."""
    return x.astype("f4") if x.dtype == BFLOAT16 else x


def _items(x):
    return widened(x).tolist()


def array_literal(x):
    """The source of an array: shortest where it is constant or empty."""
    dtype = name(x.dtype)
    same = x.size > 2 and x.tobytes() == x.reshape(-1)[:1].tobytes() * x.size
    if x.size == 0 or (same and not x.any() and not np.signbit(x.real).any()):
        return f"xp.zeros({x.shape!r}, {dtype})"
    if same:
        return f"xp.full({x.shape!r}, {literal(_items(x.reshape(-1)[0]))}, {dtype})"
    return f"xp.array({literal(_items(x))}, {dtype})"


def scalar(rng, code):
    """A Python scalar, or NumPy's of a dtype, as source."""
    random = rng.random
    kind = random()
    if kind < 0.45:
        return repr(int(random() * 12) - 4)
    if kind < 0.6:
        return repr((int(random() * 64) - 32) / 4)
    if kind < 0.66:
        return "True" if random() < 0.5 else "False"
    if kind < 0.72:
        return literal(complex(int(random() * 5) - 2, int(random() * 5) - 2))
    if kind < 0.78:
        return _one(rng, ["nan", "inf", "-inf", "-0.0", "1e300", "1e-30", "0.1"])
    if kind < 0.85:
        sign, bits = _one(rng, [1, -1]), _one(rng, [7, 8, 15, 16, 31, 32, 62, 63, 64])
        return repr(sign * (1 << bits) - int(random() * 2))
    dtype = DTYPES[code]
    x = (WILD if random() < 0.2 else TAME)[dtype][int(random() * SIZE)]
    return f"np.{dtype.name}({literal(x.item())})"


def _one(rng, choices):
    return choices[int(rng.random() * len(choices))]
