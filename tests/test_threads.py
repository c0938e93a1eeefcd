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


SHAPES = [(300, 200), (200, 300), (60000,), (60000, 1), (6, 5, 4, 5, 4, 5, 5)]

# What reads an array while another thread sets its shape: in NumPy, for each shape.
READERS = {
    "sort": (lambda x: cp.sort(x), lambda a: np.sort(a)),
    "fft": (lambda x: cp.fft.fft(x), lambda a: np.fft.fft(a)),
    "astype": (lambda x: x.astype("i8"), lambda a: a.astype("i8")),
    "astype, order": (lambda x: x.astype("f8", order="F"), lambda a: a.astype("f8")),
    "partition": (lambda x: cp.partition(x, 0), None),
    "sum": (lambda x: x.sum(0), lambda a: a.sum(0)),
    "cumsum": (lambda x: x.cumsum(-1), lambda a: a.cumsum(-1)),
    "argsort": (lambda x: x.argsort(-1), lambda a: a.argsort(-1, kind="stable")),
    "copy of a transpose": (lambda x: x.T.copy(), lambda a: a.T),
    "x + 1": (lambda x: x + 1, lambda a: a + 1),
    "clip": (lambda x: x.clip(1, 7), lambda a: a.clip(1, 7)),
    "get": (lambda x: x.get(), lambda a: a),
    "concatenate": (lambda x: cp.concatenate([x]), lambda a: a),
    "take": (lambda x: x.take([0], -1), lambda a: a.take([0], -1)),
}


def while_shape_is_set(x, reads, rounds):
    """What each of `rounds` calls returns, while another thread sets x.shape."""
    done = threading.Event()

    def set_shapes():
        while not done.is_set():
            for shape in SHAPES:
                x.shape = shape

    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    t = threading.Thread(target=set_shapes)
    t.start()
    try:
        return [reads(x) for _ in range(rounds)]
    finally:
        done.set()
        t.join()
        sys.setswitchinterval(old)


@pytest.mark.parametrize("name", READERS)
def test_reader_keeps_the_shape_it_began_with(name):
    reads, in_numpy = READERS[name]
    a = np.random.default_rng(1).integers(0, 9, 60000).astype("f4")
    results = while_shape_is_set(cp.asarray(a), reads, 200)
    if in_numpy is None:
        assert {r.shape for r in results} <= set(SHAPES)
        return
    expected = [in_numpy(a.reshape(shape)) for shape in SHAPES]
    for r in results:
        assert any(
            r.shape == e.shape and np.allclose(cp.asnumpy(r), e, rtol=1e-4, atol=0.05)
            for e in expected
        )


@pytest.mark.parametrize("call", ["x += 1", "x.sort()", "x.partition(0)", "x.fill(3)"])
def test_writer_keeps_the_shape_it_began_with(call):
    a = np.random.default_rng(1).integers(0, 9, 60000).astype("f4")
    x = cp.asarray(a)
    while_shape_is_set(x, lambda x: exec(call, {"x": x}), 40)
    after = {"x += 1": a + 40, "x.fill(3)": np.full_like(a, 3)}.get(call, a)
    np.testing.assert_array_equal(np.sort(x.get().ravel()), np.sort(after))


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
