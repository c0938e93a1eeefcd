"""Two builds of cupric beside each other: what became slower, what faster.

    python benchmarks/compare.py ../before . overhead bandwidth --turns 5

BEFORE and AFTER are source trees, each built in place, or folders in which the package
is installed. Processes of the two take turns, so that a machine that drifts slows both;
every process runs this tree's cases, without peers. A row's figure is the median over
the turns, and its noise how far apart a build's own turns lie: a row counts as slower
where it is so by more than --limit and its noise. Ends with status 1 if any is.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

RUN = Path(__file__).resolve().parent / "run.py"


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("areas", nargs="*", default=["overhead", "bandwidth"])
    parser.add_argument("-k", default="", help="only cases whose name contains this")
    parser.add_argument("--turns", type=int, default=5, help="processes of each build")
    parser.add_argument("--limit", type=float, default=1.02, help="after ÷ before")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--output", type=Path, help="the rows as JSON")
    return parser.parse_args()


def measure(tree, options):
    """{(what, size): microseconds} of one process that runs the build of `tree`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.json")
        command = [sys.executable, str(RUN), *options.areas, "--peers", "none"]
        command += ["-k", options.k, "--output", str(path)]
        command += ["--quick"] * options.quick
        package = tree / "python" if (tree / "python").is_dir() else tree
        environment = os.environ | {"PYTHONPATH": str(package.resolve())}
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        rows = json.loads(path.read_text())["rows"]
    return {(row["what"], row["size"]): row["median_us"]["cupric"] for row in rows}


def compare(turns):
    """A row per case from [(before, after), …], the largest ratio first."""
    rows = []
    for what, size in turns[0][0]:
        before = [b[what, size] for b, _ in turns]
        after = [a[what, size] for _, a in turns if (what, size) in a]
        if not after:
            continue
        us = statistics.median(before), statistics.median(after)
        ratio = us[1] / us[0]
        noise = max(spread(before), spread(after))
        rows.append(
            {"what": what, "size": size, "before_us": us[0], "after_us": us[1]}
            | {"ratio": round(ratio, 4), "noise": round(noise, 4)}
        )
    return sorted(rows, key=lambda row: -row["ratio"])


def spread(times):
    """How far the middle half of the turns lies apart, as a share of the median."""
    if len(times) < 4:
        return (max(times) - min(times)) / statistics.median(times)
    low, _, high = statistics.quantiles(times, n=4, method="inclusive")
    return (high - low) / statistics.median(times)


def main():
    options = parse_args()
    turns = []
    for turn in range(options.turns):
        trees = [options.before, options.after]
        order = trees if turn % 2 == 0 else trees[::-1]
        done = {tree: measure(tree, options) for tree in order}
        turns.append((done[options.before], done[options.after]))
    rows = compare(turns)
    slower = [r for r in rows if r["ratio"] > options.limit + r["noise"]]
    for row in rows:
        mark = "  SLOWER" if row in slower else ""
        print(
            f"{row['what']:42} {row['size']:26} {row['before_us']:12.3f} "
            f"{row['after_us']:12.3f} us  x{row['ratio']:.3f} ±{row['noise']:.3f}{mark}"
        )
    print(
        f"\n{len(rows)} rows, {len(slower)} slower by more than {options.limit - 1:.0%}"
    )
    if options.output:
        options.output.write_text(json.dumps({"turns": options.turns, "rows": rows}))
    return bool(slower)


if __name__ == "__main__":
    sys.exit(main())
