"""What `import cupric` adds to `import numpy`: milliseconds, and memory."""

import statistics
import subprocess
import sys

from measure import Row, device_kind

PROBE = """
import time
import numpy
def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096
memory, start = resident(), time.perf_counter()
{statement}
print(time.perf_counter() - start, resident() - memory)
"""
STATEMENTS = {
    "import cupric": "import cupric",
    "import cupric, first x + y": "import cupric; cupric.ones(3) + cupric.ones(3)",
}
RUNS = 11


def probe(statement):
    """Median (microseconds, bytes resident) over fresh processes."""
    seconds, nbytes = [], []
    for _ in range(RUNS):
        text = subprocess.run(
            [sys.executable, "-c", PROBE.format(statement=statement)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        s, b = text.split()
        seconds.append(float(s))
        nbytes.append(int(b))
    return statistics.median(seconds) * 1e6, statistics.median(nbytes)


def rows(quick=False):
    for what, statement in STATEMENTS.items():
        us, nbytes = probe(statement)
        size = f"+{nbytes / 2**20:.1f} MiB resident"
        yield Row("import", what, size, device_kind(), {"cupric": round(us, 1)})
