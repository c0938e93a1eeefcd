"""What formats share whose values are one array, `data`."""

import numpy as np

from cupric import _core
from cupricx.scipy.sparse._base import sparse_base
from cupricx.scipy.sparse._kinds import number
from cupricx.scipy.sparse._types import is_scalar, value_dtype

__all__ = ["WithData"]

# Functions that are zero at zero, so that only stored elements change.
_FUNCTIONS = (
    *("arcsin", "arcsinh", "arctan", "arctanh", "ceil", "deg2rad", "expm1", "floor"),
    *("log1p", "rad2deg", "rint", "sign", "sin", "sinh", "sqrt", "tan", "tanh"),
    *("trunc",),
)


class WithData(sparse_base):
    """A format with an array of values, `data`.

    It gives `_with_data(data, copy=True)`, the array of the same places with other
    values, `sum_duplicates()`, and `_deduped_data()` where that is not its own.
    """

    data = None  # the stored elements

    @property
    def dtype(self):
        """Dtype of the elements."""
        return self.data.dtype

    @dtype.setter
    def dtype(self, dtype):
        self.data = self.data.view(dtype)

    @property
    def device(self):
        """The device that it is on."""
        return self.data.device

    def _deduped_data(self):
        self.sum_duplicates()
        return self.data

    def _stored(self):
        # True and True in one place are one True, and integers of one wrap.
        return self._deduped_data() if self.dtype.kind in "biu" else self.data

    def __abs__(self):
        return self._with_data(abs(self._deduped_data()))

    def __round__(self, ndigits=0):
        return self._with_data(_core.around(self._deduped_data(), ndigits))

    def _real(self):
        return self._with_data(self.data.real.copy())

    def _imag(self):
        if self.dtype.kind == "c":
            return self._with_data(self.data.imag.copy())
        return self._with_data(
            _core.zeros(self.data.shape, self.dtype, device=self.device)
        )

    def __neg__(self):
        if self.dtype.kind == "b":
            raise NotImplementedError(
                "negating a boolean sparse array is not supported"
            )
        return self._with_data(-self.data)

    def __imul__(self, other):
        if not is_scalar(other):
            return NotImplemented
        self.data *= number(other)
        return self

    def __itruediv__(self, other):
        if not is_scalar(other):
            return NotImplemented
        self.data *= 1.0 / number(other)
        return self

    def astype(self, dtype, casting="unsafe", copy=True):
        dtype = value_dtype(dtype)
        if self.dtype == dtype:
            return self.copy() if copy else self
        if not np.can_cast(self.dtype, dtype, casting):
            raise TypeError(
                f"Cannot cast sparse array from {self.dtype!r} to {dtype!r} according "
                f"to the rule {casting!r}"
            )
        A = self._with_data(self.data.astype(dtype))
        if A.format != "dia":  # which has no duplicates
            A.sum_duplicates()  # in the new dtype, as in SciPy
        return A

    def conjugate(self, copy=True):
        if self.dtype.kind == "c":
            return self._with_data(self.data.conj(), copy=copy)
        return self.copy() if copy else self

    def copy(self):
        return self._with_data(self.data.copy(), copy=True)

    def power(self, n, dtype=None):
        if not is_scalar(n):
            raise NotImplementedError("input is not scalar")
        if not n:
            raise NotImplementedError(
                "zero power is not supported as it would densify the matrix.\n"
                "Use `cupric.ones(A.shape, dtype=A.dtype)` for this case."
            )
        data = self._deduped_data()
        if dtype is not None:
            data = data.astype(dtype, copy=False)
        return self._with_data(data ** number(n))

    def _mul_scalar(self, other):
        return self._with_data(self.data * other)


def _method(name):
    function = getattr(_core, name)

    def method(self):
        return self._with_data(function(self._deduped_data()))

    method.__name__ = name
    method.__qualname__ = f"WithData.{name}"
    method.__doc__ = f"""Elementwise `{name}`: see `cupric.{name}`.

    Returns
    -------
    sparse array or matrix

    Examples
    --------
    >>> A = cupricx.scipy.sparse.csr_array((2, 2))
    >>> A.{name}().nnz
    0
    """
    return method


for _each in _FUNCTIONS:
    setattr(WithData, _each, _method(_each))
del _each
