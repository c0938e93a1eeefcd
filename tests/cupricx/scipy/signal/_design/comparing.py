"""What tests of designs share: comparison with SciPy's results."""

import warnings

import numpy as np
import pytest

import cupric as cp


def agree(made, expected, bound=1e-12):
    """Arrays of the device, of the same dtypes and shapes, by the size of the greatest
    element; or numbers, or tuples of both."""
    if isinstance(expected, (tuple, list)):
        assert isinstance(made, (tuple, list))
        assert len(made) == len(expected)
        for m, e in zip(made, expected, strict=True):
            agree(m, e, bound)
        return
    if isinstance(expected, np.ndarray) and expected.ndim:
        assert isinstance(made, cp.ndarray), type(made)
        assert made.shape == expected.shape
        assert made.dtype == expected.dtype
        made = made.get()
    else:
        assert not isinstance(made, (cp.ndarray, np.ndarray)), type(made)
    near(made, expected, bound)


def near(made, expected, bound=1e-12):
    made, expected = np.asarray(made), np.asarray(expected)
    assert made.shape == expected.shape
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(made[~finite], expected[~finite])
    scale = np.abs(expected[finite]).max(initial=0)
    assert np.abs(made - expected)[finite].max(initial=0) <= bound * scale


def same_roots(made, expected, bound=1e-12):
    """Roots in any order, each near the one that it is paired with."""
    assert isinstance(made, cp.ndarray)
    assert made.shape == expected.shape
    rest = list(made.get())
    for root in expected:
        nearest = int(np.argmin(np.abs(np.array(rest) - root)))
        assert abs(rest.pop(nearest) - root) <= bound * max(abs(root), 1e-3)


def same_error(ours, theirs, *args, **kwargs):
    """Both functions raise an error of the same type."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(Exception) as expected:
            theirs(*args, **kwargs)
        with pytest.raises(expected.type) as found:
            ours(*args, **kwargs)
    assert found.type is expected.type
    return str(found.value)
