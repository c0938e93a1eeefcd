"""Every row of src/ops/ufunc.def in every signature, on special values, against NumPy.

The rows are read from the ufunc objects, so a new row is tested unasked. References:
NumPy's ufunc of the same name; for complex64 in complex128, as NumPy loses digits
there; for bfloat16 in float32. Then the same values through other layouts, which must
give the same bits.
"""

import warnings

import numpy as np
import pytest

import cupric as cp

ml_dtypes = pytest.importorskip("ml_dtypes")
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)

# Results that are exact, or correctly rounded, for real types.
EXACT = {
    *("add", "subtract", "multiply", "negative", "positive", "absolute", "fabs"),
    *("square", "conjugate", "sign", "maximum", "minimum", "fmax", "fmin", "floor"),
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "ceil"),
    *("logical_and", "logical_or", "logical_xor", "logical_not", "isnan", "isinf"),
    *("isfinite", "signbit", "trunc", "rint", "copysign", "floor_divide", "remainder"),
    *("fmod", "divmod", "heaviside", "modf", "frexp", "ldexp", "nextafter", "spacing"),
}
# Half units in the last place for the others; NumPy's own vector functions reach 8.
ULP, COMPLEX_ULP = 8, 12
# Compared in the norm: one part of the result cancels, in NumPy or here.
NORMWISE = {
    *("power", "float_power", "divide", "multiply", "square", "reciprocal", "sin"),
    *("cos", "tan", "log1p", "expm1", "exp", "exp2", "sinh", "cosh", "tanh"),
}
# Their formulas pass through numbers of the size of 1, in NumPy or here.
ABOUT_ONE = {"log1p", "logaddexp", "logaddexp2"}
# The order of -0 and 0 is nobody's; a real part that cancels is lost in NumPy's.
SIGNED_ZERO_FREE = ["maximum", "minimum", "fmax", "fmin"]
# Their steps are the type's own: float32's say nothing of bfloat16's.
NOT_BY_FLOAT32 = ["nextafter", "spacing"]

UNITS = {f.__name__: f for f in vars(cp).values() if isinstance(f, type(cp.add))}
CASES = [(name, types) for name, f in sorted(UNITS.items()) for types in f.types]


def dtype_of(letter):
    if letter == "E":
        return BFLOAT16
    return np.dtype({"l": "int64", "L": "uint64"}.get(letter, letter))


