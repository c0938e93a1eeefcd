"""The values of CUDA's mathematical functions over their whole domains, by mpmath.

The bounds, in units in the last place, are those that the CUDA C++ Programming Guide gives
for each function (its appendix on mathematical functions), on either device.
"""

import functools
from fractions import Fraction

import ml_dtypes
import mpmath as mp
import numpy as np
import pytest

import cupric as cp

PRECISION = 60  # digits
COUNT = 60  # numbers of a range


def erfcinv(q):
    """By Newton's steps in the logarithm, where mpmath's own would cancel."""
    q = mp.mpf(q)
    if q > 1:
        return -erfcinv(2 - q)
    if q > 0.01:
        return mp.erfinv(1 - q)
    x = mp.sqrt(-mp.log(q))
    for _ in range(60):
        value = mp.erfc(x)
        step = mp.log(value / q) * value * mp.sqrt(mp.pi) / 2 * mp.exp(x * x)
        x += step
        if abs(step) < x * mp.mpf("1e-40"):
            break
    return x


def erfinv(x):
    return mp.sign(x) * erfcinv(1 - abs(mp.mpf(x))) if abs(x) > 0.5 else mp.erfinv(x)


def erfcx(x):
    if x < 1e3:
        return mp.exp(x * x) * mp.erfc(x)
    return (1 - 1 / (2 * x * x) + 3 / (4 * x**4)) / (x * mp.sqrt(mp.pi))


# how numbers are drawn: evenly, or with even logarithms
def even(low, high):
    return lambda rng: rng.uniform(low, high, COUNT)


def sizes(low, high, sign=1):
    return lambda rng: sign * 10.0 ** rng.uniform(low, high, COUNT)


def near(number, low, high):
    return lambda rng: number + 10.0 ** rng.uniform(low, high, COUNT)


def below(number, low, high):
    return lambda rng: number - 10.0 ** rng.uniform(low, high, COUNT)


ANY = [sizes(-300, 300), sizes(-300, 300, -1), even(-10, 10)]
POSITIVE = [sizes(-320, 308), even(0, 10)]
SMALL = [sizes(-300, 0), sizes(-300, 0, -1), even(-1, 1)]
TURNS = [sizes(-300, 3), sizes(-300, 3, -1), even(-10, 10)]

