"""Dtypes of values and of indices, shapes and axes of sparse arrays."""

import contextlib
import math
import operator

import numpy as np

from cupric import _core

__all__ = [
    "as_index_array",
    "broadcast_shape",
    "canonical_axes",
    "extent_of",
    "fitting_index_dtype",
    "get_index_dtype",
    "index_arrays",
    "is_dense",
    "is_scalar",
    "is_shape",
    "read_shape",
    "refuse_host",
    "reshaped",
    "safely_cast_index_arrays",
    "sum_dtype",
    "unbounded_dtype",
    "upcast",
    "value_dtype",
]

_INT32 = np.iinfo(np.int32)

# Kinds and sizes of the dtypes that values may have: what the core computes with.
_VALUES = frozenset("?bBhHiIlLqQefdFD")
_VALUE_NAMES = (
    "bool, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float16, float32, "
    "float64, complex64, complex128"
)


# ---- values --------------------------------------------------------------------------


def value_dtype(dtype, like=None, default=None):
    """The dtype of values that is asked for: `dtype`, or else that of `like`, or else
    `default`.

    Raises
    ------
    ValueError
        Where sparse arrays cannot hold it.
    """
    if dtype is None:
        dtype = getattr(like, "dtype", default)
        if dtype is None:
            raise TypeError("could not interpret data type")
    dtype = np.dtype(dtype)
    if dtype.char not in _VALUES:
        raise ValueError(
            f"sparse arrays do not support dtype {dtype}; they hold one of "
            f"{_VALUE_NAMES}"
        )
    return dtype


def upcast(*dtypes):
    """The dtype of the result of an operation on values of these."""
    return np.result_type(*dtypes)


def sum_dtype(dtype):
    """The dtype in which NumPy adds up values of one dtype."""
    if dtype.kind == "u":
        return np.dtype(np.uint64)
    return np.dtype(np.int64) if dtype.kind in "bi" else dtype


def unbounded_dtype(dtype):
    """The smallest floating dtype, of float32, float64, complex64, complex128, that
    holds values of `dtype`."""
    for char in "fdFD":
        if dtype.char == char or (dtype.char not in "dFD" and dtype <= np.dtype(char)):
            return np.dtype(char)
    raise TypeError(f"cannot upcast [{dtype.name}] to a floating point format")


# ---- operands ------------------------------------------------------------------------


def is_dense(x):
    """Whether this is an array of a device."""
    return isinstance(x, _core.ndarray)


def is_scalar(x):
    """Whether this is a number, or an array of a device without axes."""
    if isinstance(x, _core.ndarray):
        return x.ndim == 0
    return np.isscalar(x) or (isinstance(x, np.ndarray) and x.ndim == 0)


def refuse_host(x, what):
    """Raise the TypeError for an operand on the host.

    Parameters
    ----------
    x : object
        Any operand that is no device array, sparse array or number: nothing is raised
        for what is no array either.
    what : str
        The operation.
    """
    kind = type(x)
    if isinstance(x, np.ndarray):
        hint = "copy it to the device by cupric.asarray(x)"
    elif kind.__module__.startswith("scipy.sparse"):
        hint = (
            "copy it to the device, as the constructors do: "
            f"cupricx.scipy.sparse.{kind.__name__}(x)"
        )
    elif isinstance(x, (list, tuple)):
        hint = "make an array of it by cupric.asarray(x)"
    else:
        return
    raise TypeError(
        f"Unsupported type {kind} in {what} with a sparse array of a device: {hint}"
    )


# ---- indices -------------------------------------------------------------------------


def _int_array(x):
    """An array, of the host or a device, with its contents where they are."""
    return x if isinstance(x, _core.ndarray) else np.asarray(x)


def _fits(array, check_contents):
    """Whether the dtype, or else the contents, of an array fit in int32."""
    if np.can_cast(array.dtype, np.int32):
        return True
    if not check_contents or array.dtype.kind not in "iu":
        return check_contents and array.size == 0
    if array.size == 0:
        return True
    if isinstance(array, _core.ndarray):
        least, most = extent_of(array)
    else:
        least, most = int(array.min()), int(array.max())
    return least >= _INT32.min and most <= _INT32.max


