"""Scans of any monoid along rows: cupric/scan.hpp, and those of numbers."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric as cp
from cupric._core import _launch_as_device
from cupric._lib.algorithms import _scan, plan_scan, scan
from cupric._lib.kernels import Library

# What has a library's kernels do on the host what they do on a GPU.
AS_DEVICE = """
#undef CUPRIC_ONE_THREAD
#undef CUPRIC_EACH_BLOCK
#define CUPRIC_EACH_BLOCK(b, n) for (long long b = blockIdx.x; b < (n); b += gridDim.x)
"""
CODE = """
#include "cupric/scan.hpp"

/* x -> a * x + b, one after the other, modulo 2**32; `n` of them. */
struct affine { unsigned a, b; long long n; };
struct affine_maps {
    typedef affine state;
    __device__ affine identity() const { return {1, 0, 0}; }
    __device__ affine combine(const affine &p, const affine &q) const
    {
        return {q.a * p.a, q.a * p.b + q.b, p.n + q.n};
    }
};
struct maps : affine_maps {
    typedef uint2 input;
    typedef uint2 output;
    const unsigned *x, *z;
    unsigned *y, *last;
    long long length;

    __device__ affine initial(long long row) const { return {1, z[row], 0}; }
    __device__ uint2 load(long long row, long long i) const
    {
        const unsigned *at = x + 2 * (row * length + i);
        return {at[0], at[1]};
    }
    __device__ void store(long long row, long long i, const uint2 &v) const
    {
        unsigned *at = y + 2 * (row * length + i);
        at[0] = v.x;
        at[1] = v.y;
    }
    __device__ affine extend(affine s, const uint2 *v, int n) const
    {
        for (int k = 0; k < n; k++) s = combine(s, {v[k].x, v[k].y, 1});
        return s;
    }
    __device__ affine apply(affine s, const uint2 *v, uint2 *out, int n) const
    {
        for (int k = 0; k < n; k++) {
            s = combine(s, {v[k].x, v[k].y, 1});
            out[k] = {s.a, s.b};
        }
        return s;
    }
    __device__ void finish(long long row, const affine &s) const
    {
        last[3 * row] = s.a;
        last[3 * row + 1] = s.b;
        last[3 * row + 2] = (unsigned)s.n;
    }
};

__global__ void
scan_maps(const unsigned *x, const unsigned *z, unsigned *y, unsigned *last,
          scan_layout s, unsigned int *workspace)
{
    maps op;
    op.x = x;
    op.z = z;
    op.y = y;
    op.last = last;
    op.length = s.n;
    cupric::scan_rows(s, workspace, op);
}
"""
SHAPES = [
    *((1, n) for n in (1, 2, 7, 8, 9, 255, 2047, 2048, 2049, 5000, 70000)),
    *((3, n) for n in (1, 8, 13, 100, 1999, 2048, 4097, 9000)),
    *((300, n) for n in (1, 5, 8, 9, 33)),
    (70, 2100),
]


def make_library(folder, text):
    (folder / "made.cuh").write_text(text)
    return Library(str(folder / "made.py"))


@pytest.fixture(params=["own", "device"])
def library(request, tmp_path, device):
    """With the bodies of the device, and on the host with those of a GPU, too."""
    as_device = request.param == "device"
    if as_device and device != "host":
        pytest.skip("what a GPU does anyway")
    made = make_library(tmp_path, (AS_DEVICE if as_device else "") + CODE)
    if as_device:
        made.on_host = lambda x: False
        _launch_as_device(5, 64)
    yield made
    if as_device:
        _launch_as_device(0, 0)


def scanned_maps(x, z):
    """Of each row, and its state at the end."""
    rows, n, _ = x.shape
    y = np.empty_like(x)
    a, b = np.ones(rows, "u4"), z.copy()
    for i in range(n):
        a, b = x[:, i, 0] * a, x[:, i, 0] * b + x[:, i, 1]
        y[:, i, 0], y[:, i, 1] = a, b
    return y, np.stack([a, b, np.full(rows, n, "u4")], axis=1)


def check_maps(library, rows, n):
    rng = np.random.default_rng(n)
    x = rng.integers(0, 2**32, (rows, n, 2), "u4")
    z = rng.integers(0, 2**32, rows, "u4")
    kernel = library.kernel("scan_maps", blocks="s.tiles", threads="SCAN_THREADS")
    on_device = cp.array(x)
    y, last = cp.zeros((rows, n, 2), "u4"), cp.zeros((rows, 3), "u4")
    s, workspace = plan_scan(library, on_device, rows, n, 16)
    kernel[()](x=on_device, z=cp.array(z), y=y, last=last, s=s, workspace=workspace)
    expected, end = scanned_maps(x, z)
    np.testing.assert_array_equal(y.get(), expected)
    np.testing.assert_array_equal(last.get(), end)


@pytest.mark.parametrize(("rows", "n"), SHAPES)
def test_any_monoid(library, rows, n):
    """That does not commute, in states of two numbers and a count."""
    check_maps(library, rows, n)


def test_levels_of_look_back(library):
    """Tiles of more than two levels."""
    check_maps(library, 2, 2048 * (32 * 32 + 40) + 3)


RACES = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[1:2]
import test_scan as t

library = t.make_library(Path(sys.argv[2]), t.AS_DEVICE + t.CODE)
library.on_host = lambda x: False
t._launch_as_device(3, 64)
for rows, n in ((1, 5000), (3, 2048), (40, 13), (2, 70000)):
    t.check_maps(library, rows, n)
"""


