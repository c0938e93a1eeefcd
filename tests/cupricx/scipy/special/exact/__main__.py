"""Write the exact values of families: see the package."""

import contextlib
import json
import sys

import mpmath as mp

from . import FOLDER, families
from ._evaluate import TooLong, condition, exactly, limited

SECONDS = 10  # for a value; points that take longer are left out


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
    points, results, conditions, left_out = [], [], [], []
    for point in exact.points(line):
        found = None
        with contextlib.suppress(TooLong), limited(SECONDS):
            values = exactly(exact.function, point)
            magnified = []
            if values is not None and exact.condition:
                magnified = condition(exact.function, point, values)
            found = values
        if found is None:
            left_out.append(point)
            continue
        points.append(point)
        results.append(found)
        conditions.append(magnified)
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
    if any(conditions):
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
