/* special/gamma.hpp: the gamma function's relatives, rows of ops/special/gamma.def: of
 * double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_GAMMA_HPP
#define CUPRIC_SPECIAL_GAMMA_HPP

#include "cupric/math/special.hpp"
#include "cupric/special/gamma_polynomials.hpp"
#include "cupric/special/incomplete_gamma.hpp"

CUPRIC_BEGIN

namespace elementary {

/* psi(x) for x >= 10: log(x) - 1 / (2 x) - sum of B_2k / (2 k x**2k), whose terms from the
 * ninth on are below a rounding. M. Abramowitz and I. A. Stegun, "Handbook of Mathematical
 * Functions" (1964), 6.3.18. */
CUPRIC_MATH double
digamma_far(double x)
{
    const double w = 1 / (x * x);
    const double tail = horner(w, -3617.0 / 8160, 1.0 / 12, -691.0 / 32760, 1.0 / 132,
                               -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12);
    return log(x) - (0.5 / x + w * tail);
}

/* psi(x) for x > 0. Steps of psi(x) = psi(x - 1) + 1 / (x - 1) lead to [1, 2], where the
 * zero is a factor: left of it no digits are lost. */
CUPRIC_APART double
digamma_right(double x)
{
    typedef gamma_constants<double> K;
    double steps = 0;

    if (x >= 10) return digamma_far(x);
    if (x < 1) {
        steps = -1 / x;
        x += 1;
    }
    for (; x > 2; x -= 1) steps += 1 / (x - 1);
    const double from_zero = (x - K::DIGAMMA_ROOT()) - K::DIGAMMA_ROOT_LOW();
    return steps + from_zero * digamma_over_root(x - 1.5);
}

/* pi / tan(pi x). */
CUPRIC_MATH double
cotangent_of_turns(double x)
{
    const double pi = constants<double>::PI();
    return pi / tan(pi * (x - rint(x)));
}

} /* namespace elementary */

/* Logarithmic derivative of the gamma function; its poles are not numbers, that at 0 is
 * infinite. */
CUPRIC_APART double
psi(double x)
{
    using namespace elementary;
    if (x > 0) return x < infinity<double>() ? digamma_right(x) : x;
    if (x == 0) return -1 / x;
    if (!(x > -infinity<double>()) || x == rint(x)) return nan<double>();
    return digamma_right(1 - x) - cotangent_of_turns(x);
}
CUPRIC_MATH float
psi(float x)
{
    return float(psi(double(x)));
}

/* 1 / gamma(x), 0 at the poles; gamma itself overflows sooner than it vanishes, so that steps
 * lead to where it does not. */
CUPRIC_APART double
rgamma(double x)
{
    const double size = elementary::without_sign(x), pi = 3.14159265358979323846;
    if (size < 1e-17) return x;
    if (x < 0 && x == rint(x)) return 0;
    if (size < 170) return 1 / gamma(x);
    if (!(x < 300)) return x > 0 ? 0 : x;
    double under = x > 0 ? x : 1 - x, result = 1;
    if (x < 0) { /* gamma(1 - x) sin(pi x) / pi */
        const elementary::half_turns turns = elementary::half_turns_of(size);
        result = (turns.odd & 1 ? turns.sine.hi : -turns.sine.hi) / pi;
    }
    const double steps = size < 300 ? ceil(under - 170) : 0;
    if (steps == 0) return result * elementary::infinity<double>();
    for (double i = 0; i < steps; i += 1) {
        under -= 1;
        result = x > 0 ? result / under : result * under;
    }
    return x > 0 ? result / gamma(under) : result * gamma(under);
}

/* The sign of gamma(x), of 0 its own; NaN at the other poles. */
CUPRIC_MATH double
gammasgn(double x)
{
    if (x != x || x > 0) return x != x ? x : 1;
    if (x == 0) return 1 / x > 0 ? 1 : -1;
    const double below = floor(x);
    if (below == x) return elementary::nan<double>();
    return below * 0.5 == rint(below * 0.5) ? 1 : -1;
}

CUPRIC_END

#endif
