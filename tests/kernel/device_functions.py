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
            if not (overloaded and text.startswith(("nan", "norm", "rnorm"))):
                yield text.format(suffix, **names)
    for name in ANY:
        yield from (f"{name}(x)", f"{name}(f)")
    yield from ("fdividef(f, g)", "abs(x)", "abs(f)", "copysign(f, x)")


STATEMENTS = [
    f"{name}{'' if t == 'd' else 'f'}({'x' if t == 'd' else 'f'}, "
    f"{'px, px + 1' if t == 'd' else 'pf, pf + 1'});"
    for name, t in product(("sincos", "sincospi"), "df")
] + ["sincos(f, pf, pf + 1);", "sincospi(f, pf, pf + 1);", "__sincosf(f, pf, pf + 1);"]


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
    for mode in MODES:
        for op in ("add", "sub", "mul", "div"):
            yield from (f"__d{op}_{mode}(x, y)", f"__f{op}_{mode}(f, g)")
        for op in ("rcp", "sqrt"):
            yield from (f"__d{op}_{mode}(x)", f"__f{op}_{mode}(f)")
        yield from (f"__fma_{mode}(x, y, z)", f"__fmaf_{mode}(f, g, h)")
        yield f"__fmaf_ieee_{mode}(f, g, h)"
    yield "__frsqrt_rn(f)"
    for name in ("cos", "exp10", "exp", "log10", "log2", "log", "sin", "tan", "tanh"):
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


def of_sums_and_thirds():
    """The least and greatest of a sum and a number, of three, and which of two it was."""
    for pick in ("max", "min"):
        for t, args in (("s32", "i, j, k"), ("u32", "u, v, w")):
            yield from (f"__viadd{pick}_{t}({args})", f"__vi{pick}3_{t}({args})")
            yield f"__vib{pick}_{t}({args[:-3]}, &yes)"
        yield from (
            f"__vi{way}_s32_relu(i, j, k)" for way in (f"add{pick}", f"{pick}3")
        )
        yield f"__vi{pick}_s32_relu(i, j)"
        for t in ("s16x2", "u16x2"):
            yield from (f"__viadd{pick}_{t}(u, v, w)", f"__vi{pick}3_{t}(u, v, w)")
            yield f"__vib{pick}_{t}(u, v, &yes, &yes)"
        for way in (f"add{pick}", f"{pick}3"):
            yield f"__vi{way}_s16x2_relu(u, v, w)"
        yield f"__vi{pick}_s16x2_relu(u, v)"


ORDERS = ["eq", "ne", "lt", "le", "gt", "ge"]
H_ONE = ["abs", "neg"]
H_TWO = ["add", "sub", "mul", "max", "min"]
H_FUNCTIONS = [
    *("ceil", "cos", "exp", "exp10", "exp2", "floor", "log", "log10", "log2", "rcp"),
    *("rint", "rsqrt", "sin", "sqrt", "trunc", "tanh"),
]
WHOLE = {"int": "i", "uint": "u", "short": "(short)i", "ushort": "(unsigned short)u"}
WHOLE |= {"ll": "l", "ull": "ul"}


