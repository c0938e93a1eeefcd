"""CUPRIC_CHECK=races: threads that meet in shared memory without a barrier."""

import os
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.only_on("host")

PRELUDE = """
import sys
import numpy as np
import cupric as cp

def launch(code, threads=64, shared=0, blocks=1):
    kernel = cp.RawKernel(code, "k")
    x = cp.arange(threads * blocks, dtype="i")
    kernel((blocks,), (threads,), (x,), shared_mem=shared)
    return x.tolist()

def race(code, **how):
    try:
        launch(code, **how)
    except cp.cuda.runtime.CUDARuntimeError as error:
        return str(error)
    raise SystemExit("no race was found")
"""


def run(program, cache):
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + program],
        env={**os.environ, "CUPRIC_CHECK": "races", "CUPRIC_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_races_are_found(tmp_path):
    said = run(
        r'''
print(race(r"""
extern "C" __global__ void k(int *x)
{
    __shared__ int part[64];
    const int t = threadIdx.x;
    part[t] = x[t];
    x[t] = part[63 - t];
}"""))
print(race(r"""
extern "C" __global__ void k(int *x)
{
    extern __shared__ int all[];
    const int t = threadIdx.x;
    all[t] = x[t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) all[t] += all[t + half];
    }
    x[t] = all[0];
}""", shared=256))
print(race(r"""
__shared__ int last;
extern "C" __global__ void k(int *x)
{
    last = threadIdx.x;
    __syncthreads();
    x[threadIdx.x] = last;
}"""))
print(race(r"""
extern "C" __global__ void k(int *x)
{
    __shared__ int sum;
    atomicAdd(&sum, x[threadIdx.x]);
    x[threadIdx.x] = sum;
}""", threads=32))
''',
        tmp_path,
    ).splitlines()
    assert all("a race in kernel 'k', block (0, 0, 0), at " in line for line in said)
    assert all("without a barrier in between" in line for line in said)
    found = re.search(
        r"thread \((\d+), 0, 0\) (\w+).* and thread \((\d+), 0, 0\) (\w+)", said[0]
    )
    first, one, second, other = found.groups()
    assert int(first) != int(second)
    assert {one, other} == {"reads", "writes"}
    assert "dynamic shared memory, byte" in said[1]
    assert "writes" in said[2]
    assert "updates" in said[3]
    if "(line" in said[0]:  # where there are readelf and addr2line
        assert {*re.findall(r"\(line (\d+)\)", said[0])} == {"6", "7"}
        assert "'part', byte" in said[0]
        assert "'last', byte 0" in said[2]


def test_kernels_that_are_right(tmp_path):
    run(
        r'''
SUM = r"""
extern "C" __global__ void k(int *x)
{
    __shared__ int part[64], count;
    extern __shared__ int more[];
    const int t = threadIdx.x;
    int *const mine = x + blockIdx.x * blockDim.x;
    if (t == 0) count = 0;
    part[t] = mine[t];
    more[63 - t] = mine[t];
    __syncthreads();
    atomicAdd(&count, more[t] & 1);
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    mine[t] = part[0] + 10000 * count;
}"""
got = launch(SUM, shared=256, blocks=3)
due = [sum(range(64 * b, 64 * b + 64)) + 320000 for b in range(3)]
assert got == np.repeat(due, 64).tolist()
WARP = r"""
extern "C" __global__ void k(int *x)
{
    __shared__ int part[64];
    const int t = threadIdx.x, lane = t % 32;
    part[t] = x[t];
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        const int other = lane < half ? part[t + half] : 0;
        __syncwarp();
        part[t] += other;
        __syncwarp();
    }
    x[t] = part[t / 32 * 32];
}"""
assert launch(WARP) == [496] * 32 + [1520] * 32
SAME = r"""
extern "C" __global__ void k(int *x)
{
    __shared__ bool any;
    any = false;
    __syncthreads();
    if (x[threadIdx.x] > 20) any = true;
    __syncthreads();
    x[threadIdx.x] = any;
}"""
assert launch(SAME) == [1] * 64
y = cp.ElementwiseKernel("T x", "T y", "y = x * x", "square")(cp.arange(5))
assert y.tolist() == [0, 1, 4, 9, 16]
total = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
assert total(cp.arange(1000)) == 499500
''',
        tmp_path,
    )


def test_threads_run_last_first(tmp_path):
    run(
        r'''
assert launch(r"""
__device__ int turn;
extern "C" __global__ void k(int *x) { x[threadIdx.x] = turn++; }
""", threads=5) == [4, 3, 2, 1, 0]
''',
        tmp_path,
    )
