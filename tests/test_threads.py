"""Several Python threads at work: each gets its own right answers."""

import multiprocessing
import random
import sys
import threading

import numpy as np
import pytest

import cupric as cp

from .fuzz import examples


def work(seed, rounds, failures):
    rng = np.random.default_rng(seed)
    try:
        for _ in range(rounds):
            n = int(rng.integers(1, 200_000))
            a = rng.random(n).astype("f")
            x = cp.asarray(a)
            y = (x * 2 + 1)[::-1]
            np.testing.assert_allclose(y.get(), (a * 2 + 1)[::-1], rtol=1e-6)
            np.testing.assert_allclose(float(x.sum()), a.sum(dtype="d"), rtol=1e-4)
            assert int(x.argmax()) == a.argmax()
            np.testing.assert_array_equal(cp.sort(x).get(), np.sort(a))
            np.testing.assert_array_equal(x[x > 0.5].get(), a[a > 0.5])
            x[::3] = seed
            assert float(x[0]) == seed
    except BaseException as error:
        failures.append(error)
        raise


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_many_threads():
    failures = []
    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [
            threading.Thread(target=work, args=(seed, 30, failures))
            for seed in range(8)
        ]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    finally:
        sys.setswitchinterval(old)
    assert failures == []


def program(seed, rounds, stream):
    """The bytes of what a stream of mixed operations on changing sizes gives."""
    rng, draw = np.random.default_rng(seed), cp.random.default_rng(seed)
    results, there = [], []
    with stream:
        for _ in range(rounds):
            n = int(rng.integers(1, 300_000))
            x = cp.asarray(rng.random(n).astype("f"))
            y = (draw.random(n, dtype=np.float32) + x)[::-1]
            whole = cp.asarray(rng.integers(0, 9, (33, 65)).astype("f"))
            there += [
                y + x * 2,
                cp.where(x > 0.5, x, y).sum(),
                y.cumsum(),
                x[x > 0.5],
                cp.sort(y)[: n // 2],
                cp.convolve(x, y[:5]),
                y.astype("d").std(),
                whole @ whole.T,
                cp.concatenate([x, y]).reshape(2, n).max(0),
                x.take(cp.argsort(y)),
            ]
            x *= 0  # the memory goes back to the pool with work under way
            del x, y, whole
            if len(there) > 40:
                results += [a.get().tobytes() for a in there]
                there.clear()
        return results + [a.get().tobytes() for a in there]


@pytest.mark.parametrize("flags", [{}, {"non_blocking": True}, {"ptds": True}])
def test_two_threads_and_two_streams(flags):
    """Each gets, bit for bit, what it gets alone."""
    rounds, seeds = 12, (1, 2)
    alone = {seed: program(seed, rounds, cp.cuda.Stream.null) for seed in seeds}
    together, failures = {}, []

    def run(seed):
        try:
            together[seed] = program(seed, rounds, cp.cuda.Stream(**flags))
        except BaseException as error:
            failures.append(error)
            raise

    for _ in range(2):
        threads = [threading.Thread(target=run, args=(seed,)) for seed in seeds]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert failures == []
        for seed in seeds:
            same = [a == b for a, b in zip(together[seed], alone[seed], strict=True)]
            assert all(same), f"results {[i for i, s in enumerate(same) if not s]}"


def test_array_handed_to_another_stream():
    """Through an event; the memory it leaves is not written before it is read."""
    first, second = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
    sums = []
    for i in range(200):
        with first:
            x = cp.full(300_000, i, "i4")
            x += 1
            made = first.record()
        second.wait_event(made)
        with second:
            sums.append(x.sum())
            used = second.record()
        first.wait_event(used)
        del x
    second.synchronize()
    assert [int(s) for s in sums] == [300_000 * (i + 1) for i in range(200)]


def test_one_generator_for_many_threads():
    rng = cp.random.default_rng(5)
    drawn, lock = [], threading.Lock()

    def draw():
        for _ in range(50):
            x = rng.random(10).get()
            with lock:
                drawn.append(tuple(x))

    threads = [threading.Thread(target=draw) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    again = cp.random.default_rng(5)
    assert set(drawn) == {tuple(again.random(10).get()) for _ in range(400)}


def test_current_device_and_stream_belong_to_the_thread():
    stream = cp.cuda.Stream()
    seen = []
    with stream:
        t = threading.Thread(target=lambda: seen.append(cp.cuda.get_current_stream()))
        t.start()
        t.join()
        assert cp.cuda.get_current_stream() == stream
    assert seen == [cp.cuda.Stream.null]


def in_child(q):
    x = cp.arange(100_000.0)
    q.put(float((x * 2).sum()))


@pytest.mark.only_on("host")
def test_fork_after_use():
    x = cp.arange(100_000.0)
    expected = float((x * 2).sum())
    context = multiprocessing.get_context("fork")
    q = context.Queue()
    children = [context.Process(target=in_child, args=(q,)) for _ in range(3)]
    for c in children:
        c.start()
    results = [q.get(timeout=60) for _ in children]
    for c in children:
        c.join(60)
    assert results == [expected] * 3
    assert [c.exitcode for c in children] == [0, 0, 0]
    assert float((x * 2).sum()) == expected
    with context.Pool(2) as pool:
        assert pool.map(abs, range(4)) == [0, 1, 2, 3]


def storm(seed, lines, rounds, shared, expected, failures):
    """Random calls of the table: what only reads on arrays that all threads read, the
    rest on arrays of its own."""
    rng = random.Random(seed)
    for _ in range(rounds):
        line = rng.choice(lines)
        example = examples.every()[line]
        names = example.arrays() if example.writes else dict(shared[line])
        try:
            example.run(names)
            if example.contents(names) != expected[line]:
                failures.append(f"{line}: {example.call.source}")
        except Exception as error:
            failures.append(f"{line}: {error!r}")


@pytest.mark.filterwarnings("ignore")
def test_storm_of_every_call():
    lines = list(examples.every())
    shared, expected = {}, {}
    for line, example in examples.every().items():
        shared[line] = example.arrays()
        names = example.arrays()
        example.run(names)
        expected[line] = example.contents(names)
    failures = []
    threads = [
        threading.Thread(
            target=storm, args=(seed, lines, 400, shared, expected, failures)
        )
        for seed in range(8)
    ]
    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    finally:
        sys.setswitchinterval(old)
    assert failures == []
