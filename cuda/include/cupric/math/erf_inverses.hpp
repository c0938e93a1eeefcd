/* math/erf_inverses.hpp: the inverses of the error function and of the normal distribution,
 * and exp(x**2) erfc(x), for float64.
 *
 * The inverse of erfc is a function of w = sqrt(-log(q)) that hardly bends, however small q
 * is; near q = 1, that is for small y = 1 - q, erfinv(y) / y is a function of y**2. Both
 * are polynomials (inverse_pieces.hpp), so that nothing cancels anywhere.
 */
#ifndef CUPRIC_MATH_ERF_INVERSES_HPP
#define CUPRIC_MATH_ERF_INVERSES_HPP

#include "cupric/math/inverse_pieces.hpp"
#include "cupric/math/special.hpp"

CUPRIC_BEGIN

namespace elementary {

/* erfcinv(q) for 0 < q <= 1 / 2 */
CUPRIC_MATH double
erfcinv_tail(double q)
{
    const double w = cupric::sqrt(-cupric::log(q));
    if (w < 1.5) return erfcinv_tail_0(w - 1.15625);
    if (w < 2.75) return erfcinv_tail_1(w - 2.125);
    if (w < 5) return erfcinv_tail_2(w - 3.875);
    return w < 11 ? erfcinv_tail_3(w - 8) : erfcinv_tail_4(w - 19.25);
}

/* The y with erf(y) = x; NaN outside [-1, 1]. */
CUPRIC_MATH double
erfinv(double x)
{
    const double y = without_sign(x);
    if (y <= 0.5) return product(x, erfinv_middle(product(x, x)));
    if (y < 1) return times_sign(erfcinv_tail(1 - y), x);
    return y == 1 ? product(x, infinity<double>()) : (y - y) / (y - y);
}

/* The y with erfc(y) = q; NaN outside [0, 2]. The differences are exact. */
CUPRIC_MATH double
erfcinv(double q)
{
    if (q > 0 && q < 0.5) return erfcinv_tail(q);
    if (q >= 0.5 && q <= 1.5) return erfinv(1 - q);
    if (q > 1.5 && q < 2) return -erfcinv_tail(2 - q);
    return q == 0   ? infinity<double>()
           : q == 2 ? -infinity<double>()
                    : (q - q) / (q - q);
}

/* The x with ndtr(x) = p; NaN outside [0, 1]. */
CUPRIC_MATH double
ndtri(double p)
{
    return 0 - product(0x1.6a09e667f3bcdp+0, erfcinv(2 * p));
}

/* exp(x**2) erfc(x) for x > 27: 1 / (sqrt(pi) x) (1 - s + 3 s**2 - 15 s**3 …),
 * s = 1 / (2 x**2) */
CUPRIC_MATH double
erfcx_far(double x)
{
    const double s = 1 / (2 * x * x);
    double sum = 1;
    for (int odd = 13; odd > 0; odd -= 2) sum = 1 - odd * s * sum;
    return 0x1.20dd750429b6dp-1 / x * sum;
}

/* exp(x**2) erfc(x); for x < 0 by erfc(x) = 2 - erfc(-x). */
CUPRIC_MATH double
erfcx(double x)
{
    const double y = without_sign(x);
    double positive = y;
    if (y > 27.25) {
        positive = erfcx_far(y);
    } else if (y == y) {
        const words<double> w = erfc_piece(place_in_octaves(y));
        positive = w.hi + w.lo;
    }
    if (!(x < 0)) return positive;
    if (y > 26.75) return infinity<double>();
    const words<double> square = exact_product(y, y);
    const double power = 2 * cupric::exp(square.hi);
    return fused(power, square.lo, power) - positive;
}

} /* namespace elementary */
CUPRIC_END

#endif
