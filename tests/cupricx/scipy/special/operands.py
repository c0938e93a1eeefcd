"""Arguments for the tests of special functions, and how results are compared with
SciPy's. Where they differ mpmath decides, by the function in exact/<family>.py."""

import itertools
import random
import time
import warnings
import zlib

import numpy as np
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

from .exact import EPS, beside, families, relative_errors
from .exact._evaluate import FAILURES, TooLong, condition, exactly, limited

NAMES = [
    n
    for n in special.__all__
    if isinstance(f := getattr(special, n), cp.ufunc) and f.__name__ == n
    if getattr(cp, n, None) is not f  # those of NumPy are tested there
]
LETTERS = "?bBhHiIlLefdFD"
WIDE = {"f": "d", "F": "D"}
POINTS = 600  # of a signature of several arguments
DECIDED = 8  # of the points where SciPy differs, at most
SECONDS = 3  # that mpmath may take for them; what it is asked no more is taken as right
ORDERS = [0, 1, 2, 3, 5, 10, 30, 100, -1, -2, -7]
PARTS = [0.0, -0.0, 1, -1, 0.5, 3.25, -20, 1e-10]


def reals(dtype):
    info = np.finfo(dtype)
    values = [
        *(0.0, 1, 0.5, 0.25, 0.3, 0.65, 0.499999, 1.5, 2, 2.5, 3, 5.5, 7, 10, 25, 37),
        *(88, 103, 170.6, 700, 745, 1e3, 1e10, 1e-3, 1e-10, 0.999999, 1.000001),
        *(np.inf, np.nan, info.max, info.tiny, info.smallest_subnormal, info.eps),
    ]
    with np.errstate(over="ignore"):
        x = np.array([*values, *(-v for v in values)]).astype(dtype)
    rng = np.random.default_rng(0)
    spread = [rng.standard_normal(150) * s for s in (1, 10, 1e-3)]
    return np.concatenate([x, *spread, rng.random(150)]).astype(dtype)


# Of functions of several arguments.
FEW = [0.0, -0.0, 0.5, 1, 2, 3.5, 7, 10.25, 100, 1e-10, 1e3, -0.5, -1, -2, -3.25, -20]
FEW += [np.inf, -np.inf, np.nan, 0.3, 0.7, 0.999, 1.5, 4, 25]


def samples(letter, count):
    """Values of one of `count` arguments."""
    dtype = np.dtype(letter)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        return np.array([n for n in ORDERS if n >= 0 or dtype.kind == "i"], dtype)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return reals(dtype) if count == 1 else np.array(FEW).astype(dtype)
    parts = PARTS if count == 1 else PARTS[::2]
    return np.array([complex(*p) for p in itertools.product(parts, parts)], dtype)


def told_samples(values, letter):
    """Those that a dtype has."""
    unsigned = np.dtype(letter).kind in "ub"
    return np.array([v for v in values if v >= 0 or not unsigned]).astype(letter)


def operands(name, letters, points=POINTS):
    """Arrays of one length: a sample of the product of the samples."""
    given = beside(name).get("samples")
    arrays = [
        told_samples(given[k], letter) if given else samples(letter, len(letters))
        for k, letter in enumerate(letters)
    ]
    if len(arrays) == 1:
        return arrays if points >= POINTS else [arrays[0][:points]]
    sizes = [len(a) for a in arrays]
    count = int(np.prod(sizes))
    chosen = np.arange(count)
    if count > points:
        rng = random.Random(zlib.crc32(f"{name} {letters}".encode()))
        chosen = np.array(sorted(rng.sample(range(count), points)))
    places = np.unravel_index(chosen, sizes)
    return [a[p] for a, p in zip(arrays, places, strict=True)]


def ordinary(f, n=12):
    """Arrays that any function takes, in its last signature, of numbers that float32
    has."""
    letters = f.types[-1].partition("->")[0]
    x = np.arange(1, n + 1) / 16
    return [
        (np.arange(n) % 4).astype("l") if letter == "l" else x.astype(letter)
        for letter in letters
    ]


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def called(f, arrays):
    return [a.get() for a in as_tuple(f(*map(cp.asarray, arrays)))]


