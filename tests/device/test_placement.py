"""An operation runs where its operands live, whatever the current device is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("placement.py")


@pytest.mark.only_on("host")
def test_results_live_with_their_operands():
    package = Path(__import__("cupric").__file__).resolve().parents[1]
    environment = os.environ | {
        "CUPRIC_HOST_DEVICES": "4",
        "CUPRIC_DEVICE": "host",
        "PYTHONPATH": str(package),
    }
    done = subprocess.run(
        [sys.executable, str(PROGRAM)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
