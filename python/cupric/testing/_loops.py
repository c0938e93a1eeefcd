"""Decorators that run a test once for each dtype, order, axis or set of parameters."""

import functools
import inspect
import itertools
import os
import sys

import numpy as np

__all__ = [
    "for_CF_orders",
    "for_all_dtypes",
    "for_all_dtypes_combination",
    "for_complex_dtypes",
    "for_contiguous_axes",
    "for_dtypes",
    "for_dtypes_combination",
    "for_float_dtypes",
    "for_int_dtypes",
    "for_int_dtypes_combination",
    "for_orders",
    "for_signed_dtypes",
    "for_signed_dtypes_combination",
    "for_unsigned_dtypes",
    "for_unsigned_dtypes_combination",
    "parameterize",
    "product",
    "product_dict",
    "without",
]

_SIGNED = (np.int8, np.int16, np.int32, np.int64)
_UNSIGNED = (np.uint8, np.uint16, np.uint32, np.uint64)
_COMPLEX = (np.complex64, np.complex128)


def _floats(no_float16):
    return (np.float64, np.float32) + (() if no_float16 else (np.float16,))


def _ints(no_bool):
    return _SIGNED + _UNSIGNED + (() if no_bool else (np.bool_,))


def _all(no_float16, no_bool, no_complex):
    found = _floats(no_float16) + _ints(no_bool)
    return found if no_complex else found + _COMPLEX


def _for_each(cases):
    """The test with each dictionary of keywords; the one that fails is named."""

    def decorator(test):
        @functools.wraps(test)
        def run(*args, **kwargs):
            from unittest import SkipTest  # heavy

            ran, skipped = 0, None
            for case in cases:
                try:
                    test(*args, **kwargs, **case)
                    ran += 1
                except SkipTest as e:
                    skipped = e
                except Exception:
                    print(f"with {case}:", file=sys.stderr)
                    raise
            if skipped is not None and not ran:
                raise skipped

        run.__signature__ = without(test, cases)
        return run

    return decorator


def without(test, cases):
    """The signature that pytest reads: what a decorator gives is no fixture."""
    given = set().union(*cases) if cases else set()
    signature = inspect.signature(test)
    kept = [p for p in signature.parameters.values() if p.name not in given]
    return signature.replace(parameters=kept)


def for_dtypes(dtypes, name="dtype"):
    """Run a test with each of several dtypes, given by keyword as a NumPy type.

    Parameters
    ----------
    dtypes : sequence of data-type
    name : str
        Of the keyword.

    Returns
    -------
    callable
        The decorator. Where a test fails, what it was given is printed to stderr; it is
        skipped where it skips with every dtype.

    Examples
    --------
    >>> @cupric.testing.for_dtypes(["i", "f"])
    ... def test(dtype):
    ...     print(dtype.__name__)
    >>> test()
    int32
    float32
    """
    return _for_each([{name: np.dtype(t).type} for t in dtypes])


def for_all_dtypes(name="dtype", no_float16=False, no_bool=False, no_complex=False):
    """Run a test with each floating, integer, bool and complex dtype; see `for_dtypes`.

    Parameters
    ----------
    name : str
        Of the keyword that gets the dtype.
    no_float16, no_bool, no_complex : bool
        Leave such dtypes out.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_all_dtypes(no_complex=True)
    ... def test(dtype):
    ...     assert cupric.zeros(2, dtype).dtype == dtype
    >>> test()
    """
    return for_dtypes(_all(no_float16, no_bool, no_complex), name)


def for_float_dtypes(name="dtype", no_float16=False):
    """Run a test with float64, float32 and float16; see `for_dtypes`.

    Parameters
    ----------
    name : str
        Of the keyword that gets the dtype.
    no_float16 : bool
        Leave float16 out.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_float_dtypes()
    ... def test(dtype):
    ...     print(dtype.__name__)
    >>> test()
    float64
    float32
    float16
    """
    return for_dtypes(_floats(no_float16), name)


def for_signed_dtypes(name="dtype"):
    """Run a test with int8, int16, int32 and int64; see `for_dtypes`.

    Parameters
    ----------
    name : str
        Of the keyword that gets the dtype.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_signed_dtypes()
    ... def test(dtype):
    ...     assert cupric.array(-1, dtype) < 0
    >>> test()
    """
    return for_dtypes(_SIGNED, name)


def for_unsigned_dtypes(name="dtype"):
    """Run a test with uint8, uint16, uint32 and uint64; see `for_dtypes`.

    Parameters
    ----------
    name : str
        Of the keyword that gets the dtype.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_unsigned_dtypes()
    ... def test(dtype):
    ...     assert -cupric.array(1, dtype) > 0
    >>> test()
    """
    return for_dtypes(_UNSIGNED, name)


