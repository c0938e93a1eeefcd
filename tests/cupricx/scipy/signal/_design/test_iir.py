"""Recursive filters against scipy.signal."""

import warnings

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import agree, near, same_error, same_roots

theirs = pytest.importorskip("scipy.signal")

FAMILIES = {
    "butter": (),
    "cheby1": (0.7,),
    "cheby2": (50,),
    "ellip": (0.7, 50),
    "bessel": (),
}
EDGES = {"low": 0.3, "high": 0.4, "bandpass": [0.2, 0.45], "bandstop": [0.3, 0.6]}
ORDERS = [0, 1, 2, 3, 4, 5, 8, 13, 20, 24]


def response(sos, analog):
    """Of sections, each apart: they may be in another order where two are as near the
    unit circle."""
    s = 1j * np.geomspace(1, 1e3, 25) if analog else np.exp(1j * np.linspace(0, 3, 25))
    parts = [np.polyval(row[:3], s) / np.polyval(row[3:], s) for row in sos]
    return np.prod(parts, axis=0)


def both(name, *args, **kwargs):
    """Ours and theirs; None for what SciPy has no sections of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            expected = getattr(theirs, name)(*args, **kwargs)
        except IndexError:
            expected = None
    return getattr(ours, name)(*args, **kwargs), expected


@pytest.mark.parametrize("N", ORDERS)
@pytest.mark.parametrize("btype", EDGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_digital(family, btype, N):
    check(family, N, EDGES[btype], btype, analog=False)


@pytest.mark.parametrize("N", ORDERS)
@pytest.mark.parametrize("btype", EDGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_analog(family, btype, N):
    check(family, N, (np.array(EDGES[btype]) * 300).tolist(), btype, analog=True)


def check(family, N, Wn, btype, analog):
    args = (N, *FAMILIES[family], Wn, btype, analog)
    made, expected = both(family, *args, output="ba")
    agree(made, expected, 1e-12 if N < 15 else 1e-8)
    made, expected = both(family, *args, output="zpk")
    for m, e in zip(made[:2], expected[:2], strict=True):
        same_roots(m, e, 1e-9)
    assert float(made[2]) == pytest.approx(float(expected[2]), rel=1e-9)
    made, expected = both(family, *args, output="sos")
    assert made.dtype == np.float64
    if expected is not None:
        assert made.shape == expected.shape
        near(response(made.get(), analog), response(expected, analog), 1e-9)
        agree(made, expected, 1e-9)


@pytest.mark.parametrize("norm", ["phase", "delay", "mag", "MAG"])
def test_norms_of_bessel(norm):
    for N in (1, 2, 5, 12):
        for btype, Wn in EDGES.items():
            agree(*both("bessel", N, Wn, btype, norm=norm), 1e-11)


@pytest.mark.parametrize(
    "ftype",
    [
        *("butter", "Butterworth", "cheby1", "chebyshevi", "chebyshev1", "Cheby2"),
        *("chebyshevii", "chebyshev2", "ellip", "elliptic", "cauer", "bessel"),
        *("bessel_phase", "bessel_delay", "bessel_mag"),
    ],
)
def test_spellings_of_families(ftype):
    kwargs = {"rp": 1, "rs": 30, "btype": "low", "ftype": ftype}
    agree(*both("iirfilter", 4, 0.3, **kwargs))


@pytest.mark.parametrize(
    "btype",
    [
        *("lowpass", "low", "lp", "l", "LOW", "highpass", "high", "hp", "h"),
        *("bandpass", "band", "pass", "bp", "bandstop", "bands", "stop", "bs"),
    ],
)
def test_spellings_of_bands(btype):
    Wn = 0.3 if btype[0] in "lLh" else [0.2, 0.4]
    agree(*both("butter", 3, Wn, btype))


def test_defaults():
    agree(*both("iirfilter", 3, [0.2, 0.4]))
    for name, ripples in FAMILIES.items():
        agree(*both(name, 3, *ripples, 0.2))


@pytest.mark.parametrize("fs", [100, 100.0, 44100, np.float32(8)])
def test_sampling_frequency(fs):
    Wn = 0.15 * float(fs)
    agree(*both("butter", 5, Wn, fs=fs))
    agree(*both("ellip", 5, 1, 40, [Wn, 2 * Wn], "bandstop", fs=fs, output="sos"))


def test_frequencies_on_the_device():
    expected = theirs.butter(3, [0.2, 0.4], "band")
    agree(ours.butter(3, cp.array([0.2, 0.4]), "band"), expected)
    agree(ours.butter(3, cp.array(0.2)), theirs.butter(3, 0.2))
    agree(ours.butter(3, np.array([0.2, 0.4]), "band"), expected)
    agree(ours.butter(3, [0.2]), theirs.butter(3, 0.2))


def test_results_are_where_frequencies_are():
    device = cp.cuda.Device(cp.cuda.runtime.getDeviceCount() - 1)
    with device:
        Wn = cp.array([0.2, 0.4])
    for made in (*ours.butter(3, Wn, "band"), ours.butter(3, Wn, "band", output="sos")):
        assert made.device == device


REFUSED = [
    *((3, 0), (3, 1), (3, 1.5), (3, -0.1), (3, -0.1, "low", True), (3, [0.1, 0.2])),
    *((3, [0.1], "band"), (3, 0.1, "band"), (3, [0.2, 0.1], "band")),
    *((3, [0.2, 0.2], "band"), (3, [0.2, 0.1], "bandstop", True), (3, 0.2, "foo")),
    *((3, [0.2, 0.1, 0.3], "bandstop", True), (3, 0.2, "low", False, "foo")),
    *((2.5, 0.2), (-1, 0.2), (3, 0.2 + 0j), (3, "a")),
]


@pytest.mark.parametrize("args", REFUSED)
def test_refusals(args):
    assert same_error(ours.butter, theirs.butter, *args)


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        *(((50,), {"fs": 100}), ((60,), {"fs": 100}), ((20,), {"fs": 0})),
        *(((20,), {"fs": 100, "analog": True}), ((20,), {"fs": [100, 2]})),
        *(((20,), {"fs": -100}), ((20,), {"fs": "a"})),
    ],
)
def test_sampling_frequencies_that_are_refused(args, kwargs):
    assert same_error(ours.butter, theirs.butter, 3, *args, **kwargs)


@pytest.mark.parametrize(
    ("name", "args", "kwargs"),
    [
        *(("cheby1", (3, 0, 0.2), {}), ("cheby1", (3, -1, 0.2), {})),
        *(("cheby2", (3, -1, 0.2), {}), ("cheby2", (3, 0, 0.2), {})),
        *(("ellip", (3, -1, 20, 0.2), {}), ("ellip", (3, 1, -20, 0.2), {})),
        *(("iirfilter", (3, 0.2), {}), ("bessel", (3, 0.2), {"norm": "foo"})),
        *(
            ("iirfilter", (3, 0.2), {"ftype": t, "btype": "low"})
            for t in ("foo", "cheby", "cheby1", "cheby2", "ellip", "thomson")
        ),
        ("iirfilter", (3, 0.2), {"ftype": "ellip", "btype": "low", "rp": 1}),
    ],
)
def test_refusals_of_families(name, args, kwargs):
    assert same_error(getattr(ours, name), getattr(theirs, name), *args, **kwargs)


def test_messages_name_what_was_passed():
    with pytest.raises(ValueError, match=r"below fs/2 = 50"):
        ours.butter(3, 50, fs=100)
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        ours.butter(3, [0.1, 0.2, 0.3], "band")
    with pytest.raises(ValueError, match=r"\[0.3, 0.2\]"):
        ours.butter(3, [0.3, 0.2], "band")
    with pytest.raises(ValueError, match="'foo'"):
        ours.butter(3, 0.3, "foo")


# ---- by bands ------------------------------------------------------------------------

BANDS = [
    *((0.2, 0.3), (0.3, 0.2), ([0.2, 0.5], [0.1, 0.6]), ([0.1, 0.6], [0.2, 0.5])),
    *((0.05, 0.4), ([0.1, 0.6], [0.15, 0.25])),
]


@pytest.mark.parametrize(("wp", "ws"), BANDS)
@pytest.mark.parametrize("ftype", ["butter", "cheby1", "cheby2", "ellip"])
@pytest.mark.parametrize("analog", [False, True])
def test_iirdesign(wp, ws, ftype, analog):
    for gpass, gstop in ((1, 40), (3, 60), (0.1, 30)):
        args = (wp, ws, gpass, gstop, analog, ftype)
        sos, expected = both("iirdesign", *args, output="sos")
        assert expected is None or sos.shape == expected.shape
        w = np.array([*np.atleast_1d(wp), *np.atleast_1d(ws)])
        s = 1j * w if analog else np.exp(1j * np.pi * w)
        rows = sos.get()
        parts = [np.polyval(r[:3], s) / np.polyval(r[3:], s) for r in rows]
        loss = -20 * np.log10(np.abs(np.prod(parts, axis=0)))
        n = w.size // 2
        assert loss[:n].max() <= gpass * (1 + 1e-6)
        assert loss[n:].min() >= gstop * (1 - 1e-6)
        if np.ndim(wp) == 0:
            agree(sos, expected, 1e-9)


def test_iirdesign_of_other_outputs_and_units():
    agree(*both("iirdesign", 0.2, 0.3, 1, 40))
    agree(*both("iirdesign", 0.2, 0.3, 1, 40, ftype="butter"), 1e-9)
    agree(*both("iirdesign", 10, 20, 1, 40, fs=100, ftype="cheby2"))
    agree(*both("iirdesign", [0.2], [0.3], 1, 40))
    z, p, k = ours.iirdesign(0.2, 0.3, 1, 40, output="zpk")
    assert z.size == p.size == 4


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        *((([0.1, 0.6], [0.2, 0.7], 1, 40), {}), (([0.1, 0.6], [0.1, 0.7], 1, 40), {})),
        *((([0.1, 0.6], 0.2, 1, 40), {}), ((0.1, 0.2, -1, 40), {})),
        *(((0.1, 0.2, 1, -40), {}), ((0.1, 0.2, 40, 1), {}), ((0.1, 0.2, 0, 1), {})),
        *(((0.1, 1.2, 1, 10), {}), ((0.1, 1, 1, 10), {}), ((0, 0.2, 1, 10), {})),
        *(((-0.1, 0.2, 1, 10), {"analog": True}), ((10, 60, 1, 40), {"fs": 100})),
        *(((1, 2, 1, 10), {"analog": True, "fs": 3}), (([], [], 1, 10), {})),
        *(((0.1, 0.2, 1, 10), {"ftype": t}) for t in ("bessel", "bessel_delay", "foo")),
        *((([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], 1, 10), {}),),
        *((([0.6, 0.1], [0.5, 0.2], 1, 40), {}),),
    ],
)
def test_iirdesign_refuses(args, kwargs):
    assert same_error(ours.iirdesign, theirs.iirdesign, *args, **kwargs)


def test_iirdesign_without_a_transition_band():
    with pytest.raises(ValueError, match="wp and ws must differ"):
        ours.iirdesign(0.1, 0.1, 1, 40)
