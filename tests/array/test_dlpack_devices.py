"""DLPack between devices: export to the host, requests for a device or a copy."""

import numpy as np
import pytest

import cupric as cp
from cupric import cuda

HOST = (1, 0)

VIEWS = {
    "dense": lambda x: x,
    "transposed": lambda x: x.T,
    "stepped": lambda x: x[:, ::-2],
    "0-d": lambda x: x[1, 2],
    "empty": lambda x: x[:0],
}


def array(dtype="f4"):
    return cp.arange(12).astype(dtype).reshape(3, 4)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "c16"])
def test_export_to_the_host(view, dtype, device):
    x = VIEWS[view](array(dtype))
    a = np.from_dlpack(x, device="cpu")
    assert a.dtype == x.dtype
    np.testing.assert_array_equal(a, x.get())
    assert a.flags.writeable
    if x.size:
        a[...] = 1 - a
        assert (a == x.get()).all() == (device == "host")  # where the memory is shared


@pytest.mark.parametrize("view", VIEWS)
def test_export_of_a_copy_to_the_host(view):
    x = VIEWS[view](array())
    before = x.get()
    a = np.from_dlpack(x, device="cpu", copy=True)
    np.testing.assert_array_equal(a, before)
    a[...] = -1
    np.testing.assert_array_equal(x.get(), before)


def test_export_to_the_host_without_a_copy(device):
    x = array()
    if device == "host":
        a = np.from_dlpack(x, device="cpu", copy=False)
        a[0, 0] = 7
        assert float(x[0, 0]) == 7
        return
    for attempt in (
        lambda: np.from_dlpack(x, device="cpu", copy=False),
        lambda: x.__dlpack__(dl_device=HOST, copy=False),
    ):
        with pytest.raises(BufferError, match="without a copy"):
            attempt()


def test_host_memory_is_not_the_programs_allocators():
    asked = []

    def allocate(nbytes):
        asked.append(nbytes)
        return cuda.alloc(nbytes)

    x = array()
    with cuda.using_allocator(allocate):
        a = np.from_dlpack(x, device="cpu")
    np.testing.assert_array_equal(a, x.get())
    assert asked == []


def test_an_export_waits_for_the_stream():
    stream = cuda.Stream(non_blocking=True)
    x = cp.zeros(1 << 20)
    cuda.Device().synchronize()
    with stream:
        for _ in range(50):
            x += 1
        a = np.from_dlpack(x, device="cpu", copy=True)
        x += 1
        assert (a == 50).all()


def test_a_read_only_array_goes_to_the_host(device):
    x = cp.broadcast_to(cp.arange(3.0), (2, 3))
    a = np.from_dlpack(x, device="cpu")
    np.testing.assert_array_equal(a, x.get())
    assert a.flags.writeable == (device == "cuda")  # a copy


def test_requests_for_the_own_device():
    x = array()
    own = x.__dlpack_device__()
    for kwargs in ({}, {"dl_device": own}, {"dl_device": own, "copy": False}):
        for version in (None, (1, 0)):
            y = cp.from_dlpack(
                Capsule(x.__dlpack__(max_version=version, **kwargs), own)
            )
            assert y.data.ptr == x.data.ptr
            y = Capsule(x.__dlpack__(copy=True, max_version=version), own)
            assert cp.from_dlpack(y).data.ptr != x.data.ptr
    for other in ((4, 0), (10, 0)):
        with pytest.raises(BufferError, match="cannot export"):
            x.__dlpack__(dl_device=other)
    for wrong in (1, (1,), (1, 0, 0), "cpu"):
        with pytest.raises(TypeError, match="tuple of two"):
            x.__dlpack__(dl_device=wrong)


class Capsule:
    """A producer of one capsule."""

    def __init__(self, capsule, device):
        self.capsule, self.device = capsule, device

    def __dlpack__(self, **kwargs):
        return self.capsule

    def __dlpack_device__(self):
        return self.device


@pytest.mark.parametrize("view", VIEWS)
def test_import_from_the_host(view, device):
    """A NumPy array comes to the device that is asked for."""
    a = np.asarray(VIEWS[view](np.arange(12, dtype="f4").reshape(3, 4)))
    x = cp.from_dlpack(a, device=cuda.Device(0))
    assert x.device == cuda.Device(0)
    np.testing.assert_array_equal(x.get(), a)
    float((x + 1).sum())
    copied = cp.from_dlpack(a, device=0, copy=True)
    if a.size:
        a[...] = -1
        np.testing.assert_array_equal(copied.get() == a, False)
        assert (x.get() == a).all() == (device == "host")
    if device == "cuda":
        with pytest.raises(ValueError, match="another device"):
            cp.from_dlpack(a, device=0, copy=False)


def test_import_to_the_host():
    x = array()
    y = cp.from_dlpack(x, device=HOST)
    assert y.__dlpack_device__() == HOST
    np.testing.assert_array_equal(np.from_dlpack(y), x.get())
    back = y.to_device(cuda.Device(0))
    assert back.device == x.device
    np.testing.assert_array_equal(back.get(), x.get())


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_a_capsule_is_consumed_once(version):
    x = array()
    capsule = x.__dlpack__(max_version=version)
    producer = Capsule(capsule, x.__dlpack_device__())
    assert cp.from_dlpack(producer).data.ptr == x.data.ptr
    for again in (producer, capsule):
        with pytest.raises(ValueError, match="consumed"):
            cp.from_dlpack(again)
    legacy = x.toDlpack()
    cp.fromDlpack(legacy)
    with pytest.raises(ValueError, match="consumed"):
        cp.fromDlpack(legacy)


def test_stream_arguments():
    x = array()
    stream = cuda.Stream(non_blocking=True)
    for number in (None, -1, 1, 2, *([stream.ptr] if stream.ptr > 2 else [])):
        x.__dlpack__(stream=number)
    with pytest.warns(UserWarning, match="stream=0 is ambiguous"):
        x.__dlpack__(stream=0)
    with pytest.raises(ValueError, match="stream=-2"):
        x.__dlpack__(stream=-2)
    with pytest.raises(TypeError):
        x.__dlpack__(stream="1")


# ---- PyTorch, where it is ------------------------------------------------------------


@pytest.fixture
def torch(device):
    module = pytest.importorskip("torch")
    if device == "cuda" and not module.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return module


def test_to_torch_and_back(torch, device):
    x = array("f8")
    t = torch.from_dlpack(x)
    assert t.device.type == {"host": "cpu", "cuda": "cuda"}[device]
    t += 1
    if device == "cuda":
        torch.cuda.synchronize()
    np.testing.assert_array_equal(x.get(), np.arange(12.0).reshape(3, 4) + 1)
    y = cp.from_dlpack(t)
    assert y.data.ptr == x.data.ptr
    y -= 1
    cuda.Device().synchronize()
    assert t.sum().item() == 66


def test_torch_on_the_host(torch, device):
    t = torch.arange(12, dtype=torch.float64).reshape(3, 4)
    x = cp.from_dlpack(t.T, device=cuda.Device(0))
    assert x.device == cuda.Device(0)
    np.testing.assert_array_equal(x.get(), t.T.numpy())
    shared = device == "host"
    x += 1
    cuda.Device().synchronize()
    assert t.sum().item() == (78 if shared else 66)
    u = torch.utils.dlpack.from_dlpack(
        x.__dlpack__(dl_device=HOST, copy=True, max_version=(0, 8))
    )
    np.testing.assert_array_equal(u.numpy(), x.get())
