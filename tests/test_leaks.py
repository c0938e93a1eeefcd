"""Nothing is left behind: no blocks of Python's memory, no references, no buffers.

Each call is made many times over; what lives then must be what lived before. With those
of tests/memory, some 10^5 operations.
"""

import ast
import gc
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import cupric as cp
import cupricx
import cupricx.scipy.signal as signal
from cupricx import GeneralizedUFunc
from cupricx.scipy import ndimage

from .fuzz import examples
from .growth import ALL, YOUNG, check_leaves_nothing, used_bytes, warm_up

TIMES = 150

A = cp.arange(60, dtype="f4").reshape(6, 10) - 20
B = cp.linspace(1, 2, 60, dtype="f4").reshape(6, 10)
N = cp.arange(60).reshape(6, 10)
Z = A + 1j * B
SQUARE = cp.array(np.eye(6) * 4 + np.arange(36).reshape(6, 6) / 36)
MASK = A > 0
PLACES = cp.array([5, 0, 0])
NUMPY = A.get()
LINE = A[0].copy()
STATE = cp.random.RandomState(1)
STREAM = cp.cuda.Stream()
PAIRS = cp.zeros(6, np.dtype([("a", "i4"), ("b", "f8"), ("c", "i1")], align=True))
DAYS = cp.arange(6).view("M8[D]")
KERNEL = cp.ElementwiseKernel("T x, T y", "T z", "z = x + y", "leak_add")
REDUCTION = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "leak_sum")
RAW = cp.RawKernel(
    'extern "C" __global__ void leak_raw(float *x, int n) { if (n < 0) x[0] = n; }',
    "leak_raw",
)


class Subclass(cp.ndarray):
    """As users write them."""


class Raises:
    """Raises whatever it is asked."""

    def _raise(self, *args):
        raise RuntimeError("asked for")

    __index__ = __int__ = __float__ = __bool__ = __len__ = __iter__ = _raise


class Objecting(cp.cuda.MemoryHook):
    """Wants no memory given."""

    def malloc_postprocess(self, **told):
        raise RuntimeError("asked for")


def hooked(call, hook=None):
    with hook or cp.cuda.memory_hooks.LineProfileHook():
        return call()


def no_memory(size):
    raise MemoryError("no memory")


PINNED = cp.cuda.PinnedMemoryPool(
    lambda size: cp.cuda.PinnedMemoryPointer(cp.cuda.PinnedMemory(size), 0)
)
POOL = cp.cuda.MemoryPool(lambda size: cp.cuda.MemoryPointer(cp.cuda.Memory(size), 0))
LANDING = np.frombuffer(cp.cuda.alloc_pinned_memory(A.nbytes), "f4").reshape(A.shape)


def setter(index, value):
    def call():
        A.copy()[index] = value

    return call


def set_shape():
    a = A.copy()
    a.shape = (10, 6)


def in_place():
    a = A.copy()
    a += B
    a *= 2
    a[1:] -= a[:-1]


SPREAD = GeneralizedUFunc(lambda x: x.max() - x.min(), "(n)->()")
PLAN = cp.cuda.cufft.Plan1d(10, cp.cuda.cufft.CUFFT_C2C, 6)


def quietly():
    with cupricx.errstate(linalg="ignore"):
        return cp.linalg.inv(cp.zeros((2, 3, 3)))


