"""Analytic signals and envelopes, against scipy.signal."""

import numpy as np
import pytest
from tests.cupricx.scipy.signal.against_scipy import check, check_error, numbers

import cupric as cp
from cupricx.scipy import signal

theirs = pytest.importorskip("scipy.signal")


def both(name):
    return getattr(theirs, name), getattr(signal, name)


LAYOUTS = (
    lambda x: x,
    lambda x: x.transpose(2, 0, 1),
    lambda x: x[::-1, ::2, ::-1],
    np.asfortranarray,
)


@pytest.mark.parametrize("dtype", "?bilefd")
@pytest.mark.parametrize("n", [1, 2, 5, 12, 13, 300])
def test_hilbert(dtype, n):
    x = numbers((3, n), dtype)
    for points in (None, 1, 4, 7, 2 * n):
        check(*both("hilbert"), x, points)


@pytest.mark.parametrize("dtype", "fd")
def test_long(dtype):
    check(*both("hilbert"), numbers(1_000_000, dtype))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_axes(axis, layout):
    x = layout(numbers((4, 5, 6)))
    check(*both("hilbert"), x, axis=axis)
    check(*both("envelope"), x, axis=axis)
    check(*both("envelope"), x, axis=axis, residual=None)


@pytest.mark.parametrize("dtype", "?bilefd")
@pytest.mark.parametrize("n", [1, 2, 5, 12, 13])
def test_hilbert2(dtype, n):
    x = numbers((3, n), dtype)
    for points in (None, 1, 4, 7, (4, 5)):
        check(*both("hilbert2"), x, points)
    check(*both("hilbert2"), x[0])


def test_hilbert2_axes():
    x = numbers((4, 5, 6))
    for axes in ((0, 1), (1, 0), (0, 2), (-1, 0)):
        for points in (None, 3, (7, 4)):
            check(*both("hilbert2"), x, points, axes)


@pytest.mark.parametrize("dtype", "ilefdFD")
@pytest.mark.parametrize("n", [11, 12, 200])
def test_envelope(dtype, n):
    x = numbers((2, n), dtype)
    for band in ((1, None), (None, None), (2, 5), (-2, 5), (-(n // 2), 3), (-5, -2)):
        for n_out in (None, 5, 6, n + 7, 2 * n):
            for residual in ("lowpass", "all", None):
                check(
                    *both("envelope"),
                    x,
                    band,
                    n_out=n_out,
                    residual=residual,
                    squared=n_out == 5,
                    bound=2e-5 if dtype in "efF" else None,
                )


def test_bands_that_begin_or_end_at_zero():
    """As documented: SciPy has no residual of the first, and nothing in the second."""
    n = 16
    t = np.arange(n)
    tones = {k: np.exp(2j * np.pi * k * t / n) for k in (-6, -2, 0, 3, 7)}
    z = sum(tones.values())
    made, rest = signal.envelope(cp.array(z), (0, 5), residual="all").get()
    np.testing.assert_allclose(made, abs(tones[0] + tones[3]), atol=1e-12)
    np.testing.assert_allclose(rest, tones[-6] + tones[-2] + tones[7], atol=1e-12)
    made, rest = signal.envelope(cp.array(z), (0, 5)).get()
    np.testing.assert_allclose(rest, tones[-6] + tones[-2], atol=1e-12)
    made, rest = signal.envelope(cp.array(z), (-3, 0)).get()
    np.testing.assert_allclose(made, abs(tones[-2]), atol=1e-12)
    np.testing.assert_allclose(rest, tones[-6], atol=1e-12)


def test_errors():
    x = numbers(12)
    for bad in (0, -1, 2.0):
        check_error(*both("hilbert"), x, bad)
    check_error(*both("hilbert"), x[:0], match=r"\(0,\)")
    check_error(*both("hilbert"), x * 1j, match="complex128")
    check_error(*both("hilbert2"), x * 1j)
    check_error(*both("hilbert2"), x, 0)
    for bad in ((3,), (3, 0), (3, 4, 5)):
        check_error(*both("hilbert2"), x, bad, match="two positive integers")
    for bad in ((0, 0), (0,), (0, 1, 2)):
        check_error(*both("hilbert2"), x.reshape(3, 4), axes=bad, match="axes must")
    for bad in ((5, 2), (0, 100), (1.5, 2), (3, 3), (-9, None), (1, 2, 3)):
        check_error(*both("envelope"), x, bad)
    check_error(*both("envelope"), x[:0], match=r"\(0,\)")
    check_error(*both("envelope"), x, n_out=0)
    check_error(*both("envelope"), x, n_out=1.5)
    check_error(*both("envelope"), x, axis=1, match=r"axis=1 for z.shape=\(12,\)")
    check_error(*both("envelope"), x, residual="x")
