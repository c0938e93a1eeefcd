"""Values by mpmath, in two precisions that agree."""

import contextlib
import signal

import mpmath as mp
from mpmath.libmp import NoConvergence

DIGITS = (40, 60, 120, 250)


FAILURES = (ArithmeticError, ValueError, NoConvergence, RecursionError)


class TooLong(Exception):
    pass


def _stop(*_):
    raise TooLong


@contextlib.contextmanager
def limited(seconds):
    """Raises TooLong after that many seconds."""
    before = signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def number(x):
    if isinstance(x, complex):
        return mp.mpc(x)
    return x if isinstance(x, int) else mp.mpf(x)


def agree(a, b):
    if mp.isnan(a) or mp.isnan(b):
        return bool(mp.isnan(a) and mp.isnan(b))
    return a == b or abs(a - b) <= abs(b) * mp.mpf(10) ** -25


def at(function, point, digits):
    with mp.workdps(digits):
        results = function(*map(number, point))
        return [
            mp.mpmathify(r)
            for r in (results if isinstance(results, tuple) else (results,))
        ]


def exactly(function, point):
    """The results at a point: those of two precisions that agree. None: there are
    none."""
    before = None
    for digits in DIGITS:
        try:
            now = at(function, point, digits)
        except FAILURES:
            now = None
        if now and before and all(map(agree, before, now)):
            return now
        before = now
    return None


def condition(function, point, results):
    """By how much a relative change of an argument is magnified, of each result."""
    total = [mp.mpf(0)] * len(results)
    for k, x in enumerate(point):
        if isinstance(x, int) or x == 0:
            continue
        h = mp.mpf(10) ** -25
        try:
            with mp.workdps(90):
                near = [*map(number, point)]
                near[k] *= 1 + h
                moved, there = function(*near), function(*map(number, point))
        except FAILURES:
            continue
        pairs = zip(
            moved if isinstance(moved, tuple) else (moved,),
            there if isinstance(there, tuple) else (there,),
            strict=True,
        )
        for i, (a, b) in enumerate(pairs):
            total[i] += abs((a - b) / b) / h if b else 0
    return [float(f"{float(t):.2g}") for t in total]
