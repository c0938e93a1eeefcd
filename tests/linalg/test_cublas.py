"""cupric.cublas against SciPy's BLAS, and NumPy."""

import numpy as np
import pytest
from scipy.linalg import blas

import cupric as cp
from cupric import cublas
from cupric._cublas import _find_in_pieces

DTYPES = {"f": "s", "d": "d", "F": "c", "D": "z"}
each_dtype = pytest.mark.parametrize("dtype", DTYPES)
each_order = pytest.mark.parametrize("order", ["C", "F"])
RNG = np.random.default_rng(0)


def draw(dtype, *shape, order="C"):
    a = RNG.uniform(-2, 2, shape)
    if dtype in "FD":
        a = a + 1j * RNG.uniform(-2, 2, shape)
    return np.asarray(a.astype(dtype), order=order)


def theirs(name, dtype):
    prefix = DTYPES[dtype]
    for spelled in (prefix + name, {"F": "sc", "D": "dz"}.get(dtype, prefix) + name):
        if hasattr(blas, spelled):
            return getattr(blas, spelled)
    raise AttributeError(name)


def agree(mine, numpy, dtype):
    assert isinstance(mine, cp.ndarray)
    assert mine.dtype == np.asarray(numpy).dtype
    rtol = 1e-5 if dtype in "fF" else 1e-13
    np.testing.assert_allclose(mine.get(), numpy, rtol=rtol, atol=rtol)


def op(trans, a):
    return {"N": a, "T": a.T, "H": a.T.conj()}[trans]


@each_dtype
@pytest.mark.parametrize("n", [1, 7, 1000])
@pytest.mark.parametrize("name", ["asum", "nrm2"])
def test_norms(name, n, dtype):
    a = draw(dtype, n)
    want = np.asarray(theirs(name, dtype)(a), dtype.lower())
    call = getattr(cublas, name)
    agree(call(cp.asarray(a)), want, dtype)
    agree(call(cp.asarray(a[::-1])[::-1]), want, dtype)
    for out in (cp.empty((), dtype.lower()), cp.empty((), "d")):
        assert call(cp.asarray(a), out=out) is out
        np.testing.assert_allclose(out.get(), want, rtol=1e-5)
    host = np.empty((), dtype.lower())
    assert call(cp.asarray(a), out=host) is host
    np.testing.assert_allclose(host, want, rtol=1e-5)


@each_dtype
def test_places(dtype):
    a = draw(dtype, 50)
    a[[7, 20]] = 9
    a[[30, 41]] = 0
    x = cp.asarray(a)
    assert cublas.iamax(x).dtype == "i4"
    assert int(cublas.iamax(x)) == 8
    assert int(cublas.iamin(x)) == 31
    assert int(cublas.iamax(x[:0])) == 0
    out = cp.empty((), "i8")
    assert cublas.iamax(x, out=out) is out
    assert int(out) == 8


