"""Types that checkers and editors see: the stubs, and the programs beside this file."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cupric

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(cupric.__file__).resolve().parents[1]
PROGRAMS = Path(__file__).with_name("programs")
RIGHT = [PROGRAMS / name for name in ("arrays.py", "devices.py", "runtime.py")]
WRONG = PROGRAMS / "mistakes.py"


def run(*command, **kwargs):
    path = {"PYTHONPATH": str(PACKAGE), "MYPYPATH": str(PACKAGE)}
    if "site-packages" in str(PACKAGE):
        del path["MYPYPATH"]
    return subprocess.run(
        [sys.executable, *map(str, command)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **path},
        **kwargs,
    )


def marked():
    """The numbers of the lines that are wrong."""
    lines = WRONG.read_text().splitlines()
    return [n for n, line in enumerate(lines, 1) if line.endswith("# wrong")]


@pytest.mark.skipif(not (ROOT / "tools").is_dir(), reason="no sources here")
def test_stubs_are_what_signatures_and_docstrings_say():
    """`make build` writes them."""
    result = run("-m", "tools.stubs", "--check", PACKAGE, cwd=ROOT)
    assert (result.stdout, result.stderr) == ("", "")


def test_stubs_are_in_the_package():
    assert (PACKAGE / "cupric/py.typed").is_file()
    assert (PACKAGE / "cupricx/py.typed").is_file()
    assert "class ndarray(" in (PACKAGE / "cupric/_core.pyi").read_text()


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """With what it knows of NumPy kept between the tests."""
    pytest.importorskip("mypy")
    folder = tmp_path_factory.mktemp("mypy")
    flags = ["--strict", "--allow-untyped-calls", "--follow-imports=silent"]
    flags += ["--cache-dir", folder]
    return lambda *files: run("-m", "mypy", *flags, *files, cwd=folder)


def test_mypy_takes_what_is_right(mypy):
    result = mypy(*RIGHT)
    assert result.returncode == 0, result.stdout


def test_mypy_finds_what_is_wrong(mypy):
    found = re.findall(r"mistakes\.py:(\d+): error", mypy(WRONG).stdout)
    assert [int(n) for n in found] == marked()


def test_mypy_takes_the_stubs(mypy):
    result = mypy(*PACKAGE.glob("cupric*/**/*.pyi"))
    kinds = set(re.findall(r"\[([a-z-]+)\]$", result.stdout, re.M))
    assert kinds <= {"no-untyped-def", "type-arg"}, result.stdout


def pyright(*files):
    pytest.importorskip("pyright")
    result = run(
        "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, *files
    )
    return json.loads(result.stdout)["generalDiagnostics"]


def test_pyright_takes_what_is_right():
    assert pyright(*RIGHT) == []


def test_pyright_finds_what_is_wrong():
    found = [d["range"]["start"]["line"] + 1 for d in pyright(WRONG)]
    assert found == marked()


@pytest.mark.parametrize(
    ("program", "names"),
    [
        ("import cupric as cp\nx = cp.arange(3)\nx.", {"sum", "T", "astype", "get"}),
        ("import cupric as cp\ncp.zeros(3).reshape(3, 1).me", {"mean"}),
        ("import cupric as cp\n(cp.zeros(3) + 1).arg", {"argmax", "argmin", "argsort"}),
        ("import cupric as cp\ncp.linalg.ei", {"eigh", "eigvalsh"}),
        ("import cupric as cp\ncp.sin(cp.zeros(3)).cum", {"cumsum", "cumprod"}),
        ("import cupric as cp\ncp.cuda.Stream().re", {"record"}),
        ("import cupric as cp\ncp.cuda.alloc(8).mem", {"mem", "memset"}),
        ("import cupric as cp\ncp.testing.assert_a", {"assert_allclose"}),
        ("import cupric as cp\ncp.cuda.runtime.memc", {"memcpy", "memcpyAsync"}),
        ("import cupric as cp\ncp.cuda.memory.Man", {"ManagedMemory"}),
    ],
)
def test_jedi_completes(program, names, tmp_path, monkeypatch):
    assert names <= completed(program, tmp_path, monkeypatch)


def test_jedi_completes_every_member_of_an_array(tmp_path, monkeypatch):
    program = "import cupric as cp\nx = cp.arange(3)\nx."
    found = completed(program, tmp_path, monkeypatch)
    members = {n for n in dir(cupric.ndarray) if n[0] != "_"}
    assert len(members) > 70
    assert {n for n in found if n[0] != "_"} == members


def completed(program, tmp_path, monkeypatch):
    jedi = pytest.importorskip("jedi")
    monkeypatch.setattr(jedi.settings, "cache_directory", str(tmp_path))
    project = jedi.Project(PROGRAMS, added_sys_path=[str(PACKAGE)])
    script = jedi.Script(program, path=PROGRAMS / "typed.py", project=project)
    return {c.name for c in script.complete()}
