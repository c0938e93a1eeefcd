/* math/bessel.hpp: the modified Bessel function of order 1, for float64, beside that of order
 * 0 in elementary.hpp.
 */
#ifndef CUPRIC_MATH_BESSEL_HPP
#define CUPRIC_MATH_BESSEL_HPP

#include "cupric/math/elementary.hpp"
#include "cupric/math/i1_pieces.hpp"

CUPRIC_BEGIN

namespace elementary {

/* Near 0 a series in x**2, far from it order 0 times a ratio that is nearly 1. */
CUPRIC_MATH double
i1(double x)
{
    const double y = without_sign(x);
    if (!(y > 12)) {
        /* what the square's rounding lost, times about the series' slope */
        const words<double> square = exact_product(x, x);
        const double sum = i1_series(square.hi);
        return product(x, fused(sum, square.lo / (2 * (y + 1.7)), sum));
    }
    const double ratio = i1_over_i0(y < 714 ? 1 / y : 1 / 714.0);
    return times_sign(product(i0(y), ratio), x);
}

} /* namespace elementary */
CUPRIC_END

#endif
