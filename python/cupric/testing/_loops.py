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
    """`for_dtypes` of floating, integer, bool and complex dtypes."""
    return for_dtypes(_all(no_float16, no_bool, no_complex), name)


def for_float_dtypes(name="dtype", no_float16=False):
    """`for_dtypes` of the floating dtypes."""
    return for_dtypes(_floats(no_float16), name)


def for_signed_dtypes(name="dtype"):
    """`for_dtypes` of the signed integers."""
    return for_dtypes(_SIGNED, name)


def for_unsigned_dtypes(name="dtype"):
    """`for_dtypes` of the unsigned integers."""
    return for_dtypes(_UNSIGNED, name)


def for_int_dtypes(name="dtype", no_bool=False):
    """`for_dtypes` of the integers and bool."""
    return for_dtypes(_ints(no_bool), name)


def for_complex_dtypes(name="dtype"):
    """`for_dtypes` of the complex dtypes."""
    return for_dtypes(_COMPLEX, name)


def for_dtypes_combination(types, names=("dtype",), full=None):
    """Run a test with combinations of dtypes, one for each of several keywords.

    Parameters
    ----------
    types : sequence of data-type
    names : sequence of str
    full : bool, optional
        All combinations; else each dtype is met by every keyword, with others. The
        environment's ``CUPY_TEST_FULL_COMBINATION`` decides when left out.
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
    """`for_dtypes_combination` of floating, integer, bool and complex dtypes."""
    return for_dtypes_combination(_all(no_float16, no_bool, no_complex), names, full)


def for_signed_dtypes_combination(names=("dtype",), full=None):
    """`for_dtypes_combination` of the signed integers."""
    return for_dtypes_combination(_SIGNED, names, full)


def for_unsigned_dtypes_combination(names=("dtype",), full=None):
    """`for_dtypes_combination` of the unsigned integers."""
    return for_dtypes_combination(_UNSIGNED, names, full)


def for_int_dtypes_combination(names=("dtype",), no_bool=False, full=None):
    """`for_dtypes_combination` of the integers and bool."""
    return for_dtypes_combination(_ints(no_bool), names, full)


def for_orders(orders, name="order"):
    """Run a test with each of several memory orders."""
    return _for_each([{name: order} for order in orders])


def for_CF_orders(name="order"):
    """`for_orders` of 'C' and 'F' and their other names."""
    return for_orders([None, "C", "F", "c", "f"], name)


def for_contiguous_axes(name="axis"):
    """Run a test of arrays ``self.shape`` in ``self.order`` with tuples of axes along
    which the elements lie together: the last ones of C order, the first of F."""

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
    """All combinations of one dictionary from each of several lists, joined.

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
