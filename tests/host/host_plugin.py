"""The host device's plugin by itself: src/device/backend.h in ctypes.

What the core promises about arguments (checked shapes, joined dimensions, one dtype) is
up to the caller here, as is everything else that can crash.
"""

import ctypes as c
import os
import re
import shutil
import tempfile
from pathlib import Path

import numpy as np
from plugin import MAXDIMS, MAXOPERANDS, table_entries

import cupric

ROOT = Path(__file__).resolve().parents[2]

DTYPES = [np.dtype(x) for x in "?bBhHiIlLe"]
DTYPES += [None]  # bfloat16, where ml_dtypes is installed
DTYPES += [np.dtype(x) for x in "fdFD"]
try:
    import ml_dtypes

    DTYPES[10] = np.dtype(ml_dtypes.bfloat16)
except ImportError:
    pass

KNOWN = [t for t in DTYPES if t is not None]
INTEGERS = [np.dtype(x) for x in "bBhHiIlL"]
STATUS = {1: ValueError, 2: TypeError, 3: IndexError, 6: MemoryError}
STATUS[7] = np.linalg.LinAlgError

HEADER = (ROOT / "src" / "device" / "backend.h").read_text()
ABI = int(re.search(r"#define CUPRIC_BACKEND_ABI (\d+)", HEADER)[1])


class Scalar(c.Union):
    _fields_ = [("bytes", c.c_ubyte * 16), ("u", c.c_uint64)]


class Operand(c.Structure):
    _fields_ = [
        ("ptr", c.c_void_p),
        ("dtype", c.c_int),
        ("imm", Scalar),
        ("strides", c.c_int64 * MAXDIMS),
    ]


class Iter(c.Structure):
    _fields_ = [
        ("ndim", c.c_int),
        ("nops", c.c_int),
        ("size", c.c_int64),
        ("contiguous", c.c_bool),
        ("index64", c.c_bool),
        ("masked", c.c_bool),
        ("shape", c.c_int64 * MAXDIMS),
        ("op", Operand * MAXOPERANDS),
    ]


class View(c.Structure):
    _fields_ = [
        ("ptr", c.c_void_p),
        ("dtype", c.c_int),
        ("ndim", c.c_int),
        ("shape", c.c_int64 * MAXDIMS),
        ("strides", c.c_int64 * MAXDIMS),
    ]


class Index(c.Structure):
    _fields_ = [
        ("it", c.POINTER(Iter)),
        ("nindex", c.c_int),
        ("length", c.c_int64 * MAXDIMS),
        ("stride", c.c_int64 * MAXDIMS),
        ("axis", c.c_int * MAXDIMS),
        ("check", c.c_bool),
        ("op", c.c_int),
        ("sig", c.c_int),
        ("distinct", c.c_bool),
    ]


ROOM = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_int64, c.POINTER(c.c_void_p))


class Select(c.Structure):
    _fields_ = [("mask", View), ("values", View), ("room", ROOM), ("arg", c.c_void_p)]


class Sort(c.Structure):
    _fields_ = [
        ("data", View),
        ("order", c.c_void_p),
        ("source", c.c_void_p),
        ("stable", c.c_bool),
        ("descending", c.c_bool),
        ("kth", c.c_int64),
    ]


class Linalg(c.Structure):
    _fields_ = [
        ("kind", c.c_int),
        ("flag", c.c_int),
        ("rcond", c.c_double),
        ("nin", c.c_int),
        ("nout", c.c_int),
        ("ins", View * 2),
        ("outs", View * 3),
    ]


class Fft(c.Structure):
    _fields_ = [
        ("kind", c.c_int),
        ("inverse", c.c_bool),
        ("in_", View),
        ("out", View),
        ("naxes", c.c_int),
        ("axes", c.c_int * MAXDIMS),
        ("n_last", c.c_int64),
        ("scale", c.c_double),
    ]


class Random(c.Structure):
    _fields_ = [
        ("kind", c.c_int),
        ("dtype", c.c_int),
        ("out", c.c_void_p),
        ("n", c.c_int64),
        ("key", c.c_uint64),
        ("counter", c.c_uint64),
        ("param", c.c_double * 2),
        ("lo", c.c_uint64),
        ("hi", c.c_uint64),
    ]


