"""Sparse arrays of random elements."""

import math

import numpy as np
import pytest
import scipy.sparse

import cupric as cp
from cupricx.scipy import sparse


@pytest.mark.parametrize("density", [0, 0.01, 0.2, 0.3, 0.99, 1])
@pytest.mark.parametrize("shape", [(30, 40), (1, 7), (0, 5), (11,), (3, 4, 5)])
def test_number_and_places(density, shape):
    expected = scipy.sparse.random_array(shape, density=density)
    found = sparse.random_array(shape, density=density, rng=3)
    assert type(found) is sparse.coo_array
    assert (found.shape, found.nnz) == (shape, expected.nnz)
    assert found.dtype == expected.dtype
    places = np.ravel_multi_index([c.get() for c in found.coords], shape)
    assert (np.diff(places) > 0).all()
    assert found.nnz == 0 or 0 <= places.min() <= places.max() < math.prod(shape)
    assert found.has_canonical_format


def test_every_place_is_as_probable():
    """Of both ways of drawing: 4 of 30 places, and 12 of them."""
    for count in (4, 12):
        times, rng = 1500, cp.random.default_rng(1)
        found = np.zeros(30)
        for _ in range(times):
            made = sparse.random_array((30,), density=count / 30, rng=rng)
            found[made.coords[0].get()] += 1
        p = count / 30
        assert abs(found - times * p).max() < 5 * math.sqrt(times * p * (1 - p))


@pytest.mark.parametrize("dtype", "?bBhHiIlLefdFD")
def test_values(dtype):
    found = sparse.random_array((50, 50), density=0.5, dtype=dtype, rng=0)
    assert found.dtype == np.dtype(dtype)
    values = found.data.get()
    if values.dtype.kind in "iu":
        ends = np.iinfo(dtype)
        assert values.min() < ends.min + 0.05 * (ends.max - float(ends.min))
        assert values.max() > ends.max - 0.05 * (ends.max - float(ends.min))
    elif values.dtype.kind == "b":
        assert values.all()
    else:
        for part in (values.real, values.imag)[: 2 if values.dtype.kind == "c" else 1]:
            assert 0 <= part.min() < 0.05
            assert 0.95 < part.max() <= 1


def test_seeds_and_generators():
    first = sparse.random_array((20, 20), density=0.1, rng=5)
    for again in (
        sparse.random_array((20, 20), density=0.1, random_state=5),
        sparse.random_array((20, 20), density=0.1, rng=cp.random.default_rng(5)),
        sparse.random(20, 20, 0.1, rng=5),
        sparse.rand(20, 20, 0.1, random_state=5),
    ):
        np.testing.assert_array_equal(again.toarray().get(), first.toarray().get())
    state = cp.random.RandomState(5)
    made = sparse.random(20, 20, 0.1, random_state=state)
    other = sparse.random(20, 20, 0.1, random_state=state)
    assert made.nnz == other.nnz == 40
    assert made.toarray().tolist() != other.toarray().tolist()
    with pytest.raises(TypeError, match="on the device"):
        sparse.random(3, 3, random_state=np.random.default_rng())
    with pytest.raises(TypeError, match="the same"):
        sparse.random(3, 3, rng=1, random_state=1)


def test_classes_formats_and_samplers():
    found = sparse.random(5, 6, 0.5, "csr", "f4")
    assert (type(found), found.dtype) == (sparse.csr_matrix, np.float32)
    assert type(sparse.rand(5, 6, 0.5, "csc")) is sparse.csc_matrix
    assert type(sparse.random_array((5,), format="csr")) is sparse.csr_array
    ones = sparse.random(5, 6, 0.5, data_rvs=cp.ones)
    assert ones.data.tolist() == [1] * 15
    made = sparse.random_array(
        (5, 6), density=0.5, dtype="i4", data_sampler=lambda size: np.full(size, 7)
    )
    assert (made.dtype, made.data.tolist()) == (np.int32, [7] * 15)


def test_errors():
    for density in (-0.1, 1.5):
        with pytest.raises(ValueError, match="density"):
            sparse.random_array((3, 4), density=density)
    with pytest.raises(ValueError, match="shape"):
        sparse.random(3, 4, 0.5, data_rvs=lambda n: cp.ones(n + 1))
    with pytest.raises(TypeError):
        sparse.random_array((3.5, 4))


def test_large_shapes():
    """Places that int32 does not hold."""
    found = sparse.random_array((10**6, 10**6), density=1e-9, rng=0)
    assert (found.nnz, found.row.dtype) == (1000, np.int32)
    wide = sparse.random_array((3, 2**33), density=1e-7, rng=0)
    assert wide.col.dtype == np.int64
    assert int(wide.col.max()) > 2**32
