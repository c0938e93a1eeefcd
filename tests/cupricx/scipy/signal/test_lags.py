"""Lags of correlations, against scipy.signal."""

import pytest
from tests.cupricx.scipy.signal.against_scipy import check, check_error

from cupricx.scipy.signal import correlation_lags

theirs = pytest.importorskip("scipy.signal").correlation_lags


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_lags(mode):
    for m in range(9):
        for n in range(1, 9):
            check(theirs, correlation_lags, m, n, mode)
    check(theirs, correlation_lags, 0, 0, mode)


def test_errors():
    check_error(theirs, correlation_lags, 3, 2, "x", match="Mode x is invalid")
