"""Special matrices, and what matrices are made of, against SciPy."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.linalg as ours

theirs = pytest.importorskip("scipy.linalg")

DTYPES = [*"?bBhilLefdFD"]


def sample(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(1, 9, shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.integers(1, 9, shape)
    return np.asarray(a).astype(dtype)


def check(name, *args, exact=True, rtol=1e-6, **kwargs):
    """The same as SciPy's: the error's type, or shape, dtype and values."""

    def convert(x):
        return cp.asarray(x) if isinstance(x, np.ndarray) else x

    try:
        expected = getattr(theirs, name)(*args, **kwargs)
    except (ValueError, TypeError) as error:
        with pytest.raises(type(error)):
            getattr(ours, name)(*map(convert, args), **kwargs)
        return None
    made = getattr(ours, name)(*map(convert, args), **kwargs)
    assert made.shape == expected.shape
    assert made.dtype == expected.dtype
    if exact:
        np.testing.assert_array_equal(made.get(), expected)
    else:
        np.testing.assert_allclose(made.get(), expected, rtol=rtol, atol=rtol / 10)
    return made


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 4), (2, 3, 4)])
def test_toeplitz_and_circulant(dtype, shape):
    c = sample(shape, dtype)
    check("toeplitz", c)
    check("circulant", c)
    check("toeplitz", c, sample((*shape[:-1], 3), dtype, 1))
    check("toeplitz", c, sample((7,), "i", 1))


def test_toeplitz_of_stacks_and_empty():
    check("toeplitz", sample((2, 1, 4)), sample((3, 5), "f"))
    check("toeplitz", sample((4,)), sample((3, 5)))
    check("toeplitz", sample((0,)))
    check("toeplitz", sample((0,)), sample((3,)))
    check("toeplitz", sample((3,)), sample((0,)))
    check("circulant", sample((0,)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_hankel(dtype):
    check("hankel", sample((4,), dtype))
    check("hankel", sample((4,), dtype), sample((6,), "i", 1))
    check("hankel", sample((1,), dtype), sample((6,), dtype, 1))
    with pytest.warns(FutureWarning, match="flat"):
        x = ours.hankel(cp.asarray(sample((2, 2), dtype)))
    np.testing.assert_array_equal(x.get(), theirs.hankel(sample((2, 2), dtype).ravel()))


@pytest.mark.parametrize("dtype", [*"bBhilLefdFD", int])
def test_hadamard(dtype):
    for n in (1, 2, 4, 64, 512):
        check("hadamard", n, dtype)


def test_hadamard_of_other_lengths():
    for n in (0, -2, 3, 12):
        check("hadamard", n)
    check("hadamard", 1, bool)
    check("hadamard", 2, bool)


@pytest.mark.parametrize("dtype", DTYPES)
def test_leslie_companion_fiedler(dtype):
    for shape in ((2,), (3,), (6,), (2, 5)):
        a = sample(shape, dtype)
        check("leslie", a, sample((*shape[:-1], shape[-1] - 1), dtype, 1))
        if dtype not in "?e":  # SciPy divides these as it happens to
            check("companion", a, exact=False)
            check("fiedler_companion", a, exact=False)
        if dtype != "?":
            check("fiedler", a, exact=dtype not in "FD")


@pytest.mark.parametrize("n", range(1, 10))
def test_companions_of_every_length(n):
    a = sample((n,), "d")
    if n > 1:  # of one coefficient SciPy's shape depends on its version
        check("fiedler_companion", a)
    check("companion", a)
    check("fiedler", a)
    roots = np.sort_complex(np.roots(a))
    for name in ("fiedler_companion", "companion"):
        if n > 1:
            made = np.linalg.eigvals(getattr(ours, name)(cp.asarray(a)).get())
            np.testing.assert_allclose(np.sort_complex(made), roots, atol=1e-6)


def test_companions_of_nothing():
    check("leslie", sample((3,)), sample((3,)))
    check("leslie", sample((1,)), sample((0,)))
    check("companion", np.array([0.0, 1, 2]))
    check("fiedler_companion", np.array([0.0, 1, 2, 3]))
    # SciPy has fewer axes before 1.18.
    assert ours.fiedler(cp.zeros(0)).shape == (0, 0)
    assert ours.fiedler(cp.zeros((3, 0))).shape == (3, 0, 0)
    assert ours.fiedler_companion(cp.ones(1, "F")).shape == (0, 0)
    assert ours.fiedler_companion(cp.ones(1, "F")).dtype == "F"
    check("fiedler", np.array(3.0))


@pytest.mark.parametrize("n", [1, 2, 3, 8, 33])
def test_helmert_hilbert_dft(n):
    check("helmert", n, exact=False, rtol=1e-14)
    check("helmert", n, full=True, exact=False, rtol=1e-14)
    check("hilbert", n)
    for scale in (None, "sqrtn", "n"):
        check("dft", n, scale, exact=False, rtol=1e-12)
    x = sample((n,), "D")
    np.testing.assert_allclose(
        (ours.dft(n) @ cp.asarray(x)).get(), np.fft.fft(x), rtol=1e-11, atol=1e-11
    )


def test_dft_refuses_other_scales():
    check("dft", 3, "half")


@pytest.mark.parametrize("mode", ["full", "same", "valid", "half"])
@pytest.mark.parametrize("dtype", [*"bilfdFD"])
def test_convolution_matrix(mode, dtype):
    for m in (1, 2, 3, 6):
        for n in (1, 2, 4, 7, 0):
            check("convolution_matrix", sample((m,), dtype), n, mode)
    check("convolution_matrix", sample((2, 3), dtype), 4, mode)
    check("convolution_matrix", sample((0,), dtype), 4, mode)


@pytest.mark.parametrize("dtype", DTYPES)
def test_block_diag(dtype):
    a, b, c = sample((2, 3), dtype), sample((4,), "i"), sample((), dtype)
    check("block_diag", a)
    check("block_diag", a, b, c, a.T)
    check("block_diag", sample((3, 2, 2), dtype), a)
    check("block_diag", sample((0, 2), dtype), a)
    check("block_diag")


@pytest.mark.parametrize("dtype", DTYPES)
def test_khatri_rao(dtype):
    a, b = sample((2, 3), dtype), sample((4, 3), "i", 1)
    check("khatri_rao", a, b)
    check("khatri_rao", b, a)
    check("khatri_rao", a, sample((5, 3), dtype, 1))
    check("khatri_rao", sample((2, 2, 3), dtype), b)
    check("khatri_rao", a, sample((2, 4), dtype))
    check("khatri_rao", a, sample((3,), dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_bandwidth(dtype):
    a = sample((6, 7), dtype)
    for lower in range(-7, 7):
        for upper in range(-7, 7):
            b = np.triu(np.tril(a, upper), -lower)
            made = ours.bandwidth(cp.asarray(b))
            assert made == theirs.bandwidth(b.astype("D"))
            assert all(type(x) is int for x in made)


def test_bandwidth_of_stacks_and_empty():
    a = np.stack([np.eye(4), np.triu(np.ones((4, 4))), np.zeros((4, 4))])
    for x, y in zip(ours.bandwidth(cp.asarray(a)), theirs.bandwidth(a), strict=True):
        assert x.dtype == y.dtype
        assert x.flags.c_contiguous
        np.testing.assert_array_equal(x.get(), y)
    for shape in ((0, 0), (0, 3), (3, 0)):
        assert ours.bandwidth(cp.ones(shape)) == theirs.bandwidth(np.ones(shape))
    with pytest.raises(ValueError, match="at least two-dimensional"):
        ours.bandwidth(cp.ones(3))


def test_strided_arguments():
    a = sample((8,), "d")
    for x in (a[::2], a[::-1], a[::-3]):
        check("toeplitz", x)
        check("circulant", x)
        check("hankel", x)
        check("convolution_matrix", x, 3)


def test_the_result_is_the_callers():
    c = cp.arange(4.0)
    for made in (ours.toeplitz(c), ours.circulant(c), ours.hankel(c)):
        made[0, 1] = 77
        assert (made == 77).sum() == 1
        assert made.flags.c_contiguous
    np.testing.assert_array_equal(c.get(), np.arange(4.0))


@pytest.mark.parametrize("name", ["toeplitz", "circulant", "hankel", "fiedler"])
def test_arrays_of_numpy_are_refused(name):
    with pytest.raises(TypeError, match="Unsupported type"):
        getattr(ours, name)(np.arange(3))
