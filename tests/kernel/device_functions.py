"""The functions that CUDA's math API gives to every kernel, as calls of them.

From the lists of the CUDA Math API reference: double and single precision, intrinsics,
casts, integers, SIMD within a word. `x`, `y`, `z` are doubles, `f`, `g`, `h` floats, `i`,
`j`, `k` ints, `u`, `v`, `w` unsigned, `l`, `m` long longs, `ul`, `um` unsigned ones.
"""

from itertools import product

MODES = "rd", "rn", "ru", "rz"

ONE = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "cospi",
    "cyl_bessel_i0",
    "cyl_bessel_i1",
    "erf",
    "erfc",
    "erfcinv",
    "erfcx",
    "erfinv",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "j0",
    "j1",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nearbyint",
    "normcdf",
    "normcdfinv",
    "rcbrt",
    "rint",
    "round",
    "rsqrt",
    "sin",
    "sinh",
    "sinpi",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
    "ilogb",
    "llrint",
    "llround",
    "lrint",
    "lround",
]
TWO = [
    "atan2",
    "copysign",
    "fdim",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "nextafter",
    "pow",
    "remainder",
    "rhypot",
]
OTHERS = [
    "fma{}({x}, {y}, {z})",
    "norm3d{}({x}, {y}, {z})",
    "rnorm3d{}({x}, {y}, {z})",
    "norm4d{}({x}, {y}, {z}, {x})",
    "rnorm4d{}({x}, {y}, {z}, {x})",
    "norm{}(2, {p})",
    "rnorm{}(2, {p})",
    'nan{}("")',
    'nan{}("12")',
    "jn{}(2, {x})",
    "yn{}(2, {x})",
    "ldexp{}({x}, 2)",
    "scalbn{}({x}, 2)",
    "scalbln{}({x}, 2l)",
    "frexp{}({x}, &i)",
    "modf{}({x}, {p})",
    "remquo{}({x}, {y}, &i)",
]
ANY = ["isnan", "isinf", "isfinite", "signbit"]


def of_reals():
    """In double, in single with the suffix, and overloaded by the argument's type."""
    double = {"x": "x", "y": "y", "z": "z", "p": "px"}
    single = {"x": "f", "y": "g", "z": "h", "p": "pf"}
    for suffix, names in (("", double), ("f", single), ("", single)):
        overloaded = names is single and suffix == ""
        yield from (f"{name}{suffix}({names['x']})" for name in ONE)
        yield from (f"{name}{suffix}({names['x']}, {names['y']})" for name in TWO)
        for text in OTHERS:
            if not (
                overloaded and text.startswith(("nan", "norm", "rnorm", "jn", "yn"))
            ):
                yield text.format(suffix, **names)
    for name in ANY:
        yield from (f"{name}(x)", f"{name}(f)")
    yield from ("fdividef(f, g)", "abs(x)", "abs(f)")


STATEMENTS = [
    f"{name}{'' if t == 'd' else 'f'}({'x' if t == 'd' else 'f'}, "
    f"{'px, px + 1' if t == 'd' else 'pf, pf + 1'});"
    for name, t in product(("sincos", "sincospi"), "df")
] + ["__sincosf(f, pf, pf + 1);"]


def of_integers():
    yield from ("abs(i)", "abs(l)", "labs((long)l)", "llabs(l)")
    for name in ("min", "max"):
        yield from (
            f"{name}({a}, {b})" for a, b in ("ij", "uv", "iu", "lm", "xy", "fg")
        )
        yield from (f"{name}(ul, um)", f"{name}(f, x)", f"{name}(l, ul)")
        yield from (f"u{name}(u, v)", f"ll{name}(l, m)", f"ull{name}(ul, um)")
    yield from ("__brev(u)", "__brevll(ul)", "__byte_perm(u, v, w)", "__clz(i)")
    yield from ("__clzll(l)", "__ffs(i)", "__ffsll(l)", "__popc(u)", "__popcll(ul)")
    yield from ("__fns(u, 0, 1)", "__hadd(i, j)", "__rhadd(i, j)", "__uhadd(u, v)")
    yield from ("__urhadd(u, v)", "__mul24(i, j)", "__umul24(u, v)", "__mulhi(i, j)")
    yield from ("__umulhi(u, v)", "__mul64hi(l, m)", "__umul64hi(ul, um)")
    yield from (
        "__sad(i, j, u)",
        "__usad(u, v, w)",
        "__dp4a(i, j, k)",
        "__dp4a(u, v, w)",
    )
    for part in ("lo", "hi"):
        yield from (f"__dp2a_{part}(i, j, k)", f"__dp2a_{part}(u, v, w)")
    yield from (f"__funnelshift_{way}(u, v, w)" for way in ("l", "lc", "r", "rc"))


