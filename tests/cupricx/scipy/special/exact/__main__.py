"""Write the exact values of families: see the package."""

import json
import signal
import sys

import mpmath as mp
from mpmath.libmp import NoConvergence

from . import FOLDER, families

SECONDS = 10  # for a value; points that take longer are left out
DIGITS = (40, 60, 120, 250)


class TooLong(Exception):
    pass


def stop(*_):
    raise TooLong


def number(x):
    if isinstance(x, complex):
        return mp.mpc(x)
    return x if isinstance(x, int) else mp.mpf(x)


def agree(a, b):
    if mp.isnan(a) or mp.isnan(b):
        return bool(mp.isnan(a) and mp.isnan(b))
    return a == b or abs(a - b) <= abs(b) * mp.mpf(10) ** -25


def at(function, point, digits):
    with mp.workdps(digits):
        results = function(*map(number, point))
        return [
            mp.mpmathify(r)
            for r in (results if isinstance(results, tuple) else (results,))
        ]


def exactly(function, point):
    """The results at a point: those of two precisions that agree. None: there are
    none."""
    before = None
    for digits in DIGITS:
        try:
            now = at(function, point, digits)
        except (ValueError, ZeroDivisionError, NoConvergence, OverflowError):
            now = None
        if now and before and all(map(agree, before, now)):
            return now
        before = now
    return None


def condition(function, point, results):
    """By how much a relative change of an argument is magnified, of each result."""
    total = [mp.mpf(0)] * len(results)
    for k, x in enumerate(point):
        if isinstance(x, int) or x == 0:
            continue
        h = mp.mpf(10) ** -25
        try:
            with mp.workdps(90):
                near = [*map(number, point)]
                near[k] *= 1 + h
                moved, there = function(*near), function(*map(number, point))
        except (ValueError, ZeroDivisionError, NoConvergence):
            continue
        pairs = zip(
            moved if isinstance(moved, tuple) else (moved,),
            there if isinstance(there, tuple) else (there,),
            strict=True,
        )
        for i, (a, b) in enumerate(pairs):
            total[i] += abs((a - b) / b) / h if b else 0
    return [float(f"{float(t):.2g}") for t in total]


def written(value, is_complex):
    """Rounded as Python does, from 40 digits."""
    if is_complex:
        value = mp.mpc(value)
        return [written(value.real, False), written(value.imag, False)]
    if mp.isnan(value) or mp.isinf(value):
        return float(value)
    with mp.workdps(40):
        return float(mp.nstr(mp.mpf(value), 30, min_fixed=1, max_fixed=0))


def values(line, exact):
    signal.signal(signal.SIGALRM, stop)
    points, results, conditions, left_out = [], [], [], []
    for point in exact.points(line):
        signal.alarm(SECONDS)
        try:
            found = exactly(exact.function, point)
            if found and exact.condition:
                conditions.append(condition(exact.function, point, found))
        except TooLong:
            found = None
        finally:
            signal.alarm(0)
        if found is None:
            left_out.append(point)
            continue
        points.append(point)
        results.append(found)
    for point in left_out:
        print(f"{line}{point}: no value", file=sys.stderr)
    return columns(points, results, conditions)


def kind_of(column):
    return next(
        (k.__name__ for k in (complex, float) if any(isinstance(x, k) for x in column)),
        "int",
    )


def columns(points, results, conditions):
    by_argument = [*zip(*points, strict=True)]
    kinds = [kind_of(c) for c in by_argument]
    kept = {
        "kinds": kinds,
        "x": [
            [
                [complex(x).real, complex(x).imag] if k == "complex" else x
                for x in column
            ]
            for column, k in zip(by_argument, kinds, strict=True)
        ],
        "y": [],
    }
    for column in zip(*results, strict=True):
        is_complex = any(isinstance(v, mp.mpc) for v in column)
        kept["y"].append([written(v, is_complex) for v in column])
    if conditions:
        kept["condition"] = [list(c) for c in zip(*conditions, strict=True)]
    return kept


def main(family, *lines):
    functions, path = families()[family].FUNCTIONS, FOLDER / f"{family}.json"
    kept = json.loads(path.read_text()) if path.exists() and lines else {}
    for line in lines or functions:
        kept[line] = values(line, functions[line])
        print(f"{line}: {len(kept[line]['x'][0])} points")
    entries = (
        f"{json.dumps(line)}:{json.dumps(kept[line], separators=(',', ':'))}"
        for line in functions
        if line in kept
    )
    path.write_text("{" + ",\n".join(entries) + "}\n")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"a family: {', '.join(families())}")
    main(*sys.argv[1:])
