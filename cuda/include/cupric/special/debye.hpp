/* special/debye.hpp: Bessel functions of double by Debye's expansions in the reciprocal of
 * sqrt(|x**2 - order**2|), which with their terms kept whole hold for small orders, where
 * they are Hankel's, as for large ones (https://dlmf.nist.gov/10.19, 10.41).
 */
#ifndef CUPRIC_SPECIAL_DEBYE_HPP
#define CUPRIC_SPECIAL_DEBYE_HPP

#include "cupric/special/bessel_small_orders.hpp"

CUPRIC_BEGIN

namespace elementary {

/* A function of the first and one of the second kind, or those of two orders. */
struct bessel_pair {
    double first, second;
};

/* The sums of the terms u_k(t) / order**k with even and with odd k, where t**2 = square and
 * |t| / order = s. Of an imaginary t the odd ones are over i. */
CUPRIC_APART bessel_pair
debye_sums(double square, double s)
{
    const double turned = bits_of(square) >> 63 ? -s : s; /* -0 of order 0, too */
    double even = 1, odd = 0, power = 1;
    for (int k = 1; k <= DEBYE_TERMS; k++) {
        power *= k & 1 ? s : turned;
        const double term = power * debye_polynomial(k, square);
        if (k & 1)
            odd += term;
        else
            even += term;
        if (without_sign(term) < 0x1p-56) break;
    }
    return {even, odd};
}

/* The sine and the cosine of pi x. */
CUPRIC_MATH bessel_pair
sine_and_cosine_of_turns(double x)
{
    const double q = rint(2 * x), r = x - 0.5 * q; /* exact */
    const double angle = 2 * constants<double>::HALF_PI() * r;
    const double s = sin(angle), c = cos(angle);
    const int n = int(q - 4 * floor(0.25 * q));
    const double sine = n & 1 ? c : s, cosine = n & 1 ? s : c;
    return {n & 2 ? -sine : sine, n == 1 || n == 2 ? -cosine : cosine};
}

/* How far order < x is from x, in the phase, or order > x, in the exponent, where the
 * expansions hold from about 25 on. */
CUPRIC_MATH double
debye_distance(double order, double x)
{
    const double s = root(without_sign(x - order)) * root(x + order);
    if (order < x) return s - order * atan2(s, order);
    return order * log1p(((order - x) + s) / x) - s;
}

/* J and Y for order < x: the phase is that of x, less a quarter of a turn for each of the
 * order, less what is small. */
CUPRIC_APART bessel_pair
debye_waves(double order, double x)
{
    const double s = root(x - order) * root(x + order), t = order / s;
    const bessel_pair sums = debye_sums(-(t * t), 1 / s);
    double sine, cosine;
    if (order > 0.8 * x) {
        /* the phase is small beside x */
        const double phase = s - order * atan2(s, order);
        const double angle = phase - 0.5 * constants<double>::HALF_PI();
        sine = sin(angle), cosine = cos(angle);
    } else {
        const double rest = order * atan2(order, s) - order * (order / (x + s));
        const double turn = order - 4 * floor(0.25 * order);
        const double angle = constants<double>::HALF_PI() * (turn + 0.5) - rest;
        const double sx = sin(x), cx = cos(x), sa = sin(angle), ca = cos(angle);
        sine = sx * ca - cx * sa, cosine = cx * ca + sx * sa;
    }
    const double scale = 0.79788456080286535588 / root(s); /* sqrt(2 / (pi s)) */
    return {scale * (cosine * sums.first + sine * sums.second),
            scale * (sine * sums.first - cosine * sums.second)};
}

/* J and Y for order > x. */
CUPRIC_APART bessel_pair
debye_slopes(double order, double x)
{
    const double s = root(order - x) * root(order + x), t = order / s;
    const bessel_pair sums = debye_sums(t * t, 1 / s);
    const double far = debye_distance(order, x);
    const double scale = 0.39894228040143267794 / root(s); /* 1 / sqrt(2 pi s) */
    return {scale * exp(-far) * (sums.first + sums.second),
            -2 * scale * (sums.first - sums.second) * exp(far)};
}

/* The exponent of exp(-x) I. */
CUPRIC_MATH double
modified_exponent(double order, double x, double s)
{
    return order * (order / (s + x)) - order * asinh(order / x);
}

/* exp(-x) I, or I. */
CUPRIC_APART double
debye_i(double order, double x, bool scaled)
{
    const double s = hypot(order, x), t = order / s;
    const bessel_pair sums = debye_sums(t * t, 1 / s);
    const double scale = 0.39894228040143267794 / root(s) * (sums.first + sums.second);
    const double exponent = modified_exponent(order, x, s);
    if (scaled) return scale * exp(exponent);
    if (exponent < -600) return scale * exp(exponent + x);
    const double half = exp(0.5 * x); /* as exp(x) may be infinite */
    return scale * exp(exponent) * half * half;
}

/* exp(x) K, or K. */
CUPRIC_APART double
debye_k(double order, double x, bool scaled)
{
    const double s = hypot(order, x), t = order / s;
    const bessel_pair sums = debye_sums(t * t, 1 / s);
    const double scale = 1.2533141373155002512 / root(s) * (sums.first - sums.second);
    const double exponent = -modified_exponent(order, x, s);
    if (scaled) return scale * exp(exponent);
    if (exponent > 600) return scale * exp(exponent - x);
    const double half = exp(-0.5 * x);
    return scale * exp(exponent) * half * half;
}

} /* namespace elementary */
CUPRIC_END

#endif
