/* special/monotone_root.hpp: where a monotone function of a positive number is 0: inverses
 * of distributions in a parameter.
 *
 * Over the number's logarithm, steps that double lead from a start to a bracket, which then
 * shrinks by T. R. Chandrupatla's method, "A new hybrid quadratic/bisection algorithm for
 * finding the zero of a nonlinear function without using derivatives", Advances in
 * Engineering Software 28 (1997).
 */
#ifndef CUPRIC_SPECIAL_MONOTONE_ROOT_HPP
#define CUPRIC_SPECIAL_MONOTONE_ROOT_HPP

#include "cupric/math/special.hpp"

CUPRIC_BEGIN

namespace elementary {

struct bracket {
    double a, b, of_a, of_b; /* logarithms, and the function's values */
};

/* The step of the method in a bracket, of which c was the end before; as a part of it. */
CUPRIC_MATH double
chandrupatla_part(const bracket &k, double c, double of_c)
{
    const double xi = (k.a - k.b) / (c - k.b),
                 phi = (k.of_a - k.of_b) / (of_c - k.of_b);
    if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)) return 0.5;
    return k.of_a / (k.of_b - k.of_a) * of_c / (k.of_b - of_c) +
           (c - k.a) / (k.b - k.a) * k.of_a / (of_c - k.of_a) * k.of_b /
               (of_c - k.of_b);
}

template <class F>
CUPRIC_MATH double
root_in_bracket(const F &f, bracket k)
{
    double c = k.a, of_c = k.of_a, part = 0.5;
    /* the first step is the secant's */
    const double secant = k.of_a / (k.of_a - k.of_b);
    if (secant > 0.01 && secant < 0.99) part = secant;
    for (int i = 0; i < 120; i++) {
        const double x = k.a + part * (k.b - k.a), y = f(exp(x));
        if ((y > 0) == (k.of_a > 0)) {
            c = k.a, of_c = k.of_a;
        } else {
            c = k.b, of_c = k.of_b;
            k.b = k.a, k.of_b = k.of_a;
        }
        k.a = x, k.of_a = y;
        const double best = without_sign(k.of_a) < without_sign(k.of_b) ? k.a : k.b;
        const double least = 1e-16 + 1.2e-16 * without_sign(best);
        const double width = without_sign(k.b - k.a);
        if (y == 0 || width <= 4 * least) return exp(y == 0 ? x : best);
        part = chandrupatla_part(k, c, of_c);
        const double edge = 2 * least / width;
        part = part < edge       ? edge
               : part > 1 - edge ? 1 - edge
               : part == part    ? part
                                 : 0.5;
    }
    return exp(k.a);
}

/* The root of f, which increases, between exp(-limit) and exp(limit); NaN where there is
 * none, or f is. */
template <class F>
CUPRIC_APART double
monotone_root(const F &f, double start, double limit)
{
    double x = log(start), y = f(start), step = 0.125;
    if (y == 0 || y != y) return y == 0 ? start : y;
    for (int i = 0; i < 24; i++, step *= 2) {
        double next = y > 0 ? x - step : x + step;
        next = next < -limit ? -limit : next > limit ? limit : next;
        const double other = f(exp(next));
        if (other != other || other == 0) return other == 0 ? exp(next) : other;
        if ((other > 0) != (y > 0)) return root_in_bracket(f, {x, next, y, other});
        if (without_sign(next) == limit) break;
        x = next, y = other;
    }
    return nan<double>();
}

/* How far a distribution function's value p, 1 - q, is from a wanted one: the logarithm of
 * the quotient of what is smaller. */
CUPRIC_MATH double
tail_mismatch(double p, double q, double wanted, double wanted_q)
{
    if (wanted <= wanted_q) return p > 0 ? log(p / wanted) : -1e3;
    return q > 0 ? log(wanted_q / q) : 1e3;
}

} /* namespace elementary */

CUPRIC_END

#endif