def for_int_dtypes(name="dtype", no_bool=False):
    """Run a test with each integer dtype and bool; see `for_dtypes`.

    Parameters
    ----------
    name : str
        Of the keyword that gets the dtype.
    no_bool : bool
        Leave bool out.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_int_dtypes(no_bool=True)
    ... def test(dtype):
    ...     assert cupric.array(7, dtype) // 2 == 3
    >>> test()
    """
    return for_dtypes(_ints(no_bool), name)


def for_complex_dtypes(name="dtype"):
    """Run a test with complex64 and complex128; see `for_dtypes`.

    Parameters
    ----------
    name : str
        Of the keyword that gets the dtype.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_complex_dtypes()
    ... def test(dtype):
    ...     print(cupric.ones(1, dtype).real.dtype)
    >>> test()
    float32
    float64
    """
    return for_dtypes(_COMPLEX, name)


def for_dtypes_combination(types, names=("dtype",), full=None):
    """Run a test with combinations of dtypes, one for each of several keywords.

    Parameters
    ----------
    types : sequence of data-type
    names : sequence of str
        Of the keywords.
    full : bool, optional
        All combinations; else each dtype is met by every keyword, with others. The
        environment's ``CUPY_TEST_FULL_COMBINATION`` decides when left out.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_dtypes_combination(["i", "f"], ["a", "b"], full=True)
    ... def test(a, b):
    ...     print(cupric.result_type(a, b))
    >>> test()
    int32
    float64
    float64
    float32
    """
    types = [np.dtype(t).type for t in types]
    names = [names] if isinstance(names, str) else list(names)
    if full is None:
        full = os.environ.get("CUPY_TEST_FULL_COMBINATION", "0") not in ("", "0")
    if full:
        combined = itertools.product(types, repeat=len(names))
    else:  # each keyword is some places further in the list than the one before
        n = len(types)
        combined = [
            [types[(i + shift * k) % n] for k in range(len(names))]
            for shift in {0, 1, n // 2}
            for i in range(n)
        ]
    return _for_each([dict(zip(names, c, strict=True)) for c in combined])


def for_all_dtypes_combination(
    names=("dtyes",), no_float16=False, no_bool=False, full=None, no_complex=False
):
    """Run a test with combinations of floating, integer, bool and complex dtypes; see
    `for_dtypes_combination`.

    Parameters
    ----------
    names : sequence of str
        Of the keywords that get the dtypes.
    no_float16, no_bool : bool
        Leave such dtypes out.
    full : bool, optional
        All combinations; else each dtype is met by every keyword, with others.
    no_complex : bool
        Leave complex dtypes out.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_all_dtypes_combination(["a", "b"])
    ... def test(a, b):
    ...     x = cupric.zeros(2, a) + cupric.zeros(2, b)
    ...     assert x.dtype == cupric.result_type(a, b)
    >>> test()
    """
    return for_dtypes_combination(_all(no_float16, no_bool, no_complex), names, full)


def for_signed_dtypes_combination(names=("dtype",), full=None):
    """Run a test with combinations of signed integer dtypes; see
    `for_dtypes_combination`.

    Parameters
    ----------
    names : sequence of str
        Of the keywords that get the dtypes.
    full : bool, optional
        All combinations; else each dtype is met by every keyword, with others.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_signed_dtypes_combination(["a", "b"])
    ... def test(a, b):
    ...     assert cupric.result_type(a, b).kind == "i"
    >>> test()
    """
    return for_dtypes_combination(_SIGNED, names, full)


def for_unsigned_dtypes_combination(names=("dtype",), full=None):
    """Run a test with combinations of unsigned integer dtypes; see
    `for_dtypes_combination`.

    Parameters
    ----------
    names : sequence of str
        Of the keywords that get the dtypes.
    full : bool, optional
        All combinations; else each dtype is met by every keyword, with others.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_unsigned_dtypes_combination(["a", "b"])
    ... def test(a, b):
    ...     assert cupric.result_type(a, b).kind == "u"
    >>> test()
    """
    return for_dtypes_combination(_UNSIGNED, names, full)


def for_int_dtypes_combination(names=("dtype",), no_bool=False, full=None):
    """Run a test with combinations of integer dtypes and bool; see
    `for_dtypes_combination`.

    Parameters
    ----------
    names : sequence of str
        Of the keywords that get the dtypes.
    no_bool : bool
        Leave bool out.
    full : bool, optional
        All combinations; else each dtype is met by every keyword, with others.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_int_dtypes_combination(["a", "b"], no_bool=True)
    ... def test(a, b):
    ...     assert cupric.zeros(2, a).astype(b).dtype == b
    >>> test()
    """
    return for_dtypes_combination(_ints(no_bool), names, full)


def for_orders(orders, name="order"):
    """Run a test with each of several memory orders, given by keyword.

    Parameters
    ----------
    orders : sequence of str or None
        What the keyword gets: ``'C'``, ``'F'`` and so on.
    name : str
        Of the keyword.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_orders("CF")
    ... def test(order):
    ...     print(cupric.zeros((2, 3), order=order).strides)
    >>> test()
    (24, 8)
    (8, 16)
    """
    return _for_each([{name: order} for order in orders])


def for_CF_orders(name="order"):
    """Run a test with the orders None, 'C', 'F', 'c' and 'f'; see `for_orders`.

    Parameters
    ----------
    name : str
        Of the keyword that gets the order.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @cupric.testing.for_CF_orders()
    ... def test(order):
    ...     assert cupric.zeros((2, 3), order=order).flags.forc
    >>> test()
    """
    return for_orders([None, "C", "F", "c", "f"], name)


def for_contiguous_axes(name="axis"):
    """Run a test with each tuple of axes along which elements are contiguous in memory.

    The test is a method; its array has the shape ``self.shape`` and the order
    ``self.order``. The tuples are those of the last axes in C order, of the first in
    Fortran order.

    Parameters
    ----------
    name : str
        Of the keyword that gets the axes.

    Returns
    -------
    callable
        The decorator.

    Raises
    ------
    ValueError
        When the test runs, where ``self.order`` is neither 'C' nor 'F'.

    Examples
    --------
    >>> class TestAxes:
    ...     shape, order = (2, 3, 4), "C"
    ...     @cupric.testing.for_contiguous_axes()
    ...     def test(self, axis):
    ...         print(axis)
    >>> TestAxes().test()
    (0, 1, 2)
    (1, 2)
    (2,)
    """

    def decorator(test):
        @functools.wraps(test)
        def run(self, *args, **kwargs):
            n = len(self.shape)
            for i in range(n):
                last = tuple(range(i, n)) if self.order in ("c", "C") else None
                first = tuple(range(i + 1)) if self.order in ("f", "F") else None
                axes = last or first
                if axes is None:
                    raise ValueError(f"self.order is 'C' or 'F', not {self.order!r}")
                test(self, *args, **kwargs, **{name: axes})

        return run

    return decorator


# ---- parameters of classes -----------------------------------------------------------


def product(parameter):
    """All combinations of values, as dictionaries.

    Parameters
    ----------
    parameter : dict of sequences
        The values of each name; or a list of what is combined, in which each item is
        a list of dictionaries.

    Returns
    -------
    list of dict

    Examples
    --------
    >>> cupric.testing.product({"a": [1, 2], "b": [3]})
    [{'a': 1, 'b': 3}, {'a': 2, 'b': 3}]
    """
    if not isinstance(parameter, dict):
        return product_dict(*parameter)
    names = sorted(parameter)
    rows = itertools.product(*(parameter[name] for name in names))
    return [dict(zip(names, row, strict=True)) for row in rows]


def product_dict(*parameters):
    """All combinations of one dictionary from each of several lists, merged.

    Parameters
    ----------
    *parameters : sequence of dict
        Where two have the same key, the last one's value counts.

    Returns
    -------
    list of dict

    Examples
    --------
    >>> cupric.testing.product_dict([{"a": 1}, {"a": 2}], [{"b": 3}])
    [{'a': 1, 'b': 3}, {'a': 2, 'b': 3}]
    """
    return [
        {name: value for part in row for name, value in part.items()}
        for row in itertools.product(*parameters)
    ]


def parameterize(*params, **kwargs):
    """Decorates a class of tests: they run once for each set of parameters, which are
    attributes of ``self``.

    Parameters
    ----------
    *params : dict
        The sets, as `product` makes them.
    **kwargs
        None: TypeError for any.

    Returns
    -------
    callable
        The decorator. For each set it puts a class, ``<name>_param_<i>``, beside the
        one decorated, which is not collected itself.

    Examples
    --------
    >>> @cupric.testing.parameterize({"n": 1}, {"n": 2})
    ... class TestSquare:
    ...     def test_positive(self):
    ...         assert self.n**2 > 0
    """
    if kwargs:
        raise TypeError(f"parameterize takes dictionaries, not {sorted(kwargs)}")

    def decorator(cls):
        from unittest import TestCase  # heavy

        module = sys.modules[cls.__module__]
        for i, param in enumerate(params):
            values = ", ".join(f"{k}={v!r}" for k, v in sorted(param.items()))
            body = {**param, "__test__": True, "__doc__": values}
            body["__module__"] = cls.__module__
            name = f"{cls.__name__}_param_{i}"
            setattr(module, name, type(cls)(name, (cls,), body))
        cls.__test__ = False  # stands for its parameters' classes
        if issubclass(cls, TestCase):
            _skip_itself(cls)
        return cls

    return decorator


def _skip_itself(cls):
    from unittest import SkipTest

    set_up = cls.setUpClass.__func__

    @classmethod
    def setUpClass(given):
        if given is cls:
            raise SkipTest("the classes of its parameters are run")
        set_up(given)

    cls.setUpClass = setUpClass
