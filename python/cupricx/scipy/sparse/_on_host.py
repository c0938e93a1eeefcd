"""What lil and dok share: arrays that are built element by element, on the host.

They hold SciPy's array of the same format, which does the work on elements, and are
copied to the device by conversion to another format, as are operands of theirs. SciPy
has to be installed.
"""

import numpy as np

from cupric import _core
from cupricx.scipy.sparse._base import sparse_base
from cupricx.scipy.sparse._kinds import issparse
from cupricx.scipy.sparse._reading import is_scipy
from cupricx.scipy.sparse._types import is_dense, is_scalar, read_shape, value_dtype

__all__ = ["OnHost", "on_host"]


def on_host(x):
    """What SciPy takes for `x`: arrays of a device are copied to the host, those in
    tuples and lists, too."""
    if is_dense(x) or issparse(x):
        return x.get()
    if isinstance(x, (tuple, list)):
        return type(x)(map(on_host, x))
    return x


class OnHost(sparse_base):
    """The base of lil and dok: `_host` is SciPy's array."""

    def __init__(self, arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
        super().__init__(arg1, maxprint=maxprint)
        self.device = _device_of(arg1)
        if dtype is not None:
            dtype = value_dtype(dtype)
        host = on_host(arg1)
        if shape is not None:
            shape = read_shape((shape,), self._allow_nd)
        if is_scipy(host) and host.format != self.format:
            host = host.asformat(self.format)
        self._host = self._scipy_class()(host, shape=shape, dtype=dtype, copy=copy)
        value_dtype(None, self._host)

    @classmethod
    def _taken(cls, x):
        """The elements of a sparse array of a device."""
        made = cls.__new__(cls)
        made.device, made._host = x.device, x.get().asformat(cls._format)
        return made

    def _of(self, host):
        """Another one on the same device, of an array of SciPy's."""
        if host.format != self.format:
            with self.device:
                return self._class_of(host.format)(host)
        cls = self._class_of(host.format)
        made = cls.__new__(cls)
        made.device, made._host = self.device, host
        return made

    @property
    def _shape(self):
        return self._host.shape

    @_shape.setter
    def _shape(self, shape):
        pass  # the array of the host knows it

    @property
    def dtype(self):
        """Dtype of the elements."""
        return self._host.dtype

    def get(self, stream=None):
        return self._host.copy()

    def copy(self):
        return self._of(self._host.copy())

    def _getnnz(self, axis=None):
        count = self._host._getnnz(axis=axis)
        return count if axis is None else _core.array(count, device=self.device)

    def count_nonzero(self, axis=None):
        count = self._host.count_nonzero(axis)
        return _core.array(np.asarray(count), device=self.device)

    # ---- elements ------------------------------------------------------------------

    def __getitem__(self, key):
        """A number of the host, or a part in the same format."""
        part = self._host[on_host(key)]
        return self._of(part) if is_scipy(part) else part

    def __setitem__(self, key, x):
        self._host[on_host(key)] = on_host(x)

    def _getrow(self, i):
        return self._of(self._host._getrow(i))

    def _getcol(self, j):
        return self._of(self._host._getcol(j))

    def _setdiag(self, values, k):
        self._host.setdiag(on_host(values), k)

    # ---- formats and shapes --------------------------------------------------------

    def _convert(self, format, host):
        with self.device:
            return self._class_of(format)(host)

    def tocsr(self, copy=False):
        return self._convert("csr", self._host.tocsr())

    def tocoo(self, copy=False):
        return self._convert("coo", self._host.tocoo())

    def asformat(self, format, copy=False):
        if format in (None, self.format):
            return self.copy() if copy else self
        return super().asformat(format, copy=copy)

    def astype(self, dtype, casting="unsafe", copy=True):
        host = self._host.astype(value_dtype(dtype), casting=casting, copy=copy)
        return self if host is self._host else self._of(host)

    def resize(self, *shape):
        self._host.resize(*shape)

    def reshape(self, *shape, order="C", copy=False):
        return self._of(self._host.reshape(*shape, order=order, copy=copy))

    def transpose(self, axes=None, copy=False):
        return self._of(self._host.transpose(axes=axes, copy=copy))

    def conjugate(self, copy=True):
        return self._of(self._host.conjugate(copy=copy))

    # ---- with a number -------------------------------------------------------------

    def _mul_scalar(self, other):
        return self._of(self._host._mul_scalar(on_host(other)))

    def __truediv__(self, other):
        if is_scalar(other):
            return self._of(self._host / on_host(other))
        return super().__truediv__(other)

    def __imul__(self, other):
        if not is_scalar(other):
            return NotImplemented
        self._host *= on_host(other)
        return self

    def __itruediv__(self, other):
        if not is_scalar(other):
            return NotImplemented
        self._host /= on_host(other)
        return self


def _device_of(x):
    """The device of an array, of the first in a tuple, or the current one."""
    if is_dense(x) or issparse(x):
        return x.device
    if isinstance(x, (tuple, list)):
        for part in x:
            if is_dense(part) or isinstance(part, tuple):
                return _device_of(part)
    return _core.Device()
