"""What arguments of a design have to be."""

import operator

import numpy as np

__all__ = ["filter_order", "number", "polynomial", "sampling_frequency", "sections"]


def number(value, name):
    """A float, of what is one number."""
    if np.ndim(value) != 0:
        raise ValueError(
            f"{name} must be a single scalar, not of shape {np.shape(value)}"
        )
    return float(value)


def sampling_frequency(fs, *, optional=True):
    """The sampling frequency as a float, or None where it may be."""
    if fs is None:
        if optional:
            return None
        raise ValueError("Sampling frequency fs cannot be None")
    return number(fs, "Sampling frequency fs")


def filter_order(N):
    """The order as an int: a float that is one, too."""
    try:
        order = operator.index(N)
    except TypeError:
        order = -1 if float(N) != int(N) else int(N)
    if order < 0:
        raise ValueError(f"Filter order must be a nonnegative integer, not {N!r}")
    return order


def polynomial(c, name):
    """Coefficients as an array of one axis, of float64 or complex128."""
    c = np.atleast_1d(c)
    if c.ndim != 1:
        raise ValueError(
            f"Parameter {name} is not a 1d array since its shape is {c.shape}"
        )
    return c.astype(np.result_type(c.dtype, np.float64))


def sections(sos):
    """Second-order sections as an array of shape (n, 6), of float64 or complex128."""
    sos = np.asarray(sos)
    if sos.ndim != 2 or sos.shape[1] != 6:
        raise ValueError(f"sos must be of shape (n_sections, 6), not {sos.shape}")
    return sos.astype(np.result_type(sos.dtype, np.float64))
