"""Which signature a call takes: every ufunc of NumPy's, with every dtype of its inputs,
under every `dtype=`, `signature=` and `casting=`, on arrays and on Python numbers.
Compared: the result's dtype and values, or the class of the error."""

import itertools
import zlib

import numpy as np
import pytest

import cupric

from .cases import outcome

LETTERS = "?bBhHiIlLefdFD"
UFUNCS = sorted(
    {
        f.__name__
        for f in vars(cupric).values()
        if isinstance(f, type(cupric.add)) and hasattr(np, f.__name__)
    }
)
BINARY = [name for name in UFUNCS if getattr(cupric, name).nin == 2]
REDUCED = [name for name in BINARY if getattr(cupric, name).nout == 1]
NUMBERS = [True, 5, -1, 200, 70000, 2**40, 2.5, 1e300, float("nan"), 1 + 2j]
NUMBERS += [np.int8(5), np.float32(2.5), np.uint64(7), np.complex64(1j), np.bool_(True)]
# 100 divided by 3 does not fit the signature of int8 that makes float64 of it.
VALUES = [np.array([100, 1, 2]), np.array([3, 2, 3])]
HOST = {(c, k): VALUES[k].astype(c) for c in LETTERS for k in range(2)}
OURS = {key: cupric.array(x) for key, x in HOST.items()}
DRAWN = 5  # cases of a test on a GPU

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def drawn(device, request):
    """Of some lists, each combination; on a GPU, which compiles a kernel for almost
    every one, a few: as far as they are in the lists, the same for all tests of a
    ufunc, so that these ask for the same kernels."""
    name = request.node.callspec.params["name"]

    def place(case):
        types = (t[-1] if isinstance(t, str) and ">" in t else t for t in case)
        return zlib.crc32(" ".join([name, *map(str, types)]).encode())

    def draw(*lists):
        cases = list(itertools.product(*lists))
        return cases if device == "host" else sorted(cases, key=place)[:DRAWN]

    return draw


def letters_of(nin):
    """Every combination of dtypes."""
    return list(itertools.product(LETTERS, repeat=nin))


def operands(letters):
    """(NumPy's arrays, ours) of these dtypes."""
    keys = [(c, k) for k, c in enumerate(letters)]
    return [HOST[key] for key in keys], [OURS[key] for key in keys]


def outcomes(ours, theirs, letters, **kwargs):
    """What both make of operands of these dtypes."""
    a, b = operands(letters)
    return outcome(ours, *b, **kwargs), outcome(theirs, *a, **kwargs)


def is_same(got, expected):
    if isinstance(expected, type) or isinstance(got, type):
        both = isinstance(expected, type) and isinstance(got, type)
        return both and issubclass(expected, got)
    got = got if isinstance(got, tuple) else (got,)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for a, b in zip(got, map(np.asarray, expected), strict=True):
        a = cupric.asnumpy(a)
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return False
        exact = b.dtype.kind in "biu"
        if not np.allclose(a, b, rtol=0 if exact else 1e-2, atol=0, equal_nan=True):
            return False
    return True


def compare(cases):
    """cases: (what, our outcome, NumPy's)."""
    wrong = [(what, a, b) for what, a, b in cases if not is_same(a, b)]
    assert not wrong, f"{len(wrong)} differ: {wrong[:5]}"


def of_expm1(name, *dtypes):
    """expm1(100) overflows float32; NumPy makes its imaginary part NaN, not 0."""
    return name == "expm1" and "F" in dtypes


@pytest.mark.parametrize("name", UFUNCS)
def test_dtype(name, drawn):
    ours, theirs = getattr(cupric, name), getattr(np, name)
    compare(
        ((letters, t), *outcomes(ours, theirs, letters, dtype=t))
        for letters, t in drawn(letters_of(ours.nin), LETTERS)
        if not of_expm1(name, t)
    )


@pytest.mark.parametrize("name", UFUNCS)
def test_ufunc_of_numpy(name, drawn):
    theirs = getattr(np, name)
    compare(
        ((letters, t), *outcomes(theirs, theirs, letters, dtype=t))
        for letters, t in drawn(letters_of(theirs.nin), "?bLefdFD")
        if not of_expm1(name, t)
    )


