"""What comes before the first result: importing, the first use of each operation, the
first call of a user's kernel.

Each figure is the median over fresh processes with empty caches, unless it says that
they are warm. A GPU's context is made before the clock starts where a row is about one
call.
"""

import contextlib
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile

import ndimage_calls
from measure import Case, device_kind, finish

RUNS = 5  # processes; of rivals, which take longer, two
CACHES = ("CUPRIC_CACHE_DIR", "CUPY_CACHE_DIR", "CUDA_CACHE_PATH")

# ---- one call of a process -----------------------------------------------------------

PROBE = """
import time
{before}
def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096
memory, start = resident(), time.perf_counter()
{statement}
print(time.perf_counter() - start, resident() - memory)
"""
UP = "import numpy, {0} as xp\nx = xp.empty(3); xp.cuda.Device().synchronize()"
ELEMENTWISE = 'xp.ElementwiseKernel("T x", "T y", "y = x * x + 1", "k")(x)'
RAW = (
    "xp.RawKernel('extern \"C\" __global__ void k(double *x) { x[threadIdx.x] = 1; }',"
    ' "k")((1,), (3,), (x,))'
)
WAIT = "; xp.cuda.Device().synchronize()"

# NVRTC is loaded and has set itself up, which takes it longer than most kernels do.
COMPILED = (
    UP + "\nxp.RawKernel('extern \"C\" __global__ void a() {{ }}', 'a')((1,), (1,), ())"
    "\nxp.cuda.Device().synchronize()"
)

# The compiler alone, what no kernel can be faster than: a kernel that does nothing.
LOADED = (
    COMPILED
    + """
import ctypes
try:
    nvrtc = ctypes.CDLL("libnvrtc.so.13")
except OSError:
    nvrtc = ctypes.CDLL("libnvrtc.so.12")
source = b'extern "C" __global__ void b() {{ }}'
program, options = ctypes.c_void_p(), (ctypes.c_char_p * 1)(b"--gpu-architecture=sm_80")
"""
)
NOTHING = (
    "nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, None, 0, None, None)"
    "\nassert nvrtc.nvrtcCompileProgram(program, 1, options) == 0"
)

# What is measured, its preparation, whether caches are warm, what is due on a GPU (µs).
CASES = [
    ("import", "import numpy", "import {0} as xp", True, None),
    (
        "process: import … float(sum)",
        "",
        "import {0} as xp; float((xp.arange(10.) + 1).sum())",
        True,
        450_000,
    ),
    (
        "first call of a new ElementwiseKernel",
        COMPILED,
        ELEMENTWISE + WAIT,
        False,
        15_000,
    ),
    ("first call of a new RawKernel", COMPILED, RAW + WAIT, False, 15_000),
    ("NVRTC alone, an empty kernel", LOADED, NOTHING, False, None),
    (
        "the same, a process's first ElementwiseKernel",
        UP,
        ELEMENTWISE + WAIT,
        False,
        None,
    ),
    ("the same, a process's first RawKernel", UP, RAW + WAIT, False, None),
    ("ElementwiseKernel of the disk's cache", UP, ELEMENTWISE + WAIT, True, None),
]


def run(program, environment, *arguments):
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def environments(folder, runs, warm):
    """One for each run, and one before them: Python's own files are always warm, and
    kernels are compiled when cupric chooses."""
    pyc = {"PYTHONPYCACHEPREFIX": os.path.join(folder, "pyc")}
    without = ("PYTHONDONTWRITEBYTECODE", "CUPRIC_COMPILE")
    base = {k: v for k, v in os.environ.items() if k not in without}
    for number in range(runs + 1):
        cache = os.path.join(folder, "all" if warm else str(number))
        yield base | pyc | dict.fromkeys(CACHES, cache)


def probe(name, runs, before, statement, warm):
    """Median (microseconds, bytes resident) over fresh processes."""
    before, statement = before.format(name), statement.replace("{0}", name)
    program = PROBE.format(before=before, statement=statement)
    with tempfile.TemporaryDirectory() as folder:
        found = [
            [float(word) for word in run(program, environment).split()]
            for environment in environments(folder, runs, warm)
        ]
    seconds, nbytes = zip(*found[1:], strict=True)
    return statistics.median(seconds) * 1e6, statistics.median(nbytes)


