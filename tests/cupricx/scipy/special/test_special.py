"""The ufuncs of cupricx.scipy.special against SciPy's: values, dtypes, what they are.

The functions are read from the package, so that a new row of src/ops/special/ is tested
unasked; exact/<family>.py says which of SciPy's values are not to be compared.
"""

import inspect

import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

from .exact import families
from .operands import (
    LETTERS,
    NAMES,
    as_tuple,
    called,
    differences,
    has_signature,
    operands,
    ordinary,
    reference,
)


def test_aliases():
    for name in special.__all__:
        f = getattr(special, name)
        if isinstance(f, cp.ufunc) and f.__name__ != name:
            assert f is getattr(special, f.__name__)
            assert hasattr(theirs, name)


def test_what_there_is():
    assert len(NAMES) >= 10
    assert {"erf", "erfc", "gamma", "gammaln", "expit", "logit", "xlogy"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_values(name):
    f, tested = getattr(special, name), 0
    for signature in f.types:
        letters, _, results = signature.partition("->")
        if set(letters) - set("lfdFD") or not has_signature(name, letters):
            continue
        arrays = operands(name, letters)
        got = called(f, arrays)
        want = reference(name, arrays, results)
        assert [a.dtype.char for a in got] == [*results], signature
        found = differences(name, got, want, arrays)
        assert not found, (signature, found[:5])
        tested += 1
    assert tested or not hasattr(theirs, name)


def signature_for(f, letters):
    """The inputs' and results' dtypes of the first one that arguments cast to."""
    for signature in f.types:
        inputs, _, results = signature.partition("->")
        if "E" not in signature and all(map(np.can_cast, letters, inputs)):
            return inputs, results
    return None, None


def chosen(f, letters):
    """The results' dtypes of that one, or None."""
    return signature_for(f, letters)[1]


def mixtures(nin):
    """Of dtypes: all of one, and one of them another."""
    for letter in LETTERS:
        yield letter * nin
    for k in range(nin if nin > 1 else 0):
        for one, other in ("fd", "lf", "fl", "iF"):
            yield one * k + other + one * (nin - k - 1)


@pytest.mark.parametrize("name", NAMES)
def test_dtypes(name):
    """By our own signatures; of wide numbers they are those that SciPy chooses."""
    f, ref = getattr(special, name), getattr(theirs, name, None)
    for letters in mixtures(f.nin):
        arrays = [cp.ones(2, letter) for letter in letters]
        expected = chosen(f, letters)
        if expected is None:
            with pytest.raises(TypeError, match="not supported for the input types"):
                f(*arrays)
            continue
        got = "".join(a.dtype.char for a in as_tuple(f(*arrays)))
        assert got == expected, letters
        if isinstance(ref, np.ufunc) and not set(letters) & set("?bBhHe"):
            asked = (*map(np.dtype, letters), *[None] * ref.nout)
            resolved = "".join(t.char for t in ref.resolve_dtypes(asked)[ref.nin :])
            assert got == resolved, letters


@pytest.mark.parametrize("name", NAMES)
def test_other_dtypes_are_converted(name):
    """Integers and float16 give what the numbers give that they are."""
    f = getattr(special, name)
    for letter in "bHeL":
        letters = letter * f.nin
        inputs, results = signature_for(f, letters)
        if results is None or set(results) - set("fd"):
            continue
        arrays = operands(name, letters, 100)
        # an order is an integer, where none that is real is taken
        kept = f.nin * results[0] + "->" + results not in f.types
        asked = inputs if kept else results[0] * f.nin
        wide = [a.astype(t) for a, t in zip(arrays, asked, strict=True)]
        for got, want in zip(called(f, arrays), called(f, wide), strict=True):
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", NAMES)
def test_numbers(name):
    """Python's numbers alone, and beside an array, which decides the dtype."""
    f, ref = getattr(special, name), getattr(theirs, name, None)
    arrays = ordinary(f, 4)
    numbers = [a[3].item() for a in arrays]
    got = as_tuple(f(*numbers))
    if isinstance(ref, np.ufunc):
        want = [np.atleast_1d(a) for a in as_tuple(ref(*numbers))]
        found = [np.atleast_1d(a.get()) for a in got]
        assert [a.dtype for a in found] == [a.dtype for a in want]
        given = [np.atleast_1d(x) for x in numbers]
        assert not differences(name, found, want, given)
    beside = as_tuple(f(*numbers[:-1], cp.asarray(arrays[-1])))
    for one, several in zip(got, beside, strict=True):
        np.testing.assert_array_equal(several.get()[3], one.get())


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_ufunc(name):
    f, ref = getattr(special, name), getattr(theirs, name, None)
    if isinstance(ref, np.ufunc):
        assert (f.__name__, f.nin, f.nout) == (name, ref.nin, ref.nout)
    assert repr(f) == f"<ufunc 'cupric_{name}'>"
    first = "out" if f.nout == 1 else "out1"
    assert list(inspect.signature(f).parameters)[: f.nin + 1][-1] == first
    lines = f.__doc__.splitlines()
    assert lines[0] == f"{name}{inspect.signature(f)}"
    assert lines[2].endswith(".")
    assert not f._family or f"scipy.special.{name}" in f.__doc__


@pytest.mark.parametrize("name", NAMES)
def test_out_where_and_layouts(name):
    f = getattr(special, name)
    arrays = [a.reshape(3, 4) for a in ordinary(f)]
    given = [cp.array(a) for a in arrays]
    want = [a.get() for a in as_tuple(f(*given))]
    out = tuple(cp.zeros((3, 4), w.dtype) for w in want)
    same = f(*given, out=out if f.nout > 1 else out[0])
    assert all(a is b for a, b in zip(as_tuple(same), out, strict=True))
    for a, b in zip(out, want, strict=True):
        np.testing.assert_array_equal(a.get(), b)
    mask = np.arange(12).reshape(3, 4) % 3 == 1
    out = tuple(cp.full((3, 4), -7, w.dtype) for w in want)
    f(*given, *out, where=cp.array(mask))
    for a, b in zip(out, want, strict=True):
        np.testing.assert_array_equal(a.get(), np.where(mask, b, -7))
    for view in (lambda a: a.T, lambda a: a[::-1, ::2], lambda a: a[:, 1]):
        found = as_tuple(f(*[view(a) for a in given]))
        for a, b in zip(found, want, strict=True):
            np.testing.assert_array_equal(a.get(), view(b))
    for a, b in zip(as_tuple(f(*[a[:0] for a in given])), want, strict=True):
        np.testing.assert_array_equal(a.get(), b[:0])
    for k in range(f.nin if f.nin > 1 else 0):  # broadcast
        one = [a[:1] if i == k else a for i, a in enumerate(given)]
        full = [a[:1].repeat(3, 0) if i == k else a for i, a in enumerate(given)]
        for a, b in zip(as_tuple(f(*one)), as_tuple(f(*full)), strict=True):
            np.testing.assert_array_equal(a.get(), b.get())


@pytest.mark.parametrize("name", NAMES)
def test_single_precision(name):
    """Of numbers that both have it is the other's result, rounded, to a few units."""
    f = getattr(special, name)
    arrays = ordinary(f)
    narrow = [a.astype({"d": "f", "D": "F"}.get(a.dtype.char, a.dtype)) for a in arrays]
    for got, want in zip(called(f, narrow), called(f, arrays), strict=True):
        np.testing.assert_allclose(
            got, want, rtol=4e-7 if got.dtype.char in "fF" else 0
        )


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_reduced_by_it(name):
    f = getattr(special, name)
    if f.nin == 2 and f.nout == 1:
        for method in (f.reduce, f.accumulate):
            with pytest.raises(TypeError, match="special function"):
                method(cp.ones(3))
        assert f.outer(cp.ones(2, "l"), cp.ones(3)).shape == (2, 3)


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.linspace(-2, 2, 9).astype(ml_dtypes.bfloat16)
    got = special.erf(cp.array(x))
    assert got.dtype == np.float32
    np.testing.assert_allclose(got.get(), theirs.erf(x.astype("f")), rtol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_ufuncs_of_scipy_run_as_ours(name):
    f, ours = getattr(theirs, name, None), getattr(special, name)
    if not isinstance(f, np.ufunc):
        pytest.skip("SciPy has no such ufunc")
    given = [cp.asarray(a) for a in ordinary(ours, 3)]
    results = as_tuple(f(*given))
    for a, b in zip(results, as_tuple(ours(*given)), strict=True):
        assert type(a) is cp.ndarray
        cp.testing.assert_array_equal(a, b)
    out = tuple(cp.empty_like(a) for a in results)
    same = as_tuple(f(*given, out=out))
    assert all(a is b for a, b in zip(same, out, strict=True))


def test_ufuncs_of_scipy_that_are_not_here():
    lacking = [
        n
        for n, f in vars(theirs).items()
        if isinstance(f, np.ufunc) and not hasattr(special, n) and f.nin == 2
    ]
    if lacking:
        with pytest.raises(TypeError, match="NotImplemented"):
            getattr(theirs, lacking[0])(cp.ones(2), cp.ones(2))
    with pytest.raises(TypeError, match="NumPy array is on the host"):
        theirs.rel_entr(cp.ones(2), np.ones(2))


def test_what_is_told_of_scipy_is_of_our_functions():
    for module in families().values():
        entries = getattr(module, "SCIPY", {})
        assert set(entries) <= set(NAMES)
        assert all(entry.get("reason") for entry in entries.values())
        for entry in entries.values():
            assert set(entry) <= {"ulp", "floor", "wrong", "samples", "reason"}


def test_differences_are_seen():
    x = np.array([0.5, 3.0, 0.25, np.inf, 2.0])
    want = [theirs.erf(x)]
    assert not differences("erf", [special.erf(cp.array(x)).get()], want, [x])
    ours = [want[0] * np.array([1, 1 + 1e-10, 1, 0.5, np.nan])]
    assert [p[0][0] for p in differences("erf", ours, want, [x])] == [3, np.inf, 2]
    wrong_of_scipy = [want[0] * np.array([1 + 1e-3, 1, 1, 1, 1])]
    assert not differences("erf", want, wrong_of_scipy, [x])
    single = [want[0].astype("f") * np.float32(1 + 1e-5)]
    assert len(differences("erf", single, [want[0].astype("f")], [x.astype("f")])) == 5


def test_digamma_of_other_dtypes_is_that_of_float64():
    """Which is converted around the one loop: also where there are several blocks of
    it, steps, and a number for an array."""
    x = np.arange(-3000, 3000)
    for dtype in "bhlBLef":
        a = x.astype(dtype)[::-3]
        want = special.psi(cp.asarray(a.astype("d"))).get()
        got = special.psi(cp.asarray(x.astype(dtype))[::-3])
        assert got.dtype == ("f" if dtype == "f" else "d")
        np.testing.assert_array_equal(got.get(), want.astype(got.dtype))
    y = cp.empty(1000)[::2]
    special.psi(cp.broadcast_to(cp.array(3, "h"), (500,)), out=y)
    assert (y == special.psi(3.0)).all()
