"""Functions of elements that are no ufuncs, and sums and windows of NumPy's."""

from cupric._core import around, round
from cupric._math._calculus import (
    cumulative_prod,
    cumulative_sum,
    gradient,
    interp,
    trapezoid,
    unwrap,
)
from cupric._math._parts import (
    angle,
    i0,
    imag,
    nan_to_num,
    real,
    real_if_close,
    sinc,
)
from cupric._math._windows import (
    bartlett,
    blackman,
    hamming,
    hanning,
    kaiser,
)

__all__ = [
    "angle",
    "around",
    "bartlett",
    "blackman",
    "cumulative_prod",
    "cumulative_sum",
    "gradient",
    "hamming",
    "hanning",
    "i0",
    "imag",
    "interp",
    "kaiser",
    "nan_to_num",
    "real",
    "real_if_close",
    "round",
    "sinc",
    "trapezoid",
    "unwrap",
]
