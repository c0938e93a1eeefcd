"""General kernels (src/cuda/general.c): signatures that stand for others give the same
results, the conversion to each dtype converts as any, and without a compiler every
elementwise call works.
"""

import ctypes
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import cupric
from cupric import _core

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tools import kernel_archive, kernel_keys

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
DTYPES = {
    letter: BFLOAT16 if letter == "E" else np.dtype(letter)
    for letter in kernel_keys.ALL
}
SHORT = "eEhH"  # of which all values are tried
N = 20_000

# ---- signatures that stand for others ------------------------------------------------


def values(rng, letter, n):
    """Any bits, and as many small numbers."""
    dtype = DTYPES[letter]
    if letter == "?":
        return rng.random(n) < 0.5
    if letter in "fdFD":
        powers = 10.0 ** rng.integers(-6, 6, (2, n))
        real, imaginary = rng.standard_normal((2, n)) * powers
        return (real + 1j * imaginary if letter in "FD" else real).astype(dtype)
    unsigned = f"u{dtype.itemsize}"
    if letter in SHORT and n == 65536:
        return np.arange(n).astype(unsigned).view(dtype)
    bits = np.frombuffer(rng.bytes(n * dtype.itemsize), dtype)
    if letter in "eE":
        return bits
    small = rng.integers(-70 if dtype.kind == "i" else 0, 70, n).astype(dtype)
    return np.where(rng.random(n) < 0.5, bits, small)


def same(x, y):
    """Which elements are the same, where all NaNs are."""
    x, y = (a.astype("D") if a.dtype.kind == "c" else a for a in (x, y))
    if x.dtype.kind == "c":
        return same(x.real, y.real) & same(x.imag, y.imag)
    if x.dtype.kind in "fV":
        x, y = x.astype("d"), y.astype("d")
        equal = (x == y) & (np.signbit(x) == np.signbit(y))
        return equal | (np.isnan(x) & np.isnan(y))
    return x == y


def narrow_signatures(codegen):
    """(name, signature, the one that stands for it), as letters."""
    tables = kernel_keys.Tables(codegen)
    for name, (op, row) in tables.rows.items():
        for sig in tables.signatures(op) if row.code else ():
            wide = codegen.cu_cuda_wide_signature(op, sig)
            if wide != sig:
                types = tables.types(op, sig), tables.types(op, wide)
                yield (
                    name,
                    row.nin,
                    *("".join(kernel_keys.ALL[t] for t in x) for x in types),
                )


@pytest.mark.filterwarnings("ignore:invalid value")
def test_wide_signatures_give_the_same(codegen):
    rng = np.random.default_rng(1)
    wrong, n_tried = {}, 0
    for name, nin, types, wide in narrow_signatures(codegen):
        function = getattr(_core, name, None) or getattr(_core.special, name)
        n = 65536 if nin == 1 and types[0] in SHORT else N
        if getattr(function, "_family", None) not in (None, "special"):
            n = N // 20  # with loops and branches, they take long at odd arguments
        given = [cupric.array(values(rng, t, n)) for t in types[:nin]]
        narrow = function(*given)
        pairs = zip(given, wide, strict=False)
        widened = function(*(x.astype(DTYPES[t]) for x, t in pairs))
        if not isinstance(narrow, tuple):
            narrow, widened = (narrow,), (widened,)
        for x, y in zip(narrow, widened, strict=True):
            equal = same(x.get(), y.astype(x.dtype).get())
            if not equal.all():
                i = int(np.argmin(equal))
                wrong[name, types] = [a[i].item() for a in given]
        n_tried += 1
    assert n_tried > 400
    assert not wrong  # such a row has the trait OWN_WIDTH


def narrow_reductions(codegen):
    """(name, signature, the one that stands for it), as letters: inputs, result."""
    codegen.cu_cuda_skips.restype = ctypes.c_bool
    tables = kernel_keys.Tables(codegen)
    for name, (op, row) in tables.rows.items():
        if codegen.cu_cuda_is_serial(op):
            continue
        for sig in tables.signatures(op):
            wide = codegen.cu_cuda_wide_signature(op, sig)
            types = tables.types(op, sig), tables.types(op, wide)
            if row.code and (len(types[0]) != 3 or len({*types[0]}) > 1):
                continue
            if wide != sig and not row.is_special:
                skip = 1 if row.code else 0  # of a ufunc's two inputs
                yield (
                    name,
                    *("".join(kernel_keys.ALL[t] for t in x[skip:]) for x in types),
                )


