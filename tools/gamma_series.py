"""Write cuda/include/cupric/special/gamma_complex_series.hpp: power series of the gamma
function's logarithm and of its derivative, for complex numbers.

    pip install mpmath
    python -m tools.gamma_series

https://dlmf.nist.gov/5.7 has the series about 1; that of psi is about its zero,
which is a factor of it.
"""

from pathlib import Path

import mpmath as mp

PATH = (
    Path(__file__)
    .parents[1]
    .joinpath("cuda/include/cupric/special/gamma_complex_series.hpp")
)

HEAD = """\
/* special/gamma_complex_series.hpp: coefficients of gamma_complex.hpp. Written by
 * tools/gamma_series.py: change that.
 */
#ifndef CUPRIC_SPECIAL_GAMMA_COMPLEX_SERIES_HPP
#define CUPRIC_SPECIAL_GAMMA_COMPLEX_SERIES_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {
"""
TAIL = """
} /* namespace elementary */
CUPRIC_END

#endif
"""


def rows(numbers):
    """A table's lines, the highest power first."""
    lines, line = [], "       "
    for number in reversed(numbers):
        word = f" {mp.nstr(number, 19)},"
        if len(line + word) > 87:
            lines.append(line)
            line = "       "
        line += word
    return "\n".join([*lines, line]).rstrip(",")


def table(name, comment, numbers):
    return (
        f"\n/* {comment} */\n"
        f"CUPRIC_MATH coefficients<double, {len(numbers)}>\n{name}()\n{{\n"
        f"    return {{{{\n{rows(numbers)}}}}};\n}}\n"
    )


def psi_over_root(count):
    """The coefficients of psi(x) / (x - root) by powers of x - root."""
    root = mp.findroot(mp.digamma, 1.46)
    return root, [mp.polygamma(k, root) / mp.factorial(k) for k in range(1, count + 1)]


def main():
    mp.mp.dps = 50
    listed = [(mp.zeta(k) - 1) * (-1) ** k / k for k in range(2, 30)]
    text = [HEAD]
    text.append(
        table(
            "gammaln1p_terms",
            "(log(gamma(1 + z)) + log1p(z) - (1 - euler) z) / z**2 by powers of z.",
            listed,
        )
    )
    root, listed = psi_over_root(22)
    text.append(
        table(
            "psi_root_terms",
            "psi(z) / (z - root) by powers of z - root, the positive root.",
            listed,
        )
    )
    text.append(TAIL)
    PATH.write_text("".join(text))


if __name__ == "__main__":
    main()
