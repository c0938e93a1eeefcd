"""Run the benchmarks and keep the figures.

    python benchmarks/run.py                       everything, into benchmarks/results/
    python benchmarks/run.py overhead start        two areas
    python benchmarks/run.py -k sum --no-save      cases with "sum" in name or size
    SEED=7 python benchmarks/run.py layouts        random calls, by a seed
    python benchmarks/run.py sweep --update FILE   what a result lacks, put into it
    python benchmarks/run.py bandwidth --ncu       dram traffic by Nsight Compute

Parts by processes at once (sweep --quick --peers cupy --no-save --part 3/8) fill the
caches of compiled kernels, which a peer may take longer for than the figures do.

An area is a module bench_<area>.py beside this file: `cases(quick)` yields Cases, or
`rows(libs, quick)` finished Rows. One with BY_NAME is run only where it is named. The
result is one JSON file: the machine, the command, and a row per case. plot.py draws it,
table.py writes it as a page.
"""

import argparse
import contextlib
import datetime
import importlib
import itertools
import json
import os
import re
import shlex
import statistics
import sys
from dataclasses import asdict
from pathlib import Path

import measure

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
FIRST = ["overhead", "bandwidth", "start"]


def areas():
    """{area: module} in the order in which they run."""
    found = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    names = FIRST + [name for name in found if name not in FIRST]
    return {name: importlib.import_module(f"bench_{name}") for name in names}


def parse_args(known):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("areas", nargs="*", metavar="AREA", help=", ".join(known))
    parser.add_argument(
        "-k",
        action="append",
        default=[],
        help="only cases whose name, size have this, or another -k",
    )
    parser.add_argument(
        "--skip",
        action="append",
        default=[],
        help="no case whose name, size have this, or another --skip",
    )
    parser.add_argument(
        "--update",
        type=Path,
        help="a result: measure what it lacks, or -k, and put it in",
    )
    parser.add_argument(
        "--below",
        type=float,
        help="of --update: only rows in which another takes less of our time than this",
    )
    parser.add_argument("--rounds", type=int, help="blocks of a case for each library")
    parser.add_argument("--peers", help="numpy, cupy, torch, with commas; or none")
    parser.add_argument(
        "--part", default="0/1", help="only each 8th case from the 3rd on: 3/8"
    )
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--machine", help="the name of this machine in the file name")
    parser.add_argument("--no-save", action="store_true")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--ncu", action="store_true", help="cupric alone, under ncu")
    options = parser.parse_args()
    for area in options.areas:
        if area not in known:
            parser.error(f"no area {area!r}: {', '.join(known)}")
    if not options.areas:
        options.areas = [name for name, m in known.items() if not hasattr(m, "BY_NAME")]
    options.old = json.loads(options.update.read_text()) if options.update else None
    rows = options.old["rows"] if options.old else []
    options.refused = options.old.get("refused", []) if options.old else []
    options.known = {of_row(row) for row in rows} | {*map(tuple, options.refused)}
    if options.below:
        options.slow = {of_row(row) for row in rows if is_below(row, options.below)}
    return options


def is_below(row, ratio):
    return any(found and found < ratio for found in (row["ratio"] or {}).values())


def of_row(row):
    return row["what"], row["size"]


def chosen(case, options):
    text = f"{case.what} {case.size}"
    if any(part in text for part in options.skip):
        return False
    if options.below:
        return (case.what, case.size) in options.slow
    if not options.k:
        return (case.what, case.size) not in options.known
    return any(part in text for part in options.k)


def run_area(area, module, options, libs):
    first, step = map(int, options.part.split("/"))
    if hasattr(module, "rows"):
        yield from (r for r in module.rows(libs, options.quick) if chosen(r, options))
        return
    cases = (case for case in module.cases(options.quick) if chosen(case, options))
    for case in itertools.islice(cases, first, None, step):
        case.rounds = options.rounds or case.rounds
        row = measure.run_case(area, case, libs)
        if row is not None:
            yield row
        elif [case.what, case.size] not in options.refused:
            options.refused.append([case.what, case.size])


