"""Write a file of results as a page: docs/performance.md.

    python benchmarks/table.py benchmarks/results/NAME.json > docs/performance.md

Each row that has a number to meet says whether it met it; where it did not, what was
found to be the reason follows the table, from reasons.json beside this file.
"""

import json
import re
import statistics
import sys
from pathlib import Path

LAUNCH_US = 2.6  # of the driver alone, when the numbers for small arrays were set
REASONS = Path(__file__).resolve().parent / "reasons.json"
TITLES = {
    "overhead": "A call on small arrays",
    "bandwidth": "Large arrays",
    "start": "Before the first result",
    "ndimage": "`scipy.ndimage`",
    "linalg": "Stacks of small matrices",
    "random": "Random numbers",
    "elementary": "Elementary functions",
    "sweep": "Every function",
    "sparse": "Sparse matrices",
    "sparse_solvers": "Iterative solvers",
    "sparse_eigen": "Eigenvalues, and equations with factors",
    "sparse_indexing": "Indexing of sparse matrices",
}
INTRODUCTIONS = {
    "overhead": """\
Microseconds until the call returns, while the device works on the calls before. *+*:
what cupric adds to the launch, which costs the driver alone {launch_us:.2f} µs on this
machine.""",
    "bandwidth": """\
Until the device is done. *GB/s* are the bytes that have to move, over cupric's time;
*of copy* is their share of what the driver's copy within the device reaches,
{copy_gb_per_s:,.0f} GB/s read plus written.""",
    "ndimage": """\
Until the device is done. *Of copy*: the share of the machine's
{copy_gb_per_s:,.0f} GB/s at which the input was read and the result written once for
each axis that a filter goes along. *×* below 1: the other is faster, as it is in
{slower} of {n_rows} rows; geometric mean {mean:.2f}.""",
    "linalg": """\
Until the device is done. *Of copy*: the share of {copy_gb_per_s:,.0f} GB/s at which
the matrices were read and the results written. All raise LinAlgError, for which the
host waits and looks; with *errors ignored*, CuPy's default, none does. The other is
faster in {slower} of {n_rows} comparisons; geometric mean {mean:.2f}.""",
    "random": """\
Until the device is done, float64 where a distribution is of real numbers. The other is
faster in {slower} of {n_rows} rows; geometric mean {mean:.2f}.""",
    "elementary": """\
Until the device is done. *Of copy*: the share of {copy_gb_per_s:,.0f} GB/s at which the
arguments were read and the results written. The other is faster in {slower} of {n_rows}
comparisons; geometric mean {mean:.2f}.""",
    "sweep": """\
Calls of every public function, from the table of calls that the fuzzer draws from. In
{slower} of {n_rows} comparisons the other is faster. By itself no call waits for a
compiler where a general kernel serves (`CUPRIC_COMPILE=later`); these were told to, so
that a call's own kernel is timed. The rows in which another is faster, the worst first,
and those whose own kernel does not come compiled:""",
    "sparse": """\
Until the device is done. The other is faster in {slower} of {n_rows} rows; geometric
mean {mean:.2f}.""",
    "sparse_solvers": """\
Equations with the stencil of five points of a square, steps without a test of the
residual on the host. Geometric mean {mean:.2f}.""",
    "sparse_eigen": """\
Of the same stencil, and singular values of a random matrix. The other is faster in
{slower} of {n_rows} rows; geometric mean {mean:.2f}.""",
    "sparse_indexing": """\
Of a csr matrix. The other is faster in {slower} of {n_rows} rows; geometric mean
{mean:.2f}.""",
    "start": """\
Medians over fresh processes with empty caches, the context made, except where a row
says otherwise.""",
}
RIVALS = ("cupy", "torch", "scipy", "numexpr")
NOTHING_DUE = ("ndimage", "linalg", "random", "elementary", "sweep")
OF_COPY = ["GB/s", "of copy"]
MORE = {"overhead": ["+"], "bandwidth": OF_COPY, "ndimage": OF_COPY, "sweep": ["note"]}
MORE |= {"linalg": OF_COPY, "random": OF_COPY, "elementary": [*OF_COPY, "note"]}
PAGE = """\
# Performance on {device_name}

Written by `benchmarks/table.py` from
[{name}](../benchmarks/results/{name}), which came of

    {command}

on {date}: {device_name}, {cpus} CPUs ({cpu}), {system}, Python {python}, NumPy {numpy};
cupric {cupric} beside {rivals}, in one process and taking turns; medians."""
DUE = """\
*Due* is the number that the project set itself before it measured. A row that takes
longer stays in the table; what was found to be the reason stands below it."""