@each_dtype
@pytest.mark.parametrize("n", [8191, 8192, 8193, 100_003, 5_000_001])
def test_places_among_many(n, dtype):
    a = draw(dtype, n) + 30
    a[[n - 1, n // 2, n // 2 + 1]] = 90
    a[[n // 3, n - 2]] = 0
    for part in (slice(None), slice(None, None, -1), slice(0, n // 2, 3)):
        x, v = cp.asarray(a)[part], a[part]
        magnitudes = abs(v.real) + abs(v.imag)
        assert int(cublas.iamax(x)) == 1 + magnitudes.argmax()
        assert int(cublas.iamin(x)) == 1 + magnitudes.argmin()
    a[[n // 4, n // 5]] = np.nan
    assert int(cublas.iamax(cp.asarray(a))) == n // 5 + 1
    assert int(cublas.iamin(cp.asarray(a))) == n // 5 + 1


@each_dtype
@pytest.mark.parametrize("n", [5, 1000, 70_001])
def test_multiples_are_added_in_place(n, dtype):
    a, b = draw(dtype, 3 * n), draw(dtype, 3 * n)
    for mine, theirs in [
        (slice(0, n), slice(0, n)),
        (slice(None, None, 3), slice(n, 2 * n)),
        (slice(None, None, -1), slice(None)),
    ]:
        x, y = cp.asarray(a), cp.asarray(b)
        cublas.axpy(1.5, x[mine], y[theirs])
        want = b.copy()
        want[theirs] += np.asarray(1.5, dtype) * a[mine]
        np.testing.assert_array_equal(y.get(), want)
    for mine, theirs in [  # of one array
        (slice(0, n), slice(0, n)),
        (slice(0, n), slice(1, n + 1)),
        (slice(None, None, -1), slice(None)),
    ]:
        y, want = cp.asarray(b), b.copy()
        cublas.axpy(1.5, y[mine], y[theirs])
        want[theirs] += np.asarray(1.5, dtype) * b[mine]
        np.testing.assert_array_equal(y.get(), want)


def test_multiples_are_not_added_to_what_is_read_only():
    x, once = cp.ones(5), cp.ones(1)
    with pytest.raises(ValueError, match="read-only"):
        cublas.axpy(2, x, cp.broadcast_to(once, 5))
    assert once.item() == 1
    cublas.axpy(2, x[:0], x[:0])
    with pytest.raises(ValueError, match="5 and 4"):
        cublas.axpy(2, x, x[:4])


@each_dtype
@pytest.mark.parametrize("on_device", [False, True])
def test_updates_of_vectors(dtype, on_device):
    a, b = draw(dtype, 20), draw(dtype, 20)
    factor = np.asarray(2.5 - (0.5j if dtype in "FD" else 0), dtype)
    mine = cp.asarray(factor) if on_device else factor[()]
    x, y = cp.asarray(a), cp.asarray(b)
    assert cublas.axpy(mine, x, y) is None
    agree(y, theirs("axpy", dtype)(a, b.copy(), a=factor), dtype)
    assert cublas.scal(mine, x) is None
    agree(x, factor * a, dtype)
    z = cp.asarray(a)[::2]
    cublas.scal(3, z)
    agree(z, 3 * a[::2], dtype)


@each_dtype
def test_dots(dtype):
    a, b = draw(dtype, 33), draw(dtype, 33)
    x, y = cp.asarray(a), cp.asarray(b)
    agree(cublas.dotu(x, y), np.dot(a, b), dtype)
    agree(cublas.dotc(x, y), np.vdot(a, b), dtype)
    out = cp.empty((), dtype)
    assert cublas.dotc(x, y, out=out) is out
    agree(out, np.vdot(a, b), dtype)
    if dtype in "fd":
        agree(cublas.dot(x, y), np.dot(a, b), dtype)
    else:
        with pytest.raises(TypeError, match="dotu or dotc"):
            cublas.dot(x, y)


@each_dtype
@each_order
@pytest.mark.parametrize("trans", ["N", "T", "H"])
@pytest.mark.parametrize("on_device", [False, True])
def test_gemv(dtype, order, trans, on_device):
    a = draw(dtype, 4, 3, order=order)
    m, n = op(trans, a).shape
    b, c = draw(dtype, n), draw(dtype, m)
    alpha, beta = 1.5, -0.5
    want = (alpha * op(trans, a) @ b + beta * c).astype(dtype)
    if on_device:
        alpha, beta = cp.asarray(alpha), cp.asarray(beta)
    y = cp.asarray(c)
    assert cublas.gemv(trans, alpha, cp.asarray(a), cp.asarray(b), beta, y) is None
    agree(y, want, dtype)


@pytest.mark.parametrize("on_device", [False, True])
def test_what_is_multiplied_by_zero_is_not_read(on_device):
    zero = cp.zeros(()) if on_device else 0
    y = cp.full(3, np.nan)
    cublas.gemv("N", 1, cp.eye(3), cp.arange(3.0), zero, y)
    assert y.tolist() == [0, 1, 2]
    out = cp.full((3, 3), np.inf)
    cublas.gemm("N", "N", cp.eye(3), cp.eye(3), out=out, beta=zero)
    assert out.tolist() == np.eye(3).tolist()


@each_dtype
@each_order
def test_outer_products(dtype, order):
    a, b, c = draw(dtype, 4, 3, order=order), draw(dtype, 4), draw(dtype, 3)
    for name, other in (("geru", c), ("gerc", c.conj())):
        m = cp.asarray(a)
        assert getattr(cublas, name)(0.5, cp.asarray(b), cp.asarray(c), m) is None
        agree(m, (a + 0.5 * np.outer(b, other)).astype(dtype), dtype)
    m = cp.asarray(a)
    if dtype in "fd":
        cublas.ger(2, cp.asarray(b), cp.asarray(c), m)
        agree(m, (a + 2 * np.outer(b, c)).astype(dtype), dtype)
    else:
        with pytest.raises(TypeError, match="geru or gerc"):
            cublas.ger(2, cp.asarray(b), cp.asarray(c), m)


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("k", [0, 1, 3, 6])
def test_sbmv(dtype, lower, k):
    n = 7
    a, b, c = draw(dtype, k + 1, n), draw(dtype, n), draw(dtype, n)
    want = theirs("sbmv", dtype)(
        k, 1.5, np.asfortranarray(a), b, beta=0.5, y=c.copy(), lower=lower
    )
    y = cp.asarray(c)
    got = cublas.sbmv(k, 1.5, cp.asarray(a), cp.asarray(b), 0.5, y, lower=lower)
    assert got is y
    agree(y, want, dtype)


@each_dtype
@each_order
@pytest.mark.parametrize("transa", ["N", "T", "H"])
@pytest.mark.parametrize("transb", ["N", "T", "H"])
def test_gemm_and_geam(dtype, order, transa, transb):
    a, b = draw(dtype, 4, 3, order=order), draw(dtype, 3, 5)
    a = a if transa == "N" else np.asarray(a.T, order=order)
    b = b if transb == "N" else b.T
    want = op(transa, a) @ op(transb, b)
    x, y = cp.asarray(a), cp.asarray(b)
    made = cublas.gemm(transa, transb, x, y)
    assert made.flags.f_contiguous
    agree(made, want, dtype)
    out = draw(dtype, 4, 5, order=order)
    mine = cp.asarray(out)
    assert cublas.gemm(transa, transb, x, y, out=mine, alpha=2, beta=0.5) is mine
    agree(mine, (2 * want + 0.5 * out).astype(dtype), dtype)
    c = draw(dtype, 4, 3)
    c = c if transb == "N" else np.asarray(c.T)
    made = cublas.geam(transa, transb, 1.5, x, -2, cp.asarray(c))
    total = (1.5 * op(transa, a) - 2 * op(transb, c)).astype(dtype)
    assert made.flags.f_contiguous
    agree(made, total, dtype)
    mine = cp.empty((4, 3), dtype, order=order)
    assert cublas.geam(transa, transb, 1.5, x, -2, cp.asarray(c), out=mine) is mine
    agree(mine, total, dtype)


@each_dtype
@each_order
@pytest.mark.parametrize("side", ["L", "R"])
@pytest.mark.parametrize("incx", [1, 2, -1, -2])
def test_dgmm(dtype, order, side, incx):
    a, v = draw(dtype, 4, 3, order=order), draw(dtype, 8)
    n = 4 if side == "L" else 3
    taken = v[: (n - 1) * abs(incx) + 1 : abs(incx)][:: 1 if incx > 0 else -1]
    want = taken[:, None] * a if side == "L" else a * taken
    made = cublas.dgmm(side, cp.asarray(a), cp.asarray(v), incx=incx)
    agree(made, want, dtype)
    assert made.flags.c_contiguous == (order == "C")
    out = cp.empty((4, 3), dtype)
    assert cublas.dgmm(side, cp.asarray(a), cp.asarray(v), out, incx) is out
    agree(out, want, dtype)


def test_dgmm_by_a_diagonal_matrix():
    a, d = draw("d", 3, 4), np.diag([1.0, 2, 3])
    agree(cublas.dgmm("L", cp.asarray(a), cp.asarray(d), incx=4), d @ a, "d")


@each_dtype
@each_order
@pytest.mark.parametrize("trans", ["N", "T"])
@pytest.mark.parametrize("lower", [False, True])
def test_syrk(dtype, order, trans, lower):
    a, c = draw(dtype, 4, 3, order=order), None
    whole = op(trans, a) @ op(trans, a).T
    n = len(whole)
    part = np.tril if lower else np.triu
    agree(cublas.syrk(trans, cp.asarray(a), lower=lower), part(whole), dtype)
    c = draw(dtype, n, n, order=order)
    mine = cp.asarray(c)
    got = cublas.syrk(trans, cp.asarray(a), mine, 2, 0.5, lower)
    want = part(2 * whole + 0.5 * c) + (c - part(c))
    assert got is mine
    agree(mine, want.astype(dtype), dtype)


@each_dtype
def test_batched_gesv(dtype):
    a, b = draw(dtype, 5, 4, 4) + 5 * np.eye(4, dtype=dtype), draw(dtype, 5, 4, 2)
    agree(
        cublas.batched_gesv(cp.asarray(a), cp.asarray(b)), np.linalg.solve(a, b), dtype
    )
    one = np.linalg.solve(a, b[..., :1])[..., 0]
    agree(cublas.batched_gesv(cp.asarray(a), cp.asarray(b[..., 0])), one, dtype)
    with pytest.raises(ValueError, match="are needed"):
        cublas.batched_gesv(cp.asarray(a), cp.asarray(b[:2]))
    with pytest.raises(np.linalg.LinAlgError):
        cublas.batched_gesv(cp.zeros((2, 3, 3)), cp.ones((2, 3)))


def test_limit():
    assert cublas.get_batched_gesv_limit() == 256
    cublas.set_batched_gesv_limit(10)
    try:
        assert cublas.get_batched_gesv_limit() == 10
    finally:
        cublas.set_batched_gesv_limit(256)


V, M = cp.ones(3), cp.ones((3, 2))
BAD = {
    "dtype": (TypeError, lambda: cublas.asum(cp.ones(3, "i4")), "int32 is not one of"),
    "two dtypes": (TypeError, lambda: cublas.dotu(V, V.astype("f4")), "the others"),
    "NumPy": (TypeError, lambda: cublas.nrm2(np.ones(3)), "Unsupported type"),
    "matrix": (ValueError, lambda: cublas.scal(2, M), "1 dimensions, not 2"),
    "lengths": (ValueError, lambda: cublas.axpy(1, V, V[1:]), "differ in length"),
    "trans": (TypeError, lambda: cublas.gemv("X", 1, M, V, 0, V), "'N', 'T' or 'H'"),
    "gemv": (
        ValueError,
        lambda: cublas.gemv("N", 1, M, V, 0, V),
        r"x has shape \(3,\)",
    ),
    "gemm": (ValueError, lambda: cublas.gemm("N", "N", M, M), "op"),
    "out": (ValueError, lambda: cublas.gemm("N", "T", M, M, M), "out has shape"),
    "out's dtype": (
        TypeError,
        lambda: cublas.gemm("N", "T", M, M, cp.ones((3, 3), "f4")),
        "out is of",
    ),
    "geam": (ValueError, lambda: cublas.geam("N", "T", 1, M, 1, M), "op"),
    "side": (ValueError, lambda: cublas.dgmm("X", M, V), "side must be"),
    "dgmm": (ValueError, lambda: cublas.dgmm("L", M, V, incx=2), "5 elements"),
    "syrk": (TypeError, lambda: cublas.syrk("H", M), "'N' or 'T'"),
    "ger": (ValueError, lambda: cublas.ger(1, V, V, M), "y has shape"),
    "sbmv": (ValueError, lambda: cublas.sbmv(1, 1, M, V, 0, V), "a has shape"),
    "result": (TypeError, lambda: cublas.asum(V, out=[1]), "out must be"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_calls(name):
    error, call, words = BAD[name]
    with pytest.raises(error, match=words):
        call()


@each_dtype
def test_nothing_to_do(dtype):
    e = cp.empty(0, dtype)
    assert float(cublas.asum(e)) == float(cublas.nrm2(e)) == 0
    assert complex(cublas.dotu(e, e)) == 0
    none = cublas.gemm("N", "N", cp.empty((2, 0), dtype), cp.empty((0, 3), dtype))
    assert none.tolist() == [[0] * 3] * 2
    assert cublas.dgmm("L", cp.empty((0, 3), dtype), e).shape == (0, 3)


@each_dtype
@pytest.mark.parametrize("n", [1, 2, 31, 700, 40_011])
@pytest.mark.parametrize("nan", [(), (-1,), (0, -1)])
@pytest.mark.parametrize("pieces", [1, 3])
def test_places_by_kernels(dtype, n, nan, pieces):
    """Of equal ones the first, and of NaNs, as elsewhere."""
    x = np.round(draw(dtype, 2 * n) * 3)[::-2]
    x[list(nan)] = np.nan
    size = abs(x.real) + abs(x.imag)
    for largest, search in ((False, np.argmin), (True, np.argmax)):
        for given in (cp.array(x), cp.array(np.repeat(x, 2))[::2]):
            found = _find_in_pieces(given, largest, min(n, pieces))
            assert found.dtype == np.int32
            assert found.item() == search(size) + 1
