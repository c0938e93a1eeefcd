"""The host device's plugin, called through device/backend.h's table without the core.

`Plugin(threads)` loads a copy of _host.so of its own, so that tests can compare numbers
of threads in one process. Its methods take NumPy arrays and build the argument structs.
"""

import ctypes
import re
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

import cupric

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))
from tools import rows  # noqa: E402

LIBRARY = Path(cupric.__file__).resolve().parent / "_host.so"
MAXDIMS, MAXOPERANDS = 64, 68
LETTERS = "?bBhHiIlLeEfdFD"


def bfloat16():
    try:
        import ml_dtypes
    except ImportError:
        return None
    return np.dtype(ml_dtypes.bfloat16)


DTYPES = {
    letter: np.dtype(name) if name else bfloat16()
    for letter, name in zip(
        LETTERS,
        ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "", "f4", "f8")
        + ("c8", "c16"),
        strict=True,
    )
}
NUMBERS = {dtype: i for i, dtype in enumerate(DTYPES.values()) if dtype is not None}


# ---- device/backend.h ----------------------------------------------------------------


class Scalar(ctypes.Union):
    _fields_ = [("bytes", ctypes.c_ubyte * 16), ("i", ctypes.c_int64)]


class Operand(ctypes.Structure):
    _fields_ = [
        ("ptr", ctypes.c_void_p),
        ("dtype", ctypes.c_int),
        ("imm", Scalar),
        ("strides", ctypes.c_int64 * MAXDIMS),
    ]


class Iter(ctypes.Structure):
    _fields_ = [
        ("ndim", ctypes.c_int),
        ("nops", ctypes.c_int),
        ("size", ctypes.c_int64),
        ("contiguous", ctypes.c_bool),
        ("index64", ctypes.c_bool),
        ("masked", ctypes.c_bool),
        ("shape", ctypes.c_int64 * MAXDIMS),
        ("op", Operand * MAXOPERANDS),
    ]


class Reduce(ctypes.Structure):
    _fields_ = [
        ("op", ctypes.c_int),
        ("sig", ctypes.c_int),
        ("nin", ctypes.c_int),
        ("nkeep", ctypes.c_int),
        ("it", ctypes.POINTER(Iter)),
        ("has_initial", ctypes.c_bool),
        ("initial", Scalar),
        ("count", ctypes.c_int64),
        ("param", ctypes.c_double),
    ]


class Scan(ctypes.Structure):
    _fields_ = [
        ("op", ctypes.c_int),
        ("sig", ctypes.c_int),
        ("it", ctypes.POINTER(Iter)),
    ]


class Reduceat(ctypes.Structure):
    _fields_ = [
        ("op", ctypes.c_int),
        ("sig", ctypes.c_int),
        ("it", ctypes.POINTER(Iter)),
        ("length", ctypes.c_int64),
        ("in_stride", ctypes.c_int64),
        ("out_stride", ctypes.c_int64),
        ("starts", ctypes.c_void_p),
        ("nstarts", ctypes.c_int64),
        ("on_device", ctypes.c_bool),
    ]


VFAIL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
SETTING = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)