HEAT_MAP = """\
Share of the copy's speed over the shapes 2^i × 2^(24 - i), float32: 64 MiB, which that
speed takes 16 µs, where a launch after another, the way to the first bytes and the end,
when parts are joined, are 3 to 6 µs more. Due are 60 % in the worst cell.
[Drawn](images/reductions_h200.png)."""
HEAT_MAP_DUE = 0.6


def duration(us):
    """Microseconds in words of about three digits."""
    if us is None:
        return ""
    for unit, size in (("s", 1e6), ("ms", 1e3), ("µs", 1)):
        if us >= size or unit == "µs":
            return f"{us / size:.3g} {unit}"
    return ""


def times(ratio):
    return f"{ratio:.2g}" if ratio < 100 else f"{ratio:.0f}"


def escaped(text):
    return text.replace("|", "\\|")


class Table:
    """One area's rows."""

    def __init__(self, area, result, reasons):
        self.area, self.machine = area, result["machine"]
        self.rows = [r for r in result["rows"] if r["area"] == area]
        names = dict.fromkeys(n for r in self.rows for n in r["median_us"])
        self.peers = [name for name in names if name != "cupric"]
        self.has_due = area not in NOTHING_DUE or any(r["due"] for r in self.rows)
        self.reasons = reasons
        self.notes = []

    def summary(self):
        """Of the ratios to all peers."""
        ratios = [ratio for row in self.rows for ratio in row["ratio"].values()]
        return {
            "slower": sum(ratio < 1 for ratio in ratios),
            "n_rows": len(ratios),
            "mean": statistics.geometric_mean(ratios) if ratios else 1,
        }

    def heading(self):
        columns = ["what", "size", "cupric", *(["due", "met"] if self.has_due else [])]
        scipy = {"numpy": "scipy"} if self.area == "ndimage" else {}
        columns += [f"{scipy.get(peer, peer)} (×)" for peer in self.peers]
        return columns + MORE.get(self.area, [])

    def met(self, row):
        if row["due"] is None:
            return ""
        if row["median_us"]["cupric"] <= row["due"]:
            return "yes"
        reason = self.reason(row)
        if reason not in self.notes:
            self.notes.append(reason)
        return f"**no** ({self.notes.index(reason) + 1})"

    def reason(self, row):
        over = row["median_us"]["cupric"] - (row["limit_us"] or 0)
        if self.area == "overhead" and over <= row["due"] - LAUNCH_US:
            return (
                f"No more than was meant on top of a launch, which the number takes for"
                f" {LAUNCH_US} µs; on this machine the driver's alone takes longer."
            )
        reason = self.reasons.get(f"{row['what']} | {row['size']}")
        return reason or self.reasons.get(row["what"], "Not yet looked into.")

    def number_of_reason(self, row):
        """Of the first reason in reasons.json for a call like it beside what is faster,
        as "(2)"; "" if there is none."""
        faster = [peer for peer, ratio in row["ratio"].items() if ratio < 1]
        for pattern, peers, reason in self.reasons.get(self.area, []):
            shown = f"{row['what']} {row['size']}"
            if re.search(pattern, shown) and set(faster) & set(peers.split()):
                if reason not in self.notes:
                    self.notes.append(reason)
                return f"({self.notes.index(reason) + 1})"
        return ""

    def cells(self, row):
        ours = row["median_us"]["cupric"]
        yield f"`{escaped(row['what'])}`"
        yield escaped(row["size"])
        yield duration(ours)
        if self.has_due:
            yield duration(row["due"])
            yield self.met(row)
        for peer in self.peers:
            us = row["median_us"].get(peer)
            yield f"{duration(us)} ({times(us / ours)})" if us else ""
        if self.area == "overhead":
            over = ours - (row["limit_us"] or 0)
            yield f"{over:.2f} µs" if row["limit_us"] else ""
        more = MORE.get(self.area, [])
        if more[: len(OF_COPY)] == OF_COPY:
            yield f"{row['gb_per_s']:,.0f}" if row["gb_per_s"] else ""
            yield f"{row['share']:.0%}" if row["share"] is not None else ""
        if "note" in more:
            yield " ".join(filter(None, [row["note"], self.number_of_reason(row)]))

    def shown(self):
        if self.area != "sweep":
            return self.rows
        worst = [(min(r["ratio"].values(), default=9), r) for r in self.rows]
        worst.sort(key=lambda pair: pair[0])
        return [row for ratio, row in worst if ratio < 1 or row["note"]]

    def means(self):
        """By size and peer, the geometric mean of the ratios."""
        found = {}
        for row in self.rows:
            for peer, ratio in row["ratio"].items():
                found.setdefault((int(row["size"].split()[0]), peer), []).append(ratio)
        yield "| elements | beside | rows | times our time | slower than it |"
        yield "| ---: | --- | ---: | ---: | ---: |"
        for (n, peer), ratios in sorted(found.items()):
            mean = statistics.geometric_mean(ratios)
            slower = sum(ratio < 1 for ratio in ratios)
            yield f"| {n:,} | {peer} | {len(ratios)} | {mean:.2f} | {slower} |"

    def lines(self):
        yield f"## {TITLES.get(self.area, self.area)}"
        yield ""
        if self.area in INTRODUCTIONS:
            facts = {"launch_us": 0} | self.machine | self.summary()
            if self.area == "sweep":
                yield from self.means()
                yield ""
            yield INTRODUCTIONS[self.area].format(**facts)
            yield ""
        heading = self.heading()
        yield "| " + " | ".join(heading) + " |"
        yield "| --- | --- |" + " ---: |" * (len(heading) - 2)
        for row in self.shown():
            yield "| " + " | ".join(self.cells(row)) + " |"
        for number, reason in enumerate(self.notes, 1):
            yield ""
            yield f"({number}) {reason}"


