"""vectorize: the function compiled, beside the same function run by Python."""

import functools
import math
import operator
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import cupric as cp

sys.path.insert(0, str(Path(__file__).parent))
from translated import FUNCTIONS, GROUPS, INEXACT, function_of, group_of

WHOLE = [0, 1, -1, 2, 3, -7, 5, 12, 100, -128]
REAL = [0.0, -0.0, 1.0, -2.5, 0.1, 3.0, 1e30, math.inf, -math.inf, math.nan, 7.5]
SMALL = [-3, 0, 1, 2, 3, 5, 6, 7, 9, 12, 16, 17]


def values_of(letter):
    dtype = np.dtype(letter)
    if dtype.kind in "iu":
        ends = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max], dtype)
        return np.append(np.array(WHOLE).astype(dtype), ends)
    if dtype.kind == "c":
        return np.array([complex(a, b) for a in REAL[:6] for b in REAL[:4]], dtype)
    with np.errstate(over="ignore"):
        return np.array(REAL if dtype.kind == "f" else [0, 1], dtype)


def pairs(letters):
    """Every value of the first dtype with every one of the second, …"""
    grids = np.meshgrid(*map(values_of, letters), indexing="ij")
    return [np.ascontiguousarray(g.ravel()) for g in grids]


def run(function, *args):
    """What Python gives for NumPy's scalars; None where it raises an error, as NumPy
    does of the minus of a bool that max() chose among numbers."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*args)
    except (ArithmeticError, ValueError):
        return None
    except TypeError as e:
        if "numpy boolean" not in str(e):
            raise
        return None


def check(result, expected, what, rtol=0.0):
    """An element, and the dtype it may have."""
    if isinstance(expected, np.generic):
        assert result.dtype == expected.dtype, what
    elif isinstance(expected, int) and not -(2**63) <= expected < 2**63:
        return  # as an int64 it is another
    else:  # a Python number fits into the dtype
        assert np.result_type(result.dtype, type(expected)(0)) == result.dtype, what
    expected = np.asarray(expected).astype(result.dtype)
    if rtol:
        np.testing.assert_allclose(result, expected, rtol=rtol, err_msg=str(what))
    else:
        assert np.array_equal(result, expected, equal_nan=True), (
            what,
            result,
            expected,
        )


def compare(function, texts, arrays, rtol=0.0):
    """The results of a compiled function, a tuple, with those of each expression."""
    results = cp.vectorize(function)(*map(cp.array, arrays))
    assert len(results) == len(texts)
    for text, result in zip(texts, results, strict=True):
        single, result = function_of(text, "xy"[: len(arrays)]), result.get()
        compared = 0
        for k, element in enumerate(zip(*arrays, strict=True)):
            expected = run(single, *element)
            if expected is not None:
                check(result[k], expected, (text, element), rtol)
                compared += 1
        assert compared > 0, text


@pytest.mark.parametrize(
    ("letters", "texts"), GROUPS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_expressions(letters, texts):
    rtol = 1e-6 if letters == "FF" else 1e-15 if letters == "DD" else 0.0
    if texts is INEXACT:
        rtol = 1e-14 if letters == "dd" else 3e-7
        arrays = pairs("dd")
        keep = np.isfinite(arrays[0]) & np.isfinite(arrays[1]) & (abs(arrays[1]) < 1e3)
        keep &= (abs(arrays[0]) < 1e3) & (arrays[0] >= 0)
        arrays = [a[keep].astype(t) for a, t in zip(arrays, letters, strict=True)]
    else:
        arrays = pairs(letters)
    compare(group_of(texts), texts, arrays, rtol)


@pytest.mark.parametrize(
    ("function", "letters"), FUNCTIONS, ids=lambda v: getattr(v, "__name__", v)
)
def test_statements(function, letters):
    grids = np.meshgrid(*[np.array(SMALL)] * len(letters))
    arrays = [g.ravel() for g in grids]
    if "B" in letters or function.__name__ == "collatz":
        arrays = [abs(a) for a in arrays]
    arrays = [a.astype(t) for a, t in zip(arrays, letters, strict=True)]
    results = cp.vectorize(function)(*map(cp.array, arrays))
    results = results if isinstance(results, tuple) else (results,)
    for k, element in enumerate(zip(*arrays, strict=True)):
        try:
            expected = run(function, *element)
        except UnboundLocalError:
            continue
        expected = expected if isinstance(expected, tuple) else (expected,)
        assert len(expected) == len(results)
        for result, value in zip(results, expected, strict=True):
            check(result.get()[k], value, (function.__name__, element))


# ---- random expressions --------------------------------------------------------------

BINARY = ["+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", "and", "or", "&", "^"]


def trees(leaves):
    def larger(inner):
        operation = st.tuples(inner, st.sampled_from(BINARY), inner)
        return st.one_of(
            operation.map(lambda t: f"({' '.join(t)})"),
            st.tuples(inner, inner, inner).map(
                lambda t: "({} if {} else {})".format(*t)
            ),
            st.tuples(st.sampled_from(["-", "not ", "abs", "~"]), inner).map(
                lambda t: f"({t[0]}({t[1]}))"
            ),
            st.tuples(inner, inner, inner).map(
                lambda t: "bool({} < {} <= {})".format(*t)
            ),
            st.tuples(st.sampled_from(["max", "min"]), inner, inner).map(
                lambda t: "{}({}, {})".format(*t)
            ),
        )

    return st.recursive(st.sampled_from(leaves), larger, max_leaves=8)


def translates(text, letters):
    """Whether an expression has one dtype, and only operations that there are."""
    from cupric._lib.kernels import _translate

    kinds = [_translate.Scalar(letter) for letter in letters]
    try:
        return _translate.translate(function_of(text, "xy"), kinds).type
    except (TypeError, OverflowError, ValueError):
        return None


@given(
    letters=st.sampled_from(["bb", "ll", "iB", "ff", "dl", "?h", "Ld", "ee"]),
    texts=st.lists(
        trees(["x", "y", "0", "1", "3", "(-2)", "0.5", "True"]),
        min_size=15,
        max_size=20,
        unique=True,
    ),
)
@settings(max_examples=6, deadline=None, phases=[Phase.generate])  # to shrink: minutes
def test_random_expressions(letters, texts):
    texts = [t for t in texts if translates(t, letters) is not None]
    if not texts:
        return
    arrays = pairs(letters)
    results = cp.vectorize(group_of(texts))(*map(cp.array, arrays))
    for text, result in zip(texts, results, strict=True):
        single, result = function_of(text, "xy"), result.get()
        for k, element in enumerate(zip(*arrays, strict=True)):
            expected = run(single, *element)
            # A Python number that met a dtype on the other path has that dtype here.
            if isinstance(expected, np.generic) and expected.dtype != result.dtype:
                break
            if expected is not None and not depends_on_dtype(text):
                check(result[k], expected, (text, element))


def depends_on_dtype(text):
    """Whether a value's dtype can follow from which path was taken in it."""
    return any(word in text for word in (" if ", "max", "min", " or ", " and "))