def integers(dtype):
    info = np.iinfo(dtype)
    values = {0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 63, 64, 100, info.max // 2}
    values |= {info.max, info.max - 1, info.min, info.min + 1}
    if info.min < 0:
        values |= {-1, -2, -3, -7, -8, -64}
    return np.array(sorted(values), dtype=object).astype(dtype)


def reals(dtype):
    info = np.finfo(np.float32 if dtype == BFLOAT16 else dtype)
    values = [0.0, 1, 0.5, 1.5, 2, 2.5, 3, 0.1, 0.3, 7.25, 8, 9, 10, 20, 50, 88, 100]
    values += [700, 1e3, 1e4, 1e-3, 1e-5, np.pi, np.pi / 2, np.inf, np.nan]
    values += [info.max, info.tiny, info.smallest_subnormal, info.eps]
    return np.array(values + [-v for v in values]).astype(dtype)


def complexes(dtype, few):
    parts = [0.0, 1, 0.5, 2, 3.25, 20, np.inf, np.nan, 1e-10]
    if not few:
        parts += [1.0000001, 0.99, 25, 100, 700, 1e-3, 1e30]
    parts = np.array(parts + [-p for p in parts])
    z = np.empty((len(parts), len(parts)), dtype)
    z.real, z.imag = parts[:, None], parts
    return z.ravel()


def samples(dtype, few):
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        return integers(dtype)
    return complexes(dtype, few) if dtype.kind == "c" else reals(dtype)


def inputs_of(name, types):
    """Arrays of one length: every combination of the samples of each input."""
    dtypes = [dtype_of(letter) for letter in types.split("->")[0]]
    arrays = [samples(d, few=len(dtypes) > 1) for d in dtypes]
    if name == "power" and dtypes[1].kind == "i":
        arrays[1] = arrays[1][arrays[1] >= 0]
    grid = np.meshgrid(*[np.arange(len(a)) for a in arrays], indexing="ij")
    return [a[g.ravel()] for a, g in zip(arrays, grid, strict=True)]


def widened(a):
    if a.dtype == BFLOAT16:
        return a.astype(np.float32)
    return a.astype(np.complex128) if a.dtype == np.complex64 else a


def reference(name, arrays, dtypes):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        direct = name in EXACT and BFLOAT16 not in [a.dtype for a in arrays]
        want = getattr(np, name)(*(arrays if direct else map(widened, arrays)))
        want = want if isinstance(want, tuple) else (want,)
        return [w.astype(d) for w, d in zip(want, dtypes, strict=True)]


def as_wide(a):
    kind = np.clongdouble if a.dtype.kind == "c" else np.longdouble
    return a.astype(np.float32).astype(kind) if a.dtype == BFLOAT16 else a.astype(kind)


def units_off(got, want):
    """The difference in units in the last place of `want`, infinite where only one is
    NaN or infinite. Real arrays."""
    if got.dtype == BFLOAT16:
        eps, least = 2.0**-7, 2.0**-133
    else:
        eps, least = np.finfo(got.dtype).eps, np.finfo(got.dtype).smallest_subnormal
    g, w = as_wide(got), as_wide(want)
    with np.errstate(all="ignore"):
        units = abs(g - w) / np.maximum(abs(w) * eps / 2, least)
    same = (g == w) | (np.isnan(g) & np.isnan(w))
    return np.where(same, 0, np.where(np.isnan(units), np.inf, units))


def wrong(name, got, want, from_complex):
    if got.dtype.kind in "biu":
        return got != want
    exact = name in EXACT and got.dtype != BFLOAT16 and not from_complex
    if got.dtype.kind != "c":
        bad = units_off(got, want) > (0 if exact else ULP)
        if name in ABOUT_ONE and got.dtype != BFLOAT16:
            with np.errstate(all="ignore"):
                bad &= ~(abs(as_wide(got) - want) <= 8 * np.finfo(got.dtype).eps)
        if name not in SIGNED_ZERO_FREE:
            signs = np.signbit(as_wide(got)) != np.signbit(as_wide(want))
            if name == "nextafter" and got.dtype == np.float16:
                signs &= got != 0  # before NumPy 2.5 the neighbour of 0 towards -0 is 0
            bad |= signs & ~np.isnan(as_wide(got))
        return bad
    bad = np.maximum(units_off(got.real, want.real), units_off(got.imag, want.imag))
    bad = bad > COMPLEX_ULP
    if name in NORMWISE:
        with np.errstate(all="ignore"):
            size = np.maximum(abs(as_wide(want)), name in ABOUT_ONE)
            near = 200 * np.finfo(got.dtype).eps * size
            bad &= ~(abs(as_wide(got) - as_wide(want)) <= near)
    # C leaves open the sign of an infinity, or zero, beside a NaN.
    either_nan = np.isnan(want.real) | np.isnan(want.imag)
    for g, w in ((got.real, want.real), (got.imag, want.imag)):
        either_nan &= (abs(g) == abs(w)) | (np.isnan(g) & np.isnan(w))
    return bad & ~either_nan


def skip_known(name, types):
    if "E" in types and name in NOT_BY_FLOAT32:
        pytest.skip("float32's neighbours are not bfloat16's")


def differs(name, arrays):
    """Where NumPy's results are others. It squares with a fused multiplication on some
    processors: where both parts overflow, its infinity is our NaN. Its expm1 of complex
    numbers that overflow is NaN, ours is as the array API standard has it."""
    x = arrays[0]
    if x.dtype.kind != "c" or name not in ("square", "expm1"):
        return False
    with np.errstate(all="ignore"):
        return ~np.isfinite(abs(x) ** 2 if name == "square" else x + np.exp(x))


def describe(name, arrays, got, want, bad):
    lines = [f"{name}: {bad.sum()} of {bad.size} differ"]
    for i in np.flatnonzero(bad)[:8]:
        values = ", ".join(repr(a[i]) for a in arrays)
        lines.append(f"  {name}({values}) = {got[i]!r}, NumPy {want[i]!r}")
    return "\n".join(lines)


@pytest.mark.parametrize(("name", "types"), CASES, ids=lambda v: v.replace("->", "_"))
def test_special_values(name, types):
    skip_known(name, types)
    arrays = inputs_of(name, types)
    dtypes = [dtype_of(letter) for letter in types.split("->")[1]]
    result = UNITS[name](*[cp.array(a) for a in arrays])
    result = result if isinstance(result, tuple) else (result,)
    want = reference(name, arrays, dtypes)
    for r, w, dtype in zip(result, want, dtypes, strict=True):
        got = cp.asnumpy(r)
        assert got.dtype == dtype
        bad = wrong(name, got, w, arrays[0].dtype.kind == "c") & ~np.asarray(
            differs(name, arrays)
        )
        assert not bad.any(), describe(name, arrays, got, w, bad)


@pytest.mark.parametrize(("name", "types"), CASES, ids=lambda v: v.replace("->", "_"))
def test_layouts_agree(name, types):
    """Strided, reversed and two-dimensional operands give the dense ones' bits."""
    arrays = [cp.array(a) for a in inputs_of(name, types)]
    dense = UNITS[name](*arrays)
    n = arrays[0].size
    strided = [cp.array(np.repeat(cp.asnumpy(a), 3))[1::3] for a in arrays]
    backward = [cp.array(cp.asnumpy(a)[::-1])[::-1] for a in arrays]
    for operands in (strided, backward):
        again = UNITS[name](*operands)
        pair = (dense, again) if isinstance(dense, tuple) else ((dense,), (again,))
        for a, b in zip(*pair, strict=True):
            assert a.size == n
            a, b = cp.asnumpy(a), cp.asnumpy(b)
            nans = np.isnan(as_wide(a)) if a.dtype.kind not in "biu" else False
            same = (a == b) | (nans & (b != b))
            assert same.all(), (cp.asnumpy(operands[0])[~same], a[~same], b[~same])


@pytest.mark.parametrize(
    "name", ["subtract", "negative", "positive", "sign", "gcd", "lcm"]
)
def test_bool_is_refused(name):
    flags = [cp.array([True, False])] * UNITS[name].nin
    with pytest.raises(TypeError):
        UNITS[name](*flags)


def test_mixed_64_bit_integers_compare_exactly():
    big = cp.array(np.array([2**63, 2**63 + 1, 0], dtype=np.uint64))
    small = cp.array(np.array([-(2**63), -1, 0]))
    assert cp.asnumpy(cp.equal(small, big)).tolist() == [False, False, True]
    assert cp.asnumpy(cp.less(small, big)).tolist() == [True, True, False]
    assert cp.asnumpy(cp.greater_equal(small, big)).tolist() == [False, False, True]


@pytest.mark.parametrize("size", [3.5, -3.5, 0.0, -0.0])
def test_the_size_of_the_largest_number(size):
    largest = np.finfo("d").max
    x = np.array([complex(largest, size), complex(size, -largest)])
    assert cp.abs(cp.array(x)).tolist() == [largest, largest]
    assert np.isfinite(cp.sign(cp.array(x)).get()).all()


@pytest.mark.parametrize("dtype", ["e", "f", "d", "F", "D"])
def test_negative_of_false_is_negative_zero(dtype):
    x = np.array([False, True] * 20)
    got = cp.negative(cp.array(x), dtype=dtype).get()
    want = np.negative(x, dtype=dtype)
    assert got.tobytes() == want.tobytes()


@pytest.mark.parametrize("dtype", "FD")
def test_expm1_of_complex_infinities(dtype):
    """As the array API standard has them; NumPy makes NaNs of most."""
    inf, nan = np.inf, np.nan
    cases = {
        complex(inf, 0): complex(inf, 0),
        complex(-inf, 1): complex(-1, 0),
        complex(inf, 2): complex(-inf, inf),
        complex(-inf, inf): complex(-1, 0),
        complex(inf, inf): complex(inf, nan),
        complex(-inf, nan): complex(-1, 0),
        complex(inf, nan): complex(inf, nan),
        complex(nan, 0): complex(nan, 0),
        complex(nan, 1): complex(nan, nan),
        complex(1, inf): complex(nan, nan),
        complex(-0.0, 0): complex(-0.0, 0),
    }
    got = cp.expm1(cp.array(list(cases), dtype)).get()
    want = np.array(list(cases.values()), dtype)
    np.testing.assert_array_equal(got, want)
    assert np.signbit(got.real[-1])


# ---- the parts of a floating-point number -------------------------------------------


def any_floats(letter):
    """All of float16; of others any bits, and as many subnormal numbers."""
    if letter == "e":
        return np.arange(65536, dtype="u2").view("e")
    rng = np.random.default_rng(4)
    unsigned = f"u{np.dtype(letter).itemsize}"
    bits = np.frombuffer(rng.bytes(400_000), unsigned)
    digits = np.finfo(letter).nmant
    signs = bits & ~np.array(~np.array(0, unsigned) >> 1)
    small = signs | (bits & np.array((1 << digits) - 1, unsigned))
    ends = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], letter)
    return np.concatenate([bits.view(letter), small.view(letter), ends])


