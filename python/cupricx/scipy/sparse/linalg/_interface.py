"""Linear operators: matrices that are known by their products."""

import inspect
import operator
import warnings

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupric._lib.core import where_it_lives
from cupricx.scipy.sparse._kinds import issparse

__all__ = [
    "IdentityOperator",
    "LinearOperator",
    "MatrixLinearOperator",
    "aslinearoperator",
]


def _is_scalar(x):
    return np.isscalar(x) or (isinstance(x, np.ndarray) and x.ndim == 0)


def _vector(x, n, name):
    x = x if isinstance(x, _core.ndarray) else arguments.array(x, "x")
    if x.shape != (n,) and x.shape != (n, 1):
        raise ValueError(
            f"dimension mismatch: {name} takes a vector of {n} elements, and the shape "
            f"of x is {x.shape}"
        )
    return x


def _columns(x, n, shape):
    if not issparse(x):
        x = x if isinstance(x, _core.ndarray) else arguments.array(x, "X")
    if x.ndim != 2:
        raise ValueError(f"expected 2-d ndarray or matrix, not {x.ndim}-d")
    if x.shape[0] != n:
        raise ValueError(f"dimension mismatch: {shape}, {x.shape}")
    return x


def _result(y, x, n, name):
    """What a function returned for the vector `x`, in the shape that `x` asks for."""
    y = y if isinstance(y, _core.ndarray) else arguments.array(y, name)
    shape = (n,) if x.ndim == 1 else (n, 1)
    return y if y.shape == shape else y.reshape(shape)


def _by_columns(product, x):
    return _core.concatenate([product(x[:, i : i + 1]) for i in range(x.shape[1])], 1)


