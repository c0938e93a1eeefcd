"""Collectives of warps and blocks, by any monoid: cupric/block.hpp and monoids.hpp.

Kernels are RawKernels, whose blocks have all of their threads on every device.
"""

import functools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric as cp
from cupric._lib.kernels import Library

CODE = """
#include <cupric/block.hpp>

/* x -> a * x + b, one after the other; modulo 2**32, so that nothing is rounded. */
struct affine { unsigned a, b; };
struct affine_maps {
    typedef affine state;
    __device__ affine identity() const { return {1, 0}; }
    __device__ affine combine(const affine &p, const affine &q) const
    {
        return {q.a * p.a, q.a * p.b + q.b};
    }
};

template <class M>
__global__ void
reduced(const typename M::state *x, typename M::state *y)
{
    __shared__ cupric::block_memory<typename M::state> memory;
    const M m = M();
    const long long i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = cupric::block_reduce(x[i], m, memory);
    /* again, in the same memory */
    const typename M::state all = cupric::block_reduce(x[i], m, memory);
    y[i] = threadIdx.x % 2 ? all : y[i];
}

template <class M>
__global__ void
scanned(const typename M::state *x, const int *first, typename M::state *upto,
        typename M::state *before, typename M::state *total)
{
    __shared__ cupric::block_memory<typename M::state> memory;
    const M m = M();
    const long long i = blockIdx.x * blockDim.x + threadIdx.x;
    const int f = first[threadIdx.x];
    typename M::state all, again;
    upto[i] = cupric::block_inclusive_scan(x[i], m, memory, &all, f);
    before[i] = cupric::block_exclusive_scan(x[i], m, memory, &again, f);
    total[i] = threadIdx.x % 2 ? all : again;
}

template <class M>
__global__ void
of_warps(const typename M::state *x, typename M::state *all,
         typename M::state *upto, typename M::state *before)
{
    const M m = M();
    const long long i = blockIdx.x * blockDim.x + threadIdx.x;
    const typename M::state sum = cupric::warp_reduce(x[i], m);
    if (threadIdx.x % 32 == 0) all[i / 32] = sum;
    upto[i] = cupric::warp_inclusive_scan(x[i], m);
    before[i] = cupric::warp_exclusive_scan(x[i], m);
}

__global__ void
compacted(const int *x, int *y, int *n)
{
    __shared__ cupric::block_memory<int> memory;
    int kept;
    const int at = cupric::block_compact(x[threadIdx.x] > 0, memory, &kept);
    if (x[threadIdx.x] > 0) y[at] = x[threadIdx.x];
    n[threadIdx.x] = kept;
}
"""
AFFINE = np.dtype([("a", "u4"), ("b", "u4")])
SIZES = (1, 2, 7, 31, 32, 33, 64, 100, 256, 1000, 1024)


def affine(p, q):
    a = (int(q[0]) * int(p[0])) % 2**32
    return a, (int(q[0]) * int(p[1]) + int(q[1])) % 2**32


def operator(name, dtype):
    """A monoid's type in C++, and NumPy's function of two."""
    types = {"?": "bool", "b": "signed char", "i": "int", "q": "long long"}
    types |= {"B": "unsigned char", "f": "float", "d": "double", "e": "half"}
    types |= {"F": "complex<float>"}
    function = {
        "sum": np.add,
        "product": np.multiply,
        "maximum": np.maximum,
        "minimum": np.minimum,
        "and": np.bitwise_and,
        "or": np.bitwise_or,
    }[name]
    return f"cupric::{name}_of<{types[dtype]}>", function


USUAL = [
    *(("sum", t) for t in "?bqfdF"),
    *(("product", t) for t in "?iB"),
    *((name, t) for name in ("maximum", "minimum") for t in "bBqefd"),
    *((name, t) for name in ("and", "or") for t in "?bBi"),
]


def elements(dtype, n, seed=0):
    rng = np.random.default_rng(seed)
    if dtype == "?":
        return rng.random(n) < 0.5
    if dtype in "fdF":  # sums of these are exact
        x = rng.integers(-99, 99, n).astype(dtype)
        return x + 1j * x[::-1] if dtype == "F" else x
    return rng.integers(-128, 127, n).astype(dtype)


def accumulated(function, x):
    """x combined from the left, each in the dtype of x."""
    with np.errstate(all="ignore"):
        made = list(x[:1])
        for one in x[1:]:
            made.append(x.dtype.type(function(made[-1], one)))
    return np.array(made, x.dtype)


