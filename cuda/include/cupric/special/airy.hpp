/* special/airy.hpp: the Airy functions of complex argument, by K and I of the orders
 * 1/3 and 2/3: https://dlmf.nist.gov/9.6.
 */
#ifndef CUPRIC_SPECIAL_AIRY_HPP
#define CUPRIC_SPECIAL_AIRY_HPP

#include "cupric/special/airy_real.hpp"
#include "cupric/special/bessel_complex_small.hpp"

CUPRIC_BEGIN

namespace complex_bessel {

CUPRIC_MATH constexpr double
SQRT_3()
{
    return 1.73205080756887729353;
}

/* I exp(-w) and K exp(w) of the orders 1/3 and 2/3. */
struct of_thirds {
    complex128 i1, k1, i2, k2;
};

/* I exp(-w) by Hankel's expansion, whose second part is seen near the imaginary
 * axis. */
CUPRIC_MATH complex128
hankel_i(double v, complex128 w, complex128 sum, complex128 k)
{
    complex128 i = sum / root_of(times(2 * PI(), w));
    if (w.im == 0 || w.re > 20) return i;
    const complex128 turn = times_i(quarter_turns(w.im > 0 ? 2 * v : -2 * v));
    const complex128 part = times(w.im > 0 ? 1 / PI() : -1 / PI(), turn * k);
    return i + times_exp(part, times(-2, w));
}

CUPRIC_APART of_thirds
thirds_far(complex128 w)
{
    const double first = 1.0 / 3, second = 2.0 / 3;
    const complex128 scale = root_of(complex128(HALF_PI()) / w);
    of_thirds r;
    complex128 of_k, of_i;
    hankel_sums(first, w, &of_k, &of_i);
    r.k1 = scale * of_k;
    r.i1 = hankel_i(first, w, of_i, r.k1);
    hankel_sums(second, w, &of_k, &of_i);
    r.k2 = scale * of_k;
    r.i2 = hankel_i(second, w, of_i, r.k2);
    return r;
}

/* I of the order -1/3 is as well a combination of that of 1/3 and K. */
CUPRIC_APART of_thirds
thirds(complex128 w)
{
    const double third = 1.0 / 3;
    if (!(sum_of_sizes(w) < 1e100) || size_of(w) >= 30) return thirds_far(w);
    const neighbours k = k_by_steps(-third, w);
    of_thirds r;
    r.k1 = k.at;
    r.k2 = k.after;
    const complex128 scale = times_exp(complex128(1), times(-1, w));
    if (size_of(w) < 1.6) {
        r.i1 = scale * i_by_series(third, w);
        r.i2 = scale * i_by_series(2 * third, w);
        return r;
    }
    const complex128 ratio = ratio_of_i(-third, w);
    const complex128 i = complex128(1) / (w * (k.after + ratio * k.at));
    r.i1 = i - times(SQRT_3() / PI(), k.at * (scale * scale));
    r.i2 = ratio * i;
    return r;
}

/* All by the power series of the two solutions, for |z| of about 1. */
CUPRIC_APART airy_functions<complex128>
airy_near(complex128 z)
{
    const double ai = 0.355028053887817239260, ai_slope = -0.258819403792806798405;
    const complex128 cube = z * z * z;
    complex128 a(1), b = z, sum_a(1), sum_b = z;
    complex128 da = times(0.5, z * z), db(1), slope_a = da, slope_b(1);
    for (int k = 3; k < 75; k += 3) {
        a = times(1.0 / (k * (k - 1)), a * cube);
        b = times(1.0 / (k * (k + 1)), b * cube);
        da = times(1.0 / (k * (k + 2)), da * cube);
        db = times(1.0 / (k * (k - 2)), db * cube);
        sum_a += a;
        sum_b += b;
        slope_a += da;
        slope_b += db;
        if (sum_of_sizes(a) + sum_of_sizes(db) <= 1e-17) break;
    }
    airy_functions<complex128> r;
    const complex128 first = times(ai, sum_a), second = times(ai_slope, sum_b);
    const complex128 first_slope = times(ai, slope_a);
    const complex128 second_slope = times(ai_slope, slope_b);
    r.ai = first + second;
    r.ai_slope = first_slope + second_slope;
    r.bi = times(SQRT_3(), first - second);
    r.bi_slope = times(SQRT_3(), first_slope - second_slope);
    return r;
}

/* 2/3 z**(3/2) */
CUPRIC_MATH complex128
airy_exponent(complex128 z, complex128 root)
{
    return times(2.0 / 3, z * root);
}

/* Whether x of z above the real axis is beyond the imaginary axis, as far as its
 * lower half. */
CUPRIC_MATH bool
is_left(complex128 x)
{
    return x.re < 0 || x.im < 0;
}

/* The four for Im z >= 0, Ai and its derivative times exp(x), Bi and its derivative
 * times exp(-shift), x = 2/3 z**(3/2). K and I of x left of the imaginary axis are
 * continued from w = -x, as far as the negative axis of z: K(x) = exp(-i pi v) K(w)
 * - i pi I(w). */
CUPRIC_APART airy_functions<complex128>
airy_far(complex128 z, complex128 root, complex128 x, double shift)
{
    const bool left = is_left(x);
    const complex128 w = left ? times(-1, x) : x;
    const of_thirds f = thirds(w);
    const complex128 scale = times(1 / SQRT_3(), root), slope = times(1 / SQRT_3(), z);
    airy_functions<complex128> r;
    const complex128 up(w.re - shift, w.im), down(-w.re - shift, -w.im);
    const double over = 1 / PI();
    if (!left) {
        const complex128 k1 = times(SQRT_3() / PI(), f.k1);
        const complex128 k2 = times(SQRT_3() / PI(), f.k2);
        r.ai = times(over, scale * f.k1);
        r.ai_slope = times(-over, slope * f.k2);
        r.bi = times_exp(times(2, scale * f.i1), up) + times_exp(scale * k1, down);
        r.bi_slope = times_exp(times(2, slope * f.i2), up);
        r.bi_slope += times_exp(slope * k2, down);
        return r;
    }
    const complex128 turn1(0.5, -0.5 * SQRT_3()), turn2(-0.5, -0.5 * SQRT_3());
    const complex128 k1 = turn1 * f.k1, k2 = turn2 * f.k2, twice = times(-2, w);
    r.ai = scale * (times_exp(times(over, k1), twice) - times_i(f.i1));
    r.ai_slope = slope * (times_i(f.i2) - times_exp(times(over, k2), twice));
    const double part = SQRT_3() / PI();
    r.bi = times_exp(scale * f.i1, up) + times_exp(times(part, scale * k1), down);
    r.bi_slope = times_exp(times(part, slope * k2), down);
    r.bi_slope -= times_exp(slope * f.i2, up);
    return r;
}

CUPRIC_MATH bool
is_near_airy(complex128 z, complex128 x)
{
    const double size = sum_of_sizes(z);
    if (size > 4) return false;
    const double square = square_of_size(z);
    return square <= 1 || (is_left(x) && square <= 4.4);
}

/* Ai(z) and its derivative, where neither overflows. */
CUPRIC_APART neighbours
airy_ai(complex128 z)
{
    const bool below = z.im < 0;
    const complex128 u(z.re, elementary::without_sign(z.im));
    const complex128 root = root_of(u), x = airy_exponent(u, root);
    neighbours r;
    if (is_near_airy(u, x)) {
        const airy_functions<complex128> f = airy_near(u);
        r = {f.ai, f.ai_slope};
    } else {
        const bool left = is_left(x);
        const complex128 w = left ? times(-1, x) : x;
        const complex128 scale = times(1 / SQRT_3(), root);
        const complex128 slope = times(1 / SQRT_3(), u), minus = times(-1, w);
        const of_thirds f = thirds(w);
        const complex128 turn1(0.5, -0.5 * SQRT_3()), turn2(-0.5, -0.5 * SQRT_3());
        const complex128 k1 = left ? turn1 * f.k1 : f.k1,
                         k2 = left ? turn2 * f.k2 : f.k2;
        r.at = times_exp(times(1 / PI(), scale * k1), minus);
        r.after = times_exp(times(-1 / PI(), slope * k2), minus);
        if (left) {
            r.at -= times_exp(times_i(scale * f.i1), w);
            r.after += times_exp(times_i(slope * f.i2), w);
        }
    }
    if (below) r = {conjugate(r.at), conjugate(r.after)};
    return r;
}

} /* namespace complex_bessel */

