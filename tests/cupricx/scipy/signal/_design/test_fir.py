"""Filters without recursion, by windows, against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import agree, same_error

theirs = pytest.importorskip("scipy.signal")

LENGTHS = [1, 2, 3, 4, 5, 30, 101, 1000]


def same(name, *args, **kwargs):
    """The results agree, or the errors do."""
    try:
        expected = getattr(theirs, name)(*args, **kwargs)
    except ValueError:
        same_error(getattr(ours, name), getattr(theirs, name), *args, **kwargs)
        return
    agree(getattr(ours, name)(*args, **kwargs), expected)


@pytest.mark.parametrize("numtaps", LENGTHS)
@pytest.mark.parametrize(
    ("cutoff", "kwargs"),
    [
        (0.3, {}),
        ([0.3], {"pass_zero": False}),
        (0.3, {"pass_zero": "lowpass"}),
        (0.3, {"pass_zero": "highpass"}),
        ([0.2, 0.5], {}),
        ([0.2, 0.5], {"pass_zero": "bandpass"}),
        ([0.2, 0.5], {"pass_zero": "bandstop"}),
        ([0.1, 0.2, 0.6], {}),
        ([0.1, 0.2, 0.6], {"pass_zero": False, "scale": False}),
        (0.3, {"width": 0.1}),
        (0.3, {"width": 0.5, "window": None}),
        (0.3, {"window": ("kaiser", 4.0)}),
        (0.3, {"window": 6.5}),
        (0.3, {"window": "hann"}),
        ([0.1, 0.9], {"scale": False, "window": ("gaussian", 5.0)}),
        (30, {"fs": 100}),
        (3000.0, {"fs": 44100, "width": 1000}),
        (np.float32(0.3), {}),
    ],
)
def test_firwin(numtaps, cutoff, kwargs):
    same("firwin", numtaps, cutoff, **kwargs)


def test_firwin_takes_cupy_s_positions():
    made = ours.firwin(11, cp.array([0.2, 0.5]), None, "hann", False, False, 2.5)
    expected = theirs.firwin(
        11, [0.2, 0.5], window="hann", pass_zero=False, scale=False, fs=2.5
    )
    agree(made, expected)


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        *(((4, 0.3), {"pass_zero": False}), ((5, 0), {}), ((5, 1.0), {})),
        *(((5, [0.5, 0.3]), {}), ((5, [0.3, 0.3]), {}), ((5, []), {})),
        *(((5, [[0.3]]), {}), ((5, 60), {"fs": 100}), ((0, 0.3), {}), ((-1, 0.3), {})),
        *(((2.5, 0.3), {}), ((5, 0.3), {"window": [1, 2, 3, 2, 1]})),
        *(((5, 0.3), {"pass_zero": p}) for p in ("bandpass", "foo", 1, 2)),
        *(((5, [0.3, 0.5]), {"pass_zero": p}) for p in ("lowpass", "highpass")),
        *(((5, 0.3), {"window": "foo"}), ((5, 0.3), {"fs": [1, 2]})),
    ],
)
def test_firwin_refuses(args, kwargs):
    assert same_error(ours.firwin, theirs.firwin, *args, **kwargs)


FIRWIN2 = [
    ((5, [0, 0.5, 1], [1, 1, 0]), {}),
    ((4, [0, 0.5, 1], [1, 1, 0]), {}),
    ((150, [0, 0.5, 0.5, 1], [1, 1, 0, 0]), {}),
    ((151, [0, 0.2, 0.2, 0.5, 0.5, 1], [0, 0, 1, 0.5, 2, 2]), {}),
    ((5, [0, 0.5, 1], [0, 1, 0]), {"antisymmetric": True}),
    ((64, [0, 0.5, 1], [0, 1, 1]), {"antisymmetric": True}),
    ((5, [0, 0.5, 1], [1, 1, 0]), {"nfreqs": 6}),
    ((55, [0, 0.5, 1], [1, 1, 0]), {"nfreqs": 1000}),
    ((5, [0, 0.5, 1], [1, 1, 0]), {"window": None}),
    ((55, [0, 5, 10], [1, 1, 0]), {"fs": 20, "window": ("kaiser", 3.0)}),
    ((1, [0, 0.5, 1], [1, 1, 0]), {}),
    ((2, [0, 1], [1, 0]), {}),
]


@pytest.mark.parametrize(("args", "kwargs"), FIRWIN2)
def test_firwin2(args, kwargs):
    agree(ours.firwin2(*args, **kwargs), theirs.firwin2(*args, **kwargs))
    numtaps, freq, gain = args
    made = ours.firwin2(numtaps, cp.array(freq), cp.array(gain), **kwargs)
    agree(made, theirs.firwin2(*args, **kwargs))


def test_firwin2_takes_cupy_s_positions():
    made = ours.firwin2(15, [0, 5, 10], [0, 1, 0], 33, "hann", 10, True)
    expected = theirs.firwin2(
        15, [0, 5, 10], [0, 1, 0], nfreqs=33, window="hann", antisymmetric=True, fs=20
    )
    agree(made, expected)
    with pytest.raises(ValueError, match="not be passed both"):
        ours.firwin2(15, [0, 5, 10], [0, 1, 0], nyq=10, fs=20)


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        *(((4, [0, 0.5, 1], [1, 1, 1]), {}), ((5, [0, 0.6, 0.5, 1], [1, 1, 0, 0]), {})),
        ((5, [0, 0.5, 1], [0, 1, 1]), {"antisymmetric": True}),
        ((4, [0, 0.5, 1], [1, 1, 1]), {"antisymmetric": True}),
        ((5, [0, 0.5, 0.5, 0.5, 1], [1, 1, 0.5, 0, 0]), {}),
        *(((5, [0.1, 0.6, 1], [1, 1, 0]), {}), ((5, [0, 0.6, 0.9], [1, 1, 0]), {})),
        *(((5, [0, 0.6, 1], [1, 0]), {}), ((5, [0, 0, 1], [1, 1, 0]), {})),
        *(((5, [0, 1, 1], [1, 1, 0]), {}), ((0, [0, 1], [1, 1]), {})),
        *(((5, [0, 0.5, 1], [1, 1, 0]), {"nfreqs": n}) for n in (3, 4, 5)),
        ((5, [0, 5, 10], [1, 1, 0]), {"fs": 2}),
    ],
)
def test_firwin2_refuses(args, kwargs):
    assert same_error(ours.firwin2, theirs.firwin2, *args, **kwargs)


@pytest.mark.parametrize("hsize", [(3, 4), (5, 5), (20, 21), (7, 3), [1, 6]])
def test_firwin_2d(hsize):
    windows = ("hann", "hamming"), ["hamming", ("kaiser", 5.0)]
    for window in windows:
        same("firwin_2d", hsize, window, fc=0.3)
        same("firwin_2d", hsize, window, fc=30, fs=100)
    if min(hsize) > 1:
        for window in ("hamming", ("kaiser", 5.0)):
            same("firwin_2d", hsize, window, fc=0.3, circular=True)


@pytest.mark.parametrize("options", [{"scale": True}, {"scale": False}])
def test_options_of_firwin_2d_are_those_of_firwin(options):
    """As SciPy's documentation says, but not what SciPy does."""
    options["pass_zero"] = "bandpass"
    made = ours.firwin_2d((5, 7), ("hann", "hamming"), fc=[0.3, 0.5], **options)
    rows = theirs.firwin(5, [0.3, 0.5], window="hann", **options)
    columns = theirs.firwin(7, [0.3, 0.5], window="hamming", **options)
    agree(made, np.outer(rows, columns))
    radius = theirs.firwin(56, [0.3, 0.5], window="hann", **options)
    made = ours.firwin_2d((7, 7), "hann", fc=[0.3, 0.5], circular=True, **options)
    assert float(made[3, 6]) == pytest.approx(radius[-1], abs=1e-15)
    assert float(made[3, 3]) == pytest.approx(radius[0], abs=1e-15)


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        *((((3, 4), "hann"), {"fc": 0.3}), (((3, 4), "hann"), {"circular": True})),
        *((((3, 4, 5), ("hann", "hann")), {"fc": 0.3}), ((3, ("hann",)), {"fc": 0.3})),
        *((((-3, 3), ("hann", "hann")), {"fc": 0.3}),),
        *((((3, 4), ("hann", "hann", "hann")), {"fc": 0.3}),),
        *((((3, 4), ("hann", "foo")), {"fc": 0.3}),),
        *((((3, 4), ("hann", "hann")), {"fc": 1.3}),),
    ],
)
def test_firwin_2d_refuses(args, kwargs):
    assert same_error(ours.firwin_2d, theirs.firwin_2d, *args, **kwargs)


def test_firwin_2d_without_a_cutoff():
    with pytest.raises(ValueError, match="fc"):
        ours.firwin_2d((3, 4), ("hann", "hann"))


def test_messages_have_the_numbers():
    with pytest.raises(ValueError, match=r"\[0.5, 0.3\]"):
        ours.firwin(5, [0.5, 0.3])
    with pytest.raises(ValueError, match=r"\(3,\) and \(2,\)"):
        ours.firwin2(5, [0, 0.5, 1], [1, 0])
    with pytest.raises(ValueError, match="is 5, and nfreqs is 4"):
        ours.firwin2(5, [0, 0.5, 1], [1, 1, 0], nfreqs=4)
