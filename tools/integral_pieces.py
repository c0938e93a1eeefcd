"""Write errors_pieces.hpp and integrals_pieces.hpp of cuda/include/cupric/special: the
polynomials of Dawson's integral, Fresnel's, and of the exponential and trigonometric
integrals.

    pip install mpmath
    python -m tools.integral_pieces

Each polynomial interpolates its function in Chebyshev's points, in 50 digits. What it
is of stands in its comment, with the largest error relative to the value.
"""

from pathlib import Path

import mpmath as mp

FOLDER = Path(__file__).parents[1] / "cuda/include/cupric/special"
HEAD = """\
/* special/{name}_pieces.hpp: polynomials of {name}.hpp. Written by
 * tools/integral_pieces.py: change that. The errors are relative to the value.
 */
#ifndef CUPRIC_SPECIAL_{upper}_PIECES_HPP
#define CUPRIC_SPECIAL_{upper}_PIECES_HPP

#include "cupric/special/table.hpp"

CUPRIC_BEGIN
namespace elementary {{
"""
TAIL = """
} /* namespace elementary */
CUPRIC_END

#endif
"""


def fit(f, low, high, terms):
    """Coefficients in x less the middle, the highest first, and the largest error."""
    middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
    nodes = [mp.cos(mp.pi * (2 * k + 1) / (2 * terms)) for k in range(terms)]
    values = [f(middle + half * t) for t in nodes]
    # Chebyshev's coefficients, then those of powers
    series = [
        2
        * mp.fsum(
            v * mp.cos(mp.pi * j * (2 * k + 1) / (2 * terms))
            for k, v in enumerate(values)
        )
        / terms
        for j in range(terms)
    ]
    series[0] /= 2
    before, now = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    powers = [mp.mpf(0)] * terms
    for j, c in enumerate(series):
        if j == 0:
            t = before
        elif j == 1:
            t = now
        else:
            t = [mp.mpf(0)] + [2 * v for v in now]
            for i, v in enumerate(before):
                t[i] -= v
            before, now = now, t
        for i, v in enumerate(t):
            powers[i] += c * v
    rounded = [mp.mpf(float(v / half**i)) for i, v in enumerate(powers)]
    error = mp.mpf(0)
    for k in range(33):
        t = half * mp.cos(mp.pi * (k + mp.mpf("0.3")) / 33)
        value = f(middle + t)
        if value:
            error = max(error, abs(mp.polyval(rounded[::-1], t) / value - 1))
    return [float(v) for v in rounded[::-1]], error


def numbers(values, indent):
    text, line = "", " " * indent
    for k, v in enumerate(values):
        word = float(v).hex() + (", " if k + 1 < len(values) else "")
        if len(line) + len(word.rstrip()) > 86:
            text += line.rstrip() + "\n"
            line = " " * indent
        line += word
    return text + line


def polynomial(name, what, f, low, high, terms, about=None):
    """A function of its own; of x itself where `about` is 0."""
    if about == 0 and low != -high:
        # in powers of x: by way of the middle's, which is exact enough in 50 digits
        middle = (mp.mpf(low) + high) / 2
        c, _ = fit_exact(f, low, high, terms)
        shifted = shift(c, -middle)
        c = [float(v) for v in shifted]
        error = check(f, c, low, high)
    else:
        c, error = fit(f, low, high, terms)
    size = mp.nstr(mp.log(error, 2), 4)
    return f"""
/* {what}: 2**{size} */
CUPRIC_APART double
{name}(double x)
{{
    return horner(x,
{numbers(c, 8)});
}}
"""


def fit_exact(f, low, high, terms):
    middle, half = (mp.mpf(low) + high) / 2, (mp.mpf(high) - low) / 2
    nodes = [mp.cos(mp.pi * (2 * k + 1) / (2 * terms)) * half for k in range(terms)]
    with mp.workdps(90):
        matrix = mp.matrix(terms, terms)
        for i, t in enumerate(nodes):
            for j in range(terms):
                matrix[i, j] = t**j
        solved = mp.lu_solve(matrix, mp.matrix([f(middle + t) for t in nodes]))
    return [solved[j] for j in range(terms)][::-1], None


def times_linear(c, by):
    out = [mp.mpf(0)] * (len(c) + 1)
    for i, v in enumerate(c):
        out[i] += v
        out[i + 1] += v * by
    return out


def shift(c, by):
    """Coefficients in x of the polynomial with coefficients `c` in x + by."""
    result = [c[0]]
    for v in c[1:]:
        result = times_linear(result, by)
        result[-1] += v
    return result


