/* special/bessel_complex.hpp: Bessel functions of real order and complex argument, and
 * Airy functions, rows of ops/special/bessel_complex.def. Those of complex<float> are
 * the same, rounded; those of real argument are in bessel_orders.hpp.
 *
 * All are combinations of the modified functions I and K of an order v >= 0 and an
 * argument w in the right half plane: https://dlmf.nist.gov/10.27, 10.34. Which method
 * computes those depends on v and w; D. E. Amos, "Algorithm 644: a portable package for
 * Bessel functions of a complex argument and nonnegative order", ACM Transactions on
 * Mathematical Software 12 (1986), divides the plane likewise.
 */
#ifndef CUPRIC_SPECIAL_BESSEL_COMPLEX_HPP
#define CUPRIC_SPECIAL_BESSEL_COMPLEX_HPP

#include "cupric/special/bessel.hpp"
#include "cupric/special/bessel_complex_large.hpp"

CUPRIC_BEGIN

namespace complex_bessel {

/* Which of I and K is asked for. */
enum { OF_I = 1, OF_K = 2 };

/* Where I and K leave what a double holds, or nearly so: there the first terms of their
 * power series are all. w / 2 = m 2**e. */
CUPRIC_APART modified
first_terms(double v, complex128 w)
{
    const double a = elementary::without_sign(w.re), b = elementary::without_sign(w.im);
    int e;
    frexp(a > b ? a : b, &e);
    const complex128 m(ldexp(w.re, -e), ldexp(w.im, -e));
    const complex128 power = power_of(m, v), square = times(0.25, w * w);
    const complex128 i = square + times(0.5 / (v + 2), square * square);
    complex128 k(1);
    if (v > 4) k += times(1 / (1 - v), square + times(0.5 / (2 - v), square * square));
    modified r;
    r.high = complex128(v * (e - 1) * LN2() - gammaln(v + 1));
    r.low = complex128(0);
    r.rest = r.high - w;
    r.i = power * (complex128(1) + times(1 / (v + 1), i));
    r.k = times(0.5 / v, k / power);
    return r;
}

CUPRIC_MATH bool
is_extreme(double v, double size)
{
    if (size >= 1 || v < 0.25) return false;
    if (size < 1e-290) return true;
    return v * (LN2() - in_double::log(size)) > 485; /* 2**700 */
}

/* Of orders below 60, and arguments that are not large. */
CUPRIC_APART modified
by_steps(double v, complex128 w, int which)
{
    modified m;
    m.low = m.rest = complex128(0);
    m.high = w;
    m.i = m.k = complex128(0);
    const bool is_small = square_of_size(w) <= 4 * (v + 1);
    if (which == OF_I && is_small) {
        m.i = i_by_series(v, w);
        m.high = complex128(0);
        m.rest = times(-1, w);
        return m;
    }
    const neighbours k = k_by_steps(v, w);
    m.k = k.at;
    if (!(which & OF_I)) return m;
    if (is_small)
        m.i = times_exp(i_by_series(v, w), times(-1, w));
    else
        m.i = complex128(1) / (w * (k.after + ratio_of_i(v, w) * k.at));
    return m;
}

/* I and K of v >= 0 and w != 0, Re w >= 0. */
CUPRIC_APART modified
modified_at(double v, complex128 w, int which)
{
    const double a = elementary::without_sign(w.re), b = elementary::without_sign(w.im);
    const double larger = a > b ? a : b;
    const double size = larger < 1e150 && larger > 1e-150 ? size_of(w) : larger;
    if (v < 60) {
        if (is_extreme(v, size)) return first_terms(v, w);
        if (size < 30) return by_steps(v, w, which);
    }
    if (size >= 30 && size >= 0.5 * v * v) return hankel(v, w);
    const debye_point d = debye_at(v, w);
    const double turn = w.im > 0 ? -v * HALF_PI() : v * HALF_PI();
    const complex128 from_turning(w.re + d.rest.re, w.im + d.rest.im + turn);
    if (sum_of_sizes(from_turning) > 50 || square_of_size(from_turning) >= 900)
        return debye(v, w, d);
    if (v < 60) return by_steps(v, w, which);
    return turning(v, w);
}

/* What a result is multiplied by: 1, exp(-Re w), exp(-w), exp(w). The last is only
 * for K. */
enum scaling { UNSCALED, BY_SIZE, DOWN, UP };

/* a I + b K, scaled. */
CUPRIC_APART complex128
combined(double v, complex128 w, complex128 a, complex128 b, scaling scale)
{
    const bool of_i = a.re != 0 || a.im != 0, of_k = b.re != 0 || b.im != 0;
    const modified m = modified_at(v, w, (of_i ? OF_I : 0) | (of_k ? OF_K : 0));
    const double shift = scale == BY_SIZE ? w.re : 0;
    complex128 result(0);
    if (of_i) {
        const complex128 i = a * m.i;
        if (scale == DOWN) {
            result = times_exp(i, m.rest);
        } else {
            const complex128 e((m.high.re - shift) + m.low.re, m.high.im);
            result = times_exp(times_exp(i, complex128(0, m.low.im)), e);
        }
    }
    if (of_k) {
        const complex128 k = b * m.k;
        if (scale == UP) return times_exp(k, times(-1, m.rest));
        if (scale == DOWN)
            return result + times_exp(times_exp(k, times(-2, w)), times(-1, m.rest));
        const complex128 e(-m.high.re - m.low.re - shift, -m.high.im);
        result += times_exp(times_exp(k, complex128(0, -m.low.im)), e);
    }
    return result;
}

CUPRIC_MATH complex128
not_a_complex_number()
{
    return complex128(elementary::nan<double>(), elementary::nan<double>());
}

CUPRIC_MATH bool
is_ordinary(double v, complex128 z)
{
    return elementary::without_sign(v) + sum_of_sizes(z) * 0.25 <
           elementary::infinity<double>();
}

/* J or I at 0. */
CUPRIC_MATH complex128
first_at_zero(double v)
{
    if (v == 0) return complex128(1);
    if (v > 0 || v == ::rint(v)) return complex128(0);
    return not_a_complex_number();
}

/* The result for z, that of a number without a sign of its imaginary part given:
 * real on the positive axis, conjugate below the real one. */
CUPRIC_MATH complex128
on_its_side(complex128 z, complex128 result)
{
    if (z.im == 0 && z.re > 0) return complex128(result.re, 0);
    return z.im < 0 ? conjugate(result) : result;
}

CUPRIC_MATH complex128
above(complex128 z)
{
    return complex128(z.re, elementary::without_sign(z.im));
}

CUPRIC_MATH complex128
i_function(double v, complex128 z, bool scaled)
{
    if (!is_ordinary(v, z)) return not_a_complex_number();
    if (z.re == 0 && z.im == 0) return first_at_zero(v);
    const double n = elementary::without_sign(v);
    const complex128 u = above(z);
    const bool left = u.re < 0;
    const complex128 turn = left ? quarter_turns(2 * v) : complex128(1);
    const double of_k = v < 0 ? 2 / PI() * quarter_turns(2 * n).im : 0;
    const complex128 w = left ? times(-1, u) : u;
    const scaling scale = scaled ? BY_SIZE : UNSCALED;
    return on_its_side(z, combined(n, w, turn, times(of_k, turn), scale));
}

CUPRIC_MATH complex128
k_function(double v, complex128 z, bool scaled)
{
    if (!is_ordinary(v, z) || (z.re == 0 && z.im == 0)) return not_a_complex_number();
    const double n = elementary::without_sign(v);
    const complex128 u = above(z);
    if (u.re >= 0) {
        const scaling scale = scaled ? UP : UNSCALED;
        return on_its_side(z, combined(n, u, complex128(0), complex128(1), scale));
    }
    const complex128 turn = quarter_turns(-2 * n);
    const scaling scale = scaled ? DOWN : UNSCALED;
    return on_its_side(z, combined(n, times(-1, u), complex128(0, -PI()), turn, scale));
}

/* z above the real axis is i w. */
CUPRIC_MATH complex128
turned(complex128 z)
{
    return complex128(elementary::without_sign(z.im), -z.re);
}

CUPRIC_MATH complex128
j_function(double v, complex128 z, bool scaled)
{
    if (!is_ordinary(v, z)) return not_a_complex_number();
    if (z.re == 0 && z.im == 0) return first_at_zero(v);
    const double n = elementary::without_sign(v);
    const complex128 quarter = quarter_turns(n);
    complex128 of_i = quarter, of_k(0);
    if (v < 0) {
        const complex128 half = quarter_turns(2 * n);
        of_i = conjugate(half) * quarter;
        of_k = times(2 / PI() * half.im, conjugate(quarter));
    }
    const scaling scale = scaled ? BY_SIZE : UNSCALED;
    return on_its_side(z, combined(n, turned(z), of_i, of_k, scale));
}

CUPRIC_MATH complex128
y_function(double v, complex128 z, bool scaled)
{
    if (!is_ordinary(v, z)) return not_a_complex_number();
    const double n = elementary::without_sign(v);
    const complex128 quarter = quarter_turns(n), half = quarter_turns(2 * n);
    const double cosine = v < 0 ? half.re : 1;
    if (z.re == 0 && z.im == 0)
        return complex128(cosine == 0 ? 0 : -elementary::infinity<double>() * cosine);
    complex128 of_i = times_i(quarter);
    if (v < 0) of_i = conjugate(half) * of_i;
    const complex128 of_k = times(-2 / PI() * cosine, conjugate(quarter));
    const scaling scale = scaled ? BY_SIZE : UNSCALED;
    return on_its_side(z, combined(n, turned(z), of_i, of_k, scale));
}

/* Hankel's functions: the first is K above the real axis, and the conjugate of the
 * second below. */
CUPRIC_MATH complex128
hankel_function(double v, complex128 z, bool second, bool scaled)
{
    if (!is_ordinary(v, z) || (z.re == 0 && z.im == 0)) return not_a_complex_number();
    const double n = elementary::without_sign(v);
    const bool below = z.im < 0, grows = second != below;
    const complex128 quarter = quarter_turns(n);
    const complex128 conjugated = conjugate(quarter);
    const double factor = 2 / PI();
    /* -(2 i / pi) exp(-i pi n / 2) */
    complex128 of_k(factor * conjugated.im, -factor * conjugated.re), of_i(0);
    if (grows) {
        of_k = times(-1, of_k);
        of_i = times(2, quarter);
    }
    if (v < 0) {
        const complex128 half = quarter_turns(grows ? -2 * n : 2 * n);
        of_k = of_k * half;
        of_i = of_i * half;
    }
    const scaling scale = scaled ? (grows ? DOWN : UP) : UNSCALED;
    const complex128 result = combined(n, turned(z), of_i, of_k, scale);
    return below ? conjugate(result) : result;
}

} /* namespace complex_bessel */

