"""Two devices in one process: what lives where, and copies between them.

On the host device these tests, and those of test_elsewhere.py, run once more with
CUPRIC_HOST_DEVICES=2.
"""

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric as cp
from cupric import cuda
from cupric.cuda import runtime

N = 1 << 20


@pytest.mark.only_on("host")
def test_with_two_host_devices(request):
    if runtime.getDeviceCount() > 1:
        return
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "--bodies",
            request.config.getoption("--bodies"),
            __file__,
            Path(__file__).with_name("test_elsewhere.py"),
        ],
        env=os.environ | {"CUPRIC_HOST_DEVICES": "2", "CUPRIC_DEVICE": "host"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def slow(device, stream=None):
    """Work that keeps a stream of the device busy for some milliseconds."""
    n = 1500 if cuda.is_available() else 8  # the host is never late
    with device, stream or cuda.Stream.null:
        a = cp.ones((n, n), "f")
        for _ in range(20):
            a = a @ a * cp.float32(1e-3)
    return a


# ---- copies --------------------------------------------------------------------------

COPIES = {
    "asarray": lambda x, here: cp.asarray(x),
    "array": lambda x, here: cp.array(x),
    "copy": lambda x, here: x.copy(),
    "to_device": lambda x, here: x.to_device(cuda.Device(0)),
    "setitem": lambda x, here: set_all(here, x),
    "copyto": lambda x, here: copied_to(here, x),
    "copy_from": lambda x, here: copy_pointer(here, x),
    "peer": lambda x, here: copy_peer(here, x),
}


def set_all(here, x):
    here[...] = x
    return here


def copied_to(here, x):
    cp.copyto(here, x)
    return here


def copy_pointer(here, x):
    here.data.copy_from_device(x.data, x.nbytes)
    return here


def copy_peer(here, x):
    runtime.memcpyPeer(here.data.ptr, 0, x.data.ptr, 1, x.nbytes)
    return here


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_waits_for_its_source(other, name):
    here = cp.zeros(N)
    with other:
        x = cp.zeros(N)
        busy = slow(other)
        x += 1
    got = COPIES[name](x, here)
    assert got.device == cuda.Device(0)
    assert (got.get() == 1).all()
    del busy


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_waits_for_its_place(other, name):
    """What the destination's memory was used for before is done first."""
    with other:
        x = cp.ones(N)
        other.synchronize()
    busy = slow(cuda.Device(0))
    here = cp.empty(N)
    here[...] = 7
    got = COPIES[name](x, here)
    total = got.sum()
    assert float(total) == N
    del busy


@pytest.mark.parametrize("name", COPIES)
def test_a_freed_source_is_copied_first(other, name):
    here = cp.zeros(N)
    with other:
        busy = slow(other)
        x = cp.ones(N)
    got = COPIES[name](x, here)
    del x
    with other:
        y = [cp.full(N, 9.0) for _ in range(4)]  # takes the memory of x
    assert (got.get() == 1).all()
    del busy, y


def test_copies_on_streams(other):
    here = cuda.Stream(non_blocking=True)
    with other:
        there = cuda.Stream(non_blocking=True)
    with other, there:
        x = cp.zeros(N)
        busy = slow(other, there)
        x += 3
    with here:
        # x's device has its default stream as the current one: its user orders them.
        with other, there:
            event = there.record()
            cuda.Stream.null.wait_event(event)
        y = cp.asarray(x)
        total = float(y.sum())
    assert total == 3 * N
    del busy


LAYOUTS = {
    "transposed": lambda a: a.T,
    "part": lambda a: a[1::3, ::-2],
    "row": lambda a: a[5],
    "Fortran": lambda a: cp.asfortranarray(a),
    "empty": lambda a: a[:0],
    "scalar": lambda a: a[1, 2],
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(other, name):
    values = np.arange(30 * 40.0).reshape(30, 40)
    with other:
        x = LAYOUTS[name](cp.asarray(values))
    y = cp.asarray(x)
    assert y.device == cuda.Device(0)
    np.testing.assert_array_equal(y.get(), x.get())
    place = cp.zeros((2, *x.shape), "f")[1]
    place[...] = x  # converts too
    np.testing.assert_array_equal(place.get(), x.get().astype("f"))
    with other:
        x[...] = place + 1
    assert x.device == other
    np.testing.assert_array_equal(x.get(), place.get() + 1)


def test_masked_and_indexed_assignment(other):
    x = cp.arange(10.0)
    with other:
        v = cp.full(10, -1.0)
    cp.copyto(x, v, where=x > 5)
    assert x.get().tolist() == [0, 1, 2, 3, 4, 5, -1, -1, -1, -1]
    x[2:4] = v[:2]
    assert x.get().tolist() == [0, 1, -1, -1, 4, 5, -1, -1, -1, -1]


def test_back_and_forth(other):
    a = np.random.default_rng(0).standard_normal(N)
    x = cp.asarray(a)
    for _ in range(10):
        with other:
            y = cp.asarray(x) + 1
        x = cp.asarray(y) - 1
        del y
    np.testing.assert_allclose(x.get(), a, atol=1e-12)


# ---- where things run ----------------------------------------------------------------


def test_operations_run_where_operands_live(other):
    with other:
        x = cp.asarray(np.arange(12.0).reshape(3, 4) + 1)
        square = cp.asarray(np.eye(4) * 2 + 1)
    kernel = cp.ElementwiseKernel("T x", "T y", "y = x * 2", "there_elementwise")
    reduction = cp.ReductionKernel(
        "T x", "T y", "x", "a + b", "y = a", "0", "there_sum"
    )
    raw = cp.RawKernel(
        'extern "C" __global__ void f(double *x) { x[threadIdx.x] += 1; }', "f"
    )
    results = {
        "add": (x + x, lambda a, s: a + a),
        "scalar": (x * 2, lambda a, s: a * 2),
        "sum": (x.sum(0), lambda a, s: a.sum(0)),
        "std": (x.std(), lambda a, s: a.std()),
        "cumsum": (x.cumsum(1), lambda a, s: a.cumsum(1)),
        "sort": (cp.sort(-x), lambda a, s: np.sort(-a)),
        "mask": (x[x > 3], lambda a, s: a[a > 3]),
        "matmul": (x @ square, lambda a, s: a @ s),
        "solve": (cp.linalg.solve(square, x.T), lambda a, s: np.linalg.solve(s, a.T)),
        "svd": (cp.linalg.svd(x)[1], lambda a, s: np.linalg.svd(a)[1]),
        "fft": (cp.fft.fft(x), lambda a, s: np.fft.fft(a)),
        "elementwise": (kernel(x), lambda a, s: a * 2),
        "reduction": (reduction(x), lambda a, s: a.sum()),
    }
    a, s = x.get(), square.get()
    for name, (got, want) in results.items():
        assert got.device == other, name
        np.testing.assert_allclose(
            got.get(), want(a, s), rtol=1e-10, atol=1e-12, err_msg=name
        )
    y = x.copy() if cuda.Device().id else x.to_device(other) + 0
    raw((1,), (12,), (y,))
    np.testing.assert_array_equal(y.get(), a + 1)


def test_random_numbers_are_the_same_on_every_device(other):
    cp.random.seed(3)
    here = cp.random.random(100)
    with other:
        cp.random.seed(3)
        there = cp.random.random(100)
    assert there.device == other
    np.testing.assert_array_equal(here.get(), there.get())


def test_operands_on_two_devices_are_refused(other):
    here = cp.ones(4)
    with other:
        there = cp.ones(4)
    for call in (
        lambda: here + there,
        lambda: cp.add(here, 1, out=there),
        lambda: here @ there,
        lambda: cp.where(here > 0, here, there),
        lambda: cp.add.at(here, cp.arange(4), there),
        lambda: cp.add.at(here, there.astype(int), 1),
        lambda: cp.minimum.reduceat(here, there.astype(int)),
        lambda: cp.ElementwiseKernel("T x, T y", "T z", "z = x + y", "both")(
            here, there
        ),
    ):
        with pytest.raises(ValueError, match="device 0.*device 1|device 1.*device 0"):
            call()


# ---- pools, streams, events, graphs --------------------------------------------------


def test_pools_are_apart(other):
    pool = cp.get_default_memory_pool()
    gc.collect()  # what other tests left there goes before, not between
    with other:
        before = pool.used_bytes()
    x = cp.ones(N)
    with other:
        assert pool.used_bytes() == before
        y = cp.asarray(x)
        assert pool.used_bytes() == before + y.nbytes
    del x, y
    gc.collect()
    with other:
        assert pool.used_bytes() == before
        pool.free_all_blocks()


def test_streams_and_events(other):
    with other:
        s = cuda.Stream(non_blocking=True)
        assert s.device_id == 1
        with s:
            assert cuda.get_current_stream() == s
            x = cp.arange(1000.0)
            start, end = cuda.Event(), cuda.Event()
            start.record()
            y = x * 2
            end.record()
    assert cuda.get_current_stream() == cuda.Stream.null
    end.synchronize()
    assert end.done
    assert cuda.get_elapsed_time(start, end) >= 0
    mine = cuda.Stream(non_blocking=True)
    mine.wait_event(end)  # of another device
    mine.synchronize()
    s.synchronize()
    assert y.device == other
    np.testing.assert_array_equal(y.get(stream=s), np.arange(1000.0) * 2)
    with pytest.raises(ValueError, match="device"):
        y.get(stream=mine)


def test_a_graph_of_the_other_device(other):
    with other:
        x = cp.arange(64.0)
        s = cuda.Stream(non_blocking=True)
        with s:
            (x * 2 + 1).sum()
            s.synchronize()
            s.begin_capture()
            y = (x * 2 + 1).sum()
            graph = s.end_capture()
    graph.launch(s)
    s.synchronize()
    assert y.device == other
    with other, s:
        assert float(y) == (np.arange(64.0) * 2 + 1).sum()


def test_dlpack(other):
    with other:
        x = cp.arange(10.0)
    assert x.__dlpack_device__()[1] == (1 if cuda.is_available() else 1)
    y = cp.from_dlpack(x)
    assert y.device == other
    assert y.data.ptr == x.data.ptr
    z = cp.from_dlpack(x, device=0)
    assert z.device == cuda.Device(0)
    np.testing.assert_array_equal(z.get(), x.get())


def test_memory_knows_its_device(other):
    with other:
        x = cp.ones(10)
    assert x.data.device == other
    assert cuda.device.from_pointer(x.data.ptr) == other
    assert runtime.pointerGetAttributes(x.data.ptr).device == 1
    memory = cuda.UnownedMemory(x.data.ptr, x.nbytes, x)
    assert memory.device == other


def test_peers(other):
    assert runtime.deviceCanAccessPeer(0, 0) == 0
    if not runtime.deviceCanAccessPeer(0, 1):
        return
    runtime.deviceEnablePeerAccess(1)
    with pytest.raises(runtime.CUDARuntimeError, match="AlreadyEnabled"):
        runtime.deviceEnablePeerAccess(1)
    runtime.deviceDisablePeerAccess(1)
    with pytest.raises(runtime.CUDARuntimeError):
        runtime.deviceDisablePeerAccess(1)
    runtime.deviceEnablePeerAccess(1)
    runtime.deviceDisablePeerAccess(1)


def test_pickles_go_to_the_current_device(other):
    import pickle

    with other:
        data = pickle.dumps(cp.arange(5))
    assert pickle.loads(data).device == cuda.Device(0)


MATRIX = np.eye(3) + 0.1
VECTOR = np.arange(3.0)
COMPOSED = {  # of a matrix and a vector on one device, and the same on another
    "solve": lambda a, u, b, v: cp.linalg.solve(a, v),
    "solve columns": lambda a, u, b, v: cp.linalg.solve(a, b),
    "tensorsolve": lambda a, u, b, v: cp.linalg.tensorsolve(a, v),
    "lstsq": lambda a, u, b, v: cp.linalg.lstsq(a, v, rcond=None),
    "matrix_rank": lambda a, u, b, v: cp.linalg.matrix_rank(a[None], v[:1]),
    "dot out": lambda a, u, b, v: cp.dot(a, u, out=v),
    "vecdot out": lambda a, u, b, v: cp.vecdot(a, a, out=v),
    "matmul out": lambda a, u, b, v: cp.matmul(a, a, out=b),
    "einsum": lambda a, u, b, v: cp.einsum("ij,j", a, v),
    "einsum out": lambda a, u, b, v: cp.einsum("ij->ji", a, out=b),
    "convolve": lambda a, u, b, v: cp.convolve(u, v),
    "median out": lambda a, u, b, v: cp.median(a, axis=0, out=v),
    "nanmedian out": lambda a, u, b, v: cp.nanmedian(a, axis=0, out=v),
    "quantile out": lambda a, u, b, v: cp.quantile(a, 0.3, axis=0, out=v),
    "ptp out": lambda a, u, b, v: cp.ptp(a, axis=0, out=v),
    "average": lambda a, u, b, v: cp.average(a, axis=0, weights=v),
    "cov": lambda a, u, b, v: cp.cov(a, aweights=v),
    "histogram": lambda a, u, b, v: cp.histogram(u, v),
    "histogram weights": lambda a, u, b, v: cp.histogram(u, 3, weights=v),
    "digitize": lambda a, u, b, v: cp.digitize(u, v),
    "interp": lambda a, u, b, v: cp.interp(u, v, v),
}


@pytest.mark.parametrize("name", COMPOSED)
@pytest.mark.parametrize("current", [0, 1])
def test_compositions_refuse_two_devices(other, name, current):
    a, u = cp.array(MATRIX), cp.array(VECTOR)
    with other:
        b, v = cp.array(MATRIX), cp.array(VECTOR)
    with cuda.Device(current):
        for arrays in ((a, u, b, v), (b, v, a, u)):
            with pytest.raises(ValueError, match="different devices"):
                COMPOSED[name](*arrays)
    assert (v.get() == VECTOR).all()
    assert (u.get() == VECTOR).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda a, v: cp.histogram(v, 3),
        lambda a, v: cp.histogram(v, [0, 1, 2], weights=v * 1j),
        lambda a, v: cp.bincount(v.astype(int)),
        lambda a, v: cp.digitize(v, [0, 1]),
        lambda a, v: cp.linalg.cond(a * 0, 1),
        lambda a, v: cp.linalg.pinv(a),
        lambda a, v: cp.quantile(a, [], axis=0),
        lambda a, v: cp.interp(v, v, v * 1j),
        lambda a, v: cp.linalg.lstsq(a, v, rcond=None),
        lambda a, v: cp.linalg.matrix_rank(a[..., ::2]),
        lambda a, v: cp.median(a, axis=0),
        lambda a, v: cp.isin(v[::2], v[::-2]),
        lambda a, v: cp.fft.fftshift(a),
    ],
)
def test_results_live_where_the_arrays_do(other, call):
    with other:
        a, v = cp.array(MATRIX), cp.array(VECTOR)
    results = call(a, v)
    for r in results if isinstance(results, tuple) else (results,):
        assert r.device == other


def test_shuffle_elsewhere(other):
    with other:
        v = cp.arange(100)
    cp.random.default_rng(1).shuffle(v)
    assert sorted(v.get()) == list(range(100))
