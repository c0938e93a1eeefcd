"""The places of triangles beside NumPy's."""

import numpy as np
import pytest

import cupric as cp


@pytest.mark.parametrize("name", ["tril_indices", "triu_indices"])
@pytest.mark.parametrize(
    ("n", "m"), [(1, 1), (3, 3), (4, 9), (9, 4), (0, 3), (3, 0), (1, 7), (300, 211)]
)
def test_places(name, n, m):
    for k in (-n - 1, -n, -2, -1, 0, 1, 2, m - 1, m, m + 1):
        got, expected = getattr(cp, name)(n, k, m), getattr(np, name)(n, k, m)
        for x, a in zip(got, expected, strict=True):
            assert x.dtype == a.dtype
            np.testing.assert_array_equal(x.get(), a)
        a = np.zeros((n, m))
        got = getattr(cp, name + "_from")(cp.array(a), k)
        expected = getattr(np, name + "_from")(a, k)
        for x, b in zip(got, expected, strict=True):
            np.testing.assert_array_equal(x.get(), b)