# ---- the first use of every operation ------------------------------------------------

FIRST = """
import json, sys, time
import numpy as np
import numpy.random  # seeds need it: NumPy's own set-up, 20 ms
import {0} as xp
import {0}x.scipy.signal as signal
import {0}x.scipy.special as special
wait = xp.cuda.Device().synchronize
x = xp.asarray(np.linspace(-1, 1, 1024, dtype="f").reshape(32, 32))
y = xp.asarray(np.ones((32, 32), "f"))
wait()
counts = getattr(xp._core, "_builtin_kernel_counts", lambda: (0, 0, 0))
took = {{}}
for what, code in json.loads(sys.argv[1]):
    before, start = counts()[2], time.perf_counter()
    exec(code)
    wait()
    took[what] = (time.perf_counter() - start, counts()[2] - before)
print(json.dumps(took))
"""
# In this order in one process; what a library of NVIDIA's has to set up is not ours.
OPERATIONS = [
    ("xp.zeros", "xp.zeros((32, 32), 'f')", 2000),
    ("x + y", "x + y", 2000),
    ("xp.sin(x)", "xp.sin(x)", 2000),
    ("x * 2.0", "x * 2.0", 2000),
    ("x.astype('d')", "x.astype('d')", 2000),
    ("x[1:5] = 1", "x[1:5] = 1", 2000),
    ("x.T.copy()", "x.T.copy()", 2000),
    ("x.sum()", "x.sum()", 2000),
    ("x.sum(0)", "x.sum(0)", 2000),
    ("x.mean(1)", "x.mean(1)", 2000),
    ("x.argmax(1)", "x.argmax(1)", 2000),
    ("xp.cumsum(x)", "xp.cumsum(x)", 2000),
    ("x[x > 0]", "x[x > 0]", 2000),
    ("xp.where(x, x, y)", "xp.where(x, x, y)", 2000),
    ("xp.concatenate", "xp.concatenate([x, y])", 2000),
    ("xp.arange", "xp.arange(100)", 2000),
    ("xp.sort(x)", "xp.sort(x)", 2000),
    ("random.random", "xp.random.random(100)", 2000),
    ("signal.convolve2d", "signal.convolve2d(x, y[:3, :3])", 2000),
    ("xp.searchsorted", "xp.searchsorted(y[0], x)", 2000),
    ("xp.digitize", "xp.digitize(x, y[0])", 2000),
    ("xp.histogram", "xp.histogram(x, 10)", 2000),
    ("xp.bincount", "xp.bincount(xp.arange(100))", 2000),
    ("xp.isin", "xp.isin(x, y[0])", 2000),
    ("xp.add.at", "xp.add.at(x, 3, y[0])", 2000),
    ("xp.add.reduceat", "xp.add.reduceat(x, [0, 4])", 2000),
    ("xp.exp of complex", "xp.exp(x * 1j)", 2000),
    ("xp.arctanh", "xp.arctanh(x)", 2000),
    ("x ** y", "x ** y", 2000),
    ("xp.hypot", "xp.hypot(x, y)", 2000),
    ("special.gamma", "special.gamma(x)", 2000),
    ("x @ y", "x @ y", 2000),
    ("x @ y, 512x512 (cuBLAS)", "a = xp.zeros((512, 512), 'f'); a @ a", None),
    ("fft.fft (cuFFT)", "xp.fft.fft(x)", None),
]


def first_uses(name, runs):
    """What each operation took, the median over fresh processes, and how many kernels
    it had to compile: {operation: (microseconds, kernels)}."""
    listed = json.dumps([row[:2] for row in OPERATIONS])
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for environment in environments(folder, runs, warm=False):
            command = [sys.executable, "-c", FIRST.format(name), listed]
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=True
            )
            found.append(json.loads(done.stdout))
    return {
        what: (
            statistics.median(each[what][0] for each in found[1:]) * 1e6,
            found[-1][what][1],
        )
        for what, _, _ in OPERATIONS
    }


