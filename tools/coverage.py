"""Write what there is of CuPy's interface, name by name, as the built package has it.

    python -m tools.coverage            what `make coverage` does
    python -m tools.coverage --check    say what is not up to date; exit status 1

tests/interface/names.json lists CuPy's names, by namespace, with their signatures.
Written are

    tests/interface/missing.json: the names that are not there
    README.md: how many names there are
"""

import importlib
import json
import re
import sys
import warnings

from . import ROOT, generated

LISTS = ROOT / "tests/interface"
NAMES = json.loads((LISTS / "names.json").read_text())
EXAMPLES = 4  # missing names that README.md gives


class NotThere:
    """A namespace of which there is nothing yet."""


def find(space):
    """The module, class or object that a namespace is; `NotThere` for none."""
    try:
        return importlib.import_module(space)
    except ModuleNotFoundError:
        module, _, name = space.rpartition(".")
    return getattr(find(module), name, NotThere) if module else NotThere


def removed(space):
    """Names that only raise in CuPy, and say here what to write instead."""
    return find("cupric._deprecated").REMOVED if space == "cupric" else {}


def lacking_of(space):
    """The names of CuPy's namespace that it has not."""
    holder = find(space)
    there = removed(space)
    return sorted(n for n in NAMES[space] if n not in there and not hasattr(holder, n))


def missing():
    """{namespace: names of CuPy's that it has not}."""
    found = {space: lacking_of(space) for space in NAMES}
    return {space: lacking for space, lacking in found.items() if lacking}


def readme(lacking):
    """README.md with the table of today. Modules of cupric.cuda are one row."""
    counted = {}
    for space, names in NAMES.items():
        row = "cupric.cuda.*" if space.startswith("cupric.cuda.") else space
        every, left = counted.setdefault(row, ([], []))
        every += names
        left += lacking.get(space, [])
    lines = [
        "| Namespace | Names there | Missing, for example |",
        "| --- | --- | --- |",
    ]
    for space, (every, left) in counted.items():
        some = ", ".join(f"`{n}`" for n in left[:EXAMPLES])
        some += ", …" if len(left) > EXAMPLES else ""
        lines.append(
            f"| `{space}` | {len(every) - len(left)} of {len(every)} |"
            + (f" {some} |" if some else " |")
        )
    text = (ROOT / "README.md").read_text()
    before, heading, rest = text.partition(lines[0] + "\n")
    assert heading, "README.md has no table of namespaces"
    after = rest[re.search(r"(?m)^(?!\|)", rest).start() :]
    return before + "\n".join(lines) + "\n" + after


def files():
    """(path, what it has to say)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        lacking = missing()
        yield LISTS / "missing.json", json.dumps(lacking, indent=1) + "\n"
        yield ROOT / "README.md", readme(lacking)


if __name__ == "__main__":
    sys.exit(generated.write(list(files())))
