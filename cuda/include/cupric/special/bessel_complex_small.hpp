/* special/bessel_complex_small.hpp: the modified Bessel functions I and K of complex
 * argument w, Re w >= 0, of orders below 60 or of arguments that are large beside the
 * order: by power series, continued fractions, recurrences and Hankel's expansions.
 */
#ifndef CUPRIC_SPECIAL_BESSEL_COMPLEX_SMALL_HPP
#define CUPRIC_SPECIAL_BESSEL_COMPLEX_SMALL_HPP

#include "cupric/special/bessel_complex_pieces.hpp"
#include "cupric/special/complex_parts.hpp"

CUPRIC_BEGIN

namespace complex_bessel {

/* K of the orders v and v + 1. */
struct neighbours {
    complex128 at, after;
};

/* 1 / gamma(1 + mu) and 1 / gamma(1 - mu) are even -+ mu odd, |mu| <= 1/2. */
CUPRIC_MATH void
inverse_gammas(double mu, double *even, double *odd)
{
    const double s = mu * mu;
    *even = inverse_gamma_even(0);
    *odd = inverse_gamma_odd(0);
    for (int k = 1; k < 12; k++) {
        *even = *even * s + inverse_gamma_even(k);
        *odd = *odd * s + inverse_gamma_odd(k);
    }
}

/* sinh(z) / z, the exponentials of z and -z given. */
CUPRIC_MATH complex128
sinh_over(complex128 z, complex128 power, complex128 inverse_power)
{
    if (sum_of_sizes(z) > 0.5) return times(0.5, power - inverse_power) / z;
    const complex128 s = z * z;
    complex128 sum(1.0 / 6227020800);
    const double c[] = {1.0 / 39916800, 1.0 / 362880, 1.0 / 5040,
                        1.0 / 120,      1.0 / 6,      1};
    for (int k = 0; k < 6; k++) sum = sum * s + complex128(c[k]);
    return sum;
}

/* K of orders mu, |mu| <= 1/2, and mu + 1 times exp(w), for small w: N. M. Temme,
 * "On the numerical evaluation of the modified Bessel function of the third kind",
 * Journal of Computational Physics 19 (1975). */
CUPRIC_APART neighbours
k_by_series(double mu, complex128 w)
{
    double even, odd;
    inverse_gammas(mu, &even, &odd);
    const double plus = even - mu * odd, minus = even + mu * odd;
    const complex128 log_half = log_of(w) - complex128(LN2());
    const complex128 l(-log_half.re, -log_half.im), sigma = times(mu, l);
    const complex128 power = times_exp(complex128(1), sigma);
    const complex128 inverse_power = complex128(1) / power;
    const complex128 cosh = times(0.5, power + inverse_power);
    const complex128 sinh = sinh_over(sigma, power, inverse_power);
    complex128 f = times(odd, cosh) + times(even, sinh * l);
    f = times(1 / (plus * minus), f);
    complex128 p = times(0.5 / plus, power), q = times(0.5 / minus, inverse_power);
    const complex128 square = times(0.25, w * w);
    complex128 c(1), sum = f, after = p;
    for (int k = 1; k < 30; k++) {
        const double over = 1 / (k * k - mu * mu);
        f = times(over, times(k, f) + p + q);
        p = times(over * (k + mu), p);
        q = times(over * (k - mu), q);
        c = times(1.0 / k, c * square);
        const complex128 a = c * f, b = c * (p - times(k, f));
        sum += a;
        after += b;
        if (sum_of_sizes(a) + sum_of_sizes(b) <= 1e-17 * sum_of_sizes(sum)) break;
    }
    const complex128 scale = times_exp(complex128(1), w);
    return {scale * sum, scale * (after / times(0.5, w))};
}

/* The same for others. K is a confluent hypergeometric function U(mu + 1/2 + n, 2 mu
 * + 1, 2 w) for n = 0; as n grows, that is the smallest solution of its recurrence,
 * and (2 w)**(-mu - 1/2) the sum of (mu + 1/2)_n (1/2 - mu)_n / n! times it. So a
 * backward recurrence has the ratios of neighbours, by which the sum is a product of
 * products (J. C. P. Miller's method). It starts with what the ratio and the sum are
 * like for large n. */
CUPRIC_APART neighbours
k_by_fraction(double mu, complex128 w)
{
    const double square = mu * mu;
    const int count = 6 + int(360 / (size_of(w) + w.re));
    double half = count + 0.5;
    complex128 t = w + complex128(count + 1.0);
    complex128 g = t - root_of(t * t - complex128(half * half - square));
    complex128 sum = inverse(complex128(1) - times(1.0 / (count + 1), g));
    for (int n = count; n > 0; n--) {
        half = n - 0.5;
        const complex128 under(2 * (n + w.re) - g.re, 2 * w.im - g.im);
        g = times(half * half - square, inverse(under));
        sum = complex128(1) + times(1.0 / n, g * sum);
    }
    const complex128 over = complex128(1) / w;
    const complex128 at = root_of(times(HALF_PI(), over)) * inverse(sum);
    return {at, at * over * (complex128(mu + 0.5) + w - g)};
}

/* K of orders v and v + 1 times exp(w), 0 <= v < 60 or -1/2 <= v, by steps from
 * |mu| <= 1/2; K grows with the order, so that errors do not. */
CUPRIC_APART neighbours
k_by_steps(double v, complex128 w)
{
    const double whole = ::rint(v), mu = v - whole;
    const bool is_near = size_of(w) + w.re <= 4;
    neighbours k = is_near ? k_by_series(mu, w) : k_by_fraction(mu, w);
    const complex128 twice = complex128(2) / w;
    for (int n = 1; n <= int(whole); n++) {
        const complex128 next = times(mu + n, twice) * k.after + k.at;
        k.at = k.after;
        k.after = next;
    }
    return k;
}

/* I by its power series, |w|**2 <= 4 (v + 1), where no digits cancel. */
CUPRIC_APART complex128
i_by_series(double v, complex128 w)
{
    const complex128 square = times(0.25, w * w);
    complex128 term(1), sum(1);
    for (int k = 1; k < 60; k++) {
        term = times(1 / (k * (v + k)), term * square);
        sum += term;
        if (sum_of_sizes(term) <= 1e-17) break;
    }
    return times(1 / gamma(v + 1), power_of(times(0.5, w), v) * sum);
}

/* I(v + 1) / I(v) by its continued fraction, https://dlmf.nist.gov/10.33: numerators
 * and denominators follow from the two before without a division. Those of the
 * fractions differ by one over the product of two denominators. */
CUPRIC_APART complex128
ratio_of_i(double v, complex128 w)
{
    const complex128 twice = complex128(2) / w;
    complex128 a0(1), a1(0), b0(0), b1(1);
    for (int n = 1; n < 400; n++) {
        const complex128 step = times(v + n, twice);
        const complex128 a = step * a1 + a0, b = step * b1 + b0;
        a0 = a1, a1 = a;
        b0 = b1, b1 = b;
        if (sum_of_sizes(a) * sum_of_sizes(b0) > 1e18) break;
    }
    return a1 / b1;
}

/* Sums of Hankel's expansions of K and I, https://dlmf.nist.gov/10.40, for |w| >= 30
 * and v**2 / 2. */
CUPRIC_APART void
hankel_sums(double v, complex128 w, complex128 *of_k, complex128 *of_i)
{
    const double square = v * v;
    const complex128 over = complex128(1) / w;
    complex128 term(1), even(1), odd(0);
    for (int k = 1; k < 60; k += 2) {
        const double first = k - 0.5, second = k + 0.5;
        term = times((square - first * first) / (2 * k), term * over);
        odd += term;
        term = times((square - second * second) / (2 * k + 2), term * over);
        even += term;
        if (sum_of_sizes(term) <= 1e-17) break;
    }
    *of_k = even + odd;
    *of_i = even - odd;
}

} /* namespace complex_bessel */

CUPRIC_END

#endif
