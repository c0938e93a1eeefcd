"""Linear operators against SciPy's."""

import warnings

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import sparse
from cupricx.scipy.sparse.linalg import LinearOperator, aslinearoperator

theirs = pytest.importorskip("scipy.sparse.linalg")


def sample(shape, dtype="d", seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(-5, 6, shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.integers(-5, 6, shape)
    return a.astype(dtype)


def same(actual, expected):
    assert isinstance(actual, cp.ndarray)
    assert actual.shape == expected.shape
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(actual.get(), expected, rtol=1e-6, atol=1e-5)


class Stretch(LinearOperator):
    """By its product with a vector, and the adjoint's."""

    def __init__(self, a):
        super().__init__(a.dtype, a.shape)
        self.a = a

    def _matvec(self, x):
        return self.a @ x

    def _rmatvec(self, x):
        return self.a.conj().T @ x


class ByColumns(LinearOperator):
    """By its product with a matrix, and the adjoint."""

    def __init__(self, a):
        super().__init__(a.dtype, a.shape)
        self.a = a

    def _matmat(self, X):
        return self.a @ X

    def _adjoint(self):
        return ByColumns(self.a.conj().T)


def operators(a):
    d = cp.asarray(a)
    h = d.conj().T
    return {
        "array": aslinearoperator(d),
        "sparse": aslinearoperator(sparse.csr_matrix(d)),
        "functions": LinearOperator(a.shape, lambda x: d @ x, lambda x: h @ x),
        "all functions": LinearOperator(
            a.shape,
            matvec=lambda x: d @ x,
            rmatvec=lambda x: h @ x,
            matmat=lambda x: d @ x,
            rmatmat=lambda x: h @ x,
            dtype=a.dtype,
        ),
        "subclass": Stretch(d),
        "columns": ByColumns(d),
        "object": aslinearoperator(Duck(d)),
    }


class Duck:
    """No LinearOperator, but it has what one is made of."""

    def __init__(self, a):
        self.a, self.shape, self.dtype = a, a.shape, a.dtype

    def matvec(self, x):
        return self.a @ x

    def rmatvec(self, x):
        return self.a.conj().T @ x


KINDS = list(operators(sample((2, 3))))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", "fdD")
@pytest.mark.parametrize("shape", [(4, 3), (3, 3), (1, 5), (5, 1)])
def test_products(kind, dtype, shape):
    a = sample(shape, dtype)
    A, B = operators(a)[kind], theirs.aslinearoperator(a)
    m, n = shape
    for op, ref in ((A, B), (A.H, B.H), (A.T, B.T), (A.T.H, B.T.H), (A.H.H, B)):
        m, n = ref.shape
        assert op.shape == (m, n)
        x, y = sample(n, dtype, 1), sample(m, dtype, 2)
        X, Y = sample((n, 2), dtype, 3), sample((m, 2), dtype, 4)
        same(op.matvec(cp.asarray(x)), ref.matvec(x))
        same(op.matvec(cp.asarray(x[:, None])), ref.matvec(x[:, None]))
        same(op.rmatvec(cp.asarray(y)), ref.rmatvec(y))
        same(op.matmat(cp.asarray(X)), ref.matmat(X))
        same(op.rmatmat(cp.asarray(Y)), ref.rmatmat(Y))
        same(op @ cp.asarray(X), ref @ X)
        same(op * cp.asarray(x), ref * x)
        same(op(cp.asarray(x)), ref(x))
        same(cp.asarray(Y.T) @ op, Y.T @ ref)
        same(cp.asarray(y) @ op, y @ ref)


COMPOSED = {
    "sum": lambda a, b, s: a + b,
    "difference": lambda a, b, s: a - b,
    "product": lambda a, b, s: a @ b,
    "star": lambda a, b, s: a * b,
    "scaled": lambda a, b, s: s * a * 3,
    "divided": lambda a, b, s: a / 2,
    "negative": lambda a, b, s: -a,
    "power": lambda a, b, s: a**3,
    "no power": lambda a, b, s: a**0,
    "all": lambda a, b, s: (a + 2 * b).T @ (b.H - a) ** 2,
}


@pytest.mark.parametrize("name", COMPOSED)
@pytest.mark.parametrize("dtype", "dD")
def test_compositions(name, dtype):
    a, b = sample((4, 4), dtype), sample((4, 4), dtype, 9)
    scale = 2 - 1j if dtype == "D" else 2
    A = COMPOSED[name](aslinearoperator(cp.asarray(a)), Stretch(cp.asarray(b)), scale)
    ref = COMPOSED[name](theirs.aslinearoperator(a), theirs.aslinearoperator(b), scale)
    x, X = sample(4, dtype, 5), sample((4, 3), dtype, 6)
    same(A.matvec(cp.asarray(x)), ref.matvec(x))
    same(A.rmatvec(cp.asarray(x)), ref.rmatvec(x))
    same(A.matmat(cp.asarray(X)), ref.matmat(X))
    same(A.rmatmat(cp.asarray(X)), ref.rmatmat(X))
    same(A.H.matvec(cp.asarray(x)), ref.H.matvec(x))
    same(A.T.matmat(cp.asarray(X)), ref.T.matmat(X))
    assert A.dtype == ref.dtype


def test_a_scaled_operator_that_is_scaled_is_one():
    A = 2 * (3 * aslinearoperator(cp.ones((2, 2))))
    assert A.args[1] == 6
    assert not any("Scaled" in type(x).__name__ for x in A.args[:1])


def test_what_an_operator_needs():
    class Empty(LinearOperator):
        pass

    with pytest.warns(RuntimeWarning, match="at least one of _matvec and _matmat"):
        Empty("d", (2, 2))
    A = LinearOperator((2, 2), lambda x: x)
    with pytest.raises(NotImplementedError):
        A.rmatvec(cp.ones(2))
    with pytest.raises(NotImplementedError):
        A.H.matvec(cp.ones(2))


def test_the_dtype_is_that_of_a_product():
    assert LinearOperator((2, 3), lambda x: 1j * x[:2]).dtype == np.complex128
    assert LinearOperator((2, 3), lambda x: x[:2], dtype="f").dtype == np.float32


def test_repr():
    A = aslinearoperator(cp.ones((2, 3), "f"))
    assert repr(A) == "<2x3 MatrixLinearOperator with dtype=float32>"


@pytest.mark.parametrize("shape", [(2,), (2, -1), (2, 3, 4), ("a", 2), (1.5, 2)])
def test_shapes_that_are_none(shape):
    with pytest.raises(ValueError, match="invalid shape"):
        LinearOperator(shape, lambda x: x, dtype="d")


def test_mismatches():
    A = aslinearoperator(cp.ones((2, 3)))
    for wrong in (cp.ones(2), cp.ones((2, 1)), cp.ones((3, 2)), cp.ones((1, 3))):
        with pytest.raises(ValueError, match="dimension mismatch"):
            A.matvec(wrong)
    with pytest.raises(ValueError, match="dimension mismatch"):
        A.rmatvec(cp.ones(3))
    with pytest.raises(ValueError, match="dimension mismatch"):
        A.matmat(cp.ones((2, 3)))
    with pytest.raises(ValueError, match="expected 2-d"):
        A.matmat(cp.ones(3))
    with pytest.raises(ValueError, match="shape mismatch"):
        A + A.T
    with pytest.raises(ValueError, match="shape mismatch"):
        A @ A
    with pytest.raises(ValueError, match="square"):
        A**2
    with pytest.raises(ValueError, match="non-negative"):
        aslinearoperator(cp.ones((2, 2))) ** -1
    with pytest.raises(ValueError, match="Scalar operands"):
        A @ 2
    with pytest.raises(ValueError, match="Scalar operands"):
        2 @ A
    with pytest.raises(ValueError, match="by a scalar"):
        A / cp.ones(3)
    with pytest.raises(ValueError, match="1-d or 2-d"):
        A.dot(cp.ones((3, 1, 1)))
    with pytest.raises(TypeError):
        A + 1


def test_arrays_of_the_host_are_refused():
    with pytest.raises(TypeError):
        aslinearoperator(np.ones((2, 2)))
    with pytest.raises(TypeError):
        aslinearoperator(cp.ones((2, 2))).matvec(np.ones(2))
    with pytest.raises(TypeError, match="not understood"):
        aslinearoperator("matrix")
    with pytest.raises(ValueError, match="ndim"):
        aslinearoperator(cp.ones((2, 2, 2)))


def test_a_vector_is_a_row():
    assert aslinearoperator(cp.ones(3)).shape == (1, 3)


def test_an_operator_is_itself():
    A = aslinearoperator(cp.ones((2, 2)))
    assert aslinearoperator(A) is A
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Stretch(cp.ones((2, 2)))