# ---- what a value has where Python raises an error -----------------------------------


def test_where_python_raises_the_value_is_the_ufuncs():
    def function(x, y):
        return x // y, x % y, x / y, divmod(x, y)[0]

    for letter in "lfb":
        x, y = np.array([3, -3, 0], letter), np.zeros(3, letter)
        results = cp.vectorize(function)(cp.array(x), cp.array(y))
        with np.errstate(all="ignore"):
            expected = [x // y, x % y, x / y, np.divmod(x, y)[0]]
        for result, value in zip(results, expected, strict=True):
            assert result.dtype == value.dtype
            np.testing.assert_array_equal(result.get(), value)


def test_python_numbers_that_python_refuses():
    def function(x):
        n = int(x)
        return math.sqrt(n - 1), 1 / n, 1 // n, 1.5 % n, math.log(n)

    results = cp.vectorize(function)(cp.zeros(1))
    got = [float(r[0]) for r in results]
    assert np.isnan(got[0])
    assert got[1] == math.inf
    assert got[2] == 0
    assert np.isnan(got[3])
    assert got[4] == -math.inf


def test_integers_wrap():
    function = cp.vectorize(lambda x: x * x + 100)
    assert function(cp.array([100], "b")).get() == np.array([100], "b") ** 2 + 100
    assert cp.vectorize(lambda x: x + int(x))(cp.array([100], "b"))[0] == -56


def test_values_are_those_of_ufuncs(device):
    x = np.random.default_rng(1).uniform(-3, 3, 1000)
    exact = ["square", "sqrt", "floor", "reciprocal", "sign", "absolute"]
    names = [*exact, "sin", "exp", "tanh", "cbrt", "arctan", "expm1", "sinh", "log1p"]
    function = group_of([f"np.{name}(x)" for name in names], "x")
    for letter in "dfe":
        a = cp.array(x.astype(letter))
        for name, result in zip(names, cp.vectorize(function)(a), strict=True):
            expected = getattr(cp, name)(a)
            assert result.dtype == expected.dtype
            if name in exact or device == "cuda":
                assert cp.array_equal(result, expected, equal_nan=True), name
            else:  # loops of ufuncs call the C library's functions for vectors
                rtol = 5 * float(np.finfo(letter).eps)
                assert cp.allclose(result, expected, rtol, 0, equal_nan=True), name


def test_multiply_and_add_round_twice():
    """Also on a GPU, whose compiler contracts them unless it is told not to."""
    x, y, z = cp.random.default_rng(0).random((3, 1000))
    function = cp.vectorize(lambda x, y, z: x * y + z)
    assert cp.array_equal(function(x, y, z), x * y + z)


# ---- beside numpy.vectorize ----------------------------------------------------------


@pytest.mark.parametrize("letter", "?bBhHiIlLefdFD")
def test_dtypes_are_numpys(letter):
    function = CASTS
    x = values_of(letter)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scalars = [function(x[0])]
    result = cp.vectorize(function)(cp.array(x))
    assert [r.dtype for r in result] == [np.asarray(v).dtype for v in scalars[0]]


def CASTS(x):
    return x, x + x, x * 2, x / 2, abs(x), x == x, not x, bool(x), 1, 2.5, True


def test_numpys_vectorize_gives_the_same():
    def function(a, b):
        if a > b:
            return a - b
        return a + b

    a, b = np.arange(12).reshape(3, 4) % 5, np.arange(4)
    for args in [(a, b), (a, 2), (3, b), (a[0], b[:, None])]:
        expected = np.vectorize(function)(*args)
        ours = [cp.array(v) if isinstance(v, np.ndarray) else v for v in args]
        result = cp.vectorize(function)(*ours)
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result.get(), expected)


