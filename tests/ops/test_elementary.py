"""The elementary functions (cuda/include/cupric/math/elementary.hpp): the same bits on
every device and instruction set, exact results, special values, and errors of at most
one unit in the last place. `python -m tools.accuracy` goes through all float32s.
"""

import hashlib
import json
import platform
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import cupric as cp

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "cuda/include"
DIGESTS = Path(__file__).with_name("elementary_bits.json")
FUNCTIONS = [
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt", "sin", "cos"),
    *("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
]
ODD = {"expm1", "log1p", "cbrt", "sin", "tan", "asin", "atan"}
ODD |= {"sinh", "tanh", "asinh", "atanh"}


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


def bits_of(results):
    """As integers, with one NaN for all."""
    results = results.copy()
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
        digest(getattr(cp, name)(x).get())
        == json.loads(DIGESTS.read_text())[f"{name} {dtype}"]
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_layout_and_length_do_not_matter(name, dtype):
    values = arguments(dtype)
    f, x = getattr(cp, name), cp.array(values)
    want = bits_of(f(x).get())
    np.testing.assert_array_equal(bits_of(f(x[::3]).get()), want[::3])
    np.testing.assert_array_equal(bits_of(f(x[5:11]).get()), want[5:11])
    np.testing.assert_array_equal(bits_of(f(x[::-1]).get()), want[::-1])
    inplace = x.copy()
    f(inplace, out=inplace)
    np.testing.assert_array_equal(bits_of(inplace.get()), want)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_short_floats_are_computed_as_float32(name, dtype):
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    values = np.arange(2**16, dtype="u2").view(dtype)
    x, f = cp.array(values), getattr(cp, name)
    got, want = f(x), f(x.astype("float32")).astype(dtype)
    nan = np.isnan(want.astype("float32").get())
    np.testing.assert_array_equal(np.isnan(got.astype("float32").get()), nan)
    got, want = (a.get().view("u2")[~nan] for a in (got, want))
    np.testing.assert_array_equal(got, want)


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


def numpy_of(name):
    return getattr(np, "arc" + name[1:] if name[0] == "a" else name)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_within_one_unit_in_the_last_place(name, dtype):
    if dtype == "float64" and np.finfo(np.longdouble).nmant < 60:
        pytest.skip("needs a wider type")
    values = arguments(dtype)
    wide = np.longdouble if dtype == "float64" else np.float64
    got = getattr(cp, name)(cp.array(values)).get()
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
    }[name]
    got = getattr(cp, name)(cp.array([0.0, -0.0, inf, -inf, nan], dtype)).get()
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
