"""The elementary functions (cuda/include/cupric/math/elementary.hpp): the same bits on
every device and instruction set, exact results, special values, and errors of at most
one unit in the last place. `python -m tools.accuracy` goes through all float32s.
"""

import hashlib
import json
import math
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.special as scipy_special

import cupric as cp
from cupric import _core
from cupricx.scipy import special

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "cuda/include"
sys.path.append(str(ROOT))
from tools import accuracy  # noqa: E402

DIGESTS = Path(__file__).with_name("elementary_bits.json")
FUNCTIONS = [
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt", "sin", "cos"),
    *("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("erf", "erfc", "ndtr", "logit", "gamma", "gammaln", "sinc", "i0"),
]
SPECIAL = {"erf", "erfc", "ndtr", "logit", "gamma", "gammaln"}
NO_UFUNCS = {"sinc", "i0"}  # of NumPy's; the core's take `out`
PAIRS = {
    "pow": "power",
    "atan2": "arctan2",
    "hypot": "hypot",
    "logaddexp": "logaddexp",
    "logaddexp2": "logaddexp2",
}
ODD = {"expm1", "log1p", "cbrt", "sin", "tan", "asin", "atan"}
ODD |= {"sinh", "tanh", "asinh", "atanh"}


COMPLEX = [*FUNCTIONS[:20], "sqrt"]
COMPLEX.remove("cbrt")


def function(name):
    if name in NO_UFUNCS:
        return getattr(_core, name)
    return getattr(special if name in SPECIAL else cp, name)


def arguments(dtype):
    """Special values, bits from a fixed sequence, numbers of the usual size, and
    multiples of pi / 2, a number of each that fills no vector."""
    dtype = np.dtype(dtype)
    info = np.finfo(dtype)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    special = [0.0, 0.5, 1, 2, 3, 8, 27, 88.7, 88.8, 103.9, 104, 709.7, 709.8, 745.2]
    special += [info.max, info.tiny, info.smallest_subnormal, np.inf, np.nan, 1e5, 1e22]
    special += [1 - info.epsneg, 1 + info.eps]
    with np.errstate(over="ignore"):
        special = np.array([*special, *(-v for v in special)]).astype(dtype)
    count = 20011
    state = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state ^= state >> np.uint64(29)
    state *= np.uint64(0xBF58476D1CE4E5B9)
    bits = (state >> np.uint64(64 - 8 * dtype.itemsize)).astype(unsigned).view(dtype)
    fraction = (state >> np.uint64(11)).astype(np.float64) * 2.0**-53
    scale = 2.0 ** (np.arange(count) % 24 - 14)
    usual = (fraction - 0.5) * scale
    quarters = np.arange(4099) * (np.pi / 2)
    return np.concatenate([special, bits, usual.astype(dtype), quarters.astype(dtype)])


def partners(values):
    """Of each number the one that is as far from the end."""
    return values[::-1].copy()


def pairs(dtype):
    """Numbers to be paired with their partners: every special value meets every other,
    and numbers of the usual size each other."""
    info = np.finfo(dtype)
    special = [0.0, 0.5, 1, 2, 3, 1e10, 1 / 3, info.max, info.tiny, np.inf, np.nan]
    special += [info.smallest_subnormal, 1 - info.epsneg, 1 + info.eps]
    special = np.array([*special, *(-v for v in special)], dtype)
    first = np.repeat(special, len(special))
    second = np.tile(special, len(special))
    usual = arguments(dtype)
    usual = np.resize(usual[abs(usual) < 50], 30000)
    return np.concatenate([first, usual, usual + info.eps, second[::-1]]).astype(dtype)


def complexes():
    """The pairs of float32 as numbers of complex64."""
    parts = pairs("float32")
    return np.stack([parts, partners(parts)], axis=1).view("complex64")[:, 0]


def bits_of(results):
    """As integers, with one NaN for all."""
    results = results.copy().view(results.real.dtype)
    results[results != results] = np.nan
    return results.view(f"u{results.itemsize}")


def digest(results):
    return hashlib.sha256(bits_of(results).tobytes()).hexdigest()[:16]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bits_are_the_same_on_every_device(name, dtype):
    """The digests are those of the host's program below, too."""
    x = cp.array(arguments(dtype))
    assert (
        digest(function(name)(x).get())
        == json.loads(DIGESTS.read_text())[f"{name} {dtype}"]
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_layout_and_length_do_not_matter(name, dtype):
    values = arguments(dtype)
    f, x = function(name), cp.array(values)
    want = bits_of(f(x).get())
    np.testing.assert_array_equal(bits_of(f(x[::3]).get()), want[::3])
    np.testing.assert_array_equal(bits_of(f(x[5:11]).get()), want[5:11])
    np.testing.assert_array_equal(bits_of(f(x[::-1]).get()), want[::-1])
    inplace = x.copy()
    f(inplace, out=inplace)
    np.testing.assert_array_equal(bits_of(inplace.get()), want)
    order = np.argsort(values)  # most batches have no rare argument
    np.testing.assert_array_equal(
        bits_of(f(cp.array(values[order])).get()), want[order]
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", PAIRS)
def test_bits_of_pairs_are_the_same_on_every_device(name, dtype):
    values = pairs(dtype)
    x, y = cp.array(values), cp.array(partners(values))
    found = getattr(cp, PAIRS[name])(x, y).get()
    assert digest(found) == json.loads(DIGESTS.read_text())[f"{name} {dtype}"]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", PAIRS)
def test_layout_and_length_of_pairs_do_not_matter(name, dtype):
    values = pairs(dtype)
    f, x = getattr(cp, PAIRS[name]), cp.array(values)
    y = cp.array(partners(values))
    want = bits_of(f(x, y).get())
    np.testing.assert_array_equal(bits_of(f(x[::3], y[::3]).get()), want[::3])
    np.testing.assert_array_equal(bits_of(f(x[5:11], y[5:11]).get()), want[5:11])
    np.testing.assert_array_equal(bits_of(f(x[::-1], y[::-1]).get()), want[::-1])
    inplace = x.copy()
    f(inplace, y, out=inplace)
    np.testing.assert_array_equal(bits_of(inplace.get()), want)
    inplace = y.copy()
    f(x, inplace, out=inplace)
    np.testing.assert_array_equal(bits_of(inplace.get()), want)
    order = np.lexsort([abs(values), abs(partners(values))])
    ordered = f(cp.array(values[order]), cp.array(partners(values)[order]))
    np.testing.assert_array_equal(bits_of(ordered.get()), want[order])
    usual = (abs(values) < 50) & (abs(values) > 1e-3)
    usual = np.flatnonzero(usual & usual[::-1])
    np.testing.assert_array_equal(bits_of(f(x[usual], y[usual]).get()), want[usual])
    scalar = bits_of(f(x, y[7]).get())
    repeated = cp.full(x.shape, y[7])
    np.testing.assert_array_equal(bits_of(f(x, repeated).get()), scalar)


@pytest.mark.parametrize("name", [*COMPLEX, "power"])
def test_bits_of_complex64_are_the_same_on_every_device(name):
    values = complexes()
    x = [cp.array(values)]
    if name == "power":
        x.append(cp.array(partners(values)))
    found = getattr(cp, name)(*x).get()
    assert digest(found) == json.loads(DIGESTS.read_text())[f"{name} complex64"]


@pytest.mark.parametrize("name", COMPLEX)
def test_layout_and_length_of_complex64_do_not_matter(name):
    f, x = getattr(cp, name), cp.array(complexes())
    want = f(x).get()
    for part in (slice(None, None, 3), slice(5, 11), slice(None, None, -1)):
        np.testing.assert_array_equal(bits_of(f(x[part]).get()), bits_of(want[part]))
    inplace = x.copy()
    f(inplace, out=inplace)
    np.testing.assert_array_equal(bits_of(inplace.get()), bits_of(want))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["hypot", "logaddexp", "logaddexp2"])
def test_a_reduction_of_two_gives_the_same_bits(name, dtype):
    values = pairs(dtype)[:3000]
    both = np.stack([values, partners(values)])
    f = getattr(cp, name)
    want = bits_of(f(cp.array(both[0]), cp.array(both[1])).get())
    np.testing.assert_array_equal(bits_of(f.reduce(cp.array(both)).get()), want)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", PAIRS)
def test_short_floats_in_pairs_are_computed_as_float32(name, dtype):
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    values = np.arange(2**16, dtype="u2").view(dtype)
    x, y, f = cp.array(values), cp.array(values[:777]), getattr(cp, PAIRS[name])
    x, y = x[::16][:, None], y[::7]
    got, want = f(x, y), f(x.astype("float32"), y.astype("float32")).astype(dtype)
    nan = np.isnan(want.astype("float32").get())
    np.testing.assert_array_equal(np.isnan(got.astype("float32").get()), nan)
    got, want = (a.get().view("u2")[~nan] for a in (got, want))
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - SPECIAL))
def test_short_floats_are_computed_as_float32(name, dtype):
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    values = np.arange(2**16, dtype="u2").view(dtype)
    x, f = cp.array(values), function(name)
    got, want = f(x), f(x.astype("float32")).astype(dtype)
    nan = np.isnan(want.astype("float32").get())
    np.testing.assert_array_equal(np.isnan(got.astype("float32").get()), nan)
    got, want = (a.get().view("u2")[~nan] for a in (got, want))
    np.testing.assert_array_equal(got, want)


