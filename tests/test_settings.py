"""Settings of the environment: what they cannot mean is refused, by name."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cupric as cp

PACKAGE = Path(cp.__file__).resolve().parents[1]
PROGRAM = "import cupric as cp; print((cp.ones(3) + 1).tolist())"


def run(**settings):
    env = dict(os.environ, PYTHONPATH=str(PACKAGE), **settings)
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CUPRIC_DEVICE", "abacus"),
        ("CUPRIC_NUM_THREADS", "many"),
        ("CUPRIC_NUM_THREADS", "0"),
        ("CUPRIC_NUM_THREADS", "-2"),
        ("CUPRIC_NUM_THREADS", "2x"),
        ("CUPRIC_NUM_THREADS", "99999999999999999999"),
        ("CUPRIC_POOL", "pages!"),
        ("CUPRIC_POOL", "Plain"),
        ("CUPRIC_DEBUG", "verbose"),
        ("CUPRIC_DEBUG", "4"),
        ("CUPRIC_DEBUG", "-1"),
        ("CUPRIC_DEBUG", "launches"),
        ("CUPRIC_CHECK", "yes"),
        ("CUPRIC_CHECK", "2"),
        ("CUPRIC_AVAILABLE", "host"),
        ("_CUPRIC_TESTING", "most"),
        ("CUPRIC_HOST_DEVICES", "0"),
        ("CUPRIC_HOST_DEVICES", "65"),
        ("CUPRIC_HOST_DEVICES", "1.5"),
        ("CUPY_CACHE_IN_MEMORY", "yes"),
        ("CUPY_CUDA_PER_THREAD_DEFAULT_STREAM", "2"),
        ("CUPY_SEED", "-1"),
        ("CUPY_TF32", "on"),
    ],
)
def test_rubbish_is_refused(name, value):
    done = run(**{name: value})
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f'ValueError: the environment variable {name} is "{value}"')
    assert "it can be" in last


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CUPRIC_NUM_THREADS", "1"),
        ("CUPRIC_POOL", "plain"),
        ("CUPRIC_DEBUG", "0"),
        ("CUPRIC_DEBUG", "3"),
        ("CUPRIC_DEBUG", "launch"),
        ("CUPRIC_DEBUG", "2,launch"),
        ("CUPRIC_CHECK", "0"),
        ("CUPRIC_CHECK", "1"),
        ("CUPRIC_CHECK", "races"),
        ("CUPRIC_AVAILABLE", "cuda"),
        ("CUPRIC_AVAILABLE", "any"),
        ("CUPRIC_HOST_DEVICES", "2"),
        ("CUPRIC_NUM_THREADS", ""),
        ("CUPY_CUDA_PER_THREAD_DEFAULT_STREAM", "1"),
        ("CUPY_COMPILE_WITH_PTX", "1"),
        ("CUPY_TF32", "1"),
        ("CUPY_GPU_MEMORY_LIMIT", "0"),
        ("CUPY_ACCELERATORS", "cub,cutensor"),
    ],
)
def test_values_of_the_table(name, value):
    assert run(**{name: value}).stdout == "[2.0, 2.0, 2.0]\n"


# ---- CuPy's --------------------------------------------------------------------------


def result(program, **settings):
    env = {
        k: v for k, v in os.environ.items() if not k.startswith(("CUPY_", "CUPRIC_C"))
    }
    env = dict(env, PYTHONPATH=str(PACKAGE), **settings)
    done = subprocess.run(
        [sys.executable, "-c", "import cupric as cp\n" + program],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def test_cupys_seed():
    program = "print(cp.random.rand(3).tolist(), cp.random.randint(0, 9, 3).tolist())"
    first = result(program, CUPY_SEED="7").stdout
    assert result(program, CUPY_SEED="7").stdout == first
    assert result(program, CUPY_SEED="8").stdout != first
    seeded = result("cp.random.seed(7)\n" + program).stdout
    assert seeded == first
    large = str(2**90)
    assert result(program, CUPY_SEED=large).stdout != first


def test_cupys_memory_limit():
    program = "print(cp.get_default_memory_pool().get_limit())"
    assert result(program, CUPY_GPU_MEMORY_LIMIT="1048576").stdout == "1048576\n"
    both = {"CUPY_GPU_MEMORY_LIMIT": "1048576", "CUPRIC_MEMORY_LIMIT": "2097152"}
    assert result(program, **both).stdout == "2097152\n"
    assert result(program, CUPY_GPU_MEMORY_LIMIT="0").stdout == "0\n"
    program = "try:\n    cp.ones(3)\nexcept ValueError as error:\n    print(error)"
    assert (
        "CUPY_GPU_MEMORY_LIMIT is" in result(program, CUPY_GPU_MEMORY_LIMIT="x").stdout
    )


KERNEL = """
k = cp.RawKernel('extern "C" __global__ void k(int *x) { x[0] = 7; }', "k")
x = cp.zeros(1, "i4")
k((1,), (1,), (x,))
assert int(x[0]) == 7
"""


def test_cupys_folder_of_kernels(tmp_path):
    def files(folder):  # without those of the driver's own cache
        return [p for p in folder.rglob("*") if p.is_file() and ".nv" not in p.parts]

    theirs, ours, home = tmp_path / "theirs", tmp_path / "ours", tmp_path / "home"
    home.mkdir()
    places = {"CUPY_CACHE_DIR": str(theirs), "HOME": str(home), "XDG_CACHE_HOME": ""}
    result(KERNEL, CUPY_CACHE_IN_MEMORY="1", **places)
    assert files(tmp_path) == []
    result(KERNEL, **places)
    assert files(theirs)
    assert not files(home)
    result(KERNEL, CUPRIC_CACHE_DIR=str(ours), CUPY_CACHE_IN_MEMORY="1", **places)
    assert files(ours)


def test_cupys_dump_of_a_source(tmp_path):
    program = """
