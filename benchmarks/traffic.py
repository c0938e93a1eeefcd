"""What crosses the memory bus, by Nsight Compute: `run.py AREA --ncu`.

ncu runs this file as a program. Each case is called once between two launches of a
kernel with an empty body, by which the kernels of a case are told apart in ncu's list.
"""

import csv
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

METRICS = {
    "dram__bytes.sum": "bytes",
    "gpu__time_duration.sum": "ns",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "percent",
}
UNITS = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "ns": 1, "nsecond": 1}
UNITS |= {"us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6, "%": 1}
MARK = "case_begins"


def report(known, options):
    """Print bytes, time and the share of the bus of each case's kernels."""
    ncu = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    command = [ncu, "--clock-control", "none", "--profile-from-start", "off", "--csv"]
    command += ["--metrics", ",".join(METRICS), sys.executable, __file__]
    command += [*options.areas, *(f"-k{part}" for part in options.k)] + [
        "--quick"
    ] * options.quick
    done = subprocess.run(command, capture_output=True, text=True)
    listed = [line for line in done.stdout.splitlines() if line.startswith('"')]
    if not listed:
        sys.exit(f"ncu reports nothing:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    kernels = read_kernels("\n".join(listed))
    names = [n[5:] for n in done.stdout.splitlines() if n.startswith("CASE ")]
    for name, found in zip(names, split(kernels), strict=False):
        nbytes = sum(k["bytes"] for k in found)
        us = sum(k["ns"] for k in found) / 1e3
        share = sum(k["percent"] * k["ns"] for k in found) / max(us * 1e3, 1)
        rate = nbytes / max(us, 1e-3) / 1e3
        print(
            f"{name:60} {len(found)} kernels {us:10.1f} us {nbytes / 1e6:10.1f} MB"
            f" {rate:8.1f} GB/s {share:5.1f} % of the bus"
        )


def read_kernels(text):
    """[{name, bytes, ns, percent}] in the order of launch."""
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        kernel = found.setdefault(row["ID"], {"name": row["Kernel Name"]})
        value = float(row["Metric Value"].replace(",", ""))
        kernel[METRICS[row["Metric Name"]]] = value * UNITS[row["Metric Unit"]]
    return list(found.values())


def split(kernels):
    cases = []
    for kernel in kernels:
        if MARK in kernel["name"]:
            cases.append([])
        elif cases:
            cases[-1].append(kernel)
    return cases


def run_cases():
    """The program under ncu."""
    import measure
    import run
    from limits import driver

    known = run.areas()
    options = run.parse_args(known)
    lib = measure.load_cupric()
    cp = lib.xp
    mark = cp.RawKernel(f'extern "C" __global__ void {MARK}() {{}}', MARK)
    mark((1,), (1,), ())
    modules = [known[a] for a in options.areas if hasattr(known[a], "cases")]
    for module in modules:
        for case in module.cases(options.quick):
            if not (case.nbytes and any(k in case.what for k in options.k or [""])):
                continue
            call = case.make(lib)
            call()
            lib.sync()
            print(f"CASE {case.what} {case.size}", flush=True)
            driver().cuProfilerStart()
            mark((1,), (1,), ())
            call()
            lib.sync()
            driver().cuProfilerStop()
            del call


if __name__ == "__main__":
    sys.path.insert(0, os.fspath(Path(__file__).parent))
    run_cases()