def test_errors_are_measured(tmp_path):
    """By the program that docs/accuracy.md is made with, over few arguments."""
    if shutil.which("c++") is None or not HEADERS.is_dir():
        pytest.skip("no C++ compiler, or no headers")
    binary = accuracy.compiled(tmp_path, "-O0")
    for name, kind, count in (("exp", "double", 10**5), ("pow", "float", 10**4)):
        error, wrong = accuracy.measured(binary, name, kind, count)
        assert 0.4 < error < 1, (name, kind)
        assert wrong == 0


@pytest.fixture(scope="module", params=["", "x86-64-v3", "x86-64-v4"])
def program(request, tmp_path_factory):
    """One for each instruction set; the first has no fused multiply-add on x86-64, and
    no vectors."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None or not HEADERS.is_dir():
        pytest.skip("no C++ compiler, or no headers")
    if request.param:
        cpu = Path("/proc/cpuinfo")
        has = set(cpu.read_text().split()) if cpu.exists() else set()
        wanted = "avx2" if request.param.endswith("3") else "avx512dq"
        if platform.machine() != "x86_64" or wanted not in has:
            pytest.skip("not on this processor")
    binary = tmp_path_factory.mktemp("elementary") / "elementary_bits"
    flags = ["-std=c++17", "-ffp-contract=off", "-fwrapv", f"-I{HEADERS}"]
    flags += ["-fno-math-errno", "-fno-trapping-math"]
    flags += ["-O3", f"-march={request.param}"] if request.param else ["-O1"]
    source = Path(__file__).with_name("elementary_bits.cpp")
    subprocess.run([compiler, *flags, source, "-o", binary, "-lm"], check=True)
    return binary


def test_bits_are_the_same_on_every_instruction_set(program):
    expected = json.loads(DIGESTS.read_text())
    for dtype, kind in (("float32", "float"), ("float64", "double")):
        values = arguments(dtype).tobytes()
        for name in FUNCTIONS:
            done = subprocess.run(
                [program, name, kind], input=values, capture_output=True, check=True
            )
            found = digest(np.frombuffer(done.stdout, dtype))
            assert found == expected[f"{name} {dtype}"], (name, dtype)
        values = pairs(dtype).tobytes()
        for name in PAIRS:
            done = subprocess.run(
                [program, name, kind], input=values, capture_output=True, check=True
            )
            found = np.frombuffer(done.stdout, dtype).copy()
            if name == "pow":  # as the operation squares
                two = partners(pairs(dtype)) == 2
                with np.errstate(over="ignore", under="ignore"):
                    found[two] = np.square(pairs(dtype)[two])
            assert digest(found) == expected[f"{name} {dtype}"], (name, dtype)
    values = complexes().tobytes()
    for name in [*COMPLEX, "power"]:
        done = subprocess.run(
            [program, name, "complex"], input=values, capture_output=True, check=True
        )
        found = np.frombuffer(done.stdout, "complex64")
        assert digest(found) == expected[f"{name} complex64"], name


def exact_sinc(x):
    """In x's dtype, which is wider than what is tested; 0 of whole numbers."""
    pi = x.dtype.type("3.14159265358979323846264338328")
    y = abs(x)
    whole = np.rint(y)
    f = y - whole
    far = np.copysign(np.cos(pi * (0.5 - abs(f))), f)
    sine = np.where(abs(f) > 0.25, far, np.sin(pi * f))
    result = np.where(whole % 2 == 1, -sine, sine) / (pi * y)
    return np.where(y < 1e-12, 1, np.where(f == 0, 0, result))


