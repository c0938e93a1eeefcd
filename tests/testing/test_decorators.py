"""The decorators of cupric.testing: loops over dtypes, comparisons with NumPy."""

import inspect
import os
import random
import unittest
import warnings

import numpy as np
import pytest

import cupric as cp
from cupric import testing


def collected(decorator, name="dtype"):
    """What a decorator gives by keyword, call after call."""
    seen = []
    decorator(lambda **kwargs: seen.append(kwargs))()
    return [kwargs[name] for kwargs in seen]


def test_loops_over_dtypes():
    assert collected(testing.for_dtypes(["i", np.float32])) == [np.int32, np.float32]
    everything = {np.dtype(c).type for c in "?bhilBHILefdFD"}
    assert set(collected(testing.for_all_dtypes())) == everything
    few = testing.for_all_dtypes("t", no_float16=True, no_bool=True, no_complex=True)
    assert set(collected(few, "t")) == {np.dtype(c).type for c in "bhilBHILfd"}
    assert set(collected(testing.for_float_dtypes(no_float16=True))) == {
        np.float32,
        np.float64,
    }
    assert len(collected(testing.for_int_dtypes())) == 9
    assert len(collected(testing.for_int_dtypes(no_bool=True))) == 8
    assert all(np.dtype(t).kind == "i" for t in collected(testing.for_signed_dtypes()))
    assert all(
        np.dtype(t).kind == "u" for t in collected(testing.for_unsigned_dtypes())
    )
    assert collected(testing.for_complex_dtypes()) == [np.complex64, np.complex128]
    assert collected(testing.for_orders("CF"), "order") == ["C", "F"]
    assert "F" in collected(testing.for_CF_orders("o"), "o")


@pytest.mark.parametrize("full", [True, False])
def test_combinations_of_dtypes(full):
    pairs = []
    test = testing.for_int_dtypes_combination(("a", "b"), no_bool=True, full=full)
    test(lambda a, b: pairs.append((a, b)))()
    assert {a for a, _ in pairs} == {b for _, b in pairs}
    assert len({a for a, _ in pairs}) == 8
    assert len(set(pairs)) == len(pairs) == 64 if full else len(pairs) < 64
    assert any(a is not b for a, b in pairs)


def test_loops_tell_which_case_fails(capsys):
    @testing.for_dtypes("if")
    def test(dtype):
        assert dtype is not np.float32

    with pytest.raises(AssertionError):
        test()
    assert "float32" in capsys.readouterr().err


def test_loops_skip_where_every_case_does():
    @testing.for_dtypes("if")
    def test(dtype):
        raise unittest.SkipTest("none")

    with pytest.raises(unittest.SkipTest):
        test()


def test_given_parameters_are_no_fixtures():
    @testing.for_all_dtypes()
    @testing.numpy_cupy_array_equal()
    def test(self, xp, dtype, fixture):
        """Never called."""

    assert list(inspect.signature(test).parameters) == ["self", "fixture"]


def test_contiguous_axes():
    class Case:
        shape, order = (2, 3, 4), "C"

        @testing.for_contiguous_axes()
        def test(self, axis):
            seen.append(axis)

    seen = []
    Case().test()
    assert seen == [(0, 1, 2), (1, 2), (2,)]
    Case.order, seen = "F", []
    Case().test()
    assert seen == [(0,), (0, 1), (0, 1, 2)]


# ---- comparisons ---------------------------------------------------------------------

EQUAL = [
    testing.numpy_cupy_allclose(),
    testing.numpy_cupy_array_equal(),
    testing.numpy_cupy_array_almost_equal(),
    testing.numpy_cupy_array_almost_equal_nulp(),
    testing.numpy_cupy_array_max_ulp(),
    testing.numpy_cupy_equal(),
]


@pytest.mark.parametrize("check", EQUAL)
def test_comparisons(check):
    check(lambda xp: xp.arange(3.0) * 2)()
    with pytest.raises(AssertionError):
        check(lambda xp: xp.arange(3.0) + (xp is np))()
    with pytest.raises(AssertionError, match="Only cupric raises"):
        check(lambda xp: xp.arange(3.0)[5 if xp is cp else 1])()
    with pytest.raises(AssertionError, match="Only NumPy raises"):
        check(lambda xp: xp.arange(3.0)[5 if xp is np else 1])()
    with pytest.raises(AssertionError, match="not accepted"):
        check(lambda xp: xp.arange(3.0)[5])()


def test_what_is_compared():
    close = testing.numpy_cupy_allclose
    close(rtol={np.float32: 1, "default": 0})(
        lambda xp: xp.ones(2, "f") * (1 + (xp is np) / 10)
    )()
    with pytest.raises(AssertionError, match="Dtypes differ"):
        close()(lambda xp: xp.ones(2, "f" if xp is cp else "d"))()
    close(type_check=False)(lambda xp: xp.ones(2, "f" if xp is cp else "d"))()
    with pytest.raises(AssertionError, match="contiguous"):
        close()(lambda xp: xp.ones((2, 2)) if xp is np else xp.ones((2, 4))[:, ::2])()
    with pytest.raises(AssertionError, match="2 results"):
        close()(lambda xp: (xp.ones(2),) * (1 + (xp is cp)))()
    close(name="module")(lambda module: (module.ones(2), module.zeros(3)))()
    testing.numpy_cupy_array_less()(lambda xp: xp.ones(2) + (xp is np))()
    with pytest.raises(AssertionError, match="Strides"):
        testing.numpy_cupy_array_equal(strides_check=True)(
            lambda xp: xp.ones((2, 2), order="C" if xp is cp else "F")
        )()


