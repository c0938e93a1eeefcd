"""Warnings of designs are SciPy's, and name the line of the call."""

import warnings
from pathlib import Path

import pytest

import cupricx.scipy.signal as ours

theirs = pytest.importorskip("scipy.signal")

CALLS = [
    *((n, ([0, 1], [1, 1])) for n in ("lp2lp", "lp2hp", "lp2bp", "lp2bs", "bilinear")),
    *((n, ([1, 0], [1, 1])) for n in ("lp2lp", "lp2hp", "lp2bp", "lp2bs", "bilinear")),
    *(("tf2sos", ([0, 1], [1, 1])), ("tf2zpk", ([0, 1], [1, 1]))),
    *(("sos2zpk", ([[0, 1, 0, 1, 1, 0]],)), ("sos2tf", ([[0, 1, 0, 1, 1, 0]],))),
    *(("butter", (20, 0.001)), ("butter", (20, 1e-6)), ("freqz", ([0, 0], [1, 1]))),
    *(("lp2lp", ([1e-20, 1], [1, 1])), ("lp2lp", ([1, 1], [1, 1], 1e20))),
    *(("lp2bp", ([1], [1, 1], 1e8, 1e-8)), ("normalize", ([1e-14, 1], [1, 1]))),
    *(("residue", ([1], [1, 1])), ("iirdesign", (0.2, 0.3, 1, 1))),
    *(("iirdesign", (0.2, 0.3, 1, 1, False, "butter")), ("buttord", (0.2, 0.3, 1, 1))),
    *(("gammatone", (0.3, "iir", 3)), ("gammatone", (0.3, "iir", None, 3))),
    ("firls", (51, [0, 0.1], [1, 1])),
]


def said(function, args):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*args)
    return caught


@pytest.mark.parametrize(("name", "args"), CALLS)
def test_warnings(name, args):
    made, expected = said(getattr(ours, name), args), said(getattr(theirs, name), args)
    assert [(w.category.__name__, str(w.message)) for w in made] == [
        (w.category.__name__, str(w.message)) for w in expected
    ]


@pytest.mark.parametrize("name", ["normalize", "buttord", "gammatone"])
def test_the_line_of_the_call(name):
    args = dict(CALLS)[name]
    for warning in said(getattr(ours, name), args):
        assert Path(warning.filename) == Path(__file__)
