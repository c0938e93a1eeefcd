"""Integers divided by one number: on the host by multiplication with its inverse."""

import numpy as np
import pytest

import cupric as cp


def _numbers(dtype):
    """Those of 8 and 16 bits, or the limits and some between them."""
    info = np.iinfo(dtype)
    if info.bits == 8:
        return np.arange(info.min, info.max + 1).astype(dtype)
    if info.bits == 16:
        return np.arange(info.min, info.max + 1).astype(dtype)
    between = np.random.default_rng(1).integers(
        info.min, info.max, 500, dtype=dtype, endpoint=True
    )
    ends = [info.min, info.min + 1, 0, 1, info.max - 1, info.max]
    return np.concatenate([between, np.array(ends, dtype)])


def _divisors(dtype):
    info = np.iinfo(dtype)
    if info.bits == 8:
        every = set(range(info.min, info.max + 1, 3)) | {-2, -1, 1, 2, info.max}
    else:
        step = 1 if info.bits == 16 else 5
        near = [(1 << k) + e for k in range(0, info.bits, step) for e in (-1, 0, 1)]
        every = {*near, *(-d for d in near), 7, 10, 641, info.min, info.max}
    return sorted(d for d in every if d and info.min <= d <= info.max)


@pytest.mark.parametrize("dtype", "bBhHiIlL")
def test_quotients_and_rests_are_numpys(dtype):
    x = _numbers(dtype)
    ours = cp.asarray(x)
    for d in map(np.dtype(dtype).type, _divisors(dtype)):
        with np.errstate(all="ignore"):
            quotient, rest = np.divmod(x, d)
            truncated = np.fmod(x, d)
        made = cp.divmod(ours, d)
        for want, have in (
            (quotient, ours // d),
            (rest, ours % d),
            (truncated, cp.fmod(ours, d)),
            (quotient, made[0]),
            (rest, made[1]),
            (quotient[::3], ours[::3] // d),
        ):
            assert have.dtype == want.dtype
            assert (have.get() == want).all(), (dtype, d)


@pytest.mark.parametrize("dtype", "bBhHiIlL")
def test_zero_divides_to_zero(dtype):
    x = cp.asarray(_numbers(dtype))
    zero = np.dtype(dtype).type(0)
    assert not (x // zero).any()
    assert not cp.fmod(x, zero).any()