def print_row(row):
    times = "  ".join(f"{n} {us:>10,.2f}" for n, us in row.median_us.items())
    text = f"{row.what:36} {row.size:24} {times} us"
    text += "".join(f"  {name} {ratio:.2f}x" for name, ratio in row.ratio.items())
    if row.share is not None:
        text += f"  {row.share:.0%} of limit"
    if row.due is not None:
        text += f"  due {row.due:g}: {'met' if row.met else 'MISSED'}"
    print(text, flush=True)


def machine_slug(about):
    name = about["device_name"] if about["device"] == "cuda" else about["cpu"]
    name = re.sub(r"\(R\)|\(TM\)|CPU|Processor|@.*", "", name)
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return slug if about["device"] == "cuda" else f"{slug}-{about['cpus']}cpu"


def shown_command(arguments):
    """Without the names of files."""
    files = ("--output", "--update")
    kept = [
        argument
        for before, argument in itertools.pairwise(["", *arguments])
        if argument not in files and before not in files
    ]
    return shlex.join(["python", "benchmarks/run.py", *kept])


def save(options, about, rows):
    today = datetime.date.today().isoformat()
    slug = options.machine or machine_slug(about)
    path = options.output or options.update or RESULTS / f"{slug}-{today}.json"
    switches = {k: v for k, v in os.environ.items() if k.startswith("CUPRIC_")}
    command = shown_command(sys.argv[1:])
    result = {"date": today, "command": command, "switches": switches}
    if options.old:
        rows = merged(options.old["rows"], rows)
        commands = [*options.old["command"].split("; "), command]
        result["command"] = "; ".join(dict.fromkeys(commands))
    measured = {of_row(row) for row in rows}
    refused = [call for call in options.refused if tuple(call) not in measured]
    result |= {"machine": about, "refused": refused}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_json(result, rows))
    return path


def merged(old, new):
    """The old rows, each by its new one where there is one, then the other new ones."""
    fresh = {(row["area"], *of_row(row)): row for row in new}
    kept = [fresh.pop((row["area"], *of_row(row)), row) for row in old]
    return kept + list(fresh.values())


def as_json(result, rows):
    """A row a line, and a call that cupric refused."""
    lists = {"refused": result.pop("refused", []), "rows": rows}
    text = json.dumps(result, indent=1).removesuffix("\n}")
    for name, items in lists.items():
        lines = ",\n".join(map(json.dumps, items))
        text += f',\n "{name}": [\n{lines}\n]'
    return text + "}\n"


def has_missed(row):
    return row["due"] is not None and row["median_us"]["cupric"] > row["due"]


def print_ratios(rows):
    """How much longer each peer takes: the geometric mean, and where it takes least."""
    for peer in dict.fromkeys(name for row in rows for name in row["ratio"]):
        ratios = [(r["ratio"][peer], r) for r in rows if peer in r["ratio"]]
        mean = statistics.geometric_mean(ratio for ratio, _ in ratios)
        least, row = min(ratios, key=lambda pair: pair[0])
        print(
            f"{peer}: {mean:.2f} times our time (geometric mean of {len(ratios)}); "
            f"least {least:.2f}: {row['what']}, {row['size']}"
        )


def main():
    known = areas()
    options = parse_args(known)
    # A call's own kernel is timed, not those that serve while it is compiled.
    os.environ.setdefault("CUPRIC_COMPILE", "now")
    if options.ncu:
        import traffic

        traffic.report(known, options)
        return
    peers = options.peers or measure.PEERS[measure.device_kind()]
    libs = measure.libraries([p for p in peers.split(",") if p != "none"])
    about = measure.machine()
    for key, value in about.items():
        print(f"{key:14} {value}")
    print()
    rows = []
    for area in options.areas:
        with contextlib.suppress(KeyboardInterrupt):  # what was measured is kept
            for row in run_area(area, known[area], options, libs):
                print_row(row)
                rows.append(asdict(row))
        if not options.no_save:
            path = save(options, about, rows)  # each area as it is done
    missed = sum(has_missed(row) for row in rows)
    print(f"\n{len(rows)} rows; {missed} take longer than is due")
    print_ratios(rows)
    if not options.no_save:
        print(f"written: {path}")


if __name__ == "__main__":
    main()