@pytest.mark.parametrize("name", UFUNCS)
@pytest.mark.parametrize("casting", ["no", "safe", "unsafe"])
def test_casting(name, casting, drawn):
    ours, theirs = getattr(cupric, name), getattr(np, name)
    cases = []
    for letters, t in drawn(letters_of(ours.nin), [None, *"?bLefdD"]):
        if of_expm1(name, *letters) or (name == "divide" and t in (None, "d")):
            continue
        kwargs = {"casting": casting} | ({"dtype": t} if t else {})
        cases.append(((letters, t), *outcomes(ours, theirs, letters, **kwargs)))
    compare(cases)


@pytest.mark.parametrize("name", UFUNCS)
def test_whole_signatures(name, drawn):
    ours, theirs = getattr(cupric, name), getattr(np, name)
    if name.startswith("logical"):
        pytest.skip("operands of any dtype are read as they are")
    known = [t for t in theirs.types if set(t) <= set(LETTERS + "->")]
    compare(
        ((letters, t), *outcomes(ours, theirs, letters, signature=t))
        for letters, t in drawn(letters_of(ours.nin), known)
        if not of_expm1(name, t[0])
    )


@pytest.mark.parametrize("name", BINARY)
def test_signatures_with_gaps(name, drawn):
    ours, theirs = getattr(cupric, name), getattr(np, name)
    if ours.types[0][-1] == "?" or name == "divide":
        pytest.skip("its list of signatures is longer than NumPy's, or read otherwise")
    cases = []
    chosen = drawn(letters_of(2), LETTERS)
    for (letters, t), first in itertools.product(chosen, [True, False]):
        types = ((t, None) if first else (None, t)) + (None,) * ours.nout
        both = outcomes(ours, theirs, letters, signature=types)
        cases.append(((letters, types), *both))
    compare(cases)


@pytest.mark.parametrize("name", BINARY)
def test_python_numbers(name, drawn):
    ours, theirs = getattr(cupric, name), getattr(np, name)
    cases = []
    for c, n, t in drawn(LETTERS, NUMBERS, [None, *"?bldFD"]):
        if name == "power" and type(n) is int and n < 0:
            continue  # integers have negative powers here
        x, y = HOST[c, 0], OURS[c, 0]
        if t is None:
            cases.append(((c, n), outcome(ours, y, n), outcome(theirs, x, n)))
            cases.append(((n, c), outcome(ours, n, y), outcome(theirs, n, x)))
        else:
            got, expected = outcome(ours, y, n, dtype=t), outcome(theirs, x, n, dtype=t)
            cases.append(((c, n, t), got, expected))
    compare(cases)


@pytest.mark.parametrize("name", REDUCED)
def test_outer(name, drawn):
    ours, theirs = getattr(cupric, name).outer, getattr(np, name).outer
    compare(
        ((letters, t), *outcomes(ours, theirs, letters, dtype=t))
        for letters, t in drawn(letters_of(2), [None, *"bLedD"])
    )


@pytest.mark.parametrize("method", ["reduce", "accumulate", "reduceat"])
@pytest.mark.parametrize("name", REDUCED)
def test_reductions(name, method, drawn):
    if name == "ldexp":
        pytest.skip("the exponent is an integer: there is nothing to reduce")
    ours, theirs = (getattr(getattr(m, name), method) for m in (cupric, np))
    rest = ([0, 1],) if method == "reduceat" else ()
    cases = []
    compared = getattr(cupric, name).types[-1] == "DD->?"
    for c, t in drawn(LETTERS, [None, *LETTERS]):
        if compared and t == "?" != c:
            continue  # NumPy's answer depends on what was asked before
        x = np.array([HOST[c, 0], HOST[c, 1]])
        got = outcome(ours, cupric.array(x), *rest, dtype=t)
        cases.append(((c, t), got, outcome(theirs, x, *rest, dtype=t)))
    compare(cases)


@pytest.mark.parametrize("name", REDUCED)
def test_start_of_a_reduction(name, drawn):
    if name in ("ldexp", "nextafter"):
        pytest.skip("as above; NumPy's neighbour of 0 in float16 is no float16")
    ours, theirs = getattr(cupric, name).reduce, getattr(np, name).reduce
    cases = []
    for c, n in drawn(LETTERS, [None, 0, 1, 5, 2.5, 1j, 300, -1, np.nan]):
        x = np.array([HOST[c, 0], HOST[c, 1]])
        got = outcome(ours, cupric.array(x), initial=n)
        cases.append(((c, n), got, outcome(theirs, x, initial=n)))
    compare(cases)


def has_integers(result):
    """Whether a cast to a short integer type is defined for all of a result."""
    results = result if isinstance(result, tuple) else (result,)
    return all(
        np.all(np.abs(r.astype("D")) < 2**7)
        for r in results
        if isinstance(r, np.ndarray) and r.dtype.kind in "fc"
    )


