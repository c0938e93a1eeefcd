"""Programs that say `cupy`: each in a process of its own, as the name stays."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric as cp

PACKAGE = Path(cp.__file__).resolve().parents[1]
INSTALL = "import cupric\ncupric.install_as_cupy()\n"


def run(code, *options, **env):
    """What the program prints."""
    result = subprocess.run(
        [sys.executable, *options, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(PACKAGE), **env},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("cupyx", "cupricx"),
        ("cupy.linalg", "cupric.linalg"),
        ("cupy.cuda.runtime", "cupric.cuda.runtime"),
        ("cupyx.scipy.ndimage", "cupricx.scipy.ndimage"),
        ("cupy.core", "cupric.core"),
        ("cupy._core", "cupric.core"),
        ("cupy._core.core", "cupric.core.core"),
        ("cupy.core.dlpack", "cupric.core.dlpack"),
        ("cupy._util", "cupric._memoize"),
        ("cupy_backends.cuda.api.runtime", "cupric.cuda.runtime"),
        ("cupy_backends.cuda.api.driver", "cupric.cuda.driver"),
        ("cupy_backends.cuda.libs.nvrtc", "cupric.cuda.nvrtc"),
        ("cupy_backends.cuda.libs.nvtx", "cupric.cuda.nvtx"),
        ("cupy_backends.cuda.libs.profiler", "cupric.cuda.profiler"),
        ("cupy_backends.cuda.stream", "cupric.cuda.stream"),
    ],
)
def test_modules_are_the_same_objects(theirs, ours):
    run(
        INSTALL
        + f"import {theirs}, {ours}\n"
        + f"assert {theirs} is {ours}, {theirs}\n"
        + f"assert {ours}.__spec__.name == {ours}.__name__ == '{ours}'\n"
    )


def test_names_of_the_top_are_the_same_objects():
    run(
        INSTALL
        + "import cupy\n"
        + "assert cupy.__all__ is cupric.__all__\n"
        + "for name in cupric.__all__:\n"
        + "    assert getattr(cupy, name) is getattr(cupric, name), name\n"
        + "public = {name for name in dir(cupy) if name[0] != '_'}\n"
        + "assert public == {n for n in cupric.__all__ if n[0] != '_'}, public\n"
        + "from cupy import *\n"
        + "assert ndarray is cupric.ndarray\n"
        + "assert cupy._core.core.ndarray is cupy.core.core.ndarray is cupric.ndarray\n"
        + "assert cupy.lib.stride_tricks is cupric.lib.stride_tricks\n"
    )


def test_nothing_is_imported_before_it_is_asked_for():
    printed = run(
        "import cupric, sys\n"
        "before = set(sys.modules)\n"
        "cupric.install_as_cupy()\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    assert "cupricx" not in printed
    modules = [name for name in printed.split() if "cup" in name]
    assert modules == ["cupy"]


def test_who_it_says_it_is():
    printed = run(
        INSTALL
        + "import cupy\n"
        + "x = cupy.arange(3)\n"
        + "print(type(x).__module__, type(x).__name__, type(cupy.add).__module__)\n"
        + "print(cupy.__name__, x.__array_namespace__().__name__)\n"
        + "print(cupy.get_array_module(x) is cupy, cupric.__name__)\n"
        + "print(repr(x), type(x), cupric.__version__)\n"
        + "print(int(cupy.__version__.split('.')[0]) >= 14)\n"
    )
    assert printed.splitlines() == [
        "cupy ndarray cupy",
        "cupy cupy",
        "True cupric",
        f"array([0, 1, 2]) <class 'cupy.ndarray'> {cp.__version__}",
        "True",
    ]


def test_without_it_names_are_ours():
    x = cp.arange(3)
    assert type(x).__module__ == type(cp.add).__module__ == "cupric"
    assert cp.get_array_module(x) is x.__array_namespace__() is cp


PICKLED = """
import pickle
import {0} as cp
things = [cp.arange(6.0).reshape(2, 3), cp.add, cp.random.default_rng(3)]
things.append(cp.poly1d([1, 2]))
with open({1!r}, "wb") as file:
    pickle.dump(things, file)
