/* special/gamma_ratio.hpp: Pochhammer's symbol gamma(a + m) / gamma(a). */
#ifndef CUPRIC_SPECIAL_GAMMA_RATIO_HPP
#define CUPRIC_SPECIAL_GAMMA_RATIO_HPP

#include "cupric/special/gamma_complex.hpp"
#include "cupric/special/incomplete_gamma.hpp"

CUPRIC_BEGIN

namespace elementary {

/* gamma(a + m) / gamma(a) for a and a + m from 10 on, as the difference of Stirling's
 * formulas, (a - 1/2) log(1 + m / a) + m log(a + m) - m. What is large is in two words. */
CUPRIC_APART double
gamma_ratio_far(double a, double m)
{
    const double s = a + m, rest = stirling_rest(s) - stirling_rest(a);
    const double q = m / a;
    if (s == infinity<double>()) return s;
    if (without_sign(q) < 0.4) {
        /* m log(a) + a (log(1 + q) - q) + (m - 1/2) log(1 + q): powers, but for the rest */
        const double bend = a * log1p_rest(q) + (m - 0.5) * log1p(q);
        return pow(a, m) * exp(bend + rest);
    }
    const words<double> of_a = logarithm_of(a).value, of_s = logarithm_of(s).value;
    const words<double> p = exact_product(s - 0.5, of_s.hi),
                        n = exact_product(a - 0.5, of_a.hi), d = exact_sum(p.hi, -n.hi),
                        e = exact_sum(d.hi, -m);
    const double low = (p.lo - n.lo) + (d.lo + e.lo) +
                       ((s - 0.5) * of_s.lo - (a - 0.5) * of_a.lo) + rest;
    if (e.hi > 800) return infinity<double>();
    return e.hi < -800 ? 0 : exp(e.hi) * exp(low);
}

CUPRIC_MATH bool
is_odd(double whole)
{
    return 0.5 * whole != rint(0.5 * whole);
}

/* Where one of the two overflows or vanishes, by logarithms. */
CUPRIC_APART double
gamma_ratio_by_logarithms(double a, double s)
{
    const bool below = (s < 0 && is_odd(floor(s))) != (a < 0 && is_odd(floor(a)));
    const double size = exp(gammaln(s) - gammaln(a));
    return below ? -size : size;
}

} /* namespace elementary */

/* gamma(a + m) / gamma(a), at poles of both the limit. */
CUPRIC_APART double
poch(double a, double m)
{
    using namespace elementary;
    const double s = a + m, size = without_sign(a), other = without_sign(s);
    if (m == 0) return a == a ? 1 : a;
    if (s != s || m == -infinity<double>()) return nan<double>();
    const bool is_a = a <= 0 && a == rint(a), is_s = s <= 0 && s == rint(s);
    if (is_a && !is_s) return 0;
    if (is_s && !is_a) return infinity<double>();
    if (is_a || (a < -160 && s < 0) || (s < -160 && a < 0)) {
        /* gamma(1 - a) / gamma(1 - s), with the sines of pi a and pi s */
        const double sine =
            is_a ? 1 : half_turn_of(size).sine / half_turn_of(other).sine;
        const double b = 1 - s, c = 1 - a; /* c = b + m */
        const double ratio = b >= 10 && c >= 10   ? gamma_ratio_far(b, m)
                             : b < 170 && c < 170 ? cupric::gamma(c) * cupric::rgamma(b)
                                                  : gamma_ratio_by_logarithms(b, c);
        return is_a && is_odd(m) ? -ratio : ratio * sine;
    }
    if (a >= 10 && s >= 10) return gamma_ratio_far(a, m);
    if (size < 170 && other < 170) return cupric::gamma(s) * cupric::rgamma(a);
    return gamma_ratio_by_logarithms(a, s);
}

CUPRIC_END

#endif
