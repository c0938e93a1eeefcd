"""Write cuda/include/cupric/special/beta_expansion.hpp: the coefficients of the
expansion of the incomplete beta function for large parameters.

    python -m tools.beta_expansion

With p = a / (a + b), q = 1 - p, d = q - p and x = p + p q v, the integrand's exponent
is -n xi**2 / 2, n = a b / (a + b), where xi**2 / 2 is a power series in v whose
coefficients are polynomials in d. What it is integrated of over xi is xi / v, and its
coefficients, polynomials in d, follow from Lagrange's inversion: they are those of
v**m of (xi / v)**(1 - m) / (1 - m). N. M. Temme, "The uniform asymptotic expansion of a
class of integrals related to cumulative distribution functions", SIAM Journal on
Mathematical Analysis 13 (1982), has the method.
"""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from .generated import write

PATH = Path(__file__).parents[1] / "cuda/include/cupric/special/beta_expansion.hpp"
TERMS = 28

HEAD = """\
/* special/beta_expansion.hpp: coefficients of incomplete_beta.hpp. Written by
 * tools/beta_expansion.py: change that.
 */
#ifndef CUPRIC_SPECIAL_BETA_EXPANSION_HPP
#define CUPRIC_SPECIAL_BETA_EXPANSION_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {

/* The sum from 1 to `last`, at most 28, of d_m(delta) q_m, where q_m is xi**(m - 1) +
 * (m - 1) / n q_(m - 2), w = 1 / n. Coefficients of d_m stand side by side, that of
 * the highest power first; every other power is none. */
CUPRIC_APART double
beta_expansion(double xi, double w, double delta, int last)
{
    static constexpr double coefficients[] = {
"""
TAIL = """\
    };
    const double square = product(delta, delta);
    double sum = 0, power = 1, before = 0, q = 0;
    int at = 0;
    for (int m = 1; m <= last; m++) {
        double d = coefficients[at];
        const int end = at + m / 2;
        while (at < end) d = fused(d, square, coefficients[++at]);
        at++;
        if (m & 1) d = product(d, delta);
        const double next = fused(product(m - 1.0, w), before, power);
        before = q;
        q = next;
        sum = fused(d, q, sum);
        power = product(power, xi);
    }
    return sum;
}

} /* namespace elementary */
CUPRIC_END

#endif
"""


def times(a, b):
    made = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                made[i + j] += x * y
    return made


def plus(a, b, factor=1):
    made = [Fraction(0)] * max(len(a), len(b))
    for i, x in enumerate(a):
        made[i] += x
    for i, x in enumerate(b):
        made[i] += factor * x
    return made


def squared_quotient(count):
    """(xi / v)**2 by powers of v: to v**(n - 2) belongs p**(n - 1) + (-1)**n q**(n - 1)
    times 2 / n."""
    series = []
    p, q = [Fraction(1, 2), Fraction(-1, 2)], [Fraction(1, 2), Fraction(1, 2)]
    of_p, of_q = p, q
    for n in range(2, count + 2):
        c = plus(of_p, of_q, (-1) ** n)
        series.append([x * Fraction(2, n) for x in c])
        of_p, of_q = times(of_p, p), times(of_q, q)
    return series


def power_of_series(series, r, count):
    """series**r, series[0] = 1, by powers up to count."""
    made = [[Fraction(1)]]
    for n in range(1, count + 1):
        total = [Fraction(0)]
        for k in range(1, n + 1):
            total = plus(total, times(series[k], made[n - k]), r * k - (n - k))
        made.append([x / n for x in total])
    return made


def coefficients():
    """d_1, d_2, …: lists by ascending powers of delta."""
    series = squared_quotient(TERMS + 1)
    made = [[x / 2 for x in series[1]]]
    for m in range(2, TERMS + 1):
        power = power_of_series(series, Fraction(1 - m, 2), m)[m]
        made.append([x / (1 - m) for x in power])
    return made


def text():
    lines = []
    for m, d in enumerate(coefficients(), 1):
        assert all(x == 0 for x in d[(m + 1) % 2 :: 2])
        assert not any(d[m + 1 :])
        d = d + [Fraction(0)] * (m + 1 - len(d))
        row, line = [float(x).hex() for x in d[m % 2 : m + 1 : 2][::-1]], "       "
        for number in row:
            if len(line) + len(number) + 2 > 88:
                lines.append(line)
                line = "       "
            line += f" {number},"
        lines.append(line)
    return HEAD + "\n".join(lines) + "\n" + TAIL


def formatted(source):
    command = ["clang-format", f"--assume-filename={PATH}"]
    run = subprocess.run(
        command, input=source, capture_output=True, text=True, check=True
    )
    return run.stdout


if __name__ == "__main__":
    sys.exit(write([(PATH, formatted(text()))]))
