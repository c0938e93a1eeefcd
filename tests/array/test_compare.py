"""Comparison with objects that are neither arrays nor numbers."""

import warnings
from unittest import mock

import numpy as np
import pytest

import cupric as cp

OTHERS = [
    None,
    "a",
    b"a",
    np.str_("a"),
    np.bytes_(b"a"),
    object(),
    ...,
    int,
    {},
    {0, 1, 2},
    slice(3),
    [0, 1, 5],
    (0, 1, 2),
    [0.0, 1.5, 2.0],
    [0j, 1j, 2],
    [True, False, True],
    [[0], [1]],
    [[0, 1, 2], [2, 1, 0]],
    [1],
    ["0", "1", "2"],
    ["0", 1, None],
    [None, 1, 2**70],
    [2**63, 1, -1],
    [np.int8(0), 1.0, np.True_],
]


@pytest.mark.parametrize(
    "other", OTHERS, ids=lambda o: "object" if type(o) is object else repr(o)
)
@pytest.mark.parametrize("dtype", "?bHlLefdFD")
def test_equality_with_other_objects(other, dtype):
    n = np.arange(3).astype(dtype)
    x = cp.array(n)
    for expected, result in (
        (n == other, x == other),
        (n != other, x != other),
        (other == n, other == x) if not isinstance(other, np.generic) else (n, x),
    ):
        assert isinstance(result, cp.ndarray)
        np.testing.assert_array_equal(result.get(), np.asarray(expected), strict=True)


def test_lists_that_hold_device_arrays():
    x = cp.arange(3)
    assert (x == [cp.array(0), 1, np.array(3)]).tolist() == [True, True, False]


def test_shapes_and_subclasses():
    assert (cp.zeros((2, 0)) == None).shape == (2, 0)  # noqa: E711
    assert (cp.array(1) != None).tolist() is True  # noqa: E711
    with pytest.raises(ValueError, match="could not be broadcast"):
        _ = cp.arange(3) == [0, 1]
    with pytest.raises(ValueError, match="could not be broadcast"):
        _ = cp.arange(3) == ["a", "b"]
    with pytest.raises(ValueError, match="could not be broadcast"):
        _ = cp.arange(3) != []


@pytest.mark.parametrize("dtype", ["i4,f8", "V3", "m8[s]"])
def test_opaque_elements_equal_no_object(dtype):
    x = cp.zeros(2, dtype)
    assert (x == None).tolist() == [False, False]  # noqa: E711
    assert (x != object()).tolist() == [True, True]


def test_a_mask_of_a_list_selects():
    x = cp.arange(3)
    assert x[x == [0, 5, 2]].tolist() == [0, 2]


def test_classes_with_an_equality_of_their_own_decide():
    class Own:
        def __eq__(self, other):
            return "own"

        def __ne__(self, other):
            return "not own"

    assert (cp.arange(3) == Own()) == "own"
    assert (cp.arange(3) != Own()) == "not own"
    assert (cp.arange(3) == mock.ANY) is True


def test_an_equality_that_raises():
    class Bad:
        def __eq__(self, other):
            raise KeyError("bad")

    with pytest.raises(KeyError, match="bad"):
        _ = cp.arange(3) == Bad()


def test_order_and_numpy_arrays_are_refused():
    x = cp.arange(3)
    for other in (None, "a", [0, 1, 2], object()):
        with pytest.raises(TypeError):
            _ = x < other
    with pytest.raises(TypeError, match="Unsupported type <class 'numpy.ndarray'>"):
        _ = x == np.arange(3)
    assert (x == np.array(1)).tolist() == [False, True, False]


def test_bools_beside_integers_beyond_int64():
    x = cp.array([True, False])
    for n in (2**63, 2**64 - 1, 2**64, 2**80):
        assert (x == n).tolist() == [False, False]
        assert (x < n).tolist() == [True, True]
        assert (n > x).tolist() == [True, True]
        assert (x > -n - 1).tolist() == [True, True]


def test_truth_of_an_empty_array():
    for shape in (0, (3, 0)):
        with pytest.warns(DeprecationWarning, match="Use `array.size > 0`"):
            assert bool(cp.zeros(shape)) is False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning):
            bool(cp.zeros(0))
