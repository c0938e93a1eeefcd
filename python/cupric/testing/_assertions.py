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
    """Assert that elements differ by at most ``atol + rtol * abs(desired)``.

    Parameters
    ----------
    actual, desired : array_like
        Of a device, or of NumPy. Shapes are the same, or one is a scalar's.
    rtol, atol : float, optional
        Relative and absolute tolerance.
    equal_nan : bool, optional
        NaN equals NaN.
    err_msg : str, optional
        Is part of the error's message.
    verbose : bool, optional
        The values are part of the error's message.
    strict : bool, optional
        Shapes and dtypes have to be the same, a scalar's too. NumPy 2.0 is needed.

    Raises
    ------
    AssertionError
        An element differs by more; the message counts them and shows the largest
        difference.

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
    """Assert that elements differ by less than ``1.5 * 10**-decimal``.

    Parameters
    ----------
    actual, desired : array_like
        Of a device, or of NumPy. Shapes are the same, or one is a scalar's.
    decimal : int, optional
        How many decimal places are compared.
    err_msg : str, optional
        Is part of the error's message.
    verbose : bool, optional
        The values are part of the error's message.

    Raises
    ------
    AssertionError
        An element differs by more.

    Examples
    --------
    >>> pi = cupric.array([3.14159265])
    >>> cupric.testing.assert_array_almost_equal(pi, [3.1416], decimal=4)
    """
    np.testing.assert_array_almost_equal(
        _core.asnumpy(actual), _core.asnumpy(desired), decimal, err_msg, verbose
    )


def assert_array_almost_equal_nulp(x, y, nulp=1):
    """Assert that elements differ by at most `nulp` spacings of the larger one.

    Parameters
    ----------
    x, y : array_like
        Of a device, or of NumPy; floating or complex.
    nulp : int, optional
        The number of units in the last place, ``spacing(max(abs(x), abs(y)))``.

    Raises
    ------
    AssertionError
        An element differs by more.

    See Also
    --------
    assert_array_max_ulp : Counts the numbers between the two.

    Examples
    --------
    >>> x = cupric.ones(3)
    >>> cupric.testing.assert_array_almost_equal_nulp(x, x + 2.0**-52)
    """
    np.testing.assert_array_almost_equal_nulp(_core.asnumpy(x), _core.asnumpy(y), nulp)


def assert_array_max_ulp(a, b, maxulp=1, dtype=None):
    """Assert that elements are at most `maxulp` floating-point numbers apart.

    Parameters
    ----------
    a, b : array_like
        Of a device, or of NumPy; floating.
    maxulp : int, optional
        How many representable numbers they may be apart.
    dtype : data-type, optional
        They are converted to it first.

    Returns
    -------
    numpy.ndarray
        How many numbers each pair is apart.

    Raises
    ------
    AssertionError
        A pair is farther apart.

    Examples
    --------
    >>> x = cupric.ones(2)
    >>> float(cupric.testing.assert_array_max_ulp(x, x + 2.0**-52).max())
    1.0
    """
    return np.testing.assert_array_max_ulp(
        _core.asnumpy(a), _core.asnumpy(b), maxulp, dtype
    )


def assert_array_equal(
    actual, desired, err_msg="", verbose=True, *, strict=False, strides_check=False
):
    """Assert that shapes and elements are the same, NaN like NaN.

    Parameters
    ----------
    actual, desired : array_like
        Of a device, or of NumPy. Shapes are the same, or one is a scalar's.
    err_msg : str, optional
        Is part of the error's message.
    verbose : bool, optional
        The values are part of the error's message.
    strict : bool, optional
        Dtypes have to be the same too, and a scalar is not an array of equal elements.
        NumPy 2.0 is needed.
    strides_check : bool, optional
        Strides have to be the same too.

    Raises
    ------
    AssertionError
        Something differs.

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
    """Assert that two sequences have equal arrays, one by one.

    Parameters
    ----------
    xlist, ylist : sequence of array_like
        Each pair is compared by `assert_array_equal`.
    err_msg : str, optional
        Is part of the error's message.
    verbose : bool, optional
        The values are part of the error's message.

    Raises
    ------
    AssertionError
        The lengths differ, or the arrays of a pair.

    Examples
    --------
    >>> halves = cupric.split(cupric.arange(4), 2)
    >>> cupric.testing.assert_array_list_equal(halves, [[0, 1], [2, 3]])
    """
    if len(xlist) != len(ylist):
        raise AssertionError(f"List lengths differ: {len(xlist)} and {len(ylist)}")
    for x, y in zip(xlist, ylist, strict=True):
        assert_array_equal(x, y, err_msg, verbose)


def assert_array_less(x, y, err_msg="", verbose=True, *, strict=False):
    """Assert that every element of `x` is less than that of `y`.

    Parameters
    ----------
    x, y : array_like
        Of a device, or of NumPy. Shapes are the same, or one is a scalar's.
    err_msg : str, optional
        Is part of the error's message.
    verbose : bool, optional
        The values are part of the error's message.
    strict : bool, optional
        Shapes and dtypes have to be the same, a scalar's too. NumPy 2.0 is needed.

    Raises
    ------
    AssertionError
        An element is not less.

    Examples
    --------
    >>> cupric.testing.assert_array_less(cupric.arange(3), 3)
    """
    np.testing.assert_array_less(
        _core.asnumpy(x), _core.asnumpy(y), err_msg, verbose, **_strict(strict)
    )


def _strict(strict):
    """NumPy before 2.0 has the keyword for some of the functions only."""
    return {"strict": True} if strict else {}
