"""NumPy's assertions, for arrays on a device as well.

Arguments are those of the functions of the same name in `numpy.testing`: arrays of
either kind, nested lists and scalars. A failed assertion raises AssertionError, with
NumPy's description of the difference.
"""

import numpy as np

from cupric import _core

__all__ = [
    "assert_allclose",
    "assert_array_almost_equal",
    "assert_array_almost_equal_nulp",
    "assert_array_equal",
    "assert_array_less",
    "assert_array_list_equal",
    "assert_array_max_ulp",
]


def assert_allclose(
    actual,
    desired,
    rtol=1e-7,
    atol=0,
    equal_nan=True,
    err_msg="",
    verbose=True,
    *,
    strict=False,
):
    """Elements differ by at most ``atol + rtol * abs(desired)``.

    Examples
    --------
    >>> cupric.testing.assert_allclose(cupric.ones(3), [1, 1, 1])
    """
    np.testing.assert_allclose(
        _core.asnumpy(actual),
        _core.asnumpy(desired),
        _core.asnumpy(rtol),
        _core.asnumpy(atol),
        equal_nan,
        err_msg,
        verbose,
        **_strict(strict),
    )


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    """Elements are the same up to a number of decimals."""
    np.testing.assert_array_almost_equal(
        _core.asnumpy(actual), _core.asnumpy(desired), decimal, err_msg, verbose
    )


def assert_array_almost_equal_nulp(x, y, nulp=1):
    """Elements are at most `nulp` floating-point numbers apart, by their spacing."""
    np.testing.assert_array_almost_equal_nulp(_core.asnumpy(x), _core.asnumpy(y), nulp)


def assert_array_max_ulp(a, b, maxulp=1, dtype=None):
    """Elements are at most `maxulp` floating-point numbers apart.

    Returns
    -------
    numpy.ndarray
        How many they are apart.
    """
    return np.testing.assert_array_max_ulp(
        _core.asnumpy(a), _core.asnumpy(b), maxulp, dtype
    )


def assert_array_equal(
    actual, desired, err_msg="", verbose=True, *, strict=False, strides_check=False
):
    """Shapes and elements are the same, NaN like NaN.

    Parameters
    ----------
    strict : bool
        Dtypes too, and a scalar is not an array of equal elements.
    strides_check : bool
        Strides too.

    Examples
    --------
    >>> cupric.testing.assert_array_equal(cupric.arange(3), [0, 1, 2])
    """
    np.testing.assert_array_equal(
        _core.asnumpy(actual),
        _core.asnumpy(desired),
        err_msg,
        verbose,
        **_strict(strict),
    )
    if strides_check and actual.strides != desired.strides:
        raise AssertionError(
            f"{err_msg}\nStrides differ: {actual.strides} and {desired.strides}"
        )


def assert_array_list_equal(xlist, ylist, err_msg="", verbose=True):
    """Two sequences hold the same arrays, one by one."""
    if len(xlist) != len(ylist):
        raise AssertionError(f"List lengths differ: {len(xlist)} and {len(ylist)}")
    for x, y in zip(xlist, ylist, strict=True):
        assert_array_equal(x, y, err_msg, verbose)


def assert_array_less(x, y, err_msg="", verbose=True, *, strict=False):
    """Every element of `x` is less than that of `y`."""
    np.testing.assert_array_less(
        _core.asnumpy(x), _core.asnumpy(y), err_msg, verbose, **_strict(strict)
    )


def _strict(strict):
    """NumPy before 2.0 has the keyword for some of the functions only."""
    return {"strict": True} if strict else {}
