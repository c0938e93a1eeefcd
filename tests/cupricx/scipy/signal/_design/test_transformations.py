"""Transformations of analog filters against scipy.signal."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.signal as ours

from .comparing import agree, same_error, same_roots

theirs = pytest.importorskip("scipy.signal")

FILTERS = [
    ([1], [1, 2, 1]),
    ([1, 2, 3], [2, 1]),
    ([1, 2], [1, 2, 1]),
    ([1.0, 2j], [2, 1]),
    (1, 2),
    ([0.5, 0, 0.25], [1.0, 0.5, 0.25, 0.125, 2]),
]
ONE = ("lp2lp", "lp2hp")
BAND = ("lp2bp", "lp2bs")


@pytest.mark.parametrize(("b", "a"), FILTERS)
def test_transfer_functions(b, a):
    for name in ONE:
        for args in ((), (3.0,), (0.25,)):
            agree(getattr(ours, name)(b, a, *args), getattr(theirs, name)(b, a, *args))
    for name in BAND:
        for args in ((), (3, 2), (0.5, 2.5)):
            agree(getattr(ours, name)(b, a, *args), getattr(theirs, name)(b, a, *args))
    for args in ((), (3.0,), (48000,)):
        agree(ours.bilinear(b, a, *args), theirs.bilinear(b, a, *args))


@pytest.mark.parametrize("order", [5, 12, 20])
@pytest.mark.parametrize("name", [*ONE, *BAND])
def test_transfer_functions_of_high_orders(order, name):
    b, a = theirs.cheby1(order, 1, 1, analog=True)
    args = (3.0, 2.0) if name in BAND else (3.0,)
    made = getattr(ours, name)(cp.array(b), cp.array(a), *args)
    agree(made, getattr(theirs, name)(b, a, *args), 1e-11)


@pytest.mark.parametrize("order", [5, 12, 20])
def test_bilinear_of_high_orders(order):
    b, a = theirs.butter(order, 1, analog=True)
    agree(ours.bilinear(b, a, 0.7), theirs.bilinear(b, a, 0.7), 1e-11)


def test_no_numerator():
    for name in ("lp2lp", "lp2hp", "lp2bp", "lp2bs"):
        b, a = getattr(ours, name)([], [1.0, 2])
        agree(a, getattr(theirs, name)([], [1.0, 2])[1])
        assert not b.any()
        with pytest.raises(ValueError, match="nonzero"):
            getattr(ours, name)([1.0], [])


def test_bilinear_leaves_out_leading_zeros():
    agree(
        ours.bilinear([0, 1, 2, 5], [1, 2], 3), theirs.bilinear([0, 1, 2, 5], [1, 2], 3)
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "args",
    [
        *(([1], [1, 2], 0), ([1], [1, 2], None), ([[1, 2]], [1, 2], 3)),
        *(([1], [[1, 2]], 3), ([1], [1, 2], [1, 2])),
    ],
)
def test_bilinear_refuses(args):
    assert same_error(ours.bilinear, theirs.bilinear, *args)


ROOTS = [
    ([], [-1.0, -2], 4.0),
    ([], [-1, -2 + 1j, -2 - 1j], 4),
    ([1], [-1, -3], 4.0),
    ([2j, -2j], [-1 + 1j, -1 - 1j, -0.5], 0.3),
    (1, [1, 2, 1], 4),
    ([], [], 2.0),
]


@pytest.mark.parametrize(("z", "p", "k"), ROOTS)
def test_zeros_and_poles(z, p, k):
    calls = [(f"{name}_zpk", args) for name in ONE for args in ((), (3.0,))]
    calls += [(f"{name}_zpk", args) for name in BAND for args in ((), (3, 2.5))]
    calls += [("bilinear_zpk", (3.0,)), ("bilinear_zpk", (1000,))]
    for name, args in calls:
        expected = getattr(theirs, name)(z, p, k, *args)
        for roots in ((z, p), (cp.array(z), cp.array(p))):
            made = getattr(ours, name)(*roots, k, *args)
            for m, e in zip(made[:2], expected[:2], strict=True):
                same_roots(m, e)
                assert m.dtype == e.dtype
            assert made[2] == pytest.approx(float(expected[2]), rel=1e-13)


@pytest.mark.parametrize("order", [20, 60, 101])
def test_gains_of_high_orders_do_not_overflow(order):
    z, p, k = theirs.cheb2ap(order, 40)
    for name in ("lp2hp_zpk", "lp2bs_zpk"):
        made = getattr(ours, name)(1e3 * z, 1e3 * p, 1.0)[2]
        assert made == pytest.approx(
            float(getattr(theirs, name)(z, p, 1.0)[2]) * (1e-3 if order % 2 else 1.0),
            rel=1e-10,
        )
    digital = ours.bilinear_zpk(1e5 * z, 1e5 * p, 1.0, 24e3)
    assert np.isfinite(digital[2])
    assert digital[0].size == digital[1].size == order


@pytest.mark.parametrize(
    "name", ["lp2lp_zpk", "lp2hp_zpk", "lp2bp_zpk", "lp2bs_zpk", "bilinear_zpk"]
)
def test_more_zeros_than_poles(name):
    args = ([1, 2, 3], [1, 2], 1.0, 2.0)
    message = same_error(getattr(ours, name), getattr(theirs, name), *args)
    assert "2 poles" in message
    assert "3 zeros" in message


def test_no_sampling_frequency():
    same_error(ours.bilinear_zpk, theirs.bilinear_zpk, [], [1.0], 1.0, None)
