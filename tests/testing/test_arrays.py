"""cupric.testing's arrays of known content."""

import importlib.util

import numpy as np
import pytest
import scipy.sparse

from cupric import testing


@pytest.mark.parametrize("kind", ["coo", "csr", "csc"])
def test_sparse_matrices(kind):
    given = {"dtype": "f8", "density": 0.25, "format": kind, "seed": 3}
    a = testing.shaped_sparse_random((8, 6), scipy.sparse, **given)
    assert (a.shape, a.nnz, a.dtype, a.format) == ((8, 6), 12, np.float64, kind)
    again = testing.shaped_sparse_random((8, 6), scipy.sparse, **given)
    np.testing.assert_array_equal(a.toarray(), again.toarray())
    assert 0 < a.data.min() < a.data.max() < 1


def test_sparse_matrices_of_this_package():
    try:
        there_is = importlib.util.find_spec("cupricx.scipy.sparse") is not None
    except ModuleNotFoundError:
        there_is = False
    if there_is:
        assert testing.shaped_sparse_random((8, 6)).shape == (8, 6)
    else:
        with pytest.raises(NotImplementedError, match=r"sp=scipy\.sparse"):
            testing.shaped_sparse_random((8, 6))
