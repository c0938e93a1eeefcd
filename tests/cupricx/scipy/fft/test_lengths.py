import pytest

from cupricx.scipy import fft


def smooth(n):
    for p in (2, 3, 5, 7):
        while n % p == 0:
            n //= p
    return n == 1


def test_next_fast_len():
    fast = [n for n in range(1, 6000) if smooth(n)]
    for target in range(1, 5000):
        expected = next(n for n in fast if n >= target)
        assert fft.next_fast_len(target) == expected
        assert fft.next_fast_len(target, real=True) == expected
    n = fft.next_fast_len(10**12 + 1)
    assert 10**12 < n < 1.001 * 10**12
    assert smooth(n)


def test_errors():
    assert fft.next_fast_len(0) == 0
    with pytest.raises(ValueError, match="negative"):
        fft.next_fast_len(-3)
    with pytest.raises(TypeError):
        fft.next_fast_len(5.0)
