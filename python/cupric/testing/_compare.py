"""Decorators that run a test with NumPy and with cupric, and compare the results."""

import functools
import importlib
import inspect
import warnings

import numpy as np

from cupric import _core
from cupric.testing import _assertions
from cupric.testing._loops import without

__all__ = [
    "numpy_cupy_allclose",
    "numpy_cupy_array_almost_equal",
    "numpy_cupy_array_almost_equal_nulp",
    "numpy_cupy_array_equal",
    "numpy_cupy_array_less",
    "numpy_cupy_array_list_equal",
    "numpy_cupy_array_max_ulp",
    "numpy_cupy_equal",
    "numpy_cupy_raises",
]


def _modules(name, sp_name, scipy_name):
    """The keywords of a call for cupric, and for NumPy."""
    mine, numpy = {name: importlib.import_module("cupric")}, {name: np}
    for keyword, ours, theirs in (
        (sp_name, "cupricx.scipy.sparse", "scipy.sparse"),
        (scipy_name, "cupricx.scipy", "scipy"),
    ):
        if keyword:
            mine[keyword] = importlib.import_module(ours)
            numpy[keyword] = importlib.import_module(theirs)
    return mine, numpy


def _outcome(test, args, kwargs):
    """(result, None), or (None, the error)."""
    try:
        return test(*args, **kwargs), None
    except Exception as e:
        return None, e


def _accepted(accept_error):
    if accept_error is True:
        return (Exception,)
    return accept_error or ()


def _check_errors(mine, numpy, accept_error):
    """Whether both failed, as they may; AssertionError where only one did."""
    if mine is None and numpy is None:
        return False
    if mine is None or numpy is None:
        which, error = ("NumPy", numpy) if mine is None else ("cupric", mine)
        raise AssertionError(f"Only {which} raises an error: {error!r}") from error
    accepted = _accepted(accept_error)
    if not isinstance(mine, accepted) or not isinstance(numpy, accepted):
        raise AssertionError(
            f"Both raise errors that are not accepted: cupric {mine!r}, NumPy {numpy!r}"
        ) from mine
    if not isinstance(mine, type(numpy)) and not isinstance(numpy, type(mine)):
        raise AssertionError(f"Errors differ: cupric {mine!r}, NumPy {numpy!r}")
    return True


def _parts(result):
    return list(result) if isinstance(result, tuple | list) else [result]


def _comparing(check, name, sp_name, scipy_name, accept_error=False, type_check=False):
    """Decorates a test: `check(mine, numpy)` for each of its results."""

    def decorator(test):
        @functools.wraps(test)
        def run(*args, **kwargs):
            ours, theirs = _modules(name, sp_name, scipy_name)
            mine, error = _outcome(test, args, {**kwargs, **ours})
            numpy, numpy_error = _outcome(test, args, {**kwargs, **theirs})
            if _check_errors(error, numpy_error, accept_error):
                return
            mine, numpy = _parts(mine), _parts(numpy)
            if len(mine) != len(numpy):
                raise AssertionError(
                    f"cupric has {len(mine)} results, NumPy {len(numpy)}"
                )
            for a, b in zip(mine, numpy, strict=True):
                if type_check and np.result_type(_dtype(a)) != _dtype(b):
                    raise AssertionError(
                        f"Dtypes differ: cupric {_dtype(a)}, NumPy {_dtype(b)}"
                    )
                check(a, b)

        given = [{k: None for k in (name, sp_name, scipy_name) if k}]
        run.__signature__ = without(test, given)
        return run

    return decorator


def _common(
    name="xp", type_check=True, accept_error=False, sp_name=None, scipy_name=None
):
    """The parameters that come after a comparer's own positional ones."""


def _comparer(check):
    """The public decorator of a check of one result, with the common parameters behind
    its own; those that it takes by keyword come last."""
    own = list(inspect.signature(check).parameters.values())[2:]
    last = [p for p in own if p.kind is p.KEYWORD_ONLY]
    first = own[: len(own) - len(last)]
    common = inspect.signature(_common).parameters
    last = [p.replace(kind=p.POSITIONAL_OR_KEYWORD) for p in last]
    signature = inspect.Signature([*first, *common.values(), *last])

    def comparer(*args, **kwargs):
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as e:
            raise TypeError(f"{check.__name__}() {e}") from None
        bound.apply_defaults()
        given = {k: v for k, v in bound.arguments.items() if k not in common}
        shared = {k: bound.arguments[k] for k in common}
        return _comparing(functools.partial(check, **given), **shared)

    functools.update_wrapper(comparer, check)
    comparer.__signature__ = signature
    return _with_common_documentation(comparer)


def _with_common_documentation(comparer):
    """The docstring goes on, before its examples, with what all comparers document."""
    own, heading, examples = (comparer.__doc__ or "").partition("\n    Examples\n")
    if own:  # python -OO has none
        comparer.__doc__ = own + _COMMON_DOCUMENTATION + heading + examples
    return comparer


