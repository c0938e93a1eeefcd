"""Lengths and byte counts that overflow: errors, never a wrong length."""

import numpy as np
import pytest

import cupric as cp

HUGE = 1 << 62


def stretched(length=HUGE, dtype="b", value=0):
    return cp.broadcast_to(cp.full(1, value, dtype), length)


@pytest.mark.parametrize(
    "join",
    [
        lambda a: cp.concatenate([cp.ones(5, "b"), *a]),
        lambda a: cp.concatenate(a),
        lambda a: cp.concatenate(a, axis=None),
        lambda a: cp.concatenate([x.reshape(1 << 31, -1) for x in a], axis=None),
        lambda a: cp.concatenate([x[None] for x in a], axis=1),
        lambda a: cp.concatenate([cp.ones(5, "b"), *a], out=cp.zeros(5, "b")),
        cp.hstack,
        cp.block,
    ],
)
def test_joined_lengths(join):
    with pytest.raises(ValueError, match="too long together"):
        join([stretched()] * 4)


@pytest.mark.parametrize("counts", [[HUGE] * 4, [HUGE, HUGE, 0, 1], [1 << 60, 0, 0, 0]])
def test_repeats(counts):
    with pytest.raises(ValueError, match="too big"):
        cp.repeat(cp.zeros(4, "b"), counts)


def test_broadcast_bytes():
    with pytest.raises(ValueError, match="too big"):
        cp.broadcast_to(cp.zeros(1), HUGE)
    with pytest.raises(ValueError, match="too big"):
        cp.broadcast_to(cp.zeros(1, "b"), (1 << 40, 1 << 40))
    assert stretched().nbytes == HUGE


def test_reshape_of_nothing():
    with pytest.raises(ValueError, match="too big"):
        cp.zeros(0).reshape(0, HUGE)


def test_assignment_at_stretched_indices():
    z = cp.zeros(3)
    z[stretched(1 << 59, "l", 1)] = 1
    assert z.tolist() == [0, 1, 0]
    z[stretched(1 << 59, "l", 2)] = cp.broadcast_to(cp.full(1, 7.0), 1 << 59)
    assert z.tolist() == [0, 1, 7]
    cp.put(z, stretched(1 << 59, "l"), 5)
    assert z.tolist() == [5, 1, 7]


def test_assignment_at_more_places_than_a_count_holds():
    z = cp.zeros((3, 3))
    rows, columns = stretched((1 << 40, 1), "l", 1), stretched((1, 1 << 40), "l", 2)
    z[rows, columns] = 4
    expected = np.zeros((3, 3))
    expected[1, 2] = 4
    assert z.tolist() == expected.tolist()
    z[cp.arange(3)[:, None], columns] = cp.arange(3.0)[:, None]
    expected[:, 2] = np.arange(3)
    assert z.tolist() == expected.tolist()
    with pytest.raises(ValueError, match="too big"):
        z[rows, columns]


@pytest.mark.parametrize("dims", [(HUGE, HUGE), (1 << 32, 1 << 32)])
def test_ravel_multi_index(dims):
    one = cp.array([1])
    with pytest.raises(ValueError, match="invalid dims"):
        cp.ravel_multi_index((one, one), dims)


@pytest.mark.parametrize("k", [(1 << 63) - 1, 1 << 62, -(1 << 62)])
def test_diagonals_far_away(k):
    assert cp.tri(3, 4, k).tolist() == np.tri(3, 4, k).tolist()
    a = np.ones((3, 4))
    assert cp.tril(cp.array(a), k).tolist() == np.tril(a, k).tolist()
    assert cp.triu(cp.array(a), k).tolist() == np.triu(a, k).tolist()
