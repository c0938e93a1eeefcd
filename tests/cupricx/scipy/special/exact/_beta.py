"""The incomplete beta function by mpmath's numbers, for the families beta and
distributions."""

import mpmath as mp
import scipy.special


def fraction(a, b, x, y):
    """I_x(a, b) by its continued fraction, x not above the mean."""
    log_of_term = mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)
    term = mp.exp(a * mp.log(x) + b * mp.log(y) + log_of_term)
    p, p_next, q, q_next = mp.mpf(1), a * (a - (a + b) * x + 1) / (a + 1), 0, mp.mpf(1)
    before = mp.inf
    for n in range(1, 30000):
        r = 1 / (a + 2 * n - 1)
        over = (a + n - 1) * (a + b + n - 1) * n * (b - n) * (x * r) ** 2
        under = n + n * (b - n) * x * r
        under += (a + n) / (a + 2 * n + 1) * (a - (a + b) * x + 1 + n * (2 - x))
        p, p_next = p_next, under * p_next + over * p
        q, q_next = q_next, under * q_next + over * q
        if n % 4 == 0:
            value = q_next / p_next
            if abs(value - before) <= abs(value) * mp.eps * 100:
                return term * value
            before = value
    raise ValueError


def ibeta(a, b, x, upper=False, y=None):
    """I_x(a, b), or its complement."""
    digits = 10 + max(0, mp.log10(a + b))
    if y is None:
        digits += min(400, max(0, -mp.log10(x)))
    with mp.extradps(int(digits)):
        y = 1 - x if y is None else y
        if x * (a + b) > a:
            value = fraction(b, a, y, x)
            return value if upper else 1 - value
        value = fraction(a, b, x, y)
        return 1 - value if upper else value


def _start(a, b, p):
    """log(x / (1 - x)), nearly: from SciPy where it has a number."""
    x = float(scipy.special.betaincinv(float(a), float(b), float(p)))
    if 1e-300 < x < 1 - 1e-9:
        return mp.log(x / mp.mpf(1 - mp.mpf(x)))
    low, high = mp.mpf(-1), mp.mpf(1)

    def value(u):
        x = 1 / (1 + mp.exp(-u))
        return mp.log(ibeta(a, b, x, y=1 / (1 + mp.exp(u))) / p)

    with mp.workdps(25):
        while value(low) > 0:
            low *= 2
        while value(high) < 0:
            high *= 2
        for _ in range(14):
            middle = (low + high) / 2
            low, high = (middle, high) if value(middle) < 0 else (low, middle)
    return low


def ibeta_root(a, b, p, upper=False):
    """x and 1 - x of I_x(a, b) = p, or of its complement: by Newton's steps of the
    logarithm, which is concave in the logarithm of x / (1 - x)."""
    if (p > 0.5) != upper:  # solve for the smaller one, x above
        other = ibeta_root(b, a, p if upper else 1 - p)
        return other[::-1]
    p = 1 - p if upper else p
    u = _start(a, b, p)
    beta = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    for _ in range(60):
        x, y = 1 / (1 + mp.exp(-u)), 1 / (1 + mp.exp(u))
        now = ibeta(a, b, x, y=y)
        slope = mp.exp(a * mp.log(x) + b * mp.log(y) - beta) / now
        step = mp.log(now / p) / slope
        u -= step
        if abs(step) < mp.mpf(10) ** (-mp.mp.dps // 2 - 3) * min(1, 1 / slope):
            return 1 / (1 + mp.exp(-u)), 1 / (1 + mp.exp(u))
    raise ValueError