def of_short_floats(stem):
    """Of a 16-bit type, with `a`, `b`, `c` of it, and `p`, `q`, `r` pairs of them."""

    def one(call):
        return f"__{stem}2float({call})"

    def both(call):
        return f"(__low2float({call}) + __high2float({call}))"

    yield from (one(f"__float2{stem}(f)"), one(f"__double2{stem}(x)"))
    for mode in MODES:
        yield one(f"__float2{stem}_{mode}(f)")
        for kind, value in WHOLE.items():
            yield from (
                one(f"__{kind}2{stem}_{mode}({value})"),
                f"__{stem}2{kind}_{mode}(a)",
            )
    yield from (f"__{stem}2{kind}_rz(a)" for kind in ("char", "uchar"))
    for kind in ("short", "ushort"):
        yield from (f"__{stem}_as_{kind}(a)", one(f"__{kind}_as_{stem}(16256)"))
    yield from map(
        both,
        [
            f"make_{stem}2(a, b)",
            f"__halves2{stem}2(a, b)",
            f"__{stem}2{stem}2(a)",
            f"__float2{stem}2_rn(f)",
            f"__floats2{stem}2_rn(f, g)",
            f"__float22{stem}2_rn(make_float2(f, g))",
            f"__low2{stem}2(p)",
            f"__high2{stem}2(p)",
            f"__lows2{stem}2(p, q)",
            f"__highs2{stem}2(p, q)",
            "__lowhigh2highlow(p)",
            "__hcmadd(p, q, r)",
            "__h2div(p, q)",
            "__hisnan2(p)",
        ],
    )
    yield from (
        one(f"__low2{stem}(p)"),
        one(f"__high2{stem}(p)"),
        f"__{stem}22float2(p).y",
    )
    for name in ORDERS:
        for u in ("", "u"):
            yield from (f"__h{name}{u}(a, b)", f"__hb{name}{u}2(p, q)")
            yield from (f"__h{name}{u}2_mask(p, q)", both(f"__h{name}{u}2(p, q)"))
    yield from ("__hisnan(a)", "__hisinf(a)", one("__hdiv(a, b)"))
    for name in H_ONE:
        yield from (one(f"__h{name}(a)"), both(f"__h{name}2(p)"))
    for name in H_TWO:
        yield from (one(f"__h{name}(a, b)"), both(f"__h{name}2(p, q)"))
        for after in ("_nan",) if name in ("max", "min") else ("_rn", "_sat"):
            yield from (
                one(f"__h{name}{after}(a, b)"),
                both(f"__h{name}2{after}(p, q)"),
            )
    for after in ("", "_sat", "_relu"):
        yield from (one(f"__hfma{after}(a, b, c)"), both(f"__hfma2{after}(p, q, r)"))
    for name in H_FUNCTIONS:
        yield from (one(f"h{name}(a)"), both(f"h2{name}(p)"))
    yield from map(both, ["p + q", "p - q", "p * q", "p / q", "-p"])
    yield from ("p == q", "p < q", "__low2float(p)", "__high2float(p)")


GROUPS = {
    "reals": list(of_reals()),
    "integers": list(of_integers()),
    "intrinsics": list(intrinsics()),
    "casts": list(casts()),
    "words": list(of_words()),
    "sums and thirds": list(of_sums_and_thirds()),
    "half": list(of_short_floats("half")),
    "bfloat16": list(of_short_floats("bfloat16")),
}
HEADERS = {"half": "cuda_fp16.h", "bfloat16": "cuda_bf16.h"}
TYPES = {"half": ("__half", "__half2"), "bfloat16": ("__nv_bfloat16", "__nv_bfloat162")}


def source(calls, statements=(), group=None):
    """A kernel of the calls. Those of a 16-bit type have a header and variables."""
    lines = [f"    out[{n}] = (double)({call});" for n, call in enumerate(calls)]
    lines += [f"    {s} out[0] += px[0] + pf[0];" for s in statements]
    variables = include = ""
    if group in HEADERS:
        include = f"#include <{HEADERS[group]}>\n"
        one, two = TYPES[group]
        given = {"a": "f", "b": "g", "c": "h"}
        variables = "".join(
            f"    {one} {name} = __float2{group}({value});\n"
            for name, value in given.items()
        )
        variables += "".join(
            f"    {two} {name} = __halves2{group}2({halves});\n"
            for name, halves in {"p": "a, b", "q": "b, c", "r": "c, a"}.items()
        )
    head = """extern "C" __global__ void calls(double *out, double x, double y, double z,
    float f, float g, float h, int i, int j, int k, unsigned u, unsigned v, unsigned w,
    long long l, long long m, unsigned long long ul, unsigned long long um) {
    double px[2] = {x, y};
    float pf[2] = {f, g};
    bool yes;
"""
    return include + head + variables + "\n".join(lines) + "\n}"