_COMMON_DOCUMENTATION = """    name : str
        The keyword by which the test gets the module: cupric, then numpy.
    type_check : bool
        The dtypes of the results have to be the same.
    accept_error : bool, type or tuple of types
        Errors that both may raise, instead of returning anything: one of the other's
        kind; True for any.
    sp_name, scipy_name : str, optional
        The keywords by which it gets ``cupricx.scipy.sparse``, then ``scipy.sparse``,
        and ``cupricx.scipy``, then ``scipy``.

    Returns
    -------
    callable
        The decorator of a test, which returns an array, or several in a tuple or list.

    Raises
    ------
    AssertionError
        When the test runs: the results differ, or only one of the modules raises an
        error, or one that is not accepted.
"""


def _dtype(x):
    return x.dtype if hasattr(x, "dtype") else np.asarray(x).dtype


def _check_order(mine, numpy):
    """What is contiguous in NumPy is here."""
    if not isinstance(mine, _core.ndarray) or not isinstance(numpy, np.ndarray):
        return
    for flag in ("c_contiguous", "f_contiguous"):
        if getattr(numpy.flags, flag) and not getattr(mine.flags, flag):
            raise AssertionError(f"NumPy's result is {flag}, cupric's is not")


@_with_common_documentation
def numpy_cupy_allclose(
    rtol=1e-7,
    atol=0,
    err_msg="",
    verbose=True,
    name="xp",
    type_check=True,
    accept_error=False,
    sp_name=None,
    scipy_name=None,
    contiguous_check=True,
    *,
    _check_sparse_format=True,
):
    """Decorates a test: NumPy's and cupric's results are close, as `assert_allclose`
    says.

    Parameters
    ----------
    rtol, atol : float or dict
        Relative and absolute tolerance; a dict has them by dtype, and the key
        ``'default'`` for others, 1e-7 without it.
    err_msg : str
        Is part of the error's message.
    verbose : bool
        The values are part of the error's message.
    contiguous_check : bool
        A result that is C- or Fortran-contiguous in NumPy has to be so here.

    Examples
    --------
    >>> @cupric.testing.numpy_cupy_allclose()
    ... def test(xp):
    ...     return xp.sqrt(xp.arange(3.0))
    >>> test()
    """

    def check(mine, numpy):
        bounds = [_bound(b, _dtype(numpy)) for b in (rtol, atol)]
        _assertions.assert_allclose(
            mine, numpy, *bounds, err_msg=err_msg, verbose=verbose
        )
        if contiguous_check:
            _check_order(mine, numpy)

    return _comparing(check, name, sp_name, scipy_name, accept_error, type_check)


def _bound(bound, dtype):
    if not isinstance(bound, dict):
        return bound
    found = {np.dtype(k): v for k, v in bound.items() if k != "default"}
    return found.get(np.dtype(dtype), bound.get("default", 1e-7))


@_comparer
def numpy_cupy_array_almost_equal(mine, numpy, decimal=6, err_msg="", verbose=True):
    """Decorates a test: NumPy's and cupric's results are the same to some decimals, as
    `assert_array_almost_equal` says.

    Parameters
    ----------
    decimal : int
        How many decimal places are compared.
    err_msg : str
        Is part of the error's message.
    verbose : bool
        The values are part of the error's message.

    Examples
    --------
    >>> @cupric.testing.numpy_cupy_array_almost_equal(decimal=5)
    ... def test(xp):
    ...     return xp.exp(xp.arange(3.0))
    >>> test()
    """
    _assertions.assert_array_almost_equal(mine, numpy, decimal, err_msg, verbose)


@_comparer
def numpy_cupy_array_almost_equal_nulp(mine, numpy, nulp=1):
    """Decorates a test: NumPy's and cupric's results differ by a few spacings at most,
    as `assert_array_almost_equal_nulp` says.

    Parameters
    ----------
    nulp : int
        How many units in the last place.

    Examples
    --------
    >>> @cupric.testing.numpy_cupy_array_almost_equal_nulp(nulp=4)
    ... def test(xp):
    ...     return xp.exp(xp.arange(3.0))
    >>> test()
    """
    _assertions.assert_array_almost_equal_nulp(mine, numpy, nulp)


@_comparer
def numpy_cupy_array_max_ulp(mine, numpy, maxulp=1, dtype=None):
    """Decorates a test: NumPy's and cupric's results are a few representable numbers
    apart at most, as `assert_array_max_ulp` says.

    Parameters
    ----------
    maxulp : int
        How many numbers they may be apart.
    dtype : data-type, optional
        Results are converted to it first.

    Examples
    --------
    >>> @cupric.testing.numpy_cupy_array_max_ulp(maxulp=4)
    ... def test(xp):
    ...     return xp.exp(xp.arange(3.0))
    >>> test()
    """
    _assertions.assert_array_max_ulp(mine, numpy, maxulp, dtype)


