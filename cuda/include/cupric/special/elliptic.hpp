/* special/elliptic.hpp: elliptic integrals and functions, rows of ops/special/elliptic.def:
 * of double, with loops and branches. Those of float are the same, rounded.
 *
 * The parameter is m, the square of the modulus. References: https://dlmf.nist.gov/19,
 * https://dlmf.nist.gov/22; L. M. Milne-Thomson in M. Abramowitz and I. A. Stegun, "Handbook
 * of Mathematical Functions" (1964), chapters 16 and 17.
 */
#ifndef CUPRIC_SPECIAL_ELLIPTIC_HPP
#define CUPRIC_SPECIAL_ELLIPTIC_HPP

#include "cupric/special/carlson_complex.hpp"
#include "cupric/special/elliptic_polynomials.hpp"

CUPRIC_BEGIN

/* K(1 - p); of p > 1 by that of 1 / p: 19.7.2. */
CUPRIC_APART double
ellipkm1(double p)
{
    using namespace elementary;
    if (!(p >= 0)) return nan<double>();
    if (p == 0) return infinity<double>();
    if (p == infinity<double>()) return 0;
    const double q = p > 1 ? 1 / p : p;
    const double k = fused(-elementary::log(q), ellipk_log(q), ellipk_free(q));
    return p > 1 ? k / root(p) : k;
}

CUPRIC_MATH double
ellipk(double m)
{
    return ellipkm1(1 - m);
}

namespace elementary {

/* E(1 - p) for 0 <= p <= 1. */
CUPRIC_APART double
ellipe_of_complement(double p)
{
    if (p == 0) return 1;
    return fused(p, fused(-log(p), ellipe_log(p), ellipe_free(p)), 1.0);
}

} /* namespace elementary */

CUPRIC_APART double
ellipe(double m)
{
    using namespace elementary;
    const double p = 1 - m;
    if (!(p >= 0)) return nan<double>();
    if (p <= 1) return ellipe_of_complement(p);
    return p == infinity<double>() ? p : root(p) * ellipe_of_complement(1 / p);
}

/* ---- incomplete integrals --------------------------------------------------------------- */

namespace elementary {

/* The sine of an angle, the magnitude of its cosine, and how many half turns are between
 * it and the nearest angle with these, whose cosine is not negative. */
struct turned_angle {
    double turns, sine, cosine;
};

CUPRIC_APART turned_angle
half_turns_and_rest(double phi)
{
    const double s = sin(phi), c = cos(phi), quotient = phi / constants<double>::PI();
    double n = rint(quotient);
    const bool odd = n != 2 * rint(0.5 * n);
    if (odd != (c < 0)) n += quotient > n ? 1 : -1; /* at a quarter turn */
    return {n, c < 0 ? -s : s, without_sign(c)};
}

/* F(phi, m) and E(phi, m) for |phi| <= pi / 2, m <= 1: 19.25.5, and 19.25.9 or 19.25.10,
 * whichever has no differences. */
CUPRIC_APART double
first_elliptic(double s, double c, double m)
{
    const double delta = m > 0 ? fused(c, c, (1 - m) * s * s) : fused(-m * s, s, 1.0);
    if (delta == 0) return times_sign(infinity<double>(), s);
    return s * carlson::rf(c * c, delta, 1.0);
}

CUPRIC_APART double
second_elliptic(double s, double c, double m)
{
    const double square = s * s, p = 1 - m;
    if (m == 1) return s;
    if (m > 0) {
        const double delta = fused(c, c, p * square);
        const double first = p * carlson::rf(c * c, delta, 1.0);
        const double more = m * p / 3 * square * carlson::rd(c * c, 1.0, delta);
        return s * (first + more + m * c / root(delta));
    }
    const double delta = fused(-m * s, s, 1.0);
    const double more = m / 3 * square * carlson::rd(c * c, delta, 1.0);
    return s * (carlson::rf(c * c, delta, 1.0) - more);
}

/* Where no integral is wanted: NaN, infinite and tiny angles, and m = 0. */
CUPRIC_MATH bool
is_plain_angle(double phi, double m)
{
    if (!(m <= 1) || phi != phi || m == 0) return true;
    const double size = without_sign(phi);
    return m == -infinity<double>() || size == infinity<double>() ||
           (size <= 1e-9 && m > -1e-3);
}

} /* namespace elementary */

