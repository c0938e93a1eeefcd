"""Write cuda/include/cupric/special/bessel_tables.hpp, the polynomials of bessel.hpp.

    pip install mpmath
    python -m tools.bessel

Of orders 0 and 1: by pieces about a middle, which is the function's zero where there is
one in the piece, so that the error is relative beside it, too; and of large arguments
the modulus and the phase, J + i Y = M exp(i (x - pi / 4 + phase)), times sqrt(x) and x,
in 1 / x**2. M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions"
(1964), 9.2.17 and 9.4. Of any order: the polynomials of Debye's expansions, 9.3.9.
"""

from functools import cache
from pathlib import Path

import mpmath as mp

from tools.minimax import TAIL, rounded, written

mp.mp.dps = 50
FILE = Path(__file__).parents[1] / "cuda/include/cupric/special/bessel_tables.hpp"
FAR = 8  # from where on J and Y are computed by modulus and phase
TERMS = 16  # of Debye's expansions

HEAD = """\
/* special/bessel_tables.hpp: the polynomials of bessel.hpp. Written by tools/bessel.py:
 * change that. The errors are relative to the value, or to the slope beside a zero.
 */
#ifndef CUPRIC_SPECIAL_BESSEL_TABLES_HPP
#define CUPRIC_SPECIAL_BESSEL_TABLES_HPP

#include "cupric/math/pieces.hpp"

CUPRIC_BEGIN
namespace elementary {
"""


def fitted(f, middle, low, high, terms):
    """f(middle), and `terms` coefficients, highest first, of what f(middle + t) has
    beyond it over t, low <= t <= high."""
    start = f(middle)
    slope = mp.diff(f, middle) if middle else ENDS.get(f, mp.mpf(0))
    small = mp.mpf(10) ** -25

    def quotient(t):
        return (f(middle + t) - start) / t if abs(t) > small else slope

    return start, mp.chebyfit(quotient, [low, high], terms)


ENDS = {}


def error_of(f, middle, low, high, start, coefficients):
    worst = mp.mpf(0)
    for k in range(1, 40):
        t = low + (high - low) * k / mp.mpf(40)
        value = f(middle + t)
        if not t or not value:
            continue
        worst = max(worst, abs((start + t * mp.polyval(coefficients, t)) / value - 1))
    return mp.log(worst, 2)


def array(name, rows):
    text = ", ".join(
        "{" + ", ".join(written(c, "double") for c in row) + "}" for row in rows
    )
    size = f"[{len(rows)}][{len(rows[0])}]"
    return f"    static constexpr double {name}{size} = {{{text}}};\n"


def pieces(name, what, f, bounds, terms, zeros=()):
    """A function of the piece's number and of x. The last four rows are the middle and
    the value there, in two words each."""
    found, worst = [], mp.mpf("-inf")
    for low, high in bounds:
        beside = (high - low) / 5  # so that no piece ends just short of a zero
        inside = [z for z in zeros if low - beside <= z <= high + beside]
        middle = inside[0] if inside else rounded((low + high) / 2, 53)
        start, coefficients = fitted(f, middle, low - middle, high - middle, terms)
        if inside:
            start = mp.mpf(0)
        coefficients = [rounded(c, 53) for c in coefficients]
        worst = max(
            worst, error_of(f, middle, low - middle, high - middle, start, coefficients)
        )
        numbers = []
        for number in (middle, start):
            hi = rounded(number, 53)
            numbers += [hi, rounded(number - hi, 53)]
        found.append([*coefficients, *numbers])
    rows = list(zip(*found, strict=True))
    bound = mp.nstr(worst, 4)
    print(name, len(found), "pieces of", terms, "terms:", bound, flush=True)
    return (
        f"\n/* {what}: 2**{bound} */\nCUPRIC_MATH double\n"
        f"{name}(unsigned long long piece, double x)\n{{\n"
        f"{array('at', rows)}    return bessel_piece(at, piece, x);\n}}\n"
    )


def polynomial(name, what, f, low, high, terms):
    """The constant term is exact but for its rounding."""
    low, high = mp.mpf(low), mp.mpf(high)
    start, coefficients = fitted(f, low, mp.mpf(0), high - low, terms)
    coefficients = [rounded(c, 53) for c in [*coefficients, start]]
    shown = error_of(f, low, mp.mpf(0), high - low, coefficients[-1], coefficients[:-1])
    print(name, terms, "terms:", mp.nstr(shown, 4), flush=True)
    numbers = ", ".join(written(c, "double") for c in coefficients)
    return (
        f"\n/* {what}: 2**{mp.nstr(shown, 4)} */\nCUPRIC_MATH double\n"
        f"{name}(double x)\n{{\n    return horner(x, {numbers});\n}}\n"
    )


