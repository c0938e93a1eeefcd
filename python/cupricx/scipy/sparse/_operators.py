"""Operators and products of sparse arrays of all formats.

What a format does not compute itself is computed in a compressed one.
"""

import operator

import numpy as np

from cupric import _core
from cupricx.scipy.sparse._kinds import (
    issparse,
    number,
    scalar_of,
    warn_inefficient,
)
from cupricx.scipy.sparse._types import is_dense, is_scalar, refuse_host

__all__ = ["sparse_operators"]

# A comparison, its sign, and its opposite.
_COMPARISONS = {
    operator.eq: ("==", operator.ne),
    operator.ne: ("!=", operator.eq),
    operator.lt: ("<", operator.ge),
    operator.le: ("<=", operator.gt),
    operator.gt: (">", operator.le),
    operator.ge: (">=", operator.lt),
}

# NumPy's binary ufuncs with a sparse operand: the methods of the first operand, and of
# the second where the first is none.
_BINARY = {
    "add": ("__add__", "__radd__"),
    "subtract": ("__sub__", "__rsub__"),
    "multiply": ("multiply", "multiply"),
    "divide": ("__truediv__", "__rtruediv__"),
    "matmul": ("__matmul__", "__rmatmul__"),
    "power": ("power", None),
    "maximum": ("maximum", "maximum"),
    "minimum": ("minimum", "minimum"),
    "equal": ("__eq__", "__eq__"),
    "not_equal": ("__ne__", "__ne__"),
    "less": ("__lt__", "__gt__"),
    "less_equal": ("__le__", "__ge__"),
    "greater": ("__gt__", "__lt__"),
    "greater_equal": ("__ge__", "__le__"),
}
_UNARY = {"absolute": "__abs__", "negative": "__neg__", "positive": "copy"}


def _name(op):
    return _COMPARISONS[op][0]


