"""Every family of kernels once or more, at small odd sizes: what the sanitizers watch.

    compute-sanitizer --tool memcheck python tests/cuda/representative.py [PART…]

(`make memcheck DEVICE=cuda`; TOOL=racecheck, synccheck, initcheck). Arrays are
allocated one by one, not from the pool, so that a step beyond an array's end shows.
Results are compared with NumPy's. The parts are the functions of this file.
"""

import sys

import numpy as np

import cupric as cp
from cupric._lib.kernels._build import find_libraries
from cupricx.scipy import signal

SIZES = (1, 33, 1025, 5003)
DTYPES = "?bHiQefdFD"


def values(shape, dtype="f", seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 100, shape)
    if np.dtype(dtype).kind in "fc":
        a = a / 7
    return a.astype(dtype)


def same(function, *arrays, rtol=1e-3):
    """function(cupric, …) gives what function(numpy, …) gives."""
    want = function(np, *[a.copy() for a in arrays])
    got = function(cp, *[cp.asarray(a) for a in arrays])
    for g, w in zip(
        *(v if type(v) is tuple else (v,) for v in (got, want)), strict=True
    ):
        g = cp.asnumpy(g)
        if g.dtype.kind in "fc":
            np.testing.assert_allclose(g, w, rtol=rtol, atol=rtol)
        else:
            np.testing.assert_array_equal(g, w)


def elementwise():
    for n in SIZES:
        for t in "?Hfd":
            a, b = values(n, t), values(n, t, 1)
            same(lambda xp, a, b: xp.maximum(a, b), a, b)
            same(lambda xp, a, b: a[::-1] * b, a, b)
            same(lambda xp, a, b: a[1:] * b[:-1], a, b)
        same(lambda xp, a: xp.divmod(a, 7), values(n, "i"))
        same(lambda xp, a: xp.sqrt(a) + 1.5, values(n, "e"))
        same(lambda xp, a: xp.where(a > 40, a, 0), values(n, "f"))
        same(lambda xp, a: a.astype("d"), values(n, "h"))
    for shape in ((33, 65), (5, 17, 3), (2, 3, 5, 7)):
        a = values(shape)
        same(lambda xp, a: a + a[:1], a)
        same(lambda xp, a: a.T.copy(), a)
        for t in "Bhd":
            same(lambda xp, a: xp.ascontiguousarray(a[..., ::-1].T), a.astype(t))
    for n in (24, 33, 40):
        same(lambda xp, a: a.T.copy(), values((700, n), "B"))
        same(lambda xp, a: a[:, ::-1].T.astype("f"), values((700, n), "h"))
        same(lambda xp, a: a.T + xp.ascontiguousarray(a.T), a)
        same(lambda xp, a: a[..., ::2].astype("d"), a)
        same(lambda xp, a: xp.add(a, 1, out=xp.zeros_like(a), where=a > 50), a)
    same(lambda xp, a: xp.swapaxes(a, 0, 2).copy(), values((40, 3, 50), "H"))
    for t in "Bfd":  # so many that operands of other orders go by tiles
        a, b = values((521, 517), t), values((517, 521), t, 1)
        mask = values((517, 521)) > 50
        same(lambda xp, a, b: a + b.T, a, b)
        same(lambda xp, a, b, m: xp.where(m.T, b.T, a), a, b, mask)
        same(lambda xp, a, b, m: xp.add(a, b.T, out=a, where=m.T), a, b, mask)
    for t in "dD":
        a, mask = values(5003, t), values(5003) > 50
        same(lambda xp, a, m: xp.add(a, a, out=xp.zeros_like(a), where=m), a, mask)
        same(lambda xp, a, m: xp.add(a[::-2], 1, out=a[::2], where=m), a, mask[::2])


