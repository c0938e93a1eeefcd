"""What comes before the first result: importing, the first operation, the first kernel.

Each figure is the median over fresh processes, with NumPy imported already.
"""

import os
import statistics
import subprocess
import sys
import tempfile

from measure import Row, device_kind

PROBE = """
import time
import numpy
def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096
{before}
memory, start = resident(), time.perf_counter()
{statement}
print(time.perf_counter() - start, resident() - memory)
"""

FIRST_ADD = "(xp.ones(3) + xp.ones(3)).tolist()"
KERNEL = 'xp.ElementwiseKernel("T x", "T y", "y = x * x + 1", "k")(xp.ones(3)).tolist()'

# What is measured, its preparation, and whether kernels compiled earlier may be used.
CASES = [
    ("import", "", "import {0} as xp", True),
    ("first x + y", "import {0} as xp", FIRST_ADD, True),
    ("first kernel, compiled", "import {0} as xp", KERNEL, False),
    ("first kernel, from the cache", "import {0} as xp", KERNEL, True),
]
CACHES = ("CUPRIC_CACHE_DIR", "CUPY_CACHE_DIR")
RUNS = 11


def probe(name, before, statement, cached):
    """Median (microseconds, bytes resident) over fresh processes."""
    before, statement = before.format(name), statement.replace("{0}", name)
    program = PROBE.format(before=before, statement=statement)
    seconds, nbytes = [], []
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PYTHONPYCACHEPREFIX=os.path.join(folder, "pyc"))
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for run in range(RUNS + 1):
            cache = os.path.join(folder, "all" if cached else str(run))
            text = subprocess.run(
                [sys.executable, "-c", program],
                env=environment | dict.fromkeys(CACHES, cache),
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            s, b = map(float, text.split())
            seconds.append(s)
            nbytes.append(b)
    # The first run compiled Python's sources and, where cached, the kernel.
    return statistics.median(seconds[1:]) * 1e6, statistics.median(nbytes[1:])


def rows(libs, quick=False):
    names = [lib.name for lib in libs if lib.name in ("cupric", "cupy")]
    for what, before, statement, cached in CASES:
        row = Row("start", what, "", device_kind())
        for name in names:
            us, nbytes = probe(name, before, statement, cached)
            row.median_us[name] = round(us, 1)
            if name == "cupric":
                row.size = f"{nbytes / 2**20:+.1f} MiB resident"
        ours = row.median_us["cupric"]
        for name in names[1:]:
            row.ratio[name] = round(row.median_us[name] / ours, 3)
        yield row