PIECE = """
/* A piece's polynomial: its rows are coefficients, the highest power's first, the
 * middle and the value there in two words each. */
template <int ROWS, int PIECES>
CUPRIC_MATH double
bessel_piece(const double (&at)[ROWS][PIECES], unsigned long long piece, double x)
{
    const double t = (x - at[ROWS - 4][piece]) - at[ROWS - 3][piece];
    double sum = at[0][piece];
#if defined(__CUDACC__)
#pragma unroll
#else
#pragma GCC unroll 20
#endif
    for (int k = 1; k < ROWS - 4; k++) sum = fused(sum, t, at[k][piece]);
    return at[ROWS - 2][piece] + fused(sum, t, at[ROWS - 1][piece]);
}
"""


def half_units(far=FAR):
    return [(mp.mpf(k) / 2, mp.mpf(k + 1) / 2) for k in range(2 * far)]


def quarters_of_octaves(low, octaves):
    for octave in range(octaves):
        size = mp.mpf(low) * 2**octave
        for k in range(4):
            yield size * (4 + k) / 4, size * (5 + k) / 4


def eighths():
    """Of (0, 1], from the middle of one to that of the next."""
    yield mp.mpf(0), mp.mpf(1) / 16
    for k in range(1, 8):
        yield mp.mpf(2 * k - 1) / 16, mp.mpf(2 * k + 1) / 16
    yield mp.mpf(15) / 16, mp.mpf(1)


def first_order(n):
    return lambda x: mp.besselj(n, x)


def second_order(n):
    return lambda x: mp.bessely(n, x)


def hankel_sums(n, x):
    """P and Q with J + i Y = sqrt(2 / (pi x)) (P + i Q) exp(i (x - ...))."""
    z = mp.mpc(mp.besselj(n, x), mp.bessely(n, x))
    turn = x - (2 * n + 1) * mp.pi / 4
    return z * mp.exp(mp.mpc(0, -turn))


def modulus(n):
    @cache
    def of(t):
        if t == 0:
            return mp.sqrt(2 / mp.pi)
        x = 1 / mp.sqrt(t)
        return abs(hankel_sums(n, x)) * mp.sqrt(x)

    ENDS[of] = mp.sqrt(2 / mp.pi) * mp.mpf(4 * n * n - 1) / 16
    return of


def phase(n):
    a = mp.mpf(4 * n * n)

    @cache
    def of(t):
        if t == 0:
            return (a - 1) / 8
        x = 1 / mp.sqrt(t)
        return mp.arg(hankel_sums(n, x)) * x

    ENDS[of] = (a - 1) * (a - 25) / 384
    return of


def k_scaled(n):
    @cache
    def of(w):
        if w == 0:
            return mp.sqrt(mp.pi / 2)
        x = 1 / w
        with mp.workdps(70):
            return mp.besselk(n, x) * mp.exp(x) * mp.sqrt(x)

    ENDS[of] = mp.sqrt(mp.pi / 2) * mp.mpf(4 * n * n - 1) / 8
    return of


def of_square(f, at_zero, slope):
    """f(sqrt(s)), whose value and slope at 0 are known."""

    @cache
    def of(s):
        with mp.workdps(90):
            return f(mp.sqrt(s)) if s else at_zero

    ENDS[of] = slope
    return of


EULER = mp.euler
LOG2 = mp.log(2)


def y0_regular(x):
    return mp.bessely(0, x) - 2 / mp.pi * mp.log(x) * mp.besselj(0, x)


def y1_regular(x):
    rest = mp.bessely(1, x) + 2 / (mp.pi * x) - 2 / mp.pi * mp.log(x) * mp.besselj(1, x)
    return rest / x


def k0_regular(x):
    return mp.besselk(0, x) + mp.log(x) * mp.besseli(0, x)


def k1_regular(x):
    return (mp.besselk(1, x) - 1 / x - mp.log(x) * mp.besseli(1, x)) / x


def debye():
    """u_k(t) / t**k as coefficients of the powers of t**2, lowest first."""
    u = [mp.mpf(1)]
    listed = [u]
    for _ in range(TERMS):
        new = [mp.mpf(0)] * (len(u) + 3)
        for n, c in enumerate(u):
            # t**2 (1 - t**2) u' / 2 + integral of (1 - 5 t**2) u / 8
            new[n + 1] += c * n / 2 + c / (8 * (n + 1))
            new[n + 3] -= c * n / 2 + 5 * c / (8 * (n + 3))
        u = new
        listed.append(u)
    for k, u in enumerate(listed):
        yield [u[k + 2 * j] for j in range(k + 1)]


def debye_text():
    rows = list(debye())[1:]
    numbers = ", ".join(written(c, "double") for row in rows for c in row[::-1])
    size = sum(map(len, rows))
    return (
        f"\nenum {{ DEBYE_TERMS = {TERMS} }};\n"
        "\n/* u_k(t) / t**k of Debye's expansions by s = t**2, k from 1 to\n"
        " * DEBYE_TERMS. */\n"
        "CUPRIC_MATH double\ndebye_polynomial(int k, double s)\n{\n"
        f"    static constexpr double at[{size}] = {{{numbers}}};\n"
        "    const double *c = at + (k - 1) * (k + 2) / 2;\n"
        "    double sum = c[0];\n"
        "    for (int j = 1; j <= k; j++) sum = fused(sum, s, c[j]);\n"
        "    return sum;\n}\n"
    )