def reduction():
    shapes = [(1,), (5003,), (33, 65), (3, 2000), (2000, 3), (700, 2), (5, 17, 33)]
    for shape in [*shapes, (70_001,), (3, 30_011)]:
        a = values(shape)
        for axis in (None, *range(len(shape))):
            for name in ("sum", "max", "argmin", "mean", "std", "any"):
                same(lambda xp, a, n=name, i=axis: getattr(a, n)(i), a)
        same(lambda xp, a: a.sum(where=a > 5, initial=3), a)
    for t in DTYPES:
        same(lambda xp, a: a.sum(0), values((37, 65), t), rtol=3e-2)
        same(lambda xp, a: a.max(1), values((37, 65), t))
    for t in "?bHe":
        for shape in ((33, 1003), (5, 9001), (3000, 4, 23)):
            same(lambda xp, a: a[..., 1:].max(-2), values(shape, t))
    same(lambda xp, a: xp.subtract.reduce(a, axis=1), values((9, 33)))
    same(lambda xp, a: xp.add.reduceat(a, [0, 3, 2, 9], axis=1), values((9, 33)))
    uneven = np.concatenate([np.arange(2000), np.arange(90_000, 90_700)])
    for a, axis in ((values(99_999, "q"), 0), (values((3, 99_999), "q"), 1)):
        same(lambda xp, a, s, i=axis: xp.add.reduceat(a, s, i), a, uneven)
    same(lambda xp, a: xp.add.reduceat(a, [0, 1], 1), values((70, 67, 70), "q"))
    same(lambda xp, a: a.sum((0, 2)), values((9, 33, 5)))
    same(lambda xp, a: xp.median(a, 0), values((9, 33)))


def scan():
    for shape in [*SIZES, 40_013, (3, 1025), (1025, 3), (5000, 2), (2, 5, 33)]:
        a = values(shape, "d")
        for axis in range(a.ndim):
            same(lambda xp, a, i=axis: xp.cumsum(a, axis=i), a)
            same(lambda xp, a, i=axis: xp.maximum.accumulate(a, axis=i), a)
    for t in "?HfFD":
        same(lambda xp, a: a.cumsum(), values(3001, t))
    same(lambda xp, a: xp.cumprod(a / a.max()), values(99, "F") + 1)
    same(lambda xp, a: xp.subtract.accumulate(a), values(99, "i"))


def index():
    for n in SIZES:
        a, places = values(n), values(2 * n + 3, "q") % n
        same(lambda xp, a, p: a[p], a, places)
        same(lambda xp, a: a[a > 50], a)
        same(lambda xp, a: xp.nonzero(a > 50)[0], a)

        def put(xp, a, p):
            a[p] = xp.arange(p.size)
            xp.add.at(a, p, 1)
            xp.maximum.at(a, p[:3], 500)
            a[a > 300] = 7
            a[::2] = 1
            return a

        same(put, a, places)
    m, i = values((33, 65)), values(20, "q") % 33
    same(lambda xp, m, i: m[i], m, i)
    same(lambda xp, m, i: m[i, i], m, i)
    same(lambda xp, m, i: m[:, i[:, None]], m, i)
    same(lambda xp, m: xp.argwhere(m > 50), m)
    for t in "bHfdD":
        same(lambda xp, m, i: xp.take(m, i, axis=1), values((33, 65), t), i)
        same(lambda xp, m, i: xp.repeat(m, 3, axis=0), values((3, 5), t), i)


def order():
    for n in (*SIZES, 20_011):
        for t in "bHifdF":
            a = values(n, t)
            same(lambda xp, a: xp.sort(a), a)
            same(lambda xp, a: xp.argsort(a, kind="stable"), a)
        same(lambda xp, a: xp.unique(a, return_counts=True), values(n, "i"))
        same(lambda xp, a: xp.bincount(a), values(n, "i"))
        same(lambda xp, a: xp.histogram(a, 9)[0], values(n, "d"))
        s = np.sort(values(n))
        same(lambda xp, s, a: xp.searchsorted(s, a), s, values(77))
    for shape in ((3, 1025), (100, 3), (5, 7, 9)):
        for axis in range(len(shape)):
            a = values(shape)
            same(lambda xp, a, i=axis: xp.sort(a, axis=i), a)
            same(lambda xp, a, i=axis: xp.argsort(a, axis=i, kind="stable"), a)
    same(lambda xp, a: xp.partition(a, 7)[7], values(301))


