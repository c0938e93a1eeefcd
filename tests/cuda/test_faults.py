"""Kernels that fault, and children of fork: one clear error, and a clean end."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.only_on("cuda")


def run(program, **environment):
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=os.environ | {"CUPRIC_DEVICE": "cuda"} | environment,
    )
    return done


FAULT = """
import sys
import numpy as np
import cupric as cp

code = 'extern "C" __global__ void wild_store(float *a) { a[1ull << 40] = 1; }'
wild = cp.RawKernel(code, "wild_store")
x, y = cp.zeros(4, "f"), cp.ones(1 << 20)
stream, event = cp.cuda.Stream(), cp.cuda.Event()
wild((1,), (1,), (x,))
event.record()
calls = {
    "item": lambda: x.sum().item(),
    "get": lambda: y.get(),
    "bool": lambda: bool(x.any()),
    "device": lambda: cp.cuda.Device().synchronize(),
    "stream": lambda: cp.cuda.Stream.null.synchronize(),
    "event": lambda: event.synchronize(),
    "set": lambda: [y.set(np.zeros(1 << 20)) for _ in range(100)],
    "operation": lambda: [(cp.cuda.Stream.null.done, x + x) for _ in range(10**6)],
    "allocation": lambda: [cp.empty(1 << 28) for _ in iter(int, 1)],
}
try:
    calls[sys.argv[1] if len(sys.argv) > 1 else WHICH]()
    print("no error")
except cp.cuda.runtime.CUDARuntimeError as error:
    print(error)
try:
    y.get()
    print("no second error")
except cp.cuda.runtime.CUDARuntimeError as error:
    print(error.status)
print("end")
"""


@pytest.mark.parametrize(
    "which", ["item", "get", "bool", "device", "stream", "event", "set", "operation"]
)
def test_a_fault_surfaces(which):
    done = run(f"WHICH = {which!r}\n" + FAULT)
    lines = done.stdout.splitlines()
    assert "ILLEGAL_ADDRESS" in lines[0] or "IllegalAddress" in lines[0], done.stdout
    assert "wild_store" in lines[0]
    assert lines[1:] == ["700", "end"], done.stdout
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_debug_pins_it_to_the_launch():
    program = FAULT.partition("event.record")[0].replace(
        "wild((1,), (1,), (x,))",
        "try:\n    wild((1,), (1,), (x,))\nexcept RuntimeError as e:\n"
        "    print('here', e)",
    )
    done = run(program, CUPRIC_DEBUG="launch")
    assert done.stdout.startswith("here CUDA_ERROR_ILLEGAL_ADDRESS")
    assert "wild_store: grid (1, 1, 1)" in done.stdout
    assert done.returncode == 0, done.stderr


FORK = """
import gc
import os
import sys
import warnings
import numpy as np
import cupric as cp

warnings.simplefilter("ignore")
BEFORE
child = os.fork()
if child == 0:
    for name, call in {
        "zeros": lambda: cp.zeros(3),
        "asarray": lambda: cp.asarray(np.ones(3)),
        "reuse": lambda: cp.empty(1000),
        "add": lambda: x + 1,
        "in place": lambda: x.__iadd__(1),
        "get": lambda: x.get(),
        "kernel": lambda: cp.ElementwiseKernel("T x", "T y", "y = x", "forked")(x),
        "stream": lambda: cp.cuda.Stream(),
        "event": lambda: cp.cuda.Event(),
        "synchronize": lambda: cp.cuda.Device().synchronize(),
        "memory": lambda: cp.cuda.Device().mem_info,
        "large": lambda: x.__getitem__(slice(0, 2)).copy(),
    }.items():
        try:
            call()
            print(name, "no error", flush=True)
        except Exception as error:
            text = str(error)
            if "forked" not in text or "spawn" not in text:
                print(name, type(error), text, flush=True)
    for name in list(globals()):
        if name in ("x", "y", "s", "e", "graph"):
            del globals()[name]
    gc.collect()
    print("child done", flush=True)
    sys.exit(0)
_, status = os.waitpid(child, 0)
print("status", status)
print(float((x + 1).sum()))
"""
USED = """
x = cp.ones(1000)
y = x * 2
s, e = cp.cuda.Stream(), cp.cuda.Event()
with s:
    z = x + y
    s.synchronize()
    s.begin_capture()
    w = x + 2
    graph = s.end_capture()
del z, w
"""


def test_a_child_forked_after_first_use():
    done = run(FORK.replace("BEFORE", USED))
    assert done.stdout.splitlines() == ["child done", "status 0", "2000.0"], (
        done.stdout + done.stderr
    )
    assert done.stderr == ""


def test_a_child_forked_before_first_use():
    program = """
import os, sys
import cupric as cp
child = os.fork()
total = float(cp.arange(10.0).sum())
if child == 0:
    sys.exit(0 if total == 45 else 1)
print(os.waitpid(child, 0)[1], total)
"""
    done = run(program)
    assert done.stdout.split() == ["0", "45.0"], done.stdout + done.stderr