def reduced(name, given, dtype):
    function = getattr(_core, name, None)
    if isinstance(function, _core.ufunc):
        return function.reduce(given[0], axis=-1, dtype=dtype)
    given_dtype = {"dtype": dtype} if name in ("nansum", "nanprod") else {}
    return getattr(_core.reductions, name)(*given, axis=-1, **given_dtype)


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:All-NaN", "ignore:Degrees")
def test_reductions_in_wide_signatures_give_the_same(codegen):
    rng = np.random.default_rng(2)
    n_tried = 0
    for name, types, wide in narrow_reductions(codegen):
        dtype = DTYPES[types[-1]]
        given = [cupric.array(values(rng, t, 3000).reshape(60, 50)) for t in types[:-1]]
        narrow = reduced(name, given, dtype)
        pairs = zip(given, wide, strict=False)
        converted = [x.astype(DTYPES[t]) for x, t in pairs]
        widened = reduced(name, converted, DTYPES[wide[-1]]).astype(dtype)
        assert narrow.dtype == dtype, (name, types)
        equal = same(narrow.get(), widened.get())
        if types[-1] in "eE":  # sums in another order
            x, y = narrow.get().astype("d"), widened.get().astype("d")
            with np.errstate(invalid="ignore", over="ignore"):
                equal |= np.abs(x - y) <= np.abs(x) * 2.0**-7
        assert equal.all(), (name, types, [a[~equal] for a in (narrow, widened)])
        n_tried += 1
    assert n_tried > 150


def test_few_signatures_stand_for_all(codegen):
    tables = kernel_keys.Tables(codegen)
    op, sig, _ = tables.signature("add", "bbb")
    assert codegen.cu_cuda_wide_signature(op, sig) == tables.signature("add", "lll")[1]
    op, sig, _ = tables.signature("sqrt", "ee")
    assert codegen.cu_cuda_wide_signature(op, sig) == tables.signature("sqrt", "ff")[1]
    op, sig, _ = tables.signature("divide", "lld")
    assert (
        codegen.cu_cuda_wide_signature(op, sig) == tables.signature("divide", "ddd")[1]
    )
    for name, types in [("spacing", "ee"), ("invert", "??"), ("add", "FFF")]:
        op, sig, _ = tables.signature(name, types)
        assert codegen.cu_cuda_wide_signature(op, sig) == sig


# ---- conversions ---------------------------------------------------------------------


class Slot(ctypes.Structure):
    _fields_ = (("word", ctypes.c_uint64 * 2),)


class Axis(ctypes.Structure):
    _fields_ = (
        ("length", ctypes.c_int64),
        ("multiplier", ctypes.c_uint32),
        ("shift", ctypes.c_uint32),
    )


