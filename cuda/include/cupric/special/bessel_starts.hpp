/* special/bessel_starts.hpp: Bessel functions of double of an order from -1/2 to 1/2 and of
 * the next one, for x below 30, from which bessel_orders.hpp goes up.
 */
#ifndef CUPRIC_SPECIAL_BESSEL_STARTS_HPP
#define CUPRIC_SPECIAL_BESSEL_STARTS_HPP

#include "cupric/special/debye.hpp"

CUPRIC_BEGIN

namespace elementary {

/* The first terms of N. M. Temme's series for m, |m| <= 1/2: f, p and q, of which those of
 * the modified functions are pi / 2 times those of the others. */
struct temme_terms {
    double f, p, q;
};

CUPRIC_APART temme_terms
temme_start(double m, double x)
{
    const double s = m * m, half = constants<double>::HALF_PI();
    const double difference = temme_difference(s), sum = temme_sum(s);
    const double angle = 2 * half * m, log_of = 0.69314718055994530942 - log(x),
                 power = m * log_of;
    const double up = exp(power), down = exp(-power);
    const double over = angle == 0 ? 1 : angle / sin(angle);
    const double even = 0.5 * (up + down);
    const double odd = power == 0 ? 1 : sinh(power) / power;
    const double f = over * (even * difference + odd * log_of * sum);
    return {f, 0.5 * up / (sum - m * difference), 0.5 * down / (sum + m * difference)};
}

/* Y of the orders m and m + 1, for x < 2, where the series of J is enough. */
CUPRIC_APART bessel_pair
temme_y(double m, double x)
{
    const double two_over_pi = 0.63661977236758134308, s = 0.25 * x * x;
    temme_terms t = temme_start(m, x);
    const double sine = sin(constants<double>::HALF_PI() * m);
    /* 2 / m sin(m pi / 2)**2 */
    const double more = m == 0 ? 0 : 2 * sine / m * sine;
    /* f, as of the modified functions, is larger by pi / 2; p and q by that, too */
    double power = 1, sum = 0, sum_1 = 0;
    for (int k = 0; k < 40; k++) {
        if (k > 0) {
            t.f = (k * t.f + t.p + t.q) / (k * k - m * m);
            t.p /= k - m;
            t.q /= k + m;
            power *= -s / k;
        }
        const double g = power * (t.f + more * t.q), h = power * t.p - k * g;
        sum += g;
        sum_1 += h;
        if (without_sign(g) <= 0x1p-56 * without_sign(sum) &&
            without_sign(h) <= 0x1p-56 * without_sign(sum_1))
            break;
    }
    return {-two_over_pi * sum, -two_over_pi * (2 / x) * sum_1};
}

/* K of the orders m and m + 1, for x <= 2. */
CUPRIC_APART bessel_pair
temme_k(double m, double x)
{
    const double s = 0.25 * x * x;
    temme_terms t = temme_start(m, x);
    double power = 1, sum = 0, sum_1 = 0;
    for (int k = 0; k < 40; k++) {
        if (k > 0) {
            t.f = (k * t.f + t.p + t.q) / (k * k - m * m);
            t.p /= k - m;
            t.q /= k + m;
            power *= s / k;
        }
        sum += power * t.f;
        const double h = power * (t.p - k * t.f);
        sum_1 += h;
        if (without_sign(power * t.f) <= 0x1p-56 * without_sign(sum) &&
            without_sign(h) <= 0x1p-56 * without_sign(sum_1))
            break;
    }
    return {sum, 2 / x * sum_1};
}

/* K of the orders m and m + 1 by the trapezoidal rule for the integral of
 * exp(-x cosh(t)) cosh(m t) over t > 0 (https://dlmf.nist.gov/10.32.9), whose error decreases
 * with exp(-pi**2 / step), for 2 < x < 30. */
CUPRIC_APART bessel_pair
k_by_integral(double m, double x, bool scaled)
{
    const double step = 9.8 / (38 + x);
    /* cosh(t) = 1 + 2 sinh(t / 2)**2; sines of neighbours are recurrent */
    const double c = 2 * cosh(0.5 * step), e = exp(m * step), f = 1 / e;
    double s = sinh(0.5 * step), before = 0, up = 1, down = 1;
    double sum = 0.5, sum_1 = 0.5;
    for (int k = 1; k < 40; k++) {
        up *= e;
        down *= f;
        const double rest = 2 * s * s, far = x * rest;
        if (far > 44) break;
        const double part = 0.5 * exp(-far);
        const double even = up + down, odd = up - down;
        /* sinh(t) = 2 sinh(t / 2) cosh(t / 2) */
        const double sine = 2 * s * root(1 + s * s);
        sum += part * even;
        sum_1 += part * (even * (1 + rest) + odd * sine);
        const double next = c * s - before;
        before = s;
        s = next;
    }
    const double scale = scaled ? step : step * exp(-x);
    return {scale * sum, scale * sum_1};
}

/* K of the orders m and m + 1, times exp(x) if `scaled`. */
CUPRIC_APART bessel_pair
modified_start(double m, double x, bool scaled)
{
    if (m == 0) {
        if (scaled) return {k0e(x), k1e(x)};
        return {k0(x), k1(x)};
    }
    if (x > 2) return k_by_integral(m, x, scaled);
    const bessel_pair k = temme_k(m, x);
    const double scale = scaled ? exp(x) : 1;
    return {scale * k.first, scale * k.second};
}

/* A complex number. */
struct bessel_complex {
    double real, imag;
};

/* (J + i Y)' / (J + i Y) of order m, |m| <= 1/2, for x >= 2: by the decaying solution k_n of
 * the recurrence of Temme's second paper, of which K is the first number, down from where it
 * is nothing; J + i Y is K of -i x. */
CUPRIC_APART bessel_complex
bessel_slope(double m, double x)
{
    /* of half an odd number the first is all */
    const int last = without_sign(m) == 0.5 ? 0 : 6 + int(85 / x) + int(6 / root(x));
    double ar = 0, ai = 0, r = 0x1p-400, i = 0;
    for (int n = last; n > 0; n--) {
        const double c = n / ((n - 0.5 - m) * (n - 0.5 + m)), e = n + 1;
        const double br = (2 * (n * r + x * i) - e * ar) * c;
        const double bi = (2 * (n * i - x * r) - e * ai) * c;
        ar = r, ai = i;
        r = br, i = bi;
    }
    /* q = k_1 / k_0; H of m + 1 is H of m times (m + 1/2 - i x - q) / x */
    const double size = 1 / (r * r + i * i);
    const double qr = (ar * r + ai * i) * size, qi = (ai * r - ar * i) * size;
    return {(qr - 0.5) / x, (qi + x) / x};
}

} /* namespace elementary */
CUPRIC_END

#endif
