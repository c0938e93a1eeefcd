"""CUPRIC_DEBUG tells of launches and of the sources that are compiled."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cupric as cp

PROGRAM = """
import cupric as cp
cp.ElementwiseKernel("T x", "T y", "y = x * 2 /* mark */", "twice")(cp.arange(3))
"""


@pytest.mark.parametrize(
    ("level", "launches", "sources"), [(0, 0, 0), (2, 1, 0), (3, 1, 1)]
)
def test_levels(level, launches, sources, device, tmp_path):
    package = Path(cp.__file__).resolve().parents[1]
    environment = os.environ | {
        "CUPRIC_DEBUG": str(level),
        "CUPRIC_DEVICE": device,
        "CUPRIC_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(package),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stderr.count("cupric: launch of twice on") == launches
    assert done.stderr.count("/* mark */") == sources