def exact_i0(x):
    """In x's dtype, by the series of Abramowitz and Stegun, 9.6.12 and 9.7.1."""
    pi = x.dtype.type("3.14159265358979323846264338328")
    y = np.minimum(abs(x), 800)
    near, total, term = y <= 30, np.ones_like(y), np.ones_like(y)
    for k in range(1, 120):
        far = (2 * k - 1) ** 2 / (8 * y * k) if k < 60 else 0
        term = term * np.where(near, y * y / (4 * k * k), far)
        total = total + term
    return total * np.where(near, 1, np.exp(y) / np.sqrt(2 * pi * y))


def exact_logit(x):
    """In twice x's precision; NaN where C's functions raise."""
    if not 0 < x < 1:
        return {0: -math.inf, 1: math.inf}.get(x, math.nan)
    near = 0.25 < x < 0.75
    return 2 * math.atanh(2 * x - 1) if near else math.log(x / (1 - x))


def numpy_of(name):
    if name in NO_UFUNCS:
        return {"sinc": exact_sinc, "i0": exact_i0}[name]
    if name == "ndtr":
        half = math.sqrt(0.5)
        return np.vectorize(lambda x: math.erfc(-half * x) / 2, otypes=[float])
    if name == "logit":
        return np.vectorize(exact_logit, otypes=[float])
    if name in ("gamma", "gammaln"):
        return getattr(scipy_special, name)
    if name in SPECIAL:
        return np.vectorize(getattr(math, name), otypes=[float])
    return getattr(np, "arc" + name[1:] if name[0] == "a" else name)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_within_one_unit_in_the_last_place(name, dtype):
    if dtype == "float64" and np.finfo(np.longdouble).nmant < 60:
        pytest.skip("needs a wider type")
    if dtype == "float64" and name in SPECIAL:
        pytest.skip("no wider function: see test_values_of_erf_and_erfc")
    values = arguments(dtype)
    wide = np.longdouble if dtype == "float64" else np.float64
    got = function(name)(cp.array(values)).get()
    with np.errstate(all="ignore"):
        exact = numpy_of(name)(values.astype(wide))
        rounded = exact.astype(dtype)
    info = np.finfo(dtype)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(rounded))
    np.testing.assert_array_equal(np.isinf(got), np.isinf(rounded))
    zeros = (got == 0) | (exact == 0)
    finite = np.isfinite(rounded)
    size = np.maximum(abs(exact[finite]), wide(info.tiny))
    unit = np.exp2(np.floor(np.log2(size)) - info.nmant)
    assert (abs(got[finite].astype(wide) - exact[finite]) / unit).max() <= 1
    np.testing.assert_array_equal(np.signbit(got[zeros]), np.signbit(exact[zeros]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sinc_of_whole_numbers_is_zero(dtype):
    x = np.array(
        [*range(1, 300), 2.0**23, 2.0**24 - 1, 1e30, np.finfo(dtype).max], dtype
    )
    zeros = np.zeros(len(x), dtype)
    np.testing.assert_array_equal(bits_of(cp.sinc(cp.array(x)).get()), bits_of(zeros))
    np.testing.assert_array_equal(bits_of(cp.sinc(cp.array(-x)).get()), bits_of(zeros))


def test_tanh_where_its_error_is_largest():
    """Every float32 from 7/8 to 1, where the polynomial adds most to the argument."""
    x = np.arange(0x3F600000, 0x3F800000, dtype="u4").view("f4")
    exact = np.tanh(x.astype("f8"))
    assert abs(cp.tanh(cp.array(x)).get() - exact).max() < 0.9 * 2.0**-24


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", PAIRS)
def test_pairs_within_one_unit_in_the_last_place(name, dtype):
    """Of a sum of logarithms the unit is that of the largest of the result and what is
    added to the larger argument, as the two may cancel."""
    if dtype == "float64" and np.finfo(np.longdouble).nmant < 60:
        pytest.skip("needs a wider type")
    x = pairs(dtype)
    y = partners(x)
    wide = np.longdouble if dtype == "float64" else np.float64
    got = getattr(cp, PAIRS[name])(cp.array(x), cp.array(y)).get()
    with np.errstate(all="ignore"):
        exact = getattr(np, PAIRS[name])(x.astype(wide), y.astype(wide))
        rounded = exact.astype(dtype)
        added = abs(exact - np.maximum(x, y)) if name.startswith("log") else 0 * exact
    info = np.finfo(dtype)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(rounded))
    np.testing.assert_array_equal(np.isinf(got), np.isinf(rounded))
    zeros = (got == 0) | (exact == 0)
    finite = np.isfinite(rounded)
    size = np.fmax(abs(exact[finite]), np.fmax(added[finite], wide(info.tiny)))
    unit = np.exp2(np.floor(np.log2(size)) - info.nmant)
    assert (abs(got[finite].astype(wide) - exact[finite]) / unit).max() <= 1
    if name != "logaddexp" and name != "logaddexp2":
        np.testing.assert_array_equal(np.signbit(got[zeros]), np.signbit(exact[zeros]))


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 60, reason="needs a wider type")
def test_large_powers_of_roots_of_two():
    """The error of the logarithm, largest there, is multiplied by a thousand."""
    rng = np.random.default_rng(5)
    root = np.sqrt(0.5) * np.array([[1.0], [2.0]])
    x = np.append(
        rng.uniform(0.98, 1.02, (2, 50000)) * root, float.fromhex("0x1.695f1baab3bcdp0")
    )
    y = rng.uniform(-1020, 1020, x.size) / np.log2(x)
    y[-1] = float.fromhex("0x1.fd3063ce5000dp10")
    got = cp.power(cp.array(x), cp.array(y)).get()
    exact = x.astype(np.longdouble) ** y.astype(np.longdouble)
    unit = np.exp2(np.floor(np.log2(exact)) - 52)
    assert (abs(got - exact) / unit).max() < 0.8


