"""Bit generators and states: seeds, spawned and jumped streams, saving, pickling."""

import copy
import pickle

import numpy as np
import pytest

import cupric as cp

KINDS = [cp.random.Philox4x3210, cp.random.XORWOW, cp.random.MRG32k3a]


def words(bits, n=50):
    return bits.random_raw(n).get()


@pytest.mark.parametrize("kind", KINDS)
def test_seeds(kind):
    sequence = np.random.SeedSequence(7)
    bits = kind(sequence)
    assert bits.seed_seq is sequence
    assert kind(7).seed_seq.entropy == 7
    np.testing.assert_array_equal(words(bits), words(kind(7)))
    assert (words(kind(8)) != words(kind(7))).any()
    assert (words(kind()) != words(kind())).any()


LARGE_SEEDS = [
    2**64,
    2**100 + 3,
    2**200,
    [2**64, 3],
    [2**100],
    [],
    np.uint64(2**64 - 1),
]


@pytest.mark.parametrize("seed", LARGE_SEEDS, ids=str)
def test_seeds_of_any_size(seed):
    sequence = np.random.SeedSequence(seed)
    expected = words(cp.random.Philox4x3210(sequence))
    for kind in KINDS:
        np.testing.assert_array_equal(words(kind(seed)), expected)
    rng = cp.random.default_rng(seed)
    np.testing.assert_array_equal(words(rng.bit_generator), expected)
    first = cp.random.RandomState(seed).random_sample(3).get()
    cp.random.seed(seed)
    np.testing.assert_array_equal(cp.random.random_sample(3).get(), first)
    assert (words(cp.random.Philox4x3210(5)) != expected).any()


def test_the_entropy_of_a_sequence_is_a_seed():
    entropy = np.random.SeedSequence().entropy
    a, b = (cp.random.default_rng(entropy).random(3).get() for _ in range(2))
    np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("seed", [-1, [1, -(2**70)], np.int64(-3)], ids=str)
def test_negative_seeds(seed):
    with pytest.raises(ValueError, match="non-negative"):
        cp.random.default_rng(seed)


@pytest.mark.parametrize("seed", ["5", 1.5, [1, 2.5], 1j, [None], {}], ids=str)
def test_what_is_no_seed(seed):
    with pytest.raises(TypeError, match="expects int or sequence of ints"):
        cp.random.default_rng(seed)


def test_spawn():
    rng = cp.random.default_rng(7)
    children = rng.bit_generator.spawn(3)
    expected = np.random.SeedSequence(7).spawn(3)
    assert [c.seed_seq.spawn_key for c in children] == [e.spawn_key for e in expected]
    streams = [words(b).tolist() for b in (rng.bit_generator, *children)]
    assert len({tuple(s) for s in streams}) == 4
    again = cp.random.default_rng(7).spawn(3)
    for a, b in zip(again, streams[1:], strict=True):
        assert words(a.bit_generator).tolist() == b


def test_jumped():
    bits = cp.random.Philox4x3210(7)
    words(bits)
    before = bits.state
    one, two = bits.jumped(), bits.jumped(2)
    assert bits.state == before
    assert type(one) is type(bits)
    assert one.state["state"]["counter"] == 1 + 2**40
    assert two.state == one.jumped().state
    assert one.state["state"]["key"] == before["state"]["key"]
    assert bits.jumped(2**24).state == before  # all the way round
    assert two.jumped(-2).state == before
    assert (words(one) != words(bits)).any()


def test_the_counter_begins_again():
    bits = cp.random.Philox4x3210(7)
    state = bits.state
    state["state"]["counter"] = 2**64 - 1
    bits.state = state
    rng = cp.random.Generator(bits)
    assert rng.poisson(3, 5).shape == (5,)
    assert bits.state["state"]["counter"] == 0


DRAWS = {
    "random": lambda g: g.standard_normal(9),
    "gamma": lambda g: g.gamma(2.0, size=9),
    "poisson": lambda g: g.poisson(20, 9),
    "choice": lambda g: g.choice(10**6, 9, replace=False),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_copies_go_on_alike(draw, copied):
    for made in (cp.random.default_rng(5), cp.random.RandomState(5)):
        draw(made)
        other = copied(made)
        first = draw(made).get()
        np.testing.assert_array_equal(first, draw(other).get())
        assert (draw(made).get() != first).any()


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_states_can_be_gone_back_to(draw):
    rng = cp.random.default_rng(5)
    saved = rng.bit_generator.state
    first = draw(rng).get()
    rng.bit_generator.state = saved
    np.testing.assert_array_equal(draw(rng).get(), first)
    rs = cp.random.RandomState(5)
    saved = rs.get_state()
    first = draw(rs).get()
    rs.set_state(saved)
    np.testing.assert_array_equal(draw(rs).get(), first)
    with pytest.raises(ValueError, match="Philox4x3210"):
        rng.bit_generator.state = {"bit_generator": "MT19937", "state": {}}


def test_reset_states():
    before = cp.random.get_random_state()
    cp.random.seed(3)
    first = cp.random.gamma(2.0, size=5).get()
    cp.random.reset_states()
    assert cp.random.get_random_state() is not before
    assert (cp.random.gamma(2.0, size=5).get() != first).all()
    cp.random.set_random_state(cp.random.RandomState(3))
    np.testing.assert_array_equal(cp.random.gamma(2.0, size=5).get(), first)
    cp.random.reset_states()
