"""Impulses and steps through what was designed: what SciPy's designs make of them."""

import warnings

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import near

theirs = pytest.importorskip("scipy.signal")

FAMILIES = {
    "butter": {},
    "cheby1": {"rp": 0.7},
    "cheby2": {"rs": 50},
    "ellip": {"rp": 0.7, "rs": 50},
    "bessel": {},
}
EDGES = {"low": 0.3, "high": 0.4, "bandpass": [0.2, 0.45], "bandstop": [0.3, 0.6]}
SIGNALS = {"impulse": np.eye(1, 400)[0], "step": np.ones(400)}


@pytest.mark.parametrize("N", [1, 2, 3, 5, 8, 13, 20, 24])
@pytest.mark.parametrize("btype", EDGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_sections(family, btype, N):
    args = {"btype": btype, "ftype": family, "output": "sos", **FAMILIES[family]}
    sos = ours.iirfilter(N, EDGES[btype], **args)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = theirs.iirfilter(N, EDGES[btype], **args)
    for x in SIGNALS.values():
        y = ours.sosfilt(sos, cp.array(x))
        near(y.get(), theirs.sosfilt(expected, x), 1e-7)


@pytest.mark.parametrize("N", [1, 2, 4, 6])
@pytest.mark.parametrize("btype", EDGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_transfer_functions(family, btype, N):
    N = max(N // 2, 1) if btype.startswith("band") else N
    args = {"btype": btype, "ftype": family, **FAMILIES[family]}
    b, a = ours.iirfilter(N, EDGES[btype], **args)
    expected = theirs.iirfilter(N, EDGES[btype], **args)
    for x in SIGNALS.values():
        near(ours.lfilter(b, a, cp.array(x)).get(), theirs.lfilter(*expected, x), 1e-8)


@pytest.mark.parametrize("name", ["iirnotch", "iirpeak", "iircomb"])
@pytest.mark.parametrize("Q", [2, 5000])
def test_single_frequencies(name, Q):
    """With a high quality poles are all but on the circle, and ring."""
    b, a = getattr(ours, name)(0.25, Q)
    expected = getattr(theirs, name)(0.25, Q)
    for x in SIGNALS.values():
        near(ours.lfilter(b, a, cp.array(x)).get(), theirs.lfilter(*expected, x), 1e-9)


@pytest.mark.parametrize("ftype", ["fir", "iir"])
def test_gammatone(ftype):
    b, a = ours.gammatone(440, ftype, fs=16000)
    expected = theirs.gammatone(440, ftype, fs=16000)
    for x in SIGNALS.values():  # of four poles at one place, rounding moves all
        near(ours.lfilter(b, a, cp.array(x)).get(), theirs.lfilter(*expected, x), 1e-5)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        *(("firwin", (101, 0.3)), ("firwin", (51, [0.2, 0.4]))),
        ("firwin2", (75, [0, 0.5, 0.6, 1], [1, 1, 0, 0])),
        *(("firls", (75, [0, 0.3, 0.5, 1], [1, 1, 0, 0])),),
        *(("remez", (75, [0, 0.1, 0.15, 0.5], [1, 0])),),
    ],
)
def test_filters_without_recursion(name, args):
    b, expected = getattr(ours, name)(*args), getattr(theirs, name)(*args)
    for x in SIGNALS.values():
        made = ours.lfilter(b, [1.0], cp.array(x))
        near(made.get(), theirs.lfilter(expected, [1.0], x), 1e-6)
    assert float(made[-1]) == pytest.approx(float(expected.sum()), abs=1e-6)