def gamma_half_difference(m):
    """(1 / gamma(1 - m) - 1 / gamma(1 + m)) / (2 m)"""
    return (mp.rgamma(1 - m) - mp.rgamma(1 + m)) / (2 * m)


def gamma_half_sum(m):
    return (mp.rgamma(1 - m) + mp.rgamma(1 + m)) / 2


def zeros_of(find, n):
    return [find(n, k) for k in range(1, 4)]


def main():
    text = [HEAD, PIECE]
    for n in (0, 1):
        zeros = [*zeros_of(mp.besseljzero, n), mp.mpf(0)]
        text.append(
            pieces(
                f"j{n}_piece",
                f"J{n}(x) by halves of 1, 0 <= x <= {FAR}",
                first_order(n),
                half_units(),
                13,
                zeros if n else zeros[:-1],
            )
        )
        text.append(
            pieces(
                f"y{n}_piece",
                f"Y{n}(x) by quarters of octaves, 1/2 <= x <= {FAR}",
                second_order(n),
                quarters_of_octaves("0.5", 4),
                15,
                zeros_of(mp.besselyzero, n),
            )
        )
        text.append(
            polynomial(
                f"modulus_of_{n}",
                f"sqrt(x) |J{n}(x) + i Y{n}(x)| in 1 / x**2, x >= {FAR}",
                modulus(n),
                0,
                mp.mpf(1) / FAR**2,
                13,
            )
        )
        text.append(
            polynomial(
                f"phase_of_{n}",
                f"x (the phase of J{n}(x) + i Y{n}(x) - x + ({2 * n} + 1) pi / 4) in "
                f"1 / x**2, x >= {FAR}",
                phase(n),
                0,
                mp.mpf(1) / FAR**2,
                14,
            )
        )
        text.append(
            pieces(
                f"k{n}_piece",
                f"sqrt(x) exp(x) K{n}(x) in 1 / x by eighths of 1, x >= 1",
                k_scaled(n),
                eighths(),
                13,
            )
        )
    two = 2 / mp.pi
    shift = EULER - LOG2
    for name, what, f, high, terms in (
        (
            "y0_regular",
            "Y0(x) - 2 / pi log(x) J0(x) in x**2, x <= 1/2",
            of_square(y0_regular, two * shift, two * (1 - shift) / 4),
            0.25,
            7,
        ),
        (
            "y1_regular",
            "(Y1(x) + 2 / (pi x) - 2 / pi log(x) J1(x)) / x in x**2, x <= 1/2",
            of_square(
                y1_regular,
                two * (shift / 2 - mp.mpf(1) / 4),
                two * (mp.mpf(5) / 64 - shift / 16),
            ),
            0.25,
            7,
        ),
        (
            "k0_regular",
            "K0(x) + log(x) I0(x) in x**2, x <= 1",
            of_square(k0_regular, -shift, (1 - shift) / 4),
            1,
            7,
        ),
        (
            "k1_regular",
            "(K1(x) - 1 / x - log(x) I1(x)) / x in x**2, x <= 1",
            of_square(
                k1_regular,
                shift / 2 - mp.mpf(1) / 4,
                shift / 16 - mp.mpf(5) / 64,
            ),
            1,
            7,
        ),
        (
            "i0_small",
            "I0(x) in x**2, x <= 1",
            of_square(lambda x: mp.besseli(0, x), mp.mpf(1), mp.mpf(1) / 4),
            1,
            7,
        ),
        (
            "i1_small",
            "I1(x) / x in x**2, x <= 1",
            of_square(lambda x: mp.besseli(1, x) / x, mp.mpf(1) / 2, mp.mpf(1) / 16),
            1,
            7,
        ),
        (
            "temme_difference",
            "(1 / gamma(1 - m) - 1 / gamma(1 + m)) / (2 m) in m**2, |m| <= 1/2",
            of_square(
                gamma_half_difference, -EULER, mp.taylor(mp.rgamma, 1, 4)[3] * -1
            ),
            0.25,
            7,
        ),
        (
            "temme_sum",
            "(1 / gamma(1 - m) + 1 / gamma(1 + m)) / 2 in m**2, |m| <= 1/2",
            of_square(gamma_half_sum, mp.mpf(1), mp.taylor(mp.rgamma, 1, 4)[2]),
            0.25,
            7,
        ),
    ):
        text.append(polynomial(name, what, f, 0, high, terms))
    text.append(debye_text())
    FILE.write_text("".join([*text, TAIL]))


if __name__ == "__main__":
    main()
