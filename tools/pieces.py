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
from functools import cache

import mpmath as mp

from tools.minimax import (
    FOLDER,
    IMMEDIATE_BITS,
    PRECISION,
    TAIL,
    fit,
    grid,
    near_zero,
    ratios,
    rounded,
    written,
)
from tools.polynomials import (
    PI,
    POWERS,
    constants,
    functions,
    gammaln_over_zeros,
    value_of,
)


@dataclass
class Table:
    """A function of piecewise_words(): what it is of the number x = middle + rest.

    `of` is given the middle and returns a function of the rest, which is of up to
    `half` to either side of it, or from and to what `half` returns of the middle;
    `terms` coefficients stand for a piece, and what the constant term's rounding left.
    So many of the highest as `short` says are floats; `call` is what evaluates it. The
    first piece is row `first`, and those past the last row are the rows from 0 on. Of
    more pieces than a GPU loads 8 bytes from at once it loads halves of numbers, for
    which rows are filled up to so many as `halves` says."""

    name: str
    what: str
    of: Callable
    middles: Iterable
    half: float | Callable
    terms: int
    kind: str = "double"
    short: int = 0
    call: str = "piecewise_words"
    first: int = 0
    halves: int = 0

    def text(self):
        found, error = coefficients_of(self)
        found = [*found[-self.first :], *found[: -self.first]] if self.first else found
        rows = list(zip(*found, strict=True))
        bound = mp.nstr(mp.log(error, 2), 4)
        print(self.name, self.kind, f"{len(found)} of {len(rows)}", bound, flush=True)
        arrays, arguments = array("at", self.kind, rows[self.short :]), "at, p"
        if self.halves:
            wide, low = rows[self.short : -1], [[rounded(c, 24) for c in rows[-1]]]
            arrays = (
                "#if defined(__CUDA_ARCH__)\n"
                + halves_of("at", wide, self.halves)
                + "#else\n"
                + array("at", "double", wide, self.halves)
                + "#endif\n"
                + array("low", "short_number", low, self.halves)
            )
            arguments = "at, low, p"
        if self.short:
            short = array("high", "short_number", rows[: self.short], self.halves)
            arrays = short + arrays
            arguments = f"high, {arguments}"
        return (
            f"\n/* {self.what}: 2**{bound} */\n"
            f"CUPRIC_MATH words<{self.kind}>\n{self.name}(place<{self.kind}> p)\n{{\n"
            f"{arrays}    return {self.call}({arguments});\n}}\n"
        )


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
        rows = [list(map(f, range(self.pieces))) for f in self.of.values()]
        print(self.name, self.kind, f"{self.pieces} of {len(rows)}", flush=True)
        results = ", ".join(f"at[{k}][piece]" for k in range(len(rows)))
        return (
            f"\n/* {self.what} */\n"
            f"struct {self.name}s {{\n    {self.kind} {', '.join(self.of)};\n}};\n"
            f"CUPRIC_MATH {self.name}s\n"
            f"{self.name}s_of(format<{self.kind}>::bits piece)\n{{\n"
            f"{array('at', self.kind, rows)}    return {{{results}}};\n}}\n"
        )


def of_argument(f):
    """For `of`, where the table is simply of f(x)."""
    return lambda middle: lambda rest: f(middle + rest)


def erf_rest(s):
    x = mp.sqrt(s)
    series = ratios((1, 1), (-1, 3), (1, 10), (-1, 42), (1, 216))
    value = near_zero(lambda s: mp.erf(x) / x * mp.sqrt(PI) / 2, series, s)
    return value * 2 / mp.sqrt(PI) - 1


def erf_of_piece(small):
    """erf(middle + rest), or for the pieces below `small` erf(x) / x - 1 of x**2."""

    def of(middle):
        return erf_rest if middle < small else of_argument(mp.erf)(middle)

    return of


def erf_bounds(small, half):
    return lambda middle: (0, small**2) if middle < small else (-half, half)


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def mills_ratio(x):
    """exp(x**2 / 2) ndtr(-x)"""
    return mp.exp(x * x / 2) * mp.ncdf(-x)


