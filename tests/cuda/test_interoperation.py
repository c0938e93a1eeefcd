"""Memory shared with PyTorch and Numba, both ways, in the order of each one's streams.

In front of every hand-over its producer's stream gets work of some milliseconds:
without the order, the consumer would read what was there before.
"""

import gc

import numpy as np
import pytest

import cupric as cp
from cupric import cuda

pytestmark = pytest.mark.only_on("cuda")

N = 1 << 20


@pytest.fixture(scope="module")
def torch():
    module = pytest.importorskip("torch")
    if not module.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return module


@pytest.fixture(scope="module")
def numba():
    pytest.importorskip("numba")
    module = pytest.importorskip("numba.cuda")
    if not module.is_available():
        pytest.skip("Numba sees no CUDA")
    return module


@pytest.fixture(params=["default", "blocking", "non_blocking"])
def mine(request):
    return {
        "default": lambda: cuda.Stream.null,
        "blocking": cuda.Stream,
        "non_blocking": lambda: cuda.Stream(non_blocking=True),
    }[request.param]()


def busy():
    """Queue some milliseconds of work on the current stream."""
    a = cp.ones((2500, 2500), "f")
    for _ in range(20):
        a = a @ a * cp.float32(1e-4)
    return a


def torch_busy(torch):
    a = torch.ones((2500, 2500), device="cuda")
    for _ in range(20):
        a = a @ a * 1e-4
    return a


# Set-up takes long enough for the work in front to end: it comes first.
@pytest.fixture(autouse=True)
def warm(torch):
    busy()
    torch_busy(torch)
    torch.from_dlpack(cp.ones(3)).sum().item()
    cuda.Device().synchronize()


# ---- DLPack --------------------------------------------------------------------------


@pytest.mark.parametrize("side", [False, True], ids=["current", "side"])
def test_to_torch(torch, mine, side):
    with mine:
        x = cp.zeros(N)
        mine.synchronize()
        theirs = torch.cuda.Stream() if side else torch.cuda.current_stream()
        keep = busy()
        x += 3
        with torch.cuda.stream(theirs):
            t = torch.from_dlpack(x)
            total = t.sum()
            assert t.data_ptr() == x.data.ptr
            assert total.item() == 3 * N
    del keep


@pytest.mark.parametrize("side", [False, True], ids=["current", "side"])
def test_from_torch(torch, mine, side):
    theirs = torch.cuda.Stream() if side else torch.cuda.current_stream()
    with torch.cuda.stream(theirs):
        t = torch.zeros(N, device="cuda", dtype=torch.float64)
        theirs.synchronize()
        keep = torch_busy(torch)
        t += 3
        with mine:
            x = cp.from_dlpack(t)
            assert x.data.ptr == t.data_ptr()
            assert float(x.sum()) == 3 * N
    del keep


def test_dlpack_keeps_either_side_alive(torch):
    x = cp.arange(1000.0)
    t = torch.from_dlpack(x)
    del x
    gc.collect()
    junk = [cp.zeros(1000) for _ in range(10)]
    assert t.sum().item() == 499500
    y = cp.from_dlpack(torch.arange(1000.0, device="cuda", dtype=torch.float64))
    gc.collect()
    more = [torch.zeros(1000, device="cuda", dtype=torch.float64) for _ in range(10)]
    assert float(y.sum()) == 499500
    del junk, more


@pytest.mark.parametrize(
    "dtype", ["?", "b", "B", "h", "i", "q", "e", "f", "d", "F", "D"]
)
def test_dtypes(torch, dtype):
    a = np.arange(24).reshape(4, 6).astype(dtype)
    t = torch.from_dlpack(cp.asarray(a).T)
    np.testing.assert_array_equal(t.cpu().numpy(), a.T)
    np.testing.assert_array_equal(cp.from_dlpack(t).get(), a.T)


# ---- the CUDA array interface --------------------------------------------------------


@pytest.mark.parametrize("side", [False, True], ids=["current", "side"])
def test_torch_reads_the_interface(torch, mine, side):
    with mine:
        x = cp.zeros(N)
        mine.synchronize()
        keep = busy()
        x += 3
        described = x.__cuda_array_interface__
        assert described["version"] == 3
        assert described["stream"] in (mine.ptr, 1)
        t = torch.as_tensor(x, device="cuda")  # PyTorch does not look at the stream
        mine.synchronize()
        assert t.sum().item() == 3 * N
    del keep


