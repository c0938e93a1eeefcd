"""Minimax polynomials and their rounding, for polynomials.py and pieces.py.

By Remez' exchange algorithm on a dense grid, in 60 digits. Coefficients are rounded one
by one, highest first, and those below fitted again, so that a rounded coefficient costs
little; or lowest first, and those above fitted again, where the errors count at the far
end of the interval; or at once.

References: E. Remez, "Sur la détermination des polynômes d'approximation de degré
donnée" (1934); N. Brisebarre and S. Chevillard, "Efficient polynomial
L-approximations" (2007), for the rounding; J.-M. Muller, "Elementary Functions" (3rd
edition, 2016), chapters 3 and 4.
"""

from pathlib import Path

import mpmath as mp

mp.mp.dps = 60
FOLDER = Path(__file__).parents[1] / "cuda/include/cupric/math"
PRECISION = {"float": 24, "double": 53}
SINGLE_BITS = 37  # of results in double that are rounded to float


def rounded(x, bits):
    """x to the nearest number of so many bits."""
    with mp.workprec(bits):
        return +x


def near_zero(f, series, x):
    """f(x), or where its terms cancel the first terms of its series."""
    return f(x) if abs(x) > mp.mpf("1e-10") else mp.polyval(series[::-1], x)


def ratios(*pairs):
    return [mp.mpf(a) / b for a, b in pairs]


def fit(points, values, weights, degree):
    """The coefficients of the minimax polynomial on the grid, lowest first, and the
    largest weighted error."""
    n = degree + 2
    count = len(points)
    reference = [(count - 1) * i // (n - 1) for i in range(n)]
    for _ in range(30):
        rows, right = [], []
        for i, k in enumerate(reference):
            powers = [weights[k] * points[k] ** j for j in range(degree + 1)]
            rows.append([*powers, (-1) ** i])
            right.append(weights[k] * values[k])
        solution = mp.lu_solve(mp.matrix(rows), mp.matrix(right))
        coefficients, level = list(solution)[:-1], abs(solution[n - 1])
        errors = [
            w * (v - mp.polyval(coefficients[::-1], x))
            for x, v, w in zip(points, values, weights, strict=True)
        ]
        extremes = []  # the largest of each run of one sign
        for k, e in enumerate(errors):
            if extremes and (errors[extremes[-1]] >= 0) == (e >= 0):
                if abs(e) > abs(errors[extremes[-1]]):
                    extremes[-1] = k
            else:
                extremes.append(k)
        while len(extremes) > n:
            extremes.pop(
                0 if abs(errors[extremes[0]]) < abs(errors[extremes[-1]]) else -1
            )
        largest = max(map(abs, errors))
        if len(extremes) < n or largest < level * mp.mpf("1.02"):
            break
        reference = extremes
    return coefficients, largest


def grid(low, high, count):
    """Points that are denser towards the ends."""
    middle, half = (low + high) / 2, (high - low) / 2
    return [middle - half * mp.cos(mp.pi * i / (count - 1)) for i in range(count)]


def rounded_highest_first(points, values, weights, degree, bits):
    left, found = values, []
    for k in range(degree, -1, -1):
        coefficients, _ = fit(points, left, weights, k)
        found.insert(0, rounded(coefficients[-1], bits))
        left = [v - found[0] * x**k for v, x in zip(left, points, strict=True)]
    return found


def rounded_lowest_first(points, values, weights, degree, bits):
    left, found = values, []
    for k in range(degree, -1, -1):
        coefficients, _ = fit(points, left, weights, k)
        found.append(rounded(coefficients[0], bits))
        left = [(v - found[-1]) / x for v, x in zip(left, points, strict=True)]
        weights = [w * abs(x) for w, x in zip(weights, points, strict=True)]
    return found


def rounded_at_once(points, values, weights, degree, bits):
    return [rounded(c, bits) for c in fit(points, values, weights, degree)[0]]


# An instruction of a GPU holds a double of so many bits; to load others takes two more.
IMMEDIATE_BITS = 21


def rounded_to_immediates(points, values, weights, degree, bits, kept=SINGLE_BITS):
    """As highest first, to few bits where those below make up for it."""
    left, found = values, []
    limit = mp.mpf(2) ** -kept
    for k in range(degree, -1, -1):
        coefficients, _ = fit(points, left, weights, k)
        for width in (IMMEDIATE_BITS, bits):
            term = rounded(coefficients[-1], width)
            rest = [v - term * x**k for v, x in zip(left, points, strict=True)]
            if k == 0:  # 1, or a number that needs all of its bits
                enough = abs(term - coefficients[0]) < limit * 64
            else:
                enough = fit(points, rest, weights, k - 1)[1] < limit
            if enough:
                break
        found.insert(0, term)
        left = rest
    return found


def is_immediate(c, kind):
    return kind == "float" or rounded(c, IMMEDIATE_BITS) == c


def coefficients_for(value, weight, low, high, bits, error, round_all):
    """Coefficients, rounded, of the lowest degree with so small an error."""
    points = grid(mp.mpf(low), mp.mpf(high), 400)
    points = [x for x in points if weight(x)]
    weights = [weight(x) for x in points]
    values = [value(x) for x in points]
    for degree in range(1, 30):
        if fit(points, values, weights, degree)[1] < error:
            break
    found = round_all(points, values, weights, degree, bits)
    largest = max(
        abs(w * (v - mp.polyval(found[::-1], x)))
        for x, v, w in zip(points, values, weights, strict=True)
    )
    return found, largest


def quotient_for(value, high, over, under, bits):
    """Coefficients, rounded, of p and q in (1 + s p(s)) / (1 + s q(s)) for
    0 <= s <= high, so many of each, and the largest relative error. The value times the
    divisor is linear in them: it is met where Chebyshev's polynomial is 0, which is
    nearly the best, and met again by those left when one is rounded, those of the
    highest powers first."""
    count = over + under
    powers = [(k, divides) for divides in (0, 1) for k in range((over, under)[divides])]
    powers.sort(reverse=True)
    found = {}
    while len(found) < count:
        left = [p for p in powers if p not in found]
        rows, right = [], []
        for i in range(len(left)):
            angle = mp.pi * (2 * i + 1) / (2 * len(left))
            s = high * (1 - mp.cos(angle)) / 2
            v = value(s)

            def column(power, s=s, v=v):
                k, divides = power
                return -v * s ** (k + 1) if divides else s ** (k + 1)

            rows.append([column(p) for p in left])
            known = mp.fsum(c * column(p) for p, c in found.items())
            right.append(v - 1 - known)
        solution = mp.lu_solve(mp.matrix(rows), mp.matrix(right))
        found[left[0]] = rounded(solution[0], bits)
    p = [found[k, 0] for k in range(over)]
    q = [found[k, 1] for k in range(under)]

    def error(s):
        quotient = (1 + s * mp.polyval(p[::-1], s)) / (1 + s * mp.polyval(q[::-1], s))
        return abs(quotient / value(s) - 1)

    return p, q, max(error(s) for s in grid(mp.mpf(0), high, 400)[1:])


def written(x, kind):
    digits = float(x).hex()
    mantissa, exponent = digits.split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{exponent}" + ("f" if kind == "float" else "")


TAIL = """
} /* namespace elementary */
CUPRIC_END

#endif
"""