CALLS = {
    "windows": lambda: cp.lib.stride_tricks.sliding_window_view(A, (2, 3)),
    "strided": lambda: cp.lib.stride_tricks.as_strided(A, (5, 2), (8, 4)),
    "generalised ufunc": lambda: SPREAD(A, axis=0),
    "errors ignored": quietly,
    "BLAS": lambda: (cp.cublas.gemm("N", "T", A, B), cp.cublas.dotc(Z[0], Z[1])),
    "a plan": lambda: PLAN.fft(Z, PLAN.get_output_array(Z), 1),
    "a plan of its own": lambda: cp.cuda.cufft.Plan1d(10, 0x29, 6).fft(Z, Z.copy(), 1),
    "plans kept": lambda: cp.fft.config.get_plan_cache().get_curr_size(),
    "structures": lambda: cp.array([(1, 2.0, 3)] * 2, PAIRS.dtype),
    "field": lambda: PAIRS["b"] + PAIRS[["a", "b"]]["a"],
    "set field": lambda: PAIRS.__setitem__("b", cp.arange(6)),
    "set element": lambda: PAIRS.__setitem__(1, (1, 2.0, 3)),
    "structures moved": lambda: cp.concatenate((PAIRS[::2], PAIRS[PLACES])),
    "structures converted": lambda: PAIRS.astype("i8,f4,f4", order="F"),
    "structures compared": lambda: (PAIRS[0] == PAIRS, PAIRS.item(0), PAIRS.get()),
    "times": lambda: (np.datetime64("2020") == DAYS, DAYS.tolist()),
    "times converted": lambda: cp.where(DAYS[0] == DAYS, DAYS.astype("M8[s]"), DAYS),
    "axes of a subarray": lambda: cp.zeros(3, "(2,)f4"),
    "plain bytes": lambda: cp.zeros((3, 2), "V6").T.copy().view("V3"),
    "array of list": lambda: cp.array([[1, 2], [3, 4]]),
    "array of floats": lambda: cp.array([1.5, 2], "f4"),
    "array of NumPy": lambda: cp.array(NUMPY),
    "array of arrays": lambda: cp.array([A, B]),
    "array of scalar": lambda: cp.array(3),
    "array ndmin": lambda: cp.array(A, ndmin=4),
    "empty": lambda: cp.empty((3, 4)),
    "zeros": lambda: cp.zeros((3, 4), "c8"),
    "full": lambda: cp.full((3, 4), 7),
    "arange": lambda: cp.arange(3, 30, 2),
    "linspace": lambda: cp.linspace(0, 1, 9),
    "eye": lambda: cp.eye(4),
    "like": lambda: cp.zeros_like(A),
    "copy": lambda: A.T.copy(),
    "astype": lambda: A.astype("f8"),
    "get": lambda: A.get(),
    "item": lambda: A.item(2, 3),
    "tolist": lambda: A.tolist(),
    "float": lambda: float(A[0, 0]),
    "repr": lambda: repr(A),
    "str": lambda: str(N),
    "view": lambda: A.view("i4"),
    "view of subclass": lambda: A.view(Subclass)[1:] + 1,
    "reshape": lambda: A.reshape(3, -1),
    "ravel": lambda: A.T.ravel(),
    "transpose": lambda: A.transpose(1, 0),
    "set shape": set_shape,
    "attributes": lambda: [A.shape, A.strides, A.dtype, A.flags, A.device, A.data, A.T],
    "flags": lambda: A.flags.c_contiguous,
    "iterate": lambda: list(A),
    "flat": lambda: A.flat[3],
    "real": lambda: Z.real + Z.imag,
    "slice": lambda: A[1:, ::2],
    "new axis": lambda: A[None, ..., 0],
    "take": lambda: A[PLACES],
    "take of list": lambda: A[[0, 1], [2, 3]],
    "mask": lambda: A[MASK],
    "set": setter((0, slice(None)), 3),
    "set of places": setter(PLACES, 1.5),
    "set of mask": setter(MASK, 0),
    "set of array": setter(slice(1, 3), NUMPY[:2].tolist()),
    "add": lambda: A + B,
    "add number": lambda: 2 * A - 1.5,
    "add mixed": lambda: A[:, ::2] + N[:, 1::2],
    "compare": lambda: (A < B, A == 3, A != B),
    "unary": lambda: cp.sqrt(cp.abs(-A)),
    "in place": in_place,
    "out=": lambda: cp.add(A, B, out=cp.empty_like(A)),
    "where=": lambda: cp.add(A, B, where=MASK, out=cp.zeros_like(A)),
    "dtype=": lambda: cp.add(A, B, dtype="f8"),
    "two outputs": lambda: cp.divmod(A, B),
    "frexp": lambda: cp.frexp(A),
    "power": lambda: A**2,
    "NumPy's ufunc": lambda: np.add(A, 1),
    "NumPy's function": lambda: np.sum(A),
    "outer": lambda: cp.add.outer(LINE, LINE),
    "at": lambda: cp.add.at(A.copy(), PLACES, 1),
    "reduceat": lambda: cp.add.reduceat(A, [0, 3], axis=1),
    "accumulate": lambda: cp.multiply.accumulate(A, axis=1),
    "reduce": lambda: cp.maximum.reduce(A, axis=None, keepdims=True),
    "sum": lambda: A.sum(),
    "sum of axis": lambda: A.sum(axis=(0, 1), dtype="f8"),
    "mean": lambda: A.mean(axis=1),
    "std": lambda: A.std(axis=0, ddof=1),
    "all": lambda: (A.all(), A.any(axis=1)),
    "argmax": lambda: A.argmax(axis=1),
    "max initial": lambda: A.max(initial=3, where=MASK),
    "cumsum": lambda: A.cumsum(axis=1),
    "nansum": lambda: cp.nansum(A, axis=0),
    "median": lambda: cp.median(A, axis=0),
    "percentile": lambda: cp.percentile(A, [20, 50]),
    "histogram": lambda: cp.histogram(LINE, bins=4),
    "bincount": lambda: cp.bincount(PLACES),
    "count_nonzero": lambda: cp.count_nonzero(A),
    "nonzero": lambda: cp.nonzero(A),
    "argwhere": lambda: cp.argwhere(MASK),
    "where": lambda: cp.where(MASK, A, B),
    "clip": lambda: A.clip(-1, 1),
    "round": lambda: A.round(1),
    "sort": lambda: cp.sort(A, axis=0),
    "argsort": lambda: A.argsort(),
    "partition": lambda: cp.partition(A, 2),
    "searchsorted": lambda: cp.searchsorted(LINE, B),
    "unique": lambda: cp.unique(PLACES, return_counts=True),
    "lexsort": lambda: cp.lexsort(A),
    "concatenate": lambda: cp.concatenate([A, B]),
    "stack": lambda: cp.stack([A, N]),
    "split": lambda: cp.split(A, 2),
    "tile": lambda: cp.tile(A, 2),
    "repeat": lambda: cp.repeat(A, 2, axis=0),
    "roll": lambda: cp.roll(A, 2),
    "pad": lambda: cp.pad(A, 1),
    "broadcast": lambda: cp.broadcast_arrays(A, LINE),
    "take_along_axis": lambda: cp.take_along_axis(A, A.argsort(), 1),
    "put": lambda: cp.put(A.copy(), [1, 2], 0),
    "matmul": lambda: A @ B.T,
    "matmul out": lambda: cp.matmul(A, B.T, out=cp.empty((6, 6), "f4")),
    "dot": lambda: cp.dot(LINE, LINE),
    "einsum": lambda: cp.einsum("ij,kj->ik", A, B),
    "tensordot": lambda: cp.tensordot(A, B),
    "solve": lambda: cp.linalg.solve(SQUARE, SQUARE[0]),
    "inv": lambda: cp.linalg.inv(SQUARE),
    "svd": lambda: cp.linalg.svd(A),
    "eigh": lambda: cp.linalg.eigh(SQUARE + SQUARE.T),
    "norm": lambda: cp.linalg.norm(A),
    "fft": lambda: cp.fft.ifft(cp.fft.fft(A)),
    "rfft2": lambda: cp.fft.rfft2(A, norm="ortho"),
    "random": lambda: STATE.standard_normal((3, 4)),
    "randint": lambda: STATE.randint(0, 10, 5),
    "poisson": lambda: STATE.poisson(LINE * LINE, (2, *LINE.shape)),
    "multivariate_normal": lambda: STATE.multivariate_normal([0, 0], np.eye(2), 5),
    "permutation": lambda: STATE.permutation(9),
    "convolve": lambda: cp.convolve(LINE, LINE[:3]),
    "convolve2d": lambda: signal.convolve2d(A, B[:3, :3]),
    "replayed": lambda: ndimage.gaussian_filter(A, 1.0, output=np.float32),
    "replayed with a copy": lambda: ndimage.grey_erosion(A, footprint=NUMPY > 0),
    "never replayed": lambda: ndimage.uniform_filter1d(N.astype("i2"), 3, output=int),
    "not kept for long": lambda: ndimage.shift(A, float(STATE.rand()), order=1),
    "ElementwiseKernel": lambda: KERNEL(A, B),
    "ElementwiseKernel number": lambda: KERNEL(A, 2),
    "ReductionKernel": lambda: REDUCTION(A, axis=1),
    "RawKernel": lambda: RAW((1,), (1,), (A, 3)),
    "DLPack": lambda: cp.from_dlpack(A),
    "DLPack of NumPy": lambda: cp.from_dlpack(NUMPY),
    "capsule never taken": lambda: A.__dlpack__(),
    "pickle": lambda: pickle.loads(pickle.dumps(A)),
    "stream": lambda: STREAM.__enter__() and STREAM.__exit__(None, None, None),
    "new stream": lambda: cp.cuda.Stream().synchronize(),
    "event": lambda: cp.cuda.Event().record(),
    "device": lambda: cp.cuda.Device(0).__enter__().__exit__(),
    "alloc": lambda: cp.cuda.alloc(100) + 4,
    "over memory": lambda: cp.ndarray(4, "f4", cp.cuda.alloc(16)),
    "pinned": lambda: cp.cuda.alloc_pinned_memory(100),
    "pinned, of a user": lambda: np.frombuffer(PINNED.malloc(100), "u1").sum(),
    "pinned, given back": lambda: [PINNED.malloc(5000), PINNED.free_all_blocks()],
    "get to pinned": lambda: A.get(out=LANDING, blocking=False),
    "get to new pinned": lambda: A.T.get(blocking=False),
    "device that is not there": lambda: {cp.cuda.Device(99): cp.cuda.Device(98)},
    "hooks": lambda: hooked(lambda: A + B),
    "pool over an allocator": lambda: [POOL.malloc(n) for n in (5000, 100, 2000)],
    "pool over it, given back": lambda: [POOL.malloc(9), POOL.free_all_blocks()],
    "hooks of it": lambda: hooked(lambda: POOL.malloc(100)),
}