@pytest.mark.parametrize("side", [False, True], ids=["current", "side"])
def test_numba_reads_the_interface(numba, mine, side):
    with mine:
        x = cp.zeros(N)
        mine.synchronize()
        keep = busy()
        x += 3
        n = numba.as_cuda_array(x)  # waits for the stream that is named
        assert (n.copy_to_host() == 3).all()
    del keep


@pytest.mark.parametrize("side", [False, True], ids=["default", "side"])
def test_reading_numba(numba, mine, side):
    """Its compiler is not needed, which some versions cannot load beside NumPy 2.5."""
    stream = numba.stream() if side else numba.default_stream()
    n = numba.to_device(np.zeros(N), stream=stream)
    threes = numba.to_device(np.full(N, 3.0), stream=stream)
    large = [numba.device_array(1 << 25, stream=stream) for _ in range(2)]
    stream.synchronize()
    for _ in range(40):
        large[0].copy_to_device(large[1], stream=stream)
    n.copy_to_device(threes, stream=stream)
    if side:
        n = numba.as_cuda_array(_Named(n, stream))
    with mine:
        x = cp.asarray(n)
        assert float(x.sum()) == 3 * N


class _Named:
    """A Numba array that names its stream."""

    def __init__(self, array, stream):
        self._array = array
        described = dict(array.__cuda_array_interface__)
        handle = getattr(stream.handle, "value", stream.handle)
        described["stream"] = int(handle or 1)
        self.__cuda_array_interface__ = described


def test_the_stream_of_the_interface_is_waited_for(mine):
    class Foreign:
        pass

    producer = cuda.Stream(non_blocking=True)
    with producer:
        x = cp.zeros(N)
        producer.synchronize()
        keep = busy()
        x += 3
        foreign = Foreign()
        foreign.__cuda_array_interface__ = dict(x.__cuda_array_interface__)
    with mine:
        y = cp.asarray(foreign)
        assert y.data.ptr == x.data.ptr
        assert float(y.sum()) == 3 * N
    del keep


def test_layouts_of_the_interface():
    class Foreign:
        def __init__(self, x):
            self.x = x
            self.__cuda_array_interface__ = x.__cuda_array_interface__

    a = np.arange(60.0).reshape(3, 4, 5)
    for view in (
        lambda v: v,
        lambda v: v.T,
        lambda v: v[::-1, 1:3, ::-2],
        lambda v: v[:0],
    ):
        y = cp.asarray(Foreign(view(cp.asarray(a))))
        np.testing.assert_array_equal(y.get(), view(a))


def test_our_stream_for_torch(torch):
    """PyTorch's work on a stream of ours."""
    s = cuda.Stream(non_blocking=True)
    with s:
        x = cp.zeros(N)
        keep = busy()
        x += 1
        with torch.cuda.stream(torch.cuda.ExternalStream(s.ptr)):
            t = torch.as_tensor(x, device="cuda")
            t += 1
        x += 1
        assert float(x.sum()) == 3 * N
    del keep


def test_torchs_stream_for_us(torch):
    theirs = torch.cuda.Stream()
    with torch.cuda.stream(theirs), cuda.Stream.from_external(theirs):
        t = torch.zeros(N, device="cuda", dtype=torch.float64)
        keep = torch_busy(torch)
        x = cp.asarray(t)
        x += 2
        t += 1
        assert t.sum().item() == 3 * N
    del keep


def test_the_other_device(torch):
    """Device 0 is the current one throughout."""
    if cuda.runtime.getDeviceCount() < 2:
        pytest.skip("needs two devices")
    with cuda.Device(1):
        x = cp.zeros(N)
        keep = busy()
        x += 3
    t = torch.from_dlpack(x)
    assert t.device.index == 1
    assert t.sum().item() == 3 * N
    t = torch.full((N,), 2.0, device="cuda:1", dtype=torch.float64)
    y = cp.from_dlpack(t)
    assert y.device == cuda.Device(1)
    assert y.data.ptr == t.data_ptr()
    assert float(y.sum()) == 2 * N
    z = cp.asarray(t)  # on the current device, as of an array of ours
    assert z.device == cuda.Device(0)
    assert float(z.sum()) == 2 * N
    del keep
