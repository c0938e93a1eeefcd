"""The fuzzer itself: that it finds, shrinks and repeats, and a few hundred programs."""

import re
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from . import calls, compare, differences, draw, generate, shrink, values, workers
from .program import Program, Step, shown
from .sides import Cupric, NumPy

SEED = 20_000
_BEFORE_NAN = np.array([2.0, 7, -4, np.nan])
_ODD = np.array([3], "B").view("?")


@pytest.fixture
def finder(device):
    return workers.Finder(device)


class Wrong(Cupric):
    """A device on which additions of integers are off by one."""

    def run(self, step):
        outcome = super().run(step)
        for x in outcome.values() if isinstance(outcome, dict) else ():
            if "add" in step.text and x.dtype.kind in "iu":
                x += 1
        return outcome


def test_a_program_is_its_seed_and_number():
    one, two = generate.program(SEED, 7), generate.program(SEED, 7)
    assert [s.source for s in one.steps] == [s.source for s in two.steps]
    assert one.steps[0].source != generate.program(SEED, 8).steps[0].source


def test_a_wrong_result_is_found_and_shrunk(finder):
    finder.sides = (NumPy, Wrong)
    for number in range(10_000):
        program = generate.program(SEED, number)
        found = finder.run(program)
        if found and "add" in program.steps[found[0]].text:
            break
    short = finder.shrunk(program, *found)
    assert len(short.steps) <= 3
    assert "add" in short.steps[-1].text
    assert finder.run(short)


def test_writing_to_the_wrong_memory_is_found(finder):
    class Copies(Cupric):
        """Views are copies."""

        def run(self, step):
            outcome = super().run(step)
            if step.text == "a[::2]":
                self.names[step.target] = outcome[step.target].copy()
                return self._arrays(step.target)
            return outcome

    finder.sides = (NumPy, Copies)
    steps = [Step("", "a", data=np.arange(4)), Step("a[::2]", "b")]
    number, found = finder.run(Program(0, 0, steps))
    assert (number, found.kind) == (1, "views")


@pytest.mark.parametrize("dtype", ["O", "M8[s]", "i4,f8", "V3", "f4"])
def test_arrays_like_any_other_are_drawn(dtype):
    generator = generate.Generator(SEED, 0)
    generator.first = np.zeros((2, 3), dtype)
    text = draw.argument(generator, "numbers_as")
    made = eval(text, generate.namespace(np))
    assert (made.dtype, made.shape) == (generator.first.dtype, (2, 3))


@pytest.mark.parametrize("dtype", ["O", "M8[s]", "f4"])
@pytest.mark.parametrize("word", ["alike", "numbers_of"])
def test_arrays_beside_any_other_are_drawn(word, dtype):
    generator = generate.Generator(SEED, 0)
    generator.first = np.zeros(3, dtype)
    made = generator.live[draw.argument(generator, word)]
    assert made.dtype == ("f4" if dtype == "f4" else "f8")


def test_what_is_shown_runs():
    steps = [Step("", "a", data=np.array([np.nan, -0.0, 1]))]
    steps.append(Step("xp.add(a, a)", "b"))
    names = {}
    exec(shown(Program(0, 0, steps)), names)
    np.testing.assert_array_equal(names["f"](np), [np.nan, 0, 2])


@pytest.mark.parametrize(
    "text",
    [
        "special.erfc(a)",
        "signal.convolve(a, a)",
        "ndimage.laplace(a)",
        "sfft.fft(a)",
        "slinalg.toeplitz(a)",
    ],
)
def test_what_is_shown_of_scipy_runs(device, text):
    steps = [Step("", "a", data=np.ones(3)), Step(text, "b")]
    names = {}
    exec(shown(Program(0, 0, steps)), names)
    here, there = names["f"](names["cp"]), names["f"](np)
    assert type(here).__module__ == "cupric"
    np.testing.assert_allclose(here.get(), there)


def test_shrinking_ends():
    """Where everything differs, nothing is left but one step."""
    program = generate.program(SEED, 3)
    short = shrink.shrink(program, lambda p: len(p.steps) - 1)
    assert len(short.steps) == 1


def test_shrinking_ends_with_the_time(monkeypatch):
    """Also where each try takes long, and nothing that is tried differs."""
    program = generate.program(SEED, 3)
    tried = []
    monkeypatch.setattr(shrink, "time", SimpleNamespace(monotonic=lambda: len(tried)))

    def differs(smaller):
        tried.append(smaller)

    until = 4
    assert shrink.shrink(program, differs, until) is program
    assert until <= len(tried) <= until + 1
    finder, last = workers.Finder("host", until), len(program.steps) - 1
    found = compare.Difference("error", "r", "", "")
    assert finder.shrunk(program, last, found).steps == program.steps


