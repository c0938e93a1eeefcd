"""Extremes of sparse arrays, and where they are, beside SciPy's."""

import numpy as np
import pytest

import cupric as cp
from cupricx.scipy import sparse

scipy_sparse = pytest.importorskip("scipy.sparse")
from .objects import CLASSES, SHAPES, check_call, pair  # noqa: E402

EXTREMES = ("max", "min", "nanmax", "nanmin")
PLACES = ("argmax", "argmin")


@pytest.mark.parametrize("explicit", [False, True])
@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1), 2, (), 0.5])
@pytest.mark.parametrize("method", [*EXTREMES, *PLACES])
def test_of_objects(method, axis, explicit):
    def f(p, a):
        found = getattr(a, method)(axis=axis, explicit=explicit)
        return found if p.issparse(found) else p.xp.asarray(found)

    for name in CLASSES:
        for dtype in ("f8", "f4", "i4", "u1", "F"):
            for shape in SHAPES:
                # Of all elements, SciPy's place among stored ones is none in the array.
                if method in PLACES and axis in (None, (0, 1)) and explicit:
                    continue
                # An explicit zero: SciPy takes its place among the stored elements.
                a = pair(name, shape, dtype, messy=method in EXTREMES)
                check_call(f, a, where=f"{name} {dtype} {shape}")


def test_places_of_explicit_zeros():
    """The first zero, whether it is stored or not."""
    A = sparse.csr_array(([-1, 0, -2], [0, 3, 4], [0, 3]), shape=(1, 6))
    assert int(A.argmax()) == 1
    assert A.argmax(axis=1).tolist() == [1]
    A = sparse.csr_array(([-1, 0, -2], [0, 1, 3], [0, 3]), shape=(1, 6))
    assert int(A.argmax()) == 1
    assert A.argmax(axis=1).tolist() == [1]


def test_places_of_stored_elements_are_places_in_the_array():
    A = sparse.csr_array(cp.array([[0, -5], [0, -2]]))
    assert int(A.argmax(explicit=True)) == 3
    assert int(A.argmin(explicit=True)) == 1
    assert A.argmax(axis=1, explicit=True).tolist() == [1, 1]


@pytest.mark.parametrize("method", EXTREMES)
def test_nan(method):
    values = np.array([[np.nan, 1.0, 0], [0, np.nan, np.nan], [-1, -2, np.nan]])
    for axis in (None, 0, 1):
        for name in CLASSES:
            theirs = getattr(scipy_sparse, name)(values)
            a = theirs, getattr(sparse, name)(theirs)
            check_call(
                lambda p, x, axis=axis: getattr(x, method)(axis=axis), a, where=name
            )


def test_out_is_refused():
    A = sparse.csr_array(cp.eye(2))
    for method in (*EXTREMES, *PLACES):
        with pytest.raises(ValueError, match="'out'"):
            getattr(A, method)(out=cp.empty(2))


def test_of_many_axes():
    rng = np.random.default_rng(0)
    values = rng.integers(-4, 5, (3, 4, 5)) * (rng.random((3, 4, 5)) < 0.6)
    theirs = scipy_sparse.coo_array(values)
    a = theirs, sparse.coo_array(theirs)
    for method in (*EXTREMES, "argmin"):
        for axis in (None, 0, 1, 2, (0, 1), (0, 2), -1):
            f = lambda p, x: getattr(x, method)(axis=axis)  # noqa: B023, E731
            if method == "argmin" and axis is None:
                assert int(f(None, a[1])) == values.argmin()
            else:
                check_call(f, a, where=f"{method} {axis}")
