"""Programs of large arrays: that they are drawn, and find what small ones cannot."""

import ctypes
import math
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from . import calls, compare, drawn, generate, large, replay, values, wide, workers
from .program import Program, Step
from .sides import Cupric, NumPy

SEED = 30_000


@pytest.fixture
def finder(device):
    return workers.Finder(device, large=True)


def row_of(name):
    rows = (row for family in calls.ROWS_LARGE.values() for row in family)
    return next(row for row in rows if row.name == name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", calls.ROWS_LARGE)
def test_every_line_succeeds_at_times(family):
    for row in calls.ROWS_LARGE[family]:
        for number in range(60):
            generator = generate.Large(0, number)
            generator.step(row)
            if generator.succeeded:
                break
        assert generator.succeeded, f"no call of {row.spec} succeeds in NumPy"


def test_arrays_are_large_and_of_every_proportion():
    shapes = [large.shape(generate.Large(0, k).rng) for k in range(2000)]
    sizes = np.sort([math.prod(shape) for shape in shapes])
    assert {len(shape) for shape in shapes} == {1, 2, 3, 4, 5}
    assert sizes[20] > large.FEWEST / 2
    assert sizes[-1] > 1_000_000
    assert np.median(sizes) < 100_000  # a call takes a millisecond
    for axis in (0, -1):
        assert {n for shape in shapes for n in [shape[axis]]} > set(range(1, 10))


def test_operands_lie_in_every_order():
    seen = set()
    for number in range(200):
        generator = generate.Large(SEED, number)
        x = generator.live[generator.new()]
        _, view = large.layout(generator, "a", x)
        if view is None or not view.size:
            continue
        seen.add("broadcast" if 0 in view.strides else "")
        seen.add("reversed" if min(view.strides, default=0) < 0 else "")
        flags = view.flags
        seen.add("C" if flags.c_contiguous else "F" if flags.f_contiguous else "steps")
        seen.add("copy" if view.flags.owndata else "view")
    assert seen >= {"broadcast", "reversed", "C", "F", "steps", "copy", "view"}


@pytest.mark.parametrize("kind", drawn.KINDS)
@pytest.mark.parametrize("dtype", [*values.CODES, values.BFLOAT16])
def test_values_are_the_same_wherever_they_are_drawn(dtype, kind):
    n = drawn.POOL + 5  # from the end, and from the beginning again
    x = drawn.drawn(dtype, (n,), drawn.POOL - 3, kind)
    assert x[3:].tobytes() == drawn.drawn(dtype, (2, n), 0, kind)[0, : n - 3].tobytes()
    assert x.dtype == dtype
    assert not x.flags.writeable


def test_programs(request, device):
    """With each number of threads, as `make fuzz LARGE=1` runs them."""
    for k in range(len(large.THREADS) if device == "host" else 1):
        command = [sys.executable, "-m", "tests.fuzz", "--large", "--seed", str(SEED)]
        start = k * large.STRETCH
        command += ["--device", device, "--start", str(start)]
        command += ["--programs", str(start + 12)]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            cwd=request.config.rootpath,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "12 programs of" in done.stdout


def test_all_numbers_of_threads_have_their_turn(monkeypatch):
    assert {large.threads(k) for k in range(10_000)} == {1, 2, 3, 7}
    programs = 5 * large.STRETCH
    options = SimpleNamespace(large=True, device="host", seconds=0, programs=programs)
    options.jobs = 1
    worker, parts = workers.Worker(options, 0, None), []
    while worker.next < programs:
        end, environment = worker._part()
        parts.append((worker.next, end, environment["CUPRIC_NUM_THREADS"]))
        worker.next = end
    assert [end - start for start, end, _ in parts] == [large.STRETCH] * 5
    assert [int(n) for *_, n in parts] == list(large.THREADS[:5])


class SplitWrong(Cupric):
    """A device whose threads divide rows that are copied whole."""

    def run(self, step):
        outcome = super().run(step)
        for x in outcome.values() if isinstance(outcome, dict) else ():
            if step.row and "copy(" in step.text and x.size > 1 << 15 and x.ndim > 2:
                x[..., -1] = x[..., 0]
        return outcome


def test_what_needs_threads_is_found_and_stays_large(finder):
    finder.sides = (NumPy, SplitWrong)
    for number in range(3000):
        program = generate.program(SEED, number, True)
        found = finder.run(program)
        if found and "copy(" in program.steps[found[0]].text:
            break
    short = finder.shrunk(program, *found)
    assert len(short.steps) <= 3
    assert finder.run(short)
    assert "drawn(" in "".join(step.source for step in short.steps)


@pytest.mark.parametrize("wrong", [0, 1])
@pytest.mark.parametrize("kind", ["tame", "spread"])
@pytest.mark.parametrize("dtype", ["e", "f", "F", values.BFLOAT16])
@pytest.mark.parametrize(
    ("name", "text"),
    [("sum", "xp.sum(a, axis=0)"), (".mean", "a.mean(axis=(0,))")],
)
def test_a_sum_that_lacks_an_element_is_found(finder, name, text, dtype, kind, wrong):
    """Within the bound that the order of all additions has."""

    class Lacks(Cupric):
        def run(self, step):
            if step.row and wrong:
                self.names["a"] = self.names["a"].copy()
                self.names["a"][7] = 64
            return super().run(step)

    finder.sides = (NumPy, Lacks)
    given = f"xp.array(drawn({values.name(np.dtype(dtype))}, (400, 99), 3, {kind!r}))"
    steps = [Step(given, "a"), Step(text, "b", row_of(name))]
    state = replay.Replay(*(side() for side in finder.sides), often=False)
    found = [state.step(step) for step in steps]
    assert found[0] is None
    assert (found[1] and found[1].kind) == ("values" if wrong else None)


def test_what_is_no_sum_of_floats_has_no_other_judge():
    names = {"a": np.ones(3, "f"), "i": np.ones(3, "l")}
    got = np.array(7, "f")
    row = row_of("sum")
    assert wide.difference(Step("xp.sum(a)", "b", row), {**names, "xp": np}, "b", got)
    for text in ("xp.sum(i)", "xp.sum(a, initial=2)", "xp.sum(a, where=a > 2)"):
        step = Step(text, "b", row)
        assert wide.difference(step, {**names, "xp": np}, "b", got) is None


@pytest.mark.parametrize("size", [10, 5000])
def test_the_sign_of_a_zero_counts(size):
    for dtype in "fdFD":
        there, here = np.zeros(size, dtype), np.zeros(size, dtype)
        assert compare.arrays("b", there, here, lambda _: None) is None
        part = here.imag if dtype in "FD" else here
        part[size // 2] = -0.0
        found = compare.arrays("b", there, here, lambda _: None)
        assert found.kind == "values"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("xp.add.at", "xp.add.at(a, b, 3)"),
        ("{name} += {y}", "a += b"),
        ("sum", "xp.sum(b, out=a)"),
    ],
)
def test_calls_that_write_are_looked_after(name, text):
    rows = (row for family in calls.ROWS_LARGE.values() for row in family)
    row = next(row for row in rows if row.name.startswith(name))
    assert not replay._reads_only(Step(text, "" if row.is_statement else "c", row))
    assert replay._reads_only(Step("xp.sum(b)", "c", row_of("sum")))


