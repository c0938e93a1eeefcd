"""Integer divisions that have no result: a kernel goes on, as on a GPU."""

import os
import platform
import subprocess
import sys

import numpy as np
import pytest

import cupric as cp

ON_X86 = platform.machine() == "x86_64"
INTEGERS = "bhilqBHILQ"


def values_of(dtype):
    """Dividends, divisors, and which of the divisions have a result."""
    least = np.iinfo(dtype).min
    x = np.array([7, 7, 0, least, least, 8, least] * 40, dtype)
    y = np.array([0, 2, 0, 0, 3, 5, -1 if least else 0] * 40, dtype)
    return x, y, np.array([0, 1, 0, 0, 1, 1, 0] * 40, bool)


def truncated(x, y):
    """C's quotient and remainder."""
    wide = [int(a) for a in x], [int(b) for b in y]
    quotients = [
        abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        for a, b in zip(*wide, strict=True)
    ]
    return quotients, [a - q * b for a, b, q in zip(*wide, quotients, strict=True)]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_elementwise(dtype):
    kernel = cp.ElementwiseKernel(
        "T x, T y", "T q, T r", "q = x / y; r = x % y", "both"
    )
    x, y, has_result = values_of(dtype)
    got = [a.get() for a in kernel(cp.asarray(x), cp.asarray(y))]
    for mine, due in zip(got, truncated(x[has_result], y[has_result]), strict=True):
        assert mine[has_result].tolist() == due


@pytest.mark.only_on("host")
@pytest.mark.skipif(not ON_X86, reason="the number is x86's")
@pytest.mark.parametrize("dtype", INTEGERS)
def test_the_numbers_are_those_of_nvidia(dtype):
    kernel = cp.ElementwiseKernel(
        "T x, T y", "T q, T r", "q = x / y; r = x % y", "both"
    )
    x = cp.asarray([9, 0, 100], dtype)
    quotients, remainders = kernel(x, cp.zeros_like(x))
    ones = np.array(-1).astype(dtype)
    assert quotients.tolist() == remainders.tolist() == [ones] * 3
    least = np.iinfo(dtype).min
    if least:
        quotient, remainder = kernel(
            cp.asarray([least], dtype), cp.asarray([-1], dtype)
        )
        assert quotient.tolist() == [least]
        assert remainder.tolist() == [0]


def test_zeros_in_the_source():
    kernel = cp.RawKernel(
        r"""
        extern "C" __global__ void f(int *x)
        {
            x[0] = x[1] / 0;
            x[1] = x[2] % (x[3] - x[3]);
            x[2] = 6;
        }""",
        "f",
    )
    x = cp.arange(4, dtype="i")
    kernel((1,), (1,), (x,))
    assert x.get()[2:].tolist() == [6, 3]


