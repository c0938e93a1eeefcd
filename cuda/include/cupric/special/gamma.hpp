/* special/gamma.hpp: the gamma function's relatives, rows of ops/special/gamma.def: of
 * double, with loops and branches. Those of float are the same, rounded.
 */
#ifndef CUPRIC_SPECIAL_GAMMA_HPP
#define CUPRIC_SPECIAL_GAMMA_HPP

#include "cupric/math/special.hpp"
#include "cupric/special/gamma_complex.hpp"
#include "cupric/special/gamma_parameters.hpp"
#include "cupric/special/gamma_ratio.hpp"
#include "cupric/special/incomplete_gamma.hpp"
#include "cupric/special/psi.hpp"
#include "cupric/special/zeta.hpp"

CUPRIC_BEGIN

/* What these functions compute in. */
CUPRIC_MATH double
widened(double x)
{
    return x;
}
CUPRIC_MATH complex128
widened(complex128 z)
{
    return z;
}
CUPRIC_MATH complex128
widened(complex<float> z)
{
    return complex128(z);
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