def half_of_octave(bits, least, middle):
    """Half the length of a piece of place_of_octave<bits>(x, least)."""
    return mp.mpf(2) ** (mp.floor(mp.log(middle + least, 2)) - bits - 1)


def middles_of_octaves(bits, least, count):
    """The middles of these pieces, from that of 0 on."""
    length = mp.mpf(2) ** (mp.floor(mp.log(least, 2)) - bits)
    end = mp.floor(least / length) * length - least
    for _ in range(count):
        half = half_of_octave(bits, least, end)
        yield end + half
        end += 2 * half


def bounds_of_octaves(bits, least):
    """Of x >= 0 alone."""

    def bounds(middle):
        half = half_of_octave(bits, least, middle)
        return max(-half, -middle), half

    return bounds


def coefficients_of(table):
    """By piece, the coefficients, rounded, highest first, and the largest error of all
    beside the function's value, or beside the largest one where there is a 0."""
    precision = PRECISION[table.kind]
    short = [PRECISION["float"]] * table.short
    precisions = [*short, *[precision] * (table.terms - table.short)]
    found, worst = [], mp.mpf(0)
    for middle in map(mp.mpf, table.middles):
        f = table.of(middle)
        if callable(table.half):
            low, high = map(mp.mpf, table.half(middle))
        else:
            high = mp.mpf(table.half)
            low = -high
        exact = mp.chebyfit(f, [low, high], table.terms)
        piece = list(map(rounded, exact, precisions))
        lost = rounded(exact[-1] - piece[-1], precision)
        points = [low + (high - low) * k / 40 for k in range(41)]
        values = [f(x) for x in points]
        errors = [
            abs(mp.polyval(piece, x) + lost - v)
            for x, v in zip(points, values, strict=True)
        ]
        found.append([*piece, lost])
        least, most = min(map(abs, values)), max(map(abs, values))
        worst = max(worst, max(errors) / (least if least > most / 10 else most))
    return found, worst


def array(name, kind, rows, columns=0):
    """The declaration of an array of rows, filled up with zeros."""
    digits = "double" if kind == "double" else "float"
    text = ", ".join(
        "{" + ", ".join(written(c, digits) for c in row) + "}" for row in rows
    )
    size = f"[{len(rows)}][{columns or len(rows[0])}]"
    return f"    static constexpr {kind} {name}{size} = {{{text}}};\n"


def halves_of(name, rows, columns):
    """The same of the lower and the upper halves of each row's doubles."""
    text = ", ".join(
        "{" + ", ".join(f"0x{bits_of(c) >> shift & 0xFFFFFFFF:x}" for c in row) + "}"
        for row in rows
        for shift in (0, 32)
    )
    size = f"[{2 * len(rows)}][{columns}]"
    return f"    alignas(128) static constexpr half_number {name}{size} = {{{text}}};\n"


# parts of an octave around 1, which is the 7th's middle, and of its logarithm's first
# word the bits after the point
OCTAVE_PIECES, OCTAVE_BITS = 16, 42


def octave_scale(piece):
    """About the reciprocal of the piece's numbers, of so few digits that these times it
    less 1 are exact, or nearly."""
    k = piece - 7
    return mp.nint(64 / (1 + mp.mpf(k) / (32 if k < 0 else 16))) / 64


def octave_log(piece):
    return mp.nint(-mp.log(octave_scale(piece)) * 2**OCTAVE_BITS) / 2**OCTAVE_BITS


def octave_log_low(piece):
    return rounded(-mp.log(octave_scale(piece)) - octave_log(piece), 53)


# the same in float, where 1 is the 15th of 32; all logarithms of so many bits after the
# point that with a multiple of log(2) they are exact
SINGLE_OCTAVE_PIECES, SINGLE_OCTAVE_BITS = 32, 16


def single_octave_scale(piece):
    k = piece - 15
    return mp.nint(64 / (1 + mp.mpf(k) / (64 if k < 0 else 32))) / 64


