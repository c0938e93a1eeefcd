"""Every function of CUDA's math API can be called on either device, with its values."""

import math
from fractions import Fraction

import numpy as np
import pytest

import cupric as cp

from .device_functions import GROUPS, STATEMENTS, source

X, Y, Z = 0.3, 0.7, 1.1
INTS = (-5, 3, 2)
WORDS = (0x12347F80, 0x80FF0105, 36)
LONGS = (-(2**62) - 3, 2**53 + 1, 2**63 + 2049, 4)


def arguments():
    reals = [X, Y, Z, *map(np.float32, (X, Y, Z))]
    longs = [*map(np.int64, LONGS[:2]), *map(np.uint64, LONGS[2:])]
    return [*reals, *map(np.int32, INTS), *map(np.uint32, WORDS), *longs]


@pytest.mark.parametrize("group", GROUPS)
def test_every_name_is_known(group):
    calls = GROUPS[group]
    text = source(calls, STATEMENTS if group == "reals" else (), group)
    k = cp.RawKernel(text, "calls")
    out = cp.zeros(len(calls))
    k((1,), (1,), (out, *arguments()))
    assert len(out) == len(set(calls))


def values(calls, **variables):
    """What calls of device functions come to, as Python's floats."""
    given = dict(zip("xyzfghijkuvwlm", [None] * 14, strict=True))
    args = dict(zip([*given, "ul", "um"], arguments(), strict=True)) | variables
    out = cp.zeros(len(calls))
    cp.RawKernel(source(calls), "calls")((1,), (1,), (out, *args.values()))
    return dict(zip(calls, out.tolist(), strict=True))


def rounded(exact, mode, dtype):
    """The number of the dtype next to a fraction, in a direction."""
    near = dtype(float(exact)) if dtype is np.float64 else to_single(exact)
    off = Fraction(float(near)) - exact
    toward = {"rd": -np.inf, "ru": np.inf, "rz": 0.0}.get(mode)
    if mode == "rz":
        wrong = off > 0 if exact > 0 else off < 0
    else:
        wrong = off > 0 if mode == "rd" else off < 0
    wrong = wrong and mode != "rn"
    return float(np.nextafter(near, dtype(toward)) if wrong else near)


def to_single(exact):
    near = np.float32(float(exact))  # rounded twice: the neighbours may be nearer
    around = [np.nextafter(near, np.float32(s * np.inf)) for s in (-1, 1)]
    return min([near, *around], key=lambda v: abs(Fraction(float(v)) - exact))


@pytest.mark.parametrize("mode", ["rd", "rn", "ru", "rz"])
def test_directed_rounding(mode):
    x, y, z = (Fraction(v) for v in (X, Y, Z))
    f, g, h = (Fraction(float(np.float32(v))) for v in (X, Y, Z))
    exact = {}
    for kind, (a, b, c), names in (("d", (x, y, z), "xyz"), ("f", (f, g, h), "fgh")):
        p, q, r = names
        exact |= {
            f"__{kind}add_{mode}({p}, {q})": a + b,
            f"__{kind}sub_{mode}({p}, {q})": a - b,
            f"__{kind}mul_{mode}({p}, {q})": a * b,
            f"__{kind}div_{mode}({p}, {q})": a / b,
            f"__{kind}rcp_{mode}({p})": 1 / a,
            f"__fma{'f' if kind == 'f' else ''}_{mode}({p}, {q}, {r})": a * b + c,
        }
    exact[f"__double2float_{mode}(x)"] = x
    exact[f"__ll2double_{mode}(l)"] = Fraction(LONGS[0])
    exact[f"__ull2double_{mode}(ul)"] = Fraction(LONGS[2])
    exact[f"__ll2float_{mode}(m)"] = Fraction(LONGS[1])
    exact[f"__ull2float_{mode}(ul)"] = Fraction(LONGS[2])
    got = values(list(exact))
    for call, value in exact.items():
        single = call.startswith("__f") and "__fma_" not in call or "2float" in call
        dtype = np.float32 if single else np.float64
        assert got[call] == rounded(value, mode, dtype), call


def test_roots_in_every_direction():
    down, up, zero = (f"__dsqrt_{m}(x)" for m in ("rd", "ru", "rz"))
    got = values([down, up, zero])
    assert Fraction(got[down]) ** 2 < Fraction(X) < Fraction(got[up]) ** 2
    assert got[up] == math.nextafter(got[down], 1)
    assert got[zero] == got[down]


