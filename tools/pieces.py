"""Write the tables of pieces.hpp's functions, cuda/include/cupric/math/*_pieces.hpp.

    pip install mpmath
    python -m tools.pieces                  every file
    python -m tools.pieces erf_pieces       one

A piece's polynomial interpolates the function in Chebyshev's points, which for so short
an interval is the best one but for a few per cent of its error, in 60 digits. Its
coefficients are rounded at once: the last places of all but the constant term, which
may have two words, hardly count beside it.
"""

import struct
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import mpmath as mp

from tools.polynomials import (
    FOLDER,
    POWERS,
    PRECISION,
    TAIL,
    functions,
    rounded,
    written,
)


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


@dataclass
class Rows:
    """A table of rows of two words of 64 bits, which are read at once."""

    name: str
    what: str
    rows: list

    def text(self):
        listed = ", ".join(f"{{{a}, {b}}}" for a, b in self.rows)
        kind = "double" if "p" in self.rows[0][0] else "unsigned long long"
        return (
            f"\n/* {self.what} */\nCUPRIC_MATH table_row<{kind}>\n"
            f"{self.name}(unsigned long long i)\n{{\n"
            f"    alignas(16) static constexpr {kind} at[{len(self.rows)}][2] = "
            f"{{{listed}}};\n    return {{at[i][0], at[i][1]}};\n}}\n"
        )


def logarithm_rows(middles, log):
    """By row the logarithm of c, about the middle, to double, and a word of two halves:
    the upper ones of 1 / c, which has so few bits that m / c - 1 is exact, and of what
    the first word lacks, both as doubles."""
    rows = []
    for m in middles:
        unit = mp.mpf(2) ** (-7 if m < 1 else -8)  # numbers below 1 have a bit more
        inverse = mp.nint(1 / m / unit) * unit
        exact = -log(inverse) if inverse != 1 else mp.mpf(0)
        hi = rounded(exact, 53)
        upper = [bits_of(x) >> 32 for x in (inverse, rounded(exact - hi, 21))]
        assert bits_of(inverse) == upper[0] << 32
        rows.append((f"0x{bits_of(hi):x}ull", f"0x{upper[0] << 32 | upper[1]:x}ull"))
    return rows


def bits_of(x):
    return struct.unpack("Q", struct.pack("d", float(x)))[0]


# the middles of pieces, from 1 / sqrt(2) to sqrt(2) and from 1 to 2
AROUND_ONE = [1 + mp.mpf(k) / (256 if k < 0 else 128) for k in range(-75, 53)]
FROM_ONE = [1 + mp.mpf(k) / 128 for k in range(129)]


def power_rows(count):
    """2**(i / count) to double, and by what part that is too small."""
    rows = []
    for i in range(count):
        exact = mp.mpf(2) ** (mp.mpf(i) / count)
        power = rounded(exact, 53)
        low = rounded(exact / power - 1, 53)
        rows.append((written(power, "double"), written(low, "double")))
    return rows


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

# file: what uses it, its tables and polynomials
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
    "power_pieces": (
        "logarithms.hpp",
        [
            Rows(
                "log2_row",
                "log2(c) and 1 / c, row i that of 1 + (i - 75) / 128, or / 256 below 1",
                logarithm_rows(AROUND_ONE, lambda x: mp.log(x, 2)),
            ),
            Rows(
                "log_row",
                "log(c) and 1 / c, row i that of 1 + i / 128",
                logarithm_rows(FROM_ONE, mp.log),
            ),
            Rows(
                "log2_1p_row",
                "log2(c) and 1 / c, row i that of 1 + i / 128",
                logarithm_rows(FROM_ONE, lambda x: mp.log(x, 2)),
            ),
            Rows("exp2_row", "2**(i / 64) and what it lacks", power_rows(64)),
        ],
        POWERS,
    ),
}


def main():
    for file in sys.argv[1:] or FILES:
        user, tables, *polynomials = FILES[file]
        text = [HEAD.format(file=file, user=user, guard=file.upper())]
        text += [t.text() if isinstance(t, Rows) else function(t) for t in tables]
        for listed in polynomials:
            text += functions(listed)
        (FOLDER / f"{file}.hpp").write_text("".join([*text, TAIL]))


if __name__ == "__main__":
    main()