def single_octave_log(piece):
    unit = mp.mpf(2) ** -SINGLE_OCTAVE_BITS
    return mp.nint(-mp.log(single_octave_scale(piece)) / unit) * unit - 1


def single_octave_log_low(piece):
    exact = -mp.log(single_octave_scale(piece)) - 1
    return rounded(exact - single_octave_log(piece), 24)


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
    """By row logarithm_row() of c, about the middle; 1 / c has so few bits that
    m / c - 1 is exact."""
    rows = []
    for m in middles:
        unit = mp.mpf(2) ** (-7 if m < 1 else -8)  # numbers below 1 have a bit more
        inverse = mp.nint(1 / m / unit) * unit
        exact = -log(inverse) if inverse != 1 else mp.mpf(0)
        rows.append(logarithm_row(inverse, exact, rounded(exact, 53)))
    return rows


def logarithm_row(inverse, exact, hi):
    """`hi`, and a word of two halves: of `inverse` and of what `hi` lacks, each the
    upper one of a double."""
    upper = [bits_of(x) >> 32 for x in (inverse, rounded(exact - hi, IMMEDIATE_BITS))]
    assert bits_of(inverse) == upper[0] << 32
    return f"0x{bits_of(hi):x}ull", f"0x{upper[0] << 32 | upper[1]:x}ull"


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


def i0_scaled(x):
    return mp.besseli(0, x) * mp.exp(-x)


@dataclass
class Summed:
    """The function f of [0, limit] as the polynomial of so many terms, none of them
    negative, for with_terms(): the lowest are summed in two words. Those are multiples
    of the last place of the largest sum that they are part of; `exact` are given."""

    name: str
    what: str
    f: Callable
    limit: mp.mpf
    terms: int
    exact: list
    summed: int

    def text(self):
        points = grid(mp.mpf(0), self.limit, 300)[1:]
        exact = left = [self.f(x) for x in points]
        weights, found = [1 / v for v in left], []
        for k in range(self.terms):
            unit = mp.mpf(2) ** (mp.floor(mp.log(max(left), 2)) - 52)
            if k < len(self.exact):
                term = self.exact[k]
            else:
                term = fit(points, left, weights, self.terms - k - 1)[0][0]
                term = rounded(
                    mp.nint(term / unit) * unit if k < self.summed else term, 53
                )
            found.append(term)
            left = [(v - term) / x for v, x in zip(left, points, strict=True)]
            weights = [w * x for w, x in zip(weights, points, strict=True)]
        error = max(
            abs(mp.polyval(found[::-1], x) / v - 1)
            for x, v in zip(points, exact, strict=True)
        )
        bound = mp.nstr(mp.log(error, 2), 4)
        print(self.name, "double", len(found), bound, flush=True)
        call = f"with_terms(x, {self.name}_tail(x), "
        low = value_of(found[self.summed - 1 :: -1], "double")
        return (
            f"\n/* Of what follows the terms from power {self.summed} on. */\n"
            f"CUPRIC_MATH double\n{self.name}_tail(double x)\n{{\n"
            f"{value_of(found[: self.summed - 1 : -1], 'double')}}}\n"
            f"\n/* {self.what}: 2**{bound} */\n"
            f"CUPRIC_MATH words<double>\n{self.name}(double x)\n{{\n"
            f"{low.replace('horner(x, ', call)}}}\n"
        )


@dataclass
class Constants:
    """A struct of them, as polynomials.py has, of double alone."""

    name: str
    listed: list

    def text(self):
        name = self.name
        return f"\ntemplate <class F>\nstruct {name};\n" + constants(
            name, self.listed, "double", PRECISION["double"]
        )


I0_BORDER = 12


def i0_of_square(s):
    return mp.besseli(0, mp.sqrt(s))


def i0_far(w):
    """sqrt(x) exp(-x) I0(x), w = 1 / x"""
    return i0_scaled(1 / w) / mp.sqrt(w)