# the function, where, and the bounds for float64 and float32
ONE = {
    "acos": (mp.acos, [even(-1, 1), near(-1, -15, 0)], 2, 2),
    "acosh": (mp.acosh, [sizes(0.1, 300), near(1, -15, 1)], 3, 4),
    "asin": (mp.asin, SMALL, 2, 2),
    "asinh": (mp.asinh, ANY, 3, 3),
    "atan": (mp.atan, ANY, 2, 2),
    "atanh": (mp.atanh, SMALL, 2, 3),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), ANY, 1, 1),
    "cos": (mp.cos, TURNS, 2, 2),
    "cosh": (mp.cosh, [even(-88, 88), even(-700, 700), sizes(-20, 1)], 1, 2),
    "cospi": (lambda x: mp.cospi(x), TURNS, 2, 1),
    "cyl_bessel_i0": (lambda x: mp.besseli(0, x), [even(-88, 88), even(88, 700)], 6, 6),
    "cyl_bessel_i1": (
        lambda x: mp.besseli(1, x),
        [even(-20, 20), even(88, 700), sizes(-300, 0)],
        6,
        6,
    ),
    "erf": (mp.erf, [*SMALL, even(-7, 7)], 2, 2),
    "erfc": (mp.erfc, [even(-5, 10), even(10, 26), sizes(-20, 0, -1)], 5, 4),
    "erfcinv": (
        erfcinv,
        [even(0, 2), sizes(-307, 0), below(2, -15, 0), near(1, -16, -2)],
        6,
        4,
    ),
    "erfcx": (erfcx, [even(-9, 10), even(-26.6, 30), sizes(-20, 300)], 4, 4),
    "erfinv": (erfinv, [*SMALL, below(1, -15, 0), near(-1, -15, 0)], 5, 2),
    "exp": (mp.exp, [even(-87, 88), even(-700, 700), sizes(-20, 0)], 1, 2),
    "exp10": (lambda x: mp.power(10, x), [even(-37, 38), even(-300, 300)], 2, 2),
    "exp2": (lambda x: mp.power(2, x), [even(-126, 127), even(-1000, 1000)], 1, 2),
    "expm1": (mp.expm1, [*SMALL, even(-20, 88), even(88, 700)], 1, 1),
    "lgamma": (
        lambda x: mp.log(abs(mp.gamma(x))) if x < 1e3 else mp.loggamma(x).real,
        [even(0, 4), sizes(-300, 1), sizes(0.5, 30), even(-40.9, -11.1)],
        4,
        6,
    ),
    "log": (mp.log, [*POSITIVE, near(1, -15, 0), below(1, -15, -1)], 1, 1),
    "log10": (mp.log10, [*POSITIVE, near(1, -15, 0), below(1, -15, -1)], 2, 2),
    "log1p": (mp.log1p, [sizes(-300, 300), near(-1, -15, 0), *SMALL], 1, 1),
    "log2": (lambda x: mp.log(x, 2), [*POSITIVE, near(1, -15, 0)], 1, 1),
    "normcdf": (mp.ncdf, [even(-8, 8), even(-37, 8), sizes(-20, 0, -1)], 5, 5),
    "normcdfinv": (
        lambda p: -mp.sqrt(2) * erfcinv(2 * mp.mpf(p)),
        [even(0, 1), sizes(-307, 0), below(1, -15, 0), near(0.5, -16, -2)],
        8,
        5,
    ),
    "rcbrt": (lambda x: mp.sign(x) / mp.cbrt(abs(x)), ANY, 2, 2),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), POSITIVE, 1, 2),
    "sin": (mp.sin, TURNS, 2, 2),
    "sinh": (mp.sinh, [*SMALL, even(-88, 88), even(-700, 700)], 2, 3),
    "sinpi": (lambda x: mp.sinpi(x), TURNS, 2, 1),
    "sqrt": (mp.sqrt, POSITIVE, 0.5, 0.5),
    "tan": (mp.tan, TURNS, 2, 4),
    "tanh": (mp.tanh, [*SMALL, even(-20, 20)], 2, 2),
    "tgamma": (
        mp.gamma,
        [even(0.1, 34), even(-30, -0.01), even(34, 170), sizes(-30, 0)],
        10,
        11,
    ),
}
BOTH = [sizes(-300, 300), sizes(-300, 300, -1), even(-10, 10)]
TWO = {
    "atan2": (mp.atan2, BOTH, 2, 3),
    "hypot": (mp.hypot, [sizes(-320, 308), even(-10, 10)], 2, 3),
    "rhypot": (lambda x, y: 1 / mp.hypot(x, y), [sizes(-308, 308), even(1, 9)], 2, 2),
    "pow": (lambda x, y: mp.power(x, y), [even(0.01, 30)], 2, 4),
    "norm3d": (lambda x, y: mp.hypot(mp.hypot(x, y), y), [sizes(-308, 308)], 2, 3),
    "rnorm3d": (
        lambda x, y: 1 / mp.hypot(mp.hypot(x, y), y),
        [sizes(-307, 308), even(1, 9)],
        2,
        2,
    ),
    "norm4d": (
        lambda x, y: mp.sqrt(2) * mp.hypot(x, y),
        [sizes(-308, 307), even(-9, 9)],
        2,
        3,
    ),
    "rnorm4d": (
        lambda x, y: 1 / (mp.sqrt(2) * mp.hypot(x, y)),
        [sizes(-307, 308), even(-9, 9)],
        2,
        2,
    ),
}
CALLS = {"norm3d": "x, y, y", "norm4d": "x, y, x, y"}
BESSEL = {
    "j0": lambda x: mp.besselj(0, x),
    "j1": lambda x: mp.besselj(1, x),
    "y0": lambda x: mp.bessely(0, x),
    "y1": lambda x: mp.bessely(1, x),
    "jn(3)": lambda x: mp.besselj(3, x),
    "yn(3)": lambda x: mp.bessely(3, x),
}
TYPES = {"float64": ("double", ""), "float32": ("float", "f")}


