/* math/complex_double.hpp: the functions of complex<double>, with C99's branch cuts and
 * special values (Annex G), and those of complex<float> where complex_single.hpp's do not
 * apply. They are made of the functions of elementary.hpp, so that built-in operations have
 * the same bits on the host and on a GPU.
 *
 * Inverse functions follow Hull, Fairgrieve and Tang, "Implementing the complex arcsine
 * and arccosine functions using exception handling" (1997), tanh and atanh Kahan's
 * "Branch cuts for complex elementary functions" (1987).
 */
#ifndef CUPRIC_MATH_COMPLEX_DOUBLE_HPP
#define CUPRIC_MATH_COMPLEX_DOUBLE_HPP

#include "cupric/math/real.hpp"

CUPRIC_BEGIN

typedef complex<double> complex128; /* within these headers only */

namespace in_double {

CUPRIC_MATH constexpr double
EPSILON()
{
    return 2.220446049250313e-16;
}
CUPRIC_MATH constexpr double
LN2()
{
    return 0.693147180559945309417;
}
CUPRIC_MATH constexpr double
HALF_PI()
{
    return 1.57079632679489661923;
}
CUPRIC_MATH constexpr double
LOG2_E()
{
    return 1.44269504088896340736;
}
CUPRIC_MATH constexpr double
LOG10_E()
{
    return 0.43429448190325182765;
}

CUPRIC_HD inline double
not_a_number()
{
    return double_of(0x7ff8000000000000ull);
}

/* ---- of real numbers ------------------------------------------------------------------ */

/* Called where the compiler would otherwise have to inline them into each function here. */
#if defined(__CUDACC__)
#define CUPRIC_CALLED CUPRIC_HD inline
#else
#define CUPRIC_CALLED inline __attribute__((noinline))
#endif
#define CUPRIC_CALLED_1(name)                                                          \
    CUPRIC_CALLED double name(double a)                                                \
    {                                                                                  \
        return elementary::name(a);                                                    \
    }
#define CUPRIC_CALLED_2(name)                                                          \
    CUPRIC_CALLED double name(double a, double b)                                      \
    {                                                                                  \
        return elementary::name(a, b);                                                 \
    }
CUPRIC_CALLED_1(exp)
CUPRIC_CALLED_1(expm1)
CUPRIC_CALLED_1(log)
CUPRIC_CALLED_1(log1p)
CUPRIC_CALLED_1(sin)
CUPRIC_CALLED_1(cos)
CUPRIC_CALLED_1(tan)
CUPRIC_CALLED_1(sinh)
CUPRIC_CALLED_1(cosh)
CUPRIC_CALLED_1(asin)
CUPRIC_CALLED_1(acos)
CUPRIC_CALLED_1(atan)
CUPRIC_CALLED_1(atanh)
CUPRIC_CALLED_2(atan2)
CUPRIC_CALLED_2(hypot)
#undef CUPRIC_CALLED_1
#undef CUPRIC_CALLED_2
#undef CUPRIC_CALLED

/* ---- square root, exponential, logarithm --------------------------------------------- */

CUPRIC_HD inline complex128
sqrt(complex128 z)
{
    double x = z.re, y = z.im, scale = 1;
    if (is_inf(y)) return complex128(magnitude(y), y);
    if (x == 0 && y == 0) return complex128(0, y);
    if (is_nan(x)) return complex128(x, not_a_number());
    if (is_inf(x)) {
        const double rest = y - y; /* 0 or NaN */
        return x > 0 ? complex128(x, with_sign(rest, y))
                     : complex128(magnitude(rest), with_sign(x, y));
    }
    const double larger = magnitude(x) > magnitude(y) ? magnitude(x) : magnitude(y);
    if (larger > 0x1p1020) {
        x *= 0x1p-4, y *= 0x1p-4, scale = 0x1p2;
    } else if (larger < 0x1p-960) {
        x *= 0x1p106, y *= 0x1p106, scale = 0x1p-53;
    }
    const double t = ::sqrt((magnitude(x) + hypot(x, y)) * 0.5);
    if (x >= 0) return complex128(t * scale, y / (2 * t) * scale);
    return complex128(magnitude(y) / (2 * t) * scale, with_sign(t * scale, y));
}

/* exp(x) * (cos(y) + i sin(y)) / 2**shift, without overflow of exp(x) alone. */
CUPRIC_HD inline complex128
scaled_polar(double x, double y, int shift)
{
    const double c = cos(y), s = sin(y);
    if (x > 709 && x < 1455) {
        const double e = exp(x * 0.5), f = shift ? e * 0.5 : e;
        return complex128(e * c * f, e * s * f);
    }
    const double e = shift ? exp(x) * 0.5 : exp(x);
    return complex128(e * c, e * s);
}

CUPRIC_HD inline complex128
exp(complex128 z)
{
    const double x = z.re, y = z.im;
    if (y == 0) return complex128(exp(x), y);
    if (!is_finite(y)) {
        if (!is_inf(x)) return complex128(not_a_number(), not_a_number());
        return x < 0 ? complex128(0, with_sign(0.0, y)) : complex128(x, not_a_number());
    }
    return scaled_polar(x, y, 0);
}

/* a * a as a sum of two doubles, the second through *rest (Dekker). */
CUPRIC_HD inline double
exact_square(double a, double *rest)
{
    const double t = a * 134217729.0, high = t - (t - a), low = a - high, p = a * a;
    *rest = ((high * high - p) + 2 * high * low) + low * low;
    return p;
}

/* log |z|, to full precision where |z| is close to 1. */
CUPRIC_HD inline double
log_abs(complex128 z)
{
    double x = magnitude(z.re), y = magnitude(z.im);
    if (x < y) {
        const double t = x;
        x = y;
        y = t;
    }
    if (!(x <= 0x1.fffffffffffffp1023) || is_nan(y)) return log(hypot(x, y));
    if (x > 0x1p1022) return log(hypot(x * 0.5, y * 0.5)) + LN2();
    if (x < 0x1p-1000) return log(hypot(x * 0x1p60, y * 0x1p60)) - 60 * LN2();
    if (x < 0.5 || x > 1.75) return log(hypot(x, y));
    /* x**2 + y**2 - 1, the sum of five doubles whose first difference is exact */
    double rest_x, rest_y;
    const double xx = exact_square(x, &rest_x);
    const double yy = y < 1e-150 ? (rest_y = 0, 0.0) : exact_square(y, &rest_y);
    const double head = xx - 1, sum = head + yy, part = sum - head;
    const double lost = (head - (sum - part)) + (yy - part);
    return 0.5 * log1p(sum + (lost + (rest_x + rest_y)));
}

CUPRIC_HD inline complex128
log(complex128 z)
{
    return complex128(log_abs(z), atan2(z.im, z.re));
}

CUPRIC_HD inline complex128
exp2(complex128 z)
{
    return exp(complex128(z.re * LN2(), z.im * LN2()));
}

CUPRIC_HD inline complex128
log2(complex128 z)
{
    const complex128 w = log(z);
    return complex128(w.re * LOG2_E(), w.im * LOG2_E());
}

CUPRIC_HD inline complex128
log10(complex128 z)
{
    const complex128 w = log(z);
    return complex128(w.re * LOG10_E(), w.im * LOG10_E());
}

CUPRIC_HD inline complex128
expm1(complex128 z)
{
    if (z.im == 0) return complex128(expm1(z.re), z.im);
    if (!is_finite(z.im) && is_inf(z.re)) /* of no known direction, or of none */
        return z.re > 0 ? complex128(z.re, z.im - z.im) : complex128(-1, 0);
    const double s = sin(z.im * 0.5), x = expm1(z.re);
    return complex128(x * cos(z.im) - 2 * s * s, exp(z.re) * sin(z.im));
}

CUPRIC_HD inline complex128
log1p(complex128 z)
{
    const double x = z.re, y = z.im;
    const bool small = magnitude(x) < 0.5 && magnitude(y) < 0.5;
    const double real = small ? 0.5 * log1p(x * (2 + x) + y * y) : log(hypot(x + 1, y));
    return complex128(real, atan2(y, x + 1));
}

/* ---- hyperbolic and circular functions ----------------------------------------------- */

CUPRIC_HD inline complex128
sinh(complex128 z)
{
    const double x = z.re, y = z.im, ax = magnitude(x);
    if (y == 0) return complex128(sinh(x), y);
    if (!is_finite(y)) {
        if (x == 0) return complex128(x, y - y);
        return complex128(is_inf(x) ? ax : y - y, y - y);
    }
    if (ax < 22) return complex128(sinh(x) * cos(y), cosh(x) * sin(y));
    const complex128 w = scaled_polar(ax, y, 1);
    return complex128(x < 0 ? -w.re : w.re, w.im);
}

CUPRIC_HD inline complex128
cosh(complex128 z)
{
    const double x = z.re, y = z.im, ax = magnitude(x);
    if (y == 0) return complex128(cosh(x), is_nan(x) ? y : with_sign(0.0, x) * y);
    if (!is_finite(y)) {
        if (x == 0) return complex128(y - y, x);
        return complex128(is_inf(x) ? ax : y - y, y - y);
    }
    if (ax < 22) return complex128(cosh(x) * cos(y), sinh(x) * sin(y));
    const complex128 w = scaled_polar(ax, y, 1);
    return complex128(w.re, x < 0 ? -w.im : w.im);
}

CUPRIC_HD inline complex128
tanh(complex128 z)
{
    const double x = z.re, y = z.im;
    if (is_nan(x)) return complex128(x, y == 0 ? y : x);
    if (is_inf(x)) {
        const double turn = is_finite(y) ? sin(y) * cos(y) : y;
        return complex128(with_sign(1.0, x), with_sign(0.0, turn));
    }
    if (!is_finite(y)) return complex128(x == 0 ? x : y - y, y - y);
    if (magnitude(x) >= 22) {
        const double e = exp(-magnitude(x));
        return complex128(with_sign(1.0, x), 4 * sin(y) * cos(y) * e * e);
    }
    const double t = tan(y), beta = 1 + t * t, s = sinh(x);
    const double rho = ::sqrt(1 + s * s), d = 1 + beta * s * s;
    if (is_inf(t)) return complex128(rho / s, 1 / t);
    return complex128(beta * rho * s / d, t / d);
}

CUPRIC_HD inline complex128
sin(complex128 z)
{
    const complex128 w = sinh(complex128(-z.im, z.re));
    return complex128(w.im, -w.re);
}

CUPRIC_HD inline complex128
cos(complex128 z)
{
    return cosh(complex128(-z.im, z.re));
}

CUPRIC_HD inline complex128
tan(complex128 z)
{
    const complex128 w = tanh(complex128(-z.im, z.re));
    return complex128(w.im, -w.re);
}

/* ---- inverse functions ---------------------------------------------------------------- */

/* (hypot(a, b) - b) / 2 without cancellation, given h = hypot(a, b). */
CUPRIC_HD inline double
half_excess(double a, double b, double h)
{
    if (b < 0) return (h - b) / 2;
    return b == 0 ? a / 2 : a * a / (h + b) / 2;
}

/* What asinh and acos of x + iy need, for x, y >= 0 neither huge nor both tiny:
 * the real part of asinh, and the other part as asin(b) or as atan2(y_new, root). */
struct arc_parts {
    double real, b, root, y;
    bool b_usable;
};

CUPRIC_HD inline arc_parts
arc(double x, double y)
{
    arc_parts out;
    const double r = hypot(x, y + 1), s = hypot(x, y - 1);
    const double mean = (r + s) / 2, a = mean < 1 ? 1 : mean;

    if (a >= 10) {
        out.real = log(a + ::sqrt(a * a - 1));
    } else if (y == 1 && x < EPSILON() * EPSILON() / 128) {
        out.real = ::sqrt(x);
    } else if (x >= EPSILON() * magnitude(y - 1)) {
        const double am1 = half_excess(x, 1 + y, r) + half_excess(x, 1 - y, s);
        out.real = log1p(am1 + ::sqrt(am1 * (a + 1)));
    } else if (y < 1) {
        out.real = x / ::sqrt((1 - y) * (1 + y));
    } else {
        out.real = log1p((y - 1) + ::sqrt((y - 1) * (y + 1)));
    }

    out.y = y;
    out.b = y / a;
    out.root = 0;
    out.b_usable = false;
    if (y < 0x1p-509) { /* y / a might be subnormal */
        out.root = a * (2 / EPSILON());
        out.y = y * (2 / EPSILON());
    } else if (out.b <= 0.6417) {
        out.b_usable = true;
    } else if (y == 1 && x < EPSILON() / 128) {
        out.root = ::sqrt(x) * ::sqrt((a + y) / 2);
    } else if (x >= EPSILON() * magnitude(y - 1)) {
        const double amy = half_excess(x, y + 1, r) + half_excess(x, y - 1, s);
        out.root = ::sqrt(amy * (a + y));
    } else if (y > 1) {
        out.root = x * (4 / EPSILON() / EPSILON()) * y / ::sqrt((y + 1) * (y - 1));
        out.y = y * (4 / EPSILON() / EPSILON());
    } else {
        out.root = ::sqrt((1 - y) * (1 + y));
    }
    return out;
}

CUPRIC_HD inline complex128
asinh(complex128 z)
{
    const double x = z.re, y = z.im, ax = magnitude(x), ay = magnitude(y);
    if (is_nan(z)) {
        if (is_inf(x)) return complex128(x, y + y);
        if (is_inf(y)) return complex128(y, x + x);
        return complex128(x + x + (y - y), y == 0 ? y : not_a_number());
    }
    if (ax > 1 / EPSILON() || ay > 1 / EPSILON()) {
        const complex128 w = log(complex128(ax, ay));
        return complex128(with_sign(w.re + LN2(), x), with_sign(w.im, y));
    }
    if (ax < 1e-9 && ay < 1e-9) return z; /* the next term is below rounding */
    const arc_parts p = arc(ax, ay);
    const double angle = p.b_usable ? asin(p.b) : atan2(p.y, p.root);
    return complex128(with_sign(p.real, x), with_sign(angle, y));
}

CUPRIC_HD inline complex128
acos(complex128 z)
{
    const double x = z.re, y = z.im, ax = magnitude(x), ay = magnitude(y);
    if (is_nan(z)) {
        if (is_inf(x)) return complex128(y + y, -magnitude(x));
        if (is_inf(y)) return complex128(x + x, -y);
        return complex128(x == 0 ? HALF_PI() : not_a_number(), not_a_number());
    }
    if (ax > 1 / EPSILON() || ay > 1 / EPSILON()) {
        const complex128 w = log(z);
        const double up = w.re + LN2();
        return complex128(magnitude(w.im), sign_bit(y) ? up : -up);
    }
    if (x == 1 && y == 0) return complex128(0, -y);
    if (ax < 1e-9 && ay < 1e-9) return complex128(HALF_PI() - x, -y);
    const arc_parts p = arc(ay, ax);
    const bool left = sign_bit(x);
    const double angle =
        p.b_usable ? acos(left ? -p.b : p.b) : atan2(p.root, left ? -p.y : p.y);
    return complex128(angle, sign_bit(y) ? p.real : -p.real);
}

CUPRIC_HD inline complex128
asin(complex128 z)
{
    const complex128 w = asinh(complex128(z.im, z.re));
    return complex128(w.im, w.re);
}

CUPRIC_HD inline complex128
acosh(complex128 z)
{
    const complex128 w = acos(z);
    if (is_nan(w.re) && is_nan(w.im)) return complex128(w.im, w.re);
    if (is_nan(w.re)) return complex128(magnitude(w.im), w.re);
    if (is_nan(w.im)) return complex128(w.im, z.re == 0 ? w.re : w.im);
    return complex128(magnitude(w.im), with_sign(w.re, z.im));
}

/* x / (x**2 + y**2) for large x, y. */
CUPRIC_HD inline double
real_of_reciprocal(double x, double y)
{
    if (is_inf(x) || is_inf(y)) return with_sign(0.0, x);
    const double larger = magnitude(x) > magnitude(y) ? magnitude(x) : magnitude(y);
    const double u = x / larger, v = y / larger;
    return u / (u * u + v * v) / larger;
}

CUPRIC_HD inline complex128
atanh(complex128 z)
{
    const double x = z.re, y = z.im, ax = magnitude(x), ay = magnitude(y);
    if (y == 0 && ax <= 1) return complex128(atanh(x), y);
    if (x == 0) return complex128(x, atan(y));
    if (is_nan(z)) {
        if (is_inf(x)) return complex128(with_sign(0.0, x), y + y);
        if (is_inf(y)) return complex128(with_sign(0.0, x), with_sign(HALF_PI(), y));
        return complex128(not_a_number(), not_a_number());
    }
    if (ax > 1 / EPSILON() || ay > 1 / EPSILON()) {
        return complex128(real_of_reciprocal(x, y), with_sign(HALF_PI(), y));
    }
    if (ax < 1e-9 && ay < 1e-9) return z;
    const double d = ax - 1, dd = ay < 1e-154 ? d * d : d * d + ay * ay;
    const double real =
        ax == 1 && ay < EPSILON() ? (LN2() - log(ay)) / 2 : log1p(4 * ax / dd) / 4;
    const double rest = ay < EPSILON() ? 0 : ay * ay;
    const double angle =
        ax == 1 ? atan2(2.0, -ay) / 2 : atan2(2 * ay, (1 - ax) * (1 + ax) - rest) / 2;
    return complex128(with_sign(real, x), with_sign(angle, y));
}

CUPRIC_HD inline complex128
atan(complex128 z)
{
    const complex128 w = atanh(complex128(z.im, z.re));
    return complex128(w.im, w.re);
}

/* ---- power --------------------------------------------------------------------------- */

/* a**n for n >= 1 by squaring. */
CUPRIC_HD inline complex128
whole_power(complex128 a, int n)
{
    complex128 result(1, 0);
    for (;;) {
        if (n & 1) result = result * a;
        n >>= 1;
        if (n == 0) return result;
        a = a * a;
    }
}

/* What an infinite number is to a product: its direction. */
CUPRIC_HD inline complex128
direction(complex128 a)
{
    return complex128(with_sign(is_inf(a.re) ? 1.0 : 0.0, a.re),
                      with_sign(is_inf(a.im) ? 1.0 : 0.0, a.im));
}

CUPRIC_HD inline complex128
nan_to_zero(complex128 a)
{
    return complex128(is_nan(a.re) ? with_sign(0.0, a.re) : a.re,
                      is_nan(a.im) ? with_sign(0.0, a.im) : a.im);
}

/* a * b, in which infinity times anything but zero stays infinite (C99, Annex G). */
CUPRIC_HD inline complex128
annex_g_product(complex128 a, complex128 b)
{
    const complex128 plain = a * b;
    if (!is_nan(plain.re) || !is_nan(plain.im)) return plain;
    const bool infinite = is_inf(a) || is_inf(b);
    if (is_inf(a)) a = direction(a), b = nan_to_zero(b);
    if (is_inf(b)) b = direction(b), a = nan_to_zero(a);
    if (!infinite) return plain;
    const complex128 w = a * b;
    const double inf = double_of(0x7ff0000000000000ull);
    return complex128(inf * w.re, inf * w.im);
}

/* The powers that need no logarithm: of 0, and those whose exponent is 0 or a small whole
 * number. */
CUPRIC_HD inline bool
algebraic_power(complex128 a, complex128 b, complex128 *result)
{
    if (b.re == 0 && b.im == 0) {
        *result = complex128(1, 0);
    } else if (a.re == 0 && a.im == 0) {
        *result =
            b.re > 0 ? complex128(0, 0) : complex128(not_a_number(), not_a_number());
    } else if (b.im == 0 && magnitude(b.re) < 100 && b.re == (double)(int)b.re) {
        const int n = (int)b.re;
        *result = n == 1   ? a
                  : n == 2 ? a * a
                  : n == 3 ? a * (a * a)
                  : n > 0  ? whole_power(a, n)
                           : complex128(1, 0) / whole_power(a, -n);
    } else {
        return false;
    }
    return true;
}

/* The others. */
CUPRIC_HD inline complex128
transcendental_power(complex128 a, complex128 b)
{
    return exp(annex_g_product(b, log(a)));
}

} /* namespace in_double */
CUPRIC_END

#endif
