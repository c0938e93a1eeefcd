"""Write the lists of public names that follow from the operation tables.

    python -m tools.names            what `make names` does
    python -m tools.names --check    say what is not up to date; exit status 1

A row's column `names` says what users call it: names of cupric for ufunc.def, of
cupricx.scipy.special for special.def. `__all__` has to stand in the files as it is, for
type checkers and editors, so that a program writes it, and a test runs the program.
Names that come from elsewhere stay where they are. Written are

    python/cupric/_ufuncs.py and __init__.py
    python/cupricx/scipy/special/_ufuncs.py and __init__.py

and tools/coverage.py what follows once the package is built.
"""

import ast
import re
import sys

from . import ROOT, generated, rows

SPACES = {  # table: module, where the objects are, what they are
    "ufunc": ("cupric", "cupric._core", "Elementwise operations"),
    "special": ("cupricx.scipy.special", "cupric._core.special", "Special functions"),
}
LIST = re.compile(r"^__all__ = \[\n(?:    .*\n)*\]\n", re.M)


def folder_of(space):
    return ROOT / "python" / space.replace(".", "/")


def names_of(table):
    """{public name: the row's name}."""
    return {
        name: row["name"] for row in rows.read(table) for name in row["names"].split()
    }


def listed(names):
    lines = "".join(f'    "{name}",\n' for name in sorted(names))
    return f"__all__ = [\n{lines}]\n"


def import_order(name):
    """As ruff sorts names: numbers by their value."""
    return [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", name)]


def ufuncs_module(table, names):
    _, core, what = SPACES[table]
    own = sorted((n for n, row in names.items() if n == row), key=import_order)
    others = sorted(n for n, row in names.items() if n != row)
    text = (
        f'"""{what}, and their other names: the rows of src/ops/{table}.def.\n\n'
        'Written by `make names`.\n"""\n\n'
    )
    if "." in core.removeprefix("cupric._core"):
        part = core.rpartition(".")[2]
        text += "from cupric import _core\n\n"
        text += "".join(f"{n} = _core.{part}.{n}\n" for n in own)
    else:
        lines = "".join(f"    {name},\n" for name in own)
        text += f"from cupric._core import (\n{lines})\n"
    if others:
        text += "\n" + "".join(f"{n} = {names[n]}\n" for n in others)
    return text + "\n" + listed(names)


def package(path, before, names):
    """The package's file, with the names in `__all__` in place of those before."""
    text = path.read_text()
    found = LIST.search(text).group(0)
    there = set(ast.literal_eval(found.partition("=")[2].strip()))
    return text.replace(found, listed(there - before | set(names)))


def files():
    """(path, what it has to say)."""
    for table, (space, _, _) in SPACES.items():
        names = names_of(table)
        path = folder_of(space) / "_ufuncs.py"
        before = set()
        if path.exists():
            found = LIST.search(path.read_text()).group(0)
            before = set(ast.literal_eval(found.partition("=")[2].strip()))
        yield path, ufuncs_module(table, names)
        path = folder_of(space) / "__init__.py"
        yield path, package(path, before, names)


if __name__ == "__main__":
    sys.exit(generated.write(list(files())))
