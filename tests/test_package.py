"""The package as installed: what it brings, what importing it does."""

import json
import subprocess
import sys
from pathlib import Path

import cupric

FOLDER = Path(cupric.__file__).resolve().parent

IMPORT = """
import json, sys, threading
import numpy
before, threads = set(sys.modules), threading.active_count()
import cupric
threads = threading.active_count() - threads
print(json.dumps([sorted(set(sys.modules) - before), threads]))
"""


def test_headers_for_kernels_are_there():
    include = FOLDER / "include"
    assert (include / "cupric" / "types.hpp").is_file()
    assert (include / "host" / "cuda_runtime.h").is_file()


def test_import_is_light():
    """No optional package, no test tools, no thread: `import cupric` stays quick."""
    text = subprocess.run(
        [sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True
    ).stdout
    modules, threads = json.loads(text)
    tops = {name.partition(".")[0] for name in modules}
    assert not tops & {"scipy", "ml_dtypes", "matplotlib", "torch", "numpy.testing"}
    assert "numpy.testing" not in modules
    assert threads == 0


def test_version_is_the_installed_one():
    pyproject = Path(__file__).resolve().parents[1] / "pyproject.toml"
    if pyproject.is_file():
        assert f'version = "{cupric.__version__}"' in pyproject.read_text()
