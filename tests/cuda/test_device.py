"""What only a GPU has: asynchronous work, faults, large copies, the math libraries."""

import os
import subprocess
import sys

import numpy as np
import pytest

import cupric as cp

pytestmark = pytest.mark.only_on("cuda")


@pytest.mark.parametrize("nbytes", [1, 65537, (2 << 20) - 1, 2 << 20, (64 << 20) + 3])
@pytest.mark.parametrize("stream", ["null", "new", "ptds"])
def test_copies_both_ways(nbytes, stream):
    """Small ones go the driver's way, large ones through pinned memory."""
    s = {
        "null": cp.cuda.Stream.null,
        "new": cp.cuda.Stream(non_blocking=True),
        "ptds": cp.cuda.Stream.ptds,
    }[stream]
    a = np.random.default_rng(nbytes).integers(0, 255, nbytes, np.uint8)
    with s:
        x = cp.asarray(a)
        a[:] = 0  # the source is free to be reused
        b = x.get()
    again = np.random.default_rng(nbytes).integers(0, 255, nbytes, np.uint8)
    np.testing.assert_array_equal(b, again)


def test_pinned_source_is_free_on_return():
    memory = cp.cuda.alloc_pinned_memory(1 << 20)
    a = np.frombuffer(memory, np.uint8, 1 << 20)
    a[:] = 7
    x = cp.asarray(a)
    a[:] = 9
    assert (x.get() == 7).all()


FAULT = """
import cupric as cp
code = 'extern "C" __global__ void bad(float *a) { a[1ull << 40] = 1; }'
bad = cp.RawKernel(code, "bad")
x = cp.zeros(4, "f")
try:
    bad((1,), (1,), (x,))
    print("went on")
    cp.cuda.Device().synchronize()
except cp.cuda.runtime.CUDARuntimeError as e:
    print(e)
"""


@pytest.mark.parametrize("debug", ["", "launch"])
def test_fault_names_the_kernel(debug):
    """At the next call that waits, or with CUPRIC_DEBUG=launch at the launch."""
    environment = dict(os.environ, CUPRIC_DEBUG=debug, CUPRIC_DEVICE="cuda")
    result = subprocess.run(
        [sys.executable, "-c", FAULT],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert "cudaErrorIllegalAddress" in result.stdout or (
        "CUDA_ERROR_ILLEGAL_ADDRESS" in result.stdout
    )
    assert "bad" in result.stdout.splitlines()[-1]
    assert ("went on" in result.stdout) == (debug == "")


def matrices(dtype, *shape):
    rng = np.random.default_rng(1)
    if np.dtype(dtype).kind in "iu":
        return rng.integers(0, 100, shape).astype(dtype)
    a = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    return a.astype(dtype)


LAYOUTS = {
    "C": lambda v: v,
    "F": lambda v: v.swapaxes(-1, -2).copy().swapaxes(-1, -2),
    "part": lambda v: cp.concatenate([v[..., None], v[..., None]], -1)[..., 0],
    "back": lambda v: v[..., ::-1].copy()[..., ::-1],
}


@pytest.mark.parametrize("right", LAYOUTS)
@pytest.mark.parametrize("left", LAYOUTS)
@pytest.mark.parametrize("dtype", ["e", "f", "d", "F", "D", "i", "B", "q"])
def test_matmul_layouts(dtype, left, right):
    a, b = matrices(dtype, 3, 17, 33), matrices(dtype, 3, 33, 9)
    got = cp.matmul(LAYOUTS[left](cp.asarray(a)), LAYOUTS[right](cp.asarray(b))).get()
    want = np.matmul(a, b)
    if np.dtype(dtype).kind in "iu":
        np.testing.assert_array_equal(got, want)
    else:
        tolerance = {"e": 3e-2, "f": 1e-4, "F": 1e-4}.get(dtype, 1e-10)
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("k", [4096, 50_021, 3_000_003])
@pytest.mark.parametrize("dtype", ["?", "b", "H", "i", "q"])
def test_long_integer_products(dtype, k):
    a, b = matrices("i", 2, k) % 5, matrices("i", k, 3) % 3
    if dtype == "?":
        a, b = a == 4, (b == 1) & (np.arange(k)[:, None] > k - 9)
    want = (a.astype("q") @ b.astype("q")).astype(dtype)
    a, b = cp.asarray(a.astype(dtype)), cp.asarray(b.astype(dtype))
    np.testing.assert_array_equal((a @ b).get(), want)
    np.testing.assert_array_equal((a[:, ::-1] @ b[::-1]).get(), want)
    np.testing.assert_array_equal(cp.dot(a[1], b[:, 2]).get(), want[1, 2])
    out = cp.zeros((2, 6), dtype)[:, ::2]
    np.testing.assert_array_equal(cp.matmul(a, b, out=out).get(), want)


def test_matmul_broadcasts_the_batch():
    a, b = matrices("d", 2, 1, 5, 4), matrices("d", 3, 4, 6)
    got = cp.matmul(cp.asarray(a), cp.asarray(b)).get()
    np.testing.assert_allclose(got, a @ b, rtol=1e-12)
    got = cp.matmul(cp.asarray(a).transpose(1, 0, 2, 3), cp.asarray(b)[:, None]).get()
    np.testing.assert_allclose(got, a.transpose(1, 0, 2, 3) @ b[:, None], rtol=1e-12)


@pytest.mark.parametrize("axes", [(0,), (1,), (0, 2), (0, 1, 2, 3), (3, 0), (2,)])
def test_fft_over_axes(axes):
    a = matrices("D", 4, 5, 6, 7)
    x = cp.asarray(a)
    np.testing.assert_allclose(
        cp.fft.fftn(x, axes=axes).get(), np.fft.fftn(a, axes=axes)
    )
    got = cp.fft.irfftn(cp.fft.rfftn(x.real, axes=axes), axes=axes)
    want = np.fft.irfftn(np.fft.rfftn(a.real, axes=axes), axes=axes)
    np.testing.assert_allclose(got.get(), want, atol=1e-12)