# What must not work, and leaves nothing behind either.
WRONG = {
    "no such field": lambda: PAIRS["z"],
    "times in arithmetic": lambda: DAYS + 1,
    "NumPy's time in arithmetic": lambda: DAYS + np.timedelta64(1, "D"),
    "shape": lambda: A + cp.ones(7),
    "recorded": lambda: ndimage.gaussian_filter(A, 1.0, mode="none"),
    "dtype": lambda: cp.zeros(3, "O"),
    "dtype text": lambda: cp.zeros(3, "nonsense"),
    "array of text": lambda: cp.array(["a"]),
    "array of objects": lambda: cp.array([Raises()]),
    "array ragged": lambda: cp.array([[1], [2, 3]]),
    "array of ragged arrays": lambda: cp.array([A, LINE]),
    "negative": lambda: cp.zeros(-1),
    "huge": lambda: cp.zeros((1 << 40, 1 << 40)),
    "too large": lambda: cp.zeros(1 << 50),
    "number of dimensions": lambda: cp.zeros((1,) * 65),
    "length raises": lambda: cp.zeros((1, Raises())),
    "reshape": lambda: A.reshape(7, -1),
    "set shape": lambda: setattr(A, "shape", (7,)),
    "axis": lambda: A.sum(axis=5),
    "axis raises": lambda: A.sum(axis=(0, Raises())),
    "axis twice": lambda: A.sum(axis=(0, 0)),
    "transpose": lambda: A.transpose(0, 0),
    "index": lambda: A[100],
    "index text": lambda: A["a"],
    "index float": lambda: A[1.5],
    "index many": lambda: A[0, 0, 0],
    "index raises": lambda: A[[0, Raises()]],
    "index list": lambda: A[[0, 1], [0, 1, 2]],
    "mask shape": lambda: A[MASK[:2]],
    "slice step": lambda: A[::0],
    "set shape of value": setter(slice(None), LINE[:3]),
    "set text": setter(0, "a"),
    "set raises": setter(0, Raises()),
    "set places": setter(PLACES, LINE[:3]),
    "delete": lambda: A.__delitem__(0),
    "NumPy operand": lambda: A + NUMPY,
    "implicit NumPy": lambda: np.asarray(A),
    "None operand": lambda: A + None,
    "out type": lambda: cp.add(A, B, out=NUMPY),
    "out shape": lambda: cp.add(A, B, out=cp.zeros(3)),
    "out casting": lambda: cp.add(A, B, out=N),
    "out read-only": lambda: cp.add(A, 1, out=cp.broadcast_to(LINE, (6, 10))),
    "keyword": lambda: cp.add(A, B, nonsense=1),
    "many arguments": lambda: cp.add(A, B, A, B, A),
    "few arguments": lambda: cp.add(A),
    "casting": lambda: A.astype("i4", casting="safe"),
    "casting text": lambda: A.astype("i4", casting="x"),
    "no loop": lambda: cp.bitwise_and(A, B),
    "where": lambda: cp.add(A, B, where=A),
    "integer out of bounds": lambda: N.astype("i1") + 1000,
    "empty maximum": lambda: A[:0].max(),
    "get out shape": lambda: A.get(out=NUMPY[0]),
    "get out type": lambda: A.get(out=3),
    "set of other shape": lambda: A.copy().set(NUMPY[0]),
    "item": lambda: A.item(),
    "item index": lambda: A.item(9, 99),
    "bool": lambda: bool(A),
    "index of array": lambda: [1, 2][A],
    "len": lambda: len(A.sum()),
    "concatenate": lambda: cp.concatenate([A, LINE]),
    "concatenate axis": lambda: cp.concatenate([A, A], axis=7),
    "concatenate type": lambda: cp.concatenate([A, NUMPY]),
    "take mode": lambda: A.take(1, mode="x"),
    "sort kind": lambda: cp.sort(A, kind="x"),
    "kth": lambda: cp.partition(A, 100),
    "searchsorted": lambda: cp.searchsorted(A, 1),
    "matmul": lambda: A @ B,
    "matmul out": lambda: cp.matmul(A, B.T, out=cp.zeros(3)),
    "einsum": lambda: cp.einsum("ij,jk", A, B),
    "singular": lambda: cp.linalg.inv(cp.ones((3, 3))),
    "not square": lambda: cp.linalg.inv(A),
    "fft": lambda: cp.fft.fft(A, n=-1),
    "fft norm": lambda: cp.fft.fft(A, norm="x"),
    "random": lambda: STATE.normal(scale=-1, size=3),
    "randint": lambda: STATE.randint(5, 1),
    "poisson": lambda: STATE.poisson([1, -1]),
    "gamma": lambda: STATE.gamma(cp.ones(3), size=4),
    "kernel arguments": lambda: KERNEL(A),
    "kernel shapes": lambda: KERNEL(A, LINE[:3]),
    "kernel types": lambda: KERNEL(A, N),
    "kernel NumPy": lambda: KERNEL(A, NUMPY),
    "kernel parameters": lambda: cp.ElementwiseKernel("T", "T z", "z = 1"),
    "reduction axis": lambda: REDUCTION(A, axis=9),
    "raw arguments": lambda: RAW((1,), (1,), (A,)),
    "raw grid": lambda: RAW((1, 2, 3, 4), (1,), (A, 3)),
    "raw block": lambda: RAW((1,), (0,), (A, 3)),
    "raw type": lambda: RAW((1,), (1,), (A, object())),
    "from_dlpack": lambda: cp.from_dlpack(3),
    "DLPack device": lambda: A.__dlpack__(dl_device=(99, 0)),
    "capsule twice": lambda: [cp.from_dlpack(c) for c in [A.toDlpack()] * 2],
    "device": lambda: cp.cuda.Device(99).use(),
    "device number": lambda: cp.cuda.Device(2**40),
    "device of zeros": lambda: cp.zeros(3, device=cp.cuda.Device(99)),
    "pinned allocator": lambda: cp.cuda.PinnedMemoryPool(lambda n: None).malloc(9),
    "pinned allocator raises": lambda: cp.cuda.PinnedMemoryPool(Raises()).malloc(9),
    "pinned pool's memory": lambda: cp.cuda.PinnedMemoryPool(no_memory).malloc(9),
    "hook raises": lambda: hooked(lambda: A + B, Objecting()),
    "kernel name": lambda: cp.RawKernel(RAW.code, "leak").compile(),
    "end of a capture": lambda: STREAM.end_capture(),
    "over memory": lambda: cp.ndarray(99, "f4", cp.cuda.alloc(16)),
    "unpickle": lambda: cp._core._unpickle(int, NUMPY),
}

