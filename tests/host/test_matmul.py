"""Matrix products, factorisations and Fourier transforms of the host device."""

import warnings

import host_plugin as hp
import numpy as np
import pytest
from host_plugin import KNOWN

SHAPES = [
    ((3, 4), (4, 5)),
    ((1, 1), (1, 1)),
    ((200, 300), (300, 700)),
    ((2, 1, 5, 6), (3, 6, 4)),
    ((130, 129), (129, 1)),
    ((1, 5), (5, 1030)),
    ((6, 7, 40), (40, 1)),
    ((3, 2, 600, 9), (9, 1)),
    ((2, 1, 40), (2, 40, 600)),
    ((7, 0), (0, 3)),
    ((0, 3), (3, 2)),
]


def matmul(host, a, b):
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    out = np.empty((*batch, a.shape[-2], b.shape[-1]), a.dtype)
    a = np.broadcast_to(a, batch + a.shape[-2:])
    b = np.broadcast_to(b, batch + b.shape[-2:])
    host.call("matmul", hp.Matmul(hp.view(a), hp.view(b), hp.view(out)), None)
    return out


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", KNOWN, ids=str)
def test_matmul(host, dtype, shapes):
    rng = np.random.default_rng(0)
    a, b = (hp.values(rng, shape, dtype) for shape in shapes)
    if a.dtype.kind in "iu":
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        a, b = (rng.integers(low, high, shape, dtype) for shape in shapes)
    wide = np.float32 if a.dtype.kind == "V" or a.dtype == "e" else a.dtype
    expected = np.matmul(a.astype(wide), b.astype(wide)).astype(dtype)
    fortran = np.asfortranarray(a), np.asfortranarray(b)
    turned = a[..., ::-1].copy()[..., ::-1], b[..., ::-1, :].copy()[..., ::-1, :]
    for left, right in ((a, b), fortran, turned):
        assert (matmul(host, left, right) == expected).all()


def test_no_warnings_from_numpy(host):
    a = np.array([[np.inf, 1]])
    b = np.array([[0.0], [1]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(matmul(host, a, b)).all()


# The kinds of backend.h, in order.
KINDS = ["solve", "inv", "det", "slogdet", "cholesky", "qr"]
KINDS += ["svd", "svdvals", "eigh", "eigvalsh"]


def linalg(host, kind, ins, shapes, flag=0):
    outs = [np.empty(shape) for shape in shapes]
    args = hp.Linalg(KINDS.index(kind), flag, 0, len(ins), len(outs))
    args.ins[: len(ins)] = [hp.view(a) for a in ins]
    args.outs[: len(outs)] = [hp.view(a) for a in outs]
    host.call("linalg", args, None)
    return outs


@pytest.fixture(scope="module")
def square():
    return np.random.default_rng(1).random((3, 5, 5))


def close(a, b):
    np.testing.assert_allclose(a, b, atol=1e-10)


def test_solve_and_inv(host, square):
    b = np.random.default_rng(2).random((3, 5, 2))
    (x,) = linalg(host, "solve", [square, b], [b.shape])
    close(square @ x, b)
    (x,) = linalg(host, "inv", [square], [square.shape])
    close(square @ x, np.broadcast_to(np.eye(5), square.shape))


def test_determinants(host, square):
    (det,) = linalg(host, "det", [square], [(3,)])
    close(det, np.linalg.det(square))
    sign, log = linalg(host, "slogdet", [square], [(3,), (3,)])
    close(sign * np.exp(log), det)


def test_symmetric(host, square):
    a = square @ square.swapaxes(1, 2)
    (lower,) = linalg(host, "cholesky", [a], [a.shape])
    close(lower @ lower.swapaxes(1, 2), a)
    w, v = linalg(host, "eigh", [a], [(3, 5), a.shape])
    close(v * w[:, None] @ v.swapaxes(1, 2), a)
    (upper,) = linalg(host, "eigvalsh", [a], [(3, 5)], flag=1)
    close(upper, w)


def test_rectangular(host):
    a = np.random.default_rng(3).random((4, 6, 3))
    q, r = linalg(host, "qr", [a], [(4, 6, 3), (4, 3, 3)])
    close(q @ r, a)
    q, r = linalg(host, "qr", [a], [(4, 6, 6), (4, 6, 3)], flag=1)
    close(q @ r, a)
    u, s, vh = linalg(host, "svd", [a], [(4, 6, 3), (4, 3), (4, 3, 3)])
    close(u * s[:, None] @ vh, a)
    u, s, vh = linalg(host, "svd", [a], [(4, 6, 6), (4, 3), (4, 3, 3)], flag=1)
    close(u[..., :3] * s[:, None] @ vh, a)
    (only,) = linalg(host, "svdvals", [a], [(4, 3)])
    close(only, s)


def test_failures_carry_numpys_text(host):
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        linalg(host, "inv", [np.zeros((3, 3))], [(3, 3)])
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        linalg(host, "cholesky", [-np.eye(3)], [(3, 3)])


def fft(host, kind, inverse, a, out, axes, n_last, scale):
    args = hp.Fft(kind, inverse, hp.view(a), hp.view(out), len(axes))
    args.axes[: len(axes)] = axes
    args.n_last, args.scale = n_last, scale
    host.call("fft", args, None)
    return out


def same_transform(out, expected):
    """NumPy transforms single precision in double, we (as SciPy and cuFFT) do not."""
    bound = 1e-6 if out.dtype.char in "fF" else 2e-15
    bound *= np.abs(expected).max()
    np.testing.assert_allclose(out, expected, rtol=0, atol=bound)


@pytest.mark.parametrize("dtype", ["F", "D"])
def test_complex_fft(host, dtype):
    a = hp.values(np.random.default_rng(4), (4, 6, 9), dtype)
    out = np.empty_like(a)
    fft(host, 0, False, a, out, [0, 2], 0, 1.0)
    same_transform(out, np.fft.fftn(a, axes=[0, 2]))
    fft(host, 0, True, a, out, [0, 2], 0, 1 / 36)
    same_transform(out, np.fft.ifftn(a, axes=[0, 2]))
    fft(host, 0, True, a, out, [1], 0, 0.25)
    np.testing.assert_allclose(out, np.fft.ifft(a, axis=1) * 1.5, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("n", [9, 10])
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_real_fft(host, dtype, n):
    a = hp.values(np.random.default_rng(5), (4, 6, n), dtype)
    half = np.empty((4, 6, n // 2 + 1), np.result_type(dtype, "F"))
    fft(host, 1, False, a, half, [1, 2], n, 1.0)
    same_transform(half, np.fft.rfftn(a, axes=[1, 2]))
    back = fft(host, 2, True, half, np.empty_like(a), [1, 2], n, 1 / (6 * n))
    np.testing.assert_allclose(back, a, atol=1e-5)


def test_tiny_matrices_as_blas(host):
    x = np.array([[np.nan, -0.0], [np.inf, -0.0]], "f")
    for a in (x, x[1:, 1:], x[:, 1:], x[1:]):
        for b in (x, np.ones((2, 2), "f"), np.zeros((2, 1), "f")):
            b = b[: a.shape[1]]
            with np.errstate(invalid="ignore"):
                expected = a @ b
            got = matmul(host, a, b)
            np.testing.assert_array_equal(got, expected)
            signs = np.signbit([got, expected])[:, ~np.isnan(expected)]
            np.testing.assert_array_equal(*signs)
