"""What one call costs when there is almost nothing to compute.

Small arrays; microseconds until the call returns, on a GPU while the device works on
the calls before. There the limit is the driver's own launch, measured beside the rows.
"""

import numpy as np

import ndimage_calls
from measure import Case, Statement

SIDE = 32
SIZE = f"{SIDE}x{SIDE} f32"
ROUNDS = 31

# The statement, what is due on a GPU (microseconds; None: no promise), whether it
# launches a kernel, and what PyTorch is asked ("" for nothing, None for the same).
ROWS = [
    ("x + y", 3.3, True, None),
    ("xp.add(x, y, out=o)", 3.3, True, None),
    ("x += y", 3.3, True, None),
    ("xp.sin(x)", 3.3, True, None),
    ("x * 2.0", 3.3, True, None),
    ("x < y", 3.3, True, None),
    ("np.add(x, y)", 4.2, True, ""),
    ("x.sum()", 3.8, True, None),
    ("x.max()", 3.8, True, None),
    ("x.sum(0)", 3.8, True, None),
    ("x.mean(1)", 3.8, True, None),
    ("x[1:5]", 0.25, False, None),
    ("x.T", 0.25, False, None),
    ("x.reshape(-1)", 0.25, False, None),
    ("x[1:5] = 1", 3.5, True, None),
    ("x.astype(f64)", 3.5, True, "x.to(f64)"),
    ("x.copy()", 3.5, True, "x.clone()"),
    ("xp.arange(100)", 3.5, True, "xp.arange(100, device='cuda')"),
    ("xp.where(x, x, y)", 4.5, True, "xp.where(m, x, y)"),
    ("xp.concatenate([x, y])", 4.5, True, "xp.cat([x, y])"),
    ("xi[xi]", 4.5, True, None),
    ("x @ y", 6, True, None),
    ("xp.empty((32, 32))", 0.3, False, "xp.empty((32, 32), device='cuda')"),
    ("xp.zeros((32, 32))", None, True, "xp.zeros((32, 32), device='cuda')"),
    ("xp.exp(x)", None, True, None),
    ("xp.maximum(x, y)", None, True, None),
    ("x[3, 4]", None, False, None),
    ("x.ravel()", None, False, None),
    ("xp.cumsum(x, axis=1)", None, True, None),
    ("xp.random.rand(100)", None, True, "xp.rand(100, device='cuda')"),
    ("x[x > 50]", None, True, None),
    ("float(x[0, 0])", None, False, None),
]
KERNELS = [
    ("elementwise(x, y)", "ElementwiseKernel", 3.4),
    ("reduction(x)", "ReductionKernel", 4),
    ("raw((1,), (256,), (x, y, o))", "RawKernel", 3),
]
NDIMAGE_DUE = KERNELS[0][2] + 1  # where one kernel is launched
RAW = """
extern "C" __global__ void axpy(const float *x, const float *y, float *z)
{
    z[threadIdx.x] = x[threadIdx.x] + 2 * y[threadIdx.x];
}
"""


def data(lib):
    """The names that statements use."""
    rng = np.random.default_rng(1)
    xp = lib.xp

    def array(a):
        return lib.asarray((a * 100).astype("float32"))

    x, y, o = (array(rng.random((SIDE, SIDE))) for _ in range(3))
    names = {"np": np, "xp": xp, "x": x, "y": y, "o": o, "m": x != 0}
    names["xi"] = lib.asarray(np.arange(SIDE))
    names["f64"] = xp.float64
    return names


def statement(code):
    def make(lib):
        return Statement(code, **data(lib))

    return make


def kernel(code):
    """A call of a user's kernel; rivals that have none are left out."""

    def make(lib):
        xp, names = lib.xp, data(lib)
        names["elementwise"] = xp.ElementwiseKernel(
            "T x, T y", "T z", "z = x + 2 * y", "axpy"
        )
        names["reduction"] = xp.ReductionKernel(
            "T x", "T y", "x * x", "a + b", "y = a", "0", "squares"
        )
        names["raw"] = xp.RawKernel(RAW, "axpy")
        return Statement(code, **names)

    return make


def of_ndimage(name):
    """A call of a function of `scipy.ndimage`; libraries without it are left out."""

    def make(lib):
        small = lib.asarray if lib.name == "cupy" else np.asarray
        names = ndimage_calls.data(lib.asarray, small)
        return Statement(ndimage_calls.statement(name), nd=lib.ndimage, **names)

    return make


def cases(quick=False):
    given = {"rounds": ROUNDS, "host_time": True}
    for code, due, launches, torch in ROWS:
        other = None if torch == "" else statement(torch or code)
        make = statement(code)
        yield Case(code, SIZE, make, torch=other, due=due, launches=launches, **given)
    for code, what, due in KERNELS:
        make, peers = kernel(code), ("cupric", "cupy")
        yield Case(
            f"{what} call", SIZE, make, peers=peers, due=due, launches=True, **given
        )
    for name in ndimage_calls.CALLS:
        single = name in ndimage_calls.SINGLE
        yield Case(
            f"ndimage.{name}",
            ndimage_calls.SIZE,
            of_ndimage(name),
            peers=("cupric", "numpy", "cupy"),
            due=NDIMAGE_DUE if single else None,
            launches=single,
            **given,
        )
