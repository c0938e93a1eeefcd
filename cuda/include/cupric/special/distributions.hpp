/* special/distributions.hpp: distributions that are no incomplete gamma or beta function
 * alone, rows of ops/special/distributions.def: of double, with loops and branches. Those of
 * float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_DISTRIBUTIONS_HPP
#define CUPRIC_SPECIAL_DISTRIBUTIONS_HPP

#include "cupric/special/kolmogorov.hpp"
#include "cupric/special/noncentral.hpp"
#include "cupric/special/noncentral_t.hpp"
#include "cupric/special/owens_t.hpp"
#include "cupric/special/parameter_inverses.hpp"

CUPRIC_BEGIN

/* ---- the normal distribution's parameters ------------------------------------------------ */

/* The mean, of a standard deviation, with which x is reached with the probability p. */
CUPRIC_MATH double
nrdtrimn(double p, double deviation, double x)
{
    if (!(p > 0 && p < 1 && deviation > 0)) return elementary::nan<double>();
    return x - deviation * elementary::ndtri(p);
}

CUPRIC_MATH double
nrdtrisd(double mean, double p, double x)
{
    if (!(p > 0 && p < 1)) return elementary::nan<double>();
    return (x - mean) / elementary::ndtri(p);
}

/* ---- Tukey's lambda ---------------------------------------------------------------------- */

namespace elementary {
/* (p**l - (1 - p)**l) / l - x of u = log(p) <= log(1/2), and its derivative. */
CUPRIC_MATH double
tukey_excess(double u, double l, double x, double &slope)
{
    const double p = exp(u), other = log1p(-p);
    const double powers[] = {exp(l * u), exp(l * other)};
    slope = powers[0] + p * powers[1] / (1 - p);
    if (powers[1] < 0.5) return (powers[0] - powers[1]) / l - x;
    return (expm1(l * u) - expm1(l * other)) / l - x;
}

/* For -1 / l < x <= 0: Newton's steps, in a bracket. */
CUPRIC_APART double
tukey_lower(double x, double l)
{
    double low = -745, high = -0.69314718055994530942, slope;
    double u = log1p(l * x) / l; /* where (1 - p)**l is 1 */
    if (!(u < high)) {           /* by the slope at p = 1/2 */
        const double p = 0.5 + x * exp2(l - 2);
        u = p > 0.01 ? log(p) : -5;
    }
    for (int i = 0; i < 120; i++) {
        if (!(u > low && u < high) || i % 4 == 3) u = 0.5 * (low + high);
        const double excess = tukey_excess(u, l, x, slope);
        if (excess > 0)
            high = u;
        else
            low = u;
        const double step = excess / slope;
        if (without_sign(step) < 1e-16 || high - low < 1e-15) {
            u -= step;
            break;
        }
        u -= step;
    }
    return exp(u < high ? u : high);
}
} /* namespace elementary */

CUPRIC_APART double
tklmbda(double x, double l)
{
    using namespace elementary;
    if (x != x || l != l) return nan<double>();
    if (l > 0 && without_sign(x) >= 1 / l) return x > 0;
    if (without_sign(x) == infinity<double>()) return x > 0;
    if (without_sign(l) == infinity<double>()) return l > 0 ? x > 0 : 0.5;
    if (without_sign(l) < 1e-300) return expit(x);
    if (x == 0) return 0.5;
    const double lower = tukey_lower(-without_sign(x), l);
    return x > 0 ? 1 - lower : lower;
}

CUPRIC_END

#endif
