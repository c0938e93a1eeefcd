"""How the benchmarks measure: libraries, cases, turns, the machine's limit.

A case is written once and run by every library that is there: cupric, its peers on the
CPU (NumPy, SciPy) and, on a GPU, CuPy and PyTorch. The libraries take turns, so that a
machine that slows down slows them all; what is reported is the median.
"""

import os
import platform
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

TARGET_SECONDS = 0.02  # of one timed block of a small case
ROUNDS = 15  # blocks per library; a case may take fewer


@dataclass(eq=False)
class Library:
    """A library under measurement."""

    name: str
    xp: ModuleType  # speaks NumPy's interface; torch itself for PyTorch
    signal: Any = None  # speaks scipy.signal's
    asarray: Callable = np.asarray  # from a NumPy array
    sync: Callable = lambda: None  # waits for the device


@dataclass
class Case:
    """One measurement: `make(library)` prepares the data and returns the call."""

    what: str
    size: str
    make: Callable
    nbytes: int = 0  # that must cross the memory bus; 0 where that is not the limit
    torch: Callable | None = None  # the same for PyTorch
    rounds: int = ROUNDS
    peers: tuple = ("cupric", "numpy", "cupy", "torch")


@dataclass
class Row:
    area: str
    what: str
    size: str
    device: str
    median_us: dict = field(default_factory=dict)  # library -> microseconds per call
    ratio: dict = field(default_factory=dict)  # peer -> its time over cupric's
    share: float | None = None  # of the machine's limit, reached by cupric


def libraries(peers=("numpy", "cupy", "torch")):
    """cupric and those of `peers` that are installed and fit the device."""
    found = [load_cupric()]
    loaders = {"numpy": load_numpy, "cupy": load_cupy, "torch": load_torch}
    for name in peers:
        try:
            found.append(loaders[name]())
        except ImportError:
            continue
    return found


def load_cupric():
    import cupric
    import cupricx.scipy.signal

    def sync():
        cupric.cuda.get_current_stream().synchronize()

    return Library("cupric", cupric, cupricx.scipy.signal, cupric.asarray, sync)


def load_numpy():
    try:
        import scipy.signal as signal
    except ImportError:
        signal = None
    return Library("numpy", np, signal)


def load_cupy():
    if device_kind() != "cuda":
        raise ImportError("CuPy needs a GPU")
    import cupy
    import cupyx.scipy.signal

    def sync():
        cupy.cuda.get_current_stream().synchronize()

    return Library("cupy", cupy, cupyx.scipy.signal, cupy.asarray, sync)


def load_torch():
    if device_kind() != "cuda":
        raise ImportError("PyTorch is measured on the GPU")
    import torch

    def asarray(array):
        return torch.asarray(array, device="cuda")

    return Library("torch", torch, None, asarray, torch.cuda.synchronize)


def device_kind():
    """The backend in use: "host" or "cuda"."""
    import cupric

    major = cupric.cuda.runtime.getDeviceProperties(0)["major"]
    return "cuda" if major else "host"


def time_block(call, sync, count):
    """Seconds per call of `count` calls; the device has finished at the end."""
    start = time.perf_counter()
    for _ in range(count):
        call()
    sync()
    return (time.perf_counter() - start) / count


def calls_per_block(call, sync):
    count = 1
    while True:
        seconds = time_block(call, sync, count)
        if seconds * count >= TARGET_SECONDS / 4:
            return max(1, round(TARGET_SECONDS / seconds))
        count *= 4


def run_case(area, case, libs):
    """The Row of one case, or None where cupric itself cannot run it."""
    calls = {}
    for lib in libs:
        make = case.torch if lib.name == "torch" else case.make
        if make is None or lib.name not in case.peers:
            continue
        try:
            call = make(lib)
            call()
            lib.sync()
        except Exception as error:  # a peer without the function, or out of memory
            print(f"  {lib.name}: {case.what} {case.size}: {error}")
            continue
        calls[lib] = (call, calls_per_block(call, lib.sync))
    times = {lib.name: [] for lib in calls}
    for _ in range(case.rounds):
        for lib, (call, count) in calls.items():
            times[lib.name].append(time_block(call, lib.sync, count))
    if "cupric" not in times:
        return None
    return finish(area, case, times)


def finish(area, case, times):
    median = {name: statistics.median(t) * 1e6 for name, t in times.items()}
    ours = median["cupric"]
    row = Row(area, case.what, case.size, device_kind())
    row.median_us = {name: round(us, 4) for name, us in median.items()}
    row.ratio = {n: round(us / ours, 3) for n, us in median.items() if n != "cupric"}
    if case.nbytes:
        row.share = round(case.nbytes / (ours * 1e-6) / bandwidth(), 3)
    return row


_bandwidth = None


def bandwidth():
    """Bytes per second, read plus written, of the machine's best large copy."""
    global _bandwidth
    if _bandwidth is None:
        _bandwidth = (device_copy if device_kind() == "cuda" else host_copy)()
    return _bandwidth


def host_copy(nbytes=1 << 28):
    """memcpy of 256 MiB by one thread and by one per CPU; the better counts."""
    threads = len(os.sched_getaffinity(0))
    src, dst = np.ones(nbytes, np.uint8), np.ones(nbytes, np.uint8)
    best = 0.0
    with ThreadPoolExecutor(threads) as pool:
        for parts in {1, threads}:
            pairs = list(
                zip(np.array_split(dst, parts), np.array_split(src, parts), strict=True)
            )
            times = []
            for _ in range(9):
                start = time.perf_counter()
                list(pool.map(lambda pair: np.copyto(*pair), pairs))
                times.append(time.perf_counter() - start)
            best = max(best, 2 * nbytes / statistics.median(times))
    return best


def device_copy(nbytes=1 << 30):
    """A copy of 1 GiB within the device's memory."""
    lib = load_cupric()
    src, dst = lib.xp.ones(nbytes, "uint8"), lib.xp.empty(nbytes, "uint8")

    def call():
        dst[...] = src

    call()
    return (
        2 * nbytes / statistics.median(time_block(call, lib.sync, 10) for _ in range(9))
    )


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
    for name in ("scipy", "cupy", "torch"):
        try:
            about[name] = __import__(name).__version__
        except ImportError:
            continue
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