def kernel(name, monoid=None):
    return _kernel(f"{name}<{monoid}>" if monoid else name)


@functools.cache
def _kernel(expression):
    return cp.RawKernel(CODE, expression)


def run_scan(monoid, x, first, threads):
    """Scans by one block, and the total as each thread saw it."""
    made = [cp.empty(x.shape, "u4") if x.dtype == AFFINE else cp.empty_like(x)]
    made += [cp.empty_like(made[0]) for _ in range(2)]
    scan = kernel("scanned", monoid)
    scan((1,), (threads,), (x, cp.array(first.astype("i")), *made))
    return [a.get() for a in made]


@pytest.mark.parametrize("threads", SIZES)
def test_reduction_of_a_block(threads):
    x = elements("q", 2 * threads)
    y = cp.empty(2 * threads, "q")
    kernel("reduced", "cupric::sum_of<long long>")((2,), (threads,), (cp.array(x), y))
    sums = x.reshape(2, threads).sum(axis=1)
    np.testing.assert_array_equal(y.get(), np.repeat(sums, threads))


@pytest.mark.parametrize(("name", "dtype"), USUAL)
def test_usual_monoids(name, dtype):
    monoid, function = operator(name, dtype)
    n = 75
    x = elements(dtype, n)
    expected = accumulated(function, x)
    upto, before, total = run_scan(monoid, cp.array(x), np.zeros(n), n)
    np.testing.assert_array_equal(upto, expected)
    np.testing.assert_array_equal(before[1:], expected[:-1])
    np.testing.assert_array_equal(total, np.repeat(expected[-1:], n))
    identity = before[:1]
    np.testing.assert_array_equal(
        function(identity, x[:1]).astype(dtype), x[:1]
    )  # of what comes first


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_nan_is_kept(name):
    monoid, function = operator(name, "d")
    x = elements("d", 70)
    x[[40, 50]] = np.nan
    upto, _, _ = run_scan(monoid, cp.array(x), np.zeros(70), 70)
    np.testing.assert_array_equal(upto, function.accumulate(x))


def maps(n):
    rng = np.random.default_rng(n)
    return rng.integers(0, 2**32, (n, 2), "u4")


def scan_of_maps(x, first):
    upto, before = [], []
    for i, one in enumerate(x):
        earlier = (1, 0) if i == first[i] else upto[-1]
        before.append(earlier)
        upto.append(affine(earlier, one))
    return np.array(upto, "u4"), np.array(before, "u4")


def run_maps(x, first):
    n = len(x)
    made = [cp.empty((n, 2), "u4") for _ in range(3)]
    scan = kernel("scanned", "affine_maps")
    scan((1,), (n,), (cp.array(x), cp.array(np.asarray(first, "i")), *made))
    return [a.get() for a in made]


@pytest.mark.parametrize("threads", SIZES)
def test_order_is_that_of_threads(threads):
    """A monoid that does not commute, of two numbers."""
    x = maps(threads)
    expected, before = scan_of_maps(x, np.zeros(threads, int))
    made = run_maps(x, np.zeros(threads))
    np.testing.assert_array_equal(made[0], expected)
    np.testing.assert_array_equal(made[1], before)
    np.testing.assert_array_equal(made[2], np.tile(expected[-1], (threads, 1)))
    y = cp.empty((threads, 2), "u4")
    kernel("reduced", "affine_maps")((1,), (threads,), (cp.array(x), y))
    np.testing.assert_array_equal(y.get(), np.tile(expected[-1], (threads, 1)))


@pytest.mark.parametrize("threads", [5, 32, 45, 256, 1024])
@pytest.mark.parametrize("length", [1, 3, 31, 32, 33, 64, 100])
def test_sequences_side_by_side(threads, length):
    x = maps(threads)
    first = np.arange(threads) // length * length
    upto, before = scan_of_maps(x, first)
    made = run_maps(x, first)
    np.testing.assert_array_equal(made[0], upto)
    np.testing.assert_array_equal(made[1], before)