class Params(ctypes.Structure):
    """cupric::any_params<RANK>, with cu_any_head."""

    RANK = 8
    _fields_ = (
        ("op", Slot * 3),
        ("dtype", ctypes.c_int64),
        ("immediate", ctypes.c_int64),
        ("masked", ctypes.c_int64),
        ("first", ctypes.c_int64),
        ("n", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("axes", Axis * RANK),
        ("stride", (ctypes.c_int64 * 3) * RANK),
    )


@pytest.fixture(scope="module")
def conversions(device):
    """A kernel for each dtype that is converted to."""
    source = '#include "cupric/kernels/any.hpp"\nusing namespace cupric;\n'
    for i, name in enumerate(kernel_archive.c_types().values()):
        source += (
            f'extern "C" __global__ void to_{i}(const any_params<{Params.RANK}> *p)\n'
            f"{{ elementwise_any<{name}>(*p); }}\n"
        )
    host = ["-U__CUDA_ARCH__"] if device == "host" else []  # a user's kernel has it
    module = cupric.RawModule(code=source, options=("--std=c++17", *host))
    return [module.get_function(f"to_{i}") for i in range(len(DTYPES))]


def convert(conversions, source, target, mask=None, first=0, n=None, value=None):
    """target[...] = source by the general kernel, or what a parameter holds."""
    params = Params(dtype=kernel_keys.ALL.index(letter_of(source.dtype)))
    operands = [source, target, mask]
    for k, x in enumerate(operands):
        if x is not None:
            params.op[k].word[0] = x.data.ptr
    if value is not None:
        ctypes.memmove(params.op[0].word, value.tobytes(), value.nbytes)
        params.immediate = 1
    params.masked = mask is not None
    params.first, params.size = first, target.size
    params.n = target.size - first if n is None else n
    missing = Params.RANK - target.ndim
    for d in range(Params.RANK):
        params.axes[d].length = 1 if d < missing else target.shape[d - missing]
        for k, x in enumerate(operands):
            if d >= missing and x is not None and not (k == 0 and value is not None):
                params.stride[d][k] = x.strides[d - missing]
    given = cupric.array(np.frombuffer(bytes(params), "u1"))
    kernel = conversions[kernel_keys.ALL.index(letter_of(target.dtype))]
    kernel(((params.n + 1023) // 1024,), (256,), (given,))


def letter_of(dtype):
    return next(letter for letter, each in DTYPES.items() if each == dtype)


def numbers(letter, shape):
    """Numbers that every dtype but bool has; negative ones of integers, which wrap."""
    x = np.arange(np.prod(shape)).reshape(shape) % 120
    return cupric.array((x - 7 * (letter in "bhil")).astype(DTYPES[letter]))


@pytest.mark.filterwarnings("ignore:Casting complex")
@pytest.mark.parametrize("source", list(kernel_keys.ALL))
def test_conversions(conversions, source):
    x = numbers(source, (33, 70))
    for target in kernel_keys.ALL:
        out = cupric.zeros(x.shape, DTYPES[target])
        convert(conversions, x, out)
        np.testing.assert_array_equal(out.get(), x.astype(DTYPES[target]).get())


def test_conversions_of_views(conversions):
    x = numbers("h", (5, 7, 40))
    repeated = cupric.broadcast_to(x[:, None, 2, ::2], (5, 9, 20))
    for there in (x[::-1, :, ::3], x.transpose(2, 0, 1), repeated, x[..., :1], x[1, 1]):
        out = cupric.zeros(there.shape[::-1], "f").T
        convert(conversions, there, out)
        np.testing.assert_array_equal(out.get(), there.get())


def test_parts_masks_and_numbers(conversions):
    x = numbers("i", (50, 100))
    mask = x % 3 == 0
    out = cupric.full(x.shape, -1, "d")
    convert(conversions, x, out, mask, first=1030, n=2500)
    expected = np.full(x.shape, -1.0)
    part = np.zeros(x.size, bool)
    part[1030:3530] = True
    chosen = part.reshape(x.shape) & mask.get()
    expected[chosen] = x.get()[chosen]
    np.testing.assert_array_equal(out.get(), expected)
    convert(conversions, x, out[::2], value=np.int32(9))
    np.testing.assert_array_equal(out[::2].get(), 9)
    np.testing.assert_array_equal(out[1::2].get(), expected[1::2])


# ---- programs ------------------------------------------------------------------------

PROGRAM = """
import itertools
import numpy as np
import cupric as cp

DEVICE = {device}
shown = []

def check(there, here, what):
    assert there.shape == here.shape and there.dtype == here.dtype, what
    if DEVICE and not np.array_equal(there, here.get(), equal_nan=True):
        shown.append((what, there, here.get()))

rng = np.random.default_rng(0)
with np.errstate(all="ignore"):
    for a, b in itertools.product("?bBhHiIlLefdFD", repeat=2):
        x = rng.integers(0, 100, (7, 40, 30)).astype(a)
        y = rng.integers(1, 50, (40, 30)).astype(b)
        dx, dy = cp.array(x), cp.array(y)
        for name in ("add", "equal", "maximum", "logical_xor"):
            f, g = getattr(np, name), getattr(cp, name)
            check(f(x, y), g(dx, dy), (name, a, b))
            views = x[::-2, ::3].T, y.T[:, ::3, None]
            there = g(dx[::-2, ::3].T, dy.T[:, ::3, None])
            check(f(*views), there, (name, a, b, "views"))
            out, dout = np.zeros((7, 40, 30), "D"), cp.zeros((7, 40, 30), "D")
            f(x, y, out=out, where=x > 50, casting="unsafe")
            g(dx, dy, out=dout, where=dx > 50, casting="unsafe")
            check(out, dout, (name, a, b, "out, where"))
        check(x.astype(b), dx.astype(b), ("astype", a, b))
        check(x.T.astype(b), dx.T.astype(b), ("astype of a transposed one", a, b))
    for a in "efdFD":  # more than a chunk, and by way of another dtype
        x = rng.standard_normal(600_001).astype(a)
        check(x * x[::-1], cp.array(x) * cp.array(x)[::-1], ("multiply", a))
    for a in "?bBhHiIlLefdFD":
        x = rng.integers(0, 9, (5, 60, 7)).astype(a)
        dx = cp.array(x)
        views = [(x, dx), (x[::-1, ::3].T, dx[::-1, ::3].T), (x[1:, 5], dx[1:, 5])]
        for (y, dy), axis in itertools.product(views, (None, 0, -1)):
            what = a, y.shape, axis
            for name in "sum prod max any argmin count_nonzero".split():
                check(np.asarray(getattr(np, name)(y, axis=axis)),
                      getattr(cp, name)(dy, axis=axis), (name, *what))
            # NumPy multiplies complex sums by a reciprocal; ours are exact, and divided
            there, count = np.asarray(np.sum(y, axis=axis, dtype="D")), y.size
            count //= max(there.size, 1)
            parts = [np.divide(part, count) for part in (there.real, there.imag)]
            wide = parts[0] if a not in "FD" else parts[0] + 1j * parts[1]
            here = cp.mean(dy, axis=axis)
            check(wide.astype(here.dtype), here, ("mean", *what))
            check(np.asarray(np.bitwise_or.reduce(y.astype("h"), axis=axis)),
                  cp.bitwise_or.reduce(dy.astype("h"), axis=axis), ("or", *what))
            for name in ("cumsum", "cumprod"):  # of float16 NumPy rounds each step
                wide = {{"dtype": "f"}} if a == "e" else {{}}
                there = getattr(np, name)(y[:4], axis=axis, **wide)
                here = getattr(cp, name)(dy[:4], axis=axis)
                check(there.astype(here.dtype), here, (name, *what))
        out, dout = np.zeros((60, 7), "F"), cp.zeros((60, 7), "F")
        np.sum(x, axis=0, out=out)
        cp.sum(dx, axis=0, out=dout)
        check(out, dout, ("sum, out", a))
    big = rng.integers(0, 255, 300_000)
    there = np.add(big, big, dtype="b", casting="unsafe", out=np.zeros(300_000, "d"))
    dbig = cp.array(big)
    here = cp.add(dbig, dbig, dtype="b", casting="unsafe", out=cp.zeros(300_000, "d"))
    check(there, here, "by way of int8")
assert not shown, (len(shown), shown[:5])
shipped, on_disk, compiled, general = cp._core._builtin_kernel_counts()
assert general > 300, general
assert compiled == {compiled}, compiled
"""


def test_every_call_without_a_compiler(run, has_cuda, device):
    text = PROGRAM.format(device=device == "cuda", compiled=0)
    run(text, "nvrtc", CUPRIC_TEST_CAPABILITY="90")


LATER = """
import time
import cupric as cp

x = cp.arange(1000).astype("h")
before = (x * x).get()
first = cp._core._builtin_kernel_counts()
assert first[3] > 0, first
for _ in range(600):
    if cp._core._builtin_kernel_counts()[2] >= first[3]:
        break
    time.sleep(0.1)
assert cp._core._builtin_kernel_counts()[2] >= first[3]
time.sleep(0.1)
x * x
assert cp._core._builtin_kernel_counts()[3] == first[3]
assert ((x * x).get() == before).all()
"""


END = """
import os, sys
import cupric as cp

x = cp.ones((30, 40), "h")
for f in (cp.add, cp.arctan2, cp.maximum, cp.hypot, cp.logaddexp):
    f(x.T, x.T[::-1])
assert cp._core._builtin_kernel_counts()[3] > 4
child = os.fork()
if child == 0:
    sys.exit(3)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
"""


def test_programs_end_while_kernels_are_made(run, has_cuda):
    """The compiler is not torn down under the thread that compiles; a forked child has
    no such thread."""
    for _ in range(3):
        run(END, CUPRIC_COMPILE="later", CUPRIC_TEST_CAPABILITY="90")


@pytest.mark.only_on("cuda")
def test_kernels_are_made_in_the_background(run, has_cuda):
    run(LATER, CUPRIC_COMPILE="later")


def test_settings_of_compile(run, has_cuda):
    program = "import cupric\ntry: cupric.zeros(3)\nexcept ValueError as e: print(e)"
    done = run(program, CUPRIC_COMPILE="never", CUPRIC_TEST_CAPABILITY="90")
    assert "now or later" in done.stdout
