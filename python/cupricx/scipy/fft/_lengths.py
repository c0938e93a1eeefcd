"""Lengths that transforms are fast for."""

import functools
import operator

__all__ = [
    "next_fast_len",
]


def next_fast_len(target, real=False):
    """The next length that a transform is fast for.

    Parameters
    ----------
    target : int
        Not negative; 0 is returned as it is.
    real : bool, optional
        Has no effect: real transforms are fast for the same lengths.

    Returns
    -------
    int
        At least `target`, without a prime factor but 2, 3, 5 and 7: what cuFFT has
        kernels for, and what is fast on the host, too.

    Examples
    --------
    >>> from cupricx.scipy import fft
    >>> fft.next_fast_len(509), fft.next_fast_len(11)
    (512, 12)
    """
    target = operator.index(target)
    if target < 0:
        raise ValueError(f"target must not be negative: {target}")
    if target == 0:
        return 0
    return _smooth(target)


@functools.lru_cache(1024)
def _smooth(target):
    """The smallest number from `target` with no prime factor above 7."""
    best = 1 << (target - 1).bit_length()
    sevens = 1
    while sevens < best:
        fives = sevens
        while fives < best:
            threes = fives
            while threes < best:
                rest = -(-target // threes)
                best = min(best, threes << (rest - 1).bit_length())
                threes *= 3
            fives *= 5
        sevens *= 7
    return best
