"""The overview notebook: devices, memory, kernels. It needs two devices."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric

SMALLER = [
    ("vec_size = int(5e7)", "vec_size = int(2e6)"),
    ("[1024]*3", "[128]*3"),
    ("z_dim = 4096", "z_dim = 64"),
]

# In a process of its own, as the number of devices is fixed at the first use.
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from notebook import Notebook
nb = Notebook("overview", json.loads(sys.argv[2]))
names = list(nb.source)
middle = names.index("steps")
nb.run(*names[:middle])
cp, np = nb.get("cp"), nb.get("np")
a, b, c = (nb.get(f"vec_{k}_gpu") for k in "abc")
facts = {
    "x_gpu0": nb.get("x_gpu0").device.id,
    "x_gpu1": nb.get("x_gpu1").device.id,
    "double": (nb.get("x_gpu0") * 2).tolist(),
    "on_host": [type(nb.get(n)) is np.ndarray for n in ("tmp1", "tmp2")],
    "sum": bool(np.array_equal(c.get(), a.get() + b.get())),
    "range": [float(a.min()), float(a.max()), float(a.mean())],
}
del a, b, c
nb.run(*names[middle:])
out, out_reg = nb.get("out_arr").get(), nb.get("out_arr_reg").get()
facts["same"] = bool(np.array_equal(out, out_reg))
facts["printed"] = {n: c.printed for n, c in nb.cells.items()}
facts["errors"] = {n: repr(c.error) for n, c in nb.cells.items() if c.error}
facts["steps"] = sorted(nb["raw steps"].value)
print(json.dumps(facts))
"""


@pytest.fixture(scope="module")
def facts(device):
    environment = dict(os.environ)
    if device == "host":
        environment["CUPRIC_HOST_DEVICES"] = "2"
    elif cupric.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("the lesson uses two devices")
    folder = str(Path(__file__).resolve().parent)
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, folder, json.dumps(SMALLER)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


def test_no_errors(facts):
    assert facts["errors"] == {}


def test_singular_determinant(facts):
    head, _, det = facts["printed"]["det"].rpartition("det: ")
    assert head == f"array:\n {np.array([[1, 2, 3, 4, 5]] * 5)}\n"
    assert abs(float(det)) < 1e-9


def test_arrays_live_where_they_were_made(facts):
    assert (facts["x_gpu0"], facts["x_gpu1"]) == (0, 1)
    # An operation runs where its operand lives, whichever device is current.
    assert facts["double"] == [2, 4, 6, 8, 10]
    printed = facts["printed"]["current device"]
    assert re.fullmatch(r"x_gpu0 device: <(CUDA|host) Device 0>\n\n", printed)


def test_copies(facts):
    assert facts["on_host"] == [True, True]


def test_elementwise_kernel(facts):
    assert facts["sum"]
    low, high, mean = facts["range"]
    assert 0 <= low < 1e-4
    assert 1 - 1e-4 < high < 1
    assert abs(mean - 0.5) < 1e-2


def test_pool_gives_memory_back(facts):
    used, allocated = facts["printed"]["clear GPU"].splitlines()
    assert int(used.rpartition(" ")[2]) < 10_000  # the small arrays of earlier cells
    assert int(allocated.rpartition(" ")[2]) >= 3 * 8 * 2_000_000
    after = facts["printed"]["free all blocks"].rpartition(" ")[2]
    assert int(after) < int(allocated.rpartition(" ")[2])


def test_big_array_is_on_the_current_device(facts):
    used = float(facts["printed"]["big array"].rpartition(": ")[2])
    assert 8 * 128**3 <= used * 1024**3 < 8 * 128**3 + 100_000


def test_raw_kernels(facts):
    assert facts["printed"]["grid"] == "Grid size: (16, 16)\nBlock size: (32, 32)\n"
    assert facts["same"]
    assert facts["steps"] == [
        "CPU_calc",
        "CPU_create_array",
        "GPU__create_empty_output_array",
        "GPU_calc_mul",
        "copy dev-->host",
        "copy host-->dev",
    ]
