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

    `of` is given the middle and returns a function of the rest, which is of up to `half`
    to either side of it; `terms` coefficients stand for a piece. With `words` there is one
    more, what the constant term's rounding left."""

    name: str
    what: str
    of: Callable
    middles: Iterable
    half: float
    terms: int
    words: bool = False
    kind: str = "double"


@dataclass
class Numbers:
    """A function of a piece's number alone, which returns a struct of numbers: `of`
    gives them by name, each as a function of the piece."""

    name: str
    what: str
    of: dict[str, Callable]
    pieces: int
    kind: str = "double"

    def text(self):
        rows = [
            "{" + ", ".join(written(f(k), self.kind) for k in range(self.pieces)) + "}"
            for f in self.of.values()
        ]
        print(self.name, self.kind, f"{self.pieces} of {len(rows)}", flush=True)
        results = ", ".join(f"at[{k}][piece]" for k in range(len(rows)))
        return (
            f"\n/* {self.what} */\n"
            f"struct {self.name}s {{\n    {self.kind} {', '.join(self.of)};\n}};\n"
            f"CUPRIC_MATH {self.name}s\n"
            f"{self.name}s_of(format<{self.kind}>::bits piece)\n{{\n"
            f"    static constexpr {self.kind} at[{len(rows)}][{self.pieces}] = "
            f"{{{', '.join(rows)}}};\n"
            f"    return {{{results}}};\n}}\n"
        )


def of_argument(f):
    """For `of`, where the table is simply of f(x)."""
    return lambda middle: lambda rest: f(middle + rest)


def coefficients_of(table):
    """By piece, the coefficients, rounded, highest first, and the largest error of all
    beside the function's value, or beside the largest one where there is a 0."""
    half, precision = mp.mpf(table.half), PRECISION[table.kind]
    found, worst = [], mp.mpf(0)
    for middle in map(mp.mpf, table.middles):
        f = table.of(middle)
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
    if isinstance(table, Numbers):
        return table.text()
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


SINE_PIECES = 17  # of [0, 1 / 2]


def sine_word(piece):
    return rounded(mp.sin(mp.pi * piece / 32), 53)


def sine_low_word(piece):
    return rounded(mp.sin(mp.pi * piece / 32) - sine_word(piece), 53)


LOG_PIECES = 128  # of [1, 2)
LOG_BORDER = 53  # the pieces from here on are of [1 / 2, 1): near sqrt(2)
LOG_BITS = 42  # after the point, of the logarithm's first word


def log_inverse(piece):
    """About 1 / m for m in the piece, so short that m times it less 1, which is at most
    1 / 128, is a double; 1 beside 1."""
    low, high = mp.mpf(LOG_PIECES + piece) / 128, mp.mpf(LOG_PIECES + piece + 1) / 128
    inverse = mp.floor(512 / (low + high) + mp.mpf(1) / 2) / 256
    if piece == 0:
        inverse = mp.mpf(1)
    if piece == LOG_PIECES - 1:
        inverse = mp.mpf(1) / 2
    assert max(abs(low * inverse - 1), abs(high * inverse - 1)) <= mp.mpf(1) / 128
    return 2 * inverse if piece >= LOG_BORDER else inverse


def log_word(piece):
    return mp.nint(-mp.log(log_inverse(piece)) * 2**LOG_BITS) / 2**LOG_BITS


def log_low_word(piece):
    return rounded(-mp.log(log_inverse(piece)) - log_word(piece), 53)


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
    "gamma_pieces": (
        "gamma.hpp",
        [
            Numbers(
                "log_number",
                "About 1 / m for m = 1 + piece / 128 + rest, of those above "
                f"1 + {LOG_BORDER} / 128 for m / 2, and\n * less its logarithm, in two "
                f"words, the first of {LOG_BITS} bits after the point.",
                {"inverse": log_inverse, "log": log_word, "log_low": log_low_word},
                LOG_PIECES,
            ),
            Numbers(
                "sine_number",
                "sin(pi piece / 32) in two words.",
                {"hi": sine_word, "lo": sine_low_word},
                SINE_PIECES,
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