def reference(name, arrays, letters):
    """SciPy's results, of double precision, rounded to these dtypes."""
    wide = [a.astype(WIDE.get(a.dtype.char, a.dtype)) for a in arrays]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = as_tuple(getattr(theirs, name)(*wide))
        return [a.astype(letter) for a, letter in zip(found, letters, strict=True)]


def has_signature(name, letters):
    """Whether SciPy takes such arguments, as double ones."""
    types = getattr(getattr(theirs, name, None), "types", None)
    if types is None:
        return hasattr(theirs, name)
    wide = [WIDE.get(letter, letter) for letter in letters]
    return any(
        all(map(np.can_cast, wide, inputs))
        for inputs in (t.partition("->")[0] for t in types)
        if "g" not in inputs and "G" not in inputs
    )


def far_apart(got, want, ulp, floor):
    """Which results differ."""
    limits = np.finfo(got.dtype)
    wide = "D" if got.dtype.kind == "c" else "d"
    with np.errstate(all="ignore"):
        a, b = got.astype(wide), want.astype(wide)
        size = np.maximum(np.abs(b), floor)
        allowed = ulp * np.maximum(
            float(limits.eps) * size, float(limits.smallest_subnormal)
        )
        near = np.abs(a - b) <= allowed
        near |= (a == b) | (np.isnan(a) & np.isnan(b))
        if wide == "D":
            near |= ~np.isfinite(a) & ~np.isfinite(b)
    return ~near


def lines_of(name, kinds):
    """The entries of exact/ for a function of arguments of these kinds."""
    for module in families().values():
        for line, exact in module.FUNCTIONS.items():
            if line.split()[0] == name and len(exact.grids) == len(kinds):
                yield exact


def is_right(exact, point, got, k, seconds=1):
    """Whether a result is near the exact one; None where there is none."""
    given = [v.item() for v in point]
    found = None
    try:
        with limited(seconds):
            found = exactly(exact.function, given)
            if found is None:
                return True if not np.isfinite(got) else None
            magnified = condition(exact.function, given, found)
    except TooLong:
        return True  # test_exact.py has points that take less
    except (TypeError, *FAILURES):
        return None
    value = found[k]
    if got.dtype.kind == "f" and getattr(value, "imag", 0):
        return bool(np.isnan(got))  # no real number
    want = np.array([complex(value) if got.dtype.kind == "c" else float(value.real)])
    unit = float(np.finfo(got.dtype).eps)
    allowed = max(exact.bound, exact.single * unit, 8 * EPS * magnified[k])
    return bool(relative_errors(got.reshape(1), want)[0] <= allowed)


def differences(name, got, want, arrays):
    """Points where results differ from SciPy's, and it is not SciPy that is wrong."""
    entry = beside(name)
    wrong = entry.get("wrong")
    found = []
    for k, (ours, other) in enumerate(zip(got, want, strict=True)):
        is_double = ours.dtype.char in "dD"
        ulp = entry.get("ulp", 4096 if is_double else 4)
        bad = far_apart(ours, other, ulp, entry.get("floor", 0))
        if wrong is not None:
            wide = [a.astype(WIDE.get(a.dtype.char, a.dtype)) for a in arrays]
            with np.errstate(all="ignore"):
                bad &= ~np.asarray(wrong(*wide))
        exactly = list(lines_of(name, [a.dtype.kind for a in arrays]))
        end = time.monotonic() + SECONDS
        for i in np.flatnonzero(bad)[:: -(-int(bad.sum()) // DECIDED) or 1]:
            point = [a[i] for a in arrays]
            finite = all(map(np.isfinite, point))
            if finite and exactly and time.monotonic() > end:
                continue
            if finite and any(is_right(e, point, ours[i], k) for e in exactly):
                continue
            found.append((tuple(point), ours[i], other[i]))
    return found
