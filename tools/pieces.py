"""Write the tables of pieces.hpp's functions, cuda/include/cupric/math/*_pieces.hpp.

    pip install mpmath
    python -m tools.pieces                  every file
    python -m tools.pieces erf_pieces       one

A piece's polynomial interpolates the function in Chebyshev's points, which for so short
an interval is the best one but for a few per cent of its error, in 60 digits. Its
coefficients are rounded at once: the last places of all but the constant term, which
may have two words, hardly count beside it.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import mpmath as mp

from tools.polynomials import FOLDER, PRECISION, TAIL, rounded, written


@dataclass
class Table:
    """A function of piecewise(): what it is of the number x = middle + rest.

    `of` is given the middle and returns a function of the rest, which is of up to
    `half` to either side of it, a number or a function of the middle; `terms`
    coefficients stand for a piece. With `words` there is one more, what the constant
    term's rounding left."""

    name: str
    what: str
    of: Callable
    middles: Iterable
    half: float | Callable
    terms: int
    words: bool = False
    kind: str = "double"


def of_argument(f):
    """For `of`, where the table is simply of f(x)."""
    return lambda middle: lambda rest: f(middle + rest)


def coefficients_of(table):
    """By piece, the coefficients, rounded, highest first, and the largest error of all
    beside the function's value, or beside the largest one where there is a 0."""
    precision = PRECISION[table.kind]
    found, worst = [], mp.mpf(0)
    for middle in map(mp.mpf, table.middles):
        f = table.of(middle)
        half = mp.mpf(table.half(middle) if callable(table.half) else table.half)
        exact = mp.chebyfit(f, [-half, half], table.terms)
        piece = [rounded(c, precision) for c in exact]
        if table.words:
            piece.append(rounded(exact[-1] - piece[-1], precision))
        found.append(piece)
        points = [half * k / 20 for k in range(-20, 21)]
        values = [f(x) for x in points]
        low = piece[-1] if table.words else 0
        polynomial = piece[:-1] if table.words else piece
        errors = [
            abs(mp.polyval(polynomial, x) + low - v)
            for x, v in zip(points, values, strict=True)
        ]
        least, most = min(map(abs, values)), max(map(abs, values))
        worst = max(worst, max(errors) / (least if least > most / 10 else most))
    return found, worst


def function(table):
    """The text of a table's function."""
    found, error = coefficients_of(table)
    rows = [
        "{" + ", ".join(written(c, table.kind) for c in row) + "}"
        for row in zip(*found, strict=True)
    ]
    bound = mp.nstr(mp.log(error, 2), 4)
    print(table.name, table.kind, f"{len(found)} of {len(rows)}", bound, flush=True)
    result, call = table.kind, "piecewise"
    if table.words:
        result, call = f"words<{table.kind}>", "piecewise_words"
    return (
        f"\n/* {table.what}: 2**{bound} */\n"
        f"CUPRIC_MATH {result}\n{table.name}(place<{table.kind}> p)\n{{\n"
        f"    static constexpr {table.kind} at[{len(rows)}][{len(found)}] = "
        f"{{{', '.join(rows)}}};\n"
        f"    return {call}(at, p);\n}}\n"
    )


def i0_scaled(x):
    return mp.besseli(0, x) * mp.exp(-x)


def halves_of_octaves(bits, least):
    """By the middle, half the length of pieces of x >= 0 by the exponent and so many
    more bits of x + least, a power of two."""
    return lambda middle: mp.mpf(2) ** (mp.floor(mp.log(middle + least, 2)) - bits - 1)


def middles_of_octaves(bits, least, most):
    """The middles of these pieces, up to that in which `most` is."""
    half_of, start = halves_of_octaves(bits, least), mp.mpf(0)
    while start <= most:
        half = half_of(start)
        yield start + half
        start += 2 * half


HEAD = """\
/* math/{file}.hpp: the tables of {user}. Written by tools/pieces.py: change that. The errors
 * are relative to the value.
 */
#ifndef CUPRIC_MATH_{guard}_HPP
#define CUPRIC_MATH_{guard}_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {{
"""

# file: what uses it, its tables
FILES = {
    "erf_pieces": (
        "special.hpp",
        [
            Table(
                "single_erf_piece",
                "erf(x) for x = piece / 8 + rest < 4, for floats",
                of_argument(mp.erf),
                [mp.mpf(k) / 8 for k in range(33)],
                1 / 16,
                7,
            ),
        ],
    ),
    "bessel_pieces": (
        "elementary.hpp",
        [
            Table(
                "single_i0_piece",
                "exp(-x) I0(x) for 0 <= x <= 92 by place_of_octave<3, 2>, for floats",
                of_argument(i0_scaled),
                middles_of_octaves(3, 2, 92),
                halves_of_octaves(3, 2),
                7,
            ),
            Table(
                "i0_piece",
                "exp(-x) I0(x) for 0 <= x <= 714 by place_of_octave<3, 2>",
                of_argument(i0_scaled),
                middles_of_octaves(3, 2, 714),
                halves_of_octaves(3, 2),
                12,
                words=True,
            ),
        ],
    ),
}


def main():
    for file in sys.argv[1:] or FILES:
        user, tables = FILES[file]
        text = [HEAD.format(file=file, user=user, guard=file.upper())]
        text += map(function, tables)
        (FOLDER / f"{file}.hpp").write_text("".join([*text, TAIL]))


if __name__ == "__main__":
    main()
