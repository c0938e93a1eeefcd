"""Rows that are long enough for the host to sort and to search them in another way."""

import numpy as np
import pytest

import cupric as cp

N = 30_000


def _rows():
    draw = np.random.default_rng(2)
    words = draw.integers(0, 2**64, N, dtype=np.uint64)
    few = words % np.uint64(7)
    return {
        "random": words,
        "neighbours": words >> np.uint64(20) << np.uint64(20) | few,
        # What the highest digits share: few, some hundreds, or most of the row.
        "pairs": np.repeat(words[: N // 2], 2) ^ few,
        "groups": np.repeat(words[:60], N // 60) ^ (words >> np.uint64(40)),
        "alike": (words >> np.uint64(40)) + (few << np.uint64(61)),
        "signed": words.view(np.int64),
        "floats": draw.standard_normal(N),
        "zeros": np.where(few == 0, -0.0, draw.standard_normal(N).round(1)),
        "nans": np.where(few == 1, np.nan, draw.standard_normal(N)),
    }


@pytest.mark.parametrize("name", sorted(_rows()))
def test_argsort_is_stable(name):
    x = _rows()[name]
    assert (cp.argsort(cp.asarray(x)).get() == np.argsort(x, kind="stable")).all()


@pytest.mark.parametrize("dtype", "bHilfd")
@pytest.mark.parametrize("length", [0, 1, 2, 3, 100, 1000])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(dtype, length, side):
    draw = np.random.default_rng(length)
    among = (draw.standard_normal(length) * 40).astype("b")
    values = (draw.standard_normal(300) * 40).astype("b")
    among, values = np.sort(among.astype(dtype)), values.astype(dtype).reshape(3, 100)
    if dtype in "fd":
        values[0, ::7] = np.nan
        among[length - length // 9 :] = np.nan
    for v in (values, values.T, values[:, ::3], values[0, 1]):
        have = cp.searchsorted(cp.asarray(among), cp.asarray(v), side)
        assert (have.get() == np.searchsorted(among, v, side)).all()
