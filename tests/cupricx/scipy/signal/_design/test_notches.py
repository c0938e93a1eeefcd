"""Filters of single frequencies against scipy.signal."""

import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import agree, same_error

theirs = pytest.importorskip("scipy.signal")


@pytest.mark.parametrize("name", ["iirnotch", "iirpeak"])
@pytest.mark.parametrize("args", [(0.2, 30), (0.9, 2), (20, 5, 100), (0, 3), (1, 3)])
def test_one_frequency(name, args):
    agree(getattr(ours, name)(*args), getattr(theirs, name)(*args))


@pytest.mark.parametrize("name", ["iirnotch", "iirpeak"])
@pytest.mark.parametrize(
    "args",
    [
        (1.2, 30),
        (-0.1, 30),
        (0.2, 0),
        (0.2, "a"),
        ("a", 3),
        (20, 3, None),
        (2, 3, [4, 5]),
    ],
)
def test_one_frequency_refuses(name, args):
    assert same_error(getattr(ours, name), getattr(theirs, name), *args)


@pytest.mark.parametrize("ftype", ["notch", "peak", "PEAK"])
@pytest.mark.parametrize("pass_zero", [False, True])
@pytest.mark.parametrize(("w0", "fs"), [(0.2, 2), (50, 200), (50, 150), (60, 600)])
def test_combs(ftype, pass_zero, w0, fs):
    for Q in (0.8, 30):
        args, kwargs = (w0, Q, ftype, fs), {"pass_zero": pass_zero}
        agree(ours.iircomb(*args, **kwargs), theirs.iircomb(*args, **kwargs))


@pytest.mark.parametrize(
    "args",
    [
        *((0.3, 30), (0, 30), (1, 30), (50, 30, "foo", 200), (50, 30, "notch", 201)),
        *((50, 0, "notch", 200), (100, 30, "notch", 200), ("a", 30)),
    ],
)
def test_combs_that_are_refused(args):
    assert same_error(ours.iircomb, theirs.iircomb, *args)


@pytest.mark.parametrize(
    "kwargs",
    [
        {"freq": 0.2, "ftype": "fir"},
        {"freq": 440, "ftype": "fir", "fs": 16000},
        {"freq": 440, "ftype": "fir", "fs": 16000, "order": 7, "numtaps": 400},
        {"freq": 440, "ftype": "fir", "fs": 16000, "order": 24, "numtaps": 3},
        {"freq": 440, "ftype": "FIR", "fs": 16000, "order": 1, "numtaps": 1},
        {"freq": 440, "ftype": "fir", "fs": 16000, "numtaps": 0},
        {"freq": 440, "ftype": "iir", "fs": 16000},
        {"freq": 20, "ftype": "iir", "fs": 48000},
        {"freq": 0.3, "ftype": "iir"},
    ],
)
def test_gammatone(kwargs):
    agree(ours.gammatone(**kwargs), theirs.gammatone(**kwargs), 1e-10)


@pytest.mark.parametrize("name", ["order", "numtaps"])
def test_gammatone_warns_of_what_it_has_not(name):
    with pytest.warns(UserWarning, match=f"{name} is not used"):
        ours.gammatone(440, "iir", fs=16000, **{name: 3})


@pytest.mark.parametrize(
    "kwargs",
    [
        *({"order": 30}, {"order": 0}, {"order": 2.5}, {"numtaps": 2.5}),
        *({"ftype": "foo"}, {"freq": 0}, {"freq": 8000}, {"freq": "a"}),
    ],
)
def test_gammatone_refuses(kwargs):
    kwargs = {"freq": 440, "ftype": "fir", "fs": 16000, **kwargs}
    assert same_error(ours.gammatone, theirs.gammatone, **kwargs)


def test_where_results_are():
    device = cp.cuda.runtime.getDeviceCount() - 1
    for b, a in (
        ours.iirnotch(0.2, 3, device=device),
        ours.iircomb(0.2, 3, device=device, xp=cp),
        ours.gammatone(0.2, "iir", device=device),
    ):
        assert b.device.id == a.device.id == device