def test_a_write_to_other_memory_is_found_at_the_end(finder):
    class Strays(Cupric):
        def run(self, step):
            if "exp" in step.text:
                self.names["a"][5] = 9
            return super().run(step)

    finder.sides = (NumPy, Strays)
    steps = [Step("", "a", data=np.arange(9.0)), Step("", "b", data=np.ones(4))]
    steps += [Step("xp.exp(b)", "c", row_of("exp"))]
    number, found = finder.run(Program(0, 0, steps))
    assert (number, found.kind, found.where) == (2, "memory", "a")


@pytest.mark.only_on("host")
def test_a_write_past_a_block_is_found(finder):
    """Of which no array is another for it."""

    class Overruns(Cupric):
        def run(self, step):
            outcome = super().run(step)
            if step.text == "xp.exp(b)":
                x = self.names["c"]
                ctypes.memset(x.data.ptr + x.nbytes, 0, 4)
            return outcome

    finder.sides = (NumPy, Overruns)
    steps = [Step("", "b", data=np.ones(64)), Step("xp.exp(b)", "c", row_of("exp"))]
    number, found = finder.run(Program(0, 0, steps))
    assert (number, found.kind) == (1, "outside")
    assert "a block of 512 bytes was written outside: at byte 1 after" in found.got
    assert finder.run(Program(0, 0, [*steps[:1], Step("xp.sin(b)", "c")])) is None
