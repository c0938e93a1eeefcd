"""Write what there is of CuPy's interface, name by name, as the built package has it.

    python -m tools.coverage            what `make coverage` does
    python -m tools.coverage --check    say what is not up to date; exit status 1

tests/interface/names.json lists CuPy's names, by namespace, with their signatures.
Written are

    python/cupric/missing.json: the names that are not there
    docs/coverage.md: every name, beside NumPy's and SciPy's, and where it works
    README.md: how many names there are
"""

import importlib
import inspect
import json
import re
import sys
import warnings

import numpy as np
import scipy

from . import ROOT, generated

LISTS = ROOT / "tests/interface"
NAMES = json.loads((LISTS / "names.json").read_text())
PAGE = ROOT / "docs/coverage.md"
# Packages of which the namespaces below, modules and classes, are one row of README.md.
TOGETHER = ("cupric.cuda", "cupricx.scipy.sparse")
EXAMPLES = 4  # missing names that README.md gives

WORKS, RAISES = "✓", "*raises*"
# What works on one kind of device only, or on none: (host, CUDA), of a name or of all
# names of a namespace.
LIMITS = {
    "cupric.cuda.driver": (RAISES, WORKS),
    "cupric.cuda.function.LinkState": (RAISES, WORKS),
    "cupric.cuda.nvrtc": (RAISES, WORKS),
    "cupric.linalg.eig": (WORKS, "of more than 32 rows with CUDA 12.6 or later"),
    "cupric.linalg.eigvals": (WORKS, "of more than 32 rows with CUDA 12.6 or later"),
    **{
        f"cupric.cuda.cufft.{name}": (RAISES, RAISES)
        for name in (
            *("multi_gpu_execC2C", "multi_gpu_execZ2Z"),
            *("setCallback", "setJITCallback"),
        )
    },
    "cupric.fft.config.set_cufft_callbacks": (RAISES, RAISES),
    "cupricx.cusolver.csrlsvqr": (RAISES, RAISES),
    "cupric.cuda.compiler.compile_using_hipcc": (RAISES, RAISES),
}
# Namespaces that neither NumPy nor SciPy has, though a module may be called so.
OURS = (
    "cupric.cublas",
    "cupric.cuda",
    "cupric.fft.config",
    "cupricx",
    "cupricx.cusolver",
    "cupricx.lapack",
    "cupricx.linalg",
    "cupricx.linalg.sparse",
)


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


def theirs(space):
    """NumPy's namespace of the same name, or SciPy's; else `NotThere`."""
    if space in OURS or space.startswith("cupric.cuda."):
        return NotThere
    top = "scipy" if space.startswith("cupricx.scipy") else "numpy"
    return find(re.sub(r"^cupric(x\.scipy)?", top, space))


def public(holder):
    """The names that a namespace has for its users."""
    if holder is NotThere:
        return set()
    names = getattr(holder, "__all__", None) if inspect.ismodule(holder) else None
    given = dir(holder) if names is None else names
    return {n for n in given if not n.startswith("_")}


def rows(space):
    """(name, whether NumPy or SciPy has it, whether CuPy, host, CUDA), in order."""
    ours, others = find(space), theirs(space)
    every = set(NAMES[space]) | public(others)
    if inspect.ismodule(ours):
        every |= public(ours)
    for name in sorted(every, key=lambda n: (n.lower(), n)):
        if name in removed(space):
            works = RAISES, RAISES
        elif hasattr(ours, name):
            usual = LIMITS.get(space, (WORKS, WORKS))
            works = LIMITS.get(f"{space}.{name}", usual)
        else:
            works = "", ""
        yield name, hasattr(others, name), name in NAMES[space], *works


VERSIONS = f"NumPy {np.__version__} and SciPy {scipy.__version__}"


def page():
    """docs/coverage.md"""
    lines = [
        "# Coverage",
        "",
        "Written by `make coverage`. Of every namespace the names of CuPy, those of",
        f"{VERSIONS}, and what there is of them on the host",
        "device and on CUDA devices. ✓: it is there; nothing: it is not; *raises*: it",
        "says in an error's message what to write instead.",
        "",
        "| Namespace | Of NumPy's or SciPy's names | Of CuPy's names |",
        "| --- | --- | --- |",
    ]
    tables = {space: list(rows(space)) for space in NAMES}
    for space, table in tables.items():
        counts = []
        for column in (1, 2):
            there = [bool(row[3]) for row in table if row[column]]
            counts.append(f"{sum(there)} of {len(there)}" if there else "")
        lines.append(line(f"`{space}`", *counts))
    for space, table in tables.items():
        other = "SciPy" if space.startswith("cupricx.scipy") else "NumPy"
        lines += ["", f"## `{space}`", "", f"| Name | {other} | CuPy | host | CUDA |"]
        lines.append("| --- | --- | --- | --- | --- |")
        for name, *has, host, cuda in table:
            marks = [WORKS if h else "" for h in has]
            lines.append(line(f"`{name}`", *marks, host, cuda))
    return "\n".join(lines) + "\n"


def line(*cells):
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def readme(lacking):
    """README.md with the table of today. What is below some packages is one row."""
    counted = {}
    for space, names in NAMES.items():
        below = (top for top in TOGETHER if space.startswith(f"{top}."))
        row = next((f"{top}.*" for top in below), space)
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
        yield ROOT / "python/cupric/missing.json", json.dumps(lacking, indent=1) + "\n"
        yield ROOT / "README.md", readme(lacking)
        # Other versions have other names: CI checks with those that the page is of.
        checked = "--check" in sys.argv and PAGE.exists()
        if not checked or VERSIONS in PAGE.read_text():
            yield PAGE, page()


if __name__ == "__main__":
    sys.exit(generated.write(list(files())))
