"""More than 2**31 elements, and bytes, in every family of operations.

Element i of the array that most tests begin with is i % 251, a period that no power of
two is a multiple of: an index that has lost its upper bits finds another value. Results
are looked at whole, on the device, by a kernel that computes what each element must be.
"""

import fcntl
import functools
import tempfile
from pathlib import Path
from string import Template

import numpy as np
import pytest

import cupric as cp

pytestmark = pytest.mark.only_on("cuda")

HALF = 1 << 31
N = HALF + 70_001
SIDE = 46_341  # its square is just above 2**31, as is the product of SHAPE
SHAPE = (121, 250, 261, 272)
HOLES = 1 << 24
PERIOD = 251
GIB = 1 << 30
TOTAL = N // PERIOD * (PERIOD * (PERIOD - 1) // 2) + sum(range(N % PERIOD))

CTYPES = {
    "bool": "bool",
    "uint8": "unsigned char",
    "int16": "short",
    "int32": "int",
    "int64": "long long",
    "uint64": "unsigned long long",
    "float32": "float",
}
VERIFY = Template(
    """
#define X(j) ((long long)(j) % 251)
#define N (${n}ll)
#define SIDE (${side}ll)
#define HALF (${half}ll)
typedef $type T;
extern "C" __global__ void verify(const T *got, long long n, long long columns,
                                  unsigned long long *first)
{
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += step) {
        const long long r = i / columns, c = i % columns;
        (void)r, (void)c;
        if (got[i] != (T)($expected)) atomicMin(first, (unsigned long long)i);
    }
}
"""
)
PATTERN = """
extern "C" __global__ void pattern(unsigned char *x, long long n)
{
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += step) {
        x[i] = i % 251;
    }
}
"""


def verify(array, expected):
    """Every element is what a C expression of its index i, in row r, column c, says."""
    assert array.flags.c_contiguous
    numbers = {"n": N, "half": HALF, "side": SIDE}
    code = VERIFY.substitute(numbers, type=CTYPES[array.dtype.name], expected=expected)
    first = cp.full(1, np.iinfo("u8").max, "u8")
    columns = array.shape[-1]
    cp.RawKernel(code, "verify")((4096,), (256,), (array, array.size, columns, first))
    first = int(first[0])
    if first <= array.size:
        at = cp.ravel(array)[max(0, first - 3) : first + 4]
        raise AssertionError(f"element {first} of {array.size}: around it {at}")


def needs(gib):
    """Skips where the device has too little memory, the one reason to skip."""
    pool = cp.get_default_memory_pool()
    if cp.cuda.Device().mem_info[0] + pool.free_bytes() < gib * GIB:
        pool.free_all_blocks()
    free = cp.cuda.Device().mem_info[0] + pool.free_bytes()
    if free < gib * GIB:
        pytest.skip(f"needs {gib} GiB of device memory, {free / GIB:.1f} are free")


