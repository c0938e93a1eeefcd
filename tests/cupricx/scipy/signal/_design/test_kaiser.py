"""Kaiser's formulas against scipy.signal."""

import pytest

import cupricx.scipy.signal as ours

from .comparing import same_error

theirs = pytest.importorskip("scipy.signal")


@pytest.mark.parametrize("a", [-5, 0, 10, 20.9, 21, 30.0, 50, 50.1, 120])
def test_kaiser_beta(a):
    assert ours.kaiser_beta(a) == pytest.approx(theirs.kaiser_beta(a), rel=1e-14)


@pytest.mark.parametrize(("numtaps", "width"), [(1, 0.1), (100, 0.1), (1001, 0.003)])
def test_kaiser_atten(numtaps, width):
    expected = theirs.kaiser_atten(numtaps, width)
    assert ours.kaiser_atten(numtaps, width) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("ripple", [8, 20, 60, -60, -60.5, 150.0])
@pytest.mark.parametrize("width", [0.5, 0.1, 0.003])
def test_kaiserord(ripple, width):
    numtaps, beta = ours.kaiserord(ripple, width)
    expected = theirs.kaiserord(ripple, width)
    assert type(numtaps) is int
    assert numtaps == expected[0]
    assert beta == pytest.approx(expected[1], rel=1e-14)


@pytest.mark.parametrize("args", [(5, 0.1), (7.9, 0.1), (60, 0)])
def test_kaiserord_refuses(args):
    assert same_error(ours.kaiserord, theirs.kaiserord, *args)
