"""The ufuncs of cupricx.scipy.special against SciPy's: values, dtypes, what they are.

The functions are read from the package, so that a new row of src/ops/special.def is
tested unasked.
"""

import inspect
import itertools
import warnings

import mpmath
import numpy as np
import pytest
import scipy.special as theirs

import cupric as cp
from cupricx.scipy import special

NAMES = [
    n
    for n in special.__all__
    if isinstance(f := getattr(special, n), cp.ufunc) and f.__name__ == n
]
ALIASES = {"digamma": "psi"}
LETTERS = "?bBhHiIlLefdFD"
# Units in the last place of the result, SciPy's errors among them, which are those of
# the tail of erfc. The argument of ndtr is rounded before its square is in an exponent.
# SciPy's digamma loses digits beside a pole left of 0.
ULP = {"ndtr": 4000, "gammaln": 64, "erfc": 400, "rel_entr": 16, "psi": 1 << 17}


def reals(dtype):
    info = np.finfo(dtype)
    values = [
        0.0,
        1,
        0.5,
        0.25,
        0.3,
        0.65,
        0.499999,
        1.5,
        2,
        2.5,
        3,
        5.5,
        7,
        10,
        25,
        37,
    ]
    values += [88, 103, 170.6, 700, 745, 1e3, 1e10, 1e-3, 1e-10, 0.999999, 1.000001]
    values += [np.inf, np.nan, info.max, info.tiny, info.smallest_subnormal, info.eps]
    with np.errstate(over="ignore"):
        x = np.array([*values, *(-v for v in values)]).astype(dtype)
    rng = np.random.default_rng(0)
    spread = [rng.standard_normal(400) * s for s in (1, 10, 1e-3)]
    return np.concatenate([x, *spread, rng.random(400)]).astype(dtype)


def samples(letter):
    dtype = np.dtype(letter)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = [0, 1, 2, 3, 10, 100, info.max, info.min, info.min + 1]
        return np.array([*values, *([-1, -2, -7] if info.min else [])], dtype)
    if dtype.kind == "f":
        return reals(dtype)
    parts = [0.0, -0.0, 1, -1, 0.5, 3.25, -20, 1e-10]
    return np.array([complex(*p) for p in itertools.product(parts, parts)], dtype)


def operands(letters):
    """Every combination of the samples; of two inputs, of those that are special."""
    arrays = [samples(letter) for letter in letters]
    if len(arrays) == 1:
        return arrays
    grid = np.meshgrid(*[a[:70] for a in arrays], indexing="ij")
    return [g.ravel() for g in grid]


def dtype_of(f, letter):
    """By our rows, not SciPy's: what it makes of bools, small integers and float16 is
    float64 before 1.18, and for most functions float32 since."""
    if letter in "FD":
        return np.dtype(letter)
    if letter in "fd" or "e" * f.nin + "->d" not in f.types:
        return np.result_type(letter, "f")
    return np.dtype("d")


