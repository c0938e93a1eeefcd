"""Struve and Kelvin functions: limits, identities, zeros."""

import mpmath as mp
import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

KELVIN = ("ber", "bei", "ker", "kei", "berp", "beip", "kerp", "keip")


def values(name, *arguments):
    arrays = [cp.asarray(np.asarray(a, float)) for a in arguments]
    return cp.asnumpy(getattr(special, name)(*arrays))


def test_struve_at_zero():
    orders = [0, 1, -0.5, -1, -1.25, -1.75]
    want = [0, 0, 0, 2 / np.pi, np.inf, -np.inf]
    for name in ("struve", "modstruve"):
        np.testing.assert_allclose(values(name, orders, np.zeros(6)), want, rtol=1e-15)


def test_struve_left_of_zero():
    x = np.array([0.5, 3.0, 20.0])
    for name in ("struve", "modstruve"):
        for order, sign in ((0, -1), (1, 1), (2, -1), (-3, 1)):
            got = values(name, np.full(3, order), -x)
            assert (got == sign * values(name, np.full(3, order), x)).all()
        assert np.isnan(values(name, [0.5], [-1.0])).all()


@pytest.mark.parametrize("x", [0.5, 3.0, 4.5, 15.0, 39.0, 45.0, 120.0])
def test_struve_of_any_order(x):
    orders = np.array([-9.3, -4.75, -2.5, -1, -0.3, 0, 0.7, 3, 3.9, 12, 44.5, 101.25])
    for name, exact in (("struve", mp.struveh), ("modstruve", mp.struvel)):
        got = values(name, orders, np.full(orders.size, x))
        with mp.workdps(60):
            want = [float(exact(mp.mpf(float(v)), mp.mpf(x))) for v in orders]
            other = [float(mp.bessely(mp.mpf(float(v)), mp.mpf(x))) for v in orders]
        # where H is a wave, its error is beside the wave's size
        waves = (name == "struve") & (abs(orders) < x)
        size = np.where(waves, np.hypot(want, other), np.abs(want))
        assert (abs(got - want) <= 2e-13 * size).all(), (name, got, want)


def test_half_odd_orders_are_bessel_functions():
    x = np.linspace(0.1, 30, 50)
    got = values("struve", np.full(50, -0.5), x)
    np.testing.assert_allclose(got, np.sqrt(2 / np.pi / x) * np.sin(x), atol=2e-16)


def test_kelvin_is_its_parts():
    x = cp.linspace(0.1, 30, 70)
    found = special.kelvin(x)
    for k, z in enumerate(found):
        names = (("ber", "bei"), ("ker", "kei"), ("berp", "beip"), ("kerp", "keip"))[k]
        assert z.dtype == "D"
        for name, part in zip(names, (z.real, z.imag), strict=True):
            assert (getattr(special, name)(x) == part).all()


def test_kelvin_ends():
    even = values("ber", [-3.0, -12.0]), values("bei", [-3.0, -12.0])
    assert (even[0] == values("ber", [3.0, 12.0])).all()
    assert (even[1] == values("bei", [3.0, 12.0])).all()
    assert values("ber", [0])[0] == 1
    assert values("ker", [0, np.inf]).tolist() == [np.inf, 0]
    assert values("kerp", [0, np.inf]).tolist() == [-np.inf, 0]
    assert values("kei", [0])[0] == -np.pi / 4
    assert values("keip", [0])[0] == 0
    for name in KELVIN[2:4] + KELVIN[6:]:
        assert np.isnan(values(name, [-1, np.nan])).all()


@pytest.mark.parametrize("name", KELVIN)
def test_kelvin_where_it_overflows(name):
    """Infinite, or 0, with the sign that it has."""
    x = np.array([1050.0, 1099.5, 1101.0, 2500.0, 1e4, 123456.75])
    turn = mp.expjpi(mp.mpf(1) / 4)
    part = mp.re if "er" in name else mp.im
    want = []
    for number in x:
        # the first term of the expansion, but for a positive factor
        decays = name[0] == "k"
        power = number / mp.sqrt(2) * (-1j if decays else 1j)
        slope = 1 if name[-1] != "p" else -turn if decays else turn
        with mp.workdps(40):
            want.append(float(mp.sign(part(mp.exp(power) / mp.sqrt(turn) * slope))))
    got = values(name, x)
    assert (np.copysign(1, got) == want).all()
    assert (got[1:] == 0).all() if name[0] == "k" else np.isinf(got).all()


@pytest.mark.parametrize("name", KELVIN)
def test_kelvin_zeros(name):
    got = cp.asnumpy(getattr(special, f"{name}_zeros")(20))
    want = getattr(theirs, f"{name}_zeros")(20)
    np.testing.assert_allclose(got, want, rtol=1e-9)
    below, above = (values(name, got * (1 + d)) for d in (-1e-14, 1e-14))
    assert (below * above < 0).all()


def test_all_kelvin_zeros():
    found = special.kelvin_zeros(3)
    for name, zeros in zip(KELVIN, found, strict=True):
        assert (zeros == getattr(special, f"{name}_zeros")(3)).all()
    for wrong in (0, -2, 2.5):
        with pytest.raises(ValueError, match="nt must be"):
            special.kelvin_zeros(wrong)
