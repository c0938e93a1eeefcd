"""Bases of tests of functions that are NumPy's under another roof.

unittest is loaded with them, so that they are loaded when asked for.
"""

import inspect
import unittest

import numpy as np

import cupric as cp

__all__ = [
    "NumpyAliasBasicTestBase",
    "NumpyAliasValuesTestBase",
]


class _NumpyAliasTestBase(unittest.TestCase):
    """What such tests have in common: `func` is the name of the function."""

    @property
    def func(self):
        """The function's name, which tests give."""
        raise NotImplementedError(f"{type(self).__name__} has to define `func`")

    @property
    def cupy_func(self):
        """Ours."""
        return getattr(cp, self.func)

    @property
    def numpy_func(self):
        """NumPy's."""
        return getattr(np, self.func)


class NumpyAliasBasicTestBase(_NumpyAliasTestBase):
    """Tests that a function has NumPy's arguments, and a docstring of its own.

    Examples
    --------
    >>> class TestBaseRepr(cp.testing.NumpyAliasBasicTestBase):
    ...     func = "base_repr"
    """

    def test_argspec(self):
        """The signatures are equal."""
        mine, numpy = map(inspect.signature, (self.cupy_func, self.numpy_func))
        assert mine == numpy, f"{self.func}{mine}, and NumPy's {numpy}"

    def test_docstring(self):
        """There is a docstring, and it is not NumPy's."""
        doc = self.cupy_func.__doc__
        assert doc, f"{self.func} has no docstring"
        assert doc is not self.numpy_func.__doc__, f"{self.func} has NumPy's docstring"


class NumpyAliasValuesTestBase(_NumpyAliasTestBase):
    """Tests that a function gives what NumPy's gives for `args`, a tuple."""

    def test_values(self):
        """The results are equal."""
        mine, numpy = self.cupy_func(*self.args), self.numpy_func(*self.args)
        assert mine == numpy, f"{self.func}{self.args} is {mine}, NumPy's {numpy}"