/* The four; scaled: Ai and its derivative times exp(x), x = 2/3 z**(3/2), Bi and its
 * derivative times exp(-|Re x|). The root's cut is seen in what is scaled alone. */
CUPRIC_APART airy_functions<complex128>
airy_of(complex128 z, bool scaled)
{
    using namespace complex_bessel;
    const double nan = elementary::nan<double>();
    const complex128 no(nan, nan);
    if (!(sum_of_sizes(z) < 1e100)) return {no, no, no, no};
    if (z.im == 0 && (!scaled || z.re >= 0)) {
        const airy_functions<double> f = airy_of(z.re, scaled);
        return {f.ai, f.ai_slope, f.bi, f.bi_slope};
    }
    const complex128 u(z.re, elementary::without_sign(z.im));
    const complex128 root = root_of(u), x = airy_exponent(u, root);
    const double shift = elementary::without_sign(x.re);
    airy_functions<complex128> r;
    if (is_near_airy(u, x)) {
        r = airy_near(u);
        if (scaled) {
            const complex128 down(-shift);
            r = {times_exp(r.ai, x), times_exp(r.ai_slope, x), times_exp(r.bi, down),
                 times_exp(r.bi_slope, down)};
        }
    } else {
        r = airy_far(u, root, x, scaled ? shift : 0);
        const complex128 back = times(-1, x);
        if (!scaled) {
            r.ai = times_exp(r.ai, back);
            r.ai_slope = times_exp(r.ai_slope, back);
        }
    }
    if (u.im == 0) r.bi.im = r.bi_slope.im = 0;
    if (!(scaled ? sign_bit(z.im) : z.im < 0)) return r;
    return {conjugate(r.ai), conjugate(r.ai_slope), conjugate(r.bi),
            conjugate(r.bi_slope)};
}

CUPRIC_END

#endif
