"""Copies between places a few bytes apart, modulo a page, go a way of their own."""

import numpy as np
import pytest

import cupric as cp

LENGTHS = [1000, 1024, 1025, 2048, 5000, 70_001, (1 << 20) - 3, 1 << 20, (1 << 20) + 1]


@pytest.mark.parametrize("n", LENGTHS)
def test_shifted_copies(n):
    rng = np.random.default_rng(n)
    a = rng.integers(0, 256, n + 4200, dtype="u1")
    x, y = cp.array(a), cp.zeros(a.shape, "u1")
    for to in (0, 1, 4, 8, 15, 16, 24, 31, 32, 40, 4097):
        for start in (0, 3):
            y.fill(7)
            y[to : to + n] = x[start : start + n]
            expected = np.full_like(a, 7)
            expected[to : to + n] = a[start : start + n]
            np.testing.assert_array_equal(y.get(), expected)


@pytest.mark.parametrize("n", LENGTHS)
def test_within_one_array(n):
    a = np.arange(n + 50, dtype="u4").view("u1")[: n + 50].copy()
    for by in (1, 8, 31, 40):
        x = cp.array(a)
        x[by : by + n] = x[:n]
        expected = a.copy()
        expected[by : by + n] = a[:n]
        np.testing.assert_array_equal(x.get(), expected)
        x[:n] = x[by : by + n]
        np.testing.assert_array_equal(x.get()[:n], a[:n])


@pytest.mark.parametrize("by", [1, 3, -1])
def test_rolled_rows(by):
    a = np.arange(12_000.0).reshape(4, 3000)
    np.testing.assert_array_equal(
        cp.roll(cp.array(a), by, axis=1).get(), np.roll(a, by, axis=1)
    )