class LinearOperator:
    """A matrix that is known by its products with vectors.

    Parameters
    ----------
    shape : tuple of int
        ``(M, N)``.
    matvec : callable
        ``matvec(v)`` is the product with a vector, of shape (N,) or (N, 1).
    rmatvec : callable, optional
        The product of the conjugate transpose with a vector.
    matmat, rmatmat : callable, optional
        The products with a matrix of columns; otherwise column after column.
    dtype : dtype, optional
        Of the matrix. By default `matvec` is called once, with ones of float64, and
        the dtype of what it returns is taken.

    Attributes
    ----------
    shape : tuple
    dtype : numpy.dtype or None
    ndim : int
        2.
    H, T : LinearOperator
        The conjugate transpose and the transpose.

    Notes
    -----
    A class of operators derives from this one: it calls ``super().__init__(dtype,
    shape)`` and has the method ``_matvec`` or ``_matmat``, and ``_rmatvec``,
    ``_rmatmat`` or ``_adjoint`` where the conjugate transpose is needed.

    Operators can be added, multiplied with each other, with numbers and with arrays,
    and raised to a power; the result is an operator again, which computes nothing
    before it is applied.

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import LinearOperator
    >>> A = LinearOperator((2, 2), matvec=lambda v: cp.stack([2 * v[0], 3 * v[1]]))
    >>> A
    <2x2 _CustomLinearOperator with dtype=float64>
    >>> A @ cp.ones(2)
    array([2., 3.])
    >>> (A + 2 * A) @ cp.ones(2)
    array([6., 9.])
    """

    ndim = 2
    # NumPy's arrays, and cupric's, leave operators to the methods of this class.
    __array_ufunc__ = None

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.__signature__ = None  # LinearOperator's is not its own

    def __new__(cls, *args, **kwargs):
        if cls is LinearOperator:
            return super().__new__(_CustomLinearOperator)
        self = super().__new__(cls)
        has_product = (
            cls._matvec is not LinearOperator._matvec
            or cls._matmat is not LinearOperator._matmat
        )
        if not has_product:
            warnings.warn(
                "LinearOperator subclass should implement at least one of _matvec and "
                "_matmat.",
                RuntimeWarning,
                stacklevel=2,
            )
        return self

    def __init__(self, dtype, shape):
        shape = tuple(shape)
        try:
            shape = tuple(operator.index(n) for n in shape)
        except TypeError:
            shape = ()
        if len(shape) != 2 or min(shape) < 0:
            raise ValueError(f"invalid shape {shape!r} (must be 2-d)")
        self.dtype = None if dtype is None else np.dtype(dtype)
        self.shape = shape

    # ---- products --------------------------------------------------------------------

    def _matvec(self, x):
        return self.matmat(x.reshape(-1, 1))

    def _matmat(self, X):
        return _by_columns(self.matvec, X)

    def _rmatvec(self, x):
        cls = type(self)
        if cls._adjoint is not LinearOperator._adjoint:
            return self.H.matvec(x)
        if cls._rmatmat is not LinearOperator._rmatmat:
            return self._rmatmat(x.reshape(-1, 1)).reshape(-1)
        raise NotImplementedError(
            f"{cls.__name__} has no product of its conjugate transpose: it needs the "
            "method _rmatvec, _rmatmat or _adjoint"
        )

    def _rmatmat(self, X):
        if type(self)._adjoint is LinearOperator._adjoint:
            return _by_columns(self.rmatvec, X)
        return self.H.matmat(X)

    def matvec(self, x):
        """The product with a vector.

        Parameters
        ----------
        x : cupric.ndarray, shape (N,) or (N, 1)

        Returns
        -------
        cupric.ndarray, shape (M,) or (M, 1)

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse.linalg import aslinearoperator
        >>> A = aslinearoperator(cp.array([[1, 2], [0, 3]]))
        >>> A.matvec(cp.array([1, 1]))
        array([3, 3])
        """
        x = _vector(x, self.shape[1], "matvec")
        return _result(self._matvec(x), x, self.shape[0], "matvec")

    def rmatvec(self, x):
        """The product of the conjugate transpose with a vector.

        Parameters
        ----------
        x : cupric.ndarray, shape (M,) or (M, 1)

        Returns
        -------
        cupric.ndarray, shape (N,) or (N, 1)

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse.linalg import aslinearoperator
        >>> A = aslinearoperator(cp.array([[1, 2], [0, 3]]))
        >>> A.rmatvec(cp.array([1, 1]))
        array([1, 5])
        """
        x = _vector(x, self.shape[0], "rmatvec")
        return _result(self._rmatvec(x), x, self.shape[1], "rmatvec")

    def matmat(self, X):
        """The product with a matrix.

        Parameters
        ----------
        X : cupric.ndarray, shape (N, K)

        Returns
        -------
        cupric.ndarray, shape (M, K)

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse.linalg import aslinearoperator
        >>> A = aslinearoperator(cp.array([[1, 2], [0, 3]]))
        >>> A.matmat(cp.array([[1, 0], [0, 2]]))
        array([[1, 4],
               [0, 6]])
        """
        X = _columns(X, self.shape[1], self.shape)
        return _matrix_product(self._matmat, X)

    def rmatmat(self, X):
        """The product of the conjugate transpose with a matrix.

        Parameters
        ----------
        X : cupric.ndarray, shape (M, K)

        Returns
        -------
        cupric.ndarray, shape (N, K)

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse.linalg import aslinearoperator
        >>> A = aslinearoperator(cp.array([[1, 2], [0, 3]]))
        >>> A.rmatmat(cp.array([[1, 0], [0, 2]]))
        array([[1, 0],
               [2, 6]])
        """
        X = _columns(X, self.shape[0], self.shape)
        return _matrix_product(self._rmatmat, X)

    def dot(self, x):
        """The product with an operator, a number, a vector or a matrix.

        Parameters
        ----------
        x : LinearOperator, number or cupric.ndarray

        Returns
        -------
        LinearOperator or cupric.ndarray

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse.linalg import aslinearoperator
        >>> A = aslinearoperator(cp.array([[1, 2], [0, 3]]))
        >>> A.dot(A)
        <2x2 _ProductLinearOperator with dtype=int64>
        >>> A.dot(cp.array([1, 1]))
        array([3, 3])
        """
        if isinstance(x, LinearOperator):
            return _ProductLinearOperator(self, x)
        if _is_scalar(x):
            return _ScaledLinearOperator(self, x)
        if not issparse(x):
            x = arguments.array(x, "x")
        if x.ndim == 1 or (x.ndim == 2 and x.shape[1] == 1):
            return self.matvec(x)
        if x.ndim == 2:
            return self.matmat(x)
        raise ValueError(
            f"expected 1-d or 2-d array or matrix, got the shape {x.shape}"
        )

    def _rdot(self, x):
        if isinstance(x, LinearOperator):
            return _ProductLinearOperator(x, self)
        if not issparse(x):
            x = arguments.array(x, "x")
        if x.ndim == 1:
            return self.T.matvec(x)
        if x.ndim == 2:
            return self.T.matmat(x.T).T
        raise ValueError(
            f"expected 1-d or 2-d array or matrix, got the shape {x.shape}"
        )

    # ---- arithmetic ------------------------------------------------------------------

    def __call__(self, x):
        return self @ x

    def __mul__(self, x):
        return self.dot(x)

    def __rmul__(self, x):
        return _ScaledLinearOperator(self, x) if _is_scalar(x) else self._rdot(x)

    def __matmul__(self, x):
        _refuse_scalar(x)
        return self.dot(x)

    def __rmatmul__(self, x):
        _refuse_scalar(x)
        return self._rdot(x)

    def __truediv__(self, other):
        if not _is_scalar(other):
            raise ValueError("Can only divide a linear operator by a scalar.")
        return _ScaledLinearOperator(self, 1.0 / other)

    def __pow__(self, p):
        return _PowerLinearOperator(self, p) if _is_scalar(p) else NotImplemented

    def __add__(self, x):
        if isinstance(x, LinearOperator):
            return _SumLinearOperator(self, x)
        return NotImplemented

    def __neg__(self):
        return _ScaledLinearOperator(self, -1)

    def __sub__(self, x):
        return self.__add__(-x)

    def __repr__(self):
        dtype = "unspecified dtype" if self.dtype is None else f"dtype={self.dtype}"
        m, n = self.shape
        return f"<{m}x{n} {type(self).__name__} with {dtype}>"

    def adjoint(self):
        """The conjugate transpose.

        Returns
        -------
        LinearOperator

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse.linalg import aslinearoperator
        >>> A = aslinearoperator(cp.array([[1, 2], [0, 3]]))
        >>> A.adjoint() @ cp.array([1, 1])
        array([1, 5])
        """
        return self._adjoint()

    def transpose(self):
        """The transpose.

        Returns
        -------
        LinearOperator

        Examples
        --------
        >>> import cupric as cp
        >>> from cupricx.scipy.sparse.linalg import aslinearoperator
        >>> A = aslinearoperator(cp.array([[1, 2], [0, 3]]))
        >>> A.transpose() @ cp.array([1, 1])
        array([1, 5])
        """
        return self._transpose()

    H = property(adjoint, doc="The conjugate transpose.")
    T = property(transpose, doc="The transpose.")

    def _adjoint(self):
        return _AdjointLinearOperator(self)

    def _transpose(self):
        return _TransposedLinearOperator(self)


