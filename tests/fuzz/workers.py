"""Many programs, in processes of their own, which may crash or hang.

A worker runs the programs start, start + jobs, ... and says on its standard output, a
line of JSON each, what it found. The number of the program under way is in a file that
both processes map, so that one that kills its process is known; if it did so while it
was made, by NumPy alone, it is NumPy's own defect and is not counted. What is found
until the end of the time, or until somebody ends the run, is summed up in any case.
"""

import atexit
import collections
import json
import mmap
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy as np

from cupric import _core

from . import compare, differences, generate, large, replay, shrink, sides
from .program import Program, shown

# Threads of BLAS that wait for each other on cores that the other workers have take
# minutes for the eigenvalues of a matrix of a few hundred rows.
ALONE = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
# The C library keeps the memory of large arrays: the system would clear it each time.
KEPT = ("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_")
OF_LARGE = {**dict.fromkeys(KEPT, str(1 << 30)), **ALONE}
HANGS = 60  # seconds after which a program is taken to hang
PLACE = struct.Struct("qq")  # the program under way; whether the device runs it
GRACE = 10  # seconds that a worker has for its last program before it is killed
WIDEST = 1500  # characters of a line that are printed
# What sanitizers say; the loader speaks of an ERROR, too.
SANITIZER = re.compile(r"runtime error:|^=.*ERROR|Invalid (\w+ )?(read|write)", re.M)
CRASH = "Fatal Python error"  # what faulthandler says, before a sanitizer ends it
TOLD = 100  # programs after which a worker says how many there were


# ---- in the worker -------------------------------------------------------------------


class Finder:
    """Runs programs, and shrinks the first of each kind of difference."""

    def __init__(self, device="host", until=float("inf"), large=False):
        warnings.simplefilter("ignore")
        np.seterr(all="ignore")
        self.sides = sides.of(device)
        _core._guard(True)
        self.until = until  # when to be done, by time.monotonic
        self.large = large

    def stop(self, *_):
        """Be done after the program under way."""
        self.until = float("-inf")

    def run(self, program, passed=None):
        """(number of the step, difference) that nothing explains, or None. The row that
        explains one is counted in `passed`."""
        found = self._run(program, passed)
        outside = _core._guard_finding()
        if outside and not found:
            difference = compare.Difference("outside", "memory", "nothing", outside)
            return len(program.steps) - 1, difference
        return found

    def _run(self, program, passed):
        state = replay.Replay(*(side() for side in self.sides), not self.large)
        last = len(program.steps) - 1
        for i, step in enumerate(program.steps):
            found = state.step(step) or (state.end(step) if i == last else None)
            if found is None:
                continue
            case = differences.Case(step, found, tuple(state.operands(step)))
            row = differences.explained(case)
            if row is None:
                return i, found
            if passed is not None:
                passed[row.what] += 1
            if not state.settle(step):
                return None
        return None

    def shrunk(self, program, i, found):
        wanted = signature(program.steps[i], found)

        def differs(smaller):
            again = self.run(smaller)
            same = again and signature(smaller.steps[again[0]], again[1]) == wanted
            return again[0] if same else None

        steps = program.steps[: i + 1]
        whole = Program(program.seed, program.number, steps)
        return shrink.shrink(whole, differs, self.until)


def signature(step, found):
    """By which differences are counted as one."""
    call = step.row.name if step.row else "input"
    theirs = type(found.error).__name__ if found.error else ""
    ours = type(found.got_error).__name__ if found.got_error else ""
    return " ".join(x for x in (call, found.kind, theirs, ours) if x)


def say(**what):
    print(json.dumps(what), flush=True)


def place(path):
    """The memory of the file that has the program under way, which the worker and the
    process that started it share."""
    with open(path, "r+b") as file:
        return mmap.mmap(file.fileno(), PLACE.size)