def check(f, c, low, high):
    error = mp.mpf(0)
    for k in range(65):
        x = low + (mp.mpf(high) - low) * (k + mp.mpf("0.37")) / 66
        value = f(x)
        if value:
            error = max(error, abs(mp.polyval(c, x) / value - 1))
    return error


def table(name, what, f, first, last, parts, terms):
    """Of octaves from `first` to below `last`, powers of 2, each in 2**parts pieces."""
    rows, worst, low = [], mp.mpf(0), mp.mpf(first)
    while low < last:
        width = low / 2**parts
        for k in range(2**parts):
            c, error = fit(f, low + k * width, low + (k + 1) * width, terms)
            worst = max(worst, error)
            rows.append(c)
        low *= 2
    body = ",\n".join("        {" + numbers(c, 9).lstrip() + "}" for c in rows)
    size = mp.nstr(mp.log(worst, 2), 4)
    start = float(first).hex()
    return f"""
/* {what}, {first} <= x < {last}: 2**{size} */
CUPRIC_APART double
{name}(double x)
{{
    static constexpr double at[{len(rows)}][{terms}] = {{
{body}}};
    const place<double> p = place_in_table<{parts}, {len(rows)}>(x, {start});
    return polynomial<{terms - 1}, 1>(p.rest, at[p.piece]);
}}
"""


def small(f, taylor):
    """f, and its limit at 0 where digits cancel."""
    return lambda s: taylor if s < mp.mpf(10) ** -30 else f(s)


def dawson(x):
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def dawson_far(s):
    x = 1 / mp.sqrt(s)
    return 2 * x * dawson(x)


def fresnel_f(x):
    t = mp.pi * x * x / 2
    with mp.workdps(70):
        return (mp.mpf(1) / 2 - mp.fresnels(x)) * mp.cos(t) - (
            mp.mpf(1) / 2 - mp.fresnelc(x)
        ) * mp.sin(t)


def fresnel_g(x):
    t = mp.pi * x * x / 2
    with mp.workdps(70):
        return (mp.mpf(1) / 2 - mp.fresnelc(x)) * mp.cos(t) + (
            mp.mpf(1) / 2 - mp.fresnels(x)
        ) * mp.sin(t)


def fresnel_far(f, power, scale):
    def of(s):
        x = mp.root(1 / s, 4)
        return f(x) * scale * x**power

    return of


def sine_f(x):
    """The auxiliary function f of Si and Ci, https://dlmf.nist.gov/6.2"""
    with mp.workdps(80):
        return mp.ci(x) * mp.sin(x) + (mp.pi / 2 - mp.si(x)) * mp.cos(x)


def sine_g(x):
    with mp.workdps(80):
        return -mp.ci(x) * mp.cos(x) + (mp.pi / 2 - mp.si(x)) * mp.sin(x)


def series(term, count=60):
    def of(w):
        return mp.fsum(term(k) * w**k for k in range(count))

    return of


def errors():
    yield polynomial(
        "dawson_near", "dawsn(x) / x in x**2, 0 <= x <= 1 / 2",
        small(lambda s: dawson(mp.sqrt(s)) / mp.sqrt(s), mp.mpf(1)), 0, mp.mpf(1) / 4,
        10, 0,
    )  # fmt: skip
    yield table("dawson_middle", "dawsn(x)", dawson, mp.mpf(1) / 2, 8, 3, 14)
    yield polynomial(
        "dawson_far", "2 x dawsn(x) in 1 / x**2, x >= 8",
        small(dawson_far, mp.mpf(1)), 0, mp.mpf(1) / 64, 12, 0,
    )  # fmt: skip
    half = mp.pi / 2
    sine = series(
        lambda k: (
            (-1) ** k * half ** (2 * k + 1) / mp.factorial(2 * k + 1) / (4 * k + 3)
        )
    )
    cosine = series(
        lambda k: (-1) ** k * half ** (2 * k) / mp.factorial(2 * k) / (4 * k + 1)
    )
    yield polynomial(
        "fresnel_sine", "S(x) / x**3 in x**4, 0 <= x <= 3 / 2", sine, 0,
        mp.mpf(81) / 16, 14, 0,
    )  # fmt: skip
    yield polynomial(
        "fresnel_cosine", "C(x) / x in x**4, 0 <= x <= 3 / 2", cosine, 0,
        mp.mpf(81) / 16, 14, 0,
    )  # fmt: skip
    yield table(
        "fresnel_f",
        "x f(x) of Fresnel's integrals",
        lambda x: x * fresnel_f(x),
        1,
        8,
        3,
        12,
    )
    yield table(
        "fresnel_g",
        "x**3 g(x) of Fresnel's integrals",
        lambda x: x**3 * fresnel_g(x),
        1,
        8,
        3,
        12,
    )
    end = mp.mpf(1) / 4096
    yield polynomial(
        "fresnel_f_far", "pi x f(x) in 1 / x**4, x >= 8",
        small(fresnel_far(fresnel_f, 1, mp.pi), mp.mpf(1)), 0, end, 7, 0,
    )  # fmt: skip
    yield polynomial(
        "fresnel_g_far", "pi**2 x**3 g(x) in 1 / x**4, x >= 8",
        small(fresnel_far(fresnel_g, 3, mp.pi**2), mp.mpf(1)), 0, end, 7, 0,
    )  # fmt: skip


