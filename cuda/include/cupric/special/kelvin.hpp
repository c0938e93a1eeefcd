/* special/kelvin.hpp: Kelvin functions of double, by the tables of kelvin_tables.hpp
 * (https://dlmf.nist.gov/10.61, 10.67).
 */
#ifndef CUPRIC_SPECIAL_KELVIN_HPP
#define CUPRIC_SPECIAL_KELVIN_HPP

#include "cupric/special/bessel_orders.hpp"
#include "cupric/special/kelvin_tables.hpp"

CUPRIC_BEGIN

namespace elementary {

enum { KELVIN_FAR = 10 };

CUPRIC_MATH bessel_complex
times(bessel_complex a, bessel_complex b)
{
    return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}

/* exp((growth + i) x / sqrt(2) + i turn), turn in halves of pi, times f `scale` / sqrt(x); the
 * product x / sqrt(2) is taken in two words, as the exponent may be some hundreds. What
 * overflows comes last: so there is no nan of two infinities. */
CUPRIC_APART bessel_complex
kelvin_times(double x, double growth, double direction, double turn, double scale,
             bessel_complex f)
{
    const double root_half = 0.70710678118654752440, low = -4.833646656726457e-17;
    const words<double> p = exact_product(x, root_half);
    const double rest = p.lo + x * low;
    const double sine = sin(p.hi), cosine = cos(p.hi);
    const double s = direction * (sine + rest * cosine), c = cosine - rest * sine;
    const double angle = constants<double>::HALF_PI() * turn;
    const bessel_complex wave = times(times({c, s}, {cos(angle), sin(angle)}), f);
    const double half = exp(0.5 * growth * p.hi) * (1 + 0.5 * growth * rest);
    const double size = scale / root(x) * half;
    return {size * wave.real * half, size * wave.imag * half};
}

/* ker + i kei for x >= 10. */
CUPRIC_APART bessel_complex
kelvin_second_far(double x)
{
    const double w = 1 / x;
    return kelvin_times(x, -1, -1, -0.25, 1.2533141373155002512,
                        {ke_far_real(w), w * ke_far_imag(w)});
}

/* Their derivatives. */
CUPRIC_APART bessel_complex
kelvin_second_slope_far(double x)
{
    const double w = 1 / x;
    return kelvin_times(x, -1, -1, 2.25, 1.2533141373155002512,
                        {kep_far_real(w), w * kep_far_imag(w)});
}

/* ber + i bei for x >= 10: what grows, and i / pi times what decays. */
CUPRIC_APART bessel_complex
kelvin_first_far(double x)
{
    const double w = 1 / x, over_pi = 0.31830988618379067154;
    const bessel_complex grows = kelvin_times(x, 1, 1, -0.25, 0.39894228040143267794,
                                              {be_far_real(w), w * be_far_imag(w)});
    if (x > 60) return grows;
    const bessel_complex k = kelvin_second_far(x);
    return {grows.real - over_pi * k.imag, grows.imag + over_pi * k.real};
}

CUPRIC_APART bessel_complex
kelvin_first_slope_far(double x)
{
    const double w = 1 / x, over_pi = 0.31830988618379067154;
    const bessel_complex grows = kelvin_times(x, 1, 1, 0.25, 0.39894228040143267794,
                                              {bep_far_real(w), w * bep_far_imag(w)});
    if (x > 60) return grows;
    const bessel_complex k = kelvin_second_slope_far(x);
    return {grows.real - over_pi * k.imag, grows.imag + over_pi * k.real};
}

/* From here on, where exp(x / sqrt(2)) is long infinite or 0, the phase has too few digits for
 * the signs. */
enum { KELVIN_LAST = 10000000 };

CUPRIC_MATH unsigned long long
half_unit(double x)
{
    return (unsigned long long)(2 * x);
}

CUPRIC_MATH double
kelvin_outside(double x)
{
    if (x == 0) return infinity<double>();
    return x > 0 ? 0 : nan<double>();
}

} /* namespace elementary */

/* Kelvin functions. ber and bei are even, their derivatives odd. */
CUPRIC_APART double
ber(double x)
{
    using namespace elementary;
    const double y = without_sign(x);
    if (y < KELVIN_FAR) return ber_piece(half_unit(y), y);
    return y < KELVIN_LAST ? kelvin_first_far(y).real : nan<double>();
}

