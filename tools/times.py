"""What the build's objects took to compile, in seconds of CPU: the longest, and sums.

    python -m tools.times [BUILD]

Times are those of the last compilation, which a compiler cache makes short:
`make build-times` builds without one, and from the beginning.
"""

import json
import sys
from collections import Counter
from pathlib import Path

LONGEST = 25


def read(folder: Path) -> dict[str, float]:
    """Times of all objects in a folder of builds."""
    found = {}
    for file in sorted([*folder.glob("*/times.json"), *folder.glob("*/*/times.json")]):
        found.update(json.loads(file.read_text()))
    return found


def main(arguments: list[str]) -> None:
    seconds = Counter(read(Path(arguments[0] if arguments else "build")))
    groups: Counter[str] = Counter()
    for name, taken in seconds.items():
        group = str(Path(name).parent) if "/" in name else "kernels of libraries"
        groups[group] += taken
    for title, table in (("longest", seconds), ("together", groups)):
        print(f"{title}, of {sum(seconds.values()):.0f} s of CPU:")
        for name, taken in table.most_common(LONGEST):
            print(f"  {taken:6.1f}  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