@pytest.mark.parametrize("number", [2, 2.5, True, 1j, np.float32(2), np.int8(3)])
def test_numbers_count_as_arrays_of_their_dtype(number):
    def function(x, y):
        return x + y

    for letter in "bf":
        x = np.arange(3, dtype=letter)
        expected = np.vectorize(function)(x, number)
        result = cp.vectorize(function)(cp.array(x), number)
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result.get(), expected)


def test_numbers_alone_give_an_array_of_no_axes():
    function = cp.vectorize(lambda x, y: x * y)
    result = function(3, 4.0)
    assert isinstance(result, cp.ndarray)
    assert (result.shape, result.dtype, float(result)) == ((), np.float64, 12.0)
    assert cp.vectorize(lambda: 7)().shape == ()


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1, 1), (2, 1, 3)])
def test_shapes(shape):
    function = cp.vectorize(lambda x, y: (x + y, x > y))
    x, y = cp.ones(shape, "f"), cp.arange(2.0)[:, None, None, None]
    total, larger = function(x, x)
    assert total.shape == larger.shape == shape
    assert (total.dtype, larger.dtype) == (np.float32, np.bool_)
    assert function(x, y)[0].shape == np.broadcast_shapes(shape, y.shape)


def test_strided_and_bool_operands():
    x = cp.arange(24.0).reshape(4, 6)
    function = cp.vectorize(lambda a, b: a if b else -a)
    mask = (cp.arange(24).reshape(6, 4) % 3).astype(np.uint8).view(bool)
    result = function(x.T[::-1], mask)
    bools = (np.arange(24).reshape(6, 4) % 3).astype(bool)
    expected = np.where(bools, x.get().T[::-1], -x.get().T[::-1])
    np.testing.assert_array_equal(result.get(), expected)


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match="broadcast"):
        cp.vectorize(lambda x, y: x + y)(cp.ones(3), cp.ones(4))


# ---- otypes, excluded, names ---------------------------------------------------------