I0_LIMIT = 1 / mp.sqrt(2 * PI)  # of that for large x
BESSEL = [
    (
        "single_i0_series",
        f"I0(x) in x**2, 0 <= x <= {I0_BORDER}, for floats",
        i0_of_square,
        lambda s: 1 / i0_of_square(s),
        0,
        mp.mpf(I0_BORDER) ** 2,
        {"double": 32},
    ),
    (
        "single_i0_varying",
        f"sqrt(x) exp(-x) I0(x) in 1 / x, {I0_BORDER} <= x <= 92, for floats",
        i0_far,
        lambda w: 1 / i0_far(w),
        1 / mp.mpf(93),
        1 / mp.mpf(I0_BORDER),
        {"double": 32},
    ),
    (
        "i0_slope",
        f"I1(x) / I0(x) / (2 x), 0 < x <= {I0_BORDER}, which a rest is multiplied by",
        lambda x: mp.besseli(1, x) / mp.besseli(0, x) / (2 * x) if x else mp.mpf(1) / 4,
        lambda x: x**2,
        0,
        I0_BORDER,
        {"double": 4},
    ),
    (
        "i0_far_tail",
        f"(sqrt(x) exp(-x) I0(x) - I0_LIMIT) x in 1 / x, {I0_BORDER} <= x <= 714",
        lambda w: (i0_far(w) - I0_LIMIT) / w,
        lambda w: w / i0_far(w),
        1 / mp.mpf(715),
        1 / mp.mpf(I0_BORDER),
        {"double": 59},
    ),
]


def erfcinv(q):
    """The x > 0 with erfc(x) = q < 1, by Newton's steps in the logarithm."""
    x = mp.sqrt(-mp.log(q)) if q < mp.mpf("1e-3") else mp.erfinv(1 - q)
    for _ in range(60):
        value = mp.erfc(x)
        step = mp.log(value / q) * value * mp.sqrt(mp.pi) / 2 * mp.exp(x * x)
        x += step
        if abs(step) < abs(x) * mp.mpf("1e-45"):
            break
    return x


def erfinv_over_argument(s):
    """erfinv(y) / y, s = y**2"""
    y = mp.sqrt(s)
    return mp.erfinv(y) / y if s > mp.mpf("1e-30") else mp.sqrt(mp.pi) / 2


def inverse_tails():
    """erfcinv(exp(-w**2)) by intervals of w, about their middles."""
    borders = [mp.mpf(b) for b in ("0.8125", "1.5", "2.75", "5", "11", "27.5")]
    for k, (low, high) in enumerate(zip(borders, borders[1:], strict=False)):
        middle = (low + high) / 2

        @cache
        def value(t, middle=middle):
            return erfcinv(mp.exp(-((middle + t) ** 2)))

        yield (
            f"erfcinv_tail_{k}",
            f"erfcinv(exp(-w**2)), w = {mp.nstr(middle)} + x from {mp.nstr(low)} to "
            f"{mp.nstr(high)}",
            value,
            lambda t, value=value: 1 / value(t),
            low - middle,
            high - middle,
            {"double": 57},
        )


INVERSES = [
    (
        "erfinv_middle",
        "erfinv(y) / y in y**2, |y| <= 1 / 2",
        erfinv_over_argument,
        lambda s: 1 / erfinv_over_argument(s),
        0,
        mp.mpf(1) / 4,
        {"double": 57},
    ),
    *inverse_tails(),
]


def i1_of_square(s):
    """I1(x) / x, s = x**2"""
    return mp.besseli(1, mp.sqrt(s)) / mp.sqrt(s) if s else mp.mpf(1) / 2


def i1_over_i0(w):
    """I1(x) / I0(x), w = 1 / x"""
    return mp.besseli(1, 1 / w) / mp.besseli(0, 1 / w)


ORDER_1 = [
    (
        "i1_series",
        f"I1(x) / x in x**2, 0 <= x <= {I0_BORDER}",
        i1_of_square,
        lambda s: 1 / i1_of_square(s),
        0,
        mp.mpf(I0_BORDER) ** 2,
        {"double": 57},
    ),
    (
        "i1_over_i0",
        f"I1(x) / I0(x) in 1 / x, {I0_BORDER} <= x <= 714",
        i1_over_i0,
        lambda w: 1 / i1_over_i0(w),
        1 / mp.mpf(715),
        1 / mp.mpf(I0_BORDER),
        {"double": 57},
    ),
]


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


