/* special/bessel_complex_large.hpp: the modified Bessel functions I and K of complex
 * argument w, Re w >= 0, by expansions that are uniform in the order: Debye's, and
 * where order and argument are close, near the turning points +-iv, that by Airy
 * functions.
 */
#ifndef CUPRIC_SPECIAL_BESSEL_COMPLEX_LARGE_HPP
#define CUPRIC_SPECIAL_BESSEL_COMPLEX_LARGE_HPP

#include "cupric/special/airy.hpp"

CUPRIC_BEGIN

namespace complex_bessel {

/* I = i exp(high + low), K = k exp(-high - low); rest = high + low - w. */
struct modified {
    complex128 i, k, high, low, rest;
};

/* The root s of v**2 + w**2, and what Debye's exponent s + v log(w / (v + s))
 * exceeds w by. */
struct debye_point {
    complex128 root, rest;
};

CUPRIC_APART debye_point
debye_at(double v, complex128 w)
{
    const double a = elementary::without_sign(w.re), b = elementary::without_sign(w.im);
    const double larger = a > b ? a : b, most = v > larger ? v : larger;
    const double scale = 1 / most;
    const complex128 under((v - b) * scale, a * scale),
        over((v + b) * scale, -a * scale);
    complex128 s = root_of(under * over);
    s = complex128(most * s.re, w.im > 0 ? most * elementary::without_sign(s.im)
                                         : -most * elementary::without_sign(s.im));
    if (w.im == 0) s.im = 0;
    const complex128 difference = times(v, complex128(v) / (w + s));
    if (larger > 2 * v) { /* of log(1 + x) with a small x */
        const complex128 x = (complex128(v) + difference) / w;
        return {s, difference - times(v, in_double::log1p(x))};
    }
    return {s, difference + times(v, log_of(w / (complex128(v) + s)))};
}

/* The sums of u_k(p) / v**k and of (-1)**k u_k(p) / v**k, p = v / s:
 * https://dlmf.nist.gov/10.41. */
CUPRIC_APART void
debye_sums(double v, complex128 s, complex128 *of_k, complex128 *of_i)
{
    const complex128 over = complex128(1) / s, p = times(v, over), square = p * p;
    complex128 power = over, even(1), odd(0);
    int at = 0;
    for (int k = 1; k <= 17; k++) {
        complex128 sum(debye_coefficient(at++));
        for (int j = 0; j < k; j++)
            sum = sum * square + complex128(debye_coefficient(at++));
        sum = sum * power;
        if (k & 1)
            odd += sum;
        else
            even += sum;
        if (sum_of_sizes(sum) <= 1e-17) break;
        power = power * over;
    }
    *of_i = even + odd;
    *of_k = even - odd;
}

/* What I has besides, where w is beyond the turning point: (i / pi) exp(i pi v) K
 * above the real axis, its conjugate below. */
CUPRIC_MATH complex128
second_part(double v, complex128 w, complex128 k, complex128 rest)
{
    const complex128 turn = times_i(quarter_turns(w.im > 0 ? 2 * v : -2 * v));
    const complex128 part = times(w.im > 0 ? 1 / PI() : -1 / PI(), turn * k);
    return times_exp(times_exp(part, times(-2, w)), times(-2, rest));
}

CUPRIC_APART modified
debye(double v, complex128 w, debye_point d)
{
    complex128 of_k, of_i;
    debye_sums(v, d.root, &of_k, &of_i);
    modified m;
    m.high = w;
    m.low = d.rest;
    m.rest = d.rest;
    const complex128 scale = root_of(complex128(HALF_PI()) / d.root);
    m.k = scale * of_k;
    m.i = times(1 / PI(), scale * of_i);
    const double growth = w.re + d.rest.re;
    const double angle = elementary::without_sign(w.im + d.rest.im);
    if (w.im != 0 && angle > v * HALF_PI() && growth > -10 && growth < 20)
        m.i += second_part(v, w, m.k, d.rest);
    return m;
}

CUPRIC_APART modified
hankel(double v, complex128 w)
{
    complex128 of_k, of_i;
    hankel_sums(v, w, &of_k, &of_i);
    modified m;
    m.high = w;
    m.low = m.rest = complex128(0);
    m.k = root_of(complex128(HALF_PI()) / w) * of_k;
    m.i = hankel_i(v, w, of_i, m.k);
    return m;
}

/* h = 3 (atanh(s) - s) / s**3 for s**2. */
CUPRIC_APART complex128
turning_series(complex128 square)
{
    if (square_of_size(square) > 0.04) {
        const complex128 s = root_of(square);
        return times(3, in_double::atanh(s) - s) / (s * square);
    }
    complex128 power(1), sum(1);
    for (int k = 1; k < 30; k++) {
        power = power * square;
        sum += times(3.0 / (2 * k + 3), power);
        if (sum_of_sizes(power) < 1e-17) break;
    }
    return sum;
}

/* The sums of A_k(zeta) / v**2k and B_k(zeta) / v**2k. */
CUPRIC_APART void
uniform_sums(double v, complex128 zeta, complex128 *a, complex128 *b)
{
    const int counts[2][4] = {{1, 25, 20, 13}, {27, 23, 17, 9}};
    const double over = 1 / (v * v);
    complex128 sums[2];
    for (int which = 0; which < 2; which++) {
        int at = 0;
        double power = 1;
        sums[which] = complex128(0);
        for (int k = 0; k < 4; k++) {
            complex128 sum(0);
            for (int j = 0; j < counts[which][k]; j++, at++)
                sum = sum * zeta + complex128(which ? uniform_b(at) : uniform_a(at));
            sums[which] += times(power, sum);
            power *= over;
        }
    }
    *a = sums[0];
    *b = sums[1];
}

/* Near the turning point -iv, so that u = i w is in the first quadrant near v:
 * https://dlmf.nist.gov/10.20. I = exp(-i pi v / 2) J(u), K = (pi i / 2) exp(i pi v
 * / 2) times Hankel's function of the first kind. */
CUPRIC_APART modified
turning_below(double v, complex128 w)
{
    const complex128 u(-w.im, w.re);
    const double scale = 1 / v;
    const complex128 square = times(scale, complex128(v - u.re, -u.im)) *
                              times(scale, complex128(v + u.re, u.im));
    const complex128 log_h = log_of(times(0.5, turning_series(square)));
    const complex128 phi = times_exp(complex128(1), times(1.0 / 6, log_h));
    const complex128 phi_2 = phi * phi;
    complex128 zeta = square * (phi_2 * phi_2);
    zeta.im = -elementary::without_sign(zeta.im);
    const double root = elementary::cbrt(v), factor = 1 / (v * root); /* v**(-4/3) */
    complex128 a, b;
    uniform_sums(v, zeta, &a, &b);
    b = times(factor, b);
    const complex128 x = times(root * root, zeta), third(-0.5, 0.5 * SQRT_3());
    const neighbours j = airy_ai(x), h = airy_ai(third * x);
    const complex128 front = times(1.41421356237309504880 / root, phi);
    const complex128 turn = quarter_turns(v);
    modified m;
    m.i = conjugate(turn) * (front * (j.at * a + j.after * b));
    const complex128 sum = front * (h.at * a + third * h.after * b);
    const complex128 constant(0.5 * SQRT_3() * PI(),
                              0.5 * PI()); /* pi i exp(-pi i / 3) */
    m.k = turn * (constant * sum);
    m.high = m.low = complex128(0);
    m.rest = times(-1, w);
    return m;
}

CUPRIC_APART modified
turning(double v, complex128 w)
{
    if (w.im <= 0) return turning_below(v, w);
    modified m = turning_below(v, conjugate(w));
    m.i = conjugate(m.i);
    m.k = conjugate(m.k);
    m.rest = times(-1, w);
    return m;
}

} /* namespace complex_bessel */

CUPRIC_END

#endif
