/* special/gamma_parameters.hpp: inverses of the distributions of incomplete_gamma.hpp in a
 * parameter.
 */
#ifndef CUPRIC_SPECIAL_GAMMA_PARAMETERS_HPP
#define CUPRIC_SPECIAL_GAMMA_PARAMETERS_HPP

#include "cupric/special/incomplete_gamma.hpp"

CUPRIC_BEGIN

namespace elementary {

/* log(P(a, x) / p) or, where `upper`, log(q / Q(a, x)), which falls where a grows; *step is
 * how much log(a) has to, nearly, as the derivative in a is less that in x, nearly. */
CUPRIC_APART double
shape_misses(double a, double x, double wanted, bool upper, double *step)
{
    double term;
    const double value = incomplete_gamma(a, x, upper, &term);
    const double misses = value > 0 ? log(value / wanted) : -800;
    const double size = misses * (value / (a * term));
    *step = without_sign(size) < 1 ? (upper ? -size : size) : 0;
    return upper ? -misses : misses;
}

/* A first a with P(a, x) = p: Wilson's and Hilferty's cube root is nearly normal, of mean
 * 1 - 1 / (9 a) and deviation 1 / (3 sqrt(a)), solved as if the former had x for a. */
CUPRIC_MATH double
shape_start(double x, double p, double q)
{
    const double z = p < q ? ndtri(p) : -ndtri(q), half = 0.5 * z;
    const double root = sqrt(x + half * half + 0.3) - half, a = root * root;
    return x > 0.5 && a > 0.05 ? a : p < q ? 1 : q / (1 + without_sign(log(x)));
}

/* The a with P(a, x) = p, Q(a, x) = q; p + q = 1. By steps of the secant over log(a), which
 * stay between an a that was too small and one that was too large. */
CUPRIC_APART double
inverse_in_shape(double x, double p, double q)
{
    const bool upper = q < p;
    const double wanted = upper ? q : p, inf = infinity<double>();
    double u = 0, f = 0, v = log(shape_start(x, p, q)), least = -inf, most = inf;
    double width = 0.25;
    for (int i = 0; i < 120; i++) {
        double step;
        const double a = exp(v), g = shape_misses(a, x, wanted, upper, &step);
        if (g == 0) break;
        if (g > 0)
            least = v;
        else
            most = v;
        if (i > 0) step = g * ((v - u) / (f - g));
        double w = v + step;
        const double error = step * (w - u) * (1 + sqrt(a));
        if (i > 0 && without_sign(error) < 1e-16) return exp(w);
        const bool known = least > -inf && most < inf;
        if (!(w > least && w < most) || step == 0 || i % 10 == 9) {
            width *= 2;
            w = known ? 0.5 * least + 0.5 * most : g > 0 ? v + width : v - width;
        }
        if (w == v || w > 709 || w < -745) return w > 700 ? inf : exp(w);
        u = v, f = g, v = w;
    }
    return exp(v);
}

/* At the borders: P is 1 for a = 0, and 0 for an infinite a. */
CUPRIC_MATH double
inverse_in_shape_anywhere(double x, double p, double q)
{
    if (!(x >= 0 && p >= 0 && q >= 0)) return nan<double>();
    if (x == 0) return p == 0 ? nan<double>() : 0;
    if (q == 0) return 0;
    if (p == 0) return infinity<double>();
    return x < infinity<double>() ? inverse_in_shape(x, p, q) : nan<double>();
}

} /* namespace elementary */

/* The rate a with gdtr(a, b, x) = p. */
CUPRIC_MATH double
gdtria(double p, double b, double x)
{
    return gammaincinv(b, p) / x;
}

/* The shape b with gdtr(a, b, x) = p. */
CUPRIC_MATH double
gdtrib(double a, double p, double x)
{
    if (!(a > 0)) return elementary::nan<double>();
    return elementary::inverse_in_shape_anywhere(a * x, p, 1 - p);
}

/* The x with gdtr(a, b, x) = p. */
CUPRIC_MATH double
gdtrix(double a, double b, double p)
{
    return gammaincinv(b, p) / a;
}

/* The degrees of freedom v with chdtr(v, x) = p. */
CUPRIC_MATH double
chdtriv(double p, double x)
{
    if (x == 0) return elementary::nan<double>();
    return 2 * elementary::inverse_in_shape_anywhere(0.5 * x, p, 1 - p);
}

/* The k, not a whole number, with pdtr(k, m) = p; 0 where pdtr(0, m) is more than p. */
CUPRIC_MATH double
pdtrik(double p, double m)
{
    if (!(p >= 0 && p < 1 && m >= 0)) return elementary::nan<double>();
    if (p == 0 || m == 0 || (m < 750 && p <= exp(-m))) return 0;
    return elementary::inverse_in_shape_anywhere(m, 1 - p, p) - 1;
}

CUPRIC_END

#endif