def log_rows():
    found = [(log_inverse(piece), log_word(piece)) for piece in range(LOG_PIECES)]
    return [logarithm_row(inverse, -mp.log(inverse), word) for inverse, word in found]


GAMMALN_ZEROS = 15  # left of -2, of those beside which there are floats


def gammaln_of_negative(y):
    return mp.re(mp.loggamma(-y))


@cache
def gammaln_zero(piece):
    """The zero's negative, which is from a whole number to half of one more or less."""
    whole, up = divmod(piece + 5, 2)
    sign = 1 if up else -1
    bounds = [mp.log(mp.mpf("0.499")), -mp.loggamma(whole + 1) - 1]
    log = mp.findroot(
        lambda log: gammaln_of_negative(whole + sign * mp.exp(log)), bounds, "anderson"
    )
    return whole + sign * mp.exp(log)


def zero_word(piece):
    return rounded(gammaln_zero(piece), 24)


def zero_low_word(piece):
    return rounded(gammaln_zero(piece) - zero_word(piece), 24)


def over_distance(zero):
    """gammaln(-zero - rest) / rest"""
    slope = -mp.digamma(-zero)
    return lambda rest: gammaln_of_negative(zero + rest) / rest if rest else slope


def bounds_near_zero(zero):
    """Where gammaln is 1 / 16, or 1 / 32 right of -3, and 2 % more."""
    slope, limit = -mp.digamma(-zero), mp.mpf("1.02") / (32 if zero < 3 else 16)
    return sorted(
        mp.findroot(
            lambda rest, value=value: gammaln_of_negative(zero + rest) - value,
            (value / slope, value / slope * mp.mpf("1.1")),
        )
        for value in (-limit, limit)
    )


HEAD = """\
/* math/{file}.hpp: the tables of {user}. Written by
 * tools/pieces.py: change that. The errors are relative to the value.
 */
#ifndef CUPRIC_MATH_{guard}_HPP
#define CUPRIC_MATH_{guard}_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {{
"""

# so that the first piece's middle is 0
FIRST_4, FIRST_8 = mp.mpf(9) / 8, mp.mpf(17) / 16


def tables_of_tail(name, what, f, pieces, terms):
    """Of what hardly varies, for floats, and for doubles in so many pieces, by so many
    terms."""
    yield Table(
        name,
        f"{what}, by eighths of octaves, from row 24 on",
        of_argument(f),
        middles_of_octaves(3, FIRST_8, 32),
        bounds_of_octaves(3, FIRST_8),
        6,
        first=24,
        kind="float",
    )
    yield Table(
        name,
        f"{what}, by quarters of octaves",
        of_argument(f),
        middles_of_octaves(2, FIRST_4, pieces),
        bounds_of_octaves(2, FIRST_4),
        terms,
        short=4,
    )


