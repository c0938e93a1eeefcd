"""Sorts by keys, and runs of equal keys: cupric/keys.hpp."""

import numpy as np
import pytest

import cupric as cp
from cupric._core import _launch_as_device
from cupric._lib.algorithms import (
    _keys,
    _scan,
    order_by_key,
    plan_scan,
    reduce_by_key,
    sort_by_key,
    unique_by_key,
)
from cupric._lib.kernels import Library

AS_DEVICE = """
#undef CUPRIC_ONE_THREAD
#undef CUPRIC_EACH_BLOCK
#define CUPRIC_EACH_BLOCK(b, n) for (long long b = blockIdx.x; b < (n); b += gridDim.x)
"""
SIZES = [1, 2, 7, 8, 9, 100, 2047, 2048, 2049, 10_000, 100_000]
FUNCTIONS = {
    "sum": np.add,
    "product": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


@pytest.fixture
def cut(monkeypatch, device):
    """Rows of the host in many tiles, as for many cores."""
    if device == "host":
        monkeypatch.setattr(_scan, "_host_tile", lambda x, rows, n: 50)
        for name in ("_reduced", "_numbered"):
            monkeypatch.setattr(_keys, name, getattr(_keys, name).__wrapped__)


def sorted_keys(n, most, dtype="q", seed=0):
    return np.sort(np.random.default_rng(seed).integers(0, most, n)).astype(dtype)


def check_unique(keys, positions):
    found, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    starts, run_of = unique_by_key(cp.array(keys), inverse=True, positions=positions)
    assert starts.dtype == run_of.dtype == positions
    np.testing.assert_array_equal(starts.get(), first)
    np.testing.assert_array_equal(run_of.get(), inverse.ravel())
    np.testing.assert_array_equal(keys[starts.get()], found)
    alone = unique_by_key(cp.array(keys), positions=positions)
    np.testing.assert_array_equal(alone.get(), first)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("most", [1, 5, 1000, 10**9])
@pytest.mark.parametrize("positions", ["i", "q"])
def test_unique(n, most, positions):
    check_unique(sorted_keys(n, most), positions)


@pytest.mark.parametrize("dtype", "?bBhiIlLefdFD")
def test_unique_of_dtypes(dtype):
    check_unique(sorted_keys(300, 2 if dtype == "?" else 100, dtype), "q")


@pytest.mark.parametrize("most", [1, 5, 1000, 10**9])
def test_rows_in_many_tiles(cut, most):
    check_unique(sorted_keys(10_000, most), "i")
    check_reduction("sum", sorted_keys(10_000, most), np.arange(10_000))


def test_runs_need_not_be_sorted():
    keys = np.array([3, 3, 1, 3, 3, 3, 2, 2])
    starts, run_of = unique_by_key(cp.array(keys), inverse=True)
    assert starts.get().tolist() == [0, 2, 3, 6]
    assert run_of.get().tolist() == [0, 0, 1, 2, 2, 2, 3, 3]
    first, sums = reduce_by_key(cp.array(keys), cp.ones(8, "i"))
    assert first.get().tolist() == [3, 1, 3, 2]
    assert sums.get().tolist() == [2, 1, 3, 2]


def check_reduction(kind, keys, values):
    found, first = np.unique(keys, return_index=True)
    expected = FUNCTIONS[kind].reduceat(values, first, dtype=values.dtype)
    made, reduced = reduce_by_key(cp.array(keys), cp.array(values), kind)
    np.testing.assert_array_equal(made.get(), found)
    assert reduced.dtype == values.dtype
    if values.dtype.kind in "fc":
        bound = {"e": 1e-2, "f": 1e-5, "F": 1e-5}.get(values.dtype.char, 1e-12)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(reduced.get(), expected, rtol=0, atol=bound * scale)
    else:
        np.testing.assert_array_equal(reduced.get(), expected)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("most", [1, 30, 10**9])
def test_sums(n, most):
    values = np.random.default_rng(n).standard_normal(n)
    check_reduction("sum", sorted_keys(n, most), values)
    check_reduction("sum", sorted_keys(n, most, "i"), (100 * values).astype("i"))


@pytest.mark.parametrize("kind", FUNCTIONS)
@pytest.mark.parametrize("dtype", "bBhiIlLefdFD")
def test_kinds_and_dtypes(kind, dtype):
    values = np.random.default_rng(0).integers(1, 4, 500).astype(dtype)
    if dtype in "FD":
        values = values + 1j * values[::-1]
        if kind in ("maximum", "minimum") or (dtype == "D" and kind == "product"):
            with pytest.raises(TypeError, match="no reduction"):
                reduce_by_key(cp.zeros(500, "q"), cp.array(values), kind)
            return
    check_reduction(kind, sorted_keys(500, 200), values)


def test_nans_are_one_key():
    keys = np.array([1, 2, np.nan, np.nan])
    first, sums = reduce_by_key(cp.array(keys), cp.array([1.0, 2, 3, 4]))
    np.testing.assert_array_equal(first.get(), [1, 2, np.nan])
    assert sums.get().tolist() == [1, 2, 7]


def test_order_is_stable():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 5, 1000), rng.integers(0, 5, 1000).astype("f")
    for positions in ("i", "q"):
        order = order_by_key(cp.array(a), cp.array(b), positions=positions)
        assert order.dtype == positions
        np.testing.assert_array_equal(order.get(), np.lexsort((b, a)))
    order = order_by_key(cp.array(a))
    np.testing.assert_array_equal(order.get(), np.argsort(a, kind="stable"))


