"""Large operations, where moving the bytes is (nearly) all the work.

`share` is the part of the machine's best copy that cupric's rate is, in bytes that have
to cross the memory bus: each operand read once, each result written once; of operations
that follow each other, each one's. Copies from and to the host's memory are here too.
"""

import functools

import numpy as np

from measure import Case

ROUNDS = 5
FULL = 27  # 2**27 float32 are 512 MiB


@functools.cache
def numbers(n, dtype, seed):
    """The same for every library and case: drawing takes longer than most rows."""
    if dtype in ("float32", "float64"):
        return np.random.default_rng(seed).random(n, np.dtype(dtype))
    scale = 1 if dtype == "float16" else 2**20
    return (numbers(n, "float32", seed) * scale).astype(dtype)


def array(lib, shape, dtype="float32", seed=1):
    n = int(np.prod(shape))
    whole = 1 << (n - 1).bit_length()
    return lib.asarray(numbers(whole, dtype, seed)[:n].reshape(shape))


def of_arrays(function, *shapes, dtype="float32"):
    """A case of arrays of these shapes: `function(xp, *arrays)`."""

    def make(lib):
        arrays = [array(lib, s, dtype, seed=i) for i, s in enumerate(shapes)]
        xp = lib.xp
        return lambda: function(xp, *arrays)

    return make


def lesson(dtype):
    """convolve2d of the lesson: see examples/gpu_lesson.py."""
    unit = np.zeros((16, 16))
    unit[8, 8] = 1
    x, y = np.meshgrid(np.linspace(-2, 2, 15), np.linspace(-2, 2, 15))
    image = np.tile(unit, (128, 128)).astype(dtype)
    gauss = np.exp(-(x * x + y * y) / 2).astype(dtype)

    def make(lib):
        a, b, convolve2d = lib.asarray(image), lib.asarray(gauss), lib.signal.convolve2d
        return lambda: convolve2d(a, b)

    def torch(lib):
        a = lib.asarray(image)[None, None]
        b = lib.asarray(gauss[::-1, ::-1].copy())[None, None]
        convolve2d = lib.xp.nn.functional.conv2d
        return lambda: convolve2d(a, b, padding=14)

    return {"make": make, "torch": torch}


def line(n):
    def torch(lib):
        a = array(lib, n, "float64")[None, None]
        b = array(lib, 15, "float64", seed=2).flip(0)[None, None]
        convolve = lib.xp.nn.functional.conv1d
        return lambda: convolve(a, b, padding=14)

    def make(lib):
        a, b = array(lib, n, "float64"), array(lib, 15, "float64", seed=2)
        convolve = lib.xp.convolve
        return lambda: convolve(a, b)

    return {"make": make, "torch": torch}


def digits(n):
    """The line of a lesson that finds the distances between images of digits."""

    def make(lib):
        xp = lib.xp
        rng = np.random.default_rng(7)
        black = rng.random((n, 784), np.float32) < 0.81
        pixels = np.where(black, 0, rng.random((n, 784), np.float32)).astype("float16")
        p, q = lib.asarray(pixels), lib.asarray(pixels[::-1].copy())
        einsum = xp.einsum

        def distances():
            squares = einsum("ij,ij->i", q, q)[:, None]
            return xp.sqrt(squares - 2 * q @ p.T + einsum("ij,ij->i", p, p))

        return distances

    return {"make": make, "torch": make}


