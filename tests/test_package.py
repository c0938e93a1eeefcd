"""The package: what it brings, what importing it does, what tools see of it."""

import ast
import importlib
import json
import os
import re
import subprocess
import sys
import tarfile
from importlib import metadata
from pathlib import Path

import pytest

import cupric
import cupricx
from cupric._deprecated import ALIASES

FOLDER = Path(cupric.__file__).resolve().parent
ROOT = Path(__file__).resolve().parents[1]

IMPORT = """
import json, sys, threading
import numpy
before, threads = set(sys.modules), threading.active_count()
import cupric
threads = threading.active_count() - threads
print(json.dumps([sorted(set(sys.modules) - before), threads]))
"""

needs_tree = pytest.mark.skipif(
    not (ROOT / "pyproject.toml").is_file(), reason="no sources here"
)


def run(*command, **kwargs):
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **kwargs.pop("env", {})},
        **kwargs,
    )


def test_headers_for_kernels_are_there():
    include = FOLDER / "include"
    assert (include / "cupric" / "types.hpp").is_file()
    assert (include / "host" / "cuda_runtime.h").is_file()


def test_import_is_light():
    """No optional package, no test tools, no thread: `import cupric` stays quick."""
    modules, threads = json.loads(run("-c", IMPORT).stdout)
    tops = {name.partition(".")[0] for name in modules}
    assert not tops & {"scipy", "ml_dtypes", "matplotlib", "torch", "numpy.testing"}
    assert "numpy.testing" not in modules
    assert threads == 0


# ---- metadata and the source distribution --------------------------------------------


@needs_tree
def test_version_is_the_installed_one():
    assert f'version = "{cupric.__version__}"' in (ROOT / "pyproject.toml").read_text()


SDIST = """
import sys
from setuptools import build_meta
print(build_meta.build_sdist(sys.argv[1]))
"""