@pytest.mark.parametrize("threads", SIZES)
def test_warps(threads):
    x = elements("q", threads)
    warps = -(-threads // 32)
    every = [cp.empty(n, "q") for n in (warps, threads, threads)]
    of_warps = kernel("of_warps", "cupric::sum_of<long long>")
    of_warps((1,), (threads,), (cp.array(x), *every))
    all_of, upto, before = (a.get() for a in every)
    for w in range(warps):
        part = slice(32 * w, min(32 * w + 32, threads))
        np.testing.assert_array_equal(upto[part], np.cumsum(x[part]))
        np.testing.assert_array_equal(before[part], np.cumsum(x[part]) - x[part])
        assert all_of[w] == x[part].sum()


@pytest.mark.parametrize("threads", SIZES)
@pytest.mark.parametrize("which", ["some", "all", "none"])
def test_compaction(threads, which):
    x = elements("i", threads, seed=3) + {"some": 0, "all": 200, "none": -200}[which]
    y, n = cp.full(threads, -1, "i"), cp.empty(threads, "i")
    kernel("compacted")((1,), (threads,), (cp.array(x), y, n))
    kept = x[x > 0]
    np.testing.assert_array_equal(y.get()[: len(kept)], kept)
    assert np.all(y.get()[len(kept) :] == -1)
    np.testing.assert_array_equal(n.get(), np.full(threads, len(kept)))


def test_pairs():
    """The sum and the greatest at once."""
    code = """
    #include <cupric/block.hpp>
    typedef cupric::pair_of<cupric::sum_of<int>, cupric::maximum_of<int>> both;
    extern "C" __global__ void f(const int *x, int *y)
    {
        __shared__ cupric::block_memory<both::state> memory;
        const int v = x[threadIdx.x];
        const both::state all = cupric::block_reduce({v, v}, both(), memory);
        y[0] = all.first;
        y[1] = all.second;
    }
    """
    x = elements("i", 77)
    y = cp.empty(2, "i")
    cp.RawKernel(code, "f")((1,), (77,), (cp.array(x), y))
    assert y.get().tolist() == [x.sum(), x.max()]


RACES = """
import sys
sys.path[:0] = sys.argv[1:]
import test_block as t

for threads in (2, 33, 75, 256):
    t.test_order_is_that_of_threads(threads)
    t.test_sequences_side_by_side(threads, 5)
    t.test_warps(threads)
    t.test_compaction(threads, "some")
t.test_usual_monoids("sum", "F")
"""


@pytest.mark.only_on("host")
def test_threads_do_not_meet_without_a_barrier(tmp_path):
    subprocess.run(
        [sys.executable, "-c", RACES, Path(__file__).parent],
        env={**os.environ, "CUPRIC_CHECK": "races", "CUPRIC_CACHE_DIR": str(tmp_path)},
        check=True,
    )


# ---- in a library --------------------------------------------------------------------

LIBRARY = """
#include "cupric/block.hpp"

template <class T>
__global__ void
row_facts(View<T, 2> x, T *sums, T *positive, int *counts, long long rows)
{
    __shared__ cupric::block_memory<T> memory;
    __shared__ cupric::block_memory<int> places;
    const cupric::sum_of<T> sum = {};

    CUPRIC_EACH_BLOCK (r, rows) {
        const long long n = x.shape()[1];
        T mine = 0, before, all = 0;
        int kept = 0;
        for (long long j = threadIdx.x; j < n; j += blockDim.x) mine += x[r * n + j];
        sums[r] = cupric::block_reduce(mine, sum, memory);
        before = cupric::block_exclusive_scan(mine, sum, memory, &all);
        if (threadIdx.x == blockDim.x - 1) sums[r] += before + mine - all;
        for (long long j = 0; j < n; j += blockDim.x) {
            const long long i = j + threadIdx.x;
            const bool keep = i < n && x[r * n + i] > 0;
            int more;
            const int at = kept + cupric::block_compact(keep, places, &more);
            if (keep) positive[r * n + at] = x[r * n + i];
            kept += more;
        }
        if (threadIdx.x == 0) counts[r] = kept;
    }
}
"""


def test_blocks_of_a_library(tmp_path):
    """On the host device such a block is one thread: the same body."""
    facts = Library(str(tmp_path / "made.py"), LIBRARY).kernel(
        "row_facts<T>", blocks="rows", threads=96
    )
    x = elements("q", 5 * 333).reshape(5, 333)
    sums, counts = cp.empty(5, "q"), cp.empty(5, "i")
    positive = cp.zeros((5, 333), "q")
    facts["q"](x=cp.array(x), sums=sums, positive=positive, counts=counts, rows=5)
    np.testing.assert_array_equal(sums.get(), x.sum(axis=1))
    np.testing.assert_array_equal(counts.get(), (x > 0).sum(axis=1))
    for row, made in zip(x, positive.get(), strict=True):
        kept = row[row > 0]
        np.testing.assert_array_equal(made[: len(kept)], kept)
