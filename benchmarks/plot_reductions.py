"""Draw the heat map of bench_reductions.py.

python benchmarks/plot_reductions.py benchmarks/results/NAME.json [picture.png]
"""

import json
import statistics
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot


def draw(result, path):
    """The rows of the area `reductions`, one line of cells for each of their names."""
    rows = [r for r in result["rows"] if r["area"] == "reductions"]
    names = list(dict.fromkeys(r["what"] for r in rows))
    sizes = list(dict.fromkeys(r["size"] for r in rows))
    share = {(r["what"], r["size"]): 100 * r["share"] for r in rows}
    cells = [[share[name, size] for size in sizes] for name in names]
    every = list(share.values())
    figure, axis = pyplot.subplots(
        figsize=(1.5 + 0.36 * len(sizes), 1.6 + 0.3 * len(names)), layout="constrained"
    )
    image = axis.imshow(cells, vmin=0, vmax=100, cmap="viridis", aspect="auto")
    for y, line in enumerate(cells):
        for x, value in enumerate(line):
            color = "white" if value < 65 else "black"
            axis.text(
                x, y, f"{value:.0f}", ha="center", va="center", color=color, fontsize=7
            )
    axis.set_yticks(range(len(names)), names, fontsize=8)
    labels = [size.replace("2^", "").replace(" x ", ",") for size in sizes]
    axis.set_xticks(range(len(sizes)), labels, fontsize=7, rotation=60)
    axis.set_xlabel("logarithms of the two sides, float32", fontsize=8)
    figure.colorbar(image, label="% of copy bandwidth", shrink=0.8)
    about = result["machine"]
    name = about["device_name"] if about["device"] == "cuda" else about["cpu"]
    axis.set_title(
        f"{name}, {result['date']}: share of copy bandwidth "
        f"({about['copy_gb_per_s'] / 1000:.2f} TB/s), worst {min(every):.0f} %, "
        f"median {statistics.median(every):.0f} %",
        fontsize=9,
    )
    figure.savefig(path, dpi=90)


def main():
    source = Path(sys.argv[1])
    target = source.with_name(f"{source.stem}-reductions.png")
    if len(sys.argv) > 2:
        target = Path(sys.argv[2])
    draw(json.loads(source.read_text()), target)
    print(target)


if __name__ == "__main__":
    main()