def bessel(order, x):
    """By its integral, whose integrand is periodic: the trapezium rule is exact."""
    t = np.linspace(0, np.pi, 2001)
    y = np.exp(abs(x) * (np.cos(t) - 1)) * np.cos(order * t)
    mean = (y.sum() - (y[0] + y[-1]) / 2) / 2000
    return math.copysign(1, x) ** order * mean * math.exp(abs(x) / 2) ** 2


@pytest.mark.parametrize("x", [0.0, 1e-9, 0.5, -2.0, 7.9, 24.9, 25.1, 60.0, -700.0])
def test_bessel(x):
    calls = [f"cyl_bessel_i{n}(x)" for n in (0, 1)]
    got = values(calls, x=x)
    for n, call in enumerate(calls):
        np.testing.assert_allclose(got[call], bessel(n, x), rtol=1e-13, atol=1e-15)


def test_not_a_number():
    assert all(map(math.isnan, values(['nan("")', 'nanf("")', 'nan("7")']).values()))


def test_integers_of_bits():
    i, j, k = INTS
    u, v, w = WORDS
    expected = {
        "__uhadd(u, v)": (u + v) // 2,
        "__urhadd(u, v)": (u + v + 1) // 2,
        "__rhadd(i, j)": (i + j + 1) >> 1,
        "__funnelshift_lc(u, v, w)": u,
        "__funnelshift_rc(u, v, w)": v,
        "__funnelshift_l(u, v, w)": (v << 4 | u >> 28) & 0xFFFFFFFF,
        "__fns(u, 0, 1)": 7,
        "__fns(u, 31, -2)": 25,
        "__dp2a_lo(u, v, w)": 0x7F80 * 5 + 0x1234 * 1 + w,
        "__dp2a_hi(u, v, w)": 0x7F80 * 0xFF + 0x1234 * 0x80 + w,
        "__dp4a(u, v, w)": 0x12 * 0x80 + 0x34 * 0xFF + 0x7F * 1 + 0x80 * 5 + w,
        "llmin(l, m)": float(LONGS[0]),
        "ullmax(ul, um)": float(LONGS[2]),
    }
    assert values(list(expected)) == expected


def test_words_of_parts():
    """Of 0x12347F80 and 0x80FF0105."""
    expected = {
        "__vadd2(u, v)": 0x93338085,
        "__vadd4(u, v)": 0x92338085,
        "__vaddss4(u, v)": 0x92337F85,
        "__vaddus4(u, v)": 0x92FF8085,
        "__vsubss2(u, v)": 0x7FFF7E7B,
        "__vsubus4(u, v)": 0x00007E7B,
        "__vabs4(u)": 0x12347F80,
        "__vabsss4(u)": 0x12347F7F,
        "__vneg2(u)": 0xEDCC8080,
        "__vavgs4(u, v)": 0xC91A40C2,
        "__vavgu4(u, v)": 0x499A4043,
        "__vhaddu4(u, v)": 0x49994042,
        "__vmaxs4(u, v)": 0x12347F05,
        "__vminu4(u, v)": 0x12340105,
        "__vcmpgts4(u, v)": 0xFFFFFF00,
        "__vsetgtu2(u, v)": 0x00000001,
        "__vsadu4(u, v)": 0x6E + 0xCB + 0x7E + 0x7B,
        "__vsads2(u, v)": 0x1234 + 0x7F01 + 0x7F80 - 0x0105,
        "__vabsdiffu4(u, v)": 0x6ECB7E7B,
    }
    got = values(list(expected))
    assert {k: hex(int(v)) for k, v in got.items()} == {
        k: hex(v) for k, v in expected.items()
    }


@pytest.mark.parametrize("dtype", ["F", "D"])
def test_complex_functions(dtype):
    x = np.array([3 + 4j, 1e-3j, -2, complex(np.inf, -1)], dtype)

    def close(code, expected):
        got = cp.ElementwiseKernel("T x", "complex128 y", f"y = {code}", "of")(
            cp.asarray(x)
        ).get()
        np.testing.assert_allclose(got, expected, rtol=1e-6)

    close("abs(x)", np.abs(x))
    close("arg(x)", np.angle(x))
    close("norm(x)", x.real**2 + x.imag**2)
    close("conj(x)", np.conj(x))
    close("thrust::abs(x)", np.abs(x))
    finite = x = x[:3]
    close("proj(x)", finite)
    close("pow(x, 2)", finite**2)
    close("pow(x, 1.5)", finite.astype("D") ** 1.5)
    close("pow(x, x)", finite**finite)
    close("pow(2.0, x)", 2.0 ** finite.astype("D"))
    close("T(thrust::polar(abs(x), arg(x)))", finite)