# ---- the first use of every function of scipy.ndimage --------------------------------

# Of a function in a process of its own: what it took beyond a warm call, how many
# kernels were compiled. An argument "-" measures nothing.
ONE_OF_NDIMAGE = """
import json, sys, time
sys.path.insert(0, {1!r})
import numpy as np
import {0} as xp
import {0}x.scipy.ndimage as nd
import ndimage_calls

if sys.argv[1] == "-":
    sys.exit()
small = xp.asarray if {0!r} == "cupy" else np.asarray
names = {{"nd": nd, **ndimage_calls.data(xp.asarray, small)}}
wait = xp.cuda.Device().synchronize
code = compile(ndimage_calls.statement(sys.argv[1]), "call", "exec")
times = []
xp.zeros(3)
for _ in range(8):
    wait()
    start = time.perf_counter()
    exec(code, names)
    wait()
    times.append(time.perf_counter() - start)
core = getattr(xp, "_core", None)
counts = getattr(core, "_kernel_cache_counts", lambda: (0,))()[0]
counts += getattr(core, "_builtin_kernel_counts", lambda: (0, 0, 0))()[2]
print(json.dumps([times[0] - min(times[1:]), counts]))
"""
NDIMAGE_RUNS = 3


def first_uses_of_ndimage(name, runs):
    """What the first call took beyond a warm one, the median over fresh processes, and
    how many kernels it had to compile: {function: (microseconds, kernels)}; without
    those that fail, as a rival has not all functions, or no compiler."""
    program = ONE_OF_NDIMAGE.format(name, os.path.dirname(os.path.abspath(__file__)))
    more = {"CXX": "false"} if name == "cupric" else {}
    functions, found = list(ndimage_calls.CALLS), {}
    runs = min(runs, NDIMAGE_RUNS)
    with tempfile.TemporaryDirectory() as folder:
        fresh = environments(folder, runs * len(functions), warm=False)
        run(program, next(fresh) | more, "-")
        for _, function in itertools.product(range(runs), functions):
            with contextlib.suppress(subprocess.CalledProcessError):
                answer = json.loads(run(program, next(fresh) | more, function))
                found.setdefault(function, []).append(answer)
    return {
        function: (statistics.median(us for us, _ in each) * 1e6, each[-1][1])
        for function, each in found.items()
        if len(each) == runs
    }


def rows_of_ndimage(names, quick):
    found = measured(names, quick, first_uses_of_ndimage)
    missing = ndimage_calls.CALLS.keys() - found["cupric"]
    if missing:
        raise RuntimeError(f"without a compiler there is no {', '.join(missing)}")
    for function, (_, compiled) in found["cupric"].items():
        size = f"{ndimage_calls.SIZE}, {compiled} compiled"
        case = Case(f"first use: ndimage.{function}", size, None, due=2000)
        yield finish(
            "start",
            case,
            {n: each[function][0] for n, each in found.items() if function in each},
        )


def measured(names, quick, measure, *args):
    """{name: what `measure` gives for it}; a rival that cannot is left out."""
    found = {}
    for name in names:
        runs = 2 if quick or name != "cupric" else RUNS
        try:
            found[name] = measure(name, runs, *args)
        except subprocess.CalledProcessError as error:
            if name == "cupric":
                raise
            print(f"  {name}: {error.stderr[-300:]}")
    return found


def rows(libs, quick=False):
    names = [lib.name for lib in libs if lib.name in ("cupric", "cupy")]
    for what, before, statement, warm, due in CASES:
        found = measured(names, quick, probe, before, statement, warm)
        size = f"{found['cupric'][1] / 2**20:+.1f} MiB resident"
        case = Case(what, size, None, due=due)
        yield finish("start", case, {n: us for n, (us, _) in found.items()})
    yield from rows_of_ndimage(names, quick)
    if device_kind() != "cuda":
        return
    found = measured(names, quick, first_uses)
    for what, _, due in OPERATIONS:
        size = f"32x32 f32, {found['cupric'][what][1]} compiled"
        case = Case(f"first use: {what}", size, None, due=due)
        yield finish("start", case, {n: each[what][0] for n, each in found.items()})