class Services(ctypes.Structure):
    _fields_ = [
        ("vfail", VFAIL),
        ("setting", SETTING),
        ("package_dir", ctypes.c_char_p),
        *((name, ctypes.c_void_p) for name in ("read", "write", "free_memory")),
        ("fork_hold", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ]


def table_entries():
    """The names of the function pointers of struct cu_backend, in order."""
    text = (ROOT / "src" / "device" / "verbs.def").read_text()
    return re.findall(r"^(?:VERB|QUEUED|CUDA|HOST)\(\w+, (\w+),", text, re.M)


# ---- ops/*.def -----------------------------------------------------------------------


def read_rows():
    """{name: (number, nin, signatures)} of elementwise.def, then reduce.def."""
    every = [*rows.elementwise(), *rows.read("reduce")]
    return {
        row["name"]: (i, int(row["nin"]), rows.signatures(row))
        for i, row in enumerate(every)
    }


ROWS = read_rows()


# ---- calls ---------------------------------------------------------------------------


class Failure(Exception):
    """A call returned a status other than CUPRIC_OK."""


class Plugin:
    def __init__(self, threads=2):
        self.messages = []
        self.folder = tempfile.TemporaryDirectory()
        copy = Path(self.folder.name) / "_host.so"
        shutil.copy(LIBRARY, copy)
        self.library = ctypes.PyDLL(str(copy))
        self.settings = {b"CUPRIC_NUM_THREADS": ctypes.c_char_p(b"%d" % threads)}
        self.services = Services(
            VFAIL(self.vfail),
            SETTING(self.setting),
            b"",
            fork_hold=ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda lock: None),
        )
        entry = self.library.cupric_backend
        entry.restype = ctypes.c_void_p
        table = entry(ctypes.byref(self.services))
        entries = table_entries()
        functions = (ctypes.c_void_p * len(entries)).from_address(table + 24)
        call = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self.table = {
            name: call(functions[i])
            for i, name in enumerate(entries)
            if name in ("reduce", "reduceat", "scan")
        }

    def vfail(self, status, text, args):
        self.messages.append(text.decode())
        return status

    def setting(self, name):
        value = self.settings.get(name)
        return ctypes.cast(value, ctypes.c_void_p).value if value else None

    def call(self, entry, args):
        status = self.table[entry](ctypes.byref(args), None)
        if status:
            raise Failure(status, self.messages[-1])

    def reduce(
        self, name, signature, *inputs, axis=None, where=None, initial=None, param=0.0
    ):
        op, _, signatures = ROWS[name]
        inputs = list(np.broadcast_arrays(*inputs))
        shape, ndim = inputs[0].shape, inputs[0].ndim
        axes = normal_axes(axis, ndim)
        kept = [d for d in range(ndim) if d not in axes]
        out = np.zeros([shape[d] for d in kept], DTYPES[signature.split(">")[1]])
        steps = dict(zip(kept, out.strides, strict=True))
        spread = np.lib.stride_tricks.as_strided(
            out, shape, [steps.get(d, 0) for d in range(ndim)]
        )
        operands = [*inputs, spread]
        if where is not None:
            operands.append(np.broadcast_to(where, shape))
        first = [d for d in kept if shape[d] != 1]
        rest = [d for d in axes if shape[d] != 1]
        it = iteration(operands, first + rest, masked=where is not None)
        count = int(np.prod([shape[d] for d in axes]))
        args = Reduce(
            op=op,
            sig=signatures.index(signature),
            nin=len(inputs),
            nkeep=len(first),
            it=ctypes.pointer(it),
            has_initial=initial is not None,
            count=count,
            param=param,
        )
        if initial is not None:
            value = np.array(initial).astype(out.dtype).tobytes()
            args.initial.bytes[: len(value)] = value
        self.call("reduce", args)
        return out

    def scan(self, name, signature, x, axis, out=None):
        op, _, signatures = ROWS[name]
        if out is None:
            out = np.zeros(x.shape, DTYPES[signature.split(">")[1]])
        others = [d for d in range(x.ndim) if d != axis and x.shape[d] != 1]
        it = iteration([x, out], [*others, axis])
        self.call("scan", Scan(op, signatures.index(signature), ctypes.pointer(it)))
        return out

    def reduceat(self, name, signature, x, starts, axis):
        op, _, signatures = ROWS[name]
        starts = np.asarray(starts, np.int64)
        shape = (*x.shape[:axis], len(starts), *x.shape[axis + 1 :])
        out = np.zeros(shape, DTYPES[signature.split(">")[1]])
        others = [d for d in range(x.ndim) if d != axis and x.shape[d] != 1]
        it = iteration([x, out], others)
        args = Reduceat(
            op=op,
            sig=signatures.index(signature),
            it=ctypes.pointer(it),
            length=x.shape[axis],
            in_stride=x.strides[axis],
            out_stride=out.strides[axis],
            starts=starts.ctypes.data,
            nstarts=len(starts),
        )
        self.call("reduceat", args)
        return out


def normal_axes(axis, ndim):
    if axis is None:
        return tuple(range(ndim))
    return tuple(a % ndim for a in (axis if isinstance(axis, tuple) else (axis,)))


def iteration(operands, dims, masked=False):
    """An iteration over dimensions `dims` of arrays, which must outlive it."""
    shape = operands[0].shape
    it = Iter(ndim=len(dims), nops=len(operands), masked=masked, index64=True)
    it.size = int(np.prod([shape[d] for d in dims], dtype=np.int64))
    for i, d in enumerate(dims):
        it.shape[i] = shape[d]
    for op, array in zip(it.op, operands, strict=False):
        op.ptr = array.ctypes.data
        op.dtype = NUMBERS[array.dtype]
        for i, d in enumerate(dims):
            op.strides[i] = array.strides[d]
    return it