def _refuse_scalar(x):
    if _is_scalar(x):
        raise ValueError("Scalar operands are not allowed, use '*' instead")


def _matrix_product(function, x):
    try:
        return function(x)
    except Exception as error:
        if not issparse(x):
            raise
        raise TypeError(
            "Unable to multiply a LinearOperator with a sparse matrix. Wrap the matrix "
            "in aslinearoperator first."
        ) from error


class _CustomLinearOperator(LinearOperator):
    """What ``LinearOperator(shape, matvec, …)`` makes, of functions."""

    def __init__(
        self, shape, matvec, rmatvec=None, matmat=None, dtype=None, rmatmat=None
    ):
        super().__init__(dtype, shape)
        self.args = ()
        self._functions = matvec, rmatvec, matmat, rmatmat
        if self.dtype is None:
            # Of float64, as functions that launch kernels of their own expect it.
            self.dtype = self.matvec(_core.zeros(self.shape[1]) + 1).dtype

    def _matvec(self, x):
        return self._functions[0](x)

    def _rmatvec(self, x):
        if self._functions[1] is None:
            raise NotImplementedError("rmatvec is not defined")
        return self._functions[1](x)

    def _matmat(self, X):
        matmat = self._functions[2]
        return super()._matmat(X) if matmat is None else matmat(X)

    def _rmatmat(self, X):
        rmatmat = self._functions[3]
        return super()._rmatmat(X) if rmatmat is None else rmatmat(X)

    def _adjoint(self):
        matvec, rmatvec, matmat, rmatmat = self._functions
        return _CustomLinearOperator(
            self.shape[::-1],
            _undefined if rmatvec is None else rmatvec,
            rmatvec=matvec,
            matmat=rmatmat,
            rmatmat=matmat,
            dtype=self.dtype,
        )