class sparse_operators:
    """Operators, which `sparse_base` has with all that they are made of."""

    # ---- elementwise operations ----------------------------------------------------

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or kwargs:
            return NotImplemented
        name = ufunc.__name__
        if len(inputs) == 1:
            own = getattr(self, _UNARY.get(name, name), None)
            return NotImplemented if own is None else own()
        a, b = inputs[:2]
        first, second = _BINARY.get(name, (None, None))
        x, name, y = (a, first, b) if issparse(a) else (b, second, a)
        if isinstance(y, np.ndarray) and y.ndim:
            refuse_host(y, f"numpy.{ufunc.__name__}")
        return NotImplemented if name is None else getattr(x, name)(y)

    def _flat(self):
        """As one row of csr, by which arrays of more than two axes compute."""
        return self.reshape(1, -1).tocsr()

    def _unflat(self, flat):
        return flat.tocoo().reshape(self.shape)

    def _compressed(self):
        """Itself in a compressed format, of at most two axes."""
        if self.ndim > 2:
            return self._flat()
        return self if self.format in ("csr", "csc") else self.tocsr()

    def _restored(self, result):
        """What was computed of `_compressed()`, in this shape."""
        return self._unflat(result) if self.ndim > 2 else result

    def _operand(self, other, what):
        """Whether `other` is an operand: a sparse or dense array, or a number; else
        whether that is an error of the host's memory is said."""
        if issparse(other) or is_dense(other) or is_scalar(other):
            return True
        refuse_host(other, what)
        return False

    def multiply(self, other):
        """Elementwise product.

        Parameters
        ----------
        other : sparse array, cupric.ndarray or scalar
            Shapes are broadcast.

        Returns
        -------
        sparse array or matrix
            Dense where this has one element and `other` is dense.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.multiply(cupric.array([3, 4])).toarray()
        array([[3., 0.],
               [0., 4.]])
        """
        if not self._operand(other, "multiply"):
            return NotImplemented
        if is_scalar(other):
            return self._mul_scalar(number(other))
        if self.ndim < 3:
            return self._compressed()._multiply_2d(other)
        if self.shape != other.shape:
            raise ValueError(
                "inconsistent shapes: >2D multiply() does not yet support broadcasting"
            )
        other = other.reshape(1, -1) if is_dense(other) else other._flat()
        return self._unflat(self._flat()._multiply_2d(other))

    def __mul__(self, other):
        return self.multiply(other)

    def __rmul__(self, other):
        return self.multiply(other)

    def _mul_scalar(self, other):
        return self.tocsr()._mul_scalar(other)

    def maximum(self, other):
        """Elementwise maximum.

        Parameters
        ----------
        other : sparse array, cupric.ndarray or scalar
            Of the same shape. With a positive number the result has no zeros.

        Returns
        -------
        sparse array or matrix
            cupric.ndarray where `other` is one.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.maximum(2 * A.T).toarray()
        array([[2, 4],
               [2, 6]])
        """
        return self._extreme_of(other, "maximum", "positive")

    def minimum(self, other):
        """Elementwise minimum.

        Parameters
        ----------
        other : sparse array, cupric.ndarray or scalar
            Of the same shape. With a negative number the result has no zeros.

        Returns
        -------
        sparse array or matrix
            cupric.ndarray where `other` is one.

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.minimum(A.T).toarray()
        array([[1, 0],
               [0, 3]])
        """
        return self._extreme_of(other, "minimum", "negative")

    def _extreme_of(self, other, name, sign):
        ufunc = getattr(_core, name)
        if not self._operand(other, name):
            raise NotImplementedError(
                f"{name} with an unrecognized array type is not supported"
            )
        if is_scalar(other):
            value = scalar_of(other)
            if getattr(np, name)(0, value):
                warn_inefficient(
                    f"Taking {name} with a {sign} number results in a dense matrix."
                )
                return type(self)(ufunc(self.toarray(), value))
            A = self._compressed()._with_operated(lambda data: ufunc(data, value))
            return self._restored(A)
        if is_dense(other):
            return ufunc(self.toarray(), other)
        if self.shape != other.shape:
            raise ValueError(
                f"inconsistent shapes self.shape={self.shape} other.shape={other.shape}"
            )
        other = other._flat() if self.ndim > 2 else other
        return self._restored(self._compressed()._binopt(other, name))

    def _comparison(self, other, op):
        if not self._operand(other, _name(op)):
            return NotImplemented
        if is_scalar(other):
            return self._comparison_scalar(scalar_of(other), op)
        if is_dense(other):
            return op(self.toarray(), other)
        if self.shape != other.shape:
            if op in (operator.eq, operator.ne):
                return op is operator.ne
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
        sign, opposite = _COMPARISONS[op]
        dense = op(0, 0)
        if dense:
            warn_inefficient(
                f"Comparing two sparse matrices using {sign} is inefficient. Try using "
                f"{_name(opposite)} instead."
            )
        A = self._compressed()
        other = other._flat() if self.ndim > 2 else other
        result = A._binopt(other, (opposite if dense else op).__name__)
        return self._restored(result._opposite() if dense else result)

    def _comparison_scalar(self, value, op):
        sign, opposite = _COMPARISONS[op]
        dense = op(0, value)
        if dense:
            warn_inefficient(
                f"Comparing a sparse matrix with {value} using {sign} is inefficient. "
                f"Try using {_name(opposite)} instead.",
                stacklevel=4,
            )
        A = self._compressed()
        used = opposite if dense else op
        if value != value:  # every comparison with NaN is False but that by !=
            result = type(self)(self.shape, dtype=bool)
            return result._opposite() if dense else result
        result = A._with_operated(lambda data: used(data, value))
        return self._restored(result._opposite() if dense else result)

    def _opposite(self):
        """Of booleans: those that are False."""
        return type(self)(~self.toarray())

    def __eq__(self, other):
        return self._comparison(other, operator.eq)

    def __ne__(self, other):
        return self._comparison(other, operator.ne)

    def __lt__(self, other):
        return self._comparison(other, operator.lt)

    def __gt__(self, other):
        return self._comparison(other, operator.gt)

    def __le__(self, other):
        return self._comparison(other, operator.le)

    def __ge__(self, other):
        return self._comparison(other, operator.ge)

    def __abs__(self):
        return abs(self.tocsr())

    def __round__(self, ndigits=0):
        return round(self.tocsr(), ndigits=ndigits)

    def __neg__(self):
        return -self.tocsr()

    def power(self, n, dtype=None):
        """Elementwise power.

        Parameters
        ----------
        n : scalar
            The exponent, which is not zero.
        dtype : dtype, optional
            Of the elements while it is computed.

        Returns
        -------
        sparse array or matrix

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.array([[1, 0], [2, 3]]))
        >>> A.power(2).toarray()
        array([[1, 0],
               [4, 9]])
        """
        return self.tocsr().power(n, dtype=dtype)

    def __pow__(self, *args, **kwargs):
        return self.power(*args, **kwargs)

    # ---- sums ----------------------------------------------------------------------

    def __add__(self, other):
        return self._sum_with(other, "add", "plus", lambda x, y: x + y)

    def __radd__(self, other):
        return self.__add__(other)

    def __sub__(self, other):
        return self._sum_with(other, "subtract", "minus", lambda x, y: x - y)

    def __rsub__(self, other):
        if is_scalar(other):
            if scalar_of(other) == 0:
                return -self.copy()
            raise NotImplementedError(
                "subtracting a sparse array from a nonzero scalar is not supported"
            )
        if is_dense(other):
            return self._broadcast(other) - self.toarray()
        refuse_host(other, "subtract")
        return NotImplemented

    def _broadcast(self, dense):
        return (
            dense
            if dense.shape == self.shape
            else _core.broadcast_to(dense, self.shape)
        )

    def _sum_with(self, other, what, name, dense):
        if not self._operand(other, what):
            return NotImplemented
        if is_scalar(other):
            if scalar_of(other) == 0:
                return self.copy()
            raise NotImplementedError(
                "adding a nonzero scalar to a sparse array is not supported"
                if name == "plus"
                else "subtracting a nonzero scalar from a sparse array is not supported"
            )
        if is_dense(other):
            return dense(self.toarray(), self._broadcast(other))
        if other.shape != self.shape:
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
        other = other._flat() if self.ndim > 2 else other
        return self._restored(self._compressed()._binopt(other, name))

    # ---- quotients -----------------------------------------------------------------

    def _divide(self, other):
        if not self._operand(other, "divide"):
            return NotImplemented
        if is_scalar(other):
            return self._divide_scalar(number(other))
        if is_dense(other):
            return self.multiply(1 / other)
        if self.ndim > 2:
            return self._flat()._divide(other._flat()).reshape(self.shape)
        if self.shape != other.shape:
            raise ValueError(f"inconsistent shapes {self.shape} and {other.shape}")
        # All elements that neither has are 0 / 0, so that the quotient is dense.
        A = self.toarray()
        if np.can_cast(self.dtype, np.float64):
            A = A.astype(np.float64, copy=False)
        return A / other.toarray()

    def _divide_scalar(self, other):
        if np.can_cast(self.dtype, np.float64):
            A = self.astype(np.float64, copy=False)
            return A._mul_scalar(1 / other)
        quotient = self._mul_scalar(1 / other)
        kind = (
            other.dtype.kind
            if hasattr(other, "dtype")
            else np.asarray(other).dtype.kind
        )
        if self.dtype.kind in "iu" and kind in "iu":
            return quotient.astype(self.dtype, copy=False)
        return quotient

    def __truediv__(self, other):
        return self._divide(other)

    def __div__(self, other):
        return self._divide(other)

    def __rtruediv__(self, other):
        return NotImplemented

    def __rdiv__(self, other):
        return NotImplemented

    def __iadd__(self, other):
        return NotImplemented

    def __isub__(self, other):
        return NotImplemented

    def __imul__(self, other):
        return NotImplemented

    def __itruediv__(self, other):
        return NotImplemented

    def __idiv__(self, other):
        return self.__itruediv__(other)

    # ---- products ------------------------------------------------------------------

    def dot(self, other):
        """Product with a matrix, vector or scalar.

        Parameters
        ----------
        other : sparse array, cupric.ndarray or scalar

        Returns
        -------
        sparse array or cupric.ndarray

        Examples
        --------
        >>> A = cupricx.scipy.sparse.csr_array(cupric.eye(2))
        >>> A.dot(cupric.array([3, 4]))
        array([3., 4.])
        """
        return self * other if is_scalar(other) else self @ other

    def __matmul__(self, other):
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._matmul_dispatch(other)

    def __rmatmul__(self, other):
        if is_scalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._rmatmul_dispatch(other)

    def _matmul_dispatch(self, other):
        if is_scalar(other):
            return self._mul_scalar(number(other))
        if not self._operand(other, "matmul"):
            return NotImplemented
        n = self.shape[-1]
        if other.ndim > 2 and not issparse(other):
            raise ValueError(
                f"could not interpret dimensions: a sparse array of {self.shape} with "
                f"an array of {other.shape}"
            )
        if other.shape[-2 if other.ndim > 1 else 0] != n:
            raise ValueError(
                "matmul: dimension mismatch with signature "
                f"(n,k={n}),(k={other.shape[-2 if other.ndim > 1 else 0]},m)->(n,m)"
            )
        if issparse(other):
            return self._matmul_sparse(other)
        if other.ndim == 1:
            return self._matmul_vector(other)
        if other.shape[1] == 1:
            product = self._matmul_vector(other.reshape(-1))
            return product.reshape((1,) if self.ndim == 1 else (-1, 1))
        return self._matmul_multivector(other)

    def _rmatmul_dispatch(self, other):
        if is_scalar(other):
            return self._mul_scalar(number(other))
        if not self._operand(other, "matmul"):
            return NotImplemented
        product = self.transpose()._matmul_dispatch(other.transpose())
        return product if product is NotImplemented else product.transpose()

    def _matmul_vector(self, other):
        return self.tocsr()._matmul_vector(other)

    def _matmul_multivector(self, other):
        return self.tocsr()._matmul_multivector(other)

    def _rmatmul_vector(self, other):
        return self.tocsr()._rmatmul_vector(other)

    def _rmatmul_multivector(self, other):
        return self.tocsr()._rmatmul_multivector(other)

    def _matmul_sparse(self, other):
        return self.tocsr()._matmul_sparse(other)
