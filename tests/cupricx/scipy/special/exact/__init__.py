"""Exact values of special functions, by mpmath, at points over their whole domain.

A module here is named like a family of src/ops/special.def. It has FUNCTIONS, a dict of
`Exact` by the names of the functions, and may have SCIPY: what SciPy's values differ
from ours by where SciPy is less exact, see `beside`.

    python -m tests.cupricx.scipy.special.exact gamma        # writes exact/gamma.json
    python -m tests.cupricx.scipy.special.exact gamma psi    # psi alone, anew

test_exact.py holds float64 and float32 against these values, and tools/accuracy.py
makes docs/special_functions.md of them. A key may have more words than the name of a
function, so that there may be two lines of it: "psi" and "psi of complex numbers".
"""

import importlib
import itertools
import json
import math
import random
import zlib
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
POINTS = 200  # of a function, at most
EPS = float(np.finfo("d").eps)


# ---- grids ---------------------------------------------------------------------------


def single(values):
    """The values rounded to float32, as which they are tested in both precisions."""
    return [float(np.float32(v)) for v in values]


def log_spaced(low, high, n):
    """From 10**low to 10**high, of float32 where it has such numbers."""
    values = [float(10.0**e) for e in np.linspace(low, high, n)]
    return [float(np.float32(v)) if 1e-37 < v < 3e38 else v for v in values]


def spaced(low, high, n):
    return single(np.linspace(low, high, n))


def around(*centres, powers=(4, 9, 20, 45)):
    """Points on both sides of each centre, 2**-power of it away."""
    signs = itertools.product(centres, powers, (-1, 1))
    return [c + s * 2.0**-p * (abs(c) or 1) for c, p, s in signs]


def both(values):
    """Of both signs."""
    return [*values, *(-v for v in values if v)]


def turned(radii, angles):
    """Complex numbers of these absolute values and angles in turns."""
    found = []
    for r, t in itertools.product(radii, angles):
        z = r * complex(math.cos(2 * math.pi * t), math.sin(2 * math.pi * t))
        found.append(complex(np.complex64(z)) if 1e-37 < r < 3e38 else z)
    return found


MODERATE = sorted(
    {*log_spaced(-3, 3, 31), *single([0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 5, 10, 20])}
)
POSITIVE = sorted(
    {*MODERATE, *log_spaced(-12, -3, 10), *log_spaced(3, 10, 8), *around(1, 2)}
    | {1e-300, 1e-150, 1e-60, 1e-30, 1e-20, 1e20, 1e60, 1e150, 1e300}
)
SMALL = sorted({*log_spaced(-12, 1, 27), *single([0.5, 1, 2, 5, 10, 15])})  # to 15
REALS = sorted(both(POSITIVE))
MODERATE_REALS = sorted(both([0.0, *MODERATE]))
UNIT = sorted(
    {*log_spaced(-10, -1, 10), *spaced(0.0625, 0.9375, 15), 1e-300, 1e-100, 1e-30}
    | {1 - 2.0**-p for p in (4, 5, 7, 10, 15, 20, 24, 30, 45, 53)}
)
UNIT_REALS = sorted(both([0.0, *UNIT]))  # in (-1, 1)
INTEGERS = [*range(13), 15, 20, 31, 50, 100, 1000]  # from 0 on
SIGNED_INTEGERS = sorted({*INTEGERS, *(-n for n in INTEGERS)})
ANGLES = (0, 1e-3, 1 / 12, 1 / 8, 0.2, 0.249, 0.25, 1 / 3, 3 / 8, 0.45, 0.499)
COMPLEX = turned(
    [1e-100, 1e-10, 1e-3, 0.1, 0.5, 1, 1.5, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100, 1e3]
    + [1e5],
    [*ANGLES, *(-t for t in ANGLES[1:])],
)


# ---- functions -----------------------------------------------------------------------


class Exact:
    """A function and where it is looked at.

    `function` takes mpmath's numbers (or int, from a grid of them) and returns one, or
    a tuple for several results. Of each argument there is a grid, of which the product
    is taken, or a sample of it; `at`: points beside these, a tuple each. `bound` is
    the relative error that float64 may have, `single` that of float32 in units in the
    last place, and `reason` why they are larger than usual. `condition`: what the
    rounding of an argument does is allowed besides, eight times. `ordinary`: grids for
    measuring speed.
    """

    def __init__(
        self,
        function,
        *grids,
        bound=1e-13,
        single=4,
        reason="",
        condition=False,
        at=(),
        ordinary=None,
    ):
        self.function, self.grids, self.at = function, grids, list(at)
        self.bound, self.single, self.reason = bound, single, reason
        self.condition, self.ordinary = condition, ordinary

    def points(self, name):
        """The same ones at any time."""
        sizes = [len(grid) for grid in self.grids]
        count, room = math.prod(sizes), POINTS - len(self.at)
        chosen = range(count)
        if count > room:
            rng = random.Random(zlib.crc32(name.encode()))
            chosen = sorted(rng.sample(range(count), room))
        found = list(self.at)
        for index in chosen:
            point = []
            for grid in reversed(self.grids):
                index, k = divmod(index, len(grid))
                point.append(grid[k])
            found.append(tuple(reversed(point)))
        return found


def families():
    """Those that there are exact values of, by name."""
    names = sorted(p.stem for p in FOLDER.glob("*.py") if p.stem[0] != "_")
    return {n: importlib.import_module(f"{__name__}.{n}") for n in names}


class Values:
    """A function's points and exact values, as they are kept."""

    def __init__(self, arguments, results, condition):
        self.arguments, self.results, self.condition = arguments, results, condition


def _column(values, kind):
    if kind == "complex":
        return np.array([complex(*v) for v in values], "D")
    return np.array(values, "l" if kind == "int" else "d")


def load(family):
    """{line of FUNCTIONS: Values}, empty where none were written."""
    path = FOLDER / f"{family}.json"
    if not path.exists():
        return {}
    found = {}
    for line, kept in json.loads(path.read_text()).items():
        found[line] = Values(
            [_column(v, k) for v, k in zip(kept["x"], kept["kinds"], strict=True)],
            [
                _column(v, "complex" if v and isinstance(v[0], list) else "float")
                for v in kept["y"]
            ],
            np.array(kept["condition"]) if "condition" in kept else None,
        )
    return found


def beside(name):
    """How SciPy's values differ from ours, where they do: a dict that may have

    ulp     units in the last place, float64 or float32, that they may be apart; 8 if
    not
            said. Of results less than `floor`, 0 if not said, units of `floor`
    wrong   of NumPy arrays, which of the points are not compared
    reason  why: shown in the page
    """
    for family in families().values():
        found = getattr(family, "SCIPY", {}).get(name)
        if found is not None:
            return found
    return {}


def relative_errors(got, want):
    """Of each result: relative; where the exact one is less than a normal number, units
    of the least; infinite where one of the two is not finite or 0 and the other is."""
    limits = np.finfo(got.dtype)
    tiny, least, eps = limits.tiny, float(limits.smallest_subnormal), float(limits.eps)
    wide = "D" if np.iscomplexobj(want) else "d"
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype).astype(wide)
        off = np.abs(got.astype(wide) - want)
        size = np.abs(want)
        errors = np.where(size >= tiny, off / size, off / least * eps)
        exact = (got.astype(wide) == rounded) | (np.isnan(got) & np.isnan(want))
        errors = np.where(exact, np.minimum(errors, eps / 2), errors)
    errors[~np.isfinite(size) & exact] = 0
    return np.where(np.isnan(errors), np.inf, errors)
