"""Coefficients of the complete elliptic integrals, written into
cuda/include/cupric/special/elliptic_polynomials.hpp.

K(1 - p) = A(p) - log(p) B(p) and E(1 - p) = 1 + p (C(p) - log(p) D(p)) for 0 < p <= 1,
with polynomials A, B, C and D whose coefficients are fitted together, for the least
relative error of the sum, by Remez' exchange on a dense grid in 60 digits: W. J. Cody,
"Chebyshev approximations for the complete elliptic integrals K and E", Mathematics of
Computation 19 (1965).
"""

import mpmath as mp

from tools.minimax import FOLDER

mp.mp.dps = 50
DEGREE = 10
TARGET = FOLDER.parent / "special/elliptic_polynomials.hpp"
HEADER = """/* special/elliptic_polynomials.hpp: polynomials of elliptic.hpp. Written by
 * tools/elliptic.py: change that.
 */
#ifndef CUPRIC_SPECIAL_ELLIPTIC_POLYNOMIALS_HPP
#define CUPRIC_SPECIAL_ELLIPTIC_POLYNOMIALS_HPP

#include "cupric/math/words.hpp"

CUPRIC_BEGIN
namespace elementary {
"""


def extremes_of(errors, count):
    """The largest error of each run of one sign, `count` of them."""
    found = []
    for k, e in enumerate(errors):
        if found and (errors[found[-1]] >= 0) == (e >= 0):
            if abs(e) > abs(errors[found[-1]]):
                found[-1] = k
        else:
            found.append(k)
    while len(found) > count:
        found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
    return found


def fit(points, values, weights, functions):
    """Coefficients of the functions with the least weighted error, and that error."""
    rows = [[w * f(p) for f in functions] for p, w in zip(points, weights, strict=True)]
    right = [w * v for w, v in zip(weights, values, strict=True)]
    n, count = len(functions) + 1, len(points)
    reference = [round((count - 1) * i / (n - 1)) for i in range(n)]
    for _ in range(60):
        system = mp.matrix([[*rows[k], (-1) ** i] for i, k in enumerate(reference)])
        solution = mp.lu_solve(system, mp.matrix([right[k] for k in reference]))
        found, level = list(solution)[:-1], abs(solution[n - 1])
        errors = [r - mp.fdot(found, row) for r, row in zip(right, rows, strict=True)]
        largest = max(map(abs, errors))
        reference = extremes_of(errors, n)
        if len(reference) < n or largest < level * mp.mpf("1.05"):
            break
    return found, largest


def first_integral(p):
    return mp.ellipk(1 - p) if p > mp.mpf(10) ** -40 else mp.log(4) - mp.log(p) / 2


def rest_of_second(p):
    if p > mp.mpf(10) ** -12:
        with mp.workdps(80):
            return (mp.ellipe(1 - p) - 1) / p
    return (mp.log(4) - mp.log(p) / 2 - 0.5) / 2


def table(name, what, coefficients, error):
    rows = ",\n         ".join(float(c).hex() for c in reversed(coefficients))
    bits = float(mp.log(error, 2))
    return (
        f"\n/* {what}: 2**{bits:.2f} */\nCUPRIC_MATH double\n{name}(double x)\n{{\n"
        f"    CUPRIC_KEPT kept_coefficients<{len(coefficients)}> c = {{\n"
        f"        {{{rows}}}}};\n"
        f"    return polynomial<{len(coefficients) - 1}, 1>(x, c);\n}}\n"
    )


def pair(f, weight, names, what):
    """A and B with f(p) = A(p) - log(p) B(p)."""
    count = 700
    points = [(mp.mpf(i + 1) / count) ** 5 for i in range(count)]
    points = [mp.mpf(10) ** -k for k in (300, 100, 40, 30, 22, 18)] + points
    powers = range(DEGREE + 1)
    functions = [lambda p, k=k: p**k for k in powers]
    functions += [lambda p, k=k: -mp.log(p) * p**k for k in powers]
    values = [f(p) for p in points]
    weights = [weight(p, v) for p, v in zip(points, values, strict=True)]
    found, error = fit(points, values, weights, functions)
    n = DEGREE + 1
    return table(names[0], f"A of {what}", found[:n], error) + table(
        names[1], f"B of {what}", found[n:], error
    )


def main():
    text = HEADER
    text += pair(
        first_integral,
        lambda p, v: 1 / v,
        ("ellipk_free", "ellipk_log"),
        "K(1 - p) = A(p) - log(p) B(p)",
    )
    text += pair(
        rest_of_second,
        lambda p, v: p / (1 + p * v),
        ("ellipe_free", "ellipe_log"),
        "E(1 - p) = 1 + p (A(p) - log(p) B(p))",
    )
    TARGET.write_text(text + "\n} /* namespace elementary */\nCUPRIC_END\n\n#endif\n")


if __name__ == "__main__":
    main()