def test_reduction():
    kernel = cp.ReductionKernel("T x, T y", "T z", "x / y", "a + b", "z = a", "0", "f")
    x = cp.arange(3000).reshape(3, 1000)
    sums = kernel(x, cp.arange(3)[:, None], axis=1)
    assert sums[1:].tolist() == [x.get()[1].sum(), (x.get()[2] // 2).sum()]


OPERANDS = r"""
struct entry { char pad[3]; signed char c; short s; long long q; };
__shared__ int t[64];
extern "C" __global__ void f(const int *x, const entry *e, int *out)
{
    const int i = threadIdx.x;
    t[i] = e[i].s;
    __syncthreads();
    long long sum = 1;
    sum += x[i] / t[i];
    sum += (unsigned)x[i] % (unsigned)t[i];
    sum += x[i] / e[i].q + x[i] % e[i].q;
    sum += (signed char)x[i] / e[i].c;
    sum += (unsigned char)x[i] % (unsigned char)e[i].c;
    sum += (short)x[i] / e[i].s;
    sum += (unsigned long long)x[i] / (unsigned long long)e[i].q;
#if !defined(__CUDACC_RTC__) || defined(__CUDACC_RTC_INT128__)
    __int128 wide = x[i];
    wide /= e[i].q;
    sum += (long long)wide;
#else
    sum += x[i] / t[i];
#endif
    out[i] = (int)sum;
}
"""


def test_operands_of_every_kind():
    """In registers and memory, of each width; threads that wait run on fibers."""
    entries = np.zeros(
        64, np.dtype([("pad", "3b"), ("c", "b"), ("s", "h"), ("q", "q")], align=True)
    )
    entries["c"] = entries["s"] = entries["q"] = np.arange(64) % 3
    x, out = cp.arange(64, dtype="i") + 5, cp.zeros(64, "i")
    kernel = cp.RawKernel(OPERANDS, "f")
    kernel((1,), (64,), (x, cp.asarray(entries.view("B")), out))
    a, b = np.arange(64) + 5, np.arange(64) % 3
    d = np.where(b, b, 1)
    due = 1 + 6 * (a // d) + 3 * (a % d)
    assert out.get()[b != 0].tolist() == due[b != 0].tolist()


def test_functions_of_python():
    """Python's operators have NumPy's results, whatever the compiler does."""
    function = cp.vectorize(lambda a, b: a // b + 10 * (a % b))
    x, y = cp.arange(-6, 6), cp.arange(12) % 3
    with np.errstate(divide="ignore"):
        due = x.get() // y.get() + 10 * (x.get() % y.get())
    assert function(x, y).tolist() == due.tolist()


def run(code, status=0, **env):
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == status, (done.returncode, done.stderr[-2000:])
    return done


DIVIDES = """
import ctypes, faulthandler, os, signal, time
import cupric as cp
kernel = cp.ElementwiseKernel("T x, T y", "T z", "z = x / y", "divides")
x, zeros = cp.arange(4), cp.zeros(4, "q")
"""


@pytest.mark.only_on("host")
class TestOtherHandlers:
    """What the program does with SIGFPE goes on working."""

    def test_of_the_program(self):
        """Before and after; a handler that came last would else be called for ever."""
        run(f"""{DIVIDES}
seen = []
def handler(number, frame):
    seen.append(number)
signal.signal(signal.SIGFPE, handler)
kernel(x, zeros)
os.kill(os.getpid(), signal.SIGFPE)
assert seen == [signal.SIGFPE], seen
assert signal.getsignal(signal.SIGFPE) is handler
signal.signal(signal.SIGFPE, signal.SIG_IGN)
time.sleep(.002)
kernel(x, zeros)
os.kill(os.getpid(), signal.SIGFPE)
assert kernel(x, zeros + 2).tolist() == [0, 0, 1, 1]
for n in range(20):
    signal.signal(signal.SIGFPE, handler)
    kernel(x, zeros)
""")

    def test_of_faulthandler(self):
        """It reports a fault that is not a kernel's, which ends the process."""
        done = run(
            f"""{DIVIDES}
faulthandler.enable()
kernel(x, zeros)
faulthandler.enable()
time.sleep(.01)
kernel(x, zeros)
assert faulthandler.is_enabled()
print("kernels are through", flush=True)
faulthandler._sigfpe()
""",
            status=-8,
        )
        assert "kernels are through" in done.stdout
        assert done.stderr.count("Fatal Python error: Floating") == 1

    def test_without_any(self):
        run(f"{DIVIDES}\nkernel(x, zeros)\nfaulthandler._sigfpe()", status=-8)
        run(
            f"{DIVIDES}\nkernel(x, zeros)\nos.kill(os.getpid(), signal.SIGFPE)",
            status=-8,
        )

    def test_faults_in_threads_of_the_device_are_reported(self):
        """They do not block the signals that their own instructions raise."""
        done = run(
            """
import faulthandler
import cupric as cp
faulthandler.enable()
cp.RawKernel('extern "C" __global__ void f(int *x) { x[0] = 1; }', "f")(
    (1,), (1,), (0,))
""",
            status=-11,
        )
        assert "Fatal Python error: Segmentation fault" in done.stderr

    def test_all_threads(self):
        run(
            """
import cupric as cp
kernel = cp.ElementwiseKernel("T x, T y", "T z", "z = x / y", "divides")
y = cp.arange(40_000) % 100
z = kernel(cp.ones(40_000, "q") * 50, y)
assert (z == 50 // y)[y != 0].all()
""",
            CUPRIC_NUM_THREADS="3",
        )
