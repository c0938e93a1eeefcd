"""Write cuda/include/cupric/special/zeta_polynomials.hpp: polynomials of the zeta
function, and the coefficients of the Euler-Maclaurin formula.

    pip install mpmath
    python -m tools.zeta
"""

from pathlib import Path

import mpmath as mp

PATH = (
    Path(__file__)
    .parents[1]
    .joinpath("cuda/include/cupric/special/zeta_polynomials.hpp")
)

HEAD = """\
/* special/zeta_polynomials.hpp: the polynomials of zeta.hpp. Written by tools/zeta.py:
 * change that.
 */
#ifndef CUPRIC_SPECIAL_ZETA_POLYNOMIALS_HPP
#define CUPRIC_SPECIAL_ZETA_POLYNOMIALS_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {
"""
TAIL = """
} /* namespace elementary */
CUPRIC_END

#endif
"""


def wrapped(words, indent):
    """The words as lines of a call or a list."""
    lines, line = [], " " * indent
    for word in words:
        if len(line + word) > 86:
            lines.append(line.rstrip())
            line = " " * indent
        line += word + ", "
    return "\n".join([*lines, line]).rstrip(", ")


def polynomial(name, comment, f, a, b, degree):
    """f near [a, b] by powers of x less the middle, which goes into the comment."""
    middle = mp.mpf(a + b) / 2
    listed, error = mp.chebyfit(lambda t: f(t + middle), [a - middle, b - middle],
                                degree + 1, error=True)  # fmt: skip
    least = min(abs(f(mp.mpf(a) + (b - a) * mp.mpf(k) / 20 + 0)) for k in range(21))
    print(name, mp.nstr(mp.log(error / least, 2), 5))
    words = [mp.nstr(c, 19) for c in listed]
    return (
        f"\n/* {comment}, t = x - {mp.nstr(middle, 6)}, {a} <= x <= {b}. */\n"
        f"CUPRIC_MATH double\n{name}(double t)\n{{\n"
        f"    return horner(t,\n{wrapped(words, 18)});\n}}\n"
    )


def main():
    mp.mp.dps = 60

    def times_distance(x):
        return mp.mpf(1) if x == 1 else (x - 1) * mp.zeta(x)

    def less_1_times_distance(x):
        return times_distance(x) - (x - 1)

    def scaled(x):
        return mp.power(2, x) * (mp.zeta(x) - 1) * (x - 1)

    text = [HEAD]
    text.append(polynomial("zeta_left", "(x - 1) zeta(x)", times_distance, -1, 1, 14))
    text.append(
        polynomial(
            "zeta_middle", "(x - 1) (zeta(x) - 1)", less_1_times_distance, 1, 2, 11
        )
    )
    pieces = [(2, 4, 13), (4, 8, 15), (8, 16, 17), (16, 36, 21)]
    for i, (a, b, degree) in enumerate(pieces):
        comment = "2**x (zeta(x) - 1) (x - 1)"
        text.append(polynomial(f"zeta_right_{i}", comment, scaled, a, b, degree))
    numbers = [mp.bernoulli(2 * j) / mp.factorial(2 * j) for j in range(1, 13)]
    words = [mp.nstr(c, 19) for c in numbers]
    text.append(
        "\n/* B_2j / (2 j)! for j = 1, 2, ... */\n"
        "CUPRIC_MATH coefficients<double, 12>\nbernoulli_terms()\n{\n"
        f"    return {{{{\n{wrapped(words, 8)}}}}};\n}}\n"
    )
    text.append(TAIL)
    PATH.write_text("".join(text))


if __name__ == "__main__":
    main()
