"""Devices: numbers, the current one, properties, and how the host divides itself."""

import os
import subprocess
import sys
import threading

import pytest

import cupric
from cupric import cuda
from cupric.cuda.runtime import CUDARuntimeError


def run(code, **env):
    """Run code in a process of its own, and return what it prints."""
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def test_the_current_device():
    assert cuda.Device() == cuda.Device(0)
    assert cuda.Device().id == int(cuda.Device(0)) == cuda.get_device_id() == 0
    assert cuda.Device(cuda.Device(0)) == cuda.Device(0)


def test_repr_names_the_backend(device):
    name = {"host": "host", "cuda": "CUDA"}[device]
    assert repr(cuda.Device(0)) == f"<{name} Device 0>"
    assert cuda.is_available() == (device == "cuda")


def test_a_device_that_is_not_there():
    none = cuda.Device(10_000)
    assert (none.id, int(none)) == (10_000, 10_000)
    assert none.backend == cuda.Device(0).backend
    assert repr(none) == repr(cuda.Device(0)).replace("0", "10000")
    assert cuda.Device(none) == none == cuda.Device(10_000)
    assert cuda.Device(0) != none != 10_000
    assert hash(none) == hash(cuda.Device(10_000))
    assert len({none, cuda.Device(10_000), cuda.Device(-1), cuda.Device(-2)}) == 3


def test_order_of_devices_that_are_not_there():
    numbers = [-1, 0, 999, 1000]
    for i in numbers:
        for j in numbers:
            a, b = cuda.Device(i), cuda.Device(j)
            assert [a < b, a <= b, a == b, a != b, a >= b, a > b] == [
                *(i < j, i <= j, i == j, i != j, i >= j, i > j)
            ]
    assert not cuda.Device(999) == 999  # noqa: SIM201
    with pytest.raises(TypeError):
        cuda.Device(999) < 1000  # noqa: B015


USES = {
    "use": lambda d: d.use(),
    "with": lambda d: d.__enter__(),
    "synchronize": lambda d: d.synchronize(),
    "attributes": lambda d: d.attributes,
    "mem_info": lambda d: d.mem_info,
    "compute_capability": lambda d: d.compute_capability,
    "pci_bus_id": lambda d: d.pci_bus_id,
    "name": lambda d: d.name,
    "cublas_handle": lambda d: d.cublas_handle,
    "setDevice": lambda d: cuda.runtime.setDevice(d.id),
    "deviceGetAttribute": lambda d: cuda.runtime.deviceGetAttribute(1, d.id),
    "deviceCanAccessPeer": lambda d: cuda.runtime.deviceCanAccessPeer(0, d.id),
    "getDeviceProperties": lambda d: cuda.runtime.getDeviceProperties(d.id),
    "to_device": lambda d: cupric.ones(3).to_device(d),
    "memory": lambda d: cuda.UnownedMemory(1, 1, None, d.id),
    "zeros": lambda d: cupric.zeros(3, device=d),
    "empty": lambda d: cupric.empty(3, device=d.id),
}


@pytest.mark.parametrize("number", [-1, 10_000, 2**31 - 1])
@pytest.mark.parametrize("use", USES)
def test_use_of_a_device_that_is_not_there(use, number):
    if (use, number) == ("memory", -1):
        pytest.skip("-1: told by the address")
    with pytest.raises(CUDARuntimeError, match="invalid device ordinal") as info:
        USES[use](cuda.Device(number))
    assert info.value.status == 101
    assert cuda.Device().id == 0


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 10**30])
def test_a_device_number_has_32_bits(number):
    with pytest.raises(OverflowError):
        cuda.Device(number)


@pytest.mark.parametrize("number", ["0", 0.0, [], b""])
def test_a_device_is_a_number(number):
    with pytest.raises(TypeError):
        cuda.Device(number)
    with pytest.raises(TypeError):
        cupric.zeros(3, device=number)


def test_comparison():
    d = cuda.Device(0)
    assert d == cuda.Device(0)
    assert d == cuda.Device(0)
    assert d <= cuda.Device(0)
    assert not d < cuda.Device(0)
    assert d != 0
    assert d != "host"
    assert len({d, cuda.Device(0)}) == 1
    with pytest.raises(TypeError):
        d < 1  # noqa: B015


def test_properties():
    d = cuda.Device(0)
    free, total = d.mem_info
    assert 0 < free <= total
    assert d.compute_capability.isdigit()
    assert cuda.Device.from_pci_bus_id(d.pci_bus_id) == d
    assert d.attributes["WarpSize"] == 32
    assert d.attributes["MaxThreadsPerBlock"] >= 1024
    d.synchronize()


@pytest.mark.only_on("host")
def test_no_library_handles_on_the_host():
    with pytest.raises(NotImplementedError, match="cuBLAS"):
        cuda.Device(0).cublas_handle  # noqa: B018
    with pytest.raises(CUDARuntimeError):
        cuda.Device.from_pci_bus_id("nowhere")