# x, erf(x), erfc(x), erfc(-x), by mpmath
VALUES = [
    (
        0.0078125,
        "0.00881528289517918871278",
        "0.991184717104820811287",
        "1.00881528289517918871",
    ),
    (
        0.25,
        "0.276326390168236932985",
        "0.723673609831763067015",
        "1.27632639016823693299",
    ),
    (
        0.4921875,
        "0.513607641120270951289",
        "0.486392358879729048711",
        "1.51360764112027095129",
    ),
    (
        0.5,
        "0.520499877813046537683",
        "0.479500122186953462317",
        "1.52049987781304653768",
    ),
    (
        0.71875,
        "0.690592468700326800258",
        "0.309407531299673199742",
        "1.69059246870032680026",
    ),
    (
        0.9921875,
        "0.839432363755338268064",
        "0.160567636244661731936",
        "1.83943236375533826806",
    ),
    (
        1.0,
        "0.842700792949714869341",
        "0.157299207050285130659",
        "1.84270079294971486934",
    ),
    (
        1.375,
        "0.948170072782090322564",
        "0.0518299272179096774361",
        "1.94817007278209032256",
    ),
    (
        2.0,
        "0.995322265018952734162",
        "0.00467773498104726583793",
        "1.99532226501895273416",
    ),
    (
        3.5,
        "0.999999256901627658587",
        "7.43098372341412745524e-7",
        "1.99999925690162765859",
    ),
    (
        5.25,
        "0.999999999999886896867",
        "1.13103132668871538828e-13",
        "1.99999999999988689687",
    ),
    (9.0, "1.0", "4.13703174651381023805e-37", "2.0"),
    (13.125, "1.0", "6.57754569132176700724e-77", "2.0"),
    (20.0, "1.0", "5.39586561160790092893e-176", "2.0"),
    (26.5, "1.0", "2.21090766426373427593e-307", "2.0"),
]