"""

UNPICKLED = """
import pickle
import {0} as cp
with open({1!r}, "rb") as file:
    x, add, rng, poly = pickle.load(file)
assert type(x) is cp.ndarray and x.shape == (2, 3) and x.sum() == 15
assert add is cp.add
assert rng.random() == cp.random.default_rng(3).random()
assert poly(2) == 4
"""


@pytest.mark.parametrize("writer", ["cupy", "cupric"])
@pytest.mark.parametrize("reader", ["cupy", "cupric"])
def test_pickles_are_read_under_either_name(tmp_path, writer, reader):
    path = str(tmp_path / "things.pickle")
    for name, code in ((writer, PICKLED), (reader, UNPICKLED)):
        run((INSTALL if name == "cupy" else "") + code.format(name, path))


def test_pickles_with_the_class_are_still_read():
    """As they were written before, and are of subclasses."""
    function, arguments = cp.arange(3).__reduce__()
    assert len(arguments) == 1
    x = function(cp.ndarray, *arguments)
    assert type(x) is cp.ndarray
    np.testing.assert_array_equal(x.get(), [0, 1, 2])
    with pytest.raises(TypeError, match="not a subclass"):
        function(int, *arguments)
    with pytest.raises(TypeError):
        function()
    assert b"ndarray\x94" in pickle.dumps(cp.ndarray)


@pytest.mark.only_on("host")
@pytest.mark.parametrize(
    ("prefix", "env", "answer"),
    [
        ("", {}, "False"),
        (INSTALL, {}, "True"),
        (INSTALL, {"CUPRIC_AVAILABLE": "cuda"}, "False"),
        ("", {"CUPRIC_AVAILABLE": "any"}, "True"),
    ],
)
def test_whether_a_device_is_available(prefix, env, answer):
    printed = run(
        prefix
        + "import cupric as cp\n"
        + "print(cp.is_available(), cp.cuda.is_available())\n"
        + "assert cp.cuda.runtime.getDeviceCount() == 1\n",
        CUPRIC_DEVICE="host",
        **env,
    )
    assert printed == f"{answer} {answer}\n"


@pytest.mark.parametrize("name", ["cupy", "cupyx"])
def test_the_other_package_is_there_already(name):
    printed = run(
        "import sys, types\n"
        f"other = sys.modules[{name!r}] = types.ModuleType({name!r})\n"
        "other.__version__, other.__file__ = '13.0', '/lib/other.py'\n"
        "import cupric\n"
        "try:\n"
        "    cupric.install_as_cupy()\n"
        "except RuntimeError as error:\n"
        "    print(error)\n"
        "x = cupric.arange(3)\n"
        "assert type(x).__module__ == x.__array_namespace__().__name__ == 'cupric'\n"
        f"assert sys.modules[{name!r}] is other\n"
    )
    assert f"{name} 13.0 is imported already, from /lib/other.py" in printed


@pytest.mark.parametrize(
    "statement",
    [
        "import cupyx.jit",
        "from cupyx import jit",
        "import cupy.cuda.cudnn",
        "from cupy.cuda import cutensor",
        "cupyx.jit",
        "cupyx.scipy.stats",
        "from cupyx.scipy.spatial import KDTree",
        "cupyx.scipy.interpolate.BSpline",
        "import cupy_backends.cuda.libs.cudnn",
    ],
)
def test_what_of_cupys_is_lacking_says_so(statement):
    printed = run(
        INSTALL
        + "import cupy, cupyx.scipy.special\n"
        + "try:\n"
        + f"    {statement}\n"
        + "except (ImportError, AttributeError) as error:\n"
        + "    print(type(error).__name__, error)\n"
    )
    kind, _, message = printed.partition(" ")
    wanted = ("ImportError", "ModuleNotFoundError") if "import" in statement else ()
    assert kind in (wanted or ("AttributeError",))
    assert "is not in cupric" in message
    assert "docs/coverage.md" in message


def test_lacking_modules_are_no_attributes():
    run(
        INSTALL
        + "import cupyx.scipy\n"
        + "assert cupyx.scipy.special is __import__('cupricx.scipy.special', "
        + "fromlist=['erf'])\n"
        + "assert hasattr(cupyx.scipy, 'ndimage') and 'signal' in dir(cupyx.scipy)\n"
        + "assert not hasattr(cupyx.scipy, 'no_such')\n"
    )


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("import cupy.no_such", "No module named 'cupy.no_such'"),
        ("from cupyx import no_such", "cannot import name 'no_such'"),
        ("cupy.no_such", "has no attribute 'no_such'"),
        ("cupyx.scipy.signal.no_such", "has no attribute 'no_such'"),
        ("import cupy_backends.no_such", "No module named 'cupy_backends.no_such'"),
    ],
)
def test_names_of_nobody_raise_as_ever(statement, message):
    printed = run(
        INSTALL
        + "import cupy, cupyx.scipy.signal\n"
        + "try:\n"
        + f"    {statement}\n"
        + "except (ImportError, AttributeError) as error:\n"
        + "    print(error)\n"
    )
    assert message in printed
    assert "is not in cupric" not in printed


def test_importlib_finds_what_is_there():
    run(
        INSTALL
        + "from importlib.util import find_spec\n"
        + "assert find_spec('cupy').name == 'cupy'\n"
        + "assert find_spec('cupy.linalg') is not None\n"
        + "assert find_spec('cupy.no_such') is None\n"
        + "import cupric.linalg\n"
        + "assert cupric.linalg.__spec__.name == 'cupric.linalg'\n"
    )


def test_internals():
    run(
        INSTALL
        + "from cupy._core.internal import _normalize_axis_index, prod\n"
        + "from cupy._core.internal import _normalize_axis_indices as indices\n"
        + "from cupy._core._scalar import get_typename\n"
        + "from cupy._core._kernel import ElementwiseKernel\n"
        + "assert prod((2, 3)) == 6 and _normalize_axis_index(-1, 3) == 2\n"
        + "assert indices((-1, 0), 3) == (0, 2) and indices(None, 2) == (0, 1)\n"
        + "import numpy as np\n"
        + "for dtype in '?bBhHiIlLqQfdFD':\n"
        + "    kernel = ElementwiseKernel(f'T x', f'T y',\n"
        + "        f'{get_typename(dtype)} z = x; y = z;', f'copy_{ord(dtype)}')\n"
        + "    assert kernel(cupric.ones(2, dtype)).dtype == np.dtype(dtype)\n"
        + "try:\n"
        + "    get_typename('O')\n"
        + "except ValueError as error:\n"
        + "    assert 'object' in str(error)\n"
    )


def test_pytest_takes_it_as_a_plugin(tmp_path):
    (tmp_path / "test_program.py").write_text(
        "import cupy\n\n\ndef test_sum():\n    assert cupy.arange(3).sum() == 3\n"
    )
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "cupric.as_cupy", "-W", "error"]
        + ["-p", "no:benchmark"],  # which warns below pytest-xdist
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
    )
    assert "1 passed" in result.stdout, result.stdout + result.stderr


def test_notebooks_load_it_as_an_extension():
    run(
        "import cupric\n"
        "class Shell:\n"
        "    def register_magic_function(self, function, kind, name):\n"
        "        self.magic = name\n"
        "shell = Shell()\n"
        "cupric.load_ipython_extension(shell)\n"
        "import cupy\n"
        "assert cupy.ndarray is cupric.ndarray\n"
        "assert shell.magic == 'gpu_timeit'\n"
    )
