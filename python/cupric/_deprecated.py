"""Names that NumPy 2 removed, and CuPy still has: what they mean, and what to write.

Loaded when one of them is asked for.
"""

import sys
import warnings

import numpy as np

from cupric import _core
from cupric._creation._from_data import asarray
from cupric._lacking import missing_attribute
from cupric._manipulation._sets import isin
from cupric._math import round, trapezoid
from cupric._statistics import cumprod, prod

__all__ = [
    "ALIASES",
    "REMOVED",
    "find",
]


def asfarray(a, dtype=np.float64):
    """`a` as an array of floats: of `dtype`, or float64 where that holds none."""
    dtype = np.dtype(dtype)
    return asarray(a, dtype if dtype.kind in "fc" else np.float64)


def byte_bounds(a):
    """The addresses of the first byte of an array, and of the one behind its last."""
    low = high = a.data.ptr
    if a.size == 0:
        return low, high
    for n, stride in zip(a.shape, a.strides, strict=True):
        if stride < 0:
            low += (n - 1) * stride
        else:
            high += (n - 1) * stride
    return low, high + a.itemsize


def in1d(ar1, ar2, assume_unique=False, invert=False):
    """`isin` of the flattened `ar1`."""
    return isin(ar1, ar2, assume_unique, invert).ravel()


def obj2sctype(rep, default=None):
    """The scalar type that `rep`, a type, a dtype or an array, stands for."""
    if isinstance(rep, type) and issubclass(rep, np.generic):
        return rep
    try:
        return np.dtype(getattr(rep, "dtype", rep)).type
    except (TypeError, ValueError):
        return default


def issctype(rep):
    """Whether `rep`, a type or a dtype, stands for a scalar type other than object."""
    if not isinstance(rep, type | np.dtype):
        return False
    return obj2sctype(rep) not in (None, np.object_)


def issubclass_(arg1, arg2):
    """`issubclass`, False for what is no class."""
    try:
        return issubclass(arg1, arg2)
    except TypeError:
        return False


def issubsctype(arg1, arg2):
    """Whether the scalar type of `arg1` is one of those of `arg2`."""
    return issubclass(obj2sctype(arg1), obj2sctype(arg2))


def sctype2char(sctype):
    """The character of a scalar type."""
    kind = obj2sctype(sctype)
    if kind is None:
        raise ValueError(f"no scalar type: {sctype!r}")
    return np.dtype(kind).char


def who(vardict=None):
    """Print name, shape, size in bytes and dtype of the arrays in a dictionary.

    Without one, of the variables of the module that calls.
    """
    if vardict is None:
        vardict = sys._getframe(1).f_globals
    rows = [
        (name, " x ".join(map(str, a.shape)), str(a.nbytes), a.dtype.name)
        for name, a in vardict.items()
        if isinstance(a, _core.ndarray | np.ndarray)
    ]
    heads = ("Name", "Shape", "Bytes", "Type")
    widths = [max(map(len, column)) + 4 for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        cells = zip(row, widths, strict=True)
        print("".join(cell.ljust(width) for cell, width in cells).rstrip())


# name: (what it is, what to write instead, after "use")
ALIASES = {
    "DataSource": (np.lib.npyio.DataSource, "numpy.lib.npyio.DataSource"),
    "Inf": (np.inf, "cupric.inf"),
    "Infinity": (np.inf, "cupric.inf"),
    "NINF": (-np.inf, "-cupric.inf"),
    "NZERO": (-0.0, "-0.0"),
    "NaN": (np.nan, "cupric.nan"),
    "PINF": (np.inf, "cupric.inf"),
    "PZERO": (0.0, "0.0"),
    "asfarray": (asfarray, "cupric.asarray(a, dtype=float)"),
    "byte_bounds": (byte_bounds, "a.data.ptr and a.nbytes"),
    "cfloat": (np.complex128, "cupric.complex128"),
    "complex_": (np.complex128, "cupric.complex128"),
    "cumproduct": (cumprod, "cupric.cumprod"),
    "float_": (np.float64, "cupric.float64"),
    "format_parser": (np.rec.format_parser, "numpy.rec.format_parser"),
    "in1d": (in1d, "cupric.isin"),
    "infty": (np.inf, "cupric.inf"),
    "issctype": (issctype, "issubclass(rep, cupric.generic)"),
    "issubclass_": (issubclass_, "issubclass"),
    "issubsctype": (issubsctype, "cupric.issubdtype"),
    "obj2sctype": (obj2sctype, "cupric.dtype(rep).type"),
    "product": (prod, "cupric.prod"),
    "round_": (round, "cupric.round"),
    "sctype2char": (sctype2char, "cupric.dtype(sctype).char"),
    "singlecomplex": (np.complex64, "cupric.complex64"),
    "trapz": (trapezoid, "cupric.trapezoid"),
    "who": (who, "the list of variables of your editor or notebook"),
}

# Those that CuPy names, too, but that only raise there.
REMOVED = {
    "disp": "print",
    "find_common_type": "cupric.promote_types or cupric.result_type",
    "get_array_wrap": "cupric.asarray",
    "safe_eval": "ast.literal_eval",
    "set_string_function": "cupric.set_printoptions(formatter=...)",
}


def find(name):
    """What `cupric.name` is, with a warning to the caller's caller; else raises."""
    if name in ALIASES:
        meant, instead = ALIASES[name]
        warnings.warn(
            f"`cupric.{name}` was removed in NumPy 2.0: use {instead}",
            DeprecationWarning,
            stacklevel=3,
        )
        return meant
    if name in REMOVED:
        raise AttributeError(
            f"`cupric.{name}` was removed in NumPy 2.0: use {REMOVED[name]}"
        )
    raise missing_attribute("cupric", name)