def _undefined(x):
    raise NotImplementedError("rmatvec is not defined")


_parameters = inspect.signature(_CustomLinearOperator.__init__).parameters
LinearOperator.__signature__ = inspect.Signature(list(_parameters.values())[1:])


# ---- what operations make ------------------------------------------------------------


class _Composed(LinearOperator):
    """Of other operators, `args`. It can be captured where all of them can."""

    @property
    def _can_be_captured(self):
        return all(
            getattr(a, "_can_be_captured", False)
            for a in self.args
            if isinstance(a, LinearOperator)
        )


class _AdjointLinearOperator(_Composed):
    def __init__(self, A):
        super().__init__(A.dtype, A.shape[::-1])
        self.A = A
        self.args = (A,)

    def _matvec(self, x):
        return self.A._rmatvec(x)

    def _rmatvec(self, x):
        return self.A._matvec(x)

    def _matmat(self, x):
        return self.A._rmatmat(x)

    def _rmatmat(self, x):
        return self.A._matmat(x)

    def _adjoint(self):
        return self.A


class _TransposedLinearOperator(_Composed):
    def __init__(self, A):
        super().__init__(A.dtype, A.shape[::-1])
        self.A = A
        self.args = (A,)

    def _matvec(self, x):
        return _core.conjugate(self.A._rmatvec(_core.conjugate(x)))

    def _rmatvec(self, x):
        return _core.conjugate(self.A._matvec(_core.conjugate(x)))

    def _matmat(self, x):
        return _core.conjugate(self.A._rmatmat(_core.conjugate(x)))

    def _rmatmat(self, x):
        return _core.conjugate(self.A._matmat(_core.conjugate(x)))

    def _transpose(self):
        return self.A


def _dtype_of(*operands):
    dtypes = [x.dtype if isinstance(x, LinearOperator) else x for x in operands]
    dtypes = [d for d in dtypes if d is not None]
    return np.result_type(*dtypes) if dtypes else None


def _require_operators(*operands):
    if not all(isinstance(x, LinearOperator) for x in operands):
        raise ValueError("both operands have to be a LinearOperator")


class _SumLinearOperator(_Composed):
    def __init__(self, A, B):
        _require_operators(A, B)
        if A.shape != B.shape:
            raise ValueError(f"cannot add {A} and {B}: shape mismatch")
        super().__init__(_dtype_of(A, B), A.shape)
        self.args = (A, B)

    def _matvec(self, x):
        return self.args[0].matvec(x) + self.args[1].matvec(x)

    def _rmatvec(self, x):
        return self.args[0].rmatvec(x) + self.args[1].rmatvec(x)

    def _matmat(self, x):
        return self.args[0].matmat(x) + self.args[1].matmat(x)

    def _rmatmat(self, x):
        return self.args[0].rmatmat(x) + self.args[1].rmatmat(x)

    def _adjoint(self):
        return self.args[0].H + self.args[1].H


class _ProductLinearOperator(_Composed):
    def __init__(self, A, B):
        _require_operators(A, B)
        if A.shape[1] != B.shape[0]:
            raise ValueError(f"cannot multiply {A} and {B}: shape mismatch")
        super().__init__(_dtype_of(A, B), (A.shape[0], B.shape[1]))
        self.args = (A, B)

    def _matvec(self, x):
        return self.args[0].matvec(self.args[1].matvec(x))

    def _rmatvec(self, x):
        return self.args[1].rmatvec(self.args[0].rmatvec(x))

    def _matmat(self, x):
        return self.args[0].matmat(self.args[1].matmat(x))

    def _rmatmat(self, x):
        return self.args[1].rmatmat(self.args[0].rmatmat(x))

    def _adjoint(self):
        return self.args[1].H @ self.args[0].H