def test_values_of_erf_and_erfc():
    x = np.array([row[0] for row in VALUES])
    found = (
        special.erf(cp.array(x)),
        special.erfc(cp.array(x)),
        special.erfc(cp.array(-x)),
    )
    for k, got in enumerate(found, 1):
        want = np.array([np.longdouble(row[k]) for row in VALUES])
        unit = np.spacing(want.astype(float))
        assert (abs(got.get() - want) / unit).max() < 0.9


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_exact_powers_and_hypotenuses(dtype):
    bits = np.finfo(dtype).nmant + 1
    base, exponent = np.meshgrid(np.arange(-40, 41), np.arange(1, 54))
    exact = base.astype(object) ** exponent.astype(object)
    fits = np.array([abs(v) <= 2**bits for v in exact.ravel()]).reshape(exact.shape)
    got = cp.power(cp.array(base[fits], dtype), cp.array(exponent[fits], dtype)).get()
    np.testing.assert_array_equal(got, exact[fits].astype(dtype))
    m, n = np.meshgrid(np.arange(1, 40), np.arange(1, 40))
    legs = cp.array(abs(m * m - n * n), dtype), cp.array(2 * m * n, dtype)
    np.testing.assert_array_equal(cp.hypot(*legs).get(), (m * m + n * n).astype(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_exact_results_are_exact(dtype):
    single = dtype == "float32"
    n = np.arange(-149 if single else -1074, 128 if single else 1024)
    powers = np.ldexp(np.ones(len(n), dtype), n)
    np.testing.assert_array_equal(cp.exp2(cp.array(n, dtype)).get(), powers)
    np.testing.assert_array_equal(cp.log2(cp.array(powers)).get(), n.astype(dtype))
    tens = np.arange(11 if single else 23)
    powers = np.array([10.0**k for k in tens], dtype)
    np.testing.assert_array_equal(cp.log10(cp.array(powers)).get(), tens.astype(dtype))
    m = np.arange(-250, 251) if single else np.arange(-200000, 200001)
    cubes = (m * m * m).astype(dtype)
    np.testing.assert_array_equal(cp.cbrt(cp.array(cubes)).get(), m.astype(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_zero_infinity_and_nan(name, dtype):
    inf, nan = np.inf, np.nan
    expected = {
        "exp": [1, 1, inf, 0],
        "exp2": [1, 1, inf, 0],
        "expm1": [0, -0.0, inf, -1],
        "log": [-inf, -inf, inf, nan],
        "log2": [-inf, -inf, inf, nan],
        "log10": [-inf, -inf, inf, nan],
        "log1p": [0, -0.0, inf, nan],
        "cbrt": [0, -0.0, inf, -inf],
        "sin": [0, -0.0, nan, nan],
        "cos": [1, 1, nan, nan],
        "tan": [0, -0.0, nan, nan],
        "asin": [0, -0.0, nan, nan],
        "acos": [np.pi / 2, np.pi / 2, nan, nan],
        "atan": [0, -0.0, np.pi / 2, -np.pi / 2],
        "sinh": [0, -0.0, inf, -inf],
        "cosh": [1, 1, inf, inf],
        "tanh": [0, -0.0, 1, -1],
        "asinh": [0, -0.0, inf, -inf],
        "acosh": [nan, nan, inf, nan],
        "atanh": [0, -0.0, nan, nan],
        "erf": [0, -0.0, 1, -1],
        "erfc": [1, 1, 0, 2],
        "ndtr": [0.5, 0.5, 1, 0],
        "logit": [-inf, -inf, nan, nan],
        "gamma": [inf, -inf, inf, nan],
        "gammaln": [inf, inf, inf, -inf],
        "sinc": [1, 1, nan, nan],
        "i0": [1, 1, inf, inf],
    }[name]
    got = function(name)(cp.array([0.0, -0.0, inf, -inf, nan], dtype)).get()
    want = np.array([*expected, nan], dtype)
    np.testing.assert_array_equal(bits_of(got), bits_of(want))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", sorted(ODD))
def test_subnormal_arguments(name, dtype):
    """All of these are x to within its square."""
    if name in ("expm1", "log1p") or name in ODD - {"cbrt"}:
        least = np.finfo(dtype).smallest_subnormal
        x = np.array([least, 3 * least, -least, -7 * least, 1000 * least], dtype)
        np.testing.assert_array_equal(getattr(cp, name)(cp.array(x)).get(), x)
    else:
        x = np.array([np.finfo(dtype).smallest_subnormal], dtype)
        got = cp.cbrt(cp.array(x)).get()
        np.testing.assert_allclose(got, np.cbrt(x), rtol=np.finfo(dtype).eps)
