"""NumpyAliasBasicTestBase and NumpyAliasValuesTestBase: what passes, and what fails."""

import subprocess
import sys
import unittest

import numpy as np

import cupric as cp


def outcome(base, **given):
    """(tests run, failures, errors) of a class made of a base."""
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(
        type("Test", (base,), given)
    )
    result = suite.run(unittest.TestResult())
    return result.testsRun, len(result.failures), len(result.errors)


def test_values():
    base = cp.testing.NumpyAliasValuesTestBase
    assert outcome(base, func="base_repr", args=(255, 16)) == (1, 0, 0)
    assert outcome(base, func="no_such_function", args=()) == (1, 0, 1)
    assert outcome(base, args=()) == (1, 0, 1)
    wrong = property(lambda self: lambda *args: "wrong")
    assert outcome(base, func="base_repr", args=(255, 16), cupy_func=wrong) == (1, 1, 0)


def test_signature_and_docstring():
    base = cp.testing.NumpyAliasBasicTestBase

    def described(number, base=2, padding=0):
        """Digits."""

    def other(x):
        """Digits."""

    def bare(number, base=2, padding=0):
        pass

    def of(f):
        return {"func": "base_repr", "cupy_func": property(lambda self: f)}

    assert outcome(base, **of(described)) == (2, 0, 0)
    assert outcome(base, **of(other)) == (2, 1, 0)
    assert outcome(base, **of(bare)) == (2, 1, 0)
    assert outcome(base, **of(np.base_repr)) == (2, 1, 0)


def test_they_are_loaded_when_asked_for():
    code = "import numpy, sys; before = 'unittest' in sys.modules; import cupric"
    code += "; assert ('unittest' in sys.modules) == before"
    subprocess.run([sys.executable, "-c", code], check=True)