CUPRIC_APART double
bei(double x)
{
    using namespace elementary;
    const double y = without_sign(x);
    if (y < 1e-4) return 0.25 * y * y;
    if (y < KELVIN_FAR) return bei_piece(half_unit(y), y);
    return y < KELVIN_LAST ? kelvin_first_far(y).imag : nan<double>();
}

CUPRIC_APART double
berp(double x)
{
    using namespace elementary;
    const double y = without_sign(x);
    if (y < 1e-4) return 0 - 0.0625 * x * x * x;
    if (y < KELVIN_FAR) return times_sign(berp_piece(half_unit(y), y), x);
    return y < KELVIN_LAST ? times_sign(kelvin_first_slope_far(y).real, x)
                           : nan<double>();
}

CUPRIC_APART double
beip(double x)
{
    using namespace elementary;
    const double y = without_sign(x);
    if (y < 1e-4) return 0.5 * x;
    if (y < KELVIN_FAR) return times_sign(beip_piece(half_unit(y), y), x);
    return y < KELVIN_LAST ? times_sign(kelvin_first_slope_far(y).imag, x)
                           : nan<double>();
}

/* Right of 0 alone. */
CUPRIC_APART double
ker(double x)
{
    using namespace elementary;
    if (x > 0 && x < 0.5) return ker_regular(x * x) - elementary::log(x) * ber(x);
    if (x >= 0.5 && x < KELVIN_FAR) return ker_piece(piece_of_octaves(x), x);
    if (x >= KELVIN_FAR && x < KELVIN_LAST) return kelvin_second_far(x).real;
    return kelvin_outside(x);
}

CUPRIC_APART double
kei(double x)
{
    using namespace elementary;
    if (x >= 0 && x < 1e-100) return -0.5 * constants<double>::HALF_PI();
    if (x > 0 && x < 0.5) return kei_regular(x * x) - elementary::log(x) * bei(x);
    if (x >= 0.5 && x < KELVIN_FAR) return kei_piece(piece_of_octaves(x), x);
    if (x >= KELVIN_FAR && x < KELVIN_LAST) return kelvin_second_far(x).imag;
    return kelvin_outside(x);
}

CUPRIC_APART double
kerp(double x)
{
    using namespace elementary;
    if (x > 0 && x < 0.5) return kerp_regular(x * x) / x - elementary::log(x) * berp(x);
    if (x >= 0.5 && x < KELVIN_FAR) return kerp_piece(piece_of_octaves(x), x);
    if (x >= KELVIN_FAR && x < KELVIN_LAST) return kelvin_second_slope_far(x).real;
    return -kelvin_outside(x);
}

CUPRIC_APART double
keip(double x)
{
    using namespace elementary;
    if (x == 0) return 0;
    if (x > 0 && x < 0.5) return x * keip_regular(x * x) - elementary::log(x) * beip(x);
    if (x >= 0.5 && x < KELVIN_FAR) return keip_piece(piece_of_octaves(x), x);
    if (x >= KELVIN_FAR && x < KELVIN_LAST) return kelvin_second_slope_far(x).imag;
    return kelvin_outside(x);
}

/* Zero number k, from 1 on, of ber, bei, ker, kei, and as kinds 4 to 7 of their derivatives:
 * by Newton's steps from where the first term of the expansion far away has it. y'' is
 * -z - y' / x for the real part y and the imaginary part z, and z'' is y - z' / x. */
CUPRIC_APART double
kelvin_zero(double kind, double k)
{
    using namespace elementary;
    const int n = int(kind);
    if (!(k >= 1 && n >= 0 && n < 8)) return nan<double>();
    const double eighth[8] = {-3, 1, -5, -1, 3, -1, -3, 1};
    double x = 4.4428829381583662470 * (k + 0.125 * eighth[n]);
    const bool second = n & 2, imaginary = n & 1;
    for (int i = 0; i < 12; i++) {
        double f, slope;
        if (n < 4) {
            f = second ? (imaginary ? kei(x) : ker(x)) : (imaginary ? bei(x) : ber(x));
            slope = second ? (imaginary ? keip(x) : kerp(x))
                           : (imaginary ? beip(x) : berp(x));
        } else {
            f = second ? (imaginary ? keip(x) : kerp(x))
                       : (imaginary ? beip(x) : berp(x));
            const double other =
                second ? (imaginary ? ker(x) : kei(x)) : (imaginary ? ber(x) : bei(x));
            slope = (imaginary ? other : -other) - f / x;
        }
        const double step = f / slope;
        x -= step;
        if (!(without_sign(step) > 1e-15 * x)) break;
    }
    return x;
}

CUPRIC_END

#endif
