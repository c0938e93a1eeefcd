"""Types that checkers and editors see: the stubs, and the programs beside this file."""

import ast
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
    assert sorted({int(n) for n in found}) == marked()


def test_mypy_takes_the_stubs(mypy):
    result = mypy(*PACKAGE.glob("cupric*/**/*.pyi"))
    kinds = set(re.findall(r"\[([a-z-]+)\]$", result.stdout, re.M))
    assert kinds <= {"no-untyped-def", "type-arg"}, result.stdout


STUBTEST = ("--concise", "--ignore-missing-stub", "--ignore-disjoint-bases")
# Where a stub says less or more than the package on purpose.
ALLOWED = (
    r"cupric(\.\w+)*\.(divmod|frexp|modf)",  # ufuncs with two results
    r"cupric\._core\.ufunc",  # those have a class of their own in stubs
    r"cupric\.random\.\w+",  # functions that are objects in C
    r"cupric\.linalg\.pinv",  # a default that is NumPy's own
    r"cupric\.typing\.NDArray\..*",  # an alias, of which a call is none
    r"cupric\._core\.(\w+\.)?__(r?pow|call)__",  # `mod` and keywords
    r"cupricx\.scipy\.signal\.lombscargle",  # a default that stands for none
    r"cupricx\.scipy\.signal\._lti\._systems\.\w+\.__getattr__",  # of subclasses
)


def methods_without_self():
    """Of the core, those whose signatures at run time leave out `self`."""
    for cls in vars(cupric._core).values():
        for name in dir(cls) if isinstance(cls, type) else ():
            text = getattr(getattr(cls, name), "__text_signature__", None) or "($self"
            if not text.startswith(("($self", "($type")):
                yield rf"cupric\._core\.{cls.__name__}\.{name}"


def has_stub(name):
    """Whether what is called so is in a module with a stub."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        path = PACKAGE.joinpath(*parts[:end])
        found = (path.with_suffix(".pyi"), path / "__init__.pyi")
        if path.with_suffix(".py").exists() or path.is_dir() or found[0].exists():
            return any(f.exists() for f in found)
    return False


def test_stubs_agree_with_the_package(tmp_path):
    """mypy's stubtest: names, parameters, their kinds and defaults."""
    pytest.importorskip("mypy")
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_errors = True\n")
    allowed = [*ALLOWED, *methods_without_self()]
    (tmp_path / "allowed").write_text("\n".join(allowed) + "\n")
    files = ["--mypy-config-file", tmp_path / "mypy.ini"]
    files += ["--allowlist", tmp_path / "allowed", "--ignore-unused-allowlist"]
    done = run("-m", "mypy.stubtest", *STUBTEST, *files, "cupric", "cupricx")
    assert "not checking stubs" not in done.stdout + done.stderr, done.stdout
    found = [line for line in done.stdout.splitlines() if has_stub(line.split()[0])]
    assert found == []


# ---- parameters ----------------------------------------------------------------------

needs_tools = pytest.mark.skipif(
    not (ROOT / "tools").is_dir(), reason="no sources here"
)


def public_definitions():
    """(where, definition) of the public functions and methods of all stubs."""
    for file in sorted(PACKAGE.glob("cupric*/**/*.pyi")):
        tree = ast.parse(file.read_text())
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                yield file.stem, node
            elif isinstance(node, ast.ClassDef):
                for member in node.body:
                    if isinstance(member, ast.FunctionDef):
                        yield f"{file.stem}.{node.name}", member


def test_few_parameters_may_be_anything():
    every, untyped = 0, []
    for where, node in public_definitions():
        if node.name.startswith("_") and node.name not in ("__init__", "__new__"):
            continue
        a = node.args
        for p in [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]:
            if p and p.arg not in ("self", "cls"):
                every += 1
                if ast.unparse(p.annotation) == "Any":
                    untyped.append(f"{where}.{node.name}({p.arg})")
    assert every > 3000
    assert len(untyped) < every * 0.05, untyped


RETURNING_ANYTHING = {  # as it depends on what they are given
    *("load", "get_runtime_info", "maximum_position", "minimum_position"),
    *("generate_matrix", "shaped_arange", "shaped_linspace", "shaped_random"),
    *("shaped_reverse_arange", "shaped_sparse_random"),
    # Sparse arrays, of a format and kind that follow from arguments.
    *("block_array", "block_diag", "bmat", "diags", "diags_array", "expand_dims"),
    *("eye", "eye_array", "hstack", "identity", "inv", "kron", "kronsum"),
    *("load_npz", "matrix_power", "matrix_transpose", "minimum_spanning_tree"),
    *("permute_dims", "rand", "random", "random_array", "spdiags", "spsolve"),
    *(
        "swapaxes",
        "tril",
        "triu",
        "vstack",
    ),
}


def test_functions_return_something_that_is_known():
    found = {
        node.name
        for where, node in public_definitions()
        if "." not in where and where != "_core" and not node.name.startswith("_")
        if ast.unparse(node.returns) == "Any"
    }
    assert found == RETURNING_ANYTHING


@needs_tools
def test_every_phrase_of_docstrings_has_a_type():
    """What docstrings say of parameters, without an entry in tools/phrases.py."""
    done = run("-W", "ignore", "-c", UNTYPED, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("", "")


UNTYPED = """
import inspect
from tools import documented, signatures
for space, name, o in documented.callables():
    if documented.is_called(o):
        for parameter, text in signatures.untyped(o, space):
            print(f"{space}.{name}({parameter}): {text or 'nothing is said'}")
"""


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("int, optional", "axis", "SupportsIndex"),
        ("None or int, optional", "axis", "SupportsIndex | None"),
        ("int or tuple of ints", "shape", "SupportsIndex | Sequence[SupportsIndex]"),
        (
            "int or tuple of ints",
            "axis",
            "SupportsIndex | tuple[SupportsIndex, ...]",
        ),
        ("array_like", "x", "_ArrayLike"),
        ("float or array_like of floats", "q", "_ArrayLike"),
        ("cupric.ndarray, shape (..., m, n)", "a", "ndarray"),
        ("cupric.ndarray of bool, optional", "where", "ndarray"),
        ("{'C', 'F'}, optional", "order", "Literal['C', 'F']"),
        ("{None, 'stable'}", "kind", "Literal['stable'] | None"),
        ("sequence of cupric.ndarray", "arrays", "Sequence[ndarray]"),
        ("cupric.cuda.Stream, optional", "stream", "Stream"),
        ("what nobody wrote", "x", None),
    ],
)
@needs_tools
def test_phrases(text, name, kind, monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from tools import phrases

    assert phrases.taken(text, {"Stream": "Stream"}, name) == kind


def pyright(*files):
    pytest.importorskip("pyright")
    result = run(
        "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, *files
    )
    return json.loads(result.stdout)["generalDiagnostics"]


def test_pyright_takes_what_is_right():
    assert pyright(*RIGHT) == []


def test_pyright_finds_what_is_wrong():
    found = {d["range"]["start"]["line"] + 1 for d in pyright(WRONG)}
    assert sorted(found) == marked()


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