def test_exit_without_enter():
    # In a thread of its own: the stack of devices is the thread's.
    errors = []

    def leave():
        try:
            cuda.Device(0).__exit__(None, None, None)
        except RuntimeError as error:
            errors.append(error)

    thread = threading.Thread(target=leave)
    thread.start()
    thread.join()
    assert "entered no device" in str(errors[0])


FOUR = {"CUPRIC_DEVICE": "host", "CUPRIC_HOST_DEVICES": "4"}


def test_host_as_four_devices():
    code = """
from cupric import cuda
print(cuda.runtime.getDeviceCount())
with cuda.Device(2) as two:
    assert cuda.Device() == two
    with cuda.Device(3), cuda.Device(1):
        print(cuda.Device().id)
    print(cuda.Device().id)
cuda.Device(3).use()
print(cuda.get_device_id())
"""
    assert run(code, **FOUR) == ["4", "1", "2", "3"]


def test_four_pools():
    code = """
from cupric import cuda
pool = cuda.get_default_memory_pool()
with cuda.Device(1):
    a = cuda.alloc(1000)
    print(a.device_id, a.device.id, pool.used_bytes())
    pool.set_limit(size=4096)
print(pool.used_bytes(), pool.get_limit(), pool.total_bytes())
with cuda.Device(1):
    print(pool.get_limit(), pool.total_bytes())
print(cuda.device.from_pointer(a.ptr).id)
"""
    assert run(code, **FOUR) == [
        "1",
        "1",
        "1024",
        "0",
        "0",
        "0",
        "4096",
        "2097152",
        "1",
    ]


def test_the_current_device_is_the_threads():
    code = """
import threading
from cupric import cuda
cuda.Device(2).use()
def look():
    print(cuda.Device().id)
    cuda.Device(1).use()
thread = threading.Thread(target=look)
thread.start()
thread.join()
print(cuda.Device().id)
"""
    assert run(code, **FOUR) == ["0", "2"]


def test_copy_between_devices():
    code = """
import ctypes
from cupric import cuda
from cupric.cuda import runtime
with cuda.Device(0):
    a = cuda.alloc(64)
    a.memset(7, 64)
with cuda.Device(3):
    b = cuda.alloc(64)
    b.copy_from_device(a, 64)
out = (ctypes.c_ubyte * 64)()
with cuda.Device(3):
    b.copy_to_host(ctypes.addressof(out), 64)
assert set(out) == {7}
runtime.memset(b.ptr, 1, 64)
runtime.memcpyPeer(a.ptr, 0, b.ptr, 3, 64)
a.copy_to_host(ctypes.addressof(out), 64)
assert set(out) == {1}
print(runtime.deviceCanAccessPeer(0, 3), runtime.deviceCanAccessPeer(3, 3))
runtime.deviceEnablePeerAccess(3)
try:
    runtime.deviceEnablePeerAccess(3)
except runtime.CUDARuntimeError as error:
    print(error.status == runtime.errorPeerAccessAlreadyEnabled)
"""
    assert run(code, **FOUR) == ["1", "0", "True"]


def test_a_setting_that_is_no_backend():
    code = """
from cupric import cuda
try:
    cuda.Device()
except ValueError as error:
    print("CUPRIC_DEVICE" in str(error))
try:
    cuda.alloc(1)
except ValueError as error:
    print("CUPRIC_DEVICE" in str(error))
"""
    assert run(code, CUPRIC_DEVICE="tpu") == ["True", "True"]


@pytest.mark.only_on("host")
def test_importing_starts_no_threads():
    code = """
import os
import cupric.cuda
print(len(os.listdir("/proc/self/task")))
"""
    # OpenBLAS, which NumPy loads, has threads of its own.
    assert run(code, OPENBLAS_NUM_THREADS="1") == ["1"]


@pytest.mark.only_on("host")
def test_fork_after_use():
    code = """
import os
import threading
from cupric import cuda
pool = cuda.get_default_memory_pool()
keep = [cuda.alloc(1 << i) for i in range(20)]
stop = False
def churn():
    while not stop:
        cuda.alloc(5000)
threads = [threading.Thread(target=churn) for _ in range(3)]
for thread in threads:
    thread.start()
for _ in range(20):
    pid = os.fork()
    if pid == 0:
        blocks = [cuda.alloc(3000) for _ in range(100)]
        s = cuda.Stream()
        with s:
            cuda.alloc(100).memset(0, 100)
        s.synchronize()
        os._exit(0 if pool.used_bytes() >= 100 * 3072 else 1)
    assert os.waitpid(pid, 0)[1] == 0
stop = True
for thread in threads:
    thread.join()
print("done")
"""
    assert run(code) == ["done"]
