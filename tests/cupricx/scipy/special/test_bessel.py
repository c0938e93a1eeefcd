"""Bessel functions of real arguments beside their exact values, where SciPy's are not
exact: near zeros, far away, of small and of large orders; and what is not a number."""

import mpmath as mp
import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import special

EPS = np.finfo(float).eps
FIRST = {"j0": mp.besseljzero, "j1": mp.besseljzero}
SECOND = {"y0": mp.besselyzero, "y1": mp.besselyzero}


def values(name, *arguments):
    arrays = [cp.asarray(np.asarray(a, float)) for a in arguments]
    return cp.asnumpy(getattr(special, name)(*arrays))


def exact(f, *arguments):
    with mp.workdps(40):
        return np.array(
            [float(f(*map(mp.mpf, map(float, point)))) for point in zip(*arguments)]
        )


@pytest.mark.parametrize("name", ["j0", "j1", "y0", "y1"])
def test_beside_a_zero_what_is_left_is_exact(name):
    zero = {**FIRST, **SECOND}[name]
    function = mp.besselj if name[0] == "j" else mp.bessely
    order = int(name[1])
    at = np.array([float(zero(order, k)) for k in (1, 2, 3, 4, 7, 30, 1000)])
    # SciPy's value here has hardly a digit
    x = np.concatenate([at, at * (1 + 1e-9), at * (1 - 1e-6)])
    want = exact(lambda x: function(order, x), x)
    got = values(name, x)
    away = np.concatenate([np.full(7, 0.05), np.full(7, 1e-7), np.full(7, 1e-9)])
    assert (abs(got / want - 1) <= np.maximum(away, 4 * EPS)).all()


@pytest.mark.parametrize("name", ["j0", "j1", "y0", "y1"])
def test_far_away_the_phase_is_exact(name):
    function = mp.besselj if name[0] == "j" else mp.bessely
    x = np.array([1e3, 1e6, 123456789.0, 1e10, 1e15, 1e22])
    want = exact(lambda x: function(int(name[1]), x), x)
    assert (abs(values(name, x) - want) <= 2 * EPS * np.sqrt(2 / np.pi / x)).all()


def test_at_the_ends():
    far = [np.inf, -np.inf]
    assert values("j0", [0, *far]).tolist() == [1, 0, 0]
    assert values("j1", [0, *far]).tolist() == [0, 0, 0]
    assert np.signbit(values("j1", [-0.0])).all()
    for name in ("y0", "y1"):
        assert values(name, [0, np.inf]).tolist() == [-np.inf, 0]
        assert np.isnan(values(name, [-1, -np.inf, np.nan])).all()
    for name in ("k0", "k1", "k0e", "k1e"):
        assert values(name, [0, np.inf]).tolist() == [np.inf, 0]
        assert np.isnan(values(name, [-1, -np.inf, np.nan])).all()
    assert values("i1", [*far, -0.0]).tolist() == [np.inf, -np.inf, 0]
    assert values("i0e", far).tolist() == values("i1e", far).tolist() == [0, 0]
    # where exp(-x) is not a normal number
    assert values("k0", [720.0, 740.0]) == pytest.approx(
        exact(lambda x: mp.besselk(0, x), [720.0, 740.0]), rel=0, abs=1e-323
    )


ORDERS = [0, 1, 2, 3, 5, 10, 19, 20, 21, 40, 100, -1, -2, -7]


@pytest.mark.parametrize("n", ORDERS)
def test_second_kind_of_whole_order(n):
    x = np.array([1e-3, 0.1, 0.7, 1.99, 2, 3.7, 8, 12, 20, 29.9, 30, 31, 45, 99, 1e3])
    want = exact(lambda x: mp.bessely(n, x), x)
    other = exact(lambda x: mp.besselj(n, x), x)
    got = values("yn", np.full(x.size, n), x)
    size = np.where(x > abs(n), np.hypot(want, other), abs(want))
    assert (abs(got - want) <= 1e-13 * size).all()
    want = exact(lambda x: mp.besselk(n, x), x)
    got = values("kn", np.full(x.size, n), x)
    normal = want > 1e-300
    assert (abs(got - want)[normal] <= 1e-13 * want[normal]).all()
    assert (got[~normal] < 1e-300).all()


def test_order_is_whole():
    x = cp.array([0.5, 1.5, 30.0])
    for f in (special.yn, special.kn):
        assert (f(2.9, x) == f(2, x)).all()
        assert (f(-2.9, x) == f(-2, x)).all()
    assert (special.kn(3, x) == special.kn(-3, x)).all()
    assert (special.yn(-3, x) == -special.yn(3, x)).all()
    assert special.yn(2, cp.float32(1)).dtype == "d"
    assert special.yn(cp.float32(2), cp.float32(1)).dtype == "f"


def test_wronskian():
    n = cp.arange(1, 60)[:, None]
    x = cp.linspace(0.5, 80, 160)
    k, up = special.kn(n, x), special.kn(n + 1, x)
    down = special.kn(n - 1, x)
    cp.testing.assert_allclose(up, down + 2 * n / x * k, rtol=2e-13)