ARGUMENTS = [A, B, N, Z, SQUARE, MASK, PLACES, NUMPY, LINE, Subclass, Raises]
ARGUMENTS += [None, np.dtype("f4"), np.dtype("f8"), np.dtype("i8"), np.dtype("c8")]


# References that NumPy's own functions leave, as they call `np.empty` without a dtype.
NUMPYS = {"geomspace(positive, positive, count)"}


def references():
    return [sys.getrefcount(x) for x in ARGUMENTS]


def wrong(call):
    try:
        call()
    except Exception:
        pass
    else:
        raise AssertionError("no error")


def check(call, times=TIMES):
    for generation in (YOUNG, ALL):  # what others left holds None, too, until it goes
        warm_up(call, generation)
        counts = references()
        check_leaves_nothing(call, times)
        changed = [
            (type(x).__name__, b - a)
            for x, a, b in zip(ARGUMENTS, counts, references(), strict=True)
            if abs(b - a) > times // 2
        ]
        if not changed:
            return
    assert not changed, f"references left: {changed}"


@pytest.mark.parametrize("name", CALLS)
def test_leaves_nothing(name):
    check(CALLS[name])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WRONG)
def test_error_leaves_nothing(name):
    check(lambda: wrong(WRONG[name]))


def test_numpy_is_told_the_dtype():
    """Each `np.zeros(3)` leaves a reference to float64 behind, `np.zeros(3, float)`
    does not."""
    untold = []
    for package in (cp, cupricx):
        for path in Path(package.__file__).parent.rglob("*.py"):
            for call in ast.walk(ast.parse(path.read_text())):
                if not isinstance(call, ast.Call) or len(call.args) > 1:
                    continue
                name = ast.unparse(call.func)
                told = any(keyword.arg == "dtype" for keyword in call.keywords)
                if not told and name in ("np.zeros", "np.ones", "np.empty"):
                    untold.append(f"{path}:{call.lineno}")
    assert not untold


def test_many_operations():
    """Arrays of changing sizes, some kept for a while."""
    gc.collect()
    used = used_bytes()
    kept = []
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 3000, 20_000)
    blocks = sys.getallocatedblocks()
    for i, size in enumerate(sizes.tolist()):
        a = cp.zeros(size, "f4")
        a += 1
        kept.append(a[: size // 2] * 2)
        if len(kept) > 50:
            del kept[i % 50]
    del a
    kept.clear()
    gc.collect()
    assert used_bytes() == used
    assert sys.getallocatedblocks() - blocks < 5000


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", [x for x in examples.every() if x not in NUMPYS])
def test_every_call_leaves_nothing(line):
    example = examples.every()[line]
    names = example.arrays()
    check(lambda: example.run(names), 100)
