"""Draw a file of results: the time of each peer over cupric's, one bar per case, and
a mark where the time that is due stands; right of 1, cupric meets it.

python benchmarks/plot.py benchmarks/results/NAME.json [picture.png]
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot


def draw(result, path):
    rows = [r for r in result["rows"] if r["ratio"] or r.get("due")]
    areas = list(dict.fromkeys(r["area"] for r in rows))
    peers = list(dict.fromkeys(p for r in rows for p in r["ratio"]))
    counts = [sum(r["area"] == a for r in rows) for a in areas]
    figure, axes = pyplot.subplots(
        len(areas),
        1,
        figsize=(9, 1.5 + 0.26 * sum(counts) * max(1, len(peers) / 2)),
        gridspec_kw={"height_ratios": counts},
        layout="constrained",
        squeeze=False,
    )
    for axis, area in zip(axes[:, 0], areas, strict=True):
        draw_area(axis, area, [r for r in rows if r["area"] == area], peers)
    axes[0, 0].legend(loc="lower right")
    about = result["machine"]
    name = about["device_name"] if about["device"] == "cuda" else about["cpu"]
    where = f"{name}, {about['cpus']} CPUs, {result['date']}"
    figure.suptitle(f"how many times faster cupric is\n{where}", fontsize=10)
    figure.savefig(path, dpi=90)


def draw_area(axis, area, rows, peers):
    height = 0.8 / len(peers)
    for k, peer in enumerate(peers):
        at = [i + k * height for i, r in enumerate(rows) if peer in r["ratio"]]
        ratios = [r["ratio"][peer] for r in rows if peer in r["ratio"]]
        axis.barh(at, [r - 1 for r in ratios], height, left=1, label=peer)
        for y, ratio in zip(at, ratios, strict=True):
            right = max(ratio, 1)
            label = f" {ratio:.2g}" if ratio < 100 else f" {ratio:.0f}"
            axis.annotate(label, (right, y), va="center", fontsize=7)
    marked = [(i, r) for i, r in enumerate(rows) if r.get("due")]
    axis.plot(
        [r["due"] / r["median_us"]["cupric"] for _, r in marked],
        [i + 0.4 - height / 2 for i, _ in marked],
        "k|",
        markersize=8,
        label="due",
    )
    axis.axvline(1, color="black", linewidth=0.8)
    axis.set_xscale("log")
    axis.xaxis.set_major_formatter("{x:g}")
    axis.xaxis.set_minor_formatter("")
    axis.margins(y=0.01)
    axis.set_yticks(range(len(rows)), [f"{r['what']}  {r['size']}" for r in rows])
    axis.tick_params(axis="y", labelsize=7)
    axis.invert_yaxis()
    axis.set_title(area, fontsize=9)


def main():
    source = Path(sys.argv[1])
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else source.with_suffix(".png")
    draw(json.loads(source.read_text()), target)
    print(target)


if __name__ == "__main__":
    main()
