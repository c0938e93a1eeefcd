"""Write cuda/include/cupric/special/kelvin_tables.hpp, the polynomials of kelvin.hpp.

    pip install mpmath
    python -m tools.kelvin

ber + i bei = J0(x exp(3 pi i / 4)), ker + i kei = K0(x exp(pi i / 4)) and their
derivatives: by pieces up to FAR, ker and kei below 1/2 less what is not regular at 0;
from there on what Hankel's expansions are but for their first factors, in 1 / x.
M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions" (1964), 9.9, 9.10.
"""

from functools import cache
from pathlib import Path

import mpmath as mp

from tools.bessel import ENDS, half_units, of_square, pieces, polynomial
from tools.bessel import quarters_of_octaves as octaves
from tools.minimax import TAIL

mp.mp.dps = 50
FILE = Path(__file__).parents[1] / "cuda/include/cupric/special/kelvin_tables.hpp"
FAR = 10
TURN = mp.expjpi(mp.mpf(1) / 4)

HEAD = """\
/* special/kelvin_tables.hpp: the polynomials of kelvin.hpp. Written by tools/kelvin.py:
 * change that. The errors are relative to the value, or to the slope beside a zero.
 */
#ifndef CUPRIC_SPECIAL_KELVIN_TABLES_HPP
#define CUPRIC_SPECIAL_KELVIN_TABLES_HPP

#include "cupric/special/bessel_tables.hpp"

CUPRIC_BEGIN
namespace elementary {
"""


@cache
def first(x):
    return mp.besseli(0, x * TURN)


@cache
def first_slope(x):
    return TURN * mp.besseli(1, x * TURN)


@cache
def second(x):
    return mp.besselk(0, x * TURN)


@cache
def second_slope(x):
    return -TURN * mp.besselk(1, x * TURN)


def real(f):
    return lambda x: mp.re(f(x))


def imag(f):
    return lambda x: mp.im(f(x))


FUNCTIONS = {
    "ber": real(first),
    "bei": imag(first),
    "berp": real(first_slope),
    "beip": imag(first_slope),
    "ker": real(second),
    "kei": imag(second),
    "kerp": real(second_slope),
    "keip": imag(second_slope),
}


def zeros_of(f, low, high):
    points = [mp.mpf(low) + (mp.mpf(high) - mp.mpf(low)) * k / 200 for k in range(201)]
    values = [f(x) for x in points]
    return [
        mp.findroot(f, (a, b), "anderson", tol=mp.mpf(10) ** -60, verify=False)
        for a, b, u, v in zip(points, points[1:], values, values[1:], strict=False)
        if u * v < 0
    ]


def far_first(f, turn):
    """What is left of ber + i bei, less i / pi (ker + i kei), over exp(x exp(pi i / 4))
    / sqrt(2 pi x) and a turn."""
    other = second if f is first else second_slope

    @cache
    def of(w):
        x = 1 / w
        value = f(x) - mp.mpc(0, 1) / mp.pi * other(x)
        size = mp.exp(-x * TURN) * mp.sqrt(2 * mp.pi * x)
        return value * size * mp.expjpi(turn)

    return of


def far_second(f, turn):
    @cache
    def of(w):
        x = 1 / w
        return f(x) * mp.exp(x * TURN) / mp.sqrt(mp.pi / (2 * x)) * mp.expjpi(turn)

    return of


def part(of, take, start, slope):
    def f(w):
        return take(of(w)) if w else start

    ENDS[f] = slope
    return f


def far_text():
    eighth = mp.mpf(1) / 8
    one, three = TURN.conjugate() / 8, TURN.conjugate() * 3 / 8
    # the terms of 1 / x of Hankel's expansions of orders 0 and 1
    for name, of, slope in (
        ("be", far_first(first, eighth), one),
        ("bep", far_first(first_slope, -eighth), -three),
        ("ke", far_second(second, eighth), -one),
        ("kep", far_second(second_slope, eighth - mp.mpf(1) / 4 - 1), three),
    ):
        for suffix, take, start in (("real", mp.re, 1), ("imag", mp.im, 0)):
            f = part(of, take, mp.mpf(start), take(slope))
            if suffix == "imag":
                # over 1 / x, whose value at 0 is the slope

                def over(w, f=f, slope=slope):
                    return f(w) / w if w else mp.im(slope)

                f = over
                ENDS[f] = mp.diff(f, mp.mpf(1) / 4000)
            yield polynomial(
                f"{name}_far_{suffix}",
                f"The {suffix} part of {name}, but for its first factors"
                f"{', over 1 / x' if suffix == 'imag' else ''}, in 1 / x, x >= {FAR}",
                f,
                0,
                mp.mpf(1) / FAR,
                13,
            )


def near_zero_text():
    """ker + log(x) ber and the like, which are regular, in x**4 or x**2."""
    log = mp.log
    F = FUNCTIONS
    regular = {
        "ker_regular": lambda x: F["ker"](x) + log(x) * F["ber"](x),
        "kei_regular": lambda x: F["kei"](x) + log(x) * F["bei"](x),
        "kerp_regular": lambda x: (F["kerp"](x) + log(x) * F["berp"](x)) * x,
        "keip_regular": lambda x: (F["keip"](x) + log(x) * F["beip"](x)) / x,
    }
    shift = mp.log(2) - mp.euler
    # value at 0 and the slope by x**2
    ends = {
        "ker_regular": (shift, mp.pi / 16),
        "kei_regular": (-mp.pi / 4, (shift + 1) / 4),
        "kerp_regular": (mp.mpf(-1), mp.pi / 8),
        "keip_regular": ((shift + mp.mpf(1) / 2) / 2, mp.pi / 64),
    }
    for name, f in regular.items():
        yield polynomial(
            name,
            f"What {name[:-8]} + log(x) {'be' + name[2:-8]} is, regular, in x**2, "
            "x <= 1/2; of kerp times x, of keip over x",
            of_square(f, *ends[name]),
            0,
            mp.mpf(1) / 4,
            7,
        )


def main():
    text = [HEAD]
    for name, f in FUNCTIONS.items():
        if name.startswith("b"):
            zeros = zeros_of(f, "0.01", FAR + 1)
            if not f(mp.mpf(0)):
                zeros.append(mp.mpf(0))
            bounds, terms = half_units(FAR), 14
            where = f"by halves of 1, 0 <= x <= {FAR}"
        else:
            zeros, terms = zeros_of(f, "0.3", 17), 15
            bounds = [b for b in octaves("0.5", 5) if b[0] < FAR]
            where = f"by quarters of octaves, 1/2 <= x <= {FAR}"
        text.append(
            pieces(f"{name}_piece", f"{name}(x) {where}", f, bounds, terms, zeros)
        )
    text += [*near_zero_text(), *far_text()]
    FILE.write_text("".join([*text, TAIL]))


if __name__ == "__main__":
    main()