@pytest.fixture(scope="module", autouse=True)
def alone():
    """One process at a time, whatever pytest -n says: together they need too much."""
    with open(Path(tempfile.gettempdir()) / "cupric-large-tests.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
        cp.get_default_memory_pool().free_all_blocks()


@pytest.fixture(scope="module")
def x(alone):
    needs(8)
    x = cp.empty(N, "u1")
    cp.RawKernel(PATTERN, "pattern")((4096,), (256,), (x, N))
    return x


@pytest.fixture(scope="module")
def square(x):
    return x[: SIDE * SIDE].reshape(SIDE, SIDE)


@pytest.fixture(scope="module")
def holes(alone):
    """True but for every HOLES-th: more than 2**31 of them."""
    mask = cp.ones(N, "?")
    mask[::HOLES] = False
    return mask


AFTER_HOLES = f"(i / {HOLES - 1} * {HOLES} + i % {HOLES - 1} + 1)"


# ---- element by element --------------------------------------------------------------

ELEMENTWISE = {
    "dense": (lambda x: x + x, "2 * X(i)"),
    "number": (lambda x: x * 3, "3 * X(i)"),
    "compared": (lambda x: x > 100, "X(i) > 100"),
    "converted": (lambda x: x.astype("i2"), "X(i)"),
    "converting": (lambda x: cp.add(x, x, dtype="i2"), "2 * X(i)"),
    "unaligned": (lambda x: x[1:] + x[:-1], "X(i) + X(i + 1)"),
    "reversed": (lambda x: x[::-1] + 1, "X(N - 1 - i) + 1"),
    "reversed and not": (lambda x: x[::-1] + x, "X(N - 1 - i) + X(i)"),
    "every other": (lambda x: x[::2] + 1, "X(2 * i) + 1"),
    "every other, compared": (lambda x: x[1::2] < x[:-1:2], "X(2 * i + 1) < X(2 * i)"),
    "every third": (lambda x: x[1::3].copy(), "X(3 * i + 1)"),
    "copy": (lambda x: x.copy(), "X(i)"),
    "reversed copy": (lambda x: x[::-1].copy(), "X(N - 1 - i)"),
    "where": (lambda x: cp.where(x > 100, x, 7), "X(i) > 100 ? X(i) : 7"),
    "clip": (lambda x: x.clip(3, 9), "X(i) < 3 ? 3 : X(i) > 9 ? 9 : X(i)"),
    "masked": (
        lambda x: cp.add(x, 1, out=x.copy(), where=x > 100),
        "X(i) + (X(i) > 100)",
    ),
    "masked and strided": (
        lambda x: cp.add(x[::-1], 1, out=x.copy(), where=x > 100),
        "X(i) > 100 ? X(N - 1 - i) + 1 : X(i)",
    ),
    "two outputs": (lambda x: cp.divmod(x, 7)[1], "X(i) % 7"),
    "one bit back": (lambda x: cp.diff(x), "X(i + 1) - X(i)"),
    "user's kernel": (
        lambda x: cp.ElementwiseKernel("T x", "T y", "y = x + i % 2", "large_e")(x),
        "X(i) + i % 2",
    ),
    "user's kernel, strided": (
        lambda x: cp.ElementwiseKernel("T x", "T y", "y = x + i % 2", "large_e")(
            x[::-1]
        ),
        "X(N - 1 - i) + i % 2",
    ),
    "user's kernel, raw": (
        lambda x: cp.ElementwiseKernel(
            "raw T x", "T y", "y = x[_ind.size() - 1 - i]", "large_r"
        )(x, size=N),
        "X(N - 1 - i)",
    ),
}


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise(x, name):
    function, expected = ELEMENTWISE[name]
    verify(function(x), expected)


SQUARES = {
    "row": (lambda x, m: m + x[:SIDE], "X(i) + X(c)"),
    "column": (lambda x, m: m + x[:SIDE, None], "X(i) + X(r)"),
    "row and column": (lambda x, m: x[:SIDE] * x[:SIDE, None], "X(c) * X(r)"),
    "transposed": (lambda x, m: m + m.T, "X(i) + X(c * SIDE + r)"),
    "transposed copy": (lambda x, m: m.T.copy(), "X(c * SIDE + r)"),
    "transposed, converted": (lambda x, m: m.T.astype("i2", "C"), "X(c * SIDE + r)"),
    "flipped": (lambda x, m: cp.flip(m, 0), "X((SIDE - 1 - r) * SIDE + c)"),
    "rolled": (lambda x, m: cp.roll(m, 5, 0), "X((r + SIDE - 5) % SIDE * SIDE + c)"),
    "wide window": (lambda x, m: m[1:, 1:] + 0, "X((r + 1) * SIDE + c + 1)"),
    "triangle": (lambda x, m: cp.tril(m), "c <= r ? X(i) : 0"),
    "outer": (lambda x, m: cp.multiply.outer(x[:SIDE], x[:SIDE]), "X(r) * X(c)"),
}


@pytest.mark.parametrize("name", SQUARES)
def test_two_dimensions(x, square, name):
    function, expected = SQUARES[name]
    verify(cp.ascontiguousarray(function(x, square)), expected)


def test_four_dimensions(x):
    size = int(np.prod(SHAPE))
    assert HALF < size <= N
    y = x[:size].reshape(SHAPE).transpose(2, 0, 3, 1)
    _, q, s, t = SHAPE
    down = f"(i / {q * t} % {SHAPE[0]} * {q} + i % {q})"
    at = f"({down} * {s} + i / {y.size // s}) * {t} + i / {q} % {t}"
    verify(y.copy(), f"X({at})")
    verify(y[::-1].copy()[::-1].copy(), f"X({at})")


# ---- making and moving ---------------------------------------------------------------

MADE = {
    "full": (lambda x: cp.full(N, 5, "u1"), "5"),
    "zeros": (lambda x: cp.zeros(N, "u1"), "0"),
    "arange": (lambda x: cp.arange(N, dtype="i4"), "i"),
    "concatenated": (lambda x: cp.concatenate([x, x]), "X(i % N)"),
    "stacked": (lambda x: cp.stack([x, x], axis=1), "X(i / 2)"),
    "rolled": (lambda x: cp.roll(x, HALF + 3), "X((i + N - HALF - 3) % N)"),
    "tiled": (lambda x: cp.tile(x[:1000], HALF // 1000 + 9), "X(i % 1000)"),
    "repeated": (lambda x: cp.repeat(x[: N // 2], 3), "X(i / 3)"),
    "padded": (lambda x: cp.pad(x, 1), "i == 0 || i == N + 1 ? 0 : X(i - 1)"),
    "packed": (lambda x: cp.ascontiguousarray(x[::-1]), "X(N - 1 - i)"),
    "viewed": (lambda x: x[: N // 4 * 4].view("i4").view("u1"), "X(i)"),
}


@pytest.mark.parametrize("name", MADE)
def test_made(x, name):
    needs(12)
    function, expected = MADE[name]
    verify(function(x), expected)


ASSIGNED = {
    "fill": (lambda y, x: y.fill(3), "3"),
    "slice": (
        lambda y, x: y.__setitem__(slice(HALF - 5, HALF + 5), 9),
        "i >= HALF - 5 && i < HALF + 5 ? 9 : X(i)",
    ),
    "every other": (
        lambda y, x: y.__setitem__(slice(None, None, 2), 1),
        "i % 2 ? X(i) : 1",
    ),
    "of itself": (lambda y, x: y.__setitem__(slice(None), x[::-1]), "X(N - 1 - i)"),
    "shifted": (
        lambda y, x: y.__setitem__(slice(1, None), y[:-1]),
        "X(i ? i - 1 : 0)",
    ),
    "mask": (lambda y, x: y.__setitem__(x > 100, 1), "X(i) > 100 ? 1 : X(i)"),
    "places": (
        lambda y, x: y.__setitem__(cp.arange(HALF - 5, HALF + 5), 9),
        "i >= HALF - 5 && i < HALF + 5 ? 9 : X(i)",
    ),
    "put": (
        lambda y, x: cp.put(y, cp.asarray([0, HALF, -1]), cp.asarray([9, 8, 7])),
        "i == 0 ? 9 : i == HALF ? 8 : i == N - 1 ? 7 : X(i)",
    ),
    "add in place": (lambda y, x: y.__iadd__(x), "2 * X(i)"),
    "add at": (
        lambda y, x: cp.add.at(y, cp.asarray([HALF, 1, HALF]), 1),
        "X(i) + (i == 1) + 2 * (i == HALF)",
    ),
}


@pytest.mark.parametrize("name", ASSIGNED)
def test_assigned(x, name):
    needs(40 if name == "mask" else 8)
    function, expected = ASSIGNED[name]
    y = x.copy()
    function(y, x)
    verify(y, expected)


def test_to_and_from_the_host():
    a = np.resize(np.arange(PERIOD, dtype="u1"), (1 << 20) // PERIOD * PERIOD)
    a = np.resize(a, N)
    y = cp.asarray(a)
    verify(y, "X(i)")
    b = y[1:].get()
    assert (b == a[1:]).all()


def test_window_of_memory(x):
    """Pointers and exports beyond 2**31 bytes."""
    tail = cp.from_dlpack(x[HALF:])
    verify(tail, "X(i + HALF)")
    assert tail.data.ptr == x.data.ptr + HALF
    assert int(x[HALF + 5]) == (HALF + 5) % PERIOD
    assert x.item(HALF + 5) == (HALF + 5) % PERIOD
    assert int(x[-1]) == (N - 1) % PERIOD
    moved = cp.ndarray((10,), "u1", x.data + HALF)
    np.testing.assert_array_equal(moved.get(), np.arange(HALF, HALF + 10) % PERIOD)


# ---- places --------------------------------------------------------------------------


def test_take_few(x, square):
    places = np.array([0, HALF - 1, HALF, N - 1, -1, -HALF, -N])
    expected = places % N % PERIOD
    for result in (x[cp.asarray(places)], x.take(cp.asarray(places)), x[places]):
        np.testing.assert_array_equal(result.get(), expected)
    rows = cp.asarray([0, SIDE - 1, -2])
    np.testing.assert_array_equal(
        square[rows, rows].get(), np.array([0, SIDE - 1, SIDE - 2]) * (SIDE + 1) % 251
    )
    taken = square[rows][:, -3:].get()
    at = np.array([[0], [SIDE - 1], [SIDE - 2]]) * SIDE + np.arange(SIDE - 3, SIDE)
    np.testing.assert_array_equal(taken, at % PERIOD)


def test_take_many(x):
    needs(40)
    verify(x[cp.arange(N - 1, -1, -1)], "X(N - 1 - i)")


def test_take_rows(square):
    verify(square[cp.arange(SIDE - 1, -1, -1)], "X((SIDE - 1 - r) * SIDE + c)")
    verify(square.take(cp.arange(SIDE), axis=1), "X(i)")


def test_mask_few(x):
    y = cp.zeros(N, "?")
    at = [3, HALF - 1, HALF, HALF + 60_000, N - 1]
    y[cp.asarray(at)] = True
    np.testing.assert_array_equal(cp.flatnonzero(y).get(), at)
    np.testing.assert_array_equal(x[y].get(), np.array(at) % PERIOD)
    rows, columns = cp.nonzero(y[: SIDE * SIDE].reshape(SIDE, SIDE))
    np.testing.assert_array_equal((rows * SIDE + columns).get(), at[:3])
    assert int(cp.count_nonzero(y)) == len(at)
    assert int(y.argmax()) == 3


def test_mask_many(x, holes):
    needs(40)
    verify(x[holes], f"X{AFTER_HOLES}")
    verify(cp.flatnonzero(holes), AFTER_HOLES)


# ---- reductions and scans ------------------------------------------------------------


def test_reduce_all(x, square):
    assert int(x.sum()) == TOTAL
    assert int(x[::-1].sum()) == TOTAL
    assert int(x[1:].sum()) == TOTAL
    assert int(x[::2].sum(dtype="u8") + x[1::2].sum(dtype="u8")) == TOTAL
    assert (int(x.min()), int(x.max())) == (0, PERIOD - 1)
    assert float(x.mean()) == pytest.approx(TOTAL / N, rel=1e-12)
    assert float(x.std()) == pytest.approx(((PERIOD**2 - 1) / 12) ** 0.5, rel=1e-4)
    assert bool(x.any())
    assert not bool(x.all())
    assert int(cp.count_nonzero(x)) == N - (N - 1) // PERIOD - 1
    assert int(square.T.sum()) == int(x[: SIDE * SIDE].sum())
    assert int(x.sum(where=x > 100)) == int(cp.where(x > 100, x, 0).sum())
    total = cp.ReductionKernel(
        "T x", "int64 y", "x", "a + b", "y = a", "0", "large_sum", "long long"
    )
    assert int(total(x)) == TOTAL


@pytest.mark.parametrize("at", [HALF - 1, HALF, HALF + 65_000, N - 1])
def test_position(x, at):
    y = x.copy()
    y[at] = 255
    assert int(y.argmax()) == at
    cp.subtract(255, y, out=y)
    assert int(y.argmin()) == at


@functools.cache
def small_square(last):
    """The last columns of the square."""
    return (np.arange(SIDE)[:, None] * SIDE + np.arange(SIDE - last, SIDE)) % PERIOD


def test_reduce_axes(square):
    columns, rows = small_square(3), np.arange(SIDE * (SIDE - 3), SIDE * SIDE)
    rows = rows.reshape(3, SIDE) % PERIOD
    total = int(square.sum())
    for axis, part in ((0, columns), (1, rows)):
        for name in ("sum", "max", "min", "argmax", "argmin", "any", "all"):
            result = getattr(square, name)(axis)
            expected = getattr(part, name)(axis)
            np.testing.assert_array_equal(result[-3:].get(), expected, err_msg=name)
        assert int(square.sum(axis).sum()) == total
        np.testing.assert_allclose(square.mean(axis)[-3:].get(), part.mean(axis))
        np.testing.assert_allclose(square.std(axis)[-3:].get(), part.std(axis))


KEPT = {
    "one row": (lambda x: x.reshape(1, N).max(0), "X(i)"),
    "one column": (lambda x: x.reshape(N, 1).max(1), "X(i)"),
    "two rows": (lambda x: cp.stack([x, x]).max(0), "X(i)"),
    "two columns": (lambda x: cp.stack([x, x], axis=1).min(1), "X(i)"),
    "pairs": (
        lambda x: x[: N // 2 * 2].reshape(-1, 2).max(1),
        "X(i * 2) == 250 ? 250 : X(i * 2 + 1)",
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_more_results_than_an_int_counts(x, name):
    function, expected = KEPT[name]
    needs(12)
    verify(function(x), expected)


def test_reduceat(x):
    starts = [0, HALF - 1, HALF + 1]
    result = cp.add.reduceat(x, starts, dtype="u8")
    parts = [x[a:b].sum() for a, b in zip(starts, [*starts[1:], N], strict=True)]
    assert result.tolist() == [int(p) for p in parts]


def test_cumsum(x, square):
    full = f"{PERIOD * (PERIOD - 1) // 2}"
    expected = f"i / {PERIOD} * {full} + X(i) * (X(i) + 1) / 2"
    verify(x.cumsum(dtype="u1"), expected)
    verify(cp.add.accumulate(x, dtype="i4"), expected)
    down = square.cumsum(0, dtype="u1")
    np.testing.assert_array_equal(
        down[:, -3:].get(), small_square(3).cumsum(0).astype("u1")
    )
    verify(
        square.cumsum(1, dtype="u1"),
        f"(i / {PERIOD} * {full} + X(i) * (X(i) + 1) / 2) -"
        f" ((r * SIDE - 1) / {PERIOD} * {full} +"
        " (r ? X(r * SIDE - 1) * (X(r * SIDE - 1) + 1) / 2 : 0))",
    )


def test_maximum_accumulate(x):
    y = x[::-1] // 2
    y[HALF + 9] = 200
    verify(cp.maximum.accumulate(y)[HALF + 9 :], "200")


# ---- order ---------------------------------------------------------------------------

QUOTIENT, REST = divmod(N, PERIOD)
VALUE = (
    f"(i < {(QUOTIENT + 1) * REST}ll ? i / {QUOTIENT + 1} :"
    f" {REST} + (i - {(QUOTIENT + 1) * REST}ll) / {QUOTIENT})"
)
RANK = (
    f"(i < {(QUOTIENT + 1) * REST}ll ? i % {QUOTIENT + 1} :"
    f" (i - {(QUOTIENT + 1) * REST}ll) % {QUOTIENT})"
)


def test_sort_and_search(x):
    needs(16)
    y = cp.sort(x)
    verify(y, VALUE)
    for side in ("left", "right"):
        found = cp.searchsorted(y, cp.arange(252, dtype="u1"), side=side).get()
        counts = np.where(np.arange(252) < REST, QUOTIENT + 1, QUOTIENT)
        counts[251] = 0
        ends = counts.cumsum()
        np.testing.assert_array_equal(found, ends if side == "right" else ends - counts)


def test_search_many(x):
    needs(24)
    places = cp.searchsorted(cp.arange(251, dtype="u1"), x, side="right")
    verify(places, "X(i) + 1")


def test_argsort(x):
    needs(60)
    verify(cp.argsort(x, kind="stable"), f"{RANK} * {PERIOD} + {VALUE}")


def test_unique(x):
    values, counts = cp.unique(x, return_counts=True)
    np.testing.assert_array_equal(values.get(), np.arange(PERIOD))
    expected = np.where(np.arange(PERIOD) < REST, QUOTIENT + 1, QUOTIENT)
    np.testing.assert_array_equal(counts.get(), expected)


def test_counting(x):
    needs(50)
    expected = np.where(np.arange(PERIOD) < REST, QUOTIENT + 1, QUOTIENT)
    np.testing.assert_array_equal(cp.bincount(x).get(), expected)
    needs(90)
    counts, _ = cp.histogram(x, bins=PERIOD, range=(0, PERIOD))
    np.testing.assert_array_equal(counts.get(), expected)


# ---- random numbers ------------------------------------------------------------------


def philox(seed, first, nblocks):
    """The words of blocks from `first` on, by the program of docs/random.md."""
    key = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    low = np.uint64(2**32 - 1)
    b = np.arange(first, first + nblocks, dtype=np.uint64)
    c = [b & low, b >> np.uint64(32), np.zeros_like(b), np.zeros_like(b)]
    k = [np.uint64(key & (2**32 - 1)), np.uint64(key >> 32)]
    for _ in range(10):
        p, q = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [
            q >> np.uint64(32) ^ c[1] ^ k[0],
            q & low,
            p >> np.uint64(32) ^ c[3] ^ k[1],
            p & low,
        ]
        k = [(k[0] + np.uint64(0x9E3779B9)) & low, (k[1] + np.uint64(0xBB67AE85)) & low]
    return np.stack(c, axis=1).ravel()


def test_random():
    needs(12)
    numbers = cp.random.default_rng(9).random(N, dtype=np.float32)
    for first in (0, HALF - 8, HALF, N // 4 * 4 - 8):
        words = philox(9, first // 4, 2)
        expected = (words >> np.uint64(8)) / np.float64(2**24)
        np.testing.assert_array_equal(numbers[first : first + 8].get(), expected)
    assert float(numbers.mean(dtype="f8")) == pytest.approx(0.5, abs=1e-3)
    bytes_ = cp.random.default_rng(9).integers(0, 256, N, dtype="u1")
    words = philox(9, HALF // 4, 2)
    np.testing.assert_array_equal(bytes_[HALF : HALF + 8].get(), words >> np.uint64(24))


# ---- linear algebra ------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["u1", "f4"])
def test_matmul(x, dtype):
    needs(12)
    a = x[: 2 * SIDE].astype(dtype)
    product = a.reshape(SIDE, 2) @ a.reshape(2, SIDE)
    verify(product, "X(2 * r) * X(c) + X(2 * r + 1) * X(SIDE + c)")


def test_matmul_of_a_large_matrix(square):
    """Operands beyond 2**31 elements, of which each row and column is long."""
    ones = cp.ones(SIDE, "u1")
    down = square.sum(0, dtype="u1")
    np.testing.assert_array_equal((ones @ square).get(), down.get())
    np.testing.assert_array_equal(
        (square @ ones).get(), square.sum(1, dtype="u1").get()
    )


@pytest.mark.parametrize("dtype", ["f4", "u1"])
def test_dot(dtype):
    needs(12)
    y = cp.zeros(N, dtype)
    y[cp.asarray([0, 5, HALF - 1, HALF, N - 1])] = 3
    assert int(y.dot(y)) == 45


def test_convolve(x):
    y = cp.convolve(x, cp.asarray([1, 2, 3], "u1"))
    verify(
        y,
        "(i < N ? X(i) : 0) + (i > 0 && i <= N ? 2 * X(i - 1) : 0) +"
        " (i > 1 ? 3 * X(i - 2) : 0)",
    )


def test_fft():
    """Many rows: 2**31 bytes and more, and an impulse in each."""
    rows = (1 << 18) + 3
    needs(24)
    y = cp.zeros((rows, 1024), "F")
    y[:, 0] = cp.arange(rows)
    z = cp.fft.fft(y)
    assert z.dtype == np.complex64
    assert z.nbytes > HALF
    verify(cp.ascontiguousarray(z.real), "r")