def test_accepted_errors():
    def fails(xp):
        raise IndexError if xp is cp else (IndexError, ValueError)[wrong]

    wrong = 0
    testing.numpy_cupy_array_equal(accept_error=True)(fails)()
    testing.numpy_cupy_array_equal(accept_error=IndexError)(fails)()
    with pytest.raises(AssertionError, match="not accepted"):
        testing.numpy_cupy_array_equal(accept_error=TypeError)(fails)()
    wrong = 1
    with pytest.raises(AssertionError, match="Errors differ"):
        testing.numpy_cupy_array_equal(accept_error=True)(fails)()


def test_deprecated_ones():
    with pytest.warns(DeprecationWarning, match="pytest.raises"):
        test = testing.numpy_cupy_raises()
    test(lambda xp: xp.ones(2)[3])()
    with pytest.raises(AssertionError, match="neither"):
        test(lambda xp: xp.ones(2))()
    with pytest.warns(DeprecationWarning, match="array_equal"):
        testing.numpy_cupy_array_list_equal()(lambda xp: [xp.ones(2), 3])()


# ---- parameters ----------------------------------------------------------------------


def test_products():
    assert testing.product({"b": [1, 2], "a": "x"}) == [
        {"a": "x", "b": 1},
        {"a": "x", "b": 2},
    ]
    both = [[{"a": 1}, {"a": 2}], [{"b": 3}]]
    assert testing.product(both) == testing.product_dict(*both)
    assert testing.product_dict(*both) == [{"a": 1, "b": 3}, {"a": 2, "b": 3}]


@testing.parameterize(*testing.product({"n": [1, 2], "m": [3]}))
class TestParameters:
    seen = []

    def test_attributes(self):
        self.seen.append((self.n, self.m))
        assert self.m == 3


@testing.parameterize({"n": 1}, {"n": 2})
class TestParametersOfUnittest(unittest.TestCase):
    def test_attributes(self):
        assert self.n in (1, 2)


def test_parameterized_classes():
    names = [n for n in globals() if n.startswith("TestParameters_param_")]
    assert names == ["TestParameters_param_0", "TestParameters_param_1"]
    assert [globals()[n].n for n in names] == [1, 2]
    assert not TestParameters.__test__
    loaded = unittest.defaultTestLoader.loadTestsFromTestCase
    for cls, skipped in ((TestParametersOfUnittest, 1),):
        result = unittest.TestResult()
        loaded(cls).run(result)
        assert len(result.skipped) == skipped
    result = unittest.TestResult()
    loaded(globals()["TestParametersOfUnittest_param_1"]).run(result)
    assert (result.testsRun, result.failures, result.errors) == (1, [], [])


# ---- helpers -------------------------------------------------------------------------


def test_fix_random():
    @testing.fix_random()
    def draw():
        return random.random(), np.random.rand(), float(cp.random.rand())

    @testing.fix_random()
    class Draws:
        def test(self):
            return testing.generate_seed()

    random.seed(1)
    before = random.getstate()
    assert draw() == draw()
    assert Draws().test() == Draws().test()
    assert random.getstate() == before


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("xp", [np, cp])
def test_generate_matrix(xp, dtype):
    a = testing.generate_matrix((2, 4, 3), xp, dtype, singular_values=[3, 2, 0])
    assert isinstance(a, xp.ndarray)
    assert a.dtype == dtype
    values = xp.linalg.svd(a, compute_uv=False)
    testing.assert_allclose(values, np.array([[3, 2, 0]] * 2), atol=1e-5)
    for bad in ({"shape": (3,)}, {"singular_values": [-1]}):
        with pytest.raises(ValueError):
            testing.generate_matrix(**{"shape": (2, 2), "singular_values": [1], **bad})
    for bad in ({"dtype": "i"}, {"singular_values": None}):
        with pytest.raises(TypeError):
            testing.generate_matrix(**{"shape": (2, 2), "singular_values": [1], **bad})


def test_mocks_and_warnings():
    with testing.AssertFunctionIsCalled("os.getcwd", return_value="here"):
        assert os.getcwd() == "here"
    with (
        pytest.raises(AssertionError, match="0 times, not 2"),
        testing.AssertFunctionIsCalled("os.getcwd", times_called=2),
    ):
        pass
    with testing.assert_warns(DeprecationWarning):
        warnings.warn("x", DeprecationWarning, stacklevel=1)
    with pytest.raises(AssertionError), testing.assert_warns(DeprecationWarning):
        pass


def test_requirements():
    assert testing.installed("numpy>=1", "pytest")
    assert not testing.installed("numpy<1")
    assert not testing.installed("no-such-package-at-all")
    assert testing.numpy_satisfies(">=2.0")
    assert testing.with_requires("numpy<1").args == (True,)
    assert testing.multi_gpu(1).args == (False,)
    assert testing.multi_gpu(1000).args == (True,)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnknownMarkWarning")
def test_slow_tests_are_marked():
    @testing.slow
    def test():
        """Never called."""

    assert test.pytestmark[0].name == "slow"