try:
    cp.RawKernel('extern "C" __global__ void k(int *x) { mistaken; }', "k").compile()
except cp.cuda.compiler.CompileException:
    pass
"""
    place = {"CUPRIC_CACHE_DIR": str(tmp_path)}
    assert (
        "mistaken; }"
        in result(program, CUPY_DUMP_CUDA_SOURCE_ON_ERROR="1", **place).stderr
    )
    assert result(program, **place).stderr == ""


def test_cupys_debugging_information(tmp_path):
    """The binaries are larger, and are kept beside the others."""
    sizes = []
    for settings in ({}, {"CUPY_CUDA_COMPILE_WITH_DEBUG": "1"}):
        result(KERNEL, CUPRIC_CACHE_DIR=str(tmp_path), **settings)
        sizes.append(sum(p.stat().st_size for p in tmp_path.rglob("*") if p.is_file()))
    assert sizes[1] > 2 * sizes[0]


def test_cupys_assembly(tmp_path):
    result(KERNEL, CUPRIC_CACHE_DIR=str(tmp_path), CUPY_COMPILE_WITH_PTX="1")


STREAMS = """
import threading
null, own = cp.cuda.Stream.null, cp.cuda.Stream.ptds

def look(found):
    s = cp.cuda.get_current_stream()
    with null:
        inside = cp.cuda.get_current_stream()
    after = cp.cuda.get_current_stream()
    x = cp.arange(1000) + 1
    found.append((s == own, s == null, inside == null, after == s, int(x.sum())))

found = []
look(found)
t = threading.Thread(target=look, args=(found,))
t.start()
t.join()
s = cp.cuda.Stream()
with s:
    assert cp.cuda.get_current_stream() == s
null.use()
assert cp.cuda.get_current_stream() == null
print(found)
"""


def test_cupys_default_stream_of_each_thread():
    found = result(STREAMS, CUPY_CUDA_PER_THREAD_DEFAULT_STREAM="1").stdout
    assert found == str([(True, False, True, True, 500500)] * 2) + "\n"
    found = result(STREAMS).stdout
    assert found == str([(False, True, True, True, 500500)] * 2) + "\n"


def test_cupys_accelerators():
    program = (
        "from cupric._core import get_routine_accelerators as get\n"
        "print(get(), cp._core.get_reduction_accelerators())"
    )
    assert result(program, CUPY_ACCELERATORS="cutensor,cub").stdout == "[2, 1] [2, 1]\n"
    assert result(program).stdout == "[1] [1]\n"


@pytest.mark.parametrize("name", ["CUPY_TF32", "CUPY_CUDA_ARRAY_INTERFACE_SYNC"])
@pytest.mark.parametrize("value", ["0", "1"])
def test_cupys_switches(name, value):
    program = "x = cp.eye(64, dtype='f4'); print(float((x @ x).sum()))"
    assert result(program, **{name: value}).stdout == "64.0\n"