@_comparer
def numpy_cupy_array_equal(
    mine, numpy, err_msg="", verbose=True, *, strides_check=False
):
    """Decorates a test: NumPy's and cupric's results have the same shapes and elements,
    as `assert_array_equal` says.

    Parameters
    ----------
    err_msg : str
        Is part of the error's message.
    verbose : bool
        The values are part of the error's message.
    strides_check : bool
        Strides have to be the same too.

    Examples
    --------
    >>> @cupric.testing.numpy_cupy_array_equal()
    ... def test(xp):
    ...     return xp.arange(3)[::-1]
    >>> test()
    """
    _assertions.assert_array_equal(
        mine, numpy, err_msg, verbose, strides_check=strides_check
    )


@_comparer
def numpy_cupy_array_less(mine, numpy, err_msg="", verbose=True):
    """Decorates a test: cupric's results are less than NumPy's, as `assert_array_less`
    says.

    Parameters
    ----------
    err_msg : str
        Is part of the error's message.
    verbose : bool
        The values are part of the error's message.

    Examples
    --------
    >>> @cupric.testing.numpy_cupy_array_less()
    ... def test(xp):
    ...     return xp.full(3, 1 if xp is cupric else 2)
    >>> test()
    """
    _assertions.assert_array_less(mine, numpy, err_msg, verbose)


def numpy_cupy_array_list_equal(
    err_msg="", verbose=True, name="xp", sp_name=None, scipy_name=None
):
    """Deprecated: `numpy_cupy_array_equal` compares several results too.

    Parameters
    ----------
    err_msg : str
        Is part of the error's message.
    verbose : bool
        The values are part of the error's message.
    name : str
        The keyword by which the test gets the module: cupric, then numpy.
    sp_name, scipy_name : str, optional
        The keywords by which it gets ``cupricx.scipy.sparse``, then ``scipy.sparse``,
        and ``cupricx.scipy``, then ``scipy``.

    Returns
    -------
    callable
        The decorator. Dtypes are not compared.

    Examples
    --------
    >>> with cupric.testing.assert_warns(DeprecationWarning):
    ...     @cupric.testing.numpy_cupy_array_list_equal()
    ...     def test(xp):
    ...         return [xp.arange(3), xp.ones(2)]
    >>> test()
    """
    warnings.warn(
        "numpy_cupy_array_list_equal is deprecated: use numpy_cupy_array_equal",
        DeprecationWarning,
        stacklevel=2,
    )
    return numpy_cupy_array_equal(
        err_msg, verbose, name, False, False, sp_name, scipy_name
    )


def numpy_cupy_equal(name="xp", sp_name=None, scipy_name=None):
    """Decorates a test: NumPy's and cupric's results are equal, of whatever type.

    Parameters
    ----------
    name : str
        The keyword by which the test gets the module: cupric, then numpy.
    sp_name, scipy_name : str, optional
        The keywords by which it gets ``cupricx.scipy.sparse``, then ``scipy.sparse``,
        and ``cupricx.scipy``, then ``scipy``.

    Returns
    -------
    callable
        The decorator of a test, which returns a tuple, a string, a number, …

    Examples
    --------
    >>> @cupric.testing.numpy_cupy_equal()
    ... def test(xp):
    ...     return xp.ones((2, 3)).shape
    >>> test()
    """

    def check(mine, numpy):
        if isinstance(mine, _core.ndarray):
            mine = mine.get()
        if not np.array_equal(mine, numpy):
            raise AssertionError(f"Results differ: cupric {mine!r}, NumPy {numpy!r}")

    return _comparing(check, name, sp_name, scipy_name)


def numpy_cupy_raises(name="xp", sp_name=None, scipy_name=None, accept_error=Exception):
    """Deprecated: NumPy and cupric raise an error of the same kind. Use `pytest.raises`
    with each module.

    Parameters
    ----------
    name : str
        The keyword by which the test gets the module: cupric, then numpy.
    sp_name, scipy_name : str, optional
        The keywords by which it gets ``cupricx.scipy.sparse``, then ``scipy.sparse``,
        and ``cupricx.scipy``, then ``scipy``.
    accept_error : bool, type or tuple of types
        Errors that they may raise; True for any.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> with cupric.testing.assert_warns(DeprecationWarning):
    ...     @cupric.testing.numpy_cupy_raises()
    ...     def test(xp):
    ...         xp.zeros(-1)
    >>> test()
    """
    warnings.warn(
        "numpy_cupy_raises is deprecated: use pytest.raises with each module",
        DeprecationWarning,
        stacklevel=2,
    )

    def check(mine, numpy):
        raise AssertionError("neither cupric nor NumPy raises an error")

    return _comparing(check, name, sp_name, scipy_name, accept_error)
