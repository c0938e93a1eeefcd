"""A child of fork works, and a process ends, whatever other threads are about."""

import pathlib
import subprocess
import sys

import pytest

import cupric as cp

pytestmark = pytest.mark.only_on("host")


def run(program, argument):
    return subprocess.run(
        [sys.executable, "-c", program, str(argument)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


# Threads each do something for the first time; the main one forks in the middle of it.
STORM = """
import os, pickle, random, signal, sys, threading, time
import numpy as np
import cupric as cp

seed = int(sys.argv[1])
start = threading.Barrier(7)
stop = False

def again(call):
    start.wait()
    while not stop:
        call()

def pinned():
    mem = cp.cuda.alloc_pinned_memory(random.randrange(1, 9000))
    del mem

def captured():
    s = cp.cuda.Stream(non_blocking=True)
    with s:
        s.begin_capture()
        cp.arange(10) + 1
        graph = s.end_capture()
    graph.launch(s)

kernel = cp.ElementwiseKernel("float64 x", "float64 y", f"y = x + {seed};", "p")

def compiled():
    try:
        kernel(cp.arange(3.0))
        cp.RawKernel("not a kernel", "f").compile()
    except cp.cuda.compiler.CompileException:
        pass

calls = [
    lambda: cp.sort(cp.array([3, 1, 2])),
    lambda: cp.fft.fft(cp.arange(8.0)),
    lambda: (cp.linalg.inv(cp.eye(3)), pickle.loads(pickle.dumps(cp.arange(3)))),
    compiled,
    lambda: (cp.random.rand(5), pinned()),
    captured,
]
threads = [threading.Thread(target=again, args=(c,), daemon=True) for c in calls]
for t in threads:
    t.start()
start.wait()
for _ in range(4):
    time.sleep(random.Random(seed).uniform(0, 0.02))
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        for call in [*calls[:3], *calls[4:]]:
            call()
        assert cp.sort(cp.array([3, 1, 2])).tolist() == [1, 2, 3]
        kernel(cp.arange(3.0))
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    assert status == 0, status
stop = True
"""


@pytest.mark.parametrize("seed", range(20))
def test_fork_amid_first_calls(seed):
    done = run(STORM, seed)
    assert done.returncode == 0, done.stderr


def test_first_uses_are_not_guarded():
    """A child could find what the compiler guards being made, and wait for ever."""
    library = pathlib.Path(cp.__file__).with_name("_host.so").read_bytes()
    assert b"cupric_backend" in library
    assert b"__cxa_guard_acquire" not in library


# What the host device's libraries keep goes as the process ends, under threads' feet.
LEFT = """
import sys, threading, time
import cupric as cp

a, x = cp.eye(40) * 2, cp.arange(512.0)

def again(call):
    while True:
        call()

for call in [
    lambda: cp.linalg.inv(a),
    lambda: cp.linalg.eigh(a),
    lambda: cp.fft.fft(x[: 100 + time.perf_counter_ns() % 400]),
    lambda: cp.sort(x),
]:
    threading.Thread(target=again, args=(call,), daemon=True).start()
time.sleep(float(sys.argv[1]))
"""


@pytest.mark.parametrize("seconds", [0.01, 0.02, 0.03, 0.04])
def test_exit_amid_calls(seconds):
    done = run(LEFT, seconds)
    assert (done.returncode, done.stderr) == (0, "")


# A thread looks for Ctrl-C while a compiler works, and goes on doing so while the
# process runs its exit handlers, after the interpreter has ended.
COMPILING = """
import ctypes, sys, threading, time
import cupric as cp

kernel = cp.RawKernel('extern "C" __global__ void f() {}', "f")
threading.Thread(target=kernel.compile, daemon=True).start()
libc = ctypes.CDLL(None)
libc.on_exit(libc.sleep, 0)
time.sleep(0.2)
sys.exit(1)  # for as many seconds as the status is, in on_exit's handler
"""


def test_exit_amid_a_compilation(tmp_path, monkeypatch):
    compiler = tmp_path / "c++"
    # While it writes nobody looks for Ctrl-C, which would end the thread too early.
    compiler.write_text(
        "#!/bin/sh\nfor i in $(seq 50); do echo; sleep 0.01; done\nsleep 3\n"
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    monkeypatch.setenv("CUPRIC_CACHE_DIR", str(tmp_path))
    assert run(COMPILING, 0).returncode == 1
