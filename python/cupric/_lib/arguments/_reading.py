"""Reading the arguments of SciPy's functions: arrays, axes, outputs, …"""

import operator

import numpy as np

from cupric import _core
from cupric._lib.kernels._replay import warn

__all__ = [
    "Output",
    "array",
    "axes",
    "axis",
    "complex_dtype",
    "float_dtype",
    "integer",
    "per_axis",
    "small",
    "unsupported",
]


def unsupported(x):
    """The TypeError for an argument that is no device array."""
    return _core._unsupported(x)


def array(x, name="input"):
    """An array of a device: itself, or made of a number or nested sequences.

    Raises
    ------
    TypeError
        "Unsupported type" for a NumPy array, which has to be copied on purpose.
    """
    if isinstance(x, _core.ndarray):
        return x
    if isinstance(x, np.ndarray) or not (np.isscalar(x) or hasattr(x, "__iter__")):
        raise unsupported(x)
    try:
        return _core.array(x)
    except TypeError:
        raise unsupported(x) from None


def small(x, like, dtype=None):
    """What is small and may well lie on the host (weights, a structure): as an array of
    the device of `like`, contiguous; NumPy arrays too.
    """
    if isinstance(x, _core.ndarray):
        made = x if dtype is None else x.astype(dtype, copy=False)
        if not made.flags.c_contiguous:
            made = made.copy()
        return made
    return _core.array(np.ascontiguousarray(x, dtype=dtype), device=like.device)


def float_dtype(*dtypes):
    """The dtype that a function computes in: float32 or complex64 where no dtype needs
    more, else float64 or complex128, which integers do.
    """
    found = _core.result_type(*dtypes, np.float32)  # which bfloat16 promotes with, too
    if found.kind == "c":
        return found if found.itemsize == 8 else np.dtype(np.complex128)
    return np.dtype(np.float32 if found.itemsize <= 4 else np.float64)


def complex_dtype(dtype):
    """The complex dtype of the same exactness."""
    return np.promote_types(dtype, np.complex64)


# ---- axes ----------------------------------------------------------------------------


def axis(value, ndim):
    """An axis in [0, ndim), or `numpy.exceptions.AxisError`."""
    value = operator.index(value)
    if not -ndim <= value < ndim:
        raise np.exceptions.AxisError(value, ndim)
    return value % ndim


def axes(value, ndim):
    """Axes as a tuple, in their order: of None, an int or several.

    Raises
    ------
    ValueError
        An axis out of bounds (`AxisError`), or twice.
    """
    if value is None:
        return tuple(range(ndim))
    try:
        values = (operator.index(value),)
    except TypeError:
        values = tuple(value)
    found = tuple(axis(v, ndim) for v in values)
    if len(set(found)) != len(found):
        raise ValueError(f"axes must be unique, not {values}")
    return found


def per_axis(value, n, name, convert=None):
    """A list of n values, of one or of a sequence of n.

    Raises
    ------
    RuntimeError
        A sequence of another length, as in SciPy.
    """
    is_one = value is None or isinstance(value, (str, int, float))
    if is_one or (not isinstance(value, (list, tuple)) and np.ndim(value) == 0):
        values = [value] * n
    else:
        values = list(value)
        if len(values) != n:
            raise RuntimeError(
                f"{name} has {len(values)} values: one is needed, or one for each of "
                f"{n} axes"
            )
    return values if convert is None else [convert(v) for v in values]


def integer(value):
    """An int, also of a float that is one; else TypeError."""
    try:
        return operator.index(value)
    except TypeError:
        if isinstance(value, (float, np.floating)) and value == int(value):
            return int(value)
        raise


# ---- outputs -------------------------------------------------------------------------


class Output:
    """The ``output=`` of SciPy's functions: an array, a dtype, or None.

    Parameters
    ----------
    output : ndarray, dtype or None
    input : ndarray
        Whose dtype and shape the result has, where nothing else says so.
    shape : tuple, optional
    dtype : dtype, optional
        Where `output` is None.
    is_complex : bool, optional
        The result is complex: no real `output` can take it.

    Attributes
    ----------
    dtype : numpy.dtype
        Of the result.

    Examples
    --------
    >>> import cupric as cp
    >>> x = cp.arange(3.0)
    >>> target = Output(cp.int32, x)
    >>> y = target.buffer(x, dtype=x.dtype)  # what the kernel writes, apart from x
    >>> y[...] = 1.5 * x
    >>> target.result(y)
    array([0, 1, 3], dtype=int32)
    """

    def __init__(self, output, input, shape=None, *, dtype=None, is_complex=False):
        self.shape = input.shape if shape is None else tuple(shape)
        self.given, self.device = None, input.device
        if output is None:
            self.dtype = np.dtype(input.dtype if dtype is None else dtype)
            if is_complex:
                self.dtype = complex_dtype(self.dtype)
        elif isinstance(output, _core.ndarray):
            self._take(output, is_complex)
        elif isinstance(output, np.ndarray):
            raise unsupported(output)
        else:
            self.dtype = np.dtype(output)
            if is_complex and self.dtype.kind != "c":
                warn("promoting specified output dtype to complex", stacklevel=4)
                self.dtype = complex_dtype(self.dtype)

    def _take(self, output, is_complex):
        if output.shape != self.shape:
            raise RuntimeError(
                f"output shape not correct: it is {output.shape}, the result's is "
                f"{self.shape}"
            )
        if is_complex and output.dtype.kind != "c":
            raise RuntimeError(f"output must have complex dtype, not {output.dtype}")
        self.given, self.dtype = output, output.dtype

    def buffer(self, *inputs, dtype=None):
        """A contiguous array to write, of the result's dtype or of another: the output
        itself, unless it shares memory with one of `inputs`, which are read.
        """
        dtype = self.dtype if dtype is None else np.dtype(dtype)
        given = self.given
        if (
            given is not None
            and given.dtype == dtype
            and given.flags.c_contiguous
            and given.flags.writeable
            and not any(_core._overlap(given, x) for x in inputs)
        ):
            return given
        return _core.empty(self.shape, dtype, device=self.device)

    def result(self, made):
        """What to return: the array written, in its place and dtype, in C order where
        it is new. Numbers that were computed are converted as C does: towards zero, the
        real part alone.
        """
        if made.dtype != self.dtype:
            if made.dtype.kind == "c" and self.dtype.kind != "c":
                made = made.real
            if made.dtype.kind == "f" and self.dtype.kind == "b":
                made = _core.trunc(made)
            made = made.astype(self.dtype)
        if self.given is None:
            return made if made.flags.c_contiguous else made.copy()
        if made is not self.given:
            self.given[...] = made
        return self.given
