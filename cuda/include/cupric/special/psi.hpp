/* special/psi.hpp: the logarithmic derivative of the gamma function, of real and complex
 * numbers.
 */
#ifndef CUPRIC_SPECIAL_PSI_HPP
#define CUPRIC_SPECIAL_PSI_HPP

#include "cupric/special/gamma_complex.hpp"
#include "cupric/special/gamma_polynomials.hpp"

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

/* ---- of complex numbers --------------------------------------------------------------- */

namespace elementary {

/* Stirling's series of psi for |z| >= 10. */
CUPRIC_APART complex128
psi_far(complex128 z)
{
    static constexpr double c[] = {-3617.0 / 8160, 1.0 / 12,  -691.0 / 32760, 1.0 / 132,
                                   -1.0 / 240,     1.0 / 252, -1.0 / 120,     1.0 / 12};
    const log_and_reciprocal l = log_and_reciprocal_of(z);
    const complex128 s = l.over * l.over;
    return l.log - (scaled(0.5, l.over) + s * polynomial_of_complex(s, c, 0, 8));
}

/* psi(z) of Re z >= 0. */
CUPRIC_APART complex128
psi_right(complex128 z)
{
    const complex128 r((z.re - 0x1.762d86356be3fp+0) - 0x1.b86a722197829p-54, z.im);
    if (r.re * r.re + r.im * r.im < 0.07) {
        return r * polynomial_of_complex(r, psi_root_terms(), 0, 22);
    }
    complex128 steps(0);
    for (int i = 0; i < 11 && z.re < 10 && magnitude(z.im) < 10; i++) {
        const double scale = 1 / (z.re * z.re + z.im * z.im);
        steps += complex128(z.re * scale, -z.im * scale);
        z.re += 1;
    }
    return psi_far(z) - steps;
}

/* pi / tan(pi z); i or -i far from the real line. */
CUPRIC_APART complex128
cotangent_of_half_turns(complex128 z)
{
    const double pi = constants<double>::PI();
    const half_turn t = half_turn_of(z.re);
    if (magnitude(z.im) > 10) return complex128(0, z.im > 0 ? -pi : pi);
    const double h = sinh(pi * z.im), under = t.sine * t.sine + h * h;
    const double c = magnitude(z.im) < 1 ? ::sqrt(1 + h * h) : cosh(pi * z.im);
    return complex128(pi * t.sine * t.cosine / under, -pi * h * c / under);
}

} /* namespace elementary */

/* Logarithmic derivative of the gamma function. */
CUPRIC_APART complex128
psi(complex128 z)
{
    using namespace elementary;
    if (is_pole_of_gamma(z) || is_nan(z) || z.re == -infinity<double>())
        return complex128(nan<double>(), nan<double>());
    if (z.im == 0) return complex128(psi(z.re), z.im);
    if (z.re >= 0 || magnitude(z.im) >= 10) {
        if (is_finite(z.re) && is_finite(z.im)) return psi_right(z);
        return in_double::log(z);
    }
    return psi_right(complex128(1) - z) - cotangent_of_half_turns(z);
}

CUPRIC_MATH complex<float>
psi(complex<float> z)
{
    return complex<float>(psi(complex128(z)));
}

CUPRIC_END

#endif