def extent_of(*arrays):
    """The least and the greatest element of each array of a device, as Python's
    numbers: one wait for all."""
    ends = [f(a) for a in arrays for f in (_core.min, _core.max)]
    return _core.concatenate([e.reshape(1) for e in ends]).tolist()


def get_index_dtype(arrays=(), maxval=None, check_contents=False):
    """The dtype of indices that holds those of arrays and a largest value.

    Parameters
    ----------
    arrays : array_like or tuple of array_like
        Arrays of integers, on a device or the host, whose dtypes count.
    maxval : int, optional
        The largest value that is needed.
    check_contents : bool
        Whether arrays of wider dtypes than int32 count by what they hold: this waits
        for the device.

    Returns
    -------
    type
        `numpy.int32` or `numpy.int64`.

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> sparse.get_index_dtype(cupric.arange(3), maxval=5).__name__
    'int64'
    >>> sparse.get_index_dtype(cupric.arange(3), check_contents=True).__name__
    'int32'
    """
    if maxval is not None and maxval > _INT32.max:
        return np.int64
    if isinstance(arrays, (np.ndarray, _core.ndarray)):
        arrays = (arrays,)
    fits = (_fits(_int_array(a), check_contents) for a in arrays)
    return np.int32 if all(fits) else np.int64


def fitting_index_dtype(*sizes):
    """The dtype of indices for these sizes."""
    return np.dtype(np.int64 if max(sizes, default=0) > _INT32.max else np.int32)


def as_index_array(x, dtype, device=None, copy=False):
    """Indices as an array of the device in a dtype of signed integers, contiguous."""
    if not isinstance(x, _core.ndarray):
        host = np.asarray(x)
        if host.dtype.kind not in "iub" and host.size:
            host = host.astype(dtype)  # floats are truncated, as SciPy does
        return _core.array(np.asarray(host, dtype=dtype, order="C"), device=device)
    made = x.astype(dtype, order="C", copy=copy)
    return made if made.flags.c_contiguous else made.copy()


def index_arrays(arrays, maxval, check_contents, device=None, copy=False):
    """Several arrays of indices as arrays of the device in one dtype.

    Parameters
    ----------
    arrays : sequence of array_like
        On the device or the host.
    maxval : int or None
        The largest value that is needed besides.
    check_contents : bool
        Whether int64 becomes int32 where all values fit.
    device : cupric.cuda.Device, optional
        Where arrays of the host go.
    copy : bool
        Whether arrays are copied where they could be taken as they are.
    """
    arrays = [_int_array(a) for a in arrays]
    dtype = get_index_dtype(arrays, maxval, check_contents)
    return tuple(as_index_array(a, dtype, device, copy) for a in arrays)


def safely_cast_index_arrays(A, idx_dtype=np.int32, msg=""):
    """The index arrays of a sparse array in another dtype.

    Parameters
    ----------
    A : sparse array
        In one of the formats csr, csc, bsr, coo or dia. It is left as it is.
    idx_dtype : dtype
        Of integers.
    msg : str
        Named in the error: what the indices are too large for.

    Returns
    -------
    cupric.ndarray or tuple of cupric.ndarray
        `(indices, indptr)` of csr, csc and bsr, `coords` of coo, `offsets` of dia; not
        copied where they have the dtype.

    Raises
    ------
    ValueError
        Where values do not fit.
    TypeError
        For a format without index arrays.

    Examples
    --------
    >>> sparse = cupricx.scipy.sparse
    >>> A = sparse.csr_array(cupric.eye(2))
    >>> indices, indptr = sparse.safely_cast_index_arrays(A, numpy.int64)
    >>> indices.dtype, indptr
    (dtype('int64'), array([0, 1, 2]))
    """
    dtype = np.dtype(idx_dtype)
    largest = np.iinfo(dtype).max
    msg = msg or f"dtype {idx_dtype}"
    if A.format in ("csr", "csc", "bsr"):
        rows, columns = getattr(A, "blocksize", (1, 1))
        arrays = ("indices", columns), ("indptr", rows)
    elif A.format == "coo":
        arrays = (("coords", 1),)
    elif A.format == "dia":
        arrays = (("offsets", 1),)
    else:
        raise TypeError(f"Format {A.format} is not associated with index arrays")
    cast = []
    bound = max(*A.shape, A.nnz) if A.ndim > 1 else max(A.shape[0], A.nnz)
    for name, factor in arrays:
        values = getattr(A, name)
        several = values if name == "coords" else (values,)
        if bound > largest:
            for v in several:
                if v.size and int(v.max()) * factor > largest:
                    raise ValueError(f"{name} values too large for {msg}")
        cast += [v.astype(dtype, copy=False) for v in several]
    return cast[0] if A.format == "dia" else tuple(cast)


