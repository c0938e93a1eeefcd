/* special/wright.hpp: Wright's generalized Bessel function and its logarithm.
 *
 *     Phi(a, b; x) = sum over k of x**k / (k! gamma(a k + b)),   a, b, x >= 0
 *
 * All terms are positive, and their logarithms are concave in k: the sum begins at the
 * largest and goes on to both sides. Where that is a wide bell, few points of it suffice:
 * sums over k and over each n-th k are the same integral, but for exp(-2 (pi sigma / n)**2)
 * (the trapezoidal rule: L. N. Trefethen and J. A. C. Weideman, SIAM Review 56 (2014), 385).
 */
#ifndef CUPRIC_SPECIAL_WRIGHT_HPP
#define CUPRIC_SPECIAL_WRIGHT_HPP

#include "cupric/special/gamma_complex.hpp"

CUPRIC_BEGIN

namespace elementary {

/* log(gamma(z)), z > 0. */
CUPRIC_MATH words<double>
gammaln_in_words(double z)
{
    if (z >= 4) return stirling<false>(z, logarithm_of(z));
    if (z < 1e-300) return {-log(z), 0};
    return logarithm_of(gamma(z)).value;
}

/* The logarithm of a term. */
CUPRIC_APART words<double>
wright_term(double a, double b, words<double> of_x, double k)
{
    const words<double> p = exact_product(a, k), z = exact_sum(p.hi, b);
    if (!(z.hi > 0) || z.hi > 1e300) return {-infinity<double>(), 0};
    const words<double> below = gammaln_in_words(z.hi), of_k = gammaln_in_words(k + 1);
    /* what a k + b loses when it is rounded counts times the derivative */
    const double lost = z.hi < 4 ? 0 : (z.lo + p.lo) * log(z.hi - 0.5);
    const words<double> power = words_product(of_x, k);
    const words<double> s = exact_sum(power.hi, -of_k.hi),
                        t = exact_sum(s.hi, -below.hi);
    const double low = s.lo + t.lo + power.lo - of_k.lo - below.lo - lost;
    return ordered_sum(t.hi, low);
}

/* Where terms are largest, nearly: log(k + 1/2) + a log(a k + b - 1/2) = log(x), by Newton's
 * method for u = log(k + 1/2), in an interval that is halved where a step leaves it. */
CUPRIC_APART double
wright_peak(double a, double b, double log_x)
{
    const double guess = (log_x - a * log(a)) / (1 + a);
    double low = -0.7, high = 700, u = guess < 1 ? 1 : guess > high ? high : guess;
    for (int i = 0; i < 100; i++) {
        const double e = exp(u), z = a * (e - 0.5) + b - 0.5, above = z < 0.1 ? 0.1 : z;
        const double left = u + a * log(above) - log_x;
        (left < 0 ? low : high) = u;
        const double step = left / (1 + (z < 0.1 ? 0 : a / above * (a * e)));
        if (without_sign(step) < 1e-9 || high - low < 1e-9) break;
        const double next = u - step;
        u = next > low && next < high ? next : 0.5 * (low + high);
    }
    const double k = rint(exp(u) - 0.5), least = b == 0 ? 1 : 0;
    return k > least ? k : least;
}

/* The sum of terms over that of k0, whose logarithm is `top`: every `stride`-th. */
CUPRIC_APART double
wright_bell(double a, double b, words<double> of_x, double k0, double stride,
            words<double> top)
{
    double sum = 1;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 1; i < 400; i++) {
            const double k = k0 + side * i * stride;
            if (k < 0) break;
            const words<double> l = wright_term(a, b, of_x, k);
            const double term = exp((l.hi - top.hi) + (l.lo - top.lo));
            sum += term;
            if (!(term > 1e-18 * sum)) break;
        }
    }
    return sum * stride;
}

