"""How the benchmarks measure: libraries, cases, turns, the row that comes of it.

A case is written once and run by every library that is there: cupric and its peers, on
the CPU NumPy and SciPy, on a GPU CuPy and PyTorch. The libraries take turns, so that a
machine that slows down slows them all; what is reported is the median.
"""

import contextlib
import functools
import importlib
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

import limits

TARGET_SECONDS = 0.02  # of one timed block of a case
HOST_SECONDS = 0.002  # … of which only the host's time counts
LONG_SECONDS = 0.5  # a second call that takes longer is the last
SETUP_SECONDS = 60.0  # and a first one, whatever it has loaded, or compiled for 6 s
QUEUE = 500  # calls of such a block at most: no call waits for a full queue
ROUNDS = 15  # blocks per library; a case may take more or fewer
PEERS = {"host": "numpy", "cuda": "cupy,torch"}


@dataclass(eq=False)
class Library:
    """A library under measurement."""

    name: str
    xp: ModuleType  # speaks NumPy's interface; torch itself for PyTorch
    signal: Any = None  # speaks scipy.signal's
    ndimage: Any = None  # speaks scipy.ndimage's
    linalg: Any = None  # speaks scipy.linalg's
    special: Any = None  # speaks scipy.special's
    sfft: Any = None  # speaks scipy.fft's
    sparse: Any = None  # speaks scipy.sparse's
    own: Any = None  # cupricx, CuPy's cupyx
    evaluate: Callable | None = None  # numexpr's: (text, names) to a call
    asarray: Callable = np.asarray  # from a NumPy array
    asnumpy: Callable = np.array  # to one
    sync: Callable = lambda: None  # waits for the device


@dataclass
class Case:
    """One measurement: `make(library)` prepares the data and returns the call, a
    function or a Statement. `due` is what the call may take, in microseconds, and
    `within` the same as a multiple of what its bytes take at the speed of a copy; on
    GPUs."""

    what: str
    size: str
    make: Callable
    nbytes: int = 0  # that must cross the memory bus; 0 where that is not the limit
    torch: Callable | None = None  # the same for PyTorch
    rounds: int = ROUNDS
    peers: tuple = ("cupric", "numpy", "cupy", "torch")
    due: float | None = None
    within: float | None = None
    launches: bool = False  # the limit is one launch, which takes its turns, too
    note: str = ""  # of the row
    host_time: bool = False  # until the call returns, not until the device is done
    seconds: float = TARGET_SECONDS  # of a block, where it is until the device is done


@dataclass
class Row:
    area: str
    what: str
    size: str
    device: str
    median_us: dict = field(default_factory=dict)  # library -> microseconds per call
    ratio: dict = field(default_factory=dict)  # peer -> its time over cupric's
    share: float | None = None  # of the machine's limit, reached by cupric
    due: float | None = None  # microseconds
    limit_us: float | None = None  # what the machine takes at least
    gb_per_s: float | None = None  # the bytes that must move over cupric's time
    note: str = ""

    @property
    def met(self):
        """Whether cupric takes no longer than is due; None where nothing is."""
        return None if self.due is None else self.median_us["cupric"] <= self.due


class Statement:
    """A statement in a loop of its own, so that calling it costs nothing extra."""

    def __init__(self, code, **names):
        head = f"def block(times, {', '.join(names)}):"
        loop = f"{head}\n    for _ in times:\n        {code}"
        there = {}
        exec(compile(loop, code, "exec"), there)
        self.often = lambda count: there["block"](range(count), **names)


class Launch:
    """The driver's bare launch."""

    def __init__(self):
        self.often = limits.launcher()


def often(call):
    """A function that makes the call `count` times."""
    if hasattr(call, "often"):
        return call.often

    def repeat(count):
        for _ in range(count):
            call()

    return repeat


# ---- libraries -----------------------------------------------------------------------


def libraries(peers=("numpy", "cupy", "torch")):
    """cupric and those of `peers` that are installed and fit the device."""
    found = [load_cupric()]
    loaders = {"numpy": load_numpy, "cupy": load_cupy, "torch": load_torch}
    loaders["numexpr"] = load_numexpr
    for name in peers:
        try:
            found.append(loaders[name]())
        except ImportError:
            continue
    return found


def modules_of(scipy):
    """What speaks the interfaces of SciPy's modules, by Library's names."""
    names = {
        name: name for name in ("signal", "ndimage", "linalg", "special", "sparse")
    }
    names["sfft"] = "fft"
    found = {}
    for ours, name in names.items():
        with contextlib.suppress(ImportError):
            found[ours] = importlib.import_module(f"{scipy}.{name}")
    return found


def on_device(name, xp, own):
    """A Library whose arrays are CuPy's, or of a package that speaks its interface."""

    def sync():
        xp.cuda.get_current_stream().synchronize()

    modules = modules_of(f"{own.__name__}.scipy")
    arrays = {"asarray": xp.asarray, "asnumpy": xp.asnumpy}
    return Library(name, xp, own=own, sync=sync, **modules, **arrays)


def load_cupric():
    import cupric
    import cupricx

    return on_device("cupric", cupric, cupricx)


def load_numpy():
    return Library("numpy", np, **modules_of("scipy"))


def load_cupy():
    if device_kind() != "cuda":
        raise ImportError("CuPy needs a GPU")
    import cupy
    import cupyx

    return on_device("cupy", cupy, cupyx)


