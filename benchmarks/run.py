"""Run the benchmarks and keep the figures.

    python benchmarks/run.py                       everything, into benchmarks/results/
    python benchmarks/run.py overhead start        two areas
    python benchmarks/run.py -k sum --no-save      the cases whose name has "sum"

The result is one JSON file: the machine, the command, and a row per case. plot.py draws
it.
"""

import argparse
import datetime
import json
import os
import re
import shlex
import sys
from dataclasses import asdict
from pathlib import Path

import bench_bandwidth
import bench_overhead
import bench_reductions
import bench_start
import measure

RESULTS = Path(__file__).resolve().parent / "results"
AREAS = {
    "overhead": bench_overhead,
    "bandwidth": bench_bandwidth,
    "start": bench_start,
    "reductions": bench_reductions,
}


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("areas", nargs="*", metavar="AREA", help=", ".join(AREAS))
    parser.add_argument("-k", default="", help="only cases whose name contains this")
    parser.add_argument("--peers", default="numpy,cupy,torch")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--machine", help="the name of this machine in the file name")
    parser.add_argument("--no-save", action="store_true")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    for area in options.areas:
        if area not in AREAS:
            parser.error(f"no area {area!r}: {', '.join(AREAS)}")
    return options


def run_area(area, options, libs):
    module = AREAS[area]
    if hasattr(module, "rows"):
        yield from (r for r in module.rows(libs, options.quick) if options.k in r.what)
        return
    for case in module.cases(options.quick):
        if options.k in case.what:
            row = measure.run_case(area, case, libs)
            if row is not None:
                yield row


def print_row(row):
    times = "  ".join(f"{n} {us:>12,.2f}" for n, us in row.median_us.items())
    ratio = "  ".join(f"{n}/cupric {r:.2f}" for n, r in row.ratio.items())
    share = f"  {row.share:.0%} of copy" if row.share is not None else ""
    print(f"{row.what:30} {row.size:22} {times} us  {ratio}{share}", flush=True)


def machine_slug(about):
    name = about["device_name"] if about["device"] == "cuda" else about["cpu"]
    name = re.sub(r"\(R\)|\(TM\)|CPU|Processor|@.*", "", name)
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return f"{slug}-{about['cpus']}cpu"


def main():
    options = parse_args()
    libs = measure.libraries(options.peers.split(","))
    about = measure.machine()
    for key, value in about.items():
        print(f"{key:14} {value}")
    print()
    rows = []
    for area in options.areas or AREAS:
        for row in run_area(area, options, libs):
            print_row(row)
            rows.append(asdict(row))
    if options.no_save:
        return
    today = datetime.date.today().isoformat()
    slug = options.machine or machine_slug(about)
    path = options.output or RESULTS / f"{slug}-{today}.json"
    switches = {k: v for k, v in os.environ.items() if k.startswith("CUPRIC_")}
    command = shlex.join(["python", "benchmarks/run.py", *sys.argv[1:]])
    result = {"date": today, "command": command, "switches": switches}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps(result | {"machine": about, "rows": rows}, indent=1) + "\n"
    )
    print(f"\nwritten: {path}")


if __name__ == "__main__":
    main()