def work(options, progress):
    """The worker's main loop."""
    until = time.monotonic() + options.seconds if options.seconds else float("inf")
    finder, seen = Finder(options.device, until, options.large), set()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process says when to stop
    signal.signal(signal.SIGTERM, finder.stop)
    passed = collections.Counter()
    current = place(progress)
    number, count, n_calls = options.start, 0, 0
    while number < options.end and time.monotonic() < finder.until:
        current[:] = PLACE.pack(number, False)
        program = generate.program(options.seed, number, options.large)
        current[:] = PLACE.pack(number, True)
        result = finder.run(program, passed)
        count += 1
        n_calls += sum(step.row is not None for step in program.steps)
        if result:
            key = signature(program.steps[result[0]], result[1])
            text = "" if key in seen else explain(finder, program, *result)
            seen.add(key)
            say(found=key, number=number, text=text)
        number += options.jobs
        if count == TOLD:
            say(done=count, calls=n_calls, passed=passed)
            count, n_calls = 0, 0
            passed.clear()
    say(done=count, calls=n_calls, passed=passed)


def explain(finder, program, i, found):
    short = finder.shrunk(program, i, found)
    last, final = finder.run(short) or (i, found)
    short.steps = short.steps[: last + 1]
    kind = "" if final.kind == "values" else f"{final.kind} "
    return shown(short, kind + final.got, kind + final.expected)


# ---- in the process that starts them -------------------------------------------------


class Worker(threading.Thread):
    """One process after the other, each going on where the last one ended."""

    def __init__(self, options, start, report):
        super().__init__(daemon=True)
        self.options, self.report = options, report
        self.hung = False
        self.next = start
        self.until = time.monotonic() + (options.seconds or float("inf"))
        file, self.progress = tempfile.mkstemp(prefix="cupric-fuzz-")
        os.write(file, PLACE.pack(start, True))
        os.close(file)
        self.current = place(self.progress)
        atexit.register(os.unlink, self.progress)

    def run(self):
        while self.next < self._end() and self._once():
            self.next = self._place()[0] + self.options.jobs

    def _end(self):
        return float("inf") if self.options.seconds else self.options.programs

    def _part(self):
        """The number before which the process is to end, and its environment."""
        if not self.options.large or self.options.device == "cuda":
            return self._end(), OF_LARGE if self.options.large else ALONE
        threads = str(large.threads(self.next))
        stretch = (self.next // large.STRETCH + 1) * large.STRETCH
        return min(self._end(), stretch), {**OF_LARGE, "CUPRIC_NUM_THREADS": threads}

    def stop(self):
        self.until = min(self.until, time.monotonic())

    def _place(self):
        return PLACE.unpack(self.current)

    def _once(self):
        """Whether there is a next process to start."""
        options = self.options
        left = self.until - time.monotonic()
        if left <= 0:
            return False
        self.current[:] = PLACE.pack(self.next, True)
        command = [sys.executable, "-X", "faulthandler", "-m", "tests.fuzz"]
        end, environment = self._part()
        command += ["--worker", self.progress, "--start", str(self.next)]
        command += ["--end", str(end)] + ["--large"] * options.large
        for name in ("device", "seed", "jobs", "favour"):
            command += [f"--{name}", str(getattr(options, name))]
        command += ["--seconds", str(left if options.seconds else 0)]
        with tempfile.TemporaryFile("w+") as errors:
            process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=environment,
            )
            watch = threading.Thread(target=self._watch, args=(process,), daemon=True)
            watch.start()
            for line in process.stdout:
                self.report.take(json.loads(line))
            status = process.wait()
            errors.seek(0)
            text = errors.read()
        stopped = -status in (signal.SIGTERM, signal.SIGKILL)
        if stopped and time.monotonic() > self.until:
            self.report.unfinished(self._place()[0])
        elif status:
            self.report.died(*self._place(), self._how(status), text)
        elif SANITIZER.search(text):
            self.report.sanitizer(text)
        return True

    def _how(self, status):
        """How a process ended whose work was not done."""
        hung, self.hung = self.hung, False
        if hung:
            return f"did not end in {HANGS} s"
        if status < 0:
            return f"ended by {signal.Signals(-status).name}"
        return f"ended with status {status}"

    def _watch(self, process):
        """Ends a process whose program does not end, or that is out of time."""
        last, since = None, time.monotonic()
        while not _ended(process, 1):
            number, now = self._place(), time.monotonic()
            if number != last:
                last, since = number, now
            if now > self.until + GRACE:
                process.kill()
            elif now > self.until:
                process.terminate()
            elif now - since > HANGS + 2 * shrink.SECONDS:
                self.hung = True
                process.send_signal(signal.SIGABRT)
                return