@pytest.mark.parametrize(
    ("name", "text", "operands"),
    [
        (
            "pow",
            "xp.pow(a, b, dtype='F')",
            [np.array([0, 38], "b"), np.array([0, -38], "b")],
        ),
        ("nanquantile", "xp.nanquantile(a, 0.5)", [np.array(np.inf)]),
        ("nanquantile", "xp.nanquantile(a, (0, 0), axis=0)", [np.array([[0, 0]])]),
        ("nanquantile", "xp.nanquantile(a, [0.5])", [np.zeros((0, 2))]),
        ("nanquantile", "xp.nanquantile(a[1:], [0, 1], axis=0)", [np.zeros((1, 2))]),
        ("nanpercentile", "xp.nanpercentile(a[1:], [])", [np.zeros(1)]),
        ("nanpercentile", "xp.nanpercentile(a, [5])", [np.array([np.nan], "f")]),
        ("histogramdd", "xp.histogramdd(a)[0]", [np.zeros((3, 2), "D")]),
        ("histogramdd", "xp.histogramdd(a)[0]", [np.array([1.7e308 - 2j, 0, -1e308])]),
        ("histogram", "xp.histogram(a)", [np.array(1e3, values.BFLOAT16)]),
        ("histogram2d", "xp.histogram2d(a, a)[0]", [np.zeros(3, "D")]),
        ("histogramdd", "xp.histogramdd(a, 1)[0]", [np.array([-6e4, 6e4], "e")]),
        ("ndimage.grey_closing", "ndimage.grey_closing(a, size=3)", [_BEFORE_NAN]),
        ("ndimage.grey_closing", "ndimage.grey_closing(a, size=2)", [_BEFORE_NAN]),
        ("special.erfc", "special.erfc(a)", [np.array([3, 27], "i")]),
        ("special.ndtr", "special.ndtr(a)", [np.array([-38.0, 1.0])]),
        ("special.gammaln", "special.gammaln(a)", [np.array([5e-324, 3.0])]),
        ("special.expit", "special.expit(a)", [np.array([-720.0, -1.0])]),
        (
            "polynomial.polynomial.polycompanion",
            "xp.polynomial.polynomial.polycompanion(a)",
            [np.ones(2, values.BFLOAT16)],
        ),
        (
            "slinalg.convolution_matrix",
            "slinalg.convolution_matrix(a, 3, mode='full')",
            [np.array(2.0)],
        ),
        (
            "digitize",
            "xp.digitize(a, b)",
            [np.array([0, 2**63 - 1], "Q"), np.array([2.0**63], values.BFLOAT16)],
        ),
        (
            "multiply.accumulate",
            "xp.multiply.accumulate(a, dtype='I', out=a)",
            [np.array([1, 1e16, 0, 0])],
        ),
        ("std", "xp.std(a, dtype='f', ddof=1)", [np.log(np.array([2.0]))]),
        ("intersect1d", "xp.intersect1d(a, 2j)", [2**62 + np.arange(2)]),
        ("power", "xp.power(a, 0.5, out=a)", [np.array([4, -np.inf])]),
        ("pow", "xp.pow(a, b)", [np.array([-np.inf, 4], "e"), np.array([0.5])]),
        ("bitwise_xor", "xp.bitwise_xor(a, b)", [np.ones(3, "?"), _ODD]),
        ("{xi} ^ {yi}", "a ^ b", [np.ones(3, "?"), _ODD]),
        ("{name} ^= {yi}", "a ^= b", [np.ones(3, "?"), _ODD]),
        (
            "maximum.reduce",
            "xp.maximum.reduce(a, out=b)",
            [np.array([65534, 15], "H"), np.array(0, "h")],
        ),
        *(
            ("negative", f"xp.negative(a[::{n}], out=b[:3:2])", [x, np.zeros_like(x)])
            for n, x in [(4, np.arange(8, dtype="i")), (8, np.arange(16))]
        ),
    ],
)
def test_what_a_row_explains(finder, name, text, operands):
    rows = [r for family in calls.ROWS.values() for r in family]
    row = next(r for r in rows if r.name == name or f"xp.{name}(" in r.name)
    steps = [Step("", n, data=x) for n, x in zip("ab", operands, strict=False)]
    target = "" if row.is_statement else "r"
    assert finder.run(Program(0, 0, [*steps, Step(text, target, row)])) is None


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("{place} = {y}", "a[::2] = a[:3]"),
        ("xp.copyto({target}, {y})", "xp.copyto(a[::2], a[:3])"),
    ],
)
@pytest.mark.parametrize("wrong", [0, 1])
def test_what_is_assigned_is_read_before(finder, row, text, wrong):
    class Adds(Cupric):
        """A device on which the last element becomes another one."""

        def run(self, step):
            outcome = super().run(step)
            if step.row:
                self.names["a"][-1] += wrong
            return outcome

    finder.sides = (NumPy, Adds)
    row = next(r for f in calls.ROWS.values() for r in f if r.name == row)
    target = "" if row.is_statement else "r"
    steps = [Step("", "a", data=np.arange(5)), Step(text, target, row)]
    found = finder.run(Program(0, 0, steps))
    assert (found and found[1].kind) == ("memory" if wrong else None)


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_partition_of_a_view_leaves_the_others_in_any_order(finder, wrong):
    class Adds(Cupric):
        """A device on which a partition changes a value, too."""

        def run(self, step):
            outcome = super().run(step)
            if "partition" in step.text:
                self.names["a"] += wrong
            return outcome

    finder.sides = (NumPy, Adds)
    text = "a.view('?').partition(0)"
    row = next(r for f in calls.ROWS.values() for r in f if ".partition(" in r.name)
    steps = [Step("", "a", data=np.array([1])), Step(text, "", row)]
    found = finder.run(Program(0, 0, steps))
    assert (found and found[1].kind) == ("memory" if wrong else None)


