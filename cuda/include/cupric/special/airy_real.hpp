/* special/airy_real.hpp: the Airy functions of real argument, and their integrals: by
 * Taylor series about the nearest multiple of 1/2, and far from 0 by asymptotic
 * expansions: https://dlmf.nist.gov/9.4, 9.7.
 */
#ifndef CUPRIC_SPECIAL_AIRY_REAL_HPP
#define CUPRIC_SPECIAL_AIRY_REAL_HPP

#include "cupric/math/special.hpp"
#include "cupric/special/airy_pieces.hpp"

CUPRIC_BEGIN

/* Ai, its derivative, Bi, its derivative. */
template <class T>
struct airy_functions {
    T ai, ai_slope, bi, bi_slope;
};

namespace complex_bessel {

/* A solution of y'' = x y, its derivative and its integral, at x + h, all given at
 * x. */
struct airy_solution {
    double value, slope, integral;
};

CUPRIC_APART airy_solution
airy_series(double x, double h, airy_solution at)
{
    double a = at.value, b = at.slope, before = 0, power = 1;
    airy_solution sum = {a, b, 0};
    for (int k = 0; k < 22; k++) {
        /* a, b: coefficients of h**k and h**(k + 1); power: h**k */
        const double next = (x * a + before) * airy_factor(k);
        const double integral = a * power * h * airy_inverse(k);
        before = a;
        a = b;
        b = next;
        sum.integral += integral;
        power *= h;
        sum.value += a * power;
        sum.slope += (k + 2) * b * power;
    }
    sum.integral += at.integral;
    return sum;
}

/* 2/3 x**(3/2) as a sum of two doubles. */
CUPRIC_MATH elementary::words<double>
airy_exponent(double x)
{
    const double s = ::sqrt(x), s_rest = elementary::fused(-s, s, x) / (2 * s);
    const elementary::words<double> p = elementary::exact_product(x, s);
    const double twice = 2 * p.hi, third = twice / 3;
    const double rest = elementary::fused(-3.0, third, twice) / 3;
    return {third, rest + 2.0 / 3 * (p.lo + x * s_rest)};
}

/* Sums over even and over odd k of a_k / x**k, a_k the coefficients of Hankel's
 * expansion of order v, with signs + + - - + + ... where `turns`. Of `integrals`
 * those that a_k = c_k + (k - 1/2) c_(k - 1) defines. */
struct airy_sums {
    double even, odd;
};

CUPRIC_APART airy_sums
airy_sums_of(double v, double x, bool turns, bool integrals)
{
    const double square = v * v, over = 1 / x, sign = turns ? -1 : 1;
    double term = 1, c = 1;
    airy_sums sum = {1, 0};
    for (int k = 1; k < 80; k++) {
        const double half = k - 0.5;
        term *= (square - half * half) / (2 * k) * over;
        const double size = elementary::without_sign(c);
        c = integrals ? term - half * c * over : term;
        if (integrals && k > 4 && elementary::without_sign(c) >= size) break;
        const double signed_c = k & 2 ? sign * c : c;
        if (k & 1)
            sum.odd += signed_c;
        else
            sum.even += signed_c;
        if (elementary::without_sign(c) <= 1e-17) break;
    }
    return sum;
}

CUPRIC_MATH constexpr double
ONE_OVER_SQRT_PI()
{
    return 0.564189583547756286948;
}

/* exp(x) or exp(-x), x of two words. */
CUPRIC_MATH double
exp_of(elementary::words<double> x, bool negative)
{
    const double e = elementary::exp(negative ? -x.hi : x.hi);
    return elementary::without_sign(e) < elementary::infinity<double>()
               ? e + e * (negative ? -x.lo : x.lo)
               : e;
}

/* Cosine and sine of x - pi / 4. */
struct cosine_and_sine {
    double c, s;
};

CUPRIC_MATH cosine_and_sine
turned_back(elementary::words<double> x)
{
    const double root = 0.707106781186547524401;
    const double a = elementary::cos(x.hi), b = elementary::sin(x.hi);
    const bool is_small = elementary::without_sign(x.lo) < 1e-9;
    const double d = is_small ? 1 : elementary::cos(x.lo);
    const double e = is_small ? x.lo : elementary::sin(x.lo);
    const double c = a * d - b * e, s = b * d + a * e;
    return {root * (c + s), root * (s - c)};
}

CUPRIC_APART airy_functions<double>
airy_right(double x, bool scaled)
{
    const double inf = elementary::infinity<double>();
    if (x == inf) return {0, scaled ? -inf : 0, scaled ? 0 : inf, inf};
    const elementary::words<double> e = airy_exponent(x);
    const double root = ::sqrt(::sqrt(x));
    const double up = ONE_OVER_SQRT_PI() * (scaled ? 1 : exp_of(e, false));
    const double down = 0.5 * ONE_OVER_SQRT_PI() * (scaled ? 1 : exp_of(e, true));
    const airy_sums a = airy_sums_of(1.0 / 3, e.hi, false, false);
    const airy_sums b = airy_sums_of(2.0 / 3, e.hi, false, false);
    return {down / root * (a.even + a.odd), -down * root * (b.even + b.odd),
            up / root * (a.even - a.odd), up * root * (b.even - b.odd)};
}

CUPRIC_APART airy_functions<double>
airy_left(double y)
{
    const double nan = elementary::nan<double>();
    if (y == elementary::infinity<double>()) return {0, nan, 0, nan};
    const elementary::words<double> e = airy_exponent(y);
    const double root = ::sqrt(::sqrt(y)), scale = ONE_OVER_SQRT_PI() / root;
    const double slope = ONE_OVER_SQRT_PI() * root;
    const cosine_and_sine t = turned_back(e);
    const airy_sums a = airy_sums_of(1.0 / 3, e.hi, true, false);
    const airy_sums b = airy_sums_of(2.0 / 3, e.hi, true, false);
    return {scale * (t.c * a.even - t.s * a.odd), slope * (t.s * b.even + t.c * b.odd),
            -scale * (t.s * a.even + t.c * a.odd),
            slope * (t.c * b.even - t.s * b.odd)};
}

CUPRIC_MATH constexpr int
AIRY_CENTRES()
{
    return 30; /* on each side of 0, every 1/2 */
}

CUPRIC_APART airy_functions<double>
airy_middle(double x)
{
    const double n = ::rint(2 * x), centre = 0.5 * n, h = x - centre;
    const int at = 6 * (int(n) + AIRY_CENTRES());
    const airy_solution a = airy_series(
        centre, h,
        {airy_at_centre(at), airy_at_centre(at + 1), airy_at_centre(at + 4)});
    const airy_solution b = airy_series(
        centre, h,
        {airy_at_centre(at + 2), airy_at_centre(at + 3), airy_at_centre(at + 5)});
    return {a.value, a.slope, b.value, b.slope};
}

} /* namespace complex_bessel */

