"""Write the coefficients of Bessel functions of complex arguments and of Airy
functions: cuda/include/cupric/special/bessel_complex_pieces.hpp and airy_pieces.hpp.

    pip install mpmath
    python -m tools.bessel_tables

The polynomials of Debye's expansions are those of https://dlmf.nist.gov/10.41; those
of the expansions by Airy functions, which https://dlmf.nist.gov/10.20 has as quotients
that cancel where order and argument are equal, are Taylor series there, found on a
circle.
"""

from fractions import Fraction
from pathlib import Path

import mpmath as mp

FOLDER = Path(__file__).parents[1] / "cuda/include/cupric/special"
DEBYE_TERMS = 17
LEAST_ORDER = 60  # of the expansions by Airy functions
RADIUS = mp.mpf("0.83")  # of zeta in them: 60 * 2/3 * 0.83**1.5 > 30
CIRCLE, POINTS = mp.mpf("1.1"), 96
AIRY_STEP, AIRY_CENTRES = mp.mpf("0.5"), 30


def debye_polynomials(count):
    """u_k(p), k <= count, by their coefficients of p**0, p**1, ..."""
    polynomials = [[Fraction(1)]]
    for _ in range(count):
        u = polynomials[-1]
        following = [Fraction(0)] * (len(u) + 3)
        for i, c in enumerate(u):
            if i:
                following[i + 1] += c * i / 2
                following[i + 3] -= c * i / 2
            following[i + 1] += c / 8 / (i + 1)
            following[i + 3] -= 5 * c / 8 / (i + 3)
        polynomials.append(following)
    return polynomials


def squared(polynomials):
    """Of u_k(p) / p**k, a polynomial in p**2, that of the highest power first; one
    after the other, from k = 1 on."""
    flat = []
    for k, u in enumerate(polynomials[1:], 1):
        flat += [mp.mpf(c.numerator) / c.denominator for c in reversed(u[k::2])]
    return flat


def inverse_gamma_parts():
    """Of 1 / gamma(1 + x) = even(x**2) - x odd(x**2), highest power first."""
    series = mp.taylor(mp.rgamma, 1, 24)
    return series[22::-2], [-c for c in series[23::-2]]


def airy_coefficients(count):
    u = [mp.mpf(1)]
    for s in range(1, count):
        u.append(u[-1] * mp.mpf((6 * s - 5) * (6 * s - 3) * (6 * s - 1)))
        u[-1] /= 216 * s * (2 * s - 1)
    return u, [u[s] * (6 * s + 1) / (1 - 6 * s) for s in range(count)]


def argument_at(zeta):
    """z with 2/3 zeta**(3/2) = atanh(s) - s, s = sqrt(1 - z**2), and sqrt(zeta)."""
    root = mp.sqrt(zeta)
    z = 1 - zeta / mp.cbrt(2) + (zeta / mp.cbrt(2)) ** 2 * 3 / 10
    for _ in range(60):
        s = mp.sqrt(1 - z * z)
        if abs(s - root * mp.cbrt(2)) > abs(s + root * mp.cbrt(2)):
            s = -s
        change = (mp.atanh(s) - s - 2 * root**3 / 3) * -z / s
        z -= change
        if abs(change) < mp.mpf(10) ** -44:
            break
    return s, root


def uniform_coefficients(zeta, u_of_p, count):
    """A_k and B_k of https://dlmf.nist.gov/10.20.E10 and E11, k < count."""
    s, root = argument_at(zeta)
    u, v = airy_coefficients(2 * count + 2)

    def p(k):
        c = [mp.mpf(c.numerator) / c.denominator for c in reversed(u_of_p[k])]
        return mp.polyval(c, 1 / s)

    three = mp.mpf(3) / 2
    power = [(three / root**3) ** j for j in range(2 * count + 1)]
    a = [
        sum(power[j] * v[j] * p(2 * k - j) for j in range(2 * k + 1))
        for k in range(count)
    ]
    b = [
        -sum(power[j] * u[j] * p(2 * k + 1 - j) for j in range(2 * k + 2)) / root
        for k in range(count)
    ]
    return a, b


def uniform_series(count):
    """Taylor series of A_0 ... and B_0 ..., to the terms that count, lowest first."""
    u_of_p = debye_polynomials(2 * count + 2)
    circle = [mp.expjpi(mp.mpf(2) * m / POINTS) for m in range(POINTS)]
    values = [uniform_coefficients(CIRCLE * c, u_of_p, count) for c in circle]
    series = []
    for which in (0, 1):
        for k in range(count):
            terms = []
            for j in range(48):
                mean = (
                    sum(v[which][k] / c**j for v, c in zip(values, circle, strict=True))
                    / POINTS
                )
                terms.append(mean.real / CIRCLE**j)
            part = mp.mpf(LEAST_ORDER) ** (-2 * k - which)
            while (
                abs(terms[-1]) * RADIUS ** (len(terms) - 1) * part < mp.mpf(10) ** -18
            ):
                terms.pop()
            series.append(terms)
    return series[:count], series[count:]


