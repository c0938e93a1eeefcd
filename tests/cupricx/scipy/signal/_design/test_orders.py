"""Orders of filters that have certain bands, against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import same_error

theirs = pytest.importorskip("scipy.signal")

NAMES = ["buttord", "cheb1ord", "cheb2ord", "ellipord"]
BANDS = [
    *((0.2, 0.3), (0.3, 0.2), ([0.2, 0.5], [0.1, 0.6]), ([0.1, 0.6], [0.2, 0.5])),
    *(([0.1, 0.6], [0.11, 0.5]), ([0.1, 0.6], [0.15, 0.25]), (0.01, 0.9)),
    *(([0.02, 0.9], [0.3, 0.31]), ([0.3, 0.31], [0.02, 0.9])),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("wp", "ws"), BANDS)
@pytest.mark.parametrize("analog", [False, True])
@pytest.mark.parametrize("loss", [(1, 40), (3, 60), (0.1, 30), (0.01, 140)])
def test_orders_and_frequencies(name, wp, ws, analog, loss):
    order, wn = getattr(ours, name)(wp, ws, *loss, analog)
    expected, expected_wn = getattr(theirs, name)(wp, ws, *loss, analog)
    assert type(order) is int
    if name == "ellipord" and loss[1] == 140 and np.ndim(wp) and wp[0] < ws[0]:
        assert order <= expected  # in SciPy's search digits cancel
        return
    assert order == expected
    # SciPy's search for the edges of a band-stop filter ends 1e-5 from the optimum.
    bound = 1e-12 if np.ndim(wp) == 0 or wp[0] > ws[0] else 1e-4
    if np.ndim(wp) == 0:
        assert isinstance(wn, float)
    else:
        assert isinstance(wn, cp.ndarray)
        wn = wn.get()
    np.testing.assert_allclose(wn, expected_wn, rtol=bound)


@pytest.mark.parametrize("name", NAMES)
def test_sampling_frequency(name):
    order, wn = getattr(ours, name)(10, 20, 1, 40, fs=100)
    expected = getattr(theirs, name)(10, 20, 1, 40, fs=100)
    assert (order, float(wn)) == pytest.approx(expected, rel=1e-12)
    order, wn = getattr(ours, name)(cp.array([20, 50.0]), [10, 60], 1, 40, fs=200)
    expected = getattr(theirs, name)([20, 50], [10, 60], 1, 40, fs=200)
    assert order == expected[0]
    np.testing.assert_allclose(wn.get(), expected[1], rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_edges_as_arrays_of_one(name):
    assert getattr(ours, name)([0.2], cp.array([0.3]), 1, 40) == pytest.approx(
        getattr(theirs, name)(0.2, 0.3, 1, 40)
    )


@pytest.mark.parametrize(("wp", "ws"), BANDS[3:6])
def test_stopbands_are_balanced(wp, ws):
    """No other passband within the one that is asked for needs a lower order."""
    N, wn = ours.cheb1ord(wp, ws, 1, 40, analog=True)
    low, high = wn.get()
    assert wp[0] * (1 - 1e-12) <= low < ws[0]
    assert ws[1] < high <= wp[1] * (1 + 1e-12)

    def order(edges):
        return theirs.band_stop_obj(
            edges[0], 0, np.array(edges), np.array(ws), 1, 40, "cheby"
        )

    for t in np.linspace(0, 0.99, 30):
        tried = [wp[0] + t * (ws[0] - wp[0]), high]
        assert order([low, high]) <= order(tried) * (1 + 1e-9)


def test_order_zero_warns():
    with pytest.warns(RuntimeWarning, match="Order is zero"):
        order, wn = ours.buttord(0.2, 0.3, 1, 1)
    assert (order, float(wn)) == (0, pytest.approx(0.2))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        *(((0.2, 0.3, -1, 40), {}), ((0.2, 0.3, 1, -40), {}), ((0.2, 0.3, 40, 1), {})),
        *(((10, 20, 1, 40), {"fs": 100, "analog": True}),),
        *(((10, 20, 1, 40), {"fs": [100, 2]}),),
    ],
)
def test_refusals(name, args, kwargs):
    assert same_error(getattr(ours, name), getattr(theirs, name), *args, **kwargs)


@pytest.mark.parametrize("name", NAMES)
def test_bands_that_do_not_fit(name):
    with pytest.raises(ValueError, match=r"\(\) and \(2,\)"):
        getattr(ours, name)(0.2, [0.2, 0.3], 1, 40)
    with pytest.raises(ValueError, match="wp and ws must differ"):
        getattr(ours, name)(0.2, 0.2, 1, 40)
    with pytest.raises(ValueError, match="are no bands of a filter"):
        getattr(ours, name)(0.2, 1.9, 1, 40)


@pytest.mark.parametrize("kind", ["butter", "cheby", "ellip"])
def test_band_stop_obj(kind):
    passb, stopb = np.array([0.1, 0.6]), np.array([0.2, 0.5])
    for wp, ind in ((0.15, 0), (0.55, 1), (0.19, 0)):
        made = ours.band_stop_obj(wp, ind, cp.array(passb), stopb, 1, 40, kind)
        expected = theirs.band_stop_obj(wp, ind, passb, stopb, 1, 40, kind)
        assert made == pytest.approx(float(expected), rel=1e-12)
    assert passb.tolist() == [0.1, 0.6]


def test_band_stop_obj_refuses():
    passb, stopb = np.array([0.1, 0.6]), np.array([0.2, 0.5])
    args = (0.15, 0, passb, stopb, 1, 40, "foo")
    assert same_error(ours.band_stop_obj, theirs.band_stop_obj, *args)
    args = (0.15, 2, passb, stopb, 1, 40, "ellip")
    assert same_error(ours.band_stop_obj, theirs.band_stop_obj, *args)