#define CUPRIC_COMPLEX_BESSEL(name, expression)                                        \
    CUPRIC_APART complex<double> name(double v, complex<double> z)                     \
    {                                                                                  \
        return complex_bessel::expression;                                             \
    }
CUPRIC_COMPLEX_BESSEL(jv, j_function(v, z, false))
CUPRIC_COMPLEX_BESSEL(jve, j_function(v, z, true))
CUPRIC_COMPLEX_BESSEL(yv, y_function(v, z, false))
CUPRIC_COMPLEX_BESSEL(yve, y_function(v, z, true))
CUPRIC_COMPLEX_BESSEL(iv, i_function(v, z, false))
CUPRIC_COMPLEX_BESSEL(ive, i_function(v, z, true))
CUPRIC_COMPLEX_BESSEL(kv, k_function(v, z, false))
CUPRIC_COMPLEX_BESSEL(kve, k_function(v, z, true))
CUPRIC_COMPLEX_BESSEL(hankel1, hankel_function(v, z, false, false))
CUPRIC_COMPLEX_BESSEL(hankel1e, hankel_function(v, z, false, true))
CUPRIC_COMPLEX_BESSEL(hankel2, hankel_function(v, z, true, false))
CUPRIC_COMPLEX_BESSEL(hankel2e, hankel_function(v, z, true, true))
#undef CUPRIC_COMPLEX_BESSEL

/* The four results of an Airy function, of an argument of type A. */
template <class T>
CUPRIC_MATH void
four_of(airy_functions<T> f, T *r, T *s, T *t, T *u)
{
    *r = f.ai;
    *s = f.ai_slope;
    *t = f.bi;
    *u = f.bi_slope;
}

CUPRIC_END

#endif
