"""Parameters of the distributions with kernels of their own (`_kernels`), and drawing
from them, one launch a call.

Parameters that come from the host are checked, as NumPy checks them. Arrays of a device
are not checked, since that would wait for the device: invalid ones give NaN, or -1 for
integers.
"""

import functools

import numpy as np

from cupric import _core
from cupric._manipulation._args import where_it_lives
from cupric.random._arguments import float_dtype, read_shape

__all__ = [
    "Draws",
    "common_shape",
    "kernels",
    "on_device",
    "read_parameters",
]

_TESTS = {
    "> 0": lambda v: (v > 0) | (v != v),  # NaN gives NaN, as in NumPy
    ">= 0": lambda v: (v >= 0) | (v != v),
    "a number > 0": lambda v: v > 0,
    "> 1": lambda v: v > 1,
    "in [0, 1]": lambda v: (v >= 0) & (v <= 1),
    "in (0, 1]": lambda v: (v > 0) & (v <= 1),
    "in [0, 1)": lambda v: (v >= 0) & (v < 1),
    "in [0, 2**63)": lambda v: (v >= 0) & (v < 2.0**63),
    "an integer in [0, 2**63)": lambda v: (v >= 0) & (v == np.floor(v)),
    "a number": lambda v: v == v,
}

_COUNT = "an integer in [0, 2**63)"

# The parameters of each distribution, and what they must be.
_PARAMETERS = {
    "beta": {"a": "> 0", "b": "> 0"},
    "binomial": {"n": "an integer in [0, 2**63)", "p": "in [0, 1]"},
    "chisquare": {"df": "> 0"},
    "dirichlet": {"alpha": ">= 0"},
    "f": {"dfnum": "> 0", "dfden": "> 0"},
    "gamma": {"shape": ">= 0", "scale": ">= 0"},
    "geometric": {"p": "in (0, 1]"},
    "hypergeometric": {
        "ngood": "an integer in [0, 2**63)",
        "nbad": "an integer in [0, 2**63)",
        "nsample": "an integer in [0, 2**63)",
    },
    "logseries": {"p": "in [0, 1)"},
    "multinomial": {"n": "an integer in [0, 2**63)", "pvals": "in [0, 1]"},
    "negative_binomial": {"n": "a number > 0", "p": "in (0, 1]"},
    "noncentral_chisquare": {"df": "> 0", "nonc": ">= 0"},
    "noncentral_f": {"dfnum": "> 0", "dfden": "> 0", "nonc": ">= 0"},
    "poisson": {"lam": "in [0, 2**63)"},
    "standard_t": {"df": "> 0"},
    "vonmises": {"mu": "a number", "kappa": ">= 0"},
    "wald": {"mean": "> 0", "scale": "> 0"},
    "zipf": {"a": "> 1"},
}


def read_parameters(name, values):
    """Parameters as floats and arrays of the device; those of the host are checked."""
    read = []
    for (parameter, wanted), value in zip(
        _PARAMETERS[name].items(), values, strict=True
    ):
        if isinstance(value, _core.ndarray):
            if value.dtype.kind == "c":
                raise TypeError(f"{name}: {parameter} cannot be {value.dtype}")
            read.append(value)
            continue
        if wanted == _COUNT:
            _check_count(name, parameter, value)
        if type(value) in (float, int) and _TESTS[wanted](value):
            read.append(float(value))
            continue
        given = _as_floats(name, parameter, value)
        fits = np.asarray(_TESTS[wanted](given))
        if not fits.all():
            wrong = given[~fits].ravel()[0]
            raise ValueError(f"{name}: {parameter} must be {wanted}, not {wrong}")
        read.append(float(given) if given.ndim == 0 else given)
    return read


def _as_floats(name, parameter, value):
    given = np.asarray(value)
    if given.dtype == object and any(v is None for v in given.ravel()):
        raise TypeError(f"{name}: {parameter} must be a number, not None")
    if given.dtype.kind in "SU" and given.ndim == 0:
        raise TypeError(f"{name}: {parameter} must be a number, not {value!r}")
    return np.asarray(value, dtype=np.float64)


def _check_count(name, parameter, value):
    """Of what int64 cannot hold, which a float does not tell from what it can."""
    if type(value) is int:
        is_large = value >= 2**63
    else:
        given = np.asarray(value)
        is_large = given.dtype.kind in "uf" and (given >= 2**63).any()
    if is_large:
        raise OverflowError(f"{name}: {parameter} must be {_COUNT}, not {value}")


def on_device(values):
    return [_core.array(v) if isinstance(v, np.ndarray) else v for v in values]


def common_shape(size, *shapes):
    """The shape of a result: of parameters that are broadcast, or `size`."""
    common = _core.broadcast_shapes(*shapes)
    if size is None:
        return common
    if _core.broadcast_shapes(common, size) != size:
        raise ValueError(
            f"parameters of shape {common} do not broadcast to the size {size}"
        )
    return size


def _real_dtype(given):
    """The dtype of results, to which numbers are cast as `astype` does it."""
    dtype = np.dtype(given)
    if dtype.kind not in "iub":
        return float_dtype(given)
    return dtype


@functools.cache
def kernels():
    """At the first draw: the text of the kernels is read then."""
    from cupric.random import _kernels

    return _kernels


class Draws:
    """Numbers of a distribution by its name; `_bits` is a BitGenerator."""

    def _floats(self, name, size, dtype, values, out=None):
        dtype = float_dtype(dtype) if dtype is float else _real_dtype(dtype)
        made_as = dtype
        if dtype.kind in "iub":
            made_as = np.dtype(np.float64)
        elif dtype.itemsize < 4:
            made_as = np.dtype(np.float32)
        return self._draw(name, size, dtype, made_as, values, out)

    def _counts(self, name, size, dtype, values):
        dtype = _real_dtype(dtype)
        made_as = dtype if dtype.char in "il" else np.dtype(np.int64)
        return self._draw(name, size, dtype, made_as, values)

    @where_it_lives
    def _draw(self, name, size, dtype, made_as, values, out=None):
        values = on_device(values)
        shape = read_shape(size)
        if out is not None:
            if shape is not None and shape != out.shape:
                raise ValueError("size must match out.shape when used together")
            if (
                out.dtype != dtype
                or not out.flags.c_contiguous
                or not out.flags.writeable
            ):
                raise ValueError(
                    "out must be a writeable C-contiguous array of the dtype asked"
                )
            shape = out.shape
        arrays = [v.shape for v in values if isinstance(v, _core.ndarray)]
        if arrays:
            shape = common_shape(shape, *arrays)
        elif shape is None:
            shape = ()
        direct = out is not None and made_as is dtype
        made = out if direct else _core.empty(shape, made_as)
        kernels().fill(name, made, self._bits._next_place(), values)
        if out is None:
            return made if made_as is dtype else made.astype(dtype, copy=False)
        if not direct:
            out[...] = made
        return out
