"""Write cuda/include/cupric/special/incomplete_gamma_series.hpp: the coefficients of
Temme's expansion of the incomplete gamma functions, and of log(gamma(1 + x)) about 0.

    pip install mpmath
    python -m tools.temme

N. M. Temme, "The asymptotic expansion of the incomplete gamma functions", SIAM Journal
on Mathematical Analysis 10 (1979); https://dlmf.nist.gov/8.12 has the recurrence of the
coefficients, whose series are made here of fractions.
"""

from fractions import Fraction
from pathlib import Path

import mpmath as mp

PATH = (
    Path(__file__)
    .parents[1]
    .joinpath("cuda/include/cupric/special/incomplete_gamma_series.hpp")
)
POWERS, ORDERS = 20, 13  # of eta, and of 1 / a
LENGTH = POWERS + 2 * ORDERS + 4  # a derivative and a quotient cost two powers each

HEAD = """\
/* special/incomplete_gamma_series.hpp: coefficients of incomplete_gamma.hpp. Written by
 * tools/temme.py: change that.
 */
#ifndef CUPRIC_SPECIAL_INCOMPLETE_GAMMA_SERIES_HPP
#define CUPRIC_SPECIAL_INCOMPLETE_GAMMA_SERIES_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {
"""
TAIL = """
} /* namespace elementary */
CUPRIC_END

#endif
"""


def times(a, b):
    """The product of two power series."""
    made = [Fraction(0)] * LENGTH
    for i, x in enumerate(a):
        for j, y in enumerate(b[: LENGTH - i]):
            made[i + j] += x * y
    return made


def mu_over_eta():
    """mu / eta by powers of eta, where eta**2 / 2 = mu - log(1 + mu).

    Derivatives give mu mu' = eta (1 + mu), which a coefficient follows from.
    """
    mu = [Fraction(0), Fraction(1)]
    for n in range(2, LENGTH + 1):
        # the coefficient of eta**n in mu mu' and in eta (1 + mu)
        known = sum(mu[i] * mu[n + 1 - i] * (n + 1 - i) for i in range(2, n))
        mu.append((mu[n - 1] - known) / (n + 1))
    return mu[1:]


def inverse(a):
    """1 / a of a power series."""
    made = [1 / a[0]]
    for n in range(1, LENGTH):
        made.append(-sum(a[i] * made[n - i] for i in range(1, n + 1)) / a[0])
    return made


def stirling(count):
    """g_k of gamma(a) = sqrt(2 pi / a) (a / e)**a (g_0 + g_1 / a + ...): exp of
    the series of Bernoulli's numbers."""
    log = [Fraction(0)] * (count + 1)
    for k in range(1, count // 2 + 2):
        if 2 * k - 1 <= count:
            bernoulli = Fraction(*map(int, mp.bernfrac(2 * k)))
            log[2 * k - 1] = bernoulli / (2 * k * (2 * k - 1))
    g = [Fraction(1)]
    for n in range(1, count + 1):
        g.append(sum(i * log[i] * g[n - i] for i in range(1, n + 1)) / n)
    return g


def coefficients():
    """c_k by powers of eta: eta c_k = c_(k-1)' + (-1)**k g_k eta / mu, without the
    powers below 0, which vanish."""
    quotient = inverse(mu_over_eta())  # eta / mu
    g = stirling(ORDERS)
    # c_0 = 1 / mu - 1 / eta: quotient - 1, one power lower
    c = [quotient[1:]]
    for k in range(1, ORDERS):
        before = c[-1]
        derivative = [n * before[n] for n in range(1, len(before))]
        # c_k = c' / eta + (-1)**k g_k (eta / mu) / eta
        sign = (-1) ** k * g[k]
        total = [d + sign * q for d, q in zip(derivative, quotient, strict=False)]
        assert total[0] == 0
        c.append(total[1:])
    return c


def horner(variable, listed):
    numbers = ", ".join(mp.nstr(x, 19) for x in reversed(listed))
    return f"horner({variable}, {numbers})"


def main():
    mp.mp.dps = 50
    text = [HEAD]
    text.append(
        "\n/* The sum of c_k(eta) w**k. */\n"
        "CUPRIC_APART double\n"
        "temme_sum(double eta, double w)\n{\n"
    )
    rows = coefficients()
    for k, row in reversed(list(enumerate(rows))):
        length = POWERS - k
        numbers = [mp.mpf(x.numerator) / x.denominator for x in row[:length]]
        start = "double sum = " if k == ORDERS - 1 else "sum = w * sum + "
        text.append(f"    {start}{horner('eta', numbers)};\n")
    text.append("    return sum;\n}\n")
    # log(gamma(1 + x)) = (1 - euler) x - log1p(x) + sum of (zeta(k) - 1) (-x)**k / k
    listed = [(mp.zeta(k) - 1) * (-1) ** k / k for k in range(2, 28)]
    text.append(
        "\n/* (log(gamma(1 + x)) + log1p(x) - (1 - euler) x) / x**2, |x| <= 1/2. */\n"
        "CUPRIC_MATH double\n"
        "gammaln1p_rest(double x)\n{\n"
        f"    return {horner('x', listed)};\n}}\n"
    )
    text.append(TAIL)
    PATH.write_text("".join(text))


if __name__ == "__main__":
    main()
