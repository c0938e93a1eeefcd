"""docs/launches.md says what calls ask of the driver today, and what counts counts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cupric

ROOT = Path(__file__).resolve().parents[2]

sys.path.insert(0, str(ROOT))
from tools import launches  # noqa: E402


@pytest.fixture(scope="module")
def counted():
    if not (Path(cupric.__file__).parent / "_cuda.so").exists():
        pytest.skip("built without the CUDA device")
    return launches.counted()


@pytest.mark.only_on("host")
def test_page_is_up_to_date(counted):
    """A call that launches or waits more than it did changes the page: it is a
    regression, or `make launches` writes the page anew."""
    peer = launches.json.loads(p.read_text()) if (p := launches.PEER).exists() else None
    rows = launches.page(counted, peer).splitlines()
    committed = launches.PAGE.read_text().splitlines()
    assert [row for row in rows if row not in committed] == []
    assert rows == committed


@pytest.mark.only_on("host")
def test_counts(counted):
    dense = counted["counts"]["dense"]
    assert dense["x + y"] == [1, 0, 0]
    assert dense["xp.empty(1000)"] == [0, 0, 0]
    assert dense["xp.asarray(host)"] == [0, 1, 0]
    assert dense["x[3].item()"] == [0, 1, 1]
    assert dense["xp.nonzero(x)"] == [1, 0, 1]  # told by way of the host's memory
    assert counted["counts"]["strided"]["x.copy()"] == [1, 0, 0]


@pytest.mark.only_on("cuda")
def test_a_device_counts_as_the_driver_without_one():
    """Where neither libraries nor values say what is launched."""
    with_device, without = launches.counted(real=True), launches.counted()
    for layout in launches.LAYOUTS:
        for call in ("x + y", "x.sum()", "x.copy()", "x[3].item()", "xp.sort(x)"):
            rows = [c["counts"][layout][call] for c in (with_device, without)]
            assert rows[0] == rows[1], call


DRIVER = """
typedef unsigned long long word;
int cuLaunchKernel(word a, word b, word c, word d, word e, word f, word g, word h,
                   word i, word j, word k) { return (int)(a + k); }
int cuMemcpyHtoD_v2(word a, word b, word c) { return (int)(a + b + c); }
int cuCtxGetDevice(int *out) { return 7; }
int cuGetProcAddress_v2(const char *name, void **out, int version, word flags, int *st);
static int same(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}
int cuGetProcAddress(const char *name, void **out, int version, word flags)
{
    *out = same(name, "cuLaunchKernel")     ? (void *)cuLaunchKernel
           : same(name, "cuMemcpyHtoD")     ? (void *)cuMemcpyHtoD_v2
           : same(name, "cuGetProcAddress") ? (void *)cuGetProcAddress_v2
                                            : (void *)cuCtxGetDevice;
    return 0;
}
int cuGetProcAddress_v2(const char *name, void **out, int version, word flags, int *st)
{
    return cuGetProcAddress(name, out, version, flags);
}
"""

PROGRAM = """
import ctypes, sys
from ctypes import c_char_p, c_int, c_uint64, c_void_p

counts = (c_uint64 * 3).in_dll(ctypes.CDLL(None), "driver_calls_counts")
driver = ctypes.CDLL(sys.argv[1])
words = [c_uint64] * 11


def found(by, name, *more):
    out = c_void_p()
    given = [c_char_p(name), ctypes.byref(out), c_int(12000), c_uint64(0), *more]
    assert by(*given) == 0
    return out.value


anew = ctypes.CFUNCTYPE(c_int, c_char_p, c_void_p, c_int, c_uint64, c_void_p)(
    found(driver.cuGetProcAddress, b"cuGetProcAddress")
)
for by, more in (driver.cuGetProcAddress, ()), (anew, (None,)):
    launch = ctypes.CFUNCTYPE(c_int, *words)(found(by, b"cuLaunchKernel", *more))
    assert launch(30, *[0] * 9, 12) == 42
    copy = ctypes.CFUNCTYPE(c_int, *words[:3])(found(by, b"cuMemcpyHtoD", *more))
    assert copy(1, 2, 3) == 6
    other = ctypes.CFUNCTYPE(c_int, c_void_p)(found(by, b"cuCtxGetDevice", *more))
    assert other(None) == 7
assert list(counts) == [2, 2, 2], list(counts)
assert driver.cuLaunchKernel(*map(c_uint64, [1] * 11)) == 2
assert list(counts) == [3, 2, 2], list(counts)
"""


@pytest.mark.only_on("host")
def test_functions_found_by_the_driver_are_counted(tmp_path):
    """The runtime library asks cuGetProcAddress, in one of its two forms."""
    (tmp_path / "driver.c").write_text(DRIVER)
    launches.compiled([tmp_path / "driver.c"], tmp_path / "driver.so")
    environment = os.environ | {"LD_PRELOAD": str(launches.interposer(tmp_path))}
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "driver.so")]
    subprocess.run(command, env=environment, check=True)