@functools.cache
def module(dtype):
    """A kernel of each function, of its name."""
    ctype, suffix = TYPES[dtype]
    text = []
    for name in [*ONE, *TWO, *BESSEL]:
        function, _, order = name.partition("(")
        arguments = CALLS.get(name.removeprefix("r"), "x, y" if name in TWO else "x")
        if order:
            arguments = f"{order[:-1]}, x"
        text.append(f"""
        extern "C" __global__ void of_{function}(const {ctype} *px, const {ctype} *py,
                                                 {ctype} *out, int n) {{
            for (int i = threadIdx.x; i < n; i += blockDim.x) {{
                {ctype} x = px[i], y = py[i];
                out[i] = {function}{suffix}({arguments});
                (void)y;
            }}
        }}""")
    return cp.RawModule(code="".join(text))


def of(name, dtype, x, y=None):
    px = cp.asarray(x.astype(dtype))
    py = px if y is None else cp.asarray(y.astype(dtype))
    out = cp.empty(px.shape, dtype)
    kernel = module(dtype).get_function("of_" + name.partition("(")[0])
    kernel((1,), (32,), (px, py, out, cp.int32(px.size)))
    return out.get()


def drawn(ranges, dtype, seed):
    rng = np.random.default_rng(seed)
    x = np.concatenate([draw(rng) for draw in ranges])
    with np.errstate(over="ignore"):
        x = x.astype(dtype)
    return x[np.isfinite(x) & (x != 0)].astype("d")


def errors(got, exact, dtype):
    """In units in the last place of the exact values, where those are numbers."""
    info = np.finfo(dtype)
    for g, e in zip(got, exact, strict=True):
        if abs(e) > float(info.max):  # it may have been rounded to infinity
            yield 0.0 if np.isinf(g) or abs(g) == info.max else np.inf
        elif not np.isfinite(g):
            yield np.inf
        else:
            unit = np.spacing(np.dtype(dtype).type(abs(float(e))))
            yield float(abs(mp.mpf(float(g)) - e) / mp.mpf(float(unit)))


def check(name, row, dtype, operands):
    function, _, *bounds = row
    got = of(name, dtype, *operands)
    with mp.workdps(PRECISION):
        exact = [
            function(*map(mp.mpf, map(float, xs))) for xs in zip(*operands, strict=True)
        ]
        found = np.array(list(errors(got, exact, dtype)))
    bound = bounds[dtype == "float32"] + 0.5  # the guide's are of the rounded value
    worst = int(found.argmax())
    at = [x[worst] for x in operands]
    assert found[worst] <= bound, (at, got[worst], mp.nstr(exact[worst], 20))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ONE)
def test_of_one_number(name, dtype):
    x = drawn(ONE[name][1], dtype, 7)
    if name == "tgamma":  # the poles and what is too large for the type
        limit = 34 if dtype == "float32" else 171
        x = x[(x < limit) & (abs(x - np.round(x)) > 1e-3) | (x > 0) & (x < limit)]
    if name == "atanh":
        x = x[abs(x) < 1]
    if name in ("erfinv", "erfcinv", "normcdfinv", "acosh", "log1p"):
        low, high = {
            "erfinv": (-1, 1),
            "erfcinv": (0, 2),
            "normcdfinv": (0, 1),
            "acosh": (1, np.inf),
            "log1p": (-1, np.inf),
        }[name]
        x = x[(x > low) & (x < high)]
    if name == "lgamma":
        x = x[(x > 0) | (abs(x - np.round(x)) > 1e-3)]
    check(name, ONE[name], dtype, [x])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", TWO)
def test_of_two_numbers(name, dtype):
    x, y = (drawn(TWO[name][1], dtype, seed) for seed in (8, 9))
    n = min(len(x), len(y))
    check(name, TWO[name], dtype, [x[:n], y[:n]])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", BESSEL)
def test_bessel(name, dtype):
    """Near a zero the bound is that of the absolute error."""
    x = drawn([even(0.1, 8), even(8, 60)], dtype, 10)
    got = of(name, dtype, x)
    with mp.workdps(30):
        exact = np.array([float(BESSEL[name](mp.mpf(v))) for v in x])
    rtol, atol = (8e-16, 5e-12) if dtype == "float64" else (9e-7, 2.2e-6)
    np.testing.assert_allclose(got, exact, rtol=8 * rtol, atol=atol)