@pytest.mark.only_on("host")
def test_threads_do_not_meet_without_a_barrier(tmp_path):
    """Of what a GPU runs."""
    subprocess.run(
        [sys.executable, "-c", RACES, Path(__file__).parent, tmp_path],
        env={**os.environ, "CUPRIC_CHECK": "races", "CUPRIC_CACHE_DIR": str(tmp_path)},
        check=True,
    )


@pytest.mark.only_on("host")
@pytest.mark.parametrize("tile", [1, 3, 8, 64, 1000])
def test_rows_cut_on_the_host(tmp_path, monkeypatch, tile):
    """A row for all cores, whatever their number."""
    monkeypatch.setattr(_scan, "_host_tile", lambda x, rows, n: tile)
    library = make_library(tmp_path, CODE)
    for rows, n in ((1, 1), (1, 777), (5, 1000), (40, 64)):
        check_maps(library, rows, n)


def test_long_rows_are_cut(tmp_path, device):
    library = make_library(tmp_path, CODE)

    class Device:
        attributes = {"MultiProcessorCount": 8}

    class Array:
        device = Device

    assert _scan._host_tile(Array, 1, 1 << 20) < 1 << 20
    assert _scan._host_tile(Array, 1000, 1 << 20) == 1 << 20
    s, workspace = plan_scan(library, cp.zeros(1), 1, 100, 8)
    assert workspace is None
    assert s["tiles"].item() == 1


def test_memory_of_several_scans_of_a_row(library, monkeypatch):
    """As of as many rows, which are not more to launch over."""
    monkeypatch.setattr(_scan, "_host_tile", lambda x, rows, n: 50)
    x = cp.zeros(1)
    s, workspace = plan_scan(library, x, 4, 9000, 8, scans=3)
    one, _ = plan_scan(library, x, 4, 9000, 8)
    of_rows, expected = plan_scan(library, x, 12, 9000, 8)
    assert workspace.size == expected.size
    for field in s.dtype.names:
        same = of_rows if field == "states" else one
        assert s[field].item() == same[field].item(), field
    assert not workspace.any()


# ---- of numbers ----------------------------------------------------------------------

FUNCTIONS = {
    "sum": np.add,
    "product": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


@pytest.mark.parametrize("kind", FUNCTIONS)
@pytest.mark.parametrize("dtype", "?bBhiIlLefd")
def test_numbers(kind, dtype):
    if dtype == "?" and kind in ("maximum", "minimum"):
        pytest.skip("NumPy's are those of numbers")
    rng = np.random.default_rng(1)
    x = rng.integers(0, 3, (3, 50)).astype(dtype)
    function = FUNCTIONS[kind]
    expected = function.accumulate(x, axis=-1, dtype=x.dtype)
    made = scan(cp.array(x), kind)
    assert made.dtype == x.dtype
    np.testing.assert_array_equal(made.get(), expected)
    made = scan(cp.array(x), kind, exclusive=True).get()
    np.testing.assert_array_equal(made[:, 1:], expected[:, :-1])
    first = function(made[:, 0], x[:, 0], dtype=x.dtype)
    np.testing.assert_array_equal(first, x[:, 0])


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_axes_and_layouts(axis):
    x = np.arange(4 * 50 * 6).reshape(4, 50, 6) % 17
    for view in (x, x[::-1, ::2], x.T, x[:, :0]):
        made = scan(
            cp.array(x)[::-1, ::2] if view is x[::-1, ::2] else cp.array(view),
            "sum",
            axis=axis,
        )
        np.testing.assert_array_equal(made.get(), np.cumsum(view, axis=axis))
        assert made.flags.c_contiguous


def test_long_rows_are_repeatable():
    x = cp.array(np.random.default_rng(0).standard_normal(300_000))
    made = [scan(x, "sum").get() for _ in range(4)]
    np.testing.assert_allclose(made[0], np.cumsum(x.get()), atol=1e-9)
    for other in made[1:]:
        np.testing.assert_array_equal(other, made[0])


def test_errors():
    with pytest.raises(TypeError, match="no scan"):
        scan(cp.zeros(3, "F"), "sum")
    with pytest.raises(TypeError, match="no scan"):
        scan(cp.zeros(3), "mean")
    with pytest.raises(np.exceptions.AxisError):
        scan(cp.zeros(3), "sum", axis=1)
