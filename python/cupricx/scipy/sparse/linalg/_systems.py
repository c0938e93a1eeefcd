"""What solvers of square systems read of their arguments."""

import math

import numpy as np

from cupric import _core
from cupric._lib import arguments
from cupricx.scipy.sparse.linalg._interface import (
    IdentityOperator,
    LinearOperator,
    aslinearoperator,
)
from cupricx.scipy.sparse.linalg._steps import as_vector

__all__ = ["System", "adjoint", "float_dtype", "norm_of", "tolerance"]


def float_dtype(*dtypes):
    """The dtype that a system is solved in: what is no float or complex number of
    either precision counts as float64."""
    return np.result_type(*(d if d.char in "fdFD" else np.float64 for d in dtypes))


def tolerance(name, b_norm, rtol, atol):
    """The norm below which a residual is small enough."""
    if atol is None or isinstance(atol, str) or atol < 0:
        raise ValueError(
            f"'{name}' called with invalid `atol`={atol}; if set, `atol` must be a "
            "real, non-negative number."
        )
    return max(float(atol), float(rtol) * float(b_norm))


def adjoint(A, given):
    """The conjugate transpose of an operator that was made of `given`, for many
    products: of a sparse matrix its rows are made once."""
    H = A.H
    matrix = getattr(H, "A", None)
    if matrix is given or not hasattr(matrix, "tocsr"):
        return H
    return aslinearoperator(matrix.tocsr())


class System:
    """``A x = b`` with a preconditioner and a first guess.

    Attributes
    ----------
    A, M : LinearOperator
    x : cupric.ndarray
        The first guess.
    b : cupric.ndarray
    r : cupric.ndarray
        The residual, which may be `b` itself.
    dtype : numpy.dtype
    given : object
        The matrix as it was passed.
    direct : bool
        There is no preconditioner.
    """

    def __init__(self, A, b, x0, M):
        self.given = A
        self.A = aslinearoperator(A)
        m, n = self.A.shape
        if m != n:
            raise ValueError(f"expected square matrix, but got shape={self.A.shape}")
        b = self._vector(b, n, "b")
        dtype = self.A.dtype
        if dtype is None:
            dtype = self.A.matvec(b).dtype
        self.dtype = float_dtype(dtype, b.dtype)
        self.b = _core.ascontiguousarray(b.astype(self.dtype, copy=False))
        self._read_preconditioner(M)
        self.has_guess = x0 is not None
        if x0 is None:
            self.x = self.zeros()
        elif isinstance(x0, str):
            if x0 != "Mb":
                raise ValueError(f"x0 is a vector or 'Mb', not {x0!r}")
            self.x = self.product(self.M.matvec, self.b).copy()
        else:
            self.x = self._vector(x0, n, "x0").astype(self.dtype)

    @staticmethod
    def _vector(b, n, name):
        b = arguments.array(b, name)
        if b.shape != (n, 1) and b.shape != (n,):
            raise ValueError(
                f"shapes of A {(n, n)} and {name} {b.shape} are incompatible: {name} "
                f"has the shape ({n},) or ({n}, 1)"
            )
        return b.reshape(n)

    def _read_preconditioner(self, M):
        A = self.A
        if M is None:
            psolve = getattr(self.given, "psolve", None)
            rpsolve = getattr(self.given, "rpsolve", None)
            self.direct = psolve is None and rpsolve is None
            if self.direct:
                self.M = IdentityOperator(A.shape, A.dtype)
                return
            self.M = LinearOperator(
                A.shape, psolve or _same, rmatvec=rpsolve or _same, dtype=self.dtype
            )
            return
        self.M = aslinearoperator(M)
        self.direct = isinstance(self.M, IdentityOperator)
        if self.M.shape != A.shape:
            raise ValueError(
                "matrix and preconditioner have different shapes: "
                f"{A.shape} and {self.M.shape}"
            )

    def zeros(self):
        """A vector of zeros, such as the solution where b is one."""
        return _core.zeros(len(self.b), self.dtype, device=self.b.device)

    def residual(self):
        """``b - A x``, a new array unless there is no guess."""
        if not self.has_guess:
            return self.b
        return self.b - self.product(self.A.matvec, self.x)

    def precondition(self, x):
        """The preconditioner's product with a vector; itself where there is none."""
        return x if self.direct else self.product(self.M.matvec, x)

    def product(self, function, x):
        """The result of a product in the system's dtype, contiguous."""
        return as_vector(function(x), self.dtype)


def _same(x):
    return x


def norm_of(squares):
    return math.sqrt(squares.real)
