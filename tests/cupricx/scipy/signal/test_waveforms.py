"""Waveforms, against scipy.signal."""

import numpy as np
import pytest
from tests.cupricx.scipy.signal.against_scipy import check, check_error

import cupric as cp
from cupricx.scipy import signal
from cupricx.scipy.signal import _waveforms

theirs = pytest.importorskip("scipy.signal")


def both(name):
    return getattr(theirs, name), getattr(signal, name)


TIMES = np.linspace(-1, 2, 70)
# SciPy computes in the times' own precision, we in double.
BOUNDS = {"f": 1e-5, "e": 5e-2}


@pytest.mark.parametrize("dtype", "ilefd")
@pytest.mark.parametrize(
    "method",
    _waveforms._METHODS,
)
def test_chirps(dtype, method):
    t = TIMES.astype(dtype)
    for kwargs in ({}, {"phi": 30}, {"complex": True}, {"vertex_zero": False}):
        bound = BOUNDS.get(dtype)
        check(*both("chirp"), t, 1, 2, 3, method, bound=bound, **kwargs)
    check(*both("chirp"), t.reshape(7, 10)[::-1, ::2], 1, 2, 3, method, bound=bound)
    check(*both("chirp"), t[:0], 1, 2, 3, method)
    check(*both("chirp"), 1.5, 1, 2, 3, method)
    check(*both("chirp"), [1, 2], 1, 2, 3, method)


def test_chirp_edges():
    chirp = both("chirp")
    for method in ("log", "hyp"):
        check(*chirp, TIMES, 1, 2, 1, method)
    check(*chirp, TIMES, -1, 2, -3, "log")
    check(*chirp, np.array([-1.0, 0, 1]), 3, 2, 1, "hyp")
    for f0, f1 in ((1, -1), (0, 1)):
        check_error(*chirp, TIMES, f0, 2, f1, "log")
    check_error(*chirp, TIMES, 0, 2, 1, "hyp")
    check_error(*chirp, TIMES, 1, 2, 3, "x", match="method must be")
    check_error(*chirp, TIMES, 1, 0, 3)


@pytest.mark.parametrize("dtype", "ilefd")
def test_pulses(dtype):
    t = TIMES.astype(dtype)
    bound = BOUNDS.get(dtype)
    for kwargs in ({}, {"retquad": True}, {"retenv": True}):
        check(*both("gausspulse"), t, 5, bound=bound, **kwargs)
    check(*both("gausspulse"), t, 5, 0.3, -3, retquad=True, retenv=True, bound=bound)
    check(*both("gausspulse"), t, 0)


def test_pulse_edges():
    pulse = both("gausspulse")
    expected = theirs.gausspulse("cutoff", 5, 0.3, -3, -40)
    assert signal.gausspulse("cutoff", 5, 0.3, -3, -40) == pytest.approx(expected)
    for args in ((-5,), (5, 0), (5, 0.5, 1)):
        check_error(*pulse, TIMES, *args)
    check_error(*pulse, "cutoff", 5, 0.5, -6, 0)
    check_error(*pulse, "x")


@pytest.mark.parametrize("dtype", "ilefd")
@pytest.mark.parametrize("name", ["sawtooth", "square"])
def test_periods(name, dtype):
    t = (TIMES * 20).astype(dtype)
    check(*both(name), t)
    for width in (0.3, 0, 1, 2, -0.1, np.linspace(-0.1, 1.2, 70), np.float32(0.5)):
        check(*both(name), t, width, bound=1e-5)
    check(*both(name), t.reshape(70, 1), np.array([0.2, 0.8]), bound=1e-5)
    check(*both(name), t[::-2])
    check(*both(name), t[:0])


@pytest.mark.parametrize("name", ["sawtooth", "square"])
def test_period_edges(name):
    t = np.array([0, np.pi, 2 * np.pi, -np.pi, np.nan, np.inf, -1e-300, 1e9, -0.0])
    check(*both(name), t, 0.5)
    check(*both(name), 1.5)
    check(*both(name), [1, 2])
    check_error(*both(name), t * 1j)


def test_polynomials():
    for p in ([1, 2, 3], [1], [], np.array([1, 2], "f"), np.poly1d([1, 2])):
        check(*both("sweep_poly"), TIMES, p)
        check(*both("sweep_poly"), TIMES.astype("f"), p, phi=45, bound=1e-5)
    expected = theirs.sweep_poly(TIMES, np.poly1d([1, 2]))
    made = signal.sweep_poly(cp.array(TIMES), cp.poly1d([1, 2]))
    np.testing.assert_allclose(made.get(), expected, atol=1e-12)
    check(*both("sweep_poly"), 1.5, [1, 2])
    check_error(*both("sweep_poly"), TIMES, 5)
    check_error(*both("sweep_poly"), TIMES, [[1, 2]])


@pytest.mark.parametrize(
    "args",
    [
        (5,),
        (5, 2),
        (5, "mid"),
        ((3, 4),),
        ((3, 4), "mid"),
        ((3, 4), 1),
        ((3, 4), (0, 1)),
        (5, -1),
        ((3, 4), (0,)),
        (5, None, int),
        (5, [1]),
        (4, "mid", "F"),
    ],
)
def test_impulses(args):
    check(*both("unit_impulse"), *args)


def test_impulse_errors():
    for args in ((5, 7), (0,), (5.0,), (-1,), (5, "x"), (5, 1.5)):
        check_error(*both("unit_impulse"), *args)


# ---- maximum length sequences --------------------------------------------------------


@pytest.mark.parametrize("nbits", range(2, 33))
def test_sequences(nbits):
    length = None if nbits < 19 else 100_001
    check(*both("max_len_seq"), nbits, length=length)


@pytest.mark.parametrize("length", [0, 1, 4, 63, 64, 65, 127, 128, 5000])
def test_sequence_lengths(length):
    state = [1, 0, 0, 1, 1]
    _, state = check(*both("max_len_seq"), 5, state, length)
    check(*both("max_len_seq"), 5, state.get(), length)


@pytest.mark.parametrize(
    ("nbits", "taps"),
    [
        (4, [1, 2]),
        (4, [0]),
        (4, [4]),
        (4, [0, 4]),
        (4, [1, 1]),
        (1, [1]),
        (40, [3, 7]),
        (64, [60, 61, 63]),
        (65, [47]),
        (100, [37, 99]),
        (70, [70]),
        (70, [3]),
    ],
)
def test_taps(nbits, taps):
    state = np.arange(nbits) % 3 == 0
    for length in (3, 200, 5000):
        check(*both("max_len_seq"), nbits, state, length, taps)
    check(*both("max_len_seq"), nbits, length=300, taps=np.array(taps))


def test_sequence_errors():
    sequence = both("max_len_seq")
    for nbits in (1, 33, 4.0):
        check_error(*sequence, nbits)
    for state in ([0, 0, 0, 0], [1, 0], [[1, 0], [0, 1]]):
        check_error(*sequence, 4, state)
    check_error(*sequence, 4, length=-1)
    for taps in ([5], [], [-1]):
        check_error(*sequence, 4, taps=taps)