@pytest.mark.parametrize(
    "otypes", ["fi", ["f", "i"], [np.float32, np.int32], ("float32", "int32")]
)
def test_otypes(otypes):
    function = cp.vectorize(lambda x: (x / 2, x // 2), otypes=otypes)
    results = function(cp.arange(5))
    assert [r.dtype.char for r in results] == ["f", "i"]
    np.testing.assert_array_equal(results[1].get(), np.arange(5) // 2)


def test_otypes_of_bool_and_complex():
    x = cp.array([0.0, 0.5, -0.0, np.nan])
    assert cp.vectorize(lambda x: x, otypes="?")(x).tolist() == [
        False,
        True,
        False,
        True,
    ]
    assert cp.vectorize(lambda x: x, otypes="F")(x).dtype == np.complex64


def test_otypes_that_are_wrong():
    with pytest.raises(ValueError, match="Invalid otype specified: Y"):
        cp.vectorize(abs, otypes="Y")
    with pytest.raises(ValueError, match="Invalid otype specification"):
        cp.vectorize(abs, otypes=3)
    with pytest.raises(TypeError, match="datetime64"):
        cp.vectorize(abs, otypes=["M8[s]"])
    with pytest.raises(ValueError, match="otypes has 2 dtypes, but function returns 1"):
        cp.vectorize(function_of("x", "x"), otypes="dd")(cp.ones(2))


def test_excluded():
    def function(x, power, operation):
        return operation(x, power)

    f = cp.vectorize(function, excluded={"power", 2})
    x = cp.arange(4, dtype="b")
    result = f(x, 2, operator_like)
    assert result.dtype == np.int8  # the number adapts, as Python's do
    np.testing.assert_array_equal(result.get(), [3, 4, 5, 6])
    assert f(x, power=3, operation=operator_like)[0] == 4
    assert f(x, 2.5, operator_like).dtype == f(x, np.float64(1), operator_like).dtype
    with pytest.raises(NotImplementedError, match="argument 1 is excluded, and an arr"):
        f(x, x, operator_like)


def operator_like(a, b):
    return a + b + 1


def test_arguments_by_name_and_defaults():
    f = cp.vectorize(lambda x, y=3, z=1: x * y + z)
    x = cp.arange(3)
    assert f(x).tolist() == [1, 4, 7]
    assert f(x, z=0).tolist() == [0, 3, 6]
    assert f(y=x, x=2).tolist() == [1, 3, 5]
    with pytest.raises(TypeError, match=r"<lambda>\(\) missing arguments: x"):
        f()
    with pytest.raises(
        TypeError, match="takes 3 positional arguments but 4 were given"
    ):
        f(x, x, x, x)


def test_as_a_decorator():
    @cp.vectorize
    def plain(x):
        """Twice."""
        return 2 * x

    @cp.vectorize(otypes="d", doc="Half.")
    def with_otypes(x):
        return x / 2

    assert (plain.__name__, plain.__doc__) == ("plain", "Twice.")
    assert (with_otypes.__name__, with_otypes.__doc__) == ("with_otypes", "Half.")
    assert plain(cp.arange(3)).tolist() == [0, 2, 4]
    assert with_otypes(cp.arange(3)).tolist() == [0, 0.5, 1]
    assert cp.vectorize(lambda x: plain(x) + with_otypes(x))(2)[()] == 5


def test_attributes():
    def f(x):
        return x

    v = cp.vectorize(f, otypes="d", excluded={1}, cache=True)
    assert v.pyfunc is f
    assert v.excluded == {1}
    assert v.cache is True
    assert v.signature is None
    with pytest.raises(NotImplementedError, match="signature"):
        cp.vectorize(f, signature="(n)->()")
    with pytest.raises(TypeError, match="needs a function"):
        cp.vectorize(3)
    with pytest.raises(TypeError, match="names and places"):
        cp.vectorize(f, excluded=[1.5])


# ---- what functions can be -----------------------------------------------------------


class Scale:
    factor = 3

    def __init__(self, offset):
        self.offset = offset

    def apply(self, x):
        return x * self.factor + self.offset


def test_methods_and_attributes_of_objects():
    scale = Scale(5)
    f = cp.vectorize(scale.apply)
    assert f(cp.arange(3)).tolist() == [5, 8, 11]
    scale.offset = 6
    assert f(cp.arange(3)).tolist() == [6, 9, 12]
    assert cp.vectorize(lambda x: scale.apply(x) + 1)(2)[()] == 13


@pytest.mark.parametrize("function", [math.floor, abs, np.negative, cp.negative, float])
def test_functions_that_are_not_pythons(function):
    x = np.array([-1.5, 2.5])
    expected = np.vectorize(np.negative if function is cp.negative else function)(x)
    result = cp.vectorize(function)(cp.array(x))
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result.get(), expected)


def test_lambdas_in_one_line():
    a, b = cp.vectorize(lambda x: x + 1), cp.vectorize(lambda x: x * 10)
    assert (a(1)[()], b(1)[()]) == (2, 10)
    functions = [lambda x, k=k: x + k for k in range(3)]
    assert [cp.vectorize(f)(1)[()] for f in functions] == [1, 2, 3]


def test_closures_have_values_of_their_own():
    def adder(k):
        return cp.vectorize(lambda x: x + k)

    one, two = adder(1), adder(2)
    assert (one(1)[()], two(1)[()], one(1)[()]) == (2, 3, 2)


def test_variables_around_a_function_are_looked_up_at_each_call():
    factor, helper = 2, abs

    @cp.vectorize
    def function(x):
        return helper(x) * factor

    x = cp.array([-3])
    assert function(x)[0] == 6
    factor = 10
    assert function(x)[0] == 30
    helper = operator.neg if False else float
    assert function(x)[0] == -30
    assert function(x).dtype == np.float64


def test_weak_and_strong_constants():
    weak, strong = 2.5, np.float64(2.5)
    x = cp.ones(2, "f")
    assert cp.vectorize(lambda x: x * weak)(x).dtype == np.float32
    assert cp.vectorize(lambda x: x * strong)(x).dtype == np.float64
    assert cp.vectorize(lambda x: np.float32(weak) * x)(x).dtype == np.float32
    assert cp.vectorize(lambda x: x if x > 2.0 else 0.0)(x).dtype == np.float32
    kind = np.dtype("e").type
    assert cp.vectorize(lambda x: kind(x))(x).dtype == np.float16
    assert cp.vectorize(lambda x: x.dtype.type(7))(x).tolist() == [7, 7]


def test_where_chooses():
    function = cp.vectorize(lambda x, y: np.where(x > y, x, 1.5) + cp.where(x, 1, 2))
    x, y = cp.array([1, 3, 0], "f"), cp.array([2, 1, 0], "f")
    assert function(x, y).tolist() == [2.5, 4.0, 3.5]


def test_special_functions():
    from cupricx.scipy import special

    x = cp.linspace(0.5, 9, 40)
    result = cp.vectorize(lambda x: special.gammaln(x) + math.lgamma(x))(x)
    expected = 2 * special.gammaln(x)
    assert cp.allclose(result, expected, rtol=1e-15)
    result = cp.vectorize(lambda x: special.gamma(x) + math.gamma(x))(x)
    expected = 2 * special.gamma(x)
    assert cp.allclose(result, expected, rtol=1e-15)


def test_decorated_functions():
    def twice(function):
        return function

    @cp.vectorize
    @twice
    def function(x):
        return x + 1

    assert function(1)[()] == 2


def test_partial_functions_are_called_by_what_they_hold():
    f = functools.partial(operator_like, b=5)
    with pytest.raises(NotImplementedError, match="a call of"):
        cp.vectorize(f)(cp.ones(2))
    assert cp.vectorize(lambda x: operator_like(x, b=5))(cp.ones(2)).tolist() == [7, 7]


def test_kernels_are_compiled_once():
    seen = []

    class Counting(cp.vectorize):
        def _compile(self, args, excluded):
            seen.append(args)
            return super()._compile(args, excluded)

    f = Counting(lambda x, y: x * y)
    for x in (cp.ones(3), cp.ones((2, 3)), cp.ones((0,)), cp.ones((4, 6))[::2].T):
        f(x, x)
        f(x, 2.0)
        f(x, 3.5)
    assert (
        len(seen) == 1 + 0 * 2
    )  # of Python's float and of float64 there is one kernel
    f(cp.ones(3, "f"), 2)
    assert len(seen) == 2


# ---- errors --------------------------------------------------------------------------


def no_return(x):
    if x > 0:
        return x


def two_dtypes(x):
    y = x
    if x > 1:
        y = y * 0.5
    return y


def two_results(x):
    if x > 1:
        return x * 0.5
    return x


def with_try(x):
    try:
        return x
    except ValueError:
        return 0


def with_raise(x):
    raise ValueError(x)


def over_a_tuple(x):
    for a in (1, 2):
        x += a
    return x


def too_early(x):
    z = y + x  # noqa: F821
    y = 1  # noqa: F841
    return z


def inner_function(x):
    def g(y):
        return y

    return g(x)


def endless(x):
    return endless(x - 1) if x > 0 else 0


def assigns_element(x):
    x[0] = 1
    return x


def false_assertion(x):
    assert 1 > 2, "one is less"
    return x


ARRAY = np.ones(3)

ERRORS = [
    (no_return, TypeError, "may end without `return`"),
    (two_dtypes, TypeError, "Data type mismatch of variable: `y`: .*float64.*int64"),
    (two_results, TypeError, "Data type mismatch of the values .*float64.*int64"),
    (with_try, ValueError, "try: test the values by if"),
    (with_raise, ValueError, "raise: return NaN"),
    (over_a_tuple, NotImplementedError, r"a loop has to go over range\("),
    (too_early, UnboundLocalError, "local variable 'y'"),
    (inner_function, NotImplementedError, "a function in it: define it outside"),
    (endless, RecursionError, "endless calls itself: write a loop"),
    (assigns_element, TypeError, "the function sees single elements"),
    (false_assertion, AssertionError, "one is less"),
    ("undefined + x", NameError, "name 'undefined' is not defined"),
    ("[x]", NotImplementedError, "a list"),
    ("x[0]", TypeError, "int64 is a number, which has no elements"),
    ("'a' + x", TypeError, "'a' of type str"),
    ("print(x)", NotImplementedError, "a call of print"),
    ("np.mean(x)", NotImplementedError, "a call of numpy.mean"),
    ("x @ x", TypeError, "@ needs arrays"),
    ("x.shape", AttributeError, "no attribute 'shape'"),
    ("x ** -1", ValueError, "Integers to negative integer powers"),
    ("np.int8(1) + 300", OverflowError, "300 out of bounds for int8"),
    ("math.sqrt(x, x)", TypeError, r"math.sqrt\(\)"),
    ("~(x / 2)", TypeError, "ufunc 'invert' not supported"),
    ("None", TypeError, "has to be returned, not None"),
    ("np.float32", TypeError, "has to be returned"),
    (
        "x if x else np.float64(0)",
        TypeError,
        "mismatch of conditional expression: int64",
    ),
    ("(x, (x, x))", TypeError, "the results have to be numbers"),
    ("ARRAY + x", TypeError, "pass arrays as arguments"),
    ("sum(x for _ in range(2))", NotImplementedError, "a generator"),
    ("f'{x}'", NotImplementedError, "a string"),
    ("range(x)", NotImplementedError, "a call of range"),
    ("np.add(x, x, out=x)", NotImplementedError, "out="),
    ("np.add(x)", TypeError, "takes 2 arguments, not 1"),
]


@pytest.mark.parametrize(
    ("function", "kind", "message"), ERRORS, ids=lambda v: getattr(v, "__name__", None)
)
def test_errors_name_the_line(function, kind, message):
    if isinstance(function, str):
        function = function_of(function, "x", ARRAY=ARRAY)
    with pytest.raises(kind, match=message) as error:
        cp.vectorize(function)(cp.arange(3))
    if "results have to be" not in message:
        assert f"in {function.__name__}\n    " in str(error.value)


def test_a_function_without_source():
    with pytest.raises(OSError, match="the source of '<lambda>' is not there"):
        cp.vectorize(eval("lambda x: x"))(cp.arange(3))


@pytest.mark.parametrize("argument", [np.ones(3), [1, 2], "a", None])
def test_arguments_of_other_types(argument):
    with pytest.raises(TypeError, match="Unsupported type"):
        cp.vectorize(lambda x: x)(argument)


def test_arrays_of_opaque_dtypes():
    with pytest.raises(TypeError, match=r"datetime64\[D\]"):
        cp.vectorize(lambda x: x)(cp.array(["2020-01-01"], "M8[D]"))


def test_assertions_hold(device):
    def function(x):
        assert x >= 0
        return x

    assert cp.vectorize(function)(cp.arange(3)).tolist() == [0, 1, 2]
    if device == "host":  # on a GPU it would be the context's end
        with pytest.raises(Exception, match="assert"):
            cp.vectorize(function)(cp.arange(-3, 0))