def reference(name, arrays, dtype):
    """SciPy's values; those of single precision from double."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wide = "D" if dtype.kind == "c" else "d"
        return getattr(theirs, name)(*[a.astype(wide) for a in arrays]).astype(dtype)


def assert_near(name, got, want):
    for part in ("real", "imag") if want.dtype.kind == "c" else ("real",):
        a, b = getattr(got, part), getattr(want, part)
        special_ones = ~np.isfinite(b)
        if name == "gammaln":  # SciPy's is infinite next to 0, where it is some 700
            close = np.isfinite(a) & (a > 80)
            a, b = a[~(close & special_ones)], b[~(close & special_ones)]
            special_ones = ~np.isfinite(b)
        np.testing.assert_array_equal(a[special_ones], b[special_ones])
        a, b = a[~special_ones], b[~special_ones]
        size = abs(want[np.isfinite(want)]) if want.dtype.kind == "c" else abs(b)
        limits = np.finfo(b.dtype)
        unit = np.spacing(np.clip(size, limits.tiny, limits.max / 2))
        if name in (
            "gammaln",
            "psi",
        ):  # their roots: as exact as a number of the size of 1
            unit = np.maximum(unit, np.finfo(b.dtype).eps)
        with np.errstate(over="ignore"):
            off = abs(a - b) / unit
        worst = off.argmax() if off.size else 0
        assert off.size == 0 or off[worst] <= ULP.get(name, 8), (a[worst], b[worst])


def test_aliases():
    for name, other in ALIASES.items():
        assert getattr(special, name) is getattr(special, other)
    ufuncs = {n for n in special.__all__ if isinstance(getattr(special, n), cp.ufunc)}
    assert ufuncs - set(NAMES) == set(ALIASES)


def test_what_there_is():
    assert len(NAMES) >= 10
    assert {"erf", "erfc", "gamma", "gammaln", "expit", "logit", "xlogy"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_values(name):
    f, tested = getattr(special, name), 0
    kinds = getattr(theirs, name).types
    for letter in LETTERS:
        letters = letter * f.nin
        if letter in "FD" and f"{letters}->{letter}" not in f.types:
            with pytest.raises(TypeError, match="not supported for the input types"):
                f(*[cp.ones(2, letter)] * f.nin)
            continue
        if letter in "FD" and f"{letters}->{letter}" not in kinds:
            continue
        arrays = operands(letters)
        want = reference(name, arrays, dtype_of(f, letter))
        got = f(*[cp.array(a) for a in arrays])
        assert got.dtype == want.dtype, letter
        assert_near(name, got.get(), want)
        tested += 1
    assert tested >= 12


@pytest.mark.parametrize("name", NAMES)
def test_mixed_dtypes_and_numbers(name):
    f, ref = getattr(special, name), getattr(theirs, name)
    if f.nin == 1:
        got, want = f(0.25), ref(0.25)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(float(got), want, rtol=1e-14)
        return
    for a, b in itertools.product("ilfd", repeat=2):
        x, y = np.array([1, 2, 0], a), np.array([[1, 3, 2]], b)
        with np.errstate(all="ignore"):
            want = ref(x, y)
        got = f(cp.array(x), cp.array(y))
        assert got.dtype == want.dtype, a + b
        np.testing.assert_allclose(got.get(), want, rtol=1e-6)
    for letter in "fd":
        x = np.array([0.5, 0], letter)
        assert f(cp.array(x), 2.0).dtype == x.dtype


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_ufunc(name):
    f, ref = getattr(special, name), getattr(theirs, name)
    assert (f.__name__, f.nin, f.nout) == (name, ref.nin, ref.nout)
    assert repr(f) == f"<ufunc 'cupric_{name}'>"
    assert list(inspect.signature(f).parameters)[: f.nin + 1][-1] == "out"
    lines = f.__doc__.splitlines()
    assert lines[0] == f"{name}{inspect.signature(f)}"
    assert lines[2].endswith(".")
    assert f"scipy.special.{name}" in f.__doc__
    x = np.linspace(0.1, 0.9, 12).reshape(3, 4)
    y = cp.array(x)
    arrays = [y] * f.nin
    want = f(*arrays).get()
    out = cp.zeros((3, 4))
    assert f(*arrays, out=out) is out
    np.testing.assert_array_equal(out.get(), want)
    mask = x > 0.5
    out = cp.full((3, 4), -7.0)
    f(*arrays, out=out, where=cp.array(mask))
    np.testing.assert_array_equal(out.get(), np.where(mask, want, -7.0))
    for view in (lambda a: a.T, lambda a: a[::-1, ::2], lambda a: a[:, 1]):
        np.testing.assert_array_equal(f(*[view(y)] * f.nin).get(), view(want))
    single = f(*arrays, dtype="f")
    assert single.dtype == np.float32
    np.testing.assert_allclose(single.get(), want, rtol=1e-5)
    np.testing.assert_array_equal(f(*[y[:0]] * f.nin).get(), want[:0])


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_reduced_by_it(name):
    f = getattr(special, name)
    if f.nin == 2:
        for method in (f.reduce, f.accumulate):
            with pytest.raises(TypeError, match="special function"):
                method(cp.ones(3))
        assert f.outer(cp.ones(2), cp.ones(3)).shape == (2, 3)


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.linspace(-2, 2, 9).astype(ml_dtypes.bfloat16)
    got = special.erf(cp.array(x))
    assert got.dtype == np.float32
    np.testing.assert_allclose(got.get(), theirs.erf(x.astype("f")), rtol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_ufuncs_of_scipy_run_as_ours(name):
    f, ours = getattr(theirs, name), getattr(special, name)
    operands = [cp.asarray([0.25, 0.5])] * ours.nin
    result = f(*operands)
    assert type(result) is cp.ndarray
    cp.testing.assert_array_equal(result, ours(*operands))
    out = cp.empty(2)
    assert f(*operands, out=out) is out
    cp.testing.assert_array_equal(out, result)


def test_ufuncs_of_scipy_that_are_not_here():
    with pytest.raises(TypeError, match="NotImplemented"):
        theirs.jv(cp.ones(2), cp.ones(2))
    with pytest.raises(TypeError, match="NumPy array is on the host"):
        theirs.rel_entr(cp.ones(2), np.ones(2))


NARROW = ("entr", "rel_entr")


@pytest.mark.parametrize("name", special.__all__)
def test_dtypes_of_integers(name):
    """The same whatever SciPy there is: float64, and float32 of short ones in two."""
    f = getattr(special, name)
    for letter in "?bBhHiIlLe":
        x = cp.ones(2, letter)
        short = letter in "?bBhHe"
        expected = "f" if name in NARROW and short else "d"
        assert f(*[x] * f.nin).dtype.char == expected, letter
    assert f(*[cp.ones(2, "f")] * f.nin).dtype == np.float32


def test_digamma_beside_the_exact():
    """To some units in the last place right of 0, also beside the zero; left of it,
    where other zeros lie between the poles, to some of a number of the size of 1."""
    rng = np.random.default_rng(3)
    right = [rng.uniform(1e-3, 30, 300), rng.uniform(1.4616, 1.4617, 100)]
    right.append(10 ** rng.uniform(-300, 300, 100))
    left = [-rng.uniform(0, 30, 300), -(10 ** rng.uniform(-200, 0, 50))]
    for x, least in ((np.concatenate(right), 0), (np.concatenate(left), 1)):
        with mpmath.workdps(60):
            exact = np.array([float(mpmath.digamma(mpmath.mpf(v))) for v in x])
        unit = np.spacing(np.maximum(np.abs(exact), least))
        got = special.digamma(cp.asarray(x)).get()
        assert (np.abs(got - exact) / unit).max() <= 4


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