def to_device(nbytes):
    def make(lib):
        source = np.ones(nbytes // 4, np.float32)
        copy = np.array if lib.name == "numpy" else lib.asarray
        return lambda: copy(source)

    return {"make": make, "torch": make}


def to_host(nbytes):
    def make(lib):
        source = array(lib, nbytes // 4)
        return lambda: lib.asnumpy(source)

    return {"make": make, "torch": make}


def same(what, size, function, *shapes, dtype="float32", **given):
    """A case whose function PyTorch understands as well."""
    make = of_arrays(function, *shapes, dtype=dtype)
    return Case(what, size, make, torch=make, rounds=ROUNDS, **given)


def differs(what, size, function, torch, *shapes, dtype="float32", **given):
    """A case for which PyTorch has other words, or none."""
    make = of_arrays(function, *shapes, dtype=dtype)
    other = of_arrays(torch, *shapes, dtype=dtype) if torch else None
    return Case(what, size, make, torch=other, rounds=ROUNDS, **given)


def cases(quick=False):
    less = 7 if quick else 0  # powers of two
    n, rows, cols = 1 << (FULL - less), 1 << (14 - less), 1 << 13
    yield from elementwise(n, rows, cols, f"2^{FULL - less} f32")
    yield from reductions(n, rows, cols, f"2^{FULL - less} f32")
    yield from moves(n, rows, cols, FULL - less)
    yield from draws(n, FULL - less)
    yield from sorting(22 if quick else 25)
    yield from products(quick)
    yield from copies(1 << (28 - less))


def elementwise(n, rows, cols, size):
    f32 = 4 * n
    yield same(
        "xp.add(x, y, out=o)", size, lambda xp, x, y, o: xp.add(x, y, out=o),
        n, n, n, nbytes=3 * f32, due=400,
    )  # fmt: skip
    yield same("x + y", size, lambda xp, x, y: x + y, n, n, nbytes=3 * f32)
    yield same(
        "x + row", size, lambda xp, x, row: x + row,
        (rows, cols), cols, nbytes=2 * f32, due=300,
    )  # fmt: skip
    yield same("xp.exp(x)", size, lambda xp, x: xp.exp(x), n, nbytes=2 * f32)
    yield same(
        "xp.sqrt(x * x + y * y) + 1", size,
        lambda xp, x, y: xp.sqrt(x * x + y * y) + 1, n, n, nbytes=11 * f32,
    )  # fmt: skip


def reductions(n, rows, cols, size):
    f32 = 4 * n
    matrix = f"{size}, {rows}x{cols}"
    yield same("x.sum()", size, lambda xp, x: x.sum(), n, nbytes=f32, due=140)
    for axis in (0, 1):
        yield same(
            f"x.sum({axis})", matrix, lambda xp, x, a=axis: x.sum(a),
            (rows, cols), nbytes=f32, due=140,
        )  # fmt: skip
    yield same(
        "x.sum(1), rows of 128", size, lambda xp, x: x.sum(1),
        (n // 128, 128), nbytes=f32, due=140,
    )  # fmt: skip
    for length in (2, 3):
        yield same(
            f"x.sum(1), rows of {length}", size, lambda xp, x: x.sum(1),
            (n // length, length), nbytes=f32 + f32 // length, within=1.5,
        )  # fmt: skip
    tall = 10_000_000 if n > 10_000_000 else 100_000
    yield same(
        "x.sum(0), columns of 4", f"{tall:,}x4 f32", lambda xp, x: x.sum(0),
        (tall, 4), nbytes=16 * tall, within=1.5,
    )  # fmt: skip
    for name, due in (("std", 150), ("argmax", 150), ("mean", None), ("max", None)):
        yield differs(
            f"x.{name}(1)", matrix, lambda xp, x, f=name: getattr(x, f)(1),
            (lambda xp, x: x.amax(1)) if name == "max"
            else lambda xp, x, f=name: getattr(x, f)(1),
            (rows, cols), nbytes=f32, due=due,
        )  # fmt: skip


def moves(n, rows, cols, power):
    f32, size = 4 * n, f"2^{power} f32"
    matrix = f"{size}, {rows}x{cols}"
    yield differs(
        "x.T.copy()", matrix, lambda xp, x: x.T.copy(), lambda xp, x: x.T.contiguous(),
        (rows, cols), nbytes=2 * f32, due=320,
    )  # fmt: skip
    yield differs(
        "xp.cumsum(x)", size, lambda xp, x: xp.cumsum(x),
        lambda xp, x: xp.cumsum(x, 0), n, nbytes=2 * f32, due=320,
    )  # fmt: skip
    yield same(
        "xp.cumsum(x, axis=1)", matrix, lambda xp, x: xp.cumsum(x, axis=1),
        (rows, cols), nbytes=2 * f32, due=320,
    )  # fmt: skip
    # A comparison reads 4 bytes and writes 1; the choice reads 5 and writes 4 for half.
    half = f"2^{power - 1} f32"
    yield same(
        "x[x > 0.5]", half, lambda xp, x: x[x > 0.5], n // 2, nbytes=12 * (n // 2),
        due=350,
    )  # fmt: skip

    def taken(lib):
        x = array(lib, n // 8)
        places = lib.asarray(np.random.default_rng(3).permutation(n // 8))
        return lambda: x[places]

    yield Case("x[places]", f"2^{power - 3} f32", taken, torch=taken, rounds=ROUNDS)


def draws(n, power):
    def case(what, size, due, code, torch, peers=("cupric", "numpy", "cupy", "torch")):
        def make(lib):
            draw, xp = code if lib.name != "torch" else torch, lib.xp
            return lambda: draw(xp)

        return Case(
            what, size, make, torch=make, rounds=ROUNDS, due=due, nbytes=4 * n,
            peers=peers,
        )  # fmt: skip

    yield case(
        "xp.random.random(n, f32)", f"2^{power} f32", 180,
        lambda xp: xp.random.random(n, dtype="float32"),
        lambda xp: xp.rand(n, device="cuda"), peers=("cupric", "cupy", "torch"),
    )  # fmt: skip
    yield case(
        "xp.random.random(n)", f"2^{power - 1} f64", None,
        lambda xp: xp.random.random(n // 2),
        lambda xp: xp.rand(n // 2, device="cuda", dtype=xp.float64),
    )  # fmt: skip
    yield case(
        "xp.random.standard_normal(n)", f"2^{power - 1} f64", 350,
        lambda xp: xp.random.standard_normal(n // 2),
        lambda xp: xp.randn(n // 2, device="cuda", dtype=xp.float64),
    )  # fmt: skip


def sorting(power):
    n = 1 << power
    yield differs(
        "xp.sort(x)", f"2^{power} f32", lambda xp, x: xp.sort(x),
        lambda xp, x: xp.sort(x).values, n,
    )  # fmt: skip
    yield same(
        "xp.argsort(x)", f"2^{power - 1} f32", lambda xp, x: xp.argsort(x), n // 2
    )
    yield same(
        "xp.unique(i)", f"2^{power - 3} i32", lambda xp, x: xp.unique(x), n // 8,
        dtype="int32",
    )  # fmt: skip


def products(quick):
    for dtype, m in (("float32", 4096), ("float16", 8192), ("float64", 2048)):
        m = 256 if quick else m
        size = f"{m}x{m} f{8 * np.dtype(dtype).itemsize}"
        given = {} if dtype != "float16" else {"peers": ("cupric", "cupy", "torch")}
        yield same(
            "x @ y", size, lambda xp, x, y: x @ y, (m, m), (m, m), dtype=dtype, **given
        )
    for dtype, due in (("float64", 110), ("float32", 70)):
        size = f"2048x2048 * 15x15 {'f64' if dtype == 'float64' else 'f32'}"
        yield Case("signal.convolve2d", size, rounds=ROUNDS, due=due, **lesson(dtype))
    power = 18 if quick else 22
    yield Case(
        "xp.convolve", f"2^{power} * 15 f64", rounds=ROUNDS, due=50, **line(1 << power)
    )
    n = 500 if quick else 10_000
    yield Case(
        "sqrt(|q|^2 - 2 q @ p.T + |p|^2)", f"{n}x784 f16", rounds=ROUNDS, due=1200,
        peers=("cupric", "cupy", "torch"), **digits(n),
    )  # fmt: skip


def copies(nbytes):
    size = f"{nbytes >> 20} MiB pageable"
    fresh = f"{size}, fresh"
    yield Case("asarray", size, rounds=ROUNDS, due=9000, **to_device(nbytes))
    yield Case("asnumpy", fresh, rounds=ROUNDS, due=25_000, **to_host(nbytes))
