"""Calls of ours beside calls of SciPy's, on the same arguments."""

import warnings

import numpy as np
import pytest

import cupric as cp

__all__ = ["agree", "check", "check_error", "numbers"]

# By the dtype of SciPy's result: of its greatest element.
_BOUNDS = {"e": 2e-3, "f": 3e-6, "F": 3e-6}


def numbers(shape, dtype="d", seed=0):
    """Random ones, of integers up to 9."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    elif dtype.kind in "biu":
        x = rng.integers(0, 9, shape)
    return x.astype(dtype)


def _on_device(value):
    """An array of the device, which reads memory by the same strides."""
    if not isinstance(value, np.ndarray):
        return value
    base = value
    while isinstance(base.base, np.ndarray):
        base = base.base
    if base is value or base.dtype != value.dtype or not base.flags.c_contiguous:
        return cp.array(value)
    start = value.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return cp.ndarray(
        value.shape,
        value.dtype,
        memptr=cp.array(base).data + start,
        strides=value.strides,
    )


def check(theirs, ours, *args, bound=None, **kwargs):
    """Whether `ours` gives what `theirs` does: shapes, dtypes and values."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = theirs(*args, **kwargs)
        made = ours(
            *map(_on_device, args), **{k: _on_device(v) for k, v in kwargs.items()}
        )
    if not isinstance(expected, tuple):
        expected, made = (expected,), (made,)
    assert len(made) == len(expected)
    for m, e in zip(made, expected, strict=True):
        agree(m, np.asarray(e), bound)
    return made[0] if len(made) == 1 else made


def agree(made, expected, bound=None):
    """By the size of the greatest element; NaNs and infinities in the same places."""
    if isinstance(made, cp.ndarray):
        made = made.get()
    made = np.asarray(made)
    assert made.shape == expected.shape
    assert made.dtype == expected.dtype
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(made, expected)
        return
    if bound is None:
        bound = _BOUNDS.get(expected.dtype.char, 1e-12)
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(np.isfinite(made), finite)
    np.testing.assert_array_equal(np.isnan(made), np.isnan(expected))
    scale = max(1.0, np.abs(expected[finite]).max(initial=0))
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    difference = made[finite].astype(wide) - expected[finite].astype(wide)
    assert np.abs(difference).max(initial=0) <= bound * scale


def check_error(theirs, ours, *args, match=None, **kwargs):
    """Whether both raise the same type of exception."""
    with pytest.raises(Exception) as expected, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs(*args, **kwargs)
    with pytest.raises(expected.type, match=match):
        ours(*map(_on_device, args), **{k: _on_device(v) for k, v in kwargs.items()})