SPECIAL_CASES = {
    "acosh": {1: 0, 0.5: "nan", "inf": "inf"},
    "atanh": {1: "inf", -1: "-inf", 2: "nan"},
    "cospi": {0.5: 0, 1.5: 0, 1: -1, "inf": "nan", 1e30: 1},
    "cyl_bessel_i0": {0: 1, "inf": "inf", "-inf": "inf", "nan": "nan"},
    "cyl_bessel_i1": {0: 0, "-0": "-0", "inf": "inf", "-inf": "-inf", "nan": "nan"},
    "erfcinv": {0: "inf", 2: "-inf", 1: 0, -1: "nan", 3: "nan", "nan": "nan"},
    "erfcx": {0: 1, "inf": 0, "-inf": "inf", -30: "inf", "nan": "nan"},
    "erfinv": {0: 0, "-0": "-0", 1: "inf", -1: "-inf", 1.5: "nan", "nan": "nan"},
    "exp": {"-inf": 0, "inf": "inf", "nan": "nan"},
    "lgamma": {1: 0, 2: 0, 0: "inf", -3: "inf", "-inf": "inf"},
    "log": {0: "-inf", -1: "nan"},
    "normcdf": {"inf": 1, "-inf": 0, 0: 0.5, "nan": "nan"},
    "normcdfinv": {0: "-inf", 1: "inf", 0.5: 0, -1: "nan", 2: "nan", "nan": "nan"},
    "rcbrt": {0: "inf", "-0": "-inf", "inf": 0},
    "rsqrt": {0: "inf", "inf": 0, -1: "nan"},
    "sinpi": {0: 0, "-0": "-0", 0.5: 1, 1.5: -1, "inf": "nan"},
    "tgamma": {-1: "nan", "-inf": "nan", "inf": "inf", 0: "inf", "-0": "-inf"},
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", SPECIAL_CASES)
def test_special_cases(name, dtype):
    cases = SPECIAL_CASES[name]
    x = np.array([float(v) for v in cases])
    due = np.array([float(v) for v in cases.values()])
    got = of(name, dtype, x)
    np.testing.assert_array_equal(got, due)
    signed = np.array([v == "-0" for v in cases.values()])
    assert np.signbit(got[signed]).all()


def test_lengths_neither_overflow_nor_underflow():
    """Where a square would, and where the length itself does."""
    code = r"""
    extern "C" __global__ void lengths(const double *x, double *out) {
        double big[3] = {x[0], x[0], x[0]}, tiny[3] = {x[1], x[1], x[1]};
        out[0] = norm(3, tiny); out[1] = rnorm(3, big); out[2] = norm3d(x[1], x[1], x[1]);
        out[3] = rhypot(x[0], x[0]); out[4] = rnorm4d(x[0], x[0], x[0], x[0]);
        out[5] = norm3d(x[2], x[3], 1.0); out[6] = rnorm3d(x[2], x[3], 1.0);
        out[7] = norm3d(x[3], 1.0, 1.0); out[8] = rhypot(0.0, 0.0);
    }"""
    x = cp.array([1.5e308, 3e-310, np.inf, np.nan])
    out = cp.empty(9)
    cp.RawKernel(code, "lengths")((1,), (1,), (x, out))
    root = np.sqrt(3)
    due = [3e-310 * root, 1 / 1.5e308 / root, 3e-310 * root, 1 / 1.5e308 / np.sqrt(2)]
    due += [0.5 / 1.5e308, np.inf, 0, np.nan, np.inf]
    np.testing.assert_allclose(out.get(), due, rtol=1e-13)


# ---- conversions of numbers that are none, and 16-bit floating point -------------------


def test_nan_to_integer():
    """0, but of 64 bits or from them the least number."""
    code = r"""
    extern "C" __global__ void f(const float *x, long long *out) {
        out[0] = __float2int_rn(x[0]); out[1] = __float2uint_rz(x[0]);
        out[2] = __float2ll_rn(x[0]); out[3] = (long long)__float2ull_rn(x[0]);
        out[4] = __double2int_rn(x[0]); out[5] = __double2uint_rz(x[0]);
        out[6] = __double2ll_ru(x[0]);
    }"""
    out = cp.empty(7, "q")
    cp.RawKernel(code, "f")((1,), (1,), (cp.array([np.nan], "f"), out))
    least = -(2**63)
    assert out.tolist() == [0, 0, least, least, -(2**31), 2**31, least]


SHORT = {"half": np.float16, "bfloat16": ml_dtypes.bfloat16}
H_HEADERS = {"half": "cuda_fp16.h", "bfloat16": "cuda_bf16.h"}


def rounded(x, mode, dtype):
    """An integer or float in one of the 16-bit types, rounded once."""
    exact = Fraction(x)
    with np.errstate(over="ignore"):
        near = dtype(np.float64(x))
    around = [np.nextafter(near, dtype(s * np.inf)) for s in (-1, 1)] + [near]
    finite = [v for v in around if np.isfinite(float(v))]
    below = [v for v in finite if Fraction(float(v)) <= exact]
    above = [v for v in finite if Fraction(float(v)) >= exact]
    low = max(below, default=dtype(-np.inf), key=float)
    high = min(above, default=dtype(np.inf), key=float)
    if mode == "rz":
        mode = "rd" if x > 0 else "ru"
    return {"rd": float(low), "ru": float(high), "rn": float(near)}[mode]


@pytest.mark.parametrize("mode", ["rd", "rn", "ru", "rz"])
@pytest.mark.parametrize("stem", SHORT)
def test_rounding_to_16_bits(stem, mode):
    rng = np.random.default_rng(3)
    floats = np.concatenate(
        [
            rng.uniform(-3, 3, 200),
            10.0 ** rng.uniform(-9, 6, 200),
            [1e-30, -1e-30, 1e30],
        ]
    ).astype("f")
    longs = (rng.uniform(-1, 1, 400) * 2.0 ** rng.uniform(1, 62, 400)).astype("q")
    longs = np.append(longs, [(1 << 62) + (1 << 54) + 1, 65519, 65520, 2049])
    code = f"""
    #include <{H_HEADERS[stem]}>
    extern "C" __global__ void f(const float *x, const long long *l, float *y, float *m) {{
        for (int i = 0; i < {len(floats)}; i++)
            y[i] = __{stem}2float(__float2{stem}_{mode}(x[i]));
        for (int i = 0; i < {len(longs)}; i++)
            m[i] = __{stem}2float(__ll2{stem}_{mode}(l[i]));
    }}"""
    y, m = cp.empty(len(floats), "f"), cp.empty(len(longs), "f")
    cp.RawKernel(code, "f")((1,), (1,), (cp.asarray(floats), cp.asarray(longs), y, m))
    dtype = SHORT[stem]
    assert y.tolist() == [rounded(float(x), mode, dtype) for x in floats]
    if mode != "rn":  # NumPy rounds a long integer twice
        assert m.tolist() == [rounded(int(x), mode, dtype) for x in longs]


@pytest.mark.parametrize("stem", SHORT)
def test_fused_multiply_add_of_16_bits(stem):
    """Rounded once, also where the sum has more digits than a double."""
    dtype, rng = SHORT[stem], np.random.default_rng(4)
    a, b, c = (rng.normal(size=400) * 2.0 ** rng.uniform(-9, 9, 400) for _ in range(3))
    a, b, c = (v.astype(dtype).astype("f") for v in (a, b, c))
    c[:100] = np.float32(dtype(2.0**-14))
    code = f"""
    #include <{H_HEADERS[stem]}>
    extern "C" __global__ void f(const float *a, const float *b, const float *c, float *y) {{
        for (int i = 0; i < 400; i++) {{
            y[i] = __{stem}2float(__hfma(__float2{stem}(a[i]), __float2{stem}(b[i]),
                                         __float2{stem}(c[i])));
        }}
    }}"""
    y = cp.empty(400, "f")
    cp.RawKernel(code, "f")((1,), (1,), (*map(cp.asarray, (a, b, c)), y))
    for x, *terms in zip(y.tolist(), a.tolist(), b.tolist(), c.tolist(), strict=True):
        p, q, r = map(Fraction, terms)
        exact = p * q + r
        low, high = (rounded_fraction(exact, way, dtype) for way in (-1, 1))
        nearest = min((low, high), key=lambda v: abs(Fraction(v) - exact))
        assert x in (low, high)
        assert abs(Fraction(x) - exact) == abs(Fraction(nearest) - exact)


def rounded_fraction(exact, way, dtype):
    near = dtype(float(exact))
    step = np.nextafter(near, dtype(way * np.inf))
    beyond = Fraction(float(near)) - exact
    return float(near) if beyond * way >= 0 else float(step)
