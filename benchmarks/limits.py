"""What the machine can do at best, measured by the driver alone: a launch and a copy.

The two limits that rows are compared with. Nothing of cupric's own code is in them but
the memory that is copied.
"""

import ctypes
import functools
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

COPY_NBYTES = 1 << 29
LAUNCHES = 500  # of a block; fewer than a queue holds, so that none waits for the GPU
BLOCKS = 31

EMPTY_KERNEL = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry empty_kernel(.param .u64 p) { ret; }
"""

LOOP = """
typedef int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned, unsigned, void *, void **, void **);
void launch_often(launch f, void *kernel, int count)
{
    unsigned long long p = 0;
    void *args[] = {&p};
    while (count--) f(kernel, 1, 1, 1, 256, 1, 1, 0, 0, args, 0);
}
"""


def launch_us():
    """Microseconds of a bare cuLaunchKernel of an empty kernel with one parameter."""
    launch, times = launcher(), []
    for _ in range(BLOCKS):
        wait()
        start = time.perf_counter()
        launch(LAUNCHES)
        times.append((time.perf_counter() - start) / LAUNCHES * 1e6)
    return statistics.median(times)


@functools.cache
def driver():
    import cupric

    cupric.zeros(1)  # the context is there and current
    return ctypes.CDLL("libcuda.so.1")


def wait():
    ok(driver().cuCtxSynchronize())


@functools.cache
def launcher():
    """A function that launches an empty kernel `count` times: a loop in C where there
    is a compiler, else one in Python, which adds what a call through ctypes costs."""
    cuda, module, kernel = driver(), ctypes.c_void_p(), ctypes.c_void_p()
    ok(cuda.cuModuleLoadData(ctypes.byref(module), EMPTY_KERNEL))
    ok(cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"empty_kernel"))
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler:
        with tempfile.TemporaryDirectory() as folder:
            source, library = (os.path.join(folder, n) for n in ("l.c", "l.so"))
            with open(source, "w") as file:
                file.write(LOOP)
            command = [compiler, "-O2", "-shared", "-fPIC", source, "-o", library]
            subprocess.run(command, check=True)
            often = ctypes.CDLL(library).launch_often
        return lambda count: often(cuda.cuLaunchKernel, kernel, count)

    value = ctypes.c_uint64()
    args = (ctypes.c_void_p * 1)(ctypes.addressof(value))

    def often(count):
        for _ in range(count):
            cuda.cuLaunchKernel(kernel, 1, 1, 1, 256, 1, 1, 0, None, args, None)

    return often


def ok(status):
    if status:
        raise RuntimeError(f"the driver answers {status}")


def device_copy(nbytes=COPY_NBYTES):
    """Bytes per second, read plus written, of the driver's copy within the device."""
    import cupric

    src, dst = cupric.ones(nbytes, "uint8"), cupric.empty(nbytes, "uint8")
    cuda = driver()
    addresses = [ctypes.c_uint64(a.data.ptr) for a in (dst, src)]

    def block(count=10):
        wait()
        start = time.perf_counter()
        for _ in range(count):
            ok(cuda.cuMemcpyDtoDAsync_v2(*addresses, ctypes.c_size_t(nbytes), None))
        wait()
        return (time.perf_counter() - start) / count

    block()
    return 2 * nbytes / statistics.median(block() for _ in range(9))


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
