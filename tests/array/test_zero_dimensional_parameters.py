"""NumPy's arrays of no dimensions where a number is expected."""

import numpy as np
import pytest

import cupric as cp

CALLS = [
    lambda x, n: x.zeros(n),
    lambda x, n: x.ones(n, "i"),
    lambda x, n: x.full(n, 1.5),
    lambda x, n: x.zeros((n, 2)),
    lambda x, n: x.zeros_like(x.ones(2), shape=n),
    lambda x, n: x.arange(3).reshape(n),
    lambda x, n: x.reshape(x.arange(6), (n, -1)),
    lambda x, n: x.broadcast_to(x.asarray(1), n),
    lambda x, n: x.resize(x.arange(2), (n, n)),
    lambda x, n: x.tile(x.arange(2), n),
    lambda x, n: x.repeat(x.arange(2), n),
    lambda x, n: x.arange(2).repeat(n),
    lambda x, n: x.roll(x.arange(5), n),
    lambda x, n: x.eye(n),
    lambda x, n: x.split(x.arange(6), n)[1],
    lambda x, n: x.linspace(0, 1, n),
    lambda x, n: x.indices((n, n)),
    lambda x, n: x.sum(x.ones((1, 1, 1, 2)), axis=n),
    lambda x, n: x.mgrid[0:n, 0 : n * 1.0 : 2j],
    lambda x, n: x.ogrid[:n],
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("dtype", ["l", "B"])
def test_a_length_or_a_count(call, dtype):
    n = np.array(3, dtype)
    np.testing.assert_array_equal(call(cp, n).get(), call(np, n), strict=True)


def test_numbers_of_a_device_in_a_grid():
    n = cp.array(3)
    assert cp.mgrid[0:n].tolist() == [0, 1, 2]
    assert cp.mgrid[cp.array(1) : n, 0 : n * 1.0 : 2j].shape == (2, 2, 2)


def test_a_float_is_no_length():
    with pytest.raises(TypeError, match="integer"):
        cp.zeros(np.array(3.0))


@pytest.mark.parametrize("where", [4, 0, 2.5, 0.0, 1j, np.int64(4), np.float32(0)])
def test_a_number_as_a_mask(where):
    for x in (np, cp):
        out = x.zeros(2)
        x.copyto(out, 3, where=where)
        assert out.tolist() == [3.0 if where else 0.0] * 2
        out = x.zeros(2)
        x.add(x.ones(2), 1, out=out, where=where)
        assert out.tolist() == [2.0 if where else 0.0] * 2
    assert float(cp.ones(3).sum(where=where)) == (3 if where else 0)


def test_products_of_small_integers_do_not_overflow():
    n = np.uint8(20)
    assert cp.resize(cp.arange(3), (n, n)).shape == (20, 20)
    assert cp.resize(cp.arange(3), np.array(2, "B")).tolist() == [0, 1]
    places = cp.unravel_index(cp.array([399]), (n, n))
    assert [int(p[0]) for p in places] == [19, 19]
    assert cp.ravel_multi_index(places, (n, n)).tolist() == [399]
