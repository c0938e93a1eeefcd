"""Large operations, where moving the bytes is (nearly) all the work.

`share` is the part of the machine's best copy that cupric's rate is, in bytes that have
to cross the memory bus: each operand read once, each result written once.
"""

import numpy as np

from measure import Case

MILLION = 1_000_000


def random(lib, shape, dtype="float32", seed=1):
    rng = np.random.default_rng(seed)
    kind = np.float64 if dtype == "float64" else np.float32
    return lib.asarray(rng.random(shape, kind).astype(dtype, copy=False))


def of_arrays(function, *shapes, dtype="float32"):
    """A case of arrays of these shapes: `function(xp, *arrays)`."""

    def make(lib):
        arrays = [random(lib, s, dtype, seed=i) for i, s in enumerate(shapes)]
        xp = lib.xp
        return lambda: function(xp, *arrays)

    return make


def lesson(lib):
    """convolve2d of the lesson: see examples/gpu_lesson.py."""
    unit = np.zeros((16, 16))
    unit[8, 8] = 1
    x, y = np.meshgrid(np.linspace(-2, 2, 15), np.linspace(-2, 2, 15))
    image = lib.asarray(np.tile(unit, (128, 128)))
    gauss = lib.asarray(np.exp(-(x * x + y * y) / 2))
    convolve2d = lib.signal.convolve2d
    return lambda: convolve2d(image, gauss)


def transposed_copy(xp, x):
    return x.T.copy()


def cases(quick=False):
    n = (4 if quick else 100) * MILLION
    side = 2000 if quick else 10_000
    few = 5
    f32 = 4 * n
    million = n // MILLION
    square = f"{side}x{side} f32"

    def case(what, size, make, nbytes=0, **given):
        return Case(what, size, make, nbytes, rounds=few, **given)

    add = of_arrays(lambda xp, x, y: x + y, n, n)
    yield case("x + y", f"{million}M f32", add, 3 * f32, torch=add)
    out = of_arrays(lambda xp, x, y: xp.add(x, y, out=y), n, n)
    yield case("xp.add(x, y, out=y)", f"{million}M f32", out, 3 * f32, torch=out)
    mixed = of_arrays(lambda xp, x, y: x * y + 1, (side, side), (side,))
    yield case("x * row + 1", square, mixed, 4 * 4 * side * side, torch=mixed)
    exp = of_arrays(lambda xp, x: xp.exp(x), n)
    yield case("xp.exp(x)", f"{million}M f32", exp, 2 * f32, torch=exp)
    sin = of_arrays(lambda xp, x: xp.sin(x), n // 2, dtype="float64")
    yield case("xp.sin(x)", f"{million // 2}M f64", sin, 2 * f32, torch=sin)
    for axis in (None, 0, 1):
        total = of_arrays(
            lambda xp, x, a=axis: x.sum() if a is None else x.sum(a), (side,) * 2
        )
        what = "x.sum()" if axis is None else f"x.sum(axis={axis})"
        yield case(what, square, total, 4 * side * side, torch=total)
    low = of_arrays(lambda xp, x: x.min(), n)
    yield case("x.min()", f"{million}M f32", low, f32, torch=low)
    std = of_arrays(lambda xp, x: x.std(0), (side, side))
    yield case("x.std(axis=0)", square, std, 4 * side * side, torch=std)
    copy = of_arrays(transposed_copy, (side, side))
    yield case("x.T.copy()", square, copy, 8 * side * side)
    cumsum = of_arrays(lambda xp, x: xp.cumsum(x), n)
    yield case("xp.cumsum(x)", f"{million}M f32", cumsum, 2 * f32)
    mask = of_arrays(lambda xp, x: x[x > 0.5], n // 4)
    yield case("x[x > 0.5]", f"{million / 4:g}M f32", mask)
    take = of_arrays(lambda xp, x: x[::-1][: n // 4].copy(), n // 4)
    yield case("x[::-1].copy()", f"{million / 4:g}M f32", take, f32 // 2)
    sort = of_arrays(lambda xp, x: xp.sort(x), n // 10)
    yield case("xp.sort(x)", f"{million / 10:g}M f32", sort)
    argsort = of_arrays(lambda xp, x: xp.argsort(x), n // 20)
    yield case("xp.argsort(x)", f"{million / 20:g}M f32", argsort)

    def uniform(lib):
        draw = lib.xp.random.random
        return lambda: draw(n // 4)

    def normal(lib):
        draw = lib.xp.random.standard_normal
        return lambda: draw(n // 4)

    yield case("xp.random.random(n)", f"{million / 4:g}M f64", uniform)
    yield case("xp.random.standard_normal(n)", f"{million / 4:g}M f64", normal)
    for dtype, m in (("float32", 2000), ("float64", 2000), ("float16", 500)):
        m = 200 if quick else m
        matmul = of_arrays(lambda xp, x, y: x @ y, (m, m), (m, m), dtype=dtype)
        size = f"{m}x{m} {np.dtype(dtype).char}{np.dtype(dtype).itemsize}"
        yield case("x @ y", size, matmul)
    yield case("signal.convolve2d", "2048x2048 * 15x15 f64", lesson)
    line = of_arrays(
        lambda xp, x, y: xp.convolve(x, y), 4 * MILLION, 15, dtype="float64"
    )
    yield case("xp.convolve", "4M * 15 f64", line)
