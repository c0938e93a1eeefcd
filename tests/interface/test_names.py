"""CuPy's interface, name by name: what is there takes CuPy's arguments by their names.

names.json lists the interface; python/cupric/missing.json, the names that are not there
yet. `make coverage` writes the second list, and what else follows from what is there.
"""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))
from tools.coverage import NAMES, find, lacking_of, removed  # noqa: E402

MISSING = json.loads((ROOT / "python/cupric/missing.json").read_text())

# NumPy 2 names these differently, and NumPy's names come first.
RENAMED = {
    ("cupric", "reshape"),
    ("cupric.linalg", "matrix_power"),
    ("cupric.linalg", "matrix_rank"),
    ("cupric.linalg", "matrix_transpose"),
}


def parameters(signature):
    """Names in a signature as text: "(a, axis=None, *args)"."""
    depth, part, parts = 0, "", []
    for c in signature[1:-1] + ",":
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    names = [re.split("[=:]", p)[0].strip() for p in parts]
    return [n for n in names if n and n not in ("/", "*") and not n.startswith("*")]


def test_lists_are_up_to_date():
    """Run `make coverage` where this fails, and look at what it changes."""
    command = [sys.executable, "-m", "tools.coverage", "--check"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("", "")


@pytest.mark.parametrize("space", NAMES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_missing_names_are_listed(space):
    assert lacking_of(space) == MISSING.get(space, [])


def present():
    for space, names in NAMES.items():
        for name, signature in names.items():
            absent = name in MISSING.get(space, []) or name in removed(space)
            if signature and not absent:
                yield space, name, signature


@pytest.mark.parametrize(("space", "name", "signature"), list(present()))
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_parameters(space, name, signature):
    if (space, name) in RENAMED:
        pytest.skip("NumPy's parameter names")
    ours = inspect.signature(getattr(find(space), name)).parameters
    kinds = {p.kind for p in ours.values()}
    if (
        inspect.Parameter.VAR_POSITIONAL in kinds
        or inspect.Parameter.VAR_KEYWORD in kinds
    ):
        return
    theirs = parameters(signature)
    lacking = [p for p in theirs if p not in ours]
    assert lacking == []
    positional = [p for p in ours if p in theirs and p != "self"]
    assert positional == theirs