# ---- shapes and axes -----------------------------------------------------------------


def _is_index(x):
    if isinstance(x, _core.ndarray):
        return x.ndim == 0 and x.dtype.kind in "iu"
    if np.ndim(x) != 0:
        return False
    try:
        operator.index(x)
    except TypeError:
        return False
    return True


def is_shape(x, ndims):
    """Whether this is a tuple of as many integers as a shape may have."""
    return len(x) in ndims and all(_is_index(n) for n in x)


def _as_tuple(args):
    """A shape given as one argument or as one for each axis."""
    if len(args) == 0:
        raise TypeError("function missing 1 required positional argument: 'shape'")
    if len(args) == 1:
        with contextlib.suppress(TypeError):  # one number
            args = tuple(args[0])
    return tuple(operator.index(n) for n in args)


def _check_ndim(shape, ndims):
    if len(shape) not in ndims:
        listed = tuple(ndims) if len(ndims) < 8 else f"{ndims[0]} to {ndims[-1]}"
        raise ValueError(f"shape must have length in {listed}. Got {shape}")


def read_shape(args, ndims=(2,)):
    """The shape of a new array.

    Parameters
    ----------
    args : tuple
        The shape, or one tuple that is.
    ndims : sequence of int
        How many axes there may be.
    """
    shape = _as_tuple(args)
    _check_ndim(shape, ndims)
    if any(n < 0 for n in shape):
        raise ValueError(f"'shape' elements cannot be negative. Got {shape}")
    return shape


def reshaped(args, current, ndims=(2,)):
    """The shape that is asked for of an array of the shape `current`, in which one
    length may be left open as -1."""
    shape = _as_tuple(args)
    size = math.prod(current)
    unknown = [i for i, n in enumerate(shape) if n < 0]
    if len(unknown) > 1:
        raise ValueError("can only specify one unknown dimension")
    if unknown:
        known = math.prod(n for n in shape if n >= 0)
        if known == 0 or size % known:
            asked = tuple("newshape" if n < 0 else n for n in shape)
            raise ValueError(f"cannot reshape array of size {size} into shape {asked}")
        shape = tuple(size // known if n < 0 else n for n in shape)
    elif math.prod(shape) != size:
        raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
    _check_ndim(shape, ndims)
    return shape


def canonical_axes(axis, ndim):
    """The axes of a reduction as a tuple of nonnegative numbers; None for all.

    Raises
    ------
    TypeError
        For what is no integer.
    ValueError
        For axes that are not there, or twice.
    """
    if axis is None:
        return None
    if not isinstance(axis, tuple):
        if isinstance(axis, bool) or not _is_index(axis):
            raise TypeError(f"axis must be an integer/tuple of ints, not {type(axis)}")
        axis = (axis,)
    if axis == ():
        raise ValueError(
            "sparse arrays do not accept 0D axis (). Either use toarray (for dense) "
            "or copy (for sparse)."
        )
    axes = []
    for a in axis:
        if not _is_index(a):
            raise TypeError(f"axis must be an integer. (given {a})")
        a = operator.index(a)
        if not -ndim <= a < ndim:
            raise ValueError(f"axis out of range for ndim: {a} of {ndim} dimensions")
        axes.append(a % ndim)
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate value in axis")
    return None if len(axes) == ndim else tuple(axes)


def broadcast_shape(a, b):
    """The shape of two operands together."""
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        raise ValueError(f"inconsistent shapes {a} and {b}") from None