def test_sort_moves_values():
    rng = np.random.default_rng(0)
    row, column = rng.integers(0, 9, (2, 400))
    values = rng.standard_normal((400, 2))
    (r, c), v = sort_by_key((cp.array(row), cp.array(column)), cp.array(values))
    order = np.lexsort((column, row))
    for made, given in ((r, row), (c, column), (v, values)):
        np.testing.assert_array_equal(made.get(), given[order])
    (keys,) = sort_by_key(cp.array(row))
    np.testing.assert_array_equal(keys.get(), np.sort(row))


def test_no_elements():
    none = cp.zeros(0, "q")
    assert [a.size for a in reduce_by_key(none, cp.zeros(0))] == [0, 0]
    assert [a.size for a in unique_by_key(none, inverse=True)] == [0, 0]
    assert order_by_key(none).size == 0


def test_errors():
    x = cp.zeros(3, "q")
    with pytest.raises(ValueError, match="one axis"):
        unique_by_key(cp.zeros((2, 2)))
    with pytest.raises(ValueError, match="shape"):
        reduce_by_key(x, cp.zeros(4))
    with pytest.raises(TypeError, match="positions"):
        unique_by_key(x, positions="f")
    with pytest.raises(TypeError, match="no reduction"):
        reduce_by_key(x, x, "mean")


# ---- the bodies of a GPU, and a source of one's own ----------------------------------

CODE = """
#include "cupric/keys.hpp"
#include "cupric/scan.hpp"

/* Runs of equal bytes, and the greatest place of each modulo 7. */
struct bytes {
    const unsigned char *x;
    int *length, *greatest;
    long long *runs;

    __device__ bool begins(long long i) const { return x[i] != x[i - 1]; }
    __device__ int value(long long i) const { return (int)(i % 7); }
    __device__ void element(long long i, long long run) const { length[run * 2] = 1; }
    __device__ void begin(long long run, long long i) const
    {
        length[run * 2 + 1] = (int)i;
    }
    __device__ void end(long long run, int all) const { greatest[run] = all; }
    __device__ void count(long long all) const { *runs = all; }
};

__global__ void
runs_of_bytes(const unsigned char *x, int *length, int *greatest, long long *runs,
              scan_layout s, unsigned int *workspace)
{
    const bytes source = {x, length, greatest, runs};
    cupric::reduce_runs<cupric::maximum_of<int>>(s, workspace, source);
}
"""


@pytest.mark.parametrize("as_device", [False, True])
@pytest.mark.parametrize("n", [1, 9, 3000, 50_000])
@pytest.mark.parametrize("most", [2, 200])
def test_source_of_ones_own(tmp_path, device, as_device, n, most):
    if as_device and device != "host":
        pytest.skip("what a GPU does anyway")
    (tmp_path / "made.cuh").write_text((AS_DEVICE if as_device else "") + CODE)
    library = Library(str(tmp_path / "made.py"))
    kernel = library.kernel("runs_of_bytes", blocks="s.tiles", threads="SCAN_THREADS")
    x = np.random.default_rng(n).integers(0, most, n).astype("B")
    made = cp.zeros(2 * n, "i"), cp.zeros(n, "i"), cp.zeros(1, "q")
    if as_device:
        library.on_host = lambda x: False
        _launch_as_device(5, 64)
    try:
        s, workspace = plan_scan(library, made[0], 1, n, 16)
        names = dict(zip(("length", "greatest", "runs"), made, strict=True))
        kernel[()](x=cp.array(x), s=s, workspace=workspace, **names)
    finally:
        _launch_as_device(0, 0)
    starts = np.flatnonzero(np.concatenate([[True], x[1:] != x[:-1]]))
    runs = int(made[2][0])
    assert runs == len(starts)
    np.testing.assert_array_equal(made[0].get()[1 : 2 * runs : 2], starts)
    greatest = np.maximum.reduceat(np.arange(n) % 7, starts)
    np.testing.assert_array_equal(made[1].get()[:runs], greatest)
