"""Counts from outside are looked at before a loop makes an array for each."""

import numpy as np
import pytest

import cupric as cp

HUGE, WIDE = 1 << 62, 1 << 40

# Of an array of no elements and 2**40 rows, which takes no memory, and one of 6.
CALLS = [
    lambda e, x: cp.array_split(x, HUGE),
    lambda e, x: cp.split(cp.zeros(0), HUGE),
    lambda e, x: cp.split(e, WIDE),
    lambda e, x: cp.vsplit(e, WIDE),
    lambda e, x: cp.hsplit(e.T, WIDE),
    lambda e, x: cp.dsplit(e.T[None], WIDE),
    lambda e, x: cp.unstack(e),
    lambda e, x: cp.stack(e),
    lambda e, x: cp.concatenate(e),
    lambda e, x: cp.vstack(e),
    lambda e, x: cp.hstack(e),
    lambda e, x: cp.dstack(e),
    lambda e, x: cp.column_stack(e),
    lambda e, x: cp.hstack(np.zeros((WIDE, 0))),
    lambda e, x: cp.lexsort(e),
    lambda e, x: cp.polyint(x, HUGE),
    lambda e, x: cp.poly1d([1.0, 2.0]).integ(HUGE),
    lambda e, x: cp.poly1d([1.0, 2.0]) ** HUGE,
]


@pytest.mark.parametrize("call", CALLS)
def test_what_no_memory_holds_is_refused_at_once(call):
    with pytest.raises(MemoryError, match="arrays would take .* GiB of the host"):
        call(cp.zeros((WIDE, 0)), cp.arange(6.0))


def test_derivatives_end_when_nothing_is_left():
    for m in (2, 3, 4, HUGE):
        assert cp.polyder(cp.arange(3.0), m).size == max(3 - m, 0)
        for n in (0, 3):  # of no coefficients, too, the dtype is that of products
            x = np.ones(n, bool)
            assert cp.polyder(cp.asarray(x), m).dtype == np.polyder(x, min(m, 9)).dtype
        assert cp.poly1d([1.0, 2, 3]).deriv(m).order == max(2 - m, 0)


def test_what_is_many_and_fits():
    assert len(cp.array_split(cp.zeros(3), 100_000)) == 100_000
    assert len(cp.unstack(cp.zeros((70_000, 0)))) == 70_000
