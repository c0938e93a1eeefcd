"""Exponentials of matrices against SciPy."""

import numpy as np
import pytest

import cupric as cp
import cupricx.scipy.linalg as ours

theirs = pytest.importorskip("scipy.linalg")


def sample(shape, dtype, scale=1.0, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    return (scale * a).astype(dtype)


def close(actual, expected, digits=30):
    """Relative to the largest element of each matrix."""
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    eps = np.finfo(expected.dtype).eps
    most = abs(expected).max((-1, -2), keepdims=True)
    error = abs(actual.get() - expected) / most
    assert error.max() <= digits * expected.shape[-1] * eps


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("n", [1, 2, 5, 30, 70])
@pytest.mark.parametrize("norm", [0, 0.01, 0.2, 0.4, 0.9, 1.8, 2, 3.9, 4.2, 8, 40])
def test_every_order(n, dtype, norm):
    a = sample((n, n), "D" if dtype in "FD" else "d")
    a = (a * (norm / abs(a).sum(0).max())).astype(dtype)
    wide = a.astype("D" if dtype in "FD" else "d")
    close(ours.expm(cp.asarray(a)), theirs.expm(wide).astype(dtype), 10 + 20 * norm)


@pytest.mark.parametrize("dtype", "fdFD")
def test_stacks(dtype):
    a = sample((7, 4, 4), dtype) * 2.0 ** np.arange(-6, 8, 2)[:, None, None]
    a = a.astype(dtype)
    made = ours.expm(cp.asarray(a[:6]))
    for x, y in zip(made, a, strict=False):
        close(x, theirs.expm(y), 200)
    assert ours.expm(cp.asarray(a).reshape(7, 1, 4, 4)).shape == (7, 1, 4, 4)


@pytest.mark.parametrize("b", [1e2, 1e6, 1e10])
def test_matrices_far_from_normal_lose_no_digits(b):
    # Scaled by their norm, as of 2005, the last loses half of them.
    for diagonal in (1.0, 3.0, 0.01):
        a = np.array([[diagonal, b], [0, -diagonal]])
        x = ours.expm(cp.asarray(a)).get()
        exact = np.diag(np.exp(np.diag(a)))
        exact[0, 1] = b * np.sinh(diagonal) / diagonal
        np.testing.assert_allclose(x, exact, rtol=2e-14, atol=1e-14 * b * 1e-2)
        np.testing.assert_allclose(np.diag(x), np.diag(exact), rtol=1e-6)


def test_known_exponentials():
    t = 2.5
    turn = ours.expm(cp.array([[0, -t], [t, 0]])).get()
    np.testing.assert_allclose(turn[0], [np.cos(t), -np.sin(t)], rtol=1e-14)
    nilpotent = cp.asarray(np.triu(np.full((4, 4), 100.0), 1))
    np.testing.assert_allclose(
        ours.expm(nilpotent).get(), theirs.expm(nilpotent.get()), rtol=1e-13
    )
    np.testing.assert_allclose(
        ours.expm(cp.diag(cp.array([-700.0, 0, 700]))).get(),
        np.diag(np.exp([-700.0, 0, 700])),
        rtol=1e-11,
    )


@pytest.mark.parametrize("dtype", [*"e?bhilBHIL"])
def test_other_dtypes(dtype):
    a = np.array([[1, 0], [1, 1]]).astype(dtype)
    made, expected = ours.expm(cp.asarray(a)), theirs.expm(a)
    assert made.dtype == expected.dtype
    np.testing.assert_allclose(made.get(), expected, rtol=1e-6)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3, 3), (2, 0, 0), (0, 1, 1)])
def test_empty(shape):
    assert ours.expm(cp.ones(shape)).shape == theirs.expm(np.ones(shape)).shape


def test_layouts_and_arguments():
    a = sample((6, 6), "d")
    for given in (cp.asarray(a), cp.asarray(a.T.copy()).T, cp.asarray(a[::-1])[::-1]):
        close(ours.expm(given), theirs.expm(a), 60)
        np.testing.assert_array_equal(given.get(), a)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_not_finite_stays_with_its_matrix():
    a = sample((3, 3, 3), "d")
    a[1, 0, 2] = np.inf
    x = ours.expm(cp.asarray(a)).get()
    assert np.isnan(x[1]).all()
    for i in (0, 2):
        np.testing.assert_allclose(x[i], theirs.expm(a[i]), rtol=1e-11)


def test_errors():
    with pytest.raises(np.linalg.LinAlgError, match="at least two-dimensional"):
        ours.expm(cp.ones(3))
    with pytest.raises(np.linalg.LinAlgError, match="must be square"):
        ours.expm(cp.ones((2, 3)))
    with pytest.raises(TypeError, match="Unsupported type"):
        ours.expm(np.eye(2))
