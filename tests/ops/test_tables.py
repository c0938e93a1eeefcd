"""The operation tables: a fact of a row is a column, and lists of names follow."""

import re
import subprocess
import sys
from pathlib import Path

import cupric
import cupricx.scipy.special
from cupric import _core

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))
from tools import rows  # noqa: E402


def sources(folders, kinds):
    for folder in folders:
        for kind in kinds:
            for path in sorted((ROOT / folder).rglob(kind)):
                yield path, path.read_text()


def test_the_lists_of_names_are_up_to_date():
    done = subprocess.run(
        [sys.executable, "-m", "tools.names", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (
        f"`make names` writes these again:\n{done.stdout}{done.stderr}"
    )


def test_every_row_is_an_object():
    for row in rows.elementwise():
        special = row["table"] == "special"
        f = getattr(_core.special if special else _core, row["name"])
        if not row["names"] and not isinstance(f, cupric.ufunc):
            continue  # a function of that name is in its place
        assert isinstance(f, cupric.ufunc)
        assert (f.nin, f.nout) == (int(row["nin"]), int(row["nout"]))
        listed = [s for s in rows.signatures(row) if "!" not in s]
        assert f.types == [s.replace(">", "->") for s in listed]
        assert f.__doc__.splitlines()[2] == row["summary"]
        for name in row["names"].split():
            assert getattr(cupricx.scipy.special if special else cupric, name) is f


def test_summaries_are_sentences():
    for row in [*rows.elementwise(), *rows.read("reduce")]:
        assert re.fullmatch(r"[A-Z].*\.", row["summary"]), row["name"]


SLOTS = ("src/array/py_number.c",)  # `x**2` is a square: operators choose their row


def test_no_code_asks_for_an_operation_by_its_name():
    """What differs between rows is a column of theirs: no comparison with a row."""
    number = r"(?:CUPRIC_OP|CUPRIC_REDUCE|UFUNC|REDUCE)_[a-z]\w*"
    asked = re.compile(rf"[=!<>]=\s*(?:\w+::)?{number}\b|\b{number}\s*[=!<>]=")
    case = re.compile(rf"\bcase\s+(?:\w+::)?{number}\b")
    found = []
    for path, text in sources(("src", "cuda"), ("*.c", "*.h", "*.cpp", "*.hpp")):
        for i, line in enumerate(text.splitlines(), 1):
            if str(path.relative_to(ROOT)) in SLOTS or line.startswith((" *", "/*")):
                continue
            code = re.sub(r"/\*.*?\*/", "", line)
            # `.op = CUPRIC_OP_add` and `int op = …` choose a row.
            compared = re.sub(rf"(?<![=!<>])=(?!=)\s*{number}", "", code)
            if asked.search(compared) or case.search(code):
                found.append(f"{path.relative_to(ROOT)}:{i}: {line.strip()}")
    assert found == []


def test_no_code_compares_names_of_rows():
    names = {r["name"] for r in [*rows.elementwise(), *rows.read("reduce")]}
    literal = "|".join(sorted(names, key=len, reverse=True))
    python = re.compile(rf"\bname\b[^\n]*(?:==|!=|\bin\b)[^\n]*[\"'](?:{literal})[\"']")
    c = re.compile(rf"strn?cmp\([^;]*\"(?:{literal})\"")
    found = []
    for path, text in sources(("python", "tools"), ("*.py",)):
        found += [f"{path.relative_to(ROOT)}: {m}" for m in python.findall(text)]
    for path, text in sources(("src",), ("*.c", "*.cpp", "*.hpp")):
        if path.name == "env.c":  # whose texts are the values of settings
            continue
        found += [f"{path.relative_to(ROOT)}: {m}" for m in c.findall(text)]
    assert found == []


def test_every_row_is_used():
    """A public name, or a use in the package's own code."""
    text = ""
    for _, one in sources(("python", "src"), ("*.py", "*.c")):
        text += one
    unused = [
        row["name"]
        for row in rows.elementwise()
        if not row["names"]
        and not re.search(
            rf"\b_core\.(?:special\.)?{row['name']}\b|CUPRIC_OP_{row['name']}\b", text
        )
        and not re.search(rf"from cupric\._core import[^)]*\b{row['name']}\b", text)
    ]
    assert unused == []


def test_a_row_without_public_names_is_told_from_one_with():
    listed = {row["name"]: row["names"].split() for row in rows.elementwise()}
    assert listed["absolute"] == ["absolute", "abs"]
    assert listed["clip"] == []
    assert cupric.abs is cupric.absolute
    assert all(names[0] == name for name, names in listed.items() if names)