def e1_scaled(x):
    return x * mp.exp(x) * mp.e1(x)


def ei_scaled(x):
    return x * mp.exp(-x) * mp.ei(x)


with mp.workdps(80):
    EI_ROOT = mp.findroot(mp.ei, mp.mpf("0.3725"))


def ei_over_root(x):
    x = mp.mpf(x)
    with mp.workdps(70):
        d = x - EI_ROOT
        if abs(d) < mp.mpf(10) ** -25:
            return mp.diff(mp.ei, EI_ROOT) - 1 / EI_ROOT
        return (mp.ei(x) - mp.log(x / EI_ROOT)) / d


def exponential_integrals():
    entire = series(lambda k: (-1) ** k / mp.factorial(k + 1) / (k + 1))
    yield polynomial(
        "e1_near", "(E1(x) + log(x) + gamma) / x, 0 <= x <= 1", entire, 0, 1, 14, 0
    )
    yield table("e1_middle", "x exp(x) E1(x)", e1_scaled, 1, 64, 2, 12)
    yield polynomial(
        "e1_far", "x exp(x) E1(x) in 1 / x, x >= 64",
        small(lambda w: e1_scaled(1 / w), mp.mpf(1)), 0, mp.mpf(1) / 64, 10, 0,
    )  # fmt: skip
    yield polynomial(
        "ei_near",
        "(Ei(x) - log(x / x0)) / (x - x0) in x - 1, 0 <= x <= 2, x0 the zero",
        lambda t: ei_over_root(t + 1), -1, 1, 16,
    )  # fmt: skip
    yield table("ei_middle", "x exp(-x) Ei(x)", ei_scaled, 2, 64, 3, 13)
    yield polynomial(
        "ei_far", "x exp(-x) Ei(x) in 1 / x, x >= 64",
        small(lambda w: ei_scaled(1 / w), mp.mpf(1)), 0, mp.mpf(1) / 64, 10, 0,
    )  # fmt: skip


def circular_integrals():
    for sign, end, terms, names in ((-1, 16, 16, "si ci"), (1, 4, 11, "shi chi")):
        odd = series(
            lambda k, s=sign: mp.mpf(s) ** k / mp.factorial(2 * k + 1) / (2 * k + 1)
        )
        even = series(
            lambda k, s=sign: (
                mp.mpf(s) ** (k + 1) / mp.factorial(2 * k + 2) / (2 * k + 2)
            )
        )
        first, second = names.split()
        limit = int(mp.sqrt(end))
        yield polynomial(
            f"{first}_near", f"{first.capitalize()}(x) / x in x**2, 0 <= x <= {limit}",
            odd, 0, end, terms, 0,
        )  # fmt: skip
        yield polynomial(
            f"{second}_near",
            f"({second.capitalize()}(x) - gamma - log(x)) / x**2 in x**2, "
            f"0 <= x <= {limit}",
            even, 0, end, terms, 0,
        )  # fmt: skip
    yield table("si_f", "x f(x)", lambda x: x * sine_f(x), 4, 32, 2, 12)
    yield table("si_g", "x**2 g(x)", lambda x: x * x * sine_g(x), 4, 32, 2, 12)
    end = mp.mpf(1) / 1024
    yield polynomial(
        "si_f_far", "x f(x) in 1 / x**2, x >= 32",
        small(lambda s: sine_f(1 / mp.sqrt(s)) / mp.sqrt(s), mp.mpf(1)), 0, end, 11, 0,
    )  # fmt: skip
    yield polynomial(
        "si_g_far", "x**2 g(x) in 1 / x**2, x >= 32",
        small(lambda s: sine_g(1 / mp.sqrt(s)) / s, mp.mpf(1)), 0, end, 11, 0,
    )  # fmt: skip


def write(name, functions):
    text = HEAD.format(name=name, upper=name.upper()) + "".join(functions) + TAIL
    (FOLDER / f"{name}_pieces.hpp").write_text(text)


if __name__ == "__main__":
    mp.mp.dps = 50
    write("errors", errors())
    write("integrals", [*exponential_integrals(), *circular_integrals()])