def test_a_wrong_value_beside_a_subnormal_one_is_found(finder):
    class Twice(Cupric):
        """A device on which small numbers of erfc are twice as large."""

        def run(self, step):
            outcome = super().run(step)
            if "erfc" in step.text:
                outcome["r"][:] *= self.xp.where(outcome["r"] < 0.1, 2, 1)
            return outcome

    finder.sides = (NumPy, Twice)
    row = next(r for r in calls.ROWS["special"] if r.name == "special.erfc")
    steps = [
        Step("", "a", data=np.array([27.0, 2.0])),
        Step("special.erfc(a)", "r", row),
    ]
    number, found = finder.run(Program(0, 0, steps))
    assert (number, found.kind) == (1, "values")


def test_what_is_multiplied_by_zero_is_not_read_by_blas(finder):
    row = next(r for r in calls.ROWS["blas"] if r.name == "cublas.gemv")
    data = {"a": np.ones((2, 3)), "b": np.ones(3), "c": np.full(2, np.nan)}
    steps = [Step("", name, data=x) for name, x in data.items()]
    drawn = ("'N'", "2", "a", "b", "0", "c")
    text = f"xp.cublas.gemv({', '.join(drawn)})"
    steps.append(Step(text, "", row, numpy_text=row.numpy_text(drawn)))
    assert finder.run(Program(0, 0, steps)) is None


@pytest.mark.parametrize(
    "text",
    [
        "xp.reshape(a, (2, 3)).shape = (3, 2)",
        "xp.linalg.inv(a).real = 3",
        "xp.ravel(a)[0] = xp.pi",
        "b = xp.fft.fft(a).T",
        "b = special.erfc(a).T",
    ],
)
def test_nothing_is_set_in_a_module(text):
    """Else `numpy.shape` is a tuple from then on."""
    seen, left = set(), [text]
    while left:
        try:
            new = set(shrink.simpler_texts(left.pop())) - seen
        except SyntaxError:  # nothing that runs is left of it
            continue
        seen |= new
        left += new
    assert seen
    assert not [
        t for t in seen if re.match(r"(xp|np|special)(\.\w+)* =|(xp|np|special)$", t)
    ]


def test_the_page_of_differences_is_made_of_the_table(request):
    page = request.config.rootpath / "docs" / "differences.md"
    assert page.read_text() == differences.page(), "make it again, as it says"
    assert [
        row.what for row in differences.TABLE if row.what not in page.read_text()
    ] == []


def test_a_run_that_is_interrupted_is_summed_up(request, device):
    command = [sys.executable, "-m", "tests.fuzz", "--device", device, "--seed", "5"]
    process = subprocess.Popen(
        [*command, "--jobs", "2", "--programs", "1000000"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=request.config.rootpath,
    )
    assert process.stdout.readline() == f"seed 5 on {device}\n"
    process.send_signal(signal.SIGINT)
    assert re.match(r"interrupted: \d+ programs .* seed 5:", process.stdout.read())
    assert process.wait() == 1


@pytest.mark.parametrize("grace", [0, 100])
def test_a_process_out_of_time_is_ended(monkeypatch, grace):
    monkeypatch.setattr(workers, "GRACE", grace)
    worker = workers.Worker(SimpleNamespace(seconds=1e-9), 0, None)
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    worker._watch(process)
    assert -process.wait() == (signal.SIGTERM if grace else signal.SIGKILL)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ERROR: ld.so: object 'libx.so' from LD_PRELOAD cannot be preloaded", False),
        ("==7==ERROR: AddressSanitizer: heap-buffer-overflow", True),
        ("src/a.c:3:7: runtime error: signed integer overflow", True),
        ("==7== Invalid read of size 4", True),
        ("========= Invalid __global__ read of size 4 bytes", True),
    ],
)
def test_what_is_a_finding_of_a_sanitizer(text, found):
    assert bool(workers.SANITIZER.search(f"first line\n{text}\n")) == found


@pytest.mark.parametrize("on_device", [False, True])
def test_a_crash_of_numpy_alone_is_not_counted(on_device):
    """Also under a sanitizer, with which a process that crashes has a status."""
    options = SimpleNamespace(seed=1, device="host", large=False)
    report = workers.Report(options)
    told = "Fatal Python error: Segmentation fault\n==7==ERROR: AddressSanitizer: SEGV"
    report.died(3, on_device, "ended with status 1", told)
    assert len(report.found) == on_device
    report.died(4, on_device, "ended with status 1", "KeyError: dtype('O')")
    assert len(report.found) == 1 + on_device


def test_a_device_against_the_host():
    """DEVICE=both, where the host is a process of its own."""
    finder = workers.Finder("both")
    for number in range(60):
        program = generate.program(SEED, number)
        assert finder.run(program) is None
