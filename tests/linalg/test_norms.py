"""Norms and condition numbers of no elements, of NaN, and of arrays of the host."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import linalg as slinalg

ORDERS = (None, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 0, np.inf, -np.inf, "fro", "nuc")
EMPTY = {
    (0,): (None, 0),
    (0, 3): (0, 1, None, (0, 1), (1, 0)),
    (3, 0): (0, 1, None, (0, 1), (1, 0)),
    (2, 0, 3): ((0, 1), (1, 2), (0, 2), 1),
}


def outcome(call):
    try:
        return call()
    except ValueError as error:
        return type(error)


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("order", ORDERS)
def test_of_no_elements(order):
    """What NumPy gives: a negative order makes 0 infinite."""
    for shape, axes in EMPTY.items():
        for axis in axes:
            for keep in (False, True):
                expected = outcome(
                    lambda: np.linalg.norm(np.zeros(shape), order, axis, keep)  # noqa: B023
                )
                found = outcome(
                    lambda: cp.linalg.norm(cp.zeros(shape), order, axis, keep)  # noqa: B023
                )
                if isinstance(expected, type):
                    assert found is expected
                    continue
                assert found.shape == expected.shape
                np.testing.assert_array_equal(found.get(), expected)
    assert cp.linalg.vector_norm(cp.zeros(0), ord=-1) == np.inf


@pytest.mark.parametrize("shape", [(3, 2, 2), (3, 9, 9), (3, 40, 30)])
def test_a_matrix_with_nan_is_one_of_a_stack(shape):
    x = np.random.default_rng(0).random(shape)
    x[1, 0, 0] = np.nan
    y = cp.array(x)
    for order in ("nuc", 2, -2):
        found = cp.linalg.matrix_norm(y, ord=order).get()
        expected = np.linalg.matrix_norm(x[::2], ord=order)
        np.testing.assert_allclose(found[::2], expected)
        assert np.isnan(found[1])
        assert cp.isnan(cp.linalg.norm(y[1], order))
    for order in (None, 2, -2):
        found = cp.linalg.cond(y, order).get()
        np.testing.assert_allclose(found[::2], np.linalg.cond(x[::2], order))
        assert np.isnan(found[1])
    with pytest.raises(np.linalg.LinAlgError, match="converge"):
        cp.linalg.svd(y)


def test_arrays_of_the_host_are_copied():
    a = np.random.default_rng(1).random((4, 4))
    for order in (None, 1, "fro"):
        found = cp.linalg.cond(a, order)
        assert isinstance(found, cp.ndarray)
        np.testing.assert_allclose(found.get(), np.linalg.cond(a, order))
    assert slinalg.bandwidth(np.tril(a)) == (3, 0)
    expected = slinalg.khatri_rao(cp.array(a), cp.array(a)).get()
    for given in ((a, a), (cp.array(a), a), (a, cp.array(a))):
        found = slinalg.khatri_rao(*given)
        assert isinstance(found, cp.ndarray)
        np.testing.assert_array_equal(found.get(), expected)


@pytest.mark.parametrize("dtype", "fdFDi")
@pytest.mark.parametrize(
    "shape", [(4, 3), (3, 4), (2, 5, 5), (60, 30), (0, 3), (3, 0), (2, 0, 3)]
)
def test_raw_qr(shape, dtype):
    """LAPACK's reflectors and scales: signs and all."""
    a = np.random.default_rng(2).random(shape) * 9
    a = (a + 1j if dtype in "FD" else a).astype(dtype)
    expected, found = np.linalg.qr(a, "raw"), cp.linalg.qr(cp.array(a), "raw")
    assert type(found) is tuple
    limit = 1e-4 if dtype in "fF" else 1e-12
    for x, y in zip(expected, found, strict=True):
        assert x.shape == y.shape
        assert x.dtype == y.dtype
        np.testing.assert_allclose(y.get(), x, rtol=limit, atol=limit)
    with pytest.raises(ValueError, match="Unrecognized mode 'row'"):
        cp.linalg.qr(cp.array(a), "row")


def test_einsum_of_an_operand_as_it_is_gives_a_view():
    x = cp.arange(6.0).reshape(2, 3)
    for given in (("ij->ij", x), ("i...->i...", x), ("ij", x), (x, [0, 1], [0, 1])):
        for order in "KC":
            found = cp.einsum(*given, order=order)
            assert found is not x
            assert cp.shares_memory(found, x)
            assert (found == x).all()
    found = cp.einsum("ij->ij", x)
    found.shape = (3, 2)
    assert x.shape == (2, 3)
