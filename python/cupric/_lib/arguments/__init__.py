"""Reading the arguments of SciPy's functions."""

from cupric._lib.arguments._reading import (
    Output,
    array,
    axes,
    axis,
    complex_dtype,
    float_dtype,
    integer,
    per_axis,
    small,
    unsupported,
)

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
