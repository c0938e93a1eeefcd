/* special/lambert.hpp: Lambert's W on its branches, and Wright's omega, of double and complex
 * double: the solutions w of w exp(w) = z, and of w + log(w) = z.
 *
 * Both are found from w + log(w), by the steps of F. N. Fritsch, R. E. Shafer and W. P.
 * Crowley, "Solution of the transcendental equation w e^w = x", Communications of the ACM 16
 * (1973), of which each has four times as many digits as the one before. Where to start from:
 * R. M. Corless et al., "On the Lambert W function", Advances in Computational Mathematics 5
 * (1996). About the branch point -1 / e the series of its 4.22 has all digits.
 */
#ifndef CUPRIC_SPECIAL_LAMBERT_HPP
#define CUPRIC_SPECIAL_LAMBERT_HPP

#include "cupric/special/complex_pieces.hpp"

CUPRIC_BEGIN
namespace elementary {

/* W by powers of p = sqrt(2 (e z + 1)) up to the `last`, a multiple of 5: all of them where
 * |p| < 0.35, few where they are but a start. */
CUPRIC_APART cdouble
lambert_series(cdouble p, int last)
{
    static constexpr double at[26] = {-1.0,
                                      1.0,
                                      -0.3333333333333333,
                                      0.1527777777777778,
                                      -0.07962962962962963,
                                      0.044502314814814814,
                                      -0.02598471487360376,
                                      0.01563563253233392,
                                      -0.009616892024299432,
                                      0.006014543252956118,
                                      -0.0038112980348919993,
                                      0.0024408779911439826,
                                      -0.0015769303446867841,
                                      0.0010262633205076071,
                                      -0.0006720616311561362,
                                      0.0004424730618146209,
                                      -0.00029267722472962746,
                                      0.00019438727605453933,
                                      -0.00012957426685274883,
                                      8.665035805208128e-05,
                                      -5.811360750441382e-05,
                                      3.907668486743905e-05,
                                      -2.63380647472311e-05,
                                      1.7790345805079586e-05,
                                      -1.2040352739559977e-05,
                                      8.163531982496613e-06};
    cdouble sum(at[last], 0);
    for (int k = last - 1; k >= 0; k--) {
        sum = times(sum, p);
        sum.re += at[k];
    }
    return sum;
}

/* The step of Fritsch, Shafer and Crowley for the residual r = z - w - log(w), as a factor of
 * w less 1. */
CUPRIC_MATH cdouble
lambert_step(cdouble w, cdouble r)
{
    const cdouble next(w.re + 1, w.im);
    const cdouble q = times(times(2, next), plus(next, times(2.0 / 3, r)));
    return times(over(r, next), over(minus(q, r), minus(q, times(2, r))));
}

CUPRIC_MATH double
lambert_step(double w, double r)
{
    const double next = w + 1, q = 2 * next * (next + 2.0 / 3 * r);
    return r / next * ((q - r) / (q - 2 * r));
}

/* An angle less its whole turns. */
CUPRIC_MATH double
within_turn(double angle)
{
    const double turns = rint(angle * 0.15915494309189533577);
    return fused(turns, -2.449293598294706414e-16,
                 fused(turns, -6.283185307179586477, angle));
}

/* About W_0, where no other start is near: S. Winitzki, "Uniform approximations for
 * transcendental functions" (2003). `l` is log(1 + z). */
CUPRIC_MATH cdouble
winitzki(cdouble l)
{
    const cdouble m = in_double::log1p(l);
    return times(l, minus(cdouble(1, 0), over(m, plus(m, cdouble(2, 0)))));
}

CUPRIC_APART cdouble
lambertw(cdouble z, double k)
{
    const double two_pi = 6.283185307179586477, inf = infinity<double>();
    const double e = 2.71828182845904523536, e_low = 1.4456468917292502e-16;
    if (is_any_nan(z) || k != k) return complex_nan();
    if (!is_all_finite(z)) {
        const cdouble l = in_double::log(z);
        return cdouble(inf, l.im + two_pi * k);
    }
    if (z.re == 0 && z.im == 0) return k == 0 ? z : cdouble(-inf, 0);
    if (k == 0 && sum_of_parts(z) < 1e-17) return z;
    /* e z + 1, in which nothing cancels */
    const words<double> ez = exact_product(z.re, e);
    const cdouble at((ez.hi + 1) + fused(z.re, e_low, ez.lo), z.im * e);
    const bool joined = k == 0 || (k == -1 && z.im >= 0) || (k == 1 && z.im < 0);
    const double near = at.re * at.re + at.im * at.im;
    cdouble w;
    if (joined && near < 1.0) {
        const cdouble root = in_double::sqrt(times(2, at));
        const cdouble p = k == 0 ? root : times(-1, root);
        w = lambert_series(p, near < 0.1 ? 25 : 5);
        if (near < 0.0036) return w;
        if (near > 0.3 && k == 0 && z.re > -0.3) w = winitzki(in_double::log1p(z));
    } else if (k == 0 && z.re * z.re + z.im * z.im < 9 && z.re > -0.9) {
        w = winitzki(in_double::log1p(z));
    } else {
        const cdouble l = in_double::log(z), t(l.re, l.im + two_pi * k);
        const bool real = k == -1 && z.im == 0 && z.re < 0 && z.re > -0.37;
        if (real) { /* from the right side of -1 */
            w = cdouble(l.re - log_apart(-l.re), 0);
        } else {
            const cdouble m = in_double::log(t);
            w = plus(minus(t, m), over(m, t));
        }
    }
    for (int i = 0; i < 12; i++) {
        const cdouble l = in_double::log(over(z, w));
        const cdouble r(l.re - w.re, within_turn(l.im - w.im));
        const cdouble step = lambert_step(w, r);
        w = plus(w, times(w, step));
        if (sum_of_parts(step) < 1e-5) break;
    }
    return w;
}

/* ---- Wright's omega ------------------------------------------------------------------ */

/* About exp(x), far to the left, which may be subnormal. */
CUPRIC_APART double
wrightomega(double x)
{
    const double inf = infinity<double>();
    if (x != x || x == inf) return x;
    if (x < -36) return exp(x);
    if (x > 1e20) return x;
    const bool left = x < -1;
    const double y = left ? exp(x) : 0;
    double w = left    ? y / (1 + y)
               : x < 1 ? 0.5671 + 0.3619 * x + 0.0737 * x * x
                       : x - log(x);
    for (int i = 0; i < 4; i++) {
        const double r = left ? log(y / w) - w : x - w - log(w);
        const double step = lambert_step(w, r);
        w += w * step;
        if (without_sign(step) < 1e-4) break;
    }
    return w;
}

/* W_k(exp(z)) on the branch of z's strip. */
CUPRIC_APART cdouble
wrightomega(cdouble z)
{
    const double pi = 3.14159265358979323846, inf = infinity<double>();
    const double pi_low = 1.2246467991473532072e-16;
    if (is_any_nan(z)) return complex_nan();
    if (z.im == 0) return cdouble(wrightomega(z.re), z.im);
    if (!is_all_finite(z)) {
        if (z.re != -inf || without_sign(z.im) > pi || without_sign(z.im) == inf)
            return z;
        const bool right = without_sign(z.im) <= 0.5 * pi;
        return cdouble(right ? 0.0 : -0.0, z.im >= 0 ? 0.0 : -0.0);
    }
    /* what it is beyond the branch point -1 + i pi, or -1 - i pi; the line from there to the
     * left belongs to what is below it, and the double nearest to pi counts as pi */
    const bool above = z.im > 0;
    const double height = above ? (z.im - pi) - pi_low : (z.im + pi) + pi_low;
    const cdouble from(z.re + 1, without_sign(z.im) == pi ? -0.0 : height);
    const bool inside = above ? from.im <= 0 : from.im > 0;
    cdouble w;
    const double distance = sum_of_parts(from);
    if (distance < 1.7 && from.re < 0.5 && !(inside && z.re < -1.7)) {
        /* p of W's series, which is cut to the left: e exp(z) + 1 is 1 - exp(from) */
        const cdouble root = in_double::sqrt(times(2, in_double::expm1(from)));
        w = lambert_series(times(above ? 1 : -1, turned(root)),
                           distance < 0.1 ? 25 : 5);
        if (distance < 0.01) return w;
    } else if (inside && z.re < -1) {
        const cdouble y = in_double::exp(z);
        if (z.re < -36) return y;
        w = over(y, plus(cdouble(1, 0), y));
    } else if (z.re * z.re + z.im * z.im > 6) {
        const cdouble l = in_double::log(z);
        w = plus(minus(z, l), over(l, z));
    } else {
        w = winitzki(in_double::log1p(in_double::exp(z)));
    }
    for (int i = 0; i < 12; i++) {
        const cdouble l = in_double::log(w);
        const cdouble r(z.re - w.re - l.re, within_turn(z.im - w.im - l.im));
        const cdouble step = lambert_step(w, r);
        w = plus(w, times(w, step));
        if (sum_of_parts(step) < 1e-5) break;
    }
    return w;
}

} /* namespace elementary */

using elementary::lambertw;
using elementary::wide;
using elementary::wrightomega;

CUPRIC_END

#endif