def load_torch():
    import torch

    cuda = device_kind() == "cuda"

    def asarray(array):
        return torch.asarray(array, device="cuda" if cuda else "cpu")

    def asnumpy(tensor):
        return tensor.cpu().numpy()

    torch.set_grad_enabled(False)
    if not cuda and os.environ.get("CUPRIC_NUM_THREADS"):
        torch.set_num_threads(int(os.environ["CUPRIC_NUM_THREADS"]))
    sync = torch.cuda.synchronize if cuda else lambda: None
    return Library("torch", torch, asarray=asarray, asnumpy=asnumpy, sync=sync)


def load_numexpr():
    if device_kind() == "cuda":
        raise ImportError("numexpr is measured on the host")
    import numexpr

    if os.environ.get("CUPRIC_NUM_THREADS"):
        numexpr.set_num_threads(int(os.environ["CUPRIC_NUM_THREADS"]))

    def evaluate(text, names):
        text = text.replace("xp.", "")
        arrays = {n: names[n] for n in re.findall(r"\b[a-z]\b", text)}
        return lambda: numexpr.evaluate(text, arrays)

    return Library("numexpr", numexpr, evaluate=evaluate)


@functools.cache
def device_kind():
    """The backend in use: "host" or "cuda"."""
    import cupric

    major = cupric.cuda.runtime.getDeviceProperties(0)["major"]
    return "cuda" if major else "host"


# ---- timing --------------------------------------------------------------------------


def time_block(call, sync, count, host_time=False):
    """Seconds per call of `count`; at the end the device has finished, or need not
    have."""
    repeat = often(call)
    if host_time:
        sync()
    start = time.perf_counter()
    repeat(count)
    if not host_time:
        sync()
    return (time.perf_counter() - start) / count


def calls_per_block(call, lib, case):
    target = HOST_SECONDS if case.host_time else case.seconds
    most = QUEUE if case.host_time and device_kind() == "cuda" else 1_000_000
    count = 1
    while True:
        seconds = time_block(call, lib.sync, count, case.host_time)
        if seconds * count >= target / 4 or count >= most:
            return max(1, min(most, round(target / seconds)))
        count *= 4


def run_case(area, case, libs):
    """The Row of one case, or None where cupric itself cannot run it."""
    calls, times = {}, {}
    for lib in libs:
        make = case.torch if lib.name == "torch" else case.make
        if make is None or lib.name not in case.peers:
            continue
        try:
            call = make(lib)
            seconds = time_block(call, lib.sync, 1)
            if seconds < SETUP_SECONDS:
                seconds = time_block(call, lib.sync, 1)
        except Exception as error:  # a peer without the function, or out of memory
            print(f"  {lib.name}: {case.what} {case.size}: {error}"[:300])
            continue
        times[lib.name] = [seconds] if seconds >= LONG_SECONDS else []
        if seconds < LONG_SECONDS:
            calls[lib] = (call, calls_per_block(call, lib, case))
    if case.launches and device_kind() == "cuda":
        launch = Library("launch", None, sync=limits.wait)
        times[launch.name], calls[launch] = [], (Launch(), QUEUE)
    for _ in range(case.rounds):
        for lib, (call, count) in calls.items():
            times[lib.name].append(time_block(call, lib.sync, count, case.host_time))
    if "cupric" not in times:
        return None
    median = {name: statistics.median(t) * 1e6 for name, t in times.items()}
    return finish(area, case, median)


def finish(area, case, median_us):
    """The Row of a case that took so long."""
    ours, launch = median_us["cupric"], median_us.pop("launch", None)
    row = Row(area, case.what, case.size, device_kind(), due=case.due)
    row.note = case.note
    row.median_us = {name: round(us, 4) for name, us in median_us.items()}
    ratio = {n: us / ours for n, us in median_us.items() if n != "cupric"}
    row.ratio = {name: round(r, 3) or r for name, r in ratio.items()}  # not 0
    if case.nbytes:
        row.limit_us = round(case.nbytes / bandwidth() * 1e6, 3)
        row.gb_per_s = round(case.nbytes / ours / 1e3, 1)
    elif launch:
        row.limit_us = round(launch, 3)
    if row.limit_us:
        row.share = round(row.limit_us / ours, 3)
    if case.within and row.limit_us:
        row.due = round(case.within * row.limit_us, 1)
    if device_kind() != "cuda":
        row.due = None
    return row


# ---- the machine ---------------------------------------------------------------------


@functools.cache
def bandwidth():
    """Bytes per second, read plus written, of the machine's best large copy."""
    return limits.device_copy() if device_kind() == "cuda" else limits.host_copy()


def machine():
    """What the figures were measured on."""
    import cupric

    about = {
        "cpu": cpu_name(),
        "cpus": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "cupric": cupric.__version__,
        "device": device_kind(),
        "device_name": as_text(cupric.cuda.runtime.getDeviceProperties(0)["name"]),
        "copy_gb_per_s": round(bandwidth() / 1e9, 2),
    }
    if device_kind() == "cuda":
        about["launch_us"] = round(limits.launch_us(), 3)
        about["driver"] = cupric.cuda.runtime.driverGetVersion()
    for name in ("scipy", "cupy", "torch", "numexpr"):
        if name in sys.modules:  # it takes part
            about[name] = sys.modules[name].__version__
    return about


def as_text(name):
    return name.decode() if isinstance(name, bytes) else name


def cpu_name():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