def _ends(text, n):
    """The first and last characters: Python's stack, and what a sanitizer says."""
    return text if len(text) <= 2 * n else f"{text[:n]}\n…\n{text[-n:]}"


def _ended(process, seconds):
    """Whether a process has ended, or does within some seconds."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


class Report:
    """What the workers found, told as it comes and summed up."""

    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()
        self.found, self.passed = collections.Counter(), collections.Counter()
        self.programs = self.calls = 0
        self.start = time.monotonic()
        self.interrupted = False

    def take(self, message):
        with self.lock:
            if "found" in message:
                self._difference(message)
                return
            self.programs += message["done"]
            self.calls += message["calls"]
            self.passed.update(message["passed"])

    def _difference(self, message):
        key = message["found"]
        self.found[key] += 1
        if self.found[key] == 1:
            lines = message["text"].splitlines()
            text = "\n".join(x if len(x) < WIDEST else x[:WIDEST] + "…" for x in lines)
            print(f"---- {key}   (program {message['number']})\n{text}\n")
            sys.stdout.flush()

    def died(self, number, on_device, how, errors):
        with self.lock:
            if not on_device and ("status" not in how or CRASH in errors):
                self.passed[f"NumPy alone {how}"] += 1
                return
            self.found[f"program {number} {how}"] += 1
            seed, device = self.options.seed, self.options.device
            print(f"---- program {number} {how}; by itself:")
            large_ = " LARGE=1" if self.options.large else ""
            print(f"make fuzz DEVICE={device} SEED={seed} ONLY={number}{large_}")
            print(_ends(errors, 2000), flush=True)

    def unfinished(self, number):
        """A program that was under way when a process out of time was ended."""
        with self.lock:
            self.passed[f"program {number}, not done when the time was up"] += 1

    def sanitizer(self, text):
        """What a sanitizer said that did not end the process."""
        with self.lock:
            self.found["findings of a sanitizer"] += 1
            print(f"---- a sanitizer:\n{text[:20_000]}", flush=True)

    def end(self):
        """The summary; whether there was no difference, or no more than allowed."""
        if self.interrupted:
            print("interrupted:", end=" ")
        seconds = time.monotonic() - self.start
        rate = self.programs / seconds / self.options.jobs
        print(
            f"{self.programs} programs of {self.calls} calls on {self.options.device}, "
            f"seed {self.options.seed}: {sum(self.found.values())} differences of "
            f"{len(self.found)} kinds, in {seconds:.0f} s, {rate:.0f} a second and job"
        )
        for what, n in self.passed.most_common():
            print(f"  passed over {n:6} times: {what}")
        for what, n in self.found.most_common():
            print(f"  {n:6} x {what}")
        return len(self.found) <= self.options.allowed and not self.interrupted


def fuzz(options):
    """All the programs; whether they agree."""
    report = Report(options)
    workers = [Worker(options, options.start + i, report) for i in range(options.jobs)]

    def stop(*_):
        report.interrupted = True
        for worker in workers:
            worker.stop()

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, stop)
    print(f"seed {options.seed} on {options.device}", flush=True)
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return report.end()
