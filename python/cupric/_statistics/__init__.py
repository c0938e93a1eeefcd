"""Sums, extremes, moments and order statistics."""

from cupric._core import (
    all,
    any,
    argmax,
    argmin,
    clip,
    count_nonzero,
    cumprod,
    cumsum,
    max,
    mean,
    min,
    nanprod,
    nansum,
    prod,
    ptp,
    std,
    sum,
    var,
)

amax = max
amin = min
alltrue = all
sometrue = any