@pytest.mark.parametrize("name", UFUNCS)
def test_output(name, drawn):
    ours, theirs = getattr(cupric, name), getattr(np, name)
    castings = ["same_kind", "unsafe"]
    cases = []
    chosen = drawn(letters_of(ours.nin), LETTERS)
    for (letters, t), casting in itertools.product(chosen, castings):
        if of_expm1(name, *letters):
            continue
        a, b = operands(letters)
        if t in "bBhHiIlLqQ" and not has_integers(outcome(theirs, *a)):
            continue  # what becomes of it then is the device's matter
        out = [tuple(m.zeros(3, t) for _ in range(ours.nout)) for m in (cupric, np)]
        got = outcome(ours, *b, out=out[0], casting=casting)
        expected = outcome(theirs, *a, out=out[1], casting=casting)
        cases.append(((letters, t, casting), got, expected))
    compare(cases)


def test_one_type_is_no_signature():
    for types in ("d", ("d",)):
        with pytest.raises(TypeError, match="dtype="):
            cupric.add(OURS["d", 0], 1, signature=types)
    with pytest.raises(TypeError, match="both"):
        cupric.add(OURS["d", 0], 1, signature="dd->d", dtype="d")


def test_quotients_of_integers():
    x, y = cupric.array([300]), cupric.array([2])
    assert cupric.divide(x, y, dtype="d").tolist() == [150.0]
    assert cupric.true_divide(x, y, dtype="f8").tolist() == [150.0]
    assert cupric.divide.outer(x, y, dtype="d").tolist() == [[150.0]]
    assert np.divide(x, y, dtype="d").tolist() == [150.0]
    assert cupric.divide(cupric.array([2.5]), y, dtype="d").tolist() == [1.25]
    assert cupric.ldexp(x.astype("I"), y, dtype="d").tolist() == [1200.0]


def test_truth_of_integers_beyond_the_dtype():
    x = cupric.array([0, 3], "int8")
    for n in (2**40, -(2**70)):
        assert cupric.logical_and(x, n).tolist() == [False, True]
        assert cupric.logical_or(n, x).tolist() == [True, True]
        assert cupric.logical_xor(x, n).tolist() == [True, False]


@pytest.mark.parametrize("name", ["sinc", "i0", "angle"])
@pytest.mark.parametrize("letter", "?bBhHiIlLfd")
def test_functions_that_are_no_ufuncs_of_numpy(name, letter):
    x = np.array([0, 1, 1]).astype(letter)
    got, expected = getattr(cupric, name)(cupric.array(x)), getattr(np, name)(x)
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(got.get(), expected, rtol=1e-5, atol=1e-6)


def test_negative_powers_of_integers():
    x = cupric.array([-2, -1, 1, 2])
    for n in (-1, -2, np.int64(-1), cupric.array(-1)):
        expected = [0, -1 if int(n) == -1 else 1, 1, 0]
        assert (x**n).tolist() == expected
    assert (cupric.zeros((0, 7), int) ** -1).shape == (0, 7)
    assert (cupric.array([3], "int8") ** 2).dtype == np.int8


@pytest.mark.parametrize("casting", ["no", "safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("name", ["add", "multiply", "floor_divide", "less"])
def test_casting_of_python_numbers(name, casting):
    ours, theirs = getattr(cupric, name), getattr(np, name)
    cases = []
    for c, n, t in itertools.product("bHldfD", [3, 2.5, 1j, True], (None, "d", "l")):
        if casting == "safe" and type(n) is not bool:
            continue  # NumPy's answer goes by the number's value
        kwargs = {"casting": casting} | ({"dtype": t} if t else {})
        got = outcome(ours, OURS[c, 0], n, **kwargs)
        cases.append(((c, n, t), got, outcome(theirs, HOST[c, 0], n, **kwargs)))
    compare(cases)


@pytest.mark.parametrize("code", list("bBhHiIlL"))
@pytest.mark.parametrize("rule", ["no", "equiv", "safe", "same_kind", "unsafe"])
def test_division_of_integers_casts_them_to_floats(code, rule):
    def divide(xp):
        x = xp.array([6, 7], code)
        return xp.divide(x, x, casting=rule)

    if rule in ("no", "equiv"):
        for xp in (np, cupric):
            with pytest.raises(TypeError, match="to dtype.'float64'. with casting"):
                divide(xp)
    else:
        assert divide(cupric).get().tolist() == divide(np).tolist()
