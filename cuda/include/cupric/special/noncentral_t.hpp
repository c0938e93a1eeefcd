/* special/noncentral_t.hpp: the noncentral t distribution, of double.
 *
 * On the side of the noncentrality by mixtures of incomplete beta functions (noncentral.hpp
 * has the method), all of whose terms are positive, as are those of the complement. On the
 * other side by the trapezoidal rule for the integral over the chi distribution's logarithm,
 * which loses no digits of a small tail either.
 */
#ifndef CUPRIC_SPECIAL_NONCENTRAL_T_HPP
#define CUPRIC_SPECIAL_NONCENTRAL_T_HPP

#include "cupric/special/noncentral.hpp"

CUPRIC_BEGIN

namespace elementary {

/* 1 - I_x(a + j, b) = I_y(b, a + j), which grows with j. */
CUPRIC_MATH double
upper_beta(double a, double b, double x, double y)
{
    double unused;
    return incomplete_beta(a, b, x, y, true, unused);
}

/* The sum of I_y(b, a + j) with the weights of the Poisson distribution, of which a half
 * more is added to j where `odd`: from below, where no addition is undone either. */
CUPRIC_APART double
upper_mixture(const beta_mixture &of, double m, double shift)
{
    const double middle = floor(m), width = 9 * sqrt(m + 1) + 30;
    double j = middle > width ? middle - width : 0;
    double weight =
        exp(j + shift == 0 ? -m : (j + shift) * log(m) - m - gammaln(j + shift + 1));
    double value = upper_beta(of.a + j, of.b, of.x, of.y), term = of.term(j), sum = 0;
    for (int n = 0; n < 400000; n++) {
        const double next = weight * value;
        sum += next;
        if (j > m && weight < 1e-18 * sum) break;
        value += term;
        term *= of.growth(j);
        j += 1;
        weight *= m / (j + shift);
    }
    return sum;
}

/* The same of I_x(a + j, b), from above. */
CUPRIC_APART double
lower_mixture(const beta_mixture &of, double m, double shift)
{
    double j = floor(fmin(of.largest(m), m)), part = 1;
    int n = 0;
    for (; part > 1e-18 && n < 400000; n++) {
        const double growth = of.growth(j);
        part *= m / (j + shift + 1) * (growth < 1 ? growth : 1);
        j += 1;
    }
    double weight = exp((j + shift) * log(m) - m - gammaln(j + shift + 1));
    double value = of.value(j), term = of.term(j - 1), sum = 0;
    for (n = 0; n < 800000; n++) {
        const double next = weight * value;
        sum += next;
        if (j == 0 || (next < 1e-18 * sum && j < m)) break;
        weight *= (j + shift) / m;
        value += term;
        j -= 1;
        if (j > 0) term /= of.growth(j - 1);
    }
    return sum;
}

/* Below t, or above it, t and nc > 0. */
CUPRIC_APART double
noncentral_t_beside(double df, double nc, double t, bool upper)
{
    const double m = 0.5 * nc * nc, r = t / sqrt(df), square = r * r;
    const double y = 1 / (1 + square), x = square * y;
    if (!(x > 0 && y > 0)) return upper ? y > 0 ? ndtr(nc) : 0 : y > 0 ? ndtr(-nc) : 1;
    const beta_mixture even = {0.5, 0.5 * df, x, y}, odd = {1, 0.5 * df, x, y};
    if (upper) return 0.5 * (upper_mixture(even, m, 0) + upper_mixture(odd, m, 0.5));
    return ndtr(-nc) + 0.5 * (lower_mixture(even, m, 0) + lower_mixture(odd, m, 0.5));
}

/* Below -t, t and nc > 0: the integral of ndtr(-nc - t s) with the density of s, the root of
 * a chi-square by df. */
CUPRIC_APART double
noncentral_t_across(double df, double nc, double t)
{
    const double b = nc * t, c = df + t * t;
    const double peak = log(2 * df / (b + sqrt(b * b + 4 * c * df)));
    const double h = fmin(0.1, 0.3 / sqrt(df)); /* the error is a rounding */
    double sum = 0;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = side > 0; i < 6000; i++) {
            const double u = peak + side * i * h, s = exp(u);
            const double power = df * (u - 0.5 * expm1(2 * u));
            const double next = power < -745 ? 0 : exp(power) * ndtr(-nc - t * s);
            sum += next;
            if (next < 1e-18 * sum || (next == 0 && i > 20)) break;
        }
    }
    /* 2 (df / 2)**(df / 2) exp(-df / 2) / gamma(df / 2) */
    const double half = 0.5 * df, root_of_two_over_pi = 0.79788456080286535588;
    const double scale =
        half >= 10 ? root_of_two_over_pi * sqrt(half) * exp(-stirling_rest(half))
                   : 2 * pow(half, half) * exp(-half) / gamma(half);
    return sum * h * scale;
}

/* Below t for nc > 0. */
CUPRIC_MATH double
noncentral_t(double df, double nc, double t, bool upper)
{
    if (t > 0) return noncentral_t_beside(df, nc, t, upper);
    const double lower = t == 0 ? ndtr(-nc) : noncentral_t_across(df, nc, -t);
    return upper ? 1 - lower : lower;
}

} /* namespace elementary */

CUPRIC_APART double
nctdtr(double df, double nc, double t)
{
    using namespace elementary;
    const double limit = infinity<double>();
    if (!(df > 0 && without_sign(nc) <= 4e4 && t == t)) return nan<double>();
    if (without_sign(t) == limit) return t > 0;
    if (df == limit) return elementary::ndtr(t - nc);
    if (nc == 0) return stdtr(df, t);
    const double value =
        nc > 0 ? noncentral_t(df, nc, t, false) : noncentral_t(df, -nc, -t, true);
    return value < 1 ? value : 1;
}

CUPRIC_END

#endif