CUPRIC_APART airy_functions<double>
airy_of(double x, bool scaled)
{
    using namespace complex_bessel;
    airy_functions<double> r;
    if (x != x) return {x, x, x, x};
    if (x > 10) return airy_right(x, scaled);
    r = x < -10 ? airy_left(-x) : airy_middle(x);
    if (!scaled) return r;
    if (x < 0) { /* exp(2/3 x**(3/2)) is complex */
        r.ai = r.ai_slope = elementary::nan<double>();
        return r;
    }
    const elementary::words<double> e = airy_exponent(x);
    const double up = x == 0 ? 1 : exp_of(e, false),
                 down = x == 0 ? 1 : exp_of(e, true);
    return {r.ai * up, r.ai_slope * up, r.bi * down, r.bi_slope * down};
}

namespace complex_bessel {

/* The integrals of Ai and Bi from 0 to x. */
struct airy_integrals {
    double ai, bi;
};

CUPRIC_APART airy_integrals
airy_integrals_to(double x)
{
    const double y = elementary::without_sign(x), inf = elementary::infinity<double>();
    if (y == inf) return {x > 0 ? 1.0 / 3 : -2.0 / 3, x > 0 ? inf : 0};
    if (y <= 15) {
        const double n = ::rint(2 * x), centre = 0.5 * n, h = x - centre;
        const int at = 6 * (int(n) + AIRY_CENTRES());
        const airy_solution a = airy_series(
            centre, h,
            {airy_at_centre(at), airy_at_centre(at + 1), airy_at_centre(at + 4)});
        const airy_solution b = airy_series(
            centre, h,
            {airy_at_centre(at + 2), airy_at_centre(at + 3), airy_at_centre(at + 5)});
        return {a.integral, b.integral};
    }
    const elementary::words<double> e = airy_exponent(y);
    const double root = ::sqrt(y), scale = ONE_OVER_SQRT_PI() / (root * ::sqrt(root));
    const airy_sums c = airy_sums_of(1.0 / 3, e.hi, x < 0, true);
    if (x > 0) {
        const double tail = 0.5 * scale * exp_of(e, true) * (c.even + c.odd);
        return {1.0 / 3 - tail, scale * exp_of(e, false) * (c.even - c.odd)};
    }
    const cosine_and_sine t = turned_back(e);
    return {-2.0 / 3 - scale * (t.s * c.even + t.c * c.odd),
            scale * (t.s * c.odd - t.c * c.even)};
}

} /* namespace complex_bessel */

/* The integrals from 0 to x of Ai(t), Bi(t), Ai(-t), Bi(-t). */
CUPRIC_APART airy_functions<double>
itairy(double x)
{
    if (x != x) return {x, x, x, x};
    const complex_bessel::airy_integrals a = complex_bessel::airy_integrals_to(x);
    const complex_bessel::airy_integrals b = complex_bessel::airy_integrals_to(-x);
    return {a.ai, a.bi, 0 - b.ai, 0 - b.bi};
}

CUPRIC_END

#endif