def kept_files():
    """The files of the tree, of which git knows."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode or "pyproject.toml" not in listed.stdout.split():
        pytest.skip("the tree is not a clone")
    return {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}


@needs_tree
def test_sdist_is_the_tree(tmp_path):
    """All that git keeps and nothing else, so that it builds and every target of its
    Makefile works. Its metadata are of the present form."""
    version = metadata.version("setuptools")
    if int(version.partition(".")[0]) < 77:
        pytest.skip(f"setuptools {version} knows no licence expressions")
    expected = kept_files()
    made = run("-W", "ignore", "-c", SDIST, str(tmp_path), cwd=ROOT)
    assert made.returncode == 0, made.stderr
    with tarfile.open(tmp_path / made.stdout.split()[-1]) as archive:
        files = [m.name for m in archive.getmembers() if not m.isdir()]
        top = f"cupric-{cupric.__version__}/"
        info = archive.extractfile(top + "PKG-INFO").read().decode()
    names = {name.removeprefix(top) for name in files}
    assert names - {"PKG-INFO", "setup.cfg"} == expected
    assert "examples/gpu_lesson.py" in names  # what `make demo` runs
    assert "License-Expression: MIT\n" in info
    assert "License-File: LICENSE\n" in info
    assert re.search("(?m)^Keywords: .*numpy", info)
    assert "Classifier: License ::" not in info
    assert "Project-URL" not in info


# ---- names that tools see without running the package --------------------------------

SPACES = [
    "cupric",
    "cupric.cuda",
    "cupric.exceptions",
    "cupric.fft",
    "cupric.linalg",
    "cupric.random",
    "cupric.testing",
    "cupricx",
    "cupricx.kernels",
    "cupricx.profiler",
    "cupricx.scipy.linalg",
    "cupricx.scipy.ndimage",
    "cupricx.scipy.signal",
    "cupricx.scipy.signal.windows",
    "cupricx.scipy.special",
    "cupricx.signal",
]
MODULES = sorted(
    path.relative_to(folder.parent)
    for folder in (FOLDER, Path(cupricx.__file__).resolve().parent)
    for path in folder.rglob("*.py")
)


def source_of(path):
    holder = FOLDER if path.parts[0] == "cupric" else Path(cupricx.__file__).parent
    return (holder.parent / path).read_text()


def exported(path):
    """`__all__` as it stands in a file; None where there is none."""
    found = []
    for node in ast.walk(ast.parse(source_of(path))):
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            found.append(node)
    if not found:
        return None
    assert len(found) == 1, f"{path}: __all__ is given once"
    assert isinstance(found[0], ast.Assign), f"{path}: __all__ is computed"
    return ast.literal_eval(found[0].value)  # raises where it is computed


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_all_is_a_list_of_names(path):
    names = exported(path)
    if names is not None:
        assert isinstance(names, list)
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_all_has_every_public_name(space):
    module = importlib.import_module(space)
    assert exported(Path(module.__file__).relative_to(FOLDER.parent)) == module.__all__
    assert all(hasattr(module, name) for name in module.__all__)
    documented = json.loads((ROOT / "tests/interface/names.json").read_text())
    names = {n for n in documented.get(space, ()) if hasattr(module, n)}
    if space == "cupric":  # whatever can be used is listed
        names |= {n for n in dir(module) if not n.startswith("_")} - {"core"}
        assert module.__all__ == sorted(module.__all__)
    hidden = {"__version__", "nvtx_enabled"}  # the last warns that it is deprecated
    hidden |= set(ALIASES)  # as do these
    hidden.add("load_ipython_extension")  # what `%load_ext` looks for
    assert names - set(module.__all__) - hidden - lazy(module) == set()


def lazy(module):
    """Names that `__getattr__` gives; tools allow any of a module that has it."""
    return set(getattr(module, "_NAMES", ())) | set(getattr(module, "_MODULES", ()))


def test_star_import_gives_functions_and_no_modules_of_ours():
    namespace = {}
    exec("from cupric import *", namespace)
    assert namespace["split"] is cupric.split
    assert namespace["pad"] is cupric.pad
    assert "edit" not in namespace


def test_mypy_sees_every_name(tmp_path):
    pytest.importorskip("mypy")
    lines = [f"import {space}\n" for space in SPACES]
    for space in SPACES:
        names = importlib.import_module(space).__all__
        lines += [f"{space}.{name}\n" for name in names]
    lines.append("cupric.no_such_name\n")
    (tmp_path / "program.py").write_text("".join(lines))
    result = run(
        *("-m", "mypy", "--no-implicit-reexport", "--follow-imports=silent"),
        *("--cache-dir", str(tmp_path / "cache"), "program.py"),
        cwd=tmp_path,
        env={"MYPYPATH": str(FOLDER.parent)}
        if "site-packages" not in str(FOLDER)
        else {},
    )
    errors = [line for line in result.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 1, result.stdout + result.stderr
    assert f"program.py:{len(lines)}:" in errors[0]


def test_functions_have_docstrings():
    """Those borrowed from NumPy too."""
    empty = [
        name
        for name in cupric.__all__
        if callable(getattr(cupric, name)) and not getattr(cupric, name).__doc__
    ]
    assert empty == []


# ---- what the README says is there ---------------------------------------------------


@needs_tree
def test_readme_names_the_modules_that_are_not_there():
    page = (ROOT / "README.md").read_text().partition("Not there at all:")[2]
    text = page.partition("\n\n")[0]
    names = re.findall(r"`(\w[\w.]*)`", text)
    below, cuda = names.index("cupricx.scipy"), names.index("cupric.cuda")
    absent = names[:below]
    absent += [f"cupricx.scipy.{name}" for name in names[below + 1 : cuda]]
    absent += [f"cupric.cuda.{name}" for name in names[cuda + 1 :]]
    assert "cupricx.scipy.stats" in absent
    for module in absent:
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(module)


# ---- show_config ---------------------------------------------------------------------

CONFIG = "import cupric; cupric.show_config()"


def shown(text):
    return {
        k.strip(): v for k, v in (line.split(": ", 1) for line in text.splitlines())
    }


def test_show_config():
    result = run("-c", CONFIG, env={"CUPRIC_DEVICE": "host", "CUPRIC_CACHE_DIR": "/x"})
    rows = shown(result.stdout)
    assert result.stderr == ""
    assert rows["cupric version"] == cupric.__version__
    assert rows["NumPy version"].startswith(metadata.version("numpy"))
    assert rows["Device 0"].startswith("host: ")
    assert rows["CUDA"] == "not in use: CUPRIC_DEVICE is host"
    assert rows["Kernel cache"] == "/x"
    assert {"CUPRIC_CACHE_DIR=/x", "CUPRIC_DEVICE=host"} <= {*rows["Settings"].split()}
    assert "C++ compiler" in rows


def test_show_config_where_there_is_no_device():
    result = run("-c", CONFIG, env={"CUPRIC_DEVICE": "abacus"})
    assert result.stderr == ""
    assert 'CUPRIC_DEVICE is "abacus"' in shown(result.stdout)["Device"]


def test_show_config_imports_and_allocates_nothing():
    code = f"{CONFIG}; import sys; pool = cupric.get_default_memory_pool()"
    code += "; print('used:', pool.total_bytes(), 'scipy' in sys.modules)"
    assert shown(run("-c", code).stdout)["used"] == "0 False"