def heat_map(result, reasons):
    """The worst and the median cell of each operation of bench_reductions.py."""
    cells = {}
    for row in result["rows"]:
        if row["area"] == "reductions":
            cells.setdefault(row["what"], []).append((row["share"], row["size"]))
    if not cells:
        return
    yield ""
    yield "## Reductions of every shape"
    yield ""
    yield HEAT_MAP
    yield ""
    yield "| operation | worst | at | median |"
    yield "| --- | ---: | --- | ---: |"
    notes = []
    for what, found in cells.items():
        share, size = min(found)
        middle = sorted(found)[len(found) // 2][0]
        note = ""
        if share < HEAT_MAP_DUE:
            reason = reasons.get(what, "Not yet looked into.")
            if reason not in notes:
                notes.append(reason)
            note = f" ({notes.index(reason) + 1})"
        yield f"| {what} | {share:.1%}{note} | {size} | {middle:.0%} |"
    for number, reason in enumerate(notes, 1):
        yield ""
        yield f"({number}) {reason}"


def page(path, result, reasons):
    machine = result["machine"]
    rivals = [f"{n} {machine[n]}" for n in RIVALS if n in machine]
    about = machine | {"rivals": ", ".join(rivals), "name": path.name}
    about |= {k: result[k] for k in ("date", "command")}
    yield PAGE.format(**about)
    if any(r["due"] for r in result["rows"]):
        yield DUE
    for area in dict.fromkeys(r["area"] for r in result["rows"]):
        if area in TITLES:
            yield ""
            yield from Table(area, result, reasons).lines()
    yield from heat_map(result, reasons)


def main():
    path = Path(sys.argv[1])
    reasons = json.loads(REASONS.read_text()) if REASONS.exists() else {}
    print("\n".join(page(path, json.loads(path.read_text()), reasons)))


if __name__ == "__main__":
    main()