def intrinsics():
    for d, s in (("d", "f"),):
        for mode in MODES:
            for op in ("add", "sub", "mul", "div"):
                yield from (f"__{d}{op}_{mode}(x, y)", f"__{s}{op}_{mode}(f, g)")
            for op in ("rcp", "sqrt"):
                yield from (f"__{d}{op}_{mode}(x)", f"__{s}{op}_{mode}(f)")
            yield from (f"__fma_{mode}(x, y, z)", f"__fmaf_{mode}(f, g, h)")
            yield f"__fmaf_ieee_{mode}(f, g, h)"
    yield "__frsqrt_rn(f)"
    for name in ("cos", "exp10", "exp", "log10", "log2", "log", "sin", "tan"):
        yield f"__{name}f(f)"
    yield from ("__powf(f, g)", "__fdividef(f, g)", "__saturatef(f)")


def casts():
    for mode in MODES:
        yield f"__double2float_{mode}(x)"
        for source, value in (("double", "x"), ("float", "f")):
            for to in ("int", "uint", "ll", "ull"):
                yield f"__{source}2{to}_{mode}({value})"
        for source, value in (("int", "i"), ("uint", "u"), ("ll", "l"), ("ull", "ul")):
            yield f"__{source}2float_{mode}({value})"
            if source in ("ll", "ull") or mode == "rn":
                yield f"__{source}2double_{mode}({value})"
    yield from ("__double2hiint(x)", "__double2loint(x)", "__hiloint2double(i, j)")
    yield from ("__double_as_longlong(x)", "__longlong_as_double(l)")
    yield from ("__float_as_int(f)", "__float_as_uint(f)")
    yield from ("__int_as_float(i)", "__uint_as_float(u)")


COMPARISONS = ["eq", "ges", "geu", "gts", "gtu", "les", "leu", "lts", "ltu", "ne"]


def of_words():
    for n in (2, 4):
        for name in ("abs", "absss", "neg", "negss"):
            yield f"__v{name}{n}(u)"
        for name in [
            "absdiffs",
            "absdiffu",
            "add",
            "addss",
            "addus",
            "avgs",
            "avgu",
            "haddu",
            "maxs",
            "maxu",
            "mins",
            "minu",
            "sads",
            "sadu",
            "sub",
            "subss",
            "subus",
        ]:
            yield f"__v{name}{n}(u, v)"
        for kind, name in product(("cmp", "set"), COMPARISONS):
            yield f"__v{kind}{name}{n}(u, v)"


GROUPS = {
    "reals": list(of_reals()),
    "integers": list(of_integers()),
    "intrinsics": list(intrinsics()),
    "casts": list(casts()),
    "words": list(of_words()),
}


def source(calls, statements=()):
    lines = [f"    out[{n}] = (double)({call});" for n, call in enumerate(calls)]
    lines += [f"    {s} out[0] += px[0] + pf[0];" for s in statements]
    return """extern "C" __global__ void calls(double *out, double x, double y, double z,
    float f, float g, float h, int i, int j, int k, unsigned u, unsigned v, unsigned w,
    long long l, long long m, unsigned long long ul, unsigned long long um) {
    double px[2] = {x, y};
    float pf[2] = {f, g};
%s
}""" % "\n".join(lines)
