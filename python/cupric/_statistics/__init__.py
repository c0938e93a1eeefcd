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
    nanargmax,
    nanargmin,
    nanprod,
    nansum,
    prod,
    ptp,
    std,
    sum,
    var,
)
from cupric._statistics._covariance import corrcoef, cov
from cupric._statistics._histogram import bincount, digitize, histogram
from cupric._statistics._nan import (
    nancumprod,
    nancumsum,
    nanmax,
    nanmean,
    nanmin,
    nanstd,
    nanvar,
)
from cupric._statistics._order import average, median, nanmedian, percentile, quantile

amax = max
amin = min
alltrue = all
sometrue = any
