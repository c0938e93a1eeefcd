"""Launches of kernels on the host device."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cupric as cp

# In a process of its own: threads are started once, and stay.
PROGRAM = """
import os
import cupric as cp
from cupricx.scipy import ndimage

x = cp.ones((16, 16), "f4")
before = len(os.listdir("/proc/self/task"))
y = ndimage.gaussian_filter1d(x, 1.0)
ndimage.label(x > 0)
print(len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc"
)
@pytest.mark.skipif(
    not any(Path(cp.__file__).parent.glob("_kernels*.so")),
    reason="the package was built without kernels",
)
def test_a_first_small_launch_of_a_library_starts_no_threads():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env={k: v for k, v in os.environ.items() if k != "_CUPRIC_TESTING"},
    )
    assert int(done.stdout) == 0