CUPRIC_APART double
ellipkinc(double phi, double m)
{
    using namespace elementary;
    if (is_plain_angle(phi, m)) {
        if (!(m <= 1)) return nan<double>();
        if (m == -infinity<double>()) return without_sign(phi) < -m ? 0 : nan<double>();
        return phi;
    }
    if (without_sign(phi) > 0x1p50)
        return phi / constants<double>::PI() * 2 * ellipk(m);
    const turned_angle a = half_turns_and_rest(phi);
    const double rest = first_elliptic(a.sine, a.cosine, m);
    if (a.turns == 0) return rest;
    if (m == 1) return times_sign(infinity<double>(), phi);
    return fused(a.turns, 2 * ellipk(m), rest);
}

CUPRIC_APART double
ellipeinc(double phi, double m)
{
    using namespace elementary;
    if (is_plain_angle(phi, m)) {
        if (!(m <= 1)) return nan<double>();
        if (m == -infinity<double>() && phi == phi) return infinity<double>();
        return phi;
    }
    if (without_sign(phi) > 0x1p50)
        return phi / constants<double>::PI() * 2 * ellipe(m);
    const turned_angle a = half_turns_and_rest(phi);
    const double rest = second_elliptic(a.sine, a.cosine, m);
    return a.turns == 0 ? rest : fused(a.turns, 2 * ellipe(m), rest);
}

/* ---- Jacobi's functions ----------------------------------------------------------------- */

namespace elementary {

struct jacobi {
    double sn, cn, dn, ph;
};

/* m = 1: hyperbolic functions. */
CUPRIC_APART jacobi
jacobi_hyperbolic(double u)
{
    const double c = 1 / cosh(u);
    return {tanh(u), c, c, 2 * atan(tanh(0.5 * u))};
}

/* Of 0 <= m < 1. Landen's descending transformation makes the modulus vanish; sn, cn and
 * dn are led back without differences: 22.7(i). The last modulus is so small that its
 * square is below a rounding. */
CUPRIC_APART jacobi
jacobi_of(double u, double parameter)
{
    enum { MOST = 8 };
    double k[MOST], rest[MOST]; /* the moduli, and 1 less them */
    double m = parameter, complement = root(1 - m), angle = u;
    int n = 0;
    for (; n < MOST && m > 1e-17; n++) {
        const double over = 1 / (1 + complement), modulus = m * over * over;
        k[n] = modulus, rest[n] = 2 * complement * over;
        angle *= 1 / (1 + modulus);
        complement = 2 * root(complement) * over;
        m = modulus * modulus;
    }
    const turned_angle a = half_turns_and_rest(angle);
    double s = a.sine, c = a.cosine, d = 1;
    while (n-- > 0) {
        const double over = 1 / fused(k[n] * s, s, 1.0);
        const double less = fused(rest[n] * s, s, c * c); /* 1 - k s**2 */
        s *= (1 + k[n]) * over, c *= d * over, d = less * over;
    }
    const double square =
        s * s; /* of which the errors have not been doubled each time */
    if (square < 0.5) c = root(1 - square);
    if (square * parameter < 0.5) d = root(1 - square * parameter);
    const double ph = fused(a.turns, constants<double>::PI(), atan2(s, c));
    const bool odd = a.turns != 2 * rint(0.5 * a.turns);
    return {odd ? -s : s, odd ? -c : c, d, ph};
}

} /* namespace elementary */

CUPRIC_APART void
ellipj(double u, double m, double *sn, double *cn, double *dn, double *ph)
{
    using namespace elementary;
    jacobi j = {nan<double>(), nan<double>(), nan<double>(), nan<double>()};
    if (m >= 0 && m < 1 && without_sign(u) < infinity<double>()) j = jacobi_of(u, m);
    if (m == 1) j = jacobi_hyperbolic(u);
    *sn = j.sn, *cn = j.cn, *dn = j.dn, *ph = j.ph;
}

CUPRIC_END

#endif