class Convolve(c.Structure):
    _fields_ = [
        ("in_", View),
        ("kernel", View),
        ("out", View),
        ("start", c.c_int64 * MAXDIMS),
        ("boundary", c.c_int),
        ("fill", Scalar),
        ("correlate", c.c_bool),
    ]


class Matmul(c.Structure):
    _fields_ = [("a", View), ("b", View), ("c", View), ("conjugates", c.c_bool)]


class Backend(c.Structure):
    _fields_ = [("abi", c.c_uint32), ("name", c.c_char_p), ("dlpack_type", c.c_int)]
    _fields_ += [(name, c.c_void_p) for name in table_entries()]


FAIL = c.CFUNCTYPE(c.c_int, c.c_int, c.c_char_p, c.c_void_p)
SETTING = c.CFUNCTYPE(c.c_char_p, c.c_char_p)


class Services(c.Structure):
    _fields_ = [("vfail", FAIL), ("setting", SETTING), ("package_dir", c.c_char_p)]
    _fields_ += [(name, c.c_void_p) for name in ("read", "write", "free_memory")]
    _fields_ += [("fork_hold", c.CFUNCTYPE(None, c.c_void_p))]


class Plugin:
    """The loaded library; `call` runs an entry and raises what it fails with."""

    def __init__(self):
        self.message = ""
        self.settings = {}
        self.libc = c.CDLL(None)
        package = Path(cupric.__file__).resolve().parent
        self.services = Services(
            FAIL(self.fail),
            SETTING(self.setting),
            str(package).encode(),
            fork_hold=c.CFUNCTYPE(None, c.c_void_p)(lambda lock: None),
        )
        # A copy: the core may have the library itself loaded, with services of its own.
        with tempfile.TemporaryDirectory() as folder:
            library = c.CDLL(shutil.copy(package / "_host.so", folder))
        library.cupric_backend.restype = c.POINTER(Backend)
        self.table = library.cupric_backend(c.byref(self.services)).contents
        assert self.table.abi == ABI

    def fail(self, status, text, arguments):
        buffer = c.create_string_buffer(4096)
        self.libc.vsnprintf(buffer, 4096, text, c.c_void_p(arguments))
        self.message = buffer.value.decode()
        return status

    def setting(self, name):
        value = os.environ.get(name.decode())
        if value is not None:
            self.settings[name] = value.encode()  # kept: the caller borrows it
        return self.settings.get(name)

    def call(self, name, *arguments):
        kinds = [c.c_int64 if isinstance(a, int) else c.c_void_p for a in arguments]
        function = c.CFUNCTYPE(c.c_int, *kinds)(getattr(self.table, name))
        passed = [
            a if isinstance(a, int) or a is None else c.cast(c.pointer(a), c.c_void_p)
            for a in arguments
        ]
        status = function(*passed)
        if status:
            raise STATUS.get(status, RuntimeError)(self.message)


def number(dtype):
    return DTYPES.index(np.dtype(dtype))


def view(a):
    v = View(a.ctypes.data, number(a.dtype), a.ndim)
    v.shape[: a.ndim] = a.shape
    v.strides[: a.ndim] = a.strides
    return v


def scalar(value, dtype):
    s = Scalar()
    data = np.asarray(value, dtype).tobytes()
    c.memmove(s.bytes, data, len(data))
    return s


def address(a):
    return c.c_char.from_address(a.ctypes.data)


def iteration(operands, shape):
    """Operands that all have the shape, strides of 0 where broadcast."""
    it = Iter(ndim=len(shape), nops=len(operands), index64=True)
    it.size = int(np.prod(shape, dtype=np.int64))
    it.shape[: len(shape)] = shape
    for k, a in enumerate(operands):
        it.op[k].ptr = a.ctypes.data
        it.op[k].dtype = number(a.dtype)
        it.op[k].strides[: len(shape)] = a.strides
    return it


def values(rng, shape, dtype, low=-3, high=4):
    """Small whole numbers, which every dtype holds and sums exactly."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        low, high = 0, 2
    elif dtype.kind == "u":
        low = 0
    out = rng.integers(low, high, shape)
    if dtype.kind == "c":
        out = out + 1j * rng.integers(low, high, shape)
    return np.asarray(out).astype(dtype)


def exact(dtype):
    """A dtype that NumPy and SciPy compute `values` of `dtype` exactly in."""
    dtype = np.dtype(dtype)
    if dtype.kind in "biu":
        return np.dtype("l")
    return np.dtype("D") if dtype.kind == "c" else np.dtype("d")
