"""The modules of cupricx: there after `import cupricx`, and loaded when asked for."""

import json
import subprocess
import sys

import pytest

import cupric as cp
import cupricx

MODULES = [
    *("cusolver", "lapack", "linalg", "profiler", "scipy", "time"),
    *("scipy.fft", "scipy.fftpack", "scipy.linalg", "scipy.ndimage", "scipy.signal"),
    "scipy.special",
]


@pytest.mark.parametrize("name", MODULES)
def test_there_after_importing_the_package_alone(name):
    program = f"import cupricx; print(cupricx.{name}.__name__)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"cupricx.{name}"


def test_loaded_when_first_asked_for():
    program = (
        "import sys, json, cupricx; "
        "print(json.dumps([m for m in sys.modules if m.startswith('cupricx.')]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(done.stdout))
    assert not loaded & {f"cupricx.{name}" for name in MODULES}


def test_listed_and_lacking():
    assert {name for name in MODULES if "." not in name} <= set(dir(cupricx))
    with pytest.raises(AttributeError, match="no attribute 'no_such'"):
        cupricx.no_such  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute '_no_such'"):
        cupricx._no_such  # noqa: B018


def test_repeat():
    x = cp.ones(10)
    with pytest.warns(DeprecationWarning, match=r"cupricx\.profiler\.benchmark"):
        r = cupricx.time.repeat(
            cp.add, (x, x), n_repeat=4, n_warmup=1, name="sum of two"
        )
    assert r.name == "sum of two"
    assert r.cpu_times.shape == (4,)