def made():
    for n in SIZES:
        same(lambda xp, n=n: xp.arange(n, dtype="f"))
        same(lambda xp, n=n: xp.linspace(0, 1, n))
        rng = cp.random.default_rng(3)
        for t in "ef" if n > 1 else "fd":
            assert 0 <= float(rng.random(n, dtype=np.dtype("f")).max()) < 1, t
        rng.standard_normal(n), rng.integers(0, 9, n), rng.integers(0, 2**40, n)
        rng.standard_exponential(n), rng.permutation(n)
    a = values((5, 7))
    same(lambda xp, a: xp.concatenate([a, a], 1), a)
    same(lambda xp, a: xp.stack([a, a[::-1]], 2), a)
    same(lambda xp, a: xp.pad(a, 2, mode="reflect"), a)
    same(lambda xp, a: xp.roll(a, 3), a)
    same(lambda xp, a: xp.tile(a, (3, 2)), a)
    same(lambda xp, a: xp.diff(a, axis=0), a)


def products():
    for m, k, n in ((1, 1, 1), (17, 33, 9), (65, 70, 129), (3, 1000, 2)):
        for t in "Hqefd":
            a, b = values((m, k), t) / 9, values((k, n), t) / 9
            same(lambda xp, a, b: a @ b, a.astype(t), b.astype(t), rtol=3e-2)
    for m, k, n in ((1, 5003, 1), (7, 5003, 1), (1, 5003, 9), (300, 20, 1)):
        for t in "qfdD":
            a, b = values((m, k), t) / 9, values((k, n), t) / 9
            same(lambda xp, a, b: a @ b, a.astype(t), b.astype(t), rtol=3e-2)
    a = values((3, 17, 33), "i")
    same(lambda xp, a: xp.matmul(a, a.swapaxes(1, 2)), a)
    same(lambda xp, a: xp.einsum("bij,bkj->ik", a, a), values((3, 7, 9), "d"))
    a = values((9, 9), "d") + 300 * np.eye(9)
    same(lambda xp, a: xp.linalg.det(a), a)
    same(lambda xp, a: xp.linalg.inv(a), a)
    same(lambda xp, a: xp.linalg.solve(a, a[:, 0]), a)
    same(lambda xp, a: xp.fft.fft2(a), a)
    same(lambda xp, a: xp.fft.irfft(xp.fft.rfft(a)), values((5, 64), "d"))
    for n, k in ((5, 3), (33, 15), (2049, 15), (4100, 3)):
        same(lambda xp, a, b: xp.convolve(a, b), values(n), values(k))
    for t in "ifdD":
        a, b = values((67, 35), t), values((5, 15), t)
        for boundary in ("fill", "wrap", "symm"):
            got = signal.convolve2d(cp.asarray(a), cp.asarray(b), "same", boundary)
            assert got.shape == a.shape
    got = signal.convolve(cp.asarray(values((9, 8, 7))), cp.asarray(values((3, 2, 2))))
    assert got.shape == (11, 9, 8)


def kernels():
    code = 'extern "C" __global__ void k(float *x, int n)'
    code += "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; }"
    raw = cp.RawKernel(code, "k")
    elementwise = cp.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[i]", "e")
    total = cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "r")
    for n in SIZES:
        x = cp.zeros(n, "f")
        raw((n // 64 + 1,), (64,), (x, np.int32(n)))
        assert bool((x == 1).all())
        assert bool((elementwise(x, x) == 2).all())
        assert float(total(x)) == n
        m = cp.ones((n, 3), "f")
        assert total(m, axis=0).tolist() == [n] * 3
        assert bool((total(m, axis=1) == 3).all())


def libraries():
    """The example of every kernel of a library."""
    for library in find_libraries(["cupric", "cupricx"]):
        for declared in library.declared:
            if declared.example:
                declared.example(cp)


PARTS = [elementwise, reduction, scan, index, order, made, products, kernels, libraries]


def main():
    cp.cuda.set_allocator(None)
    wanted = sys.argv[1:]
    with np.errstate(all="ignore"):
        for part in PARTS:
            if not wanted or part.__name__ in wanted:
                print(part.__name__, flush=True)
                part()
    cp.cuda.Device().synchronize()


if __name__ == "__main__":
    main()