/* log(Phi(a, b; x)) where k is large. */
CUPRIC_APART words<double>
wright_far(double a, double b, double x, double k0)
{
    const words<double> of_x = logarithm_of(x).value;
    const words<double> top = wright_term(a, b, of_x, k0);
    const double z = a * k0 + b, bend = 1 / (k0 + 1) + (z > 0 ? a / z * a : 0);
    const double width = 1 / sqrt(bend);     /* of the bell: one standard deviation */
    double sum = 2.5066282746310002 * width; /* sqrt(2 pi) */
    if (!(k0 > 1e20)) {
        const bool wide = width > 8 && k0 > 9 * width + 3;
        sum = wright_bell(a, b, of_x, k0, wide ? floor(width / 1.5) : 1, top);
    }
    const words<double> l = exact_sum(top.hi, log(sum));
    return {l.hi, l.lo + top.lo};
}

/* Terms from k = 1 on, where k stays small. */
CUPRIC_APART double
wright_near(double a, double b, double x, double first, double k0)
{
    double power = 1, sum = 0;
    for (double k = 1; k < 70; k += 1) {
        power *= x / k;
        if (!(power < 1e300)) break; /* of the first term alone, and a tiny second */
        const double term = power * rgamma(a * k + b);
        sum += term;
        if (k > k0 && !(term > 1e-18 * (first + sum))) break;
    }
    return sum;
}

CUPRIC_MATH bool
is_wrights(double a, double b, double x)
{
    return a >= 0 && b >= 0 && x >= 0 && a < infinity<double>() &&
           b < infinity<double>();
}

CUPRIC_MATH bool
wright_is_near(double a, double b, double x, double k0)
{
    if (!(b < 100)) return false;
    if (k0 == 0) return x < 1e60;
    return x < 2 || (k0 < 12 && x < 1e6 && a * k0 + b < 100);
}

CUPRIC_APART double
wright_of(double a, double b, double x)
{
    if (!is_wrights(a, b, x)) return nan<double>();
    if (x == infinity<double>()) return x;
    if (x == 0 || a == 0) return exp(x) * rgamma(b);
    const double k0 = x < 2 && b < 100 ? 4 : wright_peak(a, b, log(x));
    if (wright_is_near(a, b, x, k0)) {
        const double first = rgamma(b);
        return first + wright_near(a, b, x, first, k0);
    }
    const words<double> l = wright_far(a, b, x, k0);
    if (l.hi > 720) return infinity<double>();
    if (l.hi < -760) return 0;
    const double half =
        exp(0.5 * l.hi); /* the whole may overflow where its product does not */
    return half * exp(l.lo) * half;
}

CUPRIC_APART double
log_of_wright(double a, double b, double x)
{
    if (!is_wrights(a, b, x)) return nan<double>();
    if (x == infinity<double>()) return x;
    if (x == 0 || a == 0) return b == 0 ? -infinity<double>() : x - gammaln(b);
    const double k0 = x < 2 && b < 100 ? 4 : wright_peak(a, b, log(x));
    if (wright_is_near(a, b, x, k0)) {
        const double first = rgamma(b), rest = wright_near(a, b, x, first, k0);
        const double above = (first - 1) + rest;
        return without_sign(above) < 0.5 ? log1p(above) : log(first + rest);
    }
    const words<double> l = wright_far(a, b, x, k0);
    return l.hi + l.lo;
}

} /* namespace elementary */

CUPRIC_MATH double
wright_bessel(double a, double b, double x)
{
    return elementary::wright_of(a, b, x);
}

CUPRIC_MATH double
log_wright_bessel(double a, double b, double x)
{
    return elementary::log_of_wright(a, b, x);
}

#define CUPRIC_OF_SINGLE(name)                                                         \
    CUPRIC_MATH float name(float a, float b, float x)                                  \
    {                                                                                  \
        return float(name(double(a), double(b), double(x)));                           \
    }
CUPRIC_OF_SINGLE(wright_bessel)
CUPRIC_OF_SINGLE(log_wright_bessel)
#undef CUPRIC_OF_SINGLE

CUPRIC_END

#endif
