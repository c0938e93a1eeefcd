"""What a build decides before it compiles: for which GPUs, and what it says of that."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CUDA = ROOT / "tools/cuda.py"

pytestmark = pytest.mark.skipif(not (ROOT / "tools").is_dir(), reason="no sources here")

DECIDED = """
import sys
import setuptools
from distutils.core import run_setup
made = run_setup("setup.py", ["--name"], stop_after="init")
from tools import cuda
print(repr(cuda.archs()))
print(cuda.plan())
print(*(e.name.rpartition(".")[2] for e in made.ext_modules))
"""


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def decided(tmp_path):
    """What a build decides where there are a toolkit and GPUs of these capabilities:
    the architectures, its plan, and the libraries."""
    pytest.importorskip("setuptools")

    def run(*capabilities, **env):
        home = tmp_path / "cuda"
        (home / "include").mkdir(parents=True, exist_ok=True)
        (home / "include/cuda.h").touch()
        program(home / "bin/nvcc", 'echo "release 13.0, V13.0.88"')
        fails = "" if capabilities else "; exit 9"
        lines = "\\n".join(capabilities)
        program(tmp_path / "nvidia-smi", f'printf "{lines}\\n"{fails}')
        known = {k: v for k, v in os.environ.items() if not k.startswith("CUPRIC_")}
        path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
        known |= {"CUDA_HOME": str(home), "PATH": path, **env}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", DECIDED],
            cwd=ROOT,
            env=known,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        archs, plan, libraries = done.stdout.splitlines()[-3:]
        return archs, plan, set(libraries.split())

    return run


def test_device_code_is_compiled_for_the_gpus_of_the_machine(decided):
    archs, plan, libraries = decided("9.0", "8.0", "9.0")
    assert archs == "'80;90'"
    assert "compiled now for architectures 80;90" in plan
    assert {"_core", "_host", "_cuda", "_cub"} == libraries


def test_without_a_gpu_no_device_code_is_compiled(decided):
    archs, plan, libraries = decided()
    assert archs == "''"
    assert "when they are first used; CUPRIC_CUDA_ARCHS names" in plan
    assert {"_core", "_host", "_cuda"} == libraries


@pytest.mark.parametrize(
    ("asked", "archs", "said"),
    [
        ("all", "None", "compiled now for all architectures"),
        ("90", "'90'", "compiled now for architecture 90"),
        ("", "''", "compiled when they are first used"),
    ],
)
def test_what_is_asked_for_goes_before_what_is_there(decided, asked, archs, said):
    made, plan, libraries = decided("8.6", CUPRIC_CUDA_ARCHS=asked)
    assert made == archs
    assert said in plan
    assert ("_cub" in libraries) == bool(asked)


def test_without_the_cuda_device_no_gpu_counts(decided):
    archs, plan, libraries = decided("9.0", CUPRIC_CUDA="0")
    assert archs == "''"
    assert plan == "no CUDA device (CUPRIC_CUDA=0)"
    assert {"_core", "_host"} == libraries


def test_wheels_are_for_all_gpus_and_what_is_checked_for_most():
    wheel = re.search(r"(?m)^wheel:.*\n(\t.*\n)+", (ROOT / "Makefile").read_text())[0]
    assert "CUPRIC_CUDA_ARCHS-all" in wheel
    usual = re.search(r"USUAL_ARCHS = \((.*)\)", CUDA.read_text())[1].split(", ")
    before, after = (ROOT / ".ci/run").read_text().split('eval "$install"')[:2]
    asked = re.search(r"export CUPRIC_CUDA_ARCHS='(.*)'", before)[1].split(";")
    assert asked == usual[1:]  # tests take the first of these for the machine's
    assert "make wheel" in after


PROGRESS = """
import os, sys
from pathlib import Path
sys.path.insert(0, ".")
from tools import objects
from tools.objects import Compilation
folder = Path(sys.argv[1])
sources = [folder / f"{name}.c" for name in "ab"]
for source in sources:
    source.write_text("int x;")
made = [
    Compilation(s, s.with_suffix(".o"), (), ("true", "-c"), "-Werror", "1")
    for s in sources
]
objects.compile_all(made, folder, lambda: "the plan")
os._exit(0)  # what is not flushed is lost
"""


def test_a_build_shows_its_progress_through_a_pipe(tmp_path):
    """As `pip install -v` reads it: each line when it is printed, not when the build
    ends."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRESS, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "cupric: the plan"
    assert [line[:5] for line in lines[1:]] == ["[1/2]", "[2/2]"]


def test_kernels_of_cuda_show_their_progress(capsys):
    sys.path.insert(0, str(ROOT))
    from tools import part_of_package

    say = part_of_package("cupric/_lib/kernels/_archive.py").progress(3, every=0.0)
    for _ in range(3):
        say()
    said = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in said] == [
        f"[kernels] {n}/3 units" for n in (1, 2, 3)
    ]