def integral_over_step(x, h, value, slope):
    """Of the solution of y'' = x y with this value and slope at x, to x + h."""
    a = [value, slope, x * value / 2]
    for k in range(1, 90):
        a.append((x * a[k] + a[k - 1]) / ((k + 1) * (k + 2)))
    return mp.fsum(c * h ** (k + 1) / (k + 1) for k, c in enumerate(a))


def airy_at_centres():
    def at(x):
        ai = [mp.airyai(x), mp.airyai(x, derivative=1)]
        return ai + [mp.airybi(x), mp.airybi(x, derivative=1)]

    rows = {0: [*at(mp.mpf(0)), mp.mpf(0), mp.mpf(0)]}
    for sign in (1, -1):
        for n in range(1, AIRY_CENTRES + 1):
            x, before = sign * n * AIRY_STEP, rows[sign * (n - 1)]
            h, start = sign * AIRY_STEP, sign * (n - 1) * AIRY_STEP
            ai = before[4] + integral_over_step(start, h, *before[:2])
            bi = before[5] + integral_over_step(start, h, *before[2:4])
            rows[sign * n] = [*at(x), ai, bi]
    return [value for n in sorted(rows) for value in rows[n]]


def hexadecimal(x):
    mantissa, exponent = float(x).hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{exponent}"


def table(name, comment, values):
    numbers, lines, line = [hexadecimal(v) for v in values], [], ""
    for i, number in enumerate(numbers):
        text = number + ("," if i + 1 < len(numbers) else "")
        if len(line) + len(text) > 78:
            lines.append(line.rstrip())
            line = ""
        line += text + " "
    lines.append(line.rstrip())
    body = "\n        ".join(lines)
    return (
        f"/* {comment} */\nCUPRIC_MATH double\n{name}(int k)\n{{\n"
        f"    /* clang-format off */\n"
        f"    CUPRIC_TABLE kept_coefficients<{len(numbers)}> c = {{{{\n"
        f"        {body}}}}};\n    /* clang-format on */\n"
        f"    return c[k];\n}}\n"
    )


def header(name, about, tables):
    guard = f"CUPRIC_SPECIAL_{name.upper()}_HPP"
    body = "\n".join(tables)
    text = (
        f"/* special/{name}.hpp: {about} Written by\n"
        " * tools/bessel_tables.py: change that.\n */\n"
        f'#ifndef {guard}\n#define {guard}\n\n#include "cupric/special/tables.hpp"\n\n'
        f"CUPRIC_BEGIN\nnamespace complex_bessel {{\n\n{body}\n"
        f"}} /* namespace complex_bessel */\nCUPRIC_END\n\n#endif\n"
    )
    (FOLDER / f"{name}.hpp").write_text(text)


def main():
    mp.mp.dps = 50
    even, odd = inverse_gamma_parts()
    a, b = uniform_series(4)
    tables = [
        table(
            "inverse_gamma_even",
            "even of 1 / gamma(1 + x) = even(x**2) - x odd(x**2), highest power first",
            even,
        ),
        table("inverse_gamma_odd", "odd of the same", odd),
        table(
            "debye_coefficient",
            "u_k(p) / p**k by p**2, k = 1, 2, ..., highest powers first",
            squared(debye_polynomials(DEBYE_TERMS)),
        ),
    ]
    for name, all_series in (("a", a), ("b", b)):
        flat = [c for series in all_series for c in reversed(series)]
        counts = ", ".join(str(len(s)) for s in all_series)
        about = (
            f"{name.upper()}_k(zeta), k = 0, 1, 2, 3, highest powers first: {counts}"
        )
        tables.append(table(f"uniform_{name}", about, flat))
    header("bessel_complex_pieces", "coefficients of bessel_complex.hpp.", tables)
    centres = table(
        "airy_at_centre",
        "Ai, Ai', Bi, Bi', integrals of Ai and Bi from 0, at -15, -14.5, ..., 15",
        airy_at_centres(),
    )
    factors = table(
        "airy_factor",
        "1 / ((k + 1) (k + 2))",
        [mp.mpf(1) / ((k + 1) * (k + 2)) for k in range(22)],
    )
    inverses = table(
        "airy_inverse", "1 / (k + 1)", [mp.mpf(1) / (k + 1) for k in range(22)]
    )
    header("airy_pieces", "values of airy_real.hpp.", [centres, factors, inverses])


if __name__ == "__main__":
    main()