def same_floats(there, here):
    equal = (there == here) & (np.signbit(there) == np.signbit(here))
    return (equal | (np.isnan(there) & np.isnan(here))).all()


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("letter", "efd")
def test_frexp_of_any_bits(letter):
    x = any_floats(letter)
    fractions, exponents = np.frexp(x)
    ours, powers = cp.frexp(cp.asarray(x))
    assert same_floats(fractions, ours.get())
    assert powers.dtype == exponents.dtype
    finite = np.isfinite(x)  # C leaves open what the exponent of others is
    np.testing.assert_array_equal(powers.get()[finite], exponents[finite])


@pytest.mark.filterwarnings("ignore:overflow", "ignore:underflow", "ignore:invalid")
@pytest.mark.parametrize("exponents", "il")
@pytest.mark.parametrize("letter", "efd")
def test_ldexp_of_any_bits(letter, exponents):
    """One rounding, also where the power itself is no number."""
    x = any_floats(letter)
    rng = np.random.default_rng(5)
    near = rng.integers(-60, 60, x.size)
    n = np.where(rng.random(x.size) < 0.5, near, rng.integers(-2200, 2200, x.size))
    n = n.astype(exponents)
    n[:2] = np.iinfo(exponents).max, np.iinfo(exponents).min
    assert same_floats(np.ldexp(x, n), cp.ldexp(cp.asarray(x), cp.asarray(n)).get())
