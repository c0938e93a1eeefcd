"""What constructors are given, as arrays of a device."""

import sys

import numpy as np

from cupric import _core
from cupricx.scipy.sparse._types import value_dtype

__all__ = ["dense_of", "from_scipy", "is_scipy", "values_array"]


def is_scipy(x):
    """Whether this is a sparse array of SciPy's."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and scipy_sparse.issparse(x)


def from_scipy(x, class_of, format, dtype=None):
    """A sparse array of SciPy's, copied to the current device.

    Parameters
    ----------
    x : scipy.sparse.sparray or scipy.sparse.spmatrix
    class_of : callable
        Gives the class of a format.
    format : str
        Which one the result has.
    dtype : dtype, optional
        Of the result.
    """
    value_dtype(dtype, x)
    if x.format not in ("csr", "csc", "coo"):
        x = x.asformat(format if format in ("csr", "csc", "coo") else "csr")
    cls = class_of(x.format)
    data = values_array(x.data, dtype)
    if x.format == "coo":
        coords = tuple(_core.array(np.ascontiguousarray(c)) for c in x.coords)
        made = cls._of(data, coords, x.shape, bool(x.has_canonical_format))
    else:
        indptr, indices = _core.array(x.indptr), _core.array(x.indices)
        n = int(x.indptr[-1])
        made = cls._of((indptr, indices[:n], data[:n]), x.shape)
        # What SciPy has found of the order already; else it is found when needed.
        made._know(
            getattr(x, "_has_sorted_indices", None),
            getattr(x, "_has_canonical_format", None),
        )
    return made.asformat(format)


def values_array(data, dtype, device=None, copy=False):
    """Values as an array of the device, of one axis or as they are given."""
    if isinstance(data, _core.ndarray):
        value_dtype(data.dtype)
        made = data if dtype is None else data.astype(dtype, copy=False)
        if made is data and copy:
            made = data.copy()
        return made if made.flags.c_contiguous else made.copy()
    host = np.asarray(data, dtype=dtype)
    value_dtype(host.dtype)
    host = np.asarray(host, dtype=host.dtype.newbyteorder("="), order="C")
    return _core.array(host, device=device)


def dense_of(x, kind):
    """A dense array, or what an array can be made of.

    Parameters
    ----------
    x : array_like
    kind : type
        Named in the error.
    """
    if isinstance(x, _core.ndarray):
        value_dtype(x.dtype)
        return x
    try:
        host = np.asarray(x)
    except (TypeError, ValueError):
        return _of_device_arrays(x, kind)
    if host.dtype.kind in "OUSVmM":
        raise ValueError(f"unrecognized {kind.__name__} constructor input: {type(x)}")
    return values_array(host, None)


def _of_device_arrays(x, kind):
    """An array of a sequence that holds arrays of a device."""
    try:
        return _core.array(x)
    except (TypeError, ValueError) as e:
        raise ValueError(
            f"unrecognized {kind.__name__} constructor input: {type(x)}"
        ) from e