class _ScaledLinearOperator(_Composed):
    def __init__(self, A, alpha):
        _require_operators(A)
        if not _is_scalar(alpha):
            raise ValueError("scalar expected as alpha")
        if isinstance(A, _ScaledLinearOperator):
            A, inner = A.args
            alpha = alpha * inner
        super().__init__(_dtype_of(A, type(alpha)), A.shape)
        self.args = (A, alpha)

    def _matvec(self, x):
        return self.args[1] * self.args[0].matvec(x)

    def _rmatvec(self, x):
        return np.conj(self.args[1]) * self.args[0].rmatvec(x)

    def _matmat(self, x):
        return self.args[1] * self.args[0].matmat(x)

    def _rmatmat(self, x):
        return np.conj(self.args[1]) * self.args[0].rmatmat(x)

    def _adjoint(self):
        return self.args[0].H * np.conj(self.args[1])


class _PowerLinearOperator(_Composed):
    def __init__(self, A, p):
        _require_operators(A)
        if A.shape[0] != A.shape[1]:
            raise ValueError(f"square LinearOperator expected, got {A!r}")
        if p != int(p) or p < 0:
            raise ValueError(f"non-negative integer expected as p, not {p!r}")
        super().__init__(A.dtype, A.shape)
        self.args = (A, int(p))

    def _power(self, product, x):
        result = x.copy()
        for _ in range(self.args[1]):
            result = product(result)
        return result

    def _matvec(self, x):
        return self._power(self.args[0].matvec, x)

    def _rmatvec(self, x):
        return self._power(self.args[0].rmatvec, x)

    def _matmat(self, x):
        return self._power(self.args[0].matmat, x)

    def _rmatmat(self, x):
        return self._power(self.args[0].rmatmat, x)

    def _adjoint(self):
        return self.args[0].H ** self.args[1]


# ---- matrices ------------------------------------------------------------------------


class MatrixLinearOperator(LinearOperator):
    """The operator of an array of two axes, or of a sparse matrix."""

    # The product of such a matrix does nothing but launch kernels.
    _can_be_captured = True

    def __init__(self, A):
        super().__init__(A.dtype, A.shape)
        self.A = A
        self.args = (A,)
        self._conjugate_transpose = None

    def _matvec(self, x):
        return self.A @ x

    def _matmat(self, X):
        return self.A @ X

    def _adjoint(self):
        if self._conjugate_transpose is None:
            A = self.A.T
            if A.dtype.kind == "c":
                A = A.conj()
            self._conjugate_transpose = adjoint = MatrixLinearOperator(A)
            adjoint._conjugate_transpose = self
        return self._conjugate_transpose


class IdentityOperator(LinearOperator):
    """What leaves a vector as it is."""

    _can_be_captured = True

    def __init__(self, shape, dtype=None):
        super().__init__(dtype, shape)
        self.args = ()

    def _same(self, x):
        return x

    _matvec = _rmatvec = _matmat = _rmatmat = _same

    def _adjoint(self):
        return self


@where_it_lives
def aslinearoperator(A):
    """An operator of what has products with vectors.

    Parameters
    ----------
    A : cupric.ndarray, sparse matrix, LinearOperator or object
        An object has ``shape`` and ``matvec``, and perhaps ``rmatvec``, ``rmatmat`` and
        ``dtype``.

    Returns
    -------
    LinearOperator

    Examples
    --------
    >>> import cupric as cp
    >>> from cupricx.scipy.sparse.linalg import aslinearoperator
    >>> aslinearoperator(cp.ones((2, 3), dtype=cp.int32))
    <2x3 MatrixLinearOperator with dtype=int32>
    """
    if isinstance(A, LinearOperator):
        return A
    if isinstance(A, _core.ndarray):
        if A.ndim > 2:
            raise ValueError(f"array must have ndim <= 2, and its shape is {A.shape}")
        return MatrixLinearOperator(A if A.ndim == 2 else A.reshape(1, -1))
    if issparse(A):
        return MatrixLinearOperator(A)
    if hasattr(A, "shape") and hasattr(A, "matvec"):
        return LinearOperator(
            A.shape,
            A.matvec,
            rmatvec=getattr(A, "rmatvec", None),
            rmatmat=getattr(A, "rmatmat", None),
            dtype=getattr(A, "dtype", None),
        )
    if isinstance(A, np.ndarray):
        raise arguments.unsupported(A)
    raise TypeError(
        f"type not understood: {type(A).__name__} is no array of a device, no sparse "
        "matrix, and has no shape and matvec"
    )