# file: what uses it, its tables and polynomials
FILES = {
    "erf_pieces": (
        "special.hpp",
        [
            Table(
                "erf_piece",
                "erf(x), x = piece / 8 + rest; up to 9 / 16 erf(x) / x - 1 of x**2",
                erf_of_piece(mp.mpf(9) / 16),
                [mp.mpf(k) / 8 for k in range(32)],
                erf_bounds(mp.mpf(9) / 16, mp.mpf(1) / 16),
                6,
                kind="float",
            ),
            Table(
                "erf_piece",
                "erf(x) by 16ths of octaves of 1 + x; up to 3 / 8 as above",
                erf_of_piece(mp.mpf(3) / 8),
                middles_of_octaves(4, mp.mpf(1), 44),
                lambda middle: (
                    (0, mp.mpf(9) / 64)
                    if middle < mp.mpf(3) / 8
                    else bounds_of_octaves(4, mp.mpf(1))(middle)
                ),
                10,
                short=3,
                halves=64,
            ),
            *tables_of_tail("erfc_piece", "exp(x**2) erfc(x)", erfcx, 20, 15),
            *tables_of_tail(
                "ndtr_piece", "exp(x**2 / 2) ndtr(-x)", mills_ratio, 21, 14
            ),
        ],
    ),
    "log_pieces": (
        "log_by_table.hpp",
        [
            Numbers(
                "log_place",
                "About the reciprocal of the numbers of an octave's 16th, where 1 is\n"
                " * in the 7th, and its logarithm's negative in two words, the first\n"
                f" * of {OCTAVE_BITS} bits after the point.",
                {"scale": octave_scale, "log": octave_log, "log_low": octave_log_low},
                OCTAVE_PIECES,
            ),
        ],
    ),
    "bessel_pieces": (
        "elementary.hpp",
        [
            Constants("bessel_constants", [("I0_LIMIT", I0_LIMIT, 0, 2)]),
            Summed(
                "i0_series",
                f"I0(x) in x**2, 0 <= x <= {I0_BORDER}",
                i0_of_square,
                mp.mpf(I0_BORDER) ** 2,
                19,
                ratios((1, 1), (1, 4), (1, 64)),
                7,
            ),
        ],
        BESSEL,
    ),
    "inverse_pieces": ("erf_inverses.hpp", [], INVERSES),
    "i1_pieces": ("bessel.hpp", [], ORDER_1),
    "power_pieces": (
        "powers.hpp",
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
    "gamma_pieces": (
        "stirling.hpp",
        [
            Rows(
                "small_log_row",
                f"Less its logarithm, to {LOG_BITS} bits after the point, and two "
                "halves of a word:\n * about 1 / m for m = 1 + i / 128 + rest, "
                f"of those above 1 + {LOG_BORDER} / 128 for m / 2, and\n"
                " * what the logarithm lacks.",
                log_rows(),
            ),
            Numbers(
                "sine_number",
                "sin(pi piece / 32) in two words.",
                {"hi": sine_word, "lo": sine_low_word},
                SINE_PIECES,
            ),
            Numbers(
                "single_log_place",
                "About the reciprocal of the numbers of an octave's 32nd, where 1 is\n"
                " * in the 15th, and its logarithm's negative less 1 in two words,\n"
                f" * the first of {SINGLE_OCTAVE_BITS} bits after the point.",
                {
                    "scale": single_octave_scale,
                    "log": single_octave_log,
                    "log_low": single_octave_log_low,
                },
                SINGLE_OCTAVE_PIECES,
                kind="float",
            ),
            Table(
                "gammaln_piece",
                "gammaln(1 + x) / x / (x - 1), x = piece / 8 + rest",
                of_argument(lambda x: gammaln_over_zeros(1 + x)),
                [mp.mpf(k) / 8 for k in range(25)],
                mp.mpf(1) / 16,
                6,
                kind="float",
            ),
            Numbers(
                "gammaln_zero",
                "The zeros of gammaln left of -2, less their sign, in two words: the\n"
                " * last before k is number 2 k - 5, the first after it the next.",
                {"hi": zero_word, "lo": zero_low_word},
                GAMMALN_ZEROS,
                kind="float",
            ),
            Table(
                "gammaln_beside_zero",
                "gammaln(-zero - rest) / rest, where gammaln is less than 1 / 16, or\n"
                " * 1 / 32 right of -3",
                over_distance,
                list(map(gammaln_zero, range(GAMMALN_ZEROS))),
                bounds_near_zero,
                6,
                kind="float",
            ),
        ],
    ),
}


def main():
    for file in sys.argv[1:] or FILES:
        user, tables, *polynomials = FILES[file]
        text = [HEAD.format(file=file, user=user, guard=file.upper())]
        text += [table.text() for table in tables]
        for listed in polynomials:
            text += functions(listed)
        (FOLDER / f"{file}.hpp").write_text("".join([*text, TAIL]))


if __name__ == "__main__":
    main()
